#include "makespan/machine/precedence.h"

#include "base/arena.h"

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

/* Cycles 1..W*I suffice: a work-conserving schedule has no empty cycle. A track
 * that can never fill up keeps no arrays. */
static void start_track(struct track *track, uint32_t limit, const struct wb_problem *problem,
                        struct wb_arena *arena)
{
  *track = (struct track){.limit = limit};
  if (limit >= problem->warps)
    return;
  size_t cycles = problem->warps * problem->string.length + 2;
  track->used = wb_arena_array(arena, uint32_t, cycles);
  track->next = wb_arena_array(arena, uint32_t, cycles);
  for (size_t c = 0; track->next != NULL && c < cycles; c++)
    track->next[c] = (uint32_t)c;
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

warpbound_status wb_precedence_evaluate(const struct wb_problem *problem, const uint32_t *order,
                                        struct wb_schedule *schedule, warpbound_error *error)
{
  const size_t length = problem->string.length;
  warpbound_status status = wb_schedule_start(schedule, problem->warps, length, error);
  if (status != WARPBOUND_OK)
    return status;
  struct track units[WB_UNIT_COUNT] = {0}, slots;
  struct wb_arena arena = {0};
  uint8_t *types = wb_kernel_string_expand(&problem->string);
  size_t *done = wb_arena_array(&arena, size_t, problem->warps);
  uint32_t *last = wb_arena_array(&arena, uint32_t, problem->warps);
  start_track(&slots, problem->issue_slots, problem, &arena);
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (problem->string.count[u] > 0)
      start_track(&units[u], problem->capacity[u], problem, &arena);
  }
  bool started = types != NULL && !arena.failed;
  for (size_t k = 0; started && k < problem->warps * length; k++) {
    const uint32_t warp = order[k];
    const size_t i = done[warp]++;
    struct track *unit = &units[types[i]];
    /* The first cycle after the warp's last one where unit and slots have room. */
    uint32_t cycle = last[warp] + 1, later = first_free(&slots, first_free(unit, cycle));
    while (later != cycle) {
      cycle = later;
      later = first_free(&slots, first_free(unit, cycle));
    }
    occupy(unit, cycle);
    occupy(&slots, cycle);
    last[warp] = cycle;
    schedule->issue_cycle[warp * length + i] = cycle;
    if (cycle > schedule->makespan)
      schedule->makespan = cycle;
  }
  free(types);
  wb_arena_free(&arena);
  if (!started) {
    wb_schedule_free(schedule);
    return wb_out_of_memory(error);
  }
  return WARPBOUND_OK;
}

warpbound_status wb_precedence_sort(const struct wb_problem *problem, uint32_t *order,
                                    warpbound_error *error)
{
  if (!wb_problem_fair(problem))
    return WARPBOUND_OK;
  size_t entries = problem->warps * problem->string.length;
  struct wb_arena arena = {0};
  uint32_t *unsorted = wb_arena_array(&arena, uint32_t, entries);
  size_t *done = wb_arena_array(&arena, size_t, problem->warps);
  size_t *filled = wb_arena_array(&arena, size_t, problem->fair.count + 2);
  const bool failed = arena.failed;
  if (!failed)
    memcpy(unsorted, order, entries * sizeof *unsorted);
  /* Each warp has as many entries in a repetition as this has instructions, so that the entries of
   * the instructions before it fill the places before its own. */
  for (size_t k = 0; k < entries && !failed; k++) {
    uint32_t w = unsorted[k];
    size_t repetition = wb_fair_repetition(&problem->fair, done[w]);
    size_t from, to;
    wb_fair_stretch(&problem->fair, problem->string.length, done[w]++, &from, &to);
    order[from * problem->warps + filled[repetition]++] = w;
  }
  wb_arena_free(&arena);
  return failed ? wb_out_of_memory(error) : WARPBOUND_OK;
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

warpbound_status wb_template_fill(enum wb_template template, const struct wb_problem *problem,
                                  const struct wb_control *control, uint32_t *order,
                                  warpbound_error *error)
{
  size_t length = problem->string.length;
  size_t entries = problem->warps * length;
  warpbound_status status = WARPBOUND_OK;
  if (template == WB_TEMPLATE_MOST_PENDING) {
    struct wb_schedule schedule;
    enum wb_stop stop;
    status = wb_policy_simulate(wb_policy_find("most-pending"), problem, control, &schedule, &stop,
                                error);
    if (status == WARPBOUND_OK && stop != WB_STOP_NONE)
      status = wb_fail(error, WARPBOUND_LIMIT, "stopped");
    if (status == WARPBOUND_OK && !wb_schedule_order(&schedule, order))
      status = wb_out_of_memory(error);
    wb_schedule_free(&schedule);
  } else {
    for (size_t k = 0; k < entries; k++)
      order[k] = (uint32_t)(template == WB_TEMPLATE_ROUND_ROBIN ? k % problem->warps : k / length);
  }
  return status == WARPBOUND_OK ? wb_precedence_sort(problem, order, error) : status;
}
