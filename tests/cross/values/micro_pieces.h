/* Sources, operations, writes and steps of random instructions (micro_programs.h). */
#ifndef WB_TESTS_CROSS_VALUES_MICRO_PIECES_H
#define WB_TESTS_CROSS_VALUES_MICRO_PIECES_H

#include "micro_programs.h"

/* Numbers at the ends of ranges, small ones, and any; registers and predicates of the program. */
uint32_t micro_some_number(struct wb_random *random);
uint16_t micro_some_register(struct wb_random *random);
uint16_t micro_some_predicate(struct wb_random *random);
/* Sources. */
struct wb_source micro_of_register(uint16_t number);
struct wb_source micro_of_number(uint64_t value);
struct wb_source micro_of_predicate(uint16_t number);
struct wb_source micro_of_result(size_t number);
/* Adds an operation; its number. */
size_t micro_add(struct wb_micro_code *code, struct wb_micro_operation operation);
/* Adds the carry of a sum. */
void micro_add_carry(struct wb_micro_code *code, size_t sum);
/* Whether the code writes a register already. */
bool micro_is_written(const struct wb_micro_code *code, uint16_t number);
/* Lets it write a result to a register, or a pair, that it does not write yet. */
void micro_add_write(struct wb_micro_code *code, size_t result, uint16_t number);
/* One instruction more, without anything. */
struct micro_step *micro_new_step(struct micro_program *program);
/* Adds an operation that writes its result to a register. */
void micro_write_word(struct micro_step *step, const struct wb_micro_operation *operation,
                      uint16_t number);
/* A word of a sum: a register, or now and then a number. */
struct wb_source micro_draw_word(struct wb_random *random);

/* ---- micro_programs.c ---- */

/* Adds an instruction of any operations. */
void micro_draw_step(struct wb_random *random, struct micro_program *program);

/* ---- micro_wide.c: instructions that compute a number of 64 bits by its words ---- */

/* A sum or a difference, one addend scaled or not. */
void micro_draw_wide_sum(struct wb_random *random, struct micro_program *program);
/* A comparison. */
void micro_draw_wide_comparison(struct wb_random *random, struct micro_program *program);
/* A shift, a choice or a copy of both words. */
void micro_draw_halves(struct wb_random *random, struct micro_program *program);
/* A product by those of halves. */
void micro_draw_product(struct wb_random *random, struct micro_program *program);
/* A sum, and how far it is from one of its addends. */
void micro_draw_pair_differences(struct wb_random *random, struct micro_program *program);
/* The same by whole numbers. */
void micro_draw_whole_differences(struct wb_random *random, struct micro_program *program);

#endif
