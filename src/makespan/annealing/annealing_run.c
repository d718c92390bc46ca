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
  struct wb_annealing_evaluation *e;
  struct wb_annealing_run *run;
  struct wb_random random;
  uint64_t poll_interval;
  uint64_t polled_at;
  size_t floor;
  uint64_t best;
  bool stopped;
  bool failed;
};

static bool is_published(const struct walking *w)
{
  return w->walk->options->variant == WB_ANNEALING_PUBLISHED;
}

static void record_improvement(struct walking *w)
{
  struct wb_annealing_run *run = w->run;
  if (!wb_grow(run->improvements, &run->capacity, run->count + 1)) {
    w->failed = w->stopped = true;
    return;
  }
  run->improvements[run->count++] = (struct wb_annealing_improvement){
      run->iterations, w->e->makespan, wb_clock() - w->walk->start};
  w->best = w->e->makespan;
  memcpy(w->walk->best, w->e->order, w->e->entries * sizeof *w->walk->best);
  if (w->best >= w->walk->upper)
    w->stopped = true;
}

/* A number from 0 to 1, 1 excluded. */
static double random_fraction(struct wb_random *random)
{
  return (double)(wb_random_next(random) >> 11) * 0x1p-53;
}

/* Whether to take a string whose makespan is `loss` cycles shorter. */
static bool takes(struct walking *w, uint32_t loss, double temperature)
{
  double dice = random_fraction(&w->random);
  if (is_published(w))
    return dice * loss < temperature;
  return dice < exp(-(double)loss / temperature);
}

static void step(struct walking *w, double temperature)
{
  struct wb_annealing_evaluation *e = w->e;
  bool changed;
  if (is_published(w))
    wb_annealing_swap_any(e, &w->random);
  else
    wb_annealing_change_window(e, w->floor, &w->random);
  uint32_t makespan = wb_annealing_evaluation_try(e, &changed);
  if (!changed)
    return;
  if (makespan < e->makespan && !takes(w, e->makespan - makespan, temperature)) {
    wb_annealing_evaluation_drop(e);
    return;
  }
  wb_annealing_evaluation_keep(e);
  if (makespan > w->best)
    record_improvement(w);
}

static void poll(struct walking *w)
{
  uint64_t done = w->run->iterations - w->polled_at;
  w->polled_at = w->run->iterations;
  if (!w->walk->goes_on(w->walk->context, done))
    w->stopped = true;
}

/* One cooling, T = T0 (1 - iteration / iterations). */
static void cool(struct walking *w, uint64_t iterations)
{
  double temperature = w->walk->options->temperature;
  for (uint64_t i = 0; i < iterations && !w->stopped; i++) {
    w->run->iterations++;
    step(w, temperature * (1 - (double)i / (double)iterations));
    if (w->run->iterations % w->poll_interval == 0)
      poll(w);
  }
}

/* Back to the longest string, with the warps served in turn after a promising beginning.
 * In half of the cases the beginning stays as it is until the next restart: to change only
 * what follows costs less, and to change all may be what is missing. */
static warpbound_status restart(struct walking *w, warpbound_error *error)
{
  struct wb_annealing_evaluation *e = w->e;
  size_t runs = w->walk->guide->table.run_count;
  uint32_t *inside = wb_allocate(runs, sizeof *inside);
  uint64_t *pending = wb_allocate(runs, sizeof *pending);
  if (inside != NULL && pending != NULL) {
    bool changed;
    wb_annealing_evaluation_set(e, w->walk->best);
    w->floor = wb_annealing_guide_cut(w->walk->guide, e, w->best + 1, &w->random, inside, pending);
    wb_annealing_serve_in_turn(e, w->floor);
    wb_annealing_evaluation_try(e, &changed);
    if (changed)
      wb_annealing_evaluation_keep(e);
    if (e->makespan > w->best)
      record_improvement(w);
    if (wb_annealing_below(&w->random, 2) == 0)
      w->floor = 0;
  }
  bool failed = inside == NULL || pending == NULL;
  free(inside);
  free(pending);
  return failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

static warpbound_status walk_on(struct walking *w, warpbound_error *error)
{
  uint64_t iterations = w->walk->options->iterations;
  /* Restarts take the places of a string for points in time, which those of a fair one are not. */
  bool restarts = !is_published(w) && w->e->fair.count == 0;
  uint64_t rounds = restarts ? wb_minimum(ROUNDS, iterations) : 1;
  warpbound_status status = WARPBOUND_OK;
  for (uint64_t r = 0; r < rounds && !w->stopped && status == WARPBOUND_OK; r++) {
    if (r > 0)
      status = restart(w, error);
    if (status == WARPBOUND_OK)
      cool(w, iterations / rounds + (r < iterations % rounds));
  }
  return status;
}

warpbound_status wb_annealing_walk_run(const struct wb_annealing_walk *walk,
                                       const uint32_t *initial, uint64_t seed,
                                       struct wb_annealing_run *run, warpbound_error *error)
{
  struct wb_annealing_evaluation *e = walk->evaluation;
  struct walking w = {.walk = walk, .e = e, .run = run, .random = {seed}};
  w.poll_interval = POLL_PLACES / wb_minimum(e->entries, POLL_PLACES);
  wb_annealing_evaluation_set(e, initial);
  bool changed;
  if (run->initial == WB_ANNEALING_RANDOM && e->entries > 1) {
    wb_annealing_shuffle(e, &w.random);
    wb_annealing_evaluation_try(e, &changed);
    if (changed)
      wb_annealing_evaluation_keep(e);
  }
  record_improvement(&w);
  warpbound_status status = WARPBOUND_OK;
  if (e->entries > 1)
    status = walk_on(&w, error);
  poll(&w);
  return w.failed ? wb_out_of_memory(error) : status;
}
