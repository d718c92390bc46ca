#include "analysis/paths/path_maxima.h"

#include "base/checked.h"
#include "base/memory.h"
#include "ipet/solve/ipet_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where there is one phase, it is the whole. */
static uint32_t phase_in(const struct wb_path_system *system, uint32_t phase)
{
  return system->phases == 1 && phase != WB_COMPOSITE_PATHS ? WB_CHECK_ALL_PHASES : phase;
}

const struct wb_path_maximum *wb_path_maxima_find(const struct wb_path_maxima *maxima,
                                                  const struct wb_path_system *system,
                                                  const uint64_t factor[WB_UNIT_COUNT],
                                                  uint32_t phase)
{
  for (size_t p = 0; p < maxima->count; p++) {
    const struct wb_path_maximum *maximum = maxima->items[p];
    if (maximum->phase == phase_in(system, phase) &&
        memcmp(maximum->factor, factor, sizeof maximum->factor) == 0)
      return maximum;
  }
  return NULL;
}

/* ---- names of columns and rows, which nobody reads ---- */

struct names {
  char **ports, **edges, **limits;
};

static char **name_all(char kind, size_t count)
{
  char **names = wb_allocate(count, sizeof *names);
  bool ok = names != NULL;
  for (size_t i = 0; ok && i < count; i++) {
    char name[32];
    const int length = snprintf(name, sizeof name, "%c%zu", kind, i);
    names[i] = wb_copy_text(name, (size_t)length);
    ok = names[i] != NULL;
  }
  if (ok)
    return names;
  for (size_t i = 0; names != NULL && i < count; i++)
    free(names[i]);
  free(names);
  return NULL;
}

static void free_names(char **names, size_t count)
{
  for (size_t i = 0; names != NULL && i < count; i++)
    free(names[i]);
  free(names);
}

static warpbound_status build_model(const struct wb_flow_system *flow,
                                    struct wb_linear_model *model, warpbound_error *error)
{
  struct names names = {.ports = name_all('n', flow->port_count),
                        .edges = name_all('e', flow->edge_count),
                        .limits = name_all('l', flow->limit_count)};
  warpbound_status status;
  if (names.ports == NULL || names.edges == NULL || names.limits == NULL)
    status = wb_out_of_memory(error);
  else
    status = wb_ipet_model_build(flow,
                                 &(struct wb_ipet_names){
                                     .ports = (const char *const *)names.ports,
                                     .edges = (const char *const *)names.edges,
                                     .limits = (const char *const *)names.limits,
                                 },
                                 model, error);
  free_names(names.ports, flow->port_count);
  free_names(names.edges, flow->edge_count);
  free_names(names.limits, flow->limit_count);
  return status;
}

/* ---- solving ---- */

static warpbound_status cost_nodes(const struct wb_path_system *system,
                                   const struct wb_path_maximum *maximum, int64_t *cycles,
                                   warpbound_error *error)
{
  for (size_t v = 0; v < system->flow.node_count; v++) {
    uint64_t sum = 0;
    for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
      uint64_t part;
      if (!wb_multiply(system->count[v][u], maximum->factor[u], &part) ||
          !wb_add(sum, part, &sum) || sum > INT64_MAX)
        return wb_fail(error, WARPBOUND_INVALID_INPUT,
                       "the letters of a block do not fit into 64 bits");
    }
    const bool counts = maximum->phase >= WB_COMPOSITE_PATHS || system->phase[v] == maximum->phase;
    cycles[v] = counts ? (int64_t)sum : 0;
  }
  return WARPBOUND_OK;
}

static warpbound_status judge(const struct wb_ipet_result *result, warpbound_error *error)
{
  switch (result->status) {
  case WB_IPET_SOLVED:
    return WARPBOUND_OK;
  case WB_IPET_UNBOUNDED:
    return wb_fail(error, WARPBOUND_INVALID_INPUT, "the bounds given do not bound the paths");
  case WB_IPET_INFEASIBLE:
    return wb_fail(error, WARPBOUND_INVALID_INPUT, "no path satisfies the bounds and facts");
  default:
    return wb_fail(error, WARPBOUND_LIMIT,
                   "a limit was reached before a bound over all paths was proven");
  }
}

/* The system that a maximum is of, which owns its costs and limits. False where memory is out. */
static bool borrow_system(const struct wb_path_system *system,
                          const struct wb_path_maximum *maximum, struct wb_flow_system *flow)
{
  *flow = system->flow;
  flow->cycles = wb_allocate(flow->node_count, sizeof *flow->cycles);
  flow->limits = wb_allocate(flow->limit_count, sizeof *flow->limits);
  if (flow->cycles == NULL || flow->limits == NULL)
    return false;
  for (size_t l = 0; l < flow->limit_count; l++) {
    flow->limits[l] = system->flow.limits[l];
    if (maximum->phase == WB_COMPOSITE_PATHS && !system->composed[l])
      wb_flow_limit_drop(flow, l);
  }
  return true;
}

static warpbound_status solve(const struct wb_path_system *system, struct wb_path_maximum *maximum,
                              const struct wb_control *control, warpbound_error *error)
{
  struct wb_flow_system flow;
  struct wb_linear_model model = {0};
  warpbound_status status =
      borrow_system(system, maximum, &flow) ? WARPBOUND_OK : wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = cost_nodes(system, maximum, flow.cycles, error);
  if (status == WARPBOUND_OK)
    status = build_model(&flow, &model, error);
  if (status == WARPBOUND_OK)
    status = wb_ipet_solve(&flow, &model, NULL, control, &maximum->ipet, error);
  if (status == WARPBOUND_OK)
    status = judge(&maximum->ipet, error);
  wb_linear_model_free(&model);
  /* Dropped limits have no price. */
  for (size_t l = 0; status == WARPBOUND_OK && l < flow.limit_count; l++) {
    if (flow.limits[l].term_count == 0 && flow.limits[l].constant == 0)
      maximum->ipet.proof.price[l] = 0;
  }
  free(flow.cycles);
  free(flow.limits);
  return status;
}

static void free_maximum(struct wb_path_maximum *maximum)
{
  if (maximum != NULL)
    wb_ipet_result_free(&maximum->ipet);
  free(maximum);
}

warpbound_status wb_path_maxima_solve(struct wb_path_maxima *maxima,
                                      const struct wb_path_system *system,
                                      const uint64_t factor[WB_UNIT_COUNT], uint32_t phase,
                                      const struct wb_control *control,
                                      const struct wb_path_maximum **maximum,
                                      warpbound_error *error)
{
  *maximum = wb_path_maxima_find(maxima, system, factor, phase);
  if (*maximum != NULL)
    return WARPBOUND_OK;
  struct wb_path_maximum *made = wb_allocate(1, sizeof *made);
  if (made == NULL || !wb_grow(maxima->items, &maxima->capacity, maxima->count + 1)) {
    free(made);
    return wb_out_of_memory(error);
  }
  made->phase = phase_in(system, phase);
  memcpy(made->factor, factor, sizeof made->factor);
  warpbound_status status = solve(system, made, control, error);
  if (status != WARPBOUND_OK) {
    free_maximum(made);
    return status;
  }
  maxima->items[maxima->count++] = made;
  *maximum = made;
  return WARPBOUND_OK;
}

void wb_path_maxima_free(struct wb_path_maxima *maxima)
{
  for (size_t p = 0; p < maxima->count; p++)
    free_maximum(maxima->items[p]);
  free(maxima->items);
  *maxima = (struct wb_path_maxima){0};
}
