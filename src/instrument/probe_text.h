/* The PTX of probes: what reads the clock and keeps the times of transitions. */
#ifndef WB_INSTRUMENT_PROBE_TEXT_H
#define WB_INSTRUMENT_PROBE_TEXT_H

#include "base/text.h"
#include "instrument/kernel_text.h"
#include "instrument/points.h"

/* Bytes of a row of one warp: the longest time of each lane, then the count of each lane, words of
 * 32 bits. */
#define WB_ROW_BYTES 256
#define WB_ROW_COUNTS 128 /* where the counts begin */

/* What all probes of a text share. */
struct wb_probe_style {
  char prefix[32];      /* of all names that are added */
  bool wide;            /* addresses have 64 bits */
  bool wide_clock;      /* %clock64; else %clock, and times modulo 2^32 */
  bool wide_numbers;    /* of threads and blocks: 32 bits (PTX 2.0); else 16 */
  bool reductions;      /* red; else load and store, which suffice: a lane has its own words */
  uint32_t points_file; /* number of the .file whose lines are the points; the next one is that of
                         * the other lines of probes */
  uint32_t row_count;
  const struct wb_point_graph *graph;
};

struct wb_probe_style wb_probe_style_of(const struct wb_kernel_text *text, uint64_t prefix,
                                        const struct wb_point_graph *graph);

/* The variables of the module that the host program knows (doc/measured/instrument.md). */
void wb_probe_variables(struct wb_text *to, const struct wb_probe_style *style);

/* Registers, the row of this thread, the two calibrations, and the start. */
void wb_probe_start(struct wb_text *to, const struct wb_probe_style *style);

/* A place, after which the thread goes on. */
void wb_probe_place(struct wb_text *to, const struct wb_probe_style *style, uint32_t point);

/* An end, before an exit that may have a guard, which `text` names. */
void wb_probe_end(struct wb_text *to, const struct wb_probe_style *style, const char *text,
                  const struct wb_instruction_place *exit);

#endif
