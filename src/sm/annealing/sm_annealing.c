#include "sm/annealing/sm_annealing.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/random.h"
#include "makespan/annealing/annealing_moves.h"
#include "makespan/annealing/annealing_runs.h"
#include "makespan/machine/policy.h"
#include "makespan/machine/schedule.h"
#include "sm/machine/sm_order.h"
#include "sm/machine/sm_words.h"

#include <assert.h>
#include <string.h>

/* Coolings of the windowed variant, each from the longest string so far. */
#define ROUNDS 8
/* One change in so many gives a warp another string. */
#define STRING_CHANGES 16

/* A precedence string, and the strings of its warps. */
struct found {
  uint32_t *order;
  uint32_t *strings;
};

/* The annealing under way. */
struct search {
  const struct wb_sm_problem *problem;
  const uint32_t *string_of; /* by warp; NULL: any */
  uint32_t warps;
  uint32_t longest; /* the longest string */
  size_t entries;   /* most places of a precedence string */
  struct wb_annealing_runs runs;
  struct found best;     /* the longest of all */
  struct wb_arena arena; /* of the workers and the longest strings */
};

/* A thread. */
struct worker {
  struct wb_annealing_thread thread; /* first */
  struct search *search;
  struct wb_sm_order order;
  struct found best; /* the longest of its run */
};

bool wb_sm_annealing_fits(const struct wb_sm_problem *problem)
{
  return wb_sm_words_letters(problem) <= WB_SCHEDULE_LIMIT / wb_sm_problem_warps(problem);
}

static bool start_found(struct search *search, struct found *found)
{
  found->order = wb_arena_array(&search->arena, uint32_t, search->entries);
  found->strings = wb_arena_array(&search->arena, uint32_t, search->warps);
  return !search->arena.failed;
}

/* ---- initial strings ---- */

/* The string that a run begins with; the random one is shuffled later. false: no memory. */
static bool fill_initial(struct worker *worker)
{
  const struct search *search = worker->search;
  struct wb_sm_order *order = &worker->order;
  const enum wb_annealing_initial initial = worker->thread.run->initial;
  const uint64_t number = worker->thread.number;
  struct wb_random random = {wb_annealing_runs_seed(&search->runs, number) + 1};
  for (uint32_t w = 0; w < search->warps; w++) {
    const uint32_t any = (uint32_t)wb_random_below(&random, search->problem->string_count);
    const uint32_t chosen = number / WB_ANNEALING_ALL % 2 == 0 ? search->longest : any;
    order->string_of[w] = search->string_of != NULL ? search->string_of[w] : chosen;
  }
  if (initial == WB_ANNEALING_MOST_PENDING) {
    struct wb_schedule schedule;
    enum wb_stop stop;
    const struct wb_control control = {.memory_limit = search->runs.control->memory_limit,
                                       .threads = 1};
    bool filled = wb_sm_simulate(wb_policy_find("most-pending"), search->problem, order->string_of,
                                 &control, &schedule, &stop, NULL) == WARPBOUND_OK &&
                  wb_schedule_order(&schedule, order->warp);
    wb_schedule_free(&schedule);
    return filled;
  }
  /* By priority: each warp to its end; else in turn: an instruction of each. */
  const size_t share = initial == WB_ANNEALING_FIXED_PRIORITY ? order->longest : 1;
  size_t at = 0;
  for (size_t begin = 0; begin < order->longest; begin += share) {
    for (uint32_t w = 0; w < search->warps; w++) {
      const size_t length = search->problem->strings[order->string_of[w]].length;
      for (size_t i = begin; i < begin + share && i < length; i++)
        order->warp[at++] = w;
    }
  }
  return true;
}

/* ---- changes of the string ---- */

enum window_change { SWAP, MOVE, WARP_LAST, WARP_FIRST, BLOCK_APART, GROUP_FIRST, CHANGES };

static void change_window(struct worker *worker)
{
  struct wb_sm_order *order = &worker->order;
  /* A window of 2 or more places: its length is up to a random power of two. */
  const size_t places = order->entries;
  unsigned powers = 1;
  while ((places >> powers) > 1)
    powers++;
  const uint64_t most = UINT64_C(1) << (1 + wb_random_below(&worker->thread.random, powers));
  const uint64_t length = wb_minimum(places, 2 + wb_random_below(&worker->thread.random, most));
  const size_t first = (size_t)wb_random_below(&worker->thread.random, places - length + 1);
  wb_sm_order_open(order, first, first + (size_t)length - 1);
  const uint64_t dice = wb_random_next(&worker->thread.random);
  const uint32_t block_warps = worker->search->problem->block_warps;
  struct wb_annealing_group group = {.end = order->warps, .bits = UINT64_MAX};
  bool to_end = false;
  switch ((enum window_change)((dice >> 32) % CHANGES)) {
  case SWAP:
    wb_annealing_swap(order->warp, order->first, order->last);
    return;
  case MOVE:
    wb_annealing_rotate(order->warp, order->first, order->last, dice & 1);
    return;
  case WARP_LAST:
  case WARP_FIRST:
    to_end = (enum window_change)((dice >> 32) % CHANGES) == WARP_LAST;
    group.first = order->warp[to_end ? order->first : order->last];
    group.end = group.first + 1;
    break;
  case BLOCK_APART:
    to_end = dice & 1;
    group.first = order->warp[to_end ? order->first : order->last] / block_warps * block_warps;
    group.end = group.first + block_warps;
    break;
  default: /* a quarter of the warps, or half of them */
    group.bits = wb_random_next(&worker->thread.random);
    if (dice & 1)
      group.bits &= wb_random_next(&worker->thread.random);
  }
  wb_annealing_part(order->warp + order->first, order->saved, (size_t)length, &group, to_end);
}

/* ---- a run ---- */

/* Gives a random warp a random string, and keeps or drops the change. */
static void change_string(struct worker *worker, double temperature)
{
  struct wb_sm_order *order = &worker->order;
  struct wb_random *random = &worker->thread.random;
  const uint32_t warp = (uint32_t)wb_random_below(random, order->warps);
  const uint32_t before = order->string_of[warp];
  const uint32_t after = (uint32_t)wb_random_below(random, worker->search->problem->string_count);
  const uint32_t makespan = order->makespan;
  if (after == before)
    return;
  const size_t entries = order->entries;
  memcpy(order->saved, order->warp, entries * sizeof *order->saved);
  /* Places at the end are added, or those of its last instructions go. */
  const struct wb_sm_problem *problem = worker->search->problem;
  const size_t now = problem->strings[before].length, then = problem->strings[after].length;
  size_t at = 0, met = 0;
  for (size_t k = 0; k < entries; k++) {
    if (order->warp[k] != warp || met++ < then)
      order->warp[at++] = order->warp[k];
  }
  for (size_t k = now; k < then; k++)
    order->warp[at++] = warp;
  order->string_of[warp] = after;
  wb_sm_order_take(order);
  if (order->makespan >= makespan ||
      wb_annealing_accepts(&worker->thread, makespan - order->makespan, temperature))
    return;
  memcpy(order->warp, order->saved, entries * sizeof *order->saved);
  order->string_of[warp] = before;
  wb_sm_order_take(order);
}

static void record_if_longer(struct worker *worker)
{
  const struct wb_sm_order *order = &worker->order;
  if (order->makespan <= worker->thread.best)
    return;
  wb_annealing_improve(&worker->thread, order->makespan);
  memcpy(worker->best.order, order->warp, order->entries * sizeof *order->warp);
  memcpy(worker->best.strings, order->string_of, order->warps * sizeof *order->string_of);
}

/* Changes the string, and keeps or drops the change. */
static void step(struct wb_annealing_thread *thread, double temperature)
{
  struct worker *worker = (struct worker *)thread;
  struct wb_sm_order *order = &worker->order;
  struct wb_random *random = &thread->random;
  if (worker->search->string_of == NULL && worker->search->problem->string_count > 1 &&
      wb_random_below(random, STRING_CHANGES) == 0) {
    change_string(worker, temperature);
  } else if (order->entries > 1) {
    if (wb_annealing_is_published(thread)) {
      const size_t a = (size_t)wb_random_below(random, order->entries);
      const size_t b = (size_t)wb_random_below(random, order->entries);
      wb_sm_order_open(order, a < b ? a : b, a < b ? b : a);
      wb_annealing_swap(order->warp, a, b);
    } else {
      change_window(worker);
    }
    const uint32_t makespan = wb_sm_order_try(order);
    if (makespan < order->makespan &&
        !wb_annealing_accepts(thread, order->makespan - makespan, temperature))
      wb_sm_order_drop(order);
    else
      wb_sm_order_keep(order);
  }
  record_if_longer(worker);
}

/* Puts a precedence string, whose places are those of its warps' strings, into an order. */
static void load(struct wb_sm_order *order, const struct found *found)
{
  memcpy(order->string_of, found->strings, order->warps * sizeof *order->string_of);
  size_t entries = 0;
  for (uint32_t w = 0; w < order->warps; w++)
    entries += order->machine.problem->strings[order->string_of[w]].length;
  memcpy(order->warp, found->order, entries * sizeof *order->warp);
  wb_sm_order_take(order);
}

/* Back to the longest string. */
static void restart(struct wb_annealing_thread *thread)
{
  struct worker *worker = (struct worker *)thread;
  load(&worker->order, &worker->best);
}

static void anneal(struct wb_annealing_thread *thread)
{
  struct worker *worker = (struct worker *)thread;
  struct wb_sm_order *order = &worker->order;
  thread->failed = !fill_initial(worker);
  if (thread->failed)
    return;
  wb_sm_order_take(order);
  if (thread->run->initial == WB_ANNEALING_RANDOM) {
    for (size_t left = order->entries; left > 1; left--)
      wb_annealing_swap(order->warp, left - 1, (size_t)wb_random_below(&thread->random, left));
    wb_sm_order_take(order);
  }
  record_if_longer(worker);
  const uint64_t rounds = wb_annealing_is_published(thread)
                              ? 1
                              : wb_minimum(ROUNDS, worker->search->runs.options.iterations);
  wb_annealing_cool(thread, order->entries, rounds, restart, step);
}

static void keep_best(struct wb_annealing_thread *thread)
{
  const struct worker *worker = (const struct worker *)thread;
  struct search *search = worker->search;
  memcpy(search->best.order, worker->best.order, search->entries * sizeof(uint32_t));
  memcpy(search->best.strings, worker->best.strings, search->warps * sizeof(uint32_t));
}

/* ---- all runs ---- */

static warpbound_status run_workers(struct search *search, unsigned count,
                                    struct wb_annealing_result *result, warpbound_error *error)
{
  struct worker *workers = wb_arena_array(&search->arena, struct worker, count);
  if (workers == NULL || !start_found(search, &search->best))
    return wb_out_of_memory(error);
  const size_t longest = search->problem->strings[search->longest].length;
  for (unsigned t = 0; t < count; t++) {
    workers[t].search = search;
    if (!start_found(search, &workers[t].best) ||
        !wb_sm_order_start(&workers[t].order, search->problem, longest, &search->arena))
      return wb_out_of_memory(error);
  }
  warpbound_status status =
      wb_annealing_runs_perform(&search->runs, workers, count, sizeof *workers, result, error);
  if (status != WARPBOUND_OK || search->runs.best == 0)
    return status;
  struct wb_sm_order *order = &workers[0].order;
  struct wb_schedule *witness = &result->witness;
  load(order, &search->best);
  status = wb_schedule_start_strings(witness, search->problem, order->string_of, error);
  for (size_t k = 0; status == WARPBOUND_OK && k < order->entries; k++)
    witness->issue_cycle[witness->first[order->warp[k]] + order->index[k]] = order->cycle[k];
  witness->makespan = order->makespan;
  return status;
}

warpbound_status wb_sm_annealing_search(const struct wb_sm_problem *problem,
                                        const uint32_t *string_of,
                                        const struct wb_annealing_options *options, uint64_t upper,
                                        const struct wb_control *control,
                                        struct wb_annealing_result *result, warpbound_error *error)
{
  assert(wb_sm_annealing_fits(problem));
  struct search search = {
      .problem = problem, .string_of = string_of, .warps = wb_sm_problem_warps(problem)};
  for (uint32_t s = 1; s < problem->string_count; s++)
    search.longest =
        problem->strings[s].length > problem->strings[search.longest].length ? s : search.longest;
  search.entries = search.warps * problem->strings[search.longest].length;
  warpbound_status status = wb_annealing_runs_start(&search.runs, options, control, upper, anneal,
                                                    keep_best, result, error);
  if (status != WARPBOUND_OK)
    return status;
  result->bytes = wb_sm_order_bytes(problem, problem->strings[search.longest].length);
  /* As many runs at a time as fit into the memory, at most one on each thread. */
  const uint64_t each = result->bytes + search.entries * (uint64_t)sizeof(uint32_t);
  const uint64_t fit = control->memory_limit / wb_maximum(1, each);
  const unsigned threads =
      (unsigned)wb_minimum(wb_minimum(fit, control->threads), search.runs.options.runs);
  if (threads == 0)
    result->stop = WB_STOP_MEMORY;
  else
    status = run_workers(&search, threads, result, error);
  wb_arena_free(&search.arena);
  return wb_annealing_runs_end(&search.runs, status, result);
}
