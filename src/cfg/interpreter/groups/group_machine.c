/* A run of the oracle from Volta on: which group does a step, who of it does the instruction, and
 * which groups there are afterwards. */
#include "cfg/interpreter/groups/group_machine.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SM 70 /* Volta */
#define NOWHERE UINT32_MAX

/* ---- the groups of a warp ---- */

/* Adds a group, with a new number where it has none; the lanes are those of no group. */
static struct wb_lane_group *add(struct wb_lane_groups *state, struct wb_lane_group group)
{
  if (group.number == 0)
    group.number = ++state->last_group;
  state->groups[state->group_count] = group;
  return &state->groups[state->group_count++];
}

static struct wb_lane_group take(struct wb_lane_groups *state, size_t index)
{
  const struct wb_lane_group taken = state->groups[index];
  state->groups[index] = state->groups[--state->group_count];
  return taken;
}

const char *wb_lane_groups_check(const struct wb_lane_groups *state)
{
  uint32_t seen = 0;
  for (size_t g = 0; g < state->group_count; g++) {
    const struct wb_lane_group *group = &state->groups[g];
    if (group->lanes == 0 || (group->lanes & seen) != 0)
      return "groups are empty or share lanes";
    if ((group->scope != 0) != (group->wait == WB_GROUP_IN_SCOPE))
      return "a group waits in a scope that it has not";
    seen |= group->lanes;
  }
  if (seen != state->live)
    return "groups are not the lanes that have not ended";
  for (size_t s = 0; s < state->scope_count; s++) {
    const struct wb_lane_scope *scope = &state->scopes[s];
    uint32_t waiting = 0;
    for (size_t g = 0; g < state->group_count; g++)
      waiting |= state->groups[g].scope == scope->number ? state->groups[g].lanes : 0;
    if (scope->participants == 0 || (scope->participants & ~state->live) != 0)
      return "a scope has no lanes, or some that have ended";
    if (waiting != scope->waiting || (waiting & ~scope->participants) != 0)
      return "lanes wait in a scope that is not theirs";
    if (s > 0 && scope->number <= scope[-1].number)
      return "scopes are not in order";
  }
  return NULL;
}

/* ---- which group runs ---- */

static int64_t lane_count(uint32_t lanes)
{
  int64_t count = 0;
  for (; lanes != 0; lanes &= lanes - 1)
    count++;
  return count;
}

/* The group with the largest merit runs. */
static int64_t merit(enum wb_group_policy policy, const struct wb_lane_group *group,
                     uint32_t starved)
{
  switch (policy) {
  case WB_GROUPS_LOWEST:
    return -(int64_t)group->instruction;
  case WB_GROUPS_HIGHEST:
    return group->instruction;
  case WB_GROUPS_NEWEST:
    return (int64_t)group->number;
  case WB_GROUPS_MOST:
    return lane_count(group->lanes);
  case WB_GROUPS_FEWEST:
    return -lane_count(group->lanes);
  case WB_GROUPS_STARVE:
    return (group->lanes >> starved & 1) == 0;
  default:
    return 0;
  }
}

/* Index of a ready group, drawn among equally good ones; SIZE_MAX where none is ready. */
static size_t choose(struct wb_group_machine *machine)
{
  const enum wb_group_policy policy = machine->options->policy;
  const struct wb_lane_groups *state = &machine->state;
  struct wb_random *random = &machine->random;
  uint32_t *starved = &machine->starved;
  size_t best = SIZE_MAX;
  int64_t most = 0;
  uint64_t equal = 0;
  if (policy == WB_GROUPS_STARVE && state->live != 0 &&
      (*starved >= WB_LANE_LIMIT || (state->live >> *starved & 1) == 0)) {
    do
      *starved = (uint32_t)wb_random_below(random, WB_LANE_LIMIT);
    while ((state->live >> *starved & 1) == 0);
  }
  for (size_t g = 0; g < state->group_count; g++) {
    if (state->groups[g].wait != WB_GROUP_READY)
      continue;
    assert(policy != WB_GROUPS_STARVE || *starved < WB_LANE_LIMIT); /* the group's lanes are live */
    const int64_t merits = merit(policy, &state->groups[g], *starved);
    if (best != SIZE_MAX && merits < most)
      continue;
    equal = best == SIZE_MAX || merits > most ? 1 : equal + 1;
    if (wb_random_below(random, equal) == 0)
      best = g;
    most = merits;
  }
  if (policy == WB_GROUPS_STARVE && best != SIZE_MAX && most == 0)
    *starved = WB_LANE_LIMIT;
  return best;
}

/* ---- which groups there are after an instruction ---- */

/* The lanes of `left` at the place of the lowest of them; *lane: that one. left is not 0. */
static uint32_t lanes_beside(const struct wb_group_machine *machine, uint32_t left, uint32_t *lane)
{
  uint32_t lanes = 0;
  *lane = 0;
  while ((left >> *lane & 1) == 0)
    ++*lane;
  const struct wb_lane_place *place = &machine->places[*lane];
  for (uint32_t other = *lane; other < WB_LANE_LIMIT; other++) {
    const struct wb_lane_place *it = &machine->places[other];
    if ((left >> other & 1) != 0 && it->instruction == place->instruction &&
        it->wait == place->wait && it->scope == place->scope && it->part == place->part)
      lanes |= UINT32_C(1) << other;
  }
  return lanes;
}

static void record_result(struct wb_group_machine *machine, const struct wb_lane_group *group,
                          uint64_t scope, enum wb_group_cause cause)
{
  machine->results[machine->step.result_count++] =
      (struct wb_group_result){*group, scope, (uint8_t)cause};
}

/* Lanes that ran apart run together: they have one set of uniform registers, that of a lane which
 * is drawn. */
static void unite_values(struct wb_group_machine *machine, uint32_t lanes)
{
  uint32_t drawn = 0;
  uint64_t seen = 0;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((lanes >> lane & 1) != 0 && wb_random_below(&machine->random, ++seen) == 0)
      drawn = lane;
  }
  struct wb_lane_values *values = machine->values;
  for (unsigned reg = WB_REGISTER_UNIFORM; reg < WB_REGISTER_BARRIER; reg++) {
    if ((values->written[reg] & lanes) != 0)
      wb_lane_values_set(values, reg, lanes, wb_lane_values_get(values, reg, drawn));
  }
}

/* Of the first `count` groups one at the place of a part that has just done the same WARPSYNC,
 * SIZE_MAX where there is none or the dice are against it. */
static size_t partner_of(struct wb_group_machine *machine, const struct wb_lane_group *part,
                         size_t count)
{
  for (size_t g = 0; g < count; g++) {
    const struct wb_lane_group *other = &machine->state.groups[g];
    if (other->wait == WB_GROUP_READY && part->wait == WB_GROUP_READY && part->synced != NOWHERE &&
        other->synced == part->synced && other->instruction == part->instruction &&
        wb_random_below(&machine->random, 2) == 0)
      return g;
  }
  return SIZE_MAX;
}

static void make_parts(struct wb_group_machine *machine)
{
  const uint32_t active = machine->step.active;
  const size_t others = machine->state.group_count;
  uint32_t ended = 0;
  uint32_t parts = 0;
  for (uint32_t left = active; left != 0; parts++) {
    uint32_t lane;
    const uint32_t lanes = lanes_beside(machine, left, &lane);
    const struct wb_lane_place *place = &machine->places[lane];
    left &= ~lanes;
    if (place->instruction == NOWHERE) {
      ended = lanes;
      continue;
    }
    const struct wb_lane_group part = {.number = lanes == active ? machine->group.number : 0,
                                       .scope = place->scope,
                                       .lanes = lanes,
                                       .instruction = place->instruction,
                                       .synced = machine->syncs_some ? machine->step.instruction
                                                                     : NOWHERE,
                                       .wait = place->wait};
    const size_t partner = partner_of(machine, &part, others);
    if (partner == SIZE_MAX) {
      record_result(machine, add(&machine->state, part), 0, WB_GROUP_WENT);
      continue;
    }
    struct wb_lane_group *united = &machine->state.groups[partner];
    united->lanes |= part.lanes;
    unite_values(machine, united->lanes);
    record_result(machine, united, 0, WB_GROUP_UNITED);
  }
  machine->step.split = parts > 1;
  for (size_t s = 0; s < machine->state.scope_count; s++)
    machine->state.scopes[s].participants &= ~ended;
  machine->state.live &= ~ended;
}

/* ---- who is let go ---- */

/* Those who wait in the scope are one ready group at its point, and participants no more. */
static void release(struct wb_group_machine *machine, struct wb_lane_scope *scope,
                    enum wb_group_cause cause)
{
  struct wb_lane_groups *state = &machine->state;
  const struct wb_lane_group released = {
      .lanes = scope->waiting, .instruction = scope->point, .synced = NOWHERE};
  for (size_t g = 0; g < state->group_count;) {
    if (state->groups[g].scope == scope->number)
      take(state, g);
    else
      g++;
  }
  scope->participants &= ~scope->waiting;
  scope->waiting = 0;
  unite_values(machine, released.lanes);
  record_result(machine, add(state, released), scope->number, cause);
}

static void release_scopes(struct wb_group_machine *machine)
{
  for (size_t s = 0; s < machine->state.scope_count; s++) {
    struct wb_lane_scope *scope = &machine->state.scopes[s];
    if (scope->waiting == 0)
      continue;
    if (scope->waiting == scope->participants)
      release(machine, scope, WB_GROUP_RELEASED);
    else if (machine->options->reconvergence == WB_RECONVERGENCE_YIELD && scope->yielded &&
             wb_random_below(&machine->random, 256) < machine->yield_odds)
      release(machine, scope, WB_GROUP_YIELDED);
  }
  size_t kept = 0; /* scopes with participants */
  for (size_t s = 0; s < machine->state.scope_count; s++) {
    if (machine->state.scopes[s].participants != 0)
      machine->state.scopes[kept++] = machine->state.scopes[s];
  }
  machine->state.scope_count = kept;
}

/* Where all lanes wait for one another: those of one instruction are one group. */
static void release_warp(struct wb_group_machine *machine)
{
  struct wb_lane_groups *state = &machine->state;
  for (size_t g = 0; g < state->group_count; g++) {
    if (state->groups[g].wait != WB_GROUP_IN_WARP)
      return;
  }
  size_t left = state->group_count;
  while (left > 0) {
    struct wb_lane_group made = {.instruction = state->groups[0].instruction, .synced = NOWHERE};
    for (size_t g = 0; g < left;) {
      if (state->groups[g].instruction != made.instruction) {
        g++;
        continue;
      }
      /* The groups that are made stand after those that are left. */
      made.lanes |= state->groups[g].lanes;
      state->groups[g] = state->groups[--left];
      take(state, left);
    }
    made.instruction++;
    unite_values(machine, made.lanes);
    record_result(machine, add(state, made), 0, WB_GROUP_WARP);
  }
}

/* ---- who does the instruction ---- */

/* Where lanes of a control instruction are decided about: changes *doing, those proposed, to those
 * that are to do it. */
static bool decide(const struct wb_group_machine *machine, uint32_t lanes, uint32_t *doing)
{
  const struct wb_group_run_options *options = machine->options;
  if (options->decide == NULL || machine->instruction->never ||
      machine->instruction->transfer == WB_TRANSFER_NEXT)
    return false;
  *doing = lanes & options->decide(options->context, machine->step.instruction, lanes, *doing);
  return true;
}

static uint32_t doing_lanes(struct wb_group_machine *machine)
{
  const struct wb_instruction *at = machine->instruction;
  const uint32_t active = machine->step.active;
  const bool tested = at->conditional_code || at->second_predicate;
  uint32_t doing = wb_lane_values_doing(machine->values, machine->function,
                                        machine->step.instruction, active, machine->salt);
  /* Where the guard alone decides, it is what was decided: other instructions have the same guard.
   */
  if ((at->guard != WB_NO_REGISTER || tested) && decide(machine, active, &doing) && !tested &&
      !at->uniform) {
    wb_lane_values_set(machine->values, at->guard, doing, !at->guard_negated);
    wb_lane_values_set(machine->values, at->guard, active & ~doing, at->guard_negated);
  }
  if (!at->together || doing == 0)
    return doing;
  /* A branch that compares the lanes which run with a mask: all of them do it, or none. Only where
   * the warp has its 32 lanes and all of them are here is it sure that none of the mask is missing:
   * how lanes compare that never were, or have ended, no source says. A lane of the mask that lives
   * and is in another group is missing. */
  const bool of_all = wb_group_full_masks(machine, doing) == doing;
  if (doing == UINT32_MAX && of_all)
    return at->unless_all ? 0 : doing;
  if ((machine->step.live & ~active) != 0 && of_all)
    return at->unless_all ? doing : 0;
  uint32_t done = wb_random_below(&machine->random, 2) == 0 ? 0 : doing;
  decide(machine, doing, &done);
  return done != 0 ? doing : 0;
}

/* ---- one step ---- */

/* What makes values of this step others than those of the same sources. */
static uint64_t salt_of_step(struct wb_group_machine *machine, uint32_t at)
{
  const struct wb_instruction *instruction = machine->instruction;
  const uint64_t drawn = wb_random_next(&machine->random);
  const bool computes =
      instruction->transfer == WB_TRANSFER_BRANCH ||
      (instruction->transfer == WB_TRANSFER_NEXT && instruction->agreement == WB_AGREES_BY_SOURCES);
  return (machine->options->steady && computes ? machine->values->seed : drawn) ^ at;
}

/* A step; *go_on: there is more to run. */
static warpbound_status make_step(struct wb_group_machine *machine, struct wb_group_run *run,
                                  bool *go_on)
{
  const struct wb_group_run_options *options = machine->options;
  const size_t group = choose(machine);
  run->deadlock = group == SIZE_MAX;
  *go_on = false;
  if (run->deadlock)
    return WARPBOUND_OK;
  machine->group = take(&machine->state, group);
  const uint32_t at = machine->group.instruction;
  if (at >= machine->function->instruction_count)
    return wb_group_refuse(machine, "control runs past the function's last instruction");
  machine->instruction = &machine->function->instructions[at];
  machine->salt = salt_of_step(machine, at);
  machine->syncs_some = false;
  machine->step = (struct wb_group_step){.group = machine->group.number,
                                         .instruction = at,
                                         .active = machine->group.lanes,
                                         .live = machine->state.live,
                                         .results = machine->results,
                                         .state = &machine->state,
                                         .values = machine->values};
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++)
    machine->places[lane] = (struct wb_lane_place){.instruction = at + 1};
  machine->step.doing = doing_lanes(machine);
  const warpbound_status status = wb_group_transfer(machine);
  if (status != WARPBOUND_OK)
    return status;
  /* Regroups lanes by address, releases finished scopes and records the resulting groups. */
  make_parts(machine);
  release_scopes(machine);
  release_warp(machine);
  assert(wb_lane_groups_check(&machine->state) == NULL);
  run->steps++;
  run->unbound += machine->step.unbound != 0;
  run->ended = machine->state.live == 0;
  *go_on = (options->visit == NULL || options->visit(options->context, &machine->step)) &&
           !run->ended && run->steps < options->step_limit;
  return WARPBOUND_OK;
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
  *machine = (struct wb_group_machine){.code = code,
                                       .function = function,
                                       .options = options,
                                       .values = wb_allocate(1, sizeof *machine->values),
                                       .random = {options->seed},
                                       .starved = WB_LANE_LIMIT,
                                       .error = error};
  warpbound_status status = machine->values != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
  if (status == WARPBOUND_OK) {
    static const uint32_t odds[] = {0, 8, 64, 256};
    const uint32_t lanes = UINT32_MAX >> (WB_LANE_LIMIT - options->lanes);
    wb_lane_values_start(machine->values, wb_random_next(&machine->random), options->bias);
    machine->values->own_uniform = true;
    machine->yield_odds = odds[wb_random_below(&machine->random, sizeof odds / sizeof odds[0])];
    machine->state.live = lanes;
    add(&machine->state, (struct wb_lane_group){.lanes = lanes, .synced = NOWHERE});
  }
  bool go_on = options->step_limit > 0;
  while (status == WARPBOUND_OK && go_on)
    status = make_step(machine, run, &go_on);
  if (run->deadlock) {
    run->waiting_count = machine->state.group_count;
    memcpy(run->waiting, machine->state.groups, sizeof run->waiting);
  }
  free(machine->state.scopes);
  free(machine->copies.words);
  free(machine->copies.sources);
  wb_hash_table_free(&machine->copies.table);
  free(machine->values);
  free(machine);
  return status;
}
