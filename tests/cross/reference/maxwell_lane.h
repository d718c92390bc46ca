/* One lane that executes integer instructions of Maxwell and Pascal, each by its direct meaning.
 * Shares no code with src/. */
#ifndef TESTS_CROSS_MAXWELL_LANE_H
#define TESTS_CROSS_MAXWELL_LANE_H

#include "volta_lane.h"

/* Registers by number; the last of each kind holds a constant. */
struct maxwell_lane {
  uint32_t registers[256];
  bool predicates[8];
  bool carry; /* of the condition code */
  bool zero;
  bool carry_known; /* after an instruction: it set the condition code, in a way that is known */
};

/* Executes the instruction without looking at its guard. False where its meaning is not known: then
 * the lane is as it was. */
bool maxwell_lane_execute(struct maxwell_lane *lane, const struct volta_memory *memory,
                          const char *opcode, const char *operands);

#endif
