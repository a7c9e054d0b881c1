# curve.awk: whether each file is a whole curve, as doc/curves.md has them.  Prints what is wrong with the
# first that is none, and then exits with status 1.
function bad(why) { print name ":" line ": " why; failed = 1; exit 1 }
function ended() { if (name != "" && (points == "" || n != points)) { line = "end"; bad("damaged: " n + 0 " of " points + 0 " points") } }
FNR == 1 { ended(); name = FILENAME; points = ""; n = 0; body = 0 }
{ line = FNR }
FNR == 1 { if ($0 != "# hwconfig curve 1") bad("no curve: it does not begin with # hwconfig curve 1"); next }
/^# points: [0-9]+$/ { points = $3; next }
/^# x y spread count$/ { body = 1; next }
/^#/ { if (body) bad("damaged: a line of the header among the points"); next }
!body { bad("damaged: points before the end of the header") }
{
  if (NF != 4) bad("damaged: " NF " columns, not 4")
  for (i = 1; i <= 4; i++)
    if ($i !~ /^-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?$/) bad("damaged: no number: " $i)
  if (n++ && !($1 + 0 > last)) bad("damaged: x does not ascend")
  last = $1 + 0
}
END { if (!failed) ended(); if (failed) exit 1 }
