#include "certificate/launch_run/launch_run_steps.h"

#include "base/arena.h"
#include "base/checked.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- the form ---- */

static bool step_fits(const struct wb_check_launch_run *run, size_t number)
{
  const struct wb_check_run_graph *graph = run->graph;
  const struct wb_check_run_step *step = &graph->steps[number];
  const uint64_t times[] = {step->gap,   step->cycles, step->memory, step->period,
                            step->asked, step->begin,  step->end};
  bool fits = step->kind != WB_CHECK_RUN_LAUNCH ||
              (step->kernel < graph->kernel_count &&
               graph->kernels[step->kernel].block_warps <= run->shape.block_warps);
  for (size_t t = 0; t < sizeof times / sizeof *times; t++)
    fits = fits && times[t] < WB_CHECK_RUN_LATEST;
  for (size_t a = 0; a < step->after_count; a++)
    fits = fits && step->after[a] < number;
  return fits && (!step->beside || step->after_count == 0);
}

bool wb_check_run_steps_fit(const struct wb_check_launch_run *run)
{
  const struct wb_check_run_graph *graph = run->graph;
  if (graph == NULL)
    return run->copy_count == 0;
  const size_t count = graph->step_count;
  bool fits = count > 0 && graph->begin < WB_CHECK_RUN_LATEST &&
              (graph->of == WB_CHECK_RUN_NO_STEP || graph->of < count);
  for (size_t k = 0; k < graph->kernel_count; k++) {
    const struct wb_check_run_kernel *kernel = &graph->kernels[k];
    fits = fits && kernel->block_warps >= 1 && kernel->blocks >= 1 &&
           kernel->first_sm <= run->shape.sms && kernel->sms <= run->shape.sms - kernel->first_sm;
  }
  for (size_t s = 0; s < count; s++)
    fits = fits && step_fits(run, s);
  for (size_t b = 0; b < run->shape.blocks; b++)
    fits = fits && graph->block_step[b] < count &&
           graph->steps[graph->block_step[b]].kind == WB_CHECK_RUN_LAUNCH;
  for (size_t c = 0; c < run->copy_count; c++) {
    fits = fits && graph->memory < run->code->resource_count &&
           !run->code->resources[graph->memory].at_issue && run->copies[c].step < count &&
           graph->steps[run->copies[c].step].kind == WB_CHECK_RUN_COPY;
    for (uint32_t n = 0; fits && n < run->code->resources[graph->memory].servers; n++)
      fits = run->copies[c].times[n] < WB_CHECK_RUN_LATEST;
  }
  return fits;
}

/* ---- room ---- */

/* A block comes to an SM, or leaves it. */
struct move {
  uint64_t time;
  uint32_t sm, kernel;
  bool comes;
};

/* Those that leave make room before others come. */
static int compare_moves(const void *a, const void *b)
{
  const struct move *left = a;
  const struct move *right = b;
  if (left->sm != right->sm)
    return left->sm < right->sm ? -1 : 1;
  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  return left->comes - right->comes;
}

/* From when on blocks of a launch wait, and until when the last of them does. */
struct waiting {
  uint64_t from, until;
  uint32_t kernel;
};

struct room_check {
  struct wb_arena arena;
  const struct wb_check_launch_run *run;
  const struct wb_check_run_graph *graph;
  struct waiting *waiting; /* by step; of others than launches until 0 */
  uint64_t *held;          /* by kernel: blocks on the SM */
  uint64_t *taken;         /* by room */
  warpbound_error *error;
};

static bool has_room(const struct room_check *check, uint32_t kernel, uint32_t sm)
{
  const struct wb_check_run_kernel *of = &check->graph->kernels[kernel];
  bool room = check->held[kernel] < of->most;
  for (size_t r = 0; r < check->graph->room_count; r++)
    room = room && check->taken[r] <= check->graph->rooms[r].capacity &&
           check->graph->rooms[r].size[kernel] <= check->graph->rooms[r].capacity - check->taken[r];
  return room && (of->sms == 0 || (sm >= of->first_sm && sm - of->first_sm < of->sms));
}

/* Nothing changes on the SM from one time to the other. */
static warpbound_status check_stretch(const struct room_check *check, uint32_t sm, uint64_t from,
                                      uint64_t to, bool absent)
{
  for (size_t s = 0; s < check->graph->step_count; s++) {
    const struct waiting *waiting = &check->waiting[s];
    const uint64_t begin = wb_maximum(from, waiting->from);
    if (begin >= wb_minimum(to, waiting->until) || !has_room(check, waiting->kernel, sm))
      continue;
    if (absent)
      return wb_fail(check->error, WARPBOUND_CHECK_FAILED,
                     "cycle %" PRIu64 ": an SM has no block while a block waits", begin);
    return wb_fail(check->error, WARPBOUND_CHECK_FAILED,
                   "cycle %" PRIu64 ": SM %" PRIu32 " has room while a block waits", begin, sm);
  }
  return WARPBOUND_OK;
}

/* The moves of one SM: first .. end - 1; none: it has no block. */
static warpbound_status check_sm(struct room_check *check, uint32_t sm, const struct move *first,
                                 const struct move *end)
{
  const struct wb_check_run_graph *graph = check->graph;
  uint64_t time = 0;
  warpbound_status status = WARPBOUND_OK;
  for (const struct move *move = first; move < end && status == WARPBOUND_OK; move++) {
    if (move->time > time)
      status = check_stretch(check, sm, time, move->time, false);
    time = move->time;
    const bool comes = move->comes;
    if (comes && status == WARPBOUND_OK && !has_room(check, move->kernel, sm))
      return wb_fail(check->error, WARPBOUND_CHECK_FAILED,
                     "cycle %" PRIu64 ": SM %" PRIu32 " holds more blocks than it has room for",
                     time, sm);
    check->held[move->kernel] += comes ? 1 : UINT64_MAX;
    for (size_t r = 0; r < graph->room_count; r++)
      check->taken[r] +=
          comes ? graph->rooms[r].size[move->kernel] : 0 - graph->rooms[r].size[move->kernel];
  }
  return status == WARPBOUND_OK ? check_stretch(check, sm, time, UINT64_MAX, first == end) : status;
}

static warpbound_status check_moves(struct room_check *check, struct move *moves,
                                    const struct wb_check_run_stay *stays)
{
  const struct wb_check_launch_run *run = check->run;
  const size_t count = 2 * (size_t)run->shape.blocks;
  warpbound_status status = WARPBOUND_OK;
  for (size_t b = 0; b < run->shape.blocks; b++) {
    const uint32_t step = wb_check_run_step_of(run, stays[b].block);
    const uint32_t kernel = check->graph->steps[step].kernel;
    moves[2 * b] = (struct move){stays[b].placed, stays[b].sm, kernel, true};
    moves[2 * b + 1] = (struct move){stays[b].leaves, stays[b].sm, kernel, false};
    check->waiting[step].until = wb_maximum(check->waiting[step].until, stays[b].placed);
    if (stays[b].placed < check->graph->steps[step].begin)
      return wb_fail(check->error, WARPBOUND_CHECK_FAILED,
                     "block %" PRIu64 " comes before its launch is released", stays[b].block);
  }
  qsort(moves, count, sizeof *moves, compare_moves);
  const struct move *first = moves;
  for (uint32_t sm = 0; sm < run->shape.sms && status == WARPBOUND_OK; sm++) {
    const struct move *end = first;
    while (end < moves + count && end->sm == sm)
      end++;
    status = check_sm(check, sm, first, end);
    first = end;
  }
  return status;
}

static warpbound_status check_room(const struct wb_check_launch_run *run,
                                   const struct wb_check_run_graph *graph,
                                   const struct wb_check_run_stay *stays, warpbound_error *error)
{
  struct room_check check = {.run = run, .graph = graph, .error = error};
  struct move *moves = wb_arena_array(&check.arena, struct move, 2 * (size_t)run->shape.blocks);
  check.waiting = wb_arena_array(&check.arena, struct waiting, graph->step_count);
  check.held = wb_arena_array(&check.arena, uint64_t, graph->kernel_count);
  check.taken = wb_arena_array(&check.arena, uint64_t, graph->room_count);
  warpbound_status status = WARPBOUND_OK;
  if (check.arena.failed)
    status = wb_out_of_memory(error);
  for (size_t s = 0; s < graph->step_count && status == WARPBOUND_OK; s++)
    check.waiting[s] = (struct waiting){graph->steps[s].begin, 0, graph->steps[s].kernel};
  if (status == WARPBOUND_OK)
    status = check_moves(&check, moves, stays);
  wb_arena_free(&check.arena);
  return status;
}

/* ---- the dispatcher ---- */

static int compare_stays(const void *a, const void *b)
{
  const struct wb_check_run_stay *left = a;
  const struct wb_check_run_stay *right = b;
  return left->ready < right->ready ? -1 : left->ready > right->ready;
}

/* Each block has the dispatcher for `dispatch` cycles, `block_start` cycles before it is ready. */
static warpbound_status check_dispatch(const struct wb_check_launch_run *run,
                                       struct wb_check_run_stay *stays, warpbound_error *error)
{
  const uint64_t dispatch = run->shape.dispatch;
  uint64_t busy_from = 0;
  uint64_t free_at = 0;
  qsort(stays, run->shape.blocks, sizeof *stays, compare_stays);
  for (size_t b = 0; b < run->shape.blocks; b++) {
    const struct wb_check_run_stay *stay = &stays[b];
    if (stay->ready < stay->placed + run->shape.block_start + dispatch)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "block %" PRIu64 " is ready before its dispatch and its start are over",
                     stay->block);
    const uint64_t begin = stay->ready - run->shape.block_start - dispatch;
    if (begin < free_at && dispatch > 0)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "cycle %" PRIu64 ": the dispatcher serves two blocks", begin);
    if (b == 0 || begin > free_at)
      busy_from = begin;
    if (stay->placed < busy_from && begin > stay->placed)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "block %" PRIu64 " waits while the dispatcher is idle", stay->block);
    free_at = begin + dispatch;
  }
  return WARPBOUND_OK;
}

static int compare_placings(const void *a, const void *b)
{
  const struct wb_check_run_stay *left = a;
  const struct wb_check_run_stay *right = b;
  if (left->placed != right->placed)
    return left->placed < right->placed ? -1 : 1;
  return compare_stays(a, b);
}

/* Each block is ready once the dispatcher has served it, and block_start after it got its room. */
static warpbound_status check_early_starts(const struct wb_check_launch_run *run,
                                           struct wb_check_run_stay *stays, warpbound_error *error)
{
  uint64_t free_at = 0;
  qsort(stays, run->shape.blocks, sizeof *stays, compare_placings);
  for (size_t b = 0; b < run->shape.blocks; b++) {
    const struct wb_check_run_stay *stay = &stays[b];
    free_at = wb_maximum(free_at, stay->placed) + run->shape.dispatch;
    if (stay->ready != wb_maximum(free_at, stay->placed + run->shape.block_start))
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "block %" PRIu64 " is not ready when its dispatch and its start are over",
                     stay->block);
  }
  return WARPBOUND_OK;
}

/* Without a dispatcher that takes time a block waits for nothing but its start. */
static warpbound_status check_starts(const struct wb_check_launch_run *run,
                                     const struct wb_check_run_stay *stays, warpbound_error *error)
{
  for (size_t b = 0; b < run->shape.blocks; b++) {
    if (stays[b].ready != stays[b].placed + run->shape.block_start)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "block %" PRIu64 " is not ready when its start is over", stays[b].block);
  }
  return WARPBOUND_OK;
}

warpbound_status wb_check_run_stays(const struct wb_check_launch_run *run,
                                    struct wb_check_run_stay *stays, warpbound_error *error)
{
  /* One launch, whose blocks are of one size. */
  const uint64_t size = 1;
  const struct wb_check_run_kernel kernel = {.most = run->shape.resident_blocks};
  const struct wb_check_run_room room = {run->shape.resident_blocks, &size};
  const struct wb_check_run_step step = {.kind = WB_CHECK_RUN_LAUNCH};
  const struct wb_check_run_graph one = {.kernels = &kernel,
                                         .kernel_count = 1,
                                         .rooms = &room,
                                         .room_count = 1,
                                         .steps = &step,
                                         .step_count = 1};
  const warpbound_status status =
      check_room(run, run->graph != NULL ? run->graph : &one, stays, error);
  if (status != WARPBOUND_OK)
    return status;
  if (run->early_starts)
    return check_early_starts(run, stays, error);
  return run->shape.dispatch > 0 ? check_dispatch(run, stays, error)
                                 : check_starts(run, stays, error);
}

/* ---- steps ---- */

static warpbound_status wrong(size_t step, const char *what, warpbound_error *error)
{
  return wb_fail(error, WARPBOUND_CHECK_FAILED, "step %zu: %s", step + 1, what);
}

/* A launch beside others keeps its period. */
static bool keeps_period(const struct wb_check_run_graph *graph, size_t number)
{
  const struct wb_check_run_step *step = &graph->steps[number];
  for (size_t s = 0; s < number; s++) {
    const struct wb_check_run_step *other = &graph->steps[s];
    if (!other->beside || other->row != step->row)
      continue;
    const uint64_t apart =
        step->asked > other->asked ? step->asked - other->asked : other->asked - step->asked;
    if (other->period != step->period || step->period == 0 || apart < step->period)
      return false;
  }
  return true;
}

/* While a copy waits its engine serves others. */
static bool engine_is_busy(const struct wb_check_run_graph *graph, size_t number)
{
  const struct wb_check_run_step *step = &graph->steps[number];
  uint64_t from = step->begin;
  for (bool found = true; found && from > step->asked;) {
    found = false;
    for (size_t s = 0; s < graph->step_count && !found; s++) {
      const struct wb_check_run_step *other = &graph->steps[s];
      found = other->kind == WB_CHECK_RUN_COPY && other->engine == step->engine &&
              other->end == from && other->begin < from;
      from = found ? other->begin : from;
    }
  }
  return from <= step->asked;
}

static bool engine_is_own(const struct wb_check_run_graph *graph, size_t number)
{
  const struct wb_check_run_step *step = &graph->steps[number];
  for (size_t s = 0; s < number; s++) {
    const struct wb_check_run_step *other = &graph->steps[s];
    if (other->kind == WB_CHECK_RUN_COPY && other->engine == step->engine &&
        other->begin < step->end && step->begin < other->end)
      return false;
  }
  return true;
}

static warpbound_status check_copy(const struct wb_check_launch_run *run, size_t number,
                                   warpbound_error *error)
{
  const struct wb_check_run_graph *graph = run->graph;
  const struct wb_check_run_step *step = &graph->steps[number];
  size_t held = 0;
  if (step->end != step->begin + step->cycles || step->begin < step->asked)
    return wrong(number, "a copy begins too early, or does not take its cycles", error);
  if (!engine_is_busy(graph, number) || !engine_is_own(graph, number))
    return wrong(number, "a copy waits for an idle engine, or an engine serves two", error);
  for (size_t c = 0; c < run->copy_count; c++) {
    if (run->copies[c].step != number)
      continue;
    held++;
    for (uint32_t n = 0; n < run->code->resources[graph->memory].servers; n++) {
      const uint64_t time = run->copies[c].times[n];
      if (time < step->begin || step->memory > step->end - step->begin ||
          time > step->end - step->memory)
        return wrong(number, "a copy has the memory before it begins, or after it ends", error);
    }
  }
  return held <= (step->memory > 0 ? 1 : 0)
             ? WARPBOUND_OK
             : wrong(number, "a copy holds the memory more than once", error);
}

static warpbound_status check_step(const struct wb_check_launch_run *run, const uint64_t *ends,
                                   size_t number, warpbound_error *error)
{
  const struct wb_check_run_graph *graph = run->graph;
  const struct wb_check_run_step *step = &graph->steps[number];
  uint64_t asked = graph->begin;
  for (size_t a = 0; a < step->after_count; a++)
    asked = a == 0 ? graph->steps[step->after[a]].end
                   : wb_maximum(asked, graph->steps[step->after[a]].end);
  if (step->beside && !keeps_period(graph, number))
    return wrong(number, "a launch comes again before its period is over", error);
  if (!step->beside && step->asked != asked + step->gap)
    return wrong(number, "it is not asked for when all before it has ended, and its gap", error);
  if (step->kind == WB_CHECK_RUN_COPY)
    return check_copy(run, number, error);
  if (step->kind == WB_CHECK_RUN_WAIT)
    return step->begin == step->asked && step->end == step->asked + step->cycles
               ? WARPBOUND_OK
               : wrong(number, "a wait does not take its cycles", error);
  uint64_t blocks = 0;
  for (size_t b = 0; b < run->shape.blocks; b++)
    blocks += graph->block_step[b] == number;
  if (blocks != graph->kernels[step->kernel].blocks)
    return wrong(number, "not all blocks of a launch are there, or too many", error);
  if (step->begin != step->asked + run->shape.overhead || step->end != ends[number])
    return wrong(number,
                 "a launch is not released after its overhead, or does not end with what "
                 "it made",
                 error);
  return WARPBOUND_OK;
}

static warpbound_status check_cycles(const struct wb_check_launch_run *run, uint64_t cycles,
                                     warpbound_error *error)
{
  return cycles == run->cycles
             ? WARPBOUND_OK
             : wb_fail(error, WARPBOUND_CHECK_FAILED,
                       "the run takes %" PRIu64 " cycles, not %" PRIu64, cycles, run->cycles);
}

warpbound_status wb_check_run_steps(const struct wb_check_launch_run *run, const uint64_t *ends,
                                    warpbound_error *error)
{
  const struct wb_check_run_graph *graph = run->graph;
  warpbound_status status = WARPBOUND_OK;
  if (graph == NULL)
    return check_cycles(run, ends[0] + run->shape.overhead, error);
  uint64_t end = graph->begin;
  for (size_t s = 0; s < graph->step_count && status == WARPBOUND_OK; s++) {
    status = check_step(run, ends, s, error);
    if (!graph->steps[s].beside)
      end = wb_maximum(end, graph->steps[s].end);
  }
  if (status != WARPBOUND_OK)
    return status;
  if (graph->of != WB_CHECK_RUN_NO_STEP)
    return check_cycles(run, graph->steps[graph->of].end - graph->steps[graph->of].asked, error);
  return check_cycles(run, end - graph->begin, error);
}
