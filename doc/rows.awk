# Puts the rows of the table, which come by - as macro, unit, low, high, fallback, model, paper and title, in the place of the line @ROWS@ of a manual page, after wrap.awk.
FNR == NR {
  rows = rows ".TP\n.B HW_" $1 ($5 == "json" ? " \\fR(in hwconfig.json only)" : "") "\n"
  rows = rows wrap(toupper(substr($8, 1, 1)) substr($8, 2) ", " ($2 == "0/1" ? "0 or 1" : $2 ", from " $3 " to " $4) ".")
  if ($5 != "none" && $5 != "json") rows = rows "\nBy default " $5 "."
  if ($6 != "") rows = rows "\nComputed from other values."
  if ($7 != "") rows = rows "\nMethod: " $7 "."
  rows = rows "\n"
  next
}
$0 == "@ROWS@" {
  printf "%s", rows
  next
}
{ print }
