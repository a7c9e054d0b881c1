# papers.awk: the tables of doc/papers.md. Such a table begins with a line "| FOLDER | | SUBJECT | ...": a folder of
# simulated machines or of recordings and some of it, or "given" and values NAME=VALUE. A line of it begins with a row, or has
# none where the line before had it; then comes who says so, and "here" is what a program says today.
#   -v ask=yes PAGE         FOLDER, SUBJECT, and the rows to be asked for, a line for each subject, by "|"
#   ANSWERS PAGE            the page with what is "here" as the answers have it, "FOLDER|SUBJECT|ROW VALUE" a line
# What no answer is for in all of its table is left as it is.
function bare(text) { gsub(/^ +| +$/, "", text); return text }

# What a row says of a subject, in KB and cycles, as papers do.
function here(subject, row,  key, value, level) {
  key = folder "|" subject "|"
  level = row
  if (sub(/^HW_L/, "", level) && substr(level, 2, 1) == "_" && answer[key "HW_HAVE_L" substr(level, 1, 1)] == "0") return "n/a"
  if (!((key row) in answer)) return "–"
  value = answer[key row]
  if (row ~ /_X100$/) return sprintf("%.5g", value / 100)
  return row ~ /_BYTES$/ ? sprintf("%.5g", value / 1024) : value
}

FILENAME != page && !ask {
  at = match($0, / [^ ]*$/)
  answer[substr($0, 1, at - 1)] = substr($0, at + 1)
  sub(/\|.*/, "")
  told[$0] = 1
  next
}
{ cells = split($0, cell, "|") }
cells < 4 { folder = "" }
cells >= 4 && folder == "" && bare(cell[3]) == "" && bare(cell[2]) ~ /^(given|tests\/[a-z]+)$/ {
  folder = bare(cell[2])
  for (i = 4; i < cells; i++) subject[i] = bare(cell[i])
  if (ask) for (i = 4; i < cells; i++) if (!((folder "|" subject[i]) in rows)) order[++subjects] = folder "|" subject[i]
}
folder != "" && bare(cell[2]) ~ /^HW_/ { row = bare(cell[2]) }
folder != "" && bare(cell[3]) == "here" && ask {
  for (i = 4; i < cells; i++) {
    rows[folder "|" subject[i]] = rows[folder "|" subject[i]] " " row
    if (row ~ /^HW_L[123]_/) rows[folder "|" subject[i]] = rows[folder "|" subject[i]] " HW_HAVE_L" substr(row, 5, 1)
  }
}
folder != "" && bare(cell[3]) == "here" && folder in told {
  line = "|" cell[2] "|" cell[3] "|"
  for (i = 4; i < cells; i++) line = line " " here(subject[i], row) " |"
  $0 = line
}
!ask { print }
END { for (i = 1; i <= subjects; i++) print order[i] "|" rows[order[i]] }
