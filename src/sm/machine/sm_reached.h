/* The states that a search of a whole SM has reached: each once, by what is left to do in it. */
#ifndef WB_SM_MACHINE_SM_REACHED_H
#define WB_SM_MACHINE_SM_REACHED_H

#include "base/hash_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WB_SM_NOWHERE UINT32_MAX

struct wb_sm_node {
  uint32_t cycles; /* the most that lead to the state */
  uint32_t parent; /* the state before it on that way */
  uint32_t next;   /* another state of its level */
};

/* States, numbered in the order in which they were reached. Invariant: they differ, and the table
 * finds each. */
struct wb_sm_reached {
  uint32_t warps; /* classes of a state */
  bool narrow;    /* a class has one byte, else two */
  size_t stride;  /* bytes of a state */
  uint8_t *bytes; /* by state: its classes */
  size_t byte_capacity;
  struct wb_sm_node *nodes; /* by state */
  size_t node_capacity;
  size_t count;
  struct wb_hash_table table; /* indices by the bytes */
  /* By instructions left at most: a state of the level, from which `next` leads to the others. */
  uint32_t *level;
  size_t levels; /* of them */
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
