/* The instructions by which code approximates a reciprocal, with any error that they may have.
 * Shares no code with src/. */
#ifndef TESTS_CROSS_FLOAT_STEPS_H
#define TESTS_CROSS_FLOAT_STEPS_H

#include "base/random.h"

#include <stdbool.h>
#include <stdint.h>

/* The least float that is not below the number. */
float float_rounded_up(uint32_t number);
/* The float nearest to 1 / x, or one of its neighbours: `error` is -1, 0 or 1. */
float float_reciprocal(float x, int error);
/* Towards 0, within 32 bits; 0 of what is no number. */
uint32_t float_truncated(float x);

/* What I2F, F2I (of 32 bits, however they round) or MUFU.RCP gives of a word. False: it is none of
 * these. */
bool float_step_execute(const char *opcode, uint32_t word, struct wb_random *random,
                        uint32_t *result);

/* What sums, products and comparisons of floats read and write: registers, and predicates by
 * number. */
struct float_lane {
  uint32_t *registers, *uniform;
  bool *predicates, *uniform_predicates;
  void *context;
  uint32_t (*constant)(void *context, uint32_t bank, uint32_t offset);
};

/* FADD, FMUL, FFMA, FMNMX, FSETP, DADD, DSETP, I2FP and their uniform forms. False: it is none of
 * these. */
bool float_execute(struct float_lane *lane, const char *opcode, const char *operands);

#endif
