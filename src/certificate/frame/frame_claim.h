/* The claim that a frame file makes: bounds on launches together, with the proofs of their sums
 * (doc/launches/together.md). */
#ifndef WB_CERTIFICATE_FRAME_FRAME_CLAIM_H
#define WB_CERTIFICATE_FRAME_FRAME_CLAIM_H

#include "base/status.h"
#include "certificate/launch/launch_claim.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WB_CHECK_FRAME_LAUNCHES 64
#define WB_CHECK_FRAME_ROOMS 8
#define WB_CHECK_FRAME_STEPS 512
#define WB_CHECK_FRAME_SIZES 64
#define WB_CHECK_FRAME_FLIGHTS 64

/* What an SM has of something, and what a block of each launch takes of it. */
struct wb_check_frame_room {
  uint64_t capacity;
  const uint64_t *size; /* by launch, at most the capacity */
  bool of_partition;    /* what one partition has, and can be asked for: sizes need not add up */
};

/* One size of the shared memory of SMs. */
struct wb_check_frame_mix {
  const uint64_t *most; /* by launch: blocks of it alone on an SM, at least 1 */
  struct wb_check_frame_room rooms[WB_CHECK_FRAME_ROOMS];
  size_t room_count;
};

/* A step; a launch or a copy, which has an engine. Times are in cycles. */
struct wb_check_frame_step {
  bool copy;
  uint32_t launch; /* of a launch */
  uint64_t gap;
  uint64_t cycles, memory; /* of a copy */
  uint32_t engine;         /* below 16 */
  const uint32_t *after;   /* steps before it, of the frame */
  size_t after_count;
  uint32_t stream; /* 0: none */
  bool beside;
  uint64_t period;   /* of one beside; 0: once */
  uint64_t response; /* of one beside: the bound that is claimed for it */
};

/* Borrows all that it points to. */
struct wb_check_frame_claim {
  const struct wb_check_launch_claim *launches; /* what they claim themselves does not count */
  size_t launch_count;
  const struct wb_check_frame_mix *mixes; /* the claim is about each; of own SMs: none */
  size_t mix_count;
  const struct wb_check_frame_step *steps;
  size_t step_count;
  bool own_sms;       /* all steps are launches beside each other, each once */
  uint64_t period;    /* of the frame; 0: once */
  uint32_t in_flight; /* frames under way at a time, at least 1 */
  uint64_t cycles;    /* the bound of the frame; without a step of it 0 */
};

struct wb_check_frame_verdict {
  uint64_t cycles; /* that follow; at most the claim's */
  bool same_barriers;
};

/* Checks all bounds of the claim, each of which may rest on the others: that of the frame, and of
 * each step beside it. Errors: WARPBOUND_CHECK_FAILED with the first violation, WARPBOUND_INTERNAL.
 */
warpbound_status wb_check_frame(const struct wb_check_frame_claim *claim,
                                struct wb_check_frame_verdict *verdict, warpbound_error *error);

#endif
