/* A listing with the bounds that its code shows, for tests. */
#ifndef TESTS_CROSS_BOUNDED_LISTING_H
#define TESTS_CROSS_BOUNDED_LISTING_H

#include "cfg/simt_analysis.h"
#include "flow/loop_bounds/loop_bounds.h"

#include <stddef.h>

/* One function of a listing; code is borrowed. */
struct bounded_function {
  const struct wb_function *function;
  struct wb_simt_analysis *analysis;
  const struct wb_warp_graph *graph;
  struct wb_loop_forest forest;
  struct wb_found_bound *found;
};

/* Reads instructions of a kernel for sm_52, one a line and ended by NULL: "IADD R0, R0, 0x1",
 * "@P0 BRA loop"; "loop:" names the next one. Fails the test where the front end does. */
void listing_make(const char *const *lines, struct wb_code *code);
/* The same for another architecture: 87 for sm_87. */
void listing_make_for(unsigned sm, const char *const *lines, struct wb_code *code);

/* The same of one text, "MOV R0, RZ; loop:; IADD R0, R0, 0x1; @P0 BRA loop", which an EXIT ends. */
void listing_of(unsigned sm, const char *text, struct wb_code *code);

/* False where the abstract interpretation refuses the function. */
bool bounded_make(const struct wb_code *code, const struct wb_function *function,
                  const struct wb_launch *launch, struct bounded_function *bounded);
/* The same where the warps of a block are known too: launch->block. */
bool bounded_make_of_block(const struct wb_code *code, const struct wb_function *function,
                           const struct wb_launch *launch, struct bounded_function *bounded);
void bounded_free(struct bounded_function *bounded);

/* The first instruction of a loop's header. */
const struct wb_instruction *bounded_header(const struct bounded_function *bounded, size_t loop);

#endif
