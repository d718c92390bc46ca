#include "report/estimate_report.h"

#include "base/text/utf8.h"
#include "formats/json/json_output.h"
#include "report/style.h"

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

json_t *wb_estimate_json(const struct wb_estimate *estimate)
{
  json_t *array = json_array();
  for (size_t i = 0; i < estimate->count; i++) {
    const struct wb_estimate_reason *reason = &estimate->items[i];
    json_t *object = json_object();
    wb_json_put(&object, "name", json_string(reason->name));
    wb_json_put(&object, "reason", wb_json_clean(reason->reason));
    wb_json_put(&object, "place", wb_json_clean(reason->place));
    wb_json_put(&object, "remedy", wb_json_clean(reason->remedy));
    wb_json_push(&array, object);
  }
  return array;
}

void wb_estimate_put(json_t **object, const struct wb_estimate *estimate)
{
  if (wb_is_estimate(estimate))
    wb_json_put(object, WB_ESTIMATE_REASONS, wb_estimate_json(estimate));
}
