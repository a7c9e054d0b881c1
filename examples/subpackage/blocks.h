/* The sizes of blocks, from what hwconfig.h says of the machine. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include <stddef.h>

/* The side of a square block of doubles, of which so many are used at once. */
size_t block_side(size_t blocks);

/* The distance from row to row of a matrix with n columns, in doubles: an odd number of
   HW_PAD_BYTES, so that the rows of a block do not all fall into the same sets. */
size_t row_distance(size_t n);

/* n rows of that distance, filled with small whole numbers, or NULL. */
double *matrix(size_t n, unsigned seed);

/* What is known of the machine, on standard output. */
void print_machine(void);

/* Seconds since some moment. */
double seconds(void);

/* Prints both times, or says that the results differ and returns 1. */
int compare(const char *what, const double *naive, double naive_time, const double *blocked,
            double blocked_time, size_t n);

#endif
