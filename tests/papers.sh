#!/bin/sh
# What doc/papers.md says that is found here, beside what papers say: simulates the machines of its tables, asks the
# model, reads recordings, and compares, or writes the page anew. So with the table of doc/limits.md that counts in
# how many recordings a row is known, of tests/recorded/known. Speaks TAP where it compares.
#   papers.sh           compares
#   papers.sh write     writes both pages
# Environment: simulate and hwprobe, the programs; srcdir, the top of the sources; HW_TEST_LONG, no: of the simulated machines
# those of tests/cores alone, and no recordings; HW_TEST_JOBS, how many are simulated at a time.

# shellcheck disable=SC1091,SC2317 # it is checked on its own, and calls try
. "${srcdir:-.}/tests/workers.sh"
: "${hwprobe:=./hwprobe}" "${AWK:=awk}"
export hwprobe srcdir
page=$srcdir/doc/papers.md

# try NUMBER: asks for the rows of a line of papers.awk, and writes FOLDER|SUBJECT|ROW VALUE to NUMBER.tap.
try ()
{
  IFS='|' read -r folder subject rows <<EOF
$(sed -n "$1p" "$work/asked")
EOF
  case $folder in
  given) echo "$subject" | tr ' =' '\n ' | $AWK -f "$srcdir/analysis/tiles.awk" ;;
  tests/recorded)
    test ! -f "$srcdir/$folder/$subject.txt.gz" || sh "$srcdir/tests/recorded.sh" read "$srcdir/$folder/$subject.txt.gz" ;;
  *)
    machine_text "${folder#tests/}/$subject" >"$work/$1.machine"
    # shellcheck disable=SC2086 # a list
    "$simulate" "$work/$1.machine" $rows 2>"$work/$1.log" || cat "$work/$1.log" >&2 ;;
  esac | sed -n "s,^\\(HW_[A-Z0-9_]*\\) = \\(.*\\),$folder|$subject|\\1 \\2,p" >"$work/$1.tap"
}

$AWK -v ask=yes -f "$srcdir/tests/papers.awk" "$page" >"$work/asked" && test -s "$work/asked" || exit 99
test "${HW_TEST_LONG-}" != no || {
  grep -e '^given' -e '^tests/cores' "$work/asked" >"$work/some" && mv "$work/some" "$work/asked"
}
awk '{ print NR }' "$work/asked" >"$work/runs"
try_all "$work/runs" "$jobs"
cat "$work"/*.tap >"$work/answers"
$AWK -v page="$page" -f "$srcdir/tests/papers.awk" "$work/answers" "$page" >"$work/page" || exit 99

# The table of doc/limits.md: lines "| ROW | RECORDINGS | PROCESSORS | ...".
limits=$srcdir/doc/limits.md
known=$srcdir/tests/recorded/known
test -f "$known" || known=
# shellcheck disable=SC2016,SC2086 # none where there are no recordings
$AWK -v known="$known" '
  FILENAME == known {
    if (/^#/) next
    processor = $1
    sub(/\/.*/, "", processor)
    for (i = 3; i <= NF; i++) {
      if (!(($1, $i) in seen)) recordings[$i]++
      if (!((processor, $i) in of)) processors[$i]++
      seen[$1, $i]
      of[processor, $i]
    }
    next
  }
  known != "" && /^\| HW_[A-Z0-9_]+ \| [0-9]+ \| [0-9]+ \|/ {
    split($0, cell, "|")
    row = cell[2]
    gsub(/ /, "", row)
    $0 = "|" cell[2] "| " recordings[row] + 0 " | " processors[row] + 0 " |" cell[5] "|"
  }
  { print }' $known "$limits" >"$work/limits" || exit 99

# same NUMBER PAGE WRITTEN
same ()
{
  if diff "$2" "$3" >"$work/differs"; then
    echo "ok $1 - ${2##*/} has what is found today"
  else
    echo "not ok $1 - ${2##*/} has what is found today; make paper-tables writes it"
    sed 's/^/# /' "$work/differs"
  fi
}

if test "${1-}" = write; then
  cat "$work/page" >"$page" && cat "$work/limits" >"$limits"
else
  echo 1..2
  same 1 "$page" "$work/page"
  same 2 "$limits" "$work/limits"
fi
