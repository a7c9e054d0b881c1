# SPDX-License-Identifier: MIT
# What is given, recalled, measured and computed, and which of it counts.
#
# The state comes on standard input, a line each:
#
#   option NAME TEXT       what configure was told or has found out
#   argument NAME          of an argument NAME=VALUE
#   given ROW VALUE        environment ROW if that is not an argument
#   cached ROW VALUE       from the cache, or measured by this configure; or unknown
#   from ROW SRC           where that came from: 5 measured, 7 recalled; or the manner in which an unknown was tried
#   why ROW REASON         why it is unknown
#   range ROW LOW:HIGH     in which it was seen
#   answered ROW           it was measured by the check that is going on
#   profile ROW VALUE      profile-range ROW LOW:HIGH
#   profile-unknown ROW EFFORT   with that effort it was not found when the profile was made
#   list NAME GROUPS       profile-list NAME GROUPS
#   wanted ROW             if not all rows are
#   named ROW              by its own name, not by its group
#   checked NAME...        those that a check was of, rows in lower case and groups in upper case, or all
#   needed ROW             is wanted, or is read for a row that is
#   seen ROW               was checked, in this order
#   kept NAME TEXT         what the cache of this machine has
#   model LINE             of what a model says
#   reports VARIABLE VALUE of getconf
#   HW_X = 1               and so on: what the probes have said, or what is said instead of them
#   logged ROW TEXT        said LINE TEXT: what was printed by the check that is going on
#   told TEXT              a warning that was printed
#
# For a row that was seen, value[], source[] (as _SRC of hwconfig.h has it), span[] (LOW:HIGH), reason[] and result[],
# as it is logged.

function state_read(line,  n, word, text) {
  if (line ~ /^(# )?HW_/) { answer_read(line); return }
  n = index(line, " ")
  word = substr(line, 1, n - 1)
  line = substr(line, n + 1)
  if (word == "model") { model_read(line); return }
  n = index(line " ", " ")
  text = substr(line, n + 1)
  line = substr(line, 1, n - 1)
  if (word == "option") option[line] = text
  else if (word == "argument") arguments[++argument_count] = line
  else if (word == "given") state_put(given, line, text)
  else if (word == "environment") environment[line]
  else if (word == "cached") state_put(cached, line, text)
  else if (word == "from") from[line] = text
  else if (word == "why") cached_why[line] = text
  else if (word == "range") state_put(cached_range, line, text)
  else if (word == "answered") answered[line]
  else if (word == "profile") state_put(profile, line, text)
  else if (word == "profile-range") profile_range[line] = text
  else if (word == "profile-unknown") state_put(profile_unknown, line, text)
  else if (word == "list") state_put(list_of, line, text)
  else if (word == "profile-list") state_put(profile_list, line, text)
  else if (word == "wanted") { wanted[line]; wanted_count++ }
  else if (word == "kept") kept[line] = text
  else if (word == "logged") logged[line] = text
  else if (word == "said") said[line] = text
  else if (word == "named") named[line]
  else if (word == "checked") checked = checked " " line (text == "" ? "" : " ") text
  else if (word == "needed") needed[line]
  else if (word == "seen") { if (!(line in seen)) { seen[line]; seen_rows[++seen_count] = line } }
  else if (word == "reports") reports[line] = text
  else if (word == "told") told[line (text == "" ? "" : " ") text]
}

# Nothing is put in place of what is dropped.
function state_put(array, name, text) {
  if (text == "") delete array[name]
  else array[name] = text
}

function is_wanted(row) { return !wanted_count || row in wanted }
function is_needed(row) { return !wanted_count || row in needed }

# An unknown of an earlier run stands only if nothing new would be tried.
function is_tried(row) { return row in cached && cached[row] == "unknown" && from[row] == option["manner"] }

# What a profile has not found is not looked for again, unless it is named or more effort is made.
function is_missed(row) {
  return row in profile_unknown && !(row in named) && option["effort"] != "thorough" && \
    (option["effort"] == "quick" || profile_unknown[row] != "quick")
}

# Without what ends a text in a shell, in JSON or among those of config.status --recheck.
function plain(text) { gsub(/['"\\|]/, "", text); return text }

function is_left_out(row) {
  return left[row] && option["leaves"] >= left[row] && !(row in named) && (left[row] == 1 || !wanted_count || option["rows-from"] != "")
}

# The model that is to compute it: it is measured by none, or could not be measured.
function awaits(row) {
  if (spare[row] == "") return model[row]
  return is_tried(row) || is_missed(row) || option["idle"] != "" || is_left_out(row) ? spare[row] : ""
}

# resolve ROW: its value by precedence, given, cache, profile, measured. result[row] stays empty if it is still to be
# measured or computed.
function resolve(row) {
  value[row] = source[row] = span[row] = reason[row] = result[row] = ""
  if (row in given) {
    value[row] = given[row]; source[row] = 3
    result[row] = given[row] (row in environment ? " (given in the environment)" : " (given)")
  } else if (row in cached && cached[row] != "unknown") {
    value[row] = cached[row]
    source[row] = from[row] == 7 ? 5 : from[row] ~ /^[45]$/ ? from[row] : 2
    result[row] = row in answered ? cached[row] : "(cached) " cached[row]
  } else if (row in profile) {
    value[row] = profile[row]; source[row] = 2
    result[row] = profile[row] " (profile)"
  } else if (row in never) {
    reason[row] = never[row]
    result[row] = "unknown (" never[row] ")"
  } else if (awaits(row) != "") resolve_model(row)
  else if (is_tried(row)) {
    reason[row] = cached_why[row]
    result[row] = (row in answered ? "" : "(cached) ") "unknown (" cached_why[row] ")"
  } else if (option["idle"] != "") result[row] = "unknown (not measured)"
  else if (is_left_out(row)) {
    reason[row] = left[row] == 1 ? "only measured when named" : "a quick run leaves it out"
    result[row] = "unknown (" reason[row] ")"
  } else if (is_missed(row)) {
    reason[row] = "not found when the profile was made"
    result[row] = "unknown (" reason[row] ")"
  }
  if (kind[row] != "exact") resolve_range(row)
  if (value[row] == "" && result[row] != "") resolve_none(row)
}

function resolve_model(row) {
  if (row in modelled) {
    value[row] = modelled[row]; source[row] = 4
    result[row] = value[row] " (derived)"
  } else if (row in no_model) {
    reason[row] = cached_why[row] == "" ? no_model[row] : cached_why[row]
    result[row] = "unknown (" reason[row] ")"
  }
}

# A range that does not hold the value is dropped. A value that is given has none.
function resolve_range(row,  text, at) {
  if (value[row] == "" || source[row] == 3) return
  text = result[row] ~ /\(profile\)$/ ? profile_range[row] : cached_range[row]
  if (text == "") return
  at = index(text, ":")
  if (above(substr(text, 1, at - 1), value[row]) || above(value[row], substr(text, at + 1))) {
    late_warn(row, macro(row) "=" value[row] ": not within its range " text ", which is dropped")
    if (result[row] !~ /\(profile\)$/) dropped_range[row]
    return
  }
  span[row] = text
  sub(/:/, " to ", text)
  at = index(result[row], value[row])
  result[row] = substr(result[row], 1, at - 1) value[row] " (" text ")" substr(result[row], at + length(value[row]))
}

# resolve_none ROW: of what is not there "none", and no unknown.
function resolve_none(row,  at) {
  reason[row] = plain(reason[row])
  if (reason[row] == "") reason[row] = "not measured"
  if (!none(row)) return
  if (result[row] == "unknown (not measured)") result[row] = "none"
  else if ((at = index(result[row], "unknown")) > 0)
    result[row] = substr(result[row], 1, at - 1) "none" substr(result[row], at + 7)
}

# Whether nothing measures it, or it is of something that is not there, by the counts that are known.
function none(row,  n, i, list) {
  if (row in never || left[row] == 1 && is_left_out(row)) return 1
  if (probe[row] == "mpi" && row != "mpi_layers" && option["mpi"] == "no") return 1
  if (row == "mpi_layers" && option["mpi"] == "no") return 1
  n = split(none_rules[row], list, " ")
  for (i = 1; i < n; i += 2)
    if (value[list[i]] != "" && above(list[i + 1], value[list[i]])) return 1
  return 0
}

function resolve_all(  i) { for (i = 1; i <= seen_count; i++) resolve(seen_rows[i]) }

# ---- What contradicts itself. Two values that are given: an error; a given one makes the other unknown; two that are
# not given do so with each other.

function clash(a, b, text) {
  if (source[a] == 3 && source[b] == 3) { fail(text); return }
  if (source[a] == 3 || source[b] == 3) warn(text ": left unknown")
  else remark(text ": left unknown")
  unknown_since(a, text)
  unknown_since(b, text)
}

function unknown_since(row, text) {
  if (source[row] == 3) return
  value[row] = source[row] = span[row] = ""
  reason[row] = plain(text)
  clashed[row]
}

# None of these rows, as far as they are known, exceeds one that comes after it: by HW_ORDER if the switch, unless that
# is none, is 0, by HW_BOUND if it is not 1. Of a range that end counts which agrees with the other. With a row as ABOUT
# nothing clashes: the text is returned if that row would.
function check_rule(rule, about,  n, i, j, list, text, a, b) {
  n = split(rule, list, " ")
  if (list[2] != "none" && value[list[2]] != "0" && (list[1] != "bound" || value[list[2]] != "")) return about_text
  for (i = 3; i < n; i++)
    for (j = i + 1; j <= n; j++) {
      a = list[i]; b = list[j]
      if (value[a] == "" || value[b] == "" || !above(value[a], value[b])) continue
      if (!above(low_end(a), high_end(b))) continue
      text = macro(a) "=" value[a] " is larger than " macro(b) "=" value[b]
      if (about == "") clash(a, b, text)
      else if (about == a || about == b) about_text = text
    }
  return about_text
}

function low_end(row) { return span[row] == "" ? value[row] : substr(span[row], 1, index(span[row], ":") - 1) }
function high_end(row) { return span[row] == "" ? value[row] : substr(span[row], index(span[row], ":") + 1) }

# The number of levels and the switch of level N say the same.
function check_levels(n,  have, due) {
  have = "have_l" n
  if (value["cache_levels"] == "" || value[have] == "") return
  due = value["cache_levels"] + 0 >= n ? 1 : 0
  if (value[have] + 0 != due)
    clash(have, "cache_levels", macro(have) "=" value[have] " does not agree with HW_CACHE_LEVELS=" value["cache_levels"])
}

# Four that were measured, of a cache, fit each other; four that are given have to, and three of them have room for a
# number of sets.
function check_shape(cache,  name, srcs, product, text, n, i, list) {
  name = "HW_" toupper(cache)
  srcs = source[cache "_bytes"] source[cache "_assoc"] source[cache "_line"] source[cache "_sets"]
  if (source[cache "_bytes"] == 3 && srcs ~ /^333/) {
    product = value[cache "_assoc"] * value[cache "_line"]
    if (value[cache "_bytes"] % product != 0)
      fail(name "_BYTES=" value[cache "_bytes"] " is no multiple of " name "_ASSOC * " name "_LINE=" number(product))
  }
  if (srcs != 3333 && srcs != 5555) return
  product = shape_product(cache)
  if (product == value[cache "_bytes"]) return
  text = name "_SETS * " name "_ASSOC * " name "_LINE=" product " is not " name "_BYTES=" value[cache "_bytes"]
  if (srcs == 3333) { fail(text); return }
  remark(text ": left unknown")
  n = split("bytes assoc line sets", list, " ")
  for (i = 1; i <= n; i++) unknown_since(cache "_" list[i], text)
}

function number(n) { return sprintf("%.0f", n) }
function shape_product(cache) { return number(value[cache "_sets"] * value[cache "_assoc"] * value[cache "_line"]) }

function agree(  i, n, list) {
  for (i = 1; i <= 3; i++) check_levels(i)
  for (i = 1; i <= rule_count; i++) if (rules[i] ~ /^order/) check_rule(rules[i], "")
  n = split(shapes, list, " ")
  for (i = 1; i <= n; i++) check_shape(list[i])
}

# ---- What follows from other values, if it is not known anyhow: the capacity from the shape, the number of levels and
# the switches from each other and from sizes, and the sizes of a level that does not exist, which repeat those of the
# level before.

function derive(row, to) {
  if (value[row] != "" || to == "") return
  value[row] = to
  source[row] = 4
}

function follow(  n, cache, have) {
  for (n = 1; n <= 3; n++) {
    cache = "l" n
    if (value["have_" cache] == "0" || value[cache "_bytes"] != "" || (cache "_bytes") in clashed) continue
    if (value[cache "_sets"] == "" || value[cache "_assoc"] == "" || value[cache "_line"] == "") continue
    if (illegal(cache "_bytes", shape_product(cache)) == "") derive(cache "_bytes", shape_product(cache))
  }
  for (n = 1; n <= 3; n++)
    if (value["cache_levels"] != "") derive("have_l" n, value["cache_levels"] + 0 >= n ? 1 : 0)
  # One that holds more than the one before is there, and a level stands on those before it.
  for (n = 3; n > 1; n--)
    if (value["l" (n - 1) "_bytes"] != "" && value["l" n "_bytes"] != "" && above(value["l" n "_bytes"], value["l" (n - 1) "_bytes"]))
      derive("have_l" n, 1)
  if (value["have_l3"] == 1) derive("have_l2", 1)
  if (value["have_l2"] == 1) derive("have_l1", 1)
  if (value["have_l1"] == "0") derive("have_l2", 0)
  if (value["have_l2"] == "0") derive("have_l3", 0)
  have = value["have_l1"] value["have_l2"] value["have_l3"]
  if (have == "000" || have == "100" || have == "110") derive("cache_levels", have == "000" ? 0 : have == "100" ? 1 : 2)
  follow_size("bytes")
  follow_size("eff_bytes")
  follow_size("line")
}

function follow_size(name) {
  if (value["have_l2"] == "0") derive("l2_" name, value["l1_" name])
  if (value["have_l3"] == "0") derive("l3_" name, value["l2_" name])
}

# ---- What the system reports, if nothing could be measured and nothing that is known contradicts it.

function claim(  i, n, list) {
  if (option["idle"] != "" || option["unknown"] == "strict") return
  for (i = 1; i <= claim_count; i++) {
    split(claims[i], list, " ")
    claim_row(list[1], list[2], list[3])
  }
  for (n = 1; n <= 2; n++)
    if (source["l" n "_bytes"] == 6 && value["have_l" n] == "" && is_checked("have_l" n)) {
      value["have_l" n] = 1
      source["have_l" n] = 6
    }
}

function is_checked(row) { return row in seen && is_wanted(row) }

# Nothing where an emulator translates the program: getconf is of the machine around it.
function report(row,  i) {
  if (emulated == "")
    for (emulated = i = 0; ++i <= row_count;)
      if (cached[rows[i]] == "unknown" && cached_why[rows[i]] ~ /^an emulator /) emulated = 1
  return emulated || reported[row] == "none" || reports[reported[row]] !~ /^[1-9][0-9]*$/ ? "" : reports[reported[row]]
}

function claim_row(row, effective, next_row,  text, why) {
  if (!is_checked(row) || none(row) || value[row] != "" || report(row) == "") return
  text = macro(row) ": the system reports " report(row)
  why = illegal(row, report(row))
  if (why == "") why = refuted(row, effective, next_row)
  if (why != "") { log_line(text ", which is not used: " why); return }
  log_line(text ", which stands")
  value[row] = report(row)
  source[row] = 6
}

function refuted(row, effective, next_row,  i, cache, product) {
  if (effective != "none" && value[effective] != "" && above(number(int(report(row) / 4)), value[effective]))
    return "no more than " value[effective] " bytes were seen to fit"
  if (next_row != "none" && !followed(row, next_row)) return "it may be a last level, which is shared"
  about_text = ""
  value[row] = report(row)
  for (i = 1; i <= rule_count; i++) if (rules[i] ~ /^order/) check_rule(rules[i], row)
  for (i = 1; i <= rule_count; i++) if (rules[i] ~ /^bound/) check_rule(rules[i], row)
  value[row] = ""
  if (about_text != "") return about_text
  if (row !~ /^l[123]_bytes$/) return ""
  cache = substr(row, 1, 2)
  if (value[cache "_assoc"] == "" || value[cache "_line"] == "") return ""
  product = value[cache "_assoc"] * value[cache "_line"]
  return report(row) % product == 0 ? "" : "it is no multiple of ways * line=" number(product)
}

# Whether the level of the row is not the last, or no other processor shares it.
function followed(row, next_row,  have) {
  have = value["have_" substr(next_row, 1, 2)]
  if (value[substr(row, 1, 2) "_shared_by"] == 1 || have == 1) return 1
  return have == "0" ? 0 : report(next_row) != ""
}
