/* Whether no barrier waits for ever where some warps of a block arrive and go on (BAR.ARV) and
 * others wait (flow/barriers/barrier_rounds.h, barrier_arrivals.h). Random histories of barriers
 * are searched in every order; random programs of four warps, each with its own code, with turns,
 * ways round and barriers that fit and such that do not, are run in any order. All lanes of a warp
 * hold the same here. The runs share no code with src/: a line has the text of an instruction and
 * what it does. WARPBOUND_CROSS_RUNS: histories and programs. */
#include "base/random.h"
#include "base/text.h"
#include "bounded_listing.h"
#include "flow/barriers/barrier_arrivals.h"
#include "flow/barriers/barrier_rounds.h"
#include "flow/barriers/counted_barriers.h"
#include "unit.h"

#include <inttypes.h>

#define WARPS 4
#define WARP 32
#define NUMBERS 5 /* of barriers: 0 is the block's */
#define ROUNDS 6
#define MOST 16 /* events of a warp */
#define ALWAYS 4
#define PARAMETER 3

/* ---- histories ---- */

struct history {
  struct wb_barrier_event events[MOST];
  size_t count;
};

struct histories {
  struct history warps[WARPS];
  uint32_t arrivals[WB_BARRIER_NUMBERS];
};

static uint32_t draw(struct wb_random *random, uint32_t bound)
{
  return (uint32_t)wb_random_below(random, bound);
}

/* One sequence of rounds for all warps, now and then with a mistake of one of them. */
static void draw_histories(struct wb_random *random, uint32_t rounds, struct histories *made)
{
  uint32_t members[NUMBERS], modes[NUMBERS];
  *made = (struct histories){.arrivals = {WARPS}};
  for (uint32_t n = 0; n < NUMBERS; n++) {
    members[n] = n == 0 ? 15 : 1 + draw(random, 15);
    modes[n] = n == 0 ? 15 : draw(random, 16);
    for (uint32_t w = 0; w < WARPS && n > 0; w++)
      made->arrivals[n] += members[n] >> w & 1;
  }
  for (uint32_t r = 0; r < rounds; r++) {
    const uint8_t number = (uint8_t)(draw(random, 10) == 0 ? 0 : 1 + draw(random, NUMBERS - 1));
    const uint32_t mode = number > 0 && draw(random, 6) == 0 ? draw(random, 16) : modes[number];
    for (uint32_t w = 0; w < WARPS; w++)
      if ((members[number] >> w & 1) != 0)
        made->warps[w].events[made->warps[w].count++] =
            (struct wb_barrier_event){number, mode >> w & 1};
  }
  for (uint32_t mistakes = draw(random, 3) == 0 ? 1 + draw(random, 2) : 0; mistakes > 0;
       mistakes--) {
    struct history *of = &made->warps[draw(random, WARPS)];
    const size_t at = of->count > 0 ? draw(random, (uint32_t)of->count) : 0;
    const uint32_t kind = draw(random, 5);
    if (of->count == 0)
      continue;
    if (kind == 0 && at + 1 < of->count) {
      const struct wb_barrier_event event = of->events[at];
      of->events[at] = of->events[at + 1];
      of->events[at + 1] = event;
    } else if (kind == 1 && of->events[at].number > 0) {
      of->events[at].waits = !of->events[at].waits;
    } else if (kind == 2) {
      of->events[at] = of->events[--of->count];
    } else if (kind == 3) {
      made->arrivals[of->events[at].number] = 1 + draw(random, WARPS);
    } else if (of->count < MOST && of->events[at].number > 0) {
      of->events[of->count++] = of->events[at];
    }
  }
}

/* ---- what a barrier does ---- */

struct barrier {
  uint32_t come, wanted; /* warps */
};

/* A warp comes to a barrier; what is wrong, or NULL. *complete: so many have come. */
static const char *come(struct barrier *barrier, uint32_t wanted, bool *complete)
{
  *complete = false;
  if (barrier->come > 0 && barrier->wanted != wanted)
    return "warps come to one barrier with different counts";
  barrier->wanted = wanted;
  *complete = ++barrier->come == wanted;
  if (*complete)
    barrier->come = 0;
  return NULL;
}

/* ---- every order ---- */

struct point {
  uint8_t next[WARPS];
  uint8_t arrived[NUMBERS];      /* warps: a set, of the present round */
  uint8_t times[WARPS][NUMBERS]; /* how often each warp has come */
  bool waits[WARPS];
};

#define TABLE 32768

struct orders {
  const struct histories *histories;
  struct point seen[TABLE];
  bool used[TABLE];
  size_t count;
  bool full;
};

static bool is_new(struct orders *orders, const struct point *point)
{
  uint64_t hash = UINT64_C(1469598103934665603);
  for (size_t b = 0; b < sizeof *point; b++)
    hash = (hash ^ ((const unsigned char *)point)[b]) * UINT64_C(1099511628211);
  size_t at = hash % TABLE;
  while (orders->used[at] && memcmp(&orders->seen[at], point, sizeof *point) != 0)
    at = (at + 1) % TABLE;
  if (orders->used[at])
    return false;
  orders->full |= ++orders->count > TABLE / 2;
  orders->used[at] = true;
  orders->seen[at] = *point;
  return true;
}

/* What goes wrong in some order of the steps behind a point: NULL for nothing. A barrier counts
 * arrivals, of whichever warps. */
static const char *search(struct orders *orders, const struct point *point)
{
  const struct histories *all = orders->histories;
  bool moved = false, waiting = false;
  if (orders->full || !is_new(orders, point))
    return NULL;
  for (uint32_t w = 0; w < WARPS; w++) {
    struct point after = *point;
    waiting |= point->waits[w];
    if (point->waits[w] || point->next[w] == all->warps[w].count)
      continue;
    moved = true;
    const struct wb_barrier_event *event = &all->warps[w].events[after.next[w]++];
    const uint8_t n = event->number;
    if ((after.arrived[n] >> w & 1) != 0)
      return "a warp comes twice in a round";
    after.arrived[n] = (uint8_t)(after.arrived[n] | 1U << w);
    after.times[w][n]++;
    after.waits[w] = event->waits;
    uint32_t arrived = 0;
    for (uint32_t v = 0; v < WARPS; v++)
      arrived += after.arrived[n] >> v & 1;
    if (arrived > all->arrivals[n])
      return "more warps have come than a barrier counts";
    if (arrived == all->arrivals[n]) {
      for (uint32_t v = 0; v < WARPS; v++) {
        if ((after.arrived[n] >> v & 1) != 0 && after.times[v][n] != after.times[w][n])
          return "arrivals of several rounds complete a barrier";
        if (after.waits[v] && all->warps[v].events[after.next[v] - 1].number == n)
          after.waits[v] = false;
      }
      after.arrived[n] = 0;
    }
    const char *problem = search(orders, &after);
    if (problem != NULL)
      return problem;
  }
  if (!moved)
    for (uint32_t n = 0; n < NUMBERS && !waiting; n++)
      waiting = point->arrived[n] != 0;
  return !moved && waiting ? "a warp waits for ever, or a round is not over" : NULL;
}

TEST(histories_hold_in_every_order)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 20000);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  struct orders *orders = must(calloc(1, sizeof *orders));
  uint64_t claims = 0, reused = 0, fail = 0, fine = 0, given_up = 0;
  for (uint64_t seed = first; seed < first + runs; seed++) {
    struct wb_random random = {seed};
    struct histories made;
    struct wb_barrier_history histories[WARPS];
    struct point start;
    bool again = false;
    draw_histories(&random, 1 + draw(&random, ROUNDS), &made);
    for (uint32_t w = 0; w < WARPS; w++)
      histories[w] = (struct wb_barrier_history){made.warps[w].events, made.warps[w].count};
    for (uint32_t w = 0; w < WARPS; w++)
      for (size_t e = 1; e < made.warps[w].count; e++)
        for (size_t f = 0; f < e; f++)
          again |= made.warps[w].events[e].number == made.warps[w].events[f].number &&
                   !made.warps[w].events[f].waits;
    const bool claimed = wb_barrier_rounds_hold(histories, WARPS, made.arrivals);
    memset(orders->used, 0, sizeof orders->used);
    memset(&start, 0, sizeof start);
    orders->histories = &made;
    orders->count = 0;
    orders->full = false;
    const char *problem = search(orders, &start);
    given_up += orders->full;
    claims += claimed;
    reused += claimed && again;
    fail += problem != NULL;
    fine += !claimed && problem == NULL && !orders->full;
    if (claimed && problem != NULL)
      fail_msg("seed %" PRIu64 ": %s", seed, problem);
  }
  free(orders);
  print_message("# of %" PRIu64 " histories %" PRIu64 " are claimed, %" PRIu64 " of them with an "
                "arrival before a later round; %" PRIu64 " fail in some order, %" PRIu64
                " in none and are not claimed, %" PRIu64 " have too many orders\n",
                runs, claims, reused, fail, fine, given_up);
  assert_true(claims > runs / 10 && reused > runs / 100 && fail > runs / 5 && fine < runs / 5);
}

/* ---- programs ---- */

#define LINES 400
#define STEPS 6000

/* R0 has the thread's index, R1 the parameter, R2 the number of a barrier, R4 what is loaded, R5
 * counts turns, R10 is one address for all lanes. P0 tells the warps, P1 is false, P2 is what is
 * loaded, P3 of turns. */
enum kind { SYNC, ARRIVE, TEST_THREAD, TEST_LOADED, JUMP, END, ZERO, COUNT, TEST_COUNT, OTHER };

struct line {
  enum kind kind;
  uint8_t guard;
  bool unless;
  uint8_t number, count;
  uint32_t value; /* of a jump the line that it goes to */
};

struct program {
  struct wb_random random;
  struct line lines[LINES];
  struct wb_text text;
  size_t count;
  unsigned labels;
};

static void write(struct program *program, struct line line, const char *text)
{
  if (line.guard < ALWAYS)
    wb_text_format(&program->text, "@%sP%u ", line.unless ? "!" : "", line.guard);
  wb_text_format(&program->text, "%s; ", text);
  assert_true(program->count < LINES);
  program->lines[program->count++] = line;
}

static void write_plain(struct program *program, enum kind kind, const char *text)
{
  write(program, (struct line){.kind = kind, .guard = ALWAYS}, text);
}

static void add_barrier(struct program *program, struct wb_barrier_event event, uint32_t arrivals)
{
  struct line line = {.kind = event.waits ? SYNC : ARRIVE,
                      .guard = ALWAYS,
                      .number = event.number,
                      .count = event.number > 0 ? (uint8_t)arrivals : 0};
  char text[60];
  const bool by_register = draw(&program->random, 5) == 0;
  if (draw(&program->random, 6) == 0) {
    line.guard = 1;
    line.unless = draw(&program->random, 30) > 0;
  }
  if (draw(&program->random, 150) == 0)
    line.guard = 2;
  if (line.count == 0) {
    write(program, line, "BAR.SYNC 0x0");
    return;
  }
  if (by_register) {
    snprintf(text, sizeof text, "MOV R2, 0x%x", line.number);
    write_plain(program, OTHER, text);
    snprintf(text, sizeof text, "BAR.%s R2, 0x%x", event.waits ? "SYNC" : "ARV", line.count * WARP);
  } else {
    snprintf(text, sizeof text, "BAR.%s 0x%x, 0x%x", event.waits ? "SYNC" : "ARV", line.number,
             line.count * WARP);
  }
  write(program, line, text);
}

/* A way round something, as what is loaded says. */
static void add_detour(struct program *program)
{
  const unsigned label = program->labels++;
  const bool scoped = draw(&program->random, 8) > 0;
  char text[60];
  struct line jump = {.kind = JUMP, .guard = 2};
  if (scoped) {
    snprintf(text, sizeof text, "BSSY B0, met%u", label);
    write_plain(program, OTHER, text);
  }
  write_plain(program, OTHER,
              draw(&program->random, 2) == 0 ? "LDG.E R4, [R8]" : "LDG.E R4, [R10]");
  write_plain(program, TEST_LOADED, "ISETP.LT.AND P2, PT, R4, 0x40, PT");
  const size_t branch = program->count;
  snprintf(text, sizeof text, "BRA over%u", label);
  write(program, jump, text);
  const uint32_t kind = draw(&program->random, 20);
  if (kind == 0)
    write_plain(program, COUNT, "IADD3 R5, R5, 0x1, RZ");
  else if (kind == 1)
    add_barrier(program, (struct wb_barrier_event){1, draw(&program->random, 2)}, 2);
  else if (kind == 2)
    write_plain(program, END, "EXIT");
  else
    write_plain(program, OTHER, "IADD3 R6, R6, 0x1, RZ");
  program->lines[branch].value = (uint32_t)program->count;
  wb_text_format(&program->text, "over%u:; ", label);
  if (scoped) {
    write_plain(program, OTHER, "BSYNC B0");
    wb_text_format(&program->text, "met%u:; ", label);
  }
  write_plain(program, OTHER, "NOP");
}

static void add_events(struct program *program, const struct histories *made, uint32_t warp)
{
  const struct history *of = &made->warps[warp];
  for (size_t e = 0; e < of->count; e++) {
    if (draw(&program->random, 12) == 0)
      add_detour(program);
    add_barrier(program, of->events[e], made->arrivals[of->events[e].number]);
  }
}

/* What a warp does: the body so many times, in turns or one after the other. */
static void add_role(struct program *program, const struct histories *begin,
                     const struct histories *body, uint32_t times, uint32_t warp)
{
  const unsigned label = program->labels++;
  char text[60];
  struct line jump = {.kind = JUMP, .guard = 3};
  add_events(program, begin, warp);
  if (draw(&program->random, 12) == 0)
    times = 1 + draw(&program->random, 3);
  if (draw(&program->random, 3) == 0) {
    for (uint32_t t = 0; t < times; t++)
      add_events(program, body, warp);
  } else {
    const bool by_parameter = times == PARAMETER && draw(&program->random, 2) == 0;
    write_plain(program, ZERO, "MOV R5, RZ");
    jump.value = (uint32_t)program->count;
    wb_text_format(&program->text, "top%u:; ", label);
    add_events(program, body, warp);
    write_plain(program, COUNT, "IADD3 R5, R5, 0x1, RZ");
    snprintf(text, sizeof text, "ISETP.LT.AND P3, PT, R5, 0x%x, PT", times);
    write(program, (struct line){.kind = TEST_COUNT, .guard = ALWAYS, .value = times},
          by_parameter ? "ISETP.LT.AND P3, PT, R5, R1, PT" : text);
    snprintf(text, sizeof text, "BRA top%u", label);
    write(program, jump, text);
  }
  write_plain(program, END, "EXIT");
}

static void draw_program(uint64_t seed, struct program *program)
{
  struct histories begin, body;
  char text[60];
  *program = (struct program){.random = {seed}};
  draw_histories(&program->random, 1 + draw(&program->random, 4), &body);
  begin = body;
  for (uint32_t w = 0; w < WARPS; w++)
    begin.warps[w].count = 0;
  /* Producers are told in advance that boxes are empty. */
  if (draw(&program->random, 2) == 0) {
    for (uint32_t w = 0; w < WARPS; w++)
      if (body.warps[w].count > 1)
        begin.warps[w].events[begin.warps[w].count++] = body.warps[w].events[0];
  }
  const uint32_t times = 1 + draw(&program->random, 3);
  write_plain(program, OTHER, "S2R R0, SR_TID.X");
  write_plain(program, OTHER, "MOV R1, c[0x0][0x160]");
  write_plain(program, OTHER, "MOV R10, c[0x0][0x168]");
  write_plain(program, OTHER, "MOV R11, c[0x0][0x16c]");
  write_plain(program, OTHER, "ISETP.LT.AND P1, PT, R1, 0x2, PT");
  for (uint32_t w = 0; w < WARPS; w++) {
    const size_t branch = program->count + 1;
    snprintf(text, sizeof text, "ISETP.GE.AND P0, PT, R0, 0x%x, PT", (w + 1) * WARP);
    write(program, (struct line){.kind = TEST_THREAD, .guard = ALWAYS, .value = w + 1}, text);
    snprintf(text, sizeof text, "BRA role%u", w + 1);
    write(program, (struct line){.kind = JUMP, .guard = 0}, text);
    add_role(program, &begin, &body, times, w);
    program->lines[branch].value = (uint32_t)program->count;
    wb_text_format(&program->text, "role%u:; ", w + 1);
  }
  wb_text_format(&program->text, "NOP");
  program->lines[program->count++] = (struct line){.kind = OTHER, .guard = ALWAYS};
  program->lines[program->count++] = (struct line){.kind = END, .guard = ALWAYS};
}

/* ---- runs ---- */

struct warp {
  uint32_t at, turns;
  bool predicate[ALWAYS], waits, ended;
  uint8_t barrier;
};

struct block {
  struct warp warps[WARPS];
  struct barrier barriers[NUMBERS];
};

static const char *step(struct program *program, struct block *block, uint32_t index)
{
  struct warp *warp = &block->warps[index];
  const struct line *line = &program->lines[warp->at++];
  if (line->guard < ALWAYS && warp->predicate[line->guard] == line->unless)
    return NULL;
  switch (line->kind) {
  case SYNC:
  case ARRIVE: {
    bool complete;
    warp->waits = line->kind == SYNC;
    warp->barrier = line->number;
    const char *problem =
        come(&block->barriers[line->number], line->count > 0 ? line->count : WARPS, &complete);
    for (uint32_t w = 0; w < WARPS && complete; w++)
      block->warps[w].waits &= block->warps[w].barrier != line->number;
    return problem;
  }
  case TEST_THREAD:
    warp->predicate[0] = index >= line->value;
    break;
  case TEST_LOADED:
    warp->predicate[2] = draw(&program->random, 2);
    break;
  case JUMP:
    warp->at = line->value;
    break;
  case END:
    warp->ended = true;
    break;
  case ZERO:
    warp->turns = 0;
    break;
  case COUNT:
    warp->turns++;
    break;
  case TEST_COUNT:
    warp->predicate[3] = warp->turns < line->value;
    break;
  case OTHER:
    break;
  }
  return NULL;
}

/* Runs four warps to their ends. */
static const char *run(struct program *program)
{
  struct block block = {.warps = {{.at = 0}}};
  for (uint32_t w = 0; w < WARPS; w++)
    block.warps[w].predicate[2] = draw(&program->random, 2);
  for (uint32_t steps = 0; steps < STEPS; steps++) {
    uint32_t ready[WARPS], count = 0, waiting = 0;
    for (uint32_t w = 0; w < WARPS; w++) {
      waiting += block.warps[w].waits;
      if (!block.warps[w].waits && !block.warps[w].ended)
        ready[count++] = w;
    }
    if (count == 0)
      return waiting > 0 ? "warps wait for ever" : NULL;
    const uint32_t chosen = ready[draw(&program->random, count)];
    for (uint32_t n = 1 + draw(&program->random, 30); n > 0; n--) {
      if (block.warps[chosen].waits || block.warps[chosen].ended)
        break;
      const char *problem = step(program, &block, chosen);
      if (problem != NULL)
        return problem;
    }
  }
  return NULL;
}

static bool is_claimed(const struct program *program, bool *some)
{
  static const struct wb_parameter_value values[] = {{.offset = 0, .value = PARAMETER}};
  const struct wb_launch launch = {
      .block = {WARPS * WARP, 1, 1}, .grid = {4, 1, 1}, .parameters = values, .parameter_count = 1};
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(bounded_free) struct bounded_function bounded = {0};
  warpbound_error error = {.message = ""};
  bool whole, shown = false;
  listing_of(87, program->text.data, &code);
  struct wb_function *function = &code.functions[0];
  *some = false;
  if (!bounded_make_of_block(&code, function, &launch, &bounded))
    return false;
  assert_ok(wb_counted_barriers_mark(bounded.graph, &bounded.forest, &launch,
                                     function->instructions, &whole, &error));
  *some = wb_function_counts_barriers(function);
  const struct wb_group_question question = {
      .graph = bounded.graph, .forest = &bounded.forest, .launch = &launch};
  if (*some)
    assert_ok(wb_barrier_arrivals_find(&question, function->instructions, &shown, &error));
  return shown;
}

TEST(claims_hold_of_every_run)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 3000);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  uint64_t claims = 0, arrive = 0, turns = 0, fail = 0, fine = 0;
  for (uint64_t seed = first; seed < first + runs; seed++) {
    struct program program;
    bool some, arrives = false, turn = false;
    draw_program(seed, &program);
    const bool claimed = is_claimed(&program, &some);
    for (size_t l = 0; l < program.count; l++) {
      arrives |= program.lines[l].kind == ARRIVE;
      turn |= program.lines[l].kind == JUMP && program.lines[l].value <= l;
    }
    claims += claimed;
    arrive += claimed && arrives;
    turns += claimed && arrives && turn;
    const char *problem = NULL;
    for (int r = 0; r < 8 && problem == NULL && some; r++)
      problem = run(&program);
    fail += !claimed && problem != NULL;
    fine += !claimed && some && problem == NULL;
    if (claimed && problem != NULL)
      fail_msg("seed %" PRIu64 ": %s: %s", seed, problem, program.text.data);
    wb_text_free(&program.text);
  }
  print_message("# of %" PRIu64 " programs %" PRIu64 " wait for none in vain, %" PRIu64 " of them "
                "with arrivals, %" PRIu64 " with loops; of the others %" PRIu64
                " have a run that fails, %" PRIu64 " have none\n",
                runs, claims, arrive, turns, fail, fine);
  assert_true(arrive > runs / 20 && turns > runs / 40 && fail > runs / 10);
}
