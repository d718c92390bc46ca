/* Small random makespan instances, for tests: made from a seed, shrunk where they
 * fail, shown as a command. */
#ifndef TESTS_CROSS_RANDOM_INSTANCE_H
#define TESTS_CROSS_RANDOM_INSTANCE_H

#include "base/random.h"
#include "brute_force.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSTANCE_LENGTH_LIMIT 32u
#define INSTANCE_UNIT_TYPES 5u

/* letters: the string, ended by a zero. capacity of L, C, S, D, T, used or not.
 * issue_slots 0: no cap. fair: blocks between which the scheduler is fair (count 0: none). */
struct instance {
  char letters[INSTANCE_LENGTH_LIMIT + 1];
  uint32_t capacity[INSTANCE_UNIT_TYPES];
  uint32_t issue_slots;
  uint32_t warps;
  struct wb_fair_blocks fair;
};

/* One to four types and sometimes N, 1 to 8 instructions, 1 to 6 warps, capacities
 * from 1 to 4, no cap or one from 1 to 6. */
struct instance instance_random(struct wb_random *random);

/* The same with a string of up to 10 instructions, one to three of which stand in it one to three
 * times in a row: blocks between which the scheduler is fair. */
struct instance instance_random_fair(struct wb_random *random);

/* The same instance for the two sides that are compared. brute borrows letters. The
 * caller frees the problem with wb_problem_free; false where it was refused. */
struct brute_machine instance_machine(const struct instance *instance);
bool instance_problem(const struct instance *instance, struct wb_problem *problem);

/* Whether the property under test fails for the instance. */
typedef bool instance_fails(const struct instance *instance, void *context);
/* An instance that fails too and of which no simpler neighbour does: one instruction
 * or warp less, a block or an instruction of each block less, a capacity smaller by one, no cap or
 * one smaller by one. */
struct instance instance_shrink(struct instance failing, instance_fails *fails, void *context);

/* "warpbound makespan CLC --units L=1,C=2 --issue-slots 2 -W 4" */
void instance_command(const struct instance *instance, char *text, size_t size);

/* A work-conserving (and, if asked for, fair) schedule whose scheduler throws dice: cycles receives
 * warps * strlen(letters) entries, warp by warp. Returns its makespan. */
uint32_t instance_random_schedule(const struct instance *instance, struct wb_random *random,
                                  uint32_t *cycles);

#endif
