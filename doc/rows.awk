# Puts the rows of probes/params.def in the place of the line @ROWS@ of a manual page, after wrap.awk.
FNR == NR {
  if ($0 ~ /^HW_(PARAM|DERIVED)\(/) {
    derived = $1 ~ /^HW_D/
    sub(/^[A-Z_]*\(/, "", $1)
    title = $10
    sub(/\)$/, "", title)
    rows = rows ".TP\n.B HW_" $1 ($7 == "json" ? " \\fR(in hwconfig.json only)" : "") "\n"
    rows = rows wrap(toupper(substr(title, 1, 1)) substr(title, 2) ", " \
      ($4 == "0/1" ? "0 or 1" : $4 ", from " $5 " to " $6) ".")
    if ($7 != "none" && $7 != "json") rows = rows "\nBy default " ($7) "."
    if (derived) rows = rows "\nComputed from other values."
    if ($9 != "none") rows = rows "\nMethod: " $9 "."
    rows = rows "\n"
  }
  next
}
$0 == "@ROWS@" {
  printf "%s", rows
  next
}
{ print }
