#!/bin/sh
# What registry/export.awk writes against tests/exports.table:
#   exports.sh AWK FILE
# Prints below the title of a case where it differs, and ends with 1 then.
# Environment: abs_top_srcdir; a folder to write to is the current one.
# shellcheck disable=SC2016,SC2154
LC_ALL=C
export LC_ALL
awk=$1
rm -f case.*
${AWK-awk} '
  function put(end, text) { print text >(name end) }
  /^##/ || NF == 0 { next }
  /^= / {
    if (name != "") { close(name ".out"); close(name ".err"); close(name ".values") }
    name = sprintf("case.%03d", ++n)
    put("", substr($0, 3)); close(name)
    split("out err values", end, " "); for (i = 1; i <= 3; i++) printf "" >(name "." end[i])
    format = $2
    next
  }
  /^>/ { put(".out", substr($0, 3)); next }
  /^!/ { put(".err", "hwconfig: export " format ": " substr($0, 3)); next }
  /^\|/ { if (!made[n]++) put(".table", "== " format); put(".table", substr($0, 3)); next }
  { put(".values", $0) }' "$2"
status=0
for values in case.*.values; do
  at=${values%.values}
  table=$abs_top_srcdir/registry/exports
  test ! -f "$at.table" || table=$at.table
  read -r format title <"$at"
  # shellcheck disable=SC2086 # it may be busybox awk
  $awk -v format="$format" -f "$abs_top_srcdir/registry/export.awk" "$values" "$table" >said.out 2>said.err
  {
    sed 's/ *$//' said.out | diff "$at.out" -
    sed 's/ *$//' said.err | diff "$at.err" -
  } >different
  test ! -s different || {
    printf '%s\n' "$awk: $format $title"
    cat different
    status=1
  }
done
exit $status
