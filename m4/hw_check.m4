# SPDX-License-Identifier: MIT OR FSFAP
# ===========================================================================
#  hw_check.m4: the macros that check, one for each group of parameters
# ===========================================================================
#
# SYNOPSIS
#
#   HW_CHECK([NAME...], [ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#   HW_CHECK_ALL([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#   HW_CHECK_CLOCK([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#   HW_CHECK_L1([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#   HW_CHECK_L2([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#   HW_CHECK_L3([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#   HW_CHECK_CACHES([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#   HW_CHECK_PAGE([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#   HW_CHECK_TLB([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#   HW_CHECK_ICACHE([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#   HW_CHECK_REGISTERS([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#   HW_CHECK_INSTRUCTIONS([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#   HW_CHECK_PROCESSORS([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#   HW_CHECK_SHARING([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#   HW_CHECK_MPI([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#   HW_CHECK_TILES([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#
# DESCRIPTION
#
#   Each parameter is one check with a cache variable of its own, sets the
#   shell variable of its name (empty when unknown) and that name with _SRC
#   (where the value came from), and substitutes both.
#
#   HW_CHECK
#
#     Checks the macros that are named, with or without HW_, and separated by
#     blanks, as in HW_CHECK([L1_BYTES NR_F64]), and what these follow from; and
#     the groups, which the macros below check. A name that is none stops
#     autoconf.
#
#   HW_CHECK_ALL
#
#     Checks all parameters of the registry, in its order.
#
#   HW_CHECK_CLOCK
#
#     Measures the clock: HW_CLOCK_NS, its smallest step; HW_CYCLE_PS, the
#     duration of a dependent integer addition, which is the cycle of all other
#     parameters; HW_CPU_MHZ, its rate.
#
#   HW_CHECK_L1
#
#     Measures the level-1 data cache: HW_L1_LAT, HW_L1_LAT_X100, HW_L1_LAT_PS,
#     its latency; HW_L1_BYTES, HW_L1_ASSOC, HW_L1_LINE, HW_L1_SETS, its shape;
#     HW_L1_EFF_BYTES, what a program gets of it; HW_L1_LRU, whether it replaces
#     like LRU. HW_CHECK_CACHES measures these and all other levels.
#
#   HW_CHECK_L2, HW_CHECK_L3
#
#     Measure the level-2 and level-3 data cache, n = 2 and 3: HW_HAVE_Ln,
#     whether there is one; HW_Ln_LAT, HW_Ln_LAT_X100, HW_Ln_LAT_PS, its
#     latency; HW_Ln_BYTES, HW_Ln_ASSOC, HW_Ln_LINE, HW_Ln_SETS, its shape;
#     HW_Ln_EFF_BYTES, what a program gets of it; HW_Ln_EXCLUSIVE and HW_Ln_LRU,
#     how it works. HW_CHECK_CACHES measures these and more, of all levels.
#
#   HW_CHECK_CACHES
#
#     Measures all data caches and the memory behind them: HW_CACHE_LEVELS and
#     HW_HAVE_Ln, which levels there are; for n = 1, 2, 3 the shape of level n
#     (HW_Ln_BYTES, HW_Ln_ASSOC, HW_Ln_LINE, HW_Ln_SETS, HW_Ln_EFF_BYTES), its
#     latency (HW_Ln_LAT...), its bandwidth (HW_Ln_READ_MBS, HW_Ln_WRITE_MBS,
#     HW_Ln_COPY_MBS) and how it works (HW_Ln_EXCLUSIVE, HW_Ln_LRU,
#     HW_Ln_WRITE_BACK, HW_Ln_WRITE_ALLOCATE); HW_FETCH_BYTES; HW_MEM_LAT...,
#     HW_MEM_READ_MBS and so on, and HW_MEM_PARALLEL...; HW_STREAM_BYTES, from
#     which size on copies should bypass the caches.
#
#     What HW_CHECK_L1 measures is part of it, and much quicker.
#
#   HW_CHECK_PAGE
#
#     Measures HW_PAGE_BYTES, the page that the TLB sees.
#
#   HW_CHECK_TLB
#
#     Measures HW_TLB_LEVELS, the number of TLBs; for n = 1, 2 HW_TLBn_ENTRIES,
#     HW_TLBn_ASSOC, HW_TLBn_REACH_BYTES and HW_TLBn_MISS, what level n holds
#     and what missing it costs; HW_HUGE_PAGE_BYTES, a larger page that pays.
#
#   HW_CHECK_ICACHE
#
#     Measures the level-1 instruction cache: HW_L1I_BYTES, HW_L1I_ASSOC,
#     HW_L1I_LINE, its shape; HW_L1I_MISS, what missing it costs.
#
#   HW_CHECK_REGISTERS
#
#     Measures how many variables of a type live in registers at once:
#     HW_NR_I32, HW_NR_I64, HW_NR_F32, HW_NR_F64, and of vectors, HW_NR_V.
#
#   HW_CHECK_INSTRUCTIONS
#
#     Measures for each operation and type the latency, HW_LAT_ADD_I32 and so
#     on, the reciprocal throughput, HW_RTP_ADD_I32_X100, how many are in
#     flight, HW_ILP_ADD_I32, how many additions are issued in a cycle,
#     HW_ISSUE_I32_X100, also of different kinds, HW_ISSUE_MIX_X100, whether
#     there is a fused multiply-add, HW_HAVE_FMA_F64, and hardware for floating
#     point, HW_HAVE_FPU_F64, how wide vectors are, HW_VEC_BYTES, and what a
#     branch misprediction costs, HW_BRANCH_MISS.
#
#   HW_CHECK_PROCESSORS
#
#     Measures HW_CPUS, the processors that the program may run on, HW_CORES,
#     those of them that have a core to themselves, and HW_CORE_THREADS, their
#     quotient; HW_CONTEXTS_INT, _FP and _MEM, threads of a kind that do not slow each other; HW_SCHED_SLOT_US,
#     the time slot of the scheduler; HW_PAR_MIN_NS, the shortest work worth
#     handing to another thread; HW_COMM_LAYERS, the layers of communication
#     between processors, and for k = 1 to 4 HW_COMMk_LAT_NS, _MBS, _LARGE_MBS,
#     _SIZE, _SLOWDOWN_X100, _DOUBLE_AT and _GATHER_BYTES.
#
#     Threads are POSIX ones. If the system has them in a library of their
#     own, call AC_SEARCH_LIBS([pthread_create], [pthread]) before the first
#     check; else all of these are unknown there.
#
#   HW_CHECK_SHARING
#
#     Measures, for n = 1 to 3, HW_Ln_SHARED_BY, the processors that share an
#     instance of that level of cache, and HW_Ln_SHARE_BYTES, what one of them
#     keeps of it when all are busy; HW_DESTRUCTIVE_BYTES, the distance at which
#     writes of two threads stop disturbing each other; HW_MEM_GROUPS, the kinds
#     of groups that share a path to memory, and for k = 1 to 4
#     HW_MEM_GROUPk_SIZE, _MBS and _THREADS; HW_MEM_THREADS and HW_MEM_TOTAL_MBS, the
#     threads that saturate memory and what they get; HW_NUMA_NODES, the groups
#     with fast memory of their own, HW_NUMA_REMOTE_LAT_NS, the latency of
#     another's, and HW_NUMA_REMOTE_X100, that over their own's.
#
#     Threads are as HW_CHECK_PROCESSORS says.
#
#   HW_CHECK_MPI
#
#     Measures HW_MPI_LAYERS, the layers of communication between processes of
#     MPI, and for k = 1 to 4 HW_MPIk_LAT_NS, the time of a short message,
#     HW_MPIk_MBS, the bandwidth of long ones, HW_MPIk_EAGER_BYTES, the size at
#     which they change to another protocol, and HW_MPIk_SLOWDOWN_X100, the
#     time with all pairs of the layer at once over that of one.
#
#     Nothing of it is measured without --with-hw-mpi. The option takes the
#     number of processes, else there are as many as HW_CPUS, or two. MPICC
#     compiles the program, MPIEXEC -n N starts it: they are looked for, or set,
#     as in MPIEXEC='mpiexec --hostfile hosts'. The first process must see the
#     build folder.
#
#   HW_CHECK_TILES
#
#     Computes block sizes from the values that are known, without measuring:
#     HW_TILE_F32, HW_TILE_F64, edges of square tiles; HW_BLOCK_ROWS and
#     HW_BLOCK_ROW_BYTES, a block of a plain loop; HW_PAD_BYTES, of which a row is
#     to have an odd number; HW_GEMM_F32_MR, _NR, _KC,
#     _MC, _NC, _SMALL and the same of F64, for a matrix product; HW_GEMM_BB_M,
#     _N, _K and so on, BlackjackBench's own model; HW_PARTITIONS, how many a pass of a radix
#     sort or a hash join writes to.
#
#     Call it after HW_CHECK_CACHES, HW_CHECK_TLB, HW_CHECK_INSTRUCTIONS and
#     HW_CHECK_REGISTERS: what has not been checked or given by then is unknown.
#
# LICENSE
#
#   Copyright (c) The hwconfig authors
#
#   Copying and distribution of this file, with or without modification,
#   are permitted in any medium without royalty provided the copyright
#   notice and this notice are preserved. This file is offered as-is,
#   without any warranty.

#serial 2

# _HW_MPI_TOOLS
# -------------
# Sets MPICC and MPIEXEC where processes of MPI are measured, or stops: they are
# needed for what was asked for.
AC_DEFUN([_HW_MPI_TOOLS],
[AS_IF([test -z "$hw_idle" && test "$with_hw_mpi" != no], [
  AC_CHECK_PROGS([MPICC], [mpicc mpicc.openmpi mpicc.mpich])
  AC_CHECK_PROGS([MPIEXEC], [mpiexec mpiexec.openmpi mpiexec.mpich mpirun])
  AS_IF([test -z "$MPICC" || test -z "$MPIEXEC"],
    [AC_MSG_ERROR([--with-hw-mpi=$with_hw_mpi: there is no mpicc or no mpiexec (set MPICC and MPIEXEC)], [2])])])
])# _HW_MPI_TOOLS


# Each is checked by _HW_CHECK. aclocal looks for their names here.
AC_DEFUN([HW_CHECK],
[m4_ifval(m4_normalize($1), [], [m4_fatal([HW_CHECK: name macros of hwconfig, as HW_CHECK([L1_BYTES NR_F64])])])dnl
m4_bmatch([ ]m4_normalize($1), [ \(HW_\)?MPI], [_HW_MPI_TOOLS
])_HW_CHECK(m4_normalize($1), [$2], [$3])])
AC_DEFUN([HW_CHECK_ALL], [_HW_MPI_TOOLS
_HW_CHECK([], [$1], [$2])])
AC_DEFUN([HW_CHECK_CLOCK], [_HW_CHECK([CLOCK], [$1], [$2])])
AC_DEFUN([HW_CHECK_L1], [_HW_CHECK([L1], [$1], [$2])])
AC_DEFUN([HW_CHECK_L2], [_HW_CHECK([L2], [$1], [$2])])
AC_DEFUN([HW_CHECK_L3], [_HW_CHECK([L3], [$1], [$2])])
AC_DEFUN([HW_CHECK_CACHES], [_HW_CHECK([L1 CACHES], [$1], [$2])])
AC_DEFUN([HW_CHECK_PAGE], [_HW_CHECK([PAGE], [$1], [$2])])
AC_DEFUN([HW_CHECK_TLB], [_HW_CHECK([TLB], [$1], [$2])])
AC_DEFUN([HW_CHECK_ICACHE], [_HW_CHECK([ICACHE], [$1], [$2])])
AC_DEFUN([HW_CHECK_REGISTERS], [_HW_CHECK([REGISTERS], [$1], [$2])])
AC_DEFUN([HW_CHECK_INSTRUCTIONS], [_HW_CHECK([INSTRUCTIONS], [$1], [$2])])
AC_DEFUN([HW_CHECK_PROCESSORS], [_HW_CHECK([PROCESSORS], [$1], [$2])])
AC_DEFUN([HW_CHECK_SHARING], [_HW_CHECK([SHARING], [$1], [$2])])
AC_DEFUN([HW_CHECK_MPI], [_HW_MPI_TOOLS
_HW_CHECK([MPI], [$1], [$2])])
AC_DEFUN([HW_CHECK_TILES], [_HW_CHECK([TILES], [$1], [$2])])
