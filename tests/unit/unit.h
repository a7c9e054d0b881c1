/* What unit tests have in common: cmocka, and before it what it needs. */
#ifndef HW_UNIT_UNIT_H
#define HW_UNIT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
