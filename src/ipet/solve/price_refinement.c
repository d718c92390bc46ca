#include "ipet/solve/price_refinement.h"

#include "base/checked.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is left of a rest: more than the solver's numbers are wrong by, so that the rests of limits
 * stay at least 0, as the solver wants them. */
#define LEFT 0x1p-20
/* What a rest may be too small by: it is raised by it before it is rounded up. */
#define WRONG 1e-6

bool wb_price_refinement_make(struct wb_arena *arena, const struct wb_flow_system *system,
                              const struct wb_linear_model *model, const double *prices,
                              struct wb_price_refinement *refinement)
{
  const size_t rows = system->port_count + system->limit_count;
  *refinement = (struct wb_price_refinement){
      .system = system,
      .model = model,
      .price = wb_arena_array(arena, int64_t, system->limit_count),
      .potential = wb_arena_array(arena, int64_t, system->port_count),
      .rest = wb_arena_array(arena, double, rows),
      .gain = wb_arena_array(arena, int64_t, system->edge_count),
      .margin = wb_arena_array(arena, int64_t, system->edge_count),
      .scale = 1,
  };
  if (!arena->failed)
    memcpy(refinement->rest, prices, rows * sizeof *prices);
  return !arena->failed;
}

bool wb_price_refinement_scale(struct wb_price_refinement *refinement, int64_t scale)
{
  const struct wb_flow_system *system = refinement->system;
  bool ok = true;
  for (size_t l = 0; l < system->limit_count; l++)
    ok &= wb_multiply_signed(refinement->price[l], scale, &refinement->price[l]);
  for (size_t q = 0; q < system->port_count; q++)
    ok &= wb_multiply_signed(refinement->potential[q], scale, &refinement->potential[q]);
  for (size_t r = 0; r < system->port_count + system->limit_count; r++)
    refinement->rest[r] *= (double)scale;
  return ok && wb_multiply_signed(refinement->scale, scale, &refinement->scale);
}

bool wb_price_refinement_add_margins(struct wb_price_refinement *refinement)
{
  const struct wb_flow_system *system = refinement->system;
  bool ok = true;
  for (size_t t = 0; t < system->term_count; t++) {
    int64_t *margin = &refinement->margin[system->terms[t].edge];
    if (system->terms[t].factor < 0)
      ok &= wb_subtract_signed(*margin, system->terms[t].factor, margin);
  }
  return ok;
}

static bool add_whole(int64_t *to, double whole)
{
  return fabs(whole) < 0x1p62 && wb_add_signed(*to, (int64_t)whole, to);
}

bool wb_price_refinement_move(struct wb_price_refinement *refinement, bool up)
{
  const struct wb_flow_system *system = refinement->system;
  const double *of_limits = refinement->rest + system->port_count;
  bool ok = true;
  for (size_t l = 0; l < system->limit_count; l++) {
    const double whole =
        up && of_limits[l] > 0 ? ceil(of_limits[l] + WRONG) : floor(of_limits[l] * (1 - LEFT)) - 1;
    ok &= add_whole(&refinement->price[l], fmax(whole, 0));
  }
  for (size_t q = 0; q < system->port_count; q++)
    ok &= add_whole(&refinement->potential[q], floor(refinement->rest[q] + 0.5));
  return ok;
}

/* What each edge gains: its cycles less what it pays for limits and for the rows of ports, as the
 * model has them. False where a number does not fit. */
static bool compute_gains(struct wb_price_refinement *refinement)
{
  const struct wb_flow_system *system = refinement->system;
  const int64_t *potential = refinement->potential;
  int64_t *gain = refinement->gain;
  bool ok = true;
  for (size_t e = 0; e < system->edge_count && ok; e++) {
    const uint32_t port = system->port[e];
    ok = wb_add_signed(system->cycles[system->to[e]], wb_flow_edge_cycles(system, e), &gain[e]) &&
         wb_multiply_signed(gain[e], refinement->scale, &gain[e]) &&
         wb_add_signed(gain[e], refinement->margin[e], &gain[e]);
    if (ok && port != WB_FLOW_NO_PORT)
      ok = wb_add_signed(gain[e], potential[port], &gain[e]);
  }
  for (size_t l = 0; l < system->limit_count; l++) {
    const struct wb_flow_limit *limit = &system->limits[l];
    for (size_t t = 0; t < limit->term_count && ok && refinement->price[l] != 0; t++) {
      const struct wb_flow_term *term = &system->terms[limit->first_term + t];
      int64_t paid;
      ok = wb_multiply_signed(term->factor, refinement->price[l], &paid) &&
           wb_subtract_signed(gain[term->edge], paid, &gain[term->edge]);
    }
  }
  return ok;
}

/* The same with what the ports of the node that an edge leads to pay for it: `value` by node is the
 * sum of their potentials. An edge of a port to its own node is on both sides of the port's row. */
static bool pay_for_targets(struct wb_price_refinement *refinement, const int64_t *value)
{
  const struct wb_flow_system *system = refinement->system;
  int64_t *gain = refinement->gain;
  bool ok = true;
  for (size_t e = 0; e < system->edge_count && ok; e++)
    ok = wb_subtract_signed(gain[e], value[system->to[e]], &gain[e]);
  return ok;
}

/* The objective of the columns of the model: edges, then ends of ports. False where a number does
 * not fit. */
static bool set_objective(struct wb_price_refinement *refinement, int64_t *value,
                          struct wb_linear_column *columns)
{
  const struct wb_flow_system *system = refinement->system;
  bool ok = compute_gains(refinement);
  for (size_t q = 0; q < system->port_count && ok; q++) {
    int64_t *sum = &value[system->port_node[q]];
    ok = wb_add_signed(*sum, refinement->potential[q], sum);
  }
  if (!ok || !pay_for_targets(refinement, value))
    return false;
  for (size_t e = 0; e < system->edge_count; e++)
    columns[e].objective = (double)refinement->gain[e];
  size_t end = system->edge_count;
  for (size_t q = 0; q < system->port_count; q++) {
    if (system->ends[q])
      columns[end++].objective = (double)refinement->potential[q];
  }
  return true;
}

warpbound_status wb_price_refinement_solve(struct wb_price_refinement *refinement,
                                           struct wb_linear_basis *basis,
                                           const struct wb_control *control, bool *refined,
                                           warpbound_error *error)
{
  const struct wb_flow_system *system = refinement->system;
  struct wb_linear_model changed = *refinement->model;
  struct wb_arena arena = {0};
  int64_t *value = wb_arena_array(&arena, int64_t, system->node_count);
  changed.columns = wb_arena_array(&arena, struct wb_linear_column, changed.column_count);
  *refined = false;
  if (arena.failed) {
    wb_arena_free(&arena);
    return wb_out_of_memory(error);
  }
  memcpy(changed.columns, refinement->model->columns,
         changed.column_count * sizeof *changed.columns);
  warpbound_status status = WARPBOUND_OK;
  if (set_objective(refinement, value, changed.columns)) {
    struct wb_linear_relaxation relaxation;
    const struct wb_linear_options how = {.basis = basis, .brief = true};
    status = wb_linear_relax(&changed, &how, control, &relaxation, error);
    *refined = status == WARPBOUND_OK && relaxation.status == WB_LINEAR_OPTIMAL;
    if (*refined)
      memcpy(refinement->rest, relaxation.prices, changed.row_count * sizeof *relaxation.prices);
    wb_linear_relaxation_free(&relaxation);
  }
  wb_arena_free(&arena);
  return status;
}
