# SPDX-License-Identifier: MIT OR FSFAP
# ===========================================================================
#  hw_ax_cache_size.m4: in place of AX_CACHE_SIZE
# ===========================================================================
#
# SYNOPSIS
#
#   HW_AX_CACHE_SIZE
#   HW_AX_CACHE_SIZE([m4_include([DIR/probes/params.def])], [DIR], [effective|capacity], [L1 L2 L3])
#
# DESCRIPTION
#
#   Sets what AX_CACHE_SIZE of the Autoconf Archive sets, and what M4RI's
#   AX_CACHE_SIZE and AX_CACHE_SIZE_TUNE set, but measured:
#
#     CPU_L1_CACHE, CPU_L2_CACHE, CPU_L3_CACHE
#         defined in the package's config.h, and substituted
#     M4RI_CPU_L1_CACHE, M4RI_CPU_L2_CACHE, M4RI_CPU_L3_CACHE
#         substituted
#     ax_l1_size, ax_l2_size, ax_l3_size
#         shell variables
#
#   All are in bytes. That of level 1 is its capacity. Those of levels 2 and 3
#   are what one thread can hold there in pages that lie anywhere, which is what
#   blocks are to fit; it follows from capacity, ways and page, and so is the same
#   each time. If these are not known it is HW_L2_EFF_BYTES or HW_L3_EFF_BYTES,
#   what was measured to fit, in steps of four to an octave. With capacity as the third argument they
#   are capacities too. A capacity of level 1 or 2 that could not be measured is
#   what the system reports (see --with-hw-unknown). configure says in one line
#   where each came from. It is 0 if there is no such level. If it is unknown,
#   as with SOURCE_DATE_EPOCH, it is the package's own size, the fourth argument, as
#   in [16384 262144 4194304]; without that config.h does not define it, so that the
#   package's own constant stands, and what is substituted is 0, as AX_CACHE_SIZE has
#   it.
#
#   With one line changed it is complete: it calls HW_REGISTRY and HW_INIT with
#   these arguments unless they have been called. Without arguments it takes the
#   hwconfig that is installed.
#
# LICENSE
#
#   Copyright (c) The hwconfig authors
#
#   Copying and distribution of this file, with or without modification,
#   are permitted in any medium without royalty provided the copyright
#   notice and this notice are preserved. This file is offered as-is,
#   without any warranty.

#serial 2

AC_DEFUN([HW_AX_CACHE_SIZE],
[m4_case(m4_default([$3], [effective]), [effective], [], [capacity], [],
  [m4_fatal([HW_AX_CACHE_SIZE: $3: not effective or capacity])])dnl
m4_ifdef([_HW_ROWS], [], [HW_REGISTRY([$1])m4_define([_HW_DIR], [$2])m4_define([_HW_UNKNOWN], [reported])])dnl
AC_REQUIRE([_HW_START])dnl
_HW_CHECK([CACHE_LEVELS HAVE_L1 HAVE_L2 HAVE_L3 L1_BYTES L2_BYTES L3_BYTES L2_ASSOC L3_ASSOC L1_EFF_BYTES L2_EFF_BYTES L3_EFF_BYTES])
_HW_REMEMBER
hw_fn_table arguments
hw_fn_arguments
hw_getconf='PAGESIZE LEVEL2_CACHE_ASSOC LEVEL3_CACHE_ASSOC'
test -n "$hw_idle" || hw_fn_reports
hw_fn_table sizes "option sizes m4_default([$3], [effective])" "option own-sizes m4_normalize([$4])"
m4_foreach([_HW_level], [1, 2, 3],
[AS_IF([test -n "$ax_l[]_HW_level[]_size"],
  [AC_DEFINE_UNQUOTED(CPU_L[]_HW_level[]_CACHE, $ax_l[]_HW_level[]_size, L[]_HW_level [data cache size (in bytes), undefined when unknown])],
  [ax_l[]_HW_level[]_size=0])
CPU_L[]_HW_level[]_CACHE=$ax_l[]_HW_level[]_size
M4RI_CPU_L[]_HW_level[]_CACHE=$ax_l[]_HW_level[]_size
AC_SUBST(CPU_L[]_HW_level[]_CACHE)dnl
AC_SUBST(M4RI_CPU_L[]_HW_level[]_CACHE)
])dnl
])# HW_AX_CACHE_SIZE
