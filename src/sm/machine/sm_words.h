/* The states of one warp, its ends of strings, for searches that let a warp run any string of
 * several without trying them one by one. */
#ifndef WB_SM_MACHINE_SM_WORDS_H
#define WB_SM_MACHINE_SM_WORDS_H

#include "base/arena.h"
#include "base/status.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most letters of all strings together. */
#define WB_SM_LETTER_LIMIT ((size_t)1 << 22)

/* A class is a set of ends of strings that begin with the same letter: what a warp may still do
 * whose next instruction is settled, and what comes after it is not. Strings that go on alike are
 * told apart only where they part, and ends that are alike are one. Invariant: a child's height is
 * less than its parent's; class 0 has nothing left. Owns its arrays. */
struct wb_sm_words {
  size_t count;       /* classes */
  uint8_t *type;      /* by class: of its next instruction; WB_UNIT_COUNT: none */
  uint32_t *height;   /* by class: instructions of its longest end */
  uint32_t *barriers; /* by class: of each of its ends */
  uint32_t *first;    /* by class and the end: where its children begin */
  uint32_t *children; /* the classes that a class may go on with */
  uint32_t *starts;   /* the classes that a warp begins with */
  size_t *from;       /* by string, or, where any string may be taken, of all: where these begin */
  struct wb_arena arena; /* of the arrays */
};

/* The letters of all strings. */
size_t wb_sm_words_letters(const struct wb_sm_problem *problem);

/* any: each warp may run any string; else its string is known. At most WB_SM_LETTER_LIMIT letters
 * (asserted). Deterministic. Free with wb_sm_words_free, failed or not. Errors:
 * WARPBOUND_INTERNAL. */
warpbound_status wb_sm_words_start(struct wb_sm_words *words, const struct wb_sm_problem *problem,
                                   bool any, warpbound_error *error);
void wb_sm_words_free(struct wb_sm_words *words);

#endif
