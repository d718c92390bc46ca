/* Warp precedence strings (ETFA 2013): a schedule as the order in which warps get
 * their next instruction placed. */
#ifndef WB_MAKESPAN_MACHINE_PRECEDENCE_H
#define WB_MAKESPAN_MACHINE_PRECEDENCE_H

#include "makespan/machine/policy.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"

#include <stddef.h>
#include <stdint.h>

/* Evaluates a precedence string of W * I warp indices, each warp I times, by the
 * earliest-cycle rule (ETFA 2013, figure 4): each entry places its warp's next
 * instruction in the first cycle after the warp's last one that has a free unit of
 * its type and a free issue slot. The schedule is work-conserving whatever the
 * order, and every work-conserving schedule is met by the order of its cycles. Where the
 * problem is fair between blocks the entries have to stand in order of the repetitions of the
 * instructions that they place (wb_precedence_sort; proof in doc/makespan.md); then the schedule
 * is fair, and every fair one is met.
 * Time: nearly linear in W * I where no cap binds; with one, a placement may pass many
 * cycles that are full by turns in units and in slots.
 * Errors: WARPBOUND_LIMIT (schedule too large), WARPBOUND_INTERNAL. */
warpbound_status wb_precedence_evaluate(const struct wb_problem *problem, const uint32_t *order,
                                        struct wb_schedule *schedule, warpbound_error *error);

/* Puts the entries of a string in order of the repetitions of the instructions that they place,
 * those of one repetition as they stand. Nothing changes where the problem is not fair between
 * blocks. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_precedence_sort(const struct wb_problem *problem, uint32_t *order,
                                    warpbound_error *error);

/* The initial solutions of ETFA 2013. */
enum wb_template {
  WB_TEMPLATE_ROUND_ROBIN,    /* w1 w2 .. wW, I times */
  WB_TEMPLATE_FIXED_PRIORITY, /* w1 I times, then w2, .. */
  WB_TEMPLATE_MOST_PENDING,   /* the order in which most-pending-first issues */
  WB_TEMPLATE_COUNT
};

const char *wb_template_name(enum wb_template template);

/* Writes the template's precedence string, sorted as above, into order[W * I].
 * Errors: WARPBOUND_LIMIT, WARPBOUND_INTERNAL. */
warpbound_status wb_template_fill(enum wb_template template, const struct wb_problem *problem,
                                  const struct wb_control *control, uint32_t *order,
                                  warpbound_error *error);

#endif
