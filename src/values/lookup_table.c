#include "values/lookup_table.h"

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
