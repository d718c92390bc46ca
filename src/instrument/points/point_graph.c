#include "instrument/points/point_graph.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

/* Most instructions and transitions visited, of all searches together. */
#define STEP_LIMIT (UINT64_C(1) << 28)

struct making {
  const struct wb_code *code;
  const struct wb_function *function;
  const struct wb_points *points;
  struct wb_point_graph *graph;
  size_t capacity; /* of transitions */
  uint32_t *seen;  /* by instruction, then by point: the last search that met it, + 1 */
  uint32_t *waiting;
  size_t waiting_count;
  uint32_t from; /* the point whose transitions are searched */
  uint64_t steps;
  bool failed; /* memory is out */
  warpbound_error *error;
};

/* ---- transitions ---- */

static void add_transition(struct making *making, uint32_t to)
{
  struct wb_point_graph *graph = making->graph;
  uint32_t *seen = &making->seen[making->function->instruction_count + to];
  if (*seen == making->from + 1)
    return;
  *seen = making->from + 1;
  const bool grown = wb_grow(graph->transitions, &making->capacity, graph->transition_count + 1);
  making->failed |= !grown;
  if (grown)
    graph->transitions[graph->transition_count++] =
        (struct wb_transition){.from = making->from, .to = to};
}

/* A thread goes on to an instruction: to its point, or through it. */
static void enter(void *context, size_t to)
{
  struct making *making = context;
  making->steps++;
  if (to == SIZE_MAX || making->points->point_at[to] != 0) {
    add_transition(making, to == SIZE_MAX ? WB_POINT_END : making->points->point_at[to]);
  } else if (making->seen[to] != making->from + 1) {
    making->seen[to] = making->from + 1;
    making->waiting[making->waiting_count++] = (uint32_t)to;
  }
}

/* All points that a thread can pass next after one. */
static void search_from(struct making *making, uint32_t point)
{
  making->from = point;
  if (point == WB_POINT_START)
    enter(making, making->function->instruction_count > 0 ? 0 : SIZE_MAX);
  if (point >= WB_POINT_FIRST_PLACE)
    wb_ptx_successors(making->function, making->points->instructions[point - WB_POINT_FIRST_PLACE],
                      enter, making);
  while (making->waiting_count > 0)
    wb_ptx_successors(making->function, making->waiting[--making->waiting_count], enter, making);
}

static warpbound_status too_large(const struct making *making)
{
  return wb_fail_at(making->error, WARPBOUND_INVALID_INPUT, making->code->name,
                    making->function->line, 0,
                    "kernel %.120s has too many transitions between points: choose fewer points "
                    "(--at loops, --point)",
                    making->function->name);
}

static warpbound_status find_transitions(struct making *making)
{
  struct wb_point_graph *graph = making->graph;
  for (uint32_t point = 0; point < graph->point_count; point++) {
    graph->first[point] = graph->transition_count;
    search_from(making, point);
    if (making->failed)
      return wb_out_of_memory(making->error);
    if (making->steps > STEP_LIMIT || graph->transition_count > WB_ROW_LIMIT)
      return too_large(making);
  }
  graph->first[graph->point_count] = graph->transition_count;
  return WARPBOUND_OK;
}

/* ---- rows ---- */

/* The sources of each point: `order` has the transitions by `to`, `start` the first of each. */
struct sources {
  size_t *start;
  uint32_t *order;
  uint32_t *taken; /* by colour: the last point that may not have it, + 1 */
};

static void list_sources(const struct wb_point_graph *graph, struct sources *sources)
{
  for (size_t t = 0; t < graph->transition_count; t++)
    sources->start[graph->transitions[t].to + 1]++;
  for (size_t point = 0; point < graph->point_count; point++)
    sources->start[point + 1] += sources->start[point];
  for (size_t t = graph->transition_count; t-- > 0;) {
    const uint32_t to = graph->transitions[t].to;
    sources->order[--sources->start[to + 1]] = (uint32_t)t;
  }
  /* Each start has moved to its own beginning, one place too far on. */
  for (size_t point = 0; point < graph->point_count; point++)
    sources->start[point] = sources->start[point + 1];
  sources->start[graph->point_count] = graph->transition_count;
}

/* The least colour that no other source of its targets has: points are coloured in order. */
static void colour_point(struct making *making, struct sources *sources, uint32_t point)
{
  struct wb_point_graph *graph = making->graph;
  for (size_t t = graph->first[point]; t < graph->first[point + 1]; t++) {
    const uint32_t to = graph->transitions[t].to;
    for (size_t s = sources->start[to]; s < sources->start[to + 1]; s++) {
      const uint32_t other = graph->transitions[sources->order[s]].from;
      if (other >= point)
        break; /* the sources of a point ascend */
      sources->taken[graph->colour[other]] = point + 1;
      making->steps++;
    }
    if (making->steps > STEP_LIMIT)
      return;
  }
  uint32_t colour = 0;
  while (sources->taken[colour] == point + 1)
    colour++;
  graph->colour[point] = colour;
}

/* Gives each point as many rows as its sources' colours need. */
static warpbound_status place_rows(const struct making *making, const struct sources *sources)
{
  struct wb_point_graph *graph = making->graph;
  uint64_t next = WB_ROW_FIRST;
  for (size_t point = 0; point < graph->point_count; point++) {
    uint32_t colours = 0;
    graph->first_row[point] = (uint32_t)next;
    for (size_t s = sources->start[point]; s < sources->start[point + 1]; s++) {
      struct wb_transition *transition = &graph->transitions[sources->order[s]];
      const uint32_t colour = graph->colour[transition->from];
      transition->row = (uint32_t)next + colour;
      colours = colour >= colours ? colour + 1 : colours;
    }
    next += colours;
    if (next > WB_ROW_LIMIT)
      return too_large(making);
  }
  graph->row_count = (uint32_t)next;
  return WARPBOUND_OK;
}

static warpbound_status make_rows(struct making *making)
{
  struct wb_point_graph *graph = making->graph;
  struct sources sources = {
      .start = wb_allocate(graph->point_count + 2, sizeof *sources.start),
      .order = wb_allocate(graph->transition_count, sizeof *sources.order),
      .taken = wb_allocate(graph->point_count + 1, sizeof *sources.taken),
  };
  warpbound_status status = WARPBOUND_OK;
  if (sources.start == NULL || sources.order == NULL || sources.taken == NULL) {
    status = wb_out_of_memory(making->error);
  } else {
    list_sources(graph, &sources);
    for (uint32_t point = 0; point < graph->point_count && making->steps <= STEP_LIMIT; point++)
      colour_point(making, &sources, point);
    status = making->steps <= STEP_LIMIT ? place_rows(making, &sources) : too_large(making);
  }
  free(sources.start);
  free(sources.order);
  free(sources.taken);
  return status;
}

warpbound_status wb_point_graph_make(const struct wb_code *code, size_t kernel,
                                     const struct wb_points *points, struct wb_point_graph *graph,
                                     warpbound_error *error)
{
  const struct wb_function *function = &code->functions[kernel];
  const size_t point_count = points->place_count + WB_POINT_FIRST_PLACE;
  const size_t instructions = function->instruction_count;
  *graph = (struct wb_point_graph){
      .first = wb_allocate(point_count + 1, sizeof *graph->first),
      .colour = wb_allocate(point_count, sizeof *graph->colour),
      .first_row = wb_allocate(point_count, sizeof *graph->first_row),
      .point_count = point_count,
  };
  struct making making = {
      .code = code,
      .function = function,
      .points = points,
      .graph = graph,
      .seen = wb_allocate(instructions + point_count, sizeof *making.seen),
      .waiting = wb_allocate(instructions, sizeof *making.waiting),
      .error = error,
  };
  warpbound_status status = WARPBOUND_OK;
  if (graph->first == NULL || graph->colour == NULL || graph->first_row == NULL ||
      making.seen == NULL || making.waiting == NULL)
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = find_transitions(&making);
  if (status == WARPBOUND_OK)
    status = make_rows(&making);
  free(making.seen);
  free(making.waiting);
  if (status != WARPBOUND_OK)
    wb_point_graph_free(graph);
  return status;
}

void wb_point_graph_free(struct wb_point_graph *graph)
{
  free(graph->transitions);
  free(graph->first);
  free(graph->colour);
  free(graph->first_row);
  *graph = (struct wb_point_graph){0};
}
