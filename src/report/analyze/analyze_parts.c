#include "report/analyze/analyze_parts.h"

#include "base/text/utf8.h"
#include "formats/json/json_output.h"

#include <inttypes.h>
#include <math.h>

const struct wb_launch_analysis *wb_analyze_analysis(const struct wb_launch_report *report)
{
  return &report->launch->analysis;
}

bool wb_analyze_has_bound(const struct wb_launch_report *report)
{
  const struct wb_launch_analysis *analysis = wb_analyze_analysis(report);
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

/* ---- numbers for people ---- */

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

void wb_analyze_write_clock(uint64_t hertz, struct wb_text *text)
{
  if (hertz >= 1000000000)
    wb_text_format(text, "%.10g GHz", (double)hertz / 1e9);
  else if (hertz >= 1000000)
    wb_text_format(text, "%.10g MHz", (double)hertz / 1e6);
  else
    wb_text_format(text, "%" PRIu64 " Hz", hertz);
}

/* ---- the bound ---- */

double wb_analyze_part(const struct wb_launch_analysis *analysis,
                       const struct wb_launch_bound *bound, enum wb_launch_part part)
{
  return (double)bound->part[part] / (double)analysis->maxima.terms.denominator;
}

enum wb_launch_part wb_analyze_greatest_part(const struct wb_launch_analysis *analysis)
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
      [WB_PART_FLOOR] = "the fraction of a cycle that is cut off",
  };
  return words[part];
}

void wb_analyze_write_upper_method(const struct wb_launch_bound *bound, struct wb_text *text)
{
  if (bound->formula == WB_FORMULA_BLOCK_ALONE)
    wb_text_string(text, "theorem 1");
  else if (bound->formula == WB_FORMULA_TOTAL)
    wb_text_string(text, "one step after the other");
  else
    wb_text_format(text, "theorem 2, %s", wb_launch_formula_name(bound->formula));
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

/* ---- accesses ---- */

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

void wb_analyze_write_access(const struct wb_access *access, struct wb_text *text)
{
  wb_text_format(text, "%s %s", wb_memory_space_name(access->space),
                 access->atomic  ? "atomic"
                 : access->store ? "store"
                                 : "load");
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

void wb_analyze_write_pattern(const struct wb_access *access, struct wb_text *text)
{
  if (access->unbounded)
    wb_text_string(text, "no bound");
  else if (access->pattern == WB_ACCESS_STRIDED)
    wb_text_format(text, "strided by %" PRId64, access->stride);
  else if (access->pattern == WB_ACCESS_UNKNOWN && access->known)
    wb_text_string(text, "known lane by lane");
  else
    wb_text_string(text, wb_access_pattern_name(access->pattern));
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

void wb_analyze_write_place(const struct wb_launch_analysis *analysis,
                            const struct wb_instruction *at, const char *before,
                            struct wb_text *text)
{
  if (at->source_line == 0)
    return;
  wb_text_string(text, before);
  if (at->source_file > 0) {
    wb_text_clean(text, analysis->code->files[at->source_file - 1]);
    wb_text_string(text, ":");
  } else {
    wb_text_string(text, "line ");
  }
  wb_text_format(text, "%" PRIu32, at->source_line);
}

const struct wb_instruction *
wb_sensitive_loop_start(const struct wb_launch_analysis *analysis,
                        const struct wb_launch_sensitivity *sensitivity)
{
  const struct wb_wcet *wcet = &analysis->paths.wcet;
  return wb_wcet_block_start(wcet, wcet->forest.loops[sensitivity->index].header);
}

/* ---- values ---- */

bool wb_analyze_uses_value(const struct wb_launch_analysis *analysis, size_t value)
{
  return analysis->value_used == NULL || analysis->value_used[value];
}

/* ---- JSON ---- */

json_t *wb_analyze_number(uint64_t number)
{
  return number <= INT64_MAX ? json_integer((json_int_t)number)
                             : json_real(nextafter((double)number, INFINITY));
}
