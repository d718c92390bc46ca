/* Timed code and launches made by hand, instruction by instruction. */
#ifndef WB_TESTS_HELPERS_SMALL_LAUNCH_H
#define WB_TESTS_HELPERS_SMALL_LAUNCH_H

#include "model/timed_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Adds a resource; its number. */
uint8_t small_resource(struct wb_timed_code *code, const char *name, enum wb_resource_level level,
                       uint32_t servers, bool at_issue);

/* Adds an instruction without uses, stages and scoreboards. It is valid until the next one. */
struct wb_timed_instruction *small_instruction(struct wb_timed_code *code, uint32_t stall);

/* Give the last instruction what it takes at issue, and a stage. */
void small_use(struct wb_timed_code *code, uint8_t resource, uint32_t service);
void small_stage(struct wb_timed_code *code, uint8_t resource, uint16_t requests, uint32_t delay,
                 uint32_t service);

/* The kernel of the worked example of doc/launch.md: its code, and its one path of 50 instructions,
 * 0 to 49. barriers: with 8 of them, one after each load's round and one between (58 steps). */
void small_worked_example(struct wb_timed_code *code, bool barriers);

#endif
