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
parts=16

. "$hw_dir/probes/build.sh"
hw_pids=
hw_libs=
trap 'kill $hw_pids 2>/dev/null; exit 1' HUP INT PIPE TERM
mkdir "$hw_scratch" || exit 1
exec 5>"$hw_scratch/log"
hw_compile="$CC $flags -static"
test "${STATIC-}" != no || hw_compile="$CC $flags"
if ! hw_fn_probes; then
  cat "$hw_scratch/log" >&2
  why='the probes do not compile'
  test "${STATIC-}" = no ||
    why="$why, or cannot be linked statically: make probe-bundle STATIC=no links them to the libraries of that machine"
  echo "make probe-bundle: ${hw_unfit:-$why}" >&2
  exit 1
fi

# Vectors wider than the compiler's own would be made of several.
widest=$(echo __BIGGEST_ALIGNMENT__ | $CC $flags -E - 2>/dev/null | sed -n 's/^\([0-9][0-9]*\)$/\1/p')
# How many whole numbers compilers keep in registers at once: all the registers that there are, but for
# some. Beside these, those of floating point are counted; where it is another number, they are unknown.
alive=$($CC $flags -E - 2>/dev/null <<'END' | sed -n 's/^alive \([0-9][0-9]* [0-9][0-9]*\)$/\1/p'
#if defined __i386__ || defined __m68k__
alive 4 7
#elif defined __x86_64__
alive 13 15
#elif defined __arm__ || defined __s390x__ || defined __sh__
alive 10 14
#else
alive 26 30
#endif
END
)
why=
for compiler in "$CC_FOR_BUILD" cc gcc clang c99 "$CC" ''; do
  test -n "$compiler" || continue
  $compiler -O "-I$hw_dir" -o "$hw_scratch/every" "$hw_dir/sim/every.c" -lm >&5 2>&1 &&
    "$hw_scratch/every" "$hw_scratch/nano" $parts "${widest:-16}" ${alive:-26 30} >&5 2>&1 && break
done
if test -z "$compiler"; then
  why='no compiler for this machine: set CC_FOR_BUILD'
elif ! hw_fn_generated; then
  why='the compiler does not take it'
  hw_fn_link "$hw_scratch/none.$OBJEXT" || exit 1
fi
test -z "$why" ||
  printf '%s\n' "make probe-bundle: without the code that tells what operations cost: $why" >&2
