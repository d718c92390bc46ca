/* Random SIMT programs for tests, printed as SASS of sm_52: made from a seed, of any length,
 * shrunk where they fail. */
#ifndef TESTS_CROSS_RANDOM_SIMT_PROGRAM_H
#define TESTS_CROSS_RANDOM_SIMT_PROGRAM_H

#include "base/random.h"
#include "base/status.h"
#include "base/text.h"
#include "model/code.h"
#include "random_program.h"
#include "simt_operations.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum simt_form { SIMT_CUOBJDUMP, SIMT_CUOBJDUMP_ENCODED, SIMT_NVDISASM, SIMT_FORM_COUNT };

/* A kernel of about `length` instructions with its subroutines behind it. Most are what a
 * compiler could make, and some of those have jumps that none makes (with tokens that differ
 * where paths join); wild: instructions and targets by chance, with some tokens pushed first.
 * Small ones may end lanes in any way; large ones keep calls rare enough for the calling
 * contexts to stay about as many as instructions. */
struct random_program simt_program_random(struct wb_random *random, size_t length, bool wild);

/* The listing. SIMT_CUOBJDUMP says nothing of the targets of indexed branches. */
void simt_program_print(const struct random_program *program, enum simt_form form,
                        struct wb_text *text);

/* Prints it and reads it with the front end. */
warpbound_status simt_program_parse(const struct random_program *program, enum simt_form form,
                                    struct wb_code *code, warpbound_error *error);

/* The machine code that the front end is to make of it, from simt_operations.c alone. */
void simt_program_lower(const struct random_program *program, struct wb_code *code);

#endif
