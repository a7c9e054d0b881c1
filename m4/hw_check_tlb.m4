# ===========================================================================
#  hw_check_tlb.m4: the TLBs
# ===========================================================================
#
# SYNOPSIS
#
#   HW_CHECK_TLB([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#
# DESCRIPTION
#
#   Measures HW_TLB_LEVELS, the number of TLBs; for n = 1, 2 HW_TLBn_ENTRIES,
#   HW_TLBn_ASSOC, HW_TLBn_REACH_BYTES and HW_TLBn_MISS, what level n holds and
#   what missing it costs; HW_HUGE_PAGE_BYTES, a larger page that pays.
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

AC_DEFUN([HW_CHECK_TLB],
[AC_REQUIRE([_HW_START])dnl
_HW_CHECK([TLB], [$1], [$2])
])# HW_CHECK_TLB
