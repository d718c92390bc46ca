#include "makespan/machine/policy.h"

#include "base/arena.h"
#include "base/checked.h"
#include "makespan/machine/sm_machine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Warps ranked between two polls of the control. */
#define POLL_INTERVAL (UINT64_C(1) << 20)

static const struct wb_policy policies[] = {
    {.name = "greedy-then-oldest",
     .description = "goes on with the warps of the last cycle, then the lowest index",
     .greedy = true},
    {.name = "loose-round-robin",
     .description = "in turn after the last warp served; a warp that cannot is skipped",
     .in_turn = true},
    {.name = "greedy-then-round-robin",
     .description = "goes on with the warps of the last cycle, then in turn",
     .greedy = true,
     .in_turn = true},
    {.name = "fixed-priority", .description = "the lowest index first"},
    {.name = "most-pending",
     .description = "the warp with the most instructions left first",
     .most_pending = true},
};

const struct wb_policy *wb_policy_rows(size_t *count)
{
  *count = sizeof policies / sizeof policies[0];
  return policies;
}

const struct wb_policy *wb_policy_find(const char *name)
{
  size_t count;
  const struct wb_policy *rows = wb_policy_rows(&count);
  for (size_t i = 0; i < count; i++) {
    if (strcmp(rows[i].name, name) == 0)
      return &rows[i];
  }
  return NULL;
}

struct simulation {
  const struct wb_policy *policy;
  struct wb_sm_machine machine;
  struct wb_policy_scheduler *schedulers;
  uint32_t scheduler_count;
  struct wb_schedule *schedule;
  struct wb_arena arena; /* of the machine and the schedulers */
};

void wb_policy_rank(const struct wb_policy *policy, struct wb_policy_scheduler *scheduler)
{
  uint32_t *order = scheduler->order;
  scheduler->turn_begins = 0;
  /* From one cycle to the next only the warps that issued move, so insertion into the last order is
   * fast. */
  for (uint32_t k = 1; policy->most_pending && k < scheduler->warps; k++) {
    uint32_t warp = order[k];
    uint32_t at = k;
    for (; at > 0; at--) {
      uint32_t other = order[at - 1];
      if (scheduler->done[other] < scheduler->done[warp] ||
          (scheduler->done[other] == scheduler->done[warp] && other < warp))
        break;
      order[at] = other;
    }
    order[at] = warp;
  }
  if (policy->most_pending)
    return;
  if (policy->greedy) {
    memcpy(order, scheduler->issued, scheduler->issued_count * sizeof *order);
    scheduler->turn_begins = scheduler->issued_count;
  }
  uint32_t count = scheduler->turn_begins;
  uint32_t warp = policy->in_turn ? scheduler->round_robin : 0;
  for (uint32_t k = 0; k < scheduler->warps; k++) {
    if (!policy->greedy || !scheduler->was_issued[warp])
      order[count++] = warp;
    warp = warp + 1 < scheduler->warps ? warp + 1 : 0;
  }
}

static void start_scheduler(struct simulation *simulation, uint32_t partition)
{
  const struct wb_sm_machine *machine = &simulation->machine;
  struct wb_arena *arena = &simulation->arena;
  struct wb_policy_scheduler *scheduler = &simulation->schedulers[partition];
  for (uint32_t w = 0; w < machine->warps; w++)
    scheduler->warps += machine->partition_of[w] == partition;
  scheduler->warp_of = wb_arena_array(arena, uint32_t, scheduler->warps);
  scheduler->done = wb_arena_array(arena, size_t, scheduler->warps);
  scheduler->order = wb_arena_array(arena, uint32_t, scheduler->warps);
  scheduler->issued = wb_arena_array(arena, uint32_t, scheduler->warps);
  scheduler->was_issued = wb_arena_array(arena, bool, scheduler->warps);
  uint32_t at = 0;
  for (uint32_t w = 0; w < machine->warps && !arena->failed; w++) {
    if (machine->partition_of[w] != partition)
      continue;
    const size_t length = machine->problem->strings[machine->string_of[w]].length;
    scheduler->warp_of[at] = w;
    scheduler->order[at] = at;
    scheduler->done[at++] = simulation->schedule->length - length;
  }
}

/* The repetition of the warp's next instruction; SIZE_MAX where it has none or has issued. */
static size_t repetition_of(const struct simulation *simulation,
                            const struct wb_policy_scheduler *scheduler, uint32_t local)
{
  const struct wb_sm_machine *machine = &simulation->machine;
  const uint32_t warp = scheduler->warp_of[local];
  if (scheduler->was_issued[local] || !wb_sm_machine_ready(machine, warp))
    return SIZE_MAX;
  return wb_fair_repetition(&machine->problem->fair, machine->done[warp]);
}

/* Offers units, in the policy's order, to the warps that wait in a repetition; to all of them where
 * the scheduler is not fair. Returns the earliest repetition after this one in which a warp waits;
 * SIZE_MAX: none. */
static size_t serve_repetition(struct simulation *simulation, struct wb_policy_scheduler *scheduler,
                               size_t repetition, uint32_t cycle)
{
  struct wb_schedule *schedule = simulation->schedule;
  const struct wb_sm_machine *machine = &simulation->machine;
  const bool fair = machine->problem->fair.count > 0;
  const uint32_t *slots = &machine->room.slots[machine->partition_of[scheduler->warp_of[0]]];
  for (uint32_t k = 0; k < scheduler->warps && slots[0] > 0; k++) {
    const uint32_t local = scheduler->order[k];
    const uint32_t warp = scheduler->warp_of[local];
    if (fair && repetition_of(simulation, scheduler, local) != repetition)
      continue;
    if (!wb_sm_machine_offer(&simulation->machine, warp))
      continue;
    schedule->issue_cycle[schedule->first[warp] + machine->done[warp] - 1] = cycle;
    scheduler->done[local]++;
    scheduler->issued[scheduler->issued_count++] = local;
    scheduler->was_issued[local] = true;
    if (k >= scheduler->turn_begins)
      scheduler->round_robin = (local + 1) % scheduler->warps;
  }
  size_t next = SIZE_MAX;
  for (uint32_t local = 0; fair && local < scheduler->warps; local++) {
    const size_t own = repetition_of(simulation, scheduler, local);
    if (own > repetition && own < next)
      next = own;
  }
  return next;
}

/* Runs the simulation into a schedule that has been started. */
static warpbound_status run_simulation(const struct wb_policy *policy,
                                       const struct wb_sm_problem *problem,
                                       const uint32_t *string_of, const struct wb_control *control,
                                       struct wb_schedule *schedule, enum wb_stop *stop,
                                       warpbound_error *error)
{
  struct simulation simulation = {.policy = policy, .schedule = schedule};
  struct wb_sm_machine *machine = &simulation.machine;
  struct wb_arena *arena = &simulation.arena;
  simulation.scheduler_count = (uint32_t)wb_minimum(problem->partitions, problem->block_warps);
  wb_sm_machine_start(machine, problem, string_of, arena);
  simulation.schedulers =
      wb_arena_array(arena, struct wb_policy_scheduler, simulation.scheduler_count);
  for (uint32_t p = 0; p < simulation.scheduler_count && !arena->failed; p++)
    start_scheduler(&simulation, p);
  warpbound_status status = arena->failed ? wb_out_of_memory(error) : WARPBOUND_OK;
  const uint64_t all = machine->left;
  uint64_t ranked = 0;
  for (uint32_t cycle = 1; status == WARPBOUND_OK && *stop == WB_STOP_NONE && machine->left > 0;
       cycle++) {
    const uint64_t before = machine->left;
    /* A cycle: the partitions are served in turn, each time another one first. Where a scheduler is
     * fair, its warps of the earliest repetition come first. */
    wb_sm_machine_begin(machine);
    for (uint32_t k = 0; k < simulation.scheduler_count; k++) {
      struct wb_policy_scheduler *scheduler =
          &simulation.schedulers[(cycle - 1 + (uint64_t)k) % simulation.scheduler_count];
      wb_policy_rank(simulation.policy, scheduler);
      for (uint32_t i = 0; i < scheduler->issued_count; i++)
        scheduler->was_issued[scheduler->issued[i]] = false;
      scheduler->issued_count = 0;
      for (size_t repetition = 0; repetition != SIZE_MAX;)
        repetition = serve_repetition(&simulation, scheduler, repetition, cycle);
    }
    wb_sm_machine_end(machine);
    assert(machine->left < before);
    (void)before;
    schedule->makespan = cycle;
    ranked += machine->warps;
    if (ranked < POLL_INTERVAL)
      continue;
    ranked = 0;
    *stop = wb_control_poll(control, policy->name, 1 - (double)machine->left / (double)all);
  }
  wb_arena_free(arena);
  if (status != WARPBOUND_OK || *stop != WB_STOP_NONE)
    wb_schedule_free(schedule);
  return status;
}

warpbound_status wb_sm_simulate(const struct wb_policy *policy, const struct wb_sm_problem *problem,
                                const uint32_t *string_of, const struct wb_control *control,
                                struct wb_schedule *schedule, enum wb_stop *stop,
                                warpbound_error *error)
{
  *stop = WB_STOP_NONE;
  warpbound_status status = wb_schedule_start_strings(schedule, problem, string_of, error);
  if (status != WARPBOUND_OK)
    return status;
  return run_simulation(policy, problem, string_of, control, schedule, stop, error);
}

warpbound_status wb_policy_simulate(const struct wb_policy *policy,
                                    const struct wb_problem *problem,
                                    const struct wb_control *control, struct wb_schedule *schedule,
                                    enum wb_stop *stop, warpbound_error *error)
{
  struct wb_widened_problem wide;
  wb_problem_widen(problem, &wide);
  *stop = WB_STOP_NONE;
  warpbound_status status =
      wb_schedule_start(schedule, problem->warps, problem->string.length, error);
  if (status != WARPBOUND_OK)
    return status;
  return run_simulation(policy, &wide.whole, NULL, control, schedule, stop, error);
}

/* ---- precedence strings ---- */

/* For one type (or the issue slots): how many instructions each cycle holds, and
 * for each cycle one from which on to look for room. Following `next` to its fixed
 * point, with path halving, is a union-find over full cycles: nearly constant. */
struct track {
  uint32_t limit;
  uint32_t *used;
  uint32_t *next;
};

/* Cycles 1..W*I suffice: a work-conserving schedule has no empty cycle. A track
 * that can never fill up keeps no arrays. */
static void start_track(struct track *track, uint32_t limit, const struct wb_problem *problem,
                        struct wb_arena *arena)
{
  *track = (struct track){.limit = limit};
  if (limit >= problem->warps)
    return;
  size_t cycles = problem->warps * problem->string.length + 2;
  track->used = wb_arena_array(arena, uint32_t, cycles);
  track->next = wb_arena_array(arena, uint32_t, cycles);
  for (size_t c = 0; track->next != NULL && c < cycles; c++)
    track->next[c] = (uint32_t)c;
}

static uint32_t first_free(struct track *track, uint32_t cycle)
{
  if (track->next == NULL)
    return cycle;
  while (track->next[cycle] != cycle) {
    track->next[cycle] = track->next[track->next[cycle]];
    cycle = track->next[cycle];
  }
  return cycle;
}

warpbound_status wb_precedence_evaluate(const struct wb_problem *problem, const uint32_t *order,
                                        struct wb_schedule *schedule, warpbound_error *error)
{
  const size_t length = problem->string.length;
  warpbound_status status = wb_schedule_start(schedule, problem->warps, length, error);
  if (status != WARPBOUND_OK)
    return status;
  struct track units[WB_UNIT_COUNT] = {0}, slots;
  struct wb_arena arena = {0};
  uint8_t *types = wb_kernel_string_expand(&problem->string);
  size_t *done = wb_arena_array(&arena, size_t, problem->warps);
  uint32_t *last = wb_arena_array(&arena, uint32_t, problem->warps);
  start_track(&slots, problem->issue_slots, problem, &arena);
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (problem->string.count[u] > 0)
      start_track(&units[u], problem->capacity[u], problem, &arena);
  }
  bool started = types != NULL && !arena.failed;
  for (size_t k = 0; started && k < problem->warps * length; k++) {
    const uint32_t warp = order[k];
    const size_t i = done[warp]++;
    struct track *unit = &units[types[i]];
    /* The first cycle after the warp's last one where unit and slots have room. */
    uint32_t cycle = last[warp] + 1, later = first_free(&slots, first_free(unit, cycle));
    while (later != cycle) {
      cycle = later;
      later = first_free(&slots, first_free(unit, cycle));
    }
    struct track *const taken[] = {unit, &slots};
    for (size_t t = 0; t < 2; t++) {
      if (taken[t]->next != NULL && ++taken[t]->used[cycle] == taken[t]->limit)
        taken[t]->next[cycle] = cycle + 1;
    }
    last[warp] = cycle;
    schedule->issue_cycle[warp * length + i] = cycle;
    if (cycle > schedule->makespan)
      schedule->makespan = cycle;
  }
  free(types);
  wb_arena_free(&arena);
  if (!started) {
    wb_schedule_free(schedule);
    return wb_out_of_memory(error);
  }
  return WARPBOUND_OK;
}

warpbound_status wb_precedence_sort(const struct wb_problem *problem, uint32_t *order,
                                    warpbound_error *error)
{
  if (!wb_problem_fair(problem))
    return WARPBOUND_OK;
  size_t entries = problem->warps * problem->string.length;
  struct wb_arena arena = {0};
  uint32_t *unsorted = wb_arena_array(&arena, uint32_t, entries);
  size_t *done = wb_arena_array(&arena, size_t, problem->warps);
  size_t *filled = wb_arena_array(&arena, size_t, problem->fair.count + 2);
  const bool failed = arena.failed;
  if (!failed)
    memcpy(unsorted, order, entries * sizeof *unsorted);
  /* Each warp has as many entries in a repetition as this has instructions, so that the entries of
   * the instructions before it fill the places before its own. */
  for (size_t k = 0; k < entries && !failed; k++) {
    uint32_t w = unsorted[k];
    size_t repetition = wb_fair_repetition(&problem->fair, done[w]);
    size_t from, to;
    wb_fair_stretch(&problem->fair, problem->string.length, done[w]++, &from, &to);
    order[from * problem->warps + filled[repetition]++] = w;
  }
  wb_arena_free(&arena);
  return failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

static const char *const template_names[WB_TEMPLATE_COUNT] = {
    "template round-robin",
    "template fixed-priority",
    "template most-pending",
};

const char *wb_template_name(enum wb_template template)
{
  return template_names[template];
}

warpbound_status wb_template_fill(enum wb_template template, const struct wb_problem *problem,
                                  const struct wb_control *control, uint32_t *order,
                                  warpbound_error *error)
{
  size_t length = problem->string.length;
  size_t entries = problem->warps * length;
  warpbound_status status = WARPBOUND_OK;
  if (template == WB_TEMPLATE_MOST_PENDING) {
    struct wb_schedule schedule;
    enum wb_stop stop;
    status = wb_policy_simulate(wb_policy_find("most-pending"), problem, control, &schedule, &stop,
                                error);
    if (status == WARPBOUND_OK && stop != WB_STOP_NONE)
      status = wb_fail(error, WARPBOUND_LIMIT, "stopped");
    if (status == WARPBOUND_OK && !wb_schedule_order(&schedule, order))
      status = wb_out_of_memory(error);
    wb_schedule_free(&schedule);
  } else {
    for (size_t k = 0; k < entries; k++)
      order[k] = (uint32_t)(template == WB_TEMPLATE_ROUND_ROBIN ? k % problem->warps : k / length);
  }
  return status == WARPBOUND_OK ? wb_precedence_sort(problem, order, error) : status;
}
