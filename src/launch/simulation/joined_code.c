#include "launch/simulation/joined_code.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* One code on its way into the joined one. */
struct joining {
  const struct wb_timed_code *from;
  struct wb_timed_code *to;
  uint8_t resource[WB_RESOURCE_LIMIT]; /* by resource of the one: of the other */
  uint8_t fetch[WB_COLD_FETCHES];
};

/* Whether the code uses the resource. */
static bool uses(const struct wb_timed_code *code, size_t resource)
{
  bool found = false;
  for (size_t u = 0; u < code->use_count; u++)
    found |= code->uses[u].resource == resource;
  for (size_t s = 0; s < code->stage_count; s++)
    found |= code->stages[s].resource == resource;
  for (size_t c = 0; c < code->cold_count; c++) {
    for (size_t s = 0; s < code->cold[c].stage_count; s++)
      found |= code->cold[c].stages[s].resource == resource;
  }
  return found;
}

/* The resource of the joined code is that of the other one too. A code says nothing of the servers
 * of what it does not use. */
static bool unite(const struct joining *joining, size_t to, size_t from)
{
  struct wb_resource *mine = &joining->to->resources[to];
  const struct wb_resource *its = &joining->from->resources[from];
  if (mine->level != its->level || mine->at_issue != its->at_issue)
    return false;
  if (mine->servers == its->servers || !uses(joining->from, from))
    return true;
  if (uses(joining->to, to))
    return false;
  mine->servers = its->servers;
  return true;
}

static warpbound_status join_resources(struct joining *joining, warpbound_error *error)
{
  struct wb_timed_code *to = joining->to;
  for (size_t r = 0; r < joining->from->resource_count; r++) {
    const struct wb_resource *resource = &joining->from->resources[r];
    size_t same = 0;
    while (same < to->resource_count && strcmp(to->resources[same].name, resource->name) != 0)
      same++;
    if (same == WB_RESOURCE_LIMIT || (same < to->resource_count && !unite(joining, same, r)))
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "the kernels have more than %d resources, or '%s' is not the same to all",
                     WB_RESOURCE_LIMIT, resource->name);
    if (same == to->resource_count) {
      to->resources[to->resource_count] = *resource;
      to->resources[to->resource_count++].place = 0;
    }
    joining->resource[r] = (uint8_t)same;
  }
  return WARPBOUND_OK;
}

static struct wb_request_stage joined_stage(const struct joining *joining,
                                            const struct wb_request_stage *stage)
{
  struct wb_request_stage joined = *stage;
  joined.resource = joining->resource[stage->resource];
  joined.buffer = 0;
  joined.hit = 0;
  return joined;
}

static void join_instructions(struct joining *joining)
{
  const struct wb_timed_code *from = joining->from;
  struct wb_timed_code *to = joining->to;
  for (size_t i = 0; i < from->instruction_count; i++) {
    struct wb_timed_instruction *instruction = &to->instructions[to->instruction_count + i];
    *instruction = from->instructions[i];
    instruction->first_use += (uint32_t)to->use_count;
    instruction->first_stage += (uint32_t)to->stage_count;
  }
  for (size_t u = 0; u < from->use_count; u++)
    to->uses[to->use_count + u] =
        (struct wb_issue_use){joining->resource[from->uses[u].resource], from->uses[u].service};
  for (size_t s = 0; s < from->stage_count; s++)
    to->stages[to->stage_count + s] = joined_stage(joining, &from->stages[s]);
  to->instruction_count += from->instruction_count;
  to->use_count += from->use_count;
  to->stage_count += from->stage_count;
}

/* Whether lines of both kinds come to the same caches in the same way. */
static bool is_same_fetch(const struct wb_cold_fetch *a, const struct wb_cold_fetch *b)
{
  bool same =
      strcmp(a->name, b->name) == 0 && a->level == b->level && a->stage_count == b->stage_count;
  for (size_t s = 0; s < a->stage_count && same; s++)
    same = a->stages[s].resource == b->stages[s].resource &&
           a->stages[s].requests == b->stages[s].requests &&
           a->stages[s].delay == b->stages[s].delay && a->stages[s].service == b->stages[s].service;
  return same;
}

/* The kinds of fetches; false where they are too many. */
static bool join_fetches(struct joining *joining)
{
  struct wb_timed_code *to = joining->to;
  for (size_t c = 0; c < joining->from->cold_count; c++) {
    struct wb_cold_fetch fetch = joining->from->cold[c];
    size_t same = 0;
    for (size_t s = 0; s < fetch.stage_count; s++)
      fetch.stages[s] = joined_stage(joining, &joining->from->cold[c].stages[s]);
    while (same < to->cold_count && !is_same_fetch(&to->cold[same], &fetch))
      same++;
    if (same == WB_COLD_FETCHES)
      return false;
    if (same == to->cold_count)
      to->cold[to->cold_count++] = fetch;
    else if (to->cold[same].count <= WB_COLD_LIMIT - fetch.count)
      to->cold[same].count += fetch.count;
    joining->fetch[c] = (uint8_t)same;
  }
  return true;
}

static void join_lines(struct joining *joining, size_t first)
{
  const struct wb_cold_lines *from = &joining->from->cold_lines;
  struct wb_cold_lines *to = &joining->to->cold_lines;
  const size_t instructions = joining->from->instruction_count;
  const size_t needs = from->first != NULL ? from->first[instructions] : 0;
  const size_t before = to->first[first];
  for (size_t i = 0; i <= instructions; i++)
    to->first[first + i] = before + (from->first != NULL ? from->first[i] : 0);
  for (size_t n = 0; n < needs; n++)
    to->needs[before + n] = from->needs[n] + (uint32_t)to->count;
  for (size_t l = 0; l < from->count; l++) {
    const struct wb_cold_line *line = &from->lines[l];
    to->lines[to->count + l] = (struct wb_cold_line){
        joining->fetch[line->fetch], line->behind == 0 ? 0 : line->behind + (uint32_t)to->count};
  }
  to->count += from->count;
}

static bool make_room(const struct wb_timed_code *const *codes, size_t count,
                      struct wb_timed_code *joined)
{
  size_t instructions = 0, uses = 0, stages = 0, lines = 0, needs = 0;
  for (size_t k = 0; k < count; k++) {
    const struct wb_cold_lines *cold = &codes[k]->cold_lines;
    instructions += codes[k]->instruction_count;
    uses += codes[k]->use_count;
    stages += codes[k]->stage_count;
    lines += cold->count;
    needs += cold->first != NULL ? cold->first[codes[k]->instruction_count] : 0;
  }
  joined->instructions = wb_allocate(instructions, sizeof *joined->instructions);
  joined->uses = wb_allocate(uses, sizeof *joined->uses);
  joined->stages = wb_allocate(stages, sizeof *joined->stages);
  joined->cold_lines.lines = wb_allocate(lines, sizeof *joined->cold_lines.lines);
  joined->cold_lines.first = wb_allocate(instructions + 1, sizeof *joined->cold_lines.first);
  joined->cold_lines.needs = wb_allocate(needs, sizeof *joined->cold_lines.needs);
  return joined->instructions != NULL && joined->uses != NULL && joined->stages != NULL &&
         joined->cold_lines.lines != NULL && joined->cold_lines.first != NULL &&
         joined->cold_lines.needs != NULL;
}

warpbound_status wb_timed_code_join(const struct wb_timed_code *const *codes, size_t count,
                                    struct wb_timed_code *joined, size_t *first,
                                    warpbound_error *error)
{
  bool cold = true;
  *joined = (struct wb_timed_code){0};
  warpbound_status status =
      make_room(codes, count, joined) ? WARPBOUND_OK : wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    joined->cold_lines.first[0] = 0;
  for (size_t k = 0; k < count && status == WARPBOUND_OK; k++) {
    struct joining joining = {.from = codes[k], .to = joined};
    first[k] = joined->instruction_count;
    status = join_resources(&joining, error);
    if (status != WARPBOUND_OK)
      break;
    join_instructions(&joining);
    cold = cold && join_fetches(&joining);
    if (cold)
      join_lines(&joining, first[k]);
  }
  if (status != WARPBOUND_OK) {
    wb_timed_code_free(joined);
    *joined = (struct wb_timed_code){0};
  } else if (!cold || joined->cold_lines.count == 0) {
    free(joined->cold_lines.lines);
    free(joined->cold_lines.first);
    free(joined->cold_lines.needs);
    joined->cold_lines = (struct wb_cold_lines){0};
    joined->cold_count = 0;
  }
  return status;
}
