/* The lane values of all registers at a place of the code, for whatever group is about to run it
 * (doc/accesses.md). */
#ifndef WB_VALUES_LANES_LANE_STATE_H
#define WB_VALUES_LANES_LANE_STATE_H

#include "model/code.h"
#include "values/lanes/lane_values.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which registers the states of a function have: those that it names. */
struct wb_lane_layout {
  uint16_t general; /* R0 .. */
  uint16_t uniform; /* UR0 .. */
  uint16_t count;   /* slots: those, then P0 .. P6, CC, UP0 .. UP6 */
};

struct wb_lane_layout wb_lane_layout_of(const struct wb_function *function);
/* The slot of a register, or layout->count where states have none. */
uint16_t wb_lane_slot(const struct wb_lane_layout *layout, unsigned number);

/* Two registers that are not neighbours with a number of 64 bits. */
struct wb_lane_pair {
  uint16_t low, high; /* slots */
  uint32_t value;
};

/* What a register holds where a predicate is `when`: of guarded instructions. */
struct wb_lane_conditional {
  uint16_t slot;
  uint16_t predicate; /* its slot */
  bool when;
  uint32_t value; /* a word */
  uint32_t wide;  /* with the next register, a number of 64 bits; WB_LANES_UNKNOWN: none */
  uint32_t term;  /* within a walk (lane_walk.h) */
};

#define WB_LANE_PAIRS 24
#define WB_LANE_CONDITIONALS 16

/* values[slot]: a word, of a predicate 0 or 1; values[count + slot]: the wide number of that
 * register and the next, beyond what the two words say. The oldest pairs and conditionals are
 * pushed out. Invariant: what stands in a list or is wide was true of the registers since they were
 * written. */
struct wb_lane_state {
  uint32_t *values; /* 2 * layout->count; owned */
  uint32_t lanes;   /* that may be in the group */
  uint16_t pair_count, conditional_count;
  struct wb_lane_pair pairs[WB_LANE_PAIRS];
  struct wb_lane_conditional conditionals[WB_LANE_CONDITIONALS];
};

bool wb_lane_state_make(const struct wb_lane_layout *layout, struct wb_lane_state *state);
void wb_lane_state_free(struct wb_lane_state *state);
void wb_lane_state_copy(const struct wb_lane_layout *layout, const struct wb_lane_state *from,
                        struct wb_lane_state *to);
/* Nothing is known. */
void wb_lane_state_forget_all(const struct wb_lane_layout *layout, struct wb_lane_state *state);

/* What rests on the old value of a slot is forgotten; the value itself stays. */
void wb_lane_state_forget(const struct wb_lane_layout *layout, struct wb_lane_state *state,
                          uint16_t slot);

void wb_lane_state_add_pair(struct wb_lane_state *state, const struct wb_lane_layout *layout,
                            uint16_t low, uint16_t high, uint32_t value);
/* The wide number of two registers, by the lists alone: WB_LANES_UNKNOWN for none. */
uint32_t wb_lane_state_pair(const struct wb_lane_state *state, const struct wb_lane_layout *layout,
                            uint16_t low, uint16_t high);

void wb_lane_state_add_conditional(struct wb_lane_state *state,
                                   const struct wb_lane_conditional *conditional);
/* The row of a register under an outcome of a predicate, or NULL. */
struct wb_lane_conditional *wb_lane_state_conditional(struct wb_lane_state *state, uint16_t slot,
                                                      uint16_t predicate, bool when);

/* Adds what another way brings: a group comes by one or the other. widen: what grew is given up.
 * Returns whether anything changed. */
bool wb_lane_state_join(const struct wb_lane_layout *layout, struct wb_lane_value_pool *values,
                        struct wb_lane_state *mine, const struct wb_lane_state *its, bool widen);

#endif
