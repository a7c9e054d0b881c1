# _hw_table.m4: the program of the table, and what is given to it.
#
# SPDX-License-Identifier: MIT OR FSFAP
# Copyright (c) The hwconfig authors
#
# Copying and distribution of this file, with or without modification, are
# permitted in any medium without royalty provided the copyright notice and
# this notice are preserved. This file is offered as-is, without any warranty.

# _HW_TABLE
# ---------
# hw_fn_table STEP [LINE...] has registry/*.awk do that step (steps.awk names
# them), with the state in hw_state, that of a check in hw_call, and these lines;
# and does what it says. What a row is, what its value is, what contradicts
# itself, what is said and written is decided there; here is what only configure
# can do.
AC_DEFUN([_HW_TABLE],
[AC_REQUIRE([AC_PROG_AWK])dnl
hw_rows='_HW_ROWS'
hw_state= hw_call=
hw_nl='
'
hw_fn_awk ()
{
  _HW_AWK
}
hw_fn_state ()
{
  AS_ECHO(["$hw_state$hw_nl$hw_call${hw_nl}option step $[]1"])
  shift
  for hw_line; do
    AS_ECHO(["$hw_line"])
  done
}
hw_fn_table ()
{
  hw_code=`hw_fn_state "$[]@" | hw_fn_awk` || AC_MSG_ERROR([$AWK has failed on $hw_dir/registry], 1)
  eval "$hw_code"
}
# hw_fn_keep LINE...: adds to the state.
hw_fn_keep ()
{
  for hw_line; do
    AS_VAR_APPEND([hw_state], ["$hw_nl$hw_line"])
  done
}
# hw_fn_note LINE: adds a line to hw_call.
hw_fn_note ()
{
  AS_VAR_APPEND([hw_call], ["$hw_nl$[]1"])
}
# hw_fn_brought: whether a value was given or recalled, or is in a profile.
hw_fn_brought ()
{
  case $hw_state in
  *"${hw_nl}given "* | *"${hw_nl}cached "* | *"${hw_nl}profile"*) return 0 ;;
  esac
  return 1
}
hw_fn_notice ()
{
  AC_MSG_NOTICE([$[]1])
}
hw_fn_warn ()
{
  AC_MSG_WARN([$[]1])
}
hw_fn_error ()
{
  AC_MSG_ERROR([$[]1], 2)
}
hw_fn_log ()
{
  AS_ECHO(["hwconfig: $[]1"]) >&AS_MESSAGE_LOG_FD
}
hw_fn_logged ()
{
  AS_ECHO(["checking $[]1... $[]2"]) >&AS_MESSAGE_LOG_FD
}
hw_fn_line ()
{
  AS_IF([test $hw_terse = no],
    [AC_MSG_CHECKING([$[]1])
    AC_MSG_RESULT([$[]2])])
}
m4_foreach_w([_HW_row], m4_toupper(m4_defn([_HW_ROWS])), [AC_SUBST([HW_]_HW_row)AC_SUBST([HW_]_HW_row[_SRC])])dnl
_HW_ARG_VAR([HW_L1_BYTES], [L1 data cache capacity (bytes); there is one of these for each row of the manual, hwconfig.h(3)])dnl
])# _HW_TABLE


# _HW_VERSION
# -----------
# That of hwconfig, in a package that calls the macros too.
m4_define([_HW_VERSION], [0.9.0])


# _HW_AWK
# -------
# The program, for configure and for config.status.
m4_define([_HW_PROGRAM], [table near begin values lines files summary sizes steps])
m4_define([_HW_AWK],
[LC_ALL=C $AWK m4_foreach_w([_HW_name], m4_defn([_HW_PROGRAM]),
  [-f "$hw_dir/registry/_HW_name.awk" ])"$hw_dir/probes/params.def"])


# _HW_ARG_VAR(VARIABLE, TEXT)
# ---------------------------
# configure --help shows one variable for all: hundreds of them would hide the options.
# Autoconf's list of precious ones is left out on purpose: it refuses a cache
# that was written without the variable, such as the cache of a parent package,
# while here a value that is given is simply stronger than the cache. What the
# list is for, that config.status --recheck repeats the value, hw_fn_arguments
# does.
m4_define([_HW_ARG_VAR],
[m4_pushdef([_AC_ARG_VAR_PRECIOUS])dnl
AC_ARG_VAR([$1], [$2])dnl
m4_popdef([_AC_ARG_VAR_PRECIOUS])dnl
])# _HW_ARG_VAR


# _HW_BEGIN
# ---------
# Takes what was given into the state: the variables of this name, which are then
# empty until they are checked, and the cache variables; and has all of it, the
# arguments and the profile looked at.
AC_DEFUN([_HW_BEGIN],
[AS_IF([test -n "$with_hw_profile"], [
  AS_IF([test "$with_hw_profile" = yes || test "$with_hw_profile" = no],
      [AC_MSG_ERROR([--with-hw-profile=$with_hw_profile: name a file], 2)],
    [test -f "$with_hw_profile" && test -r "$with_hw_profile"], [],
    [AC_MSG_ERROR([--with-hw-profile=$with_hw_profile: no such file (a parent package needs its absolute name)], 2)])
  # What awk drops, or a terminal does not show.
  AS_IF([tr -d '\000\015' <"$with_hw_profile" | cmp - "$with_hw_profile" >/dev/null 2>&1], [],
    [AC_MSG_ERROR([$with_hw_profile: a NUL or a carriage return is in it], 2)])])
hw_profile_fingerprint= hw_profile_processors=
hw_fn_given ()
{
  for hw_argument; do
    case $hw_argument in
    HW_*=* | hw_cv_*=*) AS_VAR_APPEND([hw_state], ["${hw_nl}argument ${hw_argument%%=*}"]) ;;
    esac
  done
}
# hw_fn_put WORD ROW TEXT: on one line.
hw_fn_put ()
{
  hw_text=$[]3
  case $hw_text in
  *"$hw_nl"*) hw_text=`AS_ECHO(["$hw_text"]) | tr '\n' '?'` ;;
  esac
  AS_VAR_APPEND([hw_state], ["$hw_nl$[]1 $[]2 $hw_text"])
}
eval "hw_fn_given $ac_configure_args"
set dummy m4_toupper(m4_defn([_HW_ROWS]))
for hw_row in $hw_rows; do
  shift
  hw_macro=HW_$[]1
  eval "hw_given=\$$hw_macro hw_cached=\$hw_cv_$hw_row hw_src=\$hw_cv_${hw_row}_src hw_why=\$hw_cv_${hw_row}_why
    hw_range=\$hw_cv_${hw_row}_range $hw_macro= ${hw_macro}_SRC="
  AS_IF([test -n "$hw_given"], [
    hw_fn_put given $hw_row "$hw_given"
    case $ac_configure_args in
    *"$hw_macro="*) ;;
    *) AS_VAR_APPEND([hw_state], ["${hw_nl}environment $hw_row"]) ;;
    esac])
  test -z "$hw_cached" || hw_fn_put cached $hw_row "$hw_cached"
  test -z "$hw_src" || hw_fn_put from $hw_row "$hw_src"
  test -z "$hw_why" || hw_fn_put why $hw_row "$hw_why"
  test -z "$hw_range" || hw_fn_put range $hw_row "$hw_range"
done
hw_fn_keep "option parent $hw_parent" "option prefix $with_hw_prefix" "option rows $with_hw_rows" "option rows-from $hw_rows_from" dnl
"option manner $hw_manner" "option unknown $with_hw_unknown" "option mpi $with_hw_mpi" "option measure $enable_hw_measure" dnl
"option silent $hw_silent" "option quiet $hw_terse" "option effort $with_hw_effort" "option version _HW_VERSION"
for hw_list in _HW_LISTS; do
  eval "hw_cached=\$hw_cv_$hw_list"
  test -z "$hw_cached" || hw_fn_put list $hw_list "$hw_cached"
done
hw_words=`AS_ECHO(["$ac_user_opts"]) | sed -n 's/^with_hw_//p' | tr '\n' ' '`
hw_below=
case $with_hw_declared,$ac_configure_args in
", '--disable-option-checking' "*) hw_below=yes ;;
esac
hw_fn_table begin "option enable-fingerprint $enable_hw_fingerprint" "option budget $with_hw_budget" "option cpus $with_hw_cpus" dnl
"option cache $with_hw_cache" "option hwloc $with_hw_hwloc" "option fingerprint $hw_cv_fingerprint" "option processors $hw_cv_processors" dnl
"option values $hw_cv_values" "option profile $with_hw_profile" dnl
"option below $hw_below" "option declared `AS_ECHO(["$ac_precious_vars $with_hw_declared"]) | tr '\n,' '  '`" "option unrecognized $ac_unrecognized_opts" "option with-options $hw_words" dnl
"option options `AS_ECHO(["$ac_user_opts"]) | sed -n 's/^.*_hw_//p' | tr '\n' ' '`"m4_ifdef([_HW_VENDORED], [ 'option vendored _HW_VENDORED'])
unset hw_cv_values
hw_budget=${with_hw_budget:-$hw_effort_budget}
])# _HW_BEGIN
