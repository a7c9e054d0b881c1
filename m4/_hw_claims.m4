# _hw_claims.m4: what the system reports, where nothing could be measured.
#
# Copyright (c) The hwconfig authors
#
# Copying and distribution of this file, with or without modification, are
# permitted in any medium without royalty provided the copyright notice and
# this notice are preserved. This file is offered as-is, without any warranty.

# _HW_CLAIM
# ---------
# hw_fn_claims puts in place of the rows of HW_REPORTED that were checked and are
# unknown what the system reports, where nothing that is known contradicts that.
# hw_fn_disclaim takes them away again, so that nothing is computed from them and
# what comes to be known is not held against them: they go neither to a cache nor
# into a profile, nor among the arguments of --recheck, which asks again.
#
# Nothing is asked where nothing may be run: what this machine reports is not of
# the one that will run the program, or must not go into what is built.
AC_DEFUN([_HW_CLAIM],
[hw_fn_disclaim ()
{
  for hw_name in _HW_CLAIMED HAVE_L1 HAVE_L2; do
    eval "hw_src=\$HW_${hw_name}_SRC"
    test "x$hw_src" != x6 || eval "HW_$hw_name= HW_${hw_name}_SRC="
  done
}
hw_fn_claims ()
{
  test -z "$hw_idle" && test $with_hw_unknown != strict || return 0
m4_defn([_HW_CLAIMS])dnl
  for hw_level in 1 2; do
    eval "hw_src=\$HW_L${hw_level}_BYTES_SRC hw_have=\$HW_HAVE_L$hw_level"
    case $hw_src,$hw_have,\ $hw_checked\  in
    6,,*\ have_l$hw_level\ *) eval "HW_HAVE_L$hw_level=1 HW_HAVE_L${hw_level}_SRC=6" ;;
    esac
  done
}
# hw_fn_claim VALUE EFFECTIVE NEXT, as HW_REPORTED has them.
hw_fn_claim ()
{
  case " $hw_checked " in
  *" $[]1 "*) ;;
  *) return 0 ;;
  esac
  hw_fn_none $[]1 && return 0
  hw_fn_row $[]1
  eval "hw_value=\$$hw_macro"
  test -z "$hw_value" || return 0
  hw_fn_reports
  test -n "$hw_reports" || return 0
  hw_claim="$hw_macro: the system reports $hw_reports"
  hw_fn_illegal "$hw_reports" || hw_fn_refuted "$[]@" || {
    hw_fn_log "$hw_claim, which stands"
    eval "$hw_macro=\$hw_reports ${hw_macro}_SRC=6"
    return 0
  }
  hw_fn_log "$hw_claim, which is not used: $hw_why"
}
hw_fn_refuted ()
{
  hw_large=
  test $[]2 = none || eval "hw_large=\$HW_`AS_ECHO(["$[]2"]) | tr 'abcdefghijklmnopqrstuvwxyz' 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'`"
  hw_why="no more than $hw_large bytes were seen to fit"
  AS_IF([test -n "$hw_large"], [
    hw_fn_above `expr $hw_reports / 4` $hw_large && return 0])
  hw_why='it may be a last level, which is shared'
  test $[]3 = none || hw_fn_followed $[]1 $[]3 || return 0
  # The row is looked up again, then stands there for a moment.
  hw_fn_row $[]1
  hw_why=
  hw_clash=hw_fn_note_clash
  hw_refuted=
  eval "$hw_macro=\$hw_reports"
  for hw_rule in order bound; do
    hw_fn_${hw_rule}s
  done
  eval "$hw_macro="
  hw_why=$hw_refuted
  test -z "$hw_why" || return 0
  case $[]1 in
  l@<:@123@:>@_bytes)
    hw_level=${hw_macro%_BYTES}
    eval "hw_product=\$${hw_level}_ASSOC,\$${hw_level}_LINE"
    case $hw_product in
    ,* | *,) return 1 ;;
    esac
    hw_product=`expr ${hw_product%,*} \* ${hw_product@%:@*,}`
    hw_why="it is no multiple of ways * line=$hw_product"
    test `expr $hw_reports % $hw_product` != 0
    return ;;
  esac
  return 1
}
# Others may clash, but that is looked at elsewhere.
hw_fn_note_clash ()
{
  case " $[]1 $[]2 " in
  *" $hw_macro "*) hw_refuted=$hw_why ;;
  esac
}
# hw_fn_followed VALUE NEXT: whether the level of the row is not the last, or no other processor shares it.
hw_fn_followed ()
{
  hw_level=${1%%_*}
  hw_level=${hw_level@%:@l}
  hw_rank=${2%%_*}
  eval "hw_there=\$HW_L${hw_level}_SHARED_BY hw_have=\$HW_HAVE_L${hw_rank@%:@l}"
  case $hw_there,$hw_have in
  1,* | *,1) return 0 ;;
  *,0) return 1 ;;
  esac
  hw_text=$hw_reports
  hw_fn_row $[]2
  hw_fn_reports
  hw_there=$hw_reports
  hw_reports=$hw_text
  test -n "$hw_there"
}
])# _HW_CLAIM
