#include "cli/check/check_results.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "formats/json/json_input.h"
#include "formats/json/json_output.h"
#include "report/check/check_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- of a check ---- */

/* Of a launch that the check did not come to. */
static json_t *stopped_row(const struct check_task *task)
{
  const char *binary = task->binary != NULL ? task->binary : "";
  json_t *row = json_pack("{s:I, s:I, s:i, s:s, s:[]}", "number", (json_int_t)task->number, "line",
                          (json_int_t)task->launch->line, "status", (int)WARPBOUND_LIMIT, "message",
                          "not analysed: the check was stopped before", "notes");
  wb_json_put(&row, "name", wb_json_clean(task->launch->name));
  wb_json_put(&row, "binary", wb_json_clean(binary));
  return row;
}

/* The object without rows. */
static json_t *make_head(const struct check_job *job, const struct check_gate *gate)
{
  const char *slash = strrchr(job->project.name, '/');
  json_t *object = json_pack("{s:s, s:s, s:I}", "format", WB_CHECK_FORMAT, "version",
                             WARPBOUND_VERSION, "total", (json_int_t)job->count);
  wb_json_put(&object, "project", wb_json_clean(slash != NULL ? slash + 1 : job->project.name));
  if (job->shard_count > 1)
    wb_json_put(&object, "shard",
                json_pack("[I, I]", (json_int_t)job->shard, (json_int_t)job->shard_count));
  if (job->inputs != NULL)
    wb_json_put(&object, "inputs", json_incref(job->inputs));
  if (job->shard_count > 1 && gate != NULL && gate->baseline != NULL) {
    json_t *of_check = json_pack("{s:f}", "fail_above", (double)gate->limit / WB_PERCENT);
    wb_json_put(&of_check, "baseline", wb_json_clean(gate->baseline));
    wb_json_put(&object, "gate", of_check);
  }
  return object;
}

warpbound_status check_results_make(const struct check_job *job, const struct check_gate *gate,
                                    json_t **results, warpbound_error *error)
{
  json_t *object = make_head(job, gate);
  json_t *launches = json_array();
  json_t *refused = json_array();
  for (size_t t = 0; t < job->count; t++) {
    const struct check_task *task = &job->tasks[t];
    if (task->left)
      continue;
    if (!task->done)
      wb_json_push(&refused, stopped_row(task));
    else
      wb_json_push(task->refused ? &refused : &launches, json_incref(task->row));
  }
  wb_json_put(&object, "launches", launches);
  wb_json_put(&object, "refused", refused);
  *results = object;
  return object != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

warpbound_status check_pages_write(const struct check_job *job, const char *folder,
                                   warpbound_error *error)
{
  warpbound_status status = WARPBOUND_OK;
  for (size_t t = 0; t < job->count && status == WARPBOUND_OK; t++) {
    const struct check_task *task = &job->tasks[t];
    struct wb_text name = {0};
    if (task->page == NULL)
      continue;
    wb_text_format(&name, "%s/", folder);
    wb_check_page_name(task->row, &name);
    status = name.failed ? wb_out_of_memory(error)
                         : wb_file_write(name.data, task->page, strlen(task->page), error);
    wb_text_free(&name);
  }
  return status;
}

/* ---- of shards ---- */

/* What is united so far. */
struct merge {
  json_t *object;  /* of the first file, with the rows of all */
  json_t *inputs;  /* of the first file; NULL: it is no shard's */
  const char **of; /* by number of a launch less 1: the file that has it */
  size_t total;
  const char *first;
  warpbound_error *error;
};

static warpbound_status check_row(const struct merge *merge, const char *file, const json_t *row)
{
  const json_int_t number = json_integer_value(json_object_get(row, "number"));
  if (!json_is_object(row) || !json_is_string(json_object_get(row, "name")) || number < 1 ||
      (uint64_t)number > merge->total)
    return wb_fail_at(merge->error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                      "expected launches with a name and a number from 1 to %zu", merge->total);
  if (merge->of[number - 1] != NULL)
    return wb_fail_at(merge->error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                      "expected each launch once, found '%.60s' in %.100s too",
                      json_string_value(json_object_get(row, "name")), merge->of[number - 1]);
  merge->of[number - 1] = file;
  return WARPBOUND_OK;
}

/* Takes the rows of a list of the file. */
static warpbound_status take_rows(const struct merge *merge, const char *file, const json_t *object,
                                  const char *key)
{
  const json_t *list = json_object_get(object, key);
  if (!json_is_array(list))
    return wb_json_wrong(file, key, "a list of launches", list, merge->error);
  for (size_t r = 0; r < json_array_size(list); r++) {
    const warpbound_status status = check_row(merge, file, json_array_get(list, r));
    if (status != WARPBOUND_OK)
      return status;
  }
  json_t *into = json_object_get(merge->object, key);
  return into == list || json_array_extend(into, (json_t *)list) == 0
             ? WARPBOUND_OK
             : wb_out_of_memory(merge->error);
}

/* One kind of input, and how a difference is told. */
struct input_kind {
  const char *key;
  const char *subject;   /* before the name of one, where there are several by name */
  const char *predicate; /* before "for" and the first file */
};

/* The name of an input that two groups do not have alike; NULL: there is none. */
static const char *find_difference(const json_t *one, const json_t *other)
{
  const char *name;
  json_t *value;
  json_object_foreach((json_t *)one, name, value)
  {
    if (!json_equal(value, json_object_get(other, name)))
      return name;
  }
  json_object_foreach((json_t *)other, name, value)
  {
    if (json_object_get(one, name) == NULL)
      return name;
  }
  return NULL;
}

/* Whether a shard was made of what the first one was made of. */
static warpbound_status check_inputs(const struct merge *merge, const char *file,
                                     const json_t *inputs)
{
  static const struct input_kind kinds[] = {
      {"program", "the program, or a library of it,", "is of another build than"},
      {"project", "the project's file", "has other contents than"},
      {"options", "--", "is not as"},
      {"devices", "device ", "has other values than"},
      {"files", "file ", "has other contents than"}};
  if (!json_is_object(inputs) || !json_is_object(merge->inputs))
    return wb_fail_at(merge->error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                      "inputs: expected what the results are of, here and in %.200s, as 'check "
                      "--shard' of this version writes it",
                      merge->first);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    const json_t *of_first = json_object_get(merge->inputs, kinds[k].key);
    const json_t *group = json_object_get(inputs, kinds[k].key);
    const bool by_name = json_is_object(of_first) && json_is_object(group);
    const char *name = by_name ? find_difference(of_first, group) : "";
    if (by_name ? name != NULL : !json_equal(of_first, group))
      return wb_fail_at(merge->error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                        "expected the shards of one check: %s%.200s %s for %.200s",
                        kinds[k].subject, name, kinds[k].predicate, merge->first);
  }
  return WARPBOUND_OK;
}

/* How much launches may grow by the gate of the check; below 0: it has none. */
static double growth_of(const json_t *object)
{
  const json_t *gate = json_object_get(object, "gate");
  return gate != NULL ? json_number_value(json_object_get(gate, "fail_above")) : -1;
}

/* Whether the file is of the check that the first one is of. */
static warpbound_status check_head(struct merge *merge, const char *file, const json_t *object)
{
  static const char *const keys[] = {"version", "project", "total"};
  const json_int_t total = json_integer_value(json_object_get(object, "total"));
  if (total < 1 || total > WB_PROJECT_LAUNCHES)
    return wb_fail_at(merge->error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                      "total: expected a number from 1 to %d", WB_PROJECT_LAUNCHES);
  for (size_t k = 0; merge->object != NULL && k < sizeof keys / sizeof *keys; k++) {
    if (!json_equal(json_object_get(merge->object, keys[k]), json_object_get(object, keys[k])))
      return wb_fail_at(merge->error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                        "%s: expected the same as in %.200s: shards of one check", keys[k],
                        merge->first);
  }
  /* The same baseline may have another path where another shard ran. */
  if (merge->object != NULL && growth_of(merge->object) != growth_of(object))
    return wb_fail_at(merge->error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                      "gate: expected the same growth as in %.200s: shards of one check",
                      merge->first);
  if (merge->object != NULL)
    return check_inputs(merge, file, json_object_get(object, "inputs"));
  merge->total = (size_t)total;
  merge->of = wb_allocate(merge->total, sizeof *merge->of);
  return merge->of != NULL ? WARPBOUND_OK : wb_out_of_memory(merge->error);
}

static warpbound_status take_file(struct merge *merge, const char *name)
{
  static const char *const formats[] = {WB_CHECK_FORMAT, NULL};
  struct wb_input file;
  json_t *object = NULL;
  warpbound_status status = wb_input_read(name, &file, merge->error);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_json_parse(name, file.bytes, file.length, &object, merge->error);
  if (status == WARPBOUND_OK)
    status = wb_json_format(name, object, formats, merge->error);
  if (status == WARPBOUND_OK)
    status = check_head(merge, name, object);
  if (status == WARPBOUND_OK && merge->object == NULL) {
    merge->object = json_incref(object);
    merge->first = name;
    merge->inputs = json_incref(json_object_get(object, "inputs"));
    json_object_del(merge->object, "inputs");
    json_object_del(merge->object, "shard");
    json_object_del(merge->object, "compared");
  }
  if (status == WARPBOUND_OK)
    status = take_rows(merge, name, object, "launches");
  if (status == WARPBOUND_OK)
    status = take_rows(merge, name, object, "refused");
  json_decref(object);
  wb_input_free(&file);
  return status;
}

/* Sorts the rows of a list by their numbers, as one check would have them. */
static warpbound_status sort_rows(json_t *results, const char *key, warpbound_error *error)
{
  size_t count;
  const json_t **rows = wb_check_rows(results, &count);
  const bool refused = strcmp(key, "refused") == 0;
  json_t *sorted = rows != NULL ? json_array() : NULL;
  for (size_t r = 0; rows != NULL && r < count; r++) {
    if ((json_object_get(rows[r], "status") != NULL) == refused)
      wb_json_push(&sorted, json_incref((json_t *)rows[r]));
  }
  free(rows);
  return sorted != NULL && json_object_set_new(results, key, sorted) == 0 ? WARPBOUND_OK
                                                                          : wb_out_of_memory(error);
}

/* Takes the gate of the check out of the results of its shards. */
static warpbound_status take_gate(const struct merge *merge, char **baseline, uint64_t *limit)
{
  const json_t *gate = json_object_get(merge->object, "gate");
  const json_t *file = json_object_get(gate, "baseline");
  const double growth = growth_of(merge->object);
  if (gate == NULL)
    return WARPBOUND_OK;
  if (!json_is_string(file) || !(growth >= 0 && growth <= WB_MOST_GROWTH))
    return wb_fail_at(merge->error, WARPBOUND_INVALID_INPUT, merge->first, 0, 0,
                      "gate: expected a baseline and a growth of 0 to %d percent, as check writes "
                      "them",
                      WB_MOST_GROWTH);
  *limit = (uint64_t)(growth * WB_PERCENT + 0.5);
  *baseline = wb_copy_text(json_string_value(file), json_string_length(file));
  json_object_del(merge->object, "gate");
  return *baseline != NULL ? WARPBOUND_OK : wb_out_of_memory(merge->error);
}

warpbound_status check_results_merge(const struct wb_list *files, json_t **results, char **baseline,
                                     uint64_t *limit, warpbound_error *error)
{
  struct merge merge = {.error = error};
  warpbound_status status = WARPBOUND_OK;
  *results = NULL;
  *baseline = NULL;
  if (files->count == 0)
    return wb_fail(error, WARPBOUND_USAGE,
                   "expected the results of all shards, as 'check --shard K/N --output FILE' "
                   "writes them, found none");
  for (size_t f = 0; f < files->count && status == WARPBOUND_OK; f++)
    status = take_file(&merge, files->items[f]);
  for (size_t l = 0; l < merge.total && status == WARPBOUND_OK; l++) {
    if (merge.of[l] == NULL)
      status = wb_fail(error, WARPBOUND_INVALID_INPUT,
                       "expected the results of all shards: launch %zu of the %zu of the project "
                       "is in none of the files",
                       l + 1, merge.total);
  }
  if (status == WARPBOUND_OK)
    status = sort_rows(merge.object, "launches", error);
  if (status == WARPBOUND_OK)
    status = sort_rows(merge.object, "refused", error);
  if (status == WARPBOUND_OK)
    status = take_gate(&merge, baseline, limit);
  free(merge.of);
  json_decref(merge.inputs);
  if (status == WARPBOUND_OK)
    *results = merge.object;
  else
    json_decref(merge.object);
  return status;
}
