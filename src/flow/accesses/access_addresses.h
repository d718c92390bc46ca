/* The addresses of memory operands, by lane. */
#ifndef WB_FLOW_ACCESSES_ACCESS_ADDRESSES_H
#define WB_FLOW_ACCESSES_ACCESS_ADDRESSES_H

#include "values/lanes/lane_walk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The memory operand of that number (0 for the first) of an instruction; a constant is one too.
 * NULL where there is none, or one before it is not understood. */
const struct wb_operand *wb_address_find(const struct wb_function *function, uint32_t instruction,
                                         size_t number);

/* The value of its address for lanes that do the instruction walk->guard is of: of 64 bits where
 * `wide`, else a word. */
uint32_t wb_address_value(struct wb_lane_walk *walk, const struct wb_operand *operand, bool wide);

/* The register whose value decides, WB_NO_REGISTER for none. */
uint16_t wb_address_register(const struct wb_operand *operand);

#endif
