#include "makespan/annealing/annealing_run.h"

#include "base/checked.h"
#include "base/memory.h"
#include "makespan/annealing/annealing_moves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Places of strings between two looks at the control. */
#define POLL_PLACES 262144
/* Walks of the windowed variant between its restarts, the first from the initial string. */
#define ROUNDS 8

/* A walk under way. floor: the first place that may change. failed: memory is out. */
struct walking {
  const struct wb_annealing_walk *walk;
  struct wb_annealing_evaluation *evaluation;
  struct wb_annealing_run *run;
  struct wb_random random;
  uint64_t poll_interval;
  uint64_t polled_at;
  size_t floor;
  uint64_t best;
  bool stopped;
  bool failed;
};

static bool is_published(const struct walking *walking)
{
  return walking->walk->options->variant == WB_ANNEALING_PUBLISHED;
}

static void record_improvement(struct walking *walking)
{
  struct wb_annealing_run *run = walking->run;
  if (!wb_grow(run->improvements, &run->capacity, run->count + 1)) {
    walking->failed = walking->stopped = true;
    return;
  }
  run->improvements[run->count++] = (struct wb_annealing_improvement){
      run->iterations, walking->evaluation->makespan, wb_clock() - walking->walk->start};
  walking->best = walking->evaluation->makespan;
  memcpy(walking->walk->best, walking->evaluation->order,
         walking->evaluation->entries * sizeof *walking->walk->best);
  if (walking->best >= walking->walk->upper)
    walking->stopped = true;
}

/* A number from 0 to 1, 1 excluded. */
static double random_fraction(struct wb_random *random)
{
  return (double)(wb_random_next(random) >> 11) * 0x1p-53;
}

/* Whether to take a string whose makespan is `loss` cycles shorter. */
static bool takes(struct walking *walking, uint32_t loss, double temperature)
{
  double dice = random_fraction(&walking->random);
  if (is_published(walking))
    return dice * loss < temperature;
  return dice < exp(-(double)loss / temperature);
}

static void step(struct walking *walking, double temperature)
{
  struct wb_annealing_evaluation *evaluation = walking->evaluation;
  bool changed;
  if (is_published(walking))
    wb_annealing_swap_any(evaluation, &walking->random);
  else
    wb_annealing_change_window(evaluation, walking->floor, &walking->random);
  uint32_t makespan = wb_annealing_evaluation_try(evaluation, &changed);
  if (!changed)
    return;
  if (makespan < evaluation->makespan &&
      !takes(walking, evaluation->makespan - makespan, temperature)) {
    wb_annealing_evaluation_drop(evaluation);
    return;
  }
  wb_annealing_evaluation_keep(evaluation);
  if (makespan > walking->best)
    record_improvement(walking);
}

static void poll(struct walking *walking)
{
  uint64_t done = walking->run->iterations - walking->polled_at;
  walking->polled_at = walking->run->iterations;
  if (!walking->walk->goes_on(walking->walk->context, done))
    walking->stopped = true;
}

/* One cooling, T = T0 (1 - iteration / iterations). */
static void cool(struct walking *walking, uint64_t iterations)
{
  double temperature = walking->walk->options->temperature;
  for (uint64_t i = 0; i < iterations && !walking->stopped; i++) {
    walking->run->iterations++;
    step(walking, temperature * (1 - (double)i / (double)iterations));
    if (walking->run->iterations % walking->poll_interval == 0)
      poll(walking);
  }
}

/* Back to the longest string, with the warps served in turn after a promising beginning.
 * In half of the cases the beginning stays as it is until the next restart: to change only
 * what follows costs less, and to change all may be what is missing. */
static warpbound_status restart(struct walking *walking, warpbound_error *error)
{
  struct wb_annealing_evaluation *evaluation = walking->evaluation;
  size_t runs = walking->walk->guide->table.run_count;
  uint32_t *inside = wb_allocate(runs, sizeof *inside);
  uint64_t *pending = wb_allocate(runs, sizeof *pending);
  if (inside != NULL && pending != NULL) {
    bool changed;
    wb_annealing_evaluation_set(evaluation, walking->walk->best);
    walking->floor = wb_annealing_guide_cut(walking->walk->guide, evaluation, walking->best + 1,
                                            &walking->random, inside, pending);
    wb_annealing_serve_in_turn(evaluation, walking->floor);
    wb_annealing_evaluation_try(evaluation, &changed);
    if (changed)
      wb_annealing_evaluation_keep(evaluation);
    if (evaluation->makespan > walking->best)
      record_improvement(walking);
    if (wb_annealing_below(&walking->random, 2) == 0)
      walking->floor = 0;
  }
  bool failed = inside == NULL || pending == NULL;
  free(inside);
  free(pending);
  return failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

static warpbound_status walk_on(struct walking *walking, warpbound_error *error)
{
  uint64_t iterations = walking->walk->options->iterations;
  /* Restarts take the places of a string for points in time, which those of a fair one are not. */
  bool restarts = !is_published(walking) && walking->evaluation->fair.count == 0;
  uint64_t rounds = restarts ? wb_minimum(ROUNDS, iterations) : 1;
  warpbound_status status = WARPBOUND_OK;
  for (uint64_t r = 0; r < rounds && !walking->stopped && status == WARPBOUND_OK; r++) {
    if (r > 0)
      status = restart(walking, error);
    if (status == WARPBOUND_OK)
      cool(walking, iterations / rounds + (r < iterations % rounds));
  }
  return status;
}

warpbound_status wb_annealing_walk_run(const struct wb_annealing_walk *walk,
                                       const uint32_t *initial, uint64_t seed,
                                       struct wb_annealing_run *run, warpbound_error *error)
{
  struct wb_annealing_evaluation *evaluation = walk->evaluation;
  struct walking walking = {.walk = walk, .evaluation = evaluation, .run = run, .random = {seed}};
  walking.poll_interval = POLL_PLACES / wb_minimum(evaluation->entries, POLL_PLACES);
  wb_annealing_evaluation_set(evaluation, initial);
  bool changed;
  if (run->initial == WB_ANNEALING_RANDOM && evaluation->entries > 1) {
    wb_annealing_shuffle(evaluation, &walking.random);
    wb_annealing_evaluation_try(evaluation, &changed);
    if (changed)
      wb_annealing_evaluation_keep(evaluation);
  }
  record_improvement(&walking);
  warpbound_status status = WARPBOUND_OK;
  if (evaluation->entries > 1)
    status = walk_on(&walking, error);
  poll(&walking);
  return walking.failed ? wb_out_of_memory(error) : status;
}
