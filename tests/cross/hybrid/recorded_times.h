/* Measured times of executions of the oracle with known costs, for tests of the WCET from times. */
#ifndef TESTS_CROSS_RECORDED_TIMES_H
#define TESTS_CROSS_RECORDED_TIMES_H

#include "cfg/interpreter/groups/group_interpreter.h"
#include "cfg/interpreter/simt_interpreter.h"
#include "cfg/warp_graph/warp_graph.h"
#include "formats/times/times_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORDED_LANES 32

enum recorded_kind {
  RECORD_BLOCKS, /* whole blocks; a lane's clock runs while its group does */
  RECORD_WARP,   /* segments of the warp, whichever lanes run */
  RECORD_LANES,  /* segments of lanes; the clock is the warp's */
  RECORD_EACH    /* the same with the counts of the lane that has most, as instrumented code has */
};

/* The cells of one run: by from and to. */
struct recorded_cell {
  int64_t cycles; /* the longest */
  int64_t count;  /* 0: none */
};

struct recorded_times {
  enum recorded_kind kind;
  const struct wb_function *function; /* borrowed, as are the costs */
  const int64_t *cycles;
  uint32_t *place_of;    /* by instruction: its place; UINT32_MAX: none */
  uint32_t *block_last;  /* by instruction that begins a block */
  uint32_t *instruction; /* by place */
  size_t place_count;
  struct recorded_cell *cells; /* from * (places + 1) + to; from = places: the start, to: the end */
  uint32_t *lane_counts;       /* of RECORD_EACH: by cell * RECORDED_LANES + lane; else NULL */
  struct wb_times times;       /* of all runs that were kept */
  int64_t longest;             /* whole run */

  /* one run; by lane, of RECORD_WARP lane 0 alone */
  int64_t clock;
  uint32_t live;
  uint64_t event; /* passes of points so far */
  uint32_t last[RECORDED_LANES];
  int64_t last_time[RECORDED_LANES];
  uint64_t last_event[RECORDED_LANES];
  int64_t lane_clock[RECORDED_LANES];
};

/* points: by instruction, whether it is one; NULL: the first instructions of the united graph's
 * blocks. Of whole blocks it is NULL. */
void recorded_times_start(struct recorded_times *recorded, enum recorded_kind kind,
                          const struct wb_warp_graph *united, const int64_t *cycles,
                          const bool *points);
/* Before each run. */
void recorded_times_reset(struct recorded_times *recorded);
/* An instruction of lanes that are at it, while `live` ones have not ended. */
void recorded_times_step(struct recorded_times *recorded, uint32_t instruction, uint32_t active,
                         uint32_t live);
/* The run has ended: its rows are kept. whole: also that of the whole run. */
void recorded_times_keep(struct recorded_times *recorded, uint64_t run, bool whole);
/* After all runs: rows that say of each place that it is a point, also where no run came. */
void recorded_times_declare(struct recorded_times *recorded);
void recorded_times_free(struct recorded_times *recorded);

#endif
