#include "certificate/launch/launch_stages.h"

#include "base/checked.h"

static const struct wb_request_stage *stage_of(const struct wb_timed_code *code,
                                               const struct wb_timed_instruction *instruction,
                                               size_t number)
{
  return &code->stages[instruction->first_stage + number];
}

/* In the series of a partition and its SM: those of the GPU are apart. */
static unsigned place_of(const struct wb_timed_code *code, const struct wb_request_stage *stage)
{
  const struct wb_resource *resource = &code->resources[stage->resource];
  return resource->level != WB_LEVEL_GPU ? resource->place : 0;
}

size_t wb_check_stages_run(const struct wb_timed_code *code,
                           const struct wb_timed_instruction *instruction, size_t first)
{
  size_t end = first + 1;
  while (end < instruction->stage_count) {
    const struct wb_request_stage *here = stage_of(code, instruction, end - 1);
    const struct wb_request_stage *next = stage_of(code, instruction, end);
    const bool goes_on = place_of(code, here) != 0 && here->requests == 1 &&
                         place_of(code, next) > place_of(code, here);
    if (!goes_on)
      break;
    end++;
  }
  return end;
}

static uint64_t work_of(const struct wb_request_stage *stage)
{
  return (uint64_t)stage->requests * stage->service;
}

/* The runs of an instruction, from the last stage to the first: what comes later of the run is
 * known. */
static void see_instruction(const struct wb_timed_code *code,
                            const struct wb_timed_instruction *instruction,
                            struct wb_check_stages *stages)
{
  for (size_t first = 0; first < instruction->stage_count;) {
    const size_t end = wb_check_stages_run(code, instruction, first);
    uint64_t later = 0;
    for (size_t s = end; s-- > first + 1;) {
      const struct wb_request_stage *stage = stage_of(code, instruction, s);
      const struct wb_request_stage *before = stage_of(code, instruction, s - 1);
      const unsigned boundary = place_of(code, before);
      later = wb_maximum(later, work_of(stage));
      stages->gap[boundary] = wb_maximum(stages->gap[boundary], stage->delay);
      stages->toll[boundary] =
          wb_maximum(stages->toll[boundary], wb_minimum(later, work_of(before)));
    }
    if (first == 0 && place_of(code, stage_of(code, instruction, 0)) != 0)
      stages->gap[0] = wb_maximum(stages->gap[0], stage_of(code, instruction, 0)->delay);
    first = end;
  }
}

struct wb_check_stages wb_check_stages_of(const struct wb_timed_code *code)
{
  struct wb_check_stages stages = {0};
  unsigned own = 0; /* places of partitions' resources */
  for (size_t i = 0; i < code->instruction_count; i++)
    see_instruction(code, &code->instructions[i], &stages);
  for (size_t r = 0; r < code->resource_count; r++) {
    if (code->resources[r].level == WB_LEVEL_PARTITION && code->resources[r].place > own)
      own = code->resources[r].place;
  }
  stages.change = stages.toll[own];
  for (unsigned b = 0; b < own; b++)
    stages.change += stages.toll[b] + stages.gap[b];
  return stages;
}

uint64_t wb_check_stages_paid(const struct wb_timed_code *code,
                              const struct wb_check_stages *stages,
                              const struct wb_timed_instruction *instruction)
{
  uint64_t paid = 0;
  for (size_t first = 0; first < instruction->stage_count;) {
    const size_t end = wb_check_stages_run(code, instruction, first);
    const unsigned last = place_of(code, stage_of(code, instruction, end - 1));
    for (unsigned b = 0; b < last; b++) {
      uint64_t service = 0;
      uint64_t delay = 0;
      /* The stage of the run at this place, and the delay of the one after it. */
      if (b == 0 && first == 0)
        delay = stage_of(code, instruction, 0)->delay;
      for (size_t s = first; s + 1 < end && b > 0; s++) {
        if (place_of(code, stage_of(code, instruction, s)) != b)
          continue;
        service = stage_of(code, instruction, s)->service;
        delay = stage_of(code, instruction, s + 1)->delay;
      }
      paid += wb_maximum(service, stages->toll[b]) - service + stages->gap[b] - delay;
    }
    first = end;
  }
  return paid;
}

/* ---- two of the GPU's ---- */

bool wb_check_pair_joins(const struct wb_timed_code *code, const struct wb_check_pair *pair,
                         const struct wb_timed_instruction *instruction, size_t stage)
{
  if (pair->far == NULL || stage + 1 >= instruction->stage_count)
    return false;
  const struct wb_request_stage *here = stage_of(code, instruction, stage);
  const struct wb_request_stage *next = stage_of(code, instruction, stage + 1);
  return &code->resources[here->resource] == pair->near &&
         &code->resources[next->resource] == pair->far && here->requests == next->requests;
}

struct wb_check_pair wb_check_pair_of(const struct wb_timed_code *code, uint64_t denominator)
{
  struct wb_check_pair pair = {0};
  uint64_t longest = 0; /* service at `near`, and delay behind it */
  uint64_t farthest = 0;
  for (size_t r = 0; r < code->resource_count; r++) {
    const struct wb_resource *one = &code->resources[r];
    if (one->level != WB_LEVEL_GPU || one->place == 0)
      continue;
    pair.near = pair.near == NULL || one->place < pair.near->place ? one : pair.near;
    pair.far = pair.far == NULL || one->place > pair.far->place ? one : pair.far;
  }
  if (pair.far == NULL)
    return pair;
  for (size_t i = 0; i < code->instruction_count; i++) {
    const struct wb_timed_instruction *instruction = &code->instructions[i];
    for (size_t s = 0; s < instruction->stage_count; s++) {
      if (!wb_check_pair_joins(code, &pair, instruction, s))
        continue;
      const struct wb_request_stage *here = stage_of(code, instruction, s);
      const struct wb_request_stage *next = stage_of(code, instruction, s + 1);
      longest = wb_maximum(longest, here->service);
      farthest = wb_maximum(farthest, next->delay);
      pair.twice =
          wb_maximum(pair.twice, wb_minimum(denominator / pair.near->servers * here->service,
                                            denominator / pair.far->servers * (next->service - 1)));
    }
  }
  pair.way = longest + farthest;
  pair.twice *= pair.far->servers - 1; /* so many serve where one is free */
  return pair;
}
