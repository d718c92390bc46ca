#include "launch/timing/register_reads.h"

#include "isa/opcode.h"

#define GENERAL_COUNT (WB_REGISTER_PREDICATE - WB_REGISTER_GENERAL)
/* Registers of one operand at most, but of products of groups of warps. */
#define WIDEST_OPERAND 4

/* Of an instruction whose registers are not known. */
static uint32_t reads_at_most(const struct wb_function *function, const struct wb_instruction *at)
{
  uint32_t reads = 0;
  for (uint32_t o = 0; o < at->operand_count; o++) {
    const uint8_t kind = wb_operand_of(function, at, o)->kind;
    if (kind != WB_OPERAND_PREDICATE && kind != WB_OPERAND_CONDITION && kind != WB_OPERAND_NUMBER)
      reads += WIDEST_OPERAND;
  }
  return reads;
}

uint32_t wb_register_bank_reads(const struct wb_function *function, uint32_t instruction,
                                uint64_t banks)
{
  const struct wb_instruction *at = &function->instructions[instruction];
  uint8_t reads[GENERAL_COUNT] = {0}; /* by bank */
  bool seen[GENERAL_COUNT] = {false};
  uint32_t most = 0;
  if (at->transfer == WB_TRANSFER_CALL_OUTSIDE || at->outside ||
      wb_instruction_is(at, WB_TRAIT_STARTS_PRODUCT))
    return 0;
  if (at->unknown)
    return reads_at_most(function, at);
  for (uint32_t s = 0; s < at->read_count; s++) {
    const struct wb_register_span *span = &function->spans[at->first_read + s];
    for (uint32_t r = span->first; r < (uint32_t)span->first + span->count; r++) {
      const uint32_t number = r - WB_REGISTER_GENERAL;
      if (number >= GENERAL_COUNT || seen[number])
        continue;
      uint8_t *bank = &reads[banks > 0 ? number % banks : 0];
      seen[number] = true;
      if (++*bank > most)
        most = *bank;
    }
  }
  return most;
}
