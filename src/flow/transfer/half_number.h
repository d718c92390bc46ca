/* Numbers of 16-bit floating point, as listings print them. */
#ifndef WB_FLOW_TRANSFER_HALF_NUMBER_H
#define WB_FLOW_TRANSFER_HALF_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The 16 bits of the finite number that a decimal text ("0", "-1.875", "5.9604644775390625e-08")
 * is. False where it is none, or not such a number. Linear. */
bool wb_half_number(const char *text, size_t length, uint32_t *bits);

#endif
