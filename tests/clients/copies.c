/* Times memcpy of N MiB, and of reading the copy, in ms a time: the fastest of ROUNDS times each.

     copies N ROUNDS */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec time;

  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static void keep(double *least, double ms) {
  if (!(*least > 0) || ms < *least)
    *least = ms;
}

static unsigned long sum(const unsigned long *word, size_t n) {
  unsigned long s[4] = {0};

  for (size_t i = 0; i + 4 <= n; i += 4)
    for (size_t k = 0; k < 4; k++)
      s[k] += word[i + k];
  return s[0] + s[1] + s[2] + s[3];
}

int main(int argc, char **argv) {
  const size_t bytes = argc == 3 ? (size_t)atoi(argv[1]) << 20 : 0;
  unsigned long *from = bytes > 0 ? malloc(bytes) : NULL, *to = from ? malloc(bytes) : NULL;
  double copy = 0, both = 0;
  unsigned long sums = 0;

  if (to == NULL)
    return 1;
  memset(from, 1, bytes);
  memset(to, 2, bytes);
  for (int round = atoi(argv[2]); round > 0; round--) {
    double start = now();
    memcpy(to, from, bytes);
    keep(&copy, now() - start);
    start = now();
    memcpy(to, from, bytes);
    sums += sum(to, bytes / sizeof *to);
    keep(&both, now() - start);
  }
  printf("%.3f %.3f\n", copy, both);
  return sums == 1;
}
