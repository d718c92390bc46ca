/* As test_barrier_groups.c, lane by lane: whether no barrier waits for ever, and each is passed
 * by whole warps, where the code is said to show that barriers make groups of a block's warps, that
 * those with a count are of the whole block, or that arrivals and waits pair up in rounds: random
 * structured programs with blocks of one to three dimensions, choices and loops in which lanes of a
 * warp part, shared memory that is written and read, reductions, calls, and numbers and counts in
 * registers. Warps run in any order. The runs share no code with src/. WARPBOUND_CROSS_RUNS:
 * programs. */
#include "base/random.h"
#include "base/text.h"
#include "bounded_listing.h"
#include "flow/barriers/barrier_agreement.h"
#include "flow/barriers/barrier_arrivals.h"
#include "flow/barriers/barrier_groups.h"
#include "flow/barriers/counted_barriers.h"
#include "unit.h"

#include <inttypes.h>

#define LINES 124
#define REGISTERS 4
#define PREDICATES 4
#define ALWAYS PREDICATES
#define WORDS 2
#define WARP 32
#define MOST_THREADS 128
#define STEPS 6000
#define PARAMETER 3

enum kind {
  INDEX,    /* of the thread in its block, along an axis; a = it */
  BLOCK,    /* of the block */
  NUMBER,   /* a = number */
  CONSTANT, /* a = the parameter */
  ADD,      /* a = b + number */
  SHIFT,    /* a = b >> number */
  LESS,     /* predicate a = b < number */
  LOAD,
  STORE,
  GLOBAL, /* number 1: memory that nothing writes, by the address in b */
  RESULT,
  BARRIER,
  REDUCE,
  ARRIVE,
  JUMP,
  CALL,
  RETURN,
  END,
  OTHER
};

struct line {
  enum kind kind;
  uint8_t guard, a, b;
  bool unless, number_in_register, count_in_register;
  uint32_t number, count; /* of a barrier: its number, or the register's; of how many threads, or
                             the register's; of a jump the line that it goes to */
};

struct program {
  struct wb_random random;
  struct line lines[LINES];
  struct wb_text text;
  size_t count, calls[LINES], call_count;
  uint32_t block[3], threads, warps;
  uint32_t axis, split; /* what P0 tests: the index along the axis is below */
  uint32_t sides[2];    /* threads of whole warps for which P0 is false, and true */
  unsigned depth, labels;
};

static uint32_t draw(struct program *program, uint32_t bound)
{
  return (uint32_t)wb_random_below(&program->random, bound);
}

static void write(struct program *program, struct line line, const char *text)
{
  if (line.guard < ALWAYS)
    wb_text_format(&program->text, "@%sP%u ", line.unless ? "!" : "", line.guard);
  wb_text_format(&program->text, "%s; ", text);
  program->lines[program->count++] = line;
}

static void write_other(struct program *program, const char *text)
{
  write(program, (struct line){.kind = OTHER, .guard = ALWAYS}, text);
}

static void write_barrier(struct program *program, struct line line)
{
  char text[80], number[20], count[20] = "", predicate[20] = "";
  snprintf(number, sizeof number, line.number_in_register ? "R%u" : "0x%x", line.number);
  if (line.count > 0 || line.count_in_register)
    snprintf(count, sizeof count, line.count_in_register ? ", R%u" : ", 0x%x", line.count);
  if (line.kind == REDUCE)
    snprintf(predicate, sizeof predicate, ", P%u", line.a);
  snprintf(text, sizeof text, "BAR.%s %s%s%s",
           line.kind == REDUCE   ? "RED.POPC"
           : line.kind == ARRIVE ? "ARV"
                                 : "SYNC",
           number, count, predicate);
  write(program, line, text);
}

static void write_line(struct program *program, struct line line)
{
  static const char axes[] = "XYZ";
  char text[80];
  switch (line.kind) {
  case INDEX:
    snprintf(text, sizeof text, "S2R R%u, SR_TID.%c", line.a, axes[line.number]);
    break;
  case BLOCK:
    snprintf(text, sizeof text, "S2R R%u, SR_CTAID.X", line.a);
    break;
  case NUMBER:
    snprintf(text, sizeof text, "MOV R%u, 0x%x", line.a, line.number);
    break;
  case CONSTANT:
    snprintf(text, sizeof text, "MOV R%u, c[0x0][0x160]", line.a);
    break;
  case ADD:
    snprintf(text, sizeof text, "IADD3 R%u, R%u, 0x%x, RZ", line.a, line.b, line.number);
    break;
  case SHIFT:
    snprintf(text, sizeof text, "SHF.R.U32.HI R%u, RZ, 0x%x, R%u", line.a, line.number, line.b);
    break;
  case LESS:
    snprintf(text, sizeof text, "ISETP.LT.U32.AND P%u, PT, R%u, 0x%x, PT", line.a, line.b,
             line.number);
    break;
  case LOAD:
    snprintf(text, sizeof text, "LDS R%u, [0x%x]", line.a, 4 * line.number);
    break;
  case STORE:
    snprintf(text, sizeof text, "STS [0x%x], R%u", 4 * line.number, line.a);
    break;
  case GLOBAL:
    snprintf(text, sizeof text, "LDG.E%s R%u, [R%u]", line.number == 1 ? ".CONSTANT" : "", line.a,
             line.b);
    break;
  case RESULT:
    snprintf(text, sizeof text, "B2R.RESULT R%u", line.a);
    break;
  default:
    snprintf(text, sizeof text, "EXIT");
    break;
  }
  write(program, line, text);
}

static struct line plain(struct program *program, enum kind kind)
{
  return (struct line){.kind = kind,
                       .guard = ALWAYS,
                       .unless = draw(program, 2),
                       .a = (uint8_t)draw(program, REGISTERS),
                       .b = (uint8_t)draw(program, REGISTERS),
                       .number = draw(program, WORDS)};
}

static uint32_t index_of(const struct program *program, uint32_t thread, uint32_t axis)
{
  const uint32_t *block = program->block;
  return axis == 0   ? thread % block[0]
         : axis == 1 ? thread / block[0] % block[1]
                     : thread / block[0] / block[1];
}

/* A test that parts the warps of the block, mostly none of them; how many threads are on each side,
 * in whole warps. */
static void draw_split(struct program *program)
{
  for (unsigned tries = 0; tries < 40; tries++) {
    uint32_t whole = 0, parted = 0;
    program->axis = draw(program, 3);
    program->split = 1 + draw(program, program->block[program->axis]);
    for (uint32_t w = 0; w < program->warps; w++) {
      uint32_t below = 0, all = 0;
      for (uint32_t t = w * WARP; t < (w + 1) * WARP && t < program->threads; t++, all++)
        below += index_of(program, t, program->axis) < program->split;
      whole += below == all;
      parted += below > 0 && below < all;
    }
    program->sides[1] = whole * WARP;
    program->sides[0] = (program->warps - whole) * WARP;
    if ((whole > 0 && whole < program->warps && parted == 0) || draw(program, 40) == 0)
      return;
  }
}

/* A barrier of the warps on one side of the split, or of all (2); now and then of others. */
static void add_barrier(struct program *program, unsigned side)
{
  struct line line = plain(program, BARRIER);
  line.number = side == 2 ? 0 : 1 + side + (draw(program, 5) == 0 ? 2 : 0);
  line.count = side < 2 ? program->sides[side] : draw(program, 3) == 0 ? program->warps * WARP : 0;
  if (side == 2 && draw(program, 3) == 0)
    line.kind = REDUCE;
  if (draw(program, 30) == 0)
    line.number = draw(program, 6);
  if (draw(program, 30) == 0)
    line.count = WARP * draw(program, program->warps + 1);
  if (draw(program, 30) == 0)
    line.guard = (uint8_t)draw(program, PREDICATES);
  if (line.kind == BARRIER && line.count > 0 && draw(program, 24) == 0)
    line.kind = ARRIVE;
  if (line.kind != REDUCE && line.count > 0 && draw(program, 6) == 0) {
    struct line number = plain(program, NUMBER);
    number.number = line.number;
    write_line(program, number);
    line.number_in_register = true;
    line.number = number.a;
  } else if (line.count > 0 && draw(program, 6) == 0) {
    struct line number = plain(program, NUMBER);
    number.number = line.count;
    write_line(program, number);
    line.count_in_register = true;
    line.count = number.a;
  }
  line.a = (uint8_t)draw(program, PREDICATES);
  write_barrier(program, line);
}

/* One half of a barrier of all warps at which those on one side of the split arrive, and the others
 * wait; now and then not so. */
static void add_half(struct program *program, uint32_t number, bool waits)
{
  struct line line = plain(program, waits ? BARRIER : ARRIVE);
  line.number = draw(program, 20) == 0 ? 0 : number;
  line.count = program->warps * WARP;
  if (draw(program, 30) == 0)
    line.kind = draw(program, 2) == 0 ? BARRIER : ARRIVE;
  if (draw(program, 40) == 0) {
    line.kind = line.kind == ARRIVE ? ARRIVE : REDUCE;
    line.a = (uint8_t)draw(program, PREDICATES);
  }
  write_barrier(program, line);
}

/* A barrier of pairs of warps, or of each, by the index along an axis. */
static void add_named(struct program *program)
{
  struct line line = plain(program, INDEX);
  const uint8_t name = line.a;
  uint32_t per = WARP << draw(program, 2);
  line.number = draw(program, 3);
  write_line(program, line);
  struct line barrier = {.kind = BARRIER, .guard = ALWAYS, .number_in_register = true};
  barrier.number = name;
  barrier.count = per;
  for (uint32_t axis = 0; axis < line.number; axis++)
    per = per / program->block[axis] > 0 ? per / program->block[axis] : 1;
  line = (struct line){.kind = SHIFT, .guard = ALWAYS, .a = name, .b = name};
  for (; per > 1; per /= 2)
    line.number++;
  write_line(program, line);
  line.kind = ADD;
  line.number = 1;
  write_line(program, line);
  write_barrier(program, barrier);
}

/* A test of what threads load or share; of which they may differ. */
static uint8_t add_question(struct program *program)
{
  static const enum kind kinds[] = {LOAD, LOAD, LOAD, RESULT, GLOBAL, CONSTANT, BLOCK, INDEX};
  struct line line = plain(program, kinds[draw(program, 8)]);
  const uint8_t value = line.a;
  if (line.kind == GLOBAL && line.number == 1) {
    struct line address = plain(program, draw(program, 4) == 0 ? INDEX : CONSTANT);
    address.a = line.b;
    write_line(program, address);
  }
  if (draw(program, 3) == 0)
    add_barrier(program, 2);
  write_line(program, line);
  line = plain(program, LESS);
  line.a = (uint8_t)(1 + draw(program, PREDICATES - 1));
  line.b = value;
  line.number = 2 + draw(program, 3);
  write_line(program, line);
  return line.a;
}

static void add_simple(struct program *program)
{
  struct line line = plain(program, (enum kind)draw(program, RESULT + 1));
  if (line.kind == LESS) {
    line.a = (uint8_t)(1 + draw(program, PREDICATES - 1));
    line.number *= 3;
  }
  if (line.kind == STORE && draw(program, 2) == 0)
    line.kind = CONSTANT;
  if (draw(program, 4) == 0)
    line.guard = (uint8_t)draw(program, PREDICATES);
  write_line(program, line);
}

static void add_pieces(struct program *program, unsigned side, uint32_t count);

/* Two sides of a choice; by the split they are those of the groups. In a scope where lanes that
 * part meet again, but now and then. */
static void add_choice(struct program *program, unsigned side)
{
  const unsigned label = program->labels++, scope = program->depth;
  const bool splits = side == 2 && draw(program, 3) > 0, scoped = draw(program, 6) > 0;
  const uint8_t asked = splits ? 0 : add_question(program);
  struct line jump = {.kind = JUMP, .guard = asked}, over = {.kind = JUMP, .guard = ALWAYS};
  char text[40];
  snprintf(text, sizeof text, "BSSY B%u, end%u", scope, label);
  write_other(program, scoped ? text : "NOP");
  const size_t branch = program->count;
  snprintf(text, sizeof text, "BRA other%u", label);
  write(program, jump, text);
  program->depth++;
  const uint32_t halves = splits && draw(program, 3) == 0 ? 1 + draw(program, 3) : 0,
                 first = draw(program, 4);
  for (uint32_t h = 0; h < halves; h++)
    add_half(program, 6 + h % 2, (first >> h % 2 & 1) != 0);
  add_pieces(program, splits ? 0 : side, draw(program, 3));
  const size_t out = program->count;
  snprintf(text, sizeof text, "BRA out%u", label);
  write(program, over, text);
  program->lines[branch].number = (uint32_t)program->count;
  wb_text_format(&program->text, "other%u:; ", label);
  add_pieces(program, splits ? 1 : side, draw(program, 4));
  for (uint32_t h = 0; h < halves; h++)
    add_half(program, 6 + h % 2, (first >> h % 2 & 1) == 0);
  program->depth--;
  program->lines[out].number = (uint32_t)program->count;
  wb_text_format(&program->text, "out%u:; ", label);
  snprintf(text, sizeof text, "BSYNC B%u", scope);
  write_other(program, scoped ? text : "NOP");
  wb_text_format(&program->text, "end%u:; ", label);
}

/* Turns as long as something that is loaded says, or by a counter beside it. */
static void add_turns(struct program *program, unsigned side)
{
  const unsigned label = program->labels++, scope = program->depth, counter = 10 + program->depth;
  struct line jump = {.kind = JUMP};
  char text[60];
  snprintf(text, sizeof text, "BSSY B%u, end%u", scope, label);
  write_other(program, text);
  struct line line = {.kind = NUMBER, .guard = ALWAYS, .a = (uint8_t)counter};
  write_line(program, line);
  jump.number = (uint32_t)program->count;
  wb_text_format(&program->text, "top%u:; ", label);
  program->depth++;
  add_pieces(program, side, 1 + draw(program, 3));
  program->depth--;
  if (draw(program, 3) == 0) {
    jump.guard = add_question(program);
  } else {
    line = (struct line){.kind = ADD, .guard = ALWAYS, .number = 1};
    line.a = line.b = (uint8_t)counter;
    write_line(program, line);
    line = (struct line){.kind = LESS, .guard = ALWAYS, .a = 3, .b = (uint8_t)counter};
    line.number = 1 + draw(program, 3);
    write_line(program, line);
    jump.guard = 3;
  }
  snprintf(text, sizeof text, "BRA top%u", label);
  write(program, jump, text);
  snprintf(text, sizeof text, "BSYNC B%u", scope);
  write_other(program, text);
  wb_text_format(&program->text, "end%u:; ", label);
}

static void add_call(struct program *program)
{
  char text[40];
  snprintf(text, sizeof text, "MOV R20, 0x%zx", 16 * (program->count + 2));
  write_other(program, text);
  program->calls[program->call_count++] = program->count;
  write(program, (struct line){.kind = CALL, .guard = ALWAYS}, "CALL.REL.NOINC function");
}

static void add_pieces(struct program *program, unsigned side, uint32_t count)
{
  for (; count > 0 && program->count + 45 < LINES; count--) {
    const uint32_t kind = draw(program, 16);
    if (kind < 5)
      add_barrier(program, draw(program, 10) == 0 ? 2 : side);
    else if (kind < 8 && program->depth < 3)
      add_choice(program, side);
    else if (kind < 9 && program->depth < 2)
      add_turns(program, side);
    else if (kind < 10 && side == 2)
      add_named(program);
    else if (kind < 11 && draw(program, 2) == 0)
      add_call(program);
    else if (draw(program, 40) == 0)
      write(program, (struct line){.kind = END, .guard = (uint8_t)draw(program, ALWAYS)}, "EXIT");
    else
      add_simple(program);
  }
}

static void draw_program(uint64_t seed, struct program *program)
{
  static const uint32_t blocks[][3] = {{128, 1, 1}, {64, 2, 1}, {16, 8, 1}, {32, 2, 2}, {8, 4, 4},
                                       {100, 1, 1}, {96, 1, 1}, {4, 8, 3},  {12, 8, 1}, {33, 3, 1},
                                       {16, 3, 2},  {32, 4, 1}, {2, 16, 4}, {64, 1, 2}};
  *program = (struct program){.random = {seed}};
  memcpy(program->block, blocks[draw(program, sizeof blocks / sizeof *blocks)],
         sizeof program->block);
  program->threads = program->block[0] * program->block[1] * program->block[2];
  program->warps = (program->threads + WARP - 1) / WARP;
  draw_split(program);
  struct line line = {.kind = INDEX, .guard = ALWAYS, .number = program->axis};
  write_line(program, line);
  line = (struct line){.kind = LESS, .guard = ALWAYS, .number = program->split};
  write_line(program, line);
  add_pieces(program, 2, 2 + draw(program, 5));
  write_other(program, "NOP");
  if (program->call_count > 0) {
    write(program, (struct line){.kind = END, .guard = ALWAYS}, "EXIT");
    for (size_t c = 0; c < program->call_count; c++)
      program->lines[program->calls[c]].number = (uint32_t)program->count;
    wb_text_format(&program->text, "function:; ");
    for (uint32_t n = 1 + draw(program, 2); n > 0; n--)
      draw(program, 3) == 0 ? add_simple(program) : add_barrier(program, draw(program, 3));
    write(program, (struct line){.kind = RETURN, .guard = ALWAYS}, "RET.REL.NODEC R20 0x0");
  }
  wb_text_format(&program->text, "NOP");
  program->lines[program->count++] = (struct line){.kind = OTHER, .guard = ALWAYS};
  program->lines[program->count++] = (struct line){.kind = END, .guard = ALWAYS};
}

/* ---- runs ---- */

struct thread {
  uint32_t at, back, result, value[16], number, count; /* where it waits */
  bool predicate[PREDICATES], waits, ended;
};

struct run {
  struct thread threads[MOST_THREADS];
  struct {
    uint32_t warps, count;
    enum kind kind;
  } arrived[16]; /* and went on: a set */
  uint32_t shared[WORDS], index;
  uint32_t written; /* what others have written, for all lanes that load together */
};

static void step(struct program *program, struct run *run, uint32_t number)
{
  struct thread *thread = &run->threads[number];
  const struct line *line = &program->lines[thread->at++];
  uint32_t *value = thread->value;
  if (line->guard < ALWAYS && thread->predicate[line->guard] == line->unless)
    return;
  switch (line->kind) {
  case INDEX:
    value[line->a] = index_of(program, number, line->number);
    break;
  case BLOCK:
    value[line->a] = run->index;
    break;
  case NUMBER:
    value[line->a] = line->number;
    break;
  case CONSTANT:
    value[line->a] = PARAMETER;
    break;
  case ADD:
    value[line->a] = value[line->b] + line->number;
    break;
  case SHIFT:
    value[line->a] = value[line->b] >> line->number;
    break;
  case LESS:
    thread->predicate[line->a] = value[line->b] < line->number;
    break;
  case LOAD:
    value[line->a] = run->shared[line->number];
    break;
  case STORE:
    run->shared[line->number] = value[line->a];
    break;
  case GLOBAL:
    value[line->a] =
        line->number == 1 ? (value[line->b] * 7 + 3) % 6 : (run->written + value[line->b]) % 6;
    break;
  case RESULT:
    value[line->a] = thread->result;
    break;
  case BARRIER:
  case REDUCE:
  case ARRIVE:
    thread->waits = true;
    thread->number = line->number_in_register ? value[line->number] : line->number;
    thread->count = line->count_in_register ? value[line->count] : line->count;
    break;
  case JUMP:
    thread->at = line->number;
    break;
  case CALL:
    thread->back = thread->at;
    thread->at = line->number;
    break;
  case RETURN:
    thread->at = thread->back;
    break;
  case END:
    thread->ended = true;
    break;
  case OTHER:
    break;
  }
}

/* What a warp is doing: the thread that waits for all that have not ended, or NULL. */
static struct thread *waiting_of(struct program *program, struct run *run, uint32_t warp,
                                 bool *over, const char **problem)
{
  struct thread *first = NULL;
  *over = true;
  for (uint32_t t = warp * WARP; t < (warp + 1) * WARP && t < program->threads; t++) {
    struct thread *thread = &run->threads[t];
    *over &= thread->ended;
    if (thread->ended)
      continue;
    first = first != NULL ? first : thread;
    if (!thread->waits)
      return NULL;
    if (thread->at != first->at || thread->number != first->number || thread->count != first->count)
      *problem = "threads of a warp wait at different barriers";
  }
  return first;
}

/* Lets the warps go on that wait at a barrier for which enough have come. What is wrong, or NULL.
 * *some: whether any goes on. */
static const char *release(struct program *program, struct run *run, bool *some)
{
  struct thread *first[MOST_THREADS / WARP];
  uint32_t left = 0;
  const char *problem = NULL;
  *some = false;
  for (uint32_t w = 0; w < program->warps; w++) {
    bool over;
    first[w] = waiting_of(program, run, w, &over, &problem);
    left += !over;
  }
  for (uint32_t w = 0; w < program->warps && problem == NULL; w++) {
    if (first[w] == NULL)
      continue;
    const uint32_t number = first[w]->number, count = first[w]->count;
    if (number >= 16)
      return "there is no such barrier";
    if (program->lines[first[w]->at - 1].kind == ARRIVE) {
      if ((run->arrived[number].warps >> w & 1) != 0)
        return "a warp arrives twice in a round";
      if (run->arrived[number].warps != 0 && run->arrived[number].count != count)
        return "warps arrive at one barrier for different counts";
      run->arrived[number].warps |= UINT32_C(1) << w;
      run->arrived[number].count = count;
      for (uint32_t t = w * WARP; t < (w + 1) * WARP && t < program->threads; t++)
        run->threads[t].waits = false;
      uint32_t all = 0;
      for (uint32_t v = 0; v < program->warps; v++)
        all += run->arrived[number].warps >> v & 1;
      if (all == count / WARP)
        run->arrived[number].warps = 0;
      *some = true;
      return all > count / WARP ? "more warps arrive than are counted" : NULL;
    }
    uint32_t come = 0, votes = 0;
    for (uint32_t v = 0; v < program->warps; v++)
      come += run->arrived[number].warps >> v & 1;
    if (come > 0 && run->arrived[number].count != count)
      return "warps arrive and wait at one barrier for different counts";
    if (come > 0 && program->lines[first[w]->at - 1].kind == REDUCE)
      return "warps arrive at a barrier that reduces";
    if ((run->arrived[number].warps >> w & 1) != 0)
      return "a warp waits where it arrived in the round";
    for (uint32_t v = 0; v < program->warps; v++) {
      if (first[v] == NULL || first[v]->number != number ||
          program->lines[first[v]->at - 1].kind == ARRIVE)
        continue;
      come++;
      if (first[v]->count != count)
        problem = "warps wait at one barrier for different counts";
      if (program->lines[first[v]->at - 1].kind != program->lines[first[w]->at - 1].kind)
        problem = "warps wait at one barrier of two kinds";
    }
    const uint32_t wanted = count > 0 ? count / WARP : left;
    if (come > wanted)
      return "more warps have come to a barrier than it counts";
    if (come < wanted)
      continue;
    for (uint32_t pass = 0; pass < 2; pass++) {
      for (uint32_t t = 0; t < program->threads; t++) {
        struct thread *thread = &run->threads[t];
        const struct line *line = &program->lines[thread->at > 0 ? thread->at - 1 : 0];
        if (first[t / WARP] == NULL || !thread->waits || thread->number != number ||
            line->kind == ARRIVE)
          continue;
        votes += pass == 0 && line->kind == REDUCE && thread->predicate[line->a];
        thread->result = pass == 1 && line->kind == REDUCE ? votes : thread->result;
        thread->waits = pass == 0;
      }
    }
    run->arrived[number].warps = 0;
    *some = true;
    return problem;
  }
  return problem;
}

/* Does the next line of those lanes of a warp that are furthest behind: so all that are together
 * load at one time, and lanes that part meet where the code lets them. */
static void step_warp(struct program *program, struct run *run, uint32_t warp)
{
  const struct thread *first = NULL;
  for (uint32_t t = warp * WARP; t < (warp + 1) * WARP && t < program->threads; t++) {
    const struct thread *thread = &run->threads[t];
    if (!thread->ended && !thread->waits && (first == NULL || thread->at < first->at))
      first = thread;
  }
  if (first == NULL)
    return;
  const uint32_t at = first->at, back = first->back;
  run->written = draw(program, 6);
  for (uint32_t t = warp * WARP; t < (warp + 1) * WARP && t < program->threads; t++) {
    const struct thread *thread = &run->threads[t];
    if (!thread->ended && !thread->waits && thread->at == at && thread->back == back)
      step(program, run, t);
  }
}

/* Runs the warps of a block to their ends, or as far as steps go. */
static const char *run_once(struct program *program)
{
  static struct run run;
  run = (struct run){.index = draw(program, 4)};
  for (uint32_t w = 0; w < WORDS; w++)
    run.shared[w] = draw(program, 4);
  for (uint32_t t = 0; t < program->threads; t++) {
    struct thread *thread = &run.threads[t];
    /* What a warp has of reductions is one for all of its lanes. */
    thread->result = t % WARP == 0 ? draw(program, 4) : run.threads[t - 1].result;
    for (uint32_t r = 0; r < REGISTERS; r++)
      thread->value[r] = draw(program, 4);
    for (uint32_t p = 1; p < PREDICATES; p++)
      thread->predicate[p] = draw(program, 2);
  }
  const uint32_t favoured = draw(program, program->warps + 1);
  for (uint32_t steps = 0; steps < STEPS; steps++) {
    uint32_t ready[MOST_THREADS / WARP], count = 0, waiting = 0, busy = 0;
    for (uint32_t w = 0; w < program->warps; w++) {
      uint32_t runs = 0;
      for (uint32_t t = w * WARP; t < (w + 1) * WARP && t < program->threads; t++) {
        waiting += run.threads[t].waits;
        runs += !run.threads[t].ended && !run.threads[t].waits;
      }
      busy += runs > 0;
      if (runs > 0 && (w == favoured || draw(program, 4) == 0))
        ready[count++] = w;
    }
    if (busy == 0 || draw(program, 8) == 0) {
      bool some = false;
      const char *problem = release(program, &run, &some);
      if (problem != NULL || (busy == 0 && !some))
        return problem != NULL || waiting == 0 ? problem : "threads wait for ever";
    }
    for (uint32_t n = count > 0 ? 1 + draw(program, 12) : 0; n > 0; n--)
      step_warp(program, &run, ready[count - 1]);
  }
  return NULL;
}

/* ---- the claims ---- */

enum claim { NOTHING, OF_BLOCK, OF_GROUPS, IN_ROUNDS };

static enum claim claim_of(const struct program *program)
{
  static const struct wb_parameter_value values[] = {{.offset = 0, .value = PARAMETER}};
  const struct wb_launch launch = {
      .block = {program->block[0], program->block[1], program->block[2]},
      .grid = {4, 1, 1},
      .parameters = values,
      .parameter_count = 1};
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(bounded_free) struct bounded_function bounded = {0};
  warpbound_error error = {.message = ""};
  bool some, shown = false, reads_only;
  listing_of(87, program->text.data, &code);
  struct wb_function *function = &code.functions[0];
  if (!bounded_make_of_block(&code, function, &launch, &bounded))
    return NOTHING;
  assert_ok(wb_counted_barriers_mark(bounded.graph, &bounded.forest, &launch,
                                     function->instructions, &some, &error));
  if (!wb_function_counts_barriers(function)) {
    FREED_BY(wb_barrier_agreement_free) struct wb_barrier_agreement agreement;
    assert_ok(wb_barrier_agreement_find(bounded.graph, WB_ENDS_ALIKE, WB_COMPARED_BLOCK, NULL,
                                        &agreement, &error));
    return agreement.as_many ? OF_BLOCK : NOTHING;
  }
  const struct wb_group_question question = {
      .graph = bounded.graph, .forest = &bounded.forest, .launch = &launch};
  assert_ok(wb_barrier_groups_find(&question, function->instructions, &shown, &reads_only, &error));
  if (shown)
    return OF_GROUPS;
  assert_ok(wb_barrier_arrivals_find(&question, function->instructions, &shown, &error));
  return shown ? IN_ROUNDS : NOTHING;
}

TEST(claims_hold_of_every_run)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 4000);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  uint64_t of_block = 0, of_groups = 0, loads = 0, calls = 0, wide = 0, fail = 0, rounds = 0,
           parting = 0;
  for (uint64_t seed = first; seed < first + runs; seed++) {
    struct program program;
    draw_program(seed, &program);
    const enum claim claim = claim_of(&program);
    const char *problem = NULL;
    bool load = false;
    for (size_t l = 0; l < program.count; l++)
      load |= program.lines[l].kind == LOAD || program.lines[l].kind == RESULT;
    of_block += claim == OF_BLOCK;
    of_groups += claim == OF_GROUPS;
    loads += claim == OF_GROUPS && load;
    calls += claim == OF_GROUPS && program.call_count > 0;
    rounds += claim == IN_ROUNDS;
    parting += claim == IN_ROUNDS && strstr(program.text.data, "LDG") != NULL;
    wide += claim == OF_GROUPS && program.block[1] > 1;
    const int most = claim >= OF_GROUPS ? 6 : claim == OF_BLOCK ? 2 : seed % 4 == 0;
    for (int r = 0; r < most && problem == NULL; r++)
      problem = run_once(&program);
    fail += claim == NOTHING && problem != NULL;
    if (claim != NOTHING && problem != NULL)
      fail_msg("seed %" PRIu64 ": block %u,%u,%u: %s: %s", seed, program.block[0], program.block[1],
               program.block[2], problem, program.text.data);
    wb_text_free(&program.text);
  }
  print_message("# of %" PRIu64 " programs %" PRIu64 " have barriers of the block alone, %" PRIu64
                " have groups, %" PRIu64 " with loads or reductions, %" PRIu64
                " with calls, %" PRIu64 " with rows of threads, %" PRIu64 " (%" PRIu64
                " that load) pair up in rounds; of each fourth other one %" PRIu64
                " have a run that fails\n",
                runs, of_block, of_groups, loads, calls, wide, rounds, parting, fail);
  assert_true(of_groups > runs / 100 && of_block > runs / 50 && loads > runs / 200 &&
              calls > runs / 400 && wide > runs / 200 && rounds > runs / 200 &&
              parting > runs / 800 && fail > runs / 40);
}
