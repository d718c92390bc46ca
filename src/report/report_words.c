#include "report/report_words.h"

#include "base/text/demangle.h"
#include "base/text/utf8.h"
#include "formats/json/json_output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *wb_style(enum wb_style style, bool colour)
{
  static const char *const escapes[WB_STYLE_COUNT] = {"\033[0m", "\033[1m", "\033[2m"};
  return colour ? escapes[style] : "";
}

const char *wb_kind_style(warpbound_kind kind, bool colour)
{
  if (!colour)
    return "";
  switch (kind) {
  case WARPBOUND_EXACT:
    return "\033[1;32m";
  case WARPBOUND_UPPER:
  case WARPBOUND_LOWER:
    return "\033[32m";
  default:
    return "\033[33m";
  }
}

void wb_kernel_name_write(const char *name, struct wb_text *text)
{
  char *demangled = wb_demangle(name);
  wb_text_clean(text, demangled != NULL ? demangled : name);
  free(demangled);
}

void wb_kernel_name_write_both(const char *name, struct wb_text *text)
{
  char *demangled = wb_demangle(name);
  wb_text_clean(text, name);
  if (demangled != NULL) {
    wb_text_string(text, " [");
    wb_text_clean(text, demangled);
    wb_text_string(text, "]");
  }
  free(demangled);
}

void wb_kernel_name_json(json_t *object, const char *name)
{
  char *demangled = wb_demangle(name);
  if (object != NULL && demangled != NULL)
    json_object_set_new(object, "demangled", json_string(demangled));
  free(demangled);
}

void wb_source_line_write(const struct wb_code *code, const struct wb_instruction *at,
                          const char *before, struct wb_text *text)
{
  if (at->source_line == 0)
    return;
  wb_text_string(text, before);
  if (at->source_file > 0)
    wb_text_clean(text, code->files[at->source_file - 1]);
  wb_text_format(text, "%s%" PRIu32, at->source_file > 0 ? ":" : "line ", at->source_line);
}

void wb_source_line_put(json_t **object, const struct wb_code *code,
                        const struct wb_instruction *at)
{
  if (at->source_line > 0 && at->source_file > 0)
    wb_json_put(object, "file", wb_json_clean(code->files[at->source_file - 1]));
  if (at->source_line > 0)
    wb_json_put(object, "line", json_integer(at->source_line));
}

/* Reasons that the text shows; the rest is in the JSON. */
#define MOST_REASONS 3

static void write_reason(const struct wb_estimate_reason *reason, struct wb_text *text)
{
  wb_text_clean(text, reason->place);
  wb_text_string(text, ": ");
  wb_text_clean(text, reason->reason);
  wb_text_string(text, "; to prove it: ");
  wb_text_clean(text, reason->remedy);
}

static void write_more(size_t count, struct wb_text *text)
{
  if (count > 0)
    wb_text_format(text, "and %zu more reason%s (--json)", count, count == 1 ? "" : "s");
}

void wb_estimate_text(const struct wb_estimate *estimate, const char *what, bool colour,
                      struct wb_text *text)
{
  text->failed = text->failed || estimate->failed;
  for (size_t i = 0; i < estimate->count && i < MOST_REASONS; i++) {
    wb_text_format(text, "%s%s because%s: ", wb_kind_style(WARPBOUND_ESTIMATE, colour), what,
                   wb_style(WB_STYLE_PLAIN, colour));
    write_reason(&estimate->items[i], text);
    wb_text_string(text, "\n");
  }
  if (estimate->count > MOST_REASONS) {
    write_more(estimate->count - MOST_REASONS, text);
    wb_text_string(text, "\n");
  }
}

void wb_estimate_summary(const struct wb_estimate *estimate, struct wb_text *text)
{
  text->failed = text->failed || estimate->failed;
  if (estimate->count == 0)
    return;
  write_reason(&estimate->items[0], text);
  wb_text_string(text, estimate->count > 1 ? "; " : "");
  write_more(estimate->count - 1, text);
}

json_t *wb_number_json(uint64_t number)
{
  return number <= INT64_MAX ? json_integer((json_int_t)number)
                             : json_real(nextafter((double)number, INFINITY));
}

void wb_put_number(json_t **object, const char *name, uint64_t number)
{
  wb_json_put(object, name, wb_number_json(number));
}

void wb_put_text(json_t **object, const char *name, const char *text)
{
  wb_json_put(object, name, wb_json_clean(text));
}

void wb_put_flag(json_t **object, const char *name, bool flag)
{
  wb_json_put(object, name, json_boolean(flag));
}

void wb_estimate_put(json_t **object, const struct wb_estimate *estimate)
{
  if (!wb_is_estimate(estimate))
    return;
  json_t *array = json_array();
  for (size_t i = 0; i < estimate->count; i++) {
    const struct wb_estimate_reason *reason = &estimate->items[i];
    json_t *row = json_object();
    wb_json_put(&row, "name", json_string(reason->name));
    wb_json_put(&row, "reason", wb_json_clean(reason->reason));
    wb_json_put(&row, "place", wb_json_clean(reason->place));
    wb_json_put(&row, "remedy", wb_json_clean(reason->remedy));
    wb_json_push(&array, row);
  }
  wb_json_put(object, "estimate_reasons", array);
}

void wb_barrier_options_put(json_t **object, const struct wb_simt_options *options)
{
  if (options->waiting != WB_WAITING_UNLESS_YIELD)
    wb_json_put(object, "reconvergence",
                json_string(options->waiting == WB_WAITING_NEVER ? "never" : "always"));
  if (options->masks_together)
    wb_json_put(object, "masks", json_string("together"));
}

/* Kernels that are named behind a text; of further ones only the number is shown. */
#define NAMED_KERNELS 3

static bool has(const struct wb_list *list, const char *item)
{
  for (size_t i = 0; i < list->count; i++) {
    if (strcmp(list->items[i], item) == 0)
      return true;
  }
  return false;
}

static void write_kernels(const struct wb_kernel_list *lists, size_t count, const char *item,
                          struct wb_text *text)
{
  size_t holders = 0;
  for (size_t k = 0; k < count; k++)
    holders += has(lists[k].list, item);
  if (holders == count)
    return;
  size_t named = 0;
  for (size_t k = 0; k < count && named < NAMED_KERNELS; k++) {
    if (!has(lists[k].list, item))
      continue;
    wb_text_string(text, named++ == 0 ? " (" : ", ");
    wb_kernel_name_write(lists[k].kernel, text);
  }
  if (holders > named)
    wb_text_format(text, " and %zu more", holders - named);
  wb_text_string(text, ")");
}

void wb_assumptions_write(struct wb_kernel_list *lists, size_t count, bool colour,
                          struct wb_text *text)
{
  struct wb_list shown = {.failed = lists == NULL};
  for (size_t k = 0; lists != NULL && k < count; k++) {
    for (size_t i = 0; i < lists[k].list->count; i++) {
      const char *item = lists[k].list->items[i];
      size_t known = shown.count;
      wb_list_add(&shown, "%s", item);
      if (shown.count == known)
        continue;
      if (known == 0)
        wb_text_format(text, "\n%s  assumptions%s\n", wb_style(WB_STYLE_BOLD, colour),
                       wb_style(WB_STYLE_PLAIN, colour));
      wb_text_string(text, "  - ");
      wb_text_clean(text, item);
      write_kernels(lists, count, item, text);
      wb_text_string(text, "\n");
    }
  }
  text->failed = text->failed || shown.failed;
  wb_list_free(&shown);
  free(lists);
}
