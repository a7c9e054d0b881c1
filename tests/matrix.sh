#!/bin/sh
# matrix.sh [COMPILER...]: configure with each of these compilers and each set of flags.  What belongs to the
# machine alone is the same in all runs, where it is known; under a sanitizer or a profiler nothing is known.
# What depends on the compiler is listed where it differs.  Exit status 1 when something differs that must not.
# Environment: srcdir, the top of the sources; MATRIX_FLAGS, sets of flags separated by commas; MATRIX_ARGS,
# more arguments for configure.

LC_ALL=C
export LC_ALL
srcdir=$(cd "${srcdir:-.}" && pwd) || exit 2
: "${MATRIX_FLAGS:=-O0,-O1,-O2,-O3,-Os,-Ofast,-O2 -march=native,-O2 -flto,-O2 -fPIE -pie,-O2 -m32,\
-O2 -funroll-all-loops,-O2 -fopenmp,-O2 -std=c11 -pedantic,-O1 -fsanitize=address,-O1 -fsanitize=undefined,-O1 -pg,-O1 --coverage}"
test $# -gt 0 || set -- gcc clang tcc musl-gcc
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' 0
trap 'exit 2' HUP INT PIPE TERM
echo 'int main(void) { return 0; }' >"$work/try.c"
: >"$work/all"
status=0

for compiler; do
  for flags in $(echo "$MATRIX_FLAGS" | tr ' ,' '+ '); do
    flags=$(echo "$flags" | tr '+' ' ')
    # tcc takes any flag, and does nothing about most.
    case $compiler,$flags in
    tcc,-O2) ;;
    tcc,*) continue ;;
    esac
    # shellcheck disable=SC2086 # a list
    if ! "$compiler" $flags "$work/try.c" -lm -o "$work/try" >/dev/null 2>&1; then
      echo "$compiler $flags: skipped, it links no program"
      continue
    fi
    rm -rf "$work/build" && mkdir "$work/build" || exit 2
    # shellcheck disable=SC2086 # a list
    if ! (cd "$work/build" && "$srcdir/configure" -q CC="$compiler" CFLAGS="$flags" ${MATRIX_ARGS-}) >"$work/said" 2>&1; then
      echo "$compiler $flags: configure fails"
      sed 's/^/  /' "$work/said"
      status=1
      continue
    fi
    # Measured, and not what the system reports.
    awk -v run="$compiler $flags" '
      $1 ~ /_SRC$/ { from[substr($1, 1, length($1) - 4)] = $3 }
      { value[$1] = $3 }
      END {
        for (name in from) if (from[name] == 5) { print run "|" name "|" value[name]; n++ }
        printf "%s: %d values known\n", run, n >"/dev/stderr"
      }' "$work/build/hwconfig.mk" >>"$work/all"
  done
done

# Of time and load some rows are another number each time: only these are held against each other.
awk -F '|' '
  $1 ~ / -(fsanitize=|pg|-coverage)/ && $2 != "HW_CPUS" { print $1 ": " $2 " is known, where the compiler adds code"; bad = 1; next }
  $2 ~ /^HW_(CACHE_LEVELS|HAVE_L[123]|(L1I|L[123])_(BYTES|ASSOC|LINE|SETS|LRU|EXCLUSIVE)|PAGE_BYTES|HUGE_PAGE_BYTES|TLB(_LEVELS|[12]_(ENTRIES|ASSOC))|CPUS|CORES|CORE_THREADS)$/ {
    if (($2 in value) && value[$2] != $3) {
      print $1 ": " $2 "=" $3 ", but " value[$2] " with " first[$2]
      bad = 1
    } else if (!($2 in value)) {
      value[$2] = $3
      first[$2] = $1
    }
    next
  }
  $2 ~ /^HW_(NR_|VEC_BYTES|HAVE_FMA)/ { line[$2] = line[$2] sprintf("\n  %s: %s", $1, $3); other[$2, $3] || kinds[$2]++; other[$2, $3] = 1 }
  END {
    for (name in line)
      if (kinds[name] > 1) print name " by the compiler:" line[name]
    exit bad
  }' "$work/all" || status=1
exit $status
