/* Checks of a machine's description. */
#include "sim/description.h"

/* Most lines of a level: the host keeps some 24 bytes of each.  The text below says it, too. */
#define FAULT_LINES 4194304u

unsigned hw_sim_log2(uint64_t power) {
  unsigned log = 0;

  while (power >>= 1)
    log++;
  return log;
}

static bool fault_is_power(uint64_t n) { return n != 0 && (n & (n - 1)) == 0; }

static const char *fault_policy(enum hw_policy policy, uint64_t ways) {
  if (policy == HW_POLICY_PLRU && (!fault_is_power(ways) || ways > HW_PLRU_WAYS))
    return "plru needs a power of two of ways, 64 at most";
  if (policy == HW_POLICY_RRIP && ways > HW_RRIP_WAYS)
    return "rrip has 32 ways at most";
  if (policy == HW_POLICY_CLOCK && ways > HW_CLOCK_WAYS)
    return "a clock has 64 ways at most";
  return NULL;
}

static const char *fault_level(const struct hw_sim_level *level, uint64_t page) {
  if (!fault_is_power(level->line))
    return "line is not a power of two";
  if (level->bytes % (level->ways * level->line) != 0)
    return "ways x line does not divide bytes";
  if (level->bytes / level->line > FAULT_LINES)
    return "more than 4194304 lines";
  if (level->line > page)
    return "line is longer than a page";
  if (level->slices > 1 && level->bytes / (level->ways * level->line) % level->slices != 0)
    return "hash does not divide the sets";
  if (level->uneven >= 2 * level->latency)
    return "uneven is no less than twice the latency";
  if (level->keeps >= level->ways)
    return "keeps no fewer ways than there are";
  return fault_policy(level->policy, level->ways);
}

/* The level against the one above it. */
static const char *fault_below(const struct hw_sim_level *level, const struct hw_sim_level *above) {
  if (level->line < above->line)
    return "line is shorter than that of the level above";
  if (level->latency < above->latency)
    return "latency is less than that of the level above";
  if (level->relation == HW_SIM_EXCLUSIVE && level->line != above->line)
    return "an exclusive level has the line of the level above";
  if (level->relation == HW_SIM_EXCLUSIVE && level->prefetch != HW_SIM_PREFETCH_NONE)
    return "an exclusive level cannot prefetch";
  if (level->relation == HW_SIM_EXCLUSIVE &&
      (level->write == HW_SIM_THROUGH || level->write_miss == HW_SIM_AROUND))
    return "an exclusive level writes back what it is given";
  return NULL;
}

static const char *fault_tlb(const struct hw_sim_tlb *tlb) {
  if (tlb->entries % tlb->ways != 0)
    return "ways does not divide entries";
  return fault_policy(tlb->policy, tlb->ways);
}

static const char *fault_code(const struct hw_sim_code *code) {
  if (!fault_is_power(code->line))
    return "line is not a power of two";
  if (code->bytes % (code->ways * code->line) != 0)
    return "ways x line does not divide bytes";
  return fault_policy(code->policy, code->ways);
}

static const char *fault_opcache(const struct hw_description *description, unsigned *number) {
  (void)number;
  if (description->opcache.bytes == 0)
    return NULL;
  return description->icache.bytes == 0 ? "there is no icache" : fault_code(&description->opcache);
}

static const char *fault_targets(const struct hw_description *description, unsigned *number) {
  (void)number;
  if (description->targets.entries == 0)
    return NULL;
  return description->icache.bytes == 0 ? "there is no icache" : fault_tlb(&description->targets);
}

static const char *fault_icache(const struct hw_description *description, unsigned *number) {
  (void)number;
  if (description->icache.bytes == 0)
    return NULL;
  if (!fault_is_power(description->icache.spacing))
    return "spacing is not a power of two";
  if (description->icache.line > description->page.bytes)
    return "line is longer than a page";
  return fault_code(&description->icache);
}

static const char *fault_page(const struct hw_description *description, unsigned *number) {
  const struct hw_sim_page *page = &description->page;

  (void)number;
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

/* The steps make each number once when each is the product of the members of groups below it. */
static const char *fault_groups(const struct hw_description *description, unsigned *number) {
  const struct hw_sim_group *group = description->group;
  uint64_t numbers = 1;

  *number = description->groups;
  for (unsigned k = 0; k < description->groups; k++) {
    unsigned next = 0;

    while (next < description->groups && group[next].step != numbers)
      next++;
    if (next == description->groups)
      return "the steps leave numbers out, or make some twice";
    numbers *= group[next].members;
    if (numbers > HW_SIM_PROCESSORS)
      return "more than 1024 processors";
  }
  for (unsigned k = 1; k < description->groups; k++)
    if (group[k].latency_ns < group[k - 1].latency_ns)
      return "latency is less than that of the group before";
  return NULL;
}

static const char *fault_memory(const struct hw_description *description, unsigned *number) {
  (void)number;
  return description->memory_latency < description->level[description->levels - 1].latency
             ? "latency is less than that of the last level"
             : NULL;
}

bool hw_description_fault(const struct hw_description *description, struct hw_sim_fault *fault) {
  static const struct {
    const char *statement;
    const char *(*reason)(const struct hw_description *description, unsigned *number);
  } check[] = {{"page", fault_page},       {"level", fault_levels},    {"tlb", fault_tlbs},
               {"opcache", fault_opcache}, {"targets", fault_targets}, {"icache", fault_icache},
               {"group", fault_groups},    {"memory", fault_memory}};

  for (size_t i = 0; i < sizeof check / sizeof check[0]; i++) {
    *fault = (struct hw_sim_fault){.statement = check[i].statement};
    fault->reason = check[i].reason(description, &fault->number);
    if (fault->reason != NULL)
      return true;
  }
  return false;
}
