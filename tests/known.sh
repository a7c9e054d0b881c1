#!/bin/sh
# known.sh [STATE]: what is known, what is wrong and how long measuring takes, in simulated seconds, on
# every simulated machine beside a neighbour who is there 0, 25, 50, 75, 80, 90 and 97 % of the time: another
# thread of the same core, another process on the same processor, or both, who computes, streams or
# chases pointers.  That of 80 % is a thread of the same core that leaves it alone for 50 us at a time, as
# another guest of a shared host does.  Each machine is simulated alone and beside some of these; shares, neighbours and
# kinds take turns, so that each comes as often as the others.
#
# Prints two tables, and a line for each value that was wrong.  Leaves known.d: known.tsv, the figures,
# whose first column is STATE, for a picture of several states; GROUP.dat, the curves; wrong, the lines; unknown, what
# was not known.  Exit status 1 when a value was wrong, a simulation failed or less was known than the bounds say.
# Environment: simulate, the program; srcdir, the top of the sources; HW_KNOWN_SHARES;
# HW_KNOWN_EACH, how many shares beside 0 each machine meets: all take an hour or more;
# HW_KNOWN_MACHINES, some of the machines, as cores/pentium4; HW_KNOWN_SEEDS, how many;
# HW_KNOWN_BOUNDS, a file of lines GROUP SHARE PER-CENT, what must be known at least; HW_KNOWN_LIMIT,
# seconds that one simulation may take of the host; HW_TEST_JOBS, how many run at a time.

# shellcheck disable=SC1091,SC2317 # it is checked on its own, and calls try
. "${srcdir:-.}/tests/workers.sh"
state=${1:-now}
seeds=${HW_KNOWN_SEEDS:-1}
each=${HW_KNOWN_EACH:-1}
shares=${HW_KNOWN_SHARES:-0 25 50 75 80 90 97}
limit=${HW_KNOWN_LIMIT:-60}
tab=$(printf '\t')
# shellcheck disable=SC1091
. "$srcdir/tests/verdicts.sh"

# noise SHARE NEIGHBOUR KIND: the statement.  Stays of 2 ms where the neighbour is mostly away, 2 ms
# between them where he is mostly there: milliseconds, as a scheduler deals them out; 50 us between them
# for 80 %.  Of both each is there so often that one or the other is for SHARE.
noise ()
{
  awk -v share="$1" -v neighbour="$2" -v kind="$3" '
    function stays(who, p) {
      return sprintf(" %s %s %.0fus %.0fus", who, kind, away * (p > 0.5 ? p / (1 - p) : 1),
        away * (p > 0.5 ? 1 : (1 - p) / p))
    }
    BEGIN {
      p = share / 100
      away = share == 80 ? 50 : 2000
      if (neighbour == "both")
        p = 1 - sqrt(1 - p)
      text = "noise    jitter 0.3%"
      if (p > 0 && neighbour != "process")
        text = text stays("sibling", p)
      if (p > 0 && neighbour != "sibling")
        text = text stays("process", p)
      print text
    }'
}

# file SET NAME SHARE NEIGHBOUR KIND SEED: the machine beside that neighbour.
file ()
{
  machine_text "$1/$2" | sed '/^noise/d; /^seed/d'
  noise "$3" "$4" "$5"
  echo "seed $6"
}

# try NUMBER SET NAME SHARE NEIGHBOUR KIND SEED: simulates the machine.  Writes to NUMBER.met, each after
# SHARE and NEIGHBOUR, "row GROUP VERDICT TEXT" a row and "seconds GROUP SECONDS" a probe.  What a
# simulation that is stopped has not reached is unknown.  Budget and memory are
# hwprobe's own.
try ()
{
  run=$work/$1
  file "$2" "$3" "$4" "$5" "$6" "$7" >"$run.machine"
  mkdir "$run"
  test "$2" != processors || cp "$work/base"/* "$run"
  awk '$2 == "name" { for (i = 3; i <= NF; i++) print "HW_" $i }' "$srcdir/tests/$2/expected" >"$run.asked"
  sed 's/^/# /' "$run.asked" >"$run.values"
  # shellcheck disable=SC2046,SC3045 # a list of rows; a shell whose ulimit has no -t sets no limit
  (
    ulimit -t "$limit" 2>/dev/null
    exec "$simulate" --budget=60 --memory=268435456 --curves="$run" "$run.machine" $(cat "$run.asked")
  ) >>"$run.values" 2>"$run.log" || echo "$*: $(tail -n 1 "$run.log")" >>"$work/failed"
  {
    hold "$srcdir/tests/$2/expected" "$3" "$run.values" 0.1
    awk '$2 == "measured" { sub(/:$/, "", $1); print "seconds", $1, $4 / 1000 }' "$run.log"
  } | awk -v at="$4 $5" -v run="$2 $3 $4 $5 $6 $7" '
    NR == FNR { group[$1] = $2; next }
    $1 == "seconds" && ($2 in group) { print at, "seconds", group[$2], $3 }
    $1 != "seconds" && $2 != "none" { print at, "row", group[$1], $2, run ": " $1 "=" $3 " (not " $4 ")" }
  ' "$work/groups" - >"$run.met"
  rm -rf "${run:?}"
}

# runs: a line for each simulation.
runs ()
{
  for set in machines cores processors; do
    awk -v set=$set '!/^#/ && NF { print set "/" $1 }' "$srcdir/tests/$set/expected"
  done | awk -F / -v some=" ${HW_KNOWN_MACHINES-} " -v list="$shares" -v seeds="$seeds" -v each="$each" '
    BEGIN {
      split("sibling process both", who, " ")
      split("streaming chasing computing", kind, " ")
      shares = split(list, share, " ")
      for (k = 1; k <= shares; k++)
        busy += share[k] > 0
    }
    some !~ /^ *$/ && !index(some, " " $0 " ") { next }
    {
      for (seed = 1; seed <= seeds; seed++)
        for (k = 1; k <= shares; k++) {
          if (share[k] > 0 && (machines + seed + k) % busy >= each)
            continue
          turn = machines + k + seed
          both = (share[k] == 80 ? "sibling" : who[turn % 3 + 1]) " " kind[int(turn / 3) % 3 + 1]
          if (share[k] == 0)
            both = "nobody -"
          print $1, $2, share[k], both, seed
        }
      machines++
    }'
}

# figures: a line of STATE SHARE NEIGHBOUR GROUP VALUES KNOWN WRONG SECONDS for each of the first four.
figures ()
{
  cat "$work"/*.met | awk -v state="$state" -v OFS='\t' '
    { at = $1 OFS $2 OFS $4; met[at] = 1 }
    $3 == "row" { values[at]++; known[at] += $5 == "right"; wrong[at] += $5 == "wrong" }
    $3 == "seconds" { seconds[at] += $5 }
    END {
      for (at in met)
        print state, at, values[at] + 0, known[at] + 0, wrong[at] + 0, sprintf("%.3f", seconds[at])
    }' | sort -t "$tab" -k2,2n -k3,3 -k4,4
}

# bounds FILE: what is known less of than FILE says.
bounds ()
{
  awk '
    /^#/ { next }
    NR == FNR { bound[$1 " " $2] = $3; next }
    { group = FILENAME; gsub(/.*\/|[.]dat$/, "", group); known[group " " $1] = $2 }
    END {
      for (at in bound)
        if (!(at in known) || known[at] + 0 < bound[at])
          print at " %: known " known[at] " %, less than " bound[at] " %"
    }' "$1" known.d/*.dat
}

# The group of each row and of each probe.
{
  sh "$srcdir/tests/ask.sh" probes
  sh "$srcdir/tests/ask.sh" measured macro group | sed 's/^/HW_/'
} >"$work/groups"
runs >"$work/runs"
test -s "$work/runs" || {
  echo "known.sh: HW_KNOWN_MACHINES: there is no such machine: ${HW_KNOWN_MACHINES-}" >&2
  exit 2
}
if grep -q "^processors" "$work/runs"; then measure_base; fi
: >"$work/failed"
try_all "$work/runs" "$jobs"

rm -rf known.d && mkdir known.d || exit 99
figures >"$work/tsv"
{ printf 'state\tshare\tneighbour\tgroup\tvalues\tknown\twrong\tseconds\n' && cat "$work/tsv"; } >known.d/known.tsv
cat "$work"/*.met | sed -n 's/.* row [^ ]* wrong //p' >known.d/wrong
cat "$work"/*.met | sed -n 's/.* row [^ ]* \(unknown\|open\) \(.*\)=- (not .*/\2/p' >known.d/unknown
awk -F "$tab" -v folder=known.d -v order="$(awk '!met[$2]++ { print $2 }' "$work/groups" | tr '\n' ' ')" \
  -f "$srcdir/tests/known.awk" "$work/tsv"
echo "$(wc -l <"$work/runs") simulations; the share is of the time that another thread runs."
{
  sed 's/^/wrong: /' known.d/wrong
  sed 's/^/failed: /' "$work/failed"
  test -z "${HW_KNOWN_BOUNDS-}" || bounds "$HW_KNOWN_BOUNDS"
} >"$work/bad"
cat "$work/bad"
test ! -s "$work/bad"
