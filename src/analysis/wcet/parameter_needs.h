/* Which words of a kernel's parameters its loops need: without a value of them nothing bounds the
 * loop. */
#ifndef WB_ANALYSIS_WCET_PARAMETER_NEEDS_H
#define WB_ANALYSIS_WCET_PARAMETER_NEEDS_H

#include "analysis/wcet/wcet.h"
#include "base/list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* That a loop needs a word of the parameters, or two of them as one number. */
struct wb_parameter_need {
  uint32_t offset;  /* in bytes, from the first parameter */
  uint32_t address; /* of the loop's header */
  const char *file; /* of the loop's source line, in the code's pool; NULL: not known */
  uint32_t line;    /* 0: not known */
  char *option;     /* that gives it: "--param n=N"; owned */
};

/* A loop that no word of the parameters bounds. */
struct wb_loop_need {
  uint32_t address; /* of the loop's header */
  const char *file; /* of the loop's source line, in the code's pool; NULL: not known */
  uint32_t line;    /* 0: not known */
  char *fact;       /* the cheapest option or fact that may bound it; owned */
  char *hint;       /* why, or NULL; owned */
};

/* Owns its rows: wb_parameter_needs_free. */
struct wb_parameter_needs {
  struct wb_parameter_need *items; /* by offset, then address */
  size_t count, capacity;
  struct wb_loop_need *others; /* what is left where each word has a number; once an address */
  size_t other_count, other_capacity;
};

/* Finds the needs of one function, of what the options leave open. A loop names one of the words
 * that it lacks; so all words that were named are given a number, and the loops looked at again,
 * until none is new; so are sizes of block and grid that are not given. The numbers are examples:
 * where a kernel leaves a loop out for them, what that loop needs besides is not found. Errors:
 * those of wb_wcet_analyse but WARPBOUND_FACTS_MISSING. Time: that of the loop bounds, for each
 * word of the parameters once at most. */
warpbound_status wb_parameter_needs_find(const struct wb_code *code,
                                         const struct wb_function *function,
                                         const struct wb_wcet_options *options,
                                         const struct wb_control *control,
                                         struct wb_parameter_needs *needs, warpbound_error *error);

void wb_parameter_needs_free(struct wb_parameter_needs *needs);

#endif
