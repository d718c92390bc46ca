/* Flow facts as limits on blocks and loops of a warp-level graph. */
#ifndef WB_IPET_FACTS_RESOLVED_FACTS_H
#define WB_IPET_FACTS_RESOLVED_FACTS_H

#include "ipet/system/ipet_input.h"

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

#endif
