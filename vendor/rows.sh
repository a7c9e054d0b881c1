#!/bin/sh
# What a copy for some rows has in place of the parts of the probes that none of them needs, for make vendor
# ROWS='L1 L2':
#   rows.sh FOLDER ROW...
# writes it to FOLDER/CORE, MEMORY and SYSTEM; where FOLDER is empty it looks at the names alone. One that is no
# group and no macro is an error, and nothing is written.
# Environment: hw_dir, the sources; AWK.
# shellcheck disable=SC1091,SC2016,SC2034,SC2154
LC_ALL=C
export LC_ALL
folder=$1
shift

# The groups of the probes that these rows need, of those that a model reads for them, and of what these need.
groups=$(${AWK-awk} -F '[(,) ]+' -v names="$*" '
  function need(probe,  i, n, list) {
    if (probe in taken) return
    taken[probe]
    n = split(needs[probe], list, " ")
    for (i = 1; i <= n; i++) need(list[i])
  }
  function take(row,  i, n, list) {
    if (row in rows) return
    rows[row]
    need(probe[row])
    n = split(reads[row], list, " ")
    for (i = 1; i <= n; i++) take(list[i])
  }
  $1 ~ /^HW_(PROBE|MODEL)$/ { group[$2] = $3; if ($1 == "HW_PROBE") for (i = 4; i < NF; i++) if ($i != "none") needs[$2] = needs[$2] " " $i }
  $1 ~ /^HW_(PARAM|DERIVED)$/ { macro[$4] = $2; probe[$4] = $3 }
  $1 == "HW_READS" { for (i = 3; i < NF; i++) reads[$2] = reads[$2] " " $i }
  END {
    n = split(names, list, /[ ,]+/)
    for (i = 1; i <= n; i++) {
      name = list[i]
      sub(/^HW_/, "", name)
      found = 0
      for (row in macro)
        if (macro[row] == name || group[probe[row]] == name ||
            (name ~ /^L[23]$/ && group[probe[row]] == "CACHES" && macro[row] ~ "^(HAVE_)?" name "_")) {
          take(row)
          found = 1
        }
      if (!found) { print "unknown", list[i]; exit }
    }
    for (name in taken) printf " %s", group[name]
  }' "$hw_dir/probes/params.def")
case $groups in
unknown*)
  name=${groups#unknown }
  near=$(${AWK-awk} -F '[(,) ]+' '$1 == "HW_PROBE" || $1 == "HW_MODEL" { print $3 }
    $1 == "HW_PARAM" || $1 == "HW_DERIVED" { print "HW_" $2 }' "$hw_dir/probes/params.def" |
    HW_GIVEN=$name ${AWK-awk} -v near_lines=1 -f "$hw_dir/registry/near.awk")
  echo "make vendor ROWS='$*': $name: no such group or macro$near" >&2
  exit 2 ;;
esac
test -n "$folder" || exit 0
mkdir -p "$folder" || exit 1
. "$hw_dir/probes/build.sh"
# stand_in PART GROUP...
stand_in ()
{
  part=$1
  shift
  for group; do
    case "$groups " in
    *" $group "*) return ;;
    esac
  done
  hw_absent=$*
  hw_fn_stand_ins >"$folder/$part"
}
stand_in CORE INSTRUCTIONS REGISTERS
stand_in SYSTEM PROCESSORS SHARING MPI
stand_in MEMORY L1 PAGE TLB CACHES ICACHE
