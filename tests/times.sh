#!/bin/sh
# Bad times on this machine: two processes that compute, one that goes all over memory, half of a processor, one
# processor, 64 MiB of memory, no larger pages, clocks of steps of 1 us and 10 ms.  In each hwprobe ends within its
# budget, or is ended when it has not; each row that it tells is known or says why; and what is of the machine alone
# is the same wherever it is known, the levels as many as the system has.  Speaks TAP.
# Environment: hwprobe, the program; CC; HW_TEST_TIMES, some of the conditions.

LC_ALL=C
export LC_ALL
: "${hwprobe:=./hwprobe}"
budget=6
work=$(mktemp -d) || exit 99
busy=

# shellcheck disable=SC2086 # a list
quiet ()
{
  test -z "$busy" || kill $busy 2>/dev/null
  busy=
}
trap 'quiet; rm -rf "$work"' 0
trap 'exit 99' HUP INT PIPE TERM

cat >"$work/walk.c" <<'END'
#include <stdlib.h>
int main(void) {
  size_t n = (size_t)256 << 20;
  volatile char *room = malloc(n);
  for (size_t at = 0; room != NULL; at = (at + 4160) % n)
    room[at]++;
  return 1;
}
END
cat >"$work/plain.c" <<'END'
#define _GNU_SOURCE
#include <sys/prctl.h>
#include <unistd.h>
int main(int argc, char **argv) {
  return argc < 2 || prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0 || execv(argv[1], argv + 1) != 0 ? 77 : 0;
}
END
cat >"$work/step.c" <<'END'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = (int)syscall(SYS_clock_gettime, clock, now);
  if (result == 0 && clock != CLOCK_THREAD_CPUTIME_ID)
    now->tv_nsec -= now->tv_nsec % STEP;
  return result;
}
END

# built OPTION... FILE: with the compiler; 77 where that does not work.
built ()
{
  "${CC:-cc}" -O2 "$@" >"$work/said" 2>&1 || return 77
}

# paced COMMAND...: it runs half of the time.
paced ()
{
  "$@" &
  paced=$!
  while kill -0 $paced 2>/dev/null; do
    kill -STOP $paced && sleep 0.02
    kill -CONT $paced && sleep 0.02
  done 2>/dev/null
  wait $paced
}

# quota COMMAND...: it has half of a processor, by a control group; else 77.
quota ()
{
  group=/sys/fs/cgroup/hwconfig-times-$$
  test -f /sys/fs/cgroup/cgroup.controllers && mkdir $group 2>/dev/null || return 77
  if echo '50000 100000' 2>/dev/null >$group/cpu.max; then
    (sh -c "echo \$\$ >$group/cgroup.procs"' && exec "$@"' sh "$@")
    status=$?
  else
    status=77
  fi
  rmdir $group
  return $status
}

# small COMMAND...: it has 64 MiB; else 77.
small ()
{
  # shellcheck disable=SC3045 # a shell may have no such limit
  (ulimit -v 65536 2>/dev/null || exit 77; exec "$@")
}

# under CONDITION COMMAND...: runs it so; 77 where that cannot be had.
under ()
{
  condition=$1
  shift
  case $condition in
  alone) "$@" ;;
  busy)
    for _ in 1 2; do
      (trap - 0; while :; do :; done) &
      busy="$busy $!"
    done
    "$@" ;;
  memory)
    built "$work/walk.c" -o "$work/walk" || return
    "$work/walk" &
    busy=$!
    "$@" ;;
  paced) paced "$@" ;;
  quota) quota "$@" ;;
  one)
    (taskset -c 0 true) 2>/dev/null || return 77
    taskset -c 0 "$@" ;;
  small) small "$@" ;;
  plain)
    built "$work/plain.c" -o "$work/plain" || return
    "$work/plain" "$@" ;;
  1us | 10ms)
    built -shared -fPIC "-DSTEP=$(echo "$condition" | sed 's/1us/1000/; s/10ms/10000000/')" "$work/step.c" \
      -o "$work/step-$condition.so" || return
    LD_PRELOAD=$work/step-$condition.so "$@" ;;
  esac
}

# The levels of cache for data that the system has, or nothing.
levels=$(cat /sys/devices/system/cpu/cpu0/cache/index*/type 2>/dev/null | grep -c -e Data -e Unified)

# held NAME: what is wrong with its answers. What is known of the machine goes to $work/known.
held ()
{
  awk -v levels="$levels" '
    FILENAME != "-" { was[$1] = $3; next }
    $2 == "=" && $3 ~ /^[0-9]+$/ { n++ }
    $1 == "#" && ($3 == "unknown:" && NF > 3 && $4 != $2 || $3 == "range") { n++; next }
    $2 != "=" { printf " %s", $0 }
    $1 in was && was[$1] != $3 { printf " %s = %s, and was %s", $1, $3, was[$1] }
    $1 == "HW_CACHE_LEVELS" && levels > 0 && $3 != levels { printf " %s levels of %s", $3, levels }
    END { if (!n) printf " no row" }' "$work/known" - <"$work/rows-$1"
  grep -E '^HW_(CACHE_LEVELS|L[12]_(BYTES|ASSOC|LINE)|PAGE_BYTES|TLB1_ENTRIES) ' "$work/rows-$1" >>"$work/known"
}

conditions=${HW_TEST_TIMES:-alone busy memory paced quota one small plain 1us 10ms}
# shellcheck disable=SC2086 # a list
set -- $conditions
echo "1..$#"
: >"$work/known"
number=0
for condition in $conditions; do
  number=$((number + 1))
  under "$condition" "$hwprobe" --all --budget=$budget >"$work/rows-$condition" 2>"$work/log"
  status=$?
  quiet
  bad=$(held "$condition")
  told="$(grep -c '^HW_.* = ' "$work/rows-$condition") rows known"
  case $status,$bad in
  77,*) echo "ok $number - $condition # SKIP it cannot be had here" ;;
  0, | 142,) echo "ok $number - $condition: $told" ;;
  *)
    echo "not ok $number - $condition: status $status$bad"
    sed 's/^/# /' "$work/log" ;;
  esac
done
