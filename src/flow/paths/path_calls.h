/* The calls of code: by the listing, the user's assumptions and the table of the CUDA runtime. */
#ifndef WB_FLOW_PATHS_PATH_CALLS_H
#define WB_FLOW_PATHS_PATH_CALLS_H

#include "base/status.h"
#include "model/code.h"
#include "model/kernel_string.h"

#include <stdbool.h>
#include <stddef.h>

/* The user's assumption about a function without a body, or about indirect calls:
 * `--assume-call NAME=STRING`. */
struct wb_call_assumption {
  const char *name; /* "indirect" for indirect calls */
  struct wb_kernel_string string;
};

/* The effect of a call. It is not known where function and assumed are NULL and runtime and
 * ends_thread are false. Borrows all. */
struct wb_path_call {
  const struct wb_function *function;       /* the body that it runs, or NULL */
  const struct wb_call_assumption *assumed; /* where there is no body: the user's, or NULL */
  bool runtime;                             /* a function of the CUDA runtime */
  bool ends_thread;                         /* it does not return */
};

/* The functions of code by name. Borrows the code and the assumptions; owns its array. */
struct wb_path_calls {
  const struct wb_code *code;
  const struct wb_call_assumption *assumptions;
  size_t assumption_count;
  const struct wb_function **functions; /* sorted by name, defined ones first */
};

/* Errors: WARPBOUND_INTERNAL (memory). Time: n log n. */
warpbound_status wb_path_calls_make(const struct wb_code *code,
                                    const struct wb_call_assumption *assumptions,
                                    size_t assumption_count, struct wb_path_calls *calls,
                                    warpbound_error *error);
void wb_path_calls_free(struct wb_path_calls *calls);

/* The effect of a direct or indirect call. Logarithmic in the functions, linear in the
 * assumptions. */
struct wb_path_call wb_path_calls_find(const struct wb_path_calls *calls,
                                       const struct wb_instruction *instruction);

#endif
