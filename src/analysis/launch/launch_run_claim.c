#include "analysis/launch/launch_run_claim.h"

#include "base/checked.h"

#include <stdlib.h>

/* A claim being made. Steps that were not released, and their blocks, are left out. */
struct making {
  const struct wb_timed_code *code;
  const struct wb_simulated_graph *graph;
  const struct wb_simulation_options *options;
  const struct wb_simulated_launch *launch;
  struct wb_launch_run_owner *owner;
  struct wb_arena *arena;
  uint32_t stride;
  uint32_t *step;        /* by step of the simulated graph: the claim's */
  uint64_t *first_block; /* by step of the simulated graph, its first block there; one more */
  uint64_t *block;       /* by step: what its blocks have more there than in the claim */
};

static bool is_released(const struct making *making, size_t step)
{
  return making->launch->step_begin[step] != UINT64_MAX;
}

static uint64_t blocks_of(const struct making *making, size_t step)
{
  const struct wb_simulated_step *from = &making->graph->steps[step];
  return from->kind == WB_STEP_LAUNCH ? making->graph->kernels[from->kernel].blocks : 0;
}

static void make_kernels(struct making *making)
{
  const struct wb_mixes *mixes = making->graph->mixes;
  struct wb_check_run_graph *to = &making->owner->graph;
  struct wb_check_run_kernel *kernels =
      wb_arena_array(making->arena, struct wb_check_run_kernel, mixes->kernel_count);
  struct wb_check_run_room *rooms =
      wb_arena_array(making->arena, struct wb_check_run_room, mixes->room_count);
  for (size_t k = 0; k < mixes->kernel_count && !making->arena->failed; k++) {
    const struct wb_simulated_kernel *kernel = &making->graph->kernels[k];
    kernels[k] = (struct wb_check_run_kernel){kernel->blocks, kernel->block_warps, mixes->most[k],
                                              kernel->first_sm, kernel->sms};
  }
  for (size_t r = 0; r < mixes->room_count && !making->arena->failed; r++)
    rooms[r] = (struct wb_check_run_room){mixes->rooms[r].capacity, mixes->rooms[r].size};
  to->kernels = kernels;
  to->kernel_count = mixes->kernel_count;
  to->rooms = rooms;
  to->room_count = mixes->room_count;
}

static const uint32_t *after_of(struct making *making, const struct wb_simulated_step *from)
{
  uint32_t *after = wb_arena_array(making->arena, uint32_t, from->after_count);
  for (size_t a = 0; a < from->after_count && after != NULL; a++)
    after[a] = making->step[from->after[a]];
  return after;
}

static void make_steps(struct making *making, const uint64_t *periods, const size_t *rows)
{
  const struct wb_simulated_graph *graph = making->graph;
  const struct wb_simulated_launch *launch = making->launch;
  struct wb_check_run_graph *to = &making->owner->graph;
  struct wb_check_run_step *steps =
      wb_arena_array(making->arena, struct wb_check_run_step, graph->step_count);
  uint64_t left_out = 0;
  making->step = wb_arena_array(making->arena, uint32_t, graph->step_count);
  making->block = wb_arena_array(making->arena, uint64_t, graph->step_count);
  making->first_block = wb_arena_array(making->arena, uint64_t, graph->step_count + 1);
  for (size_t s = 0; s < graph->step_count && !making->arena->failed; s++) {
    const struct wb_simulated_step *from = &graph->steps[s];
    making->first_block[s + 1] = making->first_block[s] + blocks_of(making, s);
    making->block[s] = left_out;
    making->step[s] = (uint32_t)to->step_count;
    if (!is_released(making, s)) {
      left_out += blocks_of(making, s);
      continue;
    }
    steps[to->step_count++] =
        (struct wb_check_run_step){.kind = from->kind == WB_STEP_LAUNCH ? WB_CHECK_RUN_LAUNCH
                                           : from->kind == WB_STEP_COPY ? WB_CHECK_RUN_COPY
                                                                        : WB_CHECK_RUN_WAIT,
                                   .kernel = from->kernel,
                                   .engine = from->engine,
                                   .gap = from->gap,
                                   .cycles = from->cycles,
                                   .memory = from->memory,
                                   .after = after_of(making, from),
                                   .after_count = from->after_count,
                                   .beside = from->beside,
                                   .row = rows != NULL ? (uint32_t)rows[s] : (uint32_t)s,
                                   .period = periods != NULL ? periods[s] : 0,
                                   .asked = launch->step_asked[s],
                                   .begin = launch->step_begin[s],
                                   .end = launch->step_end[s]};
  }
  to->steps = steps;
  to->begin = graph->begin;
  to->memory = graph->memory;
}

/* The step of the simulated graph that a block is of. */
static size_t step_of(const struct making *making, uint64_t block)
{
  size_t low = 0;
  size_t high = making->graph->step_count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (making->first_block[middle] <= block)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Steps without blocks have none: the last step that begins at a block is the one with blocks,
 * but for those behind it that have none. */
static size_t launch_of(const struct making *making, uint64_t block)
{
  size_t step = step_of(making, block);
  while (step > 0 && blocks_of(making, step) == 0)
    step--;
  return step;
}

static void make_block(struct making *making, uint64_t from, uint64_t to, uint64_t *placed,
                       uint64_t *ready, const uint32_t **path, size_t *length, uint32_t *block_step)
{
  const struct wb_simulated_launch *launch = making->launch;
  const struct wb_warp_path *paths = making->options->paths;
  uint32_t warps = making->stride;
  if (making->graph != NULL) {
    const size_t step = launch_of(making, from);
    const struct wb_simulated_kernel *kernel =
        &making->graph->kernels[making->graph->steps[step].kernel];
    block_step[to] = making->step[step];
    paths = kernel->paths;
    warps = kernel->block_warps;
  }
  placed[to] = launch->block_begin[from];
  ready[to] = launch->block_ready[from];
  for (uint32_t w = 0; w < warps; w++) {
    const struct wb_warp_path *taken = &paths[launch->path_of_warp[from * making->stride + w]];
    path[to * making->stride + w] = taken->instructions;
    length[to * making->stride + w] = taken->length;
  }
}

static void make_blocks(struct making *making, uint64_t blocks)
{
  struct wb_check_launch_run *run = &making->owner->run;
  const size_t warps = (size_t)blocks * making->stride;
  uint64_t *placed = wb_arena_array(making->arena, uint64_t, blocks);
  uint64_t *ready = wb_arena_array(making->arena, uint64_t, blocks);
  const uint32_t **path = wb_arena_array(making->arena, const uint32_t *, warps);
  size_t *length = wb_arena_array(making->arena, size_t, warps);
  uint32_t *block_step = wb_arena_array(making->arena, uint32_t, blocks);
  uint64_t count = 0;
  for (uint64_t b = 0; b < blocks && !making->arena->failed; b++) {
    if (making->graph == NULL || is_released(making, launch_of(making, b)))
      make_block(making, b, count++, placed, ready, path, length, block_step);
  }
  run->placed = placed;
  run->ready = ready;
  run->path = path;
  run->length = length;
  run->shape.blocks = count;
  run->shape.block_warps = making->stride;
  making->owner->graph.block_step = block_step;
}

static void make_events(struct making *making)
{
  const struct wb_simulated_launch *launch = making->launch;
  struct wb_check_launch_event *events =
      wb_arena_array(making->arena, struct wb_check_launch_event, launch->event_count);
  struct wb_check_launch_run *run = &making->owner->run;
  for (size_t e = 0; e < launch->event_count && events != NULL; e++) {
    const struct wb_launch_event *from = &launch->events[e];
    if (from->kind != WB_EVENT_ISSUE && from->kind != WB_EVENT_REQUEST)
      continue;
    const uint64_t left_out =
        making->graph != NULL ? making->block[launch_of(making, from->block)] : 0;
    events[run->event_count++] =
        (struct wb_check_launch_event){.request = from->kind == WB_EVENT_REQUEST,
                                       .sm = from->sm,
                                       .partition = from->partition,
                                       .warp = from->warp,
                                       .block = from->block - left_out,
                                       .step = from->step,
                                       .stage = from->stage,
                                       .number = from->request,
                                       .time = from->time,
                                       .until = from->until};
  }
  run->events = events;
}

/* Fetches by line and cache; the requests of one by stage and number. */
static uint64_t cache_of(const struct making *making, const struct wb_launch_event *event)
{
  const struct wb_timed_code *code = making->code;
  switch (code->cold[code->cold_lines.lines[event->instruction].fetch].level) {
  case WB_LEVEL_PARTITION:
    return (uint64_t)event->sm << 32 | event->partition;
  case WB_LEVEL_SM:
    return (uint64_t)event->sm << 32;
  default:
    return 0;
  }
}

struct served {
  const struct wb_launch_event *event;
  uint64_t cache;
};

static int compare_served(const void *a, const void *b)
{
  const struct served *x = a;
  const struct served *y = b;
  const uint64_t left[] = {x->event->instruction, x->cache, x->event->stage, x->event->request};
  const uint64_t right[] = {y->event->instruction, y->cache, y->event->stage, y->event->request};
  for (size_t n = 0; n < sizeof left / sizeof *left; n++) {
    if (left[n] != right[n])
      return left[n] < right[n] ? -1 : 1;
  }
  return 0;
}

/* The events of one kind, sorted: as many as *count says. */
static struct served *list_served(struct making *making, enum wb_launch_event_kind kind,
                                  size_t *count)
{
  const struct wb_simulated_launch *launch = making->launch;
  *count = 0;
  for (size_t e = 0; e < launch->event_count; e++)
    *count += launch->events[e].kind == kind;
  struct served *served = wb_arena_array(making->arena, struct served, *count);
  size_t next = 0;
  for (size_t e = 0; e < launch->event_count && served != NULL; e++) {
    const struct wb_launch_event *event = &launch->events[e];
    if (event->kind == kind)
      served[next++] = (struct served){event, kind == WB_EVENT_FETCH ? cache_of(making, event) : 0};
  }
  if (served != NULL)
    qsort(served, *count, sizeof *served, compare_served);
  return served;
}

static void make_fetches(struct making *making)
{
  struct wb_check_launch_run *run = &making->owner->run;
  size_t count;
  const struct served *served = list_served(making, WB_EVENT_FETCH, &count);
  struct wb_check_run_fetch *fetches =
      wb_arena_array(making->arena, struct wb_check_run_fetch, count);
  uint64_t *times = wb_arena_array(making->arena, uint64_t, count);
  for (size_t n = 0; n < count && !making->arena->failed; n++) {
    const struct wb_launch_event *event = served[n].event;
    times[n] = event->time;
    if (n == 0 || served[n - 1].event->instruction != event->instruction ||
        served[n - 1].cache != served[n].cache)
      fetches[run->fetch_count++] =
          (struct wb_check_run_fetch){event->instruction, event->sm, event->partition, &times[n]};
  }
  run->fetches = fetches;
}

static void make_copies(struct making *making)
{
  struct wb_check_launch_run *run = &making->owner->run;
  size_t count;
  const struct served *served = list_served(making, WB_EVENT_COPY, &count);
  struct wb_check_run_copy *copies = wb_arena_array(making->arena, struct wb_check_run_copy, count);
  uint64_t *times = wb_arena_array(making->arena, uint64_t, count);
  for (size_t n = 0; n < count && !making->arena->failed; n++) {
    const uint32_t step = served[n].event->instruction;
    times[n] = served[n].event->time;
    if (n == 0 || served[n - 1].event->instruction != step)
      copies[run->copy_count++] = (struct wb_check_run_copy){making->step[step], &times[n]};
  }
  run->copies = copies;
}

warpbound_status wb_launch_run_claim_make(const struct wb_timed_code *code,
                                          const struct wb_launch_shape *shape,
                                          const struct wb_simulated_graph *graph,
                                          const struct wb_simulation_options *options,
                                          const struct wb_simulated_launch *launch, uint32_t of,
                                          const uint64_t *periods, const size_t *rows,
                                          struct wb_launch_run_owner *owner, warpbound_error *error)
{
  struct making making = {.code = code,
                          .graph = graph,
                          .options = options,
                          .launch = launch,
                          .owner = owner,
                          .arena = &owner->arena,
                          .stride = graph == NULL ? shape->block_warps : 1};
  *owner =
      (struct wb_launch_run_owner){.run = {.code = code,
                                           .shape = *shape,
                                           .early_starts = options->early_starts,
                                           .cold = options->cold && code->cold_lines.first != NULL,
                                           .cycles = launch->cycles}};
  uint64_t blocks = graph == NULL ? shape->blocks : 0;
  if (!launch->ended || launch->block_begin == NULL || launch->event_count >= options->most_events)
    return wb_fail(error, WARPBOUND_LIMIT,
                   "the run has more than the %zu events that a run file has",
                   WB_LAUNCH_RUN_EVENTS);
  for (size_t s = 0; graph != NULL && s < graph->step_count; s++) {
    blocks += blocks_of(&making, s);
    if (graph->steps[s].kind == WB_STEP_LAUNCH)
      making.stride =
          (uint32_t)wb_maximum(making.stride, graph->kernels[graph->steps[s].kernel].block_warps);
  }
  if (graph != NULL) {
    make_kernels(&making);
    make_steps(&making, periods, rows);
  }
  if (!owner->arena.failed)
    make_blocks(&making, blocks);
  make_events(&making);
  make_fetches(&making);
  make_copies(&making);
  if (owner->arena.failed) {
    wb_arena_free(&owner->arena);
    return wb_out_of_memory(error);
  }
  if (graph != NULL) {
    owner->graph.of = of == WB_CHECK_RUN_NO_STEP ? of : making.step[of];
    owner->run.graph = &owner->graph;
    if (of != WB_CHECK_RUN_NO_STEP)
      owner->run.cycles = launch->step_end[of] - launch->step_asked[of];
  }
  return WARPBOUND_OK;
}
