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
/* Of a path with all that it begins with: that of realpath. */
#define WHOLE_PATH_SIZE (4096 + 1)
/* What of the format of kept results the program's version does not say. */
#define CACHE_FORMAT "warpbound-kept-1"

/* One analysis under way. */
struct analysis {
  const struct check_job *job;
  struct check_task *task;
  struct check_code *code;
  struct check_device *device;
  struct arguments arguments; /* the task's with its defaults; borrows */
  char architecture[32];
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

static void close_code(struct check_code *code)
{
  drop_module(code);
  wb_input_free(&code->source);
  *code = (struct check_code){0};
}

warpbound_status check_code_open(const struct arguments *arguments, struct check_code *code,
                                 warpbound_error *error)
{
  if (code->path != NULL && strcmp(code->path, arguments->input) == 0)
    return WARPBOUND_OK;
  close_code(code);
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

/* Some options as a text, which the caller frees; NULL where memory is out. */
static char *options_text(const struct arguments *arguments, const enum option *options,
                          size_t count)
{
  struct wb_text text = {0};
  for (size_t o = 0; o < count; o++)
    write_option(arguments, options[o], &text);
  return wb_text_take(&text);
}

/* Parses the open code, unless that was done in the same way. */
static warpbound_status parse_code(const struct arguments *arguments, struct check_code *code,
                                   warpbound_error *error)
{
  static const enum option options[] = {OPTION_SM, OPTION_ARCH, OPTION_MODULE, OPTION_TARGETS};
  char *parsed_as = options_text(arguments, options, sizeof options / sizeof *options);
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

/* ---- the device ---- */

static void close_device(struct check_device *device)
{
  warpbound_gpu_free(device->gpu);
  free(device->read_as);
  *device = (struct check_device){0};
}

void check_opened_close(struct check_opened *opened)
{
  close_code(&opened->code);
  close_device(&opened->device);
}

static warpbound_status read_device(const struct arguments *arguments, struct check_device *device,
                                    warpbound_error *error)
{
  char *json = NULL;
  warpbound_status status = gpu_input_read(arguments, &device->gpu, error);
  if (status == WARPBOUND_OK)
    status = warpbound_gpu_json(device->gpu, &json, error);
  if (status == WARPBOUND_OK)
    digest_of(json, strlen(json), device->digest);
  warpbound_text_free(json);
  return status;
}

/* Reads the device, unless that was done with the same options. */
static warpbound_status open_device(const struct arguments *arguments, struct check_device *device,
                                    warpbound_error *error)
{
  /* All that gpu_input_read reads. */
  static const enum option options[] = {OPTION_SM, OPTION_MODE, OPTION_SET, OPTION_CLOCK,
                                        OPTION_FOREIGN_FACTOR};
  char *read_as = options_text(arguments, options, sizeof options / sizeof *options);
  if (read_as == NULL)
    return wb_out_of_memory(error);
  if (device->read_as != NULL && strcmp(read_as, device->read_as) == 0) {
    free(read_as);
    return WARPBOUND_OK;
  }
  close_device(device);
  const warpbound_status status = read_device(arguments, device, error);
  if (status != WARPBOUND_OK) {
    close_device(device);
    free(read_as);
    return status;
  }
  device->read_as = read_as;
  return WARPBOUND_OK;
}

/* ---- what a result was made of ---- */

/* The digest of the program, the options, the device, the binary and the flow facts. The sources
 * that the code names are known only when it is parsed: the kept result lists them. */
static void make_key(struct analysis *analysis)
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
  digest_add_text(&digest, analysis->device->digest);
  digest_finish(&digest, analysis->key);
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

/* A file of the project as the project names it: below its folder where it is there. */
static const char *below_project(const struct check_job *job, const char *path, char *whole)
{
  const size_t length = strlen(job->folder);
  if (length > 0 && strncmp(path, job->folder, length) == 0) {
    path += length;
  } else if (path[0] == '/' && realpath(length > 0 ? job->folder : ".", whole) != NULL) {
    const size_t top = strlen(whole);
    path += strncmp(path, whole, top) == 0 && path[top] == '/' ? top + 1 : 0;
  }
  return strncmp(path, "./", 2) == 0 ? path + 2 : path;
}

/* ---- the inputs of a shard ---- */

/* Adds a digest, NULL for what cannot be read; one that is there stays. */
static void add_input(json_t *group, const char *name, const char *digest)
{
  struct wb_text key = {0};
  wb_text_clean(&key, name);
  const json_t *known = key.failed ? NULL : json_object_get(group, key.data);
  if (!json_is_string(known))
    wb_json_put(&group, key.failed ? "" : key.data,
                digest != NULL ? json_string(digest) : json_null());
  wb_text_free(&key);
}

/* The same of a path, or of the name of a device. */
static void add_file(const struct analysis *analysis, json_t *group, const char *path,
                     const char *digest)
{
  char *whole = wb_allocate(1, WHOLE_PATH_SIZE);
  if (path != NULL && whole != NULL)
    add_input(group, below_project(analysis->job, path, whole), digest);
  free(whole);
}

/* Adds what the launch is of, as far as it was read. */
static void add_inputs(const struct analysis *analysis)
{
  const struct check_task *task = analysis->task;
  const struct check_code *code = analysis->code;
  const struct wb_input *facts = &analysis->options.wcet.facts;
  json_t *files = json_object_get(analysis->job->inputs, "files");
  json_t *devices = json_object_get(analysis->job->inputs, "devices");
  const bool opened = code->path != NULL && strcmp(code->path, task->binary) == 0;
  const struct check_device *device = analysis->device;
  char digest[DIGEST_SIZE];
  add_file(analysis, devices, task->arguments.value[OPTION_SM],
           device->gpu != NULL ? device->digest : NULL);
  add_file(analysis, files, task->binary, opened ? code->digest : NULL);
  if (facts->bytes != NULL)
    digest_of(facts->bytes, facts->length, digest);
  add_file(analysis, files, task->arguments.value[OPTION_FLOW_FACTS],
           facts->bytes != NULL ? digest : NULL);
  json_t *sources = opened && code->module != NULL ? files_json(analysis) : NULL;
  const char *path;
  json_t *of_source;
  json_object_foreach(sources, path, of_source)
      add_file(analysis, files, path, json_string_value(of_source));
  json_decref(sources);
}

/* ---- rows ---- */

/* What every row has. */
static void put_common(const struct check_task *task, json_t **row)
{
  const struct wb_project_value *binary = wb_project_value_of(task->launch, "binary");
  const char *written = binary != NULL && binary->count > 0 ? binary->texts[0] : task->binary;
  wb_json_put(row, "number", json_integer((json_int_t)task->number));
  wb_json_put(row, "binary", wb_json_clean(written));
  wb_json_put(row, "line", json_integer((json_int_t)task->launch->line));
  wb_json_put(row, "notes", wb_json_clean_list(&task->notes));
}

/* The files that the code names, by those names, where the project has them under others. */
static json_t *paths_json(const struct analysis *analysis)
{
  const struct wcet_options *options = &analysis->options.wcet;
  const warpbound_module *module = analysis->code->module;
  char *whole = wb_allocate(1, WHOLE_PATH_SIZE);
  json_t *object = whole != NULL ? json_object() : NULL;
  for (size_t f = 0; whole != NULL && f < warpbound_module_source_count(module); f++) {
    const char *named = warpbound_module_source(module, f);
    const bool read = options->files != NULL && options->files[f].bytes != NULL;
    const char *path = below_project(analysis->job, read ? options->files[f].name : named, whole);
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
      .timeless = true, /* the same inputs, the same result */
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
  /* It is found for pages alone: what is printed does not depend on these. */
  wb_json_put(&row, "sensitivity", json_array());
  wb_json_put(&row, "advice", json_array());
  shorten(json_object_get(row, "assumptions"), analysis->job->folder);
  put_common(analysis->task, &row);
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
static json_t *refusal_row(const struct check_task *task, const warpbound_error *error)
{
  json_t *row = json_object();
  put_common(task, &row);
  wb_json_put(&row, "name", wb_json_clean(task->launch->name));
  wb_json_put(&row, "status", json_integer((json_int_t)error->status));
  wb_json_put(&row, "message", wb_json_clean(error->message));
  if (error->file[0] != '\0')
    wb_json_put(&row, "file", wb_json_clean(error->file));
  if (error->line > 0)
    wb_json_put(&row, "file_line", json_integer((json_int_t)error->line));
  if (error->line > 0 && error->column > 0)
    wb_json_put(&row, "file_column", json_integer((json_int_t)error->column));
  return row;
}

bool check_refuse(struct check_task *task, const warpbound_error *error)
{
  task->done = true;
  task->refused = true;
  task->row = refusal_row(task, error);
  return task->row != NULL;
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
  warpbound_status status = open_device(arguments, analysis->device, error);
  if (status == WARPBOUND_OK)
    status = analyze_options_read(arguments, &analysis->options, error);
  if (status == WARPBOUND_OK)
    status = check_code_open(arguments, analysis->code, error);
  if (status == WARPBOUND_OK)
    make_key(analysis);
  return status;
}

/* The module for the device's architecture, and the kernel. */
static warpbound_status find_kernel(struct analysis *analysis)
{
  struct arguments of_device = analysis->arguments;
  warpbound_error *error = analysis->error;
  snprintf(analysis->architecture, sizeof analysis->architecture, "sm_%" PRIu32,
           warpbound_gpu_architecture(analysis->device->gpu));
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
    status = warpbound_launch_analyse(analysis->kernel, analysis->device->gpu,
                                      &analysis->options.launch, &limits, &analysis->launch, error);
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
  task->row =
      bounded ? result_row(analysis, status != WARPBOUND_OK) : refusal_row(task, analysis->error);
  if (!bounded && analysis->launch != NULL && analysis->launch->analysis.missing_count > 0)
    wb_json_put(&task->row, "facts", wb_analyze_facts_json(&analysis->launch->analysis));
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
                               struct check_opened *opened, warpbound_error *error)
{
  warpbound_error own = {0};
  struct analysis analysis = {
      .job = job, .task = task, .code = &opened->code, .device = &opened->device, .error = &own};
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
  return outcome;
}

warpbound_status check_cost(const struct check_job *job, struct check_task *task,
                            struct check_opened *opened, uint64_t *cost, warpbound_error *error)
{
  warpbound_error own = {0};
  struct analysis analysis = {
      .job = job, .task = task, .code = &opened->code, .device = &opened->device, .error = &own};
  *cost = 1;
  warpbound_status status = prepare(&analysis);
  if (status == WARPBOUND_OK)
    status = find_kernel(&analysis);
  if (status == WARPBOUND_OK)
    *cost += warpbound_module_function_instruction_count(opened->code.module,
                                                         warpbound_kernel_index(analysis.kernel));
  if (status == WARPBOUND_OK) /* reads the sources */
    status =
        analyze_options_complete(&analysis.arguments, opened->code.module, &analysis.options, &own);
  add_inputs(&analysis);
  warpbound_kernel_free(analysis.kernel);
  wcet_options_free(&analysis.options.wcet);
  return status == WARPBOUND_INTERNAL ? wb_fail_with(error, &own) : WARPBOUND_OK;
}
