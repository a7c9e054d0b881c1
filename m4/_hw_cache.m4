# _hw_cache.m4: what was measured before on this machine, for another package.
#
# Copyright (c) The hwconfig authors
#
# Copying and distribution of this file, with or without modification, are
# permitted in any medium without royalty provided the copyright notice and
# this notice are preserved. This file is offered as-is, without any warranty.

# _HW_RECALL
# ----------
# Takes from the cache of this machine, where that is asked for, what is neither
# in the package's own cache nor in the profile. hw_cache_file becomes its name,
# or is empty; hw_kept_VALUE what it has.
#
# The cache is a folder with a file for each fingerprint, and for each set of
# processors. The first line is the whole of that key, of which the name is only
# a sum; the last one shows that nothing is missing. Between are lines
# hw_cv_VALUE=NUMBER and hw_cv_VALUE=unknown MANNER REASON. It is no shell: whatever
# else it holds, it is not used. What it holds was measured here: where
# others than this user and the system's may have written it, neither folder nor
# file is used.
AC_DEFUN([_HW_RECALL],
[hw_fn_recall ()
{
  hw_bad=yes
  read -r hw_text || return 0
  test "x$hw_text" = "x@%:@ $hw_key" || return 0
  while read -r hw_text hw_origin hw_why; do
    case $hw_text in
    '@%:@')
      test "$hw_origin" != end || hw_bad=no
      return 0 ;;
    hw_cv_*=*) ;;
    *) return 0 ;;
    esac
    hw_name=${hw_text%%=*}
    hw_name=${hw_name@%:@hw_cv_}
    hw_value=${hw_text@%:@*=}
    AS_IF([hw_fn_listed "$hw_name"], [
      hw_fn_no_list $hw_name "$hw_value" && return 0
      eval "hw_kept_$hw_name=\$hw_value"
      continue])
    hw_fn_named "$hw_name" || return 0
    case $hw_value,$hw_origin in
    *@<:@!0-9A-Za-z./,-@:>@*) return 0 ;;
    unknown,?*) hw_value="unknown $hw_origin $hw_why" ;;
    *) hw_fn_illegal "$hw_value" && return 0 ;;
    esac
    eval "hw_kept_$hw_name=\$hw_value"
  done
}
# Owner 0 counts as the system only where it is not faked: fakeroot shows files of any owner as root's.
hw_fn_distrusted ()
{
  hw_system=0
  case $FAKEROOTKEY$LD_PRELOAD,`id -u`,`sed -n 's/^Uid:@<:@^0-9@:>@*//p' /proc/self/status 2>/dev/null` in
  ?*,*,* | ,0,@<:@1-9@:>@*) hw_system=none ;;
  esac
  read -r hw_mode hw_text hw_owner hw_rest <<END
`ls -ldnL "$[]1" 2>/dev/null`
END
  hw_why=
  case $hw_mode,$hw_owner in
  ?????w*,* | ????????w*,*) hw_why='others may write to it' ;;
  *,$hw_system) ;;
  *,0) hw_why='its owner cannot be told below fakeroot or LD_PRELOAD' ;;
  "$hw_mode,`id -u`") ;;
  *) hw_why='it is of another user' ;;
  esac
  test -n "$hw_why"
}
for hw_row in $hw_rows $hw_lists $hw_ranges; do
  eval "hw_kept_$hw_row="
done
hw_cache_file=
hw_key="$hw_fingerprint,$hw_processors"
case $hw_idle,$with_hw_cache in
?*,* | *,no) ;;
*)
  hw_cache=$with_hw_cache
  AS_IF([test "$hw_cache" = yes],
    [case $XDG_CACHE_HOME,$HOME in
     /*) hw_cache=$XDG_CACHE_HOME/hwconfig ;;
     *,/*) hw_cache=$HOME/.cache/hwconfig ;;
     *) hw_cache= ;;
     esac])
  AS_IF([test -z "$hw_fingerprint"],
      [AC_MSG_NOTICE([hwconfig: no cache is used, since it needs the fingerprint])],
    [test -n "$hw_untold"],
      [AC_MSG_NOTICE([hwconfig: no cache is used, since $hw_untold])],
    [test -z "$hw_processors"],
      [AC_MSG_NOTICE([hwconfig: no cache is used, since this system does not say which processors there are])],
    [test -z "$hw_cache"],
      [AC_MSG_NOTICE([hwconfig: no cache is used, since there is no home folder])],
    [hw_cache_file=$hw_cache/`AS_ECHO(["$hw_key"]) | cksum | sed 's/ /-/'`])
esac
for hw_name in "$hw_cache" "$hw_cache_file"; do
  AS_IF([test -n "$hw_cache_file" && test -e "$hw_name" && hw_fn_distrusted "$hw_name"],
    [AC_MSG_WARN([hwconfig: $hw_name is not used as a cache: $hw_why])
    hw_cache_file=])
done
AS_IF([test -n "$hw_cache_file" && test -f "$hw_cache_file" && test -r "$hw_cache_file"], [
  hw_fn_recall <"$hw_cache_file"
  AS_IF([test $hw_bad = yes],
    [AC_MSG_NOTICE([hwconfig: $hw_cache_file is damaged and not used])])
  for hw_row in $hw_rows; do
    AS_IF([test $hw_bad = yes], [eval "hw_kept_$hw_row="])
    eval "hw_kept=\$hw_kept_$hw_row hw_cached=\$hw_cv_$hw_row hw_profile=\$hw_profile_$hw_row"
    test -n "$hw_kept" && test -z "$hw_cached$hw_profile" || continue
    case $hw_kept in
    unknown*)
      hw_kept=${hw_kept@%:@unknown }
      eval "hw_cv_$hw_row=unknown hw_cv_${hw_row}_src=\${hw_kept%% *} hw_cv_${hw_row}_why=\${hw_kept@%:@* }" ;;
    *) eval "hw_cv_$hw_row=\$hw_kept hw_cv_${hw_row}_src=7" ;;
    esac
  done
  for hw_list in $hw_lists; do
    eval "hw_kept=\$hw_kept_$hw_list hw_cached=\$hw_cv_$hw_list\$hw_profile_$hw_list"
    test $hw_bad = yes || test -n "$hw_cached" || eval "hw_cv_$hw_list=\$hw_kept"
  done
  for hw_range in $hw_ranges; do
    eval "hw_kept=\$hw_kept_$hw_range hw_value=\$hw_kept_${hw_range%_range} hw_cached=\$hw_cv_${hw_range%_range}"
    test $hw_bad = yes || test "x$hw_value" != "x$hw_cached" || eval "hw_cv_$hw_range=\$hw_kept"
  done])
])# _HW_RECALL


# _HW_REMEMBER
# ------------
# Adds what this run has measured. The file is written under another name, so
# that another process which reads or writes it at the same time sees a whole one.
AC_DEFUN([_HW_REMEMBER],
[hw_fn_remember ()
{
  AS_ECHO(["@%:@ $hw_key"])
  for hw_row in $hw_rows; do
    eval "hw_kept=\$hw_kept_$hw_row hw_cached=\$hw_cv_$hw_row hw_origin=\$hw_cv_${hw_row}_src hw_why=\$hw_cv_${hw_row}_why"
    case $hw_cached,$hw_origin in
    unknown,*/*)
      case $hw_kept in
      @<:@0-9@:>@*) ;;
      *) hw_kept="unknown $hw_origin $hw_why" ;;
      esac ;;
    @<:@0-9@:>@*,@<:@57@:>@) hw_kept=$hw_cached ;;
    esac
    test -z "$hw_kept" || AS_ECHO(["hw_cv_$hw_row=$hw_kept"])
  done
  for hw_list in $hw_lists; do
    eval "hw_cached=\$hw_cv_$hw_list hw_kept=\$hw_kept_$hw_list"
    test -z "${hw_cached:=$hw_kept}" || AS_ECHO(["hw_cv_$hw_list=$hw_cached"])
  done
  for hw_range in $hw_ranges; do
    eval "hw_cached=\$hw_cv_$hw_range hw_kept=\$hw_kept_$hw_range hw_origin=\$hw_cv_${hw_range%_range}_src"
    case $hw_origin in
    @<:@57@:>@) hw_kept=$hw_cached ;;
    esac
    test -z "$hw_kept" || AS_ECHO(["hw_cv_$hw_range=$hw_kept"])
  done
  echo '@%:@ end'
}
AS_IF([test -n "$hw_cache_file" && test -n "$hw_asked"], [
  hw_new=
  { test ! -d "$hw_cache_file" && (umask 077; AS_MKDIR_P(["$hw_cache"])) &&
    hw_new=`mktemp "$hw_cache_file.XXXXXX" || AS_ECHO(["$hw_cache_file.$$"])` &&
    hw_fn_remember >"$hw_new" && mv -f "$hw_new" "$hw_cache_file"; } 2>&AS_MESSAGE_LOG_FD || {
    test -z "$hw_new" || rm -f "$hw_new"
    AC_MSG_NOTICE([hwconfig: cannot write $hw_cache_file: the next package measures again])
  }])
])# _HW_REMEMBER
