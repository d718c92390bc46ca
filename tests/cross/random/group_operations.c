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

static unsigned general(struct wb_random *random)
{
  return 2 + group_below(random, 6);
}

static struct program_item unguarded_data(struct wb_random *random)
{
  const unsigned a = general(random);
  const unsigned b = general(random);
  const unsigned c = general(random);
  const unsigned p = group_below(random, GROUP_PREDICATES);
  const unsigned q = group_below(random, GROUP_PREDICATES);
  switch (group_below(random, 20)) {
  case 0:
    return group_item("MOV R%u R%u", a, b);
  case 1:
    return group_item("MOV R%u R%u R%u", a, b, c);
  case 2:
    return group_item("MOV R%u #%u", a, b);
  case 3:
    return group_item("CTA R%u", a);
  case 4:
    return group_item("LDC R%u #%u", a, 4 * b);
  case 5:
    return group_item("LDG R%u R%u", a, b);
  case 6:
    return group_item("VOTE P%u P%u", p, q);
  case 7:
    return group_item("MOV UR%u R%u", a & 1, b);
  case 8:
    return group_item("MOV R%u UR%u", a, b & 1);
  case 9:
    return group_item("SETP UP0 UR%u", a & 1);
  case 10:
    return group_item("SETP P%u UR%u", p, b & 1);
  case 11:
  case 12:
    return group_item("TID R%u", a);
  case 13:
    return group_item("ADD R%u R%u #%u", a, b, c);
  case 14:
    return group_item("LDC UR%u #%u", a & 1, 4 * b);
  default:
    return group_item("SETP P%u R%u", p, a);
  }
}

struct program_item group_data(struct wb_random *random)
{
  const struct program_item item = unguarded_data(random);
  if (!group_chance(random, 15))
    return item;
  return group_guarded(item, (uint8_t)group_below(random, GROUP_PREDICATES),
                       group_chance(random, 50));
}
