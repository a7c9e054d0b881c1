/* Memory of the real machine: mappings, and the rings of loads that lie in them. */
#include "probes/machine/features.h" /* first: MADV_HUGEPAGE */

#include "probes/machine/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

/* Alignment of mappings, bytes, and the greatest of those of huge pages, which are aligned to the
   largest power of two that fits into them. */
#define MEMORY_ALIGNMENT ((size_t)2 << 20)
#define MEMORY_ALIGNMENT_MOST ((size_t)64 << 20)

/* Advises the system which pages to use, where it can be advised. */
static void memory_advise(const struct hw_memory *memory, enum hw_placement placement) {
#if defined MADV_HUGEPAGE && defined MADV_NOHUGEPAGE
  /* Refused: then the pages are the system's choice. */
  if (placement != HW_PAGES_USUAL)
    (void)madvise(memory->mapping, memory->length,
                  placement == HW_PAGES_HUGE ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#else
  (void)memory;
  (void)placement;
#endif
}

/* Raises the process's own limit of address space, if any, by the mapping's length: a sparse
   mapping takes no memory. */
static void memory_allow(struct hw_memory *memory) {
  struct rlimit limit;

  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return;
  limit.rlim_cur += memory->length;
  if (setrlimit(RLIMIT_AS, &limit) == 0) /* else it is not mapped */
    memory->allowed = memory->length;
}

/* Undoes that. */
static void memory_forbid(const struct hw_memory *memory) {
  struct rlimit limit;

  if (memory->allowed == 0 || getrlimit(RLIMIT_AS, &limit) != 0)
    return;
  limit.rlim_cur -= memory->allowed;
  (void)setrlimit(RLIMIT_AS, &limit);
}

struct hw_memory *hw_memory_map(struct hw_machine *machine, size_t bytes,
                                enum hw_placement placement) {
  struct hw_memory *memory = calloc(1, sizeof *memory);
  size_t alignment = MEMORY_ALIGNMENT;

  if (memory == NULL)
    return NULL;
  while (placement == HW_PAGES_HUGE && alignment < MEMORY_ALIGNMENT_MOST && 2 * alignment <= bytes)
    alignment *= 2;
  memory->length = bytes + alignment;
  if (placement == HW_PAGES_SPARSE)
    memory_allow(memory);
  memory->mapping =
      mmap(NULL, memory->length, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | (placement == HW_PAGES_SPARSE ? MAP_NORESERVE : 0), -1, 0);
  if (memory->mapping == MAP_FAILED) {
    machine->refused = "out of memory";
    memory_forbid(memory);
    free(memory);
    return NULL;
  }
  memory->base =
      (char *)memory->mapping + (alignment - (uintptr_t)memory->mapping % alignment) % alignment;
  memory_advise(memory, placement);
  return memory;
}

void hw_memory_unmap(struct hw_machine *machine, struct hw_memory *memory) {
  (void)machine;
  if (memory == NULL)
    return;
  munmap(memory->mapping, memory->length);
  memory_forbid(memory);
  free(memory);
}

void hw_memory_present(struct hw_memory *memory, size_t end) {
  if (end <= memory->present)
    return;
#ifdef MADV_POPULATE_WRITE
  /* From a page's start.  Refused: then each comes by a fault of its own. */
  memory->present -= memory->present % MEMORY_ALIGNMENT;
  (void)madvise(memory->base + memory->present, end - memory->present, MADV_POPULATE_WRITE);
#endif
  memory->present = end;
}

int hw_memory_link(struct hw_machine *machine, struct hw_memory *memory, const size_t *offset,
                   size_t n) {
  (void)machine;
  for (size_t i = 0; i < n; i++)
    *(void **)(void *)(memory->base + offset[i]) = memory->base + offset[i + 1 < n ? i + 1 : 0];
  memory->at = (void **)(void *)(memory->base + offset[0]);
  return 0;
}

void hw_memory_enter(struct hw_machine *machine, struct hw_memory *memory, size_t offset) {
  (void)machine;
  memory->at = (void **)(void *)(memory->base + offset);
}
