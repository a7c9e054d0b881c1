#!/bin/sh
# texts.sh SECONDS: profiles, and the JSON that the command reads, damaged at random: whatever is in them,
# configure and the command end with a status of their own after at most a few lines, and run nothing
# that stands in the file.
# Environment: hwconfig, the command of a folder where configure has run; configure; found, where an input
# that fails is kept; HW_TEST_SEED; AWK;
# FUZZ_INPUTS, instead of seconds: one input for each 50.

end=$(($(date +%s) + $1))
most=$((${FUZZ_INPUTS:-0} / 50))
seed=${HW_TEST_SEED:-${FUZZ_INPUTS:-$$}}
awk=${AWK:-awk}
: "${hwconfig:?the command}" "${configure:?configure}" "${found:?a file}"
build=$(dirname "$hwconfig")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' 0
trap 'exit 2' HUP INT PIPE TERM
mkdir "$work/folder" "$work/build" || exit 2
cp "$build/config.status" "$build/Makefile" "$build/hwconfig.mk" "$build/hwconfig.site" "$work/folder" || exit 2
sed -n '/^## Cache variables/,/^## Output variables/{
/^a[cm]_cv_env_/d
/^ac_cv_prog_\(ac_ct_\)\{0,1\}CC=/d
/^a[cm]_cv_/p
}' "$build/config.log" >"$work/checks.site"
{
  cat "$build/hwconfig.site"
  echo 'hw_cv_l1_bytes=49152'
  echo 'hw_cv_l1_assoc=12'
  echo 'hw_cv_page_bytes=4096'
} >"$work/hwconfig.site"

# damage FILE: some bytes of it changed, dropped, doubled, or replaced by what means something elsewhere.
damage ()
{
  # shellcheck disable=SC2016 # another language's
  $awk -v seed="$seed$n" -v mark="$work/mark" '
    function below(n) { return int(rand() * n) }
    BEGIN {
      srand(seed)
      words = split("$(touch MARK)|`touch MARK`|;touch MARK;|\" ; touch MARK ; \"|'"'"'|\\|\\\\n|=|{|}|\",|:|999999999999999999999|-1|1e9|0x10|%s%n|\t|\r|\001|\377|\303\244|unknown|hw_cv_l1_bytes=|\"HW_L1_BYTES\": {|& | \\1|}]}|#", word, "|")
      for (i = 1; i <= words; i++)
        gsub(/MARK/, mark, word[i])
    }
    { text = text $0 "\n" }
    END {
      for (i = 1 + below(4); i > 0; i--) {
        at = 1 + below(length(text)); n = below(3) ? below(6) : below(200); kind = below(4)
        new = kind == 0 ? "" : kind == 1 ? substr(text, at, n) substr(text, at, n) : \
          kind == 2 ? word[1 + below(words)] : sprintf("%c", 1 + below(255))
        text = substr(text, 1, at - 1) new substr(text, at + (kind == 2 ? 0 : n))
      }
      printf "%s", text
    }' "$1"
}

# limited COMMAND...: by the time it computes: a machine may stand still.
limited ()
{
  # shellcheck disable=SC3045
  (ulimit -t 30 2>/dev/null; exec timeout 600 "$@")
}

# fail TEXT FILE
fail ()
{
  cp "$2" "$found"
  cat "$work/out"
  echo "$1; seed $seed, input $n"
  exit 1
}

# judge STATUS FILE: what was said, in $work/out.
judge ()
{
  test ! -e "$work/mark" || fail 'what stands in the file was run' "$2"
  case $1 in
  0 | 1 | 2) ;;
  *) fail "status $1" "$2" ;;
  esac
  ! grep -i -e 'syntax error' -e 'unterminated' -e 'awk:' -e 'sed:' -e 'not found' -e 'bad substitution' -e 'unexpected' "$work/out" ||
    fail 'a tool complains' "$2"
}

n=0
while if test "$most" -gt 0; then test "$n" -lt "$most"; else test "$(date +%s)" -lt "$end"; fi; do
  n=$((n + 1))
  if test $((n % 8)) -ne 0; then
    damage "$build/hwconfig.json" >"$work/folder/hwconfig.json"
    for word in show 'get HW_L1_BYTES' 'export cmake'; do
      # shellcheck disable=SC2086 # words
      limited "$hwconfig" --folder="$work/folder" $word >/dev/null 2>"$work/out"
      judge $? "$work/folder/hwconfig.json"
    done
  else
    damage "$work/hwconfig.site" >"$work/profile"
    (cd "$work/build" && CONFIG_SITE=$work/checks.site && export CONFIG_SITE && limited "$configure" -q --no-create --disable-hw-measure \
      --disable-hw-fingerprint --with-hw-profile="$work/profile") >/dev/null 2>"$work/out"
    judge $? "$work/profile"
  fi
done
echo "tried: $n"
