#include "certificate/launch/run_blocks.h"

#include "base/checked.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

uint64_t wb_check_launch_ready(const struct wb_check_launch_run *run, uint64_t block)
{
  return run->ready != NULL ? run->ready[block] : run->placed[block] + run->shape.block_start;
}

/* ---- room ---- */

/* A block comes to an SM, or leaves it. */
struct move {
  uint64_t time;
  uint32_t sm;
  bool comes;
};

/* Those that leave make room before others come. */
static int compare_moves(const void *a, const void *b)
{
  const struct move *left = a;
  const struct move *right = b;
  if (left->sm != right->sm)
    return left->sm < right->sm ? -1 : 1;
  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  return left->comes - right->comes;
}

/* The moves of one SM: first .. end - 1. last: when the last block of all is placed. */
static warpbound_status check_sm(const struct wb_check_launch_run *run, const struct move *first,
                                 const struct move *end, uint64_t last, warpbound_error *error)
{
  uint64_t resident = 0;
  uint64_t time = 0;
  for (const struct move *move = first; move < end; move++) {
    if (move->time > time && time < last && resident < run->shape.resident_blocks)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "cycle %" PRIu64 ": SM %" PRIu32 " has room while a block waits", time,
                     move->sm);
    time = move->time;
    resident += move->comes ? 1 : UINT64_MAX;
    if (resident > run->shape.resident_blocks)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "cycle %" PRIu64 ": SM %" PRIu32 " holds more blocks than it has room for",
                     time, move->sm);
  }
  return time >= last ? WARPBOUND_OK
                      : wb_fail(error, WARPBOUND_CHECK_FAILED,
                                "cycle %" PRIu64 ": SM %" PRIu32 " has room while a block waits",
                                time, first->sm);
}

static warpbound_status check_room(const struct wb_check_launch_run *run,
                                   const struct wb_check_launch_stay *stays, struct move *moves,
                                   warpbound_error *error)
{
  const size_t count = 2 * (size_t)run->shape.blocks;
  uint64_t last = 0;
  uint64_t sms = 0;
  for (size_t b = 0; b < run->shape.blocks; b++) {
    moves[2 * b] = (struct move){stays[b].placed, stays[b].sm, true};
    moves[2 * b + 1] = (struct move){stays[b].leaves, stays[b].sm, false};
    last = wb_maximum(last, stays[b].placed);
  }
  qsort(moves, count, sizeof *moves, compare_moves);
  warpbound_status status = WARPBOUND_OK;
  for (size_t first = 0, end = 0; first < count && status == WARPBOUND_OK; first = end) {
    while (end < count && moves[end].sm == moves[first].sm)
      end++;
    status = check_sm(run, moves + first, moves + end, last, error);
    sms++;
  }
  if (status == WARPBOUND_OK && last > 0 && sms < run->shape.sms)
    status =
        wb_fail(error, WARPBOUND_CHECK_FAILED, "cycle 0: an SM has no block while a block waits");
  return status;
}

/* ---- the dispatcher ---- */

static int compare_stays(const void *a, const void *b)
{
  const struct wb_check_launch_stay *left = a;
  const struct wb_check_launch_stay *right = b;
  return left->ready < right->ready ? -1 : left->ready > right->ready;
}

/* Each block has the dispatcher for `dispatch` cycles, `block_start` cycles before it is ready. */
static warpbound_status check_dispatch(const struct wb_check_launch_run *run,
                                       struct wb_check_launch_stay *stays, warpbound_error *error)
{
  const uint64_t dispatch = run->shape.dispatch;
  uint64_t busy_from = 0;
  uint64_t free_at = 0;
  qsort(stays, run->shape.blocks, sizeof *stays, compare_stays);
  for (size_t b = 0; b < run->shape.blocks; b++) {
    const struct wb_check_launch_stay *stay = &stays[b];
    if (stay->ready < stay->placed + run->shape.block_start + dispatch)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "block %" PRIu64 " is ready before its dispatch and its start are over",
                     stay->block);
    const uint64_t begin = stay->ready - run->shape.block_start - dispatch;
    if (begin < free_at && dispatch > 0)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "cycle %" PRIu64 ": the dispatcher serves two blocks", begin);
    if (b == 0 || begin > free_at)
      busy_from = begin;
    if (stay->placed < busy_from && begin > stay->placed)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "block %" PRIu64 " waits while the dispatcher is idle", stay->block);
    free_at = begin + dispatch;
  }
  return WARPBOUND_OK;
}

/* Without a dispatcher that takes time a block waits for nothing but its start. */
static warpbound_status check_starts(const struct wb_check_launch_run *run,
                                     const struct wb_check_launch_stay *stays,
                                     warpbound_error *error)
{
  for (size_t b = 0; b < run->shape.blocks; b++) {
    if (stays[b].ready != stays[b].placed + run->shape.block_start)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "block %" PRIu64 " is not ready when its start is over", stays[b].block);
  }
  return WARPBOUND_OK;
}

warpbound_status wb_check_launch_stays(const struct wb_check_launch_run *run,
                                       struct wb_check_launch_stay *stays, warpbound_error *error)
{
  struct move *moves = wb_allocate(2 * (size_t)run->shape.blocks, sizeof *moves);
  warpbound_status status =
      moves != NULL ? check_room(run, stays, moves, error) : wb_out_of_memory(error);
  free(moves);
  if (status != WARPBOUND_OK)
    return status;
  return run->shape.dispatch > 0 ? check_dispatch(run, stays, error)
                                 : check_starts(run, stays, error);
}
