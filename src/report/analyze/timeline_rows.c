#include "report/analyze/timeline_rows.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>

static int compare(uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

static int order_rows(const struct wb_timeline_row *x, const struct wb_timeline_row *y)
{
  if (x->partition != y->partition)
    return compare(x->partition, y->partition);
  return x->block != y->block ? compare(x->block, y->block) : compare(x->warp, y->warp);
}

static int by_partition(const void *a, const void *b)
{
  return order_rows(a, b);
}

/* The latest block first. */
static int by_block(const void *a, const void *b)
{
  const struct wb_timeline_row *const x = a;
  const struct wb_timeline_row *const y = b;
  return x->block != y->block ? compare(y->block, x->block) : compare(x->warp, y->warp);
}

static uint32_t choose_sm(const struct wb_simulated_launch *run)
{
  for (size_t i = 0; i < run->event_count; i++) {
    if (run->events[i].block == run->last_block)
      return run->events[i].sm;
  }
  return run->events[0].sm;
}

/* The warps that have events on the SM, by block and warp, each once; their number. */
static size_t list_warps(const struct wb_simulated_launch *run, uint32_t sm,
                         struct wb_timeline_row *list)
{
  size_t events = 0;
  for (size_t i = 0; i < run->event_count; i++) {
    const struct wb_launch_event *const event = &run->events[i];
    if (event->sm == sm)
      list[events++] = (struct wb_timeline_row){event->partition, event->warp, event->block};
  }
  qsort(list, events, sizeof *list, by_block);
  size_t count = 0;
  for (size_t i = 0; i < events; i++) {
    if (count == 0 || by_block(&list[count - 1], &list[i]) != 0)
      list[count++] = list[i];
  }
  return count;
}

static void find_span(const struct wb_simulated_launch *run, struct wb_timeline_rows *rows)
{
  rows->from = UINT64_MAX;
  rows->until = 0;
  for (size_t i = 0; i < run->event_count; i++) {
    const struct wb_launch_event *const event = &run->events[i];
    if (wb_timeline_row_of(rows, event) == SIZE_MAX)
      continue;
    rows->from = wb_minimum(rows->from, event->time);
    rows->until = wb_maximum(rows->until, event->until);
  }
  rows->until = wb_maximum(rows->until, rows->from + 1);
}

bool wb_timeline_rows_choose(const struct wb_simulated_launch *run, struct wb_timeline_rows *rows)
{
  *rows = (struct wb_timeline_rows){.sm = choose_sm(run)};
  struct wb_timeline_row *const list = wb_allocate(run->event_count, sizeof *list);
  if (list == NULL)
    return false;
  const size_t count = list_warps(run, rows->sm, list);
  rows->count = (size_t)wb_minimum(count, WB_TIMELINE_MOST_ROWS);
  rows->left_out = count - rows->count;
  for (size_t i = 0; i < rows->count; i++)
    rows->rows[i] = list[i];
  free(list);
  qsort(rows->rows, rows->count, sizeof *rows->rows, by_partition);
  find_span(run, rows);
  return true;
}

size_t wb_timeline_row_of(const struct wb_timeline_rows *rows, const struct wb_launch_event *event)
{
  const struct wb_timeline_row row = {event->partition, event->warp, event->block};
  if (event->sm != rows->sm || rows->count == 0)
    return SIZE_MAX;
  const struct wb_timeline_row *const found =
      bsearch(&row, rows->rows, rows->count, sizeof row, by_partition);
  return found != NULL ? (size_t)(found - rows->rows) : SIZE_MAX;
}
