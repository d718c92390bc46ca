#include "formats/project/project_file.h"

#include "base/text.h"
#include "base/text/nearest.h"
#include "formats/yaml/yaml_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct wb_project_key wb_project_keys[] = {
    {"device", WB_PROJECT_PATH, "sm"},
    {"mode", WB_PROJECT_WORD, NULL},
    {"set", WB_PROJECT_TEXTS, NULL},
    {"clock", WB_PROJECT_WORD, NULL},
    {"binary", WB_PROJECT_PATH, ""},
    {"arch", WB_PROJECT_WORD, NULL},
    {"module", WB_PROJECT_WORD, NULL},
    {"kernel", WB_PROJECT_WORD, NULL},
    {"sources", WB_PROJECT_PATH, NULL},
    {"grid", WB_PROJECT_WORD, NULL},
    {"block", WB_PROJECT_WORD, NULL},
    {"cluster", WB_PROJECT_WORD, NULL},
    {"dynamic_shared", WB_PROJECT_WORD, NULL},
    {"static_shared", WB_PROJECT_WORD, NULL},
    {"registers", WB_PROJECT_WORD, NULL},
    {"barriers", WB_PROJECT_WORD, NULL},
    {"carveout", WB_PROJECT_WORD, NULL},
    {"param", WB_PROJECT_TEXTS, NULL},
    {"constant", WB_PROJECT_TEXTS, NULL},
    {"buffer", WB_PROJECT_TEXTS, NULL},
    {"warm_l2", WB_PROJECT_FLAG, NULL},
    {"start", WB_PROJECT_WORD, NULL},
    {"dispatch", WB_PROJECT_WORD, NULL},
    {"foreign_bandwidth", WB_PROJECT_WORD, NULL},
    {"foreign_burst", WB_PROJECT_WORD, NULL},
    {"foreign_factor", WB_PROJECT_WORD, NULL},
    {"flow_facts", WB_PROJECT_PATH, NULL},
    {"default_loop_bound", WB_PROJECT_WORD, NULL},
    {"spin_bound", WB_PROJECT_WORD, NULL},
    {"assume_load", WB_PROJECT_TEXTS, NULL},
    {"assume_value", WB_PROJECT_TEXTS, NULL},
    {"assume_call", WB_PROJECT_TEXTS, NULL},
    {"assume_barriers", WB_PROJECT_WORD, NULL},
    {"targets", WB_PROJECT_TEXTS, NULL},
    {"reconvergence", WB_PROJECT_WORD, NULL},
    {"masks", WB_PROJECT_WORD, NULL},
    {"allow_other_sm", WB_PROJECT_FLAG, NULL},
    {"simulate", WB_PROJECT_WORD, NULL},
    {"seed", WB_PROJECT_WORD, NULL},
    {"deadline", WB_PROJECT_WORD, NULL},
    {"budget", WB_PROJECT_WORD, NULL},
    {"require_proof", WB_PROJECT_FLAG, NULL},
    {NULL, WB_PROJECT_WORD, NULL},
};

enum { KEYS = sizeof wb_project_keys / sizeof *wb_project_keys - 1 };

/* What a place of the file says of launches: by row of the table, key NULL: nothing. */
struct level {
  struct wb_project_value value[KEYS];
};

/* Most kernels of the file. */
#define KERNEL_LIMIT 10000

/* A kernel of the file with what holds for its launches. */
struct kernel {
  const char *name;
  const struct wb_yaml *key; /* its place */
  struct level level;
  bool used; /* a launch is of it */
};

struct reading {
  struct wb_project *project;
  struct wb_arena *arena;
  warpbound_error *error;
  struct level all;
  struct kernel *kernels; /* by name */
  size_t kernel_count;
};

/* ---- keys ---- */

/* Whether a key of the file is `key`; '-' is as good as '_'. */
static bool is_key(const char *found, const char *key)
{
  for (; *found != '\0' && (*found == *key || (*found == '-' && *key == '_')); found++)
    key++;
  return *found == *key;
}

static size_t find_key(const char *found)
{
  size_t k = 0;
  while (k < KEYS && !is_key(found, wb_project_keys[k].key))
    k++;
  return k;
}

/* others: keys that the place has beside those of launches, with blanks between. */
static bool is_other(const char *found, const char *others)
{
  char keys[128];
  char *rest = keys;
  snprintf(keys, sizeof keys, "%s", others);
  for (char *key = strtok_r(keys, " ", &rest); key != NULL; key = strtok_r(NULL, " ", &rest)) {
    if (is_key(found, key))
      return true;
  }
  return false;
}

static warpbound_status unknown_key(const struct reading *reading, const struct wb_yaml *key,
                                    const char *others)
{
  char hint[WB_HINT_SIZE];
  char keys[128];
  char *rest = keys;
  struct wb_nearest nearest = wb_nearest_start(key->text);
  snprintf(keys, sizeof keys, "%s", others);
  for (size_t k = 0; k < KEYS; k++)
    wb_nearest_offer(&nearest, wb_project_keys[k].key);
  for (char *other = strtok_r(keys, " ", &rest); other != NULL; other = strtok_r(NULL, " ", &rest))
    wb_nearest_offer(&nearest, other);
  return wb_fail_at(reading->error, WARPBOUND_INVALID_INPUT, reading->project->name, key->line,
                    key->column, "unknown key '%.60s'%s", key->text,
                    wb_nearest_hint(&nearest, "", hint));
}

static warpbound_status wrong(const struct reading *reading, const char *place,
                              const char *expected, const struct wb_yaml *found)
{
  return wb_yaml_wrong(reading->project->name, place, expected, found, reading->error);
}

/* ---- values ---- */

/* Adds a text to a value, which has room. */
static warpbound_status add_text(const struct reading *reading, struct wb_project_value *value,
                                 struct wb_text *text)
{
  const char *kept = text->failed ? NULL : wb_arena_text(reading->arena, text->data, text->length);
  wb_text_free(text);
  if (kept == NULL)
    return wb_out_of_memory(reading->error);
  value->texts[value->count++] = kept;
  return WARPBOUND_OK;
}

static warpbound_status read_texts(const struct reading *reading, const struct wb_yaml *node,
                                   struct wb_project_value *value)
{
  static const char expected[] = "a text, a list of texts, or a map of them";
  const bool single = node->kind == WB_YAML_TEXT;
  const size_t count = single ? 1 : node->count;
  value->texts = wb_arena_array(reading->arena, const char *, count);
  if (value->texts == NULL)
    return wb_out_of_memory(reading->error);
  if (node->kind == WB_YAML_NOTHING)
    return wrong(reading, value->key->key, expected, node);
  for (size_t i = 0; i < count; i++) {
    const struct wb_yaml *item = single ? node : node->items[i];
    struct wb_text text = {0};
    if (item->kind != WB_YAML_TEXT)
      return wrong(reading, value->key->key, expected, item);
    if (node->kind == WB_YAML_MAP)
      wb_text_format(&text, "%s=", node->keys[i]->text);
    wb_text_string(&text, item->text);
    const warpbound_status status = add_text(reading, value, &text);
    if (status != WARPBOUND_OK)
      return status;
  }
  return WARPBOUND_OK;
}

static warpbound_status read_word(const struct reading *reading, const struct wb_yaml *node,
                                  struct wb_project_value *value)
{
  const bool path = value->key->kind == WB_PROJECT_PATH;
  const char *expected = path ? "a text" : "a text, a number or a list of at most 3 numbers";
  struct wb_text text = {0};
  const bool list = node->kind == WB_YAML_LIST && !path;
  if ((node->kind != WB_YAML_TEXT && !list) || (list && (node->count == 0 || node->count > 3)))
    return wrong(reading, value->key->key, expected, node);
  for (size_t i = 0; i < (list ? node->count : 1); i++) {
    const struct wb_yaml *item = list ? node->items[i] : node;
    if (item->kind != WB_YAML_TEXT) {
      wb_text_free(&text);
      return wrong(reading, value->key->key, expected, item);
    }
    wb_text_format(&text, "%s%s", i > 0 ? "," : "", item->text);
  }
  value->texts = wb_arena_array(reading->arena, const char *, 1);
  if (value->texts != NULL)
    return add_text(reading, value, &text);
  wb_text_free(&text);
  return wb_out_of_memory(reading->error);
}

static warpbound_status read_flag(const struct reading *reading, const struct wb_yaml *node,
                                  struct wb_project_value *value)
{
  const bool plain = node->kind == WB_YAML_TEXT && !node->quoted;
  const bool yes = plain && strcmp(node->text, "true") == 0;
  if (!yes && !(plain && strcmp(node->text, "false") == 0))
    return wrong(reading, value->key->key, "true or false", node);
  value->texts = wb_arena_array(reading->arena, const char *, 1);
  if (value->texts == NULL)
    return wb_out_of_memory(reading->error);
  value->texts[0] = "";
  value->count = yes;
  return WARPBOUND_OK;
}

/* Reads the keys of launches of a map; `others` are left to the caller. */
static warpbound_status read_level(const struct reading *reading, const struct wb_yaml *map,
                                   const char *others, struct level *level)
{
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; i < map->count && status == WARPBOUND_OK; i++) {
    const struct wb_yaml *node = map->items[i];
    const size_t k = find_key(map->keys[i]->text);
    if (is_other(map->keys[i]->text, others) || strncmp(map->keys[i]->text, "x-", 2) == 0)
      continue;
    if (k == KEYS)
      return unknown_key(reading, map->keys[i], others);
    struct wb_project_value *value = &level->value[k];
    if (value->key != NULL)
      return wb_fail_at(reading->error, WARPBOUND_INVALID_INPUT, reading->project->name,
                        map->keys[i]->line, map->keys[i]->column,
                        "expected each key once, found '%.60s' again", map->keys[i]->text);
    *value = (struct wb_project_value){
        .key = &wb_project_keys[k], .line = node->line, .column = node->column};
    status = value->key->kind == WB_PROJECT_TEXTS  ? read_texts(reading, node, value)
             : value->key->kind == WB_PROJECT_FLAG ? read_flag(reading, node, value)
                                                   : read_word(reading, node, value);
  }
  return status;
}

/* ---- launches ---- */

/* Characters of KEY=VALUE before the value; 0: it has no key. */
static size_t key_length(const char *text)
{
  const size_t length = strcspn(text, "=");
  return text[length] == '=' ? length : 0;
}

static bool has_key_of(const struct wb_project_value *value, const char *text)
{
  const size_t length = key_length(text);
  for (size_t t = 0; length > 0 && t < value->count; t++) {
    if (key_length(value->texts[t]) == length && strncmp(value->texts[t], text, length) == 0)
      return true;
  }
  return false;
}

/* Adds what an outer place says to what is known already, which counts before it. */
static bool unite(const struct reading *reading, const struct wb_project_value *outer,
                  struct wb_project_value *value)
{
  if (outer->key == NULL || (value->key != NULL && outer->key->kind != WB_PROJECT_TEXTS))
    return true;
  if (value->key == NULL) {
    *value = *outer;
    return true;
  }
  struct wb_project_value both = *value;
  both.texts = wb_arena_array(reading->arena, const char *, value->count + outer->count);
  if (both.texts == NULL)
    return false;
  for (size_t t = 0; t < value->count; t++)
    both.texts[t] = value->texts[t];
  for (size_t t = 0; t < outer->count; t++) {
    if (!has_key_of(value, outer->texts[t]))
      both.texts[both.count++] = outer->texts[t];
  }
  *value = both;
  return true;
}

static int compare_kernels(const void *left, const void *right)
{
  return strcmp(((const struct kernel *)left)->name, ((const struct kernel *)right)->name);
}

/* What holds for the kernel of a launch; NULL: nothing of its own. */
static const struct level *level_of_kernel(const struct reading *reading, const struct level *own)
{
  const struct wb_project_value *value = &own->value[find_key("kernel")];
  if (value->key == NULL)
    value = &reading->all.value[find_key("kernel")];
  if (value->key == NULL || reading->kernel_count == 0)
    return NULL;
  const struct kernel wanted = {.name = value->texts[0]};
  struct kernel *found = bsearch(&wanted, reading->kernels, reading->kernel_count,
                                 sizeof *reading->kernels, compare_kernels);
  if (found == NULL)
    return NULL;
  found->used = true;
  return &found->level;
}

/* What is said of a kernel that no launch has would count for nothing, a deadline too. */
static warpbound_status check_kernels(const struct reading *reading)
{
  for (size_t k = 0; k < reading->kernel_count; k++) {
    const struct kernel *kernel = &reading->kernels[k];
    if (!kernel->used)
      return wb_fail_at(reading->error, WARPBOUND_INVALID_INPUT, reading->project->name,
                        kernel->key->line, kernel->key->column,
                        "kernels: expected names as launches have them ('kernel'), found '%.60s', "
                        "of which there is no launch",
                        kernel->name);
  }
  return WARPBOUND_OK;
}

static warpbound_status read_launch(const struct reading *reading, const struct wb_yaml *node,
                                    size_t number, struct wb_project_launch *launch)
{
  struct level own = {0};
  char text[32];
  snprintf(text, sizeof text, "%zu", number);
  if (node->kind != WB_YAML_MAP)
    return wrong(reading, "launches", "a map for each launch", node);
  const struct wb_yaml *name = wb_yaml_member(node, "name");
  if (name != NULL && (name->kind != WB_YAML_TEXT || name->text[0] == '\0'))
    return wrong(reading, "name", "a text", name);
  launch->name = name != NULL ? name->text : wb_arena_text(reading->arena, text, strlen(text));
  launch->line = node->line;
  launch->column = node->column;
  if (launch->name == NULL)
    return wb_out_of_memory(reading->error);
  const warpbound_status status = read_level(reading, node, "name", &own);
  if (status != WARPBOUND_OK)
    return status;
  const struct level *kernel = level_of_kernel(reading, &own);
  for (size_t k = 0; k < KEYS; k++) {
    struct wb_project_value *value = &own.value[k];
    if ((kernel != NULL && !unite(reading, &kernel->value[k], value)) ||
        !unite(reading, &reading->all.value[k], value))
      return wb_out_of_memory(reading->error);
    launch->value_count += value->key != NULL;
  }
  struct wb_project_value *values =
      wb_arena_array(reading->arena, struct wb_project_value, launch->value_count);
  if (values == NULL)
    return wb_out_of_memory(reading->error);
  for (size_t k = 0, v = 0; k < KEYS; k++) {
    if (own.value[k].key != NULL)
      values[v++] = own.value[k];
  }
  launch->values = values;
  return WARPBOUND_OK;
}

static int compare_names(const void *left, const void *right)
{
  const struct wb_project_launch *a = *(const struct wb_project_launch *const *)left;
  const struct wb_project_launch *b = *(const struct wb_project_launch *const *)right;
  const int order = strcmp(a->name, b->name);
  return order != 0 ? order : (a < b ? -1 : a > b);
}

/* Baselines and pages know launches by their names. */
static warpbound_status check_names(const struct reading *reading)
{
  const size_t count = reading->project->launch_count;
  const struct wb_project_launch **sorted =
      wb_arena_array(reading->arena, const struct wb_project_launch *, count);
  if (sorted == NULL)
    return wb_out_of_memory(reading->error);
  for (size_t l = 0; l < count; l++)
    sorted[l] = &reading->project->launches[l];
  qsort(sorted, count, sizeof *sorted, compare_names);
  for (size_t l = 1; l < count; l++) {
    if (strcmp(sorted[l - 1]->name, sorted[l]->name) == 0)
      return wb_fail_at(reading->error, WARPBOUND_INVALID_INPUT, reading->project->name,
                        sorted[l]->line, sorted[l]->column,
                        "name: expected another name for each launch, found '%.60s' again "
                        "(line %zu)",
                        sorted[l]->name, sorted[l - 1]->line);
  }
  return WARPBOUND_OK;
}

static warpbound_status read_launches(const struct reading *reading, const struct wb_yaml *root)
{
  const struct wb_yaml *list = wb_yaml_member(root, "launches");
  struct wb_project *project = reading->project;
  if (list == NULL)
    return wb_fail_at(reading->error, WARPBOUND_INVALID_INPUT, project->name, root->line,
                      root->column, "launches: expected a list of launches, found nothing");
  if (list->kind != WB_YAML_LIST || list->count == 0 || list->count > WB_PROJECT_LAUNCHES)
    return wrong(reading, "launches", "a list of 1 to 100000 launches", list);
  project->launches = wb_arena_array(reading->arena, struct wb_project_launch, list->count);
  if (project->launches == NULL)
    return wb_out_of_memory(reading->error);
  warpbound_status status = WARPBOUND_OK;
  for (size_t l = 0; l < list->count && status == WARPBOUND_OK; l++)
    status = read_launch(reading, list->items[l], l + 1, &project->launches[l]);
  project->launch_count = list->count;
  if (status == WARPBOUND_OK)
    status = check_kernels(reading);
  return status == WARPBOUND_OK ? check_names(reading) : status;
}

/* ---- the file ---- */

static warpbound_status read_kernels(struct reading *reading, const struct wb_yaml *map)
{
  warpbound_status status = WARPBOUND_OK;
  if (map == NULL)
    return WARPBOUND_OK;
  if (map->kind != WB_YAML_MAP)
    return wrong(reading, "kernels", "a map of kernels by name", map);
  if (map->count > KERNEL_LIMIT)
    return wrong(reading, "kernels", "at most 10000 kernels", map);
  reading->kernels = wb_arena_array(reading->arena, struct kernel, map->count);
  if (reading->kernels == NULL)
    return wb_out_of_memory(reading->error);
  for (size_t i = 0; i < map->count && status == WARPBOUND_OK; i++) {
    reading->kernels[i].name = map->keys[i]->text;
    reading->kernels[i].key = map->keys[i];
    if (map->items[i]->kind == WB_YAML_MAP)
      status = read_level(reading, map->items[i], "", &reading->kernels[i].level);
    else if (map->items[i]->kind != WB_YAML_NOTHING)
      status = wrong(reading, "kernels", "a map for each kernel", map->items[i]);
  }
  reading->kernel_count = map->count;
  if (status == WARPBOUND_OK && map->count > 0)
    qsort(reading->kernels, map->count, sizeof *reading->kernels, compare_kernels);
  return status;
}

/* A key of the project itself; NULL: it is not there. */
static warpbound_status find_own(const struct reading *reading, const struct wb_yaml *root,
                                 const char *key, const struct wb_yaml **node)
{
  *node = NULL;
  for (size_t i = 0; i < root->count; i++) {
    if (!is_key(root->keys[i]->text, key))
      continue;
    if (*node != NULL) /* once with '-', once with '_' */
      return wb_fail_at(reading->error, WARPBOUND_INVALID_INPUT, reading->project->name,
                        root->keys[i]->line, root->keys[i]->column,
                        "expected each key once, found '%.60s' again", root->keys[i]->text);
    *node = root->items[i];
  }
  return WARPBOUND_OK;
}

/* A text of the project itself. */
static warpbound_status read_own(const struct reading *reading, const struct wb_yaml *node,
                                 const char *key, const char **text)
{
  if (node != NULL && (node->kind != WB_YAML_TEXT || node->text[0] == '\0'))
    return wrong(reading, key, "a text", node);
  *text = node != NULL ? node->text : NULL;
  return WARPBOUND_OK;
}

static warpbound_status read_format(const struct reading *reading, const struct wb_yaml *root)
{
  const struct wb_yaml *format = wb_yaml_member(root, "format");
  if (format != NULL &&
      (format->kind != WB_YAML_TEXT || (strcmp(format->text, WB_PROJECT_FORMAT) != 0 &&
                                        strcmp(format->text, "warpbound-launches-1") != 0)))
    return wrong(reading, "format", "'" WB_PROJECT_FORMAT "' or 'warpbound-launches-1'", format);
  return WARPBOUND_OK;
}

static warpbound_status read_root(struct reading *reading, const struct wb_yaml *root)
{
  static const char others[] = "format launches kernels baseline cache fail_above";
  struct wb_project *project = reading->project;
  if (root->kind != WB_YAML_MAP)
    return wrong(reading, "", "a map with a list 'launches'", root);
  const struct wb_yaml *above;
  warpbound_status status = find_own(reading, root, "fail_above", &above);
  if (status == WARPBOUND_OK)
    status = read_format(reading, root);
  if (status == WARPBOUND_OK)
    status = read_level(reading, root, others, &reading->all);
  if (status == WARPBOUND_OK)
    status = read_own(reading, wb_yaml_member(root, "baseline"), "baseline", &project->baseline);
  if (status == WARPBOUND_OK)
    status = read_own(reading, wb_yaml_member(root, "cache"), "cache", &project->cache);
  if (status == WARPBOUND_OK)
    status = read_own(reading, above, "fail_above", &project->fail_above);
  if (status == WARPBOUND_OK && above != NULL) {
    project->fail_above_line = above->line;
    project->fail_above_column = above->column;
  }
  if (status == WARPBOUND_OK)
    status = read_kernels(reading, wb_yaml_member(root, "kernels"));
  return status == WARPBOUND_OK ? read_launches(reading, root) : status;
}

warpbound_status wb_project_read(const char *name, const char *text, size_t length,
                                 struct wb_project *project, warpbound_error *error)
{
  const struct wb_yaml *root;
  *project = (struct wb_project){0};
  struct reading reading = {.project = project, .arena = &project->arena, .error = error};
  project->name = wb_arena_text(&project->arena, name, strlen(name));
  warpbound_status status = project->name != NULL
                                ? wb_yaml_parse(name, text, length, &project->arena, &root, error)
                                : wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = read_root(&reading, root);
  if (status != WARPBOUND_OK)
    wb_project_free(project);
  return status;
}

void wb_project_free(struct wb_project *project)
{
  wb_arena_free(&project->arena);
  *project = (struct wb_project){0};
}

const struct wb_project_value *wb_project_value_of(const struct wb_project_launch *launch,
                                                   const char *key)
{
  for (size_t v = 0; v < launch->value_count; v++) {
    if (strcmp(launch->values[v].key->key, key) == 0)
      return &launch->values[v];
  }
  return NULL;
}
