#!/bin/sh
# A package of somebody else, as it is and with hwconfig: see README.
set -u
LC_ALL=C
export LC_ALL

fail ()
{
  printf '%s\n' "try.sh: $*" >&2
  exit 1
}

case $0 in
*/*) here=$(cd "${0%/*}" && pwd) ;;
*) here=$(pwd) ;;
esac
test $# -eq 2 || fail 'sh try.sh m4ri|primesieve|c-blosc SOURCES'
client=$1
test -f "$here/$client.patch" || fail "$client: there is no patch for it"
sources=$(cd "$2" 2>/dev/null && pwd) || fail "$2: no such folder"
# shellcheck disable=SC2015
build=$(cd "${BUILD:-$here/../..}" && pwd) && test -f "$build/Makefile" ||
  fail "${BUILD:-$here/../..}: hwconfig is not configured there: name its build folder, as in BUILD=FOLDER"
if test -n "${WORK-}"; then
  mkdir -p "$WORK" && work=$(cd "$WORK" && pwd) || exit 1
else
  work=$(mktemp -d) || exit 1
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
fi
folders='stock control patched'
for folder in $folders; do
  rm -rf "${work:?}/$folder" && cp -R "$sources" "$work/$folder" || exit 1
done

# What the package takes from hwconfig, and its patch.
case $client in
c-blosc) cp "$here"/../../runtime/hwconfig-runtime.[ch] "$work/patched/blosc/" ;;
m4ri) make -s -C "$build" embed DIR="$work/patched/hwconfig" ROWS='L1 L2 L3' ;;
primesieve) make -s -C "$build" embed DIR="$work/patched/hwconfig" ROWS='L1_BYTES L1_WRITE_MBS L2_EFF_BYTES L2_WRITE_MBS' ;;
esac || exit 1
patch -s -d "$work/patched" -p1 <"$here/$client.patch" || fail "$client.patch does not apply to $sources"

# build FOLDER: in FOLDER/build, with its tests.
build ()
{
  mkdir -p "$1/m4" "$1/build" && cd "$1" || exit 1
  case $client in
  c-blosc)
    cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DBUILD_FUZZERS=OFF -DDEACTIVATE_LZ4=ON \
      -DDEACTIVATE_ZLIB=ON -DDEACTIVATE_ZSTD=ON -DDEACTIVATE_SNAPPY=ON && cmake --build build &&
      (cd build && ctest) ;;
  *)
    autoreconf -i && cd build && ../configure --disable-shared && make && make check ;;
  esac >"$1.log" 2>&1 || {
    tail -n 20 "$1.log" >&2
    fail "$1: does not build, or its tests fail"
  }
  case $client in
  m4ri)
    # Outside of its sources it finds neither of its own headers.
    { make -C "$1/build/bench" cpucycles.o &&
      make -C "$1/build/bench" CPPFLAGS='-I. -I../m4ri' bench_multiplication bench_elimination; } >>"$1.log" 2>&1 ||
      fail "$1: no benchmark" ;;
  esac
}

# sizes FOLDER: what it was built for.
sizes ()
{
  case $client in
  m4ri) sed -n 's/^#define __M4RI_CPU_\(L[123]\)_CACHE[^0-9]*\([0-9]*\).*/\1 \2/p' "$1/build/m4ri/m4ri_config.h" ;;
  primesieve) sed -n -e 's/^#define \(L1_DCACHE_SIZE\) /\1 /p' -e 's/^#define \(SIEVESIZE\) /\1 /p' "$1/build/config.h" ;;
  c-blosc) HWCONFIG_VERBOSE=1 "$1/build/bench/bench" blosclz shuffle single 1 2>&1 >/dev/null | sed -n 's/^hwconfig: //p' ;;
  esac | tr '\n' ' '
}

# run FOLDER N: the Nth thing that is timed: the same work each time, not as often as its mean needs to settle.
run ()
{
  case $client,$2 in
  m4ri,1) "$1/build/bench/bench_multiplication" -m 3 -n 3 -x 3 4096 2048 ;;
  m4ri,2) "$1/build/bench/bench_elimination" -m 3 -n 3 -x 3 4096 ;;
  m4ri,3) "$1/build/bench/bench_multiplication" -m 2 -n 2 -x 1 8192 2048 ;;
  m4ri,4) "$1/build/bench/bench_elimination" -m 2 -n 2 -x 1 8192 ;;
  primesieve,1) "$1/build/primesieve" 1e10 -t1 ;;
  c-blosc,1) "$1/build/bench/bench" blosclz shuffle single 1 ;;
  *) return 1 ;;
  esac >/dev/null 2>&1
}

# seconds COMMAND...: of a processor.  No time -p: some shells have none, and a program of that name knows no function.
seconds ()
{
  ("$@"; times) | awk 'END { split($0, part, /[ms ]+/); print 60 * (part[1] + part[3]) + part[2] + part[4] }'
}

for folder in $folders; do
  (build "$work/$folder") || exit 1
  echo "$folder: its tests pass; $(sizes "$work/$folder")"
done
number=1
while run "$work/stock" $number && run "$work/patched" $number; do
  rm -f "$work/times"
  round=0
  while test $round -lt "${ROUNDS:-5}"; do
    for folder in $folders; do
      echo "$folder $(seconds run "$work/$folder" $number)" >>"$work/times"
    done
    round=$((round + 1))
  done
  awk -v number=$number '!($1 in least) || $2 < least[$1] { least[$1] = $2 }
    END { if (least["stock"] > 0) printf "%d: stock %.2f s; of its time, control %.2f, patched %.2f\n", number, least["stock"],
      least["control"] / least["stock"], least["patched"] / least["stock"] }' "$work/times"
  number=$((number + 1))
done
test $number -gt 1 || fail "$client: its benchmark does not run"
round=0
while test $round -lt "${CONFIGURES:-0}"; do
  (cd "$work/patched/build" && ../configure -q --disable-shared >>"$work/patched.log" 2>&1) || fail 'configure fails'
  sizes "$work/patched"
  echo
  round=$((round + 1))
done | sort | uniq -c
