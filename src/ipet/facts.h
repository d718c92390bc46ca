/* From flow facts, which name places of the code, to limits on blocks and loops of a graph. */
#ifndef WB_IPET_FACTS_H
#define WB_IPET_FACTS_H

#include "base/status.h"
#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"
#include "ipet/system.h"
#include "model/code.h"
#include "model/flow_facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the facts are applied; all borrowed. balanced: by loop (wb_simt_loop_balanced). name:
 * the fact file's. lanes: of a warp. move: where the code is not the one that the facts were
 * written for, places that also have a source line are looked for by it; else that is an
 * error. */
struct wb_fact_context {
  const struct wb_code *code;
  const struct wb_function *function;
  const struct wb_warp_graph *graph;
  const struct wb_loop_forest *forest;
  const bool *balanced;
  const char *name;
  uint32_t lanes;
  bool move;
};

/* What the facts say of a loop's own entries: the least bound. line 0: nothing. */
struct wb_loop_fact {
  uint64_t bound;
  bool per_warp;
  uint32_t line;
};

/* In one run at most one of the sets of blocks runs: those of sets[first] .. */
struct wb_exclusive_fact {
  size_t first_set;
  size_t set_count;
  uint32_t line;
};

/* blocks[first .. first + count - 1]. */
struct wb_block_set {
  size_t first;
  size_t count;
};

/* loops: by loop of the forest. limits, facts: for the system. line_of_fact: by fact, in the
 * file. found: by place of the kernel's facts, the instruction (of a loop: the first of its
 * header), UINT32_MAX where it was not found, which happens only where moved: the facts were
 * written for other code. Owns its arrays: wb_resolved_facts_free. */
struct wb_resolved_facts {
  struct wb_loop_fact *loops;
  struct wb_ipet_loop_limit *limits;
  size_t limit_count, limit_capacity;
  struct wb_ipet_fact *facts;
  uint32_t *line_of_fact;
  size_t fact_count, fact_capacity, line_capacity;
  struct wb_exclusive_fact *exclusives;
  size_t exclusive_count, exclusive_capacity;
  struct wb_block_set *sets;
  size_t set_count, set_capacity;
  uint32_t *blocks;
  size_t block_count, block_capacity;
  uint32_t *found;
  bool moved;
};

/* The bound of the warp that a bound of threads gives: the same where the loop is balanced,
 * else times the lanes (simt.md's argument: doc/ipet.md). False where that does not fit. */
bool wb_warp_bound(uint64_t bound, bool per_warp, bool balanced, uint32_t lanes,
                   uint64_t *warp_bound);

/* Resolves the facts of one kernel.
 * Errors, with the fact file's name and line: WARPBOUND_INVALID_INPUT (the code is not the one
 * that they were written for; a place that is not there, is no loop or is ambiguous),
 * WARPBOUND_INTERNAL. */
warpbound_status wb_facts_resolve(const struct wb_fact_context *context,
                                  const struct wb_kernel_facts *kernel,
                                  struct wb_resolved_facts *resolved, warpbound_error *error);

void wb_resolved_facts_free(struct wb_resolved_facts *resolved);

#endif
