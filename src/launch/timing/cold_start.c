#include "launch/timing/cold_start.h"

#include "base/checked.h"
#include "base/memory.h"
#include "launch/timing/cold_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR 32            /* bytes of a request */
#define TABLES 4             /* levels of page tables: a translation reads a sector of each */
#define INSTRUCTION_BYTES 16 /* the longest */

static warpbound_status out_of_range(const struct wb_cold_making *making)
{
  return wb_fail(making->error, WARPBOUND_INVALID_INPUT,
                 "%.100s: the times of fetches are out of range", making->question->device->file);
}

/* ---- pages ---- */

/* Pages of so many bytes, which may begin anywhere, of which so many lines are read: each lies in
 * one. */
static uint64_t pages_of(const struct wb_cold_making *making, uint64_t bytes, uint64_t lines)
{
  const uint64_t page = wb_cold_number(making, making->question->device->caches.page);
  return wb_minimum(lines, wb_divide_up(bytes - 1, page) + 1);
}

/* The most lines that the instructions are in that are used: those of each run of them; and the
 * most pages that these are in: a function that is called may lie anywhere. */
static void count_code(struct wb_cold_making *making)
{
  const struct wb_function *function = making->question->function;
  uint64_t lines = 0; /* of the function that is at hand */
  uint32_t begin = 0; /* of that */
  uint32_t first = 0;
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    if (making->used[i] && (i == 0 || !making->used[i - 1]))
      first = i;
    lines += making->used[i] && wb_cold_begins_line(making, i, first);
    if (i + 1 < function->instruction_count &&
        wb_function_base(function, i + 1) == wb_function_base(function, i))
      continue;
    making->own_pages += pages_of(making, (uint64_t)INSTRUCTION_BYTES * (i + 1 - begin), lines);
    making->found->code_lines += lines;
    lines = 0;
    begin = i + 1;
  }
}

/* ---- what is kept ---- */

/* Whether the instruction accesses data beyond its SM, rather than constants. */
static bool accesses_data(const struct wb_cold_making *making, uint32_t instruction)
{
  const struct wb_access *access = wb_accesses_at(making->question->accesses, instruction);
  return wb_cold_makes_requests(making, instruction) &&
         (access == NULL || access->space != WB_SPACE_CONSTANT);
}

static void count_pages(struct wb_cold_making *making)
{
  const struct wb_cold_question *question = making->question;
  for (size_t b = 0; b < WB_COLD_BANKS; b++)
    making->own_pages += pages_of(making, WB_COLD_BANK_BYTES,
                                  making->searched[b] ? WB_COLD_BANK_BYTES : making->bank_lines[b]);
  for (uint32_t i = 0; i < making->code->instruction_count && !making->data; i++)
    making->data = making->used[i] && accesses_data(making, i);
  making->found->pages =
      making->own_pages + (making->data && question->declared ? question->pages : 0);
}

static void find_kept(struct wb_cold_making *making)
{
  const struct wb_device_caches *caches = &making->question->device->caches;
  struct wb_cold_start *found = making->found;
  const uint64_t code = found->code_lines * wb_cold_number(making, caches->line);
  uint64_t constants = found->constant_lines * wb_cold_number(making, caches->constant_line);
  for (size_t b = 0; b < WB_COLD_BANKS; b++)
    constants += making->searched[b] ? WB_COLD_BANK_BYTES : 0;
  found->code_bytes = code;
  found->constant_bytes = constants;
  found->kept = code + constants <= wb_cold_number(making, caches->kept);
  found->near_code = found->kept && code <= wb_cold_number(making, caches->near);
  found->near_constants = found->kept && constants <= wb_cold_number(making, caches->constant_near);
  found->pages_kept =
      (!making->data || making->question->declared) &&
      found->pages <= wb_cold_number(making, caches->reach) / wb_cold_number(making, caches->page);
}

/* ---- stages ---- */

/* A stage of a way that fetches a line of so many bytes. False where a number is out of range. */
static bool make_stage(struct wb_cold_making *making, const struct wb_class_stage *from,
                       uint64_t bytes, struct wb_request_stage *stage)
{
  const struct wb_device_timing *device = making->question->device;
  const uint64_t servers = wb_device_number(device, device->resources[from->resource].servers);
  const uint64_t requests = from->per == WB_PER_SECTOR ? wb_divide_up(bytes, SECTOR) : 1;
  const uint64_t delay = wb_cold_number(making, from->delay);
  const uint64_t service = wb_cold_number(making, from->service);
  if (servers < 1 || servers > WB_SERVER_LIMIT || requests > 4096 || delay > WB_TIME_LIMIT ||
      service < 1 || service > WB_TIME_LIMIT)
    return false;
  making->code->resources[from->resource].servers = (uint32_t)servers;
  *stage = (struct wb_request_stage){.resource = from->resource,
                                     .requests = (uint16_t)requests,
                                     .delay = (uint32_t)delay,
                                     .service = (uint32_t)service};
  return true;
}

/* The stages of a way. The first of them at the GPU's resources waits for a translation, where none
 * is kept. */
static bool make_way(struct wb_cold_making *making, const struct wb_timing_class *way,
                     uint64_t bytes, struct wb_cold_fetch *fetch)
{
  bool walks = making->walk > 0;
  bool right = true;
  for (size_t s = 0; s < way->stage_count && right; s++) {
    struct wb_request_stage *stage = &fetch->stages[fetch->stage_count++];
    right = make_stage(making, &way->stages[s], bytes, stage);
    if (right && walks && making->code->resources[stage->resource].level == WB_LEVEL_GPU) {
      walks = false;
      right = stage->delay + making->walk <= WB_TIME_LIMIT;
      stage->delay += right ? (uint32_t)making->walk : 0;
    }
  }
  return right;
}

uint64_t wb_cold_fetch_steps(const struct wb_timed_code *code, const struct wb_cold_fetch *fetch)
{
  uint64_t steps = 0;
  for (size_t s = 0; s < fetch->stage_count; s++) {
    const struct wb_request_stage *stage = &fetch->stages[s];
    steps += (uint64_t)stage->delay + stage->service -
             stage->service / code->resources[stage->resource].servers;
  }
  return steps;
}

/* Cycles of a fetch that waits for no others, where its requests count nowhere else: of each stage
 * the delay, the last request to be served, and before it the others on all servers. */
static uint64_t time_alone(const struct wb_cold_making *making, const struct wb_cold_fetch *fetch)
{
  uint64_t time = 0;
  for (size_t s = 0; s < fetch->stage_count; s++) {
    const struct wb_request_stage *stage = &fetch->stages[s];
    const uint64_t others = (uint64_t)(stage->requests - 1) * stage->service;
    time += (uint64_t)stage->delay + stage->service +
            wb_divide_up(others, making->code->resources[stage->resource].servers);
  }
  return time;
}

/* ---- fetches ---- */

/* A fetch of the code, or of constants: lines of so many bytes. */
struct kind {
  const char *name;
  uint64_t lines, bytes;
  bool near;                       /* caches of partitions keep them */
  uint64_t common[WB_LEVEL_COUNT]; /* of the lines: in whose caches each warp leaves them */
};

static bool add_once(struct wb_cold_making *making, const struct kind *kind,
                     enum wb_resource_level level, const struct wb_timing_class *way)
{
  struct wb_timed_code *code = making->code;
  if (kind->lines == 0)
    return true;
  struct wb_cold_fetch *fetch = &code->cold[code->cold_count++];
  *fetch = (struct wb_cold_fetch){
      .count = kind->lines, .by_all_warps = kind->common[level], .level = level};
  snprintf(fetch->name, sizeof fetch->name, "%s", kind->name);
  return kind->lines <= WB_COLD_LIMIT && make_way(making, way, kind->bytes, fetch);
}

/* Translations that are kept. Of the data, where chains pay by access, only their work counts. */
static bool add_pages(struct wb_cold_making *making)
{
  const struct wb_cold_question *question = making->question;
  const struct wb_timing_class *walk = &question->device->caches.walk;
  const uint64_t data = making->found->pages - making->own_pages;
  const bool apart = data > 0 && question->by_access;
  const struct kind own = {
      "translations", making->own_pages + (apart ? 0 : data), TABLES * SECTOR, true, {0}};
  const struct kind rest = {"translations of data", data, TABLES * SECTOR, true, {0}};
  if (!making->found->pages_kept)
    return true;
  bool right = add_once(making, &own, WB_LEVEL_GPU, walk);
  if (!right || !apart)
    return right;
  right = add_once(making, &rest, WB_LEVEL_GPU, walk);
  struct wb_cold_fetch *fetch = &making->code->cold[making->code->cold_count - 1];
  for (size_t s = 0; s < fetch->stage_count; s++)
    fetch->stages[s].delay = 0;
  return right;
}

/* What each fetch of a line takes that nothing keeps. */
static bool make_again(struct wb_cold_making *making, const struct kind *kind,
                       struct wb_cold_fetch *fetch)
{
  const struct wb_device_caches *caches = &making->question->device->caches;
  *fetch = (struct wb_cold_fetch){.count = 1};
  return kind->near ||
         (make_way(making, &caches->near_fetch, kind->bytes, fetch) &&
          (making->found->kept || make_way(making, &caches->fetch, kind->bytes, fetch)));
}

/* Puts the stages of a fetch behind those of an instruction, for their work; their time is before
 * it. */
static warpbound_status add_again(struct wb_cold_making *making, uint32_t instruction,
                                  const struct wb_cold_fetch *fetch)
{
  struct wb_timed_code *code = making->code;
  struct wb_timed_instruction *timed = &code->instructions[instruction];
  const size_t count = timed->stage_count + (size_t)fetch->stage_count;
  const uint64_t before = timed->before + wb_cold_fetch_steps(making->code, fetch);
  if (fetch->stage_count == 0)
    return WARPBOUND_OK;
  if (count > UINT8_MAX || before > WB_TIME_LIMIT)
    return out_of_range(making);
  if (!wb_grow(code->stages, &code->stage_capacity, code->stage_count + count))
    return wb_out_of_memory(making->error);
  struct wb_request_stage *stages = &code->stages[code->stage_count];
  memcpy(stages, &code->stages[timed->first_stage], timed->stage_count * sizeof *stages);
  for (size_t s = 0; s < fetch->stage_count; s++) {
    struct wb_request_stage *stage = &stages[timed->stage_count + s];
    *stage = fetch->stages[s];
    stage->delay = 0;
    stage->ahead = true;
  }
  timed->first_stage = (uint32_t)code->stage_count;
  timed->stage_count = (uint8_t)count;
  timed->before = (uint32_t)before;
  code->stage_count += count;
  return WARPBOUND_OK;
}

/* Whether all constants that the instruction loads have places in the code. */
static bool loads_placed(const struct wb_cold_making *making, uint32_t instruction)
{
  const struct wb_function *function = making->question->function;
  const struct wb_instruction *at = &function->instructions[instruction];
  bool placed = false;
  if (!wb_instruction_is(at, WB_TRAIT_LOADS_CONSTANT))
    return false;
  for (uint32_t o = 0; o < at->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(function, at, o);
    if (wb_cold_is_constant(operand) && !wb_cold_is_placed(operand))
      return false;
    placed |= wb_cold_is_constant(operand);
  }
  return placed;
}

/* Loads of constants that the caches of an SM keep end there: takes the stages of the way from
 * beyond it off the instruction. */
static void end_at_sm(struct wb_cold_making *making, uint32_t instruction)
{
  const struct wb_timing_class *far = &making->question->device->caches.fetch;
  struct wb_timed_instruction *timed = &making->code->instructions[instruction];
  struct wb_request_stage *stages = &making->code->stages[timed->first_stage];
  const uint8_t read_stages = timed->read_stages;
  uint8_t count = 0;
  for (uint8_t s = 0; s < timed->stage_count; s++) {
    bool beyond = making->code->resources[stages[s].resource].level == WB_LEVEL_GPU;
    for (size_t f = 0; f < far->stage_count; f++)
      beyond |= far->stages[f].resource == stages[s].resource;
    if (!beyond)
      stages[count++] = stages[s];
    else if (s < read_stages)
      timed->read_stages--;
  }
  timed->stage_count = count;
}

static void keep_loads(struct wb_cold_making *making)
{
  for (uint32_t i = 0; i < making->code->instruction_count && making->found->kept; i++) {
    if (!making->used[i] || !loads_placed(making, i) || !wb_cold_makes_requests(making, i))
      continue;
    end_at_sm(making, i);
    making->found->kept_loads = true;
  }
}

/* Accesses whose pages nothing keeps: their first requests at the GPU's resources wait for a
 * translation. */
static bool add_walks(struct wb_cold_making *making, uint32_t instruction)
{
  const struct wb_timed_instruction *timed = &making->code->instructions[instruction];
  const uint64_t walk = accesses_data(making, instruction) ? making->access_walk : making->walk;
  for (uint32_t s = 0; s < timed->stage_count && walk > 0; s++) {
    struct wb_request_stage *stage = &making->code->stages[timed->first_stage + s];
    if (making->code->resources[stage->resource].level != WB_LEVEL_GPU)
      continue;
    if (stage->delay + walk > WB_TIME_LIMIT)
      return false;
    stage->walk = (uint32_t)walk;
    stage->delay += stage->walk;
    return true;
  }
  return true;
}

/* Finds which instructions wait for constants, before stages of fetches are put behind theirs. */
static void find_waits(struct wb_cold_making *making)
{
  for (uint32_t i = 0; i < making->code->instruction_count; i++)
    making->waits[i] = making->used[i] && wb_cold_reads_constants(making, i) &&
                       !wb_cold_makes_requests(making, i) &&
                       !(making->found->kept && loads_placed(making, i));
}

/* The lines of constants that each warp leaves in the cache of its partition, or, with those that
 * loads bring there, of its SM. An instruction with a guard may not have been done. */
static uint64_t common_constants(const struct wb_cold_making *making, bool with_loads)
{
  const struct wb_function *function = making->question->function;
  uint64_t count = 0;
  for (size_t c = 0; c < making->constant_count; c++) {
    bool common = false;
    for (uint32_t i = 0; i < function->instruction_count && !common; i++)
      common = wb_cold_is_common(making, i) &&
               (making->waits[i] || (with_loads && loads_placed(making, i))) &&
               function->instructions[i].guard == WB_NO_REGISTER &&
               wb_cold_names_constant(making, i, making->constant[c]);
    count += common;
  }
  return count;
}

static warpbound_status add_all(struct wb_cold_making *making)
{
  const struct wb_device_caches *caches = &making->question->device->caches;
  const struct wb_cold_start *found = making->found;
  const struct kind kinds[] = {
      {"code",
       found->code_lines,
       wb_cold_number(making, caches->line),
       found->near_code,
       {found->common_code, found->common_code, 0}},
      {"constants",
       found->constant_lines,
       wb_cold_number(making, caches->constant_line),
       found->near_constants,
       {common_constants(making, false), common_constants(making, true), 0}}};
  struct wb_cold_fetch again[2];
  bool right = true;
  for (size_t k = 0; k < 2 && right; k++) {
    if (kinds[k].near)
      right = add_once(making, &kinds[k], WB_LEVEL_PARTITION, &caches->near_fetch);
    if (found->kept)
      right = right && add_once(making, &kinds[k], WB_LEVEL_SM, &caches->fetch);
    right = right && make_again(making, &kinds[k], &again[k]);
  }
  right = right && add_pages(making);
  if (!right)
    return out_of_range(making);
  warpbound_status status = WARPBOUND_OK;
  for (uint32_t i = 0; i < making->code->instruction_count && status == WARPBOUND_OK; i++) {
    if (!making->used[i])
      continue;
    if (!add_walks(making, i))
      return out_of_range(making);
    if (making->entered[i])
      status = add_again(making, i, &again[0]);
    if (status == WARPBOUND_OK && making->waits[i])
      status = add_again(making, i, &again[1]);
  }
  return status;
}

warpbound_status wb_cold_start_add(const struct wb_cold_question *question,
                                   struct wb_timed_code *code, struct wb_cold_start *found,
                                   warpbound_error *error)
{
  struct wb_cold_making making = {
      .question = question,
      .code = code,
      .found = found,
      .used = wb_allocate(code->instruction_count, sizeof *making.used),
      .waits = wb_allocate(code->instruction_count, sizeof *making.waits),
      .entered = wb_allocate(code->instruction_count, sizeof *making.entered),
      .error = error};
  warpbound_status status = WARPBOUND_OK;
  *found = (struct wb_cold_start){0};
  if (making.used == NULL || making.waits == NULL || making.entered == NULL) {
    status = wb_out_of_memory(error);
  } else {
    wb_cold_mark_code(&making);
    count_code(&making);
    wb_cold_count_common_code(&making);
    status = wb_cold_find_constants(&making);
  }
  if (status == WARPBOUND_OK) {
    count_pages(&making);
    find_kept(&making);
    keep_loads(&making);
  }
  if (status == WARPBOUND_OK && !question->warm) {
    struct wb_cold_fetch walk = {0};
    const bool right = make_way(&making, &question->device->caches.walk, TABLES * SECTOR, &walk) &&
                       time_alone(&making, &walk) <= WB_TIME_LIMIT / 2;
    making.walk = found->pages_kept ? 0 : time_alone(&making, &walk);
    making.access_walk = making.walk;
    if (found->pages_kept && question->by_access)
      making.access_walk = wb_cold_fetch_steps(code, &walk);
    find_waits(&making);
    status = right ? add_all(&making) : out_of_range(&making);
    if (status == WARPBOUND_OK)
      status = wb_cold_list_lines(&making);
  }
  free(making.constant);
  free(making.entered);
  free(making.waits);
  free(making.used);
  return status;
}
