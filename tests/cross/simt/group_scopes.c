/* Executions of BSSYs, and who is in them. */
#include "group_following.h"

#include <stdlib.h>

/* ---- scopes ---- */

struct group_instance *group_instance_at(const struct group_replay *replay, uint64_t number)
{
  for (size_t i = replay->instance_count; i > 0; i--) {
    if (replay->instances[i - 1].number == number)
      return &replay->instances[i - 1];
  }
  return NULL;
}

const struct wb_warp_scope *group_scope_at(const struct wb_warp_graph *graph, uint32_t opener)
{
  for (size_t s = 0; s < graph->scope_count; s++) {
    if (graph->scopes[s].open == opener)
      return &graph->scopes[s];
  }
  return NULL;
}

bool group_scope_lists(const struct wb_warp_graph *graph, size_t first, size_t count,
                       uint32_t instruction)
{
  for (size_t i = first; i < first + count; i++) {
    if (graph->scope_instructions[i] == instruction)
      return true;
  }
  return false;
}

static bool is_pushed(const struct wb_warp_graph *graph, uint32_t block, uint32_t point)
{
  for (size_t p = 0; p < graph->push_count; p++) {
    const struct wb_warp_entry *entry = &graph->entries[graph->pushes[p].entry];
    if (graph->pushes[p].block == block && entry->point == point &&
        entry->token == WB_TOKEN_SCOPE && entry->context == graph->blocks[block].context)
      return true;
  }
  return false;
}

/* A BSSY makes a scope. */
bool group_note_scope(const struct group_following *following)
{
  struct group_replay *replay = following->replay;
  const struct wb_group_step *step = following->step;
  const uint32_t point = replay->graph->function->targets[following->what->first_target];
  const struct wb_warp_scope *scope = group_scope_at(replay->graph, step->instruction);
  if (scope == NULL || scope->point != point)
    return group_replay_refute(replay, step->instruction, "the graph has no such scope");
  for (size_t i = 0; i < replay->instance_count; i++) {
    if (replay->instances[i].opener == step->instruction)
      replay->instances[i].members &= ~step->doing;
  }
  if (!wb_grow(replay->instances, &replay->instance_capacity, replay->instance_count + 1))
    abort();
  struct group_instance *made = &replay->instances[replay->instance_count++];
  *made = (struct group_instance){.number = step->scope,
                                  .opener = step->instruction,
                                  .participants = step->doing,
                                  .members = step->doing};
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((step->doing & group_bit(lane)) == 0)
      continue;
    made->makers[lane] = group_part_at(replay, lane)->block;
    if (!replay->never && !is_pushed(replay->graph, made->makers[lane], point))
      return group_replay_refute(replay, step->instruction, "its block does not make its entry");
  }
  return true;
}

static uint32_t participants_now(const struct wb_group_step *step, uint64_t number)
{
  for (size_t s = 0; s < step->state->scope_count; s++) {
    if (step->state->scopes[s].number == number)
      return step->state->scopes[s].participants;
  }
  return 0;
}

/* Lanes that leave a scope by a BREAK, or a BSYNC that does not wait: it is listed. */
bool group_check_leaving(const struct group_following *following)
{
  struct group_replay *replay = following->replay;
  const struct wb_group_step *step = following->step;
  const bool breaks = following->what->transfer == WB_TRANSFER_SCOPE_BREAK;
  for (size_t i = 0; i < replay->instance_count; i++) {
    const struct group_instance *instance = &replay->instances[i];
    const uint32_t gone = instance->participants & ~participants_now(step, instance->number);
    const struct wb_warp_scope *scope = group_scope_at(replay->graph, instance->opener);
    if ((gone & step->doing) == 0)
      continue;
    if (breaks && !group_scope_lists(replay->graph, scope->first_break, scope->break_count,
                                     step->instruction))
      return group_replay_refute(replay, step->instruction, "the scope of L%u lacks it",
                                 instance->opener);
    if (!breaks &&
        !group_scope_lists(replay->graph, scope->first_sync, scope->sync_count, step->instruction))
      return group_replay_refute(replay, step->instruction, "the scope of L%u lacks it",
                                 instance->opener);
  }
  return true;
}

void group_update_instances(const struct group_following *following)
{
  struct group_replay *replay = following->replay;
  size_t kept = 0;
  for (size_t i = 0; i < replay->instance_count; i++) {
    struct group_instance instance = replay->instances[i];
    const uint32_t participants = participants_now(following->step, instance.number);
    const bool breaks = following->what->transfer == WB_TRANSFER_SCOPE_BREAK;
    const uint32_t broken = breaks ? following->step->doing : 0;
    instance.members &= ~(instance.participants & ~participants & ~broken);
    instance.participants = participants;
    replay->instances[kept] = instance;
    kept += (participants | instance.members) != 0;
  }
  replay->instance_count = kept;
}
