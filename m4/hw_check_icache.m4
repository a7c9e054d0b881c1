# ===========================================================================
#  hw_check_icache.m4: the instruction cache
# ===========================================================================
#
# SYNOPSIS
#
#   HW_CHECK_ICACHE([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#
# DESCRIPTION
#
#   Measures the level-1 instruction cache: HW_L1I_BYTES, HW_L1I_ASSOC,
#   HW_L1I_LINE, its shape; HW_L1I_MISS, what missing it costs.
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

AC_DEFUN([HW_CHECK_ICACHE],
[AC_REQUIRE([_HW_START])dnl
_HW_CHECK([ICACHE], [$1], [$2])
])# HW_CHECK_ICACHE
