/* The turns of a loop: the ways of a thread from the loop's header to a back edge, each with what
 * the registers hold at its end in terms of what they held at the header, and with the comparisons
 * that hold on it. */
#ifndef WB_FLOW_LOOP_BOUNDS_LOOP_TURNS_H
#define WB_FLOW_LOOP_BOUNDS_LOOP_TURNS_H

#include "base/arena.h"
#include "cfg/graph/loops.h"
#include "flow/loop_bounds/thread_flow.h"
#include "values/linear/linear_forms.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WB_TURN_LIMIT = 64, WB_TURN_REGISTERS = 64 };

/* A comparison that holds. */
struct wb_turn_test {
  struct wb_form left, right;
  uint8_t relation; /* enum wb_relation */
  bool as_signed;
};

/* The same of numbers of 64 bits. */
struct wb_turn_wide_test {
  struct wb_exact left, right;
  uint8_t relation; /* enum wb_relation */
  bool as_signed;
};

struct wb_turn {
  struct wb_form *next;         /* by place in `registers`: at the back edge */
  struct wb_exact *exact;       /* the same */
  struct wb_form_shift *shifts; /* the forms of symbols from WB_SYMBOL_SHIFTED on */
  struct wb_exact_part *parts;  /* of exact forms */
  size_t part_count;
  struct wb_turn_test *tests;
  size_t test_count;
  struct wb_turn_wide_test *wide_tests;
  size_t wide_test_count;
};

/* All turns. Owns an arena. */
struct wb_turns {
  const struct wb_function *function;
  const struct wb_launch *launch;
  uint16_t registers[WB_TURN_REGISTERS]; /* those that the loop's tests depend on */
  size_t register_count;
  uint32_t constants[WB_SYMBOL_CONSTANT_LIMIT]; /* the places of symbols from WB_SYMBOL_CONSTANT
                                                   on */
  struct wb_turn turns[WB_TURN_LIMIT];
  size_t count;
  bool merged; /* there were more: those that say the same are one, and nothing is exact */
  struct wb_arena arena;
};

/* Finds the turns of a reducible loop. Where they are too many, what depends on words that nobody
 * knows is left out, and turns that are then alike are one. False where these are too many, or
 * memory is out; to be freed also then. Inner loops write anything to the registers that they
 * write. *budget: instructions that may be looked at, less those that were. */
bool wb_turns_find(const struct wb_thread_flow *flow, const struct wb_loop_forest *forest,
                   uint32_t loop, const struct wb_launch *launch, uint64_t *budget,
                   struct wb_turns *turns);
void wb_turns_free(struct wb_turns *turns);

/* What the register holds at the end of the turn. Another than `registers` has any: false. */
bool wb_turn_next(const struct wb_turns *turns, const struct wb_turn *turn, uint16_t number,
                  struct wb_form *next);
bool wb_turn_exact_next(const struct wb_turns *turns, const struct wb_turn *turn, uint16_t number,
                        struct wb_exact *next);

#endif
