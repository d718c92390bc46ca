/* Programs as a compiler makes them: scopes nest, BSYNC stands before the point of its scope, and
 * who jumps out of scopes breaks them first. R1 is the stack pointer, R8 to R15 keep bindings, R20
 * and on return addresses, R30 a mask, R31 the mask of all lanes. */
#include "group_operations.h"

#define FUNCTIONS 3
#define MOST_SCOPES 6
#define MOST_LOOPS 4

/* Where a break and a continue of a loop go, and how many scopes are open there. */
struct loop {
  uint32_t leave;
  uint32_t again;
  unsigned leave_scopes;
  unsigned again_scopes;
};

struct maker {
  struct random_program *program;
  struct wb_random *random;
  int left;                     /* instructions to make */
  unsigned function;            /* 0: the kernel */
  unsigned functions;           /* with the kernel */
  uint32_t entries[FUNCTIONS];  /* labels */
  unsigned scopes[MOST_SCOPES]; /* barrier registers of the open scopes */
  unsigned scope_count;
  struct loop loops[MOST_LOOPS];
  unsigned loop_count;
  uint32_t slow[4]; /* labels of slow paths, and of where they come back to */
  uint32_t fast[4];
  unsigned slow_count;
};

static void body(struct maker *maker, unsigned depth);

static void add(struct maker *maker, struct program_item item)
{
  program_add(maker->program, item);
  maker->left--;
}

static uint32_t label(struct maker *maker)
{
  return program_label(maker->program);
}

static void place(struct maker *maker, uint32_t number)
{
  program_place(maker->program, number);
}

static bool chance(struct maker *maker, unsigned percent)
{
  return group_chance(maker->random, percent);
}

/* A predicate that a branch tests, mostly made anew. */
static uint8_t condition(struct maker *maker)
{
  const unsigned p = group_below(maker->random, GROUP_PREDICATES);
  if (chance(maker, 60)) {
    const unsigned r = 2 + group_below(maker->random, 6);
    const bool of_warp = r % 3 == 0; /* of the index in x, which warp it is */
    if (chance(maker, 60))
      add(maker, group_item(of_warp ? "TIDX R%u" : r == 4 ? "TIDY R%u" : "TID R%u", r));
    add(maker, group_item(of_warp ? "OFWARP P%u R%u" : "SETP P%u R%u", p, r));
  }
  return (uint8_t)p;
}

static void data(struct maker *maker)
{
  const unsigned count = 1 + group_below(maker->random, 2);
  for (unsigned i = 0; i < count; i++)
    add(maker, group_data(maker->random));
}

/* ---- scopes ---- */

/* A barrier register that no open scope has; functions have their own, mostly. */
static unsigned free_barrier(const struct maker *maker)
{
  unsigned barrier = maker->function * 5 % 16;
  for (bool used = true; used;) {
    used = false;
    for (unsigned s = 0; s < maker->scope_count; s++)
      used = used || maker->scopes[s] == barrier;
    barrier = used ? (barrier + 1) % 16 : barrier;
  }
  return barrier;
}

/* Opens a scope in a register; false where there are too many. */
static bool open(struct maker *maker, uint32_t point)
{
  if (maker->scope_count == MOST_SCOPES)
    return false;
  const unsigned barrier = free_barrier(maker);
  add(maker, group_labelled(group_item("BSSY B%u $", barrier), point));
  maker->scopes[maker->scope_count++] = barrier;
  return true;
}

static void sync(struct maker *maker)
{
  add(maker, group_item("BSYNC B%u", maker->scopes[maker->scope_count - 1]));
}

/* The scope's last BSYNC, and its point. */
static void close(struct maker *maker, uint32_t point)
{
  sync(maker);
  maker->scope_count--;
  place(maker, point);
}

/* ---- statements ---- */

static void if_else(struct maker *maker, unsigned depth)
{
  const uint32_t point = label(maker);
  const uint32_t otherwise = label(maker);
  const uint32_t last = label(maker);
  const uint8_t guard = condition(maker);
  const bool scoped = chance(maker, 75) && open(maker, point);
  struct program_item branch = group_labelled(group_item("BRA $"), otherwise);
  if (chance(maker, 10))
    branch = group_labelled(group_item("BRA P%u $", group_below(maker->random, GROUP_PREDICATES)),
                            otherwise);
  add(maker, group_guarded(branch, guard, chance(maker, 50)));
  body(maker, depth + 1);
  if (chance(maker, 50)) {
    if (scoped && chance(maker, 50))
      sync(maker);
    else
      add(maker, group_labelled(group_item("BRA $"), last));
    place(maker, otherwise);
    body(maker, depth + 1);
  } else {
    place(maker, otherwise);
  }
  place(maker, last);
  if (scoped)
    close(maker, point);
  else if (maker->scope_count == 0 && chance(maker, 60))
    add(maker, group_item("WARPSYNC.ALL"));
}

/* A loop whose condition stands first, last or in the middle. */
static void loop(struct maker *maker, unsigned depth)
{
  const uint32_t point = label(maker);
  const uint32_t head = label(maker);
  const uint32_t leave = label(maker);
  const uint32_t again = label(maker);
  if (maker->loop_count == MOST_LOOPS) {
    data(maker);
    return;
  }
  const bool scoped = chance(maker, 75) && open(maker, point);
  const bool first = chance(maker, 40);
  place(maker, head);
  if (first)
    add(maker, group_guarded(group_labelled(group_item("BRA $"), leave), condition(maker),
                             chance(maker, 50)));
  const unsigned outside = maker->scope_count;
  const uint32_t point_of_continue = label(maker);
  const bool continues = chance(maker, 25) && open(maker, point_of_continue);
  maker->loops[maker->loop_count++] = (struct loop){leave, again, outside, maker->scope_count};
  body(maker, depth + 1);
  maker->loop_count--;
  place(maker, again);
  if (continues)
    close(maker, point_of_continue);
  struct program_item back = group_labelled(group_item("BRA $"), head);
  if (!first)
    back = group_guarded(back, condition(maker), chance(maker, 50));
  add(maker, back);
  place(maker, leave);
  if (scoped)
    close(maker, point);
  else if (maker->scope_count == 0 && chance(maker, 50))
    add(maker, group_item("WARPSYNC.ALL"));
}

/* Breaks scopes from the innermost out, as many as are open where the jump goes left. */
static void break_down_to(struct maker *maker, unsigned scopes, uint8_t guard, bool negated)
{
  for (unsigned s = maker->scope_count; s > scopes; s--)
    add(maker, group_guarded(group_item("BREAK B%u", maker->scopes[s - 1]), guard, negated));
}

/* Some lanes leave a loop, or its iteration: BREAK and BRA with one guard, or a branch round
 * them. */
static void jump(struct maker *maker)
{
  if (maker->loop_count == 0)
    return;
  const struct loop *which = &maker->loops[group_below(maker->random, maker->loop_count)];
  const bool leave = chance(maker, 70);
  const uint32_t target = leave ? which->leave : which->again;
  const unsigned scopes = leave ? which->leave_scopes : which->again_scopes;
  const uint8_t guard = condition(maker);
  const bool negated = chance(maker, 50);
  if (chance(maker, 60)) {
    break_down_to(maker, scopes, guard, negated);
    add(maker, group_guarded(group_labelled(group_item("BRA $"), target), guard, negated));
    return;
  }
  const uint32_t skip = label(maker);
  add(maker, group_guarded(group_labelled(group_item("BRA $"), skip), guard, !negated));
  break_down_to(maker, scopes, PROGRAM_NO_GUARD, false);
  add(maker, group_labelled(group_item("BRA $"), target));
  place(maker, skip);
}

static void cases(struct maker *maker, unsigned depth)
{
  const uint32_t point = label(maker);
  const uint32_t last = label(maker);
  const unsigned count = 2 + group_below(maker->random, 2);
  const unsigned r = 2 + group_below(maker->random, 6);
  struct program_item branch = group_item("BRX R%u $ $ $", r);
  if (count == 2)
    branch = group_item("BRX R%u $ $", r);
  for (unsigned c = 0; c < count; c++)
    branch = group_labelled(branch, label(maker));
  if (chance(maker, 70))
    add(maker, group_item("TID R%u", r));
  const bool scoped = chance(maker, 80) && open(maker, point);
  add(maker, branch);
  for (unsigned c = 0; c < count; c++) {
    place(maker, branch.labels[c]);
    body(maker, depth + 1);
    if (scoped && chance(maker, 40))
      sync(maker);
    else if (chance(maker, 70))
      add(maker, group_labelled(group_item("BRA $"), last));
  }
  place(maker, last);
  if (scoped)
    close(maker, point);
}

/* Calls one of two later functions, as a register says: each returns by a register of its own. */
static void call_one_of(struct maker *maker)
{
  const unsigned left = maker->functions - maker->function - 1;
  const unsigned first = maker->function + 1 + group_below(maker->random, left);
  const unsigned second = maker->function + 1 + group_below(maker->random, left);
  const uint32_t back = label(maker);
  const unsigned chooser = 2 + group_below(maker->random, 4);
  if (chance(maker, 40))
    add(maker, group_item("TID R%u", chooser));
  add(maker, group_labelled(group_item("MOV R%u &$", 20 + 2 * first), back));
  if (second != first)
    add(maker, group_labelled(group_item("MOV R%u &$", 20 + 2 * second), back));
  const struct program_item item =
      group_labelled(group_item("CALL.REL R%u $ $", chooser), maker->entries[first]);
  add(maker, group_labelled(item, maker->entries[second]));
  place(maker, back);
}

/* Calls a later function, or its own: then the return address is kept on the stack. */
static void call(struct maker *maker)
{
  const bool self = maker->function > 0 && chance(maker, 15);
  if (!self && maker->function + 1 >= maker->functions)
    return;
  if (!self && chance(maker, 25)) {
    call_one_of(maker);
    return;
  }
  const unsigned callee =
      self ? maker->function
           : maker->function + 1 +
                 group_below(maker->random, maker->functions - maker->function - 1);
  const unsigned link = 20 + 2 * callee;
  const uint32_t back = label(maker);
  uint32_t skip = 0;
  if (self) {
    skip = label(maker);
    add(maker, group_guarded(group_labelled(group_item("BRA $"), skip), condition(maker), false));
    add(maker, group_item("ADD R1 R1 #0xfffffff0"));
    add(maker, group_item("STL R1 #0 R%u", link));
  }
  add(maker, group_labelled(group_item("MOV R%u &$", link), back));
  add(maker, group_labelled(group_item("CALL.REL $"), maker->entries[callee]));
  place(maker, back);
  if (self) {
    add(maker, group_item("LDL R%u R1 #0", link));
    add(maker, group_item("ADD R1 R1 #16"));
    place(maker, skip);
  }
}

/* Uses the register of the innermost scope for another one, its binding kept elsewhere. */
static void reuse_barrier(struct maker *maker, unsigned depth)
{
  const uint32_t point = label(maker);
  const uint32_t last = label(maker);
  if (maker->scope_count == 0 || maker->scope_count == MOST_SCOPES) {
    data(maker);
    return;
  }
  const unsigned barrier = maker->scopes[maker->scope_count - 1];
  const unsigned keeper = 8 + maker->scope_count;
  const bool stack = chance(maker, 50);
  const unsigned loops = maker->loop_count;
  add(maker,
      group_item(chance(maker, 50) ? "BMOV R%u B%u" : "BMOV.CLEAR R%u B%u", keeper, barrier));
  if (stack)
    add(maker, group_item("STL R1 #%u R%u", 32 + 4 * keeper, keeper));
  maker->loop_count = 0; /* a jump would have to bring the binding back */
  const uint8_t guard = condition(maker);
  add(maker, group_labelled(group_item("BSSY B%u $", barrier), point));
  add(maker, group_guarded(group_labelled(group_item("BRA $"), last), guard, false));
  maker->scopes[maker->scope_count++] = barrier;
  if (chance(maker, 50))
    body(maker, depth + 2);
  else
    data(maker);
  maker->scope_count--;
  place(maker, last);
  add(maker, group_item("BSYNC B%u", barrier));
  place(maker, point);
  if (stack)
    add(maker, group_item("LDL R%u R1 #%u", keeper, 32 + 4 * keeper));
  add(maker, group_item("BMOV B%u R%u", barrier, keeper));
  maker->loop_count = loops;
}

static void warp_sync(struct maker *maker)
{
  if (chance(maker, 40))
    add(maker, group_item("WARPSYNC R%u", chance(maker, 60) ? 31 : 30));
  else if (chance(maker, 50))
    add(maker, group_item("WARPSYNC.EXCLUSIVE R30"));
  else
    add(maker, group_item("WARPSYNC.ALL"));
}

/* A shuffle by the fast path where all lanes are there; up to Turing the mask is not written. */
static void compare_with_mask(struct maker *maker)
{
  const unsigned number = maker->slow_count;
  if (number == 4)
    return;
  maker->slow[number] = label(maker);
  maker->fast[number] = label(maker);
  const bool diverged = chance(maker, 70);
  const struct program_item item =
      chance(maker, 40)
          ? group_item(diverged ? "BRA.DIV $" : "BRA.CONV $")
          : group_item(diverged ? "BRA.DIV R%u $" : "BRA.CONV R%u $", chance(maker, 70) ? 31 : 30);
  add(maker, group_labelled(item, maker->slow[number]));
  data(maker);
  place(maker, maker->fast[number]);
  maker->slow_count++;
}

static void slow_paths(struct maker *maker)
{
  for (unsigned s = 0; s < maker->slow_count; s++) {
    place(maker, maker->slow[s]);
    if (chance(maker, 50))
      warp_sync(maker);
    data(maker);
    add(maker, group_labelled(group_item("BRA $"), maker->fast[s]));
  }
  maker->slow_count = 0;
}

/* Lanes go out of the way, and the others meet at one of two places, as the block says, or as some
 * of them do: the others of a turn of a loop, say. */
static void meet_without_some(struct maker *maker, unsigned depth)
{
  const uint32_t point = label(maker);
  const uint32_t out = label(maker);
  const uint32_t other = label(maker);
  const uint32_t last = label(maker);
  const uint32_t head = label(maker);
  const bool scoped = chance(maker, 70) && open(maker, point);
  const bool turns = chance(maker, 40);
  const uint8_t guard = condition(maker);
  const uint8_t chooser = (uint8_t)group_below(maker->random, GROUP_PREDICATES);
  const unsigned loops = maker->loop_count;
  maker->loop_count = 0;
  add(maker, group_guarded(group_labelled(group_item("BRA $"), out), guard, chance(maker, 50)));
  place(maker, head);
  if (chance(maker, 50))
    body(maker, depth + 2);
  if (chance(maker, 75)) {
    add(maker, group_item("CTA R5"));
    add(maker, group_item("SETP P%u R5", chooser));
  }
  add(maker, group_guarded(group_labelled(group_item("BRA $"), other), chooser, false));
  if (chance(maker, 30))
    data(maker);
  add(maker, group_item("WARPSYNC.ALL"));
  add(maker, group_labelled(group_item("BRA $"), last));
  place(maker, other);
  if (chance(maker, 80))
    add(maker, group_item("WARPSYNC.ALL"));
  place(maker, last);
  data(maker);
  if (turns)
    add(maker, group_guarded(group_labelled(group_item("BRA $"), head), condition(maker),
                             chance(maker, 50)));
  place(maker, out);
  if (chance(maker, 15))
    add(maker, group_item("WARPSYNC.ALL"));
  if (scoped)
    close(maker, point);
  maker->loop_count = loops;
}

/* Lanes come apart, and their parts go one of two ways, each to a meeting of its own, mostly by
 * what they agreed on before: a register that some write meanwhile, or in turns, or of which they
 * vote. */
static void meet_by_choice(struct maker *maker, unsigned depth)
{
  const uint32_t point = label(maker);
  const uint32_t beside = label(maker);
  const uint32_t other = label(maker);
  const uint32_t last = label(maker);
  const uint32_t head = label(maker);
  const bool turns = chance(maker, 35);
  const unsigned r = 2 + group_below(maker->random, 6);
  const unsigned chooser = group_below(maker->random, GROUP_PREDICATES);
  const unsigned loops = maker->loop_count;
  if (chance(maker, 80))
    add(maker, group_item("CTA R%u", r));
  bool scoped = chance(maker, 40) && open(maker, point);
  const uint8_t guard = condition(maker);
  maker->loop_count = 0;
  add(maker, group_guarded(group_labelled(group_item("BRA $"), beside), guard, chance(maker, 50)));
  if (chance(maker, 60))
    body(maker, depth + 2);
  place(maker, turns ? head : beside);
  if (chance(maker, 25))
    data(maker);
  if (chance(maker, 15))
    add(maker, group_guarded(group_item("MOV R%u R%u R%u", r, r, r), condition(maker), false));
  if (turns)
    place(maker, beside);
  if (scoped && chance(maker, 50)) {
    close(maker, point);
    scoped = false;
  }
  if (chance(maker, 85))
    add(maker, group_item("SETP P%u R%u", chooser, r));
  else
    add(maker, group_item("VOTE P%u P%u", chooser, group_below(maker->random, GROUP_PREDICATES)));
  add(maker, group_guarded(group_labelled(group_item("BRA $"), other), (uint8_t)chooser,
                           chance(maker, 50)));
  if (chance(maker, 30))
    body(maker, depth + 2);
  add(maker, group_item("WARPSYNC.ALL"));
  data(maker);
  add(maker, group_labelled(group_item("BRA $"), last));
  place(maker, other);
  if (chance(maker, 90))
    add(maker, group_item("WARPSYNC.ALL"));
  place(maker, last);
  data(maker);
  if (turns)
    add(maker, group_guarded(group_labelled(group_item("BRA $"), head), condition(maker),
                             chance(maker, 50)));
  if (scoped)
    close(maker, point);
  maker->loop_count = loops;
}

static void rare(struct maker *maker)
{
  const uint8_t guard = (uint8_t)group_below(maker->random, GROUP_PREDICATES);
  switch (group_below(maker->random, 8)) {
  case 0:
    add(maker, group_guarded(group_item("EXIT"), guard, chance(maker, 50)));
    break;
  case 1:
    add(maker, group_item(chance(maker, 50) ? "YIELD" : "NANOSLEEP"));
    break;
  case 2:
    if (maker->scope_count > 0)
      add(maker, group_guarded(group_item("BSYNC B%u", maker->scopes[maker->scope_count - 1]),
                               guard, false));
    break;
  case 3:
  case 4:
    warp_sync(maker);
    break;
  case 5:
    compare_with_mask(maker);
    break;
  case 6:
    /* A mask of all lanes here and there, which nobody knows. */
    if (chance(maker, 50))
      add(maker, group_item("MOV R30 #0xffffffff"));
    add(maker,
        group_guarded(group_item("MOV R30 R%u", 2 + group_below(maker->random, 6)), guard, false));
    break;
  default:
    if (maker->function > 0 && maker->scope_count == 0)
      add(maker, group_guarded(group_item("RET.REL R%u", 20 + 2 * maker->function), guard, false));
    break;
  }
}

static void statement(struct maker *maker, unsigned depth)
{
  const unsigned what = depth < 5 ? group_below(maker->random, 100) : 100;
  if (what < 20)
    if_else(maker, depth);
  else if (what < 33)
    loop(maker, depth);
  else if (what < 38)
    cases(maker, depth);
  else if (what < 46)
    call(maker);
  else if (what < 52)
    reuse_barrier(maker, depth);
  else if (what < 62)
    jump(maker);
  else if (what < 72)
    rare(maker);
  else if (what < 77)
    meet_without_some(maker, depth);
  else if (what < 82)
    meet_by_choice(maker, depth);
  else
    data(maker);
}

static void body(struct maker *maker, unsigned depth)
{
  const unsigned count = 1 + group_below(maker->random, 2);
  for (unsigned i = 0; i < count; i++) {
    if (maker->left <= 0)
      add(maker, group_data(maker->random));
    else
      statement(maker, depth);
  }
}

void group_program_make_compiled(struct random_program *program, struct wb_random *random,
                                 size_t length)
{
  struct maker maker = {.program = program, .random = random, .left = (int)length};
  maker.functions = 1 + group_below(random, FUNCTIONS);
  for (unsigned f = 0; f < maker.functions; f++)
    maker.entries[f] = label(&maker);
  for (unsigned f = 0; f < maker.functions; f++) {
    maker.function = f;
    maker.left = f == 0 ? (int)length : (int)length / 4;
    place(&maker, maker.entries[f]);
    if (f == 0) {
      add(&maker, group_item("LDC R1 #40"));
      add(&maker, group_item("MOV R31 #0xffffffff"));
      add(&maker, group_item("TID R%u", 2 + group_below(random, 6)));
      add(&maker, group_item("SETP P0 R2"));
    }
    while (maker.left > 0)
      statement(&maker, 0);
    if (f == 0)
      add(&maker, group_item("EXIT"));
    else
      add(&maker, group_item("RET.REL R%u", 20 + 2 * f));
    slow_paths(&maker);
  }
}
