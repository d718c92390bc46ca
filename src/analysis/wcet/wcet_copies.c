/* Copies that a compiler made of one loop of the source, as a body unrolled by 16, one by 4 and the
 * rest: how many turns of the source's loop one turn of a copy is. */
#include "analysis/wcet/wcet_steps.h"
#include "isa/opcode.h"

#include <string.h>

/* Whether all back edges of the loop come from the line of that instruction. */
static bool is_of_line(const struct wb_wcet *wcet, size_t index, const struct wb_instruction *line)
{
  const struct wb_loop *loop = &wcet->forest.loops[index];
  if (loop->irreducible || line->source_file == 0)
    return false;
  for (size_t i = 0; i < loop->back_edge_count; i++) {
    const uint32_t edge = wcet->forest.back_edges[loop->first_back_edge + i];
    const uint32_t last = wcet->graph->blocks[wcet->graph->edges[edge].from].last;
    const struct wb_instruction *branch = &wcet->function->instructions[last];
    if (branch->source_line != line->source_line || branch->source_file != line->source_file)
      return false;
  }
  return true;
}

bool wb_wcet_loop_has_line(const struct wb_wcet *wcet, size_t index)
{
  return is_of_line(wcet, index, wb_wcet_loop_line(wcet, index));
}

/* Whether one of the loops is inside the other. */
static bool are_nested(const struct wb_loop_forest *forest, uint32_t one, uint32_t other)
{
  uint32_t around = forest->loops[one].parent;
  while (around != UINT32_MAX && around != other)
    around = forest->loops[around].parent;
  if (around == other)
    return true;
  around = forest->loops[other].parent;
  while (around != UINT32_MAX && around != one)
    around = forest->loops[around].parent;
  return around == one;
}

bool wb_wcet_loop_shares_line(const struct wb_wcet *wcet, size_t index)
{
  const struct wb_instruction *line = wb_wcet_loop_line(wcet, index);
  for (uint32_t l = 0; l < wcet->forest.loop_count; l++) {
    if (l != index && are_nested(&wcet->forest, (uint32_t)index, l) && is_of_line(wcet, l, line))
      return true;
  }
  return false;
}

/* The instructions of a loop, by their number in the table of opcodes. */
static void count_opcodes(const struct wb_wcet *wcet, size_t index,
                          uint32_t counts[WB_OPCODE_COUNT])
{
  const struct wb_loop *loop = &wcet->forest.loops[index];
  memset(counts, 0, WB_OPCODE_COUNT * sizeof *counts);
  for (size_t n = 0; n < loop->node_count; n++) {
    const struct wb_warp_block *block =
        &wcet->graph->blocks[wcet->forest.nodes[loop->first_node + n]];
    for (uint32_t i = block->first; i <= block->last; i++)
      counts[wcet->function->instructions[i].number]++;
  }
}

/* How many times as many instructions of some opcode a loop has as another one. */
static uint64_t work_ratio(const struct wb_wcet *wcet, size_t index, size_t other)
{
  uint32_t counts[2][WB_OPCODE_COUNT];
  uint64_t ratio = 0;
  count_opcodes(wcet, index, counts[0]);
  count_opcodes(wcet, other, counts[1]);
  for (size_t o = 1; o < WB_OPCODE_COUNT; o++) { /* 0: opcodes that the table does not have */
    const uint64_t times = counts[1][o] > 0 ? counts[0][o] / counts[1][o] : 0;
    ratio = times > ratio ? times : ratio;
  }
  return ratio;
}

struct wb_source_turns wb_wcet_source_turns(const struct wb_wcet *wcet, size_t index)
{
  const struct wb_wcet_loop *loop = &wcet->loops[index];
  const struct wb_instruction *line = wb_wcet_loop_line(wcet, index);
  struct wb_source_turns turns = {.number = 1, .step = loop->step_least};
  const uint32_t header = wcet->graph->blocks[wcet->forest.loops[index].header].first;
  if (loop->step_least == 0 || !is_of_line(wcet, index, line))
    return turns;
  for (size_t l = 0; l < wcet->forest.loop_count; l++) {
    const uint32_t other = wcet->graph->blocks[wcet->forest.loops[l].header].first;
    if (other == header || !is_of_line(wcet, l, line))
      continue;
    if (are_nested(&wcet->forest, (uint32_t)index, (uint32_t)l))
      return (struct wb_source_turns){.number = 1};
    const uint64_t step = wcet->loops[l].step_most;
    if (step > 0 && (turns.other_step == 0 || step < turns.other_step)) {
      turns.other = l;
      turns.other_step = step;
    }
  }
  if (turns.other_step == 0 || turns.step / turns.other_step < 2)
    return turns;
  const uint64_t work = work_ratio(wcet, index, turns.other);
  turns.number = turns.step / turns.other_step;
  turns.number = work < turns.number ? work : turns.number;
  turns.number = turns.number > 0 ? turns.number : 1;
  return turns;
}
