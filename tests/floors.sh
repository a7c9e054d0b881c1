#!/bin/sh
# Which file includes what: a file includes what stands on its own floor or below, analysis/ nothing of the
# probes but the table of rows, and no file of C another one but to make one file of many: each file of
# analysis and probes is in the Makefile's lists, and in one of these.  No function has more than 40 lines.
# Readers of values are in analysis/, each under its name: where a macro makes some, a comment names them, in
# capitals what differs.  The labels of the comment at the top of a file begin lines.
# Speaks TAP.
# Environment: srcdir, the top of the sources.

cd "${srcdir:-.}" || exit 99
echo 1..6
# shellcheck disable=SC2016 # of awk
find analysis probes sim -name '*.[ch]' -exec grep -H '^# *include "' {} + | ${AWK-awk} -F '[:"]' '
  # From below; what is not named stands in its folder.
  BEGIN {
    split("analysis probes/params analysis/rows probes/nano/table.h probes/nano/nano.h probes/nano/loops.h probes/machine probes/bench probes/search " \
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

# A name in capitals is of some readers: lat_OP_TYPE.  Each reader has a name, and each name in a comment a reader.
# shellcheck disable=SC2016 # of awk
find analysis -name '*.[ch]' -exec cat {} + | ${AWK-awk} '
  function bad(why) { print "# " why; wrong = 1 }
  FILENAME == "probes/params.def" {
    if (/^HW_PARAM\(/) { split($0, field, / *, */); row[field[3]] = 1 }
    if (/^HW_NEVER\(/) { split($0, field, /[(,]/); delete row[field[2]] }
    next
  }
  !/##|\\$/ {
    for (rest = $0; match(rest, /hw_read_[A-Za-z0-9_]+/); rest = substr(rest, RSTART + RLENGTH))
      name[substr(rest, RSTART + 8, RLENGTH - 8)] = 1
  }
  END {
    for (n in name) if (n ~ /[A-Z]/) {
      form = n
      gsub(/[A-Z]+/, "[a-z0-9]+", form)
      form = "^" form "$"
      found = 0
      for (r in row) if (r ~ form) found = made[r] = 1
      if (!found) bad("no reader is hw_read_" n)
    } else if (!(n in row)) bad("no row has hw_read_" n)
    for (r in row) if (!(r in name) && !(r in made)) bad("hw_read_" r " is nowhere")
    print (wrong ? "not ok" : "ok") " 6 - each reader can be found"
  }' probes/params.def -
