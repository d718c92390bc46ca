/* The states that a search of a whole SM has reached: each once, by what is left to do in it. */
#ifndef WB_SM_MACHINE_SM_REACHED_H
#define WB_SM_MACHINE_SM_REACHED_H

#include "base/hash_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WB_SM_NOWHERE UINT32_MAX

/* cycles: the most that lead to the state, by way of `parent`. next: another of its level. */
struct wb_sm_node {
  uint32_t cycles;
  uint32_t parent;
  uint32_t next;
};

/* State i is `warps` classes, of one byte each where narrow, else two, from bytes[i * stride] on;
 * nodes[i] is its node; table finds them. level[d]: a state in which d instructions are left at
 * most, from which `next` leads to the others. */
struct wb_sm_reached {
  uint32_t warps;
  bool narrow;
  size_t stride;
  uint8_t *bytes;
  size_t byte_capacity;
  struct wb_sm_node *nodes;
  size_t node_capacity;
  size_t count;
  struct wb_hash_table table;
  uint32_t *level;
  size_t levels;
};

/* false: no memory. Free with wb_sm_reached_free, failed or not. */
bool wb_sm_reached_start(struct wb_sm_reached *reached, uint32_t warps, size_t classes,
                         size_t levels);
void wb_sm_reached_free(struct wb_sm_reached *reached);
uint64_t wb_sm_reached_bytes(const struct wb_sm_reached *reached);

/* A settled state of the level is reached after so many cycles: added, or, where it is known,
 * kept with the larger number of cycles. false: no memory. */
bool wb_sm_reached_add(struct wb_sm_reached *reached, const uint16_t *state, size_t level,
                       uint32_t cycles, uint32_t parent);

/* Writes state `index` to where there is room for its classes. */
void wb_sm_reached_read(const struct wb_sm_reached *reached, uint32_t index, uint16_t *state);

#endif
