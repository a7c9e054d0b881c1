#!/bin/sh
# Runs a test, and says behind its output how much processor time it has taken, as a line of TAP that
# tests/slowest.sh reads.
# Usage: timed.sh COMMAND ARGUMENT...

"$@"
status=$?
# In a pipe, times would tell what the subshell has taken.
spent=$(mktemp) && times >"$spent" && sed -n '2s/^/# processor time: /p' "$spent"
rm -f "$spent"
exit $status
