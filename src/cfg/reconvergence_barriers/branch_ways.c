/* Ways that all groups of one parting go (doc/simt-volta.md, "Transfer"): a branch whose condition
 * follows from registers that agreed in the whole warp when it last came apart, and that nobody has
 * written since, sends every group that comes to it, whenever it does, the same way. */
#include "cfg/reconvergence_barriers/barrier_machine.h"

/* The way of a branch, as a register of a set: its lanes do it, or they do not. */
static uint32_t way_of_branch(uint32_t branch, bool done)
{
  return 2 * branch + done;
}

/* Of registers whose values follow from the parting before an instruction: those of which this
 * holds after it, which a group may do at any time, and whose results are computed of what it reads
 * and of nothing else, or are not known. */
static void follow_values(const struct wb_function *function,
                          const struct wb_instruction *instruction, struct wb_register_set *values)
{
  struct wb_register_set written = {{0}};
  const bool computes =
      instruction->transfer == WB_TRANSFER_NEXT && instruction->agreement == WB_AGREES_BY_SOURCES;
  if (computes || instruction->unknown) {
    wb_simt_agreement_step(function, instruction, values, &written);
  } else if (instruction->write_count > 0) {
    struct wb_instruction opaque = *instruction;
    opaque.agreement = WB_AGREES_NEVER;
    wb_simt_agreement_step(function, &opaque, values, &written);
  }
}

/* Whether the condition of the branch that ends the present block has one value for all groups that
 * descend from the latest parting, whenever they come to it by this state. */
static bool follows_from_parting(const struct wb_simt_analysis *analysis,
                                 const struct wb_instruction *branch)
{
  static const struct wb_register_span barriers = {WB_REGISTER_BARRIER,
                                                   WB_REGISTER_COUNT - WB_REGISTER_BARRIER};
  const struct wb_function *function = analysis->function;
  const struct wb_group *begin = wb_simt_abstract_of(analysis, analysis->block.state);
  const struct wb_register_set *agreement = &analysis->sets.sets[begin->warp.agreement];
  const struct wb_register_set *lost = &analysis->sets.sets[begin->warp.lost];
  struct wb_register_set values;
  for (size_t w = 0; w < WB_REGISTER_WORDS; w++)
    values.words[w] = agreement->words[w] & ~lost->words[w];
  wb_register_set_remove(&values, barriers);
  for (uint32_t i = analysis->fixpoint.states[analysis->block.state].place.instruction;
       i < analysis->block.instruction; i++)
    follow_values(function, &function->instructions[i], &values);
  return wb_simt_condition_agrees(function, branch, &values);
}

void wb_barrier_note_way(struct wb_simt_analysis *analysis,
                         const struct wb_instruction *instruction, bool done,
                         struct wb_group *group)
{
  if (instruction->transfer != WB_TRANSFER_BRANCH || instruction->together ||
      !wb_instruction_conditional(instruction) || analysis->block.splits || group->mixed ||
      group->origin < WB_ORIGIN_FIRST || !follows_from_parting(analysis, instruction))
    return;
  bool made;
  const uint32_t branch = wb_barrier_number(
      analysis, &wb_barrier_machine_of(analysis)->branch_names, analysis->block.state, 0, &made);
  if (branch == WB_NOWHERE || way_of_branch(branch, true) >= WB_REGISTER_COUNT)
    return;
  struct wb_register_set avoided = analysis->sets.sets[group->avoided];
  wb_register_set_remove(&avoided,
                         (struct wb_register_span){(uint16_t)way_of_branch(branch, done), 1});
  group->avoided = wb_register_sets_number(&analysis->sets, &avoided);
}

bool wb_barrier_ways_exclude(const struct wb_simt_analysis *analysis, const struct wb_group *a,
                             const struct wb_group *b)
{
  const struct wb_register_set *left = &analysis->sets.sets[a->avoided];
  const struct wb_register_set *right = &analysis->sets.sets[b->avoided];
  const size_t branches = wb_barrier_machine_of(analysis)->branch_names.count;
  bool exclude = false;
  for (uint32_t n = 0; !exclude && n < branches && way_of_branch(n, true) < WB_REGISTER_COUNT; n++)
    for (int done = 0; done < 2; done++)
      exclude = exclude || (!wb_register_set_has(left, way_of_branch(n, done != 0)) &&
                            !wb_register_set_has(right, way_of_branch(n, done == 0)));
  return exclude;
}
