# ===========================================================================
#  hw_check_l3.m4: the level-3 data cache
# ===========================================================================
#
# SYNOPSIS
#
#   HW_CHECK_L3([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#
# DESCRIPTION
#
#   Measures the level-3 data cache: HW_HAVE_L3, whether there is one;
#   HW_L3_LAT, HW_L3_LAT_X100, HW_L3_LAT_PS, its latency; HW_L3_BYTES,
#   HW_L3_ASSOC, HW_L3_LINE, HW_L3_SETS, its shape; HW_L3_EFF_BYTES, what a program
#   gets of it; HW_L3_EXCLUSIVE and HW_L3_LRU, how it works. HW_CHECK_CACHES
#   measures these and more, of all levels.
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

AC_DEFUN([HW_CHECK_L3],
[AC_REQUIRE([_HW_START])dnl
_HW_CHECK([L3], [$1], [$2])
])# HW_CHECK_L3
