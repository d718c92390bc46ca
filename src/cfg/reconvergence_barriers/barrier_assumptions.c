#include "cfg/reconvergence_barriers/barrier_assumptions.h"

#include "cfg/reconvergence_barriers/barrier_machine.h"
#include "cfg/reconvergence_barriers/block_size.h"
#include "cfg/simt/address_list.h"
#include "cfg/simt/simt_record.h"

/* What the reached instructions have. */
struct features {
  bool scopes;                      /* BSSY */
  bool divergence;                  /* lanes may come apart, or end one by one */
  bool some_lanes;                  /* a WARPSYNC of some lanes */
  bool uniform;                     /* uniform registers are written */
  bool outside;                     /* calls to outside */
  struct wb_address_list unmatched; /* BSYNCs and BREAKs that may find no scope */
  struct wb_address_list yields;    /* that let lanes that wait run on, while scopes are open */
  struct wb_address_list by_block;  /* branches that whole warps would decide */
};

static bool writes_uniform(const struct wb_function *function,
                           const struct wb_instruction *instruction)
{
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const uint16_t first = function->spans[instruction->first_write + s].first;
    if (first >= WB_REGISTER_UNIFORM && first < WB_REGISTER_BARRIER)
      return true;
  }
  return false;
}

static void look_at(const struct wb_function *function, const struct wb_simt_record *record,
                    size_t i, struct features *features)
{
  const struct wb_instruction *instruction = &function->instructions[i];
  const uint8_t notes = record->notes[i];
  if ((notes & WB_NOTED_REACHED) == 0)
    return;
  features->scopes |= instruction->transfer == WB_TRANSFER_SCOPE_OPEN;
  features->divergence |= (notes & WB_NOTED_DIVERGENT) != 0;
  features->some_lanes |=
      instruction->transfer == WB_TRANSFER_WARP_SYNC && instruction->mask != WB_MASK_ALL;
  features->uniform |= writes_uniform(function, instruction);
  features->outside |= instruction->transfer == WB_TRANSFER_CALL_OUTSIDE;
  if ((notes & WB_NOTED_UNMATCHED) != 0)
    wb_address_list_add(&features->unmatched, instruction->address);
  if ((notes & WB_NOTED_LETS_GO) != 0)
    wb_address_list_add(&features->yields, instruction->address);
  if ((notes & WB_NOTED_BY_BLOCK) != 0)
    wb_address_list_add(&features->by_block, instruction->address);
}

static void assume_waiting(struct wb_simt_analysis *analysis, struct features *features)
{
  struct wb_list *assumptions = &analysis->graph.assumptions;
  switch (analysis->options.waiting) {
  case WB_WAITING_ALWAYS:
    wb_list_add(assumptions, "a BSYNC waits for all lanes of its scope that have not left it or "
                             "ended, always");
    break;
  case WB_WAITING_NEVER:
    wb_list_add(assumptions, "no BSYNC waits");
    break;
  default:
    if (features->yields.count == 0)
      wb_list_add(assumptions, "a BSYNC waits for all lanes of its scope that have not left it or "
                               "ended");
    else
      wb_list_add(assumptions,
                  "a BSYNC waits for all lanes of its scope that have not left it or ended, but "
                  "where lanes in the scope may yield: at %s",
                  wb_address_list_text(&features->yields));
    break;
  }
}

void wb_barrier_assume(struct wb_simt_analysis *analysis, const struct wb_simt_record *record)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  struct wb_list *assumptions = &analysis->graph.assumptions;
  struct features features = {0};
  for (size_t i = 0; i < analysis->function->instruction_count; i++)
    look_at(analysis->function, record, i, &features);
  for (size_t e = 0; e < record->edge_count; e++)
    features.divergence |= record->edges[e].rate != WB_RATE_SHARED;
  if (features.divergence)
    wb_list_add(assumptions, "a converged group diverges only at an instruction");
  if (features.scopes) {
    wb_list_add(assumptions, "barrier registers are as if each lane had its own: groups that use "
                             "one at a time do not disturb each other");
    assume_waiting(analysis, &features);
  }
  if (machine->words_read)
    wb_list_add(assumptions,
                "what the code keeps on its stack at constant offsets is not overwritten by stores "
                "to addresses that are not known");
  if (features.uniform && features.divergence)
    wb_list_add(assumptions, "uniform registers are as if each lane had its own, written by all "
                             "lanes of a group: groups do not disturb each other there");
  if (features.some_lanes && analysis->options.masks_together)
    wb_list_add(assumptions, "lanes that do a WARPSYNC of some lanes together name one mask, and "
                             "stay together");
  if (features.by_block.count > 0)
    wb_list_add(assumptions,
                "BRA.DIV and BRA.CONV go either way, as a block whose threads are %s may have a "
                "warp of fewer than 32 lanes: at %s",
                wb_block_size_known(analysis) ? "no multiple of 32" : "not given",
                wb_address_list_text(&features.by_block));
  if (features.outside)
    wb_list_add(assumptions, "what is called outside of the function leaves the barrier registers, "
                             "the stack pointer and the stack as they were");
  if (machine->links_guessed)
    wb_list_add(assumptions, "a return whose address the code does not show goes to after one of "
                             "the calls that entered its code, or to the function's caller");
  if (features.unmatched.count > 0)
    wb_list_add(assumptions,
                "lanes that find no scope to wait for, or to leave, which the analysis cannot "
                "exclude, go on at the next instruction: at %s",
                wb_address_list_text(&features.unmatched));
}
