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
 * that number (model/code.h). Unknown instructions and calls to code outside write all. Linear in
 * the instructions. */
bool wb_registers_written(const struct wb_function *function, uint32_t first, uint32_t last,
                          uint32_t number);

#endif
