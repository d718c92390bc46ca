/* Records of the bracket, limits, and what a step may spend. */
#include "analysis/makespan/work.h"

#include "base/checked.h"
#include "base/memory.h"

/* What the method `bounds` may take for the table of the run abstraction. */
#define QUICK_TABLE_BYTES (UINT64_C(1) << 24)

bool wb_work_is_shared(const struct wb_work *a)
{
  return wb_problem_has_shared(a->problem);
}

bool wb_work_is_open(const struct wb_work *a)
{
  return a->result->lower.cycles < a->result->upper.cycles;
}

bool wb_work_may_rise(const struct wb_work *a)
{
  return wb_work_is_open(a) && a->result->lower.cycles < a->alone;
}

void wb_work_note_early_end(struct wb_work *a, enum wb_stop stop, const char *what)
{
  if (stop != WB_STOP_NONE)
    a->result->stop = stop;
  if (stop == WB_STOP_TIME)
    wb_list_add(&a->result->notes, "%s: stopped by the time limit", what);
  else if (stop == WB_STOP_INTERRUPTED)
    wb_list_add(&a->result->notes, "%s: interrupted", what);
}

bool wb_work_may_go_on(struct wb_work *a, const char *next)
{
  if (a->result->stop == WB_STOP_TIME || a->result->stop == WB_STOP_INTERRUPTED)
    return false;
  enum wb_stop stop = wb_control_stopped(&a->control);
  if (stop != WB_STOP_NONE)
    wb_work_note_early_end(a, stop, next);
  return stop == WB_STOP_NONE;
}

static warpbound_status keep(struct wb_work *a, struct wb_bound_list *list, warpbound_bound bound,
                             uint32_t y)
{
  if (!wb_grow(list->items, &list->capacity, list->count + 1))
    return wb_out_of_memory(a->error);
  list->items[list->count++] = (struct wb_named_bound){bound, y};
  return WARPBOUND_OK;
}

warpbound_status wb_work_add_bound(struct wb_work *a, const char *name, const char *source,
                                   warpbound_kind kind, uint64_t cycles)
{
  warpbound_bound bound = {.name = name, .source = source, .cycles = cycles, .kind = kind};
  struct warpbound_result *result = a->result;
  bool from_below = kind == WARPBOUND_LOWER || kind == WARPBOUND_EXACT;
  bool from_above = kind == WARPBOUND_UPPER || kind == WARPBOUND_EXACT;
  if (from_below && (result->lower.name == NULL || cycles > result->lower.cycles))
    result->lower = bound;
  if (from_above && (result->upper.name == NULL || cycles < result->upper.cycles))
    result->upper = bound;
  return keep(a, &result->bounds, bound, 0);
}

void wb_work_count_search(struct wb_work *a, const struct wb_search *search)
{
  struct wb_search_cost *cost = &a->result->search;
  cost->states += search->states;
  cost->peak_states = wb_maximum(cost->peak_states, search->states);
  if (search->states > 0)
    cost->memory_bytes = wb_maximum(cost->memory_bytes, search->needed);
}

void wb_work_note_stop(struct wb_work *a, const char *what, const struct wb_search *search,
                       uint64_t memory)
{
  if (search->stop == WB_STOP_NONE)
    return;
  wb_work_note_early_end(a, search->stop, what);
  if (search->stop != WB_STOP_MEMORY)
    return;
  if (search->needed <= memory)
    wb_list_add(&a->result->notes, "%s: left out, there is no memory for its table of %llu bytes",
                what, (unsigned long long)search->needed);
  else if (search->needed == UINT64_MAX)
    wb_list_add(&a->result->notes, "%s: left out, its table is far beyond the %llu bytes allowed",
                what, (unsigned long long)memory);
  else
    wb_list_add(&a->result->notes, "%s: left out, its table needs %llu bytes, %llu are allowed",
                what, (unsigned long long)search->needed, (unsigned long long)memory);
}

uint64_t wb_work_quick_table_memory(const struct wb_work *a)
{
  return wb_minimum(QUICK_TABLE_BYTES, a->control.memory_limit);
}

uint64_t wb_work_run_table_memory(const struct wb_work *a)
{
  warpbound_method method = a->options->limits.method;
  if (method == WARPBOUND_METHOD_ILP)
    return wb_work_quick_table_memory(a);
  bool quick = (method == WARPBOUND_METHOD_BOUNDS || method == WARPBOUND_METHOD_ANNEAL) &&
               a->options->limits.memory_limit == 0;
  return quick ? QUICK_TABLE_BYTES : a->control.memory_limit;
}

bool wb_work_wants_search(struct wb_work *a)
{
  warpbound_method method = a->options->limits.method;
  return (method == WARPBOUND_METHOD_AUTO || method == WARPBOUND_METHOD_EXACT) &&
         wb_work_may_go_on(a, "exact search");
}

warpbound_status wb_work_add_published(struct wb_work *a, const char *name, const char *source,
                                       uint64_t cycles, uint32_t y)
{
  warpbound_bound bound = {
      .name = name, .source = source, .cycles = cycles, .kind = WARPBOUND_PUBLISHED};
  return keep(a, &a->result->published, bound, y);
}
