# What kernels take, from what was measured: one model for all that the command says of that.
#
# Comes after tiles.awk, which reads the values and has functions that are used here; with -v ask=
#   model   writes the terms behind the blocks of a product, in words, and its times at some sizes; after a
#           line "times" its times beside those in the lines that follow, of the environment's FILE: points
#           of make bench, or lines TYPE n MR NV KC MC NC SECONDS
#   space   writes the search spaces of blocked loops, for autotuners, as JSON
# What is to fit a level, and a time, are expressions of sizes and parameters: a space has them as they are,
# and all else is computed from the same.

BEGIN { split("MR NV KC MC NC", block, " ") }

$0 == "times" && !begun { begun = NR; next }
!begun { next }
{ sub(/\r$/, "") }
# A curve of bench.d has its name once.
/^# name: / { curve = $3 }
/^#/ || NF == 0 { next }
NF == 4 && curve != "" { $0 = "point " curve " " $0 }
$1 == "point" {
  if (NF != 6 || !number($3) || !number($4))
    bad("not a point, which is: point CURVE N GFLOPS SPREAD COUNT")
  if ($2 ~ /^gflops_f(32|64)_1$/)
    compare(toupper(substr($2, 8, 3)), $3, 2e-9 * $3 * $3 * $3 / $4)
  next
}
{
  if (NF != 8 || toupper($1) !~ /^F(32|64)$/)
    bad("neither a point nor TYPE n MR NV KC MC NC SECONDS")
  for (i = 2; i <= 8; i++)
    if (!number($i))
      bad($i ": no positive number")
  compare(toupper($1), $2, $8, $3 " " $4 " " $5 " " $6 " " $7)
}

END {
  if (status)
    exit status
  if (ask == "space")
    spaces()
  else if (begun)
    compared()
  else if (ask == "model") {
    words("F32")
    words("F64")
    table("F32")
    table("F64")
  }
}

function listed(list, more) { return list == "" ? more : list ", " more }

# ---- Expressions -------------------------------------------------------------------------------

# The value of an expression of numbers and of names, which at[] has, with + - * / max(a, b) ceil(a): from
# the innermost parentheses outward.
function evaluate(text,    head, tail, part, x) {
  while (match(text, /[a-z]*[(][^()]*[)]/)) {
    head = substr(text, 1, RSTART - 1)
    tail = substr(text, RSTART + RLENGTH)
    split(substr(text, RSTART, RLENGTH - 1), part, /[(]|, /)
    x = sum(part[2])
    if (part[1] == "max")
      x = most(x, sum(part[3]))
    text = head sprintf("%.17g", part[1] == "ceil" ? up(x) : x) tail
  }
  return sum(text)
}

# The same without any, with a blank around each sign.
function sum(text,    n, word, i, x, product, total) {
  n = split("+ " text, word, " ")
  for (i = 2; i <= n; i += 2) {
    x = word[i] in at ? at[word[i]] : word[i]
    if (word[i - 1] ~ /[-+]/) {
      total += product
      product = word[i - 1] 1
    }
    product = word[i - 1] == "/" ? product / x : product * x
  }
  return total + product
}

# ---- The product -------------------------------------------------------------------------------

# Bytes of a level: its capacity, or else what fits it.
function capacity(level) { return known["L" level "_BYTES"] ? known["L" level "_BYTES"] : known["L" level "_EFF_BYTES"] + 0 }

# The micro-kernel and the blocks of a type.  Sets stem, of the names of its rows, S, the bytes of an element,
# what operations() sets, at[], with NV vectors in a row of the micro-kernel, and fills[], what is to stay in
# each level.  False, with why, without a micro-kernel of whole vectors.
function core(type,    i) {
  stem = "GEMM_" type "_"
  S = size[type]
  operations(type)
  for (i in block)
    at[block[i]] = known[stem block[i]]
  at["NV"] = known[stem "NR"] / lanes
  fills[1] = "(MR + NV * " lanes ") * KC * " S
  fills[2] = "MC * KC * " S
  fills[3] = "NC * KC * " S
  if (have("VEC_BYTES " file_row " " stem "MR " stem "NR")) {
    why = "HW_" stem "NR is given, and no whole number of vectors"
    if (at["NV"] == int(at["NV"]))
      return 1
  }
  # What the blocks need is the reason.
  if (why ~ /GEMM/ && !(latency && rtp))
    have(latency ? rtp_row : latency_row)
  return 0
}

function paced() { return have(latency_row) && (rtp || have(rtp_row)) }

# The time in ns of C += A B, n x n each: sets term[1] to term[5], which are to be added.
#   1  Each step of the micro-kernel takes as long as its multiply-adds, as they wait for those of the
#      step before, or as its loads, NV vectors and MR single elements, each as long as a vector.  At the
#      edge of C rows are whole, and vectors no more than needed.
#   2  C is read and written in each pass over KC.
#   3  A is packed for each NC, B once.
#   4  A comes from level 2 for each micro-panel of B.
#   5  B comes from level 3 for each block of A.
# Packing writes to level 2.  False, with why, where a time is unknown.
function terms(type,    cycle, reading) {
  if (!core(type) || !have(stem "KC " stem "MC " stem "NC " \
      "CYCLE_PS L1_READ_MBS L2_READ_MBS MEM_READ_MBS MEM_WRITE_MBS L2_EFF_BYTES") || !paced())
    return 0
  cycle = known["CYCLE_PS"] / 1000
  reading = nearest("READ")
  term[1] = sprintf("ceil(n / MR) * ceil(n / %d) / NV * n * max(max(MR * NV * %.4g, %.4g), (MR + NV) * %.4g)", \
                    lanes, rtp / 100 * cycle, latency / 100 * cycle, per_byte("L1", "READ") * S * lanes)
  term[2] = "n * n * ceil(n / KC) * (" reading " + " nearest("WRITE") ")"
  term[3] = "n * n * (ceil(n / NC) + 1) * (" reading sprintf(" + %.4g)", per_byte("L2", "WRITE") * S)
  term[4] = sprintf("n * n * ceil(n / (NV * %d)) * %.4g", lanes, per_byte("L2", "READ") * S)
  term[5] = sprintf("n * n * ceil(n / MC) * %.4g", per_byte(known["HAVE_L3"] ? "L3" : "MEM", "READ") * S)
  return 1
}

# ns; what is unknown of a level is as its reads are, or else as those of the level before.
function per_byte(level, how) {
  if (!known[level "_" how "_MBS"])
    how = "READ"
  return 1000 / known[(known[level "_" how "_MBS"] ? level : "L2") "_" how "_MBS"]
}

# ns to read or write an element of a matrix where it lies: in the first level that holds all three, or as
# much of them as it holds.
function nearest(how,    n, level, i, ns, far, text) {
  n = split("L2 " (known["HAVE_L3"] && known["L3_EFF_BYTES"] ? "L3 MEM" : "MEM"), level, " ")
  ns = per_byte("L2", how)
  text = sprintf("%.4g", ns * S)
  for (i = 2; i <= n; i++) {
    far = most(ns, per_byte(level[i], how))
    text = text sprintf(" + max(0, 1 - %.0f / (n * n)) * %.4g", known[level[i - 1] "_EFF_BYTES"] / (3 * S), (far - ns) * S)
    ns = far
  }
  return text
}

# That time, and its terms in took[]; of the model's blocks, or of those that are given as MR NV KC MC NC.
# 0, with why, if it is unknown.
function time(type, n, given,    list, i, total) {
  if (!terms(type))
    return 0
  at["n"] = n
  for (i = split(given, list, " "); i > 0; i--)
    at[block[i]] = list[i]
  for (i = 1; i <= 5; i++)
    total += took[i] = evaluate(term[i])
  return total
}

# ---- In words ----------------------------------------------------------------------------------

# Each block, as text, up to the first that is unknown.
function blocks(    list, i, name, text) {
  split("MR NR KC MC NC", list, " ")
  for (i = 1; i <= 5; i++) {
    name = stem list[i]
    if (!known[name])
      return listed(text, name in lacks ? lacks[name] : "HW_" name " is unknown")
    text = listed(text, list[i] " " known[name])
  }
  return text
}

# The same with vectors of that width.
function blocks_at(width, type,    row, own, text) {
  for (row in known)
    own[row] = known[row]
  for (row in own)
    if (row ~ /^GEMM_F/)
      delete known[row]
  known["VEC_BYTES"] = width
  gemm(type, size[type])
  text = blocks()
  for (row in own)
    known[row] = own[row]
  return text
}

function tell(what, text) { printf "  %-24s%s\n", what, text }

function level_1(bytes) { return up(bytes * known["L1_ASSOC"] / known["L1_BYTES"]) }

# How much of a level is filled, where these rows are known.
function share(what, level, rows_needed,    bytes, all) {
  all = capacity(level)
  if (!have(rows_needed) || !all && !have("L" level "_BYTES"))
    return why
  bytes = evaluate(fills[level])
  return sprintf("%s %.0f KiB of %.0f KiB, %.0f %%", what, bytes / 1024, all / 1024, 100 * bytes / all)
}

function words(type,    there, MR, NV, KC, n, list, i) {
  there = core(type)
  print "product of " type ": " (there ? blocks() : why)
  if (!there)
    return
  MR = at["MR"]
  NV = at["NV"]
  KC = at["KC"]
  tell("multiply-adds in flight", MR * NV " of vectors; needed " (!paced() ? why : most(1, int(latency / rtp + 0.5)) \
       ", latency " latency / 100 " / reciprocal throughput " rtp / 100 " cycles"))
  tell("registers", MR * NV + NV + spare " of " known[file_row] ": " MR * NV " for C, " NV " for B, " spare \
       (spare == 1 ? " for A" : " for A and the product"))
  tell("loads", MR + NV " for " MR * NV " multiply-adds, " sprintf("%.2f", (MR + NV) / (MR * NV)) " each")
  tell("level 1", !have(stem "KC L1_BYTES L1_ASSOC") ? why : "of " known["L1_ASSOC"] " ways A's micro-panel takes " \
       level_1(MR * KC * S) ", B's " level_1(NV * lanes * KC * S))
  tell("level 2", share("A's block", 2, stem "KC " stem "MC"))
  tell("level 3", have("HAVE_L3") ? share("B's panel", 3, stem "KC " stem "NC") : \
       "HAVE_L3" in told ? "none: B's panel comes from memory" : why)
  tell("traffic of C", !KC ? blocks() : "read and written n / " KC " times")
  tell("traffic of A", !at["NC"] ? blocks() : "packed n / " at["NC"] " times, and read from level 2 n / " NV * lanes " times")
  tell("traffic of B", !at["MC"] ? blocks() : "packed once, and read from " (known["HAVE_L3"] ? "level 3" : "memory") \
       " n / " at["MC"] " times")
  n = split("4 16 32 64", list, " ")
  for (i = 1; i <= n; i++)
    tell(i == 1 ? "would be, scalar" : "with vectors of " list[i], blocks_at(list[i], type))
}

function table(type,    n, list, i, k, ns) {
  ns = time(type, 1)
  print "time of " type (ns ? ", and of it in percent" : ": " why)
  if (!ns)
    return
  printf "%6s %12s %8s %13s %8s %8s %8s %8s\n", "n", "us", "GFLOP/s", "multiply-adds", "C", "packing", "A", "B"
  n = split("64 96 128 192 256 384 512 768 1024 1280 1536 2048", list, " ")
  for (i = 1; i <= n; i++) {
    ns = time(type, list[i])
    printf "%6d %12.1f %8.2f %13.1f", list[i], ns / 1000, 2 * list[i] * list[i] * list[i] / ns, 100 * took[1] / ns
    for (k = 2; k <= 5; k++)
      printf " %8.1f", 100 * took[k] / ns
    print ""
  }
}

# ---- Beside measured times ---------------------------------------------------------------------

function number(x) { return x ~ /^[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?$/ && x > 0 }

function bad(text) {
  print ENVIRON["FILE"] ":" NR - begun ": " text
  status = 2
  exit
}

function compare(type, n, seconds, given,    ns, error, i) {
  points++
  ns = time(type, n, given)
  if (!ns) {
    if (!missed[type]++)
      lines_told = lines_told "time of " type ": " why "\n"
    return
  }
  if (given == "")
    given = at["MR"] " " at["NV"] " " at["KC"] " " at["MC"] " " at["NC"]
  error = 100 * (ns / 1e9 / seconds - 1)
  lines_told = lines_told sprintf("%4s %6d  %-24s %12.1f %12.1f %+8.1f\n", type, n, given, ns / 1000, seconds * 1e6, error)
  error = error < 0 ? -error : error
  for (i = errors++; i > 0 && sorted[i] > error; i--)
    sorted[i + 1] = sorted[i]
  sorted[i + 1] = error
}

function compared() {
  if (!points) {
    print ENVIRON["FILE"] ": no time of a product on one processor"
    exit 2
  }
  if (errors)
    printf "%4s %6s  %-24s %12s %12s %8s\n", "type", "n", "MR NV KC MC NC", "predicted us", "measured us", "error %"
  printf "%s", lines_told
  if (errors)
    printf "error of %d predictions: median %.1f %%, largest %.1f %%\n", errors, \
           (sorted[int((errors + 1) / 2)] + sorted[int(errors / 2) + 1]) / 2, sorted[errors]
}

# ---- Search spaces -----------------------------------------------------------------------------

# Of each kernel of which enough is known: its parameters with the values to try, constraints on them, a point to
# start from, the model's or what was given, and where its times are known what it takes, in ns.
# A space leaves out what cannot be quick: what spills from the registers, or what no cache holds.  It always
# has the start.  Of cache blocks it has the model's by factors, since the time is flat there.
function spaces() {
  begin_spaces()
  product_space("F32")
  product_space("F64")
  other_spaces()
  end_spaces()
}

function begin_spaces() { printf "{\n  \"hwconfig space\": 1,\n  \"kernels\": {" }
function end_spaces() { print "\n  }\n}" }

# values: in ascending order; first, where to start, comes among them.
function parameter(name, values, first,    list, n, i, text) {
  n = split(values, list, ", ")
  for (i = 1; i <= n && list[i] + 0 < first; i++)
    text = listed(text, list[i])
  text = listed(text, sprintf("%.0f", first))
  for (; i <= n; i++)
    if (list[i] + 0 != first)
      text = listed(text, list[i])
  parameters = parameters (parameters == "" ? "" : ",") sprintf("\n        \"%s\": [%s]", name, text)
  start = listed(start, sprintf("\"%s\": %.0f", name, first))
  at[name] = first
}

# Values from low to high, each that before by a factor and some more.
function steps(low, high, factor, more,    text, i) {
  for (i = low; i <= high; i = i * factor + more)
    text = listed(text, sprintf("%.0f", i))
  return text
}

# Eight steps around x, a factor of four to either side, in whole units.
function around(x, unit,    n, list, i, value, last, text) {
  n = split("0.25 0.375 0.5 0.75 1.5 2 3 4", list, " ")
  for (i = 1; i <= n; i++) {
    value = most(1, int(x * list[i] / unit)) * unit
    if (value > last)
      text = listed(text, sprintf("%.0f", value))
    last = value
  }
  return text
}

# After the parameters: expression <= bound, or what it is at the start.
function constraint(expression, bound) {
  constraints = constraints (constraints == "" ? "" : ",") \
                sprintf("\n        \"%s <= %.0f\"", expression, most(evaluate(expression), bound))
}

# Writes the kernel whose parameters and constraints these are; sizes: of a problem; time: if it is known.
function kernel_space(name, sizes, nanoseconds) {
  gsub(/[a-z]+/, "\"&\"", sizes)
  printf "%s\n    \"%s\": {\n      \"sizes\": [%s],\n", (kernels++ ? "," : ""), name, sizes
  printf "      \"parameters\": {%s\n      },\n", parameters
  printf "      \"constraints\": [%s%s],\n      \"start\": {%s}", constraints, (constraints == "" ? "" : "\n      "), start
  printf "%s\n    }", (nanoseconds == "" ? "" : ",\n      \"time\": \"" nanoseconds "\"")
  parameters = constraints = start = ""
}

function product_space(type,    free) {
  if (!core(type) || !have(stem "KC " stem "MC " stem "NC L1_BYTES") || !capacity(2))
    return
  free = known[file_row] - spare
  parameter("MR", steps(1, free - 1, 1, 1), at["MR"])
  parameter("NV", steps(1, int(free / 2), 1, 1), at["NV"])
  parameter("KC", around(at["KC"], 8), at["KC"])
  parameter("MC", around(at["MC"], at["MR"]), at["MC"])
  parameter("NC", around(at["NC"], at["NV"] * lanes), at["NC"])
  constraint("MR * NV + NV", free)
  constraint(fills[1], capacity(1))
  constraint(fills[2], capacity(2))
  if (known["HAVE_L3"] && capacity(3))
    constraint(fills[3], capacity(3))
  kernel_space("product_" tolower(type), "n", !terms(type) ? "" : \
               term[1] " + " term[2] " + " term[3] " + " term[4] " + " term[5])
}

# Loops with one parameter.
function other_spaces(    fits) {
  # Columns of A at a time, of as many rows as a line of B has elements.
  if (have("L1_LINE L1_EFF_BYTES")) {
    fits = most(1, int(known["L1_EFF_BYTES"] / 8 / most(1, int(known["L1_LINE"] / 8))))
    parameter("BLOCK", steps(8, 65536, 2, 0), fits)
    kernel_space("transpose_f64", "n")
  }
  if (have("L2_EFF_BYTES")) {
    fits = known["L2_EFF_BYTES"]
    # Columns, of which four rows fit level 2.
    parameter("BLOCK", around(most(1, int(fits / 32)), 8), most(1, int(fits / 32)))
    kernel_space("stencil2_f64", "nx, ny")
    # Rows, of which four planes fit level 2.  How many depends on how long they are: one to start with.  Of each
    # block two rows more are read, and two planes more as far as level 2 does not hold them.
    parameter("BLOCK", steps(1, 1024, 2, 0), 1)
    constraint("nx * (BLOCK - 1) * 32", 4 * fits)
    kernel_space("stencil3_f64", "nx, ny, nz", !have("MEM_READ_MBS MEM_WRITE_MBS") ? "" : \
      sprintf("nx * ny * nz * ((1 + 2 / BLOCK + 2 * max(0, 1 - %.0f / (nx * BLOCK))) * %.4g + %.4g)", \
              fits / 32, 8 * per_byte("MEM", "READ"), 8 * per_byte("MEM", "WRITE")))
  }
  # Partitions of a pass.
  if (have("PARTITIONS")) {
    parameter("FANOUT", steps(2, 16 * known["PARTITIONS"], 2, 0), known["PARTITIONS"])
    kernel_space("join", "n")
  }
}
