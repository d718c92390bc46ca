/* The interface of an abstract domain: what is known of the values that registers hold, and how
 * micro-operations change it. A domain is a state of its own kind with these functions; it knows
 * micro-operations and no opcodes. */
#ifndef WB_VALUES_DOMAIN_H
#define WB_VALUES_DOMAIN_H

#include "isa/lower/micro_operation.h"
#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All functions get the domain's context, which has the state before the instruction and room for
 * the results of its operations. */
struct wb_domain {
  const char *name;
  /* Begins an instruction that lanes do under its guard. */
  void (*begin)(void *context, const struct wb_function *function, uint32_t index);
  /* By kind: finds the result of code->operations[index] from its sources. NULL: the result is not
   * known (`unknown` is called in its place). */
  void (*apply[WB_MICRO_COUNT])(void *context, const struct wb_micro_code *code, size_t index);
  /* The result of code->operations[index] is any. */
  void (*unknown)(void *context, const struct wb_micro_code *code, size_t index);
  /* All that the instruction writes is forgotten, after all results are found. What is among the
   * code's writes gets its value by `write` next. */
  void (*forget_writes)(void *context, const struct wb_function *function, uint32_t index,
                        const struct wb_micro_code *code);
  /* A register or predicate gets a result. */
  void (*write)(void *context, const struct wb_micro_code *code,
                const struct wb_micro_write *write);
  /* Every register may hold anything. */
  void (*forget_all)(void *context);
};

/* Does an instruction in a domain: lowers it, and applies what it computes. */
void wb_domain_transfer(const struct wb_domain *domain, void *context,
                        const struct wb_function *function, uint32_t index);

/* Applies what the instruction computes: its operations in order, forgets what it writes, and
 * writes its results. */
void wb_domain_apply(const struct wb_domain *domain, void *context,
                     const struct wb_function *function, uint32_t index,
                     const struct wb_micro_code *code);

/* Whether one of the instructions first .. last (indices, both included) may write the register of
 * that number (model/code.h). Unknown instructions write all. Linear in
 * the instructions. */
bool wb_registers_written(const struct wb_function *function, uint32_t first, uint32_t last,
                          uint32_t number);

enum { WB_LOOKUP_FALSE = 0x00, WB_LOOKUP_TRUE = 0xff };
/* How a variable stands outside the rest of a function, which does not depend on it. */
enum wb_lookup_split {
  WB_SPLIT_NONE,    /* in no way of these */
  WB_SPLIT_AND,     /* variable and rest */
  WB_SPLIT_AND_NOT, /* not variable and rest */
  WB_SPLIT_OR,      /* variable or rest */
  WB_SPLIT_OR_NOT,  /* not variable or rest */
  WB_SPLIT_XOR      /* variable or else rest */
};

/* The table of the variable itself: 0 for a, 1 for b, 2 for c. */
uint8_t wb_lookup_variable(unsigned variable);
/* The table with that variable set. */
uint8_t wb_lookup_fixed(uint8_t table, unsigned variable, bool value);
/* Whether the function depends on the variable. */
bool wb_lookup_depends(uint8_t table, unsigned variable);
/* Splits the function; *rest: the table of the rest. WB_SPLIT_NONE where it does not depend on the
 * variable. */
enum wb_lookup_split wb_lookup_split(uint8_t table, unsigned variable, uint8_t *rest);

#endif
