/* Loops whose iterations are followed one by one, and loops in which something shrinks. */
#include "flow/loop_bounds/loop_walk.h"

#include "base/memory.h"
#include "base/text.h"
#include "flow/loop_bounds/loop_bit_cases.h"
#include "flow/loop_bounds/loop_bits.h"
#include "flow/loop_bounds/loop_ranks.h"
#include "flow/loop_bounds/loop_turns.h"

#include <stdlib.h>
#include <string.h>

/* Iterations of a loop that are followed one by one: a bound up to here is of use whatever it rests
 * on. */
#define MOST_FOLLOWED 1024
/* A visit of a block counts as so many instructions more. */
#define VISITS_OF_BLOCK 16

uint64_t wb_loop_walk_visits(const struct wb_loop_walk *walk)
{
  uint64_t visits = 0;
  for (size_t i = 0; i < walk->block_count; i++) {
    const struct wb_warp_block *block = &walk->flow->graph->blocks[walk->blocks[i]];
    visits += VISITS_OF_BLOCK + block->last - block->first;
  }
  return visits;
}

/* Follows the iterations of a loop from all its entries: what holds at the header in an iteration
 * follows from the one before (doc/loop-bounds.md, Lemma 6). Gives up where the state does not
 * change any more, or the limits above are reached. all: gets the registers at all visits of the
 * header where the state does not change, and *stable. */
static warpbound_status follow(struct wb_loop_walk *walk, uint32_t loop, struct wb_integer *all,
                               bool *stable)
{
  struct wb_found_bound *found = &walk->found[loop];
  struct wb_integer_state *state = wb_allocate(2, sizeof *state);
  struct wb_integer_state *back = state + 1;
  if (state == NULL)
    return wb_out_of_memory(walk->error);
  warpbound_status status = WARPBOUND_OK;
  *state = *walk->entries[loop];
  wb_loop_walk_choose(walk, loop);
  const uint64_t visits = wb_loop_walk_visits(walk);
  walk->iteration = state;
  walk->back = back;
  memcpy(all, state->registers, sizeof state->registers);
  for (uint64_t i = 0; i <= MOST_FOLLOWED && status == WARPBOUND_OK; i++) {
    walk->visits += visits;
    wb_integer_state_forget_comparisons(state);
    walk->goes_back = false;
    status = wb_loop_walk_region(walk);
    if (status == WARPBOUND_OK && !walk->goes_back) {
      struct wb_text text = {0};
      wb_text_format(&text, "each iteration followed: after %llu back edges no thread takes one",
                     (unsigned long long)i);
      free(found->reason);
      free(found->hint);
      walk->followed = true;
      *found = (struct wb_found_bound){
          .found = true, .bound = i, .least = found->least, .reason = wb_text_take(&text)};
      status = found->reason != NULL ? WARPBOUND_OK : wb_out_of_memory(walk->error);
      break;
    }
    *stable = status == WARPBOUND_OK && wb_integer_state_same_values(state, back);
    if (walk->visits > WB_WALK_MOST_VISITS || *stable)
      break;
    *state = *back;
    for (size_t r = 0; r < WB_VALUE_COUNT; r++)
      all[r] = wb_integer_join(&all[r], &state->registers[r]);
  }
  walk->iteration = NULL;
  free(state);
  return status;
}

/* Bounds a loop over the set bits of a word, or of two. */
static warpbound_status clear_bits(struct wb_loop_walk *walk, uint32_t loop)
{
  struct wb_found_bound *found = &walk->found[loop];
  struct wb_text text = {0};
  const char *assumption = NULL;
  uint64_t bound;
  bool shown;
  wb_loop_walk_choose(walk, loop);
  warpbound_status status = wb_loop_clears_bits(walk, walk->entries[loop], &shown, &bound);
  if (status == WARPBOUND_OK && !shown)
    status = wb_loop_clears_cases(walk, walk->entries[loop], &shown, &bound, &assumption);
  if (status != WARPBOUND_OK || !shown)
    return status;
  wb_text_format(&text,
                 "each iteration clears a bit that is set, and is the last one where none is left: "
                 "at most %llu back edges",
                 (unsigned long long)bound);
  free(found->reason);
  free(found->hint);
  walk->followed = true;
  *found = (struct wb_found_bound){.found = true,
                                   .bound = bound,
                                   .least = found->least,
                                   .reason = wb_text_take(&text),
                                   .assumption = assumption};
  return found->reason != NULL ? WARPBOUND_OK : wb_out_of_memory(walk->error);
}

/* Bounds a loop by what shrinks in each of its turns. within: the state at all visits of its
 * header. */
static warpbound_status rank(struct wb_loop_walk *walk, uint32_t loop,
                             const struct wb_integer_state *entry, const struct wb_integer *within)
{
  struct wb_found_bound *found = &walk->found[loop];
  const struct wb_iterations known = wb_loop_walk_bound(walk, loop);
  struct wb_turns *turns = wb_allocate(1, sizeof *turns);
  struct wb_rank_bound bound;
  warpbound_status status = turns != NULL ? WARPBOUND_OK : wb_out_of_memory(walk->error);
  if (status == WARPBOUND_OK &&
      wb_turns_find(walk->flow, walk->forest, loop, walk->domain.launch, &walk->turns, turns) &&
      wb_loop_rank(turns, entry, within, &bound)) {
    if (bound.reason == NULL)
      status = wb_out_of_memory(walk->error);
    else if (wb_iterations_better(&bound.bound, &known)) {
      free(found->reason);
      free(found->hint);
      walk->followed = true;
      *found = (struct wb_found_bound){.found = true,
                                       .by_width = bound.bound.by_width,
                                       .bound = bound.bound.most,
                                       .least = found->least,
                                       .reason = bound.reason};
    } else
      free(bound.reason);
  }
  if (turns != NULL)
    wb_turns_free(turns);
  free(turns);
  return status;
}

/* Where more iterations were followed than that, what shrinks in them may say more of them. */
#define FEW_ITERATIONS 4

/* Follows a loop that has no bound yet from the state at its entries; where that shows none
 * or many iterations, looks for what shrinks. */
static warpbound_status follow_or_rank(struct wb_loop_walk *walk, uint32_t loop)
{
  struct wb_integer_state *state = walk->entries[loop];
  const struct wb_loop_summary *summary = &walk->summaries[loop];
  const struct wb_integer_state entry = *state;
  struct wb_integer all[WB_VALUE_COUNT];
  struct wb_integer_state within = *state;
  bool stable = false;
  warpbound_status status = WARPBOUND_OK;
  status = clear_bits(walk, loop);
  if (status != WARPBOUND_OK || !wb_loop_walk_bound(walk, loop).by_width)
    return status;
  wb_loop_summary_accelerate(summary, NULL, &within);
  if (walk->visits <= WB_WALK_MOST_VISITS && !wb_loop_summary_has_unknown_limits(summary, state))
    status = follow(walk, loop, all, &stable);
  const struct wb_iterations followed = wb_loop_walk_bound(walk, loop);
  if (status != WARPBOUND_OK || (!followed.by_width && followed.most <= FEW_ITERATIONS))
    return status;
  for (size_t r = 0; r < WB_VALUE_COUNT && stable; r++)
    wb_integer_meet(&within.registers[r], &all[r]);
  return rank(walk, loop, &entry, within.registers);
}

warpbound_status wb_loop_walk_follow(struct wb_loop_walk *walk)
{
  warpbound_status status = WARPBOUND_OK;
  for (size_t l = 0; l < walk->forest->loop_count && status == WARPBOUND_OK; l++) {
    if (walk->entries[l] != NULL && wb_loop_walk_bound(walk, (uint32_t)l).by_width)
      status = follow_or_rank(walk, (uint32_t)l);
  }
  return status;
}
