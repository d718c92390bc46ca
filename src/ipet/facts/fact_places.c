#include "ipet/facts/fact_places.h"

#include "base/text.h"
#include "base/text/source_path.h"

#include <inttypes.h>
#include <string.h>

/* Fails at a place. */
#define PLACE_FAIL(finder, place, ...)                                                             \
  wb_fail_at((finder)->error, WARPBOUND_INVALID_INPUT, (finder)->context->name, (finder)->line,    \
             (place)->column, __VA_ARGS__)

bool wb_loop_begins_at(const struct wb_fact_context *context, size_t loop, uint32_t header)
{
  return context->graph->blocks[context->forest->loops[loop].header].first == header;
}

static bool is_in_scope(const struct wb_place_finder *finder, uint32_t instruction)
{
  return instruction >= finder->scope->first && instruction < finder->scope->end;
}

/* Whether the place is to be found by its address or label, not by its line. */
static bool is_named(const struct wb_place_finder *finder, const struct wb_place *place)
{
  return wb_place_is_fragile(place) && !(finder->moved && place->file != NULL);
}

/* ---- by label and address ---- */

/* The instruction that an address or a label names. */
static warpbound_status find_by_name(const struct wb_place_finder *finder,
                                     const struct wb_place *place, uint32_t *index)
{
  const struct wb_function *function = finder->scope->function;
  /* In other code nothing names a place that has only a label or an address. */
  if (finder->moved && place->file == NULL)
    return PLACE_FAIL(finder, place, "the place has no source line to find it by in other code");
  if (place->has_address) {
    const size_t found = wb_fact_scope_at(finder->scope, place->address);
    *index = (uint32_t)found;
    return found != SIZE_MAX
               ? WARPBOUND_OK
               : PLACE_FAIL(finder, place, "there is no instruction at 0x%04" PRIx32 " in %.120s",
                            place->address, function->name);
  }
  for (size_t l = 0; l < function->label_count; l++) {
    *index = finder->scope->first + function->labels[l].index;
    if (strcmp(function->labels[l].name, place->label) == 0)
      return WARPBOUND_OK;
  }
  return PLACE_FAIL(finder, place, "there is no label '%.100s' in %.120s", place->label,
                    function->name);
}

/* ---- by source line ---- */

bool wb_place_is_line_of(const struct wb_code *code, const struct wb_instruction *instruction,
                         const struct wb_place *place)
{
  if (place->file == NULL || instruction->source_line != place->source_line ||
      instruction->source_file == 0)
    return false;
  const char *ending = place->file + wb_source_path_start(place->file, strlen(place->file));
  const char *path = code->files[instruction->source_file - 1];
  const size_t length = strlen(path);
  const size_t wanted = strlen(ending);
  return length >= wanted && strcmp(path + length - wanted, ending) == 0 &&
         (length == wanted || path[length - wanted - 1] == '/' || ending[0] == '/');
}

/* Whether an instruction first .. last comes from the line of the place. */
static bool has_line(const struct wb_place_finder *finder, uint32_t first, uint32_t last,
                     const struct wb_place *place, uint32_t *index)
{
  const struct wb_fact_context *context = finder->context;
  for (*index = first; *index <= last; (*index)++) {
    if (wb_place_is_line_of(context->code, &context->function->instructions[*index], place))
      return true;
  }
  return false;
}

/* How well a line names a loop, the best last. Code of other loops of the source, of which no
 * compiled loop is left, may stand in the header: it names the loop only where nothing says from
 * which line the back edges come. */
enum fit {
  FIT_NONE,
  FIT_HEADER, /* it has an instruction of the header */
  FIT_FIRST,  /* it has the first instruction of the header */
  FIT_BACK    /* it has all instructions that take back edges and have a line */
};

/* An instruction that takes a back edge of the loop and has a line, but not that of the place;
 * *none: no back edge has a line. NULL: there is none. */
static const struct wb_instruction *other_back(const struct wb_fact_context *context,
                                               const struct wb_loop *loop,
                                               const struct wb_place *place, bool *none)
{
  *none = true;
  for (size_t i = 0; i < loop->back_edge_count; i++) {
    const uint32_t edge = context->forest->back_edges[loop->first_back_edge + i];
    const uint32_t last = context->graph->blocks[context->graph->edges[edge].from].last;
    const struct wb_instruction *branch = &context->function->instructions[last];
    *none = *none && branch->source_file == 0;
    if (branch->source_file != 0 && !wb_place_is_line_of(context->code, branch, place))
      return branch;
  }
  return NULL;
}

static enum fit fit_line(const struct wb_place_finder *finder, const struct wb_loop *loop,
                         const struct wb_place *place)
{
  const struct wb_warp_block *header = &finder->context->graph->blocks[loop->header];
  bool none;
  uint32_t index;
  if (other_back(finder->context, loop, place, &none) != NULL)
    return FIT_NONE;
  if (!none)
    return FIT_BACK;
  if (!has_line(finder, header->first, header->last, place, &index))
    return FIT_NONE;
  return index == header->first ? FIT_FIRST : FIT_HEADER;
}

/* The instructions that fit a line best. */
struct line_search {
  enum fit best;
  uint32_t index; /* the newest one */
  bool several;
  struct wb_text list; /* their addresses */
};

static void add_candidate(const struct wb_place_finder *finder, enum fit fit, uint32_t index,
                          struct line_search *search)
{
  if (fit == FIT_NONE || fit < search->best || (fit == search->best && index == search->index))
    return;
  if (fit > search->best)
    wb_text_free(&search->list);
  search->several = fit == search->best;
  search->best = fit;
  search->index = index;
  if (search->list.length < 100)
    wb_text_format(&search->list, "%s0x%04" PRIx32, search->list.length > 0 ? ", " : "",
                   finder->context->function->instructions[index].address);
}

/* Fails for a line of no loop, with the first loop that has code of it at its begin or end. */
static warpbound_status no_loop_of(const struct wb_place_finder *finder,
                                   const struct wb_place *place)
{
  const struct wb_fact_context *context = finder->context;
  for (size_t l = 0; l < context->forest->loop_count; l++) {
    const struct wb_loop *loop = &context->forest->loops[l];
    const struct wb_warp_block *header = &context->graph->blocks[loop->header];
    bool none;
    const struct wb_instruction *back = other_back(context, loop, place, &none);
    uint32_t index;
    bool near = has_line(finder, header->first, header->last, place, &index);
    for (size_t i = 0; i < loop->back_edge_count; i++) {
      const uint32_t edge = context->forest->back_edges[loop->first_back_edge + i];
      const uint32_t last = context->graph->blocks[context->graph->edges[edge].from].last;
      near |= has_line(finder, last, last, place, &index);
    }
    if (back != NULL && near && is_in_scope(finder, header->first))
      return PLACE_FAIL(
          finder, place,
          "%.100s:%" PRIu32 " is the line of no loop of %.120s: the loop at 0x%04" PRIx32
          " has code of it, but goes back from %.100s:%" PRIu32 ": name it by its address",
          place->file, place->source_line, finder->scope->function->name,
          context->function->instructions[header->first].address,
          context->code->files[back->source_file - 1], back->source_line);
  }
  return PLACE_FAIL(finder, place, "%.100s:%" PRIu32 " is the line of no loop of %.120s",
                    place->file, place->source_line, finder->scope->function->name);
}

/* The header's first instruction of the one loop that a line fits best; or the instruction that it
 * names, where all instructions of the line stand in one block, whatever its context. */
static warpbound_status find_by_line(const struct wb_place_finder *finder,
                                     const struct wb_place *place, bool is_loop, uint32_t *index)
{
  const struct wb_warp_graph *graph = finder->context->graph;
  const struct wb_loop_forest *forest = finder->context->forest;
  struct line_search search = {0};
  for (size_t l = 0; is_loop && l < forest->loop_count; l++) {
    const uint32_t first = graph->blocks[forest->loops[l].header].first;
    if (is_in_scope(finder, first))
      add_candidate(finder, fit_line(finder, &forest->loops[l], place), first, &search);
  }
  for (size_t b = 0; !is_loop && b < graph->block_count; b++) {
    uint32_t i;
    if (is_in_scope(finder, graph->blocks[b].first) &&
        has_line(finder, graph->blocks[b].first, graph->blocks[b].last, place, &i))
      add_candidate(finder, FIT_FIRST, i, &search);
  }
  *index = search.index;
  warpbound_status status = WARPBOUND_OK;
  if (is_loop && search.best == FIT_NONE)
    return no_loop_of(finder, place);
  if (search.several && search.list.failed)
    status = wb_out_of_memory(finder->error);
  else if (search.several)
    status = PLACE_FAIL(
        finder, place, "%.100s:%" PRIu32 " is the line of several %s (%s): name one by its address",
        place->file, place->source_line, is_loop ? "loops" : "blocks", search.list.data);
  else if (search.best == FIT_NONE)
    status = PLACE_FAIL(finder, place,
                        "%.100s:%" PRIu32 " is the line of no instruction that %.120s reaches",
                        place->file, place->source_line, finder->scope->function->name);
  wb_text_free(&search.list);
  return status;
}

/* ---- either way ---- */

warpbound_status wb_place_find_instruction(const struct wb_place_finder *finder,
                                           const struct wb_place *place, uint32_t *index)
{
  return is_named(finder, place) ? find_by_name(finder, place, index)
                                 : find_by_line(finder, place, false, index);
}

warpbound_status wb_place_find_loop(const struct wb_place_finder *finder,
                                    const struct wb_place *place, uint32_t *header)
{
  const warpbound_status status = is_named(finder, place)
                                      ? find_by_name(finder, place, header)
                                      : find_by_line(finder, place, true, header);
  if (status != WARPBOUND_OK)
    return status;
  for (size_t l = 0; l < finder->context->forest->loop_count; l++) {
    if (wb_loop_begins_at(finder->context, l, *header))
      return WARPBOUND_OK;
  }
  return PLACE_FAIL(
      finder, place,
      "no loop of %.120s has its header at 0x%04" PRIx32 ": 'warpbound cfg' lists loops",
      finder->context->function->name, finder->context->function->instructions[*header].address);
}

/* Marks the loops of the scope that a line fits best, of every context. */
static void mark_best(const struct wb_place_finder *finder, const struct wb_place *place,
                      bool *marked)
{
  const struct wb_fact_context *context = finder->context;
  const size_t count = context->forest->loop_count;
  enum fit best = FIT_NONE;
  for (size_t l = 0; l < count; l++) {
    const struct wb_loop *loop = &context->forest->loops[l];
    const enum fit fit = is_in_scope(finder, context->graph->blocks[loop->header].first)
                             ? fit_line(finder, loop, place)
                             : FIT_NONE;
    for (size_t k = 0; fit > best && k < l; k++)
      marked[k] = false;
    best = fit > best ? fit : best;
    marked[l] = fit == best && fit != FIT_NONE;
  }
}

/* Whether a marked loop is inside another one that is marked. */
static bool any_nested(const struct wb_loop_forest *forest, const bool *marked)
{
  for (size_t l = 0; l < forest->loop_count; l++) {
    uint32_t around = marked[l] ? forest->loops[l].parent : UINT32_MAX;
    while (around != UINT32_MAX && !marked[around])
      around = forest->loops[around].parent;
    if (around != UINT32_MAX)
      return true;
  }
  return false;
}

/* Of all loops that begin at the header of a marked one, marks those too; counts the headers. */
static void mark_contexts(const struct wb_fact_context *context, struct wb_named_loops *named)
{
  const size_t count = context->forest->loop_count;
  named->copies = 0;
  for (size_t l = 0; l < count; l++) {
    const uint32_t header = context->graph->blocks[context->forest->loops[l].header].first;
    bool known = false;
    for (size_t k = 0; k < l && named->loops[l]; k++)
      known |= named->loops[k] && wb_loop_begins_at(context, k, header);
    if (!named->loops[l] || known)
      continue;
    named->first = named->copies == 0 ? header : named->first;
    named->copies++;
    for (size_t k = 0; k < count; k++)
      named->loops[k] |= wb_loop_begins_at(context, k, header);
  }
}

warpbound_status wb_place_find_loops(const struct wb_place_finder *finder,
                                     const struct wb_place *place, struct wb_named_loops *named)
{
  const struct wb_fact_context *context = finder->context;
  uint32_t header = 0;
  bool several = !wb_place_is_fragile(place);
  if (several) {
    mark_best(finder, place, named->loops);
    several = !any_nested(context->forest, named->loops);
  }
  if (several) {
    mark_contexts(context, named);
    several = named->copies > 1;
  }
  if (several)
    return WARPBOUND_OK;
  const warpbound_status status = wb_place_find_loop(finder, place, &header);
  if (status != WARPBOUND_OK)
    return status;
  for (size_t l = 0; l < context->forest->loop_count; l++)
    named->loops[l] = wb_loop_begins_at(context, l, header);
  named->first = header;
  named->copies = 1;
  return WARPBOUND_OK;
}
