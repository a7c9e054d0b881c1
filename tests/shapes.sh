#!/bin/sh
# The size curve on machines that nobody made up: shapes drawn from families, of each of which every
# value that is known must be the description's.  How many are known is a diagnostic.  Speaks TAP.
# Environment: simulate, the program; srcdir, the top of the sources; HW_TEST_SEED, of the shapes;
# HW_TEST_SHAPES, how many of each family; HW_TEST_FAMILIES, some of the families; HW_TEST_JOBS, how
# many run at a time; HW_TEST_KEEP, a folder for the machine files of what failed.

# shellcheck disable=SC1091 # it is checked on its own
. "${srcdir:-.}/tests/workers.sh"
seed=${HW_TEST_SEED:-1}
shapes=${HW_TEST_SHAPES:-1}
families=${HW_TEST_FAMILIES:-exclusive random tlb mixed}
keep=${HW_TEST_KEEP-}
rows='HW_CACHE_LEVELS HW_HAVE_L2 HW_HAVE_L3 HW_L1_BYTES HW_L1_ASSOC HW_L1_LINE HW_L1_LAT HW_L2_LAT
  HW_L3_LAT HW_MEM_LAT HW_L2_BYTES HW_L3_BYTES HW_L2_EFF_BYTES HW_PAGE_BYTES HW_TLB1_ENTRIES
  HW_TLB1_ASSOC HW_TLB1_MISS'

# draw FAMILY NUMBER: a machine file.  The generator is written out, since each awk has its own.
# exclusive: two levels behind one another that hold what the ones above give up; TLBs that reach
# less than these.
# random: replacement that is random in one level or in both; TLBs that reach less than level 2.
# tlb: a small cache right before memory, and a TLB that reaches little more.
# mixed: one to three levels, of any policy, relation and line; TLBs or none.
draw ()
{
  awk -v family="$1" -v number="$2" -v seed="$seed" '
    function below(n) { state = state * 16807 % 2147483647; return int(state / 2147483647 * n) }
    function range(low, high) { return low + below(high - low + 1) }
    function pick(list,   word, n) { n = split(list, word, " "); return word[1 + below(n)] }
    function power(low, high) { return 2 ^ range(low, high) }
    function level(bytes, ways, line, latency, words) {
      printf "level %d  bytes %d ways %d line %d latency %d%s\n", ++levels, bytes, ways, line,
        latency, words
      return bytes
    }
    # Another latency, so many tenths of the one before.
    function slower(least, most) { latency = int(latency * range(least, most) / 10) + 1
      return latency }
    function pages() {
      page = pick(family == "tlb" ? "4096" : family == "mixed" ? "4096 4096 4096 16384" : \
        "4096 4096 8192")
      printf "page     bytes %d placement %s\n", page, pick("random random coloured_16 contiguous")
    }
    # So many TLBs, the first of so many entries at least and at most.
    function tlbs(n, least, most,   entries, ways, i) {
      for (i = 1; i <= n; i++) {
        entries = i == 1 ? power(least, most) : entries * power(1, 4)
        ways = pick(entries " " entries " 4")
        printf "tlb %d    entries %d ways %d miss %d\n", i, entries, entries % ways ? entries : ways,
          i == 1 ? range(3, 30) : range(10, 40)
      }
    }
    function exclusive(   bytes, line) {
      line = pick("32 64 64 128")
      bytes = level(power(14, 16), power(1, 3), line, latency, " policy " pick("lru plru random"))
      bytes = level(bytes * power(1, 3), power(2, 4), line, slower(16, 40), " exclusive")
      level(bytes * power(1, 3), power(2, 4), line, slower(18, 40), " exclusive")
      slower(25, 80)
      tlbs(pick("0 0 1 2"), 4, 7)
    }
    function replaced(   bytes, line, policy) {
      line = pick("32 64 64 128")
      policy = pick("random_random random_lru lru_random random_plru")
      split(policy, p, "_")
      bytes = level(power(13, 16), power(1, 4), line, latency, " policy " p[1])
      level(bytes * power(2, 5), power(1, 4), line, slower(20, 50),
        " policy " p[2] " " pick("inclusive independent"))
      slower(30, 120)
      tlbs(pick("0 0 1 2"), 4, 7)
    }
    function small() {
      level(power(10, 14), power(0, 3), pick("16 32 32 64"), latency, "")
      latency = range(10, 60)
      tlbs(pick("1 1 2"), 2, 5)
    }
    function mixed(   bytes, line, n, i, words) {
      n = pick("1 2 2 2 3 3")
      line = pick("16 32 64 64 64 128 512")
      bytes = level(power(13, 20) + 0, power(0, 4), line, latency,
        " policy " pick("lru plru random rrip"))
      for (i = 2; i <= n; i++) {
        words = pick("independent independent inclusive exclusive")
        if (words != "exclusive" && line < 128)
          line *= pick("1 1 1 2")
        words = " policy " pick("lru lru plru random rrip") " " words pick("_ _ _hash_4")
        gsub(/_/, " ", words)
        bytes = level(bytes * power(1, 4), power(words ~ /hash/ ? 2 : 0, 4), line, slower(15, 50),
          words)
      }
      slower(20, 100)
      tlbs(pick("0 1 1 2"), 3, 7)
    }
    BEGIN {
      state = 1 + (seed * 1000003 + number * 7919 + length(family) * 104729) % 2147483646
      for (i = 0; i < 8; i++)
        below(2)
      latency = range(2, 5)
      print "machine  " family " " number
      print "cycle    0.5 ns"
      print "seed     " number
      if (family == "exclusive")
        exclusive()
      else if (family == "random")
        replaced()
      else if (family == "tlb")
        small()
      else
        mixed()
      print "memory   latency " latency
      pages()
    }' | sed 's/coloured_/coloured /'
}

# check FILE KNOWN VALUES: says what is known and is not what the machine file has.  The memory's
# latency is right to 3 % or half a cycle, all else exactly.  An effective size is more than the
# level above, and no more than what the caches hold up to there.  To KNOWN how many
# values could be known, and how many are.
check ()
{
  awk -v known="$2" '
    function wants(row, value, least, most) {
      low["HW_" row] = least == "" ? value : least
      high["HW_" row] = most == "" ? value : most
    }
    # What is an average, to 3 %.
    function near(row, value, off) {
      off = value * 0.03 > 0.5 ? value * 0.03 : 0.5
      wants(row, value, value - off, value + off)
    }
    FNR == 1 { file++ }
    file == 1 {
      for (i = 2; i < NF; i++)
        operand[$i] = $(i + 1)
      if ($1 == "level" || $1 == "tlb") {
        count[$1] = $2
        for (name in operand)
          of[$1, $2, name] = operand[name]
        if ($1 == "level")
          room[$2] = operand["bytes"] + (/ exclusive/ ? room[$2 - 1] : 0)
      }
      if ($1 == "memory")
        memory = operand["latency"]
      if ($1 == "page")
        page = operand["bytes"]
      for (name in operand)
        delete operand[name]
      next
    }
    $1 == "#" && $3 != "range" { asked++ }
    $2 == "=" { asked++; got[$1] = $3 }
    END {
      levels = count["level"]
      wants("CACHE_LEVELS", levels)
      wants("HAVE_L2", levels > 1 ? 1 : 0)
      wants("HAVE_L3", levels > 2 ? 1 : 0)
      wants("L1_BYTES", of["level", 1, "bytes"])
      wants("L1_ASSOC", of["level", 1, "ways"])
      wants("L1_LINE", of["level", 1, "line"])
      for (i = 1; i <= 3; i++) {
        last = i < levels ? i : levels
        if (i > 1)
          wants("L" i "_BYTES", of["level", last, "bytes"])
        if (i > levels)
          wants("L" i "_LAT", "none")
        else if (i < 3)
          wants("L" i "_LAT", of["level", i, "latency"])
        else
          near("L" i "_LAT", of["level", i, "latency"])
      }
      near("MEM_LAT", memory)
      if (levels > 1)
        wants("L2_EFF_BYTES", 0, of["level", 1, "bytes"] + 1, room[2])
      wants("PAGE_BYTES", page)
      wants("TLB1_ENTRIES", count["tlb"] ? of["tlb", 1, "entries"] : "none")
      wants("TLB1_ASSOC", count["tlb"] ? of["tlb", 1, "ways"] : "none")
      wants("TLB1_MISS", count["tlb"] ? of["tlb", 1, "miss"] : "none")
      if (!asked)
        printf " no answers"
      for (row in got) {
        values++
        if (row in low && (low[row] == "none" || got[row] < low[row] || got[row] > high[row]))
          printf " %s=%s (not %s)", row, got[row],
            low[row] == high[row] ? low[row] : low[row] " to " high[row]
      }
      print asked + 0, values + 0 >known
    }' "$1" "$3"
}

# try NUMBER FAMILY SHAPE: simulates the shape.  Writes its line to NUMBER.tap and what is known to
# FAMILY.NUMBER.known.
try ()
{
  machine=$work/$1.machine
  draw "$2" "$3" >"$machine"
  mkdir "$work/$1"
  # shellcheck disable=SC2086 # rows is a list
  if "$simulate" --curves="$work/$1" "$machine" $rows >"$work/$1.values" 2>"$work/$1.log"; then
    check "$machine" "$work/$2.$1.known" "$work/$1.values" >"$work/$1.bad"
  else
    echo ' simulate failed' >"$work/$1.bad"
  fi
  rm -rf "${work:?}/$1"
  if test -s "$work/$1.bad"; then
    echo "not ok $1 - $2 $3:$(cat "$work/$1.bad")"
    sed 's/^/# /' "$machine"
    test -z "$keep" || cat "$machine" "$work/$1.bad" >"$keep/$2-$3.machine"
  else
    echo "ok $1 - $2 $3"
  fi >"$work/$1.tap"
}

shape=0
while test "$shape" -lt "$shapes"; do
  shape=$((shape + 1))
  for family in $families; do
    echo "$family $shape"
  done
done >"$work/runs"
echo "1..$(wc -l <"$work/runs")"
echo "# seed $seed"

try_all "$work/runs" "$jobs"
results "$work/runs"
for family in $families; do
  cat "$work/$family".*.known 2>/dev/null |
    awk -v family="$family" '{ rows += $1; known += $2 }
      END { printf "# %s: %d of %d values are known\n", family, known, rows }'
done
