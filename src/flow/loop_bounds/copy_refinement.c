#include "flow/loop_bounds/copy_refinement.h"

#include "isa/lower/lower.h"

/* Registers that are written from some instruction on. */
struct written {
  bool registers[WB_VALUE_COUNT];
};

/* Whether the operation is the sum of one register and a number, or that register. */
static bool find_difference(const struct wb_micro_operation *operation, uint16_t *from,
                            uint32_t *offset)
{
  const size_t words = operation->kind == WB_MICRO_ADD ? 3 : operation->kind == WB_MICRO_COPY;
  *from = WB_NO_REGISTER;
  *offset = 0;
  for (size_t s = 0; s < 5; s++) {
    const struct wb_source *source = &operation->sources[s];
    const bool plain = !source->negated && !source->complemented && s < words;
    if (source->kind == WB_SOURCE_NUMBER && plain)
      *offset += (uint32_t)source->value;
    else if (source->kind == WB_SOURCE_REGISTER && plain && *from == WB_NO_REGISTER)
      *from = source->number;
    else if (source->kind != WB_SOURCE_NONE)
      return false;
  }
  return *from < WB_VALUE_COUNT;
}

static void meet_sum(struct wb_integer *value, const struct wb_integer *other, uint32_t offset)
{
  const struct wb_integer by = wb_integer_exactly(offset);
  const struct wb_integer sum = wb_integer_add(other, &by);
  if (sum.base == WB_NO_REGISTER)
    wb_integer_meet(value, &sum);
}

/* Refines by an instruction that every thread does and that writes one register alone. */
static void refine(const struct wb_micro_code *code, const struct written *written,
                   struct wb_integer_state *state)
{
  const uint16_t to = code->writes[0].number;
  uint16_t from;
  uint32_t offset;
  if (code->write_count != 1 || code->writes[0].wide || to >= WB_VALUE_COUNT ||
      !find_difference(&code->operations[code->writes[0].result], &from, &offset) || to == from ||
      written->registers[to] || written->registers[from])
    return;
  meet_sum(&state->registers[from], &state->registers[to], 0 - offset);
  meet_sum(&state->registers[to], &state->registers[from], offset);
}

void wb_refine_copies(const struct wb_thread_flow *flow, uint32_t block,
                      struct wb_integer_state *state)
{
  const struct wb_function *function = flow->graph->function;
  const struct wb_warp_block *what = &flow->graph->blocks[block];
  struct written written = {{false}};
  for (uint32_t i = what->last + 1; i-- > what->first;) {
    const struct wb_instruction *instruction = &function->instructions[i];
    struct wb_micro_code code;
    if (instruction->guard == WB_NO_REGISTER && instruction->write_count > 0 &&
        !instruction->never && !instruction->unknown && wb_lower(function, i, &code))
      refine(&code, &written, state);
    /* False where all may be written. */
    for (uint32_t s = 0; s < instruction->write_count; s++) {
      const struct wb_register_span *span = &function->spans[instruction->first_write + s];
      for (unsigned r = span->first; r < (unsigned)span->first + span->count && r < WB_VALUE_COUNT;
           r++)
        written.registers[r] = true;
    }
    if (instruction->unknown || instruction->transfer == WB_TRANSFER_CALL_OUTSIDE)
      return;
  }
}
