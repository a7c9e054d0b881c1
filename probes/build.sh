# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034,SC2046,SC2086,SC2154
# Shell functions that compile the probes, and the code that they generate: for configure, for the
# command hwconfig and for make probe-bundle. Sourced, and with nothing but POSIX and a compiler.
#
# They take hw_dir, where the sources are; hw_scratch, a folder for all that they make, whose name has
# no blanks; hw_compile, the compiler with its flags; LDFLAGS, LIBS, OBJEXT and EXEEXT; hw_libs, what
# only the probes are linked to, or nothing. What compilers say goes to file descriptor 5. hw_pids are the
# processes that run, so that a caller can stop them; hw_beside those that compile the generated code, which end later.

# What hangs is stopped: hw_fn_left prints how many seconds a compiler has, and configure has its own;
# once one was stopped, hw_scratch/stopped is there, and no other is started.
hw_fn_left ()
{
  echo 600
}

# hw_fn_now: hw_now becomes seconds since some time: the start of the system, since the time of day may be set meanwhile,
# or the time of day if the system tells nothing else. The probes have the same in C.
hw_fn_now ()
{
  hw_now=
  test ! -r /proc/uptime || read -r hw_now hw_rest </proc/uptime
  hw_now=${hw_now%%.*}
  test -n "$hw_now" || hw_now=$(${AWK-awk} 'BEGIN { srand(); print srand() }' </dev/null)
}

hw_fn_log ()
{
  printf '%s\n' "hwconfig: $*" >&5
}

# hw_fn_wait: waits for hw_pids; hw_status becomes the status of the last.
hw_fn_wait ()
{
  wait $hw_pids 2>&5 # a shell may say which signal ended it
  hw_status=$?
  hw_pids=
}

# hw_fn_wait_for SECONDS: the same, and stops them then, by a guard that ends when they have. It holds
# nothing that another process may wait for: no folder, and no file of the callers.
hw_fn_wait_for ()
{
  test -n "$hw_pids" || return 0
  hw_waited=$hw_pids
  hw_ready=$hw_scratch/guard.${hw_pids##* }
  (
    trap 'kill -9 $hw_slept; exit 1' 15
    (cd / && exec sleep "$1") &
    hw_slept=$!
    : >$hw_ready
    cd /
    wait $hw_slept
    trap '' 15 # its parent, woken by what it kills, would stop it before it could say so
    kill -0 $$ && kill $hw_waited
    exit 0
  ) </dev/null >/dev/null 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- &
  hw_guard=$!
  hw_pids="$hw_waited $hw_guard"
  wait $hw_waited 2>&5
  hw_status=$?
  # Before that, what is sent to it may be lost; a full disk may keep the file from being there.
  hw_tried=0
  until test -f $hw_ready || test $hw_tried -ge 1010; do
    hw_tried=$((hw_tried + 1))
    test $hw_tried -le 1000 || sleep 1
  done
  kill $hw_guard 2>/dev/null
  if wait $hw_guard 2>/dev/null; then : >$hw_scratch/stopped; fi
  rm -f $hw_ready
  hw_pids=
}

# hw_fn_in_time COMMAND: in the background only, in place of the shell there; it takes no more time of
# the processor than there is, nor does what it starts.
hw_fn_in_time ()
{
  # shellcheck disable=SC3045
  ulimit -t $hw_left 2>/dev/null
  exec "$@" 3>&- 4>&- 6>&- 7>&-
}

# hw_fn_start OPTION... -- FILE...: compiles the files side by side, to objects in hw_scratch; files that time
# nothing with the options hw_plain. hw_said are the files of the messages. If memory is short (hw_memory, a quarter of
# it, is below 192 MiB) one compiler runs after the other.
hw_fn_start ()
{
  hw_more=
  while test "$1" != --; do
    hw_more="$hw_more $1"
    shift
  done
  shift
  hw_said=
  test ! -f $hw_scratch/stopped || return 1
  hw_left=$(hw_fn_left)
  for hw_part do
    hw_stem=${hw_part##*/}
    hw_stem=$hw_scratch/${hw_stem%.c}
    case $hw_part in
    */plain.*.c | */none.c) hw_options="$hw_more ${hw_plain-}" ;;
    *) hw_options=$hw_more ;;
    esac
    hw_fn_log "$hw_compile$hw_options -I$hw_dir -c -o $hw_stem.$OBJEXT $hw_part"
    : >$hw_stem.said # before it is read, which may be before that process is there
    hw_fn_in_time $hw_compile $hw_options "-I$hw_dir" -c -o $hw_stem.$OBJEXT "$hw_part" >$hw_stem.said 2>&1 &
    hw_pids="$hw_pids $!"
    hw_said="$hw_said $hw_stem.said"
    test "${hw_memory:-201326592}" -lt 201326592 || continue
    hw_fn_wait_for $hw_left
    test ! -f $hw_scratch/stopped || return 1
    hw_left=$(hw_fn_left)
  done
}

# hw_fn_objects OPTION... -- FILE...: the same, and waits for them.
hw_fn_objects ()
{
  hw_fn_start "$@" || return
  hw_fn_wait_for $hw_left
  cat $hw_said >&5
}

# hw_fn_starved: whether a compiler that has failed lacked memory or space on the disk, as it has said, or was killed for it;
# or has the disk no space for what it makes, some 2 MB; hw_starved: that.
hw_fn_starved ()
{
  hw_starved='memory is short for the compiler'
  grep 'Killed\|signal 9\|emory exhausted\|ut of memory\|llocate memory' $hw_scratch/*.said >/dev/null 2>&1 && return
  hw_starved='the disk is full'
  grep 'o space left on device' $hw_scratch/*.said >/dev/null 2>&1 && return
  ${AWK-awk} 'BEGIN { for (i = 0; i < 40000; i++) print "as much space as what a compiler makes of it takes" }' >$hw_scratch/space 2>/dev/null
  hw_text=$(wc -c <$hw_scratch/space) 2>/dev/null
  rm -f $hw_scratch/space
  test ${hw_text:-0} -lt 2000000
}

# hw_fn_files: what of hw_dir is compiled, a name a line: the parts, or the one file that a copy has of them, the program
# for MPI, that for crossovers, what generated code includes, and what all of these include, directly or not; and how they are put together. This is
# the one list: what configure looks for, of what its fingerprint is, and what is copied and installed.
hw_fn_files ()
{
  echo probes/sources.awk
  ! grep '^HW_MODEL(' "$hw_dir/probes/params.def" >/dev/null 2>&1 || echo analysis/tiles.awk
  hw_text=probes/crossover/hwcrossover.c
  test -f "$hw_dir/$hw_text" || hw_text=
  hw_list="$(hw_fn_roots) $hw_text $(hw_fn_beside "$hw_dir/probes/params.def" 2>/dev/null)" # before the folder is another
  (cd "$hw_dir" && ${AWK-awk} 'BEGIN {
    for (n = 1; n < ARGC; n++) {
      file[n] = ARGV[n]
      seen[ARGV[n]]
    }
    for (i = 1; i < n; i++) {
      print file[i]
      while ((getline line <file[i]) > 0)
        if (line ~ /^# *include "/) {
          split(line, name, "\"")
          if (!(name[2] in seen)) file[n++] = name[2]
          seen[name[2]]
        }
      close(file[i])
    }
  }' $hw_list)
}

# hw_fn_roots: where the program's sources are listed, or the one file that has all.
hw_fn_roots ()
{
  if test -f "$hw_dir/probes/hwprobe.c"; then
    echo probes/hwprobe.c
  else
    for hw_part in timed frame level1 levels memory system core; do
      echo probes/parts/$hw_part.c
    done
  fi
}

# hw_fn_beside TABLE: what is compiled beside the program's sources for the rows of this table.
hw_fn_beside ()
{
  echo probes/parts/none.c
  ! grep '^HW_PROBE(.*, INSTRUCTIONS,' "$1" >/dev/null || printf '%s\n' probes/nano/table.h probes/nano/hwnano.c
  ! grep '^HW_PROBE(mpi,' "$1" >/dev/null || echo probes/mpi/hwmpi.c
}

# hw_fn_sources OPTION...: has probes/sources.awk put together the sources of the program.
hw_fn_sources ()
{
  HW_DIR=$hw_dir LC_ALL=C ${AWK-awk} "$@" -f "$hw_dir/probes/sources.awk" $(hw_fn_roots)
}

# hw_fn_copied FILE: as a copy for other packages has it. What a copy prints of itself is the same as of what it was made of.
hw_fn_copied ()
{
  case $1 in
  probes/hwprobe.c) hw_fn_sources ;;
  *.[ch] | analysis/*.def) HW_DIR=$hw_dir LC_ALL=C ${AWK-awk} -v one=1 -f "$hw_dir/probes/sources.awk" "$1" ;;
  *) cat "$hw_dir/$1" ;;
  esac
}

# hw_fn_serial: a sum of what a fingerprint is of. A copy has it in a file.
hw_fn_serial ()
{
  sed -n '$p' "$hw_dir/probes/serial" 2>/dev/null || {
    for hw_part in probes/hwprobe.c $(hw_fn_beside "$hw_dir/probes/params.def") analysis/rows/operations.def probes/params.def; do
      hw_fn_copied $hw_part
    done
  } 2>/dev/null | cksum
}

# hw_fn_tell WHAT NAME...: what registry/needs.awk tells of these macros and groups, with the effort with_hw_effort.
hw_fn_tell ()
{
  hw_text=$1
  shift
  LC_ALL=C ${AWK-awk} -v tell="$hw_text" -v names="$*" -v manner="${with_hw_effort-}" -f "$hw_dir/registry/table.awk" \
    -f "$hw_dir/registry/needs.awk" "$hw_dir/probes/params.def"
}

# hw_fn_choose: writes the files to compile to hw_scratch: timed.c, plain.0.c and so on, with what hw_compiled, names as
# above, or nothing for all, needs; and the table of that. hw_within is the option that finds this table first.
hw_fn_choose ()
{
  hw_within=
  hw_taken=
  test -z "${hw_compiled-}" || {
    hw_within=-I$hw_scratch
    mkdir -p $hw_scratch/probes && hw_fn_tell table $hw_compiled >$hw_scratch/probes/params.def || return
    while read -r hw_text; do
      case $hw_text in
      'HW_PROBE('*)
        hw_text=${hw_text#*'('}
        hw_taken="$hw_taken ${hw_text%%,*}" ;;
      esac
    done <$hw_scratch/probes/params.def
  }
  hw_fn_sources ${hw_taken:+-v "probes=$hw_taken"} -v to=$hw_scratch && return
  rm -f $hw_scratch/timed.c
  return 1
}

# hw_fn_fit: whether what the compiler makes can be timed; hw_unfit says why not. hw_compile comes to have
# the options, of those that the compiler takes, that save time, since the probes are not debugged, and that
# keep warnings from being errors, as a package around may want them of its own code. hw_plain are those for
# what times nothing.
#
# What a sanitizer, a profiler or a coverage tool adds shows in what is called, or, where a sanitizer calls
# nothing, in that the code is another one without it. hw_meanwhile is a function to call once a compiler runs, or nothing.
hw_fn_fit ()
{
  hw_unfit=
  hw_none=$hw_scratch/none.$OBJEXT
  hw_plain='-fno-lto -fno-asynchronous-unwind-tables -U_FORTIFY_SOURCE -O0'
  for hw_quiet in '-g0 -w' -w ''; do
    rm -f $hw_none
    hw_fn_start $hw_quiet -- "$hw_dir/probes/parts/none.c" && {
      test -z "${hw_meanwhile-}" || $hw_meanwhile
      hw_fn_wait_for $hw_left
      cat $hw_said >&5
    }
    hw_meanwhile=
    test ! -f $hw_none || break
    hw_plain=
  done
  test -f $hw_none || return 0
  if LC_ALL=C grep '__[a-z]*san_\|__sanitizer\|mcount\|__fentry__\|__cyg_profile\|gcov_\|gcda_\|__llvm_prof\|__xray' $hw_none >/dev/null 2>&1; then
    hw_unfit=x
  fi
  case $hw_compile in
  *-fsanitize*)
    mv $hw_none $hw_none.with
    hw_fn_objects $hw_quiet -fno-sanitize=all -- "$hw_dir/probes/parts/none.c"
    test ! -f $hw_none || cmp $hw_none $hw_none.with >&5 2>&1 || hw_unfit=x ;;
  esac
  hw_compile="$hw_compile $hw_quiet"
  test -n "$hw_unfit" || return 0
  hw_unfit='the compiler adds code of its own, as for a sanitizer or a profiler'
  return 1
}

# hw_fn_probes: the program, with the generated code if a row needs it; hw_ungenerated says why there is none. hw_objects
# are those of the probes. All is compiled side by side.
hw_fn_probes ()
{
  hw_meanwhile=hw_fn_choose
  hw_fn_fit || return 1
  hw_objects=
  hw_ungenerated=
  test -f $hw_scratch/timed.c || return 1
  hw_code=
  ! hw_fn_written || {
    hw_fn_start -fno-tree-slp-vectorize -fno-math-errno -fno-schedule-insns -fno-schedule-insns2 -- $hw_scratch/nano.*.c
    hw_code=$hw_said
    hw_beside=$hw_pids
    hw_pids=
  }
  set -- $hw_scratch/timed.c $hw_scratch/plain.*.c
  for hw_part do
    hw_stem=${hw_part##*/}
    hw_objects="$hw_objects $hw_scratch/${hw_stem%.c}.$OBJEXT"
  done
  hw_fn_objects $hw_within -- "$@"
  test -z "$hw_code" || ! hw_fn_generated || {
    hw_fn_linked $hw_scratch/nano.*.$OBJEXT && return
    hw_ungenerated='its code does not compile'
  }
  hw_fn_linked $hw_scratch/none.$OBJEXT
}

# hw_fn_writer: compiles the program that writes the code.
hw_fn_writer ()
{
  hw_left=$(hw_fn_left)
  hw_fn_log "$hw_compile -O0 $LDFLAGS -I$hw_dir -o $hw_scratch/hwnano$EXEEXT $hw_dir/probes/nano/hwnano.c"
  hw_fn_in_time $hw_compile -O0 $LDFLAGS "-I$hw_dir" -o $hw_scratch/hwnano$EXEEXT "$hw_dir/probes/nano/hwnano.c" >&5 2>&1 &
  hw_pids=$!
  hw_fn_wait_for $hw_left
}

# hw_fn_written: has it write that to files that take a compiler about as long each, nano.0.c and so on, if a row
# needs code. If that fails there is none.
hw_fn_written ()
{
  grep '^/\*: probes/nano/loops\.c' $hw_scratch/plain.*.c >/dev/null || return 1
  hw_ungenerated='its code does not compile'
  hw_fn_writer
  hw_loops=
  test -z "${hw_compiled-}" || hw_loops=$(hw_fn_tell loops $hw_compiled)
  $hw_scratch/hwnano$EXEEXT $hw_scratch/nano ${hw_nano_files-3} $hw_loops >&5 2>&1 && test -f $hw_scratch/nano.0.c
}

# hw_fn_generated: waits for that code, however the compiler takes it, no longer than for half of what is left. Scalar
# statements side by side are to stay scalar, a root is to be nothing but that, and what is written in turns is to be
# done in turns: many additions before many stores fill the queues of either. A compiler that refuses the options, or
# vectors, is asked without.
hw_fn_generated ()
{
  hw_left=0
  test -f $hw_scratch/stopped || hw_left=$(hw_built=yes && hw_fn_left)
  hw_pids=$hw_beside
  hw_beside=
  hw_fn_wait_for $hw_left
  cat $hw_code >&5
  test $hw_left -gt 0 || return 1
  for hw_otherwise in '-fno-tree-slp-vectorize -fno-math-errno' '' -DHW_NANO_PLAIN; do
    hw_fn_complete && break
    hw_fn_objects $hw_otherwise -- $hw_scratch/nano.*.c
  done
  if test -f $hw_scratch/stopped; then
    hw_ungenerated='the compiler took too long'
    rm $hw_scratch/stopped
    return 1
  fi
  hw_fn_complete && hw_ungenerated= && return
  ! hw_fn_starved || hw_ungenerated=$hw_starved
  return 1
}

# hw_fn_complete: whether each file of the code has become an object.
hw_fn_complete ()
{
  set -- $hw_scratch/nano.*.c
  for hw_part do
    test -f ${hw_part%.c}.$OBJEXT || return 1
  done
}

# hw_fn_link OBJECT...: with the probes.
hw_fn_link ()
{
  test ! -f $hw_scratch/stopped || return 1
  hw_left=$(hw_fn_left)
  hw_fn_log "$hw_compile $LDFLAGS -o $hw_scratch/hwprobe$EXEEXT$hw_objects $* $hw_threads $hw_libs $LIBS -lm"
  rm -f $hw_scratch/hwprobe$EXEEXT
  hw_fn_in_time $hw_compile $LDFLAGS -o $hw_scratch/hwprobe$EXEEXT $hw_objects "$@" $hw_threads $hw_libs $LIBS -lm >&5 2>&1 &
  hw_pids=$!
  hw_fn_wait_for $hw_left
  test $hw_status -eq 0 && test -f $hw_scratch/hwprobe$EXEEXT
}

# hw_fn_linked OBJECT...: the same. Threads may need an option, or be missing: what needs them is unknown then, and
# nothing else.
hw_fn_linked ()
{
  hw_threads=
  hw_fn_link "$@" && return
  hw_threads=-pthread
  hw_fn_link "$@" && return
  hw_threads=
  hw_fn_objects -DHW_WITHOUT_THREADS $hw_within -- $hw_scratch/timed.c
  hw_fn_link "$@"
}
