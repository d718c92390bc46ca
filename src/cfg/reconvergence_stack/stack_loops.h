/* Whether a loop leaves lanes behind on the stack. */
#ifndef WB_CFG_RECONVERGENCE_STACK_STACK_LOOPS_H
#define WB_CFG_RECONVERGENCE_STACK_STACK_LOOPS_H

#include <stdbool.h>

struct wb_simt_analysis;

/* leaves_behind of struct wb_reconvergence: whether some entry that is pushed in the body and goes
 * on in the body can be on the stack at a header. Linear in the stack graph, but for a search for
 * the block of each entry. */
bool wb_stack_leaves_behind(const struct wb_simt_analysis *analysis, const bool *headers,
                            const bool *body);

#endif
