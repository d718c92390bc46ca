#include "formats/yaml/yaml_input.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* A file being read. */
struct reading {
  const char *name;
  struct wb_arena *arena;
  warpbound_error *error;
  yaml_parser_t parser;
  size_t depth;
};

/* The values of a list or a map so far, which are copied to the arena when it ends. */
struct collection {
  const struct wb_yaml **keys, **items;
  size_t key_capacity, item_capacity, count;
};

static warpbound_status fail_at(const struct reading *reading, yaml_mark_t mark,
                                const char *message)
{
  return wb_fail_at(reading->error, WARPBOUND_INVALID_INPUT, reading->name, mark.line + 1,
                    mark.column + 1, "%s", message);
}

/* What libyaml does not understand. */
static warpbound_status fail_parser(const struct reading *reading)
{
  const yaml_parser_t *parser = &reading->parser;
  const char *problem = parser->problem != NULL ? parser->problem : "not YAML";
  if (parser->error == YAML_MEMORY_ERROR)
    return wb_out_of_memory(reading->error);
  if (parser->error == YAML_READER_ERROR) /* it has no line: bytes that are no text */
    return wb_fail_at(reading->error, WARPBOUND_INVALID_INPUT, reading->name, 0, 0,
                      "expected text in UTF-8, found byte 0x%02x at offset %zu: %s",
                      (unsigned)parser->problem_value & 0xff, parser->problem_offset, problem);
  return wb_fail_at(reading->error, WARPBOUND_INVALID_INPUT, reading->name,
                    parser->problem_mark.line + 1, parser->problem_mark.column + 1,
                    "expected YAML: %s%s%s", problem, parser->context != NULL ? ", " : "",
                    parser->context != NULL ? parser->context : "");
}

static warpbound_status next_event(struct reading *reading, yaml_event_t *event)
{
  return yaml_parser_parse(&reading->parser, event) ? WARPBOUND_OK : fail_parser(reading);
}

static warpbound_status read_value(struct reading *reading, yaml_event_t *event,
                                   const struct wb_yaml **value);

/* ---- scalars ---- */

static warpbound_status read_scalar(const struct reading *reading, const yaml_event_t *event,
                                    struct wb_yaml *node)
{
  static const char *const nothing[] = {"", "~", "null", "Null", "NULL"};
  const char *text = (const char *)event->data.scalar.value;
  const size_t length = event->data.scalar.length;
  node->kind = WB_YAML_TEXT;
  node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
  if (strlen(text) != length)
    return fail_at(reading, event->start_mark, "expected a text without zero bytes");
  for (size_t n = 0; !node->quoted && n < sizeof nothing / sizeof *nothing; n++) {
    if (strcmp(text, nothing[n]) == 0)
      node->kind = WB_YAML_NOTHING;
  }
  node->text = node->kind == WB_YAML_TEXT ? wb_arena_text(reading->arena, text, length) : "";
  return node->text != NULL ? WARPBOUND_OK : wb_out_of_memory(reading->error);
}

/* ---- maps and lists ---- */

static bool add(struct collection *collection, const struct wb_yaml *key,
                const struct wb_yaml *item)
{
  const size_t count = collection->count;
  if (!wb_grow(collection->items, &collection->item_capacity, count + 1) ||
      (key != NULL && !wb_grow(collection->keys, &collection->key_capacity, count + 1)))
    return false;
  if (key != NULL)
    collection->keys[count] = key;
  collection->items[count] = item;
  collection->count++;
  return true;
}

static const struct wb_yaml **keep(const struct reading *reading, const struct wb_yaml **nodes,
                                   size_t count)
{
  const struct wb_yaml **kept = wb_arena_array(reading->arena, const struct wb_yaml *, count);
  if (kept != NULL && count > 0)
    memcpy(kept, nodes, count * sizeof *kept);
  return kept;
}

static int compare_keys(const void *left, const void *right)
{
  const struct wb_yaml *a = *(const struct wb_yaml *const *)left;
  const struct wb_yaml *b = *(const struct wb_yaml *const *)right;
  const int order = strcmp(a->text, b->text);
  if (order != 0)
    return order;
  return a->line != b->line ? (a->line < b->line ? -1 : 1) : (a->column < b->column ? -1 : 1);
}

/* Refuses a key that stands twice. Sorts the keys. */
static warpbound_status check_keys(const struct reading *reading, const struct wb_yaml **keys,
                                   size_t count)
{
  if (count > 0)
    qsort(keys, count, sizeof *keys, compare_keys);
  for (size_t k = 1; k < count; k++) {
    if (strcmp(keys[k - 1]->text, keys[k]->text) == 0)
      return wb_fail_at(reading->error, WARPBOUND_INVALID_INPUT, reading->name, keys[k]->line,
                        keys[k]->column, "expected each key once, found '%.60s' again (line %zu)",
                        keys[k]->text, keys[k - 1]->line);
  }
  return WARPBOUND_OK;
}

/* Reads the values up to the event that ends the collection. */
static warpbound_status read_items(struct reading *reading, yaml_event_type_t end,
                                   struct collection *found)
{
  const bool map = end == YAML_MAPPING_END_EVENT;
  for (;;) {
    yaml_event_t event;
    const struct wb_yaml *key = NULL;
    const struct wb_yaml *item = NULL;
    warpbound_status status = next_event(reading, &event);
    if (status == WARPBOUND_OK && event.type == end) {
      yaml_event_delete(&event);
      return WARPBOUND_OK;
    }
    if (status == WARPBOUND_OK && map) {
      const yaml_mark_t mark = event.start_mark;
      status = read_value(reading, &event, &key);
      if (status == WARPBOUND_OK && key->kind != WB_YAML_TEXT)
        status = fail_at(reading, mark, "expected a text as key");
      if (status == WARPBOUND_OK)
        status = next_event(reading, &event);
    }
    if (status == WARPBOUND_OK)
      status = read_value(reading, &event, &item);
    if (status == WARPBOUND_OK && !add(found, key, item))
      status = wb_out_of_memory(reading->error);
    if (status != WARPBOUND_OK)
      return status;
  }
}

static warpbound_status read_collection(struct reading *reading, bool map, yaml_mark_t mark,
                                        struct wb_yaml *node)
{
  struct collection found = {0};
  node->kind = map ? WB_YAML_MAP : WB_YAML_LIST;
  if (reading->depth >= WB_YAML_DEPTH)
    return fail_at(reading, mark, "expected at most 32 maps and lists around a value");
  reading->depth++;
  warpbound_status status =
      read_items(reading, map ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT, &found);
  reading->depth--;
  if (status == WARPBOUND_OK) {
    node->count = found.count;
    node->items = keep(reading, found.items, found.count);
    node->keys = map ? keep(reading, found.keys, found.count) : NULL;
    if (reading->arena->failed)
      status = wb_out_of_memory(reading->error);
    else if (map)
      status = check_keys(reading, found.keys, found.count);
  }
  free(found.keys);
  free(found.items);
  return status;
}

/* Reads the value that the event begins, and deletes the event. */
static warpbound_status read_value(struct reading *reading, yaml_event_t *event,
                                   const struct wb_yaml **value)
{
  const yaml_mark_t mark = event->start_mark;
  struct wb_yaml *node = wb_arena_array(reading->arena, struct wb_yaml, 1);
  warpbound_status status = node != NULL ? WARPBOUND_OK : wb_out_of_memory(reading->error);
  if (node != NULL)
    *node = (struct wb_yaml){.text = "", .line = mark.line + 1, .column = mark.column + 1};
  const yaml_char_t *tag = event->type == YAML_SCALAR_EVENT ? event->data.scalar.tag
                           : event->type == YAML_SEQUENCE_START_EVENT
                               ? event->data.sequence_start.tag
                           : event->type == YAML_MAPPING_START_EVENT ? event->data.mapping_start.tag
                                                                     : NULL;
  const yaml_event_type_t type = event->type;
  if (status == WARPBOUND_OK && tag != NULL)
    status = fail_at(reading, mark, "expected a value without a tag ('!...')");
  else if (status == WARPBOUND_OK && type == YAML_ALIAS_EVENT)
    status = fail_at(reading, mark, "expected a value, found an alias ('*...'): write it out");
  else if (status == WARPBOUND_OK && type == YAML_SCALAR_EVENT)
    status = read_scalar(reading, event, node);
  yaml_event_delete(event);
  if (status == WARPBOUND_OK &&
      (type == YAML_SEQUENCE_START_EVENT || type == YAML_MAPPING_START_EVENT))
    status = read_collection(reading, type == YAML_MAPPING_START_EVENT, mark, node);
  *value = node;
  return status;
}

/* ---- documents ---- */

/* The next start or end of a stream or a document. */
static warpbound_status next_border(struct reading *reading, yaml_event_type_t *type,
                                    yaml_mark_t *mark)
{
  yaml_event_t event;
  const warpbound_status status = next_event(reading, &event);
  if (status != WARPBOUND_OK)
    return status;
  *type = event.type;
  *mark = event.start_mark;
  yaml_event_delete(&event);
  return WARPBOUND_OK;
}

/* The stream's start, the one document's start, value and end, and the stream's end. */
static warpbound_status read_document(struct reading *reading, const struct wb_yaml **root)
{
  yaml_event_type_t type = YAML_NO_EVENT;
  yaml_mark_t mark;
  warpbound_status status = WARPBOUND_OK;
  while (status == WARPBOUND_OK && type != YAML_DOCUMENT_START_EVENT) {
    status = next_border(reading, &type, &mark);
    if (status == WARPBOUND_OK && type == YAML_STREAM_END_EVENT)
      status = fail_at(reading, mark, "expected a document, found nothing");
  }
  yaml_event_t event;
  if (status == WARPBOUND_OK)
    status = next_event(reading, &event);
  if (status == WARPBOUND_OK)
    status = read_value(reading, &event, root);
  while (status == WARPBOUND_OK && type != YAML_STREAM_END_EVENT) {
    status = next_border(reading, &type, &mark);
    if (status == WARPBOUND_OK && type == YAML_DOCUMENT_START_EVENT)
      status = fail_at(reading, mark, "expected one document, found another one");
  }
  return status;
}

warpbound_status wb_yaml_parse(const char *name, const char *text, size_t length,
                               struct wb_arena *arena, const struct wb_yaml **root,
                               warpbound_error *error)
{
  struct reading reading = {.name = name, .arena = arena, .error = error};
  *root = NULL;
  if (length > WB_YAML_LIMIT)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "expected at most 16 MiB of YAML, found %zu bytes", length);
  if (!yaml_parser_initialize(&reading.parser))
    return wb_out_of_memory(error);
  yaml_parser_set_input_string(&reading.parser, (const unsigned char *)text, length);
  const warpbound_status status = read_document(&reading, root);
  yaml_parser_delete(&reading.parser);
  if (status != WARPBOUND_OK)
    *root = NULL;
  return status;
}

const struct wb_yaml *wb_yaml_member(const struct wb_yaml *map, const char *key)
{
  for (size_t i = 0; map != NULL && map->kind == WB_YAML_MAP && i < map->count; i++) {
    if (strcmp(map->keys[i]->text, key) == 0)
      return map->items[i];
  }
  return NULL;
}

warpbound_status wb_yaml_wrong(const char *name, const char *place, const char *expected,
                               const struct wb_yaml *found, warpbound_error *error)
{
  static const char *const kinds[] = {[WB_YAML_NOTHING] = "nothing",
                                      [WB_YAML_TEXT] = "",
                                      [WB_YAML_LIST] = "a list",
                                      [WB_YAML_MAP] = "a map"};
  const bool text = found->kind == WB_YAML_TEXT;
  return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, found->line, found->column,
                    "%s%sexpected %s, found %s%s%.60s%s", place, place[0] != '\0' ? ": " : "",
                    expected, kinds[found->kind], text ? "'" : "", text ? found->text : "",
                    text ? "'" : "");
}
