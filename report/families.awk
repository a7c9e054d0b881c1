# families.awk: how far machines are from each other in shape, and which belong together (DM IV).
# Reads lines NAME|Q1 Q2 ... Q17, - for what is unknown.  Prints
#   distance A B D BOUND COMMON     of each pair, by number; D and BOUND - with fewer than LEAST in common
#   family A B ...                  each family, the smaller ones first
#   name A NAME
#
# The per-shape distance is the standard deviation of the logarithms of the ratios of the quantities that both
# know (Saavedra): the same factor in all of them, as of another rate, leaves no trace.  Few quantities agree
# by chance, so that families go by its upper bound, at 95 per cent, as of normal deviates.
#
# A family is what DM see in figure 4, edges within that are small against those that leave it: a set of
# machines any two of which are nearer to each other than any of them is to one outside (a strong cluster,
# Apresjan).  There is no threshold.  Such sets lie within one another or apart, and each is one of those that
# single linkage joins.
BEGIN {
  FS = "|"
  # Of three degrees of freedom or more.
  LEAST = 4
}
{
  n++
  name[n] = $1
  split($2, q, " ")
  for (i = 1; i <= 17; i++) if (q[i] != "-") v[n, i] = log(q[i])
}
# Of squares of k normal deviates, the sum that one in twenty stays below (Wilson and Hilferty).
function low_sum(k,  t) { t = 2 / (9 * k); return k * (1 - t - 1.6449 * sqrt(t)) ^ 3 }
function measure(a, b,  i, k, sum, squares, mean, r) {
  for (i = 1; i <= 17; i++)
    if ((a, i) in v && (b, i) in v) { r[++k] = v[a, i] - v[b, i]; sum += r[k] }
  common[a, b] = common[b, a] = k + 0
  if (k < LEAST) return
  mean = sum / k
  for (i = 1; i <= k; i++) squares += (r[i] - mean) ^ 2
  distance[a, b] = distance[b, a] = sqrt(squares / (k - 1))
  bound[a, b] = bound[b, a] = sqrt(squares / low_sum(k - 1))
}
# Whether the machines that are in set s are nearer to each other than to any other.
function strong(s,  a, b, within, without) {
  for (a = 1; a <= n; a++) {
    if (set[a] != s) continue
    for (b = 1; b <= n; b++) {
      if (a == b) continue
      if (set[b] == s) {
        if (!((a, b) in bound)) return 0
        if (bound[a, b] > within) within = bound[a, b]
      } else if ((a, b) in bound && (without == "" || bound[a, b] < without)) without = bound[a, b]
    }
  }
  return without != "" && within < without
}
END {
  for (a = 1; a <= n; a++) print "name", a, name[a]
  for (a = 1; a <= n; a++)
    for (b = a + 1; b <= n; b++) {
      measure(a, b)
      if ((a, b) in distance) printf "distance %d %d %.3f %.3f %d\n", a, b, distance[a, b], bound[a, b], common[a, b]
      else print "distance", a, b, "-", "-", common[a, b]
    }
  for (a = 1; a <= n; a++) set[a] = a
  for (;;) {
    best = ""
    for (a = 1; a <= n; a++)
      for (b = a + 1; b <= n; b++)
        if (set[a] != set[b] && (a, b) in bound && (best == "" || bound[a, b] < best)) { best = bound[a, b]; one = set[a]; other = set[b] }
    if (best == "") break
    for (a = 1; a <= n; a++) if (set[a] == other) set[a] = one
    if (strong(one)) {
      line = "family"
      for (a = 1; a <= n; a++) if (set[a] == one) line = line " " a
      print line
    }
  }
}
