/* The parameter that the address of an access is based on. */
#ifndef WB_FLOW_DEFINITIONS_ADDRESS_BASE_H
#define WB_FLOW_DEFINITIONS_ADDRESS_BASE_H

#include "flow/definitions/definitions.h"
#include "values/launch.h"

#include <stdbool.h>
#include <stdint.h>

/* No parameter. */
#define WB_NO_BASE UINT32_MAX

/* The offset in the kernel's parameters of the pointer of eight bytes that the address of an access
 * to global memory is based on: that pointer, moved by what is not a pointer; WB_NO_BASE where it
 * is not known. The upper word of the address depends on that pointer's upper word, and on no other
 * word that can be the upper one of a pointer: of a parameter of eight bytes whose value the launch
 * does not give, of a struct, of a load of eight bytes or more, or of an instruction whose result
 * is not known. launch: NULL where it is not known. Linear in the code that computes the address,
 * at most the budget. */
uint32_t wb_address_base(struct wb_definitions *definitions, const struct wb_launch *launch,
                         uint32_t block, uint32_t instruction);

#endif
