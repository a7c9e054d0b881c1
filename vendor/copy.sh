#!/bin/sh
# What make vendor and make embed copy into another package:
#   copy.sh FOLDER SCRIPT...
# writes these scripts, the table, the sources of the probes' program as one file, and what is compiled beside it, to
# FOLDER, and prints the names of all. Comments stay behind. With ROWS, groups and macros, it is what these need and nothing
# else, and HW_CHECK_CROSSOVER where CROSSOVER is among them; where FOLDER is empty their names are looked at, and nothing is written.
# Environment: hw_dir, the sources; ROWS; VERSION; AWK.
# shellcheck disable=SC1091,SC2016,SC2034,SC2086,SC2154
LC_ALL=C
export LC_ALL
folder=$1
shift
. "$hw_dir/probes/build.sh"
ROWS=$(printf '%s' "${ROWS-}" | tr ',' ' ')
crossover=probes/crossover/hwcrossover.c
case " $ROWS " in
'  ') ;;
*' CROSSOVER '*)
  ROWS=$(printf ' %s ' "$ROWS" | sed 's/ CROSSOVER / /; s/^ *//; s/ *$//')
  test -n "$ROWS" || {
    echo "make vendor ROWS=CROSSOVER: name a group or macro as well" >&2
    exit 2
  } ;;
*) crossover= ;;
esac
hw_taken=
test -z "$ROWS" || hw_taken=$(hw_fn_tell probes $ROWS)
case $hw_taken in
unknown*)
  name=${hw_taken#unknown }
  near=$(${AWK-awk} -v ask='group macro' -f "$hw_dir/registry/table.awk" -f "$hw_dir/registry/ask.awk" "$hw_dir/probes/params.def" |
    ${AWK-awk} '!seen[$1]++ { print $1 } { print "HW_" $2 }' |
    HW_GIVEN=$name ${AWK-awk} -v near_lines=1 -f "$hw_dir/registry/near.awk")
  echo "make vendor ROWS='$ROWS': $name: no such group or macro$near" >&2
  exit 2 ;;
esac
test -n "$folder" || exit 0

# begin FILE: a line before what standard input has.
begin ()
{
  mkdir -p "$folder/$(dirname "$1")" &&
    { echo "/* hwconfig $VERSION.  SPDX-License-Identifier: MIT.  Comments: see its own package. */" && cat; } >"$folder/$1"
}

hw_fn_tell table $ROWS | begin probes/params.def || exit 1
hw_fn_sources ${hw_taken:+-v "probes=$hw_taken"} | begin probes/hwprobe.c || exit 1
compiled="$(hw_fn_beside "$folder/probes/params.def") $crossover probes/params.h"
for file in $compiled; do
  hw_fn_copied "$file" | begin "$file" || exit 1
done
tables=$(cd "$folder" && sed -n 's/^ *# *include "\(analysis\/.*\.def\)".*/\1/p' probes/hwprobe.c $compiled | sort -u)
for file in $tables; do
  hw_fn_copied "$file" | begin "$file" || exit 1
done
{
  echo '# SPDX-License-Identifier: MIT'
  hw_fn_serial
} >"$folder/probes/serial"
echo probes/params.def probes/hwprobe.c probes/serial $compiled $tables

# Of a script the license stays, and of a macro its notice; the template of the header is what its readers see.
for file do
  case $file in
  analysis/*.awk) grep '^HW_MODEL(' "$folder/probes/params.def" >/dev/null || continue ;;
  */*statement.*) test -z "$hw_taken" || continue ;;
  m4/hw_check_crossover.m4) test -n "$crossover" || continue ;;
  esac
  echo "$file"
  mkdir -p "$folder/$(dirname "$file")" || exit 1
  case $file in
  *.sh | *.awk | *.m4 | hwconfig.in)
    sed -e '/^# Copyright /,/warranty/b' -e '/SPDX/b' -e '/^ *# /d' -e '/^ *#$/d' -e '/^ *dnl /d' -e '/^$/d' "$hw_dir/$file" ;;
  hwconfig.h.in)
    ${AWK-awk} -v names="$(sed -n 's/^HW_[A-Z]*(\([A-Z0-9_]*\), .*/\1/p' "$folder/probes/params.def" | tr '\n' ' ')" '
      BEGIN {
        n = split(names, list, " ")
        for (i = 1; i <= n; i++) there["HW_" list[i]]
      }
      function paragraph() {
        if (of && !left) text = ""
        printf "%s", text
        text = ""
        of = left = 0
      }
      /^#undef HW_/ {
        of = 1
        if (!($2 in there)) next
        left = 1
      }
      { text = text $0 "\n" }
      /^$/ { paragraph() }
      END { paragraph() }' "$hw_dir/$file" ;;
  *) cat "$hw_dir/$file" ;;
  esac >"$folder/$file" || exit 1
done
