#include "float_steps.h"

#include <math.h>
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

bool float_step_execute(const char *opcode, uint32_t word, struct wb_random *random,
                        uint32_t *result)
{
  if (strcmp(opcode, "I2F.U32.RP") == 0 || strcmp(opcode, "I2F.F32.U32.RP") == 0)
    *result = bits_of(float_rounded_up(word));
  else if (strcmp(opcode, "I2F.RP") == 0 || strcmp(opcode, "I2F.F32.S32.RP") == 0)
    *result = word <= INT32_MAX ? bits_of(float_rounded_up(word)) : bits_of((float)(int32_t)word);
  else if (strcmp(opcode, "MUFU.RCP") == 0)
    *result = bits_of(float_reciprocal(of_bits(word), (int)wb_random_below(random, 3) - 1));
  else if (strncmp(opcode, "F2I", 3) == 0 && strstr(opcode, ".U32") != NULL &&
           strstr(opcode, ".TRUNC") != NULL)
    *result = float_truncated(of_bits(word));
  else
    return false;
  return true;
}
