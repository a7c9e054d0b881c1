#!/bin/sh
# shellcheck disable=SC1091,SC2034,SC2086,SC2154
# The probes for another machine: linked statically, unless STATIC is no, with whatever code they may ask for, since nothing
# can be compiled there. For make probe-bundle.
#
# Environment: what build.sh takes, but for hw_compile; CC and flags, of that machine; CC_FOR_BUILD, a
# compiler for this one, or nothing.
LC_ALL=C
export LC_ALL

# Files of generated code, which are compiled side by side.
hw_nano_files=16

. "$hw_dir/probes/build.sh"
hw_pids=
hw_beside=
hw_libs=
trap 'kill $hw_pids $hw_beside 2>/dev/null; exit 1' HUP INT PIPE TERM
mkdir "$hw_scratch" || exit 1
exec 5>"$hw_scratch/log"
hw_compile="$CC $flags -static"
test "${STATIC-}" != no || hw_compile="$CC $flags"

# What the other machine has is told to the program that writes the code, which runs here.
target=$($CC $flags "-I$hw_dir" -E - 2>/dev/null <<'END' | sed -n 's/^target //p'
#include "probes/nano/target.h"
target HW_LOOPS_WIDEST HW_LOOPS_INTEGERS HW_LOOPS_FLOATS HW_LOOPS_SLOW
END
)
writer=none
hw_fn_writer ()
{
  set -- $target
  test $# -ne 4 || set -- "-DHW_LOOPS_WIDEST=$1" "-DHW_LOOPS_INTEGERS=$2" "-DHW_LOOPS_FLOATS=$3" "-DHW_LOOPS_SLOW=$4"
  for compiler in "$CC_FOR_BUILD" cc gcc clang c99 "$CC"; do
    test -n "$compiler" || continue
    $compiler "$@" "-I$hw_dir" -o "$hw_scratch/hwnano$EXEEXT" "$hw_dir/probes/nano/hwnano.c" >&5 2>&1 &&
      "$hw_scratch/hwnano$EXEEXT" "$hw_scratch/nano" $hw_nano_files >&5 2>&1 && writer=$compiler && return
  done
}

if ! hw_fn_probes; then
  cat "$hw_scratch/log" >&2
  why='the probes do not compile'
  test "${STATIC-}" = no ||
    why="$why, or cannot be linked statically: make probe-bundle STATIC=no links them to the libraries of that machine"
  echo "make probe-bundle: ${hw_unfit:-$why}" >&2
  exit 1
fi
why='the compiler does not take it'
test "$writer" != none || why='no compiler for this machine: set CC_FOR_BUILD'
test -z "$hw_ungenerated" ||
  printf '%s\n' "make probe-bundle: without the code that tells what operations cost: $why" >&2
