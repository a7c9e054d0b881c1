# ===========================================================================
#  hw_output.m4: the files of hwconfig
# ===========================================================================
#
# SYNOPSIS
#
#   HW_OUTPUT
#
# DESCRIPTION
#
#   Has config.status write, in the build folder, what the checks found:
#
#     hwconfig.h      for C, C++ and preprocessed assembler
#     hwconfig.mk     for make
#     hwconfig.json   for everything else
#     hwconfig.site   for the next configure, as its CONFIG_SITE or as
#                     --with-hw-profile
#     hwconfig.d      the curves, one file each
#
#   A file is replaced only when it changes, as a whole or not at all.
#
#   Call it after the checks, after AC_CONFIG_HEADERS([config.h]) (autoheader
#   writes the template of the first header, and ours is written by hand),
#   and before AC_OUTPUT.
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

AC_DEFUN([HW_OUTPUT],
[AC_REQUIRE([_HW_START])dnl
m4_ifset([AH_HEADER], [],
  [m4_fatal([HW_OUTPUT: call AC_CONFIG_HEADERS([config.h]) first, else autoheader overwrites hwconfig.h.in])])dnl
hw_fn_agree
hw_fn_follow
_HW_TEXTS
_HW_ARGUMENTS
_HW_SUMMARY
AC_CONFIG_HEADERS([hwconfig.h]m4_ifset([_HW_DIR], [:_HW_DIR/hwconfig.h.in]))
_HW_FILE([hwconfig.mk], [hw_text_mk])
_HW_FILE([hwconfig.json], [hw_text_json])
_HW_FILE([hwconfig.site], [hw_text_site])
_HW_CURVES
])# HW_OUTPUT
