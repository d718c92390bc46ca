#include "makespan/machine/precedence.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* For one type (or the issue slots): how many instructions each cycle holds, and
 * for each cycle one from which on to look for room. Following `next` to its fixed
 * point, with path halving, is a union-find over full cycles: nearly constant. */
struct track {
  uint32_t limit;
  uint32_t *used;
  uint32_t *next;
};

struct evaluation {
  struct track unit[WB_UNIT_COUNT];
  struct track slots;
  uint8_t *types;
  size_t *done;
  uint32_t *last;
};

/* Cycles 1..W*I suffice: a work-conserving schedule has no empty cycle. A track
 * that can never fill up keeps no arrays. */
static bool start_track(struct track *track, uint32_t limit, uint32_t warps, size_t cycles)
{
  *track = (struct track){.limit = limit};
  if (limit >= warps)
    return true;
  track->used = wb_allocate(cycles + 2, sizeof *track->used);
  track->next = wb_allocate(cycles + 2, sizeof *track->next);
  for (size_t c = 0; track->next != NULL && c < cycles + 2; c++)
    track->next[c] = (uint32_t)c;
  return track->used != NULL && track->next != NULL;
}

static uint32_t first_free(struct track *track, uint32_t cycle)
{
  if (track->next == NULL)
    return cycle;
  while (track->next[cycle] != cycle) {
    track->next[cycle] = track->next[track->next[cycle]];
    cycle = track->next[cycle];
  }
  return cycle;
}

static void occupy(struct track *track, uint32_t cycle)
{
  if (track->next != NULL && ++track->used[cycle] == track->limit)
    track->next[cycle] = cycle + 1;
}

/* The first cycle from `cycle` on where both have room. */
static uint32_t first_free_in_both(struct track *a, struct track *b, uint32_t cycle)
{
  for (;;) {
    uint32_t later = first_free(b, first_free(a, cycle));
    if (later == cycle)
      return cycle;
    cycle = later;
  }
}

static bool start_evaluation(struct evaluation *evaluation, const struct wb_problem *problem)
{
  size_t cycles = problem->warps * problem->string.length;
  *evaluation = (struct evaluation){.types = wb_kernel_string_expand(&problem->string)};
  evaluation->done = wb_allocate(problem->warps, sizeof *evaluation->done);
  evaluation->last = wb_allocate(problem->warps, sizeof *evaluation->last);
  bool started = start_track(&evaluation->slots, problem->issue_slots, problem->warps, cycles);
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (problem->string.count[u] > 0)
      started = start_track(&evaluation->unit[u], problem->capacity[u], problem->warps, cycles) &&
                started;
  }
  return started && evaluation->types != NULL && evaluation->done != NULL &&
         evaluation->last != NULL;
}

static void place(struct evaluation *evaluation, struct wb_schedule *schedule, uint32_t warp)
{
  size_t i = evaluation->done[warp]++;
  struct track *unit = &evaluation->unit[evaluation->types[i]];
  uint32_t cycle = first_free_in_both(unit, &evaluation->slots, evaluation->last[warp] + 1);
  occupy(unit, cycle);
  occupy(&evaluation->slots, cycle);
  evaluation->last[warp] = cycle;
  schedule->issue_cycle[warp * schedule->length + i] = cycle;
  if (cycle > schedule->makespan)
    schedule->makespan = cycle;
}

warpbound_status wb_precedence_evaluate(const struct wb_problem *problem, const uint32_t *order,
                                        struct wb_schedule *schedule, warpbound_error *error)
{
  warpbound_status status =
      wb_schedule_start(schedule, problem->warps, problem->string.length, error);
  if (status != WARPBOUND_OK)
    return status;
  struct evaluation evaluation;
  if (start_evaluation(&evaluation, problem)) {
    size_t entries = problem->warps * problem->string.length;
    for (size_t k = 0; k < entries; k++)
      place(&evaluation, schedule, order[k]);
  } else {
    wb_schedule_free(schedule);
    status = wb_out_of_memory(error);
  }
  free(evaluation.types);
  free(evaluation.done);
  free(evaluation.last);
  free(evaluation.slots.used);
  free(evaluation.slots.next);
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    free(evaluation.unit[u].used);
    free(evaluation.unit[u].next);
  }
  return status;
}

/* Each warp has as many entries in a repetition as this has instructions, so that the entries of
 * the instructions before it fill the places before its own. */
static void sort_entries(const struct wb_problem *problem, const uint32_t *unsorted, size_t *done,
                         size_t *filled, uint32_t *order)
{
  size_t entries = problem->warps * problem->string.length;
  for (size_t k = 0; k < entries; k++) {
    uint32_t w = unsorted[k];
    size_t repetition = wb_fair_repetition(&problem->fair, done[w]);
    size_t from, to;
    wb_fair_stretch(&problem->fair, problem->string.length, done[w]++, &from, &to);
    order[from * problem->warps + filled[repetition]++] = w;
  }
}

warpbound_status wb_precedence_sort(const struct wb_problem *problem, uint32_t *order,
                                    warpbound_error *error)
{
  if (!wb_problem_fair(problem))
    return WARPBOUND_OK;
  size_t entries = problem->warps * problem->string.length;
  uint32_t *unsorted = wb_allocate(entries, sizeof *unsorted);
  size_t *done = wb_allocate(problem->warps, sizeof *done);
  size_t *filled = wb_allocate(problem->fair.count + 2, sizeof *filled);
  bool allocated = unsorted != NULL && done != NULL && filled != NULL;
  if (allocated) {
    memcpy(unsorted, order, entries * sizeof *unsorted);
    sort_entries(problem, unsorted, done, filled, order);
  }
  free(unsorted);
  free(done);
  free(filled);
  return allocated ? WARPBOUND_OK : wb_out_of_memory(error);
}

static const char *const template_names[WB_TEMPLATE_COUNT] = {
    "template round-robin",
    "template fixed-priority",
    "template most-pending",
};

const char *wb_template_name(enum wb_template template)
{
  return template_names[template];
}

/* The warps in order of issue: counting sort by cycle, ties by index. */
static warpbound_status order_of_schedule(const struct wb_schedule *schedule, uint32_t *order,
                                          warpbound_error *error)
{
  size_t *start_of = wb_allocate((size_t)schedule->makespan + 2, sizeof *start_of);
  if (start_of == NULL)
    return wb_out_of_memory(error);
  size_t entries = schedule->warps * schedule->length;
  for (size_t k = 0; k < entries; k++)
    start_of[schedule->issue_cycle[k] + 1]++;
  for (size_t c = 1; c <= schedule->makespan; c++)
    start_of[c + 1] += start_of[c];
  for (size_t k = 0; k < entries; k++)
    order[start_of[schedule->issue_cycle[k]]++] = (uint32_t)(k / schedule->length);
  free(start_of);
  return WARPBOUND_OK;
}

static warpbound_status fill_most_pending(const struct wb_problem *problem,
                                          const struct wb_control *control, uint32_t *order,
                                          warpbound_error *error)
{
  struct wb_schedule schedule;
  enum wb_stop stop;
  warpbound_status status =
      wb_policy_simulate(wb_policy_find("most-pending"), problem, control, &schedule, &stop, error);
  if (status == WARPBOUND_OK && stop != WB_STOP_NONE)
    status = wb_fail(error, WARPBOUND_LIMIT, "stopped");
  if (status == WARPBOUND_OK)
    status = order_of_schedule(&schedule, order, error);
  wb_schedule_free(&schedule);
  return status;
}

warpbound_status wb_template_fill(enum wb_template template, const struct wb_problem *problem,
                                  const struct wb_control *control, uint32_t *order,
                                  warpbound_error *error)
{
  size_t length = problem->string.length;
  size_t entries = problem->warps * length;
  warpbound_status status = WARPBOUND_OK;
  if (template == WB_TEMPLATE_MOST_PENDING)
    status = fill_most_pending(problem, control, order, error);
  else
    for (size_t k = 0; k < entries; k++)
      order[k] = (uint32_t)(template == WB_TEMPLATE_ROUND_ROBIN ? k % problem->warps : k / length);
  return status == WARPBOUND_OK ? wb_precedence_sort(problem, order, error) : status;
}
