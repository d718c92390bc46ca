/* The lowerings of opcodes. Each is a function of struct wb_lowering, which adds micro-operations
 * and results, or fails. */
#ifndef WB_ISA_LOWER_LOWER_RULES_H
#define WB_ISA_LOWER_LOWER_RULES_H

#include "isa/lower/lowering.h"

typedef void wb_lower_rule(struct wb_lowering *lowering);

/* lower_sums.c */
wb_lower_rule wb_lower_add, wb_lower_add3, wb_lower_video_add, wb_lower_scaled_add, wb_lower_lea,
    wb_lower_multiply, wb_lower_maxwell_multiply_add, wb_lower_volta_multiply_add,
    wb_lower_half_products, wb_lower_part_products, wb_lower_dot_product,
    wb_lower_absolute_difference, wb_lower_absolute_differences;

/* lower_bits.c */
wb_lower_rule wb_lower_logic, wb_lower_logic3, wb_lower_shift_left, wb_lower_shift_right,
    wb_lower_funnel_shift, wb_lower_permute, wb_lower_extract, wb_lower_insert, wb_lower_extend,
    wb_lower_mask, wb_lower_count_ones, wb_lower_reverse, wb_lower_leading_one, wb_lower_absolute;

/* lower_compare.c */
wb_lower_rule wb_lower_compare_predicate, wb_lower_compare_word, wb_lower_compare_with_zero,
    wb_lower_logic_predicate, wb_lower_logic_word, wb_lower_predicate_logic3,
    wb_lower_to_predicates, wb_lower_to_uniform_predicates, wb_lower_from_predicates,
    wb_lower_from_uniform_predicates, wb_lower_select, wb_lower_extreme, wb_lower_extreme3,
    wb_lower_add_extreme;

/* lower_moves.c */
wb_lower_rule wb_lower_move, wb_lower_uniform_move, wb_lower_special, wb_lower_uniform_special,
    wb_lower_counter, wb_lower_constant_load, wb_lower_half_load;

/* lower_conversions.c */
wb_lower_rule wb_lower_integer_conversion, wb_lower_conversion, wb_lower_to_integer;

/* lower_video.c */
wb_lower_rule wb_lower_video_sum, wb_lower_video_extreme, wb_lower_video_compare,
    wb_lower_video_difference, wb_lower_video_differences, wb_lower_video_shift_left,
    wb_lower_video_shift_right, wb_lower_video_product;

#endif
