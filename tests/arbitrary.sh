#!/bin/sh
# Arbitrary input to what reads curves, machine files, points, the curves of a row and profiles: some of what
# make fuzz tries, the same each time.
# Environment: srcdir, the top of the sources; fuzz, the folder of the programs.

: "${srcdir:=.}" "${fuzz:?a folder}"
n=0

# try TARGET INPUTS [FILE...]
try ()
{
  n=$((n + 1))
  target=$1
  shift
  if said=$("$fuzz/$target" "$@" 2>&1); then
    echo "ok $n - $target"
  else
    echo "not ok $n - $target: status $?"
    echo "$said" | sed 's/^/# /'
  fi
}

echo 1..5
try curve 20000 "$srcdir"/tests/fuzz/corpus/curve/*
try machine 20000 "$srcdir"/tests/machines/*.machine
try reductions 1000
try rows 500
try runtime 20000 "$srcdir"/tests/fuzz/corpus/runtime/*
