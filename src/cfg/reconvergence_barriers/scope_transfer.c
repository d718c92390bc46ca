/* Scopes: BSSY makes one, BSYNC waits for all of its lanes, BREAK leaves it. */
#include "cfg/reconvergence_barriers/barrier_machine.h"

#include "base/memory.h"
#include "cfg/simt/simt_block.h"
#include "cfg/simt/simt_fixpoint.h"
#include "cfg/simt/simt_record.h"

static uint32_t location_of(const struct wb_instruction *instruction)
{
  return WB_REGISTER_BARRIER + (uint32_t)instruction->barrier;
}

/* ---- BSSY ---- */

/* Joins the group that makes a scope into what is kept of it; opened: it is in the scope itself
 * already, as its innermost one, which is left out. */
static bool note_made(struct wb_simt_analysis *analysis, uint32_t number, struct wb_group *group,
                      bool opened)
{
  struct wb_scope *scope = &wb_barrier_machine_of(analysis)->scopes[number];
  group->scope_count -= opened;
  const bool joined = wb_barrier_join(analysis, &scope->made, group, wb_cell_of_scope(number));
  group->scope_count += opened;
  return joined;
}

bool wb_scope_open(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  struct wb_group *group = wb_group_of_block(analysis);
  const uint32_t scope = wb_scope_of_block(analysis, wb_simt_block_target(analysis, 0));
  if (scope == WB_NOWHERE)
    return false;
  const bool certain = !wb_instruction_conditional(instruction);
  const struct wb_known_value value = {.kind = (uint8_t)(certain ? WB_KNOWN_SCOPE : WB_KNOWN_ANY),
                                       .base = certain ? scope : 0};
  wb_simt_note_making(analysis, wb_continuation_of_scope(scope), !certain);
  if (!certain) /* some lanes may be in it, others not: nothing is kept of who is */
    wb_barrier_raise(analysis, &machine->scopes[scope].broken, wb_cell_of_scope(scope));
  if ((certain && !wb_group_open(group, scope)) ||
      !wb_group_set(group, location_of(instruction), &value))
    return wb_simt_no_memory(analysis);
  wb_group_close_unbound(group);
  return note_made(analysis, scope, group, certain);
}

/* ---- BREAK ---- */

static bool add_use(struct wb_simt_analysis *analysis, struct wb_scope_use **uses, size_t *count,
                    size_t *capacity, uint32_t scope)
{
  if (analysis->record == NULL)
    return true;
  if (!wb_grow(*uses, capacity, *count + 1))
    return wb_simt_no_memory(analysis);
  (*uses)[(*count)++] = (struct wb_scope_use){scope, analysis->block.instruction};
  return true;
}

/* The present block breaks a scope. */
static bool note_break(struct wb_simt_analysis *analysis, uint32_t scope)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  wb_barrier_raise(analysis, &machine->scopes[scope].broken, wb_cell_of_scope(scope));
  if (analysis->record == NULL)
    return true;
  if (machine->breaks_state != analysis->block.state)
    machine->break_count = 0;
  machine->breaks_state = analysis->block.state;
  if (!wb_grow(machine->breaks, &machine->break_capacity, machine->break_count + 1))
    return wb_simt_no_memory(analysis);
  machine->breaks[machine->break_count++] = scope;
  return add_use(analysis, &machine->leavings, &machine->leaving_count, &machine->leaving_capacity,
                 scope);
}

/* What a location that is bound to the scope holds after a BREAK of some lanes. */
static struct wb_known_value after_break(const struct wb_instruction *instruction,
                                         const struct wb_known_value *value)
{
  struct wb_known_value left = {.kind = WB_KNOWN_SCOPE_MAYBE, .base = value->base};
  const bool by_guard = instruction->guarded && !instruction->conditional_code &&
                        !instruction->second_predicate && value->kind == WB_KNOWN_SCOPE;
  if (by_guard) {
    left.kind = WB_KNOWN_SCOPE_UNLESS;
    left.predicate = instruction->guard;
    left.unbound_where = !instruction->guard_negated;
  }
  return left;
}

/* Some lanes leave the scope: so do all bindings to it in them. */
static void leave_some(const struct wb_instruction *instruction, struct wb_group *group,
                       uint32_t scope)
{
  for (size_t k = 0; k < group->known_count; k++) {
    struct wb_known *known = &group->known[k];
    struct wb_known_value resolved;
    const struct wb_known_value *value = wb_group_binding(group, known->location, &resolved);
    if (value != NULL && value->kind >= WB_KNOWN_SCOPE && value->kind < WB_KNOWN_ANY &&
        value->base == scope)
      known->value = after_break(instruction, value);
  }
}

/* Which scope is left is not known: every one may be. */
static bool break_any(struct wb_simt_analysis *analysis, struct wb_group *group)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  wb_simt_depend(analysis, WB_CELL_SCOPES);
  wb_barrier_raise(analysis, &machine->all_broken, WB_CELL_FLAGS);
  for (size_t k = 0; k < group->known_count; k++) {
    struct wb_known_value *value = &group->known[k].value;
    if (value->kind >= WB_KNOWN_SCOPE && value->kind < WB_KNOWN_ANY)
      *value = (struct wb_known_value){.kind = WB_KNOWN_SCOPE_MAYBE, .base = value->base};
  }
  bool memory = true;
  for (uint32_t s = 0; s < machine->scope_count && memory; s++)
    memory = add_use(analysis, &machine->leavings, &machine->leaving_count,
                     &machine->leaving_capacity, s);
  return memory;
}

/* The barrier register of lanes that do the BREAK is bound to none. False where memory is out. */
static bool free_register(const struct wb_instruction *instruction, struct wb_group *group)
{
  return wb_instruction_conditional(instruction) ||
         wb_group_set(group, location_of(instruction), NULL);
}

bool wb_scope_break(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  struct wb_group *group = wb_group_of_block(analysis);
  const uint32_t location = location_of(instruction);
  struct wb_known_value resolved;
  const struct wb_known_value *value = wb_group_binding(group, location, &resolved);
  if (value == NULL) {
    wb_simt_note(analysis, WB_NOTED_UNMATCHED);
    return true;
  }
  if (value->kind == WB_KNOWN_ANY)
    return break_any(analysis, group);
  const uint32_t scope = (uint32_t)value->base;
  if (!note_break(analysis, scope))
    return false;
  if (wb_instruction_conditional(instruction) || value->kind != WB_KNOWN_SCOPE)
    leave_some(instruction, group, scope);
  else
    wb_group_leave(group, scope);
  return free_register(instruction, group) || wb_simt_no_memory(analysis);
}

/* ---- lanes that let others run on ---- */

void wb_scope_yield(struct wb_simt_analysis *analysis)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const struct wb_group *group = wb_group_of_block(analysis);
  bool waited_for = group->scope_count > 0;
  for (size_t s = 0; s < group->scope_count; s++) {
    const uint32_t scope = group->scopes[s].scope;
    wb_barrier_raise(analysis, &machine->scopes[scope].yields, wb_cell_of_scope(scope));
  }
  for (size_t k = 0; k < group->known_count; k++) {
    const struct wb_known_value *value = &group->known[k].value;
    if (value->kind == WB_KNOWN_ANY)
      wb_barrier_raise(analysis, &machine->all_yield, WB_CELL_FLAGS);
    else if (value->kind >= WB_KNOWN_SCOPE)
      wb_barrier_raise(analysis, &machine->scopes[value->base].yields,
                       wb_cell_of_scope((uint32_t)value->base));
    waited_for = waited_for || value->kind >= WB_KNOWN_SCOPE;
  }
  if (waited_for)
    wb_simt_note(analysis, WB_NOTED_LETS_GO);
}

/* ---- BSYNC ---- */

/* How a group comes to wait for a scope. */
struct waiting {
  uint32_t scope;
  uint32_t location; /* the barrier register */
  bool certain;      /* all its lanes are bound to it */
  bool alone;        /* no other lanes go on over the same edge */
  bool inside;       /* it is known to be in one execution of it */
};

/* The lanes that wait are not in the scope any more, and their barrier register is free. False
 * where memory is out. */
static bool leave(struct wb_group *group, const struct waiting *waiting)
{
  wb_group_leave(group, waiting->scope);
  return wb_group_set(group, waiting->location, NULL);
}

/* Joins into a scope what the lanes of a group that comes to wait agree on, or agreed on when all
 * of them were together. */
static void join_agreement(struct wb_simt_analysis *analysis, uint32_t number,
                           const struct wb_together *together)
{
  struct wb_scope *scope = &wb_barrier_machine_of(analysis)->scopes[number];
  struct wb_together now = *together;
  wb_together_part(&analysis->sets, &now, analysis->block.agreement);
  const uint32_t agreement =
      scope->arrived.reached
          ? wb_register_sets_both(&analysis->sets, scope->agreement, now.agreement)
          : now.agreement;
  const uint32_t lost = wb_register_sets_either(&analysis->sets, scope->lost, together->lost);
  if ((agreement == scope->agreement && lost == scope->lost) || analysis->record != NULL)
    return;
  if (wb_simt_searching(analysis)) {
    scope->agreement = agreement;
    scope->lost = lost;
  }
  wb_simt_changed(analysis, wb_cell_of_scope(number));
}

/* Joins the group into those that wait for the scope, with the scopes around it. */
static bool arrive(struct wb_simt_analysis *analysis, const struct wb_group *group,
                   const struct waiting *waiting)
{
  static const struct wb_together never = {true, WB_REGISTERS_NONE, WB_REGISTERS_ALL};
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  struct wb_scope *scope = &machine->scopes[waiting->scope];
  const uint32_t cell = wb_cell_of_scope(waiting->scope);
  const size_t index = wb_group_scope(group, waiting->scope);
  struct wb_group *arriving = &machine->next;
  if (!wb_group_copy(arriving, group) || !leave(arriving, waiting))
    return wb_simt_no_memory(analysis);
  arriving->scope_count = index != SIZE_MAX ? index : 0; /* what is around it is not known else */
  join_agreement(analysis, waiting->scope,
                 index != SIZE_MAX ? &group->scopes[index].together : &never);
  return wb_barrier_join(analysis, &scope->arrived, arriving, cell);
}

/* Where all lanes of the scope that have not ended come together they are those who made it: they
 * are together with others as their maker was. Where the maker was not the whole warp, the warp may
 * have been whole, and have come apart anew, while the scope was open. */
static void restore_together(struct wb_simt_analysis *analysis, const struct wb_group *made,
                             struct wb_group *released)
{
  for (size_t s = 0; s < released->scope_count; s++) {
    const size_t index = wb_group_scope(made, released->scopes[s].scope);
    if (index != SIZE_MAX && !made->scopes[index].together.apart)
      released->scopes[s].together = (struct wb_together){0};
  }
  if (made->origin != WB_ORIGIN_WHOLE)
    return;
  released->ended = made->ended || wb_barrier_lanes_ended(analysis, released);
  released->origin = WB_ORIGIN_WHOLE;
  released->bypassed = false;
  released->warp = (struct wb_together){0};
}

/* The group that the lanes of a scope become. */
static bool make_released(struct wb_simt_analysis *analysis, const struct wb_scope *scope,
                          bool waits_for_all, struct wb_group *released)
{
  const bool broken = scope->broken || wb_barrier_machine_of(analysis)->all_broken;
  if (!wb_group_copy(released, &scope->arrived))
    return wb_simt_no_memory(analysis);
  released->mixed = released->mixed || scope->made.mixed;
  if (waits_for_all && !broken)
    restore_together(analysis, &scope->made, released);
  return true;
}

static bool waits_for_all(const struct wb_simt_analysis *analysis, const struct wb_scope *scope)
{
  const bool yields = scope->yields || wb_barrier_machine_of(analysis)->all_yield;
  return analysis->options.waiting == WB_WAITING_ALWAYS ||
         (analysis->options.waiting == WB_WAITING_UNLESS_YIELD && !yields);
}

/* Lanes that wait for the scope go on together at its point. */
static void release(struct wb_simt_analysis *analysis, const struct waiting *waiting)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const uint32_t number = waiting->scope;
  wb_simt_depend(analysis, wb_cell_of_scope(number));
  wb_simt_depend(analysis, WB_CELL_FLAGS);
  struct wb_group *released = &machine->next;
  const struct wb_scope *scope = &machine->scopes[number];
  if (!scope->made.reached || !scope->arrived.reached)
    return;
  if (!make_released(analysis, scope, waits_for_all(analysis, scope), released))
    return;
  const uint32_t agreement =
      wb_barrier_agreement(analysis, scope->agreement, scope->lost, released);
  const bool falls = scope->point == analysis->block.instruction + 1;
  const struct wb_simt_transition transition = {
      .kind = falls ? WB_EDGE_FALLTHROUGH : WB_EDGE_BRANCH,
      .rate = waiting->alone && waiting->inside ? WB_RATE_SHARED : WB_RATE_LANES,
      .continuation = waiting->alone ? wb_continuation_of_scope(number) : WB_NOWHERE};
  const struct wb_simt_place place = {scope->point, scope->context};
  wb_simt_note_match(analysis, scope->point);
  if (add_use(analysis, &machine->syncs, &machine->sync_count, &machine->sync_capacity, number))
    wb_barrier_go(analysis, transition, place, agreement, released);
}

/* Where no lane waits: the group goes on at the scope's point as it is, in its own context. */
static void pass(struct wb_simt_analysis *analysis, const struct wb_group *group,
                 const struct waiting *waiting)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  struct wb_group *passing = &machine->next;
  const struct wb_scope *scope = &machine->scopes[waiting->scope];
  const struct wb_simt_place place = wb_simt_block_place(analysis, scope->point);
  const bool falls = place.instruction == analysis->block.instruction + 1;
  if (!wb_group_copy(passing, group) || !leave(passing, waiting)) {
    wb_simt_no_memory(analysis);
    return;
  }
  const struct wb_simt_transition transition = {
      .kind = falls ? WB_EDGE_FALLTHROUGH : WB_EDGE_BRANCH,
      .rate = waiting->certain && !analysis->block.splits ? WB_RATE_SHARED : WB_RATE_EACH,
      .continuation = WB_NOWHERE};
  wb_simt_note_match(analysis, place.instruction);
  if (add_use(analysis, &machine->syncs, &machine->sync_count, &machine->sync_capacity,
              waiting->scope))
    wb_barrier_go(analysis, transition, place, analysis->block.agreement, passing);
}

static void wait_for(struct wb_simt_analysis *analysis, const struct wb_group *group,
                     const struct waiting *waiting)
{
  if (analysis->options.waiting == WB_WAITING_NEVER)
    pass(analysis, group, waiting);
  else if (arrive(analysis, group, waiting))
    release(analysis, waiting);
}

/* Lanes that wait for no scope go on at the next instruction. */
static void go_on_unbound(struct wb_simt_analysis *analysis, const struct wb_group *group,
                          uint32_t location)
{
  struct wb_group *unbound = &wb_barrier_machine_of(analysis)->next;
  wb_simt_note(analysis, WB_NOTED_UNMATCHED);
  if (!wb_group_copy(unbound, group) || !wb_group_set(unbound, location, NULL)) {
    wb_simt_no_memory(analysis);
    return;
  }
  wb_group_close_unbound(unbound);
  wb_barrier_go_on(analysis, WB_EDGE_FALLTHROUGH,
                   wb_simt_block_place(analysis, analysis->block.instruction + 1), unbound);
}

/* The lanes may wait for any scope, or for none. */
static void wait_for_any(struct wb_simt_analysis *analysis, const struct wb_group *group,
                         uint32_t location)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  wb_simt_depend(analysis, WB_CELL_SCOPES);
  for (uint32_t s = 0; s < machine->scope_count && wb_simt_go_on(analysis); s++) {
    const struct waiting waiting = {.scope = s, .location = location};
    wait_for(analysis, group, &waiting);
  }
}

void wb_scope_sync(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction,
                   struct wb_group *group)
{
  const uint32_t location = location_of(instruction);
  struct wb_known_value resolved;
  const struct wb_known_value *value = wb_group_binding(group, location, &resolved);
  const bool certain = value != NULL && value->kind == WB_KNOWN_SCOPE;
  const bool together =
      value == NULL || (certain && wb_group_scope(group, (uint32_t)value->base) != SIZE_MAX);
  if (!together) { /* those of several scopes, or of none, go separate ways */
    analysis->block.splits = true;
    if (!wb_barrier_part(analysis, group))
      return;
  }
  if (value != NULL && value->kind != WB_KNOWN_ANY) {
    const uint32_t scope = (uint32_t)value->base;
    const struct waiting waiting = {.scope = scope,
                                    .location = location,
                                    .certain = certain,
                                    .alone = certain && !wb_instruction_conditional(instruction),
                                    .inside = wb_group_scope(group, scope) != SIZE_MAX};
    wait_for(analysis, group, &waiting);
  } else if (value != NULL) {
    wait_for_any(analysis, group, location);
  }
  if (!certain && analysis->status == WARPBOUND_OK)
    go_on_unbound(analysis, group, location);
}
