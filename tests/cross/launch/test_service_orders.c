/* What a named order of service does not give (doc/launches/series.md, "Orders of service"): warps
 * that are chains of steps, each at a resource of one server, served first come first served or the
 * oldest warp first, cycle by cycle. Shares no code with the library. */
#include "unit.h"

#include <inttypes.h>

#define STEPS 2048
#define WARPS 16
#define RESOURCES 3

enum order { FIRST_COME, OLDEST };

struct step {
  uint8_t resource, service, delay;
};

/* The steps of each warp, `length` of them. */
struct chains {
  struct step of[WARPS][STEPS];
  uint32_t length, warps;
};

/* A word as "B4 B3 A1+1": resource, service, delay; so often in a row. */
static void repeat(struct chains *chains, const char *word, uint32_t times)
{
  for (uint32_t t = 0; t < times; t++) {
    for (const char *at = word; *at != 0;) {
      struct step step = {.resource = (uint8_t)(at[0] - 'A'), .service = (uint8_t)(at[1] - '0')};
      at += 2;
      if (*at == '+') {
        step.delay = (uint8_t)(at[1] - '0');
        at += 2;
      }
      at += *at == ' ';
      assert_true(chains->length < STEPS && step.resource < RESOURCES);
      for (uint32_t w = 0; w < WARPS; w++)
        chains->of[w][chains->length] = step;
      chains->length++;
    }
  }
}

static struct chains *make(const char *word, uint32_t times, uint32_t warps)
{
  struct chains *chains = calloc(1, sizeof *chains);
  assert_non_null(chains);
  chains->warps = warps;
  repeat(chains, word, times);
  return chains;
}

/* The end of the last warp. Ties go to the older one. */
static uint64_t run(const struct chains *chains, enum order order)
{
  uint32_t next[WARPS] = {0};
  uint64_t arrival[WARPS] = {0};
  uint64_t free_at[RESOURCES] = {0};
  uint64_t end = 0;
  uint32_t left = chains->warps * chains->length;
  for (uint64_t now = 0; left > 0; now++) {
    for (uint8_t r = 0; r < RESOURCES; r++) {
      uint32_t best = WARPS;
      for (uint32_t w = 0; w < chains->warps && free_at[r] <= now; w++) {
        if (next[w] < chains->length && chains->of[w][next[w]].resource == r && arrival[w] <= now &&
            (best == WARPS || (order == FIRST_COME && arrival[w] < arrival[best])))
          best = w;
      }
      if (best == WARPS)
        continue;
      const struct step *step = &chains->of[best][next[best]++];
      free_at[r] = now + step->service;
      /* Not before the next cycle, so that no resource sees it twice in this one. */
      arrival[best] = free_at[r] + step->delay;
      end = arrival[best] > end ? arrival[best] : end;
      left--;
    }
  }
  return end;
}

/* Own steps of a warp, and of the others the work at the busiest resource, or at all. */
static uint64_t claim(const struct chains *chains, bool busiest)
{
  uint64_t own = 0;
  uint64_t work[RESOURCES] = {0};
  uint64_t others = 0;
  for (uint32_t s = 0; s < chains->length; s++) {
    own += (uint64_t)chains->of[0][s].service + chains->of[0][s].delay;
    work[chains->of[0][s].resource] += chains->of[0][s].service;
  }
  for (uint8_t r = 0; r < RESOURCES; r++)
    others = busiest ? (work[r] > others ? work[r] : others) : others + work[r];
  return own + (chains->warps - 1) * others;
}

static void check(const char *word, uint32_t times, uint32_t warps, enum order order,
                  uint64_t expected, uint64_t busiest, uint64_t sum)
{
  struct chains *chains = make(word, times, warps);
  assert_int_equal(run(chains, order), expected);
  assert_int_equal(claim(chains, true), busiest);
  assert_int_equal(claim(chains, false), sum);
  free(chains);
}

/* Own steps and the others' work at the busiest resource are no bound. */
TEST(test_busiest_resource)
{
  check("B1 B1 A1 A1", 1, 2, FIRST_COME, 7, 6, 8);
  check("B4 B3 B2 B2 B1 A4 A2 A3 A2 A1+1", 100, 3, FIRST_COME, 6902, 4900, 7300);
  check("B4 B3 B2 B2 B1 A4 A2 A3 A2 A1+1", 100, 16, FIRST_COME, 22851, 20500, 38500);
  check("B1 B1 A1 B1 A1 A1", 1, 2, OLDEST, 10, 9, 12);
  check("C1 C1 A1 B1 A1", 1, 2, OLDEST, 8, 7, 10);
  check("A1+1 B4 B4 A1 B3 A1 B1 A1+2 A4 A4", 100, 2, OLDEST, 4600, 3900, 5100);
}

/* Oldest first comes as near to the sum as one likes, for two warps and services of one cycle. */
TEST(test_near_the_sum)
{
  const uint32_t q = 8, p = 40;
  struct chains *chains = make("C1", 2 * q, 2);
  repeat(chains, "A1 B1", q);
  for (uint32_t k = 0; k < q; k++) {
    repeat(chains, "A1", p);
    repeat(chains, "B1", p);
  }
  assert_int_equal(run(chains, OLDEST), 1313);
  assert_int_equal(claim(chains, true), 1000);
  assert_int_equal(claim(chains, false), 1344);
  free(chains);
}

/* The longest run where one time of one warp is a cycle shorter, or all of some steps are. */
static uint64_t longest_shorter(const char *word, uint32_t warps, enum order order)
{
  struct chains *chains = make(word, 1, warps);
  uint64_t longest = 0;
  for (uint32_t w = 0; w < warps; w++) {
    for (uint32_t s = 0; s < chains->length; s++) {
      struct step *step = &chains->of[w][s];
      const struct step full = *step;
      if (full.delay > 0)
        step->delay--;
      else if (full.service > 1)
        step->service--;
      else
        continue;
      const uint64_t cycles = run(chains, order);
      longest = cycles > longest ? cycles : longest;
      *step = full;
    }
  }
  free(chains);
  return longest;
}

static void check_anomaly(const char *word, enum order order, uint64_t at_most_times,
                          uint64_t shorter)
{
  struct chains *chains = make(word, 1, 2);
  assert_int_equal(run(chains, order), at_most_times);
  assert_int_equal(longest_shorter(word, 2, order), shorter);
  free(chains);
}

/* A run at the longest times is not the longest run. */
TEST(test_shorter_times)
{
  check_anomaly("A1+1 A1", OLDEST, 4, 5);
  check_anomaly("A1 A1 B2 A1", OLDEST, 7, 8);
  check_anomaly("B1 A1+1 A1", FIRST_COME, 5, 6);
  check_anomaly("A1+3 A1 A1 A1 B2 A1", FIRST_COME, 13, 14);
}
