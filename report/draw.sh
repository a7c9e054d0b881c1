# shellcheck shell=sh disable=SC2015,SC2016,SC2034,SC2086,SC2154
# draw.sh: the pictures.  Sourced by report.sh.
#
# Of a picture there are files in $scratch: what gnuplot is to be told is ID.plot, what a terminal shows ID.text, its
# title and what it says in a sentence or two ID.title and ID.says, its size ID.size.  figure.awk draws what the table
# figures has; a function draw_X is of one that is no curve.  All fail where what they need was not measured.

# drawer ID VARIABLE=VALUE...: figure.awk.
drawer ()
{
  id=$1
  shift
  for pair do
    set -- "$@" -v "$pair"
    shift
  done
  $AWK -v parts="$parts" -v scratch="$scratch" -v curves="$curves" -v bench="$data/bench.d" -v columns="$screen" -v id="$id" "$@" -f "$parts/figure.awk"
}

# draw ID: it fails where nothing of it was measured; what the page says in its place is there then.
draw ()
{
  case $1 in
  boxes | map | vector) "draw_$1" ;;
  *) drawer "$1" ;;
  esac
}

# value NAME: of a row; nothing when it is unknown.
value ()
{
  sed -n "s/^$1|\([0-9.]*\)|.*/\1/p" "$scratch/rows"
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

# ---- What shares what, as boxes ------------------------------------------------------------------------

# boxes_input: what boxes.awk reads.
boxes_input ()
{
  cpus=$(value HW_CPUS)
  if test -f "$curves/processors.curve"; then
    $AWK '!/^#/ { print "place", $1, $2 }' "$curves/processors.curve"
  else
    $AWK -v n="$cpus" 'BEGIN { for (i = 0; i < n; i++) print "place", i, i }'
  fi
  shared=
  ! $AWK '!/^#/ && $1 != $2 { k = 1 } END { exit !k }' "$curves/core_groups.curve" 2>/dev/null || shared=core_groups
  for kind in nodes comm_groups_4 comm_groups_3 comm_groups_2 comm_groups_1 l3_groups l2_groups l1_groups $shared; do
    test -f "$curves/$kind.curve" || continue
    case $kind in
    nodes) text='NUMA node' ;;
    core_groups) text=core ;;
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
    $AWK -v k=$kind '!/^#/ { print "in", k, $1, $2 }' "$curves/$kind.curve"
  done
}

draw_boxes ()
{
  boxes_input >"$scratch/boxes"
  grep '^in ' "$scratch/boxes" >/dev/null || test "$(value HW_CPUS)" = 1 && $AWK -f "$parts/boxes.awk" "$scratch/boxes" >"$scratch/boxes.drawn" || {
    drawer boxes ask=gap
    return 1
  }
  read -r wide high <"$scratch/boxes.drawn"
  kinds=$(sed -n 's/^kind [^ ]* //p' "$scratch/boxes" | $AWK '{ printf "%s%s", (NR > 1 ? ", " : ""), $0 }')
  drawer boxes ask=words size="$((wide > 300 ? wide : 300)) $high" kinds="$kinds" also="$(sed -n 2p "$scratch/boxes.drawn")What was not measured has no box."
  sed '1,2d' "$scratch/boxes.drawn" >"$scratch/boxes.plot"
  $AWK -v text=1 -f "$parts/boxes.awk" "$scratch/boxes" >"$scratch/boxes.text"
}

# ---- The map of processors ----------------------------------------------------------------------------

# More processors than these are narrower than a pixel.
most_mapped=1024

# map_cells PAIRS: lines A B NS HOW of the pairs, in order of place on the map, and a line of the order first.  HOW
# is m when the pair was measured, g when the time is that of its layer, which groups by pairs stand for.
map_cells ()
{
  of=$curves/$1.curve pairs=$1
  test -f "$of" || return 1
  : >"$scratch/none"
  set --
  for k in 1 2 3 4; do
    for kind in "comm_groups_$k" "l${k}_groups"; do
      test ! -f "$curves/$kind.curve" || set -- "$@" "$curves/$kind.curve"
    done
  done
  layers=
  for k in 1 2 3 4; do
    layers="$layers $(test "$pairs" != comm_pairs || value HW_COMM${k}_LAT_NS)"
    test "$pairs" = comm_pairs && test -n "$(value HW_COMM${k}_LAT_NS)" || layers="$layers-"
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
    }' "$of" "$@" "$list"
}

# draw_map [PAIRS]: the map of a curve of pairs; without, that of communication.
draw_map ()
{
  id=map unit=' ns'
  test $# = 0 || id=pairs unit=
  cpus=$(value HW_CPUS)
  places=0
  ! map_cells "${1-comm_pairs}" >"$scratch/cells" || places=$(($(sed -n '1s/^order//p' "$scratch/cells" | wc -w)))
  test "$places" -gt 1 && test "$places" -le $most_mapped || {
    why=
    test "$cpus" != 1 || why='There is one processor.'
    test "$places" -le $most_mapped || why="$places processors are too many for readable numbers: $most_mapped at most."
    test $id = pairs || drawer map ask=gap why="$why"
    return 1
  }
  # A cell has room for its number, or there is a scale of the shades beside cells that fill a page of 600.
  cell=$($AWK -v n="$places" 'BEGIN { print (n <= 10 ? 42 : n <= 18 ? 30 : 600 / n) }')
  numbers=
  test "$places" -gt 18 || numbers=1
  size=$($AWK -v n="$places" -v c="$cell" -v numbers="$numbers" 'BEGIN { s = int(n * c); print (s + 110 > 320 ? s + 110 : 320) + (numbers ? 0 : 60), (s + 130 > 300 ? s + 130 : 300) }')
  also=$(sed -n 's/.* \([0-9.]*\) m$/\1/p' "$scratch/cells" | sort -n | $AWK -v unit="$unit" '
    { v[NR] = $1 }
    END { f = v[NR] < 10 ? "%.2f" : "%.0f"; if (v[1] != v[NR]) printf "The pairs that were measured: " f " to " f unit ", half of them no more than " f unit ". ", v[1], v[NR], v[int((NR + 1) / 2)] }')
  guessed=$(grep -c ' g$' "$scratch/cells")
  test "$guessed" = 0 || test -z "$numbers" || also="${also}A pair with a dot was not measured: its number is that of its layer."
  test "$guessed" = 0 || test -n "$numbers" || also="${also}Of $(($(grep -c ' m$' "$scratch/cells") / 2)) pairs the time was measured, of $((guessed / 2)) it is that of their layer."
  drawer $id ask=words size="$size" places="$places" also="$also" of="${1-}"
  {
    echo 'unset grid; set border 0; set style fill solid 1 noborder; set key off'
    echo "set xlabel 'processor'; set ylabel 'processor'"
    $AWK -v numbers="$numbers" -v font=$((${cell%.*} > 30 ? 14 : 12)) -v unit="$unit" -f "$parts/map.awk" "$scratch/cells"
  } >"$scratch/$id.plot"
  # On a terminal, of more processors than it is wide, what is near to each other.
  if test "$places" -le 18; then
    $AWK -v text=1 -f "$parts/map.awk" "$scratch/cells"
  else
    boxes_input | $AWK -v text=1 -f "$parts/boxes.awk"
  fi >"$scratch/$id.text"
}

# plain TEXT: without what gnuplot's quotes would end.
plain ()
{
  printf '%s\n' "$1" | tr -d "'\\\\"
}
