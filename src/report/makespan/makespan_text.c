/* A makespan result as text, and the table of several. */
#include "base/memory.h"
#include "base/text/quantity.h"
#include "formats/json/json_output.h"
#include "makespan/bounds/closed_form.h"
#include "report/makespan/makespan_report.h"
#include "report/report_words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A string of many runs would fill the screen: what fits is shown. */
#define LONGEST_STRING 60
/* Phases shown; the rest is in the JSON. */
#define MOST_PHASES 20

static void write_string(const struct wb_kernel_string *string, struct wb_text *text)
{
  struct wb_text letters = {0};
  wb_kernel_string_write(string, &letters);
  if (letters.failed)
    text->failed = true;
  else if (letters.length <= LONGEST_STRING)
    wb_text_append(text, letters.data, letters.length);
  else
    wb_text_format(text, "%.*s...", LONGEST_STRING, letters.data);
  wb_text_free(&letters);
  wb_text_format(text, " (%s)", WB_COUNT_OF(string->length, "instruction"));
}

/* The string, the units, the blocks; with the warps of a block where all are of so many. */
static void write_instance(const struct wb_instance *instance, bool with_warps,
                           struct wb_text *text)
{
  const uint32_t blocks = instance->whole.blocks;
  const struct wb_fair_blocks *fair = &instance->fair;
  const char *separator = "";
  wb_text_string(text, "  string      ");
  write_string(&instance->kernel, text);
  wb_text_string(text, "\n  units       ");
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    if (instance->kernel.count[u] == 0)
      continue;
    wb_text_format(text, "%s%c=", separator, wb_unit_letter((enum wb_unit)u));
    wb_unit_capacity_write(&instance->sm.unit[u], text);
    if (instance->problem.shared[u])
      wb_text_string(text, " (shared)");
    separator = ", ";
  }
  if (instance->sm.issue_slots > 0)
    wb_text_format(text, "%sat most %u issued a cycle", separator, instance->sm.issue_slots);
  else
    wb_text_format(text, "%sno cap on issue slots", separator);
  if (instance->sm.partitions > 1)
    wb_text_format(text, ", each of %u partitions", instance->sm.partitions);
  wb_text_string(text, "\n");
  if (blocks > 1 && with_warps)
    wb_text_format(text, "  blocks      %" PRIu32 " of %" PRIu32 " warps\n", blocks,
                   instance->whole.block_warps);
  else if (blocks > 1)
    wb_text_format(text, "  blocks      %" PRIu32 "\n", blocks);
  if (fair->count > 0)
    wb_text_format(text, "  fair        %zu times %zu instruction%s from instruction %zu on\n",
                   fair->count, fair->length, fair->length == 1 ? "" : "s", fair->first);
}

static void write_annealing(const struct warpbound_result *result, struct wb_text *text)
{
  const struct wb_annealing_result *annealing = &result->annealing;
  if (!result->annealed || annealing->run_count == 0)
    return;
  uint64_t least = UINT64_MAX;
  uint64_t most = 0;
  for (size_t r = 0; r < annealing->run_count; r++) {
    const struct wb_annealing_run *run = &annealing->runs[r];
    uint64_t best = run->improvements[run->count - 1].makespan;
    least = best < least ? best : least;
    most = best > most ? best : most;
  }
  wb_text_format(text, "  annealing   %s, %zu run%s of up to %s: %s to %s\n",
                 wb_annealing_variant_name(annealing->variant), annealing->run_count,
                 annealing->run_count == 1 ? "" : "s",
                 WB_COUNT_OF(annealing->iterations, "iteration"), WB_COUNT(least),
                 WB_COUNT_OF(most, "cycle"));
}

static void write_bound(const struct wb_named_bound *named, bool colour, struct wb_text *text)
{
  const warpbound_bound *bound = &named->bound;
  char name[48];
  snprintf(name, sizeof name, named->y > 0 ? "%s (y = %" PRIu32 ")" : "%s", bound->name, named->y);
  wb_text_format(text, "  %-28s %12s  %s%-9s%s  %s\n", name, WB_COUNT(bound->cycles),
                 wb_kind_style(bound->kind, colour), warpbound_kind_name(bound->kind),
                 wb_style(WB_STYLE_PLAIN, colour), bound->source);
}

static void write_bounds(const struct warpbound_result *result, bool colour, struct wb_text *text)
{
  wb_text_format(text, "\n%s  %-28s %12s  %-9s  %s%s\n", wb_style(WB_STYLE_BOLD, colour), "bound",
                 "cycles", "kind", "source", wb_style(WB_STYLE_PLAIN, colour));
  for (size_t i = 0; i < result->bounds.count; i++)
    write_bound(&result->bounds.items[i], colour, text);
  /* Of the tractable bound's many y only the one that gives the least is shown. */
  const struct wb_bound_list *list = &result->published;
  const struct wb_named_bound *tractable = NULL;
  for (size_t i = 0; i < list->count; i++) {
    const struct wb_named_bound *named = &list->items[i];
    if (named->y == 0)
      write_bound(named, colour, text);
    else if (tractable == NULL || named->bound.cycles < tractable->bound.cycles)
      tractable = named;
  }
  if (tractable != NULL)
    write_bound(tractable, colour, text);
}

/* The distinct phases between barriers, whose ends add up. */
static void write_phases(const struct warpbound_result *result, bool colour, struct wb_text *text)
{
  if (result->phase_count == 0)
    return;
  wb_text_format(text, "\n%s  %10s %12s %12s  %s%s\n", wb_style(WB_STYLE_BOLD, colour), "times",
                 "lower", "upper", "phase between barriers, the barrier read as N",
                 wb_style(WB_STYLE_PLAIN, colour));
  for (size_t p = 0; p < result->phase_count; p++) {
    const struct wb_phase *phase = &result->phases[p];
    if (p == MOST_PHASES) {
      wb_text_format(text, "  and %zu more\n", result->phase_count - p);
      return;
    }
    uint64_t least = 0;
    uint64_t most = 0;
    text->failed = text->failed || !wb_phase_ends(phase, &least, &most);
    wb_text_format(text, "  %10s %12s %12s  ", WB_COUNT(phase->times), WB_COUNT(least),
                   WB_COUNT(most));
    write_string(&phase->kernel, text);
    wb_text_string(text, "\n");
  }
}

/* The program, and what its solver says. */
static void write_integer_program(const struct wb_integer_result *integer, struct wb_text *text)
{
  if (!integer->built)
    return;
  wb_text_format(
      text, "\n  program     %s form, horizon %" PRIu32 " (%s%s)\n",
      wb_integer_form_name(integer->plan.form), integer->plan.horizon, integer->horizon_name,
      integer->short_horizon ? ", below what is proven: it may cut the worst case off" : "");
  wb_text_format(text, "              %s (%s integer), %s, %s entr%s\n",
                 WB_COUNT_OF(integer->columns, "column"), WB_COUNT(integer->integers),
                 WB_COUNT_OF(integer->rows, "row"), WB_COUNT(integer->entries),
                 integer->entries == 1 ? "y" : "ies");
  if (integer->solver == NULL)
    return;
  wb_text_format(text, "  solver      %s: %s", integer->solver,
                 wb_linear_status_name(integer->status));
  if (integer->status == WB_LINEAR_OPTIMAL || integer->status == WB_LINEAR_FEASIBLE)
    wb_text_format(text, ", objective %.10g", integer->objective);
  if (isfinite(integer->bound))
    wb_text_format(text, ", bound %.10g", integer->bound);
  wb_text_format(text, ", %.3f s\n", integer->seconds);
}

static void write_list(const char *title, const struct wb_list *list, bool colour,
                       struct wb_text *text)
{
  if (list->count == 0)
    return;
  wb_text_title(text, title, colour);
  for (size_t i = 0; i < list->count; i++)
    wb_text_format(text, "  - %s\n", list->items[i]);
}

void wb_makespan_answer(const struct warpbound_result *result, bool colour, struct wb_text *text)
{
  static const char *const units[WB_REAL_UNIT_COUNT] = {
      "load/store", "the CUDA cores", "the special function units", "the double precision units",
      "the tensor cores"};
  const uint64_t simulated = result->simulated ? wb_result_witness(result) : 0;
  if (simulated > 0) {
    wb_text_format(text, "%s%s%s by %s%s\n", wb_style(WB_STYLE_BOLD, colour),
                   WB_COUNT_OF(simulated, "cycle"), wb_style(WB_STYLE_PLAIN, colour),
                   result->witness_method,
                   result->policy == NULL ? ", the longest of the policies" : "");
  }
  wb_text_string(text, result->simulated ? "worst case: " : "");
  /* The bracket and what limits it, in one line. */
  const char *plain = wb_style(WB_STYLE_PLAIN, colour);
  char lower[WB_COUNT_SIZE], upper[WB_COUNT_SIZE];
  wb_count(result->lower.cycles, lower);
  wb_count(result->upper.cycles, upper);
  const char *estimate = wb_kind_style(WARPBOUND_ESTIMATE, colour);
  if (wb_is_estimate(&result->instance->estimate) && result->lower.cycles == result->upper.cycles)
    wb_text_format(text, "%s%s cycle%s, estimate%s", estimate, upper,
                   result->upper.cycles == 1 ? "" : "s", plain);
  else if (wb_is_estimate(&result->instance->estimate))
    wb_text_format(text, "between %s%s%s and %s%s%s cycles (estimates)", estimate, lower, plain,
                   estimate, upper, plain);
  else if (result->exact)
    wb_text_format(text, "%s%s cycle%s, exact%s", wb_kind_style(WARPBOUND_EXACT, colour), upper,
                   result->upper.cycles == 1 ? "" : "s", plain);
  else
    wb_text_format(text, "between %s%s (lower)%s and %s%s (upper)%s cycles",
                   wb_kind_style(WARPBOUND_LOWER, colour), lower, plain,
                   wb_kind_style(WARPBOUND_UPPER, colour), upper, plain);
  const struct wb_limiting_part part = wb_limiting_part(&result->instance->problem);
  const char *limit = "the issue slots";
  if (part.kind == WB_PART_CHAIN)
    limit = "the chain of one warp";
  else if (part.kind == WB_PART_UNIT)
    limit = units[part.unit];
  wb_text_format(text, ": limited by %s (%s of %s)\n", limit, WB_COUNT(part.cycles), upper);
  wb_estimate_text(&result->instance->estimate, "estimate", colour, text);
}

void wb_makespan_text(const struct warpbound_result *result, bool colour, struct wb_text *text)
{
  wb_makespan_answer(result, colour, text);
  wb_text_format(text, "\n%s  question    %s of %" PRIu32 " warp%s on %s%s\n",
                 wb_style(WB_STYLE_BOLD, colour),
                 result->simulated ? "simulated makespan" : "worst-case makespan",
                 result->instance->warps, result->instance->warps == 1 ? "" : "s",
                 result->instance->sm.name, wb_style(WB_STYLE_PLAIN, colour));
  const struct wb_instance *instance = result->instance;
  write_instance(instance, true, text);
  if (instance->problem.string.length != instance->kernel.length || instance->sm.partitions != 1) {
    wb_text_string(text, "  normalised  ");
    write_string(&instance->problem.string, text);
    if (instance->sm.partitions > 1)
      wb_text_format(text, ", %" PRIu32 " warp%s a partition", instance->problem.warps,
                     instance->problem.warps == 1 ? "" : "s");
    wb_text_string(text, "\n");
  }
  /* Of how many paths the upper end speaks, and of which one the rest does. */
  if (result->paths.several) {
    wb_text_format(text, "  paths       %s%zu; the upper end is of all, ",
                   result->paths.all ? "" : "more than ", result->paths.strings);
    if (result->paths.mixed)
      wb_text_format(text, "the lower end of several at once, the string of %s\n",
                     result->paths.shown);
    else
      wb_text_format(text, "the lower end and the string of %s\n", result->paths.shown);
  }
  /* Who found the ends of the bracket, and the schedule that reaches the lower one. */
  wb_text_format(text, "  known by    %s from above, %s from below\n", result->upper.name,
                 result->lower.name);
  const uint64_t witness = wb_result_witness(result);
  if (witness != 0)
    wb_text_format(text, "  witness     a schedule of %s by %s, checked\n",
                   WB_COUNT_OF(witness, "cycle"), result->witness_method);
  write_annealing(result, text);
  write_bounds(result, colour, text);
  write_phases(result, colour, text);
  write_integer_program(&result->integer, text);
  wb_text_format(text, "\n  search      %s, ", WB_COUNT_OF(result->search.states, "state"));
  wb_text_bytes(text, result->search.memory_bytes);
  wb_text_format(text, ", %.3f s\n", result->search.seconds);
  write_list("notes", &result->notes, colour, text);
  /* The assumptions, each once: those of the question, then those of the answer. */
  struct wb_list all = {0};
  wb_list_add_all(&all, &result->instance->assumptions);
  wb_list_add_all(&all, &result->assumptions);
  text->failed = text->failed || all.failed;
  write_list("assumptions", &all, colour, text);
  wb_list_free(&all);
}

/* ---- tables over the number of warps ---- */

warpbound_status wb_series_report_add(struct wb_series_report *report,
                                      const struct warpbound_result *result, warpbound_error *error)
{
  if (!wb_grow(report->lines, &report->capacity, report->count + 1))
    return wb_out_of_memory(error);
  struct wb_series_line *line = &report->lines[report->count++];
  *line = (struct wb_series_line){.warps = result->instance->warps};
  if (report->json) {
    line->json = wb_makespan_row_json(result);
    if (report->instance == NULL)
      report->instance = wb_instance_json(result->instance);
    return WARPBOUND_OK;
  }
  const char *bold = wb_style(WB_STYLE_BOLD, report->colour);
  const char *plain = wb_style(WB_STYLE_PLAIN, report->colour);
  if (report->count == 1) {
    wb_text_format(&report->head, "\n%s  question    worst-case makespans on %s%s\n", bold,
                   result->instance->sm.name, plain);
    write_instance(result->instance, false, &report->head);
    wb_text_format(&report->head, "\n%s  %8s %12s %12s  %-8s %-24s %s%s\n", bold, "warps", "lower",
                   "upper", "known", "from below", "from above", plain);
  }
  const bool estimate = wb_is_estimate(&result->instance->estimate);
  const warpbound_kind kind = result->exact ? WARPBOUND_EXACT : result->upper.kind;
  const char *known = estimate ? "estimate" : result->exact ? "exact" : "bracket";
  wb_text_format(&line->text, "  %8" PRIu32 " %12s %12s  %s%-8s%s %-24s %s\n",
                 result->instance->warps, WB_COUNT(result->lower.cycles),
                 WB_COUNT(result->upper.cycles), wb_kind_style(kind, report->colour), known, plain,
                 result->lower.name, result->upper.name);
  return WARPBOUND_OK;
}

static int by_warps(const void *left, const void *right)
{
  const struct wb_series_line *one = left, *other = right;
  return (one->warps > other->warps) - (one->warps < other->warps);
}

/* "4 W + 1": of one partition the warps are those of the SM. */
static void write_affine_form(const struct warpbound_series *series, int64_t slope, int64_t offset,
                              struct wb_text *text)
{
  int64_t size = offset < 0 ? -offset : offset;
  if (slope != 1)
    wb_text_format(text, "%" PRId64 " ", slope);
  wb_text_string(text, series->partitions > 1 ? "w" : "W");
  if (size > 0)
    wb_text_format(text, " %c %" PRId64, offset < 0 ? '-' : '+', size);
}

static void explain_warps(const struct warpbound_series *series, struct wb_text *text)
{
  if (series->partitions > 1)
    wb_text_format(text, ", w = ceil(W / %" PRIu32 ") the warps of a partition",
                   series->partitions);
}

/* The range of the rows, and how many are exact. */
static void write_answer(const struct warpbound_series *series, bool colour, struct wb_text *text)
{
  const struct wb_series_row *rows = series->rows;
  size_t exact = 0;
  uint64_t least = UINT64_MAX;
  uint64_t most = 0;
  for (size_t r = 0; r < series->count; r++) {
    exact += rows[r].lower.cycles == rows[r].upper.cycles;
    least = rows[r].lower.cycles < least ? rows[r].lower.cycles : least;
    most = rows[r].upper.cycles > most ? rows[r].upper.cycles : most;
  }
  wb_text_count(text, least);
  wb_text_string(text, least < most ? " to " : "");
  if (least < most)
    wb_text_count(text, most);
  wb_text_format(text, " cycle%s for %" PRIu32, most == 1 ? "" : "s", rows[0].warps);
  if (series->count > 1)
    wb_text_format(text, " to %" PRIu32, rows[series->count - 1].warps);
  wb_text_format(text, " warp%s, ", rows[series->count - 1].warps == 1 ? "" : "s");
  if (wb_is_estimate(&series->estimate))
    wb_text_string(text, series->count > 1 ? "all estimates\n" : "an estimate\n");
  else if (exact == series->count)
    wb_text_string(text, series->count > 1 ? "all exact\n" : "exact\n");
  else
    wb_text_format(text, "%zu of %zu rows exact\n", exact, series->count);
  if (series->line.divisor != 0) {
    /* The upper end for every number of warps, where a potential gave one. */
    const struct wb_potential_line *line = &series->line;
    wb_text_format(text, "for every W >= %" PRIu64 ": T(W) <= %s",
                   wb_series_warps_of(series, line->from_warps),
                   line->divisor > 1 ? "floor((" : "");
    write_affine_form(series, line->slope, line->offset, text);
    if (line->divisor > 1)
      wb_text_format(text, ") / %" PRId64 ")", line->divisor);
    wb_text_string(text, " cycles");
    explain_warps(series, text);
    wb_text_format(text, ", %s, by one potential\n",
                   wb_is_estimate(&series->estimate) ? "estimate" : "upper");
  }
  wb_estimate_text(&series->estimate, "estimate", colour, text);
}

static void add_lines(const struct warpbound_series *series, json_t *object)
{
  struct wb_series_affine affine;
  const struct wb_potential_line *line = &series->line;
  if (line->divisor != 0)
    json_object_set_new(
        object, "line",
        json_pack("{s:I, s:I, s:I, s:I, s:I, s:s, s:s}", "slope", (json_int_t)line->slope, "offset",
                  (json_int_t)line->offset, "divisor", (json_int_t)line->divisor, "from_warps",
                  (json_int_t)wb_series_warps_of(series, line->from_warps), "partitions",
                  (json_int_t)series->partitions, "kind",
                  wb_is_estimate(&series->estimate) ? "estimate" : "upper", "method", "potential"));
  if (wb_series_find_affine(series, &affine))
    json_object_set_new(object, "affine",
                        json_pack("{s:I, s:I, s:I, s:I, s:I, s:s, s:s}", "slope",
                                  (json_int_t)affine.slope, "offset", (json_int_t)affine.offset,
                                  "from_warps", (json_int_t)series->rows[affine.first].warps,
                                  "to_warps", (json_int_t)series->rows[series->count - 1].warps,
                                  "partitions", (json_int_t)series->partitions, "kind",
                                  wb_is_estimate(&series->estimate) ? "estimate" : "exact",
                                  "beyond", "estimate"));
}

void wb_series_report_write(struct wb_series_report *report, const struct warpbound_series *series,
                            struct wb_text *text)
{
  if (report->count == 0 || series->count != report->count)
    return;
  qsort(report->lines, report->count, sizeof *report->lines, by_warps);
  for (size_t i = 0; i < report->count; i++)
    text->failed = text->failed || report->lines[i].text.failed;
  text->failed = text->failed || report->head.failed || series->assumptions.failed;
  if (text->failed)
    return;
  if (report->json) {
    json_object_set_new(report->instance, "warps",
                        json_sprintf("%" PRIu32 "..%" PRIu32, series->rows[0].warps,
                                     series->rows[series->count - 1].warps));
    json_object_del(json_object_get(report->instance, "normalised"), "warps");
    json_t *table = json_array();
    for (size_t i = 0; i < report->count; i++)
      wb_json_push(&table, json_incref(report->lines[i].json));
    json_t *object = json_pack("{s:O, s:o, s:o}", "instance", report->instance, "assumptions",
                               wb_json_list(&series->assumptions), "table", table);
    if (object != NULL)
      add_lines(series, object);
    wb_json_append(object, text);
  } else {
    struct wb_series_affine affine;
    write_answer(series, report->colour, text);
    if (!report->quiet) {
      wb_text_append(text, report->head.data, report->head.length);
      for (size_t i = 0; i < report->count; i++)
        wb_text_append(text, report->lines[i].text.data, report->lines[i].text.length);
      if (wb_series_find_affine(series, &affine)) {
        wb_text_string(text, "\n  affine      T(W) = ");
        write_affine_form(series, (int64_t)affine.slope, affine.offset, text);
        explain_warps(series, text);
        wb_text_format(text, "%s for W = %" PRIu32 "..%" PRIu32 ": %s\n",
                       series->partitions > 1 ? "," : "", series->rows[affine.first].warps,
                       series->rows[series->count - 1].warps,
                       wb_is_estimate(&series->estimate)
                           ? "estimate, row by row"
                           : "exact, row by row; that it goes on so is an estimate");
      }
      write_list("assumptions", &series->assumptions, report->colour, text);
    }
  }
}

void wb_series_report_free(struct wb_series_report *report)
{
  for (size_t i = 0; i < report->count; i++) {
    wb_text_free(&report->lines[i].text);
    json_decref(report->lines[i].json);
  }
  free(report->lines);
  wb_text_free(&report->head);
  json_decref(report->instance);
  *report = (struct wb_series_report){0};
}
