/* What a simulated launch does, written down. */
#include "launch/simulation/launch_machine.h"

#include "base/memory.h"

#include <stdlib.h>

void wb_launch_record(struct wb_launch_machine *machine, const struct wb_launch_event *event,
                      uint64_t age, uint32_t partition)
{
  struct wb_simulated_launch *const launch = machine->launch;
  const struct wb_simulation_options *const options = machine->options;
  const uint32_t sm = partition / machine->partitions;
  if (!machine->recording || event->until < options->events_from ||
      (options->events_of_sm && sm != options->events_sm))
    return;
  if (!wb_grow(launch->events, &machine->event_capacity, launch->event_count + 1)) {
    machine->failed = true;
    return;
  }
  struct wb_launch_event *const recorded = &launch->events[launch->event_count++];
  *recorded = *event;
  recorded->sm = sm;
  recorded->partition = partition % machine->partitions;
  recorded->warp = (uint32_t)(age % machine->shape->block_warps);
  recorded->block = age / machine->shape->block_warps;
  machine->recording = launch->event_count < options->most_events;
}

static int compare(uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

static int compare_events(const void *a, const void *b)
{
  const struct wb_launch_event *const x = a;
  const struct wb_launch_event *const y = b;
  const int orders[] = {
      compare(x->time, y->time),       compare(x->block, y->block), compare(x->warp, y->warp),
      compare(x->step, y->step),       compare(x->kind, y->kind),   compare(x->stage, y->stage),
      compare(x->request, y->request),
  };
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    if (orders[i] != 0)
      return orders[i];
  }
  return 0;
}

void wb_launch_record_sort(struct wb_simulated_launch *launch)
{
  if (launch->event_count > 0)
    qsort(launch->events, launch->event_count, sizeof *launch->events, compare_events);
}
