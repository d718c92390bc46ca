#include "ipet/facts/fact_resolution.h"

#include "base/memory.h"
#include "base/status.h"
#include "ipet/facts/place_resolution.h"
#include "model/code.h"

#include <inttypes.h>
#include <stdlib.h>

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
static int in_order(const void *a, const void *b)
{
  const struct claim *left = a;
  const struct claim *right = b;
  const int order = compare_counted(left, right);
  return order != 0 ? order : compare_numbers(left->fact->line, right->fact->line);
}

/* By instruction: the first one of its block. All contexts divide code alike but where calls end
 * them; the shortest block counts, so that no two blocks are taken for one. */
static uint32_t *find_block_starts(const struct wb_warp_graph *graph)
{
  uint32_t *starts = wb_allocate(graph->function->instruction_count, sizeof *starts);
  for (size_t b = 0; starts != NULL && b < graph->block_count; b++) {
    const struct wb_warp_block *block = &graph->blocks[b];
    for (uint32_t i = block->first; i <= block->last; i++)
      starts[i] = block->first > starts[i] ? block->first : starts[i];
  }
  return starts;
}

/* Refuses two facts that count the same (back edges of one loop, or runs of one block, for the same
 * entries, both per thread or both per warp) and give different numbers. Needs the places of all
 * facts (resolved->found). Errors, at the later one's number: WARPBOUND_INVALID_INPUT;
 * WARPBOUND_INTERNAL. Time: n log n of the facts, times the logarithm of the graph. */
static warpbound_status check_twice(struct wb_fact_resolver *resolver)
{
  const struct wb_kernel_facts *kernel = resolver->kernel;
  struct claim *claims = wb_allocate(kernel->fact_count, sizeof *claims);
  uint32_t *starts = find_block_starts(resolver->context->graph);
  warpbound_status status = WARPBOUND_OK;
  size_t count = 0;
  if (claims == NULL || starts == NULL)
    status = wb_out_of_memory(resolver->error);
  for (size_t f = 0; f < kernel->fact_count && status == WARPBOUND_OK; f++) {
    const struct wb_flow_fact *fact = &kernel->facts[f];
    if (fact->kind == WB_FACT_LOOP || fact->kind == WB_FACT_RUNS) {
      const uint32_t *found = &resolver->resolved->found[fact->first_place];
      claims[count++] =
          (struct claim){.kind = (uint32_t)fact->kind,
                         .level = fact->per_warp,
                         .place = fact->kind == WB_FACT_LOOP ? found[0] : starts[found[0]],
                         .per = fact->place_count > 1 ? found[1] : UINT32_MAX,
                         .fact = fact};
    }
  }
  if (count > 0)
    qsort(claims, count, sizeof *claims, in_order);
  for (size_t c = 1; c < count && status == WARPBOUND_OK; c++) {
    if (compare_counted(&claims[c - 1], &claims[c]) == 0 &&
        claims[c - 1].fact->number != claims[c].fact->number) {
      const struct claim *first = &claims[c - 1];
      const bool loop = claims[c].fact->kind == WB_FACT_LOOP;
      const struct wb_function *function = resolver->context->function;
      status =
          wb_fail_at(resolver->error, WARPBOUND_INVALID_INPUT, resolver->context->name,
                     claims[c].fact->line, claims[c].fact->column,
                     "%s %" PRIu64 " per %s for the %s at 0x%04" PRIx32 " of %.120s: line %" PRIu32
                     " says %" PRIu64 " of the same: give one of them",
                     loop ? "a bound of" : "at most", claims[c].fact->number,
                     claims[c].fact->per_warp ? "warp" : "thread", loop ? "loop" : "block",
                     function->instructions[claims[c].place].address, function->name,
                     first->fact->line, first->fact->number);
    }
  }
  free(claims);
  free(starts);
  return status;
}

/* The loop of "per entry of PLACE". */
static const struct wb_place *second_place(const struct wb_fact_resolver *resolver)
{
  return &resolver->kernel->places[resolver->fact->first_place + 1];
}

/* ---- loops ---- */

/* The fact's number for the warp, where a number of threads is multiplied by the lanes unless the
 * loop is balanced. */
static warpbound_status bound_of_warp(const struct wb_fact_resolver *resolver, bool balanced,
                                      int64_t *bound)
{
  uint64_t warp;
  *bound = 0;
  if (!wb_warp_bound(resolver->fact->number, resolver->fact->per_warp, balanced,
                     resolver->context->lanes, &warp) ||
      warp > INT64_MAX)
    return WB_FACT_FAIL(resolver, resolver->fact,
                        "the number does not fit into 63 bits for the warp");
  *bound = (int64_t)warp;
  return WARPBOUND_OK;
}

static warpbound_status add_loop_limit(struct wb_fact_resolver *resolver, uint32_t loop,
                                       uint32_t outer)
{
  struct wb_resolved_facts *resolved = resolver->resolved;
  uint32_t per =
      wb_place_loop_around(resolver, resolver->context->forest->loops[loop].parent, outer);
  int64_t bound;
  if (per == UINT32_MAX)
    return WB_FACT_FAIL(resolver, second_place(resolver),
                        "the loop is not inside the second one in %.120s",
                        resolver->context->function->name);
  warpbound_status status = bound_of_warp(resolver, false, &bound);
  if (status != WARPBOUND_OK)
    return status;
  if (!wb_grow(resolved->limits, &resolved->limit_capacity, resolved->limit_count + 1))
    return wb_out_of_memory(resolver->error);
  resolved->limits[resolved->limit_count++] = (struct wb_ipet_loop_limit){
      .loop = loop,
      .per = per,
      .bound = bound,
      .thread_bound =
          resolver->fact->per_warp ? WB_IPET_NO_BOUND : (int64_t)resolver->fact->number};
  return WARPBOUND_OK;
}

/* Of two facts of one level that differ, check_twice refuses the second. */
static warpbound_status keep_fact(struct wb_fact_resolver *resolver, uint32_t loop)
{
  const struct wb_flow_fact *fact = resolver->fact;
  struct wb_loop_facts *kept = &resolver->resolved->loops[loop];
  uint64_t warp;
  if (!wb_warp_bound(fact->number, fact->per_warp, resolver->context->balanced[loop],
                     resolver->context->lanes, &warp))
    return WB_FACT_FAIL(resolver, fact, "the bound does not fit into 64 bits for the warp");
  *(fact->per_warp ? &kept->warp : &kept->thread) =
      (struct wb_loop_fact){.bound = fact->number, .line = fact->line, .column = fact->column};
  return WARPBOUND_OK;
}

static warpbound_status resolve_loop(struct wb_fact_resolver *resolver)
{
  const struct wb_place *places = &resolver->kernel->places[resolver->fact->first_place];
  uint32_t header = 0;
  uint32_t outer = 0;
  warpbound_status status = wb_place_find_header(resolver, &places[0], &header);
  if (status == WARPBOUND_OK && resolver->fact->place_count > 1)
    status = wb_place_find_header(resolver, &places[1], &outer);
  for (uint32_t l = 0; l < resolver->context->forest->loop_count && status == WARPBOUND_OK; l++) {
    if (wb_place_is_loop(resolver, l, header))
      status = resolver->fact->place_count > 1 ? add_loop_limit(resolver, l, outer)
                                               : keep_fact(resolver, l);
  }
  return status;
}

/* ---- runs ---- */

/* Adds the blocks, of all contexts, that hold the place's instruction to resolved->blocks. */
static warpbound_status add_blocks(struct wb_fact_resolver *resolver, const struct wb_place *place,
                                   struct wb_block_set *set)
{
  struct wb_resolved_facts *resolved = resolver->resolved;
  const struct wb_warp_graph *graph = resolver->context->graph;
  uint32_t index = 0;
  warpbound_status status = wb_place_find_instruction(resolver, place, &index);
  if (status != WARPBOUND_OK)
    return status;
  *set = (struct wb_block_set){.first = resolved->block_count};
  for (uint32_t b = 0; b < graph->block_count; b++) {
    if (index < graph->blocks[b].first || index > graph->blocks[b].last)
      continue;
    if (!wb_grow(resolved->blocks, &resolved->block_capacity, resolved->block_count + 1))
      return wb_out_of_memory(resolver->error);
    resolved->blocks[resolved->block_count++] = b;
    set->count++;
  }
  return WARPBOUND_OK;
}

/* A fact without terms and with room for `count`. */
static struct wb_ipet_term *new_fact(struct wb_fact_resolver *resolver, size_t count,
                                     int64_t constant)
{
  struct wb_resolved_facts *resolved = resolver->resolved;
  struct wb_ipet_term *terms = wb_allocate(count, sizeof *terms);
  if (terms == NULL ||
      !wb_grow(resolved->facts, &resolved->fact_capacity, resolved->fact_count + 1) ||
      !wb_grow(resolved->line_of_fact, &resolved->line_capacity, resolved->fact_count + 1)) {
    free(terms);
    wb_out_of_memory(resolver->error);
    return NULL;
  }
  resolved->line_of_fact[resolved->fact_count] = resolver->fact->line;
  resolved->facts[resolved->fact_count++] =
      (struct wb_ipet_fact){.terms = terms, .constant = constant};
  return terms;
}

static void append_set(struct wb_fact_resolver *resolver, const struct wb_block_set *set,
                       int64_t factor, struct wb_ipet_term *terms)
{
  struct wb_ipet_fact *fact = &resolver->resolved->facts[resolver->resolved->fact_count - 1];
  for (size_t b = 0; b < set->count; b++)
    terms[fact->term_count++] = (struct wb_ipet_term){
        .block = resolver->resolved->blocks[set->first + b], .factor = factor};
}

/* The loops with that header around the blocks of a set, each once: their entries count. */
static warpbound_status relate(struct wb_fact_resolver *resolver, const struct wb_block_set *set,
                               uint32_t header, int64_t bound)
{
  struct wb_ipet_fact *fact = &resolver->resolved->facts[resolver->resolved->fact_count - 1];
  uint32_t *loops = wb_allocate(set->count, sizeof *loops);
  if (loops == NULL)
    return wb_out_of_memory(resolver->error);
  fact->per = loops;
  fact->per_factor = bound;
  for (size_t b = 0; b < set->count; b++) {
    uint32_t block = resolver->resolved->blocks[set->first + b];
    uint32_t loop =
        wb_place_loop_around(resolver, resolver->context->forest->innermost[block], header);
    if (loop == UINT32_MAX)
      return WB_FACT_FAIL(resolver, second_place(resolver),
                          "the place is not inside the loop in %.120s",
                          resolver->context->function->name);
    size_t known = 0;
    while (known < fact->per_count && loops[known] != loop)
      known++;
    if (known == fact->per_count)
      loops[fact->per_count++] = loop;
  }
  return WARPBOUND_OK;
}

static warpbound_status resolve_runs(struct wb_fact_resolver *resolver)
{
  const struct wb_place *places = &resolver->kernel->places[resolver->fact->first_place];
  struct wb_block_set set = {0};
  uint32_t header = 0;
  int64_t bound = 0;
  bool related = resolver->fact->place_count > 1;
  warpbound_status status = add_blocks(resolver, &places[0], &set);
  if (status == WARPBOUND_OK && related)
    status = wb_place_find_header(resolver, &places[1], &header);
  if (status == WARPBOUND_OK)
    status = bound_of_warp(resolver, false, &bound);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_ipet_term *terms = new_fact(resolver, set.count, related ? 0 : bound);
  if (terms == NULL)
    return WARPBOUND_INTERNAL;
  append_set(resolver, &set, 1, terms);
  return related ? relate(resolver, &set, header, bound) : WARPBOUND_OK;
}

/* Adds two facts for each two neighbours. Per warp their executions are equal. Else their
 * executions by all lanes together are equal: at least those of the warp, and at most `lanes` times
 * those. */
static warpbound_status resolve_equal(struct wb_fact_resolver *resolver)
{
  const struct wb_place *places = &resolver->kernel->places[resolver->fact->first_place];
  int64_t most = resolver->fact->per_warp ? 1 : (int64_t)resolver->context->lanes;
  struct wb_block_set before = {0};
  for (size_t p = 0; p < resolver->fact->place_count; p++) {
    struct wb_block_set set;
    warpbound_status status = add_blocks(resolver, &places[p], &set);
    if (status != WARPBOUND_OK)
      return status;
    for (int direction = 0; p > 0 && direction < 2; direction++) {
      struct wb_ipet_term *terms = new_fact(resolver, before.count + set.count, 0);
      if (terms == NULL)
        return WARPBOUND_INTERNAL;
      append_set(resolver, direction == 0 ? &before : &set, 1, terms);
      append_set(resolver, direction == 0 ? &set : &before, -most, terms);
    }
    before = set;
  }
  return WARPBOUND_OK;
}

static warpbound_status resolve_exclusive(struct wb_fact_resolver *resolver)
{
  struct wb_resolved_facts *resolved = resolver->resolved;
  const struct wb_place *places = &resolver->kernel->places[resolver->fact->first_place];
  struct wb_exclusive_fact exclusive = {.first_set = resolved->set_count,
                                        .set_count = resolver->fact->place_count,
                                        .line = resolver->fact->line};
  for (size_t p = 0; p < resolver->fact->place_count; p++) {
    struct wb_block_set set;
    warpbound_status status = add_blocks(resolver, &places[p], &set);
    if (status != WARPBOUND_OK)
      return status;
    if (!wb_grow(resolved->sets, &resolved->set_capacity, resolved->set_count + 1))
      return wb_out_of_memory(resolver->error);
    resolved->sets[resolved->set_count++] = set;
  }
  if (!wb_grow(resolved->exclusives, &resolved->exclusive_capacity, resolved->exclusive_count + 1))
    return wb_out_of_memory(resolver->error);
  resolved->exclusives[resolved->exclusive_count++] = exclusive;
  return WARPBOUND_OK;
}

/* ---- all of them ---- */

/* Facts that name addresses or labels speak of the code that they were written for. */
static warpbound_status check_code(struct wb_fact_resolver *resolver)
{
  uint64_t sum = wb_function_checksum(resolver->context->function);
  bool fragile = false;
  for (size_t p = 0; p < resolver->kernel->place_count; p++)
    fragile |= wb_place_is_fragile(&resolver->kernel->places[p]);
  if (!fragile || (resolver->kernel->has_checksum && resolver->kernel->checksum == sum))
    return WARPBOUND_OK;
  resolver->resolved->moved = resolver->context->move;
  if (resolver->context->move)
    return WARPBOUND_OK;
  if (!resolver->kernel->has_checksum)
    return wb_fail_at(resolver->error, WARPBOUND_INVALID_INPUT, resolver->context->name,
                      resolver->kernel->line, resolver->kernel->column,
                      "expected a line 'checksum' for %.120s, whose facts name addresses or "
                      "labels: that of this listing is 0x%016" PRIx64,
                      resolver->kernel->kernel, sum);
  return wb_fail_at(resolver->error, WARPBOUND_INVALID_INPUT, resolver->context->name,
                    resolver->kernel->line, resolver->kernel->column,
                    "the facts of %.120s were written for other code (checksum 0x%016" PRIx64
                    ", that of this listing is 0x%016" PRIx64
                    "): wcet --template FILE writes them anew "
                    "by their source lines; check what it writes",
                    resolver->kernel->kernel, resolver->kernel->checksum, sum);
}

static warpbound_status resolve_all(struct wb_fact_resolver *resolver)
{
  static warpbound_status (*const resolve[])(struct wb_fact_resolver *) = {
      [WB_FACT_LOOP] = resolve_loop,
      [WB_FACT_RUNS] = resolve_runs,
      [WB_FACT_EQUAL] = resolve_equal,
      [WB_FACT_EXCLUSIVE] = resolve_exclusive};
  size_t places = resolver->kernel->place_count;
  resolver->resolved->found = wb_allocate(places, sizeof *resolver->resolved->found);
  if (resolver->resolved->found == NULL)
    return wb_out_of_memory(resolver->error);
  for (size_t p = 0; p < places; p++)
    resolver->resolved->found[p] = UINT32_MAX;
  warpbound_status status = check_code(resolver);
  for (size_t f = 0; f < resolver->kernel->fact_count && status == WARPBOUND_OK; f++) {
    resolver->fact = &resolver->kernel->facts[f];
    status = resolve[resolver->fact->kind](resolver);
    if (status == WARPBOUND_INVALID_INPUT && resolver->resolved->moved)
      status = WARPBOUND_OK; /* its places stay not found */
  }
  return status == WARPBOUND_OK && !resolver->resolved->moved ? check_twice(resolver) : status;
}

warpbound_status wb_facts_resolve(const struct wb_fact_context *context,
                                  const struct wb_kernel_facts *kernel,
                                  struct wb_resolved_facts *resolved, warpbound_error *error)
{
  struct wb_fact_resolver resolver = {
      .context = context, .kernel = kernel, .resolved = resolved, .error = error};
  *resolved = (struct wb_resolved_facts){
      .loops = wb_allocate(context->forest->loop_count, sizeof *resolved->loops)};
  warpbound_status status = WARPBOUND_OK;
  if (resolved->loops == NULL)
    status = wb_out_of_memory(error);
  else if (kernel != NULL)
    status = resolve_all(&resolver);
  if (status != WARPBOUND_OK)
    wb_resolved_facts_free(resolved);
  return status;
}
