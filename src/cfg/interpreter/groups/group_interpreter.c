#include "cfg/interpreter/groups/group_interpreter.h"

#include "base/memory.h"
#include "cfg/interpreter/groups/group_machine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SM 70 /* Volta */

/* ---- who does the instruction ---- */

static bool has_decision(const struct wb_group_machine *machine)
{
  return machine->options->decide != NULL && !machine->instruction->never &&
         machine->instruction->transfer != WB_TRANSFER_NEXT;
}

static uint32_t ask(const struct wb_group_machine *machine, uint32_t lanes, uint32_t proposed)
{
  return lanes & machine->options->decide(machine->options->context, machine->step.instruction,
                                          lanes, proposed);
}

/* A branch that compares the lanes which run with a mask: all of `lanes` do it, or none. Only where
 * the warp has its 32 lanes and all of them are here is it sure that none of the mask is missing:
 * how lanes compare that never were, or have ended, no source says. */
static uint32_t decide_together(struct wb_group_machine *machine, uint32_t lanes)
{
  if (lanes == UINT32_MAX && wb_group_full_masks(machine, lanes) == lanes)
    return machine->instruction->unless_all ? 0 : lanes;
  uint32_t doing = wb_random_below(&machine->random, 2) == 0 ? 0 : lanes;
  if (has_decision(machine))
    doing = ask(machine, lanes, doing);
  return doing != 0 ? lanes : 0;
}

static uint32_t doing_lanes(struct wb_group_machine *machine)
{
  const struct wb_instruction *at = machine->instruction;
  const uint32_t active = machine->step.active;
  const bool conditional =
      at->guard != WB_NO_REGISTER || at->conditional_code || at->second_predicate;
  uint32_t doing = wb_lane_values_doing(machine->values, machine->function,
                                        machine->step.instruction, active, machine->salt);
  if (conditional && has_decision(machine)) {
    doing = ask(machine, active, doing);
    /* Where the guard alone decides, it is what was decided: other instructions have the same
     * guard. */
    if (at->guard != WB_NO_REGISTER && !at->conditional_code && !at->second_predicate &&
        !at->uniform) {
      wb_lane_values_set(machine->values, at->guard, doing, !at->guard_negated);
      wb_lane_values_set(machine->values, at->guard, active & ~doing, at->guard_negated);
    }
  }
  return at->together && doing != 0 ? decide_together(machine, doing) : doing;
}

/* ---- one step ---- */

/* Begins a step of a group. */
static warpbound_status fetch(struct wb_group_machine *machine, size_t group)
{
  machine->group = wb_lane_groups_take(&machine->state, group);
  const uint32_t at = machine->group.instruction;
  const uint32_t lanes = machine->group.lanes;
  if (at >= machine->function->instruction_count)
    return wb_group_refuse(machine, "control runs past the function's last instruction");
  machine->instruction = &machine->function->instructions[at];
  machine->salt = wb_random_next(&machine->random) ^ at;
  machine->syncs_some = false;
  machine->step = (struct wb_group_step){.group = machine->group.number,
                                         .instruction = at,
                                         .active = lanes,
                                         .live = machine->state.live,
                                         .results = machine->results,
                                         .state = &machine->state,
                                         .values = machine->values};
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++)
    machine->places[lane] = (struct wb_lane_place){.instruction = at + 1};
  machine->step.doing = doing_lanes(machine);
  return WARPBOUND_OK;
}

/* A step; *go_on: there is more to run. */
static warpbound_status make_step(struct wb_group_machine *machine, struct wb_group_run *run,
                                  bool *go_on)
{
  const struct wb_group_run_options *options = machine->options;
  const size_t group =
      wb_group_choose(options->policy, &machine->state, &machine->random, &machine->starved);
  run->deadlock = group == SIZE_MAX;
  *go_on = false;
  if (run->deadlock)
    return WARPBOUND_OK;
  warpbound_status status = fetch(machine, group);
  if (status == WARPBOUND_OK)
    status = wb_group_transfer(machine);
  if (status != WARPBOUND_OK)
    return status;
  wb_group_regroup(machine);
  assert(wb_lane_groups_check(&machine->state) == NULL);
  run->steps++;
  run->unbound += machine->step.unbound != 0;
  run->ended = machine->state.live == 0;
  *go_on = (options->visit == NULL || options->visit(options->context, &machine->step)) &&
           !run->ended && run->steps < options->step_limit;
  return WARPBOUND_OK;
}

static bool start(struct wb_group_machine *machine)
{
  static const uint32_t odds[] = {0, 8, 64, 256};
  const uint32_t lanes = UINT32_MAX >> (WB_LANE_LIMIT - machine->options->lanes);
  machine->values = wb_allocate(1, sizeof *machine->values);
  if (machine->values == NULL)
    return false;
  machine->random = (struct wb_random){machine->options->seed};
  machine->starved = WB_LANE_LIMIT;
  wb_lane_values_start(machine->values, wb_random_next(&machine->random), machine->options->bias);
  machine->values->own_uniform = true;
  machine->yield_odds = odds[wb_random_below(&machine->random, sizeof odds / sizeof odds[0])];
  machine->state.live = lanes;
  wb_lane_groups_add(&machine->state, (struct wb_lane_group){.lanes = lanes, .synced = UINT32_MAX});
  return true;
}

warpbound_status wb_group_run(const struct wb_code *code, const struct wb_function *function,
                              const struct wb_group_run_options *options, struct wb_group_run *run,
                              warpbound_error *error)
{
  *run = (struct wb_group_run){0};
  if (function->instruction_count == 0)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, code->name, function->line, 0,
                      "%s: expected instructions, found none", function->name);
  if (function->sm != 0 && function->sm < FIRST_SM)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, code->name, function->line, 0,
                      "%s: expected code for sm_%d or later, found sm_%u: its lanes do not run in "
                      "groups",
                      function->name, FIRST_SM, function->sm);
  struct wb_group_machine *machine = wb_allocate(1, sizeof *machine);
  if (machine == NULL)
    return wb_out_of_memory(error);
  machine->code = code;
  machine->function = function;
  machine->options = options;
  machine->error = error;
  warpbound_status status = start(machine) ? WARPBOUND_OK : wb_out_of_memory(error);
  bool go_on = options->step_limit > 0;
  while (status == WARPBOUND_OK && go_on)
    status = make_step(machine, run, &go_on);
  if (run->deadlock) {
    run->waiting_count = machine->state.group_count;
    memcpy(run->waiting, machine->state.groups, sizeof run->waiting);
  }
  wb_lane_groups_free(&machine->state);
  wb_lane_copies_free(&machine->copies);
  free(machine->values);
  free(machine);
  return status;
}
