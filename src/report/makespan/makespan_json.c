/* A makespan result as JSON. */
#include "formats/json/json_output.h"
#include "makespan/bounds/closed_form.h"
#include "report/makespan/makespan_report.h"
#include "report/report_words.h"

#include <math.h>

/* Puts the blocks between which the scheduler is fair, if there are any. */
static void put_blocks(json_t **object, const struct wb_fair_blocks *fair)
{
  if (fair->count > 0)
    wb_json_put(object, "fair_blocks",
                json_pack("[I, I, I]", (json_int_t)fair->first, (json_int_t)fair->length,
                          (json_int_t)fair->count));
}

/* An end of the whole bracket, with why it is an estimate. */
static json_t *bracket_end_json(const struct warpbound_result *result, const warpbound_bound *bound)
{
  json_t *object =
      json_pack("{s:I, s:s, s:s, s:s}", "cycles", (json_int_t)bound->cycles, "kind",
                warpbound_kind_name(bound->kind), "method", bound->name, "source", bound->source);
  wb_estimate_put(&object, &result->instance->estimate);
  return object;
}

static json_t *bounds_json(const struct wb_bound_list *list)
{
  json_t *array = json_array();
  for (size_t i = 0; i < list->count; i++) {
    const warpbound_bound *bound = &list->items[i].bound;
    json_t *row =
        json_pack("{s:s, s:I, s:s, s:s}", "name", bound->name, "cycles", (json_int_t)bound->cycles,
                  "kind", warpbound_kind_name(bound->kind), "source", bound->source);
    if (list->items[i].y > 0)
      json_object_set_new(row, "y", json_integer(list->items[i].y));
    json_array_append_new(array, row);
  }
  return array;
}

/* The distinct phases between barriers, each with how often it comes and its own bracket. */
static json_t *phases_json(const struct warpbound_result *result)
{
  json_t *array = json_array();
  for (size_t p = 0; p < result->phase_count; p++) {
    const struct wb_phase *phase = &result->phases[p];
    warpbound_bound lower = phase->result.lower;
    warpbound_bound upper = phase->result.upper;
    if (!wb_phase_ends(phase, &lower.cycles, &upper.cycles)) {
      json_decref(array);
      return NULL;
    }
    if (wb_is_estimate(&result->instance->estimate))
      lower.kind = upper.kind = WARPBOUND_ESTIMATE;
    json_array_append_new(array, json_pack("{s:o, s:I, s:o, s:o}", "string",
                                           wb_json_kernel_string(&phase->kernel), "times",
                                           (json_int_t)phase->times, "lower",
                                           bracket_end_json(result, &lower), "upper",
                                           bracket_end_json(result, &upper)));
  }
  return array;
}

static json_t *solver_json(const struct wb_integer_result *integer)
{
  if (integer->solver == NULL)
    return json_null();
  bool found = integer->status == WB_LINEAR_OPTIMAL || integer->status == WB_LINEAR_FEASIBLE;
  /* A solver may have given no bound. */
  return json_pack("{s:s, s:s, s:o, s:o, s:f}", "name", integer->solver, "status",
                   wb_linear_status_name(integer->status), "objective",
                   found ? json_real(integer->objective) : json_null(), "bound",
                   isfinite(integer->bound) ? json_real(integer->bound) : json_null(), "seconds",
                   integer->seconds);
}

json_t *wb_makespan_row_json(const struct warpbound_result *result)
{
  /* The largest part of the closed form: what the answer is mostly made of. */
  static const char *const words[] = {"chain", "unit", "issue-slots"};
  struct wb_limiting_part part = wb_limiting_part(&result->instance->problem);
  char letter[2] = {wb_unit_letter(part.unit), '\0'};
  const uint64_t makespan = wb_result_witness(result);
  json_t *witness = makespan > 0 ? json_pack("{s:I, s:s}", "makespan", (json_int_t)makespan,
                                             "method", result->witness_method)
                                 : json_null();
  json_t *row = json_pack(
      "{s:I, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o}", "warps",
      (json_int_t)result->instance->warps, "lower", bracket_end_json(result, &result->lower),
      "upper", bracket_end_json(result, &result->upper), "exact", (int)result->exact, "limited_by",
      json_pack("{s:s, s:s?, s:I}", "part", words[part.kind], "unit",
                part.kind == WB_PART_UNIT ? letter : NULL, "cycles", (json_int_t)part.cycles),
      "bounds", bounds_json(&result->bounds), "published", bounds_json(&result->published),
      "witness", witness, "search",
      json_pack("{s:I, s:I, s:f, s:I}", "states", (json_int_t)result->search.states, "peak_states",
                (json_int_t)result->search.peak_states, "seconds", result->search.seconds,
                "memory_bytes", (json_int_t)result->search.memory_bytes),
      "notes", wb_json_list(&result->notes));
  if (result->paths.several)
    json_object_set_new(row, "paths",
                        json_pack("{s:I, s:b, s:b, s:s}", "strings",
                                  (json_int_t)result->paths.strings, "all", (int)result->paths.all,
                                  "mixed", (int)result->paths.mixed, "shown", result->paths.shown));
  if (result->annealed) {
    json_t *runs = json_array();
    for (size_t r = 0; r < result->annealing.run_count; r++) {
      const struct wb_annealing_run *run = &result->annealing.runs[r];
      json_array_append_new(runs,
                            json_pack("{s:I, s:s, s:I, s:I}", "run", (json_int_t)r + 1, "initial",
                                      wb_annealing_initial_name(run->initial), "cycles",
                                      (json_int_t)run->improvements[run->count - 1].makespan,
                                      "iterations", (json_int_t)run->iterations));
    }
    json_object_set_new(row, "annealing",
                        json_pack("{s:s, s:I, s:f, s:o}", "variant",
                                  wb_annealing_variant_name(result->annealing.variant),
                                  "iterations", (json_int_t)result->annealing.iterations,
                                  "temperature", result->annealing.temperature, "runs", runs));
  }
  if (result->phase_count > 0)
    json_object_set_new(row, "phases", phases_json(result));
  if (row != NULL && result->integer.built) {
    json_t *horizon =
        json_pack("{s:I, s:s, s:b}", "cycles", (json_int_t)result->integer.plan.horizon, "method",
                  result->integer.horizon_name, "proven", (int)!result->integer.short_horizon);
    json_object_set_new(
        row, "integer_program",
        json_pack("{s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:o}", "form",
                  wb_integer_form_name(result->integer.plan.form), "horizon", horizon, "columns",
                  (json_int_t)result->integer.columns, "integers",
                  (json_int_t)result->integer.integers, "rows", (json_int_t)result->integer.rows,
                  "entries", (json_int_t)result->integer.entries, "memory_bytes",
                  (json_int_t)result->integer.plan.bytes, "solver", solver_json(&result->integer)));
  }
  return row;
}

json_t *wb_instance_json(const struct wb_instance *instance)
{
  const struct wb_sm_configuration *sm = &instance->sm;
  const struct wb_problem *problem = &instance->problem;
  json_t *units = json_object(), *capacities = json_object();
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    const char letter[2] = {wb_unit_letter((enum wb_unit)u), '\0'};
    if (instance->kernel.count[u] > 0)
      wb_json_put(&units, letter, wb_json_capacity(&sm->unit[u]));
    if (problem->string.count[u] > 0)
      wb_json_put(&capacities, letter, json_integer(problem->capacity[u]));
  }
  json_t *normalised = json_pack(
      "{s:o, s:I, s:I, s:o}", "string", wb_json_kernel_string(&problem->string), "length",
      (json_int_t)problem->string.length, "warps", (json_int_t)problem->warps, "units", capacities);
  put_blocks(&normalised, &problem->fair);
  json_t *question =
      json_pack("{s:o, s:I, s:I, s:o, s:I, s:s, s:I, s:o}", "string",
                wb_json_kernel_string(&instance->kernel), "length",
                (json_int_t)instance->kernel.length, "warps", (json_int_t)instance->warps, "units",
                units, "issue_slots", (json_int_t)sm->issue_slots, "sm", sm->name, "partitions",
                (json_int_t)sm->partitions, "normalised", normalised);
  if (instance->whole.blocks > 1)
    wb_put_number(&question, "blocks", instance->whole.blocks);
  put_blocks(&question, &instance->fair);
  return question;
}

json_t *wb_makespan_json(const struct warpbound_result *result)
{
  json_t *object = json_pack("{s:o}", "instance", wb_instance_json(result->instance));
  json_t *row = wb_makespan_row_json(result);
  json_object_del(row, "warps");
  json_t *assumptions = wb_json_list(&result->instance->assumptions);
  json_t *further = wb_json_list(&result->assumptions);
  json_array_extend(assumptions, further);
  json_decref(further);
  if (row == NULL || json_object_update(object, row) != 0 ||
      json_object_set_new(object, "assumptions", assumptions) != 0) {
    json_decref(object);
    object = NULL;
  }
  json_decref(row);
  return object;
}
