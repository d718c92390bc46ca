/* The files of a makespan result: the curves of annealing and the tractable bound, as values and as
 * pictures; schedules and their pictures; certificates. */
#include "formats/makespan/makespan_files.h"
#include "base/checked.h"
#include "base/memory.h"
#include "report/gantt/gantt.h"
#include "report/makespan/makespan_report.h"
#include "report/svg/svg_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- convergence ---- */

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

/* The x axis is logarithmic and begins with iteration 1, where the initial strings stand too. */
struct curves {
  struct wb_svg_plot page;
  uint64_t iterations;
};

static double iteration_x(const struct curves *curves, uint64_t iteration)
{
  const double at = iteration > 1 ? log((double)iteration) : 0;
  return WB_PLOT_LEFT + WB_PLOT_WIDTH * at / log((double)curves->iterations);
}

/* A staircase: the value stays until it improves. */
static void draw_steps(const struct curves *curves, const struct wb_annealing_improvement *steps,
                       size_t count, uint64_t last, const char *classes)
{
  struct wb_text *text = curves->page.text;
  wb_text_format(text, "<path class=\"%s\" d=\"M%.1f %.1f", classes,
                 iteration_x(curves, steps[0].iteration),
                 wb_svg_plot_y(&curves->page, steps[0].makespan));
  for (size_t i = 1; i < count; i++)
    wb_text_format(text, "H%.1fV%.1f", iteration_x(curves, steps[i].iteration),
                   wb_svg_plot_y(&curves->page, steps[i].makespan));
  wb_text_format(text, "H%.1f\"/>\n", iteration_x(curves, last));
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
static void draw_envelope(const struct curves *curves, const struct wb_annealing_result *annealing)
{
  size_t count = 0;
  size_t kept = 0;
  for (size_t r = 0; r < annealing->run_count; r++)
    count += annealing->runs[r].count;
  struct wb_annealing_improvement *all = wb_allocate(count, sizeof *all);
  if (all == NULL) {
    curves->page.text->failed = true;
    return;
  }
  size_t at = 0;
  for (size_t r = 0; r < annealing->run_count; r++) {
    for (size_t i = 0; i < annealing->runs[r].count; i++)
      all[at++] = annealing->runs[r].improvements[i];
  }
  qsort(all, count, sizeof *all, by_iteration);
  for (size_t i = 0; i < count; i++) {
    if (kept > 0 && all[i].makespan <= all[kept - 1].makespan)
      continue;
    kept -= kept > 0 && all[kept - 1].iteration == all[i].iteration;
    all[kept++] = all[i];
  }
  if (kept > 0)
    draw_steps(curves, all, kept, curves->iterations, "v");
  free(all);
}

void wb_convergence_svg(const struct wb_annealing_result *annealing, const warpbound_bound *upper,
                        const char *title, struct wb_text *text)
{
  struct curves curves = {.page = {.text = text}, .iterations = LEAST_ITERATIONS};
  struct wb_svg_plot *page = &curves.page;
  uint64_t least = UINT64_MAX;
  uint64_t most = 0;
  bool began[WB_ANNEALING_ALL] = {false}; /* by kind of initial string: some run began with it */
  for (size_t r = 0; r < annealing->run_count; r++) {
    const struct wb_annealing_run *run = &annealing->runs[r];
    least = wb_minimum(least, run->improvements[0].makespan);
    most = wb_maximum(most, run->improvements[run->count - 1].makespan);
    curves.iterations = wb_maximum(curves.iterations, run->iterations);
    began[run->initial] = true;
  }
  most = wb_maximum(most, upper->cycles);
  least = wb_minimum(least, most); /* where there is no run at all */
  page->least = least - (least > 0);
  page->most = most + 1;
  wb_svg_plot_open(page, title, RUN_STYLES);
  for (uint64_t power = 1; power <= curves.iterations; power *= 10) {
    wb_svg_plot_mark(page, iteration_x(&curves, power), power);
    if (power > UINT64_MAX / 10)
      break;
  }
  wb_svg_plot_axes(page, "iterations of each run (logarithmic)",
                   "longest schedule so far, in cycles");
  /* No schedule is longer. */
  wb_text_format(text, "<path class=\"o\" d=\"M%u %.1fh%u\"/>\n", WB_PLOT_LEFT,
                 wb_svg_plot_y(page, upper->cycles), WB_PLOT_WIDTH);
  draw_envelope(&curves, annealing);
  for (size_t r = 0; r < annealing->run_count; r++) {
    const struct wb_annealing_run *run = &annealing->runs[r];
    draw_steps(&curves, run->improvements, run->count, run->iterations, run_classes[run->initial]);
  }
  wb_svg_plot_legend(page, "v", "envelope");
  wb_svg_plot_legend(page, "o", "bound from above");
  for (unsigned i = 0; i < WB_ANNEALING_ALL; i++) {
    if (began[i])
      wb_svg_plot_legend(page, run_classes[i],
                         wb_annealing_initial_name((enum wb_annealing_initial)i));
  }
  wb_text_string(text, "</svg>\n");
}

void wb_result_convergence_svg(const struct warpbound_result *result, struct wb_text *text)
{
  char title[160];
  snprintf(title, sizeof title,
           "Annealing (%s) of %" PRIu32 " warps: %" PRIu64 " to %" PRIu64 " cycles",
           wb_annealing_variant_name(result->annealing.variant), result->instance->warps,
           result->lower.cycles, result->upper.cycles);
  wb_convergence_svg(&result->annealing, &result->upper, title, text);
}

/* ---- the tractable bound ---- */

void wb_tractable_csv(const struct warpbound_result *result, struct wb_text *text)
{
  uint64_t least = UINT64_MAX;
  wb_text_string(text, "y,makespan,bound,least\n");
  for (size_t i = 0; i < result->published.count; i++) {
    const struct wb_named_bound *named = &result->published.items[i];
    if (named->y == 0)
      continue;
    const uint64_t bound = named->bound.cycles;
    least = wb_minimum(least, bound);
    wb_text_format(text, "%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", named->y,
                   bound / wb_divide_up(result->instance->problem.warps, named->y), bound, least);
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

/* The tractable bounds by y, from 0 to W or a little way. */
struct tractable {
  const struct warpbound_result *result;
  struct wb_svg_plot page;
  uint64_t last;
  size_t count;
  bool unsafe; /* some bound is below a schedule */
};

static double warps_x(const struct tractable *plot, uint64_t y)
{
  return WB_PLOT_LEFT + WB_PLOT_WIDTH * (double)y / (double)plot->last;
}

static void measure(struct tractable *plot)
{
  const struct warpbound_result *result = plot->result;
  uint64_t least = result->lower.cycles;
  uint64_t most = result->upper.cycles;
  for (size_t i = 0; i < result->published.count; i++) {
    const struct wb_named_bound *named = &result->published.items[i];
    if (named->y == 0)
      continue;
    plot->count++;
    least = wb_minimum(least, named->bound.cycles);
    most = wb_maximum(most, named->bound.cycles);
    plot->unsafe = plot->unsafe || named->bound.cycles < result->lower.cycles;
  }
  const uint64_t margin = 1 + (most - least) / 16;
  plot->page.least = least > margin ? least - margin : 0;
  plot->page.most = most + margin;
}

/* The least so far as a staircase, the bounds as a line from point to point, and a dot for each;
 * those below a schedule, which refutes them, stand out. */
static void draw_bounds(const struct tractable *plot)
{
  const struct wb_bound_list *published = &plot->result->published;
  struct wb_text line = {0}, stairs = {0}, dots = {0};
  uint64_t least = UINT64_MAX;
  for (size_t i = 0; i < published->count; i++) {
    const struct wb_named_bound *named = &published->items[i];
    if (named->y == 0)
      continue;
    const double x = warps_x(plot, named->y);
    const double y = wb_svg_plot_y(&plot->page, named->bound.cycles);
    const bool first = least == UINT64_MAX;
    const bool refuted = named->bound.cycles < plot->result->lower.cycles;
    least = wb_minimum(least, named->bound.cycles);
    wb_text_format(&line, "%c%.1f %.1f", first ? 'M' : 'L', x, y);
    wb_text_format(&stairs, first ? "M%.1f %.1f" : "H%.1fV%.1f", x,
                   wb_svg_plot_y(&plot->page, least));
    if (refuted || plot->count <= MOST_DOTS)
      wb_text_format(&dots, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"/>\n",
                     refuted ? "u" : "d", x, y, refuted ? "4" : "3");
  }
  struct wb_text *text = plot->page.text;
  if (line.failed || stairs.failed || dots.failed)
    text->failed = true;
  else if (line.length > 0)
    wb_text_format(text, "<path class=\"v\" d=\"%sH%u\"/>\n<path class=\"b\" d=\"%s\"/>\n%s",
                   stairs.data, WB_PLOT_LEFT + WB_PLOT_WIDTH, line.data,
                   dots.data != NULL ? dots.data : "");
  wb_text_free(&line);
  wb_text_free(&stairs);
  wb_text_free(&dots);
}

void wb_tractable_svg(const struct warpbound_result *result, struct wb_text *text)
{
  const uint32_t warps = result->instance->problem.warps;
  struct wb_text title = {0};
  struct tractable plot = {
      .result = result, .page = {.text = text}, .last = wb_maximum(warps, LEAST_RANGE)};
  struct wb_svg_plot *page = &plot.page;
  wb_text_string(&title, "Tractable bound of ECRTS 2012, not safe: ");
  wb_kernel_string_write(&result->instance->kernel, &title);
  wb_text_format(&title, ", W = %" PRIu32, warps);
  if (title.failed) {
    text->failed = true;
    return;
  }
  measure(&plot);
  wb_svg_plot_open(page, title.data, TRACTABLE_STYLES);
  wb_text_free(&title);
  for (uint64_t y = 0; y <= plot.last; y += wb_svg_plot_step(plot.last))
    wb_svg_plot_mark(page, warps_x(&plot, y), y);
  wb_svg_plot_axes(page, "y, the number of warps that the bound starts from", "bound, in cycles");
  /* T(W): a line where it is known, else a band between its ends. */
  const bool closed = result->lower.cycles == result->upper.cycles;
  const double upper = wb_svg_plot_y(page, result->upper.cycles);
  const double lower = wb_svg_plot_y(page, result->lower.cycles);
  if (!closed)
    wb_text_format(text, "<rect class=\"k\" x=\"%u\" y=\"%.1f\" width=\"%u\" height=\"%.1f\"/>\n",
                   WB_PLOT_LEFT, upper, WB_PLOT_WIDTH, lower - upper);
  wb_text_format(text, "<path class=\"t\" d=\"M%u %.1fh%u", WB_PLOT_LEFT, lower, WB_PLOT_WIDTH);
  if (!closed)
    wb_text_format(text, "M%u %.1fh%u", WB_PLOT_LEFT, upper, WB_PLOT_WIDTH);
  wb_text_string(text, "\"/>\n");
  draw_bounds(&plot);
  wb_svg_plot_legend(page, "b", "\xe2\x8c\x88W/y\xe2\x8c\x89 T(y)");
  wb_svg_plot_legend(page, "v", "least so far");
  char truth[96];
  const char *estimate = wb_is_estimate(&result->instance->estimate) ? " (estimate)" : "";
  if (closed)
    snprintf(truth, sizeof truth, "T(W) = %" PRIu64 "%s", result->upper.cycles, estimate);
  else
    snprintf(truth, sizeof truth, "T(W), %" PRIu64 " to %" PRIu64 "%s", result->lower.cycles,
             result->upper.cycles, estimate);
  wb_svg_plot_legend(page, "t", truth);
  if (plot.unsafe)
    wb_svg_plot_legend(page, "s", "below a schedule: not safe");
  wb_text_string(text, "</svg>\n");
}

/* ---- schedules and certificates ---- */

static bool is_whole(const struct warpbound_result *result)
{
  return result->whole_witness.issue_cycle != NULL;
}

/* "Schedule of 45 cycles by greedy-then-oldest: the worst case". */
static void write_schedule_title(const struct warpbound_result *result, struct wb_text *text)
{
  const struct wb_instance *instance = result->instance;
  const uint64_t cycles = wb_result_witness(result);
  wb_text_format(text, "Schedule of %" PRIu64 " cycles by %s", cycles, result->witness_method);
  if (result->exact && cycles == result->upper.cycles)
    wb_text_string(text, ": the worst case");
  else if (result->exact)
    wb_text_format(text, ": the worst case has %" PRIu64, result->upper.cycles);
  else
    wb_text_format(text, ": the worst case has %" PRIu64 " to %" PRIu64, result->lower.cycles,
                   result->upper.cycles);
  if (instance->sm.partitions > 1 && !is_whole(result))
    wb_text_format(text, ", one of %" PRIu32 " partitions of %s", instance->sm.partitions,
                   instance->sm.name);
}

void wb_result_schedule_json(const struct warpbound_result *result, struct wb_text *text)
{
  if (is_whole(result))
    wb_sm_schedule_file_write(&result->instance->whole, &result->whole_witness, text);
  else
    wb_schedule_file_write(&result->instance->problem, &result->witness, text);
}

void wb_result_gantt_svg(const struct warpbound_result *result, struct wb_text *text)
{
  const struct wb_instance *instance = result->instance;
  struct wb_widened_problem wide;
  struct wb_text title = {0};
  wb_problem_widen(&instance->problem, &wide);
  write_schedule_title(result, &title);
  if (title.failed)
    text->failed = true;
  else if (is_whole(result))
    wb_gantt_svg(&instance->whole, &result->whole_witness, NULL, title.data, text);
  else
    wb_gantt_svg(&wide.whole, &result->witness, &instance->problem, title.data, text);
  wb_text_free(&title);
}

void wb_result_gantt_terminal(const struct warpbound_result *result, size_t columns, size_t rows,
                              bool colour, struct wb_text *text)
{
  struct wb_widened_problem wide;
  wb_problem_widen(&result->instance->problem, &wide);
  wb_text_string(text, "\n");
  write_schedule_title(result, text);
  wb_text_string(text, "\n");
  wb_gantt_terminal(is_whole(result) ? &result->instance->whole : &wide.whole,
                    is_whole(result) ? &result->whole_witness : &result->witness, columns, rows,
                    colour, text);
}

/* Whether the certificate that proves the least is the cut of the string, not the potential. */
static bool uses_cut(const struct warpbound_result *result)
{
  const uint64_t potential = result->potential.cycles;
  return result->cut != NULL && (potential == 0 || result->cut_cycles < potential);
}

/* The cycles that this certificate proves; 0 where the result has none. */
static uint64_t proven(const struct warpbound_result *result)
{
  return uses_cut(result) ? result->cut_cycles : result->potential.cycles;
}

uint64_t wb_certificate_json(const struct warpbound_result *result, struct wb_text *text)
{
  if (uses_cut(result))
    wb_run_file_write(&result->instance->problem, result->cut, result->cut_count,
                      result->cut_cycles, text);
  else if (proven(result) > 0)
    wb_potential_file_write(&result->potential, text);
  return proven(result);
}

uint64_t wb_phases_certificate_json(const struct warpbound_result *result, struct wb_text *text)
{
  uint64_t cycles = 0;
  for (size_t p = 0; p < result->phase_count; p++) {
    const struct wb_phase *phase = &result->phases[p];
    uint64_t one, all;
    if (proven(&phase->result) == 0 || !wb_add(proven(&phase->result), phase->tail, &one) ||
        !wb_multiply(phase->times, one, &all) || !wb_add(cycles, all, &cycles))
      return 0;
  }
  if (cycles == 0)
    return 0;
  wb_phases_file_begin(&result->instance->problem, cycles, text);
  for (size_t p = 0; p < result->phase_count; p++) {
    wb_phases_file_separate(p, text);
    wb_certificate_json(&result->phases[p].result, text);
  }
  wb_phases_file_end(text);
  return cycles;
}
