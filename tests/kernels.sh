#!/bin/sh
# kernels.sh: how fast the kernels of examples are, with the blocks of the hwconfig.h in the current
# folder: products against OpenBLAS, BLIS and ATLAS, as far as they are there, on one processor and
# on all; the model's blocks against a search; the Schur complement; loops against constants.
# Prints tables, and leaves curves in bench.d.
# Environment: srcdir, the top of the sources; CC; BENCH_CFLAGS; BENCH_RUN, a command that runs each
# part, as in BENCH_RUN='taskset -c 1'; BENCH_PARTS, some of product threads small search schur loops;
# BENCH_SIZES; BENCH_SEARCH, sizes of the search; BENCH_LIBRARIES; BENCH_KERNELS, the folder of the
# kernels, when not examples/kernels.

LC_ALL=C
export LC_ALL
srcdir=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd) || exit 2
kernels=${BENCH_KERNELS-$srcdir/examples/kernels}
flags=${BENCH_CFLAGS--O3 -march=native}
sizes=${BENCH_SIZES-64 96 128 192 256 384 480 512 640 768 960 1024 1280 1536 1920 2048}
parts=${BENCH_PARTS-product threads small search schur loops}
libraries=${BENCH_LIBRARIES-libopenblas.so.0 libblis.so.4 libcblas.so.3}
shapes='2x8 4x4 4x8 6x8 8x8 3x12 4x12 5x12 8x4 12x4 14x4 2x16 3x16 6x16 4x24 12x8 14x8 2x32'
test -f hwconfig.h || { echo 'kernels.sh: run it where hwconfig.h is' >&2; exit 2; }
here=$(pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' 0
trap 'exit 2' HUP INT PIPE TERM
# shellcheck disable=SC1091 # it is checked on its own
. "$(dirname "$0")/points.sh"

# compile FILE ARGUMENT...: a program or shared library of kernels.
compile() {
  output=$1
  shift
  # shellcheck disable=SC2086 # a list of options
  ${CC:-cc} $flags "-I$here" "-I$kernels" -o "$output" "$@" -lpthread -ldl -lm
}

# run ARGUMENT...: a part of the measurement, whose points are kept.
run() {
  # shellcheck disable=SC2086 # a command with its arguments
  ${BENCH_RUN-} "$work/bench" "$@" >"$work/out" || exit 2
  sed -n 's/^point //p' "$work/out" >>"$work/points"
  grep '^#' "$work/out" >>"$work/remarks"
}

# table CURVE TEXT: its points, and their geometric mean.
table() {
  grep "^$1 " "$work/points" | sort -k2,2n | awk -v text="$2" '
    { line = line sprintf(" %s:%.2f", $2, $3); sum += log($3); n++ }
    END { if (n) printf "%-34s mean %.3f %s\n", text, exp(sum / n), line }'
}

# value MACRO: what the header says.
value() {
  echo "$1" | ${CC:-cc} -E -P -include "$here/hwconfig.h" - | tail -n 1 | tr -d ' '
}

compile "$work/bench" "$kernels"/bench.c "$kernels"/gemm.c "$kernels"/team.c "$kernels"/schur.c \
  "$kernels"/transpose.c "$kernels"/stencil.c "$kernels"/sieve.c "$kernels"/join.c \
  "$kernels"/product.c || exit 2
: >"$work/points"
: >"$work/remarks"
processors=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)

for part in $parts; do
  case $part in
  product | threads)
    threads=1
    test "$part" = product || threads=$processors
    for library in $libraries; do
      for size in $sizes; do
        run product "$library" "$threads" "$size"
      done
      for type in f64 f32; do
        table "product_${type}_${threads}_$library" "$type, $threads threads, $library"
      done
    done
    table "gflops_f64_$threads" "f64, $threads threads, 10^9 a second" ;;
  small)
    run small 8 16 24 32 48 64 72 80 96 112 120 128 136 144 160 176 192
    for type in f64 f32; do
      table "small_$type" "$type, what the model packs to all packed"
    done ;;
  search)
    for type in f64 f32; do
      TYPE=$(echo "$type" | tr f F)
      model=$(value "HW_GEMM_${TYPE}_MR")x$(value "HW_GEMM_${TYPE}_NR")
      set --
      for shape in $model $shapes; do
        test -f "$work/$type.$shape.so" && continue
        compile "$work/$type.$shape.so" -shared -fPIC "-DGEMM_${TYPE}_MR=${shape%x*}" \
          "-DGEMM_${TYPE}_NR=${shape#*x}" "$kernels/gemm.c" "$kernels/team.c" || exit 2
        set -- "$@" "$work/$type.$shape.so"
      done
      for size in ${BENCH_SEARCH-384}; do
        run search $type "$size" "$@"
        grep '^#' "$work/out" | tail -n 10 | sed "s|$work/||"
        awk -v curve="found_$type" -v type="$type" -v size="$size" '
          $2 == curve { printf "%s: at %d the model reaches %.3f of the best found\n", type, size, 1 / $4 }' \
          "$work/out"
      done
    done ;;
  schur)
    model=$(value HW_GEMM_BB_L1_EVEN)
    for edge in $(echo "16 24 32 40 48 56 64 72 80 96 112 128 160 192 $model" | tr ' ' '\n' |
      grep '^[0-9]*$' | sort -nu); do
      run schur libcblas.so.3 "$edge"
    done
    table schur_model "Schur complement, the model's edge"
    table schur_gflops 'Schur complement, 10^9 a second'
    table schur_library_gflops 'ATLAS, 10^9 a second'
    table schur_ratio 'Schur complement to ATLAS' ;;
  loops)
    for loop in transpose stencil2 stencil3 sieve join; do
      run loops $loop
    done
    sed 's/ .*//' "$work/points" | grep -e transpose -e stencil -e sieve -e join | awk '!seen[$0]++' |
      while read -r curve; do
        table "$curve" "the header's block to $curve"
      done ;;
  esac
done

curves "$work/points" "$(${CC:-cc} --version 2>/dev/null | sed 1q)" "$flags"
