# boxes.awk: which processors share what, as boxes within one another. Reads lines
#   place P NUMBER     a processor, and its number
#   kind K LABEL       something that groups of processors share, then
#   in K P G           of each place its group
#   pair A B Y, layer K NS   for -v map=1, which prints what map.awk reads: lines of the order of the processors, of the
#                      cells I J Y HOW in it, HOW m where the pair was measured and g where Y is that of its layer, and cuts
# and prints what gnuplot draws, or with -v text=1 a tree; the first line is the size, the second a sentence of what
# is left out. Kinds of the same groups are one box. One whose groups cross those of a kind before it is left out.
# Of more boxes than MOST the first and the last of those that are alike stand for all.
function settle(p, name) { if (!(p in index_of)) { place[++n] = p; index_of[p] = n } if (name != "" || !(p in number)) number[p] = name == "" ? p : name }
$1 == "place" { settle($2, $3); next }
$1 == "pair" { settle($2, ""); settle($3, ""); y[$2, $3] = y[$3, $2] = $4; next }
$1 == "layer" { layer[$2] = $3; next }
$1 == "kind" { k++; kind[$2] = k; sub(/^kind [^ ]* /, ""); label[k] = $0; next }
$1 == "in" && ($3 in index_of) { group[kind[$2], index_of[$3]] = $4 }
function quoted(text) { gsub(/["\\]/, "", text); return text }
# The first place of the group that each is in, and how many groups there are.
function canonical(k,  p, g) {
  groups[k] = 0
  form[k] = ""
  for (p = 1; p <= n; p++) {
    if (!((k, p) in group)) { groups[k] = 0; return }
    g = k SUBSEP group[k, p]
    if (!(g in lead)) { lead[g] = p; groups[k]++ }
    of[k, p] = lead[g]
    form[k] = form[k] " " of[k, p]
  }
}
# Whether each group of one of the kinds lies in a group of the other.
function nested(one, other,  p, inner, outer) {
  inner = outer = 1
  for (p = 1; p <= n; p++) {
    if (of[one, p] != of[one, of[other, p]]) inner = 0
    if (of[other, p] != of[other, of[one, p]]) outer = 0
  }
  return inner || outer
}
function levels_of(  i, j, list, kept, good) {
  for (i = 1; i <= k; i++) {
    canonical(i)
    good = groups[i] > 0
    for (j = 1; j <= kept; j++) if (good && !nested(i, list[j])) { good = 0; crossing = crossing (crossing == "" ? "" : ", ") label[i] }
    if (good) list[++kept] = i
  }
  # From the fewest groups to the most.
  for (i = 2; i <= kept; i++) {
    good = list[i]
    for (j = i - 1; j >= 1 && groups[list[j]] > groups[good]; j--) list[j + 1] = list[j]
    list[j + 1] = good
  }
  for (i = 1; i <= kept; i++) {
    if (depth && form[list[i]] == form[level[depth]]) { words[depth] = words[depth] "|" label[list[i]]; lines[depth]++; continue }
    level[++depth] = list[i]
    words[depth] = label[list[i]]
    lines[depth] = 1
  }
  # What each processor has for itself is told in its own box.
  if (depth && groups[level[depth]] == n) { own = words[depth]; own_lines = lines[depth]; depth-- }
}
function sort_places(  i, j, l, key, t) {
  for (i = 1; i <= n; i++) {
    key = ""
    for (l = 1; l <= depth; l++) key = key sprintf("%05d", of[level[l], i])
    key = key sprintf("%05d", i)
    for (j = i - 1; j >= 1 && keys[j] > key; j--) { keys[j + 1] = keys[j]; order[j + 1] = order[j] }
    keys[j + 1] = key
    order[j + 1] = i
  }
}
# The end of the group of level l that begins at place i of the order.
function end_of(l, i,  j) {
  if (l > depth) return i
  for (j = i; j < n && of[level[l], order[j + 1]] == of[level[l], order[i]]; j++) ;
  return j
}
# What is below: the same text for boxes that look the same.
function shape(l, i,  j, e, out) {
  if (l > depth) return "p"
  e = end_of(l, i)
  for (j = i; j <= e; j = end_of(l + 1, j) + 1) out = out shape(l + 1, j)
  return "(" out ")"
}
# Sets kids[l, i] to the first places of the boxes within, -N for N that are left out.
function children(l, i, e,  j, m, list, same, out, a) {
  for (j = i; j <= e; j = end_of(l + 1, j) + 1) { list[++m] = j; same[m] = few ? m : shape(l + 1, j) }
  for (j = 1; j <= m; j = a + 1) {
    for (a = j; a < m && same[a + 1] == same[j]; a++) ;
    if (a - j < 3) for (; j <= a; j++) out = out " " list[j]
    else { out = out sprintf(" %d %d %d", list[j], 1 + j - a, list[a]); left = 1 }
  }
  return out
}
function wider(one, other) { return one > other ? one : other }
function text_width(text,  part, m, i, w) {
  m = split(text, part, "|")
  for (i = 1; i <= m; i++) w = wider(w, length(part[i]) * 7 + 14)
  return w
}
# Width and height of the box of level l at place i; within it stand rows of boxes, or of those of which some are left
# out one row, or one column.
function fit(l, i,  list, m, c, item, cw, ch, cols, rows, sum) {
  if (l > depth) { w[l, i] = wider(44, text_width(own)); h[l, i] = 24 + 18 * own_lines; return }
  kids[l, i] = children(l, i, end_of(l, i))
  m = split(kids[l, i], list, " ")
  cw = ch = 0
  for (c = 1; c <= m; c++) {
    item = list[c]
    if (item > 0) { fit(l + 1, item); cw = wider(cw, w[l + 1, item]); ch = wider(ch, h[l + 1, item]) }
  }
  cell_w[l, i] = cw
  cell_h[l, i] = ch
  if (kids[l, i] ~ /-/) {
    across[l, i] = m * cw < 1000
    w[l, i] = wider(across[l, i] ? gap_w(m - 1, cw, 70) : cw + 12, text_width(words[l]))
    h[l, i] = (across[l, i] ? ch + 12 : gap_w(m - 1, ch, 24)) + 18 * lines[l] + 4
    return
  }
  cols = int(sqrt(m * 1.9 * ch / cw) + 0.999)
  if (cols > m) cols = m
  if (cols * (cw + 6) > 1000 && cols > 1) cols = int(1000 / (cw + 6)) + (cw > 994)
  rows = int((m + cols - 1) / cols)
  columns[l, i] = cols = int((m + rows - 1) / rows)
  w[l, i] = wider(cols * (cw + 6) + 6, text_width(words[l]))
  h[l, i] = rows * (ch + 6) + 6 + 18 * lines[l] + 4
}
function gap_w(boxes, size, gap) { return boxes * (size + 6) + gap + 12 }
function box(l, x, y, width, height, text,  part, m, c, shade) {
  shade = l > depth ? 6 : (l - 1) % 5 + 1
  printf "set object %d rect from %d,%d to %d,%d back fc rgb \"%s\" fs solid 1 border lc rgb \"#57606a\"\n", ++objects, x, y, x + width, y + height, tint[shade]
  m = split(text, part, "|")
  for (c = 1; c <= m; c++) printf "set label \"%s\" at %d,%d %s tc rgb ink font \",12\"\n", quoted(part[c]), (shade == 6 ? x + width / 2 : x + 7), y + 12 + 18 * (c - 1), (shade == 6 ? "center" : "left")
}
function put(l, i, x, y,  list, m, c, cx, cy) {
  if (l > depth) { box(l, x, y, w[l, i], h[l, i], number[place[order[i]]] (own == "" ? "" : "|" own)); return }
  box(l, x, y, w[l, i], h[l, i], words[l])
  m = split(kids[l, i], list, " ")
  cx = x + 6
  cy = y + 7 + 18 * lines[l]
  for (c = 1; c <= m; c++) {
    if (!(kids[l, i] ~ /-/)) {
      cx = x + 6 + (c - 1) % columns[l, i] * (cell_w[l, i] + 6)
      cy = y + 7 + 18 * lines[l] + int((c - 1) / columns[l, i]) * (cell_h[l, i] + 6)
    }
    if (list[c] > 0) put(l + 1, list[c], cx, cy)
    else printf "set label \"%d more\" at %d,%d center tc rgb ink font \",12\"\n", -list[c], cx + (across[l, i] ? 35 : cell_w[l, i] / 2), cy + (across[l, i] ? cell_h[l, i] / 2 : 12)
    if (kids[l, i] ~ /-/) {
      if (across[l, i]) cx += list[c] > 0 ? cell_w[l, i] + 6 : 76
      else cy += list[c] > 0 ? cell_h[l, i] + 6 : 30
    }
  }
}
# The numbers of the places i to e of the order, as 0-3,8.
function numbers(i, e,  j, a, m, list, out) {
  for (j = i; j <= e; j++) {
    for (a = m++; a >= 1 && list[a] > number[place[order[j]]] + 0; a--) list[a + 1] = list[a]
    list[a + 1] = number[place[order[j]]] + 0
  }
  for (j = 1; j <= m; j = a + 1) {
    for (a = j; a < m && list[a + 1] == list[a] + 1; a++) ;
    out = out (out == "" ? "" : ",") list[j] (a > j ? "-" list[a] : "")
  }
  return out
}
function tree(l, i, indent,  j, m, list, c, name, e, same, a) {
  e = end_of(l, i)
  for (j = i; j <= e; j = end_of(l + 1, j) + 1) { list[++m] = j; same[m] = shape(l + 1, j) }
  for (j = 1; j <= m; j = a + 1) {
    for (a = j; a < m && same[a + 1] == same[j]; a++) ;
    name = l + 1 > depth ? "processor" (own == "" ? "" : ": " own) : words[l + 1]
    gsub(/[|]/, ", ", name)
    printf "%s%s%s, %s\n", indent, (a > j ? a - j + 1 " x " : ""), name, numbers(list[j], end_of(l + 1, list[a]))
    if (l + 1 <= depth) tree(l + 1, list[j], indent "  ")
  }
}
function cells(  i, j, a, b, k, g, cuts) {
  printf "order"
  for (i = 1; i <= n; i++) printf " %s", number[place[order[i]]]
  print ""
  for (i = 1; i <= n; i++)
    for (j = 1; j <= n; j++) {
      a = order[i]; b = order[j]
      if (i == j) continue
      if ((place[a], place[b]) in y) { print i, j, y[place[a], place[b]], "m"; continue }
      for (k = 1; k <= 4; k++) {
        g = kind["comm_groups_" k]
        if ((k in layer) && (g, a) in group && (g, b) in group && group[g, a] == group[g, b]) { print i, j, layer[k], "g"; break }
      }
    }
  # Where one group of the largest kind that has several ends, for a rule.
  for (i = 2; i <= n && depth > 1; i++) if (of[level[2], order[i]] != of[level[2], order[i - 1]]) cuts = cuts " " i
  if (cuts != "") print "cuts" cuts
}
END {
  MOST = 64
  few = n <= MOST
  split("#f2f6fb #dbe9f7 #bdd7f0 #dbe9f7 #bdd7f0 #ffffff", tint, " ")
  # All of it is a box too.
  kind["all"] = ++k
  label[k] = n " processors"
  for (p = 1; p <= n; p++) group[k, p] = 0
  levels_of()
  sort_places()
  if (map) { cells(); exit }
  if (text) { name = words[1]; gsub(/[|]/, ", ", name); print name; tree(1, 1, "  "); exit }
  fit(1, 1)
  print wider(300, w[1, 1] + 8), h[1, 1] + 8
  print (left ? "Of boxes that are alike the first and the last are drawn. " : "") (crossing == "" ? "" : "Not drawn, since its groups cross others: " crossing ". ")
  print "unset border; unset tics; unset grid; set key off"
  print "set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0"
  printf "set xrange [0:%d]; set yrange [%d:0]\n", w[1, 1] + 8, h[1, 1] + 8
  put(1, 1, 4, 4)
  print "plot 1e9 notitle"
}
