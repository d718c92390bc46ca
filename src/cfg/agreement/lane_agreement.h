/* The agreement domain: which registers hold one value in all lanes of a group. Nothing of an
 * instruction is used but what it reads and writes and how its results may depend on the lane. Sets
 * of registers are kept once each: a set is a number, and equal sets are equal numbers. */
#ifndef WB_CFG_AGREEMENT_LANE_AGREEMENT_H
#define WB_CFG_AGREEMENT_LANE_AGREEMENT_H

#include "base/hash_table.h"
#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bits of the register whose bits are followed (bit_register of a function) count as 32 more
 * registers, which are written where it is. Number WB_REGISTER_COUNT itself is left free. */
#define WB_AGREEMENT_BITS (WB_REGISTER_COUNT + 1)
#define WB_AGREEMENT_COUNT (WB_AGREEMENT_BITS + 32)
#define WB_REGISTER_WORDS ((WB_AGREEMENT_COUNT + 63) / 64)

/* Register r is bit r % 64 of word r / 64. */
struct wb_register_set {
  uint64_t words[WB_REGISTER_WORDS]; /* the bits */
};

/* Two sets that always have the same numbers. */
enum {
  WB_REGISTERS_NONE = 0, /* the empty set */
  WB_REGISTERS_ALL = 1   /* all registers */
};

/* Invariant: no two of sets[0..count-1] are equal, and table finds them. */
struct wb_register_sets {
  struct wb_register_set *sets; /* by number */
  size_t count;                 /* sets */
  size_t capacity;              /* room in sets */
  struct wb_hash_table table;   /* from a set to its number */
  bool failed;                  /* sticky: memory was out, and some number is wrong */
};

bool wb_register_sets_start(struct wb_register_sets *sets);
void wb_register_sets_free(struct wb_register_sets *sets);

/* The number of a set. */
uint32_t wb_register_sets_number(struct wb_register_sets *sets, const struct wb_register_set *set);

uint32_t wb_register_sets_both(struct wb_register_sets *sets, uint32_t a, uint32_t b);
uint32_t wb_register_sets_either(struct wb_register_sets *sets, uint32_t a, uint32_t b);
/* The registers of a that are not in b. */
uint32_t wb_register_sets_without(struct wb_register_sets *sets, uint32_t a, uint32_t b);
/* Whether every register of `small` is in `large`. */
bool wb_register_sets_include(const struct wb_register_sets *sets, uint32_t large, uint32_t small);

/* The invariants, and that sets 0 and 1 are the empty set and all registers: NULL, or which one is
 * broken. Linear. */
const char *wb_register_sets_check(const struct wb_register_sets *sets);

static inline bool wb_register_set_has(const struct wb_register_set *set, unsigned number)
{
  return (set->words[number / 64] >> number % 64 & 1) != 0;
}

/* Whether all registers of a span are in the set. */
bool wb_register_set_has_span(const struct wb_register_set *set, struct wb_register_span span);
void wb_register_set_add(struct wb_register_set *set, struct wb_register_span span);
void wb_register_set_remove(struct wb_register_set *set, struct wb_register_span span);

/* ---- agreement ---- */

/* Adds what is written to a set: the span, and the single bits of a register in it. */
void wb_register_set_add_written(struct wb_register_set *set, const struct wb_function *function,
                                 struct wb_register_span span);

/* Whether the bits that an instruction tests (WB_BITS_TESTED) are all in the set, each by itself or
 * with its register. */
bool wb_register_set_has_tested(const struct wb_register_set *set,
                                const struct wb_function *function,
                                const struct wb_instruction *instruction);

/* Whether all lanes that agree on a set of registers do a conditional instruction, or none. */
bool wb_simt_condition_agrees(const struct wb_function *function,
                              const struct wb_instruction *instruction,
                              const struct wb_register_set *agreed);

/* Whether the indexed branch is warp-uniform. */
bool wb_simt_index_agrees(const struct wb_function *function,
                          const struct wb_instruction *instruction,
                          const struct wb_register_set *agreed);

/* A data instruction: the registers that the lanes which run agree on afterwards; what it may write
 * is added to `written`. */
void wb_simt_agreement_step(const struct wb_function *function,
                            const struct wb_instruction *instruction,
                            struct wb_register_set *agreed, struct wb_register_set *written);

#endif
