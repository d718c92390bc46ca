#include "report/makespan_report.h"
#include "report/style.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* A string of many runs would fill the screen: what fits is shown. */
#define LONGEST_STRING 60

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
  wb_text_format(text, " (%zu instruction%s)", string->length, string->length == 1 ? "" : "s");
}

static void write_units(const struct warpbound_instance *instance, struct wb_text *text)
{
  const char *separator = "";
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
}

static void write_fairness(const struct wb_fair_blocks *fair, struct wb_text *text)
{
  if (fair->count > 0)
    wb_text_format(text, "  fair        %zu times %zu instruction%s from instruction %zu on\n",
                   fair->count, fair->length, fair->length == 1 ? "" : "s", fair->first);
}

static void write_question(const struct warpbound_result *result, struct wb_text *text)
{
  const struct warpbound_instance *instance = result->instance;
  wb_text_string(text, "  string      ");
  write_string(&instance->kernel, text);
  wb_text_string(text, "\n  units       ");
  write_units(instance, text);
  wb_text_string(text, "\n");
  write_fairness(&instance->fair, text);
  if (instance->problem.string.length == instance->kernel.length && instance->sm.partitions == 1)
    return;
  wb_text_string(text, "  normalised  ");
  write_string(&instance->problem.string, text);
  if (instance->sm.partitions > 1)
    wb_text_format(text, ", %" PRIu32 " warp%s a partition", instance->problem.warps,
                   instance->problem.warps == 1 ? "" : "s");
  wb_text_string(text, "\n");
}

/* The bracket of a string that is an estimate itself. */
static void write_estimate(const struct warpbound_result *result, bool colour, struct wb_text *text)
{
  const char *style = wb_kind_style(WARPBOUND_ESTIMATE, colour);
  const char *plain = wb_style(WB_STYLE_PLAIN, colour);
  if (result->lower.cycles == result->upper.cycles)
    wb_text_format(
        text, "%s%" PRIu64 " cycles, estimate%s (as the string is): %s from above, %s from below\n",
        style, result->upper.cycles, plain, result->upper.name, result->lower.name);
  else
    wb_text_format(text,
                   "between %s%" PRIu64 "%s and %s%" PRIu64
                   "%s cycles (estimates, as the string is): %s from below, %s from above\n",
                   style, result->lower.cycles, plain, style, result->upper.cycles, plain,
                   result->lower.name, result->upper.name);
}

static void write_answer(const struct warpbound_result *result, bool colour, struct wb_text *text)
{
  const char *plain = wb_style(WB_STYLE_PLAIN, colour);
  wb_text_string(text, result->simulated ? "  worst case  " : "  answer      ");
  if (result->instance->estimate)
    write_estimate(result, colour, text);
  else if (result->exact)
    wb_text_format(text, "%s%" PRIu64 " cycles, exact%s: %s from above, %s from below\n",
                   wb_kind_style(WARPBOUND_EXACT, colour), result->upper.cycles, plain,
                   result->upper.name, result->lower.name);
  else
    wb_text_format(text,
                   "between %s%" PRIu64 " (lower)%s and %s%" PRIu64
                   " (upper)%s cycles: %s from below, %s from above\n",
                   wb_kind_style(WARPBOUND_LOWER, colour), result->lower.cycles, plain,
                   wb_kind_style(WARPBOUND_UPPER, colour), result->upper.cycles, plain,
                   result->lower.name, result->upper.name);
  if (result->witness.issue_cycle != NULL)
    wb_text_format(text, "  witness     a schedule of %" PRIu64 " cycles by %s, checked\n",
                   result->witness.makespan, result->witness_method);
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
  wb_text_format(text,
                 "  annealing   %s, %zu run%s of up to %" PRIu64 " iterations: %" PRIu64
                 " to %" PRIu64 " cycles\n",
                 wb_annealing_variant_name(annealing->variant), annealing->run_count,
                 annealing->run_count == 1 ? "" : "s", annealing->iterations, least, most);
}

static void write_bound(const struct wb_named_bound *named, bool colour, struct wb_text *text)
{
  const warpbound_bound *bound = &named->bound;
  char name[48];
  snprintf(name, sizeof name, named->y > 0 ? "%s (y = %" PRIu32 ")" : "%s", bound->name, named->y);
  wb_text_format(text, "  %-28s %12" PRIu64 "  %s%-9s%s  %s\n", name, bound->cycles,
                 wb_kind_style(bound->kind, colour), warpbound_kind_name(bound->kind),
                 wb_style(WB_STYLE_PLAIN, colour), bound->source);
}

/* Of the tractable bound's many y only the one that gives the least is shown. */
static const struct wb_named_bound *least_tractable(const struct wb_bound_list *list)
{
  const struct wb_named_bound *least = NULL;
  for (size_t i = 0; i < list->count; i++) {
    const struct wb_named_bound *named = &list->items[i];
    if (named->y > 0 && (least == NULL || named->bound.cycles < least->bound.cycles))
      least = named;
  }
  return least;
}

static void write_bounds(const struct warpbound_result *result, bool colour, struct wb_text *text)
{
  wb_text_format(text, "\n%s  %-28s %12s  %-9s  %s%s\n", wb_style(WB_STYLE_BOLD, colour), "bound",
                 "cycles", "kind", "source", wb_style(WB_STYLE_PLAIN, colour));
  for (size_t i = 0; i < result->bounds.count; i++)
    write_bound(&result->bounds.items[i], colour, text);
  const struct wb_named_bound *tractable = least_tractable(&result->published);
  for (size_t i = 0; i < result->published.count; i++) {
    if (result->published.items[i].y == 0)
      write_bound(&result->published.items[i], colour, text);
  }
  if (tractable != NULL)
    write_bound(tractable, colour, text);
}

static void write_search(const struct warpbound_result *result, struct wb_text *text)
{
  double bytes = (double)result->search.memory_bytes;
  bool mega = bytes >= 1e6;
  wb_text_format(text, "\n  search: %" PRIu64 " states, %.1f %s, %.3f s\n", result->search.states,
                 bytes / (mega ? 1e6 : 1e3), mega ? "MB" : "kB", result->search.seconds);
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
  wb_text_format(text, "              %zu columns (%zu integer), %zu rows, %zu entries\n",
                 integer->columns, integer->integers, integer->rows, integer->entries);
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
  wb_text_format(text, "\n%s  %s%s\n", wb_style(WB_STYLE_BOLD, colour), title,
                 wb_style(WB_STYLE_PLAIN, colour));
  for (size_t i = 0; i < list->count; i++)
    wb_text_format(text, "  - %s\n", list->items[i]);
}

/* What `simulate` was asked: the policy's own makespan, before the worst case. */
static void write_simulated(const struct warpbound_result *result, struct wb_text *text)
{
  if (!result->simulated || result->witness.issue_cycle == NULL)
    return;
  wb_text_format(text, "  simulated   %" PRIu64 " cycles by %s%s\n", result->witness.makespan,
                 result->witness_method,
                 result->policy == NULL ? ", the longest of the policies below" : "");
}

void wb_makespan_text(const struct warpbound_result *result, bool colour, struct wb_text *text)
{
  wb_text_format(text, "%s%s of %" PRIu32 " warp%s on %s%s\n", wb_style(WB_STYLE_BOLD, colour),
                 result->simulated ? "Simulated makespan" : "Worst-case makespan",
                 result->instance->warps, result->instance->warps == 1 ? "" : "s",
                 result->instance->sm.name, wb_style(WB_STYLE_PLAIN, colour));
  write_question(result, text);
  write_simulated(result, text);
  write_answer(result, colour, text);
  write_annealing(result, text);
  write_bounds(result, colour, text);
  write_integer_program(&result->integer, text);
  write_search(result, text);
  write_list("notes", &result->notes, colour, text);
  write_list("assumptions", &result->instance->assumptions, colour, text);
  for (size_t i = 0; i < result->assumptions.count; i++)
    wb_text_format(text, "  - %s\n", result->assumptions.items[i]);
}

void wb_makespan_table_head(const struct warpbound_result *result, bool colour,
                            struct wb_text *text)
{
  wb_text_format(text, "%sWorst-case makespans on %s%s\n", wb_style(WB_STYLE_BOLD, colour),
                 result->instance->sm.name, wb_style(WB_STYLE_PLAIN, colour));
  wb_text_string(text, "  string      ");
  write_string(&result->instance->kernel, text);
  wb_text_string(text, "\n  units       ");
  write_units(result->instance, text);
  wb_text_string(text, "\n");
  write_fairness(&result->instance->fair, text);
  wb_text_format(text, "\n%s  %8s %12s %12s  %-7s  %-24s %s%s\n", wb_style(WB_STYLE_BOLD, colour),
                 "warps", "lower", "upper", "known", "from below", "from above",
                 wb_style(WB_STYLE_PLAIN, colour));
}

void wb_makespan_table_row(const struct warpbound_result *result, bool colour, struct wb_text *text)
{
  warpbound_kind kind = result->exact ? WARPBOUND_EXACT : result->upper.kind;
  const char *known = result->exact ? "exact" : "bracket";
  if (result->instance->estimate)
    known = "estimate";
  wb_text_format(text, "  %8" PRIu32 " %12" PRIu64 " %12" PRIu64 "  %s%-8s%s %-24s %s\n",
                 result->instance->warps, result->lower.cycles, result->upper.cycles,
                 wb_kind_style(kind, colour), known, wb_style(WB_STYLE_PLAIN, colour),
                 result->lower.name, result->upper.name);
}

void wb_makespan_table_end(const struct warpbound_result *result, bool colour, struct wb_text *text)
{
  write_list("assumptions", &result->instance->assumptions, colour, text);
  for (size_t i = 0; i < result->assumptions.count; i++)
    wb_text_format(text, "  - %s\n", result->assumptions.items[i]);
}
