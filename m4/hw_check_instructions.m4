# ===========================================================================
#  hw_check_instructions.m4: the clock and the cycle
# ===========================================================================
#
# SYNOPSIS
#
#   HW_CHECK_INSTRUCTIONS([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#
# DESCRIPTION
#
#   Measures the clock: HW_CLOCK_NS, its smallest step; HW_CYCLE_PS, the
#   duration of a dependent integer addition, which is the cycle of all other
#   parameters; HW_CPU_MHZ, its rate.
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
