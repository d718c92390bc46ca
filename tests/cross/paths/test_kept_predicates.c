/* Whether no branch parts lanes that is not said to, and all warps of a block pass as many
 * barriers, whole, where the code is said to show it: random structured programs that keep
 * predicates in bits of a register, with guards, choices, loops, calls and early ends, are run
 * group by group by two warps. Groups meet where a scope ends alone, and run in any order. The runs
 * share no code with src/: a line has the text of an instruction and what it does.
 * WARPBOUND_CROSS_RUNS: programs. */
#include "base/random.h"
#include "base/text.h"
#include "base/work_control.h"
#include "bounded_listing.h"
#include "cfg/simt_analysis.h"
#include "flow/barriers/barrier_agreement.h"
#include "unit.h"

#include <inttypes.h>

#define LINES 90
#define PREDICATES 4
#define ALWAYS PREDICATES
#define WARP 32
#define WARPS 2
#define THREADS (WARP * WARPS)
#define STEPS 4000
#define DEPTH 6
#define KEPT 9

enum kind {
  INDEX,
  OF_WARP,
  CONSTANT,
  BLOCK,
  LESS,
  ADD,
  AND,
  OR,
  XOR,
  MOVE,
  TEST,
  BARRIER,
  JUMP,
  OPEN,
  MEET,
  CALL,
  RETURN,
  END,
  OTHER
};

struct line {
  enum kind kind;
  uint8_t guard, a, b;
  bool unless;
  uint32_t number; /* of a jump or call the line that it goes to; of a scope its depth */
};

struct program {
  struct wb_random random;
  struct line lines[LINES];
  struct wb_text text;
  size_t count, calls[LINES], call_count;
  unsigned depth, labels;
};

static uint32_t draw(struct program *program, uint32_t bound)
{
  return (uint32_t)wb_random_below(&program->random, bound);
}

static void write(struct program *program, struct line line, const char *format, unsigned a,
                  unsigned b)
{
  if (line.guard < ALWAYS)
    wb_text_format(&program->text, "@%sP%u ", line.unless ? "!" : "", line.guard);
  char text[80];
  snprintf(text, sizeof text, format, a, b);
  wb_text_format(&program->text, "%s; ", text);
  program->lines[program->count++] = line;
}

/* A mask of one or two of four bits, or now and then of all others. */
static uint32_t draw_mask(struct program *program)
{
  const uint32_t mask = UINT32_C(1) << draw(program, 4) |
                        (draw(program, 4) == 0 ? UINT32_C(1) << draw(program, 4) : 0);
  return draw(program, 12) == 0 ? ~mask : mask;
}

static void add_test(struct program *program, uint8_t guard)
{
  struct line line = {.kind = TEST, .guard = guard, .unless = draw(program, 2)};
  line.a = (uint8_t)draw(program, 3);
  line.number = draw_mask(program);
  char text[80];
  snprintf(text, sizeof text, "LOP3.LUT P%%u, RZ, R%u, 0x%%x, RZ, 0xc0, !PT", KEPT);
  write(program, line, text, line.a, line.number);
}

static void add_simple(struct program *program)
{
  struct line line = {.guard = ALWAYS, .unless = draw(program, 2), .a = (uint8_t)draw(program, 3)};
  const uint32_t kind = draw(program, 16);
  const uint8_t guard = draw(program, 2) == 0 ? (uint8_t)draw(program, 3) : ALWAYS;
  char text[80];
  if (kind < 4) {
    line.kind = LESS;
    line.b = draw(program, 2) == 0 ? 0 : (uint8_t)(1 + draw(program, 2));
    line.guard = draw(program, 4) == 0 ? guard : ALWAYS;
    /* Between warps, and between lanes. */
    line.number = line.b > 0 ? draw(program, 5) : draw(program, 3) > 0 ? WARP : draw(program, 70);
    snprintf(text, sizeof text, "ISETP.LT.U32.AND P%%u, PT, R%u, 0x%%x, PT", line.b);
    write(program, line, text, line.a, line.number);
  } else if (kind < 11) {
    static const unsigned tables[] = {0xc0, 0xfc, 0x3c};
    const unsigned which = draw(program, 9) == 0 ? 2 : draw(program, 2);
    line.kind = which == 0 ? AND : which == 1 ? OR : XOR;
    line.guard = draw(program, 3) > 0 ? guard : ALWAYS;
    line.number = draw_mask(program);
    if (which == 0 && draw(program, 6) > 0)
      line.number = ~line.number;
    snprintf(text, sizeof text, "LOP3.LUT R%u, R%u, 0x%%x, RZ, 0x%%x, !PT", KEPT, KEPT);
    write(program, line, text, line.number, tables[which]);
  } else if (kind < 12 && draw(program, 2) == 0) {
    line.kind = OF_WARP;
    line.guard = draw(program, 2) == 0 ? guard : ALWAYS;
    write(program, line, "SHF.R.U32.HI R%u, RZ, 0x5, R%u", KEPT, 0);
  } else if (kind < 12) {
    line.kind = MOVE;
    line.guard = draw(program, 2) == 0 ? guard : ALWAYS;
    line.b = (uint8_t)draw(program, 3);
    write(program, line, "MOV R%u, R%u", KEPT, line.b);
  } else if (kind < 13) {
    line.kind = ADD;
    line.guard = guard;
    line.a = line.b = KEPT;
    line.number = 1;
    snprintf(text, sizeof text, "IADD3 R%u, R%u, 0x%%x, RZ", KEPT, KEPT);
    write(program, line, text, line.number, 0);
  } else {
    add_test(program, draw(program, 5) == 0 ? guard : ALWAYS);
  }
}

static void add_pieces(struct program *program, uint32_t count);

static void add_scope(struct program *program, enum kind kind, bool scoped, unsigned label)
{
  struct line line = {.kind = scoped ? kind : OTHER, .guard = ALWAYS, .number = program->depth};
  write(program, line,
        !scoped        ? "NOP"
        : kind == OPEN ? "BSSY B%u, end%u"
                       : "BSYNC B%u",
        program->depth, label);
}

static void add_choice(struct program *program)
{
  const unsigned label = program->labels++;
  const bool scoped = draw(program, 7) > 0;
  if (draw(program, 4) > 0)
    add_test(program, ALWAYS);
  const struct line last = program->lines[program->count - 1];
  const uint8_t asked = last.kind == TEST ? last.a : (uint8_t)draw(program, 3);
  add_scope(program, OPEN, scoped, label);
  struct line jump = {.kind = JUMP, .guard = asked, .unless = draw(program, 2)};
  const size_t branch = program->count;
  write(program, jump, "BRA other%u", label, 0);
  program->depth++;
  add_pieces(program, draw(program, 3));
  const size_t out = program->count;
  write(program, (struct line){.kind = JUMP, .guard = ALWAYS}, "BRA out%u", label, 0);
  program->lines[branch].number = (uint32_t)program->count;
  wb_text_format(&program->text, "other%u:; ", label);
  add_pieces(program, draw(program, 3));
  program->depth--;
  program->lines[out].number = (uint32_t)program->count;
  wb_text_format(&program->text, "out%u:; ", label);
  add_scope(program, MEET, scoped, label);
  wb_text_format(&program->text, "end%u:; ", label);
}

static void add_turns(struct program *program)
{
  const unsigned label = program->labels++, counter = 10 + program->depth;
  add_scope(program, OPEN, true, label);
  struct line line = {.kind = MOVE, .guard = ALWAYS, .a = (uint8_t)counter, .b = UINT8_MAX};
  write(program, line, "MOV R%u, RZ", counter, 0);
  struct line jump = {.kind = JUMP, .guard = 3, .number = (uint32_t)program->count};
  wb_text_format(&program->text, "top%u:; ", label);
  program->depth++;
  add_pieces(program, 1 + draw(program, 3));
  program->depth--;
  line = (struct line){.kind = ADD, .guard = ALWAYS, .number = 1};
  line.a = line.b = (uint8_t)counter;
  write(program, line, "IADD3 R%u, R%u, 0x1, RZ", counter, counter);
  line = (struct line){.kind = LESS, .guard = ALWAYS, .a = 3, .b = (uint8_t)counter};
  line.number = 1 + draw(program, 3);
  write(program, line, "ISETP.LT.U32.AND P3, PT, R%u, 0x%x, PT", counter, line.number);
  if (draw(program, 4) == 0) {
    /* Lanes leave by a bit of their own. */
    add_test(program, ALWAYS);
    struct line leave = {.kind = JUMP, .guard = program->lines[program->count - 1].a};
    leave.number = (uint32_t)program->count + 2;
    write(program, leave, "BRA left%u", label, 0);
  }
  write(program, jump, "BRA top%u", label, 0);
  wb_text_format(&program->text, "left%u:; ", label);
  add_scope(program, MEET, true, label);
  wb_text_format(&program->text, "end%u:; ", label);
}

static void add_call(struct program *program)
{
  write(program, (struct line){.kind = OTHER, .guard = ALWAYS}, "MOV R20, 0x%x",
        16 * ((unsigned)program->count + 2), 0);
  program->calls[program->call_count++] = program->count;
  write(program, (struct line){.kind = CALL, .guard = ALWAYS}, "CALL.REL.NOINC function", 0, 0);
}

static void add_pieces(struct program *program, uint32_t count)
{
  for (; count > 0 && program->count + 35 < LINES; count--) {
    const uint32_t kind = draw(program, 16);
    if (kind < 3)
      write(program, (struct line){.kind = BARRIER, .guard = ALWAYS}, "BAR.SYNC 0x0", 0, 0);
    else if (kind < 6 && program->depth < 3)
      add_choice(program);
    else if (kind < 7 && program->depth < 2)
      add_turns(program);
    else if (kind < 8 && draw(program, 3) == 0)
      add_call(program);
    else if (draw(program, 60) == 0)
      write(program, (struct line){.kind = END, .guard = (uint8_t)draw(program, 3)}, "EXIT", 0, 0);
    else
      add_simple(program);
  }
}

static void draw_program(uint64_t seed, struct program *program)
{
  *program = (struct program){.random = {seed}};
  write(program, (struct line){.kind = INDEX, .guard = ALWAYS}, "S2R R%u, SR_TID.X", 0, 0);
  write(program, (struct line){.kind = CONSTANT, .guard = ALWAYS}, "MOV R%u, c[0x0][0x160]", 1, 0);
  write(program, (struct line){.kind = BLOCK, .guard = ALWAYS}, "S2R R%u, SR_CTAID.X", 2, 0);
  if (draw(program, 3) > 0) {
    /* Bits that are numbers; P0 is one for each warp, P1 one for all. */
    char text[80];
    snprintf(text, sizeof text, "LOP3.LUT R%u, R%u, 0x%%x, RZ, 0xc0, !PT", KEPT, KEPT);
    write(program, (struct line){.kind = AND, .guard = ALWAYS, .number = 0xfffffff0}, text,
          0xfffffff0, 0);
    write(program, (struct line){.kind = LESS, .guard = ALWAYS, .number = WARP},
          "ISETP.LT.U32.AND P0, PT, R%u, 0x%x, PT", 0, WARP);
    write(program, (struct line){.kind = LESS, .guard = ALWAYS, .a = 1, .b = 1, .number = 2},
          "ISETP.LT.U32.AND P1, PT, R%u, 0x%x, PT", 1, 2);
  }
  add_pieces(program, 4 + draw(program, 8));
  write(program, (struct line){.kind = END, .guard = ALWAYS}, "EXIT", 0, 0);
  if (program->call_count > 0) {
    for (size_t c = 0; c < program->call_count; c++)
      program->lines[program->calls[c]].number = (uint32_t)program->count;
    wb_text_format(&program->text, "function:; ");
    for (uint32_t n = 1 + draw(program, 3); n > 0; n--)
      add_simple(program);
    write(program, (struct line){.kind = RETURN, .guard = ALWAYS}, "RET.REL.NODEC R20 0x0", 0, 0);
  }
  wb_text_format(&program->text, "NOP");
}

/* ---- runs ---- */

struct thread {
  uint32_t at, back, group, value[20], scope[DEPTH], meets;
  bool predicate[PREDICATES], waits, ended;
};

struct run {
  struct thread threads[THREADS];
  uint32_t parameter, index, names; /* of groups and scopes that there were */
};

/* What is said of a program. */
struct claim {
  bool as_many, same;
  bool parts[LINES]; /* by line: lanes may part there */
};

static void compute(const struct run *run, const struct line *line, struct thread *thread,
                    uint32_t number)
{
  uint32_t *value = thread->value;
  switch (line->kind) {
  case INDEX:
    value[0] = number;
    break;
  case OF_WARP:
    value[KEPT] = number / WARP;
    break;
  case CONSTANT:
    value[1] = run->parameter;
    break;
  case BLOCK:
    value[2] = run->index;
    break;
  case LESS:
    thread->predicate[line->a] = value[line->b] < line->number;
    break;
  case ADD:
    value[line->a] = value[line->b] + line->number;
    break;
  case AND:
    value[KEPT] &= line->number;
    break;
  case OR:
    value[KEPT] |= line->number;
    break;
  case XOR:
    value[KEPT] ^= line->number;
    break;
  case MOVE:
    value[line->b == UINT8_MAX ? line->a : KEPT] = line->b == UINT8_MAX ? 0 : value[line->b];
    break;
  case TEST:
    thread->predicate[line->a] = (value[KEPT] & line->number) != 0;
    break;
  default:
    break;
  }
}

/* Lets the lanes of a scope go on, as one group, if all of them have come to its end. */
static void meet(struct run *run, uint32_t warp, uint32_t depth, uint32_t scope)
{
  const uint32_t name = ++run->names;
  bool all = true;
  for (uint32_t pass = 0; pass < 2 && all; pass++) {
    for (uint32_t t = warp * WARP; t < (warp + 1) * WARP; t++) {
      struct thread *thread = &run->threads[t];
      if (thread->ended || thread->scope[depth] != scope)
        continue;
      all &= thread->meets == scope;
      if (pass == 0)
        continue;
      thread->meets = thread->scope[depth] = 0;
      thread->group = name;
      thread->at++;
    }
  }
}

/* Lanes that ended may have been the last ones that a scope waited for. */
static void meet_all(const struct program *program, struct run *run, uint32_t warp)
{
  for (uint32_t t = warp * WARP; t < (warp + 1) * WARP; t++) {
    const struct thread *thread = &run->threads[t];
    if (!thread->ended && thread->meets != 0)
      meet(run, warp, program->lines[thread->at].number, thread->meets);
  }
}

/* The next line of a group of a warp; what is wrong, or NULL. */
static const char *step(const struct program *program, const struct claim *claim, struct run *run,
                        uint32_t warp, uint32_t group)
{
  const struct line *line = NULL;
  const uint32_t name = ++run->names;
  uint32_t at = 0, done = 0, left = 0, outside = 0;
  for (uint32_t t = warp * WARP; t < (warp + 1) * WARP; t++) {
    struct thread *thread = &run->threads[t];
    if (thread->ended)
      continue;
    if (thread->group != group) {
      outside++;
      continue;
    }
    at = thread->at;
    line = &program->lines[at];
    if (line->guard < ALWAYS && thread->predicate[line->guard] == line->unless) {
      left++;
      thread->at++;
      continue;
    }
    done++;
    compute(run, line, thread, t);
    if (line->kind == OPEN)
      thread->scope[line->number] = name;
    if (line->kind == MEET)
      thread->meets = thread->scope[line->number];
    if (line->kind == CALL)
      thread->back = at + 1;
    thread->at = line->kind == JUMP || line->kind == CALL ? line->number
                 : line->kind == RETURN                   ? thread->back
                 : line->kind == MEET                     ? at
                                                          : at + 1;
    thread->waits = line->kind == BARRIER;
    thread->ended = line->kind == END;
    if (line->kind == JUMP && line->guard < ALWAYS)
      thread->group = name;
  }
  if (line->kind == MEET || line->kind == END)
    meet_all(program, run, warp);
  if (line->kind == JUMP && done > 0 && left > 0 && !claim->parts[at])
    return "lanes part where none does";
  return claim->as_many && line->kind == BARRIER && outside > 0
             ? "a barrier is passed by a part of a warp"
             : NULL;
}

/* Lets all go on where all that have not ended wait; *some: whether they do. */
static const char *release(const struct claim *claim, struct run *run, bool *some)
{
  const struct thread *first = NULL;
  const char *problem = NULL;
  *some = true;
  for (uint32_t t = 0; t < THREADS; t++) {
    const struct thread *thread = &run->threads[t];
    if (thread->ended)
      continue;
    *some &= thread->waits;
    first = first != NULL ? first : thread;
    if (claim->same && thread->at != first->at)
      problem = "threads wait at different places";
  }
  *some &= first != NULL;
  for (uint32_t t = 0; t < THREADS && *some; t++)
    run->threads[t].waits = false;
  return *some ? problem : NULL;
}

static const char *run_once(struct program *program, const struct claim *claim)
{
  static struct run run;
  run = (struct run){.index = draw(program, 4), .parameter = draw(program, 5)};
  for (uint32_t t = 0; t < THREADS; t++) {
    run.threads[t].group = t / WARP + 1;
    run.threads[t].value[KEPT] = draw(program, 16);
    for (uint32_t p = 0; p < PREDICATES; p++)
      run.threads[t].predicate[p] = draw(program, 2);
  }
  run.names = WARPS;
  for (uint32_t steps = 0; steps < STEPS; steps++) {
    uint32_t ready[THREADS], count = 0, waiting = 0;
    bool some;
    for (uint32_t t = 0; t < THREADS; t++) {
      const struct thread *thread = &run.threads[t];
      waiting += thread->waits;
      if (!thread->ended && !thread->waits && thread->meets == 0)
        ready[count++] = t;
    }
    if (count == 0) {
      const char *problem = release(claim, &run, &some);
      if (problem != NULL || !some)
        return problem == NULL && waiting > 0 && claim->as_many ? "threads wait for ever" : problem;
      continue;
    }
    const uint32_t chosen = ready[draw(program, count)];
    const char *problem = step(program, claim, &run, chosen / WARP, run.threads[chosen].group);
    if (problem != NULL)
      return problem;
  }
  return NULL;
}

/* ---- the claims ---- */

static void find_claim(const struct program *program, struct claim *claim)
{
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_simt_options options = {.block = {THREADS, 1, 1}};
  struct wb_simt_analysis *analysis = NULL;
  FREED_BY(wb_barrier_agreement_free) struct wb_barrier_agreement agreement;
  FREED_BY(wb_code_free) struct wb_code code;
  warpbound_error error = {.message = ""};
  listing_of(87, program->text.data, &code);
  if (wb_simt_analyse(&code, &code.functions[0], &options, &control, &analysis, &error) !=
      WARPBOUND_OK)
    fail_msg("%s: %s", error.message, program->text.data);
  const struct wb_warp_graph *graph = wb_simt_analysis_graph(analysis);
  assert_ok(
      wb_barrier_agreement_find(graph, WB_ENDS_ALIKE, WB_COMPARED_BLOCK, NULL, &agreement, &error));
  *claim = (struct claim){.as_many = agreement.as_many, .same = agreement.agreed};
  for (size_t p = 0; p < graph->divergence_point_count; p++)
    if (graph->divergence_points[p] < LINES)
      claim->parts[graph->divergence_points[p]] = true;
  wb_simt_analysis_free(analysis);
}

/* The branches by a bit that is tested before, of which no lanes part. */
static uint64_t branches_by_bits(const struct program *program, const struct claim *claim)
{
  uint64_t count = 0;
  for (size_t l = 2; l < program->count; l++)
    count += program->lines[l].kind == JUMP && program->lines[l].guard < 3 && !claim->parts[l] &&
             program->lines[l - 2].kind == TEST && program->lines[l - 1].kind == OPEN;
  return count;
}

TEST(claims_hold_of_every_run)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 4000);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  uint64_t claims = 0, branches = 0, fail = 0, barriers = 0;
  for (uint64_t seed = first; seed < first + runs; seed++) {
    struct program program;
    struct claim claim;
    const char *problem = NULL;
    draw_program(seed, &program);
    find_claim(&program, &claim);
    bool some = false;
    for (size_t l = 0; l < program.count; l++)
      some |= program.lines[l].kind == BARRIER;
    barriers += some;
    claims += some && claim.as_many;
    branches += branches_by_bits(&program, &claim);
    for (unsigned r = 0; r < 4 && problem == NULL; r++)
      problem = run_once(&program, &claim);
    if (problem != NULL)
      fail_msg("seed %" PRIu64 ": %s: %s", seed, problem, program.text.data);
    if (!claim.as_many && seed % 4 == 0) {
      claim.as_many = claim.same = true;
      for (unsigned r = 0; r < 2 && problem == NULL; r++)
        problem = run_once(&program, &claim);
      fail += problem != NULL;
    }
    wb_text_free(&program.text);
  }
  print_message("# of %" PRIu64 " programs %" PRIu64 " have barriers, %" PRIu64
                " pass as many; %" PRIu64 " branches by bits part no lanes; of each fourth other "
                "one %" PRIu64 " have a run that fails\n",
                runs, barriers, claims, branches, fail);
  assert_true(claims > runs / 8 && branches > runs / 20 && fail > runs / 40);
}
