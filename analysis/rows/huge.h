/* What the probe of larger pages takes from its reader. */
#ifndef HW_HUGE_H
#define HW_HUGE_H

#include "analysis/values.h"

/* The least offset (bytes), which divides any page. */
#define HW_HUGE_LEAST ((size_t)512)

/* Mappings, and the names of their curves. */
enum hw_huge_kind { HW_HUGE_PLAIN, HW_HUGE_ASKED, HW_HUGE_KINDS };
extern const char *const hw_huge_fit[HW_HUGE_KINDS];
extern const char *const hw_huge_full[HW_HUGE_KINDS];

#endif
