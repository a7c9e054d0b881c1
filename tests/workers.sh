# shellcheck shell=sh
# Shell functions for simulated machines, and for cases that are run side by side.  Sourced by what speaks TAP; work
# becomes its scratch folder.
# Environment: simulate, the program; srcdir, the top of the sources; HW_TEST_JOBS, how many run at a time.

LC_ALL=C
export LC_ALL
: "${srcdir:=.}" "${simulate:=tests/simulate}"
# shellcheck disable=SC2034 # of those who source it
jobs=${HW_TEST_JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)}
work=$(mktemp -d) || exit 99

# machine_text FOLDER/NAME: its description; those of tests/processors have the same caches.
machine_text ()
{
  cat "$srcdir/tests/$1.machine"
  case $1 in
  processors/*) cat "$srcdir/tests/processors/hierarchy" ;;
  esac
}

# measure_base: what one thread sees of these caches is the same on all, so that it is measured once, to $work/base; but
# for the clock.
measure_base ()
{
  mkdir "$work/base"
  { printf '%s\n' 'machine m' 'cycle 1 ns' && cat "$srcdir/tests/processors/hierarchy"; } >"$work/machine"
  "$simulate" --curves="$work/base" "$work/machine" HW_L2_BYTES HW_L3_BYTES HW_L3_LAT >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 99
  }
  rm -f "$work/base/clock.list" "$work/base/processors.list" "$work/base/kinds.list"
}

workers=
# shellcheck disable=SC2086 # workers is a list
finish ()
{
  test -z "$workers" || kill $workers 2>/dev/null
  rm -rf "$work"
}
trap finish 0
trap 'exit 99' HUP INT PIPE TERM

# try_all FILE JOBS: for each line of the file, `try NUMBER WORD...', in so many processes. Each takes the next
# line that no other has taken.
try_all ()
{
  worker=0
  while test "$worker" -lt "$2"; do
    (
      trap - 0
      number=0
      while read -r words; do
        number=$((number + 1))
        # shellcheck disable=SC2086 # words is a list
        ! mkdir "$work/$number.taken" 2>/dev/null || try "$number" $words
      done <"$1"
    ) &
    workers="$workers $!"
    worker=$((worker + 1))
  done
  wait
  workers=
}

# results FILE: what `try' wrote for each of its lines, in that order.
results ()
{
  number=0
  while read -r words; do
    number=$((number + 1))
    cat "$work/$number.tap" 2>/dev/null || echo "not ok $number - $words: no result"
  done <"$1"
}
