# SPDX-License-Identifier: MIT
# The C of the probes' program: all of it as one text, or what some probes need of it, as a linker takes objects from an
# archive; the value of a row of another probe that is named there is unknown.
#
#   awk [-v probes="NAME..."] [-v to=FOLDER] [-v one=1] -f sources.awk FILE...
#
# HW_DIR in the environment is the folder that the names are of. The files are those of probes/parts, which list the sources, or one that this program has written: a copy has such a
# one, with each header and each source once, without comments.
#
# probes: those that are taken, with the readers of their rows and whatever these call; the table tells which row is
# of which probe. Without it all is taken.
# to: a folder, for files to compile side by side: timed.c, what is timed, with the flags of the user, and plain.0.c and so
# on, each with the headers. Without it standard output has the text.
# one: the files themselves are to be one text, with what they include.

BEGIN {
  part_size = 120000 # bytes of C that one compiler takes
  dir = ENVIRON["HW_DIR"]
  whole = probes == ""
  for (i = 1; i < ARGC; i++)
    if (one) include(ARGV[i], "")
    else load(ARGV[i], "")
  if (!whole) choose()
  if (to == "") print_whole()
  else print_parts()
  exit failed
}

function fail(text) {
  print "sources.awk: " text >"/dev/stderr"
  failed = 1
  exit 1
}

# ---- Reading ----------------------------------------------------------------------------------

# Reads a file into the section of that name, and what it includes into sections of their own, which come before it.
function load(file, section,  line, got, name) {
  file = dir "/" file
  while ((got = (getline line <file)) > 0) {
    if (line ~ /^\/\*: .* \*\/$/) {
      section = substr(line, 5, length(line) - 7)
      enter(section)
      continue
    }
    line = code(line)
    if (line == "") continue
    if (line ~ /^# *include "[a-z0-9_\/]*\.[ch]"/) {
      split(line, name, "\"")
      if (name[2] != "probes/params.h") { # which is included again and again
        include(name[2], section)
        continue
      }
    }
    if (section != "") add(section, line)
  }
  if (got < 0) fail(file ": cannot be read")
  close(file)
}

function include(name, section) {
  includes = 1
  including[section] = including[section] " " name
  if (name in seen) return
  seen[name]
  load(name, name)
  enter(name)
}

# What comes before plain.h is timed.
function enter(section) {
  seen[section]
  if (section ~ /\.h$/) {
    heads[++head_count] = section
    if (section == "probes/parts/plain.h") plain = 1
  } else {
    sources[++source_count] = section
    if (!plain) timed[section]
  }
}

# The line without comments, and with one space if it is indented.
function code(line,  at, end, head) {
  if (within) {
    if (!(at = index(line, "*/"))) return ""
    within = 0
    line = substr(line, at + 2)
  }
  while ((at = comment(line))) {
    head = substr(line, 1, at - 1)
    line = substr(line, at + 2)
    if (!(end = index(line, "*/"))) {
      within = 1
      line = head
      break
    }
    line = head substr(line, end + 2)
  }
  sub(/ +$/, "", line)
  sub(/ +\\$/, " \\", line)
  sub(/^ +/, " ", line)
  return line
}

# Where a comment begins that no string holds, or 0.
function comment(line,  from, at, head) {
  for (from = 0; (at = index(substr(line, from + 1), "/*")); from += at + 1) {
    head = substr(line, 1, from + at - 1)
    gsub(/\\./, "", head)
    if (gsub(/"/, "", head) % 2 == 0) return from + at
  }
  return 0
}

# ---- Choosing ---------------------------------------------------------------------------------

# Keeps the line. If there is a choice, a section is cut into items: functions, which are taken if they are called, and what
# is between them, which is taken with the section; names of the functions are in item_name. Lines of a function are from
# one at the first column that has its name before a bracket to one that begins with a brace; those of a prototype end with
# a semicolon instead. A line of the machine's operations, " .walk = real_walk,", is an item too, which is taken if they are
# called by that name, as ops->walk.
function add(section, line,  word, k) {
  if (whole || section ~ /^stand-ins/) {
    text[section] = text[section] line "\n"
    return
  }
  k = items[section]
  if (!inside[section]) {
    if (line ~ /^[a-z][a-z_0-9 *]*[ *][a-z_0-9]+\(/ && line !~ /;$/) {
      match(line, /[a-z_0-9]+\(/)
      word = substr(line, RSTART, RLENGTH - 1)
      k = ++items[section]
      item_name[section, k] = word
      item_static[section, k] = line ~ /^static/ && section ~ /\.c$/
      inside[section] = 1
    } else if (line ~ /^ \.[a-z_]+ = [a-z_0-9]+,$/ && (operations[section] || item[section, k] ~ /_ops [a-z_]+ = \{/)) {
      operations[section] = 1
      word = substr(line, 3)
      sub(/ .*/, "", word)
      word = "ops->" word
      k = ++items[section]
      item_name[section, k] = word
      defined[word] = section
      defined[section, word] = k
    } else {
      operations[section] = 0
      if (!k || item_name[section, k] != "") k = ++items[section]
      if (section ~ /^analysis\/rows\/.*c$/ && line ~ /^[A-Z_]+\([a-z]/) {
        word = substr(line, index(line, "(") + 1)
        sub(/[^a-z0-9_].*/, "", word)
        readers[section, word]
      } else if (section ~ /\.c$/ && line ~ /^[a-z]/ && line !~ /^static/ && match(line, /hw_[a-z0-9_]+(\[| =|;)/)) {
        word = substr(line, RSTART, RLENGTH)
        sub(/[^a-z0-9_].*/, "", word)
        defined[word] = section
      }
    }
  }
  item[section, k] = item[section, k] line "\n"
  if (!inside[section]) return
  if (inside[section] == 1 && line ~ /;$/) {
    item_name[section, k] = ""
    inside[section] = 0
  } else if (inside[section] == 1 && line ~ /\{($| .*\}$)/) {
    inside[section] = line ~ /\}$/ ? 0 : 2
    word = item_name[section, k]
    defined[section, word] = defined[section, word] " " k
    if (!item_static[section, k]) defined[word] = section
  } else if (line ~ /^\}/) inside[section] = 0
}

function choose(  n, i, list, row) {
  read_table()
  n = split(probes, list, " ")
  for (i = 1; i <= n; i++) taken[list[i]]
  need("main", "")
  for (i = 1; i <= n; i++) need("hw_probe_" list[i], "")
  for (row in probe) if (probe[row] in taken) need_reader(row)
  for (i = 1; i <= head_count && !includes; i++) uses_of_macros(heads[i])
  while (waiting > 0) {
    i = wait[waiting--]
    split(i, list, SUBSEP)
    uses_of(item[i], list[1])
  }
  stand_in()
}

# The probe of each row; none for a row that only the whole table has.
function read_table(  line, word, n, i) {
  table = table == "" ? dir "/probes/params.def" : table
  while ((getline line <table) > 0)
    if (line ~ /^HW_PARAM\(/) {
      split(line, word, / *, */)
      rows[++row_count] = word[3]
      probe[word[3]] = word[2]
    } else if (line ~ /^HW_ABSENT\(/) {
      n = split(substr(line, 11, length(line) - 11), word, " ")
      for (i = 1; i <= n; i++) {
        rows[++row_count] = word[i]
        probe[word[i]] = "none"
      }
    }
  close(table)
}

# What the section calls by that name.
function need(name, section,  row) {
  if ((section, name) in defined) {
    take_items(section, defined[section, name])
    return
  }
  if (name in needed) return
  needed[name]
  if (name == "hw_reread") return # of the whole program alone
  if (name ~ /^hw_(value|read)_/) {
    need("hw_traced", "") # whose source has the values of all rows of the table
    row = substr(name, name ~ /^hw_v/ ? 10 : 9)
    if (sub(/##$/, "", row)) need_rows(row)
    else if (row in probe && !(probe[row] in taken)) absent[row]
  }
  if (!(name in defined)) return
  section = defined[name]
  take(section)
  if ((section, name) in defined) take_items(section, defined[section, name])
}

# A macro puts the names of several rows together; in the frame the table names all rows.
function need_rows(begin,  row) {
  if (begin == "") return
  for (row in probe) if (index(row, begin) == 1) need("hw_value_" row, "")
}

# The readers of a probe's rows are in the file of its name, or where they are named.
function need_reader(row,  section, pair, word) {
  if ("hw_read_" row in defined) {
    need("hw_read_" row, "")
    return
  }
  section = defined["hw_probe_" probe[row]]
  sub(/.*\//, "analysis/rows/", section)
  if (section in seen) take(section)
  for (pair in readers) {
    split(pair, word, SUBSEP)
    if (index(row, word[2]) == 1) take(word[1])
  }
}

# Takes a source, but for its functions, or a header for one of its functions.
function take(section,  k) {
  if (section in chosen) return
  chosen[section]
  if (section ~ /\.c$/)
    for (k = 1; k <= items[section]; k++) if (item_name[section, k] == "") take_item(section, k)
  take_headers(section)
}

# All of a name: which of them there is the preprocessor may tell.
function take_items(section, numbers,  n, i, list) {
  n = split(numbers, list, " ")
  for (i = 1; i <= n; i++) take_item(section, list[i])
}

function take_item(section, k) {
  if ((section, k) in chosen) return
  chosen[section, k]
  wait[++waiting] = section SUBSEP k
}

# Needs the names in that text.
function uses_of(rest, section,  word) {
  while (match(rest, /[a-z][a-z0-9]*_[a-z0-9_]+|ops->[a-z_]+/)) {
    word = substr(rest, RSTART, RLENGTH)
    rest = substr(rest, RSTART + RLENGTH)
    if (rest ~ /^##/) word = word "##"
    if (word in needed && !((section, word) in defined)) continue
    need(word, section)
  }
}

# Its headers, of which the functions wait until they are called, and macros may call others.
function take_headers(section,  n, i, list) {
  n = split(including[section], list, " ")
  for (i = 1; i <= n; i++)
    if (!(list[i] in included)) {
      included[list[i]]
      take_headers(list[i])
      uses_of_macros(list[i])
    }
}

function uses_of_macros(section,  k, n, i, line, macro) {
  for (k = 1; k <= items[section]; k++) {
    if (item[section, k] !~ /# *define/) continue
    n = split(item[section, k], line, "\n")
    for (i = 1; i <= n; i++) {
      if (line[i] ~ /^# *define/) macro = 1
      if (macro) uses_of(line[i], section)
      if (line[i] !~ /\\$/) macro = 0
    }
  }
}

# The text of a section, without functions that are not taken.
function text_of(section,  k, out) {
  if (whole || section ~ /^stand-ins/) return text[section]
  for (k = 1; k <= items[section]; k++)
    if (item_name[section, k] == "" || (section, k) in chosen) out = out item[section, k]
  return out
}

# For rows of other probes, which the table that C is compiled with lacks, and for what reads curves again.
function stand_in(  i, row, begin) {
  text["stand-ins.h"] = ""
  text["stand-ins.c"] = "int hw_reread(int argc, char **argv) {\n (void)argc;\n return argv == NULL ? 0 : -1;\n}\n"
  for (i = 1; i <= row_count; i++) {
    row = rows[i]
    if (!(row in absent)) continue
    begin = "struct hw_answer hw_value_" row "(const struct hw_curves *curves)"
    text["stand-ins.h"] = text["stand-ins.h"] begin ";\n"
    text["stand-ins.c"] = text["stand-ins.c"] begin " {\n return hw_unknown(\"none\", curves == NULL ? \"\" : \"it was not asked for\");\n}\n"
  }
  if (!("stand-ins.c" in seen)) {
    enter("stand-ins.h")
    enter("stand-ins.c")
  }
  included["stand-ins.h"]
  chosen["stand-ins.c"]
}

# ---- Writing ----------------------------------------------------------------------------------

function print_whole(  i) {
  print_heads("", 0)
  for (i = 1; i <= source_count; i++) if (sources[i] in timed) print_section(sources[i], "")
  print_plain("")
  for (i = 1; i <= source_count; i++) if (!(sources[i] in timed)) print_section(sources[i], "")
}

# In each file: what asks the system for more than POSIX, and all headers.
function print_heads(file,  i) {
  if (!whole && !("probes/code/icache.c" in chosen)) put("#define HW_WITHOUT_ICACHE\n", file)
  for (i = 1; i <= head_count; i++) if (heads[i] != "probes/parts/plain.h") print_section(heads[i], file)
}

function print_plain(file) { print_section("probes/parts/plain.h", file) }

function print_section(section, file) {
  if (!is_chosen(section)) return
  put("/*: " section " */\n" text_of(section), file)
}

# All headers if it is not known which file includes which.
function is_chosen(section) {
  if (whole || section ~ /\/(features|plain)\.h$/) return 1
  return section ~ /\.h$/ ? !includes || section in included : section in chosen
}

function put(text, file) {
  if (file == "") printf "%s", text
  else printf "%s", text >file
}

function print_parts(  i, n, k, least, size, sum, of) {
  print_heads(to "/timed.c")
  for (i = 1; i <= source_count; i++)
    if (!is_chosen(sources[i])) continue
    else if (sources[i] in timed) print_section(sources[i], to "/timed.c")
    else sum += length(text_of(sources[i]))
  n = int(sum / part_size) + 1
  for (k = 0; k < n; k++) {
    print_heads(to "/plain." k ".c")
    print_plain(to "/plain." k ".c")
  }
  for (i = 1; i <= source_count; i++) {
    if (!is_chosen(sources[i]) || sources[i] in timed) continue
    least = 0
    for (k = 1; k < n; k++) if (size[k] + 0 < size[least] + 0) least = k
    size[least] += length(text_of(sources[i]))
    print_section(sources[i], to "/plain." least ".c")
  }
}
