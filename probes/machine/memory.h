/* Memory of the real machine. */
#ifndef HW_MEMORY_H
#define HW_MEMORY_H

#include "probes/machine/machine.h"

#include <stddef.h>

struct hw_memory {
  void *mapping;
  size_t length;
  size_t allowed; /* bytes by which the limit of address space was raised for it */
  char *base;
  size_t present; /* bytes of it that hw_memory_present has made present */
  void **at;      /* where the next walk starts */
  size_t read;    /* where the next reading starts, bytes */
};

/* As the operations of that name in machine.h. */
struct hw_memory *hw_memory_map(struct hw_machine *machine, size_t bytes,
                                enum hw_placement placement);
void hw_memory_unmap(struct hw_machine *machine, struct hw_memory *memory);
int hw_memory_link(struct hw_machine *machine, struct hw_memory *memory, const size_t *offset,
                   size_t n);
/* Has the system allocate the pages of all bytes up to end at once, where it can, for stores that
   follow: a page fault for each takes up to 20 times as long on a virtual machine.  They are local
   to the processor of the calling thread. */
void hw_memory_present(struct hw_memory *memory, size_t end);
void hw_memory_enter(struct hw_machine *machine, struct hw_memory *memory, size_t offset);

#endif
