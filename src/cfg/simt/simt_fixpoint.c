/* What the search keeps: numbers of pairs, the function cut into blocks before anything is known of
 * its execution, calling contexts, and the states of the fixpoint with its worklist. Each state is
 * the join of all that is known of a place, and is done again when it, or a cell that it was
 * computed from, allows more than before. */
#include "cfg/simt/simt_engine.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* States, and states for each instruction, beyond which calls enter no context of their own. */
#define CONTEXT_STATE_LIMIT ((size_t)65536)
#define CONTEXT_STATES_PER_INSTRUCTION ((size_t)16)

#define SHARED UINT64_MAX /* the call site of shared contexts among the known ones */

/* ---- numbers of pairs ---- */

static uint64_t hash_of(const void *items, uint32_t number)
{
  const struct wb_simt_pair *pair = (const struct wb_simt_pair *)items + number;
  return wb_hash_word(wb_hash_word(0, pair->second), pair->first);
}

static bool same_pair(const void *items, uint32_t number, const void *key)
{
  const struct wb_simt_pair *pair = (const struct wb_simt_pair *)items + number;
  const struct wb_simt_pair *wanted = key;
  return pair->first == wanted->first && pair->second == wanted->second;
}

uint32_t wb_simt_pairs_find(const struct wb_simt_pairs *pairs, uint64_t first, uint64_t second)
{
  const struct wb_simt_pair key = {first, second};
  if (pairs->count == 0)
    return WB_NOWHERE;
  const uint32_t *slot =
      wb_hash_table_slot(&pairs->table, hash_of(&key, 0), same_pair, pairs->items, &key);
  return *slot != 0 ? *slot - 1 : WB_NOWHERE;
}

uint32_t wb_simt_pairs_number(struct wb_simt_pairs *pairs, uint64_t first, uint64_t second,
                              bool *made)
{
  const struct wb_simt_pair key = {first, second};
  if (!wb_hash_table_grow(&pairs->table, pairs->count, hash_of, pairs->items) ||
      !wb_grow(pairs->items, &pairs->capacity, pairs->count + 1)) {
    *made = false;
    return WB_NOWHERE;
  }
  uint32_t *slot =
      wb_hash_table_slot(&pairs->table, hash_of(&key, 0), same_pair, pairs->items, &key);
  *made = *slot == 0;
  if (*made) {
    pairs->items[pairs->count] = key;
    *slot = (uint32_t)++pairs->count;
  }
  return *slot - 1;
}

uint64_t wb_simt_pairs_bytes(const struct wb_simt_pairs *pairs)
{
  return (uint64_t)pairs->capacity * sizeof *pairs->items + wb_hash_table_bytes(&pairs->table);
}

void wb_simt_pairs_free(struct wb_simt_pairs *pairs)
{
  free(pairs->items);
  wb_hash_table_free(&pairs->table);
  *pairs = (struct wb_simt_pairs){0};
}

/* ---- the function cut into blocks ---- */

/* Where the lanes of a block can go on: the block from leader b up to instruction e, excluded, has
 * arcs first_arc[b] .. first_arc[e] - 1, descending. */
struct arcs {
  size_t *first_arc; /* by instruction */
  uint32_t *to;      /* by arc: a leader */
};

/* A block on the path of the depth-first search. */
struct visit {
  uint32_t leader; /* its first instruction */
  uint32_t end;    /* the instruction after its last one */
  size_t next;     /* the arc to follow next */
};

static void find_leaders(const struct wb_function *function,
                         const struct wb_reconvergence *mechanism, struct wb_simt_layout *layout)
{
  layout->leaders[0] = true;
  for (size_t i = 0; i < function->instruction_count; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    const enum wb_simt_role role = mechanism->role(instruction);
    layout->roles[i] = (uint8_t)role;
    for (uint32_t t = 0; t < instruction->target_count; t++)
      layout->leaders[function->targets[instruction->first_target + t]] = true;
    if (role == WB_ROLE_END_REPEAT)
      layout->leaders[i] = true;
    /* What threads know that come past a branch to a call which none makes is known of a block. */
    const bool ends = role >= WB_ROLE_END || wb_instruction_is_cut(function, (uint32_t)i);
    if (ends && i + 1 < function->instruction_count)
      layout->leaders[i + 1] = true;
  }
  for (size_t c = 0; mechanism->groups && c < function->copy_count; c++) {
    uint8_t *role = &layout->roles[function->copies[c].instruction];
    if (*role == WB_ROLE_DATA)
      *role = WB_ROLE_STEP;
  }
}

static int descending(const void *a, const void *b)
{
  const uint32_t left = *(const uint32_t *)a;
  const uint32_t right = *(const uint32_t *)b;
  return (left < right) - (left > right);
}

static bool make_arcs(const struct wb_function *function, const struct wb_simt_layout *layout,
                      struct wb_arena *arena, struct arcs *arcs)
{
  const size_t count = function->instruction_count;
  size_t most = count;
  for (size_t i = 0; i < count; i++)
    most += function->instructions[i].target_count;
  arcs->first_arc = wb_arena_array(arena, size_t, count + 1);
  arcs->to = wb_arena_array(arena, uint32_t, most);
  if (arena->failed)
    return false;
  size_t end = 0;
  size_t begin = 0;
  for (size_t i = 0; i < count; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    const bool call = instruction->transfer == WB_TRANSFER_CALL ||
                      instruction->transfer == WB_TRANSFER_CALL_LINKED;
    arcs->first_arc[i] = end;
    if (layout->leaders[i])
      begin = end;
    for (uint32_t t = 0; !call && t < instruction->target_count; t++)
      arcs->to[end++] = function->targets[instruction->first_target + t];
    if (i + 1 < count && !layout->leaders[i + 1])
      continue;
    if (i + 1 < count)
      arcs->to[end++] = (uint32_t)i + 1;
    qsort(arcs->to + begin, end - begin, sizeof *arcs->to, descending);
  }
  arcs->first_arc[count] = end;
  return true;
}

static struct visit begin_visit(const struct wb_function *function,
                                const struct wb_simt_layout *layout, const struct arcs *arcs,
                                uint32_t leader)
{
  uint32_t end = leader + 1;
  while (end < function->instruction_count && !layout->leaders[end])
    end++;
  return (struct visit){leader, end, arcs->first_arc[leader]};
}

/* Numbers all that a leader reaches, from *number down, in post-order. */
static void number_from(const struct wb_function *function, const struct wb_simt_layout *layout,
                        const struct arcs *arcs, struct visit *visits, bool *seen, uint32_t leader,
                        uint32_t *number)
{
  size_t depth = 0;
  visits[depth++] = begin_visit(function, layout, arcs, leader);
  seen[leader] = true;
  while (depth > 0) {
    struct visit *top = &visits[depth - 1];
    if (top->next < arcs->first_arc[top->end]) {
      const uint32_t to = arcs->to[top->next++];
      if (!seen[to]) {
        seen[to] = true;
        visits[depth++] = begin_visit(function, layout, arcs, to);
      }
      continue;
    }
    --*number;
    for (size_t i = top->leader; i < top->end; i++)
      layout->positions[i] = *number;
    depth--;
  }
}

/* False where memory is out. Linear but for the sorting of the targets of each block. */
static bool make_layout(const struct wb_function *function,
                        const struct wb_reconvergence *mechanism, struct wb_simt_layout *layout)
{
  const size_t count = function->instruction_count;
  struct wb_arena arena = {0};
  struct arcs arcs = {0};
  bool *seen = wb_arena_array(&arena, bool, count);
  struct visit *visits = wb_arena_array(&arena, struct visit, count);
  layout->leaders = wb_arena_array(&layout->arena, bool, count);
  layout->positions = wb_arena_array(&layout->arena, uint32_t, count);
  layout->roles = wb_arena_array(&layout->arena, uint8_t, count);
  bool memory = !arena.failed && !layout->arena.failed;
  if (memory) {
    find_leaders(function, mechanism, layout);
    memory = make_arcs(function, layout, &arena, &arcs);
  }
  uint32_t number = (uint32_t)count;
  for (size_t i = 0; memory && i < count; i++) {
    if (layout->leaders[i] && !seen[i])
      number_from(function, layout, &arcs, visits, seen, (uint32_t)i, &number);
  }
  wb_arena_free(&arena);
  return memory;
}

/* ---- contexts ---- */

static bool add_context(struct wb_simt_contexts *contexts, struct wb_simt_place call,
                        uint32_t target)
{
  if (!wb_grow(contexts->items, &contexts->capacity, contexts->count + 1))
    return false;
  contexts->items[contexts->count++] = (struct wb_simt_context){
      .call = {call.context, call.instruction},
      .entered = target,
      .depth = call.context == WB_NOWHERE ? 0 : contexts->items[call.context].depth + 1};
  return true;
}

/* How many calls of the target are pending in a context: at least so many are where a lane is in
 * it. */
static uint32_t pending_count(const struct wb_simt_contexts *contexts, uint32_t context,
                              uint32_t target)
{
  uint32_t count = 0;
  for (uint32_t c = context; c != WB_NOWHERE; c = contexts->items[c].call.caller)
    count += contexts->items[c].entered == target && c != 0;
  return count;
}

/* How many calls of the target there are at once at most, as somebody says; 0: nobody does. */
static uint32_t most_pending(const struct wb_simt_options *options, uint32_t target)
{
  for (size_t d = 0; d < options->depth_count; d++) {
    if (options->depths[d].entry == target)
      return options->depths[d].most;
  }
  return 0;
}

/* The outermost pending call of the target; WB_NOWHERE for none. */
static uint32_t pending(const struct wb_simt_contexts *contexts, uint32_t context, uint32_t target)
{
  uint32_t found = WB_NOWHERE;
  for (uint32_t c = context; c != WB_NOWHERE; c = contexts->items[c].call.caller) {
    if (contexts->items[c].entered == target)
      found = c;
  }
  return found;
}

uint32_t wb_simt_block_callee(struct wb_simt_analysis *analysis, uint32_t target)
{
  struct wb_simt_contexts *contexts = &analysis->contexts;
  struct wb_simt_place call = wb_simt_block_place(analysis, analysis->block.instruction);
  const uint32_t most = most_pending(&analysis->options, target);
  const uint32_t recursion = pending(contexts, call.context, target);
  /* A call of which as many are pending is not made. */
  if (most > 0 && pending_count(contexts, call.context, target) >= most)
    return WB_NOWHERE;
  if (most == 0 && recursion != WB_NOWHERE)
    return recursion;
  uint64_t site = (uint64_t)call.context << 32 | call.instruction;
  uint32_t known = wb_simt_pairs_find(&contexts->known, site, target);
  if (known != WB_NOWHERE)
    return known + 1;
  uint64_t depth_limit = WB_CONTEXT_DEPTH_LIMIT;
  for (size_t d = 0; d < analysis->options.depth_count; d++)
    depth_limit += analysis->options.depths[d].most;
  const size_t most_states =
      CONTEXT_STATE_LIMIT + analysis->function->instruction_count * CONTEXT_STATES_PER_INSTRUCTION;
  if (analysis->fixpoint.state_count > most_states || contexts->count >= WB_CONTEXT_LIMIT ||
      contexts->items[call.context].depth >= depth_limit) {
    if (most > 0) {
      wb_simt_refuse(analysis, analysis->block.instruction,
                     "what 'depth' says of the functions that it calls makes more calls in calls "
                     "than can be told apart (4,096): say less, or a bound for each loop");
      return WB_NOWHERE;
    }
    site = SHARED;
    call.context = 0;
    known = wb_simt_pairs_find(&contexts->known, site, target);
    if (known != WB_NOWHERE)
      return known + 1;
  }
  bool made;
  if (!add_context(contexts, call, target) ||
      wb_simt_pairs_number(&contexts->known, site, target, &made) == WB_NOWHERE) {
    wb_simt_no_memory(analysis);
    return WB_NOWHERE;
  }
  return (uint32_t)contexts->count - 1;
}

const char *wb_simt_contexts_check(const struct wb_simt_contexts *contexts,
                                   const struct wb_simt_options *options)
{
  const struct wb_simt_context *items = contexts->items;
  if (contexts->count == 0 || items[0].call.caller != WB_NOWHERE || items[0].depth != 0)
    return "context 0 is not that of the function itself";
  for (uint32_t c = 1; c < contexts->count; c++) {
    const uint32_t caller = items[c].call.caller;
    if (caller >= c)
      return "a context stands before its caller";
    if (items[c].depth != items[caller].depth + 1)
      return "a context's depth is wrong";
    const uint32_t most = most_pending(options, items[c].entered);
    if (pending_count(contexts, c, items[c].entered) > (most > 0 ? most : 1))
      return "more pending calls of a context go to one instruction than there are at once";
  }
  return NULL;
}

/* ---- the queue ---- */

/* Whether state a comes before state b in an order in which calls are done before what follows
 * them; the layout's positions order the instructions of one context. */
static bool before(const struct wb_simt_analysis *analysis, uint32_t state_a, uint32_t state_b)
{
  const struct wb_simt_context *contexts = analysis->contexts.items;
  const uint32_t *positions = analysis->layout.positions;
  struct wb_simt_place a = analysis->fixpoint.states[state_a].place;
  struct wb_simt_place b = analysis->fixpoint.states[state_b].place;
  bool callee = false; /* a stands for what a call inside b's instruction does, or after it */
  while (a.context != b.context) {
    const struct wb_simt_context *of_a = &contexts[a.context];
    const struct wb_simt_context *of_b = &contexts[b.context];
    callee = of_a->depth >= of_b->depth;
    if (of_b->depth >= of_a->depth)
      b = (struct wb_simt_place){of_b->call.site, of_b->call.caller};
    if (callee)
      a = (struct wb_simt_place){of_a->call.site, of_a->call.caller};
  }
  if (positions[a.instruction] != positions[b.instruction])
    return positions[a.instruction] < positions[b.instruction];
  return !callee;
}

static void enqueue(struct wb_simt_analysis *analysis, uint32_t state)
{
  struct wb_simt_fixpoint *fixpoint = &analysis->fixpoint;
  if (fixpoint->states[state].queued)
    return;
  if (!wb_grow(fixpoint->queue, &fixpoint->queue_capacity, fixpoint->queue_count + 1)) {
    wb_simt_no_memory(analysis);
    return;
  }
  fixpoint->states[state].queued = true;
  uint32_t *queue = fixpoint->queue;
  size_t at = fixpoint->queue_count++;
  while (at > 0 && before(analysis, state, queue[(at - 1) / 2])) {
    queue[at] = queue[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  queue[at] = state;
}

uint32_t wb_simt_next(struct wb_simt_analysis *analysis)
{
  struct wb_simt_fixpoint *fixpoint = &analysis->fixpoint;
  if (fixpoint->queue_count == 0)
    return WB_NOWHERE;
  uint32_t *queue = fixpoint->queue;
  const uint32_t first = queue[0];
  const uint32_t moved = queue[--fixpoint->queue_count];
  size_t at = 0;
  for (size_t child = 1; child < fixpoint->queue_count; child = 2 * at + 1) {
    if (child + 1 < fixpoint->queue_count && before(analysis, queue[child + 1], queue[child]))
      child++;
    if (before(analysis, moved, queue[child]))
      break;
    queue[at] = queue[child];
    at = child;
  }
  queue[at] = moved;
  fixpoint->states[first].queued = false;
  return first;
}

/* ---- cells ---- */

void wb_simt_depend(struct wb_simt_analysis *analysis, uint32_t cell)
{
  struct wb_simt_fixpoint *fixpoint = &analysis->fixpoint;
  const uint32_t state = analysis->block.state;
  const size_t cells = fixpoint->cell_capacity;
  const size_t count = fixpoint->dependences.count;
  if (!wb_simt_searching(analysis))
    return;
  bool made;
  const uint32_t dependence = wb_simt_pairs_number(&fixpoint->dependences, cell, state, &made);
  if (dependence == WB_NOWHERE ||
      !wb_grow(fixpoint->next_dependences, &fixpoint->dependence_capacity, count + 1) ||
      !wb_grow(fixpoint->first_dependences, &fixpoint->cell_capacity, (size_t)cell + 1)) {
    wb_simt_no_memory(analysis);
    return;
  }
  memset(fixpoint->first_dependences + cells, 0,
         (fixpoint->cell_capacity - cells) * sizeof *fixpoint->first_dependences);
  if (made) {
    fixpoint->next_dependences[dependence] = fixpoint->first_dependences[cell];
    fixpoint->first_dependences[cell] = dependence + 1;
  }
}

void wb_simt_changed(struct wb_simt_analysis *analysis, uint32_t cell)
{
  const struct wb_simt_fixpoint *fixpoint = &analysis->fixpoint;
  wb_simt_violated(analysis, "what waiting lanes find is more than is kept");
  if (!wb_simt_searching(analysis) || cell >= fixpoint->cell_capacity)
    return;
  for (uint32_t d = fixpoint->first_dependences[cell]; d != 0;
       d = fixpoint->next_dependences[d - 1])
    enqueue(analysis, (uint32_t)fixpoint->dependences.items[d - 1].second);
}

/* ---- states ---- */

void *wb_simt_abstract_of(const struct wb_simt_analysis *analysis, uint32_t state)
{
  return analysis->fixpoint.abstracts + state * analysis->mechanism->state_size;
}

/* The state of a place; a new one, the least, where there is none (*made). WB_NOWHERE on
 * failure. */
static uint32_t state_at(struct wb_simt_analysis *analysis, struct wb_simt_place place, bool *made)
{
  struct wb_simt_fixpoint *fixpoint = &analysis->fixpoint;
  const size_t size = analysis->mechanism->state_size;
  const size_t needed = fixpoint->state_count + 1;
  fixpoint->abstracts = wb_grown(fixpoint->abstracts, &fixpoint->abstract_capacity, needed, size);
  uint32_t state = WB_NOWHERE;
  if (needed <= fixpoint->abstract_capacity &&
      wb_grow(fixpoint->states, &fixpoint->state_capacity, needed))
    state = wb_simt_pairs_number(&fixpoint->places, place.instruction, place.context, made);
  if (state == WB_NOWHERE) {
    wb_simt_no_memory(analysis);
  } else if (*made) {
    fixpoint->states[state] = (struct wb_simt_state){.place = place};
    memset(fixpoint->abstracts + state * size, 0, size);
    fixpoint->state_count++;
  }
  return state;
}

/* The checking pass: the place's state must cover what comes to it. */
static void check_covered(struct wb_simt_analysis *analysis, struct wb_simt_place place,
                          uint32_t agreement, const void *abstract)
{
  const struct wb_simt_fixpoint *fixpoint = &analysis->fixpoint;
  const uint32_t state = wb_simt_pairs_find(&fixpoint->places, place.instruction, place.context);
  if (state == WB_NOWHERE)
    wb_simt_violated(analysis, "a successor's place has no state");
  else if (!wb_register_sets_include(&analysis->sets, agreement, fixpoint->states[state].agreement))
    wb_simt_violated(analysis, "a successor's agreement is not covered");
  else if (!analysis->mechanism->covers(analysis, wb_simt_abstract_of(analysis, state), abstract))
    wb_simt_violated(analysis, "a successor's state is not covered");
}

static void join(struct wb_simt_analysis *analysis, struct wb_simt_place place, uint32_t agreement,
                 const void *abstract)
{
  bool changed = false;
  const uint32_t number = state_at(analysis, place, &changed);
  if (number == WB_NOWHERE)
    return;
  struct wb_simt_state *state = &analysis->fixpoint.states[number];
  const uint32_t joined =
      changed ? agreement : wb_register_sets_both(&analysis->sets, state->agreement, agreement);
  changed = changed || joined != state->agreement;
  state->agreement = joined;
  if (analysis->mechanism->join(analysis, wb_simt_abstract_of(analysis, number), abstract,
                                &changed) &&
      changed)
    enqueue(analysis, number);
}

/* The last pass: a transition from the present block's state. */
static void note_edge(struct wb_simt_analysis *analysis, struct wb_simt_transition transition,
                      struct wb_simt_place place)
{
  struct wb_simt_record *record = analysis->record;
  analysis->work++;
  if (!wb_grow(record->edges, &record->edge_capacity, record->edge_count + 1)) {
    wb_simt_no_memory(analysis);
    return;
  }
  analysis->noted += sizeof *record->edges;
  record->edges[record->edge_count++] = (struct wb_simt_edge){
      analysis->block.state,
      wb_simt_pairs_find(&analysis->fixpoint.places, place.instruction, place.context), transition};
}

void wb_simt_emit(struct wb_simt_analysis *analysis, struct wb_simt_transition transition,
                  struct wb_simt_place place, uint32_t agreement, const void *abstract)
{
  if (!wb_simt_go_on(analysis))
    return;
  if (place.instruction >= analysis->function->instruction_count)
    wb_simt_refuse(analysis, (uint32_t)analysis->function->instruction_count - 1,
                   "control runs past the function's last instruction");
  else if (analysis->record != NULL)
    note_edge(analysis, transition, place);
  else if (analysis->violation != NULL)
    check_covered(analysis, place, agreement, abstract);
  else
    join(analysis, place, agreement, abstract);
}

/* ---- making and freeing ---- */

bool wb_simt_fixpoint_start(struct wb_simt_analysis *analysis)
{
  const struct wb_simt_place outermost = {WB_NOWHERE, WB_NOWHERE};
  return make_layout(analysis->function, analysis->mechanism, &analysis->layout) &&
         add_context(&analysis->contexts, outermost, 0);
}

void wb_simt_fixpoint_end_search(struct wb_simt_analysis *analysis)
{
  struct wb_simt_fixpoint *fixpoint = &analysis->fixpoint;
  free(fixpoint->queue);
  free(fixpoint->next_dependences);
  free(fixpoint->first_dependences);
  fixpoint->queue = NULL;
  fixpoint->next_dependences = NULL;
  fixpoint->first_dependences = NULL;
  wb_simt_pairs_free(&fixpoint->dependences);
  wb_simt_pairs_free(&fixpoint->places);
  free(analysis->contexts.items);
  wb_simt_pairs_free(&analysis->contexts.known);
  analysis->contexts = (struct wb_simt_contexts){0};
  wb_arena_free(&analysis->layout.arena);
}

void wb_simt_fixpoint_free(struct wb_simt_analysis *analysis)
{
  struct wb_simt_fixpoint *fixpoint = &analysis->fixpoint;
  wb_simt_fixpoint_end_search(analysis);
  for (size_t s = 0; s < fixpoint->state_count; s++)
    analysis->mechanism->clear(wb_simt_abstract_of(analysis, (uint32_t)s));
  free(fixpoint->states);
  free(fixpoint->abstracts);
  *fixpoint = (struct wb_simt_fixpoint){0};
}
