# Makes a manual page of a page of doc, after wrap.awk: -v name=NAME, -v section=N, -v what='what it is'. A table becomes a
# paragraph a row: the first word is its head, the other columns are named, but for the meaning.
function inline(s,   code, out, at) {
  gsub(/\\_/, "_", s)
  gsub(/\\/, "\\e", s)
  gsub(/-/, "\\-", s)
  gsub(/×/, "\\(mu", s)
  gsub(/±/, "\\(+-", s)
  gsub(/−/, "\\-", s)
  while (match(s, /\[[^\]]*\]\([^)]*\)/)) {
    out = substr(s, RSTART + 1, RLENGTH - 1)
    sub(/\].*/, "", out)
    s = substr(s, 1, RSTART - 1) out substr(s, RSTART + RLENGTH)
  }
  s = pairs(s, "`", "B")
  s = pairs(s, "\\*\\*", "B")
  s = pairs(s, "\\*", "I")
  return wrap(s ~ /^[.']/ ? "\\&" s : s)
}
# What stands between two marks goes into the font.
function pairs(s, mark, font,   n, part, i, out) {
  n = split(s, part, mark)
  out = part[1]
  for (i = 2; i <= n; i++)
    out = out (i == n && i % 2 == 0 ? (mark == "`" ? "`" : "*") : i % 2 == 0 ? "\\f" font : "\\fP") part[i]
  return out
}
function text(s) { if (s != "") print inline(s) }
function plain() {
  if (block) print ".fi\n.RE"
  block = 0
}
function cells(   n, i) {
  n = split($0, cell, /[ \t]*\|[ \t]*/)
  for (i = 2; i < n; i++) cell[i - 1] = cell[i]
  return n - 2
}
function row(n,   i, head, rest) {
  head = cell[1]
  i = 2
  if (columns >= 5) {
    if (head == "") head = cell[2]
    else if (cell[2] != "") head = head " " cell[2]
    i = 3
  }
  print ".TP\n\\fB\\fP" inline(head)
  rest = ""
  for (; i <= n; i++)
    if (cell[i] != "") {
      rest = rest (rest == "" ? "" : ". ") (columns < 3 || title[i] ~ /^(is|meaning)?$/ ? "" : title[i] ": ") cell[i]
    }
  if (rest == "") rest = "See above"
  print inline(rest ".")
}
BEGIN {
  print ".\\\" Copyright (c) The hwconfig authors.  License: MIT."
  print ".TH " toupper(name) " " section " 2026-11-25 \"hwconfig\" \"hwconfig\""
  print ".SH NAME\n" inline(name) " \\- " what "\n.SH DESCRIPTION"
  fresh = 1
}
/^# / { next }
/^##* / {
  plain()
  sub(/^##* /, "")
  print ".SH " toupper($0)
  fresh = 1
  table = 0
  next
}
/^$/ {
  blank = 1
  table = 0
  next
}
/^    / {
  if (!block) print (fresh ? "" : ".sp\n") ".RS 4\n.nf"
  else if (blank) print ""
  block = 1
  blank = fresh = 0
  sub(/^    /, "")
  gsub(/\\/, "\\e")
  gsub(/-/, "\\-")
  print (/^[.']/ ? "\\&" : "") $0
  next
}
/^\|/ {
  plain()
  n = cells()
  if (!table) {
    table = 1
    columns = n
    for (i = 1; i <= n; i++) title[i] = cell[i]
  } else if ($0 !~ /^\|[-|: ]*$/) row(n)
  blank = fresh = 0
  next
}
{
  plain()
  if (/^- /) {
    print ".IP \\(bu 2"
    sub(/^- /, "")
  } else if (blank && !fresh) print ".PP"
  blank = fresh = 0
  sub(/^ */, "")
  text($0)
}
END { plain() }
