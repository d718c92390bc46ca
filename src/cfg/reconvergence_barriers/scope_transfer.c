/* Where lanes wait for each other. Scopes: BSSY makes one, BSYNC waits for all of its lanes, BREAK
 * leaves it. WARPSYNC: of all lanes of the warp it waits for all that have not ended; of others it
 * is not known for whom. */
#include "cfg/reconvergence_barriers/barrier_machine.h"

#include "base/memory.h"

#define ALL_LANES UINT32_MAX

static uint32_t location_of(const struct wb_instruction *instruction)
{
  return WB_REGISTER_BARRIER + (uint32_t)instruction->barrier;
}

/* ---- BSSY ---- */

/* The scope that the present BSSY makes; WB_NOWHERE on failure. */
static uint32_t scope_of_block(struct wb_simt_analysis *analysis)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const uint32_t instruction = analysis->block.instruction;
  const uint32_t context = analysis->block.context;
  bool made;
  const uint32_t scope =
      wb_barrier_number(analysis, &machine->scope_names, instruction, context, &made);
  if (!made)
    return scope;
  if (scope == WB_NOWHERE ||
      !wb_grow(machine->scopes, &machine->scope_capacity, machine->scope_count + 1)) {
    wb_simt_no_memory(analysis);
    return WB_NOWHERE;
  }
  const uint32_t point = wb_simt_block_target(analysis, 0);
  machine->scopes[machine->scope_count++] = (struct wb_scope){.instruction = instruction,
                                                              .context = context,
                                                              .point = point,
                                                              .next = machine->first_scopes[point]};
  machine->first_scopes[point] = scope;
  wb_simt_changed(analysis, WB_CELL_SCOPES);
  wb_simt_changed(analysis, wb_cell_of_point(point));
  return scope;
}

bool wb_scope_open(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  struct wb_group *group = analysis->block.abstract;
  const uint32_t number = scope_of_block(analysis);
  if (number == WB_NOWHERE)
    return false;
  struct wb_scope *scope = &wb_barrier_machine_of(analysis)->scopes[number];
  const bool certain = !wb_instruction_conditional(instruction);
  const struct wb_known_value value = {.kind = (uint8_t)(certain ? WB_KNOWN_SCOPE : WB_KNOWN_ANY),
                                       .base = certain ? number : 0};
  wb_simt_note_making(analysis, wb_continuation_of_scope(number), !certain);
  if (!certain) /* some lanes may be in it, others not: nothing is kept of who is */
    wb_barrier_raise(analysis, &scope->broken, wb_cell_of(WB_CELL_OF_SCOPE, number));
  if ((certain && !wb_group_open(group, number)) ||
      !wb_group_set(group, location_of(instruction), &value))
    return wb_simt_no_memory(analysis);
  wb_group_close_unbound(group);
  /* Joins the group into those that make it, without the scope itself, which is its innermost. */
  group->scope_count -= certain;
  const bool joined =
      wb_barrier_join(analysis, &scope->made, group, wb_cell_of(WB_CELL_OF_SCOPE, number));
  group->scope_count += certain;
  return joined;
}

/* ---- BREAK ---- */

/* Notes that the present instruction waits for a scope, or leaves it. */
static bool add_use(struct wb_simt_analysis *analysis, struct wb_scope_uses *uses, uint32_t scope)
{
  if (analysis->record == NULL)
    return true;
  if (!wb_grow(uses->items, &uses->capacity, uses->count + 1))
    return wb_simt_no_memory(analysis);
  uses->items[uses->count++] = (struct wb_scope_use){scope, analysis->block.instruction};
  return true;
}

/* Some lanes leave the scope: so do all bindings to it in them. */
static void leave_some(const struct wb_instruction *instruction, struct wb_group *group,
                       uint32_t scope)
{
  const bool guard_decides =
      instruction->guarded && !instruction->conditional_code && !instruction->second_predicate;
  for (size_t k = 0; k < group->known_count; k++) {
    struct wb_known *known = &group->known[k];
    struct wb_known_value resolved;
    const struct wb_known_value *value = wb_group_binding(group, known->location, &resolved);
    if (value == NULL || !wb_known_names_scope(value) || value->base != scope)
      continue;
    struct wb_known_value left = {.kind = WB_KNOWN_SCOPE_MAYBE, .base = scope};
    if (guard_decides && value->kind == WB_KNOWN_SCOPE) {
      left.kind = WB_KNOWN_SCOPE_UNLESS;
      left.predicate = instruction->guard;
      left.unbound_where = !instruction->guard_negated;
    }
    known->value = left;
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
    if (wb_known_names_scope(value))
      *value = (struct wb_known_value){.kind = WB_KNOWN_SCOPE_MAYBE, .base = value->base};
  }
  for (uint32_t s = 0; s < machine->scope_count; s++)
    add_use(analysis, &machine->leavings, s);
  return analysis->status == WARPBOUND_OK;
}

bool wb_scope_break(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  struct wb_group *group = analysis->block.abstract;
  const uint32_t location = location_of(instruction);
  struct wb_known_value resolved;
  const struct wb_known_value *value = wb_group_binding(group, location, &resolved);
  if (value == NULL) {
    wb_simt_note(analysis, WB_NOTED_UNMATCHED);
    return true;
  }
  if (wb_known_is_unclear(value))
    return break_any(analysis, group);
  const uint32_t scope = (uint32_t)value->base;
  wb_barrier_raise(analysis, &machine->scopes[scope].broken, wb_cell_of(WB_CELL_OF_SCOPE, scope));
  if (analysis->record != NULL) { /* the present block breaks the scope */
    if (machine->breaks_state != analysis->block.state)
      machine->break_count = 0;
    machine->breaks_state = analysis->block.state;
    if (!wb_grow(machine->breaks, &machine->break_capacity, machine->break_count + 1))
      return wb_simt_no_memory(analysis);
    machine->breaks[machine->break_count++] = scope;
    if (!add_use(analysis, &machine->leavings, scope))
      return false;
  }
  const bool certain = !wb_instruction_conditional(instruction);
  if (certain && value->kind == WB_KNOWN_SCOPE)
    wb_group_leave(group, scope);
  else
    leave_some(instruction, group, scope);
  return !certain || wb_group_set(group, location, NULL) || wb_simt_no_memory(analysis);
}

/* ---- lanes that let others run on ---- */

void wb_scope_yield(struct wb_simt_analysis *analysis)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const struct wb_group *group = analysis->block.abstract;
  bool waited_for = group->scope_count > 0;
  for (size_t s = 0; s < group->scope_count; s++) {
    const uint32_t scope = group->scopes[s].scope;
    wb_barrier_raise(analysis, &machine->scopes[scope].yields, wb_cell_of(WB_CELL_OF_SCOPE, scope));
  }
  for (size_t k = 0; k < group->known_count; k++) {
    const struct wb_known_value *value = &group->known[k].value;
    if (wb_known_is_unclear(value))
      wb_barrier_raise(analysis, &machine->all_yield, WB_CELL_FLAGS);
    else if (value->kind >= WB_KNOWN_SCOPE)
      wb_barrier_raise(analysis, &machine->scopes[value->base].yields,
                       wb_cell_of(WB_CELL_OF_SCOPE, (uint32_t)value->base));
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
 * of them were together, and whether the scope may lack lanes of the group's side. */
static void join_agreement(struct wb_simt_analysis *analysis, uint32_t number,
                           const struct wb_together *together, bool divided)
{
  struct wb_scope *scope = &wb_barrier_machine_of(analysis)->scopes[number];
  struct wb_together now = *together;
  wb_together_part(&analysis->sets, &now, analysis->block.agreement);
  const uint32_t agreement =
      scope->arrived.reached
          ? wb_register_sets_both(&analysis->sets, scope->agreement, now.agreement)
          : now.agreement;
  const uint32_t lost = wb_register_sets_either(&analysis->sets, scope->lost, together->lost);
  if ((agreement == scope->agreement && lost == scope->lost && divided <= scope->divided) ||
      analysis->record != NULL)
    return;
  if (wb_simt_searching(analysis)) {
    scope->divided = scope->divided || divided;
    scope->agreement = agreement;
    scope->lost = lost;
  }
  wb_simt_changed(analysis, wb_cell_of(WB_CELL_OF_SCOPE, number));
}

/* Joins the group into those that wait for the scope, with the scopes around it. */
static bool arrive(struct wb_simt_analysis *analysis, const struct wb_group *group,
                   const struct waiting *waiting)
{
  static const struct wb_together never = {true, WB_REGISTERS_NONE, WB_REGISTERS_ALL};
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  struct wb_scope *scope = &machine->scopes[waiting->scope];
  const uint32_t cell = wb_cell_of(WB_CELL_OF_SCOPE, waiting->scope);
  const size_t index = wb_group_scope(group, waiting->scope);
  struct wb_group *arriving = &machine->next;
  if (!wb_group_copy(arriving, group) || !leave(arriving, waiting))
    return wb_simt_no_memory(analysis);
  arriving->scope_count = index != SIZE_MAX ? index : 0; /* what is around it is not known else */
  join_agreement(analysis, waiting->scope,
                 index != SIZE_MAX ? &group->scopes[index].together : &never,
                 index == SIZE_MAX || !group->scopes[index].of_side);
  return wb_barrier_join(analysis, &scope->arrived, arriving, cell);
}

/* Where all lanes of the scope that have not ended come together they are those who made it: they
 * are together with others as their maker was. Where the maker was not the whole warp, the warp may
 * have been whole, and have come apart anew, while the scope was open. */
static void restore_together(struct wb_simt_analysis *analysis, const struct wb_scope *scope,
                             struct wb_group *released)
{
  const struct wb_group *made = &scope->made;
  released->undivided = released->undivided || (!scope->divided && !released->mixed);
  for (size_t s = 0; s < released->scope_count; s++) {
    const size_t index = wb_group_scope(made, released->scopes[s].scope);
    if (index != SIZE_MAX && !made->scopes[index].together.apart)
      released->scopes[s].together = (struct wb_together){0};
  }
  if (made->origin != WB_ORIGIN_WHOLE)
    return;
  released->ended = made->ended || wb_barrier_lanes_ended(analysis, released);
  wb_barrier_forget_parting(released);
}

bool wb_scope_waits_for_all(const struct wb_simt_analysis *analysis, const struct wb_scope *scope)
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
  wb_simt_depend(analysis, wb_cell_of(WB_CELL_OF_SCOPE, number));
  wb_simt_depend(analysis, WB_CELL_FLAGS);
  struct wb_group *released = &machine->next;
  const struct wb_scope *scope = &machine->scopes[number];
  if (!scope->made.reached || !scope->arrived.reached)
    return;
  if (!wb_group_copy(released, &scope->arrived)) {
    wb_simt_no_memory(analysis);
    return;
  }
  released->mixed = released->mixed || scope->made.mixed;
  if (wb_scope_waits_for_all(analysis, scope) && !scope->broken && !machine->all_broken)
    restore_together(analysis, scope, released);
  else if (released->origin != WB_ORIGIN_WHOLE)
    released->undivided = false; /* lanes may be released without others that wait */
  const uint32_t agreement =
      wb_barrier_agreement(analysis, scope->agreement, scope->lost, released);
  const bool falls = scope->point == analysis->block.instruction + 1;
  const struct wb_simt_transition transition = {
      .kind = falls ? WB_EDGE_FALLTHROUGH : WB_EDGE_BRANCH,
      .rate = waiting->alone && waiting->inside ? WB_RATE_SHARED : WB_RATE_LANES,
      .continuation = waiting->alone ? wb_continuation_of_scope(number) : WB_NOWHERE};
  const struct wb_simt_place place = {scope->point, scope->context};
  wb_simt_note_match(analysis, scope->point);
  if (add_use(analysis, &machine->syncs, number))
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
  if (add_use(analysis, &machine->syncs, waiting->scope))
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

/* The lanes may be bound to any scope, or to none. Where their mask was lost, and the code has
 * scopes that end at the next instruction, they are taken to wait for one of these, or for the
 * scope that the others are bound to (doc/simt-volta.md, "Transfer"). */
static void wait_for_any(struct wb_simt_analysis *analysis, const struct wb_group *group,
                         const struct wb_known_value *value, struct waiting *waiting)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const uint32_t next = analysis->block.instruction + 1;
  const bool by_place = value->kind != WB_KNOWN_ANY &&
                        next < analysis->function->instruction_count && machine->points[next];
  waiting->scope = (uint32_t)value->base;
  if (by_place && value->kind == WB_KNOWN_LOST_OR_SCOPE &&
      machine->scopes[waiting->scope].point != next)
    wait_for(analysis, group, waiting);
  machine->scopes_guessed = machine->scopes_guessed || by_place;
  wb_simt_depend(analysis, by_place ? wb_cell_of_point(next) : WB_CELL_SCOPES);
  uint32_t scope = by_place ? machine->first_scopes[next] : 0;
  while (scope < machine->scope_count && wb_simt_go_on(analysis)) {
    waiting->scope = scope;
    wait_for(analysis, group, waiting);
    scope = by_place ? machine->scopes[scope].next : scope + 1;
  }
}

void wb_scope_sync(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction,
                   struct wb_group *group)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  struct waiting waiting = {.location = location_of(instruction)};
  struct wb_known_value resolved;
  const struct wb_known_value *value = wb_group_binding(group, waiting.location, &resolved);
  const bool certain = value != NULL && value->kind == WB_KNOWN_SCOPE;
  const bool together =
      value == NULL || (certain && wb_group_scope(group, (uint32_t)value->base) != SIZE_MAX);
  if (!together) { /* those of several scopes, or of none, go separate ways */
    analysis->block.splits = true;
    if (!wb_barrier_part(analysis, NULL, group))
      return;
  }
  if (value != NULL && !wb_known_is_unclear(value)) {
    waiting.scope = (uint32_t)value->base;
    waiting.certain = certain;
    waiting.alone = certain && !wb_instruction_conditional(instruction);
    waiting.inside = wb_group_scope(group, waiting.scope) != SIZE_MAX;
    wait_for(analysis, group, &waiting);
  } else if (value != NULL) {
    wait_for_any(analysis, group, value, &waiting);
  }
  if (certain || analysis->status != WARPBOUND_OK)
    return;
  /* Lanes that wait for no scope go on at the next instruction. */
  struct wb_group *unbound = &machine->next;
  wb_simt_note(analysis, WB_NOTED_UNMATCHED);
  if (!wb_group_copy(unbound, group) || !wb_group_set(unbound, waiting.location, NULL)) {
    wb_simt_no_memory(analysis);
    return;
  }
  wb_group_close_unbound(unbound);
  wb_barrier_go_on(analysis, WB_EDGE_FALLTHROUGH, wb_simt_block_next(analysis), unbound);
}

/* ---- WARPSYNC ---- */

/* The value of the register with the mask, where it is known; else NULL. */
static const struct wb_known_value *mask_value(const struct wb_simt_analysis *analysis,
                                               const struct wb_instruction *instruction,
                                               const struct wb_group *group)
{
  for (uint32_t s = 0; s < instruction->read_count; s++) {
    const struct wb_register_span span = analysis->function->spans[instruction->first_read + s];
    const bool predicate =
        span.first == instruction->guard ||
        (span.first >= WB_REGISTER_PREDICATE && span.first < WB_REGISTER_UNIFORM) ||
        span.first >= WB_REGISTER_UNIFORM_PREDICATE;
    if (!predicate)
      return wb_group_value(group, span.first);
  }
  return NULL;
}

bool wb_barrier_mask_is_all(const struct wb_simt_analysis *analysis,
                            const struct wb_instruction *instruction, const struct wb_group *group)
{
  if (instruction->mask != WB_MASK_REGISTER)
    return instruction->mask == WB_MASK_ALL;
  const struct wb_known_value *value = mask_value(analysis, instruction, group);
  return value != NULL && value->kind == WB_KNOWN_NUMBER && value->addend == ALL_LANES;
}

/* Whether the mask may be all lanes in some lanes of the group. */
static bool mask_may_be_all(const struct wb_simt_analysis *analysis,
                            const struct wb_instruction *instruction, const struct wb_group *group)
{
  if (instruction->mask != WB_MASK_REGISTER)
    return instruction->mask == WB_MASK_ALL;
  const struct wb_known_value *value = mask_value(analysis, instruction, group);
  return value == NULL || value->kind != WB_KNOWN_NUMBER || value->addend == ALL_LANES;
}

/* Whether a group may have left a parting by a side. */
static bool is_of_side(const struct wb_simt_analysis *analysis, const struct wb_group *group,
                       const struct wb_parting *parting, bool done)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  if (parting == &machine->anywhere)
    return true;
  const uint64_t side = wb_side_of_parting((uint32_t)(parting - machine->partings), done);
  return side >= WB_REGISTER_COUNT ||
         wb_register_set_has(&analysis->sets.sets[group->sides], (uint32_t)side);
}

/* Groups that descend from the partings of a group may wait for the warp at a WARPSYNC. */
static void note_meeting(struct wb_simt_analysis *analysis, const struct wb_group *group,
                         uint32_t meeting)
{
  for (struct wb_parting *parting = wb_barrier_parting_of(analysis, group, 0); parting != NULL;
       parting = wb_barrier_parting_after(analysis, group, parting)) {
    struct wb_parting noted = *parting;
    noted.several |= noted.meeting != WB_NOWHERE && noted.meeting != meeting;
    if (noted.meeting == WB_NOWHERE)
      noted.meeting = meeting;
    noted.divided |= !group->undivided;
    for (int done = 0; done < 2; done++)
      noted.sides[done] |= is_of_side(analysis, group, parting, done);
    const bool grown = noted.meeting != parting->meeting || noted.several != parting->several ||
                       noted.divided != parting->divided || noted.sides[0] != parting->sides[0] ||
                       noted.sides[1] != parting->sides[1];
    if (!grown || analysis->record != NULL)
      continue;
    if (wb_simt_searching(analysis))
      *parting = noted;
    wb_simt_changed(analysis, WB_CELL_PARTINGS);
  }
}

/* Whether, of the groups that descend from one parting of the group, all that wait for all lanes of
 * the warp, at whichever meeting, have all lanes of one and the same side: then there is one. */
static bool meets_undivided(const struct wb_simt_analysis *analysis, const struct wb_group *group)
{
  bool undivided = group->origin >= WB_ORIGIN_FIRST &&
                   wb_barrier_machine_of(analysis)->anywhere.meeting == WB_NOWHERE;
  for (const struct wb_parting *parting = wb_barrier_parting_of(analysis, group, 0);
       undivided && parting != NULL; parting = wb_barrier_parting_after(analysis, group, parting))
    undivided = !parting->divided && !(parting->sides[0] && parting->sides[1]);
  return undivided;
}

/* Whether two groups may descend from one parting. */
static bool may_share_parting(const struct wb_simt_analysis *analysis, const struct wb_group *a,
                              const struct wb_group *b)
{
  if (a->origin == WB_ORIGIN_ANY || b->origin == WB_ORIGIN_ANY)
    return true;
  uint32_t left = wb_origin_parting(&analysis->sets, a->origin, 0);
  uint32_t right = wb_origin_parting(&analysis->sets, b->origin, 0);
  while (left != right && left != UINT32_MAX && right != UINT32_MAX) {
    if (left < right)
      left = wb_origin_parting(&analysis->sets, a->origin, right);
    else
      right = wb_origin_parting(&analysis->sets, b->origin, left);
  }
  return left == right && left != UINT32_MAX;
}

/* Whether no group that descends from a parting of the group can wait at another meeting while it
 * waits at this one: each that waits elsewhere went another way where all of a parting go one. */
static bool others_excluded(struct wb_simt_analysis *analysis, const struct wb_group *group,
                            uint32_t meeting)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const struct wb_group *here = &machine->meetings[meeting].arrived;
  bool excluded = true;
  for (uint32_t m = 0; excluded && m < machine->meeting_count; m++) {
    const struct wb_group *there = &machine->meetings[m].arrived;
    wb_simt_depend(analysis, wb_cell_of(WB_CELL_OF_MEETING, m));
    excluded = m == meeting || !there->reached || !may_share_parting(analysis, group, there) ||
               wb_barrier_ways_exclude(analysis, here, there);
  }
  return excluded;
}

/* Whether all groups that descend from the partings of a group, or from no known one, wait for all
 * lanes of the warp at this meeting alone, whenever some group waits there. */
static bool meets_alone(struct wb_simt_analysis *analysis, const struct wb_group *group,
                        uint32_t meeting)
{
  const struct wb_parting *anywhere = &wb_barrier_machine_of(analysis)->anywhere;
  bool alone = group->origin >= WB_ORIGIN_FIRST && !anywhere->several &&
               (anywhere->meeting == WB_NOWHERE || anywhere->meeting == meeting);
  bool several = false;
  for (const struct wb_parting *parting = wb_barrier_parting_of(analysis, group, 0);
       alone && parting != NULL; parting = wb_barrier_parting_after(analysis, group, parting))
    several = several || parting->several || parting->meeting != meeting;
  return alone && (!several || others_excluded(analysis, group, meeting));
}

/* The group that lanes of several become at a meeting; *agreement: what they agree on. */
static bool unite(struct wb_simt_analysis *analysis, uint32_t meeting, struct wb_group *united,
                  uint32_t *agreement)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  if (!wb_group_copy(united, &machine->meetings[meeting].arrived))
    return wb_simt_no_memory(analysis);
  /* Of groups that come together here each is in executions of its own of a scope that not all
   * lanes of the warp were in when it was made. */
  for (size_t s = united->scope_count; s-- > 0;) {
    const struct wb_scope *scope = &machine->scopes[united->scopes[s].scope];
    wb_simt_depend(analysis, wb_cell_of(WB_CELL_OF_SCOPE, united->scopes[s].scope));
    united->scopes[s].of_side = false;
    if (scope->made.origin != WB_ORIGIN_WHOLE || scope->made.mixed)
      wb_group_close(united, s);
  }
  united->undivided = united->origin == WB_ORIGIN_WHOLE;
  if (!united->undivided)
    united->avoided = WB_REGISTERS_ALL;
  united->mixed = united->mixed || machine->meetings[meeting].context != 0;
  *agreement = wb_barrier_agreement(analysis, united->warp.agreement, united->warp.lost, united);
  return true;
}

static void sync_all(struct wb_simt_analysis *analysis, struct wb_group *group, uint32_t meeting)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const struct wb_simt_place next = wb_simt_block_next(analysis);
  if (group->origin == WB_ORIGIN_WHOLE) {
    wb_barrier_go_on(analysis, WB_EDGE_FALLTHROUGH, next, group);
    return;
  }
  note_meeting(analysis, group, meeting);
  if (!meets_alone(analysis, group, meeting) && meets_undivided(analysis, group)) {
    wb_barrier_make_whole(analysis, group);
    wb_barrier_go_on(analysis, WB_EDGE_FALLTHROUGH, next, group);
    return;
  }
  struct wb_group *united = &machine->next;
  uint32_t agreement = WB_REGISTERS_NONE;
  if (!unite(analysis, meeting, united, &agreement))
    return;
  const bool alone =
      !wb_instruction_conditional(&analysis->function->instructions[analysis->block.instruction]);
  struct wb_simt_transition transition = {.kind = WB_EDGE_FALLTHROUGH,
                                          .rate = alone ? WB_RATE_SHARED : WB_RATE_LANES,
                                          .continuation = WB_NOWHERE};
  if (meets_alone(analysis, united, meeting)) {
    const struct wb_parting *parting = wb_barrier_parting_of(analysis, united, 0);
    if (!united->bypassed && alone && !parting->several &&
        wb_barrier_parting_after(analysis, united, parting) == NULL)
      transition.continuation = wb_continuation_of_parting((uint32_t)(parting - machine->partings));
    united->mixed = machine->meetings[meeting].arrived.mixed;
    agreement = wb_barrier_agreement(analysis, united->warp.agreement, united->warp.lost, united);
    wb_barrier_make_whole(analysis, united);
  }
  wb_barrier_go(analysis, transition, next, agreement, united);
}

/* The group may part into groups of any lanes, unless masks are taken to keep it together; lanes of
 * other groups that come here may join them. */
static void sync_some(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction,
                      struct wb_group *group, uint32_t meeting)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const struct wb_group *arrived = &machine->meetings[meeting].arrived;
  struct wb_group *united = &machine->next;
  uint32_t agreement = analysis->block.agreement;
  if (group->origin != WB_ORIGIN_WHOLE && mask_may_be_all(analysis, instruction, group))
    note_meeting(analysis, group, meeting);
  if (arrived->origin == WB_ORIGIN_WHOLE) { /* there are no other groups */
    if (!wb_group_copy(united, group)) {
      wb_simt_no_memory(analysis);
      return;
    }
  } else if (!unite(analysis, meeting, united, &agreement)) {
    return;
  }
  const bool together = analysis->options.masks_together;
  if (!together && !wb_barrier_part(analysis, NULL, united))
    return;
  struct wb_simt_transition transition = {
      .kind = WB_EDGE_FALLTHROUGH,
      .rate = together && !wb_instruction_conditional(instruction) ? WB_RATE_SHARED : WB_RATE_LANES,
      .continuation = WB_NOWHERE};
  wb_barrier_go(analysis, transition, wb_simt_block_next(analysis), agreement, united);
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
  const uint32_t at = analysis->block.instruction;
  const uint32_t context = analysis->block.context;
  bool made;
  const uint32_t meeting = wb_barrier_number(analysis, &machine->meeting_names, at, context, &made);
  if (meeting == WB_NOWHERE)
    return;
  if (!wb_grow(machine->meetings, &machine->meeting_capacity, (size_t)meeting + 1)) {
    wb_simt_no_memory(analysis);
    return;
  }
  if (made) {
    machine->meetings[machine->meeting_count++] =
        (struct wb_meeting){.instruction = at, .context = context};
    wb_simt_changed(analysis, WB_CELL_PARTINGS);
  }
  wb_simt_depend(analysis, wb_cell_of(WB_CELL_OF_MEETING, meeting));
  wb_simt_depend(analysis, WB_CELL_PARTINGS);
  if (group->warp.apart)
    wb_together_part(&analysis->sets, &group->warp, analysis->block.agreement);
  if (!wb_barrier_join(analysis, &machine->meetings[meeting].arrived, group,
                       wb_cell_of(WB_CELL_OF_MEETING, meeting)))
    return;
  if (wb_barrier_mask_is_all(analysis, instruction, group))
    sync_all(analysis, group, meeting);
  else
    sync_some(analysis, instruction, group, meeting);
}
