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
  struct wb_sm_order *o;
  struct wb_annealing_run *run;
  struct wb_random random;
  uint64_t poll_interval;
  uint64_t polled_at;
  uint32_t best;
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
      run->iterations, w->o->makespan, wb_clock() - w->walk->start};
  w->best = w->o->makespan;
  memcpy(w->walk->best, w->o->warp, w->o->entries * sizeof *w->walk->best);
  memcpy(w->walk->best_strings, w->o->string_of, w->o->warps * sizeof *w->walk->best_strings);
  if (w->best >= w->walk->upper)
    w->stopped = true;
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

static bool is_chosen(const struct wb_sm_order *o, const struct choice *choice, uint32_t warp)
{
  switch (choice->kind) {
  case ONE_WARP:
    return warp == choice->number;
  case ONE_BLOCK:
    return wb_sm_block_of(o->machine.problem, warp) == choice->number;
  default:
    return (choice->some >> warp % 64 & 1) != 0;
  }
}

/* The chosen warps' places before or behind the others'; both keep their order. */
static void part_window(struct wb_sm_order *o, const struct choice *choice, bool to_end)
{
  uint32_t *warp = o->warp + o->first;
  const size_t count = o->last - o->first + 1;
  size_t at = 0;
  for (unsigned pass = 0; pass < 2; pass++) {
    for (size_t k = 0; k < count; k++) {
      if (is_chosen(o, choice, o->saved[k]) == ((pass == 0) != to_end))
        warp[at++] = o->saved[k];
    }
  }
}

/* A window of 2 or more places: its length is up to a random power of two. */
static void open_window(struct walking *w)
{
  const size_t places = w->o->entries;
  unsigned powers = 1;
  while ((places >> powers) > 1)
    powers++;
  const uint64_t most = UINT64_C(1) << (1 + wb_random_below(&w->random, powers));
  const uint64_t length = wb_minimum(places, 2 + wb_random_below(&w->random, most));
  const size_t first = (size_t)wb_random_below(&w->random, places - length + 1);
  wb_sm_order_open(w->o, first, first + (size_t)length - 1);
}

enum window_change { SWAP, MOVE, WARP_LAST, WARP_FIRST, BLOCK_APART, GROUP_FIRST, CHANGES };

static void change_window(struct walking *w)
{
  struct wb_sm_order *o = w->o;
  open_window(w);
  const uint64_t dice = wb_random_next(&w->random);
  struct choice choice = {.kind = ONE_WARP};
  switch ((enum window_change)((dice >> 32) % CHANGES)) {
  case SWAP:
    swap(o->warp, o->first, o->last);
    return;
  case MOVE:
    rotate(o->warp, o->first, o->last, dice & 1);
    return;
  case WARP_LAST:
    choice.number = o->warp[o->first];
    part_window(o, &choice, true);
    return;
  case WARP_FIRST:
    choice.number = o->warp[o->last];
    part_window(o, &choice, false);
    return;
  case BLOCK_APART:
    choice.kind = ONE_BLOCK;
    choice.number = wb_sm_block_of(o->machine.problem, o->warp[dice & 1 ? o->first : o->last]);
    part_window(o, &choice, dice & 1);
    return;
  default: /* a quarter of the warps, or half of them */
    choice.kind = SOME;
    choice.some = wb_random_next(&w->random);
    if (dice & 1)
      choice.some &= wb_random_next(&w->random);
    part_window(o, &choice, false);
  }
}

static void change_any(struct walking *w)
{
  const size_t a = (size_t)wb_random_below(&w->random, w->o->entries);
  const size_t b = (size_t)wb_random_below(&w->random, w->o->entries);
  wb_sm_order_open(w->o, a < b ? a : b, a < b ? b : a);
  swap(w->o->warp, a, b);
}

/* ---- the walk ---- */

/* Whether to take a string whose makespan is `loss` cycles shorter. */
static bool takes(struct walking *w, uint32_t loss, double temperature)
{
  const double dice = (double)(wb_random_next(&w->random) >> 11) * 0x1p-53;
  if (is_published(w))
    return dice * loss < temperature;
  return dice < exp(-(double)loss / temperature);
}

static void change_order(struct walking *w, double temperature)
{
  struct wb_sm_order *o = w->o;
  if (is_published(w))
    change_any(w);
  else
    change_window(w);
  const uint32_t makespan = wb_sm_order_try(o);
  if (makespan < o->makespan && !takes(w, o->makespan - makespan, temperature))
    wb_sm_order_drop(o);
  else
    wb_sm_order_keep(o);
}

/* Gives a warp another string: places at the end are added or those of its last instructions go. */
static void give_string(struct wb_sm_order *o, uint32_t warp, uint32_t string)
{
  const struct wb_sm_problem *problem = o->machine.problem;
  const size_t now = problem->strings[o->string_of[warp]].length;
  const size_t then = problem->strings[string].length;
  size_t at = 0, met = 0;
  for (size_t k = 0; k < o->entries; k++) {
    if (o->warp[k] != warp || met++ < then)
      o->warp[at++] = o->warp[k];
  }
  for (size_t k = now; k < then; k++)
    o->warp[at++] = warp;
  o->string_of[warp] = string;
  wb_sm_order_take(o);
}

static void change_string(struct walking *w, double temperature)
{
  struct wb_sm_order *o = w->o;
  const uint32_t warp = (uint32_t)wb_random_below(&w->random, o->warps);
  const uint32_t before = o->string_of[warp];
  const uint32_t after = (uint32_t)wb_random_below(&w->random, o->machine.problem->string_count);
  const uint32_t makespan = o->makespan;
  if (after == before)
    return;
  const size_t entries = o->entries;
  memcpy(o->saved, o->warp, entries * sizeof *o->saved);
  give_string(o, warp, after);
  if (o->makespan >= makespan || takes(w, makespan - o->makespan, temperature))
    return;
  memcpy(o->warp, o->saved, entries * sizeof *o->saved);
  o->string_of[warp] = before;
  wb_sm_order_take(o);
}

static void poll(struct walking *w)
{
  const uint64_t done = w->run->iterations - w->polled_at;
  w->polled_at = w->run->iterations;
  if (!w->walk->goes_on(w->walk->context, done))
    w->stopped = true;
}

/* One cooling, T = T0 (1 - iteration / iterations). */
static void cool(struct walking *w, uint64_t iterations)
{
  const bool strings = w->walk->any && w->o->machine.problem->string_count > 1;
  for (uint64_t i = 0; i < iterations && !w->stopped; i++) {
    const double temperature = w->walk->options->temperature * (1 - (double)i / (double)iterations);
    w->run->iterations++;
    if (strings && wb_random_below(&w->random, STRING_CHANGES) == 0)
      change_string(w, temperature);
    else if (w->o->entries > 1)
      change_order(w, temperature);
    if (w->o->makespan > w->best)
      record_improvement(w);
    if (w->run->iterations % w->poll_interval == 0)
      poll(w);
  }
}

static void shuffle(struct walking *w)
{
  for (size_t left = w->o->entries; left > 1; left--)
    swap(w->o->warp, left - 1, (size_t)wb_random_below(&w->random, left));
}

/* Back to the longest string. */
static void restart(struct walking *w)
{
  struct wb_sm_order *o = w->o;
  memcpy(o->string_of, w->walk->best_strings, o->warps * sizeof *o->string_of);
  size_t entries = 0;
  for (uint32_t i = 0; i < o->warps; i++)
    entries += o->machine.problem->strings[o->string_of[i]].length;
  memcpy(o->warp, w->walk->best, entries * sizeof *o->warp);
  wb_sm_order_take(o);
}

bool wb_sm_walk_run(const struct wb_sm_walk *walk, uint64_t seed, struct wb_annealing_run *run)
{
  struct wb_sm_order *o = walk->order;
  struct walking w = {.walk = walk, .o = o, .run = run, .random = {seed}};
  wb_sm_order_take(o);
  if (run->initial == WB_ANNEALING_RANDOM) {
    shuffle(&w);
    wb_sm_order_take(o);
  }
  w.poll_interval = POLL_PLACES / wb_minimum(wb_maximum(1, o->entries), POLL_PLACES);
  record_improvement(&w);
  const uint64_t iterations = walk->options->iterations;
  const uint64_t rounds = is_published(&w) ? 1 : wb_minimum(ROUNDS, iterations);
  for (uint64_t r = 0; r < rounds && !w.stopped; r++) {
    if (r > 0)
      restart(&w);
    cool(&w, iterations / rounds + (r < iterations % rounds));
  }
  poll(&w);
  return !w.failed;
}
