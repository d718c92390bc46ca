/* One warp of machine code, of the public header: its control flow, its worst path and its random
 * executions. */
#include "analysis/code/code_results.h"

#include "api/arguments.h"
#include "base/memory.h"
#include "formats/json/json_output.h"
#include "report/cfg/cfg_report.h"
#include "report/warp_report.h"
#include "report/wcet/wcet_report.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- the worst path ---- */

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
  struct wb_wcet_options taken;
  warpbound_error own = {0};
  if (error == NULL)
    error = &own;
  warpbound_status status = wb_require_place(wcet, "wcet", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = wb_require_wcet(kernel, options, limits, &taken, error);
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_wcet *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  made->module = kernel->module;
  made->options = taken.simt;
  made->annotations = options != NULL ? options->annotations : NULL;
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

/* ---- control flow ---- */

warpbound_status warpbound_control_flow_analyse(const warpbound_kernel *kernel,
                                                const warpbound_simt_options *simt,
                                                const warpbound_options *limits,
                                                warpbound_control_flow **flow,
                                                warpbound_error *error)
{
  static const warpbound_simt_options defaults = {0};
  warpbound_error own = {0};
  if (error == NULL)
    error = &own;
  warpbound_status status = wb_require_place(flow, "flow", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_control_flow *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  status = wb_require_machine_kernel(kernel, error);
  if (status == WARPBOUND_OK)
    status = wb_require_options(limits, error);
  if (status == WARPBOUND_OK)
    status = wb_simt_options_of(simt != NULL ? simt : &defaults, &made->options, error);
  if (status == WARPBOUND_OK && made->options.block[0] > 0)
    status = wb_require_block(wb_machine_function_of(kernel), made->options.block, error);
  if (status == WARPBOUND_OK) {
    const struct wb_control control = wb_control_start(limits);
    status = wb_control_flow_analyse(&kernel->module->code, wb_machine_function_of(kernel),
                                     &made->options, &control, &made->flow, error);
  }
  if (status != WARPBOUND_OK) {
    warpbound_control_flow_free(made);
    return status;
  }
  *flow = made;
  return made->flow.graph != NULL ? WARPBOUND_OK : wb_fail_with(error, &made->flow.refusal);
}

void warpbound_control_flow_free(warpbound_control_flow *flow)
{
  if (flow != NULL)
    wb_control_flow_free(&flow->flow);
  free(flow);
}

warpbound_control_flow_size warpbound_control_flow_size_of(const warpbound_control_flow *flow)
{
  warpbound_control_flow_size size = {0};
  if (flow == NULL || flow->flow.graph == NULL)
    return size;
  const struct wb_warp_graph *united = &flow->flow.united;
  size.blocks = united->block_count;
  size.edges = united->edge_count;
  for (size_t e = 0; e < united->edge_count; e++)
    size.reactivations += united->edges[e].kind == WB_EDGE_REACTIVATION;
  size.contexts = flow->flow.graph->context_count;
  size.loops = flow->flow.loops.count;
  size.divergence_points = united->divergence_point_count;
  size.uniform_branches = united->uniform_branch_count;
  size.scopes = united->scope_count;
  return size;
}

/* The assumptions of the graph; NULL of a refused function. */
static const struct wb_list *assumptions_of(const warpbound_control_flow *flow)
{
  return flow != NULL && flow->flow.graph != NULL ? &flow->flow.graph->assumptions : NULL;
}

size_t warpbound_control_flow_assumption_count(const warpbound_control_flow *flow)
{
  const struct wb_list *assumptions = assumptions_of(flow);
  return assumptions != NULL ? assumptions->count : 0;
}

const char *warpbound_control_flow_assumption(const warpbound_control_flow *flow, size_t index)
{
  const struct wb_list *assumptions = assumptions_of(flow);
  return assumptions != NULL && index < assumptions->count ? assumptions->items[index] : "";
}

/* Writes a report over one function, in the form of a writer of reports. */
enum control_flow_form { FORM_JSON, FORM_TEXT, FORM_DOT };

static warpbound_status write(const warpbound_control_flow *flow, enum control_flow_form form,
                              char **text, warpbound_error *error)
{
  warpbound_status status = wb_require_text_of(flow, "flow", "a control flow", text, error);
  if (status != WARPBOUND_OK)
    return status;
  const struct wb_cfg_report report = {
      .code = flow->flow.code, .options = &flow->options, .flows = &flow->flow, .count = 1};
  struct wb_text written = {0};
  if (form == FORM_JSON)
    wb_cfg_json(&report, &written);
  else if (form == FORM_TEXT)
    wb_cfg_text(&report, false, &written);
  else
    wb_cfg_dot(&report, true, &written);
  return wb_hand_out(&written, text, error);
}

warpbound_status warpbound_control_flow_json(const warpbound_control_flow *flow, char **text,
                                             warpbound_error *error)
{
  return write(flow, FORM_JSON, text, error);
}

warpbound_status warpbound_control_flow_text(const warpbound_control_flow *flow, char **text,
                                             warpbound_error *error)
{
  return write(flow, FORM_TEXT, text, error);
}

warpbound_status warpbound_control_flow_dot(const warpbound_control_flow *flow, char **text,
                                            warpbound_error *error)
{
  return write(flow, FORM_DOT, text, error);
}

/* ---- random executions ---- */

#define EVEN_ODDS 128 /* of a predicate, of 256: short runs with many splits */
#define DEFAULT_STEPS 10000
#define STEP_LIMIT 1000000 /* all steps are kept */
#define FIRST_WITH_GROUPS 70
#define POLL_STEPS 4096 /* steps between two polls of the limits */

/* A run under way. */
struct runner {
  struct warpbound_trace *trace;
  const struct wb_control *control;
  uint64_t step_limit;
  bool stopped; /* by a limit or an interruption */
  bool failed;  /* no memory for a step */
};

/* Polls the limits; false stops the run. */
static bool may_continue(struct runner *runner)
{
  const struct warpbound_trace *trace = runner->trace;
  runner->stopped =
      trace->step_count % POLL_STEPS == 0 &&
      wb_control_poll(runner->control, "running the warp",
                      (double)trace->step_count / (double)runner->step_limit) != WB_STOP_NONE;
  return !runner->stopped;
}

static bool add_step(struct runner *runner, struct wb_trace_step step)
{
  struct warpbound_trace *trace = runner->trace;
  if (!wb_grow(trace->steps, &trace->step_capacity, trace->step_count + 1)) {
    runner->failed = true;
    return false;
  }
  trace->steps[trace->step_count++] = step;
  trace->splits += step.split;
  return true;
}

/* ---- one group of lanes at a time ---- */

/* A wb_simt_visitor. */
static bool record_step(void *context, const struct wb_simt_step *step)
{
  struct runner *runner = context;
  struct warpbound_trace *trace = runner->trace;
  if (!add_step(runner, (struct wb_trace_step){.instruction = step->instruction,
                                               .next = step->next,
                                               .active = step->active,
                                               .doing = step->doing,
                                               .next_active = step->next_active,
                                               .depth = step->depth,
                                               .matched = step->matched,
                                               .split = step->split,
                                               .reactivated = step->reactivated}))
    return false;
  trace->reactivations += step->reactivated;
  if (step->depth > trace->deepest)
    trace->deepest = step->depth;
  return may_continue(runner);
}

/* ---- several groups ---- */

/* A wb_group_visitor. */
static bool record_group_step(void *context, const struct wb_group_step *step)
{
  struct runner *runner = context;
  struct warpbound_trace *trace = runner->trace;
  const size_t first = trace->result_count;
  if (!wb_grow(trace->results, &trace->result_capacity, first + step->result_count)) {
    runner->failed = true;
    return false;
  }
  for (size_t r = 0; r < step->result_count; r++) {
    const enum wb_group_cause cause = step->results[r].cause;
    trace->results[trace->result_count++] = step->results[r];
    trace->releases += cause != WB_GROUP_WENT && cause != WB_GROUP_UNITED;
  }
  if (!add_step(runner, (struct wb_trace_step){.instruction = step->instruction,
                                               .next = UINT32_MAX,
                                               .active = step->active,
                                               .doing = step->doing,
                                               .matched = UINT32_MAX,
                                               .split = step->split,
                                               .group = step->group,
                                               .scope = step->scope,
                                               .unbound = step->unbound,
                                               .first_result = first,
                                               .result_count = (uint32_t)step->result_count}))
    return false;
  if (step->state->group_count > trace->most_groups)
    trace->most_groups = step->state->group_count;
  return may_continue(runner);
}

static warpbound_status run_groups(struct runner *runner, const warpbound_trace_options *options,
                                   warpbound_error *error)
{
  struct warpbound_trace *trace = runner->trace;
  /* What was asked, as the interpreter has it. The choices are checked. */
  static const enum wb_group_policy policies[] = {
      [WARPBOUND_GROUPS_RANDOM] = WB_GROUPS_RANDOM,   [WARPBOUND_GROUPS_LOWEST] = WB_GROUPS_LOWEST,
      [WARPBOUND_GROUPS_HIGHEST] = WB_GROUPS_HIGHEST, [WARPBOUND_GROUPS_NEWEST] = WB_GROUPS_NEWEST,
      [WARPBOUND_GROUPS_MOST] = WB_GROUPS_MOST,       [WARPBOUND_GROUPS_FEWEST] = WB_GROUPS_FEWEST,
      [WARPBOUND_GROUPS_STARVE] = WB_GROUPS_STARVE};
  static const enum wb_group_reconvergence reconvergence[] = {
      [WARPBOUND_RECONVERGENCE_YIELD] = WB_RECONVERGENCE_YIELD,
      [WARPBOUND_RECONVERGENCE_NEVER] = WB_RECONVERGENCE_NEVER,
      [WARPBOUND_RECONVERGENCE_ALWAYS] = WB_RECONVERGENCE_ALWAYS};
  trace->how = (struct wb_group_run_options){.bias = EVEN_ODDS,
                                             .policy = policies[options->groups],
                                             .reconvergence = reconvergence[options->reconvergence],
                                             .masks_together = options->masks_together};
  trace->how.seed = trace->seed;
  trace->how.lanes = trace->lanes;
  trace->how.step_limit = runner->step_limit;
  trace->most_groups = 1;
  struct wb_group_run_options asked = trace->how;
  asked.visit = record_group_step;
  asked.context = runner;
  const warpbound_status status =
      wb_group_run(trace->code, trace->function, &asked, &trace->run, error);
  trace->ended = trace->run.ended;
  return status;
}

/* ---- the run ---- */

static warpbound_status run(const warpbound_trace_options *options,
                            const struct wb_control *control, struct warpbound_trace *trace,
                            warpbound_error *error)
{
  warpbound_status status;
  struct runner runner = {.trace = trace,
                          .control = control,
                          .step_limit = options->steps > 0 ? options->steps : DEFAULT_STEPS};
  trace->groups = trace->function->wide || trace->function->sm >= FIRST_WITH_GROUPS;
  if (trace->groups) {
    status = run_groups(&runner, options, error);
  } else {
    const struct wb_simt_run_options asked = {.seed = trace->seed,
                                              .lanes = trace->lanes,
                                              .step_limit = runner.step_limit,
                                              .bias = EVEN_ODDS,
                                              .visit = record_step,
                                              .context = &runner};
    struct wb_simt_run outcome;
    status = wb_simt_run(trace->code, trace->function, &asked, &outcome, error);
    trace->ended = outcome.ended;
  }
  if (status != WARPBOUND_OK)
    return status;
  if (runner.failed)
    return wb_out_of_memory(error);
  return runner.stopped ? wb_fail(error, WARPBOUND_LIMIT, "the run was ended after %zu steps",
                                  trace->step_count)
                        : WARPBOUND_OK;
}

warpbound_status warpbound_trace_run(const warpbound_kernel *kernel,
                                     const warpbound_trace_options *options,
                                     const warpbound_options *limits, warpbound_trace **trace,
                                     warpbound_error *error)
{
  static const warpbound_trace_options defaults = {0};
  warpbound_error own = {0};
  if (error == NULL)
    error = &own;
  if (options == NULL)
    options = &defaults;
  warpbound_status status = wb_require_place(trace, "trace", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = wb_require_machine_kernel(kernel, error);
  if (status == WARPBOUND_OK)
    status = wb_require_options(limits, error);
  if (status == WARPBOUND_OK && options->lanes > WB_LANE_LIMIT)
    status = wb_fail(error, WARPBOUND_USAGE, "lanes: expected at most %d, found %" PRIu32,
                     WB_LANE_LIMIT, options->lanes);
  if (status == WARPBOUND_OK && options->steps > STEP_LIMIT)
    status = wb_fail(error, WARPBOUND_USAGE, "steps: expected at most %d, found %" PRIu64,
                     STEP_LIMIT, options->steps);
  if (status == WARPBOUND_OK)
    status = wb_require_choice((int)options->groups, WARPBOUND_GROUPS_STARVE + 1, "groups", error);
  if (status == WARPBOUND_OK)
    status = wb_require_choice((int)options->reconvergence, WARPBOUND_RECONVERGENCE_ALWAYS + 1,
                               "reconvergence", error);
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_trace *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  made->code = &kernel->module->code;
  made->function = wb_machine_function_of(kernel);
  made->seed = options->seed;
  made->lanes = options->lanes > 0 ? options->lanes : WB_LANE_LIMIT;
  const struct wb_control control = wb_control_start(limits);
  status = run(options, &control, made, error);
  if (status == WARPBOUND_OK || status == WARPBOUND_LIMIT)
    *trace = made;
  else
    warpbound_trace_free(made);
  return status;
}

void warpbound_trace_free(warpbound_trace *trace)
{
  if (trace != NULL) {
    free(trace->steps);
    free(trace->results);
  }
  free(trace);
}

uint64_t warpbound_trace_steps(const warpbound_trace *trace)
{
  return trace != NULL ? trace->step_count : 0;
}

bool warpbound_trace_ended(const warpbound_trace *trace)
{
  return trace != NULL && trace->ended;
}

bool warpbound_trace_is_deadlock(const warpbound_trace *trace)
{
  return trace != NULL && trace->run.deadlock;
}

size_t warpbound_trace_instruction(const warpbound_trace *trace, uint64_t step)
{
  return step < warpbound_trace_steps(trace) ? trace->steps[step].instruction : SIZE_MAX;
}

uint32_t warpbound_trace_lanes(const warpbound_trace *trace, uint64_t step)
{
  return step < warpbound_trace_steps(trace) ? trace->steps[step].active : 0;
}

uint64_t warpbound_trace_group(const warpbound_trace *trace, uint64_t step)
{
  return step < warpbound_trace_steps(trace) ? trace->steps[step].group : 0;
}

warpbound_status warpbound_trace_json(const warpbound_trace *trace, char **text,
                                      warpbound_error *error)
{
  struct wb_text written = {0};
  const warpbound_status status = wb_require_text_of(trace, "trace", "a trace", text, error);
  if (status == WARPBOUND_OK)
    wb_trace_json(trace, &written);
  return status == WARPBOUND_OK ? wb_hand_out(&written, text, error) : status;
}

warpbound_status warpbound_trace_text(const warpbound_trace *trace, char **text,
                                      warpbound_error *error)
{
  struct wb_text written = {0};
  const warpbound_status status = wb_require_text_of(trace, "trace", "a trace", text, error);
  if (status == WARPBOUND_OK)
    wb_trace_text(trace, false, false, &written);
  return status == WARPBOUND_OK ? wb_hand_out(&written, text, error) : status;
}
