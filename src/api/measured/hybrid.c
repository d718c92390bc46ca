/* WCETs from measured times, of the public header. */
#include "analysis/hybrid/hybrid_result.h"

#include "analysis/hybrid/measured_points.h"
#include "api/arguments.h"
#include "base/memory.h"
#include "formats/json/json_output.h"
#include "report/hybrid/hybrid_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The most cycles of an instruction that was not measured. */
#define COST_LIMIT UINT64_C(1000000000)

/* ---- times ---- */

warpbound_status warpbound_times_create(const warpbound_input *input, warpbound_times **times,
                                        warpbound_error *error)
{
  warpbound_error own = {0};
  if (error == NULL)
    error = &own;
  warpbound_status status = wb_require(times, "times", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  *times = NULL;
  status = wb_require(input, "input", "a text", error);
  if (status == WARPBOUND_OK)
    status = wb_require(input->text, "input", "a text", error);
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_times *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  status = wb_times_parse(input->name != NULL ? input->name : "times", input->text, input->length,
                          &made->times, error);
  if (status == WARPBOUND_OK)
    *times = made;
  else
    free(made);
  return status;
}

void warpbound_times_free(warpbound_times *times)
{
  if (times != NULL)
    wb_times_free(&times->times);
  free(times);
}

size_t warpbound_times_row_count(const warpbound_times *times)
{
  return times != NULL ? times->times.row_count : 0;
}

bool warpbound_times_name_kernels(const warpbound_times *times)
{
  bool named = times != NULL;
  for (size_t r = 0; named && r < times->times.row_count; r++)
    named = times->times.rows[r].kernel != NULL;
  return named;
}

size_t warpbound_times_rows_of(const warpbound_times *times, const warpbound_module *module,
                               size_t index)
{
  if (times == NULL || module == NULL || module->form != WARPBOUND_INPUT_SASS ||
      index >= module->function_count)
    return 0;
  return wb_times_rows_of(&times->times, &module->code.functions[module->functions[index].index]);
}

/* ---- the analysis ---- */

static warpbound_status take_options(const warpbound_kernel *kernel,
                                     const warpbound_hybrid_options *options,
                                     struct wb_hybrid_options *taken, warpbound_error *error)
{
  static const enum wb_unmeasured_cost costs[] = {
      [WARPBOUND_UNMEASURED_REFUSED] = WB_UNMEASURED_REFUSED,
      [WARPBOUND_UNMEASURED_CYCLES] = WB_UNMEASURED_CYCLES,
      [WARPBOUND_UNMEASURED_STATIC] = WB_UNMEASURED_STATIC};
  warpbound_status status = wb_require(options->times, "times", "measured times", error);
  if (status == WARPBOUND_OK)
    status = wb_require_choice((int)options->unmeasured, WARPBOUND_UNMEASURED_STATIC + 1,
                               "unmeasured", error);
  if (status == WARPBOUND_OK && options->unmeasured_cycles > COST_LIMIT)
    status = wb_fail(error, WARPBOUND_USAGE,
                     "unmeasured cycles: expected at most %" PRIu64 ", found %" PRIu64, COST_LIMIT,
                     options->unmeasured_cycles);
  if (status != WARPBOUND_OK)
    return status;
  *taken = (struct wb_hybrid_options){.times = &options->times->times,
                                      .unmeasured = costs[options->unmeasured],
                                      .unmeasured_cycles = (int64_t)options->unmeasured_cycles,
                                      .observed_counts = options->observed_counts};
  return wb_wcet_options_of(kernel->module, &options->wcet, &taken->wcet, error);
}

warpbound_status warpbound_hybrid_analyse(const warpbound_kernel *kernel,
                                          const warpbound_hybrid_options *options,
                                          const warpbound_options *limits,
                                          warpbound_hybrid **hybrid, warpbound_error *error)
{
  struct wb_hybrid_options taken;
  warpbound_error own = {0};
  if (error == NULL)
    error = &own;
  warpbound_status status = wb_require(hybrid, "hybrid", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  *hybrid = NULL;
  status = wb_require_machine_kernel(kernel, error);
  if (status == WARPBOUND_OK)
    status = wb_require(options, "options", "those with the times", error);
  if (status == WARPBOUND_OK)
    status = wb_require_options(limits, error);
  if (status == WARPBOUND_OK)
    status = take_options(kernel, options, &taken, error);
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_hybrid *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  made->module = kernel->module;
  const struct wb_control control = wb_control_start(limits);
  status = wb_hybrid_analyse(&kernel->module->code, wb_machine_function_of(kernel), &taken,
                             &control, &made->hybrid, error);
  made->bounded = status == WARPBOUND_OK;
  if (made->bounded)
    status = wb_wcet_check_end(&made->hybrid.wcet, error);
  if (made->bounded || status == WARPBOUND_FACTS_MISSING)
    *hybrid = made;
  else
    free(made);
  return status;
}

void warpbound_hybrid_free(warpbound_hybrid *hybrid)
{
  if (hybrid != NULL)
    wb_hybrid_free(&hybrid->hybrid);
  free(hybrid);
}

/* ---- the result ---- */

warpbound_bound warpbound_hybrid_bound(const warpbound_hybrid *hybrid)
{
  if (hybrid == NULL)
    return (warpbound_bound){0};
  return (warpbound_bound){
      .name = "hybrid-ipet",
      .source =
          "longest measured times on the code's own paths, in the manner of Betts and Donaldson, "
          "ECRTS 2013 (doc/measured/hybrid.md)",
      .cycles = hybrid->bounded ? (uint64_t)hybrid->hybrid.wcet.ipet.proof.bound : UINT64_MAX,
      .kind = WARPBOUND_ESTIMATE};
}

warpbound_bound warpbound_hybrid_static(const warpbound_hybrid *hybrid)
{
  if (hybrid == NULL)
    return (warpbound_bound){0};
  const bool known = hybrid->bounded && hybrid->hybrid.has_static;
  return (warpbound_bound){
      .name = "ipet",
      .source =
          "implicit path enumeration over the warp-level graph, proven by prices (doc/ipet.md)",
      .cycles = known ? (uint64_t)hybrid->hybrid.static_cycles : UINT64_MAX,
      .kind = known ? hybrid->hybrid.static_kind : WARPBOUND_ESTIMATE};
}

warpbound_high_water warpbound_hybrid_high_water(const warpbound_hybrid *hybrid)
{
  if (hybrid == NULL || !hybrid->bounded)
    return (warpbound_high_water){0};
  const struct wb_high_water *mark = &hybrid->hybrid.high_water;
  return (warpbound_high_water){.cycles = (uint64_t)mark->cycles,
                                .mean = mark->mean,
                                .runs = mark->count,
                                .above = hybrid->hybrid.below};
}

size_t warpbound_hybrid_gap_count(const warpbound_hybrid *hybrid)
{
  return hybrid != NULL ? hybrid->hybrid.gap_count : 0;
}

static uint32_t address_of(const struct wb_hybrid *hybrid, uint32_t instruction)
{
  return instruction != WB_HYBRID_NOWHERE ? hybrid->function->instructions[instruction].address : 0;
}

warpbound_gap warpbound_hybrid_gap(const warpbound_hybrid *hybrid, size_t index)
{
  if (index >= warpbound_hybrid_gap_count(hybrid))
    return (warpbound_gap){0};
  const struct wb_hybrid_gap *gap = &hybrid->hybrid.gaps[index];
  return (warpbound_gap){.segment = gap->segment,
                         .from_start = gap->first == WB_HYBRID_NOWHERE,
                         .to_end = gap->last == WB_HYBRID_NOWHERE,
                         .first = address_of(&hybrid->hybrid, gap->first),
                         .last = address_of(&hybrid->hybrid, gap->last)};
}

uint64_t warpbound_hybrid_unmeasured_cycles(const warpbound_hybrid *hybrid)
{
  return hybrid != NULL ? (uint64_t)hybrid->hybrid.unmeasured : 0;
}

size_t warpbound_hybrid_assumption_count(const warpbound_hybrid *hybrid)
{
  return hybrid != NULL ? hybrid->hybrid.assumptions.count : 0;
}

const char *warpbound_hybrid_assumption(const warpbound_hybrid *hybrid, size_t index)
{
  return index < warpbound_hybrid_assumption_count(hybrid) ? hybrid->hybrid.assumptions.items[index]
                                                           : "";
}

/* Whether there is a result to write, and a place for it; *text is NULL then. */
static warpbound_status require_result(const warpbound_hybrid *hybrid, char **text,
                                       warpbound_error *error)
{
  warpbound_status status = wb_require_text_of(hybrid, "hybrid", "a result", text, error);
  if (status == WARPBOUND_OK && !hybrid->bounded)
    status = wb_fail(error, WARPBOUND_FACTS_MISSING, "there is no result: facts are missing");
  return status;
}

warpbound_status warpbound_hybrid_json(const warpbound_hybrid *hybrid, char **text,
                                       warpbound_error *error)
{
  warpbound_status status = require_result(hybrid, text, error);
  if (status != WARPBOUND_OK)
    return status;
  *text = wb_json_text(wb_hybrid_json(&hybrid->hybrid));
  return *text != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

warpbound_status warpbound_hybrid_text(const warpbound_hybrid *hybrid, char **text,
                                       warpbound_error *error)
{
  struct wb_text written = {0};
  const warpbound_status status = require_result(hybrid, text, error);
  if (status == WARPBOUND_OK)
    wb_hybrid_text(&hybrid, 1, false, false, &written);
  return status == WARPBOUND_OK ? wb_hand_out(&written, text, error) : status;
}
