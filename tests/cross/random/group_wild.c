/* Programs that no compiler makes. */
#include "group_operations.h"

static const struct group_form scope_forms[] = {
    {8, "BSSY B%b $"},         {8, "BSYNC B%b"},    {4, "BREAK B%b"},     {2, "BMOV R%k B%b"},
    {2, "BMOV.CLEAR R%k B%b"}, {2, "BMOV B%b R%k"}, {1, "STL R1 #8 R%k"}, {1, "LDL R%k R1 #8"},
    {1, "BMOV.CLEAR RZ B%b"},  {1, "BMOV B%b #0"},  {1, "BMOV B%b B%b"},  {1, "MOV R%k R%k"},
};
static const struct group_form sync_forms[] = {
    {6, "WARPSYNC.ALL"},          {2, "WARPSYNC R31"}, {2, "WARPSYNC R5"},
    {2, "WARPSYNC.EXCLUSIVE R5"}, {1, "YIELD"},        {1, "NANOSLEEP"},
};
static const struct group_form jump_forms[] = {
    {2, "MOV R20 &$"},  {2, "CALL.REL $"},    {2, "RET.REL R20"},   {2, "EXIT"},
    {2, "BRX R%r $ $"}, {2, "BRA.DIV R31 $"}, {1, "BRA.CONV R5 $"}, {1, "BRA.CONV $"},
    {2, "BRA P%p $"},   {2, "BRA UP0 $"},     {10, "BRA $"},
};

static struct program_item any_item(struct wb_random *random, size_t length)
{
  struct program_item item;
  const unsigned what = group_below(random, 100);
  if (what < 38)
    item = group_drawn(random, scope_forms, sizeof scope_forms / sizeof *scope_forms, length);
  else if (what < 46)
    item = group_drawn(random, sync_forms, sizeof sync_forms / sizeof *sync_forms, length);
  else if (what < 72)
    item = group_drawn(random, jump_forms, sizeof jump_forms / sizeof *jump_forms, length);
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
  program_add(program,
              group_labelled(group_item("CALL.REL $"), (uint32_t)wb_random_below(random, length)));
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
