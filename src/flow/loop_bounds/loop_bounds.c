#include "flow/loop_bounds/loop_bounds.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/text.h"
#include "flow/loop_bounds/loop_lanes.h"
#include "flow/loop_bounds/loop_ranks.h"
#include "flow/loop_bounds/loop_summary.h"
#include "flow/loop_bounds/thread_flow.h"
#include "values/domain.h"
#include "values/interval/interval_domain.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* Loops nested deeper than this are not analysed: each level is one more pass over the code. */
#define MOST_DEPTH 16

/* Passes over the whole graph: each puts the constants at the entries of a loop, found by the one
 * before, into the loop. */
#define ROUNDS 3

/* Iterations of a loop that are followed one by one: a bound up to here is of use whatever it rests
 * on. */
#define MOST_FOLLOWED WB_COUNTER_USEFUL
/* Visits of instructions to follow loops, in one function; one of a block counts as some more. */
#define MOST_VISITS (1U << 18)
#define VISITS_OF_BLOCK 16
/* Instructions that are looked at to find turns, in one function. */
#define MOST_OF_TURNS (1U << 18)

/* One pass forwards over a region, each block once. The states of blocks are freed when they are
 * done. */
struct walk {
  const struct wb_thread_flow *flow;
  const struct wb_loop_forest *forest;
  struct wb_loop_summary *summaries; /* by loop */
  struct wb_found_bound *found;      /* by loop */
  struct wb_integer_state **states; /* by block: the state at its start by the edges seen so far, or
                                       NULL */
  uint32_t *blocks;                 /* of the region, in order */
  size_t block_count;
  uint32_t *region; /* by block: the loop of the last pass that it was in, plus 1 */
  uint32_t loop;    /* the region; NONE: the whole graph */
  uint32_t
      first_source; /* least origin of the loop's back edges, by position in the dominator tree */
  uint32_t last_source; /* greatest one */
  /* Of an iteration that is followed by itself: */
  const struct wb_integer_state *iteration; /* at its header; NULL: none is followed, the state at
                                               the header of `loop` is relative to itself */
  struct wb_integer_state *back;            /* at its back edges */
  bool goes_back;                           /* some thread takes one */
  struct wb_integer_state **entries; /* by loop: the state at all entries, where no bound is known;
                                        else NULL */
  uint64_t visits;                   /* of instructions, to follow iterations */
  uint64_t turns;                    /* instructions that may still be looked at, to find turns */
  bool followed;                     /* a loop has got a bound by that */
  struct wb_comparisons comparisons;
  struct wb_carries carries;     /* of the block that is visited */
  struct wb_stack_slots slots;   /* of the function */
  struct wb_quotients quotients; /* of the block that is visited */
  wb_thread_visit *visit;        /* NULL: nobody asks what holds at instructions */
  void *visitor;
  struct wb_interval_context domain; /* counts the blocks visited, in this pass and those before */
  warpbound_error *error;
};

/* Whether the pass summarises a loop. */
static bool summarises(const struct walk *walk)
{
  return walk->loop != NONE && walk->iteration == NULL;
}

/* ---- tests ---- */

static warpbound_status collect_tests(struct walk *walk, const struct wb_block_end *end)
{
  const uint32_t block = end->block;
  struct wb_loop_summary *summary = &walk->summaries[walk->loop];
  const struct wb_dominators *tree = &walk->flow->dominators;
  if (tree->position[block] > walk->first_source ||
      walk->last_source >= tree->position[block] + tree->size[block])
    return WARPBOUND_OK;
  for (uint32_t row = wb_staying_comparisons(end); row != 0;
       row = walk->comparisons.rows[row].next) {
    if (!wb_grow(summary->tests, &summary->test_capacity, summary->test_count + 1))
      return wb_out_of_memory(walk->error);
    summary->tests[summary->test_count++] =
        (struct wb_loop_test){walk->comparisons.rows[row], walk->flow->graph->blocks[block].last};
  }
  return WARPBOUND_OK;
}

/* ---- states ---- */

static struct wb_integer_state *state_at(struct walk *walk, uint32_t block)
{
  if (walk->states[block] == NULL)
    walk->states[block] = wb_allocate(1, sizeof **walk->states);
  return walk->states[block];
}

/* The best bound of the loop that is known. */
static struct wb_iterations bound_of(const struct walk *walk, uint32_t loop)
{
  const struct wb_found_bound *found = &walk->found[loop];
  return found->found ? (struct wb_iterations){found->bound, found->by_width}
                      : (struct wb_iterations){UINT64_MAX, true};
}

/* Records a bound that is not above a known one. */
static warpbound_status record(struct walk *walk, uint32_t loop, uint64_t bound, const char *why)
{
  struct wb_found_bound *found = &walk->found[loop];
  struct wb_text text = {0};
  if (found->found && found->bound == bound)
    return WARPBOUND_OK;
  wb_text_string(&text, why);
  free(found->reason);
  free(found->hint);
  *found = (struct wb_found_bound){.found = true, .bound = bound, .reason = wb_text_take(&text)};
  return found->reason != NULL ? WARPBOUND_OK : wb_out_of_memory(walk->error);
}

/* Keeps the state at all entries of a loop without a bound that is of use. */
static warpbound_status keep_entry(struct walk *walk, uint32_t loop,
                                   const struct wb_integer_state *state)
{
  const struct wb_iterations bound = bound_of(walk, loop);
  if (!bound.by_width || !walk->summaries[loop].known)
    return WARPBOUND_OK;
  if (walk->entries[loop] == NULL)
    walk->entries[loop] = wb_allocate(1, sizeof **walk->entries);
  if (walk->entries[loop] == NULL)
    return wb_out_of_memory(walk->error);
  *walk->entries[loop] = *state;
  return WARPBOUND_OK;
}

/* From the entries of a loop to all visits of its header. Each pass covers every entry of the loop,
 * so that each bound holds: the best is kept. */
static warpbound_status enter_loop(struct walk *walk, uint32_t loop, struct wb_integer_state *state)
{
  const struct wb_function *function = walk->flow->graph->function;
  struct wb_loop_count count;
  struct wb_loop_summary *summary = &walk->summaries[loop];
  struct wb_found_bound *found = &walk->found[loop];
  struct wb_iterations bound = bound_of(walk, loop);
  const bool counted = wb_loop_summary_count(summary, state, &count);
  count.slots = &walk->slots;
  const bool better = counted && wb_iterations_better(&count.bound, &bound);
  warpbound_status status = WARPBOUND_OK;
  /* An iteration that is followed shows some of the entries alone. */
  const bool all_entries = walk->iteration == NULL;
  if (summary->never)
    return all_entries ? record(walk, loop, 0, "no thread that enters it takes a back edge")
                       : WARPBOUND_OK;
  if (better && all_entries) {
    free(found->reason);
    found->found = true;
    found->bound = count.bound.most;
    found->by_width = count.bound.by_width;
    found->reason = wb_bound_reason(function, &count);
    status = found->reason != NULL ? WARPBOUND_OK : wb_out_of_memory(walk->error);
  }
  const uint64_t least = all_entries ? wb_loop_summary_least(summary, state) : 0;
  if (least > found->least)
    found->least = least;
  if (walk->loop == NONE) {
    wb_loop_summary_set_constants(summary, state);
    free(found->hint);
    found->hint = NULL;
    if (status == WARPBOUND_OK && (!found->found || found->by_width) &&
        !wb_bound_hint(walk->domain.launch, function, &walk->slots, summary, state, &found->hint))
      status = wb_out_of_memory(walk->error);
    if (status == WARPBOUND_OK)
      status = keep_entry(walk, loop, state);
  }
  if (better)
    bound = count.bound;
  wb_loop_summary_accelerate(summary, bound.most < UINT64_MAX ? &bound : NULL, state);
  return status;
}

/* Completes the state at the block's start from that of its forward edges. reached: there is one;
 * *dead: no thread reaches the block. */
static warpbound_status complete_state(struct walk *walk, uint32_t block,
                                       struct wb_integer_state *state, bool reached, bool *dead)
{
  *dead = false;
  if (walk->loop != NONE && walk->forest->loops[walk->loop].header == block) {
    if (walk->iteration != NULL) {
      *state = *walk->iteration;
      return WARPBOUND_OK;
    }
    /* Relative to itself, with the constants put in. */
    const struct wb_loop_summary *summary = &walk->summaries[walk->loop];
    wb_integer_state_identity(state);
    for (size_t r = 0; r < WB_VALUE_COUNT && summary->entered; r++)
      state->registers[r] = summary->constant[r];
    return WARPBOUND_OK;
  }
  const struct wb_thread_flow *flow = walk->flow;
  const uint32_t loop = flow->loop_at[block];
  bool retreats = false; /* retreating edges reach the block */
  /* All of them are back edges of a loop with a summary. */
  bool explained = loop != NONE && walk->summaries[loop].known;
  for (uint32_t i = flow->reaching.first[block]; i < flow->reaching.first[block + 1]; i++) {
    const uint32_t edge = flow->reaching.list[i];
    if (flow->place[flow->from[edge]] < flow->place[block])
      continue;
    retreats = true;
    explained = explained && flow->is_back[edge];
  }
  *dead = !reached && block != flow->graph->entry_block && (!retreats || explained);
  if (*dead)
    return retreats && walk->loop == NONE ? record(walk, loop, 0, "no thread enters it")
                                          : WARPBOUND_OK;
  if (!reached || block == flow->graph->entry_block || (retreats && !explained))
    wb_integer_state_top(state);
  return retreats && explained ? enter_loop(walk, loop, state) : WARPBOUND_OK;
}

/* ---- edges ---- */

/* Adds the state of a back edge to what one iteration does. */
static void go_back(struct walk *walk, const struct wb_integer_state *after)
{
  if (walk->iteration != NULL) {
    if (walk->goes_back)
      wb_integer_state_join(walk->back, after);
    else
      *walk->back = *after;
    walk->goes_back = true;
    return;
  }
  struct wb_loop_summary *summary = &walk->summaries[walk->loop];
  const bool first = !summary->known;
  summary->known = true;
  if (first)
    summary->pairs = after->pairs;
  else
    wb_pairs_join(&summary->pairs, summary->next, &after->pairs, after->registers);
  for (size_t r = 0; r < WB_VALUE_COUNT; r++)
    summary->next[r] =
        first ? after->registers[r] : wb_integer_join(&summary->next[r], &after->registers[r]);
}

static warpbound_status leave_block(struct walk *walk, const struct wb_block_end *end)
{
  const uint32_t block = end->block;
  const struct wb_thread_flow *flow = walk->flow;
  const uint32_t header = walk->loop != NONE ? walk->forest->loops[walk->loop].header : NONE;
  for (uint32_t i = flow->leaving.first[block]; i < flow->leaving.first[block + 1]; i++) {
    const uint32_t edge = flow->leaving.list[i];
    const uint32_t to = flow->to[edge];
    const bool inside = walk->loop == NONE || walk->region[to] == walk->loop + 1;
    if (to != header && (!inside || flow->place[to] <= flow->place[block]))
      continue;
    struct wb_integer_state after;
    if (!wb_edge_state(end, edge, &after))
      continue;
    if (to == header) {
      go_back(walk, &after);
      continue;
    }
    const bool first = walk->states[to] == NULL;
    struct wb_integer_state *there = state_at(walk, to);
    if (there == NULL)
      return wb_out_of_memory(walk->error);
    if (first)
      *there = after;
    else
      wb_integer_state_join(there, &after);
  }
  return WARPBOUND_OK;
}

static void note_writes(struct walk *walk, const struct wb_instruction *instruction)
{
  const struct wb_function *function = walk->flow->graph->function;
  struct wb_loop_summary *summary = &walk->summaries[walk->loop];
  if (instruction->unknown || instruction->transfer == WB_TRANSFER_CALL_OUTSIDE)
    summary->predicates = UINT16_MAX;
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const struct wb_register_span *span = &function->spans[instruction->first_write + s];
    for (unsigned r = span->first; r < (unsigned)span->first + span->count; r++) {
      const size_t predicate = wb_predicate_index(r);
      if (predicate < WB_TRUTH_COUNT)
        summary->predicates |= (uint16_t)(1U << predicate);
    }
  }
}

static warpbound_status walk_block(struct walk *walk, uint32_t block)
{
  const struct wb_warp_block *what = &walk->flow->graph->blocks[block];
  const struct wb_function *function = walk->flow->graph->function;
  bool dead;
  const bool reached = walk->states[block] != NULL;
  struct wb_integer_state *state = state_at(walk, block);
  if (state == NULL)
    return wb_out_of_memory(walk->error);
  warpbound_status status = complete_state(walk, block, state, reached, &dead);
  walk->domain.visit++;
  walk->domain.state = state;
  walk->domain.first = what->first;
  wb_integer_state_forget_carries(state);
  walk->carries.count = 0;
  for (uint32_t i = what->first; i <= what->last && !dead; i++) {
    if (walk->visit != NULL && walk->loop == NONE) {
      wb_interval_domain.begin(&walk->domain, function, i);
      walk->visit(walk->visitor, &walk->domain, i);
    }
    wb_interval_transfer(&walk->domain, function, i);
    if (summarises(walk))
      note_writes(walk, &function->instructions[i]);
  }
  assert(dead || status != WARPBOUND_OK || wb_integer_state_is_valid(state, &walk->comparisons));
  const struct wb_block_end end = {.flow = walk->flow,
                                   .block = block,
                                   .region = walk->region,
                                   .loop = walk->loop + 1,
                                   .state = state,
                                   .comparisons = &walk->comparisons,
                                   .visit = walk->domain.visit};
  if (status == WARPBOUND_OK && summarises(walk) && !dead)
    status = collect_tests(walk, &end);
  if (status == WARPBOUND_OK && summarises(walk) && !dead &&
      !wb_loop_ways_collect(&end, &walk->summaries[walk->loop]))
    status = wb_out_of_memory(walk->error);
  if (status == WARPBOUND_OK && !dead)
    status = leave_block(walk, &end);
  free(state);
  walk->states[block] = NULL;
  return status;
}

/* ---- regions ---- */

static warpbound_status walk_region(struct walk *walk)
{
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; i < walk->block_count && status == WARPBOUND_OK; i++)
    status = walk_block(walk, walk->blocks[i]);
  if (status == WARPBOUND_OK && (walk->comparisons.failed || walk->carries.failed))
    status = wb_out_of_memory(walk->error);
  for (size_t i = 0; i < walk->block_count; i++) {
    free(walk->states[walk->blocks[i]]);
    walk->states[walk->blocks[i]] = NULL;
  }
  wb_comparisons_free(&walk->comparisons);
  wb_carries_free(&walk->carries);
  return status;
}

static int by_number(const void *a, const void *b)
{
  const uint32_t left = *(const uint32_t *)a;
  const uint32_t right = *(const uint32_t *)b;
  return left < right ? -1 : left > right;
}

/* Whether threads enter the loop at its header alone, and come back to it by its back edges alone;
 * finds the origins of those. */
static bool is_natural_loop(struct walk *walk, const struct wb_loop *loop)
{
  const struct wb_thread_flow *flow = walk->flow;
  walk->first_source = UINT32_MAX;
  walk->last_source = 0;
  for (size_t i = 0; i < walk->block_count; i++) {
    const uint32_t block = walk->blocks[i];
    for (uint32_t e = flow->reaching.first[block]; e < flow->reaching.first[block + 1]; e++) {
      const uint32_t edge = flow->reaching.list[e];
      const bool within = walk->region[flow->from[edge]] == walk->loop + 1;
      if (block == loop->header ? within != flow->is_back[edge] : !within)
        return false;
      if (block != loop->header || !within)
        continue;
      const uint32_t source = flow->dominators.position[flow->from[edge]];
      walk->first_source = source < walk->first_source ? source : walk->first_source;
      walk->last_source = source > walk->last_source ? source : walk->last_source;
    }
  }
  return walk->first_source <= walk->last_source;
}

/* The region is that loop. */
static void choose_loop(struct walk *walk, uint32_t number)
{
  const struct wb_thread_flow *flow = walk->flow;
  const struct wb_loop *loop = &walk->forest->loops[number];
  walk->loop = number;
  walk->block_count = loop->node_count;
  for (size_t i = 0; i < loop->node_count; i++) {
    const uint32_t block = walk->forest->nodes[loop->first_node + i];
    walk->region[block] = number + 1;
    walk->blocks[i] = flow->place[block];
  }
  qsort(walk->blocks, walk->block_count, sizeof *walk->blocks, by_number);
  for (size_t i = 0; i < walk->block_count; i++)
    walk->blocks[i] = flow->order[walk->blocks[i]];
}

static warpbound_status summarise(struct walk *walk, uint32_t number)
{
  const struct wb_loop *loop = &walk->forest->loops[number];
  struct wb_loop_summary *summary = &walk->summaries[number];
  if (loop->irreducible || loop->depth > MOST_DEPTH)
    return WARPBOUND_OK;
  choose_loop(walk, number);
  if (!is_natural_loop(walk, loop))
    return WARPBOUND_OK;
  if (!wb_loop_summary_reset(summary))
    return wb_out_of_memory(walk->error);
  warpbound_status status = walk_region(walk);
  if (status != WARPBOUND_OK || summary->known)
    return status;
  /* No thread takes a back edge. */
  summary->known = summary->never = true;
  summary->test_count = 0;
  summary->leave_count = 0;
  summary->way_count = 0;
  for (size_t r = 0; r < WB_VALUE_COUNT; r++)
    summary->next[r] = wb_integer_of_register((uint16_t)r);
  return WARPBOUND_OK;
}

/* ---- iterations followed one by one ---- */

/* Follows the iterations of a loop from all its entries: what holds at the header in an iteration
 * follows from the one before (doc/loop-bounds.md, Lemma 6). Gives up where the state does not
 * change any more, or the limits above are reached. all: gets the registers at all visits of the
 * header where the state does not change, and *stable. */
static warpbound_status follow(struct walk *walk, uint32_t loop, struct wb_integer_state *state,
                               struct wb_integer *all, bool *stable)
{
  struct wb_found_bound *found = &walk->found[loop];
  struct wb_integer_state *back = wb_allocate(1, sizeof *back);
  warpbound_status status = back != NULL ? WARPBOUND_OK : wb_out_of_memory(walk->error);
  choose_loop(walk, loop);
  uint64_t visits = 0; /* in one iteration */
  for (size_t i = 0; i < walk->block_count; i++) {
    const struct wb_warp_block *block = &walk->flow->graph->blocks[walk->blocks[i]];
    visits += VISITS_OF_BLOCK + block->last - block->first;
  }
  walk->iteration = state;
  walk->back = back;
  memcpy(all, state->registers, sizeof state->registers);
  for (uint64_t i = 0; i <= MOST_FOLLOWED && status == WARPBOUND_OK; i++) {
    walk->visits += visits;
    wb_integer_state_forget_comparisons(state);
    walk->goes_back = false;
    status = walk_region(walk);
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
    if (walk->visits > MOST_VISITS || *stable)
      break;
    *state = *back;
    for (size_t r = 0; r < WB_VALUE_COUNT; r++)
      all[r] = wb_integer_join(&all[r], &state->registers[r]);
  }
  walk->iteration = NULL;
  free(back);
  return status;
}

/* Bounds a loop by what shrinks in each of its turns. within: the state at all visits of its
 * header. */
static warpbound_status rank(struct walk *walk, uint32_t loop, const struct wb_integer *entry,
                             const struct wb_integer *within)
{
  struct wb_found_bound *found = &walk->found[loop];
  const struct wb_iterations known = bound_of(walk, loop);
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

/* Follows a loop that has no bound yet from the state at its entries; where that shows none, looks
 * for what shrinks. */
static warpbound_status follow_or_rank(struct walk *walk, uint32_t loop,
                                       struct wb_integer_state *state)
{
  const struct wb_loop_summary *summary = &walk->summaries[loop];
  struct wb_integer entry[WB_VALUE_COUNT];
  struct wb_integer all[WB_VALUE_COUNT];
  struct wb_integer_state within = *state;
  bool stable = false;
  warpbound_status status = WARPBOUND_OK;
  memcpy(entry, state->registers, sizeof entry);
  wb_loop_summary_accelerate(summary, NULL, &within);
  if (walk->visits <= MOST_VISITS && !wb_loop_summary_has_unknown_limits(summary, state))
    status = follow(walk, loop, state, all, &stable);
  if (status != WARPBOUND_OK || !bound_of(walk, loop).by_width)
    return status;
  for (size_t r = 0; r < WB_VALUE_COUNT && stable; r++)
    wb_integer_meet(&within.registers[r], &all[r]);
  return rank(walk, loop, entry, within.registers);
}

/* Follows the loops that have no bound yet; frees the states at their entries. */
static warpbound_status follow_loops(struct walk *walk, warpbound_status status)
{
  for (size_t l = 0; walk->entries != NULL && l < walk->forest->loop_count; l++) {
    if (walk->entries[l] != NULL && status == WARPBOUND_OK && bound_of(walk, (uint32_t)l).by_width)
      status = follow_or_rank(walk, (uint32_t)l, walk->entries[l]);
    free(walk->entries[l]);
    walk->entries[l] = NULL;
  }
  return status;
}

/* Inner loops first, each relative to its own header; then the whole graph from the kernel's
 * start. */
static warpbound_status walk_round(struct walk *walk)
{
  warpbound_status status = WARPBOUND_OK;
  for (size_t l = walk->forest->loop_count; l-- > 0 && status == WARPBOUND_OK;)
    status = summarise(walk, (uint32_t)l);
  walk->loop = NONE;
  walk->block_count = walk->flow->graph->block_count;
  for (size_t i = 0; i < walk->block_count; i++)
    walk->blocks[i] = walk->flow->order[i];
  return status == WARPBOUND_OK ? walk_region(walk) : status;
}

/* Bounds the loops that the code alone shows to go on only while lanes join. */
static warpbound_status find_joining_lanes(struct walk *walk)
{
  warpbound_status status = WARPBOUND_OK;
  for (size_t l = 0; l < walk->forest->loop_count && status == WARPBOUND_OK; l++) {
    const struct wb_loop *loop = &walk->forest->loops[l];
    if (loop->irreducible || loop->node_count > 2)
      continue;
    choose_loop(walk, (uint32_t)l);
    if (is_natural_loop(walk, loop) &&
        wb_loop_joins_lanes(walk->flow, loop->header, walk->blocks, walk->block_count))
      status = record(walk, (uint32_t)l, WB_JOINING_LANES_MOST,
                      "each back edge follows one more lane that has joined: at most 31");
  }
  return status;
}

static warpbound_status find(struct walk *walk)
{
  wb_thread_visit *visit = walk->visit;
  walk->visit = NULL;
  const size_t blocks = walk->flow->graph->block_count;
  const size_t loops = walk->forest->loop_count;
  struct wb_arena arena = {0};
  walk->summaries = wb_arena_array(&arena, struct wb_loop_summary, loops);
  walk->states = wb_arena_array(&arena, struct wb_integer_state *, blocks);
  walk->entries = wb_arena_array(&arena, struct wb_integer_state *, loops);
  walk->blocks = wb_arena_array(&arena, uint32_t, blocks);
  walk->region = wb_arena_array(&arena, uint32_t, blocks);
  warpbound_status status = arena.failed ? wb_out_of_memory(walk->error) : WARPBOUND_OK;
  if (status == WARPBOUND_OK)
    status = find_joining_lanes(walk);
  for (int round = 0; round < ROUNDS && status == WARPBOUND_OK; round++)
    status = walk_round(walk);
  /* A bound of a loop tells more of those around it and after it. */
  status = follow_loops(walk, status);
  if (status == WARPBOUND_OK && walk->followed)
    status = follow_loops(walk, walk_round(walk));
  walk->visit = visit;
  if (status == WARPBOUND_OK && visit != NULL)
    status = follow_loops(walk, walk_round(walk));
  for (size_t l = 0; walk->summaries != NULL && l < loops; l++) {
    struct wb_found_bound *found = &walk->found[l];
    wb_loop_summary_steps(&walk->summaries[l], &found->step_least, &found->step_most);
    wb_loop_summary_free(&walk->summaries[l]);
  }
  wb_arena_free(&arena);
  return status;
}

/* *whole: the flow of threads is known. */
static warpbound_status find_in(struct walk *walk, const struct wb_warp_graph *graph,
                                const struct wb_launch *launch, bool *whole)
{
  struct wb_thread_flow flow;
  const size_t loops = walk->forest->loop_count;
  walk->flow = &flow;
  walk->turns = MOST_OF_TURNS;
  walk->domain.launch = launch;
  walk->domain.comparisons = &walk->comparisons;
  walk->domain.carries = &walk->carries;
  walk->domain.slots = &walk->slots;
  walk->domain.quotients = &walk->quotients;
  for (size_t l = 0; l < loops; l++)
    walk->found[l] = (struct wb_found_bound){0};
  warpbound_status status = wb_thread_flow_make(graph, walk->forest, &flow, walk->error);
  assert(status != WARPBOUND_OK || wb_thread_flow_is_valid(&flow));
  *whole = status == WARPBOUND_OK && flow.whole;
  if (*whole && (loops > 0 || walk->visit != NULL))
    status = find(walk);
  walk->flow = NULL;
  wb_thread_flow_free(&flow);
  return status;
}

warpbound_status wb_threads_visit(const struct wb_warp_graph *graph,
                                  const struct wb_loop_forest *forest,
                                  const struct wb_launch *launch, wb_thread_visit *visit,
                                  void *context, bool *whole, warpbound_error *error)
{
  struct walk walk = {.forest = forest, .visit = visit, .visitor = context, .error = error};
  walk.found = wb_allocate(forest->loop_count, sizeof *walk.found);
  if (walk.found == NULL)
    return wb_out_of_memory(error);
  const warpbound_status status = find_in(&walk, graph, launch, whole);
  wb_found_bounds_free(walk.found, forest->loop_count);
  return status;
}

warpbound_status wb_loop_bounds_find(const struct wb_warp_graph *graph,
                                     const struct wb_loop_forest *forest,
                                     const struct wb_launch *launch, struct wb_found_bound *found,
                                     warpbound_error *error)
{
  struct walk walk = {.forest = forest, .found = found, .error = error};
  bool whole;
  const warpbound_status status = find_in(&walk, graph, launch, &whole);
  /* More than the bound can be shown only of a loop that no thread both enters and leaves. */
  for (size_t l = 0; l < forest->loop_count; l++) {
    if (found[l].found && found[l].least > found[l].bound)
      found[l].least = found[l].bound;
  }
  return status;
}

void wb_found_bounds_free(struct wb_found_bound *found, size_t count)
{
  for (size_t l = 0; found != NULL && l < count; l++) {
    free(found[l].reason);
    free(found[l].hint);
  }
  free(found);
}
