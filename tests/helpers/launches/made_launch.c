#include "launches/made_launch.h"
#include "base/arena.h"

#include "analysis/wcet/wcet.h"
#include "base/file.h"
#include "handles.h"
#include "unit.h"

#define DEFAULT_BOUND 15

static char *copy_of(const char *string)
{
  struct wb_text text = {0};
  wb_text_string(&text, string);
  return wb_text_take(&text);
}

static uint32_t add_value(struct made_launch *made, const char *name, uint64_t value,
                          enum wb_value_kind kind, bool used)
{
  const size_t index = made->device.value_count++;
  assert_true(index < COUNT_OF(made->values));
  made->values[index] = (struct wb_device_value){
      .name = name, .value = value, .given = value, .kind = kind, .source = "the worked example"};
  made->used[index] = used;
  return (uint32_t)index;
}

static void make_device(struct made_launch *made)
{
  struct wb_device_timing *device = &made->device;
  *device = (struct wb_device_timing){.name = (char *)"example",
                                      .file = (char *)"example",
                                      .product = (char *)"The device of the worked example",
                                      .architecture = 61,
                                      .values = made->values};
  device->sms = add_value(made, "sms", 14, WB_VALUE_DOCUMENTED, true);
  device->partitions = add_value(made, "partitions", 4, WB_VALUE_DOCUMENTED, true);
  device->clock = add_value(made, "clock", 1300000000, WB_VALUE_DOCUMENTED, false);
  device->residency.max_warps = add_value(made, "warps", 64, WB_VALUE_DOCUMENTED, true);
  add_value(made, "l2.delay", 40, WB_VALUE_MEASURED, true);
  add_value(made, "dram.delay", 60, WB_VALUE_ASSUMED, true);
  add_value(made, "not.used", 1, WB_VALUE_DECLARED, false);
}

static void make_bound(struct wb_launch_analysis *analysis)
{
  analysis->shape = (struct wb_launch_shape){
      .blocks = 120, .block_warps = 8, .sms = 14, .partitions = 4, .resident_blocks = 3};
  struct wb_launch_terms *terms = &analysis->maxima.terms;
  *terms = (struct wb_launch_terms){
      .denominator = 2, .longest_unit = 1, .phases = 9, .barriers_known = true};
  terms->sum[WB_SUM_ALONE_OWN] = 2496;
  terms->sum[WB_SUM_ALONE_PARTITION] = 225;
  terms->sum[WB_SUM_ALONE_OTHERS] = 45;
  terms->sum[WB_SUM_OWN] = 2491;
  terms->sum[WB_SUM_PARTITION] = 220;
  terms->sum[WB_SUM_OTHERS] = 40;
  terms->sum[WB_SUM_UNITS] = 180;
  terms->sum[WB_SUM_PHASE_UNITS] = 34;
  terms->sum[WB_SUM_GPU] = 5;
  terms->sum[WB_SUM_TOTAL] = 3000;
  assert_ok(wb_launch_bound_evaluate(terms, &analysis->shape, &analysis->upper, NULL));
  assert_ok(wb_block_bound_evaluate(terms, &analysis->shape, &analysis->block_alone, NULL));
  analysis->upper_kind = WARPBOUND_UPPER;
  analysis->lower = 5620;
  analysis->lower_kind = WARPBOUND_LOWER;
  analysis->lower_method = WB_LOWER_SIMULATION;
  analysis->policy = WB_LAUNCH_GREEDY_OLDEST;
  analysis->simulated = 5620;
}

static void make_occupancy(struct wb_launch_analysis *analysis)
{
  analysis->grid[0] = 60;
  analysis->grid[1] = 2;
  analysis->grid[2] = analysis->block[1] = analysis->block[2] = 1;
  analysis->block[0] = 256;
  analysis->needs = (struct wb_block_needs){
      .threads = 256, .registers = 40, .static_shared = 1024, .barriers = 1};
  analysis->occupancy =
      (struct wb_occupancy){.warps = 8, .resident_blocks = 3, .limit = WB_LIMITED_BY_REGISTERS};
  for (int l = 0; l < WB_RESIDENCY_LIMIT_COUNT; l++)
    analysis->occupancy.by_limit[l] = (uint32_t)l + 8;
  analysis->occupancy.by_limit[WB_LIMITED_BY_REGISTERS] = 3;
  analysis->occupancy.by_limit[WB_LIMITED_BY_SHARED_MEMORY] = UINT32_MAX;
  analysis->residencies.count = 1;
  analysis->residencies.items[0] =
      (struct wb_residency){.least = 65536, .most = 98304, .occupancy = analysis->occupancy};
  analysis->uppers.cycles[0] = analysis->upper.cycles;
}

/* An uncoalesced load at the first instruction, a shared store without conflicts at the second. */
static void make_accesses(struct wb_accesses *accesses)
{
  accesses->items = calloc(2, sizeof *accesses->items);
  assert_non_null(accesses->items);
  accesses->items[0] = (struct wb_access){.instruction = 0,
                                          .space = WB_SPACE_GLOBAL,
                                          .load = true,
                                          .bytes = 4,
                                          .known = true,
                                          .pattern = WB_ACCESS_STRIDED,
                                          .stride = -128,
                                          .alignment = 4,
                                          .sectors = 32,
                                          .wavefronts = 32,
                                          .lanes_at_one = 1,
                                          .ideal = 4,
                                          .reason = copy_of("the lanes are a row apart")};
  accesses->items[1] = (struct wb_access){.instruction = 1,
                                          .space = WB_SPACE_SHARED,
                                          .store = true,
                                          .bytes = 4,
                                          .known = true,
                                          .pattern = WB_ACCESS_UNIFORM,
                                          .alignment = 4,
                                          .sectors = 1,
                                          .wavefronts = 1,
                                          .lanes_at_one = 32,
                                          .ideal = 1};
  accesses->count = accesses->capacity = 2;
}

static void make_sensitivity(struct made_launch *made, bool loops)
{
  struct wb_launch_analysis *analysis = &made->launch.analysis;
  made->sensitivity[0] = (struct wb_launch_sensitivity){WB_SENSITIVE_VALUE, 4, 40, 12.5, 50};
  made->sensitivity[1] = (struct wb_launch_sensitivity){WB_SENSITIVE_LOOP, 0, 15, 20.25, 30.375};
  analysis->sensitivity = made->sensitivity;
  analysis->sensitivity_count = loops ? 2 : 1;
}

static void analyse_warp(struct made_launch *made)
{
  struct wb_launch_analysis *analysis = &made->launch.analysis;
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_wcet_options options = {.default_bound = DEFAULT_BOUND};
  warpbound_error error = {0};
  analysis->code = &made->module->code;
  analysis->function = &made->module->code.functions[made->module->functions[0].index];
  analysis->device = &made->device;
  if (wb_wcet_analyse(analysis->code, analysis->function, &options, &control, &analysis->paths.wcet,
                      &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
}

void made_launch_start(struct made_launch *made, const char *listing, const char *source)
{
  size_t length;
  warpbound_error error = {0};
  *made = (struct made_launch){0};
  char *text = source_file(listing, &length);
  if (warpbound_module_parse(listing, text, length, NULL, &made->module, &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
  make_device(made);
  struct wb_launch_analysis *analysis = &made->launch.analysis;
  made->launch.module = made->module;
  analyse_warp(made);
  make_bound(analysis);
  make_occupancy(analysis);
  make_accesses(&analysis->accesses);
  make_sensitivity(made, analysis->paths.wcet.forest.loop_count > 0);
  analysis->value_used = made->used;
  analysis->clock = 1300000000;
  const size_t count = analysis->function->instruction_count;
  analysis->instruction_cycles = wb_arena_array(&analysis->arena, double, count);
  assert_non_null(analysis->instruction_cycles);
  for (size_t i = 0; i < count; i++)
    analysis->instruction_cycles[i] = 2.5 * (double)analysis->paths.wcet.instruction_runs[i];
  wb_list_add(&analysis->assumptions, "measured on an idle device: l2.delay");
  wb_list_add(&analysis->assumptions, "(W) a warp waits for full resources alone");
  made->report = (struct wb_launch_report){
      .launch = &made->launch, .file = listing, .deadline_seconds = 2e-3, .budget = 11000};
  if (source != NULL) {
    made->text = copy_of(source_file(source, &length));
    made->source = (warpbound_input){source, made->text, length};
    made->report.sources = &made->source;
    made->report.source_count = 1;
  }
}

void made_launch_turn_hostile(struct made_launch *made, const char *hostile)
{
  struct wb_launch_analysis *analysis = &made->launch.analysis;
  struct wb_function *function = &made->module->code.functions[made->module->functions[0].index];
  struct wb_text source = {0};
  function->name = hostile;
  for (size_t f = 0; f < made->module->code.file_count; f++)
    made->module->code.files[f] = hostile;
  for (size_t i = 0; i < function->instruction_count; i++)
    function->instructions[i].operands = hostile;
  free(analysis->accesses.items[0].reason);
  analysis->accesses.items[0].reason = copy_of(hostile);
  if (analysis->paths.wcet.forest.loop_count > 0) {
    free(analysis->paths.wcet.loops[0].reason);
    analysis->paths.wcet.loops[0].reason = copy_of(hostile);
  }
  wb_list_add(&analysis->assumptions, "%s", hostile);
  wb_estimate_because(&analysis->upper_estimate, "hostile", hostile, hostile, "%s", hostile);
  wb_estimate_add_all(&analysis->lower_estimate, &analysis->upper_estimate, NULL);
  made->device.name = made->device.product = (char *)hostile;
  made->values[4].name = made->values[4].source = (char *)hostile;
  for (int line = 0; line < 100; line++)
    wb_text_format(&source, "%s\n", hostile);
  free(made->text);
  made->source.length = source.length;
  made->source.text = made->text = wb_text_take(&source);
  made->report.sources = &made->source;
  made->report.source_count = 1;
  made->report.file = made->report.name = hostile;
}

void made_launch_free(struct made_launch *made)
{
  struct wb_launch_analysis *analysis = &made->launch.analysis;
  for (size_t a = 0; a < analysis->accesses.count; a++)
    free(analysis->accesses.items[a].reason);
  free(analysis->accesses.items);
  wb_arena_free(&analysis->arena);
  wb_list_free(&analysis->assumptions);
  wb_estimate_free(&analysis->upper_estimate);
  wb_estimate_free(&analysis->lower_estimate);
  wb_wcet_free(&analysis->paths.wcet);
  warpbound_module_free(made->module);
  free(made->text);
}
