#include "flow/loop_bounds/loop_turns.h"

#include "flow/definitions/definitions.h"

#include <string.h>

#define NONE UINT32_MAX

struct search {
  const struct wb_thread_flow *flow;
  const struct wb_loop_forest *forest;
  uint32_t loop;
  bool *needed;     /* by register or predicate: the loop's tests depend on it */
  uint32_t *within; /* by block of the loop: the loop directly inside it that the block is in, or
                       the loop itself; NONE: outside */
  struct wb_forms *forms;
  uint64_t *budget;
  struct wb_turns *turns;
};

/* ---- what the tests depend on ---- */

/* Whether the instruction may write a register that is needed. */
static bool writes_needed(const struct search *search, uint32_t index)
{
  const struct wb_function *function = search->flow->graph->function;
  const struct wb_instruction *instruction = &function->instructions[index];
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const struct wb_register_span *span = &function->spans[instruction->first_write + s];
    for (unsigned r = span->first; r < (unsigned)span->first + span->count; r++) {
      if (search->needed[r])
        return true;
    }
  }
  return instruction->unknown;
}

/* Whether something becomes needed that was not. */
static bool need_reads(struct search *search, uint32_t index)
{
  struct wb_value_sources reads;
  bool more = false;
  wb_register_reads_find(search->flow->graph->function, index, &reads);
  for (size_t s = 0; s < reads.count; s++) {
    more |= !search->needed[reads.items[s].number];
    search->needed[reads.items[s].number] = true;
  }
  return more;
}

/* Finds what the ends of blocks depend on, backwards. False where that is too much. */
static bool find_needed(struct search *search)
{
  const struct wb_warp_graph *graph = search->flow->graph;
  const struct wb_loop *loop = &search->forest->loops[search->loop];
  bool more = true;
  for (bool first = true; more; first = false) {
    more = first;
    for (size_t n = loop->node_count; n-- > 0;) {
      const uint32_t block = search->forest->nodes[loop->first_node + n];
      const struct wb_warp_block *what = &graph->blocks[block];
      if (search->within[block] != search->loop)
        continue;
      if (*search->budget < what->last - what->first + 1)
        return false;
      *search->budget -= what->last - what->first + 1;
      if (first && search->flow->leaving.first[block + 1] - search->flow->leaving.first[block] > 0)
        need_reads(search, what->last);
      for (uint32_t i = what->last + 1; i-- > what->first;)
        more |= writes_needed(search, i) && need_reads(search, i);
    }
  }
  struct wb_turns *turns = search->turns;
  for (size_t r = 0; r < WB_VALUE_COUNT; r++) {
    if (!search->needed[r] || wb_predicate_index((uint32_t)r) < WB_TRUTH_COUNT)
      continue;
    if (turns->register_count == WB_TURN_REGISTERS)
      return false;
    turns->registers[turns->register_count++] = (uint16_t)r;
  }
  return true;
}

/* ---- ways ---- */

/* Edges that leave the block, or the inner loop that it is in, for a block of the loop: their
 * number, or that of the edge `wanted` of them. */
static uint32_t find_edges(const struct search *search, uint32_t block, uint32_t wanted,
                           uint32_t *edge)
{
  const struct wb_thread_flow *flow = search->flow;
  const uint32_t inner = search->within[block];
  const struct wb_loop *loop = &search->forest->loops[inner];
  const uint32_t *nodes = &block;
  size_t count = 1;
  uint32_t found = 0;
  if (inner != search->loop) {
    nodes = &search->forest->nodes[loop->first_node];
    count = loop->node_count;
  }
  for (size_t n = 0; n < count; n++) {
    for (uint32_t i = flow->leaving.first[nodes[n]]; i < flow->leaving.first[nodes[n] + 1]; i++) {
      const uint32_t it = flow->leaving.list[i];
      const uint32_t to = search->within[flow->to[it]];
      if (to == NONE || (inner != search->loop && to == inner))
        continue;
      if (found++ == wanted)
        *edge = it;
    }
  }
  return found;
}

static void forget_loop(struct search *search, uint32_t inner)
{
  const struct wb_loop *loop = &search->forest->loops[inner];
  for (size_t n = 0; n < loop->node_count; n++) {
    const struct wb_warp_block *what =
        &search->flow->graph->blocks[search->forest->nodes[loop->first_node + n]];
    for (uint32_t i = what->first; i <= what->last; i++)
      wb_forms_forget(search->forms, i);
  }
}

/* Takes one way from the header. True where it ends in a back edge. */
static bool take_way(struct search *search)
{
  const struct wb_thread_flow *flow = search->flow;
  const struct wb_loop *loop = &search->forest->loops[search->loop];
  uint32_t block = loop->header;
  size_t steps = 0;
  wb_forms_start(search->forms);
  do {
    const struct wb_warp_block *what = &flow->graph->blocks[block];
    const bool inner = search->within[block] != search->loop;
    uint32_t edge = 0;
    if (steps++ > loop->node_count || *search->budget < what->last - what->first + 1) {
      search->forms->failed = true;
      return false;
    }
    *search->budget -= what->last - what->first + 1;
    if (inner)
      forget_loop(search, search->within[block]);
    for (uint32_t i = what->first; i <= what->last && !inner; i++) {
      if (writes_needed(search, i))
        wb_forms_transfer(search->forms, i);
    }
    const uint32_t count = find_edges(search, block, UINT32_MAX, &edge);
    if (count == 0 || search->forms->failed)
      return false;
    find_edges(search, block, wb_forms_choose(search->forms, count), &edge);
    for (unsigned condition = 0; condition < WB_EDGE_CONDITIONS && !inner; condition++) {
      size_t predicate;
      bool is_true;
      if (wb_edge_condition(flow, edge, condition, &predicate, &is_true) &&
          wb_forms_decide(search->forms, predicate) != is_true)
        return false;
    }
    block = flow->to[edge];
  } while (block != loop->header && !search->forms->failed);
  return !search->forms->failed;
}

/* Adds the turn that the way was. */
static bool add_turn(struct search *search)
{
  struct wb_turns *turns = search->turns;
  const struct wb_forms *forms = search->forms;
  struct wb_turn *turn = &turns->turns[turns->count];
  if (turns->count == WB_TURN_LIMIT)
    return false;
  turns->count++;
  turn->next = wb_arena_array(&turns->arena, struct wb_form, turns->register_count);
  turn->shifts = wb_arena_array(&turns->arena, struct wb_form_shift, forms->shift_count);
  turn->tests = wb_arena_array(&turns->arena, struct wb_turn_test, forms->test_count);
  turn->exact = wb_arena_array(&turns->arena, struct wb_exact, turns->register_count);
  turn->parts = wb_arena_array(&turns->arena, struct wb_exact_part, forms->part_count);
  turn->wide_tests = wb_arena_array(&turns->arena, struct wb_turn_wide_test, forms->test_count);
  if (turns->arena.failed)
    return false;
  for (size_t r = 0; r < turns->register_count; r++) {
    turn->next[r] = forms->registers[turns->registers[r]];
    turn->exact[r] = forms->exact[turns->registers[r]];
  }
  turn->part_count = forms->part_count;
  memcpy(turn->parts, forms->parts, forms->part_count * sizeof *forms->parts);
  memcpy(turn->shifts, forms->shifts, forms->shift_count * sizeof *forms->shifts);
  for (size_t t = 0; t < forms->test_count; t++) {
    const struct wb_form_test *test = &forms->tests[t];
    const enum wb_relation relation = (enum wb_relation)test->relation;
    if (test->truth == WB_TRUTH_UNKNOWN)
      continue;
    const uint8_t holds =
        (uint8_t)(test->truth == WB_TRUTH_TRUE ? relation : wb_relation_negated(relation));
    if (test->known)
      turn->tests[turn->test_count++] =
          (struct wb_turn_test){test->left, test->right, holds, test->as_signed};
    if (test->wide)
      turn->wide_tests[turn->wide_test_count++] =
          (struct wb_turn_wide_test){test->exact[0], test->exact[1], holds, test->as_signed};
  }
  return true;
}

bool wb_turns_find(const struct wb_thread_flow *flow, const struct wb_loop_forest *forest,
                   uint32_t loop, const struct wb_launch *launch, uint64_t *budget,
                   struct wb_turns *turns)
{
  struct wb_arena arena = {0};
  const struct wb_loop *it = &forest->loops[loop];
  struct search search = {.flow = flow,
                          .forest = forest,
                          .loop = loop,
                          .budget = budget,
                          .turns = turns,
                          .needed = wb_arena_array(&arena, bool, WB_REGISTER_COUNT),
                          .within = wb_arena_array(&arena, uint32_t, flow->graph->block_count),
                          .forms = wb_arena_array(&arena, struct wb_forms, 1)};
  *turns = (struct wb_turns){.function = flow->graph->function, .launch = launch};
  bool found = !arena.failed;
  for (size_t b = 0; found && b < flow->graph->block_count; b++)
    search.within[b] = NONE;
  for (size_t n = 0; found && n < it->node_count; n++) {
    const uint32_t block = forest->nodes[it->first_node + n];
    uint32_t inner = forest->innermost[block];
    while (inner != loop && forest->loops[inner].parent != loop)
      inner = forest->loops[inner].parent;
    search.within[block] = inner;
  }
  if (found) {
    search.forms->function = flow->graph->function;
    search.forms->launch = launch;
    found = find_needed(&search);
  }
  bool more = found;
  while (more) {
    if (take_way(&search))
      found = add_turn(&search);
    found = found && !search.forms->failed;
    more = found && wb_forms_next(search.forms);
  }
  if (found)
    memcpy(turns->constants, search.forms->constants, sizeof turns->constants);
  wb_arena_free(&arena);
  return found;
}

void wb_turns_free(struct wb_turns *turns)
{
  wb_arena_free(&turns->arena);
}

static size_t place_of(const struct wb_turns *turns, uint16_t number)
{
  size_t r = 0;
  while (r < turns->register_count && turns->registers[r] != number)
    r++;
  return r;
}

bool wb_turn_next(const struct wb_turns *turns, const struct wb_turn *turn, uint16_t number,
                  struct wb_form *next)
{
  const size_t place = place_of(turns, number);
  if (place < turns->register_count)
    *next = turn->next[place];
  return place < turns->register_count;
}

bool wb_turn_exact_next(const struct wb_turns *turns, const struct wb_turn *turn, uint16_t number,
                        struct wb_exact *next)
{
  const size_t place = place_of(turns, number);
  if (place < turns->register_count)
    *next = turn->exact[place];
  return place < turns->register_count;
}
