#include "flow/loop_bounds/loop_bit_cases.h"

#include "base/memory.h"
#include "isa/lower/lower.h"
#include "values/bits/bit_words.h"
#include "values/domain.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
/* Registers of a block that may be words of such a number. */
#define MOST_WORDS 8

/* A number m of 64 bits in two registers, of which each has one instruction of the loop that writes
 * it, in a block that each iteration with a back edge runs once. */
struct cases {
  struct wb_loop_walk *walk;
  const struct wb_integer_state *entry;
  struct wb_bit_state *state;
  uint16_t low, high;
  uint32_t block;
  uint32_t writers[2]; /* the instructions that write low and high */
};

/* ---- the loop ---- */

/* Whether the first block comes before the second one in each iteration, or is it. */
static bool comes_first(const struct wb_loop_walk *walk, uint32_t first, uint32_t second)
{
  const struct wb_dominators *tree = &walk->flow->dominators;
  const uint32_t at = tree->position[second];
  return tree->position[first] <= at && at < tree->position[first] + tree->size[first];
}

/* Whether each iteration that ends in a back edge runs the block, and once. */
static bool runs_once(const struct wb_loop_walk *walk, uint32_t block)
{
  const struct wb_thread_flow *flow = walk->flow;
  const uint32_t header = walk->forest->loops[walk->loop].header;
  bool once = walk->forest->innermost[block] == walk->loop;
  for (uint32_t i = flow->reaching.first[header]; once && i < flow->reaching.first[header + 1];
       i++) {
    const uint32_t edge = flow->reaching.list[i];
    once = !flow->is_back[edge] || comes_first(walk, block, flow->from[edge]);
  }
  return once;
}

/* How many instructions of the loop may write the register. */
static size_t count_writers(const struct wb_loop_walk *walk, uint16_t number)
{
  const struct wb_warp_graph *graph = walk->flow->graph;
  size_t count = 0;
  for (size_t b = 0; b < walk->block_count; b++) {
    const struct wb_warp_block *block = &graph->blocks[walk->blocks[b]];
    for (uint32_t i = block->first; i <= block->last; i++)
      count += wb_registers_written(graph->function, i, i, number);
  }
  return count;
}

/* Whether the instruction writes a register as a function of the bits of it and other words. */
static bool changes_bits(const struct wb_function *function, uint32_t index, uint16_t *number)
{
  struct wb_micro_code code;
  if (function->instructions[index].unknown || !wb_lower(function, index, &code))
    return false;
  for (size_t w = 0; w < code.write_count; w++) {
    const struct wb_micro_operation *operation = &code.operations[code.writes[w].result];
    *number = code.writes[w].number;
    for (size_t s = 0; s < 3 && operation->kind == WB_MICRO_LOOKUP && !code.writes[w].wide; s++) {
      if (operation->sources[s].kind == WB_SOURCE_REGISTER &&
          operation->sources[s].number == *number && *number < WB_VALUE_SLOTS)
        return true;
    }
  }
  return false;
}

/* ---- cases ---- */

/* Begins a block of the loop with these bits in m; registers that no iteration changes have the
 * number that is known at all entries. */
static void begin(const struct cases *cases, const uint8_t bits[WB_BIT_PLACES])
{
  const struct wb_loop_summary *summary = &cases->walk->summaries[cases->walk->loop];
  wb_bits_any(cases->state);
  for (uint16_t r = 0; r < WB_VALUE_SLOTS && summary->entered; r++) {
    if (wb_integer_is_exact(&summary->constant[r]))
      wb_bits_set(cases->state, r, summary->constant[r].low);
  }
  memcpy(cases->state->registers[cases->low], bits, 32);
  memcpy(cases->state->registers[cases->high], bits + 32, 32);
}

/* Does the instructions of a block, without a transfer at its end. cleared: what m holds once it is
 * written is 0. */
static void run(const struct cases *cases, uint32_t block, bool cleared)
{
  const struct wb_warp_graph *graph = cases->walk->flow->graph;
  const struct wb_warp_block *what = &graph->blocks[block];
  for (uint32_t i = what->first; i <= what->last; i++) {
    wb_bits_step(cases->state, graph->function, i);
    if (cleared && i == cases->writers[0])
      wb_bits_set(cases->state, cases->low, 0);
    if (cleared && i == cases->writers[1])
      wb_bits_set(cases->state, cases->high, 0);
  }
  cases->walk->bit_cases += what->last - what->first + 1;
}

/* Whether no thread stays in the loop after the block, which has been run. */
static bool leaves(const struct cases *cases, uint32_t block)
{
  const struct wb_loop_walk *walk = cases->walk;
  const struct wb_thread_flow *flow = walk->flow;
  for (uint32_t i = flow->leaving.first[block]; i < flow->leaving.first[block + 1]; i++) {
    const uint32_t edge = flow->leaving.list[i];
    bool possible = walk->region[flow->to[edge]] == walk->loop + 1;
    for (unsigned condition = 0; possible && condition < WB_EDGE_CONDITIONS; condition++) {
      size_t predicate;
      bool is_true;
      if (wb_edge_condition(flow, edge, condition, &predicate, &is_true))
        possible = cases->state->predicates[predicate] != (is_true ? WB_BIT_ZERO : WB_BIT_ONE);
    }
    if (possible)
      return false;
  }
  return true;
}

/* The bits of m in the case that its lowest, or highest, set bit is that one; `alone`: all others
 * are 0. */
static void case_of(unsigned place, bool lowest, bool alone, uint8_t bits[WB_BIT_PLACES])
{
  for (unsigned i = 0; i < WB_BIT_PLACES; i++)
    bits[i] = i == place                       ? WB_BIT_ONE
              : alone || (i < place) == lowest ? WB_BIT_ZERO
                                               : (uint8_t)(WB_BIT_OF_NUMBER + 2 * i);
}

/* Whether the block clears that bit of m, in the case of it, and leaves all others as they are. */
static bool clears(const struct cases *cases, unsigned place, bool lowest)
{
  uint8_t bits[WB_BIT_PLACES];
  case_of(place, lowest, false, bits);
  begin(cases, bits);
  run(cases, cases->block, false);
  bits[place] = WB_BIT_ZERO;
  return memcmp(cases->state->registers[cases->low], bits, 32) == 0 &&
         memcmp(cases->state->registers[cases->high], bits + 32, 32) == 0;
}

/* Whether the block clears one bit of each m but 0. */
static bool clears_one(const struct cases *cases)
{
  for (unsigned lowest = 0; lowest < 2; lowest++) {
    unsigned place = 0;
    while (place < WB_BIT_PLACES && clears(cases, place, lowest != 0))
      place++;
    if (place == WB_BIT_PLACES)
      return true;
  }
  return false;
}

/* Whether no thread stays in the loop after the block in which it began with these bits. */
static bool leaves_with(const struct cases *cases, uint32_t block, const uint8_t *bits,
                        bool cleared)
{
  begin(cases, bits);
  run(cases, block, cleared);
  return leaves(cases, block);
}

/* Whether no thread stays in the loop after the block that clears, where m has one bit. */
static bool leaves_with_one(const struct cases *cases)
{
  for (unsigned place = 0; place < WB_BIT_PLACES; place++) {
    uint8_t bits[WB_BIT_PLACES];
    case_of(place, true, true, bits);
    if (!leaves_with(cases, cases->block, bits, false))
      return false;
  }
  return true;
}

/* Whether the block leaves 0 of 0. */
static bool keeps_zero(const struct cases *cases)
{
  static const uint8_t none[WB_BIT_PLACES] = {WB_BIT_ZERO};
  begin(cases, none);
  run(cases, cases->block, false);
  return memcmp(cases->state->registers[cases->low], none, 32) == 0 &&
         memcmp(cases->state->registers[cases->high], none, 32) == 0;
}

/* ---- bounds ---- */

/* The number at the entries. */
static struct wb_wide start_of(const struct cases *cases)
{
  return wb_pairs_value(&cases->entry->pairs, cases->entry->registers, cases->low, cases->high);
}

static bool starts_with_zero(const struct cases *cases)
{
  const struct wb_wide start = start_of(cases);
  return wb_wide_has_base(&start) || 0 - start.low <= start.width;
}

/* Most bits of a number from `low` on that are set. */
static uint64_t most_bits_of(uint64_t low, uint64_t width, unsigned places)
{
  const uint64_t high = low + width;
  uint64_t bits = places;
  while (high >= low && bits > 0 && high >> (bits - 1) == 0)
    bits--;
  return bits;
}

/* Most bits that are set at an entry. */
static uint64_t most_bits(const struct cases *cases)
{
  const struct wb_wide start = start_of(cases);
  uint64_t of_words = 0;
  for (size_t i = 0; i < 2; i++) {
    const struct wb_integer *word = &cases->entry->registers[i == 0 ? cases->low : cases->high];
    const bool wraps = word->base != WB_NO_REGISTER || word->low + word->width < word->low;
    of_words += wraps ? 32 : most_bits_of(word->low, word->width, 32);
  }
  const uint64_t of_all =
      wb_wide_has_base(&start) ? of_words : most_bits_of(start.low, start.width, WB_BIT_PLACES);
  return of_all < of_words ? of_all : of_words;
}

/* The bound by what ends the loop at the end of one block. */
static bool bound_by(const struct cases *cases, uint32_t block, uint64_t *bound)
{
  static const uint8_t none[WB_BIT_PLACES] = {WB_BIT_ZERO};
  uint8_t any[WB_BIT_PLACES];
  const uint64_t bits = most_bits(cases);
  const bool never_zero = !starts_with_zero(cases);
  memset(any, WB_BIT_ANY, sizeof any);
  *bound = bits > 0 ? bits - 1 : 0;
  if (block != cases->block && comes_first(cases->walk, block, cases->block)) {
    *bound = bits;
    return leaves_with(cases, block, none, false);
  }
  if (block == cases->block) {
    if (leaves_with_one(cases) && (never_zero || leaves_with(cases, block, none, false)))
      return true;
    /* A thread that enters with 0 may go back once, and has any other number then. */
    if (!leaves_with(cases, block, any, true))
      return false;
  } else if (!leaves_with(cases, block, none, false))
    return false;
  if (!never_zero && !keeps_zero(cases))
    *bound = WB_BIT_PLACES;
  return true;
}

/* The best bound by the pair. */
static void try_pair(const struct cases *cases, bool *found, uint64_t *bound)
{
  const struct wb_wide start = start_of(cases);
  if ((!wb_wide_has_base(&start) && start.width == 0) || /* its iterations say more */
      !clears_one(cases))
    return;
  for (size_t b = 0; b < cases->walk->block_count; b++) {
    const uint32_t block = cases->walk->blocks[b];
    uint64_t one;
    if (!runs_once(cases->walk, block) ||
        !(comes_first(cases->walk, block, cases->block) ||
          comes_first(cases->walk, cases->block, block)) ||
        !bound_by(cases, block, &one) || (*found && *bound <= one))
      continue;
    *found = true;
    *bound = one;
  }
}

/* Tries the pairs of a block. */
static void try_block(struct cases *cases, bool *found, uint64_t *bound)
{
  const struct wb_warp_graph *graph = cases->walk->flow->graph;
  const struct wb_warp_block *block = &graph->blocks[cases->block];
  uint16_t words[MOST_WORDS];
  uint32_t writers[MOST_WORDS];
  size_t count = 0;
  for (uint32_t i = block->first; i <= block->last && count < MOST_WORDS; i++) {
    if (!changes_bits(graph->function, i, &words[count]) ||
        count_writers(cases->walk, words[count]) != 1)
      continue;
    writers[count++] = i;
  }
  for (size_t i = 0; i < count * count; i++) {
    const size_t low = i / count;
    const size_t high = i % count;
    if (low == high || cases->walk->bit_cases > WB_WALK_MOST_BIT_CASES)
      continue;
    cases->low = words[low];
    cases->high = words[high];
    cases->writers[0] = writers[low];
    cases->writers[1] = writers[high];
    try_pair(cases, found, bound);
  }
}

warpbound_status wb_loop_clears_cases(struct wb_loop_walk *walk,
                                      const struct wb_integer_state *entry, bool *found,
                                      uint64_t *bound, const char **assumption)
{
  struct cases cases = {.walk = walk, .entry = entry, .state = wb_allocate(1, sizeof *cases.state)};
  *found = false;
  *assumption = NULL;
  if (cases.state == NULL)
    return wb_out_of_memory(walk->error);
  for (unsigned assumed = 0; assumed < 2 && !*found; assumed++) {
    cases.state->shifts_all = assumed != 0;
    for (size_t b = 0; b < walk->block_count; b++) {
      cases.block = walk->blocks[b];
      if (runs_once(walk, cases.block))
        try_block(&cases, found, bound);
    }
    if (*found && cases.state->shifted_all)
      *assumption = "a shift of two words (SHF) by 64 places or more leaves none of their bits, as "
                    "those of 64 bits in PTX (shl, shr)";
  }
  free(cases.state);
  return WARPBOUND_OK;
}
