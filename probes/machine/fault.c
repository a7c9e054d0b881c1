/* What can be wrong with the description of a machine. */
#include "probes/machine/description.h"

/* Bounds what a machine takes on the host: some 24 bytes a line. The text below says it too. */
#define FAULT_LINES 4194304u

unsigned hw_sim_log2(uint64_t power) {
  unsigned log = 0;

  while (power >>= 1)
    log++;
  return log;
}

static bool fault_is_power(uint64_t n) { return n != 0 && (n & (n - 1)) == 0; }

static bool fault_policy(enum hw_policy policy, uint64_t ways) {
  return policy == HW_POLICY_PLRU && (!fault_is_power(ways) || ways > HW_PLRU_WAYS);
}

static const char *fault_level(const struct hw_sim_level *level, uint64_t page) {
  if (!fault_is_power(level->line))
    return "line is not a power of two";
  if (level->bytes % (level->ways * level->line) != 0)
    return "ways x line does not divide bytes";
  if (level->bytes / level->line > FAULT_LINES)
    return "more than 4194304 lines";
  if (fault_policy(level->policy, level->ways))
    return "plru needs a power of two of ways, 64 at most";
  if (level->line > page)
    return "line is longer than a page";
  return NULL;
}

/* The level against the one above it. */
static const char *fault_below(const struct hw_sim_level *level, const struct hw_sim_level *above) {
  if (level->line < above->line)
    return "line is shorter than that of the level above";
  if (level->latency < above->latency)
    return "latency is less than that of the level above";
  if (level->relation == HW_SIM_EXCLUSIVE && level->line != above->line)
    return "an exclusive level has the line of the level above";
  if (level->relation == HW_SIM_EXCLUSIVE && level->prefetch)
    return "an exclusive level cannot prefetch";
  return NULL;
}

static const char *fault_tlb(const struct hw_sim_tlb *tlb) {
  if (tlb->entries % tlb->ways != 0)
    return "ways does not divide entries";
  if (fault_policy(tlb->policy, tlb->ways))
    return "plru needs a power of two of ways, 64 at most";
  return NULL;
}

static const char *fault_page(const struct hw_sim_page *page) {
  if (!fault_is_power(page->bytes))
    return "bytes is not a power of two";
  if (page->huge != 0 && (!fault_is_power(page->huge) || page->huge <= page->bytes))
    return "huge is not a power of two above bytes";
  return NULL;
}

static const char *fault_levels(const struct hw_description *description, unsigned *number) {
  const struct hw_sim_level *level = description->level;
  const char *reason = NULL;

  for (*number = 1; *number <= description->levels; ++*number, level++) {
    reason = fault_level(level, description->page.bytes);
    if (reason == NULL && *number > 1)
      reason = fault_below(level, level - 1);
    if (reason == NULL && *number == 1 && level->relation != HW_SIM_NOT_GIVEN)
      reason = "there is no level above the first";
    if (reason != NULL)
      return reason;
  }
  return NULL;
}

static const char *fault_tlbs(const struct hw_description *description, unsigned *number) {
  const char *reason = NULL;

  for (*number = 1; *number <= description->tlbs; ++*number) {
    reason = fault_tlb(&description->tlb[*number - 1]);
    if (reason != NULL)
      return reason;
  }
  return NULL;
}

bool hw_description_fault(const struct hw_description *description, struct hw_sim_fault *fault) {
  *fault = (struct hw_sim_fault){.statement = "page", .reason = fault_page(&description->page)};
  if (fault->reason != NULL)
    return true;
  fault->statement = "level";
  fault->reason = fault_levels(description, &fault->number);
  if (fault->reason != NULL)
    return true;
  fault->statement = "tlb";
  fault->reason = fault_tlbs(description, &fault->number);
  if (fault->reason != NULL)
    return true;
  *fault = (struct hw_sim_fault){.statement = "memory"};
  if (description->memory_latency < description->level[description->levels - 1].latency)
    fault->reason = "latency is less than that of the last level";
  return fault->reason != NULL;
}
