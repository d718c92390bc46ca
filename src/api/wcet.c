/* WCET of the public header: the worst path of one warp that runs alone. */
#include "analysis/code/code_results.h"

#include "api/arguments.h"
#include "base/memory.h"
#include "formats/json/json_output.h"
#include "report/wcet/wcet_report.h"

#include <stdlib.h>

/* Whether there is a bound: the analysis came to its end. */
static bool has_bound(const warpbound_wcet *wcet)
{
  return wcet != NULL && wcet->wcet.ipet.proof.price != NULL;
}

warpbound_status warpbound_wcet_analyse(const warpbound_kernel *kernel,
                                        const warpbound_wcet_options *options,
                                        const warpbound_options *limits, warpbound_wcet **wcet,
                                        warpbound_error *error)
{
  static const warpbound_wcet_options defaults = {0};
  struct wb_wcet_options taken;
  warpbound_error own = {0};
  if (error == NULL)
    error = &own;
  if (options == NULL)
    options = &defaults;
  warpbound_status status = wb_require(wcet, "wcet", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  *wcet = NULL;
  status = wb_require_machine_kernel(kernel, error);
  if (status == WARPBOUND_OK)
    status = wb_require_options(limits, error);
  if (status == WARPBOUND_OK)
    status = wb_wcet_options_of(kernel->module, options, &taken, error);
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_wcet *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  made->module = kernel->module;
  made->options = taken.simt;
  made->annotations = options->annotations;
  const struct wb_control control = wb_control_start(limits);
  status = wb_wcet_analyse(&kernel->module->code, wb_machine_function_of(kernel), &taken, &control,
                           &made->wcet, error);
  if (status == WARPBOUND_OK)
    status = wb_wcet_check_end(&made->wcet, error);
  if (status == WARPBOUND_OK || status == WARPBOUND_FACTS_MISSING ||
      (status == WARPBOUND_LIMIT && has_bound(made)))
    *wcet = made;
  else
    warpbound_wcet_free(made);
  return status;
}

void warpbound_wcet_free(warpbound_wcet *wcet)
{
  if (wcet != NULL)
    wb_wcet_free(&wcet->wcet);
  free(wcet);
}

warpbound_bound warpbound_wcet_bound(const warpbound_wcet *wcet)
{
  warpbound_bound bound = {.name = "ipet",
                           .source = "implicit path enumeration over the warp-level graph, proven "
                                     "by prices (doc/ipet.md)",
                           .cycles = UINT64_MAX,
                           .kind = WARPBOUND_ESTIMATE};
  if (wcet == NULL)
    return (warpbound_bound){0};
  if (has_bound(wcet)) {
    bound.cycles = (uint64_t)wcet->wcet.ipet.proof.bound;
    bound.kind = wb_wcet_bound_kind(&wcet->wcet);
  }
  return bound;
}

uint64_t warpbound_wcet_path_cycles(const warpbound_wcet *wcet)
{
  return has_bound(wcet) && wcet->wcet.ipet.taken != NULL ? (uint64_t)wcet->wcet.ipet.cycles : 0;
}

uint64_t warpbound_wcet_runs(const warpbound_wcet *wcet, size_t instruction)
{
  const bool known = has_bound(wcet) && wcet->wcet.instruction_runs != NULL &&
                     instruction < wcet->wcet.function->instruction_count;
  return known ? (uint64_t)wcet->wcet.instruction_runs[instruction] : 0;
}

size_t warpbound_wcet_loop_count(const warpbound_wcet *wcet)
{
  return wcet != NULL && wcet->wcet.loops != NULL ? wcet->wcet.forest.loop_count : 0;
}

warpbound_loop warpbound_wcet_loop(const warpbound_wcet *wcet, size_t index)
{
  if (index >= warpbound_wcet_loop_count(wcet))
    return (warpbound_loop){0};
  const struct wb_wcet *of = &wcet->wcet;
  const struct wb_wcet_loop *loop = &of->loops[index];
  const struct wb_instruction *named = wb_wcet_loop_line(of, index);
  const uint32_t header = of->graph->blocks[of->forest.loops[index].header].first;
  const bool bounded = loop->source != WB_BOUND_UNKNOWN;
  return (warpbound_loop){
      .address = of->function->instructions[header].address,
      .file = named->source_line > 0 && named->source_file > 0
                  ? of->code->files[named->source_file - 1]
                  : NULL,
      .line = named->source_line,
      .bounded = bounded,
      .per_warp = bounded && loop->per_warp,
      .bound = bounded ? loop->bound : 0,
      .warp_bound = bounded ? loop->warp_bound : 0,
      .source = wb_wcet_source_name(loop->source),
      .reason = loop->reason,
  };
}

size_t warpbound_wcet_assumption_count(const warpbound_wcet *wcet)
{
  return wcet != NULL ? wcet->wcet.assumptions.count : 0;
}

const char *warpbound_wcet_assumption(const warpbound_wcet *wcet, size_t index)
{
  return index < warpbound_wcet_assumption_count(wcet) ? wcet->wcet.assumptions.items[index] : "";
}

/* Whether there is a result to write, and a place for it; *text is NULL then. */
static warpbound_status require_result(const warpbound_wcet *wcet, bool bounded, char **text,
                                       warpbound_error *error)
{
  warpbound_status status = wb_require_text_of(wcet, "wcet", "a result", text, error);
  if (status == WARPBOUND_OK && bounded && !has_bound(wcet))
    status = wb_fail(error, WARPBOUND_FACTS_MISSING, "the result has no bound");
  return status;
}

warpbound_status warpbound_wcet_json(const warpbound_wcet *wcet, char **text,
                                     warpbound_error *error)
{
  warpbound_status status = require_result(wcet, true, text, error);
  if (status != WARPBOUND_OK)
    return status;
  *text = wb_json_text(wb_wcet_json(wcet));
  return *text != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

warpbound_status warpbound_wcet_text(const warpbound_wcet *wcet, char **text,
                                     warpbound_error *error)
{
  struct wb_text written = {0};
  const warpbound_status status = require_result(wcet, true, text, error);
  if (status == WARPBOUND_OK)
    wb_wcet_text(&wcet, 1, false, false, &written);
  return status == WARPBOUND_OK ? wb_hand_out(&written, text, error) : status;
}

warpbound_status warpbound_wcet_template(const warpbound_wcet *wcet, char **text,
                                         warpbound_error *error)
{
  struct wb_text written = {0};
  const warpbound_status status = require_result(wcet, false, text, error);
  if (status == WARPBOUND_OK)
    wb_facts_template(wcet->module, &wcet, 1, &written);
  return status == WARPBOUND_OK ? wb_hand_out(&written, text, error) : status;
}
