/* The effect of instructions on a group when all of its lanes do them, and when none does: values
 * that travel unchanged (bindings, return addresses, masks, constants), and where control goes. */
#include "cfg/reconvergence_barriers/barrier_machine.h"

#include "base/memory.h"

#include <string.h>

#define WARP 32u

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

void wb_barrier_wrote(struct wb_simt_analysis *analysis, uint32_t written)
{
  struct wb_register_sets *sets = &analysis->sets;
  struct wb_group *group = analysis->block.abstract;
  if (written == WB_REGISTERS_NONE)
    return;
  for (size_t s = 0; s < group->scope_count; s++)
    wb_together_wrote(sets, &group->scopes[s].together, written);
  wb_together_wrote(sets, &group->warp, written);
  const struct wb_register_set set = sets->sets[written];
  wb_group_forget(group, &set);
  /* An instruction that is not understood writes all barrier registers: it is taken for one of
   * data, which changes no binding. */
  static const struct wb_register_span barriers = {WB_REGISTER_BARRIER,
                                                   WB_REGISTER_COUNT - WB_REGISTER_BARRIER};
  static const struct wb_known_value any = {.kind = WB_KNOWN_ANY};
  const bool all = wb_register_set_has_span(&set, barriers);
  for (uint32_t b = WB_REGISTER_BARRIER; b < WB_REGISTER_COUNT && !all; b++) {
    if (wb_register_set_has(&set, b) && !wb_group_set(group, b, &any))
      wb_simt_no_memory(analysis);
  }
  analysis->work += group->scope_count + 1;
}

/* ---- copies ---- */

/* What a copy brings where. */
struct arrival {
  uint32_t location;           /* WB_NOWHERE: not known */
  bool known;                  /* value is of use */
  struct wb_known_value value; /* that comes there */
};

/* The value of a location plus an offset; false where it is not known. */
static bool value_of(const struct wb_group *group, unsigned number, uint32_t offset,
                     struct wb_known_value *value)
{
  static const struct wb_known_value unbound = {.kind = WB_KNOWN_UNBOUND};
  const struct wb_known_value *known = wb_group_value(group, number);
  if (known == NULL && wb_is_barrier(number))
    known = &unbound;
  if (known == NULL || (offset != 0 && wb_known_is_binding(known)))
    return false;
  *value = *known;
  value->addend += offset;
  return true;
}

/* The location of the word of local memory that a copy names; WB_NOWHERE where its address is not
 * known. */
static uint32_t word_of(struct wb_simt_analysis *analysis, const struct wb_group *group,
                        const struct wb_copy *copy)
{
  struct wb_known_value address;
  bool made;
  if (!value_of(group, copy->base, (uint32_t)copy->value, &address) ||
      wb_known_is_binding(&address) || address.kind == WB_KNOWN_THREAD)
    return WB_NOWHERE;
  const uint32_t slot = wb_barrier_number(analysis, &wb_barrier_machine_of(analysis)->slot_names,
                                          address.base * 4 + address.kind, address.addend, &made);
  return slot != WB_NOWHERE ? WB_LOCATION_SLOTS + slot : WB_NOWHERE;
}

static bool is_uniform(unsigned number)
{
  return number >= WB_REGISTER_UNIFORM && number < WB_REGISTER_BARRIER;
}

static struct arrival arrival_of(struct wb_simt_analysis *analysis, const struct wb_group *group,
                                 const struct wb_copy *copy)
{
  struct arrival made = {.location = copy->to, .known = true};
  uint32_t word;
  switch (copy->kind) {
  case WB_COPY_NUMBER:
    made.value = (struct wb_known_value){.kind = WB_KNOWN_NUMBER, .addend = (uint32_t)copy->value};
    break;
  case WB_COPY_CONSTANT:
    made.value = (struct wb_known_value){.kind = WB_KNOWN_CONSTANT, .base = copy->value};
    break;
  case WB_COPY_LAUNCH:
    made.value = (struct wb_known_value){.kind = WB_KNOWN_LAUNCH, .base = copy->value};
    break;
  case WB_COPY_THREAD:
    made.value = (struct wb_known_value){.kind = WB_KNOWN_THREAD};
    break;
  case WB_COPY_OF_WARP:
    made.known = false;
    break;
  case WB_COPY_REGISTER:
    made.known = value_of(group, copy->from, (uint32_t)copy->value, &made.value);
    break;
  case WB_COPY_STORE:
    made.location = word_of(analysis, group, copy);
    made.known = copy->from != WB_NO_REGISTER && value_of(group, copy->from, 0, &made.value);
    break;
  default: /* WB_COPY_LOAD */
    word = word_of(analysis, group, copy);
    made.known = word != WB_NOWHERE && value_of(group, word, 0, &made.value);
    if (made.known)
      wb_barrier_machine_of(analysis)->words_read = true;
    break;
  }
  /* A copy may bring the value of one lane to all of the group: then a binding is that lane's, and
   * so is its index, and a number where lanes of other calling contexts may be in the group. */
  const bool own = made.known && made.value.kind == WB_KNOWN_THREAD;
  const bool from_one_lane =
      is_uniform(copy->to) && (own || (copy->kind == WB_COPY_REGISTER && !is_uniform(copy->from) &&
                                       (group->mixed || wb_known_is_binding(&made.value))));
  if (made.known &&
      (from_one_lane || (wb_known_is_unclear(&made.value) && !wb_is_barrier(made.location))))
    made.known = false;
  return made;
}

/* Brings a value to its place; where lanes may not do the instruction, beside the old one. */
static bool bring(struct wb_group *group, struct arrival *arrival, bool certain,
                  const struct wb_known_value *old)
{
  const bool barrier = wb_is_barrier(arrival->location);
  const struct wb_known_value *value = arrival->known ? &arrival->value : NULL;
  struct wb_known_value joined;
  if (barrier && value == NULL) {
    arrival->value = (struct wb_known_value){.kind = WB_KNOWN_LOST};
    value = &arrival->value;
  } else if (barrier && value->kind <= WB_KNOWN_UNBOUND) {
    value = NULL; /* a number that is no binding binds a barrier register to no scope */
  }
  if (!certain) {
    const bool there = wb_known_join(arrival->location, old, value, &joined);
    value = there && !(barrier && joined.kind <= WB_KNOWN_UNBOUND) ? &joined : NULL;
  }
  return wb_group_set(group, arrival->location, value);
}

/* Whether lanes of a warp agree on what a copy makes of their indices: the lanes have neighbouring
 * indices in x, from a multiple of 32 on, where blocks have one row, or rows of whole warps. */
static bool agrees_in_warp(const struct wb_simt_analysis *analysis, const struct wb_group *before,
                           const struct wb_copy *copy)
{
  if (copy->kind != WB_COPY_OF_WARP || !wb_barrier_machine_of(analysis)->rows_of_warps ||
      analysis->options.agreement == WB_AGREEMENT_NONE)
    return false;
  const struct wb_known_value *value =
      copy->from != WB_NO_REGISTER ? wb_group_value(before, copy->from) : NULL;
  return copy->from == WB_NO_REGISTER ||
         (value != NULL && value->kind == WB_KNOWN_THREAD && value->addend % WARP == 0);
}

/* A data instruction that copies values, which come from before it. False on failure. */
static bool copy_values(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  struct wb_group *before = &wb_barrier_machine_of(analysis)->side;
  struct wb_group *group = analysis->block.abstract;
  struct wb_simt_block *block = &analysis->block;
  if (!wb_group_copy(before, group))
    return wb_simt_no_memory(analysis);
  wb_simt_agreement_step(analysis->function, instruction, &block->agreed, &block->written);
  wb_simt_block_settle(analysis);
  size_t count;
  const size_t first = wb_function_copies(analysis->function, block->instruction, &count);
  if (count == 0 || instruction->never || instruction->unknown)
    return true;
  const struct wb_copy *copies = analysis->function->copies + first;
  const bool certain = !wb_instruction_conditional(instruction);
  struct wb_known_value old;
  bool memory = true;
  for (size_t c = 0; c < count && memory; c++) {
    struct arrival arrival = arrival_of(analysis, before, &copies[c]);
    if (certain && agrees_in_warp(analysis, before, &copies[c]))
      wb_register_set_add(&block->agreed, (struct wb_register_span){copies[c].to, 1});
    if (arrival.location == WB_NOWHERE)
      continue;
    const bool there = value_of(before, arrival.location, 0, &old);
    memory = bring(group, &arrival, certain, there ? &old : NULL);
  }
  for (size_t c = 0; c < count && memory; c++) {
    if (!copies[c].clears)
      continue;
    struct wb_known_value joined;
    const bool there = value_of(before, copies[c].from, 0, &old);
    const bool left = !certain && there && wb_known_join(copies[c].from, &old, NULL, &joined) &&
                      joined.kind > WB_KNOWN_UNBOUND;
    memory = wb_group_set(group, copies[c].from, left ? &joined : NULL);
  }
  wb_group_close_unbound(group);
  return memory || wb_simt_no_memory(analysis);
}

/* ---- steps ---- */

/* Lanes end, and others of the warp may go on. */
static void end_lanes(struct wb_simt_analysis *analysis, const struct wb_group *group)
{
  for (struct wb_parting *parting = wb_barrier_parting_of(analysis, group, 0); parting != NULL;
       parting = wb_barrier_parting_after(analysis, group, parting))
    wb_barrier_raise(analysis, &parting->ended, WB_CELL_PARTINGS);
}

/* Lanes may end in what is called. */
static bool call_outside(struct wb_simt_analysis *analysis,
                         const struct wb_instruction *instruction)
{
  struct wb_simt_block *block = &analysis->block;
  struct wb_group *group = analysis->block.abstract;
  group->ended = true;
  end_lanes(analysis, group);
  wb_simt_agreement_step(analysis->function, instruction, &block->agreed, &block->written);
  wb_simt_block_settle(analysis);
  return true;
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
    return copy_values(analysis, instruction);
  }
}

/* ---- linked calls: the code puts the return address into registers ---- */

/* Notes that the present call enters a context, the first time. */
static bool note_call(struct wb_simt_analysis *analysis, uint32_t context)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const struct wb_simt_place site = wb_simt_block_place(analysis, analysis->block.instruction);
  const size_t contexts = machine->first_call_capacity;
  if (!wb_grow(machine->first_calls, &machine->first_call_capacity, (size_t)context + 1))
    return wb_simt_no_memory(analysis);
  memset(machine->first_calls + contexts, 0,
         (machine->first_call_capacity - contexts) * sizeof *machine->first_calls);
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
  wb_simt_changed(analysis, wb_cell_of(WB_CELL_OF_CALLERS, context));
  return true;
}

/* The number by which code returns to an instruction: its address in its section. */
static uint64_t link_to(const struct wb_function *function, uint32_t instruction)
{
  return function->instructions[instruction].address - wb_function_base(function, instruction);
}

/* One of the places that a call goes to: of several its registers say to which. */
static void call_at(struct wb_simt_analysis *analysis, const struct wb_group *group,
                    uint32_t target)
{
  const struct wb_function *function = analysis->function;
  const uint32_t next = analysis->block.instruction + 1;
  /* Where no register holds the address of the next instruction nothing returns to it, and the call
   * is a jump. */
  bool linked = false;
  for (size_t k = 0; next < function->instruction_count && k < group->known_count; k++) {
    const struct wb_known *known = &group->known[k];
    linked |= known->location < WB_LOCATION_SLOTS && known->value.kind == WB_KNOWN_NUMBER &&
              known->value.addend == link_to(function, next);
  }
  if (!linked) {
    wb_barrier_go_on(analysis, WB_EDGE_BRANCH, wb_simt_block_place(analysis, target), group);
    return;
  }
  const uint32_t context = wb_simt_block_callee(analysis, target);
  if (context != WB_NOWHERE && note_call(analysis, context))
    wb_barrier_go_on(analysis, WB_EDGE_CALL, (struct wb_simt_place){target, context}, group);
}

static void call(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction,
                 const struct wb_group *group)
{
  for (uint32_t t = 0; t < instruction->target_count && wb_simt_go_on(analysis); t++)
    call_at(analysis, group, wb_simt_block_target(analysis, t));
}

/* The first call from `call` on, into the present context, that goes on at a number, or at any one
 * (WB_NOWHERE); WB_NOWHERE for none. In code of several sections there may be several. */
static uint32_t next_call(const struct wb_simt_analysis *analysis, uint32_t call, uint64_t number)
{
  const struct wb_barrier_machine *machine = analysis->mechanism_data;
  while (call != WB_NOWHERE && number != WB_NOWHERE &&
         link_to(analysis->function, machine->calls[call].site + 1) != number)
    call = machine->calls[call].next;
  return call;
}

/* The first call into the present context that goes on at the number; WB_NOWHERE as a number: any.
 */
static uint32_t first_call(const struct wb_simt_analysis *analysis, uint64_t number)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const uint32_t context = analysis->block.context;
  const uint32_t calls = context < machine->first_call_capacity ? machine->first_calls[context] : 0;
  return next_call(analysis, calls == 0 ? WB_NOWHERE : calls - 1, number);
}

/* Returns by a number, or without one (WB_NOWHERE); false where no call into the present context
 * goes on there. Lanes of other contexts that are in the group may have come by another one of
 * several calls, though they go on at one address: each edge is taken by some of them. */
static bool return_to(struct wb_simt_analysis *analysis, const struct wb_group *group,
                      uint64_t number)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const uint32_t first = first_call(analysis, number);
  const bool several =
      first != WB_NOWHERE && next_call(analysis, machine->calls[first].next, number) != WB_NOWHERE;
  for (uint32_t c = first; c != WB_NOWHERE && analysis->status == WARPBOUND_OK;
       c = next_call(analysis, machine->calls[c].next, number)) {
    const struct wb_linked_call call = machine->calls[c];
    struct wb_group *back = &wb_barrier_machine_of(analysis)->next;
    if (!wb_group_copy(back, group)) {
      wb_simt_no_memory(analysis);
      break;
    }
    back->mixed = back->mixed && call.context != 0;
    back->undivided = back->undivided && !group->mixed;
    const bool apart = analysis->block.splits || (several && group->mixed);
    const struct wb_simt_transition transition = {.kind = WB_EDGE_RETURN,
                                                  .rate = apart ? WB_RATE_EACH : WB_RATE_SHARED,
                                                  .continuation = WB_NOWHERE};
    wb_barrier_go(analysis, transition, (struct wb_simt_place){call.site + 1, call.context},
                  analysis->block.agreement, back);
  }
  return first != WB_NOWHERE;
}

static void return_linked(struct wb_simt_analysis *analysis,
                          const struct wb_instruction *instruction, const struct wb_group *group)
{
  const struct wb_known_value *link = wb_group_value(group, instruction->link);
  wb_simt_depend(analysis, wb_cell_of(WB_CELL_OF_CALLERS, analysis->block.context));
  if (link == NULL || link->kind != WB_KNOWN_NUMBER) {
    const bool found = return_to(analysis, group, WB_NOWHERE);
    wb_barrier_machine_of(analysis)->links_guessed = true;
    if (!found && analysis->function->kernel)
      wb_simt_refuse(analysis, analysis->block.instruction,
                     "expected a return address that the code shows, found none");
    else if (!analysis->function->kernel && (!found || analysis->block.context == 0))
      wb_simt_note_end(analysis); /* to the caller of the function, which is not looked at */
    return;
  }
  if (return_to(analysis, group, link->addend) || analysis->status != WARPBOUND_OK)
    return;
  /* Which section's it is would have to be known in linked code. */
  const size_t at = wb_function_at(analysis->function, link->addend);
  if (at == SIZE_MAX || analysis->function->part_count > 1) {
    wb_simt_refuse(analysis, analysis->block.instruction,
                   "expected a return to an instruction, found another address");
  } else {
    if (!analysis->layout.leaders[at])
      wb_simt_refuse(analysis, analysis->block.instruction,
                     "expected a return to where a call goes on, found another place");
    else
      wb_barrier_go_on(analysis, WB_EDGE_BRANCH, wb_simt_block_place(analysis, (uint32_t)at),
                       group);
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

/* Whether a branch that lanes do together can be done, or not be done: where all 32 lanes are here,
 * a comparison with the mask of all lanes is decided. */
static bool may_be_done(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction,
                        const struct wb_group *group, bool done)
{
  if (!instruction->together || group->origin != WB_ORIGIN_WHOLE || group->ended ||
      analysis->block.splits || !wb_barrier_mask_is_all(analysis, instruction, group))
    return true;
  if (wb_barrier_machine_of(analysis)->whole_warps)
    return instruction->unless_all != done;
  wb_simt_note(analysis, WB_NOTED_BY_BLOCK);
  return true;
}

/* Where lanes go on that compared themselves with the mask of all lanes, and of whom none is
 * missing: they are all that have not ended. */
static void find_all_here(struct wb_simt_analysis *analysis,
                          const struct wb_instruction *instruction, bool done,
                          struct wb_group *group)
{
  if (!instruction->together || instruction->unless_all == done ||
      group->origin == WB_ORIGIN_WHOLE || instruction->guarded || instruction->conditional_code ||
      instruction->second_predicate || !wb_barrier_mask_is_all(analysis, instruction, group))
    return;
  wb_barrier_make_whole(analysis, group);
}

/* Whether lanes of a group may return to places of their own: there are several, the address is not
 * known, nor that it is one for all lanes. So it is where a recursive function keeps it in memory.
 */
static bool returns_apart(const struct wb_simt_analysis *analysis,
                          const struct wb_instruction *instruction, const struct wb_group *group)
{
  if (instruction->transfer != WB_TRANSFER_RETURN_LINKED)
    return false;
  const struct wb_known_value *link = wb_group_value(group, instruction->link);
  if ((link != NULL && link->kind == WB_KNOWN_NUMBER) ||
      wb_simt_index_agrees(analysis->function, instruction, &analysis->block.agreed))
    return false;
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const uint32_t call = first_call(analysis, WB_NOWHERE);
  const bool leaves = !analysis->function->kernel && analysis->block.context == 0;
  return call != WB_NOWHERE &&
         (leaves || next_call(analysis, machine->calls[call].next, WB_NOWHERE) != WB_NOWHERE);
}

void wb_barrier_all_do(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  struct wb_group *whole = analysis->block.abstract;
  struct wb_group *group = &machine->side;
  if (returns_apart(analysis, instruction, whole))
    analysis->block.splits = true;
  const bool comes_apart = analysis->block.splits && instruction->transfer != WB_TRANSFER_EXIT;
  machine->came_apart = WB_NOWHERE;
  if (!may_be_done(analysis, instruction, whole, true))
    return;
  if (comes_apart && !wb_barrier_part(analysis, instruction, whole))
    return;
  if (!wb_group_copy(group, whole) || !assume_guard(instruction, true, group)) {
    wb_simt_no_memory(analysis);
    return;
  }
  if (comes_apart && instruction->transfer == WB_TRANSFER_BRANCH && !instruction->together)
    wb_barrier_take_side(analysis, true, group);
  wb_barrier_note_way(analysis, instruction, true, group);
  find_all_here(analysis, instruction, true, group);
  switch (instruction->transfer) {
  case WB_TRANSFER_BRANCH:
  case WB_TRANSFER_INDEXED_BRANCH:
    for (uint32_t t = 0; t < instruction->target_count && wb_simt_go_on(analysis); t++)
      wb_barrier_go_on(analysis, WB_EDGE_BRANCH,
                       wb_simt_block_place(analysis, wb_simt_block_target(analysis, t)), group);
    break;
  case WB_TRANSFER_SCOPE_SYNC:
    wb_scope_sync(analysis, instruction, group);
    break;
  case WB_TRANSFER_WARP_SYNC:
    wb_warp_sync(analysis, instruction, group);
    break;
  case WB_TRANSFER_CALL_LINKED:
    call(analysis, instruction, group);
    break;
  case WB_TRANSFER_RETURN_LINKED:
    return_linked(analysis, instruction, group);
    break;
  default: /* WB_TRANSFER_EXIT */
    end_lanes(analysis, whole);
    wb_simt_note_end(analysis);
    break;
  }
}

void wb_barrier_none_do(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  struct wb_group *whole = analysis->block.abstract;
  struct wb_group *group = &wb_barrier_machine_of(analysis)->side;
  const struct wb_simt_place next = wb_simt_block_next(analysis);
  if (!instruction->guarded && !may_be_done(analysis, instruction, whole, false))
    return;
  if (!wb_group_copy(group, whole) || !assume_guard(instruction, false, group)) {
    wb_simt_no_memory(analysis);
    return;
  }
  if (!instruction->together)
    wb_barrier_take_side(analysis, false, group);
  wb_barrier_note_way(analysis, instruction, false, group);
  find_all_here(analysis, instruction, false, group);
  if (instruction->transfer == WB_TRANSFER_EXIT && analysis->block.splits)
    group->ended = true;
  wb_barrier_go_on(analysis, WB_EDGE_FALLTHROUGH, next, group);
}
