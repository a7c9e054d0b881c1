/* The probe of MPI in the program that configure runs: none.  Its rows are reduced in comm.c. */
#include "probes/probe.h"

/* Communication between processes is measured by another program, before (probes/mpi/hwmpi.c). */
int hw_probe_mpi(struct hw_bench *bench) {
  (void)bench;
  return -1;
}
