/* Whether no barrier waits for ever where the code is said to show it of barriers that groups of a
 * block's warps pass by themselves (flow/barriers/barrier_groups.h): random structured programs of
 * four warps, with counts that fit and such that do not, are run warp by warp in any order. All
 * lanes of a warp hold the same here: a claim that fails in such a run is wrong. The runs share no
 * code with src/: a line has the text of an instruction and what it does. WARPBOUND_CROSS_RUNS:
 * programs. */
#include "base/random.h"
#include "base/text.h"
#include "bounded_listing.h"
#include "flow/barriers/barrier_groups.h"
#include "flow/barriers/counted_barriers.h"
#include "unit.h"

#include <inttypes.h>

#define LINES 120
#define WARPS 4
#define WARP 32
#define NUMBERS 6 /* of barriers */
#define STEPS 4000
#define PARAMETER 3
#define ALWAYS 4 /* no guard */

/* Registers: R0 has the thread's index, R1 the parameter, R2 a number that some line computes, R5
 * and R6 count turns. P0 is of threads below the split, P1 of the parameter, P2 and P3 of what
 * lines before them say. */
enum kind { SYNC, TEST_THREAD, TEST_LOADED, NUMBER, JUMP, END, ZERO, COUNT, TEST_COUNT, OTHER };

struct line {
  enum kind kind;
  uint8_t guard;
  bool unless, by_register;
  uint8_t number, count; /* of a barrier, and of how many warps; 0: of the block */
  uint32_t value;        /* of a jump the line that it goes to */
};

struct program {
  struct wb_random random;
  struct line lines[LINES];
  struct wb_text text;
  size_t count;
  uint32_t split; /* warps below P0's */
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

static void write_plain(struct program *program, enum kind kind, const char *text)
{
  write(program, (struct line){.kind = kind, .guard = ALWAYS}, text);
}

/* A barrier of the warps on the side of the split, or of all; now and then of others. */
static void add_barrier(struct program *program, unsigned side)
{
  struct line line = {.kind = SYNC, .guard = ALWAYS, .by_register = draw(program, 6) == 0};
  char text[60], number[20], count[20] = "";
  line.number = (uint8_t)(side == 2 ? 0 : 1 + side + (draw(program, 5) == 0 ? 2 : 0));
  line.count = (uint8_t)(side == 0 ? program->split : side == 1 ? WARPS - program->split : 0);
  if (side == 2 && draw(program, 3) == 0)
    line.count = WARPS;
  if (draw(program, 24) == 0)
    line.number = (uint8_t)draw(program, NUMBERS);
  if (draw(program, 24) == 0)
    line.count = (uint8_t)draw(program, WARPS + 1);
  if (draw(program, 40) == 0) {
    line.guard = (uint8_t)draw(program, ALWAYS);
    line.unless = draw(program, 2);
  }
  line.by_register &= side < 2;
  if (line.count > 0)
    snprintf(count, sizeof count, ", 0x%x", line.count * WARP);
  snprintf(number, sizeof number, line.by_register ? "R2" : "0x%x", line.number);
  snprintf(text, sizeof text, "BAR.SYNC %s%s", number, count);
  write(program, line, text);
}

/* The number of a barrier by which half a thread is in: R2 = 1 + the index of its pair of warps. */
static void add_number(struct program *program)
{
  write_plain(program, OTHER, "SHF.R.U32.HI R2, RZ, 0x6, R0");
  write_plain(program, NUMBER, "IADD3 R2, R2, 0x1, RZ");
}

static void add_test(struct program *program)
{
  struct line line = {.guard = ALWAYS, .kind = draw(program, 2) == 0 ? TEST_THREAD : TEST_LOADED};
  char text[60];
  line.number = (uint8_t)(2 + draw(program, 2));
  line.value = draw(program, WARPS + 1);
  if (line.kind == TEST_LOADED)
    write_plain(program, OTHER, draw(program, 2) == 0 ? "LDG.E R4, [R8]" : "LDS R4, [RZ]");
  snprintf(text, sizeof text, "ISETP.LT.AND P%u, PT, R%u, 0x%x, PT", line.number,
           line.kind == TEST_LOADED ? 4 : 0, line.value * WARP);
  write(program, line, text);
}

static void add_pieces(struct program *program, unsigned side, uint32_t count);

/* Two sides of a choice; by the split they are those of the groups. */
static void add_choice(struct program *program, unsigned side)
{
  const unsigned label = program->labels++;
  const bool splits = side == 2 && draw(program, 3) > 0;
  struct line jump = {.kind = JUMP, .guard = splits ? 0 : 1 + (uint8_t)draw(program, 3)};
  char text[40];
  const size_t branch = program->count;
  snprintf(text, sizeof text, "BRA other%u", label);
  write(program, jump, text);
  program->depth++;
  add_pieces(program, splits ? 1 : side, draw(program, 4));
  const size_t out = program->count;
  snprintf(text, sizeof text, "BRA out%u", label);
  write_plain(program, JUMP, text);
  program->lines[branch].value = (uint32_t)program->count;
  wb_text_format(&program->text, "other%u:; ", label);
  add_pieces(program, splits ? 0 : side, draw(program, 4));
  program->depth--;
  program->lines[out].value = (uint32_t)program->count;
  wb_text_format(&program->text, "out%u:; ", label);
  write_plain(program, OTHER, "NOP");
}

/* Turns, by a counter and the parameter or a number, or as long as something that is loaded says.
 */
static void add_turns(struct program *program, unsigned side)
{
  const unsigned label = program->labels++, counter = 5 + program->depth % 2;
  struct line jump = {.kind = JUMP, .guard = 3};
  struct line line = {.guard = ALWAYS, .number = (uint8_t)counter};
  char text[60];
  const bool counted = draw(program, 6) > 0;
  line.kind = ZERO;
  snprintf(text, sizeof text, "MOV R%u, RZ", counter);
  write(program, line, text);
  jump.value = (uint32_t)program->count;
  wb_text_format(&program->text, "top%u:; ", label);
  program->depth++;
  add_pieces(program, side, 1 + draw(program, 3));
  program->depth--;
  line.kind = COUNT;
  snprintf(text, sizeof text, "IADD3 R%u, R%u, 0x1, RZ", counter, counter);
  write(program, line, text);
  line.kind = counted ? TEST_COUNT : TEST_LOADED;
  line.value = counted ? draw(program, 3) : 2;
  if (!counted) {
    line.number = 3;
    write_plain(program, OTHER, "LDG.E R4, [R8]");
    snprintf(text, sizeof text, "ISETP.LT.AND P3, PT, R4, 0x40, PT");
  } else if (line.value == 0) {
    snprintf(text, sizeof text, "ISETP.LT.AND P3, PT, R%u, R1, PT", counter);
  } else {
    snprintf(text, sizeof text, "ISETP.LT.AND P3, PT, R%u, 0x%x, PT", counter, line.value);
  }
  write(program, line, text);
  snprintf(text, sizeof text, "BRA top%u", label);
  write(program, jump, text);
}

static void add_pieces(struct program *program, unsigned side, uint32_t count)
{
  for (; count > 0 && program->count + 30 < LINES; count--) {
    const uint32_t kind = draw(program, 12);
    if (kind < 5)
      add_barrier(program, draw(program, 8) == 0 ? 2 : side);
    else if (kind < 8 && program->depth < 3)
      add_choice(program, side);
    else if (kind < 9 && program->depth < 2)
      add_turns(program, side);
    else if (kind < 11)
      add_test(program);
    else if (draw(program, 12) == 0)
      write(program, (struct line){.kind = END, .guard = (uint8_t)draw(program, ALWAYS)}, "EXIT");
    else
      write_plain(program, OTHER, draw(program, 2) == 0 ? "STS [RZ], R0" : "NOP");
  }
}

static void draw_program(uint64_t seed, struct program *program)
{
  char text[60];
  *program = (struct program){.random = {seed}};
  program->split = draw(program, 3) > 0 ? 2 : 1 + draw(program, 3);
  write_plain(program, OTHER, "S2R R0, SR_TID.X");
  write_plain(program, OTHER, "MOV R1, c[0x0][0x160]");
  struct line test = {.kind = TEST_THREAD, .guard = ALWAYS, .value = program->split};
  snprintf(text, sizeof text, "ISETP.LT.AND P0, PT, R0, 0x%x, PT", program->split * WARP);
  write(program, test, text);
  write_plain(program, OTHER, "ISETP.LT.AND P1, PT, R1, 0x2, PT");
  add_number(program);
  add_pieces(program, 2, 2 + draw(program, 6));
  wb_text_format(&program->text, "NOP");
  program->lines[program->count++] = (struct line){.kind = OTHER, .guard = ALWAYS};
  program->lines[program->count++] = (struct line){.kind = END, .guard = ALWAYS};
}

/* ---- runs ---- */

struct warp {
  uint32_t at, number, turns[7];
  bool predicate[ALWAYS], waits, ended;
  uint8_t barrier, count; /* where it waits: of which number, for how many warps */
};

static void step(struct program *program, struct warp *warp, uint32_t index)
{
  const struct line *line = &program->lines[warp->at++];
  if (line->guard < ALWAYS && warp->predicate[line->guard] == line->unless)
    return;
  switch (line->kind) {
  case SYNC:
    warp->waits = true;
    warp->barrier = line->by_register ? (uint8_t)warp->number : line->number;
    warp->count = line->count;
    break;
  case TEST_THREAD:
    warp->predicate[line->number] = index < line->value;
    break;
  case TEST_LOADED:
    warp->predicate[line->number] = draw(program, 2);
    break;
  case NUMBER:
    warp->number = index / 2 + 1;
    break;
  case JUMP:
    warp->at = line->value;
    break;
  case END:
    warp->ended = true;
    break;
  case ZERO:
    warp->turns[line->number] = 0;
    break;
  case COUNT:
    warp->turns[line->number]++;
    break;
  case TEST_COUNT:
    warp->predicate[3] = warp->turns[line->number] < (line->value == 0 ? PARAMETER : line->value);
    break;
  case OTHER:
    break;
  }
}

/* Lets the warps go on that wait at a barrier for which enough have come. What is wrong, or NULL.
 * *some: whether any goes on. */
static const char *release(struct warp *warps, bool *some)
{
  *some = false;
  for (uint8_t number = 0; number < NUMBERS; number++) {
    uint32_t come = 0, wanted = 0;
    for (uint32_t w = 0; w < WARPS; w++) {
      if (!warps[w].waits || warps[w].barrier != number)
        continue;
      const uint32_t count = warps[w].count > 0 ? warps[w].count : WARPS;
      if (come++ > 0 && count != wanted)
        return "warps wait at one barrier for different counts";
      wanted = count;
    }
    if (come == 0 || come < wanted)
      continue;
    if (come > wanted)
      return "more warps have come to a barrier than it counts";
    for (uint32_t w = 0; w < WARPS; w++)
      warps[w].waits = warps[w].waits && warps[w].barrier != number;
    *some = true;
  }
  return NULL;
}

/* Runs four warps to their ends, or as far as steps go. */
static const char *run(struct program *program)
{
  struct warp warps[WARPS] = {{.at = 0}};
  for (uint32_t w = 0; w < WARPS; w++)
    for (unsigned p = 1; p < ALWAYS; p++)
      warps[w].predicate[p] = p > 1 && draw(program, 2);
  for (uint32_t steps = 0; steps < STEPS; steps++) {
    uint32_t ready[WARPS], count = 0, waiting = 0;
    bool some;
    const char *problem = release(warps, &some);
    if (problem != NULL)
      return problem;
    for (uint32_t w = 0; w < WARPS; w++) {
      waiting += warps[w].waits;
      if (!warps[w].waits && !warps[w].ended)
        ready[count++] = w;
    }
    if (count == 0)
      return waiting > 0 ? "warps wait for ever" : NULL;
    const uint32_t chosen = ready[draw(program, count)];
    for (uint32_t n = 1 + draw(program, 8); n > 0; n--)
      if (!warps[chosen].waits && !warps[chosen].ended)
        step(program, &warps[chosen], chosen);
  }
  return NULL;
}

/* ---- the claims ---- */

/* What the code is said to show: that barriers make groups; *plain: all are of the block, which
 * says nothing here. */
static bool is_claimed(const struct program *program, bool *plain)
{
  static const struct wb_parameter_value values[] = {{.offset = 0, .value = PARAMETER}};
  const struct wb_launch launch = {
      .block = {WARPS * WARP, 1, 1}, .grid = {4, 1, 1}, .parameters = values, .parameter_count = 1};
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(bounded_free) struct bounded_function bounded = {0};
  warpbound_error error = {.message = ""};
  bool some, shown = false, reads_only;
  listing_of(87, program->text.data, &code);
  struct wb_function *function = &code.functions[0];
  *plain = false;
  if (!bounded_make_of_block(&code, function, &launch, &bounded))
    return false;
  assert_ok(wb_counted_barriers_mark(bounded.graph, &bounded.forest, &launch,
                                     function->instructions, &some, &error));
  *plain = !wb_function_counts_barriers(function);
  const struct wb_group_question question = {
      .graph = bounded.graph, .forest = &bounded.forest, .launch = &launch};
  if (!*plain)
    assert_ok(
        wb_barrier_groups_find(&question, function->instructions, &shown, &reads_only, &error));
  return shown;
}

TEST(claims_hold_of_every_run)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 4000);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  uint64_t claims = 0, plains = 0, jumps = 0, back = 0, fail = 0;
  for (uint64_t seed = first; seed < first + runs; seed++) {
    struct program program;
    bool plain;
    draw_program(seed, &program);
    const bool claimed = is_claimed(&program, &plain);
    bool jump = false, turn = false;
    for (size_t l = 0; l < program.count; l++) {
      jump |= program.lines[l].kind == JUMP;
      turn |= program.lines[l].kind == JUMP && program.lines[l].value <= l;
    }
    plains += plain;
    claims += claimed;
    jumps += claimed && jump;
    back += claimed && turn;
    const char *problem = NULL;
    for (int r = 0; r < 6 && !plain && problem == NULL; r++)
      problem = run(&program);
    fail += !claimed && problem != NULL;
    if (claimed && problem != NULL)
      fail_msg("seed %" PRIu64 ": %s: %s", seed, problem, program.text.data);
    wb_text_free(&program.text);
  }
  print_message("# of %" PRIu64 " programs %" PRIu64 " have groups whose barriers wait for none in "
                "vain, %" PRIu64 " with jumps, %" PRIu64 " with loops; %" PRIu64
                " others have a run that fails, %" PRIu64 " have barriers of the block alone\n",
                runs, claims, jumps, back, fail, plains);
  assert_true(claims > runs / 20 && back > runs / 100 && fail > runs / 4);
}
