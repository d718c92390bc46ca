/* WARPSYNC: of all lanes of the warp it waits for all that have not ended; of others it is not
 * known for whom. */
#include "cfg/reconvergence_barriers/barrier_machine.h"

#include "cfg/simt/simt_block.h"
#include "cfg/simt/simt_fixpoint.h"
#include "cfg/simt/simt_record.h"

#define ALL_LANES UINT32_MAX

bool wb_barrier_mask_is_all(const struct wb_simt_analysis *analysis,
                            const struct wb_instruction *instruction, const struct wb_group *group)
{
  if (instruction->mask != WB_MASK_REGISTER)
    return instruction->mask == WB_MASK_ALL;
  for (uint32_t s = 0; s < instruction->read_count; s++) {
    const struct wb_register_span span = analysis->function->spans[instruction->first_read + s];
    const bool predicate =
        span.first == instruction->guard ||
        (span.first >= WB_REGISTER_PREDICATE && span.first < WB_REGISTER_UNIFORM) ||
        span.first >= WB_REGISTER_UNIFORM_PREDICATE;
    const struct wb_known_value *value = wb_group_value(group, span.first);
    if (!predicate)
      return value != NULL && value->kind == WB_KNOWN_NUMBER && value->addend == ALL_LANES;
  }
  return false;
}

/* ---- where the groups of a parting meet ---- */

static void note_meeting(struct wb_simt_analysis *analysis, const struct wb_group *group,
                         uint32_t meeting)
{
  struct wb_parting *parting = wb_barrier_parting_of(analysis, group);
  if (parting == NULL)
    parting = &wb_barrier_machine_of(analysis)->anywhere;
  if (parting->meeting == meeting || parting->several || analysis->record != NULL)
    return;
  if (wb_simt_searching(analysis)) {
    parting->several = parting->meeting != WB_NOWHERE;
    if (!parting->several)
      parting->meeting = meeting;
  }
  wb_simt_changed(analysis, WB_CELL_PARTINGS);
}

/* Whether groups that descend from the parting of a group meet at one WARPSYNC alone, this one. */
static bool is_only_meeting(const struct wb_simt_analysis *analysis, const struct wb_group *group,
                            uint32_t meeting)
{
  const struct wb_parting *anywhere = &wb_barrier_machine_of(analysis)->anywhere;
  const struct wb_parting *parting = wb_barrier_parting_of(analysis, group);
  return parting != NULL && !parting->several && parting->meeting == meeting &&
         !anywhere->several && (anywhere->meeting == WB_NOWHERE || anywhere->meeting == meeting);
}

/* ---- groups that come together ---- */

/* Of groups that come together here each is in executions of its own of a scope that not all lanes
 * of the warp were in when it was made. */
static void keep_whole_scopes(struct wb_simt_analysis *analysis, struct wb_group *group)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  for (size_t s = group->scope_count; s-- > 0;) {
    const struct wb_scope *scope = &machine->scopes[group->scopes[s].scope];
    wb_simt_depend(analysis, wb_cell_of_scope(group->scopes[s].scope));
    if (scope->made.origin != WB_ORIGIN_WHOLE || scope->made.mixed)
      wb_group_close(group, s);
  }
}

/* The group that lanes of several become at a meeting; *agreement: what they agree on. */
static bool unite(struct wb_simt_analysis *analysis, uint32_t meeting, struct wb_group *united,
                  uint32_t *agreement)
{
  const struct wb_meeting *it = &wb_barrier_machine_of(analysis)->meetings[meeting];
  if (!wb_group_copy(united, &it->arrived))
    return wb_simt_no_memory(analysis);
  keep_whole_scopes(analysis, united);
  united->mixed = united->mixed || it->context != 0;
  *agreement = wb_barrier_agreement(analysis, united->warp.agreement, united->warp.lost, united);
  return true;
}

/* ---- all lanes ---- */

static void sync_all(struct wb_simt_analysis *analysis, struct wb_group *group, uint32_t meeting)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const struct wb_simt_place next = wb_simt_block_place(analysis, analysis->block.instruction + 1);
  if (group->origin == WB_ORIGIN_WHOLE) {
    wb_barrier_go_on(analysis, WB_EDGE_FALLTHROUGH, next, group);
    return;
  }
  note_meeting(analysis, group, meeting);
  struct wb_group *united = &machine->next;
  uint32_t agreement = WB_REGISTERS_NONE;
  if (!unite(analysis, meeting, united, &agreement))
    return;
  const bool alone =
      !wb_instruction_conditional(&analysis->function->instructions[analysis->block.instruction]);
  struct wb_simt_transition transition = {.kind = WB_EDGE_FALLTHROUGH,
                                          .rate = alone ? WB_RATE_SHARED : WB_RATE_LANES,
                                          .continuation = WB_NOWHERE};
  if (is_only_meeting(analysis, united, meeting)) {
    if (!united->bypassed && alone)
      transition.continuation = wb_continuation_of_parting(
          wb_pair_map_find(&machine->parting_names, united->origin - WB_ORIGIN_FIRST, 0));
    united->mixed = machine->meetings[meeting].arrived.mixed;
    agreement = wb_barrier_agreement(analysis, united->warp.agreement, united->warp.lost, united);
    united->ended = wb_barrier_lanes_ended(analysis, united);
    united->origin = WB_ORIGIN_WHOLE;
    united->bypassed = false;
    united->warp = (struct wb_together){0};
    for (size_t s = 0; s < united->scope_count; s++)
      united->scopes[s].together = (struct wb_together){0};
  }
  wb_barrier_go(analysis, transition, next, agreement, united);
}

/* ---- some lanes ---- */

/* The group may part into groups of any lanes, unless masks are taken to keep it together; lanes of
 * other groups that come here may join them. */
static void sync_some(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction,
                      struct wb_group *group, uint32_t meeting)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const struct wb_group *arrived = &machine->meetings[meeting].arrived;
  struct wb_group *united = &machine->next;
  uint32_t agreement = analysis->block.agreement;
  if (arrived->origin == WB_ORIGIN_WHOLE) { /* there are no other groups */
    if (!wb_group_copy(united, group)) {
      wb_simt_no_memory(analysis);
      return;
    }
  } else if (!unite(analysis, meeting, united, &agreement)) {
    return;
  }
  const bool together = analysis->options.masks_together;
  if (!together && !wb_barrier_part(analysis, united))
    return;
  struct wb_simt_transition transition = {
      .kind = WB_EDGE_FALLTHROUGH,
      .rate = together && !wb_instruction_conditional(instruction) ? WB_RATE_SHARED : WB_RATE_LANES,
      .continuation = WB_NOWHERE};
  wb_barrier_go(analysis, transition,
                wb_simt_block_place(analysis, analysis->block.instruction + 1), agreement, united);
  /* WARPSYNC.COLLECTIVE names where what lanes do together ends: they may go there at once. */
  transition.kind = WB_EDGE_BRANCH;
  for (uint32_t t = 0; t < instruction->target_count; t++)
    wb_barrier_go(analysis, transition,
                  wb_simt_block_place(analysis, wb_simt_block_target(analysis, t)), agreement,
                  united);
}

void wb_warp_sync(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction,
                  struct wb_group *group)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const uint32_t meeting = wb_meeting_of_block(analysis);
  if (meeting == WB_NOWHERE)
    return;
  wb_simt_depend(analysis, wb_cell_of_meeting(meeting));
  wb_simt_depend(analysis, WB_CELL_PARTINGS);
  if (group->warp.apart)
    wb_together_part(&analysis->sets, &group->warp, analysis->block.agreement);
  if (!wb_barrier_join(analysis, &machine->meetings[meeting].arrived, group,
                       wb_cell_of_meeting(meeting)))
    return;
  if (wb_barrier_mask_is_all(analysis, instruction, group))
    sync_all(analysis, group, meeting);
  else
    sync_some(analysis, instruction, group, meeting);
}
