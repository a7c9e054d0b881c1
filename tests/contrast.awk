# contrast.awk: reads report/style.css and prints each pair of colours whose contrast (WCAG 2) is below what it must
# be: 4.5 of text, 3 of lines, against each ground that it stands on, in light and in dark.
function digit(c) { return index("0123456789abcdef", tolower(c)) - 1 }
function part(colour, i,  v) {
  v = (digit(substr(colour, i, 1)) * 16 + digit(substr(colour, i + 1, 1))) / 255
  return v <= 0.04045 ? v / 12.92 : exp(log((v + 0.055) / 1.055) * 2.4)
}
function light(colour) { return 0.2126 * part(colour, 2) + 0.7152 * part(colour, 4) + 0.0722 * part(colour, 6) }
function contrast(one, other,  a, b) {
  a = light(one) + 0.05
  b = light(other) + 0.05
  return a > b ? a / b : b / a
}
/^:root/ { mode = "light" }
/prefers-color-scheme: dark/ { mode = "dark" }
{
  rest = $0
  while (match(rest, /--[a-z0-9]+: #[0-9a-fA-F][0-9a-fA-F][0-9a-fA-F][0-9a-fA-F][0-9a-fA-F][0-9a-fA-F]/)) {
    word = substr(rest, RSTART + 2, RLENGTH - 2)
    rest = substr(rest, RSTART + RLENGTH)
    split(word, pair, ": ")
    colour[mode, pair[1]] = pair[2]
  }
}
function hold(mode, front, grounds, least,  n, list, i, c) {
  n = split(grounds, list, " ")
  for (i = 1; i <= n; i++) {
    if (!((mode, front) in colour) || !((mode, list[i]) in colour)) { print mode " " front " on " list[i] ": no such colour"; continue }
    c = contrast(colour[mode, front], colour[mode, list[i]])
    if (c < least) printf "%s: %s on %s: %.2f, and %.1f wanted\n", mode, front, list[i], c, least
  }
}
END {
  n = split("light dark", modes, " ")
  for (m = 1; m <= n; m++) {
    hold(modes[m], "ink", "paper shade t1 t2 t3 t4 t5", 4.5)
    hold(modes[m], "soft", "paper shade", 4.5)
    hold(modes[m], "warn", "paper", 4.5)
    # Series are lines, and the words beside them.
    for (k = 1; k <= 6; k++) hold(modes[m], "s" k, "paper", 4.5)
    # The frame of a box.
    hold(modes[m], "soft", "t1 t2 t3", 3)
  }
}
