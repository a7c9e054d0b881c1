#!/bin/sh
# tiles.sh SECONDS: analysis/tiles.awk on values at random, of the range of their rows and beyond: it ends
# within seconds, what it gives are whole numbers, each row once, and none is more than its row may be.
# Environment: srcdir, the top of the sources; found, where an input that fails is kept; HW_TEST_SEED; AWK;
# FUZZ_INPUTS, instead of seconds: one input for each 20.

: "${srcdir:=.}" "${found:?a file}"
end=$(($(date +%s) + $1))
most=$((${FUZZ_INPUTS:-0} / 20))
seed=${HW_TEST_SEED:-${FUZZ_INPUTS:-$$}}
awk=${AWK:-awk}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' 0
trap 'exit 2' HUP INT PIPE TERM
sh "$srcdir/tests/ask.sh" all macro low high model spare >"$work/rows"

n=0
while if test "$most" -gt 0; then test "$n" -lt "$most"; else test "$(date +%s)" -lt "$end"; fi; do
  n=$((n + 1))
  # shellcheck disable=SC2016 # another language's
  $awk -F '\t' -v seed="$seed$n" '
    function below(n) { return int(rand() * n) }
    BEGIN { srand(seed); dense = rand() }
    {
      derived = $4 $5 != ""
      low = $2; high = $3
      if (derived)
        print "most", $1, high
      if (rand() > (derived ? 0.05 : dense))
        next
      kind = below(6)
      value = kind == 0 ? low : kind == 1 ? high : kind == 2 ? low + below(100) : \
        kind == 3 ? low * 2 ^ below(30) : kind == 4 ? int(low + (high - low) * rand() * rand()) : \
        int(exp(log(high + 1) * rand()))
      if (value > high) value = high
      printf "%s %.0f\n", $1, value
    }' "$work/rows" >"$work/in"
  # shellcheck disable=SC2016,SC3045
  if ! (ulimit -t 20 2>/dev/null; $awk -f "$srcdir/analysis/tiles.awk" <"$work/in") >"$work/out" 2>"$work/err" ||
    test -s "$work/err" || ! $awk '
      NR == FNR { if ($1 == "most") most[$2] = $3; next }
      /^# HW_[A-Z0-9_]* unknown: ./ { row = $2; value = "" }
      /^HW_[A-Z0-9_]* = [1-9][0-9]*$/ { row = $1; value = $3 }
      { name = substr(row, 4) }
      row == "" || seen[row]++ || !(name in most) || value > most[name] { bad = 1; print "bad: " $0 }
      { row = "" }
      END { exit bad }' "$work/in" "$work/out"; then
    cp "$work/in" "$found"
    cat "$work/err"
    echo "seed $seed, input $n"
    exit 1
  fi
done
echo "tried: $n"
