#include "ipet/solve/ipet_model.h"

#include "base/arena.h"
#include "base/buckets.h"
#include "base/checked.h"
#include "ipet/solve/count_estimates.h"

#include <math.h>

/* Whole numbers that a double holds exactly. */
#define EXACT_LIMIT (INT64_C(1) << 53)

bool wb_ipet_model_exact(const struct wb_flow_system *system)
{
  bool ok = true;
  for (size_t v = 0; v < system->node_count; v++)
    ok &= system->cycles[v] <= EXACT_LIMIT;
  for (size_t e = 0; e < system->edge_count; e++)
    ok &= wb_flow_edge_cycles(system, e) <= EXACT_LIMIT;
  for (size_t l = 0; l < system->limit_count; l++)
    ok &= wb_magnitude(system->limits[l].constant) <= (uint64_t)EXACT_LIMIT;
  for (size_t t = 0; t < system->term_count; t++)
    ok &= wb_magnitude(system->terms[t].factor) <= (uint64_t)EXACT_LIMIT;
  return ok;
}

/* What is built of a system. */
struct form {
  bool whole;     /* counts are whole numbers, and only ports that may end have an end */
  bool violation; /* a column for the excess of each limit is minimised, not the cost maximised */
  int64_t most;   /* factors beyond +-most are clamped to it */
  const struct wb_ipet_names *names;
};

static const char *name_of(const char *const *names, size_t index)
{
  return names != NULL ? names[index] : "v";
}

/* Conservation, by port: the runs of its node leave by it or, where they may, do not. An edge of
 * the port from the node to itself counts on neither side. Returns one past the last column of an
 * end. */
static uint32_t add_conservation(const struct wb_flow_system *system, const struct form *form,
                                 const struct wb_buckets *entering,
                                 const struct wb_buckets *leaving, struct wb_linear_model *model)
{
  uint32_t end_column = (uint32_t)system->edge_count;
  for (uint32_t q = 0; q < system->port_count; q++) {
    const uint32_t v = system->port_node[q];
    const double given = -(double)wb_flow_start_runs(system, v);
    wb_linear_add_row(model, given, given, "flow_%s", name_of(form->names->ports, q));
    for (size_t i = entering->first[v]; i < entering->first[v + 1]; i++) {
      if (system->port[entering->item[i]] != q)
        wb_linear_add_entry(model, entering->item[i], 1);
    }
    for (size_t i = leaving->first[q]; i < leaving->first[q + 1]; i++) {
      if (system->to[leaving->item[i]] != v)
        wb_linear_add_entry(model, leaving->item[i], -1);
    }
    if (system->ends[q] || !form->whole)
      wb_linear_add_entry(model, end_column++, -1);
  }
  return end_column;
}

static double clamp(int64_t factor, int64_t most)
{
  return (double)(factor > most ? most : factor < -most ? -most : factor);
}

/* Columns: edges, ends, and, for the violation, the excess of each limit. */
static void add_columns(const struct wb_flow_system *system, const struct form *form,
                        const struct wb_count_estimates *estimates, struct wb_linear_model *model)
{
  const bool whole = form->whole;
  for (size_t e = 0; e < system->edge_count; e++) {
    const uint32_t column =
        wb_linear_add_column(model, 0, INFINITY, whole, "x_%s", name_of(form->names->edges, e));
    if (model->failed)
      return;
    model->columns[column].scale = estimates->edge[e];
    if (!form->violation)
      model->columns[column].objective =
          (double)system->cycles[system->to[e]] + (double)wb_flow_edge_cycles(system, e);
  }
  for (size_t q = 0; q < system->port_count; q++) {
    if (!system->ends[q] && whole)
      continue;
    const uint32_t column = wb_linear_add_column(model, 0, system->ends[q] ? INFINITY : 0, whole,
                                                 "stop_%s", name_of(form->names->ports, q));
    if (model->failed)
      return;
    model->columns[column].scale = estimates->node[system->port_node[q]];
  }
  for (size_t l = 0; form->violation && l < system->limit_count; l++) {
    const uint32_t column = wb_linear_add_column(model, 0, INFINITY, whole, "broken%zu", l);
    if (!model->failed)
      model->columns[column].objective = -1;
  }
}

/* Rows: conservation by port, then the limits. */
static void build(const struct wb_flow_system *system, const struct form *form,
                  struct wb_linear_model *model)
{
  *model = (struct wb_linear_model){.maximise = true};
  struct wb_arena arena = {0};
  struct wb_buckets entering;
  struct wb_buckets leaving;
  struct wb_count_estimates estimates;
  if (!wb_count_estimates_make(&arena, system, &estimates) ||
      !wb_buckets_make(&arena, system->to, system->edge_count, system->node_count, &entering) ||
      !wb_buckets_make(&arena, system->port, system->edge_count, system->port_count, &leaving)) {
    model->failed = true;
  } else {
    add_columns(system, form, &estimates, model);
    const uint32_t excess = add_conservation(system, form, &entering, &leaving, model);
    for (size_t l = 0; l < system->limit_count; l++) {
      const struct wb_flow_limit *limit = &system->limits[l];
      wb_linear_add_row(model, -INFINITY, clamp(limit->constant, form->most), "%s",
                        name_of(form->names->limits, l));
      for (size_t t = 0; t < limit->term_count; t++) {
        const struct wb_flow_term *term = &system->terms[limit->first_term + t];
        wb_linear_add_entry(model, term->edge, clamp(term->factor, form->most));
      }
      if (form->violation)
        wb_linear_add_entry(model, excess + (uint32_t)l, -1);
    }
  }
  wb_arena_free(&arena);
}

warpbound_status wb_ipet_model_build(const struct wb_flow_system *system,
                                     const struct wb_ipet_names *names,
                                     struct wb_linear_model *model, warpbound_error *error)
{
  const struct form form = {.whole = true, .most = INT64_MAX, .names = names};
  build(system, &form, model);
  if (!model->failed)
    return WARPBOUND_OK;
  wb_linear_model_free(model);
  return wb_out_of_memory(error);
}

warpbound_status wb_ipet_relax(const struct wb_flow_system *system, bool violation, int64_t most,
                               const struct wb_control *control,
                               struct wb_linear_relaxation *relaxation, warpbound_error *error)
{
  const struct wb_ipet_names names = {0};
  const struct form form = {.violation = violation, .most = most, .names = &names};
  struct wb_linear_model model;
  *relaxation = (struct wb_linear_relaxation){0};
  build(system, &form, &model);
  const warpbound_status status =
      model.failed
          ? wb_out_of_memory(error)
          : wb_linear_relax(&model, &(struct wb_linear_options){0}, control, relaxation, error);
  wb_linear_model_free(&model);
  return status;
}
