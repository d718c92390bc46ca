/* What will happen at which cycle: a wheel of buckets for the next cycles and a heap for later
 * ones. Times never go back. */
#ifndef WB_LAUNCH_SIMULATION_TIME_WHEEL_H
#define WB_LAUNCH_SIMULATION_TIME_WHEEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WB_WHEEL_SPAN 1024 /* buckets, a multiple of 64 and a power of two */
#define WB_WHEEL_NONE UINT32_MAX

/* Something that happens to a subject (a warp, a request, a block: as `kind` says). */
struct wb_wheel_event {
  uint32_t next; /* in its bucket, or in the free list */
  uint32_t subject;
  uint16_t count; /* for the kind to use */
  uint8_t kind;
};

struct wb_later_event {
  uint64_t time;
  uint32_t event;
};

/* Owns its arrays: wb_time_wheel_free. Invariant: events of the buckets are of the cycles now ..
 * now + WB_WHEEL_SPAN - 1, those of the heap are later. */
struct wb_time_wheel {
  uint64_t now;
  uint32_t bucket[WB_WHEEL_SPAN]; /* first event of a cycle, by its remainder */
  uint64_t used[WB_WHEEL_SPAN / 64];
  struct wb_wheel_event *events;
  size_t capacity;
  uint32_t free;                /* first unused event */
  struct wb_later_event *later; /* heap, the earliest first */
  size_t later_count, later_capacity;
  size_t most_events; /* more is out of memory */
  bool failed;        /* out of memory: events were lost */
};

void wb_time_wheel_start(struct wb_time_wheel *wheel, size_t most_events);
void wb_time_wheel_free(struct wb_time_wheel *wheel);

/* Goes on to the next cycle in which something happens, at most to `limit`; false where nothing
 * happens any more and the limit is UINT64_MAX. The bucket of the cycle before must be empty. */
bool wb_time_wheel_advance(struct wb_time_wheel *wheel, uint64_t limit);

/* Makes room for events; false where memory is out. */
bool wb_time_wheel_grow(struct wb_time_wheel *wheel);
void wb_time_wheel_push_later(struct wb_time_wheel *wheel, uint64_t time, uint32_t event);

static inline void wb_time_wheel_link(struct wb_time_wheel *wheel, uint64_t time, uint32_t event)
{
  const uint32_t place = (uint32_t)time % WB_WHEEL_SPAN;
  wheel->events[event].next = wheel->bucket[place];
  wheel->bucket[place] = event;
  wheel->used[place / 64] |= UINT64_C(1) << place % 64;
}

/* Something happens at `time`, later than now. */
static inline void wb_time_wheel_push(struct wb_time_wheel *wheel, uint64_t time, uint8_t kind,
                                      uint32_t subject, uint16_t count)
{
  if (wheel->free == WB_WHEEL_NONE && !wb_time_wheel_grow(wheel))
    return;
  const uint32_t event = wheel->free;
  wheel->free = wheel->events[event].next;
  wheel->events[event].subject = subject;
  wheel->events[event].count = count;
  wheel->events[event].kind = kind;
  if (time - wheel->now < WB_WHEEL_SPAN)
    wb_time_wheel_link(wheel, time, event);
  else
    wb_time_wheel_push_later(wheel, time, event);
}

/* Takes an event of the present cycle; false where there is none any more. */
static inline bool wb_time_wheel_take(struct wb_time_wheel *wheel, struct wb_wheel_event *taken)
{
  const uint32_t place = (uint32_t)wheel->now % WB_WHEEL_SPAN;
  const uint32_t event = wheel->bucket[place];
  if (event == WB_WHEEL_NONE) {
    wheel->used[place / 64] &= ~(UINT64_C(1) << place % 64);
    return false;
  }
  *taken = wheel->events[event];
  wheel->bucket[place] = taken->next;
  wheel->events[event].next = wheel->free;
  wheel->free = event;
  return true;
}

#endif
