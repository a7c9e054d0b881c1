#!/bin/sh
# Runs a test, and says behind its output how much processor time it has taken, as a line of TAP that
# tests/slowest.sh reads.
# Usage: timed.sh COMMAND ARGUMENT...

"$@"
status=$?
times | sed -n '2s/^/# processor time: /p'
exit $status
