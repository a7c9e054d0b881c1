#!/bin/sh
# coverage.sh: which share of the lines, and of the branches, make check has reached in this folder, where
# configure has had --coverage among CFLAGS and CC is a gcc.  Exit status 1 when that is less than
# tests/coverage.bounds asks for, 2 where nothing was counted.  gcov -o analysis analysis/fit.c  tells which lines.
# Environment: srcdir, the top of the sources; sources, the files of C below the tests; branches, no: of lines
# only, since a sanitizer adds branches.

LC_ALL=C
export LC_ALL
: "${srcdir:=.}" "${sources:?the files that were compiled}" "${branches:=yes}"
if ! ls analysis/*.gcda >/dev/null 2>&1; then
  echo "coverage.sh: nothing was counted: ./configure --disable-hw-measure CFLAGS='-g -O1 --coverage' && make check" >&2
  exit 2
fi

# FILE LINES REACHED BRANCHES TAKEN of each, then of each pattern.
for file in $sources; do
  case $file in
  *.c) gcov -n -b -o "$(dirname "$file")" "$(basename "$file")" 2>/dev/null ;;
  esac
done | awk -v top="$srcdir/" '
  function part(share, all) { return int(all * share / 100 + 0.5) }
  /^File / {
    file = substr($0, 7, length($0) - 7)
    if (index(file, top) == 1) file = substr(file, length(top) + 1)
    if (file !~ /^(analysis|probes).*\.c$/ || file in lines) file = ""
  }
  file == "" { next }
  { split($0, word, /[:% ]+/) }
  /^Lines executed:/ { lines[file] = $NF; reached[file] = part(word[3], $NF) }
  /^Taken at least once:/ { paths[file] = $NF; taken[file] = part(word[5], $NF) }
  END { for (file in lines) print file, lines[file], reached[file], paths[file] + 0, taken[file] + 0 }' |
  awk -v branches="$branches" '
  NR == FNR {
    if ($1 ~ /^#/ || NF == 0) next
    pattern[++n] = $1
    least[n, 1] = $2
    least[n, 2] = branches == "yes" ? $3 : 0
    regular[n] = "^" $1 "$"
    gsub(/\./, "\\.", regular[n])
    gsub(/\*/, ".*", regular[n])
    next
  }
  {
    for (i = 1; i <= n && $1 !~ regular[i]; i++)
      ;
    for (kind = 1; kind <= 2; kind++) {
      all[i, kind] += $(2 * kind)
      reached[i, kind] += $(2 * kind + 1)
    }
  }
  END {
    split("lines branches", word)
    for (i = 1; i <= n; i++)
      for (kind = 1; kind <= 2; kind++) {
        if (!(least[i, kind] > 0)) continue
        share = all[i, kind] ? 100 * reached[i, kind] / all[i, kind] : 100
        bad = share < least[i, kind]
        if (bad) status = 1
        printf "%-28s %5.1f %% of %d %s, %s %s %%\n", pattern[i], share, all[i, kind], word[kind],
          bad ? "LESS THAN" : "at least", least[i, kind]
      }
    exit status
  }' "$srcdir/tests/coverage.bounds" -
