# _hw_check.m4: the check of some parameters.
#
# SPDX-License-Identifier: MIT OR FSFAP
# Copyright (c) The hwconfig authors
#
# Copying and distribution of this file, with or without modification, are
# permitted in any medium without royalty provided the copyright notice and
# this notice are preserved. This file is offered as-is, without any warranty.

# _HW_CHECK([NAME...], [ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
# ------------------------------------------------------------
# Checks the rows of these groups and macros, separated by blanks, or all.
# A name that is none stops autoconf. All that a package asks for is known
# before it is measured: hw_asked_rows.
AC_DEFUN([_HW_CHECK],
[AC_REQUIRE([_HW_START])dnl
m4_divert_once([DEFAULTS], [hw_asked_rows=])dnl
m4_divert_text([DEFAULTS], [hw_asked_rows="$hw_asked_rows m4_ifval([$1], [m4_toupper(_HW_NAMES([$1]))], [all])"])dnl
hw_fn_check m4_ifval([$1], [_HW_NAMES([$1])], [all])
m4_ifval([$2$3], [AS_IF([test $hw_all = yes], [$2], [$3])])
])# _HW_CHECK


# _HW_CHECK_ROWS
# --------------
# hw_fn_check NAME... checks these rows and the rows of these groups, as far as they
# are asked for: each has the value of the highest rank, given, in the cache, in
# the profile, measured. It sets HW_ROW and HW_ROW_SRC, and hw_all to yes or no.
#
# What was measured goes to the cache, in hw_cv_ROW, hw_cv_ROW_src, which is 5, and
# 7 if an earlier configure measured it, and hw_cv_ROW_range; or hw_cv_ROW is
# unknown, hw_cv_ROW_src the manner in which it was tried, and hw_cv_ROW_why the reason.
# What a model computes is computed again each time, from the values of that
# time. A model is awk, because nothing that is compiled here can be run when
# cross compiling.
AC_DEFUN([_HW_CHECK_ROWS],
[hw_fn_check ()
{
  hw_names=$[]*
  hw_fn_keep "checked $hw_names"
  hw_call=
  hw_fn_resume
  hw_fn_table plan "option check $hw_names"
  hw_fn_reports
  AS_IF([test -n "$hw_ask$hw_ask_mpi"], [hw_fn_measure])
  # The values are read by the macros of a package; the configure of hwconfig itself needs them at its end alone.
  hw_values=$hw_parent
  test -z "$hw_model" || hw_values=
  hw_fn_table lines "option check $hw_names" "option final yes" "option values $hw_values"
  AS_IF([test -n "$hw_model"], [
    hw_fn_table models
    hw_answers=`AS_ECHO(["$hw_inputs"]) | LC_ALL=C $AWK -f "$hw_dir/analysis/$hw_model.awk" 2>&AS_MESSAGE_LOG_FD` ||
      AC_MSG_ERROR([$hw_dir/analysis/$hw_model.awk: $AWK has failed], [1])
    hw_fn_log "$hw_model.awk: $hw_answers"
    AS_VAR_APPEND([hw_state], ["$hw_nl`AS_ECHO(["$hw_answers"]) | sed 's/^/model /'`"])
    hw_fn_table lines "option check $hw_names" "option final yes" "option values $hw_parent"])
  hw_call=
  hw_fn_pause
}
# Adds the values to the arguments that config.status --recheck repeats, in place
# of those that an earlier one has put there.
hw_fn_arguments ()
{
  case $ac_configure_args in
  *" 'hw_cv_"*)
    ac_configure_args=`AS_ECHO(["$ac_configure_args"]) | sed "s/ 'hw_cv_@<:@^'@:>@*'//g"` ;;
  esac
  test -z "$hw_cv_fingerprint" ||
    AS_VAR_APPEND([ac_configure_args], [" 'hw_cv_fingerprint=$hw_cv_fingerprint' 'hw_cv_processors=$hw_cv_processors'"])
  AS_VAR_APPEND([ac_configure_args], ["$hw_arguments"])
}
# Asks the system for what hw_getconf names.
hw_fn_reports ()
{
  for hw_name in $hw_getconf; do
    hw_fn_keep "reports $hw_name `getconf $hw_name 2>/dev/null`"
  done
}
])# _HW_CHECK_ROWS
