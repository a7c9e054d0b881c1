/* Begins what only says what is to be timed, and computes: optimizing is half of compiling.
   configure compiles this with -O0; with flags of others, as in make hwprobe, this does the same.
   Headers of the system that check buffers want to be read optimized. */
#ifndef HW_PARTS_PLAIN_H
#define HW_PARTS_PLAIN_H

#include "probes/machine/machine.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined __GNUC__ && !defined __clang__ && defined __OPTIMIZE__
#pragma GCC optimize("O0")
#elif defined __clang__
#pragma clang optimize off
#endif

#endif
