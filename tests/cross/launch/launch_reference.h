/* The theorems of doc/launch.md for a tiny launch, from all of its (composite) paths one by one,
 * for tests. Shares nothing with src/launch but the description of timed code. */
#ifndef TESTS_CROSS_LAUNCH_REFERENCE_H
#define TESTS_CROSS_LAUNCH_REFERENCE_H

#include "tiny_launch.h"

#include <stdbool.h>
#include <stdint.h>

/* What a simpler bound leaves out, or gets wrong: the table "What fails". */
enum launch_slip {
  SLIP_NONE,
  SLIP_OWN_SERVICES, /* chains have no steps by the service of what two instructions take */
  SLIP_OWN_REQUESTS, /* a warp's own requests beside the chain do not count */
  SLIP_OWN_SHARED,   /* own requests count only on resources with one server */
  SLIP_COMPOSITE,    /* the chain is of one path */
  SLIP_FLOORS,       /* the fraction is cut off what other warps add alone */
  SLIP_PARTITIONS,   /* M = 0 */
  SLIP_EARLY_ENDS,   /* no chain goes through a warp that ends before a barrier of others */
  SLIP_COUNT
};

/* Numerators over `denominator`. */
struct launch_reference {
  int64_t denominator;
  int64_t alone_own, alone_partition, alone_others;
  int64_t own, partition, others, units, phase_units, gpu;
  int64_t longest_unit, phases;
};

/* The maxima. False: more composite paths than a test waits for. */
bool launch_reference_find(const struct tiny_launch *launch, enum launch_slip slip,
                           struct launch_reference *reference);

/* Theorem 1 or 2, whichever is for the launch (1: one block and block_start, dispatch 0), and the
 * least if both; without the overhead. */
uint64_t launch_reference_bound(const struct tiny_launch *launch,
                                const struct launch_reference *reference, enum launch_slip slip);

#endif
