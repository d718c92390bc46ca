#include "report/compare/comparison_report.h"

#include "base/text/quantity.h"
#include "base/text/utf8.h"
#include "formats/json/json_output.h"
#include "report/report_words.h"

#include <inttypes.h>
#include <jansson.h>

/* Most numbers of a group that the text shows. */
#define SHOWN 8

/* By group: the name in JSON, and the title of the text. */
static const struct {
  const char *name, *title;
} groups[WB_RESULT_GROUP_COUNT] = {
    [WB_RESULT_NEEDS] = {"needs", "what a block needs, and how many there are"},
    [WB_RESULT_PARTS] = {"parts", "what the upper end is made of, in cycles"},
    [WB_RESULT_LINES] = {"lines", "source lines, cycles on the paths of the upper end"},
    [WB_RESULT_LOOPS] = {"loops", "bounds of loops, back edges of the warp for each entry"},
    [WB_RESULT_ACCESSES] = {"accesses",
                            "requests to memory of a warp on the path of the upper end"},
    [WB_RESULT_VALUES] = {"values", "values of the device"},
};

const char *wb_comparison_group_title(enum wb_result_group group)
{
  return groups[group].title;
}

static const char *const failures[] = {[WB_COMPARE_PASSED] = "passed",
                                       [WB_COMPARE_GREW] = "grew",
                                       [WB_COMPARE_SLOWER] = "slower",
                                       [WB_COMPARE_UNPROVEN] = "unproven",
                                       [WB_COMPARE_MISSING] = "missing"};

/* ---- text ---- */

/* What is written, and how. */
struct writer {
  const struct warpbound_comparison *compared;
  bool quiet, colour;
};

/* A whole number with its digits in groups, another one with two decimals. */
static void write_number(double number, struct wb_text *text)
{
  const double size = number < 0 ? -number : number;
  if (size < 9e15 && size == (double)(uint64_t)size) {
    wb_text_string(text, number < 0 ? "-" : "");
    wb_text_count(text, (uint64_t)size);
  } else {
    wb_text_format(text, "%.2f", number);
  }
}

static void write_percent(uint64_t before, uint64_t after, struct wb_text *text)
{
  if (before == after)
    wb_text_string(text, "the same");
  else if (before == 0)
    wb_text_string(text, "from 0");
  else
    wb_text_format(text, "%+.2f %%", 100 * ((double)after - (double)before) / (double)before);
}

static void write_change(const struct wb_number_change *change, struct wb_text *rows)
{
  struct wb_text key = {0};
  wb_text_clean(&key, change->key);
  wb_text_format(rows, "%s\t", key.data != NULL ? key.data : "");
  if (change->had)
    write_number(change->before, rows);
  wb_text_string(rows, change->had ? "\t" : "-\t");
  if (change->has)
    write_number(change->after, rows);
  wb_text_string(rows, change->has ? "\t" : "-\t");
  if (change->had && change->has) {
    wb_text_string(rows, change->after > change->before ? "+" : "");
    write_number(change->after - change->before, rows);
  } else {
    wb_text_string(rows, change->has ? "new" : "gone");
  }
  wb_text_string(rows, "\n");
  rows->failed |= key.failed;
  wb_text_free(&key);
}

static void write_group(const struct wb_launch_change *launch, enum wb_result_group group,
                        struct wb_text *text)
{
  struct wb_text rows = {0};
  size_t count = 0;
  for (size_t n = 0; n < launch->number_count; n++) {
    if (launch->numbers[n].group == group && count++ < SHOWN)
      write_change(&launch->numbers[n], &rows);
  }
  if (count > 0)
    wb_text_format(text, "\n  %s\n", groups[group].title);
  wb_text_columns(text, 4, &rows);
  if (count > SHOWN)
    wb_text_format(text, "    and %zu more (--json)\n", count - SHOWN);
}

static void write_texts(const char *title, const char *const *texts, size_t count,
                        struct wb_text *text)
{
  if (count > 0)
    wb_text_format(text, "\n  %s\n", title);
  for (size_t t = 0; t < count; t++) {
    wb_text_string(text, "  - ");
    wb_text_clean(text, texts[t]);
    wb_text_string(text, "\n");
  }
}

static void write_verdict(const struct warpbound_comparison *compared,
                          const struct wb_launch_change *launch, struct wb_text *text)
{
  if (launch->failure == WB_COMPARE_GREW)
    wb_text_format(text, ": more than %g %%", (double)compared->limit / WB_PERCENT);
  else if (launch->failure == WB_COMPARE_SLOWER)
    wb_text_format(text, ", but in time by more than %g %%", (double)compared->limit / WB_PERCENT);
  else if (launch->failure == WB_COMPARE_UNPROVEN)
    wb_text_string(text, ": no longer proven");
}

/* "NAME: at most 64,270 cycles (upper), then 70,697 (upper): +10.00 %". */
static void write_answer(const struct writer *writer, const struct wb_launch_change *launch,
                         struct wb_text *text)
{
  const struct wb_launch_result *before = launch->before;
  const struct wb_launch_result *after = launch->after;
  const struct wb_result_end *end = before != NULL ? &before->upper : &after->upper;
  wb_text_string(text, wb_style(WB_STYLE_BOLD, writer->colour));
  wb_kernel_name_write(launch->name, text);
  wb_text_string(text, wb_style(WB_STYLE_PLAIN, writer->colour));
  wb_text_string(text, ": at most ");
  wb_text_count(text, end->cycles);
  wb_text_format(text, " cycles (%s)", warpbound_kind_name(end->kind));
  if (before == NULL || after == NULL) {
    wb_text_format(text, ", %s\n", before == NULL ? "new" : "not in the new results");
    return;
  }
  wb_text_string(text, ", then ");
  wb_text_count(text, after->upper.cycles);
  wb_text_format(text, " (%s): ", warpbound_kind_name(after->upper.kind));
  write_percent(before->upper.cycles, after->upper.cycles, text);
  write_verdict(writer->compared, launch, text);
  wb_text_string(text, "\n");
}

static void write_launch(const struct writer *writer, const struct wb_launch_change *launch,
                         struct wb_text *text)
{
  write_answer(writer, launch, text);
  if (writer->quiet || launch->before == NULL || launch->after == NULL)
    return;
  const struct wb_result_end *before = &launch->before->lower;
  const struct wb_result_end *after = &launch->after->lower;
  if (before->cycles != after->cycles) {
    wb_text_string(text, "  at least ");
    wb_text_count(text, before->cycles);
    wb_text_format(text, " (%s), then ", warpbound_kind_name(before->kind));
    wb_text_count(text, after->cycles);
    wb_text_format(text, " (%s): ", warpbound_kind_name(after->kind));
    write_percent(before->cycles, after->cycles, text);
    wb_text_string(text, "\n");
  }
  if (strcmp(launch->before->device, launch->after->device) != 0) {
    wb_text_string(text, "  on ");
    wb_text_clean(text, launch->before->device);
    wb_text_string(text, ", then on ");
    wb_text_clean(text, launch->after->device);
    wb_text_string(text, "\n");
  }
  for (int g = 0; g < WB_RESULT_GROUP_COUNT; g++)
    write_group(launch, (enum wb_result_group)g, text);
  write_texts("assumptions that are gone", launch->gone, launch->gone_count, text);
  write_texts("new assumptions", launch->new, launch->new_count, text);
}

void wb_comparison_text(const struct warpbound_comparison *compared, bool quiet, bool colour,
                        struct wb_text *text)
{
  const struct wb_result_comparison *comparison = &compared->comparison;
  const struct writer writer = {compared, quiet, colour};
  for (size_t l = 0; l < comparison->count; l++) {
    wb_text_string(text, l > 0 && !quiet ? "\n" : "");
    write_launch(&writer, &comparison->launches[l], text);
  }
}

/* "64,270 cycles at 1300 MHz". */
static void write_clock(const struct wb_launch_result *result, struct wb_text *text)
{
  wb_text_count(text, result->upper.cycles);
  wb_text_format(text, " cycles at %.10g MHz", (double)result->clock / 1e6);
}

void wb_comparison_failure(const struct warpbound_comparison *compared, struct wb_text *text)
{
  const struct wb_result_comparison *comparison = &compared->comparison;
  size_t l = 0;
  while (l < comparison->count && comparison->launches[l].failure == WB_COMPARE_PASSED)
    l++;
  if (l == comparison->count)
    return;
  const struct wb_launch_change *launch = &comparison->launches[l];
  wb_text_clean(text, launch->name);
  if (launch->failure == WB_COMPARE_GREW) {
    wb_text_format(
        text, ": the upper end grew by more than %g %%: ", (double)compared->limit / WB_PERCENT);
    wb_text_count(text, launch->before->upper.cycles);
    wb_text_string(text, " to ");
    wb_text_count(text, launch->after->upper.cycles);
    wb_text_string(text, " cycles");
  } else if (launch->failure == WB_COMPARE_SLOWER) {
    wb_text_format(text, ": the upper end grew by more than %g %% in time, by the clock: ",
                   (double)compared->limit / WB_PERCENT);
    write_clock(launch->before, text);
    wb_text_string(text, " to ");
    write_clock(launch->after, text);
  } else {
    wb_text_string(text, launch->failure == WB_COMPARE_UNPROVEN
                             ? ": the upper end was proven, and is an estimate"
                             : ": the new results have no such launch");
  }
  if (comparison->failures > 1)
    wb_text_format(text, "; and %zu more", comparison->failures - 1);
}

/* ---- JSON ---- */

static json_t *end_json(const struct wb_result_end *end)
{
  json_t *object = json_object();
  wb_put_number(&object, "cycles", end->cycles);
  wb_put_text(&object, "kind", warpbound_kind_name(end->kind));
  return object;
}

static json_t *result_json(const struct wb_launch_result *result)
{
  json_t *object = json_object();
  if (result == NULL) {
    json_decref(object);
    return json_null();
  }
  wb_put_text(&object, "device", result->device);
  wb_json_put(&object, "lower", end_json(&result->lower));
  wb_json_put(&object, "upper", end_json(&result->upper));
  return object;
}

static json_t *texts_json(const char *const *texts, size_t count)
{
  json_t *array = json_array();
  for (size_t t = 0; t < count; t++)
    wb_json_push(&array, wb_json_clean(texts[t]));
  return array;
}

static json_t *number_json(bool there, double number)
{
  return there ? json_real(number) : json_null();
}

static json_t *launch_json(const struct wb_launch_change *launch)
{
  json_t *object = json_object();
  json_t *numbers = json_array();
  wb_put_text(&object, "name", launch->name);
  wb_json_put(&object, "old", result_json(launch->before));
  wb_json_put(&object, "new", result_json(launch->after));
  wb_put_text(&object, "verdict", failures[launch->failure]);
  for (size_t n = 0; n < launch->number_count; n++) {
    const struct wb_number_change *change = &launch->numbers[n];
    json_t *row = json_object();
    wb_put_text(&row, "group", groups[change->group].name);
    wb_put_text(&row, "name", change->key);
    wb_json_put(&row, "old", number_json(change->had, change->before));
    wb_json_put(&row, "new", number_json(change->has, change->after));
    wb_json_push(&numbers, row);
  }
  wb_json_put(&object, "changes", numbers);
  wb_json_put(&object, "assumptions_gone", texts_json(launch->gone, launch->gone_count));
  wb_json_put(&object, "assumptions_new", texts_json(launch->new, launch->new_count));
  return object;
}

void wb_comparison_json(const struct warpbound_comparison *compared, struct wb_text *text)
{
  const struct wb_result_comparison *comparison = &compared->comparison;
  json_t *object = json_object();
  json_t *launches = json_array();
  for (size_t l = 0; l < comparison->count; l++)
    wb_json_push(&launches, launch_json(&comparison->launches[l]));
  wb_put_text(&object, "old", compared->before_name);
  wb_put_text(&object, "new", compared->after_name);
  wb_json_put(&object, "fail_above_percent",
              compared->limit == WB_ANY_GROWTH ? json_null()
                                               : json_real((double)compared->limit / WB_PERCENT));
  wb_put_number(&object, "failures", comparison->failures);
  wb_json_put(&object, "launches", launches);
  wb_json_append(object, text);
}
