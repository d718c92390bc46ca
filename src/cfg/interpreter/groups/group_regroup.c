/* Which groups there are after an instruction. */
#include "cfg/interpreter/groups/group_machine.h"

#define NOWHERE UINT32_MAX

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

static void tell(struct wb_group_machine *machine, const struct wb_lane_group *group,
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
  wb_lane_values_unite(machine->values, lanes, drawn);
}

/* ---- by the instruction ---- */

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

static void add_part(struct wb_group_machine *machine, struct wb_lane_group part, size_t partner)
{
  if (partner == SIZE_MAX) {
    tell(machine, wb_lane_groups_add(&machine->state, part), 0, WB_GROUP_WENT);
    return;
  }
  struct wb_lane_group *united = &machine->state.groups[partner];
  united->lanes |= part.lanes;
  unite_values(machine, united->lanes);
  tell(machine, united, 0, WB_GROUP_UNITED);
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
    add_part(machine, part, partner_of(machine, &part, others));
  }
  machine->step.split = parts > 1;
  if (ended != 0)
    wb_lane_groups_end(&machine->state, ended);
}

/* ---- who is let go ---- */

static void release(struct wb_group_machine *machine, struct wb_lane_scope *scope,
                    enum wb_group_cause cause)
{
  const struct wb_lane_group *group = wb_lane_groups_release(&machine->state, scope);
  unite_values(machine, group->lanes);
  tell(machine, group, scope->number, cause);
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
  wb_lane_groups_sweep(&machine->state);
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
      wb_lane_groups_take(state, left);
    }
    made.instruction++;
    unite_values(machine, made.lanes);
    tell(machine, wb_lane_groups_add(state, made), 0, WB_GROUP_WARP);
  }
}

void wb_group_regroup(struct wb_group_machine *machine)
{
  make_parts(machine);
  release_scopes(machine);
  release_warp(machine);
}
