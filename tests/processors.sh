#!/bin/sh
# Machines of many processors, from probes to values: without noise each value must be exactly right with the
# default budget, after no more than 8 simulated seconds, 15 of more than 64 processors; with 5 % jitter each must
# be right or unknown, and few unknown.  Speaks TAP.
# Environment: that of walk.sh; HW_TEST_LONG, no: some machines,
# without noise; HW_TEST_PROCESSORS, some of the machines; HW_TEST_NOISE, no or only.

# shellcheck disable=SC1091,SC2317 # it is checked on its own, and calls what is defined here
. "${srcdir:-.}/tests/walk.sh"
folder=$srcdir/tests/processors
given=${HW_TEST_PROCESSORS-}
if test "${HW_TEST_LONG-}" = no; then
  : "${HW_TEST_NOISE:=no}"
  : "${HW_TEST_PROCESSORS:=clusters gainestown hybrid single smt2}"
fi
passes=$(passes_of "${HW_TEST_NOISE-}")
budget=$(sh "$srcdir/tests/ask.sh" efforts | awk '$1 == "default" { print $2 }')
rows=$(awk '$2 == "name" { for (i = 3; i <= NF; i++) print "HW_" $i }' "$folder/expected")
names=${HW_TEST_PROCESSORS:-$(awk '!/^#/ { print $1 }' "$folder/expected")}

measure_base

prepare ()
{
  machine_text "processors/$2" >"$work/$1.machine"
  options=--budget=$budget
  test "$3" = yes || {
    near=0.1
    options=
    noise processors >>"$work/$1.machine"
  }
  cp "$work"/base/* "$work/$1"
}

# How long it took; and the groups, of which under noise some may be unknown.
further ()
{
  awk -v exact="$3" '
    $1 == "HW_CPUS" { most = $3 > 64 ? 15 : 8 }
    $1 == "simulated" && exact == "yes" && $2 > most { printf " it took %s simulated seconds", $2 }
  ' "$work/$1.values" "$work/$1.log"
  while read -r machine list _ members; do
    test "$machine" = "$2" || continue
    got=$(sed -n "s/^$list = //p" "$work/$1.values")
    test "$got" = "$members" || { test "$3" = no && test -z "$got"; } || printf ' %s=%s (not %s)' "$list" "${got:--}" "$members"
  done <"$folder/groups"
}

walk
