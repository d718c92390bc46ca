/* Sets of registers, each kept once: a set is a number, and equal sets are equal numbers. */
#ifndef WB_CFG_SIMT_REGISTER_SETS_H
#define WB_CFG_SIMT_REGISTER_SETS_H

#include "base/hash_table.h"
#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WB_REGISTER_WORDS ((WB_REGISTER_COUNT + 63) / 64)

/* Register r is bit r % 64 of word r / 64. */
struct wb_register_set {
  uint64_t words[WB_REGISTER_WORDS];
};

/* Two sets that always have the same numbers. */
enum { WB_REGISTERS_NONE = 0, WB_REGISTERS_ALL = 1 };

/* Invariant: no two of sets[0..count-1] are equal, and table finds them. failed is sticky: memory
 * was out, and a number is wrong. */
struct wb_register_sets {
  struct wb_register_set *sets;
  size_t count;
  size_t capacity;
  struct wb_hash_table table;
  bool failed;
};

bool wb_register_sets_start(struct wb_register_sets *sets);
void wb_register_sets_free(struct wb_register_sets *sets);

/* The number of a set. */
uint32_t wb_register_sets_number(struct wb_register_sets *sets, const struct wb_register_set *set);

uint32_t wb_register_sets_both(struct wb_register_sets *sets, uint32_t a, uint32_t b);
uint32_t wb_register_sets_either(struct wb_register_sets *sets, uint32_t a, uint32_t b);
/* What is in a and not in b. */
uint32_t wb_register_sets_without(struct wb_register_sets *sets, uint32_t a, uint32_t b);

static inline bool wb_register_set_has(const struct wb_register_set *set, unsigned number)
{
  return (set->words[number / 64] >> number % 64 & 1) != 0;
}

/* Whether all registers of a span are in the set. */
bool wb_register_set_has_span(const struct wb_register_set *set, struct wb_register_span span);
void wb_register_set_add(struct wb_register_set *set, struct wb_register_span span);
void wb_register_set_remove(struct wb_register_set *set, struct wb_register_span span);

#endif
