#include "frontend/sass/sass_origin.h"

#include "base/memory.h"
#include "isa/opcode.h"

#include <stdlib.h>

/* How far before an instruction what makes its values may be. */
#define DISTANCE ((size_t)64)

bool wb_sass_origin_begin(const struct wb_function *function, struct wb_sass_origin *origin)
{
  *origin = (struct wb_sass_origin){
      .function = function,
      .entered = wb_allocate(function->instruction_count, sizeof *origin->entered)};
  for (size_t t = 0; origin->entered != NULL && t < function->target_count; t++)
    origin->entered[function->targets[t]] = true;
  return origin->entered != NULL;
}

void wb_sass_origin_end(struct wb_sass_origin *origin)
{
  free(origin->entered);
  origin->entered = NULL;
}

/* Whether between an instruction and the next one nothing else runs on the same lanes. */
static bool keeps_registers(const struct wb_instruction *instruction)
{
  switch (instruction->transfer) {
  case WB_TRANSFER_NEXT:
  case WB_TRANSFER_BRANCH:
  case WB_TRANSFER_PUSH:
  case WB_TRANSFER_POP:
  case WB_TRANSFER_EXIT:
  case WB_TRANSFER_SCOPE_OPEN:
  case WB_TRANSFER_SCOPE_SYNC:
  case WB_TRANSFER_SCOPE_BREAK:
  case WB_TRANSFER_WARP_SYNC:
    return true;
  default:
    return false;
  }
}

/* Whether no lane goes on at the next instruction: what does has come by a way that is not known.
 */
static bool leaves(const struct wb_instruction *instruction)
{
  return (instruction->transfer == WB_TRANSFER_BRANCH ||
          instruction->transfer == WB_TRANSFER_EXIT) &&
         !instruction->never && !wb_instruction_conditional(instruction) &&
         !wb_instruction_is(instruction, WB_TRAIT_BREAKPOINT);
}

const struct wb_instruction *wb_sass_last_writer(const struct wb_sass_origin *origin, size_t before,
                                                 unsigned number)
{
  const struct wb_function *function = origin->function;
  for (size_t i = before; i > 0 && before - i < DISTANCE && !origin->entered[i]; i--) {
    const struct wb_instruction *last = &function->instructions[i - 1];
    bool writes = false;
    if (!keeps_registers(last))
      return NULL;
    for (uint32_t w = 0; w < last->write_count && !last->never; w++) {
      const struct wb_register_span *span = &function->spans[last->first_write + w];
      writes |= number >= span->first && number < (unsigned)span->first + span->count;
    }
    if (writes)
      return last;
    if (leaves(last))
      return NULL;
  }
  return NULL;
}

/* The same, where no guard may skip it. */
static const struct wb_instruction *writer(const struct wb_sass_origin *origin, size_t before,
                                           unsigned number)
{
  const struct wb_instruction *last = wb_sass_last_writer(origin, before, number);
  return last != NULL && last->guard == WB_NO_REGISTER ? last : NULL;
}

const struct wb_copy *wb_sass_copied(const struct wb_sass_origin *origin,
                                     const struct wb_instruction *instruction, uint16_t number,
                                     enum wb_copy_kind kind)
{
  const struct wb_function *function = origin->function;
  size_t count;
  const size_t first =
      wb_function_copies(function, (uint32_t)(instruction - function->instructions), &count);
  for (size_t c = first; c < first + count; c++)
    if (function->copies[c].kind == kind && function->copies[c].to == number)
      return &function->copies[c];
  return NULL;
}

const struct wb_instruction *wb_sass_maker(const struct wb_sass_origin *origin, size_t before,
                                           uint16_t *number)
{
  const struct wb_instruction *found = writer(origin, before, *number);
  while (found != NULL) {
    const struct wb_copy *copy = wb_sass_copied(origin, found, *number, WB_COPY_REGISTER);
    if (copy == NULL || copy->value != 0)
      break;
    *number = copy->from;
    found = writer(origin, copy->instruction, *number);
  }
  return found;
}

const struct wb_operand *wb_sass_operand_at(const struct wb_sass_origin *origin,
                                            const struct wb_instruction *instruction,
                                            uint32_t number)
{
  return number < instruction->operand_count ? wb_operand_of(origin->function, instruction, number)
                                             : NULL;
}

bool wb_sass_calls_register(const struct wb_function *function, const struct wb_instruction *call)
{
  for (uint32_t o = 0; call->transfer == WB_TRANSFER_CALL_OUTSIDE && o < call->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(function, call, o);
    if (operand->kind != WB_OPERAND_PREDICATE)
      return wb_operand_is_plain_register(operand) && operand->number != WB_NO_REGISTER;
  }
  return false;
}
