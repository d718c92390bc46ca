#include "formats/device/device_members.h"

#define MEMBER(name) offsetof(struct wb_device_timing, name)

const struct wb_device_member wb_device_members[] = {
    {"sms", MEMBER(sms), false},
    {"partitions", MEMBER(partitions), false},
    {"clock", MEMBER(clock), false},
    {"launch_overhead", MEMBER(launch_overhead), true},
    {"block_start", MEMBER(block_start), true},
    {"dispatch", MEMBER(dispatch), true},
    {"yield", MEMBER(yield), true},
    {"drain", MEMBER(drain), true},
    {"constant_operand", MEMBER(constant_operand), true},
    {NULL, 0, false},
};

const struct wb_device_member wb_residency_members[] = {
    {"max_blocks", MEMBER(residency.max_blocks), false},
    {"max_warps", MEMBER(residency.max_warps), false},
    {"max_threads_per_block", MEMBER(residency.max_threads_per_block), false},
    {"registers", MEMBER(residency.registers), false},
    {"registers_per_block", MEMBER(residency.registers_per_block), false},
    {"registers_per_thread", MEMBER(residency.registers_per_thread), false},
    {"register_unit", MEMBER(residency.register_unit), false},
    {"shared_memory", MEMBER(residency.shared_memory), false},
    {"shared_per_block", MEMBER(residency.shared_per_block), false},
    {"shared_unit", MEMBER(residency.shared_unit), false},
    {"shared_reserved", MEMBER(residency.shared_reserved), true},
    {"barriers", MEMBER(residency.barriers), false},
    {NULL, 0, false},
};
