/* Copies by lanes: what puts a value unchanged elsewhere, also through local memory. */
#ifndef WB_CFG_INTERPRETER_GROUPS_LANE_COPIES_H
#define WB_CFG_INTERPRETER_GROUPS_LANE_COPIES_H

#include "base/hash_table.h"
#include "cfg/interpreter/lane_values.h"
#include "model/code.h"

#include <stddef.h>
#include <stdint.h>

/* The most words of local memory that all lanes have stored. */
#define WB_LOCAL_WORD_LIMIT ((size_t)1 << 22)

/* A word of a lane's local memory. */
struct wb_local_word {
  uint32_t lane;
  uint32_t address;
  uint32_t number; /* its value */
};

/* The words that copies have stored, and room for one instruction's copies. Zero-initialise; free
 * with wb_lane_copies_free. */
struct wb_lane_copies {
  struct wb_local_word *words; /* no two of one lane and address */
  size_t word_count;           /* words */
  size_t word_capacity;        /* room for words */
  struct wb_hash_table table;  /* of the words */
  uint32_t *sources;           /* copy * WB_LANE_LIMIT + lane: what the copy puts there */
  uint32_t *missing;           /* by copy: lanes that load a word that nobody has stored */
  size_t source_capacity;      /* of sources */
  size_t missing_capacity;     /* of missing */
};

/* The instruction writes its registers in the lanes of `doing`: with the exact values where they
 * are copies, and else as wb_lane_values_write does; a uniform register in all lanes of `active`. A
 * word that nobody has stored gets the value that the load draws. values->own_uniform holds. doing
 * has lanes. False where memory is out or there are WB_LOCAL_WORD_LIMIT words. */
bool wb_lane_copies_write(struct wb_lane_copies *copies, struct wb_lane_values *values,
                          const struct wb_function *function, uint32_t instruction, uint32_t active,
                          uint32_t doing, uint64_t salt);

void wb_lane_copies_free(struct wb_lane_copies *copies);

#endif
