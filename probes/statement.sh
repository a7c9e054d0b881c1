# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2016,SC2034,SC2046,SC2086,SC2154
# Shell functions that time one C statement, for the command hwconfig and for HW_CHECK_STATEMENT: sourced behind
# build.sh, with what that takes. The statement takes the place of the division in the table of operations, and what the
# probes say of that is its latency, its reciprocal throughput and how many are in flight.

# hw_fn_named: those that have a name, lines NAME_TYPE STATEMENT.
hw_fn_named ()
{
  while read -r hw_text hw_list; do
    for hw_word in ${hw_list%%:*}; do
      printf '%s\n' "${hw_text}_$hw_word ${hw_list#*: }"
    done
  done <<'END'
add i32 i64 f32 f64 vf32 vf64 vi8 vi16 vi32 vi64: P = P + O
multiply i32 i64 f32 f64 vf32 vf64 vi8 vi16 vi32 vi64: P = P * O
shift i32 i64 vi16 vi32 vi64: P = P >> 3
logic i32 i64 vi8 vi16 vi32 vi64: P = P ^ O
compare i32 i64: P = P < O
select i32 i64: P = P < O ? P : Q
convert f32 f64: P = (int)P
forward i32 i64 f32 f64: P = *(volatile T *)&P
END
}

# hw_fn_statement TYPE STATEMENT INIT: readies the tables; hw_error says in one line what is wrong. STATEMENT assigns to P,
# from P and from O and Q, which stay as they are; INIT has what they start with, as in "P = 1, O = 0.5". Vectors of whole
# numbers take the place of those of floating point.
hw_fn_statement ()
{
  hw_error=
  hw_statement=$2
  hw_row=$1
  case $1 in
  I32 | I64) hw_kind=i ;;
  F32 | F64 | VF32 | VF64) hw_kind=f ;;
  VI8 | VI16 | VI32) hw_kind=f hw_row=VF32 ;;
  VI64) hw_kind=f hw_row=VF64 ;;
  *)
    hw_error="$1: no such type (there are I32 I64 F32 F64 VF32 VF64 VI8 VI16 VI32 VI64)"
    return 1 ;;
  esac
  hw_compiled="HW_LAT_DIV_${hw_row}_X100 HW_RTP_DIV_${hw_row}_X100 HW_ILP_DIV_$hw_row"
  mkdir -p $hw_scratch/analysis/rows || return
  hw_compile="$hw_compile -I$hw_scratch" # this table is found first
  hw_error=$(STATEMENT=$2 INIT=$3 LC_ALL=C ${AWK-awk} -v type=$1 -v row=$hw_row -v kind=$hw_kind -v to=$hw_scratch '
    function fail(text) { print text; failed = 1; exit 1 }
    # The place of a name in text from there on, or 0.
    function place(name, text, from,  at, rest) {
      for (rest = substr(text, from); (at = index(rest, name)); rest = substr(text, from)) {
        if (!(substr(rest, at + 1, 1) ~ /[A-Za-z0-9_]/) && !(at + from > 2 && substr(text, from + at - 2, 1) ~ /[A-Za-z0-9_]/))
          return from + at - 1
        from += at
      }
      return 0
    }
    function quoted(text) {
      gsub(/\\/, "\\\\", text)
      gsub(/"/, "\\\"", text)
      return "\"" text "\""
    }
    BEGIN {
      said = text = ENVIRON["STATEMENT"]
      sub(/^[ \t]+/, "", text)
      sub(/[ \t;]+$/, "", text)
      if (text ~ /[;{}\n]/ || text !~ /^P *([-+*\/%&|^]|<<|>>)?=[^=]/)
        fail(said ": not one statement that assigns to P, as P = P * O + O")
      operator = substr(text, 2, index(text, "=") - 2)
      text = substr(text, index(text, "=") + 1)
      gsub(/ /, "", operator)
      sub(/^ +/, "", text)
      if (operator != "") text = "P " operator " (" text ")"
      if (!place("P", text, 1)) fail(said ": what P becomes does not depend on P: that is no chain")
      whole = text
      for (n = 1; (n = place("R", text, n)); n++) fail(said ": R: P, O and Q are the operands")
      for (n = 1; (n = place("Q", text, n)); n++) text = substr(text, 1, n - 1) "R" substr(text, n + 1)
      for (n = 1; (n = place("O", text, n)); n++) text = substr(text, 1, n - 1) "Q" substr(text, n + 1)
      start["P"] = start["O"] = start["Q"] = 1
      if (type ~ /I/) { start["P"] = 3; start["O"] = "(T)0x9e3779b97f4a7c15"; start["Q"] = 7 }
      count = split(ENVIRON["INIT"], part, /[,;]/)
      for (i = 1; i <= count; i++) {
        if (part[i] !~ /^ *[POQ] *= *[^ =]/) fail("--init=" ENVIRON["INIT"] ": not as P = 1, O = 0.5")
        name = part[i]
        gsub(/^ +| *=.*/, "", name)
        sub(/[^=]*= */, "", part[i])
        start[name] = part[i]
      }
    }
    /^HW_TYPE\(/ {
      split($0, part, /[(,] */)
      if (toupper(part[2]) == substr(row, length(row) - 2)) {
        name = part[4]
        gsub(/"/, "", name)
        if (type ~ /^VI/) {
          name = "uint" substr(type, 3) "_t"
          $0 = "HW_TYPE(" part[2] ", f, \"" name "\", " substr(type, 3) / 8 ", \"\")"
        }
      }
    }
    /^HW_OPERATION\(/ && !done {
      done = 1
      for (n = 1; type !~ /^V/ && (n = place("T", text, n)); n += length(name)) text = substr(text, 1, n - 1) name substr(text, n + 1)
      print "HW_OPERATION(div, " kind ", " quoted(text) ", " quoted(start["P"]) ", " quoted(start["O"]) ", " \
        quoted(start["Q"]) ", ANY, \"\", NONE)" >(to "/analysis/rows/operations.def")
    }
    { print >(to "/analysis/rows/operations.def") }
    END {
      if (failed) exit 1
      print "#include <math.h>\n#include <stdint.h>\ntypedef " name " T" \
        (type ~ /^V/ ? " __attribute__((vector_size(16)))" : "") ";\n" >(to "/statement.c")
      print "T hw_statement(T P, T O, T Q);\nT hw_statement(T P, T O, T Q) {\n  P = " whole ";\n  (void)O, (void)Q;\n  return P;\n}" >(to "/statement.c")
      print "#include <stdint.h>\ntypedef " name " T;\nT hw_start[] = {\n" start["P"] ", " start["O"] ", " start["Q"] "};" >(to "/init.c")
    }' "$hw_dir/analysis/rows/operations.def") || return 1
  hw_fn_statement_compiles statement "$2" && hw_fn_statement_compiles init "--init=$3"
}

# hw_fn_written: as that of build.sh, with what a statement may call; and choices need not become branches.
hw_fn_written ()
{
  hw_ungenerated='it does not compile'
  hw_fn_writer
  $hw_scratch/hwnano$EXEEXT $hw_scratch/nano 3 $(hw_fn_tell loops $hw_compiled) >&5 2>&1 || return
  for hw_part in 1 2 3; do
    mv $hw_scratch/nano.$hw_part.c $hw_scratch/nano.c &&
      {
        printf '%s\n' '#include <math.h>' '#include "probes/nano/table.h"' '#undef HW_NANO_BRIEF' \
          '#if defined __GNUC__ && defined __OPTIMIZE__ && !defined __clang__ && !defined __INTEL_COMPILER' \
          '#define HW_NANO_BRIEF __attribute__((optimize("O1", "expensive-optimizations", "no-thread-jumps")))' '#else' \
          '#define HW_NANO_BRIEF' '#endif' && cat $hw_scratch/nano.c
      } >$hw_scratch/nano.$hw_part.c || return
  done
}

# hw_fn_statement_compiles NAME WHAT: whether that file in hw_scratch does; hw_error is what the compiler says of it.
hw_fn_statement_compiles ()
{
  $hw_compile -c -o $hw_scratch/$1.$OBJEXT $hw_scratch/$1.c >$hw_scratch/$1.said 2>&1 </dev/null && return
  cat $hw_scratch/$1.said >&5
  hw_error=$(sed -n 's/.*error: *//p' $hw_scratch/$1.said | sed 1q)
  test -n "$hw_error" || hw_error=$(sed -n '1s/.*[0-9]: //p' $hw_scratch/$1.said) # as a shell says that there is no compiler
  hw_error="$2: does not compile${hw_error:+: $hw_error}"
  return 1
}

# hw_fn_statement_time OPTION...: builds the program, has it measure with these options, and prints lines "lat VALUE", in
# hundredths of cycles, "rtp VALUE" and "ilp VALUE", each with LOW and HIGH behind it if it has a range, or "lat unknown WHY".
# If that fails hw_error says why.
hw_fn_statement_time ()
{
  hw_error='the compiler makes no program, config.log or --verbose has why'
  hw_fn_probes || {
    test -z "$hw_unfit" || hw_error=$hw_unfit
    return 1
  }
  test -z "$hw_ungenerated" || {
    hw_error="$hw_statement: $hw_ungenerated (it may call functions of math.h, and no other)"
    return 1
  }
  hw_error=
  $hw_scratch/hwprobe$EXEEXT "$@" $hw_compiled >$hw_scratch/answers 2>&5 </dev/null
  hw_status=$?
  case $hw_status in
  0) ;;
  3) hw_error="$*: one of the processors cannot be had" ;;
  132) hw_error='the flags ask for instructions that this processor lacks' ;;
  136) hw_error='the statement divides by zero; give other operands by --init' ;;
  *) hw_error="the program that measures ended with status $hw_status" ;;
  esac
  test $hw_status = 0 || return 1
  ${AWK-awk} '
    /^HW_/ { value[substr($1, 4, 3)] = $3; delete range[substr($1, 4, 3)] }
    $1 == "#" && $3 == "range" { range[substr($2, 4, 3)] = " " $4 " " $5 }
    $1 == "#" && $3 == "unknown:" { name = substr($2, 4, 3); delete value[name]; why[name] = $0; sub(/.* unknown: /, "", why[name]) }
    END {
      n = split("LAT RTP ILP", row, " ")
      for (i = 1; i <= n; i++)
        print tolower(row[i]), row[i] in value ? value[row[i]] range[row[i]] : "unknown " why[row[i]]
    }' $hw_scratch/answers
}
