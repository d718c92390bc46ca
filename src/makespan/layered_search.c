#include "makespan/layered_search.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/random.h"
#include "makespan/cycle.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX
/* Steps of work (states expanded, choices of warps, bytes of states / 64) between two
 * looks at the control. */
#define POLL_INTERVAL 65536

/* All layers, one behind the other; the states of layer t are start[t] .. start[t+1]-1.
 * A state is `stride` bytes, the number of warps at each position, and the index of its
 * parent, by which the first path to it came. */
struct layers {
  size_t stride;
  uint8_t *states;
  size_t state_capacity;
  uint32_t *parents;
  size_t parent_capacity;
  size_t count;
  size_t *start;
  size_t start_capacity;
  size_t layer_count;
};

/* Of the layer under construction: each state's hash and table value, and the hash
 * table (slots, a power of two) that finds a state's index. */
struct fresh {
  uint64_t *hashes;
  size_t hash_capacity;
  uint32_t *values;
  size_t value_capacity;
  uint32_t *slots;
  size_t slot_count;
};

/* A state under expansion: current is what it is, next what the move under trial makes
 * of it, with its hash (a sum over positions of warps times key). move[r] is what run r
 * does. inside, pending: of the current state, as in run_table.h; after[r][u]: its warps in runs
 * of type u behind run r; next_inside, next_pending: of the state that move leads to. work: steps
 * since the control was last asked; stop: not WB_STOP_NONE once the search is to end, which every
 * loop and recursion looks at. */
struct search {
  const struct wb_run_table *table;
  const struct wb_layered_options *options;
  const struct wb_control *control;
  uint32_t warps;
  bool capped;
  size_t *first; /* position of each run's first instruction */
  uint64_t *keys;
  uint32_t *inside;
  uint64_t *pending;
  uint32_t (*after)[WB_UNIT_COUNT];
  struct wb_run_move *move;
  uint32_t *next_inside;
  uint64_t *next_pending;
  uint8_t *current;
  uint8_t *next;
  uint64_t hash;
  uint32_t parent;
  uint32_t least_value;
  uint32_t value;
  struct layers layers;
  struct fresh fresh;
  uint64_t cycle;
  uint64_t work;
  enum wb_stop stop;
  bool left_out;
};

static const uint8_t *state_at(const struct layers *layers, size_t index)
{
  return layers->states + index * layers->stride;
}

static bool start(struct search *s)
{
  size_t runs = s->table->run_count;
  size_t length = s->table->problem->string.length;
  s->layers.stride = length;
  s->first = wb_allocate(runs, sizeof *s->first);
  s->keys = wb_allocate(length + 1, sizeof *s->keys);
  s->inside = wb_allocate(runs, sizeof *s->inside);
  s->pending = wb_allocate(runs, sizeof *s->pending);
  s->after = wb_allocate(runs, sizeof *s->after);
  s->move = wb_allocate(runs, sizeof *s->move);
  s->next_inside = wb_allocate(runs, sizeof *s->next_inside);
  s->next_pending = wb_allocate(runs, sizeof *s->next_pending);
  s->current = wb_allocate(length, 1);
  s->next = wb_allocate(length + 1, 1);
  if (s->first == NULL || s->keys == NULL || s->inside == NULL || s->pending == NULL ||
      s->after == NULL || s->move == NULL || s->next_inside == NULL || s->next_pending == NULL ||
      s->current == NULL || s->next == NULL)
    return false;
  for (size_t r = 1; r < runs; r++)
    s->first[r] = s->first[r - 1] + s->table->runs[r - 1].length;
  struct wb_random random = {UINT64_C(0x57617270626f756e)};
  for (size_t p = 0; p < length; p++) /* a warp past the end counts nothing: its key is 0 */
    s->keys[p] = wb_random_next(&random);
  return true;
}

static void finish(struct search *s)
{
  free(s->first);
  free(s->keys);
  free(s->inside);
  free(s->pending);
  free(s->after);
  free(s->move);
  free(s->next_inside);
  free(s->next_pending);
  free(s->current);
  free(s->next);
  free(s->layers.states);
  free(s->layers.parents);
  free(s->layers.start);
  free(s->fresh.hashes);
  free(s->fresh.values);
  free(s->fresh.slots);
}

static size_t layer_start(const struct search *s)
{
  return s->layers.start[s->layers.layer_count - 1];
}

/* Begins a layer behind the last. */
static bool begin_layer(struct search *s)
{
  struct layers *layers = &s->layers;
  void *grown = layers->start;
  if (!wb_grow(&grown, &layers->start_capacity, layers->layer_count + 1, sizeof *layers->start))
    return false;
  layers->start = grown;
  layers->start[layers->layer_count++] = layers->count;
  if (s->fresh.slots != NULL)
    memset(s->fresh.slots, 0xff, s->fresh.slot_count * sizeof *s->fresh.slots);
  return true;
}

/* Room for one more state in every array. */
static bool make_room(struct search *s)
{
  struct layers *layers = &s->layers;
  size_t fresh = layers->count - layer_start(s) + 1;
  void *states = layers->states;
  void *parents = layers->parents;
  void *hashes = s->fresh.hashes;
  void *values = s->fresh.values;
  bool fits =
      wb_grow(&states, &layers->state_capacity, (layers->count + 1) * layers->stride, 1) &&
      wb_grow(&parents, &layers->parent_capacity, layers->count + 1, sizeof *layers->parents) &&
      wb_grow(&hashes, &s->fresh.hash_capacity, fresh, sizeof *s->fresh.hashes) &&
      wb_grow(&values, &s->fresh.value_capacity, fresh, sizeof *s->fresh.values);
  layers->states = states;
  layers->parents = parents;
  s->fresh.hashes = hashes;
  s->fresh.values = values;
  return fits;
}

/* Makes the hash table at least twice as large as the layer. */
static bool grow_slots(struct search *s)
{
  size_t fresh = s->layers.count - layer_start(s);
  if (s->fresh.slot_count >= 2 * (fresh + 1))
    return true;
  size_t count = s->fresh.slot_count > 0 ? 2 * s->fresh.slot_count : 1024;
  uint32_t *slots = malloc(count * sizeof *slots);
  if (slots == NULL)
    return false;
  memset(slots, 0xff, count * sizeof *slots);
  for (size_t i = 0; i < fresh; i++) {
    size_t slot = s->fresh.hashes[i] & (count - 1);
    while (slots[slot] != NOWHERE)
      slot = (slot + 1) & (count - 1);
    slots[slot] = (uint32_t)i;
  }
  free(s->fresh.slots);
  s->fresh.slots = slots;
  s->fresh.slot_count = count;
  return true;
}

static uint64_t bytes_used(const struct search *s)
{
  return s->layers.state_capacity + s->layers.parent_capacity * sizeof *s->layers.parents +
         s->fresh.hash_capacity * sizeof *s->fresh.hashes +
         s->fresh.value_capacity * sizeof *s->fresh.values +
         s->fresh.slot_count * sizeof *s->fresh.slots;
}

/* Asks the control, and whether the states are still within the memory allowed. */
static void poll(struct search *s)
{
  s->work = 0;
  if (s->stop != WB_STOP_NONE)
    return;
  char phase[80];
  snprintf(phase, sizeof phase, "%s, cycle %" PRIu64 ", %zu states",
           s->options->width > 0 ? "beam search" : "guided search", s->cycle,
           s->layers.count - layer_start(s));
  s->stop = wb_control_poll(s->control, phase, (double)s->cycle / (double)s->options->goal);
  if (s->stop == WB_STOP_NONE && bytes_used(s) > s->options->memory)
    s->stop = WB_STOP_MEMORY;
}

/* Counts work, and says whether to go on. */
static bool goes_on(struct search *s, uint64_t work)
{
  s->work += work;
  if (s->work >= POLL_INTERVAL)
    poll(s);
  return s->stop == WB_STOP_NONE;
}

/* Puts the state `next` into the layer unless it is there. */
static void push(struct search *s)
{
  size_t base = layer_start(s);
  if (s->layers.count >= NOWHERE || !grow_slots(s)) {
    s->stop = WB_STOP_MEMORY;
    return;
  }
  size_t mask = s->fresh.slot_count - 1;
  size_t slot = s->hash & mask;
  for (; s->fresh.slots[slot] != NOWHERE; slot = (slot + 1) & mask) {
    uint32_t index = s->fresh.slots[slot];
    if (s->fresh.hashes[index] == s->hash &&
        memcmp(state_at(&s->layers, base + index), s->next, s->layers.stride) == 0)
      return;
  }
  if (!make_room(s)) {
    s->stop = WB_STOP_MEMORY;
    return;
  }
  size_t index = s->layers.count++;
  memcpy(s->layers.states + index * s->layers.stride, s->next, s->layers.stride);
  s->layers.parents[index] = s->parent;
  s->fresh.hashes[index - base] = s->hash;
  s->fresh.values[index - base] = s->value;
  s->fresh.slots[slot] = (uint32_t)(index - base);
}

static void shift(struct search *s, size_t position, uint32_t warps)
{
  s->next[position] = (uint8_t)(s->next[position] - warps);
  s->next[position + 1] = (uint8_t)(s->next[position + 1] + warps);
  s->hash += warps * (s->keys[position + 1] - s->keys[position]);
}

static void unshift(struct search *s, size_t position, uint32_t warps)
{
  s->next[position] = (uint8_t)(s->next[position] + warps);
  s->next[position + 1] = (uint8_t)(s->next[position + 1] - warps);
  s->hash -= warps * (s->keys[position + 1] - s->keys[position]);
}

static void choose_warps(struct search *s, size_t r);

/* Lets `left` of the `waiting` warps at the positions from.. of run r, its last one
 * excluded, issue, in every way. */
static void choose_inside(struct search *s, size_t r, size_t from, uint32_t waiting, uint32_t left)
{
  if (!goes_on(s, 1))
    return;
  if (left == 0) {
    choose_warps(s, r + 1);
    return;
  }
  uint32_t here = s->current[from];
  uint32_t behind = waiting - here;
  uint32_t most = here < left ? here : left;
  for (uint32_t x = left > behind ? left - behind : 0; x <= most; x++) {
    shift(s, from, x);
    choose_inside(s, r, from + 1, behind, left - x);
    unshift(s, from, x);
  }
}

/* Chooses the warps of the runs r.. that do what move says. */
static void choose_warps(struct search *s, size_t r)
{
  if (r == s->table->run_count) {
    push(s);
    return;
  }
  size_t last = s->first[r] + s->table->runs[r].length - 1;
  uint32_t exits = s->move[r].exits;
  shift(s, last, exits);
  choose_inside(s, r, s->first[r], s->inside[r] - s->current[last], s->move[r].issues - exits);
  unshift(s, last, exits);
}

/* Tries what the runs r.. may do in the abstraction; where the successor can still
 * reach the goal, every choice of warps for it. As in the run abstraction, but for
 * the exits: those that the current state has the warps for. */
static void choose_moves(struct search *s, size_t r, const struct wb_quota *left, uint32_t entering)
{
  const struct wb_run_table *table = s->table;
  if (!goes_on(s, 1))
    return;
  if (r == table->run_count) {
    s->value = wb_run_table_value(table, s->next_inside, s->next_pending);
    if (wb_run_table_may_reach(table, s->value, s->least_value))
      choose_warps(s, 0);
    return;
  }
  const struct wb_run *run = &table->runs[r];
  uint32_t n = s->inside[r];
  uint32_t at_exit = s->current[s->first[r] + run->length - 1];
  uint32_t most_issue = (uint32_t)wb_minimum(n, wb_minimum(left->most[run->unit], left->total));
  struct wb_quota rest = *left;
  for (uint32_t x = wb_quota_least(left, s->after[r], run->unit, s->capped); x <= most_issue; x++) {
    rest.most[run->unit] = left->most[run->unit] - x;
    rest.total = left->total - x;
    uint32_t e = x > n - at_exit ? x - (n - at_exit) : 0;
    for (; e <= x && e <= at_exit; e++) {
      s->next_inside[r] = n - e + entering;
      s->next_pending[r] = s->pending[r] - x + (uint64_t)entering * run->length;
      s->move[r] = (struct wb_run_move){x, e};
      choose_moves(s, r + 1, &rest, e);
    }
  }
}

static void expand(struct search *s, size_t index)
{
  const struct wb_run_table *table = s->table;
  memcpy(s->current, state_at(&s->layers, index), s->layers.stride);
  memcpy(s->next, s->current, s->layers.stride);
  s->parent = (uint32_t)index;
  s->hash = 0;
  uint32_t ready[WB_UNIT_COUNT] = {0};
  for (size_t r = table->run_count; r-- > 0;) {
    memcpy(s->after[r], ready, sizeof ready);
    s->inside[r] = 0;
    s->pending[r] = 0;
    for (size_t k = 0; k < table->runs[r].length; k++) {
      uint32_t warps = s->current[s->first[r] + k];
      s->inside[r] += warps;
      s->pending[r] += warps * (uint64_t)(table->runs[r].length - k);
      s->hash += warps * s->keys[s->first[r] + k];
    }
    ready[table->runs[r].unit] += s->inside[r];
  }
  struct wb_quota quota = wb_cycle_quota(table->problem, ready);
  if (quota.total > 0)
    choose_moves(s, 0, &quota, 0);
}

static int compare_hashes(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a;
  uint64_t y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The value below which none of the layer's `count` states is kept, and of those with
 * just that value how many are. */
static bool find_threshold(const struct search *s, size_t count, uint32_t *threshold,
                           size_t *of_threshold)
{
  uint32_t highest = 0;
  for (size_t i = 0; i < count; i++)
    highest = s->fresh.values[i] > highest ? s->fresh.values[i] : highest;
  size_t *histogram = wb_allocate((size_t)highest + 1, sizeof *histogram);
  if (histogram == NULL)
    return false;
  for (size_t i = 0; i < count; i++)
    histogram[s->fresh.values[i]]++;
  size_t kept = 0;
  *threshold = highest;
  while (*threshold > 0 && kept + histogram[*threshold] <= s->options->width)
    kept += histogram[(*threshold)--];
  *of_threshold = s->options->width - kept;
  free(histogram);
  return true;
}

/* The largest hash that a state of the threshold's value may have to be kept. */
static bool find_last_hash(const struct search *s, size_t count, uint32_t threshold,
                           size_t of_threshold, uint64_t *last)
{
  uint64_t *hashes = wb_allocate(count, sizeof *hashes);
  if (hashes == NULL)
    return false;
  size_t equal = 0;
  for (size_t i = 0; i < count; i++) {
    if (s->fresh.values[i] == threshold)
      hashes[equal++] = s->fresh.hashes[i];
  }
  qsort(hashes, equal, sizeof *hashes, compare_hashes);
  *last = of_threshold > 0 && of_threshold <= equal ? hashes[of_threshold - 1] : 0;
  free(hashes);
  return true;
}

/* Cuts the layer down to the width. Two states of one hash are kept or dropped
 * together: the width is exceeded by what shares the last hash. The end state, whose
 * value is 0, always stays. */
static bool narrow(struct search *s)
{
  size_t base = layer_start(s);
  size_t count = s->layers.count - base;
  if (s->options->width == 0 || count <= s->options->width)
    return true;
  s->left_out = true;
  uint32_t threshold;
  size_t of_threshold;
  uint64_t last;
  if (!find_threshold(s, count, &threshold, &of_threshold) ||
      !find_last_hash(s, count, threshold, of_threshold, &last))
    return false;
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    bool keep = s->fresh.values[i] > threshold || s->fresh.values[i] == 0 ||
                (s->fresh.values[i] == threshold && of_threshold > 0 && s->fresh.hashes[i] <= last);
    if (!keep)
      continue;
    memmove(s->layers.states + (base + kept) * s->layers.stride, state_at(&s->layers, base + i),
            s->layers.stride);
    s->layers.parents[base + kept++] = s->layers.parents[base + i];
  }
  s->layers.count = base + kept;
  return true;
}

/* Fills the next layer from the last, unless it is stopped. */
static bool fill_layer(struct search *s)
{
  size_t from = layer_start(s);
  size_t to = s->layers.count;
  if (!begin_layer(s))
    return false;
  s->least_value = s->options->goal > s->cycle ? (uint32_t)(s->options->goal - s->cycle) : 0;
  for (size_t i = from; i < to && goes_on(s, 1 + s->layers.stride / 64); i++)
    expand(s, i);
  return s->stop != WB_STOP_NONE || narrow(s);
}

/* The index of the end state, all warps past the end, in the last layer. */
static size_t find_end(const struct search *s)
{
  for (size_t i = layer_start(s); i < s->layers.count; i++) {
    const uint8_t *state = state_at(&s->layers, i);
    size_t p = 0;
    while (p < s->layers.stride && state[p] == 0)
      p++;
    if (p == s->layers.stride)
      return i;
  }
  return SIZE_MAX;
}

static warpbound_status make_witness(const struct search *s, size_t end, uint64_t makespan,
                                     struct wb_schedule *schedule, warpbound_error *error)
{
  const struct wb_problem *problem = s->table->problem;
  warpbound_status status = wb_schedule_start(schedule, s->warps, problem->string.length, error);
  size_t *path = wb_allocate((size_t)makespan + 1, sizeof *path);
  size_t *done = wb_allocate(s->warps, sizeof *done);
  if (status == WARPBOUND_OK && (path == NULL || done == NULL))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK) {
    for (uint64_t t = makespan + 1; t-- > 0; end = s->layers.parents[end])
      path[t] = end;
    for (uint64_t t = 1; t <= makespan; t++)
      wb_schedule_replay(schedule, done, state_at(&s->layers, path[t - 1]),
                         state_at(&s->layers, path[t]), (uint32_t)t);
    schedule->makespan = makespan;
  }
  free(path);
  free(done);
  if (status != WARPBOUND_OK)
    wb_schedule_free(schedule);
  return status;
}

static warpbound_status run(struct search *s, struct wb_layered_result *result,
                            warpbound_error *error)
{
  if (!begin_layer(s) || !make_room(s))
    return wb_out_of_memory(error);
  memset(s->layers.states, 0, s->layers.stride);
  s->layers.states[0] = (uint8_t)s->warps;
  s->layers.parents[0] = 0;
  s->layers.count = 1;
  size_t end = SIZE_MAX;
  for (s->cycle = 1; s->layers.count > layer_start(s); s->cycle++) {
    if (!fill_layer(s))
      s->stop = WB_STOP_MEMORY;
    if (s->stop != WB_STOP_NONE)
      break;
    result->peak = wb_maximum(result->peak, s->layers.count - layer_start(s));
    size_t found = find_end(s);
    if (found != SIZE_MAX) {
      end = found;
      result->longest = s->cycle;
    }
  }
  result->stop = s->stop;
  result->states = s->layers.count;
  result->bytes = bytes_used(s);
  result->complete = s->stop == WB_STOP_NONE && !s->left_out;
  return end != SIZE_MAX ? make_witness(s, end, result->longest, &result->witness, error)
                         : WARPBOUND_OK;
}

warpbound_status wb_layered_search(const struct wb_run_table *table,
                                   const struct wb_layered_options *options,
                                   const struct wb_control *control,
                                   struct wb_layered_result *result, warpbound_error *error)
{
  assert(table->warps <= UINT8_MAX);
  *result = (struct wb_layered_result){0};
  struct search s = {.table = table,
                     .options = options,
                     .warps = options->warps > 0 ? options->warps : table->warps,
                     .control = control,
                     .capped = wb_problem_capped(table->problem)};
  warpbound_status status = start(&s) ? run(&s, result, error) : wb_out_of_memory(error);
  finish(&s);
  return status;
}
