# ===========================================================================
#  hw_check_tiles.m4: block sizes
# ===========================================================================
#
# SYNOPSIS
#
#   HW_CHECK_TILES([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#
# DESCRIPTION
#
#   Computes block sizes from the values that are known, without measuring:
#   HW_TILE_F32, HW_TILE_F64, edges of square tiles; HW_GEMM_F32_MR, _NR, _KC,
#   _MC, _NC and the same of F64, for a matrix product; HW_GEMM_BB_M, _N, _K
#   and so on, BlackjackBench's own model; HW_STREAM_BYTES, from which size on
#   copies should bypass the caches.
#
#   Call it after HW_CHECK_CACHES, HW_CHECK_TLB, HW_CHECK_INSTRUCTIONS and
#   HW_CHECK_REGISTERS: what has not been checked or given by then is unknown.
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

AC_DEFUN([HW_CHECK_TILES],
[AC_REQUIRE([_HW_START])dnl
_HW_CHECK([TILES], [$1], [$2])
])# HW_CHECK_TILES
