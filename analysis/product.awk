# What a product of matrices takes, from what was measured: what space.awk and model.awk share.
#
# Reads lines "NAME VALUE", names without HW_, of whatever is known, with what tiles.awk derives from it.

NF == 2 && $2 ~ /^[0-9]+$/ { known[$1] = $2 + 0 }

# True when all of these, separated by blanks, are known and not 0.
function have(names,    list, n, i) {
  n = split(names, list, " ")
  for (i = 1; i <= n; i++)
    if (!(known[list[i]] > 0)) {
      why = "HW_" list[i] " is unknown"
      return 0
    }
  return 1
}

function least(a, b) { return a < b ? a : b }
function most(a, b) { return a > b ? a : b }
# Bytes of a level: its capacity, or else what fits it.
function room(level) { return known["L" level "_BYTES"] ? known["L" level "_BYTES"] : known["L" level "_EFF_BYTES"] }
function whole(x) { return sprintf("%.0f", x) }

# The row of that tag, or of the type where only that is known.
function of(stem, tag, type, tail) {
  return stem ((stem tag tail) in known || !((stem type tail) in known) ? tag : type) tail
}

# The operations of a type, F32 or F64, as tiles.awk chooses them.  Sets S, the bytes of an element, lanes,
# the elements of a vector, registers and spare, those that hold no row of C or B; latency and rtp in
# cycles, 0 where unknown.  False, with why, without a micro-kernel of whole vectors.
function core(type,    name, tag, fused, pair, file) {
  name = "GEMM_" type "_"
  S = substr(type, 2) / 8
  lanes = most(1, int(known["VEC_BYTES"] / S))
  tag = lanes > 1 ? "V" type : type
  file = lanes > 1 ? "NR_V" : "NR_" type
  fused = of("HAVE_FMA_", tag, type, "")
  pair = (fused in known) && !known[fused]
  spare = known[fused] ? 1 : 2
  latency_row = of(pair ? "LAT_ADD_" : "LAT_FMA_", tag, type, "_X100")
  rtp_row = of("RTP_FMA_", tag, type, "_X100")
  latency = known[latency_row] / 100
  rtp = known[rtp_row] / 100
  if (!rtp && pair && have(of("RTP_ADD_", tag, type, "_X100") " " of("RTP_MUL_", tag, type, "_X100")))
    rtp = most(known[of("RTP_ADD_", tag, type, "_X100")], known[of("RTP_MUL_", tag, type, "_X100")]) / 100
  if (!rtp && known[fused])
    rtp = known[of("RTP_MUL_", tag, type, "_X100")] / 100
  if (!have("VEC_BYTES " file " " name "MR " name "NR"))
    return 0
  registers = known[file]
  MR = known[name "MR"]
  NV = known[name "NR"] / lanes
  why = "HW_" name "NR is given, and no whole number of vectors"
  return NV == int(NV)
}

# The time in ns of C += A B, n x n each, as expressions of n, MR, NV (vectors in a row of the
# micro-kernel), KC, MC and NC: sets term[1] to term[5], which are to be added.  core() comes first.
#   1  Each step of the micro-kernel takes as long as its multiply-adds, as they wait for those of the
#      step before, or as its loads, NV vectors and MR single elements, each as long as a vector.  At the
#      edge of C rows are whole, and vectors no more than needed.
#   2  C is read and written in each pass over KC.
#   3  A is packed for each NC, B once.
#   4  A comes from level 2 for each micro-panel of B.
#   5  B comes from level 3 for each block of A.
# Matrices lie in the first level that holds all three, or as much of them as it holds; packing writes
# to level 2.  False, with why, where a time is unknown.
function terms(    cycle, reading, writing) {
  if (!have("CYCLE_PS L1_READ_MBS L2_READ_MBS MEM_READ_MBS MEM_WRITE_MBS L2_EFF_BYTES") || !latency && !have(latency_row) ||
      !rtp && !have(rtp_row))
    return 0
  cycle = known["CYCLE_PS"] / 1000
  reading = nearest("READ")
  writing = nearest("WRITE")
  term[1] = sprintf("ceil(n / MR) * ceil(n / %d) / NV * n * max(max(MR * NV * %.4g, %.4g), (MR + NV) * %.4g)", \
                    lanes, rtp * cycle, latency * cycle, per_byte("L1_READ") * S * lanes)
  term[2] = "n * n * ceil(n / KC) * (" reading " + " writing ")"
  term[3] = "n * n * (ceil(n / NC) + 1) * (" reading sprintf(" + %.4g)", per_byte("L2_WRITE") * S)
  term[4] = sprintf("n * n * ceil(n / (NV * %d)) * %.4g", lanes, per_byte("L2_READ") * S)
  term[5] = sprintf("n * n * ceil(n / MC) * %.4g", per_byte(known["HAVE_L3"] == 0 ? "MEM_READ" : "L3_READ") * S)
  return 1
}

# ns; what is unknown of a level is as its reads are, or else as those of the level before.
function per_byte(row,    level) {
  level = substr(row, 1, 2)
  if (!known[row "_MBS"])
    row = known[level "_READ_MBS"] ? level "_READ" : "L2_READ"
  return 1000 / known[row "_MBS"]
}

# ns to read or write an element of a matrix where it lies.
function nearest(how,    far, near, third) {
  near = per_byte("L2_" how)
  third = known["HAVE_L3"] && known["L3_EFF_BYTES"]
  far = most(near, third ? per_byte("L3_" how) : per_byte("MEM_" how))
  if (!third)
    return sprintf("%.4g + %s", near * S, beyond("L2", far - near))
  return sprintf("%.4g + %s + %s", near * S, beyond("L2", far - near), beyond("L3", most(0, per_byte("MEM_" how) - far)))
}

# What is added for the part of three matrices that a level does not hold.
function beyond(level, ns) {
  return sprintf("max(0, 1 - %.0f / (n * n)) * %.4g", known[level "_EFF_BYTES"] / (3 * S), ns * S)
}
