#include "certificate/launch_run/launch_run_servers.h"

#include "base/checked.h"

#include <inttypes.h>
#include <stdlib.h>

/* A service begins or ends. */
struct change {
  uint64_t place;
  uint64_t time;
  uint8_t resource;
  bool begins;
};

/* What tells the same resource of two partitions, or SMs, apart. */
static uint64_t place_of(const struct wb_timed_code *code, uint8_t resource,
                         const struct wb_check_launch_event *event)
{
  switch (code->resources[resource].level) {
  case WB_LEVEL_PARTITION:
    return (uint64_t)event->sm << 32 | event->partition;
  case WB_LEVEL_SM:
    return (uint64_t)event->sm << 32;
  default:
    return 0;
  }
}

static const struct wb_timed_instruction *instruction_of(const struct wb_check_launch_run *run,
                                                         const struct wb_check_launch_event *event)
{
  const uint64_t warp = event->block * run->shape.block_warps + event->warp;
  return &run->code->instructions[run->path[warp][event->step]];
}

/* Servers are let go before others take them. */
static int compare(const void *a, const void *b)
{
  const struct change *left = a;
  const struct change *right = b;
  if (left->resource != right->resource)
    return left->resource < right->resource ? -1 : 1;
  if (left->place != right->place)
    return left->place < right->place ? -1 : 1;
  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  return left->begins - right->begins;
}

static struct change *add_service(struct change *next, const struct wb_check_launch_run *run,
                                  const struct wb_check_launch_event *event, uint8_t resource,
                                  uint64_t until)
{
  const uint64_t place = place_of(run->code, resource, event);
  *next++ = (struct change){place, event->time, resource, true};
  *next++ = (struct change){place, until, resource, false};
  return next;
}

/* Adds what an event serves. */
static struct change *add_event(struct change *next, const struct wb_check_launch_run *run,
                                const struct wb_check_launch_event *event)
{
  const struct wb_timed_instruction *instruction = instruction_of(run, event);
  const struct wb_timed_code *code = run->code;
  if (event->request)
    return add_service(next, run, event,
                       code->stages[instruction->first_stage + event->stage].resource,
                       event->until);
  for (size_t u = 0; u < instruction->use_count; u++) {
    const struct wb_issue_use *use = &code->uses[instruction->first_use + u];
    next = add_service(next, run, event, use->resource, event->time + use->service);
  }
  return next;
}

/* Services of fetches and copies. */
static size_t count_others(const struct wb_check_launch_run *run)
{
  size_t count = 0;
  for (size_t f = 0; f < run->fetch_count; f++) {
    const struct wb_cold_fetch *kind =
        &run->code->cold[run->code->cold_lines.lines[run->fetches[f].line].fetch];
    for (size_t s = 0; s < kind->stage_count; s++)
      count += kind->stages[s].requests;
  }
  for (size_t c = 0; c < run->copy_count; c++)
    count += run->code->resources[run->graph->memory].servers;
  return count;
}

static void add_others(struct change *next, const struct wb_check_launch_run *run)
{
  for (size_t f = 0; f < run->fetch_count; f++) {
    const struct wb_check_run_fetch *fetch = &run->fetches[f];
    const struct wb_cold_fetch *kind =
        &run->code->cold[run->code->cold_lines.lines[fetch->line].fetch];
    const uint64_t *time = fetch->times;
    for (size_t s = 0; s < kind->stage_count; s++) {
      for (uint32_t n = 0; n < kind->stages[s].requests; n++, time++) {
        const struct wb_check_launch_event at = {
            .sm = fetch->sm, .partition = fetch->partition, .time = *time};
        next =
            add_service(next, run, &at, kind->stages[s].resource, *time + kind->stages[s].service);
      }
    }
  }
  for (size_t c = 0; c < run->copy_count; c++) {
    const struct wb_check_run_copy *copy = &run->copies[c];
    for (uint32_t n = 0; n < run->code->resources[run->graph->memory].servers; n++) {
      const struct wb_check_launch_event at = {.time = copy->times[n]};
      next = add_service(next, run, &at, run->graph->memory,
                         copy->times[n] + run->graph->steps[copy->step].memory);
    }
  }
}

warpbound_status wb_check_launch_servers_make(struct wb_arena *arena,
                                              const struct wb_check_launch_run *run,
                                              struct wb_check_launch_servers *servers,
                                              warpbound_error *error)
{
  size_t count = 0;
  for (size_t e = 0; e < run->event_count; e++)
    count +=
        run->events[e].request ? 2 : 2 * (size_t)instruction_of(run, &run->events[e])->use_count;
  count += 2 * count_others(run);
  *servers = (struct wb_check_launch_servers){.run = run};
  if (count == 0)
    return WARPBOUND_OK;
  struct change *changes = wb_arena_array(arena, struct change, count);
  struct change *next = changes;
  servers->busy = wb_arena_array(arena, struct wb_check_launch_busy, count);
  if (arena->failed || servers->busy == NULL)
    return wb_out_of_memory(error);
  for (size_t e = 0; e < run->event_count; e++)
    next = add_event(next, run, &run->events[e]);
  add_others(next, run);
  qsort(changes, count, sizeof *changes, compare);
  const struct wb_timed_code *code = servers->run->code;
  uint64_t serving = 0;
  for (size_t c = 0; c < count; c++) {
    const struct wb_resource *resource = &code->resources[changes[c].resource];
    serving += changes[c].begins ? 1 : UINT64_MAX;
    if (serving > resource->servers)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "cycle %" PRIu64 ": %s serves more than it has servers", changes[c].time,
                     resource->name);
    if (serving == resource->servers) {
      /* Adds a stretch in which all servers served. */
      const uint64_t until = changes[c + 1].time;
      struct wb_check_launch_busy *last =
          servers->count > 0 ? &servers->busy[servers->count - 1] : NULL;
      if (last != NULL && last->resource == changes[c].resource &&
          last->place == changes[c].place && last->until == changes[c].time)
        last->until = until;
      else if (until > changes[c].time)
        servers->busy[servers->count++] = (struct wb_check_launch_busy){
            changes[c].place, changes[c].resource, changes[c].time, until};
    }
  }
  return WARPBOUND_OK;
}

/* Whether the stretch ends, at that place of that resource, at or before the time. */
static bool is_before(const struct wb_check_launch_busy *busy, uint8_t resource, uint64_t place,
                      uint64_t time)
{
  if (busy->resource != resource)
    return busy->resource < resource;
  return busy->place != place ? busy->place < place : busy->until <= time;
}

/* The end of the stretch that the time is in; the time where it is in none. */
static uint64_t busy_until(const struct wb_check_launch_servers *servers, uint8_t resource,
                           uint64_t place, uint64_t time)
{
  size_t low = 0;
  size_t high = servers->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (is_before(&servers->busy[middle], resource, place, time))
      low = middle + 1;
    else
      high = middle;
  }
  const struct wb_check_launch_busy *found = &servers->busy[low];
  return low < servers->count && found->resource == resource && found->place == place &&
                 found->time <= time
             ? found->until
             : time;
}

static bool takes(const struct wb_timed_code *code, const struct wb_timed_instruction *instruction,
                  uint8_t resource)
{
  bool found = false;
  for (size_t u = 0; instruction != NULL && u < instruction->use_count; u++)
    found |= code->uses[instruction->first_use + u].resource == resource;
  return found;
}

uint64_t wb_check_launch_servers_idle(const struct wb_check_launch_servers *servers,
                                      const struct wb_check_launch_event *event,
                                      const struct wb_timed_instruction *instruction, uint64_t from,
                                      uint64_t to)
{
  const struct wb_timed_code *code = servers->run->code;
  uint64_t before;
  do {
    before = from;
    for (uint8_t r = 0; r < code->resource_count; r++) {
      if (!code->resources[r].at_issue || takes(code, instruction, r))
        from = busy_until(servers, r, place_of(code, r, event), from);
    }
  } while (from > before && from < to);
  return wb_minimum(from, to);
}
