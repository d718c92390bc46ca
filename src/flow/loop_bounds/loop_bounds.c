#include "flow/loop_bounds/loop_bounds.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/text.h"
#include "flow/loop_bounds/loop_choices.h"
#include "flow/loop_bounds/loop_lanes.h"
#include "flow/loop_bounds/loop_summary.h"
#include "flow/loop_bounds/loop_walk.h"
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

/* Instructions that are looked at to find turns, in one function. */
#define MOST_OF_TURNS (1U << 18)

/* Whether the pass summarises a loop. */
static bool summarises(const struct wb_loop_walk *walk)
{
  return walk->loop != NONE && walk->iteration == NULL;
}

/* ---- tests ---- */

/* The sum of that number, where its terms are registers at the header. */
static struct wb_loop_sum sum_of_registers(const struct wb_terms *terms, uint32_t number)
{
  struct wb_loop_sum registers = {.known = false};
  const struct wb_sum *sum = number == 0 ? NULL : wb_terms_sum(terms, number);
  if (sum == NULL)
    return registers;
  registers = (struct wb_loop_sum){.known = true, .number = sum->number, .count = sum->count};
  for (size_t t = 0; t < sum->count; t++) {
    const struct wb_term *term = &terms->terms[sum->terms[t].term];
    registers.known = registers.known && term->kind == WB_TERM_START;
    registers.registers[t] = (uint16_t)term->key;
    registers.factors[t] = sum->terms[t].factor;
  }
  return registers;
}

/* Both sides of words, and their difference. */
static void find_sums(struct wb_terms *terms, struct wb_loop_test *test)
{
  const uint32_t *sides = test->comparison.sums;
  if (test->comparison.wide)
    return;
  const uint32_t difference = wb_terms_add(terms, sides[0], sides[1], UINT32_MAX, 0);
  test->difference = sum_of_registers(terms, difference);
  for (size_t s = 0; s < 2; s++)
    test->sides[s] = sum_of_registers(terms, sides[s]);
}

static warpbound_status collect_tests(struct wb_loop_walk *walk, const struct wb_block_end *end)
{
  const uint32_t block = end->block;
  struct wb_loop_summary *summary = &walk->summaries[walk->loop];
  const struct wb_dominators *tree = &walk->flow->dominators;
  if (tree->position[block] > walk->first_source ||
      walk->last_source >= tree->position[block] + tree->size[block])
    return WARPBOUND_OK;
  for (unsigned condition = 0; condition < WB_EDGE_CONDITIONS; condition++) {
    for (uint32_t row = wb_staying_comparisons(end, condition); row != 0;
         row = walk->comparisons.rows[row].next) {
      if (!wb_grow(summary->tests, &summary->test_capacity, summary->test_count + 1))
        return wb_out_of_memory(walk->error);
      struct wb_loop_test *test = &summary->tests[summary->test_count++];
      *test = (struct wb_loop_test){.comparison = walk->comparisons.rows[row],
                                    .leaves = walk->flow->graph->blocks[block].last};
      find_sums(&walk->terms, test);
    }
  }
  return WARPBOUND_OK;
}

/* ---- states ---- */

static struct wb_integer_state *state_at(struct wb_loop_walk *walk, uint32_t block)
{
  if (walk->states[block] == NULL)
    walk->states[block] = wb_allocate(1, sizeof **walk->states);
  return walk->states[block];
}

struct wb_iterations wb_loop_walk_bound(const struct wb_loop_walk *walk, uint32_t loop)
{
  const struct wb_found_bound *found = &walk->found[loop];
  return found->found ? (struct wb_iterations){found->bound, found->by_width}
                      : (struct wb_iterations){UINT64_MAX, true};
}

/* Records a bound that is not above a known one. */
static warpbound_status record(struct wb_loop_walk *walk, uint32_t loop, uint64_t bound,
                               const char *why)
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

/* Keeps the state at all entries of a loop without a bound that is of use, or with loops inside. */
static warpbound_status keep_entry(struct wb_loop_walk *walk, uint32_t loop,
                                   const struct wb_integer_state *state)
{
  const struct wb_iterations bound = wb_loop_walk_bound(walk, loop);
  if (!walk->summaries[loop].known || !(bound.by_width || walk->holds[loop]))
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
static warpbound_status accelerate_loop(struct wb_loop_walk *walk, uint32_t loop,
                                        struct wb_integer_state *state)
{
  const struct wb_function *function = walk->flow->graph->function;
  struct wb_loop_count count;
  struct wb_loop_summary *summary = &walk->summaries[loop];
  struct wb_found_bound *found = &walk->found[loop];
  struct wb_iterations bound = wb_loop_walk_bound(walk, loop);
  const bool counted = wb_loop_summary_count(summary, &walk->terms, state, &count);
  count.slots = &walk->slots;
  const bool better = counted && wb_iterations_better(&count.bound, &bound);
  warpbound_status status = WARPBOUND_OK;
  /* An iteration that is followed shows some of the entries alone. */
  const bool all_entries = walk->iteration == NULL && !walk->tries;
  if (summary->never && walk->inner != NULL)
    walk->inner[loop] = 0;
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
    wb_loop_summary_set_constants(summary, &walk->terms, state);
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
  if (walk->inner != NULL && !bound.by_width)
    walk->inner[loop] = bound.most;
  wb_loop_summary_accelerate(summary, bound.most < UINT64_MAX ? &bound : NULL, state);
  return status;
}

/* The same, with what the entries tell of registers that follow each other. */
static warpbound_status enter_loop(struct wb_loop_walk *walk, uint32_t loop,
                                   struct wb_integer_state *state)
{
  struct wb_loop_summary *summary = &walk->summaries[loop];
  struct wb_loop_followers followers;
  wb_loop_followers_put(summary, &walk->terms, state, &followers);
  const warpbound_status status = accelerate_loop(walk, loop, state);
  wb_loop_followers_take_back(summary, &followers);
  return status;
}

/* Completes the state at the block's start from that of its forward edges. reached: there is one;
 * *dead: no thread reaches the block. */
static warpbound_status complete_state(struct wb_loop_walk *walk, uint32_t block,
                                       struct wb_integer_state *state, bool reached, bool *dead)
{
  *dead = false;
  if (walk->loop != NONE && walk->forest->loops[walk->loop].header == block) {
    if (walk->iteration != NULL) {
      *state = *walk->iteration;
      wb_integer_state_forget_sums(state); /* they are of another walk */
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
  if (walk->inner != NULL && loop != NONE)
    walk->inner[loop] = UINT64_MAX;
  return retreats && explained ? enter_loop(walk, loop, state) : WARPBOUND_OK;
}

/* ---- edges ---- */

/* Adds the state of a back edge to what one iteration does. */
static void go_back(struct wb_loop_walk *walk, const struct wb_integer_state *after)
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

static warpbound_status leave_block(struct wb_loop_walk *walk, const struct wb_block_end *end)
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

static void note_writes(struct wb_loop_walk *walk, const struct wb_instruction *instruction)
{
  const struct wb_function *function = walk->flow->graph->function;
  struct wb_loop_summary *summary = &walk->summaries[walk->loop];
  if (instruction->unknown)
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

static warpbound_status walk_block(struct wb_loop_walk *walk, uint32_t block)
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
                                   .terms = &walk->terms,
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

warpbound_status wb_loop_walk_region(struct wb_loop_walk *walk)
{
  warpbound_status status = WARPBOUND_OK;
  walk->domain.keeps_lane_words = walk->loop == NONE;
  walk->domain.some_iterations = walk->iteration != NULL;
  for (size_t i = 0; i < walk->block_count && status == WARPBOUND_OK; i++)
    status = walk_block(walk, walk->blocks[i]);
  if (status == WARPBOUND_OK && (walk->comparisons.failed || walk->carries.failed))
    status = wb_out_of_memory(walk->error);
  for (size_t i = 0; i < walk->block_count; i++) {
    free(walk->states[walk->blocks[i]]);
    walk->states[walk->blocks[i]] = NULL;
  }
  wb_comparisons_free(&walk->comparisons);
  wb_terms_clear(&walk->terms);
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
static bool is_natural_loop(struct wb_loop_walk *walk, const struct wb_loop *loop)
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

void wb_loop_walk_choose(struct wb_loop_walk *walk, uint32_t number)
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

/* Walks over one iteration of the loop. */
static warpbound_status walk_summarised(struct wb_loop_walk *walk,
                                        const struct wb_loop_summary *summary)
{
  walk->domain.fixed = summary->entered ? summary->fixed : NULL;
  const warpbound_status status = wb_loop_walk_region(walk);
  walk->domain.fixed = NULL;
  return status;
}

/* Iterations that are tried with what registers are supposed to hold. */
#define MOST_TRIED 3

/* Supposes less, until one iteration leaves all that is supposed as it is. */
static warpbound_status try_suppositions(struct wb_loop_walk *walk, struct wb_loop_summary *summary)
{
  warpbound_status status = WARPBOUND_OK;
  for (unsigned tried = 1; status == WARPBOUND_OK && wb_loop_summary_supposes(summary); tried++) {
    if (!wb_loop_summary_reset(summary))
      return wb_out_of_memory(walk->error);
    walk->tries = true;
    status = walk_summarised(walk, summary);
    walk->tries = false;
    if (status == WARPBOUND_OK && wb_loop_summary_confirm(summary, tried == MOST_TRIED))
      break;
  }
  return status;
}

static warpbound_status summarise(struct wb_loop_walk *walk, uint32_t number)
{
  const struct wb_loop *loop = &walk->forest->loops[number];
  struct wb_loop_summary *summary = &walk->summaries[number];
  if (loop->irreducible || loop->depth > MOST_DEPTH)
    return WARPBOUND_OK;
  wb_loop_walk_choose(walk, number);
  if (!is_natural_loop(walk, loop))
    return WARPBOUND_OK;
  warpbound_status status = try_suppositions(walk, summary);
  if (status == WARPBOUND_OK && !wb_loop_summary_reset(summary))
    return wb_out_of_memory(walk->error);
  if (status == WARPBOUND_OK)
    status = walk_summarised(walk, summary);
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

/* Inner loops first, each relative to its own header; then the whole graph from the kernel's
 * start. */
static warpbound_status walk_round(struct wb_loop_walk *walk)
{
  warpbound_status status = WARPBOUND_OK;
  for (size_t l = walk->forest->loop_count; l-- > 0 && status == WARPBOUND_OK;)
    status = summarise(walk, (uint32_t)l);
  walk->loop = NONE;
  walk->block_count = walk->flow->graph->block_count;
  for (size_t i = 0; i < walk->block_count; i++)
    walk->blocks[i] = walk->flow->order[i];
  for (size_t i = 0; i < walk->flow->graph->function->instruction_count; i++)
    walk->domain.lane_words[i].known = false;
  return status == WARPBOUND_OK ? wb_loop_walk_region(walk) : status;
}

/* Bounds the loops that the code alone shows to go on only while lanes join, or are chosen. */
static warpbound_status count_lanes(struct wb_loop_walk *walk)
{
  warpbound_status status = WARPBOUND_OK;
  for (size_t l = 0; l < walk->forest->loop_count && status == WARPBOUND_OK; l++) {
    const struct wb_loop *loop = &walk->forest->loops[l];
    if (loop->irreducible || loop->node_count > 2)
      continue;
    wb_loop_walk_choose(walk, (uint32_t)l);
    struct wb_lane_choices choices;
    if (!is_natural_loop(walk, loop))
      continue;
    if (wb_loop_joins_lanes(walk->flow, loop->header, walk->blocks, walk->block_count))
      status = record(walk, (uint32_t)l, WB_JOINING_LANES_MOST,
                      "each back edge follows one more lane that has joined: at most 31");
    else if (wb_loop_chooses_lanes(walk->flow, loop->header, walk->block_count, &choices)) {
      status = record(walk, (uint32_t)l, choices.bound, choices.reason);
      walk->found[l].assumption = choices.assumption;
    }
  }
  return status;
}

static warpbound_status find(struct wb_loop_walk *walk)
{
  wb_thread_visit *visit = walk->visit;
  walk->visit = NULL;
  const size_t blocks = walk->flow->graph->block_count;
  const size_t loops = walk->forest->loop_count;
  struct wb_arena arena = {0};
  walk->summaries = wb_arena_array(&arena, struct wb_loop_summary, loops);
  walk->states = wb_arena_array(&arena, struct wb_integer_state *, blocks);
  walk->entries = wb_arena_array(&arena, struct wb_integer_state *, loops);
  walk->holds = wb_arena_array(&arena, bool, loops);
  walk->blocks = wb_arena_array(&arena, uint32_t, blocks);
  walk->region = wb_arena_array(&arena, uint32_t, blocks);
  walk->domain.lane_words =
      wb_arena_array(&arena, struct wb_lane_word, walk->flow->graph->function->instruction_count);
  warpbound_status status = arena.failed ? wb_out_of_memory(walk->error) : WARPBOUND_OK;
  for (size_t l = 0; status == WARPBOUND_OK && l < loops; l++) {
    if (walk->forest->loops[l].parent != NONE)
      walk->holds[walk->forest->loops[l].parent] = true;
  }
  if (status == WARPBOUND_OK)
    status = count_lanes(walk);
  /* Without loops one round tells all. */
  const int rounds = loops > 0 ? ROUNDS : visit == NULL;
  for (int round = 0; round < rounds && status == WARPBOUND_OK; round++)
    status = walk_round(walk);
  /* A bound of a loop tells more of those around it and after it. */
  if (status == WARPBOUND_OK)
    status = wb_loop_walk_follow(walk);
  if (status == WARPBOUND_OK && walk->followed)
    status = walk_round(walk);
  if (status == WARPBOUND_OK && walk->followed)
    status = wb_loop_walk_follow(walk);
  if (status == WARPBOUND_OK && visit == NULL)
    status = wb_loop_walk_sum(walk);
  walk->visit = visit;
  if (status == WARPBOUND_OK && visit != NULL)
    status = walk_round(walk);
  for (size_t l = 0; walk->summaries != NULL && l < loops; l++) {
    struct wb_found_bound *found = &walk->found[l];
    wb_loop_summary_steps(&walk->summaries[l], &found->step_least, &found->step_most);
    wb_loop_summary_free(&walk->summaries[l]);
  }
  for (size_t l = 0; walk->entries != NULL && l < loops; l++)
    free(walk->entries[l]);
  walk->domain.lane_words = NULL;
  wb_arena_free(&arena);
  return status;
}

/* *whole: the flow of threads is known. */
static warpbound_status find_in(struct wb_loop_walk *walk, const struct wb_warp_graph *graph,
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
  walk->domain.terms = &walk->terms;
  for (size_t l = 0; l < loops; l++)
    walk->found[l] = (struct wb_found_bound){0};
  warpbound_status status = wb_thread_flow_make(graph, walk->forest, &flow, walk->error);
  assert(status != WARPBOUND_OK || wb_thread_flow_is_valid(&flow));
  *whole = status == WARPBOUND_OK && flow.whole;
  if (*whole && (loops > 0 || walk->visit != NULL))
    status = find(walk);
  walk->flow = NULL;
  wb_terms_free(&walk->terms);
  wb_thread_flow_free(&flow);
  return status;
}

warpbound_status wb_threads_visit(const struct wb_warp_graph *graph,
                                  const struct wb_loop_forest *forest,
                                  const struct wb_launch *launch, wb_thread_visit *visit,
                                  void *context, bool *whole, warpbound_error *error)
{
  struct wb_loop_walk walk = {.forest = forest, .visit = visit, .visitor = context, .error = error};
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
  struct wb_loop_walk walk = {.forest = forest, .found = found, .error = error};
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
