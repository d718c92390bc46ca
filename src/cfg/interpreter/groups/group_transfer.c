/* What an instruction does to the lanes that do it. */
#include "cfg/interpreter/groups/group_machine.h"

#include "base/memory.h"

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

/* ---- copies by lanes: what puts a value unchanged elsewhere, also through local memory ---- */

static uint64_t hash_of(const void *items, uint32_t item)
{
  const struct wb_local_word *word = (const struct wb_local_word *)items + item;
  uint64_t hash = ((uint64_t)word->lane << 32 | word->address) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

static bool is_equal(const void *items, uint32_t item, const void *key)
{
  const struct wb_local_word *word = (const struct wb_local_word *)items + item;
  const struct wb_local_word *wanted = key;
  return word->lane == wanted->lane && word->address == wanted->address;
}

/* The word's place, NULL where it was never stored. */
static struct wb_local_word *find_word(const struct wb_lane_copies *copies, uint32_t lane,
                                       uint32_t address)
{
  const struct wb_local_word key = {.lane = lane, .address = address};
  if (copies->word_count == 0)
    return NULL;
  const uint32_t *slot =
      wb_hash_table_slot(&copies->table, hash_of(&key, 0), is_equal, copies->words, &key);
  return *slot != 0 ? &copies->words[*slot - 1] : NULL;
}

static bool store(struct wb_lane_copies *copies, struct wb_local_word word)
{
  struct wb_local_word *found = find_word(copies, word.lane, word.address);
  if (found != NULL) {
    found->number = word.number;
    return true;
  }
  if (copies->word_count >= WB_LOCAL_WORD_LIMIT ||
      !wb_grow(copies->words, &copies->word_capacity, copies->word_count + 1) ||
      !wb_hash_table_grow(&copies->table, copies->word_count, hash_of, copies->words))
    return false;
  uint32_t *slot =
      wb_hash_table_slot(&copies->table, hash_of(&word, 0), is_equal, copies->words, &word);
  copies->words[copies->word_count++] = word;
  *slot = (uint32_t)copies->word_count;
  return true;
}

/* What a copy does in a lane, before the instruction writes. */
static struct wb_lane_source source_of(const struct wb_group_machine *machine,
                                       const struct wb_copy *copy, uint32_t lane)
{
  const struct wb_lane_values *values = machine->values;
  struct wb_lane_source read = {.number = (uint32_t)copy->value};
  if (copy->kind == WB_COPY_STORE || copy->kind == WB_COPY_LOAD)
    read.address = wb_lane_values_get(values, copy->base, lane) + (uint32_t)copy->value;
  switch (copy->kind) {
  case WB_COPY_NUMBER:
    break;
  case WB_COPY_CONSTANT:
    read.number = wb_lane_values_named(values, WB_NAME_CONSTANT, copy->value);
    break;
  case WB_COPY_LAUNCH:
    read.number = wb_lane_values_named(values, WB_NAME_LAUNCH, copy->value);
    break;
  case WB_COPY_THREAD: /* blocks have one row, or rows of whole warps */
    read.number = WB_LANE_LIMIT * (wb_lane_values_named(values, WB_NAME_WARP, 0) % 32) + lane;
    break;
  case WB_COPY_OF_WARP: { /* a function of which multiple of 32 is below */
    const uint64_t below = copy->from == WB_NO_REGISTER
                               ? 0
                               : wb_lane_values_get(values, copy->from, lane) / WB_LANE_LIMIT;
    const uint64_t name = (uint64_t)copy->instruction << 36 | (uint64_t)copy->to << 27 | below;
    read.number = wb_lane_values_named(values, WB_NAME_WARP, name + 1);
    if (wb_lane_values_truth(copy->to))
      read.number &= 1;
    break;
  }
  case WB_COPY_REGISTER:
    read.number += wb_lane_values_get(values, copy->from, lane);
    break;
  case WB_COPY_STORE:
    /* What comes from no register is zero, or a part of the word: any number will do. */
    read.number = copy->from != WB_NO_REGISTER ? wb_lane_values_get(values, copy->from, lane) : 0;
    break;
  default: {
    const struct wb_local_word *word = find_word(&machine->copies, lane, read.address);
    read.missing = word == NULL;
    read.number = word != NULL ? word->number : 0;
    break;
  }
  }
  return read;
}

/* Does a copy, of which the sources are known by lane: registers first; then words that are stored,
 * and those that nobody has stored, which get the value that the load has drawn. False where memory
 * is out or there are WB_LOCAL_WORD_LIMIT words. */
static bool apply(struct wb_group_machine *machine, const struct wb_copy *copy,
                  const struct wb_lane_source *sources)
{
  struct wb_lane_values *values = machine->values;
  const bool stores = copy->kind == WB_COPY_STORE;
  const bool uniform = !stores && wb_lane_values_uniform(copy->to);
  for (uint32_t lane = 0; !stores && lane < WB_LANE_LIMIT; lane++) {
    if (!does(machine, lane) || sources[lane].missing)
      continue;
    wb_lane_values_set(values, copy->to, uniform ? machine->step.active : UINT32_C(1) << lane,
                       sources[lane].number);
    if (uniform)
      break;
  }
  if (!stores && copy->clears)
    wb_lane_values_set(values, copy->from, machine->step.doing, 0);
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if (!does(machine, lane) || (!stores && !sources[lane].missing))
      continue;
    const uint32_t number =
        stores ? sources[lane].number : wb_lane_values_get(values, copy->to, lane);
    if (!store(&machine->copies, (struct wb_local_word){lane, sources[lane].address, number}))
      return false;
  }
  return true;
}

/* The lanes that do the instruction write its registers: with the exact values where they are
 * copies, and else as wb_lane_values_write does; a uniform register is written in all lanes of the
 * group. */
static warpbound_status write_registers(struct wb_group_machine *machine)
{
  const struct wb_group_step *step = &machine->step;
  struct wb_lane_copies *memory = &machine->copies;
  size_t count;
  const size_t first = wb_function_copies(machine->function, step->instruction, &count);
  const struct wb_copy *copies = machine->function->copies + first;
  bool held = wb_grow(memory->sources, &memory->source_capacity, count * WB_LANE_LIMIT);
  /* Sources may be among what it writes. */
  for (size_t s = 0; held && s < count * WB_LANE_LIMIT; s++) {
    if (does(machine, (uint32_t)(s % WB_LANE_LIMIT)))
      memory->sources[s] =
          source_of(machine, &copies[s / WB_LANE_LIMIT], (uint32_t)(s % WB_LANE_LIMIT));
  }
  if (held)
    wb_lane_values_write(machine->values, machine->function, step->instruction, step->active,
                         step->doing, machine->salt);
  for (size_t c = 0; held && c < count; c++)
    held = apply(machine, &copies[c], &memory->sources[c * WB_LANE_LIMIT]);
  if (held)
    return WARPBOUND_OK;
  if (memory->word_count < WB_LOCAL_WORD_LIMIT)
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

/* The scope that a register with the value is bound to; NULL for none. Linear in the scopes. */
static struct wb_lane_scope *scope_of_name(const struct wb_lane_groups *state, uint32_t value)
{
  for (size_t s = state->scope_count; s > 0; s--) {
    if (state->scopes[s - 1].name == value)
      return &state->scopes[s - 1];
  }
  return NULL;
}

static warpbound_status open_scope(struct wb_group_machine *machine)
{
  struct wb_lane_groups *state = &machine->state;
  if (state->scope_count >= WB_SCOPE_LIMIT)
    return wb_fail_at(machine->error, WARPBOUND_LIMIT, machine->code->name,
                      machine->instruction->line, machine->instruction->column,
                      "%s: more than %zu scopes are open", machine->function->name, WB_SCOPE_LIMIT);
  if (!wb_grow(state->scopes, &state->scope_capacity, state->scope_count + 1))
    return wb_out_of_memory(machine->error);
  struct wb_lane_scope scope = {.number = ++state->last_scope,
                                .opener = machine->step.instruction,
                                .point = target_of(machine, 0),
                                .participants = machine->step.doing};
  uint64_t trial = scope.number;
  do {
    scope.name = wb_lane_values_named(machine->values, WB_NAME_SCOPE, trial);
    trial += UINT64_C(1) << 40;
  } while (scope.name == 0 || scope_of_name(state, scope.name) != NULL);
  state->scopes[state->scope_count++] = scope;
  machine->step.scope = scope.number;
  wb_lane_values_set(machine->values, barrier_of(machine), machine->step.doing, scope.name);
  return WARPBOUND_OK;
}

/* The lanes wait in their scopes, or leave them: by a BREAK, or where nothing reconverges. */
static void sync_or_leave(struct wb_group_machine *machine, bool sync)
{
  const bool waits = sync && machine->options->reconvergence != WB_RECONVERGENCE_NEVER;
  const unsigned barrier = barrier_of(machine);
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if (!does(machine, lane))
      continue;
    const uint32_t bound = wb_lane_values_get(machine->values, barrier, lane);
    struct wb_lane_scope *scope = scope_of_name(&machine->state, bound);
    wb_lane_values_set(machine->values, barrier, UINT32_C(1) << lane, 0);
    if (scope == NULL || (scope->participants >> lane & 1) == 0) {
      machine->step.unbound |= UINT32_C(1) << lane;
      continue;
    }
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

uint32_t wb_group_full_masks(const struct wb_group_machine *machine, uint32_t lanes)
{
  const struct wb_instruction *at = machine->instruction;
  if (at->mask == WB_MASK_ALL)
    return lanes;
  /* The register with the mask is the instruction's first one that is no predicate. */
  unsigned mask = WB_NO_REGISTER;
  for (uint32_t s = 0; at->mask == WB_MASK_REGISTER && s < at->read_count; s++) {
    const unsigned first = machine->function->spans[at->first_read + s].first;
    const bool predicate = (first >= WB_REGISTER_PREDICATE && first < WB_REGISTER_UNIFORM) ||
                           first >= WB_REGISTER_UNIFORM_PREDICATE;
    if (!predicate && mask == WB_NO_REGISTER)
      mask = first;
  }
  uint32_t full = 0;
  for (uint32_t lane = 0; mask != WB_NO_REGISTER && lane < WB_LANE_LIMIT; lane++) {
    if (wb_lane_values_get(machine->values, mask, lane) == ALL_LANES)
      full |= UINT32_C(1) << lane;
  }
  return full & lanes;
}

/* Lanes whose mask is all lanes wait for the warp. Those of other masks go on, in parts that are
 * drawn: mostly few, or each lane by itself. Where a group stays one, that has masks of both kinds,
 * it goes on. */
static void sync_warp(struct wb_group_machine *machine)
{
  static const uint32_t counts[] = {1, 1, 2, 2, 3, 5, WB_LANE_LIMIT, WB_LANE_LIMIT};
  const uint32_t of_all = wb_group_full_masks(machine, machine->step.doing);
  const bool apart = !machine->options->masks_together;
  const uint32_t full = apart || of_all == machine->step.doing ? of_all : 0;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((full >> lane & 1) != 0)
      machine->places[lane] = (struct wb_lane_place){.instruction = machine->step.instruction,
                                                     .wait = WB_GROUP_IN_WARP};
  }
  if (full == machine->step.doing)
    return;
  const uint32_t most = counts[wb_random_below(&machine->random, sizeof counts / sizeof counts[0])];
  /* A target is where some may go on; which part does, by its number. */
  const bool has_target = machine->instruction->target_count > 0;
  const uint32_t jumping = (uint32_t)wb_random_below(&machine->random, 2 * (uint64_t)most);
  machine->syncs_some = true;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if (!does(machine, lane) || (full >> lane & 1) != 0)
      continue;
    struct wb_lane_place *place = &machine->places[lane];
    if (apart)
      place->part =
          most == WB_LANE_LIMIT ? lane : (uint32_t)wb_random_below(&machine->random, most);
    if (has_target && place->part == jumping)
      place->instruction = target_of(machine, 0);
  }
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

static warpbound_status branch(struct wb_group_machine *machine)
{
  const bool indexed = machine->instruction->transfer == WB_TRANSFER_INDEXED_BRANCH;
  if (machine->instruction->target_count == 0)
    return wb_group_refuse(
        machine, indexed ? "its targets are not in the listing; give --targets ADDRESS=A,B,C"
                         : "expected a target, found none");
  if (wb_instruction_chooses(machine->instruction))
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
    for (size_t s = 0; machine->instruction->yields && s < machine->state.scope_count; s++) {
      if ((machine->state.scopes[s].participants & machine->step.doing) != 0)
        machine->state.scopes[s].yielded = true;
    }
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
