# SPDX-License-Identifier: MIT
# What is written: hwconfig.h, hwconfig.mk, hwconfig.json, hwconfig.site, and the cache of this machine.

# In words. What was measured and recalled is 5 as well, so that the header stays as it is when configure recalls what
# it has measured.
function origin(row) {
  if (source[row] == 5) return from[row] == 7 ? "recalled" : "measured"
  if (source[row] == "") return none(row) ? "none" : "unknown"
  return source[row] == 2 ? "profile" : source[row] == 3 ? "given" : source[row] == 4 ? "derived" : source[row] == 6 ? "reported" : "measured"
}

# Whether the files mention the row: it was checked, or follows from rows that were.
function in_files(row) { return is_wanted(row) && (row in seen || value[row] != "") }

function list_text(name) { return list_of[name] != "" ? list_of[name] : profile_list[name] }

function prefixed(row) { return option["prefix"] toupper(row) }

# about_read: about["processor"], about["compiler"] and about["flags"], which the values belong to. As they are called here
# if this machine was measured, or else out of the fingerprint; nothing if nothing was.
function about_read(  text, i, n, list) {
  text = option["fingerprint"]
  if (text != option["here"]) {
    for (i = 1; i <= 3; i++) {
      n = index(text, ",")
      list[i] = n ? substr(text, 1, n - 1) : text
      text = substr(text, n + 1)
    }
    option["about-processor"] = list[2]
    option["about-compiler"] = list[3]
    sub(/(,[0-9]+_[0-9]+)?,[^,]*$/, "", text)
    option["about-flags"] = text
  }
  n = split("processor compiler flags", list, " ")
  for (i = 1; i <= n; i++) {
    text = option["about-" list[i]]
    gsub(/["'\\]/, "", text)
    gsub(/^ *| *$/, "", text)
    gsub(/\*\//, "", text)
    about[list[i]] = text
  }
}

# ---- hwconfig.mk and hwconfig.site.

function write_mk(file,  i, row, text) {
  print "# What this machine gives a program of this compiler, for make. Written by hwconfig." >file
  print "# Each value is followed by where it came from: 2 profile, 3 given, 4 derived, 5 measured, 6 reported." >file
  print "# What is unknown is left out." >file
  if (wanted_count) print "# Only these were asked for: " option["rows"] "." >file
  for (i = 1; i <= row_count; i++) {
    row = rows[i]
    if (in_files(row) && value[row] != "" && only[row] == "")
      print prefixed(row) " = " value[row] "\n" prefixed(row) "_SRC = " source[row] >file
  }
  for (i = 1; i <= list_count; i++) {
    text = list_text(lists[i])
    gsub(/\//, " ", text)
    if (text != "") print prefixed(lists[i]) " = " text >file
  }
  close(file)
}

# What a model computes is computed again by the next configure, and the system reports again.
function write_site(file,  i, row) {
  print "# For the next configure, as --with-hw-profile or as its CONFIG_SITE. Written by hwconfig." >file
  if (option["fingerprint"] != "") print "hw_cv_fingerprint=" option["fingerprint"] >file
  if (option["processors"] != "") print "hw_cv_processors=" option["processors"] >file
  for (i = 1; i <= row_count; i++) {
    row = rows[i]
    if (value[row] == "" || source[row] == 6 || (model[row] spare[row] != "" && source[row] == 4)) continue
    print "hw_cv_" row "=" value[row] >file
    if (span[row] != "") print "hw_cv_" row "_range=" span[row] >file
  }
  for (i = 1; i <= list_count; i++) if (list_text(lists[i]) != "") print "hw_cv_" lists[i] "=" list_text(lists[i]) >file
  write_unknown(file)
  close(file)
}

# The rows that were looked for and not found, here or when a profile was made, by the effort that this was done with.
function write_unknown(file,  n, i, row, list, name, names) {
  for (i = 1; i <= row_count; i++) {
    row = rows[i]
    if ((value[row] != "" && source[row] != 6) || !is_needed(row) || row in never || probe[row] == "mpi") continue
    if (is_missed(row)) name = profile_unknown[row]
    else if (cached[row] == "unknown" && was_looked_for(cached_why[row])) name = substr(from[row], 1, index(from[row], "/") - 1)
    else continue
    list[name] = joined(list[name], row, ",")
  }
  n = split("quick default thorough", names, " ")
  for (i = 1; i <= n; i++) if (names[i] in list) print "hw_cv_unknown_" names[i] "=" list[names[i]] >file
}

# Whether a row is unknown because of how it was measured, and not because it contradicts HW_ROW=VALUE.
function was_looked_for(why) {
  return why != "" && why !~ /=/ && \
    why !~ /^(no answer|the budget is spent|it was not asked for|.* not compiled?|CC or CFLAGS .*|(the probe|the compiler|a quota|memory is short) .*)$/
}

# ---- hwconfig.json.

function write_json(file,  i, row, text, asked) {
  printf "{\n  \"hwconfig\": {\n    \"version\": \"%s\"", option["version"] >file
  if (option["fingerprint"] != "") {
    printf ",\n    \"processor\": \"%s\",\n    \"compiler\": \"%s\",\n", about["processor"], about["compiler"] >file
    printf "    \"flags\": \"%s\",\n    \"fingerprint\": \"%s\"", about["flags"], option["fingerprint"] >file
    if (option["processors"] != "") printf ",\n    \"processors\": \"%s\"", option["processors"] >file
  }
  printf "\n  }" >file
  for (i = 1; i <= row_count; i++) {
    row = rows[i]
    if (in_files(row) || is_wanted(row) && option["parent"] == "") asked = joined(asked, "\"" macro(row) "\"", ", ")
    if (in_files(row)) write_json_row(file, row)
  }
  for (i = 1; i <= list_count; i++) {
    text = list_text(lists[i])
    if (text == "") continue
    gsub(/,/, ", ", text)
    gsub(/\//, "], [", text)
    printf ",\n  \"%s\": [[%s]]", macro(lists[i]), text >file
  }
  if (wanted_count) printf ",\n  \"HW_ROWS\": [%s]", asked >file
  printf "\n}\n" >file
  close(file)
}

function write_json_row(file, row,  at) {
  printf ",\n  \"%s\": {\n    \"value\": %s,", macro(row), (value[row] == "" ? "null" : value[row]) >file
  if (span[row] != "") {
    at = index(span[row], ":")
    printf "\n    \"low\": %s,\n    \"high\": %s,", substr(span[row], 1, at - 1), substr(span[row], at + 1) >file
  }
  printf "\n    \"unit\": \"%s\",\n    \"kind\": \"%s\",\n    \"source\": \"%s\",", unit[row], (model[row] == "" ? kind[row] : "choice"), origin(row) >file
  if (reason[row] != "" && (value[row] == "" || source[row] == 6)) printf "\n    \"reason\": \"%s\",", reason[row] >file
  printf "\n    \"title\": \"%s\",\n    \"%s\": \"%s\"", title[row], (model[row] == "" ? "probe" : "model"), probe[row] >file
  if (paper[row] != "") printf ",\n    \"paper\": \"%s\"", paper[row] >file
  printf "\n  }" >file
}

# ---- hwconfig.h, from its template: HW_X is FOO_X with another prefix, HWCONFIG_X FOO_HWCONFIG_X. X_SRC is defined
# behind each X. A paragraph goes if it is about rows of which there is nothing to say, and so does a section of which
# nothing is left, and one about what stands in for the unknown if nothing is to. A row that it does not name stands
# behind the row before it in the table. @REPORTED@ are the rows for which what the system reports stands in, @DEFAULTS@
# those whose default leans on no other row, and @CHECKS@ is each pair of an order, each
# shape, and the numbers of those with a default, as far as the header defines them. @FLAGS@ is what tells other
# flags.

function write_header(file, template,  line, text) {
  header_file = file
  if (wanted_count) { selection_write(template); close(file); return }
  while ((getline line < template) > 0) {
    if (line ~ /^#undef HW_/) header_named[tolower(substr(line, 11))]
    else if (line ~ /^# *define .* default .*_SRC HW_SRC_DEFAULT$/) { sub(/_SRC HW_SRC_DEFAULT$/, "", line); sub(/^.* HW_/, "", line); header_special[tolower(line)] }
  }
  close(template)
  header_start(file)
  while ((getline line < template) > 0) {
    if (line != "") { text = text line "\n"; continue }
    header_paragraph(text)
    text = ""
  }
  close(template)
  printf "%s", header_prefix(text) >file
  close(file)
}

# A heading waits for the first paragraph below it that is printed; so do words at the start of a section.
function header_paragraph(text) {
  if (text ~ /^\/\* ---- /) {
    header_section = text
    header_pending = text "\n"
    return
  }
  if (header_section ~ /What the system reports/) text = header_reported(text)
  else if (header_section ~ /Switches that are unknown/ && text ~ /HW_HAVE_/) text = header_switch(text)
  else if (header_section ~ /Safe defaults/ && !header_defaulted()) text = ""
  else if (text ~ /@DEFAULTS@/) text = header_defaults()
  else if (text ~ /@FLAGS@/) text = header_flags(substr(text, 1, index(text, "/* @FLAGS@") - 1))
  else if (text ~ /@CHECKS@/) text = header_checks(substr(text, 1, index(text, "/* @CHECKS@") - 1))
  else if (text ~ /(^|\n)#undef HW_/) text = header_rows(text)
  else if (header_section != "" && text ~ /^\/\*/) {
    header_pending = header_pending text "\n"
    return
  }
  if (text == "") return
  printf "%s", header_prefix(header_pending text "\n") >header_file
  header_pending = ""
}

# The rows that the system reports, in place of the marker.
function header_reported(text,  n, i, list, row, out) {
  n = split("have_l1 have_l2", list, " ")
  for (i = 1; i <= claim_count; i++) list[++n] = substr(claims[i], 1, index(claims[i], " ") - 1)
  for (i = 1; i <= n; i++) {
    row = macro(list[i])
    if (in_files(list[i]) && source[list[i]] == 6)
      out = out "# if defined " row "_SRC && " row "_SRC == HW_SRC_REPORTED\n#  undef " row "\n#  undef " row "_SRC\n# endif\n"
  }
  return out == "" ? "" : substr(text, 1, index(text, "/* @REPORTED@") - 1) out "#endif\n"
}

function header_defaults(  i, row, out) {
  for (i = 1; i <= row_count; i++) {
    if (!star[rows[i]] || rows[i] in header_special) continue
    row = macro(rows[i])
    out = joined(out, "#ifndef " row "\n# define /* default */ " row " " fallback[rows[i]] "\n# define /* default */ " row "_SRC HW_SRC_DEFAULT\n#endif\n", "\n")
  }
  return out
}

# Whether defaults are to stand in, and one does.
function header_defaulted(  i) {
  if (header_lack == "") {
    header_lack = 0
    for (i = 1; i <= row_count && option["unknown"] == "default"; i++)
      if (star[rows[i]] && value[rows[i]] == "") header_lack = 1
  }
  return header_lack
}

# Behind these words, if vectors or multiply-adds were measured here: what says so if the compiler has others. The words
# of option["vectors"] are a name with _hw before it, and its value, or the name again if there is none.
function header_flags(words,  n, i, list, name, other) {
  if (!header_measured("vec_bytes") && !header_measured("have_fma_f64") && !header_measured("have_fma_vf64")) return ""
  n = split(option["vectors"], list, " ")
  for (i = 1; i < n; i += 2) {
    name = substr(list[i], 4)
    other = joined(other, (name == list[i + 1] ? "" : "!") "defined " name, i % 8 == 1 ? " || \\\n    " : " || ")
  }
  if (other == "") return ""
  return words "#if defined __GNUC__ && !defined __ASSEMBLER__ && !defined HWCONFIG_ANY_FLAGS\n# if " other \
    "\n#  pragma message \"hwconfig.h is of flags with other vectors or multiply-adds\"\n# endif\n#endif\n"
}

function header_measured(row) { return in_files(row) && value[row] != "" && source[row] == 5 }

# A switch that is not known has a default; defaults of others lean on all of them.
function header_switch(text,  row) {
  match(text, /HW_HAVE_L[123]/)
  row = tolower(substr(text, RSTART + 3, 7))
  return header_defaulted() || value[row] == "" ? text : ""
}

function header_rows(text,  n, i, k, list, line, out, says) {
  n = split(text, list, "\n")
  for (i = 1; i < n; i++) {
    if (list[i] !~ /^#undef HW_/) { out = out list[i] "\n"; continue }
    for (k = row_at[tolower(substr(list[i], 11))]; k; k = k < row_count && !(rows[k + 1] in header_named) ? k + 1 : 0) {
      line = header_row(rows[k])
      if (line == "-") continue
      says = 1
      if (line != "") out = out line "\n"
    }
  }
  return says ? out : ""
}

function header_start(file) {
  print "/* hwconfig.h.  Generated from hwconfig.h.in by configure.  */" >file
  if (option["fingerprint"] == "") print "/* hwconfig " option["version"] ", of no particular machine */" >file
  else {
    print "/* Of " about["processor"] >file
    print "   by " about["compiler"] (about["flags"] == "" ? "" : " with " about["flags"]) >file
    print "   hwconfig " option["version"] ", fingerprint " option["fingerprint"] " */" >file
  }
  if (wanted_count) print "/* Only these were asked for: " option["rows"] ". */" >file
}

# The lines of a row; nothing if a default follows; - if there is nothing to say.
function header_row(row,  at) {
  if (!in_files(row)) return "-"
  if (value[row] != "" && only[row] == "") {
    at = index(span[row], ":")
    return "#define " macro(row) " " value[row] \
      (at ? " /* " substr(span[row], 1, at - 1) " to " substr(span[row], at + 1) " */" : "") \
      "\n#define " macro(row) "_SRC " header_source(row)
  }
  if (value[row] != "") return "-"
  if (star[row] && (option["unknown"] == "default" || row ~ /^have_l.$/)) return ""
  return only[row] == "" && !none(row) ? "/* #undef " macro(row) " */" : "-"
}

function header_source(row) {
  split("DEFAULT PROFILE USER DERIVED MEASURED REPORTED", source_name, " ")
  return "HW_SRC_" source_name[source[row]]
}

function header_prefix(line) {
  if (option["prefix"] == "HW_") return line
  gsub(/HWCONFIG_/, "@", line)
  gsub(/HW_/, option["prefix"], line)
  gsub(/@/, option["prefix"] "HWCONFIG_", line)
  return line
}

# None is needed of values that all stand in this header: configure has held them to it.
function header_check(names, condition, message,  n, i, list, known, open) {
  n = split(names, list, " ")
  for (i = 1; i <= n; i++) {
    known = known "defined " list[i] " && "
    if (value[tolower(substr(list[i], 4))] == "") open = 1
  }
  return !open ? "" : "#if " known condition "\n# error \"" message "\"\n#endif\n"
}

# Behind these words, if there are any.
function header_checks(words,  i, n, row, text, list) {
  for (i = 1; i <= row_count; i++) {
    row = rows[i]
    if (!star[row]) continue
    if (unit[row] == "0/1") text = text header_check(macro(row), macro(row) " != 0 && " macro(row) " != 1", macro(row) " is not 0 or 1")
    else if (low[row] ~ /^[1-9]/) text = text header_check(macro(row), macro(row) " <= 0", macro(row) " is not positive")
  }
  split("", always)
  for (i = 1; i <= rule_count; i++) if (rules[i] ~ /^order/) text = text header_order(rules[i])
  n = split(shapes, list, " ")
  for (i = 1; i <= n; i++) text = text header_shape("HW_" toupper(list[i]))
  return text == "" ? "" : words text
}

# Values with a range agree if these overlap, which the range has shown.
function header_order(rule,  n, i, j, list, a, b, unless, text) {
  n = split(rule, list, " ")
  unless = list[2] == "none" ? "" : macro(list[2])
  for (i = 3; i < n; i++)
    for (j = i + 1; j <= n; j++) {
      a = macro(list[i]); b = macro(list[j])
      if ((a " " b) in always || header_ranged(list[i]) || header_ranged(list[j])) continue
      if (unless == "") always[a " " b]
      text = text header_check(a " " b " " unless, (unless == "" ? "" : "!" unless " && ") a " > " b, a " is larger than " b)
    }
  return text
}

function header_ranged(row) { return span[row] != "" && in_files(row) }

function header_shape(name,  n, i, list, names, measured, product) {
  n = split("SETS ASSOC LINE BYTES", list, " ")
  for (i = 1; i <= n; i++) {
    names = names " " name "_" list[i]
    measured = measured "\\\n    " name "_" list[i] "_SRC == HW_SRC_MEASURED && "
  }
  product = name "_SETS * " name "_ASSOC * " name "_LINE"
  return header_check(names, measured "\\\n    " product " != " name "_BYTES", product " is not " name "_BYTES")
}

# ---- hwconfig.h of a selection: the frame of the template, and three lines for each row that was asked for. What
# stands in for one that is unknown is computed here, by the rules of the template: these lean on rows that were not
# asked for.

function selection_write(template,  i, line, frame) {
  header_start(header_file)
  selection_print("/* SPDX-License-Identifier: MIT")
  selection_print("   What is unknown is undefined" (option["unknown"] == "strict" ? "" : ", or stands at the end") ".  X_SRC tells where X came from: */")
  while ((getline line < template) > 0 && line !~ /^\/\* ---- /) {
    if (line ~ /^#ifndef HWCONFIG_H/) frame = 1
    if (frame) selection_print(line)
  }
  close(template)
  selection_defaults(template)
  for (i = 1; i <= row_count; i++) selection_row(rows[i])
  if (selection_late != "")
    selection_print("/* Not measured: what the system reports, or a safe default. */\n#ifndef HWCONFIG_STRICT\n" selection_late "#endif")
  line = header_flags("/* A program of other vectors or multiply-adds is told so, unless HWCONFIG_ANY_FLAGS is defined. */\n")
  if (line != "") selection_print(substr(line, 1, length(line) - 1))
  selection_print("\n#endif /* HWCONFIG_H */")
}

function selection_print(text) { print header_prefix(text) >header_file }

# A switch is defined in any case.
function selection_row(row,  name, text, is_switch) {
  if (header_row(row) == "-") return
  name = macro(row)
  text = "/* " title[row] " (" unit[row] ") */\n"
  is_switch = row ~ /^have_l.$/
  if (value[row] != "" && (source[row] != 6 || is_switch)) selection_print(text header_row(row))
  else if (value[row] == "" && is_switch && name in stands) selection_print(text selection_define("#", name, "DEFAULT"))
  else if (value[row] != "" || option["unknown"] == "default" && name in stands)
    selection_late = selection_late text selection_define("# ", name, value[row] == "" ? "DEFAULT" : "REPORTED") "\n"
  else selection_print(text "/* #undef " name " */")
}

function selection_define(lead, name, from) {
  return lead "define " name " " stands[name] "\n" lead "define " name "_SRC HW_SRC_" from
}

# stands[HW_ROW]: its value, or what would stand in for it, as a preprocessor has it of the template's last sections.
function selection_defaults(template,  i, line, word, within) {
  for (i = 1; i <= row_count; i++) if (value[rows[i]] != "") stands[macro(rows[i])] = value[rows[i]]
  split("", branch_live); split("", branch_done)
  branch_live[0] = 1
  branch_at = 0
  while ((getline line < template) > 0) {
    if (line ~ /^\/\* ---- /) within = line ~ /Switches that are unknown|Safe defaults/
    if (within && line ~ /^# *[a-z]/) {
      gsub(/\/\*[^*]*\*\//, "", line)
      sub(/^# */, "", line)
      word = line
      sub(/ .*/, "", word)
      selection_directive(word, substr(line, length(word) + 2))
    }
  }
  close(template)
  for (i = 1; i <= row_count; i++)
    if (star[rows[i]] && !(macro(rows[i]) in stands)) stands[macro(rows[i])] = fallback[rows[i]]
}

function selection_directive(word, rest,  list) {
  if (word ~ /^(if|ifndef)$/) {
    branch_at++
    branch_done[branch_at] = branch_live[branch_at] = branch_live[branch_at - 1] && (word == "if" ? truth(rest) : !(rest in stands))
  } else if (word ~ /^el/) {
    branch_live[branch_at] = branch_live[branch_at - 1] && !branch_done[branch_at] && (word == "else" || truth(rest))
    if (branch_live[branch_at]) branch_done[branch_at] = 1
  } else if (word == "endif") branch_at--
  else if (branch_live[branch_at] && word == "undef") delete stands[rest]
  else if (branch_live[branch_at] && word == "define") {
    split(rest, list, " ")
    stands[list[1]] = list[2] in stands ? stands[list[2]] : list[2]
  }
}

# Whether a condition of the template is true: of names and numbers with defined, !, &&, comparisons and brackets.
function truth(text) {
  gsub(/[()!]/, " & ", text)
  split(text, truth_word, " ")
  truth_at = 1
  return truth_all()
}

function truth_all(  found) {
  found = truth_one()
  while (truth_word[truth_at] == "&&") {
    truth_at++
    if (!truth_one()) found = 0
  }
  return found
}

function truth_one(  name, by, a, b) {
  name = truth_word[truth_at++]
  if (name == "!") return !truth_one()
  if (name == "(") {
    a = truth_all()
    truth_at++
    return a
  }
  if (name == "defined") {
    name = truth_word[truth_at++]
    return name in stands
  }
  a = truth_number(name)
  by = truth_word[truth_at]
  if (by !~ /^[<>]=?$/) return a != 0
  b = truth_number(truth_word[truth_at + 1])
  truth_at += 2
  return by == "<" ? a < b : by == ">" ? a > b : by == "<=" ? a <= b : a >= b
}

function truth_number(name) { return name in stands ? stands[name] + 0 : name + 0 }

# ---- The cache of this machine: the key, lines hw_cv_ROW=NUMBER and hw_cv_ROW=unknown MANNER REASON, and the end. It
# is no shell: if it holds anything else, it is not used.

# Whether the file is whole; kept[ROW], kept_list and kept_range have what it holds.
function cache_read(file,  line, at, name, text, complete) {
  if ((getline line < file) <= 0 || line != "# " option["key"]) { close(file); return 0 }
  while ((getline line < file) > 0) {
    if (line ~ /^# ?/) { complete = line == "# end"; break }
    at = index(line, "=")
    if (line !~ /^hw_cv_/ || !at) break
    name = substr(line, 7, at - 7)
    text = substr(line, at + 1)
    if (listed(name)) {
      if (no_list(name, text) != "") break
      kept[name] = text
    } else if (!(name in title) || (text !~ /^unknown [^ ]/ && illegal(name, text) != "")) break
    else kept[name] = text
  }
  close(file)
  return complete
}

function cache_write(  i, row) {
  print "# " option["key"]
  for (i = 1; i <= row_count; i++) {
    row = rows[i]
    if (cached[row] ~ /^[0-9]/ && from[row] ~ /^[57]$/) kept[row] = cached[row]
    else if (cached[row] == "unknown" && from[row] ~ /\// && kept[row] !~ /^[0-9]/)
      kept[row] = "unknown " from[row] " " cached_why[row]
    cache_line(row)
  }
  for (i = 1; i <= list_count; i++) {
    if (list_of[lists[i]] != "") kept[lists[i]] = list_of[lists[i]]
    cache_line(lists[i])
  }
  for (i = 1; i <= ranged_count; i++) {
    if (from[ranged[i]] ~ /^[57]$/) kept[ranged[i] "_range"] = cached_range[ranged[i]]
    cache_line(ranged[i] "_range")
  }
  print "# end"
}

function cache_line(name) { if (kept[name] != "") print "hw_cv_" name "=" kept[name] }
