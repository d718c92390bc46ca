#include "ipet/solve/ipet_model.h"

#include "base/arena.h"
#include "base/buckets.h"
#include "base/checked.h"

#include <math.h>

/* Whole numbers that a double holds exactly. */
#define EXACT_LIMIT (INT64_C(1) << 53)

static const char *name_of(const char *const *names, size_t index)
{
  return names != NULL ? names[index] : "v";
}

/* Conservation, by port: the runs of its node leave by it or, where they may, do not. An edge of
 * the port from the node to itself counts on neither side. */
static void add_conservation(const struct wb_flow_system *system, const struct wb_ipet_names *names,
                             const struct wb_buckets *entering, const struct wb_buckets *leaving,
                             struct wb_linear_model *model)
{
  uint32_t end_column = (uint32_t)system->edge_count;
  for (uint32_t q = 0; q < system->port_count; q++) {
    const uint32_t v = system->port_node[q];
    const double given = -(double)wb_flow_start_runs(system, v);
    wb_linear_add_row(model, given, given, "flow_%s", name_of(names->ports, q));
    for (size_t i = entering->first[v]; i < entering->first[v + 1]; i++) {
      if (system->port[entering->item[i]] != q)
        wb_linear_add_entry(model, entering->item[i], 1);
    }
    for (size_t i = leaving->first[q]; i < leaving->first[q + 1]; i++) {
      if (system->to[leaving->item[i]] != v)
        wb_linear_add_entry(model, leaving->item[i], -1);
    }
    if (system->ends[q])
      wb_linear_add_entry(model, end_column++, -1);
  }
}

bool wb_ipet_model_exact(const struct wb_flow_system *system)
{
  bool ok = true;
  for (size_t v = 0; v < system->node_count; v++)
    ok &= system->cycles[v] <= EXACT_LIMIT;
  for (size_t l = 0; l < system->limit_count; l++)
    ok &= wb_magnitude(system->limits[l].constant) <= (uint64_t)EXACT_LIMIT;
  for (size_t t = 0; t < system->term_count; t++)
    ok &= wb_magnitude(system->terms[t].factor) <= (uint64_t)EXACT_LIMIT;
  return ok;
}

warpbound_status wb_ipet_model_build(const struct wb_flow_system *system,
                                     const struct wb_ipet_names *names,
                                     struct wb_linear_model *model, warpbound_error *error)
{
  *model = (struct wb_linear_model){.maximise = true};
  struct wb_arena arena = {0};
  struct wb_buckets entering;
  struct wb_buckets leaving;
  if (!wb_buckets_make(&arena, system->to, system->edge_count, system->node_count, &entering) ||
      !wb_buckets_make(&arena, system->port, system->edge_count, system->port_count, &leaving)) {
    model->failed = true;
  } else {
    for (size_t e = 0; e < system->edge_count; e++) {
      uint32_t column =
          wb_linear_add_column(model, 0, INFINITY, true, "x_%s", name_of(names->edges, e));
      if (!model->failed)
        model->columns[column].objective = (double)system->cycles[system->to[e]];
    }
    for (size_t q = 0; q < system->port_count; q++) {
      if (system->ends[q])
        (void)wb_linear_add_column(model, 0, INFINITY, true, "stop_%s", name_of(names->ports, q));
    }
    add_conservation(system, names, &entering, &leaving, model);
    for (size_t l = 0; l < system->limit_count; l++) {
      const struct wb_flow_limit *limit = &system->limits[l];
      wb_linear_add_row(model, -INFINITY, (double)limit->constant, "%s", name_of(names->limits, l));
      for (size_t t = 0; t < limit->term_count; t++) {
        const struct wb_flow_term *term = &system->terms[limit->first_term + t];
        wb_linear_add_entry(model, term->edge, (double)term->factor);
      }
    }
  }
  wb_arena_free(&arena);
  if (!model->failed)
    return WARPBOUND_OK;
  wb_linear_model_free(model);
  return wb_out_of_memory(error);
}
