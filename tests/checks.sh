# shellcheck shell=bash disable=SC2034,SC2154 # variables of the two scripts that source it
# checks.sh: what .ci/run and tests/all.sh have in common; sourced by them, with  checkout  set to the sources.
# Both run as root on a fresh Debian, install what they need and clone the checkout. They print what they do with
# the seconds it took, name what failed with the end of its log, and last print again what failed, and one line:
# N passed, N failed. Nothing here judges how quick or quiet the machine is, or which processor it has.
set -u
export LC_ALL=C DEBIAN_FRONTEND=noninteractive
unset SOURCE_DATE_EPOCH CONFIG_SITE MAKEFLAGS MFLAGS MAKELEVEL

work=$(mktemp -d)
log=$work/log
passed=0
failed=0
failures=
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
sanitizers='-fsanitize=address,undefined -fno-sanitize-recover=all'

finish() {
  chmod -R u+w "$work" 2>/dev/null
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

# check TITLE COMMAND...: counts it, and shows the end of what it said when it fails.
check() {
  local title=$1 start=$SECONDS
  shift
  if ("$@") >"$log" 2>&1; then
    passed=$((passed + 1))
    echo "ok      $title ($((SECONDS - start)) s)"
  else
    failed=$((failed + 1))
    failures+="FAILED  $title"$'\n'
    echo "FAILED  $title ($((SECONDS - start)) s)"
    excerpt "$log" 40
  fi
}

# excerpt FILE LINES: its last lines.
excerpt() {
  tail -n "$2" "$1" | sed 's/^/        | /'
}

# count TITLE PASSED FAILED: adds the cases of a suite.
count() {
  passed=$((passed + $2))
  failed=$((failed + $3))
  echo "        $1: $2 cases passed, $3 failed"
}

# cases FOLDER: the cases that make check ran there, from its logs; which failed, and which were slow.
cases() {
  local good=0 bad=0 file number title
  while read -r file; do
    good=$((good + $(grep -c '^:test-result: \(PASS\|XFAIL\)' "$file")))
    grep -q '^:test-result: \(FAIL\|XPASS\|ERROR\)' "$file" || continue
    bad=$((bad + $(grep -c '^:test-result: \(FAIL\|XPASS\|ERROR\)' "$file")))
    failures+="        ${file#"$1"/}"$'\n'
    echo "        failed: ${file#"$1"/}"
    sed -n 's/^:test-result: \(FAIL\|XPASS\|ERROR\)/          /p' "$file"
    excerpt "${file%.trs}.log" 20
  done < <(find "$1/tests" "$1/examples" -name '*.trs' -not -path '*/testsuite.dir/*')
  test "$((good + bad))" = 0 || count "units and simulations" "$good" "$bad"
  file=$1/tests/testsuite.log
  test -f "$file" || return # make check stops before it when an earlier test has failed
  good=$(grep -c '^[0-9]*\. .*: ok ' "$file")
  bad=$(grep -c '^[0-9]*\. .*: FAILED ' "$file")
  while read -r number title; do
    failures+="        $number $title"$'\n'
    echo "        failed: $number $title"
    excerpt "$(find "$1/tests/testsuite.dir" -path "*/testsuite.log" -regex ".*/0*${number%.}/testsuite.log")" 20
  done < <(grep '^[0-9]*\. .*: FAILED ' "$file")
  count "configure" "$good" "$bad"
  sh "$1/tests/slowest.sh" "$1/tests" | sed 's/^/          /'
}

# forget FOLDER: the results of its tests so far, so that cases counts each case once.
forget() {
  find "$1/tests" "$1/examples" \( -name '*.trs' -o -name '*.log' \) -not -path '*/testsuite.dir/*' -exec rm -f {} +
}

# readme N: the Nth of the README's commands.
readme() {
  sed -n 's/^    \(apt-get .*\)$/\1/p' README | sed -n "$1p"
}

newcomer() {
  git clone -q "$checkout" "$work/clone" && cd "$work/clone" || exit 1
  test "$(sed -n 's/^    \(apt-get .*\)$/\1/p' README | wc -l)" = 2 || exit 1
  bash -ec "$(readme 1)" || exit 1
  test -s hwconfig.h && test -s hwconfig.mk && test -s hwconfig.json && test -s hwconfig.site &&
    ls hwconfig.d/*.curve
}

newcomer_tests() {
  cd "$work/clone" && MAKEFLAGS=k bash -ec "$(readme 2)"
}

# found: the values that the clone's configure has measured.
found() {
  test ! -f "$work/clone/hwconfig.mk" ||
    sed -n 's/^\(HW_[A-Z0-9_]* = [0-9]*\)$/        \1/p' "$work/clone/hwconfig.mk" | grep -v _SRC
}

# sources PATTERN...: the files of the clone that match.
sources() {
  git -C "$work/clone" ls-files -- "$@" | sed "s|^|$work/clone/|"
}

# The bootstrap says nothing, and leaves the header's template alone.
bootstrap() {
  cp -r "$work/clone" "$work/bootstrap" && cd "$work/bootstrap" && git clean -qfdx &&
    autoreconf -i -Wall -Werror && git diff --exit-code
}

# build FOLDER ARGUMENT...: configures there, without measuring.
build() {
  mkdir -p "$work/$1" && cd "$work/$1" && shift &&
    "$work/bootstrap/configure" -q --disable-hw-measure "$@"
}

# verdict: the last lines, and the exit status.
verdict() {
  printf %s "$failures"
  echo "$passed passed, $failed failed"
  test "$failed" -eq 0
}

cd "$work" || exit 1
command -v git >/dev/null || { apt-get update && apt-get install -y git; } >"$log" 2>&1
git config --global --get-all safe.directory | grep -qxF "$checkout" 2>/dev/null ||
  export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
