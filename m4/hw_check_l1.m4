# ===========================================================================
#  hw_check_l1.m4: the level-1 data cache
# ===========================================================================
#
# SYNOPSIS
#
#   HW_CHECK_L1([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#
# DESCRIPTION
#
#   Measures the level-1 data cache: HW_L1_LAT, HW_L1_LAT_X100, HW_L1_LAT_PS,
#   its latency; HW_L1_BYTES, HW_L1_ASSOC, HW_L1_LINE, HW_L1_SETS, its shape;
#   HW_L1_EFF_BYTES, what a program gets of it; HW_L1_LRU, whether it replaces
#   like LRU. HW_CHECK_CACHES measures these and all other levels.
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

AC_DEFUN([HW_CHECK_L1],
[AC_REQUIRE([_HW_START])dnl
_HW_CHECK([L1], [$1], [$2])
])# HW_CHECK_L1
