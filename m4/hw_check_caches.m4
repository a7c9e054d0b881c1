# ===========================================================================
#  hw_check_caches.m4: the data caches and the memory
# ===========================================================================
#
# SYNOPSIS
#
#   HW_CHECK_CACHES([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#
# DESCRIPTION
#
#   Measures all data caches and the memory behind them: HW_CACHE_LEVELS and
#   HW_HAVE_Ln, which levels there are; for n = 1, 2, 3 the shape of level n
#   (HW_Ln_BYTES, HW_Ln_ASSOC, HW_Ln_LINE, HW_Ln_SETS, HW_Ln_EFF_BYTES), its
#   latency (HW_Ln_LAT...), its bandwidth (HW_Ln_READ_MBS, HW_Ln_WRITE_MBS,
#   HW_Ln_COPY_MBS) and how it works (HW_Ln_EXCLUSIVE, HW_Ln_LRU,
#   HW_Ln_WRITE_BACK, HW_Ln_WRITE_ALLOCATE); HW_FETCH_BYTES; HW_MEM_LAT...,
#   HW_MEM_READ_MBS and so on, and HW_MEM_PARALLEL...
#
#   What HW_CHECK_L1 measures is part of it, and much quicker.
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

AC_DEFUN([HW_CHECK_CACHES],
[AC_REQUIRE([_HW_START])dnl
_HW_CHECK([L1 CACHES], [$1], [$2])
])# HW_CHECK_CACHES
