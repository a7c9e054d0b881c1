#!/bin/sh
# The models of block sizes: what they give for known machines, what they must keep to for any,
# and that they give nothing where an input is missing.  Speaks TAP.
set -u
export LC_ALL=C
model=${srcdir:-.}/analysis/tiles.awk
awk=${AWK:-awk}
count=0
work=$(mktemp) || exit 99
trap 'rm -f "$work"' 0
trap 'exit 99' HUP INT PIPE TERM

# ok TITLE STATUS
ok() {
  count=$((count + 1))
  if test "$2" -eq 0; then
    echo "ok $count - $1"
  else
    echo "not ok $count - $1"
  fi
}

# lines VALUES: what the model writes for NAME=VALUE...  None takes as much as 10 s.
lines() {
  for item in $1; do
    echo "$item"
  done | tr '=' ' ' | (
    # shellcheck disable=SC3045
    ulimit -t 10 2>/dev/null
    $awk -f "$model"
  )
}

# ask VALUES: the answers, as NAME=VALUE...
ask() {
  lines "$1" | sed -n 's/^HW_\([A-Z0-9_]*\) = /\1=/p' | tr '\n' ' '
}

# gives TITLE VALUES ANSWERS: these are among the answers.  A name without value: not answered.
gives() {
  answers=$(ask "$2")
  status=0
  for item in $3; do
    case $item in
    *=*) case " $answers" in *" $item "*) continue ;; esac ;;
    *) case " $answers" in *" $item="*) ;; *) continue ;; esac ;;
    esac
    status=1
    echo "# $1: $item is not so: $answers"
  done
  ok "$1" $status
}

# lacks TITLE VALUES ROWS WHY: each of these rows is unknown, and that is why.
lacks() {
  lines "$2" >"$work"
  status=0
  for item in $3; do
    grep -x "# HW_$item unknown: $4" "$work" >/dev/null && continue
    status=1
    echo "# $1: $item is $(grep "HW_$item " "$work")"
  done
  ok "$1" $status
}

l1='L1_BYTES=32768 L1_ASSOC=8 L1_LINE=64 L1_EFF_BYTES=32768'
l2='HAVE_L2=1 L2_BYTES=524288 L2_ASSOC=8 L2_LINE=64'
l3='HAVE_L3=1 L3_BYTES=16777216 L3_ASSOC=16 L3_LINE=64'
fma='LAT_FMA_VF64_X100=400 RTP_FMA_VF64_X100=50 HAVE_FMA_VF64=1
  LAT_FMA_VF32_X100=400 RTP_FMA_VF32_X100=50 HAVE_FMA_VF32=1'
avx2="VEC_BYTES=32 NR_V=16 NR_F64=16 $fma"

# Where the throughput of multiply-adds is not known, that of multiplications is theirs; where there
# are no fused ones it is not.
gives 'Products: multiply-adds whose throughput is unknown' \
  "VEC_BYTES=32 NR_V=16 LAT_FMA_VF64_X100=400 RTP_MUL_VF64_X100=50 HAVE_FMA_VF64=1 $l1" \
  'GEMM_F64_MR=4 GEMM_F64_NR=12 GEMM_F64_KC=208'
gives 'Products: no fused ones whose throughput is unknown' \
  "VEC_BYTES=32 NR_V=16 LAT_ADD_VF64_X100=400 RTP_MUL_VF64_X100=50 HAVE_FMA_VF64=0 $l1" \
  'GEMM_F64_MR GEMM_F64_NR'

# The paper's own numbers, BB 6: the register file of 16, 32 KiB, and their even variants.
gives 'BlackjackBench: 16 registers and 32 KiB' "NR_F64=16 $l1" \
  'GEMM_BB_M=3 GEMM_BB_N=3 GEMM_BB_K=1 GEMM_BB_EVEN_M=4 GEMM_BB_EVEN_N=2
   GEMM_BB_L1_M=63 GEMM_BB_L1_N=63 GEMM_BB_L1_K=1 GEMM_BB_L1_EVEN=56'
gives 'BlackjackBench: 8 and 32 registers' 'NR_F64=8' 'GEMM_BB_M=2 GEMM_BB_N=2 GEMM_BB_EVEN_M=2'
gives 'BlackjackBench: 32 registers' 'NR_F64=32' 'GEMM_BB_M=5 GEMM_BB_N=4'
gives 'BlackjackBench: too few' 'NR_F64=2' 'GEMM_BB_M GEMM_BB_N GEMM_BB_K GEMM_BB_EVEN_M'
gives 'BlackjackBench: none that are even' 'NR_F64=4' 'GEMM_BB_M=1 GEMM_BB_N=1 GEMM_BB_EVEN_M'
gives 'BlackjackBench: no registers' "$l1" 'GEMM_BB_M GEMM_BB_L1_M=63 GEMM_BB_L1_EVEN'

# Every m, n by brute force: none within R does more for what it moves.
status=0
for registers in 3 5 7 8 14 15 16 17 24 31 32 33 64 128; do
  ask "NR_F64=$registers" | tr ' ' '\n' | awk -F = -v R=$registers '
    function merit(m, n) { return 2 * m * n / (3 * m * n + m + n) }
    { got[$1] = $2 }
    END {
      for (step = 1; step <= 2; step++) {
        name = step == 1 ? "GEMM_BB_" : "GEMM_BB_EVEN_"
        m0 = got[name "M"]; n0 = got[name "N"]
        best = 0
        for (m = step; m <= R; m += step)
          for (n = step; m * n + m + n <= R; n += step)
            if (merit(m, n) > best) best = merit(m, n)
        if (best == 0 ? m0 != "" : m0 * n0 + m0 + n0 > R || merit(m0, n0) < best - 1e-12) {
          print "# " R ": " name m0 " " n0
          bad = 1
        }
      }
      exit bad
    }' || status=1
done
ok 'BlackjackBench: the best of all' $status

# Tiles.
gives 'tile: what fits level 2' "$l1 $l2 L2_EFF_BYTES=262144" 'TILE_F64=96 TILE_F32=128'
gives 'tile: what level 2 has' "$l1 $l2" 'TILE_F64=128 TILE_F32=192'
gives 'tile: no line' 'L2_BYTES=524288' 'TILE_F64=128 TILE_F32=192'
gives 'tile: a line too long' 'L2_BYTES=1024 L1_LINE=512' 'TILE_F64 TILE_F32'
gives 'tile: without level 2' "$l1" 'TILE_F64 TILE_F32'
gives 'tile: one that was measured' "$l1 $l2 TILE_F64=96" 'TILE_F64 TILE_F32=192'
gives 'product: a shape that cannot be' "$avx2 L1_BYTES=32768 L1_ASSOC=7 L1_LINE=64" 'GEMM_F64_NR=12 GEMM_F64_KC'
for name in L1_BYTES L1_ASSOC L1_LINE; do
  gives "product: without $name" "$avx2 $(echo "$l1" | tr ' ' '\n' | grep -v "$name=" | tr '\n' ' ')" 'GEMM_F64_KC'
  gives "product: a bad $name" "$avx2 $l1 $name=x" 'GEMM_F64_KC=208'
  gives "product: 0 for $name" "$avx2 $l1 $name=0" 'GEMM_F64_KC'
done

# Blocks of plain loops, and padding.
gives 'block: three quarters of level 1' "$l1 PAGE_BYTES=4096" 'BLOCK_ROW_BYTES=1024 BLOCK_ROWS=24 PAD_BYTES=64'
gives 'block: less fits' "$l1 L1_EFF_BYTES=28672" 'BLOCK_ROW_BYTES=1024 BLOCK_ROWS=21'
gives 'block: longer rows of a larger level 1' 'L1_BYTES=131072 L1_ASSOC=8 L1_LINE=64' 'BLOCK_ROW_BYTES=2048 BLOCK_ROWS=48'
gives 'block: shorter ones of a smaller' 'L1_BYTES=8192 L1_ASSOC=4 L1_LINE=64' 'BLOCK_ROW_BYTES=512 BLOCK_ROWS=12'
gives 'block: direct mapped' 'L1_BYTES=16384 L1_ASSOC=1 L1_LINE=32' 'BLOCK_ROW_BYTES=512 BLOCK_ROWS=12 PAD_BYTES=32'
gives 'padding: a single set' 'L1_BYTES=4096 L1_ASSOC=64 L1_LINE=64' 'PAD_BYTES'
gives 'padding: ways are unknown' 'L1_BYTES=32768 L1_LINE=64' 'PAD_BYTES'
gives 'block: a given row' "$l1 BLOCK_ROW_BYTES=4096" 'BLOCK_ROWS=6'
gives 'block: a given row that level 1 does not hold' "$l1 BLOCK_ROW_BYTES=65536" 'BLOCK_ROWS'
gives 'block: ways are unknown' 'L1_BYTES=32768 L1_LINE=64' 'BLOCK_ROW_BYTES=1024 BLOCK_ROWS=24'
gives 'block: no line' 'L1_BYTES=32768 L1_ASSOC=8' 'BLOCK_ROW_BYTES BLOCK_ROWS PAD_BYTES'
gives 'block: a line too long' 'L1_BYTES=1024 L1_ASSOC=2 L1_LINE=512' 'BLOCK_ROW_BYTES'

# The product.
gives 'product: AVX2' "$avx2 $l1 $l2 $l3" \
  'GEMM_F64_MR=4 GEMM_F64_NR=12 GEMM_F64_KC=208 GEMM_F64_MC=236 GEMM_F64_NC=8820
   GEMM_F32_MR=4 GEMM_F32_NR=24 GEMM_F32_KC=256'
gives 'product: 15 registers' "$avx2 NR_V=15" 'GEMM_F64_MR=6 GEMM_F64_NR=8 GEMM_F32_NR=16'
# As few registers as leave no more than a load to two multiply-adds, and enough in flight.
gives 'product: AVX-512' "$avx2 VEC_BYTES=64 NR_V=32" 'GEMM_F64_MR=4 GEMM_F64_NR=32 GEMM_F32_NR=64'
gives 'product: 21 registers' "$avx2 NR_V=21" 'GEMM_F64_MR=4 GEMM_F64_NR=16'
gives 'product: 20 registers' "$avx2 NR_V=20" 'GEMM_F64_MR=5 GEMM_F64_NR=12'
gives 'product: seventeen in flight' "$avx2 NR_V=32 LAT_FMA_VF64_X100=850" 'GEMM_F64_MR=6 GEMM_F64_NR=12'
gives 'product: no fused multiply-add' "$avx2 VEC_BYTES=16 HAVE_FMA_VF64=0 LAT_ADD_VF64_X100=300" \
  'GEMM_F64_MR=6 GEMM_F64_NR=4'
sse="VEC_BYTES=16 NR_V=16 HAVE_FMA_VF64=0 LAT_ADD_VF64_X100=400"
gives 'product: a pair as slow as both' "$sse RTP_FMA_VF64_X100=100" 'GEMM_F64_MR=6 GEMM_F64_NR=4'
gives 'product: a pair at least as slow as the slower' \
  "$sse LAT_ADD_VF64_X100=1300 RTP_ADD_VF64_X100=50 RTP_MUL_VF64_X100=100" 'GEMM_F64_MR=13 GEMM_F64_NR=2'
gives 'product: a pair of which one is unknown' "$sse RTP_ADD_VF64_X100=50" 'GEMM_F64_MR GEMM_F64_NR'
gives 'product: fused, or not, is unknown' \
  'VEC_BYTES=16 NR_V=16 LAT_ADD_VF64_X100=400 RTP_ADD_VF64_X100=50 RTP_MUL_VF64_X100=50' 'GEMM_F64_MR'
gives 'product: the width of vectors is unknown' 'NR_F64=8 LAT_FMA_F64_X100=800 RTP_FMA_F64_X100=200' \
  'GEMM_F64_MR GEMM_F64_NR'
gives 'product: scalars' 'VEC_BYTES=8 NR_F64=8 LAT_FMA_F64_X100=800 RTP_FMA_F64_X100=200' \
  'GEMM_F64_MR=2 GEMM_F64_NR=2 GEMM_F32_MR'
# What is unknown of vectors is that of the scalar type; the vectors' own comes first.
half='VEC_BYTES=32 NR_V=16 LAT_FMA_F64_X100=400 RTP_FMA_F64_X100=50 HAVE_FMA_F64=1'
gives 'product: scalar latency and throughput' "$half $l1" 'GEMM_F64_MR=4 GEMM_F64_NR=12 GEMM_F64_KC=208 GEMM_F32_MR'
gives 'product: one latency of vectors is unknown' \
  'VEC_BYTES=32 NR_V=32 RTP_FMA_VF64_X100=50 HAVE_FMA_VF64=1 LAT_FMA_F64_X100=1300' 'GEMM_F64_MR=9 GEMM_F64_NR=12'
gives 'product: scalars do not matter beside vectors' \
  "$avx2 NR_V=32 LAT_FMA_VF64_X100=1300 LAT_FMA_F64_X100=400 RTP_FMA_F64_X100=400 HAVE_FMA_F64=0" \
  'GEMM_F64_MR=9 GEMM_F64_NR=12'
gives 'product: whether vectors are fused is unknown' \
  'VEC_BYTES=16 NR_V=16 HAVE_FMA_F64=0 LAT_ADD_VF64_X100=400 RTP_ADD_F64_X100=50 RTP_MUL_VF64_X100=100' \
  'GEMM_F64_MR=6 GEMM_F64_NR=4'
gives 'product: a scalar pair as slow as the slower' \
  "$sse LAT_ADD_VF64_X100=1300 RTP_ADD_F64_X100=50 RTP_MUL_F64_X100=100" 'GEMM_F64_MR=13 GEMM_F64_NR=2'
gives 'product: the latency rules' "$avx2 NR_V=32 LAT_FMA_VF64_X100=1300" 'GEMM_F64_MR=9 GEMM_F64_NR=12'
gives 'product: given blocks' "$avx2 $l1 GEMM_F64_MR=6 GEMM_F64_NR=8" 'GEMM_F64_KC=256 GEMM_F64_MC'
gives 'product: a given row' "$avx2 GEMM_F64_MR=6" 'GEMM_F64_NR=8'
gives 'product: given too much' "$avx2 GEMM_F64_MR=60" 'GEMM_F64_NR'
gives 'product: no ways of levels 2 and 3' \
  "$avx2 $l1 HAVE_L2=1 L2_EFF_BYTES=393216 HAVE_L3=1 L3_EFF_BYTES=12582912" \
  'GEMM_F64_MC=208 GEMM_F64_NC=7344'
gives 'product: a share of level 3' "$avx2 $l1 $l2 $l3 L3_SHARE_BYTES=4194304" 'GEMM_F64_NC=2280'
gives 'product: the reach of the TLB' \
  "$avx2 $l1 $l2 TLB_LEVELS=1 TLB1_REACH_BYTES=262144 PAGE_BYTES=4096 HAVE_L3=0" \
  'GEMM_F64_MC=112 GEMM_F64_NC=156'
gives 'product: no level 2' "$avx2 $l1 HAVE_L2=0 HAVE_L3=0" 'GEMM_F64_KC=208 GEMM_F64_MC GEMM_F64_NC'
gives 'product: no level 3 and no TLB' "$avx2 $l1 $l2 HAVE_L3=0" 'GEMM_F64_NC'
# What is unknown is not what is not there, of the second type neither.
lacks 'product: levels that are not known' "$avx2 $l1" 'GEMM_F32_MC GEMM_F64_MC GEMM_F64_SMALL' 'HW_HAVE_L2 is unknown'
lacks 'product: levels that are not there' "$avx2 $l1 HAVE_L2=0 HAVE_L3=0" 'GEMM_F32_MC GEMM_F64_MC GEMM_F64_SMALL' \
  'there is no level 2'
lacks 'product: whether there is a level 3 is unknown' \
  "$avx2 $l1 $l2 TLB_LEVELS=1 TLB1_REACH_BYTES=262144 PAGE_BYTES=4096" 'GEMM_F32_NC GEMM_F64_NC' 'HW_HAVE_L3 is unknown'
gives 'product: small is as deep as a micro-panel' "$avx2 $l1 HAVE_L2=1 L2_EFF_BYTES=1048576" 'GEMM_F64_SMALL=208 GEMM_F32_SMALL=256'
gives 'product: small is what level 2 holds twice' "$avx2 $l1 HAVE_L2=1 L2_EFF_BYTES=262144" \
  'GEMM_F64_SMALL=128 GEMM_F32_SMALL=181'
gives 'product: small without level 2' "$avx2 $l1 HAVE_L2=0" 'GEMM_F64_KC=208 GEMM_F64_SMALL'
for name in NR_V LAT_FMA_VF64_X100 RTP_FMA_VF64_X100; do
  gives "product: without $name" "$(echo "$avx2" | tr ' ' '\n' | grep -v "^$name=" | tr '\n' ' ') $l1" \
    'GEMM_F64_MR GEMM_F64_NR GEMM_F64_KC GEMM_F64_MC GEMM_F64_NC GEMM_F64_SMALL'
done

# Partitions: a TLB without sets, and with; few lines; a second TLB; what is missing.
tlb='TLB_LEVELS=1 TLB1_ENTRIES=64 TLB1_ASSOC=64'
two="$tlb TLB_LEVELS=2 L1_LAT=4"
gives 'partitions: all of the TLB but two' "$l1 $tlb" 'PARTITIONS=32'
gives 'partitions: 72 entries' "$l1 TLB_LEVELS=1 TLB1_ENTRIES=72 TLB1_ASSOC=72" 'PARTITIONS=64'
gives 'partitions: half of sets' "$l1 TLB_LEVELS=1 TLB1_ENTRIES=256 TLB1_ASSOC=4" 'PARTITIONS=128'
gives 'partitions: half of the lines' "L1_BYTES=4096 L1_ASSOC=4 L1_LINE=64 $tlb" 'PARTITIONS=32'
gives 'partitions: of the lines, not of what fits of a walk' "$l1 L1_EFF_BYTES=2048 $tlb" 'PARTITIONS=32'
gives 'partitions: two entries' "$l1 TLB_LEVELS=1 TLB1_ENTRIES=2 TLB1_ASSOC=2" 'PARTITIONS'
gives 'partitions: a first TLB that is cheap to miss' "$l1 $two TLB1_MISS=7 TLB2_ENTRIES=2048 TLB2_ASSOC=8" 'PARTITIONS=256'
gives 'partitions: a first TLB that is dear to miss' "$l1 $two TLB1_MISS=17 TLB2_ENTRIES=2048 TLB2_ASSOC=8" 'PARTITIONS=32'
gives 'partitions: a dear miss, and a second TLB that is unknown' "$l1 $two TLB1_MISS=17" 'PARTITIONS=32'
gives 'partitions: a small second TLB' "$l1 $two TLB1_MISS=7 TLB2_ENTRIES=256 TLB2_ASSOC=8" 'PARTITIONS=128'
gives 'partitions: a second TLB that is unknown' "$l1 $two TLB1_MISS=7" 'PARTITIONS=256'
gives 'partitions: what a second TLB holds' "$l1 $two TLB1_MISS=7 PAGE_BYTES=4096 TLB2_EFF_BYTES=1048576" 'PARTITIONS=128'
gives 'partitions: eight times a small first TLB' "$l1 TLB_LEVELS=2 TLB1_ENTRIES=32 TLB1_ASSOC=32 L1_LAT=4 TLB1_MISS=7" 'PARTITIONS=128'
# What tells that the second one serves is unknown: the first one does in any case.
gives 'partitions: the cost of a miss is unknown' "$l1 $two TLB2_ENTRIES=2048 TLB2_ASSOC=8" 'PARTITIONS=32'
gives 'partitions: the number of TLBs is unknown' "$l1 TLB1_ENTRIES=64 TLB1_ASSOC=64" 'PARTITIONS=32'
gives 'partitions: no ways' "$l1 TLB_LEVELS=1 TLB1_ENTRIES=64" 'PARTITIONS'
gives 'partitions: no line' "L1_BYTES=32768 L1_ASSOC=8 $tlb" 'PARTITIONS'

gives 'nothing from nothing' '' 'BLOCK_ROW_BYTES BLOCK_ROWS PAD_BYTES PARTITIONS TILE_F32 TILE_F64 GEMM_F64_MR GEMM_BB_M GEMM_BB_L1_M'

# Machines at random: what is answered fits where it is to fit.
status=0
seed=${HW_TEST_SEED:-$$}
$awk -v seed="$seed" -v model="$awk -f $model" '
  function pick(list,   n, part) { n = split(list, part, " "); return part[1 + int(rand() * n)] + 0 }
  function up(x) { return x > int(x) ? int(x) + 1 : int(x) }
  function bad(text) { print "# " text ": " machine; failed = 1 }
  BEGIN {
    srand(seed)
    for (run = 0; run < 60; run++) {
      split("", v); split("", got)
      v["L1_LINE"] = pick("16 32 64 128"); v["L1_ASSOC"] = pick("1 2 3 4 6 8 12 16 64")
      v["L1_BYTES"] = v["L1_LINE"] * v["L1_ASSOC"] * pick("32 64 128")
      v["L1_EFF_BYTES"] = int(v["L1_BYTES"] * pick("1 0.9 0.6"))
      v["HAVE_L2"] = 1; v["L2_ASSOC"] = pick("1 2 4 8 10 16 20")
      v["L2_BYTES"] = v["L2_ASSOC"] * 64 * pick("512 1024 2048")
      v["L2_EFF_BYTES"] = int(v["L2_BYTES"] * pick("1 0.7"))
      v["HAVE_L3"] = 1; v["L3_EFF_BYTES"] = v["L2_BYTES"] * pick("2 5 30")
      v["VEC_BYTES"] = pick("4 8 16 32 64"); v["NR_V"] = pick("6 7 8 14 16 32"); v["NR_F64"] = v["NR_V"]
      v["LAT_FMA_VF64_X100"] = v["LAT_FMA_F64_X100"] = pick("300 400 555 900")
      v["RTP_FMA_VF64_X100"] = v["RTP_FMA_F64_X100"] = pick("50 100 203")
      v["HAVE_FMA_VF64"] = v["HAVE_FMA_F64"] = 1
      machine = ""
      for (name in v) machine = machine name " " v[name] "\\n"
      command = "printf \"" machine "\" | " model
      while ((command | getline line) > 0)
        if (split(line, word, " ") == 3 && word[2] == "=") got[substr(word[1], 4)] = word[3]
      close(command)
      mr = got["GEMM_F64_MR"]; nr = got["GEMM_F64_NR"]; kc = got["GEMM_F64_KC"]
      mc = got["GEMM_F64_MC"]; nc = got["GEMM_F64_NC"]
      lanes = v["VEC_BYTES"] < 8 ? 1 : v["VEC_BYTES"] / 8
      if (mr == "" || nr == "" || nr % lanes) bad("blocks " mr " " nr)
      if (mr * nr / lanes + nr / lanes + 1 > v["NR_V"]) bad("registers " mr " " nr)
      way = v["L1_BYTES"] / v["L1_ASSOC"]
      if (kc != "" && ((mr + nr) * kc * 8 > v["L1_EFF_BYTES"] ||
          v["L1_ASSOC"] > 2 && up(mr * kc * 8 / way) + up(nr * kc * 8 / way) >= v["L1_ASSOC"]))
        bad("level 1 " kc)
      if (kc != "" && mc == "") bad("no mc")
      if (mc != "" && (mc % mr || mc > mr && mc * kc * 8 + 2 * kc * nr * 8 > v["L2_EFF_BYTES"])) bad("level 2 " mc)
      if (nc != "" && (nc % nr || nc > nr && (nc + mc) * kc * 8 > v["L3_EFF_BYTES"])) bad("level 3 " nc)
      t = got["TILE_F64"]
      if (t != "" && (3 * t * t * 8 > v["L2_EFF_BYTES"] || t * 8 % v["L1_LINE"])) bad("tile " t)
      t = got["BLOCK_ROW_BYTES"]
      if (t % v["L1_LINE"]) bad("row " t)
      if (t * (got["BLOCK_ROWS"] + 1) > v["L1_EFF_BYTES"]) bad("block " got["BLOCK_ROWS"])
      t = got["TILE_F64"]
      answered += (t != "") + (nc != "")
    }
    if (answered < 60) bad("few answers " answered)
    exit failed
  }' || status=1
test $status -eq 0 || echo "# seed $seed"
ok 'machines at random' $status

# Whatever is given, there is an end, and nothing beyond what a row may be.
gives 'BlackjackBench: an even block of a prime' "$l1 GEMM_BB_EVEN_M=4 GEMM_BB_EVEN_N=999999937" \
  'GEMM_BB_L1_M=63 GEMM_BB_L1_EVEN'
gives 'BlackjackBench: an even block whose edges have a divisor' "$l1 GEMM_BB_EVEN_M=4 GEMM_BB_EVEN_N=6" 'GEMM_BB_L1_EVEN=48'
gives 'A large level of many ways' "L1_BYTES=1073741824 L1_ASSOC=65536 L1_LINE=8 GEMM_F64_MR=1 GEMM_F64_NR=1 HAVE_L2=0" \
  'GEMM_F64_KC=67106816'
gives 'Products: no more columns than there may be' \
  "VEC_BYTES=4096 NR_V=1000 $fma GEMM_F64_MR=1 most=GEMM_F64_NR=65536 $l1" 'GEMM_F64_NR=65536'
gives 'Products: nothing follows from what is out of range' \
  "NR_V=16 VEC_BYTES=32 $fma $l1 $l2 most=GEMM_F64_KC=100" 'GEMM_F64_NR=12 GEMM_F64_KC GEMM_F64_MC'

echo "1..$count"
