#include "launch/timing/first_data.h"

#include "base/checked.h"
#include "base/memory.h"
#include "launch/timing/timed_hits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The stages of an instruction beyond the first cache: from `first` up to `end`. */
struct way {
  size_t first, end;
};

static bool is_beyond(const struct wb_request_stage *stage, const bool *beyond)
{
  return beyond[stage->resource] && !stage->ahead;
}

/* False where there are none, where other stages lie between them, where operands are read behind
 * the first of them, or where nothing follows: then it is not known when the data come. */
static bool find_way(const struct wb_timed_code *code,
                     const struct wb_timed_instruction *instruction, const bool *beyond,
                     struct way *way)
{
  const struct wb_request_stage *stages = &code->stages[instruction->first_stage];
  size_t count = 0;
  *way = (struct way){0};
  for (size_t s = 0; s < instruction->stage_count; s++) {
    if (!is_beyond(&stages[s], beyond))
      continue;
    way->first = count == 0 ? s : way->first;
    way->end = s + 1;
    count++;
  }
  return count > 0 && way->end - way->first == count && instruction->read_stages <= way->first &&
         way->end < instruction->stage_count && !stages[way->end].ahead;
}

/* Cycles for which a chain waits for a fetch, but for the share of what serves: of the memory
 * behind L2, where that keeps the data, for a hit there or for a fetch of L2's. */
static uint64_t wait_of(const struct wb_timed_code *code, const struct wb_request_stage *stage)
{
  const uint64_t servers = code->resources[stage->resource].servers;
  const uint64_t wait = (uint64_t)stage->delay + stage->service - stage->service / servers;
  if (stage->buffer == 0)
    return wait;
  return code->kept.buffers[stage->buffer - 1].by_sector ? stage->hit
                                                         : wb_maximum(stage->hit, wait);
}

/* Of two requests to the memory the one that takes longer: one that L2 does not keep, or one for
 * which chains pay. */
static uint8_t worse_buffer(const struct wb_timed_code *code, uint8_t a, uint8_t b)
{
  if (a == 0 || b == 0)
    return 0;
  return code->kept.buffers[a - 1].by_sector ? b : a;
}

/* Takes the way of a load into the fetches of its kind. False where others of the kind go another
 * way. */
static bool add_way(const struct wb_timed_code *code, const struct wb_request_stage *stages,
                    size_t count, struct wb_cold_fetch *fetch)
{
  const bool first = fetch->stage_count == 0;
  if (count > WB_COLD_STAGES || (!first && fetch->stage_count != count))
    return false;
  for (size_t s = 0; s < count; s++) {
    struct wb_request_stage *to = &fetch->stages[s];
    if (!first && to->resource != stages[s].resource)
      return false;
    if (first)
      *to = (struct wb_request_stage){
          .resource = stages[s].resource, .buffer = stages[s].buffer, .hit = stages[s].hit};
    to->requests = 1;
    to->delay = (uint32_t)wb_maximum(to->delay, stages[s].delay);
    to->service = (uint32_t)wb_maximum(to->service, stages[s].service);
    to->buffer = worse_buffer(code, to->buffer, stages[s].buffer);
  }
  fetch->stage_count = (uint8_t)count;
  return true;
}

/* Takes the stages beyond the first cache off a load. Where accesses pay its data are there so much
 * later as a fetch takes. */
static bool end_load(struct wb_timed_code *code, struct wb_timed_instruction *instruction,
                     const bool *beyond, enum wb_first_paid paid, struct wb_cold_fetch *fetch)
{
  struct wb_request_stage *stages = &code->stages[instruction->first_stage];
  struct way way;
  uint64_t wait = 0;
  if (!find_way(code, instruction, beyond, &way) ||
      !add_way(code, &stages[way.first], way.end - way.first, fetch))
    return false;
  for (size_t s = way.first; s < way.end && paid == WB_FIRST_BY_ACCESS; s++)
    wait += wait_of(code, &stages[s]);
  if (stages[way.end].delay + wait > WB_TIME_LIMIT)
    return false;
  stages[way.end].delay += (uint32_t)wait;
  stages[way.end].fetch = (uint32_t)wait;
  memmove(&stages[way.first], &stages[way.end],
          (instruction->stage_count - way.end) * sizeof *stages);
  instruction->stage_count = (uint8_t)(instruction->stage_count - (way.end - way.first));
  return true;
}

enum wb_first_outcome wb_first_data_keep(const struct wb_timed_code *code,
                                         const struct wb_first_data *data, const uint8_t *buffer,
                                         const bool beyond[WB_RESOURCE_LIMIT],
                                         struct wb_timed_code *kept)
{
  struct wb_cold_fetch fetches[WB_FIRST_BY_ACCESS + 1] = {0};
  uint64_t lines[WB_FIRST_BY_ACCESS + 1] = {0};
  bool like = true;
  if (!wb_timed_code_copy(code, kept))
    return WB_FIRST_NO_MEMORY;
  free(kept->first.buffers);
  kept->first = *data;
  kept->first.buffers = wb_allocate(data->count, sizeof *kept->first.buffers);
  if (kept->first.buffers == NULL) {
    wb_timed_code_free(kept);
    return WB_FIRST_NO_MEMORY;
  }
  memcpy(kept->first.buffers, data->buffers, data->count * sizeof *data->buffers);
  for (size_t i = 0; i < kept->instruction_count && like; i++) {
    const enum wb_first_paid paid =
        buffer[i] > 0 ? data->buffers[buffer[i] - 1].paid : WB_FIRST_AS_BEFORE;
    like = paid == WB_FIRST_AS_BEFORE ||
           end_load(kept, &kept->instructions[i], beyond, paid, &fetches[paid]);
  }
  for (size_t b = 0; b < data->count; b++) {
    const struct wb_first_buffer *one = &data->buffers[b];
    lines[one->paid] =
        wb_plus(lines[one->paid], data->of_block ? one->block_lines : wb_lines_of(one->bytes));
  }
  for (enum wb_first_paid paid = WB_FIRST_BY_SECTOR; paid <= WB_FIRST_BY_ACCESS; paid++) {
    struct wb_cold_fetch *fetch = &fetches[paid];
    if (lines[paid] == 0)
      continue;
    fetch->count = wb_times(4, lines[paid]); /* sectors */
    fetch->level = WB_LEVEL_SM;
    fetch->data = paid;
    like = like && fetch->stage_count > 0 && fetch->count <= WB_COLD_LIMIT &&
           kept->cold_count < WB_COLD_FETCHES;
    snprintf(fetch->name, sizeof fetch->name, "%s",
             paid == WB_FIRST_BY_SECTOR ? "data" : "data, by access");
    if (like)
      kept->cold[kept->cold_count++] = *fetch;
  }
  if (!like)
    wb_timed_code_free(kept);
  return like ? WB_FIRST_DONE : WB_FIRST_UNLIKE;
}
