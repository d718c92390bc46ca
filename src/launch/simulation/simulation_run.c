/* Runs a launch, cycle by cycle in which anything happens. */
#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"
#include "launch/simulation/launch_machine.h"
#include "launch/simulation/launch_simulation.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- events ---- */

void wb_launch_record(struct wb_launch_machine *machine, const struct wb_launch_event *event,
                      uint64_t age, uint32_t partition)
{
  struct wb_simulated_launch *const launch = machine->launch;
  const struct wb_simulation_options *const options = machine->options;
  const uint32_t sm = partition / machine->partitions;
  if (!machine->recording || event->until < options->events_from ||
      (options->events_of_sm && sm != options->events_sm))
    return;
  if (!wb_grow(launch->events, &machine->event_capacity, launch->event_count + 1)) {
    machine->failed = true;
    return;
  }
  struct wb_launch_event *const recorded = &launch->events[launch->event_count++];
  *recorded = *event;
  recorded->sm = sm;
  recorded->partition = partition % machine->partitions;
  recorded->warp = (uint32_t)(age % machine->shape->block_warps);
  recorded->block = age / machine->shape->block_warps;
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
  const struct wb_launch_shape *const shape = machine->shape;
  wb_launch_dispatch(machine);
  uint32_t cycles = 0;
  bool more = true;
  while (more) {
    /* All that happens in the present cycle: what ends frees others, blocks leave and come,
     * instructions issue, requests start. */
    struct wb_wheel_event event;
    while (wb_time_wheel_take(&machine->wheel, &event))
      happen(machine, &event);
    if (machine->left)
      wb_launch_dispatch(machine);
    wb_launch_issue_all(machine);
    wb_launch_serve_all(machine);
    if (machine->failed || machine->wheel.failed || machine->overflow ||
        machine->wheel.now > TIME_LIMIT || machine->dispatcher > TIME_LIMIT)
      return fail_run(machine, error);
    if (most > 0 && machine->launch->instructions >= most)
      return WARPBOUND_OK;
    if (++cycles % POLL_EVERY == 0 && control != NULL &&
        wb_control_poll(control, "simulating",
                        (double)machine->ended_blocks / (double)shape->blocks) != WB_STOP_NONE)
      return wb_fail(error, WARPBOUND_LIMIT,
                     "interrupted, or the time limit was reached, at cycle %" PRIu64
                     " of a simulated run; the bracket is valid",
                     machine->wheel.now);
    /* On to the next cycle in which anything can happen, if there is one. */
    const uint64_t limit = machine->any_next ? machine->wheel.now + 1 : UINT64_MAX;
    more = wb_time_wheel_advance(&machine->wheel, limit);
    for (size_t w = 0; w < machine->active_words && machine->any_next; w++) {
      machine->active[w] |= machine->active_next[w];
      machine->active_next[w] = 0;
    }
    machine->any_next = false;
  }
  if (machine->ended_blocks < shape->blocks)
    return wb_fail(error, WARPBOUND_INTERNAL, "the simulation stands still at cycle %" PRIu64,
                   machine->wheel.now);
  machine->launch->ended = true;
  return WARPBOUND_OK;
}

warpbound_status wb_launch_simulate(const struct wb_timed_code *code,
                                    const struct wb_launch_shape *shape,
                                    const struct wb_simulation_options *options,
                                    const struct wb_control *control,
                                    struct wb_simulated_launch *launch, warpbound_error *error)
{
  *launch = (struct wb_simulated_launch){0};
  struct wb_launch_machine machine = {
      .code = code,
      .shape = shape,
      .options = options,
      .launch = launch,
      .random = {options->seed},
      .salt = wb_launch_mix(options->seed, 0, 0),
      .recording = options->most_events > 0,
  };
  const uint64_t memory = control != NULL ? control->memory_limit : WB_DEFAULT_MEMORY_LIMIT;
  warpbound_status status = wb_launch_machine_build(&machine, memory, error);
  /* Where the blocks are, if events are asked for and the launch is small enough. */
  const size_t blocks = (size_t)shape->blocks;
  const size_t warps = blocks * shape->block_warps;
  if (status == WARPBOUND_OK && options->most_events > 0 && warps <= MOST_LISTED) {
    launch->block_begin = wb_arena_array(&launch->arena, uint64_t, blocks);
    launch->block_end = wb_arena_array(&launch->arena, uint64_t, blocks);
    launch->block_ready = wb_arena_array(&launch->arena, uint64_t, blocks);
    launch->block_sm = wb_arena_array(&launch->arena, uint32_t, blocks);
    launch->path_of_warp = wb_arena_array(&launch->arena, uint32_t, warps);
    if (launch->arena.failed)
      status = wb_out_of_memory(error);
  }
  if (status == WARPBOUND_OK) {
    status = run(&machine, control, error);
    if (launch->event_count > 0)
      qsort(launch->events, launch->event_count, sizeof *launch->events, compare_events);
    if (!wb_add(machine.end, shape->overhead, &launch->cycles))
      status = fail_run(&machine, error);
  }
  wb_launch_machine_free(&machine);
  if (status != WARPBOUND_OK && status != WARPBOUND_LIMIT)
    wb_simulated_launch_free(launch);
  return status;
}

void wb_simulated_launch_free(struct wb_simulated_launch *launch)
{
  free(launch->events);
  wb_arena_free(&launch->arena);
  *launch = (struct wb_simulated_launch){0};
}
