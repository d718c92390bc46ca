/* For the checker of bounds on launches: what the theorems of doc/launch.md make of maxima of a
 * warp. */
#ifndef WB_CERTIFICATE_LAUNCH_LAUNCH_THEOREMS_H
#define WB_CERTIFICATE_LAUNCH_LAUNCH_THEOREMS_H

#include "certificate/launch/launch_claim.h"

#include <stdbool.h>
#include <stdint.h>

/* In place of a number that does not fit, or that is not known. */
#define WB_CHECK_LAUNCH_UNKNOWN UINT64_MAX

/* The maxima. Times are in 1 / denominator cycles. */
struct wb_check_launch_terms {
  uint64_t denominator;
  uint64_t sum[WB_CHECK_LAUNCH_SUM_COUNT]; /* or unknown; own and alone-own with the end of a
                                              warp */
  bool kept;                               /* they are without fetches of data that L2 keeps: */
  uint64_t fetches;                        /* of which this is the time, or unknown */
  uint64_t after;           /* of the own steps, what is after a block has left its SM */
  uint64_t phases;          /* f, at least 1; 1 only where there is no barrier */
  uint64_t longest_unit;    /* e, in cycles: 0 where f is 1 */
  bool as_many;             /* sums of own steps and partitions are of whole paths, which warps of a
                               block pass with as many barriers */
  uint64_t partition_warps; /* most that a partition holds; 0: not known */
  uint64_t change;          /* of the series of stages, in cycles */
  const uint64_t
      *one_path; /* how often WB_CHECK_LAUNCH_ONE_PATH has each sum, where that is known */
};

/* The least number of cycles that a theorem with known maxima gives; unknown where none does. The
 * shape and the code are valid. */
uint64_t wb_check_launch_theorems(const struct wb_check_launch_terms *terms,
                                  const struct wb_launch_shape *shape,
                                  const struct wb_timed_code *code);

/* What the claim says of warps and barriers of which together no theorem is; NULL: nothing. */
const char *wb_check_launch_contradiction(const struct wb_check_launch_claim *claim);

/* Whether a chain that changes its partition may come back through a block beside. */
bool wb_check_launch_comes_back(const struct wb_check_launch_terms *terms,
                                const struct wb_launch_shape *shape,
                                const struct wb_timed_code *code);

/* How often each slot of the GPU counts a block in theorem E, by the maxima of the terms: no path's
 * own numbers ask for more. Of a launch of several waves. */
uint64_t wb_check_launch_mean_turns(const struct wb_check_launch_terms *terms,
                                    const struct wb_launch_shape *shape,
                                    const struct wb_timed_code *code);

/* ---- one path for all warps of the launch (launch_one_path.c) ---- */

/* The least that some theorem gives where all sums are of one path, in 1 / denominator cycles
 * without the launch's overhead and what is fetched for L2; unknown where none does. */
uint64_t wb_check_launch_one_path(const struct wb_check_launch_terms *terms,
                                  const struct wb_launch_shape *shape,
                                  const struct wb_timed_code *code);

/* Whether blocks of one warp and one phase fill each partition of an SM. */
bool wb_check_launch_fills_partitions(const struct wb_check_launch_terms *terms,
                                      const struct wb_launch_shape *shape);

#endif
