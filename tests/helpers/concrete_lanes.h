/* The concrete domain: the numbers that 32 lanes hold. Each micro-operation is done exactly as
 * isa/lower/micro_operation.h says. Tests compare lowering and other domains with it. */
#ifndef CONCRETE_LANES_H
#define CONCRETE_LANES_H

#include "base/random.h"
#include "values/domain.h"

#define WB_CONCRETE_LANES 32

/* A number, and whether it is the only one that the meaning of micro-operations allows: what they
 * leave open is drawn at random. A predicate is 0 or 1. */
struct wb_concrete_number {
  uint64_t number;
  bool known;
};

struct wb_concrete_lane {
  uint32_t words[WB_REGISTER_COUNT]; /* registers, predicates, the condition code's carry */
  bool known[WB_REGISTER_COUNT];
  bool zero; /* of the condition code: the sum that set it was 0 */
  bool zero_known;
};

/* What the lanes read beside registers. The functions get `context`. */
struct wb_concrete_memory {
  void *context;
  uint32_t (*constant)(void *context, uint32_t bank, uint32_t offset);
  uint32_t (*special)(void *context, unsigned lane, uint32_t which); /* enum wb_special_register */
};

/* The domain's context. The caller sets the state, `running` and the memory; the rest is the
 * domain's. */
struct wb_concrete {
  struct wb_concrete_lane lanes[WB_CONCRETE_LANES];
  uint32_t running; /* the lanes that come to an instruction; not 0 */
  struct wb_concrete_memory memory;
  struct wb_random random;
  uint32_t doing; /* those of them whose guard holds */
  struct wb_concrete_number results[WB_MICRO_LIMIT][WB_CONCRETE_LANES];
};

extern const struct wb_domain wb_concrete_domain;

/* Does the operations and writes of code for all running lanes. */
void wb_concrete_run(struct wb_concrete *concrete, const struct wb_micro_code *code);

#endif
