#include "ipet/facts.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/code_checksum.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct resolver {
  const struct wb_fact_context *context;
  const struct wb_kernel_facts *kernel;
  const struct wb_flow_fact *fact; /* under way */
  struct wb_resolved_facts *resolved;
  warpbound_error *error;
};

#define FAIL(r, ...)                                                                               \
  wb_fail_at((r)->error, WARPBOUND_INVALID_INPUT, (r)->context->name, (r)->fact->line, 0,          \
             __VA_ARGS__)

bool wb_warp_bound(uint64_t bound, bool per_warp, bool balanced, uint32_t lanes,
                   uint64_t *warp_bound)
{
  *warp_bound = bound;
  return per_warp || balanced || wb_multiply(bound, lanes, warp_bound);
}

/* ---- places ---- */

static const struct wb_instruction *at(const struct resolver *r, uint32_t index)
{
  return &r->context->function->instructions[index];
}

/* Whether the file of an instruction ends in what the place calls it. */
static bool is_of_file(const struct resolver *r, uint32_t file, const char *ending)
{
  if (file == 0)
    return false;
  const char *path = r->context->code->files[file - 1];
  size_t length = strlen(path);
  size_t wanted = strlen(ending);
  return length >= wanted && strcmp(path + length - wanted, ending) == 0 &&
         (length == wanted || path[length - wanted - 1] == '/' || ending[0] == '/');
}

/* Whether a place is to be looked for by its address or label. */
static bool is_anchored(const struct resolver *r, const struct wb_place *place)
{
  return wb_place_is_fragile(place) && !(r->resolved->moved && place->file != NULL);
}

/* What a label or an address says of other code is nothing. */
static bool is_lost(const struct resolver *r, const struct wb_place *place)
{
  return r->resolved->moved && place->file == NULL;
}

static void remember(const struct resolver *r, const struct wb_place *place, uint32_t index)
{
  r->resolved->found[place - r->kernel->places] = index;
}

static bool is_on_line(const struct resolver *r, uint32_t index, const struct wb_place *place)
{
  return at(r, index)->source_line == place->source_line &&
         is_of_file(r, at(r, index)->source_file, place->file);
}

/* The instruction that an address or a label names. */
static warpbound_status find_instruction(const struct resolver *r, const struct wb_place *place,
                                         uint32_t *index)
{
  const struct wb_function *function = r->context->function;
  if (is_lost(r, place))
    return FAIL(r, "the place has no source line to find it by in other code");
  if (place->has_address) {
    size_t found = wb_function_at(function, place->address);
    *index = (uint32_t)found;
    return found != SIZE_MAX ? WARPBOUND_OK
                             : FAIL(r, "there is no instruction at 0x%04" PRIx32 " in %.120s",
                                    place->address, function->name);
  }
  for (size_t l = 0; l < function->label_count; l++) {
    *index = function->labels[l].index;
    if (strcmp(function->labels[l].name, place->label) == 0)
      return WARPBOUND_OK;
  }
  return FAIL(r, "there is no label '%.100s' in %.120s", place->label, function->name);
}

static void list_address(struct wb_text *list, uint32_t address)
{
  if (list->length < 100)
    wb_text_format(list, "%s0x%04" PRIx32, list->length > 0 ? ", " : "", address);
}

static warpbound_status ambiguous(const struct resolver *r, const struct wb_place *place,
                                  const char *what, struct wb_text *list)
{
  warpbound_status status =
      list->failed ? wb_out_of_memory(r->error)
                   : FAIL(r,
                          "%.100s:%" PRIu32 " is the line of several %s (%s): name one by its "
                          "address",
                          place->file, place->source_line, what, list->data);
  wb_text_free(list);
  return status;
}

/* ---- loops ---- */

/* How well a line names a loop: its instructions that take back edges, the first of its
 * header, any of its header. */
enum fit { FIT_NONE, FIT_HEADER, FIT_FIRST, FIT_BACK };

static enum fit fit_line(const struct resolver *r, const struct wb_loop *loop,
                         const struct wb_place *place)
{
  const struct wb_warp_graph *graph = r->context->graph;
  const struct wb_warp_block *header = &graph->blocks[loop->header];
  for (size_t i = 0; i < loop->back_edge_count; i++) {
    uint32_t edge = r->context->forest->back_edges[loop->first_back_edge + i];
    if (is_on_line(r, graph->blocks[graph->edges[edge].from].last, place))
      return FIT_BACK;
  }
  if (is_on_line(r, header->first, place))
    return FIT_FIRST;
  for (uint32_t i = header->first; i <= header->last; i++) {
    if (is_on_line(r, i, place))
      return FIT_HEADER;
  }
  return FIT_NONE;
}

/* The header's first instruction of the one loop that a line fits best. */
static warpbound_status find_loop_by_line(const struct resolver *r, const struct wb_place *place,
                                          uint32_t *header)
{
  const struct wb_loop_forest *forest = r->context->forest;
  enum fit best = FIT_NONE;
  struct wb_text list = {0};
  bool several = false;
  for (size_t l = 0; l < forest->loop_count; l++) {
    enum fit fit = fit_line(r, &forest->loops[l], place);
    uint32_t first = r->context->graph->blocks[forest->loops[l].header].first;
    if (fit == FIT_NONE || fit < best || (fit == best && first == *header))
      continue;
    if (fit > best)
      wb_text_free(&list);
    several = fit == best;
    best = fit;
    *header = first;
    list_address(&list, at(r, first)->address);
  }
  if (several)
    return ambiguous(r, place, "loops", &list);
  wb_text_free(&list);
  return best != FIT_NONE ? WARPBOUND_OK
                          : FAIL(r, "%.100s:%" PRIu32 " is the line of no loop of %.120s",
                                 place->file, place->source_line, r->context->function->name);
}

/* The first instruction of the header of the loop that a place names, in all contexts. */
static warpbound_status find_header(const struct resolver *r, const struct wb_place *place,
                                    uint32_t *header)
{
  warpbound_status status = is_anchored(r, place) ? find_instruction(r, place, header)
                                                  : find_loop_by_line(r, place, header);
  if (status == WARPBOUND_OK)
    remember(r, place, *header);
  const struct wb_loop_forest *forest = r->context->forest;
  for (size_t l = 0; l < forest->loop_count && status == WARPBOUND_OK; l++) {
    if (r->context->graph->blocks[forest->loops[l].header].first == *header)
      return WARPBOUND_OK;
  }
  return status != WARPBOUND_OK ? status
                                : FAIL(r,
                                       "no loop of %.120s has its header at 0x%04" PRIx32
                                       ": 'warpbound cfg' lists loops",
                                       r->context->function->name, at(r, *header)->address);
}

static bool is_loop_at(const struct resolver *r, size_t loop, uint32_t header)
{
  return r->context->graph->blocks[r->context->forest->loops[loop].header].first == header;
}

/* The loop with that header that is around another one (or is it), or UINT32_MAX. */
static uint32_t loop_around(const struct resolver *r, uint32_t loop, uint32_t header)
{
  while (loop != UINT32_MAX && !is_loop_at(r, loop, header))
    loop = r->context->forest->loops[loop].parent;
  return loop;
}

/* A number of threads for the warp, where nothing shows that lanes go together. */
static warpbound_status bound_of_warp(const struct resolver *r, bool balanced, int64_t *bound)
{
  uint64_t warp;
  *bound = 0;
  if (!wb_warp_bound(r->fact->number, r->fact->per_warp, balanced, r->context->lanes, &warp) ||
      warp > INT64_MAX)
    return FAIL(r, "the number does not fit into 63 bits for the warp");
  *bound = (int64_t)warp;
  return WARPBOUND_OK;
}

static warpbound_status add_loop_limit(struct resolver *r, uint32_t loop, uint32_t outer)
{
  struct wb_resolved_facts *resolved = r->resolved;
  uint32_t per = loop_around(r, r->context->forest->loops[loop].parent, outer);
  int64_t bound;
  if (per == UINT32_MAX)
    return FAIL(r, "the loop is not inside the second one in %.120s", r->context->function->name);
  warpbound_status status = bound_of_warp(r, false, &bound);
  if (status != WARPBOUND_OK)
    return status;
  if (!wb_grow(resolved->limits, &resolved->limit_capacity, resolved->limit_count + 1))
    return wb_out_of_memory(r->error);
  resolved->limits[resolved->limit_count++] =
      (struct wb_ipet_loop_limit){.loop = loop, .per = per, .bound = bound};
  return WARPBOUND_OK;
}

/* The least bound for the warp counts where there are several. */
static warpbound_status keep_least(struct resolver *r, uint32_t loop)
{
  struct wb_loop_fact *kept = &r->resolved->loops[loop];
  bool balanced = r->context->balanced[loop];
  uint64_t old = UINT64_MAX;
  uint64_t new;
  if (!wb_warp_bound(r->fact->number, r->fact->per_warp, balanced, r->context->lanes, &new))
    return FAIL(r, "the bound does not fit into 64 bits for the warp");
  if (kept->line > 0)
    (void)wb_warp_bound(kept->bound, kept->per_warp, balanced, r->context->lanes, &old);
  if (new < old)
    *kept = (struct wb_loop_fact){
        .bound = r->fact->number, .per_warp = r->fact->per_warp, .line = r->fact->line};
  return WARPBOUND_OK;
}

static warpbound_status resolve_loop(struct resolver *r)
{
  const struct wb_place *places = &r->kernel->places[r->fact->first_place];
  uint32_t header = 0;
  uint32_t outer = 0;
  warpbound_status status = find_header(r, &places[0], &header);
  if (status == WARPBOUND_OK && r->fact->place_count > 1)
    status = find_header(r, &places[1], &outer);
  for (uint32_t l = 0; l < r->context->forest->loop_count && status == WARPBOUND_OK; l++) {
    if (is_loop_at(r, l, header))
      status = r->fact->place_count > 1 ? add_loop_limit(r, l, outer) : keep_least(r, l);
  }
  return status;
}

/* ---- runs ---- */

/* The instruction that a line names: all that come from it stand in one stretch of blocks that
 * run together. */
static warpbound_status find_run_by_line(const struct resolver *r, const struct wb_place *place,
                                         uint32_t *index)
{
  const struct wb_warp_graph *graph = r->context->graph;
  struct wb_text list = {0};
  uint32_t found = UINT32_MAX;
  bool several = false;
  for (size_t b = 0; b < graph->block_count; b++) {
    uint32_t i = graph->blocks[b].first;
    while (i <= graph->blocks[b].last && !is_on_line(r, i, place))
      i++;
    if (i > graph->blocks[b].last || i == found)
      continue;
    several = found != UINT32_MAX;
    found = i;
    list_address(&list, at(r, i)->address);
  }
  if (several)
    return ambiguous(r, place, "blocks", &list);
  wb_text_free(&list);
  *index = found;
  return found != UINT32_MAX
             ? WARPBOUND_OK
             : FAIL(r, "%.100s:%" PRIu32 " is the line of no instruction that %.120s reaches",
                    place->file, place->source_line, r->context->function->name);
}

/* Adds the blocks, of all contexts, that hold the place's instruction to resolved->blocks. */
static warpbound_status add_blocks(struct resolver *r, const struct wb_place *place,
                                   struct wb_block_set *set)
{
  struct wb_resolved_facts *resolved = r->resolved;
  const struct wb_warp_graph *graph = r->context->graph;
  uint32_t index = 0;
  warpbound_status status = is_anchored(r, place) ? find_instruction(r, place, &index)
                                                  : find_run_by_line(r, place, &index);
  if (status != WARPBOUND_OK)
    return status;
  remember(r, place, index);
  *set = (struct wb_block_set){.first = resolved->block_count};
  for (uint32_t b = 0; b < graph->block_count; b++) {
    if (index < graph->blocks[b].first || index > graph->blocks[b].last)
      continue;
    if (!wb_grow(resolved->blocks, &resolved->block_capacity, resolved->block_count + 1))
      return wb_out_of_memory(r->error);
    resolved->blocks[resolved->block_count++] = b;
    set->count++;
  }
  return WARPBOUND_OK;
}

/* A fact without terms and with room for `count`. */
static struct wb_ipet_term *new_fact(struct resolver *r, size_t count, int64_t constant)
{
  struct wb_resolved_facts *resolved = r->resolved;
  struct wb_ipet_term *terms = wb_allocate(count, sizeof *terms);
  if (terms == NULL ||
      !wb_grow(resolved->facts, &resolved->fact_capacity, resolved->fact_count + 1) ||
      !wb_grow(resolved->line_of_fact, &resolved->line_capacity, resolved->fact_count + 1)) {
    free(terms);
    wb_out_of_memory(r->error);
    return NULL;
  }
  resolved->line_of_fact[resolved->fact_count] = r->fact->line;
  resolved->facts[resolved->fact_count++] =
      (struct wb_ipet_fact){.terms = terms, .constant = constant};
  return terms;
}

static void append_set(struct resolver *r, const struct wb_block_set *set, int64_t factor,
                       struct wb_ipet_term *terms)
{
  struct wb_ipet_fact *fact = &r->resolved->facts[r->resolved->fact_count - 1];
  for (size_t b = 0; b < set->count; b++)
    terms[fact->term_count++] =
        (struct wb_ipet_term){.block = r->resolved->blocks[set->first + b], .factor = factor};
}

/* The loops with that header around the blocks of a set, each once: their entries count. */
static warpbound_status relate(struct resolver *r, const struct wb_block_set *set, uint32_t header,
                               int64_t bound)
{
  struct wb_ipet_fact *fact = &r->resolved->facts[r->resolved->fact_count - 1];
  uint32_t *loops = wb_allocate(set->count, sizeof *loops);
  if (loops == NULL)
    return wb_out_of_memory(r->error);
  fact->per = loops;
  fact->per_factor = bound;
  for (size_t b = 0; b < set->count; b++) {
    uint32_t block = r->resolved->blocks[set->first + b];
    uint32_t loop = loop_around(r, r->context->forest->innermost[block], header);
    if (loop == UINT32_MAX)
      return FAIL(r, "the place is not inside the loop in %.120s", r->context->function->name);
    size_t known = 0;
    while (known < fact->per_count && loops[known] != loop)
      known++;
    if (known == fact->per_count)
      loops[fact->per_count++] = loop;
  }
  return WARPBOUND_OK;
}

static warpbound_status resolve_runs(struct resolver *r)
{
  const struct wb_place *places = &r->kernel->places[r->fact->first_place];
  struct wb_block_set set = {0};
  uint32_t header = 0;
  int64_t bound = 0;
  bool related = r->fact->place_count > 1;
  warpbound_status status = add_blocks(r, &places[0], &set);
  if (status == WARPBOUND_OK && related)
    status = find_header(r, &places[1], &header);
  if (status == WARPBOUND_OK)
    status = bound_of_warp(r, false, &bound);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_ipet_term *terms = new_fact(r, set.count, related ? 0 : bound);
  if (terms == NULL)
    return WARPBOUND_INTERNAL;
  append_set(r, &set, 1, terms);
  return related ? relate(r, &set, header, bound) : WARPBOUND_OK;
}

/* Of each two neighbours, both ways: equal for the warp; and what all lanes together do of the
 * one is at least once, at most so many times as there are lanes, what the warp does. */
static warpbound_status resolve_equal(struct resolver *r)
{
  const struct wb_place *places = &r->kernel->places[r->fact->first_place];
  int64_t most = r->fact->per_warp ? 1 : (int64_t)r->context->lanes;
  struct wb_block_set before = {0};
  for (size_t p = 0; p < r->fact->place_count; p++) {
    struct wb_block_set set;
    warpbound_status status = add_blocks(r, &places[p], &set);
    if (status != WARPBOUND_OK)
      return status;
    for (int way = 0; p > 0 && way < 2; way++) {
      struct wb_ipet_term *terms = new_fact(r, before.count + set.count, 0);
      if (terms == NULL)
        return WARPBOUND_INTERNAL;
      append_set(r, way == 0 ? &before : &set, 1, terms);
      append_set(r, way == 0 ? &set : &before, -most, terms);
    }
    before = set;
  }
  return WARPBOUND_OK;
}

static warpbound_status resolve_exclusive(struct resolver *r)
{
  struct wb_resolved_facts *resolved = r->resolved;
  const struct wb_place *places = &r->kernel->places[r->fact->first_place];
  struct wb_exclusive_fact exclusive = {
      .first_set = resolved->set_count, .set_count = r->fact->place_count, .line = r->fact->line};
  for (size_t p = 0; p < r->fact->place_count; p++) {
    struct wb_block_set set;
    warpbound_status status = add_blocks(r, &places[p], &set);
    if (status != WARPBOUND_OK)
      return status;
    if (!wb_grow(resolved->sets, &resolved->set_capacity, resolved->set_count + 1))
      return wb_out_of_memory(r->error);
    resolved->sets[resolved->set_count++] = set;
  }
  if (!wb_grow(resolved->exclusives, &resolved->exclusive_capacity, resolved->exclusive_count + 1))
    return wb_out_of_memory(r->error);
  resolved->exclusives[resolved->exclusive_count++] = exclusive;
  return WARPBOUND_OK;
}

/* ---- all of them ---- */

/* Facts that name addresses or labels speak of the code that they were written for. */
static warpbound_status check_code(struct resolver *r)
{
  uint64_t sum = wb_function_checksum(r->context->function);
  bool fragile = false;
  for (size_t p = 0; p < r->kernel->place_count; p++)
    fragile |= wb_place_is_fragile(&r->kernel->places[p]);
  if (!fragile || (r->kernel->has_checksum && r->kernel->checksum == sum))
    return WARPBOUND_OK;
  r->resolved->moved = r->context->move;
  if (r->context->move)
    return WARPBOUND_OK;
  if (!r->kernel->has_checksum)
    return wb_fail_at(r->error, WARPBOUND_INVALID_INPUT, r->context->name, r->kernel->line, 0,
                      "expected a line 'checksum' for %.120s, whose facts name addresses or "
                      "labels: that of this listing is 0x%016" PRIx64,
                      r->kernel->kernel, sum);
  return wb_fail_at(r->error, WARPBOUND_INVALID_INPUT, r->context->name, r->kernel->line, 0,
                    "the facts of %.120s were written for other code (checksum 0x%016" PRIx64
                    ", that of this listing is 0x%016" PRIx64 "): --template FILE writes them anew "
                    "by their source lines; check what it writes",
                    r->kernel->kernel, r->kernel->checksum, sum);
}

static warpbound_status resolve_fact(struct resolver *r)
{
  switch (r->fact->kind) {
  case WB_FACT_LOOP:
    return resolve_loop(r);
  case WB_FACT_RUNS:
    return resolve_runs(r);
  case WB_FACT_EQUAL:
    return resolve_equal(r);
  case WB_FACT_EXCLUSIVE:
    return resolve_exclusive(r);
  }
  return WARPBOUND_OK;
}

static warpbound_status resolve_all(struct resolver *r)
{
  size_t places = r->kernel->place_count;
  r->resolved->found = wb_allocate(places, sizeof *r->resolved->found);
  if (r->resolved->found == NULL)
    return wb_out_of_memory(r->error);
  for (size_t p = 0; p < places; p++)
    r->resolved->found[p] = UINT32_MAX;
  warpbound_status status = check_code(r);
  for (size_t f = 0; f < r->kernel->fact_count && status == WARPBOUND_OK; f++) {
    r->fact = &r->kernel->facts[f];
    status = resolve_fact(r);
    if (status == WARPBOUND_INVALID_INPUT && r->resolved->moved)
      status = WARPBOUND_OK; /* its places stay not found */
  }
  return status;
}

warpbound_status wb_facts_resolve(const struct wb_fact_context *context,
                                  const struct wb_kernel_facts *kernel,
                                  struct wb_resolved_facts *resolved, warpbound_error *error)
{
  struct resolver r = {.context = context, .kernel = kernel, .resolved = resolved, .error = error};
  *resolved = (struct wb_resolved_facts){
      .loops = wb_allocate(context->forest->loop_count, sizeof *resolved->loops)};
  warpbound_status status = WARPBOUND_OK;
  if (resolved->loops == NULL)
    status = wb_out_of_memory(error);
  else if (kernel != NULL)
    status = resolve_all(&r);
  if (status != WARPBOUND_OK)
    wb_resolved_facts_free(resolved);
  return status;
}

void wb_resolved_facts_free(struct wb_resolved_facts *resolved)
{
  for (size_t f = 0; f < resolved->fact_count; f++) {
    free(resolved->facts[f].terms);
    free(resolved->facts[f].per);
  }
  free(resolved->loops);
  free(resolved->limits);
  free(resolved->facts);
  free(resolved->line_of_fact);
  free(resolved->exclusives);
  free(resolved->sets);
  free(resolved->blocks);
  free(resolved->found);
  *resolved = (struct wb_resolved_facts){0};
}
