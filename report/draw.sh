# shellcheck shell=sh disable=SC2015,SC2016,SC2034,SC2086,SC2154
# draw.sh: the pictures, each what gnuplot is to be told.  Sourced by report.sh.
#
# A picture is written to $scratch/ID.plot; its title and what it says, in a sentence or two, to ID.title
# and ID.says; its size, for SVG, to ID.size.  A function draw_X fails where what it needs was not measured.
# Text, lines and series have the colours that svg.awk knows; each series has its own point and dash too.

# points NAME: the points of a curve.
points ()
{
  sed '/^#/d' "$curves/$1.curve"
}

# is_curve NAME: whether it is there and has a point.
is_curve ()
{
  test -f "$curves/$1.curve" && grep -v '^#' "$curves/$1.curve" >/dev/null
}

# value NAME: of a row; nothing when it is unknown.
value ()
{
  sed -n "s/^$1|\([0-9.]*\)|.*/\1/p" "$scratch/rows"
}

# unknown ROW...: a sentence, behind a blank, of those that are unknown, and why; nothing when all are known.
# What is of a level that is not there is left out.
unknown ()
{
  $AWK -F '|' -v rows="$*" '
    FILENAME == ARGV[1] { why[$1] = $2; next }
    { value[$1] = $2; title[$1] = $7; sub(/ in hundredths$/, "", title[$1]) }
    function told(reason) { return reason == "" ? "" : " (" reason ")" }
    function absent(row) { return row ~ /^HW_L[123]_/ && value["HW_HAVE_" substr(row, 4, 2)] == "0" }
    END {
      n = split(rows, row, " ")
      for (i = 1; i <= n; i++) {
        if (value[row[i]] != "-" || absent(row[i])) continue
        text = text (k++ ? (why[row[i]] == last ? ", " : told(last) "; ") : "") title[row[i]]
        last = why[row[i]]
      }
      if (k) printf " Unknown: %s%s.", text, told(last)
    }' "$scratch/reasons" "$scratch/rows"
}

# picture ID WIDTH HEIGHT TITLE SENTENCE: begins one.
picture ()
{
  printf '%s\n' "$4" >"$scratch/$1.title"
  printf '%s\n' "$5" >"$scratch/$1.says"
  echo "$2 $3" >"$scratch/$1.size"
  exec 7>"$scratch/$1.plot"
}

# bytes NUMBER: as 48 KiB.
bytes ()
{
  $AWK -v b="$1" "$amounts"' BEGIN { print amount(b) }'
}
amounts='
  function trim(v) { v = sprintf(v < 9.995 ? "%.2f" : v < 99.95 ? "%.1f" : "%.0f", v); if (v ~ /\./) sub(/\.?0+$/, "", v); return v }
  function amount(b) {
    return b < 1024 ? trim(b) " B" : b < 1048576 ? trim(b / 1024) " KiB" : b < 1073741824 ? trim(b / 1048576) " MiB" : trim(b / 1073741824) " GiB"
  }'

# byte_ticks AXIS: reads numbers of bytes; a scale by powers of two, with eight ticks or fewer.
byte_ticks ()
{
  $AWK -v axis="$1" "$amounts"'
    $1 > 0 { if (!n++ || $1 < low) low = $1; if ($1 > high) high = $1 }
    END {
      if (!n) exit
      from = int(log(low) / log(2) + 1e-9)
      to = int(log(high) / log(2) + 0.999999)
      if (to == from) to++
      step = int((to - from) / 7) + 1
      printf "set logscale %s 2\nset %srange [%.0f:%.0f]\nset %stics (", axis, axis, 2 ^ from * 0.84, 2 ^ to * 1.19, axis
      for (i = from; i <= to; i += step) printf "%s\"%s\" %.0f", (i > from ? ", " : ""), amount(2 ^ i), 2 ^ i
      print ")"
    }'
}

# even_byte_ticks: reads numbers of bytes, zero or less among them; five ticks or so on a linear scale.
even_byte_ticks ()
{
  $AWK "$amounts"'
    { if (NR == 1 || $1 < low) low = $1; if (NR == 1 || $1 > high) high = $1 }
    END {
      if (high <= low) exit
      for (step = 1; (high - low) / step > 5; step *= 2) ;
      printf "set xtics ("
      for (x = int(low / step) * step; x <= high; x += step) printf "%s\"%s%s\" %.0f", (k++ ? ", " : ""), (x < 0 ? "-" : ""), amount(x < 0 ? -x : x), x
      print ")"
    }'
}

# block NAME: standard input as a block of data.
block ()
{
  echo "\$$1 << EOD"
  cat
  echo EOD
}

colour_of ()
{
  case $1 in
  1) echo '#0550ae' ;;
  2) echo '#953800' ;;
  3) echo '#116329' ;;
  4) echo '#6639ba' ;;
  5) echo '#a40e26' ;;
  *) echo '#1b6a70' ;;
  esac
}

# series N: how the Nth line of a picture looks.
series ()
{
  case $1 in
  1) echo "lc rgb '#0550ae' pt 7 dt 1" ;;
  2) echo "lc rgb '#953800' pt 5 dt (8,4)" ;;
  3) echo "lc rgb '#116329' pt 9 dt (3,3)" ;;
  4) echo "lc rgb '#6639ba' pt 11 dt (8,3,2,3)" ;;
  5) echo "lc rgb '#a40e26' pt 13 dt (12,4)" ;;
  *) echo "lc rgb '#1b6a70' pt 4 dt (2,4)" ;;
  esac
}

# nested N: the size of the points of the Nth of lines that may coincide: all of them are seen.
nested ()
{
  case $1 in
  1) echo 1.4 ;;
  2) echo 1 ;;
  *) echo 0.6 ;;
  esac
}

# ---- Latency over the working set ---------------------------------------------------------------

draw_latency ()
{
  is_curve levels || return 1
  says=
  ps=$(value HW_CYCLE_PS)
  : "${ps:=0}"
  for level in L1 L2 L3 MEM; do
    x100=$(value HW_${level}_LAT_X100)
    case $level in
    MEM) name=memory ;;
    *) name=$level ;;
    esac
    test -z "$x100" || test "$(value "HW_HAVE_$level")" = 0 || $AWK -v l="$name" -v x="$x100" -v ps="$ps" "$amounts"' BEGIN {
      print l "|" x / 100 "|" l " " trim(x / 100) " cycles" (ps ? ", " trim(x * ps / 1e5) " ns" : "") }'
  done >"$scratch/lines"
  # Of an unknown latency a word stands where it would be: between its neighbours, or thrice the last one.
  for level in L1 L2 L3 MEM; do
    test "$(value "HW_HAVE_$level")" = 0 || echo "$level $(value HW_${level}_LAT_X100)"
  done | sed 's/^MEM/memory/' | $AWK '
    { name[NR] = $1; v[NR] = $2 }
    END {
      for (i = 1; i <= NR; i++) {
        if (v[i] != "") { last = v[i] / 100; continue }
        for (k = i + 1; k <= NR && v[k] == ""; k++) ;
        if (last != "" && k <= NR) last = sqrt(last * v[k] / 100)
        else if (last != "") last *= 3
        else if (k <= NR) last = v[k] / 100 / 3 ^ (k - i)
        else continue
        print name[i] "|" last
      }
    }' >"$scratch/unknown"
  for level in L1 L2 L3; do
    eff=$(value HW_${level}_EFF_BYTES)
    test -z "$eff" || test "$(value "HW_HAVE_$level")" = 0 || echo "$level|$eff|$level to $(bytes "$eff")|$(sed -n "s/^$level|\([^|]*\).*/\1/p" "$scratch/lines" "$scratch/unknown")"
  done >"$scratch/ends"
  # What the exact method found.
  for level in L1 L2 L3; do
    grep "^HW_${level}_BYTES|[0-9]*|measured|" "$scratch/rows" >/dev/null && test "$(value "HW_HAVE_$level")" != 0 || continue
    exact=$(value HW_${level}_BYTES)
    ways=$(value HW_${level}_ASSOC)
    echo "$level|$exact|$level holds $(bytes "$exact")${ways:+ in $ways ways}"
  done >"$scratch/exact"
  # Plateaus that anyone reads off the picture, and that were not clear enough to be published.
  facts seen <"$scratch/rows" | $AWK -F '|' "$amounts"'{
    about = $2 < 100 ? sprintf("%.0f", $2) : sprintf("%.0f", $2 / 10) * 10
    print $1 "|" about "|" $3 "|" $4 "|" ($1 == "?" ? "a plateau" : $1 == "MEM" ? "memory" : $1) "|" amount($3) " to " amount($4) }' >"$scratch/seen"
  for n in 1 2; do
    reach=$(value HW_TLB${n}_REACH_BYTES)
    test -z "$reach" || echo "$n|$reach|TLB $n to $(bytes "$reach")"
  done >"$scratch/reaches"
  says="A load takes longer the larger the working set is: $(cut -d '|' -f 3 "$scratch/lines" | $AWK '{ printf "%s%s", (NR > 1 ? "; " : ""), $0 }'). Dashed lines end what a level holds without a penalty: $(cut -d '|' -f 3 "$scratch/ends" | $AWK '{ printf "%s%s", (NR > 1 ? ", " : ""), $0 } END { if (!NR) printf "none is known" }')."
  test ! -s "$scratch/reaches" || says="$says Reach: $(cut -d '|' -f 3 "$scratch/reaches" | $AWK '{ printf "%s%s", (NR > 1 ? ", " : ""), $0 } END { print "." }')"
  test -s "$scratch/lines" || says='A load takes longer the larger the working set is; of no level a latency is known.'
  says="$says$($AWK -F '|' '{ printf "%s%s", (NR > 1 ? "; " : " By the exact method "), $3 } END { if (NR) printf "." }' "$scratch/exact")"
  says="$says$($AWK -F '|' '{ printf "%s%s at about %s cycles from %s", (NR > 1 ? "; " : " Seen, but not clear enough to be published: "), $5, $2, $6 } END { if (NR) printf "." }' "$scratch/seen")"
  says="$says$(unknown HW_L1_LAT_X100 HW_L2_LAT_X100 HW_L3_LAT_X100 HW_MEM_LAT_X100 HW_L1_EFF_BYTES HW_L2_EFF_BYTES HW_L3_EFF_BYTES HW_TLB1_REACH_BYTES HW_TLB2_REACH_BYTES)"
  picture latency 640 500 'Latency over the working set' "$says"
  {
    points levels | block points
    # The second chain loads a line of each page: what TLBs add.
    page=$(value HW_PAGE_BYTES)
    if test -n "$page" && is_curve map_spread; then
      points map_spread | $AWK -v page="$page" '{ print $1 * page, $2 }' | block spread
      spread=", \$spread using 1:2 with linespoints $(series 2) lw 1.5 ps 0.5 title 'one line of each page, by the pages'"
    else
      spread=
    fi
    # Room on the left for a word, below for the reach of TLBs.
    points levels | $AWK 'NR == 1 { print $1 / 4 } { print }' | byte_ticks x
    points levels | $AWK -v ps="$ps" '
      { if (NR == 1 || $2 < low) low = $2; if ($2 > high) high = $2 }
      END {
        low /= 6; high *= 1.6
        printf "set yrange [%g:%g]\nset logscale y\n", low, high
        if (ps) printf "set y2range [%g:%g]\nset logscale y2\nset y2tics (", low * ps / 1000, high * ps / 1000
        if (ps) { for (d = 1e-3; d < 1e7; d *= 10) { if (d >= low * ps / 1000 && d <= high * ps / 1000) printf "%s\"%g\" %g", (k++ ? ", " : ""), d, d; if (3 * d >= low * ps / 1000 && 3 * d <= high * ps / 1000) printf "%s\"%g\" %g", (k++ ? ", " : ""), 3 * d, 3 * d }; print ")\nset y2label \"time of a load (ns)\"" }
        printf "set ytics ("; k = 0
        for (d = 1e-2; d < 1e7; d *= 10) { if (d >= low && d <= high) printf "%s\"%g\" %g", (k++ ? ", " : ""), d, d; if (3 * d >= low && 3 * d <= high) printf "%s\"%g\" %g", (k++ ? ", " : ""), 3 * d, 3 * d }
        print ")"
      }'
    echo "set xlabel 'working set'"
    echo "set ylabel 'time of a load (cycles)'"
    echo "set tmargin $(test -s "$scratch/exact" && echo 4.6 || echo 2.8); set rmargin 8.5"
    echo "if (exists('dumb')) unset y2label"
    # The label of memory stands on the left, where the curve is low; others on the right.
    $AWK -F '|' '{
      printf "set arrow from graph 0, first %g to graph 1, first %g nohead back lc rgb \"#57606a\" lw 1 dt (2,3)\n", $2, $2
      printf "set label \"%s\" at graph %s, first %g %s offset 0,%s tc rgb \"#1b1f24\"\n", ($1 == "memory" ? lines($3) : $3), ($1 == "memory" ? "0.01" : "0.985"), $2, ($1 == "memory" ? "left" : "right"), "-0.7"
    }
    # Between the scale and where level 1 ends there is room for a word.
    function lines(text) { sub(/ /, "\\n", text); sub(/, /, "\\n", text); return text }' "$scratch/lines"
    $AWK -F '|' '{
      printf "set arrow from first %.0f, %s to first %.0f, graph 1 nohead back lc rgb \"#0550ae\" lw 1.5 dt (6,4)\n", $2, ($4 == "" ? "graph 0.2" : "first " $4), $2
      printf "set label \"%s\" at first %.0f, graph 1 center front offset 0,%s tc rgb \"#0550ae\"\n", $3, $2, (NR % 2 ? "0.6" : "1.5")
    }' "$scratch/ends"
    # One access in twenty misses where a load takes a twentieth of the way to the next level longer.
    $AWK -F '|' '
      FILENAME == ARGV[1] { n++; name[n] = $1; cycles[n] = $2; next }
      { for (i = 1; i < n; i++) if (name[i] == $1) {
          y = cycles[i] + 0.05 * (cycles[i + 1] - cycles[i])
          printf "set arrow from first %.0f, first %g to first %.0f, first %g nohead front lc rgb \"#a40e26\" lw 2\n", $2 / 1.9, y, $2 * 1.9, y
          if (!k++) printf "set label \"5 %% misses \" at first %.0f, first %g right front offset 0,0.7 tc rgb \"#a40e26\"\n", $2 / 1.2, y
        } }' "$scratch/lines" "$scratch/ends"
    $AWK -F '|' '{
      printf "set arrow from first %.0f, graph 0 to first %.0f, graph 1 nohead back lc rgb \"#116329\" lw 1.5\n", $2, $2
      printf "set label \"%s\" at first %.0f, graph 1 center front offset 0,%s tc rgb \"#116329\"\n", $3, $2, (NR % 2 ? "2.5" : "3.4")
    }' "$scratch/exact"
    $AWK -F '|' '{
      printf "set arrow from first %.0f, first %g to first %.0f, first %g heads back lc rgb \"#6639ba\" lw 2 dt (2,3)\n", $3, $2, $4, $2
      printf "set label \"%s: about %s cycles\\nseen, not published\" at first %.0f, first %g right front offset 0,2 tc rgb \"#6639ba\"\n", $5, $2, $3, $2
    }' "$scratch/seen"
    $AWK -F '|' '{
      y = NR == 1 ? 0.035 : 0.09
      printf "set arrow from first %.0f, graph 0 to first %.0f, graph %g nohead lc rgb \"#953800\" lw 2.5\n", $2, $2, y + 0.03
      printf "set label \"%s \" at first %.0f, graph %g right front tc rgb \"#953800\"\n", $3, $2, y
    }' "$scratch/reaches"
    # Of what is seen the picture has said so.
    $AWK -F '|' '
      FILENAME == ARGV[1] { said[$5] = 1; next }
      $1 in said { next }
      {
      if ($1 == "memory") print "set label \"memory\\nunknown\" at graph 0.01, graph 0.96 left tc rgb soft"
      else printf "set label \"%s unknown\" at graph 0.985, first %g right tc rgb soft\n", $1, $2
    }' "$scratch/seen" "$scratch/unknown"
    echo 'set key bmargin center horizontal'
    echo "plot \$points using 1:2 with linespoints $(series 1) lw 2 ps 0.55 title 'all lines of a working set: a dot is one size'$spread"
  } >&7
}

# ---- Bandwidth -----------------------------------------------------------------------------------

draw_bandwidth ()
{
  plots=
  said=
  : >"$scratch/all"
  picture bandwidth 500 370 'Bandwidth by level, one thread' ''
  n=0
  for kind in read write copy; do
    n=$((n + 1))
    is_curve bandwidth_$kind || continue
    points bandwidth_$kind | $AWK '{ print $1, 1 / $2 }' >"$scratch/$kind.points"
    cat "$scratch/$kind.points" >>"$scratch/all"
    block $kind <"$scratch/$kind.points" >&7
    plots="$plots${plots:+, }\$$kind using 1:2 with linespoints $(series $n) lw 2 ps 0.8 title '$kind'"
    for level in L1 L2 L3 MEM; do
      upper=$(echo $kind | tr '[:lower:]' '[:upper:]')
      mbs=$(value HW_${level}_${upper}_MBS)
      test -z "$mbs" || test "$(value "HW_HAVE_$level")" = 0 || said="$said${said:+; }$kind $level $($AWK -v v="$mbs" "$amounts"' BEGIN { print trim(v / 1000) }') GB/s"
    done
  done
  test -n "$plots" || return 1
  rows=
  for level in L1 L2 L3 MEM; do
    rows="$rows HW_${level}_READ_MBS HW_${level}_WRITE_MBS HW_${level}_COPY_MBS"
  done
  echo "What a single thread moves, by where it lies: ${said:-of no level a bandwidth is known}.$(unknown $rows)" | sed 's/ MEM / memory /g' >"$scratch/bandwidth.says"
  {
    byte_ticks x <"$scratch/all"
    echo "set xlabel 'working set'; set ylabel 'bandwidth (GB/s)'; set logscale y; set format y '%g'"
    $AWK '{ if (NR == 1 || $2 < low) low = $2; if ($2 > high) high = $2 } END { printf "set yrange [%g:%g]\n", low / 4, high * 1.3 }' "$scratch/all"
    one_two_five y <"$scratch/all"
    for level in L1 L2 L3; do
      eff=$(value HW_${level}_EFF_BYTES)
      test -z "$eff" || test "$(value "HW_HAVE_$level")" = 0 || {
        echo "set arrow from first $eff, graph 0 to first $eff, graph 1 nohead back lc rgb '#57606a' dt (2,3)"
        echo "set label 'end of $level' at first $eff, graph 0.02 left rotate by 90 offset 0.7,0 tc rgb '#57606a'"
      }
    done
    echo 'set key bmargin center horizontal'
    echo "plot $plots"
  } >&7
}

# one_two_five AXIS: reads points; ticks 1, 2, 5 of a logarithmic axis, or fewer.
one_two_five ()
{
  $AWK -v axis="$1" '
    $2 > 0 { if (!n++ || $2 < low) low = $2; if ($2 > high) high = $2 }
    END {
      if (!n) exit
      low /= 4; high *= 1.9
      wide = high / low > 300
      printf "set %stics (", axis
      for (d = 1e-6; d < 1e9; d *= 10)
        for (m = 1; m <= 5; m += m == 1 ? 1 : 3)
          if (d * m >= low && d * m <= high && (!wide || m == 1)) printf "%s\"%g\" %g", (k++ ? ", " : ""), d * m, d * m
      print ")"
    }'
}

draw_threads ()
{
  is_curve mem_threads || return 1
  threads=$(value HW_MEM_THREADS)
  total=$(value HW_MEM_TOTAL_MBS)
  says='What all threads together read from memory.'
  test -z "$threads" || says="$says $threads of them saturate it"
  test -z "$threads" || test -z "$total" || says="$says: $($AWK -v v="$total" "$amounts"' BEGIN { print trim(v / 1000) }') GB/s"
  test -z "$threads" || says="$says."
  says="$says$(unknown HW_MEM_THREADS HW_MEM_TOTAL_MBS)"
  picture threads 500 340 'Bandwidth of memory by threads' "$says"
  {
    points mem_threads | block points
    echo "set xlabel 'threads that read'; set ylabel 'together (GB/s)'; set yrange [0:*]"
    whole_ticks mem_threads
    test -z "$threads" || mark_x "$threads" "$threads saturate"
    echo "plot \$points using 1:2 with linespoints $(series 1) lw 2 ps 0.9 notitle"
  } >&7
}

# whole_ticks CURVE: a scale of whole numbers from zero or so on.
whole_ticks ()
{
  points "$1" | $AWK '
    { if (NR == 1 || $1 < low) low = $1; if (NR == 1 || $1 > high) high = $1 }
    END {
      span = high - low
      for (step = 1; span / step > 9; step *= (k++ % 3 == 1 ? 2.5 : 2)) ;
      printf "set xrange [%g:%g]\nset xtics %g\n", low - span * 0.05 - (span ? 0 : 1), high + span * 0.05 + (span ? 0 : 1), step
    }'
}

# mark_x X TEXT [AT]: the point that a reduction chose, on the x axis; AT of the height.
mark_x ()
{
  echo "set arrow from first $1, graph 0 to first $1, graph 1 nohead back lc rgb '#a40e26' lw 2 dt (6,4)"
  echo "set label '$2' at first $1, graph ${3:-1.05} center front tc rgb '#a40e26'"
  echo 'set tmargin 3'
}

# mark_y Y TEXT
mark_y ()
{
  echo "set arrow from graph 0, first $1 to graph 1, first $1 nohead back lc rgb '#a40e26' lw 2 dt (6,4)"
  echo "set label '$2' at graph 0.99, first $1 right offset 0,-0.7 tc rgb '#a40e26'"
}

# ---- Fits: target and control over N ------------------------------------------------------------------

# fit_pictures CACHE: the pictures of it that can be drawn: IDs.  A fit at a stride is CACHE_fit_STRIDE beside
# CACHE_full_STRIDE.
fit_pictures ()
{
  for file in "$curves/$1"_fit_*.curve; do
    test -f "$file" || continue
    stride=${file##*_fit_}
    echo "${stride%.curve}"
  done | sort -n | while read -r stride; do
    draw_fit "$1_fit_$stride" "$1_full_$stride" "lines $(bytes "$stride") apart" "$1" "$stride" && echo "fit_$1_fit_$stride"
  done
  ! is_curve "$1_line_fit" || ! draw_fit "$1_line_fit" "$1_line_full" 'twice as many lines as ways, half of them shifted' "$1" '' || echo "fit_$1_line_fit"
}

# draw_fit TARGET CONTROL WHAT CACHE STRIDE
draw_fit ()
{
  is_curve "$1" && test "$(points "$1" | wc -l)" -gt 1 || return 1
  decision=
  upper=$(echo "$4" | tr '[:lower:]' '[:upper:]')
  text="Target: the share of samples at the floor when N lines are walked, $3."
  ! is_curve "$2" || text="$text Control: the same of a set that is nearly full."
  if test -n "$5"; then
    ! is_curve "$4_strides" || decision=$(points "$4_strides" | $AWK -v s="$5" '$1 == s { print $2 }')
    test -z "$decision" || text="$text Decision: $decision fit, one more does not."
    test -n "$decision" || text="$text Decision: none of its own$(test -z "$(value "HW_${upper}_ASSOC")" || echo '; it confirms that of another distance')."
  else
    decision=$(value "HW_${upper}_LINE")
    test -z "$decision" || text="$text Decision: from a shift of $decision bytes on they lead into another set, which is the line."
    text="$text$(unknown "HW_${upper}_LINE")"
  fi
  picture "fit_$1" 480 310 "Fit in $upper: $3" "$text"
  {
    points "$1" | block target
    ! is_curve "$2" || points "$2" | block control
    echo "set yrange [-0.05:1.05]; set ytics 0.25; set ylabel 'samples at the floor (share)'"
    if test -n "$5"; then
      echo "set xlabel 'lines (N)'"
      whole_ticks "$1"
      if test -n "$decision"; then
        mark_x "$decision.5" "$decision fit"
      else
        echo "set label 'no decision of its own' at graph 0.5, graph 1.05 center tc rgb soft; set tmargin 3"
      fi
    else
      echo "set xlabel 'shift'"
      points "$1" | byte_ticks x
      test -z "$decision" || mark_x "$decision" "line: $decision B"
    fi
    echo 'set key bmargin center horizontal'
    controls=
    ! is_curve "$2" || controls=", \$control using 1:2 with linespoints $(series 2) lw 2 ps 0.8 title 'control'"
    echo "plot \$target using 1:2 with linespoints $(series 1) lw 2 ps 0.8 title 'target'$controls"
  } >&7
}

# draw_allocation: the fit by which a level keeps a line that was stored to.
draw_allocation ()
{
  is_curve write_fit || return 1
  picture allocation 480 310 'Fit: whether a store brings its line into a level' "Target: the share of loads that hit in the level, of lines that were stored to. Controls: of lines that were loaded; of lines that neither happened to. Decision: where the target is as the first control, the level allocates on a write.$(unknown HW_L1_WRITE_ALLOCATE HW_L2_WRITE_ALLOCATE HW_L3_WRITE_ALLOCATE)"
  {
    points write_fit | block target
    points write_full | block control
    echo 'set yrange [-0.05:1.05]; set ytics 0.25; set xrange [0.5:3.5]; set tmargin 3'
    echo "set xtics ('L1' 1, 'L2' 2, 'L3' 3); set xlabel 'level'; set ylabel 'loads that hit (share)'"
    points write_fit | while read -r level _; do
      case $(value "HW_L${level}_WRITE_ALLOCATE") in
      0) text='does not allocate' ;;
      '') text=unknown ;;
      *) text=allocates ;;
      esac
      echo "set label '$text' at first $level, graph 1.05 center tc rgb $(test $text = unknown && echo soft || echo "'#a40e26'")"
    done
    echo 'set key bmargin center horizontal'
    echo "plot \$target using 1:2 with points $(series 1) ps $(nested 1) title 'stored to', \$control using 1:2 with points $(series 2) ps $(nested 2) title 'loaded', \$target using 1:3 with points $(series 3) ps 1 title 'neither'"
  } >&7
}

# draw_huge: the fit by which an offset lies in the page that the first store was handed.
draw_huge ()
{
  is_curve huge_asked_fit || return 1
  bytes=$(value HW_HUGE_PAGE_BYTES)
  picture huge 540 340 'Fit: where the next page begins' "Target: the share of fresh mappings in which the first store at an offset finds its page, behind stores to all lower ones. Control: a second store there.${bytes:+ Decision: with larger pages asked for the next one begins at $(bytes "$bytes").}$(unknown HW_HUGE_PAGE_BYTES)"
  {
    plots=
    n=0
    for name in asked_fit asked_full plain_fit; do
      n=$((n + 1))
      is_curve "huge_$name" || continue
      points "huge_$name" | block "$name"
      case $name in
      asked_fit) text='target' ;;
      asked_full) text='control' ;;
      *) text='ordinary pages' ;;
      esac
      plots="$plots${plots:+, }\$$name using 1:2 with linespoints $(series $n) lw 2 ps $(nested $n) title '$text'"
    done
    points huge_asked_fit | byte_ticks x
    echo "set yrange [-0.05:1.2]; set ytics 0,0.25,1; set xlabel 'offset'; set ylabel 'page is there (share)'"
    test -z "$bytes" || mark_x "$bytes" "page: $(bytes "$bytes")"
    echo 'set key bmargin center horizontal'
    echo "plot $plots"
  } >&7
}

# ---- Colours ---------------------------------------------------------------------------------------------

# draw_colours CACHE
draw_colours ()
{
  upper=$(echo "$1" | tr '[:lower:]' '[:upper:]')
  found=
  for k in 0 1 2 3 4 5; do
    ! is_curve "$1_colour_$k" || found="$found $k"
  done
  test -n "$found" || return 1
  ways=$(value "HW_${upper}_ASSOC")
  says="The time of a load over pages of one colour, which lie in the same sets of $upper."
  test -z "$ways" || says="$says As many as there are ways stay, one more does not: $ways."
  says="$says$(unknown "HW_${upper}_ASSOC")"
  picture "colours_$1" 500 340 "Colours of $upper" "$says"
  {
    plots=
    n=0
    for k in $found; do
      n=$((n + 1))
      points "$1_colour_$k" | block "c$k"
      plots="$plots${plots:+, }\$c$k using 1:2 with linespoints $(series $n) lw 1.5 ps 0.7 title 'colour $((k + 1))'"
    done
    whole_ticks "$1_colour_${found##* }"
    echo "set xrange [*:*]; set xlabel 'pages of one colour'; set ylabel 'time of a load (cycles)'; set yrange [0:*]"
    test -z "$ways" || mark_x "$ways" "$ways ways"
    echo 'set key bmargin center horizontal'
    echo "plot $plots"
  } >&7
}

# ---- Registers --------------------------------------------------------------------------------------

# draw_registers integer|float
draw_registers ()
{
  case $1 in
  integer) types='i32 i64' title='Registers for integers' ;;
  *) types='f32 f64 v' title='Registers for floating point and vectors' ;;
  esac
  plots=
  said=
  n=0
  picture "registers_$1" 500 340 "$title" ''
  : >"$scratch/all"
  for type in $types; do
    n=$((n + 1))
    : >"$scratch/knee"
    for part in rough wide far live; do
      ! is_curve "${part}_$type" || points "${part}_$type" >>"$scratch/knee"
    done
    test -s "$scratch/knee" || continue
    # Of a count that was measured more than once, the last.
    $AWK '{ y[$1] = $2 } END { for (x in y) print x, y[x] }' "$scratch/knee" | sort -n >"$scratch/knee.points"
    block "$type" <"$scratch/knee.points" >&7
    cat "$scratch/knee.points" >>"$scratch/all"
    name=$(echo $type | tr '[:lower:]' '[:upper:]')
    nr=$(value "HW_NR_$name")
    case $type in
    v) label=vectors ;;
    *) label=$name ;;
    esac
    plots="$plots${plots:+, }\$$type using 1:2 with linespoints $(series $n) lw $((7 - 2 * n)) ps $(nested $n) title '$label${nr:+: $nr}'"
    said="$said${said:+, }$label ${nr:-unknown}"
    test -z "$nr" || echo "set arrow from first $nr, graph 0 to first $nr, graph 1 nohead back lc rgb '$(colour_of $n)' lw 1.5 dt (6,4)" >&7
  done
  test -n "$plots" || return 1
  echo "What a store costs over the variables that live at once: it rises where one more is spilled to memory. Variables that stay in registers: $said." >"$scratch/registers_$1.says"
  {
    $AWK '{ if ($2 > high) high = $2 } END { printf "set yrange [0:%g]\n", high * 1.1 }' "$scratch/all"
    echo "set xlabel 'variables that live at once'; set ylabel 'time of a store (cycles)'; set xrange [0:*]"
    echo 'set key bmargin center horizontal'
    echo "plot $plots"
  } >&7
}

# ---- Contexts and the time slot ------------------------------------------------------------------------

draw_contexts ()
{
  plots=
  said=
  n=0
  picture contexts 500 340 'Threads that run without slowing each other' ''
  for kind in int fp mem; do
    n=$((n + 1))
    is_curve contexts_$kind || continue
    points contexts_$kind | block $kind >&7
    number=$(value "HW_CONTEXTS_$(echo $kind | tr '[:lower:]' '[:upper:]')")
    case $kind in
    int) name='integer' ;;
    fp) name='floating point' ;;
    *) name='memory' ;;
    esac
    plots="$plots${plots:+, }\$$kind using 1:2 with linespoints $(series $n) lw $((7 - 2 * n)) ps $(nested $n) title '$name${number:+: $number}'"
    said="$said${said:+, }$name ${number:-unknown}"
    test -z "$number" || echo "set arrow from first $number, graph 0 to first $number, graph 1 nohead back lc rgb '$(colour_of $n)' lw 1.5 dt (6,4)" >&7
  done
  test -n "$plots" || return 1
  echo "The slowest of N threads against one alone; where it rises, they share something. Contexts: $said." >"$scratch/contexts.says"
  {
    for kind in int fp mem; do
      ! is_curve contexts_$kind || points contexts_$kind
    done >"$scratch/all"
    $AWK '{ if ($2 > high) high = $2; if (NR == 1 || $1 < low) low = $1; if ($1 > last) last = $1 }
      END { printf "set yrange [0:%g]\n", high * 1.15; for (step = 1; (last - low) / step > 9; step *= 2) ; printf "set xtics %g\nset xrange [%g:%g]\n", step, low - (last - low) * 0.04, last + (last - low) * 0.04 + (last == low) }' "$scratch/all"
    echo "set xlabel 'threads'; set ylabel 'time against one alone'"
    echo 'set key bmargin center horizontal'
    echo "plot $plots"
  } >&7
}

draw_slot ()
{
  is_curve slot || return 1
  slot=$(value HW_SCHED_SLOT_US)
  says='How long a thread had run when another got its processor, of two that both want it.'
  test -z "$slot" || says="$says The scheduler takes turns of $slot us, in the middle of the densest window."
  says="$says$(unknown HW_SCHED_SLOT_US)"
  picture slot 500 340 'Time slot of the scheduler' "$says"
  {
    # Sixty bins.
    points slot | $AWK '
      { x[NR] = $1; y[NR] = $2; if (NR == 1 || $1 < low) low = $1; if ($1 > high) high = $1 }
      END {
        step = (high - low) / 60
        if (high < low * 1.05) step = low / 60
        for (i = 1; i <= NR; i++) sum[int((x[i] - low) / step)] += y[i]
        for (k = 0; k <= 61; k++) if (sum[k]) print (low + (k + 0.5) * step) / 1000, sum[k], step * 0.9 / 1000
      }' | block points
    # All at one time: it lies in the middle.
    points slot | $AWK '{ if (NR == 1 || $1 < low) low = $1; if ($1 > high) high = $1 } END { if (high < low * 1.05) printf "set xrange [%g:%g]\n", low / 1250, high / 800 }'
    echo "set xlabel 'time from one gap to the next (ms)'; set ylabel 'times seen'; set yrange [0:*]; set style fill solid noborder"
    test -z "$slot" || mark_x "$($AWK -v v="$slot" 'BEGIN { printf "%g", v / 1000 }')" "$($AWK -v v="$slot" "$amounts"' BEGIN { print trim(v / 1000) }') ms"
    echo "plot \$points using 1:2:3 with boxes lc rgb '#0550ae' notitle"
  } >&7
}

# ---- What shares what, as boxes ------------------------------------------------------------------------

# boxes_input: what boxes.awk reads.
boxes_input ()
{
  cpus=$(value HW_CPUS)
  if is_curve processors; then points processors | $AWK '{ print "place", $1, $2 }'
  else $AWK -v n="$cpus" 'BEGIN { for (i = 0; i < n; i++) print "place", i, i }'
  fi
  for kind in nodes comm_groups_4 comm_groups_3 comm_groups_2 comm_groups_1 l3_groups l2_groups l1_groups; do
    is_curve $kind || continue
    case $kind in
    nodes) text='NUMA node' ;;
    comm_*)
      ns=$(value "HW_COMM${kind##*_}_LAT_NS")
      test -n "$ns" || continue
      text="$ns ns to each other" ;;
    *)
      level=$(echo "${kind%_groups}" | tr '[:lower:]' '[:upper:]')
      size=$(value "HW_${level}_BYTES")
      test "$(value "HW_HAVE_$level")" != 0 || continue
      text="$level${size:+ $(bytes "$size")}" ;;
    esac
    echo "kind $kind $text"
    points $kind | $AWK -v k=$kind '{ print "in", k, $1, $2 }'
  done
}

draw_boxes ()
{
  test -n "$(value HW_CPUS)" || is_curve processors || return 1
  boxes_input >"$scratch/boxes"
  $AWK -f "$parts/boxes.awk" "$scratch/boxes" >"$scratch/boxes.drawn" || return 1
  read -r width height <"$scratch/boxes.drawn"
  kinds=$(sed -n 's/^kind [^ ]* //p' "$scratch/boxes" | $AWK '{ printf "%s%s", (NR > 1 ? ", " : ""), $0 }')
  picture boxes "$((width > 300 ? width : 300))" "$height" 'What processors share' "Processors by their numbers, in a box with what they share${kinds:+: $kinds}. $(sed -n 2p "$scratch/boxes.drawn")What was not measured has no box.$(unknown HW_CPUS HW_L1_SHARED_BY HW_L2_SHARED_BY HW_L3_SHARED_BY HW_NUMA_NODES)"
  sed '1,2d' "$scratch/boxes.drawn" >&7
}

# ---- The map of processors ----------------------------------------------------------------------------

# More processors than these are narrower than a pixel.
most_mapped=1024

# map_cells: lines A B NS HOW of the pairs, in order of place on the map, and a line of the order first.  HOW
# is m when the pair was measured, g when the time is that of its layer, which groups by pairs stand for.
map_cells ()
{
  test -f "$curves/comm_pairs.curve" || return 1
  : >"$scratch/none"
  set --
  for k in 1 2 3 4; do
    for kind in "comm_groups_$k" "l${k}_groups"; do
      test ! -f "$curves/$kind.curve" || set -- "$@" "$curves/$kind.curve"
    done
  done
  layers=
  for k in 1 2 3 4; do
    layers="$layers $(value HW_COMM${k}_LAT_NS)"
    test -n "$(value HW_COMM${k}_LAT_NS)" || layers="$layers-"
  done
  list=$curves/processors.curve
  test -f "$list" || list=$scratch/none
  $AWK -v layers="$layers" -v list="$list" '
    BEGIN { split(layers, latency, " ") }
    /^#/ { next }
    FILENAME == ARGV[1] { a = int($1 / 1024); b = $1 - a * 1024; ns[a, b] = ns[b, a] = $2; place[a]; place[b]; next }
    FILENAME == list { number[$1] = $2; next }
    {
      kind = FILENAME
      sub(/.*\//, "", kind)
      place[$1]
      group[kind, $1] = $2
      if (!(kind in met)) { met[kind] = 1 }
      high[kind, $2]++
    }
    # sort key of a place: the groups it is in, the largest first.
    function key(p,  out, i, kind) {
      out = ""
      for (i = kinds; i >= 1; i--) out = out sprintf("%05d", (order[i], p) in group ? group[order[i], p] : 0)
      return out sprintf("%05d", p)
    }
    END {
      n = split("comm_groups_1.curve l1_groups.curve l2_groups.curve comm_groups_2.curve l3_groups.curve comm_groups_3.curve comm_groups_4.curve", all, " ")
      for (i = 1; i <= n; i++) if (all[i] in met) order[++kinds] = all[i]
      for (p in place) sorted[++count] = key(p) " " p
      for (i = 2; i <= count; i++) {
        item = sorted[i]
        for (j = i - 1; j >= 1 && sorted[j] > item; j--) sorted[j + 1] = sorted[j]
        sorted[j + 1] = item
      }
      for (i = 1; i <= count; i++) { split(sorted[i], word, " "); at[i] = word[2] }
      printf "order"
      for (i = 1; i <= count; i++) printf " %s", at[i] in number ? number[at[i]] : at[i]
      print ""
      for (i = 1; i <= count; i++)
        for (j = 1; j <= count; j++) {
          if (i == j) continue
          if ((at[i], at[j]) in ns) { print i, j, ns[at[i], at[j]], "m"; continue }
          for (k = 1; k <= 4; k++) {
            kind = "comm_groups_" k ".curve"
            if (latency[k] ~ /^[0-9]/ && (kind, at[i]) in group && (kind, at[j]) in group && group[kind, at[i]] == group[kind, at[j]]) { print i, j, latency[k], "g"; break }
          }
        }
      # Where one group of the largest kind that has several ends, for a rule.
      for (o = kinds; o >= 1; o--) {
        cuts = ""
        for (i = 2; i <= count; i++) if (group[order[o], at[i]] != group[order[o], at[i - 1]]) cuts = cuts " " i
        if (cuts != "" && split(cuts, c, " ") < count - 1) { print "cuts" cuts; break }
      }
    }' "$curves/comm_pairs.curve" "$@" "$list"
}

draw_map ()
{
  map_cells >"$scratch/cells" || return 1
  count=$(($(sed -n '1s/^order//p' "$scratch/cells" | wc -w)))
  test "$count" -gt 1 && test "$count" -le $most_mapped || return 1
  # A cell has room for its number, or there is a scale of the shades beside cells that fill a page of 600.
  cell=$($AWK -v n="$count" 'BEGIN { print (n <= 10 ? 42 : n <= 18 ? 30 : 600 / n) }')
  numbers=
  test "$count" -gt 18 || numbers=1
  size=$($AWK -v n="$count" -v c="$cell" -v numbers="$numbers" 'BEGIN { s = int(n * c); print (s + 110 > 320 ? s + 110 : 320) + (numbers ? 0 : 60), (s + 130 > 300 ? s + 130 : 300) }')
  said=
  for k in 1 2 3 4; do
    ns=$(value HW_COMM${k}_LAT_NS)
    test -z "$ns" || said="$said${said:+, }layer $k $ns ns"
  done
  guessed=$(grep -c ' g$' "$scratch/cells")
  spread=$(sed -n 's/.* \([0-9.]*\) m$/\1/p' "$scratch/cells" | sort -n | $AWK '
    { v[NR] = $1 }
    END { if (v[1] != v[NR]) printf " The pairs that were measured took %.0f to %.0f ns, half of them no more than %.0f ns.", v[1], v[NR], v[int((NR + 1) / 2)] }')
  says="The time of a word from one processor to the other (ns), processors of a group next to each other. ${said:+Of it: $said.}$spread"
  test "$guessed" = 0 || test -z "$numbers" || says="$says A pair with a dot was not measured: its number is that of its layer."
  test "$guessed" = 0 || test -n "$numbers" || says="$says Of $(($(grep -c ' m$' "$scratch/cells") / 2)) pairs the time was measured, of $((guessed / 2)) it is that of their layer."
  picture map "${size% *}" "${size#* }" "Communication between $count processors" "$says"
  {
    echo 'unset grid; set border 0; set style fill solid 1 noborder; set key off'
    echo "set xlabel 'processor'; set ylabel 'processor'"
    $AWK -v numbers="$numbers" -v font=$((${cell%.*} > 30 ? 14 : 12)) -f "$parts/map.awk" "$scratch/cells"
  } >&7
}

# map_table: the map as text.
map_table ()
{
  $AWK '
    $1 == "order" { n = NF - 1; for (i = 1; i <= n; i++) { name[i] = $(i + 1) " "; wide = wider(name[i]) }; next }
    $1 == "cuts" { for (i = 2; i <= NF; i++) cut[$i] = 1; next }
    { cell[$1, $2] = sprintf($3 < 9.95 ? "%.1f" : "%.0f", $3) ($4 == "g" ? "." : " "); wide = wider(cell[$1, $2]) }
    function wider(text) { return length(text) > wide ? length(text) : wide }
    function tell(head, j,  i, line) {
      line = sprintf("%" wide "s", head)
      for (i = 1; i <= n; i++) line = line (cut[i] ? " |" : " ") sprintf("%" wide "s", j ? cell[i, j] : name[i])
      sub(/ +$/, "", line)
      print line
    }
    END {
      tell("", 0)
      for (j = 1; j <= n; j++) {
        if (cut[j]) print ""
        tell(name[j], j)
      }
    }' "$scratch/cells"
}

# ---- Roofline -----------------------------------------------------------------------------------------

# peak sets peak to 10^9 operations on F64 a second of one thread, and peak_by to what does them: multiply-adds, or
# additions and multiplications together where those are unknown; fails when neither is known.
peak ()
{
  kind=F64 lanes=1
  bytes=$(value HW_VEC_BYTES)
  test "${bytes:-8}" -le 8 || kind=VF64 lanes=$((bytes / 8))
  peak=$($AWK -v mhz="$(value HW_CPU_MHZ)" -v lanes=$lanes -v fma="$(value HW_RTP_FMA_${kind}_X100)" \
    -v add="$(value HW_RTP_ADD_${kind}_X100)" -v mul="$(value HW_RTP_MUL_${kind}_X100)" '
    BEGIN {
      by = lanes > 1 ? "vector " : ""
      if (mhz == "" || fma == "" && (add == "" || mul == "")) exit
      if (fma != "") print mhz * lanes / fma / 5, by "multiply-adds"
      else print mhz * lanes * (1 / add + 1 / mul) / 10, by "additions and multiplications"
    }')
  peak_by=${peak#* }
  peak=${peak%% *}
  test -n "$peak"
}

draw_roofline ()
{
  peak || return 1
  : >"$scratch/roofs"
  for level in L1 L2 L3 MEM; do
    mbs=$(value HW_${level}_READ_MBS)
    test -z "$mbs" || test "$(value "HW_HAVE_$level")" = 0 || echo "$level $mbs"
  done | sed 's/MEM/memory/' >"$scratch/roofs"
  test -s "$scratch/roofs" || return 1
  says="What a thread can compute on F64 at most, by how many operations it has for each byte that it reads: $($AWK -v v="$peak" "$amounts"' BEGIN { print trim(v) }') GFLOP/s by $peak_by, and less where the bandwidth of $($AWK '{ printf "%s%s", (NR > 1 ? ", " : ""), $1 }' "$scratch/roofs") does not suffice.$(unknown HW_L1_READ_MBS HW_L2_READ_MBS HW_L3_READ_MBS HW_MEM_READ_MBS)"
  picture roofline 500 350 'Roofline, one thread' "$says"
  {
    $AWK -v peak="$peak" "$amounts"'
      { name[NR] = $1; rate[NR] = $2 / 1000; if (NR == 1 || rate[NR] < least) least = rate[NR]; if (rate[NR] > most) most = rate[NR] }
      END {
        low = 2 ^ int(log(peak / most / 8) / log(2) - 1)
        high = 2 ^ int(log(peak / least * 8) / log(2) + 1)
        printf "set logscale xy\nset xrange [%g:%g]\nset yrange [%g:%g]\n", low, high, least * low * 1.5, peak * 2.2
        k = 0
        printf "set xtics ("
        step = 1; while (log(high / low) / log(2) / step > 8) step++
        for (x = low; x <= high; x *= 2 ^ step) printf "%s\"%s\" %g", (k++ ? ", " : ""), (x < 1 ? "1/" 1 / x : x ""), x
        printf ")\nset ytics ("
        k = 0
        for (d = 1e-6; d < 1e9; d *= 10)
          for (m = 1; m <= 5; m += m == 1 ? 1 : 3)
            if (d * m >= least * low * 1.5 && d * m <= peak * 2.2) printf "%s\"%g\" %g", (k++ ? ", " : ""), d * m, d * m
        print ")\nset key bottom right"
        for (i = 1; i <= NR; i++) {
          plot = plot (i > 1 ? ", " : "") sprintf("(x <= %g ? x * %g : 1/0) with lines %s lw 2 title \"%s: %s GB/s\"", peak / rate[i], rate[i], i == 1 ? "lc rgb \"#0550ae\" dt 1" : i == 2 ? "lc rgb \"#953800\" dt (8,4)" : i == 3 ? "lc rgb \"#116329\" dt (3,3)" : "lc rgb \"#6639ba\" dt (8,3,2,3)", name[i], trim(rate[i]))
        }
        printf "set label \"%s GFLOP/s\" at graph 0.985, first %g right offset 0,0.7 tc rgb ink\n", trim(peak), peak
        print "set samples 400"
        print "set xlabel \"operations for each byte read\"; set ylabel \"speed (GFLOP/s)\""
        printf "plot %s, (x >= %g ? %g : 1/0) with lines lc rgb ink lw 2.5 notitle\n", plot, peak / most, peak
      }' "$scratch/roofs"
  } >&7
}

# ---- Any curve ------------------------------------------------------------------------------------------

# draw_curve ID NAMES ROWS: curves of the same units on one picture; of each row the point that its
# value is, where its unit is that of an axis.
draw_curve ()
{
  id=$1 rows=$3
  names=
  for name in $2; do
    ! is_curve "$name" || names="$names $name"
  done
  set -- $names
  test $# -gt 0 || return 1
  test $# -le 6 || set -- "$1" "$2" "$3" "$4" "$5" "$6"
  file=$curves/$1.curve
  xtext=$(sed -n 's/^# x: //p' "$file")
  # Of several strides none is that of the axis.
  test $# -eq 1 || xtext=$(echo "$xtext" | sed 's/ [0-9]* bytes apart//')
  ytext=$(sed -n 's/^# y: //p' "$file")
  xunit=$(echo "$xtext" | sed -n -e 's/^bytes .*/bytes/p' -e 's/.*(\(.*\))$/\1/p')
  yunit=$(echo "$ytext" | sed -n 's/.*(\(.*\))$/\1/p')
  said=
  : >"$scratch/marks"
  for row in $rows; do
    v=$(value "$row")
    test -n "$v" || continue
    unit=$(sed -n "s/^$row|[^|]*|[^|]*|\([^|]*\)|.*/\1/p" "$scratch/rows")
    mark=$($AWK -v v="$v" -v unit="$unit" -v x="$xunit" -v y="$yunit" '
      BEGIN {
        if (unit == "cycles/100") { v /= 100; unit = "cycles" }
        if (unit == "ps") { v /= 1000; unit = "ns" }
        if (unit == "MB/s" && y == "ns") { print "y", 1000 / v; exit }
        if (unit == "ways" || unit == "elements") unit = "count"
        if (unit == x) print "x", v
        else if (unit == y) print "y", v
      }')
    how=$(sed -n "s/^$row //p" "$scratch/how" 2>/dev/null)
    said="$said${said:+; }$row = $v${unit:+ $unit}${how:+, read off by: $how}"
    # Two rows of one place have one mark.
    test -z "$mark" || ! markable "$row" || grep "^$mark " "$scratch/marks" >/dev/null || echo "$mark $row" >>"$scratch/marks"
  done
  said=${said:-$(test -z "$rows" || echo "What is read off it is unknown: $rows.")}
  picture "$id" 500 340 "$(test $# -gt 1 && echo "$rows" || echo "$1")" "$(echo "$ytext over $xtext. $said" | sed 's/[. ]*$/./')"
  {
    plots=
    n=0
    : >"$scratch/all"
    for name do
      n=$((n + 1))
      points "$name" | block "c$n"
      points "$name" >>"$scratch/all"
      title="title '$name'"
      test $# -gt 1 || title=notitle
      plots="$plots${plots:+, }\$c$n using 1:2 with linespoints $(series $n) lw 2 ps 0.8 $title"
    done
    echo "set xlabel '$(plain "$xtext" | sed 's/ (bytes)$//')'; set ylabel '$(plain "$ytext" | sed 's/ (bytes)$//')'"
    # What is too long for the height is in lines.
    test ${#ytext} -le 36 || printf '%s\n' "set ylabel \"$(plain "$ytext" | tr -d '"' | fold -s -w 36 | sed 's/ *$//' | $AWK '{ printf "%s%s", (NR > 1 ? "\\n" : ""), $0 }')\""
    case $xunit in
    bytes)
      if $AWK '$1 <= 0 { exit 1 }' "$scratch/all"; then
        byte_ticks x <"$scratch/all"
      else
        even_byte_ticks <"$scratch/all"
      fi ;;
    *) $AWK '
        $1 > 0 { n++; if (n == 1 || $1 < low) low = $1; if ($1 > high) high = $1 }
        $1 <= 0 { none = 1 }
        END {
          if (!none && n > 1 && high > low * 64) print "set logscale x"
          else if (n && high == low) printf "set xrange [%g:%g]\n", low - 1, low + 1
          # Long numbers, fewer of them.
          else if (high >= 10000) { for (step = 1000; high / step > 5; step *= (k++ % 3 == 1 ? 2.5 : 2)) ; print "set xtics", step }
        }' "$scratch/all" ;;
    esac
    # Room above the highest point, for the labels; a logarithmic axis where the y span decades.
    $AWK -v bytes="$(test "$yunit" = bytes && echo 1)" "$amounts"'
      { if (NR == 1 || $2 < low) low = $2; if (NR == 1 || $2 > high) high = $2; if ($2 <= 0) none = 1 }
      END {
        if (bytes && !none && NR > 1 && high > low) {
          printf "set logscale y 2\nset yrange [%g:%g]\nset ytics (", low / 1.4, high * 1.9
          from = int(log(low) / log(2) + 1e-9); to = int(log(high) / log(2) + 1)
          step = int((to - from) / 7) + 1
          for (i = from; i <= to; i += step) printf "%s\"%s\" %.0f", (i > from ? ", " : ""), amount(2 ^ i), 2 ^ i
          print ")"
        } else if (!none && high > low * 50) printf "set logscale y\nset yrange [%g:%g]\n", low / 1.5, high * 2.5
        else if (high > 0) printf "set yrange [%g:%g]\n", (low < 0 ? low * 1.2 : 0), high * 1.3
        else if (high == low) printf "set yrange [%g:%g]\n", low - 1, high + 1
      }' "$scratch/all"
    while read -r axis at row; do
      v=$(value "$row")
      case $axis in
      x) mark_x "$at" "$row = $v" ;;
      y) mark_y "$at" "$row = $v" ;;
      esac
    done <"$scratch/marks"
    echo 'set key bmargin center vertical maxrows 3'
    echo "plot $plots"
  } >&7
}

# markable ROW: whether its value is a point of an axis.
markable ()
{
  $AWK -v row="$1" '!/^#/ && NF && row ~ $1 { exit $4 == "-" }' "$parts/pictures"
}

# plain TEXT: without what gnuplot's quotes would end.
plain ()
{
  printf '%s\n' "$1" | tr -d "'\\\\"
}
