# _hw_cache.m4: what was measured before on this machine, for another package.
#
# SPDX-License-Identifier: MIT OR FSFAP
# Copyright (c) The hwconfig authors
#
# Copying and distribution of this file, with or without modification, are
# permitted in any medium without royalty provided the copyright notice and
# this notice are preserved. This file is offered as-is, without any warranty.

# _HW_RECALL
# ----------
# Takes from the cache of this machine, if that is asked for, what is neither
# in the package's own cache nor in the profile. hw_cache_file becomes its name,
# or is empty.
#
# The cache is a folder with a file for each fingerprint, and for each set of
# processors. The first line is the whole of that key, of which the name is only
# a sum; the last one shows that nothing is missing. Between are lines
# hw_cv_VALUE=NUMBER and hw_cv_VALUE=unknown MANNER REASON. It is no shell: whatever
# else it holds, it is not used. What it holds was measured here: where
# others than this user and the system's may have written it, neither folder nor
# file is used.
AC_DEFUN([_HW_RECALL],
[# Owner 0 counts as the system only if it is not faked: fakeroot shows files of any owner as root's. A user that is not
# mapped in a user namespace is shown as the overflow uid, and so is the reader.
hw_fn_distrusted ()
{
  hw_system=0
  case $FAKEROOTKEY$LD_PRELOAD,`id -u`,`sed -n 's/^Uid:@<:@^0-9@:>@*//p' /proc/self/status 2>/dev/null` in
  ?*,*,* | ,0,@<:@1-9@:>@*) hw_system=none ;;
  esac
  read -r hw_mode hw_text hw_owner hw_rest <<END
`ls -ldnL "$[]1" 2>/dev/null`
END
  hw_unmapped=none
  hw_text=00 hw_rest=' 4294967295'
  test ! -r /proc/self/uid_map || read -r hw_text hw_rest </proc/self/uid_map
  case $hw_text$hw_rest in
  00*' 4294967295') ;;
  *) hw_unmapped=`cat /proc/sys/kernel/overflowuid 2>/dev/null` ;;
  esac
  hw_why=
  case $hw_mode,$hw_owner in
  ?????w*,* | ????????w*,*) hw_why='others may write to it' ;;
  *,"$hw_unmapped") hw_why='its owner cannot be told in this user namespace' ;;
  *,$hw_system) ;;
  *,0) hw_why='its owner cannot be told below fakeroot or LD_PRELOAD' ;;
  "$hw_mode,`id -u`") ;;
  *) hw_why='it is of another user' ;;
  esac
  test -n "$hw_why"
}
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
hw_fn_keep "option cache-file $hw_cache_file" "option key $hw_key"
AS_IF([test -n "$hw_cache_file" && test -f "$hw_cache_file" && test -r "$hw_cache_file"], [hw_fn_table recall])
])# _HW_RECALL


# _HW_REMEMBER
# ------------
# Adds what this run has measured. The file is written under another name, so
# that another process which reads or writes it at the same time sees a whole one.
AC_DEFUN([_HW_REMEMBER],
[AS_IF([test -n "$hw_cache_file" && test -n "$hw_asked"], [
  hw_new=
  { test ! -d "$hw_cache_file" && (umask 077; AS_MKDIR_P(["$hw_cache"])) &&
    hw_new=`mktemp "$hw_cache_file.XXXXXX" || AS_ECHO(["$hw_cache_file.$$"])` &&
    hw_fn_state remember | hw_fn_awk >"$hw_new" && mv -f "$hw_new" "$hw_cache_file"; } 2>&AS_MESSAGE_LOG_FD || {
    test -z "$hw_new" || rm -f "$hw_new"
    AC_MSG_NOTICE([hwconfig: cannot write $hw_cache_file: the next package measures again])
  }])
])# _HW_REMEMBER
