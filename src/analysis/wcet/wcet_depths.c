/* How many calls of functions are under way at once, as flow facts say. */
#include "analysis/wcet/wcet_steps.h"

#include "base/text/demangle.h"

#include <inttypes.h>
#include <string.h>

struct depths {
  struct wb_wcet_analysis *analysis;
  struct wb_simt_depth *items;
  size_t count;
};

/* The name that a source has for a subroutine: _Z3fibi of $kernel$_Z3fibi. */
static const char *source_name(const char *symbol)
{
  const char *last = symbol[0] == '$' ? strrchr(symbol + 1, '$') : NULL;
  return last != NULL ? last + 1 : symbol;
}

/* Notes a fact of the function that begins there; the least of several counts. */
static void add_depth(struct depths *depths, uint32_t entry, uint64_t most)
{
  size_t d = 0;
  while (d < depths->count && depths->items[d].entry != entry)
    d++;
  if (d == depths->count)
    depths->items[depths->count++] = (struct wb_simt_depth){entry, (uint32_t)most};
  else if (most < depths->items[d].most)
    depths->items[d].most = (uint32_t)most;
}

/* Notes a fact of each function of its name that the linked code has: of a template, or of one that
 * the compiler made several of, there may be more than one. */
static warpbound_status find_functions(struct depths *depths, const struct wb_flow_fact *fact)
{
  const struct wb_wcet_analysis *analysis = depths->analysis;
  const struct wb_function *function = analysis->wcet->function;
  bool found = false;
  for (size_t s = 0; s < function->symbol_count; s++) {
    const struct wb_label *symbol = &function->symbols[s];
    if (symbol->index == 0 || symbol->index >= function->instruction_count ||
        !wb_demangled_matches(fact->name, source_name(symbol->name)))
      continue;
    add_depth(depths, symbol->index, fact->number);
    found = true;
  }
  if (!found)
    return wb_fail_at(analysis->error, WARPBOUND_INVALID_INPUT, analysis->options->facts->name,
                      fact->line, 0, "expected a function that %.120s calls, found '%.100s'",
                      function->name, fact->name);
  wb_list_add(&analysis->wcet->assumptions,
              "at most %" PRIu64 " call%s of %.200s %s under way at once in each thread "
              "(%.150s:%" PRIu32 ") declared",
              fact->number, fact->number == 1 ? "" : "s", fact->name,
              fact->number == 1 ? "is" : "are", analysis->options->facts->name, fact->line);
  return WARPBOUND_OK;
}

warpbound_status wb_wcet_find_depths(struct wb_wcet_analysis *analysis,
                                     struct wb_simt_options *simt)
{
  struct wb_wcet *wcet = analysis->wcet;
  const struct wb_flow_facts *facts = analysis->options->facts;
  struct wb_fact_scopes scopes;
  if (facts == NULL)
    return WARPBOUND_OK;
  struct depths depths = {
      .analysis = analysis,
      .items = wb_arena_array(&wcet->arena, struct wb_simt_depth, wcet->function->symbol_count)};
  if (!wb_fact_scopes_make(facts, wcet->function, &wcet->arena, &scopes) || depths.items == NULL)
    return wb_out_of_memory(analysis->error);
  warpbound_status status = WARPBOUND_OK;
  for (size_t s = 0; s < scopes.count; s++) {
    const struct wb_kernel_facts *of = scopes.items[s].facts;
    for (size_t f = 0; of != NULL && f < of->fact_count && status == WARPBOUND_OK; f++) {
      if (of->facts[f].kind == WB_FACT_DEPTH)
        status = find_functions(&depths, &of->facts[f]);
    }
  }
  simt->depths = depths.items;
  simt->depth_count = depths.count;
  return status;
}
