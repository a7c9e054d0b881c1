# shellcheck shell=sh disable=SC2015,SC2016,SC2034,SC2086,SC2154
# draw.sh: the pictures.  Sourced by report.sh.
#
# Of a picture there are files in $scratch: ID.plot is what gnuplot is to be told, ID.text what a terminal shows; ID.title,
# ID.says and ID.size.  figure.awk draws what the table figures has; draw_X is of one that is no curve.

# drawer ID VARIABLE=VALUE...: figure.awk.
drawer ()
{
  figure=$1
  shift
  for pair do
    set -- "$@" -v "$pair"
    shift
  done
  $AWK -v parts="$parts" -v scratch="$scratch" -v curves="$curves" -v bench="$data/bench.d" -v columns="$screen" -v id="$figure" "$@" -f "$parts/figure.awk"
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

# ---- What shares what, as boxes ------------------------------------------------------------------------

# boxes_input [PAIRS]: what boxes.awk reads, with the pairs of a curve.
boxes_input ()
{
  cpus=$(value HW_CPUS)
  if test -f "$curves/processors.curve"; then
    $AWK '!/^#/ { print "place", $1, $2 }' "$curves/processors.curve"
  else
    $AWK -v n="$cpus" 'BEGIN { for (i = 0; i < n; i++) print "place", i, i }'
  fi
  test $# = 0 || $AWK '!/^#/ { a = int($1 / 1024); print "pair", a, $1 - a * 1024, $2 }' "$curves/$1.curve"
  shared=
  test ! -f "$curves/core_groups.curve" || ! $AWK '!/^#/ && $1 != $2 { k = 1 } END { exit !k }' "$curves/core_groups.curve" || shared=core_groups
  for kind in nodes comm_groups_4 comm_groups_3 comm_groups_2 comm_groups_1 l3_groups l2_groups l1_groups $shared; do
    test -f "$curves/$kind.curve" || continue
    case $kind in
    nodes) text='NUMA node' ;;
    core_groups) text=core ;;
    comm_*)
      ns=$(value "HW_COMM${kind##*_}_LAT_NS")
      test -n "$ns" || continue
      text="$ns ns to each other"
      test "${1-}" != comm_pairs || echo "layer ${kind##*_} $ns" ;;
    *)
      level=L${kind%_groups}
      level=L${level#Ll}
      test "$(value "HW_HAVE_$level")" != 0 || continue
      text=$(drawer - ask=fill text="${level}[ {HW_${level}_BYTES B}]") ;;
    esac
    echo "kind $kind $text"
    $AWK -v k=$kind '!/^#/ { print "in", k, $1, $2 }' "$curves/$kind.curve"
  done
}

draw_boxes ()
{
  boxes_input >"$scratch/boxes"
  grep '^in ' "$scratch/boxes" >/dev/null || test "$(value HW_CPUS)" = 1 && $AWK -f "$parts/boxes.awk" "$scratch/boxes" >"$scratch/drawn" || {
    drawer boxes ask=gap
    return 1
  }
  kinds=$(sed -n 's/^kind [^ ]* //p' "$scratch/boxes" | $AWK '{ printf "%s%s", (NR > 1 ? ", " : ""), $0 }')
  drawn boxes kinds="$kinds" also="$(sed -n 2p "$scratch/drawn")What was not measured has no box."
  $AWK -v text=1 -f "$parts/boxes.awk" "$scratch/boxes" >"$scratch/boxes.text"
}

# drawn ID VARIABLE=VALUE...: takes over what an awk has drawn: size, a sentence, and what gnuplot is to be told.
drawn ()
{
  sed '1,2d' "$scratch/drawn" >"$scratch/$1.plot"
  drawer "$@" ask=words size="$(sed 1q "$scratch/drawn")"
}

# More processors than these are narrower than a pixel.
most_mapped=1024

# draw_map [PAIRS]: the map of a curve of pairs; without, that of communication.
draw_map ()
{
  id=map unit=' ns' places=0
  test $# = 0 || id=pairs unit=
  if test -f "$curves/${1-comm_pairs}.curve"; then
    boxes_input "${1-comm_pairs}" >"$scratch/boxes"
    $AWK -v map=1 -f "$parts/boxes.awk" "$scratch/boxes" >"$scratch/cells"
    places=$(($(sed -n '1s/^order//p' "$scratch/cells" | wc -w)))
  fi
  test "$places" -gt 1 && test "$places" -le $most_mapped || {
    why=
    test "$(value HW_CPUS)" != 1 || why='There is one processor.'
    test "$places" -le $most_mapped || why="$places processors are too many for readable numbers: $most_mapped at most."
    test $id = pairs || drawer map ask=gap why="$why"
    return 1
  }
  $AWK -v unit="$unit" -f "$parts/map.awk" "$scratch/cells" >"$scratch/drawn"
  drawn $id places="$places" also="$(sed -n 2p "$scratch/drawn")" of="${1-}"
  # On a terminal, of more processors than it is wide, what is near to each other.
  case $places in
  ? | 1[0-8]) $AWK -v text=1 -f "$parts/map.awk" "$scratch/cells" ;;
  *) $AWK -v text=1 -f "$parts/boxes.awk" "$scratch/boxes" ;;
  esac >"$scratch/$id.text"
}

# plain TEXT: without what gnuplot's quotes would end.
plain ()
{
  printf '%s\n' "$1" | tr -d "'\\\\"
}
