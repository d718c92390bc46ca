#include "flow/barriers/barrier_groups.h"

#include "base/arena.h"
#include "flow/barriers/barrier_agreement.h"
#include "flow/barriers/barrier_visits.h"
#include "flow/barriers/counted_barriers.h"
#include "isa/opcode.h"
#include "values/interval/launch_values.h"

#include <string.h>

#define WARP_THREADS 32
#define MOST_WARPS 32
#define NUMBERS 16 /* of barriers that a block has */

/* A set of warps of the block, or of numbers of barriers, is a mask. */
struct search {
  const struct wb_group_question *question;
  const struct wb_warp_graph *graph;
  const struct wb_function *function;
  struct wb_arena arena;
  uint32_t block[3]; /* threads */
  uint32_t warps;
  struct wb_barrier_visits visits[MOST_WARPS]; /* by warp */
  uint32_t members[NUMBERS];                   /* the warps that come to counted barriers of it */
  uint32_t threads[NUMBERS];                   /* which these count */
  uint32_t of_block;                           /* numbers of the block's barriers */
  bool reads_only;
  warpbound_error *error;
};

/* ---- what each warp may do ---- */

/* Visits the code as each warp; *boxes: false where warps have no boxes of threads, or their way is
 * not known. */
static warpbound_status visit_warps(struct search *search, bool *boxes)
{
  struct wb_launch launch = *search->question->launch;
  struct wb_launch_slice slice;
  warpbound_status status = WARPBOUND_OK;
  memcpy(launch.block, search->block, sizeof launch.block);
  launch.slice = &slice;
  *boxes = true;
  for (uint32_t w = 0; w < search->warps && status == WARPBOUND_OK && *boxes; w++) {
    *boxes = wb_warp_slice(&launch, w, &slice);
    if (*boxes)
      status = wb_barrier_visits_find(search->graph, search->question->forest, &launch,
                                      &search->arena, &search->visits[w], search->error);
    *boxes = *boxes && status == WARPBOUND_OK && search->visits[w].known;
  }
  return status;
}

/* ---- groups ---- */

/* Whether the warp may do the barrier. */
static bool passes(const struct search *search, uint32_t warp, uint32_t instruction)
{
  const struct wb_barrier_visits *visits = &search->visits[warp];
  return visits->reached[instruction] && !visits->idle[instruction];
}

/* Takes the barrier as the warp does it; false where it is none that waits for the block, or for
 * warps that are counted. */
static bool take_barrier(struct search *search, uint32_t warp, uint32_t instruction)
{
  const struct wb_instruction *barrier = &search->function->instructions[instruction];
  const struct wb_barrier_name *name = &search->visits[warp].names[instruction];
  if (!name->known || name->number >= NUMBERS || barrier->unknown)
    return false;
  if (barrier->unit == WB_UNIT_BARRIER) {
    search->of_block |= UINT32_C(1) << name->number;
    return true;
  }
  if (!name->counted || !wb_instruction_has(barrier, WB_MODIFIER_SYNC) || name->threads == 0)
    return false;
  if (search->members[name->number] == 0)
    search->threads[name->number] = name->threads;
  search->members[name->number] |= UINT32_C(1) << warp;
  return search->threads[name->number] == name->threads;
}

static uint32_t count_warps(uint32_t set)
{
  uint32_t count = 0;
  for (; set > 0; set &= set - 1)
    count++;
  return count;
}

/* Whether the barriers make groups: each number is the block's, or one group's whose warps it
 * counts; no warp is in two groups. */
static bool find_groups(struct search *search)
{
  for (uint32_t b = 0; b < search->graph->block_count; b++) {
    const struct wb_warp_block *block = &search->graph->blocks[b];
    for (uint32_t i = block->first; i <= block->last; i++) {
      const struct wb_instruction *barrier = &search->function->instructions[i];
      for (uint32_t w = 0; w < search->warps; w++) {
        if (wb_instruction_is(barrier, WB_TRAIT_BLOCK_BARRIER) && !barrier->never &&
            passes(search, w, i) && !take_barrier(search, w, i))
          return false;
      }
    }
  }
  for (unsigned n = 0; n < NUMBERS; n++) {
    const uint32_t members = search->members[n];
    if (members != 0 && ((search->of_block >> n & 1) != 0 ||
                         search->threads[n] != WARP_THREADS * count_warps(members)))
      return false;
    for (unsigned m = 0; m < n; m++) {
      if ((search->members[m] & members) != 0 && search->members[m] != members)
        return false;
    }
  }
  return true;
}

/* Whether all warps of a group that come to a barrier come to that of one number. */
static bool name_alike(const struct search *search)
{
  for (size_t i = 0; i < search->function->instruction_count; i++) {
    const struct wb_instruction *barrier = &search->function->instructions[i];
    const bool counted = wb_instruction_is(barrier, WB_TRAIT_BLOCK_BARRIER) && !barrier->never &&
                         barrier->unit != WB_UNIT_BARRIER;
    for (uint32_t w = 0; w < search->warps && counted; w++) {
      for (uint32_t v = 0; v < w && passes(search, w, (uint32_t)i); v++) {
        const uint32_t number = search->visits[w].names[i].number;
        if (passes(search, v, (uint32_t)i) && (search->members[number] >> v & 1) != 0 &&
            search->visits[v].names[i].number != number)
          return false;
      }
    }
  }
  return true;
}

/* ---- the code of a group ---- */

/* Whether it holds of the instruction for all warps of a group: by[w][i]. */
static bool all_of(const struct search *search, uint32_t group, size_t instruction,
                   bool *(*of)(const struct wb_barrier_visits *visits))
{
  bool all = true;
  for (uint32_t w = 0; w < search->warps && all; w++)
    all = (group >> w & 1) == 0 || of(&search->visits[w])[instruction];
  return all;
}

static bool *idle_of(const struct wb_barrier_visits *visits)
{
  return visits->idle;
}

static bool *always_of(const struct wb_barrier_visits *visits)
{
  return visits->always;
}

/* Whether some warp of the group may come to the instruction. */
static bool is_reached(const struct search *search, uint32_t group, size_t instruction)
{
  bool reached = false;
  for (uint32_t w = 0; w < search->warps && !reached; w++)
    reached = (group >> w & 1) != 0 && search->visits[w].reached[instruction];
  return reached;
}

/* Whether a way out of a block, by a branch or an end, goes by its guard alone. */
static bool goes_by_guard(const struct wb_instruction *last)
{
  return last->guarded && !last->conditional_code && !last->second_predicate && !last->together &&
         !last->unknown && !last->never &&
         (last->transfer == WB_TRANSFER_BRANCH || last->transfer == WB_TRANSFER_EXIT);
}

/* Whether a warp of the group may go along an edge. */
static bool may_take(const struct search *search, uint32_t group, const struct wb_warp_edge *edge)
{
  const struct wb_warp_graph *graph = search->graph;
  const uint32_t last = graph->blocks[edge->from].last;
  const struct wb_instruction *way = &search->function->instructions[last];
  bool may = is_reached(search, group, graph->blocks[edge->from].first) &&
             is_reached(search, group, graph->blocks[edge->to].first);
  if (goes_by_guard(way) && edge->kind == WB_EDGE_FALLTHROUGH)
    may = may && !all_of(search, group, last, always_of);
  if (goes_by_guard(way) && edge->kind == WB_EDGE_BRANCH)
    may = may && !all_of(search, group, last, idle_of);
  return may;
}

/* The graph of what warps of a group may do; its arrays are in the arena. In its function barriers
 * that none of them does are none, those of the group are barriers, and guards that are true for
 * all of them are none. False where memory fails. */
static bool narrow(struct search *search, uint32_t group, struct wb_warp_graph *narrowed)
{
  const struct wb_warp_graph *graph = search->graph;
  const size_t count = search->function->instruction_count;
  struct wb_function *function = wb_arena_array(&search->arena, struct wb_function, 1);
  struct wb_instruction *instructions =
      wb_arena_array(&search->arena, struct wb_instruction, count);
  *narrowed = *graph;
  narrowed->edges = wb_arena_array(&search->arena, struct wb_warp_edge, graph->edge_count);
  narrowed->ends = wb_arena_array(&search->arena, bool, graph->block_count);
  narrowed->edge_count = 0;
  if (search->arena.failed)
    return false;
  *function = *search->function;
  memcpy(instructions, search->function->instructions, count * sizeof *instructions);
  function->instructions = instructions;
  narrowed->function = function;
  for (size_t i = 0; i < count; i++) {
    if (!wb_instruction_is(&instructions[i], WB_TRAIT_BLOCK_BARRIER))
      continue;
    const bool done = is_reached(search, group, i) && !all_of(search, group, i, idle_of);
    instructions[i].unit = (uint8_t)(done ? WB_UNIT_BARRIER : WB_UNIT_NONE);
    instructions[i].guarded = instructions[i].guarded && !all_of(search, group, i, always_of);
  }
  for (size_t e = 0; e < graph->edge_count; e++) {
    if (may_take(search, group, &graph->edges[e]))
      narrowed->edges[narrowed->edge_count++] = graph->edges[e];
  }
  for (uint32_t b = 0; b < graph->block_count; b++) {
    const uint32_t last = graph->blocks[b].last;
    narrowed->ends[b] = graph->ends[b] && is_reached(search, group, graph->blocks[b].first) &&
                        !(goes_by_guard(&search->function->instructions[last]) &&
                          all_of(search, group, last, idle_of));
  }
  return true;
}

/* Whether the warps that are compared in a graph pass as many barriers. */
static warpbound_status compare(struct search *search, const struct wb_warp_graph *graph,
                                enum wb_compared_warps compared, bool *same)
{
  struct wb_barrier_agreement agreement;
  const warpbound_status status = wb_barrier_agreement_find(
      graph, WB_ENDS_ALIKE, compared, search->question->unchanged, &agreement, search->error);
  if (status != WARPBOUND_OK)
    return status;
  *same = agreement.as_many;
  search->reads_only |= agreement.reads_only;
  wb_barrier_agreement_free(&agreement);
  return WARPBOUND_OK;
}

/* Whether all warps of the block pass as many of its barriers, and those of each group as many of
 * both kinds. */
static warpbound_status compare_all(struct search *search, bool *same)
{
  uint32_t done = 0; /* warps whose groups were looked at */
  warpbound_status status = compare(search, search->graph, WB_COMPARED_BLOCK, same);
  for (unsigned n = 0; n < NUMBERS && status == WARPBOUND_OK && *same; n++) {
    struct wb_warp_graph narrowed;
    if (search->members[n] == 0 || (search->members[n] & done) != 0)
      continue;
    done |= search->members[n];
    status = narrow(search, search->members[n], &narrowed) ? WARPBOUND_OK
                                                           : wb_out_of_memory(search->error);
    if (status == WARPBOUND_OK)
      status = compare(search, &narrowed, WB_COMPARED_GROUP, same);
  }
  return status;
}

warpbound_status wb_barrier_groups_find(const struct wb_group_question *question,
                                        struct wb_instruction *instructions, bool *shown,
                                        bool *reads_only, warpbound_error *error)
{
  struct search search = {.question = question,
                          .graph = question->graph,
                          .function = question->graph->function,
                          .error = error};
  const uint32_t threads = wb_barrier_threads(search.function, question->launch);
  bool boxes = false;
  *shown = *reads_only = false;
  if (threads == 0 || question->launch == NULL)
    return WARPBOUND_OK;
  search.warps = threads / WARP_THREADS;
  memcpy(search.block,
         question->launch->block[0] > 0 ? question->launch->block : search.function->required_block,
         sizeof search.block);
  warpbound_status status = visit_warps(&search, &boxes);
  if (status == WARPBOUND_OK && boxes && find_groups(&search) && name_alike(&search))
    status = compare_all(&search, shown);
  for (size_t i = 0; i < search.function->instruction_count && status == WARPBOUND_OK && *shown;
       i++) {
    bool done = false;
    for (uint32_t w = 0; w < search.warps; w++)
      done |= passes(&search, w, (uint32_t)i);
    if (!wb_instruction_is(&instructions[i], WB_TRAIT_BLOCK_BARRIER))
      continue;
    instructions[i].never |= !done;
    instructions[i].unit = (uint8_t)(done ? WB_UNIT_BARRIER : instructions[i].unit);
  }
  *reads_only = search.reads_only;
  wb_arena_free(&search.arena);
  return status;
}
