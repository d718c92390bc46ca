/* Calling contexts: which calls are pending. */
#ifndef WB_CFG_SIMT_SIMT_CONTEXTS_H
#define WB_CFG_SIMT_SIMT_CONTEXTS_H

#include "cfg/simt/pair_map.h"
#include "cfg/warp_graph/warp_graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Beyond these, calls of one callee share a context: a loss of precision, not of safety. */
#define WB_CONTEXT_LIMIT ((size_t)4096)
#define WB_CONTEXT_DEPTH_LIMIT 64u

/* items[c] is context c; entered[c]: the instruction that its call goes to; depths[c]: how
 * many calls are pending. */
struct wb_simt_contexts {
  struct wb_warp_context *items;
  uint32_t *entered;
  uint32_t *depths;
  size_t count;
  size_t capacity;
  struct wb_pair_map known;
};

/* A place in the program: an instruction in a context. */
struct wb_simt_place {
  uint32_t instruction;
  uint32_t context;
};

/* Context 0 alone. False where memory is out. */
bool wb_simt_contexts_start(struct wb_simt_contexts *contexts);

/* The context of the code that a call enters; UINT32_MAX where memory is out. crowded: a new one
 * is to be shared by all calls of the callee that are new too. */
uint32_t wb_simt_contexts_enter(struct wb_simt_contexts *contexts, struct wb_simt_place call,
                                uint32_t target, bool crowded);

/* Whether a comes before b in an order in which calls are done before what follows them;
 * positions[i] orders the instructions of one context. */
bool wb_simt_contexts_before(const struct wb_simt_contexts *contexts, const uint32_t *positions,
                             struct wb_simt_place a, struct wb_simt_place b);

void wb_simt_contexts_free(struct wb_simt_contexts *contexts);

#endif
