#!/bin/sh
# The program of the table against tests/registry.table:
#   registry.sh AWK FILE
# Prints each expected line that it does not print, or that it prints and should not, below the title of its case, and
# ends with 1 then.
# Environment: abs_top_srcdir; a folder to write to is the current one.
# shellcheck disable=SC2154
LC_ALL=C
export LC_ALL
awk=$1
table=$2
program=
for name in table near begin values lines files summary sizes steps; do
  program="$program -f $abs_top_srcdir/registry/$name.awk"
done

# run: the case in the file case: its first line is the title, then the step, then the state and what is expected.
run ()
{
  { sed -n '2s/^/option step /p' case; sed '1,2d' case | grep -v '^[>!] '; } >state
  # shellcheck disable=SC2086 # names without blanks
  $awk $program "$abs_top_srcdir/probes/params.def" <state >said 2>&1 || echo "$awk: status $?"
  grep '^[>!] ' case >expected
  while IFS= read -r line; do
    text=${line#? }
    case $line in
    '> '*) grep -F -x -e "$text" said >/dev/null || echo "not printed: $text" ;;
    *) ! grep -F -x -e "$text" said >/dev/null || echo "printed: $text" ;;
    esac
  done <expected
  test -s expected || echo 'nothing is expected'
}

# shellcheck disable=SC2016 # it is awk
${AWK-awk} '/^##/ { next } /^=/ { close(file); file = "case." ++n } file && NF { print >file } END { print n }' "$table" >cases
read -r count <cases
status=0
at=0
while test $at -lt "$count"; do
  at=$((at + 1))
  mv "case.$at" case
  run >wrong
  test -s wrong || continue
  sed 1q case
  cat wrong
  status=1
done
exit $status
