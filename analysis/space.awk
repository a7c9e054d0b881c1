# The search spaces of blocked loops, for autotuners, from what was measured: as JSON.
#
# Comes after product.awk, which reads the values.  Writes of each kernel of which enough is known: its
# parameters with the values to try, constraints on them, a point to start from, the model's or what was
# given, and where its times are known what it takes, in ns.  Constraints and times are expressions of
# the parameters and of the sizes that the kernel names, with + - * /, <=, max(a, b) and ceil(a).
#
# A space leaves out what cannot be quick: what spills from the registers, or what no cache holds.  It
# always has the start.  Of cache blocks it has the model's by factors, since the time is flat there.

END {
  printf "{\n  \"hwconfig space\": 1,\n  \"kernels\": {"
  product("F32")
  product("F64")
  transpose()
  stencil2()
  stencil3()
  join()
  print "\n  }\n}"
}

# ---- What a kernel is written with -------------------------------------------------------------

# A kernel; sizes: those of a problem.
function begin(name, sizes) {
  kernel = name
  problem = sizes
  parameters = constraints = start = ""
}

# values: in ascending order, with commas; first, where to start, comes among them.
function parameter(name, values, first,    list, n, i, text) {
  n = split(values, list, ", ")
  for (i = 1; i <= n && list[i] + 0 < first; i++)
    text = text list[i] ", "
  text = text whole(first)
  for (; i <= n; i++)
    if (list[i] + 0 != first)
      text = text ", " list[i]
  parameters = parameters (parameters == "" ? "" : ",") sprintf("\n        \"%s\": [%s]", name, text)
  start = start (start == "" ? "" : ", ") sprintf("\"%s\": %.0f", name, first)
}

# expression <= bound, or what it is at the start.
function constraint(expression, at_start, bound) {
  constraints = constraints (constraints == "" ? "" : ",") \
                sprintf("\n        \"%s <= %.0f\"", expression, most(at_start, bound))
}

# Writes it; time: an expression, or nothing where it is not known.
function finish(time) {
  printf "%s\n    \"%s\": {\n", kernels++ ? "," : "", kernel
  printf "      \"sizes\": [%s],\n", problem
  printf "      \"parameters\": {%s\n      },\n", parameters
  printf "      \"constraints\": [%s%s],\n", constraints, (constraints == "" ? "" : "\n      ")
  printf "      \"start\": {%s}", start
  if (time != "")
    printf ",\n      \"time\": \"%s\"", time
  printf "\n    }"
}

# Whole numbers from low to high.
function range(low, high,    text, i) {
  for (i = low; i <= high; i++)
    text = text (i > low ? ", " : "") i
  return text
}

# Eight steps around x, a factor of four to either side, in whole units.
function around(x, unit,    n, factor, i, at, last, text) {
  n = split("0.25 0.375 0.5 0.75 1.5 2 3 4", factor, " ")
  for (i = 1; i <= n; i++) {
    at = most(1, int(x * factor[i] / unit)) * unit
    if (at > last)
      text = text (text == "" ? "" : ", ") whole(at)
    last = at
  }
  return text
}

# Powers of two.
function powers(low, high,    text, i) {
  for (i = low; i <= high; i *= 2)
    text = text (i > low ? ", " : "") whole(i)
  return text
}

# ---- The kernels -------------------------------------------------------------------------------

# The micro-kernel of MR rows and NV vectors, and the blocks of A and B.
function product(type,    name, KC, MC, NC) {
  name = "GEMM_" type "_"
  if (!core(type) || !have(name "KC " name "MC " name "NC L1_BYTES") || !room(2))
    return
  KC = known[name "KC"]
  MC = known[name "MC"]
  NC = known[name "NC"]
  registers -= spare
  begin("product_" tolower(type), "\"n\"")
  parameter("MR", range(1, registers - 1), MR)
  parameter("NV", range(1, int(registers / 2)), NV)
  parameter("KC", around(KC, 8), KC)
  parameter("MC", around(MC, MR), MC)
  parameter("NC", around(NC, NV * lanes), NC)
  constraint("MR * NV + NV", MR * NV + NV, registers)
  constraint("(MR + NV * " lanes ") * KC * " S, (MR + NV * lanes) * KC * S, room(1))
  constraint("MC * KC * " S, MC * KC * S, room(2))
  if (known["HAVE_L3"] && room(3))
    constraint("NC * KC * " S, NC * KC * S, room(3))
  finish(terms() ? term[1] " + " term[2] " + " term[3] " + " term[4] " + " term[5] : "")
}

# Columns of A at a time, of as many rows as a line of B has elements.
function transpose(    rows) {
  if (!have("L1_LINE L1_EFF_BYTES"))
    return
  rows = most(1, int(known["L1_LINE"] / 8))
  begin("transpose_f64", "\"n\"")
  parameter("BLOCK", powers(8, 65536), most(1, int(known["L1_EFF_BYTES"] / 8 / rows)))
  finish("")
}

# Columns, of which four rows fit level 2.
function stencil2(    columns) {
  if (!have("L2_EFF_BYTES"))
    return
  columns = most(1, int(known["L2_EFF_BYTES"] / 32))
  begin("stencil2_f64", "\"nx\", \"ny\"")
  parameter("BLOCK", around(columns, 8), columns)
  finish("")
}

# Rows, of which four planes fit level 2.  How many depends on how long they are: one to start with.  Of
# each block two rows more are read, and two planes more as far as level 2 does not hold them.
function stencil3(    rows) {
  if (!have("L2_EFF_BYTES"))
    return
  rows = sprintf("%.0f / (nx * BLOCK)", known["L2_EFF_BYTES"] / 32)
  begin("stencil3_f64", "\"nx\", \"ny\", \"nz\"")
  parameter("BLOCK", powers(1, 1024), 1)
  constraint("nx * (BLOCK - 1) * 32", 0, 4 * known["L2_EFF_BYTES"])
  finish(!have("MEM_READ_MBS MEM_WRITE_MBS") ? "" : \
         sprintf("nx * ny * nz * ((1 + 2 / BLOCK + 2 * max(0, 1 - %s)) * %.4g + %.4g)", \
                 rows, 8 * per_byte("MEM_READ"), 8 * per_byte("MEM_WRITE")))
}

# Partitions of a pass.
function join() {
  if (!have("PARTITIONS"))
    return
  begin("join", "\"n\"")
  parameter("FANOUT", powers(2, 16 * known["PARTITIONS"]), known["PARTITIONS"])
  finish("")
}
