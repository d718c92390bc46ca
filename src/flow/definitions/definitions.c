#include "flow/definitions/definitions.h"

#include "isa/lower/lower.h"
#include "values/domain.h"

/* Instructions that all questions together may look at, for each of the code and in all. */
#define BUDGET_OF_INSTRUCTION 64
#define LEAST_BUDGET (UINT64_C(1) << 20)

bool wb_definitions_make(const struct wb_warp_graph *graph, struct wb_definitions *definitions)
{
  size_t count = 0;
  *definitions = (struct wb_definitions){
      .graph = graph,
      .budget = LEAST_BUDGET + BUDGET_OF_INSTRUCTION * graph->function->instruction_count};
  struct wb_arena *arena = &definitions->arena;
  uint32_t *to = wb_arena_array(arena, uint32_t, graph->edge_count);
  definitions->from = wb_arena_array(arena, uint32_t, graph->edge_count);
  definitions->seen = wb_arena_array(arena, uint32_t, graph->block_count);
  definitions->stack = wb_arena_array(arena, uint32_t, graph->block_count);
  if (arena->failed)
    return false;
  for (size_t e = 0; e < graph->edge_count; e++) {
    if (graph->edges[e].kind == WB_EDGE_REACTIVATION)
      continue;
    definitions->from[count] = graph->edges[e].from;
    to[count++] = graph->edges[e].to;
  }
  return wb_edge_lists_make(to, count, graph->block_count, &definitions->reaching);
}

void wb_definitions_free(struct wb_definitions *definitions)
{
  wb_edge_lists_free(&definitions->reaching);
  wb_arena_free(&definitions->arena);
}

/* Looks for a definition in instructions of a block from the one before `end` back to its first.
 * False where ways go on before the block. */
static bool ends_in_block(struct wb_definitions *definitions, uint32_t block, uint32_t end,
                          uint32_t number)
{
  const struct wb_function *function = definitions->graph->function;
  for (uint32_t i = end; i-- > definitions->graph->blocks[block].first;) {
    if (definitions->budget == 0) {
      definitions->more = true;
      return true;
    }
    definitions->budget--;
    if (function->instructions[i].never || !wb_registers_written(function, i, i, number))
      continue;
    if (definitions->count < WB_DEFINITION_LIMIT)
      definitions->found[definitions->count++] = (struct wb_definition){block, i};
    else
      definitions->more = true;
    /* Threads that skip an instruction with a guard keep what they have. */
    if (!function->instructions[i].guarded)
      return true;
  }
  return false;
}

void wb_definitions_find(struct wb_definitions *definitions, uint32_t block, uint32_t index,
                         uint32_t number, const bool *inside)
{
  size_t depth = 0;
  definitions->questions++;
  definitions->count = 0;
  definitions->more = false;
  bool ended = ends_in_block(definitions, block, index, number);
  for (;;) {
    const uint32_t *first = &definitions->reaching.first[block];
    definitions->more |= !ended && block == definitions->graph->entry_block;
    for (uint32_t e = first[0]; e < first[1] && !ended; e++) {
      const uint32_t from = definitions->from[definitions->reaching.list[e]];
      if (inside != NULL && !inside[from]) {
        definitions->more = true;
      } else if (definitions->seen[from] != definitions->questions) {
        definitions->seen[from] = definitions->questions;
        definitions->stack[depth++] = from;
      }
    }
    if (depth == 0)
      return;
    block = definitions->stack[--depth];
    ended = ends_in_block(definitions, block, definitions->graph->blocks[block].last + 1, number);
  }
}

/* ---- sources ---- */

static void add(struct wb_value_sources *sources, struct wb_source source)
{
  if (source.kind != WB_SOURCE_NONE && source.kind != WB_SOURCE_NUMBER)
    sources->items[sources->count++] = source;
}

static void add_predicate(struct wb_value_sources *sources, uint16_t number)
{
  add(sources,
      (struct wb_source){.kind = WB_SOURCE_PREDICATE, .number = number, .index = WB_NO_REGISTER});
}

/* The guard, and the condition code where it chooses the lower word of a least or greatest number,
 * which no operation tells. */
static void add_choices(const struct wb_instruction *instruction, struct wb_value_sources *sources)
{
  if (instruction->guard != WB_NO_REGISTER)
    add_predicate(sources, instruction->guard);
  if (wb_extreme_part_of(instruction) == WB_EXTREME_LOWER)
    add_predicate(sources, WB_REGISTER_CONDITION_CODE);
}

void wb_register_reads_find(const struct wb_function *function, uint32_t index,
                            struct wb_value_sources *sources)
{
  const struct wb_instruction *instruction = &function->instructions[index];
  const size_t most = sizeof sources->items / sizeof *sources->items;
  sources->known = false;
  sources->count = 0;
  for (uint32_t s = 0; s < instruction->read_count; s++) {
    const struct wb_register_span *span = &function->spans[instruction->first_read + s];
    for (uint32_t r = span->first; r < (uint32_t)span->first + span->count; r++) {
      const bool word = r < WB_REGISTER_PREDICATE ||
                        (r >= WB_REGISTER_UNIFORM && r < WB_REGISTER_UNIFORM_PREDICATE);
      if (r < WB_REGISTER_BARRIER && sources->count < most)
        add(sources, (struct wb_source){.kind = word ? WB_SOURCE_REGISTER : WB_SOURCE_PREDICATE,
                                        .number = (uint16_t)r,
                                        .index = WB_NO_REGISTER});
    }
  }
}

/* The operation of the code whose result the register gets; SIZE_MAX where there is none. The
 * condition code that the upper word of a least or greatest number leaves is made of what that word
 * is made of: it says which of both it is. */
static size_t result_for(const struct wb_instruction *instruction, const struct wb_micro_code *code,
                         uint32_t number)
{
  if (number == WB_REGISTER_CONDITION_CODE && code->write_count == 1 &&
      wb_extreme_part_of(instruction) == WB_EXTREME_UPPER)
    return code->writes[0].result;
  for (size_t w = 0; w < code->write_count; w++) {
    const struct wb_micro_write *write = &code->writes[w];
    if (write->number == number || (write->wide && write->number + 1U == number))
      return write->result;
  }
  return SIZE_MAX;
}

void wb_value_sources_find(const struct wb_function *function, uint32_t index, uint32_t number,
                           struct wb_value_sources *sources)
{
  const struct wb_instruction *instruction = &function->instructions[index];
  struct wb_micro_code code = {.count = 0};
  bool needed[WB_MICRO_LIMIT] = {false};
  const bool lowered = !instruction->unknown && wb_lower(function, index, &code);
  const size_t result = lowered ? result_for(instruction, &code, number) : SIZE_MAX;
  const bool chosen = wb_extreme_part_of(instruction) == WB_EXTREME_LOWER;
  sources->count = 0;
  sources->known = result != SIZE_MAX;
  if (result == SIZE_MAX) {
    wb_register_reads_find(function, index, sources);
    return;
  }
  needed[result] = true;
  /* A result refers to earlier operations. */
  for (size_t o = result + 1; o-- > 0;) {
    const struct wb_micro_operation *operation = &code.operations[o];
    if (!needed[o])
      continue;
    if ((operation->kind == WB_MICRO_UNKNOWN && !chosen) ||
        (operation->kind == WB_MICRO_FUNCTION && operation->most - operation->least == UINT32_MAX))
      sources->known = false;
    for (size_t s = 0; s < 5; s++) {
      if (operation->sources[s].kind == WB_SOURCE_RESULT)
        needed[operation->sources[s].number] = true;
      else
        add(sources, operation->sources[s]);
    }
  }
  if (sources->known)
    add_choices(instruction, sources);
  else
    wb_register_reads_find(function, index, sources);
}
