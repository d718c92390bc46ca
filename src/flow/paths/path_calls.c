#include "flow/paths/path_calls.h"

#include "base/memory.h"
#include "isa/runtime_calls.h"

#include <stdlib.h>
#include <string.h>

/* By name, defined ones first, then in the order of the listing. */
static int by_name(const void *a, const void *b)
{
  const struct wb_function *left = *(const struct wb_function *const *)a;
  const struct wb_function *right = *(const struct wb_function *const *)b;
  int order = strcmp(left->name, right->name);
  if (order != 0)
    return order;
  if (left->defined != right->defined)
    return left->defined ? -1 : 1;
  return (left > right) - (left < right);
}

warpbound_status wb_path_calls_make(const struct wb_code *code,
                                    const struct wb_call_assumption *assumptions,
                                    size_t assumption_count, struct wb_path_calls *calls,
                                    warpbound_error *error)
{
  *calls = (struct wb_path_calls){code, assumptions, assumption_count, NULL};
  calls->functions = wb_allocate(code->function_count, sizeof *calls->functions);
  if (calls->functions == NULL)
    return wb_out_of_memory(error);
  for (size_t f = 0; f < code->function_count; f++)
    calls->functions[f] = &code->functions[f];
  qsort(calls->functions, code->function_count, sizeof *calls->functions, by_name);
  return WARPBOUND_OK;
}

void wb_path_calls_free(struct wb_path_calls *calls)
{
  free(calls->functions);
  *calls = (struct wb_path_calls){0};
}

/* The first function of the name, or NULL. */
static const struct wb_function *find_function(const struct wb_path_calls *calls, const char *name)
{
  size_t low = 0;
  size_t high = calls->code->function_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(calls->functions[middle]->name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < calls->code->function_count && strcmp(calls->functions[low]->name, name) == 0;
  return found ? calls->functions[low] : NULL;
}

struct wb_path_call wb_path_calls_find(const struct wb_path_calls *calls,
                                       const struct wb_instruction *instruction)
{
  bool indirect = instruction->transfer == WB_TRANSFER_CALL_INDIRECT;
  const char *name = indirect ? "indirect" : instruction->callee;
  const struct wb_function *function = indirect ? NULL : find_function(calls, name);
  struct wb_path_call call = {0};
  if (function != NULL && function->defined) {
    call.function = function;
    return call;
  }
  for (size_t a = 0; a < calls->assumption_count && call.assumed == NULL; a++) {
    if (strcmp(calls->assumptions[a].name, name) == 0)
      call.assumed = &calls->assumptions[a];
  }
  const struct wb_runtime_call *runtime = indirect ? NULL : wb_runtime_call_find(name);
  call.runtime = runtime != NULL;
  call.ends_thread =
      (runtime != NULL && runtime->ends_thread) || (function != NULL && function->no_return);
  return call;
}
