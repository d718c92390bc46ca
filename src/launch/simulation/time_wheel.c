#include "launch/simulation/time_wheel.h"

#include "base/memory.h"

#include <stdlib.h>

void wb_time_wheel_start(struct wb_time_wheel *wheel, size_t most_events)
{
  *wheel = (struct wb_time_wheel){.free = WB_WHEEL_NONE, .most_events = most_events};
  for (size_t i = 0; i < WB_WHEEL_SPAN; i++)
    wheel->bucket[i] = WB_WHEEL_NONE;
}

void wb_time_wheel_free(struct wb_time_wheel *wheel)
{
  free(wheel->events);
  free(wheel->later);
  wheel->events = NULL;
  wheel->later = NULL;
}

bool wb_time_wheel_grow(struct wb_time_wheel *wheel)
{
  const size_t before = wheel->capacity;
  if (before >= wheel->most_events || before >= WB_WHEEL_NONE / 2 ||
      !wb_grow(wheel->events, &wheel->capacity, before + 64)) {
    wheel->failed = true;
    return false;
  }
  for (size_t i = before; i < wheel->capacity; i++)
    wheel->events[i].next = i + 1 < wheel->capacity ? (uint32_t)(i + 1) : WB_WHEEL_NONE;
  wheel->free = (uint32_t)before;
  return true;
}

void wb_time_wheel_push_later(struct wb_time_wheel *wheel, uint64_t time, uint32_t event)
{
  if (!wb_grow(wheel->later, &wheel->later_capacity, wheel->later_count + 1)) {
    wheel->failed = true;
    return;
  }
  struct wb_later_event *const heap = wheel->later;
  size_t place = wheel->later_count++;
  while (place > 0 && heap[(place - 1) / 2].time > time) {
    heap[place] = heap[(place - 1) / 2];
    place = (place - 1) / 2;
  }
  heap[place] = (struct wb_later_event){time, event};
}

static struct wb_later_event take_earliest(struct wb_time_wheel *wheel)
{
  struct wb_later_event *const heap = wheel->later;
  const struct wb_later_event earliest = heap[0];
  const struct wb_later_event last = heap[--wheel->later_count];
  const size_t count = wheel->later_count;
  size_t place = 0;
  for (size_t child = 1; child < count; child = 2 * place + 1) {
    if (child + 1 < count && heap[child + 1].time < heap[child].time)
      child++;
    if (heap[child].time >= last.time)
      break;
    heap[place] = heap[child];
    place = child;
  }
  if (count > 0)
    heap[place] = last;
  return earliest;
}

/* Cycles from now + 1 to the next bucket that is in use; WB_WHEEL_SPAN where none is. */
static uint64_t find_used(const struct wb_time_wheel *wheel)
{
  const uint32_t from = (uint32_t)(wheel->now + 1) % WB_WHEEL_SPAN;
  uint64_t bits = wheel->used[from / 64] >> from % 64;
  if (bits != 0)
    return (uint64_t)__builtin_ctzll(bits);
  uint32_t distance = 64 - from % 64;
  for (uint32_t word = from / 64 + 1; distance < WB_WHEEL_SPAN; word++, distance += 64) {
    bits = wheel->used[word % (WB_WHEEL_SPAN / 64)];
    if (bits != 0)
      return distance + (uint32_t)__builtin_ctzll(bits);
  }
  return WB_WHEEL_SPAN;
}

bool wb_time_wheel_advance(struct wb_time_wheel *wheel, uint64_t limit)
{
  const uint64_t distance = find_used(wheel);
  uint64_t next = distance < WB_WHEEL_SPAN ? wheel->now + 1 + distance : UINT64_MAX;
  if (wheel->later_count > 0 && wheel->later[0].time < next)
    next = wheel->later[0].time;
  if (limit < next)
    next = limit;
  if (next == UINT64_MAX)
    return false;
  wheel->now = next;
  while (wheel->later_count > 0 && wheel->later[0].time - next < WB_WHEEL_SPAN) {
    const struct wb_later_event event = take_earliest(wheel);
    wb_time_wheel_link(wheel, event.time, event.event);
  }
  return true;
}
