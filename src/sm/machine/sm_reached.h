/* The states that a search of a whole SM has reached: each once, by what is left to do in it. */
#ifndef WB_SM_MACHINE_SM_REACHED_H
#define WB_SM_MACHINE_SM_REACHED_H

#include "base/arena.h"
#include "makespan/machine/reached.h"

/* States of `warps` classes each; the levels are the instructions left at most. Owns the states. */
struct wb_sm_reached {
  struct wb_reached states; /* hash and context point to this struct */
  uint32_t warps;
  bool narrow;     /* a class has one byte, else two */
  uint8_t *packed; /* working memory: a state's bytes */
};

/* Makes the working memory in an arena. false: no memory. Free the states with wb_reached_free,
 * failed or not. Must not be moved. */
bool wb_sm_reached_start(struct wb_sm_reached *reached, uint32_t warps, size_t classes,
                         size_t levels, struct wb_arena *arena);

/* Records a canonical state, as wb_reached_add. */
bool wb_sm_reached_add(struct wb_sm_reached *reached, const uint16_t *state, size_t level,
                       uint32_t cycles, uint32_t parent);

/* Writes state `index` to where there is room for its classes. */
void wb_sm_reached_read(const struct wb_sm_reached *reached, uint32_t index, uint16_t *state);

#endif
