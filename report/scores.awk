# scores.awk: DM V over a table of published scores.  Reads what families.awk prints, the vectors (NAME|Q...),
# and the table: a line "machine PROGRAM PROGRAM ..." and a line a machine, scores of which more is better, - for
# none; a program may name the quantity that it hangs on, as gobmk:6.  Prints two correlations in words.
function fail(why) { print "error " why; failed = 1; exit 1 }
FILENAME == ARGV[1] {
  if ($1 == "name") { number = $2; sub(/^name [0-9]+ /, ""); at[$0] = number; count++ }
  if ($1 == "distance" && $4 != "-") d[$2, $3] = $4
  next
}
FILENAME == ARGV[2] { split($0, part, "|"); k++; m = split(part[2], word, " "); for (i = 1; i <= m; i++) q[k, i] = word[i]; next }
/^#/ || NF == 0 { next }
!programs {
  programs = NF - 1
  if (programs < 2) fail("line " FNR ": a head of two programs or more wanted, as: machine gcc mcf")
  for (i = 1; i <= programs; i++) { quantity[i] = $(i + 1); if (!sub(/^[^:]*:/, "", quantity[i])) quantity[i] = ""; else if (quantity[i] !~ /^([1-9]|1[0-7])$/) fail("line " FNR ": no quantity from 1 to 17: " $(i + 1)) }
  next
}
{
  who = $0
  # A name may have blanks: the scores are the last words.
  rest = NF - programs
  if (rest < 1) fail("line " FNR ": " programs " scores behind a name wanted")
  who = $1
  for (i = 2; i <= rest; i++) who = who " " $i
  if (!(who in at)) { missing++; next }
  a = at[who]
  rows[++scored] = a
  for (i = 1; i <= programs; i++) {
    s = $(rest + i)
    if (s == "-") continue
    if (s !~ /^[0-9]+(\.[0-9]+)?$/ || s <= 0) fail("line " FNR ": no score: " s)
    score[a, i] = s
  }
}
# Pearson's correlation of x and y.
function correlation(x, y, n,  i, mx, my, xy, xx, yy) {
  for (i = 1; i <= n; i++) { mx += x[i] / n; my += y[i] / n }
  for (i = 1; i <= n; i++) { xy += (x[i] - mx) * (y[i] - my); xx += (x[i] - mx) ^ 2; yy += (y[i] - my) ^ 2 }
  return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : "-"
}
END {
  if (failed) exit 1
  if (!programs) fail("it is empty")
  if (scored < 2) fail("it names fewer than two of these machines")
  for (i = 1; i <= scored; i++)
    for (j = 1; j <= scored; j++) {
      a = rows[i]; b = rows[j]
      if (a >= b) continue
      low = high = ""
      for (p = 1; p <= programs; p++) {
        if (!((a, p) in score) || !((b, p) in score)) continue
        ratio = score[a, p] / score[b, p]
        if (low == "" || ratio < low) low = ratio
        if (high == "" || ratio > high) high = ratio
        # More is better of a score, less of a quantity.
        if (quantity[p] != "" && q[a, quantity[p]] ~ /[0-9]/ && q[b, quantity[p]] ~ /[0-9]/ && ratio != 1 && q[a, quantity[p]] != q[b, quantity[p]]) {
          asked++
          agreed += (ratio > 1) == (q[a, quantity[p]] + 0 < q[b, quantity[p]] + 0)
        }
      }
      if (low != "" && (a, b) in d) { x[++pairs] = d[a, b]; y[pairs] = high / low }
    }
  if (pairs > 2 && (r = correlation(x, y, pairs)) != "-") printf "Per-shape distance against the largest ratio of scores over the smallest, %d pairs: correlation %.2f\n", pairs, r
  else printf "Per-shape distance against the ratios of scores: %d pairs are too few\n", pairs
  if (asked) printf "Programs that go with their quantity, %d comparisons: %.0f %%\n", asked, 100 * agreed / asked
  if (missing) printf "Machines of the table that are not compared: %d\n", missing
}
