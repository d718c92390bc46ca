/* Launches of several kernels on the same SMs: the theorem of doc/launches/together.md, from sums
 * over the paths of one warp of each kernel to a bound on the time of a graph of launches, copies
 * and work of the host, beside launches that no order holds back. */
#ifndef WB_LAUNCH_TOGETHER_TOGETHER_H
#define WB_LAUNCH_TOGETHER_TOGETHER_H

#include "base/status.h"
#include "launch/together/block_costs.h"
#include "launch/together/mixes.h"
#include "model/timed_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WB_TOGETHER_STEPS 512
#define WB_TOGETHER_ENGINES 8

enum wb_together_kind {
  WB_STEP_LAUNCH, /* of a kernel */
  WB_STEP_COPY,   /* takes an engine for its cycles, one at a time */
  WB_STEP_WAIT    /* takes its cycles, whatever else goes on */
};

/* A step of the graph. It is released when all that it comes after has ended, and at most `gap`
 * cycles have passed. A step beside the graph comes after nothing, and nothing after it. */
struct wb_together_step {
  enum wb_together_kind kind;
  uint32_t kernel; /* of a launch */
  uint64_t gap;    /* cycles, at most */
  uint64_t cycles; /* of others than launches: at most */
  uint64_t memory; /* of copies: cycles for which all servers of the memory serve it, at most */
  uint32_t engine; /* of a copy, below WB_TOGETHER_ENGINES */
  const uint32_t *after; /* steps with lower numbers */
  size_t after_count;
  uint64_t times; /* 0: of the graph, once. Else beside it: so many may be under way meanwhile, */
  uint64_t late;  /* of which so many may be released after its begin */
};

/* Borrows all that it points to. */
struct wb_together_question {
  const struct wb_together_kernel *kernels;
  const struct wb_mixes *mixes; /* of the same kernels, with each size of the shared memory */
  size_t mix_count;             /* at least 1 */
  const struct wb_together_step *steps;
  size_t step_count;
  uint32_t foreign_share, foreign_burst; /* of the memory by others, as of wb_launch_shape */
};

/* What a bound is made of: numerators over its denominator. */
enum wb_together_part {
  WB_TOGETHER_ALONE,   /* pieces with one launch alone: theorem 2 */
  WB_TOGETHER_PATH,    /* the longest path: own steps of a block and its warps, gaps, copies */
  WB_TOGETHER_WAITING, /* blocks that wait for room: the mean over slots and SMs */
  WB_TOGETHER_BESIDE,  /* blocks beside those of the path, E */
  WB_TOGETHER_THERE,   /* blocks that are there when a launch is released, F */
  WB_TOGETHER_GPU,     /* what the whole GPU shares, dispatcher included */
  WB_TOGETHER_COPIES,  /* the memory that copies hold, and copies that wait for an engine */
  WB_TOGETHER_COLD,    /* what launches fetch once */
  WB_TOGETHER_SERIAL,  /* one step or service after the other, where nothing less is known */
  WB_TOGETHER_FOREIGN,
  WB_TOGETHER_FLOOR, /* less the fraction that is cut off */
  WB_TOGETHER_PART_COUNT
};

struct wb_together_bound {
  uint64_t cycles;
  uint64_t denominator;
  int64_t part[WB_TOGETHER_PART_COUNT]; /* they add up to cycles * denominator */
  size_t pieces;                        /* that come one after the other */
  uint64_t least_full;                  /* rho of the last piece with several launches; 0: none */
  size_t mix;                           /* with which that piece is the greatest; 0: none */
  /* By step: */
  bool critical[WB_TOGETHER_STEPS];   /* on a longest path of its piece, as drawn */
  uint64_t weight[WB_TOGETHER_STEPS]; /* what it adds to a path, in cycles, rounded up */
  uint64_t slack[WB_TOGETHER_STEPS];  /* by how many cycles it could add more before the longest
                                         path grew, rounded down */
  uint32_t piece[WB_TOGETHER_STEPS];
};

/* Errors: WARPBOUND_INVALID_INPUT where a number does not fit into 64 bits, a step comes after one
 * of a higher number, or a kernel's terms are with kept data. Cube of the steps, and what the
 * mixes take for each pair of kernels. */
warpbound_status wb_together_evaluate(const struct wb_together_question *question,
                                      struct wb_together_bound *bound, warpbound_error *error);

/* "launches alone", "longest path", ... */
const char *wb_together_part_name(enum wb_together_part part);

#endif
