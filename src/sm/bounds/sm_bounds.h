/* Bounds on the makespan of a whole SM that need no search, of a problem, or in plain numbers:
 * whoever knows the maxima over the paths of a warp, from strings or from a kernel, has them
 * evaluated here. Proofs: doc/whole-sm.md. */
#ifndef WB_SM_BOUNDS_SM_BOUNDS_H
#define WB_SM_BOUNDS_SM_BOUNDS_H

#include "base/status.h"
#include "model/sm_problem.h"
#include "model/unit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The different phases in the order in which they first stand. The B that ends a phase is an N in
 * it. Where some strings have nothing after their last B, the last phase has the others only; where
 * none has anything, there is none. The strings of a phase differ. Owns all of it. */
struct wb_sm_phases {
  struct wb_sm_problem *problems;
  uint64_t *times; /* by phase: how often it stands in the strings */
  size_t count;
  size_t capacity;
  size_t times_capacity;
};

/* Cuts a problem at its barriers. Of one block, for any strings of its warps, the makespan is the
 * sum of its phases' (doc/whole-sm.md): with one string T is the sum of times[i] * T(problems[i]);
 * with several that sum is an upper bound. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_sm_phases_cut(const struct wb_sm_problem *problem, struct wb_sm_phases *phases,
                                  warpbound_error *error);
void wb_sm_phases_free(struct wb_sm_phases *phases);

/* The machine and the launch, as in struct wb_sm_problem. */
struct wb_sm_launch {
  uint32_t capacity[WB_UNIT_COUNT]; /* WB_UNLIMITED of N and B */
  bool shared[WB_UNIT_COUNT];
  bool used[WB_UNIT_COUNT]; /* some path has an instruction of the type, B among them */
  uint32_t issue_slots;
  uint32_t partitions;
  uint32_t blocks;
  uint32_t block_warps;
};

/* Weights of instructions by type: how long one of them holds another warp up, in parts of a cycle.
 * Invariant: 0 <= outside <= inside <= denominator. */
struct wb_sm_weights {
  uint64_t denominator;            /* parts of a cycle */
  uint64_t inside[WB_UNIT_COUNT];  /* issued in the partition of the warp that waits */
  uint64_t outside[WB_UNIT_COUNT]; /* issued in another partition */
  bool capped;                /* the issue slots of a partition can run out while units are free */
  bool blocks[WB_UNIT_COUNT]; /* the other warps can take all units of the type */
};

/* The largest values that paths of a warp have in one phase (what stands between two barriers, the
 * B that ends it included) or in the whole; each by itself, they may be of several paths. Values
 * may be larger than the true maxima, never smaller. All but the first two are in parts of a cycle,
 * summed over the path's instructions. */
struct wb_sm_work {
  uint64_t length;               /* in instructions */
  uint64_t count[WB_UNIT_COUNT]; /* in instructions of each type */
  uint64_t inside;
  uint64_t outside;
  uint64_t excess; /* inside less outside */
  uint64_t spare;  /* one cycle less inside */
};

/* The weights of a machine. */
struct wb_sm_weights wb_sm_weights_of(const struct wb_sm_launch *launch);

/* The work of one path, or of a phase of it, from its instructions of each type. false: it does
 * not fit in 64 bits. */
bool wb_sm_work_of_counts(const struct wb_sm_weights *weights, const size_t count[WB_UNIT_COUNT],
                          struct wb_sm_work *work);

/* Raises each of the maxima to that of another path. */
void wb_sm_work_raise(struct wb_sm_work *most, const struct wb_sm_work *path);

/* An upper bound, in cycles, on the makespan of every work-conserving schedule in which each warp
 * takes any path. phases: phase_count of them, at least 1, in any order; phase k stands times[k]
 * times in a path (NULL: once each). A last one without any instruction may be left out. whole: of
 * paths from end to end. The least of all bounds of doc/whole-sm.md. Errors:
 * WARPBOUND_INVALID_INPUT where none fits in 64 bits, WARPBOUND_INTERNAL. */
warpbound_status wb_sm_closed_form(const struct wb_sm_launch *launch,
                                   const struct wb_sm_weights *weights,
                                   const struct wb_sm_work *phases, const uint64_t *times,
                                   size_t phase_count, const struct wb_sm_work *whole,
                                   uint64_t *cycles, warpbound_error *error);

/* W * the longest path: in every cycle some warp of the SM issues. Errors:
 * WARPBOUND_INVALID_INPUT (beyond 64 bits). */
warpbound_status wb_sm_serial(const struct wb_sm_launch *launch, uint64_t longest, uint64_t *cycles,
                              warpbound_error *error);

/* In cycles, for warps of which each may run any of the strings. */
struct wb_sm_bounds {
  uint64_t serial;      /* from above: W * the longest string */
  uint64_t closed_form; /* from above: that of wb_sm_closed_form */
  uint64_t phases;      /* from above: the sum of the least bounds of each phase, where there is one
                           block and a barrier; else 0 */
  uint64_t upper;       /* the least of these */
  uint64_t lower;       /* from below: what some strings take at least under every schedule */
};

/* The machine and launch of a problem, and the types that its strings use. */
struct wb_sm_launch wb_sm_launch_of(const struct wb_sm_problem *problem);

/* Errors: WARPBOUND_INVALID_INPUT (beyond 64 bits), WARPBOUND_INTERNAL. */
warpbound_status wb_sm_bounds_find(const struct wb_sm_problem *problem, struct wb_sm_bounds *bounds,
                                   warpbound_error *error);

#endif
