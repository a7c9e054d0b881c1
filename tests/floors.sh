#!/bin/sh
# Which file includes what: a file includes what stands on its own floor or below, analysis/ nothing of the
# probes but the table of rows, and no file of C another one but to make one file of many: each file of
# analysis and probes is in the Makefile's lists, and in one of these.  No function has more than 40 lines.
# Readers of values are in analysis/.  The labels of the comment at the top of a file begin lines.
# Speaks TAP.
# Environment: srcdir, the top of the sources.

cd "${srcdir:-.}" || exit 99
echo 1..5
# shellcheck disable=SC2016 # of awk
find analysis probes sim -name '*.[ch]' -exec grep -H '^# *include "' {} + | ${AWK-awk} -F '[:"]' '
  # From below; what is not named stands in its folder.
  BEGIN {
    split("analysis probes/params analysis/rows probes/nano/table.h probes/nano/nano.h probes/nano/loops.h probes/machine probes/bench " \
      "probes/nano probes/probe.h probes/data probes/tlb probes/code probes/core probes/system probes/engine " \
      "probes/reread probes/main probes/parts probes/mpi probes/crossover sim", room, " ")
    for (i in room) floor[room[i]] = i
    # Rooms on one floor: the probes, and what stands on them.
    floor["probes/params"] = floor["analysis"]
    for (i in room) if (room[i] ~ /^probes\/(data|tlb|code|core|system|mpi)$/) floor[room[i]] = floor["probes/system"]
  }
  function stands(file,  best, name) {
    for (name in floor) if (index(file, name) == 1 && length(name) > length(best)) best = name
    return best == "" ? 0 : floor[best]
  }
  function bad(why) { print "# " $1 " includes " $3 ": " why; wrong = 1 }
  $3 ~ /\.c$/ && $1 !~ /^probes\/(parts|mpi)\/|hw(nano|crossover)/ { bad("a file of C") }
  stands($3) + 0 > stands($1) + 0 { bad("it stands above") }
  $1 ~ /^analysis\// && $3 !~ /^(analysis\/|probes\/params\.)/ { bad("it is no analysis") }
  { n++ }
  END {
    if (n < 100) { print "# only " n + 0 " lines include anything"; wrong = 1 }
    print (wrong ? "not ok" : "ok") " 1 - who includes whom"
  }'

find analysis probes -name '*.c' ! -path 'probes/parts/*' ! -name hwmpi.c ! -name hwnano.c ! -name hwcrossover.c | LC_ALL=C sort | while read -r file; do
  grep -q "^	$file\( .\)\{0,1\}$" Makefile.am || echo "# $file is in no list of Makefile.am"
  n=$(cat probes/parts/*.c | grep -c "^#include \"$file\"")
  test "$n" -eq 1 || { test "$n" -eq 0 && grep -q "^#include \"$file\"" probes/nano/hwnano.c probes/crossover/hwcrossover.c; } ||
    echo "# $n files of probes/parts include $file"
done | grep . && echo 'not ok 2 - one list of sources' || echo 'ok 2 - one list of sources'

find analysis probes sim -name '*.c' -exec "${AWK-awk}" '
  /^[A-Za-z]/ { from = FNR }
  /^}$/ && FNR - from >= 40 { print "# " FILENAME ":" from ": a function of " FNR - from + 1 " lines" }' {} + |
  grep . && echo 'not ok 3 - short functions' || echo 'ok 3 - short functions'

find probes -name '*.c' -exec grep -n 'struct hw_answer hw_read_' /dev/null {} + | sed 's/^/# /' |
  grep . && echo 'not ok 4 - readers are analysis' || echo 'ok 4 - readers are analysis'

find analysis probes sim -name '*.[ch]' -exec grep -nE '[^ ] +(Curve|Rows|Cost|See|Limits|Method)  +[^ ]' /dev/null {} + | sed 's/^/# /' |
  grep . && echo 'not ok 5 - labels begin lines' || echo 'ok 5 - labels begin lines'
