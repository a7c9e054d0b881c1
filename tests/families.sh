#!/bin/sh
# families.sh NAME...: simulates tests/families/NAME.machine, or all, and writes what their vectors are made of to
# NAME.json beside it: half a minute each.
# Environment: simulate, the program; srcdir, the top of the sources.

LC_ALL=C
export LC_ALL
: "${srcdir:=.}" "${simulate:=tests/simulate}"
folder=$srcdir/tests/families
rows='CYCLE_PS L1_LAT_X100 L2_LAT_X100 L3_LAT_X100 MEM_LAT_X100 HAVE_L2 HAVE_L3 L1I_MISS BRANCH_MISS
  TLB1_MISS TLB2_MISS RTP_ADD_I32_X100 LAT_MUL_I32_X100 RTP_MUL_I32_X100 LAT_DIV_I32_X100
  RTP_DIV_I32_X100 LAT_ADD_F64_X100 RTP_ADD_F64_X100 LAT_MUL_F64_X100 RTP_MUL_F64_X100 LAT_DIV_F64_X100
  RTP_DIV_F64_X100 LAT_SQRT_F64_X100 RTP_SQRT_F64_X100 ISSUE_I32_X100 ISSUE_MIX_X100'
rows=$(for row in $rows; do echo "HW_$row"; done)
test $# -gt 0 || set -- "$folder"/*.machine
for machine do
  name=${machine##*/}
  name=${name%.machine}
  # shellcheck disable=SC2086 # a list
  "$simulate" "$folder/$name.machine" $rows >"$folder/$name.tmp" 2>/dev/null || exit 1
  awk -v name="$(sed -n 's/^machine *//p' "$folder/$name.machine")" '
    BEGIN { print "{"; printf "  \"name\": \"%s\"", name }
    /^HW_[A-Z0-9_]* = [0-9]+$/ { printf ",\n  \"%s\": {\n    \"value\": %s,\n    \"source\": \"simulated\"\n  }", $1, $3 }
    END { print "\n}" }' "$folder/$name.tmp" >"$folder/$name.json.tmp" && mv "$folder/$name.json.tmp" "$folder/$name.json"
  rm -f "$folder/$name.tmp"
done
