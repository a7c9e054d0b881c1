# SPDX-License-Identifier: MIT
# For messages on an unknown name. As a program of its own, with -v near_lines=1 and the name in HW_GIVEN, it prints the
# nearest of the words of standard input.

near_lines { near_list = near_list " " $1 }
END { if (near_lines) print near(ENVIRON["HW_GIVEN"], near_list) }

# The nearest of some words to what was given, as "; did you mean ...?", if one is near, by the distance of
# Levenshtein. Capitals make no difference. A name without HW_ in front is as near as one with it; HW_ itself counts
# for no likeness. A word of more than twice the length of the longest of them is near to none.
function near(given, words,  n, i, list, name, d, e, least, best) {
  if (length(given) > 64) return ""
  n = split(words, list, " ")
  for (i = 1; i <= n; i++) {
    name = toupper(list[i])
    d = near_distance(toupper(given), name)
    if (toupper(given) !~ /^HW_/ && name ~ /^HW_/) {
      e = near_distance(toupper(given), substr(name, 4))
      if (e < d) d = e
    }
    if (i == 1 || d < least) { least = d; best = list[i] }
  }
  name = toupper(best)
  sub(/^HW_(CV_)?/, "", name)
  return n && least <= (length(name) + 2) / 3 ? "; did you mean " best "?" : ""
}

function near_distance(a, b,  i, j, n, m, cost, row, over) {
  n = length(a); m = length(b)
  for (j = 0; j <= m; j++) over[j] = j
  for (i = 1; i <= n; i++) {
    row[0] = i
    for (j = 1; j <= m; j++) {
      cost = over[j - 1] + (substr(a, i, 1) != substr(b, j, 1))
      if (over[j] + 1 < cost) cost = over[j] + 1
      if (row[j - 1] + 1 < cost) cost = row[j - 1] + 1
      row[j] = cost
    }
    for (j = 0; j <= m; j++) over[j] = row[j]
  }
  return over[m]
}
