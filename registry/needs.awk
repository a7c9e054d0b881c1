# SPDX-License-Identifier: MIT
# What of the probes' program some rows need, for probes/build.sh and vendor/copy.sh:
#
#   awk -v tell=WHAT -v names="NAME..." -v manner=EFFORT -f table.awk -f needs.awk TABLE
#
# The names are of macros, with or without HW_, and of groups, without their rare rows.
#
#   probes     the probes that they need, with the kinds of processors, which are always there; or unknown NAME
#   table      the lines of the table that these need
#   loops      the families of generated loops that they need (probes/nano/hwnano.c); nothing if no names are given
#   seconds    how long it takes to measure them, at least and at most, on two processors that are idle

BEGIN {
  table_read(ARGV[1])
  unknown = needs_take(names)
  if (tell == "seconds") print seconds(manner)
  else if (tell == "loops") loops()
  else if (unknown != "") print "unknown", unknown
  else if (tell == "table") table_of_some()
  else print_probes()
  exit
}
END { if (dead) exit 1 }

# taken has the probes that they need: of a row its probe, what that needs and what a model reads. The first name that
# is none, or nothing.
function needs_take(names,  n, i, m, j, list, some, name) {
  n = split(names, list, /[ ,]+/)
  for (i = 1; i <= n; i++) {
    name = list[i]
    sub(/^HW_/, "", name)
    if (name == "") continue
    if (tolower(name) in title) needs_row(tolower(name))
    else if (!(name in group_rows)) return list[i]
    else for (j = split(group_rows[name], some, " "); j > 0; j--) if (left[some[j]] != 1) needs_row(some[j])
  }
  return ""
}

function needs_row(row,  n, i, list) {
  if (row in needs_rows) return
  needs_rows[row]
  needs_probe(probe[row])
  n = spare[row] != "" ? 0 : split(reads[row], list, " ")
  for (i = 1; i <= n; i++) needs_row(list[i])
}

function needs_probe(name,  n, i, list) {
  if (name in taken) return
  taken[name]
  n = split(needs[name], list, " ")
  for (i = 1; i <= n; i++) needs_probe(list[i])
}

# What needs generated code.
function is_of_core(name) { return group[name] ~ /^(INSTRUCTIONS|REGISTERS)$/ }

function print_probes(  i, text) {
  needs_probe("kinds")
  needs_probe("clock")
  for (i = 1; i <= probe_count; i++) if (probes[i] in taken) text = text " " probes[i]
  print substr(text, 2)
}

# ---- The table of some ------------------------------------------------------------------------

# All rows of the probes that are taken, and of models the rows that are needed; all that there is if no names are given.
function table_of_some(  i, row, line, within) {
  needs_probe("kinds")
  needs_probe("clock")
  for (i = 1; i <= row_count; i++) {
    row = rows[i]
    if (names == "") needs_row(row)
    if (probe[row] in taken && !(probe[row] in is_model) || row in needs_rows) kept[row]
    if (row in kept) kept_probe[probe[row]]
    if (row in kept && spare[row] != "") kept_probe[spare[row]]
  }
  for (i in taken) kept_probe[i]
  while ((getline line <ARGV[1]) > 0) {
    if (line ~ /^\/\*/) within = 1
    if (line == "#endif") print_absent()
    if (!within && line != "") table_line_of_some(line)
    if (line ~ /\*\//) within = 0
  }
  close(ARGV[1])
}

function print_absent(  i, text) {
  for (i = 1; i <= row_count; i++) if (!(rows[i] in kept)) text = text " " rows[i]
  for (i = 1; i <= list_count; i++) if (!(lists[i] in kept_list)) text = text " " lists[i]
  if (text != "") print "HW_ABSENT(" substr(text, 2) ")"
}

function table_line_of_some(line,  name, head, n, first) {
  if (line !~ /^HW_[A-Z]+\(.*\)$/) {
    print line
    return
  }
  name = substr(line, 4, index(line, "(") - 4)
  head = substr(line, 1, index(line, "("))
  n = split(substr(line, length(head) + 1, length(line) - length(head) - 1), field, / *, */)
  if (name == "EFFORT") print line
  else if (name == "PROBE") {
    if (field[1] in taken) print line
  } else if (name == "MODEL" || name ~ /^(BRIEF|RARE)$/) {
    if (field[1] in kept_probe) print line
  } else if (name == "PARAM" || name == "DERIVED") {
    if (field[3] in kept) print line
  } else if (name == "LIST") {
    if (!(tolower(field[3]) in kept)) return
    kept_list[field[2]]
    print line
  } else if (name == "SHAPE") {
    if (field[1] "_sets" in kept && field[1] "_assoc" in kept && field[1] "_line" in kept && field[1] "_bytes" in kept) print line
  } else if (name == "LINE") {
    field[2] = items_of_some(field[2])
    if (field[2] != "") put_line(head, n)
  } else if (name == "READS" || name == "STANDS" || name == "NEVER" || name == "REPORTED") {
    first = field[1]
    if (name != "NEVER") for (i = 2; i <= n; i++) field[i] = words_of_some(field[i], "none")
    if (first in kept && !(name ~ /^(READS|STANDS)$/ && field[2] == "none")) put_line(head, n)
  } else {
    field[1] = words_of_some(field[1], "")
    if (name == "NONE" && !(field[2] in kept)) return
    if (name ~ /^(ORDER|BOUND)$/ && (field[1] !~ / / || field[2] != "none" && !(field[2] in kept))) return
    if (field[1] != "") put_line(head, n)
  }
}

function put_line(head, n,  i) {
  for (i = 1; i <= n; i++) head = head (i == 1 ? "" : ", ") field[i]
  print head ")"
}

# The words that are rows, probes or models that are kept, or begin some, as l2_*; or the error if there is none.
function words_of_some(words, none,  n, i, list, text) {
  n = split(words, list, " ")
  for (i = 1; i <= n; i++)
    if (list[i] in kept || list[i] in kept_probe || list[i] ~ /\*$/ && begins_some(list[i])) text = text " " list[i]
  return text == "" ? none : substr(text, 2)
}

function begins_some(stem,  row) {
  for (row in kept) if (index(row, substr(stem, 1, length(stem) - 1)) == 1) return 1
  return 0
}

# The pieces of a line of the terminal that show rows that are kept.
function items_of_some(items,  n, m, i, j, list, some, text, there) {
  n = split(items, list, / *; */)
  for (i = 1; i <= n; i++) {
    match(list[i], /\*[a-z0-9_\/]+/)
    m = split(substr(list[i], RSTART + 1, RLENGTH - 1), some, "/")
    there = 0
    for (j = 1; j <= m; j++) if (some[j] in kept) there++
    if (there == m) text = text "; " list[i]
  }
  return substr(text, 3)
}

function loops(  row, family, text) {
  for (row in needs_rows) loops_of(row)
  for (family in needs_family) text = text " " family
  print substr(text, 2)
}

# The loops that a row is read off: those of its operation on its type, and of operations that its readers compare it with.
# A loop of vectors has the width that additions tell; a loop of floating point has as many integers beside it as registers
# hold.
function loops_of(row,  n, word, op, type) {
  if (!is_of_core(probe[row])) return
  n = split(row, word, "_")
  if (word[n] == "x100") n--
  op = word[2]
  type = word[n]
  if (row ~ /^branch_/) needs_family["tree"]
  if (row == "issue_bundle") loops_all("bundle add_vf32")
  if (row == "issue_mix_x100") loops_all("add_i32 add_f64 mix")
  if (row == "vec_bytes" || type ~ /^v/) needs_family["add_vf32"]
  if (type !~ /^(v?[if](32|64)|v)$/) return
  if (type == "v") type = "vf32"
  needs_family["add_" type]
  if (row ~ /^(lat|rtp|ilp)_/) needs_family[op "_" type]
  if (row ~ /^nr_/) loops_all("live_" type " live_i32 add_i32")
  if (row ~ /^(have|rtp|ilp)_fma_/) loops_all("mul_" type " fma_" type " fused_" type)
}

function loops_all(families,  n, list) {
  for (n = split(families, list, " "); n > 0; n--) needs_family[list[n]]
}

# From the hundredths of a second that each group takes beside its probes, as to compile it; each family of
# loops, to compile; and the probes, those by name that take longer than others. Configures of five processors took a fifth
# less to twice as long.
function seconds(manner,  n, i, list, cost, sum, name, row) {
  n = split("L1 5 PAGE 5 TLB 10 CACHES 25 ICACHE 10 INSTRUCTIONS 15 REGISTERS 5 PROCESSORS 20 SHARING 20 " \
    "clock 15 map 70 levels 30 tlb 20 bandwidth 30 parallel 40 colours 30 fetch 30 tlbs 45 icache 20 " \
    "scalars 12 streams 16 vector_streams 16 registers 12 registers_float 12 processors 10 destructive 15 sharing 25 slot 10 contexts 12 " \
    "handing 10 paths 10 nodes 40 write 15 tile 25 bypass 40 patterns 200 bundles 600", list, " ")
  for (i = 1; i < n; i += 2) cost[list[i]] = list[i + 1]
  sum = 65
  for (row in needs_rows) loops_of(row)
  for (name in needs_family) sum += 2.6
  for (name in taken)
    if (group[name] != "MPI") {
      sum += cost[group[name]] + (name in cost ? cost[name] : 5)
      cost[group[name]] = 0
    }
  sum *= (manner == "quick" ? 0.8 : manner == "thorough" ? 3 : 1) / 100
  return int(0.8 * sum + 0.5) " " int(2 * sum + 1)
}
