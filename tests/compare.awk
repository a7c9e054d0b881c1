# compare.awk: holds what a simulated machine was found to be against what its file says it is.
#   ask.sh all macro unit kind | awk -v name=MACHINE -v near=SHARE -f compare.awk - TABLE VALUES
# TABLE: "# name ROW ROW ..." and a line a machine, with a number where that must come out, N? where N or
# nothing may, - or ? where there is nothing to be known, and a point where nobody looks. VALUES: what
# hwprobe prints. near: the share by which rows of kind cycles or range may differ that need not be whole
# cycles, but by 1 at least; 0 or missing: not at all.
# Prints "ROW VERDICT GOT WANT" for each row that was asked for: right, wrong, unknown where a number
# must come out, open where it may, none where nothing may.
FNR == NR { if ($3 != "exact") timed["HW_" $1] = $2 != "cycles"; next }
FILENAME != last { last = FILENAME; file++ }
file == 1 && $2 == "name" { columns = NF - 2; for (i = 3; i <= NF; i++) row[i - 1] = "HW_" $i }
file == 1 && $1 == name { for (i = 2; i <= NF; i++) want[row[i]] = $i }
file == 1 { next }
$1 == "#" && $3 == "range" { low[$2] = $4; high[$2] = $5; next }
$1 == "#" { got[$2] = "-" }
$2 == "=" { got[$1] = $3 }
function agrees(it, a, b,   most) {
  most = timed[it] ? near * b : 0
  if (most > 0 && most < 1)
    most = 1
  if (it in low && b >= low[it] + 0 && b <= high[it] + 0)
    return 1
  return a == b || (most > 0 && a - b <= most && b - a <= most)
}
function verdict(it,   wanted) {
  wanted = want[it]
  if (wanted == "-" || wanted == "?")
    return got[it] == "-" ? "none" : "wrong"
  if (got[it] == "-")
    return wanted ~ /[?]$/ ? "open" : "unknown"
  return agrees(it, got[it] + 0, wanted + 0) ? "right" : "wrong"
}
END {
  for (i = 2; i <= columns + 1; i++)
    if ((row[i] in got) && (row[i] in want) && want[row[i]] != ".")
      print row[i], verdict(row[i]), got[row[i]], want[row[i]]
}
