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
scratch='' curves=''

# How wide a terminal is.
screen=${COLUMNS:-79}
case $screen in
*[!0-9]* | ? | [1-3]?) screen=79 ;;
esac

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
  program=$AWK AWK=watched
}

# watched ARGUMENT...: awk, from begin on. Its status says no by 1; that it has failed, wherever in a pipe, worked finds.
watched ()
{
  $program "$@"
  set -- $?
  test "$1" -lt 2 || : >"$scratch/failed"
  return "$1"
}

# worked: stops where an awk has failed, before anything else is blamed or a part is delivered.
worked ()
{
  test ! -f "$scratch/failed" || {
    AWK=$program
    broken
  }
}

# bad_file LINES: stops with the first of these.
bad_file ()
{
  worked
  fail 2 "$(printf '%s\n' "$1" | sed 1q)"
}

# whole FILE: stops at a hwconfig.json that is damaged.
whole ()
{
  test -f "$1" && test -r "$1" || fail 2 "$1: cannot be read"
  $AWK -f "$parts/json.awk" "$1" >"$scratch/wrong" || bad_file "$(cat "$scratch/wrong")"
}

# whole_curves FOLDER: stops at a curve that is damaged.
whole_curves ()
{
  set -- "$1"/*.curve
  test -f "$1" || return 0
  $AWK -f "$parts/curve.awk" "$@" >"$scratch/wrong" || bad_file "$(sed "s|^.*/||" "$scratch/wrong")"
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
    { print >file }' "$scratch/text" 2>/dev/null || bad_file "$1: no recording, or a damaged one"
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
  shown >"$scratch/shown"
  reasons >"$scratch/reasons"
  of_processor=$(processor "$curves")
  facts seen <"$scratch/rows" >"$scratch/seen"
  list_curves
}

# list_curves: the names of those there are, for figure.awk.
list_curves ()
{
  find "$curves" -name '*.curve' 2>/dev/null | sed 's,.*/,,; s/\.curve$//' | sort >"$scratch/there"
  find "$data/bench.d" -name '*.curve' 2>/dev/null | sed 's,.*/,,; s/\.curve$//' | sort >"$scratch/there.bench"
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

# above TITLE TEXT HEIGHT WIDTH: both over the picture of that size.
above ()
{
  $AWK -v title="$(plain "$1" | tr -d '"')" -v text="$(plain "$2" | tr -d '"')" -v h="$3" -v w="$4" 'BEGIN {
    printf "set size 1,%.4f; set origin 0,0\n", (h - 52) / h
    printf "set label 9001 \"%s\" at screen 0.5, screen %.4f center tc rgb ink font \",15\"\n", title, 1 - 18 / h
    printf "set label 9002 \"%s\" at screen 0.5, screen %.4f center tc rgb soft font \",%.1f\"\n", text, 1 - 40 / h, (length(text) * 7.4 > w ? 11 * w / length(text) / 7.4 : 11)
  }'
}

# render ID FORMAT TO: gnuplot's picture; FORMAT is page, alone (SVG of its own) or png. A file of its own has
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
    esac
    cat "$parts/style.gp"
    case $2 in
    alone | png)
      dots=
      ! sed -n '$p' "$scratch/$1.plot" | grep points >/dev/null || dots='; a dot is what was measured'
      above "$(cat "$scratch/$1.title")" "${of_processor:+$of_processor, }by hwconfig$dots" "$height" "$width" ;;
    esac
    cat "$scratch/$1.plot"
  } >"$scratch/gnuplot"
  worked
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
  worked
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

# shown: lines ROW PICTURE CURVE SIGN of report/pictures, with names instead of patterns.
shown ()
{
  cut -d '|' -f 1 "$scratch/rows" | $AWK '
    FILENAME == ARGV[1] { if (!/^#/ && NF) { pattern[++n] = $1; sub(/^[^ ]* */, ""); of[n] = $0 } next }
    {
      for (i = 1; i <= n && $1 !~ pattern[i]; i++) ;
      row = tolower($1)
      sub(/^hw_(lat|rtp|ilp)_|^hw_(issue|have_fma|have_fpu)_/, "", row)
      sub(/_x100$/, "", row)
      text = of[i]
      gsub(/&/, row, text)
      print $1, text
    }' "$parts/pictures" -
}

# picture_of NAME: draws what shows the row or the curve; prints its ID.
picture_of ()
{
  case $1 in
  HW_*)
    # shellcheck disable=SC2046
    set -- $(sed -n "s/^$1 //p" "$scratch/shown") "$1"
    case $1 in
    curve) curve_of "$(grep -x -e "$(echo "$2" | sed 's/[*]/[0-9]*/')" "$scratch/there" | sort -t _ -k 3n | tr '\n' ' ')" "$name" ;;
    fit_l1)
      # Of many strides the cache's own.
      stride=$($AWK -v b="$(value HW_L1_BYTES)" -v a="$(value HW_L1_ASSOC)" 'BEGIN { if (a) printf "%.0f", b / a }')
      for id in "fit_l1_fit_$stride" $(ids | grep '^fit_l1_fit_'); do
        ! draw "$id" || break
      done && echo "$id" ;;
    *) draw "$1" && echo "$1" ;;
    esac ;;
  levels) draw latency && echo latency ;;
  *)
    if ids | grep -Fx -e "$1" >/dev/null; then
      draw "$1" && echo "$1"
    else
      curve_of "$1" "$($AWK -v of="$1" '$2 == "curve" && $3 == of { print $1 }' "$scratch/shown" | tr '\n' ' ')"
    fi ;;
  esac
}

# curve_of CURVES ROWS: of one of pairs it is a map.
curve_of ()
{
  ! grep '^# x: places of two' "$curves/${1%% *}.curve" >/dev/null 2>&1 || {
    draw_map "${1%% *}" && echo pairs
    return
  }
  drawer curve of="${1% }" row="${2% }" && echo curve
}

# ids: the names of pictures.
ids ()
{
  drawer - ask=ids | sed '/^==/d; /_$/d; /^bench_/d'
}

# drawable: the pictures that can be drawn here.
drawable ()
{
  ids | sed '/^fit_/d' | while read -r id; do
    ! draw "$id" || echo "$id"
  done | tr '\n' ' ' | sed 's/ $//'
}

plot ()
{
  name='' of='' to=''
  arguments "$@"
  test $# -gt 0 && test -n "$name" || fail 2 "plot: name a parameter, a curve, or one of $(ids | tr '\n' ' ' | sed 's/ $//')"
  case $to in
  '' | -) ;;
  *.svg | *.png) need_gnuplot ;;
  *) fail 2 "plot: $to: neither .svg nor .png" ;;
  esac
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
    list_curves
    name=${short%.curve} ;;
  *) ids | grep -Fx -e "$name" >/dev/null || test -f "$curves/$name.curve" || fail 2 "$name: no such parameter or curve$( { cut -d '|' -f 1 "$scratch/rows"; cat "$scratch/there"; ids; } | near "$name")" ;;
  esac
  id=$(picture_of "$name")
  worked
  test -n "$id" || {
    why="what it shows was not measured"
    case $name in
    HW_*)
      why='what it is read off was not measured'
      ! rows model macro | grep -x "..*	${name#HW_}" >/dev/null || why='it is computed from other values: there is no curve of it' ;;
    map) why="no pairs were measured, or more processors than $most_mapped" ;;
    esac
    others=$(drawable)
    fail 1 "plot: $name: $why${others:+; what can be drawn: $others}"
  }
  case $to in
  *.svg) render "$id" alone "$scratch/out" ;;
  *.png) render "$id" png "$scratch/out" ;;
  *)
    {
      cat "$scratch/$id.title" "$scratch/$id.text"
      fold -s -w "$screen" <"$scratch/$id.says"
    } >"$scratch/out"
    to=- ;;
  esac
  deliver "$scratch/out" "$to"
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
