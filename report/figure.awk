# figure.awk: draws one picture of the table report/figures, from curves and values.
#   -v parts=DIR -v scratch=DIR  the tables; rows, reasons, how, seen and there, of which report.sh tells
#   -v curves=DIR -v bench=DIR   where curves are
#   -v id=NAME                   the picture; it is written to scratch: NAME.plot, what gnuplot is to be told,
#                                NAME.text, the same for a terminal of -v columns=N, NAME.title, .says, .size
#   -v of="CURVE..." -v row=NAME of the picture named curve: what it is of, and the rows whose points are marked
#   -v ask=ids, fill             prints instead: lines "== ID TITLE" and the names of pictures; -v text=TEXT with its values
#   -v ask=words -v size="W H"   writes title, says and size only, of what draw.sh draws; with kinds and places, which
#   -v ask=gap -v why=TEXT       texts name, and -v also=SENTENCE; what the page says of a picture that is not there
# The exit status is 1, and there is no plot, when nothing of it was measured.

# ---- What is known ----------------------------------------------------------------------------------------

function trim(n) { n = sprintf(n < 9.995 ? "%.2f" : n < 99.95 ? "%.1f" : "%.0f", n); if (n ~ /\./) sub(/\.?0+$/, "", n); return n }
function amount(b) {
  if (b < 0) return "-" amount(-b)
  return b < 1024 ? trim(b) " B" : b < 1048576 ? trim(b / 1024) " KiB" : b < 1073741824 ? trim(b / 1048576) " MiB" : trim(b / 1073741824) " GiB"
}
function log2(n) { return log(n) / log(2) }
function absent(name) { return name ~ /^HW_L[123]_/ && v["HW_HAVE_" substr(name, 4, 2)] == "0" }
function value(name) { return (name in v) && !absent(name) ? v[name] : "" }
function learn(  line, f) {
  while ((getline line < (scratch "/rows")) > 0) {
    split(line, f, "|")
    unit[f[1]] = f[4]; title[f[1]] = f[7]; origin[f[1]] = f[3]
    if (f[2] ~ /^[0-9.]+$/) v[f[1]] = f[2]
  }
  while ((getline line < (scratch "/reasons")) > 0) { split(line, f, "|"); reason[f[1]] = f[2] }
  while ((getline line < (scratch "/how")) > 0) { f[1] = line; sub(/ .*/, "", f[1]); sub(/^[^ ]* /, "", line); how[f[1]] = line }
  list_files("/there")
}
function list_files(name) { files = 0; while ((getline there[files + 1] < (scratch name)) > 0) files++ }
# The sentence of those that are unknown, and why. What is of a level that is not there is left out.
function unknown(list,  n, w, i, text, last, k) {
  n = split(list, w, " ")
  for (i = 1; i <= n; i++) {
    if (value(w[i]) != "" || !(w[i] in title) || absent(w[i])) continue
    sub(/ in hundredths$/, "", title[w[i]])
    text = text (k++ ? (reason[w[i]] == last ? ", " : told(last) "; ") : "") title[w[i]]
    last = reason[w[i]]
  }
  return k ? "Unknown: " text told(last) "." : ""
}
function told(text) { return text == "" ? "" : " (" text ")" }

# ---- Curves -----------------------------------------------------------------------------------------------

# The number of points of a curve, which is read once.
function load(name,  file, line, f) {
  if (name in points) return points[name]
  points[name] = 0
  file = folder "/" name ".curve"
  while ((getline line < file) > 0)
    if (line ~ /^# name: /) called[name] = substr(line, 9)
    else if (line ~ /^# x: /) xtext[name] = substr(line, 6)
    else if (line ~ /^# y: /) ytext[name] = substr(line, 6)
    else if (line !~ /^#/ && split(line, f, " ") > 1) {
      cx[name, ++points[name]] = f[1] + 0; cy[name, points[name]] = f[2] + 0; cz[name, points[name]] = f[3] + 0
    }
  close(file)
  return points[name]
}
function at_x(name, x,  i) { for (i = load(name); i >= 1; i--) if (cx[name, i] == x) return cy[name, i]; return "" }
# What * is in the names of the curves there are, to stars, the numbers in order.
function matching(pattern,  at, head, tail, i, j, n, star) {
  at = index(pattern, "*")
  head = substr(pattern, 1, at - 1)
  tail = substr(pattern, at + 1)
  n = 0
  for (i = 1; i <= files; i++) {
    if (substr(there[i], 1, length(head)) != head || length(there[i]) < length(head tail) || substr(there[i], length(there[i]) - length(tail) + 1) != tail) continue
    star = substr(there[i], length(head) + 1, length(there[i]) - length(head tail))
    for (j = n++; j >= 1 && stars[j] ~ /^[0-9]+$/ && star ~ /^[0-9]+$/ && stars[j] + 0 > star + 0; j--) stars[j + 1] = stars[j]
    stars[j + 1] = star
  }
  return n
}

# ---- Texts ------------------------------------------------------------------------------------------------

function operand(w) {
  if (w ~ /^-?[0-9.]+$/) return w
  if (w ~ /:/) return at_x(substr(w, 1, index(w, ":") - 1), substr(w, index(w, ":") + 1) + 0)
  return value(w)
}
function calculated(text,  n, w, i, r, by) {
  n = split(text, w, " ")
  if (w[1] == "if") { if (value(w[2]) == "") lacking++; return "" }
  r = operand(w[1])
  if (w[2] == "?") {
    if (r == "" || n == 2) return r == "" ? "unknown" : r
    sub(/^[^?]*[?] /, "", text)
    i = index(text, " : ")
    return r != 0 ? substr(text, 1, i - 1) : substr(text, i + 3)
  }
  if (r == "") { lacking++; return "" }
  for (i = 2; i < n; i += 2) {
    by = operand(w[i + 1])
    if (by == "") { lacking++; return "" }
    r = w[i] == "/" ? r / by : w[i] == "*" ? r * by : r + by
  }
  return w[n] == "B" ? amount(r) : n > 1 && raw ? r "" : n > 1 ? trim(r) : r
}
function values(text,  out, inner) {
  out = ""
  while (match(text, /[{][^{}]*[}]/)) {
    inner = substr(text, RSTART + 1, RLENGTH - 2)
    out = out substr(text, 1, RSTART - 1)
    text = substr(text, RSTART + RLENGTH)
    out = out calculated(inner)
  }
  return out text
}
function listed(text,  f, n, w, i, one, out, kept) {
  split(text, f, "|")
  n = split(f[1], w, " ")
  out = ""
  kept = lacking
  for (i = 1; i <= n; i++) {
    one = f[3]
    gsub(/@/, w[i], one)
    gsub(/~/, w[i] == "MEM" ? "memory" : w[i], one)
    lacking = 0
    one = absent("HW_" w[i] "_") ? "" : fill(one)
    if (!lacking && one != "") out = out (out == "" ? "" : f[2]) one
  }
  lacking = kept + (out == "")
  return out
}
# The text with its values; lacking counts those that are unknown.
function fill(text,  a, b, head, tail, got, kept) {
  while ((a = index(text, "<")) > 0 && (b = index(text, ">")) > a)
    text = substr(text, 1, a - 1) listed(substr(text, a + 1, b - a - 1)) substr(text, b + 1)
  while (match(text, /\[[^][]*\]/)) {
    head = substr(text, 1, RSTART - 1); tail = substr(text, RSTART + RLENGTH)
    kept = lacking
    lacking = 0
    got = values(substr(text, RSTART + 1, RLENGTH - 2))
    text = head (lacking ? "" : got) tail
    lacking = kept
  }
  return values(text)
}
# A number for a mark, not rounded.
function number(text) { lacking = 0; raw = 1; text = fill(text); raw = 0; return lacking ? "" : text }
function plain(text) { gsub(/["\\]/, "", text); return text }

# ---- The table --------------------------------------------------------------------------------------------

function read_table(  line, e, i) {
  while ((getline line < (parts "/figures")) > 0) {
    if (line ~ /^#|^$/) continue
    if (line ~ /^== /) { section = line; e = 0; common = 0; continue }
    if (line ~ /^= /) {
      e = ++entries
      split(line, word, " ")
      name_of[e] = word[2]; head_of[e] = line; in_section[e] = section
      for (i = 1; i <= common; i++) body[e, i] = shared[i]
      lines_of[e] = common
    } else if (e) body[e, ++lines_of[e]] = line
    else shared[++common] = line
    if (line ~ /^for /) for_of[e] = substr(line, 5)
  }
}
# The words that & stands for in an entry, to words; "-" when there are none.
function instances(e,  n, i, k, file) {
  if (!(e in for_of)) { words[1] = "-"; return 1 }
  if (for_of[e] !~ /[*]/) return split(for_of[e], words, " ")
  n = matching(for_of[e])
  k = 0
  # A single point is no picture.
  for (i = 1; i <= n; i++) { file = for_of[e]; sub(/[*]/, stars[i], file); if (load(file) > 1) words[++k] = stars[i] }
  if (!k) words[k = 1] = ""
  return k
}
function instance(text, word) { gsub(/&/, word, text); return text }
function tell_ids(  e, n, i, last) {
  for (e = 1; e <= entries; e++) {
    if (in_section[e] == "== -") continue
    if (in_section[e] != last) print last = in_section[e]
    n = instances(e)
    for (i = 1; i <= n; i++) if (!absent("HW_L" words[i] "_")) print instance(name_of[e], words[i])
  }
}
function chosen(  e, n, i) {
  for (e = 1; e <= entries; e++) {
    n = instances(e)
    for (i = 1; i <= n; i++) if (instance(name_of[e], words[i]) == id) { which = words[i]; return e }
  }
  return 0
}

# ---- Lines and marks --------------------------------------------------------------------------------------

function point(s, x, y) { sx[s, ++sn[s]] = x; sy[s, sn[s]] = y }
# A line of the picture: all points of the curves, those of the last one where two have the same x.
function add(list, label, how, at,  n, w, i, j, k, s, x, y, spot, pages) {
  n = split(list, w, " ")
  s = series + 1
  sn[s] = 0
  pages = how ~ /pages/ ? value("HW_PAGE_BYTES") : 1
  if (pages == "") return
  for (i = 1; i <= n; i++)
    for (k = 1; k <= load(w[i]); k++) {
      x = cx[w[i], k] * pages
      y = how ~ /third/ ? cz[w[i], k] : cy[w[i], k]
      if (how ~ /inverse|rate/) { if (y <= 0) continue; y = (how ~ /rate/ ? x : 1) / y }
      for (j = sn[s]; j >= 1 && sx[s, j] > x; j--) ;
      if (j >= 1 && sx[s, j] == x) { sy[s, j] = y; continue }
      point(s, x, y)
      for (spot = sn[s]; spot > j + 1; spot--) { sx[s, spot] = sx[s, spot - 1]; sy[s, spot] = sy[s, spot - 1] }
      sx[s, spot] = x; sy[s, spot] = y
    }
  if (!sn[s]) return
  series = s
  first = first == "" ? w[1] : first
  sl[s] = label == "=" ? (w[1] in called ? called[w[1]] : w[1]) : fill(label)
  sh[s] = how
  if (how ~ /bars/) bars(s)
  if ((at = number(at)) != "") upright(at, "", colour[s], "(6,4)", "")
}
# What was seen how often, in microseconds, as sixty bars of milliseconds.
function bars(s,  k, n, low, high, step, sum) {
  n = sn[s]
  low = sx[s, 1] / 1000; high = sx[s, n] / 1000
  step = high < low * 1.05 ? low / 60 : (high - low) / 60
  for (k = 1; k <= n; k++) sum[int((sx[s, k] / 1000 - low) / step)] += sy[s, k]
  for (k = sn[s] = 0; k <= 60; k++) if (k in sum) point(s, low + (k + 0.5) * step, sum[k])
  bar = step
}
# Marks: a line at an x, its word above the picture; one at a y, its word at the right. Without a dash there is no line.
function upright(x, text, ink, dash, from) { vx[++uprights] = x; vt[uprights] = text; vc[uprights] = ink; vd[uprights] = dash; vf[uprights] = from }
function level(y, text, ink, dash, left) { hy[++levels] = y; ht[levels] = text; hc[levels] = ink; hd[levels] = dash; hl[levels] = left }
function draw(text) { drawn = drawn text "\n" }

function by_levels(  n, i, k, m, name, at, known, last, c, e, f, line) {
  n = split("L1 L2 L3 MEM", name, " ")
  for (i = 1; i <= n; i++) if (value("HW_HAVE_" name[i]) != "0") { name[++m] = name[i]; c[m] = value("HW_" name[i] "_LAT_X100") / 100 }
  # Of an unknown latency a word stands where it would be: between those beside it, or thrice the last one.
  for (i = 1; i <= m; i++) {
    for (k = i; k <= m && !c[k]; k++) ;
    at[i] = c[i] ? c[i] : last && k <= m ? sqrt(last * c[k]) : last ? last * 3 : k <= m ? c[k] / 3 ^ (k - i) : 0
    if (at[i]) last = at[i]
  }
  # Plateaus that anyone reads off the picture, and that were not clear enough to be published.
  while ((getline line < (scratch "/seen")) > 0) {
    split(line, f, "|")
    known[f[1]] = 1
    f[2] = sprintf("%.0f", f[2] < 100 ? f[2] : f[2] / 10) * (f[2] < 100 ? 1 : 10)
    f[5] = f[1] == "?" ? "a plateau" : f[1] == "MEM" ? "memory" : f[1]
    seen = seen (seen == "" ? "Seen, but not clear enough to be published: " : "; ") f[5] " at about " f[2] " cycles from " amount(f[3]) " to " amount(f[4])
    draw(sprintf("set arrow from first %.0f, first %g to first %.0f, first %g heads back lc rgb \"#6639ba\" lw 2 dt (2,3)", f[3], f[2], f[4], f[2]))
    draw(sprintf("set label \"%s: about %s cycles\\nseen, not published\" at first %.0f, first %g right front offset 0,2 tc rgb \"#6639ba\"", f[5], f[2], f[3], f[2]))
  }
  for (i = 1; i <= m; i++) {
    f[1] = name[i] == "MEM" ? "memory" : name[i]
    lacking = 0
    line = fill(f[1] " {HW_" name[i] "_LAT_X100 / 100} cycles[, {HW_" name[i] "_LAT_X100 * HW_CYCLE_PS / 100000} ns]")
    # That of memory stands on the left, where the curve is low.
    if (c[i]) level(c[i], line, "#1b1f24", "(2,3)", i == m)
    else if (at[i] && !(name[i] in known)) level(at[i], f[1] " unknown", "soft", "", i == m)
    e = value("HW_" name[i] "_EFF_BYTES")
    if (e == "") continue
    upright(e, name[i] " to " amount(e), "#0550ae", "(6,4)", at[i])
    # One access in twenty misses where a load takes a twentieth of the way to the next level longer.
    if (!c[i] || !c[i + 1]) continue
    f[2] = c[i] + 0.05 * (c[i + 1] - c[i])
    draw(sprintf("set arrow from first %.0f, first %g to first %.0f, first %g nohead front lc rgb \"#a40e26\" lw 2", e / 1.9, f[2], e * 1.9, f[2]))
    if (!five++) draw(sprintf("set label \"5 %% misses \" at first %.0f, first %g right front offset 0,0.7 tc rgb \"#a40e26\"", e / 1.2, f[2]))
  }
  # What the exact method found.
  for (i = 1; i <= m; i++) {
    if (origin["HW_" name[i] "_BYTES"] != "measured" || (e = value("HW_" name[i] "_BYTES")) == "") continue
    lacking = 0
    line = fill(name[i] " holds " amount(e) "[ in {HW_" name[i] "_ASSOC} ways]")
    exact = exact (exact == "" ? "By the exact method " : "; ") line
    upright(e, line, "#116329", "1", "")
  }
  for (i = 1; i <= 2; i++) {
    if ((e = value("HW_TLB" i "_REACH_BYTES")) == "") continue
    draw(sprintf("set arrow from first %.0f, graph 0 to first %.0f, graph %g nohead lc rgb \"#953800\" lw 2.5", e, e, 0.01 + i * 0.055))
    draw(sprintf("set label \"TLB %d to %s \" at first %.0f, graph %g right front tc rgb \"#953800\"", i, amount(e), e, -0.02 + i * 0.055))
  }
  also = joined(exact (exact == "" ? "" : "."), seen (seen == "" ? "" : "."))
}
function by_ends(  i, e) { for (i = 1; i <= 3; i++) if ((e = value("HW_L" i "_EFF_BYTES")) != "") upright(e, "end of L" i, "#57606a", "(2,3)", "") }

# The roof is that of multiply-adds. Where these are two instructions, their throughput is that of pairs of both; from
# the throughputs of additions and of multiplications, which may share units, it does not follow.
function by_roofs(  n, i, name, lanes, kind, fma, rate, low, high, top) {
  lanes = value("HW_VEC_BYTES") > 8 ? value("HW_VEC_BYTES") / 8 : 1
  kind = lanes > 1 ? "_VF64_X100" : "_F64_X100"
  fma = value("HW_RTP_FMA" kind)
  rows = "HW_CPU_MHZ HW_RTP_FMA" kind " " rows
  if (value("HW_CPU_MHZ") == "" || fma == "") return
  top = value("HW_CPU_MHZ") * lanes * 2 / fma / 10
  v["peak"] = trim(top)
  v["peak_by"] = (lanes > 1 ? "vector " : "") "multiply-adds"
  n = split("L1 L2 L3 MEM", name, " ")
  for (i = 1; i <= n; i++) {
    if ((rate = value("HW_" name[i] "_READ_MBS") / 1000) <= 0) continue
    sl[++series] = (name[i] == "MEM" ? "memory" : name[i]) ": " trim(rate) " GB/s"
    slope[series] = rate
    if (!low || top / rate < low) low = top / rate
    if (top / rate > high) high = top / rate
  }
  if (!series) return
  low = 2 ^ floor(log2(low / 8)); high = 2 ^ (-floor(-log2(high * 8)))
  for (i = 1; i <= series; i++) {
    sh[i] = "lines"
    point(i, low, low * slope[i]); point(i, top / slope[i], top)
  }
  sh[++series] = "roof"
  point(series, sx[1, 2], top)
  for (i = 1; i < series; i++) if (sx[i, 2] < sx[series, 1]) sx[series, 1] = sx[i, 2]
  point(series, high, top)
  level(top, v["peak"] " GFLOP/s", "ink", "", 0)
}

# Curves of the same units, and of each row the point that its value is, where its unit is that of an axis.
function by_rows(  n, w, i, x, y, text, said, axis, line) {
  n = split(of, w, " ")
  for (i = 1; i <= n && series < 6; i++) { load(w[i]); add(w[i], n > 1 ? w[i] : "", xtext[w[i]] ~ /^place/ ? "points" : "", "") }
  if (!series) return
  while ((getline line < (scratch "/shown")) > 0) if (line ~ / -$/) { sub(/ .*/, "", line); no_point[line] = 1 }
  n = split(row, w, " ")
  for (i = 1; i <= n; i++) {
    if ((x = value(w[i])) == "") continue
    text = unit[w[i]]
    said = said (said == "" ? "" : "; ") w[i] " = " x (text == "" ? "" : " " text) (w[i] in how ? ", read off by: " how[w[i]] : "")
    y = w[i] " = " x
    if (text == "cycles/100") { x /= 100; text = "cycles" }
    if (text == "ps") { x /= 1000; text = "ns" }
    if (text == "MB/s" && unit_of("y") == "ns") { x = 1000 / x; text = "ns" }
    if (text == "ways" || text == "elements") text = "count"
    axis = text == unit_of("x") ? "x" : text == unit_of("y") ? "y" : ""
    # Two rows of one place have one mark.
    if (axis == "" || w[i] in no_point || (axis, x) in marked) continue
    marked[axis, x] = 1
    if (axis == "x") upright(x, y, "#a40e26", "(6,4)", "")
    else level(x, y, "#a40e26", "(6,4)", 0)
  }
  heading = series > 1 ? row : first
  also = said == "" && row != "" ? "What is read off it is unknown: " row : said
  also = joined(axis_text("y") " over " axis_text("x") ".", also (also == "" ? "" : "."))
}
# What the axis is, by the first curve; of several strides none is that of the axis.
function axis_text(a,  text) {
  text = a == "x" ? xtext[first] : ytext[first]
  if (series > 1) sub(/ [0-9]+ bytes apart/, "", text)
  return text
}
function unit_of(a,  text) {
  text = axis_text(a)
  if (a == "x" && text ~ /^bytes /) return "bytes"
  if (text !~ /[(].*[)]$/) return ""
  gsub(/^.*[(]|[)]$/, "", text)
  return text
}

# ---- Scales -----------------------------------------------------------------------------------------------

function floor(n) { return int(n) > n ? int(n) - 1 : int(n) }
function abs(n) { return n < 0 ? -n : n }
function figure(n) { return n >= 100000 && n == int(n) ? sprintf("%.0f", n) : sprintf("%g", n) }
function tick(a, at, text) { ta[a, ++ticks[a]] = at; tt[a, ticks[a]] = text }
function even(a, step, most,  k, i, bytes) {
  bytes = step < 0
  if (bytes) step = 1
  for (k = 0; (to[a] - from[a]) / step > most; k++) step *= bytes ? 2 : k % 3 == 1 ? 2.5 : 2
  for (i = 0 - floor(-from[a] / step); i * step <= to[a] + step / 1000; i++) tick(a, i * step, bytes ? amount(i * step) : figure(i * step))
}
function decades(a,  d, m, wide) {
  islog[a] = 1
  wide = to[a] / from[a]
  if (wide < 8) { even(a, 1e-9, 6); return }
  for (d = 1e-9; d < 1e12; d *= 10)
    for (m = 1; m <= 5; m++)
      if ((m == 1 || (wide < 300 ? m == 2 || m == 5 : wide < 30000 && m == 3)) && d * m >= from[a] * 0.999 && d * m <= to[a]) tick(a, d * m, figure(d * m))
}
function powers(a, low, high, fractions,  i, step) {
  islog[a] = 2
  low = floor(log2(low) + 1e-9); high = -floor(-log2(high) + 1e-9)
  if (high <= low) high = low + 1
  from[a] = 2 ^ low * (fractions ? 1 : 0.84); to[a] = 2 ^ high * (fractions ? 1 : 1.19)
  step = int((high - low) / 7) + 1
  for (i = low; i <= high; i += step) tick(a, 2 ^ i, !fractions ? amount(2 ^ i) : i < 0 ? "1/" (2 ^ (-i)) : 2 ^ i)
}
function scale(a,  s, k, low, high, n, kind, w, value_, below, above) {
  for (s = 1; s <= series; s++)
    for (k = 1; k <= sn[s]; k++) {
      value_ = a == "x" ? sx[s, k] : sy[s, k]
      if (!n++ || value_ < low) low = value_
      if (n == 1 || value_ > high) high = value_
    }
  split(scale_of[a], w, " ")
  kind = w[1]; below = w[2] ? w[2] : 1; above = w[3] ? w[3] : 1
  if (kind == "") {
    kind = unit_of(a) == "ratio" ? "ratio" : unit_of(a) == "bytes" ? (low > 0 ? "bytes" : "amounts") : low > 0 && high > low * (a == "x" ? 64 : 50) ? "log" : a == "x" ? "plain" : "zero"
    if (a == "y") { above = kind == "bytes" ? 1.9 : kind == "log" ? 2.5 : 1.3; below = kind == "zero" ? 1 : 1.4; if (kind == "amounts" || low == high && kind == "bytes") kind = "zero" }
  } else if (kind == "zero") above = 1.15
  from[a] = low; to[a] = high
  if (low <= 0 && (kind == "log" || kind == "bytes")) kind = "plain"
  if (kind == "bytes" || kind == "powers") { powers(a, low / below, high * above, kind == "powers"); return }
  if (kind == "log") { from[a] = low / below; to[a] = high * above; if (from[a] == to[a]) { from[a] /= 2; to[a] *= 2 } decades(a); return }
  if (kind == "ratio") { from[a] = (low < 0.8 ? low : 0.8) / 1.1; to[a] = (high > 1.25 ? high : 1.25) * 1.2; level(1, "", "ink", "(2,3)", 0); decades(a); return }
  if (kind == "share") { from[a] = 0; to[a] = 1; even(a, 0.25, 4); from[a] = -0.05; to[a] = 1.05; return }
  if (kind == "zero" && high > 0) { from[a] = low < 0 ? low * 1.2 : 0; to[a] = a == "x" ? high * 1.03 : high * above; even(a, 1e-9, 8); return }
  if (low == high) { from[a] = low - 1; to[a] = high + 1; tick(a, low, figure(low)); return }
  if (kind == "amounts") { even(a, -1, 5); return }
  from[a] = low - (high - low) * 0.04; to[a] = high + (high - low) * 0.04
  even(a, kind == "whole" ? 1 : 1e-9, high >= 10000 ? 5 : 9)
}
# Where a value lies on its axis, from 0 to 1.
function place(a, at) {
  if (islog[a]) return at <= 0 ? 0 : log(at / from[a]) / log(to[a] / from[a])
  return (at - from[a]) / (to[a] - from[a])
}
# The rows of words above the picture, each wide * its length: none over another.
function rows_above(wide,  i, r, k, low, high, rows_, free) {
  rows_ = 0
  for (i = 1; i <= uprights; i++) {
    if (place("x", vx[i]) < -0.01 || place("x", vx[i]) > 1.01) vt[i] = vd[i] = ""
    if (vt[i] == "") continue
    low = place("x", vx[i]) - wide * length(vt[i]) / 2; high = low + wide * length(vt[i])
    for (r = 0; ; r++) {
      free = 1
      for (k = 1; k < i; k++) if (vr[k] == r && vt[k] != "" && low < ve[k] + wide && high > vb[k] - wide) free = 0
      if (free) break
    }
    vr[i] = r; vb[i] = low; ve[i] = high
    if (r + 1 > rows_) rows_ = r + 1
  }
  return rows_
}

# ---- gnuplot ----------------------------------------------------------------------------------------------

function rgb(ink) { return ink ~ /^#/ ? "\"" ink "\"" : ink }
# Lines of 36 characters, of a title that stands upright.
function folded(text,  n, w, i, line, out) {
  n = split(text, w, " ")
  for (i = 1; i <= n; i++) {
    if (line != "" && length(line " " w[i]) > 36) { out = out line "\\n"; line = "" }
    line = line (line == "" ? "" : " ") w[i]
  }
  return out line
}
function tics(a,  i, out) {
  for (i = 1; i <= ticks[a]; i++) out = out (i > 1 ? ", " : "") sprintf("\"%s\" %.10g", tt[a, i], ta[a, i])
  return out
}
function write_plot(  file, s, k, i, a, above, titled, long, plot, look, dash, ink, axes) {
  file = scratch "/" id ".plot"
  above = rows_above(7.2 / (width - 110))
  split("7 5 9 11 13 4", look, " ")
  split("1 (8,4) (3,3) (8,3,2,3) (12,4) (2,4)", dash, " ")
  for (s = 1; s <= series; s++) {
    printf "$d%d << EOD\n", s >file
    for (k = 1; k <= sn[s]; k++) printf "%.10g %.10g %g\n", sx[s, k], sy[s, k], bar * 0.9 >file
    print "EOD" >file
    ink = sprintf("lc rgb '%s'", colour[s])
    axes = sprintf("%s$d%d using 1:2", (s > 1 ? ", " : ""), s)
    if (sh[s] ~ /bars/) plot = plot axes ":3 with boxes " ink
    else if (sh[s] ~ /lines/) plot = plot axes " with lines " ink " dt " dash[s] " lw 2"
    else if (sh[s] ~ /roof/) plot = plot axes " with lines lc rgb ink lw 2.5"
    else plot = plot axes sprintf(" with %s %s pt %s dt %s lw %d ps %g", (sh[s] ~ /points/ ? "points" : "linespoints"), ink, look[s], dash[s], (sh[s] ~ /nested/ && s < 4 ? 11 - 3 * s : 2), sh[s] ~ /nested/ && s < 4 ? 2.1 - 0.5 * s : sn[s] > 24 ? 0.55 : 0.8)
    plot = plot (sl[s] == "" ? " notitle" : sprintf(" title '%s'", quoteless(sl[s])))
    titled += sl[s] != ""
    if (length(sl[s]) > long) long = length(sl[s])
  }
  for (a = "x"; a != ""; a = a == "x" ? "y" : "") {
    if (islog[a]) printf "set logscale %s%s\n", a, (islog[a] == 2 ? " 2" : "") >file
    printf "set %srange [%.10g:%.10g]\nset %stics (%s)\nset %slabel \"%s\"\n", a, from[a], to[a], a, tics(a), a, (a == "y" ? folded(plain(label_of[a])) : plain(label_of[a])) >file
  }
  if (second) {
    printf "set y2range [%.10g:%.10g]\nset y2label \"%s\"\n%s", from["y"] * second, to["y"] * second, label_of["y2"], (islog["y"] ? "set logscale y2\n" : "") >file
    ticks["y"] = 0; from["y"] *= second; to["y"] *= second
    decades("y")
    printf "set y2tics (%s)\nset rmargin 8.5\n", tics("y") >file
  }
  if (bar) print "set style fill solid noborder" >file
  for (i = 1; i <= levels; i++) {
    if (hd[i] != "") printf "set arrow from graph 0, first %g to graph 1, first %g nohead back lc rgb %s lw 1.2 dt %s\n", hy[i], hy[i], rgb(hd[i] == "(2,3)" ? "#57606a" : hc[i]), hd[i] >file
    # Between the scale and where level 1 ends there is room for a word.
    if (hl[i]) { sub(/ /, "\\n", ht[i]); sub(/, /, "\\n", ht[i]) }
    if (ht[i] != "") printf "set label \"%s\" at graph %s, first %g %s offset 0,-0.7 tc rgb %s\n", ht[i], (hl[i] ? "0.01" : "0.985"), hy[i], (hl[i] ? "left" : "right"), rgb(hc[i]) >file
  }
  for (i = 1; i <= uprights; i++) {
    if (vd[i] != "") printf "set arrow from first %.10g, %s to first %.10g, graph 1 nohead back lc rgb %s lw 1.5 dt %s\n", vx[i], (vf[i] ? "first " vf[i] : "graph 0"), vx[i], rgb(vc[i]), vd[i] >file
    if (vt[i] != "") printf "set label \"%s\" at first %.10g, graph 1 center front offset 0,%g tc rgb %s\n", plain(vt[i]), vx[i], 0.6 + 0.95 * vr[i], rgb(vc[i]) >file
  }
  if (above) printf "set tmargin %g\n", 1.5 + 0.95 * above >file
  printf "%s", drawn >file
  print "set key " (!titled ? "off" : titled * long > width / 12 ? "bmargin center vertical maxrows 3" : "bmargin center horizontal") >file
  print "plot " plot >file
  close(file)
}
function quoteless(text) { gsub(/['\\]/, "", text); return text }

# ---- A terminal -------------------------------------------------------------------------------------------

# Puts a text into a row of the picture, where that is free or by force.
function put(r, c, text, force,  k) {
  if (c < 1) c = 1
  if (c + length(text) - 1 > cols) c = cols - length(text) + 1
  if (!force) for (k = 0; k < length(text); k++) if ((r, c + k) in cell && cell[r, c + k] !~ /[-:]/) return
  for (k = 0; k < length(text); k++) cell[r, c + k] = substr(text, k + 1, 1)
}
function column(x) { return 1 + int(place("x", x) * (cols - 1) + 0.5) }
function line_of(y) { return tall - int(place("y", y) * (tall - 1) + 0.5) }
function inside(r, c) { return r >= 1 && r <= tall && c >= 1 && c <= cols }
function write_text(  file, s, k, i, r, c, n, margin, above, sign, line, from_c, from_r, to_c, to_r, legend) {
  file = scratch "/" id ".text"
  tall = columns > 80 ? 24 : int(columns * 3 / 10)
  for (i = 1; i <= ticks["y"]; i++) if (length(tt["y", i]) > margin) margin = length(tt["y", i])
  cols = columns - margin - (second ? 9 : 3)
  above = rows_above(1 / cols)
  split("o x + * # @", sign, " ")
  for (i = 1; i <= levels; i++) if (hd[i] != "") for (c = 1; c <= cols; c++) if (inside(line_of(hy[i]), c)) cell[line_of(hy[i]), c] = "-"
  for (i = 1; i <= uprights; i++) {
    c = column(vx[i])
    if (vd[i] != "") for (r = 1; r <= tall; r++) if (inside(r, c)) cell[r, c] = ":"
    if (vt[i] != "") put(-vr[i], c - int(length(vt[i]) / 2), vt[i], 1)
  }
  for (s = 1; s <= series; s++)
    for (k = 1; k <= sn[s]; k++) {
      to_c = column(sx[s, k]); to_r = line_of(sy[s, k])
      if (sh[s] ~ /bars/) { from_c = to_c; from_r = tall + 1 }
      else if (k == 1 || sh[s] ~ /points/) { from_c = to_c; from_r = to_r }
      n = to_c - from_c > abs(to_r - from_r) ? to_c - from_c : abs(to_r - from_r)
      for (i = 1; i < n; i++) {
        c = int(from_c + (to_c - from_c) * i / n + 0.5); r = int(from_r + (to_r - from_r) * i / n + 0.5)
        if (inside(r, c) && (!((r, c) in cell) || cell[r, c] ~ /[-:]/)) cell[r, c] = "."
      }
      if (inside(to_r, to_c)) {
        c = sh[s] ~ /roof/ ? "=" : sign[s]
        if ((to_r, to_c) in mine && mine[to_r, to_c] != s) { c = "&"; several = "   & several" }
        cell[to_r, to_c] = c; mine[to_r, to_c] = s
      }
      from_c = to_c; from_r = to_r
    }
  for (i = 1; i <= levels; i++) {
    gsub(/\\n/, " ", ht[i])
    r = line_of(hy[i]) - 1
    if (ht[i] != "" && r >= 1) put(r, hl[i] ? 1 : cols, ht[i], 0)
  }
  for (i = 1; i <= ticks["x"]; i++) put(tall + 2, column(ta["x", i]) - int(length(tt["x", i]) / 2), tt["x", i], 0)
  printf "upwards: %s\n", label_of["y"] >file
  if (second) printf "at the right: %s\n", label_of["y2"] >file
  for (i = 1; i <= ticks["y"]; i++) { at_row[line_of(ta["y", i])] = tt["y", i]; right[line_of(ta["y", i])] = ta["y", i] }
  for (r = 1 - above; r <= tall + 2; r++) {
    line = sprintf("%" margin "s %s", (r in at_row ? at_row[r] : ""), r < 1 || r > tall + 1 ? " " : r > tall ? "+" : "|")
    for (c = 1; c <= cols; c++) line = line (r == tall + 1 ? "-" : (r, c) in cell ? cell[r, c] : " ")
    if (second && r in at_row) line = line "  " trim(right[r] * second)
    sub(/ +$/, "", line)
    if (r >= 1 || line != "") print line >file
  }
  printf "%" int((columns + length(label_of["x"])) / 2) "s\n", label_of["x"] >file
  for (s = 1; s <= series; s++) {
    if (sl[s] == "") continue
    line = (legend == "" ? "legend: " : "   ") sign[s] " " sl[s]
    if (length(legend line) - wrapped > columns) { wrapped = length(legend); sub(/^ +/, "\n        ", line) }
    legend = legend line
  }
  if (legend != "") print legend several >file
  close(file)
}

# ---- The picture ------------------------------------------------------------------------------------------

function put_file(kind, text) { print text >(scratch "/" id "." kind); close(scratch "/" id "." kind) }
function take(e,  k, i, n, line, one, f, key) {
  for (k = 1; k <= lines_of[e]; k++) {
    line = instance(body[e, k], which)
    key = line
    sub(/ .*/, "", key)
    line = substr(line, length(key) + 2)
    split(line, f, "|")
    if (key == "rows") rows = line
    else if (key == "rare") rare = 1
    else if (key == "of") { rare = 1; folder = bench; list_files("/there.bench") }
    else if (key == "axes") { label_of["x"] = f[1]; scale_of["x"] = f[2]; label_of["y"] = f[3]; scale_of["y"] = f[4]; label_of["y2"] = f[5]; second = number(f[6]) }
    else if (key == "line" && f[1] ~ /[*]/) {
      n = matching(f[1])
      for (i = 1; i <= n && series < 6; i++) {
        one = line
        gsub(/[*]/, stars[i], one)
        split(one, f, "|")
        add(f[1], f[2], f[3], f[4])
      }
    } else if (key == "line") add(f[1], f[2], f[3], f[4])
    else if (key == "by") by = line
    else later[++laters] = key " " line
  }
}
# What is told when all lines are there.
function take_later(  k, key, line, f, short, text) {
  for (k = 1; k <= laters; k++) {
    line = later[k]
    key = line
    sub(/ .*/, "", key)
    line = substr(line, length(key) + 2)
    lacking = 0
    if (key == "says" || key == "else" && short == "says") {
      gsub(/[{]x[}]/, axis_text("x"), line)
      gsub(/[{]y[}]/, axis_text("y"), line)
      text = fill(line)
      if (!lacking) says = joined(says, text)
    } else if (key == "mark") {
      split(substr(line, 3), f, "|")
      text = fill(f[2])
      if (!lacking && number(f[1]) != "") {
        if (line ~ /^x/) upright(number(f[1]), text, "#a40e26", "(6,4)", "")
        else level(number(f[1]), text, "#a40e26", "(6,4)", 0)
        lacking = 0
      } else lacking = 1
    } else if (key == "else" && short == "mark") upright((from["x"] + to["x"]) / 2, line, "soft", "", "")
    short = lacking ? key : ""
  }
}
BEGIN {
  split("#0550ae #953800 #116329 #6639ba #a40e26 #1b6a70", colour, " ")
  folder = curves
  learn()
  read_table()
  if (ask == "ids") { tell_ids(); exit }
  if (ask == "fill") { print fill(text); exit }
  if (!(e = chosen())) exit 1
  take(e)
  split(head_of[e], word, " ")
  width = word[3]
  heading = head_of[e]
  sub(/^= [^ ]* [^ ]* [^ ]* /, "", heading)
  v["kinds"] = kinds; v["places"] = places
  if (ask == "words" && of != "") { load(first = of); heading = of }
  heading = fill(instance(heading, which))
  if (by == "levels" && series) by_levels()
  if (by == "ends") by_ends()
  if (by == "roofs") by_roofs()
  if (id == "curve") by_rows()
  if (!series && ask != "words") {
    if (rare || id == "curve") exit 1
    put_file("title", heading)
    put_file("says", why_not(unknown(rows)))
    exit 1
  }
  for (a = "x"; series && a != ""; a = a == "x" ? "y" : "") {
    scale(a)
    if (label_of[a] == "") { label_of[a] = axis_text(a); sub(/ \(bytes\)$/, "", label_of[a]) }
  }
  take_later()
  put_file("title", heading)
  put_file("says", joined(joined(says, also), unknown(rows)))
  put_file("size", size == "" ? word[3] " " word[4] : size)
  if (!series) exit
  write_text()
  write_plot()
}
function joined(one, other) { return one == "" ? other : other == "" ? one : one " " other }
function why_not(list) { return why != "" ? why : joined("No curve of it is here.", list) }
