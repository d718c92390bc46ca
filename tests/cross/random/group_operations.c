#include "group_operations.h"

#include <stdio.h>

unsigned group_below(struct wb_random *random, unsigned limit)
{
  return (unsigned)wb_random_below(random, limit);
}

bool group_chance(struct wb_random *random, unsigned percent)
{
  return group_below(random, 100) < percent;
}

struct program_item group_item(const char *format, ...)
{
  struct program_item item = {.guard = PROGRAM_NO_GUARD};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(item.text, sizeof item.text, format, arguments);
  va_end(arguments);
  return item;
}

struct program_item group_guarded(struct program_item item, uint8_t guard, bool negated)
{
  item.guard = guard;
  item.negated = negated;
  return item;
}

struct program_item group_labelled(struct program_item item, uint32_t label)
{
  item.labels[item.label_count++] = label;
  return item;
}

struct program_item group_drawn(struct wb_random *random, const struct group_form *forms,
                                size_t count, size_t places)
{
  unsigned all = 0;
  for (size_t f = 0; f < count; f++)
    all += forms[f].weight;
  unsigned left = group_below(random, all);
  size_t chosen = 0;
  for (; left >= forms[chosen].weight; chosen++)
    left -= forms[chosen].weight;
  struct program_item item = {.guard = PROGRAM_NO_GUARD};
  size_t length = 0;
  for (const char *at = forms[chosen].text; *at != '\0'; at++) {
    if (*at == '$')
      item = group_labelled(item, (uint32_t)wb_random_below(random, places));
    if (*at != '%') {
      item.text[length++] = *at;
      continue;
    }
    at++;
    const unsigned number = *at == 'r'   ? 2 + group_below(random, 6)
                            : *at == 'c' ? 4 * (2 + group_below(random, 6))
                            : *at == 'k' ? 8 + group_below(random, 2)
                            : *at == 'p' ? group_below(random, GROUP_PREDICATES)
                            : *at == 'b' ? group_below(random, 3)
                                         : group_below(random, 2);
    length += (size_t)sprintf(item.text + length, "%u", number);
  }
  return item;
}

struct program_item group_data(struct wb_random *random)
{
  static const struct group_form forms[] = {
      {1, "MOV R%r R%r"},     {1, "MOV R%r R%r R%r"}, {1, "MOV R%r #%r"},   {1, "CTA R%r"},
      {1, "LDC R%r #%c"},     {1, "LDG R%r R%r"},     {1, "VOTE P%p P%p"},  {1, "MOV UR%u R%r"},
      {1, "MOV R%r UR%u"},    {1, "SETP UP0 UR%u"},   {1, "SETP P%p UR%u"}, {2, "TID R%r"},
      {1, "ADD R%r R%r #%r"}, {1, "LDC UR%u #%c"},    {4, "SETP P%p R%r"},  {1, "OFWARP P%p R%r"},
  };
  const struct program_item item = group_drawn(random, forms, sizeof forms / sizeof *forms, 1);
  if (!group_chance(random, 15))
    return item;
  return group_guarded(item, (uint8_t)group_below(random, GROUP_PREDICATES),
                       group_chance(random, 50));
}
