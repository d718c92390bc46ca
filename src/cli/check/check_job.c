#include "cli/check/check_job.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "cli/input/device_input.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEFAULT_PROJECT "warpbound.yaml"
/* Bytes of kept results. */
#define DEFAULT_CACHE_LIMIT (UINT64_C(1) << 30)

/* ---- paths ---- */

/* A path of the project as the program opens it. NULL where memory is out. */
static const char *resolve(struct check_job *job, const char *path)
{
  struct wb_text text = {0};
  wb_text_format(&text, "%s%s", path[0] == '/' ? "" : job->folder, path);
  const char *kept = text.failed ? NULL : wb_arena_text(&job->arena, text.data, text.length);
  wb_text_free(&text);
  return kept;
}

/* Whether the text of `device` is a file and no name. */
static bool is_device_file(const char *text)
{
  const size_t length = strlen(text);
  return strchr(text, '/') != NULL || (length > 5 && strcmp(text + length - 5, ".json") == 0);
}

/* ---- tasks ---- */

static warpbound_status take_value(struct check_job *job, struct check_task *task,
                                   const struct wb_project_value *value, warpbound_error *error)
{
  struct arguments *arguments = &task->arguments;
  const char *name = check_option_name(value->key);
  const bool path = value->key->kind == WB_PROJECT_PATH &&
                    (strcmp(name, "sm") != 0 || is_device_file(value->texts[0]));
  const char *text = value->count == 0 ? NULL
                     : path            ? resolve(job, value->texts[0])
                                       : value->texts[0];
  if (value->count > 0 && text == NULL)
    return wb_out_of_memory(error);
  if (name[0] == '\0') {
    task->binary = task->binary != NULL ? task->binary : text;
    return WARPBOUND_OK;
  }
  const enum option option = option_of_key(name);
  if (job->arguments->value[option] != NULL && (option_rows[option].commands & COMMAND_CHECK))
    return WARPBOUND_OK; /* the command line's stands */
  arguments->key[option] = value->key->key;
  if (!option_rows[option].repeatable) {
    arguments->value[option] = text;
    return WARPBOUND_OK;
  }
  for (size_t t = 0; t < value->count; t++)
    wb_list_add(&arguments->repeated[option], "%s", value->texts[t]);
  return arguments->repeated[option].failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

static warpbound_status require(const struct check_job *job, const struct check_task *task,
                                bool has, const char *key, const char *option,
                                warpbound_error *error)
{
  return has ? WARPBOUND_OK
             : wb_fail_at(error, WARPBOUND_INVALID_INPUT, job->project.name, task->launch->line,
                          task->launch->column,
                          "launch %.100s: expected '%s', here or for all launches (or --%s)",
                          task->launch->name, key, option);
}

static warpbound_status make_task(struct check_job *job, size_t number, struct check_task *task,
                                  warpbound_error *error)
{
  /* Options of the command that every launch has too. */
  static const enum option shared[] = {OPTION_SM, OPTION_REQUIRE_PROOF, OPTION_SOURCES};
  const struct wb_project_launch *launch = &job->project.launches[number - 1];
  struct wb_text place = {0};
  *task = (struct check_task){.launch = launch, .number = number};
  task->arguments.notes = &task->notes;
  wb_text_format(&place, "launch %s", launch->name);
  task->place = place.failed ? NULL : wb_arena_text(&job->arena, place.data, place.length);
  wb_text_free(&place);
  if (task->place == NULL)
    return wb_out_of_memory(error);
  task->arguments.instance = task->place;
  task->binary = job->arguments->value[OPTION_BINARY];
  for (size_t s = 0; s < sizeof shared / sizeof *shared; s++)
    task->arguments.value[shared[s]] = job->arguments->value[shared[s]];
  warpbound_status status = WARPBOUND_OK;
  for (size_t v = 0; v < launch->value_count && status == WARPBOUND_OK; v++)
    status = take_value(job, task, &launch->values[v], error);
  task->arguments.input = task->binary;
  if (status == WARPBOUND_OK)
    status = require(job, task, task->binary != NULL, "binary", "binary", error);
  if (status == WARPBOUND_OK)
    status = require(job, task, task->arguments.value[OPTION_SM] != NULL, "device", "sm", error);
  return status;
}

/* ---- the job ---- */

/* K/N of --shard. */
static warpbound_status read_shard(struct check_job *job, warpbound_error *error)
{
  const char *text = job->arguments->value[OPTION_SHARD];
  job->shard = job->shard_count = 1;
  if (text == NULL)
    return WARPBOUND_OK;
  const char *end = number_read(text, 1000000, &job->shard);
  const char *last =
      end != NULL && *end == '/' ? number_read(end + 1, 1000000, &job->shard_count) : NULL;
  return last != NULL && *last == '\0' && job->shard >= 1 && job->shard <= job->shard_count
             ? WARPBOUND_OK
             : wb_fail(error, WARPBOUND_USAGE,
                       "--shard: expected K/N with 1 <= K <= N <= 1000000, found '%.60s'", text);
}

/* The folder of kept results: of --cache, of the project, else the user's. */
static warpbound_status find_cache(struct check_job *job, warpbound_error *error)
{
  const char *given = job->arguments->value[OPTION_CACHE];
  static const struct option_member limit = {
      OPTION_CACHE_LIMIT, VALUE_BYTES,        OPTION_MEMBER(struct check_job, cache_limit),
      .least = 1,         .most = UINT64_MAX, .expected = "bytes as 1000000, 512M or 4G"};
  const char *home = getenv("XDG_CACHE_HOME");
  const char *below = "/warpbound";
  struct wb_text text = {0};
  job->cache_limit = DEFAULT_CACHE_LIMIT;
  const warpbound_status status = option_members_read(job->arguments, &limit, 1, job, error);
  if (status != WARPBOUND_OK)
    return status;
  if (job->arguments->value[OPTION_NO_CACHE] != NULL)
    return given == NULL ? WARPBOUND_OK
                         : wb_fail(error, WARPBOUND_USAGE,
                                   "expected one of --cache and --no-cache, found both");
  if (home == NULL || home[0] != '/') {
    home = getenv("HOME");
    below = "/.cache/warpbound";
  }
  if (given != NULL && *given == '\0')
    return wb_fail(error, WARPBOUND_USAGE, "--cache: expected a folder, found ''");
  if (given != NULL)
    wb_text_string(&text, given);
  else if (job->project.cache != NULL)
    wb_text_format(&text, "%s%s", job->project.cache[0] == '/' ? "" : job->folder,
                   job->project.cache);
  else if (home != NULL && home[0] == '/')
    wb_text_format(&text, "%s%s", home, below);
  else
    return WARPBOUND_OK;
  job->cache = wb_text_take(&text);
  return job->cache != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

/* Reads the file of the project: what is named, or the one in the folder that is. */
static warpbound_status read_file(struct check_job *job, warpbound_error *error)
{
  struct stat found;
  const char *name = job->arguments->input != NULL ? job->arguments->input : DEFAULT_PROJECT;
  struct wb_text path = {0};
  wb_text_string(&path, name);
  if (stat(name, &found) == 0 && S_ISDIR(found.st_mode))
    wb_text_string(&path, "/" DEFAULT_PROJECT);
  if (path.failed)
    return wb_out_of_memory(error);
  warpbound_status status = wb_input_read(path.data, &job->file, error);
  wb_text_free(&path);
  if (status != WARPBOUND_OK && job->arguments->input == NULL && error->file[0] != '\0') {
    const warpbound_error cause = *error;
    (void)wb_fail_at(error, cause.status, cause.file, 0, 0,
                     "%.300s; 'warpbound init BINARY' writes a project file", cause.message);
  }
  if (status != WARPBOUND_OK)
    return status;
  const char *slash = strrchr(job->file.name, '/');
  const size_t length = slash != NULL ? (size_t)(slash - job->file.name) + 1 : 0;
  job->folder = wb_copy_text(job->file.name, length);
  if (job->folder == NULL)
    return wb_out_of_memory(error);
  return wb_project_read(job->file.name, job->file.bytes, job->file.length, &job->project, error);
}

warpbound_status check_job_read(struct arguments *arguments, struct check_job *job,
                                warpbound_error *error)
{
  job->arguments = arguments;
  job->pages = arguments->value[OPTION_REPORT] != NULL;
  warpbound_status status = limits_read(arguments, &job->limits, error);
  if (status == WARPBOUND_OK)
    status = read_shard(job, error);
  if (status == WARPBOUND_OK)
    status = read_file(job, error);
  if (status == WARPBOUND_OK)
    status = find_cache(job, error);
  if (status != WARPBOUND_OK)
    return status;
  struct digest digest = digest_start();
  digest_add_program(&digest);
  digest_finish(&digest, job->program);
  job->tasks = wb_arena_array(&job->arena, struct check_task, job->project.launch_count);
  if (job->tasks == NULL)
    return wb_out_of_memory(error);
  for (size_t t = 0; t < job->project.launch_count && status == WARPBOUND_OK; t++) {
    status = make_task(job, t + 1, &job->tasks[t], error);
    job->count = t + 1;
  }
  return status;
}

void check_task_clear(struct check_task *task)
{
  wb_list_free(&task->notes);
  json_decref(task->row);
  free(task->page);
  task->notes = (struct wb_list){0};
  task->row = NULL;
  task->page = NULL;
}

void check_job_free(struct check_job *job)
{
  for (size_t t = 0; t < job->count; t++) {
    arguments_free(&job->tasks[t].arguments);
    check_task_clear(&job->tasks[t]);
  }
  json_decref(job->inputs);
  wb_project_free(&job->project);
  wb_input_free(&job->file);
  free(job->folder);
  free(job->cache);
  wb_arena_free(&job->arena);
  *job = (struct check_job){0};
}
