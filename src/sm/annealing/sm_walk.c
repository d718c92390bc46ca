#include "sm/annealing/sm_walk.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

/* Places of strings between two looks at the control. */
#define POLL_PLACES 262144
/* Coolings of the windowed variant, each from the longest string so far. */
#define ROUNDS 8
/* One change in so many gives a warp another string. */
#define STRING_CHANGES 16

/* A walk under way. failed: memory is out. */
struct walking {
  const struct wb_sm_walk *walk;
  struct wb_sm_order *order;
  struct wb_annealing_run *run;
  struct wb_random random;
  uint64_t poll_interval;
  uint64_t polled_at;
  uint32_t best;
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
      run->iterations, walking->order->makespan, wb_clock() - walking->walk->start};
  walking->best = walking->order->makespan;
  memcpy(walking->walk->best, walking->order->warp,
         walking->order->entries * sizeof *walking->walk->best);
  memcpy(walking->walk->best_strings, walking->order->string_of,
         walking->order->warps * sizeof *walking->walk->best_strings);
  if (walking->best >= walking->walk->upper)
    walking->stopped = true;
}

/* ---- changes of the string ---- */

static void swap(uint32_t *warp, size_t a, size_t b)
{
  const uint32_t kept = warp[a];
  warp[a] = warp[b];
  warp[b] = kept;
}

/* The place at one end of the window goes to the other. */
static void rotate(uint32_t *warp, size_t first, size_t last, bool to_end)
{
  const size_t bytes = (last - first) * sizeof *warp;
  const uint32_t moved = warp[to_end ? first : last];
  if (to_end)
    memmove(warp + first, warp + first + 1, bytes);
  else
    memmove(warp + first + 1, warp + first, bytes);
  warp[to_end ? last : first] = moved;
}

/* Which warps of a window are put before its others. */
struct choice {
  enum { ONE_WARP, ONE_BLOCK, SOME } kind;
  uint32_t number;
  uint64_t some;
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

/* The chosen warps' places before or behind the others'; both keep their order. */
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

/* A window of 2 or more places: its length is up to a random power of two. */
static void open_window(struct walking *walking)
{
  const size_t places = walking->order->entries;
  unsigned powers = 1;
  while ((places >> powers) > 1)
    powers++;
  const uint64_t most = UINT64_C(1) << (1 + wb_random_below(&walking->random, powers));
  const uint64_t length = wb_minimum(places, 2 + wb_random_below(&walking->random, most));
  const size_t first = (size_t)wb_random_below(&walking->random, places - length + 1);
  wb_sm_order_open(walking->order, first, first + (size_t)length - 1);
}

enum window_change { SWAP, MOVE, WARP_LAST, WARP_FIRST, BLOCK_APART, GROUP_FIRST, CHANGES };

static void change_window(struct walking *walking)
{
  struct wb_sm_order *order = walking->order;
  open_window(walking);
  const uint64_t dice = wb_random_next(&walking->random);
  struct choice choice = {.kind = ONE_WARP};
  switch ((enum window_change)((dice >> 32) % CHANGES)) {
  case SWAP:
    swap(order->warp, order->first, order->last);
    return;
  case MOVE:
    rotate(order->warp, order->first, order->last, dice & 1);
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
    choice.some = wb_random_next(&walking->random);
    if (dice & 1)
      choice.some &= wb_random_next(&walking->random);
    part_window(order, &choice, false);
  }
}

static void change_any(struct walking *walking)
{
  const size_t a = (size_t)wb_random_below(&walking->random, walking->order->entries);
  const size_t b = (size_t)wb_random_below(&walking->random, walking->order->entries);
  wb_sm_order_open(walking->order, a < b ? a : b, a < b ? b : a);
  swap(walking->order->warp, a, b);
}

/* ---- the walk ---- */

/* Whether to take a string whose makespan is `loss` cycles shorter. */
static bool takes(struct walking *walking, uint32_t loss, double temperature)
{
  const double dice = (double)(wb_random_next(&walking->random) >> 11) * 0x1p-53;
  if (is_published(walking))
    return dice * loss < temperature;
  return dice < exp(-(double)loss / temperature);
}

static void change_order(struct walking *walking, double temperature)
{
  struct wb_sm_order *order = walking->order;
  if (is_published(walking))
    change_any(walking);
  else
    change_window(walking);
  const uint32_t makespan = wb_sm_order_try(order);
  if (makespan < order->makespan && !takes(walking, order->makespan - makespan, temperature))
    wb_sm_order_drop(order);
  else
    wb_sm_order_keep(order);
}

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

static void change_string(struct walking *walking, double temperature)
{
  struct wb_sm_order *order = walking->order;
  const uint32_t warp = (uint32_t)wb_random_below(&walking->random, order->warps);
  const uint32_t before = order->string_of[warp];
  const uint32_t after =
      (uint32_t)wb_random_below(&walking->random, order->machine.problem->string_count);
  const uint32_t makespan = order->makespan;
  if (after == before)
    return;
  const size_t entries = order->entries;
  memcpy(order->saved, order->warp, entries * sizeof *order->saved);
  give_string(order, warp, after);
  if (order->makespan >= makespan || takes(walking, makespan - order->makespan, temperature))
    return;
  memcpy(order->warp, order->saved, entries * sizeof *order->saved);
  order->string_of[warp] = before;
  wb_sm_order_take(order);
}

static void poll(struct walking *walking)
{
  const uint64_t done = walking->run->iterations - walking->polled_at;
  walking->polled_at = walking->run->iterations;
  if (!walking->walk->goes_on(walking->walk->context, done))
    walking->stopped = true;
}

/* One cooling, T = T0 (1 - iteration / iterations). */
static void cool(struct walking *walking, uint64_t iterations)
{
  const bool strings = walking->walk->any && walking->order->machine.problem->string_count > 1;
  for (uint64_t i = 0; i < iterations && !walking->stopped; i++) {
    const double temperature =
        walking->walk->options->temperature * (1 - (double)i / (double)iterations);
    walking->run->iterations++;
    if (strings && wb_random_below(&walking->random, STRING_CHANGES) == 0)
      change_string(walking, temperature);
    else if (walking->order->entries > 1)
      change_order(walking, temperature);
    if (walking->order->makespan > walking->best)
      record_improvement(walking);
    if (walking->run->iterations % walking->poll_interval == 0)
      poll(walking);
  }
}

static void shuffle(struct walking *walking)
{
  for (size_t left = walking->order->entries; left > 1; left--)
    swap(walking->order->warp, left - 1, (size_t)wb_random_below(&walking->random, left));
}

/* Back to the longest string. */
static void restart(struct walking *walking)
{
  struct wb_sm_order *order = walking->order;
  memcpy(order->string_of, walking->walk->best_strings, order->warps * sizeof *order->string_of);
  size_t entries = 0;
  for (uint32_t i = 0; i < order->warps; i++)
    entries += order->machine.problem->strings[order->string_of[i]].length;
  memcpy(order->warp, walking->walk->best, entries * sizeof *order->warp);
  wb_sm_order_take(order);
}

bool wb_sm_walk_run(const struct wb_sm_walk *walk, uint64_t seed, struct wb_annealing_run *run)
{
  struct wb_sm_order *order = walk->order;
  struct walking walking = {.walk = walk, .order = order, .run = run, .random = {seed}};
  wb_sm_order_take(order);
  if (run->initial == WB_ANNEALING_RANDOM) {
    shuffle(&walking);
    wb_sm_order_take(order);
  }
  walking.poll_interval = POLL_PLACES / wb_minimum(wb_maximum(1, order->entries), POLL_PLACES);
  record_improvement(&walking);
  const uint64_t iterations = walk->options->iterations;
  const uint64_t rounds = is_published(&walking) ? 1 : wb_minimum(ROUNDS, iterations);
  for (uint64_t r = 0; r < rounds && !walking.stopped; r++) {
    if (r > 0)
      restart(&walking);
    cool(&walking, iterations / rounds + (r < iterations % rounds));
  }
  poll(&walking);
  return !walking.failed;
}
