# SPDX-License-Identifier: MIT OR FSFAP
# ===========================================================================
#  hw_check_statement.m4: what a statement in C costs
# ===========================================================================
#
# SYNOPSIS
#
#   HW_CHECK_STATEMENT(NAME, TYPE, STATEMENT, [INIT], [DEFAULT])
#
# DESCRIPTION
#
#   Measures the latency and the reciprocal throughput of STATEMENT, and how many are in
#   flight at once, and defines NAME_LAT_X100 and NAME_RTP_X100, in hundredths of
#   cycles, and NAME_ILP in config.h of this package, as in
#
#     HW_CHECK_STATEMENT([AXPY], [F64], [P = P * O + Q], [P = 1, O = 0.5])
#
#   STATEMENT assigns to P; what it assigns depends on P, on O and Q, which stay
#   as they are, and on nothing else, and may call functions of math.h. TYPE is that of all three: F64, F32,
#   I64, I32 (whole numbers are unsigned), or VF64, VF32, VI64, VI32, VI16 or VI8, vectors of
#   GNU C of the machine's width. INIT has what they start with, constants of C: 1 where it does not say,
#   of whole numbers 3, a long odd number and 7.
#
#   The latency is the time from one to the next that depends on it: a loop that
#   waits for each result takes as long. The reciprocal throughput is the time to the next that does
#   not, and NAME_ILP the number of independent ones, as accumulators of a sum, from
#   which on a loop takes no less. It is compiled with CC, CPPFLAGS, CFLAGS, LDFLAGS and
#   LIBS as they are by then, and timed as the costs of operations of hwconfig are, which takes some
#   seconds, with the compiler's time; --with-hw-effort and --with-hw-budget hold.
#
#   A value that is not clear is undefined, or that of DEFAULT: three numbers, separated by blanks,
#   in the order above, as in [400 50 8]. So are all where nothing can be run: cross compiling,
#   --disable-hw-measure, SOURCE_DATE_EPOCH.
#
#   They are variables of the shell and of make too, empty where undefined. Values are given as the
#   cache variable of that name in lower case, to configure or in a CONFIG_SITE:
#   hw_cv_statement_axpy='400 50 8', where a number may be unknown, or unknown for all.
#   In a cache they stay as long as processor, compiler, flags and statement are the
#   same, and config.status --recheck repeats them.
#
#   Call it after either HW_INIT, where this package calls the macros of hwconfig, or
#   HW_CONFIG_SUBDIR, where it has a hwconfig below it, a whole copy (make vendor or make embed
#   without ROWS), in whose folder m4 this file is to be copied from.
#
# LICENSE
#
#   Copyright (c) The hwconfig authors
#
#   Copying and distribution of this file, with or without modification,
#   are permitted in any medium without royalty provided the copyright
#   notice and this notice are preserved. This file is offered as-is,
#   without any warranty.

#serial 1

AC_DEFUN([HW_CHECK_STATEMENT],
[m4_if(m4_eval([$# > 2])m4_eval([$# < 6]), [11], [],
  [m4_fatal([HW_CHECK_STATEMENT: $# arguments instead of a name, a type, a statement, what operands start with, and defaults])])dnl
m4_bmatch([$1], [^[A-Za-z_][A-Za-z0-9_]*$], [], [m4_fatal([HW_CHECK_STATEMENT($1): not a name in C])])dnl
m4_bmatch([$2], [^\(I32\|I64\|V?F32\|V?F64\|VI8\|VI16\|VI32\|VI64\)$], [],
  [m4_fatal([HW_CHECK_STATEMENT($1): $2: no such type (there are I32 I64 F32 F64 VF32 VF64 VI8 VI16 VI32 VI64)])])dnl
m4_bmatch(m4_default_quoted([$5], [1 1 1]), [^[1-9][0-9]* [1-9][0-9]* [1-9][0-9]*$], [],
  [m4_fatal([HW_CHECK_STATEMENT($1): $5: not three numbers: latency and throughput in hundredths of cycles, and the number in flight])])dnl
m4_bmatch([$3$4], ['], [m4_fatal([HW_CHECK_STATEMENT($1): no single quotes, please])])dnl
AC_REQUIRE([_HW_STATEMENT])dnl
AC_SUBST([$1_LAT_X100])AC_SUBST([$1_RTP_X100])AC_SUBST([$1_ILP])dnl
AC_MSG_CHECKING([latency, throughput and number in flight of $3])
hw_fn_statements m4_tolower([$1]) $2 '[$3]' '[$4]'
AS_IF([test -n "$hw_error"], [
  AC_MSG_RESULT([])
  AC_MSG_ERROR([$hw_error], [2])])
m4_ifval([$5], [hw_fn_statement_default $hw_numbers $5
])dnl
AC_MSG_RESULT([$hw_text])
set x $hw_numbers
shift
m4_foreach([_HW_word], [LAT_X100, RTP_X100, ILP],
[$1_[]_HW_word=$[]1
shift
AS_CASE([$$1_[]_HW_word], [unknown], [$1_[]_HW_word=],
  [AC_DEFINE_UNQUOTED([$1_]_HW_word, [$$1_]_HW_word, [of $3: ]m4_case(_HW_word,
    [LAT_X100], [latency in hundredths of cycles], [RTP_X100], [reciprocal throughput in hundredths of cycles], [in flight at once]))])
])])# HW_CHECK_STATEMENT


# _HW_STATEMENT
# -------------
# hw_fn_statements KEY TYPE STATEMENT INIT sets hw_numbers, three words, which are numbers or unknown, and hw_text,
# what is said; or hw_error. What was measured goes to the cache, in hw_cv_statement_KEY, and in
# hw_cv_statement_KEY_of of what it was measured. Values without that, or with another one, were given.
AC_DEFUN([_HW_STATEMENT],
[AC_REQUIRE([AC_PROG_CC])AC_REQUIRE([AC_PROG_AWK])dnl
m4_ifdef([_HW_ROWS], [AC_REQUIRE([HW_INIT])hw_there=$hw_dir],
  [m4_ifdef([_HW_SUBDIR], [hw_there=$srcdir/_HW_SUBDIR],
    [m4_fatal([HW_CHECK_STATEMENT: call HW_INIT or HW_CONFIG_SUBDIR first])])])
AS_IF([test -f "$hw_there/probes/statement.sh"], [],
  [AC_MSG_ERROR([$hw_there/probes/statement.sh: no such file: it belongs there (make embed or make vendor copies it, without ROWS; EXTRA_DIST takes it into a tarball)], [2])])
hw_statements=
hw_fn_statements ()
{
  hw_key=$[]1
  shift
  hw_error= hw_idle_text= hw_of=
  AS_IF([test "$enable_hw_measure" = no], [hw_idle_text='--disable-hw-measure was given'],
    [test "${SOURCE_DATE_EPOCH+set}" = set], [hw_idle_text='SOURCE_DATE_EPOCH is set'],
    [test "$cross_compiling" != no], [hw_idle_text='this is a cross compilation'])
  AS_VAR_APPEND([hw_statements], [" $hw_key"])
  eval "hw_answer=\$hw_cv_statement_$hw_key hw_kept=\$hw_cv_statement_${hw_key}_of"
  AS_IF([test -z "$hw_idle_text$hw_answer" || test -n "$hw_kept"], [hw_of=`hw_fn_statement_of "$[]@"`])
  hw_text=' (given)'
  case $ac_configure_args in
  *" 'hw_cv_statement_$hw_key="*) ;;
  *)
    case $hw_kept in
    '') ;;
    "$hw_of") hw_text=' (cached)' ;;
    *) hw_answer= ;;
    esac ;;
  esac
  hw_why=
  AS_IF([test -z "$hw_answer"], [
    hw_text=
    AS_IF([test -n "$hw_idle_text"], [hw_answer=unknown hw_why=" ($hw_idle_text)"],
      [hw_fn_statement_run "$[]@"])])
  AS_CASE([$hw_error], [?*], [return])
  test "x$hw_answer" != xunknown || hw_answer='unknown unknown unknown'
  hw_numbers=$hw_answer
  case " $hw_numbers " in
  *@<:@!0-9unkow\ @:>@* | *' 0'* | *' '*' '*' '*' '?*) hw_error=x ;;
  *' '?*' '?*' '?*' ') ;;
  *) hw_error=x ;;
  esac
  for hw_word in $hw_numbers; do
    case $hw_word in
    unknown) ;;
    *@<:@!0-9@:>@* | ??????????*) hw_error=x ;;
    esac
  done
  AS_IF([test -n "$hw_error"], [
    hw_error="hw_cv_statement_$hw_key=$hw_answer: not three numbers: latency and throughput in hundredths of cycles, and the number in flight; or unknown"
    return])
  hw_text=`AS_ECHO(["$hw_numbers"]) | $AWK '!/0|1|2|3|4|5|6|7|8|9/ { print "unknown"; exit }
    { print ($[]1 ~ /u/ ? $[]1 : $[]1 / 100) ", " ($[]2 ~ /u/ ? $[]2 : $[]2 / 100) " cycles, " $[]3 }'`$hw_why$hw_text
  # What was given, or is unknown, is not for the next run.
  eval "hw_statement_$hw_key=\$hw_numbers hw_cv_statement_$hw_key=\$hw_numbers hw_cv_statement_${hw_key}_of=\$hw_of"
  case $hw_of,$hw_numbers,$hw_text in
  ,* | *unknown* | *'(given)') unset hw_cv_statement_$hw_key hw_cv_statement_${hw_key}_of ;;
  esac
}
# hw_fn_statement_default NUMBER... DEFAULT...: puts the latter three in place of those of the former three that are unknown.
hw_fn_statement_default ()
{
  case $hw_numbers in
  *unknown*) hw_text="$hw_text, $[]4 $[]5 $[]6 by default" ;;
  esac
  hw_numbers=
  for hw_word in 1 2 3; do
    case $[]1 in
    unknown) hw_numbers="$hw_numbers $[]4" ;;
    *) hw_numbers="$hw_numbers $[]1" ;;
    esac
    shift
  done
}
# hw_fn_statement_of TYPE STATEMENT INIT: prints a sum of what a measurement is of.
hw_fn_statement_of ()
{
  {
    (. "$hw_there/probes/machine.sh"; hw_fn_machine /proc; AS_ECHO(["$hw_machine"])
    hw_dir=$hw_there; . "$hw_there/probes/build.sh"; hw_fn_serial)
    $CC --version
    AS_ECHO(["$CC,$CPPFLAGS,$CFLAGS,$LDFLAGS,$LIBS,$[]1,$[]2,$[]3"])
    cat "$hw_there/probes/statement.sh"
  } 2>/dev/null </dev/null | cksum 2>/dev/null | sed 's/ /-/'
}
# hw_fn_statement_run TYPE STATEMENT INIT: sets hw_answer and hw_why, or hw_error. All that it needs stays in a process of its own.
hw_fn_statement_run ()
{
  rm -f -r conftest.hws
  mkdir conftest.hws || AC_MSG_ERROR([cannot create a folder in the build folder])
  hw_answer=`(
    exec 5>&AS_MESSAGE_LOG_FD
    hw_dir=$hw_there hw_scratch=conftest.hws hw_compile="$CC $CPPFLAGS $CFLAGS" hw_pids= hw_beside= hw_libs=
    . "$hw_dir/probes/build.sh"
    . "$hw_dir/probes/statement.sh"
    { hw_fn_statement "$[]@" || { AS_ECHO(["bad $hw_error"]); exit; } } 2>&5
    { hw_fn_statement_time --effort=${with_hw_effort:-default} --budget=${with_hw_budget:-20} ${with_hw_cpus:+"--cpus=$with_hw_cpus"} ||
      AS_ECHO(["why $hw_error"]); } 2>&5
  )`
  rm -f -r conftest.hws
  case $hw_answer in
  'bad '*) hw_error=${hw_answer@%:@bad } ;;
  'why '*) hw_why=" (${hw_answer@%:@why })" hw_answer=unknown ;;
  *)
    hw_why=`AS_ECHO(["$hw_answer"]) | sed -n 's/^@<:@a-z@:>@* unknown / (/p' | sed -n '1s/$/)/p'`
    hw_answer=`AS_ECHO(["$hw_answer"]) | sed 's/^@<:@a-z@:>@* \(@<:@a-z0-9@:>@*\).*/\1/'`
    hw_answer=`echo $hw_answer` ;;
  esac
}
AC_CONFIG_COMMANDS_PRE([for hw_key in $hw_statements; do
  eval "hw_answer=\$hw_statement_$hw_key"
  ac_configure_args=`AS_ECHO(["$ac_configure_args"]) | sed "s/ 'hw_cv_statement_$hw_key=@<:@^'@:>@*'//g"`" 'hw_cv_statement_$hw_key=$hw_answer'"
done])
])# _HW_STATEMENT
