#include "float_steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Whether an opcode has one of these parts. */
static bool has_part(const char *opcode, const char *const parts[], size_t count)
{
  for (size_t p = 0; p < count; p++)
    if (strstr(opcode, parts[p]) != NULL)
      return true;
  return false;
}

/* The float of an integer: to the nearest, or as the opcode says. */
static float to_float(const char *opcode, bool is_unsigned, uint32_t word)
{
  const double exact = is_unsigned ? (double)word : (double)(int32_t)word;
  const float nearest = (float)exact;
  const bool up = strstr(opcode, ".RP") != NULL || (strstr(opcode, ".RZ") != NULL && exact < 0);
  const bool down = strstr(opcode, ".RM") != NULL || (strstr(opcode, ".RZ") != NULL && exact > 0);
  if (up && (double)nearest < exact)
    return nextafterf(nearest, INFINITY);
  return down && (double)nearest > exact ? nextafterf(nearest, -INFINITY) : nearest;
}

/* The integer of a float, within its type; 0 of what is no number. */
static uint32_t to_integer(const char *opcode, bool is_unsigned, float x)
{
  const double number = (double)x;
  const double whole = strstr(opcode, ".TRUNC") != NULL   ? trunc(number)
                       : strstr(opcode, ".FLOOR") != NULL ? floor(number)
                       : strstr(opcode, ".CEIL") != NULL  ? ceil(number)
                                                          : rint(number);
  if (isnan(number))
    return 0;
  if (is_unsigned)
    return whole <= 0 ? 0 : whole >= 4294967295.0 ? UINT32_MAX : (uint32_t)whole;
  return whole <= -2147483648.0  ? UINT32_C(0x80000000)
         : whole >= 2147483647.0 ? INT32_MAX
                                 : (uint32_t)(int32_t)whole;
}

bool float_step_execute(const char *opcode, uint32_t word, struct wb_random *random,
                        uint32_t *result)
{
  static const char *const others[] = {"64", "16", ".U8", ".S8", ".B", "BF"};
  const bool is_unsigned = strstr(opcode, ".U32") != NULL;
  if (strcmp(opcode, "MUFU.RCP") == 0)
    *result = bits_of(float_reciprocal(of_bits(word), (int)wb_random_below(random, 3) - 1));
  else if (has_part(opcode, others, sizeof others / sizeof *others))
    return false;
  else if (strcmp(opcode, "I2F") == 0 || strncmp(opcode, "I2F.", 4) == 0)
    *result = bits_of(to_float(opcode, is_unsigned, word));
  else if (strcmp(opcode, "F2I") == 0 || strncmp(opcode, "F2I.", 4) == 0)
    *result = to_integer(opcode, is_unsigned, of_bits(word));
  else
    return false;
  return true;
}

/* ---- sums, products, minima, comparisons ---- */

static double operand(const struct float_lane *lane, const char *text, bool wide)
{
  const bool negated = *text == '-';
  text += negated;
  const bool bars = *text == '|';
  text += bars;
  unsigned number;
  unsigned bank;
  uint32_t words[2] = {0, 0};
  double value;
  if (strncmp(text, "RZ", 2) == 0 || strncmp(text, "URZ", 3) == 0)
    value = 0;
  else if (*text == 'R' || *text == 'U' || *text == 'c') {
    for (unsigned w = 0; w <= wide; w++) {
      if (sscanf(text, "R%u", &number) == 1)
        words[w] = lane->registers[number + w];
      else if (sscanf(text, "UR%u", &number) == 1)
        words[w] = lane->uniform[number + w];
      else if (sscanf(text, "c[0x%x]%*[ ][0x%x]", &bank, &number) == 2 ||
               sscanf(text, "c[0x%x][0x%x]", &bank, &number) == 2)
        words[w] = lane->constant(lane->context, bank, number + 4 * w);
    }
    const uint64_t bits = (uint64_t)words[1] << 32 | words[0];
    if (wide)
      memcpy(&value, &bits, sizeof value);
    else
      value = (double)of_bits(words[0]);
  } else {
    value = strtod(text, NULL);
  }
  if (bars)
    value = fabs(value);
  return negated ? -value : value;
}

static bool compare(const char *opcode, double x, double y)
{
  static const char *const names[] = {".LT", ".EQ", ".LE", ".GT", ".NE", ".GE"};
  const bool holds[] = {x<y, x == y, x <= y, x> y, x < y || x > y, x >= y};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    const char *at = strstr(opcode, names[n]);
    if (at != NULL)
      return holds[n] || (at[3] == 'U' && (isnan(x) || isnan(y)));
  }
  return false;
}

/* I2FP.F32.S32 R0, R4 and the like: to the nearest float. */
static bool convert(struct float_lane *lane, const char *opcode, const char *operands)
{
  const bool uniform = *opcode == 'U';
  const bool is_signed = strcmp(opcode + uniform, "I2FP.F32.S32") == 0;
  const char *from = strchr(operands, ',');
  unsigned to;
  unsigned number;
  unsigned bank;
  uint32_t word;
  if ((!is_signed && strcmp(opcode + uniform, "I2FP.F32.U32") != 0) || from == NULL ||
      sscanf(operands + uniform, "R%u", &to) != 1)
    return false;
  if (strncmp(from, ", RZ", 4) == 0 || strncmp(from, ", URZ", 5) == 0)
    word = 0;
  else if (sscanf(from, ", R%u", &number) == 1)
    word = lane->registers[number];
  else if (sscanf(from, ", UR%u", &number) == 1)
    word = lane->uniform[number];
  else if (sscanf(from, ", c[0x%x][0x%x]", &bank, &number) == 2 ||
           sscanf(from, ", c[0x%x] [0x%x]", &bank, &number) == 2)
    word = lane->constant(lane->context, bank, number);
  else
    return false;
  (uniform ? lane->uniform : lane->registers)[to] =
      bits_of(is_signed ? (float)(int32_t)word : (float)word);
  return true;
}

static float flushed(const char *opcode, float x)
{
  return strstr(opcode, ".FTZ") != NULL && fpclassify(x) == FP_SUBNORMAL ? copysignf(0.0F, x) : x;
}

/* The predicate of a text, T of none. */
static bool truth(const struct float_lane *lane, const char *text)
{
  unsigned number;
  const bool negated = *text == '!';
  text += negated;
  const bool uniform = *text == 'U';
  const bool *predicates = uniform ? lane->uniform_predicates : lane->predicates;
  return (sscanf(text + uniform, "P%u", &number) == 1 ? predicates[number] : true) != negated;
}

/* FFMA R0, a, b, c; FMNMX R0, a, b, P0. */
static bool execute_of_three(struct float_lane *lane, const char *opcode, const char *operands)
{
  char texts[4][64] = {{0}};
  const bool uniform = *opcode == 'U';
  const char *name = opcode + uniform;
  const bool fuses = strncmp(name, "FFMA", 4) == 0 && name[4] != '2';
  unsigned to;
  if (!(fuses || strncmp(name, "FMNMX", 5) == 0) || (!fuses && name[5] == '3') ||
      strstr(opcode, ".SAT") != NULL || strstr(opcode, ".R") != NULL ||
      strstr(opcode, ".XOR") != NULL || strstr(opcode, ".NAN") != NULL ||
      sscanf(operands, " %63[^,], %63[^,], %63[^,], %63[^,]", texts[0], texts[1], texts[2],
             texts[3]) != 4 ||
      sscanf(texts[0] + uniform, "R%u", &to) != 1)
    return false;
  const float x = flushed(opcode, (float)operand(lane, texts[1], false));
  const float y = flushed(opcode, (float)operand(lane, texts[2], false));
  float result;
  if (fuses)
    result = fmaf(x, y, flushed(opcode, (float)operand(lane, texts[3], false)));
  else if (x == 0 && y == 0)
    result = (signbit(x) != 0) == truth(lane, texts[3]) ? x : y;
  else
    result = truth(lane, texts[3]) ? fminf(x, y) : fmaxf(x, y);
  (uniform ? lane->uniform : lane->registers)[to] = bits_of(flushed(opcode, result));
  return true;
}

bool float_execute(struct float_lane *lane, const char *opcode, const char *operands)
{
  if (execute_of_three(lane, opcode, operands))
    return true;
  if (convert(lane, opcode, operands))
    return true;
  char texts[5][64] = {{0}};
  const bool uniform = *opcode == 'U';
  const char *name = opcode + uniform;
  const bool wide = *name == 'D';
  const bool compares = strncmp(name + 1, "SETP.", 5) == 0;
  const bool adds = strncmp(name + 1, "ADD", 3) == 0 && name[4] != '2';
  const bool multiplies = strncmp(name, "FMUL", 4) == 0 && name[4] != '2';
  if ((*name != 'F' && *name != 'D') || !(compares || adds || multiplies) ||
      strstr(opcode, ".SAT") != NULL || strstr(opcode, ".R") != NULL ||
      strstr(opcode, ".XOR") != NULL || strstr(opcode, ".D") != NULL ||
      sscanf(operands, " %63[^,], %63[^,], %63[^,], %63[^,], %63[^,]", texts[0], texts[1], texts[2],
             texts[3], texts[4]) != (compares ? 5 : 3))
    return false;
  const double x = operand(lane, texts[compares ? 2 : 1], wide);
  const double y = operand(lane, texts[compares ? 3 : 2], wide);
  unsigned to;
  if (compares) {
    bool *predicates = uniform ? lane->uniform_predicates : lane->predicates;
    unsigned from;
    const bool negated = *texts[4] == '!';
    bool other = true;
    if (strstr(texts[4], "T") == NULL && sscanf(texts[4] + negated + uniform, "P%u", &from) == 1)
      other = predicates[from];
    const bool outcome = compare(opcode, x, y);
    if (strstr(texts[1], "T") == NULL || sscanf(texts[0] + uniform, "P%u", &to) != 1)
      return false;
    predicates[to] =
        strstr(opcode, ".OR") != NULL ? outcome || other != negated : outcome && other != negated;
    return true;
  }
  if (sscanf(texts[0] + uniform, "R%u", &to) != 1)
    return false;
  uint32_t *registers = uniform ? lane->uniform : lane->registers;
  if (wide) {
    const double sum = x + y;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    registers[to] = (uint32_t)bits;
    registers[to + 1] = (uint32_t)(bits >> 32);
  } else {
    const float a = flushed(opcode, (float)x);
    const float b = flushed(opcode, (float)y);
    registers[to] = bits_of(flushed(opcode, adds ? a + b : a * b));
  }
  return true;
}
