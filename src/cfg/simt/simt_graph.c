/* What the last pass notes, and what is made of it: the graph, the assumptions that it rests on,
 * and where the listing's annotations contradict it. */
#include "cfg/simt/simt_engine.h"

#include "base/memory.h"
#include "base/sorting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- notes about the block that is being done ---- */

void wb_simt_note_making(struct wb_simt_analysis *analysis, uint32_t continuation, bool divergent)
{
  struct wb_simt_record *record = analysis->record;
  if (record == NULL)
    return;
  if (!wb_grow(record->makings, &record->making_capacity, record->making_count + 1)) {
    wb_simt_no_memory(analysis);
    return;
  }
  analysis->noted += sizeof *record->makings;
  record->makings[record->making_count++] =
      (struct wb_simt_making){analysis->block.state, continuation, divergent};
}

void wb_simt_note_match(struct wb_simt_analysis *analysis, uint32_t point)
{
  struct wb_simt_record *record = analysis->record;
  if (record == NULL)
    return;
  if (!wb_grow(record->matches, &record->match_capacity, record->match_count + 1)) {
    wb_simt_no_memory(analysis);
    return;
  }
  analysis->noted += sizeof *record->matches;
  record->matches[record->match_count++] =
      (struct wb_simt_match){analysis->block.instruction, point};
}

void wb_simt_note_end(struct wb_simt_analysis *analysis)
{
  if (analysis->record != NULL)
    analysis->record->ends[analysis->block.state] = true;
}

void wb_simt_note(struct wb_simt_analysis *analysis, uint8_t flags)
{
  if (analysis->record != NULL)
    analysis->record->notes[analysis->block.instruction] |= flags;
}

/* ---- the graph ---- */

/* From states and continuations to blocks and entries. */
struct building {
  struct wb_arena arena; /* of the arrays and of what is scratch */
  bool *entered;         /* by instruction: control comes here otherwise than by falling in */
  uint32_t *blocks;      /* by state: the block of the graph that it is part of */
  uint32_t *entries;     /* by continuation: its entry in the graph */
};

/* The comparisons of C17's qsort know no context, so items carry their keys. */
struct ordered {
  uint64_t key;  /* what is compared first */
  uint32_t item; /* the number of a state or continuation */
};

static int by_key(const void *a, const void *b)
{
  const struct ordered *left = a;
  const struct ordered *right = b;
  return wb_compare_pairs(left->key, left->item, right->key, right->item);
}

static int by_ends(const void *a, const void *b)
{
  const struct wb_simt_edge *left = a;
  const struct wb_simt_edge *right = b;
  const int ends = wb_compare_pairs(left->from, left->to, right->from, right->to);
  return ends != 0 ? ends
                   : wb_compare_pairs(left->how.kind, left->how.continuation, right->how.kind,
                                      right->how.continuation);
}

static int by_block_and_entry(const void *a, const void *b)
{
  const struct wb_warp_push *left = a;
  const struct wb_warp_push *right = b;
  const int by_block = wb_compare_pairs(left->block, left->entry, right->block, right->entry);
  return by_block != 0 ? by_block : (int)left->divergent - (int)right->divergent;
}

static int by_edge_and_entry(const void *a, const void *b)
{
  const struct wb_warp_pop *left = a;
  const struct wb_warp_pop *right = b;
  return wb_compare_pairs(left->edge, left->entry, right->edge, right->entry);
}

/* Blocks by (instruction, context), as the graph has them. */
static bool make_blocks(struct wb_simt_analysis *analysis, const struct wb_simt_record *record,
                        struct building *building)
{
  struct wb_warp_graph *graph = &analysis->graph;
  const size_t count = analysis->fixpoint.state_count;
  graph->blocks = wb_arena_array(&graph->arena, struct wb_warp_block, count);
  graph->ends = wb_arena_array(&graph->arena, bool, count);
  analysis->block_states = wb_arena_array(&graph->arena, uint32_t, count);
  uint32_t *before = wb_arena_array(&building->arena, uint32_t, count);
  struct ordered *ordered = wb_arena_array(&building->arena, struct ordered, count);
  if (graph->arena.failed || building->arena.failed)
    return false;
  for (size_t s = 0; s < count; s++) {
    const struct wb_simt_place place = analysis->fixpoint.states[s].place;
    ordered[s] = (struct ordered){(uint64_t)place.instruction << 32 | place.context, (uint32_t)s};
  }
  qsort(ordered, count, sizeof *ordered, by_key);
  building->entered[0] = true;
  for (size_t e = 0; e < record->edge_count; e++) {
    const struct wb_simt_edge *edge = &record->edges[e];
    if (edge->how.plain)
      before[edge->to] = edge->from;
    else
      building->entered[analysis->fixpoint.states[edge->to].place.instruction] = true;
  }
  for (size_t i = 0; i < count; i++) {
    const uint32_t state = ordered[i].item;
    const struct wb_simt_place place = analysis->fixpoint.states[state].place;
    if (building->entered[place.instruction]) {
      graph->blocks[graph->block_count] =
          (struct wb_warp_block){.first = place.instruction, .context = place.context};
      analysis->block_states[graph->block_count] = state;
      building->blocks[state] = (uint32_t)graph->block_count++;
    } else { /* what falls in comes from a lower instruction: its block is known */
      building->blocks[state] = building->blocks[before[state]];
    }
    struct wb_warp_block *block = &graph->blocks[building->blocks[state]];
    block->last = record->last[state];
    graph->ends[building->blocks[state]] = record->ends[state];
  }
  return true;
}

/* Continuations with one point, context and token are one entry. */
static bool make_entries(struct wb_simt_analysis *analysis, struct building *building)
{
  const struct wb_reconvergence *mechanism = analysis->mechanism;
  struct wb_warp_graph *graph = &analysis->graph;
  const size_t count = mechanism->continuation_count(analysis);
  struct ordered *ordered = wb_arena_array(&building->arena, struct ordered, count);
  graph->entries = wb_arena_array(&graph->arena, struct wb_warp_entry, count);
  if (ordered == NULL || graph->entries == NULL)
    return false;
  struct wb_warp_entry entry;
  size_t kept = 0;
  for (uint32_t c = 0; c < count; c++) {
    if (mechanism->continuation(analysis, c, &entry))
      ordered[kept++] = (struct ordered){
          ((uint64_t)entry.point << 32 | entry.context) * WB_TOKEN_COUNT + entry.token, c};
  }
  if (kept > 0)
    qsort(ordered, kept, sizeof *ordered, by_key);
  for (size_t i = 0; i < kept; i++) {
    mechanism->continuation(analysis, ordered[i].item, &entry);
    if (i == 0 || ordered[i].key != ordered[i - 1].key)
      graph->entries[graph->entry_count++] = entry;
    graph->entries[graph->entry_count - 1].once &= entry.once;
    building->entries[ordered[i].item] = (uint32_t)graph->entry_count - 1;
  }
  return true;
}

/* Turns the noted edges from states to blocks, and drops those within a block. */
static void find_edges(const struct wb_simt_analysis *analysis, struct wb_simt_record *record,
                       const struct building *building)
{
  size_t kept = 0;
  for (size_t e = 0; e < record->edge_count; e++) {
    struct wb_simt_edge edge = record->edges[e];
    if (edge.how.plain && !building->entered[analysis->fixpoint.states[edge.to].place.instruction])
      continue;
    edge.from = building->blocks[edge.from];
    edge.to = building->blocks[edge.to];
    record->edges[kept++] = edge;
  }
  record->edge_count = kept;
  if (kept > 0)
    qsort(record->edges, kept, sizeof *record->edges, by_ends);
}

/* The newest edge is taken for another reason, too: released lanes go on at a scope's point, and
 * others that did not wait, or waited for another scope, as well. A run of the block can then take
 * it several times, unless it takes shared edges alone; and not each time that it is taken it pops
 * its entries. Edges are sorted by continuation, those without one last. */
static void join_departures(struct wb_warp_graph *graph, uint32_t continuation)
{
  const uint32_t number = (uint32_t)graph->edge_count - 1;
  struct wb_warp_edge *edge = &graph->edges[number];
  if (edge->rate != WB_RATE_SHARED)
    edge->rate = WB_RATE_LANES;
  for (size_t p = graph->pop_count;
       continuation == WB_NOWHERE && p-- > 0 && graph->pops[p].edge == number;)
    graph->entries[graph->pops[p].entry].once = false;
}

static bool make_edges(struct wb_simt_analysis *analysis, struct wb_simt_record *record,
                       const struct building *building)
{
  struct wb_warp_graph *graph = &analysis->graph;
  find_edges(analysis, record, building);
  graph->edges = wb_arena_array(&graph->arena, struct wb_warp_edge, record->edge_count);
  graph->pops = wb_arena_array(&graph->arena, struct wb_warp_pop, record->edge_count);
  analysis->resumptions =
      wb_arena_array(&graph->arena, struct wb_simt_resumption, record->edge_count);
  if (graph->arena.failed)
    return false;
  for (size_t e = 0; e < record->edge_count; e++) {
    const struct wb_simt_edge *edge = &record->edges[e];
    const struct wb_simt_edge *last = e > 0 ? edge - 1 : NULL;
    const uint32_t continuation = edge->how.continuation;
    const bool known = last != NULL && last->from == edge->from && last->to == edge->to &&
                       last->how.kind == edge->how.kind;
    if (!known)
      graph->edges[graph->edge_count++] =
          (struct wb_warp_edge){edge->from, edge->to, edge->how.kind, WB_RATE_SHARED};
    if (graph->groups && edge->how.rate > graph->edges[graph->edge_count - 1].rate)
      graph->edges[graph->edge_count - 1].rate = edge->how.rate;
    if (graph->groups && known && last->how.continuation != continuation)
      join_departures(graph, continuation);
    if (continuation == WB_NOWHERE || (known && last->how.continuation == continuation))
      continue;
    const uint32_t number = (uint32_t)graph->edge_count - 1;
    analysis->resumptions[analysis->resumption_count++] =
        (struct wb_simt_resumption){number, continuation};
    graph->pops[graph->pop_count++] = (struct wb_warp_pop){number, building->entries[continuation]};
  }
  graph->pop_count =
      wb_sort_set(graph->pops, graph->pop_count, sizeof *graph->pops, by_edge_and_entry);
  return true;
}

static bool make_pushes(struct wb_simt_analysis *analysis, struct wb_simt_record *record,
                        const struct building *building)
{
  struct wb_warp_graph *graph = &analysis->graph;
  const size_t continuations = analysis->mechanism->continuation_count(analysis);
  graph->pushes = wb_arena_array(&graph->arena, struct wb_warp_push, record->making_count);
  analysis->makers = wb_arena_array(&graph->arena, uint32_t, continuations);
  if (graph->arena.failed)
    return false;
  for (size_t c = 0; c < continuations; c++)
    analysis->makers[c] = WB_NOWHERE;
  /* A continuation is made in one block; one that is noted twice may or must be made there. Two
   * continuations of one entry are two pushes. */
  for (size_t m = 0; m < record->making_count; m++) {
    const struct wb_simt_making *making = &record->makings[m];
    if (analysis->makers[making->continuation] != WB_NOWHERE)
      continue;
    analysis->makers[making->continuation] = building->blocks[making->state];
    graph->pushes[graph->push_count++] =
        (struct wb_warp_push){building->blocks[making->state],
                              building->entries[making->continuation], making->divergent};
  }
  if (graph->push_count > 0)
    qsort(graph->pushes, graph->push_count, sizeof *graph->pushes, by_block_and_entry);
  return true;
}

static bool make_conditions(struct wb_simt_analysis *analysis, const struct wb_simt_record *record)
{
  struct wb_warp_graph *graph = &analysis->graph;
  const size_t count = analysis->function->instruction_count;
  size_t conditional = 0;
  for (size_t i = 0; i < count; i++)
    conditional += (record->notes[i] & WB_NOTED_CONDITIONAL) != 0;
  graph->divergence_points = wb_arena_array(&graph->arena, uint32_t, conditional);
  graph->uniform_branches = wb_arena_array(&graph->arena, uint32_t, conditional);
  if (graph->arena.failed)
    return false;
  for (size_t i = 0; i < count; i++) {
    if ((record->notes[i] & WB_NOTED_CONDITIONAL) == 0)
      continue;
    if ((record->notes[i] & WB_NOTED_DIVERGENT) != 0)
      graph->divergence_points[graph->divergence_point_count++] = (uint32_t)i;
    else
      graph->uniform_branches[graph->uniform_branch_count++] = (uint32_t)i;
  }
  return true;
}

void wb_simt_graph_make(struct wb_simt_analysis *analysis, struct wb_simt_record *record)
{
  const struct wb_reconvergence *mechanism = analysis->mechanism;
  struct wb_warp_graph *graph = &analysis->graph;
  struct building building = {0};
  graph->function = analysis->function;
  graph->groups = mechanism->groups;
  building.entered = wb_arena_array(&building.arena, bool, graph->function->instruction_count);
  building.blocks = wb_arena_array(&building.arena, uint32_t, analysis->fixpoint.state_count);
  building.entries =
      wb_arena_array(&building.arena, uint32_t, mechanism->continuation_count(analysis));
  graph->context_count = analysis->contexts.count;
  graph->contexts = wb_arena_array(&graph->arena, struct wb_warp_context, graph->context_count);
  for (size_t c = 0; graph->contexts != NULL && c < graph->context_count; c++)
    graph->contexts[c] = analysis->contexts.items[c].call;
  if (building.arena.failed || !make_blocks(analysis, record, &building) ||
      !make_entries(analysis, &building) || !make_edges(analysis, record, &building) ||
      !make_pushes(analysis, record, &building) || !make_conditions(analysis, record) ||
      (mechanism->describe != NULL && !mechanism->describe(analysis, graph)))
    wb_simt_no_memory(analysis);
  wb_arena_free(&building.arena);
}

/* ---- assumptions ---- */

void wb_address_list_add(struct wb_address_list *list, uint32_t address)
{
  if (list->count++ >= WB_ADDRESSES_NAMED)
    return;
  const int written = snprintf(list->text + list->length, sizeof list->text - list->length,
                               "%s0x%04x", list->count > 1 ? ", " : "", address);
  list->length += (size_t)written;
}

const char *wb_address_list_text(struct wb_address_list *list)
{
  if (list->count > WB_ADDRESSES_NAMED)
    snprintf(list->text + list->length, sizeof list->text - list->length, " and %zu more",
             list->count - WB_ADDRESSES_NAMED);
  return list->count == 0 ? "nothing" : list->text;
}

static void assume(struct wb_simt_analysis *analysis, const struct wb_simt_record *record)
{
  const struct wb_function *function = analysis->function;
  struct wb_list *assumptions = &analysis->graph.assumptions;
  struct wb_address_list vouched = {0}, shuffles = {0};
  bool loads = false;
  for (size_t i = 0; i < function->instruction_count; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    if ((record->notes[i] & WB_NOTED_REACHED) == 0)
      continue;
    if (instruction->assumption != NULL)
      wb_list_add(assumptions, "%s", instruction->assumption);
    if (instruction->unknown && !instruction->outside)
      wb_list_add(assumptions, "%s is not known: it may read and write every register%s",
                  instruction->opcode,
                  instruction->transfer == WB_TRANSFER_NEXT
                      ? ", and goes on to the next instruction with all lanes"
                      : "");
    if (instruction->transfer == WB_TRANSFER_CALL_OUTSIDE)
      wb_list_add(assumptions,
                  "%s, whose code is not followed, returns with all lanes that called it, "
                  "together",
                  instruction->callee != NULL ? instruction->callee : instruction->operands);
    loads = loads || (instruction->agreement == WB_AGREES_BY_MEMORY && !instruction->unknown);
    if (instruction->agreement == WB_AGREES_BY_LANE)
      wb_address_list_add(&shuffles, instruction->address);
    if (instruction->uniform && (record->notes[i] & WB_NOTED_CONDITIONAL) != 0)
      wb_address_list_add(&vouched, instruction->address);
  }
  if (function->kind_source != NULL)
    wb_list_add(assumptions, "%s", function->kind_source);
  if (function->sm == 0)
    wb_list_add(assumptions, "the code is for %s: the listing names no architecture",
                analysis->mechanism->architectures);
  if (loads && analysis->options.agreement != WB_AGREEMENT_NONE)
    wb_list_add(assumptions,
                "lanes that load from one address of global, shared or constant memory or a "
                "texture by one instruction together get one value");
  if (shuffles.count > 0)
    wb_list_add(assumptions,
                "the lane whose word a shuffle gives to all lanes does that shuffle too, without "
                "which CUDA leaves open what they get: %s",
                wb_address_list_text(&shuffles));
  analysis->mechanism->assume(analysis, record);
  if (vouched.count > 0)
    wb_list_add(assumptions, "lanes agree on branches that the compiler marks as uniform: %s",
                wb_address_list_text(&vouched));
}

/* ---- disagreements ---- */

static int by_number(const void *a, const void *b)
{
  return wb_compare_pairs(*(const uint32_t *)a, 0, *(const uint32_t *)b, 0);
}

static int by_instruction(const void *a, const void *b)
{
  const struct wb_simt_match *left = a;
  const struct wb_simt_match *right = b;
  return wb_compare_pairs(left->instruction, left->point, right->instruction, right->point);
}

static void name_all(const struct wb_function *function, const uint32_t *items, size_t count,
                     struct wb_address_list *list)
{
  for (size_t i = 0; i < count; i++) {
    if (items[i] < function->instruction_count)
      wb_address_list_add(list, function->instructions[items[i]].address);
  }
}

/* Compares what the listing says of instructions with what the analysis found; said, found: room
 * for targets and matches. */
static void compare(struct wb_simt_analysis *analysis, const struct wb_simt_record *record,
                    uint32_t *said, uint32_t *found)
{
  const struct wb_function *function = analysis->function;
  size_t match = 0;
  for (size_t a = 0; a < function->annotation_count; a++) {
    const struct wb_annotation *annotation = &function->annotations[a];
    const uint32_t i = annotation->instruction;
    const struct wb_instruction *instruction = &function->instructions[i];
    size_t found_count = 0;
    while (match < record->match_count && record->matches[match].instruction < i)
      match++;
    for (; match < record->match_count && record->matches[match].instruction == i; match++) {
      if (found_count == 0 || found[found_count - 1] != record->matches[match].point)
        found[found_count++] = record->matches[match].point;
    }
    if ((record->notes[i] & WB_NOTED_REACHED) == 0)
      continue;
    if (instruction->transfer == WB_TRANSFER_INDEXED_BRANCH) {
      found_count = instruction->target_count;
      memcpy(found, function->targets + instruction->first_target, found_count * sizeof *found);
    } else if (instruction->transfer != WB_TRANSFER_POP || instruction->never) {
      continue;
    }
    memcpy(said, function->targets + annotation->first_target,
           annotation->target_count * sizeof *said);
    const size_t said_count = wb_sort_set(said, annotation->target_count, sizeof *said, by_number);
    found_count = wb_sort_set(found, found_count, sizeof *found, by_number);
    if (said_count == found_count && memcmp(said, found, said_count * sizeof *said) == 0)
      continue;
    struct wb_address_list listing = {0};
    struct wb_address_list analysed = {0};
    name_all(function, said, said_count, &listing);
    name_all(function, found, found_count, &analysed);
    wb_list_add(&analysis->graph.disagreements,
                "%s at 0x%04x: the listing's annotation says %s, the analysis found %s",
                instruction->opcode, instruction->address, wb_address_list_text(&listing),
                wb_address_list_text(&analysed));
  }
}

void wb_simt_remark(struct wb_simt_analysis *analysis, struct wb_simt_record *record)
{
  assume(analysis, record);
  if (record->match_count > 0)
    qsort(record->matches, record->match_count, sizeof *record->matches, by_instruction);
  const size_t most = analysis->function->target_count + record->match_count + 1;
  uint32_t *said = wb_arena_array(&record->arena, uint32_t, most);
  uint32_t *found = wb_arena_array(&record->arena, uint32_t, most);
  if (said != NULL && found != NULL)
    compare(analysis, record, said, found);
  else
    wb_simt_no_memory(analysis);
  if (analysis->graph.assumptions.failed || analysis->graph.disagreements.failed)
    wb_simt_no_memory(analysis);
}
