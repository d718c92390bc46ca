#include "flow/loop_bounds/copy_refinement.h"

#include <string.h>

/* Registers that are written from some instruction on. */
struct written {
  bool registers[WB_VALUE_COUNT];
};

/* False where all may be written. */
static bool note_writes(const struct wb_function *function, uint32_t index, struct written *written)
{
  const struct wb_instruction *instruction = &function->instructions[index];
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const struct wb_register_span *span = &function->spans[instruction->first_write + s];
    for (unsigned r = span->first; r < (unsigned)span->first + span->count && r < WB_VALUE_COUNT;
         r++)
      written->registers[r] = true;
  }
  return !instruction->unknown && instruction->transfer != WB_TRANSFER_CALL_OUTSIDE;
}

static void meet_sum(struct wb_integer *value, const struct wb_integer *other, uint32_t offset)
{
  const struct wb_integer by = wb_integer_exactly(offset);
  const struct wb_integer sum = wb_integer_add(other, &by);
  if (sum.base == WB_NO_REGISTER)
    wb_integer_meet(value, &sum);
}

/* to = from + value. */
static void refine(const struct wb_copy *copy, const struct written *written,
                   struct wb_integer_state *state)
{
  const uint32_t offset = (uint32_t)copy->value;
  if (copy->kind != WB_COPY_REGISTER || copy->to >= WB_VALUE_COUNT ||
      copy->from >= WB_VALUE_COUNT || copy->to == copy->from || written->registers[copy->to] ||
      written->registers[copy->from])
    return;
  meet_sum(&state->registers[copy->from], &state->registers[copy->to], 0 - offset);
  meet_sum(&state->registers[copy->to], &state->registers[copy->from], offset);
}

void wb_refine_copies(const struct wb_thread_flow *flow, uint32_t block,
                      struct wb_integer_state *state)
{
  const struct wb_function *function = flow->graph->function;
  const struct wb_warp_block *what = &flow->graph->blocks[block];
  struct written written = {{false}};
  for (uint32_t i = what->last + 1; i-- > what->first;) {
    size_t count;
    const size_t first = wb_function_copies(function, i, &count);
    const struct wb_instruction *instruction = &function->instructions[i];
    /* Of several copies one may write what another one reads; R2UR may copy another lane's number.
     */
    if (count == 1 && instruction->guard == WB_NO_REGISTER &&
        strncmp(instruction->opcode, "R2UR", strlen("R2UR")) != 0)
      refine(&function->copies[first], &written, state);
    if (!note_writes(function, i, &written))
      return;
  }
}
