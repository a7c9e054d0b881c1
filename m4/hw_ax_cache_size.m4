# ===========================================================================
#  hw_ax_cache_size.m4: in place of AX_CACHE_SIZE
# ===========================================================================
#
# SYNOPSIS
#
#   HW_AX_CACHE_SIZE
#   HW_AX_CACHE_SIZE([m4_include([DIR/probes/params.def])], [DIR])
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
#   All are in bytes: the capacity of the data cache of that level, which is the
#   same each time. Where level 1 or 2 could not be measured it is what the
#   system reports (see --with-hw-unknown). What is unknown is 0, as it is
#   there; of a level that does not exist, too. configure says in one line where
#   each came from.
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

#serial 1

AC_DEFUN([HW_AX_CACHE_SIZE],
[m4_ifdef([_HW_ROWS], [], [HW_REGISTRY([$1])m4_define([_HW_DIR], [$2])m4_define([_HW_UNKNOWN], [reported])])dnl
AC_REQUIRE([_HW_START])dnl
_HW_CHECK_ROWS([cache_levels have_l1 have_l2 have_l3 l1_bytes l2_bytes l3_bytes l1_eff_bytes l2_eff_bytes l3_eff_bytes])
_HW_REMEMBER
hw_fn_disclaim
hw_fn_agree
hw_fn_follow
hw_fn_claims
_HW_ARGUMENTS
hw_text=
for hw_level in 1 2 3; do
  eval "hw_value=\$HW_L${hw_level}_BYTES hw_src=\$HW_L${hw_level}_BYTES_SRC hw_have=\$HW_HAVE_L$hw_level"
  hw_fn_origin "$hw_src" l${hw_level}_bytes
  AS_IF([test "x$hw_have" = x0], [hw_value= hw_origin=none])
  eval "ax_l${hw_level}_size=\${hw_value:-0}"
  AS_VAR_APPEND([hw_text], ["${hw_text:+, }L$hw_level ${hw_value:-0} ($hw_origin)"])
done
AC_MSG_NOTICE([hwconfig: cache sizes: $hw_text])
m4_foreach([_HW_level], [1, 2, 3],
[CPU_L[]_HW_level[]_CACHE=$ax_l[]_HW_level[]_size
M4RI_CPU_L[]_HW_level[]_CACHE=$ax_l[]_HW_level[]_size
AC_SUBST(CPU_L[]_HW_level[]_CACHE)dnl
AC_SUBST(M4RI_CPU_L[]_HW_level[]_CACHE)dnl
AC_DEFINE_UNQUOTED(CPU_L[]_HW_level[]_CACHE, $ax_l[]_HW_level[]_size, L[]_HW_level [data cache size (in bytes), 0 when unknown])
])dnl
])# HW_AX_CACHE_SIZE
