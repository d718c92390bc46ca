/* Small random instances on a whole SM, for tests: made from a seed, shrunk where they fail, said
 * in one line. sm_trial.h is the frame that does all of it. */
#ifndef TESTS_CROSS_RANDOM_SM_INSTANCE_H
#define TESTS_CROSS_RANDOM_SM_INSTANCE_H

#include "base/random.h"
#include "brute_force.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 1 to 3 blocks, 1 to 3 partitions, 1 to 4 strings with 0 to 3 B each, of which one or more may be
 * shared types, N, a cap; up to 8 warps, and so small that sm_brute_worst takes milliseconds. */
struct sm_instance sm_instance_random(struct wb_random *random);
/* The same with one block and no shared types, one string in half of them. */
struct sm_instance sm_instance_random_block(struct wb_random *random);
/* The same with one string, one partition, one block and no B: what a wb_problem can say. */
struct sm_instance sm_instance_random_plain(struct wb_random *random);

/* A string for each warp: string_of has room for SM_WARP_LIMIT. */
void sm_instance_random_strings(const struct sm_instance *instance, struct wb_random *random,
                                uint32_t *string_of);

/* The same instance for the engine. The caller frees the problem with wb_sm_problem_free; false
 * where it was refused. */
bool sm_instance_problem(const struct sm_instance *instance, struct wb_sm_problem *problem);

/* Whether the property under test fails for the instance. */
typedef bool sm_instance_fails(const struct sm_instance *instance, void *context);
/* An instance that fails too and of which no simpler neighbour does: a string, an instruction (a B
 * in all strings at once), a warp of each block, a block or a partition less, a capacity or the cap
 * smaller by one, no cap, a type not shared. */
struct sm_instance sm_instance_shrink(struct sm_instance failing, sm_instance_fails *fails,
                                      void *context);

/* "LCB|CBC, units L=1,C=2, shared L, issue slots 2, 2 partitions, 2 blocks of 3 warps" */
void sm_instance_describe(const struct sm_instance *instance, char *text, size_t size);

/* A work-conserving schedule whose scheduler throws dice: cycles[w][i] is the cycle, from 1, in
 * which warp w issues instruction i of its string. Returns its makespan. */
uint32_t sm_instance_random_schedule(const struct sm_instance *instance, const uint32_t *string_of,
                                     struct wb_random *random, uint32_t cycles[][SM_LENGTH_LIMIT]);

#endif
