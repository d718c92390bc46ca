/* A walk through one block (doc/accesses.md): lane values of registers, and which words came from
 * which, so that two words are known as one number of 64 bits. */
#ifndef WB_VALUES_LANES_LANE_WALK_H
#define WB_VALUES_LANES_LANE_WALK_H

#include "isa/lower/micro_operation.h"
#include "model/code.h"
#include "values/lanes/lane_values.h"
#include "values/launch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- the state at a place of the code ---- */

/* Which registers the states of a function have: those that it names. */
struct wb_lane_layout {
  uint16_t general; /* R0 .. */
  uint16_t uniform; /* UR0 .. */
  uint16_t count;   /* slots: those, then P0 .. P6, CC, UP0 .. UP6 */
};

/* The slot of a register, or layout->count where states have none. */
uint16_t wb_lane_slot(const struct wb_lane_layout *layout, unsigned number);

/* Two registers that are not neighbours with a number of 64 bits. */
struct wb_lane_pair {
  uint16_t low, high; /* slots */
  uint32_t value;
};

/* What a register holds where a predicate is `when`: of guarded instructions. */
struct wb_lane_conditional {
  uint16_t slot;
  uint16_t predicate; /* its slot */
  bool when;
  uint32_t value; /* a word */
  uint32_t wide;  /* with the next register, a number of 64 bits; WB_LANES_UNKNOWN: none */
  uint32_t term;  /* within a walk (lane_walk.h) */
};

#define WB_LANE_PAIRS 24
#define WB_LANE_CONDITIONALS 16

/* values[slot]: a word, of a predicate 0 or 1; values[count + slot]: the wide number of that
 * register and the next, beyond what the two words say. The oldest pairs and conditionals are
 * pushed out. Invariant: what stands in a list or is wide was true of the registers since they were
 * written. */
struct wb_lane_state {
  uint32_t *values; /* 2 * layout->count; owned */
  uint32_t lanes;   /* that may be in the group */
  uint16_t pair_count, conditional_count;
  struct wb_lane_pair pairs[WB_LANE_PAIRS];
  struct wb_lane_conditional conditionals[WB_LANE_CONDITIONALS];
};

bool wb_lane_state_make(const struct wb_lane_layout *layout, struct wb_lane_state *state);
void wb_lane_state_free(struct wb_lane_state *state);
void wb_lane_state_copy(const struct wb_lane_layout *layout, const struct wb_lane_state *from,
                        struct wb_lane_state *to);
/* Nothing is known. */
void wb_lane_state_forget_all(const struct wb_lane_layout *layout, struct wb_lane_state *state);

/* What rests on the old value of a slot is forgotten; the value itself stays. */
void wb_lane_state_forget(const struct wb_lane_layout *layout, struct wb_lane_state *state,
                          uint16_t slot);

/* Adds what another way brings: a group comes by one or the other. widen: what grew is given up.
 * Returns whether anything changed. */
bool wb_lane_state_join(const struct wb_lane_layout *layout, struct wb_lane_value_pool *values,
                        struct wb_lane_state *mine, const struct wb_lane_state *its, bool widen);

/* ---- the walk ---- */

/* How a word came about, as far as it tells of numbers of 64 bits. */
enum wb_lane_form {
  WB_LANE_PLAIN,         /* in no way of these */
  WB_LANE_ENTRY,         /* a register's at the begin of the block */
  WB_LANE_SHIFTED_LEFT,  /* a << places, 0 < places < 32 */
  WB_LANE_SHIFTED_RIGHT, /* a >> places, 0 < places < 32; as_signed */
  WB_LANE_FUNNEL,        /* the upper word of (b, a) << places, 0 < places < 32 */
  WB_LANE_CARRY,         /* of c, the sum of a and b, each subtracted where it is negated; at most
                          * one is */
  WB_LANE_UPPER,         /* the upper word of `wide`, whose lower word is a; equal to b, unless
                          * number is 0 */
  WB_LANE_CHOICE,        /* c ? a : b */
  WB_LANE_PRODUCT,       /* a * b */
  WB_LANE_SCALED,        /* a * number >> places, a below 2^31 where as_signed; less a where
                          * a_negated */
  WB_LANE_DIFFERENCE,    /* a - b */
  WB_LANE_REMAINDER,     /* a modulo number */
  WB_LANE_SUM,           /* a + b, of which a is pieces */
  WB_LANE_PIECES         /* (number * the lower half of a + upper * its upper half) >> places */
};

/* A word or predicate of the block. Two registers with one term hold one word in each lane (value
 * numbering); registers with different terms may too. */
struct wb_lane_term {
  uint32_t value;   /* its lane value */
  uint32_t wide;    /* by form */
  uint32_t a, b, c; /* by form: terms */
  uint64_t number, upper;
  uint8_t form; /* enum wb_lane_form */
  uint8_t places;
  bool as_signed;
  bool a_negated, b_negated;
};

/* Terms with fixed numbers: from 0 on those of the slots at the begin of the block, then those of
 * the rows of conditionals, then zero. */
struct wb_lane_walk {
  const struct wb_function *function;
  const struct wb_launch *launch; /* NULL: not known */
  struct wb_lane_layout layout;
  uint32_t warps; /* bit w: it may be warp w of its block */
  struct wb_lane_value_pool *values;
  const struct wb_lane_state *entry; /* at the begin of the block */
  struct wb_lane_state *state;       /* now; its numbers of 64 bits are those of the begin until
                                      * wb_lane_walk_end */
  uint32_t *slots;                   /* by slot: its term; owned */
  struct wb_lane_term *terms;        /* owned */
  size_t term_count, term_capacity;

  /* Of the instruction. */
  uint16_t guard;    /* the slot of its guard, layout.count for none */
  bool when;         /* lanes do it where the guard is that */
  bool together;     /* all lanes do it, or none */
  bool guard_stays;  /* it does not write its guard */
  uint32_t guard_of; /* the guard's term */
  uint32_t generic;  /* the lane value of what it writes and is not known better */
  struct wb_lane_result {
    uint32_t value;              /* of a number of 64 bits; else the term has it */
    uint32_t term, upper;        /* the word, or the two of a number of 64 bits */
    struct wb_lane_term product; /* of a number of 64 bits: a form of its upper word, or PLAIN */
  } results[WB_MICRO_LIMIT];
  bool failed; /* sticky: memory was out */
};

/* values and launch are borrowed. */
bool wb_lane_walk_make(const struct wb_function *function, const struct wb_launch *launch,
                       struct wb_lane_value_pool *values, struct wb_lane_walk *walk);
void wb_lane_walk_free(struct wb_lane_walk *walk);

/* The walk comes to a block: from `entry`, which stays as it is until the end, with *state a copy
 * of it. */
void wb_lane_walk_begin(struct wb_lane_walk *walk, const struct wb_lane_state *entry,
                        struct wb_lane_state *state);
/* The walk leaves the block: walk->state gets the numbers of 64 bits in two registers. */
void wb_lane_walk_end(struct wb_lane_walk *walk);

/* What is read is for lanes that do this instruction. */
void wb_lane_walk_look(struct wb_lane_walk *walk, const struct wb_instruction *instruction);

uint32_t wb_lane_term_zero(const struct wb_lane_walk *walk);
/* A new term. */
uint32_t wb_lane_term_add(struct wb_lane_walk *walk, const struct wb_lane_term *term);
/* A new term of which the value alone is known. */
uint32_t wb_lane_term_plain(struct wb_lane_walk *walk, uint32_t value);
uint32_t wb_lane_term_value(const struct wb_lane_walk *walk, uint32_t term);
/* Whether it is one known number in all lanes. */
bool wb_lane_term_number(const struct wb_lane_walk *walk, uint32_t term, uint32_t *number);

/* The lane value of the number of 64 bits that two words are. */
uint32_t wb_lane_terms_wide(struct wb_lane_walk *walk, uint32_t low, uint32_t high);

/* condition ? a : b. */
uint32_t wb_lane_term_choice(struct wb_lane_walk *walk, uint32_t condition, uint32_t a, uint32_t b);
/* The term of a register for the lanes that do the instruction; of RZ, URZ zero. */
uint32_t wb_lane_walk_read(struct wb_lane_walk *walk, unsigned number);
/* A register gets a word, where lanes do the instruction. */
void wb_lane_walk_write(struct wb_lane_walk *walk, unsigned number, uint32_t term);

/* The word at c[bank][offset]. */
uint32_t wb_lane_constant(const struct wb_lane_walk *walk, unsigned bank, uint64_t offset);
/* A special register: enum wb_special_register. */
uint32_t wb_lane_special(const struct wb_lane_walk *walk, unsigned special);
/* The warps of a block, as walk->warps; 0: not known. */
uint32_t wb_lane_block_warps(const struct wb_lane_walk *walk);
/* The lanes that a warp of walk->warps has at most. */
uint32_t wb_lane_launch_mask(const struct wb_lane_walk *walk);
/* The warps of a block whose lanes' indices are apart as those of that one. walk->warps is lost. */
uint32_t wb_lane_warps_like(struct wb_lane_walk *walk, unsigned warp);

#endif
