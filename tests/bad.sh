#!/bin/sh
# Machines and times that nobody wishes for: no cache at all, a level, five of them, clocks of long steps, little
# memory, no larger pages, another process that takes half of the processor, or all of it for a while.  On each the
# probes end within their budget, each row is known or says why, and what is known is right.  Speaks TAP.
# Environment: simulate, the program; srcdir, the top of the sources; HW_TEST_LONG, no: some cases;
# HW_TEST_BAD, some of their names; HW_TEST_JOBS, how many run at a time.

# shellcheck disable=SC1091,SC2317 # it is checked on its own, and calls try
. "${srcdir:-.}/tests/workers.sh"
# shellcheck disable=SC1091
. "$srcdir/tests/verdicts.sh"

# What each is: N? is that or unknown, ? is unknown.  Of a machine without a cache nobody looks at a first level.
cat >"$work/expected" <<'END'
# name     CACHE_LEVELS HAVE_L1 HAVE_L2 HAVE_L3 L1_BYTES L1_LINE L1_LAT PAGE_BYTES TLB1_ENTRIES L2_LAT L3_LAT MEM_LAT
none                 0?      0?      0?      0?        .       .      .      4096?          64?      -      -    220?
one                  1?      1?      0?      0?   32768?     64?     4?      4096?          64?      -      -    220?
three                3?      1?      1?      1?   32768?     64?     4?      4096?          64?    14?    40?    220?
five                 5?      1?      1?      1?   16384?     64?     3?      4096?          64?    10?    30?    420?
END

# machine KIND: its levels, without a clock and other processes.
machine ()
{
  printf '%s\n' "machine $1" 'cycle 0.5 ns' 'page bytes 4K placement random' 'tlb 1 entries 64 ways 4 miss 7' \
    'tlb 2 entries 1024 ways 8 miss 30' 'icache bytes 32K ways 8 line 64 miss 14'
  case $1 in
  none)
    echo 'memory latency 220'
    echo 'level 1 bytes 4 ways 1 line 4 latency 220' ;;
  one)
    echo 'memory latency 220 parallel 12 read 3 write 2'
    echo 'level 1 bytes 32K ways 8 line 64 latency 4' ;;
  three)
    echo 'memory latency 220 parallel 12 read 3 write 2'
    printf 'level %s line 64 latency %s\n' '1 bytes 32K ways 8' 4 '2 bytes 256K ways 8' 14 '3 bytes 3M ways 12' 40 ;;
  five)
    echo 'memory latency 420 parallel 12 read 3 write 2'
    printf 'level %s line 64 latency %s\n' '1 bytes 16K ways 4' 3 '2 bytes 128K ways 8' 10 '3 bytes 1M ways 8' 30 \
      '4 bytes 4M ways 16' 80 '5 bytes 16M ways 16' 170 ;;
  esac
}

# NAME KIND BUDGET MEMORY STATEMENT...: a case.
cases='none none 10 256
one one 10 256
five five 10 256
clock-1us three 10 256 clock step 1 us cost 30 ns
clock-10ms three 10 256 clock step 10 ms cost 30 ns
memory-16 three 10 16
second three 1 256
tenth three 0.1 256
half three 10 256 noise jitter 1% process streaming 4ms 4ms
away three 10 256 noise jitter 1% process streaming 400ms 400ms
sibling three 10 256 noise jitter 1% sibling streaming 60ms 2ms'
names=${HW_TEST_BAD-}
test -n "$names" || test "${HW_TEST_LONG-}" != no || names='one clock-10ms second tenth'
rows=$(sh "$srcdir/tests/ask.sh" measured macro | sed 's/^/HW_/' |
  grep -v -e _I32 -e _I64 -e _F32 -e _F64 -e _V)

# told FILE LOG BUDGET: what is missing of the answers, and of the time.
told ()
{
  # shellcheck disable=SC2086 # a list of rows
  printf '%s\n' $rows | awk '
    NR == FNR { want[$1]; next }
    $2 == "=" && $3 ~ /^[0-9]+$/ { delete want[$1] }
    $1 == "#" && $3 == "unknown:" && NF > 3 { delete want[$2] }
    $1 == "#" && $2 == $4 { printf " %s is unknown since it is unknown", $2 }
    END { for (row in want) printf " %s: neither value nor reason", row }' - "$1"
  awk -v budget="$3" '
    $1 == "simulated" { time = $2 }
    END { if (time == "" || time > 1.1 * budget + 0.1) printf " %s s of %s", time == "" ? "no" : time, budget }' "$2"
}

# try NUMBER NAME KIND BUDGET MEMORY STATEMENT...: simulates it, and writes its line to NUMBER.tap.
try ()
{
  number=$1
  name=$2
  kind=$3
  budget=$4
  memory=$(($5 * 1048576))
  shift 5
  { machine "$kind"; test $# -eq 0 || echo "$*"; } >"$work/$number.machine"
  # shellcheck disable=SC2086 # a list of rows
  "$simulate" --budget="$budget" --memory=$memory "$work/$number.machine" $rows >"$work/$number.values" \
    2>"$work/$number.log" || echo ' simulate failed' >"$work/$number.bad"
  hold "$work/expected" "$kind" "$work/$number.values" | faults no >>"$work/$number.bad"
  told "$work/$number.values" "$work/$number.log" "$budget" >>"$work/$number.bad"
  if test -s "$work/$number.bad"; then
    echo "not ok $number - $name:$(cat "$work/$number.bad")"
    sed 's/^/# /' "$work/$number.log"
  else
    echo "ok $number - $name"
  fi >"$work/$number.tap"
}

echo "$cases" | awk -v names=" $names " 'names == "  " || index(names, " " $1 " ")' >"$work/runs"
echo "1..$(wc -l <"$work/runs")"
try_all "$work/runs" "$jobs"
results "$work/runs"
