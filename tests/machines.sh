#!/bin/sh
# The whole chain, probes to values, on every simulated machine: without noise each value must be
# exactly right; with 5 % jitter and bursts each must be right or unknown, and at most one in twenty
# unknown.  Speaks TAP.
# Environment: simulate, the program; srcdir, the top of the sources; HW_TEST_SEED, of the noise.

LC_ALL=C
export LC_ALL
: "${srcdir:=.}" "${simulate:=tests/simulate}"
machines=$srcdir/tests/machines
seed=${HW_TEST_SEED:-7}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' 0
trap 'exit 99' HUP INT PIPE TERM

names=$(awk '!/^#/ { print $1 }' "$machines/expected")
columns=$(awk '$2 == "name" { for (i = 3; i <= NF; i++) print $i }' "$machines/expected")
number=0
values=0
unknown=0

# try NAME FILE EXACT: runs the machine that FILE describes and holds each column of expected against
# the answer.  EXACT: yes when none may be unknown that is known there.
try ()
{
  number=$((number + 1))
  "$simulate" "$2" >"$work/values" 2>"$work/log" || {
    echo "not ok $number - $1: simulate failed"
    sed 's/^/# /' "$work/log"
    return
  }
  bad=
  for column in $columns; do
    want=$(awk -v name="$1" -v column="$column" '
      $2 == "name" { for (i = 3; i <= NF; i++) if ($i == column) at = i - 1 }
      $1 == name { print $at }' "$machines/expected")
    got=$(sed -n "s/^HW_$column = //p; s/^# HW_$column unknown: .*/?/p" "$work/values")
    test "$want" = '?' || values=$((values + 1))
    test "$got" = "$want" && continue
    test "$got" = '?' && unknown=$((unknown + 1)) && test "$3" = no && continue
    bad="$bad $column=$got (not $want)"
  done
  if test -z "$bad"; then
    echo "ok $number - $1, exact: $3"
  else
    echo "not ok $number - $1, exact: $3:$bad"
    sed 's/^/# /' "$work/log"
  fi
}

echo "1..$((2 * $(echo "$names" | wc -l) + 1))"
for name in $names; do
  try "$name" "$machines/$name.machine" yes
done
values=0
unknown=0
for name in $names; do
  sed '/^noise/d; /^seed/d' "$machines/$name.machine" >"$work/machine"
  sed "s/^seed.*/seed $seed/" "$machines/noise" >>"$work/machine"
  try "$name" "$work/machine" no
done
number=$((number + 1))
share="$unknown of $values values are unknown under noise (seed $seed)"
if test $((20 * unknown)) -le "$values"; then
  echo "ok $number - $share"
else
  echo "not ok $number - $share"
fi
