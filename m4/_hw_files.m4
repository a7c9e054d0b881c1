# _hw_files.m4: what is written at the end.
#
# SPDX-License-Identifier: MIT OR FSFAP
# Copyright (c) The hwconfig authors
#
# Copying and distribution of this file, with or without modification, are
# permitted in any medium without royalty provided the copyright notice and
# this notice are preserved. This file is offered as-is, without any warranty.

# _HW_SETTLE
# ----------
# The end, after the last check: the values go to the cache of this machine,
# values that contradict each other are dropped, others are derived, and all
# stand in the files and among the arguments that config.status --recheck repeats.
AC_DEFUN([_HW_SETTLE],
[AC_REQUIRE([_HW_START])dnl
_HW_CONDITIONS
_HW_REMEMBER
hw_seconds=
AS_IF([test -f conftest.hw/start], [
  read -r hw_start <conftest.hw/start
  hw_fn_now
  AS_VAR_ARITH([hw_seconds], [$hw_now - $hw_start])])
AS_IF([test -n "$hw_cv_fingerprint" && test "x$hw_cv_fingerprint" = "x$hw_fingerprint"], [
  test -n "$hw_processor" || hw_fn_processor /proc
  hw_fn_keep "option about-processor $hw_processor" "option about-compiler $hw_compiler" "option about-flags $hw_flags" dnl
"option vectors $hw_vectors"])
hw_fn_table settle "option seconds $hw_seconds" "option load $hw_load" "option throttled $hw_stopped" dnl
"option built $hw_built" "option budget $hw_budget"
hw_fn_arguments
# config.status --recheck, which make calls, prints the arguments: not the values, 13,000 characters.
AC_CONFIG_COMMANDS_POST(
[AS_IF([sed '/running CONFIG_SHELL/s/ >&@<:@0-9@:>@*$/ | sed "s, hw_cv_values=.*|,,"&/' "$CONFIG_STATUS" >conftest.status],
  [cat conftest.status >"$CONFIG_STATUS"])
rm -f conftest.status])
_HW_SPEAK([no])
])# _HW_SETTLE


# _HW_FILE(FILE)
# --------------
# Has config.status make FILE.
m4_define([_HW_FILE],
[AC_CONFIG_COMMANDS([$1],
[_HW_WRITE([$1], [AC_MSG_NOTICE([$1 is unchanged])])], [_HW_WRITE_INIT])])# _HW_FILE


# _HW_FILES
# ---------
# Has config.status make all of them by one command, of which it says one line.
m4_define([_HW_FILES],
[AC_CONFIG_COMMANDS([hwconfig.h],
[m4_foreach_w([_HW_name], [hwconfig.h hwconfig.mk hwconfig.json hwconfig.site], [_HW_WRITE(_HW_name)
])_HW_MOVE_CURVES], [_HW_WRITE_INIT])])# _HW_FILES


# _HW_WRITE(FILE, [IF-UNCHANGED])
# -------------------------------
# By the program of the table, which writes all of them under other names in the
# temporary folder of config.status first, so that nothing sees half of a file.
m4_define([_HW_WRITE],
[AS_IF([test -d "$ac_tmp/hw"], [],
  [mkdir "$ac_tmp/hw" && {
    AS_ECHO(["$hw_state"])
    AS_ECHO(["option step write"])
    AS_ECHO(["option out $ac_tmp/hw"])
    AS_ECHO(["option template $hw_dir/hwconfig.h.in"])
  } | _HW_AWK >/dev/null || AC_MSG_ERROR([could not write $1], [1])])
AS_IF([cmp "$ac_tmp/hw/$1" $1 >/dev/null 2>&1], [$2],
  [mv -f "$ac_tmp/hw/$1" $1 || AC_MSG_ERROR([could not create $1], [1])])])
m4_define([_HW_WRITE_INIT],
[hw_state='`AS_ECHO(["$hw_state"]) | sed "s/'/'\\\\''/g"`' hw_dir='`AS_ECHO(["$hw_dir"]) | sed "s/'/'\\\\''/g"`' AWK='$AWK'])# _HW_WRITE


# _HW_CONDITIONS
# --------------
# Writes down beside the curves of this run, if there are any, under which
# conditions they were measured.
AC_DEFUN([_HW_CONDITIONS],
[AS_IF([test "$hw_built" = yes && test -n "$hw_asked"],
  [hw_fn_conditions /proc "$with_hw_effort" conftest.hw /sys/fs/cgroup >conftest.hw/conditions],
  [test "$hw_built" = no], [hw_fn_since /proc /sys/fs/cgroup])
])# _HW_CONDITIONS


# _HW_CURVES, _HW_MOVE_CURVES
# ---------------------------
# Moves the curves that this run has measured to their place: at once if
# there are none yet. Others of the same probes are of an earlier run and go.
# With them go the conditions, which hold for all curves there or are missing.
AC_DEFUN([_HW_CURVES], [AC_CONFIG_COMMANDS([hwconfig.d], [_HW_MOVE_CURVES])])
m4_define([_HW_MOVE_CURVES],
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
done])# _HW_CURVES
