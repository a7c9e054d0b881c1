#!/bin/sh
# The whole chain, probes to values, on every simulated machine: without noise each value must be
# exactly right; with 5 % jitter, bursts and drift each must be right or unknown, and at most one in twenty
# unknown.  Speaks TAP.
# Environment: that of walk.sh; HW_TEST_LONG, no: some machines,
# without noise; HW_TEST_MACHINES, some of the machines; HW_TEST_COLUMNS, the columns of the table to look at, or all: those below take seconds a
# machine, all take a minute; HW_TEST_NOISE, no or only.

# shellcheck disable=SC1091,SC2317 # it is checked on its own, and calls what is defined here
. "${srcdir:-.}/tests/walk.sh"
folder=$srcdir/tests/machines
columns=${HW_TEST_COLUMNS:-L1_BYTES L1_ASSOC L1_LINE L1_SETS L1_LAT PAGE_BYTES TLB1_ENTRIES TLB1_ASSOC TLB1_MISS}
test "$columns" != all || columns=$(awk '$2 == "name" { $1 = $2 = ""; print }' "$folder/expected")
given=${HW_TEST_MACHINES-}
if test "${HW_TEST_LONG-}" = no; then
  : "${HW_TEST_NOISE:=no}"
  : "${HW_TEST_MACHINES:=pentium4 xtensa-lx modern-victim odd-3tlb odd-coarse-clock odd-direct odd-plru odd-rrip}"
fi
passes=$(passes_of "${HW_TEST_NOISE-}")
rows=$(for column in $columns; do echo "HW_$column"; done)
names=${HW_TEST_MACHINES:-$(awk '!/^#/ { print $1 }' "$folder/expected")}

prepare ()
{
  case $3 in
  yes) cat "$folder/$2.machine" ;;
  no) sed '/^noise/d; /^seed/d' "$folder/$2.machine" && noise machines ;;
  esac >"$work/$1.machine"
}

further () { :; }

walk
