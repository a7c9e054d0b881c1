#!/bin/sh
# fuzz.sh SECONDS [TARGET...]: arbitrary input to what reads files, and to what reads values off curves,
# under ASan and UBSan: all targets side by side, each for so long, or, with FUZZ_INPUTS, each with as many
# inputs as have been found to take about so long, the same each time.  Exit status 1 when one finds something:
# the input is then in fuzz.d/TARGET.found, 77 where there is no clang with libFuzzer.
# Targets are tests/fuzz/TARGET.c, begun from tests/fuzz/corpus/TARGET, or tests/machines, and what earlier
# runs have come to in fuzz.d/TARGET; and tests/fuzz/TARGET.sh, which draw their inputs themselves.
# Environment: srcdir, the top of the sources; sources, the files of C that all link; FUZZ_CC; hwconfig, the
# command, and configure, for the targets of text; FUZZ_INPUTS, a number: of each target that is C.

LC_ALL=C
export LC_ALL
seconds=${1:?name a number of seconds}
shift
case $seconds in
*[!0-9]* | 0*)
  echo "fuzz.sh: not a number of seconds: $seconds" >&2
  exit 2
  ;;
esac
: "${srcdir:=.}" "${FUZZ_CC:=clang}" "${sources:?the files to link}"
case ${FUZZ_INPUTS-} in
'') limits="-max_total_time=$seconds" ;;
*[!0-9]* | 0*)
  echo "fuzz.sh: not a number of inputs: $FUZZ_INPUTS" >&2
  exit 2
  ;;
*) limits="-seed=1 -runs=$FUZZ_INPUTS" ;;
esac
test $# -gt 0 || set -- curve machine reductions rows runtime tiles texts
flags='-std=c11 -D_XOPEN_SOURCE=700 -g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined'
work=fuzz.d
mkdir -p $work/objects || exit 2
pids=

# shellcheck disable=SC2086,SC2317 # a list; called at the end
finish ()
{
  test -z "$pids" || kill $pids 2>/dev/null
}
trap finish 0
trap 'exit 2' HUP INT PIPE TERM

echo 'int LLVMFuzzerTestOneInput(const unsigned char *data, unsigned long n) { return data == 0 && n > 0; }' >$work/try.c
if ! $FUZZ_CC -fsanitize=fuzzer,address $work/try.c -o $work/try 2>/dev/null; then
  echo "fuzz.sh: $FUZZ_CC has no libFuzzer: nothing is tried" >&2
  exit 77
fi

# Only what has changed is compiled again: objects are named after the sum of all.
sum=$(for file in $sources tests/fuzz/points.c; do cat "$srcdir/$file"; done | cksum | sed 's/ .*//')
if test "$(cat $work/objects/sum 2>/dev/null)" != "$sum"; then
  rm -f $work/objects/*.[ao]
  for file in $sources tests/fuzz/points.c; do
    case $file in
    *.c) echo "$file" "$work/objects/$(echo "$file" | tr / -).o" ;;
    esac
  done >$work/objects/list
  # shellcheck disable=SC2016 # another shell's
  <$work/objects/list xargs -n 2 -P "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" sh -c '
    cc=$1 srcdir=$2 flags=$3
    exec $cc $flags -fsanitize=fuzzer-no-link -I"$srcdir" -c "$srcdir/$4" -o "$5"' sh "$FUZZ_CC" "$srcdir" "$flags" || exit 2
  ar cr $work/objects/all.a $work/objects/*.o || exit 2
  echo "$sum" >$work/objects/sum
fi
for target; do
  test -f "$srcdir/tests/fuzz/$target.c" || continue
  # shellcheck disable=SC2086 # lists
  $FUZZ_CC $flags -fsanitize=fuzzer -I"$srcdir" "$srcdir/tests/fuzz/$target.c" $work/objects/all.a \
    -o $work/fuzz-"$target" -lm -lpthread || exit 2
done

# try TARGET
try ()
{
  if test -f "$srcdir/tests/fuzz/$1.sh"; then
    found=$work/$1.found
    export found srcdir
    sh "$srcdir/tests/fuzz/$1.sh" "$seconds"
  else
    mkdir -p "$work/$1"
    corpus=$srcdir/tests/fuzz/corpus/$1
    test "$1" != machine || corpus=$srcdir/tests/machines
    test -d "$corpus" || corpus=
    # shellcheck disable=SC2086 # two options
    "$work/fuzz-$1" $limits -timeout=100 -report_slow_units=100 -rss_limit_mb=2048 -max_len=8192 -print_final_stats=1 \
      -exact_artifact_path="$work/$1.found" "$work/$1" ${corpus:+"$corpus"}
  fi
}

status=0
for target; do
  rm -f "$work/$target.found"
  (
    trap - 0
    try "$target" >"$work/$target.log" 2>&1
    echo $? >"$work/$target.status"
  ) &
  pids="$pids $!"
done
wait
pids=
for target; do
  if test "$(cat "$work/$target.status")" = 0; then
    echo "$target: nothing found in $(sed -n -e 's/^stat::number_of_executed_units: *//p' -e 's/^tried: //p' "$work/$target.log") inputs"
  else
    status=1
    echo "$target: FOUND something, in $work/$target.found:"
    grep -v -e '^#[0-9]' -e '^NEW_FUNC' "$work/$target.log" | tail -n 40 | sed 's/^/  /'
  fi
done
exit $status
