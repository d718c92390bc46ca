#include "cfg/reconvergence_barriers/barrier_machine.h"

#include "base/memory.h"

/* Numbers of scopes, partings, meetings and words: cells have four times as many. */
#define NUMBER_LIMIT (UINT32_MAX / 8)

/* ---- numbers ---- */

uint32_t wb_barrier_number(struct wb_simt_analysis *analysis, struct wb_simt_pairs *names,
                           uint64_t first, uint32_t second, bool *made)
{
  const uint32_t number = wb_simt_pairs_number(names, first, second, made);
  if (number < NUMBER_LIMIT)
    return number;
  wb_simt_no_memory(analysis);
  return WB_NOWHERE;
}

/* ---- cells ---- */

bool wb_barrier_covers(struct wb_simt_analysis *analysis, const void *large, const void *small)
{
  struct wb_group joined = {0};
  bool changed = false;
  const bool memory =
      wb_group_copy(&joined, large) && wb_group_join(&analysis->sets, &joined, small, &changed);
  wb_group_clear(&joined);
  return (memory || wb_simt_no_memory(analysis)) && !changed;
}

bool wb_barrier_grow(struct wb_simt_analysis *analysis, void *into, const void *from, bool *changed)
{
  struct wb_group *group = into;
  const size_t before = group->scope_count + group->known_count;
  if (!wb_group_join(&analysis->sets, group, from, changed))
    return wb_simt_no_memory(analysis);
  wb_barrier_machine_of(analysis)->item_count += group->scope_count + group->known_count - before;
  return true;
}

bool wb_barrier_join(struct wb_simt_analysis *analysis, struct wb_group *into,
                     const struct wb_group *from, uint32_t cell)
{
  bool changed = false;
  if (analysis->record != NULL)
    return true;
  if (analysis->violation != NULL) {
    if (!wb_barrier_covers(analysis, into, from))
      wb_simt_changed(analysis, cell);
  } else if (wb_barrier_grow(analysis, into, from, &changed) && changed) {
    wb_simt_changed(analysis, cell);
  }
  return analysis->status == WARPBOUND_OK;
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
    const bool names = wb_known_names_scope(value) && value->base == scope;
    bound = bound || (names && value->kind == WB_KNOWN_SCOPE);
    unclear = unclear || wb_known_is_unclear(value) || (names && value->kind != WB_KNOWN_SCOPE);
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
      breaks ? wb_simt_pairs_find(&analysis->fixpoint.places, place.instruction, place.context) : 0;
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
  wb_simt_emit(analysis, transition, place, agreement, group);
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
                                         const struct wb_group *group, uint32_t from)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  if (group->origin == WB_ORIGIN_ANY && from == 0)
    return &machine->anywhere;
  const uint32_t parting = wb_origin_parting(&analysis->sets, group->origin, from);
  return parting != UINT32_MAX ? &machine->partings[parting] : NULL;
}

struct wb_parting *wb_barrier_parting_after(const struct wb_simt_analysis *analysis,
                                            const struct wb_group *group,
                                            const struct wb_parting *parting)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  if (parting == &machine->anywhere)
    return NULL;
  return wb_barrier_parting_of(analysis, group, (uint32_t)(parting - machine->partings) + 1);
}

bool wb_barrier_lanes_ended(struct wb_simt_analysis *analysis, const struct wb_group *group)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  wb_simt_depend(analysis, WB_CELL_PARTINGS);
  bool ended = group->ended || (group->origin != WB_ORIGIN_WHOLE && machine->anywhere.ended);
  for (const struct wb_parting *parting = wb_barrier_parting_of(analysis, group, 0);
       parting != NULL; parting = wb_barrier_parting_after(analysis, group, parting))
    ended = ended || parting->ended;
  for (size_t p = 0; group->origin == WB_ORIGIN_ANY && p < machine->parting_count; p++)
    ended = ended || machine->partings[p].ended;
  return ended;
}

void wb_barrier_forget_parting(struct wb_group *group)
{
  group->origin = WB_ORIGIN_WHOLE;
  group->bypassed = false;
  group->undivided = true;
  group->sides = WB_REGISTERS_NONE;
  group->avoided = WB_REGISTERS_NONE;
  group->warp = (struct wb_together){0};
}

void wb_barrier_make_whole(struct wb_simt_analysis *analysis, struct wb_group *group)
{
  group->ended = wb_barrier_lanes_ended(analysis, group);
  wb_barrier_forget_parting(group);
  for (size_t s = 0; s < group->scope_count; s++)
    group->scopes[s].together = (struct wb_together){0};
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
    const bool names = wb_known_names_scope(value) && value->base == scope;
    if (names && (value->kind != WB_KNOWN_SCOPE_UNLESS || value->predicate != instruction->guard))
      return false;
    told = told || names;
  }
  return told;
}

bool wb_barrier_part(struct wb_simt_analysis *analysis, const struct wb_instruction *branch,
                     struct wb_group *group)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const bool whole = group->origin == WB_ORIGIN_WHOLE;
  machine->came_apart = WB_NOWHERE;
  for (size_t s = 0; s < group->scope_count; s++) {
    group->scopes[s].of_side = group->scopes[s].of_side && !whole && !group->bypassed;
    if (!told_by_guard(branch, group, group->scopes[s].scope))
      wb_together_part(&analysis->sets, &group->scopes[s].together, analysis->block.agreement);
  }
  if (whole || group->bypassed) { /* a group that may be whole comes apart in the present block */
    bool made;
    const uint32_t number =
        wb_barrier_number(analysis, &machine->parting_names, analysis->block.state, 0, &made);
    if (number == WB_NOWHERE)
      return false;
    if (!wb_grow(machine->partings, &machine->parting_capacity, (size_t)number + 1))
      return wb_simt_no_memory(analysis);
    struct wb_parting *parting = &machine->partings[number];
    if (made)
      *parting = (struct wb_parting){.meeting = WB_NOWHERE};
    machine->parting_count += made;
    if (parting->meeting != WB_NOWHERE && !parting->several)
      wb_simt_note_making(analysis, wb_continuation_of_parting(number), true);
    const uint32_t here = wb_origin_of_parting(number);
    group->origin = whole ? here : wb_origin_either(&analysis->sets, group->origin, here);
    group->sides = WB_REGISTERS_ALL;
    group->avoided = WB_REGISTERS_ALL;
    machine->came_apart = whole ? number : WB_NOWHERE;
  }
  group->bypassed = false;
  group->undivided = false;
  wb_together_part(&analysis->sets, &group->warp, analysis->block.agreement);
  return true;
}

void wb_barrier_take_side(struct wb_simt_analysis *analysis, bool done, struct wb_group *group)
{
  const uint32_t parting = wb_barrier_machine_of(analysis)->came_apart;
  const uint64_t side = wb_side_of_parting(parting, done);
  if (parting == WB_NOWHERE || group->origin != wb_origin_of_parting(parting) || group->mixed)
    return;
  group->undivided = true;
  if (side < WB_REGISTER_COUNT) {
    struct wb_register_set set = {{0}};
    wb_register_set_add(&set, (struct wb_register_span){(uint16_t)side, 1});
    group->sides = wb_register_sets_number(&analysis->sets, &set);
  }
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
