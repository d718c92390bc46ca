/* Resolution of the places of flow facts: labels, addresses and source lines to instructions and
 * loops. */
#ifndef WB_IPET_FACTS_PLACE_RESOLUTION_H
#define WB_IPET_FACTS_PLACE_RESOLUTION_H

#include "base/status.h"
#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"
#include "ipet/system/ipet_input.h"
#include "model/code.h"
#include "model/flow_facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A bound that a fact gives for the entries of one loop. */
struct wb_loop_fact {
  uint64_t bound;  /* back edges for each entry */
  uint32_t line;   /* in the fact file; 0: no fact */
  uint32_t column; /* of the number in that line */
};

/* What facts say of the entries of one loop: both hold. */
struct wb_loop_facts {
  struct wb_loop_fact thread; /* of each thread's back edges */
  struct wb_loop_fact warp;   /* of the warp's */
};

/* At most one of the sets of blocks is executed in one execution. */
struct wb_exclusive_fact {
  size_t first_set; /* index of the first one in `sets` */
  size_t set_count;
  uint32_t line; /* in the fact file */
};

/* blocks[first] .. blocks[first + count - 1]. */
struct wb_block_set {
  size_t first;
  size_t count;
};

/* The facts of one kernel. Owns its arrays: wb_resolved_facts_free. */
struct wb_resolved_facts {
  struct wb_loop_facts *loops;       /* by loop of the forest */
  struct wb_ipet_loop_limit *limits; /* for the flow system */
  size_t limit_count, limit_capacity;
  struct wb_ipet_fact *facts; /* for the flow system */
  uint32_t *line_of_fact;     /* by fact: its line in the file */
  size_t fact_count, fact_capacity, line_capacity;
  struct wb_exclusive_fact *exclusives;
  size_t exclusive_count, exclusive_capacity;
  struct wb_block_set *sets; /* of the exclusive facts */
  size_t set_count, set_capacity;
  uint32_t *blocks; /* of all sets */
  size_t block_count, block_capacity;
  uint32_t *found; /* by place of the kernel's facts: its instruction, of a loop the first one of
                      the header; UINT32_MAX: not found, only where `moved` */
  bool moved;      /* the facts were written for other code */
};

/* The bound of the warp for a bound of threads: the same where the loop is balanced or the bound is
 * one of the warp, else times the lanes (proof: doc/ipet.md). False where it does not fit into 64
 * bits. */
bool wb_warp_bound(uint64_t bound, bool per_warp, bool balanced, uint32_t lanes,
                   uint64_t *warp_bound);

void wb_resolved_facts_free(struct wb_resolved_facts *resolved);

/* The code and graph that facts are applied to. All borrowed. */
struct wb_fact_context {
  const struct wb_code *code;
  const struct wb_function *function;
  const struct wb_warp_graph *graph;
  const struct wb_loop_forest *forest; /* of the graph */
  const bool *balanced;                /* by loop (wb_simt_loop_balanced) */
  const char *name;                    /* the fact file's */
  uint32_t lanes;                      /* of a warp */
  bool move; /* where the facts were written for other code, places that also have a source line are
                looked for by it; else that is an error */
};

/* The context of facts that are being resolved. All borrowed. */
struct wb_fact_resolver {
  const struct wb_fact_context *context;
  const struct wb_kernel_facts *kernel;
  const struct wb_flow_fact *fact; /* the one that is resolved now */
  struct wb_resolved_facts *resolved;
  warpbound_error *error;
};

/* Fails at `what` of the fact that is resolved now: one of its places, or the fact for its number.
 */
#define WB_FACT_FAIL(resolver, what, ...)                                                          \
  wb_fail_at((resolver)->error, WARPBOUND_INVALID_INPUT, (resolver)->context->name,                \
             (resolver)->fact->line, (what)->column, __VA_ARGS__)

/* Whether the place has a source line, and the instruction comes from it: the file's name ends in
 * what the place calls it. */
bool wb_place_is_line_of(const struct wb_code *code, const struct wb_instruction *instruction,
                         const struct wb_place *place);

/* The instruction that a place names. Errors: WARPBOUND_INVALID_INPUT where there is none, or where
 * a line names several blocks. */
warpbound_status wb_place_find_instruction(const struct wb_fact_resolver *resolver,
                                           const struct wb_place *place, uint32_t *index);

/* The first instruction of the header of the loop that a place names, the same in all contexts.
 * Errors: WARPBOUND_INVALID_INPUT where there is none, or where a line names several loops. */
warpbound_status wb_place_find_header(const struct wb_fact_resolver *resolver,
                                      const struct wb_place *place, uint32_t *header);

/* Whether the header of a loop of the forest begins with that instruction. */
bool wb_place_is_loop(const struct wb_fact_resolver *resolver, size_t loop, uint32_t header);

/* The innermost loop with that header that is `loop` or around it; UINT32_MAX where there is none.
 * loop: UINT32_MAX for none. */
uint32_t wb_place_loop_around(const struct wb_fact_resolver *resolver, uint32_t loop,
                              uint32_t header);

#endif
