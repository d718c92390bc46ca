#include "flow/loop_bounds/loop_losses.h"

#include "isa/opcode.h"
#include "values/domain.h"
#include "values/interval/launch_values.h"

#include <string.h>

#define NONE UINT32_MAX

/* Definitions that a walk looks at. */
#define MOST_VALUES 256
/* Steps by which an address is followed. */
#define MOST_STEPS 6

/* A value that a test depends on: what an instruction gives a register. */
struct value {
  uint32_t block;
  uint32_t instruction;
  uint16_t number;
  bool joined; /* it is one of several that reach the same place */
};

/* A walk backwards from one test. */
struct walk {
  struct wb_definitions *definitions;
  const struct wb_function *function;
  const struct wb_loop_forest *forest;
  const struct wb_launch *launch;
  const bool *inside; /* by block */
  bool stores;        /* the loop stores to memory that threads share */
  bool to_spins;      /* it ends at what loops wait for alone, else at the first loss */
  struct value values[MOST_VALUES];
  size_t count;
  struct wb_loop_loss *loss;
};

static const struct wb_access_kind *access_of(const struct walk *walk, uint32_t instruction)
{
  return wb_access_kind_of((enum wb_opcode)walk->function->instructions[instruction].number);
}

/* ---- what loops wait for ---- */

/* Whether an instruction of the loop makes a source of nothing that the loop changes. */
static bool is_invariant(struct walk *walk, uint32_t block, uint32_t instruction,
                         const struct wb_source *source, unsigned steps)
{
  const bool pair = source->kind == WB_SOURCE_REGISTER_PAIR;
  const uint16_t numbers[3] = {source->number,
                               pair ? (uint16_t)(source->number + 1) : (uint16_t)WB_NO_REGISTER,
                               source->index};
  const bool reads = source->kind == WB_SOURCE_REGISTER || source->kind == WB_SOURCE_PREDICATE;
  for (size_t n = 0; n < 3; n++) {
    if (numbers[n] == WB_NO_REGISTER || (n == 0 && !reads && !pair))
      continue;
    struct wb_definition found[WB_DEFINITION_LIMIT];
    wb_definitions_find(walk->definitions, block, instruction, numbers[n], walk->inside);
    const size_t count = walk->definitions->count;
    if (walk->definitions->budget == 0)
      return false;
    memcpy(found, walk->definitions->found, count * sizeof *found);
    for (size_t d = 0; d < count; d++) {
      struct wb_value_sources sources;
      wb_value_sources_find(walk->function, found[d].instruction, numbers[n], &sources);
      if (!sources.known || steps == 0)
        return false;
      for (size_t s = 0; s < sources.count; s++) {
        if (!is_invariant(walk, found[d].block, found[d].instruction, &sources.items[s], steps - 1))
          return false;
      }
    }
  }
  return true;
}

/* Whether the loop only waits for what other threads write: it loads the same word in each
 * iteration, or by a strong load, of words that others may write meanwhile (PTX ISA, "Memory
 * Consistency Model"), as where one block looks at the flags of those before it. */
static bool waits_for_load(struct walk *walk, const struct value *value)
{
  const struct wb_access_kind *access = access_of(walk, value->instruction);
  struct wb_value_sources sources;
  if (access->action != WB_ACTION_LOAD || access->space == WB_SPACE_LOCAL ||
      access->space == WB_SPACE_CONSTANT || walk->stores)
    return false;
  if (wb_instruction_has(&walk->function->instructions[value->instruction], WB_MODIFIER_STRONG))
    return true;
  wb_register_reads_find(walk->function, value->instruction, &sources);
  for (size_t s = 0; s < sources.count; s++) {
    if (sources.items[s].kind == WB_SOURCE_REGISTER &&
        !is_invariant(walk, value->block, value->instruction, &sources.items[s], MOST_STEPS))
      return false;
  }
  return true;
}

static bool reads_clock(const struct walk *walk, uint32_t index)
{
  const struct wb_instruction *instruction = &walk->function->instructions[index];
  bool clock = false;
  for (uint32_t o = 0; o < instruction->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(walk->function, instruction, o);
    clock |= operand->kind == WB_OPERAND_SPECIAL && operand->value == WB_SPECIAL_CLOCK;
  }
  return clock;
}

/* enum wb_spin: what the value is, in the loop. */
static uint8_t spins_of(struct walk *walk, const struct value *value)
{
  if (!walk->inside[value->block])
    return 0;
  if (access_of(walk, value->instruction)->action == WB_ACTION_ATOMIC)
    return wb_instruction_has(&walk->function->instructions[value->instruction], WB_MODIFIER_CAS)
               ? WB_SPIN_CAS | WB_SPIN_ATOMIC
               : WB_SPIN_ATOMIC;
  if (reads_clock(walk, value->instruction))
    return WB_SPIN_CLOCK;
  return waits_for_load(walk, value) ? WB_SPIN_LOAD : 0;
}

/* ---- losses ---- */

/* Whether the launch leaves a source open; writes the loss. */
static bool is_open(struct walk *walk, uint32_t instruction, const struct wb_source *source)
{
  struct wb_integer value;
  const bool constant =
      source->kind == WB_SOURCE_CONSTANT || source->kind == WB_SOURCE_CONSTANT_PAIR;
  if (constant && source->index == WB_NO_REGISTER)
    value = wb_launch_constant(walk->launch, walk->function, source->bank, (uint32_t)source->value);
  else if (source->kind == WB_SOURCE_SPECIAL)
    value =
        wb_launch_special(walk->launch, walk->function, (enum wb_special_register)source->value);
  else
    return false;
  const enum wb_origin_kind kind = (enum wb_origin_kind)(value.origin >> 24);
  const bool size = kind == WB_ORIGIN_BLOCK || kind == WB_ORIGIN_GRID;
  if (!size && kind != WB_ORIGIN_CONSTANT)
    return false;
  walk->loss->kind = size ? WB_LOSS_SIZE : WB_LOSS_CONSTANT;
  walk->loss->instruction = instruction;
  walk->loss->place = (uint32_t)source->bank << 16 | ((uint32_t)source->value & UINT16_MAX);
  walk->loss->wide = source->kind == WB_SOURCE_CONSTANT_PAIR;
  return true;
}

static enum wb_loss_kind kind_of(const struct walk *walk, uint32_t index)
{
  const struct wb_instruction *instruction = &walk->function->instructions[index];
  const struct wb_access_kind *access = access_of(walk, index);
  if (instruction->transfer == WB_TRANSFER_CALL_OUTSIDE || instruction->outside)
    return WB_LOSS_CALL;
  if (access->action == WB_ACTION_LOAD)
    return WB_LOSS_LOAD;
  if (access->action == WB_ACTION_ATOMIC)
    return WB_LOSS_ATOMIC;
  return reads_clock(walk, index) ? WB_LOSS_CLOCK : WB_LOSS_OPCODE;
}

/* Whether the instruction gives the first estimate of a division by a variable, whose source is a
 * reciprocal with 0x0ffffffe added to its bits: of the quotient that follows a range is known where
 * one is of the dividend. */
static bool begins_division(const struct walk *walk, const struct value *value)
{
  const struct wb_function *function = walk->function;
  const struct wb_instruction *estimate = &function->instructions[value->instruction];
  const uint32_t first = walk->definitions->graph->blocks[value->block].first;
  if (wb_instruction_reciprocal_step(estimate) != WB_RECIPROCAL_TO_UNSIGNED ||
      estimate->operand_count < 2)
    return false;
  const struct wb_operand *scaled = wb_operand_of(function, estimate, 1);
  uint32_t index = value->instruction;
  if (scaled->kind != WB_OPERAND_REGISTER || scaled->number == WB_NO_REGISTER)
    return false;
  while (index > first &&
         !wb_registers_written(function, index - 1, index - 1, (uint16_t)scaled->number))
    index--;
  if (index == first)
    return false;
  const struct wb_instruction *sum = &function->instructions[index - 1];
  for (uint32_t o = 0; o < sum->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(function, sum, o);
    if (operand->kind == WB_OPERAND_NUMBER && (uint32_t)operand->value == 0xffffffe)
      return true;
  }
  return false;
}

/* ---- walks ---- */

/* Adds the definitions of a register before an instruction. */
static void add_values(struct walk *walk, uint32_t block, uint32_t instruction, uint16_t number)
{
  if (number >= WB_REGISTER_BARRIER)
    return;
  struct wb_definitions *definitions = walk->definitions;
  wb_definitions_find(definitions, block, instruction, number, NULL);
  for (size_t d = 0; d < definitions->count; d++) {
    const struct wb_definition *definition = &definitions->found[d];
    bool known = walk->count == MOST_VALUES;
    for (size_t v = 0; v < walk->count && !known; v++)
      known = walk->values[v].instruction == definition->instruction &&
              walk->values[v].block == definition->block && walk->values[v].number == number;
    if (!known)
      walk->values[walk->count++] =
          (struct value){definition->block, definition->instruction, number,
                         definitions->count > 1 || definitions->more};
  }
}

static void add_source(struct walk *walk, uint32_t block, uint32_t instruction,
                       const struct wb_source *source)
{
  if (source->kind == WB_SOURCE_REGISTER || source->kind == WB_SOURCE_PREDICATE ||
      source->kind == WB_SOURCE_REGISTER_PAIR)
    add_values(walk, block, instruction, source->number);
  if (source->kind == WB_SOURCE_REGISTER_PAIR)
    add_values(walk, block, instruction, (uint16_t)(source->number + 1));
  if (source->index != WB_NO_REGISTER)
    add_values(walk, block, instruction, source->index);
}

static bool decides(const struct walk *walk, uint32_t block)
{
  const uint32_t last = walk->definitions->graph->blocks[block].last;
  return wb_instruction_conditional(&walk->function->instructions[last]);
}

/* What the last instruction of a block decides by. */
static void add_test(struct walk *walk, uint32_t block)
{
  const uint32_t last = walk->definitions->graph->blocks[block].last;
  struct wb_value_sources sources;
  wb_register_reads_find(walk->function, last, &sources);
  for (size_t s = 0; s < sources.count; s++)
    add_source(walk, block, last, &sources.items[s]);
}

/* The nearest block of the loop, from that one on, that decides whether it is reached, or itself;
 * NONE where there is none. */
static uint32_t decider(const struct walk *walk, uint32_t block)
{
  while (walk->inside[block] && !decides(walk, block)) {
    const uint32_t above = walk->forest->dominators[block];
    if (above == block)
      return NONE;
    block = above;
  }
  return walk->inside[block] ? block : NONE;
}

/* Follows one value: true where the walk ends. */
static bool follow(struct walk *walk, const struct value *value)
{
  struct wb_value_sources sources;
  wb_value_sources_find(walk->function, value->instruction, value->number, &sources);
  if (walk->to_spins) {
    const uint8_t spins = spins_of(walk, value);
    if (spins != 0 && walk->loss->spins == 0)
      walk->loss->spin = value->instruction;
    walk->loss->spins |= spins;
    if (spins != 0)
      return true;
  } else {
    for (size_t s = 0; s < sources.count; s++) {
      if (sources.known && is_open(walk, value->instruction, &sources.items[s])) {
        walk->loss->inside = walk->inside[value->block];
        return true;
      }
    }
    if (wb_launch_load(walk->launch, value->instruction) != NULL)
      return false;
    if (begins_division(walk, value))
      return false;
    if (!sources.known || reads_clock(walk, value->instruction)) {
      walk->loss->kind = (uint8_t)kind_of(walk, value->instruction);
      walk->loss->instruction = value->instruction;
      walk->loss->inside = walk->inside[value->block];
      return true;
    }
  }
  for (size_t s = 0; s < sources.count; s++)
    add_source(walk, value->block, value->instruction, &sources.items[s]);
  return false;
}

/* Walks back from the test at the end of a block, the nearest values first; where these show
 * nothing, by the tests that decide which of several values it is. True where something was
 * found. */
static bool walk_back(struct walk *walk, uint32_t block, bool to_spins)
{
  size_t next = 0;
  size_t decided = 0;
  walk->to_spins = to_spins;
  walk->count = 0;
  add_test(walk, block);
  for (;;) {
    for (; next < walk->count; next++) {
      const struct value value = walk->values[next];
      if (follow(walk, &value))
        return true;
    }
    while (decided < walk->count && next == walk->count) {
      const struct value value = walk->values[decided++];
      const uint32_t above = walk->forest->dominators[value.block];
      const uint32_t by =
          value.joined && walk->inside[value.block] && above != NONE ? decider(walk, above) : NONE;
      if (by != NONE)
        add_test(walk, by);
    }
    if (next == walk->count)
      return false;
  }
}

/* All is known: the first value in the loop that is not a copy alone, or the test. */
static void tell_join(struct walk *walk, uint32_t block)
{
  walk->loss->kind = WB_LOSS_TEST;
  walk->loss->instruction = walk->definitions->graph->blocks[block].last;
  walk->loss->inside = true;
  for (size_t v = 0; v < walk->count; v++) {
    const struct value *value = &walk->values[v];
    if (walk->inside[value->block] && value->joined && value->number < WB_REGISTER_PREDICATE) {
      walk->loss->kind = WB_LOSS_JOIN;
      walk->loss->instruction = value->instruction;
      return;
    }
  }
}

/* The lower, the cheaper a fact that mends it. */
static unsigned price(const struct wb_loop_loss *loss)
{
  static const uint8_t prices[] = {
      [WB_LOSS_NONE] = 9,   [WB_LOSS_CONSTANT] = 1, [WB_LOSS_SIZE] = 0, [WB_LOSS_LOAD] = 2,
      [WB_LOSS_ATOMIC] = 4, [WB_LOSS_CLOCK] = 4,    [WB_LOSS_CALL] = 6, [WB_LOSS_OPCODE] = 5,
      [WB_LOSS_JOIN] = 7,   [WB_LOSS_TEST] = 8,
  };
  return prices[loss->kind] + (loss->kind == WB_LOSS_LOAD && loss->inside ? 1U : 0U);
}

/* Whether the loop stores to memory that threads share. */
static bool stores(const struct walk *walk, const struct wb_loop *loop)
{
  bool some = false;
  for (size_t i = 0; i < loop->node_count; i++) {
    const uint32_t block = walk->forest->nodes[loop->first_node + i];
    const struct wb_warp_block *what = &walk->definitions->graph->blocks[block];
    for (uint32_t n = what->first; n <= what->last; n++) {
      const struct wb_access_kind *access = access_of(walk, n);
      some |= access->space != WB_SPACE_LOCAL &&
              (access->action == WB_ACTION_STORE || access->action == WB_ACTION_COPY ||
               access->action == WB_ACTION_BULK);
    }
  }
  return some;
}

/* The blocks of the loop from whose ends threads leave it, or in which they may end: a list without
 * order, in `blocks`. */
static size_t find_exits(const struct walk *walk, const struct wb_loop *loop, uint32_t *blocks)
{
  const struct wb_warp_graph *graph = walk->definitions->graph;
  size_t count = 0;
  bool *leaves = (bool *)(blocks + loop->node_count);
  for (size_t i = 0; i < loop->node_count; i++) {
    const uint32_t block = walk->forest->nodes[loop->first_node + i];
    leaves[block] = graph->ends[block];
  }
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    if (walk->inside[edge->from] && !walk->inside[edge->to] && edge->kind != WB_EDGE_REACTIVATION)
      leaves[edge->from] = true;
  }
  for (size_t i = 0; i < loop->node_count; i++) {
    const uint32_t block = walk->forest->nodes[loop->first_node + i];
    if (leaves[block])
      blocks[count++] = block;
  }
  return count;
}

bool wb_loop_loss_find(struct wb_definitions *definitions, const struct wb_loop_forest *forest,
                       uint32_t loop, const struct wb_launch *launch, struct wb_loop_loss *loss)
{
  const struct wb_warp_graph *graph = definitions->graph;
  const struct wb_loop *it = &forest->loops[loop];
  struct wb_arena arena = {0};
  bool *inside = wb_arena_array(&arena, bool, graph->block_count);
  uint32_t *exits = wb_arena_allocate(
      &arena, 1, it->node_count * sizeof *exits + graph->block_count * sizeof(bool));
  struct walk *walk = wb_arena_array(&arena, struct walk, 1);
  const uint32_t header = graph->blocks[it->header].last;
  *loss = (struct wb_loop_loss){.test = header};
  if (arena.failed) {
    wb_arena_free(&arena);
    return false;
  }
  for (size_t i = 0; i < it->node_count; i++)
    inside[forest->nodes[it->first_node + i]] = true;
  struct wb_loop_loss found = *loss;
  *walk = (struct walk){.definitions = definitions,
                        .function = graph->function,
                        .forest = forest,
                        .launch = launch,
                        .inside = inside,
                        .loss = &found};
  walk->stores = stores(walk, it);
  const size_t count = find_exits(walk, it, exits);
  bool waits = count > 0;
  uint8_t spins = 0;
  for (size_t x = 0; x < count; x++) {
    const uint32_t block = decider(walk, exits[x]);
    found = (struct wb_loop_loss){.test = graph->blocks[block != NONE ? block : exits[x]].last};
    if (block == NONE) {
      waits = false;
      continue;
    }
    waits = waits && walk_back(walk, block, true);
    if (waits && spins == 0)
      loss->spin = found.spin;
    spins |= found.spins;
    if (!walk_back(walk, block, false))
      tell_join(walk, block);
    if (price(&found) < price(loss)) {
      const uint32_t spin = loss->spin;
      *loss = found;
      loss->spin = spin;
    }
  }
  if (loss->kind == WB_LOSS_NONE) {
    loss->kind = WB_LOSS_TEST;
    loss->instruction = loss->test;
    loss->inside = true;
  }
  loss->spins = waits ? spins : 0;
  wb_arena_free(&arena);
  return true;
}
