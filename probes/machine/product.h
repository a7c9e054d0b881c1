/* The product of matrices that is timed, with the flags of the user. */
#ifndef HW_PRODUCT_H
#define HW_PRODUCT_H

#include "probes/machine/machine.h"

/* Does a part of a product of the matrices that begin at base. */
void hw_product(char *base, const struct hw_product *product);

#endif
