# SPDX-License-Identifier: MIT OR FSFAP
# ===========================================================================
#  hw_check_crossover.m4: from which size on one function is quicker
# ===========================================================================
#
# SYNOPSIS
#
#   HW_CHECK_CROSSOVER(NAME, FILE..., FIRST, SECOND, FROM, TO, [DEFAULT])
#
# DESCRIPTION
#
#   Measures from which n on the function SECOND of this package is quicker than
#   its function FIRST, and defines that as NAME in its config.h, as in
#
#     HW_CHECK_CROSSOVER([KARATSUBA_THRESHOLD], [tune.c], [by_school],
#       [by_karatsuba], [4], [1000], [32])
#
#   Both are functions of FILE, a source below the top of the package:
#
#     void by_school(long n);
#
#   A call does the work of size n once, on data that FILE keeps itself, and what
#   it computes goes where a compiler has to leave it. They may be static. The file is compiled as
#   a part of a program of its own, with CC, CPPFLAGS, CFLAGS, LDFLAGS and LIBS as
#   they are by then, and finds in config.h what has been defined by then. More
#   FILEs, separated by blanks, are compiled beside it.
#
#   Both are timed in turns on one processor, first at FROM, then at twice that and
#   so on, until SECOND has become the quicker one, but no further than TO; then
#   between. A size is decided by a sign test that is wrong once in a million times;
#   what noise leaves open is unknown (analysis/crossover.h). It takes some tenths of a
#   second, and 5 seconds at most (1 with --with-hw-effort=quick, 20 with thorough), or
#   --with-hw-budget.
#
#   NAME is
#
#     the size         from which on SECOND is the quicker one: FROM if it is from the start
#     2147483647       where it never is, up to TO
#     DEFAULT          where that is unknown, or nothing can be run here: cross compiling,
#                      --disable-hw-measure, SOURCE_DATE_EPOCH; without a DEFAULT
#                      it is undefined then
#
#   It is a variable of the shell and of make too, empty where it is undefined. A value is
#   given as the cache variable of that name in lower case, to configure or in a CONFIG_SITE:
#   hw_cv_crossover_karatsuba_threshold=40, or never, or unknown for the default.
#   In a cache it stays as long as processor, compiler, flags and FILEs are the same, and
#   config.status --recheck repeats it.
#
#   Call it after the checks of what the functions need, and either HW_INIT, where this package
#   calls the macros of hwconfig, or HW_CONFIG_SUBDIR, where it has a hwconfig below
#   it, in whose folder m4 this file is to be copied from.
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

AC_DEFUN([HW_CHECK_CROSSOVER],
[m4_if(m4_eval([$# > 5])m4_eval([$# < 8]), [11], [],
  [m4_fatal([HW_CHECK_CROSSOVER: $# arguments instead of a name, files, two functions, the first size and the last, and a default])])dnl
m4_foreach([_HW_word], [[$1], [$3], [$4]],
  [m4_bmatch(m4_defn([_HW_word]), [^[A-Za-z_][A-Za-z0-9_]*$], [], [m4_fatal([HW_CHECK_CROSSOVER($1): ]m4_defn([_HW_word])[: not a name in C])])])dnl
m4_foreach([_HW_word], [[$5], [$6], m4_default_quoted([$7], [1])],
  [m4_bmatch(m4_defn([_HW_word]), [^[1-9][0-9]?[0-9]?[0-9]?[0-9]?[0-9]?[0-9]?[0-9]?[0-9]?$], [], [m4_fatal([HW_CHECK_CROSSOVER($1): ]m4_defn([_HW_word])[: not a size from 1 to 999999999])])])dnl
m4_if(m4_eval([$5 < $6]), [1], [], [m4_fatal([HW_CHECK_CROSSOVER($1): the first size, $5, is not below the last, $6])])dnl
m4_ifval(m4_normalize([$2]), [], [m4_fatal([HW_CHECK_CROSSOVER($1): name a file of the package that has $3 and $4])])dnl
AC_REQUIRE([_HW_CROSSOVER])dnl
AC_SUBST([$1])dnl
for hw_file in $2; do
  AS_IF([test -f "$srcdir/$hw_file"], [], [AC_MSG_ERROR([$srcdir/$hw_file: no such file], [2])])
done
AC_MSG_CHECKING([from which n on $4 is quicker than $3])
hw_fn_crossover m4_tolower([$1]) $3 $4 $5 $6 $2
AS_IF([test -n "$hw_error"], [
  AC_MSG_RESULT([])
  AC_MSG_ERROR([$hw_error], [2])])
$1=$hw_number
m4_ifval([$7], [AS_IF([test -z "$hw_number"], [
  $1=$7
  AS_VAR_APPEND([hw_text], [", $7 by default"])])])
AC_MSG_RESULT([$hw_text])
AS_IF([test -n "$$1"], [AC_DEFINE_UNQUOTED([$1], [$$1], [from which n on $4 is quicker than $3])])
])# HW_CHECK_CROSSOVER


# _HW_CROSSOVER
# -------------
# hw_fn_crossover KEY FIRST SECOND FROM TO FILE... sets hw_number, the size, or nothing where it is
# unknown, and hw_text, what is said; or hw_error. What was measured goes to the cache,
# in hw_cv_crossover_KEY, and in hw_cv_crossover_KEY_of, of what it was measured. A value without that, or
# another one, was given.
AC_DEFUN([_HW_CROSSOVER],
[AC_REQUIRE([AC_PROG_CC])dnl
m4_ifdef([_HW_ROWS], [AC_REQUIRE([HW_INIT])hw_there=$hw_dir],
  [m4_ifdef([_HW_SUBDIR], [hw_there=$srcdir/_HW_SUBDIR],
    [m4_fatal([HW_CHECK_CROSSOVER: call HW_INIT or HW_CONFIG_SUBDIR first])])])
AS_IF([test -f "$hw_there/probes/crossover/hwcrossover.c"], [],
  [AC_MSG_ERROR([$hw_there/probes/crossover/hwcrossover.c: no such file: it belongs there (make embed or make vendor copies it, of ROWS with CROSSOVER among them; EXTRA_DIST takes it into a tarball)], [2])])
hw_crossovers=
hw_fn_crossover ()
{
  hw_key=$[]1 hw_first=$[]2 hw_second=$[]3 hw_from=$[]4 hw_to=$[]5
  shift; shift; shift; shift; shift
  hw_number= hw_error= hw_idle_text=
  AS_IF([test "$enable_hw_measure" = no], [hw_idle_text='--disable-hw-measure was given'],
    [test "${SOURCE_DATE_EPOCH+set}" = set], [hw_idle_text='SOURCE_DATE_EPOCH is set'],
    [test "$cross_compiling" != no], [hw_idle_text='this is a cross compilation'])
  AS_VAR_APPEND([hw_crossovers], [" $hw_key"])
  eval "hw_answer=\$hw_cv_crossover_$hw_key hw_kept=\$hw_cv_crossover_${hw_key}_of"
  hw_of=
  AS_IF([test -z "$hw_idle_text$hw_answer"], [hw_of=`hw_fn_crossover_of "$[]@"`],
    [test -n "$hw_kept"], [hw_of=`hw_fn_crossover_of "$[]@"`])
  case $ac_configure_args in
  *" 'hw_cv_crossover_$hw_key="*) hw_text=' (given)' ;;
  *)
    hw_text=' (given)'
    case $hw_answer,$hw_kept in
    "${hw_kept%% *},$hw_answer $hw_of") hw_text=' (cached)' ;;
    "${hw_kept%% *},$hw_answer "*) hw_answer= ;;
    esac ;;
  esac
  AS_IF([test -z "$hw_answer"], [
    hw_text=
    AS_IF([test -n "$hw_idle_text"], [hw_answer="unknown $hw_idle_text"],
      [hw_fn_crossover_run "$[]@"])])
  hw_fn_crossover_take
}
# hw_fn_crossover_take: the number and the text of hw_answer, and what of it is kept.
hw_fn_crossover_take ()
{
  hw_word=${hw_answer%% *}
  case $hw_word in
  unknown)
    hw_answer=${hw_answer@%:@unknown}
    hw_text="unknown${hw_answer:+ (${hw_answer@%:@ })}$hw_text" ;;
  never)
    hw_number=2147483647
    hw_text="never, up to $hw_to$hw_text" ;;
  0* | *@<:@!0-9@:>@* | ??????????*) hw_error="hw_cv_crossover_$hw_key=$hw_word: not a size from 1 to 999999999, never or unknown" ;;
  *)
    hw_number=$hw_word
    case $hw_answer in
    *' '*) hw_text=" (${hw_answer@%:@* })" && hw_text=`AS_ECHO(["$hw_text"]) | sed 's/ \(@<:@0-9@:>@*\))/ to \1)/'` ;;
    esac
    hw_text=$hw_word$hw_text ;;
  esac
  eval "hw_crossover_$hw_key=\$hw_word"
  # What was given, or is unknown, is not for the next run.
  case $hw_word,$hw_of,$hw_text in
  unknown,* | *,,* | *'(given)') hw_kept= ;;
  *) hw_kept="$hw_word $hw_of" ;;
  esac
  eval "hw_cv_crossover_${hw_key}_of=\$hw_kept hw_cv_crossover_$hw_key=\${hw_kept%% *}"
  test -n "$hw_kept" || unset hw_cv_crossover_${hw_key}_of hw_cv_crossover_$hw_key
}
# hw_fn_crossover_of FILE...: prints a sum of what a measurement is of.
hw_fn_crossover_of ()
{
  {
    (. "$hw_there/probes/machine.sh"; hw_fn_machine /proc; AS_ECHO(["$hw_machine"]))
    $CC --version
    AS_ECHO(["$CC,$CPPFLAGS,$CFLAGS,$LDFLAGS,$LIBS,$hw_first,$hw_second,$hw_from,$hw_to"])
    cat "$hw_there/probes/crossover/hwcrossover.c" confdefs.h
    for hw_file; do
      cat "$srcdir/$hw_file"
    done
  } 2>/dev/null </dev/null | cksum 2>/dev/null | sed 's/ /-/'
}
# hw_fn_crossover_compile NAME: whether conftest.hwc/NAME.c becomes an object.
hw_fn_crossover_compile ()
{
  for hw_word in -w ''; do
    $CC $CPPFLAGS $CFLAGS -DHAVE_CONFIG_H $hw_word -Iconftest.hwc -I. "-I$srcdir" -c -o conftest.hwc/$[]1.$OBJEXT \
      conftest.hwc/$[]1.c >&AS_MESSAGE_LOG_FD 2>&1 && return
  done
  return 1
}
# hw_fn_crossover_wrap NAME FILE FUNCTION...: writes the source that has FILE and names these functions, and compiles it.
hw_fn_crossover_wrap ()
{
  hw_object=$[]1
  {
    cat confdefs.h
    AS_ECHO(["@%:@include \"$srcdir/$[]2\""])
    shift; shift
    hw_list=
    for hw_word; do
      hw_list="$hw_list${hw_list:+, }$hw_word"
    done
    test -z "$hw_list" || AS_ECHO(["void (*const hw_crossover_of@<:@2@:>@) (long n) = {$hw_list};"])
    for hw_word; do
      AS_ECHO(["void $hw_word (long n);"])
    done
  } >conftest.hwc/$hw_object.c
  hw_fn_crossover_compile $hw_object
}
# hw_fn_crossover_build FILE...: the program; or sets hw_answer, or hw_error.
hw_fn_crossover_build ()
{
  hw_file=$[]1
  rm -f -r conftest.hwc
  mkdir conftest.hwc && cp confdefs.h conftest.hwc/config.h ||
    AC_MSG_ERROR([cannot create a folder in the build folder])
  hw_fn_crossover_wrap functions "$hw_file" $hw_first $hw_second || {
    hw_answer="unknown $hw_file does not compile, config.log has why"
    hw_fn_crossover_wrap alone "$hw_file" || return 1
    for hw_name in $hw_first $hw_second; do
      hw_fn_crossover_wrap one "$hw_file" $hw_name || {
        hw_error="$hw_file: no function void $hw_name (long n) is in it"
        return 1
      }
    done
    return 1
  }
  AS_ECHO(['@%:@include "probes/crossover/hwcrossover.c"']) >conftest.hwc/timer.c
  shift
  hw_list=
  for hw_name; do
    hw_list="$hw_list $srcdir/$hw_name"
  done
  # What is timed is not to become a part of what times it.
  for hw_word in '-w -fno-lto' -w ''; do
    $CC $CPPFLAGS $CFLAGS $hw_word "-I$hw_there" -c -o conftest.hwc/timer.$OBJEXT conftest.hwc/timer.c >&AS_MESSAGE_LOG_FD 2>&1 && break
  done
  hw_answer="unknown the program with $hw_file does not link, config.log has why"
  $CC $CPPFLAGS $CFLAGS -DHAVE_CONFIG_H -Iconftest.hwc -I. "-I$srcdir" $LDFLAGS -o conftest.hwc/crossover$EXEEXT \
    conftest.hwc/functions.$OBJEXT conftest.hwc/timer.$OBJEXT $hw_list $LIBS -lm >&AS_MESSAGE_LOG_FD 2>&1
}
hw_fn_crossover_run ()
{
  hw_fn_crossover_build "$[]@" || return 0
  case $with_hw_effort in
  quick) hw_seconds=1 ;;
  thorough) hw_seconds=20 ;;
  *) hw_seconds=5 ;;
  esac
  LC_ALL=C ./conftest.hwc/crossover$EXEEXT $hw_from $hw_to $hw_seconds $with_hw_budget >conftest.hwc/answer 2>&AS_MESSAGE_LOG_FD </dev/null
  hw_status=$?
  hw_answer=`sed -n '$p' conftest.hwc/answer`
  case $hw_status in
  0) ;;
  142) hw_answer='unknown a function takes too long' ;;
  *) hw_answer="unknown the program with the functions ended with status $hw_status" ;;
  esac
}
AC_CONFIG_COMMANDS_PRE([for hw_key in $hw_crossovers; do
  eval "hw_answer=\$hw_crossover_$hw_key"
  ac_configure_args=`AS_ECHO(["$ac_configure_args"]) | sed "s/ 'hw_cv_crossover_$hw_key=@<:@^'@:>@*'//g"`" 'hw_cv_crossover_$hw_key=$hw_answer'"
done])
])# _HW_CROSSOVER
