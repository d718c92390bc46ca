/* What the checker of potentials knows of the machine: pools, the kinds of steps of
 * the string with their values, and the sums over the whole string. */
#ifndef WB_CERTIFICATE_POTENTIAL_POTENTIAL_MACHINE_H
#define WB_CERTIFICATE_POTENTIAL_POTENTIAL_MACHINE_H

#include "certificate/potential/potential_check.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A kind of step. from, to: indices of pools; to == from: it stays; to == the number
 * of pools: to the end. times: how often the string has it. None of the others makes a step that
 * has no value. */
struct wb_check_potential_step {
  size_t from;
  size_t to;
  uint64_t length;
  uint64_t times;
  int64_t value;
  bool has_value;
};

struct wb_check_potential_steps {
  struct wb_check_potential_step *list;
  size_t count;
};

/* service: s, the most instructions of the type in a cycle. most_warps, most_work: K
 * and B. longest: the longest run of the type. stay, own_stay: 0 where longest is 1. stays,
 * waits: whether one of the others may stay in its run when it issues, and may not issue. */
struct wb_check_potential_machine_pool {
  char type;
  int64_t service;
  int64_t most_warps;
  int64_t most_work;
  int64_t longest;
  int64_t stay;
  int64_t own_stay;
  bool stays;
  bool waits;
};

/* slots: most instructions in a cycle; INT64_MAX without a cap. leave, own_leave: the
 * steps that end a run, sorted by pools and length. through, own_through: the sums A
 * and O of the values of all the steps of the string. first: the pool of the first
 * run; first_length its length. */
struct wb_check_potential_machine {
  struct wb_check_potential_machine_pool pool[WB_CHECK_POTENTIAL_POOLS];
  size_t pool_count;
  int64_t slots;
  struct wb_check_potential_steps leave;
  struct wb_check_potential_steps own_leave;
  int64_t through;
  int64_t own_through;
  size_t first;
  uint64_t first_length;
};

/* Checks the string, the units, the pools and the values of a claim, and makes the
 * machine of them; of a claim with components, those of the own warp alone. Errors as
 * wb_check_potential. Free with wb_check_potential_machine_free, after a failure too. Time: sorting
 * the runs. */
warpbound_status wb_check_potential_machine_make(const struct wb_check_potential_claim *claim,
                                                 struct wb_check_potential_machine *machine,
                                                 warpbound_error *error);
void wb_check_potential_machine_free(struct wb_check_potential_machine *machine);

#endif
