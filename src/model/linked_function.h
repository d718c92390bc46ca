/* A function with those in sections of their own that it calls, behind it: what a call enters is
 * then code of the same function. */
#ifndef WB_MODEL_LINKED_FUNCTION_H
#define WB_MODEL_LINKED_FUNCTION_H

#include "base/arena.h"
#include "base/status.h"
#include "model/code.h"

/* Which calls stay as they are. All borrowed. */
struct wb_link_choice {
  void *context;
  bool (*stays)(void *context, const struct wb_function *caller, const struct wb_instruction *call);
};

/* The function of machine code with all that its calls by name enter, and theirs; each once, at
 * addresses behind the ones before it (wb_function_base). A call by a register of which the
 * functions are known (wb_function_call_set) enters each of them. A call of a function that is not
 * in the code, or that is chosen to stay (choice; NULL: none is), stays as it is.
 * *linked is the function itself where there is nothing to link, or where it is a linked one or a
 * copy that was changed (uncut). Of
 * the function are name, parameters, labels and what a launch needs; of those linked the names
 * stand among the symbols. Constant bank 2 is not known where one of them has its own. All is in
 * the arena, and in the code, which are to outlive it. Errors: WARPBOUND_LIMIT where that is more
 * code than wb_function can have, WARPBOUND_INTERNAL (memory). Linear. */
warpbound_status wb_function_link(const struct wb_code *code, const struct wb_function *function,
                                  const struct wb_link_choice *choice, struct wb_arena *arena,
                                  const struct wb_function **linked, warpbound_error *error);

#endif
