#include "makespan/annealing/cooling.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/work_control.h"

#include <math.h>

/* Places of strings between two questions to the control. */
#define POLL_PLACES 262144

void wb_cooling_start(struct wb_cooling *cooling, uint64_t seed, size_t entries)
{
  cooling->random = (struct wb_random){seed};
  cooling->poll_interval = POLL_PLACES / wb_minimum(wb_maximum(1, entries), POLL_PLACES);
}

bool wb_cooling_accepts(struct wb_cooling *cooling, uint32_t loss, double temperature)
{
  /* a number from 0 to 1, 1 excluded */
  const double dice = (double)(wb_random_next(&cooling->random) >> 11) * 0x1p-53;
  if (wb_cooling_is_published(cooling))
    return dice * loss < temperature;
  return dice < exp(-(double)loss / temperature);
}

void wb_cooling_improve(struct wb_cooling *cooling, uint64_t makespan)
{
  struct wb_annealing_run *run = cooling->run;
  if (!wb_grow(run->improvements, &run->capacity, run->count + 1)) {
    cooling->failed = cooling->stopped = true;
    return;
  }
  run->improvements[run->count++] =
      (struct wb_annealing_improvement){run->iterations, makespan, wb_clock() - cooling->start};
  cooling->best = makespan;
  if (makespan >= cooling->upper)
    cooling->stopped = true;
}

void wb_cooling_poll(struct wb_cooling *cooling)
{
  const uint64_t done = cooling->run->iterations - cooling->polled_at;
  cooling->polled_at = cooling->run->iterations;
  if (!cooling->goes_on(cooling->context, done))
    cooling->stopped = true;
}

void wb_cooling_round(struct wb_cooling *cooling, uint64_t round, uint64_t rounds,
                      void (*step)(void *state, double temperature), void *state)
{
  const uint64_t all = cooling->options->iterations;
  const uint64_t iterations = all / rounds + (round < all % rounds);
  for (uint64_t i = 0; i < iterations && !cooling->stopped; i++) {
    cooling->run->iterations++;
    step(state, cooling->options->temperature * (1 - (double)i / (double)iterations));
    if (cooling->run->iterations % cooling->poll_interval == 0)
      wb_cooling_poll(cooling);
  }
}
