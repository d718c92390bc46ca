/* Temporary: stands for the analysis and its writers until they are in the library. */
#include "analysis/measured/measured_analysis.h"
#include "base/memory.h"
#include "report/measured/measured_report.h"
#include <stdlib.h>
#include <string.h>
const char *wb_applicability_words(enum wb_applicability a)
{
  static const char *const w[] = {"applicable", "applicable with care", "not applicable"};
  return w[a];
}
const char *wb_measured_check_name(enum wb_measured_check_kind k)
{
  (void)k;
  return "check";
}
const char *wb_measured_check_title(enum wb_measured_check_kind k)
{
  (void)k;
  return "a check";
}
const char *wb_measured_fit_name(enum wb_measured_fit_kind k)
{
  (void)k;
  return "fit";
}
const char *wb_measured_fit_title(enum wb_measured_fit_kind k)
{
  (void)k;
  return "a fit";
}
double wb_fit_error(const struct wb_tail_fit *f, unsigned p)
{
  (void)f;
  (void)p;
  return 0;
}
unsigned wb_fit_scale_place(const struct wb_tail_fit *f)
{
  (void)f;
  return 0;
}
unsigned wb_fit_shape_place(const struct wb_tail_fit *f)
{
  (void)f;
  return 0;
}
bool wb_tail_is_of_maxima(enum wb_tail_family f)
{
  (void)f;
  return true;
}
warpbound_status wb_measured_analyse(const struct wb_samples *s,
                                     const struct wb_measured_options *o,
                                     const struct wb_control *c, struct wb_measured *m,
                                     warpbound_error *e)
{
  (void)c;
  *m = (struct wb_measured){.samples = s, .options = *o, .count = s->count};
  m->series = wb_allocate(s->count, sizeof *m->series);
  if (!m->series)
    return wb_out_of_memory(e);
  for (size_t i = 0; i < s->count; i++) {
    m->series[i].series = &s->series[i];
    m->series[i].verdict = WB_NOT_APPLICABLE;
  }
  return WARPBOUND_OK;
}
void wb_measured_free(struct wb_measured *m)
{
  free(m->series);
  *m = (struct wb_measured){0};
}
void wb_measured_text(const struct wb_measured *m, bool q, bool c, struct wb_text *t)
{
  (void)c;
  for (size_t i = 0; i < m->count; i++)
    wb_text_format(t, "%s: %zu values q%d bound %g %s\n", m->series[i].series->name,
                   m->series[i].series->count, q,
                   m->options.bound.given ? m->options.bound.value : 0,
                   m->options.bound.given ? m->options.bound.source : "");
}
void wb_measured_json(const struct wb_measured *m, struct wb_text *t)
{
  wb_text_format(t, "{\"count\": %zu}\n", m->count);
}
const char *wb_measured_plot_name(enum wb_measured_plot p)
{
  static const char *const n[] = {"return-level", "quantiles", "probabilities",   "density",
                                  "mean-excess",  "stability", "autocorrelation", "run-sequence"};
  return n[p];
}
bool wb_measured_plot_is_there(const struct wb_measured_series *s, enum wb_measured_plot p)
{
  (void)s;
  return p != WB_PLOT_STABILITY;
}
void wb_measured_plot_svg(const struct wb_measured *m, const struct wb_measured_series *s,
                          enum wb_measured_plot p, struct wb_text *t)
{
  (void)m;
  (void)s;
  (void)p;
  wb_text_string(t, "<svg/>\n");
}
void wb_measured_page(const struct wb_measured *m, struct wb_text *t)
{
  (void)m;
  wb_text_string(t, "<html/>\n");
}
