/* Random SIMT programs for tests, printed as SASS of sm_52: made from a seed, of any length,
 * shrunk where they fail. */
#ifndef TESTS_CROSS_RANDOM_SIMT_PROGRAM_H
#define TESTS_CROSS_RANDOM_SIMT_PROGRAM_H

#include "base/random.h"
#include "base/status.h"
#include "base/text.h"
#include "model/code.h"
#include "simt_operations.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIMT_NO_GUARD UINT8_MAX

/* guard: a predicate 0 to 6, or SIMT_NO_GUARD. Labels first_label .. + label_count - 1: one for
 * an operation with a target, any for SIMT_BRANCH_INDEXED. */
struct simt_item {
  uint8_t operation;
  uint8_t guard;
  bool negated;
  uint8_t operands[3];
  uint32_t first_label;
  uint32_t label_count;
};

/* labels: by label, the index of the item that it stands before. Free with
 * simt_program_free. */
struct simt_program {
  struct simt_item *items;
  size_t count;
  size_t capacity;
  uint32_t *labels;
  size_t label_count;
  size_t label_capacity;
};

enum simt_form { SIMT_CUOBJDUMP, SIMT_CUOBJDUMP_ENCODED, SIMT_NVDISASM, SIMT_FORM_COUNT };

/* A kernel of about `length` instructions with its subroutines behind it. Most are what a
 * compiler could make, and some of those have jumps that none makes (with tokens that differ
 * where paths join); wild: instructions and targets by chance, with some tokens pushed first.
 * Small ones may end lanes in any way; large ones keep calls rare enough for the calling
 * contexts to stay about as many as instructions. */
struct simt_program simt_program_random(struct wb_random *random, size_t length, bool wild);

/* ---- for the maker ---- */
/* A label that is not placed yet; a label placed before what is added next. */
uint32_t simt_program_label(struct simt_program *program);
void simt_program_place(struct simt_program *program, uint32_t label);
void simt_program_add(struct simt_program *program, struct simt_item item);

/* The listing. SIMT_CUOBJDUMP says nothing of the targets of indexed branches. */
void simt_program_print(const struct simt_program *program, enum simt_form form,
                        struct wb_text *text);

/* Prints it and reads it with the front end. */
warpbound_status simt_program_parse(const struct simt_program *program, enum simt_form form,
                                    struct wb_code *code, warpbound_error *error);

/* The machine code that the front end is to make of it, from simt_operations.c alone. */
void simt_program_lower(const struct simt_program *program, struct wb_code *code);

/* Whether the property under test fails for the program. */
typedef bool simt_program_fails(const struct simt_program *program, void *context);
/* Drops runs of instructions, and guards, as long as the program still fails. */
void simt_program_shrink(struct simt_program *program, simt_program_fails *fails, void *context);

void simt_program_free(struct simt_program *program);

#endif
