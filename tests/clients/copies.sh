#!/bin/sh
# What glibc's memcpy gains by the tunable of hwconfig export glibc: see README.
set -u
LC_ALL=C
export LC_ALL

tunables=${1-}
case $tunables in
GLIBC_TUNABLES=?*) ;;
*)
  echo "copies.sh: sh copies.sh \"\$(hwconfig export glibc)\"" >&2
  exit 1 ;;
esac
case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
${CC:-cc} -O2 -o "$work/copies" "$here/copies.c" || exit 1

echo "$tunables"
for mib in ${SIZES:-1 2 4 6 8 12 16 24 32 48 64 96 128 256}; do
  round=0
  while test $round -lt "${ROUNDS:-7}"; do
    echo "stock $("$work/copies" "$mib" 3)"
    echo "tuned $(env "$tunables" "$work/copies" "$mib" 3)"
    echo "again $("$work/copies" "$mib" 3)"
    round=$((round + 1))
  done | awk -v mib="$mib" '
    # The middle of n numbers.
    function middle(a, n,  i, k, t) {
      for (i = 2; i <= n; i++)
        for (k = i; k > 1 && a[k - 1] > a[k]; k--) { t = a[k]; a[k] = a[k - 1]; a[k - 1] = t }
      return a[int((n + 1) / 2)]
    }
    $1 == "stock" { copy[++n] = $2; both[n] = $3 }
    $1 == "tuned" { c[n] = $2 / copy[n]; b[n] = $3 / both[n] }
    $1 == "again" { cc[n] = $2 / copy[n]; bc[n] = $3 / both[n] }
    END {
      printf "%d MiB: copied in %.3f ms, of which tuned %.2f, control %.2f", mib, middle(copy, n), middle(c, n), middle(cc, n)
      printf "; and read in %.3f ms, tuned %.2f, control %.2f\n", middle(both, n), middle(b, n), middle(bc, n)
    }'
done
