#include "ipet/solve/auxiliary_model.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Columns: edges, ends, and, for the violation, the excess of each limit. */
static void add_columns(const struct wb_flow_system *system, bool violation,
                        struct wb_linear_model *model)
{
  for (size_t e = 0; e < system->edge_count; e++) {
    const uint32_t column = wb_linear_add_column(model, 0, INFINITY, false, "x%zu", e);
    if (!model->failed && !violation)
      model->columns[column].objective = (double)system->cycles[system->to[e]];
  }
  for (size_t q = 0; q < system->port_count; q++)
    (void)wb_linear_add_column(model, 0, system->ends[q] ? INFINITY : 0, false, "stop%zu", q);
  for (size_t l = 0; violation && l < system->limit_count; l++) {
    const uint32_t column = wb_linear_add_column(model, 0, INFINITY, false, "broken%zu", l);
    if (!model->failed)
      model->columns[column].objective = -1;
  }
}

/* Edges of v, a target or a port: edge[first[v]] .. edge[first[v + 1] - 1]; first has room for two
 * more than there are of these, all 0. Those in no port are left out. */
static void sort_edges(const struct wb_flow_system *system, const uint32_t *of, size_t count,
                       size_t *first, uint32_t *edge)
{
  size_t *fill = first + 1;
  for (size_t e = 0; e < system->edge_count; e++) {
    if (of[e] != WB_FLOW_NO_PORT)
      fill[of[e] + 1]++;
  }
  for (size_t v = 1; v <= count; v++)
    fill[v] += fill[v - 1];
  for (size_t e = 0; e < system->edge_count; e++) {
    if (of[e] != WB_FLOW_NO_PORT)
      edge[fill[of[e]]++] = (uint32_t)e;
  }
}

/* Edges of v with one sign. An edge of port q that leads to its own node counts on neither side.
 */
static void add_edges(const struct wb_flow_system *system, const size_t *first,
                      const uint32_t *edge, size_t v, uint32_t q, double sign,
                      struct wb_linear_model *model)
{
  for (size_t i = first[v]; i < first[v + 1]; i++) {
    if (system->port[edge[i]] != q || system->to[edge[i]] != system->port_node[q])
      wb_linear_add_entry(model, edge[i], sign);
  }
}

static bool add_conservation(const struct wb_flow_system *system, struct wb_linear_model *model)
{
  size_t *into = wb_allocate(system->node_count + 2, sizeof *into);
  size_t *out = wb_allocate(system->port_count + 2, sizeof *out);
  uint32_t *entering = wb_allocate(system->edge_count, sizeof *entering);
  uint32_t *leaving = wb_allocate(system->edge_count, sizeof *leaving);
  const bool ok = into != NULL && out != NULL && entering != NULL && leaving != NULL;
  if (ok) {
    sort_edges(system, system->to, system->node_count, into, entering);
    sort_edges(system, system->port, system->port_count, out, leaving);
  }
  for (uint32_t q = 0; ok && q < system->port_count; q++) {
    const double given = -(double)wb_flow_start_runs(system, system->port_node[q]);
    wb_linear_add_row(model, given, given, "flow%" PRIu32, q);
    add_edges(system, into, entering, system->port_node[q], q, 1, model);
    add_edges(system, out, leaving, q, q, -1, model);
    wb_linear_add_entry(model, (uint32_t)(system->edge_count + q), -1);
  }
  free(into);
  free(out);
  free(entering);
  free(leaving);
  return ok;
}

static double clamp(int64_t factor, int64_t most)
{
  return (double)(factor > most ? most : factor < -most ? -most : factor);
}

static void add_limits(const struct wb_flow_system *system, bool violation, int64_t most,
                       struct wb_linear_model *model)
{
  const size_t broken = system->edge_count + system->port_count;
  for (size_t l = 0; l < system->limit_count; l++) {
    const struct wb_flow_limit *limit = &system->limits[l];
    wb_linear_add_row(model, -INFINITY, clamp(limit->constant, most), "limit%zu", l);
    for (size_t t = 0; t < limit->term_count; t++) {
      const struct wb_flow_term *term = &system->terms[limit->first_term + t];
      wb_linear_add_entry(model, term->edge, clamp(term->factor, most));
    }
    if (violation)
      wb_linear_add_entry(model, (uint32_t)(broken + l), -1);
  }
}

bool wb_auxiliary_model_build(const struct wb_flow_system *system,
                              enum wb_auxiliary_objective objective, int64_t most,
                              struct wb_linear_model *model)
{
  const bool violation = objective == WB_AUXILIARY_VIOLATION;
  *model = (struct wb_linear_model){.maximise = true};
  add_columns(system, violation, model);
  if (!add_conservation(system, model))
    return false;
  add_limits(system, violation, most, model);
  return !model->failed;
}
