# shellcheck shell=sh disable=SC2015,SC2016,SC2034,SC2086,SC2154
# vectors.sh: machines as vectors of DM's seventeen quantities: the radar chart, and hwconfig compare.
# Sourced by report.sh.

# vector_of FILE: the vector of lines NAME VALUE.
vector_of ()
{
  $AWK -f "$parts/vector.awk" "$1"
}

# ---- The radar chart ----------------------------------------------------------------------------------------

# Machines of $scratch/vectors over each other in one chart; more have a chart each.
overlaid=3

# radar ID SAYS: of all machines of $scratch/vectors.
radar ()
{
  charts=$(wc -l <"$scratch/vectors")
  case $charts in
  1) size='560 540' ;;
  [2-$overlaid]) size='560 610' ;;
  *) size="$((330 * (charts < 3 ? charts : 3))) $((290 * ((charts + 2) / 3)))" ;;
  esac
  drawer "$1" ask=words size="$size" also="$2"
  $AWK -F '|' -v shorts="$(cut -d '|' -f 1 "$parts/quantities" | tr '\n' '|')" -v overlaid=$overlaid '
    # Where chart c has its middle, and a point at distance r on axis i of it.
    function across(c) { return 3.3 * ((c - 1) % 3) }
    function down(c) { return -2.9 * int((c - 1) / 3) }
    function x(c, i, r) { return across(c) + r * sin(6.2831853 * (i - 1) / 17) }
    function y(c, i, r) { return down(c) + r * cos(6.2831853 * (i - 1) / 17) }
    function log10(v) { return log(v) / log(10) }
    function add(text) { plot = plot (plot == "" ? "" : ", ") text }
    function plain(text) { gsub(/["\\]/, "", text); return text }
    # The rings of chart c, a decade each, and its axes; of an unknown quantity the axis says so, in two lines.
    function grid(c,  d, i, r, k, known, side, up) {
      for (d = low; d <= top; d++) {
        r = (d - low + 0.5) / span
        printf "$ring%d_%d << EOD\n", c, d - low
        for (i = 1; i <= 18; i++) print x(c, i, r), y(c, i, r)
        print "EOD"
        printf "set label \"%s\" at %g,%g center tc rgb soft font \",%d\"\n", 10 ^ d, x(c, 0.5, r), y(c, 0.5, r), (many ? 8 : 12)
        add(sprintf("$ring%d_%d using 1:2 with lines lc rgb grid lw 1 notitle", c, d - low))
      }
      for (i = 1; i <= 17; i++) {
        printf "set arrow from %g,%g to %g,%g nohead back lc rgb grid lw 1\n", across(c), down(c), x(c, i, 1), y(c, i, 1)
        side = "left"
        if (x(1, i, 1) < 0.1) side = x(1, i, 1) < -0.1 ? "right" : "center"
        up = 0
        if (y(1, i, 1) > 0.1) up = y(1, i, 1) > 0.95 ? 0.14 : 0.07
        known = 0
        for (k = 1; k <= n; k++) known += (!many || k == c) && (k, i) in v
        printf "set label \"%s\" at %g,%g %s tc rgb %s font \",%d\"\n", short[i] (known ? "" : "\\nunknown"), x(c, i, 1.05), y(c, i, 1.05) + (known ? 0 : up), side, (known ? "ink" : "soft"), (many ? 9 : 14)
      }
    }
    # Machine k on chart c: a line from axis to axis, broken where one is unknown.
    function shape(k, c,  i, axis, r) {
      printf "$m%d << EOD\n", k
      for (i = 1; i <= 18; i++) {
        axis = i == 18 ? 1 : i
        if ((k, axis) in v) { r = (v[k, axis] - low + 0.5) / span; print x(c, axis, r), y(c, axis, r) } else print ""
      }
      print "EOD"
      add(sprintf("$m%d using 1:2 with linespoints %s lw 2 ps %s %s", k, (many ? look[1] : look[k]), (many ? 0.5 : 0.9), (!many && n > 1 ? "title \"" plain(name[k]) "\"" : "notitle")))
    }
    BEGIN { split(shorts, short, "|") }
    { n++; name[n] = $1; split($2, q, " "); for (i = 1; i <= 17; i++) if (q[i] != "-") { v[n, i] = log10(q[i]); if (low == "" || v[n, i] < low) low = v[n, i]; if (high == "" || v[n, i] > high) high = v[n, i] } }
    END {
      low = int(low + 100) - 100
      top = int(high + 100) - 100
      if (top < high) top++
      if (top == low) top++
      span = top - low + 0.5
      many = n > overlaid
      charts = many ? n : 1
      look[1] = "lc rgb \"#0550ae\" pt 7 dt 1"; look[2] = "lc rgb \"#953800\" pt 5 dt (8,4)"; look[3] = "lc rgb \"#116329\" pt 9 dt (3,3)"
      print "unset border; unset tics; unset grid; set size ratio -1"
      low_y = n == 1 ? -1.25 : -1.62
      if (many) low_y = down(n) - 1.25
      printf "set xrange [-1.6:%g]; set yrange [%g:%g]\n", (many ? 8.2 : 1.6), low_y, (many ? 1.6 : 1.32)
      print "set lmargin 0; set rmargin 0; set bmargin 0; set tmargin 0"
      for (c = 1; c <= charts; c++) grid(c)
      for (k = 1; k <= n; k++) {
        shape(k, many ? k : 1)
        if (many) printf "set label \"%s\" at %g,%g center tc rgb ink font \",11\"\n", plain(name[k]), across(k), down(k) + 1.42
      }
      if (n > 1 && !many) print "set key bottom center horizontal maxcols 3 Left reverse width 2"
      print "plot " plot
    }' "$scratch/vectors" >"$scratch/$1.plot"
}

draw_vector ()
{
  $AWK -F '|' '$2 != "-" { print $1, $2 }' "$scratch/rows" >"$scratch/vector.rows"
  echo "this machine|$(vector_of "$scratch/vector.rows")" >"$scratch/vectors"
  $AWK '{ k = gsub(/[ |][0-9]/, "") } END { exit k < 3 }' "$scratch/vectors" || {
    drawer vector ask=gap why='Fewer than three of them are known.'
    return 1
  }
  radar vector "$(told all)"
  bars >"$scratch/vector.text"
}

# bars: the vector as text, a bar of each quantity on a logarithmic scale: the shorter the better.
bars ()
{
  $AWK -F '|' -v wide=$((screen - 26)) '
    FILENAME == ARGV[1] { name[++n] = $1; unit[n] = $3; next }
    { split($2, q, " ") }
    END {
      for (i = 1; i <= n; i++) if (q[i] != "-") { if (!k++ || q[i] < low) low = q[i]; if (q[i] > high) high = q[i] }
      low = log(low / 1.3); span = log(high) - low
      for (i = 1; i <= n; i++) {
        bar = ""
        if (q[i] != "-") for (k = int((log(q[i]) - low) / span * wide + 0.5); k > 0; k--) bar = bar "#"
        printf "%-12s %10s  %s\n", name[i], (q[i] == "-" ? "unknown" : q[i] (unit[i] == "cycles" ? "" : " " unit[i])), bar
      }
    }' "$parts/quantities" "$scratch/vectors" | sed 's/ *$//'
}

# told [all]: of the first vector what is known; of what no vector knows a sentence.
told ()
{
  $AWK -F '|' -v all="${1-}" '
    FILENAME == ARGV[1] { name[++n] = $1; next }
    { split($2, q, " "); for (i = 1; i <= n; i++) if (q[i] != "-") { known[i]++; if (FNR == 1) { some++; text = text (some > 1 ? ", " : "") name[i] " " q[i] } } }
    END {
      if (all) printf "%d of 17 are known: %s.", some, text
      for (i = 1; i <= n; i++) if (!known[i]) lost = lost (lost == "" ? "" : ", ") name[i]
      if (lost != "") printf " Unknown: %s.", lost
    }' "$parts/quantities" "$scratch/vectors"
}

# ---- hwconfig compare ----------------------------------------------------------------------------------------

# json_rows FILE: lines NAME VALUE.
json_rows ()
{
  $AWK '
    /^  "HW_[A-Z0-9_]*": \{$/ { name = $1; gsub(/[^A-Z0-9_]/, "", name) }
    /^    "value": [0-9]/ { v = $2; sub(/,$/, "", v); print name, v }' "$1"
}

# gather FILE N: name and rows of the Nth machine, to $scratch/N.name and N.rows, and its curve of latency, where
# there is one, to N.levels.
gather ()
{
  found=
  case $1 in
  *.json)
    whole "$1"
    json_rows "$1" >"$scratch/$2.rows"
    name=$(sed -n 's/^  "name": "\(.*\)",*$/\1/p' "$1" | sed 1q)
    short=${1##*/}
    short=${short%.json}
    case $name,$short in
    ,hwconfig)
      folder=$(dirname -- "$1")
      name=$(cd "$folder" && basename -- "$(pwd)") ;;
    ,*) name=$short ;;
    esac
    test "$short" != hwconfig || found=$(dirname -- "$1")/hwconfig.d ;;
  *)
    if test -d "$1"; then
      whole_folder "${1%/}" "$2"
      name=$(basename -- "$1")
    elif test -f "$1"; then
      recorded_rows "$1" >"$scratch/$2.rows"
      name=$(basename -- "$1")
      name=$(basename -- "$(dirname -- "$1")")/${name%.txt.gz}
    else
      fail 2 "compare: $1: no such file or folder"
    fi ;;
  esac
  test -s "$scratch/$2.rows" || bad_file "compare: $1: it has no values"
  test ! -f "$found/levels.curve" || sed '/^#/d' "$found/levels.curve" >"$scratch/$2.levels"
  printf '%s\n' "$name" | tr -d '|' >"$scratch/$2.name"
}

# whole_folder FOLDER N: a folder where configure has run, one of curves, or one of recordings of one processor,
# of which each row counts by its median.
whole_folder ()
{
  if test -f "$1/hwconfig.json"; then
    whole "$1/hwconfig.json"
    json_rows "$1/hwconfig.json" >"$scratch/$2.rows"
    found=$1/hwconfig.d
    return
  fi
  for file in "$1"/*.txt.gz; do
    test -f "$file" || break
    recorded_rows "$file" >>"$scratch/$2.all"
  done
  if test -f "$scratch/$2.all"; then
    sort -k 1,1 -k 2,2n "$scratch/$2.all" | $AWK '
      function tell() { if (k) print name, k % 2 ? v[(k + 1) / 2] : (v[k / 2] + v[k / 2 + 1]) / 2 }
      $1 != name { tell(); name = $1; k = 0 }
      { v[++k] = $2 }
      END { tell() }' >"$scratch/$2.rows"
    return
  fi
  set -- "$1" "$2" "$1"/*.curve
  test -f "$3" || fail 2 "compare: $1: neither hwconfig.json nor curves nor recordings are there"
  whole_curves "$1"
  reduced "$1" "$scratch/$2.json"
  json_rows "$scratch/$2.json" >"$scratch/$2.rows"
  found=$1
}

# recorded_rows FILE
recorded_rows ()
{
  rm -rf "$scratch/of"
  unpack "$1" "$scratch/of"
  found=$scratch/of/hwconfig.d
  reduced "$scratch/of/hwconfig.d" "$scratch/of.json"
  json_rows "$scratch/of.json"
}

compare ()
{
  to='' scores='' machines=0 curves=$data/hwconfig.d
  begin
  : >"$scratch/vectors"
  while test $# -gt 0; do
    case $1 in
    -o)
      test $# -gt 1 && test -n "$2" || fail 2 'compare: -o: name a file'
      to=$2
      shift ;;
    --scores=?*) scores=${1#*=} ;;
    -*) fail 2 "compare: $1: no such option (there are -o FILE and --scores=TABLE)" ;;
    *)
      machines=$((machines + 1))
      gather "$1" $machines ;;
    esac
    shift
  done
  test $machines -gt 1 || fail 2 'compare: name two machines or more: files hwconfig.json, recordings, or folders of one of them'
  case $to in
  '' | - | *.html | *.svg) ;;
  *) fail 2 "compare: $to: neither .html nor .svg" ;;
  esac
  k=0
  while test $k -lt $machines; do
    k=$((k + 1))
    echo "$(cat "$scratch/$k.name")|$(vector_of "$scratch/$k.rows")"
  done >"$scratch/vectors"
  $AWK -f "$parts/families.awk" "$scratch/vectors" >"$scratch/families"
  : >"$scratch/scores"
  if test -n "$scores"; then
    test -f "$scores" && test -r "$scores" || fail 2 "compare: $scores: cannot be read"
    $AWK -f "$parts/scores.awk" "$scratch/families" "$scratch/vectors" "$scores" >"$scratch/scores" ||
      bad_file "compare: $scores: $(sed -n 's/^error //p' "$scratch/scores")"
  fi
  case $to in
  *.html | *.svg)
    need_gnuplot
    radar compared "The seventeen quantities of $(compared_names) in cycles, on a logarithmic scale; the nearer to the middle the better.$(told)" ;;
  esac
  case $to in
  *.html)
    compared_page >"$scratch/page"
    deliver "$scratch/page" "$to" ;;
  *.svg)
    render compared alone "$scratch/out"
    deliver "$scratch/out" "$to" ;;
  *)
    compared_text >"$scratch/out"
    deliver "$scratch/out" - ;;
  esac
}

# draw_latencies: of the first six machines, if there is a curve, over each other.
draw_latencies ()
{
  absent='' k=0
  curves=$scratch/over
  mkdir "$curves" || exit 1
  while test $k -lt $machines && test $k -lt 6; do
    k=$((k + 1))
    name=$(cat "$scratch/$k.name")
    if test -s "$scratch/$k.levels"; then
      { echo "# name: $name"; cat "$scratch/$k.levels"; } >"$curves/m$k.curve"
    else
      absent="$absent${absent:+, }$name"
    fi
  done
  list_curves
  drawer latencies also="${absent:+No curve is here of: $absent.}"
}

# compared_names: the machines, and how much of each is known: what is not is a gap in its line.
compared_names ()
{
  $AWK -F '|' '
    { k = 0; for (i = split($2, q, " "); i >= 1; i--) k += q[i] != "-"; printf "%s%s (%d known)", (NR > 1 ? ", " : ""), $1, k }' "$scratch/vectors"
}

# compared_rows: lines QUANTITY|V1|V2|...; of two or more, ratios to the first behind them.
compared_rows ()
{
  $AWK -F '|' '
    FILENAME == ARGV[1] { text[++n] = $2 " (" $3 ")"; next }
    { m++; name[m] = $1; split($2, q, " "); for (i = 1; i <= 17; i++) v[m, i] = q[i] }
    END {
      line = "quantity"
      for (k = 1; k <= m; k++) line = line "|" name[k]
      for (k = 2; k <= m; k++) line = line "|" (m > 2 ? name[k] " / " name[1] : "ratio")
      print line
      for (i = 1; i <= n; i++) {
        line = text[i]
        for (k = 1; k <= m; k++) line = line "|" v[k, i]
        for (k = 2; k <= m; k++) line = line "|" (v[k, i] != "-" && v[1, i] != "-" ? sprintf("%.2f", v[k, i] / v[1, i]) : "-")
        print line
      }
    }' "$parts/quantities" "$scratch/vectors"
}

# The most machines that stand beside each other in a table.
most_beside=6

compared_text ()
{
  if test $machines -le $most_beside; then
    compared_rows | columns
    echo
  fi
  echo 'Per-shape distance (standard deviation of the logarithms of ratios), and of how many quantities:'
  matrix | columns
  # Of two there is no outside.
  test $machines -le 2 || {
    echo
    echo 'Families, each nearer to each other than to any other, at 95 per cent:'
    family_lines
  }
  cat "$scratch/scores"
}

# columns: lines with bars as a table.
columns ()
{
  $AWK -F '|' '
    { for (i = 1; i <= NF; i++) { cell[NR, i] = $i; if (length($i) > width[i]) width[i] = length($i) } if (NF > most) most = NF }
    END {
      for (r = 1; r <= NR; r++) {
        line = sprintf("%-" width[1] "s", cell[r, 1])
        for (i = 2; i <= most; i++) line = line sprintf("  %" width[i] "s", cell[r, i])
        sub(/ +$/, "", line)
        print line
      }
    }'
}

# matrix: lines NAME|D|D..., the upper half with the distances, the lower with how many quantities are common.
matrix ()
{
  $AWK '
    $1 == "name" { n = $2; sub(/^name [0-9]+ /, ""); name[n] = $0 }
    $1 == "distance" { d[$2, $3] = $4 == "-" ? "-" : sprintf("%.2f", $4); d[$3, $2] = "(" $6 ")" }
    END {
      line = " "
      for (b = 1; b <= n; b++) line = line "|" b
      print line
      for (a = 1; a <= n; a++) {
        line = a " " name[a]
        for (b = 1; b <= n; b++) line = line "|" (a == b ? "" : d[a, b])
        print line
      }
    }' "$scratch/families"
}

# family_lines: the names of each family; what is in none; what cannot be told of.
family_lines ()
{
  $AWK '
    $1 == "name" { n = $2; sub(/^name [0-9]+ /, ""); name[n] = $0 }
    $1 == "distance" && $4 != "-" { some[$2] = some[$3] = 1 }
    $1 == "family" { line = ""; for (i = 2; i <= NF; i++) { line = line (i > 2 ? ", " : "") name[$i]; member[$i] = 1 } print "  " line; k++ }
    END {
      if (!k) print "  none"
      for (a = 1; a <= n; a++) if (!(a in some)) lost = lost (lost == "" ? "" : ", ") name[a]
      for (a = 1; a <= n; a++) if (a in some && !(a in member)) alone = alone (alone == "" ? "" : ", ") name[a]
      if (alone != "") print "  by itself each: " alone
      if (lost != "") print "  too little is known: " lost
    }' "$scratch/families"
}

# family_graph: for dot: families as boxes within one another, and from each machine an edge to its nearest.
family_graph ()
{
  $AWK '
    function quoted(text) { gsub(/["\\]/, "", text); return "\"" text "\"" }
    $1 == "name" { n = $2; sub(/^name [0-9]+ /, ""); name[n] = $0 }
    $1 == "distance" && $4 != "-" { d[$2, $3] = d[$3, $2] = $4; u[$2, $3] = u[$3, $2] = $5 }
    $1 == "family" { k++; members[k] = $0; size[k] = NF - 1 }
    # The family that holds family f next, or 0.
    function parent(f,  g) { for (g = f + 1; g <= k; g++) if (index(members[g] " ", " " first[f] " ")) return g; return 0 }
    function box(f,  g, i, w, m) {
      printf "subgraph cluster_%d { style=\"rounded\"; color=\"#0550ae\"; penwidth=1.5;\n", f
      for (g = f - 1; g >= 1; g--) if (above[g] == f) box(g)
      m = split(members[f], w, " ")
      for (i = 2; i <= m; i++) if (!(w[i] in placed)) { placed[w[i]] = 1; printf "n%d;\n", w[i] }
      print "}"
    }
    END {
      print "graph families { layout=fdp; start=1; K=0.9; sep=\"+12\"; overlap=false; splines=true; bgcolor=\"transparent\"; fontname=\"sans-serif\";"
      print "node [shape=box, style=\"rounded\", fontname=\"sans-serif\", fontsize=12, color=\"#57606a\", fontcolor=\"#1b1f24\", height=0.3];"
      print "edge [fontname=\"sans-serif\", fontsize=10, color=\"#57606a\", fontcolor=\"#1b1f24\"];"
      for (a = 1; a <= n; a++) printf "n%d [label=%s];\n", a, quoted(name[a])
      for (f = 1; f <= k; f++) { split(members[f], w, " "); first[f] = w[2] }
      for (f = 1; f <= k; f++) above[f] = parent(f)
      for (f = k; f >= 1; f--) if (!above[f]) box(f)
      for (a = 1; a <= n; a++) {
        near = 0
        for (b = 1; b <= n; b++) if ((a, b) in u && (!near || u[a, b] < u[a, near])) near = b
        if (near && !((near, a) in drawn)) { drawn[a, near] = 1; printf "n%d -- n%d [label=\" %.2f \"];\n", a, near, d[a, near] }
      }
      print "}"
    }' "$scratch/families"
}

# family_figure: the graph, where dot is.
family_figure ()
{
  echo 'Machines, each with a line to the nearest in shape and how far that is; a frame is around a family.' >"$scratch/graph.says"
  family_graph >"$scratch/graph"
  dot -V >/dev/null 2>&1 && dot -Tsvg "$scratch/graph" >"$scratch/graph.svg" 2>/dev/null || return 0
  echo '<figure class="whole"><h3>Families</h3><div class="wide" tabindex="0" role="region" aria-label="Families">'
  $AWK -v id=graph -v title='Families of machines' -v desc="$(cat "$scratch/graph.says") $(family_lines | $AWK '{ printf "%s%s", (NR > 1 ? ";" : "Families:"), $0 }')" -v wide=1 \
    -f "$parts/svg.awk" "$scratch/graph.svg"
  echo '</div>'
  echo "<figcaption>$(cat "$scratch/graph.says")</figcaption></figure>"
}

# html_table CAPTION: lines with bars as a table; the first is its head.
html_table ()
{
  echo "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"$1\"><table><caption>$1</caption>"
  escaped | $AWK -F '|' '
    NR == 1 { printf "<thead><tr>"; for (i = 1; i <= NF; i++) printf "<th scope=\"col\">%s</th>", $i; print "</tr></thead><tbody>"; next }
    { printf "<tr><th scope=\"row\">%s</th>", $1; for (i = 2; i <= NF; i++) printf "<td class=\"number\">%s</td>", $i; print "</tr>" }
    END { print "</tbody>" }'
  echo '</table></div>'
}

# all_rows: lines ROW|V1|V2|... of what is known of some, with ratios to the first of two.
all_rows ()
{
  k=0
  {
    while test $k -lt $machines; do
      k=$((k + 1))
      sed "s/^/$k /" "$scratch/$k.rows"
    done
    rows macro
  } | $AWK -v m=$machines -v names="$(sed 's/|.*//' "$scratch/vectors" | tr '\n' '|')" '
    NF > 1 { v[$1, $2] = $3; some[$2] = 1; next }
    function tell(row,  k, line) {
      line = row
      for (k = 1; k <= m; k++) line = line "|" ((k, row) in v ? v[k, row] : "-")
      if (m == 2) line = line "|" ((1, row) in v && (2, row) in v && v[1, row] > 0 ? sprintf("%.2f", v[2, row] / v[1, row]) : "-")
      print line
    }
    BEGIN { print "parameter|" substr(names, 1, length(names) - 1) (m == 2 ? "|ratio" : "") }
    NF == 1 && ("HW_" $1) in some { tell("HW_" $1) }'
}

compared_page ()
{
  echo '<!DOCTYPE html>'
  echo '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
  echo '<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">'
  echo "<title>$machines machines compared by hwconfig</title><style>"
  cat "$parts/style.css"
  echo '</style></head><body><main>'
  echo "<h1>$machines machines compared</h1>"
  echo '<div class="pictures">'
  figure compared
  ! draw_latencies || figure latencies
  test $machines -le 2 || family_figure
  echo '</div>'
  test $machines -le 2 || {
    echo '<h2>Families</h2><p>Machines that are nearer to each other than any of them is to another, at 95 per cent:</p><ul>'
    family_lines | escaped | sed 's|^ *\(.*\)$|<li>\1</li>|'
    echo '</ul>'
  }
  test ! -s "$scratch/scores" || {
    echo '<h2>Against published scores</h2><ul>'
    escaped <"$scratch/scores" | sed 's|^\(.*\)$|<li>\1</li>|'
    echo '</ul>'
  }
  echo '<h2>Distances</h2>'
  matrix | html_table 'Per-shape distance: standard deviation of the logarithms of ratios; below the diagonal, of how many quantities'
  echo '<h2>The seventeen quantities</h2>'
  compared_rows | html_table 'In cycles, of mispredictions in per cent; ratios to the first; - is unknown'
  echo '<h2>All parameters</h2>'
  all_rows | html_table 'What is known of any of them'
  echo '</main></body></html>'
}
