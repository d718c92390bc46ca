/* Paths of the public header: from a kernel to its string, or all its strings. */
#include "analysis/code/code_results.h"

#include "api/arguments.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/devices/device_table.h"
#include "report/warp_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Paths being found. */
struct finder {
  const warpbound_kernel *kernel;
  const warpbound_paths_options *options;
  const struct wb_control *control;
  struct warpbound_paths *paths;
  warpbound_error *error;
};

/* ---- of a string ---- */

static warpbound_status copy_string(const struct finder *finder)
{
  return wb_kernel_string_copy(&finder->kernel->module->string, &finder->paths->string,
                               finder->error);
}

/* ---- of PTX ---- */

static warpbound_status check_iterations(uint32_t iterations, const char *what,
                                         warpbound_error *error)
{
  if (iterations <= WB_STRING_LIMIT)
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_USAGE, "%s: expected at most %zu, found %" PRIu32, what,
                 WB_STRING_LIMIT, iterations);
}

static warpbound_status check_walk(const warpbound_paths_options *options, warpbound_error *error)
{
  warpbound_status status =
      wb_require_choice((int)options->order, WARPBOUND_PATH_FALL_THROUGH + 1, "order", error);
  if (status != WARPBOUND_OK)
    return status;
  if ((options->loop_count > 0 && options->loops == NULL) ||
      (options->take_count > 0 && options->takes == NULL) ||
      (options->call_count > 0 && options->calls == NULL))
    return wb_fail(error, WARPBOUND_USAGE, "paths options: expected a list, found NULL");
  status = check_iterations(options->iterations, "iterations", error);
  for (size_t l = 0; l < options->loop_count && status == WARPBOUND_OK; l++) {
    status = wb_require(options->loops[l].loop, "loops", "a place", error);
    if (status == WARPBOUND_OK && options->loops[l].iterations == 0)
      status = wb_fail(error, WARPBOUND_USAGE, "loops: expected 1 iteration or more, found 0");
    if (status == WARPBOUND_OK)
      status = check_iterations(options->loops[l].iterations, "loops", error);
  }
  for (size_t t = 0; t < options->take_count && status == WARPBOUND_OK; t++)
    status = wb_require(options->takes[t], "takes", "a place", error);
  for (size_t c = 0; c < options->call_count && status == WARPBOUND_OK; c++) {
    status = wb_require(options->calls[c].name, "calls", "a name", error);
    if (status == WARPBOUND_OK)
      status = wb_require(options->calls[c].string, "calls", "a string", error);
  }
  return status;
}

/* The walk is short, and looks at the limits once. */
static warpbound_status walk(const struct finder *finder)
{
  const warpbound_paths_options *options = finder->options;
  struct warpbound_paths *paths = finder->paths;
  const struct wb_code *program = &finder->kernel->module->code;
  const size_t index = finder->kernel->module->functions[finder->kernel->function].index;
  const struct wb_control necessary = wb_control_without_deadline(finder->control);
  if (wb_control_stopped(&necessary) != WB_STOP_NONE)
    return wb_fail(finder->error, WARPBOUND_LIMIT, "interrupted before a path was walked");
  struct wb_arena arena = {0};
  struct wb_call_assumption *calls =
      wb_arena_array(&arena, struct wb_call_assumption, options->call_count);
  struct wb_loop_iterations *loops =
      wb_arena_array(&arena, struct wb_loop_iterations, options->loop_count);
  warpbound_status status = arena.failed ? wb_out_of_memory(finder->error) : WARPBOUND_OK;
  for (size_t l = 0; l < options->loop_count && status == WARPBOUND_OK; l++)
    loops[l] = (struct wb_loop_iterations){options->loops[l].loop, options->loops[l].iterations};
  /* The strings of assumed calls; rows without one stay zero after an error. */
  for (size_t c = 0; c < options->call_count && status == WARPBOUND_OK; c++) {
    const warpbound_call_assumption *call = &options->calls[c];
    warpbound_error cause = {0};
    calls[c].name = call->name;
    status = wb_kernel_string_parse(call->string, "", &calls[c].string, &cause);
    if (status == WARPBOUND_INVALID_INPUT)
      status = wb_fail(finder->error, WARPBOUND_USAGE, "--assume-call %.60s, %s", call->name,
                       cause.message);
    else if (status != WARPBOUND_OK)
      status = wb_out_of_memory(finder->error);
  }
  const struct wb_path_options walk = {
      .order = options->order == WARPBOUND_PATH_LONGEST ? WB_PATH_LONGEST : WB_PATH_FALL_THROUGH,
      .iterations = options->iterations,
      .loops = loops,
      .loop_count = options->loop_count,
      .through = options->through,
      .takes = options->takes,
      .take_count = options->take_count,
      .calls = calls,
      .call_count = options->call_count};
  if (status == WARPBOUND_OK)
    status = wb_kernel_path_walk(program, &program->functions[index], &walk, &paths->path,
                                 finder->error);
  for (size_t c = 0; calls != NULL && c < options->call_count; c++)
    wb_kernel_string_free(&calls[c].string);
  wb_arena_free(&arena);
  if (status != WARPBOUND_OK)
    return status;
  wb_estimate_add_all(&paths->estimate, &paths->path.estimate, NULL);
  wb_list_add_all(&paths->assumptions, &paths->path.assumptions);
  return wb_kernel_string_copy(&paths->path.string, &paths->string, finder->error);
}

/* ---- of machine code ---- */

/* Whether the code runs on the device that is asked for, by NVIDIA's rule. */
static warpbound_status check_device(const struct finder *finder)
{
  const char *name = finder->options->device;
  const uint32_t sm = wb_machine_function_of(finder->kernel)->sm;
  const struct wb_device *device = name != NULL ? wb_device_find(name) : NULL;
  if (name != NULL && device == NULL)
    return wb_fail(finder->error, WARPBOUND_USAGE, "there is no device '%.80s' in the table", name);
  if (device == NULL || sm == 0 || wb_device_runs(device, sm))
    return WARPBOUND_OK;
  if (!finder->options->allow_other_device) {
    /* With the rows of the table that run the code. */
    struct wb_text names = {0};
    size_t count;
    const struct wb_device *rows = wb_device_rows(&count);
    for (size_t r = 0; r < count; r++) {
      if (wb_device_runs(&rows[r], sm))
        wb_text_format(&names, "%s%s", names.length > 0 ? ", " : "", rows[r].name);
    }
    if (!names.failed && names.length == 0)
      wb_text_string(&names, "none is known");
    const warpbound_status status =
        names.failed ? wb_out_of_memory(finder->error)
                     : wb_fail(finder->error, WARPBOUND_USAGE,
                               "--sm: code of sm_%" PRIu32
                               " does not run on %s; expected an SM that it runs on (%s), or "
                               "--allow-other-sm",
                               sm, device->name, names.data);
    wb_text_free(&names);
    return status;
  }
  wb_list_add(&finder->paths->assumptions,
              "code of sm_%" PRIu32 " stands for what %s would run in its place (--allow-other-sm)",
              sm, device->name);
  return WARPBOUND_OK;
}

static warpbound_status find_all(const struct finder *finder)
{
  const warpbound_wcet_options *options = &finder->options->wcet;
  const struct warpbound_module *module = finder->kernel->module;
  struct warpbound_paths *paths = finder->paths;
  struct wb_paths *machine = &paths->machine;
  struct wb_wcet_options taken;
  warpbound_status status = wb_wcet_options_of(module, options, &taken, finder->error);
  taken.no_template = true;
  if (status == WARPBOUND_OK)
    status = check_device(finder);
  if (status == WARPBOUND_OK)
    status = wb_paths_make(&module->code, wb_machine_function_of(finder->kernel), &taken,
                           finder->control, machine, finder->error);
  if (status != WARPBOUND_OK)
    return status;
  paths->simt = taken.simt;
  wb_estimate_add_all(&paths->estimate, &machine->estimate, NULL);
  wb_list_add_all(&machine->assumptions, &paths->assumptions);
  wb_list_add_all(&paths->assumptions, &machine->assumptions);
  wb_list_add_all(&paths->assumptions, &machine->path.assumptions);
  const warpbound_annotations *annotations = options->annotations;
  const char *cost = "unit";
  if (annotations != NULL && annotations->costs.kind != WB_COST_UNIT)
    cost = annotations->costs.kind == WB_COST_STALLS ? "stalls" : annotations->costs.name;
  if (!wb_paths_are_one(machine))
    wb_list_add(&paths->assumptions,
                "it is the worst path of one warp alone by IPET (--cost %s): others may be worse "
                "for many warps",
                cost);
  if (machine->assumptions.failed)
    return wb_out_of_memory(finder->error);
  return wb_kernel_string_copy(&machine->path.string, &paths->string, finder->error);
}

/* ---- the handle ---- */

warpbound_status warpbound_paths_find(const warpbound_kernel *kernel,
                                      const warpbound_paths_options *options,
                                      const warpbound_options *limits, warpbound_paths **paths,
                                      warpbound_error *error)
{
  static const warpbound_paths_options defaults = {0};
  static warpbound_status (*const by_form[])(const struct finder *) = {
      [WARPBOUND_INPUT_STRING] = copy_string,
      [WARPBOUND_INPUT_PTX] = walk,
      [WARPBOUND_INPUT_SASS] = find_all};
  warpbound_error own = {0};
  if (error == NULL)
    error = &own;
  if (options == NULL)
    options = &defaults;
  warpbound_status status = wb_require_place(paths, "paths", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = wb_require(kernel, "kernel", "a kernel", error);
  if (status == WARPBOUND_OK)
    status = wb_require_options(limits, error);
  if (status == WARPBOUND_OK)
    status = check_walk(options, error);
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_paths *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  made->module = kernel->module;
  made->function = kernel->function;
  const struct wb_control control = wb_control_start(limits);
  const struct finder finder = {kernel, options, &control, made, error};
  wb_list_add_all(&made->assumptions, &made->module->assumptions);
  status = by_form[made->module->form](&finder);
  struct wb_text text = {0};
  if (status == WARPBOUND_OK)
    wb_kernel_string_write(&made->string, &text);
  if (status == WARPBOUND_OK)
    status = wb_hand_out(&text, &made->text, error);
  if (status == WARPBOUND_OK && (made->assumptions.failed || made->estimate.failed))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    *paths = made;
  else
    warpbound_paths_free(made);
  return status;
}

void warpbound_paths_free(warpbound_paths *paths)
{
  if (paths == NULL)
    return;
  wb_paths_free(&paths->machine);
  wb_kernel_path_free(&paths->path);
  wb_kernel_string_free(&paths->string);
  wb_list_free(&paths->assumptions);
  wb_estimate_free(&paths->estimate);
  free(paths->text);
  free(paths);
}

const char *warpbound_paths_string(const warpbound_paths *paths)
{
  return paths != NULL ? paths->text : "";
}

size_t warpbound_paths_length(const warpbound_paths *paths)
{
  return paths != NULL ? paths->string.length : 0;
}

bool warpbound_paths_is_estimate(const warpbound_paths *paths)
{
  return paths != NULL && wb_is_estimate(&paths->estimate);
}

bool warpbound_paths_are_one(const warpbound_paths *paths)
{
  return paths != NULL &&
         (paths->module->form != WARPBOUND_INPUT_SASS || wb_paths_are_one(&paths->machine));
}

size_t warpbound_paths_assumption_count(const warpbound_paths *paths)
{
  return paths != NULL ? paths->assumptions.count : 0;
}

const char *warpbound_paths_assumption(const warpbound_paths *paths, size_t index)
{
  return index < warpbound_paths_assumption_count(paths) ? paths->assumptions.items[index] : "";
}

warpbound_status warpbound_paths_json(const warpbound_paths *paths, char **text,
                                      warpbound_error *error)
{
  struct wb_text written = {0};
  warpbound_status status = wb_require_text_of(paths, "paths", "paths", text, error);
  if (status != WARPBOUND_OK)
    return status;
  status =
      wb_string_report_write(&(struct wb_string_report){.paths = paths}, true, &written, error);
  if (status != WARPBOUND_OK)
    return status;
  return wb_hand_out(&written, text, error);
}
