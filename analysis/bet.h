/* A bet, by which counts decide with a stated probability of error. */
#ifndef HW_BET_H
#define HW_BET_H

/* The probability of error at which a bet decides what is published. */
#define HW_BET_SURE 1e-6

/* The probability, at most, that one came as often as counted beside the other by chance, if its
   rate is no more than the part of the other's: the inverse of the capital of a bet against it.

   The capital starts with 1.  Against r <= s, say: it is multiplied by 1 + b when one comes in a
   round, and by 1 - b when the other does, 0 < b <= 1.  If the claim holds, its expected factor in
   any round is 1 + b (r - s), 1 at most, even when the two correlate.  So the capital ever exceeds
   1/epsilon with a probability of epsilon at most (Ville's inequality).  This is Wald's sequential
   test, but without known rates: they may change from round to round, as the load of other
   processes does, and the test may be repeated after any round. */
double hw_bet(double one, double other, double one_part, double other_part);

#endif
