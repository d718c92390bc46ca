/* Scheduling policies: one work-conserving schedule each, hence a lower bound on
 * the worst case. And warp precedence strings (ETFA 2013): a schedule as the order in which warps
 * get their next instruction placed. */
#ifndef WB_MAKESPAN_MACHINE_POLICY_H
#define WB_MAKESPAN_MACHINE_POLICY_H

#include "base/work_control.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A policy ranks the warps; in every cycle they are offered units in this order. */
struct wb_policy {
  const char *name;
  const char *description;
  bool most_pending; /* by instructions done, fewest first, then by index; else: */
  bool greedy;       /* first the warps of the last cycle, in the same order */
  bool in_turn;      /* then those after the last warp that was served in turn; else from index 0 */
};

/* The scheduler of one partition. Its warps count from 0 here; warp_of: their numbers on the SM.
 * done: what each has done, and as much more as its string is shorter than the longest one: so
 * the fewest done are the most pending. */
struct wb_policy_scheduler {
  uint32_t warps;
  uint32_t *warp_of;
  size_t *done;
  uint32_t *order;      /* of preference */
  uint32_t turn_begins; /* its first places, which are greedy ones, do not move round_robin on */
  uint32_t round_robin; /* the warp after the last one served in turn */
  uint32_t *issued;     /* the warps that issued in the cycle before, or in this one so far */
  uint32_t issued_count;
  bool *was_issued; /* by warp: whether it is one of them */
};

/* Ranks the scheduler's warps by the policy: sets order, which holds each warp once, at first by
 * index, then as in the cycle before, and turn_begins. */
void wb_policy_rank(const struct wb_policy *policy, struct wb_policy_scheduler *scheduler);

const struct wb_policy *wb_policy_rows(size_t *count);
/* NULL where there is none of that name. */
const struct wb_policy *wb_policy_find(const char *name);

/* The policy's schedule, warp w running string string_of[w] (NULL: string 0). Each partition has
 * a scheduler that ranks its own warps by the policy; "most pending" counts what is left of a
 * warp's own string. In cycle c partition (c - 1) mod P serves its warps first, then the ones
 * after it in turn: so none is always the last to get at units that they share. Where the problem
 * is fair between blocks, the policy decides among warps of one repetition. Time: makespan * W,
 * times the repetitions that warps wait in. Where the control stops it *stop says why and the
 * schedule is empty. Errors: WARPBOUND_LIMIT (schedule too large), WARPBOUND_INTERNAL. */
warpbound_status wb_sm_simulate(const struct wb_policy *policy, const struct wb_sm_problem *problem,
                                const uint32_t *string_of, const struct wb_control *control,
                                struct wb_schedule *schedule, enum wb_stop *stop,
                                warpbound_error *error);

/* The same of a problem of one partition. */
warpbound_status wb_policy_simulate(const struct wb_policy *policy,
                                    const struct wb_problem *problem,
                                    const struct wb_control *control, struct wb_schedule *schedule,
                                    enum wb_stop *stop, warpbound_error *error);

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
