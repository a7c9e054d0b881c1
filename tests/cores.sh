#!/bin/sh
# The processors of X-Ray's table 1, and wider ones, as the simulated cores of tests/cores, through the
# same probes: each entry that expected has must come out, hundredths to 0.05 % or by one: the clock tells a
# sample no closer.  With noise each must come out or be unknown, of
# hundredths those count as right that differ by 4 %, or by one; and no more than one in twenty may
# be unknown.  Speaks TAP.
# Environment: simulate, the program; srcdir, the top of the sources; HW_TEST_LONG, no: some cores,
# with noise one; HW_TEST_CORES, some of the cores; HW_TEST_NOISE, those with noise, or no: none;
# HW_TEST_SEED, of the noise; HW_TEST_JOBS, how many run at a time.

LC_ALL=C
export LC_ALL
: "${srcdir:=.}" "${simulate:=tests/simulate}"
cores=$srcdir/tests/cores
jobs=${HW_TEST_JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)}
work=$(mktemp -d) || exit 99
# shellcheck disable=SC1091,SC2317 # it is checked on its own, and calls try
. "$srcdir/tests/workers.sh"
# shellcheck disable=SC1091
. "$srcdir/tests/verdicts.sh"

columns=$(sed -n 's/^# name //p' "$cores/expected")
if test "${HW_TEST_LONG-}" = no; then
  : "${HW_TEST_NOISE:=power3}"
  : "${HW_TEST_CORES:=pentium4 wide4 wide8turns inorder2 xtensa-lx}"
fi
names=${HW_TEST_CORES-}
test -n "$names" || names=$(awk '!/^#/ { print $1 }' "$cores/expected")
rows=$(for column in $columns; do echo "HW_$column"; done)
test -n "$columns" && test -n "$names" || exit 99

# try NUMBER NAME EXACT: simulates the core, and writes its lines to NUMBER.tap and, of a noisy one,
# how many values there are and how many of them unknown to NUMBER.count.
try ()
{
  machine=$work/$1.machine
  near=0.0005
  said=
  cp "$cores/$2.machine" "$machine"
  test "$3" = yes || {
    near=0.04
    said=', noisy'
    sed "s/^seed.*/seed ${HW_TEST_SEED:-7}/" "$srcdir/tests/machines/noise" >>"$machine"
  }
  # shellcheck disable=SC2086 # a list of parameters
  "$simulate" "$machine" $rows >"$work/$1.values" 2>"$work/$1.log" || echo 'simulate failed' >"$work/$1.bad"
  hold "$cores/expected" "$2" "$work/$1.values" $near >"$work/$1.verdicts"
  faults "$3" <"$work/$1.verdicts" >>"$work/$1.bad"
  test "$3" = yes || tally <"$work/$1.verdicts" >"$work/$1.count"
  if test -s "$work/$1.bad"; then
    echo "not ok $1 - $2$said"
    { cat "$work/$1.bad"; echo; cat "$work/$1.log"; } | sed 's/^/# /'
  else
    echo "ok $1 - $2$said"
  fi >"$work/$1.tap"
}

noisy=${HW_TEST_NOISE:-$names}
test "$noisy" != no || noisy=
{
  for name in $names; do
    echo "$name yes"
  done
  for name in $noisy; do
    echo "$name no"
  done
} >"$work/runs"
total=$(wc -l <"$work/runs")
test -z "$noisy" || total=$((total + 1))
echo "1..$total"
try_all "$work/runs" "$jobs"
results "$work/runs"
test -z "$noisy" || cat "$work"/*.count | awk -v number="$total" '
  { values += $1; unknown += $2 }
  END {
    printf "%sok %d - %d of %d values are unknown under noise\n", values && 20 * unknown <= values ? "" : "not ",
      number, unknown, values
  }'
