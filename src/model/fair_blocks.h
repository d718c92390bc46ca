/* Fairness between the repetitions of a sub-block: a part of the string that stands there
 * several times in a row, and the rule that instructions of an earlier repetition go first. */
#ifndef WB_MODEL_FAIR_BLOCKS_H
#define WB_MODEL_FAIR_BLOCKS_H

#include "base/status.h"
#include "model/kernel_string.h"

#include <stddef.h>

/* Instructions first .. first + length * count - 1 of a string are `count` repetitions of a
 * sub-block. A zeroed struct: no fairness. Invariant where count > 0: all of it lies within the
 * string, and its repetitions are the same letters. */
struct wb_fair_blocks {
  size_t first;  /* from 1 */
  size_t length; /* of the sub-block, in instructions */
  size_t count;  /* repetitions */
};

/* The repetition, 1 .. count, of the instruction at `position` (from 0); 0 before the blocks,
 * count + 1 after them. 0 for all where there is no fairness. */
static inline size_t wb_fair_repetition(const struct wb_fair_blocks *blocks, size_t position)
{
  if (blocks->count == 0 || position + 1 < blocks->first)
    return 0;
  size_t block = (position + 1 - blocks->first) / blocks->length;
  return (block < blocks->count ? block : blocks->count) + 1;
}

/* The positions *from .. *to - 1 of a string of `length` instructions that are of the same
 * repetition as `position`. */
void wb_fair_stretch(const struct wb_fair_blocks *blocks, size_t length, size_t position,
                     size_t *from, size_t *to);

/* Reads "FIRST,LENGTH,COUNT". Errors, here and below, begin with "--fair-blocks: ":
 * WARPBOUND_USAGE. */
warpbound_status wb_fair_blocks_parse(const char *text, struct wb_fair_blocks *blocks,
                                      warpbound_error *error);

/* Checks the invariant for a string. Errors: WARPBOUND_USAGE, WARPBOUND_INTERNAL. */
warpbound_status wb_fair_blocks_check(const struct wb_fair_blocks *blocks,
                                      const struct wb_kernel_string *string,
                                      warpbound_error *error);

/* The same blocks of a string in which each letter of type u is repeated times[u] times. The
 * letters of one instruction are of one repetition. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_fair_blocks_repeat(const struct wb_fair_blocks *blocks,
                                       const struct wb_kernel_string *string,
                                       const size_t times[WB_UNIT_COUNT],
                                       struct wb_fair_blocks *repeated, warpbound_error *error);

#endif
