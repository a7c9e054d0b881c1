#!/bin/sh
# record.sh: packs what the configure of this build folder measured into one file,
# tests/recorded/PROCESSOR/NAME.txt.gz of the sources.  For make record.
# Environment: srcdir, the top of the sources; hwprobe, the program; PROCESSOR and NAME, or what the
# conditions and the number of recordings say; HW_RECORDED, another folder than tests/recorded.

LC_ALL=C
export LC_ALL
: "${srcdir:=.}" "${hwprobe:=./hwprobe}"
recorded=${HW_RECORDED:-$srcdir/tests/recorded}
# Bytes of a file at most: a repository is to hold some dozens.
most=65536

fail ()
{
  echo "record: $*" >&2
  exit 1
}

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' 0
trap 'exit 1' HUP INT PIPE TERM

# ---- What was measured, all of it, and by this configure -----------------------------------------

for file in hwconfig.d/conditions hwconfig.json hwconfig.site; do
  test -f "$file" ||
    fail "there is no $file: this build has measured nothing, or not all of hwconfig.d at once: remove hwconfig.d and run configure again, without a cache"
done
"$hwprobe" --reduce hwconfig.d/*.curve >"$work/rows" 2>"$work/error" ||
  fail "the curves cannot be read off: $(sed 1q "$work/error")"

# HW_X VALUE SOURCE of each value of hwconfig.json.
awk -F '[":, ]+' '
  /^  "HW_/ { name = $2 }
  $2 == "value" { value = $3 }
  $2 == "source" { print name, value, $3 }' hwconfig.json >"$work/values"
bad=$(awk '
  NR == FNR { if ($2 == "=") read[$1] = $3; next }
  $3 == "given" || $3 == "profile" { print $1 "=" $2 " was not measured: it is " ($3 == "given" ? "given" : "of a profile"); exit }
  $3 == "measured" && read[$1] != $2 { print $1 "=" $2 " is not of these curves" ($1 in read ? ", of which is read " read[$1] : ""); exit }
  ' "$work/rows" "$work/values")
test -z "$bad" || fail "$bad: run configure again in an empty folder, without it and without a cache"

# ---- As one text -----------------------------------------------------------------------------------

{
  echo '# hwconfig recording 1'
  for file in hwconfig.d/conditions hwconfig.site hwconfig.d/*.curve; do
    echo "# file: ${file##*/}"
    cat "$file" || fail "$file cannot be read"
  done
} >"$work/text"

# A recording is public: it names neither the machine nor its user.  A path has no place in what is free
# text, and begins no word elsewhere.
bad=$(awk -v names="$(uname -n) $(uname -n | sed 's/\..*//') $(id -un 2>/dev/null) ${LOGNAME-} ${USER-}" '
  BEGIN { n = split(tolower(names), name, " ") }
  # Whether the line holds the name as a word.
  function holds(line, name,   at, from) {
    for (from = 1; (at = index(substr(line, from), name)) > 0; from += at)
      if (substr(" " line, from + at - 1, 1) !~ /[a-z0-9]/ &&
          substr(line " ", from + at - 1 + length(name), 1) !~ /[a-z0-9]/)
        return 1
    return 0
  }
  function tell(what) {
    print "line " FNR " has " what ": " $0
    exit
  }
  /^# (flags|compiler|clock): |^hw_cv_fingerprint=|^processor / {
    if (index($0, "/")) tell("a path")
    for (i = 1; i <= n; i++)
      if (holds(tolower($0), name[i])) tell("the name " name[i])
  }
  /(^|[^0-9A-Za-z])\// { tell("a path") }' "$work/text")
test -z "$bad" || fail "$bad"
gzip -n -9 <"$work/text" >"$work/packed" || fail 'gzip does not work here'
bytes=$(($(wc -c <"$work/packed")))
test "$bytes" -le "$most" || fail "$bytes bytes are more than the $most that a recording may have"

# ---- To its place ------------------------------------------------------------------------------------

# A name for the processor: its maker with family and model, or all that it is called.
slug ()
{
  sed -n 's/^processor //p' hwconfig.d/conditions | tr '[:upper:]' '[:lower:]' |
    sed -e 's/^\([a-z]*\).* family \([0-9]*\) model \([0-9]*\).*/\1-\2-\3/' \
      -e 's/[^a-z0-9]\{1,\}/-/g' -e 's/^-//' -e 's/-$//'
}
processor=${PROCESSOR:-$(slug)}
name=${NAME:-1}
test -n "${NAME-}" || while test -f "$recorded/$processor/$name.txt.gz"; do
  name=$((name + 1))
done
for word in "$processor" "$name"; do
  case $word in
  *[!a-z0-9.-]* | [.-]* | '') fail "'$word' is no name: letters a to z, digits, . and - make one, as in PROCESSOR=emerald-rapids NAME=quiet-1" ;;
  "$(uname -n)" | "$(id -un)") fail "'$word' is the name of this machine or of its user" ;;
  esac
done
file=$recorded/$processor/$name.txt.gz
test ! -f "$file" || fail "$file is there already"
{ mkdir -p "$recorded/$processor" && cp "$work/packed" "$file"; } 2>/dev/null ||
  fail "$file cannot be written"
echo "$file: $bytes bytes, $(grep -c '^HW_' "$work/rows") rows known"
sed -n '/^#/!s/^/  /p' hwconfig.d/conditions
