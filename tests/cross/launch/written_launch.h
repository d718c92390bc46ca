/* Tiny launches that a test writes out, instruction by instruction. */
#ifndef TESTS_CROSS_WRITTEN_LAUNCH_H
#define TESTS_CROSS_WRITTEN_LAUNCH_H

#include "random_launch.h"

#include <stdint.h>

/* Borrowed by the launch of a test. */
struct written_launch {
  struct wb_timed_instruction instructions[8];
  struct wb_issue_use uses[16];
  struct wb_request_stage stages[8];
  struct random_launch random;
};

/* A launch of one block of one warp on one SM with one slot. */
void written_start(struct written_launch *written);

/* Adds an instruction that holds the slot for `slot` cycles. */
struct wb_timed_instruction *written_add(struct written_launch *written, uint32_t stall,
                                         uint32_t slot);

/* The last instruction takes the unit, resource 1, too. */
void written_add_unit(struct written_launch *written, struct wb_timed_instruction *instruction,
                      uint32_t service);

/* Adds a resource that requests use. */
void written_add_port(struct written_launch *written, enum wb_resource_level level,
                      uint32_t servers);

/* Makes the graph: each instruction is a node; edges are pairs of digits, "01 12". */
void written_connect(struct written_launch *written, const char *edges);

/* Of the edges at most one is taken. */
void written_exclude(struct written_launch *written, uint32_t one, uint32_t other, uint32_t third);

/* A stage more of the instruction's request. */
void written_add_stage(struct written_launch *written, struct wb_timed_instruction *instruction,
                       struct wb_request_stage stage);

#endif
