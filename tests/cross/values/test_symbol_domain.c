/* The domain of symbols against the meaning of micro-operations, on random instructions: what has
 * one symbol is one number, with guards and with predicates of which the end is known.
 *   WARPBOUND_CROSS_RUNS sequences (20000 without it), WARPBOUND_SEED */
#include "base/random.h"
#include "concrete_lanes.h"
#include "micro_programs.h"
#include "unit.h"
#include "values/symbols/symbol_domain.h"

#include <inttypes.h>

#define DEFAULT_RUNS 20000
#define MOST_SEEN 400

struct program {
  struct micro_program code;
  uint32_t first[MICRO_REGISTERS];
  uint64_t chance;
};

/* A symbol and the number that something had that holds it. */
struct seen {
  struct wb_symbol symbol;
  uint32_t number;
};

struct totals {
  size_t steps;
  size_t numbers;  /* of results that are numbers, registers and predicates */
  size_t equal;    /* pairs of places with one symbol that is no number */
  size_t known;    /* programs with a predicate of which the end is known */
  size_t resolved; /* guards that this tells */
  size_t differences;
};

struct run {
  struct wb_symbol_walk walk;
  struct wb_symbol_state state;
  struct wb_concrete warp;
  struct micro_listing listing;
  struct seen seen[MOST_SEEN];
  size_t seen_count;
};

static void draw_program(uint64_t seed, struct program *program)
{
  struct wb_random random = {seed};
  *program = (struct program){0};
  for (size_t r = 0; r < MICRO_REGISTERS; r++)
    program->first[r] = (uint32_t)wb_random_below(&random, 3) - 1;
  program->chance = wb_random_next(&random);
  micro_draw(&random, 2 + (size_t)wb_random_below(&random, 8), &program->code);
}

/* Whether all that has this symbol, now and before, is the number. */
static bool note(struct run *run, const struct wb_symbol *symbol, uint32_t number)
{
  struct wb_symbol plain = *symbol;
  if (symbol->kind == WB_SYMBOL_ANY)
    return false; /* registers hold none */
  if (symbol->negated)
    number = number == 0;
  plain.negated = false;
  if (symbol->kind == WB_SYMBOL_NUMBER)
    return plain.number == number;
  for (size_t s = 0; s < run->seen_count; s++)
    if (wb_symbols_equal(&run->seen[s].symbol, &plain))
      return run->seen[s].number == number;
  if (run->seen_count < MOST_SEEN)
    run->seen[run->seen_count++] = (struct seen){plain, number};
  return true;
}

static bool check(struct run *run, struct totals *totals)
{
  const struct wb_concrete_lane *lane = &run->warp.lanes[0];
  bool right = true;
  for (unsigned r = 0; r < MICRO_REGISTERS; r++) {
    right = right && note(run, &run->state.registers[r], lane->words[r]);
    totals->numbers += run->state.registers[r].kind == WB_SYMBOL_NUMBER;
    for (unsigned s = 0; s < r; s++)
      totals->equal += run->state.registers[r].kind != WB_SYMBOL_NUMBER &&
                       wb_symbols_equal(&run->state.registers[r], &run->state.registers[s]);
  }
  for (unsigned p = WB_REGISTER_PREDICATE; p <= WB_REGISTER_CONDITION_CODE; p++) {
    right = right && note(run, &run->state.registers[p], lane->words[p]);
    totals->numbers += run->state.registers[p].kind == WB_SYMBOL_NUMBER;
  }
  if (run->state.no_difference) {
    totals->differences++;
    right =
        right && lane->words[WB_REGISTER_CONDITION_CODE] == 1 && (!lane->zero_known || lane->zero);
  }
  return right;
}

/* Does one instruction as wb_symbol_step does, but without lowering. */
static void symbol_step(struct run *run, uint32_t i, const struct wb_micro_code *code)
{
  static const struct wb_micro_code nothing;
  struct wb_symbol_walk *walk = &run->walk;
  const enum wb_symbol_guard guard = wb_symbol_guard(walk, &run->listing.function.instructions[i]);
  wb_symbol_domain.begin(walk, &run->listing.function, i);
  if (guard == WB_GUARD_DOES)
    wb_domain_apply(&wb_symbol_domain, walk, &run->listing.function, i, code);
  else if (guard == WB_GUARD_MAY)
    wb_symbol_domain.forget_writes(walk, &run->listing.function, i, &nothing);
}

/* Whether the program's numbers are as the symbols say. */
static bool run_program(const struct program *program, struct run *run, struct totals *totals)
{
  bool right = true;
  run->warp = (struct wb_concrete){.running = 1, .random = {program->chance}};
  memcpy(run->warp.lanes[0].words, program->first, sizeof program->first);
  for (unsigned p = WB_REGISTER_PREDICATE; p <= WB_REGISTER_CONDITION_CODE; p++)
    run->warp.lanes[0].words[p] = (uint32_t)wb_random_below(&run->warp.random, 2);
  micro_describe(&program->code, &run->listing);
  run->walk.state = &run->state;
  run->walk.block = 3;
  run->seen_count = 0;
  wb_symbol_state_start(&run->state);
  for (uint32_t i = 0; i < program->code.count && right; i++) {
    const struct micro_step *step = &program->code.steps[i];
    totals->resolved +=
        run->walk.known_count > 0 && step->guard != WB_NO_REGISTER &&
        wb_symbol_guard(&run->walk, &run->listing.function.instructions[i]) != WB_GUARD_MAY;
    symbol_step(run, i, &step->code);
    wb_domain_apply(&wb_concrete_domain, &run->warp, &run->listing.function, i, &step->code);
    totals->steps++;
    right = check(run, totals);
  }
  return right;
}

/* First nothing is known of predicates, then what some of them hold at the end. */
static bool run_twice(const struct program *program, struct totals *totals)
{
  static struct run run;
  struct wb_random random = {~program->chance};
  run.walk.known_count = 0;
  if (!run_program(program, &run, totals))
    return false;
  for (unsigned p = 0; p < MICRO_PREDICATES; p++) {
    struct wb_symbol symbol = run.state.registers[WB_REGISTER_PREDICATE + p];
    if (symbol.kind == WB_SYMBOL_NUMBER || wb_random_below(&random, 2) == 0)
      continue;
    const bool truth = run.warp.lanes[0].words[WB_REGISTER_PREDICATE + p] != 0;
    run.walk.known[run.walk.known_count].truth = truth != symbol.negated;
    symbol.negated = false;
    run.walk.known[run.walk.known_count++].symbol = symbol;
  }
  totals->known += run.walk.known_count > 0;
  return run_program(program, &run, totals);
}

static bool shrink(struct program *program)
{
  struct totals totals = {0};
  for (size_t i = program->code.count; i-- > 0;)
    for (unsigned what = 0; what < MICRO_PARTS; what++) {
      struct program less = *program;
      if (micro_leave_out(&less.code, i, what) && !run_twice(&less, &totals)) {
        *program = less;
        return true;
      }
    }
  return false;
}

TEST(one_symbol_is_one_number)
{
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  struct totals totals = {0};
  for (uint64_t n = 0; n < runs; n++) {
    struct program program;
    draw_program(seed + n, &program);
    if (run_twice(&program, &totals))
      continue;
    while (shrink(&program)) {
    }
    for (size_t i = 0; i < program.code.count; i++)
      micro_print(&program.code.steps[i]);
    fail_msg("WARPBOUND_SEED=%" PRIu64
             " WARPBOUND_CROSS_RUNS=1: a number is not as its symbol says",
             seed + n);
  }
  printf("# %zu instructions: %zu places with a number, %zu pairs with one symbol, %zu differences "
         "of equal words, %zu programs with known predicates, by which %zu guards are known\n",
         totals.steps, totals.numbers, totals.equal, totals.differences, totals.known,
         totals.resolved);
  if (runs >= DEFAULT_RUNS)
    assert_true(totals.numbers > runs && totals.equal > runs && totals.differences > runs / 100 &&
                totals.known > runs / 4 && totals.resolved > runs / 20);
}
