# shellcheck shell=sh
# For messages on an unknown name.

# hw_fn_near GIVEN: the nearest of the words of standard input, as "; did you mean ...?", where one is
# near, by the distance of Levenshtein; capitals make no difference, and what lacks the HW_ in front
# is as near as what has it, and counts for no likeness.  None is near to what is longer than twice the
# longest of them.
hw_fn_near ()
{
  test ${#1} -le 64 || return 0
  # shellcheck disable=SC2016
  HW_GIVEN=$1 ${AWK-awk} '
    BEGIN { given = ENVIRON["HW_GIVEN"] } # as it is, where -v would read a backslash
    function distance(a, b,  i, j, n, m, cost, row, above) {
      n = length(a); m = length(b)
      for (j = 0; j <= m; j++) above[j] = j
      for (i = 1; i <= n; i++) {
        row[0] = i
        for (j = 1; j <= m; j++) {
          cost = above[j - 1] + (substr(a, i, 1) != substr(b, j, 1))
          if (above[j] + 1 < cost) cost = above[j] + 1
          if (row[j - 1] + 1 < cost) cost = row[j - 1] + 1
          row[j] = cost
        }
        for (j = 0; j <= m; j++) above[j] = row[j]
      }
      return above[m]
    }
    {
      name = toupper($1)
      d = distance(toupper(given), name)
      if (toupper(given) !~ /^HW_/ && name ~ /^HW_/) {
        e = distance(toupper(given), substr(name, 4))
        if (e < d) d = e
      }
      if (NR == 1 || d < least) { least = d; best = $1 }
    }
    END {
      name = toupper(best)
      sub(/^HW_(CV_)?/, "", name)
      if (NR && least <= (length(name) + 2) / 3) print "; did you mean " best "?"
    }'
}
