/* The warps of one or more blocks on a whole SM: several strings, barriers, and units that the
 * partitions share. Wider than wb_problem (model/problem.h), which is one partition of identical
 * warps without barriers, and whose bounds and searches are the stronger ones where it applies. */
#ifndef WB_MODEL_SM_PROBLEM_H
#define WB_MODEL_SM_PROBLEM_H

#include "base/status.h"
#include "model/fair_blocks.h"
#include "model/kernel_string.h"
#include "model/sm_configuration.h"
#include "model/unit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Warp w, from 0, is of block w / block_warps and stays in partition (w % block_warps) %
 * partitions: each block is dealt out to the partitions in turn, the first one first. Each warp
 * runs one of the strings in order, at most one instruction a cycle.
 *
 * An instruction of type B is issued like one of type N. A warp that has done its k-th B does not
 * issue again before the cycle after that in which the last warp of its block does its own k-th B.
 * Work-conserving: in no cycle does an unfinished warp that waits for no barrier idle while a unit
 * of its next instruction's type and an issue slot of its partition are free.
 *
 * Invariants: string_count, partitions, blocks and block_warps are at least 1; no string is empty;
 * all have the same number of B; capacity[u] is at least 1 for every type that a string uses and
 * WB_UNLIMITED for N and B; issue_slots is at least 1. shared[u] is false where partitions is 1.
 * There is no fairness unless there is one string, one partition and one block.
 * Owns the strings. */
struct wb_sm_problem {
  struct wb_kernel_string *strings; /* those that a warp may run */
  size_t string_count;
  uint32_t capacity[WB_UNIT_COUNT]; /* sigma_u: instructions of type u that can start in a cycle, in
                                       each partition or, where shared[u], on the SM; WB_UNLIMITED:
                                       no limit */
  bool shared[WB_UNIT_COUNT];       /* the units are those of the whole SM */
  uint32_t issue_slots;             /* of each partition; WB_UNLIMITED: no cap */
  uint32_t partitions;
  uint32_t blocks;
  uint32_t block_warps;       /* of each block */
  struct wb_fair_blocks fair; /* as in wb_problem */
};

/* Warps in all; at most WB_WARP_LIMIT. */
static inline uint32_t wb_sm_problem_warps(const struct wb_sm_problem *problem)
{
  return problem->blocks * problem->block_warps;
}

/* The block, and the partition, of a warp. */
static inline uint32_t wb_sm_block_of(const struct wb_sm_problem *problem, uint32_t warp)
{
  return warp / problem->block_warps;
}
static inline uint32_t wb_sm_partition_of(const struct wb_sm_problem *problem, uint32_t warp)
{
  return warp % problem->block_warps % problem->partitions;
}

/* Normalises kernel strings for a configuration, each as wb_problem_normalise does. `warps` warps
 * in all are `blocks` blocks. Errors: those of wb_problem_normalise; WARPBOUND_USAGE where `warps`
 * is no multiple of `blocks`, or the strings differ in their number of B. Frees nothing of its
 * arguments; the caller frees the problem with wb_sm_problem_free. */
warpbound_status wb_sm_problem_normalise(const struct wb_kernel_string *kernels,
                                         size_t kernel_count, const struct wb_sm_configuration *sm,
                                         uint32_t warps, uint32_t blocks,
                                         struct wb_sm_problem *problem, warpbound_error *error);

void wb_sm_problem_free(struct wb_sm_problem *problem);

struct wb_problem;

/* A problem of one partition as one of an SM. Borrows what the string owns: nothing is to be freed.
 * Must not be moved. */
struct wb_widened_problem {
  struct wb_kernel_string string;
  struct wb_sm_problem whole;
};
void wb_problem_widen(const struct wb_problem *problem, struct wb_widened_problem *widened);

#endif
