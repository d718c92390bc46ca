/* One run of the annealing: a walk from an initial string. */
#ifndef WB_MAKESPAN_ANNEALING_ANNEALING_RUN_H
#define WB_MAKESPAN_ANNEALING_ANNEALING_RUN_H

#include "makespan/annealing/annealing_evaluation.h"
#include "makespan/annealing/annealing_guide.h"
#include "makespan/annealing/annealing_result.h"

/* What a walk needs and leaves behind. evaluation: with room for the problem's strings.
 * guide: NULL, or as made. upper: the walk ends where it reaches it. start: in
 * wb_clock, what seconds are counted from. goes_on is asked now and then, with the
 * iterations done since, and says whether to. best: out, the longest string met
 * (evaluation->entries places). Everything is borrowed. */
struct wb_annealing_walk {
  const struct wb_annealing_options *options;
  struct wb_annealing_evaluation *evaluation;
  const struct wb_annealing_guide *guide;
  uint64_t upper;
  double start;
  bool (*goes_on)(void *context, uint64_t iterations);
  void *context;
  uint32_t *best;
};

/* Walks from the string `initial` (the random one: its places shuffled) with the seed.
 * run: zeroed but for its `initial`; what it did. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_annealing_walk_run(const struct wb_annealing_walk *walk,
                                       const uint32_t *initial, uint64_t seed,
                                       struct wb_annealing_run *run, warpbound_error *error);

/* The run's largest makespan; 0 where it has none. */
static inline uint64_t wb_annealing_run_best(const struct wb_annealing_run *run)
{
  return run->count > 0 ? run->improvements[run->count - 1].makespan : 0;
}

#endif
