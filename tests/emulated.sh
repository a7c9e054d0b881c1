#!/bin/sh
# emulated.sh [ARCHITECTURE...]: the simulator, compiled for other processors and run by qemu-user: what it says
# of some machines is the same as here to the byte; the probes, which see that they are emulated, say unknown of
# everything and end; and the unit tests pass.  What has no compiler or no qemu is skipped, and said so.  Exit
# status 1 when something differs or fails, 77 when all was skipped.
# Environment: srcdir, the top of the sources; sources, the files of C below the programs; units, those of the unit
# tests; HW_TEST_MACHINES.

LC_ALL=C
: "${srcdir:=.}" "${sources:?the files to compile}" "${units:?the unit tests}"
export LC_ALL srcdir
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
: "${HW_TEST_MACHINES:=machines/pentium4 machines/odd-plru machines/odd-coarse-clock cores/wide4 processors/smt2}"
rows='HW_L1_BYTES HW_L1_ASSOC HW_L1_LINE HW_L1_LAT_X100 HW_PAGE_BYTES HW_TLB1_ENTRIES HW_LAT_ADD_I32_X100 HW_NR_F64 HW_CORES'
test $# -gt 0 || set -- aarch64 riscv64 powerpc64le s390x arm
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' 0
trap 'exit 2' HUP INT PIPE TERM

# compile CC FOLDER: the simulator and the probes, without what makes sums of other compilers differ.
compile ()
{
  mkdir "$2" || return
  for file in $sources; do
    case $file in
    *.c) echo "$file" "$2/$(echo "$file" | tr / -).o" ;;
    esac
  done >"$2/list"
  # shellcheck disable=SC2016 # another shell's
  xargs <"$2/list" -n 2 -P "$jobs" sh -c '
    exec $1 -std=gnu11 -O1 -ffp-contract=off "-I$srcdir" -c "$srcdir/$2" -o "$3"' sh "$1" &&
    "$1" -std=gnu11 -O1 -static "-I$srcdir" "$srcdir/tests/simulate.c" "$2"/*.o -o "$2/simulate" -lm -lpthread &&
    "$1" -std=gnu11 -O1 -static "-I$srcdir" "$srcdir"/probes/parts/*.c -o "$2/hwprobe" -lm -lpthread
}

# ask FOLDER [PROGRAM]: what the simulator there says, run by the program.
ask ()
{
  for machine in $HW_TEST_MACHINES; do
    case $machine in
    processors/*) cat "$srcdir/tests/$machine.machine" "$srcdir/tests/processors/hierarchy" ;;
    *) cat "$srcdir/tests/$machine.machine" ;;
    esac >"$work/machine"
    # shellcheck disable=SC2086 # a list
    timeout 600 ${2-} "$1/simulate" "$work/machine" $rows 2>/dev/null || echo "status $? for $machine"
  done
}

# pass CC FOLDER QEMU: compiles and runs the unit tests, with tests/emulated/cmocka.h; says which fail, and why.
# Those with cases for make check-long are left out: even without these cases they take minutes.
pass ()
{
  for unit in $units; do
    grep -q tests/unit/long.h "$srcdir/$unit" || echo "$unit"
  done >"$2/units"
  # shellcheck disable=SC2016 # another shell's
  xargs <"$2/units" -n 1 -P "$jobs" sh -c '
    program=$2/$(basename "$4" .c)
    $1 -std=gnu11 -O1 -ffp-contract=off -static "-I$srcdir" "-I$srcdir/tests/emulated" "$srcdir/$4" "$2"/*.o \
      -o "$program" -lm -lpthread >"$program.log" 2>&1 && timeout 600 "$3" "$program" >"$program.log" 2>&1 || {
      echo "$4: status $?"
      tail -n 5 "$program.log"
      exit 1
    }' sh "$@"
}

compile "${CC:-gcc}" "$work/here" && ask "$work/here" >"$work/expected" || exit 2
status=77
for architecture; do
  suffix=linux-gnu
  test "$architecture" != arm || suffix=linux-gnueabihf
  cc=$architecture-$suffix-gcc
  qemu=qemu-$(echo "$architecture" | sed 's/powerpc/ppc/')
  if ! (command -v "$cc" && command -v "$qemu") >/dev/null 2>&1; then
    echo "$architecture: skipped, there is no $cc or no $qemu"
    continue
  fi
  test $status -ne 77 || status=0
  if ! compile "$cc" "$work/$architecture" >"$work/log" 2>&1; then
    echo "$architecture: does not compile"
    tail -n 5 "$work/log"
    status=1
    continue
  fi
  ask "$work/$architecture" "$qemu" >"$work/got"
  timeout 120 "$qemu" "$work/$architecture/hwprobe" --effort=quick --budget=20 HW_L1_BYTES HW_CYCLE_PS HW_PAGE_BYTES \
    >"$work/values" 2>"$work/log"
  ended=$?
  if ! diff "$work/expected" "$work/got" >"$work/differs"; then
    echo "$architecture: differs"
    sed 's/^/  /' "$work/differs"
    status=1
  elif test $ended -ne 0 || grep '^HW_' "$work/values" || ! grep -q 'emulat' "$work/values"; then
    echo "$architecture: emulation is not seen (status $ended)"
    cat "$work/values"
    status=1
  elif ! pass "$cc" "$work/$architecture" "$qemu" >"$work/log" 2>&1; then
    echo "$architecture: unit tests fail"
    sed 's/^/  /' "$work/log"
    status=1
  else
    echo "$architecture: the same as here; emulation is seen; unit tests pass"
  fi
done
exit $status
