/* The values of special registers and of the constant bank of parameters for a launch. */
#ifndef WB_VALUES_INTERVAL_LAUNCH_VALUES_H
#define WB_VALUES_INTERVAL_LAUNCH_VALUES_H

#include "base/list.h"
#include "isa/opcode.h"
#include "model/code.h"
#include "values/interval/integer_value.h"
#include "values/launch.h"

#include <stdbool.h>
#include <stdint.h>

/* The size of a block along an axis, as the launch says, or as the function requires of each; 0:
 * not known. launch: may be NULL. */
uint32_t wb_launch_block(const struct wb_launch *launch, const struct wb_function *function,
                         unsigned axis);

/* The value of a special register: by the launch, by the block sizes that the function admits, or
 * by the limits of every launch (CUDA: at most 1024 threads a block, 64 of them in z; 2^31 - 1
 * blocks in x and 65535 in y and z of a grid). launch: NULL where it is not known. Top for other
 * registers. */
struct wb_integer wb_launch_special(const struct wb_launch *launch,
                                    const struct wb_function *function,
                                    enum wb_special_register special);

/* The 32 bits at c[bank][offset], by the launch or the function's own constants; top for
 * architectures other than sm_50 to sm_62 and sm_70 to sm_121. offset: in bytes. */
struct wb_integer wb_launch_constant(const struct wb_launch *launch,
                                     const struct wb_function *function, uint32_t bank,
                                     uint32_t offset);

/* What the launch says of the load, or other instruction, of that index; NULL: nothing.
 * Logarithmic. */
const struct wb_load_range *wb_launch_load(const struct wb_launch *launch, uint32_t instruction);
/* The first general register that a load writes; WB_NO_REGISTER: none. */
uint16_t wb_load_register(const struct wb_function *function, const struct wb_instruction *load);
/* The range of the type of a load of 8 or 16 bits; false for any other instruction. */
bool wb_load_type_range(const struct wb_function *function, uint32_t instruction,
                        struct wb_load_range *range);

/* Whether a place in constant memory (as in struct wb_constant_value) belongs to the kernel's
 * parameters, and its offset in bytes among them. False for architectures that are not known. */
bool wb_launch_parameter(const struct wb_function *function, uint32_t place, uint32_t *offset);

/* Whether the word at c[0x0][place] says where a thread's stack begins in local memory: kernels set
 * R1 with it. False for architectures that are not known. */
bool wb_launch_is_stack(const struct wb_function *function, uint32_t place);

/* What the launch's sources call a parameter of the function; NULL: they do not say. Linear in the
 * names. launch may be NULL. */
const struct wb_parameter_name *wb_launch_parameter_name(const struct wb_launch *launch,
                                                         const struct wb_function *function,
                                                         uint16_t ordinal);

/* The parameter of the function that the first `length` bytes of a text name: "param_2" or
 * "KERNEL_param_2", as compilers call it, or as a source does, which *source then is, else NULL.
 * NULL: none. */
const struct wb_parameter *wb_launch_named_parameter(const struct wb_launch *launch,
                                                     const struct wb_function *function,
                                                     const char *text, size_t length,
                                                     const struct wb_parameter_name **source);

/* The number that the launch gives a parameter of four bytes, with a sign, or of eight. False where
 * it gives none. Linear in the launch's parameters. */
bool wb_launch_parameter_number(const struct wb_launch *launch, const struct wb_function *function,
                                const struct wb_parameter *parameter, int64_t *number);

/* Adds the assumption of who calls a parameter as a source does. */
void wb_parameter_name_assume(const struct wb_parameter_name *name, struct wb_list *assumptions);

/* Room for the text of wb_launch_option, and the longest name that it gives a parameter. */
#define WB_LAUNCH_OPTION_NAME 60
#define WB_LAUNCH_OPTION_SIZE (WB_LAUNCH_OPTION_NAME + 16)

/* The option that gives a place in constant memory: "--param n=N" by the name that a source
 * gives the parameter; "--param 0x10=N", by the offset of a member in the parameters, with an L
 * after the N for the eight bytes of a number of 64 bits: where they are asked for (wide), or are
 * those of a parameter that the listing names; "--constant 3:0x10=N". */
void wb_launch_option(const struct wb_launch *launch, const struct wb_function *function,
                      uint32_t place, bool wide, char text[WB_LAUNCH_OPTION_SIZE]);

#endif
