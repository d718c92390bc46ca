/* Resolution of flow facts: from places of the code (labels, addresses and source lines) to limits
 * on blocks and loops of a graph. */
#ifndef WB_IPET_FACTS_FACT_RESOLUTION_H
#define WB_IPET_FACTS_FACT_RESOLUTION_H

#include "base/arena.h"
#include "base/status.h"
#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"
#include "ipet/facts/fact_places.h"
#include "ipet/facts/fact_scopes.h"
#include "ipet/system/ipet_system.h"
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
  size_t copies; /* loops, by their headers, that the fact is of: several where its place is a line
                    from which several were compiled */
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

struct wb_block_set {
  uint32_t *blocks;
  size_t count;
  size_t first; /* the number of the first one among the blocks of all facts */
};

/* The facts of one kernel and of what is linked behind it. Owns its arrays: wb_resolved_facts_free.
 */
struct wb_resolved_facts {
  struct wb_loop_facts *loops;       /* by loop of the forest */
  struct wb_ipet_loop_limit *limits; /* for the flow system */
  size_t limit_count, limit_capacity;
  struct wb_ipet_fact *facts; /* for the flow system */
  uint32_t *line_of_fact;     /* by fact: its line in the file */
  size_t fact_count;
  struct wb_exclusive_fact *exclusives;
  size_t exclusive_count;
  struct wb_block_set *sets; /* of the exclusive facts */
  size_t set_count;
  size_t block_count;    /* of all facts */
  uint32_t *found;       /* by place of the kernel's own facts: its instruction, of a loop the first
                            one of the header; UINT32_MAX: not found, only where `moved` */
  bool moved;            /* the kernel's own facts were written for other code */
  struct wb_arena arena; /* owns all but the limits */
};

/* The bound of the warp for a bound of threads: the same where the loop is balanced or the bound is
 * one of the warp, else times the lanes (proof: doc/ipet.md). False where it does not fit into 64
 * bits. */
bool wb_warp_bound(uint64_t bound, bool per_warp, bool balanced, uint32_t lanes,
                   uint64_t *warp_bound);

/* Resolves the facts of one kernel and of the functions linked behind it, in their scopes. Of a
 * function that is called, what is said of one run of it holds of each call (doc/flow-facts.md);
 * exclusive places of it are left out, and so are facts of it that were written for other code
 * where facts are moved: that scope then has none. The caller frees *resolved. Errors, with the
 * fact file's name and line: WARPBOUND_INVALID_INPUT (the facts were written for other code; a
 * place that does not exist, is no loop or is ambiguous; two facts that count the same and differ),
 * WARPBOUND_INTERNAL. Time: places times the size of graph and listing. */
warpbound_status wb_facts_resolve(const struct wb_fact_context *context,
                                  struct wb_fact_scopes *scopes, struct wb_resolved_facts *resolved,
                                  warpbound_error *error);
void wb_resolved_facts_free(struct wb_resolved_facts *resolved);

#endif
