# SPDX-License-Identifier: MIT OR FSFAP
# ===========================================================================
#  hw_define.m4: the values in the package's own config.h
# ===========================================================================
#
# SYNOPSIS
#
#   HW_DEFINE([GROUP...])
#
# DESCRIPTION
#
#   Defines in the header of this package, the first of AC_CONFIG_HEADERS, each
#   known value of these groups, separated by blanks, or of all: HW_L1_BYTES
#   and so on. A GROUP is what HW_CHECK_GROUP checks, as in HW_DEFINE([L1 TLB]).
#   What is unknown stays undefined; defaults, and where a value came from, are
#   in hwconfig.h only (see HW_OUTPUT).
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

AC_DEFUN([HW_DEFINE],
[AC_REQUIRE([_HW_SETTLE])dnl
m4_foreach_w([_HW_row], _HW_LIST([$1]), [AH_TEMPLATE([HW_]m4_toupper(_HW_row), m4_defn([_HW_TITLE(]_HW_row[)]))])dnl
for hw_macro in m4_toupper(_HW_LIST([$1])); do
  hw_macro=HW_$hw_macro
  eval "hw_value=\$$hw_macro"
  AS_IF([test -n "$hw_value"], [AC_DEFINE_UNQUOTED([$hw_macro], [$hw_value])])
done
])# HW_DEFINE
