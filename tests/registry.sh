#!/bin/sh
# The program of the table against tests/registry.table:
#   registry.sh AWK FILE
# Prints each expected line that it does not print, or that it prints and should not, below the title of its case, and
# ends with 1 then.
# Environment: abs_top_srcdir; a folder to write to is the current one.
# shellcheck disable=SC2154
LC_ALL=C
export LC_ALL
awk=$1
program=
for name in table near begin values lines files summary sizes steps; do
  program="$program -f $abs_top_srcdir/registry/$name.awk"
done
count=$(grep -c '^= ' "$2")
at=0
while test $at -lt "$count"; do
  at=$((at + 1))
  folders="$folders $at"
done
# shellcheck disable=SC2086 # names without blanks
rm -rf $folders && mkdir $folders
LC_ALL=C ${AWK-awk} -v top="$abs_top_srcdir" -f "$abs_top_srcdir/tests/registry.awk" "$2"
for at in $folders; do
  cd "$at" || exit
  # shellcheck disable=SC2086
  $awk $program "$abs_top_srcdir/probes/params.def" <state >said 2>&1 || echo "$awk: status $?" >>said
  cd ..
done
LC_ALL=C ${AWK-awk} -v count="$count" -f "$abs_top_srcdir/tests/registry.awk"
