/* The results of integer instructions of Maxwell and Pascal: a table of those that are understood.
 */
#ifndef WB_FLOW_VALUES_INTEGER_RESULTS_H
#define WB_FLOW_VALUES_INTEGER_RESULTS_H

#include "flow/values/integer_reading.h"

#include <stdbool.h>

/* What the instruction writes to its first operand; false where it is not in the table. */
bool wb_integer_result(const struct wb_reading *reading, struct wb_integer *result);

#endif
