# SPDX-License-Identifier: MIT
# The table of parameters, probes/params.def, as arrays.
#
# table_read FILE fills them. A row is named by its value, l1_bytes, as in hw_cv_l1_bytes; rows[1 .. row_count]
# are all of them in the order of the table, row_at[row] its place there, and macro(row) is HW_L1_BYTES.
#
#   probe unit low high fallback reported paper title   its fields, as the head of params.def has them
#   kind      exact, cycles or range; beside: hundredths of a cycle, of cycles
#   model     the model that it follows from, or nothing if it is measured
#   spare     the model that computes it if it could not be measured, or nothing
#   reads     the rows that its model reads
#   star      1 if programs rely on it: it has a default
#   only      json if hwconfig.json alone has it
#   depends   what it depends on beside the processor
#   stage     the number of the stage in which it is measured
#   batch     its probe, or the group of probes that share generated code
#   left      out, unless it is named, by: 1 all efforts but a thorough one, 2 a brief one
#   on_line   the number of its line of the terminal
#   never     why it is never known
#   stands    the row that its default follows from
#
#   probes[1 .. probe_count], group[PROBE], needs[PROBE], group_rows[GROUP], group_names, line_title[N], line_items[N], line_rows[N], effort[NAME],
#   lists[1 .. list_count], list_row[LIST], ranged[1 .. ranged_count] (rows with a range),
#   absent     rows and lists that only the whole table has
#   rules[1 .. rule_count] ("order SWITCH ROWS", "bound SWITCH ROWS"), shapes, claims, none_rules
#
# A bad line stops with its file and number.

function table_read(file,  line, name, n, fields, got) {
  while ((got = (getline line < file)) > 0) {
    table_at = file ":" ++n
    if (line !~ /^HW_[A-Z]+\(.*\)$/) continue
    name = substr(line, 4, index(line, "(") - 4)
    line = substr(line, index(line, "(") + 1)
    fields = split(substr(line, 1, length(line) - 1), field, / *, */)
    if (name == "PROBE") table_probe(fields)
    else if (name == "MODEL") table_model(fields)
    else if (name == "PARAM" || name == "DERIVED") table_param(name, fields)
    else table_rest(name, fields)
  }
  close(file)
  if (got < 0) die(file ": no such file")
  if (!row_count) die(file ": there is no row")
  table_at = file
  table_complete()
}

function die(text) {
  if (!dead) print text > "/dev/stderr"
  dead = 1
  exit 1
}

function table_bad(text) { die(table_at ": error: " text) }

function table_fields(what, fields, due) {
  if (fields != due) table_bad(what ": " fields " fields instead of " due)
}

function table_match(what, text, matches) {
  if (!matches) table_bad(what ": bad field \"" text "\"")
}

function table_once(what, name) {
  if (name in table_seen) table_bad(what " stands there already")
  table_seen[name]
}

# Each of these values is a row, or none.
function table_there(what, values,  n, i, list) {
  n = split(values, list, " ")
  for (i = 1; i <= n; i++)
    if (list[i] != "none" && !(list[i] in title)) table_bad(what ": no row " list[i] " stands above it")
}

function table_probe(fields,  what, n, i, list) {
  what = "HW_PROBE(" field[1] ")"
  table_fields(what, fields, 3)
  table_match(what ": name", field[1], field[1] ~ /^[a-z][a-z0-9_]*$/)
  table_match(what ": group", field[2], field[2] ~ /^[A-Z][A-Z0-9_]*$/)
  table_once(what ": probe", "probe " field[1])
  group[field[1]] = field[2]
  if (!model_line) probes[++probe_count] = field[1]
  if (field[3] == "none") return
  needs[field[1]] = field[3]
  n = split(field[3], list, " ")
  for (i = 1; i <= n; i++)
    if (!(list[i] in group)) table_bad(what ": needs " list[i] ", which is not declared above it")
}

function table_model(fields) {
  table_fields("HW_MODEL(" field[1] ")", fields, 2)
  field[3] = "none"
  model_line = 1
  table_probe(3)
  model_line = 0
  is_model[field[1]]
}

function table_param(name, fields,  what, row, level) {
  what = "HW_" name "(" field[1] ")"
  table_fields(what, fields, 10)
  table_match(what ": macro", field[1], field[1] ~ /^[A-Z][A-Z0-9_]*$/)
  table_match(what ": value", field[3], field[3] ~ /^[a-z][a-z0-9_]*$/)
  table_match(what ": low", field[5], field[5] ~ /^(0|[1-9][0-9]*)$/)
  table_match(what ": high", field[6], field[6] ~ /^[1-9][0-9]*$/)
  table_match(what ": fallback", field[7], field[7] ~ /^(none|json|0|[1-9][0-9]*)$/)
  table_match(what ": reported", field[8], field[8] ~ /^[A-Za-z0-9_]+$/)
  table_match(what ": unit, paper or title", field[4] field[9] field[10], field[4] field[9] field[10] ~ /^[A-Za-z0-9 .:;\/%()+*=<>-]+$/)
  table_once(what ": macro", "row " tolower(field[1]))
  if (toupper(field[3]) != field[1]) table_bad(what ": value: not the macro in lower case")
  if (name == "DERIVED" && !(field[2] in is_model)) table_bad(what ": no HW_MODEL(" field[2] ", ...) stands above it")
  if (!(field[2] in group)) table_bad(what ": no HW_PROBE(" field[2] ", ...) stands above it")
  row = rows[++row_count] = field[3]
  row_at[row] = row_count
  probe[row] = field[2]; unit[row] = field[4]; low[row] = field[5]; high[row] = field[6]
  fallback[row] = field[7]; reported[row] = field[8]
  paper[row] = field[9] == "none" ? "" : field[9]; title[row] = field[10]
  kind[row] = "exact"
  model[row] = field[2] in is_model ? field[2] : ""
  star[row] = field[7] ~ /^[0-9]/
  only[row] = field[7] == "json" ? "json" : ""
  batch[row] = group[field[2]] ~ /^(INSTRUCTIONS|REGISTERS)$/ ? group[field[2]] : field[2]
  table_member(group[field[2]], row)
  level = table_level(field[1], field[2])
  if (level != "") table_member(level, row)
}

function table_member(name, row) {
  if (!(name in group_rows)) group_names = group_names (group_names == "" ? "" : " ") name
  group_rows[name] = group_rows[name] (group_rows[name] == "" ? "" : " ") row
}

# The group within CACHES that a row belongs to, of a level what HW_CHECK_L1 has of the first; or nothing.
function table_level(name, of) {
  if (of != "levels" && of != "colours") return ""
  if (name ~ /^L1_EFF/) return "L1"
  if (name ~ /^(HAVE_)?L2/) return "L2"
  return name ~ /^(HAVE_)?L3/ ? "L3" : ""
}

function table_rest(name, fields,  what) {
  what = "HW_" name "(" field[1] ")"
  if (name == "CYCLES") {
    table_fields(what, fields, 2)
    table_match(what ": beside", field[2], field[2] ~ /^(0|[1-9][0-9]*)$/)
    table_kind(what, "cycles")
  } else if (name == "RANGE") {
    table_fields(what, fields, 1)
    table_kind(what, "range")
  } else if (name == "NEVER") {
    table_fields(what, fields, 2)
    table_there(what, field[1])
    table_match(what ": reason", field[2], field[2] ~ /^[A-Za-z0-9 .:;-]+$/)
    never[field[1]] = field[2]
  } else if (name == "STANDS") {
    table_fields(what, fields, 2)
    table_there(what, field[1] " " field[2])
    stands[field[1]] = field[2]
  } else if (name == "NONE") table_none(what, fields)
  else if (name == "READS") {
    table_fields(what, fields, 2)
    table_there(what, field[1] " " field[2])
    table_once(what ": row", "reads of " field[1])
    reads[field[1]] = field[2]
  } else if (name == "ELSE") table_else(what, fields)
  else if (name == "LINE") table_line(what, fields)
  else if (name == "ORDER" || name == "BOUND") {
    table_fields(what, fields, 2)
    table_there(what, field[1] " " field[2])
    rules[++rule_count] = tolower(name) " " field[2] " " field[1]
  } else if (name == "SHAPE") {
    table_fields(what, fields, 1)
    table_there(what, field[1] "_sets " field[1] "_assoc " field[1] "_line " field[1] "_bytes")
    shapes = shapes " " field[1]
  } else if (name == "REPORTED") {
    table_fields(what, fields, 3)
    table_there(what, field[1] " " field[2] " " field[3])
    table_once(what ": row", "reported of " field[1])
    claims[++claim_count] = field[1] " " field[2] " " field[3]
  } else table_runs(name, what, fields)
}

function table_kind(what, to,  n, i, list) {
  table_there(what, field[1])
  n = split(field[1], list, " ")
  for (i = 1; i <= n; i++) {
    table_once(what ": " list[i], "kind of " list[i])
    kind[list[i]] = to
    beside[list[i]] = field[2]
  }
}

function table_else(what, fields,  n, i, list) {
  table_fields(what, fields, 2)
  table_there(what, field[1])
  if (!(field[2] in is_model)) table_bad(what ": no HW_MODEL(" field[2] ", ...) stands above it")
  n = split(field[1], list, " ")
  for (i = 1; i <= n; i++) {
    table_once(what ": row " list[i], "else of " list[i])
    spare[list[i]] = field[2]
  }
}

# A name that ends with a star stands for all rows that begin so.
function table_none(what, fields,  n, i, j, list, stem) {
  table_fields(what, fields, 3)
  table_there(what, field[2])
  table_match(what ": from", field[3], field[3] ~ /^[1-9][0-9]*$/)
  n = split(field[1], list, " ")
  for (i = 1; i <= n; i++) {
    if (list[i] !~ /\*$/) {
      table_there(what, list[i])
      none_rules[list[i]] = none_rules[list[i]] field[2] " " field[3] " "
      continue
    }
    stem = substr(list[i], 1, length(list[i]) - 1)
    for (j = 1; j <= row_count; j++)
      if (index(rows[j], stem) == 1) none_rules[rows[j]] = none_rules[rows[j]] field[2] " " field[3] " "
  }
}

function table_line(what, fields,  n, i, m, j, list, item, some) {
  table_fields(what, fields, 2)
  table_match(what ": title", field[1], field[1] ~ /^[A-Za-z0-9 -]+$/)
  table_match(what ": items", field[2], field[2] ~ /^[A-Za-z0-9 ._*\/;-]+$/)
  line_title[++line_count] = field[1]
  line_items[line_count] = field[2]
  n = split(field[2], list, / *; */)
  for (i = 1; i <= n; i++) {
    if (!match(list[i], /\*[a-z0-9_\/]+/)) table_bad(what ": no row is in \"" list[i] "\"")
    m = split(substr(list[i], RSTART + 1, RLENGTH - 1), some, "/")
    for (j = 1; j <= m; j++) {
      table_there(what, some[j])
      table_once(what ": row " some[j], "line of " some[j])
      line_rows[line_count] = line_rows[line_count] (line_rows[line_count] == "" ? "" : " ") some[j]
      on_line[some[j]] = line_count
    }
  }
}

function table_runs(name, what, fields,  n, i, list) {
  n = split(field[1], list, " ")
  if (name == "STAGE") {
    table_fields(what, fields, 1)
    stage_count++
    for (i = 1; i <= n; i++) {
      if (!(list[i] in group)) table_bad(what ": no HW_PROBE(" list[i] ", ...) stands above it")
      table_once(what ": " list[i], "stage of " list[i])
      stage_of[list[i]] = stage_count
    }
  } else if (name == "DEPENDS") {
    table_fields(what, fields, 2)
    table_match(what ": what", field[2], field[2] ~ /^(none|compiler|(compiler )?processors)$/)
    for (i = 1; i <= n; i++) {
      if (!(list[i] in group) && !(list[i] in title)) table_bad(what ": no probe and no row " list[i] " stands above it")
      table_once(what ": " list[i], "depends " list[i])
      depends_of[list[i]] = field[2]
    }
  } else if (name == "EFFORT") {
    table_fields(what, fields, 10)
    table_match(what ": name", field[1], field[1] ~ /^[a-z]+$/)
    table_match(what ": budget", field[2], field[2] ~ /^(none|[1-9][0-9]*)$/)
    table_match(what ": seconds and rounds", field[3] field[4], field[3] field[4] ~ /^[1-9][0-9]*$/)
    effort[field[1]] = (field[2] == "none" ? "-" : field[2]) " " field[3] " " field[4] " " field[10]
  } else if (name ~ /^(BRIEF|RARE)$/) {
    table_fields(what, fields, 1)
    left_of[field[1]] = name == "RARE" ? 1 : 2
  } else if (name == "SUMMARY") {
    table_fields(what, fields, 1)
    table_there(what, field[1])
    shown_rows = shown_rows " " field[1]
  } else if (name == "ABSENT") {
    for (i = 1; i <= n; i++) absent[list[i]]
  } else if (name == "LIST") {
    table_fields(what, fields, 4)
    table_match(what ": list", field[2], field[2] ~ /^[a-z][a-z0-9_]*$/)
    table_once(what ": list", "list " field[2])
    lists[++list_count] = field[2]
    list_row[field[2]] = tolower(field[3])
    known_list[field[2]]
  } else table_bad("HW_" name ": no such line")
}

# What follows from lines below the rows.
function table_complete(  i, row) {
  for (i = 1; i <= row_count; i++) {
    row = rows[i]
    if (row in depends_of) depends[row] = depends_of[row]
    else if (probe[row] in depends_of) depends[row] = depends_of[probe[row]]
    else table_bad("HW_PROBE(" probe[row] "): no HW_DEPENDS names it")
    if (model[row] == "" && !(probe[row] in stage_of)) table_bad("HW_PROBE(" probe[row] "): no HW_STAGE names it")
    stage[row] = model[row] == "" ? stage_of[probe[row]] : stage_count + 1
    left[row] = probe[row] in left_of ? left_of[probe[row]] : 0
    if (kind[row] == "exact") continue
    ranged[++ranged_count] = row
    known_list[row "_range"]
  }
}

function macro(row) { return "HW_" toupper(row) }

# Whether A is larger. All that a row can have is exact in a number of awk.
function above(a, b) { return a + 0 > b + 0 }

# Why a row cannot have that number, or nothing.
function illegal(row, text) {
  if (text ~ /\r$/) return "a carriage return is at its end"
  if (text == "" || text ~ /^0./ || text ~ /[^0-9]/) return "not a whole number in decimal"
  if (!above(low[row], text) && !above(text, high[row])) return ""
  return unit[row] == "0/1" ? "neither 0 nor 1" : "out of range, " low[row] " to " high[row] " " unit[row]
}

# Why a text is no range, or no list of groups, or nothing.
function no_list(name, text) {
  if (name ~ /_range$/)
    return text ~ /^(0|[1-9][0-9]*):(0|[1-9][0-9]*)$/ ? "" : "not a range, as 429:495"
  return text ~ /^[0-9]+([,\/][0-9]+)*$/ ? "" : "not a list of groups of processors, as 0,1/2,3"
}

function listed(name) { return name in known_list }
