/* The reductions of a curve and nothing else, for the tests that try all with any curve. */
#ifndef HW_REDUCTIONS_H
#define HW_REDUCTIONS_H

#include "analysis/company.h"
#include "analysis/reduce.h"

#define PLAIN_REDUCTIONS                                                                           \
  hw_reduce_biggest_drop, hw_reduce_tick, hw_reduce_slope, hw_reduce_level, hw_reduce_rate,        \
      hw_reduce_sustained, hw_reduce_compact_ways, hw_reduce_halfway, hw_reduce_compact_capacity,  \
      hw_reduce_worth, hw_reduce_chain, hw_reduce_chains, hw_reduce_throughput,                    \
      hw_reduce_throughput_unit, hw_reduce_contexts, hw_reduce_distance, hw_reduce_meetings,       \
      hw_reduce_slot

#endif
