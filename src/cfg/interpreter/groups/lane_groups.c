#include "cfg/interpreter/groups/lane_groups.h"

#include "base/memory.h"

#include <stdlib.h>

struct wb_lane_group *wb_lane_groups_add(struct wb_lane_groups *state, struct wb_lane_group group)
{
  if (group.number == 0)
    group.number = ++state->last_group;
  state->groups[state->group_count] = group;
  return &state->groups[state->group_count++];
}

struct wb_lane_group wb_lane_groups_take(struct wb_lane_groups *state, size_t index)
{
  const struct wb_lane_group taken = state->groups[index];
  state->groups[index] = state->groups[--state->group_count];
  return taken;
}

static bool is_name(const struct wb_lane_groups *state, uint32_t name)
{
  for (size_t s = 0; s < state->scope_count; s++) {
    if (state->scopes[s].name == name)
      return true;
  }
  return false;
}

struct wb_lane_scope *wb_lane_groups_open(struct wb_lane_groups *state,
                                          const struct wb_lane_values *values,
                                          struct wb_lane_scope scope)
{
  if (!wb_grow(state->scopes, &state->scope_capacity, state->scope_count + 1))
    return NULL;
  scope.number = ++state->last_scope;
  uint64_t trial = scope.number;
  do {
    scope.name = wb_lane_values_named(values, WB_NAME_SCOPE, trial);
    trial += UINT64_C(1) << 40;
  } while (scope.name == 0 || is_name(state, scope.name));
  state->scopes[state->scope_count] = scope;
  return &state->scopes[state->scope_count++];
}

struct wb_lane_scope *wb_lane_groups_bound(const struct wb_lane_groups *state, uint32_t value,
                                           uint32_t lane)
{
  for (size_t s = state->scope_count; s > 0; s--) {
    struct wb_lane_scope *scope = &state->scopes[s - 1];
    if (scope->name == value)
      return (scope->participants >> lane & 1) != 0 ? scope : NULL;
  }
  return NULL;
}

void wb_lane_groups_end(struct wb_lane_groups *state, uint32_t lanes)
{
  for (size_t s = 0; s < state->scope_count; s++)
    state->scopes[s].participants &= ~lanes;
  state->live &= ~lanes;
}

struct wb_lane_group *wb_lane_groups_release(struct wb_lane_groups *state,
                                             struct wb_lane_scope *scope)
{
  const struct wb_lane_group released = {
      .lanes = scope->waiting, .instruction = scope->point, .synced = UINT32_MAX};
  for (size_t g = 0; g < state->group_count;) {
    if (state->groups[g].scope == scope->number)
      wb_lane_groups_take(state, g);
    else
      g++;
  }
  scope->participants &= ~scope->waiting;
  scope->waiting = 0;
  return wb_lane_groups_add(state, released);
}

void wb_lane_groups_sweep(struct wb_lane_groups *state)
{
  size_t kept = 0;
  for (size_t s = 0; s < state->scope_count; s++) {
    if (state->scopes[s].participants != 0)
      state->scopes[kept++] = state->scopes[s];
  }
  state->scope_count = kept;
}

static const char *check_scope(const struct wb_lane_groups *state,
                               const struct wb_lane_scope *scope)
{
  uint32_t waiting = 0;
  for (size_t g = 0; g < state->group_count; g++) {
    if (state->groups[g].scope == scope->number)
      waiting |= state->groups[g].lanes;
  }
  if (scope->participants == 0 || (scope->participants & ~state->live) != 0)
    return "a scope has no lanes, or some that have ended";
  if (waiting != scope->waiting || (waiting & ~scope->participants) != 0)
    return "lanes wait in a scope that is not theirs";
  return NULL;
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
  const char *broken = NULL;
  for (size_t s = 0; broken == NULL && s < state->scope_count; s++) {
    broken = check_scope(state, &state->scopes[s]);
    if (s > 0 && state->scopes[s].number <= state->scopes[s - 1].number)
      broken = "scopes are not in order";
  }
  return broken;
}

void wb_lane_groups_free(struct wb_lane_groups *state)
{
  free(state->scopes);
  *state = (struct wb_lane_groups){0};
}
