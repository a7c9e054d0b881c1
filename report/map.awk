# map.awk: the map of processors for gnuplot, of what boxes.awk prints with map=1. Five shades between the least and the
# most, by ratio; a number in each cell of few processors, else a scale of the shades. The first line is the size, the
# second says what is there.
#   -v text=1: as a table instead; -v unit=TEXT: of the numbers
$1 == "order" { n = NF - 1; for (i = 1; i <= n; i++) name[i] = $(i + 1); next }
$1 == "cuts" { for (i = 2; i <= NF; i++) cut[++cuts] = $i - 0.5; next }
{ v[$1, $2] = $3; how[$1, $2] = $4; pairs[$4]++; if ($4 == "m" && !seen[$3]++) some[++kinds] = $3; if (!count++ || $3 < low) low = $3; if ($3 > high) high = $3 }
function shade_of(y) { return !(high > low * 1.2) ? 2 : int((low > 0 ? log(y / low) / log(high / low) : (y - low) / (high - low)) * 4.999) + 1 }
function limit(k) { return told(low > 0 ? low * exp(log(high / low) * k / 5) : low + (high - low) * k / 5) }
function told(y) { return sprintf(high < 9.95 ? "%.2f" : "%.0f", y) }
# Of the pairs that were measured the least, the most and the median.
function spread(  i, j, y, k) {
  for (i = 2; i <= kinds; i++) {
    y = some[i]
    for (j = i - 1; j >= 1 && some[j] + 0 > y + 0; j--) some[j + 1] = some[j]
    some[j + 1] = y
  }
  for (i = 1; i < kinds && (k += seen[some[i]]) < pairs["m"] / 2; i++) ;
  return kinds < 2 ? "" : "The pairs that were measured: " told(some[1]) " to " told(some[kinds]) unit ", half of them no more than " told(some[i]) unit ". "
}
# What looks the same beside each other in a row is one rectangle.
function rectangles(  i, j, k, next_i) {
  for (j = 1; j <= n; j++)
    for (i = 1; i <= n; i = next_i) {
      k = (i, j) in v ? shade_of(v[i, j]) : 0
      for (next_i = i + 1; next_i <= n && ((next_i, j) in v ? shade_of(v[next_i, j]) : 0) == k; next_i++) ;
      if (k) box[k] = box[k] sprintf("%g %d %g 0.5\n", (i + next_i - 1) / 2, j, (next_i - i) / 2)
    }
}
# A number, with a dot where it is that of a layer.
function cell(i, j,  y) {
  if (!((i, j) in v)) return ""
  y = v[i, j]
  return sprintf(high < 9.95 ? "%.2g" : y < 9.95 ? "%.1f" : "%.0f", y) (how[i, j] == "g" ? "." : "")
}
function table_line(head, j,  i, line, c) {
  line = sprintf("%" wide "s", head)
  for (i = 1; i <= n; i++) {
    c = j ? cell(i, j) : name[i]
    line = line (i in edge ? " |" : " ") sprintf("%" wide "s", c (c ~ /[.]$/ ? "" : " "))
  }
  sub(/ +$/, "", line)
  print line
}
function table(  i, j) {
  for (i = 1; i <= n; i++)
    for (j = 0; j <= n; j++) if (length(j ? cell(i, j) : name[i]) >= wide) wide = length(j ? cell(i, j) : name[i]) + (cell(i, j) !~ /[.]$/)
  for (i = 1; i <= cuts; i++) edge[cut[i] + 0.5] = 1
  table_line("", 0)
  for (j = 1; j <= n; j++) {
    if (j in edge) print ""
    table_line(name[j] " ", j)
  }
}
END {
  if (text) { table(); exit }
  numbers = n <= 18
  side = int(n <= 10 ? n * 42 : numbers ? n * 30 : 600)
  print (side + 110 > 320 ? side + 110 : 320) + (numbers ? 0 : 60), (side + 130 > 300 ? side + 130 : 300)
  print spread() (!pairs["g"] ? "" : numbers ? "A pair with a dot was not measured: its number is that of its layer." : sprintf("Of %d pairs the time was measured, of %d it is that of their layer.", pairs["m"] / 2, pairs["g"] / 2))
  print "unset grid; set border 0; set style fill solid 1 noborder; set key off; set xlabel \047processor\047; set ylabel \047processor\047"
  # Every processor has its number where there is room.
  step = numbers || n <= 32 ? 1 : int((n + 15) / 16)
  for (i = 1; i <= n; i += step) list = list sprintf("%s\"%s\" %d", (i > 1 ? ", " : ""), name[i], i)
  printf "set xtics (%s) scale 0\nset ytics (%s) scale 0\nset xrange [0.5:%d.5]\nset yrange [%d.5:0.5]\n", list, list, n, n
  if (n > 10) print "set tics font \",11\"; set xtics rotate"
  split("#f2f6fb #dbe9f7 #bdd7f0 #9cc4ea #7ab0e3", tint, " ")
  if (numbers) { for (i = 1; i <= n; i++) for (j = 1; j <= n; j++) if ((i, j) in v) box[shade_of(v[i, j])] = box[shade_of(v[i, j])] i " " j " 0.48 0.48\n" }
  else rectangles()
  for (k = 1; k <= 5; k++) {
    if (!(k in box)) continue
    printf "$t%d << EOD\n%sEOD\n", k, box[k]
    plot = plot (plot == "" ? "" : ", ") sprintf("$t%d using 1:2:3:4 with boxxyerror lc rgb \"%s\" %s", k, tint[k], numbers ? "notitle" : sprintf("title \"%s to %s%s\"", limit(k - 1), limit(k), unit))
  }
  # Lines between groups, where they leave something to be seen.
  for (i = 1; i <= cuts && cuts <= 32; i++) {
    printf "set arrow from first %g, graph 0 to first %g, graph 1 nohead front lc rgb ink lw 1.5\n", cut[i], cut[i]
    printf "set arrow from graph 0, first %g to graph 1, first %g nohead front lc rgb ink lw 1.5\n", cut[i], cut[i]
  }
  if (numbers) {
    print "$labels << EOD"
    for (i = 1; i <= n; i++) for (j = 1; j <= n; j++) if ((i, j) in v) printf "%d %d \"%s\"\n", i, j, cell(i, j)
    print "EOD"
    plot = plot sprintf(", $labels using 1:2:3 with labels tc rgb ink font \",%d\" notitle", n <= 10 ? 14 : 12)
  } else print "set key bmargin center horizontal reverse Left"
  print "plot " plot
}
