# Tiles of a loop nest that the user describes: what is worth trying, as a search space.
#
# Comes after tiles.awk and model.awk; with -v ask=nest. The environment's FILE has lines, # begins a comment:
#   loop NAME EXTENT
#   array NAME BYTES SUBSCRIPT...   a reference: bytes of an element, a subscript a dimension, row major, as i*2+1
# Writes for each level of cache a kernel nest_lN: a parameter TILE_LOOP a loop, and the constraint that a tile fits
# HW_LN_EFF_BYTES; one tile for all levels would have to fit level 1, whatever the others hold. Of what is wrong it
# writes FILE:LINE: and what, alone, and ends with 2. The environment's FORMAT begins notes on standard error.
#
# References to an array that differ in constants alone count once, as the box that holds them, others each by itself.
# Rows are whole lines and begin at one, as tiles do.

END {
  while ((getline text_of_line <ENVIRON["FILE"]) > 0) {
    line_number++
    statement(text_of_line)
  }
  if (!loops || !references)
    wrong("ends without " (loops ? "an array" : "a loop"))
  for (l = 1; l <= loops; l++)
    if (!(loop[l] in indexes))
      wrong("no array has a subscript of the loop " loop[l])
  if (mistake == "")
    nest()
  else
    print mistake
  close("cat 1>&2")
  exit mistake == "" ? 0 : 2
}

function wrong(text) {
  if (mistake == "")
    mistake = ENVIRON["FILE"] ":" (line_number ? line_number : 1) ": " text
}

# ---- The description ---------------------------------------------------------------------------

function statement(text,    n, word) {
  sub(/#.*/, "", text)
  sub(/\r$/, "", text)
  n = split(text, word, " ")
  if (n == 0)
    return
  if (word[1] != "loop" && word[1] != "array")
    wrong(word[1] ": neither loop nor array")
  # Beyond 15 digits awk has no whole numbers.
  else if (word[2] !~ /^[A-Za-z_][A-Za-z0-9_]*$/ || word[3] !~ /^[1-9][0-9]*$/ || length(word[3]) > 15 || \
           (word[1] == "loop" ? n != 3 : n < 4))
    wrong(word[1] == "loop" ? "not: loop NAME EXTENT" : "not: array NAME BYTES SUBSCRIPT...")
  else if (word[1] == "array")
    reference(word, n)
  else if (word[2] in extent)
    wrong("a second loop " word[2])
  else {
    loop[++loops] = word[2]
    extent[word[2]] = word[3] + 0
    unit[word[2]] = 1
  }
}

function reference(word, n,    d, key, name, offset, factor) {
  if (word[2] in shape && shape[word[2]] != word[3] " " n)
    wrong("array " word[2] " has other bytes or dimensions before")
  shape[word[2]] = word[3] " " n
  key = word[2]
  for (d = 4; d <= n; d++) {
    if (word[d] !~ /^[A-Za-z_][A-Za-z0-9_]*([*][1-9][0-9]*)?([-+][0-9]+)?$/)
      wrong(word[d] ": no subscript, as i, i+1, i-1, i*2 or i*2+1")
    offset[d] = match(word[d], /[-+]/) ? substr(word[d], RSTART) + 0 : 0
    sub(/[-+].*/, "", word[d])
    split(word[d] "*1", factor, "*")
    name = factor[1]
    if (!(name in extent))
      wrong("no loop " name " before")
    indexes[name]
    key = key " " (word[d] = name " " factor[2])
  }
  if (!(key in group)) {
    group[key] = ++references
    bytes_of[references] = word[3] + 0
    last_of[references] = n
    for (d = 4; d <= n; d++) {
      subscript[references, d] = word[d]
      low[references, d] = high[references, d] = offset[d]
    }
  }
  for (d = 4; d <= n; d++) {
    low[group[key], d] = least(low[group[key], d], offset[d])
    high[group[key], d] = most(high[group[key], d], offset[d])
  }
}

# ---- The space ---------------------------------------------------------------------------------

function nest(    g, part, n) {
  for (g = 1; g <= references; g++) {
    split(subscript[g, last_of[g]], part, " ")
    widen(part[1], known["L1_LINE"] + 0, bytes_of[g] * part[2])
    widen(part[1], known["VEC_BYTES"] + 0, bytes_of[g])
  }
  for (n = 1; n <= loops; n++)
    edges(n, unit[loop[n]], extent[loop[n]])
  begin_spaces()
  for (n = 1; n <= 3; n++)
    if ((("HAVE_L" n) in told ? known["HAVE_L" n] : 1) && !tile_of_level(n))
      print "hwconfig: export " ENVIRON["FORMAT"] ": left out nest_l" n ": " why | "cat 1>&2"
  end_spaces()
}

# An edge is whole lines, or vectors, of each row.
function widen(name, bytes, element,    more) {
  more = bytes ? bytes / common(bytes, element) : 1
  unit[name] = unit[name] / common(unit[name], more) * more
}

# Powers of two, of lines and vectors also half as many again; and all of the loop.
function edges(l, one, all,    x) {
  for (x = one; x < all; x *= 2) {
    value[l, ++values[l]] = x
    if (one > 1 && x > one && 1.5 * x < all)
      value[l, ++values[l]] = 1.5 * x
  }
  value[l, ++values[l]] = all
}

function tile_of_level(n,    l, k, best, room, text, list, place) {
  if (!have("L" n "_EFF_BYTES") || !known["L" n "_LINE"] && !have("L1_LINE"))
    return 0
  room = known["L" n "_EFF_BYTES"]
  text = footprint(known["L" n "_LINE"] ? known["L" n "_LINE"] : known["L1_LINE"])
  for (l = 1; l <= loops; l++)
    at["TILE_" loop[l]] = value[l, place[l] = 1]
  why = "no tile of whole lines fits HW_L" n "_EFF_BYTES"
  if (evaluate(text) > room)
    return 0
  for (l = 1; l <= loops; l++)
    for (k = 1; k <= values[l] && filled(l, k, text) <= room; k++)
      list[l] = listed(list[l], sprintf("%.0f", value[l, k]))
  # To start with, of the edges that may grow the shortest one does.
  do {
    best = 0
    for (l = 1; l <= loops; l++)
      if (place[l] < values[l] && (!best || value[l, place[l]] < value[best, place[best]]) && \
          filled(l, place[l] + 1, text) <= room)
        best = l
    if (best)
      at["TILE_" loop[best]] = value[best, ++place[best]]
  } while (best)
  for (l = 1; l <= loops; l++)
    parameter("TILE_" loop[l], list[l], value[l, place[l]])
  constraint(text, room)
  kernel_space("nest_l" n, "")
  return 1
}

# What a tile takes with the k-th value of a loop, and of the others those at hand.
function filled(l, k, text,    kept, x) {
  kept = at["TILE_" loop[l]]
  at["TILE_" loop[l]] = value[l, k]
  x = evaluate(text)
  at["TILE_" loop[l]] = kept
  return x
}

# Bytes of a tile, as an expression.
function footprint(line,    g, d, text) {
  for (g = 1; g <= references; g++) {
    text = text (g > 1 ? " + " : "")
    for (d = 4; d < last_of[g]; d++)
      text = text reach_of(g SUBSEP d) " * "
    text = text lines_of(g SUBSEP last_of[g], bytes_of[g], line) " * " line
  }
  return text
}

function plus(text, n) { return n == 0 ? text : sprintf("(%s %s %.0f)", text, n < 0 ? "-" : "+", n < 0 ? -n : n) }
function by(text, n) { return n == 1 ? text : sprintf("%s * %.0f", text, n) }

# How many values a subscript has.
function reach_of(at_place,    part, width) {
  split(subscript[at_place], part, " ")
  width = high[at_place] - low[at_place] + 1
  return width < part[2] ? by("TILE_" part[1], width) : plus(by("TILE_" part[1], part[2]), width - part[2])
}

# Lines of a row: from its first element to its last, or where it leaves out lines those of each step.
function lines_of(at_place, S, line,    part, step, first) {
  split(subscript[at_place], part, " ")
  step = up(((high[at_place] - low[at_place] + 1) * S + line - common(S, line)) / line)
  if (step * line < part[2] * S)
    return by("TILE_" part[1], step)
  first = low[at_place] * S / line
  return plus("ceil(" by(plus(by("TILE_" part[1], part[2]), high[at_place] + 1 - part[2]), S) " / " line ")", \
              first < 0 ? up(-first) : -int(first))
}
