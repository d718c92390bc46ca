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

/* Invariants: context 0 has no caller and depth 0; the caller of every other has a lower number and
 * a depth lower by one; no two pending calls of a context go to one instruction. */
struct wb_simt_contexts {
  struct wb_warp_context *items; /* by context: its call */
  uint32_t *entered;             /* by context: the instruction that its call goes to */
  uint32_t *depths;              /* by context: how many calls are pending */
  size_t count;                  /* contexts */
  size_t capacity;               /* room in each of the three arrays */
  struct wb_pair_map known;      /* (call site, target) -> context; one site for all shared ones */
};

/* A place in the program: an instruction in a context. */
struct wb_simt_place {
  uint32_t instruction; /* its index */
  uint32_t context;     /* its number */
};

/* Context 0 alone. False where memory is out. */
bool wb_simt_contexts_start(struct wb_simt_contexts *contexts);

/* The context of the code that a call enters; UINT32_MAX where memory is out. shared: a new one is
 * shared by all calls of the callee that are new too. */
uint32_t wb_simt_contexts_enter(struct wb_simt_contexts *contexts, struct wb_simt_place call,
                                uint32_t target, bool shared);

/* Whether a comes before b in an order in which calls are done before what follows them;
 * positions[i] orders the instructions of one context. */
bool wb_simt_contexts_before(const struct wb_simt_contexts *contexts, const uint32_t *positions,
                             struct wb_simt_place a, struct wb_simt_place b);

/* The invariants: NULL, or which one is broken. Linear in the sum of the depths. */
const char *wb_simt_contexts_check(const struct wb_simt_contexts *contexts);

void wb_simt_contexts_free(struct wb_simt_contexts *contexts);

#endif
