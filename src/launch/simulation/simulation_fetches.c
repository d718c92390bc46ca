/* What a launch finds in no cache when it begins: lines of code and constants, and translations
 * (doc/launches/cold-starts.md). */
#include "launch/simulation/launch_machine.h"

static enum wb_resource_level level_of(const struct wb_launch_machine *machine, uint32_t line)
{
  return machine->code->cold[machine->code->cold_lines.lines[line].fetch].level;
}

uint64_t wb_launch_lay_out_lines(struct wb_launch_machine *machine)
{
  const uint64_t caches[WB_LEVEL_COUNT] = {
      [WB_LEVEL_PARTITION] = (uint64_t)machine->sms * machine->partitions,
      [WB_LEVEL_SM] = machine->sms,
      [WB_LEVEL_GPU] = 1,
  };
  uint64_t count = 0;
  for (uint32_t l = 0; l < machine->code->cold_lines.count; l++) {
    machine->line_base[l] = (size_t)count;
    count += caches[level_of(machine, l)];
  }
  return count;
}

/* The line in the cache that the warps of a partition use. */
static struct wb_launch_line *line_of(const struct wb_launch_machine *machine, uint32_t line,
                                      uint32_t partition)
{
  const enum wb_resource_level level = level_of(machine, line);
  size_t cache = 0;
  if (level == WB_LEVEL_PARTITION)
    cache = partition;
  else if (level == WB_LEVEL_SM)
    cache = partition / machine->partitions;
  return &machine->lines[machine->line_base[line] + cache];
}

/* Has the line fetched for the warp, unless it is there or on its way: where a wider cache lacks
 * what is needed for that, this comes first. */
static void fetch(struct wb_launch_machine *machine, uint32_t line, uint32_t id)
{
  const struct wb_launch_warp *const warp = &machine->warps[id];
  uint32_t waits = WB_NOBODY; /* the fetch of the line in the narrower cache */
  for (;;) {
    struct wb_launch_line *const at = line_of(machine, line, warp->partition);
    if (waits != WB_NOBODY && at->state == WB_LINE_THERE) {
      wb_launch_begin_stage(machine, waits);
      return;
    }
    const bool missing = at->state == WB_LINE_MISSING;
    if (waits != WB_NOBODY) {
      machine->flights[waits].sibling = at->flights;
      at->flights = waits;
    }
    if (!missing)
      return;
    const uint32_t number = wb_launch_take_flight(machine);
    if (number == WB_NOBODY)
      return;
    struct wb_launch_flight *const flight = &machine->flights[number];
    flight->age = warp->age;
    flight->step = warp->step;
    flight->instruction = warp->path[warp->step];
    flight->warp = id;
    flight->partition = warp->partition;
    flight->member = machine->blocks[warp->resident].member;
    flight->stage = 0;
    flight->line = line;
    at->state = WB_LINE_FETCHED;
    const uint32_t behind = machine->code->cold_lines.lines[line].behind;
    if (behind == 0) {
      wb_launch_begin_stage(machine, number);
      return;
    }
    waits = number;
    line = behind - 1;
  }
}

bool wb_launch_finds_lines(struct wb_launch_machine *machine, uint32_t id)
{
  struct wb_launch_warp *const warp = &machine->warps[id];
  const struct wb_cold_lines *const lines = &machine->code->cold_lines;
  const uint32_t instruction = warp->path[warp->step];
  for (size_t n = lines->first[instruction]; n < lines->first[instruction + 1]; n++) {
    struct wb_launch_line *const at = line_of(machine, lines->needs[n], warp->partition);
    if (at->state == WB_LINE_THERE)
      continue;
    fetch(machine, lines->needs[n], id);
    warp->waits_next = at->warps;
    at->warps = id;
    return false;
  }
  return true;
}

void wb_launch_end_fetch(struct wb_launch_machine *machine, uint32_t number)
{
  struct wb_launch_flight *const flight = &machine->flights[number];
  struct wb_launch_line *const at = line_of(machine, flight->line, flight->partition);
  uint32_t warp = at->warps;
  uint32_t waiting = at->flights;
  *at = (struct wb_launch_line){WB_LINE_THERE, WB_NOBODY, WB_NOBODY};
  flight->sibling = machine->free_flight;
  machine->free_flight = number;
  while (waiting != WB_NOBODY) {
    const uint32_t next = machine->flights[waiting].sibling;
    wb_launch_begin_stage(machine, waiting);
    waiting = next;
  }
  while (warp != WB_NOBODY) {
    const uint32_t next = machine->warps[warp].waits_next;
    machine->warps[warp].ready_since = machine->wheel.now;
    wb_launch_ready(machine, warp);
    warp = next;
  }
}
