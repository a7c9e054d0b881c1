# _hw_install.m4: whether make install installs anything.
#
# SPDX-License-Identifier: MIT OR FSFAP
# Copyright (c) The hwconfig authors
#
# Copying and distribution of this file, with or without modification, are
# permitted in any medium without royalty provided the copyright notice and
# this notice are preserved. This file is offered as-is, without any warranty.

# _HW_INSTALL
# -----------
# Defines the Automake conditional HW_INSTALL. Below the configure of another
# package, which vendors hwconfig, nothing is installed unless that is asked
# for: its make install is to hold no surprise. Autoconf begins the arguments of
# a configure below another with one option and ends them with another; a person
# or a packager who gives the first gives it elsewhere.
AC_DEFUN([_HW_INSTALL],
[AC_ARG_ENABLE([hw-install],
  [AS_HELP_STRING([--disable-hw-install],
    [let make install do nothing, as it does when hwconfig is part of another package])],
  [], [enable_hw_install=])
case $enable_hw_install in
yes | no) ;;
'')
  case $ac_configure_args in
  " '--disable-option-checking' "*" '--cache-file="*" '--srcdir="*) enable_hw_install=no ;;
  *) enable_hw_install=yes ;;
  esac ;;
*) AC_MSG_ERROR([--enable-hw-install=$enable_hw_install: not yes or no], [2]) ;;
esac
AM_CONDITIONAL([HW_INSTALL], [test $enable_hw_install = yes])
])# _HW_INSTALL
