# _hw_files.m4: what is written at the end.
#
# Copyright (c) The hwconfig authors
#
# Copying and distribution of this file, with or without modification, are
# permitted in any medium without royalty provided the copyright notice and
# this notice are preserved. This file is offered as-is, without any warranty.

# _HW_ORDER
# ---------
# Sizes that must not exceed one another; hwconfig.h checks the same. To give
# both is an error. One that is given makes the other unknown, and so do two
# that are not given with each other.
AC_DEFUN([_HW_ORDER],
[hw_fn_order ()
{
  eval "hw_small=\$$[]1 hw_large=\$$[]2 hw_src=\$$[]1_SRC\$$[]2_SRC"
  test -n "$hw_small" && test -n "$hw_large" && test "$hw_small" -gt "$hw_large" || return 0
  hw_why="$[]1=$hw_small is larger than $[]2=$hw_large"
  case $hw_src in
  33) AC_MSG_ERROR([$hw_why]) ;;
  esac
  AC_MSG_WARN([$hw_why: left unknown])
  case $hw_src in
  3?) ;;
  *) eval "$[]1= $[]1_SRC=" ;;
  esac
  case $hw_src in
  ?3) ;;
  *) eval "$[]2= $[]2_SRC=" ;;
  esac
}
hw_fn_order HW_L1_LINE HW_L1_BYTES
hw_fn_order HW_L1_EFF_BYTES HW_L1_BYTES
hw_fn_order HW_L1_LINE HW_PAGE_BYTES
])# _HW_ORDER


# _HW_TEXTS
# ---------
# The header's lines and the text of the other files, and the counts of known
# and of all.
AC_DEFUN([_HW_TEXTS],
[hw_known=0 hw_count=0
hw_nl='
'
hw_text_mk="@%:@ What this machine gives a program of this compiler, for make. Written by hwconfig.
@%:@ Each value is followed by where it came from: 2 profile, 3 given, 4 derived, 5 measured.
@%:@ What is unknown is left out.
"
hw_text_site="@%:@ For the next configure, as --with-hw-profile or as its CONFIG_SITE. Written by hwconfig.
${hw_cv_fingerprint:+hw_cv_fingerprint=$hw_cv_fingerprint$hw_nl}"
hw_text_json=
for hw_row in $hw_rows; do
  hw_fn_row $hw_row
  hw_count=`expr $hw_count + 1`
  eval "hw_value=\$$hw_macro hw_src=\$${hw_macro}_SRC"
  test -n "$hw_value" || continue
  hw_known=`expr $hw_known + 1`
  case $hw_src in
  2) hw_origin=profile ;;
  3) hw_origin=given ;;
  4) hw_origin=derived ;;
  *) hw_origin=measured ;;
  esac
  AS_ECHO(["@%:@define $hw_macro $hw_value${hw_nl}@%:@define ${hw_macro}_SRC $hw_src"]) >>confdefs.h
  AS_VAR_APPEND([hw_text_mk], ["$hw_macro = $hw_value${hw_nl}${hw_macro}_SRC = $hw_src$hw_nl"])
  AS_VAR_APPEND([hw_text_site], ["hw_cv_$hw_row=$hw_value$hw_nl"])
  AS_VAR_APPEND([hw_text_json], ["${hw_text_json:+,}$hw_nl  \"$hw_macro\": {
    \"value\": $hw_value,
    \"unit\": \"$hw_unit\",
    \"source\": \"$hw_origin\",
    \"title\": \"$hw_title\",
    \"probe\": \"$hw_probe\"${hw_paper:+,$hw_nl    \"paper\": \"$hw_paper\"}
  }"])
done
hw_text_json="{$hw_text_json${hw_text_json:+$hw_nl}}$hw_nl"
])# _HW_TEXTS


# _HW_ARGUMENTS
# -------------
# Adds the values to the arguments that config.status --recheck repeats, in
# place of those that an earlier one has put there.
AC_DEFUN([_HW_ARGUMENTS],
[case $ac_configure_args in
*" 'hw_cv_"*)
  ac_configure_args=`AS_ECHO(["$ac_configure_args"]) | sed "s/ 'hw_cv_@<:@^'@:>@*'//g"` ;;
esac
AS_IF([test -n "$hw_cv_fingerprint"],
  [AS_VAR_APPEND([ac_configure_args], [" 'hw_cv_fingerprint=$hw_cv_fingerprint'"])])
for hw_row in $hw_rows; do
  hw_fn_row $hw_row
  eval "hw_value=\$$hw_macro hw_src=\$${hw_macro}_SRC"
  case $hw_src in
  '') hw_value=unknown hw_src=$hw_manner ;;
  3)
    case $ac_configure_args in
    *" '$hw_macro="*) ;;
    *) AS_VAR_APPEND([ac_configure_args], [" '$hw_macro=$hw_value'"]) ;;
    esac
    continue ;;
  esac
  AS_VAR_APPEND([ac_configure_args], [" 'hw_cv_$hw_row=$hw_value' 'hw_cv_${hw_row}_src=$hw_src'"])
done
])# _HW_ARGUMENTS


# _HW_SUMMARY
# -----------
AC_DEFUN([_HW_SUMMARY],
[AS_IF([test $hw_known -eq $hw_count],
  [AC_MSG_NOTICE([hwconfig: all $hw_count parameters are known])],
  [test -n "$hw_idle"],
  [AC_MSG_NOTICE([hwconfig: $hw_known of $hw_count parameters are known; nothing was measured, since $hw_idle.
  To have the others: run configure on the machine that will run the program, and bring its
  hwconfig.site here for --with-hw-profile; or give single values, as in HW_L1_BYTES=32768.])],
  [AC_MSG_NOTICE([hwconfig: $hw_known of $hw_count parameters are known; config.log tells why the others are not.
  On a quiet machine --with-hw-effort=thorough may find them; or give them, as in HW_L1_BYTES=32768.])])
])# _HW_SUMMARY


# _HW_FILE(FILE, VARIABLE)
# ------------------------
# Has config.status make FILE of the text in VARIABLE, under another name in
# its own temporary folder first, so that no half of it is ever seen.
m4_define([_HW_FILE],
[AC_CONFIG_COMMANDS([$1],
[AS_IF([AS_ECHO_N(["$$2"]) >"$ac_tmp/hw"], [], [AC_MSG_ERROR([could not write $1])])
AS_IF([cmp "$ac_tmp/hw" $1 >/dev/null 2>&1], [AC_MSG_NOTICE([$1 is unchanged])],
  [mv -f "$ac_tmp/hw" $1 || AC_MSG_ERROR([could not create $1])])],
[$2='$$2'])])# _HW_FILE


# _HW_CURVES
# ----------
# Moves the curves that this run has measured to their place.
AC_DEFUN([_HW_CURVES],
[AC_CONFIG_COMMANDS([hwconfig.d],
[for hw_file in conftest.hw/*.curve; do
  test -f "$hw_file" || continue
  test -d hwconfig.d || mkdir hwconfig.d || AC_MSG_ERROR([could not create hwconfig.d])
  hw_to=hwconfig.d/${hw_file@%:@conftest.hw/}
  cmp "$hw_file" "$hw_to" >/dev/null 2>&1 || mv -f "$hw_file" "$hw_to" ||
    AC_MSG_ERROR([could not create $hw_to])
done])])# _HW_CURVES
