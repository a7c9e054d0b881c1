# truth.awk: reads tests/recorded/truth, whose head describes it; for programs that come behind it, with
# fields separated by semicolons.

# Takes a line that is of the machine.
function truth_take(machine) {
  if (/^#/ || NF == 0 || machine !~ $1) return
  truth_row[++truths] = "^(" $2 ")$"
  truth_value[truths] = $3
  truth_source[truths] = $4
}

# The number of the line that counts for a row, 0 when there is none.
function truth_of(row,   i) {
  for (i = 1; i <= truths; i++) if (row ~ truth_row[i]) return i
  return 0
}

# Whether a value is what was wanted: a number, LOW-HIGH, NUMBER~PERCENT, several of these or ?.  Of a value with
# a range, low to high, something within that has to be.
function truth_right(value, wanted, low, high,   one, part, n, i) {
  low = (low == "" ? value : low) + 0
  high = (high == "" ? value : high) + 0
  n = split(wanted, one, "|")
  for (i = 1; i <= n; i++)
    if (split(one[i], part, "~") == 2) {
      if (high >= part[1] * (1 - part[2] / 100) && low <= part[1] * (1 + part[2] / 100)) return 1
    } else if (split(one[i], part, "-") == 2) {
      if (high >= part[1] + 0 && low <= part[2] + 0) return 1
    } else if (one[i] == "?" || (high >= one[i] + 0 && low <= one[i] + 0)) {
      return 1
    }
  return 0
}
