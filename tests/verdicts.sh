# shellcheck shell=sh disable=SC2154
# Shell functions that hold values against a table. Sourced by what tests simulated machines; srcdir is
# the top of the sources.

# hold TABLE NAME VALUES [NEAR]: prints "ROW VERDICT GOT WANT" a row, as compare.awk says.
hold ()
{
  sh "$srcdir/tests/ask.sh" all macro unit kind |
    awk -v name="$2" -v near="${4-0}" -f "$srcdir/tests/compare.awk" - "$1" "$3"
}

# faults EXACT: what is wrong among the verdicts of the standard input, or unknown where EXACT is yes.
faults ()
{
  awk -v exact="$1" '
    $2 == "wrong" || ($2 == "unknown" && exact == "yes") { printf " %s=%s (not %s)", $1, $3, $4 }'
}

# tally: how many of the verdicts are of numbers that must come out, and how many of these are unknown.
tally ()
{
  awk '$4 !~ /[?-]$/ { values++; unknown += $2 == "unknown" } END { print values + 0, unknown + 0 }'
}
