#!/bin/sh
# The processors of X-Ray's table 1, and wider ones, as the simulated cores of tests/cores, through the
# same probes: each entry that expected has must come out.  With noise each must come out or be unknown, of
# hundredths those count as right that differ by 4 %, or by one; and no more than one in five may be
# unknown.  Speaks TAP.
# Environment: simulate, the program; srcdir, the top of the sources; HW_TEST_NOISE, no: without it;
# HW_TEST_SEED, of the noise.

LC_ALL=C
export LC_ALL
: "${srcdir:=.}" "${simulate:=tests/simulate}"
cores=$srcdir/tests/cores
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' 0
trap 'exit 99' HUP INT PIPE TERM
# shellcheck disable=SC1091 # it is checked on its own
. "$srcdir/tests/verdicts.sh"

columns=$(sed -n 's/^# name //p' "$cores/expected")
names=$(awk '!/^#/ { print $1 }' "$cores/expected")
rows=$(for column in $columns; do echo "HW_$column"; done)
test -n "$columns" && test -n "$names" || exit 99

# try FILE NAME EXACT: simulates the core, and prints what is wrong.  Leaves the verdicts.
try ()
{
  near=0
  test "$3" = yes || near=0.04
  # shellcheck disable=SC2086 # a list of parameters
  "$simulate" "$1" $rows >"$work/values" 2>"$work/log" || echo 'simulate failed'
  hold "$cores/expected" "$2" "$work/values" $near >"$work/verdicts"
  faults "$3" <"$work/verdicts"
}

runs='yes no'
test "${HW_TEST_NOISE-}" != no || runs=yes
number=0
echo "$names" | awk -v runs="$runs" '{ n += NF } END { print "1.." (runs == "yes" ? n : 2 * n + 1) }'
: >"$work/noisy"
for exact in $runs; do
  for name in $names; do
    number=$((number + 1))
    cp "$cores/$name.machine" "$work/machine"
    test "$exact" = yes ||
      sed "s/^seed.*/seed ${HW_TEST_SEED:-7}/" "$srcdir/tests/machines/noise" >>"$work/machine"
    bad=$(try "$work/machine" "$name" "$exact")
    test "$exact" = yes || tally <"$work/verdicts" >>"$work/noisy"
    if test -z "$bad"; then
      echo "ok $number - $name$(test "$exact" = yes || echo ', noisy')"
    else
      echo "not ok $number - $name$(test "$exact" = yes || echo ', noisy')"
      { echo "$bad"; cat "$work/log"; } | sed 's/^/# /'
    fi
  done
done
test "$runs" = yes || awk -v number=$((number + 1)) '
  { values += $1; unknown += $2 }
  END {
    printf "%sok %d - %d of %d values are unknown under noise\n", values && 5 * unknown <= values ? "" : "not ",
      number, unknown, values
  }' "$work/noisy"
