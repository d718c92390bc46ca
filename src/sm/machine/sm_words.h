/* What warps may have left of their strings: the states of one warp, for searches that let a warp
 * run any string of several without trying them one by one. */
#ifndef WB_SM_MACHINE_SM_WORDS_H
#define WB_SM_MACHINE_SM_WORDS_H

#include "base/status.h"
#include "model/sm_problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most letters of all strings together. */
#define WB_SM_LETTER_LIMIT ((size_t)1 << 22)

/* A class is a set of ends of strings that begin with the same letter: what a warp may still do
 * whose next instruction is settled, and what comes after it is not. Strings that go on alike are
 * told apart only where they part, and ends that are alike are one. Class 0: nothing is left.
 * Of class c: type[c] of its next instruction (WB_UNIT_COUNT: none), height[c] instructions of its
 * longest end, barriers[c] of each, and children[first[c] .. first[c + 1] - 1]: the classes that
 * it may go on with; a child's height is less. starts[from[s] .. from[s + 1] - 1]: the classes
 * that a warp of string s begins with, or, where any string may be taken, of from[0] all.
 * Owns its arrays. */
struct wb_sm_words {
  size_t count;
  uint8_t *type;
  uint32_t *height;
  uint32_t *barriers;
  uint32_t *first;
  uint32_t *children;
  uint32_t *starts;
  size_t *from;
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
