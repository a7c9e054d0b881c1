#!/bin/sh
# Machines of many processors, from probes to values: without noise each value must be exactly right with the
# default budget, after no more than 8 simulated seconds, 15 of more than 64 processors; with 5 % jitter each must
# be right or unknown, and few unknown.  Speaks TAP.
# Environment: simulate, the program; srcdir, the top of the sources; HW_TEST_LONG, no: some machines,
# without noise; HW_TEST_PROCESSORS, some of the machines; HW_TEST_NOISE, no or only; HW_TEST_SEED, of the noise; HW_TEST_JOBS, how many run at a time.

LC_ALL=C
export LC_ALL
: "${srcdir:=.}" "${simulate:=tests/simulate}"
machines=$srcdir/tests/processors
expected=$machines/expected
seed=${HW_TEST_SEED:-7}
if test "${HW_TEST_LONG-}" = no; then
  : "${HW_TEST_NOISE:=no}"
  : "${HW_TEST_PROCESSORS:=clusters gainestown hybrid single smt2}"
fi
case ${HW_TEST_NOISE:-yes} in
no) passes=yes ;;
only) passes=no ;;
*) passes='yes no' ;;
esac
budget=$(sh "$srcdir/tests/ask.sh" efforts | awk '$1 == "default" { print $2 }')
rows=$(awk '$2 == "name" { for (i = 3; i <= NF; i++) print "HW_" $i }' "$expected")
names=${HW_TEST_PROCESSORS-}
test -n "$names" || names=$(awk '!/^#/ { print $1 }' "$expected")
jobs=${HW_TEST_JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)}
work=$(mktemp -d) || exit 99
# shellcheck disable=SC1091 # it is checked on its own
. "$srcdir/tests/workers.sh"
# shellcheck disable=SC1091
. "$srcdir/tests/verdicts.sh"

# What one thread sees of the caches is the same on all of them, so that it is measured once; but for the
# clock.
{ printf '%s\n' 'machine m' 'cycle 1 ns' && cat "$machines/hierarchy"; } >"$work/machine"
mkdir "$work/base"
"$simulate" --curves="$work/base" "$work/machine" HW_L2_BYTES HW_L3_BYTES HW_L3_LAT >"$work/log" 2>&1
rm -f "$work/base/clock.list" "$work/base/processors.list" "$work/base/kinds.list"

# try NUMBER NAME EXACT: simulates the machine, with all of its rows and groups, and writes its lines to
# NUMBER.tap.  What takes long is not asked for on many processors.
try ()
{
  machine=$work/$1.machine
  near=0
  limit=--budget=$budget
  cat "$machines/$2.machine" "$machines/hierarchy" >"$machine"
  test "$3" = yes || {
    near=0.1
    limit=
    sed "s/^seed.*/seed $seed/" "$machines/noise" >>"$machine"
  }
  cp -r "$work/base" "$work/$1"
  # The largest take half a minute of a quick processor: the limit is for one that hangs.
  # shellcheck disable=SC2086,SC3045 # rows is a list; a shell whose ulimit has no -t fails the test
  if (ulimit -t 600 && exec "$simulate" --curves="$work/$1" $limit "$machine" $rows) >"$work/$1.values" 2>"$work/$1.log"; then
    hold "$expected" "$2" "$work/$1.values" $near >"$work/$1.verdicts"
    test "$3" != "${passes##* }" || tally <"$work/$1.verdicts" >"$work/$1.count"
    bad=$(faults "$3" <"$work/$1.verdicts")
    took=$(awk -v exact="$3" '
      $1 == "HW_CPUS" { most = $3 > 64 ? 15 : 8 }
      $1 == "simulated" && exact == "yes" && $2 > most { printf " it took %s simulated seconds", $2 }
    ' "$work/$1.values" "$work/$1.log")
    bad=$bad$took
  else
    bad=' simulate failed, or hung for 600 s'
  fi
  rm -rf "${work:?}/$1"
  # The groups: in the last pass some may be unknown.
  while read -r machine_name list _ members; do
    test "$machine_name" = "$2" || continue
    got=$(sed -n "s/^$list = //p" "$work/$1.values")
    test "$got" = "$members" || { test "$3" = no && test -z "$got"; } || bad="$bad $list=${got:--} (not $members)"
  done <"$machines/groups"
  {
    sed -n 's/^[a-z_0-9 ]*: [0-9]* of [0-9]* pairs measured/# &/p' "$work/$1.log"
    if test -z "$bad"; then
      echo "ok $1 - $2, exact: $3"
    else
      echo "not ok $1 - $2, exact: $3:$bad"
      sed 's/^/# /' "$work/$1.log"
    fi
  } >"$work/$1.tap"
}

for exact in $passes; do
  for name in $names; do
    echo "$name $exact"
  done
done >"$work/runs"
try_all "$work/runs" "$jobs"
results "$work/runs"
cat "$work"/*.count 2>/dev/null | awk -v number="$(($(wc -l <"$work/runs") + 1))" -v seed="$seed" '
  { values += $1; unknown += $2 }
  END {
    printf "%sok %d - %d of %d values are unknown in the last pass (seed %s)\n",
      20 * unknown <= values ? "" : "not ", number, unknown, values, seed
    print "1.." number
  }'
