/* From a program to the kernel instruction string of one of its paths. */
#ifndef WB_FLOW_PATHS_KERNEL_PATH_H
#define WB_FLOW_PATHS_KERNEL_PATH_H

#include "base/list.h"
#include "base/status.h"
#include "flow/paths/longest_path.h"
#include "flow/paths/path_calls.h"
#include "model/kernel_string.h"
#include "model/program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How often the body of one loop is done: the innermost that holds `place`, a label or the
 * number of a line. */
struct wb_loop_iterations {
  const char *place;
  uint32_t iterations;
};

/* order: which path. iterations: how often each loop's body is done, 0: not said (a loop is then
 * an error that asks for it); loops: of single loops, later rows win. through: NULL, a label of
 * the kernel (the path ends before the instruction that it marks) or a line number of the listing
 * (the path ends after the instruction there), the first time that it comes there. takes: lines,
 * whose conditional branch, return or exit is to be done, and labels that the path is to go
 * through. Borrowed. */
struct wb_path_options {
  enum wb_path_order order;
  uint32_t iterations;
  const struct wb_loop_iterations *loops;
  size_t loop_count;
  const char *through;
  const char *const *takes;
  size_t take_count;
  const struct wb_call_assumption *calls;
  size_t call_count;
};

/* A way that the path's branches could go and the path never does: from a branch, return or exit
 * to the instruction at `line` (0: the end), which `label` (may be NULL) marks. falls: to the next
 * instruction. Borrows from the program. */
struct wb_path_arm {
  const struct wb_instruction *branch;
  const char *label;
  uint32_t line;
  bool falls;
};

/* A path: its string, the instructions in order (those of assumed calls are in the
 * string only), and what it assumes. estimate: the string is no more than that, so that nothing
 * that rests on it is proven of the kernel; the assumptions say why. several: the instructions of
 * the path, each once, that can become several machine instructions; arms: what it leaves out.
 * Owns all but the instructions. */
struct wb_kernel_path {
  struct wb_kernel_string string;
  const struct wb_instruction **steps;
  size_t step_count;
  size_t step_capacity;
  bool estimate;
  const struct wb_instruction **several;
  size_t several_count;
  size_t several_capacity;
  struct wb_path_arm *arms;
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
warpbound_status wb_kernel_path_walk(const struct wb_program *program,
                                     const struct wb_function *kernel,
                                     const struct wb_path_options *options,
                                     struct wb_kernel_path *path, warpbound_error *error);

void wb_kernel_path_free(struct wb_kernel_path *path);

#endif
