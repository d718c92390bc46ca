/* Random instructions as micro-operations, for tests of domains. */
#ifndef WB_TESTS_CROSS_VALUES_MICRO_PROGRAMS_H
#define WB_TESTS_CROSS_VALUES_MICRO_PROGRAMS_H

#include "base/random.h"
#include "isa/lower/micro_operation.h"

#define MICRO_STEPS 40
#define MICRO_REGISTERS 6
#define MICRO_PREDICATES 3

enum micro_type { MICRO_WORD, MICRO_PREDICATE, MICRO_WIDE };

/* By kind: name, the type of the result, those of the sources ('w' a word, 'p' a predicate, 'd' a
 * number of 64 bits, 'n' a number of places). Kinds with sources of their own have none. */
struct micro_meaning {
  const char *name;
  enum micro_type type;
  const char *sources;
};
extern const struct micro_meaning micro_meanings[WB_MICRO_COUNT];

/* An instruction. What it writes stands in its code's writes, and one register more. */
struct micro_step {
  struct wb_micro_code code;
  uint16_t guard;
  bool guard_negated;
  uint16_t lost; /* a register that gets any number; WB_NO_REGISTER: none */
};

struct micro_program {
  size_t count;
  struct micro_step steps[MICRO_STEPS];
};

/* Adds instructions until there are at least `wanted`, at most MICRO_STEPS - 6: up to five more. */
void micro_draw(struct wb_random *random, size_t wanted, struct micro_program *program);

/* The program's instructions: what they write, and their guards. They agree by no rule. */
struct micro_listing {
  struct wb_instruction instructions[MICRO_STEPS];
  struct wb_register_span spans[MICRO_STEPS * (WB_MICRO_WRITE_LIMIT + 1) + 1];
  struct wb_function function;
};

void micro_describe(const struct micro_program *program, struct micro_listing *listing);

/* Leaves something of step i out: 0 the step, 1 its guard, 2 the register that is lost, 3 its last
 * write. Whether there is that. */
#define MICRO_PARTS 4
bool micro_leave_out(struct micro_program *program, size_t i, unsigned what);

/* To stderr. */
void micro_print(const struct micro_step *step);

#endif
