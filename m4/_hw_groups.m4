# _hw_groups.m4: which processors belong together, and the ranges of values.
#
# Copyright (c) The hwconfig authors
#
# Copying and distribution of this file, with or without modification, are
# permitted in any medium without royalty provided the copyright notice and
# this notice are preserved. This file is offered as-is, without any warranty.

# _HW_GROUPS
# ----------
# hw_lists: the lists of groups that there may be, in lower case and without hw_;
# hw_cv_LIST has one as 0,1/2,3. They stand behind values, are measured and kept
# with these, and go to hwconfig.mk, hwconfig.json and hwconfig.site only: a
# preprocessor has no use for them.
#
# hw_ranges: the same of the ranges of values; hw_cv_VALUE_range has one as 429:495. What
# the range of a value in use is, hw_fn_range says.
#
# hw_fn_listed NAME is true for one of both, hw_fn_no_list NAME TEXT if that is none.
AC_DEFUN([_HW_GROUPS],
[hw_lists='m4_defn([_HW_LISTS])'
hw_ranges='m4_defn([_HW_RANGES])'
hw_fn_listed ()
{
  case " $hw_lists $hw_ranges ,$[]1" in
  *,*@<:@!a-z0-9_@:>@*) return 1 ;;
  *" $[]1 "*) return 0 ;;
  esac
  return 1
}
hw_fn_no_list ()
{
  case $[]1 in
  *_range)
    case $[]2 in
    *@<:@!0-9:@:>@* | *:*:* | :* | *: | 0@<:@0-9@:>@* | *:0@<:@0-9@:>@*) ;;
    *:*) return 1 ;;
    esac
    hw_why='not a range, as 429:495'
    return 0 ;;
  esac
  case /$[]2/ in
  *@<:@!0-9,/@:>@* | *@<:@,/@:>@@<:@,/@:>@*)
    hw_why='not a list of groups of processors, as 0,1/2,3'
    return 0 ;;
  esac
  return 1
}
# hw_fn_lists FILE takes those that the probes have printed.
hw_fn_lists ()
{
  while read -r hw_name hw_mark hw_text; do
    case $hw_name in
    HW_*_GROUPS) ;;
    *) continue ;;
    esac
    hw_name=`AS_ECHO(["${hw_name@%:@HW_}"]) | tr 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' 'abcdefghijklmnopqrstuvwxyz'`
    hw_text=`AS_ECHO(["$hw_text"]) | tr ' ' '/'`
    if hw_fn_listed "$hw_name" && { hw_fn_no_list "$hw_name" "$hw_text" || eval "hw_cv_$hw_name=\$hw_text"; }; then :; fi
  done <"$[]1"
}
# hw_fn_range VALUE: of the row last looked up, whose value was just found, its range goes into MACRO_RANGE and
# hw_result. One that does not hold the value is dropped. A value that is given has none.
hw_fn_range ()
{
  hw_from=cv
  case $hw_value,$hw_result in
  ,* | *,*'(given'*) hw_from=none ;;
  *'(profile)') hw_from=profile ;;
  esac
  eval "hw_range=\$hw_${hw_from}_$[]1_range"
  AS_IF([test -n "$hw_range"], [
    AS_IF([hw_fn_above ${hw_range%:*} $hw_value || hw_fn_above $hw_value ${hw_range@%:@*:}], [
      AS_VAR_APPEND([hw_warnings], ["$hw_macro=$hw_value: not within its range $hw_range, which is dropped
"])
      hw_range=
      eval "hw_${hw_from}_$[]1_range="],
    [hw_result=${hw_result%%"$hw_value"*}$hw_value" (${hw_range%:*} to ${hw_range@%:@*:})"${hw_result@%:@*"$hw_value"}])])
  eval "${hw_macro}_RANGE=\$hw_range"
}
for hw_list in $hw_lists $hw_ranges; do
  eval "hw_value=\$hw_cv_$hw_list"
  AS_IF([test -n "$hw_value" && hw_fn_no_list $hw_list "$hw_value"],
    [AC_MSG_ERROR([hw_cv_$hw_list=$hw_value: $hw_why], 2)])
  eval "hw_profile_$hw_list="
done
])# _HW_GROUPS


# _HW_GROUPS_TEXTS
# ----------------
# Adds them to the texts of the files, and to the arguments of --recheck.
AC_DEFUN([_HW_GROUPS_TEXTS],
[hw_listed=
for hw_list in $hw_lists; do
  eval "hw_value=\$hw_cv_$hw_list hw_profile=\$hw_profile_$hw_list"
  test -n "$hw_value" || hw_value=$hw_profile
  test -n "$hw_value" || continue
  hw_named=`AS_ECHO(["$hw_list"]) | tr 'abcdefghijklmnopqrstuvwxyz' 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'`
  hw_words=`AS_ECHO(["$hw_value"]) | tr '/' ' '`
  AS_VAR_APPEND([hw_text_mk], ["$with_hw_prefix$hw_named = $hw_words$hw_nl"])
  AS_VAR_APPEND([hw_text_site], ["hw_cv_$hw_list=$hw_value$hw_nl"])
  hw_words=`AS_ECHO(["$hw_value"]) | sed 's/,/, /g;s,/,@:>@\, @<:@,g'`
  AS_VAR_APPEND([hw_text_json], ["${hw_text_json:+,}$hw_nl  \"HW_$hw_named\": @<:@@<:@$hw_words@:>@@:>@"])
  AS_VAR_APPEND([hw_listed], [" 'hw_cv_$hw_list=$hw_value'"])
done
])# _HW_GROUPS_TEXTS
