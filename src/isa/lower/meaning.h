/* Whether what an instruction computes is known. */
#ifndef WB_ISA_LOWER_MEANING_H
#define WB_ISA_LOWER_MEANING_H

#include "model/code.h"

#include <stdbool.h>
#include <stdint.h>

enum wb_meaning {
  WB_MEANING_NONE_NEEDED, /* it writes no register, or what it reads from memory or other lanes */
  WB_MEANING_KNOWN,       /* it has a lowering */
  WB_MEANING_FUNCTION,    /* to a function that is not told alone */
  WB_MEANING_MISSING      /* it has none: what it writes is not known */
};

/* Constant time. Of machine code. */
enum wb_meaning wb_meaning_of(const struct wb_function *function, uint32_t index);

#endif
