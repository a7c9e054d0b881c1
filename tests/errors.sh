#!/bin/sh
# The errors that doc/statistics.md states: no more of two thousand decisions are wrong.  Speaks TAP.
# Environment: errors, the program; AWK.

LC_ALL=C
export LC_ALL
table=$("${errors:=tests/errors}" 2000)
status=$?
echo "$table" | sed 's/^/# /'
echo '1..2'
test "$status" -eq 0 && echo 'ok 1 - no more wrong decisions than are stated' ||
  echo 'not ok 1 - no more wrong decisions than are stated'
# Beside another thread that nothing tells of some are: the samples do disturb.
# shellcheck disable=SC2016 # fields of awk
echo "$table" | ${AWK:-awk} -F '|' '$2 ~ /agree/ && $3 ~ /nothing/ && $4 !~ /alone/ && $6 > 0 { n++ } END { exit n < 2 }' &&
  echo 'ok 2 - samples beside another thread mislead' || echo 'not ok 2 - samples beside another thread mislead'
