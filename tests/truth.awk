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

# Whether a value is what was wanted: a number, LOW-HIGH, NUMBER~PERCENT, several of these or ?.
function truth_right(value, wanted,   one, part, n, i) {
  n = split(wanted, one, "|")
  for (i = 1; i <= n; i++)
    if (split(one[i], part, "~") == 2) {
      if (value >= part[1] * (1 - part[2] / 100) && value <= part[1] * (1 + part[2] / 100)) return 1
    } else if (split(one[i], part, "-") == 2) {
      if (value >= part[1] + 0 && value <= part[2] + 0) return 1
    } else if (one[i] == "?" || value == one[i] + 0) {
      return 1
    }
  return 0
}
