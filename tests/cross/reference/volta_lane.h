/* One lane that executes integer instructions from Volta on, each by its direct meaning. Shares no
 * code with src/flow. */
#ifndef TESTS_CROSS_VOLTA_LANE_H
#define TESTS_CROSS_VOLTA_LANE_H

#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What stands at a place of constant memory and in a special register. */
struct volta_memory {
  void *context;
  uint32_t (*constant)(void *context, uint32_t bank, uint32_t offset);
  uint32_t (*special)(void *context, const char *name);
};

/* Registers by number; the last of each kind holds a constant. */
struct volta_lane {
  uint32_t registers[256];
  uint32_t uniform[256];
  bool predicates[8];
  bool uniform_predicates[8];
};

/* Executes the instruction without looking at its guard. False where its meaning is not known: then
 * the lane is as it was. */
bool volta_lane_execute(struct volta_lane *lane, const struct volta_memory *memory,
                        const char *opcode, const char *operands);

/* The value of a guard or of a predicate operand: "P0", "!UP1", "PT". */
bool volta_lane_predicate(const struct volta_lane *lane, const char *text);

#endif
