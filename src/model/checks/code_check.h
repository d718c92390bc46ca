/* The invariants of code that model/code.h states, checked. */
#ifndef WB_MODEL_CODE_CHECK_H
#define WB_MODEL_CODE_CHECK_H

#include "model/code.h"

/* NULL where all invariants hold; else which one does not, static. Front ends assert it of what
 * they made. Linear. */
const char *wb_code_check(const struct wb_code *code);

#endif
