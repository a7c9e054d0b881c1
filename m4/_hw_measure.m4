# _hw_measure.m4: whether to measure, for whom, and how the probes are run.
#
# SPDX-License-Identifier: MIT OR FSFAP
# Copyright (c) The hwconfig authors
#
# Copying and distribution of this file, with or without modification, are
# permitted in any medium without royalty provided the copyright notice and
# this notice are preserved. This file is offered as-is, without any warranty.

# _HW_START
# ---------
# What the first check needs: a compiler, then
#   hw_idle             why nothing is run, or empty
#   hw_cv_fingerprint   the machine and compiler of the values, or empty
#   hw_maker            the part of it that is the compiler's, the flags' and
#                       the probes': what they are called, and a sum of what the
#                       compiler makes, as a wrapper or a file may add flags
#   hw_flags            the flags, without what names a file or folder
#   hw_vectors          the names of the compiler's macros that tell which vectors
#                       and multiply-adds it uses, with _hw before each, and behind
#                       it its value, or itself if it is not defined
AC_DEFUN([_HW_START],
[AC_REQUIRE([HW_INIT])dnl
AC_REQUIRE([AC_PROG_CC])dnl
_HW_SPEAK([yes])
AS_IF([test "$enable_hw_measure" = no], [hw_idle='--disable-hw-measure was given'],
  [test "${SOURCE_DATE_EPOCH+set}" = set], [hw_idle='SOURCE_DATE_EPOCH is set'],
  [test "$cross_compiling" != no], [hw_idle='this is a cross compilation'],
  [hw_idle=])
# What a package around has set: see hw_config_subdir.m4.
for hw_name in CC CFLAGS CPPFLAGS LDFLAGS; do
  eval "test -z \"\${hw_outer_$hw_name+set}\" || $hw_name=\$hw_outer_$hw_name"
done
AC_SUBST([hw_maker])dnl
hw_maker=
hw_flags=
hw_fn_maker ()
{
  hw_compiler=`{ $CC --version || $CC -V; } 2>/dev/null </dev/null | sed 1q`
  set x $CC
  shift; shift
  hw_flags=
  for hw_word in "$[]@" $CPPFLAGS $CFLAGS $LDFLAGS; do
    case $hw_word in
    */*) ;;
    *) hw_flags="$hw_flags $hw_word" ;;
    esac
  done
  {
    AS_ECHO(['@%:@define HW_TEXT(x) @%:@x'])
    AS_ECHO(['@%:@define HW_VALUE(x) HW_TEXT(x)'])
    for hw_word in __riscv_vector __VSX__ __ALTIVEC__ __ARM_FEATURE_SVE __ARM_FEATURE_FMA __ARM_NEON __FMA__ __AVX512F__ __AVX__ __SSE2__; do
      AS_ECHO(["char hw$hw_word@<:@@:>@ = \"hw_vectors _hw$hw_word \" HW_VALUE($hw_word);"])
    done
    AS_ECHO(['double hw_sum(double *a, float *b, int n) { double s = *a - *a; while (n-- > 0) s += a@<:@n@:>@ = a@<:@n@:>@ * b@<:@n@:>@ + 1; return s / *b; }'])
  } >conftest.c
  for hw_word in '-S -g0 -w -fno-lto' -c; do
    $CC $CPPFLAGS $CFLAGS $hw_word -o conftest.s conftest.c 2>/dev/null && break
  done
  hw_made=`cksum 2>/dev/null <conftest.s`
  hw_vectors=
  while read -r hw_rest hw_text; do
    case $hw_text in
    '"hw_vectors '*)
      hw_text=${hw_text@%:@* }
      hw_vectors="$hw_vectors ${hw_text%%@<:@\\\"@:>@*}" ;;
    esac
  done 2>/dev/null <conftest.s
  rm -f conftest.c conftest.s
  hw_serial=`hw_fn_serial`
  hw_fn_print "$hw_compiler,$hw_flags,$hw_made,$hw_serial"
  hw_maker=$hw_print
}
AS_IF([test -r "$hw_dir/probes/machine.sh"], [. "$hw_dir/probes/machine.sh"; . "$hw_dir/probes/build.sh"; hw_fn_maker])
_HW_FINGERPRINT
hw_fn_keep "option idle $hw_idle" "option here $hw_fingerprint" "option fingerprint $hw_cv_fingerprint" "option processors $hw_cv_processors"
_HW_RECALL
_HW_PROBES
_HW_TERMINAL
_HW_CHECK_ROWS
])# _HW_START


# _HW_FINGERPRINT
# ---------------
# Values belong to a machine, a compiler with its flags, and the probes that
# measured them. Values of another machine in the cache are dropped, and a
# profile of another machine is refused; another kernel is only reported. The
# same happens if hw_untold says why nothing tells this machine from others.
# From a profile of another compiler, or of other flags, only those values are
# taken that do not depend on them. If we cross compile, only the architecture
# can be told, and the machine's own compiler may have been another: then the
# architecture and the probes must be the same.
#
# Values that depend on the set of processors belong to that set too, hw_processors:
# hw_cv_processors and hw_profile_processors have the set of the values.
#
# config.status --recheck gives the values and the fingerprint as arguments:
# hw_recheck. All else that is in a cache variable is recalled, which
# hw_cv_VALUE_src=7 says; it was measured once.
#
# No path goes into it, and no host name: it is written to files that travel.
AC_DEFUN([_HW_FINGERPRINT],
[hw_fingerprint= hw_untold= hw_processors=
case $ac_configure_args in
*" 'hw_cv_fingerprint="*) hw_recheck=yes ;;
*) hw_recheck=no ;;
esac
AS_IF([test "$enable_hw_fingerprint" = yes && test "$cross_compiling" = no && test -n "$hw_maker"],
  [AS_IF([test -z "$hw_idle" || test -n "$hw_cv_fingerprint$hw_profile_fingerprint"], [
    hw_fn_machine /proc
    hw_fingerprint=$hw_machine,$hw_maker
    hw_fn_set /proc "$with_hw_cpus"
    hw_processors=$hw_set
    test -n "$hw_told" || hw_untold='this system does not tell its processor from others'])])
case $enable_hw_fingerprint,$hw_maker in
yes,*,) hw_untold='there is no cksum, which tells versions of hwconfig apart' ;;
esac
AS_IF([test -n "$hw_untold" && test -n "$hw_profile_fingerprint"],
  [AC_MSG_ERROR([$with_hw_profile: no telling whether it is of this machine: $hw_untold (--disable-hw-fingerprint takes it as it is)], 2)])
test -n "$hw_compiler" || hw_untold='the compiler does not say which it is'
AS_IF([test "$enable_hw_fingerprint,$cross_compiling" = yes,yes && test -n "$hw_maker" && test -n "$hw_profile_fingerprint"], [
  hw_fn_architecture "_${host_alias%%-*}"
  hw_there=$hw_architecture
  hw_fn_architecture "${hw_profile_fingerprint%%,*}"
  case $hw_there,$hw_architecture in
  ,* | *, | "$hw_architecture,$hw_there") ;;
  *) AC_MSG_ERROR([$with_hw_profile: a profile of ${hw_profile_fingerprint%%,*}, while --host=$host_alias (--disable-hw-fingerprint takes it as it is)], 2) ;;
  esac
  AS_IF([test "${hw_profile_fingerprint@%:@@%:@*,}" != "${hw_maker@%:@@%:@*,}"],
    [AC_MSG_ERROR([$with_hw_profile: a profile of another version of hwconfig (--disable-hw-fingerprint takes it as it is)], 2)])])
AS_IF([test -n "$hw_fingerprint" && test -n "$hw_profile_fingerprint"], [
  hw_fn_kin "$hw_profile_fingerprint"
  hw_theirs=$hw_kin
  hw_fn_kin "$hw_fingerprint"
  AS_IF([test "x$hw_theirs" != "x$hw_kin"], [
    AS_ECHO(["hwconfig: the profile's: $hw_profile_fingerprint"]) >&AS_MESSAGE_LOG_FD
    AS_ECHO(["hwconfig: here:          $hw_fingerprint"]) >&AS_MESSAGE_LOG_FD
    hw_left=
    hw_fn_differs "$hw_theirs" "$hw_kin"
    case $hw_differs,${hw_profile_fingerprint@%:@@%:@*,} in
    "the compiler and flags "*,"${hw_fingerprint@%:@@%:@*,}") hw_fn_table drop "option drop profile compiler" ;;
    esac
    AS_IF([test -z "$hw_left"],
      [AC_MSG_ERROR([$with_hw_profile: a profile of $hw_differs (--disable-hw-fingerprint takes it as it is)], 2)])
    AC_MSG_NOTICE([hwconfig: the profile is of $hw_differs: what a compiler has a part in is not taken from it])],
    [test "x$hw_profile_fingerprint" != "x$hw_fingerprint"],
    [AC_MSG_NOTICE([hwconfig: the profile is of the system ${hw_profile_fingerprint%%,*}, this is ${hw_fingerprint%%,*}])])])
# hw_fn_elsewhere WHAT PREFIX: of the values hw_PREFIX_VALUE, which have a fingerprint, forgets what depends
# on the set of processors if that is another, or cannot be told.
hw_fn_elsewhere ()
{
  eval "hw_theirs=\$hw_$[]2_processors"
  case $hw_processors,$hw_theirs in
  ?*,"$hw_processors") return 0 ;;
  esac
  hw_kept=$[]2
  test $hw_kept = profile || hw_kept=cached
  hw_fn_table drop "option mixed $hw_mixed" "option drop $hw_kept processors"
  eval "hw_$[]2_processors="
  test -z "$hw_left" || AC_MSG_NOTICE([hwconfig: $[]1 is of the processors ${hw_theirs:-unknown}, here they are ${hw_processors:-unknown}: what depends on them is not taken from it])
}
AS_IF([test -z "$hw_fingerprint" || test -z "$hw_cv_fingerprint"], [],
  [test "x$hw_fingerprint" = "x$hw_cv_fingerprint" && { test $hw_recheck = yes || test -z "$hw_untold"; }], [],
  [test $hw_recheck = yes && hw_fn_kin "$hw_cv_fingerprint" && hw_theirs=$hw_kin && hw_fn_kin "$hw_fingerprint" && test "x$hw_theirs" = "x$hw_kin"], [], [
  AS_IF([test -n "$hw_untold"], [AC_MSG_NOTICE([dropping the cached values: $hw_untold])],
    [hw_fn_differs "$hw_cv_fingerprint" "$hw_fingerprint"
    AC_MSG_NOTICE([dropping the cached values: they are of $hw_differs])])
  AS_ECHO(["hwconfig: the cache's: $hw_cv_fingerprint"]) >&AS_MESSAGE_LOG_FD
  AS_ECHO(["hwconfig: here:        $hw_fingerprint"]) >&AS_MESSAGE_LOG_FD
  hw_cv_fingerprint=
  hw_fn_table drop "option drop cached all"])
AS_IF([test -n "$hw_fingerprint" && test -n "$hw_profile_fingerprint"], [hw_fn_elsewhere 'the profile' profile])
AS_IF([test $hw_recheck = no], [
  AS_IF([test -n "$hw_fingerprint" && test -n "$hw_cv_fingerprint"], [hw_fn_elsewhere 'the cache' cv])
  ! hw_fn_brought || hw_fn_table drop "option drop cached again"])
AS_IF([test -z "$hw_idle" && test -n "$hw_fingerprint"], 
  [hw_cv_fingerprint=$hw_fingerprint
  test $hw_recheck = yes || hw_cv_processors=$hw_processors],
  [test -z "$hw_cv_fingerprint"], [hw_cv_fingerprint=$hw_profile_fingerprint hw_cv_processors=$hw_profile_processors])
])# _HW_FINGERPRINT


# _HW_HWLOC
# ---------
# The probes, and nothing else, are compiled for hwloc and linked to it.
AC_DEFUN([_HW_HWLOC],
[AC_CACHE_CHECK([for hwloc], [ac_cv_lib_hwloc_set_cpubind],
  [hw_save_LIBS=$LIBS
  LIBS="-lhwloc $LIBS"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <hwloc.h>]],
      [[return hwloc_set_cpubind (NULL, NULL, HWLOC_CPUBIND_THREAD);]])],
    [ac_cv_lib_hwloc_set_cpubind=yes], [ac_cv_lib_hwloc_set_cpubind=no])
  LIBS=$hw_save_LIBS])
AS_IF([test $ac_cv_lib_hwloc_set_cpubind = no],
  [AC_MSG_ERROR([--with-hw-hwloc: there is no hwloc.h or no libhwloc], [2])])
hw_defines=-DHW_WITH_HWLOC
hw_libs=-lhwloc
])# _HW_HWLOC


# _HW_PROBES
# ----------
# hw_fn_build compiles the probes and their generated code, side by side, when the first value is to be
# measured; hw_built becomes yes or no.
#
# How is in probes/build.sh, which the command hwconfig and make probe-bundle
# share.
#
# hw_fn_measure has one process measure the rows of hw_ask, in that order, and prints what is known when it has said
# the last of a stage. At its end it measures unclear rows again, and these are printed again. If it dies, no row of
# its last batch is known, and another process is started for the rows that it had not told. What a process has said
# before it was killed for its time stands, and no other is started: nor is any once the budget is spent, which
# hw_fn_spent tells.
#
# Compilers and probes run in the background, because a shell that waits for a
# child in the foreground does not hear a signal before that child has ended:
# when configure is interrupted hw_pids and hw_beside are to die first. The answers come through a pipe, which
# another process in the background reads as far as they are wanted. Under -q they are in a file. Limits of time and memory the probes set themselves.
# The budget begins with the first compiler, at the time in conftest.hw/start, and
# stands still outside of our checks: hw_fn_pause and hw_fn_resume. hw_fn_left
# prints what a compiler may take of it: all, and of what is left later half.
#
# All that they make lies in conftest.hw, which configure removes when it
# ends, however it ends.
AC_DEFUN([_HW_PROBES],
[hw_defines=
hw_libs=
AS_IF([test "$with_hw_hwloc" = yes && test -z "$hw_idle"], [_HW_HWLOC])
hw_built=
hw_asked=
hw_over=
hw_ungenerated=
hw_limit=${hw_budget%%.*}
case $hw_budget in
*.*@<:@1-9@:>@*) AS_VAR_ARITH([hw_limit], [$hw_limit + 1]) ;;
esac
hw_pids= hw_beside=
for ac_signal in 1 2 13 15; do
  trap 'kill $hw_pids $hw_beside 2>/dev/null; ac_signal='$ac_signal'; as_fn_exit 1' $ac_signal
done
ac_signal=0
hw_fn_left ()
{
  hw_text=600
  test -z "$hw_budget" || {
    hw_fn_now
    hw_start=$hw_now
    read -r hw_start <conftest.hw/start
    AS_VAR_ARITH([hw_text], [$hw_limit - \( $hw_now - $hw_start \)])
    test "$hw_built" != yes || AS_VAR_ARITH([hw_text], [\( $hw_text + 1 \) / 2])
    test $hw_text -gt 0 || hw_text=1
  }
  echo $hw_text
}
hw_paused=
hw_fn_pause ()
{
  hw_fn_now
  test -z "$hw_built" || hw_paused=$hw_now
}
hw_fn_resume ()
{
  test -n "$hw_paused" || return 0
  hw_fn_now
  read -r hw_start <conftest.hw/start
  expr $hw_start + $hw_now - $hw_paused >conftest.hw/start
  hw_paused=
}
# Says how long it will take.
hw_fn_forecast ()
{
  read -r hw_least hw_forecast <<END
`hw_fn_tell seconds ${hw_compiled:-$hw_ask}`
END
  test -z "$hw_budget" || test $hw_forecast -le ${hw_budget%%.*} || hw_forecast=${hw_budget%%.*}
  hw_text="$hw_least to $hw_forecast"
  test $hw_least -lt $hw_forecast || hw_text=$hw_forecast
  hw_fn_busy /proc
  test -z "$hw_busy" || hw_busy="; the processors are busy ($hw_busy threads run), it may take longer and tell less"
  AS_IF([test $hw_terse = yes], [hw_fn_log "to measure takes about $hw_text s$hw_busy"],
    [AC_MSG_NOTICE([hwconfig: to measure takes about $hw_text s$hw_busy])])
}
# hw_fn_credit: of the default budget compilers use up no more than a quarter: beside other processes they would
# leave no time to measure.
hw_fn_credit ()
{
  test -n "$hw_budget" && test -z "$with_hw_budget" || return 0
  hw_fn_now
  read -r hw_start <conftest.hw/start
  AS_VAR_ARITH([hw_text], [$hw_now - $hw_limit / 4])
  test $hw_start -ge $hw_text || echo $hw_text >conftest.hw/start
}
hw_fn_build ()
{
  hw_fn_before /proc /sys/fs/cgroup
  hw_fn_forecast
  hw_fn_memory /proc /sys/fs/cgroup
  rm -f -r conftest.hw
  mkdir conftest.hw || AC_MSG_ERROR([cannot create a folder in the build folder])
  hw_fn_now
  echo $hw_now >conftest.hw/start
  hw_compile="$CC $CPPFLAGS $CFLAGS $hw_defines"
  hw_scratch=conftest.hw
  hw_built=no
  hw_fn_tick 'whether the probes compile'
  hw_fn_probes && hw_built=yes
  hw_fn_credit
  hw_fn_untick
  hw_fn_logged 'whether the probes compile' $hw_built
  hw_fn_line 'whether the probes compile' $hw_built
}
hw_fn_spent ()
{
  case $hw_over,$hw_limit in
  yes,*) return 0 ;;
  *,) return 1 ;;
  esac
  hw_fn_now
  read -r hw_start <conftest.hw/start
  AS_VAR_ARITH([hw_now], [$hw_now - $hw_start])
  test $hw_now -ge $hw_limit && hw_over=yes
}
hw_fn_mpi_compile ()
{
  test ! -f conftest.hw/stopped || return 1
  hw_left=`hw_fn_left`
  hw_fn_in_time $MPICC "$[]@" "-I$hw_dir" -o conftest.hw/hwmpi$EXEEXT "$hw_dir/probes/mpi/hwmpi.c" -lm >&AS_MESSAGE_LOG_FD 2>&1 &
  hw_pids=$!
  hw_fn_wait_for $hw_left
  test $hw_status -eq 0
}
# hw_fn_mpi has processes of MPI measure, whose curves are found like others then;
# or sets hw_why.
hw_fn_mpi ()
{
  hw_why='--with-hw-mpi was not given'
  test "$with_hw_mpi" != no || return 0
  hw_why='there is no mpicc or no mpiexec'
  test -n "$MPICC" && test -n "$MPIEXEC" || return 0
  hw_why='the budget is spent'
  ! hw_fn_spent || return 0
  hw_why='the program for MPI does not compile'
  hw_fn_log "$MPICC $CPPFLAGS $CFLAGS $LDFLAGS -I$hw_dir -o conftest.hw/hwmpi$EXEEXT $hw_dir/probes/mpi/hwmpi.c -lm"
  hw_fn_mpi_compile $CPPFLAGS $CFLAGS $LDFLAGS || hw_fn_mpi_compile || {
    test ! -f conftest.hw/stopped || hw_why='the compiler took too long'
    return 0
  }
  hw_processes=$with_hw_mpi
  test "$hw_processes" != yes || hw_processes=${HW_CPUS:-2}
  hw_rounds=$hw_effort_rounds hw_seconds=$hw_effort_mpi
  # A second for them to start in.
  hw_left=`hw_fn_left`
  AS_IF([test $hw_left -le $hw_seconds], [AS_VAR_ARITH([hw_seconds], [$hw_left - 1])])
  hw_why='the budget is spent'
  test $hw_seconds -gt 0 || return 0
  hw_fn_log "$MPIEXEC -n $hw_processes ./conftest.hw/hwmpi$EXEEXT conftest.hw $hw_rounds $hw_seconds"
  # MPI's own limit, and ours, for when a process never starts.
  MPIEXEC_TIMEOUT=60 LC_ALL=C $MPIEXEC -n $hw_processes ./conftest.hw/hwmpi$EXEEXT conftest.hw $hw_rounds $hw_seconds </dev/null >&AS_MESSAGE_LOG_FD 2>&1 &
  hw_pids=$!
  test $hw_left -lt 60 || hw_left=60
  hw_fn_wait_for $hw_left
  rm -f conftest.hw/stopped
  hw_why=
  test -s conftest.hw/mpi.list || hw_why="nothing was measured: mpiexec ended with status $hw_status"
}
# hw_fn_say TEXT ROW...: these rows are unknown.
hw_fn_say ()
{
  hw_why=$[]1
  shift
  for hw_macro; do
    hw_fn_note "@%:@ $hw_macro unknown: $hw_why"
  done
}
# hw_fn_start_probes ROW...: starts the process.
hw_fn_start_probes ()
{
  set x "--effort=$with_hw_effort" ${hw_budget:+"--budget=$hw_budget"} \
    ${with_hw_cpus:+"--cpus=$with_hw_cpus"} ${hw_memory:+"--memory=$hw_memory"} \
    --curves=conftest.hw "--flags=$hw_flags" "$[]@"
  shift
  hw_fn_log "./conftest.hw/hwprobe$EXEEXT $[]*"
  hw_answer=conftest.hw/answer
  AS_IF([test $hw_lines = yes && { test -p conftest.hw/pipe || mkfifo conftest.hw/pipe; } 2>/dev/null],
    [hw_answer=conftest.hw/pipe])
  LC_ALL=C ./conftest.hw/hwprobe$EXEEXT "$[]@" >$hw_answer 2>&AS_MESSAGE_LOG_FD &
  hw_pids=$!
  hw_running=$!
  test $hw_answer = conftest.hw/answer || exec 8<conftest.hw/pipe
}
# hw_fn_read MACRO takes what it says, up to that, or to its end: then hw_running is empty, and hw_status how it ended.
hw_fn_read ()
{
  hw_status=1
  AS_IF([test $hw_answer = conftest.hw/pipe], [
    (
      while read -r hw_text; do
        AS_ECHO(["$hw_text"])
        case $hw_text in
        "$[]1 = "* | "@%:@ $[]1 unknown"*) exit 0 ;;
        esac
      done
      exit 1
    ) <&8 >conftest.hw/answer &
    hw_pids="$hw_running $!"
    wait $!
    hw_status=$?])
  hw_pids=$hw_running
  AS_IF([test $hw_status -ne 0], [
    test $hw_answer = conftest.hw/answer || exec 8<&-
    hw_fn_wait
    hw_running=])
  hw_fn_note "`cat conftest.hw/answer`"
}
# hw_fn_ended ROW...: notes which of these rows the process has not told; hw_list: rows that another process is to
# measure.
hw_fn_ended ()
{
  hw_why='no answer' hw_after='no answer'
  case $hw_status in
  0) ;;
  3)
    hw_text=`sed -n 's/^@%:@ no processor //p' conftest.hw/answer`
    AC_MSG_ERROR([--with-hw-cpus=$with_hw_cpus: processor ${hw_text:-of the list} cannot be had], [2]) ;;
  142)
    # It is killed when it has had all the time there was.
    echo 1000000 >conftest.hw/spent
    hw_over=yes
    hw_why='the probe took too long' hw_after='the budget is spent' ;;
  137 | 152) hw_why='the probe was killed' hw_after= ;;
  132) hw_why='CC or CFLAGS ask for instructions that this processor lacks' hw_after= ;;
  134 | 139) hw_why="the probe crashed, with status $hw_status" hw_after= ;;
  *) hw_why="the probe ended with status $hw_status" hw_after= ;;
  esac
  test -n "$hw_after" || ! hw_fn_spent || hw_after='the budget is spent'
  hw_list=
  for hw_macro; do
    case $hw_call in
    *"$hw_nl$hw_macro = "* | *"$hw_nl@%:@ $hw_macro unknown"*) ;;
    *) hw_list=$hw_macro ;;
    esac
  done
  test -z "$hw_list" || hw_fn_table missing "option asked $[]*" "option ended $hw_why" "option after $hw_after"
}
# hw_fn_show: what is known so far, and what is being measured.
hw_fn_show ()
{
  hw_fn_untick
  test $hw_lines = no || hw_fn_table lines "option check $hw_names"
  hw_fn_tick "$hw_title"
}
# hw_fn_run ROW...: has these measured.
hw_fn_run ()
{
  hw_list=$[]*
  while test -n "$hw_list"; do
    AS_IF([hw_fn_spent], [
      hw_fn_say 'the budget is spent' $hw_list
      return 0])
    hw_begun=$hw_list
    hw_fn_start_probes $hw_list
    for hw_macro in $hw_last none; do
      case " $hw_begun none " in
      *" $hw_macro "*) test -z "$hw_running" || {
        hw_fn_read $hw_macro
        test $hw_macro = none || hw_fn_show
      } ;;
      esac
    done
    hw_fn_ended $hw_begun
  done
}
hw_fn_measure ()
{
  test -n "$hw_built" || hw_fn_build
  hw_why=${hw_unfit:-'the probes do not compile'}
  AS_IF([test -f conftest.hw/stopped], [
    hw_why='the compiler took too long'
    hw_fn_since /proc /sys/fs/cgroup
    case $hw_stopped in
    @<:@1-9@:>@*) hw_why='a quota has stopped the compiler for too long' ;;
    esac
    hw_fn_keep "option stopped $hw_why"], [test $hw_built = no && test -z "$hw_unfit" && hw_fn_starved], [hw_why=$hw_starved])
  AS_IF([test $hw_built = no], [
    hw_fn_say "$hw_why" $hw_ask $hw_ask_mpi
    return 0])
  hw_fn_keep "option ungenerated $hw_ungenerated"
  hw_asked=yes
  AS_IF([test $hw_tty = yes || hw_fn_brought], [hw_fn_show])
  hw_fn_run $hw_ask
  AS_IF([test -n "$hw_ask_mpi"], [
    hw_fn_table values
    hw_fn_mpi
    AS_IF([test -n "$hw_why"], [hw_fn_say "$hw_why" $hw_ask_mpi], [hw_fn_run $hw_ask_mpi])])
  hw_fn_untick
}
])# _HW_PROBES
