/* Warp precedence strings on a whole SM, and what becomes of their schedule where a stretch of one
 * is changed. */
#ifndef WB_SM_MACHINE_SM_ORDER_H
#define WB_SM_MACHINE_SM_ORDER_H

#include "base/arena.h"
#include "makespan/machine/sm_machine.h"
#include "model/sm_problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A precedence string has a place for each instruction of each warp; the i-th place of a warp is
 * its i-th instruction. In every cycle the warps are offered units in the order of the places of
 * their next instructions: the schedule is work-conserving whatever the string, and every schedule
 * is that of the string in the order of its cycles. Invariant between changes: the string is in the
 * order of the cycles of its own schedule; cycle[k] never falls. */
struct wb_sm_order {
  struct wb_sm_machine machine; /* on which the string is served */
  uint32_t warps;
  size_t longest;      /* instructions of the longest string */
  uint32_t **barriers; /* before each instruction of each string */
  uint32_t *string_of; /* by warp */
  size_t entries;      /* places */
  uint32_t *warp;      /* by place */
  uint32_t *index;     /* by place: of the instruction */
  uint32_t *cycle;     /* by place: in which it is issued */
  uint32_t *place;     /* [w * longest + i]: of instruction i of warp w */
  uint32_t makespan;   /* of the schedule */
  uint32_t stride;     /* cycles from row to row */
  /* [r * warps + w]: instructions that warp w has done before cycle 1 + r * stride */
  uint32_t *rows;
  size_t *totals;   /* by row: the same of all warps */
  size_t first;     /* the change under trial: its first place */
  size_t last;      /* its last place */
  uint32_t *saved;  /* the warps of first .. last before it */
  size_t row;       /* from which the trial goes on */
  uint32_t *events; /* warps that issue in the trial, in order */
  uint32_t *cycles; /* by event */
  size_t event_count;
  uint32_t joins;       /* the old cycle from which on all is as it was; 0: never */
  uint32_t next_cycle;  /* of the trial */
  uint32_t trial;       /* its makespan */
  uint32_t *queue;      /* working memory: warps to offer units to */
  uint32_t queue_count; /* of them */
  uint32_t *moved;      /* working memory */
  uint32_t *next_index; /* working memory, by warp: its next instruction */
  bool *marked;         /* working memory, by warp */
};

/* Bytes of an order; longest: instructions of the problem's longest string. */
uint64_t wb_sm_order_bytes(const struct wb_sm_problem *problem, size_t longest);
/* Room, in an arena, for strings of the problem. false: no memory. */
bool wb_sm_order_start(struct wb_sm_order *order, const struct wb_sm_problem *problem,
                       size_t longest, struct wb_arena *arena);

/* Takes a string: each warp as often as its string has instructions, in order->warp, and the
 * warps' strings in order->string_of, both set by the caller; evaluates and sorts it. */
void wb_sm_order_take(struct wb_sm_order *order);

/* Begins a change of places first..last: the caller then changes the order of order->warp there. */
void wb_sm_order_open(struct wb_sm_order *order, size_t first, size_t last);
/* The makespan that the change gives; then keep or drop it. */
uint32_t wb_sm_order_try(struct wb_sm_order *order);
void wb_sm_order_keep(struct wb_sm_order *order);
void wb_sm_order_drop(struct wb_sm_order *order);

#endif
