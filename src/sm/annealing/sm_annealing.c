#include "sm/annealing/sm_annealing.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/random.h"
#include "makespan/annealing/annealing_runs.h"
#include "makespan/machine/policy.h"
#include "makespan/machine/sm_machine.h"
#include "sm/machine/sm_words.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* Coolings of the windowed variant, each from the longest string so far. */
#define ROUNDS 8
/* One change in so many gives a warp another string. */
#define STRING_CHANGES 16

/* A warp precedence string, and what becomes of its schedule where a stretch of it is changed.
 *
 * A precedence string has a place for each instruction of each warp; the i-th place of a warp is
 * its i-th instruction. In every cycle the warps are offered units in the order of the places of
 * their next instructions: the schedule is work-conserving whatever the string, and every schedule
 * is that of the string in the order of its cycles. Invariant between changes: the string is in the
 * order of the cycles of its own schedule; cycle[k] never falls. */
struct order {
  struct wb_sm_machine machine; /* on which the string is served */
  uint32_t warps;
  size_t longest;      /* instructions of the longest string */
  uint32_t **barriers; /* before each instruction of each string */
  uint32_t *string_of; /* by warp */
  size_t entries;      /* places */
  uint32_t *warp;      /* by place */
  uint32_t *index;     /* by place: of the instruction */
  uint32_t *cycle;     /* by place: in which it is issued */
  uint32_t *place;     /* [w * longest + i]: of instruction i of warp w */
  uint32_t makespan;   /* of the schedule */
  uint32_t stride;     /* cycles from row to row */
  /* [r * warps + w]: instructions that warp w has done before cycle 1 + r * stride */
  uint32_t *rows;
  size_t *totals;   /* by row: the same of all warps */
  size_t first;     /* the change under trial: its first place */
  size_t last;      /* its last place */
  uint32_t *saved;  /* the warps of first .. last before it */
  size_t row;       /* from which the trial goes on */
  uint32_t *events; /* warps that issue in the trial, in order */
  uint32_t *cycles; /* by event */
  size_t event_count;
  uint32_t joins;       /* the old cycle from which on all is as it was; 0: never */
  uint32_t next_cycle;  /* of the trial */
  uint32_t trial;       /* its makespan */
  uint32_t *queue;      /* working memory: warps to offer units to */
  uint32_t queue_count; /* of them */
  uint32_t *moved;      /* working memory */
  uint32_t *next_index; /* working memory, by warp: its next instruction */
  bool *marked;         /* working memory, by warp */
};

/* Most numbers in the rows that are kept. */
#define ROW_NUMBERS (UINT64_C(1) << 22)

/* Room, in an arena, for strings of the problem. false: no memory. */
static bool order_start(struct order *order, const struct wb_sm_problem *problem, size_t longest,
                        uint32_t stride, struct wb_arena *arena)
{
  *order =
      (struct order){.warps = wb_sm_problem_warps(problem), .longest = longest, .stride = stride};
  if (!wb_sm_machine_start(&order->machine, problem, NULL, arena))
    return false;
  const size_t entries = order->warps * order->longest;
  const size_t rows = entries / order->stride + 1;
  order->string_of = wb_arena_array(arena, uint32_t, order->warps);
  order->warp = wb_arena_array(arena, uint32_t, entries);
  order->index = wb_arena_array(arena, uint32_t, entries);
  order->cycle = wb_arena_array(arena, uint32_t, entries);
  order->place = wb_arena_array(arena, uint32_t, entries);
  order->rows = wb_arena_array(arena, uint32_t, rows * order->warps);
  order->totals = wb_arena_array(arena, size_t, rows);
  order->saved = wb_arena_array(arena, uint32_t, entries);
  order->events = wb_arena_array(arena, uint32_t, entries);
  order->cycles = wb_arena_array(arena, uint32_t, entries);
  order->queue = wb_arena_array(arena, uint32_t, order->warps);
  order->moved = wb_arena_array(arena, uint32_t, order->warps);
  order->next_index = wb_arena_array(arena, uint32_t, order->warps);
  order->marked = wb_arena_array(arena, bool, order->warps);
  order->barriers = wb_arena_array(arena, uint32_t *, problem->string_count);
  for (size_t s = 0; s < problem->string_count && !arena->failed; s++) {
    /* How many B stand before each instruction of the string, and before its end. */
    const uint8_t *types = order->machine.types[s];
    const size_t length = problem->strings[s].length;
    uint32_t *before = order->barriers[s] = wb_arena_array(arena, uint32_t, length + 1);
    for (size_t i = 0; i < length && before != NULL; i++)
      before[i + 1] = before[i] + (types[i] == WB_UNIT_BARRIER);
  }
  return !arena->failed;
}

/* ---- the machine at a row ---- */

static uint32_t next_place(const struct order *order, uint32_t warp)
{
  return order->place[warp * order->longest + order->machine.done[warp]];
}

/* Puts a warp into a queue that is sorted by the places of next instructions. */
static void insert(const struct order *order, uint32_t *queue, uint32_t count, uint32_t warp)
{
  const uint32_t place = next_place(order, warp);
  uint32_t at = count;
  for (; at > 0 && next_place(order, queue[at - 1]) > place; at--)
    queue[at] = queue[at - 1];
  queue[at] = warp;
}

/* ---- a trial ---- */

/* One cycle; the warps that have issued find their new places in the queue. */
static void serve(struct order *order)
{
  struct wb_sm_machine *machine = &order->machine;
  uint32_t moved = 0, kept = 0;
  wb_sm_machine_begin(machine);
  for (uint32_t k = 0; k < order->queue_count; k++) {
    const uint32_t warp = order->queue[k];
    if (!wb_sm_machine_offer(machine, warp)) {
      order->queue[kept++] = warp;
      continue;
    }
    order->events[order->event_count] = warp;
    order->cycles[order->event_count++] = order->next_cycle;
    if (machine->letters[warp][machine->done[warp]] != WB_UNIT_COUNT)
      insert(order, order->moved, moved++, warp);
  }
  wb_sm_machine_end(machine);
  order->queue_count = kept + moved;
  for (uint32_t at = order->queue_count; moved > 0;) { /* merges the two from the back */
    if (kept > 0 &&
        next_place(order, order->queue[kept - 1]) > next_place(order, order->moved[moved - 1]))
      order->queue[--at] = order->queue[--kept];
    else
      order->queue[--at] = order->moved[--moved];
  }
  order->next_cycle++;
}

/* Whether all that is left stands as it stood at a row of old; then *row is that row. */
static bool has_joined(const struct order *order, size_t *row)
{
  const size_t total = order->entries - order->machine.left;
  const size_t rows = (order->makespan - 1) / order->stride + 1;
  if (total <= order->last)
    return false;
  while (*row < rows && order->totals[*row] < total)
    ++*row;
  if (*row == rows || order->totals[*row] != total ||
      (order->stride > 1 && 1 + *row * order->stride != order->next_cycle))
    return false;
  const uint32_t *old = order->rows + *row * order->warps;
  for (uint32_t w = 0; w < order->warps; w++) {
    if (old[w] != order->machine.done[w])
      return false;
  }
  return true;
}

/* Serves from the row on; joins: whether the old schedule may be gone on with. */
static void serve_from_row(struct order *order, bool joins)
{
  struct wb_sm_machine *machine = &order->machine;
  size_t row = order->row;
  order->event_count = 0;
  order->joins = 0;
  order->next_cycle = 1 + (uint32_t)order->row * order->stride;
  order->queue_count = 0;
  for (uint32_t w = 0; w < order->warps; w++)
    machine->done[w] = order->rows[row * order->warps + w];
  /* Sets who waits at a barrier: whoever of a block has passed more of them than the last. */
  const uint32_t size = machine->problem->block_warps;
  for (uint32_t b = 0; b < machine->problem->blocks; b++) {
    const uint32_t block = b * size;
    uint32_t least = UINT32_MAX;
    uint32_t missing = 0;
    for (uint32_t w = block; w < block + size; w++) {
      const uint32_t passed = order->barriers[order->string_of[w]][machine->done[w]];
      missing = passed < least ? 1 : missing + (passed == least);
      least = passed < least ? passed : least;
    }
    for (uint32_t w = block; w < block + size; w++)
      machine->waits[w] = order->barriers[order->string_of[w]][machine->done[w]] > least;
    machine->missing[b] = missing;
  }
  machine->left = order->entries - order->totals[order->row];
  for (uint32_t w = 0; w < order->warps; w++) {
    if (machine->letters[w][machine->done[w]] != WB_UNIT_COUNT)
      insert(order, order->queue, order->queue_count++, w);
  }
  while (machine->left > 0) {
    serve(order);
    if (joins && machine->left > 0 && has_joined(order, &row)) {
      order->joins = 1 + (uint32_t)row * order->stride;
      order->trial = order->next_cycle - 1 + order->makespan - (order->joins - 1);
      return;
    }
  }
  order->trial = order->next_cycle - 1;
}

/* Numbers the instructions of the warps in places from..to - 1; next_index[w]: the first of w. */
static void number_places(struct order *order, size_t from, size_t to)
{
  for (size_t k = from; k < to; k++) {
    const uint32_t warp = order->warp[k];
    order->index[k] = order->next_index[warp]++;
    order->place[warp * order->longest + order->index[k]] = (uint32_t)k;
  }
}

/* Begins a change of places first..last: the caller then changes the order of order->warp there. */
static void order_open(struct order *order, size_t first, size_t last)
{
  order->first = first;
  order->last = last;
  memcpy(order->saved, order->warp + first, (last - first + 1) * sizeof *order->saved);
}

/* Numbers the places of the change anew: each warp there from the lowest of its numbers on, which
 * stand as they were with the warps in order->saved. */
static void renumber(struct order *order)
{
  for (size_t k = order->first; k <= order->last; k++) {
    const uint32_t warp = order->saved[k - order->first];
    if (!order->marked[warp])
      order->next_index[warp] = order->index[k];
    order->marked[warp] = true;
  }
  for (size_t k = order->first; k <= order->last; k++)
    order->marked[order->saved[k - order->first]] = false;
  number_places(order, order->first, order->last + 1);
}

static void order_keep(struct order *order)
{
  const size_t from = order->totals[order->row];
  const size_t to = from + order->event_count;
  uint32_t *done = order->next_index;
  if (order->joins > 0 && order->joins != order->next_cycle) {
    /* Shifts the rest of the old schedule, which is earlier or later than it was. Rows stand for
     * one cycle each here. */
    const size_t count = order->makespan - (order->joins - 1);
    for (size_t k = to; k < order->entries; k++)
      order->cycle[k] = order->cycle[k] - order->joins + order->next_cycle;
    memmove(order->rows + (size_t)(order->next_cycle - 1) * order->warps,
            order->rows + (size_t)(order->joins - 1) * order->warps,
            count * order->warps * sizeof *order->rows);
    memmove(order->totals + order->next_cycle - 1, order->totals + order->joins - 1,
            count * sizeof *order->totals);
  }
  memcpy(done, order->rows + order->row * order->warps, order->warps * sizeof *done);
  memcpy(order->warp + from, order->events, order->event_count * sizeof *order->warp);
  memcpy(order->cycle + from, order->cycles, order->event_count * sizeof *order->cycle);
  number_places(order, from, to);
  /* The rows of the cycles of the events. */
  memcpy(done, order->rows + order->row * order->warps, order->warps * sizeof *done);
  size_t at = 0;
  for (uint32_t c = 1 + (uint32_t)order->row * order->stride; c < order->next_cycle; c++) {
    if ((c - 1) % order->stride == 0) {
      memcpy(order->rows + (c - 1) / order->stride * order->warps, done,
             order->warps * sizeof *done);
      order->totals[(c - 1) / order->stride] = from + at;
    }
    for (; at < order->event_count && order->cycles[at] == c; at++)
      done[order->events[at]]++;
  }
  order->makespan = order->trial;
}

/* Takes a string: each warp as often as its string has instructions, in order->warp, and the
 * warps' strings in order->string_of, both set by the caller; evaluates and sorts it. */
static void order_take(struct order *order)
{
  wb_sm_machine_reset(&order->machine, order->string_of);
  order->entries = (size_t)order->machine.left;
  memset(order->next_index, 0, order->warps * sizeof *order->next_index);
  memset(order->rows, 0, order->warps * sizeof *order->rows);
  order->totals[0] = 0;
  number_places(order, 0, order->entries);
  order->row = 0;
  serve_from_row(order, false);
  order_keep(order);
}

/* ---- the annealing ---- */

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
  struct order order;
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
  struct order *order = &worker->order;
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
  struct order *order = &worker->order;
  /* A window of 2 or more places: its length is up to a random power of two. */
  const size_t places = order->entries;
  unsigned powers = 1;
  while ((places >> powers) > 1)
    powers++;
  const uint64_t most = UINT64_C(1) << (1 + wb_random_below(&worker->thread.random, powers));
  const uint64_t length = wb_minimum(places, 2 + wb_random_below(&worker->thread.random, most));
  const size_t first = (size_t)wb_random_below(&worker->thread.random, places - length + 1);
  order_open(order, first, first + (size_t)length - 1);
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
  struct order *order = &worker->order;
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
  order_take(order);
  if (order->makespan >= makespan ||
      wb_annealing_accepts(&worker->thread, makespan - order->makespan, temperature))
    return;
  memcpy(order->warp, order->saved, entries * sizeof *order->saved);
  order->string_of[warp] = before;
  order_take(order);
}

static void record_if_longer(struct worker *worker)
{
  const struct order *order = &worker->order;
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
  struct order *order = &worker->order;
  struct wb_random *random = &thread->random;
  if (worker->search->string_of == NULL && worker->search->problem->string_count > 1 &&
      wb_random_below(random, STRING_CHANGES) == 0) {
    change_string(worker, temperature);
  } else if (order->entries > 1) {
    if (wb_annealing_is_published(thread)) {
      const size_t a = (size_t)wb_random_below(random, order->entries);
      const size_t b = (size_t)wb_random_below(random, order->entries);
      order_open(order, a < b ? a : b, a < b ? b : a);
      wb_annealing_swap(order->warp, a, b);
    } else {
      change_window(worker);
    }
    renumber(order);
    order->row = (order->cycle[order->first] - 1) / order->stride;
    serve_from_row(order, true);
    const uint32_t makespan = order->trial;
    if (makespan < order->makespan &&
        !wb_annealing_accepts(thread, order->makespan - makespan, temperature)) {
      /* Drops the change. */
      for (size_t k = order->first; k <= order->last; k++) {
        const uint32_t warp = order->warp[k];
        order->warp[k] = order->saved[k - order->first];
        order->saved[k - order->first] = warp;
      }
      renumber(order);
    } else {
      order_keep(order);
    }
  }
  record_if_longer(worker);
}

/* Puts a precedence string, whose places are those of its warps' strings, into an order. */
static void load(struct order *order, const struct found *found)
{
  memcpy(order->string_of, found->strings, order->warps * sizeof *order->string_of);
  size_t entries = 0;
  for (uint32_t w = 0; w < order->warps; w++)
    entries += order->machine.problem->strings[order->string_of[w]].length;
  memcpy(order->warp, found->order, entries * sizeof *order->warp);
  order_take(order);
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
  struct order *order = &worker->order;
  thread->failed = !fill_initial(worker);
  if (thread->failed)
    return;
  order_take(order);
  if (thread->run->initial == WB_ANNEALING_RANDOM) {
    for (size_t left = order->entries; left > 1; left--)
      wb_annealing_swap(order->warp, left - 1, (size_t)wb_random_below(&thread->random, left));
    order_take(order);
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
  /* Cycles from one kept row to the next: no schedule has more cycles than entries. */
  const uint64_t stride = wb_divide_up(search.entries, wb_maximum(1, ROW_NUMBERS / search.warps));
  const uint64_t rows = search.entries / stride + 1;
  uint64_t letters = 0;
  for (size_t s = 0; s < problem->string_count; s++)
    letters += problem->strings[s].length + 1;
  result->bytes = 7 * search.entries * sizeof(uint32_t) +
                  rows * (search.warps * sizeof(uint32_t) + sizeof(size_t)) + 5 * letters;
  /* As many runs at a time as fit into the memory, at most one on each thread. */
  const uint64_t each = result->bytes + search.entries * (uint64_t)sizeof(uint32_t);
  const uint64_t fit = control->memory_limit / wb_maximum(1, each);
  const unsigned threads =
      (unsigned)wb_minimum(wb_minimum(fit, control->threads), search.runs.options.runs);
  if (threads == 0)
    result->stop = WB_STOP_MEMORY;
  struct worker *workers = wb_arena_array(&search.arena, struct worker, threads);
  bool made = workers != NULL && (threads == 0 || start_found(&search, &search.best));
  for (unsigned t = 0; t < threads && made; t++) {
    workers[t].search = &search;
    made = start_found(&search, &workers[t].best) &&
           order_start(&workers[t].order, problem, problem->strings[search.longest].length,
                       (uint32_t)stride, &search.arena);
  }
  if (!made)
    status = wb_out_of_memory(error);
  else if (threads > 0)
    status =
        wb_annealing_runs_perform(&search.runs, workers, threads, sizeof *workers, result, error);
  if (status == WARPBOUND_OK && search.runs.best > 0) {
    struct order *order = &workers[0].order;
    struct wb_schedule *witness = &result->witness;
    load(order, &search.best);
    status = wb_schedule_start_strings(witness, problem, order->string_of, error);
    for (size_t k = 0; status == WARPBOUND_OK && k < order->entries; k++)
      witness->issue_cycle[witness->first[order->warp[k]] + order->index[k]] = order->cycle[k];
    witness->makespan = order->makespan;
  }
  wb_arena_free(&search.arena);
  return wb_annealing_runs_end(&search.runs, status, result);
}
