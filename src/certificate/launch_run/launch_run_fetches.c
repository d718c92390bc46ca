#include "certificate/launch_run/launch_run_fetches.h"

#include "base/checked.h"
#include "certificate/launch_run/launch_run_steps.h"

#include <inttypes.h>

static const struct wb_cold_fetch *kind_of(const struct wb_check_launch_run *run, uint32_t line)
{
  return &run->code->cold[run->code->cold_lines.lines[line].fetch];
}

/* How many caches there are that a line may be fetched into. */
static size_t caches_of(const struct wb_check_launch_run *run, uint32_t line)
{
  switch (kind_of(run, line)->level) {
  case WB_LEVEL_PARTITION:
    return (size_t)run->shape.sms * run->shape.partitions;
  case WB_LEVEL_SM:
    return run->shape.sms;
  default:
    return 1;
  }
}

/* Which of them somebody in a partition uses. */
static size_t cache_of(const struct wb_check_launch_run *run, uint32_t line, uint32_t sm,
                       uint32_t partition)
{
  switch (kind_of(run, line)->level) {
  case WB_LEVEL_PARTITION:
    return (size_t)sm * run->shape.partitions + partition;
  case WB_LEVEL_SM:
    return sm;
  default:
    return 0;
  }
}

static size_t requests_of(const struct wb_check_launch_run *run, uint32_t line)
{
  const struct wb_cold_fetch *kind = kind_of(run, line);
  size_t requests = 0;
  for (size_t s = 0; s < kind->stage_count; s++)
    requests += kind->stages[s].requests;
  return requests;
}

bool wb_check_run_lines_fit(const struct wb_check_launch_run *run)
{
  bool fit = run->cold || run->fetch_count == 0;
  fit = fit && (run->fetch_count == 0 || run->code->cold_lines.first != NULL);
  for (size_t f = 0; f < run->fetch_count && fit; f++) {
    const struct wb_check_run_fetch *fetch = &run->fetches[f];
    fit = fetch->line < run->code->cold_lines.count && fetch->sm < run->shape.sms &&
          fetch->partition < run->shape.partitions;
    for (size_t n = 0; fit && n < requests_of(run, fetch->line); n++)
      fit = fetch->times[n] < WB_CHECK_RUN_LATEST;
  }
  return fit;
}

/* The end of the last service of the last stage. */
static uint64_t end_of(const struct wb_check_launch_run *run,
                       const struct wb_check_run_fetch *fetch)
{
  const struct wb_cold_fetch *kind = kind_of(run, fetch->line);
  const uint64_t *time = fetch->times;
  uint64_t end = 0;
  for (size_t s = 0; s < kind->stage_count; s++) {
    for (uint32_t n = 0; n < kind->stages[s].requests; n++, time++)
      end = wb_maximum(end, *time + kind->stages[s].service);
  }
  return end;
}

warpbound_status wb_check_run_lines_make(struct wb_arena *arena,
                                         const struct wb_check_launch_run *run,
                                         struct wb_check_run_lines *lines, warpbound_error *error)
{
  const size_t count = run->cold ? run->code->cold_lines.count : 0;
  size_t caches = 0;
  *lines = (struct wb_check_run_lines){.run = run};
  lines->base = wb_arena_array(arena, size_t, count);
  for (uint32_t l = 0; l < count && lines->base != NULL; l++) {
    lines->base[l] = caches;
    caches += caches_of(run, l);
  }
  lines->fetch = wb_arena_array(arena, uint32_t, caches);
  lines->end = wb_arena_array(arena, uint64_t, run->fetch_count);
  lines->needed = wb_arena_array(arena, uint64_t, run->fetch_count);
  if (arena->failed)
    return wb_out_of_memory(error);
  for (size_t f = 0; f < run->fetch_count; f++) {
    const struct wb_check_run_fetch *fetch = &run->fetches[f];
    uint32_t *const at = &lines->fetch[lines->base[fetch->line] +
                                       cache_of(run, fetch->line, fetch->sm, fetch->partition)];
    if (*at != 0)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "cycle %" PRIu64 ": a cache fetches line %" PRIu32 " twice", fetch->times[0],
                     fetch->line);
    *at = (uint32_t)f + 1;
    lines->end[f] = end_of(run, fetch);
    lines->needed[f] = UINT64_MAX;
  }
  return WARPBOUND_OK;
}

/* Somebody in the partition needs the line at `time`: it is there from *end on. False: nobody
 * fetches it. */
static bool need(struct wb_check_run_lines *lines, uint32_t line, uint32_t sm, uint32_t partition,
                 uint64_t time, uint64_t *end)
{
  const uint32_t found =
      lines->fetch[lines->base[line] + cache_of(lines->run, line, sm, partition)];
  if (found == 0)
    return false;
  *end = lines->end[found - 1];
  lines->needed[found - 1] = wb_minimum(lines->needed[found - 1], time);
  return true;
}

const char *wb_check_run_lines_find(struct wb_check_run_lines *lines,
                                    const struct wb_check_launch_event *event, uint32_t instruction,
                                    uint64_t *from)
{
  const struct wb_cold_lines *cold = &lines->run->code->cold_lines;
  if (!lines->run->cold || cold->first == NULL)
    return NULL;
  for (size_t n = cold->first[instruction]; n < cold->first[instruction + 1]; n++) {
    uint64_t end;
    if (!need(lines, cold->needs[n], event->sm, event->partition, *from, &end))
      return "a line that it needs is not there, and nobody fetches it";
    *from = wb_maximum(*from, end);
  }
  return NULL;
}

static warpbound_status check_fetch(struct wb_check_run_lines *lines,
                                    const struct wb_check_launch_servers *servers, size_t number,
                                    warpbound_error *error)
{
  const struct wb_check_launch_run *run = lines->run;
  const struct wb_check_run_fetch *fetch = &run->fetches[number];
  const struct wb_cold_fetch *kind = kind_of(run, fetch->line);
  const uint32_t behind = run->code->cold_lines.lines[fetch->line].behind;
  uint64_t from = lines->needed[number];
  const char *what = from == UINT64_MAX ? "nobody needs it" : NULL;
  if (what == NULL && behind != 0) {
    uint64_t end = 0;
    if (!need(lines, behind - 1, fetch->sm, fetch->partition, from, &end))
      what = "what it waits for is not fetched";
    from = wb_maximum(from, end);
  }
  const uint64_t *time = fetch->times;
  for (size_t s = 0; s < kind->stage_count && what == NULL; s++) {
    uint64_t end = 0;
    from += kind->stages[s].delay;
    for (uint32_t n = 0; n < kind->stages[s].requests && what == NULL; n++, time++) {
      const struct wb_check_launch_event at = {
          .sm = fetch->sm, .partition = fetch->partition, .time = *time};
      if (*time < from)
        what = "a request of it is served before its stage begins";
      else if (wb_check_launch_servers_idle(servers, &at, NULL, from, *time) < *time)
        what = "a request of it waits while no resource is full";
      end = wb_maximum(end, *time + kind->stages[s].service);
    }
    from = end;
  }
  return what == NULL ? WARPBOUND_OK
                      : wb_fail(error, WARPBOUND_CHECK_FAILED,
                                "cycle %" PRIu64 ": the fetch of line %" PRIu32 ": %s",
                                fetch->times[0], fetch->line, what);
}

/* Lines wait for earlier ones, so the last come first: then it is known who needs the others. */
warpbound_status wb_check_run_lines_end(struct wb_check_run_lines *lines,
                                        const struct wb_check_launch_servers *servers,
                                        warpbound_error *error)
{
  const struct wb_check_launch_run *run = lines->run;
  const size_t count = run->cold ? run->code->cold_lines.count : 0;
  warpbound_status status = WARPBOUND_OK;
  for (size_t l = count; l-- > 0 && status == WARPBOUND_OK;) {
    const size_t caches = caches_of(run, (uint32_t)l);
    for (size_t c = 0; c < caches && status == WARPBOUND_OK; c++) {
      const uint32_t found = lines->fetch[lines->base[l] + c];
      if (found != 0)
        status = check_fetch(lines, servers, found - 1, error);
    }
  }
  return status;
}
