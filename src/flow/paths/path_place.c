#include "flow/paths/path_place.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

bool wb_path_is_number(const char *text)
{
  return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

const struct wb_label *wb_path_label_at(const struct wb_function *function, uint32_t index)
{
  size_t low = 0;
  size_t high = function->label_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (function->labels[middle].index < index)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < function->label_count && function->labels[low].index == index;
  return found ? &function->labels[low] : NULL;
}

uint32_t wb_path_line(const char *text)
{
  unsigned long line = strtoul(text, NULL, 10);
  return line > 0 && line < UINT32_MAX ? (uint32_t)line : UINT32_MAX;
}

uint32_t wb_path_find_place(const struct wb_function *function, const char *place)
{
  if (wb_path_is_number(place)) {
    uint32_t line = wb_path_line(place);
    for (size_t i = 0; i < function->instruction_count; i++) {
      if (function->instructions[i].line == line)
        return (uint32_t)i;
    }
    return NONE;
  }
  for (size_t l = 0; l < function->label_count; l++) {
    if (strcmp(function->labels[l].name, place) == 0)
      return function->labels[l].index;
  }
  return NONE;
}
