#!/bin/sh
# Proof that nothing has changed: all recordings are read off again, and the rows of simulated machines are
# asked without noise, by the default effort and seed.  What differs from the accepted state, frozen.state, is
# printed, old -> new; exit status 1 when something does.
#   frozen.sh           compares
#   frozen.sh accept    takes the new state
# Environment: simulate and hwprobe, the programs; srcdir, the top of the sources; HW_TEST_FROZEN, some
# subjects, as 'machines/r12000 cores/wide4'; HW_TEST_JOBS, how many run at a time; HW_TEST_SECONDS, yes: tells
# what each took.
#
# The state has, of each subject, the values of its rows in the order of the first line, nothing where one
# is unknown; a sum of the reasons for which some are unknown; and of each probe a sum of all its curves, to the
# last digit.  It depends on nothing but IEEE arithmetic in double precision: compilers that may fuse a
# multiplication with an addition need -ffp-contract=off, and none has it right with -ffast-math.

# shellcheck disable=SC1091,SC2317 # it is checked on its own, and calls try
. "${srcdir:-.}/tests/workers.sh"
: "${hwprobe:=./hwprobe}"
accepted=$srcdir/tests/frozen.state
if test "${1-}" != accept && test ! -f "$accepted"; then
  echo 'frozen: there is no accepted state: make frozen-accept' >&2
  exit 99
fi

all=$(sh "$srcdir/tests/ask.sh" measured macro | sed 's/^/HW_/' | tr '\n' ' ')
test -n "$all" || exit 99
core=$(sed -n 's/^# name //p' "$srcdir/tests/cores/expected" | tr -s ' ' '\n' | sed 's/^/HW_/')
processors=$(awk '$2 == "name" { for (i = 3; i <= NF; i++) print "HW_" $i }' "$srcdir/tests/processors/expected")

# All rows take 10 s to a minute on these, most of it for the levels below the first, which are large or
# disturbed.  Of them these rows are asked, so that all takes two minutes on two processors.
slow=' dunnington finis-terrae itanium2 modern-192k modern-hashed modern-victim odd-12way-48k odd-16way-random odd-192k odd-24way '
slow="$slow odd-coarse-clock odd-decoded odd-exclusive-wide odd-neighbour odd-random-short odd-rrip odd-small-tlb power3 power7 r12000 "
few='HW_L1_BYTES HW_L1_ASSOC HW_L1_LINE HW_L1_SETS HW_L1_LAT HW_PAGE_BYTES HW_TLB1_ENTRIES HW_TLB1_ASSOC HW_TLB1_MISS'

# table FOLDER: its machines.
table ()
{
  awk -v folder="$1" '!/^#/ && NF { print folder "/" $1 }' "$srcdir/tests/$1/expected"
}

# ask ROW...: of $machine, to $here/rows and $here/curves.
ask ()
{
  "$simulate" --curves="$here/curves" "$machine" "$@" >"$here/rows" 2>"$here/log"
}

# sums: of each list of curves in $here/curves, "PROBE:SUM".
sums ()
{
  (
    cd "$here/curves" || exit
    cksum ./*.curve >../sums
    awk 'FNR == NR { sum[substr($3, 3)] = $1; next }
      FNR == 1 { print line; line = "" ; probe = FILENAME; gsub(/^\.\/|\.list$/, "", probe); lists[probe] = 0 }
      ($1 ".curve") in sum { lists[probe] = (lists[probe] * 31 + sum[$1 ".curve"]) % 4294967296 }
      END { for (probe in lists) if (lists[probe]) printf "%s:%.0f\n", probe, lists[probe] }' ../sums ./*.list
  ) | grep . | sort | tr '\n' ' ' | sed 's/ $//'
}

# try NUMBER SUBJECT: its lines of the state go to NUMBER.tap.
try ()
{
  here=$work/$1
  mkdir "$here" "$here/curves"
  start=$(date +%s)
  machine=$srcdir/tests/$2.machine
  # shellcheck disable=SC2086 # lists of rows
  case $2 in
  recorded/*)
    gzip -dc <"$srcdir/tests/$2.txt.gz" | awk -v folder="$here/curves" '
      /^# file: / { if (file != "") close(file); file = folder "/" $3; next }
      file != "" { print >file }'
    "$hwprobe" --reduce "$here"/curves/*.curve >"$here/rows" 2>"$here/log"
    ;;
  processors/*)
    machine_text "$2" >"$here/machine"
    machine=$here/machine
    rm -rf "$here/curves" && cp -r "$work/base" "$here/curves"
    ask $processors
    ;;
  cores/*) ask $core ;;
  *)
    case $slow in
    *" ${2#machines/} "*) ask $few ;;
    *) ask $all ;;
    esac
    ;;
  esac || echo "$2: failed" >>"$work/failed"
  {
    awk -v name="$2" -v all="$all" '
      $2 == "=" { value[$1] = $3 }
      END {
        n = split(all, row, " ")
        for (i = 1; i <= n; i++) line = line (i > 1 ? "," : "") value[row[i]]
        sub(/,+$/, "", line)
        print name, "values", line
      }' "$here/rows"
    echo "$2 reasons $(grep '^#' "$here/rows" | cksum | cut -d ' ' -f 1)"
    case $2 in
    recorded/*) ;;
    *) echo "$2 curves $(sums)" ;;
    esac
  } >"$work/$1.tap"
  rm -rf "$here"
  test -z "${HW_TEST_SECONDS-}" || echo "$2: $(($(date +%s) - start)) s" >&2
}

names=${HW_TEST_FROZEN-}
# The long ones first, so that none is left alone at the end.
test -n "$names" || names=$(
  table processors
  table machines
  table cores
  (cd "$srcdir/tests" && find recorded -name '*.txt.gz' | sed 's/\.txt\.gz$//')
)
# shellcheck disable=SC2086 # names is a list
printf '%s\n' $names >"$work/runs"
! grep -q '^processors/' "$work/runs" || measure_base
try_all "$work/runs" "$jobs"
{
  # shellcheck disable=SC2086 # all is a list
  echo rows $all | sed 's/ HW_/ /g'
  results "$work/runs" | sort
} >"$work/state"

grep '^not ok' "$work/state" >>"$work/failed"
if test -s "$work/failed"; then
  cat "$work/failed"
  exit 99
fi
some=${HW_TEST_FROZEN-}
test -d "$srcdir/tests/recorded" || some=tarball
if test "${1-}" = accept; then
  test -z "$some" || { echo 'frozen: the state is of all recordings and machines' >&2 && exit 2; }
  cp "$work/state" "$accepted"
  exit
fi
# The values of a state are named by its own first line.
awk -v some="$some" '
  function text(value) { return value == "" ? "unknown" : value }
  BEGIN { state = 1 }
  FILENAME != ARGV[1] { state = 2 }
  $1 == "rows" { for (i = 2; i <= NF; i++) row[state, i - 1] = $i; next }
  { subject[$1] = there[state, $1] = 1 }
  $2 == "values" {
    n = split($3, field, ",")
    for (i = 1; i <= n; i++) value[state, $1, row[state, i]] = field[i]
    for (i = 1; i <= n; i++) known[row[state, i]] = 1
  }
  $2 == "reasons" { reasons[state, $1] = $3 }
  $2 == "curves" {
    for (i = 3; i <= NF; i++) {
      split($i, sum, ":")
      curves[state, $1, sum[1]] = sum[2]
      probe[sum[1]] = 1
    }
  }
  END {
    for (s in subject) {
      if (!((2, s) in there) && some != "") continue
      if (!((1, s) in there) || !((2, s) in there)) {
        print s ": " ((2, s) in there ? "new" : "gone")
        continue
      }
      for (r in known)
        if (value[1, s, r] != value[2, s, r])
          print s ": HW_" r ": " text(value[1, s, r]) " -> " text(value[2, s, r])
      for (p in probe)
        if (curves[1, s, p] != curves[2, s, p]) print s ": the curves of " p
      if (reasons[1, s] != reasons[2, s]) print s ": what is unknown, or why"
    }
  }' "$accepted" "$work/state" | sort >"$work/differs"
cat "$work/differs"
test ! -s "$work/differs"
