#include "makespan/exact/layered_search.h"

#include "base/arena.h"
#include "base/checked.h"
#include "makespan/exact/layered_workers.h"
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
  struct wb_layered_workers workers;
  bool left_out;
};

static int compare_hashes(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a;
  uint64_t y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The states that a layer keeps: those above the threshold's value, and of that value, if any,
 * those with a hash of `last` or less. The end state, whose value is 0, always stays. */
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
static bool narrow(struct search *search)
{
  const struct wb_layered_note *notes = search->states.notes;
  size_t count = search->states.count - wb_layered_base(&search->states);
  if (search->options->width == 0 || count <= search->options->width)
    return true;
  search->left_out = true;
  struct standard standard = {0};
  for (size_t i = 0; i < count; i++)
    standard.threshold = (uint32_t)wb_maximum(standard.threshold, notes[i].value);
  struct wb_arena arena = {0};
  size_t *histogram = wb_arena_array(&arena, size_t, (size_t)standard.threshold + 1);
  uint64_t *hashes = wb_arena_array(&arena, uint64_t, count);
  if (!arena.failed) {
    for (size_t i = 0; i < count; i++)
      histogram[notes[i].value]++;
    size_t kept = 0;
    while (standard.threshold > 0 && kept + histogram[standard.threshold] <= search->options->width)
      kept += histogram[standard.threshold--];
    standard.of_threshold = search->options->width - kept;
    size_t equal = 0;
    for (size_t i = 0; i < count; i++) {
      if (notes[i].value == standard.threshold)
        hashes[equal++] = notes[i].hash;
    }
    qsort(hashes, equal, sizeof *hashes, compare_hashes);
    if (standard.of_threshold > 0 && standard.of_threshold <= equal)
      standard.last = hashes[standard.of_threshold - 1];
    wb_layered_keep(&search->states, meets, &standard);
  }
  wb_arena_free(&arena);
  return !arena.failed;
}

static warpbound_status make_witness(const struct search *search, size_t end, uint64_t makespan,
                                     struct wb_schedule *schedule, warpbound_error *error)
{
  const struct wb_problem *problem = search->table->problem;
  warpbound_status status =
      wb_schedule_start(schedule, search->warps, problem->string.length, error);
  struct wb_arena arena = {0};
  size_t *path = wb_arena_array(&arena, size_t, (size_t)makespan + 1);
  size_t *done = wb_arena_array(&arena, size_t, search->warps);
  uint8_t *states[2] = {wb_arena_array(&arena, uint8_t, search->code.length),
                        wb_arena_array(&arena, uint8_t, search->code.length)};
  if (status == WARPBOUND_OK && arena.failed)
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK) {
    /* The states of the last layer back to the first, and then forth again. */
    path[makespan] = end;
    for (uint64_t t = makespan; t > 0; t--)
      path[t - 1] = wb_layered_parent(&search->states, (size_t)t, path[t]);
    wb_state_code_unpack(&search->code, wb_layered_code(&search->states, path[0]), states[0], NULL);
    for (uint64_t t = 1; t <= makespan; t++) {
      uint8_t *from = states[(t - 1) % 2], *to = states[t % 2];
      wb_state_code_unpack(&search->code, wb_layered_code(&search->states, path[t]), to, NULL);
      wb_schedule_replay(schedule, done, from, to, (uint32_t)t);
    }
    schedule->makespan = makespan;
  }
  wb_arena_free(&arena);
  if (status != WARPBOUND_OK)
    wb_schedule_free(schedule);
  return status;
}

/* The cycle of the last layer that holds the end state is result->longest; returns that state, or
 * SIZE_MAX. */
static size_t fill_layers(struct search *search, struct wb_layered_result *result)
{
  struct wb_layered_workers *workers = &search->workers;
  const struct wb_layered_states *states = &search->states;
  size_t end = SIZE_MAX;
  /* The first layer: all warps at the first instruction. Its hash and value tell it from no other.
   */
  struct wb_arena arena = {0};
  uint8_t *warps = wb_arena_array(&arena, uint8_t, search->code.length);
  uint8_t *first = wb_arena_array(&arena, uint8_t, search->code.bytes);
  if (!arena.failed) {
    warps[0] = (uint8_t)search->warps;
    wb_state_code_pack(&search->code, warps, first);
  }
  if (arena.failed || !wb_layered_begin(&search->states) ||
      !wb_layered_add(&search->states, first, &(struct wb_layered_note){0}))
    workers->stop = WB_STOP_MEMORY;
  wb_arena_free(&arena);
  for (workers->cycle = 1; workers->stop == WB_STOP_NONE && states->count > wb_layered_base(states);
       workers->cycle++) {
    wb_layered_workers_fill(workers);
    if (workers->stop == WB_STOP_NONE && !narrow(search))
      workers->stop = WB_STOP_MEMORY;
    if (workers->stop != WB_STOP_NONE)
      break;
    result->peak = wb_maximum(result->peak, states->count - wb_layered_base(states));
    for (size_t i = wb_layered_base(states); i < states->count; i++) {
      const uint8_t *code = wb_layered_code(states, i);
      size_t k = 0;
      while (k < states->bytes && code[k] == 0) /* all warps past the end */
        k++;
      if (k < states->bytes)
        continue;
      end = i;
      result->longest = workers->cycle;
      break;
    }
  }
  return end;
}

warpbound_status wb_layered_search(const struct wb_run_table *table,
                                   const struct wb_layered_options *options,
                                   const struct wb_control *control,
                                   struct wb_layered_result *result, warpbound_error *error)
{
  assert(table->warps <= UINT8_MAX);
  *result = (struct wb_layered_result){0};
  struct search search = {.table = table,
                          .options = options,
                          .warps = options->warps > 0 ? options->warps : table->warps,
                          .states = {.memory = options->memory}};
  search.workers =
      (struct wb_layered_workers){.table = table,
                                  .code = &search.code,
                                  .control = control,
                                  .states = &search.states,
                                  .phase = options->width > 0 ? "beam search" : "guided search",
                                  .goal = options->goal};
  warpbound_status status = WARPBOUND_OK;
  bool started = wb_state_code_start(&search.code, table->problem->string.length, search.warps);
  search.states.bytes = search.code.bytes;
  if (started && wb_layered_workers_start(&search.workers)) {
    size_t end = fill_layers(&search, result);
    wb_layered_workers_free(&search.workers);
    result->stop = search.workers.stop;
    result->states = search.states.count;
    result->bytes = wb_layered_bytes(&search.states);
    result->complete = result->stop == WB_STOP_NONE && !search.left_out;
    if (end != SIZE_MAX)
      status = make_witness(&search, end, result->longest, &result->witness, error);
  } else {
    status = wb_out_of_memory(error);
  }
  wb_layered_states_free(&search.states);
  wb_state_code_free(&search.code);
  return status;
}
