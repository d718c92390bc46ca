/* Series of measured times while a file is read: values by the names of their groups. */
#ifndef WB_FORMATS_SAMPLES_SERIES_BUILDER_H
#define WB_FORMATS_SAMPLES_SERIES_BUILDER_H

#include "base/hash_table.h"
#include "base/status.h"
#include "evt/samples/samples.h"

/* Most series of a file: runs or kernels, not a number of each measurement. */
#define WB_SERIES_LIMIT 10000

/* Zero-initialise but for samples, which is borrowed; free with wb_series_builder_free. */
struct wb_series_builder {
  struct wb_samples *samples;
  struct wb_hash_table by_name;
  size_t last;  /* the series that was asked for last */
  size_t total; /* values */
};

/* The place of the series of a name, which ends at a zero in it and is made where it is new.
 * Errors, without a place: WARPBOUND_INVALID_INPUT (more than WB_SERIES_LIMIT), WARPBOUND_INTERNAL.
 */
warpbound_status wb_series_find(struct wb_series_builder *builder, const char *name, size_t length,
                                size_t *place, warpbound_error *error);

/* Appends a value, finite and at least 0. Errors, without a place: WARPBOUND_INVALID_INPUT (more
 * than WB_SAMPLES_LIMIT), WARPBOUND_INTERNAL. */
warpbound_status wb_series_add(struct wb_series_builder *builder, size_t place, double value,
                               warpbound_error *error);

void wb_series_builder_free(struct wb_series_builder *builder);

#endif
