# _hw_terminal.m4: what configure says on the terminal while it measures.
#
# SPDX-License-Identifier: MIT OR FSFAP
# Copyright (c) The hwconfig authors
#
# Copying and distribution of this file, with or without modification, are
# permitted in any medium without royalty provided the copyright notice and
# this notice are preserved. This file is offered as-is, without any warranty.

# _HW_TERMINAL
# ------------
# hw_fn_tick TITLE: while something is measured, and only on a terminal that can clear a line, a line of its own is
# overwritten each second by how far that is, until configure ends, or hw_fn_untick, which clears it. hw_lines:
# whether anything is said meanwhile.
AC_DEFUN([_HW_TERMINAL],
[hw_ticking= hw_progress=
hw_tty=no
case $hw_silent,$TERM in
yes,* | *,dumb | *,) ;;
*) test ! -t AS_MESSAGE_FD || hw_tty=yes ;;
esac
hw_lines=yes
case $hw_silent,$hw_terse,$hw_tty in
yes,* | *,yes,no) hw_lines=no ;;
esac
hw_fn_tick ()
{
  test $hw_tty = yes && test -z "$hw_ticking" || return 0
  read -r hw_start <conftest.hw/start
  hw_fn_now
  AS_VAR_ARITH([hw_left], [$hw_start + $hw_forecast - $hw_now])
  (
    cd /
    while sleep 1 >/dev/null 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- && kill -0 $$ 2>/dev/null; do
      AS_VAR_ARITH([hw_left], [$hw_left - 1])
      test $hw_left -gt 0 || hw_left=1
      printf '\r\033@<:@Kmeasuring: %s%s, about %d s' "$[]1" "$hw_progress" $hw_left >&AS_MESSAGE_FD
    done
  ) </dev/null &
  hw_ticking=$!
}
hw_fn_untick ()
{
  test -n "$hw_ticking" || return 0
  # A shell may lose another signal that comes as it begins.
  {
    kill -9 $hw_ticking
    wait $hw_ticking
  } 2>/dev/null
  hw_ticking=
  printf '\r\033@<:@K' >&AS_MESSAGE_FD
}
])# _HW_TERMINAL
