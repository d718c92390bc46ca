#include "isa/lower/lower.h"

#include "isa/lower/lower_rules.h"

/* The first Volta. */
#define VOLTA 70

/* What an opcode means, by family; NULL: not known, or no value that an analysis could use. */
struct rule {
  wb_lower_rule *maxwell;
  wb_lower_rule *volta;
};

/* The last column of the table. */
#define LOWER(rule) wb_lower_##rule, wb_lower_##rule
#define LOWER_MAXWELL(rule) wb_lower_##rule, NULL
#define LOWER_VOLTA(rule) NULL, wb_lower_##rule
#define LOWER_EACH(maxwell, volta) wb_lower_##maxwell, wb_lower_##volta
#define NO_LOWERING NULL, NULL

static const struct rule rules[WB_OPCODE_COUNT] = {
    {NO_LOWERING},
#define VARIANT(name, modifiers, operands, families, unit, transfer, agreement, assumption,        \
                traits, lowering)
#define OPCODE(name, modifiers, operands, families, unit, transfer, agreement, assumption, traits, \
               lowering, memory)                                                                   \
  {lowering},
#include "isa/opcodes.def"
#undef OPCODE
#undef VARIANT
};

static bool is_predicate(const struct wb_operand *operand)
{
  return operand->kind == WB_OPERAND_PREDICATE && !operand->negated;
}

/* Takes what is written from the operands: predicates, a register, or both. From Volta on up to two
 * predicates may follow the register, where two operands at least are left. */
static void read_targets(struct wb_lowering *lowering, const struct wb_operand *operands,
                         size_t count)
{
  size_t next = 0;
  while (next < count && lowering->output_count < WB_LOWERING_OUTPUTS &&
         is_predicate(&operands[next]))
    lowering->outputs[lowering->output_count++] = &operands[next++];
  if (next < 2 && next < count && operands[next].kind == WB_OPERAND_REGISTER)
    lowering->target = &operands[next++];
  while (lowering->volta && next == lowering->output_count + 1 && next + 1 < count &&
         lowering->output_count < WB_LOWERING_OUTPUTS && is_predicate(&operands[next]) &&
         lowering->target == &operands[0])
    lowering->outputs[lowering->output_count++] = &operands[next++];
  lowering->sources = &operands[next];
  lowering->source_count = count - next;
}

static bool is_complete(const struct wb_lowering *lowering)
{
  return !lowering->failed &&
         lowering->sources_read == (UINT32_C(1) << lowering->source_count) - 1 &&
         lowering->modifiers_read == (UINT32_C(1) << lowering->instruction->modifier_count) - 1;
}

bool wb_lower(const struct wb_function *function, uint32_t index, struct wb_micro_code *code)
{
  const struct wb_instruction *instruction = &function->instructions[index];
  struct wb_lowering lowering = {
      .instruction = instruction, .volta = function->wide || function->sm >= VOLTA, .code = code};
  wb_lower_rule *rule =
      lowering.volta ? rules[instruction->number].volta : rules[instruction->number].maxwell;
  code->count = 0;
  code->write_count = 0;
  if (rule == NULL)
    return false;
  read_targets(&lowering, &function->operands[instruction->first_operand],
               instruction->operand_count);
  rule(&lowering);
  if (is_complete(&lowering))
    return true;
  code->count = 0;
  code->write_count = 0;
  return false;
}
