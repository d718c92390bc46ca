/* What all writers of a launch say in the same words: times, methods, accesses, verdicts, the
 * bracket; the table of several launches. */
#include "base/checked.h"
#include "base/text/quantity.h"
#include "base/text/utf8.h"
#include "report/analyze/analyze_report.h"
#include "report/report_words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

bool wb_analyze_has_bound(const struct wb_launch_report *report)
{
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  return analysis->maxima.terms.denominator > 0 && analysis->upper.cycles > 0;
}

uint64_t wb_analyze_clock(const struct wb_launch_analysis *analysis)
{
  return analysis->clock > 0 ? analysis->clock : 1;
}

double wb_analyze_seconds(const struct wb_launch_analysis *analysis, uint64_t cycles)
{
  return (double)cycles / (double)wb_analyze_clock(analysis);
}

void wb_analyze_write_time(double seconds, bool up, struct wb_text *text)
{
  static const struct {
    double size;
    const char *name;
  } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  size_t u = 0;
  while (u + 1 < sizeof units / sizeof *units && seconds < units[u].size)
    u++;
  const double value = seconds / units[u].size;
  const int decimals = value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3;
  const double scale = pow(10, decimals);
  /* What only the arithmetic in doubles adds or takes is no reason to go to the next digit. */
  const double scaled = value * scale;
  const double slack = scaled * 1e-12;
  const double rounded = up ? ceil(scaled - slack) : floor(scaled + slack);
  wb_text_format(text, "%.*f %s", decimals, rounded / scale, units[u].name);
}

double wb_analyze_part(const struct wb_launch_analysis *analysis,
                       const struct wb_launch_bound *bound, enum wb_launch_part part)
{
  return (double)bound->part[part] / (double)analysis->maxima.terms.denominator;
}

/* The greatest part of the upper end but for the fraction cut off. */
static enum wb_launch_part greatest_part(const struct wb_launch_analysis *analysis)
{
  enum wb_launch_part greatest = WB_PART_LAUNCH;
  for (int p = 0; p < WB_PART_COUNT; p++) {
    if (p != WB_PART_FLOOR && analysis->upper.part[p] > analysis->upper.part[greatest])
      greatest = (enum wb_launch_part)p;
  }
  return greatest;
}

const char *wb_analyze_part_words(enum wb_launch_part part)
{
  static const char *const words[WB_PART_COUNT] = {
      [WB_PART_LAUNCH] = "before the first instruction of the launch and after its last",
      [WB_PART_OWN] = "stalls and latencies of one warp after the other, of one chain of blocks",
      [WB_PART_OWN_BLOCK] = "waiting for the other warps of these blocks",
      [WB_PART_OTHER_BLOCKS] = "waiting for the blocks beside them on the same SM",
      [WB_PART_BARRIERS] = "what changes of partition at barriers and of blocks add",
      [WB_PART_TAIL] = "the last block and those beside it, once no block waits any more",
      [WB_PART_GPU] = "waiting for what the whole GPU shares: L2 cache, memory",
      [WB_PART_FOREIGN] = "waiting for what others than the GPU ask of its memory",
      [WB_PART_FETCHES] = "data that caches keep, fetched once, and what they drive out of L2",
      [WB_PART_COLD] =
          "code, constants and translations, which no cache has when the launch begins",
      [WB_PART_FLOOR] = "the fraction of a cycle that is cut off",
  };
  return words[part];
}

void wb_analyze_write_upper_method(const struct wb_launch_analysis *analysis,
                                   const struct wb_launch_bound *bound, struct wb_text *text)
{
  if (bound->formula == WB_FORMULA_BLOCK_ALONE)
    wb_text_string(text, "theorem 1");
  else if (bound->formula == WB_FORMULA_TOTAL)
    wb_text_string(text, "one step after the other");
  else if (bound->formula == WB_FORMULA_ROUNDS)
    wb_text_format(text, "theorem D, %s", wb_launch_formula_name(bound->formula));
  else if (bound->formula == WB_FORMULA_MEAN)
    wb_text_format(text, "theorem E, %s", wb_launch_formula_name(bound->formula));
  else
    wb_text_format(text, "theorem 2, %s", wb_launch_formula_name(bound->formula));
  if (analysis->series && bound->formula != WB_FORMULA_TOTAL)
    wb_text_string(text, ", stages in series paid once");
  if (analysis->pair && bound->formula != WB_FORMULA_TOTAL)
    wb_text_string(text, ", L2 and memory paid once");
}

void wb_analyze_write_lower_method(const struct wb_launch_analysis *analysis, struct wb_text *text)
{
  static const char *const names[] = {
      [WB_LOWER_CHAIN] = "blocks one after the other",
      [WB_LOWER_RESOURCE] = "the work of a resource",
      [WB_LOWER_SIMULATION] = "simulation",
  };
  wb_text_string(text, names[analysis->lower_method]);
  if (analysis->lower_method == WB_LOWER_SIMULATION)
    wb_text_format(text, ", %s", wb_launch_policy_name(analysis->policy));
}

const char *wb_memory_space_name(enum wb_memory_space space)
{
  static const char *const names[WB_SPACE_COUNT] = {
      [WB_SPACE_GLOBAL] = "global",   [WB_SPACE_SHARED] = "shared",
      [WB_SPACE_LOCAL] = "local",     [WB_SPACE_CONSTANT] = "constant",
      [WB_SPACE_GENERIC] = "generic", [WB_SPACE_TEXTURE] = "texture",
  };
  return names[space];
}

const char *wb_access_pattern_name(enum wb_access_pattern pattern)
{
  static const char *const names[] = {
      [WB_ACCESS_UNIFORM] = "uniform",
      [WB_ACCESS_STRIDED] = "strided",
      [WB_ACCESS_UNKNOWN] = "unknown",
  };
  return names[pattern];
}

const char *wb_access_kind_name(const struct wb_access *access)
{
  if (access->atomic)
    return "atomic";
  return access->store ? "store" : "load";
}

uint32_t wb_access_transactions(const struct wb_access *access)
{
  return access->space == WB_SPACE_SHARED ? access->wavefronts : access->sectors;
}

const char *wb_access_transaction_name(const struct wb_access *access, uint32_t count)
{
  if (access->space == WB_SPACE_SHARED)
    return count == 1 ? "wavefront" : "wavefronts";
  return count == 1 ? "sector" : "sectors";
}

bool wb_access_is_wasteful(const struct wb_access *access)
{
  return wb_access_transactions(access) > access->ideal;
}

uint64_t wb_analyze_runs(const struct wb_launch_analysis *analysis, uint32_t instruction)
{
  const int64_t *runs = analysis->paths.wcet.instruction_runs;
  return runs != NULL && runs[instruction] > 0 ? (uint64_t)runs[instruction] : 0;
}

const struct wb_instruction *
wb_sensitive_loop_start(const struct wb_launch_analysis *analysis,
                        const struct wb_launch_sensitivity *sensitivity)
{
  const struct wb_wcet *wcet = &analysis->paths.wcet;
  return wb_wcet_block_start(wcet, wcet->forest.loops[sensitivity->index].header);
}

#define SECOND UINT64_C(1000000000)

uint64_t wb_analyze_deadline_cycles(const struct wb_launch_report *report)
{
  /* Nanoseconds of a deadline, rounded down but for what its binary fraction takes away. */
  const double seconds = report->deadline_seconds;
  const double nanoseconds = floor(seconds * 1e9 + 1e-3);
  const uint64_t length = nanoseconds >= 0x1p63 ? UINT64_MAX : (uint64_t)nanoseconds;
  const uint64_t clock = wb_analyze_clock(&report->launch->analysis);
  uint64_t whole, rest, cycles;
  if (!wb_multiply(length / SECOND, clock, &whole))
    return UINT64_MAX;
  if (!wb_multiply(length % SECOND, clock, &rest))
    rest = 0; /* A clock above 18 GHz: less is allowed, which is safe. */
  return wb_add(whole, rest / SECOND, &cycles) ? cycles : UINT64_MAX;
}

enum wb_allowance wb_analyze_verdict(const struct wb_launch_report *report, enum wb_allowed allowed)
{
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  if (allowed == WB_ALLOWED_BUDGET ? report->budget == 0 : report->deadline_seconds <= 0)
    return WB_ALLOWANCE_NONE;
  const uint64_t most =
      allowed == WB_ALLOWED_BUDGET ? report->budget : wb_analyze_deadline_cycles(report);
  if (analysis->upper.cycles <= most)
    return WB_ALLOWANCE_MET;
  return analysis->lower <= most || analysis->lower_kind != WARPBOUND_LOWER ? WB_ALLOWANCE_NOT_SHOWN
                                                                            : WB_ALLOWANCE_EXCEEDED;
}

bool wb_analyze_proof_kept(const struct wb_launch_report *report)
{
  return !report->require_proof || report->launch->analysis.upper_kind != WARPBOUND_ESTIMATE;
}

bool wb_analyze_allowed(const struct wb_launch_report *report)
{
  return wb_analyze_verdict(report, WB_ALLOWED_BUDGET) <= WB_ALLOWANCE_MET &&
         wb_analyze_verdict(report, WB_ALLOWED_DEADLINE) <= WB_ALLOWANCE_MET &&
         wb_analyze_proof_kept(report);
}

double wb_analyze_ratio(const struct wb_launch_report *report, enum wb_allowed allowed,
                        uint64_t cycles)
{
  return allowed == WB_ALLOWED_BUDGET
             ? (double)cycles / (double)report->budget
             : wb_analyze_seconds(&report->launch->analysis, cycles) / report->deadline_seconds;
}

/* "18.7 times the deadline", with three digits or more, rounded away from 1 for an upper end and
 * down for a lower one. */
static void write_times(double ratio, bool up, const char *what, struct wb_text *text)
{
  const double scale = ratio < 10 ? 100 : ratio < 100 ? 10 : 1;
  const double scaled = up ? ceil(ratio * scale * (1 - 1e-12)) : floor(ratio * scale);
  if (scaled <= scale)
    wb_text_string(text, "more than");
  else if (ratio >= 1000 && scaled < 0x1p63)
    wb_text_count(text, (uint64_t)scaled);
  else
    wb_text_format(text, "%.*f", ratio < 10 ? 2 : ratio < 100 ? 1 : 0, scaled / scale);
  wb_text_format(text, "%s the %s", scaled <= scale ? "" : " times", what);
}

void wb_analyze_write_verdict(const struct wb_launch_report *report, enum wb_allowed allowed,
                              struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  const enum wb_allowance verdict = wb_analyze_verdict(report, allowed);
  const bool estimate = analysis->upper_kind == WARPBOUND_ESTIMATE;
  const char *what = allowed == WB_ALLOWED_BUDGET ? "budget" : "deadline";
  const double upper = wb_analyze_ratio(report, allowed, analysis->upper.cycles);
  if (verdict == WB_ALLOWANCE_MET) {
    wb_text_format(text, "met%s (", estimate ? " by an estimate, not proven" : "");
    if (upper < 1e-4)
      wb_text_string(text, "less than 0.01 % of it)");
    else
      wb_text_format(text, "%.3g %% of it)", 100.0 * upper);
  } else if (verdict == WB_ALLOWANCE_NOT_SHOWN) {
    wb_text_format(text, "not proven: the bound%s is ", estimate ? ", an estimate," : "");
    write_times(upper, true, what, text);
  } else if (verdict == WB_ALLOWANCE_EXCEEDED) {
    wb_text_string(text, "exceeded: a run of the model takes ");
    write_times(wb_analyze_ratio(report, allowed, analysis->lower), false, what, text);
  }
}

/* Launches of a table whose reasons are shown. */
#define MOST_DOUBTS 3

static void write_name(const struct wb_launch_report *report, struct wb_text *text)
{
  if (report->name != NULL)
    wb_text_clean(text, report->name);
  else
    wb_kernel_name_write(report->launch->analysis.function->name, text);
}

/* "5620 cycles (lower, 4.323 us)" */
static void write_end(const struct wb_launch_report *report, bool upper, struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  const uint64_t cycles = upper ? analysis->upper.cycles : analysis->lower;
  const warpbound_kind kind = upper ? analysis->upper_kind : analysis->lower_kind;
  wb_text_format(text, "%s%s (%s, ", wb_kind_style(kind, report->colour),
                 WB_COUNT_OF(cycles, "cycle"), warpbound_kind_name(kind));
  wb_analyze_write_time(wb_analyze_seconds(analysis, cycles), upper, text);
  wb_text_format(text, ")%s", wb_style(WB_STYLE_PLAIN, report->colour));
}

void wb_analyze_bracket_text(const struct wb_launch_report *report, struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  wb_text_string(text, "worst case: ");
  if (analysis->lower > 0) {
    wb_text_string(text, "at least ");
    write_end(report, false, text);
    wb_text_string(text, ", ");
  }
  wb_text_string(text, "at most ");
  write_end(report, true, text);
  wb_text_string(text, ", at ");
  const uint64_t hertz = wb_analyze_clock(analysis);
  if (hertz >= 1000000000)
    wb_text_format(text, "%.10g GHz", (double)hertz / 1e9);
  else if (hertz >= 1000000)
    wb_text_format(text, "%.10g MHz", (double)hertz / 1e6);
  else
    wb_text_format(text, "%" PRIu64 " Hz", hertz);
  wb_text_string(text, " on ");
  wb_text_clean(text, analysis->device->name);
  wb_text_string(text, analysis->lower > 0 ? "" : "; no lower end is known");
}

/* A verdict in its colour. */
static void write_verdict(const struct wb_launch_report *report, enum wb_allowed allowed,
                          struct wb_text *text)
{
  const bool proven = wb_analyze_verdict(report, allowed) == WB_ALLOWANCE_MET &&
                      report->launch->analysis.upper_kind != WARPBOUND_ESTIMATE;
  wb_text_format(text, " %s",
                 wb_kind_style(proven ? WARPBOUND_UPPER : WARPBOUND_ESTIMATE, report->colour));
  wb_analyze_write_verdict(report, allowed, text);
  wb_text_string(text, wb_style(WB_STYLE_PLAIN, report->colour));
}

void wb_analyze_answer_text(const struct wb_launch_report *report, struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  const enum wb_launch_part greatest = greatest_part(analysis);
  const double cycles = wb_analyze_part(analysis, &analysis->upper, greatest);
  write_name(report, text);
  wb_text_string(text, ": ");
  wb_analyze_bracket_text(report, text);
  wb_text_format(text, "\nlimited by: %s (%s of %s, %.0f %%)", wb_launch_part_name(greatest),
                 WB_COUNT((uint64_t)cycles), WB_COUNT(analysis->upper.cycles),
                 100.0 * cycles / (double)analysis->upper.cycles);
  if (report->deadline_seconds > 0) {
    wb_text_string(text, "; deadline of ");
    wb_analyze_write_time(report->deadline_seconds, false, text);
    write_verdict(report, WB_ALLOWED_DEADLINE, text);
  }
  if (report->budget > 0) {
    wb_text_format(text, "; budget of %s", WB_COUNT_OF(report->budget, "cycle"));
    write_verdict(report, WB_ALLOWED_BUDGET, text);
  }
  if (analysis->lower > 0)
    wb_text_string(text,
                   "\nmeasured runs: may be below the lower end, a run of the model; one above "
                   "the upper end refutes a number or an assumption");
  wb_text_string(text, "\n");
  if (wb_is_estimate(&analysis->upper_estimate))
    wb_estimate_text(&analysis->upper_estimate, "estimate", report->colour, text);
  else
    wb_estimate_text(&analysis->lower_estimate, "lower end an estimate", report->colour, text);
}

void wb_analyze_table(const struct wb_launch_report *reports, size_t count, struct wb_text *text)
{
  size_t allowed = 0;
  size_t longest = 0;
  for (size_t r = 0; r < count; r++) {
    allowed += wb_analyze_allowed(&reports[r]);
    if (reports[r].launch->analysis.upper.cycles > reports[longest].launch->analysis.upper.cycles)
      longest = r;
  }
  if (count == 0)
    return;
  wb_text_format(text, "%zu launch%s: %zu as allowed; the longest is ", count,
                 count == 1 ? "" : "es", allowed);
  write_name(&reports[longest], text);
  wb_text_string(text, ": ");
  wb_analyze_bracket_text(&reports[longest], text);
  wb_text_format(text, "\n\n%s  %-28s %14s %14s %-8s %12s %6s  %s%s\n",
                 wb_style(WB_STYLE_BOLD, reports[0].colour), "launch", "at least", "at most",
                 "kind", "time at most", "blocks", "limited by",
                 wb_style(WB_STYLE_PLAIN, reports[0].colour));
  for (size_t r = 0; r < count; r++) {
    const struct wb_launch_analysis *analysis = &reports[r].launch->analysis;
    struct wb_text name = {0}, time = {0};
    write_name(&reports[r], &name);
    wb_analyze_write_time(wb_analyze_seconds(analysis, analysis->upper.cycles), true, &time);
    text->failed = text->failed || name.failed || time.failed;
    if (!text->failed)
      wb_text_format(
          text, "  %-28.60s %14s %14s %s%-8s%s %12s %6" PRIu32 "  %s%s\n", name.data,
          analysis->lower > 0 ? WB_COUNT(analysis->lower) : "-", WB_COUNT(analysis->upper.cycles),
          wb_kind_style(analysis->upper_kind, reports[r].colour),
          warpbound_kind_name(analysis->upper_kind), wb_style(WB_STYLE_PLAIN, reports[r].colour),
          time.data, analysis->occupancy.resident_blocks,
          wb_launch_part_name(greatest_part(analysis)),
          wb_analyze_allowed(&reports[r])      ? ""
          : wb_analyze_proof_kept(&reports[r]) ? ", NOT ALLOWED"
                                               : ", NOT PROVEN");
    wb_text_free(&name);
    wb_text_free(&time);
  }
  /* Why launches are estimates, the first few. */
  size_t estimates = 0;
  for (size_t r = 0; r < count; r++) {
    const struct wb_estimate *estimate = &reports[r].launch->analysis.upper_estimate;
    if (!wb_is_estimate(estimate) || ++estimates > MOST_DOUBTS)
      continue;
    wb_text_string(text, estimates == 1 ? "\n" : "");
    write_name(&reports[r], text);
    wb_text_string(text, ": estimate because: ");
    wb_estimate_summary(estimate, text);
    wb_text_string(text, "\n");
  }
  if (estimates > MOST_DOUBTS)
    wb_text_format(text, "and %zu more launches are estimates (--json)\n", estimates - MOST_DOUBTS);
}
