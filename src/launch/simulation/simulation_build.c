/* Reads the code and the paths of a launch that is to be simulated, and makes room for it. */
#include "base/arena.h"
#include "launch/simulation/launch_machine.h"

#include "base/checked.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static warpbound_status check_input(const struct wb_launch_machine *machine, warpbound_error *error)
{
  const struct wb_timed_code *const code = machine->code;
  const struct wb_launch_shape *const shape = machine->shape;
  const struct wb_simulation_options *const options = machine->options;
  const char *const broken = wb_timed_code_check(code);
  if (broken != NULL)
    return wb_fail(error, WARPBOUND_INVALID_INPUT, "timed code: %s", broken);
  if (shape->blocks == 0 || shape->block_warps == 0 || shape->sms == 0 || shape->partitions == 0 ||
      shape->resident_blocks == 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT, "a launch without blocks, warps or room");
  uint64_t warps;
  if (!wb_multiply(shape->blocks, shape->block_warps, &warps) || warps == UINT64_MAX)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "the number of warps of the launch does not fit into 64 bits");
  if (options->path_count == 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT, "there is no path to simulate");
  size_t expected = 0;
  for (size_t p = 0; p < options->path_count; p++) {
    const struct wb_warp_path *const path = &options->paths[p];
    size_t barriers = 0;
    if (path->length == 0)
      return wb_fail(error, WARPBOUND_INVALID_INPUT, "path %zu of the simulation is empty", p);
    for (size_t i = 0; i < path->length; i++) {
      if (path->instructions[i] >= code->instruction_count)
        return wb_fail(error, WARPBOUND_INVALID_INPUT,
                       "path %zu of the simulation has an instruction %" PRIu32
                       ", the code has %zu",
                       p, path->instructions[i], code->instruction_count);
      barriers += code->instructions[path->instructions[i]].barrier;
    }
    if (p == 0)
      expected = barriers;
    if (barriers != expected)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "path %zu of the simulation has %zu barriers and path 0 has %zu: warps of a "
                     "block would wait for ever",
                     p, barriers, expected);
  }
  return WARPBOUND_OK;
}

/* Zeroed room, if the budget allows. */
static void *take(struct wb_launch_machine *machine, uint64_t *budget, uint64_t count, size_t size)
{
  uint64_t bytes;
  if (count >= WB_NOBODY || !wb_multiply(count, size, &bytes) || bytes > *budget) {
    machine->failed = true;
    return NULL;
  }
  *budget -= bytes;
  void *const room = wb_arena_allocate(&machine->arena, (size_t)count, size);
  machine->failed |= room == NULL;
  return room;
}

static uint32_t resource_set(const struct wb_timed_code *code,
                             const struct wb_timed_instruction *instruction)
{
  uint32_t set = 0;
  for (size_t u = 0; u < instruction->use_count; u++)
    set |= UINT32_C(1) << code->uses[instruction->first_use + u].resource;
  return set;
}

static int compare_sets(const void *a, const void *b)
{
  const uint32_t x = *(const uint32_t *)a;
  const uint32_t y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void decode_all(struct wb_launch_machine *machine)
{
  const struct wb_timed_code *const code = machine->code;
  const size_t count = code->instruction_count;
  for (size_t i = 0; i < count; i++) {
    const struct wb_timed_instruction *const instruction = &code->instructions[i];
    machine->steps[i] = (struct wb_launch_step){
        .stall = instruction->stall,
        .latency = instruction->latency,
        .read_latency = instruction->read_latency,
        .first_use = instruction->first_use,
        .first_stage = instruction->first_stage,
        .use_count = instruction->use_count,
        .stage_count = instruction->stage_count,
        .read_stages = instruction->read_stages,
        .write = instruction->write_scoreboard,
        .read = instruction->read_scoreboard,
        .wait_mask = instruction->wait_mask,
        .counted = instruction->counted_scoreboard,
        .left = instruction->counted_left,
        .barrier = instruction->barrier,
        .fence = instruction->fence,
    };
    for (uint8_t s = 0; s < instruction->stage_count; s++) {
      const uint8_t resource = code->stages[instruction->first_stage + s].resource;
      if (code->resources[resource].level != WB_LEVEL_GPU)
        machine->steps[i].local_stages = (uint8_t)(s + 1);
    }
    machine->groups[i] = resource_set(code, instruction);
    if (machine->steps[i].counted < WB_SCOREBOARD_COUNT)
      machine->counted |= (uint8_t)(1u << machine->steps[i].counted);
  }
  qsort(machine->groups, count, sizeof *machine->groups, compare_sets);
  machine->common = UINT32_MAX;
  size_t groups = 0;
  for (size_t i = 0; i < count; i++) {
    machine->common &= machine->groups[i];
    if (groups == 0 || machine->groups[groups - 1] != machine->groups[i])
      machine->groups[groups++] = machine->groups[i];
  }
  machine->group_count = groups;
  machine->group_words = (groups + 63) / 64;
  for (size_t i = 0; i < count; i++) {
    const uint32_t set = resource_set(code, &code->instructions[i]);
    const uint32_t *const found = bsearch(&set, machine->groups, groups, sizeof set, compare_sets);
    machine->steps[i].group = (uint32_t)(found - machine->groups);
  }
}

/* How many stations serve requests to a resource; none one that is taken at issue. */
static uint64_t count_stations(const struct wb_launch_machine *machine,
                               const struct wb_resource *resource)
{
  if (resource->at_issue)
    return 0;
  const uint64_t sms = resource->level == WB_LEVEL_GPU ? 1 : machine->sms;
  return resource->level == WB_LEVEL_PARTITION ? sms * machine->partitions : sms;
}

/* Where resources that are taken at issue are, and how many stations requests have. */
static uint64_t lay_out_resources(struct wb_launch_machine *machine)
{
  uint64_t stations = 0;
  for (size_t r = 0; r < machine->code->resource_count; r++) {
    const struct wb_resource *const resource = &machine->code->resources[r];
    if (resource->at_issue) {
      const bool shared = resource->level == WB_LEVEL_SM;
      size_t *const stride = shared ? &machine->sm_stride : &machine->part_stride;
      machine->places[r] = (struct wb_issue_place){resource->servers, shared, *stride};
      *stride += resource->servers;
      machine->shared_issue |= shared;
    }
    machine->station_base[r] = (uint32_t)stations;
    stations += count_stations(machine, resource);
  }
  return stations;
}

static bool make_room(struct wb_launch_machine *machine, uint64_t *budget)
{
  const uint64_t sms = machine->sms;
  const uint64_t residents = sms * machine->rooms; /* factors below 2^32 */
  uint64_t warps;
  if (!wb_multiply(residents, machine->shape->block_warps, &warps))
    return false;
  machine->warps = take(machine, budget, warps, sizeof *machine->warps);
  machine->blocks = take(machine, budget, residents, sizeof *machine->blocks);
  machine->by_age = take(machine, budget, residents, sizeof *machine->by_age);
  machine->residents = take(machine, budget, sms, sizeof *machine->residents);
  machine->changed = take(machine, budget, sms, sizeof *machine->changed);
  machine->changed_sms = take(machine, budget, sms, sizeof *machine->changed_sms);
  machine->room = take(machine, budget, (sms + 63) / 64, sizeof *machine->room);
  if (machine->failed)
    return false;
  const uint64_t parts = (uint64_t)machine->sms * machine->partitions;
  const uint64_t most =
      machine->rooms * wb_divide_up(machine->shape->block_warps, machine->partitions);
  if (parts >= WB_NOBODY || most >= WB_NOBODY) /* the products below fit */
    return false;
  machine->partition_warps = (uint32_t)most;
  machine->words = (size_t)((most + 63) / 64);
  machine->active_words = (size_t)((parts + 63) / 64);
  machine->parts = take(machine, budget, parts, sizeof *machine->parts);
  machine->warp_at = take(machine, budget, parts * most, sizeof *machine->warp_at);
  if (machine->failed)
    return false;
  const size_t words = machine->words;
  machine->ready = take(machine, budget, parts * words, machine->group_count * sizeof(uint64_t));
  machine->victims = take(machine, budget, parts * words, sizeof(uint64_t));
  machine->ready_groups = take(machine, budget, parts * machine->group_words, sizeof(uint64_t));
  machine->part_times = take(machine, budget, parts, machine->part_stride * sizeof(uint64_t));
  machine->sm_times = take(machine, budget, machine->sms, machine->sm_stride * sizeof(uint64_t));
  machine->active = take(machine, budget, machine->active_words, sizeof(uint64_t));
  machine->active_next = take(machine, budget, machine->active_words, sizeof(uint64_t));
  machine->turn = take(machine, budget, parts, sizeof *machine->turn);
  machine->candidates = take(machine, budget, words, sizeof(uint64_t));
  return !machine->failed;
}

static warpbound_status fail_memory(uint64_t memory_limit, warpbound_error *error)
{
  return wb_fail(error, WARPBOUND_LIMIT,
                 "the simulation needs more than the %" PRIu64 " bytes of the memory limit",
                 memory_limit);
}

warpbound_status wb_launch_machine_build(struct wb_launch_machine *machine, uint64_t memory_limit,
                                         warpbound_error *error)
{
  const warpbound_status status = check_input(machine, error);
  if (status != WARPBOUND_OK)
    return status;
  uint64_t budget = memory_limit;
  const size_t count = machine->code->instruction_count;
  machine->steps = take(machine, &budget, count, sizeof *machine->steps);
  machine->groups = take(machine, &budget, count, sizeof *machine->groups);
  if (machine->failed)
    return fail_memory(memory_limit, error);
  decode_all(machine);
  const struct wb_launch_shape *const shape = machine->shape;
  machine->rooms = (uint32_t)wb_minimum(shape->resident_blocks, shape->blocks);
  assert(machine->rooms > 0); /* check_input */
  const bool filled = machine->options->seed % 3 == 0 && !machine->options->balanced;
  const uint64_t needed = filled ? wb_divide_up(shape->blocks, machine->rooms) : shape->blocks;
  machine->sms = (uint32_t)wb_minimum(shape->sms, needed);
  machine->partitions = (uint32_t)wb_minimum(shape->partitions, shape->block_warps);
  const uint64_t stations = lay_out_resources(machine);
  machine->stations = take(machine, &budget, stations, sizeof *machine->stations);
  machine->touched = take(machine, &budget, stations, sizeof *machine->touched);
  if (machine->failed || !make_room(machine, &budget))
    return fail_memory(memory_limit, error);
  for (uint32_t s = 0; s < machine->sms; s++) {
    machine->room[s / 64] |= UINT64_C(1) << s % 64;
    for (uint32_t r = 0; r < machine->rooms; r++)
      machine->by_age[(size_t)s * machine->rooms + r] = r;
  }
  machine->free_rooms = (uint64_t)machine->sms * machine->rooms;
  for (size_t p = 0; p < (size_t)machine->sms * machine->partitions; p++)
    machine->parts[p] = (struct wb_launch_partition){
        .wake = UINT64_MAX, .last_age = UINT64_MAX, .last_place = WB_NOBODY};
  machine->free_flight = WB_NOBODY;
  for (size_t r = 0, s = 0; r < machine->code->resource_count; r++) {
    const struct wb_resource *const resource = &machine->code->resources[r];
    for (uint64_t i = count_stations(machine, resource); i > 0; i--)
      machine->stations[s++] = (struct wb_launch_station){
          .free = resource->servers, .queue = WB_NOBODY, .resource = (uint8_t)r};
  }
  machine->most_flights = (size_t)wb_minimum(budget / 2 / sizeof *machine->flights, WB_NOBODY / 4);
  wb_time_wheel_start(&machine->wheel, (size_t)wb_minimum(budget / 2 /
                                                              (sizeof(struct wb_wheel_event) +
                                                               sizeof(struct wb_later_event)),
                                                          WB_NOBODY / 4));
  return WARPBOUND_OK;
}

void wb_launch_machine_free(struct wb_launch_machine *machine)
{
  free(machine->flights);
  wb_arena_free(&machine->arena);
  wb_time_wheel_free(&machine->wheel);
}
