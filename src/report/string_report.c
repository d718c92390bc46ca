#include "report/string_report.h"

#include "base/text/quantity.h"
#include "formats/json/json_output.h"
#include "report/report_words.h"

#include <stdio.h>

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

void wb_string_report_text(const struct wb_string_report *report, bool colour, struct wb_text *text)
{
  const struct warpbound_paths *paths = report->paths;
  const struct wb_kernel_path *path = path_of(report);
  const struct wb_code *code = &report->paths->module->code;
  const struct wb_function *function = function_of(report);
  wb_text_string(text, wb_style(WB_STYLE_BOLD, colour));
  wb_kernel_string_write(&paths->string, text);
  wb_text_format(text, "%s\n", wb_style(WB_STYLE_PLAIN, colour));
  if (report->quiet)
    return;
  wb_estimate_text(&paths->estimate, "estimate", colour, text);
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
  if (report->normalised) {
    wb_text_string(text, "  normalised  ");
    wb_kernel_string_write(&report->problem.string, text);
    wb_text_string(text, " with");
    for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
      if (report->problem.string.count[u] > 0)
        wb_text_format(text, " %c=%u", wb_unit_letter((enum wb_unit)u),
                       report->problem.capacity[u]);
    }
    wb_text_string(text, "\n");
  }
  if (path != NULL && report->steps)
    write_steps(report, text);
  for (size_t i = 0; i < paths->assumptions.count; i++)
    wb_text_format(text, "%s  - %s\n", i == 0 ? "  assumptions\n" : "",
                   paths->assumptions.items[i]);
}

/* The arms of branches that the path leaves out. */
static json_t *arms_json(const struct wb_kernel_path *path)
{
  json_t *array = json_array();
  for (size_t a = 0; a < path->arm_count; a++) {
    const struct wb_path_arm *arm = &path->arms[a];
    json_t *to = arm->line > 0 ? json_integer(arm->line) : json_null();
    json_array_append_new(array, json_pack("{s:I, s:s, s:o, s:s?, s:b}", "line",
                                           (json_int_t)arm->branch->line, "opcode",
                                           arm->branch->opcode, "to_line", to, "label", arm->label,
                                           "falls_through", (int)arm->falls));
  }
  return array;
}

void wb_string_report_json(const struct wb_string_report *report, struct wb_text *text)
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
  if (report->normalised) {
    json_t *units = json_object();
    for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
      char letter[2] = {wb_unit_letter((enum wb_unit)u), '\0'};
      if (report->problem.string.count[u] > 0)
        json_object_set_new(units, letter, json_integer(report->problem.capacity[u]));
    }
    wb_json_put(&object, "normalised",
                json_pack("{s:o, s:I, s:o}", "string",
                          wb_json_kernel_string(&report->problem.string), "length",
                          (json_int_t)report->problem.string.length, "units", units));
  }
  if (wb_is_estimate(&paths->estimate))
    wb_json_put(&object, "kind", json_string(warpbound_kind_name(WARPBOUND_ESTIMATE)));
  wb_estimate_put(&object, &paths->estimate);
  /* Instructions that can become several machine instructions, each once. */
  json_t *several = json_array();
  for (size_t i = 0; path != NULL && i < path->several_count; i++)
    wb_json_push(&several, json_pack("{s:I, s:s}", "line", (json_int_t)path->several[i]->line,
                                     "opcode", path->several[i]->opcode));
  if (several == NULL || json_array_size(several) > 0)
    wb_json_put(&object, "several", several);
  else
    json_decref(several);
  if (path != NULL && path->arm_count > 0)
    wb_json_put(&object, "left_out", arms_json(path));
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

/* One warp on the configuration: normalisation does not depend on how many. */
warpbound_status wb_string_report_normalise(struct wb_string_report *report, const warpbound_sm *sm,
                                            warpbound_error *error)
{
  report->normalised = true;
  return wb_problem_normalise(&report->paths->string, &sm->configuration, 1, &report->problem,
                              error);
}

void wb_string_report_free(struct wb_string_report *report)
{
  wb_problem_free(&report->problem);
}
