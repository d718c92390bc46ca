#include "report/string_report.h"

#include "base/text/quantity.h"
#include "formats/json/json_output.h"
#include "model/problem.h"
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
