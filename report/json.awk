# json.awk: whether a file is a whole hwconfig.json, as configure writes it or as a vector of another
# machine has it: blocks of one row, or of what it is of, lines of one field, and its last brace.  Prints what is wrong, and then
# exits with status 1.
function bad(why) { print FILENAME ":" FNR ": " why; failed = 1; exit 1 }
over { bad("damaged: something comes after its end") }
# A row that another is to follow, and none does.
/^\}$/ && comma { bad("damaged: a row is missing before its end") }
{ comma = /,$/ }
FNR == 1 { if ($0 == "{}") { over = 1; next } if ($0 != "{") bad("no hwconfig.json: its first line is no brace"); next }
/^  "(HW_[A-Z0-9_]*|hwconfig)": \{$/ { if (inside) bad("damaged: a row within a row"); inside = 1; next }
/^  \},?$/ { if (!inside) bad("damaged: the end of no row"); inside = 0; next }
inside && /^    "(value|low|high)": (null|[0-9]+(\.[0-9]+)?),?$/ { next }
inside && /^    "[a-z_]*": "([^"\\]|\\.)*",?$/ { next }
!inside && /^  "[A-Za-z0-9_]*": (\[.*\]|"([^"\\]|\\.)*"|null|[0-9.]+),?$/ { next }
/^\}$/ { if (inside) bad("damaged: a row without an end"); over = 1; next }
{ bad("damaged: " (length($0) > 60 ? substr($0, 1, 60) "..." : $0)) }
END {
  if (failed) exit 1
  if (!over) { print FILENAME ": damaged, its end is missing"; exit 1 }
}
