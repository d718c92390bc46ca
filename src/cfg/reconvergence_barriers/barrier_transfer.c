/* The effect of instructions on a group when all of its lanes do them, when none does, and when
 * some do. */
#include "cfg/reconvergence_barriers/barrier_machine.h"

#include "cfg/agreement/lane_agreement.h"
#include "cfg/simt/simt_block.h"
#include "cfg/simt/simt_fixpoint.h"
#include "cfg/simt/simt_record.h"

enum wb_simt_role wb_barrier_role(const struct wb_instruction *instruction)
{
  if (instruction->never)
    return WB_ROLE_DATA;
  switch (instruction->transfer) {
  case WB_TRANSFER_NEXT:
    return instruction->yields ? WB_ROLE_STEP : WB_ROLE_DATA;
  case WB_TRANSFER_CALL_OUTSIDE:
  case WB_TRANSFER_SCOPE_OPEN:
  case WB_TRANSFER_SCOPE_BREAK:
    return WB_ROLE_STEP;
  default:
    return WB_ROLE_END;
  }
}

/* ---- data ---- */

/* An instruction that is not understood writes all of them: it is taken for one of data, which
 * changes no binding. */
static bool writes_all_barriers(const struct wb_register_set *written)
{
  const struct wb_register_span all = {WB_REGISTER_BARRIER,
                                       WB_REGISTER_COUNT - WB_REGISTER_BARRIER};
  return wb_register_set_has_span(written, all);
}

static bool lose_barriers(struct wb_group *group, const struct wb_register_set *written)
{
  static const struct wb_known_value any = {.kind = WB_KNOWN_ANY};
  bool memory = true;
  for (uint32_t b = WB_REGISTER_BARRIER; b < WB_REGISTER_COUNT && memory; b++) {
    if (wb_register_set_has(written, b))
      memory = wb_group_set(group, b, &any);
  }
  return memory;
}

void wb_barrier_wrote(struct wb_simt_analysis *analysis, uint32_t written)
{
  struct wb_register_sets *sets = &analysis->sets;
  struct wb_group *group = wb_group_of_block(analysis);
  if (written == WB_REGISTERS_NONE)
    return;
  for (size_t s = 0; s < group->scope_count; s++)
    wb_together_wrote(sets, &group->scopes[s].together, written);
  wb_together_wrote(sets, &group->warp, written);
  const struct wb_register_set set = sets->sets[written];
  wb_group_forget(group, &set);
  if (!writes_all_barriers(&set) && !lose_barriers(group, &set))
    wb_simt_no_memory(analysis);
  analysis->work += group->scope_count + 1;
}

/* Lanes end, and others of the warp may go on. */
static void end_lanes(struct wb_simt_analysis *analysis, const struct wb_group *group)
{
  struct wb_parting *parting = wb_barrier_parting_of(analysis, group);
  if (parting == NULL)
    parting = &wb_barrier_machine_of(analysis)->anywhere;
  if (group->origin != WB_ORIGIN_WHOLE)
    wb_barrier_raise(analysis, &parting->ended, WB_CELL_PARTINGS);
}

/* What is called leaves the stack pointer as it was; lanes may end in it. */
static bool call_outside(struct wb_simt_analysis *analysis,
                         const struct wb_instruction *instruction)
{
  struct wb_simt_block *block = &analysis->block;
  struct wb_group *group = wb_group_of_block(analysis);
  const uint32_t pointer = WB_REGISTER_GENERAL + 1;
  const struct wb_known_value *value = wb_group_value(group, pointer);
  const struct wb_known_value kept = value != NULL ? *value : (struct wb_known_value){0};
  const bool known = value != NULL;
  group->ended = true;
  end_lanes(analysis, group);
  wb_simt_agreement_step(analysis->function, instruction, &block->agreed, &block->written);
  wb_simt_block_settle(analysis);
  return wb_group_set(group, pointer, known ? &kept : NULL) || wb_simt_no_memory(analysis);
}

bool wb_barrier_step(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  switch (instruction->transfer) {
  case WB_TRANSFER_SCOPE_OPEN:
    return wb_scope_open(analysis, instruction);
  case WB_TRANSFER_SCOPE_BREAK:
    return wb_scope_break(analysis, instruction);
  case WB_TRANSFER_CALL_OUTSIDE:
    return call_outside(analysis, instruction);
  default:
    if (instruction->yields)
      wb_scope_yield(analysis);
    return wb_barrier_copy(analysis, instruction);
  }
}

/* ---- control ---- */

/* Where the guard alone decides, whether lanes do the instruction tells its value. */
static bool assume_guard(const struct wb_instruction *instruction, bool done,
                         struct wb_group *group)
{
  const bool more =
      instruction->conditional_code || instruction->second_predicate || instruction->together;
  return !instruction->guarded || (!done && more) ||
         wb_group_assume_predicate(group, instruction->guard, done != instruction->guard_negated);
}

static void branch(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction,
                   const struct wb_group *group)
{
  for (uint32_t t = 0; t < instruction->target_count && wb_simt_go_on(analysis); t++)
    wb_barrier_go_on(analysis, WB_EDGE_BRANCH,
                     wb_simt_block_place(analysis, wb_simt_block_target(analysis, t)), group);
}

/* Whether all 32 lanes are here, so that a comparison with the mask of all lanes is decided. */
static bool all_are_here(struct wb_simt_analysis *analysis,
                         const struct wb_instruction *instruction, const struct wb_group *group)
{
  const bool here = group->origin == WB_ORIGIN_WHOLE && !group->ended && !analysis->block.splits &&
                    wb_barrier_mask_is_all(analysis, instruction, group);
  if (!here || wb_barrier_machine_of(analysis)->whole_warps)
    return here;
  wb_simt_note(analysis, WB_NOTED_BY_BLOCK);
  return false;
}

/* Which of a branch that lanes do together is possible: done, not done. */
static bool may_be_done(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction,
                        const struct wb_group *group, bool done)
{
  return !instruction->together || !all_are_here(analysis, instruction, group) ||
         instruction->unless_all != done;
}

void wb_barrier_all_do(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  struct wb_group *whole = wb_group_of_block(analysis);
  struct wb_group *group = &machine->side;
  const bool comes_apart = analysis->block.splits && instruction->transfer != WB_TRANSFER_EXIT;
  if (!may_be_done(analysis, instruction, whole, true))
    return;
  if (comes_apart && !wb_barrier_part_at(analysis, instruction, whole))
    return;
  if (!wb_group_copy(group, whole) || !assume_guard(instruction, true, group)) {
    wb_simt_no_memory(analysis);
    return;
  }
  switch (instruction->transfer) {
  case WB_TRANSFER_BRANCH:
  case WB_TRANSFER_INDEXED_BRANCH:
    branch(analysis, instruction, group);
    break;
  case WB_TRANSFER_SCOPE_SYNC:
    wb_scope_sync(analysis, instruction, group);
    break;
  case WB_TRANSFER_WARP_SYNC:
    wb_warp_sync(analysis, instruction, group);
    break;
  case WB_TRANSFER_CALL_LINKED:
    wb_linked_call(analysis, group);
    break;
  case WB_TRANSFER_RETURN_LINKED:
    wb_linked_return(analysis, instruction, group);
    break;
  default: /* WB_TRANSFER_EXIT */
    end_lanes(analysis, whole);
    wb_simt_note_end(analysis);
    break;
  }
}

void wb_barrier_none_do(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  struct wb_group *whole = wb_group_of_block(analysis);
  struct wb_group *group = &wb_barrier_machine_of(analysis)->side;
  const struct wb_simt_place next = wb_simt_block_place(analysis, analysis->block.instruction + 1);
  if (!instruction->guarded && !may_be_done(analysis, instruction, whole, false))
    return;
  if (!wb_group_copy(group, whole) || !assume_guard(instruction, false, group)) {
    wb_simt_no_memory(analysis);
    return;
  }
  if (instruction->transfer == WB_TRANSFER_EXIT && analysis->block.splits)
    group->ended = true;
  wb_barrier_go_on(analysis, WB_EDGE_FALLTHROUGH, next, group);
}

/* Both groups that the lanes come apart into are among those of all_do and none_do, which know
 * already that lanes may come apart here. */
void wb_barrier_some_do(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  (void)analysis;
  (void)instruction;
}
