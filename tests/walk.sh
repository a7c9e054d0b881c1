# shellcheck shell=sh disable=SC2154
# Simulated machines through the whole chain, probes to values, without noise and with.  Sourced by what speaks TAP.
# It sets folder, of the machines and what is expected of them; rows; names; passes, of yes (exact) and no
# (noise); noisy, those of the names that have noise, if not all; given, the names that were asked for, if any.
# It defines  prepare NUMBER NAME EXACT,  which writes $work/NUMBER.machine, and may set near and options, and
# further NUMBER NAME EXACT,  which prints what else is wrong.
# Environment: simulate, the program; srcdir, the top of the sources; HW_TEST_SEED, of the noise; HW_TEST_JOBS, how
# many run at a time.

# shellcheck disable=SC1091 # they are checked on their own
. "${srcdir:-.}/tests/workers.sh"
seed=${HW_TEST_SEED:-7}
# shellcheck disable=SC1091
. "$srcdir/tests/verdicts.sh"

# passes_of NOISE: those that HW_TEST_NOISE asks for.
passes_of ()
{
  case ${1:-yes} in
  no) echo yes ;;
  only) echo no ;;
  *) echo yes no ;;
  esac
}

# noise FOLDER: that of its machines, with the seed of this run.
noise ()
{
  sed "s/^seed.*/seed $seed/" "$srcdir/tests/$1/noise"
}

# try NUMBER NAME EXACT: simulates the machine and holds the answers against what is expected; exact, none that must
# come out may be unknown.  Writes its lines to NUMBER.tap and, under noise, how many values there are, and
# how many of them unknown, to NUMBER.count.
try ()
{
  near=0 options=
  mkdir "$work/$1"
  prepare "$@"
  # The largest take half a minute of a quick processor: the limit is for one that hangs.
  # shellcheck disable=SC2086,SC3045 # lists; a shell whose ulimit has no -t fails the test
  if (ulimit -t 600 && exec "$simulate" --curves="$work/$1" $options "$work/$1.machine" $rows) >"$work/$1.values" 2>"$work/$1.log"; then
    hold "$folder/expected" "$2" "$work/$1.values" "$near" >"$work/$1.verdicts"
    test "$3" = yes || tally <"$work/$1.verdicts" >"$work/$1.count"
    bad=$(faults "$3" <"$work/$1.verdicts"; further "$@")
    test -s "$work/$1.verdicts" || bad=" no values of it in $folder/expected"
  else
    bad=' simulate failed, or hung for 600 s'
  fi
  rm -rf "${work:?}/$1"
  {
    sed -n 's/^[a-z_0-9 ]*: [0-9]* of [0-9]* pairs measured/# &/p' "$work/$1.log"
    if test -z "$bad"; then
      echo "ok $1 - $2, exact: $3"
    else
      echo "not ok $1 - $2, exact: $3:$bad"
      sed 's/^/# /' "$work/$1.log"
    fi
  } >"$work/$1.tap"
}

# walk: all of them.  The share of unknown values is one of many machines: at most one in twenty.
walk ()
{
  # shellcheck disable=SC2086 # a list
  set -- ${noisy-$names}
  for exact in $passes; do
    for name in $names; do
      test "$exact" = yes || case " $* " in *" $name "*) ;; *) continue ;; esac
      echo "$name $exact"
    done
  done >"$work/runs"
  try_all "$work/runs" "$jobs"
  results "$work/runs"
  cat "$work"/*.count 2>/dev/null | awk -v number="$(($(wc -l <"$work/runs") + 1))" -v seed="$seed" -v given="${given-}" '
    { values += $1; unknown += $2 }
    END {
      says = sprintf("%d of %d values are unknown under noise, %.1f %% (seed %s)",
        unknown, values, values ? 100 * unknown / values : 0, seed)
      if (given != "") print "# " says "\n1.." number - 1
      else printf "%sok %d - %s\n1..%d\n", 20 * unknown <= values ? "" : "not ", number, says, number
    }'
}
