/* The domain of symbols: which words and predicates of one thread are surely equal, to each other,
 * to a number, or to what a register held at the start of a walk. Its context is a struct
 * wb_symbol_walk. */
#ifndef WB_VALUES_SYMBOLS_SYMBOL_DOMAIN_H
#define WB_VALUES_SYMBOLS_SYMBOL_DOMAIN_H

#include "values/domain.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wb_symbol_kind {
  WB_SYMBOL_ANY,      /* of a result: equal to nothing that is known */
  WB_SYMBOL_START,    /* number: what that register held at the start */
  WB_SYMBOL_NUMBER,   /* number: the word; of a predicate 0 or 1 */
  WB_SYMBOL_CONSTANT, /* the word at c[block][number] */
  WB_SYMBOL_RESULT,   /* what an instruction gave a register when the block ran last: number */
  WB_SYMBOL_JOIN      /* what register `number` held when the block began last */
};

/* A word or a predicate. Two that are equal in all members have one value, if not WB_SYMBOL_ANY. */
struct wb_symbol {
  uint32_t block;
  uint32_t number; /* by kind; of a result the instruction times WB_SYMBOL_REGISTERS, plus the
                    * register */
  uint8_t kind;    /* enum wb_symbol_kind */
  bool negated;    /* of a predicate */
};

enum { WB_SYMBOL_REGISTERS = 1024 };

/* Instructions of a function of which results have numbers. */
#define WB_SYMBOL_MOST_INSTRUCTIONS (UINT32_MAX / WB_SYMBOL_REGISTERS)

/* What registers hold. */
struct wb_symbol_state {
  struct wb_symbol registers[WB_REGISTER_COUNT];
  bool no_difference; /* the condition code is that of a difference of two equal words */
};

/* A predicate that is known to be true, or false, where the walk ends. */
struct wb_known_symbol {
  struct wb_symbol symbol; /* not negated */
  bool truth;
};

#define WB_SYMBOLS_KNOWN 8

struct wb_symbol_walk {
  struct wb_symbol_state *state;
  uint32_t block; /* that runs */
  struct wb_known_symbol known[WB_SYMBOLS_KNOWN];
  size_t known_count;
  /* Of the instruction that is done: */
  const struct wb_function *function;
  uint32_t instruction;
  struct wb_symbol lower[WB_MICRO_LIMIT], upper[WB_MICRO_LIMIT]; /* results */
  bool no_difference[WB_MICRO_LIMIT]; /* of sums: a difference of two equal words */
};

extern const struct wb_domain wb_symbol_domain;

/* Every register holds what it does at the start. */
void wb_symbol_state_start(struct wb_symbol_state *state);

/* What registers hold at the start of the block, to which both states lead. */
void wb_symbol_state_join(struct wb_symbol_state *state, const struct wb_symbol_state *other,
                          uint32_t block);

/* What a register holds is not known at the start of the block. */
void wb_symbol_state_forget(struct wb_symbol_state *state, uint32_t number, uint32_t block);

bool wb_symbols_equal(const struct wb_symbol *a, const struct wb_symbol *b);

struct wb_symbol wb_symbol_of_number(uint32_t number);

/* The symbol of what an instruction gives a register in the block that runs. */
struct wb_symbol wb_symbol_of_result(const struct wb_symbol_walk *walk, uint32_t instruction,
                                     uint32_t number);

/* Whether a predicate is known, and then what it is. */
bool wb_symbol_truth(const struct wb_symbol_walk *walk, const struct wb_symbol *predicate,
                     bool *truth);

/* Whether the thread does the instruction, where its guard tells. */
enum wb_symbol_guard { WB_GUARD_DOES, WB_GUARD_SKIPS, WB_GUARD_MAY };
enum wb_symbol_guard wb_symbol_guard(const struct wb_symbol_walk *walk,
                                     const struct wb_instruction *instruction);

/* Does an instruction, under its guard. */
void wb_symbol_step(struct wb_symbol_walk *walk, const struct wb_function *function,
                    uint32_t instruction);

#endif
