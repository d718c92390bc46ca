/* Programs that no compiler makes. */
#include "group_operations.h"

#define BARRIERS 3

/* A label of any place: labels are by item, placed at the end. */
static struct program_item anywhere(struct wb_random *random, struct program_item item,
                                    size_t length)
{
  return group_labelled(item, (uint32_t)wb_random_below(random, length));
}

static struct program_item any_of_scopes(struct wb_random *random, size_t length)
{
  const unsigned b = group_below(random, BARRIERS);
  const unsigned r = 8 + group_below(random, 2);
  switch (group_below(random, 16)) {
  case 0:
  case 1:
  case 2:
  case 3:
    return anywhere(random, group_item("BSSY B%u $", b), length);
  case 4:
  case 5:
  case 6:
  case 7:
    return group_item("BSYNC B%u", b);
  case 8:
  case 9:
    return group_item("BREAK B%u", b);
  case 10:
    return group_item("BMOV R%u B%u", r, b);
  case 11:
    return group_item("BMOV.CLEAR R%u B%u", r, b);
  case 12:
    return group_item("BMOV B%u R%u", b, r);
  case 13:
    return group_chance(random, 50) ? group_item("STL R1 #8 R%u", r)
                                    : group_item("LDL R%u R1 #8", r);
  case 14:
    return group_chance(random, 50) ? group_item("BMOV.CLEAR RZ B%u", b)
                                    : group_item("BMOV B%u #0", b);
  default:
    return group_chance(random, 50) ? group_item("BMOV B%u B%u", b, group_below(random, BARRIERS))
                                    : group_item("MOV R%u R%u", r, 8 + group_below(random, 2));
  }
}

static struct program_item any_sync(struct wb_random *random)
{
  switch (group_below(random, 7)) {
  case 0:
  case 1:
  case 2:
    return group_item("WARPSYNC.ALL");
  case 3:
    return group_item("WARPSYNC R31");
  case 4:
    return group_item("WARPSYNC R5");
  case 5:
    return group_item("WARPSYNC.EXCLUSIVE R5");
  default:
    return group_item(group_chance(random, 50) ? "YIELD" : "NANOSLEEP");
  }
}

static struct program_item any_jump(struct wb_random *random, size_t length)
{
  const unsigned p = group_below(random, GROUP_PREDICATES);
  struct program_item item;
  switch (group_below(random, 14)) {
  case 0:
    return anywhere(random, group_item("MOV R20 &$"), length);
  case 1:
    return anywhere(random, group_item("CALL.REL $"), length);
  case 2:
    return group_item("RET.REL R20");
  case 3:
    return group_item("EXIT");
  case 4:
    item = group_item("BRX R%u $ $", 2 + group_below(random, 6));
    return anywhere(random, anywhere(random, item, length), length);
  case 5:
    return anywhere(random, group_item("BRA.DIV R31 $"), length);
  case 6:
    return anywhere(random, group_item(group_chance(random, 50) ? "BRA.CONV R5 $" : "BRA.CONV $"),
                    length);
  case 7:
    return anywhere(random, group_item("BRA P%u $", p), length);
  case 8:
    return anywhere(random, group_item("BRA UP0 $"), length);
  default:
    return anywhere(random, group_item("BRA $"), length);
  }
}

static struct program_item any_item(struct wb_random *random, size_t length)
{
  struct program_item item;
  const unsigned what = group_below(random, 100);
  if (what < 38)
    item = any_of_scopes(random, length);
  else if (what < 46)
    item = any_sync(random);
  else if (what < 72)
    item = any_jump(random, length);
  else
    item = group_data(random);
  const bool jump = what >= 46 && what < 72;
  if (item.guard == PROGRAM_NO_GUARD && group_chance(random, jump ? 75 : 20))
    item = group_guarded(item, (uint8_t)group_below(random, GROUP_PREDICATES),
                         group_chance(random, 50));
  return item;
}

/* A call with its return address. */
static void add_call(struct random_program *program, struct wb_random *random, size_t length)
{
  const uint32_t back = program_label(program);
  program_add(program, group_labelled(group_item("MOV R20 &$"), back));
  program_add(program, anywhere(random, group_item("CALL.REL $"), length));
  program_place(program, back);
}

void group_program_make_wild(struct random_program *program, struct wb_random *random,
                             size_t length)
{
  for (size_t l = 0; l < length; l++)
    program_label(program);
  program_add(program, group_item("LDC R1 #40"));
  if (group_chance(random, 70))
    program_add(program, group_item("MOV R31 #0xffffffff"));
  if (group_chance(random, 70))
    program_add(program, group_item("TID R2"));
  program_add(program, group_item("SETP P0 R2"));
  while (program->count < length) {
    if (group_chance(random, 4))
      add_call(program, random, length);
    else
      program_add(program, any_item(random, length));
  }
  for (uint32_t l = 0; l < length; l++)
    program->labels[l] = l;
  program_add(program, group_item("EXIT"));
}
