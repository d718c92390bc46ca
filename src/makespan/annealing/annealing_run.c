#include "makespan/annealing/annealing_run.h"

#include "base/checked.h"
#include "base/memory.h"
#include "makespan/annealing/annealing_moves.h"
#include "makespan/annealing/cooling.h"

#include <stdlib.h>
#include <string.h>

/* Coolings of the windowed variant, each but the first after a restart. */
#define ROUNDS 8

/* A run under way. */
struct annealing {
  struct wb_cooling cooling;
  struct wb_annealing_evaluation *evaluation;
  const struct wb_annealing_guide *guide;
  uint32_t *best; /* the longest string met */
  size_t floor;   /* the first place that may change */
};

static void keep_best(struct annealing *annealing)
{
  struct wb_annealing_evaluation *evaluation = annealing->evaluation;
  wb_cooling_improve(&annealing->cooling, evaluation->makespan);
  memcpy(annealing->best, evaluation->order, evaluation->entries * sizeof *annealing->best);
}

static void note_improvement(struct annealing *annealing)
{
  if (annealing->evaluation->makespan > annealing->cooling.best)
    keep_best(annealing);
}

/* A wb_cooling step: changes the string, and takes or drops the change. */
static void step(void *state, double temperature)
{
  struct annealing *annealing = state;
  struct wb_annealing_evaluation *evaluation = annealing->evaluation;
  struct wb_cooling *cooling = &annealing->cooling;
  bool changed;
  if (wb_cooling_is_published(cooling))
    wb_annealing_swap_any(evaluation, &cooling->random);
  else
    wb_annealing_change_window(evaluation, annealing->floor, &cooling->random);
  uint32_t makespan = wb_annealing_evaluation_try(evaluation, &changed);
  if (!changed)
    return;
  if (makespan < evaluation->makespan &&
      !wb_cooling_accepts(cooling, evaluation->makespan - makespan, temperature)) {
    wb_annealing_evaluation_drop(evaluation);
    return;
  }
  wb_annealing_evaluation_keep(evaluation);
  note_improvement(annealing);
}

/* Back to the longest string, with the warps served in turn after a promising beginning.
 * In half of the cases the beginning stays as it is until the next restart: to change only
 * what follows costs less, and to change all may be what is missing. */
static warpbound_status restart(struct annealing *annealing, warpbound_error *error)
{
  struct wb_annealing_evaluation *evaluation = annealing->evaluation;
  size_t runs = annealing->guide->table.run_count;
  uint32_t *inside = wb_allocate(runs, sizeof *inside);
  uint64_t *pending = wb_allocate(runs, sizeof *pending);
  if (inside != NULL && pending != NULL) {
    bool changed;
    wb_annealing_evaluation_set(evaluation, annealing->best);
    annealing->floor =
        wb_annealing_guide_cut(annealing->guide, evaluation, annealing->cooling.best + 1,
                               &annealing->cooling.random, inside, pending);
    wb_annealing_serve_in_turn(evaluation, annealing->floor);
    wb_annealing_evaluation_try(evaluation, &changed);
    if (changed)
      wb_annealing_evaluation_keep(evaluation);
    note_improvement(annealing);
    if (wb_annealing_below(&annealing->cooling.random, 2) == 0)
      annealing->floor = 0;
  }
  bool failed = inside == NULL || pending == NULL;
  free(inside);
  free(pending);
  return failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

static warpbound_status cool(struct annealing *annealing, warpbound_error *error)
{
  struct wb_cooling *cooling = &annealing->cooling;
  /* Restarts take the places of a string for points in time, which those of a fair one are not. */
  bool restarts = !wb_cooling_is_published(cooling) && annealing->evaluation->fair.count == 0;
  uint64_t rounds = restarts ? wb_minimum(ROUNDS, cooling->options->iterations) : 1;
  warpbound_status status = WARPBOUND_OK;
  for (uint64_t r = 0; r < rounds && !cooling->stopped && status == WARPBOUND_OK; r++) {
    if (r > 0)
      status = restart(annealing, error);
    if (status == WARPBOUND_OK)
      wb_cooling_round(cooling, r, rounds, step, annealing);
  }
  return status;
}

warpbound_status wb_annealing_run_from(const struct wb_annealing_run_input *input,
                                       const uint32_t *initial, uint64_t seed,
                                       struct wb_annealing_run *run, warpbound_error *error)
{
  struct wb_annealing_evaluation *evaluation = input->evaluation;
  struct annealing annealing = {.cooling = {.options = input->options,
                                            .run = run,
                                            .upper = input->upper,
                                            .start = input->start,
                                            .goes_on = input->goes_on,
                                            .context = input->context},
                                .evaluation = evaluation,
                                .guide = input->guide,
                                .best = input->best};
  wb_cooling_start(&annealing.cooling, seed, evaluation->entries);
  wb_annealing_evaluation_set(evaluation, initial);
  bool changed;
  if (run->initial == WB_ANNEALING_RANDOM && evaluation->entries > 1) {
    wb_annealing_shuffle(evaluation, &annealing.cooling.random);
    wb_annealing_evaluation_try(evaluation, &changed);
    if (changed)
      wb_annealing_evaluation_keep(evaluation);
  }
  keep_best(&annealing);
  warpbound_status status = WARPBOUND_OK;
  if (evaluation->entries > 1)
    status = cool(&annealing, error);
  wb_cooling_poll(&annealing.cooling);
  return annealing.cooling.failed ? wb_out_of_memory(error) : status;
}
