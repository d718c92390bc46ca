/* The pipeline of the analysis of a launch: one table of steps. */
#include "analysis/launch/launch_result.h"

#include "analysis/launch/launch_steps.h"
#include "analysis/launch/value_assumptions.h"
#include "base/arena.h"
#include "base/checked.h"
#include "cfg/warp_graph/warp_graph.h"
#include "flow/paths/common_instructions.h"
#include "formats/device/device_file.h"
#include "isa/opcode.h"
#include "launch/timing/timing_code.h"
#include "model/devices/device_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR 32 /* bytes of a request at the memory */

/* ---- the launch ---- */

static bool product_of(const uint32_t size[3], uint64_t *product)
{
  *product = size[0];
  return wb_multiply(*product, size[1], product) && wb_multiply(*product, size[2], product);
}

/* Of a launch whose sizes are not known: what else it lacks is told too. */
static warpbound_status look_at_loops(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  struct wb_wcet_options loops = job->question->wcet;
  loops.loops_alone = true;
  const warpbound_status status = wb_wcet_analyse(analysis->code, analysis->function, &loops,
                                                  job->control, &analysis->paths.wcet, job->error);
  return status == WARPBOUND_OK
             ? wb_fail(job->error, WARPBOUND_FACTS_MISSING,
                       "%.100s: the size of the launch is not known", analysis->function->name)
             : status;
}

/* Whether CUDA starts a launch of these sizes at all, of whatever architecture (CUDA C++
 * Programming Guide, "Technical Specifications per Compute Capability"). */
static warpbound_status check_sizes(const uint32_t *grid, const uint32_t *block,
                                    warpbound_error *error)
{
  uint64_t threads;
  if (!product_of(block, &threads) || threads > 1024)
    return wb_fail(error, WARPBOUND_USAGE,
                   "block: expected at most 1024 threads, found %" PRIu32 " x %" PRIu32
                   " x %" PRIu32,
                   block[0], block[1], block[2]);
  if (block[2] > 64)
    return wb_fail(error, WARPBOUND_USAGE,
                   "block: expected at most 64 threads in z, found %" PRIu32, block[2]);
  for (int axis = 1; axis < 3; axis++) {
    if (grid[axis] > 65535)
      return wb_fail(error, WARPBOUND_USAGE,
                     "grid: expected at most 65535 blocks in %c, found %" PRIu32,
                     axis == 1 ? 'y' : 'z', grid[axis]);
  }
  return WARPBOUND_OK;
}

static warpbound_status take_launch(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  const struct wb_function *function = analysis->function;
  const struct wb_launch *launch = job->question->wcet.launch;
  const bool grid = launch != NULL && wb_launch_size_is_given(launch->grid);
  const uint32_t *block = launch != NULL && wb_launch_size_is_given(launch->block)
                              ? launch->block
                              : function->required_block;
  const bool sized = wb_launch_size_is_given(block);
  if (!grid || !sized)
    return look_at_loops(job);
  for (int axis = 0; axis < 3; axis++) {
    analysis->grid[axis] = launch->grid[axis];
    analysis->block[axis] = block[axis];
  }
  return check_sizes(analysis->grid, analysis->block, job->error);
}

/* Whether the code runs on the device, by NVIDIA's rule. A refusal names the bundled devices that
 * run it. */
static warpbound_status check_architecture(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  const struct wb_device_timing *device = analysis->device;
  const uint32_t sm = analysis->function->sm;
  if (sm == 0 || wb_architecture_runs(device->architecture, sm))
    return WARPBOUND_OK;
  if (job->question->options->allow_other_device) {
    wb_list_add(&analysis->assumptions,
                "code of sm_%" PRIu32 " stands for what %.60s would run in its place "
                "(--allow-other-sm)",
                sm, device->name);
    return WARPBOUND_OK;
  }
  struct wb_text names = {0};
  wb_device_timing_bundled_running(sm, &names);
  if (!names.failed && names.length == 0)
    wb_text_string(&names, "none is bundled");
  const warpbound_status status =
      names.failed ? wb_out_of_memory(job->error)
                   : wb_fail(job->error, WARPBOUND_USAGE,
                             "--sm: code of sm_%" PRIu32 " does not run on %.60s, an sm_%" PRIu32
                             "; expected a device that it runs on (%s), or --allow-other-sm",
                             sm, device->name, device->architecture, names.data);
  wb_text_free(&names);
  return status;
}

/* ---- the kernel ---- */

static warpbound_status find_paths(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  struct wb_wcet_options options = job->question->wcet;
  options.counts_barriers = true;
  warpbound_status status = wb_paths_analyse(analysis->code, analysis->function, &options,
                                             job->control, &analysis->paths, job->error);
  if (status == WARPBOUND_OK)
    analysis->function = analysis->paths.wcet.function;
  if (status == WARPBOUND_OK)
    status = wb_launch_buffers_read(job);
  if (status == WARPBOUND_OK)
    status = wb_accesses_find(analysis->paths.wcet.graph, &analysis->launch, &analysis->accesses,
                              job->error);
  if (status == WARPBOUND_OK && analysis->paths.wcet.idle != NULL)
    wb_accesses_leave_out(&analysis->accesses, analysis->paths.wcet.idle,
                          analysis->function->instruction_count);
  return status;
}

static warpbound_status time_instructions(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  const warpbound_status status = wb_timed_code_make(
      analysis->code, analysis->function, analysis->device, &analysis->accesses,
      analysis->paths.wcet.assumed_calls, &analysis->timed, &analysis->assumptions, job->error);
  if (status != WARPBOUND_INVALID_INPUT || job->error->line == 0)
    return status;
  const warpbound_error refused = *job->error; /* the function does not know its file */
  return wb_fail_at(job->error, status, analysis->code->name, refused.line, refused.column, "%s",
                    refused.message);
}

warpbound_status wb_launch_maxima_make(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  const struct wb_path_system *system = &analysis->paths.system;
  uint32_t starts[WB_FLOW_STARTS];
  const struct wb_timing_graph graph =
      wb_path_timing_graph(system, analysis->interleaved, analysis->ends, starts);
  warpbound_status status =
      wb_warp_times_find(&analysis->timed, &graph, &analysis->times, job->error);
  if (status == WARPBOUND_OK)
    status = wb_launch_maxima_find(&analysis->timed, system, &analysis->times, job->control,
                                   &analysis->maxima, job->error);
  if (status == WARPBOUND_OK)
    wb_launch_maxima_add_groups(&analysis->maxima, &analysis->shape);
  /* Blocks of one warp: as many as the registers of all partitions hold. */
  const struct wb_occupancy *occupancy = &analysis->residencies.items[0].occupancy;
  const uint32_t held = occupancy->by_limit[WB_LIMITED_BY_REGISTERS];
  if (status == WARPBOUND_OK && analysis->shape.block_warps == 1 && held < UINT32_MAX)
    analysis->maxima.terms.partition_warps = held / analysis->shape.partitions;
  if (status == WARPBOUND_OK)
    status =
        wb_launch_maxima_add_block(&analysis->maxima, &analysis->shape, job->control, job->error);
  struct wb_launch_upper uppers;
  if (status != WARPBOUND_OK ||
      wb_launch_upper_find(&analysis->maxima.terms, &analysis->shape, &analysis->residencies,
                           analysis->balanced, &uppers, NULL) != WARPBOUND_OK)
    return status; /* who asks for an upper end says why there is none */
  return wb_launch_maxima_add_launch(&analysis->maxima, &analysis->shape, &uppers.bound,
                                     job->control, job->error);
}

static warpbound_status time_warp(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  const struct wb_path_system *system = &analysis->paths.system;
  const struct wb_warp_graph *warp = analysis->paths.wcet.graph;
  analysis->interleaved = wb_arena_array(&analysis->arena, bool, system->flow.node_count);
  analysis->ends = wb_arena_array(&analysis->arena, bool, system->flow.node_count);
  analysis->common = wb_arena_array(&analysis->arena, bool, warp->function->instruction_count);
  if (analysis->arena.failed)
    return wb_out_of_memory(job->error);
  for (size_t v = 0; v < system->flow.node_count; v++) {
    const uint32_t block = system->block[v];
    analysis->interleaved[v] = block == UINT32_MAX || !wb_block_is_whole(warp, block);
    analysis->ends[v] =
        block != UINT32_MAX && warp->ends[block] && system->last[v] == warp->blocks[block].last;
  }
  analysis->cold = analysis->device->has_caches && !job->question->options->warm_start;
  warpbound_status status = wb_common_instructions_find(warp, analysis->common, job->error);
  if (status == WARPBOUND_OK)
    status = wb_launch_cold_add(analysis, analysis->device, &analysis->timed, &analysis->cold_start,
                                job->error);
  return status == WARPBOUND_OK ? wb_launch_maxima_make(job) : status;
}

/* ---- the device ---- */

static warpbound_status find_occupancy(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  const warpbound_launch_options *options = job->question->options;
  const struct wb_function *function = analysis->function;
  const uint32_t *block = analysis->block;
  warpbound_status status = wb_stated_needs_check(job);
  if (status != WARPBOUND_OK)
    return status;
  analysis->needs = (struct wb_block_needs){
      .threads = block[0] * block[1] * block[2], /* at most 1024: take_launch */
      .registers = options->registers > 0 ? options->registers : function->registers,
      .static_shared =
          options->has_static_shared ? options->static_shared : function->static_shared,
      .dynamic_shared = options->dynamic_shared,
      .barriers = options->has_barriers ? options->barriers : function->named_barriers,
      .shared_includes_reserve =
          !options->has_static_shared && function->sm >= 90 && function->static_shared > 0,
  };
  if (analysis->needs.registers == 0 || analysis->needs.static_shared == UINT32_MAX)
    return wb_fail(job->error, WARPBOUND_FACTS_MISSING,
                   "%.100s: its %s not known, which limit the blocks of an SM: give them with %s, "
                   "or the cubin itself as input",
                   function->name,
                   analysis->needs.registers == 0 ? "registers are" : "bytes of shared memory are",
                   analysis->needs.registers == 0 ? "--registers N" : "--static-shared BYTES");
  if (analysis->needs.barriers == UINT32_MAX) {
    /* The file does not say the named barriers of a block: as the compiler counts them. */
    uint32_t count;
    const struct wb_instruction *at = wb_named_barriers_count(function, &count);
    if (at != NULL)
      return wb_fail_at(job->error, WARPBOUND_FACTS_MISSING, NULL, at->line, at->column,
                        "%.100s: its named barriers are not known, which limit the blocks of an "
                        "SM: give them with --barriers N, or the cubin itself as input",
                        function->name);
    analysis->needs.barriers = count;
    wb_list_add(&analysis->assumptions,
                "a block has %" PRIu32 " named barrier%s, as the code names them", count,
                count == 1 ? "" : "s");
  }
  wb_stated_needs_assume(job);
  analysis->least_carveout = options->carveout;
  status = wb_residencies_find(analysis->device, &analysis->needs, options->carveout,
                               &analysis->residencies, job->error);
  return status == WARPBOUND_OK ? wb_shared_needs_check(job) : status;
}

/* What others than the GPU take of its memory, in millionths and cycles of all of it: of bytes by
 * the service of one sector, the shortest of all stages at the memory. */
static warpbound_status take_foreign(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  const struct wb_device_timing *device = analysis->device;
  const warpbound_launch_options *options = job->question->options;
  const size_t memory = wb_device_memory(device);
  double share = options->foreign_share;
  double burst = 0;
  if (options->foreign_rate > 0 || options->foreign_burst > 0) {
    uint64_t service = 0;
    for (size_t c = 0; c < device->class_count; c++) {
      for (size_t s = 0; s < device->classes[c].stage_count; s++) {
        const struct wb_class_stage *stage = &device->classes[c].stages[s];
        const uint64_t one = stage->resource == memory && stage->per == WB_PER_SECTOR
                                 ? wb_device_number(device, stage->service)
                                 : 0;
        if (one > 0 && (service == 0 || one < service))
          service = one;
      }
    }
    if (service == 0)
      return wb_fail(job->error, WARPBOUND_USAGE,
                     "foreign traffic in bytes: device %.60s has no stage for each sector at a "
                     "resource of the GPU that is named '" WB_MEMORY_RESOURCE
                     "'; expected a share of the bandwidth",
                     device->name);
    /* Cycles of all servers for a byte. */
    const double byte = (double)service / SECTOR /
                        (double)wb_device_number(device, device->resources[memory].servers);
    const double clock = (double)wb_device_number(device, device->clock);
    if (options->foreign_rate > 0)
      share = ceil((double)options->foreign_rate * byte / clock * WB_FOREIGN_WHOLE + 1e-9);
    burst = ceil((double)(options->foreign_burst + SECTOR - 1) * byte);
    if (share >= WB_FOREIGN_WHOLE)
      return wb_fail(job->error, WARPBOUND_USAGE,
                     "foreign traffic: expected less than the whole bandwidth of the memory of "
                     "%.60s, %.4g GB/s",
                     device->name, clock / byte / 1e9);
  }
  if (share >= WB_FOREIGN_WHOLE || burst > UINT32_MAX)
    return wb_fail(job->error, WARPBOUND_USAGE,
                   "foreign traffic: expected less than all of the memory's bandwidth, and fewer "
                   "than 2^32 cycles of it");
  analysis->shape.foreign_share = (uint32_t)share;
  analysis->shape.foreign_burst = (uint32_t)burst;
  return WARPBOUND_OK;
}

/* The shape of the launch, and the carve-outs of shared memory that the bound is for, where that
 * makes a difference or was asked for. */
static warpbound_status take_shape(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  const struct wb_device_timing *device = analysis->device;
  const struct wb_residencies *residencies = &analysis->residencies;
  struct wb_list *assumptions = &analysis->assumptions;
  uint64_t blocks;
  if (!product_of(analysis->grid, &blocks))
    return wb_fail(job->error, WARPBOUND_USAGE, "grid: expected fewer than 2^64 blocks");
  analysis->shape = (struct wb_launch_shape){
      .blocks = blocks,
      .block_warps = residencies->items[0].occupancy.warps,
      .sms = (uint32_t)wb_device_number(device, device->sms),
      .partitions = (uint32_t)wb_device_number(device, device->partitions),
      .overhead = wb_device_number(device, device->launch_overhead),
      .block_start = (uint32_t)wb_device_number(device, device->block_start),
      .dispatch = (uint32_t)wb_device_number(device, device->dispatch),
  };
  warpbound_status status = take_foreign(job);
  if (status != WARPBOUND_OK)
    return status;
  analysis->balanced = job->question->options->balanced_dispatch;
  if (analysis->balanced)
    wb_list_add(assumptions, "a block goes to an SM with the fewest blocks (--dispatch balanced)");
  const uint32_t asked = job->question->options->carveout;
  const uint32_t largest = residencies->items[0].most;
  if (asked == WB_LARGEST_CARVEOUT)
    wb_list_add(assumptions,
                "the shared memory of all SMs is set to the largest size, %" PRIu32
                " bytes (--carveout max)",
                largest);
  else if (device->residency.carveout_count == 0)
    wb_list_add(assumptions,
                "the shared memory of all SMs is set to %" PRIu32
                " bytes (residency.shared_memory): the device file names no other sizes",
                largest);
  else if (asked > 0)
    wb_list_add(assumptions,
                "the shared memory of all SMs is set to one size, of at least %" PRIu32
                " bytes (--carveout %" PRIu32 ")",
                asked, asked);
  else if (residencies->count > 1)
    wb_list_add(
        assumptions,
        "the shared memory of all SMs is set to one size, any that holds a block: of %" PRIu32
        " to %" PRIu32 " bytes",
        residencies->items[residencies->count - 1].least, largest);
  return status;
}

/* ---- the bracket ---- */

warpbound_status wb_launch_upper_find(const struct wb_launch_terms *terms,
                                      const struct wb_launch_shape *shape,
                                      const struct wb_residencies *residencies, bool balanced,
                                      struct wb_launch_upper *upper, warpbound_error *error)
{
  const uint64_t share = wb_divide_up(shape->blocks, shape->sms);
  struct wb_launch_shape one = *shape;
  *upper = (struct wb_launch_upper){0};
  for (size_t r = 0; r < residencies->count; r++) {
    const uint32_t resident = residencies->items[r].occupancy.resident_blocks;
    struct wb_launch_bound bound;
    one.resident_blocks = balanced ? (uint32_t)wb_minimum(resident, share) : resident;
    const warpbound_status status = wb_launch_bound_evaluate(terms, &one, &bound, error);
    if (status != WARPBOUND_OK)
      return status;
    upper->cycles[r] = bound.cycles;
    upper->resident[r] = one.resident_blocks;
    if (r == 0 || bound.cycles > upper->bound.cycles) {
      upper->bound = bound;
      upper->worst = r;
    }
  }
  return WARPBOUND_OK;
}

static warpbound_status bound_from_above(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  const struct wb_launch_terms *terms = &analysis->maxima.terms;
  wb_estimate_add_all(&analysis->upper_estimate, &analysis->paths.over, NULL);
  wb_estimate_add_all(&analysis->upper_estimate, &analysis->timed.estimate, NULL);
  if (analysis->upper_estimate.failed)
    return wb_out_of_memory(job->error);
  analysis->upper_kind =
      wb_is_estimate(&analysis->upper_estimate) ? WARPBOUND_ESTIMATE : WARPBOUND_UPPER;
  struct wb_launch_upper uppers;
  const warpbound_status status = wb_launch_upper_find(
      terms, &analysis->shape, &analysis->residencies, analysis->balanced, &uppers, job->error);
  return status == WARPBOUND_OK ? wb_launch_upper_take(job, &uppers) : status;
}

warpbound_status wb_launch_upper_take(struct wb_launch_job *job,
                                      const struct wb_launch_upper *uppers)
{
  struct wb_launch_analysis *analysis = job->analysis;
  analysis->uppers = *uppers;
  analysis->upper = uppers->bound;
  analysis->occupancy = analysis->residencies.items[uppers->worst].occupancy;
  analysis->shape.resident_blocks = uppers->resident[uppers->worst];
  return wb_block_bound_evaluate(&analysis->maxima.terms, &analysis->shape, &analysis->block_alone,
                                 job->error);
}

/* ---- what it rests on ---- */

/* The values that were read and that a kind of assumption is about: "a = 4, b = 2". */
static void state_values(struct wb_launch_analysis *analysis, enum wb_value_kind kind,
                         bool left_out, const char *words)
{
  struct wb_text names = {0};
  size_t count = 0;
  for (size_t v = 0; v < analysis->device->value_count; v++) {
    const struct wb_device_value *value = &analysis->device->values[v];
    if (value->kind != kind || !analysis->value_used[v] || value->left_out != left_out)
      continue;
    wb_text_format(&names, "%s%s", count++ > 0 ? ", " : "", value->name);
    if (!left_out)
      wb_text_format(&names, " = %" PRIu64, value->value);
  }
  if (count > 0 && !names.failed)
    wb_list_add(&analysis->assumptions, "%s%s", words, names.data);
  analysis->assumptions.failed |= names.failed;
  wb_text_free(&names);
}

/* What other clients of the memory do meanwhile. */
static void state_memory_clients(struct wb_launch_analysis *analysis, bool uses_memory)
{
  struct wb_list *list = &analysis->assumptions;
  const char *clients = analysis->device->memory_clients;
  const struct wb_launch_shape *shape = &analysis->shape;
  const bool named = clients != NULL && clients[0] != '\0';
  const uint32_t factor = analysis->device->memory_factor;
  const bool foreign = shape->foreign_share > 0 || shape->foreign_burst > 0;
  if (uses_memory && factor > 0)
    wb_list_add(list,
                "slowed memory: beside other clients of the memory%s%s, an access of this launch "
                "to it takes at most %.10g times its delay and service on an idle device",
                named ? ": " : "", named ? clients : "", factor / 1e3);
  if (foreign)
    wb_list_add(
        list,
        "foreign traffic: in the first t cycles of the launch, for each t, other clients of "
        "the memory%s%s hold it for at most %.10g %% of t and %" PRIu32 " cycles%s",
        named ? ": " : "", named ? clients : "", shape->foreign_share / 1e4, shape->foreign_burst,
        factor > 0 ? "" : "; beside that they make no access of this launch slower");
  if (uses_memory && named && !foreign && factor == 0)
    wb_list_add(list,
                "idle memory: nothing else uses the L2 cache and the memory: %s, which share the "
                "memory of this device, are idle",
                clients);
  else if (uses_memory && !foreign && factor == 0)
    wb_list_add(list, "idle memory: nothing else uses the L2 cache and the memory: no copies, no "
                      "other device, no display");
}

/* The mode that the SMs' clock is of; NULL: it is of no mode. */
static const char *mode_of_clock(const struct wb_device_timing *device)
{
  for (size_t m = 0; m < device->mode_count; m++) {
    if (device->values[device->clock].source == device->modes[m].applied)
      return device->modes[m].name;
  }
  return NULL;
}

/* A power mode, or the clock of a data sheet, caps a clock and does not keep it. */
static void state_clock(struct wb_launch_analysis *analysis)
{
  const struct wb_device_timing *device = analysis->device;
  const char *mode = mode_of_clock(device);
  char memory[80] = "the clock that the device's numbers are for";
  if (device->file_memory_clock > 0)
    snprintf(memory, sizeof memory, "%.10g MHz",
             (double)device->values[device->memory_clock].given / 1e6);
  wb_list_add(&analysis->assumptions,
              "locked clock: the SMs run at %.10g MHz all the time, and the memory at %s, locked "
              "there, for %s%s only caps them; cycles stand for time only then",
              (double)analysis->clock / 1e6, memory,
              mode != NULL ? "the power mode " : "a power mode or a data sheet",
              mode != NULL ? mode : "");
}

/* States the model and the surroundings, each as "name: sentence", where it can matter to this
 * launch. */
static void state_machine(const struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  const size_t before = analysis->assumptions.count;
  const struct wb_timed_code *code = &analysis->timed;
  struct wb_list *list = &analysis->assumptions;
  bool uses_memory = false; /* requests to what the whole GPU shares: L2, memory */
  for (size_t s = 0; s < code->stage_count; s++)
    uses_memory |= code->resources[code->stages[s].resource].level == WB_LEVEL_GPU;
  wb_list_add(list, "device file: resources, classes and the way of each class through them are as "
                    "the file of the device has them");
  wb_list_add(list, "work conservation (W): an instruction or request that its own past lets go on "
                    "is only kept by a resource whose servers all serve others (doc/launch.md)");
  wb_list_add(list, "room of a block (E): a block leaves its SM once its warps have ended and none "
                    "of its instructions needs the SM any more");
  wb_list_add(list, "prompt dispatch: no SM has room while a block waits; blocks go to any SM, in "
                    "any order");
  wb_list_add(list,
              "even spread: the warps of a block are spread evenly over the partitions of its "
              "SM, and stay there");
  if (uses_memory)
    wb_list_add(list, "even addresses: requests are spread over the slices of L2 and the channels "
                      "of the memory so that none waits while a server of its resource is free");
  state_clock(analysis);
  wb_list_add(list,
              "one context: no other kernel, stream or process is on the GPU and its SMs, and "
              "nothing interrupts this one: no preemption, time slices, MPS, debugger or "
              "profiler");
  state_memory_clients(analysis, uses_memory);
  if (uses_memory)
    wb_list_add(list,
                "refresh: refresh of the memory, and its turning from reads to writes, take no "
                "more than the device's numbers have of them");
  wb_launch_start_state(job, list);
  wb_list_add(list,
              "no repairs: no correction of memory errors (ECC) takes time, and nothing traps");
  analysis->machine_assumptions = analysis->assumptions.count - before;
}

/* Those of the launch last, in the order of the steps. Cycles are times by the clock. */
static warpbound_status state_assumptions(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  struct wb_list of_steps = analysis->assumptions;
  analysis->assumptions = (struct wb_list){0};
  analysis->clock = wb_device_number(analysis->device, analysis->device->clock);
  /* The values that were read, but for the documented ones. */
  state_values(analysis, WB_VALUE_MEASURED, false, WB_VALUES_MEASURED);
  state_values(analysis, WB_VALUE_ASSUMED, false, WB_VALUES_ASSUMED);
  state_values(analysis, WB_VALUE_DECLARED, false, WB_VALUES_DECLARED);
  state_values(analysis, WB_VALUE_ASSUMED, true, WB_VALUES_LEFT_OUT);
  analysis->value_assumptions = analysis->assumptions.count;
  state_machine(job);
  wb_list_add_all(&analysis->assumptions, &of_steps);
  wb_list_add_all(&analysis->assumptions, &analysis->maxima.assumptions);
  wb_list_add_all(&analysis->assumptions, &analysis->paths.assumptions);
  const bool failed = of_steps.failed || analysis->assumptions.failed;
  wb_list_free(&of_steps);
  return failed ? wb_out_of_memory(job->error) : WARPBOUND_OK;
}

/* Refuses where a search for a path that reaches its maximum did not come to its end. */
static warpbound_status check_end(struct wb_launch_job *job)
{
  const struct wb_launch_maxima *maxima = &job->analysis->maxima;
  bool stopped = job->analysis->paths.wcet.ipet.stop != WB_STOP_NONE;
  for (size_t m = 0; m < maxima->count; m++)
    stopped = stopped || maxima->items[m].ipet.stop != WB_STOP_NONE;
  return !stopped ? WARPBOUND_OK
                  : wb_fail(job->error, WARPBOUND_LIMIT,
                            "%.100s: a limit was reached, or an interruption came, before the "
                            "searches for paths that reach the bounds were at their end",
                            job->analysis->function->name);
}

/* ---- the pipeline ---- */

typedef warpbound_status launch_step(struct wb_launch_job *job);

static launch_step *const steps[] = {
    check_architecture,
    take_launch,
    wb_launch_clusters_check,
    find_paths,
    wb_launch_buffers_find,
    time_instructions,
    wb_launch_clusters_settle,
    find_occupancy,
    take_shape,
    time_warp,
    bound_from_above,
    wb_launch_keep,
    wb_launch_keep_first,
    wb_launch_series_try,
    wb_launch_instruction_cycles_find,
    state_assumptions,
    wb_launch_lower_find,
    wb_launch_sensitivity_find,
    wb_launch_advice_find,
    check_end,
    NULL,
};

/* The steps see a copy of the device that notes the values which they read: those the result rests
 * on. */
warpbound_status wb_launch_analyse(const struct wb_code *code, const struct wb_function *function,
                                   const struct wb_launch_question *question,
                                   const struct wb_control *control,
                                   struct wb_launch_analysis *analysis, warpbound_error *error)
{
  const double start = wb_clock();
  struct wb_device_timing noted = *question->device;
  *analysis = (struct wb_launch_analysis){.code = code, .function = function, .device = &noted};
  analysis->value_used = noted.read = wb_arena_array(&analysis->arena, bool, noted.value_count);
  struct wb_launch_job job = {
      .question = question, .control = control, .analysis = analysis, .error = error};
  warpbound_status status = noted.read != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
  launch_step *last = NULL;
  for (size_t s = 0; steps[s] != NULL && status == WARPBOUND_OK; s++) {
    last = steps[s];
    status = last(&job);
  }
  /* Other steps lack what no option gives. */
  if (status == WARPBOUND_FACTS_MISSING &&
      (last == take_launch || last == find_paths || last == wb_launch_clusters_settle ||
       last == find_occupancy))
    status = wb_launch_missing_find(&job);
  analysis->device = question->device;
  analysis->seconds = wb_clock() - start;
  const bool bounded = analysis->upper.cycles > 0;
  if (status != WARPBOUND_OK && status != WARPBOUND_FACTS_MISSING &&
      !(status == WARPBOUND_LIMIT && bounded))
    wb_launch_analysis_free(analysis);
  return status;
}

void wb_launch_analysis_free(struct wb_launch_analysis *analysis)
{
  wb_list_free(&analysis->assumptions);
  free(analysis->run_path);
  wb_simulated_launch_free(&analysis->worst_run);
  wb_launch_maxima_free(&analysis->maxima);
  wb_warp_times_free(&analysis->times);
  wb_arena_free(&analysis->arena);
  wb_estimate_free(&analysis->upper_estimate);
  wb_estimate_free(&analysis->lower_estimate);
  wb_timed_code_free(&analysis->timed);
  wb_accesses_free(&analysis->accesses);
  wb_paths_free(&analysis->paths);
  *analysis = (struct wb_launch_analysis){0};
}

/* ---- the certificate ---- */

warpbound_status wb_launch_claim_make(const struct wb_launch_analysis *analysis,
                                      struct wb_launch_claim_owner *owner, warpbound_error *error)
{
  const struct wb_device_timing *device = analysis->device;
  const size_t count = analysis->residencies.count;
  const warpbound_status status =
      wb_launch_claim_fill(&analysis->maxima, analysis->interleaved, analysis->ends,
                           &analysis->shape, analysis->upper.cycles, owner, error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_launch_grounds *grounds = &owner->grounds;
  uint32_t *others = wb_arena_array(&owner->arena, uint32_t, count);
  grounds->device = device->name;
  grounds->assumptions = analysis->assumptions;
  grounds->values = wb_arena_array(&owner->arena, struct wb_device_value, device->value_count);
  if (owner->arena.failed) {
    wb_launch_claim_free(owner);
    return wb_out_of_memory(error);
  }
  /* The resident blocks of all carve-outs but the worst. */
  for (size_t r = 0; r < count; r++) {
    if (r != analysis->uppers.worst)
      others[owner->claim.other_resident_count++] = analysis->uppers.resident[r];
  }
  owner->claim.other_residents = others;
  for (size_t v = 0; v < device->value_count; v++) {
    if (analysis->value_used[v])
      grounds->values[grounds->value_count++] = device->values[v];
  }
  return WARPBOUND_OK;
}
