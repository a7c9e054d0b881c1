#!/bin/sh
# Thresholds that could as well be others: with each at either end of a range all recordings, and the curves
# of simulated cores, give the answers that they give now.  The last is one where they do not, so that it
# shows when nothing is compared.  Speaks TAP.
# Environment: srcdir, the top of the sources; simulate, the program; CC, the compiler.

LC_ALL=C
export LC_ALL
: "${srcdir:=.}" "${simulate:=tests/simulate}" "${CC:=cc}"
if test ! -d "$srcdir/tests/recorded"; then
  echo '1..0 # SKIP there are no recordings here'
  exit 0
fi
if ! command -v "${CC%% *}" >/dev/null 2>&1; then
  echo "1..0 # SKIP no $CC"
  exit 0
fi
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' 0
trap 'exit 99' HUP INT PIPE TERM

# compile PART FOLDER: a part of the program, with what is in FOLDER in place of the sources.
compile ()
{
  # shellcheck disable=SC2086 # it may have options
  $CC -g0 "-I$2" "-I$srcdir" -c -o "$2/$(basename "$1" .c).o" "$1"
}

# answers FOLDER: all answers of its program.
answers ()
{
  # shellcheck disable=SC2086
  $CC -o "$1/hwprobe" "$1"/*.o -lm || return
  for curves in "$work"/curves/*; do
    echo "$curves"
    "$1/hwprobe" --reduce "$curves"/*.curve || return
  done >"$1/answers" 2>"$1/errors"
}

# with FILE CONSTANT VALUE: the answers with this value, to $work/with/answers.
with ()
{
  rm -rf "$work/with"
  mkdir -p "$work/with/$(dirname "$1")" && cp "$work"/now/*.o "$work/with" || return
  sed "s|^#define $2 .*|#define $2 $3|" "$srcdir/$1" >"$work/with/$1"
  ! cmp -s "$srcdir/$1" "$work/with/$1" || return
  case $1 in
  *.h) parts=$(echo "$srcdir"/probes/parts/*.c) ;;
  *) parts=$(grep -l "\"$1\"" "$srcdir"/probes/parts/*.c) ;;
  esac
  for part in $parts; do
    compile "$part" "$work/with" || return
  done
  answers "$work/with"
}

number=0
failed=0
# tell STATUS TEXT: a test.
tell ()
{
  number=$((number + 1))
  test "$1" -eq 0 || failed=1
  test "$1" -eq 0 && echo "ok $number - $2" || echo "not ok $number - $2"
}

mkdir "$work/now" "$work/curves" || exit 99
for file in "$srcdir"/tests/recorded/*/*.txt.gz; do
  mkdir "$work/curves/$((number += 1))" || exit 99
  gzip -dc <"$file" | awk -v folder="$work/curves/$number" '
    /^# file: / { if (file != "") close(file); file = folder "/" $3; next }
    file != "" { print >file }'
done
rows=$(sed -n 's/^# name//p' "$srcdir/tests/cores/expected" | sed 's/ \([A-Z]\)/ HW_\1/g')
for machine in "$srcdir"/tests/cores/*.machine; do
  mkdir "$work/curves/$((number += 1))" || exit 99
  # shellcheck disable=SC2086 # a list
  "$simulate" --curves="$work/curves/$number" "$machine" $rows >/dev/null 2>&1 || exit 99
done
number=0
for part in "$srcdir"/probes/parts/*.c; do
  compile "$part" "$work/now" || exit 99
done
answers "$work/now" || exit 99

while read -r file constant low high; do
  for value in $low $high; do
    with "$file" "$constant" "$value" && cmp -s "$work/now/answers" "$work/with/answers"
    tell $? "$constant $value"
    diff "$work/now/answers" "$work/with/answers" | sed -n '1,10s/^/# /p'
  done
done <<'RANGES'
analysis/cliff.c CLIFF_BEFORE 0.2 0.5
analysis/cliff.c CLIFF_BEHIND 0.65 0.95
analysis/groups.h HW_LAYER_GAP 1.15 1.5
analysis/halfway.c HALFWAY_ALL 0.86 0.97
analysis/rows/fused.c FUSED_SURE 0.15 0.45
analysis/rows/sharing.c SHARING_FITS 0.2 0.5
analysis/rows/sharing.c SHARING_FULL 0.3 0.9
analysis/rows/vectors.c VECTORS_GROWS 1.15 1.5
analysis/rows/write.c WRITE_SAME 0.03 0.2
RANGES
with analysis/rows/write.c WRITE_BACK 3 && ! cmp -s "$work/now/answers" "$work/with/answers"
tell $? 'WRITE_BACK 3 changes something'
echo "1..$number"
exit $failed
