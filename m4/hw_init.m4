# SPDX-License-Identifier: MIT OR FSFAP
# ===========================================================================
#  hw_init.m4: the options of hwconfig and the values that are given
# ===========================================================================
#
# SYNOPSIS
#
#   HW_INIT([DIR])
#
# DESCRIPTION
#
#   Prepares the checks of hwconfig: defines its options (--disable-hw-measure,
#   --with-hw-effort and so on) and one variable a parameter
#   (./configure HW_L1_BYTES=49152), and reads the profile. Whatever of these
#   is bad ends configure with one line, before anything is compiled or
#   written.
#
#   DIR is the folder of the hwconfig sources below the top of the package;
#   without it they are the package itself, or those of the hwconfig that was
#   installed when configure was made (the variable HWCONFIG_DATADIR names
#   another folder).
#
#   Call it after HW_REGISTRY. It needs no compiler; the checks do.
#
# LICENSE
#
#   Copyright (c) The hwconfig authors
#
#   Copying and distribution of this file, with or without modification,
#   are permitted in any medium without royalty provided the copyright
#   notice and this notice are preserved. This file is offered as-is,
#   without any warranty.

#serial 1

AC_DEFUN([HW_INIT],
[m4_ifdef([_HW_ROWS], [],
  [m4_fatal([HW_INIT: call HW_REGISTRY([m4_include([$1]m4_ifval([$1], [/])[probes/params.def])]) first])])dnl
m4_ifval([$1], [m4_define([_HW_DIR], [$1])])dnl
m4_ifdef([_HW_DATADIR],
[m4_ifset([_HW_DIR], [m4_fatal([HW_INIT: HW_REGISTRY without a table is for the hwconfig that is installed, which is not in a folder of the package])])dnl
AC_ARG_VAR([HWCONFIG_DATADIR], [where hwconfig is installed @<:@]m4_defn([_HW_DATADIR])[@:>@])dnl
hw_dir=${HWCONFIG_DATADIR:-_HW_DATADIR}
AS_IF([test -f "$hw_dir/registry/table.awk"], [],
  [AC_MSG_ERROR([$hw_dir/registry/table.awk: no such file: install hwconfig, or name its folder as in HWCONFIG_DATADIR=/usr/share/hwconfig], [2])])
],
[hw_dir=$srcdir[]m4_ifset([_HW_DIR], [/_HW_DIR])
_HW_COMPLETE
AS_IF([test -n "$hw_missing"],
  [AC_MSG_ERROR([$hw_dir/$hw_missing: no such file$hw_others: the sources of hwconfig belong there (make embed DIR=... copies them, EXTRA_DIST takes them into a tarball)], [2])])
])dnl
hw_parent=m4_ifset([_HW_DIR], [yes])[]m4_ifdef([_HW_DATADIR], [yes])
AS_IF([test -n "$hw_parent"], [
  # What a package around this one says to its own hwconfig is not for this one: begins again without.
  case $ac_configure_args in
  *" '--with-hw-package=begin' "*)
    eval "exec $SHELL \"\$as_myself\" ${ac_configure_args%%" '--with-hw-package=begin' "*}${ac_configure_args@%:@@%:@*" '--with-hw-package=end'"}" ;;
  esac])
_HW_TABLE
_HW_OPTIONS
_HW_BEGIN
])# HW_INIT


# _HW_COMPLETE
# ------------
# hw_missing: the first of the files missing that checks need, or nothing; and
# hw_others that there are more of them. hw_files: all of them, for a makefile.
m4_define([_HW_COMPLETE],
[hw_missing= hw_more=0 hw_others=
hw_files='probes/machine.sh probes/build.sh m4_foreach_w([_HW_name], m4_defn([_HW_PROGRAM])[ needs], [registry/_HW_name.awk ])'
AS_IF([test -r "$hw_dir/probes/build.sh"],
  [hw_files="$hw_files `. "$hw_dir/probes/build.sh"; hw_fn_files | tr '\n' ' '`"])
for hw_file in $hw_files; do
  test ! -f "$hw_dir/$hw_file" || continue
  AS_IF([test -z "$hw_missing"], [hw_missing=$hw_file], [AS_VAR_ARITH([hw_more], [$hw_more + 1])])
done
test $hw_more = 0 || hw_others=", nor are $hw_more others"
])# _HW_COMPLETE
