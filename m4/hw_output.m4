# SPDX-License-Identifier: MIT OR FSFAP
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
#   Call it after the checks and before AC_OUTPUT.
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
[AC_REQUIRE([_HW_SETTLE])dnl
m4_ifset([_HW_DIR], [_HW_FILES], [m4_ifdef([_HW_DATADIR], [_HW_FILES], [_HW_FILE([hwconfig.h])
_HW_FILE([hwconfig.mk])
_HW_FILE([hwconfig.json])
_HW_FILE([hwconfig.site])
_HW_CURVES])])
])# HW_OUTPUT
