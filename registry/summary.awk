# SPDX-License-Identifier: MIT
# The last screen: how much is known, the values that most programs are after, and the reasons for what is unknown,
# those of most rows first. What to do about it is said once.

# Macros of a package have no command, nor has a copy for some rows.
function has_command(  row) {
  for (row in absent) return 0
  return option["parent"] == ""
}

function count_rows(  i, row, of) {
  for (i = 1; i <= row_count; i++) {
    row = rows[i]
    if (!in_files(row)) continue
    of = origin(row)
    if (of == "none") none_count++
    else counted++
    if (of == "unknown" && star[row] && !(stands[row] != "" && value[stands[row]] != "")) defaults = defaults " " macro(row)
    if (value[row] != "" && of == "reported") claimed = joined(claimed, macro(row) "=" value[row], ", ")
    else if (value[row] != "") known_count++
  }
}

function summary(  text, screen) {
  matter_find()
  if (option["quiet"] == "yes") { summary_brief(); return }
  summary_kinds()
  text = summary_run()
  screen = option["silent"] != "yes" && option["built"] != "" ? summary_screen() : ""
  if (option["measure"] != "yes") defaults = ""
  if (known_count + 0 == counted + 0)
    notice("hwconfig: all " counted + 0 " parameters are known" text screen)
  else {
    if (matter == "" && defaults == "") screen = screen "\n  To know the others, " matter_advice "."
    notice("hwconfig: " known_count + 0 " of " counted + 0 " parameters are known" text \
      (option["idle"] == "" ? "" : "; nothing was measured, since " option["idle"]) screen "\n  " \
      (has_command() ? "./hwconfig show has all of them, config.log each" : "config.log has each") " with its reason.")
  }
  if (claimed != "") notice("hwconfig: what the system reports stands in for what could not be measured: " claimed)
  summary_warn(option["unknown"] == "default" ? "get the safe defaults of hwconfig.h" : "find them undefined")
}

function summary_kinds(  groups) {
  if (cached["cpu_kinds"] + 0 <= 1 || list_of["kind_groups"] == "") return
  groups = list_of["kind_groups"]
  gsub(/\//, " and ", groups)
  notice("hwconfig: there are " cached["cpu_kinds"] " kinds of processors (" groups "); what a single thread sees holds for the first")
}

# If hwconfig is part of another package: one line of what was asked for, values first.
function summary_brief(  n, i, row, known, unknown, others, why, one, text) {
  n = summary_order()
  for (i = 1; i <= n; i++) {
    row = ordered[i]
    if (value[row] != "") {
      if (++known <= 6) text = joined(text, brief_value(row), ", ")
    } else if (!none(row)) {
      if (++unknown <= 3) others = joined(others, toupper(row), ", ")
      one = reason_root(row)
      why = unknown == 1 || why == one ? one : "config.log says why"
    }
  }
  if (known > 6) text = text " and " known - 6 " more"
  if (option["seconds"] != "") text = joined(text, "measured in " option["seconds"] " s", ", ")
  if (unknown > 3) others = others " and " unknown - 3 " more"
  if (option["idle"] != "") why = "nothing was measured, since " option["idle"]
  else if (matter != "" && why !~ /^config.log/) why = why "; config.log says more"
  if (unknown) text = joined(text, "unknown: " others (why == "" ? "" : " (" why ")"), "; ")
  notice("hwconfig: " (text == "" ? "nothing was asked for" : text))
}

# As a person reads it: 48 K, and where it is from if it was not measured.
function brief_value(row,  text, from) {
  text = whole(row, value[row])
  if (unit[row] == "bytes" && text + 0 >= 1024 && text % 1024 == 0) text = text % 1048576 == 0 ? text / 1048576 " M" : text / 1024 " K"
  from = origin(row)
  return toupper(row) " " text (from == "measured" || from == "derived" ? "" : " (" from ")")
}

# ordered[1 ..]: the rows of the files, what most programs are after first, then what is relied on, then what was named.
function summary_order(  n, i, s, list, count, done) {
  split("", done)
  n = split(shown_rows, list, " ")
  for (s = 1; s <= 4; s++)
    for (i = 1; i <= (s == 1 ? n : row_count); i++)
      if (s == 1) count = summary_put(list[i], count, done)
      else if (s == 4 || s == 2 && star[rows[i]] || s == 3 && rows[i] in named) count = summary_put(rows[i], count, done)
  return count
}

function summary_put(row, count, done) {
  if (row in done || !in_files(row)) return count + 0
  done[row]
  ordered[count + 1] = row
  return count + 1
}

function summary_warn(fate) {
  if (matter != "")
    warn("hwconfig: " matter ".\n  " matter_advice "." (defaults == "" ? "" : "\n  Programs rely on these, and " fate ":" defaults "."))
  else if (defaults != "")
    warn("hwconfig: programs rely on these, and " fate ":" defaults ".\n  To know them, " matter_advice ".")
}

function summary_run(  text) {
  if (none_count) text = ", " none_count " do not apply"
  if (option["seconds"] == "") return text
  text = text "; " option["seconds"] " s" (option["load"] == "" ? "" : ", load " option["load"])
  if (option["throttled"] !~ /^(unknown|0\.0)?$/) text = text ", stopped by a quota for " option["throttled"] " s"
  return text
}

# What is the matter if this run knows none of what it was to measure, or none of what it was to generate code for; and
# what to do about that, or about what else is unknown: if time was short, how to give it more.
function matter_find(  more, budget, quota) {
  more = "bring a profile (--with-hw-profile=FILE), or give values, as in HW_L1_BYTES=32768"
  matter_advice = "measure on a quiet machine, try --with-hw-effort=thorough, " more
  if (option["idle"] != "")
    matter_advice = "run configure on the machine that will run the program, and bring its hwconfig.site here for --with-hw-profile, or give values, as in HW_L1_BYTES=32768"
  if (option["built"] == "") return
  matter_look()
  budget = option["budget"]
  sub(/\..*/, "", budget)
  budget = number(4 * (budget == "" ? 600 : budget) + 5)
  if (option["throttled"] + 0 >= 1) quota = "more of a processor than its quota, or "
  if (matter_spent)
    matter_advice = "give it " quota "more time, as in --with-hw-budget=" budget ", measure on a quiet machine, " more
  if (!matter_any && matter_lacked != "") matter = "nothing could be measured: " matter_lacked
  else if (!matter_coded && matter_codeless != "") matter = "nothing that needs generated code could be measured: " matter_codeless
  else return
  matter_advice = "config.log may tell more; values can be given, as in HW_L1_BYTES=32768, or brought in a profile"
  if (matter ~ /compile$/)
    matter_advice = "config.log has what the compiler says: it is to compile C11 with floating point, so that CC or CFLAGS may have to be others"
  else if (matter ~ /: memory is short/)
    matter_advice = "give configure more memory, " more
  else if (matter ~ /: the disk is full/)
    matter_advice = "configure where there are some 5 MB, " more
  else if (matter ~ /(too long|spent)$/)
    matter_advice = (quota == "" ? "the compiler or the machine is slow" : "a quota has stopped configure for " option["throttled"] " s") ": give it " quota "more time, as in --with-hw-budget=" budget
  else if (matter ~ /a profiler$/)
    matter_advice = "configure without what asks for that, such as -fsanitize, -pg or --coverage, or with the hwconfig.site of such a configure, as in --with-hw-profile=FILE"
}

# Of a run that has most of an earlier one or of a profile, what could not be read off is no matter.
function matter_look(  i, row) {
  for (i = 1; i <= row_count; i++) {
    row = rows[i]
    if (row in profile || row in cached && cached[row] != "unknown" && from[row] == 7) matter_kept = 1
    if (row in cached && from[row] == 5) {
      matter_any = 1
      if (batch[row] ~ /^(INSTRUCTIONS|REGISTERS)$/) matter_coded = 1
    } else if (is_tried(row)) {
      if (matter_lacked == "") matter_lacked = cached_why[row]
      if (option["ungenerated"] != "" && cached_why[row] == option["ungenerated"]) matter_codeless = cached_why[row]
      if (cached_why[row] ~ /^(the budget is spent|(the compiler|a quota).* too long)$/) matter_spent = 1
    }
  }
  if (matter_kept && matter_lacked !~ /^(the (probes?|compiler|budget) |a quota |memory is short |the disk |CC or CFLAGS |no answer$)/) matter_lacked = ""
}

# The values and the reasons, each line after a newline. Of a selection a dozen values.
function summary_screen(  n, i, most, list, text, out) {
  n = summary_order()
  most = wanted_count ? 12 : split(shown_rows, list, " ")
  for (i = 1; i <= n && i <= most; i++) {
    text = text sprintf("%-28s", macro(ordered[i]) " " (value[ordered[i]] == "" ? "unknown" : value[ordered[i]]))
    if (++shown_count % 3) continue
    out = out summary_line(text)
    text = ""
  }
  return out summary_line(text) summary_reasons()
}

function summary_line(text) {
  sub(/ *$/, "", text)
  return text == "" ? "" : "\n  " text
}

# Why the row is unknown that this one builds on.
function reason_root(row,  text, name) {
  text = reason[row]
  while (text ~ /^HW_[A-Z0-9_]* is unknown$/) {
    name = tolower(substr(text, 4))
    sub(/ .*/, "", name)
    if (!(name in seen) || value[name] != "" || none(name) || !is_wanted(name)) break
    text = reason[name]
  }
  return text
}

function summary_reasons(  i, row, text, n, why, rows_of, names, most, out, done, others, shown_lines) {
  for (i = 1; i <= seen_count; i++) {
    row = seen_rows[i]
    if (!is_wanted(row) || value[row] != "" || none(row)) continue
    text = reason_root(row)
    if (!rows_of[text]++) why[++n] = text
    if (rows_of[text] <= 3) names[text] = joined(names[text], macro(row), " ")
  }
  for (shown_lines = 0; shown_lines < n && shown_lines < 8; shown_lines++) {
    most = ""
    for (i = 1; i <= n; i++) if (!(why[i] in done) && (most == "" || rows_of[why[i]] > rows_of[most])) most = why[i]
    done[most]
    out = out summary_line("unknown: " names[most] (rows_of[most] > 3 ? " and " rows_of[most] - 3 " more" : "") ": " most)
  }
  for (i = 1; i <= n; i++) if (!(why[i] in done)) others += rows_of[why[i]]
  return out (others ? summary_line("unknown: " others " more") : "")
}
