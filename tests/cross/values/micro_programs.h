/* Random instructions as micro-operations, and their meaning for one lane: for tests of domains. */
#ifndef WB_TESTS_CROSS_VALUES_MICRO_PROGRAMS_H
#define WB_TESTS_CROSS_VALUES_MICRO_PROGRAMS_H

#include "base/random.h"
#include "isa/lower/micro_operation.h"

#define MICRO_STEPS 16
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
  uint16_t lost;   /* a register that gets any number; WB_NO_REGISTER: none */
  uint64_t chance; /* seed of what is not determined */
};

struct micro_program {
  size_t count;
  struct micro_step steps[MICRO_STEPS];
};

/* predicates: by number from WB_REGISTER_PREDICATE on; the condition code's carry is the last. */
struct micro_lane {
  uint32_t registers[MICRO_REGISTERS];
  bool predicates[WB_REGISTER_CONDITION_CODE - WB_REGISTER_PREDICATE + 1];
  bool zero; /* the last sum that set the condition code was 0 */
};

/* Adds instructions until there are at least `wanted`, at most MICRO_STEPS - 2. */
void micro_draw(struct wb_random *random, size_t wanted, struct micro_program *program);

/* The result of an operation from the results before it. SOME_LANE: of this lane. */
uint64_t micro_result(const struct micro_lane *lane, const struct wb_micro_code *code, size_t index,
                      struct wb_random *chance, const uint64_t results[WB_MICRO_LIMIT]);
void micro_write(struct micro_lane *lane, const struct wb_micro_code *code,
                 const struct wb_micro_write *write, const uint64_t results[WB_MICRO_LIMIT]);

/* To stderr. */
void micro_print(const struct micro_step *step);

#endif
