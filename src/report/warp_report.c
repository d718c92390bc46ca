#include "report/warp_report.h"

#include "base/text/quantity.h"
#include "formats/json/json_output.h"
#include "model/problem.h"
#include "report/report_words.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- the string of a path ---- */

/* The path that was walked, of machine code the worst one of one warp; NULL where the
 * string was given as such. */
static const struct wb_kernel_path *path_of(const struct wb_string_report *report)
{
  const struct warpbound_paths *paths = report->paths;
  if (paths->module->form == WARPBOUND_INPUT_SASS)
    return &paths->machine.path;
  return paths->module->form == WARPBOUND_INPUT_PTX ? &paths->path : NULL;
}

/* The kernel; NULL where the string was given as such. */
static const struct wb_function *function_of(const struct wb_string_report *report)
{
  const struct warpbound_module *module = report->paths->module;
  return module->form == WARPBOUND_INPUT_STRING
             ? NULL
             : &module->code.functions[module->functions[report->paths->function].index];
}

static void write_steps(const struct wb_string_report *report, struct wb_text *text)
{
  const struct wb_kernel_path *path = path_of(report);
  const struct wb_code *code = &report->paths->module->code;
  wb_text_string(text, "\n    step  line  unit  instruction\n");
  for (size_t s = 0; s < path->step_count; s++) {
    const struct wb_instruction *step = path->steps[s];
    wb_text_format(text, "  %6zu %5u  %c     %s%s", s + 1, step->line,
                   wb_unit_letter(wb_instruction_unit(step)), step->guarded ? "@ " : "",
                   step->opcode);
    if (step->several)
      wb_text_string(text, "  +");
    if (step->source_line > 0 && step->source_file > 0 && step->source_file <= code->file_count)
      wb_text_format(text, "    (%s:%u)", code->files[step->source_file - 1], step->source_line);
    wb_text_string(text, "\n");
  }
  if (path->several_count > 0)
    wb_text_string(text, "\n    + can become several machine instructions\n");
  /* The branches that the path leaves out, as a table. */
  if (path->arm_count > 0)
    wb_text_string(text, "\n    left out  branch\n");
  for (size_t a = 0; a < path->arm_count; a++) {
    const struct wb_path_arm *arm = &path->arms[a];
    char line[16] = "end";
    if (arm->line > 0)
      snprintf(line, sizeof line, "%u", arm->line);
    wb_text_format(text, "  %10s  line %u, %s%s%s\n", line, arm->branch->line, arm->branch->opcode,
                   arm->falls           ? " falling through"
                   : arm->label != NULL ? " to "
                                        : "",
                   arm->label != NULL ? arm->label : "");
  }
}

/* normalised: NULL where it is not wanted. */
static void write_text(const struct wb_string_report *report, const struct wb_problem *normalised,
                       struct wb_text *text)
{
  const struct warpbound_paths *paths = report->paths;
  const struct wb_kernel_path *path = path_of(report);
  const struct wb_code *code = &report->paths->module->code;
  const struct wb_function *function = function_of(report);
  wb_text_string(text, wb_style(WB_STYLE_BOLD, report->colour));
  wb_kernel_string_write(&paths->string, text);
  wb_text_format(text, "%s\n", wb_style(WB_STYLE_PLAIN, report->colour));
  if (report->quiet)
    return;
  wb_estimate_text(&paths->estimate, "estimate", report->colour, text);
  if (function != NULL) {
    wb_text_string(text, "  kernel      ");
    wb_kernel_name_write_both(function->name, text);
    wb_text_format(text, " (%s, ", code->isa);
    if (function->sm > 0)
      wb_text_format(text, "sm_%u)\n", function->sm);
    else
      wb_text_format(text, "%s)\n", code->target);
  }
  wb_text_format(text, "  length      %s in %s\n", WB_COUNT_OF(paths->string.length, "instruction"),
                 WB_COUNT_OF(paths->string.run_count, "run"));
  if (normalised != NULL) {
    wb_text_string(text, "  normalised  ");
    wb_kernel_string_write(&normalised->string, text);
    wb_text_string(text, " with");
    for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
      if (normalised->string.count[u] > 0)
        wb_text_format(text, " %c=%u", wb_unit_letter((enum wb_unit)u), normalised->capacity[u]);
    }
    wb_text_string(text, "\n");
  }
  if (path != NULL && report->steps)
    write_steps(report, text);
  for (size_t i = 0; i < paths->assumptions.count; i++)
    wb_text_format(text, "%s  - %s\n", i == 0 ? "  assumptions\n" : "",
                   paths->assumptions.items[i]);
}

/* Puts a list that has members. */
static void put_list(json_t **object, const char *name, json_t *list)
{
  if (list == NULL || json_array_size(list) > 0)
    wb_json_put(object, name, list);
  else
    json_decref(list);
}

static void write_json(const struct wb_string_report *report, const struct wb_problem *normalised,
                       struct wb_text *text)
{
  const struct warpbound_paths *paths = report->paths;
  const struct wb_kernel_path *path = path_of(report);
  const struct wb_function *function = function_of(report);
  json_t *object = json_pack(
      "{s:s?, s:I, s:o, s:o, s:o}", "kernel", function != NULL ? function->name : NULL, "length",
      (json_int_t)paths->string.length, "string", wb_json_kernel_string(&paths->string), "runs",
      wb_json_runs(&paths->string), "assumptions", wb_json_list(&paths->assumptions));
  if (function != NULL)
    wb_kernel_name_json(object, function->name);
  if (normalised != NULL) {
    json_t *units = json_object();
    for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
      const char letter[2] = {wb_unit_letter((enum wb_unit)u), '\0'};
      if (normalised->string.count[u] > 0)
        wb_put_number(&units, letter, normalised->capacity[u]);
    }
    wb_json_put(&object, "normalised",
                json_pack("{s:o, s:I, s:o}", "string", wb_json_kernel_string(&normalised->string),
                          "length", (json_int_t)normalised->string.length, "units", units));
  }
  if (wb_is_estimate(&paths->estimate))
    wb_json_put(&object, "kind", json_string(warpbound_kind_name(WARPBOUND_ESTIMATE)));
  wb_estimate_put(&object, &paths->estimate);
  /* Instructions that can become several machine instructions, each once. */
  json_t *several = json_array();
  for (size_t i = 0; path != NULL && i < path->several_count; i++)
    wb_json_push(&several, json_pack("{s:I, s:s}", "line", (json_int_t)path->several[i]->line,
                                     "opcode", path->several[i]->opcode));
  put_list(&object, "several", several);
  json_t *arms = json_array();
  for (size_t a = 0; path != NULL && a < path->arm_count; a++) {
    const struct wb_path_arm *arm = &path->arms[a];
    wb_json_push(&arms, json_pack("{s:I, s:s, s:o, s:s?, s:b}", "line",
                                  (json_int_t)arm->branch->line, "opcode", arm->branch->opcode,
                                  "to_line", arm->line > 0 ? json_integer(arm->line) : json_null(),
                                  "label", arm->label, "falls_through", (int)arm->falls));
  }
  put_list(&object, "left_out", arms);
  if (path != NULL && report->steps) {
    json_t *array = json_array();
    for (size_t s = 0; s < path->step_count; s++) {
      const struct wb_instruction *step = path->steps[s];
      char letter[2] = {wb_unit_letter(wb_instruction_unit(step)), '\0'};
      json_t *row = json_pack("{s:I, s:s, s:s, s:b}", "line", (json_int_t)step->line, "opcode",
                              step->opcode, "unit", letter, "guarded", (int)step->guarded);
      if (step->source_line > 0)
        json_object_set_new(row, "source_line", json_integer(step->source_line));
      json_array_append_new(array, row);
    }
    wb_json_put(&object, "instructions", array);
  }
  if (paths->module->form == WARPBOUND_INPUT_SASS && paths->machine.wcet.graph->groups)
    wb_barrier_options_put(&object, &paths->simt);
  wb_json_append(object, text);
}

warpbound_status wb_string_report_write(const struct wb_string_report *report, bool json,
                                        struct wb_text *text, warpbound_error *error)
{
  struct wb_problem problem = {0};
  warpbound_status status = WARPBOUND_OK;
  if (report->sm != NULL) /* One warp: normalisation does not depend on how many. */
    status = wb_problem_normalise(&report->paths->string, &report->sm->configuration, 1, &problem,
                                  error);
  if (status == WARPBOUND_OK)
    (json ? write_json : write_text)(report, report->sm != NULL ? &problem : NULL, text);
  wb_problem_free(&problem);
  return status;
}

/* ---- a random execution ---- */

static uint32_t address_of(const struct warpbound_trace *trace, uint32_t instruction)
{
  return instruction < trace->function->instruction_count
             ? trace->function->instructions[instruction].address
             : 0;
}

static void write_wait(const struct wb_lane_group *group, struct wb_text *text)
{
  if (group->wait == WB_GROUP_IN_SCOPE)
    wb_text_format(text, "wait in scope %" PRIu64, group->scope);
  else
    wb_text_string(text, "wait for the warp");
}

static void write_result(const struct warpbound_trace *trace, const struct wb_group_result *result,
                         struct wb_text *text)
{
  const struct wb_lane_group *group = &result->group;
  wb_text_format(text, "%08" PRIx32 " ", group->lanes);
  if (group->wait != WB_GROUP_READY) {
    write_wait(group, text);
    return;
  }
  wb_text_format(text, "%s at %04" PRIx32 " as group %" PRIu64,
                 result->cause == WB_GROUP_WENT ? "go on" : "run on",
                 address_of(trace, group->instruction), group->number);
  if (result->cause == WB_GROUP_RELEASED)
    wb_text_format(text, " after scope %" PRIu64, result->scope);
  else if (result->cause == WB_GROUP_YIELDED)
    wb_text_format(text, " before the others of scope %" PRIu64, result->scope);
  else if (result->cause == WB_GROUP_WARP)
    wb_text_string(text, " after all lanes have come");
}

static void write_step(const struct warpbound_trace *trace, const struct wb_trace_step *step,
                       struct wb_text *text)
{
  const struct wb_instruction *instruction = &trace->function->instructions[step->instruction];
  wb_text_format(text, "   %04" PRIx32 "  %5" PRIu64 "  %08" PRIx32 "  ", instruction->address,
                 trace->groups ? step->group : step->depth, step->active);
  if (instruction->guard != WB_NO_REGISTER) {
    char name[8];
    wb_register_name(instruction->guard, name);
    wb_text_format(text, "@%s%s ", instruction->guard_negated ? "!" : "", name);
  }
  wb_text_format(text, "%s%s%s", instruction->opcode, instruction->operands[0] != '\0' ? " " : "",
                 instruction->operands);
  const char *before = "    ; ";
  if (step->doing == 0)
    wb_text_format(text, "%snone does", before);
  else if (step->doing != step->active)
    wb_text_format(text, "%s%08" PRIx32 " do", before, step->doing);
  if (step->doing != step->active)
    before = ", ";
  if (step->scope != 0) {
    wb_text_format(text, "%smakes scope %" PRIu64, before, step->scope);
    before = ", ";
  }
  if (step->unbound != 0) {
    wb_text_format(text, "%s%08" PRIx32 " are in no scope of it", before, step->unbound);
    before = ", ";
  }
  for (uint32_t r = 0; r < step->result_count; r++) {
    const struct wb_group_result *result = &trace->results[step->first_result + r];
    /* A group that goes on whole has no word. */
    if (result->cause == WB_GROUP_WENT && result->group.wait == WB_GROUP_READY &&
        result->group.number == step->group)
      continue;
    wb_text_string(text, before);
    write_result(trace, result, text);
    before = ", ";
  }
  /* Divergence and reconvergence on a stack. */
  const struct wb_instruction *all = trace->function->instructions;
  if (step->matched != UINT32_MAX) {
    wb_text_format(text, "%swait at %04" PRIx32, before, all[step->matched].address);
    before = ", ";
  }
  if (step->reactivated)
    wb_text_format(text, "%s%08" PRIx32 " run again at %04" PRIx32, before, step->next_active,
                   all[step->next].address);
  wb_text_string(text, "\n");
}

void wb_trace_text(const struct warpbound_trace *trace, bool quiet, bool colour,
                   struct wb_text *text)
{
  const char *bold = wb_style(WB_STYLE_BOLD, colour);
  const char *plain = wb_style(WB_STYLE_PLAIN, colour);
  const char *end = ", where --steps ended the run: ";
  if (trace->ended)
    end = ", to the end of all lanes: ";
  else if (trace->run.deadlock)
    end = ", then all lanes that are left wait for others (deadlock): ";
  wb_text_format(text, "%s%s%s%s%s, ", bold, WB_COUNT_OF(trace->step_count, "step"), plain, end,
                 WB_COUNT_OF(trace->splits, "split"));
  if (trace->groups)
    wb_text_format(text, "%s, at most %s\n", WB_COUNT_OF(trace->releases, "release"),
                   WB_COUNT_OF(trace->most_groups, "group"));
  else
    wb_text_format(text, "%s, deepest stack %" PRIu32 "\n",
                   WB_COUNT_OF(trace->reactivations, "reactivation"), trace->deepest);
  if (quiet)
    return;
  wb_kernel_title(text, trace->function->name, colour);
  wb_text_format(text, " (%s", trace->code->format);
  if (trace->function->sm > 0)
    wb_text_format(text, ", sm_%" PRIu32, trace->function->sm);
  wb_text_format(
      text, "), %" PRIu32 " lane%s, seed %" PRIu64 "\n%saddress  %s  active    instruction%s\n",
      trace->lanes, trace->lanes == 1 ? "" : "s", trace->seed, bold,
      trace->groups ? "group" : "depth", plain);
  for (size_t s = 0; s < trace->step_count && !text->failed; s++)
    write_step(trace, &trace->steps[s], text);
  for (size_t g = 0; g < trace->run.waiting_count; g++) {
    const struct wb_lane_group *group = &trace->run.waiting[g];
    wb_text_format(text, "   %04" PRIx32 "  %5" PRIu64 "  %08" PRIx32 "  ",
                   address_of(trace, group->instruction), group->number, group->lanes);
    write_wait(group, text);
    wb_text_string(text, "\n");
  }
}

static json_t *lanes_json(uint32_t lanes)
{
  char digits[9];
  snprintf(digits, sizeof digits, "%08" PRIx32, lanes);
  return json_string(digits);
}

static json_t *group_json(const struct warpbound_trace *trace, const struct wb_lane_group *group)
{
  static const char *const waits[] = {
      [WB_GROUP_READY] = "nothing", [WB_GROUP_IN_SCOPE] = "scope", [WB_GROUP_IN_WARP] = "warp"};
  return json_pack("{s:I, s:o, s:I, s:s}", "group", (json_int_t)group->number, "lanes",
                   lanes_json(group->lanes), "address",
                   (json_int_t)address_of(trace, group->instruction), "waits_for",
                   waits[group->wait]);
}

static json_t *result_json(const struct warpbound_trace *trace,
                           const struct wb_group_result *result)
{
  static const char *const causes[] = {[WB_GROUP_WENT] = "instruction",
                                       [WB_GROUP_RELEASED] = "release",
                                       [WB_GROUP_YIELDED] = "early-release",
                                       [WB_GROUP_WARP] = "warp",
                                       [WB_GROUP_UNITED] = "unite"};
  json_t *object = group_json(trace, &result->group);
  const uint64_t scope = result->scope != 0 ? result->scope : result->group.scope;
  wb_put_text(&object, "cause", causes[result->cause]);
  if (scope != 0)
    wb_put_number(&object, "scope", scope);
  return object;
}

static json_t *step_json(const struct warpbound_trace *trace, const struct wb_trace_step *step)
{
  const struct wb_instruction *instruction = &trace->function->instructions[step->instruction];
  json_t *object = json_pack(
      "{s:I, s:s, s:s, s:o, s:o, s:I, s:b}", "address", (json_int_t)instruction->address, "opcode",
      instruction->opcode, "operands", instruction->operands, "active", lanes_json(step->active),
      "doing", lanes_json(step->doing), trace->groups ? "group" : "depth",
      trace->groups ? (json_int_t)step->group : (json_int_t)step->depth, "split", (int)step->split);
  if (!trace->groups) {
    wb_put_flag(&object, "reactivated", step->reactivated);
    return object;
  }
  json_t *results = json_array();
  for (uint32_t r = 0; r < step->result_count; r++)
    wb_json_push(&results, result_json(trace, &trace->results[step->first_result + r]));
  wb_json_put(&object, "groups", results);
  if (step->scope != 0)
    wb_put_number(&object, "makes_scope", step->scope);
  if (step->unbound != 0)
    wb_json_put(&object, "unbound", lanes_json(step->unbound));
  return object;
}

void wb_trace_json(const struct warpbound_trace *trace, struct wb_text *text)
{
  json_t *object = json_pack("{s:s, s:I, s:I, s:I, s:I, s:b}", "kernel", trace->function->name,
                             "sm", (json_int_t)trace->function->sm, "lanes",
                             (json_int_t)trace->lanes, "seed", (json_int_t)trace->seed, "steps",
                             (json_int_t)trace->step_count, "ended", (int)trace->ended);
  if (trace->groups) {
    json_t *waiting = json_array();
    for (size_t g = 0; g < trace->run.waiting_count; g++)
      wb_json_push(&waiting, group_json(trace, &trace->run.waiting[g]));
    wb_put_flag(&object, "deadlock", trace->run.deadlock);
    wb_json_put(&object, "waiting", waiting);
  }
  wb_put_number(&object, "splits", trace->splits);
  if (trace->groups) {
    /* What only a warp that runs as groups of lanes has, before its trace. */
    static const char *const orders[] = {
        [WB_GROUPS_RANDOM] = "random",   [WB_GROUPS_LOWEST] = "lowest",
        [WB_GROUPS_HIGHEST] = "highest", [WB_GROUPS_NEWEST] = "newest",
        [WB_GROUPS_MOST] = "most",       [WB_GROUPS_FEWEST] = "fewest",
        [WB_GROUPS_STARVE] = "starve"};
    static const char *const reconvergence[] = {[WB_RECONVERGENCE_YIELD] = "yield",
                                                [WB_RECONVERGENCE_NEVER] = "never",
                                                [WB_RECONVERGENCE_ALWAYS] = "always"};
    wb_put_number(&object, "releases", trace->releases);
    wb_put_number(&object, "most_groups", trace->most_groups);
    wb_put_text(&object, "order", orders[trace->how.policy]);
    wb_put_text(&object, "reconvergence", reconvergence[trace->how.reconvergence]);
    wb_put_text(&object, "masks", trace->how.masks_together ? "together" : "apart");
  } else {
    wb_put_number(&object, "reactivations", trace->reactivations);
    wb_put_number(&object, "deepest_stack", trace->deepest);
  }
  json_t *steps = json_array();
  for (size_t s = 0; s < trace->step_count; s++)
    wb_json_push(&steps, step_json(trace, &trace->steps[s]));
  wb_json_put(&object, "trace", steps);
  wb_kernel_name_json(object, trace->function->name);
  wb_json_append(object, text);
}
