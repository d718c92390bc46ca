#include "launch/timing/control_times.h"

#include "isa/opcode.h"

#define ALL_SCOREBOARDS ((1U << WB_SCOREBOARD_COUNT) - 1)

enum wb_stall_source wb_stall_source_of(const struct wb_function *function, uint32_t instruction)
{
  if (function->encodings[instruction].control.stall != 0)
    return WB_STALL_COUNT;
  return function->wide ? WB_STALL_DRAIN : WB_STALL_DUAL_ISSUE;
}

bool wb_has_constant_operand(const struct wb_function *function, uint32_t instruction)
{
  const struct wb_instruction *at = &function->instructions[instruction];
  if (wb_instruction_is(at, WB_TRAIT_LOADS_CONSTANT))
    return false;
  for (uint32_t o = 0; o < at->operand_count; o++)
    if (wb_operand_of(function, at, o)->kind == WB_OPERAND_CONSTANT ||
        wb_operand_of(function, at, o)->kind == WB_OPERAND_CONSTANT_PART)
      return true;
  return false;
}

static bool is_scoreboard(uint8_t number)
{
  return number < WB_SCOREBOARD_COUNT || number == WB_NO_SCOREBOARD;
}

/* The operands of DEPBAR: SB0, 0x1; SB0, 0x0, {3,2}; {5,4}; gsb0, 0x0 (products: no scoreboard).
 * Any other ones are taken to wait for all. */
static void depbar_waits(const struct wb_function *function, const struct wb_instruction *at,
                         struct wb_timed_instruction *timed)
{
  bool understood = at->operand_count > 0;
  for (uint32_t o = 0; o < at->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(function, at, o);
    const struct wb_operand *next =
        o + 1 < at->operand_count ? wb_operand_of(function, at, o + 1) : NULL;
    const bool counts = next != NULL && next->kind == WB_OPERAND_NUMBER;
    if (operand->kind == WB_OPERAND_PRODUCTS)
      return;
    if (operand->kind == WB_OPERAND_SCOREBOARD && operand->value < WB_SCOREBOARD_COUNT) {
      timed->counted_scoreboard = (uint8_t)operand->value;
      timed->counted_left = (uint8_t)(counts && next->value < UINT8_MAX ? next->value
                                      : counts                          ? UINT8_MAX
                                                                        : 0);
      o += counts;
    } else if (operand->kind == WB_OPERAND_SCOREBOARDS) {
      timed->wait_mask |= (uint8_t)(operand->value & ALL_SCOREBOARDS);
    } else {
      understood = false;
    }
  }
  if (!understood)
    timed->wait_mask = ALL_SCOREBOARDS;
}

bool wb_control_waits(const struct wb_function *function, uint32_t instruction,
                      struct wb_timed_instruction *timed)
{
  const struct wb_control_word *control = &function->encodings[instruction].control;
  timed->write_scoreboard = control->write_barrier;
  timed->read_scoreboard = control->read_barrier;
  timed->wait_mask = control->wait_mask & ALL_SCOREBOARDS;
  timed->counted_scoreboard = WB_NO_SCOREBOARD;
  const struct wb_instruction *at = &function->instructions[instruction];
  if (wb_instruction_is(at, WB_TRAIT_WAITS_FOR_SCOREBOARDS))
    depbar_waits(function, at, timed);
  return is_scoreboard(timed->write_scoreboard) && is_scoreboard(timed->read_scoreboard);
}
