/* Whether all warps of a block pass the same barriers in the same order, or as many of the same
 * numbers at different places, or all threads of it, or of the launch, take one path, where the
 * code is said to show it: random structured programs of indices of threads and blocks, reductions
 * at barriers, shared memory, branches, loops and early ends are run by threads of two warps, in
 * any order between barriers. The threads share no code with src/: a line has the text of an
 * instruction and what it does. WARPBOUND_CROSS_RUNS: programs. */
#include "base/random.h"
#include "base/text.h"
#include "base/work_control.h"
#include "bounded_listing.h"
#include "cfg/simt_analysis.h"
#include "flow/barriers/barrier_agreement.h"
#include "unit.h"

#include <inttypes.h>

#define LINES 106
#define REGISTERS 4
#define PREDICATES 4
#define WARP 32
#define WARPS 2
#define THREADS (WARP * WARPS)
#define WORDS 3
#define STEPS 3000
#define ALWAYS PREDICATES
#define BLOCK_INDEX 2 /* number of a THREAD that is about the block */

enum kind {
  THREAD,
  NUMBER,
  PARAMETER,
  ADD,
  TEST_LESS,
  SYNC,
  REDUCE,
  RESULT,
  STORE,
  LOAD,
  GLOBAL, /* number 0: a word that others write; else one that nothing writes, as is said of it */
  JUMP,
  END,
  TEST_WARP,
  OTHER
};

struct line {
  enum kind kind;
  uint8_t guard; /* ALWAYS: none */
  bool unless;
  uint8_t a, b;
  uint32_t number; /* of a jump the line that it goes to */
};

struct program {
  struct wb_random random;
  struct line lines[LINES];
  struct wb_text text;
  size_t count;
  unsigned sm, depth, labels, scopes;
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

/* Writes the instruction; of a barrier, a test and an addition the text differs by architecture. */
static void write_kind(struct program *program, struct line line)
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

static struct line draw_line(struct program *program, enum kind kind)
{
  return (struct line){.kind = kind,
                       .guard = ALWAYS,
                       .unless = draw(program, 2),
                       .a = (uint8_t)draw(program, REGISTERS),
                       .b = (uint8_t)draw(program, REGISTERS),
                       .number = draw(program, WORDS)};
}

static void add_simple(struct program *program)
{
  struct line line = draw_line(program, (enum kind)draw(program, END + 1));
  if (line.kind == SYNC)
    line.b = line.number == 2;
  if (draw(program, 4) == 0)
    line.guard = (uint8_t)draw(program, PREDICATES);
  if (line.kind == JUMP || (line.kind == END && (line.guard == ALWAYS || draw(program, 3) > 0)))
    line.kind = SYNC;
  write_kind(program, line);
}

/* A test of what shared or global memory or the last reduction says; the predicate. */
static uint8_t add_question(struct program *program)
{
  struct line line = draw_line(program, draw(program, 3) > 0 ? LOAD : RESULT);
  const uint8_t number = line.a;
  struct line barrier = draw_line(program, draw(program, 2) == 0 ? SYNC : REDUCE);
  barrier.b = 0;
  if (draw(program, 3) == 0)
    barrier.guard = 0;
  if (draw(program, 3) > 0)
    write_kind(program, barrier);
  if (draw(program, 4) == 0) { /* or global memory, at one address */
    struct line address = draw_line(program, PARAMETER);
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
static void add_body(struct program *program)
{
  const struct line nothing = {.kind = OTHER, .guard = ALWAYS};
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
  struct line jump = draw_line(program, JUMP);
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
static void add_side(struct program *program, uint32_t barriers)
{
  for (uint32_t n = 1 + draw(program, 3); n > 0; n--) {
    struct line line = draw_line(program, (enum kind)draw(program, TEST_LESS + 1));
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
    struct line line = draw_line(program, SYNC);
    line.b = 0;
    write_kind(program, line);
  }
}

/* Two sides, mostly by which warp a thread is in, that mostly have as many barriers. */
static void add_sides(struct program *program)
{
  const struct line nothing = {.kind = OTHER, .guard = ALWAYS};
  const bool wide = program->sm >= 70;
  const unsigned label = program->labels++, scope = program->scopes++;
  const uint32_t barriers = draw(program, 3);
  struct line jump = draw_line(program, JUMP);
  struct line over = {.kind = JUMP, .guard = ALWAYS};
  char text[40];
  const uint32_t by = draw(program, 6);
  jump.guard = by == 0 ? add_question(program) : (uint8_t)draw(program, PREDICATES);
  if (by > 1) {
    struct line index = draw_line(program, THREAD), test = draw_line(program, TEST_WARP);
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

static void draw_program(uint64_t seed, unsigned sm, struct program *program)
{
  *program = (struct program){.random = {seed}, .sm = sm};
  if (draw(program, 2) == 0) { /* all agree on P0 */
    struct line line = draw_line(program, PARAMETER);
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
  program->lines[program->count++] = (struct line){.kind = OTHER, .guard = ALWAYS};
  program->lines[program->count++] = (struct line){.kind = END, .guard = ALWAYS};
}

/* ---- ends anywhere ---- */

/* Places from which threads leave for the end of the code. */
struct leaves {
  size_t lines[LINES];
  size_t count;
};

/* Some lines with a predicate that threads differ in, mostly by warps. */
static uint8_t add_parting(struct program *program)
{
  struct line index = draw_line(program, THREAD), test = draw_line(program, TEST_WARP);
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

static void add_leave(struct program *program, struct leaves *leaves)
{
  const bool ends = draw(program, 3) == 0;
  struct line line = draw_line(program, ends ? END : JUMP);
  line.guard = add_parting(program);
  if (!ends)
    leaves->lines[leaves->count++] = program->count;
  write(program, line, ends ? "EXIT" : "BRA done");
}

static void add_pieces(struct program *program, struct leaves *leaves, uint32_t count);

/* A barrier that threads pass where memory or a reduction says so. */
static void add_asked_barrier(struct program *program)
{
  struct line jump = draw_line(program, JUMP);
  const unsigned label = program->labels++;
  char text[40];
  jump.guard = add_question(program);
  jump.number = (uint32_t)program->count + 2;
  snprintf(text, sizeof text, "BRA mid%u", label);
  write(program, jump, text);
  struct line barrier = draw_line(program, SYNC);
  barrier.b = draw(program, 3) == 0;
  write_kind(program, barrier);
  wb_text_format(&program->text, "mid%u:; ", label);
}

/* A loop without a scope, which threads leave at its end or from within. */
static void add_turns(struct program *program, struct leaves *leaves)
{
  const unsigned label = program->labels++;
  struct line jump = draw_line(program, JUMP);
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

static void add_pieces(struct program *program, struct leaves *leaves, uint32_t count)
{
  const struct line nothing = {.kind = OTHER, .guard = ALWAYS};
  for (; count > 0 && program->count + 40 < LINES; count--) {
    const uint32_t kind = draw(program, 12);
    if (kind < 2 && program->depth < 2)
      add_turns(program, leaves);
    else if (kind < 4)
      add_leave(program, leaves);
    else if (kind < 5)
      draw(program, 2) == 0 ? add_body(program) : add_asked_barrier(program);
    else if (kind < 6)
      add_sides(program);
    else if (kind < 9) {
      struct line barrier = draw_line(program, draw(program, 8) == 0 ? REDUCE : SYNC);
      barrier.b = draw(program, 3) == 0;
      if (draw(program, 4) > 0)
        write(program, nothing, "WARPSYNC 0xffffffff");
      write_kind(program, barrier);
    } else {
      add_simple(program);
    }
  }
}

/* Loops with barriers and ways to the end from anywhere. */
static void draw_leaving(uint64_t seed, struct program *program)
{
  struct leaves leaves = {.count = 0};
  *program = (struct program){.random = {seed}, .sm = 87};
  struct line line = draw_line(program, PARAMETER);
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
               draw_line(program, draw(program, 2) == 0 ? STORE : (enum kind)draw(program, STORE)));
  if (draw(program, 6) == 0)
    add_simple(program);
  wb_text_format(&program->text, "NOP");
  program->lines[program->count++] = (struct line){.kind = OTHER, .guard = ALWAYS};
  program->lines[program->count++] = (struct line){.kind = END, .guard = ALWAYS};
}

/* ---- threads ---- */

struct thread {
  uint32_t at, value[REGISTERS], result, passed;
  uint64_t path; /* of the lines that it came to */
  bool predicate[PREDICATES + 1], waits, ended;
};

struct block {
  struct thread threads[THREADS];
  uint32_t shared[WORDS], parameter, index, written;
};

/* What is in memory that others write. */
static uint32_t next_word(struct block *block)
{
  block->written = block->written * 5 + 1;
  return block->written >> 4 & 7;
}

static void step(const struct program *program, struct block *block, uint32_t number)
{
  struct thread *thread = &block->threads[number];
  const struct line *line = &program->lines[thread->at++];
  thread->path = (thread->path ^ thread->at) * UINT64_C(0x9e3779b97f4a7c15);
  if (line->guard < ALWAYS && thread->predicate[line->guard] == line->unless)
    return;
  switch (line->kind) {
  case THREAD:
    thread->value[line->a] = line->number == BLOCK_INDEX ? block->index : number;
    break;
  case NUMBER:
    thread->value[line->a] = line->number;
    break;
  case GLOBAL:
    thread->value[line->a] =
        line->number > 0 ? (thread->value[line->b] * 7 + 3) % 6 : next_word(block);
    break;
  case PARAMETER:
    thread->value[line->a] = block->parameter;
    break;
  case ADD:
    thread->value[line->a] = thread->value[line->b] + line->number;
    break;
  case TEST_LESS:
    thread->predicate[line->a] = (int32_t)thread->value[line->b] < (int32_t)(2 * line->number);
    break;
  case TEST_WARP:
    thread->predicate[line->a] = (int32_t)thread->value[line->b] < WARP;
    break;
  case RESULT:
    thread->value[line->a] = thread->result;
    break;
  case STORE:
    block->shared[line->number] = thread->value[line->a];
    break;
  case LOAD:
    thread->value[line->a] = block->shared[line->number];
    break;
  case JUMP:
    thread->at = line->number;
    break;
  case END:
    thread->ended = true;
    break;
  case SYNC:
  case REDUCE:
    thread->waits = true;
    break;
  default:
    break;
  }
}

/* What is said of a program: that all warps pass the same barriers, or as many, and that all of a
 * block, or of the launch, take one path. */
struct claim {
  bool same, as_many, same_path, launch_path;
  enum wb_early_ends early_ends;
};

/* What stands at the barrier that threads wait at; NULL where they pass it alike. */
static const char *release(const struct program *program, struct block *block, struct claim claim)
{
  const struct thread *first = NULL;
  uint32_t count = 0;
  for (uint32_t t = 0; t < THREADS; t++) {
    struct thread *thread = &block->threads[t];
    if (!thread->waits)
      continue;
    const struct line *line = &program->lines[thread->at - 1];
    first = first != NULL ? first : thread;
    count += line->kind == REDUCE && thread->predicate[line->a];
    if ((claim.same && thread->at != first->at) || thread->passed != first->passed)
      return "threads wait at different barriers";
    if (line->b % 2 != program->lines[first->at - 1].b % 2 ||
        line->kind != program->lines[first->at - 1].kind)
      return "threads wait at barriers of different numbers or kinds";
  }
  for (uint32_t w = 0; w < WARPS && first != NULL; w++) {
    uint32_t waiting = 0, passed = 0;
    for (uint32_t t = w * WARP; t < (w + 1) * WARP; t++) {
      waiting += block->threads[t].waits;
      passed |= block->threads[t].passed;
    }
    if (waiting == 0 &&
        (claim.early_ends == WB_ENDS_ALIKE || (claim.early_ends == WB_ENDS_FIRST && passed > 0)))
      return "a warp ended before a barrier that another passes";
  }
  for (uint32_t t = 0; t < THREADS; t++) {
    struct thread *thread = &block->threads[t];
    if (!thread->waits)
      continue;
    if (program->lines[thread->at - 1].kind == REDUCE)
      thread->result = count;
    thread->waits = false;
    thread->passed++;
  }
  return NULL;
}

/* What the blocks of a launch have in common, when one of them has been run. */
struct launch {
  uint32_t parameter;
  uint64_t path; /* of the first thread of a block; 0: no block has ended */
};

/* What stands at the ends of all threads, which are said to take one path; or NULL. */
static const char *compare_paths(const struct block *block, struct claim claim,
                                 struct launch *launch)
{
  if (claim.launch_path && launch->path != 0 && block->threads[0].path != launch->path)
    return "threads of two blocks take different paths";
  launch->path = block->threads[0].path;
  for (uint32_t t = 1; t < THREADS; t++)
    if (block->threads[t].path != block->threads[0].path)
      return "threads take different paths";
  return NULL;
}

/* Runs the threads of a block to their ends, or as far as steps go. */
static const char *run(struct program *program, struct claim claim, struct launch *launch)
{
  static struct block block;
  block = (struct block){.parameter = launch->parameter, .index = draw(program, 6)};
  for (uint32_t w = 0; w < WORDS; w++)
    block.shared[w] = draw(program, 4);
  for (uint32_t t = 0; t < THREADS; t++) {
    struct thread *thread = &block.threads[t];
    thread->result = draw(program, 4);
    for (uint32_t r = 0; r < REGISTERS; r++)
      thread->value[r] = draw(program, 4);
    for (uint32_t p = 0; p < PREDICATES; p++)
      thread->predicate[p] = draw(program, 2);
  }
  for (uint32_t steps = 0; steps < STEPS;) {
    uint32_t ready[THREADS], count = 0, waiting = 0;
    for (uint32_t t = 0; t < THREADS; t++) {
      waiting += block.threads[t].waits;
      if (!block.threads[t].ended && !block.threads[t].waits)
        ready[count++] = t;
    }
    if (count == 0) {
      const char *problem = release(program, &block, claim);
      if (problem != NULL || waiting == 0)
        return problem != NULL || !claim.same_path ? problem : compare_paths(&block, claim, launch);
      steps++;
      continue;
    }
    const uint32_t chosen = ready[draw(program, count)];
    for (uint32_t n = 1 + draw(program, 12); n > 0; n--, steps++)
      if (!block.threads[chosen].ended && !block.threads[chosen].waits)
        step(program, &block, chosen);
  }
  return NULL;
}

/* ---- the claims ---- */

/* What the code is said to show; nothing where the analysis refuses the code. */
static struct claim claim_of(const struct program *program, enum wb_early_ends early_ends)
{
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_simt_options options = {.block = {THREADS, 1, 1}};
  struct wb_simt_analysis *analysis = NULL;
  FREED_BY(wb_code_free) struct wb_code code;
  warpbound_error error = {.message = ""};
  listing_of(program->sm, program->text.data, &code);
  struct claim claim = {.early_ends = early_ends};
  if (wb_simt_analyse(&code, &code.functions[0], &options, &control, &analysis, &error) ==
      WARPBOUND_OK) {
    FREED_BY(wb_barrier_agreement_free) struct wb_barrier_agreement agreement;
    bool unchanged[LINES + 1] = {false};
    for (size_t l = 0; l < program->count; l++)
      unchanged[l] = program->lines[l].kind == GLOBAL && program->lines[l].number > 0;
    assert_ok(wb_barrier_agreement_find(wb_simt_analysis_graph(analysis), early_ends,
                                        WB_COMPARED_BLOCK, unchanged, &agreement, &error));
    claim.same = agreement.agreed;
    claim.as_many = agreement.as_many;
    claim.same_path = agreement.same_path;
    wb_barrier_agreement_free(&agreement);
    assert_ok(wb_barrier_agreement_find(wb_simt_analysis_graph(analysis), early_ends,
                                        WB_COMPARED_LAUNCH, unchanged, &agreement, &error));
    claim.launch_path = agreement.same_path;
    assert_true(claim.same_path || !claim.launch_path);
  }
  wb_simt_analysis_free(analysis);
  return claim;
}

TEST(claims_hold_of_every_run)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 4000);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  uint64_t claims = 0, by_result = 0, by_shared = 0, as_many = 0, same_paths = 0;
  uint64_t of_launch = 0, by_global = 0;
  for (uint64_t seed = first; seed < first + runs; seed++) {
    struct program program;
    draw_program(seed, seed % 3 == 0 ? 52 : 87, &program);
    const struct claim claim = claim_of(&program, seed % 3 == 1 ? WB_ENDS_FIRST : WB_ENDS_ALIKE);
    if (claim.as_many) {
      bool result = false, shared = false, global = false, jumps = false;
      for (size_t l = 0; l < program.count; l++) {
        result |= program.lines[l].kind == RESULT;
        shared |= program.lines[l].kind == LOAD;
        global |= program.lines[l].kind == GLOBAL && program.lines[l].number > 0;
        jumps |= program.lines[l].kind == JUMP;
      }
      claims += claim.same;
      as_many += !claim.same;
      same_paths += claim.same_path && jumps;
      of_launch += claim.launch_path && jumps;
      by_result += claim.same && result;
      by_shared += claim.same && shared;
      by_global += claim.same && global;
      struct launch launch = {.parameter = draw(&program, 6)};
      for (int r = 0; r < 4; r++) {
        if (!claim.launch_path)
          launch.parameter = draw(&program, 6);
        const char *problem = run(&program, claim, &launch);
        if (problem != NULL)
          fail_msg("seed %" PRIu64 ": %s: %s", seed, problem, program.text.data);
      }
    }
    wb_text_free(&program.text);
  }
  print_message(
      "# of %" PRIu64 " programs %" PRIu64 " are claimed, %" PRIu64 " with results, %" PRIu64
      " with shared memory, %" PRIu64 " with global memory that nothing writes; of %" PRIu64
      " that warps pass as many, of %" PRIu64 " with jumps that threads of a block take one "
      "path, of %" PRIu64 " those of the launch\n",
      runs, claims, by_result, by_shared, by_global, as_many, same_paths, of_launch);
  assert_true(by_result > runs / 200 && by_shared > runs / 200 && by_global > runs / 200 &&
              as_many > runs / 200 && same_paths > runs / 200 && of_launch > runs / 400);
}

/* Threads end anywhere, and each passes the first barriers of one sequence. */
TEST(ends_anywhere)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 4000);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  uint64_t same = 0, as_many = 0, alone = 0, turns = 0;
  for (uint64_t seed = first; seed < first + runs; seed++) {
    struct program program;
    draw_leaving(seed, &program);
    const struct claim claim = claim_of(&program, WB_ENDS_ANYWHERE);
    if (claim.as_many) {
      bool barriers = false, back = false;
      for (size_t l = 0; l < program.count; l++) {
        barriers |= program.lines[l].kind == SYNC || program.lines[l].kind == REDUCE;
        back |= program.lines[l].kind == JUMP && program.lines[l].number <= l;
      }
      same += claim.same && barriers;
      as_many += !claim.same;
      const bool others =
          claim_of(&program, WB_ENDS_FIRST).same || claim_of(&program, WB_ENDS_ALIKE).as_many;
      alone += !others;
      turns += !others && back;
      struct launch launch = {.parameter = 0};
      for (int r = 0; r < 4; r++) {
        launch.parameter = draw(&program, 6);
        const char *problem = run(&program, claim, &launch);
        if (problem != NULL)
          fail_msg("seed %" PRIu64 ": %s: %s", seed, problem, program.text.data);
      }
    }
    wb_text_free(&program.text);
  }
  print_message("# of %" PRIu64 " programs with ends anywhere %" PRIu64
                " pass the first barriers of one sequence at the same places, %" PRIu64
                " as many; of %" PRIu64 " nothing else shows it, %" PRIu64 " with loops\n",
                runs, same, as_many, alone, turns);
  assert_true(same > runs / 20 && as_many > runs / 200 && alone > runs / 50 && turns > runs / 200);
}
