/* A launch's analysis as JSON (doc/schema/analyze.json). */
#include "report/analyze/analyze_report.h"

#include "base/memory.h"
#include "formats/json/json_output.h"
#include "report/line_cycles.h"
#include "report/report_words.h"
#include "report/wcet/wcet_report.h"

#include <math.h>
#include <stdlib.h>

static json_t *device_json(const struct wb_launch_analysis *analysis)
{
  const struct wb_device_timing *device = analysis->device;
  json_t *object = json_object();
  wb_put_text(&object, "name", device->name);
  wb_put_text(&object, "product", device->product);
  wb_put_number(&object, "architecture", device->architecture);
  wb_put_number(&object, "sms", analysis->shape.sms);
  wb_put_number(&object, "partitions", analysis->shape.partitions);
  wb_put_number(&object, "clock", wb_analyze_clock(analysis));
  return object;
}

static json_t *occupancy_json(const struct wb_launch_analysis *analysis)
{
  const struct wb_occupancy *occupancy = &analysis->occupancy;
  json_t *object = json_object();
  json_t *limits = json_object();
  wb_put_number(&object, "resident_blocks", occupancy->resident_blocks);
  wb_put_text(&object, "limited_by", wb_residency_limit_name(occupancy->limit));
  for (int l = 0; l < WB_RESIDENCY_LIMIT_COUNT; l++)
    wb_json_put(&limits, wb_residency_limit_name((enum wb_residency_limit)l),
                occupancy->by_limit[l] == UINT32_MAX ? json_null()
                                                     : wb_number_json(occupancy->by_limit[l]));
  wb_json_put(&object, "blocks_by_limit", limits);
  wb_put_number(&object, "block_warps", occupancy->warps);
  wb_put_number(&object, "most_warps",
                wb_device_number(analysis->device, analysis->device->residency.max_warps));
  wb_put_number(&object, "registers", analysis->needs.registers);
  wb_put_number(&object, "static_shared", analysis->needs.static_shared);
  wb_put_number(&object, "dynamic_shared", analysis->needs.dynamic_shared);
  wb_put_number(&object, "barriers", analysis->needs.barriers);
  wb_put_number(&object, "waves", analysis->upper.waves);
  /* The carve-outs of shared memory that can be, by how many blocks an SM holds with them. */
  json_t *array = json_array();
  for (size_t r = 0; r < analysis->residencies.count; r++) {
    const struct wb_residency *residency = &analysis->residencies.items[r];
    json_t *carveouts = json_object();
    wb_put_number(&carveouts, "least_bytes", residency->least);
    wb_put_number(&carveouts, "most_bytes", residency->most);
    wb_put_number(&carveouts, "resident_blocks", residency->occupancy.resident_blocks);
    wb_put_text(&carveouts, "limited_by", wb_residency_limit_name(residency->occupancy.limit));
    wb_put_number(&carveouts, "upper", analysis->uppers.cycles[r]);
    wb_put_flag(&carveouts, "worst", r == analysis->uppers.worst);
    wb_json_push(&array, carveouts);
  }
  wb_json_put(&object, "carveouts", array);
  return object;
}

/* An end as in the contract; the method's text is freed. */
static json_t *end_json(uint64_t cycles, warpbound_kind kind, const struct wb_estimate *estimate,
                        struct wb_text *method)
{
  json_t *object = json_object();
  wb_put_number(&object, "cycles", cycles);
  wb_put_text(&object, "kind", warpbound_kind_name(kind));
  wb_json_put(&object, "method", wb_json_clean_text(method));
  wb_estimate_put(&object, estimate);
  return object;
}

static json_t *upper_json(const struct wb_launch_analysis *analysis,
                          const struct wb_launch_bound *bound)
{
  struct wb_text method = {0};
  wb_analyze_write_upper_method(analysis, bound, &method);
  return end_json(bound->cycles, analysis->upper_kind, &analysis->upper_estimate, &method);
}

static json_t *terms_json(const struct wb_launch_terms *terms)
{
  json_t *object = json_object();
  json_t *sums = json_object();
  wb_put_number(&object, "denominator", terms->denominator);
  for (int s = 0; s < WB_SUM_COUNT; s++)
    wb_put_number(&sums, wb_launch_sum_name((enum wb_launch_sum)s), terms->sum[s]);
  wb_json_put(&object, "sums", sums);
  wb_put_number(&object, "after", terms->after);
  wb_put_number(&object, "longest_unit", terms->longest_unit);
  wb_put_number(&object, "phases", terms->phases);
  wb_put_flag(&object, "barriers_known", terms->barriers_known);
  return object;
}

/* What the source lines cost on the paths of the upper end, to a hundredth of a cycle. */
static json_t *lines_json(const struct wb_launch_analysis *analysis)
{
  const size_t count = analysis->function->instruction_count;
  struct wb_line_cycles *lines = wb_allocate(count, sizeof *lines);
  json_t *array = lines != NULL ? json_array() : NULL;
  /* The sum of all fits into 63 bits. */
  const double most = count > 0 ? 0x1p62 / (double)count : 0;
  size_t rows = 0;
  for (size_t i = 0; lines != NULL && i < count; i++) {
    const double hundredths = round(analysis->instruction_cycles[i] * 100);
    if (hundredths > 0)
      lines[rows++] =
          wb_line_cycles_of(&analysis->function->instructions[i], (int64_t)fmin(hundredths, most));
  }
  rows = lines != NULL ? wb_line_cycles_unite(lines, rows) : 0;
  for (size_t l = 0; l < rows; l++)
    wb_json_push(&array, wb_line_cycles_json(analysis->code, &lines[l],
                                             json_real((double)lines[l].cycles / 100)));
  free(lines);
  return array;
}

static json_t *access_json(const struct wb_launch_analysis *analysis,
                           const struct wb_access *access)
{
  const struct wb_instruction *at = &analysis->function->instructions[access->instruction];
  json_t *object = json_object();
  wb_put_number(&object, "address", at->address);
  wb_source_line_put(&object, analysis->code, at);
  wb_put_text(&object, "opcode", at->opcode);
  wb_put_text(&object, "space", wb_memory_space_name(access->space));
  wb_put_flag(&object, "load", access->load);
  wb_put_flag(&object, "store", access->store);
  wb_put_flag(&object, "atomic", access->atomic);
  wb_put_number(&object, "bytes", access->bytes);
  wb_put_text(&object, "pattern", wb_access_pattern_name(access->pattern));
  wb_put_flag(&object, "known", access->known);
  wb_put_flag(&object, "unbounded", access->unbounded);
  wb_json_put(&object, "stride",
              access->pattern == WB_ACCESS_STRIDED ? json_integer((json_int_t)access->stride)
                                                   : json_null());
  wb_put_number(&object, "alignment", access->alignment);
  wb_put_number(&object, "sectors", access->sectors);
  wb_put_number(&object, "wavefronts", access->wavefronts);
  wb_put_number(&object, "lanes_at_one", access->lanes_at_one);
  wb_put_number(&object, "ideal", access->ideal);
  wb_put_flag(&object, "wasteful", wb_access_is_wasteful(access));
  wb_put_number(&object, "runs", wb_analyze_runs(analysis, access->instruction));
  if (analysis->launch.buffer_count > 0) {
    const struct wb_declared_buffer *buffer =
        access->buffer > 0 ? &analysis->launch.buffers[access->buffer - 1] : NULL;
    wb_json_put(&object, "buffer",
                buffer != NULL ? wb_number_json(buffer->parameter) : json_null());
    wb_put_flag(&object, "within", access->within);
    const struct wb_access_offset *offset =
        &analysis->buffers.offsets[access - analysis->accesses.items];
    if (buffer != NULL && offset->known)
      wb_json_put(&object, "offsets",
                  json_pack("[I, I]", (json_int_t)offset->least, (json_int_t)offset->most));
  }
  if (access->reason != NULL)
    wb_put_text(&object, "reason", access->reason);
  return object;
}

/* The declared buffers, and whether all accesses lie in them. */
static json_t *buffers_json(const struct wb_launch_analysis *analysis)
{
  const struct wb_launch *launch = &analysis->launch;
  const struct wb_launch_buffers *buffers = &analysis->buffers;
  const bool first = buffers->first_kept || buffers->why_not_first != NULL;
  json_t *object = json_object();
  json_t *array = json_array();
  for (size_t b = 0; b < launch->buffer_count; b++) {
    json_t *row = json_object();
    const struct wb_buffer_use use = wb_launch_buffer_use(analysis, b);
    wb_put_number(&row, "parameter", launch->buffers[b].parameter);
    wb_put_number(&row, "bytes", launch->buffers[b].bytes);
    wb_put_flag(&row, "read_only", launch->buffers[b].read_only);
    wb_put_flag(&row, "aligned", launch->buffers[b].aligned);
    wb_put_number(&row, "accesses", use.accesses);
    wb_put_number(&row, "within", use.within);
    if (launch->buffers[b].block_lines > 0)
      wb_put_number(&row, "block_lines_declared", launch->buffers[b].block_lines);
    if (buffers->launch_lines != NULL && buffers->launch_lines[b] != UINT64_MAX)
      wb_put_number(&row, "lines_shown", buffers->launch_lines[b]);
    if (first && buffers->block_lines != NULL && buffers->block_lines[b] != UINT64_MAX)
      wb_put_number(&row, "block_lines_shown", buffers->block_lines[b]);
    wb_json_push(&array, row);
  }
  wb_json_put(&object, "declared", array);
  wb_put_text(&object, "all_accesses", wb_launch_buffers_verdict(analysis));
  if (buffers->why_outside != NULL) {
    const struct wb_instruction *at = &analysis->function->instructions[buffers->outside];
    json_t *outside = json_object();
    wb_put_number(&outside, "address", at->address);
    wb_source_line_put(&outside, analysis->code, at);
    wb_put_text(&outside, "opcode", at->opcode);
    wb_put_text(&outside, "reason", buffers->why_outside);
    wb_json_put(&object, "outside", outside);
  }
  wb_put_flag(&object, "kept", buffers->kept);
  if (buffers->why_not_kept != NULL)
    wb_put_text(&object, "why_not_kept", buffers->why_not_kept);
  if (buffers->needed > 0)
    wb_put_number(&object, "needed_bytes", buffers->needed);
  if (first) {
    json_t *caches = json_object();
    wb_put_flag(&caches, "kept", buffers->first_kept);
    if (buffers->why_not_first != NULL)
      wb_put_text(&caches, "why_not_kept", buffers->why_not_first);
    if (buffers->first_needed > 0)
      wb_put_number(&caches, "needed_bytes", buffers->first_needed);
    wb_json_put(&object, "first_caches", caches);
  }
  return object;
}

static json_t *sensitivity_json(const struct wb_launch_analysis *analysis)
{
  json_t *array = json_array();
  for (size_t s = 0; s < analysis->sensitivity_count; s++) {
    const struct wb_launch_sensitivity *row = &analysis->sensitivity[s];
    json_t *object = json_object();
    wb_put_text(&object, "kind", row->kind == WB_SENSITIVE_LOOP ? "loop" : "value");
    if (row->kind == WB_SENSITIVE_LOOP) {
      wb_put_number(&object, "loop", row->index);
      wb_put_number(&object, "address", wb_sensitive_loop_start(analysis, row)->address);
      wb_source_line_put(&object, analysis->code,
                         wb_wcet_loop_line(&analysis->paths.wcet, row->index));
    } else {
      wb_put_text(&object, "name", analysis->device->values[row->index].name);
    }
    wb_put_number(&object, "now", row->now);
    wb_json_put(&object, "per_unit", json_real(row->per_unit));
    wb_json_put(&object, "tenth", json_real(row->tenth));
    wb_json_push(&array, object);
  }
  return array;
}

static json_t *values_json(const struct wb_launch_analysis *analysis)
{
  json_t *array = json_array();
  for (size_t v = 0; v < analysis->device->value_count; v++) {
    const struct wb_device_value *value = &analysis->device->values[v];
    if (analysis->value_used != NULL && !analysis->value_used[v])
      continue;
    json_t *object = json_object();
    wb_put_text(&object, "name", value->name);
    wb_put_number(&object, "value", value->value);
    wb_put_text(&object, "kind", wb_value_kind_name(value->kind));
    wb_put_text(&object, "source", value->source);
    wb_json_push(&array, object);
  }
  return array;
}

/* What is allowed and how the bracket stands to it; `seconds` is there for a deadline. */
static json_t *allowed_json(const struct wb_launch_report *report, enum wb_allowed allowed)
{
  static const char *const verdicts[WB_ALLOWANCE_COUNT] = {
      [WB_ALLOWANCE_NONE] = "none",
      [WB_ALLOWANCE_MET] = "met",
      [WB_ALLOWANCE_NOT_SHOWN] = "not shown",
      [WB_ALLOWANCE_EXCEEDED] = "exceeded",
  };
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  const enum wb_allowance verdict = wb_analyze_verdict(report, allowed);
  struct wb_text words = {0};
  json_t *object = json_object();
  if (allowed == WB_ALLOWED_DEADLINE)
    wb_json_put(&object, "seconds", json_real(report->deadline_seconds));
  wb_put_number(&object, "cycles",
                allowed == WB_ALLOWED_BUDGET ? report->budget : wb_analyze_deadline_cycles(report));
  wb_put_text(&object, "verdict", verdicts[verdict]);
  wb_json_put(
      &object, "proven",
      json_boolean(verdict == WB_ALLOWANCE_EXCEEDED ||
                   (verdict == WB_ALLOWANCE_MET && analysis->upper_kind != WARPBOUND_ESTIMATE)));
  wb_json_put(&object, "ratio",
              json_real(wb_analyze_ratio(report, allowed, analysis->upper.cycles)));
  wb_analyze_write_verdict(report, allowed, &words);
  wb_json_put(&object, "words", wb_json_clean_text(&words));
  return object;
}

static json_t *breakdown_json(const struct wb_launch_analysis *analysis)
{
  const uint64_t denominator = analysis->maxima.terms.denominator;
  json_t *array = json_array();
  for (int p = 0; p < WB_PART_COUNT; p++)
    wb_json_push(&array,
                 json_pack("{s:s, s:f, s:I, s:o, s:s}", "name",
                           wb_launch_part_name((enum wb_launch_part)p), "cycles",
                           wb_analyze_part(analysis, &analysis->upper, (enum wb_launch_part)p),
                           "numerator", (json_int_t)analysis->upper.part[p], "denominator",
                           wb_number_json(denominator), "words",
                           wb_analyze_part_words((enum wb_launch_part)p)));
  return array;
}

/* What the launch has to fetch. */
static json_t *start_json(const struct wb_launch_analysis *analysis)
{
  const struct wb_cold_start *found = &analysis->cold_start;
  json_t *object = json_pack("{s:b}", "cold", (int)analysis->cold);
  json_t *fetches = json_array();
  if (!analysis->cold) {
    json_decref(fetches);
    return object;
  }
  for (size_t c = 0; c < analysis->timed.cold_count; c++) {
    const struct wb_cold_fetch *fetch = &analysis->timed.cold[c];
    wb_json_push(&fetches, json_pack("{s:s, s:I, s:I, s:s}", "of", fetch->name, "count",
                                     (json_int_t)fetch->count, "by_all_warps",
                                     (json_int_t)fetch->by_all_warps, "caches",
                                     wb_resource_level_name(fetch->level)));
  }
  wb_put_number(&object, "code_lines", found->code_lines);
  wb_put_number(&object, "constant_lines", found->constant_lines);
  wb_put_number(&object, "pages", found->pages);
  wb_put_flag(&object, "kept", found->kept);
  wb_put_flag(&object, "pages_kept", found->pages_kept);
  wb_json_put(&object, "fetches", fetches);
  return object;
}

/* The longest simulated run, and what makes it again. */
static json_t *simulation_json(const struct wb_launch_analysis *analysis)
{
  if (analysis->simulated == 0)
    return json_null();
  json_t *lagging = json_array();
  for (unsigned w = 0; w < 64; w++) {
    if ((analysis->run_laggards >> w & 1) != 0)
      wb_json_push(&lagging, json_integer(w));
  }
  json_t *object = json_pack("{s:o, s:s, s:o}", "cycles", wb_number_json(analysis->simulated),
                             "policy", wb_launch_policy_name(analysis->policy), "seed",
                             wb_number_json(analysis->run_seed));
  wb_json_put(&object, "lagging_warps", lagging);
  wb_put_flag(&object, "early_starts", analysis->run_early_starts);
  wb_put_number(&object, "shorter_delays", analysis->run_shorter_delays);
  return object;
}

static json_t *advice_json(const struct wb_launch_analysis *analysis)
{
  json_t *list = json_array();
  for (size_t a = 0; a < analysis->advice_count; a++) {
    const struct wb_launch_advice *advice = &analysis->advice[a];
    json_t *row = json_pack("{s:f, s:f, s:o}", "cycles", advice->cycles, "share",
                            advice->cycles / (double)analysis->upper.cycles, "words",
                            wb_json_clean(advice->words));
    if (advice->instruction != UINT32_MAX) {
      const struct wb_instruction *at = &analysis->function->instructions[advice->instruction];
      wb_json_put(&row, "address", json_integer((json_int_t)at->address));
      wb_source_line_put(&row, analysis->code, at);
    }
    wb_json_push(&list, row);
  }
  return list;
}

json_t *wb_analyze_object(const struct wb_launch_report *report)
{
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  json_t *object = json_object();
  if (report->name != NULL)
    wb_put_text(&object, "name", report->name);
  wb_put_text(&object, "kernel", analysis->function->name);
  wb_kernel_name_json(object, analysis->function->name);
  wb_json_put(&object, "device", device_json(analysis));
  const uint32_t *grid = analysis->grid, *block = analysis->block;
  json_t *launch = json_pack(
      "{s:[I, I, I], s:[I, I, I], s:I, s:I, s:I}", "grid", (json_int_t)grid[0], (json_int_t)grid[1],
      (json_int_t)grid[2], "block", (json_int_t)block[0], (json_int_t)block[1],
      (json_int_t)block[2], "dynamic_shared", (json_int_t)analysis->needs.dynamic_shared, "blocks",
      (json_int_t)analysis->shape.blocks, "block_warps", (json_int_t)analysis->shape.block_warps);
  wb_json_put(&object, "launch", launch);
  if (wb_analyze_has_bound(report)) {
    wb_json_put(&object, "start", start_json(analysis));
    wb_json_put(&object, "occupancy", occupancy_json(analysis));
    struct wb_text method = {0};
    wb_analyze_write_lower_method(analysis, &method);
    wb_json_put(
        &object, "lower",
        end_json(analysis->lower, analysis->lower_kind, &analysis->lower_estimate, &method));
    wb_json_put(&object, "upper", upper_json(analysis, &analysis->upper));
    if (analysis->upper_without_series > 0)
      wb_put_number(&object, "upper_without_series", analysis->upper_without_series);
    wb_json_put(&object, "seconds",
                json_pack("{s:f, s:f}", "lower", wb_analyze_seconds(analysis, analysis->lower),
                          "upper", wb_analyze_seconds(analysis, analysis->upper.cycles)));
    wb_json_put(&object, "block_alone", upper_json(analysis, &analysis->block_alone));
    wb_json_put(&object, "breakdown", breakdown_json(analysis));
    wb_json_put(&object, "terms", terms_json(&analysis->maxima.terms));
    if (report->budget > 0)
      wb_json_put(&object, "budget", allowed_json(report, WB_ALLOWED_BUDGET));
    if (report->deadline_seconds > 0)
      wb_json_put(&object, "deadline", allowed_json(report, WB_ALLOWED_DEADLINE));
    if (analysis->instruction_cycles != NULL)
      wb_json_put(&object, "lines", lines_json(analysis));
    wb_json_put(&object, "advice", advice_json(analysis));
    wb_json_put(&object, "sensitivity", sensitivity_json(analysis));
    wb_json_put(&object, "simulation", simulation_json(analysis));
    wb_json_put(&object, "values", values_json(analysis));
  }
  json_t *accesses = json_array();
  for (size_t a = 0; a < analysis->accesses.count; a++)
    wb_json_push(&accesses, access_json(analysis, &analysis->accesses.items[a]));
  wb_json_put(&object, "accesses", accesses);
  if (analysis->launch.buffer_count > 0)
    wb_json_put(&object, "buffers", buffers_json(analysis));
  wb_json_put(&object, "loops", wb_wcet_loops_json(&analysis->paths.wcet));
  wb_json_put(&object, "assumptions", wb_json_clean_list(&analysis->assumptions));
  if (!report->timeless)
    wb_json_put(&object, "analysis_seconds", json_real(analysis->seconds));
  return object;
}

void wb_analyze_json(const struct wb_launch_report *report, struct wb_text *text)
{
  wb_json_append(wb_analyze_object(report), text);
}

json_t *wb_analyze_facts_json(const struct wb_launch_analysis *analysis)
{
  json_t *facts = json_array();
  for (size_t m = 0; m < analysis->missing_count; m++) {
    const struct wb_missing_fact *row = &analysis->missing[m];
    json_t *fact = json_object();
    wb_json_put(&fact, row->fact ? "fact" : "option", wb_json_clean(row->option));
    wb_json_put(&fact, "reason", wb_json_clean(row->reason));
    wb_json_push(&facts, fact);
  }
  return facts;
}

/* What a launch lacks that has no bound, with its name. */
static json_t *missing_object(const struct wb_launch_report *report)
{
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  json_t *object = wb_wcet_missing_json(&analysis->paths.wcet);
  wb_json_put(&object, "facts", wb_analyze_facts_json(analysis));
  if (report->name != NULL)
    wb_json_put(&object, "launch", wb_json_clean(report->name));
  return object;
}

void wb_analyze_missing_json(const struct wb_launch_report *report, struct wb_text *text)
{
  json_t *missing = json_array();
  wb_json_push(&missing, missing_object(report));
  json_t *object = json_object();
  wb_json_put(&object, "missing", missing);
  wb_json_append(object, text);
}

void wb_analyze_table_json(const struct wb_launch_report *reports, size_t count,
                           const struct wb_launch_report *lacking, size_t lacking_count,
                           struct wb_text *text)
{
  json_t *launches = json_array();
  json_t *missing = json_array();
  for (size_t r = 0; r < count; r++)
    wb_json_push(&launches, wb_analyze_object(&reports[r]));
  for (size_t r = 0; r < lacking_count; r++)
    wb_json_push(&missing, missing_object(&lacking[r]));
  json_t *object = json_object();
  wb_json_put(&object, "launches", launches);
  if (lacking_count > 0)
    wb_json_put(&object, "missing", missing);
  else
    json_decref(missing);
  wb_json_append(object, text);
}
