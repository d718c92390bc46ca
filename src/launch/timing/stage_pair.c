#include "launch/timing/stage_pair.h"

#include "base/checked.h"

/* ---- which two ---- */

/* Whether a stage that is no access of a warp uses the resource: of what is fetched ahead, kept, or
 * once in the launch. */
static bool is_fetched(const struct wb_timed_code *code, uint8_t resource)
{
  for (size_t c = 0; c < code->cold_count; c++) {
    for (size_t s = 0; s < code->cold[c].stage_count; s++) {
      if (code->cold[c].stages[s].resource == resource)
        return true;
    }
  }
  for (size_t s = 0; s < code->stage_count; s++) {
    if (code->stages[s].resource == resource &&
        (code->stages[s].ahead || code->stages[s].buffer > 0))
      return true;
  }
  return false;
}

static bool goes_on(const struct wb_timed_code *code,
                    const struct wb_timed_instruction *instruction, size_t stage, uint8_t front,
                    uint8_t memory)
{
  const struct wb_request_stage *stages = &code->stages[instruction->first_stage];
  return stage > 0 && stages[stage].resource == memory && stages[stage - 1].resource == front &&
         stages[stage].requests == stages[stage - 1].requests;
}

/* Stages at the memory that requests come to from the front. */
static size_t count(const struct wb_timed_code *code, uint8_t front, uint8_t memory)
{
  size_t stages = 0;
  for (size_t i = 0; i < code->instruction_count; i++) {
    for (size_t s = 1; s < code->instructions[i].stage_count; s++)
      stages += goes_on(code, &code->instructions[i], s, front, memory);
  }
  return stages;
}

bool wb_stage_pair_mark(struct wb_timed_code *code, uint8_t behind)
{
  uint8_t front = WB_RESOURCE_LIMIT, memory = WB_RESOURCE_LIMIT, last = 0;
  size_t most = 0;
  const uint8_t resources = (uint8_t)code->resource_count; /* at most WB_RESOURCE_LIMIT */
  for (uint8_t r = 0; r < resources; r++) {
    if (code->resources[r].level == WB_LEVEL_GPU)
      code->resources[r].place = 0;
    last = (uint8_t)wb_maximum(last, code->resources[r].place);
  }
  if (code->kept.count > 0 || code->first.count > 0 || last + 2 > WB_RESOURCE_LIMIT)
    return false;
  for (uint8_t a = 0; a < resources; a++) {
    for (uint8_t b = 0; b < resources; b++) {
      if (a == b || (behind != WB_RESOURCE_LIMIT && b != behind) ||
          code->resources[a].level != WB_LEVEL_GPU || code->resources[b].level != WB_LEVEL_GPU ||
          is_fetched(code, a) || is_fetched(code, b))
        continue;
      const size_t stages = count(code, a, b);
      if (stages > most) {
        most = stages;
        front = a;
        memory = b;
      }
    }
  }
  if (most == 0)
    return false;
  code->resources[front].place = (uint8_t)(last + 1);
  code->resources[memory].place = (uint8_t)(last + 2);
  return true;
}

/* ---- what it costs ---- */

bool wb_stage_pair_follows(const struct wb_timed_code *code, const struct wb_stage_pair *pair,
                           const struct wb_timed_instruction *instruction, size_t stage)
{
  return pair->front < WB_RESOURCE_LIMIT &&
         goes_on(code, instruction, stage, pair->front, pair->memory);
}

static uint64_t share_of(const struct wb_timed_code *code, uint8_t resource, uint64_t denominator)
{
  return denominator / code->resources[resource].servers;
}

struct wb_stage_pair wb_stage_pair_find(const struct wb_timed_code *code, uint64_t denominator)
{
  struct wb_stage_pair pair = {.front = WB_RESOURCE_LIMIT, .memory = WB_RESOURCE_LIMIT};
  uint64_t delay = 0, service = 0;
  for (uint8_t r = 0; r < code->resource_count; r++) {
    if (code->resources[r].level != WB_LEVEL_GPU || code->resources[r].place == 0)
      continue;
    if (pair.memory == WB_RESOURCE_LIMIT ||
        code->resources[r].place > code->resources[pair.memory].place) {
      pair.front = pair.memory;
      pair.memory = r;
    } else {
      pair.front = r;
    }
  }
  for (size_t i = 0; i < code->instruction_count; i++) {
    const struct wb_timed_instruction *instruction = &code->instructions[i];
    for (size_t s = 1; s < instruction->stage_count; s++) {
      if (!wb_stage_pair_follows(code, &pair, instruction, s))
        continue;
      const struct wb_request_stage *stage = &code->stages[instruction->first_stage + s];
      const uint64_t here = (stage->service - 1) * share_of(code, pair.memory, denominator);
      const uint64_t before = stage[-1].service * share_of(code, pair.front, denominator);
      delay = wb_maximum(delay, stage->delay);
      service = wb_maximum(service, stage[-1].service);
      pair.twice = wb_maximum(pair.twice, wb_minimum(here, before));
    }
  }
  pair.window = service + delay;
  if (pair.memory < WB_RESOURCE_LIMIT)
    pair.twice *= code->resources[pair.memory].servers - 1;
  return pair;
}

uint64_t wb_stage_pair_lap(const struct wb_timed_code *code, const struct wb_stage_pair *pair,
                           const struct wb_timed_instruction *instruction, size_t stage,
                           uint64_t denominator)
{
  const struct wb_request_stage *one = &code->stages[instruction->first_stage + stage];
  if (pair->front == WB_RESOURCE_LIMIT || one->resource != pair->memory)
    return 0;
  const uint64_t lap = pair->window * denominator + pair->twice;
  if (!wb_stage_pair_follows(code, pair, instruction, stage))
    return lap;
  /* Its own delay, and its own service at the front but for the share of it, are paid already. */
  const uint64_t rest = denominator - share_of(code, pair->front, denominator);
  return lap - one->delay * denominator - one[-1].service * rest;
}
