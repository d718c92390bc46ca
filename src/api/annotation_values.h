/* Annotations of the public header: values of parameters and of constant memory. */
#ifndef WB_API_ANNOTATION_VALUES_H
#define WB_API_ANNOTATION_VALUES_H

#include "analysis/code/annotations.h"
#include "base/status.h"

/* Checks the lists of parameters and constants, without looking at any kernel. Errors:
 * WARPBOUND_USAGE. */
warpbound_status wb_annotation_values_check(const warpbound_annotation_options *options,
                                            warpbound_error *error);

/* Annotations being made. */
struct wb_annotation_maker {
  const warpbound_annotation_options *options;
  struct warpbound_annotations *annotations;
  warpbound_error *error;
};

/* The next function from *first on that the launch can be of, or NULL; moves *first after it. */
const struct wb_function *wb_annotated_function(const struct wb_annotation_maker *maker,
                                                size_t *first);

/* Sets the values of parameters and constants of the launch, whose sizes are there already. The
 * words of entries that do not yield come first, for the first word of a place holds. Errors:
 * WARPBOUND_USAGE (a name or an offset that no kernel has, a value that does not fit, two values of
 * one place), WARPBOUND_INTERNAL. */
warpbound_status wb_annotation_values_set(const struct wb_annotation_maker *maker);

#endif
