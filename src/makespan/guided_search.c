#include "makespan/guided_search.h"

#include "base/checked.h"
#include "base/memory.h"
#include "makespan/layered_search.h"
#include "makespan/run_cutting.h"

#include <stdlib.h>

/* Beams get ten times wider, from the first width to the last; the widest only pay
 * when no finer cut is left. */
#define FIRST_WIDTH ((size_t)1000)
#define LAST_WIDTH ((size_t)100000)
/* Bytes of states after which a finer cut is tried before going on. */
#define PATIENCE_BYTES (UINT64_C(1) << 25)

/* The work under way: the bracket in result, the cut into runs, and its table, for values
 * up to `most`. */
struct guided {
  const struct wb_problem *problem;
  const struct wb_control *control;
  struct wb_guided_result *result;
  uint64_t most;
  struct wb_cutting cutting;
  struct wb_run_table table;
  const struct wb_guided_series *series;
  warpbound_error *error;
};

/* A table may take so much, and the states so much. */
static uint64_t half_of_memory(const struct wb_control *control)
{
  return control->memory_limit / 2;
}

static bool is_open(const struct guided *g)
{
  return g->result->lower < g->result->upper;
}

/* Whether to end, the bracket open or not: a limit, or no table to work with. */
static bool stopped(const struct guided *g)
{
  return g->result->stop == WB_STOP_TIME || g->result->stop == WB_STOP_INTERRUPTED ||
         g->table.makespan == NULL;
}

static void count(struct guided *g, uint64_t states, uint64_t bytes)
{
  g->result->states += states;
  g->result->peak = wb_maximum(g->result->peak, states);
  g->result->bytes = wb_maximum(g->result->bytes, bytes);
}

static void tighten_above(struct guided *g, uint64_t upper, const char *by)
{
  if (upper >= g->result->upper)
    return;
  g->result->upper = upper;
  g->result->from_above = by;
  free(g->result->cut);
  g->result->cut = NULL;
  g->result->cut_count = 0;
}

/* Keeps the present cut: its table gives the upper end. */
static bool note_cut(struct guided *g)
{
  if (g->table.makespan[g->problem->warps] != g->result->upper || g->result->cut != NULL)
    return true;
  g->result->cut = wb_allocate(g->cutting.count, sizeof *g->result->cut);
  if (g->result->cut == NULL)
    return false;
  for (size_t r = 0; r < g->cutting.count; r++)
    g->result->cut[r] = (uint32_t)g->cutting.runs[r].length;
  g->result->cut_count = g->cutting.count;
  return true;
}

/* Fills the table of the present cut, which fits. */
static warpbound_status make_table(struct guided *g)
{
  struct wb_run_table *table = &g->table;
  uint64_t done = 0;
  const struct wb_run_table_options options = {wb_cutting_cut(&g->cutting), true, g->most};
  if (wb_run_table_start(table, g->problem, &options, NULL) != WARPBOUND_OK) {
    g->result->stop = WB_STOP_MEMORY; /* allowed, but not to be had */
    wb_run_table_free(table);
    return WARPBOUND_OK;
  }
  warpbound_status status = wb_run_table_fill(table, g->control, &g->result->stop, &done, g->error);
  count(g, done, table->bytes);
  if (status != WARPBOUND_OK || g->result->stop != WB_STOP_NONE)
    return status;
  tighten_above(g, table->makespan[g->problem->warps], "run-abstraction");
  return note_cut(g) ? WARPBOUND_OK : wb_out_of_memory(g->error);
}

/* One search for schedules longer than the lower end, if the bracket is still open and
 * nothing has stopped the work; keeps the longest. */
static warpbound_status look_for_longer(struct guided *g, size_t width, uint64_t memory)
{
  if (!is_open(g) || stopped(g))
    return WARPBOUND_OK;
  struct wb_layered_result found;
  struct wb_layered_options options = {
      .goal = g->result->lower + 1, .width = width, .memory = memory};
  warpbound_status status = wb_layered_search(&g->table, &options, g->control, &found, g->error);
  if (status != WARPBOUND_OK)
    return status;
  count(g, found.states, found.bytes);
  if (found.longest > g->result->lower) {
    g->result->lower = found.longest;
    wb_schedule_swap(&g->result->witness, &found.witness);
  }
  wb_schedule_free(&found.witness);
  if (found.complete)
    tighten_above(g, g->result->lower, "guided-search");
  if (found.stop != WB_STOP_NONE)
    g->result->stop = found.stop;
  return WARPBOUND_OK;
}

static warpbound_status run_beams(struct guided *g, size_t first, size_t last)
{
  warpbound_status status = WARPBOUND_OK;
  for (size_t width = first; status == WARPBOUND_OK && width <= last; width *= 10)
    status = look_for_longer(g, width, half_of_memory(g->control));
  return status;
}

/* A narrow beam of w warps for a schedule within a twentieth of what the table says. */
static warpbound_status find_schedule(struct guided *g, uint32_t w, uint64_t upper,
                                      struct wb_schedule *schedule)
{
  struct wb_layered_result found;
  struct wb_layered_options options = {.warps = w,
                                       .goal = upper - upper / 20,
                                       .width = FIRST_WIDTH,
                                       .memory = half_of_memory(g->control)};
  warpbound_status status = wb_layered_search(&g->table, &options, g->control, &found, g->error);
  if (status != WARPBOUND_OK)
    return status;
  count(g, found.states, found.bytes);
  if (found.stop == WB_STOP_TIME || found.stop == WB_STOP_INTERRUPTED)
    g->result->stop = found.stop;
  *schedule = found.witness;
  return WARPBOUND_OK;
}

/* What the present table says of the numbers of warps below; with schedules, where asked. */
static warpbound_status serve_series(struct guided *g, bool schedules)
{
  warpbound_status status = WARPBOUND_OK;
  for (uint32_t w = g->problem->warps - 1; status == WARPBOUND_OK && g->series != NULL &&
                                           w >= g->series->fewest && w > 0 && !stopped(g);
       w--) {
    uint64_t upper = g->table.makespan[w];
    struct wb_schedule schedule = {0};
    if (schedules)
      status = find_schedule(g, w, upper, &schedule);
    if (status == WARPBOUND_OK)
      status = g->series->offer(g->series->context, w, upper, &schedule, g->error);
  }
  return status;
}

/* All states that could lead to a longer schedule. */
static warpbound_status search_all(struct guided *g, uint64_t memory)
{
  return look_for_longer(g, 0, memory);
}

/* The first table: of the string's own runs, or where that one is known already, of the
 * next finer cut that fits. */
static warpbound_status make_first_table(struct guided *g)
{
  if (g->result->runs_known)
    (void)wb_cutting_refine(&g->cutting, true, g->most, half_of_memory(g->control));
  return make_table(g);
}

static warpbound_status make_finer_table(struct guided *g)
{
  wb_run_table_free(&g->table);
  warpbound_status status = make_table(g);
  if (status == WARPBOUND_OK)
    status = serve_series(g, false);
  if (status == WARPBOUND_OK)
    status = run_beams(g, FIRST_WIDTH, FIRST_WIDTH);
  if (status == WARPBOUND_OK)
    status = search_all(g, wb_minimum(half_of_memory(g->control), PATIENCE_BYTES));
  return status;
}

/* From the string's own runs to the finest cut whose table fits. Only there it pays to
 * spend all memory on states, and time on wide beams: a finer table guides them better. */
static warpbound_status narrow_bracket(struct guided *g)
{
  warpbound_status status = make_first_table(g);
  if (status == WARPBOUND_OK)
    status = run_beams(g, FIRST_WIDTH, FIRST_WIDTH);
  if (status == WARPBOUND_OK)
    status = serve_series(g, true);
  if (status == WARPBOUND_OK)
    status = search_all(g, wb_minimum(half_of_memory(g->control), PATIENCE_BYTES));
  while (status == WARPBOUND_OK && is_open(g) && !stopped(g) &&
         wb_cutting_refine(&g->cutting, true, g->most, half_of_memory(g->control)))
    status = make_finer_table(g);
  if (status == WARPBOUND_OK)
    status = search_all(g, half_of_memory(g->control));
  if (status == WARPBOUND_OK)
    status = run_beams(g, 10 * FIRST_WIDTH, LAST_WIDTH);
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
  struct guided g = {.problem = problem,
                     .control = control,
                     .result = result,
                     .most = result->upper,
                     .series = series,
                     .error = error};
  if (!wb_cutting_start(&g.cutting, problem))
    return wb_out_of_memory(error);
  warpbound_status status = narrow_bracket(&g);
  wb_run_table_free(&g.table);
  if (!is_open(&g))
    result->stop = WB_STOP_NONE;
  wb_cutting_free(&g.cutting);
  return status;
}

void wb_guided_result_free(struct wb_guided_result *result)
{
  wb_schedule_free(&result->witness);
  free(result->cut);
  result->cut = NULL;
}
