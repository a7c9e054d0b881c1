# _hw_table.m4: the registry as shell, and the checks of what is given.
#
# Copyright (c) The hwconfig authors
#
# Copying and distribution of this file, with or without modification, are
# permitted in any medium without royalty provided the copyright notice and
# this notice are preserved. This file is offered as-is, without any warranty.

# _HW_SHELL_TABLE
# ---------------
# hw_fn_row VALUE sets hw_macro, hw_probe, hw_batch, hw_unit, hw_low, hw_high,
# hw_reported, hw_paper and hw_title to the fields of its row, hw_only to json
# where hwconfig.json alone has it, hw_kind to exact, cycles or range, hw_model to the model that the value follows
# from, or nothing where it is measured, with hw_reads, what that reads; hw_on_line to
# the number of its line of the terminal, or nothing; hw_star to
# yes where programs rely on it, since it has a default; hw_stage to the number of the stage in which it is
# measured, or to model; hw_brief to yes where a brief run leaves it out; hw_within to the parts of
# the program that measure it, beside those always there. hw_fn_group GROUP sets
# hw_group to its rows, or to nothing. hw_fn_named VALUE is the same for a name
# that comes from outside, and is false when there is no such row.
# hw_fn_illegal NUMBER is true when the row cannot have that number; hw_why
# then tells why. hw_fn_siblings BATCH sets hw_siblings to the values of that
# batch, hw_fn_stage STAGE hw_batches to those of a stage. A function a row is found at once, where a case with hundreds of
# patterns is not; loops over names elsewhere keep configure short.
AC_DEFUN([_HW_SHELL_TABLE],
[hw_rows='_HW_ROWS'
hw_return=`echo . | tr . '\015'`
m4_map([_HW_SHELL_ROW], m4_defn([_HW_TABLE]))dnl
hw_fn_row ()
{
  hw_fn_row_$[]1
}
hw_fn_named ()
{
  case " $hw_rows ,$[]1" in
  *,*@<:@!a-z0-9_@:>@*) return 1 ;;
  *" $[]1 "*) hw_fn_row "$[]1" ;;
  *) return 1 ;;
  esac
}
hw_groups='m4_defn([_HW_GROUP_NAMES])'
hw_fn_group ()
{
  case $[]1 in
m4_foreach_w([_HW_group], m4_defn([_HW_GROUP_NAMES]), [  _HW_group[) hw_group=']m4_defn([_HW_ROWS(]_HW_group[)])[' ;;]
])dnl
  *) hw_group= ;;
  esac
}
hw_fn_siblings ()
{
  case $[]1 in
m4_foreach_w([_HW_batch], m4_defn([_HW_BATCH_NAMES]), [  _HW_batch[) hw_siblings=']m4_defn([_HW_BATCH_ROWS(]_HW_batch[)])[' ;;]
])dnl
  esac
}
hw_stages='m4_defn([_HW_STAGES]) model'
hw_fn_stage ()
{
  case $[]1 in
m4_foreach_w([_HW_stage], m4_defn([_HW_STAGES]), [  _HW_stage[) hw_batches=']m4_defn([_HW_STAGE_BATCHES(]_HW_stage[)])[' ;;]
])dnl
  esac
}
# hw_fn_above A B: whether A is larger, of whole numbers in decimal of any length. A shell may count to 2^31
# only.
hw_fn_above ()
{
  AS_IF([test ${@%:@1} -ne ${@%:@2}], [test ${@%:@1} -gt ${@%:@2}],
    [test ${@%:@1} -lt 10], [test $[]1 -gt $[]2],
    [expr "x$[]1" '>' "x$[]2" >/dev/null])
}
hw_fn_illegal ()
{
  hw_number=$[]1
  case $hw_number in
  *"$hw_return")
    hw_why='a carriage return is at its end'
    return 0 ;;
  '' | 0?* | *[[!0-9]]*)
    hw_why='not a whole number in decimal'
    return 0 ;;
  esac
  if hw_fn_above $hw_low $hw_number || hw_fn_above $hw_number $hw_high; then
    hw_why="out of range, $hw_low to $hw_high $hw_unit"
    test "$hw_unit" != 0/1 || hw_why='neither 0 nor 1'
    return 0
  fi
  return 1
}
m4_map([_HW_SUBST_ROW], m4_defn([_HW_TABLE]))dnl
_HW_ARG_VAR([HW_L1_BYTES], [L1 data cache capacity (bytes); there is one of these for each row of the manual, hwconfig.h(3)])dnl
])# _HW_SHELL_TABLE


# _HW_SHELL_ROW(FIELD...)
# -----------------------
m4_define([_HW_SHELL_ROW],
[hw_fn_row_$3 ()
{
  hw_macro=HW_$1 hw_probe=$2 hw_model=m4_ifdef([_HW_MODEL($2)], [$2]) hw_batch=_HW_BATCH([$2])
  hw_unit='$4' hw_low=$5 hw_high=$6 hw_reported=$8
  hw_kind=m4_ifdef([_HW_KIND($3)], [m4_defn([_HW_KIND($3)])], [exact])
  hw_only=m4_if([$7], [json], [json]) hw_star=m4_bmatch([$7], [^[0-9]+$], [yes])
  hw_depends='m4_ifdef([_HW_DEPENDS($3)], [m4_defn([_HW_DEPENDS($3)])], [m4_defn([_HW_DEPENDS($2)])])'
  hw_stage=m4_ifdef([_HW_MODEL($2)], [model], [m4_defn([_HW_STAGE($2)])]) hw_brief=m4_ifdef([_HW_BRIEF($2)], [yes])
  hw_on_line=m4_ifdef([_HW_LINE_OF($3)], [m4_defn([_HW_LINE_OF($3)])])
  hw_reads='m4_ifdef([_HW_READS($3)], [m4_defn([_HW_READS($3)])])'
  hw_within='m4_join([ ], m4_unquote(m4_split(m4_normalize(_HW_WITHIN([$2])))))'
  hw_paper='m4_if([$9], [none], [], [$9])' hw_title='m4_argn([10], $@)'
}
])# _HW_SHELL_ROW


# _HW_WITHIN(PROBE)
# -----------------
# Each part once.
m4_define([_HW_WITHIN],
[m4_ifdef([_HW_MODEL($1)], [], [m4_foreach([_HW_part], [core, memory, system],
  [m4_if(m4_index([ ]m4_defn([_HW_PARTS($1)])[ ], [ ]_HW_part[ ]), [-1], [], [_HW_part ])])])])


# _HW_SUBST_ROW(FIELD...)
# -----------------------
m4_define([_HW_SUBST_ROW],
[AC_SUBST([HW_$1])AC_SUBST([HW_$1_SRC])dnl
])# _HW_SUBST_ROW


# _HW_ARG_VAR(VARIABLE, TEXT)
# ---------------------------
# One that configure --help shows, for all: hundreds of them hide the options.
# Autoconf's list of precious ones is left out on purpose: it refuses a cache
# that was written without the variable, such as the cache of a parent package,
# while here a value that is given is simply stronger than the cache. What the
# list is for, that config.status --recheck repeats the value, _HW_ARGUMENTS
# does.
m4_define([_HW_ARG_VAR],
[m4_pushdef([_AC_ARG_VAR_PRECIOUS])dnl
AC_ARG_VAR([$1], [$2])dnl
m4_popdef([_AC_ARG_VAR_PRECIOUS])dnl
])# _HW_ARG_VAR


# _HW_GIVEN
# ---------
# Moves the variables that are given to hw_given_VALUE. An empty one is one
# that is not given.
AC_DEFUN([_HW_GIVEN],
[for hw_row in $hw_rows; do
  hw_fn_row $hw_row
  eval "hw_given_$hw_row=\$$hw_macro hw_given=\$$hw_macro $hw_macro= ${hw_macro}_SRC= ${hw_macro}_RANGE="
  AS_IF([test -n "$hw_given" && hw_fn_illegal "$hw_given"],
    [AC_MSG_ERROR([$hw_macro=$hw_given: $hw_why], 2)])
done
])# _HW_GIVEN


# _HW_STRAY
# ---------
# Arguments HW_NAME=VALUE and hw_cv_NAME=VALUE that name no row, and options
# --with-hw-NAME and --enable-hw-NAME that there are not: below another package,
# whose configure hands all that it is given down, no other package says so. Other
# packages may have names of their own that begin so: only what is near to one of
# ours is meant for us.
AC_DEFUN([_HW_STRAY],
[hw_fn_stray ()
{
  hw_macros=
  for hw_argument; do
    case $hw_argument in
    hw_cv_fingerprint=* | hw_cv_processors=*) continue ;;
    hw_cv_*_groups=* | hw_cv_*_range=*)
      hw_name=${hw_argument%%=*}
      hw_fn_listed "${hw_name@%:@hw_cv_}" && continue ;;
    hw_cv_values=*) continue ;;
    HW_*=* | hw_cv_*=*) ;;
    *) continue ;;
    esac
    AS_IF([test -z "$hw_macros"], [
      for hw_row in $hw_rows; do
        hw_fn_row $hw_row
        AS_VAR_APPEND([hw_macros], [" $hw_macro hw_cv_$hw_row"])
      done])
    hw_name=${hw_argument%%=*}
    hw_near=${hw_name%_src}
    case "$hw_macros " in
    *" ${hw_near%_why} "*) continue ;;
    esac
    hw_fn_hint "$hw_name" "$hw_macros"
    AS_IF([test -z "$hw_near"], [],
      [test -n "$hw_parent"],
      [AC_MSG_WARN([$hw_name: hwconfig has no such parameter$hw_near])],
      [AC_MSG_ERROR([$hw_name: no such parameter$hw_near], 2)])
  done
}
# hw_near: the nearest of some names, for a message.
hw_fn_hint ()
{
  hw_near=
  AS_IF([test -r "$hw_dir/probes/near.sh"], [
    . "$hw_dir/probes/near.sh"
    hw_near=`AS_ECHO(["$[]2"]) | tr ' ' '\n' | sed '/^$/d' | hw_fn_near "$[]1"`])
}
# hw_fn_stray_option OPTION, without its value.
hw_fn_stray_option ()
{
  hw_fn_hint "${1@%:@--*-hw-}" "`AS_ECHO(["$ac_user_opts"]) | sed -n 's/^.*_hw_//p' | tr '\n' ' '`"
  test -n "$hw_near" || return 0
  hw_name=${hw_near@%:@* mean }
  case $[]1,$ac_user_opts in
  *,*with_hw_${hw_name%\?}*) hw_name=--with-hw-$hw_name ;;
  --disable-*) hw_name=--disable-hw-$hw_name ;;
  *) hw_name=--enable-hw-$hw_name ;;
  esac
  AC_MSG_ERROR([$[]1: no such option; did you mean $hw_name], 2)
}
hw_parent=m4_ifset([_HW_DIR], [yes])[]m4_ifdef([_HW_DATADIR], [yes])
AS_IF([test -z "$hw_parent"], [
  for hw_option in `AS_ECHO(["$ac_unrecognized_opts"]) | tr ',' ' '`; do
    case $hw_option in
    --with-hw-* | --without-hw-* | --enable-hw-* | --disable-hw-*) hw_fn_stray_option $hw_option ;;
    esac
  done])
eval "hw_fn_stray $ac_configure_args"
])# _HW_STRAY


# _HW_CACHED
# ----------
# Whatever stands in a cache variable, from the command line, a site file or
# a cache, is a number in range or the word unknown. A fingerprint goes into
# the files that are written, and so may hold nothing that means anything to
# a shell.
#
# config.status --recheck gives them as NAME=VALUE|NAME=VALUE... in hw_cv_values.
AC_DEFUN([_HW_CACHED],
[hw_save_IFS=$IFS
set -f
IFS='|'
for hw_text in $hw_cv_values; do
  IFS=$hw_save_IFS
  hw_name=${hw_text%%=*}
  case $hw_name in
  '' | *[[!a-z0-9_]]*) continue ;;
  esac
  eval "hw_cv_$hw_name=\${hw_text@%:@*=}"
done
IFS=$hw_save_IFS
set +f
unset hw_cv_values
case $hw_cv_fingerprint in
*[[!0-9A-Za-z.,=+_-]]*)
  AC_MSG_ERROR([hw_cv_fingerprint=$hw_cv_fingerprint: not a fingerprint], 2) ;;
esac
case $hw_cv_processors in
*[[!0-9a-z,_-]]*)
  AC_MSG_ERROR([hw_cv_processors=$hw_cv_processors: not a set of processors], 2) ;;
esac
for hw_row in $hw_rows; do
  eval "hw_cached=\$hw_cv_$hw_row"
  case $hw_cached in
  '' | unknown) continue ;;
  esac
  hw_fn_row $hw_row
  AS_IF([hw_fn_illegal "$hw_cached"],
    [AC_MSG_ERROR([hw_cv_$hw_row=$hw_cached: $hw_why], 2)])
done
])# _HW_CACHED


# _HW_PROFILE
# -----------
# Reads the profile, line by line rather than as shell, to hw_profile_VALUE,
# hw_profile_fingerprint and hw_profile_processors.
AC_DEFUN([_HW_PROFILE],
[hw_profile_fingerprint= hw_profile_processors=
for hw_row in $hw_rows; do
  eval "hw_profile_$hw_row="
done
AS_IF([test -n "$with_hw_profile"], [
  AS_IF([test -f "$with_hw_profile" && test -r "$with_hw_profile"], [],
    [AC_MSG_ERROR([--with-hw-profile=$with_hw_profile: no such file (a parent package needs its absolute name)], 2)])
  # What read drops, or a terminal does not show.
  AS_IF([tr -d '\000\015' <"$with_hw_profile" | cmp - "$with_hw_profile" >/dev/null 2>&1], [],
    [AC_MSG_ERROR([$with_hw_profile: a NUL or a carriage return is in it], 2)])
  hw_line=0
  hw_known=0
  while read -r hw_text || test -n "$hw_text"; do
    AS_VAR_ARITH([hw_line], [$hw_line + 1])
    hw_here=$with_hw_profile:$hw_line
    case $hw_text in
    '' | '@%:@'*) continue ;;
    hw_cv_*=*) ;;
    *) AC_MSG_ERROR([$hw_here: not hw_cv_NAME=VALUE: $hw_text], 2) ;;
    esac
    hw_name=${hw_text%%=*}
    hw_name=${hw_name@%:@hw_cv_}
    hw_value=${hw_text@%:@*=}
    case $hw_name in
    fingerprint)
      case $hw_value in
      '' | *[[!0-9A-Za-z.,=+_-]]*)
        AC_MSG_ERROR([$hw_here: not a fingerprint: $hw_value], 2) ;;
      esac
      hw_profile_fingerprint=$hw_value
      continue ;;
    processors)
      case $hw_value in
      '' | *[[!0-9a-z,_-]]*)
        AC_MSG_ERROR([$hw_here: not a set of processors: $hw_value], 2) ;;
      esac
      hw_profile_processors=$hw_value
      continue ;;
    esac
    AS_IF([hw_fn_listed "$hw_name"], [
      AS_IF([hw_fn_no_list $hw_name "$hw_value"],
        [AC_MSG_ERROR([$hw_here: hw_cv_$hw_name=$hw_value: $hw_why], 2)])
      eval "hw_profile_$hw_name=\$hw_value"
      continue])
    AS_IF([hw_fn_named "$hw_name"], [],
      [hw_fn_hint "hw_cv_$hw_name" "`AS_ECHO([" $hw_rows"]) | sed 's/ / hw_cv_/g'`"
      AC_MSG_ERROR([$hw_here: unknown name hw_cv_$hw_name$hw_near], 2)])
    AS_IF([hw_fn_illegal "$hw_value"],
      [AC_MSG_ERROR([$hw_here: hw_cv_$hw_name=$hw_value: $hw_why], 2)])
    eval "hw_profile_$hw_name=\$hw_value"
    hw_known=1
  done <"$with_hw_profile"
  AS_IF([test $hw_known = 0], [AC_MSG_ERROR([$with_hw_profile: no value is in that profile], 2)])
])
])# _HW_PROFILE
