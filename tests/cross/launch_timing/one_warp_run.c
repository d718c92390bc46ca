#include "one_warp_run.h"

#include <assert.h>
#include <string.h>

/* ---- the longest chain: each time from all times before ---- */

static uint64_t later(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

/* From issue to the end of the first stages, where a chain's own service counts without its share.
 */
static uint64_t through_stages(const struct wb_timed_code *code,
                               const struct wb_timed_instruction *at, uint64_t denominator,
                               unsigned stages)
{
  uint64_t time = 0;
  for (unsigned s = 0; s < stages; s++) {
    const struct wb_request_stage *stage = &code->stages[at->first_stage + s];
    const uint64_t servers = code->resources[stage->resource].servers;
    time += stage->delay * denominator + stage->service * (denominator * (servers - 1) / servers);
  }
  return time;
}

static uint64_t until_written(const struct wb_timed_code *code,
                              const struct wb_timed_instruction *at, uint64_t denominator)
{
  return through_stages(code, at, denominator, at->stage_count) + at->latency * denominator;
}

static uint64_t until_read(const struct wb_timed_code *code, const struct wb_timed_instruction *at,
                           uint64_t denominator)
{
  return through_stages(code, at, denominator, at->read_stages) + at->read_latency * denominator;
}

static bool waits_for(const struct wb_timed_instruction *at, uint8_t scoreboard)
{
  return scoreboard != WB_NO_SCOREBOARD &&
         ((at->wait_mask >> scoreboard & 1) != 0 || at->counted_scoreboard == scoreboard);
}

/* The service of what both take; the least time between their issues. */
static uint64_t both_take(const struct wb_timed_code *code, const struct wb_timed_instruction *a,
                          const struct wb_timed_instruction *b)
{
  uint64_t longest = 0;
  for (unsigned u = 0; u < a->use_count; u++) {
    for (unsigned v = 0; v < b->use_count; v++) {
      if (code->uses[a->first_use + u].resource == code->uses[b->first_use + v].resource)
        longest = later(longest, code->uses[a->first_use + u].service);
    }
  }
  return longest;
}

/* From an issue to the end of all that it makes. */
static uint64_t until_over(const struct wb_timed_code *code, const struct wb_timed_instruction *at,
                           uint64_t denominator)
{
  const uint64_t requests =
      later(until_written(code, at, denominator), until_read(code, at, denominator));
  return later(requests, both_take(code, at, at) * denominator);
}

uint64_t longest_chain(const struct wb_timed_code *code, uint64_t denominator,
                       const struct timed_step *steps, const uint32_t *walk_of, size_t count,
                       bool ends)
{
  static uint64_t issued[4 * RANDOM_STEPS];
  uint64_t end = 0;
  assert(count <= 4 * RANDOM_STEPS);
  for (size_t j = 0; j < count; j++) {
    const struct wb_timed_instruction *to = &code->instructions[steps[j].instruction];
    issued[j] = 0;
    for (size_t i = 0; i < j; i++) {
      const struct wb_timed_instruction *from = &code->instructions[steps[i].instruction];
      const bool same = walk_of == NULL || walk_of[i] == walk_of[j];
      issued[j] = later(issued[j], issued[i] + from->stall * denominator);
      issued[j] = later(issued[j], issued[i] + both_take(code, from, to) * denominator);
      if (same && waits_for(to, from->write_scoreboard))
        issued[j] = later(issued[j], issued[i] + until_written(code, from, denominator));
      if (same && waits_for(to, from->read_scoreboard))
        issued[j] = later(issued[j], issued[i] + until_read(code, from, denominator));
      if (same && to->fence)
        issued[j] = later(issued[j], issued[i] + until_over(code, from, denominator));
    }
    end = later(end, issued[j] + to->stall * denominator);
    if (!ends)
      continue;
    end = later(end, issued[j] + until_over(code, to, denominator));
  }
  return end;
}

#define MOST_REQUESTS 8192

struct request {
  size_t step;
  uint64_t ready; /* when its delay has passed */
  uint8_t stage;
};

struct run {
  struct wb_random *random;
  const struct wb_timed_code *code;
  const struct timed_step *steps;
  bool less;
  uint64_t busy[WB_RESOURCE_LIMIT][8]; /* by server: until when */
  struct request waiting[MOST_REQUESTS];
  size_t waiting_count;
  unsigned left[RANDOM_STEPS];      /* by step: requests of its present stage that have not ended */
  uint64_t stage_end[RANDOM_STEPS]; /* of those that have */
  uint64_t written[RANDOM_STEPS], read[RANDOM_STEPS]; /* UINT64_MAX: not known yet */
  uint64_t served[RANDOM_STEPS];                      /* what it took at issue */
  uint64_t end;
};

static uint64_t length(struct run *run, uint64_t most, uint64_t least)
{
  return run->less && most > least && wb_random_below(run->random, 3) == 0
             ? least + wb_random_below(run->random, most - least + 1)
             : most;
}

static const struct wb_timed_instruction *instruction_of(const struct run *run, size_t step)
{
  return &run->code->instructions[run->steps[step].instruction];
}

static uint64_t *free_server(struct run *run, uint8_t resource, uint64_t now)
{
  assert(run->code->resources[resource].servers <= 8);
  for (uint32_t s = 0; s < run->code->resources[resource].servers; s++) {
    if (run->busy[resource][s] <= now)
      return &run->busy[resource][s];
  }
  return NULL;
}

/* A step's first `stages` stages have ended. */
static void stages_ended(struct run *run, size_t step, unsigned stages, uint64_t when)
{
  const struct wb_timed_instruction *at = instruction_of(run, step);
  if (stages == at->read_stages)
    run->read[step] = when + length(run, at->read_latency, 0);
  if (stages == at->stage_count) {
    run->written[step] = when + length(run, at->latency, 0);
    run->end = later(run->end, run->written[step]);
  }
  if (stages >= at->read_stages)
    run->end = later(run->end, run->read[step]);
  if (stages == at->stage_count)
    return;
  const struct wb_request_stage *stage = &run->code->stages[at->first_stage + stages];
  const uint64_t ready = when + length(run, stage->delay, 0);
  run->left[step] = stage->requests;
  run->stage_end[step] = 0;
  for (unsigned r = 0; r < stage->requests; r++) {
    assert(run->waiting_count < MOST_REQUESTS);
    run->waiting[run->waiting_count++] = (struct request){step, ready, (uint8_t)stages};
  }
}

/* Starts requests that are ready on free servers, in any order, until none can start. */
static void start_requests(struct run *run, uint64_t now)
{
  for (bool again = true; again;) {
    again = false;
    const size_t first =
        run->waiting_count > 0 ? wb_random_below(run->random, run->waiting_count) : 0;
    for (size_t k = 0; k < run->waiting_count; k++) {
      const size_t w = (first + k) % run->waiting_count;
      const struct request request = run->waiting[w];
      const struct wb_timed_instruction *at = instruction_of(run, request.step);
      const struct wb_request_stage *stage = &run->code->stages[at->first_stage + request.stage];
      uint64_t *server = request.ready <= now ? free_server(run, stage->resource, now) : NULL;
      if (server == NULL)
        continue;
      *server = now + length(run, stage->service, 1);
      run->waiting[w] = run->waiting[--run->waiting_count];
      run->stage_end[request.step] = later(run->stage_end[request.step], *server);
      if (--run->left[request.step] == 0)
        stages_ended(run, request.step, request.stage + 1U, run->stage_end[request.step]);
      again = true;
      break;
    }
  }
}

/* How many earlier steps that set a scoreboard have not released it. */
static unsigned outstanding(const struct run *run, size_t step, uint8_t scoreboard, uint64_t now)
{
  unsigned count = 0;
  for (size_t i = 0; i < step; i++) {
    const struct wb_timed_instruction *at = instruction_of(run, i);
    count += (at->write_scoreboard == scoreboard && run->written[i] > now) ||
             (at->read_scoreboard == scoreboard && run->read[i] > now);
  }
  return count;
}

/* Whether all that the steps before have made has ended. */
static bool is_over(const struct run *run, size_t step, uint64_t now)
{
  for (size_t i = 0; i < step; i++) {
    if (run->written[i] > now || run->read[i] > now || run->served[i] > now)
      return false;
  }
  return true;
}

static bool can_issue(struct run *run, size_t step, uint64_t now)
{
  const struct wb_timed_instruction *at = instruction_of(run, step);
  if (at->fence && !is_over(run, step, now))
    return false;
  for (uint8_t b = 0; b < WB_SCOREBOARD_COUNT; b++) {
    if ((at->wait_mask >> b & 1) != 0 && outstanding(run, step, b, now) > 0)
      return false;
    if (at->counted_scoreboard == b && outstanding(run, step, b, now) > at->counted_left)
      return false;
  }
  for (unsigned u = 0; u < at->use_count; u++) {
    if (free_server(run, run->code->uses[at->first_use + u].resource, now) == NULL)
      return false;
  }
  return true;
}

/* Issues a step; the earliest next issue. */
static uint64_t issue(struct run *run, size_t step, uint64_t now)
{
  const struct wb_timed_instruction *at = instruction_of(run, step);
  for (unsigned u = 0; u < at->use_count; u++) {
    const struct wb_issue_use *use = &run->code->uses[at->first_use + u];
    uint64_t *server = free_server(run, use->resource, now);
    *server = now + length(run, use->service, 1);
    run->served[step] = later(run->served[step], *server);
    run->end = later(run->end, *server);
  }
  stages_ended(run, step, 0, now);
  const uint64_t next = now + length(run, at->stall, 1);
  run->end = later(run->end, next);
  return next;
}

uint64_t one_warp_run(struct wb_random *random, const struct wb_timed_code *code,
                      const struct timed_step *steps, size_t count, bool less)
{
  static struct run run;
  memset(&run, 0, sizeof run);
  run.random = random;
  run.code = code;
  run.steps = steps;
  run.less = less;
  assert(count <= RANDOM_STEPS);
  for (size_t s = 0; s < count; s++)
    run.written[s] = run.read[s] = UINT64_MAX;
  uint64_t next = 0;
  size_t step = 0;
  for (uint64_t now = 0; step < count || run.waiting_count > 0; now++) {
    if (step < count && now >= next && can_issue(&run, step, now))
      next = issue(&run, step++, now);
    start_requests(&run, now);
  }
  return run.end;
}
