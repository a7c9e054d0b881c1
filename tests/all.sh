#!/usr/bin/env bash
# What .ci/run leaves out: all tests with all tools, the long ones too; what they reach under ASan and UBSan; all rows on
# simulated machines, and each row hidden; bad times on this one; arbitrary input; another processor; the tarball
# without Autotools; the same
# values from each compiler; the oldest Autoconf. For make check-all, once before a larger change ends; tests/checks.sh
# says how it prints it.
# shellcheck disable=SC2154 # what checks.sh sets
set -u
checkout=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck disable=SC1091 # it is checked on its own
. "$checkout/tests/checks.sh"

tools() {
  apt-get install -y gnuplot-nox graphviz clang lld g++ bmake python3 dash ksh mksh fakeroot musl-tools tcc autoconf2.69 \
    gawk busybox original-awk cmake meson ninja-build libeigen3-dev libopenblas-dev libhwloc-dev hwloc-nox pkgconf \
    mandoc groff-base qemu-user gcc-aarch64-linux-gnu gcc-riscv64-linux-gnu gcc-powerpc64le-linux-gnu \
    gcc-s390x-linux-gnu libc6-dev-s390x-cross &&
    apt-get install -y --no-install-recommends openmpi-bin libopenmpi-dev mpich
}

# What make check leaves out.
long() {
  cd "$work/clone" && forget "$work/clone" && make -k -j"$jobs" check-long
}

# Every row, on machines that between them have what the others have too.
hierarchy() {
  cd "$work/clone" &&
    HW_TEST_NOISE=no HW_TEST_MACHINES='pentium4 odd-20way odd-write-around odd-near sa1110' make -s machines >hierarchy.tap &&
    grep -q '^1\.\.' hierarchy.tap && ! grep '^not ok' hierarchy.tap
}

# What hangs on each row, hidden.
hidden() {
  cd "$work/clone" && make -s hide >hide.tap && grep -q '^1\.\.' hide.tap && ! grep '^not ok' hide.tap
}

# Ten simulated machines beside other processes: wrong none, and known what was reached.
known() {
  cd "$work/clone" && make -s known-quick
}

# Two busy loops and the like, on this machine; what cannot be had here is said below.
times() {
  cd "$work/clone" && make -s hwprobe && sh tests/times.sh >"$work/times" && cat "$work/times" &&
    grep -q '^1\.\.' "$work/times" && ! grep -q '^not ok' "$work/times"
}

sanitized() {
  build sanitized CFLAGS="-g -O2 $sanitizers --coverage" &&
    HW_TEST_MACHINES='pentium4 odd-plru xtensa-lx' \
      HW_TEST_PROCESSORS='hybrid strangers' HW_TEST_COMPILERS=none HW_TEST_NOISE=no HW_TEST_STEP=99 \
      HW_TEST_RECORDED='ice-lake-sp/busy-2 emerald-rapids/quiet-1 zen-3/quiet-1 zen-4/quiet-1' \
      make -j"$jobs" check TESTSUITEFLAGS=--list &&
    make -s coverage BRANCHES=no
}

# All readers and reductions with arbitrary input, side by side.
fuzz() {
  cd "$work/clone" && make -s fuzz FUZZ_INPUTS=6000
}

# The simulator and the unit tests on a processor with another order of bytes.
emulated() {
  cd "$work/clone" && make -s emulated ARCHITECTURES=s390x
}

# A PATH without the Autotools and m4: what a user with a tarball alone has.
tarball() {
  local tool name
  build dist && make -s dist || exit 1
  mkdir "$work/tarball" "$work/bin" && cd "$work/tarball" || exit 1
  for tool in /usr/bin/* /bin/*; do
    name=${tool##*/}
    case $name in
    auto* | aclocal* | ifnames | m4 | missing) ;;
    *) ln -sf "$tool" "$work/bin/$name" ;;
    esac
  done
  export PATH="$work/bin"
  ! command -v autoconf && ! command -v m4 || exit 1
  tar xzf "$work"/dist/hwconfig-*.tar.gz && cd hwconfig-* && ./configure -q --with-hw-effort=quick &&
    make -j"$jobs" tests/unit/test_values tests/simulate &&
    HW_TEST_MACHINES=pentium4 HW_TEST_NOISE=no make check-TESTS TESTS='tests/unit/test_values tests/machines.sh' &&
    make check-local TESTSUITEFLAGS="-j$jobs -k manual -k profile"
}

# What is of the machine alone, whatever the moment and the compiler.
rows=L1_BYTES,L1_ASSOC,L1_LINE,L1_SETS,L2_BYTES,L2_ASSOC,L2_LINE,L2_SETS,L1I_BYTES,L1I_ASSOC,L1I_LINE
rows=$rows,PAGE_BYTES,TLB1_ENTRIES,TLB1_ASSOC,TLB2_ENTRIES,TLB2_ASSOC
lasting="HW_(${rows//,/|})"

# value FILE NAME: what the hwconfig.mk has, or nothing.
value() {
  sed -n "s/^$2 = //p" "$1"
}

# same COMPILER FLAGS...: measures, and compares with the clone's first run what lasts. It may be
# unknown. A value that differs is measured twice more, alone: where two of three agree against the
# first run's, there is a wrong value, and its curves are printed.
same() {
  local folder=$work/same name first found again status=0
  rm -rf "$folder" && mkdir "$folder" && cd "$folder" || exit 1
  "$work/bootstrap/configure" -q --with-hw-budget=10 --with-hw-rows=$rows CC="$1" CFLAGS="${*:2}" || exit 1
  grep -E "^$lasting " hwconfig.mk | tr '\n' ' ' >>"$work/values"
  echo "<- $*" >>"$work/values"
  while read -r name _ found; do
    first=$(value "$work/clone/hwconfig.mk" "$name")
    if test -z "$first" || test "$first" = "$found"; then continue; fi
    echo "$name is $found, and was $first: measured twice more" | tee -a "$work/values"
    again=
    for try in 1 2; do
      (mkdir "$name-$try" && cd "$name-$try" && "$work/bootstrap/configure" -q --with-hw-budget=10 \
        --with-hw-rows="${name#HW_}" CC="$1" CFLAGS="${*:2}") || exit 1
      again="$again $(value "$name-$try/hwconfig.mk" "$name")"
    done
    echo "$name: $found$again" | tee -a "$work/values"
    # shellcheck disable=SC2086 # a list of numbers
    printf '%s\n' $found $again | grep -vx "$first" | sort | uniq -d | grep -q . || continue
    status=1
    tail -n +1 hwconfig.d/*.curve "$name"-?/hwconfig.d/*.curve >>"$work/wrong"
  done < <(grep -E "^$lasting " hwconfig.mk)
  exit $status
}

# portable COMPILER: the same with dash, then with bmake.
portable() {
  export CONFIG_SHELL=/bin/dash
  (same "$1" -O2) && cd "$work/same" && bmake -s all install DESTDIR="$work/same/root" &&
    test -f root/usr/local/share/aclocal/hw_init.m4
}

# The oldest Autoconf, for hwconfig itself and for packages that call its macros.
oldest() {
  export AUTOCONF=autoconf2.69 AUTOM4TE=autom4te2.69 AUTOHEADER=autoheader2.69
  cp -r "$work/clone" "$work/oldest" && cd "$work/oldest" && git clean -qfdx &&
    autoreconf2.69 -i -Wall -Werror && ./configure -q --disable-hw-measure &&
    make check-local TESTSUITEFLAGS="-j$jobs -k macros"
}

check "README, first command: configure measures" newcomer
found
check "install the tools of the other checks" tools
check "make check, with all tools" newcomer_tests
cases "$work/clone"
check "make check-long, with all tools" long
cases "$work/clone"
grep ': skipped ' "$work/clone/tests/testsuite.log"
check "the whole hierarchy on simulated machines" hierarchy
check "what hangs on each row" hidden
check "what is known beside other simulated processes" known
check "bad times on this machine" times
grep ' # SKIP ' "$work/times"
check "autoreconf without a warning" bootstrap
check "units and simulations under ASan and UBSan, and what they reach" sanitized
check "arbitrary input" fuzz
check "another processor, emulated" emulated
check "the tarball, without Autotools" tarball
for compiler in gcc clang; do
  for flags in -O0 -O2 '-O3 -march=native' '-O2 -flto'; do
    case $compiler$flags in
    clang*-flto) flags="$flags -fuse-ld=lld" ;;
    *-O2) continue ;; # gcc's is the first command's, clang's is there with -flto too
    clang-O[03]*) continue ;; # as gcc
    esac
    # shellcheck disable=SC2086
    check "the same values: $compiler $flags" same $compiler $flags
  done
done
check "the same values: musl-gcc, dash, bmake" portable musl-gcc
check "the same values: tcc, dash, bmake" portable tcc
check "Autoconf 2.69" oldest
test ! -f "$work/values" || sed 's/^/        /' "$work/values"
test ! -s "$work/wrong" || cat "$work/wrong"
verdict
