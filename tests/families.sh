#!/bin/sh
# families.sh write FOLDER: writes each line of tests/families/processors.tsv as FOLDER/NN.json, what hwconfig compare reads.
# families.sh simulate [NAME...]: simulates tests/families/NAME.machine, or all, and writes their lines anew: half a minute each.
# Environment: simulate, the program; srcdir, the top of the sources.

LC_ALL=C
export LC_ALL
: "${srcdir:=.}" "${simulate:=tests/simulate}"
folder=$srcdir/tests/families
table=$folder/processors.tsv
mode=$1
shift
case $mode in
write)
  # shellcheck disable=SC2016 # of awk
  ${AWK-awk} -F '\t' -v folder="$1" '
    /^#/ { next }
    !names { names = split($0, row); next }
    {
      out = sprintf("%s/%02d.json", folder, ++n)
      printf "{\n  \"name\": \"%s\"", $1 >out
      for (i = 3; i <= NF; i++) if ($i != "-")
        printf ",\n  \"HW_%s\": {\n    \"value\": %d,\n    \"source\": \"%s\"\n  }", row[i], $i, $i ~ /m$/ ? "XM" : $2 >out
      print "\n}" >out
      close(out)
    }' "$table"
  ;;
simulate)
  rows=$(sed -n 's/^name	source	//p' "$table")
  test $# -gt 0 || set -- "$folder"/*.machine
  for machine do
    name=${machine##*/}
    name=$folder/${name%.machine}.machine
    # shellcheck disable=SC2016,SC2046,SC2086 # of awk, and lists
    "$simulate" "$name" $(printf 'HW_%s ' $rows) 2>/dev/null | ${AWK-awk} -F '\t' -v OFS='\t' \
      -v name="$(sed -n 's/^machine *//p' "$name")" '
      NR == FNR { split($0, word, / (= )?/); value[word[1]] = word[2]; next }
      /^name/ { split($0, row) }
      $1 == name && $2 == "simulated" {
        for (i = 3; i <= NF; i++) if (row[i] !~ /^L1_(BYTES|ASSOC|LINE)$|^NR_|_F32_/) # they are no quantities of a vector
          $i = value["HW_" row[i]] ~ /^[0-9]+$/ ? value["HW_" row[i]] : "-"
      }
      { print }' - "$table" >families.tmp && mv families.tmp "$table" || exit 1
  done
  ;;
esac
