/* A beam search through the machine's real states that needs no table: it goes cycle by
 * cycle and keeps the states that a given estimate values most. */
#ifndef WB_MAKESPAN_BEAM_WIDE_BEAM_H
#define WB_MAKESPAN_BEAM_WIDE_BEAM_H

#include "base/work_control.h"
#include "makespan/beam/state_value.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wb_beam_options {
  size_t width;  /* states kept of a cycle, 1 or more */
  size_t branch; /* about how many moves of a state are tried, those that give up the least value */
  uint64_t longer_than; /* cycles: only a longer schedule is made */
  uint64_t steps;  /* moves tried and positions looked at after which to give up; 0: no limit */
  uint64_t memory; /* most bytes */
};

/* The outcome. Free the witness with wb_schedule_free. */
struct wb_beam_result {
  uint64_t longest;           /* cycles of the longest schedule found; 0: none was finished */
  struct wb_schedule witness; /* that schedule, where it is longer than asked, else empty */
  bool complete;     /* no state and no move was left out: no other width or estimate finds more */
  enum wb_stop stop; /* why the search ended early */
  bool out_of_steps; /* because of options.steps */
  uint64_t steps;    /* taken */
  uint64_t states;   /* kept in all */
  uint64_t bytes;    /* most held at a time */
};

/* Whether the search can be used on the problem: at most WB_VALUE_MOST warps and
 * instructions, at most 4096 of one of them, and a schedule within WB_SCHEDULE_LIMIT. */
bool wb_wide_beam_fits(const struct wb_problem *problem);

/* Layer t holds states that t cycles lead to, each once (states of one 64-bit hash are
 * taken to be the same, which can lose a state but never make a false schedule), at most
 * `width` of them, those with the largest estimates; ties are broken by the hash. Every
 * schedule found is one of the machine's. Deterministic, but for the control's limits.
 * Time: makespan * width * (branch + positions occupied). The control is asked every few
 * thousand steps; its progress is not told. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_wide_beam_search(const struct wb_problem *problem,
                                     const struct wb_state_value *value,
                                     const struct wb_beam_options *options,
                                     const struct wb_control *control,
                                     struct wb_beam_result *result, warpbound_error *error);

#endif
