/* The largest part of a makespan. */
#ifndef WB_MAKESPAN_BOUNDS_LIMITING_PART_H
#define WB_MAKESPAN_BOUNDS_LIMITING_PART_H

#include "model/problem.h"
#include "model/unit.h"

#include <stdint.h>

enum wb_part_kind {
  WB_PART_CHAIN,      /* the instructions of one warp, one after the other: I */
  WB_PART_UNIT,       /* the work of the other warps on one unit type: (W - 1) n_U / s_U */
  WB_PART_ISSUE_SLOTS /* the work of the other warps at the cap on issue slots: (W - 1) I / sigma */
};

struct wb_limiting_part {
  enum wb_part_kind kind;
  enum wb_unit unit; /* of WB_PART_UNIT */
  uint64_t cycles;   /* that the part takes at least, whatever the scheduler does: never more than a
                        makespan */
};

/* The largest part of the closed form (makespan/bounds/closed_form.h): the chain of one warp, or
 * what the other warps' work on one unit type, or at the cap on issue slots, takes. Of equal ones
 * the first in this order. Of units that partitions share, the work of the warps of all of them. */
struct wb_limiting_part wb_limiting_part(const struct wb_problem *problem);

#endif
