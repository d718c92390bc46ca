/* The code that the places of flow facts name: instructions and loops, by address, label or source
 * line. */
#ifndef WB_IPET_FACTS_FACT_PLACES_H
#define WB_IPET_FACTS_FACT_PLACES_H

#include "base/status.h"
#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"
#include "ipet/facts/fact_scopes.h"
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

/* Where the places of one fact are looked for. All borrowed. */
struct wb_place_finder {
  const struct wb_fact_context *context;
  const struct wb_fact_scope *scope; /* of the fact */
  uint32_t line;                     /* of the fact, for messages */
  bool moved;                        /* the fact was written for other code */
  warpbound_error *error;
};

/* Whether the place has a source line, and the instruction comes from it: the file's name ends in
 * what the place calls it. */
bool wb_place_is_line_of(const struct wb_code *code, const struct wb_instruction *instruction,
                         const struct wb_place *place);

/* Whether the header of a loop of the forest begins with that instruction. */
bool wb_loop_begins_at(const struct wb_fact_context *context, size_t loop, uint32_t header);

/* The errors of the functions below, with the fact file's name, line and the place's column:
 * WARPBOUND_INVALID_INPUT (the place does not exist, is no loop or is ambiguous),
 * WARPBOUND_INTERNAL. */

/* The instruction that a place names. A line names one where all of its instructions stand in one
 * block. Time: the size of graph and listing. */
warpbound_status wb_place_find_instruction(const struct wb_place_finder *finder,
                                           const struct wb_place *place, uint32_t *index);

/* The first instruction of the header of the one loop that a place names, the same in all contexts.
 * Time: the size of graph and listing. */
warpbound_status wb_place_find_loop(const struct wb_place_finder *finder,
                                    const struct wb_place *place, uint32_t *header);

/* Loops that a place names. */
struct wb_named_loops {
  bool *loops;    /* by loop of the forest, with every context; the caller's array, all false */
  uint32_t first; /* the header's first instruction of the first one */
  size_t copies;  /* different headers among them, at least 1 */
};

/* All loops that a place names: several where it is a source line alone, from which a compiler made
 * copies of a loop, none inside another. Time: the size of graph and listing, times the depth of
 * loops. */
warpbound_status wb_place_find_loops(const struct wb_place_finder *finder,
                                     const struct wb_place *place, struct wb_named_loops *named);

#endif
