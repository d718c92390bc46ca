/* Whether instructions write a register. */
#ifndef WB_VALUES_REGISTER_WRITES_H
#define WB_VALUES_REGISTER_WRITES_H

#include "model/code.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether one of the instructions first .. last (indices, both included) may write the register of
 * that number (model/code.h). Unknown instructions and calls to code outside write all. Linear in
 * the instructions. */
bool wb_registers_written(const struct wb_function *function, uint32_t first, uint32_t last,
                          uint32_t number);

#endif
