/* JSON values that several reports write. */
#ifndef WB_FORMATS_JSON_JSON_OUTPUT_H
#define WB_FORMATS_JSON_JSON_OUTPUT_H

#include "base/list.h"
#include "base/text.h"
#include "model/kernel_string.h"
#include "model/sm_configuration.h"

#include <jansson.h>

/* Each returns a new reference, or NULL where memory is out. */

/* The string with counts: "5L9C". */
json_t *wb_json_kernel_string(const struct wb_kernel_string *string);
/* A string of any bytes: those that are no UTF-8, and control characters, are replaced. */
json_t *wb_json_clean(const char *string);
/* wb_json_clean of a text that was put together, which is freed. */
json_t *wb_json_clean_text(struct wb_text *text);

/* The texts of a list. */
json_t *wb_json_list(const struct wb_list *list);
/* A capacity: a whole number, or a fraction as "1/8". */
json_t *wb_json_capacity(const struct wb_unit_capacity *capacity);
/* The runs of a string: [["L", 5], ["C", 9]]. */
json_t *wb_json_runs(const struct wb_kernel_string *string);

/* What stands before element `index` of a list that is written as text. */
static inline const char *wb_json_comma(size_t index)
{
  return index > 0 ? ", " : "";
}

/* Sets a member, appends an element; a reference of NULL, or a failure, makes the object or array
 * NULL, and lets the rest go. */
void wb_json_put(json_t **object, const char *name, json_t *value);
void wb_json_push(json_t **array, json_t *value);

/* Appends the object, with Jansson's flags of json_dumps; a failure is the text's. */
void wb_json_write(const json_t *object, size_t flags, struct wb_text *text);

/* The object as indented text with a newline at the end, which the caller frees; takes over the
 * reference. NULL where memory is out, or the object is NULL. */
char *wb_json_text(json_t *object);

#endif
