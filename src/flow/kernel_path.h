/* From a program to the kernel instruction string of one of its paths. */
#ifndef WB_FLOW_KERNEL_PATH_H
#define WB_FLOW_KERNEL_PATH_H

#include "base/list.h"
#include "base/status.h"
#include "model/kernel_string.h"
#include "model/program.h"

#include <stddef.h>
#include <stdint.h>

/* What the user says of a function without a body, or of an indirect call (name
 * "indirect"): `--assume-call NAME=STRING`. */
struct wb_call_assumption {
  const char *name;
  struct wb_kernel_string string;
};

/* iterations: how often each loop's body is done, 0: not said (a loop is then an
 * error that asks for it). through: NULL, a label of the kernel (the path ends
 * before the instruction that it marks) or a line number of the listing (the path
 * ends after the instruction there). Borrowed. */
struct wb_path_options {
  uint32_t iterations;
  const char *through;
  const struct wb_call_assumption *calls;
  size_t call_count;
};

/* A path: its string, the instructions in order (those of assumed calls are in the
 * string only), and what it assumes. Owns all but the instructions. */
struct wb_kernel_path {
  struct wb_kernel_string string;
  const struct wb_instruction **steps;
  size_t step_count;
  size_t step_capacity;
  struct wb_list assumptions;
};

/* Walks the fall-through path of a kernel, the "branchless" reading of ECRTS 2012
 * and ETFA 2013: a conditional forward branch is not taken, an unconditional one
 * is; a backward branch closes a loop whose body is done `iterations` times, then
 * left: by falling through, or, where the branch is unconditional, by the first
 * conditional branch on the way from the header that leaves it. Calls are followed.
 * The path is one of the program's, not its worst: the assumptions say so.
 * Errors: WARPBOUND_FACTS_MISSING (iterations, a callee's string, a way out of an
 * endless loop), WARPBOUND_INVALID_INPUT (recursion, more than WB_STRING_LIMIT
 * instructions), WARPBOUND_USAGE (through is not on the path), each with file and
 * line. Linear in the path's length. */
warpbound_status wb_kernel_path_walk(const struct wb_program *program,
                                     const struct wb_function *kernel,
                                     const struct wb_path_options *options,
                                     struct wb_kernel_path *path, warpbound_error *error);

void wb_kernel_path_free(struct wb_kernel_path *path);

#endif
