# SPDX-License-Identifier: MIT
# Tiles: block sizes from what was measured, by models, with no search and no machine.
#
# Reads lines "NAME VALUE", names without HW_, of whatever is known.  A row of this file that is
# among them was given: it stays, and the others follow it.  Writes for each other row "HW_NAME =
# VALUE" or "# HW_NAME unknown: why".  What is missing or cannot be gives no answer.  A line "most
# NAME VALUE" says what a row may be at most: of what is beyond that there is no answer either, and
# nothing follows from it.
#
# In awk, since the rows are computed where nothing that is compiled can be run: without
# measuring, and for another machine.  There is no other implementation.  With -v ask=WHAT it
# writes nothing itself: model.awk, which comes after it, computes with what it has.
#
# Of a level of cache
#   way        capacity / ways: what is contiguous and no longer lies in one way at each set
#   ways       all of them, where what fits is measured to be less (scattered pages, other processes)
#              no more bytes than that, HW_Ln_EFF_BYTES; of the last level neither more than
#              HW_Ln_SHARE_BYTES
# See: T. M. Low, F. D. Igual, T. M. Smith, E. S. Quintana-Orti: Analytical modeling is enough for
# high-performance BLIS, ACM TOMS 43(2), 2016 (LOW); BB 6.

BEGIN {
  size["F32"] = 4
  size["F64"] = 8
  TLB2_MORE = 8   # entries of a second TLB for each of the first, at least: those of cores since 2008 have 8 to 32
  BLOCK_LONG = 64 # bytes of a row for each row, at most: see block_row()
}

# A number of configure, in decimal.  To read known[] of a name adds it: told[] has those that were read here, 0 too.
NF == 2 && $2 ~ /^[0-9]+$/ {
  known[$1] = $2 + 0
  told[$1] = 1
}
NF == 3 && $1 == "most" { highest[$2] = $3 + 0 }

END {
  if (ask == "")
    answers()
}

function answers(    i, type) {
  for (i = 1; i <= 2; i++) {
    type = i == 1 ? "F32" : "F64"
    say("TILE_" type, tile(size[type]))
    gemm(type, size[type])
  }
  registers()
  cache()
  say("BLOCK_ROW_BYTES", block_row())
  say("BLOCK_ROWS", block_rows())
  say("PAD_BYTES", padding())
  say("PARTITIONS", partitions())
}

function say(name, value) {
  if (name in known)
    return
  if (value > 0 && beyond(name, value)) {
    value = 0
    why = "it is out of range"
  }
  if (value > 0)
    known[name] = value
  else
    lacks[name] = why
  if (ask == "")
    print (value > 0 ? sprintf("HW_%s = %.0f", name, value) : "# HW_" name " unknown: " why)
}

function beyond(name, value) { return name in highest && value > highest[name] }

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
function floor_to(x, unit) { return x < unit ? 0 : int(x / unit) * unit }
# The greatest common divisor.
function common(a, b) { return b > 0 ? common(b, a % b) : a }
# The whole part of a root: some awks have no sqrt.
function root(x,    r, low) {
  for (r = 1; r * r <= x; r *= 2)
    ;
  for (low = 0; r - low > 1;)
    if (int((low + r) / 2) * int((low + r) / 2) <= x)
      low = int((low + r) / 2)
    else
      r = int((low + r) / 2)
  return low
}
function up(x) { return x > int(x) ? int(x) + 1 : int(x) }

# Bytes that may be used of a level, or 0.
function usable(level, last,    bytes) {
  bytes = known["L" level "_EFF_BYTES"]
  if (!bytes)
    bytes = known["L" level "_BYTES"]
  if (last && known["L" level "_SHARE_BYTES"])
    bytes = bytes ? least(bytes, known["L" level "_SHARE_BYTES"]) : known["L" level "_SHARE_BYTES"]
  return bytes + 0
}

# Bytes of a way, or 0 if that is not known.
function way(level,    bytes, ways) {
  bytes = known["L" level "_BYTES"]
  ways = known["L" level "_ASSOC"]
  return bytes > 0 && ways > 0 && bytes % ways == 0 ? bytes / ways : 0
}

# Bytes that the last TLB reaches, or 0.  One that is there but is not known may reach further.
function reach() {
  if (known["TLB2_REACH_BYTES"])
    return known["TLB2_REACH_BYTES"]
  if (known["TLB2_EFF_BYTES"])
    return known["TLB2_EFF_BYTES"]
  return known["TLB_LEVELS"] == 1 ? known["TLB1_REACH_BYTES"] + 0 : 0
}

# Entries of the second TLB, or what it holds for one thread, or TLB2_MORE times the first if neither is known.
function second_entries() {
  if (known["TLB2_ENTRIES"])
    return known["TLB2_ENTRIES"]
  return have("TLB2_EFF_BYTES PAGE_BYTES") ? known["TLB2_EFF_BYTES"] / known["PAGE_BYTES"] : TLB2_MORE * known["TLB1_ENTRIES"]
}

# Whether there is a level 2 of which something is known.
function second() {
  why = "there is no level 2"
  if (("HAVE_L2" in told) && !known["HAVE_L2"] || !have("HAVE_L2"))
    return 0
  return usable(2) > 0 || have("L2_BYTES")
}

# ---- A square tile (BB 6) --------------------------------------------------------------------

# The largest edge t, in whole lines, of which three tiles fit level 2, for rows of matrices as they
# lie:
#   3 t^2 S <= what fits
# and that is a power of two of lines, or half as much again: of a matrix whose edge is a power of two
# it leaves nothing, or a third of a tile at least.
# Not level 1: there the innermost loop is a few vectors long, rows at a power of two apart fall into
# few of its sets, and level 2 is read ahead.  What is measured of it is better: this stands in if
# nothing could be.
function tile(S,    line, most_t, t, best) {
  line = most(1, int((known["L1_LINE"] ? known["L1_LINE"] : 64) / S))
  if (!usable(2)) {
    have("L2_BYTES")
    return 0
  }
  why = "three tiles as long as a line do not fit level 2"
  most_t = root(usable(2) / (3 * S))
  for (t = line; t <= most_t; t *= 2)
    best = t > line && t * 3 / 2 <= most_t ? t * 3 / 2 : t
  return best + 0
}

# ---- A block of a plain loop -----------------------------------------------------------------

# A block that the loop copies, so that its rows lie one after the other, and that level 1 holds beside a row
# of what is added to: three quarters of what fits, or half of that with less than three ways.
function block_room() {
  return usable(1) * 3 / 4 / (known["L1_ASSOC"] > 0 && known["L1_ASSOC"] < 3 ? 2 : 1)
}

# Bytes of a row of it.  To begin a row takes some cycles, the less often the longer rows are; a row of what is
# added to comes from level 2 once a block, the less often the more rows a block has.  Their sum is least at a
# length that grows with the root of the room: there the one costs as much as the other.  It is flat: a power
# of two of lines, no more than BLOCK_LONG times the number of rows.
function block_row(    bytes) {
  if (!have("L1_BYTES L1_LINE"))
    return 0
  why = "level 1 does not hold three lines"
  if (block_room() < 2 * known["L1_LINE"])
    return 0
  for (bytes = known["L1_LINE"]; 4 * bytes * bytes <= BLOCK_LONG * block_room(); bytes *= 2)
    ;
  return bytes
}

function block_rows() {
  if (!have("L1_BYTES BLOCK_ROW_BYTES"))
    return 0
  why = "level 1 does not hold a row"
  return int(block_room() / known["BLOCK_ROW_BYTES"])
}

# A line: rows that are an odd multiple of it long begin in all sets of level 1 in turn, and of the levels
# after it, if their number is a power of two.
function padding() {
  if (!have("L1_BYTES L1_ASSOC L1_LINE"))
    return 0
  why = "level 1 has a single set, or its shape cannot be"
  return way(1) > known["L1_LINE"] && way(1) % known["L1_LINE"] == 0 ? known["L1_LINE"] : 0
}

# ---- The matrix product (LOW 4) --------------------------------------------------------------

# C += A B.  The micro-kernel keeps mr x nr of C in registers, nr along vectors, and for each of kc
# steps loads a row of nr of B as vectors and multiplies it by mr elements of A, one at a time.
# B's micro-panel, kc x nr, lives in level 1, A's block, mc x kc, in level 2, B's panel, kc x nc,
# in level 3.
function gemm(type, S,    name) {
  name = "GEMM_" type "_"
  operations(type)
  kernel(name)
  say(name "MR", best_mr)
  say(name "NR", best_nr)
  say(name "KC", have(name "MR " name "NR") ? depth(S, known[name "MR"], known[name "NR"]) : 0)
  say(name "MC", have(name "MR " name "NR " name "KC") ? \
                 rows(S, known[name "MR"], known[name "NR"], known[name "KC"]) : 0)
  say(name "NC", have(name "NR " name "KC " name "MC") ? \
                 columns(S, known[name "NR"], known[name "KC"], known[name "MC"]) : 0)
  say(name "SMALL", have(name "KC") ? unpacked(S, known[name "KC"]) : 0)
}

# After operations(): sets best_mr and best_nr, or 0 and why.  With v = nr / lanes vectors in a row
#   mr v >= latency / reciprocal throughput     LOW 4.1: a multiply-add waits for the one before it
#                                               on the same element, and none is to be idle
#   mr v + v + 1 <= registers                   C, a row of B, an element of A; one more for the
#                                               product if there is no fused multiply-add
# and of those the fewest registers, as LOW, that leave no more than a load to two multiply-adds,
#   mr v / (mr + v) >= 2
# so that loads are no bottleneck: with more, kc were less, and more were at the edges.  If there
# are too few for that, fewer than 21, the most multiply-adds per load: BB 6 with vectors for elements.
# Among equals, what does most for each element that comes through the caches.
function kernel(name,    v, mr, need, regs, merit, best, good, reuse) {
  best_mr = best_nr = 0
  if (!have("VEC_BYTES " file_row " " latency_row (rtp ? "" : " " rtp_row)))
    return
  regs = known[file_row]
  need = most(1, int(latency / rtp + 0.5)) # both are measured
  why = "there are too few registers"
  best = 0
  for (v = 1; v <= regs; v++)
    for (mr = 1; mr * v + v + spare <= regs; mr++) {
      if ((name "MR") in known && mr != known[name "MR"] ||
          (name "NR") in known && v * lanes != known[name "NR"])
        continue
      if (beyond(name "MR", mr) || beyond(name "NR", v * lanes))
        continue
      # Enough in flight first, then few loads, few registers, and little through the caches.
      good = mr * v >= need
      reuse = mr * v / (mr + v)
      merit = (good ? 1000 : mr * v / need) + (reuse < 2 ? reuse : 3 - mr * v / 1000 - v / 1000) + \
              1e-6 * mr * v / (mr + v * lanes)
      if (merit > best) {
        best = merit
        best_mr = mr
        best_nr = v * lanes
      }
    }
}

# The operations that a product of that type takes.  Sets lanes, the elements of a vector; the rows that
# count of the registers, the latency and the reciprocal throughput; latency and rtp, in hundredths of a
# cycle, 0 where unknown; spare, the registers that hold nothing of C or B.
# Without fused multiply-add what waits is the addition alone, and where the throughput of the pair is
# unknown it takes the slower of the two at least: no fewer are to be in flight.
# With it the throughput may be that of the multiplication, which costs no less.
# What is unknown of vectors is that of the scalar type: they have the same units, and where vectors
# are split over these, more are in flight than need be.
function operations(type,    tag, fused, pair, add, mul) {
  lanes = least(most(1, int(known["VEC_BYTES"] / size[type])), 1024)
  tag = lanes > 1 ? "V" type : type
  file_row = "NR_" (lanes > 1 ? "V" : type)
  fused = of("HAVE_FMA_", tag, type, "")
  pair = (fused in told) && !known[fused]
  spare = known[fused] ? 1 : 2
  latency_row = of(pair ? "LAT_ADD_" : "LAT_FMA_", tag, type, "_X100")
  rtp_row = of("RTP_FMA_", tag, type, "_X100")
  add = of("RTP_ADD_", tag, type, "_X100")
  mul = of("RTP_MUL_", tag, type, "_X100")
  latency = known[latency_row] + 0
  rtp = known[rtp_row] + 0
  if (!rtp && pair && have(add " " mul))
    rtp = most(known[add], known[mul])
  if (!rtp && known[fused])
    rtp = known[mul] + 0
}

# The row of that tag, or of the type where only that is known.
function of(stem, tag, type, tail) {
  return stem ((stem tag tail) in told || !((stem type tail) in told) ? tag : type) tail
}

# kc: the micro-panels of A and B in ways of their own, and one for what passes, C above all
# (LOW 4.2, there with A's panel cut to whole ways):
#   ceil(mr kc S / way) + ceil(nr kc S / way) + 1 <= ways,   (mr + nr) kc S + mr nr S <= what fits
# in whole lines.  With less than three ways: half of what fits.
function depth(S, mr, nr,    w, W, room, unit, kc) {
  if (!have("L1_BYTES L1_ASSOC L1_LINE"))
    return 0
  why = "the shape of level 1 cannot be"
  w = way(1)
  W = known["L1_ASSOC"]
  if (w == 0 || w % known["L1_LINE"] != 0)
    return 0
  room = usable(1) / (W < 3 ? 2 : 1) - mr * nr * S
  unit = most(1, int(known["L1_LINE"] / S))
  why = "level 1 does not hold a micro-panel as long as a line"
  if (W >= 3)
    room = least(room, (W - 1) * w)
  for (kc = floor_to(room / ((mr + nr) * S), unit); kc > 0; kc -= unit)
    if (W < 3 || up(mr * kc * S / w) + up(nr * kc * S / w) + 1 <= W)
      return kc
  return 0
}

# mc: A's block in ways of its own, two micro-panels of B, the one in use and the next, and one way
# for what passes (LOW 4.3):
#   ceil(mc kc S / way) + ceil(2 kc nr S / way) + 1 <= ways,
#   mc kc S + 2 kc nr S + 2 mr nr S <= what fits
# where the ways are not known only the latter; and with the same, and a page for each of 2 mr rows
# of C, within the last TLB's reach.  In whole micro-panels, and one at least.
function rows(S, mr, nr, kc,    w, room, panels) {
  if (!second())
    return 0
  w = way(2)
  panels = 2 * kc * nr * S
  room = usable(2, !known["HAVE_L3"]) - panels - 2 * mr * nr * S
  if (w > 0)
    room = least(room, (known["L2_ASSOC"] - 1 - up(panels / w)) * w)
  if (reach() > 0)
    room = least(room, reach() - panels - 2 * mr * known["PAGE_BYTES"])
  return most(mr, floor_to(room / (kc * S), mr))
}

# nc: B's panel, A's block, and one way for what passes (LOW 4.4):
#   ceil(nc kc S / way) + ceil(mc kc S / way) + 1 <= ways,   (mc + nc) kc S <= what fits
# Without a third level the panel comes from memory, once for each block of A: then no more than
# the last TLB reaches.  If there is one, each page of the panel serves a whole block: the TLB
# does not matter.  In whole micro-panels, and one at least.
function columns(S, nr, kc, mc,    w, room) {
  if (!("HAVE_L3" in told)) {
    why = "HW_HAVE_L3 is unknown"
    return 0
  }
  if (known["HAVE_L3"]) {
    room = usable(3, 1)
    if (!room) {
      have("L3_EFF_BYTES")
      return 0
    }
    w = way(3)
    room -= mc * kc * S
    if (w > 0)
      room = least(room, (known["L3_ASSOC"] - 1 - up(mc * kc * S / w)) * w)
  } else {
    why = "there is no level 3 and the reach of the TLB is unknown"
    room = reach()
    if (!room)
      return 0
  }
  return most(nr, floor_to(room / (kc * S), nr))
}

# The edge up to which nothing is to be packed: what packing saves are conflict misses and pages, and
# below that micro-panels are no deeper than kc, so that level 1 holds them as they lie, and level 2
# holds A and B:
#   n <= kc,   2 n^2 S <= what fits
# If a stride maps a micro-panel to few sets, it is to be packed all the same: the one who multiplies
# knows the stride.
function unpacked(S, kc) { return second() ? least(kc, root(usable(2) / (2 * S))) : 0 }

# ---- BlackjackBench's own model (BB 6) -------------------------------------------------------

# Maximizes 2 m n k / (2 m n k + m n + m k + n k) within m n + m k + n k <= R, by trying every m.
# The paper's results, m = n = 3 for 16 registers and 63 for 32 KiB of F64, are those of k = 1:
# C stays and takes one column of A and one row of B at a time.  With k free the fraction would be
# larger (m = n = 2, k = 3 for 16), but only because it counts C as moved each time.  For each m
# the best n is the largest.  step 2: even ones.  Sets bb_m >= bb_n, or 0.
function blackjack(R, step,    m, n, merit, best) {
  bb_m = bb_n = best = 0
  for (n = step; n * n + 2 * n <= R; n += step) {
    m = floor_to((R - n) / (n + 1), step)
    if (m < n)
      continue
    merit = m * n / (m * n + m + n)
    # Of equals the squarer.
    if (merit >= best - 1e-12) {
      best = merit
      bb_m = m
      bb_n = n
    }
  }
}

# Within the registers: elements of C, and a column and a row.
function registers() {
  bb_m = bb_n = 0
  if (have("NR_F64")) {
    why = "there are too few registers"
    blackjack(known["NR_F64"], 1)
  }
  say("GEMM_BB_M", bb_m)
  say("GEMM_BB_N", bb_n)
  say("GEMM_BB_K", bb_m ? 1 : 0)
  if (bb_m)
    blackjack(known["NR_F64"], 2)
  say("GEMM_BB_EVEN_M", bb_m)
  say("GEMM_BB_EVEN_N", bb_n)
}

# Within level 1, F64.  The even variant is square, a multiple of the registers' blocks, and leaves
# room for the whole lines that a column with a stride brings in (BB 6):
#   t^2 + t + t line <= R
function cache(    R, line, unit, t) {
  bb_m = bb_n = t = 0
  if (have("L1_BYTES")) {
    R = int(usable(1) / 8)
    why = "level 1 is too small"
    blackjack(R, 1)
  }
  say("GEMM_BB_L1_M", bb_m)
  say("GEMM_BB_L1_N", bb_n)
  say("GEMM_BB_L1_K", bb_m ? 1 : 0)
  if (have("L1_BYTES L1_LINE GEMM_BB_EVEN_M GEMM_BB_EVEN_N")) {
    line = most(1, int(known["L1_LINE"] / 8))
    unit = known["GEMM_BB_EVEN_M"] / common(known["GEMM_BB_EVEN_M"], known["GEMM_BB_EVEN_N"]) * known["GEMM_BB_EVEN_N"]
    why = "level 1 is too small"
    for (t = floor_to(root(R), unit); t > 0 && t * t + t + t * line > R; t -= unit)
      ;
  }
  say("GEMM_BB_L1_EVEN", t)
}

# ---- Partitions ------------------------------------------------------------------------------

# The largest power of two of partitions that are written to in turn: a line of level 1 and a page of
# a TLB for the end of each.  These lie in any set: of sets of eight that have half on average one in
# fifty overflows, so half of either is theirs.  Of a TLB without sets it is all but the pages that
# are read, of the keys and of where the partitions end.
# The TLB is the first; the second, where a page that only
# it has costs no more than a key of one pass more, which reads and writes the key and its count in level 1
# at best:
#   TLB1_MISS <= 4 L1_LAT
function partitions(    pages, lines, n) {
  if (!have("TLB1_ENTRIES TLB1_ASSOC L1_BYTES L1_LINE"))
    return 0
  pages = known["TLB1_ASSOC"] == known["TLB1_ENTRIES"] ? known["TLB1_ENTRIES"] - 2 : int(known["TLB1_ENTRIES"] / 2)
  if (known["TLB_LEVELS"] > 1 && have("TLB1_MISS L1_LAT") && known["TLB1_MISS"] <= 4 * known["L1_LAT"])
    pages = int(second_entries() / 2)
  lines = int(known["L1_BYTES"] / known["L1_LINE"] / 2)
  why = "the TLB, or level 1, is too small"
  for (n = 1; 2 * n <= least(pages, lines); n *= 2)
    ;
  return n > 1 ? n : 0
}
