#include "barrier_programs.h"

#include <stdio.h>

static void write(struct barrier_program *program, struct barrier_line line, const char *text)
{
  if (line.guard < ALWAYS)
    wb_text_format(&program->text, "@%sP%u ", line.unless ? "!" : "", line.guard);
  wb_text_format(&program->text, "%s; ", text);
  program->lines[program->count++] = line;
}

/* Writes the instruction; of a barrier, a test and an addition the text differs by architecture. */
static void write_kind(struct barrier_program *program, struct barrier_line line)
{
  char text[80];
  const char *const add = program->sm >= 70 ? "IADD3 R%u, R%u, 0x%x, RZ" : "IADD R%u, R%u, 0x%x";
  switch (line.kind) {
  case THREAD:
    snprintf(text, sizeof text, "S2R R%u, %s", line.a,
             line.number == BLOCK_INDEX ? "SR_CTAID.X" : "SR_TID.X");
    break;
  case NUMBER:
    snprintf(text, sizeof text, "MOV32I R%u, 0x%x", line.a, line.number);
    break;
  case PARAMETER:
    snprintf(text, sizeof text, "MOV R%u, c[0x0][0x160]", line.a);
    break;
  case ADD:
    snprintf(text, sizeof text, add, line.a, line.b, line.number);
    break;
  case TEST_LESS:
    snprintf(text, sizeof text, "ISETP.LT.AND P%u, PT, R%u, 0x%x, PT", line.a, line.b,
             2 * line.number);
    break;
  case TEST_WARP: /* of the index of a thread: which warp it is in */
    snprintf(text, sizeof text, "ISETP.LT.AND P%u, PT, R%u, 0x%x, PT", line.a, line.b, WARP);
    break;
  case SYNC:
    snprintf(text, sizeof text, "BAR.SYNC 0x%u", line.b % 2);
    break;
  case REDUCE:
    snprintf(text, sizeof text, "BAR.RED.POPC 0x0, P%u", line.a);
    break;
  case RESULT:
    snprintf(text, sizeof text, "B2R.RESULT R%u", line.a);
    break;
  case STORE:
    snprintf(text, sizeof text, "STS [0x%x], R%u", 4 * line.number, line.a);
    break;
  case LOAD:
    snprintf(text, sizeof text, "LDS R%u, [0x%x]", line.a, 4 * line.number);
    break;
  case GLOBAL:
    snprintf(text, sizeof text, "LDG R%u, [R%u]", line.a, line.b);
    break;
  default:
    snprintf(text, sizeof text, "EXIT");
    break;
  }
  if (program->sm >= 70 && line.kind == NUMBER)
    snprintf(text, sizeof text, "MOV R%u, 0x%x", line.a, line.number);
  write(program, line, text);
}

static struct barrier_line draw_line(struct barrier_program *program, enum barrier_kind kind)
{
  return (struct barrier_line){.kind = kind,
                               .guard = ALWAYS,
                               .unless = draw(program, 2),
                               .a = (uint8_t)draw(program, REGISTERS),
                               .b = (uint8_t)draw(program, REGISTERS),
                               .number = draw(program, WORDS)};
}

static void add_simple(struct barrier_program *program)
{
  struct barrier_line line = draw_line(program, (enum barrier_kind)draw(program, END + 1));
  if (line.kind == SYNC)
    line.b = line.number == 2;
  if (draw(program, 4) == 0)
    line.guard = (uint8_t)draw(program, PREDICATES);
  if (line.kind == JUMP || (line.kind == END && (line.guard == ALWAYS || draw(program, 3) > 0)))
    line.kind = SYNC;
  write_kind(program, line);
}

/* A test of what shared or global memory or the last reduction says; the predicate. */
static uint8_t add_question(struct barrier_program *program)
{
  struct barrier_line line = draw_line(program, draw(program, 3) > 0 ? LOAD : RESULT);
  const uint8_t number = line.a;
  struct barrier_line barrier = draw_line(program, draw(program, 2) == 0 ? SYNC : REDUCE);
  barrier.b = 0;
  if (draw(program, 3) == 0)
    barrier.guard = 0;
  if (draw(program, 3) > 0)
    write_kind(program, barrier);
  if (draw(program, 4) == 0) { /* or global memory, at one address */
    struct barrier_line address = draw_line(program, PARAMETER);
    line.kind = GLOBAL;
    line.b = address.a;
    write_kind(program, address);
  }
  write_kind(program, line);
  line = draw_line(program, TEST_LESS);
  line.b = number;
  line.number = 1;
  write_kind(program, line);
  return line.a;
}

/* A body that some threads skip, or do again; on Volta inside a scope, where they meet. */
static void add_body(struct barrier_program *program)
{
  const struct barrier_line nothing = {.kind = OTHER, .guard = ALWAYS};
  const bool loop = draw(program, 3) == 0, wide = program->sm >= 70;
  const unsigned label = program->labels++, scope = program->scopes++;
  char text[40];
  if (wide)
    snprintf(text, sizeof text, "BSSY B%u, end%u", scope, label);
  else
    snprintf(text, sizeof text, "SSY end%u", label);
  write(program, nothing, text);
  const bool asked = draw(program, 2) == 0;
  const uint8_t asked_of = !loop && asked ? add_question(program) : 0;
  const size_t branch = program->count;
  struct barrier_line jump = draw_line(program, JUMP);
  jump.guard = !loop && asked ? asked_of : (uint8_t)draw(program, PREDICATES);
  snprintf(text, sizeof text, "BRA mid%u", label);
  if (!loop)
    write(program, jump, text);
  else
    wb_text_format(&program->text, "mid%u:; ", label);
  program->depth++;
  for (uint32_t n = 1 + draw(program, 4); n > 0 && program->count + 26 < LINES; n--) {
    if (program->depth < 3 && draw(program, 4) == 0)
      add_body(program);
    else
      add_simple(program);
  }
  program->depth--;
  if (loop) {
    jump.number = (uint32_t)branch;
    if (asked)
      jump.guard = add_question(program);
    write(program, jump, text);
  } else {
    program->lines[branch].number = (uint32_t)program->count;
    wb_text_format(&program->text, "mid%u:; ", label);
  }
  snprintf(text, sizeof text, wide ? "BSYNC B%u" : "SYNC", scope);
  write(program, nothing, text);
  wb_text_format(&program->text, "end%u:; ", label);
  program->scopes--;
}

/* One side of a choice: some lines, and so many barriers. */
static void add_side(struct barrier_program *program, uint32_t barriers)
{
  for (uint32_t n = 1 + draw(program, 3); n > 0; n--) {
    struct barrier_line line = draw_line(program, (enum barrier_kind)draw(program, TEST_LESS + 1));
    if (draw(program, 4) == 0)
      line.kind = draw(program, 2) == 0 ? STORE : TEST_WARP;
    write_kind(program, line);
    if (barriers > 0 && draw(program, 2) == 0) {
      line = draw_line(program, draw(program, 20) == 0 ? REDUCE : SYNC);
      line.b = draw(program, 20) == 0;
      write_kind(program, line);
      barriers--;
    }
  }
  for (; barriers > 0; barriers--) {
    struct barrier_line line = draw_line(program, SYNC);
    line.b = 0;
    write_kind(program, line);
  }
}

/* Two sides, mostly by which warp a thread is in, that mostly have as many barriers. */
static void add_sides(struct barrier_program *program)
{
  const struct barrier_line nothing = {.kind = OTHER, .guard = ALWAYS};
  const bool wide = program->sm >= 70;
  const unsigned label = program->labels++, scope = program->scopes++;
  const uint32_t barriers = draw(program, 3);
  struct barrier_line jump = draw_line(program, JUMP);
  struct barrier_line over = {.kind = JUMP, .guard = ALWAYS};
  char text[40];
  const uint32_t by = draw(program, 6);
  jump.guard = by == 0 ? add_question(program) : (uint8_t)draw(program, PREDICATES);
  if (by > 1) {
    struct barrier_line index = draw_line(program, THREAD), test = draw_line(program, TEST_WARP);
    index.number = 0;
    test.b = index.a;
    jump.guard = test.a;
    write_kind(program, index);
    write_kind(program, test);
  }
  if (wide)
    snprintf(text, sizeof text, "BSSY B%u, end%u", scope, label);
  else
    snprintf(text, sizeof text, "SSY end%u", label);
  write(program, nothing, text);
  const size_t branch = program->count;
  snprintf(text, sizeof text, "BRA mid%u", label);
  write(program, jump, text);
  add_side(program, barriers);
  const size_t out = program->count;
  snprintf(text, sizeof text, wide ? "BRA out%u" : "SYNC", label);
  write(program, over, text);
  program->lines[branch].number = (uint32_t)program->count;
  wb_text_format(&program->text, "mid%u:; ", label);
  add_side(program, draw(program, 4) == 0 ? draw(program, 3) : barriers);
  program->lines[out].number = (uint32_t)program->count;
  if (wide)
    wb_text_format(&program->text, "out%u:; ", label);
  snprintf(text, sizeof text, wide ? "BSYNC B%u" : "SYNC", scope);
  write(program, nothing, text);
  wb_text_format(&program->text, "end%u:; ", label);
  program->scopes--;
}

void barrier_program_draw(uint64_t seed, unsigned sm, struct barrier_program *program)
{
  *program = (struct barrier_program){.random = {seed}, .sm = sm};
  if (draw(program, 2) == 0) { /* all agree on P0 */
    struct barrier_line line = draw_line(program, PARAMETER);
    line.a = line.b = 0;
    write_kind(program, line);
    line.kind = TEST_LESS;
    write_kind(program, line);
  }
  const bool sides = seed % 4 == 0;
  for (uint32_t n = sides ? 2 + draw(program, 4) : 3 + draw(program, 10);
       n > 0 && program->count + 30 < LINES; n--) {
    if (sides && draw(program, 2) == 0)
      add_sides(program);
    else if (sides && draw(program, 2) == 0)
      add_side(program, draw(program, 2));
    else if (draw(program, 3) == 0)
      add_body(program);
    else
      add_simple(program);
  }
  wb_text_format(&program->text, "NOP");
  program->lines[program->count++] = (struct barrier_line){.kind = OTHER, .guard = ALWAYS};
  program->lines[program->count++] = (struct barrier_line){.kind = END, .guard = ALWAYS};
}

/* ---- ends anywhere ---- */

/* Places from which threads leave for the end of the code. */
struct leaves {
  size_t lines[LINES];
  size_t count;
};

/* Some lines with a predicate that threads differ in, mostly by warps. */
static uint8_t add_parting(struct barrier_program *program)
{
  struct barrier_line index = draw_line(program, THREAD), test = draw_line(program, TEST_WARP);
  if (draw(program, 4) == 0)
    return (uint8_t)draw(program, PREDICATES);
  if (draw(program, 6) == 0)
    index.kind = PARAMETER;
  index.number = 0;
  test.b = index.a;
  if (draw(program, 3) == 0)
    test.kind = TEST_LESS;
  write_kind(program, index);
  write_kind(program, test);
  return test.a;
}

static void add_leave(struct barrier_program *program, struct leaves *leaves)
{
  const bool ends = draw(program, 3) == 0;
  struct barrier_line line = draw_line(program, ends ? END : JUMP);
  line.guard = add_parting(program);
  if (!ends)
    leaves->lines[leaves->count++] = program->count;
  write(program, line, ends ? "EXIT" : "BRA done");
}

static void add_pieces(struct barrier_program *program, struct leaves *leaves, uint32_t count);

/* A barrier that threads pass where memory or a reduction says so. */
static void add_asked_barrier(struct barrier_program *program)
{
  struct barrier_line jump = draw_line(program, JUMP);
  const unsigned label = program->labels++;
  char text[40];
  jump.guard = add_question(program);
  jump.number = (uint32_t)program->count + 2;
  snprintf(text, sizeof text, "BRA mid%u", label);
  write(program, jump, text);
  struct barrier_line barrier = draw_line(program, SYNC);
  barrier.b = draw(program, 3) == 0;
  write_kind(program, barrier);
  wb_text_format(&program->text, "mid%u:; ", label);
}

/* A loop without a scope, which threads leave at its end or from within. */
static void add_turns(struct barrier_program *program, struct leaves *leaves)
{
  const unsigned label = program->labels++;
  struct barrier_line jump = draw_line(program, JUMP);
  char text[40];
  jump.number = (uint32_t)program->count;
  wb_text_format(&program->text, "top%u:; ", label);
  program->depth++;
  add_pieces(program, leaves, 1 + draw(program, 4));
  program->depth--;
  jump.guard = draw(program, 4) == 0 ? 0 : add_parting(program);
  snprintf(text, sizeof text, "BRA top%u", label);
  write(program, jump, text);
}

/* A call of the function, with the address behind it. */
static void add_call(struct barrier_program *program)
{
  const struct barrier_line nothing = {.kind = OTHER, .guard = ALWAYS};
  char text[40];
  snprintf(text, sizeof text, "MOV R20, 0x%zx", 16 * (program->count + 2));
  write(program, nothing, text);
  program->calls[program->call_count++] = program->count;
  write(program, (struct barrier_line){.kind = CALL, .guard = ALWAYS}, "CALL.REL.NOINC function");
}

static void add_pieces(struct barrier_program *program, struct leaves *leaves, uint32_t count)
{
  const struct barrier_line nothing = {.kind = OTHER, .guard = ALWAYS};
  for (; count > 0 && program->count + 40 < LINES; count--) {
    const uint32_t kind = draw(program, 12);
    if (draw(program, 16) == 0)
      add_call(program);
    else if (kind < 2 && program->depth < 2)
      add_turns(program, leaves);
    else if (kind < 4)
      add_leave(program, leaves);
    else if (kind < 5)
      draw(program, 2) == 0 ? add_body(program) : add_asked_barrier(program);
    else if (kind < 6)
      add_sides(program);
    else if (kind < 9) {
      struct barrier_line barrier = draw_line(program, draw(program, 8) == 0 ? REDUCE : SYNC);
      barrier.b = draw(program, 3) == 0;
      if (draw(program, 4) > 0)
        write(program, nothing, "WARPSYNC 0xffffffff");
      write_kind(program, barrier);
    } else {
      add_simple(program);
    }
  }
}

/* The function that is called, behind an end: barriers, and ends. */
static void add_function(struct barrier_program *program)
{
  const struct barrier_line nothing = {.kind = OTHER, .guard = ALWAYS};
  write(program, (struct barrier_line){.kind = END, .guard = ALWAYS}, "EXIT");
  for (size_t c = 0; c < program->call_count; c++)
    program->lines[program->calls[c]].number = (uint32_t)program->count;
  wb_text_format(&program->text, "function:; ");
  for (uint32_t n = 1 + draw(program, 3); n > 0; n--) {
    const uint32_t kind = draw(program, 4);
    if (kind == 0) {
      struct barrier_line line = draw_line(program, END);
      line.guard = add_parting(program);
      write(program, line, "EXIT");
    } else if (kind == 1) {
      add_simple(program);
    } else {
      struct barrier_line barrier = draw_line(program, SYNC);
      barrier.b = draw(program, 3) == 0;
      if (draw(program, 4) > 0)
        write(program, nothing, "WARPSYNC 0xffffffff");
      write_kind(program, barrier);
    }
  }
  write(program, (struct barrier_line){.kind = RETURN, .guard = ALWAYS}, "RET.REL.NODEC R20 0x0");
}

/* Loops with barriers and ways to the end from anywhere. */
void barrier_program_leaving(uint64_t seed, struct barrier_program *program)
{
  struct leaves leaves = {.count = 0};
  *program = (struct barrier_program){.random = {seed}, .sm = 87};
  struct barrier_line line = draw_line(program, PARAMETER);
  line.a = line.b = 0;
  write_kind(program, line);
  line.kind = TEST_LESS;
  write_kind(program, line);
  add_pieces(program, &leaves, 3 + draw(program, 8));
  for (size_t l = 0; l < leaves.count; l++)
    program->lines[leaves.lines[l]].number = (uint32_t)program->count;
  wb_text_format(&program->text, "done:; ");
  for (uint32_t n = draw(program, 4); n > 0; n--)
    write_kind(program,
               draw_line(program,
                         draw(program, 2) == 0 ? STORE : (enum barrier_kind)draw(program, STORE)));
  if (draw(program, 6) == 0)
    add_simple(program);
  if (program->call_count > 0)
    add_function(program);
  wb_text_format(&program->text, "NOP");
  program->lines[program->count++] = (struct barrier_line){.kind = OTHER, .guard = ALWAYS};
  program->lines[program->count++] = (struct barrier_line){.kind = END, .guard = ALWAYS};
}
