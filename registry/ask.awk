# SPDX-License-Identifier: MIT
# For scripts: what the table says of each row.
#
#   awk -v ask="FIELD..." [-v which=measured|derived] -f table.awk -f ask.awk TABLE
#
# prints a line a row, the fields separated by tabs: macro (without HW_), value, probe, unit, low, high, fallback,
# reported, kind, beside, model, spare, group, level, batch, stage, line, left, depends, star, never, paper, title, and with
# blanks between them reads and needs. Instead of rows
#
#   -v which=rules    order SWITCH ROW... and bound SWITCH ROW...
#   -v which=probes   PROBE GROUP
#   -v which=efforts  NAME BUDGET MPI ROUNDS LEAVES

BEGIN {
  table_read(ARGV[1])
  if (which == "rules") for (i = 1; i <= rule_count; i++) print rules[i]
  else if (which == "probes") for (i = 1; i <= probe_count; i++) print probes[i], group[probes[i]]
  else if (which == "efforts") for (name in effort) print name, effort[name]
  else answer_ask(ask)
  exit
}
END { if (dead) exit 1 }

function answer_ask(fields,  n, i, j, list, text) {
  n = split(fields, list, /[ ,]+/)
  for (i = 1; i <= row_count; i++) {
    if (which == (model[rows[i]] == "" ? "derived" : "measured")) continue
    text = ""
    for (j = 1; j <= n; j++) text = text (j > 1 ? "\t" : "") ask_field(rows[i], list[j])
    print text
  }
}

function ask_field(row, name) {
  if (name == "macro") return toupper(row)
  if (name == "value") return row
  if (name == "probe") return probe[row]
  if (name == "unit") return unit[row]
  if (name == "low") return low[row]
  if (name == "high") return high[row]
  if (name == "fallback") return fallback[row]
  if (name == "reported") return reported[row]
  if (name == "kind") return kind[row]
  if (name == "beside") return beside[row]
  if (name == "left") return left[row] ? left[row] : ""
  if (name == "model") return model[row]
  if (name == "spare") return spare[row]
  if (name == "group") return group[probe[row]]
  if (name == "level") return table_level(toupper(row), probe[row])
  if (name == "batch") return batch[row]
  if (name == "stage") return stage[row]
  if (name == "line") return on_line[row]
  if (name == "depends") return depends[row]
  if (name == "star") return star[row] ? "yes" : ""
  if (name == "never") return never[row]
  if (name == "paper") return paper[row]
  if (name == "title") return title[row]
  if (name == "reads") return reads[row]
  if (name == "needs") return needs[probe[row]]
  die("ask: " name ": no such field")
}
