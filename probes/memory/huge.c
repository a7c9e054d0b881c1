/* A larger page that the system hands out.

   Curve   huge_plain: x pages (count), y time of a load (cycles), on the system's ordinary pages.
           huge_asked: the same where larger pages were asked for.
           huge_far_plain, huge_far_asked: both at more pages than a second-level TLB holds.
           huge: x distance of two loads (bytes), y time of a load (cycles), where larger pages were
           asked for.
   Method  Twice and four times as many pages as the first-level TLB has entries, one line of each:
           on larger pages their translations are few, and a load costs clearly less.  Then pairs
           of loads, each pair at a multiple of HUGE_PART: below the larger page the second load
           finds the translation of the first, from it on it needs its own, and there are more of
           them than a TLB's first level has for such pages.
   Rows    HUGE_PAGE_BYTES.
   Cost    100 ms, 32 MiB; 150 ms and 256 MiB where larger pages pay.
   Limits  Pages of up to 2 MiB.  Where a hypervisor puts small pages behind the large ones, the
           TLB holds the small ones: the size is unknown then, even where they pay since there are
           fewer tables to search, far beyond the TLB.
   See     BB 3.2. */
#include "probes/memory/spread.h"
#include "probes/probe.h"

#include <math.h>
#include <stdio.h>

/* Pairs, and the unit of the places that they lie at. */
#define HUGE_PAIRS ((size_t)64)
#define HUGE_PART ((size_t)2 << 20)
#define HUGE_POINTS 24u
/* Lines of a ring for each entry of the first level; and how much larger the mapping is. */
#define HUGE_LINES ((size_t)4)
/* Pages that no second-level TLB holds, where memory allows. */
#define HUGE_FAR ((size_t)8192)
/* Large pages pay when they take away so much of what a miss costs. */
#define HUGE_PAYS 0.5

struct huge_job {
  struct hw_spread spread;
  size_t page;
  size_t entries;
};

/* Samples a series in a mapping of its own, and publishes the curve.  0, or -1 on failure. */
static int huge_sample(struct hw_bench *bench, struct hw_series *series, size_t bytes,
                       enum hw_placement placement, const double *x, size_t n,
                       struct hw_curve *curve) {
  struct hw_machine *machine = bench->machine;
  int result = -1;

  series->memory = machine->ops->map(machine, bytes, placement);
  if (series->memory != NULL) {
    result = hw_sample(bench, series, x, n, curve);
    machine->ops->unmap(machine, series->memory);
  }
  if (result == 0)
    return hw_publish(bench, curve, "huge", 1);
  hw_curve_free(curve);
  return -1;
}

/* The lines of a curve are as many as the pages of its last point. */
static int huge_curve(struct hw_bench *bench, struct huge_job *job, enum hw_placement placement,
                      const double *x, size_t n, const char *name) {
  struct hw_series series = {.arrange = hw_spread_arrange, .context = &job->spread};
  struct hw_curve curve;

  job->spread.lines = (size_t)x[n - 1];
  series.room = hw_spread_room(&job->spread);
  hw_curve_init(&curve, name, "pages next to each other (count)", "time of a load (cycles)");
  return huge_sample(bench, &series, job->spread.lines * job->page, placement, x, n, &curve);
}

/* Both curves of so many pages. */
static int huge_both(struct hw_bench *bench, struct huge_job *job, const double *x, size_t n,
                     const char *plain, const char *asked) {
  return huge_curve(bench, job, HW_PAGES_PLAIN, x, n, plain) < 0 ||
                 huge_curve(bench, job, HW_PAGES_HUGE, x, n, asked) < 0
             ? -1
             : 0;
}

/* How much of a miss larger pages take away at the point where they do least, and at the point
   where they do most.  0, or -1 when it was not measured. */
static int huge_gain(const struct hw_curves *curves, const char *plain_name, const char *asked_name,
                     double *least, double *most) {
  const struct hw_curve *plain = hw_curves_get(curves, plain_name);
  const struct hw_curve *asked = hw_curves_get(curves, asked_name);
  struct hw_answer miss = hw_value_tlb1_miss(curves);

  if (plain == NULL || asked == NULL || plain->n != asked->n || plain->n == 0 || !miss.known)
    return -1;
  *least = INFINITY;
  *most = -INFINITY;
  for (size_t i = 0; i < plain->n; i++) {
    double gain = plain->point[i].y - asked->point[i].y;
    double noise =
        HW_CLEAR * hypot(hw_point_error(&plain->point[i]), hw_point_error(&asked->point[i]));
    *least = fmin(*least, (gain - noise) / miss.value);
    *most = fmax(*most, (gain + noise) / miss.value);
  }
  return 0;
}

/* Pairs at distance x, each in a place without that bit. */
static void huge_pairs(void *context, double x, struct hw_random *random, struct hw_ring *ring) {
  const struct huge_job *job = context;
  size_t distance = (size_t)x, *low = ring->offset + 2 * HUGE_PAIRS;
  size_t lines = job->page / job->spread.line;

  for (size_t i = 0; i < HUGE_PAIRS; i++) {
    size_t place = distance < HUGE_PART ? i : hw_skip_bit(i, distance / HUGE_PART);
    low[i] = place * HUGE_PART + 2 * i % lines * job->spread.line;
  }
  hw_random_order(random, low, HUGE_PAIRS);
  for (size_t i = 0; i < HUGE_PAIRS; i++) {
    ring->offset[2 * i] = low[i];
    /* The neighbouring line, so that the two are in different sets. */
    ring->offset[2 * i + 1] = low[i] + distance + job->spread.line;
  }
  ring->n = 2 * HUGE_PAIRS;
}

/* Measures the pairs. */
static int huge_size(struct hw_bench *bench, struct huge_job *job) {
  struct hw_series series = {.room = 3 * HUGE_PAIRS, .arrange = huge_pairs, .context = job};
  size_t bytes = 2 * HUGE_PAIRS * HUGE_PART + 2 * HUGE_PART, n = 0;
  struct hw_curve curve;
  double x[HUGE_POINTS];

  if (bytes > bench->memory + 2 * HUGE_PART)
    return -1;
  for (size_t at = 2 * job->page; at <= 2 * HUGE_PART && n < HUGE_POINTS; at *= 2)
    x[n++] = (double)at;
  hw_curve_init(&curve, "huge", "distance of two loads (bytes)", "time of a load (cycles)");
  return huge_sample(bench, &series, bytes, HW_PAGES_HUGE, x, n, &curve);
}

int hw_probe_huge(struct hw_bench *bench) {
  struct hw_answer page = hw_value_page_bytes(&bench->curves);
  struct hw_answer line = hw_value_l1_line(&bench->curves);
  struct hw_answer entries = hw_value_tlb1_entries(&bench->curves);
  struct huge_job job = {.spread = {.run = 1, .stride = 1}};
  double least, most, near[3], far = (double)HUGE_FAR;

  if (!page.known || !line.known || !entries.known)
    return -1;
  job.spread.page = job.page = (size_t)page.value;
  job.spread.line = (size_t)line.value;
  job.entries = (size_t)entries.value;
  for (size_t i = 0; i < 3; i++)
    near[i] = (double)((HUGE_LINES / 2 + i) * job.entries);
  if (HUGE_LINES * job.entries * job.page > bench->memory ||
      huge_both(bench, &job, near, 3, "huge_plain", "huge_asked") < 0 ||
      huge_gain(&bench->curves, "huge_plain", "huge_asked", &least, &most) < 0)
    return -1;
  fprintf(bench->log, "huge: %.0f to %.0f %% of a miss are saved\n", 100 * least, 100 * most);
  if (least > HUGE_PAYS)
    return huge_size(bench, &job);
  if (HUGE_FAR * job.page > bench->memory)
    return 0;
  return huge_both(bench, &job, &far, 1, "huge_far_plain", "huge_far_asked");
}

/* The answer where larger pages save the first level nothing. */
static struct hw_answer huge_far(const struct hw_curves *curves) {
  static const char method[] = "difference of points";
  double least, most;

  if (huge_gain(curves, "huge_far_plain", "huge_far_asked", &least, &most) < 0)
    return hw_absent(method, "memory was short for more pages than a TLB holds");
  if (most < HUGE_PAYS)
    return hw_absent(method, "what the system hands out saves the TLB nothing");
  if (least < HUGE_PAYS)
    return hw_unknown(method, "whether larger pages pay is not clear");
  return hw_absent(method,
                   "larger pages pay only where the tables of pages are searched, and their "
                   "size does not show");
}

struct hw_answer hw_value_huge_page_bytes(const struct hw_curves *curves) {
  static const char method[] = "biggest scaled step";
  const struct hw_curve *pairs = hw_curves_get(curves, "huge");
  struct hw_answer step, miss = hw_value_tlb1_miss(curves);
  double least, most;

  if (huge_gain(curves, "huge_plain", "huge_asked", &least, &most) < 0)
    return hw_unknown(method, "its curves were not measured");
  if (most < HUGE_PAYS)
    return huge_far(curves);
  if (least < HUGE_PAYS)
    return hw_unknown(method, "whether larger pages pay is not clear");
  if (pairs == NULL || pairs->n == 0 || !miss.known)
    return hw_unknown(method, "memory was short");
  step = hw_reduce_biggest_step(pairs, HW_STEP_SCALED);
  if (!step.known)
    return step;
  step.value += step.error;
  for (size_t i = 0; i + 1 < pairs->n; i++) {
    double change = fabs(pairs->point[i + 1].y - pairs->point[i].y);
    bool edge = pairs->point[i].x < step.value && pairs->point[i + 1].x >= step.value;
    if (edge ? change < HUGE_PAYS / 2 * miss.value : change > HUGE_PAYS / 4 * miss.value)
      return hw_unknown(method, "the curve is not flat on both sides of its step");
  }
  return step;
}
