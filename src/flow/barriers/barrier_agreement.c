#include "flow/barriers/barrier_agreement.h"

#include "base/arena.h"
#include "base/memory.h"
#include "cfg/agreement/lane_agreement.h"
#include "cfg/warp_graph/warp_graph.h"
#include "flow/barriers/agreement_graph.h"
#include "flow/barriers/barrier_visits.h"
#include "isa/lower/lower.h"
#include "isa/opcode.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A *choice* is a block that warps may leave by different edges. Its region are the blocks between
 * it and the place where all ways from it meet again. */
struct analysis {
  const struct wb_warp_graph *graph;
  const bool *unchanged; /* by instruction: nothing writes what it loads; NULL: of none */
  enum wb_compared_warps compared;
  struct wb_agreement_graph ways;    /* the walks that are compared */
  struct wb_register_set *differing; /* by block: the registers at its begin that may differ between
                                  threads which come to it in the same visit */
  bool *reached;                     /* by block: `differing` is set */
  bool *inside;                      /* by block: in the region of some choice */
  bool *choice;                      /* by block */
  struct wb_register_set always[2];  /* differ everywhere, and [1] where not the whole warp runs:
                                        find_always */
  uint32_t *first_segment; /* by block, and the end: pieces of blocks; a barrier ends one */
  bool *shaken;    /* by segment: shared memory may be written between two barriers around it */
  bool reads_only; /* some value is alike for what no store writes while the kernel runs */
  bool *met;       /* scratch by block */
  uint32_t *stack;
  struct wb_arena arena;
};

static warpbound_status prepare(struct analysis *analysis, enum wb_early_ends early_ends,
                                warpbound_error *error)
{
  const struct wb_warp_graph *graph = analysis->graph;
  const size_t blocks = graph->block_count;
  struct wb_arena *arena = &analysis->arena;
  analysis->differing = wb_arena_array(arena, struct wb_register_set, blocks);
  analysis->reached = wb_arena_array(arena, bool, blocks);
  analysis->inside = wb_arena_array(arena, bool, blocks);
  analysis->choice = wb_arena_array(arena, bool, blocks);
  analysis->met = wb_arena_array(arena, bool, blocks);
  analysis->first_segment = wb_arena_array(arena, uint32_t, blocks + 1);
  if (!arena->failed) {
    for (uint32_t b = 0; b < blocks; b++)
      analysis->first_segment[b + 1] =
          analysis->first_segment[b] + 1 + wb_count_barriers(graph, b, graph->blocks[b].last + 1);
    const size_t segments = analysis->first_segment[blocks];
    analysis->shaken = wb_arena_array(arena, bool, segments);
    analysis->stack = wb_arena_array(arena, uint32_t, segments + 1);
  }
  if (arena->failed)
    return wb_out_of_memory(error);
  return wb_agreement_graph_make(graph, early_ends, arena, &analysis->ways, error);
}

/* ---- shared memory between barriers ---- */

/* Most pairs of a barrier and a piece of code that can come after it before the next one. */
#define PAIR_LIMIT ((size_t)1 << 26)

/* How an instruction may write shared memory. */
enum shared_write {
  WRITES_NOT,
  WRITES_NOW,  /* before the next barrier that its warp passes */
  WRITES_LATER /* by a copy that goes on by itself */
};

static enum shared_write writes_shared(const struct wb_instruction *instruction)
{
  const struct wb_access_kind *kind = wb_access_kind_of((enum wb_opcode)instruction->number);
  if (instruction->never)
    return WRITES_NOT;
  if (instruction->unknown || instruction->outside || kind->action == WB_ACTION_COPY ||
      kind->action == WB_ACTION_BULK || instruction->transfer == WB_TRANSFER_CALL_OUTSIDE ||
      wb_instruction_is(instruction, WB_TRAIT_STORES_LATER))
    return WRITES_LATER;
  const bool writes = kind->action == WB_ACTION_STORE || kind->action == WB_ACTION_UPDATE ||
                      kind->action == WB_ACTION_ATOMIC || kind->action == WB_ACTION_STORE_MATRIX;
  return writes && (kind->space == WB_SPACE_SHARED || kind->space == WB_SPACE_GENERIC) ? WRITES_NOW
                                                                                       : WRITES_NOT;
}

/* What there is of writes and barriers from an instruction on to the end of its piece. */
struct piece {
  bool writes;  /* shared memory may be written */
  bool goes_on; /* the piece is left without a barrier, or by one that is guarded */
  bool last;    /* it is the last one of its block */
};

/* Looks at the piece that begins at an instruction; *next: where the one after it begins. */
static struct piece look_at(const struct wb_warp_graph *graph, uint32_t block, uint32_t *next)
{
  struct piece piece = {.goes_on = true};
  bool barrier = false;
  uint32_t i = *next;
  for (; i <= graph->blocks[block].last && !barrier; i++) {
    const struct wb_instruction *instruction = &graph->function->instructions[i];
    barrier = wb_instruction_unit(instruction) == WB_UNIT_BARRIER;
    piece.writes |= writes_shared(instruction) != WRITES_NOT;
    piece.goes_on = !barrier || instruction->guarded;
  }
  piece.last = !barrier;
  *next = i;
  return piece;
}

/* Marks as shaken the pieces that can follow a barrier, or the start, before the next one, where
 * one of them may write shared memory. `met` and `writes`, by piece, are scratch. */
static void shake_from(struct analysis *analysis, const struct piece *pieces,
                       const uint32_t *block_of, uint32_t start, bool *met)
{
  const uint32_t segments = analysis->first_segment[analysis->ways.way_out];
  bool writes = false;
  size_t count = 0;
  memset(met, 0, segments * sizeof *met);
  met[start] = true;
  analysis->stack[count++] = start;
  while (count > 0) {
    const uint32_t piece = analysis->stack[--count];
    writes |= pieces[piece].writes;
    if (!pieces[piece].last && pieces[piece].goes_on && !met[piece + 1]) {
      met[piece + 1] = true;
      analysis->stack[count++] = piece + 1;
    }
    const uint32_t *leaving = &analysis->ways.leaving.first[block_of[piece]];
    for (uint32_t i = leaving[0]; i < leaving[1] && pieces[piece].last; i++) {
      const uint32_t to = analysis->ways.to[analysis->ways.leaving.list[i]];
      if (to == analysis->ways.way_out || met[analysis->first_segment[to]])
        continue;
      met[analysis->first_segment[to]] = true;
      analysis->stack[count++] = analysis->first_segment[to];
    }
  }
  for (uint32_t piece = 0; piece < segments && writes; piece++)
    analysis->shaken[piece] |= met[piece];
}

/* Finds where shared memory is as it was at the barrier before, until the one after: in pieces of
 * code that no barrier leads to without another one between, from which a write can be met so too.
 * Copies that go on by themselves end nowhere that is known, of warps that end early it is not said
 * that others see what they stored, and warps beside a group write when they like. */
static warpbound_status find_shaken(struct analysis *analysis, enum wb_early_ends early_ends,
                                    warpbound_error *error)
{
  const struct wb_warp_graph *graph = analysis->graph;
  const uint32_t segments = analysis->first_segment[graph->block_count];
  const size_t starts = segments - graph->block_count + 1;
  bool shaken = early_ends != WB_ENDS_ALIKE || analysis->compared == WB_COMPARED_GROUP ||
                starts > PAIR_LIMIT / segments;
  for (size_t i = 0; i < graph->function->instruction_count; i++)
    shaken |= writes_shared(&graph->function->instructions[i]) == WRITES_LATER;
  memset(analysis->shaken, shaken, segments * sizeof *analysis->shaken);
  if (shaken)
    return WARPBOUND_OK;
  struct piece *pieces = wb_arena_array(&analysis->arena, struct piece, segments);
  uint32_t *block_of = wb_arena_array(&analysis->arena, uint32_t, segments);
  bool *met = wb_arena_array(&analysis->arena, bool, segments);
  if (analysis->arena.failed)
    return wb_out_of_memory(error);
  for (uint32_t b = 0; b < graph->block_count; b++) {
    uint32_t next = graph->blocks[b].first;
    for (uint32_t s = analysis->first_segment[b]; s < analysis->first_segment[b + 1]; s++) {
      pieces[s] = look_at(graph, b, &next);
      block_of[s] = b;
    }
  }
  for (uint32_t s = 0; s < segments; s++)
    if (s == analysis->first_segment[graph->entry_block] || (s > 0 && !pieces[s - 1].last))
      shake_from(analysis, pieces, block_of, s, met);
  return WARPBOUND_OK;
}

/* ---- values ---- */

/* Barrier registers hold the lanes that ran, fewer in a warp that is not full. Uniform registers
 * belong to the warp: where its lanes may be apart, each group of them writes again what the next
 * group reads, so they tell how many groups there were, until the whole warp writes them. */
static void find_always(struct analysis *analysis)
{
  const struct wb_warp_graph *graph = analysis->graph;
  const struct wb_function *function = graph->function;
  for (int apart = 0; apart < 2; apart++)
    wb_register_set_add(
        &analysis->always[apart],
        (struct wb_register_span){WB_REGISTER_BARRIER, WB_REGISTER_COUNT - WB_REGISTER_BARRIER});
  for (uint32_t b = 0; b < graph->block_count; b++) {
    if (wb_block_is_whole(graph, b))
      continue;
    for (uint32_t i = graph->blocks[b].first; i <= graph->blocks[b].last; i++) {
      const struct wb_instruction *instruction = &function->instructions[i];
      for (size_t s = 0; s < instruction->write_count && !instruction->never; s++) {
        const struct wb_register_span span = function->spans[instruction->first_write + s];
        if (span.first >= WB_REGISTER_UNIFORM)
          wb_register_set_add(&analysis->always[1], span);
      }
    }
  }
}

/* Whether an instruction computes all that it writes of registers, constants and the launch. Of a
 * register that all threads have alike some lane's word is the same in each warp. */
static bool computes_of_reads(const struct analysis *analysis, uint32_t index)
{
  const struct wb_function *function = analysis->graph->function;
  const struct wb_instruction *instruction = &function->instructions[index];
  struct wb_micro_code code;
  size_t written = 0;
  if (!wb_lower(function, index, &code))
    return false;
  for (size_t o = 0; o < code.count; o++) {
    for (size_t s = 0; s < 5; s++)
      if (code.operations[o].sources[s].kind == WB_SOURCE_SPECIAL &&
          !wb_special_register_is_alike(
              (enum wb_special_register)code.operations[o].sources[s].value,
              analysis->compared == WB_COMPARED_LAUNCH))
        return false;
    if (code.operations[o].kind == WB_MICRO_UNKNOWN)
      return false;
  }
  for (size_t s = 0; s < instruction->write_count; s++)
    written += function->spans[instruction->first_write + s].count;
  for (size_t w = 0; w < code.write_count; w++)
    written -= code.writes[w].wide ? 2 : 1;
  return written == 0;
}

/* The result of the last reduction at a barrier (BAR.RED), as one more register: all threads of the
 * block have the same one. It is not among what instructions are said to read and write. */
#define REDUCTION WB_REGISTER_COUNT
static_assert(REDUCTION < 64 * WB_REGISTER_WORDS, "a set of registers has room for one more");

static bool loads_reduction(const struct wb_instruction *instruction)
{
  return wb_instruction_is(instruction, WB_TRAIT_LOADS_BARRIER) &&
         wb_instruction_has(instruction, WB_MODIFIER_RESULT);
}

/* Whether threads that load from one address get one value: from constant memory, from global
 * memory that is said to be read alone, or from shared memory that nothing writes between two
 * barriers. */
static bool loads_alike(struct analysis *analysis, uint32_t segment, uint32_t index)
{
  const struct wb_instruction *instruction = &analysis->graph->function->instructions[index];
  const struct wb_access_kind *kind = wb_access_kind_of((enum wb_opcode)instruction->number);
  if (wb_instruction_loads_constant(instruction))
    return true;
  if (kind->action != WB_ACTION_LOAD || analysis->compared == WB_COMPARED_LAUNCH)
    return false;
  const bool said = analysis->unchanged != NULL && analysis->unchanged[index];
  const bool only = kind->space == WB_SPACE_GLOBAL &&
                    (said || wb_instruction_has(instruction, WB_MODIFIER_CONSTANT));
  analysis->reads_only |= only && !said;
  return only || (kind->space == WB_SPACE_SHARED && !analysis->shaken[segment]);
}

/* Whether threads that read the same values write the same, in whatever warp, in the same visit. */
static bool follows_from_reads(struct analysis *analysis, uint32_t segment, uint32_t index)
{
  const struct wb_function *function = analysis->graph->function;
  const struct wb_instruction *instruction = &function->instructions[index];
  if (instruction->unknown || instruction->outside)
    return false;
  switch ((enum wb_agreement_rule)instruction->agreement) {
  case WB_AGREES_BY_SOURCES:
  case WB_AGREES_BY_LANE:
    return true;
  case WB_AGREES_BY_MEMORY:
    return loads_alike(analysis, segment, index);
  case WB_AGREES_ALWAYS:
    return wb_instruction_loads_constant(instruction) || computes_of_reads(analysis, index) ||
           (loads_reduction(instruction) && analysis->compared == WB_COMPARED_BLOCK);
  case WB_AGREES_NEVER:
    return false;
  }
  return false;
}

static bool differs(const struct wb_register_set *differing, uint32_t number)
{
  return (differing->words[number / 64] >> (number % 64) & 1) != 0;
}

/* ---- bits of a register (doc/all-paths.md, "Single bits") ---- */

static bool follows_bits(const struct wb_function *function,
                         const struct wb_instruction *instruction, enum wb_bit_use use)
{
  return instruction->bit_use == use && function->bit_register > 0 &&
         instruction->bit_register == function->bit_register;
}

/* Whether all bits that an instruction tests are alike. */
static bool tests_like_bits(const struct wb_function *function,
                            const struct wb_instruction *instruction,
                            const struct wb_register_set *differing)
{
  bool alike = follows_bits(function, instruction, WB_BITS_TESTED);
  for (uint32_t bit = 0; bit < 32 && alike; bit++)
    alike = (instruction->bits >> bit & 1) == 0 || !differs(differing, WB_AGREEMENT_BITS + bit);
  return alike;
}

/* Sets of the bits whether they differ after an instruction that writes them. some: not all threads
 * that come to one place do it, or come to it in all walks. */
static void write_bits(const struct wb_function *function, const struct wb_instruction *instruction,
                       bool differ, bool some, struct wb_register_set *differing)
{
  const bool keeps = follows_bits(function, instruction, WB_BITS_KEPT);
  for (uint32_t bit = 0; bit < 32; bit++) {
    const uint32_t number = WB_AGREEMENT_BITS + bit;
    const uint64_t mask = UINT64_C(1) << (number % 64);
    const bool set = (instruction->bits >> bit & 1) != 0;
    if (keeps ? set && some : differ)
      differing->words[number / 64] |= mask;
    else if ((!keeps || set) && !instruction->guarded)
      differing->words[number / 64] &= ~mask;
  }
}

static bool reads_differing(const struct wb_function *function,
                            const struct wb_instruction *instruction,
                            const struct wb_register_set *differing)
{
  if (loads_reduction(instruction) && differs(differing, REDUCTION))
    return true;
  const bool bits = tests_like_bits(function, instruction, differing);
  for (size_t s = 0; s < instruction->read_count; s++) {
    const struct wb_register_span span = function->spans[instruction->first_read + s];
    for (uint32_t r = span.first; r < (uint32_t)span.first + span.count; r++) {
      if (differs(differing, r) && !(bits && r == instruction->bit_register))
        return true;
    }
  }
  return false;
}

/* Keeps whether threads may have different results of the last reduction: they have one where all
 * of them passed it, whatever each brought. What is guarded is passed by all, or by none. */
static void reduce(const struct analysis *analysis, uint32_t block,
                   const struct wb_instruction *instruction, struct wb_register_set *differing)
{
  const uint64_t bit = UINT64_C(1) << (REDUCTION % 64);
  if (!wb_instruction_is(instruction, WB_TRAIT_BLOCK_BARRIER) ||
      !wb_instruction_has(instruction, WB_MODIFIER_RED))
    return;
  if (analysis->inside[block])
    differing->words[REDUCTION / 64] |= bit;
  else if (!instruction->guarded)
    differing->words[REDUCTION / 64] &= ~bit;
}

/* The registers after instructions first .. last - 1 of a block. */
static void pass(struct analysis *analysis, uint32_t block, uint32_t last,
                 struct wb_register_set *differing)
{
  const struct wb_function *function = analysis->graph->function;
  uint32_t segment = analysis->first_segment[block];
  const struct wb_register_set *always =
      &analysis->always[!wb_block_is_whole(analysis->graph, block)];
  *differing = analysis->differing[block];
  for (size_t w = 0; w < WB_REGISTER_WORDS; w++)
    differing->words[w] |= always->words[w];
  for (uint32_t i = analysis->graph->blocks[block].first; i < last; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    segment += i > analysis->graph->blocks[block].first &&
               wb_instruction_unit(instruction - 1) == WB_UNIT_BARRIER;
    if (instruction->never)
      continue;
    const bool differ = analysis->inside[block] || !follows_from_reads(analysis, segment, i) ||
                        reads_differing(function, instruction, differing);
    reduce(analysis, block, instruction, differing);
    if (!differ && instruction->guarded)
      continue; /* each register was alike or not before, and stays so */
    const bool some =
        analysis->inside[block] || (instruction->guarded && differs(differing, instruction->guard));
    for (size_t s = 0; s < instruction->write_count; s++) {
      const struct wb_register_span span = function->spans[instruction->first_write + s];
      if (function->bit_register >= span.first && function->bit_register < span.first + span.count)
        write_bits(function, instruction, differ, some, differing);
      for (uint32_t r = span.first; r < (uint32_t)span.first + span.count && !differ; r++)
        differing->words[r / 64] &= ~(UINT64_C(1) << (r % 64)) | always->words[r / 64];
      if (differ)
        wb_register_set_add(differing, span);
    }
  }
}

/* Joins into the begin of a block; whether that changes it. */
static bool join(struct analysis *analysis, uint32_t block, const struct wb_register_set *differing)
{
  bool changed = !analysis->reached[block];
  analysis->reached[block] = true;
  for (size_t w = 0; w < WB_REGISTER_WORDS; w++) {
    changed |= (differing->words[w] & ~analysis->differing[block].words[w]) != 0;
    analysis->differing[block].words[w] |= differing->words[w];
  }
  return changed;
}

/* The least fixpoint for the regions that there are; what was found before stays. */
static void propagate(struct analysis *analysis)
{
  const struct wb_warp_graph *graph = analysis->graph;
  struct wb_register_set differing;
  memset(&differing, 0xff, sizeof differing); /* nothing is known of registers at the start */
  (void)join(analysis, graph->entry_block, &differing);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < graph->block_count; b++) {
      if (!analysis->reached[b])
        continue;
      pass(analysis, b, graph->blocks[b].last + 1, &differing);
      for (uint32_t i = analysis->ways.leaving.first[b]; i < analysis->ways.leaving.first[b + 1];
           i++) {
        const uint32_t to = analysis->ways.to[analysis->ways.leaving.list[i]];
        changed |= to != analysis->ways.way_out && join(analysis, to, &differing);
      }
    }
  }
}

/* ---- choices ---- */

/* Whether an instruction goes where its condition and its registers say: not to the lanes that wait
 * for the present ones, of which one warp has some and another has none, and not by whether all
 * lanes of the warp run (BRA.DIV, BRA.CONV), as they do in a full warp only. */
static bool goes_by_registers(const struct analysis *analysis, uint32_t block,
                              const struct wb_instruction *instruction)
{
  const uint32_t *first = &analysis->ways.leaving.first[block];
  if (!wb_instruction_conditional(instruction) || instruction->together)
    return false;
  if (instruction->transfer == WB_TRANSFER_BRANCH || wb_instruction_chooses(instruction))
    return true;
  if (first[1] - first[0] > 2)
    return false;
  for (uint32_t i = first[0]; i < first[1]; i++) {
    const uint32_t edge = analysis->ways.leaving.list[i];
    if (edge < analysis->graph->edge_count &&
        analysis->graph->edges[edge].kind == WB_EDGE_REACTIVATION)
      return false;
  }
  return true;
}

/* Finds the region of a choice (met): up to the first place that every way out leads through. */
static void find_region(struct analysis *analysis, uint32_t choice)
{
  const uint32_t after = analysis->ways.after.immediate[choice];
  size_t count = 0;
  memset(analysis->met, 0, analysis->graph->block_count * sizeof *analysis->met);
  analysis->stack[count++] = choice;
  while (count > 0) {
    const uint32_t block = analysis->stack[--count];
    for (uint32_t i = analysis->ways.leaving.first[block];
         i < analysis->ways.leaving.first[block + 1]; i++) {
      const uint32_t to = analysis->ways.to[analysis->ways.leaving.list[i]];
      if (to == after || to == analysis->ways.way_out || analysis->met[to])
        continue;
      analysis->met[to] = true;
      analysis->stack[count++] = to;
    }
  }
}

/* Finds new choices, blocks that warps may leave by different edges; whether there are any. */
static bool find_choices(struct analysis *analysis)
{
  const struct wb_warp_graph *graph = analysis->graph;
  bool found = false;
  for (uint32_t b = 0; b < graph->block_count; b++) {
    const uint32_t last = graph->blocks[b].last;
    const struct wb_instruction *instruction = &graph->function->instructions[last];
    struct wb_register_set differing;
    if (!analysis->reached[b] || analysis->choice[b] ||
        analysis->ways.leaving.first[b + 1] - analysis->ways.leaving.first[b] < 2)
      continue;
    if (goes_by_registers(analysis, b, instruction)) {
      pass(analysis, b, last, &differing);
      if (!reads_differing(graph->function, instruction, &differing))
        continue;
    }
    analysis->choice[b] = true;
    find_region(analysis, b);
    for (uint32_t inner = 0; inner < graph->block_count; inner++)
      analysis->inside[inner] |= analysis->met[inner];
    found = true;
  }
  return found;
}

/* ---- barriers ---- */

/* The first barrier of the block that not all warps that come to it do once; UINT32_MAX: none. */
static uint32_t find_disagreeing(struct analysis *analysis, uint32_t block)
{
  const struct wb_warp_graph *graph = analysis->graph;
  for (uint32_t i = graph->blocks[block].first; i <= graph->blocks[block].last; i++) {
    const struct wb_instruction *instruction = &graph->function->instructions[i];
    struct wb_register_set differing;
    if (wb_instruction_unit(instruction) != WB_UNIT_BARRIER)
      continue;
    pass(analysis, block, i, &differing);
    if (analysis->inside[block] || !wb_block_is_whole(graph, block) ||
        (instruction->guarded && differs(&differing, instruction->guard)))
      return i;
  }
  return UINT32_MAX;
}

/* The branch of a choice in whose region the block is; `none` where it is in none. */
static uint32_t choice_around(struct analysis *analysis, uint32_t block, uint32_t none)
{
  for (uint32_t b = 0; b < analysis->graph->block_count && analysis->inside[block]; b++) {
    if (!analysis->choice[b])
      continue;
    find_region(analysis, b);
    if (analysis->met[block])
      return analysis->graph->blocks[b].last;
  }
  return none;
}

/* ---- barriers in regions ---- */

#define NO_LEVEL UINT32_MAX

/* The barriers between a choice and a place, the same number on each way, and where ways end. */
struct levels {
  uint32_t *before;                      /* by block of a region: NO_LEVEL where no way comes yet */
  const struct wb_instruction **barrier; /* by level: the first one that was met there */
  uint32_t after;                        /* of the whole region */
};

/* Whether a way with so many barriers agrees with the others that come to one place. */
static bool level_agrees(uint32_t *level, uint32_t count)
{
  if (*level == NO_LEVEL)
    *level = count;
  return *level == count;
}

/* Whether all warps pass the barriers of a block in a region whose number is that of the level. */
static bool passes_levels(const struct analysis *analysis, uint32_t block, struct levels *levels)
{
  const struct wb_function *function = analysis->graph->function;
  uint32_t level = levels->before[block];
  for (uint32_t i = analysis->graph->blocks[block].first; i <= analysis->graph->blocks[block].last;
       i++) {
    const struct wb_instruction *barrier = &function->instructions[i];
    if (wb_instruction_unit(barrier) != WB_UNIT_BARRIER)
      continue;
    const struct wb_operand *number =
        barrier->operand_count > 0 ? wb_operand_of(function, barrier, 0) : NULL;
    if (barrier->guarded || number == NULL || number->kind != WB_OPERAND_NUMBER ||
        wb_instruction_has(barrier, WB_MODIFIER_RED) || !wb_block_is_whole(analysis->graph, block))
      return false;
    if (levels->barrier[level] == NULL)
      levels->barrier[level] = barrier;
    const struct wb_instruction *other = levels->barrier[level++];
    if (wb_operand_of(function, other, 0)->value != number->value ||
        wb_barrier_is_counted(function, other) != wb_barrier_is_counted(function, barrier))
      return false;
  }
  return true;
}

/* Whether all ways from a choice to where they meet again, or end, pass as many barriers, of the
 * same numbers. */
static bool is_levelled(struct analysis *analysis, uint32_t choice, struct levels *levels)
{
  const struct wb_warp_graph *graph = analysis->graph;
  const uint32_t after = analysis->ways.after.immediate[choice];
  size_t count = 0;
  memset(levels->before, 0xff, graph->block_count * sizeof *levels->before);
  memset(levels->barrier, 0, analysis->first_segment[graph->block_count] * sizeof *levels->barrier);
  levels->after = NO_LEVEL;
  analysis->stack[count++] = choice;
  while (count > 0) {
    const uint32_t block = analysis->stack[--count];
    const bool begins = block == choice && levels->before[block] == NO_LEVEL;
    const uint32_t passed =
        begins ? 0
               : levels->before[block] +
                     wb_count_barriers(graph, block, graph->blocks[block].last + 1);
    if (!begins && !passes_levels(analysis, block, levels))
      return false;
    for (uint32_t i = analysis->ways.leaving.first[block];
         i < analysis->ways.leaving.first[block + 1]; i++) {
      const uint32_t to = analysis->ways.to[analysis->ways.leaving.list[i]];
      const bool leaves = to == after || to == analysis->ways.way_out;
      const bool met = !leaves && levels->before[to] != NO_LEVEL;
      if (!level_agrees(leaves ? &levels->after : &levels->before[to], passed))
        return false;
      if (!leaves && !met)
        analysis->stack[count++] = to;
    }
  }
  return true;
}

/* Whether all warps pass as many barriers of the same numbers in the same order: those outside of
 * regions at the same places, and in the region of each choice as many on each way. */
static bool pass_as_many(struct analysis *analysis)
{
  const struct wb_warp_graph *graph = analysis->graph;
  const uint32_t segments = analysis->first_segment[graph->block_count];
  struct levels levels = {
      .before = wb_arena_array(&analysis->arena, uint32_t, graph->block_count),
      .barrier = wb_arena_array(&analysis->arena, const struct wb_instruction *, segments)};
  bool levelled = !analysis->arena.failed;
  for (uint32_t b = 0; b < graph->block_count && levelled; b++) {
    if (!analysis->reached[b])
      continue;
    levelled = analysis->inside[b] || find_disagreeing(analysis, b) == UINT32_MAX;
    if (analysis->choice[b])
      levelled = levelled && is_levelled(analysis, b, &levels);
  }
  return levelled;
}

/* What the choices say, found before. */
static void judge(struct analysis *analysis, enum wb_early_ends early_ends,
                  struct wb_barrier_agreement *agreement)
{
  agreement->agreed = true;
  agreement->same_path = true;
  agreement->reads_only = analysis->reads_only;
  for (uint32_t b = 0; b < analysis->graph->block_count; b++) {
    if (!analysis->reached[b])
      continue;
    const uint32_t barrier = agreement->agreed ? find_disagreeing(analysis, b) : UINT32_MAX;
    if (barrier != UINT32_MAX) {
      agreement->agreed = false;
      agreement->disagreement =
          (struct wb_disagreement){barrier, choice_around(analysis, b, barrier)};
    }
    agreement->alike[b] =
        !analysis->inside[b] && !analysis->choice[b] && wb_block_is_whole(analysis->graph, b);
    agreement->same_path &= agreement->alike[b];
  }
  agreement->as_many = agreement->agreed || (early_ends != WB_ENDS_FIRST && pass_as_many(analysis));
  if (!agreement->agreed && agreement->as_many)
    agreement->reads_only = analysis->reads_only;
  agreement->same_path &= agreement->agreed && early_ends == WB_ENDS_ALIKE;
  if (early_ends != WB_ENDS_ANYWHERE)
    return;
  /* They agree as long as both go on: what runs after one has left is no common sequence. */
  memset(agreement->alike, 0, analysis->graph->block_count * sizeof *agreement->alike);
}

warpbound_status wb_barrier_agreement_find(const struct wb_warp_graph *graph,
                                           enum wb_early_ends early_ends,
                                           enum wb_compared_warps compared, const bool *unchanged,
                                           struct wb_barrier_agreement *agreement,
                                           warpbound_error *error)
{
  struct analysis analysis = {.graph = graph, .compared = compared, .unchanged = unchanged};
  bool *alike = wb_allocate(graph->block_count, sizeof *alike);
  *agreement = (struct wb_barrier_agreement){.alike = alike};
  warpbound_status status =
      alike != NULL ? prepare(&analysis, early_ends, error) : wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = find_shaken(&analysis, early_ends, error);
  if (status == WARPBOUND_OK) {
    find_always(&analysis);
    do
      propagate(&analysis);
    while (find_choices(&analysis));
    judge(&analysis, early_ends, agreement);
    status = analysis.arena.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
  }
  wb_agreement_graph_free(&analysis.ways);
  wb_arena_free(&analysis.arena);
  if (status != WARPBOUND_OK)
    wb_barrier_agreement_free(agreement);
  return status;
}

void wb_barrier_agreement_free(struct wb_barrier_agreement *agreement)
{
  free(agreement->alike);
  agreement->alike = NULL;
}
