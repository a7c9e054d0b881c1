#!/bin/sh
# What compilers make of generated code, in the assembly: each loop does as many operations as its
# specification says, none folded, unrolled or merged into vectors, and so does that by which a shared
# core is told; and the registers that are measured are the last number of variables of which none is
# stored.  Speaks TAP.
# Environment: srcdir, the top of the sources; HW_TEST_COMPILERS, of those there are; HW_TEST_FLAGS,
# sets of flags, separated by commas: a set takes some ten seconds.

LC_ALL=C
export LC_ALL
: "${srcdir:=.}" "${HW_TEST_COMPILERS:=gcc clang}" "${HW_TEST_FLAGS:=-O0,-O2}"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' 0
trap 'exit 99' HUP INT PIPE TERM

case $(uname -m) in
x86_64) ;;
*)
  echo '1..0 # SKIP the assembly of another processor'
  exit 0 ;;
esac
if ! (objdump --version) >/dev/null 2>&1; then
  echo '1..0 # SKIP no objdump'
  exit 0
fi
operations=$(for op in ADD MUL DIV FMA; do for t in I32 I64 F32 F64 VF32 VF64; do echo "HW_RTP_${op}_${t}_X100"; done; done)
registers='HW_NR_I32 HW_NR_I64 HW_NR_F32 HW_NR_F64 HW_NR_V'

# measure CC FLAGS...: all rows, with all the code that they may ask for.
measure ()
{
  rm -rf "${work:?}/run" && mkdir -p "$work/run" || return 1
  "$@" -O0 "-I$srcdir" -o "$work/run/hwnano" "$srcdir/probes/nano/hwnano.c" && "$work/run/hwnano" "$work/run/nano" 8 || return 1
  for part in "$srcdir"/probes/parts/*.c; do
    case $part in
    */none.c) ;;
    *) "$@" -g0 "-I$srcdir" -c -o "$work/run/$(basename "$part" .c).o" "$part" || return 1 ;;
    esac
  done
  for part in "$work"/run/nano.*.c; do
    # shellcheck disable=SC2086 # a list
    "$@" -g0 -fno-tree-slp-vectorize -fno-math-errno $turns "-I$srcdir" -c -o "${part%.c}.o" "$part" || return 1
  done
  # shellcheck disable=SC2086 # lists
  "$@" -o "$work/run/hwprobe" "$work"/run/*.o -lm &&
    "$work/run/hwprobe" --effort=quick $operations HW_LAT_SQRT_F32 $registers >"$work/run/values" 2>"$work/run/log"
}

# count FILE.c: NAME OPERATIONS STORES TURNS of each of its functions, the operations of all of its loops,
# and of its longest one the stores to the stack and the most instructions between two of them.  What is
# one operation in each type's assembly, in the order of the alternatives: of a whole number's addition an
# addition or an address.
count ()
{
  sed -n 's/^ *{"\(.*\)", hw_nano_\([0-9]*\)},$/\2 \1/p' "$1" >"$work/names"
  objdump -d --no-show-raw-insn "${1%.c}.o" | awk -v names="$work/names" '
    function pad(hex) { return substr("0000000000000000" hex, length(hex) + 1) }
    function end(i, k, stores, stored, between, most, longest, looped) {
      if (n == 0) return
      split("", looped)
      longest = 0
      for (i = 1; i <= n; i++) {
        if (op[i] !~ /^j/ || !(to[i] in at) || at[to[i]] >= i) continue
        for (k = at[to[i]]; k <= i && op[k] !~ /^ret/; k++);
        if (k <= i) continue # it leaves the loop
        for (k = at[to[i]]; k <= i; k++) looped[k] = 1
        if (i - at[to[i]] <= longest) continue
        longest = i - at[to[i]]
        stores = most = between = 0
        for (k = at[to[i]]; k <= i; k++) {
          between++
          stored = text[k] ~ /,-?(0x)?[0-9a-f]*\(%r[sb]p\)$/ && op[k] !~ /^(cmp|test|sub|add|dec|inc|lea)/
          stores += stored
          if (between > most) most = between
          if (stored) between = 0
        }
      }
      split(name[number], word, "_")
      pattern = word[1] "_" substr(word[2], 1, 1)
      vector = word[2] ~ /v/
      sum = 0
      for (i in looped) {
        o = op[i]
        if (pattern == "add_i") sum += o ~ /^(add|lea|inc|sub)/ && text[i] !~ /%[re]sp$/
        else if (pattern == "mul_i") sum += o ~ /^imul/
        else if (pattern == "div_i" || pattern == "divs_i") sum += o ~ /^div/
        else if (pattern == "fma_i") sum += o ~ /^imul/
        else if (pattern == "fma_f") sum += o ~ /^v?(mul|fn?madd[0-9]*)[sp][sd]$/
        else sum += o ~ ("^v?" word[1] (vector ? "p" : "s") "[sd]$")
      }
      print name[number], sum, stores + 0, most + 0
      n = 0
    }
    BEGIN { while ((getline line <names) > 0) { split(line, f, " "); name[f[1]] = f[2] } }
    /^[0-9a-f]+ <hw_nano_[0-9]+>:$/ { end(); number = $2; gsub(/[^0-9]/, "", number); split("", at); inside = 1; next }
    /^[0-9a-f]+ </ { end(); inside = 0 }
    inside && /^ / {
      n++
      address = $1
      sub(/:/, "", address)
      at[pad(address)] = n
      op[n] = $2
      text[n] = $0
      sub(/ *#.*/, "", text[n])
      sub(/ *<.*/, "", text[n])
      to[n] = pad($3)
    }
    END { end() }'
}

# Operations of loops of one kind: as many as both bodies say.  A label may have another way into the
# loop, with a group of its own; some whole additions count.  Prints what is wrong.
operations ()
{
  awk '{
    n = split($1, word, "_")
    if (word[1] !~ /^(add|mul|div|divs|fma|sqrt)$/ || n != 5) next
    split(word[3], size, "x")
    want = size[1] * (word[4] + word[5])
    more = word[1] == "add" && word[2] ~ /^i/ ? 4 + size[2] : size[1]
    # A division has another way for short operands, and a vector may be done in pieces.
    if (word[2] ~ /v/ ? $2 < want : word[1] ~ /^div/ && word[2] == "i64" ? $2 < want || $2 > 2 * want : $2 < want || $2 > want + more)
      print $1 ": " $2 " operations"
  }' "$work/counts"
}

# The last number of variables of the type before the first of which one is stored in each group,
# and the one that is.
spills ()
{
  awk -v type="$1" '{
    groups = $1
    sub(/.*_/, "", groups)
    split($1, word, "_")
    if (word[1] != "live" || (type == "v" ? word[2] !~ /v/ : word[2] != type)) next
    split(word[3], size, "x")
    split(word[6], stores, "x")
    print size[2], ($3 - stores[1] * groups >= groups + 0)
  }' "$work/counts" | sort -n | awk '$2 == 1 { print last + 0; exit } { last = $1 }'
}

# Additions and stores in turns: of whole numbers that all live in registers, no more than a few
# instructions between two stores.  Prints what is wrong.
in_turns ()
{
  awk '$1 ~ /^live_i(32|64)_16x(4|8|12)_/ && $4 > 4 { print $1 ": " $4 " instructions between two stores" }' "$work/counts"
}

# What tells whether a core is shared: independent operations, so many in a loop, none in a vector.
# Prints what is wrong.
issue ()
{
  "$@" "-I$srcdir" -c -o "$work/loops.o" "$srcdir/probes/machine/loops.c" || echo 'does not compile'
  objdump -d --no-show-raw-insn "$work/loops.o" | awk '
    / <hw_loops_issue>:$/ { inside = 1; next }
    /^$/ { inside = 0 }
    inside && /%[xyz]mm/ { vector++ }
    inside && $2 ~ /^(add|sub|and|or|xor|lea)l?$/ { sum++ }
    END {
      if (sum < 128) print sum + 0 " operations"
      if (vector > 0) print vector " of vectors"
    }'
}

number=0
result ()
{
  number=$((number + 1))
  if test -z "$2"; then
    echo "ok $number - $1"
  else
    echo "not ok $number - $1"
    echo "$2" | sed 's/^/# /'
  fi
}
compilers=$(for cc in $HW_TEST_COMPILERS; do ($cc --version) >/dev/null 2>&1 && echo "$cc"; done)
for cc in $compilers; do
  # As hw_fn_probes has it; clang has no such options.
  case $($cc --version) in
  *clang*) turns= ;;
  *) turns='-fno-schedule-insns -fno-schedule-insns2' ;;
  esac
  for flags in -O1 -O2 '-O3 -march=native'; do
    # shellcheck disable=SC2086 # flags
    result "$cc $flags: what tells a shared core is no vector" "$(issue $cc $flags)"
  done
  IFS=,
  # shellcheck disable=SC2086 # sets of flags
  set -- $HW_TEST_FLAGS
  unset IFS
  for flags; do
    # shellcheck disable=SC2086 # flags
    if ! measure $cc $flags; then
      result "$cc $flags: compiles" failed
      continue
    fi
    for part in "$work"/run/nano.[1-9]*.c; do
      test -f "$part" && count "$part"
    done >"$work/counts"
    test -s "$work/counts" || echo nothing
    result "$cc $flags: $(wc -l <"$work/counts") loops do what they say" "$(operations)"
    result "$cc $flags: no loop is compiled twice" "$(cut -d ' ' -f 1 "$work/counts" | sort | uniq -d)"
    test "$flags" = -O0 && continue
    test -z "$turns" || result "$cc $flags: additions and stores take turns" "$(in_turns)"
    for row in $registers; do
      type=$(echo "$row" | sed 's/HW_NR_//' | tr '[:upper:]' '[:lower:]')
      got=$(sed -n "s/^$row = //p" "$work/run/values")
      want=$(spills "$type")
      result "$cc $flags: $row is ${got:-unknown}" \
        "$(test -z "$got" || test "$got" = "$want" || echo "the last without a spill: $want")"
    done
  done
done
echo "1..$number"
