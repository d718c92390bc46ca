#include "report/report_words.h"

#include "base/memory.h"
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

void wb_text_join(struct wb_text *text, struct wb_text *part)
{
  if (part->length > 0)
    wb_text_append(text, part->data, part->length);
  text->failed = text->failed || part->failed;
  wb_text_free(part);
}

void wb_text_join_clean(struct wb_text *text, struct wb_text *part)
{
  wb_text_clean(text, part->data != NULL ? part->data : "");
  text->failed = text->failed || part->failed;
  wb_text_free(part);
}

void wb_text_title(struct wb_text *text, const char *title, bool colour)
{
  wb_text_format(text, "\n%s  %s%s\n", wb_style(WB_STYLE_BOLD, colour), title,
                 wb_style(WB_STYLE_PLAIN, colour));
}

void wb_text_items(struct wb_text *text, const struct wb_list *list, size_t first, size_t end)
{
  for (size_t i = first; i < end; i++) {
    wb_text_string(text, "  - ");
    wb_text_clean(text, list->items[i]);
    wb_text_string(text, "\n");
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

void wb_kernel_title(struct wb_text *text, const char *name, bool colour)
{
  wb_text_format(text, "\n%s", wb_style(WB_STYLE_BOLD, colour));
  wb_kernel_name_write_both(name, text);
  wb_text_string(text, wb_style(WB_STYLE_PLAIN, colour));
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
  if (estimate->count > MOST_REASONS)
    wb_text_format(text, "and %zu more reason%s (--json)\n", estimate->count - MOST_REASONS,
                   estimate->count == MOST_REASONS + 1 ? "" : "s");
}

void wb_estimate_summary(const struct wb_estimate *estimate, struct wb_text *text)
{
  text->failed = text->failed || estimate->failed;
  if (estimate->count == 0)
    return;
  write_reason(&estimate->items[0], text);
  if (estimate->count > 1)
    wb_text_format(text, "; and %zu more reason%s (--json)", estimate->count - 1,
                   estimate->count == 2 ? "" : "s");
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

/* In brackets those that have an item; nothing where all have it. */
static void write_holders(const struct wb_kernel_list *lists, size_t count, const char *item,
                          struct wb_text *text)
{
  struct wb_text names = {0};
  size_t holders = 0;
  for (size_t k = 0; k < count; k++) {
    if (!has(lists[k].list, item) || ++holders > NAMED_KERNELS)
      continue;
    wb_text_string(&names, holders == 1 ? " (" : ", ");
    wb_kernel_name_write(lists[k].kernel, &names);
  }
  if (holders > NAMED_KERNELS)
    wb_text_format(&names, " and %zu more", holders - NAMED_KERNELS);
  wb_text_string(&names, ")");
  if (holders == count)
    wb_text_free(&names);
  wb_text_join(text, &names);
}

void wb_assumptions_write(struct wb_kernel_list *lists, size_t count, bool colour,
                          struct wb_text *text)
{
  struct wb_list shown = {.failed = lists == NULL};
  for (size_t k = 0; lists != NULL && k < count; k++) {
    for (size_t i = 0; i < lists[k].list->count; i++) {
      const char *item = lists[k].list->items[i];
      const size_t known = shown.count;
      wb_list_add(&shown, "%s", item);
      if (shown.count == known)
        continue;
      if (known == 0)
        wb_text_title(text, "assumptions", colour);
      wb_text_string(text, "  - ");
      wb_text_clean(text, item);
      write_holders(lists, count, item, text);
      wb_text_string(text, "\n");
    }
  }
  text->failed = text->failed || shown.failed;
  wb_list_free(&shown);
  free(lists);
}

/* ---- tables ---- */

/* The first tab or line feed of the text, or its end. */
static const char *cell_end(const char *at)
{
  return at + strcspn(at, "\t\n");
}

static const char *row_end(const char *row)
{
  return row + strcspn(row, "\n");
}

void wb_text_columns(struct wb_text *text, size_t indent, struct wb_text *rows)
{
  size_t widths[WB_TEXT_COLUMNS] = {0};
  const char *next;
  for (const char *row = rows->data; row != NULL && *row != '\0'; row = next) {
    next = row_end(row) + (*row_end(row) != '\0');
    const char *cell = row;
    for (size_t c = 0; *cell_end(row) == '\t' && c < WB_TEXT_COLUMNS; c++) {
      const size_t width = (size_t)(cell_end(cell) - cell);
      widths[c] = width > widths[c] ? width : widths[c];
      if (cell[width] != '\t')
        break;
      cell += width + 1;
    }
  }
  for (const char *row = rows->data; row != NULL && *row != '\0'; row = next) {
    next = row_end(row) + (*row_end(row) != '\0');
    /* Blanks go before a cell, not behind one, so that no row ends with them. */
    size_t gap = indent;
    const char *cell = row;
    for (size_t c = 0;; c++) {
      const size_t width = (size_t)(cell_end(cell) - cell);
      wb_text_fill(text, ' ', width > 0 || c == 0 ? gap : 0);
      gap = width > 0 || c == 0 ? 0 : gap;
      wb_text_append(text, cell, width);
      gap += 2 + (c < WB_TEXT_COLUMNS && widths[c] > width ? widths[c] - width : 0);
      if (cell[width] != '\t')
        break;
      cell += width + 1;
    }
    wb_text_string(text, "\n");
  }
  text->failed = text->failed || rows->failed;
  wb_text_free(rows);
}

/* ---- long lines ---- */

void wb_text_break(struct wb_text *text, size_t from, size_t indent)
{
  if (text->failed || from >= text->length)
    return;
  char *const words = wb_copy_text(text->data + from, text->length - from);
  text->failed = words == NULL;
  text->length = from;
  size_t before = 0; /* blanks before the line */
  for (const char *at = words; at != NULL && *at != '\0';) {
    /* The line ends at the last blank that leaves it short enough, behind its first word; where it
     * is short or has no such blank it is whole. */
    const char *const row = row_end(at);
    const size_t room = before < WB_TEXT_WIDTH ? WB_TEXT_WIDTH - before : 0;
    const char *end = (size_t)(row - at) <= room ? row : NULL;
    const char *blank = NULL;
    for (const char *c = at + strspn(at, " "); c < row && end == NULL; c++) {
      if (*c == ' ' && blank != NULL && (size_t)(c - at) > room)
        end = blank;
      blank = *c == ' ' ? c : blank;
    }
    if (end == NULL)
      end = blank != NULL ? blank : row;
    wb_text_append(text, at, (size_t)(end - at));
    wb_text_string(text, *end != '\0' ? "\n" : "");
    before = *end == ' ' ? indent : 0;
    wb_text_fill(text, ' ', before);
    at = end + (*end != '\0');
  }
  free(words);
}
