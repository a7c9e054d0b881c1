/* The low end of samples of one quantity: disturbances only add time.  See samples.h. */
#include "analysis/samples.h"

#include <stdlib.h>

/* Values gather where SAMPLES_GATHER at least lie within a share of SAMPLES_GATHERED of each other,
   and 1/SAMPLES_SCATTERED_PART of the most that do within SAMPLES_SCATTERED above. */
#define SAMPLES_GATHER 24
#define SAMPLES_GATHERED 0.01
#define SAMPLES_SCATTERED 0.1
#define SAMPLES_SCATTERED_PART 5

/* The value below which a share of n sorted values lies, interpolated. */
static double samples_quantile(const double *sorted, size_t n, double share) {
  double at = share * (double)(n - 1);
  size_t i = (size_t)at;

  if (i + 1 >= n)
    return sorted[n - 1];
  return sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]);
}

struct hw_point hw_low_end(double *sample, size_t n) {
  struct hw_point p = {.count = n};

  if (n == 0)
    return p;
  hw_sort(sample, n);
  p.y = samples_quantile(sample, n, 0.25);
  p.spread = p.y > 0 ? (p.y - samples_quantile(sample, n, 0.05)) / p.y : 0;
  return p;
}

/* The number of n sorted values, from the i-th on, at most a share above the i-th. */
static size_t samples_within(const double *sorted, size_t n, size_t i, double share) {
  size_t in = i, out = n;

  while (in + 1 < out) {
    size_t middle = in + (out - in) / 2;
    if (sorted[middle] <= (1 + share) * sorted[i])
      in = middle;
    else
      out = middle;
  }
  return out - i;
}

/* The first of n sorted values, from the i-th on, at which at least this many gather. */
static size_t samples_gathers(const double *sorted, size_t n, size_t i, size_t least) {
  while (i < n && samples_within(sorted, n, i, SAMPLES_GATHERED) < least)
    i++;
  return i;
}

/* The most that gather at any of n sorted values from the i-th to a share above it. */
static size_t samples_most(const double *sorted, size_t n, size_t i, double share) {
  size_t most = 0;

  for (size_t k = i; k < n && sorted[k] <= (1 + share) * sorted[i]; k++) {
    size_t within = samples_within(sorted, n, k, SAMPLES_GATHERED);
    if (within > most)
      most = within;
  }
  return most;
}

struct hw_point hw_lowest(double *sample, size_t n, bool *clear) {
  size_t i, least, peak, gathered;

  hw_sort(sample, n);
  i = samples_gathers(sample, n, 0, SAMPLES_GATHER);
  least = samples_most(sample, n, i, SAMPLES_SCATTERED) / SAMPLES_SCATTERED_PART;
  i = samples_gathers(sample, n, i, least);
  /* The densest place within this share above. */
  peak = samples_gathers(sample, n, i, samples_most(sample, n, i, SAMPLES_GATHERED));
  gathered = peak < n ? samples_within(sample, n, peak, SAMPLES_GATHERED) : 0;
  *clear = peak < n && 2 * samples_within(sample, n, peak, 2 * SAMPLES_GATHERED) <= 3 * gathered;
  if (*clear || peak == n)
    return hw_low_end(sample + peak, gathered);
  return hw_low_end(sample + i, samples_within(sample, n, i, SAMPLES_SCATTERED));
}
