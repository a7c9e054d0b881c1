#!/bin/sh
# accuracy.sh [N]: N runs of configure in a row, each in a fresh folder, held against what the system
# reports.  Prints for each parameter how often it was right, unknown or wrong, and what was measured
# how often.  Exit status 1 when a value was wrong.  Of level 3 the system reports what the whole
# processor has, which on a virtual machine and on a part of a processor is not what a program gets:
# what differs there is shown and counts for nothing.  What the system does not report is held against
# what is known of the processor, where that is at hand.
# Environment: srcdir, the top of the sources; CC, CFLAGS; HW_ACCURACY_BUSY, a number of processes
# that keep the processors busy meanwhile; HW_ACCURACY_ARGS, more arguments for configure.

LC_ALL=C
export LC_ALL
runs=${1:-20}
case $runs in
'' | *[!0-9]* | 0)
  echo "accuracy.sh: not a number of runs: $runs" >&2
  exit 2
  ;;
esac
srcdir=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd) || exit 2
here=$(cd "$(dirname "$0")" && pwd) || exit 2
work=$(mktemp -d) || exit 2
busy=

# shellcheck disable=SC2086 # busy is a list
finish ()
{
  test -z "$busy" || kill $busy 2>/dev/null
  rm -rf "$work"
}
trap finish 0
trap 'exit 2' HUP INT PIPE TERM

i=0
while test "$i" -lt "${HW_ACCURACY_BUSY:-0}"; do
  (while :; do :; done) &
  busy="$busy $!"
  i=$((i + 1))
done

run=0
while test "$run" -lt "$runs"; do
  run=$((run + 1))
  mkdir "$work/build" || exit 2
  # shellcheck disable=SC2086 # a list of arguments
  if ! (cd "$work/build" && "$srcdir/configure" -q ${CC:+"CC=$CC"} ${CFLAGS:+"CFLAGS=$CFLAGS"} \
    ${HW_ACCURACY_ARGS-} >configure.out 2>&1); then
    cat "$work/build/configure.out" >&2
    exit 2
  fi
  sed -n 's/ = / /p' "$work/build/hwconfig.mk" | sed "/_SRC /d; s/^/$run /" >>"$work/values"
  rm -rf "$work/build"
  printf '\r%s of %s runs' "$run" "$runs" >&2
done
echo >&2

# The rows, and what the system says of each, or else what is known of the processor.
# shellcheck disable=SC1091 # it is checked on its own
. "$srcdir/probes/machine.sh"
hw_processor=
hw_fn_processor /proc
truth=$here/recorded/truth
test -f "$truth" || truth=/dev/null
functions=$(cat "$here/truth.awk") || exit 2
sed -n 's/^HW_PARAM(\(.*\))$/\1/p' "$srcdir/probes/params.def" |
  awk -F ', *' '{ print "HW_" $1, $8 }' |
  while read -r macro name; do
    reported=
    test "$name" = none || reported=$(getconf "$name" 2>/dev/null)
    case $reported in
    0 | *[!0-9]*) reported= ;;
    esac
    echo "$macro;$reported"
  done |
  awk -F ';' -v machine=" $hw_processor flags ${CFLAGS--g -O2} " "$functions"'
    FILENAME == ARGV[1] { truth_take(machine); next }
    {
      at = $2 == "" ? truth_of($1) : 0
      print $1, at && truth_value[at] != "?" ? truth_value[at] : $2 == "" ? "-" : $2
    }' "$truth" - >"$work/rows"

# What was measured how often: some values, or else from the lowest to the highest.
awk -v runs="$runs" "$functions"'
  NR == FNR { macro[++rows] = $1; reported[$1] = $2; next }
  {
    seen[$2]++
    if (!($2 in low) || $3 < low[$2]) low[$2] = $3
    if (!($2 in high) || $3 > high[$2]) high[$2] = $3
    if (!(times[$2, $3]++)) value[$2, ++kinds[$2]] = $3
  }
  function spread(m,   i, text) {
    if (!seen[m]) return "-"
    if (kinds[m] > 4) return low[m] " to " high[m]
    for (i = 1; i <= kinds[m]; i++)
      text = text (i > 1 ? ", " : "") value[m, i] (seen[m] > 1 ? " x" times[m, value[m, i]] : "")
    return text
  }
  END {
    format = "%-21s %15s %5s %7s %5s %7s  %s\n"
    printf format, "parameter", "reported", "right", "unknown", "wrong", "differs", "measured"
    for (i = 1; i <= rows; i++) {
      m = macro[i]
      right = wrong = differs = "-"
      if (reported[m] != "-") {
        right = near(m)
        other = seen[m] - right
        if (m ~ /^HW_L3_/)
          differs = other
        else
          bad += wrong = other
      }
      printf format, m, reported[m], right, runs - seen[m], wrong, differs, spread(m)
    }
    printf "%d of %d values known, %d wrong\n", known(), runs * rows, bad
    exit bad > 0
  }
  function near(m,   i, n) {
    for (i = 1; i <= kinds[m]; i++)
      if (truth_right(value[m, i], reported[m])) n += times[m, value[m, i]]
    return n + 0
  }
  function known(   m, n) {
    for (m in seen) n += seen[m]
    return n
  }' "$work/rows" "$work/values"
