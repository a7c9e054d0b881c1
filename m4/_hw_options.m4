# _hw_options.m4: the options.
#
# SPDX-License-Identifier: MIT OR FSFAP
# Copyright (c) The hwconfig authors
#
# Copying and distribution of this file, with or without modification, are
# permitted in any medium without royalty provided the copyright notice and
# this notice are preserved. This file is offered as-is, without any warranty.

# _HW_OPTIONS
# -----------
# All start with hw: a parent package hands its own options down, and takes
# ours in silence. What is bad about them registry/begin.awk tells.
AC_DEFUN([_HW_OPTIONS],
[AC_ARG_ENABLE([hw-measure],
  [AS_HELP_STRING([--disable-hw-measure],
    [run no probe: values come from arguments, cache and profile only])],
  [], [enable_hw_measure=yes])
AC_ARG_ENABLE([hw-fingerprint],
  [AS_HELP_STRING([--disable-hw-fingerprint],
    [take a cache or profile of another machine or compiler as it is])],
  [], [enable_hw_fingerprint=yes])
AC_ARG_WITH([hw-effort],
  [AS_HELP_STRING([--with-hw-effort=quick|default|thorough],
    [how long to measure before a value is left unknown; quick tells level 1, registers and vectors, and what --with-hw-rows names])],
  [], [with_hw_effort=default])
AC_ARG_WITH([hw-budget],
  [AS_HELP_STRING([--with-hw-budget=SECONDS],
    [compile and measure no longer than this; what is not reached is unknown @<:@20, quick: 10, thorough: no limit@:>@])],
  [], [with_hw_budget=])
AC_ARG_WITH([hw-profile],
  [AS_HELP_STRING([--with-hw-profile=FILE],
    [take values from the hwconfig.site of an earlier run])],
  [], [with_hw_profile=])
AC_ARG_WITH([hw-cache],
  [AS_HELP_STRING([--with-hw-cache@<:@=FOLDER@:>@],
    [share what is measured with other packages on this machine, in the user's cache folder (or HWCONFIG_CACHE=yes, =FOLDER)])],
  [], [with_hw_cache=${HWCONFIG_CACHE:-no}])
m4_ifdef([_HW_UNKNOWN], [], [m4_define([_HW_UNKNOWN], [m4_ifset([_HW_DIR], [strict], [m4_ifdef([_HW_DATADIR], [strict], [default])])])])dnl
AC_ARG_WITH([hw-unknown],
  [AS_HELP_STRING([--with-hw-unknown=strict|reported|default],
    [what programs rely on and could not be measured is undefined; is what the system reports, of levels 1 and 2 and the page; or is that or else a safe default @<:@]_HW_UNKNOWN[@:>@])],
  [], [with_hw_unknown=_HW_UNKNOWN])
AC_ARG_WITH([hw-rows],
  [AS_HELP_STRING([--with-hw-rows=LIST],
    [measure and define these groups and macros only, as L1,TLB,NR_F64 @<:@]m4_ifdef([_HW_VENDORED], [_HW_VENDORED], [all])[@:>@])],
  [hw_rows_from=], [hw_rows_from=macros
  with_hw_rows=all
  m4_ifset([_HW_DIR], [_HW_ASKED_ROWS], [m4_ifdef([_HW_DATADIR], [_HW_ASKED_ROWS])])])
AC_ARG_WITH([hw-cpus],
  [AS_HELP_STRING([--with-hw-cpus=LIST],
    [measure on these processors, as 0,2-3])],
  [], [with_hw_cpus=])
AC_SUBST([with_hw_cpus])
AC_ARG_WITH([hw-hwloc],
  [AS_HELP_STRING([--with-hw-hwloc],
    [bind threads to processors by hwloc, on systems other than Linux too])],
  [], [with_hw_hwloc=no])
AC_ARG_WITH([hw-mpi],
  [AS_HELP_STRING([--with-hw-mpi@<:@=PROCESSES@:>@],
    [measure communication between processes of MPI too, with MPICC and MPIEXEC])],
  [], [with_hw_mpi=no])
AC_ARG_ENABLE([hw-verbose],
  [AS_HELP_STRING([--enable-hw-verbose],
    [say each value as it is measured where hwconfig is part of another package, as it does by itself; else one line has them])],
  [], [enable_hw_verbose=])
case $enable_hw_verbose in
yes | no | '') ;;
*) AC_MSG_ERROR([--enable-hw-verbose=$enable_hw_verbose: not yes or no], [2]) ;;
esac
AC_REQUIRE([_HW_QUIET])dnl
AC_ARG_VAR([MPICC], [compiler of MPI, for --with-hw-mpi])
AC_ARG_VAR([MPIEXEC], [command that starts processes of MPI, with options])
AC_ARG_WITH([hw-prefix],
  [AS_HELP_STRING([--with-hw-prefix=FOO_],
    [FOO_L1_BYTES, not HW_L1_BYTES, in hwconfig.h and hwconfig.mk])],
  [], [with_hw_prefix=HW_])

# An unknown of an earlier run stands only when nothing new would be tried.
hw_manner=$with_hw_effort/$with_hw_budget/$with_hw_cpus
test "$with_hw_mpi" = no || hw_manner=$hw_manner/$with_hw_mpi
])# _HW_OPTIONS


# _HW_ASKED_ROWS
# --------------
# What the macros of this package check is what it asks for.
m4_define([_HW_ASKED_ROWS],
[case "$hw_asked_rows " in
  ' ' | *' all '*) ;;
  *) with_hw_rows=${hw_asked_rows@%:@ } ;;
  esac])# _HW_ASKED_ROWS


# _HW_QUIET
# ---------
# hw_terse: yes if one line is to have all that was measured: in another package, which
# calls the macros or is configured around this one, unless it is told otherwise.
# Autoconf begins the arguments of a configure below another with one option and
# ends them with two others. hw_silent is yes under -q.
AC_DEFUN([_HW_QUIET],
[hw_silent=$silent
hw_terse=m4_ifset([_HW_DIR], [yes], [m4_ifdef([_HW_DATADIR], [yes], [no])])
case $enable_hw_verbose,$ac_configure_args in
yes,*) hw_terse=no ;;
no,* | ", '--disable-option-checking' "*" '--cache-file="*" '--srcdir="*) hw_terse=yes ;;
esac])# _HW_QUIET


# _HW_HUSH
# --------
# For the configure of hwconfig: what it checks for itself, compiler and tools, which
# the package around has just checked, is not said there but in config.log. What is said
# of the machine is: _HW_SPEAK.
AC_DEFUN([_HW_HUSH],
[AC_REQUIRE([_HW_QUIET])dnl
hw_hushed=no
AS_IF([test "$hw_terse" = yes && test "$silent" != yes], [
  hw_hushed=yes
  exec 9>&AS_MESSAGE_FD AS_MESSAGE_FD>/dev/null
  silent=yes])
])# _HW_HUSH


# _HW_SPEAK(yes|no)
# -----------------
m4_define([_HW_SPEAK],
[AS_IF([test "$hw_hushed" = yes], m4_if([$1], [yes], [[exec AS_MESSAGE_FD>&9; silent=no]], [[exec AS_MESSAGE_FD>/dev/null; silent=yes]]))])# _HW_SPEAK
