/* The addresses of memory operands, by lane. */
#ifndef WB_FLOW_ACCESSES_ACCESS_ADDRESSES_H
#define WB_FLOW_ACCESSES_ACCESS_ADDRESSES_H

#include "flow/accesses/lane_operation.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A memory operand: what stands in its last brackets. Borrows the text of the listing. */
struct wb_address_text {
  const char *text;
  size_t length;
};

/* Finds the memory operand of that number (0 for the first) of an instruction's text. A constant's
 * operand, c[0x0][...], counts by its second brackets. False where there is none. */
bool wb_address_find(const char *operands, size_t number, struct wb_address_text *address);

/* The value of the address: of 64 bits where `wide`, else a word; unknown where its text is not
 * understood. *reason_register: the register whose value decides, WB_NO_REGISTER for none. */
uint32_t wb_address_value(const struct wb_lane_operation *operation,
                          const struct wb_address_text *address, bool wide,
                          uint16_t *reason_register);

#endif
