# ===========================================================================
#  hw_check_processors.m4: processors and cores
# ===========================================================================
#
# SYNOPSIS
#
#   HW_CHECK_PROCESSORS([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#
# DESCRIPTION
#
#   Measures HW_CPUS, the processors that the program may run on, HW_CORES,
#   those of them that have a core to themselves, and HW_SMT, their quotient,
#   which hwconfig.h lacks on OpenBSD (it uses the name); HW_CONTEXTS_INT, _FP and
#   _MEM, threads of a kind that do not slow each other; HW_SCHED_SLOT_US, the
#   time slot of the scheduler; HW_PAR_MIN_NS, the shortest work worth handing to
#   another thread; HW_COMM_LAYERS, the layers of communication
#   between processors, and for k = 1 to 4 HW_COMMk_LAT_NS, _MBS, _SIZE and
#   _SLOWDOWN_X100.
#
#   Threads are POSIX ones. Where the system has them in a library of their own,
#   call AC_SEARCH_LIBS([pthread_create], [pthread]) before the first check;
#   else all of these are unknown there.
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

AC_DEFUN([HW_CHECK_PROCESSORS],
[AC_REQUIRE([_HW_START])dnl
_HW_CHECK([PROCESSORS], [$1], [$2])
])# HW_CHECK_PROCESSORS
