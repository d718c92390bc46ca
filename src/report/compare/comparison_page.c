/* The page of a comparison: old and new side by side, for each launch that both results have. */
#include "report/compare/comparison_report.h"

#include "base/text/quantity.h"
#include "report/html_text.h"
#include "warpbound.h"

#include <stdio.h>

static void put_end(const struct wb_result_end *end, struct wb_text *text)
{
  struct wb_text words = {0};
  wb_text_count(&words, end->cycles);
  wb_text_format(&words, " (%s)", warpbound_kind_name(end->kind));
  wb_html_cell(text, &words);
}

static void put_ends(const char *name, const struct wb_result_end *before,
                     const struct wb_result_end *after, struct wb_text *text)
{
  struct wb_text change = {0};
  wb_text_format(text, "<tr><th scope=\"row\">%s</th>", name);
  put_end(before, text);
  put_end(after, text);
  if (before->cycles == after->cycles)
    wb_text_string(&change, "the same");
  else if (before->cycles > 0)
    wb_text_format(&change, "%+.2f %%",
                   100 * ((double)after->cycles - (double)before->cycles) / (double)before->cycles);
  wb_html_cell(text, &change);
  wb_text_string(text, "</tr>\n");
}

/* A number of one result; nothing where it has none. */
static void put_number(bool has, double number, struct wb_text *text)
{
  struct wb_text words = {0};
  if (!has)
    wb_text_string(&words, "-");
  else if (number >= 0 && number < 9e15 && number == (double)(uint64_t)number)
    wb_text_count(&words, (uint64_t)number);
  else
    wb_text_format(&words, "%.2f", number);
  wb_html_cell(text, &words);
}

static void put_change(const struct wb_number_change *change, struct wb_text *text)
{
  struct wb_text words = {0};
  wb_text_string(text, "<tr><th scope=\"row\">");
  wb_html_text(text, change->key);
  wb_text_string(text, "</th>");
  put_number(change->had, change->before, text);
  put_number(change->has, change->after, text);
  if (change->had && change->has)
    wb_text_format(&words, "%+.6g", change->after - change->before);
  else
    wb_text_string(&words, change->has ? "new" : "gone");
  wb_html_cell(text, &words);
  wb_text_string(text, "</tr>\n");
}

static void put_texts(const char *title, const char *const *texts, size_t count,
                      struct wb_text *text)
{
  if (count > 0)
    wb_text_format(text, "<h3>%s</h3>\n<ul>\n", title);
  for (size_t t = 0; t < count; t++) {
    wb_text_string(text, "<li>");
    wb_html_text(text, texts[t]);
    wb_text_string(text, "</li>\n");
  }
  wb_text_string(text, count > 0 ? "</ul>\n" : "");
}

/* The launch's heading: its name, and the verdict where the comparison fails it. */
static void put_heading(const struct wb_launch_change *launch, struct wb_text *text)
{
  static const char *const verdicts[] = {[WB_COMPARE_PASSED] = "",
                                         [WB_COMPARE_GREW] = ": grew by more than is allowed",
                                         [WB_COMPARE_SLOWER] = ": slower by more than is allowed",
                                         [WB_COMPARE_UNPROVEN] = ": no longer proven",
                                         [WB_COMPARE_MISSING] = ": missing"};
  wb_text_string(text, "<h2>");
  wb_html_text(text, launch->name);
  wb_text_format(text, "%s</h2>\n", verdicts[launch->failure]);
}

static void put_launch(const struct wb_launch_change *launch, struct wb_text *text)
{
  put_heading(launch, text);
  if (launch->before == NULL || launch->after == NULL) {
    const bool new = launch->before == NULL;
    wb_text_format(text, "<p>%s: at most ", new ? "new" : "not in the new results");
    wb_text_count_of(text, (new ? launch->after : launch->before)->upper.cycles, "cycle");
    wb_text_string(text, "</p>\n");
    return;
  }
  wb_text_string(text, "<table>\n<thead><tr><th></th><th>old</th><th>new</th><th>change</th></tr>"
                       "</thead>\n<tbody>\n");
  put_ends("at most", &launch->before->upper, &launch->after->upper, text);
  put_ends("at least", &launch->before->lower, &launch->after->lower, text);
  for (size_t n = 0; n < launch->number_count; n++) {
    const struct wb_number_change *change = &launch->numbers[n];
    if (n == 0 || change->group != launch->numbers[n - 1].group)
      wb_text_format(text, "<tr><th colspan=\"4\" scope=\"rowgroup\">%s</th></tr>\n",
                     wb_comparison_group_title(change->group));
    put_change(change, text);
  }
  wb_text_string(text, "</tbody>\n</table>\n");
  put_texts("assumptions that are gone", launch->gone, launch->gone_count, text);
  put_texts("new assumptions", launch->new, launch->new_count, text);
}

void wb_comparison_page(const struct warpbound_comparison *compared, struct wb_text *text)
{
  struct wb_text title = {0};
  wb_text_format(&title, "%s and %s", compared->before_name, compared->after_name);
  wb_html_begin(text, title.data != NULL ? title.data : "");
  text->failed |= title.failed;
  wb_text_free(&title);
  for (size_t l = 0; l < compared->comparison.count; l++)
    put_launch(&compared->comparison.launches[l], text);
  wb_html_end(text);
}
