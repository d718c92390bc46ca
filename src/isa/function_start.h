/* What unoptimised functions begin with, and what is known of it where they are linked. */
#ifndef WB_ISA_FUNCTION_START_H
#define WB_ISA_FUNCTION_START_H

#include "model/code.h"

/* Of a linked function (model/linked_function.h), whose instructions change: the branches at the
 * beginnings of functions that are called are done by all lanes, where the kernel begins with such
 * a one and nothing else writes its register (proof: doc/simt-volta.md). Does nothing else; so it
 * does to a function that is not linked. Linear. */
void wb_function_starts_settle(const struct wb_function *linked);

#endif
