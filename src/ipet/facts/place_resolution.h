/* Resolution of the places of flow facts: labels, addresses and source lines to instructions and
 * loops. */
#ifndef WB_IPET_FACTS_PLACE_RESOLUTION_H
#define WB_IPET_FACTS_PLACE_RESOLUTION_H

#include "base/status.h"
#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"
#include "ipet/facts/resolved_facts.h"
#include "model/code.h"
#include "model/flow_facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
