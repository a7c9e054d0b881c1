#!/bin/sh
# plain.sh: plain loops with the header's blocks, against none, against constants of 16, 32, 64 and 128, and
# against the best block of a search, squares of matrices: each with the flags of a program, and a hwconfig.h of these flags.
# Prints a table a set of flags: how many times what the header's takes each of the others takes; none is also tried
# with padded rows, and where there are none to pad the header's again, which tells the noise. The last
# lines say what holds of the goals: at no size slower than none by more than 3 percent, at none below 0.95
# of the best block, in the mean faster than 32 and than 64; and at which sizes it does not.
# Leaves curves in bench.d: none, and the best block, to the header's.
# Minutes; a size, or a kernel: PLAIN_KERNELS=product PLAIN_SIZES='1000 1024' PLAIN_FLAGS='gcc -O3'.
# Environment: srcdir, sources with a configure; PLAIN_KERNELS; PLAIN_SIZES; PLAIN_FLAGS, a compiler with its
# flags a line; PLAIN_HEADERS, a folder of headers to keep for the next run; BENCH_RUN, a command that runs
# each part, as in BENCH_RUN='taskset -c 1'; BENCH_KERNELS, the folder of the kernels.

LC_ALL=C
export LC_ALL
srcdir=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd) || exit 2
kernels=${BENCH_KERNELS-$srcdir/examples/kernels}
names=${PLAIN_KERNELS-product transpose stencil2 stencil3 join sieve}
sizes=${PLAIN_SIZES-200 256 500 512 1000 1024 1500 2000 2048}
flags=${PLAIN_FLAGS-gcc -O2
gcc -O3
gcc -O3 -march=native
clang -O3}
work=$(mktemp -d) || exit 2
# shellcheck disable=SC1091 # it is checked on its own
. "$(dirname "$0")/points.sh"
trap 'rm -rf "$work"' 0
trap 'exit 2' HUP INT PIPE TERM
headers=${PLAIN_HEADERS-$work/headers}
: >"$work/lines"

# header FOLDER COMPILER FLAG...: makes hwconfig.h there, where it is not.
header() (
  mkdir -p "$1" && cd "$1" || exit 2
  shift
  compiler=$1
  shift
  test -f hwconfig.h || "$srcdir/configure" -q CC="$compiler" CFLAGS="$*" >configure.log 2>&1 || {
    cat configure.log >&2
    exit 2
  }
)

# table FLAGS: of the lines "plain KERNEL N MS NONE PADDED 16 32 64 128 BEST EDGE".
table() {
  echo
  echo "$1"
  awk '
    BEGIN { print "kernel        n       ms   none padded     16     32     64    128   best   edge" }
    { printf "%-9s %5d %8.3f %6.2f %6.2f %6.2f %6.2f %6.2f %6.2f %6.2f %6d\n", $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 }'
}

echo "$flags" | while read -r compiler options; do
  command -v "$compiler" >/dev/null || { echo "# $compiler: there is none" && continue; }
  name=$(echo "$compiler $options" | tr -c 'a-zA-Z0-9\n' _)
  # shellcheck disable=SC2086 # a list of options
  header "$headers/$name" "$compiler" $options || exit 2
  # shellcheck disable=SC2086 # a list of options
  $compiler $options "-I$headers/$name" "-I$kernels" -o "$work/bench" "$kernels"/bench.c "$kernels"/gemm.c \
    "$kernels"/team.c "$kernels"/schur.c "$kernels"/transpose.c "$kernels"/stencil.c "$kernels"/sieve.c \
    "$kernels"/join.c "$kernels"/product.c -lpthread -ldl -lm || exit 2
  : >"$work/some"
  for kernel in $names; do
    # shellcheck disable=SC2086 # a command with its arguments, and sizes
    ${BENCH_RUN-} "$work/bench" plain "$kernel" $sizes >>"$work/some" || exit 2
  done
  table "$compiler $options" <"$work/some"
  awk -v flags="$(echo "${compiler}_$options" | tr -cs 'a-zA-Z0-9\n' _ | tr '[:upper:]' '[:lower:]')" '{
    print "plain_" $2 "_none_" flags, $3, $5, 0, 1
    print "plain_" $2 "_best_" flags, $3, $11, 0, 1
  }' "$work/some" >"$work/points"
  curves "$work/points" "$($compiler --version 2>/dev/null | sed 1q)" "$options"
  sed "s/\$/ $compiler $options/" "$work/some" >>"$work/lines"
done || exit 2

# What holds of the goals; each time is over that of the header's.
echo
awk '
  function at(  i, flags) {
    for (i = 13; i <= NF; i++) flags = flags " " $i
    return " " $2 " " $3 " (" substr(flags, 2) ")"
  }
  { n[$2]++; sum32[$2] += log($8); sum64[$2] += log($9) }
  $5 < 0.97 { none = none "\n   " at() sprintf(": %.2f", $5) }
  $11 < 0.95 { best = best "\n   " at() sprintf(": %.2f", $11) }
  END {
    print "slower than none by more than 3 percent:" (none == "" ? " never" : none)
    print "below 0.95 of the best block:" (best == "" ? " never" : best)
    for (kernel in n)
      printf "%s, in the mean: %.2f times as fast as 32, %.2f as 64\n", kernel, exp(sum32[kernel] / n[kernel]),
        exp(sum64[kernel] / n[kernel])
  }' "$work/lines"
