#!/bin/sh
# An answer does not depend on which rows were asked before: on simulated machines without noise all rows
# are asked together, in reverse and, the first of every tenth probe, alone: on each machine of other probes.
# Values, reasons and curves are the same to the byte, except curves of a probe that was tried a third time:
# a row that is known does not wait for that.  Speaks TAP.
# Environment: simulate, the program; srcdir, the top of the sources; HW_TEST_LONG, no: one machine;
# HW_TEST_ORDER, some machines, as machines/pentium4; HW_TEST_STEP, 1: of each probe;
# HW_TEST_JOBS, how many run at a time.

# shellcheck disable=SC1091,SC2317 # it is checked on its own, and calls try
. "${srcdir:-.}/tests/workers.sh"
names='machines/xtensa-lx machines/odd-20way cores/wide4 processors/smt2'
step=${HW_TEST_STEP:-10}
test "${HW_TEST_LONG-}" != no || names=machines/xtensa-lx
names=${HW_TEST_ORDER:-$names}

sh "$srcdir/tests/ask.sh" measured macro probe | sed 's/^/HW_/' >"$work/rows"
test -s "$work/rows" || exit 99
all=$(awk '{ print $1 }' "$work/rows")
reverse=$(awk '{ row[NR] = $1 } END { for (i = NR; i > 0; i--) print row[i] }' "$work/rows")

# alone NUMBER: the rows that this machine is asked alone.
alone ()
{
  awk -v step="$step" -v first="$(($1 % step))" \
    '!($2 in seen) { seen[$2] = 1; if (++probes % step == first) print $1 }' "$work/rows"
}

# ask NAME ROW...: of $machine, to $here/NAME, a line for each value and each line of a curve.  Of
# comm_look, which has a time of measuring, nothing.  To $here/NAME.tries, how often a curve was measured, if more than
# once.
ask ()
{
  name=$1
  shift
  mkdir "$here/curves"
  "$simulate" --curves="$here/curves" "$machine" "$@" >"$here/$name" 2>"$here/log" || echo 'simulate failed' >>"$here/$name"
  (cd "$here/curves" && awk 'FILENAME != "./comm_look.curve" { print FILENAME ":" FNR ": " $0 }' ./*.curve) >>"$here/$name"
  (cd "$here/curves" && awk 'FNR == 1 { n = 0 } $1 == "!" { for (; n; n--) print "./" curve[n] ".curve:", $2; next } { curve[++n] = $1 }' \
    ./*.list) >"$here/$name.tries"
  rm -rf "$here/curves"
}

# beyond OTHER NAME: what NAME has beyond OTHER, five lines of it; of curves that either measured three times
# and the other did not, nothing.
beyond ()
{
  awk -v name="$2" '
    FILENAME == ARGV[1] { tries[$1] = $2; next }
    FILENAME == ARGV[2] { again[$1] = $2; next }
    FILENAME == ARGV[3] { there[$0] = 1; next }
    { file = $1; sub(/:.*/, ":", file) }
    tries[file] != again[file] && (tries[file] > 2 || again[file] > 2) { next }
    !($0 in there) && ++more <= 5 { print name ": " $0 }
  ' "$here/$1.tries" "$here/$2.tries" "$here/$1" "$here/$2"
}

# try NUMBER MACHINE: asks it, and writes its line to NUMBER.tap.
try ()
{
  here=$work/$1
  machine=$here/machine
  mkdir "$here"
  machine_text "$2" >"$machine"
  # shellcheck disable=SC2086 # lists of rows
  {
    ask together $all
    ask reverse $reverse
    beyond together reverse
    beyond reverse together
    for row in $(alone "$1"); do
      ask "$row" "$row"
      beyond together "$row"
    done
  } >"$here/bad"
  if test -s "$here/bad"; then
    echo "not ok $1 - $2: an answer depends on what was asked before"
    sed 's/^/# /' "$here/bad"
  else
    echo "ok $1 - $2"
  fi >"$work/$1.tap"
}

for name in $names; do
  echo "$name"
done >"$work/runs"
echo "1..$(wc -l <"$work/runs")"
try_all "$work/runs" "$jobs"
results "$work/runs"
