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
  [], [with_hw_rows=all])
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
