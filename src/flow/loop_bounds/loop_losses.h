/* Where the number of a loop's iterations is lost: the instruction whose result no analysis knows,
 * found backwards from the tests that end the loop; and whether the loop does nothing but wait. */
#ifndef WB_FLOW_LOOP_BOUNDS_LOOP_LOSSES_H
#define WB_FLOW_LOOP_BOUNDS_LOOP_LOSSES_H

#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"
#include "flow/definitions/definitions.h"
#include "model/flow_facts.h"
#include "values/launch.h"

#include <stdbool.h>
#include <stdint.h>

enum wb_loss_kind {
  WB_LOSS_NONE,     /* not looked for */
  WB_LOSS_CONSTANT, /* a parameter or another word of constant memory that is not given */
  WB_LOSS_SIZE,     /* the size of the block or of the grid, which is not given */
  WB_LOSS_LOAD,
  WB_LOSS_ATOMIC,
  WB_LOSS_CLOCK,
  WB_LOSS_CALL,   /* code outside */
  WB_LOSS_OPCODE, /* an instruction whose result is not known, or of which no range is */
  WB_LOSS_JOIN,   /* all is known but what the values have in common: the instruction gives the next
                     value of what is tested */
  WB_LOSS_TEST    /* no thread decides there, or nothing was found: the instruction ends the loop */
};

struct wb_loop_loss {
  uint8_t kind;  /* enum wb_loss_kind */
  uint8_t spins; /* enum wb_spin: what the tests that end the loop wait for; 0 where some test
                    waits for nothing */
  bool inside;   /* the instruction is in the loop */
  bool wide;     /* of a constant: eight bytes */
  uint32_t instruction; /* index; of a constant the one that reads it */
  uint32_t spin;        /* index: of what it waits for; where spins is not 0 */
  uint32_t test;        /* index: of the last instruction before the loop is left */
  uint32_t place;       /* of a constant: as in struct wb_constant_value */
};

/* Finds the loss of one loop of the forest (of the graph whose definitions are asked). The tests
 * are those at the ends of blocks from which threads leave the loop, or that decide whether such a
 * block is reached. launch: NULL where it is not known. False where memory is out. Time: bounded by
 * the budget of the definitions; beyond it the loss is a test. */
bool wb_loop_loss_find(struct wb_definitions *definitions, const struct wb_loop_forest *forest,
                       uint32_t loop, const struct wb_launch *launch, struct wb_loop_loss *loss);

#endif
