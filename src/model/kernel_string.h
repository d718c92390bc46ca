/* Kernel instruction strings: the unit types that each warp uses, in order. */
#ifndef WB_MODEL_KERNEL_STRING_H
#define WB_MODEL_KERNEL_STRING_H

#include "base/status.h"
#include "base/text.h"
#include "model/unit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most instructions of a string that a person gives or a kernel yields, and of
 * one after normalisation. */
#define WB_STRING_LIMIT ((size_t)1000000)
#define WB_NORMALISED_LIMIT ((size_t)64000000)

/* A maximal stretch of one type. */
struct wb_run {
  enum wb_unit unit;
  size_t length;
};

/* Invariant: runs are maximal (neighbours differ) and not empty; length is the
 * sum of their lengths and count[u] that of the runs of type u. Owns runs. */
struct wb_kernel_string {
  struct wb_run *runs;
  size_t run_count;
  size_t run_capacity;
  size_t length;
  size_t count[WB_UNIT_COUNT];
};

/* Parses letters with optional counts before them: "5L9C2L9C", "LLCLL". Blanks
 * between are allowed. Errors begin with `what` (NULL: "string"; "": nothing) and the
 * character, as "string, character 8: "; it is the error's column too. The caller
 * frees with wb_kernel_string_free. */
warpbound_status wb_kernel_string_parse(const char *text, const char *what,
                                        struct wb_kernel_string *string, warpbound_error *error);

/* Appends `length` instructions of a type; fails with WARPBOUND_INVALID_INPUT
 * beyond `limit` instructions. */
warpbound_status wb_kernel_string_append(struct wb_kernel_string *string, enum wb_unit unit,
                                         size_t length, size_t limit, warpbound_error *error);

/* Leaves the first `length` instructions, at most those that it has. */
void wb_kernel_string_shorten(struct wb_kernel_string *string, size_t length);

/* Writes the string with counts, "5L9C2L9C"; a count of 1 is left out. */
void wb_kernel_string_write(const struct wb_kernel_string *string, struct wb_text *text);

/* The type of every instruction, one byte (enum wb_unit) each; NULL where memory
 * is out. The caller frees. */
uint8_t *wb_kernel_string_expand(const struct wb_kernel_string *string);

/* Whether both have the same instructions in the same order. Linear in the runs. */
bool wb_kernel_string_equal(const struct wb_kernel_string *left,
                            const struct wb_kernel_string *right);

warpbound_status wb_kernel_string_copy(const struct wb_kernel_string *from,
                                       struct wb_kernel_string *to, warpbound_error *error);
void wb_kernel_string_free(struct wb_kernel_string *string);

/* ---- fairness between the repetitions of a sub-block: a part of the string that stands there
 * several times in a row, and the rule that instructions of an earlier repetition go first ---- */

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
