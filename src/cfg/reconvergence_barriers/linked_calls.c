/* Calls whose return address the code puts into registers, and returns to it. */
#include "cfg/reconvergence_barriers/barrier_machine.h"

#include "base/memory.h"
#include "cfg/simt/simt_block.h"
#include "cfg/simt/simt_fixpoint.h"
#include "cfg/simt/simt_record.h"

#include <string.h>

/* ---- calls ---- */

/* Whether some register holds the address of the next instruction: else nothing returns to it, and
 * the call is a jump. */
static bool is_linked(const struct wb_simt_analysis *analysis, const struct wb_group *group)
{
  const struct wb_function *function = analysis->function;
  const uint32_t next = analysis->block.instruction + 1;
  if (next >= function->instruction_count)
    return false;
  for (size_t k = 0; k < group->known_count; k++) {
    const struct wb_known *known = &group->known[k];
    if (known->location < WB_LOCATION_SLOTS && known->value.kind == WB_KNOWN_NUMBER &&
        known->value.addend == function->instructions[next].address)
      return true;
  }
  return false;
}

static bool reserve_context(struct wb_barrier_machine *machine, uint32_t context)
{
  const size_t old = machine->first_call_capacity;
  if (context < old)
    return true;
  if (!wb_grow(machine->first_calls, &machine->first_call_capacity, (size_t)context + 1))
    return false;
  memset(machine->first_calls + old, 0,
         (machine->first_call_capacity - old) * sizeof *machine->first_calls);
  return true;
}

/* Notes that the present call enters a context, the first time. */
static bool note_call(struct wb_simt_analysis *analysis, uint32_t context)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const struct wb_simt_place site = wb_simt_block_place(analysis, analysis->block.instruction);
  if (!reserve_context(machine, context))
    return wb_simt_no_memory(analysis);
  const uint32_t first = machine->first_calls[context];
  for (uint32_t c = first == 0 ? WB_NOWHERE : first - 1; c != WB_NOWHERE;
       c = machine->calls[c].next) {
    if (machine->calls[c].site == site.instruction && machine->calls[c].context == site.context)
      return true;
  }
  if (wb_simt_searching(analysis)) {
    if (!wb_grow(machine->calls, &machine->call_capacity, machine->call_count + 1))
      return wb_simt_no_memory(analysis);
    machine->calls[machine->call_count] = (struct wb_linked_call){
        site.instruction, site.context, first == 0 ? WB_NOWHERE : first - 1};
    machine->first_calls[context] = (uint32_t)++machine->call_count;
  }
  wb_simt_changed(analysis, wb_cell_of_callers(context));
  return true;
}

void wb_linked_call(struct wb_simt_analysis *analysis, const struct wb_group *group)
{
  const uint32_t target = wb_simt_block_target(analysis, 0);
  if (!is_linked(analysis, group)) {
    wb_barrier_go_on(analysis, WB_EDGE_BRANCH, wb_simt_block_place(analysis, target), group);
    return;
  }
  const uint32_t context = wb_simt_block_callee(analysis, target);
  if (context != WB_NOWHERE && note_call(analysis, context))
    wb_barrier_go_on(analysis, WB_EDGE_CALL, (struct wb_simt_place){target, context}, group);
}

/* ---- returns ---- */

/* Returns to an address; false where no call into the present context goes on there. */
static bool return_to(struct wb_simt_analysis *analysis, const struct wb_group *group,
                      uint32_t instruction)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const uint32_t context = analysis->block.context;
  const uint32_t first = context < machine->first_call_capacity ? machine->first_calls[context] : 0;
  bool found = false;
  for (uint32_t c = first == 0 ? WB_NOWHERE : first - 1; c != WB_NOWHERE;
       c = machine->calls[c].next) {
    const struct wb_linked_call call = machine->calls[c];
    if (instruction != WB_NOWHERE && call.site + 1 != instruction)
      continue;
    found = true;
    struct wb_group *back = &wb_barrier_machine_of(analysis)->next;
    if (wb_group_copy(back, group)) {
      back->mixed = back->mixed && call.context != 0;
      wb_barrier_go_on(analysis, WB_EDGE_RETURN,
                       (struct wb_simt_place){call.site + 1, call.context}, back);
    } else {
      wb_simt_no_memory(analysis);
    }
    if (analysis->status != WARPBOUND_OK)
      return true;
  }
  return found;
}

void wb_linked_return(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction,
                      const struct wb_group *group)
{
  const struct wb_known_value *link = wb_group_value(group, instruction->link);
  wb_simt_depend(analysis, wb_cell_of_callers(analysis->block.context));
  if (link == NULL || link->kind != WB_KNOWN_NUMBER) {
    const bool found = return_to(analysis, group, WB_NOWHERE);
    wb_barrier_machine_of(analysis)->links_guessed = true;
    if (!found && analysis->function->kernel)
      wb_simt_refuse(analysis, analysis->block.instruction,
                     "expected a return address that the code shows, found none");
    else if (!found) /* to the caller of the function, which is not looked at */
      wb_simt_note_end(analysis);
    return;
  }
  const size_t at = wb_function_at(analysis->function, link->addend);
  if (at == SIZE_MAX)
    wb_simt_refuse(analysis, analysis->block.instruction,
                   "expected a return to an instruction, found another address");
  else if (!return_to(analysis, group, (uint32_t)at) && analysis->status == WARPBOUND_OK) {
    if (!analysis->layout.leaders[at])
      wb_simt_refuse(analysis, analysis->block.instruction,
                     "expected a return to where a call goes on, found another place");
    else
      wb_barrier_go_on(analysis, WB_EDGE_BRANCH, wb_simt_block_place(analysis, (uint32_t)at),
                       group);
  }
}
