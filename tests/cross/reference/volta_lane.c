#include "volta_lane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OPERANDS 10
#define TEXT 64

/* An instruction taken apart: outputs before the first source, then sources. */
struct parts {
  char text[OPERANDS][TEXT];
  size_t count;
  size_t outputs;
  const char *opcode; /* without the U of the uniform datapath */
};

/* ---- text ---- */

static bool is_predicate(const char *text)
{
  text += *text == '!';
  text += *text == 'U';
  return text[0] == 'P' && (text[1] == 'T' || (text[1] >= '0' && text[1] <= '9')) &&
         text[2] == '\0';
}

static void take_apart(const char *opcode, const char *operands, struct parts *parts)
{
  *parts = (struct parts){.opcode = opcode + (opcode[0] == 'U')};
  while (*operands != '\0' && parts->count < OPERANDS) {
    const size_t whole = strcspn(operands, ",");
    char *to = parts->text[parts->count++];
    size_t length = 0;
    for (size_t i = 0; i < whole && length + 1 < TEXT; i++) {
      if (operands[i] != ' ')
        to[length++] = operands[i];
    }
    to[length] = '\0';
    char *reuse = strstr(to, ".reuse");
    if (reuse != NULL)
      *reuse = '\0';
    operands += whole + (operands[whole] == ',');
  }
  parts->outputs = 1;
  if (is_predicate(parts->text[0]) && !is_predicate(parts->text[1]))
    parts->outputs = 2; /* LOP3.LUT P0, R0, ... */
  else if (is_predicate(parts->text[0]))
    parts->outputs = 2; /* ISETP.. P0, P1, ... */
  else {
    while (parts->outputs < 3 && parts->outputs + 1 < parts->count &&
           is_predicate(parts->text[parts->outputs]))
      parts->outputs++;
  }
}

static const char *source(const struct parts *parts, size_t which)
{
  return parts->outputs + which < parts->count ? parts->text[parts->outputs + which] : "";
}

static bool is(const struct parts *parts, const char *opcode)
{
  return strcmp(parts->opcode, opcode) == 0;
}

static bool starts(const struct parts *parts, const char *opcode)
{
  return strncmp(parts->opcode, opcode, strlen(opcode)) == 0;
}

static bool has(const struct parts *parts, const char *word)
{
  return strstr(parts->opcode, word) != NULL;
}

/* ---- operands ---- */

static unsigned number_of(const char *digits)
{
  return *digits == 'Z' ? 255 : (unsigned)strtoul(digits, NULL, 10);
}

/* The register of a name, word 0 or 1 of a pair. */
static uint32_t *find_register(struct volta_lane *lane, const char *text, unsigned word)
{
  const bool uniform = text[0] == 'U';
  const unsigned number = number_of(text + 1 + uniform);
  return (uniform ? lane->uniform : lane->registers) + (number == 255 ? 255 : number + word);
}

static bool *find_predicate(struct volta_lane *lane, const char *text)
{
  const bool uniform = text[0] == 'U';
  const char digit = text[1 + uniform];
  return (uniform ? lane->uniform_predicates : lane->predicates) + (digit == 'T' ? 7 : digit - '0');
}

bool volta_lane_predicate(const struct volta_lane *lane, const char *text)
{
  struct volta_lane copy = *lane;
  const bool negated = *text == '!';
  return *find_predicate(&copy, text + negated) != negated;
}

static uint32_t constant(struct volta_lane *lane, const struct volta_memory *memory,
                         const char *text, uint32_t further)
{
  char *end;
  const uint32_t bank = (uint32_t)strtoul(text + 2, &end, 16);
  uint32_t offset = further;
  end += 2;
  if (*end == 'R' || *end == 'U') {
    char name[TEXT];
    const size_t length = strcspn(end, "+]");
    memcpy(name, end, length);
    name[length] = '\0';
    offset += *find_register(lane, name, 0);
    end += length;
  }
  if (*end != ']')
    offset += (uint32_t)strtoul(end, NULL, 16);
  return memory->constant(memory->context, bank, offset);
}

/* 64 bits, or for `wide` false the lower 32 of them. */
static uint64_t value(struct volta_lane *lane, const struct volta_memory *memory, const char *text,
                      bool wide)
{
  const char sign = *text == '-' || *text == '~' ? *text : '\0';
  uint64_t number;
  text += sign != '\0';
  if (*text == 'c') {
    number = constant(lane, memory, text, 0);
    if (wide)
      number |= (uint64_t)constant(lane, memory, text, 4) << 32;
  } else if (*text == 'S')
    number = strcmp(text, "SRZ") == 0 ? 0 : memory->special(memory->context, text);
  else if (*text == 'R' || *text == 'U') {
    number = *find_register(lane, text, 0);
    if (wide)
      number |= (uint64_t)*find_register(lane, text, 1) << 32;
  } else
    number = strtoull(text, NULL, 0);
  number = sign == '-' ? 0 - number : sign == '~' ? ~number : number;
  return wide ? number : (uint32_t)number;
}

/* What the evaluation of one instruction needs. */
struct evaluation {
  struct volta_lane *lane;
  const struct volta_memory *memory;
  const struct parts *parts;
};

static uint32_t word(const struct evaluation *of, size_t which)
{
  return (uint32_t)value(of->lane, of->memory, source(of->parts, which), false);
}

static uint64_t wide(const struct evaluation *of, size_t which)
{
  return value(of->lane, of->memory, source(of->parts, which), true);
}

static bool predicate(const struct evaluation *of, size_t which)
{
  return volta_lane_predicate(of->lane, source(of->parts, which));
}

/* ---- meanings ---- */

static uint32_t shifted_right(uint32_t a, uint32_t count, bool arithmetic)
{
  const uint32_t filler = arithmetic && (a >> 31) != 0 ? UINT32_MAX : 0;
  if (count > 31)
    return filler;
  return count == 0 ? a : (a >> count) | (filler << (32 - count));
}

/* The lower word of (high, low) >> count, or the upper one of << count. */
static uint32_t funnel(uint32_t low, uint32_t high, uint32_t count, bool right)
{
  const uint64_t both = (uint64_t)high << 32 | low;
  return right ? (uint32_t)(both >> count) : (uint32_t)(both << count >> 32);
}

static uint64_t sign_extended(uint32_t number)
{
  return (uint64_t)(int64_t)(number <= INT32_MAX ? (int64_t)number : (int64_t)number - (1LL << 32));
}

static uint32_t table_bits(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
  uint32_t result = 0;
  for (unsigned bit = 0; bit < 32; bit++) {
    const unsigned index = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1);
    result |= (table >> index & 1) << bit;
  }
  return result;
}

static uint32_t permuted(uint32_t a, uint32_t b, uint32_t selector)
{
  const uint64_t bytes = (uint64_t)b << 32 | a;
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; i++) {
    const uint32_t nibble = selector >> 4 * i & 0xf;
    uint32_t byte = (uint32_t)(bytes >> 8 * (nibble & 7)) & 0xff;
    if ((nibble & 8) != 0)
      byte = byte >> 7 != 0 ? 0xff : 0;
    result |= byte << 8 * i;
  }
  return result;
}

static uint32_t extreme(uint32_t a, uint32_t b, bool as_signed, bool least)
{
  const uint32_t turn = as_signed ? UINT32_C(0x80000000) : 0;
  const bool first = (a ^ turn) < (b ^ turn);
  return first == least ? a : b;
}

/* The bits of a number of 16-bit floating point: sought among all of them. */
static uint32_t half_bits(const char *text)
{
  const double sought = strtod(text, NULL);
  for (uint32_t bits = 0; bits < 0x7c00; bits++) {
    const uint32_t exponent = bits >> 10;
    const double size = exponent == 0 ? ldexp(bits, -24)
                                      : ldexp((double)((bits & 0x3ff) | 0x400), (int)exponent - 25);
    if (size == fabs(sought))
      return bits | (text[0] == '-' ? 0x8000 : 0);
  }
  return 0;
}

static uint32_t magnitude(uint32_t a)
{
  return a > INT32_MAX ? 0 - a : a;
}

static uint32_t product_upper(const struct evaluation *of)
{
  const bool as_signed = !has(of->parts, ".U32");
  const uint64_t a = as_signed ? sign_extended(word(of, 0)) : word(of, 0);
  const uint64_t b = as_signed ? sign_extended(word(of, 1)) : word(of, 1);
  return (uint32_t)((a * b + wide(of, 2)) >> 32);
}

static bool shift(const struct evaluation *of, uint32_t *result)
{
  const uint32_t a = word(of, 0);
  const uint32_t c = word(of, 2);
  const bool wraps = has(of->parts, ".W");
  const uint32_t count = wraps ? word(of, 1) & 31 : word(of, 1);
  const struct parts *parts = of->parts;
  if (is(parts, "SHF.L.U32") || is(parts, "SHF.L.W.U32"))
    *result = count > 31 ? 0 : a << count;
  else if (is(parts, "SHF.R.U32.HI") || is(parts, "SHF.R.S32.HI"))
    *result = shifted_right(c, count, has(parts, ".S32"));
  else if (count > 31)
    return false;
  else if (starts(parts, "SHF.L") && has(parts, ".HI"))
    *result = funnel(a, c, count, false);
  else if (starts(parts, "SHF.R") && !has(parts, ".HI"))
    *result = funnel(a, c, count, true);
  else
    return false;
  return true;
}

static bool is_multiply(const struct parts *parts)
{
  return is(parts, "IMAD") || is(parts, "IMAD.U32") || starts(parts, "IMAD.MOV") ||
         starts(parts, "IMAD.IADD") || starts(parts, "IMAD.SHL");
}

static bool find_scaled(const struct evaluation *of, uint32_t *result)
{
  const struct parts *parts = of->parts;
  if (is(parts, "LEA"))
    *result = (word(of, 0) << (word(of, 2) & 31)) + word(of, 1);
  else if (is(parts, "LEA.HI") || is(parts, "LEA.HI.X"))
    *result = funnel(word(of, 0), word(of, 2), word(of, 3) & 31, false) + word(of, 1) +
              (is(parts, "LEA.HI.X") && predicate(of, 4));
  else if (is(parts, "LEA.HI.SX32") || is(parts, "LEA.HI.X.SX32"))
    *result = (uint32_t)(sign_extended(word(of, 0)) << (word(of, 2) & 31) >> 32) + word(of, 1) +
              (is(parts, "LEA.HI.X.SX32") && predicate(of, 3));
  else
    return false;
  return true;
}

static bool find_word(const struct evaluation *of, uint32_t *result)
{
  const struct parts *parts = of->parts;
  const bool as_signed = !has(parts, ".U32");
  if (is(parts, "MOV") || is(parts, "LDC") || is(parts, "LDCU") || is(parts, "S2R") ||
      is(parts, "S2UR") || is(parts, "R2UR") || is(parts, "CS2R.32"))
    *result = word(of, 0);
  else if (is(parts, "IADD3"))
    *result = word(of, 0) + word(of, 1) + word(of, 2);
  else if (is(parts, "IADD3.X"))
    *result = word(of, 0) + word(of, 1) + word(of, 2) + predicate(of, 3) + predicate(of, 4);
  else if (is(parts, "IADD") || is(parts, "VIADD"))
    *result = word(of, 0) + word(of, 1);
  else if (is_multiply(parts))
    *result = word(of, 0) * word(of, 1) + word(of, 2);
  else if (is(parts, "IMAD.X"))
    *result = word(of, 0) * word(of, 1) + word(of, 2) + predicate(of, 3);
  else if (is(parts, "IMAD.HI") || is(parts, "IMAD.HI.U32"))
    *result = product_upper(of);
  else if (starts(parts, "LEA"))
    return find_scaled(of, result);
  else if (starts(parts, "SHF."))
    return shift(of, result);
  else if (is(parts, "LOP3.LUT"))
    *result = table_bits(word(of, 0), word(of, 1), word(of, 2), word(of, 3));
  else if (is(parts, "PRMT"))
    *result = permuted(word(of, 0), word(of, 2), word(of, 1));
  else if (is(parts, "HFMA2") || is(parts, "HFMA2.MMA"))
    *result = half_bits(source(parts, 2)) << 16 | half_bits(source(parts, 3));
  else if (is(parts, "IABS"))
    *result = magnitude(word(of, 0));
  else if (is(parts, "POPC")) {
    *result = 0;
    for (uint32_t rest = word(of, 0); rest != 0; rest &= rest - 1)
      ++*result;
  } else if (is(parts, "SEL"))
    *result = predicate(of, 2) ? word(of, 0) : word(of, 1);
  else if (is(parts, "IMNMX") || is(parts, "IMNMX.U32") || is(parts, "VIMNMX") ||
           is(parts, "VIMNMX.U32") || is(parts, "VIMNMX.S32"))
    *result = extreme(word(of, 0), word(of, 1), as_signed, predicate(of, 2));
  else if (is(parts, "VIADDMNMX") || is(parts, "VIADDMNMX.U32"))
    *result = extreme(word(of, 0) + word(of, 1), word(of, 2), as_signed, predicate(of, 3));
  else if (is(parts, "BMSK") && word(of, 0) < 32 && word(of, 1) < 32)
    *result = ((UINT32_C(1) << word(of, 1)) - 1) << word(of, 0);
  else if ((is(parts, "SGXT") || is(parts, "SGXT.U32")) && word(of, 1) > 0 && word(of, 1) <= 32)
    *result = shifted_right(word(of, 0) << (32 - word(of, 1)), 32 - word(of, 1), as_signed);
  else
    return false;
  return true;
}

static bool find_wide(const struct evaluation *of, uint64_t *result)
{
  const struct parts *parts = of->parts;
  if (is(parts, "MOV.64") || is(parts, "LDC.64") || is(parts, "LDCU.64") ||
      (is(parts, "CS2R") && strcmp(source(parts, 0), "SRZ") == 0))
    *result = wide(of, 0);
  else if (is(parts, "IADD.64"))
    *result = wide(of, 0) + wide(of, 1);
  else if (is(parts, "IADD3.64"))
    *result = wide(of, 0) + wide(of, 1) + wide(of, 2);
  else if (is(parts, "IMAD.WIDE"))
    *result = sign_extended(word(of, 0)) * sign_extended(word(of, 1)) + wide(of, 2);
  else if (is(parts, "IMAD.WIDE.U32"))
    *result = (uint64_t)word(of, 0) * word(of, 1) + wide(of, 2);
  else if (is(parts, "SEL.64"))
    *result = predicate(of, 2) ? wide(of, 0) : wide(of, 1);
  else
    return false;
  return true;
}

/* The carries of IADD3: an adder takes -b as ~b + 1. With one of them beside the result it is that
 * of a sum of two. */
static bool find_carry(const struct evaluation *of, bool *carry)
{
  uint64_t sum = 0;
  size_t terms = 0;
  for (size_t i = 0; i < 3; i++) {
    const char *text = source(of->parts, i);
    const bool negated = text[0] == '-' && text[1] != '0';
    if (strcmp(text, "RZ") == 0 || strcmp(text, "URZ") == 0)
      continue;
    terms++;
    sum += negated ? (uint64_t)(uint32_t) ~(0 - word(of, i)) + 1 : word(of, i);
  }
  *carry = sum >> 32 != 0;
  return terms <= 2;
}

/* ---- predicates ---- */

static bool joined(const char *how, bool a, bool b)
{
  if (strncmp(how, "AND", 3) == 0)
    return a && b;
  return strncmp(how, "OR", 2) == 0 ? a || b : a != b;
}

static bool related(const char *relation, uint64_t a, uint64_t b)
{
  if (relation[0] == 'E' || relation[0] == 'N')
    return (a == b) == (relation[0] == 'E');
  return (relation[0] == 'L' ? a < b : a > b) || (relation[1] == 'E' && a == b);
}

/* ISETP.GE.U32.AND.EX: upper words in strict order, or equal and what the lower ones said. */
static bool compared(const struct evaluation *of)
{
  const struct parts *parts = of->parts;
  const char *relation = parts->opcode + strlen("ISETP.");
  const bool pairs = has(parts, "64.");
  const bool as_signed = !has(parts, ".U32") && !has(parts, ".U64");
  const uint64_t turn = !as_signed ? 0 : pairs ? UINT64_C(1) << 63 : UINT64_C(1) << 31;
  const uint64_t a = (pairs ? wide(of, 0) : word(of, 0)) ^ turn;
  const uint64_t b = (pairs ? wide(of, 1) : word(of, 1)) ^ turn;
  bool holds = related(relation, a, b);
  if (has(parts, ".EX"))
    holds = a == b ? predicate(of, 3) : relation[0] != 'E' && holds;
  const char *how = has(parts, ".AND") ? "AND" : has(parts, ".OR") ? "OR" : "XOR";
  return joined(how, holds, predicate(of, 2));
}

static void set_predicate(struct volta_lane *lane, const char *text, bool is_true)
{
  *find_predicate(lane, text) = is_true;
  lane->predicates[7] = lane->uniform_predicates[7] = true;
}

static bool execute_predicate(const struct evaluation *of)
{
  const struct parts *parts = of->parts;
  bool is_true;
  if (starts(parts, "ISETP."))
    is_true = compared(of);
  else if (is(parts, "PLOP3.LUT"))
    is_true = (word(of, 3) >> (predicate(of, 0) * 4U + predicate(of, 1) * 2U + predicate(of, 2)) &
               1) != 0;
  else
    return false;
  if (strcmp(parts->text[1], "PT") != 0 && strcmp(parts->text[1], "UPT") != 0)
    return false;
  set_predicate(of->lane, parts->text[0], is_true);
  return true;
}

/* ---- instructions ---- */

/* Predicates beside a result: none but the first carry of a sum of two, and of LOP3. */
static bool find_output(const struct evaluation *of, const char **output, bool *is_true,
                        uint32_t result)
{
  const struct parts *parts = of->parts;
  *output = NULL;
  for (size_t i = 0; i < parts->outputs; i++) {
    const char *text = parts->text[i];
    if (!is_predicate(text) || strcmp(text, "PT") == 0 || strcmp(text, "UPT") == 0)
      continue;
    if (*output != NULL)
      return false;
    *output = text;
  }
  *is_true = result != 0;
  if (*output == NULL)
    return true;
  if (is(parts, "LOP3.LUT"))
    return strcmp(source(parts, 4), "!PT") == 0 || strcmp(source(parts, 4), "!UPT") == 0;
  if ((is(parts, "LEA") || is(parts, "LEA.HI")) && source(parts, 1)[0] != '-') {
    const uint32_t scaled = is(parts, "LEA") ? word(of, 0) << (word(of, 2) & 31)
                                             : funnel(word(of, 0), word(of, 2), word(of, 3), false);
    *is_true = ((uint64_t)scaled + word(of, 1)) >> 32 != 0;
    return *output == parts->text[1];
  }
  return is(parts, "IADD3") && *output == parts->text[1] && find_carry(of, is_true);
}

bool volta_lane_execute(struct volta_lane *lane, const struct volta_memory *memory,
                        const char *opcode, const char *operands)
{
  struct parts parts;
  struct volta_lane before = *lane;
  const struct evaluation of = {&before, memory, &parts};
  const char *output;
  uint64_t result = 0;
  uint32_t lower = 0;
  bool is_true = false;
  take_apart(opcode, operands, &parts);
  const struct evaluation writes = {lane, memory, &parts};
  if (is_predicate(parts.text[0]) && is_predicate(parts.text[1]))
    return execute_predicate(&writes);
  const char *to = parts.text[is_predicate(parts.text[0])];
  const bool pair = find_wide(&of, &result);
  if (!pair && !find_word(&of, &lower))
    return false;
  if (!find_output(&of, &output, &is_true, pair ? 0 : lower) || (pair && output != NULL))
    return false;
  *find_register(lane, to, 0) = pair ? (uint32_t)result : lower;
  if (pair)
    *find_register(lane, to, 1) = (uint32_t)(result >> 32);
  if (output != NULL)
    set_predicate(lane, output, is_true);
  lane->registers[255] = lane->uniform[255] = 0;
  return true;
}
