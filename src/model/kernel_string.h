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

#endif
