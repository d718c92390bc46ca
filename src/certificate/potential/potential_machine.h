/* The pool abstraction of a claim's string: its pools, the kinds of steps with their values, and
 * the values of the whole string. */
#ifndef WB_CERTIFICATE_POTENTIAL_POTENTIAL_MACHINE_H
#define WB_CERTIFICATE_POTENTIAL_POTENTIAL_MACHINE_H

#include "base/arena.h"
#include "base/status.h"
#include "certificate/potential/potential_claim.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Steps of the string that the abstraction does not tell apart. */
struct wb_check_step_kind {
  /* The pool of the instruction that issues. */
  size_t from;
  /* The same pool: the warp stays in its run. Another: that of the run entered. The number of
   * pools: the warp ends. */
  size_t to;
  /* Instructions of the run entered; 0 where it does not matter. */
  uint64_t length;
  /* How many steps of the string are of this kind. */
  uint64_t times;
  /* The value of each of them. */
  int64_t value;
  /* Whether it has a value. A warp other than the own one makes no step without. */
  bool has_value;
};

struct wb_check_step_kinds {
  struct wb_check_step_kind *list;
  size_t count;
};

/* A pool of the abstraction. */
struct wb_check_machine_pool {
  char type;
  /* s: most instructions of the type in a cycle, the issue slots considered; at least 1. */
  int64_t service;
  /* K, at least `service`, and B. */
  int64_t most_warps;
  int64_t most_work;
  /* Instructions of the longest run of the type. */
  int64_t longest;
  /* The values of steps inside a run; 0 where `longest` is 1. */
  int64_t stay;
  int64_t own_stay;
  /* Whether a warp other than the own one that issues may stay in its run. */
  bool stays;
  /* Whether such a warp may stand in the pool and not issue. */
  bool waits;
};

/* Invariant: pools differ in their types, and every type of the string has one; `leave` and
 * `own_leave` are sorted by from, to and length, each kind once. The lists live in an
 * arena. */
struct wb_check_potential_machine {
  struct wb_check_machine_pool pool[WB_CHECK_POTENTIAL_POOLS];
  size_t pool_count;
  /* Most instructions in a cycle; INT64_MAX without a cap. */
  int64_t slots;
  /* The steps that end a run: of the other warps, and of the own one, whose kinds have length 0. */
  struct wb_check_step_kinds leave;
  struct wb_check_step_kinds own_leave;
  /* A and O: the sums of the values of all steps of the string. */
  int64_t through;
  int64_t own_through;
  /* The pool of the first run, and the instructions of that run. */
  size_t first;
  uint64_t first_length;
};

/* Checks the string, the units, the pools and the values of a claim, and makes the machine of them;
 * of a claim with components, the values of the own warp alone. Errors as wb_check_potential. Time:
 * sorting the runs. */
warpbound_status wb_check_potential_machine_make(struct wb_arena *arena,
                                                 const struct wb_check_potential_claim *claim,
                                                 struct wb_check_potential_machine *machine,
                                                 warpbound_error *error);

/* The pool of a type; the number of pools where it has none. */
size_t wb_check_machine_pool_of(const struct wb_check_potential_machine *machine, char type);

/* Whether the invariant holds but for the string. Linear in the kinds of steps. For assertions and
 * tests. */
bool wb_check_potential_machine_is_sound(const struct wb_check_potential_machine *machine);

#endif
