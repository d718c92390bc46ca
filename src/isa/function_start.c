#include "isa/function_start.h"

#include <string.h>

/* Unoptimised functions of sm_8x begin with
 *
 *     ISETP.NE.U32.AND P0, PT, RZ, UR2, PT
 * @P0 BRA past
 *     BMOV...                  (no barrier register is bound)
 *     UMOV UR2, 0x1
 * past:
 *
 * so that the first one that runs unbinds the barrier registers. Past it UR2 is not 0: by the test,
 * or by the UMOV. Where nothing else writes UR2 it is 1 or what it was from there on, not 0, and
 * the branch of a function that is called is taken by all lanes. */
struct beginning {
  uint16_t flag; /* the uniform register; WB_NO_REGISTER: the function begins otherwise */
  uint32_t set;  /* the UMOV, from the function's first instruction */
};

static bool is_register(const struct wb_operand *operand, uint8_t kind, uint16_t number)
{
  return operand->kind == kind && operand->number == number && !operand->negated;
}

static bool is_test(const struct wb_function *part, const struct wb_instruction *test)
{
  return strcmp(test->opcode, "ISETP.NE.U32.AND") == 0 && !test->guarded &&
         test->operand_count == 5 && wb_operand_of(part, test, 0)->kind == WB_OPERAND_PREDICATE &&
         is_register(wb_operand_of(part, test, 1), WB_OPERAND_PREDICATE, WB_NO_REGISTER) &&
         is_register(wb_operand_of(part, test, 2), WB_OPERAND_REGISTER, WB_NO_REGISTER) &&
         wb_operand_is_plain_register(wb_operand_of(part, test, 3)) &&
         is_register(wb_operand_of(part, test, 4), WB_OPERAND_PREDICATE, WB_NO_REGISTER);
}

static struct beginning beginning_of(const struct wb_function *part)
{
  const struct wb_instruction *test = part->instructions;
  const struct wb_instruction *branch = test + 1;
  struct beginning found = {.flag = WB_NO_REGISTER};
  if (part->instruction_count < 3 || !is_test(part, test) ||
      branch->transfer != WB_TRANSFER_BRANCH || branch->target_count != 1 ||
      branch->guard_negated || branch->conditional_code || branch->second_predicate ||
      branch->together || branch->guard != wb_operand_of(part, test, 0)->number)
    return found;
  const uint32_t past = part->targets[branch->first_target];
  for (uint32_t i = 2; i < past && past < part->instruction_count; i++) {
    if (part->instructions[i].transfer != WB_TRANSFER_NEXT)
      return found;
  }
  for (size_t t = 0; t < part->target_count; t++) { /* nothing jumps into it */
    if (part->targets[t] > 0 && part->targets[t] < past)
      return found;
  }
  const uint16_t flag = wb_operand_of(part, test, 3)->number;
  const struct wb_instruction *set = past > 2 ? &part->instructions[past - 1] : NULL;
  if (set == NULL || past >= part->instruction_count || strcmp(set->opcode, "UMOV") != 0 ||
      set->guarded || set->operand_count != 2 ||
      !is_register(wb_operand_of(part, set, 0), WB_OPERAND_REGISTER, flag) ||
      wb_operand_of(part, set, 1)->kind != WB_OPERAND_NUMBER ||
      wb_operand_of(part, set, 1)->value != 1)
    return found;
  return (struct beginning){.flag = flag, .set = past - 1};
}

/* Whether an instruction may write the register, or goes to code that may. */
static bool may_write(const struct wb_function *function, const struct wb_instruction *what,
                      uint16_t number)
{
  bool written = what->unknown || what->outside;
  for (uint32_t w = 0; w < what->write_count && !written; w++) {
    const struct wb_register_span *span = &function->spans[what->first_write + w];
    written = number >= span->first && number < span->first + span->count;
  }
  return written;
}

void wb_function_starts_settle(const struct wb_function *linked)
{
  const struct beginning own = linked->part_count > 0 ? beginning_of(linked->parts[0].function)
                                                      : (struct beginning){.flag = WB_NO_REGISTER};
  if (own.flag == WB_NO_REGISTER || !linked->kernel)
    return;
  for (size_t p = 0; p < linked->part_count; p++) {
    const struct wb_part *part = &linked->parts[p];
    const struct beginning begins = beginning_of(part->function);
    for (size_t i = 0; i < part->function->instruction_count; i++) {
      const bool sets = begins.flag == own.flag && i == begins.set;
      if (!sets && may_write(linked, &linked->instructions[part->first + i], own.flag))
        return;
    }
  }
  for (size_t p = 1; p < linked->part_count; p++) {
    struct wb_instruction *branch = &linked->instructions[linked->parts[p].first + 1];
    if (beginning_of(linked->parts[p].function).flag != own.flag)
      continue;
    branch->guarded = false;
    branch->guard = WB_NO_REGISTER;
    branch->read_count = 0;
  }
}
