#include "model/timed_code.h"

#include <stdlib.h>

static bool is_scoreboard(uint8_t number)
{
  return number < WB_SCOREBOARD_COUNT || number == WB_NO_SCOREBOARD;
}

/* Stages of instructions, then those of fetches that a launch makes once, by number; NULL: there
 * are no more. */
static const struct wb_request_stage *stage_number(const struct wb_timed_code *code, size_t number)
{
  if (number < code->stage_count)
    return &code->stages[number];
  number -= code->stage_count;
  for (size_t c = 0; c < code->cold_count; c++) {
    if (number < code->cold[c].stage_count)
      return &code->cold[c].stages[number];
    number -= code->cold[c].stage_count;
  }
  return NULL;
}

const struct wb_request_stage *wb_timed_code_fetch(const struct wb_timed_code *code)
{
  const struct wb_request_stage *stage = stage_number(code, 0);
  for (size_t s = 1; stage != NULL && stage->buffer == 0; s++)
    stage = stage_number(code, s);
  return stage;
}

/* NULL, or what is wrong with the data that L2 keeps and with their fetches. */
static const char *check_kept(const struct wb_timed_code *code)
{
  const struct wb_kept_data *kept = &code->kept;
  const struct wb_request_stage *fetch = wb_timed_code_fetch(code);
  const struct wb_request_stage *stage;
  for (size_t b = 0; b < kept->count; b++) {
    if (kept->buffers[b].bytes == 0 || kept->buffers[b].bytes > WB_KEPT_BYTES_LIMIT)
      return "kept data have a number of bytes out of range";
    if (kept->buffers[b].lines == 0 || kept->buffers[b].lines > wb_lines_of(kept->buffers[b].bytes))
      return "kept data have a number of lines out of range";
  }
  if (kept->count > 0 && (kept->copies == 0 || kept->copies > WB_KEPT_COPIES_LIMIT))
    return "the parts of L2 are none, or too many";
  for (size_t s = 0; (stage = stage_number(code, s)) != NULL; s++) {
    if (stage->buffer > kept->count)
      return "a fetch is of no kept data";
  }
  if (fetch != NULL && code->resources[fetch->resource].level != WB_LEVEL_GPU)
    return "a fetch of kept data uses no resource of the GPU";
  for (size_t s = 0; fetch != NULL && (stage = stage_number(code, s)) != NULL; s++) {
    const bool of_code = s >= code->stage_count && stage->buffer == 0; /* or of translations */
    if (stage->buffer > 0 && (stage->resource != fetch->resource || stage->hit != fetch->hit))
      return "fetches of kept data differ";
    if (stage->resource == fetch->resource && !of_code &&
        (stage->delay != fetch->delay || stage->service != fetch->service))
      return "requests to the memory behind L2 have several times";
    if (stage->hit > WB_TIME_LIMIT)
      return "a stage has a number out of range";
  }
  return NULL;
}

/* NULL, or what is wrong with the data that first caches keep. */
static const char *check_first(const struct wb_timed_code *code)
{
  const struct wb_first_data *first = &code->first;
  if (first->recent && !first->of_block)
    return "first caches keep the lines used last, but not for blocks";
  for (size_t b = 0; b < first->count; b++) {
    if (first->buffers[b].bytes == 0 || first->buffers[b].bytes > WB_KEPT_BYTES_LIMIT ||
        first->buffers[b].paid > WB_FIRST_BY_ACCESS ||
        (first->of_block && (first->buffers[b].block_lines == 0 ||
                             first->buffers[b].block_lines > WB_KEPT_BYTES_LIMIT)))
      return "data that first caches keep have a number out of range";
  }
  for (size_t c = 0; c < code->cold_count; c++) {
    const struct wb_cold_fetch *fetch = &code->cold[c];
    if (fetch->data > WB_FIRST_BY_ACCESS ||
        (fetch->data != WB_FIRST_AS_BEFORE &&
         (first->count == 0 || fetch->level != WB_LEVEL_SM || fetch->by_all_warps > 0)))
      return "a fetch is of no data that first caches keep";
  }
  return NULL;
}

/* NULL, or what is wrong with the places of resources in the series. */
static const char *check_places(const struct wb_timed_code *code)
{
  uint64_t taken = 0;
  size_t of_gpu = 0;
  for (size_t r = 0; r < code->resource_count; r++) {
    const struct wb_resource *resource = &code->resources[r];
    if (resource->place == 0)
      continue;
    if (resource->place > WB_RESOURCE_LIMIT || (taken >> resource->place & 1) != 0)
      return "two resources have one place in the series, or it is out of range";
    if (resource->at_issue || (resource->servers != 1 && resource->level != WB_LEVEL_GPU))
      return "a resource in the series is taken at issue, or has several servers";
    of_gpu += resource->level == WB_LEVEL_GPU;
    taken |= UINT64_C(1) << resource->place;
    for (size_t o = 0; o < code->resource_count; o++) {
      const struct wb_resource *other = &code->resources[o];
      if (other->place > resource->place && other->level < resource->level)
        return "a resource of a wider level stands before one of a narrower level in the series";
    }
  }
  if (of_gpu != 0 && (of_gpu != 2 || code->kept.count > 0 || code->first.count > 0))
    return "of the GPU's resources not two are in the series, or data are kept";
  for (size_t s = 0; s < code->stage_count; s++) {
    const struct wb_resource *resource = &code->resources[code->stages[s].resource];
    if (resource->level == WB_LEVEL_GPU && resource->place > 0 && code->stages[s].ahead)
      return "what is fetched ahead uses a resource of the GPU in the series";
  }
  for (size_t c = 0; c < code->cold_count; c++) {
    for (size_t s = 0; s < code->cold[c].stage_count; s++) {
      if (code->resources[code->cold[c].stages[s].resource].place > 0)
        return "a fetch is of a resource in the series";
    }
  }
  return NULL;
}

/* NULL, or what is wrong with what the launch fetches once. */
static const char *check_cold(const struct wb_timed_code *code)
{
  if (code->cold_count > WB_COLD_FETCHES)
    return "there are too many kinds of fetches";
  for (size_t c = 0; c < code->cold_count; c++) {
    const struct wb_cold_fetch *fetch = &code->cold[c];
    if (fetch->count == 0 || fetch->count > WB_COLD_LIMIT || fetch->by_all_warps > fetch->count ||
        fetch->level >= WB_LEVEL_COUNT || fetch->stage_count == 0 ||
        fetch->stage_count > WB_COLD_STAGES)
      return "a kind of fetches has a number out of range";
    for (size_t s = 0; s < fetch->stage_count; s++) {
      const struct wb_request_stage *stage = &fetch->stages[s];
      if (stage->resource >= code->resource_count || code->resources[stage->resource].at_issue ||
          code->resources[stage->resource].level == WB_LEVEL_PARTITION)
        return "a fetch is of no resource that requests to an SM or the GPU use";
      if (stage->requests == 0 || stage->requests > 4096 || stage->service == 0 ||
          stage->service > WB_TIME_LIMIT || stage->delay > WB_TIME_LIMIT ||
          (stage->buffer > 0 && fetch->data == WB_FIRST_AS_BEFORE))
        return "a stage of a fetch has a number out of range";
    }
  }
  return NULL;
}

const char *wb_timed_code_check(const struct wb_timed_code *code)
{
  if (code->resource_count > WB_RESOURCE_LIMIT)
    return "there are too many resources";
  for (size_t r = 0; r < code->resource_count; r++) {
    const struct wb_resource *resource = &code->resources[r];
    if (resource->servers == 0 || resource->servers > WB_SERVER_LIMIT)
      return "a resource has no servers, or too many";
    if (resource->level >= WB_LEVEL_COUNT)
      return "a resource belongs to nothing";
    if (resource->level == WB_LEVEL_GPU && resource->at_issue)
      return "a resource of the GPU is taken at issue";
  }
  for (size_t i = 0; i < code->instruction_count; i++) {
    const struct wb_timed_instruction *instruction = &code->instructions[i];
    if (instruction->stall == 0 || instruction->stall > WB_TIME_LIMIT ||
        instruction->latency > WB_TIME_LIMIT || instruction->read_latency > WB_TIME_LIMIT ||
        instruction->before > WB_TIME_LIMIT)
      return "a time of an instruction is out of range";
    if (!is_scoreboard(instruction->write_scoreboard) ||
        !is_scoreboard(instruction->read_scoreboard) ||
        !is_scoreboard(instruction->counted_scoreboard) ||
        instruction->wait_mask >= 1 << WB_SCOREBOARD_COUNT)
      return "an instruction names no scoreboard";
    if (instruction->posted && instruction->write_scoreboard != WB_NO_SCOREBOARD)
      return "a posted instruction has results";
    if (instruction->use_count == 0 || instruction->first_use > code->use_count ||
        instruction->use_count > code->use_count - instruction->first_use)
      return "the uses of an instruction are not the code's";
    uint64_t taken = 0;
    for (size_t u = 0; u < instruction->use_count; u++) {
      const struct wb_issue_use *use = &code->uses[instruction->first_use + u];
      if (use->resource >= code->resource_count || !code->resources[use->resource].at_issue ||
          use->service == 0 || use->service > WB_TIME_LIMIT)
        return "a use is of no resource that is taken at issue, or of no time";
      if ((taken >> use->resource & 1) != 0)
        return "an instruction takes a resource twice";
      taken |= UINT64_C(1) << use->resource;
    }
    if (instruction->first_stage > code->stage_count ||
        instruction->stage_count > code->stage_count - instruction->first_stage ||
        instruction->read_stages > instruction->stage_count)
      return "the stages of an instruction are not the code's";
    for (size_t s = 0; s < instruction->stage_count; s++) {
      const struct wb_request_stage *stage = &code->stages[instruction->first_stage + s];
      if (stage->resource >= code->resource_count || code->resources[stage->resource].at_issue)
        return "a stage is of no resource that requests use";
      if (stage->requests == 0 || stage->requests > 4096 || stage->service == 0 ||
          stage->service > WB_TIME_LIMIT || stage->delay > WB_TIME_LIMIT)
        return "a stage has a number out of range";
    }
  }
  const char *broken = check_cold(code);
  if (broken == NULL)
    broken = check_places(code);
  if (broken == NULL)
    broken = check_first(code);
  return broken != NULL ? broken : check_kept(code);
}

void wb_timed_code_free(struct wb_timed_code *code)
{
  free(code->instructions);
  free(code->uses);
  free(code->stages);
  free(code->kept.buffers);
  free(code->first.buffers);
  free(code->cold_lines.lines);
  free(code->cold_lines.first);
  free(code->cold_lines.needs);
  wb_estimate_free(&code->estimate);
  *code = (struct wb_timed_code){0};
}
