# ===========================================================================
#  hw_check_tlb.m4: the TLB
# ===========================================================================
#
# SYNOPSIS
#
#   HW_CHECK_TLB([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#
# DESCRIPTION
#
#   Measures HW_TLB1_ENTRIES, HW_TLB1_ASSOC, HW_TLB1_REACH_BYTES and
#   HW_TLB1_MISS: what the first-level TLB holds, and what missing it costs.
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
