/* Lemma 9 of doc/loop-bounds.md by brute force: with each error that a reciprocal may have, two
 * corrections of the quotient that compilers guess from it suffice, and the guess is never too
 * great. WARPBOUND_CROSS_RUNS divisors by chance (200000 without it), WARPBOUND_SEED */
#include "float_steps.h"
#include "unit.h"

#include <inttypes.h>
#include <string.h>

#define DEFAULT_RUNS 200000

static void check(uint32_t a, uint32_t d, int error)
{
  const float up = float_rounded_up(d);
  float scaled = float_reciprocal(up, error);
  uint32_t bits;
  memcpy(&bits, &scaled, sizeof bits);
  bits += 0xffffffe;
  memcpy(&scaled, &bits, sizeof bits);
  const uint32_t estimate = float_truncated(scaled);
  const uint32_t left = 0 - estimate * d;
  const uint32_t refined = estimate + (uint32_t)(((uint64_t)estimate * left) >> 32);
  const uint32_t guess = (uint32_t)(((uint64_t)refined * a) >> 32);
  if ((uint64_t)guess * d > a || a - (uint64_t)guess * d >= 3 * (uint64_t)d)
    fail_msg("%" PRIu32 " / %" PRIu32 " with an error of %d: guess %" PRIu32, a, d, error, guess);
}

/* Dividends at which a guess is most easily wrong, and some others. */
static void check_divisor(uint32_t d, struct wb_random *random)
{
  const uint32_t multiple = UINT32_MAX / d * d;
  const uint32_t some = (uint32_t)wb_random_next(random);
  const uint32_t dividends[] = {
      0, d - 1, d, d + 1, multiple - 1, multiple, some / d * d, some / d * d - 1, some, UINT32_MAX};
  for (size_t i = 0; i < sizeof dividends / sizeof *dividends; i++) {
    for (int error = -1; error <= 1; error++)
      check(dividends[i], d, error);
  }
}

TEST(two_corrections_suffice)
{
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  struct wb_random random = {seed};
  printf("# WARPBOUND_SEED=%" PRIu64 "\n", seed);
  for (uint32_t d = 1; d < 5000; d++) {
    check_divisor(d, &random);
    check_divisor(0 - d, &random);
  }
  for (unsigned power = 1; power < 32; power++) {
    for (uint32_t near = 0; near < 200; near++)
      check_divisor((UINT32_C(1) << power) + near, &random);
  }
  for (uint64_t run = 0; run < runs; run++) {
    const uint32_t d = (uint32_t)wb_random_next(&random) >> wb_random_below(&random, 32);
    check_divisor(d > 0 ? d : 1, &random);
  }
}
