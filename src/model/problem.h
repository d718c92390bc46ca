/* Normalisation, and the makespan problems that it yields: what every bound, search, policy and
 * check of this project is about. */
#ifndef WB_MODEL_PROBLEM_H
#define WB_MODEL_PROBLEM_H

#include "base/status.h"
#include "model/kernel_string.h"
#include "model/sm_configuration.h"
#include "model/unit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* W identical warps run one string in order on one partition, at most one instruction per warp and
 * cycle, each for one cycle on a unit of its type.
 * Work-conserving: in no cycle does an unfinished warp idle whose next type has a free unit while
 * an issue slot is free. Nothing else is known of the scheduler.
 *
 * Invariants: string.length >= 1, warps >= 1, capacity[u] >= 1 for every type that the string uses,
 * capacity[WB_UNIT_NONE] == WB_UNLIMITED, issue_slots >= 1. Where units are shared with other
 * partitions, the problem by itself is only a part of the truth (outside_warps > 0), and there is
 * no fairness. */
struct wb_problem {
  struct wb_kernel_string string;
  uint32_t capacity[WB_UNIT_COUNT]; /* sigma_u: instructions of type u that can start in a cycle;
                                       WB_UNLIMITED: no limit */
  uint32_t issue_slots; /* sigma: instructions that can start in a cycle; WB_UNLIMITED: no cap */
  uint32_t warps;       /* W */
  bool shared[WB_UNIT_COUNT]; /* the outside warps compete for the units of type u too */
  uint32_t outside_warps;     /* of the other partitions, which run the same string */
  struct wb_fair_blocks fair; /* blocks of `string` between whose repetitions the scheduler is fair:
                                 in no cycle could a warp that issues give its place, within the
                                 capacities and the issue slots, to one that idles before an
                                 instruction of an earlier repetition */
};

/* Normalises a kernel string for a configuration (ETFA 2013, III-E): where sigma
 * is below 1 or instructions hold their unit for x cycles, each letter of the type
 * is repeated x / sigma times and sigma becomes 1. Refused, with the reason:
 * a type that the string uses and the configuration lacks; x / sigma not a whole
 * number; sigma above 1 that is not whole, or with x above 1 (the repetition would
 * make a lone warp faster than it is); more than WB_NORMALISED_LIMIT letters. A
 * configuration from a file is then WARPBOUND_INVALID_INPUT, else WARPBOUND_USAGE.
 * The SM's `warps` spread evenly over its partitions: the problem has
 * ceil(warps / partitions). Frees nothing of its arguments; the caller frees the
 * problem with wb_problem_free. */
warpbound_status wb_problem_normalise(const struct wb_kernel_string *kernel,
                                      const struct wb_sm_configuration *sm, uint32_t warps,
                                      struct wb_problem *problem, warpbound_error *error);

/* s_u = min(sigma_u, sigma): the most instructions of u in a cycle. */
uint32_t wb_problem_service(const struct wb_problem *problem, enum wb_unit unit);

/* Whether the cap on issue slots can ever bind: false where it is at least the sum
 * of the capacities of the types used, or at least the number of warps. */
bool wb_problem_capped(const struct wb_problem *problem);

/* Whether any units that the string uses are shared with other partitions. */
bool wb_problem_has_shared(const struct wb_problem *problem);

/* Whether only fair schedules count. */
bool wb_problem_fair(const struct wb_problem *problem);

void wb_problem_free(struct wb_problem *problem);

/* ---- the warps of one or more blocks on a whole SM: several strings, barriers, and units that the
 * partitions share. Wider than wb_problem, whose bounds and searches are the stronger ones where it
 * applies ---- */

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

/* A problem of one partition as one of an SM. Borrows what the string owns: nothing is to be freed.
 * Must not be moved. */
struct wb_widened_problem {
  struct wb_kernel_string string;
  struct wb_sm_problem whole;
};
void wb_problem_widen(const struct wb_problem *problem, struct wb_widened_problem *widened);

#endif
