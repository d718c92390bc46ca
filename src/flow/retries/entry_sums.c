#include "flow/retries/entry_sums.h"

#include "isa/lower/lower.h"
#include "values/domain.h"

/* Blocks that are looked at before the loop. */
#define MOST_BLOCKS 64

static bool writes_some(const struct wb_function *function, uint32_t first, uint32_t last,
                        const struct wb_entry_sum *sum)
{
  return wb_registers_written(function, first, last, sum->sum) ||
         wb_registers_written(function, first, last, sum->terms[0]) ||
         wb_registers_written(function, first, last, sum->terms[1]);
}

/* Whether an operation is the sum of both registers and the number. */
static bool adds_terms(const struct wb_micro_operation *operation, const struct wb_entry_sum *sum)
{
  uint32_t number = 0;
  bool used[2] = {false, false};
  if (operation->kind != WB_MICRO_ADD)
    return false;
  for (size_t s = 0; s < 5; s++) {
    const struct wb_source *source = &operation->sources[s];
    if (source->kind == WB_SOURCE_NONE)
      continue;
    if (source->negated || source->complemented || s > 2)
      return false;
    if (source->kind == WB_SOURCE_NUMBER) {
      number += (uint32_t)source->value;
      continue;
    }
    const size_t term = source->number == sum->terms[0] && !used[0] ? 0 : 1;
    if (source->kind != WB_SOURCE_REGISTER || source->number != sum->terms[term] || used[term])
      return false;
    used[term] = true;
  }
  return used[0] && used[1] && number == sum->number;
}

/* Whether each thread that does the instruction has the sum after it. */
static bool makes_sum(const struct wb_function *function, uint32_t index,
                      const struct wb_entry_sum *sum)
{
  const struct wb_instruction *instruction = &function->instructions[index];
  struct wb_micro_code code;
  if (instruction->guarded || instruction->never || instruction->unknown ||
      !wb_lower(function, index, &code))
    return false;
  bool made = false;
  for (size_t w = 0; w < code.write_count; w++) {
    const struct wb_micro_write *write = &code.writes[w];
    if (write->number == sum->terms[0] || write->number == sum->terms[1])
      return false;
    if (write->number == sum->sum)
      made = !write->wide && adds_terms(&code.operations[write->result], sum);
  }
  return made;
}

/* Whether the block leaves the sum; *silent: it writes none of the registers. */
static bool leaves_sum(const struct wb_thread_flow *flow, uint32_t block,
                       const struct wb_entry_sum *sum, bool *silent)
{
  const struct wb_function *function = flow->graph->function;
  const struct wb_warp_block *what = &flow->graph->blocks[block];
  uint32_t index = what->last + 1;
  while (index > what->first && !writes_some(function, index - 1, index - 1, sum))
    index--;
  *silent = index == what->first;
  return !*silent && makes_sum(function, index - 1, sum);
}

bool wb_entry_sum_holds(const struct wb_thread_flow *flow, const uint32_t *blocks, size_t count,
                        uint32_t header, const struct wb_entry_sum *sum)
{
  const struct wb_function *function = flow->graph->function;
  uint32_t seen[MOST_BLOCKS];
  size_t seen_count = 0;
  for (size_t b = 0; b < count; b++) {
    const struct wb_warp_block *block = &flow->graph->blocks[blocks[b]];
    if (writes_some(function, block->first, block->last, sum))
      return false;
  }
  seen[seen_count++] = header;
  for (size_t next = 0; next < seen_count; next++) {
    const uint32_t to = seen[next];
    if (to == flow->graph->entry_block)
      return false;
    for (uint32_t i = flow->reaching.first[to]; i < flow->reaching.first[to + 1]; i++) {
      const uint32_t from = flow->from[flow->reaching.list[i]];
      bool silent, known = false;
      for (size_t s = 0; s < seen_count; s++)
        known = known || seen[s] == from;
      for (size_t b = 0; b < count; b++)
        known = known || blocks[b] == from;
      if (known || leaves_sum(flow, from, sum, &silent))
        continue;
      if (!silent || seen_count == MOST_BLOCKS)
        return false;
      seen[seen_count++] = from;
    }
  }
  return true;
}
