# _hw_files.m4: what is written at the end.
#
# Copyright (c) The hwconfig authors
#
# Copying and distribution of this file, with or without modification, are
# permitted in any medium without royalty provided the copyright notice and
# this notice are preserved. This file is offered as-is, without any warranty.

# _HW_AGREE
# ---------
# hw_fn_agree: values that contradict one another. To give both is an error, one
# that is given makes the other unknown, and so do two that are not given with
# each other. What is left has no need of a check by hwconfig.h, which has the same
# orders and shapes (_HW_HEADER) for the sake of names that another header defines.
AC_DEFUN([_HW_AGREE],
[hw_fn_clash ()
{
  eval "hw_src=\$$[]1_SRC\$$[]2_SRC"
  case $hw_src in
  33) AC_MSG_ERROR([$hw_why], 2) ;;
  esac
  AC_MSG_WARN([$hw_why: left unknown])
  case $hw_src in
  3?) ;;
  *) eval "$[]1= $[]1_SRC= $[]1_RANGE= $[]1_WHY=\$hw_why" ;;
  esac
  case $hw_src in
  ?3) ;;
  *) eval "$[]2= $[]2_SRC= $[]2_RANGE= $[]2_WHY=\$hw_why" ;;
  esac
}
# hw_fn_order SWITCH NAME...: none of these, as far as they are known, exceeds one that comes after it: by
# HW_ORDER where the switch, unless that is NONE, is 0, by HW_BOUND where it is not 1. Of a range the end counts
# that agrees with the other.
hw_fn_order ()
{
  test $[]1 = NONE || {
    eval "hw_switch=\$HW_$[]1"
    case $hw_rule,$hw_switch in
    *,0 | bound,) ;;
    *) return 0 ;;
    esac
  }
  shift
  while test $[]@%:@ -gt 1; do
    hw_less=HW_$[]1
    shift
    for hw_more; do
      hw_more=HW_$hw_more
      eval "hw_small=\$$hw_less hw_large=\$$hw_more"
      test -n "$hw_small" && test -n "$hw_large" && hw_fn_above $hw_small $hw_large || continue
      hw_why="$hw_less=$hw_small is larger than $hw_more=$hw_large"
      eval "hw_small=\${${hw_less}_RANGE:-$hw_small} hw_large=\${${hw_more}_RANGE:-$hw_large}"
      hw_fn_above ${hw_small%:*} ${hw_large@%:@*:} || continue
      $hw_clash $hw_less $hw_more
    done
  done
}
hw_fn_orders ()
{
m4_defn([_HW_ORDERS])dnl
}
hw_fn_bounds ()
{
m4_defn([_HW_BOUNDS])dnl
}
# The number of levels and the switch of level N say the same.
hw_fn_levels ()
{
  eval "hw_have=\$HW_HAVE_L$[]1"
  case $HW_CACHE_LEVELS,$hw_have in
  ,* | *,) return ;;
  esac
  AS_IF([test $HW_CACHE_LEVELS -ge $[]1], [hw_due=1], [hw_due=0])
  hw_why="HW_HAVE_L$[]1=$hw_have does not agree with HW_CACHE_LEVELS=$HW_CACHE_LEVELS"
  test $hw_have = $hw_due || hw_fn_clash HW_HAVE_L$[]1 HW_CACHE_LEVELS
}
# Four that were measured, of a cache, fit each other; four that are given have to,
# and three of them have room for a number of sets.
hw_fn_shape ()
{
  eval "hw_size=\$$[]1_BYTES"
  eval "hw_src=\$$[]1_BYTES_SRC\$$[]1_ASSOC_SRC\$$[]1_LINE_SRC\$$[]1_SETS_SRC"
  case $hw_src in
  333*)
    eval "hw_product=\`expr \$$[]1_ASSOC \* \$$[]1_LINE\`"
    test `expr "$hw_size" % "$hw_product"` = 0 ||
      AC_MSG_ERROR([$[]1_BYTES=$hw_size is no multiple of $[]1_ASSOC * $[]1_LINE=$hw_product], 2) ;;
  esac
  case $hw_src in
  3333 | 5555) ;;
  *) return 0 ;;
  esac
  eval "hw_product=\`expr \$$[]1_SETS \* \$$[]1_ASSOC \* \$$[]1_LINE\`"
  test "$hw_product" != "$hw_size" || return 0
  test $hw_src = 5555 ||
    AC_MSG_ERROR([$[]1_SETS * $[]1_ASSOC * $[]1_LINE=$hw_product is not $[]1_BYTES=$hw_size], 2)
  hw_why="$[]1_SETS * $[]1_ASSOC * $[]1_LINE=$hw_product is not $[]1_BYTES=$hw_size"
  AC_MSG_WARN([$hw_why: left unknown])
  for hw_name in $[]1_BYTES $[]1_ASSOC $[]1_LINE $[]1_SETS; do
    eval "$hw_name= ${hw_name}_SRC= ${hw_name}_WHY=\$hw_why"
  done
}
hw_fn_agree ()
{
  hw_clash=hw_fn_clash hw_rule=order
  hw_fn_levels 1
  hw_fn_levels 2
  hw_fn_levels 3
  hw_fn_orders
m4_defn([_HW_SHAPES])dnl
}
])# _HW_AGREE


# _HW_DERIVE
# ----------
# hw_fn_follow: what follows from other values, where it is not known anyhow:
# the capacity from the shape, the number of levels and the switches from each other
# and from sizes, and the sizes of a level that does not exist, which repeat those of
# the level before.
AC_DEFUN([_HW_DERIVE],
[hw_fn_derive ()
{
  eval "hw_value=\$$[]1"
  test -n "$hw_value" || test -z "$[]2" || eval "$[]1=\$[]2 $[]1_SRC=4"
}
hw_fn_follow ()
{
  for hw_level in 1 2 3; do
    eval "hw_have=\$HW_HAVE_L$hw_level hw_due=\$HW_L${hw_level}_BYTES
      hw_product=\$HW_L${hw_level}_SETS,\$HW_L${hw_level}_ASSOC,\$HW_L${hw_level}_LINE"
    case $hw_have,$hw_due,$hw_product in
    0,* | ?,?*,* | ,?*,* | *,,,* | *,,*,,* | *,,*,) continue ;;
    esac
    eval "hw_product=\`expr \$HW_L${hw_level}_SETS \* \$HW_L${hw_level}_ASSOC \* \$HW_L${hw_level}_LINE\`"
    hw_fn_row l${hw_level}_bytes
    hw_fn_illegal "$hw_product" || hw_fn_derive HW_L${hw_level}_BYTES "$hw_product"
  done
  for hw_level in 1 2 3; do
    hw_due=
    test -z "$HW_CACHE_LEVELS" || hw_due=`expr $HW_CACHE_LEVELS '>=' $hw_level`
    hw_fn_derive HW_HAVE_L$hw_level "$hw_due"
  done
  # One that holds more than the one before is there, and a level stands on those before it.
  AS_IF([test -n "$HW_L2_BYTES" && hw_fn_above ${HW_L3_BYTES:-0} $HW_L2_BYTES], [hw_fn_derive HW_HAVE_L3 1])
  AS_IF([test -n "$HW_L1_BYTES" && hw_fn_above ${HW_L2_BYTES:-0} $HW_L1_BYTES], [hw_fn_derive HW_HAVE_L2 1])
  test "$HW_HAVE_L3" != 1 || hw_fn_derive HW_HAVE_L2 1
  test "$HW_HAVE_L2" != 1 || hw_fn_derive HW_HAVE_L1 1
  test "$HW_HAVE_L1" != 0 || hw_fn_derive HW_HAVE_L2 0
  test "$HW_HAVE_L2" != 0 || hw_fn_derive HW_HAVE_L3 0
  case $HW_HAVE_L1$HW_HAVE_L2$HW_HAVE_L3 in
  000) hw_fn_derive HW_CACHE_LEVELS 0 ;;
  100) hw_fn_derive HW_CACHE_LEVELS 1 ;;
  110) hw_fn_derive HW_CACHE_LEVELS 2 ;;
  esac
  for hw_name in BYTES EFF_BYTES LINE; do
    test "$HW_HAVE_L2" != 0 || eval "hw_fn_derive HW_L2_$hw_name \"\$HW_L1_$hw_name\""
    test "$HW_HAVE_L3" != 0 || eval "hw_fn_derive HW_L3_$hw_name \"\$HW_L2_$hw_name\""
  done
}
])# _HW_DERIVE


# _HW_MODELS
# ----------
# hw_fn_model VALUE, of the row last looked up, has its model compute it from
# the values there are and sets hw_result, and hw_value and hw_src unless there
# is no answer. A model is awk, because nothing that is compiled here can be
# run when cross compiling. It is asked once, for all its rows; one of them
# that is given, or stands in a profile, is among its inputs.
AC_DEFUN([_HW_MODELS],
[AC_REQUIRE([AC_PROG_AWK])dnl
hw_modelled=
hw_fn_inputs ()
{
  for hw_row in $hw_rows; do
    hw_fn_row $hw_row
    eval "hw_value=\$$hw_macro"
    AS_IF([test -n "$hw_model"], [
      AS_ECHO(["most ${hw_macro@%:@HW_} $hw_high"])
      test -n "$hw_value" || hw_fn_known $hw_row])
    test -z "$hw_value" || AS_ECHO(["${hw_macro@%:@HW_} $hw_value"])
  done
}
hw_fn_model ()
{
  AS_IF([test "x$hw_modelled" != "x$hw_model"], [
    hw_modelled=$hw_model
    hw_fn_agree
    hw_fn_follow
    hw_answers=`hw_fn_inputs | LC_ALL=C $AWK -f "$hw_dir/analysis/$hw_model.awk" 2>&AS_MESSAGE_LOG_FD` ||
      AC_MSG_ERROR([$hw_dir/analysis/$hw_model.awk: $AWK has failed], [1])
    hw_fn_log "$hw_model.awk: $hw_answers"
    hw_fn_row $[]1
    hw_fn_known $[]1])
  hw_why='no answer'
  while read -r hw_mark hw_name hw_text; do
    case "$hw_mark $hw_name $hw_text" in
    "$hw_macro = "*) hw_value=$hw_text ;;
    "@%:@ $hw_macro unknown: "*) hw_why=${hw_text@%:@unknown: } ;;
    esac
  done <<END
$hw_answers
END
  AS_IF([test -n "$hw_value" && hw_fn_illegal "$hw_value"], [hw_value=])
  AS_IF([test -n "$hw_value"], [hw_src=4 hw_result="$hw_value (derived)"],
    [hw_result="unknown ($hw_why)"])
}
])# _HW_MODELS


# _HW_VERSION
# -----------
# That of hwconfig, in a package that calls the macros too.
m4_define([_HW_VERSION], [0.9.0])


# _HW_ABOUT
# ---------
# What the values are of, for those who read the files: hw_processor, hw_compiler and
# hw_built_with, the flags, as they are called here where this machine was measured,
# or else out of the fingerprint; and all of them empty where nothing was. No quotes,
# so that they stand in a comment and in JSON.
AC_DEFUN([_HW_ABOUT],
[hw_fn_plain ()
{
  hw_text=`AS_ECHO(["$[]1"]) | tr -d '\042\047\134' | sed 's/^ *//; s/ *$//; s,\*/,,g'`
}
AS_IF([test -z "$hw_cv_fingerprint"], [hw_processor= hw_compiler= hw_built_with=],
  [test "x$hw_cv_fingerprint" = "x$hw_fingerprint"], [
    hw_fn_processor /proc
    hw_fn_plain "$hw_compiler"
    hw_compiler=$hw_text
    hw_fn_plain "$hw_flags"
    hw_built_with=$hw_text],
  [
    hw_text=${hw_cv_fingerprint@%:@*,}
    hw_processor=${hw_text%%,*}
    hw_text=${hw_text@%:@*,}
    hw_compiler=${hw_text%%,*}
    hw_built_with=${hw_text@%:@*,}
    hw_built_with=${hw_built_with%,*}])
AS_IF([test -n "$hw_cv_fingerprint"], [
  AS_VAR_APPEND([hw_text_h], ["@%:@: Of $hw_processor
@%:@: by $hw_compiler${hw_built_with:+ with $hw_built_with}
@%:@: hwconfig _HW_VERSION, fingerprint $hw_cv_fingerprint
"])
  AS_VAR_APPEND([hw_text_json], ["
  \"hwconfig\": {
    \"version\": \"_HW_VERSION\",
    \"processor\": \"$hw_processor\",
    \"compiler\": \"$hw_compiler\",
    \"flags\": \"$hw_built_with\",
    \"fingerprint\": \"$hw_cv_fingerprint\"${hw_cv_processors:+,
    \"processors\": \"$hw_cv_processors\"}
  }"])], [
  AS_VAR_APPEND([hw_text_h], ["@%:@: hwconfig _HW_VERSION, of no particular machine
"])
  AS_VAR_APPEND([hw_text_json], ["
  \"hwconfig\": {
    \"version\": \"_HW_VERSION\"
  }"])])
])# _HW_ABOUT


# _HW_TEXTS
# ---------
# What the header defines and checks and the text of the other files, and the counts of
# known and of checked. Of a row without a value the header says that it is
# unknown, unless it has a default there, and nothing where it was not asked for or
# is of something that there is none of here; hwconfig.json says why.
AC_DEFUN([_HW_TEXTS],
[hw_known=0 hw_count=0 hw_none=0 hw_claimed= hw_defaults=
hw_nl='
'
hw_text_h="@%:@ The names and values of hwconfig.h.
"
hw_text_mk="@%:@ What this machine gives a program of this compiler, for make. Written by hwconfig.
@%:@ Each value is followed by where it came from: 2 profile, 3 given, 4 derived, 5 measured, 6 reported.
@%:@ What is unknown is left out.
"
hw_text_site="@%:@ For the next configure, as --with-hw-profile or as its CONFIG_SITE. Written by hwconfig.
${hw_cv_fingerprint:+hw_cv_fingerprint=$hw_cv_fingerprint$hw_nl}${hw_cv_processors:+hw_cv_processors=$hw_cv_processors$hw_nl}"
hw_text_json=
_HW_ABOUT
hw_asked_for= hw_unasked=
AS_IF([test -n "$hw_wanted"], [
  hw_text_mk="$hw_text_mk@%:@ Only these were asked for: $with_hw_rows.
"])
for hw_row in $hw_rows; do
  hw_fn_row $hw_row
  eval "hw_value=\$$hw_macro hw_src=\$${hw_macro}_SRC"
  case $hw_star,$hw_unit,$hw_low in
  yes,0/1,*) AS_VAR_APPEND([hw_text_h], ["switch $hw_macro$hw_nl"]) ;;
  yes,*,@<:@1-9@:>@*) AS_VAR_APPEND([hw_text_h], ["positive $hw_macro$hw_nl"]) ;;
  esac
  hw_computed=no
  case $hw_model,$hw_src in
  ?*,4 | *,6) hw_computed=yes ;;
  esac
  eval "hw_range=\$${hw_macro}_RANGE"
  test $hw_computed = yes || test -z "$hw_value" ||
    AS_VAR_APPEND([hw_text_site], ["hw_cv_$hw_row=$hw_value$hw_nl${hw_range:+hw_cv_${hw_row}_range=$hw_range$hw_nl}"])
  AS_IF([hw_fn_wanted $hw_row], [AS_VAR_APPEND([hw_asked_for], ["${hw_asked_for:+, }\"$hw_macro\""])], [
    test -z "$hw_star" || AS_VAR_APPEND([hw_unasked], [" $hw_macro"])
    continue])
  case " $hw_checked " in
  *" $hw_row "*) ;;
  *) test -n "$hw_value" || continue ;;
  esac
  hw_fn_origin "$hw_src" $hw_row
  AS_IF([test -z "$hw_src"], [
    hw_fn_none $hw_row && hw_origin=none
    case $hw_star,$hw_origin in
    yes,unknown) AS_VAR_APPEND([hw_defaults], [" $hw_macro"]) ;;
    esac
    case $hw_star,$with_hw_unknown,$hw_row,$hw_only,$hw_origin in
    yes,default,* | yes,*,have_l?,*) AS_VAR_APPEND([hw_text_h], ["$hw_macro default$hw_nl"]) ;;
    *,,unknown) AS_VAR_APPEND([hw_text_h], ["$hw_macro$hw_nl"]) ;;
    esac])
  hw_by=probe
  test -z "$hw_model" || hw_by=model
  hw_named=$with_hw_prefix${hw_macro@%:@HW_}
  AS_IF([test $hw_origin = none], [AS_VAR_ARITH([hw_none], [$hw_none + 1])],
    [AS_VAR_ARITH([hw_count], [$hw_count + 1])])
  eval "hw_why=\$${hw_macro}_WHY"
  AS_IF([test -n "$hw_value"], [
    AS_IF([test $hw_origin = reported],
      [AS_VAR_APPEND([hw_claimed], ["${hw_claimed:+, }$hw_macro=$hw_value"])],
      [hw_why=
      AS_VAR_ARITH([hw_known], [$hw_known + 1])])
    AS_IF([test -z "$hw_only"], [
      AS_VAR_APPEND([hw_text_h], ["$hw_macro $hw_value $hw_src${hw_range:+ $hw_range}$hw_nl"])
      AS_VAR_APPEND([hw_text_mk], ["$hw_named = $hw_value${hw_nl}${hw_named}_SRC = $hw_src$hw_nl"])])])
  AS_VAR_APPEND([hw_text_json], ["${hw_text_json:+,}$hw_nl  \"$hw_macro\": {
    \"value\": ${hw_value:-null},${hw_range:+
    \"low\": ${hw_range%:*},
    \"high\": ${hw_range@%:@*:},}
    \"unit\": \"$hw_unit\",
    \"kind\": \"$hw_kind\",
    \"source\": \"$hw_origin\",${hw_why:+$hw_nl    \"reason\": \"$hw_why\",}
    \"title\": \"$hw_title\",
    \"$hw_by\": \"$hw_probe\"${hw_paper:+,$hw_nl    \"paper\": \"$hw_paper\"}
  }"])
done
AS_VAR_APPEND([hw_text_h], ["m4_defn([_HW_ORDERS])m4_defn([_HW_SHAPES])"])
_HW_GROUPS_TEXTS
test -z "$hw_wanted" || AS_VAR_APPEND([hw_text_json], ["${hw_text_json:+,}$hw_nl  \"HW_ROWS\": @<:@$hw_asked_for@:>@"])
hw_text_json="{$hw_text_json${hw_text_json:+$hw_nl}}$hw_nl"
])# _HW_TEXTS


# _HW_ARGUMENTS
# -------------
# Adds the values to the arguments that config.status --recheck repeats, in
# place of those that an earlier one has put there. They are one argument, which
# _HW_CACHED takes apart, since configure calls expr twice for each.
AC_DEFUN([_HW_ARGUMENTS],
[case $ac_configure_args in
*" 'hw_cv_"*)
  ac_configure_args=`AS_ECHO(["$ac_configure_args"]) | sed "s/ 'hw_cv_@<:@^'@:>@*'//g"` ;;
esac
AS_IF([test -n "$hw_cv_fingerprint"],
  [AS_VAR_APPEND([ac_configure_args], [" 'hw_cv_fingerprint=$hw_cv_fingerprint' 'hw_cv_processors=$hw_cv_processors'"])])
hw_values=
for hw_row in $hw_rows; do
  hw_fn_needed $hw_row || continue
  hw_fn_row $hw_row
  eval "hw_value=\$$hw_macro hw_src=\$${hw_macro}_SRC"
  # What a model has computed is computed again.
  AS_IF([test -n "$hw_model"], [
    case $hw_src in
    '' | 4) continue ;;
    esac])
  case $hw_src in
  '' | 6)
    hw_value=unknown hw_src=$hw_manner
    eval "hw_why=\$${hw_macro}_WHY"
    test "x$hw_why" = 'xnot measured' || AS_VAR_APPEND([hw_values], ["${hw_row}_why=$hw_why|"]) ;;
  3)
    case $ac_configure_args in
    *" '$hw_macro="*) ;;
    *) AS_VAR_APPEND([ac_configure_args], [" '$hw_macro=$hw_value'"]) ;;
    esac
    continue ;;
  5) eval "hw_src=\$hw_cv_${hw_row}_src" ;;
  esac
  eval "hw_range=\$${hw_macro}_RANGE"
  AS_VAR_APPEND([hw_values], ["$hw_row=$hw_value|${hw_row}_src=$hw_src|${hw_range:+${hw_row}_range=$hw_range|}"])
done
AS_VAR_APPEND([ac_configure_args], ["${hw_values:+ 'hw_cv_values=$hw_values'}$hw_listed"])
])# _HW_ARGUMENTS


# _HW_SETTLE
# ----------
# What is done once all that is checked has been: the values go to the cache of
# this machine, agree, and stand in the texts of the files and among the
# arguments of --recheck.
AC_DEFUN([_HW_SETTLE],
[AC_REQUIRE([_HW_START])dnl
_HW_CONDITIONS
_HW_REMEMBER
hw_fn_disclaim
hw_fn_agree
hw_fn_follow
hw_fn_claims
_HW_TEXTS
_HW_ARGUMENTS
_HW_UNWANTED
_HW_SUMMARY
])# _HW_SETTLE


# _HW_FILE(FILE, COMMAND, [INIT])
# -------------------------------
# Has config.status make FILE of what COMMAND prints, under another name in its
# own temporary folder first, so that no half of it is ever seen. INIT is run by
# configure, in double quotes, for COMMAND.
m4_define([_HW_FILE],
[AC_CONFIG_COMMANDS([$1],
[AS_IF([$2 >"$ac_tmp/hw"], [], [AC_MSG_ERROR([could not write $1])])
AS_IF([cmp "$ac_tmp/hw" $1 >/dev/null 2>&1], [AC_MSG_NOTICE([$1 is unchanged])],
  [mv -f "$ac_tmp/hw" $1 || AC_MSG_ERROR([could not create $1])])],
[$3])])# _HW_FILE


# _HW_TEXT(FILE, VARIABLE)
# ------------------------
# The same of the text in VARIABLE, which has no quotes.
m4_define([_HW_TEXT],
[_HW_FILE([$1], [AS_ECHO_N(["$$2"])], [$2='$$2'])])# _HW_TEXT


# _HW_HEADER
# ----------
# hwconfig.h, from its template: as AC_CONFIG_HEADERS does it, but for a
# template that may lie outside of the package, for a header that is not the
# package's own, and with the prefix: HW_X is FOO_X, HWCONFIG_X FOO_HWCONFIG_X.
# X_SRC, where the value comes from, is defined behind each X.
# A paragraph goes where it is about rows of which there is nothing to say, and a
# section about what stands in for the unknown where it is not to (--with-hw-unknown).
# @CHECKS@ is each pair of an order, each shape, and the numbers of those with a default.
AC_DEFUN([_HW_HEADER],
[AC_REQUIRE([AC_PROG_AWK])dnl
AS_IF([test -f "$hw_dir/hwconfig.h.in"], [],
  [AC_MSG_ERROR([$hw_dir/hwconfig.h.in: no such file: m4_ifdef([_HW_DATADIR],
    [install hwconfig, or name its folder as in HWCONFIG_DATADIR=/usr/share/hwconfig],
    [make embed DIR=... copies it])], [2])])
_HW_FILE([hwconfig.h],
[AS_ECHO_N(["$hw_text_h"]) >"$ac_tmp/hwvalues" && $AWK '
function check(names, condition, message,  name, n, i, known) {
  n = split(names, name, " ")
  for (i = 1; i <= n; i++) known = known "defined " name@<:@i@:>@ " && "
  checks = checks "\n@%:@if " known condition "\n@%:@ error \"" message "\"\n@%:@endif"
}
NR == FNR && $[]1 == "switch" { check($[]2, $[]2 " != 0 && " $[]2 " != 1", $[]2 " is not 0 or 1"); next }
NR == FNR && $[]1 == "positive" { check($[]2, $[]2 " <= 0", $[]2 " is not positive"); next }
NR == FNR && $[]1 == "hw_fn_order" {
  unless = $[]2 == "NONE" ? "" : "HW_" $[]2
  for (i = 3; i < NF; i++) for (j = i + 1; j <= NF; j++) {
    pair = "HW_" $i " HW_" $j
    # Values with a range agree where these overlap, which the range has shown.
    if (pair in always || ("HW_" $i) in range || ("HW_" $j) in range) continue
    if (unless == "") always@<:@pair@:>@
    check(pair " " unless, (unless == "" ? "" : "!" unless " && ") "HW_" $i " > HW_" $j, "HW_" $i " is larger than HW_" $j)
  }
  next
}
NR == FNR && $[]1 == "hw_fn_shape" {
  names = measured = ""
  n = split("SETS ASSOC LINE BYTES", part, " ")
  for (i = 1; i <= n; i++) {
    names = names " " $[]2 "_" part@<:@i@:>@
    measured = measured "\\\n    " $[]2 "_" part@<:@i@:>@ "_SRC == HW_SRC_MEASURED && "
  }
  product = $[]2 "_SETS * " $[]2 "_ASSOC * " $[]2 "_LINE"
  check(names, measured "\\\n    " product " != " $[]2 "_BYTES", product " is not " $[]2 "_BYTES")
  next
}
NR == FNR && $[]1 == "@%:@:" { about = about (about == "" ? "/* " : "\n   ") substr($[]0, 4); next }
NR == FNR {
  value@<:@$[]1@:>@ = $[]2; source@<:@$[]1@:>@ = $[]3
  if (sub(/:/, " to ", $[]4)) range@<:@$[]1@:>@ = " /* " $[]4 " */"
  next
}
FNR == 1 {
  print "/* hwconfig.h.  Generated from hwconfig.h.in by configure.  */"
  print about " */"
  if (asked != "") print "/* Only these were asked for: " asked ". */"
}
/^\/\* ---- / {
  out = unknown != "default" && /Safe defaults/ || unknown == "strict" && /What the system reports/
  if (out) text = ""
}
out { next }
/^@%:@undef HW_/ {
  rows = 1
  if (!($[]2 in value)) next
  said = 1
  if (value@<:@$[]2@:>@ == "default") next
  $[]0 = value@<:@$[]2@:>@ == "" ? "/* @%:@undef " $[]2 " */" : \
    "@%:@define " $[]2 " " value@<:@$[]2@:>@ range@<:@$[]2@:>@ "\n@%:@define " $[]2 "_SRC " source@<:@$[]2@:>@
}
/^\/\* @CHECKS@/ { $[]0 = checks }
prefix != "HW_" {
  gsub(/HWCONFIG_/, "@")
  gsub(/HW_/, prefix)
  gsub(/@/, prefix "HWCONFIG_")
}
FNR > 1 { text = text line "\n" }
/^$/ {
  if (said || !rows) printf "%s", text
  text = ""
  rows = said = 0
}
{ line = $[]0 }
END {
  printf "%s", text
  n = split(unasked, name, " ")
  for (i = 1; i <= n; i++) {
    sub(/^HW_/, prefix, name@<:@i@:>@)
    print "@%:@ifdef " name@<:@i@:>@ "_SRC\n@%:@ undef " name@<:@i@:>@ "\n@%:@ undef " name@<:@i@:>@ "_SRC\n@%:@endif"
  }
  print line
}' "prefix=$hw_prefix" "unknown=$hw_unknown" "unasked=$hw_unasked" "asked=$hw_rows_asked" "$ac_tmp/hwvalues" "$hw_dir/hwconfig.h.in"],
[hw_text_h='$hw_text_h' hw_unasked='$hw_unasked' hw_rows_asked='${hw_wanted:+$with_hw_rows}' hw_dir='`AS_ECHO(["$hw_dir"]) | sed "s/'/'\\\\''/g"`' AWK='$AWK' hw_prefix='$with_hw_prefix' hw_unknown=$with_hw_unknown])
])# _HW_HEADER


# _HW_CONDITIONS
# --------------
# Writes down beside the curves of this run, if there are any, under which
# conditions they were measured.
AC_DEFUN([_HW_CONDITIONS],
[AS_IF([test "$hw_built" = yes && test -n "$hw_asked"],
  [hw_fn_conditions /proc "$with_hw_effort" conftest.hw /sys/fs/cgroup >conftest.hw/conditions])
])# _HW_CONDITIONS


# _HW_CURVES
# ----------
# Moves the curves that this run has measured to their place: at once where
# there are none yet. Others of the same probes are of an earlier run and go.
# With them go the conditions, which hold for all curves there or are missing.
AC_DEFUN([_HW_CURVES],
[AC_CONFIG_COMMANDS([hwconfig.d],
[for hw_file in conftest.hw/*.curve; do
  test -f "$hw_file" || continue
  if test ! -d hwconfig.d; then
    mkdir hwconfig.d && mv -f conftest.hw/*.curve conftest.hw/conditions hwconfig.d ||
      AC_MSG_ERROR([could not create hwconfig.d])
    break
  fi
  for hw_earlier in hwconfig.d/*.curve; do
    test -f "$hw_earlier" && test ! -f "conftest.hw/${hw_earlier@%:@hwconfig.d/}" || continue
    hw_probe=`sed -n 's/^@%:@ probe: //p' "$hw_earlier"`
    if test -f "conftest.hw/$hw_probe.list"; then
      rm -f "$hw_earlier"
    else
      rm -f conftest.hw/conditions hwconfig.d/conditions
    fi
  done
  for hw_file in conftest.hw/*.curve conftest.hw/conditions; do
    hw_to=hwconfig.d/${hw_file@%:@conftest.hw/}
    test ! -f "$hw_file" || cmp "$hw_file" "$hw_to" >/dev/null 2>&1 || mv -f "$hw_file" "$hw_to" ||
      AC_MSG_ERROR([could not create $hw_to])
  done
  break
done])])# _HW_CURVES
