#include "ipet/facts/place_resolution.h"

#include "base/checked.h"
#include "base/text.h"
#include "base/text/source_path.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool wb_warp_bound(uint64_t bound, bool per_warp, bool balanced, uint32_t lanes,
                   uint64_t *warp_bound)
{
  *warp_bound = bound;
  return per_warp || balanced || wb_multiply(bound, lanes, warp_bound);
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

static const struct wb_instruction *instruction_at(const struct wb_fact_resolver *resolver,
                                                   uint32_t index)
{
  return &resolver->context->function->instructions[index];
}

/* Whether the file of an instruction ends in what the place calls it. */
static bool is_of_file(const struct wb_code *code, uint32_t file, const char *ending)
{
  if (file == 0)
    return false;
  ending += wb_source_path_start(ending, strlen(ending));
  const char *path = code->files[file - 1];
  size_t length = strlen(path);
  size_t wanted = strlen(ending);
  return length >= wanted && strcmp(path + length - wanted, ending) == 0 &&
         (length == wanted || path[length - wanted - 1] == '/' || ending[0] == '/');
}

bool wb_place_is_line_of(const struct wb_code *code, const struct wb_instruction *instruction,
                         const struct wb_place *place)
{
  return place->file != NULL && instruction->source_line == place->source_line &&
         is_of_file(code, instruction->source_file, place->file);
}

/* Whether a place is to be looked for by its address or label. */
static bool is_anchored(const struct wb_fact_resolver *resolver, const struct wb_place *place)
{
  return wb_place_is_fragile(place) && !(resolver->resolved->moved && place->file != NULL);
}

static void remember(const struct wb_fact_resolver *resolver, const struct wb_place *place,
                     uint32_t index)
{
  resolver->resolved->found[place - resolver->kernel->places] = index;
}

static bool is_on_line(const struct wb_fact_resolver *resolver, uint32_t index,
                       const struct wb_place *place)
{
  return wb_place_is_line_of(resolver->context->code, instruction_at(resolver, index), place);
}

/* The instruction that an address or a label names. */
static warpbound_status find_instruction(const struct wb_fact_resolver *resolver,
                                         const struct wb_place *place, uint32_t *index)
{
  const struct wb_function *function = resolver->context->function;
  /* In other code nothing names a place that has only a label or an address. */
  if (resolver->resolved->moved && place->file == NULL)
    return WB_FACT_FAIL(resolver, place,
                        "the place has no source line to find it by in other code");
  if (place->has_address) {
    size_t found = wb_function_at(function, place->address);
    *index = (uint32_t)found;
    return found != SIZE_MAX ? WARPBOUND_OK
                             : WB_FACT_FAIL(resolver, place,
                                            "there is no instruction at 0x%04" PRIx32 " in %.120s",
                                            place->address, function->name);
  }
  for (size_t l = 0; l < function->label_count; l++) {
    *index = function->labels[l].index;
    if (strcmp(function->labels[l].name, place->label) == 0)
      return WARPBOUND_OK;
  }
  return WB_FACT_FAIL(resolver, place, "there is no label '%.100s' in %.120s", place->label,
                      function->name);
}

static void list_address(struct wb_text *list, uint32_t address)
{
  if (list->length < 100)
    wb_text_format(list, "%s0x%04" PRIx32, list->length > 0 ? ", " : "", address);
}

static warpbound_status ambiguous(const struct wb_fact_resolver *resolver,
                                  const struct wb_place *place, const char *what,
                                  struct wb_text *list)
{
  warpbound_status status =
      list->failed
          ? wb_out_of_memory(resolver->error)
          : WB_FACT_FAIL(resolver, place,
                         "%.100s:%" PRIu32 " is the line of several %s (%s): name one by its "
                         "address",
                         place->file, place->source_line, what, list->data);
  wb_text_free(list);
  return status;
}

/* ---- loops ---- */

/* How well a line names a loop, the best last. */
enum fit {
  FIT_NONE,
  FIT_HEADER, /* it has an instruction of the header */
  FIT_FIRST,  /* it has the first instruction of the header */
  FIT_BACK    /* it has an instruction that takes a back edge */
};

static enum fit fit_line(const struct wb_fact_resolver *resolver, const struct wb_loop *loop,
                         const struct wb_place *place)
{
  const struct wb_warp_graph *graph = resolver->context->graph;
  const struct wb_warp_block *header = &graph->blocks[loop->header];
  for (size_t i = 0; i < loop->back_edge_count; i++) {
    uint32_t edge = resolver->context->forest->back_edges[loop->first_back_edge + i];
    if (is_on_line(resolver, graph->blocks[graph->edges[edge].from].last, place))
      return FIT_BACK;
  }
  if (is_on_line(resolver, header->first, place))
    return FIT_FIRST;
  for (uint32_t i = header->first; i <= header->last; i++) {
    if (is_on_line(resolver, i, place))
      return FIT_HEADER;
  }
  return FIT_NONE;
}

/* The header's first instruction of the one loop that a line fits best. */
static warpbound_status find_loop_by_line(const struct wb_fact_resolver *resolver,
                                          const struct wb_place *place, uint32_t *header)
{
  const struct wb_loop_forest *forest = resolver->context->forest;
  enum fit best = FIT_NONE;
  struct wb_text list = {0};
  bool several = false;
  for (size_t l = 0; l < forest->loop_count; l++) {
    enum fit fit = fit_line(resolver, &forest->loops[l], place);
    uint32_t first = resolver->context->graph->blocks[forest->loops[l].header].first;
    if (fit == FIT_NONE || fit < best || (fit == best && first == *header))
      continue;
    if (fit > best)
      wb_text_free(&list);
    several = fit == best;
    best = fit;
    *header = first;
    list_address(&list, instruction_at(resolver, first)->address);
  }
  if (several)
    return ambiguous(resolver, place, "loops", &list);
  wb_text_free(&list);
  return best != FIT_NONE
             ? WARPBOUND_OK
             : WB_FACT_FAIL(resolver, place, "%.100s:%" PRIu32 " is the line of no loop of %.120s",
                            place->file, place->source_line, resolver->context->function->name);
}

warpbound_status wb_place_find_header(const struct wb_fact_resolver *resolver,
                                      const struct wb_place *place, uint32_t *header)
{
  warpbound_status status = is_anchored(resolver, place)
                                ? find_instruction(resolver, place, header)
                                : find_loop_by_line(resolver, place, header);
  if (status == WARPBOUND_OK)
    remember(resolver, place, *header);
  const struct wb_loop_forest *forest = resolver->context->forest;
  for (size_t l = 0; l < forest->loop_count && status == WARPBOUND_OK; l++) {
    if (resolver->context->graph->blocks[forest->loops[l].header].first == *header)
      return WARPBOUND_OK;
  }
  return status != WARPBOUND_OK ? status
                                : WB_FACT_FAIL(resolver, place,
                                               "no loop of %.120s has its header at 0x%04" PRIx32
                                               ": 'warpbound cfg' lists loops",
                                               resolver->context->function->name,
                                               instruction_at(resolver, *header)->address);
}

bool wb_place_is_loop(const struct wb_fact_resolver *resolver, size_t loop, uint32_t header)
{
  return resolver->context->graph->blocks[resolver->context->forest->loops[loop].header].first ==
         header;
}

uint32_t wb_place_loop_around(const struct wb_fact_resolver *resolver, uint32_t loop,
                              uint32_t header)
{
  while (loop != UINT32_MAX && !wb_place_is_loop(resolver, loop, header))
    loop = resolver->context->forest->loops[loop].parent;
  return loop;
}

/* The instruction that a line names; all instructions of the line stand in one block, whatever its
 * context. */
static warpbound_status find_run_by_line(const struct wb_fact_resolver *resolver,
                                         const struct wb_place *place, uint32_t *index)
{
  const struct wb_warp_graph *graph = resolver->context->graph;
  struct wb_text list = {0};
  uint32_t found = UINT32_MAX;
  bool several = false;
  for (size_t b = 0; b < graph->block_count; b++) {
    uint32_t i = graph->blocks[b].first;
    while (i <= graph->blocks[b].last && !is_on_line(resolver, i, place))
      i++;
    if (i > graph->blocks[b].last || i == found)
      continue;
    several = found != UINT32_MAX;
    found = i;
    list_address(&list, instruction_at(resolver, i)->address);
  }
  if (several)
    return ambiguous(resolver, place, "blocks", &list);
  wb_text_free(&list);
  *index = found;
  return found != UINT32_MAX
             ? WARPBOUND_OK
             : WB_FACT_FAIL(resolver, place,
                            "%.100s:%" PRIu32 " is the line of no instruction that %.120s reaches",
                            place->file, place->source_line, resolver->context->function->name);
}

warpbound_status wb_place_find_instruction(const struct wb_fact_resolver *resolver,
                                           const struct wb_place *place, uint32_t *index)
{
  warpbound_status status = is_anchored(resolver, place) ? find_instruction(resolver, place, index)
                                                         : find_run_by_line(resolver, place, index);
  if (status == WARPBOUND_OK)
    remember(resolver, place, *index);
  return status;
}
