/* The worst makespan of warps on a whole SM by the words of model/problem.h, for tests: explicit
 * warps, every subset of them in every cycle. Shares nothing with the engine.
 *
 *   struct sm_brute *brute = sm_brute_start(&instance, true, SM_BRUTE_STATE_LIMIT);
 *   uint32_t worst, one, string_of[SM_WARP_LIMIT];
 *   sm_brute_worst(brute, &worst, string_of);         over all strings that warps may run
 *   sm_brute_assignment(brute, string_of, &one);      warp w runs string string_of[w]
 *   sm_brute_free(brute);
 *
 * Random instances, their wb_sm_problem, and shrinking: random_sm_instance.h and sm_trial.h. */
#ifndef TESTS_CROSS_SM_BRUTE_FORCE_H
#define TESTS_CROSS_SM_BRUTE_FORCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SM_UNIT_TYPES 5u
#define SM_WARP_LIMIT 16u
#define SM_LENGTH_LIMIT 32u
#define SM_STRING_LIMIT 4u
#define SM_PARTITION_LIMIT 4u
#define SM_BRUTE_STATE_LIMIT ((size_t)1000000)

/* Plain numbers, the meaning that of struct wb_sm_problem. strings: over "LCSDTNB", each ended by a
 * zero, not empty, with as many B. capacity: of L, C, S, D in a partition or, where shared, on the
 * SM. issue_slots: of a partition; 0 for no cap. At most SM_WARP_LIMIT warps in all
 * and SM_PARTITION_LIMIT partitions. */
struct sm_instance {
  char strings[SM_STRING_LIMIT][SM_LENGTH_LIMIT + 1];
  uint32_t string_count;
  uint32_t capacity[SM_UNIT_TYPES];
  bool shared[SM_UNIT_TYPES];
  uint32_t issue_slots;
  uint32_t partitions;
  uint32_t blocks;
  uint32_t block_warps;
};

static inline uint32_t sm_instance_warps(const struct sm_instance *instance)
{
  return instance->blocks * instance->block_warps;
}

/* The longest paths found so far, by state. A state is what each warp has left of its string.
 * sorted: warps of one block and partition, and whole blocks, that differ in their number only are
 * taken for one. */
struct sm_brute;

/* The instance is borrowed. NULL where memory is out. */
struct sm_brute *sm_brute_start(const struct sm_instance *instance, bool sorted,
                                size_t state_limit);
/* The most cycles where warp w runs string string_of[w] and has done position[w] instructions of it
 * (NULL: none). False: too large, more states than the limit. */
bool sm_brute_longest(struct sm_brute *brute, const uint32_t *string_of, const uint32_t *position,
                      uint32_t *cycles);
bool sm_brute_assignment(struct sm_brute *brute, const uint32_t *string_of, uint32_t *cycles);
/* The most cycles over all strings that the warps may run; string_of (NULL: not wanted) receives
 * the first assignment that takes as many. False: too large. */
bool sm_brute_worst(struct sm_brute *brute, uint32_t *cycles, uint32_t *string_of);
void sm_brute_free(struct sm_brute *brute);

#endif
