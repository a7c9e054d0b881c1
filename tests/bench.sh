#!/bin/sh
# bench.sh [N]: how long configure takes, as a whole and with its cache, over N runs, and how much
# memory the probes take.  Prints least, median and most.
# Environment: srcdir, the top of the sources; CC, CFLAGS; HW_BENCH_ARGS, more arguments.

LC_ALL=C
export LC_ALL
runs=${1:-5}
srcdir=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' 0
trap 'exit 2' HUP INT PIPE TERM

# Seconds, with fractions where date has them.
now ()
{
  date +%s.%N | sed 's/\.N$//'
}

# timed WHAT ARGUMENT...: one run of configure with a cache; adds its seconds to the list of WHAT.
timed ()
{
  what=$1
  shift
  start=$(now)
  "$srcdir/configure" -q -C ${CC:+"CC=$CC"} ${CFLAGS:+"CFLAGS=$CFLAGS"} "$@" >configure.out 2>&1 || {
    cat configure.out >&2
    exit 2
  }
  end=$(now)
  echo "$start $end" | awk '{ print $2 - $1 }' >>"$work/$what"
}

# report WHAT UNIT TEXT
report ()
{
  sort -n "$work/$1" | awk -v unit="$2" -v text="$3" '
    { value[NR] = $1 }
    END { printf "%-34s %.4g / %.4g / %.4g %s\n", text, value[1], value[int((NR + 1) / 2)],
            value[NR], unit }'
}

i=0
while test "$i" -lt "$runs"; do
  i=$((i + 1))
  mkdir "$work/build" && cd "$work/build" || exit 2
  # shellcheck disable=SC2086 # a list of arguments
  timed first ${HW_BENCH_ARGS-}
  # shellcheck disable=SC2086
  timed second ${HW_BENCH_ARGS-}
  cd "$work" && rm -rf "$work/build"
done
echo "over $runs runs: least / median / most"
report first s 'configure'
report second s 'configure again, with its cache'

# The memory of one process that measures everything.
cd "$work" || exit 2
command -v /usr/bin/time >/dev/null 2>&1 || exit 0
# shellcheck disable=SC2086 # lists of words
${CC:-cc} ${CFLAGS:--g -O2} "-I$srcdir" -o hwprobe "$srcdir"/probes/parts/*.c -lm || exit 2
/usr/bin/time -f '%M' ./hwprobe --all >/dev/null 2>log || exit 2
tail -n 1 log | awk '{ print $1 / 1024 }' >memory
report memory MiB 'resident memory, all probes'
