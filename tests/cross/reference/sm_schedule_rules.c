#include "sm_schedule_rules.h"

#include <string.h>

static const char units[] = "LCSDT";

/* One cycle of a schedule under examination. */
struct examined {
  const struct sm_instance *instance;
  const struct wb_schedule *schedule;
  uint32_t cycle;
};

static const char *letters_of(const struct examined *e, uint32_t warp)
{
  return e->instance->strings[e->schedule->string_of[warp]];
}

static uint32_t cycle_of(const struct examined *e, uint32_t warp, size_t at)
{
  return e->schedule->issue_cycle[e->schedule->first[warp] + at];
}

/* Instructions, or those of type B, that the warp has done before the cycle. */
static size_t done_before(const struct examined *e, uint32_t warp, bool barriers)
{
  size_t done = 0;
  for (size_t i = 0; letters_of(e, warp)[i] != '\0'; i++)
    done += cycle_of(e, warp, i) < e->cycle && (!barriers || letters_of(e, warp)[i] == 'B');
  return done;
}

static bool may_issue(const struct examined *e, uint32_t warp)
{
  if (letters_of(e, warp)[done_before(e, warp, false)] == '\0')
    return false;
  uint32_t size = e->instance->block_warps;
  for (uint32_t other = warp / size * size; other < warp / size * size + size; other++) {
    if (done_before(e, other, true) < done_before(e, warp, true))
      return false;
  }
  return true;
}

static bool issues(const struct examined *e, uint32_t warp)
{
  size_t next = done_before(e, warp, false);
  return letters_of(e, warp)[next] != '\0' && cycle_of(e, warp, next) == e->cycle;
}

static uint32_t partition_of(const struct examined *e, uint32_t warp)
{
  return warp % e->instance->block_warps % e->instance->partitions;
}

/* Warps other than this one that issue in its partition, or, where `like`, that take of the units
 * that its next instruction takes. */
static uint32_t others_that_issue(const struct examined *e, uint32_t warp, bool like)
{
  char letter = letters_of(e, warp)[done_before(e, warp, false)];
  const char *unit = strchr(units, letter);
  bool shared = unit != NULL && e->instance->shared[unit - units];
  uint32_t count = 0;
  for (uint32_t other = 0; other < e->schedule->warps; other++) {
    if (other == warp || !issues(e, other))
      continue;
    bool near = partition_of(e, other) == partition_of(e, warp) || (like && shared);
    bool same = !like || letters_of(e, other)[done_before(e, other, false)] == letter;
    count += near && same;
  }
  return count;
}

/* Whether there is, or would be, room for the warp beside the others. */
static bool has_room(const struct examined *e, uint32_t warp)
{
  uint32_t slots = e->instance->issue_slots;
  if (slots > 0 && others_that_issue(e, warp, false) >= slots)
    return false;
  const char *unit = strchr(units, letters_of(e, warp)[done_before(e, warp, false)]);
  return unit == NULL || others_that_issue(e, warp, true) < e->instance->capacity[unit - units];
}

static const char *wrong_in_cycle(const struct examined *e)
{
  for (uint32_t warp = 0; warp < e->schedule->warps; warp++) {
    if (issues(e, warp) && !may_issue(e, warp))
      return "a warp issues that waits at a barrier";
    if (issues(e, warp) && !has_room(e, warp))
      return "too many issue";
    if (!issues(e, warp) && may_issue(e, warp) && has_room(e, warp))
      return "a warp idles that could issue";
  }
  return NULL;
}

static const char *wrong_in_order(const struct examined *e, uint64_t *last)
{
  for (uint32_t warp = 0; warp < e->schedule->warps; warp++) {
    if (e->schedule->string_of[warp] >= e->instance->string_count ||
        e->schedule->first[warp + 1] - e->schedule->first[warp] != strlen(letters_of(e, warp)))
      return "not the warp's string";
    for (size_t i = 0; letters_of(e, warp)[i] != '\0'; i++) {
      if (cycle_of(e, warp, i) <= (i > 0 ? cycle_of(e, warp, i - 1) : 0))
        return "instructions are not in order";
      *last = cycle_of(e, warp, i) > *last ? cycle_of(e, warp, i) : *last;
    }
  }
  return NULL;
}

bool sm_schedule_keeps_rules(const struct sm_instance *instance, const struct wb_schedule *schedule,
                             const char **reason)
{
  struct examined examined = {.instance = instance, .schedule = schedule};
  uint64_t last = 0;
  if (schedule->issue_cycle == NULL || schedule->warps != sm_instance_warps(instance)) {
    *reason = "not a schedule of all warps";
    return false;
  }
  *reason = wrong_in_order(&examined, &last);
  if (*reason == NULL && last != schedule->makespan)
    *reason = "another makespan";
  for (uint32_t c = 1; *reason == NULL && c <= last; c++) {
    examined.cycle = c;
    *reason = wrong_in_cycle(&examined);
  }
  return *reason == NULL;
}
