#include "formats/json/json_output.h"

#include "base/text.h"
#include "base/text/utf8.h"

#include <stdlib.h>

json_t *wb_json_kernel_string(const struct wb_kernel_string *string)
{
  struct wb_text text = {0};
  wb_kernel_string_write(string, &text);
  char *letters = wb_text_take(&text);
  json_t *value = letters != NULL ? json_string(letters) : NULL;
  free(letters);
  return value;
}

json_t *wb_json_clean(const char *string)
{
  struct wb_text text = {0};
  wb_text_clean(&text, string);
  json_t *value =
      text.failed ? NULL : json_stringn(text.data != NULL ? text.data : "", text.length);
  wb_text_free(&text);
  return value;
}

json_t *wb_json_list(const struct wb_list *list)
{
  json_t *array = json_array();
  for (size_t i = 0; i < list->count; i++)
    json_array_append_new(array, json_string(list->items[i]));
  return array;
}

json_t *wb_json_clean_list(const struct wb_list *list)
{
  json_t *array = json_array();
  for (size_t i = 0; i < list->count; i++)
    wb_json_push(&array, wb_json_clean(list->items[i]));
  return array;
}

json_t *wb_json_capacity(const struct wb_unit_capacity *capacity)
{
  if (capacity->denominator == 1)
    return json_integer(capacity->numerator);
  return json_sprintf("%u/%u", capacity->numerator, capacity->denominator);
}

json_t *wb_json_runs(const struct wb_kernel_string *string)
{
  json_t *array = json_array();
  for (size_t r = 0; r < string->run_count; r++) {
    char letter[2] = {wb_unit_letter(string->runs[r].unit), '\0'};
    json_array_append_new(array, json_pack("[s, I]", letter, (json_int_t)string->runs[r].length));
  }
  return array;
}

static int append_part(const char *part, size_t length, void *text)
{
  struct wb_text *whole = text;
  wb_text_append(whole, part, length);
  return whole->failed ? -1 : 0;
}

/* json_dumps would not notice where memory for the name of a member is out (Jansson 2.14). */
void wb_json_write(const json_t *object, size_t flags, struct wb_text *text)
{
  if (json_dump_callback(object, append_part, text, flags) != 0)
    text->failed = true;
}

void wb_json_append(json_t *object, struct wb_text *text)
{
  if (object != NULL)
    wb_json_write(object, JSON_INDENT(2), text);
  else
    text->failed = true;
  json_decref(object);
  wb_text_string(text, "\n");
}

char *wb_json_text(json_t *object)
{
  struct wb_text text = {0};
  wb_json_append(object, &text);
  return wb_text_take(&text);
}

json_t *wb_json_clean_text(struct wb_text *text)
{
  json_t *value = text->failed ? NULL : wb_json_clean(text->data != NULL ? text->data : "");
  wb_text_free(text);
  return value;
}

void wb_json_put(json_t **object, const char *name, json_t *value)
{
  if (*object == NULL) {
    json_decref(value);
  } else if (json_object_set_new(*object, name, value) != 0) {
    json_decref(*object);
    *object = NULL;
  }
}

void wb_json_push(json_t **array, json_t *value)
{
  if (*array == NULL) {
    json_decref(value);
  } else if (json_array_append_new(*array, value) != 0) {
    json_decref(*array);
    *array = NULL;
  }
}
