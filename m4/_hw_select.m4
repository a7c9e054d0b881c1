# _hw_select.m4: which parameters are asked for, and in which order.
#
# Copyright (c) The hwconfig authors
#
# Copying and distribution of this file, with or without modification, are
# permitted in any medium without royalty provided the copyright notice and
# this notice are preserved. This file is offered as-is, without any warranty.

# _HW_SELECT
# ----------
# hw_wanted: the rows that the option names, and those that are given; empty when
# all are asked for. hw_named: those of them that were not named by their group.
# hw_needed: the rows that are wanted, and those that derived ones of them read:
# these are measured too, and go to the caches and to the profile only.
#
# hw_fn_wanted VALUE and hw_fn_needed VALUE: whether it is.
AC_DEFUN([_HW_SELECT],
[AC_ARG_WITH([hw-rows],
  [AS_HELP_STRING([--with-hw-rows=LIST],
    [measure and define these groups and macros only, as L1,TLB,NR_F64 @<:@]m4_ifdef([_HW_VENDORED], [_HW_VENDORED], [all])[@:>@])],
  [], [with_hw_rows=all])
hw_wanted= hw_named= hw_needed= hw_plan=
hw_fn_wanted ()
{
  case ",$hw_wanted " in
  ', ' | *" $[]1 "*) return 0 ;;
  esac
  return 1
}
hw_fn_needed ()
{
  case ",$hw_needed " in
  ', ' | *" $[]1 "*) return 0 ;;
  esac
  return 1
}
# Rows of a group, or the row of a macro, with or without HW_.
hw_fn_pick ()
{
  hw_fn_group $[]1
  AS_VAR_APPEND([hw_wanted], [" $hw_group"])
  test -z "$hw_group" || return 0
  hw_row=`AS_ECHO(["$[]1"]) | tr 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' 'abcdefghijklmnopqrstuvwxyz'`
  AS_IF([hw_fn_named "$hw_row" && test "$hw_macro" = "HW_$[]1"], [
    AS_VAR_APPEND([hw_wanted], [" $hw_row"])
    AS_VAR_APPEND([hw_named], [" $hw_row"])
    return 0])
  hw_macros=$hw_groups
  for hw_row in $hw_rows; do
    hw_fn_row $hw_row
    AS_VAR_APPEND([hw_macros], [" ${hw_macro@%:@HW_}"])
  done
  hw_fn_hint "$[]1" "$hw_macros"
  AC_MSG_ERROR([--with-hw-rows=$with_hw_rows: $hw_item: no such group or macro$hw_near], 2)
}
m4_ifdef([_HW_VENDORED], [dnl A copy for some rows has no probes of others.
for hw_item in _HW_VENDORED; do
  hw_fn_pick "${hw_item@%:@HW_}"
done
hw_there=$hw_wanted hw_wanted= hw_named=
test "x$with_hw_rows" != xall || with_hw_rows='_HW_VENDORED'
])dnl
case $with_hw_rows in
all) ;;
yes | no | *[[!A-Za-z0-9_,\ ]]*) hw_bad=yes ;;
*[[A-Z]]*)
  for hw_item in `AS_ECHO(["$with_hw_rows"]) | tr ',' ' '`; do
    hw_fn_pick "${hw_item@%:@HW_}"
  done
m4_ifdef([_HW_VENDORED], [  for hw_row in $hw_wanted; do
    hw_fn_row $hw_row
    case "$hw_there " in
    *" $hw_row "*) ;;
    *) AC_MSG_ERROR([--with-hw-rows=$with_hw_rows: $hw_macro is not in this copy of hwconfig, which has _HW_VENDORED (make vendor ROWS=...)], 2) ;;
    esac
  done
])dnl
  for hw_row in $hw_rows; do
    eval "hw_given=\$hw_given_$hw_row"
    test -z "$hw_given" || AS_VAR_APPEND([hw_wanted], [" $hw_row"])
  done ;;
*) hw_bad=yes ;;
esac
AS_IF([test $hw_bad = yes],
  [AC_MSG_ERROR([--with-hw-rows=$with_hw_rows: not a list of groups and macros, as L1,TLB,NR_F64], 2)])

# hw_fn_plan VALUE...: hw_plan becomes those of them that are wanted, in the order in which they are to be
# checked, and hw_all no where one is not. They come by the stages of the table, which are by need; within
# a stage what programs rely on comes first, then what was named. With a row come the others of its line
# of the terminal. Derived ones come last, since a model is asked once; what they read is planned too,
# wanted or not.
hw_fn_plan ()
{
  hw_plan=' ' hw_here=' ' hw_among=" $[]* "
  for hw_stage in $hw_stages; do
    eval "hw_first_$hw_stage= hw_later_$hw_stage= hw_last_$hw_stage="
  done
  for hw_row; do
    AS_IF([hw_fn_wanted $hw_row], [hw_fn_plan_row $hw_row], [hw_all=no])
  done
  for hw_stage in $hw_stages; do
    eval "hw_ranked=\"\$hw_first_$hw_stage \$hw_later_$hw_stage \$hw_last_$hw_stage\""
    for hw_row in $hw_ranked; do
      hw_fn_plan_line $hw_row
    done
  done
}
# hw_here: those that are planned; hw_first_STAGE and so on: in which order.
hw_fn_plan_row ()
{
  case $hw_here in
  *" $[]1 "*) return ;;
  esac
  AS_VAR_APPEND([hw_here], ["$[]1 "])
  hw_fn_row $[]1
  for hw_read in $hw_reads; do
    case $hw_wanted,$hw_among in
    ?*,* | ,*" $hw_read "*) hw_fn_plan_row $hw_read ;;
    esac
  done
  hw_fn_row $[]1
  case $hw_star,\ $hw_named\  in
  yes,*) AS_VAR_APPEND([hw_first_$hw_stage], [" $[]1"]) ;;
  *\ $[]1\ *) AS_VAR_APPEND([hw_later_$hw_stage], [" $[]1"]) ;;
  *) AS_VAR_APPEND([hw_last_$hw_stage], [" $[]1"]) ;;
  esac
}
hw_fn_plan_line ()
{
  hw_fn_row $[]1
  hw_beside=$[]1
  test -z "$hw_on_line" || test -n "$hw_model" || eval "hw_beside=\$hw_line_rows_$hw_on_line"
  for hw_row in $hw_beside; do
    case $hw_plan,$hw_here in
    *" $hw_row "*,*) ;;
    *,*" $hw_row "*) AS_VAR_APPEND([hw_plan], ["$hw_row "]) ;;
    esac
  done
}
AS_IF([test -n "$hw_wanted"], [
  hw_fn_plan $hw_wanted
  hw_needed=$hw_plan])
])# _HW_SELECT


# _HW_UNWANTED
# ------------
# Forgets, when all is written down, what was measured for others only.
AC_DEFUN([_HW_UNWANTED],
[for hw_row in $hw_rows; do
  hw_fn_wanted $hw_row && continue
  hw_fn_row $hw_row
  eval "$hw_macro= ${hw_macro}_SRC="
done
])# _HW_UNWANTED
