#!/bin/sh
# tune.sh FOLDER [KERNEL:SIZE]...: searches with and without the space of hwconfig, by tune.py, for the
# kernels of ../kernels.  FOLDER has hwconfig.h and the command hwconfig, as a build of hwconfig does.
# Leaves in tune.d the space, what was built and the times of all points, with which it goes on when
# it is called again.
# Environment: CC, CFLAGS, those that hwconfig has measured with; TUNE_OPTIONS, of tune.py; TUNE_SPACE,
# a file with a space in place of FOLDER's; KERNELS, the folder of the kernels; PYTHON.

LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd) || exit 2
kernels=$(cd "${KERNELS-$here/../kernels}" && pwd) || exit 2
usual='product_f64:384 product_f32:384 transpose_f64:2048 stencil2_f64:65536 stencil3_f64:512 join:1048576'

# compile FILE ARGUMENT...: of kernels.
compile() {
  output=$1
  shift
  # shellcheck disable=SC2086 # a list of options
  ${CC:-cc} ${CFLAGS--O3 -march=native} "-I$folder" "-I$kernels" -o "$output" "$@" -lpthread -ldl -lm
}

if test $# -eq 0 || test ! -f "$1/hwconfig.h"; then
  echo 'usage: tune.sh FOLDER [KERNEL:SIZE]..., FOLDER with hwconfig.h and the command hwconfig' >&2
  exit 2
fi
folder=$(cd "$1" && pwd) || exit 2
shift

# What the program of the kernels asks for: a shape of the product.
case ${1-} in
*.so)
  type=${1#./}
  type=${type%%.*}
  TYPE=$(echo "$type" | tr f F)
  shape=${1#./"$type".}
  shape=${shape%.so}
  compile "$1.new" -shared -fPIC "-DGEMM_${TYPE}_MR=${shape%x*}" "-DGEMM_${TYPE}_NR=${shape#*x}" \
    "$kernels/gemm.c" "$kernels/team.c" && mv "$1.new" "$1"
  exit ;;
esac

mkdir -p tune.d && cd tune.d || exit 2
if test -n "${TUNE_SPACE-}"; then
  cp "$TUNE_SPACE" space.json || exit 2
else
  "$folder/hwconfig" --folder="$folder" export space >space.json || exit 2
fi
compile bench "$kernels"/bench.c "$kernels"/gemm.c "$kernels"/team.c "$kernels"/schur.c \
  "$kernels"/transpose.c "$kernels"/stencil.c "$kernels"/sieve.c "$kernels"/join.c || exit 2
# shellcheck disable=SC2086 # a list
test $# -gt 0 || set -- $usual
for item; do
  kernel=${item%:*} size=${item#*:}
  # shellcheck disable=SC2086 # a list of options
  ${PYTHON:-python3} "$here/tune.py" ${TUNE_OPTIONS-} --times="$kernel.$size.times" space.json "$kernel" "$size" \
    ./bench serve "$kernel" "$size" "sh '$here/tune.sh' '$folder'" || exit
done
