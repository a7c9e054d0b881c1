# _hw_handed.m4: what a package around has found out.
#
# SPDX-License-Identifier: MIT OR FSFAP
# Copyright (c) The hwconfig authors
#
# Copying and distribution of this file, with or without modification, are
# permitted in any medium without royalty provided the copyright notice and
# this notice are preserved. This file is offered as-is, without any warranty.

# _HW_HANDED
# ----------
# Takes what HW_CONFIG_SUBDIR of a package around this one has found, from the
# environment, lines NAME=VALUE in hw_outer_checks, if compiler, flags and system
# are given here as they were there. hw_handed becomes yes if it has a compiler,
# or no. Call it before the first check.
AC_DEFUN([_HW_HANDED],
[hw_handed=no
AS_IF([test -n "$hw_outer_checks"], [
  hw_handed=yes
  while read -r hw_text; do
    case $hw_text in
    ac_env_*_value=*)
      hw_name=${hw_text%%=*}
      eval "test \"x\$$hw_name\" = \"x\${hw_text@%:@*=}\"" || hw_handed=no ;;
    CC=?* | ac_ct_CC=* | GCC=* | OBJEXT=* | EXEEXT=* | cross_compiling=* | a@<:@cm@:>@_cv_@<:@a-z@:>@*=*) ;;
    *) hw_handed=no ;;
    esac
  done <<END
$hw_outer_checks
END
])
AS_IF([test $hw_handed = yes], [
  while read -r hw_text; do
    hw_name=${hw_text%%=*}
    case $hw_name in
    ac_env_*) ;;
    a?_cv_*) eval "test -n \"\$$hw_name\" || test -z \"\${hw_text@%:@*=}\" || $hw_name=\${hw_text@%:@*=}" ;;
    *) eval "$hw_name=\${hw_text@%:@*=}" ;;
    esac
  done <<END
$hw_outer_checks
END
  AS_ECHO(["hwconfig: the package around has found $hw_outer_checks"]) >&AS_MESSAGE_LOG_FD])
])# _HW_HANDED


# _HW_PROG_CC
# -----------
# AC_PROG_CC, without its checks where _HW_HANDED has a compiler. Nor is waited, in
# that case, until a second has passed, as Automake has it: the package around has.
AC_DEFUN([_HW_PROG_CC],
[AS_IF([test $hw_handed = yes], [
  ac_objext=$OBJEXT ac_exeext=$EXEEXT ac_compiler_gnu=$ac_cv_c_compiler_gnu
  AS_IF([test "${CFLAGS+set}" = set], [],
    [case $ac_cv_prog_cc_g,$ac_compiler_gnu in
     yes,yes) CFLAGS='-g -O2' ;;
     yes,*) CFLAGS=-g ;;
     *,yes) CFLAGS=-O2 ;;
     *) CFLAGS= ;;
     esac])
  AS_IF([test -n "$am_sleep_pid"], [
    kill $am_sleep_pid
    wait $am_sleep_pid
    am_sleep_pid=]) 2>/dev/null],
  [AC_PROG_CC])
])# _HW_PROG_CC
