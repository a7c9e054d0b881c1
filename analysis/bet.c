/* A bet: see bet.h. */
#include "analysis/bet.h"

#include <math.h>

/* Stakes: all, half, a quarter and so on, each with that part of the capital.  The last is so small
   that it would take thousands of rounds. */
#define BET_STAKES 8

double hw_bet(double one, double other, double one_part, double other_part) {
  double won = 0;

  for (int i = 0; i < BET_STAKES; i++) {
    double stake = ldexp(1, -i);
    won += stake / 2 * pow(1 + stake * one_part, one) * pow(1 - stake * other_part, other);
  }
  return fmin(1 / won, 1);
}
