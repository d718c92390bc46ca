#include "analysis/makespan/makespan_steps.h"

#include "base/checked.h"
#include "base/memory.h"

#include <inttypes.h>

/* The table of the run abstraction within the method `bounds`. */
#define QUICK_TABLE_BYTES (UINT64_C(1) << 24)

bool wb_makespan_is_shared(const struct wb_makespan_analysis *analysis)
{
  return wb_problem_has_shared(analysis->problem);
}

bool wb_makespan_is_open(const struct wb_makespan_analysis *analysis)
{
  return analysis->result->lower.cycles < analysis->result->upper.cycles;
}

bool wb_makespan_may_rise(const struct wb_makespan_analysis *analysis)
{
  return wb_makespan_is_open(analysis) && analysis->result->lower.cycles < analysis->alone;
}

void wb_makespan_note_early_end(struct wb_makespan_analysis *analysis, enum wb_stop stop,
                                const char *what)
{
  if (stop != WB_STOP_NONE)
    analysis->result->stop = stop;
  if (stop == WB_STOP_TIME)
    wb_list_add(&analysis->result->notes, "%s: stopped by the time limit", what);
  else if (stop == WB_STOP_INTERRUPTED)
    wb_list_add(&analysis->result->notes, "%s: interrupted", what);
}

bool wb_makespan_may_go_on(struct wb_makespan_analysis *analysis, const char *next)
{
  if (analysis->result->stop == WB_STOP_TIME || analysis->result->stop == WB_STOP_INTERRUPTED)
    return false;
  enum wb_stop stop = wb_control_stopped(&analysis->control);
  if (stop != WB_STOP_NONE)
    wb_makespan_note_early_end(analysis, stop, next);
  return stop == WB_STOP_NONE;
}

static void append_bound(struct wb_bound_list *list, warpbound_bound bound, uint32_t y)
{
  if (wb_grow(list->items, &list->capacity, list->count + 1))
    list->items[list->count++] = (struct wb_named_bound){bound, y};
  else
    list->failed = true;
}

void wb_makespan_add_bound(struct wb_makespan_analysis *analysis, const char *name,
                           const char *source, warpbound_kind kind, uint64_t cycles)
{
  const warpbound_bound bound = {.name = name, .source = source, .cycles = cycles, .kind = kind};
  struct warpbound_result *result = analysis->result;
  bool from_below = kind == WARPBOUND_LOWER || kind == WARPBOUND_EXACT;
  bool from_above = kind == WARPBOUND_UPPER || kind == WARPBOUND_EXACT;
  if (from_below && (result->lower.name == NULL || cycles > result->lower.cycles))
    result->lower = bound;
  if (from_above && (result->upper.name == NULL || cycles < result->upper.cycles))
    result->upper = bound;
  append_bound(&result->bounds, bound, 0);
}

void wb_makespan_count_search(struct wb_makespan_analysis *analysis, uint64_t states, uint64_t peak,
                              uint64_t bytes)
{
  struct wb_search_cost *cost = &analysis->result->search;
  cost->states += states;
  cost->peak_states = wb_maximum(cost->peak_states, peak);
  cost->memory_bytes = wb_maximum(cost->memory_bytes, bytes);
}

void wb_makespan_count_table(struct wb_makespan_analysis *analysis, const struct wb_search *search)
{
  wb_makespan_count_search(analysis, search->states, search->states,
                           search->states > 0 ? search->needed : 0);
}

void wb_makespan_note_stop(struct wb_makespan_analysis *analysis, const char *what,
                           const struct wb_search *search, uint64_t memory)
{
  if (search->stop == WB_STOP_NONE)
    return;
  wb_makespan_note_early_end(analysis, search->stop, what);
  if (search->stop != WB_STOP_MEMORY)
    return;
  if (search->needed <= memory)
    wb_list_add(&analysis->result->notes,
                "%s: left out, there is no memory for its table of %" PRIu64 " bytes", what,
                search->needed);
  else if (search->needed == UINT64_MAX)
    wb_list_add(&analysis->result->notes,
                "%s: left out, its table is far beyond the %" PRIu64 " bytes allowed", what,
                memory);
  else
    wb_list_add(&analysis->result->notes,
                "%s: left out, its table needs %" PRIu64 " bytes, %" PRIu64 " are allowed", what,
                search->needed, memory);
}

uint64_t wb_makespan_quick_table_memory(const struct wb_makespan_analysis *analysis)
{
  return wb_minimum(QUICK_TABLE_BYTES, analysis->control.memory_limit);
}

uint64_t wb_makespan_run_table_memory(const struct wb_makespan_analysis *analysis)
{
  warpbound_method method = analysis->options->limits.method;
  if (method == WARPBOUND_METHOD_ILP)
    return wb_makespan_quick_table_memory(analysis);
  bool quick = (method == WARPBOUND_METHOD_BOUNDS || method == WARPBOUND_METHOD_ANNEAL) &&
               analysis->options->limits.memory_limit == 0;
  return quick ? QUICK_TABLE_BYTES : analysis->control.memory_limit;
}

bool wb_makespan_wants_search(struct wb_makespan_analysis *analysis)
{
  warpbound_method method = analysis->options->limits.method;
  return (method == WARPBOUND_METHOD_AUTO || method == WARPBOUND_METHOD_EXACT) &&
         wb_makespan_may_go_on(analysis, "exact search");
}

void wb_makespan_add_published(struct wb_makespan_analysis *analysis, const char *name,
                               const char *source, uint64_t cycles, uint32_t y)
{
  const warpbound_bound bound = {
      .name = name, .source = source, .cycles = cycles, .kind = WARPBOUND_PUBLISHED};
  append_bound(&analysis->result->published, bound, y);
}

warpbound_status wb_makespan_settle(struct wb_makespan_analysis *analysis, bool limited)
{
  struct warpbound_result *result = analysis->result;
  result->search.seconds = wb_clock() - analysis->control.start;
  if (result->lower.cycles > result->upper.cycles)
    return wb_fail(analysis->error, WARPBOUND_INTERNAL,
                   "the lower end %" PRIu64 " (%s) is above the upper end %" PRIu64
                   " (%s) (please report this)",
                   result->lower.cycles, result->lower.name, result->upper.cycles,
                   result->upper.name);
  const bool estimate = wb_is_estimate(&result->instance->estimate);
  result->exact = result->lower.cycles == result->upper.cycles && !estimate;
  if (result->exact)
    result->lower.kind = result->upper.kind = WARPBOUND_EXACT;
  if (estimate)
    result->lower.kind = result->upper.kind = WARPBOUND_ESTIMATE;
  for (size_t i = 0; i < result->bounds.count && estimate; i++)
    result->bounds.items[i].bound.kind = WARPBOUND_ESTIMATE;
  if (result->assumptions.failed || result->notes.failed || result->bounds.failed ||
      result->published.failed)
    return wb_out_of_memory(analysis->error);
  return limited && result->lower.cycles < result->upper.cycles ? WARPBOUND_LIMIT : WARPBOUND_OK;
}

warpbound_status wb_makespan_run_steps(struct wb_makespan_analysis *analysis,
                                       wb_makespan_step *const *steps)
{
  warpbound_status status = WARPBOUND_OK;
  for (size_t s = 0; steps[s] != NULL && status == WARPBOUND_OK; s++)
    status = steps[s](analysis);
  return status;
}
