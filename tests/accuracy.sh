#!/bin/sh
# accuracy.sh [N [CONDITION...]]: N runs of configure in a row, each in a fresh folder, under each of the
# conditions, held against what is known of the processor, and else what the system reports.  Prints for each parameter how often it was right, unknown or wrong, and what was measured
# how often.  Exit status 1 when a value was wrong.  Of level 3 the system reports what the whole
# processor has, which on a virtual machine and on a part of a processor is not what a program gets:
# what differs from that is shown and counts for nothing; what differs from the truth does count.
# Conditions: idle, which is the one when none is named; busy-N, beside N processes that compute; memory,
# beside one that reads all over half of the free memory; cache, beside one that writes all over 64 MiB;
# nice, configure having the lowest priority, beside two that compute; quota, configure being stopped half of the
# time; one, on one processor; migration, configure being moved to another processor ten times a second; clock,
# whose readings are 5 ms ahead for a tenth of the time, so that it steps there and back.
# Environment: srcdir, the top of the sources; CC, CFLAGS; HW_ACCURACY_ARGS, more arguments for configure.

LC_ALL=C
export LC_ALL
runs=${1:-20}
test $# -eq 0 || shift
test $# -gt 0 || set -- idle
case $runs in
'' | *[!0-9]* | 0)
  echo "accuracy.sh: not a number of runs: $runs" >&2
  exit 2
  ;;
esac
for condition; do
  case $condition in
  idle | busy-[1-9] | busy-[1-9][0-9] | memory | cache | nice | quota | clock) ;;
  one | migration)
    (taskset -c 0 true) 2>/dev/null || {
      echo "accuracy.sh: $condition: there is no taskset, or no processor 0" >&2
      exit 2
    } ;;
  *)
    echo "accuracy.sh: no such condition: $condition" >&2
    exit 2 ;;
  esac
done
srcdir=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd) || exit 2
here=$(cd "$(dirname "$0")" && pwd) || exit 2
work=$(mktemp -d) || exit 2
busy=

# shellcheck disable=SC2086,SC2317 # busy is a list; it is called at the end
finish ()
{
  test -z "$busy" || kill $busy 2>/dev/null
  rm -rf "$work"
}
trap finish 0
trap 'exit 2' HUP INT PIPE TERM

# spin N: so many processes that compute.
spin ()
{
  i=0
  while test "$i" -lt "$1"; do
    (while :; do :; done) &
    busy="$busy $!"
    i=$((i + 1))
  done
}

# walk KIB: a process that goes all over so much memory, writing.
walk ()
{
  cat >"$work/walk.c" <<'END'
#include <stdlib.h>
int main(int argc, char **argv) {
  size_t n = strtoul(argv[argc - 1], NULL, 10) << 10;
  volatile char *room = malloc(n);
  for (size_t at = 0; room != NULL; at = (at + 4160) % n)
    room[at]++;
  return 1;
}
END
  "${CC:-cc}" -O2 "$work/walk.c" -o "$work/walk" || exit 2
  "$work/walk" "$1" &
  busy="$busy $!"
}

# step: a clock that does so, in words.
step ()
{
  cat >"$work/clock.c" <<'END'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = (int)syscall(SYS_clock_gettime, clock, now);
  if (result == 0 && clock != CLOCK_THREAD_CPUTIME_ID && now->tv_nsec % 100000000 < 10000000)
    now->tv_nsec += 5000000;
  return result;
}
END
  "${CC:-cc}" -O2 -shared -fPIC "$work/clock.c" -o "$work/clock.so" || exit 2
  words="env LD_PRELOAD=$work/clock.so"
}

# load CONDITION: begins it; words are what configure runs below, and hold is what is done to it.
load ()
{
  words=""
  hold=""
  case $1 in
  busy-*) spin "${1#busy-}" ;;
  memory) walk "$(awk '/^MemAvailable:/ { kib = $2 / 2 } END { printf "%.0f\n", kib ? kib : 262144 }' /proc/meminfo 2>/dev/null)" ;;
  cache) walk 65536 ;;
  nice)
    spin 2
    words='nice -n 19' ;;
  one) words='taskset -c 0' ;;
  clock) step ;;
  quota | migration) hold=$1 ;;
  esac
}

# family PID: the process and all that descend from it.
family ()
{
  ps -A -o pid= -o ppid= | awk -v top="$1" '
    { parent[$1] = $2 }
    END {
      for (pid in parent) {
        for (up = pid; up != top && up in parent && up > 1; up = parent[up])
          ;
        if (up == top) print pid
      }
    }'
}

# disturb PID: while it runs.
disturb ()
{
  turn=0
  while kill -0 "$1" 2>/dev/null; do
    turn=$((1 - turn))
    for member in $(family "$1"); do
      case $hold$turn in
      quota1) kill -STOP "$member" ;;
      quota0) kill -CONT "$member" ;;
      migration*) taskset -pc $((turn * ($(getconf _NPROCESSORS_ONLN) - 1))) "$member" >/dev/null ;;
      esac
    done 2>/dev/null
    sleep 0.1
  done
}

# measure CONDITION: the runs, to $work/values.
measure ()
{
  load "$1"
  : >"$work/values"
  run=0
  while test "$run" -lt "$runs"; do
    run=$((run + 1))
    mkdir "$work/build" || exit 2
    # shellcheck disable=SC2086 # lists
    (cd "$work/build" && exec $words "$srcdir/configure" -q ${CC:+"CC=$CC"} ${CFLAGS:+"CFLAGS=$CFLAGS"} \
      ${HW_ACCURACY_ARGS-}) >"$work/said" 2>&1 &
    pid=$!
    test -z "$hold" || disturb "$pid"
    if ! wait "$pid"; then
      cat "$work/said" >&2
      exit 2
    fi
    # With the range of each that has one.
    awk -F '[=:]' -v run="$run" '
      /^hw_cv_.*_range=/ { name = toupper(substr($1, 7)); sub(/_RANGE$/, "", name); range["HW_" name] = " " $2 " " $3 }
      / = / && !/_SRC =|_GROUPS =/ { split($0, word, " "); print run, word[1], word[3] range[word[1]] }
    ' "$work/build/hwconfig.site" "$work/build/hwconfig.mk" >>"$work/values"
    rm -rf "$work/build"
    printf '\r%s: %s of %s runs' "$1" "$run" "$runs" >&2
  done
  echo >&2
  # shellcheck disable=SC2086 # a list
  test -z "$busy" || kill $busy
  busy=
}

# The rows, and what is known of the processor of each, or else what the system says.
# shellcheck disable=SC1091 # it is checked on its own
. "$srcdir/probes/machine.sh"
hw_processor=
hw_fn_processor /proc
truth=$here/recorded/truth
test -f "$truth" || truth=/dev/null
functions=$(cat "$here/truth.awk") || exit 2
awk -v which=measured -v ask='macro reported' -f "$srcdir/registry/table.awk" -f "$srcdir/registry/ask.awk" \
  "$srcdir/probes/params.def" | sed 's/^/HW_/' |
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
      at = truth_of($1)
      judged = at && truth_value[at] != "?"
      print $1, judged ? truth_value[at] : $2 == "" ? "-" : $2, judged ? "truth" : "report"
    }' "$truth" - >"$work/rows"

# tell: what was measured how often: some values, or else from the lowest to the highest.
tell ()
{
  awk -v runs="$runs" "$functions"'
    NR == FNR { macro[++rows] = $1; reported[$1] = $2; judged[$1] = $3 == "truth"; next }
    {
      seen[$2]++
      near[$2] += truth_right($3, reported[$2], $4, $5)
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
          right = near[m] + 0
          other = seen[m] - right
          if (m ~ /^HW_L3_/ && !judged[m])
            differs = other
          else
            bad += wrong = other
        }
        printf format, m, reported[m], right, runs - seen[m], wrong, differs, spread(m)
      }
      printf "%d of %d values known, %d wrong\n", known(), runs * rows, bad
      exit bad > 0
    }
    function known(   m, n) {
      for (m in seen) n += seen[m]
      return n
    }' "$work/rows" "$work/values"
}

status=0
for condition; do
  measure "$condition"
  echo "$condition:"
  tell || status=1
done
exit $status
