/* What is forgotten, and kept beside, of registers that an instruction writes, in the domain of
 * strided intervals. */
#include "values/interval/interval_domain.h"

#include "values/domain.h"

void wb_interval_forget_writes(void *context, const struct wb_function *function, uint32_t index,
                               const struct wb_micro_code *code)
{
  struct wb_interval_context *instruction = context;
  struct wb_integer_state *state = instruction->state;
  const struct wb_instruction *what = &function->instructions[index];
  const uint32_t origin = WB_ORIGIN(WB_ORIGIN_INSTRUCTION, index);
  wb_interval_find_sums(instruction, code);
  instruction->kept_count = 0;
  instruction->kept_pairs.count = state->pairs.count;
  for (size_t p = 0; p < state->pairs.count; p++)
    instruction->kept_pairs.rows[p] = state->pairs.rows[p];
  wb_masks_keep(state, &instruction->kept_masks);
  wb_differences_keep(state, &instruction->kept_differences);
  instruction->kept_wide_differences = state->wide_differences;
  instruction->kept_conditionals = state->conditionals;
  instruction->kept_orders = state->orders;
  instruction->kept_flags = state->flags;
  for (uint32_t s = 0; s < what->write_count; s++) {
    const struct wb_register_span *span = &function->spans[what->first_write + s];
    for (unsigned r = span->first; r < (unsigned)span->first + span->count; r++) {
      const size_t predicate = wb_predicate_index(r);
      if (predicate < WB_TRUTH_COUNT) {
        state->predicates[predicate] = (struct wb_implications){0};
        wb_conditionals_forget(&state->conditionals, r);
        wb_orders_forget(&state->orders, r);
        continue;
      }
      /* Calls of code outside write all numbers of uniform registers; those behind the last one
       * are of values that no instruction writes, but stores. */
      if (r >= WB_VALUE_BUFFERS)
        continue;
      /* Threads that skip an instruction with a guard keep what they have. */
      if (instruction->guarded && instruction->kept_count < WB_INTERVAL_KEPT) {
        instruction->kept[instruction->kept_count] = (uint16_t)r;
        instruction->kept_values[instruction->kept_count++] = state->registers[r];
      }
      wb_masks_release(state, r);
      wb_differences_release(state, r);
      wb_wide_differences_forget(&state->wide_differences, r);
      wb_rests_forget(&state->rests, r);
      wb_orders_forget(&state->orders, r);
      wb_flags_forget(&state->flags, r);
      if (r < WB_NAMED_REGISTERS)
        state->sums[r] = 0;
      state->registers[r] = wb_integer_unknown(origin);
      wb_pairs_forget(&state->pairs, r, true);
      wb_conditionals_forget(&state->conditionals, r);
    }
  }
}
