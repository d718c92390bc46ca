/* The oracle: concrete SIMT execution on Maxwell and Pascal that needs no instruction's
 * meaning. Every destination of an active lane gets a hash of a salt drawn for this dynamic
 * instruction, the opcode, and that lane's source values: lanes with equal inputs get equal
 * outputs, which is what agreement may assume, and no more. Shares no code with the abstract
 * interpretation that it tests. */
#ifndef WB_CFG_INTERPRETER_SIMT_INTERPRETER_H
#define WB_CFG_INTERPRETER_SIMT_INTERPRETER_H

#include "base/status.h"
#include "cfg/interpreter/lane_values.h"
#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most entries: a warp that leaves one there in every round of a loop ends by it. */
#define WB_ACTIVATION_LIMIT ((size_t)1 << 20)

/* The top entry runs; its token is WB_TOKEN_NONE. */
struct wb_activation {
  uint32_t mask;  /* its lanes */
  uint32_t point; /* the instruction at which they go on */
  uint8_t token;  /* what they wait for: enum wb_token */
};

/* Invariants: no mask is empty; the lanes above a token's entry are among its own; no entry with
 * WB_TOKEN_NONE has lanes of one above it. Zero-initialise. */
struct wb_activation_stack {
  struct wb_activation *entries; /* the bottom first */
  size_t count;                  /* entries */
  size_t capacity;               /* room in entries */
};

/* One step of the warp. */
struct wb_simt_step {
  uint32_t instruction; /* that the step does */
  uint32_t next;        /* the instruction that runs afterwards, UINT32_MAX where the warp ends */
  uint32_t active;      /* mask of lanes that are at the instruction */
  uint32_t doing;       /* those of them that do it: guard and condition true */
  uint32_t next_active; /* mask of lanes that are at `next` */
  uint32_t depth;       /* entries of the stack before the step, the top one included */
  bool split;           /* a control instruction that some active lanes did and some did not, or
                         * an indexed branch on which they went to different targets */
  bool reactivated;     /* `next` is not where the lanes of this step went on, but where others of
                         * the stack wait */
  uint32_t matched;     /* a pop: the point of the token that the lanes wait in; else UINT32_MAX */
  const struct wb_activation_stack *stack; /* after the step, until the visitor returns */
};

/* Called after each step; false stops the run. */
typedef bool (*wb_simt_visitor)(void *context, const struct wb_simt_step *step);

/* Which of the active lanes do a control instruction with a guard or a condition, where the
 * hashes propose some: for runs that keep loop bounds. Lanes that agree on all it reads must
 * be treated alike if the run is to be one that agreement allows. */
typedef uint32_t (*wb_simt_decision)(void *context, uint32_t instruction, uint32_t active,
                                     uint32_t proposed);

struct wb_simt_run_options {
  uint64_t seed;           /* of everything that is drawn */
  uint32_t lanes;          /* 1 to WB_LANE_LIMIT */
  uint64_t step_limit;     /* the run ends after so many steps */
  uint32_t bias;           /* how often, of 256, a predicate is true; 0: drawn in each run for each
                            * instruction that writes one */
  wb_simt_visitor visit;   /* or NULL */
  wb_simt_decision decide; /* or NULL: as the hashes propose */
  void *context;           /* of both; borrowed */
};

/* How a run ended, and how long it was. */
struct wb_simt_run {
  uint64_t steps; /* instructions done */
  bool ended;     /* all lanes; false: step limit or visitor */
};

/* Runs one warp from the function's first instruction; where it is no kernel, with a return
 * token at the stack's bottom, whose return ends the lanes. A guarded control instruction on
 * which the lanes disagree acts like a branch round it: those that do not do it wait below, at
 * the next instruction. An indexed branch on which they disagree sends one side, drawn at
 * random, to its target; the others wait below, at theirs where they have one in common, or
 * at the branch, to do it again.
 * Errors: WARPBOUND_INVALID_INPUT with the listing's line (a pop with no token, an unsupported
 * control instruction, control that runs past the end, an architecture without activation
 * stack), WARPBOUND_FACTS_MISSING (an indexed branch without targets),
 * WARPBOUND_LIMIT (WB_ACTIVATION_LIMIT), WARPBOUND_INTERNAL. */
warpbound_status wb_simt_run(const struct wb_code *code, const struct wb_function *function,
                             const struct wb_simt_run_options *options, struct wb_simt_run *run,
                             warpbound_error *error);

#endif
