# ===========================================================================
#  hw_check_instructions.m4: what operations cost
# ===========================================================================
#
# SYNOPSIS
#
#   HW_CHECK_INSTRUCTIONS([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#
# DESCRIPTION
#
#   Measures for each operation and type the latency, HW_LAT_ADD_I32 and so
#   on, the reciprocal throughput, HW_RTP_ADD_I32_X100, how many are in
#   flight, HW_ILP_ADD_I32, how many additions are issued in a cycle,
#   HW_ISSUE_I32_X100, also of different kinds, HW_ISSUE_MIX_X100, whether
#   there is a fused multiply-add, HW_HAVE_FMA_F64, and hardware for floating
#   point, HW_HAVE_FPU_F64, how wide vectors are, HW_VEC_BYTES, and what a
#   branch misprediction costs, HW_BRANCH_MISS.
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

AC_DEFUN([HW_CHECK_INSTRUCTIONS],
[AC_REQUIRE([_HW_START])dnl
_HW_CHECK([INSTRUCTIONS], [$1], [$2])
])# HW_CHECK_INSTRUCTIONS
