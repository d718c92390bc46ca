/* What a launch makes constant: special registers and the constant bank of parameters. */
#ifndef WB_FLOW_VALUES_LAUNCH_VALUES_H
#define WB_FLOW_VALUES_LAUNCH_VALUES_H

#include "flow/values/integer_value.h"
#include "flow/values/launch.h"
#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A special register, "SR_TID.X": within what the launch says, or within what every launch
 * keeps (CUDA: at most 1024 threads a block, 64 in z; 2^31 - 1 and 65535 blocks a grid). */
struct wb_integer wb_launch_special(const struct wb_launch *launch, const char *name,
                                    size_t length);

/* The 32 bits at c[bank][offset] on Maxwell and Pascal (sm 50..62, else nothing is known): what the
 * launch or the function's own data say. */
struct wb_integer wb_launch_constant(const struct wb_launch *launch,
                                     const struct wb_function *function, uint32_t bank,
                                     uint32_t offset);

/* Whether the place in constant memory (as in struct wb_constant_value) is one of a kernel's
 * parameters, and which offset of those. */
bool wb_launch_parameter(uint32_t place, uint32_t *offset);

#endif
