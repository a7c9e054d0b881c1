# ===========================================================================
#  hw_check_sharing.m4: what processors share
# ===========================================================================
#
# SYNOPSIS
#
#   HW_CHECK_SHARING([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#
# DESCRIPTION
#
#   Measures, for n = 1 to 3, HW_Ln_SHARED_BY, the processors that share an
#   instance of that level of cache, and HW_Ln_SHARE_BYTES, what one of them
#   keeps of it when all are busy; HW_DESTRUCTIVE_BYTES, the distance at which
#   writes of two threads stop disturbing each other; HW_MEM_GROUPS, the kinds
#   of groups that share a path to memory, and for k = 1 to 4
#   HW_MEM_GROUPk_SIZE and _MBS; HW_MEM_THREADS and HW_MEM_TOTAL_MBS, the
#   threads that saturate memory and what they get; HW_NUMA_NODES, the groups
#   with fast memory of their own.
#
#   Threads are as HW_CHECK_PROCESSORS says.
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

AC_DEFUN([HW_CHECK_SHARING],
[AC_REQUIRE([_HW_START])dnl
_HW_CHECK([SHARING], [$1], [$2])
])# HW_CHECK_SHARING
