#include "makespan/layered_search.h"

#include "base/checked.h"
#include "base/memory.h"
#include "makespan/layered_crew.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* left_out: states were dropped for the width. */
struct search {
  const struct wb_run_table *table;
  const struct wb_layered_options *options;
  uint32_t warps;
  struct wb_layered_states states;
  struct wb_layered_crew crew;
  bool left_out;
};

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
    highest = s->states.values[i] > highest ? s->states.values[i] : highest;
  size_t *histogram = wb_allocate((size_t)highest + 1, sizeof *histogram);
  if (histogram == NULL)
    return false;
  for (size_t i = 0; i < count; i++)
    histogram[s->states.values[i]]++;
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
    if (s->states.values[i] == threshold)
      hashes[equal++] = s->states.hashes[i];
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
  size_t base = wb_layered_base(&s->states);
  size_t count = s->states.count - base;
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
    bool keep =
        s->states.values[i] > threshold || s->states.values[i] == 0 ||
        (s->states.values[i] == threshold && of_threshold > 0 && s->states.hashes[i] <= last);
    if (!keep)
      continue;
    memmove(s->states.warps + (base + kept) * s->states.stride,
            wb_layered_warps(&s->states, base + i), s->states.stride);
    s->states.parents[base + kept++] = s->states.parents[base + i];
  }
  s->states.count = base + kept;
  return true;
}

/* The index of the end state, all warps past the end, in the last layer. */
static size_t find_end(const struct search *s)
{
  for (size_t i = wb_layered_base(&s->states); i < s->states.count; i++) {
    const uint8_t *state = wb_layered_warps(&s->states, i);
    size_t p = 0;
    while (p < s->states.stride && state[p] == 0)
      p++;
    if (p == s->states.stride)
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
    for (uint64_t t = makespan + 1; t-- > 0; end = s->states.parents[end])
      path[t] = end;
    for (uint64_t t = 1; t <= makespan; t++)
      wb_schedule_replay(schedule, done, wb_layered_warps(&s->states, path[t - 1]),
                         wb_layered_warps(&s->states, path[t]), (uint32_t)t);
    schedule->makespan = makespan;
  }
  free(path);
  free(done);
  if (status != WARPBOUND_OK)
    wb_schedule_free(schedule);
  return status;
}

/* The first layer: all warps at the first instruction. Its hash and value tell it from no other. */
static bool place_first(struct search *s)
{
  uint8_t *warps = wb_allocate(s->states.stride, 1);
  if (warps == NULL)
    return false;
  warps[0] = (uint8_t)s->warps;
  const struct wb_layered_state first = {.warps = warps};
  bool placed = wb_layered_begin(&s->states) && wb_layered_add(&s->states, &first);
  free(warps);
  return placed;
}

/* Fills the next layer from the last, unless it is stopped. */
static enum wb_stop fill_layer(struct search *s)
{
  wb_layered_crew_fill(&s->crew);
  if (s->crew.stop == WB_STOP_NONE && !narrow(s))
    s->crew.stop = WB_STOP_MEMORY;
  return s->crew.stop;
}

/* The cycle of the last layer that holds the end state is result->longest; *end: the state, or
 * SIZE_MAX. */
static void fill_layers(struct search *s, struct wb_layered_result *result, size_t *end)
{
  *end = SIZE_MAX;
  if (!place_first(s))
    s->crew.stop = WB_STOP_MEMORY;
  for (s->crew.cycle = 1;
       s->crew.stop == WB_STOP_NONE && s->states.count > wb_layered_base(&s->states) &&
       fill_layer(s) == WB_STOP_NONE;
       s->crew.cycle++) {
    result->peak = wb_maximum(result->peak, s->states.count - wb_layered_base(&s->states));
    size_t found = find_end(s);
    if (found != SIZE_MAX) {
      *end = found;
      result->longest = s->crew.cycle;
    }
  }
}

static warpbound_status run(struct search *s, struct wb_layered_result *result,
                            warpbound_error *error)
{
  size_t end;
  if (!wb_layered_crew_start(&s->crew))
    return wb_out_of_memory(error);
  fill_layers(s, result, &end);
  wb_layered_crew_free(&s->crew);
  result->stop = s->crew.stop;
  result->states = s->states.count;
  result->bytes = wb_layered_bytes(&s->states);
  result->complete = result->stop == WB_STOP_NONE && !s->left_out;
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
  struct search s = {
      .table = table,
      .options = options,
      .warps = options->warps > 0 ? options->warps : table->warps,
      .states = {.stride = table->problem->string.length, .memory = options->memory}};
  s.crew = (struct wb_layered_crew){.table = table,
                                    .control = control,
                                    .states = &s.states,
                                    .phase = options->width > 0 ? "beam search" : "guided search",
                                    .goal = options->goal};
  warpbound_status status = run(&s, result, error);
  wb_layered_states_free(&s.states);
  return status;
}
