#include "launch/timing/control_times.h"

#include <stdlib.h>
#include <string.h>

#define ALL_SCOREBOARDS ((1U << WB_SCOREBOARD_COUNT) - 1)

enum wb_stall_source wb_stall_source_of(const struct wb_function *function, uint32_t instruction)
{
  if (function->encodings[instruction].control.stall != 0)
    return WB_STALL_COUNT;
  return function->wide ? WB_STALL_DRAIN : WB_STALL_DUAL_ISSUE;
}

bool wb_opcode_is(const char *opcode, const char *name)
{
  const size_t length = strlen(name);
  return strncmp(opcode, name, length) == 0 && (opcode[length] == 0 || opcode[length] == '.');
}

/* Whether a text has a word that begins with `name`: not "desc[" for "c[". */
static bool has_word(const char *text, const char *name)
{
  for (const char *at = strstr(text, name); at != NULL; at = strstr(at + 1, name)) {
    const char before = at == text ? ' ' : at[-1];
    if ((before < 'a' || before > 'z') && (before < 'A' || before > 'Z'))
      return true;
  }
  return false;
}

bool wb_has_constant_operand(const struct wb_instruction *instruction)
{
  const char *opcode = instruction->opcode;
  const bool load =
      wb_opcode_is(opcode, "LDC") || wb_opcode_is(opcode, "ULDC") || wb_opcode_is(opcode, "LDCU");
  return !load && (has_word(instruction->operands, "c[") || has_word(instruction->operands, "cx["));
}

static bool is_scoreboard(uint8_t number)
{
  return number < WB_SCOREBOARD_COUNT || number == WB_NO_SCOREBOARD;
}

/* The scoreboard that a digit names. */
static bool scoreboard_digit(char digit, uint8_t *number)
{
  if (digit < '0' || digit >= '0' + WB_SCOREBOARD_COUNT)
    return false;
  *number = (uint8_t)(digit - '0');
  return true;
}

/* The operands of DEPBAR: "SB0, 0x1", "SB0, 0x0, {3,2}", "{5,4}", "gsb0, 0x0" (of tensor cores: no
 * scoreboard). Any other ones are taken to wait for all. */
static void depbar_waits(const char *operands, struct wb_timed_instruction *timed)
{
  uint8_t number = 0;
  if (strstr(operands, "gsb") != NULL)
    return;
  const char *counted = strstr(operands, "SB");
  const char *listed = strchr(operands, '{');
  bool understood = counted != NULL || listed != NULL;
  if (counted != NULL && scoreboard_digit(counted[2], &number)) {
    const char *left = strchr(counted, ',');
    const unsigned long count = left != NULL ? strtoul(left + 1, NULL, 0) : 0;
    timed->counted_scoreboard = number;
    timed->counted_left = (uint8_t)(count < UINT8_MAX ? count : UINT8_MAX);
  } else if (counted != NULL) {
    understood = false;
  }
  for (const char *p = listed; p != NULL && *p != 0 && *p != '}'; p++) {
    if (scoreboard_digit(*p, &number))
      timed->wait_mask |= (uint8_t)(1U << number);
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
  if (wb_opcode_is(function->instructions[instruction].opcode, "DEPBAR"))
    depbar_waits(function->instructions[instruction].operands, timed);
  return is_scoreboard(timed->write_scoreboard) && is_scoreboard(timed->read_scoreboard);
}
