# ===========================================================================
#  hw_check_mpi.m4: communication between processes of MPI
# ===========================================================================
#
# SYNOPSIS
#
#   HW_CHECK_MPI([ACTION-IF-ALL-KNOWN], [ACTION-IF-NOT])
#
# DESCRIPTION
#
#   Measures HW_MPI_LAYERS, the layers of communication between processes of
#   MPI, and for k = 1 to 4 HW_MPIk_LAT_NS, the time of a short message,
#   HW_MPIk_MBS, the bandwidth of long ones, and HW_MPIk_SLOWDOWN_X100, the
#   time with all pairs of the layer at once over that of one.
#
#   Nothing of it is measured without --with-hw-mpi. The option takes the
#   number of processes, else there are as many as HW_CPUS, or two. MPICC
#   compiles the program, MPIEXEC -n N starts it: they are looked for, or set,
#   as in MPIEXEC='mpiexec --hostfile hosts'. The first process must see the
#   build folder.
#
#   Each parameter is one check with a cache variable of its own, sets the
#   shell variable of its name (empty when unknown) and that name with _SRC
#   (where the value came from), and substitutes both.
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

AC_DEFUN([HW_CHECK_MPI],
[AC_REQUIRE([_HW_START])dnl
_HW_MPI_TOOLS
_HW_CHECK([MPI], [$1], [$2])
])# HW_CHECK_MPI


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
