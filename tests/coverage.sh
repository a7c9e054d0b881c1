#!/bin/sh
# coverage.sh: compiles all with counters, runs the unit tests and some simulated machines, and says which
# share of the lines they reach, by tests/coverage.bounds.  Exit status 1 when it is less than that, or a test
# fails; 77 where there is no gcov.  coverage.d/*.gcov are the lines, coverage.d/files the shares of each file.
# Environment: srcdir, the top of the sources; sources, the files of C below the tests; unit_tests, their
# names; COVERAGE_CC, a gcc; CMOCKA_CFLAGS, CMOCKA_LIBS; HW_TEST_LONG, yes: the long cases too.

LC_ALL=C
export LC_ALL
: "${srcdir:=.}" "${COVERAGE_CC:=gcc}" "${sources:?the files to compile}" "${unit_tests:?the tests}"
: "${CMOCKA_LIBS:=-lcmocka}" "${HW_TEST_LONG:=no}"
srcdir=$(cd "$srcdir" && pwd) || exit 2
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
if ! (gcov --version && $COVERAGE_CC --version) >/dev/null 2>&1; then
  echo 'coverage.sh: there is no gcov' >&2
  exit 77
fi
rm -rf coverage.d
mkdir -p coverage.d/curves && cd coverage.d || exit 2

# compile: the objects, FILE.o of FILE.c, whose counters lie beside them.
for file in $sources; do
  case $file in
  *.c) echo "$file" ;;
  esac
done >list
# shellcheck disable=SC2016 # another shell's
<list xargs -n 1 -P "$jobs" sh -c '
  mkdir -p "$(dirname "$3")" && exec $1 -std=gnu11 -g -O1 --coverage "-I$2" -c "$2/$3" -o "${3%.c}.o"' \
  sh "$COVERAGE_CC" "$srcdir" || exit 2
# shellcheck disable=SC2046,SC2086 # a list
ar cr all.a $(sed 's/\.c$/.o/' list) || exit 2
for program in tests/simulate $unit_tests; do
  echo "$program"
done >programs
# shellcheck disable=SC2016
<programs xargs -n 1 -P "$jobs" sh -c '
  exec $1 -std=gnu11 -O1 "-I$2" $3 "$2/$5.c" all.a -o "$(basename "$5")" --coverage $4 -lm -lpthread' \
  sh "$COVERAGE_CC" "$srcdir" "${CMOCKA_CFLAGS-}" "$CMOCKA_LIBS" || exit 2

status=0
export srcdir HW_TEST_LONG
for test in $unit_tests; do
  for long in no $HW_TEST_LONG; do
    echo "$long ./$(basename "$test")"
  done
done | sort -u >runs
# shellcheck disable=SC2016
<runs xargs -n 2 -P "$jobs" sh -c '
  HW_TEST_LONG=$1 CMOCKA_MESSAGE_OUTPUT=TAP $2 >$2.$1.out 2>&1 || { echo "$2 fails"; exit 1; }' sh || status=1
simulate=$PWD/simulate
export simulate
for script in cores processors; do
  sh "$srcdir/tests/$script.sh" >$script.out || status=1
done
HW_TEST_NOISE=no HW_TEST_MACHINES='pentium4 odd-write-around modern-victim' HW_TEST_COLUMNS=all \
  sh "$srcdir/tests/machines.sh" >machines.out || status=1
! grep '^not ok' ./*.out || status=1

# FILE LINES REACHED of each, then of each pattern.
while read -r file; do
  gcov -n -o "$(dirname "$file")" "$(basename "$file")" 2>/dev/null
done <list | awk -v top="$srcdir/" "
  /^File '/ { file = \$0; sub(/^File '/, \"\", file); sub(/'\$/, \"\", file); if (index(file, top) == 1) file = substr(file, length(top) + 1) }
  /^Lines executed:/ && file ~ /^(analysis|probes).*\.c\$/ {
    split(\$0, word, /[:% ]+/)
    lines = \$NF
    if (!(file in seen)) { print file, lines, int(lines * word[3] / 100 + 0.5); seen[file] = 1 }
    file = \"\"
  }" | sort >files
awk -v status=$status '
  NR == FNR {
    if ($1 ~ /^#/ || NF != 2) next
    pattern[++n] = $1
    least[n] = $2
    regular[n] = "^" $1 "$"
    gsub(/\./, "\\.", regular[n])
    gsub(/\*/, ".*", regular[n])
    next
  }
  {
    for (i = 1; i <= n && $1 !~ regular[i]; i++)
      ;
    lines[i] += $2
    reached[i] += $3
  }
  END {
    for (i = 1; i <= n; i++) {
      share = lines[i] ? 100 * reached[i] / lines[i] : 100
      bad = share < least[i]
      if (bad) status = 1
      printf "%-28s %5.1f %% of %d lines, %s %s %%\n", pattern[i], share, lines[i], bad ? "LESS THAN" : "at least", least[i]
    }
    exit status
  }' "$srcdir/tests/coverage.bounds" files
