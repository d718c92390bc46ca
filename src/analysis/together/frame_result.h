/* Bounds on launches together: frames, which are graphs of launches, copies and work of the host,
 * and launches beside each other (doc/launches/together.md). */
#ifndef WB_ANALYSIS_TOGETHER_FRAME_RESULT_H
#define WB_ANALYSIS_TOGETHER_FRAME_RESULT_H

#include "analysis/launch/launch_result.h"
#include "base/arena.h"
#include "base/list.h"
#include "base/status.h"
#include "base/text.h"
#include "launch/together/apart.h"
#include "launch/together/together.h"
#include "warpbound.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wb_frame_launch {
  const char *name;
  const struct wb_launch_analysis *analysis; /* borrowed */
};

/* Borrows all that it points to. */
struct wb_frame_question {
  const struct wb_frame_launch *launches;
  size_t launch_count;
  const warpbound_step *steps;
  size_t step_count;
  const warpbound_frame_options *options;
};

/* A step with its numbers in cycles. */
struct wb_frame_row {
  const char *name;
  const char *stream; /* NULL: none */
  warpbound_step_kind kind;
  size_t launch;
  bool beside;
  uint64_t gap;
  uint64_t cycles;         /* of others than launches */
  uint64_t memory;         /* of copies */
  uint64_t period;         /* of one beside; 0: once */
  uint64_t response;       /* of one beside: the bound from its release */
  uint64_t response_lower; /* that some run takes from its release; 0: none is known */
  uint64_t weight;         /* of the graph: what it adds to a path */
  uint64_t slack;
  uint64_t begin; /* the longest path up to it, of the last frame */
  bool critical;
  uint32_t piece;
  uint32_t *after; /* all steps of the graph that it comes right after */
  size_t after_count;
};

/* A run of the simulator: what it needs to be done again. */
struct wb_frame_run {
  enum wb_launch_policy policy;
  uint64_t seed, laggards;
  size_t mix;     /* the size of shared memory */
  uint64_t begin; /* of the graph */
  uint64_t at;    /* the seed of when launches beside it are released; 0: all at its begin */
};

struct wb_frame {
  struct wb_arena arena; /* owns arrays and texts */
  struct wb_frame_launch *launches;
  size_t launch_count;
  struct wb_frame_row *rows;
  size_t row_count;
  bool has_graph, own_sms;
  uint64_t clock;            /* Hz */
  uint64_t period, deadline; /* cycles; 0: none */
  uint32_t in_flight, most_in_flight;
  struct wb_together_bound bound; /* of the graph */
  uint64_t shared_memory;         /* of an SM, with which it is the greatest */
  warpbound_kind upper_kind, lower_kind;
  struct wb_estimate estimate; /* of the upper end */
  struct wb_estimate lower_estimate;
  uint64_t lower;
  uint64_t simulated; /* the longest run of the graph that was simulated, or, without a graph, the
                         longest run of a launch in it; 0: none */
  struct wb_frame_run run; /* that one */
  struct wb_list assumptions;
  struct wb_together_kernel *kernels; /* by launch */
  struct wb_mixes *mixes; /* by size of the shared memory of an SM that holds each kernel's block */
  size_t size_count;
};

/* Errors: those of warpbound_frame_analyse; *frame is then empty. */
warpbound_status wb_frame_analyse(const struct wb_frame_question *question, struct wb_frame *frame,
                                  warpbound_error *error);
void wb_frame_free(struct wb_frame *frame);

/* Writes what proves the bounds, for wb_check_frame. Errors: WARPBOUND_INTERNAL (memory). The
 * caller checks text->failed. */
warpbound_status wb_frame_certificate(const struct wb_frame *frame, struct wb_text *text,
                                      warpbound_error *error);

#endif
