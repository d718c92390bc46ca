/* The domain of single bits against the meaning of micro-operations, on random instructions: each
 * bit that a lane holds is what the state says of it.
 *   WARPBOUND_CROSS_RUNS sequences (20000 without it), WARPBOUND_SEED */
#include "base/random.h"
#include "concrete_lanes.h"
#include "micro_programs.h"
#include "unit.h"
#include "values/bits/bit_words.h"

#include <inttypes.h>

#define DEFAULT_RUNS 20000

struct totals {
  size_t bits, known, of_number, truths;
};

/* A bit that holds so in a lane with that number m. */
static uint8_t some_bit(struct wb_random *random, uint64_t number, bool *value)
{
  const unsigned place = (unsigned)wb_random_below(random, WB_BIT_PLACES);
  const bool opposite = wb_random_below(random, 4) == 0;
  *value = wb_random_below(random, 2) != 0;
  switch (wb_random_below(random, 4)) {
  case 0:
    return WB_BIT_ANY;
  case 1:
    *value = (number >> place & 1) != opposite;
    return (uint8_t)(WB_BIT_OF_NUMBER + 2 * place + opposite);
  default:
    return *value ? WB_BIT_ONE : WB_BIT_ZERO;
  }
}

/* Small numbers and words of m come often. */
static void begin(struct wb_random *random, uint64_t number, struct wb_concrete_lane *lane,
                  struct wb_bit_state *state)
{
  wb_bits_any(state);
  for (uint16_t r = 0; r < MICRO_REGISTERS; r++) {
    const uint64_t kind = wb_random_below(random, 4);
    const unsigned half = (unsigned)wb_random_below(random, 2);
    uint32_t word = 0;
    if (kind == 0) {
      word = (uint32_t)wb_random_below(random, 70);
      wb_bits_set(state, r, word);
    }
    for (unsigned i = 0; i < 32 && kind != 0; i++) {
      bool value = (number >> (32 * half + i) & 1) != 0;
      uint8_t bit = (uint8_t)(WB_BIT_OF_NUMBER + 2 * (32 * half + i));
      if (kind != 1)
        bit = some_bit(random, number, &value);
      state->registers[r][i] = bit;
      word |= (uint32_t)value << i;
    }
    lane->words[r] = word;
  }
  for (unsigned p = WB_REGISTER_PREDICATE; p <= WB_REGISTER_CONDITION_CODE; p++) {
    bool value;
    state->predicates[wb_predicate_index(p)] = some_bit(random, number, &value);
    lane->words[p] = value;
  }
}

static bool agrees(uint8_t bit, bool value, uint64_t number, struct totals *totals)
{
  totals->bits++;
  totals->known += bit == WB_BIT_ZERO || bit == WB_BIT_ONE;
  totals->of_number += bit >= WB_BIT_OF_NUMBER;
  if (bit == WB_BIT_ANY)
    return true;
  if (bit < WB_BIT_ANY)
    return value == (bit == WB_BIT_ONE);
  return value == ((number >> (bit - WB_BIT_OF_NUMBER) / 2 & 1) != (bit & 1));
}

/* Whether the lane is as the state says. */
static bool is_so(const struct wb_bit_state *state, const struct wb_concrete_lane *lane,
                  uint64_t number, struct totals *totals)
{
  for (unsigned r = 0; r < MICRO_REGISTERS; r++)
    for (unsigned i = 0; i < 32; i++)
      if (!agrees(state->registers[r][i], (lane->words[r] >> i & 1) != 0, number, totals))
        return false;
  for (unsigned p = WB_REGISTER_PREDICATE; p <= WB_REGISTER_CONDITION_CODE; p++) {
    const uint8_t bit = state->predicates[wb_predicate_index(p)];
    totals->truths += bit != WB_BIT_ANY;
    if (!agrees(bit, lane->words[p] != 0, number, totals))
      return false;
  }
  return true;
}

static void try_program(uint64_t seed, struct totals *totals)
{
  static struct wb_concrete warp; /* large, as is the state */
  static struct wb_bit_state state;
  static struct micro_program program;
  struct micro_listing listing;
  struct wb_random random = {seed};
  const uint64_t number = wb_random_next(&random);
  program = (struct micro_program){0};
  warp = (struct wb_concrete){.running = 1, .random = {wb_random_next(&random)}};
  begin(&random, number, &warp.lanes[0], &state);
  micro_draw(&random, 1 + (size_t)wb_random_below(&random, 6), &program);
  micro_describe(&program, &listing);
  for (size_t i = 0; i < program.count; i++) {
    const struct wb_micro_code *code = &program.steps[i].code;
    wb_bits_apply(&state, &listing.function, (uint32_t)i, code);
    wb_domain_apply(&wb_concrete_domain, &warp, &listing.function, (uint32_t)i, code);
    if (is_so(&state, &warp.lanes[0], number, totals))
      continue;
    for (size_t s = 0; s <= i; s++)
      micro_print(&program.steps[s]);
    fail_msg("WARPBOUND_SEED=%" PRIu64 " WARPBOUND_CROSS_RUNS=1: a bit is not as the state says",
             seed);
  }
}

TEST(lanes_are_among_states)
{
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  struct totals totals = {0};
  for (uint64_t n = 0; n < runs; n++)
    try_program(seed + n, &totals);
  printf("# %zu bits, %zu of them known, %zu those of a number, %zu truths\n", totals.bits,
         totals.known, totals.of_number, totals.truths);
  if (runs >= DEFAULT_RUNS) {
    assert_true(totals.known * 8 > totals.bits);
    assert_true(totals.of_number * 20 > totals.bits);
    assert_true(totals.truths > runs);
  }
}
