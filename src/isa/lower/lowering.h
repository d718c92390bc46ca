/* What the lowerings of opcodes share: the operands of an instruction as sources, and functions
 * that add a micro-operation each and return a source that refers to its result. */
#ifndef WB_ISA_LOWER_LOWERING_H
#define WB_ISA_LOWER_LOWERING_H

#include "isa/lower/micro_operation.h"
#include "isa/opcode.h"

#define WB_LOWERING_OUTPUTS 2

/* The lowering of one instruction. Sources are counted from 0, after what the instruction writes.
 * A lowering fails where an operand has a form that it does not know, and where it leaves a source
 * or a modifier unread: so no lowering has to list the forms that it does not understand. */
struct wb_lowering {
  const struct wb_instruction *instruction;
  const struct wb_operand *target;                       /* the register written; NULL for none */
  const struct wb_operand *outputs[WB_LOWERING_OUTPUTS]; /* predicates written */
  size_t output_count;
  const struct wb_operand *sources;
  size_t source_count;
  uint32_t sources_read;   /* bit s: source s was read */
  uint32_t modifiers_read; /* bit m: modifier m was read */
  bool volta;              /* Volta or later; else Maxwell or Pascal */
  bool failed;
  struct wb_micro_code *code;
};

/* ---- modifiers ---- */

/* Whether the instruction has the modifier; it then counts as read, once. */
bool wb_take_modifier(struct wb_lowering *lowering, enum wb_modifier modifier);

/* The first modifier that is not read yet, and it counts as read; WB_MODIFIER_OTHER at the end. */
enum wb_modifier wb_next_modifier(struct wb_lowering *lowering);

/* The table that the next modifier, AND, OR or XOR, puts two predicates together with. */
uint8_t wb_next_table(struct wb_lowering *lowering);

/* ---- sources ---- */

struct wb_source wb_none(void);
struct wb_source wb_number(uint64_t value);

/* The carry of the condition code. */
struct wb_source wb_condition_carry(void);

/* Whether the source is that number, and known without the instruction being executed. */
bool wb_is_number(struct wb_source source, uint64_t number);

/* 0 - source, a word. Fails for a complemented source. */
struct wb_source wb_negated(struct wb_lowering *lowering, struct wb_source source);

/* Not the predicate. */
struct wb_source wb_not(struct wb_source predicate);

/* Source `number` of the instruction as a word; its part: a half (.H1) or a byte (.B2) continued
 * by its sign or by zeros, `bits` wide, then negated where it has a minus; as a magnitude where it
 * is between bars; as 64 bits; as a predicate. Each fails where the operand is another one. */
struct wb_source wb_word(struct wb_lowering *lowering, size_t number);
struct wb_source wb_part(struct wb_lowering *lowering, size_t number, unsigned bits,
                         bool as_signed);
struct wb_source wb_magnitude(struct wb_lowering *lowering, size_t number);
struct wb_source wb_wide(struct wb_lowering *lowering, size_t number);
struct wb_source wb_truth(struct wb_lowering *lowering, size_t number);

/* Source `number` as an upper word of Maxwell's sums with a carry, which a minus complements. */
struct wb_source wb_upper_word(struct wb_lowering *lowering, size_t number);

/* The two words of a source of 64 bits, neither negated nor complemented. */
void wb_words_of_source(struct wb_lowering *lowering, size_t number, struct wb_source words[2]);

/* Source `number`, an immediate of at most 32 bits (or RZ). Fails where it is something else. */
uint32_t wb_immediate(struct wb_lowering *lowering, size_t number);

/* Whether source `number` is such an immediate. */
bool wb_is_immediate(const struct wb_lowering *lowering, size_t number);

/* ---- micro-operations ---- */

struct wb_source wb_emit_operation(struct wb_lowering *lowering,
                                   const struct wb_micro_operation *operation);
struct wb_source wb_emit(struct wb_lowering *lowering, enum wb_micro_kind kind, struct wb_source a,
                         struct wb_source b, struct wb_source c);

/* The same with both signs: as_signed and b_signed. */
struct wb_source wb_emit_signed(struct wb_lowering *lowering, enum wb_micro_kind kind,
                                bool as_signed, struct wb_source a, struct wb_source b,
                                struct wb_source c);

struct wb_source wb_sum(struct wb_lowering *lowering, struct wb_source a, struct wb_source b,
                        struct wb_source c);
struct wb_source wb_sum_with_carry(struct wb_lowering *lowering, struct wb_source a,
                                   struct wb_source b, struct wb_source carry);

/* The low word of a product. By a number that is a power of two it is a shift. */
struct wb_source wb_product(struct wb_lowering *lowering, struct wb_source a, struct wb_source b);

struct wb_source wb_extract(struct wb_lowering *lowering, struct wb_source a, unsigned place,
                            unsigned bits, bool as_signed);
struct wb_source wb_lookup(struct wb_lowering *lowering, uint8_t table, struct wb_source a,
                           struct wb_source b, struct wb_source c);
struct wb_source wb_combine(struct wb_lowering *lowering, uint8_t table, struct wb_source a,
                            struct wb_source b, struct wb_source c);
struct wb_source wb_compare(struct wb_lowering *lowering, enum wb_relation relation, bool as_signed,
                            struct wb_source a, struct wb_source b);
struct wb_source wb_function_of(struct wb_lowering *lowering, uint32_t least, uint32_t most,
                                struct wb_source a, struct wb_source b, struct wb_source c);

/* Tables of LOOKUP and COMBINE. */
enum {
  WB_TABLE_AND = 0xc0,     /* a and b */
  WB_TABLE_OR = 0xfc,      /* a or b */
  WB_TABLE_XOR = 0x3c,     /* a xor b */
  WB_TABLE_AND_NOT = 0x30, /* a and not b */
  WB_TABLE_CHOICE = 0xe4   /* c ? a : b */
};

/* ---- results ---- */

/* The target gets a word; nothing where it is RZ. */
void wb_set_word(struct wb_lowering *lowering, struct wb_source source);

/* The target and the register after it get a number of 64 bits. */
void wb_set_wide(struct wb_lowering *lowering, struct wb_source source);

/* The register `offset` after the target gets a word. */
void wb_set_word_after(struct wb_lowering *lowering, unsigned offset, struct wb_source source);

/* Output `number` gets a predicate; nothing where there is none, or where it is PT. */
void wb_set_predicate(struct wb_lowering *lowering, size_t number, struct wb_source source);

/* A register gets a predicate. */
void wb_set_predicate_register(struct wb_lowering *lowering, uint16_t number,
                               struct wb_source source);

/* Whether output `number` is a predicate that is kept. */
bool wb_has_output(const struct wb_lowering *lowering, size_t number);

/* ---- lowerings of opcodes: each adds micro-operations and results, or fails ---- */

typedef void wb_lower_rule(struct wb_lowering *lowering);

/* lower_sums.c */
wb_lower_rule wb_lower_add, wb_lower_add3, wb_lower_subtract, wb_lower_video_add,
    wb_lower_scaled_add, wb_lower_lea, wb_lower_multiply, wb_lower_maxwell_multiply_add,
    wb_lower_volta_multiply_add, wb_lower_half_products, wb_lower_part_products,
    wb_lower_dot_product, wb_lower_absolute_difference, wb_lower_absolute_differences;

/* lower_bits.c */
wb_lower_rule wb_lower_logic, wb_lower_logic3, wb_lower_shift_left, wb_lower_shift_right,
    wb_lower_funnel_shift, wb_lower_permute, wb_lower_extract, wb_lower_insert, wb_lower_extend,
    wb_lower_mask, wb_lower_count_ones, wb_lower_reverse, wb_lower_leading_one, wb_lower_absolute;

/* lower_compare.c */
wb_lower_rule wb_lower_compare_predicate, wb_lower_compare_word, wb_lower_compare_with_zero,
    wb_lower_logic_predicate, wb_lower_logic_word, wb_lower_predicate_logic3,
    wb_lower_to_predicates, wb_lower_from_predicates, wb_lower_select, wb_lower_extreme,
    wb_lower_extreme3, wb_lower_add_extreme;

/* lower_moves.c */
wb_lower_rule wb_lower_move, wb_lower_uniform_move, wb_lower_shuffle, wb_lower_vote, wb_lower_check,
    wb_lower_special, wb_lower_uniform_special, wb_lower_counter, wb_lower_constant_load,
    wb_lower_half_load, wb_lower_integer_conversion, wb_lower_function, wb_lower_double_function,
    wb_lower_to_integer, wb_lower_to_float, wb_lower_float_select, wb_lower_video_sum,
    wb_lower_video_extreme, wb_lower_video_compare, wb_lower_video_difference, wb_lower_video_shift,
    wb_lower_video_product;

/* lower_floats.c */
wb_lower_rule wb_lower_float_sum, wb_lower_float_product, wb_lower_float_fused,
    wb_lower_float_minimum, wb_lower_float_compare, wb_lower_double_sum, wb_lower_double_compare;

#endif
