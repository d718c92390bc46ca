/* A small seeded generator (SplitMix64, Steele, Lea and Flood, OOPSLA 2014), the
 * same on every machine. Not for secrets. */
#ifndef WB_BASE_RANDOM_H
#define WB_BASE_RANDOM_H

#include <assert.h>
#include <stdint.h>

struct wb_random {
  uint64_t state;
};

static inline uint64_t wb_random_next(struct wb_random *random)
{
  uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* A number from 0 to bound - 1; bound > 0. The bias is below bound / 2^64. */
static inline uint64_t wb_random_below(struct wb_random *random, uint64_t bound)
{
  assert(bound > 0);
  return wb_random_next(random) % bound;
}

#endif
