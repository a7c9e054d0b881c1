# SPDX-License-Identifier: MIT
# The program of the table of parameters: which rows are asked for and in which order, which value of each counts, which
# values contradict each other, which follow from others, and what is printed and written.
#
#   awk -f table.awk -f near.awk -f begin.awk -f values.awk -f lines.awk -f files.awk -f summary.awk -f sizes.awk \
#     -f steps.awk TABLE <STATE
#
# STATE (see values.awk) names a step: "step NAME". It prints shell for configure to evaluate: variables, calls of
# hw_fn_notice, hw_fn_warn, hw_fn_error, hw_fn_log, hw_fn_logged and hw_fn_line, and of hw_fn_keep and hw_fn_note with
# what is new of the state, or of that of a check.
#
#   begin      checks what was given (begin.awk)
#   recall     takes from the cache of this machine, option cache-file, what is nowhere else
#   drop       forgets values of another machine, compiler or set of processors: "option drop WHAT KIND"
#   plan       hw_plan and hw_ask: which rows of option check are checked and measured, in order
#   lines      says what is known of these so far; "option final yes" also of what is not
#   models     hw_inputs, what a model reads
#   values     sets HW_ROW and HW_ROW_SRC
#   settle     the summary, and the values among the arguments of configure, hw_arguments
#   write      the files, in the folder option out
#   remember   prints the cache of this machine

BEGIN {
  table_read(ARGV[1])
  ARGV[1] = "-"
  ARGC = 2
}

{ state_read($0) }

END {
  if (dead) exit 1
  step(option["step"])
}

function step(name) {
  if (name == "begin") begin()
  else if (name == "recall") step_recall()
  else if (name == "drop") step_drop(option["drop"])
  else if (name == "write") step_write()
  else if (name == "remember") cache_write()
  else {
    resolve_all()
    if (name == "plan") step_plan()
    else if (name == "lines") step_lines()
    else if (name == "missing") step_missing()
    else if (name == "arguments") { settle(); print_arguments() }
    else if (name == "models") step_models()
    else if (name == "values") step_values()
    else if (name == "sizes") step_sizes()
    else if (name == "settle") step_settle()
    else die("step " name ": there is none")
  }
}

# ---- What is printed for the shell.

function quote(text) { gsub(/'/, "'\\''", text); return "'" text "'" }
function set(name, text) { print name "=" quote(text) }
function keep(line) { print "hw_fn_keep " quote(line) }
function keep_now(line) { print "hw_fn_note " quote(line) }
function notice(text) { print "hw_fn_notice " quote(text) }
function log_line(text) { print "hw_fn_log " quote(text) }
function fail(text) { print "hw_fn_error " quote(text) }

# Once.
function warn(text) {
  if (text in told) return
  told[text]
  print "hw_fn_warn " quote(text)
  keep("told " text)
}

# What whoever configures a package around need not know stands in config.log.
function remark(text) {
  if (option["quiet"] == "yes") log_line(text)
  else warn(text)
}

# ---- What is not of here.

function step_recall(  i, row, text) {
  if (!cache_read(option["cache-file"])) {
    notice("hwconfig: " option["cache-file"] " is damaged and not used")
    return
  }
  for (i = 1; i <= row_count; i++) {
    row = rows[i]
    if (!recalls(row) || row in cached || row in profile) continue
    if (kept[row] !~ /^unknown /) { take_cached(row, kept[row], 7, ""); continue }
    text = substr(kept[row], 9)
    take_cached(row, "unknown", substr(text, 1, index(text " ", " ") - 1), substr(text, index(text " ", " ") + 1))
  }
  for (i = 1; i <= list_count; i++)
    if (recalls(lists[i]) && !(lists[i] in list_of) && !(lists[i] in profile_list)) take_list(lists[i], kept[lists[i]])
  for (i = 1; i <= ranged_count; i++)
    if (recalls(ranged[i] "_range") && kept[ranged[i]] == cached[ranged[i]]) take_range(ranged[i], kept[ranged[i] "_range"])
}

function recalls(name) {
  if (!(name in kept)) return 0
  keep("kept " name " " kept[name])
  return 1
}

function take_cached(row, text, src, why) {
  cached[row] = text; from[row] = src; cached_why[row] = why
  set("hw_cv_" row, text)
  set("hw_cv_" row "_src", src)
  keep("cached " row " " text)
  keep("from " row " " src)
  if (text == "unknown") {
    set("hw_cv_" row "_why", why)
    keep("why " row " " why)
  }
}

function take_range(row, text) {
  set("hw_cv_" row "_range", text)
  keep("range " row " " text)
}

function take_list(name, text) {
  set("hw_cv_" name, text)
  keep("list " name " " text)
}

# step_drop "profile compiler": drops the values of a profile that depend on the compiler. "cached all": all values. "profile processors",
# "cached processors": values that depend on the set of processors: all, if there are several kinds of processors, since
# a single thread ran on one kind. "cached again": values measured before count as recalled.
# hw_left: profile compiler: whether anything is left; processors: whether anything went.
function step_drop(what,  kind_of, i, row, left, which) {
  kind_of = what
  sub(/ .*/, "", kind_of)
  which = substr(what, length(kind_of) + 2)
  for (i = 1; i <= row_count; i++) {
    row = rows[i]
    if (which == "again") {
      if (from[row] == 5 && row in cached) { set("hw_cv_" row "_src", 7); keep("from " row " 7") }
    } else if (which == "compiler" && !drops(row, kind_of, which)) {
      if (row in profile) left = "yes"
    } else if (drops(row, kind_of, which) && drop_row(row, kind_of, which) && which != "compiler") left = "yes"
  }
  for (i = 1; i <= list_count; i++) {
    row = lists[i]
    if (which == "again" || !drops(list_row[row], kind_of, which)) continue
    if (kind_of == "profile" && row in profile_list) { if (which != "compiler") left = "yes"; keep("profile-list " row) }
    if (kind_of == "cached" && row in list_of) { left = "yes"; take_list(row, "") }
  }
  set("hw_left", left)
}

function drops(row, kind_of, which,  kinds) {
  if (which == "all") return 1
  if (which == "compiler") return depends[row] ~ /^compiler/
  kinds = kind_of == "profile" ? profile["cpu_kinds"] : cached["cpu_kinds"]
  return option["mixed"] == "yes" || kinds ~ /^[2-9]/ || kinds ~ /../ || depends[row] ~ /processors$/
}

function drop_row(row, kind_of, which) {
  if (kind_of == "profile") {
    if (row in profile_unknown) keep("profile-unknown " row)
    if (row in profile) keep("profile " row)
    return row in profile
  }
  if (!(row in cached) && !(row in cached_range)) return 0
  set("hw_cv_" row, "")
  set("hw_cv_" row "_src", "")
  keep("cached " row)
  if (row in cached_range && which == "all") take_range(row, "")
  return row in cached
}

# ---- A check.

# The rows that option check names: values in lower case, groups in upper case, or all.
function check_plan(  n, i, m, j, last, list, some) {
  split("", wanted_rows)
  m = 0
  n = split(option["check"] == "all" ? "" : option["check"], list, " ")
  for (i = 1; i <= n; i++) {
    if (list[i] in title) {
      wanted_rows[++m] = list[i]
      by_name[list[i]]
      if (left[list[i]] == 1 && !(list[i] in named)) { named[list[i]]; keep("named " list[i]) }
      continue
    }
    if (!(list[i] in group_rows)) die("no parameter is in the group " list[i])
    last = split(group_rows[list[i]], some, " ")
    for (j = 1; j <= last; j++) wanted_rows[++m] = some[j]
  }
  if (option["check"] == "all") for (i = 1; i <= row_count; i++) wanted_rows[++m] = rows[i]
  plan(m)
}

# hw_ask has the rows to measure, as macros, those of MPI apart in hw_ask_mpi; hw_last the last of each
# stage; hw_compiled what the program has to measure (see hw_fn_choose in probes/build.sh).
function step_plan(  i, row, text, models) {
  check_plan()
  for (i = 1; i <= plan_count; i++) {
    row = plan_rows[i]
    if (!(row in seen)) { keep("seen " row); resolve(row) }
    if (result[row] != "") continue
    if (awaits(row) == "") plan_ask(row)
    if (model[row] spare[row] != "") models = model[row] spare[row]
    if (reported[row] != "none" && !(reported[row] in reports)) wants_report[reported[row]]
  }
  set("hw_ask", ask_text)
  set("hw_ask_mpi", ask_mpi)
  for (i = 1; i <= stage_count; i++) if (i in ask_last) text = text " " ask_last[i]
  set("hw_last", text)
  text = ""
  set("hw_model", models)
  set("hw_compiled", plan_compiled())
  plan_claims()
  for (row in wants_report) text = text " " row
  set("hw_getconf", text)
}

# The rows that may still be asked for, if these are not all; with the clock, since none is all.
function plan_compiled(  i, text) {
  if (!wanted_count && option["leaves"] == 1) return ""
  text = "CLOCK"
  for (i = 1; i <= row_count; i++) {
    if (!is_needed(rows[i]) || model[rows[i]] != "") continue
    if (!(rows[i] in seen)) resolve(rows[i])
    if (result[rows[i]] == "" && awaits(rows[i]) == "") text = text " " macro(rows[i])
  }
  return text
}

function plan_ask(row) {
  if (probe[row] == "mpi") { ask_mpi = ask_mpi " " macro(row); return }
  ask_text = ask_text " " macro(row)
  ask_last[stage[row]] = macro(row)
}

# What the system reports is asked for if it may stand in.
function plan_claims(  i, j, n, list) {
  if (option["unknown"] == "strict" || option["idle"] != "") return
  for (i = 1; i <= claim_count; i++) {
    n = split(claims[i], list, " ")
    if (!(list[1] in seen) && !(list[1] in plan_here)) continue
    for (j = 1; j <= n; j += 2)
      if (list[j] != "none" && !(reported[list[j]] in reports)) wants_report[reported[list[j]]]
  }
}

function step_lines(  i, row, list, name) {
  check_plan()
  for (i = 1; i <= plan_count; i++) {
    row = plan_rows[i]
    if (row in answered && is_wanted(row) && value[row] != "" && report(row) != "" && value[row] != report(row))
      late_warn(row, title[row] " (" unit[row] "): measured " value[row] ", the system reports " report(row) "; the measured one stands")
  }
  lines(option["final"] == "yes")
  if (option["final"] != "yes") return
  for (i = 1; i <= plan_count; i++) {
    row = plan_rows[i]
    if (row in answered) answer_taken(row)
    if (row in dropped_range) take_range(row, "")
    if (value[row] == "" && is_wanted(row)) plan_all = 0
  }
  if ("cpu_kinds" in answered) answer_taken("cpu_kinds")
  for (name in list_said) take_list(name, list_said[name])
  set("hw_all", plan_all ? "yes" : "no")
  if (option["values"] != "") step_values()
}

# A line of the probes' program: "HW_X = 1", before that "# HW_X range 1 2" and "HW_X_GROUPS = 0,1 2,3"; or
# "# HW_X unknown: why". What is said later counts.
function answer_read(line,  word, row, text, why) {
  split(line, word, " ")
  row = tolower(substr(word[word[1] == "#" ? 2 : 1], 4))
  text = substr(line, length(word[word[1] == "#" ? 2 : 1]) + 4)
  if (word[1] != "#" && row in title) {
    answered[row]
    why = illegal(row, text)
    if (why != "") late_warn(row, macro(row) ": measured " text ": " why)
    answer_row(row, why == "" ? text : "unknown", why)
  } else if (row in title && text ~ /^range /) {
    split(text, word, " ")
    if (no_list(row "_range", word[2] ":" word[3]) == "") next_range = word[2] ":" word[3]
  } else if (row in title && text ~ /^unknown: /) {
    answered[row]
    answer_row(row, "unknown", substr(text, 10))
  } else if (listed(row) && row ~ /_groups$/) {
    gsub(/ /, "/", text)
    if (no_list(row, text) == "") list_said[row] = list_of[row] = text
  }
}

function answer_row(row, text, why) {
  if (why == "its code was not compiled" && option["ungenerated"] != "") why = option["ungenerated"]
  if (why == "the budget is spent" && option["stopped"] != "") why = option["stopped"]
  cached[row] = text
  from[row] = text == "unknown" ? option["manner"] : 5
  cached_why[row] = why
  if (row in cached_range) had_range[row]
  delete cached_range[row]
  if (next_range != "" && text != "unknown") cached_range[row] = next_range
  next_range = ""
}

# The rows of option asked that the program has not told: those of the batch that it was at are unknown for the reason of
# option ended, and later ones for the reason of option after; without that they are asked for again, in hw_list.
function step_missing(  n, i, list, row, at, rest) {
  n = split(tolower(option["asked"]), list, " ")
  for (i = 1; i <= n; i++) {
    row = substr(list[i], 4)
    if (row in answered) continue
    if (at == "") at = batch[row]
    if (batch[row] == at || option["after"] != "")
      keep_now("# " macro(row) " unknown: " (batch[row] == at ? option["ended"] : option["after"]))
    else rest = rest " " macro(row)
  }
  set("hw_list", rest)
}

function answer_taken(row) {
  take_cached(row, cached[row], from[row], cached_why[row])
  if (kind[row] != "exact" && (cached_range[row] != "" || row in had_range)) take_range(row, cached_range[row])
}

# ---- Models: what they read, after what contradicts itself is gone. A row of theirs that is given, or stands in a
# profile, is among it.

function step_models(  i, row, text) {
  agree()
  follow()
  for (i = 1; i <= row_count; i++) {
    row = rows[i]
    if (model[row] spare[row] != "") {
      text = text "most " toupper(row) " " high[row] "\n"
      if (!(row in seen)) resolve(row)
    }
    if (value[row] != "") text = text toupper(row) " " value[row] "\n"
  }
  set("hw_inputs", text)
}

# What a model said: as what the probes say.
function model_read(line,  word, row) {
  split(line, word, " ")
  row = tolower(substr(word[word[1] == "#" ? 2 : 1], 4))
  if (!(row in title)) return
  if (word[1] == "#") no_model[row] = substr(line, length(word[2]) + 13)
  else if (illegal(row, word[3]) == "") modelled[row] = word[3]
  else no_model[row] = "no answer"
}

# ---- The end.

function settle() {
  agree()
  follow()
  claim()
}

# HW_ROW and HW_ROW_SRC of the rows that were checked, or follow from these.
function step_values(  i, row) {
  settle()
  for (i = 1; i <= row_count; i++) {
    row = rows[i]
    if (row in seen || value[row] != "") print_value(row)
  }
}

function print_value(row) {
  if (option["unwanted"] == "gone" && !is_wanted(row)) print macro(row) "= " macro(row) "_SRC="
  else print macro(row) "=" value[row] " " macro(row) "_SRC=" source[row]
}

# If macros of a package have checked some rows, these are what it asks for: another branch of its configure may
# have checked all.
function narrow(  n, i, m, j, list, some) {
  if (option["parent"] == "" || option["rows-from"] == "" && wanted_count || checked == "" || checked ~ / all( |$)/) return
  option["rows"] = ""
  split("", wanted)
  wanted_count = 0
  n = split(checked, list, " ")
  for (i = 1; i <= n; i++) {
    if (!index(" " option["rows"] " ", " " toupper(list[i]) " ")) option["rows"] = joined(option["rows"], toupper(list[i]), " ")
    m = list[i] in title ? split(list[i], some, " ") : split(group_rows[list[i]], some, " ")
    for (j = 1; j <= m; j++) { wanted[some[j]]; wanted_count++ }
  }
  for (i = 1; i <= seen_count; i++) needed[seen_rows[i]]
}

function step_settle(  i) {
  narrow()
  settle()
  option["unwanted"] = "gone"
  for (i = 1; i <= row_count; i++) print_value(rows[i])
  count_rows()
  print_arguments()
  summary()
}

function step_write() {
  narrow()
  resolve_all()
  settle()
  about_read()
  write_header(option["out"] "/hwconfig.h", option["template"])
  write_mk(option["out"] "/hwconfig.mk")
  write_json(option["out"] "/hwconfig.json")
  write_site(option["out"] "/hwconfig.site")
}

# Adds the values to the arguments that config.status --recheck repeats: one argument of them all, since configure calls
# expr twice for each, and those that were given by a variable.
function print_arguments(  i, text, more) {
  for (i = 1; i <= row_count; i++) {
    if (!is_needed(rows[i])) continue
    if (source[rows[i]] == 3) more = more (rows[i] in environment ? " " quote(macro(rows[i]) "=" value[rows[i]]) : "")
    else text = text argument_of(rows[i])
  }
  if (text != "") more = more " " quote("hw_cv_values=" text)
  for (i = 1; i <= list_count; i++) if (list_text(lists[i]) != "") more = more " " quote("hw_cv_" lists[i] "=" list_text(lists[i]))
  set("hw_arguments", more)
}

# What a model has computed is computed again, and what this effort leaves out is left out again.
function argument_of(row,  text) {
  if (model[row] != "" && source[row] ~ /^4?$/ || source[row] == "" && is_left_out(row)) return ""
  if (source[row] == "" || source[row] == 6 || (spare[row] != "" && source[row] == 4)) {
    if (reason[row] != "not measured") text = row "_why=" reason[row] "|"
    return text row "=unknown|" row "_src=" option["manner"] "|"
  }
  text = row "=" value[row] "|" row "_src=" (source[row] == 5 ? from[row] : source[row]) "|"
  return span[row] == "" ? text : text row "_range=" span[row] "|"
}
