# vector.awk: the seventeen quantities of DM III of a machine (doc/features.md), from lines NAME VALUE of its
# rows: a line of seventeen numbers, - for what is unknown.  Cycles each, or cycles an operation, so that less
# is better.
function has(row) { return row in v }
function x100(row) { return v[row "_X100"] / 100 }
# The cost of going from a level to the next: the difference of two latencies. DM's own way gives another
# number, of a walk that the prefetchers follow, which is not to be mixed with these.
function step(to, from) {
  return has(to "_LAT_X100") && has(from "_LAT_X100") && x100(to "_LAT") > x100(from "_LAT") ? x100(to "_LAT") - x100(from "_LAT") : "-"
}
function there(level) { return !has("HAVE_" level) || v["HAVE_" level] != 0 }
function hundredths(one, other) { return has(one "_X100") ? x100(one) : other != "" && has(other "_X100") ? x100(other) : "-" }
function whole(row) { return has(row) && v[row] > 0 ? v[row] : "-" }
{ sub(/^HW_/, "", $1); if ($2 ~ /^[0-9.]+$/) v[$1] = $2 }
END {
  # The last level's misses go to memory, which is the third.
  q[1] = there("L2") ? step("L2", "L1") : "-"
  q[2] = there("L2") && there("L3") ? step("L3", "L2") : "-"
  q[3] = hundredths("MEM_LAT", "")
  q[4] = whole("L1I_MISS")
  q[5] = "-" # of random outcomes half are mispredicted anywhere
  q[6] = whole("BRANCH_MISS")
  q[7] = whole("TLB1_MISS")
  q[8] = whole("TLB2_MISS")
  q[9] = hundredths("RTP_ADD_I32", "")
  q[10] = hundredths("LAT_MUL_I32", "")
  q[11] = hundredths("LAT_DIV_I32", "")
  q[12] = hundredths("LAT_ADD_F64", "LAT_ADD_F32")
  q[13] = hundredths("LAT_MUL_F64", "LAT_MUL_F32")
  q[14] = hundredths("LAT_DIV_F64", "LAT_DIV_F32")
  q[15] = hundredths("LAT_SQRT_F64", "LAT_SQRT_F32")
  # An element of the widest vector.
  q[16] = has("RTP_ADD_VF64_X100") && has("VEC_BYTES") ? x100("RTP_ADD_VF64") * 8 / v["VEC_BYTES"] : "-"
  q[17] = has("ISSUE_MIX_X100") ? 100 / v["ISSUE_MIX_X100"] : "-"
  for (i = 1; i <= 17; i++) printf "%s%s", (i > 1 ? " " : ""), (q[i] == "-" ? "-" : sprintf("%.4g", q[i]))
  print ""
}
