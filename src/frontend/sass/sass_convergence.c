#include "frontend/sass/sass_convergence.h"

#include "frontend/sass/text/sass_scanner.h"
#include "isa/opcode.h"

#include <string.h>

#define NOT_MODELLED "it writes a control register that is not modelled"

/* The operand after the predicates at the front. */
static size_t first_other(const struct wb_sass_operand *operands, size_t count)
{
  size_t o = 0;
  while (o < count && operands[o].kind == WB_SASS_PREDICATE)
    o++;
  return o;
}

/* Which lanes the operand names. */
static enum wb_lane_mask mask_of(const struct wb_sass_operand *operand)
{
  const struct wb_operand *meaning = &operand->meaning;
  const bool no_register =
      meaning->kind == WB_OPERAND_REGISTER && meaning->number == WB_NO_REGISTER;
  if ((meaning->kind == WB_OPERAND_NUMBER && (uint32_t)meaning->value == UINT32_MAX) ||
      (no_register && meaning->complemented))
    return WB_MASK_ALL;
  return wb_operand_is_plain_register(meaning) && !no_register ? WB_MASK_REGISTER : WB_MASK_OTHER;
}

/* The mask of a WARPSYNC. */
static enum wb_lane_mask waited_for(const struct wb_instruction *instruction,
                                    const struct wb_sass_operand *operands, size_t count)
{
  static const enum wb_modifier all[] = {WB_MODIFIER_ALL};
  const size_t o = first_other(operands, count);
  if (wb_instruction_has_just(instruction, all, 1))
    return WB_MASK_ALL;
  return instruction->modifier_count == 0 && o < count ? mask_of(&operands[o]) : WB_MASK_OTHER;
}

/* The mask that BRA.DIV and BRA.CONV compare with: up to Turing they name none, which is that of
 * all lanes of the warp. */
static enum wb_lane_mask compared_with(const struct wb_sass_operand *operands, size_t count)
{
  const size_t o = first_other(operands, count);
  return o + 1 < count ? mask_of(&operands[o]) : WB_MASK_ALL;
}

static const char *find_barrier(struct wb_instruction *instruction,
                                const struct wb_sass_operand *operands, size_t count, size_t *fault)
{
  *fault = first_other(operands, count);
  const struct wb_operand *barrier = *fault < count ? &operands[*fault].meaning : NULL;
  if (barrier == NULL || !wb_operand_is_plain_register(barrier) ||
      barrier->number < WB_REGISTER_BARRIER || barrier->number >= WB_REGISTER_COUNT)
    return "a barrier register B0 to B15";
  instruction->barrier = (uint8_t)(barrier->number - WB_REGISTER_BARRIER);
  return NULL;
}

/* Whether an address in registers counts from the start of the function: RET.REL.NODEC R20 0x0, or
 * with the function's name. */
static bool is_start(const struct wb_sass_operand *operand, struct wb_sass_piece function)
{
  struct wb_sass_piece symbol = {operand->symbol, operand->symbol_length};
  if (operand->kind != WB_SASS_SYMBOL)
    return operand->meaning.kind == WB_OPERAND_NUMBER && operand->meaning.value == 0;
  if (wb_sass_begins(symbol, ".text."))
    symbol = (struct wb_sass_piece){symbol.text + 6, symbol.length - 6};
  return wb_sass_same(symbol, function);
}

static void find_link(struct wb_instruction *instruction, struct wb_sass_piece function,
                      const struct wb_sass_operand *operands, size_t count)
{
  const size_t o = first_other(operands, count);
  const bool starts = o + 1 >= count || (o + 2 == count && is_start(&operands[o + 1], function));
  const struct wb_operand *link = o < count ? &operands[o].meaning : NULL;
  if (starts && link != NULL && wb_operand_is_plain_register(link) &&
      (link->number < WB_REGISTER_PREDICATE ||
       (link->number >= WB_REGISTER_UNIFORM && link->number < WB_REGISTER_UNIFORM_PREDICATE)))
    instruction->link = link->number;
  else
    instruction->transfer = WB_TRANSFER_UNSUPPORTED;
}

/* BMOV ATEXIT_PC.LO, R2 */
static bool writes_control_register(const struct wb_instruction *instruction,
                                    const struct wb_sass_operand *operands, size_t count)
{
  return wb_instruction_is(instruction, WB_TRAIT_MOVES_BARRIER_REGISTER) && count > 0 &&
         operands[0].kind == WB_SASS_WORD;
}

const char *wb_sass_convergence(struct wb_instruction *instruction, struct wb_sass_piece function,
                                const struct wb_sass_operand *operands, size_t operand_count,
                                size_t *fault)
{
  instruction->yields = wb_instruction_is(instruction, WB_TRAIT_YIELDS);
  if (writes_control_register(instruction, operands, operand_count)) {
    instruction->transfer = WB_TRANSFER_UNSUPPORTED;
    instruction->assumption = NOT_MODELLED;
  }
  switch (instruction->transfer) {
  case WB_TRANSFER_SCOPE_OPEN:
  case WB_TRANSFER_SCOPE_SYNC:
  case WB_TRANSFER_SCOPE_BREAK:
    return find_barrier(instruction, operands, operand_count, fault);
  case WB_TRANSFER_WARP_SYNC:
    instruction->mask = (uint8_t)waited_for(instruction, operands, operand_count);
    return NULL;
  case WB_TRANSFER_BRANCH:
    instruction->unless_all = wb_instruction_has(instruction, WB_MODIFIER_DIV);
    instruction->together =
        instruction->unless_all || wb_instruction_has(instruction, WB_MODIFIER_CONV);
    if (instruction->together)
      instruction->mask = (uint8_t)compared_with(operands, operand_count);
    return NULL;
  case WB_TRANSFER_INDEXED_BRANCH: /* BRXU.DIV, JMXU.CONV: found in no compiled code */
    if (wb_instruction_has(instruction, WB_MODIFIER_DIV) ||
        wb_instruction_has(instruction, WB_MODIFIER_CONV))
      instruction->transfer = WB_TRANSFER_UNSUPPORTED;
    return NULL;
  case WB_TRANSFER_RETURN_LINKED:
    find_link(instruction, function, operands, operand_count);
    return NULL;
  default:
    return NULL;
  }
}
