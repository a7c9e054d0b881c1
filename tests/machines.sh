#!/bin/sh
# The whole chain, probes to values, on every simulated machine: without noise each value must be
# exactly right; with 5 % jitter, bursts and drift each must be right or unknown, and at most one in twenty
# unknown.  Speaks TAP.
# Environment: simulate, the program; srcdir, the top of the sources; HW_TEST_LONG, no: some machines,
# without noise; HW_TEST_MACHINES, some of the machines; HW_TEST_COLUMNS, the columns of the table to look at, or all: those below take seconds a
# machine, all take a minute; HW_TEST_NOISE, no or only; HW_TEST_SEED, of the noise; HW_TEST_JOBS, how
# many machines run at a time.

LC_ALL=C
export LC_ALL
: "${srcdir:=.}" "${simulate:=tests/simulate}"
machines=$srcdir/tests/machines
expected=$machines/expected
quick='L1_BYTES L1_ASSOC L1_LINE L1_SETS L1_LAT PAGE_BYTES TLB1_ENTRIES TLB1_ASSOC TLB1_MISS'
columns=${HW_TEST_COLUMNS:-$quick}
test "$columns" != all || columns=$(awk '$2 == "name" { $1 = $2 = ""; print }' "$expected")
if test "${HW_TEST_LONG-}" = no; then
  : "${HW_TEST_NOISE:=no}"
  : "${HW_TEST_MACHINES:=pentium4 xtensa-lx modern-victim odd-3tlb odd-coarse-clock odd-direct odd-plru odd-rrip}"
fi
case ${HW_TEST_NOISE:-yes} in
no) passes=yes ;;
only) passes=no ;;
*) passes='yes no' ;;
esac
rows=$(for column in $columns; do echo "HW_$column"; done)
seed=${HW_TEST_SEED:-7}
jobs=${HW_TEST_JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)}
work=$(mktemp -d) || exit 99
# shellcheck disable=SC1091 # it is checked on its own
. "$srcdir/tests/workers.sh"
# shellcheck disable=SC1091
. "$srcdir/tests/verdicts.sh"

# try NUMBER NAME EXACT: simulates the machine and holds the answers against the table.  EXACT: yes when
# nothing that must come out may be unknown.  Writes its lines to NUMBER.tap and, under noise, how
# many values there are, and how many of them unknown, to NUMBER.count.
try ()
{
  machine=$machines/$2.machine
  if test "$3" = no; then
    machine=$work/$1.machine
    sed '/^noise/d; /^seed/d' "$machines/$2.machine" >"$machine"
    sed "s/^seed.*/seed $seed/" "$machines/noise" >>"$machine"
  fi
  mkdir "$work/$1"
  start=$(date +%s)
  # shellcheck disable=SC2086 # rows is a list
  if "$simulate" --curves="$work/$1" "$machine" $rows >"$work/$1.values" 2>"$work/$1.log"; then
    hold "$expected" "$2" "$work/$1.values" >"$work/$1.verdicts"
    test "$3" = yes || tally <"$work/$1.verdicts" >"$work/$1.count"
    faults "$3" <"$work/$1.verdicts" >"$work/$1.bad"
    test -s "$work/$1.verdicts" || echo " no values of it in tests/machines/expected" >"$work/$1.bad"
  else
    echo 'simulate failed' >"$work/$1.bad"
  fi
  echo "$(($(date +%s) - start)) s $2" >>"$work/$1.seconds"
  rm -rf "${work:?}/$1"
  if test -s "$work/$1.bad"; then
    echo "not ok $1 - $2, exact: $3:$(cat "$work/$1.bad")"
    sed 's/^/# /' "$work/$1.log"
  else
    echo "ok $1 - $2, exact: $3"
  fi >"$work/$1.tap"
}

names=${HW_TEST_MACHINES-}
test -n "$names" || names=$(awk '!/^#/ { print $1 }' "$expected")
for exact in $passes; do
  for name in $names; do
    echo "$name $exact"
  done
done >"$work/runs"
total=$(wc -l <"$work/runs")
# The share of unknown values is one of many machines.
share=$((total + 1))
test -z "${HW_TEST_MACHINES-}" || share=0
echo "1..$((share ? share : total))"

try_all "$work/runs" "$jobs"
results "$work/runs"
cat "$work"/*.seconds | sort -rn | sed 's/^/# took /; 5q'
cat "$work"/*.count 2>/dev/null | awk -v number=$share -v seed="$seed" '
  { values += $1; unknown += $2 }
  END {
    says = sprintf("%d of %d values are unknown under noise, %.1f %% (seed %s)",
      unknown, values, values ? 100 * unknown / values : 0, seed)
    if (number == 0)
      print "# " says
    else
      printf "%sok %d - %s\n", 20 * unknown <= values ? "" : "not ", number, says
  }'
