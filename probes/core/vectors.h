/* How wide vectors are. */
#ifndef HW_VECTORS_H
#define HW_VECTORS_H

#include "analysis/reduce.h"

/* Bytes of the widest vector at which elements per cycle still grow. */
struct hw_answer hw_vectors_bytes(const struct hw_curves *curves);

#endif
