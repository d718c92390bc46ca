#include "isa/lower/lower.h"

#include "isa/lower/lower_rules.h"

/* The first Volta. */
#define VOLTA 70

/* What an opcode means, by family; NULL: not known, or no value that an analysis could use. */
struct rule {
  wb_lower_rule *maxwell;
  wb_lower_rule *volta;
};

#define BOTH(rule)                                                                                 \
  {                                                                                                \
    rule, rule                                                                                     \
  }
#define OLD(rule)                                                                                  \
  {                                                                                                \
    rule, NULL                                                                                     \
  }
#define NEW(rule)                                                                                  \
  {                                                                                                \
    NULL, rule                                                                                     \
  }

static const struct rule rules[WB_OPCODE_COUNT] = {
    [WB_OPCODE_BFE] = OLD(wb_lower_extract),
    [WB_OPCODE_BFI] = OLD(wb_lower_insert),
    [WB_OPCODE_BMSK] = NEW(wb_lower_mask),
    [WB_OPCODE_BREV] = NEW(wb_lower_reverse),
    [WB_OPCODE_CS2R] = NEW(wb_lower_counter),
    [WB_OPCODE_CS2UR] = NEW(wb_lower_counter),
    [WB_OPCODE_F2F] = BOTH(wb_lower_conversion),
    [WB_OPCODE_F2I] = BOTH(wb_lower_to_integer),
    [WB_OPCODE_FLO] = BOTH(wb_lower_leading_one),
    [WB_OPCODE_HFMA2] = NEW(wb_lower_half_load),
    [WB_OPCODE_I2F] = BOTH(wb_lower_conversion),
    [WB_OPCODE_I2FP] = NEW(wb_lower_conversion),
    [WB_OPCODE_I2I] = BOTH(wb_lower_integer_conversion),
    [WB_OPCODE_I2IP] = NEW(wb_lower_conversion),
    [WB_OPCODE_IABS] = NEW(wb_lower_absolute),
    [WB_OPCODE_IADD] = BOTH(wb_lower_add),
    [WB_OPCODE_IADD3] = BOTH(wb_lower_add3),
    [WB_OPCODE_IADD32I] = OLD(wb_lower_add),
    [WB_OPCODE_ICMP] = OLD(wb_lower_compare_with_zero),
    [WB_OPCODE_IDP] = BOTH(wb_lower_dot_product),
    [WB_OPCODE_IMAD] = {wb_lower_maxwell_multiply_add, wb_lower_volta_multiply_add},
    [WB_OPCODE_IMAD32I] = OLD(wb_lower_maxwell_multiply_add),
    [WB_OPCODE_IMADSP] = OLD(wb_lower_part_products),
    [WB_OPCODE_IMNMX] = BOTH(wb_lower_extreme),
    [WB_OPCODE_IMUL] = OLD(wb_lower_multiply),
    [WB_OPCODE_IMUL32I] = OLD(wb_lower_multiply),
    [WB_OPCODE_ISCADD] = OLD(wb_lower_scaled_add),
    [WB_OPCODE_ISCADD32I] = OLD(wb_lower_scaled_add),
    [WB_OPCODE_ISET] = OLD(wb_lower_compare_word),
    [WB_OPCODE_ISETP] = BOTH(wb_lower_compare_predicate),
    [WB_OPCODE_LDC] = BOTH(wb_lower_constant_load),
    [WB_OPCODE_LDCU] = NEW(wb_lower_constant_load),
    [WB_OPCODE_LEA] = BOTH(wb_lower_lea),
    [WB_OPCODE_LOP] = OLD(wb_lower_logic),
    [WB_OPCODE_LOP3] = BOTH(wb_lower_logic3),
    [WB_OPCODE_LOP32I] = OLD(wb_lower_logic),
    [WB_OPCODE_MOV] = BOTH(wb_lower_move),
    [WB_OPCODE_MOV32I] = OLD(wb_lower_move),
    [WB_OPCODE_P2R] = BOTH(wb_lower_from_predicates),
    [WB_OPCODE_PLOP3] = NEW(wb_lower_predicate_logic3),
    [WB_OPCODE_POPC] = BOTH(wb_lower_count_ones),
    [WB_OPCODE_PRMT] = BOTH(wb_lower_permute),
    [WB_OPCODE_PSET] = OLD(wb_lower_logic_word),
    [WB_OPCODE_PSETP] = OLD(wb_lower_logic_predicate),
    [WB_OPCODE_R2P] = BOTH(wb_lower_to_predicates),
    [WB_OPCODE_R2UR] = NEW(wb_lower_uniform_move),
    [WB_OPCODE_S2R] = BOTH(wb_lower_special),
    [WB_OPCODE_S2UR] = NEW(wb_lower_uniform_special),
    [WB_OPCODE_SEL] = BOTH(wb_lower_select),
    [WB_OPCODE_SGXT] = NEW(wb_lower_extend),
    [WB_OPCODE_SHF] = BOTH(wb_lower_funnel_shift),
    [WB_OPCODE_SHL] = OLD(wb_lower_shift_left),
    [WB_OPCODE_SHR] = OLD(wb_lower_shift_right),
    [WB_OPCODE_UBMSK] = NEW(wb_lower_mask),
    [WB_OPCODE_UBREV] = NEW(wb_lower_reverse),
    [WB_OPCODE_UFLO] = NEW(wb_lower_leading_one),
    [WB_OPCODE_UI2F] = NEW(wb_lower_conversion),
    [WB_OPCODE_UI2FP] = NEW(wb_lower_conversion),
    [WB_OPCODE_UF2F] = NEW(wb_lower_conversion),
    [WB_OPCODE_UF2I] = NEW(wb_lower_to_integer),
    [WB_OPCODE_UIABS] = NEW(wb_lower_absolute),
    [WB_OPCODE_UIADD3] = NEW(wb_lower_add3),
    [WB_OPCODE_UIMAD] = NEW(wb_lower_volta_multiply_add),
    [WB_OPCODE_UIMNMX] = NEW(wb_lower_extreme),
    [WB_OPCODE_UISETP] = NEW(wb_lower_compare_predicate),
    [WB_OPCODE_ULDC] = NEW(wb_lower_constant_load),
    [WB_OPCODE_ULEA] = NEW(wb_lower_lea),
    [WB_OPCODE_ULOP3] = NEW(wb_lower_logic3),
    [WB_OPCODE_UMOV] = NEW(wb_lower_move),
    [WB_OPCODE_UP2UR] = NEW(wb_lower_from_uniform_predicates),
    [WB_OPCODE_UPLOP3] = NEW(wb_lower_predicate_logic3),
    [WB_OPCODE_UPOPC] = NEW(wb_lower_count_ones),
    [WB_OPCODE_UPRMT] = NEW(wb_lower_permute),
    [WB_OPCODE_UR2UP] = NEW(wb_lower_to_uniform_predicates),
    [WB_OPCODE_USEL] = NEW(wb_lower_select),
    [WB_OPCODE_USGXT] = NEW(wb_lower_extend),
    [WB_OPCODE_USHF] = NEW(wb_lower_funnel_shift),
    [WB_OPCODE_UVIADD] = NEW(wb_lower_video_add),
    [WB_OPCODE_UVIMNMX] = NEW(wb_lower_extreme),
    [WB_OPCODE_VABSDIFF] = {wb_lower_video_difference, wb_lower_absolute_difference},
    [WB_OPCODE_VABSDIFF4] = {wb_lower_video_differences, wb_lower_absolute_differences},
    [WB_OPCODE_VADD] = OLD(wb_lower_video_sum),
    [WB_OPCODE_VIADD] = NEW(wb_lower_video_add),
    [WB_OPCODE_VIADDMNMX] = NEW(wb_lower_add_extreme),
    [WB_OPCODE_VIMNMX] = NEW(wb_lower_extreme),
    [WB_OPCODE_VIMNMX3] = NEW(wb_lower_extreme3),
    [WB_OPCODE_VMAD] = OLD(wb_lower_video_product),
    [WB_OPCODE_VMNMX] = OLD(wb_lower_video_extreme),
    [WB_OPCODE_VSET] = OLD(wb_lower_video_compare),
    [WB_OPCODE_VSHL] = OLD(wb_lower_video_shift_left),
    [WB_OPCODE_VSHR] = OLD(wb_lower_video_shift_right),
    [WB_OPCODE_XMAD] = OLD(wb_lower_half_products),
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
  struct wb_lowering lowering = {.function = function,
                                 .instruction = instruction,
                                 .volta = function->wide || function->sm >= VOLTA,
                                 .code = code};
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
