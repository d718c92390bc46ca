/* Convergence as a picture. */
#include "report/convergence.h"

#include "base/checked.h"
#include "base/memory.h"
#include "report/svg_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define PAGE_WIDTH 760u
#define PLOT_LEFT 64u
#define PLOT_TOP 64u
#define PLOT_WIDTH 660u
#define PLOT_HEIGHT 340u
#define PAGE_HEIGHT (PLOT_TOP + PLOT_HEIGHT + 96u)
#define TITLE_WIDTH (PAGE_WIDTH - 40u)
#define MOST_LEVELS 8

/* Okabe and Ito's colours, apart for every eye: one for each kind of initial string. */
#define RUN_STYLES ".r0{stroke:#0072b2}.r1{stroke:#d55e00}.r2{stroke:#009e73}.r3{stroke:#cc79a7}"
static const char *const run_classes[WB_ANNEALING_ALL] = {"r r0", "r r1", "r r2", "r r3"};

/* What is drawn, and the values at the plot's edges. The x axis is log10(1 + iterations):
 * initial strings stand at 0. */
struct plot {
  const struct wb_annealing_result *annealing;
  struct wb_text *text;
  uint64_t least;
  uint64_t most;
  uint64_t iterations;
};

static double x_of(const struct plot *plot, uint64_t iteration)
{
  return PLOT_LEFT + PLOT_WIDTH * log1p((double)iteration) / log1p((double)plot->iterations);
}

static double y_of(const struct plot *plot, uint64_t makespan)
{
  double part = (double)(makespan - plot->least) / (double)(plot->most - plot->least);
  return PLOT_TOP + PLOT_HEIGHT * (1 - part);
}

static void measure(struct plot *plot)
{
  plot->least = UINT64_MAX;
  plot->iterations = 1;
  for (size_t r = 0; r < plot->annealing->run_count; r++) {
    const struct wb_annealing_run *run = &plot->annealing->runs[r];
    plot->least = wb_minimum(plot->least, run->improvements[0].makespan);
    plot->most = wb_maximum(plot->most, run->improvements[run->count - 1].makespan);
    plot->iterations = wb_maximum(plot->iterations, run->iterations);
  }
  if (plot->least > plot->most)
    plot->least = plot->most; /* no run at all */
  plot->least -= plot->least > 0;
  plot->most++;
}

/* A distance of 1, 2 or 5 times a power of ten that gives few levels. */
static uint64_t level_step(uint64_t span)
{
  for (uint64_t power = 1;; power *= 10) {
    if (span / power < MOST_LEVELS)
      return power;
    if (span / (2 * power) < MOST_LEVELS)
      return 2 * power;
    if (span / (5 * power) < MOST_LEVELS)
      return 5 * power;
  }
}

static void draw_levels(const struct plot *plot)
{
  uint64_t step = level_step(plot->most - plot->least);
  for (uint64_t level = wb_divide_up(plot->least, step) * step; level <= plot->most;
       level += step) {
    wb_text_format(plot->text,
                   "<path class=\"g\" d=\"M%u %.1fh%u\"/><text class=\"e\" x=\"%u\" "
                   "y=\"%.1f\">%" PRIu64 "</text>\n",
                   PLOT_LEFT, y_of(plot, level), PLOT_WIDTH, PLOT_LEFT - 8, y_of(plot, level) + 4,
                   level);
  }
}

static void draw_powers(const struct plot *plot)
{
  for (uint64_t power = 1; power <= plot->iterations; power *= 10) {
    wb_text_format(plot->text,
                   "<path class=\"g\" d=\"M%.1f %uv%u\"/><text class=\"m\" x=\"%.1f\" "
                   "y=\"%u\">%" PRIu64 "</text>\n",
                   x_of(plot, power), PLOT_TOP, PLOT_HEIGHT, x_of(plot, power),
                   PLOT_TOP + PLOT_HEIGHT + 18, power);
    if (power > UINT64_MAX / 10)
      break;
  }
}

static void draw_axes(const struct plot *plot)
{
  draw_levels(plot);
  draw_powers(plot);
  wb_text_format(plot->text,
                 "<path class=\"a\" d=\"M%u %uv%uh%u\"/>\n<text class=\"m\" x=\"%u\" "
                 "y=\"%u\">iterations of each run</text>\n<text x=\"%u\" y=\"%u\">longest schedule "
                 "so far, in cycles</text>\n",
                 PLOT_LEFT, PLOT_TOP, PLOT_HEIGHT, PLOT_WIDTH, PLOT_LEFT + PLOT_WIDTH / 2,
                 PLOT_TOP + PLOT_HEIGHT + 38, PLOT_LEFT, PLOT_TOP - 10);
}

/* A staircase: the value stays until it improves. */
static void draw_steps(const struct plot *plot, const struct wb_annealing_improvement *steps,
                       size_t count, uint64_t last, const char *classes)
{
  wb_text_format(plot->text, "<path class=\"%s\" d=\"M%.1f %.1f", classes,
                 x_of(plot, steps[0].iteration), y_of(plot, steps[0].makespan));
  for (size_t i = 1; i < count; i++)
    wb_text_format(plot->text, "H%.1fV%.1f", x_of(plot, steps[i].iteration),
                   y_of(plot, steps[i].makespan));
  wb_text_format(plot->text, "H%.1f\"/>\n", x_of(plot, last));
}

static int by_iteration(const void *a, const void *b)
{
  const struct wb_annealing_improvement *x = a;
  const struct wb_annealing_improvement *y = b;
  if (x->iteration != y->iteration)
    return x->iteration < y->iteration ? -1 : 1;
  return (x->makespan > y->makespan) - (x->makespan < y->makespan);
}

/* The improvements of all runs, as if they went side by side, that raise the best. */
static void draw_envelope(const struct plot *plot)
{
  size_t count = 0;
  for (size_t r = 0; r < plot->annealing->run_count; r++)
    count += plot->annealing->runs[r].count;
  struct wb_annealing_improvement *all = wb_allocate(count, sizeof *all);
  if (all == NULL) {
    plot->text->failed = true;
    return;
  }
  size_t at = 0;
  for (size_t r = 0; r < plot->annealing->run_count; r++) {
    for (size_t i = 0; i < plot->annealing->runs[r].count; i++)
      all[at++] = plot->annealing->runs[r].improvements[i];
  }
  qsort(all, count, sizeof *all, by_iteration);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (kept == 0 || all[i].makespan > all[kept - 1].makespan)
      all[kept++] = all[i];
  }
  if (kept > 0)
    draw_steps(plot, all, kept, plot->iterations, "v");
  free(all);
}

static void draw_runs(const struct plot *plot)
{
  for (size_t r = 0; r < plot->annealing->run_count; r++) {
    const struct wb_annealing_run *run = &plot->annealing->runs[r];
    draw_steps(plot, run->improvements, run->count, run->iterations, run_classes[run->initial]);
  }
}

/* Whether any run began with the kind of string. */
static bool has_initial(const struct wb_annealing_result *annealing, unsigned initial)
{
  for (size_t r = 0; r < annealing->run_count; r++) {
    if (annealing->runs[r].initial == initial)
      return true;
  }
  return false;
}

static void draw_legend(const struct plot *plot)
{
  unsigned x = PLOT_LEFT;
  unsigned y = PLOT_TOP + PLOT_HEIGHT + 70;
  wb_text_format(plot->text,
                 "<path class=\"v\" d=\"M%u %uh24\"/><text x=\"%u\" y=\"%u\">envelope</text>\n", x,
                 y - 4, x + 30, y);
  x += 110;
  for (unsigned i = 0; i < WB_ANNEALING_ALL; i++) {
    if (!has_initial(plot->annealing, i))
      continue;
    const char *name = wb_annealing_initial_name((enum wb_annealing_initial)i);
    wb_text_format(plot->text,
                   "<path class=\"%s\" d=\"M%u %uh24\"/><text x=\"%u\" "
                   "y=\"%u\">%s</text>\n",
                   run_classes[i], x, y - 4, x + 30, y, name);
    x += 50 + wb_svg_text_width(name, 13);
  }
}

static void draw_head(const struct plot *plot, const char *title)
{
  wb_text_format(plot->text,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
                 "viewBox=\"0 0 %u %u\" font-family=\"sans-serif\" font-size=\"13\" "
                 "role=\"img\">\n<title>",
                 PAGE_WIDTH, PAGE_HEIGHT, PAGE_WIDTH, PAGE_HEIGHT);
  wb_svg_escape(title, 1, WB_SVG_LONGEST_TEXT * 2, plot->text);
  wb_text_string(plot->text,
                 "</title>\n<style>text{fill:#1a1a1a}.m{text-anchor:middle}.e{text-anchor:end}"
                 ".g{fill:none;stroke:#e0e0e0}.a{fill:none;stroke:#595959}"
                 ".r{fill:none;stroke-width:1.2;stroke-opacity:.8}" RUN_STYLES
                 ".v{fill:none;stroke:#000;stroke-width:2.5}</style>\n");
  wb_text_format(plot->text,
                 "<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n<text x=\"20\" y=\"28\" "
                 "font-size=\"16\" font-weight=\"bold\">",
                 PAGE_WIDTH, PAGE_HEIGHT);
  wb_svg_escape(title, 16, TITLE_WIDTH, plot->text);
  wb_text_string(plot->text, "</text>\n");
}

void wb_convergence_svg(const struct wb_annealing_result *annealing, const char *title,
                        struct wb_text *text)
{
  struct plot plot = {.annealing = annealing, .text = text};
  measure(&plot);
  draw_head(&plot, title);
  draw_axes(&plot);
  draw_envelope(&plot);
  draw_runs(&plot);
  draw_legend(&plot);
  wb_text_string(text, "</svg>\n");
}
