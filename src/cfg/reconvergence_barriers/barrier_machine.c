#include "cfg/reconvergence_barriers/barrier_machine.h"

#include "base/memory.h"
#include "cfg/simt/simt_block.h"
#include "cfg/simt/simt_fixpoint.h"
#include "cfg/simt/simt_record.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbers ---- */

/* The number of a name; a new one, `count`, where there is none (*made). */
static uint32_t number_of(struct wb_simt_analysis *analysis, struct wb_pair_map *names,
                          uint64_t first, uint32_t second, size_t count, bool *made)
{
  const uint32_t known = wb_pair_map_find(names, first, second);
  *made = known == WB_PAIR_ABSENT;
  if (!*made)
    return known;
  if (count >= UINT32_MAX / 8 || !wb_pair_map_add(names, first, second, (uint32_t)count)) {
    wb_simt_no_memory(analysis);
    return WB_NOWHERE;
  }
  return (uint32_t)count;
}

uint32_t wb_scope_of_block(struct wb_simt_analysis *analysis, uint32_t point)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const struct wb_simt_place place = wb_simt_block_place(analysis, analysis->block.instruction);
  bool made;
  if (!wb_grow(machine->scopes, &machine->scope_capacity, machine->scope_count + 1)) {
    wb_simt_no_memory(analysis);
    return WB_NOWHERE;
  }
  const uint32_t scope = number_of(analysis, &machine->scope_names, place.instruction,
                                   place.context, machine->scope_count, &made);
  if (made && scope != WB_NOWHERE)
    machine->scopes[machine->scope_count++] = (struct wb_scope){
        .instruction = place.instruction, .context = place.context, .point = point};
  if (made)
    wb_simt_changed(analysis, WB_CELL_SCOPES);
  return scope;
}

uint32_t wb_parting_of_block(struct wb_simt_analysis *analysis)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const uint32_t state = analysis->block.state;
  bool made;
  if (!wb_grow(machine->partings, &machine->parting_capacity, machine->parting_count + 1)) {
    wb_simt_no_memory(analysis);
    return WB_NOWHERE;
  }
  const uint32_t parting =
      number_of(analysis, &machine->parting_names, state, 0, machine->parting_count, &made);
  if (made && parting != WB_NOWHERE)
    machine->partings[machine->parting_count++] = (struct wb_parting){.meeting = WB_NOWHERE};
  return parting;
}

uint32_t wb_meeting_of_block(struct wb_simt_analysis *analysis)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const struct wb_simt_place place = wb_simt_block_place(analysis, analysis->block.instruction);
  bool made;
  if (!wb_grow(machine->meetings, &machine->meeting_capacity, machine->meeting_count + 1)) {
    wb_simt_no_memory(analysis);
    return WB_NOWHERE;
  }
  const uint32_t meeting = number_of(analysis, &machine->meeting_names, place.instruction,
                                     place.context, machine->meeting_count, &made);
  if (made && meeting != WB_NOWHERE)
    machine->meetings[machine->meeting_count++] =
        (struct wb_meeting){.instruction = place.instruction, .context = place.context};
  return meeting;
}

uint32_t wb_slot_location(struct wb_simt_analysis *analysis, const struct wb_known_value *address)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const uint64_t name = address->base * 4 + address->kind;
  bool made;
  const uint32_t slot =
      number_of(analysis, &machine->slot_names, name, address->addend, machine->slot_count, &made);
  if (slot == WB_NOWHERE)
    return WB_NOWHERE;
  machine->slot_count += made;
  return WB_LOCATION_SLOTS + slot;
}

/* ---- cells ---- */

bool wb_barrier_join(struct wb_simt_analysis *analysis, struct wb_group *into,
                     const struct wb_group *from, uint32_t cell)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  bool changed = false;
  if (analysis->record != NULL)
    return true;
  if (analysis->violation != NULL) {
    struct wb_group trial = {0};
    const bool memory =
        wb_group_copy(&trial, into) && wb_group_join(&analysis->sets, &trial, from, &changed);
    wb_group_clear(&trial);
    if (changed)
      wb_simt_changed(analysis, cell);
    return memory || wb_simt_no_memory(analysis);
  }
  const size_t before = into->scope_count + into->known_count;
  if (!wb_group_join(&analysis->sets, into, from, &changed))
    return wb_simt_no_memory(analysis);
  machine->item_count += into->scope_count + into->known_count - before;
  if (changed)
    wb_simt_changed(analysis, cell);
  return true;
}

void wb_barrier_raise(struct wb_simt_analysis *analysis, bool *flag, uint32_t cell)
{
  if (*flag || analysis->record != NULL)
    return;
  if (wb_simt_searching(analysis))
    *flag = true;
  wb_simt_changed(analysis, cell);
}

/* ---- going on ---- */

static enum wb_escape_kind escape_of(const struct wb_group *group, uint32_t scope)
{
  bool bound = false;
  bool unclear = false;
  for (size_t k = 0; k < group->known_count; k++) {
    struct wb_known_value resolved;
    const struct wb_known_value *value =
        wb_group_binding(group, group->known[k].location, &resolved);
    if (value == NULL || value->kind < WB_KNOWN_SCOPE)
      continue;
    const bool names = value->kind < WB_KNOWN_ANY && value->base == scope;
    bound = bound || (names && value->kind == WB_KNOWN_SCOPE);
    unclear = unclear || value->kind == WB_KNOWN_ANY || (names && value->kind != WB_KNOWN_SCOPE);
  }
  if (unclear)
    return WB_ESCAPE_UNCLEAR;
  return bound ? WB_ESCAPE_NONE : WB_ESCAPE_ALL;
}

void wb_barrier_go(struct wb_simt_analysis *analysis, struct wb_simt_transition transition,
                   struct wb_simt_place place, uint32_t agreement, const struct wb_group *group)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const bool breaks = analysis->record != NULL && machine->breaks_state == analysis->block.state;
  const uint32_t to =
      breaks ? wb_pair_map_find(&analysis->fixpoint.places, place.instruction, place.context) : 0;
  for (size_t b = 0; breaks && b < machine->break_count; b++) {
    if (!wb_grow(machine->escapes, &machine->escape_capacity, machine->escape_count + 1)) {
      wb_simt_no_memory(analysis);
      break;
    }
    machine->escapes[machine->escape_count++] =
        (struct wb_escape){.scope = machine->breaks[b],
                           .from = analysis->block.state,
                           .to = to,
                           .how = (uint8_t)escape_of(group, machine->breaks[b])};
  }
  wb_simt_emit(analysis, transition, place, agreement, wb_group_as_state(group));
}

void wb_barrier_go_on(struct wb_simt_analysis *analysis, enum wb_edge_kind kind,
                      struct wb_simt_place place, const struct wb_group *group)
{
  const struct wb_simt_transition transition = {.kind = (uint8_t)kind,
                                                .rate = analysis->block.splits ? WB_RATE_EACH
                                                                               : WB_RATE_SHARED,
                                                .continuation = WB_NOWHERE};
  wb_barrier_go(analysis, transition, place, analysis->block.agreement, group);
}

struct wb_parting *wb_barrier_parting_of(const struct wb_simt_analysis *analysis,
                                         const struct wb_group *group)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  if (group->origin < WB_ORIGIN_FIRST)
    return NULL;
  const uint32_t parting =
      wb_pair_map_find(&machine->parting_names, group->origin - WB_ORIGIN_FIRST, 0);
  return parting != WB_PAIR_ABSENT ? &machine->partings[parting] : NULL;
}

bool wb_barrier_lanes_ended(struct wb_simt_analysis *analysis, const struct wb_group *group)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const struct wb_parting *parting = wb_barrier_parting_of(analysis, group);
  wb_simt_depend(analysis, WB_CELL_PARTINGS);
  bool ended = group->ended;
  if (group->origin != WB_ORIGIN_WHOLE)
    ended = ended || machine->anywhere.ended || (parting != NULL && parting->ended);
  for (size_t p = 0; group->origin == WB_ORIGIN_ANY && p < machine->parting_count; p++)
    ended = ended || machine->partings[p].ended;
  return ended;
}

/* The group is no longer known to have all lanes of the warp. */
static bool part_warp(struct wb_simt_analysis *analysis, struct wb_group *group)
{
  const uint32_t here = WB_ORIGIN_FIRST + analysis->block.state;
  const bool whole = group->origin == WB_ORIGIN_WHOLE;
  if (whole || group->bypassed) { /* a group that may be whole comes apart in the present block */
    const uint32_t parting = wb_parting_of_block(analysis);
    if (parting == WB_NOWHERE)
      return false;
    const struct wb_parting *it = &wb_barrier_machine_of(analysis)->partings[parting];
    if (it->meeting != WB_NOWHERE && !it->several)
      wb_simt_note_making(analysis, wb_continuation_of_parting(parting), true);
  }
  if (group->bypassed && group->origin != here)
    group->origin = WB_ORIGIN_ANY;
  if (whole)
    group->origin = here;
  group->bypassed = false;
  wb_together_part(&analysis->sets, &group->warp, analysis->block.agreement);
  return true;
}

/* Whether the instruction's guard tells the group's lanes that are in the scope from those that
 * have left it. */
static bool told_by_guard(const struct wb_instruction *instruction, const struct wb_group *group,
                          uint32_t scope)
{
  if (instruction == NULL || instruction->transfer != WB_TRANSFER_BRANCH || !instruction->guarded ||
      instruction->conditional_code || instruction->second_predicate || instruction->together)
    return false;
  bool told = false;
  for (size_t k = 0; k < group->known_count; k++) {
    const struct wb_known_value *value = &group->known[k].value;
    const bool names =
        value->kind >= WB_KNOWN_SCOPE && value->kind < WB_KNOWN_ANY && value->base == scope;
    if (names && (value->kind != WB_KNOWN_SCOPE_UNLESS || value->predicate != instruction->guard))
      return false;
    told = told || names;
  }
  return told;
}

bool wb_barrier_part_at(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction,
                        struct wb_group *group)
{
  for (size_t s = 0; s < group->scope_count; s++) {
    if (!told_by_guard(instruction, group, group->scopes[s].scope))
      wb_together_part(&analysis->sets, &group->scopes[s].together, analysis->block.agreement);
  }
  return part_warp(analysis, group);
}

bool wb_barrier_part(struct wb_simt_analysis *analysis, struct wb_group *group)
{
  return wb_barrier_part_at(analysis, NULL, group);
}

uint32_t wb_barrier_agreement(struct wb_simt_analysis *analysis, uint32_t agreement, uint32_t lost,
                              const struct wb_group *group)
{
  struct wb_register_set agreed = {{0}};
  if (analysis->options.agreement == WB_AGREEMENT_NONE)
    return WB_REGISTERS_NONE;
  if (analysis->options.agreement == WB_AGREEMENT_ALL && !group->mixed) {
    const uint32_t kept = wb_register_sets_without(&analysis->sets, agreement, lost);
    agreed = analysis->sets.sets[kept];
    wb_group_add_constants(group, &agreed);
  }
  wb_register_set_add(&agreed, analysis->mechanism->always_agree);
  return wb_register_sets_number(&analysis->sets, &agreed);
}
