#!/bin/sh
# The processors of X-Ray's table 1, and wider ones, as the simulated cores of tests/cores, through the
# same probes: each entry that expected has must come out, hundredths to 0.05 % or by one: the clock tells a
# sample no closer.  With noise each must come out or be unknown, of
# hundredths those count as right that differ by 4 %, or by one; and no more than one in twenty may
# be unknown.  Speaks TAP.
# Environment: that of walk.sh; HW_TEST_LONG, no: some cores,
# with noise one; HW_TEST_CORES, some of the cores; HW_TEST_NOISE, those with noise, or no: none.

# shellcheck disable=SC1091,SC2317 # it is checked on its own, and calls what is defined here
. "${srcdir:-.}/tests/walk.sh"
folder=$srcdir/tests/cores
given=${HW_TEST_CORES-}
if test "${HW_TEST_LONG-}" = no; then
  : "${HW_TEST_NOISE:=power3}"
  : "${HW_TEST_CORES:=pentium4 power3 wide4 wide8turns inorder2 xtensa-lx}"
fi
names=${HW_TEST_CORES:-$(awk '!/^#/ { print $1 }' "$folder/expected")}
noisy=${HW_TEST_NOISE:-$names}
passes='yes no'
test "$noisy" != no || passes=yes
rows=$(awk '$2 == "name" { for (i = 3; i <= NF; i++) print "HW_" $i }' "$folder/expected")
test -n "$rows" && test -n "$names" || exit 99

prepare ()
{
  near=0.0005
  rows=$(awk -v name="$2" '
    $2 == "name" { split($0, head) }
    $1 == name { for (i = 2; i <= NF; i++) if ($i != ".") print "HW_" head[i + 1] }' "$folder/expected")
  cp "$folder/$2.machine" "$work/$1.machine"
  test "$3" = yes || {
    near=0.04
    noise machines >>"$work/$1.machine"
  }
}

further () { :; }

walk
