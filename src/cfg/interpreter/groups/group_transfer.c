/* What an instruction does to the lanes that do it. */
#include "cfg/interpreter/groups/group_machine.h"

#define NOWHERE UINT32_MAX
#define ALL_LANES UINT32_MAX
#define LINK_BYTES 16 /* from a call to the instruction after it */

warpbound_status wb_group_refuse(const struct wb_group_machine *machine, const char *why)
{
  const struct wb_instruction *at = machine->instruction;
  const bool missing = at->transfer == WB_TRANSFER_INDEXED_BRANCH && at->target_count == 0;
  const warpbound_status status = missing ? WARPBOUND_FACTS_MISSING : WARPBOUND_INVALID_INPUT;
  return wb_fail_at(machine->error, status, machine->code->name, at->line, at->column,
                    "%s: %s at 0x%04x: %s", machine->function->name, at->opcode, at->address, why);
}

static uint32_t target_of(const struct wb_group_machine *machine, uint32_t which)
{
  return machine->function->targets[machine->instruction->first_target + which];
}

static bool does(const struct wb_group_machine *machine, uint32_t lane)
{
  return (machine->step.doing >> lane & 1) != 0;
}

static void send_all(struct wb_group_machine *machine, uint32_t instruction)
{
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if (does(machine, lane))
      machine->places[lane].instruction = instruction;
  }
}

static warpbound_status write_registers(struct wb_group_machine *machine)
{
  const struct wb_group_step *step = &machine->step;
  if (wb_lane_copies_write(&machine->copies, machine->values, machine->function, step->instruction,
                           step->active, step->doing, machine->salt))
    return WARPBOUND_OK;
  if (machine->copies.word_count < WB_LOCAL_WORD_LIMIT)
    return wb_out_of_memory(machine->error);
  return wb_fail_at(machine->error, WARPBOUND_LIMIT, machine->code->name,
                    machine->instruction->line, machine->instruction->column,
                    "%s: the lanes have stored %zu words of local memory", machine->function->name,
                    WB_LOCAL_WORD_LIMIT);
}

/* ---- scopes ---- */

static unsigned barrier_of(const struct wb_group_machine *machine)
{
  return WB_REGISTER_BARRIER + machine->instruction->barrier;
}

static warpbound_status open_scope(struct wb_group_machine *machine)
{
  if (machine->state.scope_count >= WB_SCOPE_LIMIT)
    return wb_fail_at(machine->error, WARPBOUND_LIMIT, machine->code->name,
                      machine->instruction->line, machine->instruction->column,
                      "%s: more than %zu scopes are open", machine->function->name, WB_SCOPE_LIMIT);
  const struct wb_lane_scope *scope =
      wb_lane_groups_open(&machine->state, machine->values,
                          (struct wb_lane_scope){.opener = machine->step.instruction,
                                                 .point = target_of(machine, 0),
                                                 .participants = machine->step.doing});
  if (scope == NULL)
    return wb_out_of_memory(machine->error);
  machine->step.scope = scope->number;
  wb_lane_values_set(machine->values, barrier_of(machine), machine->step.doing, scope->name);
  return WARPBOUND_OK;
}

/* The lane's barrier register is unbound; the scope that it was bound to, NULL for none. */
static struct wb_lane_scope *unbind(struct wb_group_machine *machine, uint32_t lane)
{
  const unsigned barrier = barrier_of(machine);
  struct wb_lane_scope *scope = wb_lane_groups_bound(
      &machine->state, wb_lane_values_get(machine->values, barrier, lane), lane);
  wb_lane_values_set(machine->values, barrier, UINT32_C(1) << lane, 0);
  if (scope == NULL)
    machine->step.unbound |= UINT32_C(1) << lane;
  return scope;
}

/* The lanes wait in their scopes, or leave them: by a BREAK, or where nothing reconverges. */
static void sync_or_leave(struct wb_group_machine *machine, bool sync)
{
  const bool waits = sync && machine->options->reconvergence != WB_RECONVERGENCE_NEVER;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    struct wb_lane_scope *scope = does(machine, lane) ? unbind(machine, lane) : NULL;
    if (scope == NULL)
      continue;
    if (!waits) {
      scope->participants &= ~(UINT32_C(1) << lane);
      if (sync)
        machine->places[lane].instruction = scope->point;
      continue;
    }
    scope->waiting |= UINT32_C(1) << lane;
    machine->places[lane] = (struct wb_lane_place){.scope = scope->number,
                                                   .instruction = machine->step.instruction,
                                                   .wait = WB_GROUP_IN_SCOPE};
  }
}

/* ---- masks ---- */

/* The register with the mask: the instruction's one that is no predicate. */
static unsigned mask_register(const struct wb_group_machine *machine)
{
  const struct wb_instruction *at = machine->instruction;
  for (uint32_t s = 0; s < at->read_count; s++) {
    const unsigned first = machine->function->spans[at->first_read + s].first;
    if (first < WB_REGISTER_PREDICATE ||
        (first >= WB_REGISTER_UNIFORM && first < WB_REGISTER_UNIFORM_PREDICATE))
      return first;
  }
  return WB_NO_REGISTER;
}

uint32_t wb_group_full_masks(const struct wb_group_machine *machine, uint32_t lanes)
{
  uint32_t full = 0;
  if (machine->instruction->mask == WB_MASK_ALL)
    return lanes;
  const unsigned mask =
      machine->instruction->mask == WB_MASK_REGISTER ? mask_register(machine) : WB_NO_REGISTER;
  if (mask == WB_NO_REGISTER)
    return 0;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if (wb_lane_values_get(machine->values, mask, lane) == ALL_LANES)
      full |= UINT32_C(1) << lane;
  }
  return full & lanes;
}

/* Lanes of other masks go on, in parts that are drawn: mostly few, or each lane by itself. */
static void sync_some(struct wb_group_machine *machine, uint32_t lanes)
{
  static const uint32_t counts[] = {1, 1, 2, 2, 3, 5, WB_LANE_LIMIT, WB_LANE_LIMIT};
  const uint32_t most = counts[wb_random_below(&machine->random, sizeof counts / sizeof counts[0])];
  const bool apart = !machine->options->masks_together;
  /* A target is where some may go on; which part does, by its number. */
  const bool has_target = machine->instruction->target_count > 0;
  const uint32_t jumping = (uint32_t)wb_random_below(&machine->random, 2 * (uint64_t)most);
  machine->syncs_some = true;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((lanes >> lane & 1) == 0)
      continue;
    struct wb_lane_place *place = &machine->places[lane];
    if (apart)
      place->part =
          most == WB_LANE_LIMIT ? lane : (uint32_t)wb_random_below(&machine->random, most);
    if (has_target && place->part == jumping)
      place->instruction = target_of(machine, 0);
  }
}

static void sync_warp(struct wb_group_machine *machine)
{
  const uint32_t full = wb_group_full_masks(machine, machine->step.doing);
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((full >> lane & 1) != 0)
      machine->places[lane] = (struct wb_lane_place){.instruction = machine->step.instruction,
                                                     .wait = WB_GROUP_IN_WARP};
  }
  if (full != machine->step.doing)
    sync_some(machine, machine->step.doing & ~full);
}

/* ---- branches ---- */

/* By the registers alone, which lanes of the group may have equal. */
static void branch_indexed(struct wb_group_machine *machine)
{
  uint32_t together = NOWHERE;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if (!does(machine, lane))
      continue;
    const uint64_t hash =
        wb_lane_values_hash(machine->values, machine->function, machine->step.instruction, lane, 0);
    uint32_t target = target_of(machine, (uint32_t)(hash % machine->instruction->target_count));
    if (machine->instruction->uniform && together == NOWHERE)
      together = target;
    machine->places[lane].instruction = machine->instruction->uniform ? together : target;
  }
}

/* The lanes of which a register holds the address after the call. */
static uint32_t linked_lanes(const struct wb_group_machine *machine)
{
  const uint32_t address = machine->instruction->address + LINK_BYTES;
  uint32_t linked = 0;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    for (unsigned reg = WB_REGISTER_GENERAL; does(machine, lane) && reg < WB_REGISTER_PREDICATE;
         reg++) {
      if (wb_lane_values_get(machine->values, reg, lane) == address)
        linked |= UINT32_C(1) << lane;
    }
  }
  return linked;
}

static warpbound_status return_linked(struct wb_group_machine *machine)
{
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if (!does(machine, lane))
      continue;
    const uint32_t address = wb_lane_values_get(machine->values, machine->instruction->link, lane);
    const size_t found = wb_function_at(machine->function, address);
    if (found == SIZE_MAX && machine->function->kernel)
      return wb_group_refuse(machine, "expected the address of an instruction in its register, "
                                      "found none");
    machine->places[lane].instruction = found == SIZE_MAX ? NOWHERE : (uint32_t)found;
  }
  return WARPBOUND_OK;
}

/* ---- the instruction ---- */

static void note_yield(struct wb_group_machine *machine)
{
  for (size_t s = 0; s < machine->state.scope_count; s++) {
    if ((machine->state.scopes[s].participants & machine->step.doing) != 0)
      machine->state.scopes[s].yielded = true;
  }
}

static warpbound_status branch(struct wb_group_machine *machine)
{
  const bool indexed = machine->instruction->transfer == WB_TRANSFER_INDEXED_BRANCH;
  if (machine->instruction->target_count == 0)
    return wb_group_refuse(
        machine, indexed ? "its targets are not in the listing; give --targets ADDRESS=A,B,C"
                         : "expected a target, found none");
  if (indexed)
    branch_indexed(machine);
  else
    send_all(machine, target_of(machine, 0));
  return WARPBOUND_OK;
}

warpbound_status wb_group_transfer(struct wb_group_machine *machine)
{
  if (machine->step.doing == 0)
    return WARPBOUND_OK;
  switch (machine->instruction->transfer) {
  case WB_TRANSFER_NEXT:
  case WB_TRANSFER_CALL_OUTSIDE:
    if (machine->instruction->yields)
      note_yield(machine);
    return write_registers(machine);
  case WB_TRANSFER_SCOPE_OPEN:
    return open_scope(machine);
  case WB_TRANSFER_SCOPE_SYNC:
    sync_or_leave(machine, true);
    return WARPBOUND_OK;
  case WB_TRANSFER_SCOPE_BREAK:
    sync_or_leave(machine, false);
    return WARPBOUND_OK;
  case WB_TRANSFER_WARP_SYNC:
    sync_warp(machine);
    return write_registers(machine);
  case WB_TRANSFER_BRANCH:
  case WB_TRANSFER_INDEXED_BRANCH:
    return branch(machine);
  case WB_TRANSFER_CALL_LINKED:
    machine->step.linked = linked_lanes(machine);
    return branch(machine);
  case WB_TRANSFER_RETURN_LINKED:
    return return_linked(machine);
  case WB_TRANSFER_EXIT:
    send_all(machine, NOWHERE);
    return WARPBOUND_OK;
  default:
    return wb_group_refuse(machine, "this control instruction is not supported");
  }
}
