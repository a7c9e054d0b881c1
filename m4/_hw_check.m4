# _hw_check.m4: the check of a parameter.
#
# Copyright (c) The hwconfig authors
#
# Copying and distribution of this file, with or without modification, are
# permitted in any medium without royalty provided the copyright notice and
# this notice are preserved. This file is offered as-is, without any warranty.

# _HW_CHECK([GROUP...], [ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
# -------------------------------------------------------------
# Checks the rows of these groups, separated by blanks, or all.
m4_define([_HW_CHECK],
[_HW_CHECK_ROWS(_HW_LIST([$1]))
m4_ifval([$2$3], [AS_IF([test $hw_all = yes], [$2], [$3])])
])# _HW_CHECK


# _HW_CHECK_ROWS(ROW...)
# ----------------------
# Checks these, separated by blanks, as far as they are asked for. hw_all is then
# yes or no.
m4_define([_HW_CHECK_ROWS],
[hw_all=yes hw_again=
hw_fn_disclaim
hw_fn_plan $1
hw_fn_resume
for hw_row in $hw_plan; do
  hw_fn_row $hw_row
  test -z "$hw_model" || hw_fn_again
  hw_fn_check $hw_row
  hw_fn_wanted $hw_row && AS_VAR_APPEND([hw_checked], [" $hw_row"])
done
hw_fn_again
for hw_row in $hw_plan; do
  hw_fn_row $hw_row
  eval "hw_value=\$$hw_macro"
  test -n "$hw_value" || ! hw_fn_wanted $hw_row || hw_all=no
done
hw_fn_close
hw_fn_claims
hw_fn_pause])


# _HW_LIST([GROUP...])
# --------------------
# The rows of these groups, or all, on one line.
m4_define([_HW_LIST],
[m4_ifval([$1], [m4_foreach_w([_HW_group], [$1], [_HW_GROUP_ROWS(_HW_group) ])], [m4_defn([_HW_ROWS])])])


# _HW_GROUP_ROWS(GROUP)
# ---------------------
m4_define([_HW_GROUP_ROWS],
[m4_ifdef([_HW_ROWS($1)], [m4_defn([_HW_ROWS($1)])],
  [m4_fatal([no parameter of the registry is in the group $1])])])


# _HW_CHECK_ROW
# -------------
# hw_fn_check VALUE finds the value where it has the highest rank: given, in
# the cache, in the profile, measured. It sets hw_value, the variable named
# after the macro, and that name with _SRC, which is empty when the value is.
#
# hw_fn_known VALUE is the part of it that measures nothing. It leaves
# hw_result empty when the value is to be measured. An unknown in the cache is
# one that this run would not measure either.
#
# hw_fn_never VALUE: whether nothing measures it; hw_why tells why.
#
# hw_fn_none VALUE: whether it is of something that there is none of here, by the
# counts that are known, as of a fourth layer where there are two; or on any machine.
# Where layers of processors are not known there are fewer of them than processors,
# and two pairs take four.
#
# Only what was measured goes to the cache: what a model computes is computed
# again each time, from the values of that time. hw_cv_VALUE_src says that it was,
# 5 by this configure and 7 by an earlier one, or in which manner an unknown was tried, and hw_cv_VALUE_why why that is all. MACRO_WHY
# has the reason for hwconfig.json.
AC_DEFUN([_HW_CHECK_ROW],
[hw_fn_known ()
{
  eval "hw_given=\$hw_given_$[]1 hw_cached=\$hw_cv_$[]1 hw_origin=\$hw_cv_$[]1_src hw_profile=\$hw_profile_$[]1"
  case $hw_cached in
  unknown)
    hw_cached=
    test "x$hw_origin" != "x$hw_manner" || hw_cached=unknown ;;
  esac
  hw_value= hw_src= hw_result=
  AS_IF(
  [test -n "$hw_given"], [
    hw_value=$hw_given hw_src=3 hw_result="$hw_given (given)"
    case $ac_configure_args in
    *"$hw_macro="*) ;;
    *) hw_result="$hw_given (given in the environment)" ;;
    esac],
  [test -n "$hw_cached" && test "$hw_cached" != unknown], [
    hw_value=$hw_cached hw_src=2 hw_result="(cached) $hw_cached"
    case $hw_origin in
    7) hw_src=5 ;;
    @<:@45@:>@) hw_src=$hw_origin ;;
    esac],
  [test -n "$hw_profile"], [
    hw_value=$hw_profile hw_src=2 hw_result="$hw_profile (profile)"],
  [hw_fn_never $[]1], [hw_result="unknown ($hw_why)"],
  [test -n "$hw_cached"], [hw_result="(cached) unknown"],
  [test -n "$hw_idle" && test -z "$hw_model"], [hw_result="unknown (not measured)"],
  [test "$hw_brief,$hw_effort_brief,$hw_wanted" = yes,true,], [hw_result="unknown (a quick run leaves it out)"])
}
hw_fn_never ()
{
  case $[]1 in
m4_defn([_HW_NEVERS])dnl
  *) return 1 ;;
  esac
}
hw_fn_none ()
{
  ! hw_fn_never $[]1 || return 0
  hw_most=
  case $[]1 in
  l@<:@23@:>@_*) hw_there=$HW_CACHE_LEVELS hw_rank=${1@%:@l} ;;
  tlb2_*) hw_there=$HW_TLB_LEVELS hw_rank=2 ;;
  comm@<:@1-4@:>@_*) hw_there=$HW_COMM_LAYERS hw_rank=${1@%:@comm} hw_most=$HW_CPUS ;;
  mem_group@<:@1-4@:>@_*) hw_there=$HW_MEM_GROUPS hw_rank=${1@%:@mem_group} hw_most=$HW_CPUS ;;
  mpi*)
    test "x$with_hw_mpi" != xno || return 0
    hw_there=$HW_MPI_LAYERS hw_rank=${1@%:@mpi} ;;
  *) return 1 ;;
  esac
  case $hw_rank,$hw_most in
  @<:@1-4@:>@_slowdown*,@<:@1-3@:>@) return 0 ;;
  esac
  case $hw_there,$hw_most,$hw_rank in
  ?*,*,@<:@1-4@:>@_*) test "${hw_rank%%_*}" -gt "$hw_there" ;;
  ,?*,*) test "${hw_rank%%_*}" -ge "$hw_most" ;;
  *) return 1 ;;
  esac
}
hw_fn_check ()
{
  hw_fn_row $[]1
  test "x$hw_opened" = "x${hw_on_line:-$[]1}" || hw_fn_close
  hw_fn_row $[]1
  hw_fn_known $[]1
  AS_IF(
  [test -n "$hw_result"], [],
  [test -n "$hw_model"], [hw_fn_model $[]1],
  [test -z "$hw_built"], [hw_fn_build $[]1])
  test -z "$hw_result" || hw_fn_row $[]1
  hw_fn_wanted $[]1 && hw_fn_open $[]1
  hw_reports=
  AS_IF([test -z "$hw_result"], [
    hw_fn_measure $[]1
    hw_fn_reported
    AS_IF([test -n "$hw_value"], [
      hw_src=5 hw_result=$hw_value
      eval "hw_cv_$[]1=\$hw_value hw_cv_$[]1_src=5"
    ], [
      hw_result="unknown ($hw_why)"
      eval "hw_cv_$[]1=unknown hw_cv_$[]1_src=\$hw_manner hw_cv_$[]1_why=\$hw_why"])
    case $hw_kind,$hw_range in
    exact,*) ;;
    *, | *,*@<:@!0-9:@:>@*) eval "test -z \"\$hw_cv_$[]1_range\" || hw_cv_$[]1_range=" ;;
    *) eval "hw_cv_$[]1_range=\$hw_range" ;;
    esac])
  test $hw_kind = exact || hw_fn_range $[]1
  test -n "$hw_value" || hw_fn_reason $[]1
  AS_IF([test -z "$hw_value" && hw_fn_none $[]1], [
    case $hw_result in
    "unknown (not measured)") hw_result=none ;;
    *unknown*) hw_result=${hw_result%%unknown*}none${hw_result@%:@*unknown} ;;
    esac])
  AS_IF([hw_fn_wanted $[]1], [
    AS_ECHO(["checking $hw_title ($hw_unit)... $hw_result${hw_reports:+ (reported $hw_reports)}"]) >&AS_MESSAGE_LOG_FD
    eval "hw_result_$[]1=\$hw_result hw_reports_$[]1=\$hw_reports"
    case $hw_reports,$hw_value in
    ,* | *, | "$hw_value,$hw_value") ;;
    *) AS_VAR_APPEND([hw_warnings], ["$hw_title ($hw_unit): measured $hw_value, the system reports $hw_reports; the measured one stands
"]) ;;
    esac],
    [hw_fn_log "$hw_title ($hw_unit), which others need: $hw_result"])
  eval "$hw_macro=\$hw_value ${hw_macro}_SRC=\$hw_src"
}
# hw_fn_origin SRC VALUE: hw_origin, in words. What was measured and recalled is 5 as well, so that the
# header stays as it is when configure recalls what it has measured.
hw_fn_origin ()
{
  eval "hw_cached=\$hw_cv_$[]2_src"
  case $[]1,$hw_cached in
  5,7) hw_origin=recalled
    return ;;
  esac
  case $[]1 in
  '') hw_origin=unknown ;;
  2) hw_origin=profile ;;
  3) hw_origin=given ;;
  4) hw_origin=derived ;;
  6) hw_origin=reported ;;
  *) hw_origin=measured ;;
  esac
}
# Without what ends a text in a shell, in JSON or among those of config.status --recheck.
hw_fn_reason ()
{
  case $hw_result in
  '(cached) unknown') eval "hw_why=\$hw_cv_$[]1_why" ;;
  'unknown (not measured)') hw_why= ;;
  'unknown (a quick run leaves it out)') hw_why='a quick run leaves it out' ;;
  esac
  case $hw_why in
  *\'* | *\"* | *\\* | *'|'*) hw_why=`AS_ECHO(["$hw_why"]) | tr -d '\042\047\134\174'` ;;
  esac
  eval "${hw_macro}_WHY=\${hw_why:-not measured}"
}
# What the system claims is shown beside what was measured.
hw_fn_reported ()
{
  hw_fn_reports
  test -z "$hw_reports" || hw_result="$hw_value (reported $hw_reports)"
}
# hw_reports: that of the row last looked up, or nothing.
hw_fn_reports ()
{
  hw_reports=
  test $hw_reported = none || hw_reports=`getconf $hw_reported 2>/dev/null`
  case $hw_reports in
  0* | *@<:@!0-9@:>@*) hw_reports= ;;
  esac
}
])# _HW_CHECK_ROW
