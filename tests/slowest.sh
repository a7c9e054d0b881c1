#!/bin/sh
# Prints the ten tests that took most processor time in the last make check, with the seconds of each.
# Usage: slowest.sh FOLDER, the one with the logs of the tests: unit/*.log, *.log and testsuite.log

{
  # Programs and scripts: as timed.sh has noted.
  for log in "$1"/unit/*.log "$1"/*.log; do
    sed -n "s|^# processor time: |$(basename "$log" .log)	|p" "$log" 2>/dev/null
  done
  # Groups of configure: NUMBER. TITLE (FILE:LINE): ok     (0m1.5s 0m0.3s)
  sed -n 's|^\([0-9]*\. .*\) (\([^ ]*\)): ok *(\([^ ]*\) \([^ ]*\))$|\1 (\2)	\3 \4|p' "$1/testsuite.log" 2>/dev/null
} | awk -F '\t' '
  function seconds(text, part) {
    split(text, part, /[ms]/)
    return 60 * part[1] + part[2]
  }
  { split($2, time, " "); printf "%.1f s of processor time: %s\n", seconds(time[1]) + seconds(time[2]), $1 }' |
  sort -rn | sed 10q
