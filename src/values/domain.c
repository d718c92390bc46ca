#include "values/domain.h"

#include "isa/lower/lower.h"

void wb_domain_transfer(const struct wb_domain *domain, void *context,
                        const struct wb_function *function, uint32_t index)
{
  const struct wb_instruction *instruction = &function->instructions[index];
  struct wb_micro_code code;
  if (instruction->never)
    return;
  if (instruction->unknown) {
    domain->forget_all(context);
    return;
  }
  if (instruction->write_count == 0)
    return;
  wb_lower(function, index, &code);
  wb_domain_apply(domain, context, function, index, &code);
}

void wb_domain_apply(const struct wb_domain *domain, void *context,
                     const struct wb_function *function, uint32_t index,
                     const struct wb_micro_code *code)
{
  domain->begin(context, function, index);
  for (size_t o = 0; o < code->count; o++) {
    const uint8_t kind = code->operations[o].kind;
    (domain->apply[kind] != NULL ? domain->apply[kind] : domain->unknown)(context, code, o);
  }
  domain->forget_writes(context, function, index, code);
  for (size_t w = 0; w < code->write_count; w++)
    domain->write(context, code, &code->writes[w]);
}

static bool writes(const struct wb_function *function, uint32_t index, uint32_t number)
{
  const struct wb_instruction *instruction = &function->instructions[index];
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const struct wb_register_span *span = &function->spans[instruction->first_write + s];
    if (span->first <= number && number < (uint32_t)span->first + span->count)
      return true;
  }
  return instruction->unknown;
}

bool wb_registers_written(const struct wb_function *function, uint32_t first, uint32_t last,
                          uint32_t number)
{
  for (uint32_t i = first; i <= last; i++) {
    if (writes(function, i, number))
      return true;
  }
  return false;
}

uint8_t wb_lookup_variable(unsigned variable)
{
  static const uint8_t tables[] = {0xf0, 0xcc, 0xaa};
  return tables[variable];
}

uint8_t wb_lookup_fixed(uint8_t table, unsigned variable, bool value)
{
  const unsigned shift = 4U >> variable;
  const unsigned set = wb_lookup_variable(variable);
  const unsigned kept = value ? table & set : table & ~set;
  return (uint8_t)(value ? kept | kept >> shift : kept | kept << shift);
}

bool wb_lookup_depends(uint8_t table, unsigned variable)
{
  return wb_lookup_fixed(table, variable, true) != wb_lookup_fixed(table, variable, false);
}

enum wb_lookup_split wb_lookup_split(uint8_t table, unsigned variable, uint8_t *rest)
{
  const uint8_t when_true = wb_lookup_fixed(table, variable, true);
  const uint8_t when_false = wb_lookup_fixed(table, variable, false);
  *rest = when_false;
  if (when_true == when_false)
    return WB_SPLIT_NONE;
  if (when_true == WB_LOOKUP_TRUE)
    return WB_SPLIT_OR;
  if (when_true == WB_LOOKUP_FALSE)
    return WB_SPLIT_AND_NOT;
  if ((when_true ^ when_false) == WB_LOOKUP_TRUE)
    return WB_SPLIT_XOR;
  *rest = when_true;
  if (when_false == WB_LOOKUP_FALSE)
    return WB_SPLIT_AND;
  return when_false == WB_LOOKUP_TRUE ? WB_SPLIT_OR_NOT : WB_SPLIT_NONE;
}
