#include "launch/timing/cold_start.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR 32        /* bytes of a request */
#define TABLES 4         /* levels of page tables: a translation reads a sector of each */
#define BANK_BYTES 65536 /* of a bank of constants, at most */
#define BANKS 32
#define INSTRUCTION_BYTES 16 /* the longest */

/* The work under way. */
struct making {
  const struct wb_cold_question *question;
  struct wb_timed_code *code;
  struct wb_cold_start *found;
  bool *used;    /* by instruction: a warp may come to it */
  bool *waits;   /* by instruction: it issues only when the constants that it reads are there */
  bool *entered; /* by instruction: it may be the first of its line that a warp comes to */
  uint64_t *constant; /* lines of constants that operands name: bank and number */
  size_t constant_count;
  uint64_t bank_lines[BANKS]; /* of these */
  bool searched[BANKS];       /* the bank may be read anywhere */
  bool data;                  /* an access of data, rather than of constants, goes beyond its SM */
  uint64_t own_pages;         /* of code and constants */
  uint64_t walk;        /* cycles of a translation for which each fetch from beyond the SM waits */
  uint64_t access_walk; /* the same of each access to data */
  warpbound_error *error;
};

static uint64_t number_of(const struct making *making, uint32_t value)
{
  return wb_device_number(making->question->device, value);
}

static warpbound_status out_of_range(const struct making *making)
{
  return wb_fail(making->error, WARPBOUND_INVALID_INPUT,
                 "%.100s: the times of fetches are out of range", making->question->device->file);
}

/* ---- the code ---- */

static uint32_t place_of(const struct making *making, uint32_t instruction)
{
  const struct wb_function *function = making->question->function;
  return function->instructions[instruction].address - wb_function_base(function, instruction);
}

/* Whether an instruction is in another line than the one before it. From Volta on each function
 * begins at a line. Before that any instruction can be the first one of a line, and `first` is
 * taken to be the last one of its. */
static bool begins_line(const struct making *making, uint32_t instruction, uint32_t first)
{
  const uint64_t line = number_of(making, making->question->device->caches.line);
  const struct wb_function *function = making->question->function;
  if (instruction == first ||
      wb_function_base(function, instruction) != wb_function_base(function, instruction - 1))
    return true;
  const uint32_t place = place_of(making, instruction);
  const uint32_t before = place_of(making, instruction - 1);
  if (function->wide)
    return place / line != before / line;
  const uint32_t second = place_of(making, first + 1);
  return place == second || place < second || (place - second) / line != (before - second) / line;
}

/* Marks the instructions of the nodes, and those at which a warp may come to a line. */
static void mark_code(struct making *making)
{
  const struct wb_cold_question *question = making->question;
  for (size_t v = 0; v < question->node_count; v++) {
    for (uint32_t i = question->first[v]; i <= question->last[v]; i++) {
      making->used[i] = true;
      making->entered[i] |= (question->interleaved != NULL && question->interleaved[v]) ||
                            begins_line(making, i, question->first[v]);
    }
  }
}

/* ---- constants ---- */

/* Whether the instruction makes requests to what the whole GPU shares: then the way of its class
 * has what it fetches. */
static bool makes_requests(const struct making *making, uint32_t instruction)
{
  const struct wb_timed_instruction *timed = &making->code->instructions[instruction];
  for (uint32_t s = 0; s < timed->stage_count; s++) {
    const uint8_t resource = making->code->stages[timed->first_stage + s].resource;
    if (making->code->resources[resource].level == WB_LEVEL_GPU)
      return true;
  }
  return false;
}

static bool is_constant(const struct wb_operand *operand)
{
  return operand->kind == WB_OPERAND_CONSTANT || operand->kind == WB_OPERAND_CONSTANT_PART;
}

/* Whether the place of a constant is in the code. */
static bool is_placed(const struct wb_operand *operand)
{
  return operand->kind == WB_OPERAND_CONSTANT && operand->index == WB_NO_REGISTER &&
         operand->bank < BANKS && operand->value < BANK_BYTES;
}

static bool reads_constants(const struct making *making, uint32_t instruction)
{
  const struct wb_function *function = making->question->function;
  const struct wb_instruction *at = &function->instructions[instruction];
  for (uint32_t o = 0; o < at->operand_count; o++) {
    if (is_constant(wb_operand_of(function, at, o)))
      return true;
  }
  return false;
}

/* The line of a constant whose place is in the code: bank and number. */
static uint64_t constant_line_of(const struct making *making, const struct wb_operand *operand)
{
  const uint64_t bytes = number_of(making, making->question->device->caches.constant_line);
  return (uint64_t)operand->bank * BANK_BYTES + operand->value / bytes;
}

static bool names_constant(const struct making *making, uint32_t instruction, uint64_t line)
{
  const struct wb_function *function = making->question->function;
  const struct wb_instruction *at = &function->instructions[instruction];
  bool names = false;
  for (uint32_t o = 0; o < at->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(function, at, o);
    names |= is_placed(operand) && constant_line_of(making, operand) == line;
  }
  return names;
}

static void note_constants(struct making *making, uint32_t instruction)
{
  const struct wb_function *function = making->question->function;
  const struct wb_instruction *at = &function->instructions[instruction];
  const bool loads = makes_requests(making, instruction);
  for (uint32_t o = 0; o < at->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(function, at, o);
    if (!is_constant(operand))
      continue;
    if (is_placed(operand)) {
      making->constant[making->constant_count++] = constant_line_of(making, operand);
      continue;
    }
    making->found->unknown_constants |= !loads;
    /* A register names the place, or the bank too. */
    for (size_t b = 0; b < BANKS; b++) {
      making->searched[b] |= operand->kind != WB_OPERAND_CONSTANT || b == operand->bank;
    }
  }
}

static int compare_lines(const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *)a;
  const uint64_t y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static warpbound_status find_constants(struct making *making)
{
  const struct wb_function *function = making->question->function;
  size_t operands = 0;
  for (uint32_t i = 0; i < function->instruction_count; i++)
    operands += making->used[i] ? function->instructions[i].operand_count : 0;
  making->constant = wb_allocate(operands, sizeof *making->constant);
  if (making->constant == NULL)
    return wb_out_of_memory(making->error);
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    if (making->used[i])
      note_constants(making, i);
  }
  qsort(making->constant, making->constant_count, sizeof *making->constant, compare_lines);
  size_t count = 0; /* of different ones */
  for (size_t c = 0; c < making->constant_count; c++) {
    if (c > 0 && making->constant[c] == making->constant[c - 1])
      continue;
    making->constant[count++] = making->constant[c];
    making->bank_lines[making->constant[c] / BANK_BYTES]++;
  }
  making->constant_count = count;
  making->found->constant_lines = count;
  return WARPBOUND_OK;
}

/* ---- pages ---- */

/* Pages of so many bytes, which may begin anywhere, of which so many lines are read: each lies in
 * one. */
static uint64_t pages_of(const struct making *making, uint64_t bytes, uint64_t lines)
{
  const uint64_t page = number_of(making, making->question->device->caches.page);
  return wb_minimum(lines, wb_divide_up(bytes - 1, page) + 1);
}

/* The most lines that the instructions are in that are used: those of each run of them; and the
 * most pages that these are in: a function that is called may lie anywhere. */
static void count_code(struct making *making)
{
  const struct wb_function *function = making->question->function;
  uint64_t lines = 0; /* of the function that is at hand */
  uint32_t begin = 0; /* of that */
  uint32_t first = 0;
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    if (making->used[i] && (i == 0 || !making->used[i - 1]))
      first = i;
    lines += making->used[i] && begins_line(making, i, first);
    if (i + 1 < function->instruction_count &&
        wb_function_base(function, i + 1) == wb_function_base(function, i))
      continue;
    making->own_pages += pages_of(making, (uint64_t)INSTRUCTION_BYTES * (i + 1 - begin), lines);
    making->found->code_lines += lines;
    lines = 0;
    begin = i + 1;
  }
}

static bool is_common(const struct making *making, uint32_t instruction)
{
  return making->question->common != NULL && making->question->common[instruction];
}

/* Counts the lines of code to which all warps come, where it is known how lines lie. */
static void count_common_code(struct making *making)
{
  const struct wb_function *function = making->question->function;
  uint32_t first = 0;
  bool counted = false; /* the line at hand */
  for (uint32_t i = 0; i < function->instruction_count && function->wide; i++) {
    if (!making->used[i])
      continue;
    if (i == 0 || !making->used[i - 1])
      first = i;
    counted &= !begins_line(making, i, first);
    if (!counted && is_common(making, i)) {
      making->found->common_code++;
      counted = true;
    }
  }
}

/* ---- what is kept ---- */

/* Whether the instruction accesses data beyond its SM, rather than constants. */
static bool accesses_data(const struct making *making, uint32_t instruction)
{
  const struct wb_access *access = wb_accesses_at(making->question->accesses, instruction);
  return makes_requests(making, instruction) &&
         (access == NULL || access->space != WB_SPACE_CONSTANT);
}

static void count_pages(struct making *making)
{
  const struct wb_cold_question *question = making->question;
  for (size_t b = 0; b < BANKS; b++)
    making->own_pages +=
        pages_of(making, BANK_BYTES, making->searched[b] ? BANK_BYTES : making->bank_lines[b]);
  for (uint32_t i = 0; i < making->code->instruction_count && !making->data; i++)
    making->data = making->used[i] && accesses_data(making, i);
  making->found->pages =
      making->own_pages + (making->data && question->declared ? question->pages : 0);
}

static void find_kept(struct making *making)
{
  const struct wb_device_caches *caches = &making->question->device->caches;
  struct wb_cold_start *found = making->found;
  const uint64_t code = found->code_lines * number_of(making, caches->line);
  uint64_t constants = found->constant_lines * number_of(making, caches->constant_line);
  for (size_t b = 0; b < BANKS; b++)
    constants += making->searched[b] ? BANK_BYTES : 0;
  found->code_bytes = code;
  found->constant_bytes = constants;
  found->kept = code + constants <= number_of(making, caches->kept);
  found->near_code = found->kept && code <= number_of(making, caches->near);
  found->near_constants = found->kept && constants <= number_of(making, caches->constant_near);
  found->pages_kept =
      (!making->data || making->question->declared) &&
      found->pages <= number_of(making, caches->reach) / number_of(making, caches->page);
}

/* ---- stages ---- */

/* A stage of a way that fetches a line of so many bytes. False where a number is out of range. */
static bool make_stage(struct making *making, const struct wb_class_stage *from, uint64_t bytes,
                       struct wb_request_stage *stage)
{
  const struct wb_device_timing *device = making->question->device;
  const uint64_t servers = wb_device_number(device, device->resources[from->resource].servers);
  const uint64_t requests = from->per == WB_PER_SECTOR ? wb_divide_up(bytes, SECTOR) : 1;
  const uint64_t delay = number_of(making, from->delay);
  const uint64_t service = number_of(making, from->service);
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
static bool make_way(struct making *making, const struct wb_timing_class *way, uint64_t bytes,
                     struct wb_cold_fetch *fetch)
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

uint64_t wb_cold_fetch_cycles(const struct wb_timed_code *code, const struct wb_cold_fetch *fetch)
{
  uint64_t time = 0;
  for (size_t s = 0; s < fetch->stage_count; s++) {
    const struct wb_request_stage *stage = &fetch->stages[s];
    const uint64_t others = (uint64_t)(stage->requests - 1) * stage->service;
    time += (uint64_t)stage->delay + stage->service +
            wb_divide_up(others, code->resources[stage->resource].servers);
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

static bool add_once(struct making *making, const struct kind *kind, enum wb_resource_level level,
                     const struct wb_timing_class *way)
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
static bool add_pages(struct making *making)
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
static bool make_again(struct making *making, const struct kind *kind, struct wb_cold_fetch *fetch)
{
  const struct wb_device_caches *caches = &making->question->device->caches;
  *fetch = (struct wb_cold_fetch){.count = 1};
  return kind->near ||
         (make_way(making, &caches->near_fetch, kind->bytes, fetch) &&
          (making->found->kept || make_way(making, &caches->fetch, kind->bytes, fetch)));
}

/* Puts the stages of a fetch behind those of an instruction, for their work; their time is before
 * it. */
static warpbound_status add_again(struct making *making, uint32_t instruction,
                                  const struct wb_cold_fetch *fetch)
{
  struct wb_timed_code *code = making->code;
  struct wb_timed_instruction *timed = &code->instructions[instruction];
  const size_t count = timed->stage_count + (size_t)fetch->stage_count;
  const uint64_t before = timed->before + wb_cold_fetch_cycles(making->code, fetch);
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
static bool loads_placed(const struct making *making, uint32_t instruction)
{
  const struct wb_function *function = making->question->function;
  const struct wb_instruction *at = &function->instructions[instruction];
  bool placed = false;
  if (!wb_instruction_is(at, WB_TRAIT_LOADS_CONSTANT))
    return false;
  for (uint32_t o = 0; o < at->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(function, at, o);
    if (is_constant(operand) && !is_placed(operand))
      return false;
    placed |= is_constant(operand);
  }
  return placed;
}

/* Loads of constants that the caches of an SM keep end there: takes the stages of the way from
 * beyond it off the instruction. */
static void end_at_sm(struct making *making, uint32_t instruction)
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

static void keep_loads(struct making *making)
{
  for (uint32_t i = 0; i < making->code->instruction_count && making->found->kept; i++) {
    if (!making->used[i] || !loads_placed(making, i) || !makes_requests(making, i))
      continue;
    end_at_sm(making, i);
    making->found->kept_loads = true;
  }
}

/* Accesses whose pages nothing keeps: their first requests at the GPU's resources wait for a
 * translation. */
static bool add_walks(struct making *making, uint32_t instruction)
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
static void find_waits(struct making *making)
{
  for (uint32_t i = 0; i < making->code->instruction_count; i++)
    making->waits[i] = making->used[i] && reads_constants(making, i) &&
                       !makes_requests(making, i) &&
                       !(making->found->kept && loads_placed(making, i));
}

/* The lines of constants that each warp leaves in the cache of its partition, or, with those that
 * loads bring there, of its SM. An instruction with a guard may not have been done. */
static uint64_t common_constants(const struct making *making, bool with_loads)
{
  const struct wb_function *function = making->question->function;
  uint64_t count = 0;
  for (size_t c = 0; c < making->constant_count; c++) {
    bool common = false;
    for (uint32_t i = 0; i < function->instruction_count && !common; i++)
      common = is_common(making, i) &&
               (making->waits[i] || (with_loads && loads_placed(making, i))) &&
               function->instructions[i].guard == WB_NO_REGISTER &&
               names_constant(making, i, making->constant[c]);
    count += common;
  }
  return count;
}

static warpbound_status add_all(struct making *making)
{
  const struct wb_device_caches *caches = &making->question->device->caches;
  const struct wb_cold_start *found = making->found;
  const struct kind kinds[] = {
      {"code",
       found->code_lines,
       number_of(making, caches->line),
       found->near_code,
       {found->common_code, found->common_code, 0}},
      {"constants",
       found->constant_lines,
       number_of(making, caches->constant_line),
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

/* ---- lines one by one, for runs ---- */

/* Adds a line, or page, of the kind of fetches of that name into caches of a level. Returns one
 * more than its number; what it is behind where nothing is fetched so. */
static uint32_t add_line(struct making *making, const char *name, enum wb_resource_level level,
                         uint32_t behind)
{
  struct wb_timed_code *code = making->code;
  struct wb_cold_lines *lines = &code->cold_lines;
  for (size_t c = 0; c < code->cold_count; c++) {
    if (code->cold[c].level != level || strcmp(code->cold[c].name, name) != 0)
      continue;
    lines->lines[lines->count++] = (struct wb_cold_line){(uint8_t)c, behind};
    return (uint32_t)lines->count;
  }
  return behind;
}

static uint32_t add_everywhere(struct making *making, const char *name, uint32_t page)
{
  const uint32_t far = add_line(making, name, WB_LEVEL_SM, page);
  return add_line(making, name, WB_LEVEL_PARTITION, far);
}

/* Adds the lines of constants: of each one more than its number. */
static void add_constants(struct making *making, uint32_t *line)
{
  uint32_t page = 0;
  for (size_t c = 0; c < making->constant_count; c++) {
    if (c == 0 || making->constant[c] / BANK_BYTES != making->constant[c - 1] / BANK_BYTES)
      page = add_line(making, "translations", WB_LEVEL_GPU, 0);
    line[c] = add_everywhere(making, "constants", page);
  }
}

/* The lines of constants for which the instruction waits. */
static size_t list_constants(const struct making *making, uint32_t instruction,
                             const uint32_t *line, uint32_t *needs)
{
  const struct wb_function *function = making->question->function;
  const struct wb_instruction *at = &function->instructions[instruction];
  size_t count = 0;
  for (uint32_t o = 0; o < at->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(function, at, o);
    if (!is_placed(operand))
      continue;
    const uint64_t key = constant_line_of(making, operand);
    const uint64_t *found =
        bsearch(&key, making->constant, making->constant_count, sizeof key, compare_lines);
    if (found != NULL && line[found - making->constant] > 0)
      needs[count++] = line[found - making->constant] - 1;
  }
  return count;
}

/* The code is in one page, and so is what is read of a bank. A load that ends at an SM's caches is
 * taken to find its line. */
static warpbound_status list_lines(struct making *making)
{
  struct wb_timed_code *code = making->code;
  struct wb_cold_lines *lines = &code->cold_lines;
  const size_t most = 2 * (making->found->code_lines + making->constant_count) + BANKS + 1;
  uint32_t *constant = wb_allocate(making->constant_count, sizeof *constant);
  lines->lines = wb_allocate(most, sizeof *lines->lines);
  lines->first = wb_allocate(code->instruction_count + 1, sizeof *lines->first);
  lines->needs =
      wb_allocate(code->instruction_count + making->constant_count, sizeof *lines->needs);
  if (constant == NULL || lines->lines == NULL || lines->first == NULL || lines->needs == NULL) {
    free(constant);
    return wb_out_of_memory(making->error);
  }
  add_constants(making, constant);
  const uint32_t page =
      making->found->code_lines > 0 ? add_line(making, "translations", WB_LEVEL_GPU, 0) : 0;
  size_t count = 0;
  uint32_t line = 0, first = 0;
  for (uint32_t i = 0; i < code->instruction_count; i++) {
    const bool used = making->used[i];
    if (used && (i == 0 || !making->used[i - 1]))
      first = i;
    const bool new = used &&begins_line(making, i, first);
    line = new ? add_everywhere(making, "code", page) : line;
    lines->first[i] = count;
    if (line > 0 && (new || (used && making->entered[i])))
      lines->needs[count++] = line - 1;
    if (making->waits[i])
      count += list_constants(making, i, constant, &lines->needs[count]);
  }
  lines->first[code->instruction_count] = count;
  free(constant);
  return WARPBOUND_OK;
}

warpbound_status wb_cold_start_add(const struct wb_cold_question *question,
                                   struct wb_timed_code *code, struct wb_cold_start *found,
                                   warpbound_error *error)
{
  struct making making = {.question = question,
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
    mark_code(&making);
    count_code(&making);
    count_common_code(&making);
    status = find_constants(&making);
  }
  if (status == WARPBOUND_OK) {
    count_pages(&making);
    find_kept(&making);
    keep_loads(&making);
  }
  if (status == WARPBOUND_OK && !question->warm) {
    struct wb_cold_fetch walk = {0};
    const bool right = make_way(&making, &question->device->caches.walk, TABLES * SECTOR, &walk) &&
                       wb_cold_fetch_cycles(code, &walk) <= WB_TIME_LIMIT / 2;
    making.walk = found->pages_kept ? 0 : wb_cold_fetch_cycles(code, &walk);
    making.access_walk =
        found->pages_kept && !question->by_access ? 0 : wb_cold_fetch_cycles(code, &walk);
    find_waits(&making);
    status = right ? add_all(&making) : out_of_range(&making);
    if (status == WARPBOUND_OK)
      status = list_lines(&making);
  }
  free(making.constant);
  free(making.entered);
  free(making.waits);
  free(making.used);
  return status;
}
