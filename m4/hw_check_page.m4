# ===========================================================================
#  hw_check_page.m4: the page
# ===========================================================================
#
# SYNOPSIS
#
#   HW_CHECK_PAGE([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#
# DESCRIPTION
#
#   Measures HW_PAGE_BYTES, the page that the TLB sees.
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

AC_DEFUN([HW_CHECK_PAGE],
[AC_REQUIRE([_HW_START])dnl
_HW_CHECK([PAGE], [$1], [$2])
])# HW_CHECK_PAGE
