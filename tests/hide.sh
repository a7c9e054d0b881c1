#!/bin/sh
# What hangs on a row: each row that another reads is hidden on simulated machines, as if it were unknown, and
# all are asked for.  No more than three others are lost that do not follow from it, and no value is another
# than without that, but for what a rate or a time may differ.  Speaks TAP.
# Environment: simulate, the program; srcdir, the top of the sources; HW_TEST_LONG, no: one machine, and the
# rows on which most hangs; HW_TEST_HIDE_MACHINES, some machines, as machines/pentium4; HW_TEST_HIDE, some
# rows, as L1_LINE; HW_TEST_JOBS, how many run at a time.

# shellcheck disable=SC1091,SC2317 # it is checked on its own, and calls try
. "${srcdir:-.}/tests/workers.sh"
machines='machines/pentium3 machines/opteron240 families/zen4'
if test "${HW_TEST_LONG-}" = no; then
  machines=machines/pentium3
  : "${HW_TEST_HIDE:=L1_LINE L1_BYTES PAGE_BYTES TLB1_ENTRIES TLB1_ASSOC TLB1_MISS L2_BYTES CACHE_LEVELS}"
fi
machines=${HW_TEST_HIDE_MACHINES:-$machines}

# Rows that follow from another: it in another unit, or a number that its reader multiplies or divides by it
# or, of a level that does not exist, repeats.  And, after a colon, rows that cannot be measured without it: what
# takes long is memory, lines and colours need the shape of the level above.
cat >"$work/follow" <<'END'
CLOCK_NS
CYCLE_PS CPU_MHZ L1_LAT_PS L2_LAT_PS L3_LAT_PS MEM_LAT_PS : CACHE_LEVELS HAVE_L3 L3_BYTES L3_LINE L3_EFF_BYTES MEM_LAT MEM_PARALLEL MEM_READ_MBS MEM_WRITE_MBS MEM_COPY_MBS MEM_TOTAL_MBS MEM_THREADS
CPUS CORE_THREADS CORES CONTEXTS_INT CONTEXTS_FP CONTEXTS_MEM
L1_BYTES L1_SETS L2_BYTES L3_BYTES : L1_LINE L1_MISS_FIRA L2_MISS_FIRA L3_MISS_FIRA L2_BYTES L2_ASSOC L2_LINE L2_SETS L2_EXCLUSIVE L3_BYTES L3_ASSOC L3_LINE L3_SETS L3_EXCLUSIVE
L1_LINE L1_SETS L2_LINE L3_LINE
L1_EFF_BYTES L2_EFF_BYTES L3_EFF_BYTES
L2_LAT L2_LAT_X100 L2_LAT_PS
L3_LAT L3_LAT_X100 L3_LAT_PS
PAGE_BYTES TLB1_ENTRIES TLB2_ENTRIES TLB2_REACH_BYTES
TLB1_REACH_BYTES TLB1_ENTRIES
TLB2_ENTRIES TLB2_REACH_BYTES
MEM_LAT MEM_LAT_X100 MEM_LAT_PS
MEM_PARALLEL MEM_PARALLEL_X100
L2_BYTES L2_SETS L3_BYTES : L3_BYTES L3_ASSOC L3_LINE L3_SETS L3_EXCLUSIVE
L2_ASSOC L2_SETS : L2_EXCLUSIVE L3_EXCLUSIVE
L2_LINE L2_SETS L3_LINE
L3_BYTES L3_SETS
L3_ASSOC L3_SETS
L3_LINE L3_SETS
END

# The rows that readers and probes read.
sh "$srcdir/tests/ask.sh" measured macro value |
  while read -r macro value; do
    ! cat "$srcdir"/analysis/rows/*.c "$srcdir"/probes/*/*.c | grep -q "hw_value_${value}[^a-z0-9_]" || echo "$macro"
  done >"$work/read"
rows=${HW_TEST_HIDE:-$(cat "$work/read")}
test -n "$rows" || exit 99

# judge ROW PLAIN HIDDEN: what is wrong with the hidden run, or nothing.
judge ()
{
  awk -v row="$1" '
    FILENAME == ARGV[1] {
      for (i = 2; i <= NF; i++)
        if ($i == ":") needs = 1
        else if (!needs || $1 == row) from[$i] = from[$i] " " $1
      needs = 0
      next
    }
    $3 == "range" { if (FILENAME == ARGV[2]) { low[$2] = $4; high[$2] = $5 }; next }
    $2 != "=" || / .*[,\/]/ { next }
    { sub(/^HW_/, "", $1) }
    FILENAME == ARGV[2] { plain[$1] = $3; next }
    { hidden[$1] = $3 }
    # A time or a rate may differ by a little where lines farther apart are walked; what a thread holds of a
    # level, by a step of the size curve or two.
    function near(it, a, b,   most) {
      if (("HW_" it) in low && b >= low["HW_" it] + 0 && b <= high["HW_" it] + 0) return 1
      most = it ~ /_EFF_BYTES$/ ? 0.5 * a : it ~ /_X100$/ ? 0.03 * a : it ~ /_(MBS|NS|PS|US|FIRA|LAT|MISS)$/ ? 0.03 * a : 0
      if (it ~ /_X100$/ && most < 25) most = 25
      if (it ~ /_(LAT|MISS|FIRA)$/ && most < 1) most = 1
      return a - b <= most && b - a <= most
    }
    END {
      if (row in hidden) text = " it is not hidden"
      for (it in plain) {
        if (!(it in hidden)) {
          if (it != row && !follows(it)) { lost++; names = names " " it }
        } else if (!near(it, plain[it], hidden[it]))
          text = text " " it "=" hidden[it] " (not " plain[it] ")"
      }
      if (lost > 3) text = text " lost:" names
      printf "%s", text
    }
    # Whether a row that is lost follows from the hidden one, or another that is lost.
    function follows(it,   base, n, i) {
      n = split(from[it], base, " ")
      for (i = 1; i <= n; i++)
        if (base[i] == row || (base[i] in plain && !(base[i] in hidden))) return 1
      return 0
    }' "$work/follow" "$2" "$3"
}

# try NUMBER MACHINE ROW: hides it, and writes its line to NUMBER.tap.
try ()
{
  plain=$work/$(basename "$2")
  if ! grep -q "^HW_$3 = " "$plain"; then
    echo "ok $1 - $2 without $3 # SKIP it is unknown there"
  elif ! "$simulate" --hide="HW_$3" "$srcdir/tests/$2.machine" >"$work/$1.values" 2>"$work/$1.log"; then
    echo "not ok $1 - $2 without $3: simulate failed"
  else
    judge "$3" "$plain" "$work/$1.values" >"$work/$1.bad"
    test ! -s "$work/$1.bad" || printf 'not '
    echo "ok $1 - $2 without $3$(sed 's/^/:/' "$work/$1.bad")"
  fi >"$work/$1.tap"
}

for machine in $machines; do
  "$simulate" "$srcdir/tests/$machine.machine" >"$work/$(basename "$machine")" 2>"$work/log" || exit 99
  for row in $rows; do
    echo "$machine $row"
  done
done >"$work/runs"
echo "1..$(wc -l <"$work/runs")"
try_all "$work/runs" "$jobs"
results "$work/runs"
