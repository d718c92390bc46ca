/* How often a thread goes round a loop for each entry of the loop around it, where the bound
 * depends on the iteration of that one: a sum, not a product (doc/loop-bounds.md, Lemma 12). */
#include "base/memory.h"
#include "base/text.h"
#include "flow/loop_bounds/loop_walk.h"

#include <stdlib.h>

/* The iterations of a loop are divided into so many stretches at most, of one walk each. */
#define MOST_STRETCHES 1024
/* Visits for one loop around others. */
#define MOST_VISITS (WB_WALK_MOST_VISITS / 4)

/* Whether the loop has a bound that a sum may fall short of. */
static bool may_fall_short(const struct wb_loop_walk *walk, uint32_t loop)
{
  return walk->summaries[loop].known && !walk->forest->loops[loop].irreducible &&
         !wb_loop_walk_bound(walk, loop).by_width && walk->found[loop].bound > 0 &&
         walk->found[loop].bound <= WB_COUNTER_MOST;
}

static bool is_inside(const struct wb_loop_walk *walk, size_t loop, uint32_t outer)
{
  return walk->forest->loops[loop].parent == outer && may_fall_short(walk, (uint32_t)loop);
}

/* Adds the back edges of the loops right inside `outer` in the iterations after `first` to `last`
 * back edges of an entry. state: room for one. */
static warpbound_status add_stretch(struct wb_loop_walk *walk, uint32_t outer, uint64_t first,
                                    uint64_t last, struct wb_integer_state *state, uint64_t *sums)
{
  const struct wb_iterations bound = wb_loop_walk_bound(walk, outer);
  const struct wb_loop_summary *summary = &walk->summaries[outer];
  const size_t loops = walk->forest->loop_count;
  *state = *walk->entries[outer];
  wb_loop_summary_accelerate(summary, &bound, state);
  wb_loop_summary_narrow(summary, walk->entries[outer], first, last, state);
  wb_integer_state_forget_comparisons(state);
  for (size_t l = 0; l < loops; l++)
    walk->inner[l] = 0;
  walk->goes_back = false;
  const warpbound_status status = wb_loop_walk_region(walk);
  for (size_t l = 0; l < loops; l++) {
    const uint64_t most =
        walk->inner[l] < walk->found[l].bound ? walk->inner[l] : walk->found[l].bound;
    sums[l] += is_inside(walk, l, outer) ? (last - first + 1) * most : 0;
  }
  return status;
}

static warpbound_status note_sum(struct wb_loop_walk *walk, size_t loop, uint64_t sum)
{
  struct wb_found_bound *found = &walk->found[loop];
  struct wb_text text = {0};
  wb_text_format(&text, "%s; in all at most %llu for each entry of the loop around it",
                 found->reason, (unsigned long long)sum);
  free(found->reason);
  found->reason = wb_text_take(&text);
  found->summed = true;
  found->sum = sum;
  return found->reason != NULL ? WARPBOUND_OK : wb_out_of_memory(walk->error);
}

/* states: room for two; sums: by loop. */
static warpbound_status sum_up(struct wb_loop_walk *walk, uint32_t outer,
                               struct wb_integer_state *states, uint64_t *sums)
{
  const uint64_t turns = walk->found[outer].bound + 1;
  const size_t loops = walk->forest->loop_count;
  warpbound_status status = WARPBOUND_OK;
  wb_loop_walk_choose(walk, outer);
  const uint64_t visits = wb_loop_walk_visits(walk);
  const uint64_t most =
      MOST_VISITS / visits < MOST_STRETCHES ? MOST_VISITS / visits : MOST_STRETCHES;
  if (most < 2 || walk->visits > WB_WALK_MOST_VISITS - MOST_VISITS)
    return WARPBOUND_OK;
  const uint64_t length = (turns + most - 1) / most;
  for (size_t l = 0; l < loops; l++)
    sums[l] = 0;
  walk->iteration = &states[0];
  walk->back = &states[1];
  for (uint64_t first = 0; first < turns && status == WARPBOUND_OK; first += length) {
    const uint64_t last = turns - first < length ? turns - 1 : first + length - 1;
    walk->visits += visits;
    status = add_stretch(walk, outer, first, last, &states[0], sums);
  }
  walk->iteration = NULL;
  for (size_t l = 0; l < loops && status == WARPBOUND_OK; l++) {
    if (is_inside(walk, l, outer) && sums[l] < turns * walk->found[l].bound)
      status = note_sum(walk, l, sums[l]);
  }
  return status;
}

warpbound_status wb_loop_walk_sum(struct wb_loop_walk *walk)
{
  const size_t loops = walk->forest->loop_count;
  struct wb_integer_state *states = wb_allocate(2, sizeof *states);
  uint64_t *sums = wb_allocate(2 * loops, sizeof *sums);
  warpbound_status status =
      states != NULL && sums != NULL ? WARPBOUND_OK : wb_out_of_memory(walk->error);
  walk->visits = 0;
  if (sums != NULL)
    walk->inner = sums + loops;
  for (size_t l = 0; l < loops && status == WARPBOUND_OK; l++) {
    bool any = false;
    for (size_t i = 0; i < loops && walk->holds[l]; i++)
      any |= is_inside(walk, i, (uint32_t)l);
    if (any && walk->entries[l] != NULL && may_fall_short(walk, (uint32_t)l))
      status = sum_up(walk, (uint32_t)l, states, sums);
  }
  walk->inner = NULL;
  free(sums);
  free(states);
  return status;
}
