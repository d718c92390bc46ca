#include "ipet/facts/fact_scopes.h"

static const struct wb_kernel_facts *facts_of(const struct wb_flow_facts *facts,
                                              const struct wb_function *function)
{
  return facts != NULL ? wb_flow_facts_find(facts, function->name) : NULL;
}

bool wb_fact_scopes_make(const struct wb_flow_facts *facts, const struct wb_function *function,
                         struct wb_arena *arena, struct wb_fact_scopes *scopes)
{
  const uint32_t count = (uint32_t)function->instruction_count;
  struct wb_fact_scope own = {
      .facts = facts_of(facts, function), .function = function, .first = 0, .end = count};
  scopes->items = wb_arena_array(arena, struct wb_fact_scope, 1 + function->part_count);
  if (scopes->items == NULL)
    return false;
  if (own.facts != NULL && own.facts->has_checksum && function->part_count > 0 &&
      own.facts->checksum == wb_function_checksum(function->parts[0].function))
    own.function = function->parts[0].function;
  scopes->items[0] = own;
  scopes->count = 1;
  for (size_t p = 1; p < function->part_count; p++) {
    const struct wb_part *part = &function->parts[p];
    const struct wb_kernel_facts *of_part = facts_of(facts, part->function);
    if (of_part != NULL)
      scopes->items[scopes->count++] =
          (struct wb_fact_scope){.facts = of_part,
                                 .function = part->function,
                                 .first = part->first,
                                 .end = part->first + (uint32_t)part->function->instruction_count,
                                 .called = true};
  }
  return true;
}

size_t wb_fact_scope_at(const struct wb_fact_scope *scope, uint32_t address)
{
  const size_t found = wb_function_at(scope->function, address);
  return found != SIZE_MAX ? scope->first + found : SIZE_MAX;
}
