/* What configure's answer is to be held against: the least time of both ways, for each size, and
   the size from which on Karatsuba's method is the quicker one of most of the next sixteen. */
#include <stdio.h>
#include <time.h>

void by_school(long n);
void by_karatsuba(long n);

#define MOST 512
#define TRIES 15
#define WINDOW 16

static double least(void (*function)(long), long n) {
  double best = 1e300;

  for (int k = 0; k < TRIES; k++) {
    clock_t begin = clock(), end;
    long calls = 0;
    do {
      for (int i = 0; i < 16; i++, calls++)
        function(n);
      end = clock();
    } while (end - begin < CLOCKS_PER_SEC / 5000);
    if ((double)(end - begin) / (double)calls < best)
      best = (double)(end - begin) / (double)calls;
  }
  return best * 1e9 / CLOCKS_PER_SEC;
}

int main(void) {
  int quicker[MOST] = {0}, sum = 0;

  for (long n = 4; n < MOST; n++) {
    double school = least(by_school, n), karatsuba = least(by_karatsuba, n);
    printf("%ld limbs: %.0f and %.0f ns\n", n, school, karatsuba);
    quicker[n] = karatsuba < school;
    sum += quicker[n] - (n >= 4 + WINDOW ? quicker[n - WINDOW] : 0);
    if (n >= 4 + WINDOW && sum > WINDOW * 3 / 4) {
      printf("from %ld\n", n - WINDOW + 1);
      return 0;
    }
  }
  puts("never");
  return 0;
}
