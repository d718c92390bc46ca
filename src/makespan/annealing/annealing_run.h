/* One run of the annealing, from an initial string. */
#ifndef WB_MAKESPAN_ANNEALING_ANNEALING_RUN_H
#define WB_MAKESPAN_ANNEALING_ANNEALING_RUN_H

#include "makespan/annealing/annealing_evaluation.h"
#include "makespan/annealing/annealing_guide.h"
#include "makespan/annealing/annealing_result.h"

/* The input of a run. Borrows everything. */
struct wb_annealing_run_input {
  const struct wb_annealing_options *options;
  struct wb_annealing_evaluation *evaluation; /* with room for the problem's strings */
  const struct wb_annealing_guide *guide;     /* as made, or NULL */
  uint64_t upper;                             /* cycles: the run ends where it reaches this */
  double start;                               /* on wb_clock: seconds are counted from here */
  /* Is asked now and then, with the iterations done since, whether to go on. */
  bool (*goes_on)(void *context, uint64_t iterations);
  void *context;  /* of goes_on */
  uint32_t *best; /* out: the longest string met, evaluation->entries places */
};

/* Anneals from the string `initial`, whose places are shuffled first where the run's initial string
 * is the random one. run: in, its `initial`, the rest zero; out, what it did. Errors:
 * WARPBOUND_INTERNAL (memory). */
warpbound_status wb_annealing_run_from(const struct wb_annealing_run_input *input,
                                       const uint32_t *initial, uint64_t seed,
                                       struct wb_annealing_run *run, warpbound_error *error);

/* The run's largest makespan; 0 where it has none. */
static inline uint64_t wb_annealing_run_best(const struct wb_annealing_run *run)
{
  return run->count > 0 ? run->improvements[run->count - 1].makespan : 0;
}

#endif
