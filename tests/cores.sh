#!/bin/sh
# The processors of X-Ray's table 1, as the simulated cores of tests/cores, through the same probes:
# each entry that expected has must come out.  Speaks TAP.
# Environment: simulate, the program; srcdir, the top of the sources.

LC_ALL=C
export LC_ALL
: "${srcdir:=.}" "${simulate:=tests/simulate}"
cores=$srcdir/tests/cores
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' 0
trap 'exit 99' HUP INT PIPE TERM

columns=$(sed -n 's/^# name //p' "$cores/expected")
names=$(awk '!/^#/ { print $1 }' "$cores/expected")
number=0
test -n "$columns" && test -n "$names" || exit 99
echo "1..$(echo "$names" | wc -l)"
for name in $names; do
  number=$((number + 1))
  # shellcheck disable=SC2086 # a list of parameters
  "$simulate" "$cores/$name.machine" $(for column in $columns; do echo "HW_$column"; done) \
    >"$work/values" 2>"$work/log"
  bad=
  for column in $columns; do
    want=$(awk -v name="$name" -v column="$column" '
      $2 == "name" { for (i = 3; i <= NF; i++) if ($i == column) at = i - 1 }
      $1 == name { print $at }' "$cores/expected")
    test "$want" = '?' && continue
    got=$(sed -n "s/^HW_$column = //p; s/^# HW_$column unknown: .*/unknown/p" "$work/values")
    test "$got" = "$want" || bad="$bad $column=$got (not $want)"
  done
  if test -z "$bad"; then
    echo "ok $number - $name"
  else
    echo "not ok $number - $name:$bad"
    sed 's/^/# /' "$work/log"
  fi
done
