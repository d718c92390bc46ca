/* The independent checker of bounds over all paths of a kernel (doc/all-paths.md): from a flow
 * system whose nodes hold letters, a machine, and proofs of a few maxima over paths, the bound of a
 * whole SM. Shares nothing with the makers of these but the check of a flow proof. */
#ifndef WB_CERTIFICATE_FLOW_PATHS_CHECK_H
#define WB_CERTIFICATE_FLOW_PATHS_CHECK_H

#include "base/arena.h"
#include "base/status.h"
#include "model/flow_system.h"
#include "model/unit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A quantity that is summed up along a path. s_u is the most instructions of type u that start in a
 * cycle in a partition; weights are whole numbers over the claim's denominator. */
enum wb_check_path_quantity {
  WB_CHECK_PATH_LETTERS, /* all letters */
  WB_CHECK_PATH_WEIGHTS, /* 1 / s_u for each letter of a type that can block */
  WB_CHECK_PATH_OUTSIDE, /* 1 / sigma_u for each letter of a shared type that can block */
  WB_CHECK_PATH_SHARED,  /* letters of shared types */
  WB_CHECK_PATH_SPARE,   /* 1 less the weight, for each letter */
  WB_CHECK_PATH_TYPE,    /* letters of one type */
  WB_CHECK_PATH_QUANTITY_COUNT
};

/* The formulas (doc/all-paths.md). */
enum wb_check_paths_bound {
  WB_CHECK_PATHS_TOTAL,  /* all warps' letters one after the other */
  WB_CHECK_PATHS_SERIAL, /* those of a partition, and shared ones of the others */
  WB_CHECK_PATHS_JOINT,  /* letters of one warp and weights of the others, under one floor */
  WB_CHECK_PATHS_SPARE,  /* weights of all warps, and 1 less the weight for each letter of one */
  WB_CHECK_PATHS_TYPES,  /* letters of one warp and, for each type, the others' letters over s_u */
  WB_CHECK_PATHS_BOUND_COUNT
};

#define WB_CHECK_ALL_PHASES UINT32_MAX

/* A proof (wb_check_flow_bound) of a maximum over all paths. Borrows its arrays. */
struct wb_check_path_maximum {
  /* The quantity summed up. */
  enum wb_check_path_quantity quantity;
  /* The type of WB_CHECK_PATH_TYPE. */
  enum wb_unit unit;
  /* The phase whose nodes count: the number of barriers before them; WB_CHECK_ALL_PHASES: all. */
  uint32_t phase;
  /* At least 1: prices and potentials are in 1 / scale units of the quantity. */
  int64_t scale;
  /* By limit of the system, at least 0. */
  const int64_t *price;
  /* By node of the system. */
  const int64_t *potential;
};

/* The normalised machine, as wb_sm_problem has it. */
struct wb_check_path_machine {
  /* By type: most instructions that start in a cycle, in each partition, or in all where shared;
   * 0: no units. N and B: WB_UNLIMITED. */
  uint32_t capacity[WB_UNIT_COUNT];
  bool shared[WB_UNIT_COUNT];
  /* Most instructions that a partition starts in a cycle; WB_UNLIMITED for no cap. */
  uint32_t issue_slots;
  uint32_t partitions;
  uint32_t blocks;
  /* Warps of a block. */
  uint32_t block_warps;
};

/* The claim that no schedule of blocks * block_warps warps, each on any path of the system, takes
 * more than `cycles` cycles. Borrows everything that it points to. */
struct wb_check_paths_claim {
  /* The graph of the paths and the limits on them; its cycles mean nothing. */
  struct wb_flow_system system;
  /* By node: its letters of each type. A barrier, of which a node has one at most, is its last
   * letter. */
  const uint64_t (*letters)[WB_UNIT_COUNT];
  /* By limit: whether it holds of the stretch of a path between any two barriers, and not only of
   * the whole path. NULL: of none. */
  const bool *local;
  /* By limit: all warps of a block take its edges equally often between any two barriers. NULL: of
   * none. */
  const bool *common;
  /* Warps may end before barriers that others of their block pass, and that then wait for the rest:
   * each phase is of those that come to it. Where phases are not told apart, all warps that pass
   * some barrier pass the same ones. */
  bool early_ends;
  struct wb_check_path_machine machine;
  /* The formula that gives the bound. */
  enum wb_check_paths_bound bound;
  /* Of the weights, at least 1 where the formula has any. */
  uint64_t denominator;
  /* Proofs of the maxima that the formula needs. */
  const struct wb_check_path_maximum *maxima;
  size_t maximum_count;
  /* The bound that is claimed. */
  uint64_t cycles;
};

/* The names that files have: "letters", "weights", ...; "total", "serial", ... */
const char *wb_check_path_quantity_name(enum wb_check_path_quantity quantity);
const char *wb_check_paths_bound_name(enum wb_check_paths_bound bound);

/* The result of a check that passed. */
struct wb_check_paths_verdict {
  /* The bound that follows: at most the claim's. */
  uint64_t cycles;
  /* It holds provided that all warps of a block pass the same barriers in the same order, which the
   * system does not show. */
  bool same_barriers;
};

/* Checks a claim, whose arrays have the lengths that their comments say.
 * WARPBOUND_OK sets *verdict. Errors: WARPBOUND_CHECK_FAILED with the first violation (an overflow
 * is one), WARPBOUND_INTERNAL. Linear in the system for each maximum and phase. */
warpbound_status wb_check_paths(const struct wb_check_paths_claim *claim,
                                struct wb_check_paths_verdict *verdict, warpbound_error *error);

/* In place of a phase: no walk leads to the node. */
#define WB_CHECK_PATH_UNSEEN UINT32_MAX
/* The graph of the paths, whose edges and nodes are in range. Borrowed. */
struct wb_check_path_graph {
  const struct wb_flow_system *system;
  const bool *barrier; /* by node: a barrier is its last instruction */
  const bool *final;   /* by node: a path may end there; NULL: that is not known */
  bool early_ends;     /* paths may end with fewer barriers than others */
};

/* The arrays live in an arena. */
struct wb_check_path_phases {
  struct wb_check_path_graph graph;
  /* By edge: a limit forbids it. */
  bool *never;
  /* By node: the barriers before it on some walk, or WB_CHECK_PATH_UNSEEN. */
  uint32_t *phase;
  /* Barriers of every walk, plus 1 (with early ends, of those with the most); 0: walks differ in
   * their barriers, or it is not known where they end. */
  uint32_t count;
  /* Phases but the last in which a path may end. */
  uint32_t early_count;
};

/* Finds the phases. Errors: WARPBOUND_INTERNAL. Linear in the system. */
warpbound_status wb_check_path_phases_make(struct wb_arena *arena,
                                           const struct wb_check_path_graph *graph,
                                           struct wb_check_path_phases *phases,
                                           warpbound_error *error);
/* What is known of limits. Borrowed. */
struct wb_check_path_limits {
  const bool *local;       /* by limit: it holds of the stretch of a path between any two barriers;
                              NULL: of none */
  const bool *common;      /* by limit: all warps of a block take its edges equally often between
                              barriers; NULL: of none */
  const bool *interleaved; /* by node, where the system is no walk: other groups of lanes may run
                              meanwhile, at no node with a barrier; NULL: at no node */
  const bool *priced;      /* by limit: it has a price in some proof */
};

/* Checks that no limit with a price is one that composite paths may break: several warps share the
 * stretches of such a path between barriers. A limit that is neither local nor common must add up,
 * between each barrier and the next, to the same on all ways. Where the system is no walk its edges
 * join nodes that hold all lanes of the warp, so that the warp takes them as often as each of its
 * lanes that come to the next barrier; and no limit is of edges that lanes take by themselves, as
 * warps may have different numbers of lanes left. Errors: WARPBOUND_CHECK_FAILED,
 * WARPBOUND_INTERNAL. Time: barriers times the system, for each limit with a price. The arena is
 * for scratch. */
warpbound_status wb_check_path_composites(struct wb_arena *arena,
                                          const struct wb_check_path_phases *phases,
                                          const struct wb_check_path_limits *limits,
                                          warpbound_error *error);

#endif
