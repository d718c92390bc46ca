/* Making random SIMT programs: statements, each of which leaves the tokens on the stack as it
 * found them on its straight way, and subroutines behind the kernel's end. */
#include "random_simt_program.h"

#include <stdlib.h>

#define LEVELS 3 /* of subroutines: those of one call only deeper ones, and themselves */
#define NESTING 6

/* What is being made, and where: the predicate that was computed with care last; how much is
 * left of the length asked for; how deep; in which level of subroutines (0: the kernel); how
 * many regions of each token enclose it in this routine; the head of the innermost loop. */
struct maker {
  struct random_program *program;
  struct wb_random *random;
  uint8_t recent;
  size_t limit;
  bool large;
  unsigned depth;
  unsigned level;
  unsigned tokens[WB_TOKEN_COUNT];
  uint32_t loop;
  bool in_loop;
  unsigned calls;            /* that this routine may still make */
  uint32_t routines[LEVELS]; /* labels */
  bool called[LEVELS];
};

static uint64_t below(struct maker *maker, uint64_t bound)
{
  return wb_random_below(maker->random, bound);
}

static bool chance(struct maker *maker, unsigned percent)
{
  return below(maker, 100) < percent;
}

static bool full(const struct maker *maker)
{
  return maker->program->count >= maker->limit;
}

static struct program_item item_of(struct maker *maker, enum simt_operation operation)
{
  struct program_item item = {.operation = (uint8_t)operation, .guard = PROGRAM_NO_GUARD};
  for (unsigned o = 0; o < 3; o++)
    item.operands[o] = (uint8_t)below(maker, 8);
  return item;
}

/* Often the predicate that was computed with care last. */
static uint8_t random_guard(struct maker *maker)
{
  return chance(maker, 40) ? maker->recent : (uint8_t)below(maker, 4);
}

static void add(struct maker *maker, enum simt_operation operation)
{
  program_add(maker->program, item_of(maker, operation));
}

static void add_guarded(struct maker *maker, enum simt_operation operation)
{
  struct program_item item = item_of(maker, operation);
  item.guard = random_guard(maker);
  item.negated = chance(maker, 40);
  program_add(maker->program, item);
}

/* Guarded by a predicate that is mostly computed just before, so that loops end. */
static void add_decided(struct maker *maker, enum simt_operation operation)
{
  struct program_item item = item_of(maker, operation);
  item.guard = random_guard(maker);
  item.negated = chance(maker, 40);
  if (chance(maker, 75)) {
    struct program_item compare = item_of(maker, SIMT_COMPARE);
    compare.operands[0] = item.guard;
    program_add(maker->program, compare);
  }
  program_add(maker->program, item);
}

static void add_to(struct maker *maker, enum simt_operation operation, uint32_t label)
{
  struct program_item item = item_of(maker, operation);
  item.first_label = label;
  item.label_count = 1;
  program_add(maker->program, item);
}

/* A conditional branch of any kind; the compiler vouches for few. */
static void branch_to(struct maker *maker, uint32_t label)
{
  struct program_item item = item_of(maker, SIMT_BRANCH);
  const uint64_t kind = below(maker, 20);
  item.first_label = label;
  item.label_count = 1;
  if (kind < 3) {
    add(maker, SIMT_ADD_CARRY_OUT);
    item.operation = SIMT_BRANCH_CONDITION;
  } else if (kind == 3) {
    item.operation = SIMT_BRANCH_UNIFORM;
  }
  if (kind > 1) {
    item.guard = random_guard(maker);
    item.negated = chance(maker, 40);
  }
  if (kind > 8) {
    struct program_item compare = item_of(maker, SIMT_COMPARE);
    compare.operands[0] = item.guard;
    program_add(maker->program, compare);
  }
  program_add(maker->program, item);
}

/* Mostly of a known meaning: the others make lanes agree on nothing. */
static enum simt_operation random_data(struct maker *maker)
{
  if (chance(maker, 2))
    return SIMT_CALL_OUTSIDE;
  return (enum simt_operation)below(maker, chance(maker, 10) ? SIMT_DATA_COUNT : SIMT_UNKNOWN);
}

static void add_data(struct maker *maker, uint64_t count)
{
  for (uint64_t i = 0; i < count; i++) {
    const enum simt_operation operation = random_data(maker);
    if (chance(maker, 20) && operation != SIMT_BARRIER)
      add_guarded(maker, operation);
    else
      add(maker, operation);
  }
}

/* A predicate that lanes agree on more often than chance would have it, computed by all lanes
 * or by some. */
static void add_condition(struct maker *maker)
{
  static const enum simt_operation sources[] = {SIMT_MOVE_PARAMETER, SIMT_BLOCK_INDEX, SIMT_VOTE,
                                                SIMT_THREAD_INDEX, SIMT_LOAD_GLOBAL};
  const uint8_t reg = (uint8_t)below(maker, 8);
  struct program_item source = item_of(maker, sources[below(maker, 5)]);
  source.operands[0] = reg;
  program_add(maker->program, source);
  struct program_item compare = item_of(maker, SIMT_COMPARE_NUMBER);
  compare.operands[1] = reg;
  if (chance(maker, 25))
    compare.guard = (uint8_t)below(maker, 4);
  program_add(maker->program, compare);
  maker->recent = compare.operands[0];
}

static void add_statement(struct maker *maker);

static void add_block(struct maker *maker)
{
  maker->depth++;
  const uint64_t statements = 1 + below(maker, 3);
  for (uint64_t s = 0; s < statements; s++)
    add_statement(maker);
  maker->depth--;
}

/* The block is one in whose every instruction one token more lies on the stack. */
static void add_block_within(struct maker *maker, enum wb_token token)
{
  maker->tokens[token]++;
  add_block(maker);
  maker->tokens[token]--;
}

/* ---- selections ---- */

static void add_if(struct maker *maker)
{
  const uint32_t end = program_label(maker->program);
  branch_to(maker, end);
  add_block(maker);
  program_place(maker->program, end);
}

static void add_if_else(struct maker *maker)
{
  const uint32_t otherwise = program_label(maker->program);
  const uint32_t end = program_label(maker->program);
  branch_to(maker, otherwise);
  add_block(maker);
  add_to(maker, SIMT_BRANCH, end);
  program_place(maker->program, otherwise);
  add_block(maker);
  program_place(maker->program, end);
}

static void add_reconverging_if(struct maker *maker)
{
  const uint32_t end = program_label(maker->program);
  add_to(maker, SIMT_PUSH_SYNC, end);
  if (chance(maker, 50)) {
    add_data(maker, below(maker, 3));
    add_guarded(maker, SIMT_SYNC);
    add_block_within(maker, WB_TOKEN_SYNC);
  } else {
    const uint32_t otherwise = program_label(maker->program);
    branch_to(maker, otherwise);
    add_block_within(maker, WB_TOKEN_SYNC);
    add(maker, SIMT_SYNC);
    program_place(maker->program, otherwise);
    add_block_within(maker, WB_TOKEN_SYNC);
  }
  add(maker, SIMT_SYNC);
  program_place(maker->program, end);
}

/* Sides that reconverge, run into one another, or jump to the end. */
static void add_switch(struct maker *maker)
{
  const uint32_t sides = 2 + (uint32_t)below(maker, 3);
  const uint32_t end = program_label(maker->program);
  const bool reconverges = chance(maker, 50);
  struct program_item branch = item_of(maker, SIMT_BRANCH_INDEXED);
  branch.label_count = sides;
  branch.first_label = program_label(maker->program);
  for (uint32_t s = 1; s < sides; s++)
    program_label(maker->program);
  if (reconverges)
    add_to(maker, SIMT_PUSH_SYNC, end);
  maker->tokens[WB_TOKEN_SYNC] += reconverges;
  program_add(maker->program, branch);
  for (uint32_t s = 0; s < sides; s++) {
    program_place(maker->program, branch.first_label + s);
    add_block(maker);
    if (reconverges && (s + 1 == sides || chance(maker, 70)))
      add(maker, SIMT_SYNC);
    else if (!reconverges && chance(maker, 60))
      add_to(maker, SIMT_BRANCH, end);
  }
  maker->tokens[WB_TOKEN_SYNC] -= reconverges;
  program_place(maker->program, end);
}

/* Only those that come the straight way push a second token: the stacks differ where the
 * paths join. */
static void add_unequal_join(struct maker *maker)
{
  const uint32_t end = program_label(maker->program);
  const uint32_t inner = program_label(maker->program);
  const uint32_t join = program_label(maker->program);
  add_to(maker, SIMT_PUSH_SYNC, end);
  branch_to(maker, join);
  add_to(maker, SIMT_PUSH_SYNC, inner);
  program_place(maker->program, join);
  add_block_within(maker, WB_TOKEN_SYNC);
  add(maker, SIMT_SYNC);
  program_place(maker->program, inner);
  add_block_within(maker, WB_TOKEN_SYNC);
  add(maker, SIMT_SYNC);
  program_place(maker->program, end);
}

/* ---- loops ---- */

static void add_loop_block(struct maker *maker, uint32_t head, enum wb_token token)
{
  const uint32_t outer = maker->loop;
  const bool was_in_loop = maker->in_loop;
  maker->loop = head;
  maker->in_loop = true;
  add_block_within(maker, token);
  maker->loop = outer;
  maker->in_loop = was_in_loop;
}

/* do-while, or entered in its middle, without any token. */
static void add_plain_loop(struct maker *maker)
{
  const uint32_t head = program_label(maker->program);
  const uint32_t middle = program_label(maker->program);
  const bool irreducible = chance(maker, 30);
  if (irreducible)
    branch_to(maker, middle);
  program_place(maker->program, head);
  add_loop_block(maker, head, WB_TOKEN_NONE);
  program_place(maker->program, middle);
  if (irreducible)
    add_block(maker);
  add_condition(maker);
  branch_to(maker, head);
}

/* Entered at several places by lanes that go to different ones: at its head with or without a
 * token on the stack, and in its middle. */
static void add_crowded_loop(struct maker *maker)
{
  const uint32_t head = program_label(maker->program);
  const uint32_t middle = program_label(maker->program);
  const uint32_t end = program_label(maker->program);
  branch_to(maker, middle);
  if (chance(maker, 50)) {
    add_data(maker, below(maker, 2));
    branch_to(maker, head);
  }
  add_to(maker, SIMT_PUSH_SYNC, end);
  program_place(maker->program, head);
  add_loop_block(maker, head, WB_TOKEN_NONE);
  program_place(maker->program, middle);
  add_loop_block(maker, middle, WB_TOKEN_NONE);
  if (chance(maker, 60))
    branch_to(maker, middle);
  add_condition(maker);
  branch_to(maker, head);
  program_place(maker->program, end);
}

/* Two heads, each with a token of its own: at the outer one all lanes have come together, at the
 * inner one some may wait that go round it. Some enter at the outer one, some at the inner one. */
static void add_double_loop(struct maker *maker)
{
  const uint32_t outer = program_label(maker->program);
  const uint32_t inner = program_label(maker->program);
  const uint32_t join = program_label(maker->program);
  const uint32_t other = program_label(maker->program);
  const uint32_t leave = program_label(maker->program);
  const uint32_t end = program_label(maker->program);
  branch_to(maker, other);
  program_place(maker->program, outer);
  add_to(maker, SIMT_PUSH_SYNC, join);
  program_place(maker->program, inner);
  add_loop_block(maker, inner, WB_TOKEN_SYNC);
  branch_to(maker, inner);
  if (chance(maker, 50)) {
    add_data(maker, below(maker, 3));
    branch_to(maker, inner);
  }
  add(maker, SIMT_SYNC);
  program_place(maker->program, join);
  branch_to(maker, outer);
  add_to(maker, SIMT_BRANCH, end);
  program_place(maker->program, other);
  add_to(maker, SIMT_PUSH_SYNC, leave);
  add_to(maker, SIMT_BRANCH, inner);
  program_place(maker->program, leave);
  program_place(maker->program, end);
}

/* An indexed branch is the head: its sides go round, leave or end. */
static void add_dispatch_loop(struct maker *maker)
{
  const uint32_t sides = 2 + (uint32_t)below(maker, 5);
  const uint32_t head = program_label(maker->program);
  const uint32_t end = program_label(maker->program);
  struct program_item branch = item_of(maker, SIMT_BRANCH_INDEXED);
  branch.label_count = sides;
  branch.first_label = program_label(maker->program);
  for (uint32_t s = 1; s < sides; s++)
    program_label(maker->program);
  if (chance(maker, 30))
    branch_to(maker, end);
  program_place(maker->program, head);
  program_add(maker->program, branch);
  for (uint32_t s = 0; s < sides; s++) {
    program_place(maker->program, branch.first_label + s);
    if (chance(maker, 60))
      add_loop_block(maker, head, WB_TOKEN_NONE);
    if (s == 0 || chance(maker, 30)) {
      struct program_item change = item_of(maker, SIMT_ADD);
      change.operands[0] = branch.operands[0];
      program_add(maker->program, change);
      branch_to(maker, head);
    }
    if (chance(maker, 40))
      add(maker, SIMT_EXIT);
    else if (chance(maker, 50))
      add_to(maker, SIMT_BRANCH, end);
  }
  program_place(maker->program, end);
}

/* PBK or SSY before the loop, its exits pop the token. */
static void add_token_loop(struct maker *maker)
{
  const bool breaks = chance(maker, 60);
  const enum simt_operation leave = breaks ? SIMT_BREAK : SIMT_SYNC;
  const enum wb_token token = breaks ? WB_TOKEN_BREAK : WB_TOKEN_SYNC;
  const uint32_t head = program_label(maker->program);
  const uint32_t end = program_label(maker->program);
  add_to(maker, breaks ? SIMT_PUSH_BREAK : SIMT_PUSH_SYNC, end);
  program_place(maker->program, head);
  add_loop_block(maker, head, token);
  add_decided(maker, leave);
  if (chance(maker, 50))
    add_loop_block(maker, head, token);
  if (chance(maker, 70)) {
    add_to(maker, SIMT_BRANCH, head);
  } else {
    branch_to(maker, head);
    add(maker, leave);
  }
  program_place(maker->program, end);
}

static void add_continue_loop(struct maker *maker)
{
  const uint32_t head = program_label(maker->program);
  const uint32_t next = program_label(maker->program);
  const uint32_t end = program_label(maker->program);
  add_to(maker, SIMT_PUSH_BREAK, end);
  program_place(maker->program, head);
  add_to(maker, SIMT_PUSH_CONTINUE, next);
  maker->tokens[WB_TOKEN_BREAK]++;
  add_loop_block(maker, head, WB_TOKEN_CONTINUE);
  add_decided(maker, chance(maker, 50) ? SIMT_BREAK : SIMT_CONTINUE);
  add_loop_block(maker, head, WB_TOKEN_CONTINUE);
  add(maker, SIMT_CONTINUE);
  program_place(maker->program, next);
  maker->tokens[WB_TOKEN_BREAK]--;
  add_data(maker, below(maker, 3));
  add_decided(maker, SIMT_BREAK);
  add_to(maker, SIMT_BRANCH, head);
  program_place(maker->program, end);
}

/* ---- what leaves ---- */

/* A guarded pop of a token that an enclosing region pushed, over those in between. */
static void add_early_pop(struct maker *maker)
{
  static const struct {
    enum wb_token token;
    enum simt_operation operation;
  } pops[] = {{WB_TOKEN_SYNC, SIMT_SYNC},
              {WB_TOKEN_BREAK, SIMT_BREAK},
              {WB_TOKEN_CONTINUE, SIMT_CONTINUE},
              {WB_TOKEN_RETURN, SIMT_RETURN}};
  const uint64_t which = below(maker, 4);
  if (maker->tokens[pops[which].token] > 0)
    add_guarded(maker, pops[which].operation);
  else
    add_data(maker, 1);
}

static void add_early_exit(struct maker *maker)
{
  add_guarded(maker, chance(maker, 80) ? SIMT_EXIT : SIMT_KILL);
}

/* continue, with no token for it: lanes are left behind on the stack. */
static void add_jump_to_head(struct maker *maker)
{
  if (maker->in_loop && !(maker->large && chance(maker, 90)))
    branch_to(maker, maker->loop);
  else
    add_data(maker, 1);
}

/* ---- calls ---- */

static void add_call(struct maker *maker)
{
  if (maker->level == LEVELS || maker->calls == 0) {
    add_data(maker, 1);
    return;
  }
  maker->calls--;
  const unsigned callee = maker->level + (unsigned)below(maker, LEVELS - maker->level);
  const uint64_t kind = below(maker, 10);
  const uint32_t after = program_label(maker->program);
  maker->called[callee] = true;
  if (kind > 1) {
    add_to(maker, SIMT_CALL, maker->routines[callee]);
  } else {
    add_to(maker, SIMT_PUSH_RETURN, after);
    struct program_item jump = item_of(maker, kind == 0 ? SIMT_BRANCH : SIMT_BRANCH_INDEXED);
    jump.first_label = maker->routines[callee];
    jump.label_count = 1;
    program_add(maker->program, jump);
  }
  program_place(maker->program, after);
}

static void add_routine(struct maker *maker, unsigned level)
{
  maker->level = level + 1;
  maker->limit = maker->program->count + (maker->large ? 30 : 5 + maker->limit / 8);
  maker->calls = 2;
  maker->depth = 0;
  maker->in_loop = false;
  program_place(maker->program, maker->routines[level]);
  maker->tokens[WB_TOKEN_RETURN] = 1;
  add_data(maker, 1);
  add_block(maker);
  if (chance(maker, 30)) {
    add_decided(maker, SIMT_RETURN);
    add_to(maker, SIMT_CALL, maker->routines[level]);
    add_block(maker);
  } else if (chance(maker, 50)) {
    add_decided(maker, SIMT_RETURN);
    add_block(maker);
  }
  add(maker, SIMT_RETURN);
  maker->tokens[WB_TOKEN_RETURN] = 0;
}

/* ---- programs ---- */

static void add_statement(struct maker *maker)
{
  static void (*const kinds[])(struct maker * maker) = {
      add_if,
      add_if_else,
      add_reconverging_if,
      add_reconverging_if,
      add_switch,
      add_plain_loop,
      add_crowded_loop,
      add_double_loop,
      add_dispatch_loop,
      add_token_loop,
      add_token_loop,
      add_continue_loop,
      add_early_pop,
      add_early_pop,
      add_early_exit,
      add_jump_to_head,
      add_call,
      add_call,
      add_unequal_join,
  };
  add_data(maker, below(maker, 3));
  if (chance(maker, 40))
    add_condition(maker);
  if (full(maker) || maker->depth > NESTING || chance(maker, 15))
    return;
  /* In a large program those that leave lanes behind would empty or flood the stack. */
  const uint64_t kind = below(maker, sizeof kinds / sizeof kinds[0]);
  if (maker->large && (kinds[kind] == add_early_exit || kinds[kind] == add_unequal_join) &&
      chance(maker, 95))
    return;
  kinds[kind](maker);
}

static void make_compiled(struct maker *maker)
{
  const size_t length = maker->limit;
  const size_t behind = maker->large ? length / 100 * 10 : 0;
  maker->limit = length - behind;
  maker->calls = maker->large ? (unsigned)(length / 400) : 4;
  for (unsigned r = 0; r < LEVELS; r++)
    maker->routines[r] = program_label(maker->program);
  do
    add_statement(maker);
  while (!full(maker));
  const uint32_t end = program_label(maker->program);
  add(maker, SIMT_EXIT);
  program_place(maker->program, end);
  add_to(maker, SIMT_BRANCH, end);
  for (unsigned r = 0; r < LEVELS; r++) {
    maker->limit = length;
    if (maker->called[r])
      add_routine(maker, r);
  }
}

static void make_wild(struct maker *maker)
{
  static const enum simt_operation pushes[] = {SIMT_PUSH_SYNC, SIMT_PUSH_BREAK, SIMT_PUSH_CONTINUE,
                                               SIMT_PUSH_RETURN};
  const uint32_t labels = 2 + (uint32_t)below(maker, 6);
  for (uint32_t l = 0; l < labels; l++)
    program_label(maker->program);
  for (unsigned p = 0; p < 4; p++)
    add_to(maker, pushes[p], (uint32_t)below(maker, labels));
  while (!full(maker)) {
    const enum simt_operation operation = (enum simt_operation)(
        SIMT_DATA_COUNT + below(maker, SIMT_OPERATION_COUNT - SIMT_DATA_COUNT));
    struct program_item item = item_of(maker, operation);
    add_data(maker, below(maker, 2));
    /* The hardware has no guard on pushes and calls; the rules have. */
    if (operation < SIMT_PUSH_SYNC || operation >= SIMT_BRANCH || chance(maker, 10))
      item.guard = chance(maker, 75) ? (uint8_t)below(maker, 4) : PROGRAM_NO_GUARD;
    item.negated = chance(maker, 40);
    item.first_label = (uint32_t)below(maker, labels);
    item.label_count = operation >= SIMT_PUSH_SYNC;
    if (operation == SIMT_BRANCH_INDEXED)
      item.label_count = 1 + (uint32_t)below(maker, labels - item.first_label);
    program_add(maker->program, item);
  }
  add(maker, SIMT_EXIT);
  for (uint32_t l = 0; l < labels; l++)
    maker->program->labels[l] = (uint32_t)below(maker, maker->program->count);
}

struct random_program simt_program_random(struct wb_random *random, size_t length, bool wild)
{
  struct random_program program = {0};
  struct maker maker = {
      .program = &program, .random = random, .limit = length, .large = length > 500};
  if (wild)
    make_wild(&maker);
  else
    make_compiled(&maker);
  for (size_t l = 0; l < program.label_count; l++) {
    if (program.labels[l] >= program.count)
      program.labels[l] = (uint32_t)program.count - 1;
  }
  return program;
}
