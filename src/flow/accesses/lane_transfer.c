#include "flow/accesses/lane_transfer.h"

#include "flow/accesses/lane_carries.h"
#include "flow/accesses/lane_results.h"

#include <string.h>

/* Most registers of a result. */
#define MOST_WORDS 4

/* What an instruction writes. */
struct result {
  size_t count; /* words */
  uint32_t words[MOST_WORDS];
  uint32_t wide;    /* of the first two */
  uint32_t generic; /* of all else that it writes, and of what is not known better */
  bool together;    /* all lanes do the instruction, or none */
};

void wb_lane_walk_begin(struct wb_lane_walk *walk)
{
  walk->begun = walk->time;
  walk->carry_count = 0;
  walk->half_count = 0;
}

/* ---- what all results are, by the rule of the opcode ---- */

static bool reads_are_uniform(const struct wb_lane_operation *operation)
{
  const struct wb_instruction *instruction = operation->instruction;
  const struct wb_lane_walk *walk = operation->walk;
  for (uint32_t s = 0; s < instruction->read_count; s++) {
    const struct wb_register_span span = walk->function->spans[instruction->first_read + s];
    for (unsigned r = span.first; r < (unsigned)span.first + span.count; r++)
      if (r != instruction->guard &&
          !wb_lanes_are_uniform(walk->values,
                                wb_lane_register(operation, wb_lane_slot(&walk->layout, r))))
        return false;
  }
  return true;
}

static uint32_t generic_result(const struct wb_lane_operation *operation)
{
  switch (operation->instruction->agreement) {
  case WB_AGREES_ALWAYS:
    return WB_LANES_UNIFORM;
  case WB_AGREES_BY_SOURCES:
  case WB_AGREES_BY_MEMORY:
    return reads_are_uniform(operation) ? WB_LANES_UNIFORM : WB_LANES_UNKNOWN;
  default:
    return WB_LANES_UNKNOWN;
  }
}

/* ---- results ---- */

/* LDC.64, LDCU.128 at a place that does not depend on a register. */
static void load_words(const struct wb_lane_operation *operation, struct result *result)
{
  static const struct {
    const char *opcode;
    size_t words;
  } rows[] = {{"LDC.64", 2}, {"LDCU.64", 2}, {"LDC.128", 4}, {"LDCU.128", 4}};
  struct wb_text_operand operand = operation->text.operands[1];
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    if (strcmp(rows[r].opcode, operation->text.opcode) != 0 || operation->text.count != 2)
      continue;
    result->count = rows[r].words;
    for (size_t w = 0; w < rows[r].words; w++) {
      result->words[w] = wb_lane_operand_plain(operation, &operand);
      operand.number += 4;
    }
  }
}

static void find_result(const struct wb_lane_operation *operation, uint32_t upper,
                        struct result *result)
{
  struct wb_lane_value_pool *values = operation->walk->values;
  if (operation->text.count == 0 || operation->text.operands[0].kind != WB_TEXT_REGISTER)
    return;
  load_words(operation, result);
  result->wide = wb_lane_wide_result(operation);
  if (result->wide != WB_LANES_UNKNOWN && result->count == 0) {
    result->count = 2;
    result->words[0] = wb_lanes_lower_word(values, result->wide);
    result->words[1] = wb_lanes_upper_word(values, result->wide);
  }
  if (result->count > 0)
    return;
  result->count = 1;
  result->words[0] = upper != WB_LANES_UNKNOWN ? upper : wb_lane_result(operation);
}

/* ---- writing ---- */

static bool writes(const struct wb_lane_operation *operation, uint16_t slot)
{
  const struct wb_instruction *instruction = operation->instruction;
  const struct wb_lane_walk *walk = operation->walk;
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const struct wb_register_span span = walk->function->spans[instruction->first_write + s];
    for (unsigned r = span.first; r < (unsigned)span.first + span.count; r++)
      if (wb_lane_slot(&walk->layout, r) == slot)
        return true;
  }
  return false;
}

/* Lanes that do not do a guarded instruction keep what they had: uniform registers are not theirs
 * alone where the guard is. */
static bool is_kept(const struct wb_lane_operation *operation, uint16_t slot)
{
  const struct wb_lane_layout *layout = &operation->walk->layout;
  const uint16_t first_uniform_predicate = wb_lane_slot(layout, WB_REGISTER_UNIFORM_PREDICATE);
  const bool shared = slot >= layout->general && slot < layout->general + layout->uniform;
  return (!shared || operation->guard >= first_uniform_predicate) &&
         !writes(operation, operation->guard);
}

static void write_guarded(const struct wb_lane_operation *operation, uint16_t slot, uint32_t value,
                          bool together)
{
  struct wb_lane_walk *walk = operation->walk;
  struct wb_lane_state *state = walk->state;
  const struct wb_lane_conditional *row =
      wb_lane_state_conditional(state, slot, operation->guard, !operation->when);
  const bool kept = is_kept(operation, slot);
  const uint32_t old = kept && row != NULL ? row->value : state->values[slot];
  wb_lane_state_forget(&walk->layout, state, slot);
  state->values[slot] = together ? wb_lanes_either(walk->values, old, value)
                                 : wb_lanes_mixed(walk->values, old, value);
  if (!kept)
    return;
  struct wb_lane_conditional added = {slot, operation->guard, operation->when, value,
                                      WB_LANES_UNKNOWN};
  wb_lane_state_add_conditional(state, &added);
  added.when = !operation->when;
  added.value = old;
  wb_lane_state_add_conditional(state, &added);
}

static void write_slot(const struct wb_lane_operation *operation, uint16_t slot, uint32_t value,
                       bool together)
{
  struct wb_lane_walk *walk = operation->walk;
  if (slot >= walk->layout.count)
    return;
  if (operation->guard != walk->layout.count) {
    write_guarded(operation, slot, value, together);
  } else {
    wb_lane_state_forget(&walk->layout, walk->state, slot);
    walk->state->values[slot] = value;
  }
  walk->written[slot] = walk->time;
  wb_lane_walk_forget(walk, slot);
}

/* The value of a register that the instruction writes. */
static uint32_t value_of(const struct wb_lane_operation *operation, const struct result *result,
                         unsigned number)
{
  const uint32_t first = result->count > 0 ? operation->text.operands[0].number : UINT32_MAX;
  const uint32_t word = number - first;
  const uint32_t value =
      number >= first && word < result->count ? result->words[word] : WB_LANES_UNKNOWN;
  return value != WB_LANES_UNKNOWN ? value : result->generic;
}

static void write_all(const struct wb_lane_operation *operation, const struct result *result)
{
  const struct wb_instruction *instruction = operation->instruction;
  const struct wb_lane_walk *walk = operation->walk;
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const struct wb_register_span span = walk->function->spans[instruction->first_write + s];
    for (unsigned r = span.first; r < (unsigned)span.first + span.count; r++)
      write_slot(operation, wb_lane_slot(&walk->layout, r), value_of(operation, result, r),
                 result->together);
  }
}

static void forget_all(struct wb_lane_walk *walk)
{
  wb_lane_state_forget_all(&walk->layout, walk->state);
  wb_lane_walk_begin(walk);
}

void wb_lane_transfer(struct wb_lane_walk *walk, uint32_t index)
{
  const struct wb_instruction *instruction = &walk->function->instructions[index];
  struct wb_lane_operation operation;
  struct wb_lane_findings findings = {.upper = WB_LANES_UNKNOWN};
  struct result result = {.wide = WB_LANES_UNKNOWN};
  walk->time++;
  if (instruction->never)
    return;
  if (instruction->unknown || instruction->transfer == WB_TRANSFER_CALL_OUTSIDE) {
    forget_all(walk);
    return;
  }
  if (instruction->write_count == 0)
    return;
  const bool readable = wb_lane_operation_read(walk, index, &operation);
  result.generic = generic_result(&operation);
  result.together = operation.guard < walk->layout.count &&
                    wb_lanes_are_uniform(walk->values, walk->state->values[operation.guard]);
  if (readable) {
    wb_lane_findings_make(&operation, &findings);
    find_result(&operation, findings.upper, &result);
    findings.wide = result.wide;
  }
  write_all(&operation, &result);
  if (readable)
    wb_lane_findings_keep(&operation, &findings);
}
