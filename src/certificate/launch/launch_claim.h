/* The claim that a launch file makes: an upper bound on the time of a whole launch, with the proofs
 * that it rests on (doc/launch.md, "Certificates"). */
#ifndef WB_CERTIFICATE_LAUNCH_LAUNCH_CLAIM_H
#define WB_CERTIFICATE_LAUNCH_LAUNCH_CLAIM_H

#include "base/status.h"
#include "model/flow_system.h"
#include "model/timed_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The sums over paths, by the letters of doc/launch.md. The numbers are those of the file. */
enum wb_check_launch_sum {
  WB_CHECK_LAUNCH_ALONE_OWN,
  WB_CHECK_LAUNCH_ALONE_PARTITION,
  WB_CHECK_LAUNCH_ALONE_OTHERS,
  WB_CHECK_LAUNCH_OWN,
  WB_CHECK_LAUNCH_PARTITION,
  WB_CHECK_LAUNCH_OTHERS,
  WB_CHECK_LAUNCH_UNITS,
  WB_CHECK_LAUNCH_PHASE_UNITS,
  WB_CHECK_LAUNCH_GPU,
  WB_CHECK_LAUNCH_TOTAL,
  WB_CHECK_LAUNCH_BARRIERS, /* barriers of a path: f - 1, where phases are not told apart */
  WB_CHECK_LAUNCH_BLOCK,    /* A + (w_P - 1) X + (w - w_P) Y of one path, of all phases: where all
                               warps of a block take the same */
  WB_CHECK_LAUNCH_ONE_PATH, /* of one path, of all phases: the sums that launch_times names */
  WB_CHECK_LAUNCH_SUM_COUNT
};

/* In place of one phase: all nodes of a path; of a path that several warps share, by the limits
 * that such paths keep alone; of the stretch of a path from its begin, or a barrier, to the next
 * one or its end (certificate/launch/launch_stretches.h). */
#define WB_CHECK_LAUNCH_ALL_PHASES UINT32_MAX
#define WB_CHECK_LAUNCH_COMPOSITE (UINT32_MAX - 1)
#define WB_CHECK_LAUNCH_STRETCH (UINT32_MAX - 2)

/* A proof (wb_check_flow_bound) of a maximum. Borrows its arrays. */
struct wb_check_launch_maximum {
  enum wb_check_launch_sum sum;
  uint32_t phase;
  int64_t scale;            /* at least 1: prices and potentials are in 1 / scale units */
  const int64_t *price;     /* by limit, at least 0 */
  const int64_t *potential; /* by port; of a walk: by node. Of stretches one more, the last */
};

/* What may still keep a warp at a node's begin, in cycles after the time that its own steps have
 * taken so far: an invariant that the checker shows to be inductive (doc/warp-timing.md). In 1 / D
 * cycles, where D is the least common multiple of the servers of all resources. */
struct wb_check_launch_pending {
  uint64_t scoreboard[WB_SCOREBOARD_COUNT];
  uint64_t service[WB_RESOURCE_LIMIT];
  uint64_t end;
  uint64_t stay; /* until the warp needs its SM no more */
};

/* Borrows all that it points to. */
struct wb_check_launch_claim {
  struct wb_flow_system system; /* the graph of the paths and its limits; its cycles mean nothing */
  const uint32_t *first, *last; /* by node: its instructions; first > last: none */
  const bool *interleaved; /* by node: other groups of lanes may run between its instructions, or
                              wait meanwhile; NULL: at no node */
  const bool *ends;        /* by node: a lane may end there; NULL: at any node. Of a walk it is the
                              system that says so. */
  const bool *local;       /* by limit: it holds of the stretch of a path between any two barriers;
                              NULL: of none */
  const bool *common; /* by limit: all warps of a block take its edges equally often between any
                         two barriers; NULL: of none */
  bool early_ends; /* warps may end before barriers that others of their block pass, and that then
                      wait for the rest: each phase is of those that come to it. Where phases are
                      not told apart, all warps that pass some barrier pass the same ones. */
  uint32_t partition_warps; /* most warps that a partition holds; 0: not said */
  bool as_many;     /* all warps of a block pass as many barriers, of the same numbers in the same
                       order, or with early_ends the first ones of these: sums are of whole paths */
  bool groups;      /* with as_many: that holds of the warps of each group of the block, and some
                       barriers wait for those of a group alone */
  bool same_path;   /* all warps of a block take one path */
  bool launch_path; /* all warps of the launch do; its proof has each sum so often: */
  uint64_t launch_times[WB_CHECK_LAUNCH_SUM_COUNT];
  struct wb_timed_code code;
  struct wb_launch_shape shape;
  const uint32_t *other_residents; /* what resident_blocks of the shape may be as well */
  size_t other_resident_count;
  const struct wb_check_launch_pending *pending; /* by node */
  const uint64_t *advance; /* by edge: what it pays of later waits, in the units of pending, at most
                              INT64_MAX; NULL: nothing */
  const struct wb_check_launch_maximum *maxima;
  size_t maximum_count;
  uint64_t cycles; /* the bound that is claimed */
};

/* The names that files have: "alone-own", "own", ... */
const char *wb_check_launch_sum_name(enum wb_check_launch_sum sum);

/* ---- the check (launch_check.c) ---- */

/* The result of a check that passed. */
struct wb_check_launch_verdict {
  uint64_t cycles;    /* the bound that follows: at most the claim's */
  bool same_barriers; /* it holds provided that all warps of a block pass the same barriers in the
                         same order, which the system does not show */
};

/* Checks a claim, whose arrays have the lengths that their comments say. WARPBOUND_OK sets
 * *verdict. Errors: WARPBOUND_CHECK_FAILED with the first violation (an overflow is one, and
 * so is a wrong proof of a maximum that some formula can use), WARPBOUND_INTERNAL. Linear in the
 * claim; where phases are not told apart, barriers times the system for each limit with a price. */
warpbound_status wb_check_launch(const struct wb_check_launch_claim *claim,
                                 struct wb_check_launch_verdict *verdict, warpbound_error *error);

/* ---- the sums alone (launch_check.c), for claims about several launches ---- */

/* The sums that a claim's proofs show, in 1 / denominator cycles; UINT64_MAX: not known. */
struct wb_check_launch_letters {
  uint64_t denominator;
  uint64_t sum[WB_CHECK_LAUNCH_SUM_COUNT];
  uint64_t phases;
  uint64_t longest_unit; /* e, in cycles: 0 where no path has a barrier */
  uint64_t after;        /* end - stay: of the own steps, what is after a block has left its SM */
  bool same_barriers;    /* as of the verdict */
  bool as_many;          /* as of the claim */
};

/* What the claim says of cycles does not count. Errors: those of wb_check_launch. */
warpbound_status wb_check_launch_letters(const struct wb_check_launch_claim *claim,
                                         struct wb_check_launch_letters *letters,
                                         warpbound_error *error);

/* The bound on the claim's launch alone with so many resident blocks, from its letters, without
 * kept data and without foreign traffic; UINT64_MAX where none follows. */
uint64_t wb_check_launch_alone(const struct wb_check_launch_claim *claim,
                               const struct wb_check_launch_letters *letters, uint32_t resident);

#endif
