/* The core of a run of simulated annealing, of a partition's string or a whole SM's: the falling
 * temperature, which worse strings are taken, improvements, and questions to the control. */
#ifndef WB_MAKESPAN_ANNEALING_COOLING_H
#define WB_MAKESPAN_ANNEALING_COOLING_H

#include "base/random.h"
#include "makespan/annealing/annealing_result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A run under way. Set the first part; the rest begins as zeros but for poll_interval
 * (wb_cooling_start). Borrows all. */
struct wb_cooling {
  const struct wb_annealing_options *options;
  struct wb_annealing_run *run; /* counts its iterations, gets its improvements */
  uint64_t upper;               /* cycles: the run ends where it reaches this */
  double start;                 /* on wb_clock: seconds are counted from here */
  bool (*goes_on)(void *context, uint64_t iterations); /* whether to go on; is told the iterations
                                                        * done since it was asked last */
  void *context;                                       /* of goes_on */

  struct wb_random random;
  uint64_t poll_interval; /* iterations between two questions */
  uint64_t polled_at;     /* the iteration of the last one */
  uint64_t best;          /* cycles of the longest string met */
  bool stopped;           /* the run has ended */
  bool failed;            /* memory is out */
};

/* Begins with a seed. entries: places of the strings, which sets how often the control is asked. */
void wb_cooling_start(struct wb_cooling *cooling, uint64_t seed, size_t entries);

/* Whether the variant is the published one. */
static inline bool wb_cooling_is_published(const struct wb_cooling *cooling)
{
  return cooling->options->variant == WB_ANNEALING_PUBLISHED;
}

/* Whether to take a string whose makespan is `loss` cycles shorter; published: with probability
 * min(1, T / loss), windowed: exp(-loss / T). */
bool wb_cooling_accepts(struct wb_cooling *cooling, uint32_t loss, double temperature);

/* Notes a makespan above the best so far as an improvement. */
void wb_cooling_improve(struct wb_cooling *cooling, uint64_t makespan);

/* Asks the control. */
void wb_cooling_poll(struct wb_cooling *cooling);

/* The options' iterations, as the round of number `round` of `rounds` has them: T falls linearly
 * from the options' temperature to 0. Calls `step` for each, unless it is stopped. */
void wb_cooling_round(struct wb_cooling *cooling, uint64_t round, uint64_t rounds,
                      void (*step)(void *state, double temperature), void *state);

#endif
