#include "launch/timing/timed_hits.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool wb_timed_code_keep(const struct wb_device_timing *device, const struct wb_accesses *accesses,
                        const struct wb_kept_data *kept, struct wb_timed_code *code)
{
  const uint32_t hit = (uint32_t)wb_device_number(device, device->l2_far);
  struct wb_kept_buffer *buffers = wb_allocate(kept->count, sizeof *buffers);
  if (buffers == NULL)
    return false;
  memcpy(buffers, kept->buffers, kept->count * sizeof *buffers);
  wb_timed_code_keep_none(code);
  code->kept = *kept;
  code->kept.buffers = buffers;
  for (size_t a = 0; a < accesses->count; a++) {
    const struct wb_access *access = &accesses->items[a];
    const struct wb_timed_instruction *timed = &code->instructions[access->instruction];
    for (size_t s = 0; s < timed->stage_count && access->kept; s++) {
      struct wb_request_stage *stage = &code->stages[timed->first_stage + s];
      if (stage->resource != device->memory)
        continue;
      stage->buffer = access->buffer;
      stage->hit = hit;
    }
  }
  return true;
}

void wb_timed_code_keep_none(struct wb_timed_code *code)
{
  free(code->kept.buffers);
  code->kept = (struct wb_kept_data){0};
  for (size_t s = 0; s < code->stage_count; s++)
    code->stages[s].buffer = 0, code->stages[s].hit = 0;
}

static void *copy_of(const void *array, size_t count, size_t size)
{
  void *const copy = wb_allocate(count, size);
  if (copy != NULL && count > 0)
    memcpy(copy, array, count * size);
  return copy;
}

/* Makes the lines of the code those of its own. */
static bool copy_lines(const struct wb_timed_code *code, struct wb_timed_code *hits)
{
  const struct wb_cold_lines *from = &code->cold_lines;
  struct wb_cold_lines *to = &hits->cold_lines;
  *to = (struct wb_cold_lines){.count = from->count};
  if (from->first == NULL)
    return true;
  to->lines = copy_of(from->lines, from->count, sizeof *to->lines);
  to->first = copy_of(from->first, code->instruction_count + 1, sizeof *to->first);
  to->needs = copy_of(from->needs, from->first[code->instruction_count], sizeof *to->needs);
  return to->lines != NULL && to->first != NULL && to->needs != NULL;
}

bool wb_timed_code_copy(const struct wb_timed_code *code, struct wb_timed_code *copy)
{
  *copy = *code;
  const bool copied = copy_lines(code, copy);
  copy->estimate = (struct wb_estimate){0};
  copy->instructions =
      copy_of(code->instructions, code->instruction_count, sizeof *copy->instructions);
  copy->uses = copy_of(code->uses, code->use_count, sizeof *copy->uses);
  copy->stages = copy_of(code->stages, code->stage_count, sizeof *copy->stages);
  copy->kept.buffers = copy_of(code->kept.buffers, code->kept.count, sizeof *copy->kept.buffers);
  copy->first.buffers =
      copy_of(code->first.buffers, code->first.count, sizeof *copy->first.buffers);
  copy->use_capacity = code->use_count;
  copy->stage_capacity = code->stage_count;
  const bool all = copied && copy->instructions != NULL && copy->uses != NULL &&
                   copy->stages != NULL && copy->kept.buffers != NULL &&
                   copy->first.buffers != NULL;
  if (!all)
    wb_timed_code_free(copy);
  return all;
}

bool wb_timed_code_of_hits(const struct wb_timed_code *code, bool translated,
                           struct wb_timed_code *hits)
{
  if (!wb_timed_code_copy(code, hits))
    return false;
  for (size_t i = 0; i < hits->instruction_count; i++) {
    struct wb_timed_instruction *one = &hits->instructions[i];
    struct wb_request_stage *stages = &hits->stages[one->first_stage];
    const uint8_t read_stages = one->read_stages;
    uint8_t count = 0;
    for (uint8_t s = 0; s < one->stage_count; s++) {
      if (stages[s].buffer == 0 && !stages[s].ahead) {
        stages[count] = stages[s];
        stages[count].delay -= translated ? stages[s].walk : 0;
        stages[count].delay -= stages[s].fetch;
        count++;
      } else if (s < read_stages) {
        one->read_stages--;
      }
    }
    one->stage_count = count;
    one->before = 0;
  }
  wb_timed_code_keep_none(hits);
  /* What first caches fetch is there. */
  size_t kinds = 0;
  for (size_t c = 0; c < hits->cold_count; c++) {
    if (hits->cold[c].data == WB_FIRST_AS_BEFORE)
      hits->cold[kinds++] = hits->cold[c];
  }
  hits->cold_count = kinds;
  free(hits->first.buffers);
  hits->first = (struct wb_first_data){0};
  return true;
}
