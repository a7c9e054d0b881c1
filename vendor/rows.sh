#!/bin/sh
# What a copy for some rows has in place of the parts of the probes that none of them needs, for make vendor
# ROWS='L1 L2':
#   rows.sh FOLDER ROW...
# writes it to FOLDER/CORE, FOLDER/MEMORY and so on; where FOLDER is empty it looks at the names alone. One that is no
# group and no macro is an error, and nothing is written.
# Environment: hw_dir, the sources; AWK.
# shellcheck disable=SC1091,SC2016,SC2034,SC2154
LC_ALL=C
export LC_ALL
folder=$1
shift

. "$hw_dir/probes/build.sh"
absent=$(hw_fn_tell absent "$@")
case $absent in
unknown*)
  name=${absent#unknown }
  near=$(${AWK-awk} -v ask='group macro' -f "$hw_dir/registry/table.awk" -f "$hw_dir/registry/ask.awk" "$hw_dir/probes/params.def" |
    ${AWK-awk} '!seen[$1]++ { print $1 } { print "HW_" $2 }' |
    HW_GIVEN=$name ${AWK-awk} -v near_lines=1 -f "$hw_dir/registry/near.awk")
  echo "make vendor ROWS='$*': $name: no such group or macro$near" >&2
  exit 2 ;;
esac
test -n "$folder" || exit 0
mkdir -p "$folder" || exit 1
test -z "$absent" || echo "$absent" | while read -r part hw_absent; do
  hw_fn_tell stand-ins "$hw_absent" >"$folder/$part"
done
