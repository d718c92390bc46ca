/* Convergence as comma-separated values, and as a picture. */
#include "report/makespan/makespan_report.h"

#include "base/checked.h"
#include "base/memory.h"
#include "report/svg/svg_plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

void wb_convergence_csv(const struct wb_annealing_result *annealing, struct wb_text *text)
{
  wb_text_string(text, "time,iterations,run,best\n");
  for (size_t r = 0; r < annealing->run_count; r++) {
    const struct wb_annealing_run *run = &annealing->runs[r];
    for (size_t i = 0; i < run->count; i++) {
      const struct wb_annealing_improvement *improvement = &run->improvements[i];
      wb_text_format(text, "%.6f,%" PRIu64 ",%zu,%" PRIu64 "\n", improvement->seconds,
                     improvement->iteration, r + 1, improvement->makespan);
    }
  }
}

/* The x axis needs a range. */
#define LEAST_ITERATIONS 2

/* Okabe and Ito's colours, apart for every eye: one for each kind of initial string. */
#define RUN_STYLES                                                                                 \
  ".o{fill:none;stroke:#000;stroke-width:1.6;stroke-dasharray:7 4}"                                \
  ".r{fill:none;stroke-width:1.2;stroke-opacity:.8}"                                               \
  ".r0{stroke:#0072b2}.r1{stroke:#d55e00}.r2{stroke:#009e73}.r3{stroke:#cc79a7}"
static const char *const run_classes[WB_ANNEALING_ALL] = {"r r0", "r r1", "r r2", "r r3"};

/* The curves. The x axis is logarithmic and begins with iteration 1, where the initial strings
 * stand too. upper: the bound from above, in cycles. */
struct plot {
  const struct wb_annealing_result *annealing;
  uint64_t upper;
  struct wb_svg_plot page;
  uint64_t iterations;
};

static double x_of(const struct plot *plot, uint64_t iteration)
{
  const double at = iteration > 1 ? log((double)iteration) : 0;
  return WB_PLOT_LEFT + WB_PLOT_WIDTH * at / log((double)plot->iterations);
}

/* A staircase: the value stays until it improves. */
static void draw_steps(const struct plot *plot, const struct wb_annealing_improvement *steps,
                       size_t count, uint64_t last, const char *classes)
{
  wb_text_format(plot->page.text, "<path class=\"%s\" d=\"M%.1f %.1f", classes,
                 x_of(plot, steps[0].iteration), wb_svg_plot_y(&plot->page, steps[0].makespan));
  for (size_t i = 1; i < count; i++)
    wb_text_format(plot->page.text, "H%.1fV%.1f", x_of(plot, steps[i].iteration),
                   wb_svg_plot_y(&plot->page, steps[i].makespan));
  wb_text_format(plot->page.text, "H%.1f\"/>\n", x_of(plot, last));
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
    plot->page.text->failed = true;
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
    if (kept > 0 && all[i].makespan <= all[kept - 1].makespan)
      continue;
    kept -= kept > 0 && all[kept - 1].iteration == all[i].iteration;
    all[kept++] = all[i];
  }
  if (kept > 0)
    draw_steps(plot, all, kept, plot->iterations, "v");
  free(all);
}

void wb_convergence_svg(const struct wb_annealing_result *annealing, const warpbound_bound *upper,
                        const char *title, struct wb_text *text)
{
  struct plot plot = {.annealing = annealing, .upper = upper->cycles, .page = {.text = text}};
  uint64_t least = UINT64_MAX;
  uint64_t most = 0;
  bool began[WB_ANNEALING_ALL] = {false}; /* by kind of initial string: some run began with it */
  plot.iterations = LEAST_ITERATIONS;
  for (size_t r = 0; r < plot.annealing->run_count; r++) {
    const struct wb_annealing_run *run = &plot.annealing->runs[r];
    least = wb_minimum(least, run->improvements[0].makespan);
    most = wb_maximum(most, run->improvements[run->count - 1].makespan);
    plot.iterations = wb_maximum(plot.iterations, run->iterations);
    began[run->initial] = true;
  }
  most = wb_maximum(most, plot.upper);
  least = wb_minimum(least, most); /* where there is no run at all */
  plot.page.least = least - (least > 0);
  plot.page.most = most + 1;
  wb_svg_plot_open(&plot.page, title, RUN_STYLES);
  wb_svg_plot_levels(&plot.page);
  for (uint64_t power = 1; power <= plot.iterations; power *= 10) {
    wb_svg_plot_mark(&plot.page, x_of(&plot, power), power);
    if (power > UINT64_MAX / 10)
      break;
  }
  wb_svg_plot_axes(&plot.page, "iterations of each run (logarithmic)",
                   "longest schedule so far, in cycles");
  /* No schedule is longer. */
  wb_text_format(plot.page.text, "<path class=\"o\" d=\"M%u %.1fh%u\"/>\n", WB_PLOT_LEFT,
                 wb_svg_plot_y(&plot.page, plot.upper), WB_PLOT_WIDTH);
  draw_envelope(&plot);
  for (size_t r = 0; r < plot.annealing->run_count; r++) {
    const struct wb_annealing_run *run = &plot.annealing->runs[r];
    draw_steps(&plot, run->improvements, run->count, run->iterations, run_classes[run->initial]);
  }
  unsigned place = wb_svg_plot_legend(&plot.page, 0, "v", "envelope");
  place = wb_svg_plot_legend(&plot.page, place, "o", "bound from above");
  for (unsigned i = 0; i < WB_ANNEALING_ALL; i++) {
    if (began[i])
      place = wb_svg_plot_legend(&plot.page, place, run_classes[i],
                                 wb_annealing_initial_name((enum wb_annealing_initial)i));
  }
  wb_svg_plot_close(&plot.page);
}

void wb_result_convergence_svg(const struct warpbound_result *result, struct wb_text *text)
{
  struct wb_text title = {0};
  wb_text_format(&title, "Annealing (%s) of %" PRIu32 " warps: %" PRIu64 " to %" PRIu64 " cycles",
                 wb_annealing_variant_name(result->annealing.variant), result->instance->warps,
                 result->lower.cycles, result->upper.cycles);
  if (title.failed)
    text->failed = true;
  else
    wb_convergence_svg(&result->annealing, &result->upper, title.data, text);
  wb_text_free(&title);
}
