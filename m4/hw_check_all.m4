# ===========================================================================
#  hw_check_all.m4: everything
# ===========================================================================
#
# SYNOPSIS
#
#   HW_CHECK_ALL([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#
# DESCRIPTION
#
#   Checks all parameters of the registry, in its order.
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

AC_DEFUN([HW_CHECK_ALL],
[AC_REQUIRE([_HW_START])dnl
_HW_MPI_TOOLS
hw_together='_HW_BATCHES_OF_CODE'
_HW_CHECK([], [$1], [$2])
hw_together=
])# HW_CHECK_ALL
