#include "cfg/simt/simt_contexts.h"

#include "base/memory.h"

#include <stdlib.h>

#define SHARED UINT64_MAX /* the call site of shared contexts in the table of known ones */

static bool add(struct wb_simt_contexts *contexts, struct wb_simt_place call, uint32_t target)
{
  size_t capacities[] = {contexts->capacity, contexts->capacity, contexts->capacity};
  const size_t needed = contexts->count + 1;
  if (!wb_grow(contexts->items, &capacities[0], needed) ||
      !wb_grow(contexts->entered, &capacities[1], needed) ||
      !wb_grow(contexts->depths, &capacities[2], needed))
    return false;
  contexts->capacity = capacities[0];
  const bool outermost = call.context == UINT32_MAX;
  contexts->items[contexts->count] = (struct wb_warp_context){call.context, call.instruction};
  contexts->entered[contexts->count] = target;
  contexts->depths[contexts->count] = outermost ? 0 : contexts->depths[call.context] + 1;
  contexts->count++;
  return true;
}

bool wb_simt_contexts_start(struct wb_simt_contexts *contexts)
{
  return add(contexts, (struct wb_simt_place){UINT32_MAX, UINT32_MAX}, 0);
}

/* The outermost pending call of the target; UINT32_MAX for none. */
static uint32_t pending(const struct wb_simt_contexts *contexts, uint32_t context, uint32_t target)
{
  uint32_t found = UINT32_MAX;
  for (uint32_t c = context; c != UINT32_MAX; c = contexts->items[c].caller) {
    if (contexts->entered[c] == target)
      found = c;
  }
  return found;
}

uint32_t wb_simt_contexts_enter(struct wb_simt_contexts *contexts, struct wb_simt_place call,
                                uint32_t target, bool shared)
{
  const uint32_t recursion = pending(contexts, call.context, target);
  if (recursion != UINT32_MAX)
    return recursion;
  const uint64_t name = (uint64_t)call.context << 32 | call.instruction;
  uint32_t known = wb_pair_map_find(&contexts->known, name, target);
  if (known != WB_PAIR_ABSENT)
    return known;
  const bool share = shared || contexts->count >= WB_CONTEXT_LIMIT ||
                     contexts->depths[call.context] >= WB_CONTEXT_DEPTH_LIMIT;
  if (share) {
    known = wb_pair_map_find(&contexts->known, SHARED, target);
    if (known != WB_PAIR_ABSENT)
      return known;
    call.context = 0;
  }
  const uint32_t number = (uint32_t)contexts->count;
  if (!add(contexts, call, target) ||
      !wb_pair_map_add(&contexts->known, share ? SHARED : name, target, number))
    return UINT32_MAX;
  return number;
}

bool wb_simt_contexts_before(const struct wb_simt_contexts *contexts, const uint32_t *positions,
                             struct wb_simt_place a, struct wb_simt_place b)
{
  bool callee = false; /* a stands for what a call inside b's instruction does, or after it */
  while (a.context != b.context) {
    const bool lift_a = contexts->depths[a.context] >= contexts->depths[b.context];
    const bool lift_b = contexts->depths[b.context] >= contexts->depths[a.context];
    if (lift_a)
      a = (struct wb_simt_place){contexts->items[a.context].site,
                                 contexts->items[a.context].caller};
    if (lift_b)
      b = (struct wb_simt_place){contexts->items[b.context].site,
                                 contexts->items[b.context].caller};
    callee = lift_a;
  }
  if (positions[a.instruction] != positions[b.instruction])
    return positions[a.instruction] < positions[b.instruction];
  return !callee;
}

const char *wb_simt_contexts_check(const struct wb_simt_contexts *contexts)
{
  if (contexts->count == 0 || contexts->items[0].caller != UINT32_MAX || contexts->depths[0] != 0)
    return "context 0 is not that of the function itself";
  for (uint32_t c = 1; c < contexts->count; c++) {
    const uint32_t caller = contexts->items[c].caller;
    if (caller >= c)
      return "a context stands before its caller";
    if (contexts->depths[c] != contexts->depths[caller] + 1)
      return "a context's depth is wrong";
    if (pending(contexts, caller, contexts->entered[c]) != UINT32_MAX)
      return "two pending calls of a context go to one instruction";
  }
  return NULL;
}

void wb_simt_contexts_free(struct wb_simt_contexts *contexts)
{
  free(contexts->items);
  free(contexts->entered);
  free(contexts->depths);
  wb_pair_map_free(&contexts->known);
  *contexts = (struct wb_simt_contexts){0};
}
