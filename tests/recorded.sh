#!/bin/sh
# Recordings of real machines, read off again: each value is right or unknown, by tests/recorded/truth,
# and what tests/recorded/known says of a recording is known.  Speaks TAP.
#   recorded.sh             checks all; exit status 1 when something is wrong
#   recorded.sh read FILE   prints what is read off one, with the conditions it was made under
#   recorded.sh known       prints the list of what is known: what it has, and what has come to be
#                           known; with HW_RECORDED_ANEW=yes only what is known now
# Environment: hwprobe, the program; srcdir, the top of the sources; HW_RECORDED, another folder than
# tests/recorded; HW_TEST_RECORDED, some of the recordings, as ice-lake-sp/quiet-1.

LC_ALL=C
export LC_ALL
: "${srcdir:=.}" "${hwprobe:=./hwprobe}"
recorded=${HW_RECORDED:-$srcdir/tests/recorded}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' 0
trap 'exit 99' HUP INT PIPE TERM

# unpack FILE: to $work/d, which is emptied first.  A name in it that is not one of configure's files is
# refused: a recording may come from anywhere.
unpack ()
{
  rm -rf "$work/d"
  mkdir "$work/d" || exit 99
  gzip -dc <"$1" >"$work/text" 2>"$work/error" || return
  awk -v folder="$work/d" '
    NR == 1 { if ($0 != "# hwconfig recording 1") exit 1; next }
    /^# file: / {
      if (file != "") close(file)
      if (NF != 3 || $3 !~ /^([a-z0-9_]+\.curve|conditions|hwconfig\.site)$/) exit 1
      file = folder "/" $3
      next
    }
    { print >file }' "$work/text" 2>/dev/null && return
  echo 'it is no recording, or a damaged one' >"$work/error"
  return 1
}

# reduce FILE: the rows of a recording, to $work/rows.
reduce ()
{
  unpack "$1" && "$hwprobe" --reduce "$work"/d/*.curve >"$work/rows" 2>"$work/error"
}

# The recordings, as PROCESSOR/NAME.
names=${HW_TEST_RECORDED-}
test -n "$names" && test "${1-}" != known || names=$(cd "$recorded" 2>/dev/null && find . -name '*.txt.gz' | sed 's,^\./,,; s/\.txt\.gz$//' | sort)

# known_now: lines RECORDING PROBE ROW...
known_now ()
{
  for name in $names; do
    reduce "$recorded/$name.txt.gz" || exit 1
    sed -n "s,^\(HW_[A-Z0-9_]*\) = .*,$name \1,p" "$work/rows"
  done
}

case ${1-} in
read)
  file=${2:?name a recording, as tests/recorded/ice-lake-sp/quiet-1.txt.gz}
  reduce "$file" || {
    echo "$file: $(sed 1q "$work/error")" >&2
    exit 1
  }
  cat "$work/d/conditions" "$work/rows"
  exit
  ;;
known)
  known_now >"$work/now" || exit 1
  test -n "${HW_RECORDED_ANEW-}" || awk '!/^#/ { for (i = 3; i <= NF; i++) print $1, $i }' "$recorded/known" >>"$work/now"
  sed -n '/^#/p' "$recorded/known"
  # A line for each probe of a recording, in the order of the table.
  sh "$srcdir/tests/ask.sh" measured macro probe | sed 's/^/HW_/' |
    awk -v names="$names" '
      NR == FNR { known[$1, $2] = 1; next }
      { row[++rows] = $1; probe[rows] = $2 }
      END {
        n = split(names, name, " ")
        for (i = 1; i <= n; i++) {
          last = ""
          for (k = 1; k <= rows; k++)
            if ((name[i], row[k]) in known) {
              if (probe[k] != last) printf "%s%s %s", last == "" ? "" : "\n", name[i], probe[k]
              printf " %s", row[k]
              last = probe[k]
            }
          if (last != "") print ""
        }
      }' "$work/now" -
  exit
  ;;
esac

# A tarball has neither, and who records there has no truth to hold it against.
if test -z "$names" || test ! -f "$recorded/truth" && test ! -f "$recorded/known"; then
  echo '1..0 # SKIP there are no recordings here, or nothing to hold them against'
  exit 0
fi

# judge NAME: holds the rows against the truth.  The first line that matches the recording and the row
# counts, and each row that is known needs one.  Prints what is wrong.
judge ()
{
  processor=$(sed -n 's/^processor //p' "$work/d/conditions")
  flags=$(sed -n 's/^# flags: //p' "$work"/d/*.curve | sed 1q)
  awk -F ';' -v machine="$1 $processor flags $flags " "$(cat "$srcdir/tests/truth.awk")"'
    FILENAME == ARGV[1] { truth_take(machine); next }
    /^# HW_[A-Z0-9_]* range / { split($0, row, " "); low[row[2]] = row[4]; high[row[2]] = row[5] }
    again && /^HW_/ {
      split($0, row, " = ")
      at = truth_of(row[1])
      if (!at)
        print row[1] "=" row[2] " has no line in truth"
      else if (!truth_right(row[2] + 0, truth_value[at], low[row[1]], high[row[1]]))
        print row[1] "=" row[2] ", not " truth_value[at] " (" truth_source[at] ")"
    }' "$recorded/truth" "$work/rows" again=1 "$work/rows"
}

# forgotten NAME: rows of the list that are not known now.
forgotten ()
{
  awk -v name="$1" '
    FILENAME == ARGV[1] && /^# HW_.* unknown: / { why = $0; sub(/.* unknown: /, "", why); unknown[$2] = why }
    FILENAME == ARGV[1] { if ($2 == "=") known[$1] = 1; next }
    $1 == name {
      lines++
      for (i = 3; i <= NF; i++) if (!($i in known)) print $i " was known: now " unknown[$i]
    }
    END { if (!lines) print "it is not in the list: make recorded-known puts it there" }' "$work/rows" "$recorded/known"
}

number=0
failed=0
# tell TEXT COMPLAINTS: a test.
tell ()
{
  number=$((number + 1))
  if test -z "$2"; then
    echo "ok $number - $1"
  else
    failed=1
    echo "not ok $number - $1"
    echo "$2" | sed 's/^/# /'
  fi
}

# Each line of the truth has four fields and is of some row; each of the list is of some recording.
tell 'truth and known are well-formed' "$(
  sh "$srcdir/tests/ask.sh" measured macro | sed 's/^/HW_/' | awk -F ';' '
    NR == FNR { row[++rows] = $1; next }
    /^#/ || NF == 0 { next }
    { for (i = 1; i <= rows && row[i] !~ "^(" $2 ")$"; i++) ; }
    NF != 4 || $4 == "" { print FILENAME ":" FNR ": PATTERN;ROW;VALUE;SOURCE wanted" }
    i > rows { print FILENAME ":" FNR ": there is no row " $2 }
    $3 !~ /^([?]|[0-9]+(-[0-9]+|~[0-9.]+)?([|][0-9]+(-[0-9]+|~[0-9.]+)?)*)$/ { print FILENAME ":" FNR ": no value: " $3 }
    ' - "$recorded/truth"
  awk '!/^#/ { print $1 }' "$recorded/known" | sort -u | while read -r name; do
    test -f "$recorded/$name.txt.gz" || echo "known: there is no recording $name"
  done
)"
rows=$(sh "$srcdir/tests/ask.sh" measured macro | wc -l)
for name in $names; do
  if reduce "$recorded/$name.txt.gz"; then
    answers=$(grep -c -e '^HW_.* = ' -e '^# HW_.* unknown: ' "$work/rows")
    tell "$name: each row has an answer" "$(test "$answers" -eq "$rows" || echo "$answers answers to $rows rows")"
    tell "$name: each value is right ($(grep -c '^HW_' "$work/rows") known)" "$(judge "$name")"
    tell "$name: what was known still is" "$(forgotten "$name")"
  else
    tell "$name: can be read" "$(cat "$work/error")"
  fi
done
tell 'each curve has a writer' "$(
  for name in $names; do
    gzip -dc <"$recorded/$name.txt.gz" 2>/dev/null | sed -n "s,^# file: \([a-z0-9_]*\)\.curve\$,\1 $name,p"
  done | awk -f "$srcdir/tests/writers.awk" "$srcdir"/analysis/rows/*.def "$srcdir/analysis/names.h" "$srcdir"/analysis/rows/*.[ch] \
    "$srcdir"/probes/*/*.[ch] "$srcdir/doc/curves.md" -
)"
echo "1..$number"
exit $failed
