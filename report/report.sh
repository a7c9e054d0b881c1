# shellcheck shell=sh disable=SC1091,SC2015,SC2016,SC2034,SC2086,SC2154
# report.sh: hwconfig report, plot and compare.  Sourced by hwconfig, which has set sources, data, hwprobe,
# AWK and the functions fail, table, claims and sureness.

parts=$sources/report

# calculates AWK: whether it has logarithms and powers, which that of some busyboxes has not.
calculates ()
{
  $1 'BEGIN { exit !(log(2) > 0.69 && 2 ^ 0.5 > 1.41 && sin(1) > 0.84) }' </dev/null >/dev/null 2>&1
}
for awk in "$AWK" awk mawk gawk original-awk ''; do
  test -n "$awk" || fail 1 "$command: $AWK has no logarithms: install another awk (Debian: apt-get install mawk)"
  calculates "$awk" || continue
  AWK=$awk
  break
done

. "$parts/draw.sh"

# need_gnuplot: stops where there is none.
need_gnuplot ()
{
  gnuplot --version >/dev/null 2>&1 ||
    fail 1 "$command: gnuplot draws the pictures, and is not here: install it (Debian: apt-get install gnuplot-nox)"
}

# begin: a folder of our own, removed at the end.
begin ()
{
  mask=$(umask)
  umask 077
  scratch=$(mktemp -d 2>/dev/null) || {
    scratch=${TMPDIR:-/tmp}/hwconfig.$$
    mkdir "$scratch" 2>/dev/null || fail 1 "$command: $scratch: cannot be made"
  }
  trap 'rm -rf "$scratch"' 0
  trap 'exit 1' HUP INT PIPE TERM
}

# whole FILE: stops at a hwconfig.json that is damaged.
whole ()
{
  test -f "$1" && test -r "$1" || fail 2 "$1: cannot be read"
  $AWK -f "$parts/json.awk" "$1" >"$scratch/wrong" || fail 2 "$(sed 1q "$scratch/wrong")"
}

# whole_curves FOLDER: stops at a curve that is damaged.
whole_curves ()
{
  set -- "$1"/*.curve
  test -f "$1" || return 0
  $AWK -f "$parts/curve.awk" "$@" >"$scratch/wrong" || fail 2 "$(sed "s|^.*/||; 1q" "$scratch/wrong")"
}

# unpack FILE TO: a recording, of make record.  A name in it that is not one of configure's files is refused.
unpack ()
{
  gzip -dc <"$1" >"$scratch/text" 2>/dev/null || fail 2 "$1: no recording, or a damaged one"
  mkdir "$2" "$2/hwconfig.d" || exit 1
  $AWK -v folder="$2/hwconfig.d" '
    NR == 1 { if ($0 != "# hwconfig recording 1") exit 1; next }
    /^# file: / {
      if (file != "") close(file)
      if (NF != 3 || $3 !~ /^([a-z0-9_]+\.curve|conditions|hwconfig\.site)$/) exit 1
      file = folder "/" $3
      next
    }
    { print >file }' "$scratch/text" 2>/dev/null || fail 2 "$1: no recording, or a damaged one"
  test ! -f "$2/hwconfig.d/hwconfig.site" || mv "$2/hwconfig.d/hwconfig.site" "$2"
}

# reduced FOLDER TO: what is read off its curves, as a hwconfig.json.
reduced ()
{
  need_hwprobe
  "$hwprobe" --reduce "$1"/*.curve >"$scratch/reduced" 2>"$scratch/wrong" ||
    fail 2 "$(sed 's|^.*/||; 1q' "$scratch/wrong")"
  $AWK '
    function known() { if (row != "") printf "%s  \"%s\": {\n    \"value\": %s,%s\n    \"source\": \"measured\"\n  }", n++ ? ",\n" : "", row, value, range; row = "" }
    BEGIN { print "{" }
    $3 == "range" && $2 == row { range = sprintf("\n    \"low\": %s,\n    \"high\": %s,", $4, $5); next }
    / = / || $3 == "unknown:" { known() }
    /^HW_[A-Z0-9_]* = [0-9]+$/ { row = $1; value = $3; range = "" }
    /^HW_[A-Z0-9_]*_GROUPS = / { next }
    /^# HW_[A-Z0-9_]* unknown: / {
      why = $0; sub(/^[^:]*: /, "", why); gsub(/["\\]/, "", why)
      printf "%s  \"%s\": {\n    \"value\": null,\n    \"source\": \"unknown\",\n    \"reason\": \"%s\"\n  }", n++ ? ",\n" : "", $2, why
    }
    END { known(); print "\n}" }' "$scratch/reduced" >"$2"
}

# about WHAT: sets data to where the values of this are, and curves: a recording, or a folder of curves; or
# what configure has measured here, when there is none.
about ()
{
  here=yes
  curves=$data/hwconfig.d
  case $1 in
  '')
    test -f "$data/hwconfig.json" && whole "$data/hwconfig.json" ;;
  *)
    here=no
    if test -d "$1"; then
      set -- "$1/"
      test ! -d "$1"hwconfig.d || set -- "$1hwconfig.d/"
      curves=${1%/}
      set -- "$curves"/*.curve
      test -f "$1" || fail 2 "$curves: there are no curves"
      mkdir "$scratch/of" || exit 1
    elif test -f "$1"; then
      unpack "$1" "$scratch/of"
      curves=$scratch/of/hwconfig.d
    else
      fail 2 "$1: no such recording or folder"
    fi
    data=$scratch/of
    whole_curves "$curves"
    reduced "$curves" "$data/hwconfig.json" ;;
  esac
  test $here = no || whole_curves "$curves"
  tabulate
  # Lines NAME|VALUE|SOURCE|UNIT|REPORTED|FALLBACK|TITLE; what the system claims here is of this machine only.
  if test $here = yes; then
    table | claims >"$scratch/rows"
  else
    table | $AWK -F '|' -v OFS='|' '{ $5 = "-"; print }' >"$scratch/rows"
  fi
  hows >"$scratch/how"
  reasons >"$scratch/reasons"
  of_processor=$(processor "$curves")
}

# reasons: lines NAME|WHY of what is unknown, as hwconfig.json has them.
reasons ()
{
  test -f "$data/hwconfig.json" || return 0
  $AWK '
    /^  "HW_/ { name = $1; gsub(/[^A-Z0-9_]/, "", name) }
    /^    "reason": / { sub(/^    "reason": "/, ""); sub(/",?$/, ""); print name "|" $0 }' "$data/hwconfig.json"
}

# hows: lines NAME HOW of what the curves say, for the values that they give.
hows ()
{
  sureness "$curves" | $AWK '
    FILENAME == ARGV[1] { split($0, field, "|"); value[field[1]] = field[2]; next }
    $2 == value[$1] { name = $1; sub(/^[^ ]* [^ ]* /, ""); sub(/[|]$/, ""); sub(/[|]/, ", "); print name, $0 }' "$scratch/rows" -
}

# ---- Rendering -----------------------------------------------------------------------------------------------

# above TITLE TEXT HEIGHT: both over the picture of that height.
above ()
{
  $AWK -v title="$(plain "$1" | tr -d '"')" -v text="$(plain "$2" | tr -d '"')" -v h="$3" 'BEGIN {
    printf "set size 1,%.4f; set origin 0,0\n", (h - 52) / h
    printf "set label 9001 \"%s\" at screen 0.5, screen %.4f center tc rgb ink font \",15\"\n", title, 1 - 18 / h
    printf "set label 9002 \"%s\" at screen 0.5, screen %.4f center tc rgb soft font \",11\"\n", text, 1 - 40 / h
  }'
}

# render ID FORMAT TO: gnuplot's picture; FORMAT is page, alone (SVG of its own), png or text. A file of its own has
# its title and the processor above.
render ()
{
  read -r width height <"$scratch/$1.size"
  case $2 in
  alone | png) height=$((height + 52)) ;;
  esac
  {
    case $2 in
    page | alone) echo "set terminal svg size $width,$height fixed font 'sans-serif,14' background 'white'" ;;
    png) echo "set terminal pngcairo size $((width * 2)),$((height * 2)) fontscale 1.9 linewidth 2 pointscale 1.6 background 'white'" ;;
    text)
      echo 'dumb = 1'
      echo "set terminal dumb ${COLUMNS:-79} $((${COLUMNS:-79} * 3 / 10 + 4))" ;;
    esac
    cat "$parts/style.gp"
    case $2 in
    alone | png)
      dots=
      ! sed -n '$p' "$scratch/$1.plot" | grep points >/dev/null || dots='; a dot is what was measured'
      above "$(cat "$scratch/$1.title")" "${of_processor:+$of_processor, }by hwconfig$dots" "$height" ;;
    text) echo 'unset grid' ;;
    esac
    # Text has its legend below.
    sed "$(test "$2" = text && echo 's/^set key .*/set key off/')" "$scratch/$1.plot"
  } >"$scratch/gnuplot"
  gnuplot "$scratch/gnuplot" >"$scratch/drawn" 2>"$scratch/wrong" && test -s "$scratch/drawn" ||
    fail 1 "$command: gnuplot cannot draw $1: $(sed '/^ *$/d; /\^/d; /iconv/d' "$scratch/wrong" | sed -n '$p')"
  case $2 in
  page | alone)
    alone=
    test "$2" = page || alone=1
    wide=
    test "$width" -le 640 || wide=1
    $AWK -v id="$1" -v title="$(cat "$scratch/$1.title")" -v desc="$(cat "$scratch/$1.says")" -v alone=$alone -v wide=$wide \
      -f "$parts/svg.awk" "$scratch/drawn" >"$3" ;;
  *) cp "$scratch/drawn" "$3" ;;
  esac
}

# deliver FILE TO: whole or not at all; - is standard output. What is no file, as /dev/null or a pipe, is written to
# and stays what it is.
deliver ()
{
  case $2 in
  -) cat "$1" 2>/dev/null || unwritten ;;
  *)
    if test -e "$2" && test ! -f "$2"; then
      { cat "$1" >"$2"; } 2>/dev/null || fail 1 "$2: cannot be written"
      return
    fi
    umask "$mask"
    { cat "$1" >"$2.tmp" && mv -f "$2.tmp" "$2"; } 2>/dev/null || {
      rm -f "$2.tmp" 2>/dev/null
      fail 1 "$2: cannot be written"
    } ;;
  esac
}

# ---- hwconfig plot ----------------------------------------------------------------------------------------------

# rows_of CURVE: those whose picture is of this curve alone.
rows_of ()
{
  cut -d '|' -f 1 "$scratch/rows" | $AWK -v curve="$1" '
    FILENAME == ARGV[1] { if ($0 !~ /^#/ && NF) { pattern[++n] = $1; kind[n] = $2; of[n] = $3 } next }
    {
      for (i = 1; i <= n && $1 !~ pattern[i]; i++) ;
      if (i > n || kind[i] != "curve") next
      name = of[i]
      if (name ~ /&/) name = spelt(name, $1)
      if (name == curve) print $1
    }
    function spelt(name, row) {
      row = tolower(row)
      sub(/^hw_(lat|rtp|ilp)_|^hw_(issue|have_fma|have_fpu)_/, "", row)
      sub(/_x100$/, "", row)
      sub(/&/, row, name)
      return name
    }' "$parts/pictures" -
}

# pictures_of NAME: draws what shows the row or the curve; prints IDs.
pictures_of ()
{
  case $1 in
  HW_*)
    line=$($AWK -v row="$1" '!/^#/ && NF && row ~ $1 { print $2, $3; exit }' "$parts/pictures")
    shown=${line%% *}
    of=${line#* }
    case $shown in
    latency | bandwidth | threads | contexts | slot | map | boxes | allocation | huge) draw_$shown && echo "$shown" ;;
    registers) draw_registers "$of" && echo "registers_$of" ;;
    colours) draw_colours "$of" && echo "colours_$of" ;;
    fit)
      # Of many strides the cache's own.
      all=$(fit_pictures "${of%_line}")
      case $of in
      *_line) printf '%s\n' "$all" | grep "_line_fit$" ;;
      *)
        stride=$($AWK -v b="$(value HW_L1_BYTES)" -v a="$(value HW_L1_ASSOC)" 'BEGIN { if (a) printf "%.0f", b / a }')
        printf '%s\n' "$all" | grep "_fit_$stride\$" || printf '%s\n' "$all" | sed 1q ;;
      esac | grep . ;;
    curve)
      short=$(printf '%s\n' "$1" | tr '[:upper:]' '[:lower:]' | sed -e 's/^hw_\(lat\|rtp\|ilp\)_//' -e 's/^hw_issue_//' -e 's/^hw_have_f[mp][au]_//' -e 's/_x100$//')
      of=$(printf '%s\n' "$of" | sed "s/&/$short/")
      names=
      case $of in
      *'*')
        for file in "$curves"/$of.curve; do
          name=${file##*/}
          ! is_curve "${name%.curve}" || names="$names ${name%.curve}"
        done
        names=$(printf '%s\n' $names | sort -t _ -k 3n | sed '/^$/d' | sed 6q | tr '\n' ' ') ;;
      *) names=$of ;;
      esac
      draw_curve picture "$names" "$1" && echo picture ;;
    *) return 1 ;;
    esac ;;
  *)
    case $1 in
    latency | bandwidth | threads | contexts | slot | map | boxes | roofline) draw_$1 && echo "$1" ;;
    vector) draw_vector && echo vector ;;
    levels) draw_latency && echo latency ;;
    *) draw_curve picture "$1" "$(rows_of "$1")" && echo picture ;;
    esac ;;
  esac
}

plot ()
{
  name='' of='' to=''
  arguments "$@"
  test $# -gt 0 && test -n "$name" || fail 2 'plot: name a parameter, a curve, or one of latency bandwidth threads contexts slot map boxes roofline vector'
  case $to in
  '' | - | *.svg | *.png) ;;
  *) fail 2 "plot: $to: neither .svg nor .png" ;;
  esac
  need_gnuplot
  begin
  about "$of"
  case $name in
  HW_*) names "$name" ;;
  *.curve | */*)
    test -f "$name" || fail 2 "$name: no such file"
    mkdir "$scratch/one" || exit 1
    short=${name##*/}
    cp "$name" "$scratch/one/${short%.curve}.curve"
    curves=$scratch/one
    whole_curves "$curves"
    name=${short%.curve} ;;
  latency | bandwidth | threads | contexts | slot | map | boxes | roofline | vector) ;;
  *) test -f "$curves/$name.curve" || fail 2 "$name: no such parameter or curve$( { cut -d '|' -f 1 "$scratch/rows"; find "$curves" -name '*.curve' 2>/dev/null | sed 's,.*/,,; s/\.curve$//' | sort; printf '%s\n' latency bandwidth threads contexts slot map boxes roofline vector; } | near "$name")" ;;
  esac
  id=$(pictures_of "$name" | sed 1q)
  test -n "$id" || case $name in
  HW_*)
    ! rows model macro | grep -x "..*	${name#HW_}" >/dev/null || fail 1 "plot: $name is computed from other values: there is no curve of it"
    fail 1 "plot: $name: what it is read off was not measured" ;;
  map) fail 1 "plot: map: no pairs were measured, or more processors than $most_mapped" ;;
  *) fail 1 "plot: $name: what it shows was not measured" ;;
  esac
  case $to in
  *.svg) render "$id" alone "$scratch/out" ;;
  *.png) render "$id" png "$scratch/out" ;;
  *)
    {
      cat "$scratch/$id.title"
      as_text "$id"
      fold -s -w "${COLUMNS:-79}" <"$scratch/$id.says"
    } >"$scratch/out"
    to=- ;;
  esac
  deliver "$scratch/out" "$to"
}

# as_text ID: the picture for a terminal.  The map is a table; what other axes are stands above, since text has
# no words that stand upright.
as_text ()
{
  case $1 in
  map)
    # Of more processors than a terminal is wide what is near to each other.
    test "$(sed -n '1s/^order//p' "$scratch/cells" | wc -w)" -gt 18 || {
      map_table
      return
    }
    boxes_input >"$scratch/boxes" ;;
  esac
  case $1 in
  map | boxes)
    $AWK -v text=1 -f "$parts/boxes.awk" "$scratch/boxes"
    return ;;
  esac
  render "$1" text "$scratch/text.out"
  sed -n -e "s/.*set ylabel ['\"]\([^'\"]*\).*/upwards: \1/p" -e "s/.*set y2label ['\"]\([^'\"]*\).*/at the right: \1/p" "$scratch/$1.plot" | sed 's/\\n/ /' | sort -ru
  sed 's/\f//g; s/[ ]*$//; /./,$!d' "$scratch/text.out"
  # The characters are those of gnuplot: of the nth line, and of the form of a point.
  sed -n '$p' "$scratch/$1.plot" | $AWK '{
    n = split($0, part, /, \$/)
    for (i = 1; i <= n; i++) {
      if (part[i] !~ /title \047/ || !match(part[i], / pt [0-9]+/)) continue
      line = part[i] ~ /lines/ ? substr("*#$%@&=", i, 1) : ""
      dot = substr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", substr(part[i], RSTART + 4, RLENGTH - 4) + 0, 1)
      sub(/.*title \047/, "", part[i]); sub(/\047.*/, "", part[i])
      printf "%s%s%s%s %s", (k++ ? "   " : "legend: "), line, dot, line, part[i]
    }
    if (k) print ""
  }'
}

# arguments ARGUMENT...: -o FILE, --of=WHAT and one name.
arguments ()
{
  while test $# -gt 0; do
    case $1 in
    -o)
      test $# -gt 1 && test -n "$2" || fail 2 "$command: -o: name a file"
      to=$2
      shift ;;
    -o?*) to=${1#-o} ;;
    --of=?*) of=${1#*=} ;;
    -*) fail 2 "$command: $1: no such option (there are -o FILE and --of=RECORDING)" ;;
    *)
      test -z "$name" || fail 2 "$command: $1: one name at a time"
      name=$1 ;;
    esac
    shift
  done
}

. "$parts/page.sh"
. "$parts/vectors.sh"
