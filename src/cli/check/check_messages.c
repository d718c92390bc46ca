/* Messages of a check: by the keys and lines of the project's file, not by options. */
#include "cli/check/check_job.h"

#include "base/status.h"
#include "base/text.h"

#include <string.h>

const char *check_option_name(const struct wb_project_key *key)
{
  return key->option != NULL ? key->option : key->key;
}

/* ---- options as keys ---- */

/* The key whose option's name begins a text, "grid X[,Y,Z]"; NULL: none. *length: of that name. */
static const struct wb_project_key *key_of_text(const char *text, size_t *length)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";
  *length = strspn(text, letters);
  for (const struct wb_project_key *key = wb_project_keys; key->key != NULL; key++) {
    const char *name = check_option_name(key);
    size_t same = 0;
    while (same < *length && name[same] != '\0' &&
           (text[same] == name[same] || (text[same] == '-' && name[same] == '_')))
      same++;
    if (same == *length && name[same] == '\0' && same > 0)
      return key;
  }
  return NULL;
}

/* "--flow-facts FILE" is "flow_facts: FILE", "--param n=N" is "param: {n: N}"; options that are no
 * keys stay. */
static void say_in_keys(const char *message, struct wb_text *words)
{
  while (*message != '\0') {
    size_t length = 0;
    const struct wb_project_key *key =
        strncmp(message, "--", 2) == 0 ? key_of_text(message + 2, &length) : NULL;
    if (key == NULL) {
      wb_text_append(words, message, 1);
      message++;
      continue;
    }
    message += 2 + length;
    const size_t value = *message == ' ' ? strcspn(message + 1, " ,;:)") : 0;
    const char *equal = memchr(message + 1, '=', value);
    wb_text_string(words, key->key);
    if (strcmp(key->key, "param") == 0 && equal != NULL) {
      wb_text_string(words, ": {");
      wb_text_append(words, message + 1, (size_t)(equal - message) - 1);
      wb_text_string(words, ": ");
      wb_text_append(words, equal + 1, value - (size_t)(equal - message));
      wb_text_string(words, "}");
      message += 1 + value;
    } else if (*message == ' ' && key->kind != WB_PROJECT_FLAG) {
      wb_text_string(words, ":");
    }
  }
}

/* Takes a message in place of that of the error, at a place of the project's file. Frees it. */
static void replace_message(const struct check_job *job, warpbound_status status, size_t line,
                            size_t column, struct wb_text *words, warpbound_error *error)
{
  if (words->failed)
    (void)wb_out_of_memory(error);
  else
    (void)wb_fail_at(error, status, job->project.name, line, column, "%s", words->data);
  wb_text_free(words);
}

/* ---- where an error comes from ---- */

/* The option that a message begins with, as "--param: ..."; NULL: none. *rest is what follows its
 * name. */
static const struct wb_project_value *value_of_message(const struct check_task *task,
                                                       const char *message, const char **rest)
{
  const struct wb_project_launch *launch = task->launch;
  const bool option = strncmp(message, "--", 2) == 0;
  for (size_t v = 0; v < launch->value_count; v++) {
    const struct wb_project_value *value = &launch->values[v];
    const enum option of = option_of_key(check_option_name(value->key));
    if (option && of == OPTION_COUNT)
      continue;
    const char *name = option ? option_rows[of].name : value->key->key;
    const char *at = message + (option ? 2 : 0);
    const size_t length = strlen(name);
    if (strncmp(at, name, length) == 0 && (at[length] == ':' || at[length] == ',')) {
      *rest = at + length;
      return value;
    }
  }
  return NULL;
}

/* The path of the launch that could not be opened; NULL: the error is about something else. */
static const struct wb_project_value *unopened_path(const struct check_job *job,
                                                    const struct check_task *task,
                                                    const warpbound_error *error)
{
  const bool own_binary = job->arguments->value[OPTION_BINARY] == NULL;
  const struct wb_project_launch *launch = task->launch;
  for (size_t v = 0; v < launch->value_count && error->line == 0; v++) {
    const struct wb_project_value *value = &launch->values[v];
    const enum option option = option_of_key(check_option_name(value->key));
    const char *opened = check_option_name(value->key)[0] == '\0'
                             ? (own_binary ? task->binary : NULL)
                         : option < OPTION_COUNT ? task->arguments.value[option]
                                                 : NULL;
    if (value->key->kind == WB_PROJECT_PATH && opened != NULL && strcmp(opened, error->file) == 0)
      return value;
  }
  return NULL;
}

void check_locate(const struct check_job *job, const struct check_task *task,
                  warpbound_error *error)
{
  const struct wb_project_launch *launch = task->launch;
  arguments_blame_named(&task->arguments, error);
  const warpbound_error cause = *error;
  const bool own = cause.file[0] == '\0' || strcmp(cause.file, task->place) == 0;
  const struct wb_project_value *path = own ? NULL : unopened_path(job, task, &cause);
  struct wb_text words = {0};
  if (path != NULL) {
    wb_text_format(&words, "%s: %s %s", path->key->key, cause.file, cause.message);
    replace_message(job, cause.status, path->line, path->column, &words, error);
    return;
  }
  if (!own || (cause.status != WARPBOUND_USAGE && cause.status != WARPBOUND_INVALID_INPUT))
    return;
  const char *rest = cause.message;
  const struct wb_project_value *value = value_of_message(task, cause.message, &rest);
  if (value != NULL)
    wb_text_string(&words, value->key->key);
  say_in_keys(rest, &words);
  replace_message(job, WARPBOUND_INVALID_INPUT, value != NULL ? value->line : launch->line,
                  value != NULL ? value->column : launch->column, &words, error);
}

/* ---- facts that are missing ---- */

void check_tell_lacking(const struct check_job *job, const struct check_task *task,
                        warpbound_error *error)
{
  const warpbound_error cause = *error;
  struct wb_text words = {0};
  say_in_keys(cause.message, &words);
  replace_message(job, WARPBOUND_FACTS_MISSING, task->launch->line, task->launch->column, &words,
                  error);
}
