#!/bin/sh
# What the table says of its rows, measured ones, derived ones or all, a line each with tabs between the fields; or of
# rules, probes or efforts (registry/ask.awk):
#   ask.sh measured|derived|all FIELD...
#   ask.sh rules|probes|efforts
top=$(dirname "$0")/..
which=$1
shift
# shellcheck disable=SC2086 # it may be busybox awk
exec ${AWK:-awk} -v which="$which" -v ask="$*" -f "$top/registry/table.awk" -f "$top/registry/ask.awk" "$top/probes/params.def"
