/* The tractable bound over y, as comma-separated values and as a picture. */
#include "base/checked.h"
#include "report/makespan/makespan_report.h"
#include "report/svg/svg_plot.h"

#include <inttypes.h>

void wb_tractable_csv(const struct warpbound_result *result, struct wb_text *text)
{
  uint64_t warps = result->instance->problem.warps;
  uint64_t least = UINT64_MAX;
  wb_text_string(text, "y,makespan,bound,least\n");
  for (size_t i = 0; i < result->published.count; i++) {
    const struct wb_named_bound *named = &result->published.items[i];
    if (named->y == 0)
      continue;
    uint64_t bound = named->bound.cycles;
    least = wb_minimum(least, bound);
    wb_text_format(text, "%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", named->y,
                   bound / wb_divide_up(warps, named->y), bound, least);
  }
}

/* More points than this are drawn as a line only. */
#define MOST_DOTS 200
/* Least range of the x axis. */
#define LEAST_RANGE 4
#define TRACTABLE_STYLES                                                                           \
  ".b{fill:none;stroke:#0072b2;stroke-width:1.2}.d{fill:#0072b2}.u{fill:#d55e00}"                  \
  ".t{fill:none;stroke:#009e73;stroke-width:2;stroke-dasharray:7 4}"                               \
  ".k{fill:#009e73;fill-opacity:.2;stroke:none}"                                                   \
  ".s{fill:none;stroke:#d55e00;stroke-width:8;stroke-linecap:round;stroke-dasharray:0 99}"

/* The curves; the x axis goes from 0 to W, or a little way.
 * unsafe: some bound is below a schedule. */
struct plot {
  const struct warpbound_result *result;
  struct wb_svg_plot page;
  uint64_t last;
  size_t count;
  bool unsafe;
};

static double x_of(const struct plot *plot, uint64_t y)
{
  return WB_PLOT_LEFT + WB_PLOT_WIDTH * (double)y / (double)plot->last;
}

/* The i-th number of the literature, if it is a tractable bound. */
static const struct wb_named_bound *bound_at(const struct plot *plot, size_t i)
{
  const struct wb_named_bound *named = &plot->result->published.items[i];
  return named->y > 0 ? named : NULL;
}

static void measure(struct plot *plot)
{
  const struct warpbound_result *result = plot->result;
  uint64_t least = result->lower.cycles;
  uint64_t most = result->upper.cycles;
  for (size_t i = 0; i < result->published.count; i++) {
    const struct wb_named_bound *named = bound_at(plot, i);
    if (named == NULL)
      continue;
    plot->count++;
    least = wb_minimum(least, named->bound.cycles);
    most = wb_maximum(most, named->bound.cycles);
    plot->unsafe = plot->unsafe || named->bound.cycles < result->lower.cycles;
  }
  uint64_t margin = 1 + (most - least) / 16;
  plot->page.least = least > margin ? least - margin : 0;
  plot->page.most = most + margin;
}

/* The bounds as a line from point to point, and the least so far as a staircase. */
static void draw_lines(const struct plot *plot)
{
  struct wb_text line = {0};
  struct wb_text stairs = {0};
  uint64_t least = UINT64_MAX;
  for (size_t i = 0; i < plot->result->published.count; i++) {
    const struct wb_named_bound *named = bound_at(plot, i);
    if (named == NULL)
      continue;
    double x = x_of(plot, named->y);
    bool first = least == UINT64_MAX;
    least = wb_minimum(least, named->bound.cycles);
    wb_text_format(&line, "%c%.1f %.1f", first ? 'M' : 'L', x,
                   wb_svg_plot_y(&plot->page, named->bound.cycles));
    if (first)
      wb_text_format(&stairs, "M%.1f %.1f", x, wb_svg_plot_y(&plot->page, least));
    else
      wb_text_format(&stairs, "H%.1fV%.1f", x, wb_svg_plot_y(&plot->page, least));
  }
  plot->page.text->failed = plot->page.text->failed || line.failed || stairs.failed;
  if (line.length > 0 && !plot->page.text->failed)
    wb_text_format(plot->page.text,
                   "<path class=\"v\" d=\"%sH%u\"/>\n<path class=\"b\" d=\"%s\"/>\n", stairs.data,
                   WB_PLOT_LEFT + WB_PLOT_WIDTH, line.data);
  wb_text_free(&line);
  wb_text_free(&stairs);
}

static void draw_legend(const struct plot *plot)
{
  const struct warpbound_result *result = plot->result;
  struct wb_text truth = {0};
  unsigned place = wb_svg_plot_legend(&plot->page, 0, "b", "\xe2\x8c\x88W/y\xe2\x8c\x89 T(y)");
  place = wb_svg_plot_legend(&plot->page, place, "v", "least so far");
  if (result->lower.cycles == result->upper.cycles)
    wb_text_format(&truth, "T(W) = %" PRIu64, result->upper.cycles);
  else
    wb_text_format(&truth, "T(W), %" PRIu64 " to %" PRIu64, result->lower.cycles,
                   result->upper.cycles);
  if (wb_is_estimate(&result->instance->estimate))
    wb_text_string(&truth, " (estimate)");
  plot->page.text->failed = plot->page.text->failed || truth.failed;
  if (!truth.failed)
    place = wb_svg_plot_legend(&plot->page, place, "t", truth.data);
  wb_text_free(&truth);
  if (plot->unsafe)
    wb_svg_plot_legend(&plot->page, place, "s", "below a schedule: not safe");
}

void wb_tractable_svg(const struct warpbound_result *result, struct wb_text *text)
{
  const uint32_t warps = result->instance->problem.warps;
  struct wb_text title = {0};
  struct plot plot = {
      .result = result, .page = {.text = text}, .last = wb_maximum(warps, LEAST_RANGE)};
  wb_text_string(&title, "Tractable bound of ECRTS 2012, not safe: ");
  wb_kernel_string_write(&result->instance->kernel, &title);
  wb_text_format(&title, ", W = %" PRIu32, result->instance->problem.warps);
  if (title.failed) {
    text->failed = true;
    return;
  }
  measure(&plot);
  wb_svg_plot_open(&plot.page, title.data, TRACTABLE_STYLES);
  uint64_t step = wb_svg_plot_step(plot.last);
  wb_svg_plot_levels(&plot.page);
  for (uint64_t y = 0; y <= plot.last; y += step)
    wb_svg_plot_mark(&plot.page, x_of(&plot, y), y);
  wb_svg_plot_axes(&plot.page, "y, the number of warps that the bound starts from",
                   "bound, in cycles");
  /* T(W): a line where it is known, else a band between its ends. */
  bool closed = plot.result->lower.cycles == plot.result->upper.cycles;
  double upper = wb_svg_plot_y(&plot.page, plot.result->upper.cycles);
  double lower = wb_svg_plot_y(&plot.page, plot.result->lower.cycles);
  if (!closed)
    wb_text_format(plot.page.text,
                   "<rect class=\"k\" x=\"%u\" y=\"%.1f\" width=\"%u\" height=\"%.1f\"/>\n",
                   WB_PLOT_LEFT, upper, WB_PLOT_WIDTH, lower - upper);
  wb_text_format(plot.page.text, "<path class=\"t\" d=\"M%u %.1fh%u", WB_PLOT_LEFT, lower,
                 WB_PLOT_WIDTH);
  if (!closed)
    wb_text_format(plot.page.text, "M%u %.1fh%u", WB_PLOT_LEFT, upper, WB_PLOT_WIDTH);
  wb_text_string(plot.page.text, "\"/>\n");
  draw_lines(&plot);
  /* A dot for each bound; those below a schedule, which refutes them, stand out. */
  const struct warpbound_result *r = plot.result;
  for (size_t i = 0; i < r->published.count; i++) {
    const struct wb_named_bound *named = bound_at(&plot, i);
    bool refuted = named != NULL && named->bound.cycles < r->lower.cycles;
    if (named != NULL && (refuted || plot.count <= MOST_DOTS))
      wb_text_format(plot.page.text, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"/>\n",
                     refuted ? "u" : "d", x_of(&plot, named->y),
                     wb_svg_plot_y(&plot.page, named->bound.cycles), refuted ? "4" : "3");
  }
  draw_legend(&plot);
  wb_svg_plot_close(&plot.page);
  wb_text_free(&title);
}
