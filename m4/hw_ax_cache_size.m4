# ===========================================================================
#  hw_ax_cache_size.m4: in place of AX_CACHE_SIZE
# ===========================================================================
#
# SYNOPSIS
#
#   HW_AX_CACHE_SIZE
#   HW_AX_CACHE_SIZE([m4_include([DIR/probes/params.def])], [DIR], [effective|capacity])
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
#   each time. Where these are not known it is HW_L2_EFF_BYTES or HW_L3_EFF_BYTES,
#   what was measured to fit, in steps of four to an octave. With capacity as the third argument they
#   are capacities too. A capacity of level 1 or 2 that could not be measured is
#   what the system reports (see --with-hw-unknown). configure says in one line
#   where each came from. It is 0 where there is no such level, and, with a
#   warning, where it is unknown.
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
[m4_case(m4_default([$3], [effective]), [effective], [], [capacity], [],
  [m4_fatal([HW_AX_CACHE_SIZE: $3: not effective or capacity])])dnl
m4_ifdef([_HW_ROWS], [], [HW_REGISTRY([$1])m4_define([_HW_DIR], [$2])m4_define([_HW_UNKNOWN], [reported])])dnl
AC_REQUIRE([_HW_START])dnl
_HW_CHECK_ROWS([cache_levels have_l1 have_l2 have_l3 l1_bytes l2_bytes l3_bytes l2_assoc l3_assoc l1_eff_bytes l2_eff_bytes l3_eff_bytes])
_HW_REMEMBER
hw_fn_disclaim
hw_fn_agree
hw_fn_follow
hw_fn_claims
_HW_ARGUMENTS
_HW_AX_EFFECTIVE
hw_fn_page
hw_sizes= hw_zeros=
for hw_level in 1 2 3; do
  eval "hw_value=\$HW_L${hw_level}_BYTES hw_src=\$HW_L${hw_level}_BYTES_SRC hw_have=\$HW_HAVE_L$hw_level"
  hw_fn_origin "$hw_src" l${hw_level}_bytes
m4_if([$3], [capacity], [], [  test $hw_level = 1 || hw_fn_effective $hw_level
])dnl
  AS_IF([test "x$hw_have" = x0], [hw_value= hw_origin=none],
    [test -z "$hw_value"], [AS_VAR_APPEND([hw_zeros], [" $hw_level"])])
  eval "ax_l${hw_level}_size=\${hw_value:-0}"
  AS_VAR_APPEND([hw_sizes], ["${hw_sizes:+, }L$hw_level ${hw_value:-0} ($hw_origin)"])
done
AC_MSG_NOTICE([hwconfig: cache sizes: $hw_sizes])
AS_IF([test -n "$hw_idle"], [hw_text="$hw_idle; give them"], [hw_text='configure on a quiet machine, or give them'])
AS_IF([test -n "$hw_zeros"],
  [AC_MSG_WARN([hwconfig: cache sizes that are unknown are 0, of level$hw_zeros: $hw_text, as in HW_L2_EFF_BYTES=524288])])
m4_foreach([_HW_level], [1, 2, 3],
[CPU_L[]_HW_level[]_CACHE=$ax_l[]_HW_level[]_size
M4RI_CPU_L[]_HW_level[]_CACHE=$ax_l[]_HW_level[]_size
AC_SUBST(CPU_L[]_HW_level[]_CACHE)dnl
AC_SUBST(M4RI_CPU_L[]_HW_level[]_CACHE)dnl
AC_DEFINE_UNQUOTED(CPU_L[]_HW_level[]_CACHE, $ax_l[]_HW_level[]_size, L[]_HW_level [data cache size (in bytes), 0 when unknown])
])dnl
])# HW_AX_CACHE_SIZE


# _HW_AX_EFFECTIVE
# ----------------
# hw_fn_page: hw_page becomes that of the system, or nothing.
#
# hw_fn_effective LEVEL, with hw_value its capacity and hw_origin where that came from: puts what one
# thread can hold of it in place of both. A level of BYTES and WAYS has colours, BYTES / WAYS / PAGE; of n
# pages that lie anywhere a binomial number is of one colour, and a colour with more pages than ways misses
# (SV III-A). What fits is the largest n of which no more than one in twenty is in such a colour.
AC_DEFUN([_HW_AX_EFFECTIVE],
[hw_fn_page ()
{
  hw_fn_row page_bytes
  hw_fn_known page_bytes
  hw_page=$hw_value
  test -z "$hw_page$hw_idle" || return 0
  hw_fn_reports
  hw_page=$hw_reports
}
hw_fn_fitting ()
{
  $AWK 'function over(n,  term, sum, i) {
      term = exp((n - 1) * log(1 - 1 / colours))
      for (i = 0; i < ways; i++) {
        sum += term
        term *= (n - 1 - i) / (i + 1) / (colours - 1)
      }
      return 1 - sum
    }
    BEGIN {
      bytes = ARGV@<:@1@:>@; ways = ARGV@<:@2@:>@; page = ARGV@<:@3@:>@
      colours = bytes / ways / page
      low = 1
      high = int(bytes / page)
      if (colours <= 1) low = high
      while (low < high) {
        middle = int((low + high + 1) / 2)
        if (over(middle) <= 0.05) low = middle
        else high = middle - 1
      }
      printf "%.0f\n", colours <= 1 ? bytes : low * page
    }' "$[]1" "$[]2" "$[]3"
}
hw_fn_effective ()
{
  eval "hw_bytes=\$hw_value hw_ways=\$HW_L$[]1_ASSOC hw_fits=\$HW_L$[]1_EFF_BYTES hw_seen=\$HW_L$[]1_EFF_BYTES_SRC"
  case $hw_seen in
  3) hw_value=$hw_fits hw_origin=given
    return 0 ;;
  esac
  AS_IF([test -z "$hw_ways" && test $hw_origin = reported], [
    hw_fn_row l$[]1_assoc
    hw_fn_reports
    hw_ways=$hw_reports])
  AS_IF([test -n "$hw_bytes" && test -n "$hw_ways" && test -n "$hw_page"],
    [hw_value=`hw_fn_fitting $hw_bytes $hw_ways $hw_page`
    hw_origin="fits $hw_bytes, $hw_origin"],
    [test -n "$hw_fits"], [hw_value=$hw_fits
    hw_fn_origin "$hw_seen" l$[]1_eff_bytes],
    [test $hw_origin = given], [hw_value=$hw_bytes], [hw_value=])
}
])# _HW_AX_EFFECTIVE
