#include "flow/barriers/barrier_rounds.h"

#include <string.h>

/* What is known to be over: by number, how often the barrier was complete. */
struct knowledge {
  size_t rounds[WB_BARRIER_NUMBERS];
};

struct rounds {
  const struct wb_barrier_history *warps;
  uint32_t count;
  uint32_t members[WB_BARRIER_NUMBERS];              /* the warps that come to a barrier */
  uint32_t arrived[WB_BARRIER_NUMBERS];              /* those that have, in the present round */
  uint32_t reduction[WB_BARRIER_NUMBERS];            /* that of the present round */
  size_t complete[WB_BARRIER_NUMBERS];               /* rounds that are over */
  struct knowledge brought[WB_BARRIER_NUMBERS];      /* what those that have arrived knew */
  struct knowledge known[WB_ROUND_WARPS];            /* by warp */
  size_t passed[WB_ROUND_WARPS][WB_BARRIER_NUMBERS]; /* by warp: its arrivals */
  size_t next[WB_ROUND_WARPS];                       /* by warp: the event that it comes to */
  bool waits[WB_ROUND_WARPS];                        /* at the event before `next` */
};

static void learn(struct knowledge *mine, const struct knowledge *other)
{
  for (size_t n = 0; n < WB_BARRIER_NUMBERS; n++)
    if (other->rounds[n] > mine->rounds[n])
      mine->rounds[n] = other->rounds[n];
}

static uint32_t count_warps(uint32_t set)
{
  uint32_t count = 0;
  for (; set > 0; set &= set - 1)
    count++;
  return count;
}

/* Whether each barrier counts the warps that come to it, and all of them come as often. */
static bool counts_fit(struct rounds *rounds, const uint32_t arrivals[WB_BARRIER_NUMBERS])
{
  size_t times[WB_BARRIER_NUMBERS] = {0};
  bool fit = true;
  for (uint32_t w = 0; w < rounds->count && fit; w++) {
    size_t mine[WB_BARRIER_NUMBERS] = {0};
    for (size_t e = 0; e < rounds->warps[w].count; e++)
      mine[rounds->warps[w].events[e].number]++;
    for (size_t n = 0; n < WB_BARRIER_NUMBERS; n++) {
      if (mine[n] == 0)
        continue;
      fit = fit && (rounds->members[n] == 0 || times[n] == mine[n]);
      times[n] = mine[n];
      rounds->members[n] |= UINT32_C(1) << w;
    }
  }
  for (size_t n = 0; n < WB_BARRIER_NUMBERS && fit; n++)
    fit = rounds->members[n] == 0 || arrivals[n] == count_warps(rounds->members[n]);
  return fit;
}

/* All have arrived: those that wait go on, and know what each of them knew. */
static void complete(struct rounds *rounds, uint8_t number)
{
  struct knowledge *brought = &rounds->brought[number];
  brought->rounds[number] = ++rounds->complete[number];
  for (uint32_t w = 0; w < rounds->count; w++) {
    const bool here =
        rounds->waits[w] && rounds->warps[w].events[rounds->next[w] - 1].number == number;
    if (!here)
      continue;
    learn(&rounds->known[w], brought);
    rounds->waits[w] = false;
  }
  *brought = (struct knowledge){{0}};
  rounds->arrived[number] = 0;
}

/* A warp comes to its next barrier; false where the round of its last arrival there may not be over
 * then, or others of the round reduce another thing. */
static bool arrive(struct rounds *rounds, uint32_t warp)
{
  const struct wb_barrier_event *event = &rounds->warps[warp].events[rounds->next[warp]++];
  const uint8_t number = event->number;
  if (rounds->known[warp].rounds[number] < rounds->passed[warp][number])
    return false;
  if (rounds->arrived[number] == 0)
    rounds->reduction[number] = event->reduction;
  if (rounds->reduction[number] != event->reduction)
    return false;
  rounds->passed[warp][number]++;
  rounds->arrived[number] |= UINT32_C(1) << warp;
  rounds->waits[warp] = event->waits;
  learn(&rounds->brought[number], &rounds->known[warp]);
  if (rounds->arrived[number] == rounds->members[number])
    complete(rounds, number);
  return true;
}

bool wb_barrier_rounds_hold(const struct wb_barrier_history *warps, uint32_t count,
                            const uint32_t arrivals[WB_BARRIER_NUMBERS])
{
  struct rounds rounds;
  memset(&rounds, 0, sizeof rounds);
  rounds.warps = warps;
  rounds.count = count;
  bool hold = count <= WB_ROUND_WARPS && counts_fit(&rounds, arrivals);
  for (bool moved = true; moved && hold;) {
    moved = false;
    for (uint32_t w = 0; w < count && hold; w++) {
      while (hold && !rounds.waits[w] && rounds.next[w] < warps[w].count) {
        hold = arrive(&rounds, w);
        moved = true;
      }
    }
  }
  for (uint32_t w = 0; w < count && hold; w++)
    hold = !rounds.waits[w] && rounds.next[w] == warps[w].count;
  return hold;
}
