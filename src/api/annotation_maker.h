/* The making of annotations (api/annotations.c): what its parts share. */
#ifndef WB_API_ANNOTATION_MAKER_H
#define WB_API_ANNOTATION_MAKER_H

#include "analysis/code/module.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The largest offset in a bank of constant memory. */
#define WB_BANK_OFFSET_LIMIT UINT32_C(0xffff)

struct wb_known_word;

/* Annotations being made. Owns the words. */
struct wb_annotation_maker {
  const warpbound_annotation_options *options;
  struct warpbound_annotations *annotations;
  struct wb_known_word *words;
  size_t word_count, word_capacity;
  warpbound_error *error;
};

/* The next function from *first on that the launch can be of, or NULL; moves *first after it. */
const struct wb_function *wb_annotated_function(const struct wb_annotation_maker *maker,
                                                size_t *first);

/* Whether a value fits into `size` bytes, 1 to 8, as a number with a sign or without. */
bool wb_value_fits(uint64_t value, unsigned size);

/* Sets the values of parameters and constants of the launch, whose sizes and names of parameters
 * are there already. Errors: WARPBOUND_USAGE (a name or an offset that no kernel has, a value that
 * does not fit, two values of one place), WARPBOUND_INTERNAL. */
warpbound_status wb_set_known_values(struct wb_annotation_maker *maker);

#endif
