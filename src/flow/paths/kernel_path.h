/* From code to the kernel instruction string of one of its paths. */
#ifndef WB_FLOW_PATHS_KERNEL_PATH_H
#define WB_FLOW_PATHS_KERNEL_PATH_H

#include "base/list.h"
#include "base/status.h"
#include "flow/paths/longest_path.h"
#include "model/code.h"
#include "model/estimate.h"
#include "model/kernel_string.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The user's assumption about a function without a body, or about indirect calls:
 * `--assume-call NAME=STRING`. */
struct wb_call_assumption {
  const char *name; /* "indirect" for indirect calls */
  struct wb_kernel_string string;
};

/* How often the body of one loop is done. */
struct wb_loop_iterations {
  const char *place; /* a label or the number of a line; means the innermost loop that holds it */
  uint32_t iterations;
};

/* All borrowed. */
struct wb_path_options {
  enum wb_path_order order;
  uint32_t iterations; /* of each loop's body; 0: not said, and a loop is then an error */
  const struct wb_loop_iterations *loops; /* of single loops; later rows win */
  size_t loop_count;
  /* A label of the kernel: the path ends before its instruction; the number of a line of the
   * listing: the path ends after the instruction there; the first time that the path comes there.
   * NULL: the path ends with the kernel. */
  const char *through;
  /* Numbers of lines, whose conditional branch, return or exit the path does, and labels that it
   * goes through. */
  const char *const *takes;
  size_t take_count;
  const struct wb_call_assumption *calls;
  size_t call_count;
};

/* A way that a branch, return or exit on the path could go and the path never does. Borrows from
 * the code. */
struct wb_path_arm {
  const struct wb_instruction *branch;
  const char *label; /* of the instruction that it leads to, or NULL */
  uint32_t line;     /* of that instruction; 0: the end of the function */
  bool falls;        /* to the next instruction */
};

/* A path of a kernel. Owns all but the instructions. */
struct wb_kernel_path {
  struct wb_kernel_string string;
  const struct wb_instruction **steps; /* in order; assumed calls are in the string alone */
  size_t step_count;
  size_t step_capacity;
  struct wb_estimate estimate; /* why nothing that rests on the string is proven of the kernel */
  /* The instructions of the path, each once, that can become several machine instructions. */
  const struct wb_instruction **several;
  size_t several_count;
  size_t several_capacity;
  struct wb_path_arm *arms; /* what the path leaves out */
  size_t arm_count;
  size_t arm_capacity;
  struct wb_list assumptions;
};

/* The path of a kernel of most instructions, or its fall-through path (the "branchless" reading of
 * ECRTS 2012 and ETFA 2013), which takes the fewest conditional branches; doc/ptx.md says which
 * paths there are to choose from. Calls are followed. It is an estimate.
 * Errors: WARPBOUND_FACTS_MISSING (iterations, a callee's string, where a register points, a loop
 * of several entries or without a way out), WARPBOUND_INVALID_INPUT (recursion, more than
 * WB_STRING_LIMIT instructions, loops nested too deep), WARPBOUND_USAGE (no path comes to
 * `through`, goes by `takes`, or through a loop of `loops`), each with file and line.
 * Near linear in the listing's length and the path's. */
warpbound_status wb_kernel_path_walk(const struct wb_code *code, const struct wb_function *kernel,
                                     const struct wb_path_options *options,
                                     struct wb_kernel_path *path, warpbound_error *error);

void wb_kernel_path_free(struct wb_kernel_path *path);

#endif
