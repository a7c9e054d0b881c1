# SPDX-License-Identifier: MIT
# What of the probes' program some rows need, for probes/build.sh and vendor/rows.sh:
#
#   awk -v tell=WHAT -v names="NAME..." -v manner=EFFORT -f table.awk -f needs.awk TABLE
#
# The names are of macros, with or without HW_, and of groups.
#
#   absent     the parts of the program that they do not need, a line each, PART PROBE...; or unknown NAME. A part needs
#              those that stand before it in the list, but for the core. The kinds of processors are always there
#   loops      the families of generated loops that they need (probes/nano/hwnano.c); nothing if no names are given
#   seconds    how long it takes to measure them, on two processors that are idle
#   stand-ins  C in place of the probes that names lists, which measures nothing

BEGIN {
  table_read(ARGV[1])
  if (tell == "stand-ins") stand_ins()
  else {
    unknown = needs_take(names)
    if (tell == "seconds") print seconds(manner)
    else if (tell == "loops") loops()
    else if (unknown != "") print "unknown", unknown
    else absent()
  }
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
    else for (j = split(group_rows[name], some, " "); j > 0; j--) needs_row(some[j])
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

# The part of a probe: 0 for what is always there.
function part(name) {
  if (name == "kinds" || group[name] == "CLOCK" || name in is_model) return 0
  if (group[name] ~ /^(INSTRUCTIONS|REGISTERS)$/) return 5
  if (group[name] ~ /^(PROCESSORS|SHARING|MPI)$/) return 4
  return name ~ /^(latency|l1|line)$/ ? 1 : name ~ /^(page|tlb|map|levels)$/ ? 2 : 3
}

function absent(  i, name, list, words, core, most) {
  for (i = 1; i <= probe_count; i++) list[part(probes[i])] = list[part(probes[i])] " " probes[i]
  for (name in taken)
    if (part(name) == 5) core = 1
    else if (part(name) > most) most = part(name)
  split("LEVEL1 LEVELS MEMORY SYSTEM CORE", words, " ")
  for (i = 5; i > most; i--) if (i < 5 || !core) print words[i] list[i]
}

function loops(  row, family, text) {
  for (row in needs_rows) loops_of(row)
  for (family in needs_family) text = text " " family
  print substr(text, 2)
}

# What the value of a row is read off: loops of its operation on its type, and of others that its readers compare with.
# A loop of vectors has the width that additions tell, and one of floating point as many integers as registers hold.
function loops_of(row,  n, word, op, type) {
  if (part(probe[row]) < 5) return
  n = split(row, word, "_")
  if (word[n] == "x100") n--
  op = word[2]
  type = word[n]
  if (row ~ /^branch_/) needs_family["tree"]
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

# In hundredths of a second: what each group takes beside its probes, as for its part of the program; each family of
# loops, to compile; and the probes, those by name that take longer than others.
function seconds(manner,  n, i, list, cost, sum, name, row) {
  n = split("L1 5 PAGE 5 TLB 10 CACHES 25 ICACHE 10 INSTRUCTIONS 15 REGISTERS 5 PROCESSORS 20 SHARING 20 " \
    "clock 15 map 70 levels 30 tlb 20 bandwidth 30 parallel 40 colours 30 fetch 30 tlbs 45 icache 20 " \
    "scalars 12 streams 16 vector_streams 16 registers 12 registers_float 12 processors 10 destructive 15 sharing 25 slot 10 contexts 12 " \
    "handing 10 paths 10 nodes 40 write 15 tile 25", list, " ")
  for (i = 1; i < n; i += 2) cost[list[i]] = list[i + 1]
  sum = 65
  for (row in needs_rows) loops_of(row)
  for (name in needs_family) sum += 2.6
  for (name in taken)
    if (group[name] != "MPI") {
      sum += cost[group[name]] + (name in cost ? cost[name] : 5)
      cost[group[name]] = 0
    }
  return int(sum * (manner == "quick" ? 0.8 : manner == "thorough" ? 3 : 1) / 100 + 0.5)
}

function stand_ins(  i, row) {
  print "#include \"probes/probe.h\""
  for (i = 1; i <= probe_count; i++)
    if (index(" " names " ", " " probes[i] " "))
      print "int hw_probe_" probes[i] "(struct hw_bench *bench) {\n  bench->why = \"it was not asked for\";\n  return 0;\n}"
  for (i = 1; i <= row_count; i++) {
    row = rows[i]
    if (row in never || !index(" " names " ", " " probe[row] " ")) continue
    print "struct hw_answer hw_read_" row "(const struct hw_curves *curves) {"
    print "  return hw_unknown(\"none\", curves == NULL ? \"\" : \"it was not asked for\");\n}"
  }
}
