/* Warp precedence strings on a whole SM, and what becomes of their schedule where a stretch of one
 * is changed. */
#ifndef WB_SM_MACHINE_SM_ORDER_H
#define WB_SM_MACHINE_SM_ORDER_H

#include "base/status.h"
#include "model/sm_problem.h"
#include "sm/machine/sm_machine.h"
#include "sm/machine/sm_schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A precedence string has a place for each instruction of each warp; the i-th place of a warp is
 * its i-th instruction. In every cycle the warps are offered units in the order of the places of
 * their next instructions: the schedule is work-conserving whatever the string, and every schedule
 * is that of the string in the order of its cycles.
 * Between changes the string is in the order of the cycles of its own schedule:
 *   warp[k], index[k], cycle[k]   of place k < entries: cycle[k] never falls
 *   place[w * longest + i]        the place of instruction i of warp w
 *   rows                          the instructions done before cycle 1 + r * stride, of each warp
 *                                 at rows[r * warps], of all in totals[r]
 * string_of, entries, makespan: of this schedule. first, last: the places of a change under trial,
 * whose warps were saved[0 ..]. The trial goes from row `row` on: events are the warps that issue,
 * in order, until the end or until all is as it was before old cycle joins (0: not so). cycles: of
 * the trial's events; trial: its makespan. */
struct wb_sm_order {
  struct wb_sm_machine machine;
  uint32_t warps;
  size_t longest;
  uint32_t **barriers; /* before each instruction of each string */
  uint32_t *string_of;
  size_t entries;
  uint32_t *warp;
  uint32_t *index;
  uint32_t *cycle;
  uint32_t *place;
  uint32_t makespan;
  uint32_t stride;
  uint32_t *rows;
  size_t *totals;
  size_t first;
  size_t last;
  uint32_t *saved;
  size_t row;
  uint32_t *events;
  uint32_t *cycles;
  size_t event_count;
  uint32_t joins;
  uint32_t next_cycle;
  uint32_t trial;
  uint32_t *queue;
  uint32_t queue_count;
  uint32_t *moved;
  uint32_t *next_index;
  bool *marked;
};

/* Bytes of an order, saturated. */
uint64_t wb_sm_order_bytes(const struct wb_sm_problem *problem);
/* Room for strings of the problem. Errors: WARPBOUND_INTERNAL. Free with wb_sm_order_free, failed
 * or not. */
warpbound_status wb_sm_order_start(struct wb_sm_order *order, const struct wb_sm_problem *problem,
                                   warpbound_error *error);
void wb_sm_order_free(struct wb_sm_order *order);

/* Takes a string: each warp as often as its string has instructions, in order->warp, and the
 * warps' strings in order->string_of, both set by the caller; evaluates and sorts it. */
void wb_sm_order_take(struct wb_sm_order *order);

/* Begins a change of places first..last: the caller then changes the order of order->warp there. */
void wb_sm_order_open(struct wb_sm_order *order, size_t first, size_t last);
/* The makespan that the change gives; then keep or drop it. */
uint32_t wb_sm_order_try(struct wb_sm_order *order);
void wb_sm_order_keep(struct wb_sm_order *order);
void wb_sm_order_drop(struct wb_sm_order *order);

/* The schedule as it is. Errors: those of wb_sm_schedule_start. */
warpbound_status wb_sm_order_schedule(const struct wb_sm_order *order,
                                      struct wb_sm_schedule *schedule, warpbound_error *error);

#endif
