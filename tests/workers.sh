# shellcheck shell=sh disable=SC2154
# Shell function that runs cases side by side. Sourced by what speaks TAP; work is its scratch folder.

workers=
# shellcheck disable=SC2086 # workers is a list
finish ()
{
  test -z "$workers" || kill $workers 2>/dev/null
  rm -rf "$work"
}
trap finish 0
trap 'exit 99' HUP INT PIPE TERM

# try_all FILE JOBS: for each line of the file, `try NUMBER WORD...', in so many processes. Each takes the next
# line that no other has taken.
try_all ()
{
  worker=0
  while test "$worker" -lt "$2"; do
    (
      trap - 0
      number=0
      while read -r words; do
        number=$((number + 1))
        # shellcheck disable=SC2086 # words is a list
        ! mkdir "$work/$number.taken" 2>/dev/null || try "$number" $words
      done <"$1"
    ) &
    workers="$workers $!"
    worker=$((worker + 1))
  done
  wait
  workers=
}

# results FILE: what `try' wrote for each of its lines, in that order.
results ()
{
  number=0
  while read -r words; do
    number=$((number + 1))
    cat "$work/$number.tap" 2>/dev/null || echo "not ok $number - $words: no result"
  done <"$1"
}
