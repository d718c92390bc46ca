#include "makespan/exact/guided_search.h"

#include "base/checked.h"
#include "base/memory.h"
#include "makespan/exact/layered_search.h"
#include "makespan/runs/run_abstraction.h"

#include <stdlib.h>

/* Beams get ten times wider, from the first width to the last; the widest only pay
 * when no finer cut is left. */
#define FIRST_WIDTH ((size_t)1000)
#define LAST_WIDTH ((size_t)100000)
/* Where the goal is as high as can be, few states are left and this width does. */
#define HIGH_WIDTH ((size_t)300)
/* Bytes of states after which a finer cut is tried before going on. */
#define PATIENCE_BYTES (UINT64_C(1) << 24)
/* States of a table that is not kept, without a time limit; with one, what a thread is taken
 * to do in a second, where no table tells, and the share of the time left for it. */
#define PASSING_STATES (UINT64_C(1) << 32)
#define STATES_A_SECOND 3e7
#define PASSING_SHARE 0.6
/* A table of so many states tells how fast states are decided. */
#define TELLING_STATES (UINT64_C(1) << 22)

/* The work under way: the bracket in result, the cut into runs, and its table, for values
 * up to `most`. */
struct guided {
  const struct wb_problem *problem;
  const struct wb_control *control;
  struct wb_guided_result *result;
  uint64_t most;
  uint64_t half; /* bytes that a table may take, and as many the states */
  double rate;   /* states of a table decided in a second; 0: not known */
  struct wb_cutting cutting;
  struct wb_run_table table;
  const struct wb_guided_series *series;
  warpbound_error *error;
};

static bool is_open(const struct guided *guided)
{
  return guided->result->lower < guided->result->upper;
}

/* Whether to end, the bracket open or not: a limit, or no table to work with. */
static bool stopped(const struct guided *guided)
{
  return guided->result->stop == WB_STOP_TIME || guided->result->stop == WB_STOP_INTERRUPTED ||
         guided->table.makespan == NULL;
}

static void count(struct guided *guided, uint64_t states, uint64_t bytes)
{
  guided->result->states += states;
  guided->result->peak = wb_maximum(guided->result->peak, states);
  guided->result->bytes = wb_maximum(guided->result->bytes, bytes);
}

static void tighten_above(struct guided *guided, uint64_t upper, const char *by)
{
  if (upper >= guided->result->upper)
    return;
  guided->result->upper = upper;
  guided->result->from_above = by;
  free(guided->result->cut);
  guided->result->cut = NULL;
  guided->result->cut_count = 0;
}

/* Makes and fills the table of a cut, which fits, for the problem's warps or fewer; takes over what
 * it says of all of them. *made: it is filled. Free it, made or not. */
static warpbound_status make_table(struct guided *guided, const struct wb_problem *problem,
                                   const struct wb_cutting *cutting, bool whole,
                                   struct wb_run_table *table, bool *made)
{
  struct wb_guided_result *result = guided->result;
  const struct wb_run_table_options options = {cutting->cut, whole, guided->most};
  *made = wb_run_table_start(table, problem, &options, NULL) == WARPBOUND_OK;
  if (!*made) { /* allowed, but not to be had */
    wb_run_table_free(table);
    return WARPBOUND_OK;
  }
  uint64_t done = 0;
  double begun = wb_clock();
  warpbound_status status =
      wb_run_table_fill(table, guided->control, &result->stop, &done, guided->error);
  double seconds = wb_clock() - begun;
  if (done >= TELLING_STATES && seconds > 0)
    guided->rate = (double)done / seconds;
  count(guided, done, table->bytes);
  *made = status == WARPBOUND_OK && result->stop == WB_STOP_NONE;
  if (!*made || problem->warps < guided->problem->warps)
    return status;
  uint64_t cycles = table->makespan[problem->warps];
  if (table->run_count == problem->string.run_count)
    result->runs_cycles = cycles;
  tighten_above(guided, cycles, "run-abstraction");
  if (cycles != result->upper || result->cut != NULL)
    return WARPBOUND_OK;
  /* Keeps the cut, whose table alone gives the upper end. */
  result->cut = wb_allocate(cutting->cut.count, sizeof *result->cut);
  if (result->cut == NULL)
    return wb_out_of_memory(guided->error);
  for (size_t r = 0; r < cutting->cut.count; r++)
    result->cut[r] = (uint32_t)cutting->cut.runs[r].length;
  result->cut_count = cutting->cut.count;
  return WARPBOUND_OK;
}

/* One search for schedules longer than the lower end, if the bracket is still open and
 * nothing has stopped the work; keeps the longest. */
static warpbound_status look_for_longer(struct guided *guided, size_t width, uint64_t memory)
{
  if (!is_open(guided) || stopped(guided))
    return WARPBOUND_OK;
  struct wb_layered_result found;
  struct wb_layered_options options = {
      .goal = guided->result->lower + 1, .width = width, .memory = memory};
  warpbound_status status =
      wb_layered_search(&guided->table, &options, guided->control, &found, guided->error);
  if (status != WARPBOUND_OK)
    return status;
  count(guided, found.states, found.bytes);
  if (found.longest > guided->result->lower) {
    guided->result->lower = found.longest;
    wb_schedule_swap(&guided->result->witness, &found.witness);
  }
  wb_schedule_free(&found.witness);
  if (found.complete)
    tighten_above(guided, guided->result->lower, "guided-search");
  if (found.stop != WB_STOP_NONE)
    guided->result->stop = found.stop;
  return WARPBOUND_OK;
}

/* Beams for ever lower goals, from `upper` on, until one finds a schedule of w warps; not
 * for goals below nine tenths of it, nor up to `lower`. The higher the goal the fewer states the
 * table lets a beam keep, and the better are those. */
static warpbound_status find_schedule(struct guided *guided, uint32_t w, uint64_t lower,
                                      uint64_t upper, struct wb_schedule *schedule)
{
  warpbound_status status = WARPBOUND_OK;
  for (uint64_t below = 0; status == WARPBOUND_OK && schedule->issue_cycle == NULL &&
                           !stopped(guided) && below <= upper / 10 && upper - below > lower;
       below += 1 + below / 4) {
    struct wb_layered_result found;
    struct wb_layered_options options = {
        .warps = w, .goal = upper - below, .width = HIGH_WIDTH, .memory = guided->half};
    status = wb_layered_search(&guided->table, &options, guided->control, &found, guided->error);
    if (status != WARPBOUND_OK)
      break;
    count(guided, found.states, found.bytes);
    if (found.stop == WB_STOP_TIME || found.stop == WB_STOP_INTERRUPTED)
      guided->result->stop = found.stop;
    *schedule = found.witness;
  }
  return status;
}

/* Offers the upper ends that the present table gives for fewer warps; with schedules, where asked.
 */
static warpbound_status serve_series(struct guided *guided, bool schedules)
{
  warpbound_status status = WARPBOUND_OK;
  for (uint32_t w = guided->problem->warps - 1;
       status == WARPBOUND_OK && guided->series != NULL && w >= guided->series->fewest && w > 0 &&
       !stopped(guided);
       w--) {
    uint64_t upper = guided->table.makespan[w];
    struct wb_schedule schedule = {0};
    if (schedules && upper != UINT64_MAX)
      status = find_schedule(guided, w, 0, upper, &schedule);
    if (status == WARPBOUND_OK)
      status = guided->series->offer(guided->series->context, w, upper, &schedule, guided->error);
  }
  return status;
}

/* States that a table may have within a share of the time; `otherwise` without a limit. */
static uint64_t affordable_states(const struct guided *guided, double share, uint64_t otherwise)
{
  if (guided->control->deadline == 0)
    return otherwise;
  double rate = guided->rate > 0 ? guided->rate : STATES_A_SECOND * guided->control->threads;
  double left = guided->control->deadline - wb_clock();
  return left > 0 ? (uint64_t)(left * share * rate) : 0;
}

/* A table that serves a series may take all its time; the others have little. */
static bool refine(struct guided *guided)
{
  const struct wb_cutting_limits limits = {
      .whole = true,
      .most = guided->most,
      .memory = guided->half,
      .states = guided->result->runs_known ? affordable_states(guided, 1, UINT64_MAX) : UINT64_MAX};
  return wb_cutting_refine(&guided->cutting, &limits);
}

/* Uses the table of the finest cut within the limits for w warps and fewer, if it is finer than the
 * last table's. */
static warpbound_status try_cut(struct guided *guided, uint32_t w,
                                const struct wb_cutting_limits *limits, bool *found)
{
  struct wb_problem problem = *guided->problem;
  struct wb_cutting cutting;
  problem.warps = w;
  if (!wb_cutting_start(&cutting, &problem))
    return wb_out_of_memory(guided->error);
  while (wb_cutting_refine(&cutting, limits))
    ;
  /* Whether the cut has more states than the one of the last table, for the same warps: as
   * cuts are made, it is a finer one. */
  uint64_t bytes, states, present;
  *found = wb_run_levels_plan(guided->problem, cutting.cut, UINT64_MAX, &bytes, &states) &&
           wb_run_levels_plan(guided->problem, guided->cutting.cut, UINT64_MAX, &bytes, &present) &&
           states > present;
  struct wb_run_table table = {0};
  const struct wb_guided_series *series = guided->series;
  warpbound_status status = WARPBOUND_OK;
  bool made = false;
  if (*found)
    status = make_table(guided, &problem, &cutting, false, &table, &made);
  for (; made && status == WARPBOUND_OK && series != NULL && w >= series->fewest && w > 0; w--) {
    struct wb_schedule none = {0};
    if (w < guided->problem->warps)
      status = series->offer(series->context, w, table.makespan[w], &none, guided->error);
  }
  wb_run_table_free(&table);
  wb_cutting_free(&cutting);
  return status;
}

/* A cut too fine for a table that is kept, within what time allows; in a series where that
 * is not enough for the problem's warps, for as many as possible. */
static warpbound_status try_passing_table(struct guided *guided)
{
  uint32_t fewest = guided->series != NULL ? guided->series->fewest : guided->problem->warps;
  const struct wb_cutting_limits limits = {
      .most = guided->most,
      .memory = guided->half,
      .states = affordable_states(guided, PASSING_SHARE, PASSING_STATES)};
  bool found = false;
  warpbound_status status = WARPBOUND_OK;
  for (uint32_t w = guided->problem->warps;
       !found && status == WARPBOUND_OK && w >= fewest && w > 1 &&
       guided->result->stop != WB_STOP_TIME && guided->result->stop != WB_STOP_INTERRUPTED;
       w--) {
    /* Whether there is something left to find for w warps. */
    if (w == guided->problem->warps ? is_open(guided)
                                    : guided->series->is_open(guided->series->context, w))
      status = try_cut(guided, w, &limits, &found);
  }
  return status;
}

bool wb_guided_search_fits(const struct wb_problem *problem, uint64_t upper, uint64_t memory)
{
  uint64_t needed;
  const struct wb_run_table_options options = {wb_run_cut_of(problem), true, upper};
  return problem->warps <= UINT8_MAX &&
         problem->string.length <= WB_SCHEDULE_LIMIT / problem->warps &&
         wb_run_table_plan(problem, &options, memory / 2, &needed) > 0;
}

warpbound_status wb_guided_search(const struct wb_problem *problem,
                                  const struct wb_guided_series *series,
                                  const struct wb_control *control, struct wb_guided_result *result,
                                  warpbound_error *error)
{
  struct guided guided = {.problem = problem,
                          .control = control,
                          .result = result,
                          .most = result->upper,
                          .half = control->memory_limit / 2,
                          .series = series,
                          .error = error};
  result->runs_cycles = UINT64_MAX;
  if (!wb_cutting_start(&guided.cutting, problem))
    return wb_out_of_memory(error);
  /* From the string's own runs, or where their table is known already, from the next finer cut that
   * can be had, to the finest cut whose table fits. Only there it pays to spend all memory on
   * states, and time on wide beams: a finer table guides them better. */
  warpbound_status status = WARPBOUND_OK;
  bool wanted = !result->runs_known || refine(&guided) || control->deadline == 0, made;
  for (bool first = true; status == WARPBOUND_OK; first = false) {
    if (wanted || !first) {
      status = make_table(&guided, problem, &guided.cutting, true, &guided.table, &made);
      if (status == WARPBOUND_OK && guided.table.makespan == NULL)
        result->stop = WB_STOP_MEMORY;
    }
    if (status == WARPBOUND_OK && !first)
      status = serve_series(&guided, false);
    struct wb_schedule schedule = {0};
    if (status == WARPBOUND_OK && is_open(&guided) && !stopped(&guided))
      status = find_schedule(&guided, problem->warps, result->lower, result->upper, &schedule);
    if (schedule.issue_cycle != NULL && schedule.makespan > result->lower) {
      result->lower = schedule.makespan;
      wb_schedule_swap(&result->witness, &schedule);
    }
    wb_schedule_free(&schedule);
    if (status == WARPBOUND_OK)
      status = look_for_longer(&guided, FIRST_WIDTH, guided.half);
    if (status == WARPBOUND_OK && first)
      status = serve_series(&guided, true);
    if (status == WARPBOUND_OK) /* all states that could lead to a longer schedule */
      status = look_for_longer(&guided, 0, wb_minimum(guided.half, PATIENCE_BYTES));
    if (status != WARPBOUND_OK || !is_open(&guided) || stopped(&guided) || !refine(&guided))
      break;
    wb_run_table_free(&guided.table);
  }
  if (status == WARPBOUND_OK)
    status = try_passing_table(&guided);
  if (status == WARPBOUND_OK)
    status = look_for_longer(&guided, 0, guided.half);
  for (size_t width = 10 * FIRST_WIDTH; status == WARPBOUND_OK && width <= LAST_WIDTH; width *= 10)
    status = look_for_longer(&guided, width, guided.half);
  wb_run_table_free(&guided.table);
  if (!is_open(&guided))
    result->stop = WB_STOP_NONE;
  wb_cutting_free(&guided.cutting);
  return status;
}

void wb_guided_result_free(struct wb_guided_result *result)
{
  wb_schedule_free(&result->witness);
  free(result->cut);
  result->cut = NULL;
}
