#include "launch/timing/stage_series.h"

#include "base/checked.h"

/* ---- places ---- */

static bool can_have_place(const struct wb_timed_code *code, uint8_t resource)
{
  const struct wb_resource *one = &code->resources[resource];
  bool used = false;
  if (one->servers != 1 || one->at_issue || one->level == WB_LEVEL_GPU)
    return false;
  for (size_t c = 0; c < code->cold_count; c++) {
    for (size_t s = 0; s < code->cold[c].stage_count; s++) {
      if (code->cold[c].stages[s].resource == resource)
        return false;
    }
  }
  for (size_t s = 0; s < code->stage_count; s++) {
    if (code->stages[s].resource == resource && code->stages[s].ahead)
      return false;
    used |= code->stages[s].resource == resource;
  }
  return used;
}

/* Sets of resources, by bits: those that can have a place, and by resource those that instructions
 * use right before it. */
struct order {
  uint32_t can;
  uint32_t before[WB_RESOURCE_LIMIT];
};

static struct order find_order(const struct wb_timed_code *code)
{
  struct order order = {0};
  for (uint8_t r = 0; r < code->resource_count; r++)
    order.can |= can_have_place(code, r) ? UINT32_C(1) << r : 0;
  for (size_t i = 0; i < code->instruction_count; i++) {
    const struct wb_timed_instruction *instruction = &code->instructions[i];
    const struct wb_request_stage *stages = &code->stages[instruction->first_stage];
    for (size_t s = 1; s < instruction->stage_count; s++) {
      if (stages[s].resource != stages[s - 1].resource)
        order.before[stages[s].resource] |= UINT32_C(1) << stages[s - 1].resource;
    }
  }
  return order;
}

/* The resource of the level that comes next: the first that none comes before, or else the first;
 * WB_RESOURCE_LIMIT: none is left. */
static uint8_t find_next(const struct wb_timed_code *code, const struct order *order, uint32_t left,
                         enum wb_resource_level level)
{
  uint8_t first = WB_RESOURCE_LIMIT;
  uint32_t here = 0;
  for (uint8_t r = 0; r < code->resource_count; r++)
    here |= code->resources[r].level == level ? left & UINT32_C(1) << r : 0;
  for (uint8_t r = (uint8_t)code->resource_count; r-- > 0;) {
    if ((here >> r & 1) != 0 && (first == WB_RESOURCE_LIMIT || (order->before[r] & here) == 0 ||
                                 (order->before[first] & here) != 0))
      first = r;
  }
  return first;
}

bool wb_stage_series_mark(struct wb_timed_code *code)
{
  const struct order order = find_order(code);
  uint32_t left = order.can;
  uint8_t place = 0;
  wb_stage_series_clear(code);
  for (int l = WB_LEVEL_PARTITION; l <= WB_LEVEL_SM; l++) {
    uint8_t next = find_next(code, &order, left, (enum wb_resource_level)l);
    while (next < WB_RESOURCE_LIMIT) {
      code->resources[next].place = ++place;
      left &= ~(UINT32_C(1) << next);
      next = find_next(code, &order, left, (enum wb_resource_level)l);
    }
  }
  return place > 0;
}

void wb_stage_series_clear(struct wb_timed_code *code)
{
  for (size_t r = 0; r < code->resource_count; r++)
    code->resources[r].place = 0;
}

/* ---- one instruction ---- */

/* Those of the GPU are a pair of their own (stage_pair.h). */
static uint8_t place_of(const struct wb_timed_code *code, const struct wb_request_stage *stage)
{
  const struct wb_resource *resource = &code->resources[stage->resource];
  return resource->level == WB_LEVEL_GPU ? 0 : resource->place;
}

bool wb_stage_series_follows(const struct wb_timed_code *code,
                             const struct wb_timed_instruction *instruction, size_t stage)
{
  const struct wb_request_stage *stages = &code->stages[instruction->first_stage];
  const uint8_t place = place_of(code, &stages[stage]);
  if (stage == 0 || place == 0)
    return place > 0;
  const uint8_t before = place_of(code, &stages[stage - 1]);
  return before > 0 && before < place && stages[stage - 1].requests == 1;
}

uint64_t wb_stage_series_laps(const struct wb_timed_code *code,
                              const struct wb_stage_series *series,
                              const struct wb_timed_instruction *instruction)
{
  const struct wb_request_stage *stages = &code->stages[instruction->first_stage];
  uint64_t laps = 0;
  for (size_t s = 0; s < instruction->stage_count; s++) {
    const uint8_t place = place_of(code, &stages[s]);
    uint8_t from = 0;
    if (wb_stage_series_follows(code, instruction, s)) {
      /* Its own service there and its own delay are covered by what is paid for. */
      from = s > 0 ? place_of(code, &stages[s - 1]) : 0;
      const uint64_t own = s > 0 ? stages[s - 1].service : 0;
      laps += series->delay[from] - stages[s].delay;
      laps += series->excess[from] - wb_minimum(series->excess[from], own);
      from++;
    }
    for (; from < place; from++)
      laps += series->excess[from] + series->delay[from];
  }
  return laps;
}

/* ---- all of them ---- */

/* The work of the stages from this one on that follow each other in the series, at most. */
static uint64_t most_behind(const struct wb_timed_code *code,
                            const struct wb_timed_instruction *instruction, size_t stage)
{
  uint64_t most = 0;
  for (; stage < instruction->stage_count && wb_stage_series_follows(code, instruction, stage);
       stage++) {
    const struct wb_request_stage *one = &code->stages[instruction->first_stage + stage];
    most = wb_maximum(most, (uint64_t)one->requests * one->service);
  }
  return most;
}

static void add_instruction(const struct wb_timed_code *code,
                            const struct wb_timed_instruction *instruction,
                            struct wb_stage_series *series)
{
  const struct wb_request_stage *stages = &code->stages[instruction->first_stage];
  for (size_t s = 0; s < instruction->stage_count; s++) {
    if (!wb_stage_series_follows(code, instruction, s))
      continue;
    const uint8_t from = s > 0 ? place_of(code, &stages[s - 1]) : 0;
    series->delay[from] = wb_maximum(series->delay[from], stages[s].delay);
    if (s > 0)
      series->excess[from] =
          wb_maximum(series->excess[from],
                     wb_minimum(stages[s - 1].service, most_behind(code, instruction, s)));
  }
}

struct wb_stage_series wb_stage_series_find(const struct wb_timed_code *code)
{
  struct wb_stage_series series = {0};
  uint8_t last = 0; /* the last place of a partition's resource */
  for (size_t r = 0; r < code->resource_count; r++) {
    if (code->resources[r].level == WB_LEVEL_PARTITION)
      last = (uint8_t)wb_maximum(last, code->resources[r].place);
  }
  for (size_t i = 0; i < code->instruction_count; i++)
    add_instruction(code, &code->instructions[i], &series);
  for (uint8_t p = 0; p < last; p++)
    series.change += series.excess[p] + series.delay[p];
  series.change += series.excess[last];
  return series;
}
