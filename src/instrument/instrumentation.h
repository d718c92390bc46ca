/* Instrumentation: a kernel's PTX with probes that keep the longest time of each transition from
 * point to point. */
#ifndef WB_INSTRUMENT_INSTRUMENTATION_H
#define WB_INSTRUMENT_INSTRUMENTATION_H

#include "base/text.h"
#include "instrument/points.h"

/* The name of the .file whose lines are the points. */
#define WB_POINTS_FILE "warpbound-points"

/* The name of the .file of all instructions of probes but the read of the clock that is the point.
 */
#define WB_PROBES_FILE "warpbound-probes"

/* Text that is put into the listing before a byte of it. */
struct wb_insertion {
  size_t offset;
  struct wb_text text;
};

/* Owned; free with wb_instrumentation_free. Invariants: insertions ascend by offset; text is the
 * listing with them. */
struct wb_instrumentation {
  struct wb_arena arena; /* of kernel, points and graph */
  char *kernel;          /* its mangled name */
  struct wb_points points;
  struct wb_point_graph graph;
  struct wb_insertion *insertions;
  size_t insertion_count;
  size_t insertion_capacity;
  struct wb_text text;
  uint64_t checksum; /* FNV-1a of the text, 64 bits */
};

/* Instruments one kernel; kernel NULL: the only one. The listing stays as it is but for insertions.
 * Errors: those of wb_ptx_parse but for opcodes that the table lacks, of wb_points_choose and
 * wb_point_graph_make; WARPBOUND_INVALID_INPUT for a text that was instrumented before. The time is
 * theirs, the memory linear in the length of both texts. */
warpbound_status wb_instrument(const char *name, const char *text, size_t length,
                               const char *kernel, const struct wb_point_options *options,
                               struct wb_instrumentation *made, warpbound_error *error);
void wb_instrumentation_free(struct wb_instrumentation *made);

#endif
