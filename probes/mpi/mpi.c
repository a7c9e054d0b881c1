/* The probe of MPI in the program that configure runs: none.  Its rows are read off in comm.c. */
#include "probes/probe.h"

/* What is between processes another program has measured before (probes/mpi/hwmpi.c), or nobody
   has. */
int hw_probe_mpi(struct hw_bench *bench) {
  (void)bench;
  return -1;
}
