#include "makespan/exact/layered_search.h"

#include "base/checked.h"
#include "base/memory.h"
#include "makespan/exact/layered_crew.h"
#include "makespan/exact/state_code.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* left_out: states were dropped for the width. */
struct search {
  const struct wb_run_table *table;
  const struct wb_layered_options *options;
  uint32_t warps;
  struct wb_state_code code;
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
    highest = (uint32_t)wb_maximum(highest, s->states.notes[i].value);
  size_t *histogram = wb_allocate((size_t)highest + 1, sizeof *histogram);
  if (histogram == NULL)
    return false;
  for (size_t i = 0; i < count; i++)
    histogram[s->states.notes[i].value]++;
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
    if (s->states.notes[i].value == threshold)
      hashes[equal++] = s->states.notes[i].hash;
  }
  qsort(hashes, equal, sizeof *hashes, compare_hashes);
  *last = of_threshold > 0 && of_threshold <= equal ? hashes[of_threshold - 1] : 0;
  free(hashes);
  return true;
}

/* What a layer keeps: what is above the threshold's value, and of that value, if any, what has
 * a hash of `last` or less. The end state, whose value is 0, always stays. */
struct standard {
  uint32_t threshold;
  size_t of_threshold;
  uint64_t last;
};

static bool meets(const void *context, const struct wb_layered_note *note)
{
  const struct standard *standard = context;
  return note->value > standard->threshold || note->value == 0 ||
         (note->value == standard->threshold && standard->of_threshold > 0 &&
          note->hash <= standard->last);
}

/* Cuts the layer down to the width. Two states of one hash are kept or dropped
 * together: the width is exceeded by what shares the last hash. */
static bool narrow(struct search *s)
{
  size_t count = s->states.count - wb_layered_base(&s->states);
  if (s->options->width == 0 || count <= s->options->width)
    return true;
  s->left_out = true;
  struct standard standard;
  if (!find_threshold(s, count, &standard.threshold, &standard.of_threshold) ||
      !find_last_hash(s, count, standard.threshold, standard.of_threshold, &standard.last))
    return false;
  wb_layered_keep(&s->states, meets, &standard);
  return true;
}

/* The index of the end state, all warps past the end, in the last layer. */
static size_t find_end(const struct search *s)
{
  for (size_t i = wb_layered_base(&s->states); i < s->states.count; i++) {
    const uint8_t *code = wb_layered_code(&s->states, i);
    size_t k = 0;
    while (k < s->code.bytes && code[k] == 0)
      k++;
    if (k == s->code.bytes)
      return i;
  }
  return SIZE_MAX;
}

/* The states of the last layer back to the first, and then forth again. */
static void replay(const struct search *s, size_t end, uint64_t makespan, size_t *path,
                   uint8_t *states[2], struct wb_schedule *schedule, size_t *done)
{
  path[makespan] = end;
  for (uint64_t t = makespan; t > 0; t--)
    path[t - 1] = wb_layered_parent(&s->states, (size_t)t, path[t]);
  wb_state_code_unpack(&s->code, wb_layered_code(&s->states, path[0]), states[0], NULL);
  for (uint64_t t = 1; t <= makespan; t++) {
    uint8_t *from = states[(t - 1) % 2], *to = states[t % 2];
    wb_state_code_unpack(&s->code, wb_layered_code(&s->states, path[t]), to, NULL);
    wb_schedule_replay(schedule, done, from, to, (uint32_t)t);
  }
  schedule->makespan = makespan;
}

static warpbound_status make_witness(const struct search *s, size_t end, uint64_t makespan,
                                     struct wb_schedule *schedule, warpbound_error *error)
{
  const struct wb_problem *problem = s->table->problem;
  warpbound_status status = wb_schedule_start(schedule, s->warps, problem->string.length, error);
  size_t *path = wb_allocate((size_t)makespan + 1, sizeof *path);
  size_t *done = wb_allocate(s->warps, sizeof *done);
  uint8_t *states[2] = {wb_allocate(s->code.length, 1), wb_allocate(s->code.length, 1)};
  bool room = path != NULL && done != NULL && states[0] != NULL && states[1] != NULL;
  if (status == WARPBOUND_OK && !room)
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    replay(s, end, makespan, path, states, schedule, done);
  free(path);
  free(done);
  free(states[0]);
  free(states[1]);
  if (status != WARPBOUND_OK)
    wb_schedule_free(schedule);
  return status;
}

/* The first layer: all warps at the first instruction. Its hash and value tell it from no other. */
static bool place_first(struct search *s)
{
  uint8_t *warps = wb_allocate(s->code.length, 1);
  uint8_t *code = wb_allocate(s->code.bytes, 1);
  bool placed = warps != NULL && code != NULL;
  if (placed) {
    const struct wb_layered_note note = {0};
    warps[0] = (uint8_t)s->warps;
    wb_state_code_pack(&s->code, warps, code);
    placed = wb_layered_begin(&s->states) && wb_layered_add(&s->states, code, &note);
  }
  free(warps);
  free(code);
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
  if (!wb_state_code_start(&s->code, s->table->problem->string.length, s->warps))
    return wb_out_of_memory(error);
  s->states.bytes = s->code.bytes;
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
  struct search s = {.table = table,
                     .options = options,
                     .warps = options->warps > 0 ? options->warps : table->warps,
                     .states = {.memory = options->memory}};
  s.crew = (struct wb_layered_crew){.table = table,
                                    .code = &s.code,
                                    .control = control,
                                    .states = &s.states,
                                    .phase = options->width > 0 ? "beam search" : "guided search",
                                    .goal = options->goal};
  warpbound_status status = run(&s, result, error);
  wb_layered_states_free(&s.states);
  wb_state_code_free(&s.code);
  return status;
}
