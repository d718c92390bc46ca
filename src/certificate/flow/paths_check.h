/* The independent checker of bounds over all paths of a kernel (doc/all-paths.md): from a flow
 * system whose nodes hold letters, a machine, and proofs of a few maxima over paths, the bound of a
 * whole SM. Shares nothing with what makes them but the check of a flow proof. */
#ifndef WB_CERTIFICATE_FLOW_PATHS_CHECK_H
#define WB_CERTIFICATE_FLOW_PATHS_CHECK_H

#include "base/status.h"
#include "model/flow_system.h"
#include "model/unit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is summed up along a path. s_u is the most instructions of type u that start in a cycle in
 * a partition; weights are whole numbers over the claim's denominator. */
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
  WB_CHECK_PATHS_SPARE,  /* weights of all warps, and of one what its letters are beyond its weight
                          */
  WB_CHECK_PATHS_TYPES, /* letters of one warp and, for each type, what the others can block it with
                         */
  WB_CHECK_PATHS_BOUND_COUNT
};

#define WB_CHECK_ALL_PHASES UINT32_MAX

/* A proof (wb_check_flow_bound) that no path sums up more of a quantity in the nodes of a phase, or
 * of all of them. price: by limit; potential: by node. unit: of WB_CHECK_PATH_TYPE. */
struct wb_check_path_maximum {
  enum wb_check_path_quantity quantity;
  enum wb_unit unit;
  uint32_t phase;
  int64_t scale;
  const int64_t *price;
  const int64_t *potential;
};

/* The normalised machine, as wb_sm_problem has it. */
struct wb_check_path_machine {
  uint32_t capacity[WB_UNIT_COUNT];
  bool shared[WB_UNIT_COUNT];
  uint32_t issue_slots;
  uint32_t partitions;
  uint32_t blocks;
  uint32_t block_warps;
};

/* The claim T <= cycles for every schedule of blocks * block_warps warps, each on any path of the
 * system. letters: by node; a barrier, of which a node has one at most, is its last letter. local:
 * by limit, whether it holds not only of whole paths, but of what a path does between any two
 * barriers; NULL for none. All is borrowed. */
struct wb_check_paths_claim {
  struct wb_flow_system system;
  const uint64_t (*letters)[WB_UNIT_COUNT];
  const bool *local;
  struct wb_check_path_machine machine;
  enum wb_check_paths_bound bound;
  uint64_t denominator;
  const struct wb_check_path_maximum *maxima;
  size_t maximum_count;
  uint64_t cycles;
};

/* What a claim proves: cycles, the claim's or fewer. same_barriers: provided that all warps of a
 * block pass the same barriers in the same order, which the system does not show. */
struct wb_check_paths_verdict {
  uint64_t cycles;
  bool same_barriers;
};

/* Checks a claim.
 * Errors: WARPBOUND_CHECK_FAILED with the first violation (an overflow is one),
 * WARPBOUND_INTERNAL. Linear in the system for each maximum and phase. */
warpbound_status wb_check_paths(const struct wb_check_paths_claim *claim,
                                struct wb_check_paths_verdict *verdict, warpbound_error *error);

/* "letters", "weights", ...; "total", "serial", ...: as files have them. */
const char *wb_check_path_quantity_name(enum wb_check_path_quantity quantity);
const char *wb_check_paths_bound_name(enum wb_check_paths_bound bound);

#endif
