#include "launch/timing/cold_lines.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

uint64_t wb_cold_number(const struct wb_cold_making *making, uint32_t value)
{
  return wb_device_number(making->question->device, value);
}

/* ---- the code ---- */

static uint32_t place_of(const struct wb_cold_making *making, uint32_t instruction)
{
  const struct wb_function *function = making->question->function;
  return function->instructions[instruction].address - wb_function_base(function, instruction);
}

/* Whether an instruction is in another line than the one before it. From Volta on each function
 * begins at a line. Before that any instruction can be the first one of a line, and `first` is
 * taken to be the last one of its. */
bool wb_cold_begins_line(const struct wb_cold_making *making, uint32_t instruction, uint32_t first)
{
  const uint64_t line = wb_cold_number(making, making->question->device->caches.line);
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
void wb_cold_mark_code(struct wb_cold_making *making)
{
  const struct wb_cold_question *question = making->question;
  for (size_t v = 0; v < question->node_count; v++) {
    for (uint32_t i = question->first[v]; i <= question->last[v]; i++) {
      making->used[i] = true;
      making->entered[i] |= (question->interleaved != NULL && question->interleaved[v]) ||
                            wb_cold_begins_line(making, i, question->first[v]);
    }
  }
}

bool wb_cold_is_common(const struct wb_cold_making *making, uint32_t instruction)
{
  return making->question->common != NULL && making->question->common[instruction];
}

void wb_cold_count_common_code(struct wb_cold_making *making)
{
  const struct wb_function *function = making->question->function;
  uint32_t first = 0;
  bool counted = false; /* the line at hand */
  for (uint32_t i = 0; i < function->instruction_count && function->wide; i++) {
    if (!making->used[i])
      continue;
    if (i == 0 || !making->used[i - 1])
      first = i;
    counted &= !wb_cold_begins_line(making, i, first);
    if (!counted && wb_cold_is_common(making, i)) {
      making->found->common_code++;
      counted = true;
    }
  }
}

/* ---- constants ---- */

bool wb_cold_makes_requests(const struct wb_cold_making *making, uint32_t instruction)
{
  const struct wb_timed_instruction *timed = &making->code->instructions[instruction];
  for (uint32_t s = 0; s < timed->stage_count; s++) {
    const uint8_t resource = making->code->stages[timed->first_stage + s].resource;
    if (making->code->resources[resource].level == WB_LEVEL_GPU)
      return true;
  }
  return false;
}

bool wb_cold_is_constant(const struct wb_operand *operand)
{
  return operand->kind == WB_OPERAND_CONSTANT || operand->kind == WB_OPERAND_CONSTANT_PART;
}

bool wb_cold_is_placed(const struct wb_operand *operand)
{
  return operand->kind == WB_OPERAND_CONSTANT && operand->index == WB_NO_REGISTER &&
         operand->bank < WB_COLD_BANKS && operand->value < WB_COLD_BANK_BYTES;
}

bool wb_cold_reads_constants(const struct wb_cold_making *making, uint32_t instruction)
{
  const struct wb_function *function = making->question->function;
  const struct wb_instruction *at = &function->instructions[instruction];
  for (uint32_t o = 0; o < at->operand_count; o++) {
    if (wb_cold_is_constant(wb_operand_of(function, at, o)))
      return true;
  }
  return false;
}

/* The line of a constant whose place is in the code: bank and number. */
static uint64_t constant_line_of(const struct wb_cold_making *making,
                                 const struct wb_operand *operand)
{
  const uint64_t bytes = wb_cold_number(making, making->question->device->caches.constant_line);
  return (uint64_t)operand->bank * WB_COLD_BANK_BYTES + operand->value / bytes;
}

bool wb_cold_names_constant(const struct wb_cold_making *making, uint32_t instruction,
                            uint64_t line)
{
  const struct wb_function *function = making->question->function;
  const struct wb_instruction *at = &function->instructions[instruction];
  bool names = false;
  for (uint32_t o = 0; o < at->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(function, at, o);
    names |= wb_cold_is_placed(operand) && constant_line_of(making, operand) == line;
  }
  return names;
}

static void note_constants(struct wb_cold_making *making, uint32_t instruction)
{
  const struct wb_function *function = making->question->function;
  const struct wb_instruction *at = &function->instructions[instruction];
  const bool loads = wb_cold_makes_requests(making, instruction);
  for (uint32_t o = 0; o < at->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(function, at, o);
    if (!wb_cold_is_constant(operand))
      continue;
    if (wb_cold_is_placed(operand)) {
      making->constant[making->constant_count++] = constant_line_of(making, operand);
      continue;
    }
    making->found->unknown_constants |= !loads;
    /* A register names the place, or the bank too. */
    for (size_t b = 0; b < WB_COLD_BANKS; b++) {
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

warpbound_status wb_cold_find_constants(struct wb_cold_making *making)
{
  const struct wb_function *function = making->question->function;
  for (uint32_t i = 0; i < function->instruction_count; i++)
    making->operand_count += making->used[i] ? function->instructions[i].operand_count : 0;
  making->constant = wb_allocate(making->operand_count, sizeof *making->constant);
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
    making->bank_lines[making->constant[c] / WB_COLD_BANK_BYTES]++;
  }
  making->constant_count = count;
  making->found->constant_lines = count;
  return WARPBOUND_OK;
}

/* ---- lines one by one, for runs ---- */

/* Adds a line, or page, of the kind of fetches of that name into caches of a level. Returns one
 * more than its number; what it is behind where nothing is fetched so. */
static uint32_t add_line(struct wb_cold_making *making, const char *name,
                         enum wb_resource_level level, uint32_t behind)
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

static uint32_t add_everywhere(struct wb_cold_making *making, const char *name, uint32_t page)
{
  const uint32_t far = add_line(making, name, WB_LEVEL_SM, page);
  return add_line(making, name, WB_LEVEL_PARTITION, far);
}

/* Adds the lines of constants: of each one more than its number. */
static void add_constants(struct wb_cold_making *making, uint32_t *line)
{
  uint32_t page = 0;
  for (size_t c = 0; c < making->constant_count; c++) {
    if (c == 0 ||
        making->constant[c] / WB_COLD_BANK_BYTES != making->constant[c - 1] / WB_COLD_BANK_BYTES)
      page = add_line(making, "translations", WB_LEVEL_GPU, 0);
    line[c] = add_everywhere(making, "constants", page);
  }
}

/* The lines of constants for which the instruction waits. */
static size_t list_constants(const struct wb_cold_making *making, uint32_t instruction,
                             const uint32_t *line, uint32_t *needs)
{
  const struct wb_function *function = making->question->function;
  const struct wb_instruction *at = &function->instructions[instruction];
  size_t count = 0;
  for (uint32_t o = 0; o < at->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(function, at, o);
    if (!wb_cold_is_placed(operand))
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
warpbound_status wb_cold_list_lines(struct wb_cold_making *making)
{
  struct wb_timed_code *code = making->code;
  struct wb_cold_lines *lines = &code->cold_lines;
  const size_t most = 2 * (making->found->code_lines + making->constant_count) + WB_COLD_BANKS + 1;
  uint32_t *constant = wb_allocate(making->constant_count, sizeof *constant);
  lines->lines = wb_allocate(most, sizeof *lines->lines);
  lines->first = wb_allocate(code->instruction_count + 1, sizeof *lines->first);
  lines->needs = wb_allocate(code->instruction_count + making->operand_count, sizeof *lines->needs);
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
    const bool new = used &&wb_cold_begins_line(making, i, first);
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
