#include "volta_lane.h"

#include "instruction_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Without the U of the uniform datapath. */
static void take_apart(const char *opcode, const char *operands, struct instruction_text *parts)
{
  text_split(opcode + (opcode[0] == 'U'), operands, parts);
  parts->outputs = 1;
  if (strcmp(parts->text[0], "PR") == 0 || strcmp(parts->text[0], "UPR") == 0)
    return;
  if (text_is_predicate(parts->text[0])) /* LOP3.LUT P0, R0, ...; ISETP.. P0, P1, ... */
    parts->outputs = 2;
  while (parts->outputs < 3 && parts->outputs + 1 < parts->count &&
         !text_is_predicate(parts->text[0]) && text_is_predicate(parts->text[parts->outputs]))
    parts->outputs++;
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

/* *place: where it is, in bytes; may be NULL. */
static uint32_t constant(struct volta_lane *lane, const struct volta_memory *memory,
                         const char *text, uint32_t further, uint32_t *place)
{
  char *end;
  const uint32_t bank = (uint32_t)strtoul(text + 2, &end, 16);
  uint32_t offset = further;
  end += 2;
  if (*end == 'R' || *end == 'U') {
    char name[INSTRUCTION_TEXT];
    const size_t length = strcspn(end, "+]");
    memcpy(name, end, length);
    name[length] = '\0';
    offset += *find_register(lane, name, 0);
    end += length;
  }
  if (*end != ']')
    offset += (uint32_t)strtoul(end, NULL, 16);
  if (place != NULL)
    *place = offset;
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
    number = constant(lane, memory, text, 0, NULL);
    if (wide)
      number |= (uint64_t)constant(lane, memory, text, 4, NULL) << 32;
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
  const struct instruction_text *parts;
};

static uint32_t word(const struct evaluation *of, size_t which)
{
  return (uint32_t)value(of->lane, of->memory, text_source(of->parts, which), false);
}

static uint64_t wide(const struct evaluation *of, size_t which)
{
  return value(of->lane, of->memory, text_source(of->parts, which), true);
}

static bool predicate(const struct evaluation *of, size_t which)
{
  return volta_lane_predicate(of->lane, text_source(of->parts, which));
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

/* The digits of a mode of PRMT, by its description: the byte of each place. */
static uint32_t selector(const struct instruction_text *parts, uint32_t number)
{
  const uint32_t n = number & 3;
  const char *mode = strchr(parts->opcode, '.');
  uint32_t digits = 0;
  if (mode == NULL)
    return number;
  for (uint32_t place = 0; place < 4; place++) {
    uint32_t byte = n; /* RC8 */
    if (strcmp(mode, ".F4E") == 0)
      byte = n + place;
    else if (strcmp(mode, ".B4E") == 0)
      byte = (n + 8 - place) % 8;
    else if (strcmp(mode, ".ECL") == 0)
      byte = place > n ? place : n;
    else if (strcmp(mode, ".ECR") == 0)
      byte = place < n ? place : n;
    else if (strcmp(mode, ".RC16") == 0)
      byte = 2 * (n & 1) + (place & 1);
    digits |= byte << 4 * place;
  }
  return digits;
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
  const bool as_signed = !text_has(of->parts, ".U32");
  const uint64_t a = as_signed ? sign_extended(word(of, 0)) : word(of, 0);
  const uint64_t b = as_signed ? sign_extended(word(of, 1)) : word(of, 1);
  return (uint32_t)((a * b + wide(of, 2)) >> 32);
}

/* A number of places from 0 to `most`, or modulo 32. */
static uint32_t places(const struct evaluation *of, size_t which, uint32_t most)
{
  const uint32_t count = word(of, which);
  if (text_has(of->parts, ".W"))
    return count & 31;
  return count < most ? count : most;
}

static bool shift(const struct evaluation *of, uint32_t *result)
{
  const struct instruction_text *parts = of->parts;
  const uint32_t a = word(of, 0);
  const uint32_t c = word(of, 2);
  const bool wide_type = text_has(parts, "64");
  const uint32_t count = places(of, 1, wide_type ? 64 : 32);
  const bool left = text_starts(parts, "SHF.L");
  if (count > 63)
    return false;
  if (left && !text_has(parts, ".HI"))
    *result = (uint32_t)((uint64_t)a << count);
  else if (!left && text_has(parts, ".HI"))
    *result = shifted_right(c, count, text_has(parts, ".S32"));
  else if (left || count <= 32)
    *result = funnel(a, c, count, !left);
  else
    *result = shifted_right(c, count - 32, text_has(parts, ".S64"));
  return true;
}

static bool is_multiply(const struct instruction_text *parts)
{
  return text_is(parts, "IMAD") || text_is(parts, "IMAD.U32") || text_starts(parts, "IMAD.MOV") ||
         text_starts(parts, "IMAD.IADD") || text_starts(parts, "IMAD.SHL");
}

static bool find_scaled(const struct evaluation *of, uint32_t *result)
{
  const struct instruction_text *parts = of->parts;
  if (text_is(parts, "LEA") || text_is(parts, "LEA.X"))
    *result = (word(of, 0) << (word(of, 2) & 31)) + word(of, 1) +
              (text_is(parts, "LEA.X") && predicate(of, 3));
  else if (text_is(parts, "LEA.HI") || text_is(parts, "LEA.HI.X"))
    *result = funnel(word(of, 0), word(of, 2), word(of, 3) & 31, false) + word(of, 1) +
              (text_is(parts, "LEA.HI.X") && predicate(of, 4));
  else if (text_is(parts, "LEA.HI.SX32") || text_is(parts, "LEA.HI.X.SX32"))
    *result = (uint32_t)(sign_extended(word(of, 0)) << (word(of, 2) & 31) >> 32) + word(of, 1) +
              (text_is(parts, "LEA.HI.X.SX32") && predicate(of, 3));
  else
    return false;
  return true;
}

/* The bits of a, or in reverse, from the highest on: the first that is 1. */
static uint32_t leading(uint32_t a)
{
  uint32_t bit = 31;
  while (bit > 0 && (a >> bit & 1) == 0)
    bit--;
  return a == 0 ? UINT32_MAX : bit;
}

static bool find_bits(const struct evaluation *of, uint32_t *result)
{
  const struct instruction_text *parts = of->parts;
  *result = 0;
  if (text_is(parts, "BREV")) {
    for (unsigned bit = 0; bit < 32; bit++)
      *result |= (word(of, 0) >> bit & 1) << (31 - bit);
  } else if (text_starts(parts, "BMSK")) {
    for (unsigned bit = 0; bit < 32; bit++)
      *result |= (uint32_t)(bit >= places(of, 0, 32) && bit < places(of, 0, 32) + places(of, 1, 32))
                 << bit;
  } else if (text_starts(parts, "SGXT")) {
    const uint32_t count = places(of, 1, 32);
    for (unsigned bit = 0; bit < 32; bit++) {
      const bool above = bit >= count;
      const bool filler = count > 0 && !text_has(parts, ".U32") && word(of, 0) >> (count - 1) & 1;
      *result |= (above ? filler : word(of, 0) >> bit & 1) << bit;
    }
  } else if (text_starts(parts, "FLO")) {
    const uint32_t a = word(of, 0);
    *result = leading(!text_has(parts, ".U32") && a >> 31 != 0 ? ~a : a);
    if (text_has(parts, ".SH") && *result != UINT32_MAX)
      *result = 31 - *result;
  } else {
    return false;
  }
  return true;
}

/* The byte of a word, with its sign where the type has one. */
static int64_t part(uint32_t a, unsigned which, unsigned bits, bool as_signed)
{
  const int64_t piece = (int64_t)(a >> which * bits & ((UINT64_C(1) << bits) - 1));
  return as_signed && piece >> (bits - 1) != 0 ? piece - (INT64_C(1) << bits) : piece;
}

/* Sums of products and of differences of parts. */
static bool find_parts(const struct evaluation *of, uint32_t *result)
{
  const struct instruction_text *parts = of->parts;
  const uint32_t a = word(of, 0);
  const uint32_t b = word(of, 1);
  int64_t sum = 0;
  if (text_starts(parts, "IDP.4A.") || text_starts(parts, "IDP4A.") ||
      text_starts(parts, "IDP.2A.")) {
    const bool four = text_has(parts, "4A");
    const char *types = strstr(parts->opcode, four ? "A." : "2A.") + (four ? 2 : 6);
    const unsigned upper = text_has(parts, ".HI.") ? 2 : 0;
    for (unsigned p = 0; p < (four ? 4 : 2); p++)
      sum += part(a, p, four ? 8 : 16, types[0] == 'S') *
             part(b, p + upper, 8, *(strchr(types, '.') + 1) == 'S');
  } else if (text_is(parts, "VABSDIFF") || text_is(parts, "VABSDIFF.U32")) {
    const bool as_signed = text_is(parts, "VABSDIFF");
    sum = part(a, 0, 32, as_signed) - part(b, 0, 32, as_signed);
    sum = sum < 0 ? -sum : sum;
  } else if (text_starts(parts, "VABSDIFF4") && text_has(parts, ".ACC")) {
    for (unsigned p = 0; p < 4; p++) {
      const int64_t difference =
          part(a, p, 8, !text_has(parts, ".U8")) - part(b, p, 8, !text_has(parts, ".U8"));
      sum += difference < 0 ? -difference : difference;
    }
  } else if (text_is(parts, "I2I.U8.S32.SAT") || text_is(parts, "I2I.U16.S32.SAT")) {
    const int64_t most = text_has(parts, "U8") ? 255 : 65535;
    sum = part(a, 0, 32, true);
    *result = (uint32_t)(sum < 0 ? 0 : sum > most ? most : sum);
    return true;
  } else if (text_starts(parts, "P2")) {
    const uint32_t mask = word(of, 2);
    *result = b & ~mask;
    for (unsigned p = 0; p < 7; p++)
      *result |=
          (uint32_t)(strcmp(text_source(parts, 0), "UPR") == 0 ? of->lane->uniform_predicates[p]
                                                               : of->lane->predicates[p])
              << p &
          mask;
    return true;
  } else {
    return false;
  }
  *result = (uint32_t)sum + word(of, 2);
  return true;
}

static bool find_word(const struct evaluation *of, uint32_t *result)
{
  const struct instruction_text *parts = of->parts;
  const bool as_signed = !text_has(parts, ".U32");
  if (text_is(parts, "MOV") || text_is(parts, "LDC") || text_is(parts, "LDCU") ||
      text_is(parts, "S2R") || text_is(parts, "S2UR") || text_is(parts, "R2UR") ||
      text_is(parts, "CS2R.32") || text_is(parts, "SHFL.IDX"))
    *result = word(of, 0);
  else if (text_is(parts, "IADD3"))
    *result = word(of, 0) + word(of, 1) + word(of, 2);
  else if (text_is(parts, "IADD3.X"))
    *result = word(of, 0) + word(of, 1) + word(of, 2) + predicate(of, 3) + predicate(of, 4);
  else if (text_is(parts, "IADD.X"))
    *result = word(of, 0) + word(of, 1) + predicate(of, 2);
  else if (text_is(parts, "IADD") || text_is(parts, "VIADD") || text_is(parts, "VIADD.S32"))
    *result = word(of, 0) + word(of, 1);
  else if (is_multiply(parts))
    *result = word(of, 0) * word(of, 1) + word(of, 2);
  else if (text_is(parts, "IMAD.X"))
    *result = word(of, 0) * word(of, 1) + word(of, 2) + predicate(of, 3);
  else if (text_is(parts, "IMAD.HI") || text_is(parts, "IMAD.HI.U32"))
    *result = product_upper(of);
  else if (text_starts(parts, "LEA"))
    return find_scaled(of, result);
  else if (text_starts(parts, "SHF."))
    return shift(of, result);
  else if (text_starts(parts, "LOP."))
    *result = table_bits(word(of, 0), word(of, 1), 0,
                         text_is(parts, "LOP.AND")  ? 0xc0
                         : text_is(parts, "LOP.OR") ? 0xfc
                                                    : 0x3c);
  else if (text_is(parts, "SHL"))
    *result = word(of, 0) << word(of, 1);
  else if (text_is(parts, "SHR") || text_is(parts, "SHR.U32"))
    *result = shifted_right(word(of, 0), word(of, 1), text_is(parts, "SHR"));
  else if (text_is(parts, "LOP3.LUT"))
    *result = table_bits(word(of, 0), word(of, 1), word(of, 2), word(of, 3));
  else if (text_starts(parts, "PRMT"))
    *result = permuted(word(of, 0), word(of, 2), selector(parts, word(of, 1)));
  else if (text_is(parts, "HFMA2") || text_is(parts, "HFMA2.MMA"))
    *result = half_bits(text_source(parts, 2)) << 16 | half_bits(text_source(parts, 3));
  else if (text_is(parts, "IABS"))
    *result = magnitude(word(of, 0));
  else if (text_is(parts, "POPC")) {
    *result = 0;
    for (uint32_t rest = word(of, 0); rest != 0; rest &= rest - 1)
      ++*result;
  } else if (text_is(parts, "SEL") || text_is(parts, "FSEL"))
    *result = predicate(of, 2) ? word(of, 0) : word(of, 1);
  else if (text_is(parts, "IMNMX") || text_is(parts, "IMNMX.U32") || text_is(parts, "IMNMX.S32") ||
           text_is(parts, "VIMNMX") || text_is(parts, "VIMNMX.U32") || text_is(parts, "VIMNMX.S32"))
    *result = extreme(word(of, 0), word(of, 1), as_signed, predicate(of, 2));
  else if (text_is(parts, "VIADDMNMX") || text_is(parts, "VIADDMNMX.S32") ||
           text_is(parts, "VIADDMNMX.U32"))
    *result = extreme(word(of, 0) + word(of, 1), word(of, 2), as_signed, predicate(of, 3));
  else if (text_is(parts, "VIMNMX3") || text_is(parts, "VIMNMX3.U32"))
    *result = extreme(extreme(word(of, 0), word(of, 1), as_signed, predicate(of, 3)), word(of, 2),
                      as_signed, predicate(of, 3));
  else
    return find_bits(of, result) || find_parts(of, result);
  return true;
}

static bool find_wide(const struct evaluation *of, uint64_t *result)
{
  const struct instruction_text *parts = of->parts;
  if (text_is(parts, "MOV.64") || text_is(parts, "LDC.64") || text_is(parts, "LDCU.64") ||
      ((text_is(parts, "CS2R") || text_is(parts, "CS2UR")) &&
       strcmp(text_source(parts, 0), "SRZ") == 0))
    *result = wide(of, 0);
  else if (text_is(parts, "IADD.64"))
    *result = wide(of, 0) + wide(of, 1);
  else if (text_is(parts, "IADD3.64"))
    *result = wide(of, 0) + wide(of, 1) + wide(of, 2);
  else if (text_is(parts, "IMAD.WIDE"))
    *result = sign_extended(word(of, 0)) * sign_extended(word(of, 1)) + wide(of, 2);
  else if (text_is(parts, "IMAD.WIDE.U32"))
    *result = (uint64_t)word(of, 0) * word(of, 1) + wide(of, 2);
  else if (text_is(parts, "IMAD.WIDE.X"))
    *result =
        sign_extended(word(of, 0)) * sign_extended(word(of, 1)) + wide(of, 2) + predicate(of, 3);
  else if (text_is(parts, "IMAD.WIDE.U32.X"))
    *result = (uint64_t)word(of, 0) * word(of, 1) + wide(of, 2) + predicate(of, 3);
  else if (text_is(parts, "SEL.64"))
    *result = predicate(of, 2) ? wide(of, 0) : wide(of, 1);
  else
    return false;
  return true;
}

/* The carry out of the 64-bit sum of IMAD.WIDE. */
static bool find_wide_carry(const struct evaluation *of, uint64_t result, bool *carry)
{
  const struct instruction_text *parts = of->parts;
  const uint64_t added = wide(of, 2);
  const bool extended = text_has(parts, ".X") && predicate(of, 3);
  *carry = result < added || (extended && result == added);
  return text_starts(parts, "IMAD.WIDE");
}

/* The carries of IADD3: an adder takes -b as ~b + 1. With one of them beside the result it is that
 * of a sum of two. */
static bool find_carry(const struct evaluation *of, bool second, bool *carry)
{
  uint64_t sum = 0;
  size_t terms = 0;
  for (size_t i = 0; i < (text_starts(of->parts, "IADD3") ? 3 : 2); i++) {
    const char *text = text_source(of->parts, i);
    const bool negated = text[0] == '-' && text[1] != '0';
    if (strcmp(text, "RZ") == 0 || strcmp(text, "URZ") == 0)
      continue;
    terms++;
    sum += negated ? (uint64_t)(uint32_t) ~(0 - word(of, i)) + 1 : word(of, i);
  }
  if (text_is(of->parts, "IADD3.X"))
    sum += (uint64_t)predicate(of, 3) + predicate(of, 4);
  /* Two carries of three words count together; the first is the one that is true for one. */
  *carry = sum >> (second ? 33 : 32) != 0;
  return terms == 3 ? sum < (uint64_t)3 << 32 : !second && sum >> 33 == 0;
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
  if (relation[0] == 'F' || relation[0] == 'T')
    return relation[0] == 'T';
  if (relation[0] == 'E' || relation[0] == 'N')
    return (a == b) == (relation[0] == 'E');
  return (relation[0] == 'L' ? a < b : a > b) || (relation[1] == 'E' && a == b);
}

/* ISETP.GE.U32.AND.EX: upper words in strict order, or equal and what the lower ones said. */
static bool compared(const struct evaluation *of, bool opposite)
{
  const struct instruction_text *parts = of->parts;
  const char *relation = parts->opcode + strlen("ISETP.");
  const bool pairs = text_has(parts, "64.");
  const bool as_signed = !text_has(parts, ".U32") && !text_has(parts, ".U64");
  const uint64_t turn = !as_signed ? 0 : pairs ? UINT64_C(1) << 63 : UINT64_C(1) << 31;
  const uint64_t a = (pairs ? wide(of, 0) : word(of, 0)) ^ turn;
  const uint64_t b = (pairs ? wide(of, 1) : word(of, 1)) ^ turn;
  bool holds = related(relation, a, b);
  if (text_has(parts, ".EX"))
    holds = a == b ? predicate(of, 3) : relation[0] != 'E' && holds;
  const char *how = text_has(parts, ".AND") ? "AND" : text_has(parts, ".OR") ? "OR" : "XOR";
  return joined(how, holds != opposite, predicate(of, 2));
}

static void set_predicate(struct volta_lane *lane, const char *text, bool is_true)
{
  *find_predicate(lane, text) = is_true;
  lane->predicates[7] = lane->uniform_predicates[7] = true;
}

/* Two results: the second of a comparison is that of its opposite. */
static bool execute_predicate(const struct evaluation *of)
{
  const struct instruction_text *parts = of->parts;
  const bool compares = text_starts(parts, "ISETP.");
  bool results[2];
  if (text_starts(parts, "PSETP.")) { /* the second result is not known */
    const bool inner = joined(parts->opcode + strlen("PSETP."), predicate(of, 0), predicate(of, 1));
    set_predicate(of->lane, parts->text[0],
                  joined(strrchr(parts->opcode, '.') + 1, inner, predicate(of, 2)));
    return true;
  }
  if (!compares && !text_is(parts, "PLOP3.LUT"))
    return false;
  for (unsigned r = 0; r < 2; r++)
    results[r] = compares ? compared(of, r > 0)
                          : (word(of, 3 + r) >> (predicate(of, 0) * 4U + predicate(of, 1) * 2U +
                                                 predicate(of, 2)) &
                             1) != 0;
  for (unsigned r = 2; r-- > 0;)
    set_predicate(of->lane, parts->text[r], results[r]);
  return true;
}

/* ---- instructions ---- */

/* Predicates beside a result: none but the first carry of a sum, both carries of three words, and
 * that of LOP3. */
static bool find_output(const struct evaluation *of, const char **output, bool *is_true,
                        uint32_t result)
{
  const struct instruction_text *parts = of->parts;
  *output = NULL;
  for (size_t i = 0; i < parts->outputs; i++) {
    const char *text = parts->text[i];
    if (!text_is_predicate(text) || strcmp(text, "PT") == 0 || strcmp(text, "UPT") == 0)
      continue;
    if (*output != NULL)
      return false;
    *output = text;
  }
  *is_true = result != 0;
  if (*output == NULL)
    return true;
  if (text_is(parts, "LOP3.LUT"))
    return strcmp(text_source(parts, 4), "!PT") == 0 || strcmp(text_source(parts, 4), "!UPT") == 0;
  if ((text_is(parts, "LEA") || text_is(parts, "LEA.HI")) && text_source(parts, 1)[0] != '-') {
    const uint32_t scaled = text_is(parts, "LEA")
                                ? word(of, 0) << (word(of, 2) & 31)
                                : funnel(word(of, 0), word(of, 2), word(of, 3), false);
    *is_true = ((uint64_t)scaled + word(of, 1)) >> 32 != 0;
    return *output == parts->text[1];
  }
  return (text_is(parts, "IADD3") || text_is(parts, "IADD3.X") || text_is(parts, "IADD")) &&
         *output == parts->text[1] && find_carry(of, false, is_true);
}

/* IADD3 R0, P0, P1, a, b, c: both carries. */
static bool find_carries(const struct evaluation *of, bool carries[2])
{
  const struct instruction_text *parts = of->parts;
  return (text_is(parts, "IADD3") || text_is(parts, "IADD3.X")) && parts->outputs == 3 &&
         text_is_predicate(parts->text[1]) && parts->text[1][1] != 'T' &&
         text_is_predicate(parts->text[2]) && parts->text[2][1] != 'T' &&
         find_carry(of, false, &carries[0]) && find_carry(of, true, &carries[1]);
}

/* R2P PR, R0.B1, mask: a bit for each predicate. */
static void execute_to_predicates(const struct evaluation *of)
{
  const struct instruction_text *parts = of->parts;
  char name[INSTRUCTION_TEXT];
  memcpy(name, parts->text[1], sizeof name);
  char *byte = strstr(name, ".B");
  const unsigned place = byte != NULL ? 8 * (unsigned)(byte[2] - '0') : 0;
  if (byte != NULL)
    *byte = '\0';
  const uint32_t bits = (uint32_t)value(of->lane, of->memory, name, false) >> place;
  const uint32_t mask = parts->count > 2 ? (uint32_t)strtoul(parts->text[2], NULL, 0) : 0x7f;
  for (unsigned p = 0; p < 7; p++) {
    bool *predicate_of =
        parts->text[0][0] == 'U' ? &of->lane->uniform_predicates[p] : &of->lane->predicates[p];
    if ((mask >> p & 1) != 0)
      *predicate_of = (bits >> p & 1) != 0;
  }
}

/* IMNMX.S64 PT, PT, R2, a, b, PT, !PT: the lesser number; with !PT for the first PT the greater
 * one.
 */
static bool execute_wide_extreme(const struct evaluation *of)
{
  const struct instruction_text *parts = of->parts;
  const uint64_t turn = text_has(parts, ".S64") ? UINT64_C(1) << 63 : 0;
  const uint64_t a = value(of->lane, of->memory, parts->text[3], true);
  const uint64_t b = value(of->lane, of->memory, parts->text[4], true);
  const bool least = strcmp(parts->text[5], "PT") == 0;
  const uint64_t result = ((a ^ turn) <= (b ^ turn)) == least ? a : b;
  uint32_t *to = find_register(of->lane, parts->text[2], 0);
  to[0] = (uint32_t)result;
  to[1] = (uint32_t)(result >> 32);
  of->lane->registers[255] = of->lane->uniform[255] = 0;
  return true;
}

/* LDC.128; LDC.U8: the byte of a word in memory. */
static bool execute_load(const struct evaluation *of)
{
  const struct instruction_text *parts = of->parts;
  uint32_t *to = find_register(of->lane, parts->text[0], 0);
  uint32_t offset;
  const uint32_t first = constant(of->lane, of->memory, parts->text[1], 0, &offset);
  if (text_has(parts, ".128")) {
    uint32_t words[4] = {first};
    for (uint32_t w = 1; w < 4; w++)
      words[w] = constant(of->lane, of->memory, parts->text[1], 4 * w, &offset);
    memcpy(to, words, sizeof words);
    return true;
  }
  const unsigned bits = text_has(parts, "8") ? 8 : 16;
  const uint32_t whole = of->memory->constant(
      of->memory->context, (uint32_t)strtoul(parts->text[1] + 2, NULL, 16), offset & ~3U);
  *to = (uint32_t)part(whole >> 8 * (offset & 3), 0, bits, text_has(parts, ".S"));
  return (offset & 3) % (bits / 8) == 0;
}

bool volta_lane_execute(struct volta_lane *lane, const struct volta_memory *memory,
                        const char *opcode, const char *operands)
{
  struct instruction_text parts;
  struct volta_lane before = *lane;
  const struct evaluation of = {&before, memory, &parts};
  const char *output;
  uint64_t result = 0;
  uint32_t lower = 0;
  bool is_true = false;
  take_apart(opcode, operands, &parts);
  for (size_t i = 0; i < parts.outputs; i++) {
    if (parts.text[i][0] == '!') /* of a spoilt line: no instruction writes a negated predicate */
      return false;
  }
  const struct evaluation writes = {lane, memory, &parts};
  if (text_starts(&parts, "IMNMX.") && text_has(&parts, "64"))
    return execute_wide_extreme(&writes);
  if (text_is_predicate(parts.text[0]) && text_is_predicate(parts.text[1]))
    return execute_predicate(&writes);
  if (text_starts(&parts, "R2") && parts.text[0][strlen(parts.text[0]) - 1] == 'R' &&
      parts.text[0][0] != 'R') {
    execute_to_predicates(&writes);
    return true;
  }
  if (text_starts(&parts, "LDC") && strchr(parts.opcode, '.') != NULL && !text_has(&parts, ".64")) {
    const bool done = execute_load(&writes);
    lane->registers[255] = lane->uniform[255] = 0;
    return done;
  }
  const char *to = parts.text[text_is_predicate(parts.text[0])];
  const bool pair = find_wide(&of, &result);
  if (!pair && !find_word(&of, &lower))
    return false;
  bool both[2];
  const bool two = !pair && find_carries(&of, both);
  const bool alone = find_output(&of, &output, &is_true, pair ? 0 : lower);
  if (pair ? output != NULL && !find_wide_carry(&of, result, &is_true) : !two && !alone)
    return false;
  *find_register(lane, to, 0) = pair ? (uint32_t)result : lower;
  if (pair)
    *find_register(lane, to, 1) = (uint32_t)(result >> 32);
  if (two) {
    set_predicate(lane, parts.text[1], both[0]);
    set_predicate(lane, parts.text[2], both[1]);
  } else if (output != NULL) {
    set_predicate(lane, output, is_true);
  }
  lane->registers[255] = lane->uniform[255] = 0;
  return true;
}
