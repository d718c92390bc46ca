/* Functions that the CUDA runtime provides to kernels: a listing declares and calls them without
 * a body. Nothing else in the project knows their names. */
#ifndef WB_ISA_RUNTIME_CALLS_H
#define WB_ISA_RUNTIME_CALLS_H

#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>

/* One row. */
struct wb_runtime_call {
  const char *name; /* the function's, or the beginning of several */
  bool family;      /* all functions whose names begin so */
  bool ends_thread; /* no call of it returns */
};

/* Whether an instruction calls a function of the runtime that ends its lanes, as an assertion that
 * fails: not one of the file's own with such a name. */
bool wb_calls_runtime_end(const struct wb_instruction *call);

/* The row for a function's name, or NULL. Linear in the table, which is short. */
const struct wb_runtime_call *wb_runtime_call_find(const char *name);

#endif
