/* T(W) by the words of its definition, for tests: explicit warps, every subset of
 * them in every cycle. Shares nothing with the engine. */
#ifndef TESTS_CROSS_BRUTE_FORCE_H
#define TESTS_CROSS_BRUTE_FORCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BRUTE_WARP_LIMIT 16u
#define BRUTE_LENGTH_LIMIT 255u
#define BRUTE_UNIT_TYPES 5
#define BRUTE_STATE_LIMIT ((size_t)2000000)

/* letters: the string over "LCSDTN". capacity: of L, C, S, D, T; N has no limit.
 * issue_slots: 0 for no cap. Where fair_count is not 0 the scheduler is fair between fair_count
 * blocks of fair_length instructions, the first from instruction fair_first (from 1) on. */
struct brute_machine {
  const char *letters;
  uint32_t capacity[BRUTE_UNIT_TYPES];
  uint32_t issue_slots;
  uint32_t fair_first;
  uint32_t fair_length;
  uint32_t fair_count;
};

/* The longest paths found so far, by state. A state is each warp's position (how
 * many instructions it has issued); sorted: warps that differ in their number only
 * are taken for one. */
struct brute_force;

/* At most BRUTE_WARP_LIMIT warps and BRUTE_LENGTH_LIMIT instructions; machine is
 * borrowed. NULL where memory is out. */
struct brute_force *brute_start(const struct brute_machine *machine, uint32_t warps, bool sorted,
                                size_t state_limit);
/* The most cycles from warps at these positions to the end of them all. False: too
 * large, more states than the limit. */
bool brute_longest(struct brute_force *brute, const uint8_t *positions, uint32_t *cycles);
void brute_free(struct brute_force *brute);

/* T(warps): all warps at the start. False: too large. */
bool brute_makespan(const struct brute_machine *machine, uint32_t warps, size_t state_limit,
                    uint32_t *cycles);

#endif
