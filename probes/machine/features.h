/* What the program asks the system for, before any other header: more than POSIX, also of a
   compiler that claims to be of C99. */
#ifndef HW_FEATURES_H
#define HW_FEATURES_H

#ifdef __linux__
#define _GNU_SOURCE
#else
#define _POSIX_C_SOURCE 200809L
#define _DARWIN_C_SOURCE
#endif

#endif
