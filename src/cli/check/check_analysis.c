#include "cli/check/check_analysis.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "base/text/utf8.h"
#include "cli/check/check_cache.h"
#include "cli/input/device_input.h"
#include "cli/input/launches.h"
#include "cli/input/module_input.h"
#include "formats/json/json_output.h"
#include "report/analyze/analyze_report.h"
#include "report/report_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Warp instructions that are simulated for the lower end unless the project says otherwise. */
#define DEFAULT_SIMULATION "500000"
/* What of the format of kept results the program's version does not say. */
#define CACHE_FORMAT "warpbound-kept-1"

/* One analysis under way. */
struct analysis {
  const struct check_job *job;
  struct check_task *task;
  struct check_code *code;
  struct arguments arguments; /* the task's with its defaults; borrows */
  char architecture[32];
  warpbound_gpu *gpu;
  struct analyze_options options;
  warpbound_kernel *kernel;
  warpbound_launch *launch;
  char key[DIGEST_SIZE];
  warpbound_error *error; /* of the launch */
};

/* ---- code ---- */

static void drop_module(struct check_code *code)
{
  warpbound_module_free(code->module);
  free(code->parsed_as);
  code->module = NULL;
  code->parsed_as = NULL;
}

void check_code_close(struct check_code *code)
{
  drop_module(code);
  wb_input_free(&code->source);
  *code = (struct check_code){0};
}

static warpbound_status open_code(const struct arguments *arguments, struct check_code *code,
                                  warpbound_error *error)
{
  if (code->path != NULL && strcmp(code->path, arguments->input) == 0)
    return WARPBOUND_OK;
  check_code_close(code);
  const warpbound_status status = source_input_read(arguments, "machine code or a SASS listing",
                                                    WB_INPUT_LIMIT, &code->source, error);
  if (status != WARPBOUND_OK)
    return status;
  code->path = arguments->input;
  digest_of(code->source.bytes, code->source.length, code->digest);
  return WARPBOUND_OK;
}

static void write_option(const struct arguments *arguments, enum option option,
                         struct wb_text *text)
{
  const char *value = arguments->value[option];
  wb_text_format(text, "%s\n", value != NULL ? value : "");
  for (size_t i = 0; i < arguments->repeated[option].count; i++)
    wb_text_format(text, "%s\n", arguments->repeated[option].items[i]);
}

/* Parses the open code, unless that was done in the same way. */
static warpbound_status parse_code(const struct arguments *arguments, struct check_code *code,
                                   warpbound_error *error)
{
  static const enum option options[] = {OPTION_SM, OPTION_ARCH, OPTION_MODULE, OPTION_TARGETS};
  struct wb_text text = {0};
  for (size_t o = 0; o < sizeof options / sizeof *options; o++)
    write_option(arguments, options[o], &text);
  char *parsed_as = wb_text_take(&text);
  if (parsed_as == NULL)
    return wb_out_of_memory(error);
  if (code->module != NULL && strcmp(parsed_as, code->parsed_as) == 0) {
    free(parsed_as);
    return WARPBOUND_OK;
  }
  drop_module(code);
  code->parsed_as = parsed_as;
  return module_input_parse(arguments, &code->source, true, &code->module, error);
}

/* ---- what a result was made of ---- */

/* Adds the device with all its values. */
static warpbound_status add_device(const struct analysis *analysis, struct digest *digest)
{
  char *json;
  const warpbound_status status = warpbound_gpu_json(analysis->gpu, &json, analysis->error);
  if (status != WARPBOUND_OK)
    return status;
  digest_add_text(digest, json);
  warpbound_text_free(json);
  return WARPBOUND_OK;
}

/* The digest of the program, the options, the device, the binary and the flow facts. The sources
 * that the code names are known only when it is parsed: the kept result lists them. */
static warpbound_status make_key(struct analysis *analysis)
{
  const struct arguments *arguments = &analysis->arguments;
  struct digest digest = digest_start();
  digest_add_text(&digest, CACHE_FORMAT);
  digest_add_text(&digest, analysis->job->program);
  digest_add_text(&digest, analysis->job->pages ? "with a page" : "without a page");
  digest_add_text(&digest, analysis->job->project.name); /* it is in messages */
  digest_add_text(&digest, analysis->task->launch->name);
  digest_add_text(&digest, analysis->task->binary);
  for (int o = 0; o < OPTION_COUNT; o++) {
    const struct wb_list *list = &arguments->repeated[o];
    digest_add_text(&digest, arguments->value[o]);
    digest_add(&digest, &list->count, sizeof list->count);
    for (size_t i = 0; i < list->count; i++)
      digest_add_text(&digest, list->items[i]);
  }
  digest_add_text(&digest, analysis->code->digest);
  digest_add(&digest, analysis->options.wcet.facts.bytes, analysis->options.wcet.facts.length);
  const warpbound_status status = add_device(analysis, &digest);
  digest_finish(&digest, analysis->key);
  return status;
}

/* The source files that were read, with their digests, and those that were looked for before. */
static json_t *files_json(const struct analysis *analysis)
{
  const struct wcet_options *options = &analysis->options.wcet;
  const char *folder = analysis->arguments.value[OPTION_SOURCES];
  const warpbound_module *module = analysis->code->module;
  json_t *object = json_object();
  for (size_t f = 0; folder != NULL && f < warpbound_module_source_count(module); f++) {
    const char *path = warpbound_module_source(module, f);
    const char *slash = strrchr(path, '/');
    const char *const names[] = {path, slash != NULL ? slash + 1 : path};
    bool found = false;
    for (size_t n = 0; n < 2 && !found; n++) {
      const struct wb_input *file = options->files != NULL ? &options->files[f] : NULL;
      char digest[DIGEST_SIZE];
      struct wb_text text = {0};
      wb_text_format(&text, "%s/%s", folder, names[n]);
      found =
          !text.failed && file != NULL && file->bytes != NULL && strcmp(file->name, text.data) == 0;
      if (found)
        digest_of(file->bytes, file->length, digest);
      wb_json_put(&object, text.failed ? "" : text.data, found ? json_string(digest) : json_null());
      wb_text_free(&text);
    }
  }
  return object;
}

/* ---- rows ---- */

/* What every row has. */
static void put_common(const struct analysis *analysis, json_t **row)
{
  const struct check_task *task = analysis->task;
  const struct wb_project_value *binary = wb_project_value_of(task->launch, "binary");
  const char *written = binary != NULL && binary->count > 0 ? binary->texts[0] : task->binary;
  wb_json_put(row, "number", json_integer((json_int_t)task->number));
  wb_json_put(row, "binary", wb_json_clean(written));
  wb_json_put(row, "line", json_integer((json_int_t)task->launch->line));
  wb_json_put(row, "notes", wb_json_clean_list(&task->notes));
}

/* A source file as the project names it: below its folder where it is there. */
static const char *below_project(const struct check_job *job, const char *path, char *whole)
{
  const size_t length = strlen(job->folder);
  if (length > 0 && strncmp(path, job->folder, length) == 0)
    return path + length;
  if (path[0] != '/' || realpath(length > 0 ? job->folder : ".", whole) == NULL)
    return path;
  const size_t top = strlen(whole);
  return strncmp(path, whole, top) == 0 && path[top] == '/' ? path + top + 1 : path;
}

/* The files that the code names, by those names, where the project has them under others. */
static json_t *paths_json(const struct analysis *analysis)
{
  const struct wcet_options *options = &analysis->options.wcet;
  const warpbound_module *module = analysis->code->module;
  char *whole = wb_allocate(1, 4096 + 1);
  json_t *object = whole != NULL ? json_object() : NULL;
  for (size_t f = 0; whole != NULL && f < warpbound_module_source_count(module); f++) {
    const char *named = warpbound_module_source(module, f);
    const bool read = options->files != NULL && options->files[f].bytes != NULL;
    const char *path = below_project(analysis->job, read ? options->files[f].name : named, whole);
    if (strncmp(path, "./", 2) == 0)
      path += 2;
    struct wb_text key = {0};
    wb_text_clean(&key, named);
    if (strcmp(path, named) != 0)
      wb_json_put(&object, key.failed ? "" : key.data, wb_json_clean(path));
    wb_text_free(&key);
  }
  free(whole);
  return object;
}

static struct wb_launch_report report_of(const struct analysis *analysis)
{
  const struct wb_project_value *binary = wb_project_value_of(analysis->task->launch, "binary");
  return (struct wb_launch_report){
      .launch = analysis->launch,
      .file = binary != NULL && binary->count > 0 ? binary->texts[0] : analysis->task->binary,
      .name = analysis->task->launch->name,
      .budget = analysis->options.budget,
      .deadline_seconds = analysis->options.deadline,
      .require_proof = analysis->arguments.value[OPTION_REQUIRE_PROOF] != NULL,
      .sources = analysis->options.wcet.known.sources,
      .source_count = analysis->options.wcet.known.source_count,
  };
}

/* Takes the project's folder out of texts that name its files: they are the same wherever the
 * project stands. */
static void shorten(json_t *texts, const char *folder)
{
  const size_t length = strlen(folder);
  for (size_t i = 0; length > 1 && i < json_array_size(texts); i++) {
    const char *at = json_string_value(json_array_get(texts, i));
    struct wb_text text = {0};
    for (const char *found = strstr(at, folder); found != NULL; found = strstr(at, folder)) {
      wb_text_append(&text, at, (size_t)(found - at));
      at = found + length;
    }
    wb_text_string(&text, at);
    if (!text.failed)
      json_array_set_new(texts, i, json_string(text.data));
    wb_text_free(&text);
  }
}

/* The row of a launch with a bound; limited: a limit was reached. */
static json_t *result_row(const struct analysis *analysis, bool limited)
{
  const struct wb_launch_report report = report_of(analysis);
  const struct wb_launch_analysis *found = &analysis->launch->analysis;
  json_t *row = wb_analyze_object(&report);
  if (row == NULL)
    return NULL;
  json_object_del(row, "analysis_seconds"); /* the same inputs, the same result */
  /* It is found for pages alone: what is printed does not depend on these. */
  wb_json_put(&row, "sensitivity", json_array());
  wb_json_put(&row, "advice", json_array());
  shorten(json_object_get(row, "assumptions"), analysis->job->folder);
  put_common(analysis, &row);
  wb_json_put(&row, "allowed", json_boolean(wb_analyze_allowed(&report)));
  wb_json_put(&row, "require_proof", json_boolean(report.require_proof));
  wb_json_put(&row, "limited", json_boolean(limited));
  wb_json_put(&row, "paths", paths_json(analysis));
  json_t *place = json_object();
  wb_source_line_put(&place, found->code, &found->function->instructions[0]);
  wb_json_put(&row, "place", place);
  return row;
}

/* The row of a launch without one. */
static json_t *refusal_row(const struct analysis *analysis)
{
  const warpbound_error *error = analysis->error;
  json_t *row = json_object();
  put_common(analysis, &row);
  wb_json_put(&row, "name", wb_json_clean(analysis->task->launch->name));
  wb_json_put(&row, "status", json_integer((json_int_t)error->status));
  wb_json_put(&row, "message", wb_json_clean(error->message));
  if (error->file[0] != '\0')
    wb_json_put(&row, "file", wb_json_clean(error->file));
  if (error->line > 0)
    wb_json_put(&row, "file_line", json_integer((json_int_t)error->line));
  if (error->line > 0 && error->column > 0)
    wb_json_put(&row, "file_column", json_integer((json_int_t)error->column));
  if (analysis->launch != NULL && analysis->launch->analysis.missing_count > 0)
    wb_json_put(&row, "facts", wb_analyze_facts_json(&analysis->launch->analysis));
  return row;
}

/* ---- the cache ---- */

static bool take_kept(const struct analysis *analysis)
{
  struct check_task *task = analysis->task;
  json_t *kept = check_cache_find(analysis->job->cache, analysis->key);
  if (kept == NULL)
    return false;
  const char *page = json_string_value(json_object_get(kept, "page"));
  task->page = page != NULL ? wb_copy_text(page, strlen(page)) : NULL;
  task->refused = json_is_true(json_object_get(kept, "refused"));
  task->row = json_incref(json_object_get(kept, "row"));
  /* What the file of the project says of where the launch stands may have changed. */
  json_object_set_new(task->row, "number", json_integer((json_int_t)task->number));
  json_object_set_new(task->row, "line", json_integer((json_int_t)task->launch->line));
  const char *file = json_string_value(json_object_get(task->row, "file"));
  if (file != NULL && strcmp(file, analysis->job->project.name) == 0) {
    json_object_set_new(task->row, "file_line", json_integer((json_int_t)task->launch->line));
    json_object_set_new(task->row, "file_column", json_integer((json_int_t)task->launch->column));
  }
  json_decref(kept);
  task->kept = page == NULL || task->page != NULL;
  return task->kept;
}

/* A result that cannot be kept is a result: the next check analyses again. */
static void keep(const struct analysis *analysis)
{
  const struct check_task *task = analysis->task;
  warpbound_error ignored = {0};
  json_t *object = json_pack("{s:s, s:b, s:O}", "key", analysis->key, "refused", (int)task->refused,
                             "row", task->row);
  wb_json_put(&object, "files", files_json(analysis));
  if (task->page != NULL)
    wb_json_put(&object, "page", json_string(task->page));
  if (object != NULL)
    (void)check_cache_keep(analysis->job->cache, analysis->key, object, &ignored);
  json_decref(object);
}

/* ---- the analysis ---- */

/* Reads all that the digest needs. */
static warpbound_status prepare(struct analysis *analysis)
{
  struct arguments *arguments = &analysis->arguments;
  warpbound_error *error = analysis->error;
  *arguments = analysis->task->arguments;
  if (arguments->value[OPTION_SIMULATE] == NULL)
    arguments->value[OPTION_SIMULATE] = DEFAULT_SIMULATION;
  warpbound_status status = gpu_input_read(arguments, &analysis->gpu, error);
  if (status == WARPBOUND_OK)
    status = analyze_options_read(arguments, &analysis->options, error);
  if (status == WARPBOUND_OK)
    status = open_code(arguments, analysis->code, error);
  return status == WARPBOUND_OK ? make_key(analysis) : status;
}

/* The module for the device's architecture, and the kernel. */
static warpbound_status find_kernel(struct analysis *analysis)
{
  struct arguments of_device = analysis->arguments;
  warpbound_error *error = analysis->error;
  snprintf(analysis->architecture, sizeof analysis->architecture, "sm_%" PRIu32,
           warpbound_gpu_architecture(analysis->gpu));
  of_device.value[OPTION_SM] = analysis->architecture;
  warpbound_status status = parse_code(&of_device, analysis->code, error);
  const warpbound_module *module = analysis->code->module;
  if (status == WARPBOUND_OK)
    status = warpbound_module_check_name(module, of_device.value[OPTION_KERNEL], error);
  if (status == WARPBOUND_OK)
    status = simt_options_check(&analysis->arguments, module, error);
  return status == WARPBOUND_OK ? warpbound_kernel_choose(module, of_device.value[OPTION_KERNEL],
                                                          &analysis->kernel, error)
                                : status;
}

static warpbound_status analyse(struct analysis *analysis)
{
  warpbound_error *error = analysis->error;
  warpbound_options limits = analysis->job->limits.options;
  struct limits left = analysis->job->limits;
  limits_shorten(&left);
  limits.time_limit = left.options.time_limit;
  limits.progress = NULL; /* the command's is of whole launches */
  limits.threads = 1;
  warpbound_status status = find_kernel(analysis);
  if (status == WARPBOUND_OK)
    status = analyze_options_complete(&analysis->arguments, analysis->code->module,
                                      &analysis->options, error);
  analysis->options.launch.sensitivity = analysis->job->pages;
  if (status == WARPBOUND_OK)
    status = warpbound_launch_analyse(analysis->kernel, analysis->gpu, &analysis->options.launch,
                                      &limits, &analysis->launch, error);
  return status;
}

/* Makes row and page of what was found. */
static warpbound_status make_row(struct analysis *analysis, warpbound_status status,
                                 warpbound_error *error)
{
  struct check_task *task = analysis->task;
  const bool bounded = analysis->launch != NULL && status != WARPBOUND_FACTS_MISSING;
  task->refused = !bounded;
  if (!bounded && analysis->launch != NULL)
    check_tell_lacking(analysis->job, task, analysis->error);
  else if (!bounded)
    check_locate(analysis->job, task, analysis->error);
  task->row = bounded ? result_row(analysis, status != WARPBOUND_OK) : refusal_row(analysis);
  if (task->row != NULL && analysis->job->pages && analysis->launch != NULL) {
    struct wb_launch_report report = report_of(analysis);
    const struct wb_control control = wb_control_start(&analysis->job->limits.options);
    struct wb_text text = {0};
    report.control = &control;
    wb_analyze_page(&report, &text);
    task->page = wb_text_take(&text);
    if (task->page == NULL)
      return wb_out_of_memory(error);
  }
  return task->row != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

warpbound_status check_analyse(const struct check_job *job, struct check_task *task,
                               struct check_code *code, warpbound_error *error)
{
  warpbound_error own = {0};
  struct analysis analysis = {.job = job, .task = task, .code = code, .error = &own};
  warpbound_status status = prepare(&analysis);
  const bool keyed = status == WARPBOUND_OK && job->cache != NULL;
  task->done = true;
  warpbound_status outcome = WARPBOUND_OK;
  if (!keyed || !take_kept(&analysis)) {
    if (status == WARPBOUND_OK)
      status = analyse(&analysis);
    outcome = status == WARPBOUND_INTERNAL ? wb_fail_with(error, &own)
                                           : make_row(&analysis, status, error);
    /* What is wrong with a file names its lines, which may move, and is soon found again. */
    if (outcome == WARPBOUND_OK && keyed &&
        (status == WARPBOUND_OK || status == WARPBOUND_FACTS_MISSING))
      keep(&analysis);
  }
  warpbound_launch_free(analysis.launch);
  warpbound_kernel_free(analysis.kernel);
  wcet_options_free(&analysis.options.wcet);
  warpbound_gpu_free(analysis.gpu);
  return outcome;
}

warpbound_status check_cost(const struct check_job *job, struct check_task *task,
                            struct check_code *code, uint64_t *cost, warpbound_error *error)
{
  warpbound_error own = {0};
  struct analysis analysis = {.job = job, .task = task, .code = code, .error = &own};
  *cost = 1;
  warpbound_status status = prepare(&analysis);
  if (status == WARPBOUND_OK)
    status = find_kernel(&analysis);
  if (status == WARPBOUND_OK)
    *cost += warpbound_module_function_instruction_count(code->module,
                                                         warpbound_kernel_index(analysis.kernel));
  warpbound_kernel_free(analysis.kernel);
  wcet_options_free(&analysis.options.wcet);
  warpbound_gpu_free(analysis.gpu);
  return status == WARPBOUND_INTERNAL ? wb_fail_with(error, &own) : WARPBOUND_OK;
}
