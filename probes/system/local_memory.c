/* Memory local to processors.  See local_memory.h. */
#include "probes/system/local_memory.h"

#include "analysis/rows/hint.h"
#include "analysis/rows/local_memory.h"
#include "probes/probe.h"

#include <math.h>
#include <stdlib.h>

/* Bytes of a sample of reading; and those read before it, untimed. */
#define LOCAL_MEMORY_BYTES ((size_t)512 << 10)
#define LOCAL_MEMORY_WARM ((size_t)128 << 10)
/* Least memory that is read, for loads that meet no line again. */
#define LOCAL_MEMORY_LEAST ((size_t)5 << 20)
/* Least latency of a load from memory, as a part of the least that the size curve has there. */
#define LOCAL_MEMORY_LATENCY 0.75
/* Memory that is read, as a multiple of the least working set that no cache seemed to hold; less,
   but no less than that, if two would be more than the memory allowed. */
#define LOCAL_MEMORY_BEYOND 3

int hw_local_memory_fill(const struct hw_local_memory *owned, const size_t *processor,
                         struct hw_memory **memory, size_t n) {
  struct hw_machine *machine = owned->bench->machine;
  struct hw_part *part = calloc(n, sizeof *part);
  size_t parts = 0;
  int result = part == NULL ? -1 : 0;

  for (size_t i = 0; result == 0 && i < n; i++) {
    if (memory[i] != NULL)
      continue;
    memory[i] = machine->ops->map(machine, owned->bytes, HW_PAGES_PLAIN);
    part[parts++] = (struct hw_part){.processor = processor[i],
                                     .work = HW_WORK_TOUCH,
                                     .memory = memory[i],
                                     .n = HW_STREAM_GRAIN,
                                     .bytes = owned->bytes};
    result = memory[i] == NULL ? -1 : 0;
  }
  if (result == 0 && parts > 0)
    result = machine->ops->team(machine, part, parts);
  free(part);
  return result;
}

struct hw_memory *hw_local_memory_take(struct hw_local_memory *owned, size_t processor) {
  struct hw_memory *memory = NULL;

  for (size_t k = 0; k < 2; k++)
    if (owned->own[k] != NULL && owned->owner[k] == processor) {
      memory = owned->own[k];
      owned->own[k] = NULL;
    }
  return memory;
}

int hw_local_memory_pair(struct hw_local_memory *owned, size_t i, size_t j) {
  const size_t wanted[2] = {i, j};
  struct hw_memory *kept[2] = {hw_local_memory_take(owned, i), hw_local_memory_take(owned, j)};

  hw_local_memory_close(owned);
  for (size_t k = 0; k < 2; k++) {
    owned->own[k] = kept[k];
    owned->owner[k] = wanted[k];
  }
  return hw_local_memory_fill(owned, wanted, owned->own, 2);
}

struct hw_part hw_local_memory_part(const struct hw_local_memory *owned, size_t processor,
                                    struct hw_memory *memory) {
  return (struct hw_part){.processor = processor,
                          .work = HW_WORK_READ,
                          .memory = memory,
                          .n = LOCAL_MEMORY_BYTES,
                          .warm = LOCAL_MEMORY_WARM,
                          .bytes = owned->bytes};
}

/* Bytes of a working set beyond all known caches; *latency becomes the least that a load from
   memory takes, ns.  0 when it is not known from which size on loads come from memory. */
static size_t local_memory_bytes(const struct hw_bench *bench, double *latency) {
  struct hw_level memory;
  double bytes;

  if (!hw_local_memory_level(&bench->curves, &memory, latency))
    return 0;
  bytes = fmin(LOCAL_MEMORY_BEYOND * memory.least, (double)(bench->memory / 2));
  bytes = fmax(fmax(bytes, memory.least), (double)LOCAL_MEMORY_LEAST);
  return (size_t)ceil(bytes / HW_STREAM_GRAIN) * HW_STREAM_GRAIN;
}

int hw_local_memory_open(struct hw_bench *bench, struct hw_local_memory *owned, size_t n) {
  unsigned rounds = bench->effort.rounds;

  *owned = (struct hw_local_memory){
      .bench = bench,
      .line = hw_hint_line(&bench->curves, HW_HINT_USUAL),
      .rounds = rounds < HW_LOCAL_MEMORY_ROUNDS ? rounds : HW_LOCAL_MEMORY_ROUNDS};
  owned->bytes = local_memory_bytes(bench, &owned->latency);
  owned->latency *= LOCAL_MEMORY_LATENCY;
  if (owned->bytes == 0)
    return hw_lacks(bench, "HW_CACHE_LEVELS is unknown");
  owned->most = bench->memory / owned->bytes;
  if (owned->most < (n < 2 ? n : 2))
    return hw_lacks(bench, "what no cache holds is larger than the memory allowed");
  return n > HW_THINGS ? -1 : 0;
}

void hw_local_memory_close(struct hw_local_memory *owned) {
  for (size_t k = 0; k < 2; k++) {
    owned->bench->machine->ops->unmap(owned->bench->machine, owned->own[k]);
    owned->own[k] = NULL;
  }
}
