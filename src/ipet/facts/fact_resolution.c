#include "ipet/facts/fact_resolution.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "ipet/facts/fact_places.h"
#include "model/code.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* All borrowed. */
struct resolver {
  const struct wb_fact_context *context;
  const struct wb_function *function;   /* the context's */
  const struct wb_fact_scope *scope;    /* of the facts at hand */
  const struct wb_kernel_facts *kernel; /* the scope's */
  uint32_t *found;                      /* by place of these: see struct wb_resolved_facts */
  bool moved;                           /* they were written for other code */
  const struct wb_flow_fact *fact;      /* the one that is resolved now */
  const struct wb_place *places;        /* of that fact */
  struct wb_resolved_facts *resolved;
  warpbound_error *error;
};

/* Fails at `what` of the fact that is resolved now: one of its places, or the fact for its number.
 */
#define FACT_FAIL(resolver, what, ...)                                                             \
  wb_fail_at((resolver)->error, WARPBOUND_INVALID_INPUT, (resolver)->context->name,                \
             (resolver)->fact->line, (what)->column, __VA_ARGS__)

bool wb_warp_bound(uint64_t bound, bool per_warp, bool balanced, uint32_t lanes,
                   uint64_t *warp_bound)
{
  *warp_bound = bound;
  return per_warp || balanced || wb_multiply(bound, lanes, warp_bound);
}

void wb_resolved_facts_free(struct wb_resolved_facts *resolved)
{
  free(resolved->limits);
  wb_arena_free(&resolved->arena);
  *resolved = (struct wb_resolved_facts){0};
}

/* ---- places ---- */

static struct wb_place_finder finder_of(const struct resolver *resolver)
{
  return (struct wb_place_finder){.context = resolver->context,
                                  .scope = resolver->scope,
                                  .line = resolver->fact->line,
                                  .moved = resolver->moved,
                                  .error = resolver->error};
}

/* The innermost loop with that header that is `loop` or around it; UINT32_MAX where there is none.
 * loop: UINT32_MAX for none. */
static uint32_t loop_around(const struct resolver *resolver, uint32_t loop, uint32_t header)
{
  while (loop != UINT32_MAX && !wb_loop_begins_at(resolver->context, loop, header))
    loop = resolver->context->forest->loops[loop].parent;
  return loop;
}

/* The instruction that a place names; of a loop the first one of its header, the same in all
 * contexts. Errors: WARPBOUND_INVALID_INPUT where there is none, or where a line names several. */
static warpbound_status find_place(const struct resolver *resolver, const struct wb_place *place,
                                   bool is_loop, uint32_t *index)
{
  const struct wb_place_finder finder = finder_of(resolver);
  const warpbound_status status = is_loop ? wb_place_find_loop(&finder, place, index)
                                          : wb_place_find_instruction(&finder, place, index);
  if (status == WARPBOUND_OK)
    resolver->found[place - resolver->kernel->places] = *index;
  return status;
}

/* ---- loops ---- */

/* The fact's number for the warp: a number of threads is multiplied by the lanes. */
static warpbound_status find_warp_bound(const struct resolver *resolver, int64_t *bound)
{
  const struct wb_flow_fact *fact = resolver->fact;
  uint64_t warp;
  if (!wb_warp_bound(fact->number, fact->per_warp, false, resolver->context->lanes, &warp) ||
      warp > INT64_MAX)
    return FACT_FAIL(resolver, fact, "the number does not fit into 63 bits for the warp");
  *bound = (int64_t)warp;
  return WARPBOUND_OK;
}

/* Limits a loop for each entry of the loop around it that `outer` begins. */
static warpbound_status add_loop_limit(struct resolver *resolver, uint32_t loop, uint32_t outer)
{
  struct wb_resolved_facts *resolved = resolver->resolved;
  const struct wb_flow_fact *fact = resolver->fact;
  struct wb_ipet_loop_limit limit = {
      .loop = loop,
      .per = loop_around(resolver, resolver->context->forest->loops[loop].parent, outer)};
  if (limit.per == UINT32_MAX)
    return FACT_FAIL(resolver, &resolver->places[1],
                     "the loop is not inside the second one in %.120s", resolver->function->name);
  warpbound_status status = find_warp_bound(resolver, &limit.bound);
  if (status != WARPBOUND_OK)
    return status;
  limit.thread_bound = fact->per_warp ? WB_IPET_NO_BOUND : (int64_t)fact->number;
  if (!wb_grow(resolved->limits, &resolved->limit_capacity, resolved->limit_count + 1))
    return wb_out_of_memory(resolver->error);
  resolved->limits[resolved->limit_count++] = limit;
  return WARPBOUND_OK;
}

/* Takes the fact's bound for each entry of a loop itself. copies: loops that the fact is of. */
static warpbound_status take_loop_bound(struct resolver *resolver, uint32_t loop, size_t copies)
{
  const struct wb_flow_fact *fact = resolver->fact;
  uint64_t warp;
  if (!wb_warp_bound(fact->number, fact->per_warp, resolver->context->balanced[loop],
                     resolver->context->lanes, &warp))
    return FACT_FAIL(resolver, fact, "the bound does not fit into 64 bits for the warp");
  /* Of two facts of one scope and level that differ, check_twice refuses the second. */
  struct wb_loop_facts *kept = &resolver->resolved->loops[loop];
  struct wb_loop_fact *of_level = fact->per_warp ? &kept->warp : &kept->thread;
  if (of_level->line == 0 || fact->number <= of_level->bound)
    *of_level = (struct wb_loop_fact){
        .bound = fact->number, .line = fact->line, .column = fact->column, .copies = copies};
  return WARPBOUND_OK;
}

/* A line may name several loops, copies of one loop of the source: the fact is then of each. */
static warpbound_status resolve_loop(struct resolver *resolver)
{
  const bool related = resolver->fact->place_count > 1;
  const struct wb_place_finder finder = finder_of(resolver);
  const size_t loop_count = resolver->context->forest->loop_count;
  struct wb_named_loops named = {.loops =
                                     wb_arena_array(&resolver->resolved->arena, bool, loop_count)};
  if (named.loops == NULL)
    return wb_out_of_memory(resolver->error);
  uint32_t outer = 0;
  warpbound_status status = wb_place_find_loops(&finder, &resolver->places[0], &named);
  if (status == WARPBOUND_OK)
    resolver->found[resolver->fact->first_place] = named.first;
  if (status == WARPBOUND_OK && related)
    status = find_place(resolver, &resolver->places[1], true, &outer);
  for (uint32_t l = 0; l < loop_count && status == WARPBOUND_OK; l++) {
    if (named.loops[l])
      status =
          related ? add_loop_limit(resolver, l, outer) : take_loop_bound(resolver, l, named.copies);
  }
  return status;
}

/* ---- runs ---- */

/* Finds the blocks, of all contexts, that hold the place's instruction. */
static warpbound_status find_blocks(struct resolver *resolver, const struct wb_place *place,
                                    struct wb_block_set *set)
{
  const struct wb_warp_graph *graph = resolver->context->graph;
  uint32_t index = 0;
  warpbound_status status = find_place(resolver, place, false, &index);
  if (status != WARPBOUND_OK)
    return status;
  *set = (struct wb_block_set){
      .blocks = wb_arena_array(&resolver->resolved->arena, uint32_t, graph->block_count),
      .first = resolver->resolved->block_count};
  if (set->blocks == NULL)
    return wb_out_of_memory(resolver->error);
  for (uint32_t b = 0; b < graph->block_count; b++) {
    if (index >= graph->blocks[b].first && index <= graph->blocks[b].last)
      set->blocks[set->count++] = b;
  }
  resolver->resolved->block_count += set->count;
  return WARPBOUND_OK;
}

/* A fact without terms, with room for `count`. NULL where memory is out. */
static struct wb_ipet_fact *add_fact(struct resolver *resolver, size_t count)
{
  struct wb_resolved_facts *resolved = resolver->resolved;
  struct wb_ipet_fact *fact = &resolved->facts[resolved->fact_count];
  fact->terms = wb_arena_array(&resolved->arena, struct wb_ipet_term, count);
  resolved->line_of_fact[resolved->fact_count++] = resolver->fact->line;
  return fact->terms != NULL ? fact : NULL;
}

static void add_terms(const struct wb_block_set *set, int64_t factor, struct wb_ipet_fact *fact)
{
  for (size_t b = 0; b < set->count; b++)
    fact->terms[fact->term_count++] =
        (struct wb_ipet_term){.block = set->blocks[b], .factor = factor};
}

/* The runs of the blocks that calls of the scope's function enter: each call is one, of all
 * contexts. */
static void add_calls(const struct resolver *resolver, int64_t factor, struct wb_ipet_fact *fact)
{
  const struct wb_warp_graph *graph = resolver->context->graph;
  const size_t known = fact->term_count;
  for (uint32_t b = 0; b < graph->block_count; b++) {
    size_t t = 0;
    if (graph->blocks[b].first != resolver->scope->first)
      continue;
    while (t < known && fact->terms[t].block != b)
      t++;
    if (t < known) /* each block stands among the terms once */
      fact->terms[t].factor += factor;
    else
      fact->terms[fact->term_count++] = (struct wb_ipet_term){.block = b, .factor = factor};
  }
}

static warpbound_status resolve_runs(struct resolver *resolver)
{
  const bool related = resolver->fact->place_count > 1;
  struct wb_block_set set = {0};
  uint32_t header = 0;
  int64_t bound = 0;
  warpbound_status status = find_blocks(resolver, &resolver->places[0], &set);
  if (status == WARPBOUND_OK && related)
    status = find_place(resolver, &resolver->places[1], true, &header);
  if (status == WARPBOUND_OK)
    status = find_warp_bound(resolver, &bound);
  if (status != WARPBOUND_OK)
    return status;
  const size_t entries = resolver->scope->called ? resolver->context->graph->block_count : 0;
  struct wb_ipet_fact *fact = add_fact(resolver, set.count + entries);
  uint32_t *loops = wb_arena_array(&resolver->resolved->arena, uint32_t, set.count);
  if (fact == NULL || loops == NULL)
    return wb_out_of_memory(resolver->error);
  add_terms(&set, 1, fact);
  if (!related) {
    fact->constant = resolver->scope->called ? 0 : bound;
    if (resolver->scope->called)
      add_calls(resolver, -bound, fact);
    return WARPBOUND_OK;
  }
  /* The entries of the loops with that header around the blocks count, of each loop once. */
  fact->per = loops;
  fact->per_factor = bound;
  for (size_t b = 0; b < set.count; b++) {
    const uint32_t innermost = resolver->context->forest->innermost[set.blocks[b]];
    const uint32_t loop = loop_around(resolver, innermost, header);
    if (loop == UINT32_MAX)
      return FACT_FAIL(resolver, &resolver->places[1], "the place is not inside the loop in %.120s",
                       resolver->function->name);
    size_t known = 0;
    while (known < fact->per_count && loops[known] != loop)
      known++;
    if (known == fact->per_count)
      loops[fact->per_count++] = loop;
  }
  return WARPBOUND_OK;
}

/* Adds two facts for each two neighbours. Per warp their executions are equal. Else their
 * executions by all lanes together are equal: at least those of the warp, and at most `lanes` times
 * those. */
static warpbound_status resolve_equal(struct resolver *resolver)
{
  const int64_t most = resolver->fact->per_warp ? 1 : (int64_t)resolver->context->lanes;
  struct wb_block_set before = {0};
  for (size_t p = 0; p < resolver->fact->place_count; p++) {
    struct wb_block_set set;
    warpbound_status status = find_blocks(resolver, &resolver->places[p], &set);
    if (status != WARPBOUND_OK)
      return status;
    for (int direction = 0; p > 0 && direction < 2; direction++) {
      struct wb_ipet_fact *fact = add_fact(resolver, before.count + set.count);
      if (fact == NULL)
        return wb_out_of_memory(resolver->error);
      add_terms(direction == 0 ? &before : &set, 1, fact);
      add_terms(direction == 0 ? &set : &before, -most, fact);
    }
    before = set;
  }
  return WARPBOUND_OK;
}

static warpbound_status resolve_exclusive(struct resolver *resolver)
{
  struct wb_resolved_facts *resolved = resolver->resolved;
  if (resolver->scope->called) /* in one call one of them may run, in the next one another */
    return WARPBOUND_OK;
  const struct wb_exclusive_fact exclusive = {.first_set = resolved->set_count,
                                              .set_count = resolver->fact->place_count,
                                              .line = resolver->fact->line};
  for (size_t p = 0; p < resolver->fact->place_count; p++) {
    warpbound_status status =
        find_blocks(resolver, &resolver->places[p], &resolved->sets[resolved->set_count]);
    if (status != WARPBOUND_OK)
      return status;
    resolved->set_count++;
  }
  resolved->exclusives[resolved->exclusive_count++] = exclusive;
  return WARPBOUND_OK;
}

/* Which loops wait the analysis of the code says. Refuses a second fact of the same that differs.
 */
static warpbound_status resolve_loops(struct resolver *resolver)
{
  const struct wb_flow_fact *fact = resolver->fact;
  for (const struct wb_flow_fact *first = resolver->kernel->facts; first < fact; first++) {
    if (first->kind == WB_FACT_LOOPS && first->waits == fact->waits &&
        first->per_warp == fact->per_warp && first->number != fact->number)
      return FACT_FAIL(resolver, fact,
                       "a bound of %" PRIu64 " per %s: line %" PRIu32 " says %" PRIu64
                       " of the same: give one of them",
                       fact->number, fact->per_warp ? "warp" : "thread", first->line,
                       first->number);
  }
  return WARPBOUND_OK;
}

/* What loads and instructions give and calls take other analyses use; here an address has to name
 * an instruction. */
static warpbound_status resolve_load(struct resolver *resolver)
{
  const struct wb_place *place = resolver->places;
  if (resolver->fact->place_count == 0)
    return WARPBOUND_OK;
  uint32_t *found = &resolver->found[place - resolver->kernel->places];
  const struct wb_place_finder finder = finder_of(resolver);
  return wb_place_is_fragile(place) && !resolver->moved
             ? wb_place_find_instruction(&finder, place, found)
             : WARPBOUND_OK;
}

/* ---- facts that are given twice ---- */

/* What a fact counts. Facts with equal members but the last count the same. */
struct claim {
  uint32_t kind;
  uint32_t level; /* 1: per warp */
  uint32_t place; /* an instruction: the first of the loop's header, or of the block */
  uint32_t per;   /* the first instruction of the other header, UINT32_MAX for none */
  const struct wb_flow_fact *fact;
};

static int compare_numbers(uint32_t left, uint32_t right)
{
  return (left > right) - (left < right);
}

/* What they count, in some order. */
static int compare_counted(const struct claim *left, const struct claim *right)
{
  int order = compare_numbers(left->kind, right->kind);
  if (order == 0)
    order = compare_numbers(left->level, right->level);
  if (order == 0)
    order = compare_numbers(left->place, right->place);
  return order != 0 ? order : compare_numbers(left->per, right->per);
}

/* By what they count, then as in the file. */
static int compare_claims(const void *a, const void *b)
{
  const struct claim *left = a;
  const struct claim *right = b;
  const int order = compare_counted(left, right);
  return order != 0 ? order : compare_numbers(left->fact->line, right->fact->line);
}

/* Lists the claims of facts of loops and runs. A run's place is the first instruction of its block:
 * all contexts divide code alike but where calls end them; the shortest block counts, so that no
 * two blocks are taken for one. starts: scratch by instruction. */
static size_t list_claims(const struct resolver *resolver, uint32_t *starts, struct claim *claims)
{
  const struct wb_kernel_facts *kernel = resolver->kernel;
  const struct wb_warp_graph *graph = resolver->context->graph;
  size_t count = 0;
  for (size_t b = 0; b < graph->block_count; b++) {
    const struct wb_warp_block *block = &graph->blocks[b];
    for (uint32_t i = block->first; i <= block->last; i++)
      starts[i] = block->first > starts[i] ? block->first : starts[i];
  }
  for (size_t f = 0; f < kernel->fact_count; f++) {
    const struct wb_flow_fact *fact = &kernel->facts[f];
    if (fact->kind != WB_FACT_LOOP && fact->kind != WB_FACT_RUNS)
      continue;
    const uint32_t *found = &resolver->found[fact->first_place];
    claims[count++] =
        (struct claim){.kind = (uint32_t)fact->kind,
                       .level = fact->per_warp,
                       .place = fact->kind == WB_FACT_LOOP ? found[0] : starts[found[0]],
                       .per = fact->place_count > 1 ? found[1] : UINT32_MAX,
                       .fact = fact};
  }
  return count;
}

/* Refuses two facts that count the same (back edges of one loop, or runs of one block, for the same
 * entries, both per thread or both per warp) and give different numbers. Needs the places of all
 * facts (resolved->found). Errors, at the later one's number: WARPBOUND_INVALID_INPUT;
 * WARPBOUND_INTERNAL. Time: n log n of the facts, times the logarithm of the graph. */
static warpbound_status check_twice(const struct resolver *resolver)
{
  const struct wb_function *function = resolver->function;
  struct wb_arena arena = {0};
  struct claim *claims = wb_arena_array(&arena, struct claim, resolver->kernel->fact_count);
  uint32_t *starts = wb_arena_array(&arena, uint32_t, function->instruction_count);
  warpbound_status status = WARPBOUND_OK;
  size_t count = 0;
  if (arena.failed) {
    status = wb_out_of_memory(resolver->error);
  } else {
    count = list_claims(resolver, starts, claims);
    qsort(claims, count, sizeof *claims, compare_claims);
  }
  for (size_t c = 1; c < count && status == WARPBOUND_OK; c++) {
    const struct wb_flow_fact *first = claims[c - 1].fact;
    const struct wb_flow_fact *second = claims[c].fact;
    if (compare_counted(&claims[c - 1], &claims[c]) != 0 || first->number == second->number)
      continue;
    const bool loop = second->kind == WB_FACT_LOOP;
    status = wb_fail_at(
        resolver->error, WARPBOUND_INVALID_INPUT, resolver->context->name, second->line,
        second->column,
        "%s %" PRIu64 " per %s for the %s at 0x%04" PRIx32 " of %.120s: line %" PRIu32
        " says %" PRIu64 " of the same: give one of them",
        loop ? "a bound of" : "at most", second->number, second->per_warp ? "warp" : "thread",
        loop ? "loop" : "block", function->instructions[claims[c].place].address, function->name,
        first->line, first->number);
  }
  wb_arena_free(&arena);
  return status;
}

/* ---- all of them ---- */

/* Facts that name addresses or labels speak of the code that they were written for. */
static warpbound_status check_code(struct resolver *resolver)
{
  const struct wb_kernel_facts *kernel = resolver->kernel;
  const uint64_t sum = wb_function_checksum(resolver->scope->function);
  bool fragile = false;
  for (size_t p = 0; p < kernel->place_count; p++)
    fragile |= wb_place_is_fragile(&kernel->places[p]);
  if (!fragile || (kernel->has_checksum && kernel->checksum == sum))
    return WARPBOUND_OK;
  resolver->moved = resolver->context->move;
  if (resolver->context->move)
    return WARPBOUND_OK;
  if (!kernel->has_checksum)
    return wb_fail_at(resolver->error, WARPBOUND_INVALID_INPUT, resolver->context->name,
                      kernel->line, kernel->column,
                      "expected a line 'checksum' for %.120s, whose facts name addresses or "
                      "labels: that of this listing is 0x%016" PRIx64,
                      kernel->kernel, sum);
  return wb_fail_at(resolver->error, WARPBOUND_INVALID_INPUT, resolver->context->name, kernel->line,
                    kernel->column,
                    "the facts of %.120s were written for other code (checksum 0x%016" PRIx64
                    ", that of this listing is 0x%016" PRIx64
                    "): wcet --template FILE writes them anew "
                    "by their source lines; check what it writes",
                    kernel->kernel, kernel->checksum, sum);
}

/* The facts of one scope. */
static warpbound_status resolve_scope(struct resolver *resolver)
{
  static warpbound_status (*const resolve[])(struct resolver *) = {
      [WB_FACT_LOOP] = resolve_loop,   [WB_FACT_RUNS] = resolve_runs,
      [WB_FACT_EQUAL] = resolve_equal, [WB_FACT_EXCLUSIVE] = resolve_exclusive,
      [WB_FACT_LOOPS] = resolve_loops, [WB_FACT_LOAD] = resolve_load,
      [WB_FACT_CALL] = resolve_load,   [WB_FACT_DEPTH] = resolve_load,
      [WB_FACT_VALUE] = resolve_load};
  const struct wb_kernel_facts *kernel = resolver->kernel;
  struct wb_resolved_facts *resolved = resolver->resolved;
  resolver->found = wb_arena_array(&resolved->arena, uint32_t, kernel->place_count);
  if (resolver->found == NULL)
    return wb_out_of_memory(resolver->error);
  for (size_t p = 0; p < kernel->place_count; p++)
    resolver->found[p] = UINT32_MAX;
  warpbound_status status = check_code(resolver);
  if (!resolver->scope->called) {
    resolved->found = resolver->found;
    resolved->moved = resolver->moved;
  } else if (resolver->moved) {
    return WARPBOUND_OK;
  }
  for (size_t f = 0; f < kernel->fact_count && status == WARPBOUND_OK; f++) {
    resolver->fact = &kernel->facts[f];
    resolver->places = &kernel->places[resolver->fact->first_place];
    status = resolve[resolver->fact->kind](resolver);
    if (status == WARPBOUND_INVALID_INPUT && resolver->moved)
      status = WARPBOUND_OK; /* its places stay not found */
  }
  return status == WARPBOUND_OK && !resolver->moved ? check_twice(resolver) : status;
}

warpbound_status wb_facts_resolve(const struct wb_fact_context *context,
                                  struct wb_fact_scopes *scopes, struct wb_resolved_facts *resolved,
                                  warpbound_error *error)
{
  size_t fact_count = 0;
  size_t places = 0;
  for (size_t s = 0; s < scopes->count; s++) {
    fact_count += scopes->items[s].facts != NULL ? scopes->items[s].facts->fact_count : 0;
    places += scopes->items[s].facts != NULL ? scopes->items[s].facts->place_count : 0;
  }
  *resolved = (struct wb_resolved_facts){0};
  struct wb_arena *arena = &resolved->arena;
  resolved->loops = wb_arena_array(arena, struct wb_loop_facts, context->forest->loop_count);
  /* Equal runs of two neighbours are two facts. */
  resolved->facts = wb_arena_array(arena, struct wb_ipet_fact, 2 * places);
  resolved->line_of_fact = wb_arena_array(arena, uint32_t, 2 * places);
  resolved->sets = wb_arena_array(arena, struct wb_block_set, places);
  resolved->exclusives = wb_arena_array(arena, struct wb_exclusive_fact, fact_count);
  warpbound_status status = arena->failed ? wb_out_of_memory(error) : WARPBOUND_OK;
  for (size_t s = 0; s < scopes->count && status == WARPBOUND_OK; s++) {
    struct resolver resolver = {.context = context,
                                .function = context->function,
                                .scope = &scopes->items[s],
                                .kernel = scopes->items[s].facts,
                                .resolved = resolved,
                                .error = error};
    status = resolver.kernel != NULL ? resolve_scope(&resolver) : WARPBOUND_OK;
    scopes->items[s].found = resolver.found;
    if (resolver.moved && resolver.scope->called)
      scopes->items[s].facts = NULL;
  }
  if (status != WARPBOUND_OK)
    wb_resolved_facts_free(resolved);
  return status;
}
