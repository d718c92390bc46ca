#include "float_steps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static float of_bits(uint32_t bits)
{
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint32_t bits_of(float value)
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

float float_rounded_up(uint32_t number)
{
  const float nearest = (float)number;
  return (double)nearest < (double)number ? nextafterf(nearest, INFINITY) : nearest;
}

float float_reciprocal(float x, int error)
{
  const float nearest = (float)(1.0 / (double)x);
  return error == 0 || isinf(nearest) ? nearest : nextafterf(nearest, error < 0 ? 0.0F : INFINITY);
}

uint32_t float_truncated(float x)
{
  if (!(x > 0))
    return 0;
  return x >= 4294967296.0F ? UINT32_MAX : (uint32_t)x;
}

bool float_step_execute(const char *opcode, const char *operands, uint32_t *registers,
                        struct wb_random *random)
{
  unsigned to;
  unsigned from;
  if (sscanf(operands, "R%u, R%u", &to, &from) != 2)
    return false;
  if (strcmp(opcode, "I2F.U32.RP") == 0)
    registers[to] = bits_of(float_rounded_up(registers[from]));
  else if (strcmp(opcode, "MUFU.RCP") == 0)
    registers[to] =
        bits_of(float_reciprocal(of_bits(registers[from]), (int)wb_random_below(random, 3) - 1));
  else if (strcmp(opcode, "F2I.FTZ.U32.TRUNC") == 0)
    registers[to] = float_truncated(of_bits(registers[from]));
  else
    return false;
  return true;
}
