/* The domain of strided intervals against the meaning of micro-operations, on random instructions
 * and on sums and comparisons of two words: what a lane holds is always among what the state
 * allows. A failure is shrunk before it is shown.
 *   WARPBOUND_CROSS_RUNS sequences (20000 without it), WARPBOUND_SEED */
#include "base/random.h"
#include "concrete_lanes.h"
#include "interval_check.h"
#include "micro_programs.h"
#include "unit.h"
#include "values/interval/interval_domain.h"

#include <inttypes.h>

#define DEFAULT_RUNS 20000

struct program {
  struct micro_program code;
  uint32_t first[MICRO_REGISTERS];
  uint64_t chance; /* seed of predicates and of what is not determined */
  struct wb_integer start[MICRO_REGISTERS];
};

/* A number that is 0, an end of a type, small, or any. */
static uint32_t some_number(struct wb_random *random)
{
  static const uint32_t ends[] = {
      0,          1,          UINT32_MAX, INT32_MAX,  0x80000000, 0xffff,
      0x3f7ffff0, /* floats: 1, 2^24, 2^31, 2^32 */
      0x4b800000, 0x4f000000, 0x4f7ffff0, 0x3f800000, 0xbf000000, 0x40490000};
  const uint64_t kind = wb_random_below(random, 5);
  if (kind == 4) { /* 1.0, 1.5, 2.0 or 3.0, of either sign */
    const uint32_t sign = wb_random_below(random, 2) == 0 ? UINT32_C(1) << 31 : 0;
    return sign | (0x3f800000 + (uint32_t)wb_random_below(random, 4) * 0x400000);
  }
  if (kind == 0)
    return ends[wb_random_below(random, COUNT_OF(ends))];
  if (kind == 1)
    return (uint32_t)wb_random_next(random);
  return (uint32_t)wb_random_below(random, 40) - (kind == 2 ? 10 : 0);
}

/* Some registers are known, some are in an interval, the others are themselves. */
static void draw_program(uint64_t seed, struct program *program)
{
  struct wb_random random = {seed};
  *program = (struct program){0};
  for (uint16_t r = 0; r < MICRO_REGISTERS; r++) {
    const uint64_t kind = wb_random_below(&random, 4);
    const uint64_t bits = wb_random_below(&random, 4) == 0 ? wb_random_below(&random, 31) : 0;
    const uint32_t low = some_number(&random);
    const uint64_t width = wb_random_below(&random, bits > 0 ? UINT64_C(1) << bits : 40);
    uint32_t *holds = &program->first[r];
    *holds = low;
    program->start[r] = kind == 0 ? wb_integer_exactly(low) : wb_integer_of_register(r);
    if (kind == 1) {
      program->start[r] = wb_integer_range(low, (int64_t)low + (int64_t)width);
      *holds += (uint32_t)wb_random_below(&random, width + 1);
    }
  }
  program->chance = wb_random_next(&random);
  micro_draw(&random, 1 + (size_t)wb_random_below(&random, 6), &program->code);
}

/* The lane by the numbers of states. */
static struct interval_lane numbers_of(const struct wb_concrete_lane *lane)
{
  struct interval_lane numbers = {{0}, {false}};
  memcpy(numbers.registers, lane->words, MICRO_REGISTERS * sizeof *lane->words);
  for (unsigned p = WB_REGISTER_PREDICATE; p <= WB_REGISTER_CONDITION_CODE; p++)
    numbers.predicates[wb_predicate_index(p)] = lane->words[p] != 0;
  return numbers;
}

struct totals {
  size_t executed;
  size_t results;
  size_t unknown; /* of these */
  size_t edges;   /* on which a relation of two registers is said to hold */
  size_t sums; /* pairs of registers whose difference is a number, as their sums of terms have it */
  size_t
      facts; /* sums and differences of two registers of which something else is known by terms */
  struct interval_totals of;
};

static uint64_t number_of_pair(const struct wb_concrete_lane *lane, struct wb_register_pair pair)
{
  return (uint64_t)lane->words[pair.high] << 32 | lane->words[pair.low];
}

/* The same of a comparison of two numbers of 64 bits of which the difference is known, or of the
 * number that holds it. */
static bool take_wide_edge(struct wb_random *random, const struct wb_concrete_lane *lane,
                           struct wb_integer_state *state)
{
  const struct wb_wide_differences list = state->wide_differences;
  if (list.count == 0)
    return true;
  const struct wb_wide_difference row = list.rows[wb_random_below(random, list.count)];
  const bool of_holder = row.held && wb_random_below(random, 2) == 0;
  const bool turns = wb_random_below(random, 2) == 0;
  const struct wb_register_pair left = of_holder ? row.holder : turns ? row.less : row.from;
  const struct wb_register_pair right = turns ? row.from : row.less;
  const enum wb_relation relation = (enum wb_relation)wb_random_below(random, 6);
  const bool as_signed = wb_random_below(random, 2) == 0;
  const uint64_t number = number_of_pair(lane, left);
  const uint64_t near = wb_random_below(random, 3) - 1;
  const uint64_t other = of_holder ? number + near : number_of_pair(lane, right);
  const uint64_t sign = as_signed ? UINT64_C(1) << 63 : 0;
  const int order = ((number ^ sign) > (other ^ sign)) - ((number ^ sign) < (other ^ sign));
  const bool holds[] = {order<0, order == 0, order <= 0, order> 0, order != 0, order >= 0};
  if (!holds[relation])
    return true;
  const struct wb_wide known =
      of_holder ? wb_wide_exactly(other)
                : wb_pairs_value(&state->pairs, state->registers, right.low, right.high);
  struct wb_wide value = wb_pairs_value(&state->pairs, state->registers, left.low, left.high);
  if (!wb_wide_assume(&value, relation, &known, as_signed))
    return false;
  wb_integer_state_narrow_pair(state, left.low, left.high, &value);
  if (!of_holder)
    wb_wide_difference_assume(state, left, right, relation, as_signed);
  return wb_wide_differences_reduce(state);
}

/* The same of a comparison of two pairs of registers. */
static void compare_pairs(struct wb_random *random, const struct wb_concrete_lane *lane,
                          struct wb_integer_state *state)
{
  struct wb_register_pair pairs[2];
  for (size_t side = 0; side < 2; side++) {
    pairs[side].low = (uint16_t)wb_random_below(random, MICRO_REGISTERS);
    pairs[side].high = (uint16_t)wb_random_below(random, MICRO_REGISTERS);
  }
  const uint64_t left = number_of_pair(lane, pairs[0]);
  const uint64_t right = number_of_pair(lane, pairs[1]);
  const bool as_signed = wb_random_below(random, 2) == 0;
  const bool less = as_signed ? (int64_t)left < (int64_t)right : left < right;
  const bool loose = wb_random_below(random, 2) == 0 || left == right;
  const enum wb_relation relation =
      wb_random_below(random, 6) == 0 ? (left == right ? WB_RELATION_EQUAL : WB_RELATION_UNEQUAL)
      : loose ? (less || (left == right && wb_random_below(random, 2) == 0) ? WB_RELATION_AT_MOST
                                                                            : WB_RELATION_AT_LEAST)
              : (less ? WB_RELATION_LESS : WB_RELATION_GREATER);
  wb_interval_assume_wide_difference(state, pairs[0], pairs[1], relation, as_signed);
}

/* What holds on the edges of a branch by a comparison of two registers, as is true of the lane;
 * then what of the registers follows. False where the state has it that no lane takes such an edge.
 */
static bool take_edge(struct wb_random *random, const struct wb_concrete_lane *lane,
                      struct wb_terms *terms, struct wb_integer_state *state)
{
  const size_t predicate = (size_t)wb_random_below(random, MICRO_PREDICATES);
  const struct wb_orders orders = state->orders;
  bool some = false;
  if (wb_random_below(random, 2) == 0 &&
      !wb_interval_assume_orders(&orders, predicate,
                                 lane->words[WB_REGISTER_PREDICATE + predicate] != 0, state, &some))
    return false;
  if (state->rests.count > 0 && wb_random_below(random, 2) == 0) {
    /* A test of the rest against the number that it is. */
    const uint16_t holder = state->rests.rows[0].holder;
    const struct wb_integer number = wb_integer_exactly(lane->words[holder]);
    if (!wb_integer_assume(&state->registers[holder], WB_RELATION_EQUAL, &number, false))
      return false;
  }
  if (wb_random_below(random, 2) == 0)
    compare_pairs(random, lane, state);
  const uint16_t left = (uint16_t)wb_random_below(random, MICRO_REGISTERS);
  const uint16_t right = (uint16_t)wb_random_below(random, MICRO_REGISTERS);
  const enum wb_relation relation = (enum wb_relation)wb_random_below(random, 6);
  const bool as_signed = wb_random_below(random, 2) == 0;
  const bool cuts = wb_random_below(random, 2) == 0;
  if (!relation_holds(lane->words[left], relation, lane->words[right], as_signed, false))
    return true;
  const struct wb_integer values[2] = {state->registers[left], state->registers[right]};
  if (cuts && (!wb_integer_assume(&state->registers[left], relation, &values[1], as_signed) ||
               !wb_integer_assume(&state->registers[right], wb_relation_mirrored(relation),
                                  &values[0], as_signed)))
    return false;
  wb_interval_assume_difference(state, left, right, relation, as_signed);
  const struct wb_comparison row = {.relation = (uint8_t)relation,
                                    .as_signed = as_signed,
                                    .sums = {wb_interval_register_sum(terms, state, left),
                                             wb_interval_register_sum(terms, state, right)}};
  wb_interval_assume_sums(terms, state, &row, values);
  if (wb_random_below(random, 2) == 0)
    wb_interval_reduce(state);
  return take_wide_edge(random, lane, state);
}

/* Whether the word is what facts say of a sum of terms. */
static bool is_sum(struct wb_terms *terms, const struct wb_integer_state *state, uint32_t sum,
                   uint32_t word, struct totals *totals)
{
  const struct wb_integer value = wb_terms_value(terms, &state->facts, sum);
  totals->facts += sum != 0 && value.width < INT32_MAX && value.width > 0;
  return value.base != WB_NO_REGISTER || word - value.low <= value.width;
}

/* Whether registers differ by what the sums of terms that they hold differ by, where that is a
 * number, and both and their sum are as facts say. */
static bool sums_differ_so(struct wb_terms *terms, struct wb_integer_state *state,
                           const struct wb_concrete_lane *lane, struct totals *totals)
{
  bool right = true;
  for (uint16_t a = 0; a < MICRO_REGISTERS; a++) {
    for (uint16_t b = 0; b < a; b++) {
      const uint32_t sum = wb_terms_add(terms, wb_interval_register_sum(terms, state, a),
                                        wb_interval_register_sum(terms, state, b), UINT32_MAX, 0);
      const uint32_t both = wb_terms_add(terms, wb_interval_register_sum(terms, state, a),
                                         wb_interval_register_sum(terms, state, b), 1, 0);
      right = right && is_sum(terms, state, sum, lane->words[a] - lane->words[b], totals) &&
              is_sum(terms, state, both, lane->words[a] + lane->words[b], totals);
      if (sum == 0 || wb_terms_sum(terms, sum)->count > 0)
        continue;
      totals->sums += !wb_integer_is_exact(&state->registers[a]);
      right = right && lane->words[a] - lane->words[b] == wb_terms_sum(terms, sum)->number;
    }
  }
  return right;
}

/* NULL, or what is not as the state says. */
static const char *run_program(const struct program *program, struct totals *totals)
{
  static struct wb_integer_state state; /* large, as is the context */
  static struct wb_interval_context context;
  FREED_BY(wb_comparisons_free) struct wb_comparisons comparisons = {0};
  FREED_BY(wb_carries_free) struct wb_carries carries = {0};
  FREED_BY(wb_terms_free) struct wb_terms terms = {0};
  static struct wb_concrete warp;
  struct micro_listing listing;
  const char *wrong = NULL;
  /* A warp of one lane. */
  warp = (struct wb_concrete){.running = 1, .random = {program->chance}};
  memcpy(warp.lanes[0].words, program->first, sizeof program->first);
  for (unsigned p = WB_REGISTER_PREDICATE; p <= WB_REGISTER_CONDITION_CODE; p++)
    warp.lanes[0].words[p] = (uint32_t)wb_random_below(&warp.random, 2);
  const struct interval_lane first = numbers_of(&warp.lanes[0]);
  struct wb_random edges = {~program->chance};
  micro_describe(&program->code, &listing);
  context.comparisons = &comparisons;
  context.carries = &carries;
  context.terms = &terms;
  context.visit = 1;
  context.state = &state;
  wb_integer_state_identity(&state);
  for (size_t r = 0; r < MICRO_REGISTERS; r++)
    state.registers[r] = program->start[r];
  for (size_t i = 0; i < program->code.count && wrong == NULL; i++) {
    const struct micro_step *step = &program->code.steps[i];
    wb_domain_apply(&wb_interval_domain, &context, &listing.function, (uint32_t)i, &step->code);
    wb_domain_apply(&wb_concrete_domain, &warp, &listing.function, (uint32_t)i, &step->code);
    const struct interval_lane now = numbers_of(&warp.lanes[0]);
    for (uint64_t e = wb_random_below(&edges, 6); e < 3 && wrong == NULL; e++) {
      totals->edges++;
      if (!take_edge(&edges, &warp.lanes[0], &terms, &state))
        wrong = "an edge that is taken";
    }
    if (wrong == NULL)
      wrong = interval_check(&state, &comparisons, &first, &now, &totals->of);
    if (wrong == NULL && !sums_differ_so(&terms, &state, &warp.lanes[0], totals))
      wrong = "the difference of two sums of terms";
    totals->executed++;
    for (size_t w = 0; w < step->code.write_count; w++) {
      const struct wb_micro_write *write = &step->code.writes[w];
      totals->results += write->number < MICRO_REGISTERS;
      totals->unknown +=
          write->number < MICRO_REGISTERS && state.registers[write->number].width == UINT32_MAX;
    }
  }
  return wrong;
}

/* Leaves out something that the failure does not need. */
static bool shrink(struct program *program)
{
  struct totals totals = {0};
  for (size_t i = program->code.count; i-- > 0;)
    for (unsigned what = 0; what < MICRO_PARTS; what++) {
      struct program less = *program;
      if (micro_leave_out(&less.code, i, what) && run_program(&less, &totals) != NULL) {
        *program = less;
        return true;
      }
    }
  return false;
}

static void show(struct program *program, uint64_t seed)
{
  struct totals totals = {0};
  while (shrink(program)) {
  }
  for (size_t r = 0; r < MICRO_REGISTERS; r++) {
    const struct wb_integer *start = &program->start[r];
    fprintf(stderr, "  R%zu = 0x%" PRIx32 ", in 0x%" PRIx32 " + 0..0x%" PRIx32 "%s\n", r,
            program->first[r], start->low, start->width,
            start->base != WB_NO_REGISTER ? " from itself" : "");
  }
  for (size_t i = 0; i < program->code.count; i++)
    micro_print(&program->code.steps[i]);
  fail_msg("WARPBOUND_SEED=%" PRIu64 " WARPBOUND_CROSS_RUNS=1: %s is not as the state says", seed,
           run_program(program, &totals));
}

TEST(lanes_are_among_states)
{
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  struct totals totals = {0};
  for (uint64_t n = 0; n < runs; n++) {
    static struct program program;
    draw_program(seed + n, &program);
    if (run_program(&program, &totals) != NULL)
      show(&program, seed + n);
  }
  printf("# %zu instructions, %zu of %zu results unknown, %zu comparisons of 64 bits, %zu pairs, "
         "%zu values under conditions, %zu truths, %zu differences, %zu rests, %zu orders, %zu "
         "flags, %zu of "
         "pairs, %zu sums of terms, %zu in ranges, %zu relations on edges\n",
         totals.executed, totals.unknown, totals.results, totals.of.wide_rows, totals.of.pairs,
         totals.of.conditionals, totals.of.truths, totals.of.differences, totals.of.rests,
         totals.of.orders, totals.of.flags, totals.of.wide_differences, totals.sums, totals.facts,
         totals.edges);
  printf("# %zu differences that a pair holds\n", totals.of.held_differences);
  if (runs >= DEFAULT_RUNS) {
    assert_true(totals.unknown * 2 < totals.results);
    assert_true(totals.of.wide_rows > runs / 50);
    assert_true(totals.of.pairs > runs / 16);
    assert_true(totals.of.conditionals > runs / 10);
    assert_true(totals.of.truths > runs / 10);
    assert_true(totals.of.differences > runs / 20);
    assert_true(totals.of.rests > runs / 50);
    assert_true(totals.of.orders > runs / 20);
    assert_true(totals.of.flags > runs / 20);
    assert_true(totals.of.wide_differences > runs / 20);
    assert_true(totals.sums > runs / 20);
  }
}

/* The lane and the state after all instructions of the program. */
static void run_to_end(const struct program *program, struct wb_comparisons *comparisons,
                       struct wb_integer_state *state, struct interval_lane *now)
{
  static struct wb_interval_context context;
  static struct wb_concrete warp;
  FREED_BY(wb_carries_free) struct wb_carries carries = {0};
  struct micro_listing listing;
  warp = (struct wb_concrete){.running = 1, .random = {program->chance}};
  memcpy(warp.lanes[0].words, program->first, sizeof program->first);
  micro_describe(&program->code, &listing);
  context.comparisons = comparisons;
  context.carries = &carries;
  context.terms = NULL;
  context.visit = 1;
  context.state = state;
  wb_integer_state_top(state);
  for (size_t r = 0; r < MICRO_REGISTERS; r++) {
    if (program->start[r].base == WB_NO_REGISTER)
      state->registers[r] = program->start[r];
  }
  for (size_t i = 0; i < program->code.count; i++) {
    const struct wb_micro_code *code = &program->code.steps[i].code;
    wb_domain_apply(&wb_interval_domain, &context, &listing.function, (uint32_t)i, code);
    wb_domain_apply(&wb_concrete_domain, &warp, &listing.function, (uint32_t)i, code);
  }
  *now = numbers_of(&warp.lanes[0]);
}

/* What holds of a lane on one of two ways holds behind the place where they meet: of one program
 * from two starts, or of two programs. */
TEST(joined_states_hold_of_both)
{
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  static struct wb_integer_state states[2];
  struct interval_totals totals = {0};
  for (uint64_t n = 0; n < runs; n++) {
    FREED_BY(wb_comparisons_free) struct wb_comparisons comparisons = {0};
    static struct program programs[2];
    struct interval_lane now[2];
    draw_program(2 * (seed + n), &programs[0]);
    draw_program(2 * (seed + n) + 1, &programs[1]);
    if (n % 2 == 0)
      programs[1].code = programs[0].code;
    for (size_t way = 0; way < 2; way++)
      run_to_end(&programs[way], &comparisons, &states[way], &now[way]);
    wb_integer_state_join(&states[0], &states[1]);
    for (size_t way = 0; way < 2; way++) {
      const struct interval_lane first = {{0}, {false}};
      const char *wrong = interval_check(&states[0], &comparisons, &first, &now[way], &totals);
      if (wrong != NULL)
        fail_msg("WARPBOUND_SEED=%" PRIu64 " WARPBOUND_CROSS_RUNS=1: %s is not "
                 "as the state says where way %zu meets another one",
                 seed + n, wrong, way);
    }
  }
  printf("# %zu pairs, %zu differences, %zu of pairs where ways meet\n", totals.pairs,
         totals.differences, totals.wide_differences);
  if (runs >= DEFAULT_RUNS)
    assert_true(totals.wide_differences > runs / 100);
}

/* ---- ways that part and meet ---- */

/* Where a program's parts end: before the branch, each way, behind the place where they meet. */
enum part { BEFORE, IF_FALSE, IF_TRUE, BEHIND, PARTS };

struct branching {
  struct program program;
  size_t ends[PARTS];
  size_t predicate; /* of the branch: its index */
  bool knows[2];    /* by outcome: the way knows the predicate */
};

static void draw_branching(uint64_t seed, struct branching *branching)
{
  struct wb_random random = {~seed};
  draw_program(seed, &branching->program);
  branching->ends[BEFORE] = branching->program.code.count;
  for (size_t part = IF_FALSE; part < PARTS; part++) {
    const size_t before = branching->ends[part - 1];
    const size_t most = part == BEHIND ? 4 : 2;
    micro_draw(&random, before + (size_t)wb_random_below(&random, most + 1),
               &branching->program.code);
    branching->ends[part] = branching->program.code.count;
  }
  branching->predicate = (size_t)wb_random_below(&random, MICRO_PREDICATES);
  for (size_t way = 0; way < 2; way++)
    branching->knows[way] = wb_random_below(&random, 2) == 0;
}

/* Runs a part; of the lane where `lane` is not NULL, with what is wrong of it. */
static const char *run_part(const struct branching *branching, enum part part,
                            const struct micro_listing *listing,
                            struct wb_interval_context *context, struct wb_concrete *warp,
                            const struct interval_lane *first, struct interval_totals *totals)
{
  const char *wrong = NULL;
  context->visit = part + 1;
  wb_integer_state_forget_carries(context->state);
  for (size_t i = part == BEFORE ? 0 : branching->ends[part - 1];
       i < branching->ends[part] && wrong == NULL; i++) {
    const struct wb_micro_code *code = &branching->program.code.steps[i].code;
    wb_domain_apply(&wb_interval_domain, context, &listing->function, (uint32_t)i, code);
    if (warp == NULL)
      continue;
    wb_domain_apply(&wb_concrete_domain, warp, &listing->function, (uint32_t)i, code);
    const struct interval_lane now = numbers_of(&warp->lanes[0]);
    wrong = interval_check(context->state, context->comparisons, first, &now, totals);
  }
  return wrong;
}

/* NULL, or what is not as the state says. */
static const char *run_branching(const struct branching *branching, struct interval_totals *totals)
{
  static struct wb_integer_state states[2];
  static struct wb_integer_state before;
  static struct wb_interval_context context;
  static struct wb_concrete warp;
  FREED_BY(wb_comparisons_free) struct wb_comparisons comparisons = {0};
  FREED_BY(wb_carries_free) struct wb_carries carries = {0};
  FREED_BY(wb_terms_free) struct wb_terms terms = {0};
  struct micro_listing listing;
  warp = (struct wb_concrete){.running = 1, .random = {branching->program.chance}};
  memcpy(warp.lanes[0].words, branching->program.first, sizeof branching->program.first);
  for (unsigned p = WB_REGISTER_PREDICATE; p <= WB_REGISTER_CONDITION_CODE; p++)
    warp.lanes[0].words[p] = (uint32_t)wb_random_below(&warp.random, 2);
  const struct interval_lane first = numbers_of(&warp.lanes[0]);
  micro_describe(&branching->program.code, &listing);
  context.comparisons = &comparisons;
  context.carries = &carries;
  context.terms = &terms;
  context.state = &before;
  wb_integer_state_identity(&before);
  for (size_t r = 0; r < MICRO_REGISTERS; r++)
    before.registers[r] = branching->program.start[r];
  const char *wrong = run_part(branching, BEFORE, &listing, &context, &warp, &first, totals);
  const bool taken = warp.lanes[0].words[WB_REGISTER_PREDICATE + branching->predicate] != 0;
  bool reached[2] = {false, false};
  for (size_t way = 0; way < 2 && wrong == NULL; way++) {
    bool some = false;
    states[way] = before;
    context.state = &states[way];
    reached[way] = wb_interval_assume_orders(&before.orders, branching->predicate, way == 1,
                                             &states[way], &some);
    if (taken == (way == 1) && !reached[way])
      return "an edge that is taken";
    if (branching->knows[way])
      states[way].predicates[branching->predicate].truth =
          way == 1 ? WB_TRUTH_TRUE : WB_TRUTH_FALSE;
    if (some)
      wb_interval_reduce(&states[way]);
    if (reached[way])
      wrong = run_part(branching, IF_FALSE + way, &listing, &context,
                       taken == (way == 1) ? &warp : NULL, &first, totals);
  }
  if (wrong != NULL)
    return wrong;
  if (reached[0] && reached[1])
    wb_integer_state_join(&states[taken], &states[!taken]);
  context.state = &states[taken];
  return run_part(branching, BEHIND, &listing, &context, &warp, &first, totals);
}

/* What holds of a lane that takes one of two ways holds behind the place where they meet, and of
 * what it does there. */
TEST(ways_that_part_meet)
{
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  static struct branching branching;
  struct interval_totals totals = {0};
  for (uint64_t n = 0; n < runs; n++) {
    draw_branching(seed + n, &branching);
    const char *wrong = run_branching(&branching, &totals);
    if (wrong == NULL)
      continue;
    for (size_t i = 0; i < branching.program.code.count; i++)
      micro_print(&branching.program.code.steps[i]);
    fail_msg("WARPBOUND_SEED=%" PRIu64
             " WARPBOUND_CROSS_RUNS=1: %s is not as the state says; parts "
             "end at %zu, %zu, %zu, branch by P%zu",
             seed + n, wrong, branching.ends[BEFORE], branching.ends[IF_FALSE],
             branching.ends[IF_TRUE], branching.predicate);
  }
  printf("# %zu differences, %zu rests, %zu orders, %zu flags, %zu of pairs\n", totals.differences,
         totals.rests, totals.orders, totals.flags, totals.wide_differences);
}
