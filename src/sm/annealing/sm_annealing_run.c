#include "sm/annealing/sm_annealing_run.h"

#include "base/checked.h"
#include "makespan/annealing/annealing_moves.h"
#include "makespan/annealing/cooling.h"

#include <string.h>

/* Coolings of the windowed variant, each from the longest string so far. */
#define ROUNDS 8
/* One change in so many gives a warp another string. */
#define STRING_CHANGES 16

/* A run under way. */
struct annealing {
  struct wb_cooling cooling;
  const struct wb_sm_annealing_run_input *input;
  struct wb_sm_order *order;
};

static void keep_best(struct annealing *annealing)
{
  const struct wb_sm_order *order = annealing->order;
  const struct wb_sm_annealing_run_input *input = annealing->input;
  wb_cooling_improve(&annealing->cooling, order->makespan);
  memcpy(input->best, order->warp, order->entries * sizeof *input->best);
  memcpy(input->best_strings, order->string_of, order->warps * sizeof *input->best_strings);
}

/* ---- changes of the string ---- */

/* Warps of a window. */
struct choice {
  enum { ONE_WARP, ONE_BLOCK, SOME } kind;
  uint32_t number; /* of the warp or block */
  uint64_t some;   /* bits of warps modulo 64 */
};

static bool is_chosen(const struct wb_sm_order *order, const struct choice *choice, uint32_t warp)
{
  switch (choice->kind) {
  case ONE_WARP:
    return warp == choice->number;
  case ONE_BLOCK:
    return wb_sm_block_of(order->machine.problem, warp) == choice->number;
  default:
    return (choice->some >> warp % 64 & 1) != 0;
  }
}

/* The chosen warps' places before or after the others'; both keep their order. */
static void part_window(struct wb_sm_order *order, const struct choice *choice, bool to_end)
{
  uint32_t *warp = order->warp + order->first;
  const size_t count = order->last - order->first + 1;
  size_t at = 0;
  for (unsigned pass = 0; pass < 2; pass++) {
    for (size_t k = 0; k < count; k++) {
      if (is_chosen(order, choice, order->saved[k]) == ((pass == 0) != to_end))
        warp[at++] = order->saved[k];
    }
  }
}

enum window_change { SWAP, MOVE, WARP_LAST, WARP_FIRST, BLOCK_APART, GROUP_FIRST, CHANGES };

static void change_window(struct annealing *annealing)
{
  struct wb_sm_order *order = annealing->order;
  /* A window of 2 or more places: its length is up to a random power of two. */
  const size_t places = annealing->order->entries;
  unsigned powers = 1;
  while ((places >> powers) > 1)
    powers++;
  const uint64_t most = UINT64_C(1) << (1 + wb_random_below(&annealing->cooling.random, powers));
  const uint64_t length = wb_minimum(places, 2 + wb_random_below(&annealing->cooling.random, most));
  const size_t first = (size_t)wb_random_below(&annealing->cooling.random, places - length + 1);
  wb_sm_order_open(annealing->order, first, first + (size_t)length - 1);
  const uint64_t dice = wb_random_next(&annealing->cooling.random);
  struct choice choice = {.kind = ONE_WARP};
  switch ((enum window_change)((dice >> 32) % CHANGES)) {
  case SWAP:
    wb_annealing_swap(order->warp, order->first, order->last);
    return;
  case MOVE:
    wb_annealing_rotate(order->warp, order->first, order->last, dice & 1);
    return;
  case WARP_LAST:
    choice.number = order->warp[order->first];
    part_window(order, &choice, true);
    return;
  case WARP_FIRST:
    choice.number = order->warp[order->last];
    part_window(order, &choice, false);
    return;
  case BLOCK_APART:
    choice.kind = ONE_BLOCK;
    choice.number =
        wb_sm_block_of(order->machine.problem, order->warp[dice & 1 ? order->first : order->last]);
    part_window(order, &choice, dice & 1);
    return;
  default: /* a quarter of the warps, or half of them */
    choice.kind = SOME;
    choice.some = wb_random_next(&annealing->cooling.random);
    if (dice & 1)
      choice.some &= wb_random_next(&annealing->cooling.random);
    part_window(order, &choice, false);
  }
}

/* ---- the run ---- */

/* Gives a warp another string: places at the end are added or those of its last instructions go. */
static void give_string(struct wb_sm_order *order, uint32_t warp, uint32_t string)
{
  const struct wb_sm_problem *problem = order->machine.problem;
  const size_t now = problem->strings[order->string_of[warp]].length;
  const size_t then = problem->strings[string].length;
  size_t at = 0, met = 0;
  for (size_t k = 0; k < order->entries; k++) {
    if (order->warp[k] != warp || met++ < then)
      order->warp[at++] = order->warp[k];
  }
  for (size_t k = now; k < then; k++)
    order->warp[at++] = warp;
  order->string_of[warp] = string;
  wb_sm_order_take(order);
}

static void change_string(struct annealing *annealing, double temperature)
{
  struct wb_sm_order *order = annealing->order;
  const uint32_t warp = (uint32_t)wb_random_below(&annealing->cooling.random, order->warps);
  const uint32_t before = order->string_of[warp];
  const uint32_t after =
      (uint32_t)wb_random_below(&annealing->cooling.random, order->machine.problem->string_count);
  const uint32_t makespan = order->makespan;
  if (after == before)
    return;
  const size_t entries = order->entries;
  memcpy(order->saved, order->warp, entries * sizeof *order->saved);
  give_string(order, warp, after);
  if (order->makespan >= makespan ||
      wb_cooling_accepts(&annealing->cooling, makespan - order->makespan, temperature))
    return;
  memcpy(order->warp, order->saved, entries * sizeof *order->saved);
  order->string_of[warp] = before;
  wb_sm_order_take(order);
}

/* A wb_cooling step: changes the string, and takes or drops the change. */
static void step(void *state, double temperature)
{
  struct annealing *annealing = state;
  if (annealing->input->any && annealing->order->machine.problem->string_count > 1 &&
      wb_random_below(&annealing->cooling.random, STRING_CHANGES) == 0)
    change_string(annealing, temperature);
  else if (annealing->order->entries > 1) {
    struct wb_sm_order *order = annealing->order;
    if (wb_cooling_is_published(&annealing->cooling)) {
      const size_t a =
          (size_t)wb_random_below(&annealing->cooling.random, annealing->order->entries);
      const size_t b =
          (size_t)wb_random_below(&annealing->cooling.random, annealing->order->entries);
      wb_sm_order_open(annealing->order, a < b ? a : b, a < b ? b : a);
      wb_annealing_swap(annealing->order->warp, a, b);
    } else
      change_window(annealing);
    const uint32_t makespan = wb_sm_order_try(order);
    if (makespan < order->makespan &&
        !wb_cooling_accepts(&annealing->cooling, order->makespan - makespan, temperature))
      wb_sm_order_drop(order);
    else
      wb_sm_order_keep(order);
  }
  if (annealing->order->makespan > annealing->cooling.best)
    keep_best(annealing);
}

/* Back to the longest string. */
static void restart(struct annealing *annealing)
{
  struct wb_sm_order *order = annealing->order;
  const struct wb_sm_annealing_run_input *input = annealing->input;
  memcpy(order->string_of, input->best_strings, order->warps * sizeof *order->string_of);
  size_t entries = 0;
  for (uint32_t i = 0; i < order->warps; i++)
    entries += order->machine.problem->strings[order->string_of[i]].length;
  memcpy(order->warp, input->best, entries * sizeof *order->warp);
  wb_sm_order_take(order);
}

bool wb_sm_annealing_run_from(const struct wb_sm_annealing_run_input *input, uint64_t seed,
                              struct wb_annealing_run *run)
{
  struct wb_sm_order *order = input->order;
  struct annealing annealing = {.cooling = {.options = input->options,
                                            .run = run,
                                            .upper = input->upper,
                                            .start = input->start,
                                            .goes_on = input->goes_on,
                                            .context = input->context},
                                .input = input,
                                .order = order};
  struct wb_cooling *cooling = &annealing.cooling;
  wb_sm_order_take(order);
  wb_cooling_start(cooling, seed, order->entries);
  if (run->initial == WB_ANNEALING_RANDOM) {
    for (size_t left = annealing.order->entries; left > 1; left--)
      wb_annealing_swap(annealing.order->warp, left - 1,
                        (size_t)wb_random_below(&annealing.cooling.random, left));
    wb_sm_order_take(order);
  }
  keep_best(&annealing);
  const uint64_t rounds =
      wb_cooling_is_published(cooling) ? 1 : wb_minimum(ROUNDS, cooling->options->iterations);
  for (uint64_t r = 0; r < rounds && !cooling->stopped; r++) {
    if (r > 0)
      restart(&annealing);
    wb_cooling_round(cooling, r, rounds, step, &annealing);
  }
  wb_cooling_poll(cooling);
  return !cooling->failed;
}
