/* What the calls of code do, as far as the listing, the user and the table of the CUDA
 * runtime say. */
#ifndef WB_FLOW_PATHS_PATH_CALLS_H
#define WB_FLOW_PATHS_PATH_CALLS_H

#include "base/status.h"
#include "model/code.h"
#include "model/kernel_string.h"

#include <stdbool.h>
#include <stddef.h>

/* What the user says of a function without a body, or of an indirect call (name
 * "indirect"): `--assume-call NAME=STRING`. */
struct wb_call_assumption {
  const char *name;
  struct wb_kernel_string string;
};

/* What one call does. function: the body that it runs, or NULL; assumed: what the user says of it
 * where there is none, or NULL; runtime: a function of the CUDA runtime. None of them: not known.
 * ends_thread: it does not return. */
struct wb_path_call {
  const struct wb_function *function;
  const struct wb_call_assumption *assumed;
  bool runtime;
  bool ends_thread;
};

/* The functions of code by name, a defined one before others of its name. Borrows the
 * code and the assumptions; owns its array. */
struct wb_path_calls {
  const struct wb_code *code;
  const struct wb_call_assumption *assumptions;
  size_t assumption_count;
  const struct wb_function **functions;
};

warpbound_status wb_path_calls_make(const struct wb_code *code,
                                    const struct wb_call_assumption *assumptions,
                                    size_t assumption_count, struct wb_path_calls *calls,
                                    warpbound_error *error);
void wb_path_calls_free(struct wb_path_calls *calls);

/* What a call or an indirect call does. Logarithmic in the functions, linear in the assumptions. */
struct wb_path_call wb_path_calls_find(const struct wb_path_calls *calls,
                                       const struct wb_instruction *instruction);

#endif
