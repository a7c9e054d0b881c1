# ===========================================================================
#  hw_check_registers.m4: variables in registers
# ===========================================================================
#
# SYNOPSIS
#
#   HW_CHECK_REGISTERS([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#
# DESCRIPTION
#
#   Measures how many variables of a type live in registers at once:
#   HW_NR_I32, HW_NR_I64, HW_NR_F32, HW_NR_F64, and of vectors, HW_NR_V.
#
#   Each parameter is one check with a cache variable of its own, sets the
#   shell variable of its name (empty when unknown) and that name with _SRC
#   (where the value came from), and substitutes both.
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

AC_DEFUN([HW_CHECK_REGISTERS],
[AC_REQUIRE([_HW_START])dnl
_HW_CHECK([REGISTERS], [$1], [$2])
])# HW_CHECK_REGISTERS
