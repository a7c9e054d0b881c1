# SPDX-License-Identifier: MIT
# The lines of the terminal while rows are checked: one for rows that belong together (HW_LINE in the
# table), with each row by its title in config.log. A row without a line is one itself.

# A value as a person reads it, in whole units, with its range.
function shown(row,  text, at) {
  if (value[row] == "") return ""
  text = whole(row, value[row])
  if (span[row] == "") return text
  at = index(span[row], ":")
  return text " (" whole(row, substr(span[row], 1, at - 1)) " to " whole(row, substr(span[row], at + 1)) ")"
}

function whole(row, text,  n) {
  if (unit[row] !~ /\/100$/ && unit[row] != "x100") return text
  n = length(text)
  return n > 2 ? substr(text, 1, n - 2) "." substr(text, n - 1) : "0." substr("00" text, n + 1)
}

# Where it is from, if it was not measured.
function mark(row,  text) {
  text = result[row]
  if (text ~ /\(given\)$/) return "given"
  if (text ~ /\(given in the environment\)$/) return "given in the environment"
  if (text ~ /^\(cached\)/) return "cached"
  if (text ~ /\(profile\)$/) return "profile"
  return text ~ /\(derived\)$/ ? "derived" : ""
}

# line_text N: what a line says, in pieces. Words before a piece hold for those that follow, too, until others do: if
# nothing of such a part is known, that is said without their words.
function line_text(n,  m, i, list, text) {
  line_pieces = line_unknown = line_same_mark = 0
  line_before = line_plain = line_marked = line_mark = line_reasons = line_reports = ""
  line_same = 1
  part_plain = part_marked = ""
  part_known = 0
  m = split(line_items[n], list, / *; */)
  for (i = 1; i <= m; i++) line_item(list[i])
  line_part("")
  text = line_same ? line_plain (line_mark == "" ? "" : " (" line_mark ")") : line_marked
  if (!line_pieces) text = "none"
  else if (line_unknown == line_pieces) text = "unknown"
  return text (line_reasons == "" ? "" : " (" line_reasons ")") (line_reports == "" ? "" : " (reported " line_reports ")")
}

function joined(text, more, by) { return text == "" ? more : text by more }

function line_part(before) {
  if (line_before != "" && !part_known) {
    if (part_plain != "") part_plain = "unknown"
    part_marked = part_plain
  }
  if (part_plain != "") line_plain = joined(line_plain, line_before part_plain, ", ")
  if (part_marked != "") line_marked = joined(line_marked, line_before part_marked, ", ")
  line_before = before
  part_plain = part_marked = ""
  part_known = 0
}

# A piece: the first of its rows that has a value, or of those that were checked, between its words.
function line_item(item,  n, i, list, found, before, after) {
  match(item, /\*[a-z0-9_\/]+/)
  before = substr(item, 1, RSTART - 1)
  after = substr(item, RSTART + RLENGTH)
  n = split(substr(item, RSTART + 1, RLENGTH - 1), list, "/")
  if (before != "") line_part(before)
  for (i = 1; i <= n; i++) {
    if (!(list[i] in line_has)) continue
    if (found == "" || value[list[i]] != "") found = list[i]
    if (value[list[i]] != "") break
  }
  if (found == "" || result[found] ~ /^none/) return
  line_pieces++
  line_say(found, after)
}

function line_say(row, after,  text, from) {
  if (row in answered && report(row) != "") line_reports = joined(line_reports, report(row), ", ")
  text = shown(row)
  from = mark(row)
  if (text == "") {
    line_unknown++
    line_why(result[row])
    text = unit[row] == "0/1" ? "unknown whether" : "unknown"
  } else {
    if (unit[row] == "0/1") text = text == "0" ? "not" : ""
    part_known = 1
  }
  if (line_pieces == 1) line_mark = from
  if (from != line_mark) line_same = 0
  if (text == "") sub(/^ /, "", after)
  text = text after
  part_plain = joined(part_plain, text, ", ")
  part_marked = joined(part_marked, text (from == "" ? "" : " (" from ")"), ", ")
}

# Each reason once.
function line_why(text,  at) {
  if ((at = index(text, "unknown (")) == 0 || text !~ /\)$/) return
  text = substr(text, at + 9)
  text = substr(text, 1, length(text) - 1)
  if (!index("; " line_reasons "; ", "; " text "; ")) line_reasons = joined(line_reasons, text, "; ")
}

# lines FINAL: says what there is to say of the rows planned, line by line, up to the first that is still to be measured;
# and, at the end, again those lines that have come to say something else.
function lines(final,  i, row, name) {
  split("", line_has)
  for (i = 1; i <= plan_count; i++) {
    row = plan_rows[i]
    if (result[row] == "" && awaits(row) == "" && !final) {
      set("hw_title", title[row])
      set("hw_progress", ", " i - 1 " of " plan_count)
      return
    }
    name = on_line[row] == "" ? row : on_line[row]
    if (name != line_open) line_close()
    if (result[row] == "") continue
    log_row(row)
    if (!is_wanted(row)) continue
    line_open = name
    line_has[row]
    line_late = line_late late[row]
  }
  line_close()
}

function log_row(row,  text) {
  text = title[row] " (" unit[row] ")"
  if (logged[row] == result[row]) return
  if (is_wanted(row))
    print "hw_fn_logged " quote(text) " " quote(result[row] (row in answered && report(row) != "" ? " (reported " report(row) ")" : ""))
  else log_line(text ", which others need: " result[row])
  keep_now("logged " row " " result[row])
}

function line_close(  text, n, i, list) {
  if (line_open == "") return
  text = line_open in title ? result[line_open] : line_text(line_open)
  if (said[line_open] != text) {
    print "hw_fn_line " quote(line_open in title ? title[line_open] " (" unit[line_open] ")" : line_title[line_open]) " " quote(text)
    keep_now("said " line_open " " text)
    n = split(line_late, list, "\n")
    for (i = 1; i < n; i++) remark(list[i])
  }
  line_open = line_late = ""
  split("", line_has)
}

function late_warn(row, text) { late[row] = late[row] text "\n" }
