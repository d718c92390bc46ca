/* The parameter that the address of an access is based on. */
#ifndef WB_FLOW_DEFINITIONS_ADDRESS_BASE_H
#define WB_FLOW_DEFINITIONS_ADDRESS_BASE_H

#include "flow/definitions/definitions.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether the address of an access is the pointer of eight bytes at an offset in the kernel's
 * parameters, moved by what is not a pointer. False also where that is not known: the upper word of
 * the address depends on that pointer's upper word, and on no other word that can be the upper one
 * of a pointer: of a parameter of eight bytes, of a struct, of a load of eight bytes or more, or of
 * an instruction whose result is not known. Linear in the code that computes the address, at most
 * the budget. */
bool wb_address_is_based_on(struct wb_definitions *definitions, uint32_t block,
                            uint32_t instruction, uint32_t parameter);

#endif
