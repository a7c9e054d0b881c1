# SPDX-License-Identifier: MIT
# What configure was given: arguments, variables, the cache, a profile, and which rows are asked for. Whatever of it is
# bad is an error of one line.

function begin() {
  begin_settings()
  begin_effort()
  begin_options()
  begin_arguments()
  begin_values()
  begin_legal()
  if (option["profile"] != "") begin_profile(option["profile"])
  begin_select()
}

# begin_like NAME AS PATTERN SAYS: option NAME, if it is given, matches the pattern.
function begin_like(name, as, pattern, says) {
  if (name in option && option[name] !~ pattern) fail(as "=" option[name] ": " says)
}

function begin_settings(  n, i, list, ends) {
  begin_like("measure", "--enable-hw-measure", "^(yes|no)$", "not yes or no")
  begin_like("enable-fingerprint", "--enable-hw-fingerprint", "^(yes|no)$", "not yes or no")
  if (option["budget"] != "") {
    begin_like("budget", "--with-hw-budget", "^[0-9]+([.][0-9]+)?$", "not a number of seconds")
    begin_like("budget", "--with-hw-budget", "[1-9]", "no time at all")
  }
  begin_like("cache", "--with-hw-cache", "^(yes|no|/.*|.:[\\\\/].*)$", "not yes, no or the absolute name of a folder")
  begin_like("prefix", "--with-hw-prefix", "^[A-Za-z][A-Za-z0-9_]*$", "not letters, digits and underscores after a letter, as FOO_")
  if (option["prefix"] ~ /^(yes|no)$/) begin_like("prefix", "--with-hw-prefix", "^$", "not letters, digits and underscores after a letter, as FOO_")
  if (option["cpus"] != "") begin_like("cpus", "--with-hw-cpus", "^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$", "not a list of processors as 0,2-3")
  n = split(option["cpus"], list, ",")
  for (i = 1; i <= n; i++)
    if (length(list[i]) > 9 || split(list[i], ends, "-") == 2 && ends[1] + 0 > ends[2] + 0)
      begin_like("cpus", "--with-hw-cpus", "^$", "not a list of processors as 0,2-3")
  begin_like("unknown", "--with-hw-unknown", "^(strict|reported|default)$", "not strict, reported or default")
  begin_like("hwloc", "--with-hw-hwloc", "^(yes|no)$", "not yes or no")
  begin_like("mpi", "--with-hw-mpi", "^(yes|no|[1-9]|[1-9][0-9]|[1-9][0-9][0-9]|10[01][0-9]|102[0-4])$", "not yes, no or a number of processes from 1 to 1024")
}

# The efforts are lines of the table.
function begin_effort(  list) {
  if (!(option["effort"] in effort)) {
    fail("--with-hw-effort=" option["effort"] ": not quick, default or thorough")
    return
  }
  split(effort[option["effort"]], list, " ")
  set("hw_effort_budget", list[1] == "-" ? "" : list[1])
  set("hw_effort_mpi", list[2])
  set("hw_effort_rounds", list[3])
  keep("option leaves " list[4])
}

# Whether this configure, or the one of the package around it, has declared a variable, or an option as with_hw_effort.
function begin_declared(name) { return index(" " option["declared"] " ", " " name " ") }

# A mistake, unless a package around this one means it: what that has declared is not known.
function begin_mistake(text) {
  if (option["below"] != "") warn(text)
  else fail(text)
}

# Options that look like ours and do not exist: below another package, whose configure hands all that it is given down,
# no other package says so.
function begin_options(  n, i, list, name, hint) {
  if (option["parent"] != "") return
  n = split(option["unrecognized"], list, /[, ]+/)
  for (i = 1; i <= n; i++) {
    if (list[i] !~ /^--(with|without|enable|disable)-hw-/) continue
    name = list[i]
    sub(/^--without/, "--with", name)
    sub(/^--disable/, "--enable", name)
    gsub(/-/, "_", name)
    if (begin_declared(substr(name, 3))) continue
    sub(/^__[a-z]*_hw_/, "", name)
    gsub(/_/, "-", name)
    hint = near(name, option["options"])
    if (hint == "") continue
    name = hint
    sub(/^.* mean /, "", name)
    sub(/\?$/, "", name)
    if (index(" " option["with-options"] " ", " " name " ")) name = "--with-hw-" name
    else name = (list[i] ~ /^--disable/ ? "--disable-hw-" : "--enable-hw-") name
    begin_mistake(list[i] ": no such option; did you mean " name "?")
  }
}

# Arguments HW_NAME=VALUE and hw_cv_NAME=VALUE that name no row. Other packages may have names of their own that begin
# so: a name that is near to a name of ours, and is not declared, is meant for us.
function begin_arguments(  i, name, stem, words) {
  for (i = 1; i <= argument_count; i++) {
    name = arguments[i]
    if (name ~ /^hw_cv_(fingerprint|processors|values)$/) continue
    if (name ~ /^hw_cv_.*_(groups|range)$/ && listed(substr(name, 7))) continue
    stem = name
    sub(/_(src|why)$/, "", stem)
    if (tolower(substr(stem, 4)) in title && stem == macro(substr(stem, 4))) continue
    if (substr(stem, 7) in title && stem ~ /^hw_cv_/) continue
    if (begin_absent(stem ~ /^HW_/ ? tolower(substr(stem, 4)) : substr(stem, 7))) continue
    if (words == "") words = begin_words("HW_", "hw_cv_")
    stem = begin_declared(name) ? "" : near(name, words)
    if (stem != "") begin_mistake(name ": " (option["parent"] == "" ? "" : "hwconfig has ") "no such parameter" stem)
  }
}

# Whether only the whole table has the row: a copy for some rows ignores values that are given for others.
function begin_absent(name) {
  sub(/_range$/, "", name)
  return name in absent
}

# All rows as words, upper case after the first text and lower case after the second, or only the one or the other.
function begin_words(upper, lower,  i, text) {
  for (i = 1; i <= row_count; i++) {
    if (upper != "-") text = text " " upper toupper(rows[i])
    if (lower != "-") text = text " " lower rows[i]
  }
  return text
}

# The values that config.status --recheck gives as NAME=VALUE|NAME=VALUE in hw_cv_values.
function begin_values(  n, i, list, name, text, word) {
  n = split(option["values"], list, "|")
  for (i = 1; i <= n; i++) {
    name = list[i]
    sub(/=.*/, "", name)
    if (name !~ /^[a-z0-9_]+$/) continue
    text = substr(list[i], length(name) + 2)
    set("hw_cv_" name, text)
    word = "cached"
    if (!(name in title)) {
      word = name
      sub(/^.*_/, "", word)
      name = substr(name, 1, length(name) - length(word) - 1)
    }
    if (word == "src") word = "from"
    state_read(word " " name " " text)
    keep(word " " name " " text)
  }
}

function begin_legal(  i, row, why, text) {
  for (i = 1; i <= row_count; i++) {
    row = rows[i]
    if (row in given && (why = illegal(row, given[row])) != "") fail(macro(row) "=" given[row] ": " why)
    if (row in cached && cached[row] != "unknown" && (why = illegal(row, cached[row])) != "")
      fail("hw_cv_" row "=" cached[row] ": " why)
    if (row in cached_range && (why = no_list(row "_range", cached_range[row])) != "")
      fail("hw_cv_" row "_range=" cached_range[row] ": " why)
  }
  for (i = 1; i <= list_count; i++)
    if (lists[i] in list_of && (why = no_list(lists[i], list_of[lists[i]])) != "")
      fail("hw_cv_" lists[i] "=" list_of[lists[i]] ": " why)
  text = option["fingerprint"]
  if (text ~ /[^0-9A-Za-z.,=+_-]/) fail("hw_cv_fingerprint=" text ": not a fingerprint")
  text = option["processors"]
  if (text ~ /[^0-9a-z,_-]/) fail("hw_cv_processors=" text ": not a set of processors")
}

# The profile, read line by line rather than as shell.
function begin_profile(file,  at, line, known, n) {
  while ((getline line < file) > 0) {
    at = file ":" ++n
    if (line == "" || line ~ /^#/) continue
    if (line !~ /^hw_cv_.*=/) { fail(at ": not hw_cv_NAME=VALUE: " line); return }
    known += begin_profile_line(at, substr(line, 7, index(line, "=") - 7), substr(line, index(line, "=") + 1))
  }
  close(file)
  if (!known) fail(file ": no value is in that profile")
}

# 1 for the value of a row.
function begin_profile_line(at, name, text,  why) {
  if (name == "fingerprint") {
    if (text !~ /^[0-9A-Za-z.,=+_-]+$/) fail(at ": not a fingerprint: " text)
    set("hw_profile_fingerprint", text)
  } else if (name == "processors") {
    if (text !~ /^[0-9a-z,_-]+$/) fail(at ": not a set of processors: " text)
    set("hw_profile_processors", text)
  } else if (name ~ /^unknown_/ && substr(name, 9) in effort) begin_unknown(at, name, text)
  else if (listed(name)) {
    if ((why = no_list(name, text)) != "") fail(at ": hw_cv_" name "=" text ": " why)
    if (name ~ /_range$/) keep("profile-range " substr(name, 1, length(name) - 6) " " text)
    else keep("profile-list " name " " text)
  } else if (begin_absent(name)) return 1
  else if (!(name in title))
    fail(at ": unknown name hw_cv_" name near("hw_cv_" name, begin_words("-", "hw_cv_")))
  else {
    if ((why = illegal(name, text)) != "") fail(at ": hw_cv_" name "=" text ": " why)
    keep("profile " name " " text)
    return 1
  }
  return 0
}

# The rows that with this effort were not found.
function begin_unknown(at, name, text,  n, i, list) {
  n = split(text, list, ",")
  for (i = 1; i <= n; i++)
    if (list[i] in title) keep("profile-unknown " list[i] " " substr(name, 9))
    else fail(at ": hw_cv_" name ": no parameter " list[i])
}

# ---- Which rows are asked for.

function begin_select(  n, i, list, text) {
  text = option["rows"]
  if (option["vendored"] != "") {
    n = split(option["vendored"], list, /[ ,]+/)
    for (i = 1; i <= n; i++) if (list[i] != "") select_pick(list[i])
    for (i = 1; i <= wanted_count; i++) there[wanted_rows[i]]
    split("", wanted); split("", named)
    wanted_count = 0
    if (text == "all") {
      text = option["rows"] = option["vendored"]
      set("with_hw_rows", text)
      keep("option rows " text)
    }
  }
  if (text == "all") return
  if (text ~ /[^A-Za-z0-9_, ]/ || text !~ /[A-Z]/) {
    fail("--with-hw-rows=" text ": not a list of groups and macros, as L1,TLB,NR_F64")
    return
  }
  n = split(text, list, /[ ,]+/)
  for (i = 1; i <= n; i++) if (list[i] != "") select_pick(list[i])
  if (option["vendored"] != "")
    for (i = 1; i <= wanted_count; i++)
      if (!(wanted_rows[i] in there))
        fail("--with-hw-rows=" text ": " macro(wanted_rows[i]) " is not in this copy of hwconfig, which has " option["vendored"] " (make vendor ROWS=...)")
  for (i = 1; i <= row_count; i++) if (rows[i] in given) select_row(rows[i])
  plan(wanted_count)
  for (i = 1; i <= wanted_count; i++) keep("wanted " wanted_rows[i])
  for (i = 1; i <= row_count; i++) if (rows[i] in named) keep("named " rows[i])
  for (i = 1; i <= plan_count; i++) keep("needed " plan_rows[i])
}

# The rows of a group, or the row of a macro, with or without HW_.
function select_pick(name,  n, i, list, bare) {
  bare = name
  sub(/^HW_/, "", bare)
  if (bare in group_rows) {
    n = split(group_rows[bare], list, " ")
    for (i = 1; i <= n; i++) select_row(list[i])
  } else if (tolower(bare) in title && toupper(bare) == bare) {
    select_row(tolower(bare))
    named[tolower(bare)]
    by_name[tolower(bare)]
  } else
    fail("--with-hw-rows=" option["rows"] ": " name ": no such group or macro" \
      (option["vendored"] == "" ? near(bare, group_names begin_words("", "-")) : " in this copy of hwconfig, which has " option["vendored"] " (make vendor ROWS=...)"))
}

function select_row(row) {
  wanted[row]
  wanted_rows[++wanted_count] = row
}

# ---- In which order.

# plan N: plan_rows[1 .. plan_count] become those of wanted_rows[1 .. N] that are wanted, in the order in which they are
# to be checked, and plan_all 0 if one is not. They come by the stages of the table, which are by worth; within a stage
# what programs rely on comes first, then what was named. With a row come the others of its line of the terminal.
# Derived ones come last, since a model is asked once; what they read is planned too, wanted or not, but for what a
# macro of a group checks: other macros check that, or it is unknown.
function plan(n,  i, s, rank, m, list) {
  plan_count = 0
  plan_all = 1
  split("", planned); split("", ranked); split("", plan_here); split("", among)
  for (i = 1; i <= n; i++) among[wanted_rows[i]]
  for (i = 1; i <= n; i++)
    if (!is_wanted(wanted_rows[i])) plan_all = 0
    else if (wanted_rows[i] in by_name || wanted_count && option["rows-from"] == "") plan_row(wanted_rows[i], 1)
  for (i = 1; i <= n; i++) if (is_wanted(wanted_rows[i])) plan_row(wanted_rows[i], 0)
  for (s = 1; s <= stage_count + 1; s++)
    for (rank = 1; rank <= 3; rank++) {
      m = split(ranked[s, rank], list, " ")
      for (i = 1; i <= m; i++) plan_line(list[i])
    }
}

function plan_row(row, whole,  n, i, list, rank) {
  if (row in plan_here) return
  plan_here[row]
  n = spare[row] != "" && awaits(row) == "" ? 0 : split(reads[row], list, " ")
  for (i = 1; i <= n; i++) if (whole || list[i] in among) plan_row(list[i], whole)
  rank = star[row] ? 1 : row in named ? 2 : 3
  ranked[stage[row], rank] = ranked[stage[row], rank] " " row
}

function plan_line(row,  n, i, list) {
  n = split(on_line[row] == "" || model[row] != "" ? row : line_rows[on_line[row]], list, " ")
  for (i = 1; i <= n; i++)
    if (!(list[i] in planned) && list[i] in plan_here) {
      planned[list[i]]
      plan_rows[++plan_count] = list[i]
    }
}
