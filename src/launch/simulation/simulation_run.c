/* Runs a launch, cycle by cycle in which anything happens. */
#include "launch/simulation/launch_machine.h"

#include "base/checked.h"
#include "base/memory.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the wheel ---- */

bool wb_time_wheel_grow(struct wb_time_wheel *wheel)
{
  const size_t before = wheel->capacity;
  if (before >= wheel->most_events || before >= WB_WHEEL_NONE / 2 ||
      !wb_grow(wheel->events, &wheel->capacity, before + 64)) {
    wheel->failed = true;
    return false;
  }
  for (size_t i = before; i < wheel->capacity; i++)
    wheel->events[i].next = i + 1 < wheel->capacity ? (uint32_t)(i + 1) : WB_WHEEL_NONE;
  wheel->free = (uint32_t)before;
  return true;
}

void wb_time_wheel_push_later(struct wb_time_wheel *wheel, uint64_t time, uint32_t event)
{
  if (!wb_grow(wheel->later, &wheel->later_capacity, wheel->later_count + 1)) {
    wheel->failed = true;
    return;
  }
  struct wb_later_event *const heap = wheel->later;
  size_t place = wheel->later_count++;
  while (place > 0 && heap[(place - 1) / 2].time > time) {
    heap[place] = heap[(place - 1) / 2];
    place = (place - 1) / 2;
  }
  heap[place] = (struct wb_later_event){time, event};
}

static struct wb_later_event take_earliest(struct wb_time_wheel *wheel)
{
  struct wb_later_event *const heap = wheel->later;
  const struct wb_later_event earliest = heap[0];
  const struct wb_later_event last = heap[--wheel->later_count];
  const size_t count = wheel->later_count;
  size_t place = 0;
  for (size_t child = 1; child < count; child = 2 * place + 1) {
    if (child + 1 < count && heap[child + 1].time < heap[child].time)
      child++;
    if (heap[child].time >= last.time)
      break;
    heap[place] = heap[child];
    place = child;
  }
  if (count > 0)
    heap[place] = last;
  return earliest;
}

/* Cycles from now + 1 to the next bucket that is in use; WB_WHEEL_SPAN where none is. */
static uint64_t find_used(const struct wb_time_wheel *wheel)
{
  const uint32_t from = (uint32_t)(wheel->now + 1) % WB_WHEEL_SPAN;
  uint64_t bits = wheel->used[from / 64] >> from % 64;
  if (bits != 0)
    return (uint64_t)__builtin_ctzll(bits);
  uint32_t distance = 64 - from % 64;
  for (uint32_t word = from / 64 + 1; distance < WB_WHEEL_SPAN; word++, distance += 64) {
    bits = wheel->used[word % (WB_WHEEL_SPAN / 64)];
    if (bits != 0)
      return distance + (uint32_t)__builtin_ctzll(bits);
  }
  return WB_WHEEL_SPAN;
}

/* Goes on to the next cycle in which something happens, at most to `limit`; false where nothing
 * happens any more and the limit is UINT64_MAX. The bucket of the cycle before must be empty. */
static bool advance_wheel(struct wb_time_wheel *wheel, uint64_t limit)
{
  const uint64_t distance = find_used(wheel);
  uint64_t next = distance < WB_WHEEL_SPAN ? wheel->now + 1 + distance : UINT64_MAX;
  if (wheel->later_count > 0 && wheel->later[0].time < next)
    next = wheel->later[0].time;
  if (limit < next)
    next = limit;
  if (next == UINT64_MAX)
    return false;
  wheel->now = next;
  while (wheel->later_count > 0 && wheel->later[0].time - next < WB_WHEEL_SPAN) {
    const struct wb_later_event event = take_earliest(wheel);
    wb_time_wheel_link(wheel, event.time, event.event);
  }
  return true;
}

/* Takes an event of the present cycle; false where there is none any more. */
static bool take_event(struct wb_time_wheel *wheel, struct wb_wheel_event *taken)
{
  const uint32_t place = (uint32_t)wheel->now % WB_WHEEL_SPAN;
  const uint32_t event = wheel->bucket[place];
  if (event == WB_WHEEL_NONE) {
    wheel->used[place / 64] &= ~(UINT64_C(1) << place % 64);
    return false;
  }
  *taken = wheel->events[event];
  wheel->bucket[place] = taken->next;
  wheel->events[event].next = wheel->free;
  wheel->free = event;
  return true;
}

/* ---- making the machine ---- */

static warpbound_status check_kernel(const struct wb_timed_code *code,
                                     const struct wb_simulated_kernel *kernel,
                                     warpbound_error *error)
{
  uint64_t warps;
  size_t expected = 0;
  if (kernel->blocks == 0 || kernel->block_warps == 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT, "a launch without blocks, warps or room");
  if (!wb_multiply(kernel->blocks, kernel->block_warps, &warps) || warps == UINT64_MAX)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "the number of warps of the launch does not fit into 64 bits");
  if (kernel->path_count == 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT, "there is no path to simulate");
  for (size_t p = 0; p < kernel->path_count; p++) {
    const struct wb_warp_path *const path = &kernel->paths[p];
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

static warpbound_status check_input(const struct wb_launch_machine *machine, warpbound_error *error)
{
  const struct wb_launch_shape *const shape = machine->shape;
  const struct wb_simulated_graph *const graph = machine->graph;
  const char *const broken = wb_timed_code_check(machine->code);
  warpbound_status status = WARPBOUND_OK;
  if (broken != NULL)
    return wb_fail(error, WARPBOUND_INVALID_INPUT, "timed code: %s", broken);
  if (shape->sms == 0 || shape->partitions == 0 || (graph == NULL && shape->resident_blocks == 0))
    return wb_fail(error, WARPBOUND_INVALID_INPUT, "a launch without blocks, warps or room");
  if (graph == NULL) {
    const struct wb_simulated_kernel one = {shape->blocks, shape->block_warps,
                                            machine->options->paths, machine->options->path_count};
    return check_kernel(machine->code, &one, error);
  }
  for (size_t k = 0; k < graph->mixes->kernel_count && status == WARPBOUND_OK; k++)
    status = check_kernel(machine->code, &graph->kernels[k], error);
  return status;
}

void *wb_launch_take(struct wb_launch_machine *machine, uint64_t *budget, uint64_t count,
                     size_t size)
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

static void prepare_code(struct wb_launch_machine *machine)
{
  const struct wb_timed_code *const code = machine->code;
  const size_t count = code->instruction_count;
  for (size_t i = 0; i < count; i++) {
    const struct wb_timed_instruction *const instruction = &code->instructions[i];
    for (uint8_t s = 0; s < instruction->stage_count; s++) {
      const uint8_t resource = code->stages[instruction->first_stage + s].resource;
      if (code->resources[resource].level != WB_LEVEL_GPU)
        machine->local_stages[i] = (uint8_t)(s + 1);
    }
    machine->groups[i] = resource_set(code, instruction);
    if (instruction->counted_scoreboard < WB_SCOREBOARD_COUNT)
      machine->counted |= (uint8_t)(1u << instruction->counted_scoreboard);
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
    machine->group_of[i] = (uint32_t)(found - machine->groups);
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
  if (!wb_multiply(residents, machine->stride, &warps))
    return false;
  machine->warps = wb_launch_take(machine, budget, warps, sizeof *machine->warps);
  machine->blocks = wb_launch_take(machine, budget, residents, sizeof *machine->blocks);
  machine->by_age = wb_launch_take(machine, budget, residents, sizeof *machine->by_age);
  machine->residents = wb_launch_take(machine, budget, sms, sizeof *machine->residents);
  machine->changed = wb_launch_take(machine, budget, sms, sizeof *machine->changed);
  machine->changed_sms = wb_launch_take(machine, budget, sms, sizeof *machine->changed_sms);
  machine->room = wb_launch_take(machine, budget, (sms + 63) / 64, sizeof *machine->room);
  if (machine->graph != NULL) {
    const struct wb_mixes *const mixes = machine->graph->mixes;
    machine->room_left =
        wb_launch_take(machine, budget, sms * mixes->room_count, sizeof *machine->room_left);
    machine->held =
        wb_launch_take(machine, budget, sms * mixes->kernel_count, sizeof *machine->held);
    for (size_t r = 0; r < sms * mixes->room_count && !machine->failed; r++)
      machine->room_left[r] = mixes->rooms[r % mixes->room_count].capacity;
  }
  if (machine->failed)
    return false;
  const uint64_t parts = (uint64_t)machine->sms * machine->partitions;
  const uint64_t most = machine->rooms * wb_divide_up(machine->stride, machine->partitions);
  if (parts >= WB_NOBODY || most >= WB_NOBODY) /* the products below fit */
    return false;
  machine->partition_warps = (uint32_t)most;
  machine->words = (size_t)((most + 63) / 64);
  machine->active_words = (size_t)((parts + 63) / 64);
  machine->parts = wb_launch_take(machine, budget, parts, sizeof *machine->parts);
  machine->warp_at = wb_launch_take(machine, budget, parts * most, sizeof *machine->warp_at);
  if (machine->failed)
    return false;
  const size_t words = machine->words;
  machine->ready =
      wb_launch_take(machine, budget, parts * words, machine->group_count * sizeof(uint64_t));
  machine->victims = wb_launch_take(machine, budget, parts * words, sizeof(uint64_t));
  machine->ready_groups =
      wb_launch_take(machine, budget, parts * machine->group_words, sizeof(uint64_t));
  machine->part_times =
      wb_launch_take(machine, budget, parts, machine->part_stride * sizeof(uint64_t));
  machine->sm_times =
      wb_launch_take(machine, budget, machine->sms, machine->sm_stride * sizeof(uint64_t));
  machine->active = wb_launch_take(machine, budget, machine->active_words, sizeof(uint64_t));
  machine->active_next = wb_launch_take(machine, budget, machine->active_words, sizeof(uint64_t));
  machine->turn = wb_launch_take(machine, budget, parts, sizeof *machine->turn);
  machine->candidates = wb_launch_take(machine, budget, words, sizeof(uint64_t));
  return !machine->failed && wb_launch_make_convoys(machine, budget);
}

/* Caches that have nothing. */
static bool make_caches(struct wb_launch_machine *machine, uint64_t *budget)
{
  machine->line_base =
      wb_launch_take(machine, budget, machine->code->cold_lines.count, sizeof *machine->line_base);
  if (machine->failed)
    return false;
  const uint64_t count = wb_launch_lay_out_lines(machine);
  machine->lines = wb_launch_take(machine, budget, count, sizeof *machine->lines);
  for (uint64_t l = 0; l < count && !machine->failed; l++)
    machine->lines[l] = (struct wb_launch_line){WB_LINE_MISSING, WB_NOBODY, WB_NOBODY};
  return !machine->failed;
}

/* How many SMs are used, and what one holds. */
static void set_size(struct wb_launch_machine *machine)
{
  uint64_t one[WB_TOGETHER_KERNELS];
  const struct wb_launch_shape *const shape = machine->shape;
  const uint64_t blocks = wb_maximum(machine->block_count, 1);
  for (size_t k = 0; k < WB_TOGETHER_KERNELS; k++)
    one[k] = 1;
  const uint64_t resident = machine->graph == NULL
                                ? shape->resident_blocks
                                : wb_mixes_most(machine->graph->mixes, NULL, WB_NO_KERNEL, one);
  machine->rooms = (uint32_t)wb_minimum(wb_minimum(resident, blocks), WB_NOBODY - 1);
  assert(machine->rooms > 0); /* check_input */
  const bool filled =
      machine->graph == NULL && machine->options->seed % 3 == 0 && !machine->options->balanced;
  const uint64_t needed = filled ? wb_divide_up(blocks, machine->rooms) : blocks;
  machine->sms = machine->graph == NULL ? (uint32_t)wb_minimum(shape->sms, needed) : shape->sms;
  machine->stride = (uint32_t)wb_maximum(machine->stride, 1);
  machine->partitions = (uint32_t)wb_minimum(shape->partitions, machine->stride);
}

static warpbound_status fail_memory(uint64_t memory_limit, warpbound_error *error)
{
  return wb_fail(error, WARPBOUND_LIMIT,
                 "the simulation needs more than the %" PRIu64 " bytes of the memory limit",
                 memory_limit);
}

static warpbound_status build_machine(struct wb_launch_machine *machine, uint64_t memory_limit,
                                      warpbound_error *error)
{
  const warpbound_status status = check_input(machine, error);
  if (status != WARPBOUND_OK)
    return status;
  uint64_t budget = memory_limit;
  const size_t count = machine->code->instruction_count;
  machine->group_of = wb_launch_take(machine, &budget, count, sizeof *machine->group_of);
  machine->local_stages = wb_launch_take(machine, &budget, count, sizeof *machine->local_stages);
  machine->groups = wb_launch_take(machine, &budget, count, sizeof *machine->groups);
  if (machine->failed)
    return fail_memory(memory_limit, error);
  prepare_code(machine);
  if (!wb_launch_make_steps(machine, &budget))
    return fail_memory(memory_limit, error);
  if (machine->overflow || machine->block_count > UINT64_MAX / wb_maximum(machine->stride, 1))
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "the number of warps of all launches does not fit into 64 bits");
  set_size(machine);
  const uint64_t stations = lay_out_resources(machine);
  machine->stations = wb_launch_take(machine, &budget, stations, sizeof *machine->stations);
  machine->touched = wb_launch_take(machine, &budget, stations, sizeof *machine->touched);
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
  machine->cold = machine->options->cold && machine->code->cold_lines.first != NULL;
  if (machine->cold && !make_caches(machine, &budget))
    return fail_memory(memory_limit, error);
  for (size_t r = 0, s = 0; r < machine->code->resource_count; r++) {
    const struct wb_resource *const resource = &machine->code->resources[r];
    for (uint64_t i = count_stations(machine, resource); i > 0; i--)
      machine->stations[s++] = (struct wb_launch_station){
          .free = resource->servers, .queue = WB_NOBODY, .resource = (uint8_t)r};
  }
  machine->most_flights = (size_t)wb_minimum(budget / 2 / sizeof *machine->flights, WB_NOBODY / 4);
  const size_t event_bytes = sizeof(struct wb_wheel_event) + sizeof(struct wb_later_event);
  machine->wheel.free = WB_WHEEL_NONE;
  machine->wheel.most_events = (size_t)wb_minimum(budget / 2 / event_bytes, WB_NOBODY / 4);
  for (size_t i = 0; i < WB_WHEEL_SPAN; i++)
    machine->wheel.bucket[i] = WB_WHEEL_NONE;
  return WARPBOUND_OK;
}

/* ---- events ---- */

void wb_launch_record(struct wb_launch_machine *machine, const struct wb_launch_event *event,
                      uint64_t age, uint32_t partition)
{
  struct wb_simulated_launch *const launch = machine->launch;
  const struct wb_simulation_options *const options = machine->options;
  const uint32_t sm = partition / machine->partitions;
  const bool for_run = event->kind != WB_EVENT_WAIT && event->kind != WB_EVENT_BARRIER_WAIT;
  const bool for_people = event->kind != WB_EVENT_FETCH && event->kind != WB_EVENT_COPY;
  if (!machine->recording || !(options->events_of_run ? for_run : for_people) ||
      event->until < options->events_from || (options->events_of_sm && sm != options->events_sm))
    return;
  if (!wb_grow(launch->events, &machine->event_capacity, launch->event_count + 1)) {
    machine->failed = true;
    return;
  }
  struct wb_launch_event *const recorded = &launch->events[launch->event_count++];
  *recorded = *event;
  recorded->sm = sm;
  recorded->partition = partition % machine->partitions;
  recorded->warp = (uint32_t)(age % machine->stride);
  recorded->block = age / machine->stride;
  machine->recording = launch->event_count < options->most_events;
}

static int compare(uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

static int compare_events(const void *a, const void *b)
{
  const struct wb_launch_event *const x = a;
  const struct wb_launch_event *const y = b;
  const int orders[] = {
      compare(x->time, y->time),       compare(x->block, y->block), compare(x->warp, y->warp),
      compare(x->step, y->step),       compare(x->kind, y->kind),   compare(x->stage, y->stage),
      compare(x->request, y->request),
  };
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    if (orders[i] != 0)
      return orders[i];
  }
  return 0;
}

/* ---- the run ---- */

/* No sum of times up to here and of one instruction's overflows. */
#define TIME_LIMIT (UINT64_C(1) << 61)
#define POLL_EVERY 8192 /* cycles */
/* Blocks and warps are listed with the events up to so many. */
#define MOST_LISTED (UINT64_C(1) << 22)

const char *wb_launch_policy_name(enum wb_launch_policy policy)
{
  static const char *const names[WB_LAUNCH_POLICY_COUNT] = {
      [WB_LAUNCH_GREEDY_OLDEST] = "greedy-then-oldest",
      [WB_LAUNCH_GREEDY_YOUNGEST] = "greedy-then-youngest",
      [WB_LAUNCH_ROUND_ROBIN] = "loose-round-robin",
      [WB_LAUNCH_RANDOM] = "random",
      [WB_LAUNCH_STARVING] = "starving",
      [WB_LAUNCH_LAGGING] = "lagging",
      [WB_LAUNCH_LAGGING_YOUNGEST] = "lagging-youngest",
      [WB_LAUNCH_CONVOY] = "convoy",
      [WB_LAUNCH_CONVOY_LAGGING] = "convoy-lagging",
      [WB_LAUNCH_IN_STEP] = "in-step",
      [WB_LAUNCH_IN_STEP_LAGGING] = "in-step-lagging",
  };
  return names[policy];
}

uint32_t wb_launch_draw_shorter(const struct wb_launch_machine *machine, uint64_t age,
                                uint64_t step, uint32_t what, uint32_t most, uint32_t least)
{
  if (most <= least)
    return most;
  const uint64_t number =
      wb_launch_mix(wb_launch_mix(machine->salt, age, step), what, machine->options->shorter);
  if (number % 1000 >= machine->options->shorter)
    return most;
  return least + (uint32_t)((number >> 20) % ((uint64_t)most - least + 1));
}

static void happen(struct wb_launch_machine *machine, const struct wb_wheel_event *event)
{
  const uint32_t subject = event->subject;
  switch ((enum wb_launch_wake)event->kind) {
  case WB_WAKE_WARP:
    wb_launch_ready(machine, subject);
    break;
  case WB_WAKE_PARTITION:
    if (machine->parts[subject].wake != machine->wheel.now) /* it was woken earlier than this */
      break;
    machine->parts[subject].wake = UINT64_MAX;
    machine->active[subject / 64] |= UINT64_C(1) << subject % 64;
    break;
  case WB_WAKE_ARRIVAL:
    wb_launch_arrive(machine, subject);
    break;
  case WB_WAKE_SERVED:
    wb_launch_served(machine, subject, event->count);
    break;
  case WB_WAKE_RELEASE:
    wb_launch_flight_release(machine, subject, (uint8_t)event->count);
    break;
  case WB_WAKE_BLOCK:
    wb_launch_leave(machine, subject);
    break;
  case WB_WAKE_STEP:
    wb_launch_step_wakes(machine, subject, (enum wb_step_wake)event->count);
    break;
  }
}

static warpbound_status fail_run(const struct wb_launch_machine *machine, warpbound_error *error)
{
  if (machine->failed || machine->wheel.failed)
    return wb_fail(error, WARPBOUND_LIMIT, "the simulation needs more memory than it may have");
  return wb_fail(error, WARPBOUND_INVALID_INPUT,
                 "a time of the simulation does not fit into 64 bits");
}

static warpbound_status run(struct wb_launch_machine *machine, const struct wb_control *control,
                            warpbound_error *error)
{
  const uint64_t most = machine->options->most_instructions;
  wb_launch_begin_steps(machine);
  wb_launch_dispatch(machine);
  uint32_t cycles = 0;
  bool more = true;
  while (more) {
    /* All that happens in the present cycle: what ends frees others, blocks leave and come,
     * instructions issue, requests start. */
    struct wb_wheel_event event;
    while (take_event(&machine->wheel, &event))
      happen(machine, &event);
    if (machine->left)
      wb_launch_dispatch(machine);
    if (machine->convoys.on)
      wb_launch_serve_all(machine); /* what is full in this cycle keeps warps from issuing */
    wb_launch_issue_all(machine);
    wb_launch_serve_all(machine);
    if (machine->failed || machine->wheel.failed || machine->overflow ||
        machine->wheel.now > TIME_LIMIT || machine->dispatcher > TIME_LIMIT)
      return fail_run(machine, error);
    if (most > 0 && machine->launch->instructions >= most)
      return WARPBOUND_OK;
    if (++cycles % POLL_EVERY == 0 && control != NULL &&
        wb_control_poll(control, "simulating",
                        (double)machine->ended_blocks /
                            (double)wb_maximum(machine->block_count, 1)) != WB_STOP_NONE)
      return wb_fail(error, WARPBOUND_LIMIT,
                     "interrupted, or the time limit was reached, at cycle %" PRIu64
                     " of a simulated run; the bracket is valid",
                     machine->wheel.now);
    /* On to the next cycle in which anything can happen, if there is one. */
    const uint64_t limit = machine->any_next ? machine->wheel.now + 1 : UINT64_MAX;
    more = advance_wheel(&machine->wheel, limit);
    for (size_t w = 0; w < machine->active_words && machine->any_next; w++) {
      machine->active[w] |= machine->active_next[w];
      machine->active_next[w] = 0;
    }
    machine->any_next = false;
  }
  bool stands = machine->steps_left > 0;
  for (uint32_t m = 0; m < machine->member_count; m++)
    stands |= machine->members[m].released &&
              machine->members[m].ended_blocks < machine->members[m].blocks;
  if (stands)
    return wb_fail(error, WARPBOUND_INTERNAL, "the simulation stands still at cycle %" PRIu64,
                   machine->wheel.now);
  machine->launch->ended = true;
  return WARPBOUND_OK;
}

/* Lists where the blocks are, if events are asked for and the launch is small enough, and when the
 * steps of a graph are. */
static warpbound_status make_lists(const struct wb_launch_machine *machine, warpbound_error *error)
{
  struct wb_simulated_launch *const launch = machine->launch;
  const size_t blocks = (size_t)machine->block_count;
  const size_t warps = blocks * machine->stride;
  if (machine->options->most_events > 0 && machine->block_count <= MOST_LISTED &&
      machine->block_count * machine->stride <= MOST_LISTED) {
    launch->block_begin = wb_arena_array(&launch->arena, uint64_t, blocks);
    launch->block_end = wb_arena_array(&launch->arena, uint64_t, blocks);
    launch->block_ready = wb_arena_array(&launch->arena, uint64_t, blocks);
    launch->block_sm = wb_arena_array(&launch->arena, uint32_t, blocks);
    launch->path_of_warp = wb_arena_array(&launch->arena, uint32_t, warps);
  }
  if (machine->graph != NULL) {
    const size_t steps = machine->graph->step_count;
    launch->step_asked = wb_arena_array(&launch->arena, uint64_t, steps);
    launch->step_begin = wb_arena_array(&launch->arena, uint64_t, steps);
    launch->step_end = wb_arena_array(&launch->arena, uint64_t, steps);
  }
  return launch->arena.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

/* When the run, and the steps of its graph, end. */
static bool take_times(struct wb_launch_machine *machine)
{
  struct wb_simulated_launch *const launch = machine->launch;
  uint64_t end = machine->graph != NULL ? machine->graph->begin : machine->members[0].end;
  if (machine->graph == NULL)
    return wb_add(end, machine->shape->overhead, &launch->cycles);
  for (size_t s = 0; s < machine->graph->step_count; s++) {
    launch->step_asked[s] = machine->steps[s].asked;
    launch->step_begin[s] = machine->steps[s].begin;
    launch->step_end[s] = machine->steps[s].end;
    if (!machine->graph->steps[s].beside && machine->steps[s].end != UINT64_MAX)
      end = wb_maximum(end, machine->steps[s].end);
  }
  launch->cycles = end - machine->graph->begin;
  return true;
}

static warpbound_status simulate(struct wb_launch_machine *machine,
                                 const struct wb_control *control, warpbound_error *error)
{
  struct wb_simulated_launch *const launch = machine->launch;
  const uint64_t memory = control != NULL ? control->memory_limit : WB_DEFAULT_MEMORY_LIMIT;
  *launch = (struct wb_simulated_launch){0};
  machine->random = (struct wb_random){machine->options->seed};
  machine->salt = wb_launch_mix(machine->options->seed, 0, 0);
  machine->recording = machine->options->most_events > 0;
  warpbound_status status = build_machine(machine, memory, error);
  if (status == WARPBOUND_OK)
    status = make_lists(machine, error);
  if (status == WARPBOUND_OK) {
    status = run(machine, control, error);
    if (launch->event_count > 0)
      qsort(launch->events, launch->event_count, sizeof *launch->events, compare_events);
    if (!take_times(machine))
      status = fail_run(machine, error);
  }
  free(machine->flights);
  free(machine->wheel.events);
  free(machine->wheel.later);
  wb_arena_free(&machine->arena);
  if (status != WARPBOUND_OK && status != WARPBOUND_LIMIT)
    wb_simulated_launch_free(launch);
  return status;
}

warpbound_status wb_launch_simulate(const struct wb_timed_code *code,
                                    const struct wb_launch_shape *shape,
                                    const struct wb_simulation_options *options,
                                    const struct wb_control *control,
                                    struct wb_simulated_launch *launch, warpbound_error *error)
{
  struct wb_launch_machine machine = {.code = code,
                                      .pair = wb_stage_pair_find(code, 1),
                                      .shape = shape,
                                      .options = options,
                                      .launch = launch};
  return simulate(&machine, control, error);
}

warpbound_status wb_graph_simulate(const struct wb_timed_code *code,
                                   const struct wb_launch_shape *shape,
                                   const struct wb_simulated_graph *graph,
                                   const struct wb_simulation_options *options,
                                   const struct wb_control *control,
                                   struct wb_simulated_launch *launch, warpbound_error *error)
{
  struct wb_launch_machine machine = {.code = code,
                                      .pair = wb_stage_pair_find(code, 1),
                                      .shape = shape,
                                      .graph = graph,
                                      .options = options,
                                      .launch = launch};
  return simulate(&machine, control, error);
}

void wb_simulated_launch_free(struct wb_simulated_launch *launch)
{
  free(launch->events);
  wb_arena_free(&launch->arena);
  *launch = (struct wb_simulated_launch){0};
}
