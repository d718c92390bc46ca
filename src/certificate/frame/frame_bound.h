/* For the checker of bounds on launches together: what the theorem is asked, and its bound, worked
 * out anew from the proofs of its sums (doc/launches/together.md). */
#ifndef WB_CERTIFICATE_FRAME_FRAME_BOUND_H
#define WB_CERTIFICATE_FRAME_FRAME_BOUND_H

#include "base/arena.h"
#include "certificate/frame/frame_claim.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In place of a number that does not fit. */
#define WB_FRAME_UNKNOWN UINT64_MAX

/* What is known of a launch, in 1 / denominator cycles of all. */
struct wb_frame_known {
  struct wb_check_launch_letters letters;
  uint64_t of[WB_CHECK_LAUNCH_SUM_COUNT]; /* the sums, in the parts of all */
  uint64_t scale;
  uint64_t x, w_x, o, own, again; /* X, w X, O, own, M of the kernel */
  uint64_t serial;
};

/* A step of the graph in question, or beside it; frames in flight are written out. */
struct wb_frame_item {
  const struct wb_check_frame_step *step;
  uint64_t gap;
  uint64_t times, late; /* times 0: of the graph */
  bool memory_alone;    /* a copy of which only the memory counts: nothing waits for engines */
};

struct wb_frame_checker {
  struct wb_arena arena;
  const struct wb_check_frame_claim *claim;
  const struct wb_check_frame_mix *mix;
  uint64_t denominator;
  uint64_t rest;                /* e */
  struct wb_frame_known *known; /* by launch */
  struct wb_frame_item *items;
  size_t count, room;
  bool *earlier; /* by item, by item: the first ends before the second is released */
  uint64_t *e;   /* by item: E */
  size_t first, end;
  uint64_t rho, most;
  bool in[WB_CHECK_FRAME_LAUNCHES]; /* launches of the piece that others may be beside */
  bool same_barriers;
  warpbound_error *error;
};

/* Of two numbers; WB_FRAME_UNKNOWN where the result does not fit. */
uint64_t wb_frame_sum(uint64_t a, uint64_t b);
uint64_t wb_frame_product(uint64_t a, uint64_t b);

/* Cycles in the parts of all launches. */
uint64_t wb_frame_in_parts(const struct wb_frame_checker *checker, uint64_t cycles);

/* The bound on the graph of the items, those beside it included; in 1 / denominator cycles. Sets e
 * of the items. */
uint64_t wb_frame_bound_items(struct wb_frame_checker *checker);

/* The bound on a launch on SMs of its own, `question` a step of the claim. */
uint64_t wb_frame_bound_apart(struct wb_frame_checker *checker, size_t question);

#endif
