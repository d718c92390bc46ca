#include "maxwell_lane.h"

#include "instruction_text.h"

#include <stdlib.h>
#include <string.h>

/* What the evaluation of one instruction needs. */
struct evaluation {
  struct maxwell_lane *lane;
  const struct volta_memory *memory;
  const struct instruction_text *parts;
};

/* ---- operands ---- */

static unsigned register_number(const char *text)
{
  return text[1] == 'Z' ? 255 : (unsigned)strtoul(text + 1, NULL, 10);
}

static uint32_t constant(const struct evaluation *of, const char *text, uint32_t *place)
{
  char *end;
  const uint32_t bank = (uint32_t)strtoul(text + 2, &end, 16);
  *place = 0;
  end += 2; /* ][ */
  if (*end == 'R') {
    *place = of->lane->registers[register_number(end)];
    end += strcspn(end, "+]");
  }
  if (*end != ']')
    *place += (uint32_t)strtoul(end, NULL, 16);
  return of->memory->constant(of->memory->context, bank, *place);
}

/* The number without its sign and part. */
static uint32_t whole(const struct evaluation *of, size_t which)
{
  const char *text = text_source(of->parts, which);
  uint32_t place;
  text += *text == '-' || *text == '~';
  text += *text == '|';
  if (text[0] == 'S')
    return of->memory->special(of->memory->context, text);
  if (text[0] == 'R')
    return of->lane->registers[register_number(text)];
  return text[0] == 'c' ? constant(of, text, &place) : (uint32_t)strtoul(text, NULL, 0);
}

static bool is_negated(const struct evaluation *of, size_t which)
{
  return text_source(of->parts, which)[0] == '-';
}

static uint32_t word(const struct evaluation *of, size_t which)
{
  const uint32_t number = whole(of, which);
  const char *text = text_source(of->parts, which);
  return *text == '-' ? 0 - number : *text == '~' ? ~number : number;
}

static bool predicate(const struct evaluation *of, size_t which)
{
  const char *text = text_source(of->parts, which);
  const bool negated = *text == '!';
  text += negated;
  return of->lane->predicates[text[1] == 'T' ? 7 : text[1] - '0'] != negated;
}

/* A number of that many bits in two's complement. */
static int64_t as_signed(uint64_t number, unsigned bits)
{
  if (bits > 63)
    return (int64_t)number;
  number &= (UINT64_C(1) << bits) - 1;
  return number >> (bits - 1) != 0 ? (int64_t)number - (INT64_C(1) << bits) : (int64_t)number;
}

/* A type such as U8 or S32: its numbers. */
static int64_t typed(const char *type, uint32_t number)
{
  const unsigned bits = (unsigned)strtoul(type + 1, NULL, 10);
  const uint64_t piece = bits > 31 ? number : number & ((UINT64_C(1) << bits) - 1);
  return type[0] == 'S' ? as_signed(piece, bits) : (int64_t)piece;
}

/* A part of a source by the suffix of its text (.H1, .B2) and its type, with its sign. */
static int64_t part(const struct evaluation *of, size_t which, const char *type)
{
  const char *text = text_source(of->parts, which);
  const char *byte = strstr(text, ".B");
  const unsigned place = byte != NULL                  ? 8 * (unsigned)(byte[2] - '0')
                         : strstr(text, ".H1") != NULL ? 16
                                                       : 0;
  const int64_t number = typed(type, whole(of, which) >> place);
  return is_negated(of, which) ? -number : number;
}

/* ---- sums ---- */

/* The sum of sources as an adder has it: what is subtracted is complemented, with a carry in, which
 * with X is that of the condition code. */
static uint32_t added(const struct evaluation *of, size_t count)
{
  const bool extended = text_has(of->parts, ".X");
  uint64_t sum = extended && of->lane->carry;
  size_t words = 0;
  for (size_t i = 0; i < count; i++) {
    const bool number = text_source(of->parts, i)[1] == '0';
    const bool negated = is_negated(of, i) && !number;
    sum += negated ? (uint32_t)~whole(of, i) : word(of, i);
    sum += negated && !extended;
    words += strcmp(text_source(of->parts, i), "RZ") != 0;
  }
  of->lane->carry_known = words <= 2 && sum >> 33 == 0;
  of->lane->carry = sum >> 32 != 0;
  of->lane->zero = (uint32_t)sum == 0;
  return (uint32_t)sum;
}

/* (a << n) + b. */
static uint32_t scaled(const struct evaluation *of, uint32_t places)
{
  const uint64_t shifted = (uint32_t)(word(of, 0) << places);
  const bool carried = text_has(of->parts, ".X") && of->lane->carry;
  const bool negated = is_negated(of, 1) && text_source(of->parts, 1)[1] != '0';
  uint64_t sum = shifted + carried;
  sum += negated ? (uint64_t)(uint32_t)~whole(of, 1) + 1 : word(of, 1);
  of->lane->carry_known = !is_negated(of, 0) && sum >> 33 == 0;
  of->lane->carry = sum >> 32 != 0;
  of->lane->zero = (uint32_t)sum == 0;
  return (uint32_t)sum;
}

static uint32_t scaled_upper(const struct evaluation *of)
{
  const uint32_t places = of->parts->count > 4 + of->parts->outputs - 1 ? word(of, 3) : 0;
  const uint64_t both = (uint64_t)word(of, 2) << 32 | word(of, 0);
  const uint64_t upper = both << places >> 32;
  const uint64_t sum = upper + word(of, 1) + (text_has(of->parts, ".X") && of->lane->carry);
  of->lane->carry_known = !is_negated(of, 1) && sum >> 33 == 0;
  of->lane->carry = sum >> 32 != 0;
  of->lane->zero = (uint32_t)sum == 0;
  return (uint32_t)sum;
}

/* ---- products ---- */

/* The product of the first two sources by the types after the opcode's first dot. */
static uint32_t product(const struct evaluation *of)
{
  const char *types = strchr(of->parts->opcode, '.');
  const bool named =
      types != NULL && (strncmp(types, ".U32.", 5) == 0 || strncmp(types, ".S32.", 5) == 0 ||
                        strcmp(types, ".U32.U32") == 0);
  const uint32_t a = word(of, 0);
  const uint32_t b = word(of, 1);
  const uint64_t first = named && types[1] == 'U' ? a : (uint64_t)as_signed(a, 32);
  const uint64_t second = named && types[5] == 'U' ? b : (uint64_t)as_signed(b, 32);
  return (uint32_t)(text_has(of->parts, ".HI") ? first * second >> 32 : first * second);
}

static uint32_t half_product(const struct evaluation *of)
{
  const struct instruction_text *parts = of->parts;
  const char *types = parts->opcode + strlen("XMAD.");
  const bool typed_factors = text_has(parts, "16.");
  const uint32_t low = whole(of, 1) & 0xffff;
  uint32_t result = (uint32_t)(part(of, 0, typed_factors ? types : "U16") *
                               part(of, 1, typed_factors ? types + 4 : "U16"));
  uint32_t c = word(of, 2);
  if (text_has(parts, ".PSL"))
    result *= 0x10000;
  if (text_has(parts, ".CHI"))
    c = c >> 16;
  if (text_has(parts, ".CLO"))
    c = c & 0xffff;
  if (text_has(parts, ".CBCC"))
    c += low * 0x10000;
  result += c;
  return text_has(parts, ".MRG") ? (result & 0xffff) + low * 0x10000 : result;
}

/* IMADSP.U24.S16H0.S24: a part of each source. */
static uint32_t part_product(const struct evaluation *of)
{
  const char *type = of->parts->opcode + strlen("IMADSP.");
  int64_t numbers[3];
  for (size_t i = 0; i < 3; i++, type = strchr(type, '.') + 1) {
    const bool upper = strncmp(type + 1, "16H1", 4) == 0;
    numbers[i] = typed(type, word(of, i) >> (upper ? 16 : 0));
    if (i == 2)
      break;
  }
  return (uint32_t)(numbers[0] * numbers[1] + numbers[2]);
}

static uint32_t dot_product(const struct evaluation *of)
{
  const bool four = text_starts(of->parts, "IDP.4A.");
  const char *type = of->parts->opcode + strlen(four ? "IDP.4A." : "IDP.2A.LO.");
  const char *second = strchr(type, '.') + 1;
  const unsigned upper = text_has(of->parts, ".HI.") ? 16 : 0;
  int64_t sum = word(of, 2);
  for (unsigned p = 0; p < (four ? 4 : 2); p++)
    sum += typed(type, word(of, 0) >> p * (four ? 8 : 16)) *
           typed(second, word(of, 1) >> (8 * p + upper));
  return (uint32_t)sum;
}

/* ---- shifts and bits ---- */

static uint32_t count_of(const struct evaluation *of, uint32_t most)
{
  const uint32_t count = word(of, 1);
  if (text_has(of->parts, ".W"))
    return count & 31;
  return count < most ? count : most;
}

static bool shift(const struct evaluation *of, uint32_t *result)
{
  const struct instruction_text *parts = of->parts;
  const bool by_one = text_starts(parts, "SHL") || text_starts(parts, "SHR");
  const uint32_t count = count_of(of, by_one || !text_has(parts, "64") ? 32 : 64);
  const int64_t a = text_has(parts, ".U32") ? (int64_t)word(of, 0) : as_signed(word(of, 0), 32);
  const uint64_t both = (uint64_t)word(of, 2) << 32 | word(of, 0);
  if (count > 63)
    return false;
  if (text_starts(parts, "SHL"))
    *result = (uint32_t)((uint64_t)word(of, 0) << count);
  else if (text_starts(parts, "SHR"))
    *result = (uint32_t)(a >> count);
  else if (text_starts(parts, "SHF.L"))
    *result = (uint32_t)(both << count >> 32);
  else
    *result =
        (uint32_t)(text_has(parts, ".S64") ? (uint64_t)((int64_t)both >> count) : both >> count);
  return true;
}

/* A field of bits, one by one. */
static uint32_t field(const struct evaluation *of)
{
  const uint32_t what = word(of, 1);
  const unsigned first = what & 0xff;
  const unsigned length = what >> 8 & 0xff;
  const uint32_t a = word(of, 0);
  const unsigned last = first + length - 1 < 31 ? first + length - 1 : 31;
  const bool sign = length > 0 && !text_has(of->parts, ".U32") && a >> last & 1;
  uint32_t result = 0;
  if (text_has(of->parts, ".BREV")) {
    for (unsigned bit = 0; bit < 32; bit++)
      result |= (a >> bit & 1) << (31 - bit);
    return result;
  }
  for (unsigned bit = 0; bit < 32; bit++) {
    const bool inside = bit < length && first + bit <= 31;
    result |= (uint32_t)(inside ? a >> (first + bit) & 1 : sign) << bit;
  }
  return result;
}

static uint32_t inserted(const struct evaluation *of)
{
  const uint32_t what = word(of, 1);
  uint32_t result = word(of, 2);
  for (unsigned bit = 0; bit < (what >> 8 & 0xff) && (what & 0xff) + bit < 32 && bit < 32; bit++) {
    const unsigned place = (what & 0xff) + bit;
    result = (result & ~(UINT32_C(1) << place)) | (word(of, 0) >> bit & 1) << place;
  }
  return result;
}

static uint32_t permuted(const struct evaluation *of)
{
  static const char *const modes[][5] = {
      {".F4E", "3210", "4321", "5432", "6543"}, {".B4E", "5670", "6701", "7012", "0123"},
      {".RC8", "0000", "1111", "2222", "3333"}, {".ECL", "3210", "3211", "3222", "3333"},
      {".ECR", "0000", "1110", "2210", "3210"}, {".RC16", "1010", "3232", "1010", "3232"}};
  uint32_t digits = word(of, 1);
  uint32_t result = 0;
  for (size_t m = 0; m < sizeof modes / sizeof *modes; m++)
    if (strcmp(of->parts->opcode + strlen("PRMT"), modes[m][0]) == 0)
      digits = (uint32_t)strtoul(modes[m][1 + (word(of, 1) & 3)], NULL, 16);
  for (unsigned place = 0; place < 4; place++) {
    const unsigned digit = digits >> 4 * place & 15;
    const uint32_t from = (digit & 4) != 0 ? word(of, 2) : word(of, 0);
    const uint32_t byte = from >> 8 * (digit & 3) & 0xff;
    result |= (digit < 8 ? byte : byte >= 0x80 ? 0xffU : 0U) << 8 * place;
  }
  return result;
}

static uint32_t leading(const struct evaluation *of)
{
  uint32_t a = word(of, 0);
  uint32_t bit = 31;
  if (!text_has(of->parts, ".U32") && a >> 31 != 0)
    a = ~a;
  if (a == 0)
    return UINT32_MAX;
  while ((a >> bit & 1) == 0)
    bit--;
  return text_has(of->parts, ".SH") ? 31 - bit : bit;
}

static uint32_t ones(uint32_t a)
{
  uint32_t count = 0;
  for (; a != 0; a >>= 1)
    count += a & 1;
  return count;
}

/* Logic by a table of a and b, or of three words. */
static uint32_t logic(const struct evaluation *of)
{
  const struct instruction_text *parts = of->parts;
  const uint32_t a = word(of, 0);
  const uint32_t b = word(of, 1);
  uint32_t result = 0;
  if (text_starts(parts, "LOP3.")) {
    for (unsigned bit = 0; bit < 32; bit++) {
      const unsigned index = 4 * (a >> bit & 1) + 2 * (b >> bit & 1) + (word(of, 2) >> bit & 1);
      result |= (word(of, 3) >> index & 1) << bit;
    }
    return result;
  }
  if (text_has(parts, ".AND"))
    return a & b;
  if (text_has(parts, ".XOR"))
    return a ^ b;
  return text_has(parts, ".OR") ? a | b : b;
}

/* ---- comparisons ---- */

static bool related(const char *relation, bool less, bool equal)
{
  switch (relation[0]) {
  case 'F':
    return false;
  case 'T':
    return true;
  case 'E':
    return equal;
  case 'N':
    return !equal;
  case 'L':
    return less || (relation[1] == 'E' && equal);
  default:
    return (!less && !equal) || (relation[1] == 'E' && equal);
  }
}

static bool joined(const char *how, bool a, bool b)
{
  if (strncmp(how, "AND", 3) == 0)
    return a && b;
  return strncmp(how, "OR", 2) == 0 ? a || b : a != b;
}

/* The relation after the opcode's first dot, of two sources; with X after a subtraction of the
 * lower words. */
static bool compared(const struct evaluation *of, const char *relation, size_t first)
{
  const bool is_unsigned = text_has(of->parts, ".U32");
  int64_t a = is_unsigned ? (int64_t)word(of, first) : as_signed(word(of, first), 32);
  int64_t b = is_unsigned ? (int64_t)word(of, first + 1) : as_signed(word(of, first + 1), 32);
  if (text_has(of->parts, ".X.") && a == b)
    return related(relation, !of->lane->carry, of->lane->zero);
  return related(relation, a < b, a == b);
}

static const char *last_word(const struct evaluation *of)
{
  return strrchr(of->parts->opcode, '.') + 1;
}

static bool execute_predicates(const struct evaluation *of, bool results[2])
{
  const struct instruction_text *parts = of->parts;
  if (text_starts(parts, "ISETP.")) {
    const bool holds = compared(of, parts->opcode + strlen("ISETP."), 0);
    for (unsigned r = 0; r < 2; r++)
      results[r] = joined(last_word(of), holds != (r > 0), predicate(of, 2));
  } else if (text_starts(parts, "PSETP.")) {
    const bool inner = joined(parts->opcode + strlen("PSETP."), predicate(of, 0), predicate(of, 1));
    results[0] = joined(last_word(of), inner, predicate(of, 2));
    results[1] = false;
  } else if (text_starts(parts, "VSETP.")) {
    const char *types = strchr(parts->opcode + strlen("VSETP."), '.') + 1;
    const int64_t a = part(of, 0, types);
    const int64_t b = part(of, 1, strchr(types, '.') + 1);
    results[0] = joined(last_word(of), related(parts->opcode + strlen("VSETP."), a < b, a == b),
                        predicate(of, 2));
    results[1] = false;
  } else {
    return false;
  }
  return true;
}

static uint32_t mask_of(const struct evaluation *of, bool holds)
{
  const uint32_t full = text_has(of->parts, ".BF") ? 0x3f800000 : UINT32_MAX;
  return holds ? full : 0;
}

/* ---- video ---- */

static bool video(const struct evaluation *of, uint32_t *result)
{
  const struct instruction_text *parts = of->parts;
  const char *types[2];
  /* The types of the two operands, which are the last words of the opcode but ACC. */
  types[0] = types[1] = "S32";
  if (text_starts(of->parts, "VSH")) /* by places without a sign */
    types[1] = "U32";
  const char *at = of->parts->opcode;
  for (size_t found = 0; found < 2 && (at = strchr(at, '.')) != NULL;) {
    at++;
    if ((at[0] == 'U' || at[0] == 'S') && at[1] >= '0' && at[1] <= '9')
      types[found++] = at;
  }
  const int64_t a = part(of, 0, types[0]);
  const int64_t b = part(of, 1, types[1]);
  int64_t number;
  if (text_starts(parts, "VADD"))
    number = a + b;
  else if (text_starts(parts, "VMNMX"))
    number = (a > b) == text_has(parts, ".MX") ? a : b;
  else if (text_starts(parts, "VABSDIFF"))
    number = a > b ? a - b : b - a;
  else if (text_starts(parts, "VSET."))
    number = related(parts->opcode + strlen("VSET."), a < b, a == b);
  else if (text_starts(parts, "VMAD"))
    number = a * b + word(of, 2);
  else {
    const int64_t places = text_has(parts, ".W") ? b & 31 : b < 32 ? b : 32;
    if (text_starts(parts, "VSHL"))
      number = (int64_t)((uint64_t)a << places);
    else if (text_starts(parts, "VSHR"))
      number = a >> places;
    else
      return false;
  }
  *result = (uint32_t)number + (text_has(parts, ".ACC") ? word(of, 2) : 0);
  return true;
}

/* ---- moves ---- */

/* I2I.S32.S8 R0, a. */
static uint32_t converted(const struct evaluation *of)
{
  const char *from = strchr(of->parts->opcode + strlen("I2I."), '.') + 1;
  const char *text = text_source(of->parts, 0);
  if (strchr(text, '|') == NULL)
    return (uint32_t)part(of, 0, from);
  const uint32_t number = whole(of, 0);
  const uint32_t size = number >> 31 != 0 ? 0 - number : number;
  return *text == '-' ? 0 - size : size;
}

static bool load(const struct evaluation *of, uint32_t words[4], size_t *count)
{
  const struct instruction_text *parts = of->parts;
  uint32_t place;
  words[0] = constant(of, text_source(parts, 0), &place);
  *count = text_has(parts, ".128") ? 4 : text_has(parts, ".64") ? 2 : 1;
  for (size_t w = 1; w < *count; w++)
    words[w] = of->memory->constant(of->memory->context,
                                    (uint32_t)strtoul(text_source(parts, 0) + 2, NULL, 16),
                                    place + 4 * (uint32_t)w);
  const char *type = strchr(parts->opcode, '.');
  if (*count > 1 || type == NULL)
    return true;
  const uint32_t aligned = of->memory->constant(
      of->memory->context, (uint32_t)strtoul(text_source(parts, 0) + 2, NULL, 16), place & ~3U);
  words[0] = (uint32_t)typed(type + 1, aligned >> 8 * (place & 3));
  return place % (text_has(parts, "16") ? 2 : 1) == 0;
}

static uint32_t from_predicates(const struct evaluation *of)
{
  const uint32_t mask = word(of, 2);
  uint32_t result = word(of, 1) & ~mask;
  for (unsigned p = 0; p < 7; p++)
    result |= (uint32_t)of->lane->predicates[p] << p & mask;
  return result;
}

/* ---- instructions ---- */

static bool find_sum(const struct evaluation *of, uint32_t *result)
{
  const struct instruction_text *parts = of->parts;
  if (text_starts(parts, "IADD3.RS"))
    *result = (uint32_t)(((uint64_t)word(of, 0) + word(of, 1)) >> 16) + word(of, 2);
  else if (text_starts(parts, "IADD3") && !text_starts(parts, "IADD32I"))
    *result = added(of, 3);
  else if (text_starts(parts, "IADD"))
    *result = added(of, 2);
  else if (text_starts(parts, "ISCADD") || text_is(parts, "LEA") || text_is(parts, "LEA.X"))
    *result = scaled(of, parts->count > 2 + parts->outputs ? word(of, 2) : 0);
  else if (text_starts(parts, "LEA.HI"))
    *result = scaled_upper(of);
  else if (text_starts(parts, "IMUL"))
    *result = product(of);
  else if (text_starts(parts, "IMADSP"))
    *result = part_product(of);
  else if (text_starts(parts, "IMAD"))
    *result = product(of) + word(of, 2) + (text_has(parts, ".X") && of->lane->carry);
  else if (text_starts(parts, "XMAD"))
    *result = half_product(of);
  else if (text_starts(parts, "IDP"))
    *result = dot_product(of);
  else if (text_starts(parts, "ISAD"))
    *result = (compared(of, "LT", 0) ? word(of, 1) - word(of, 0) : word(of, 0) - word(of, 1)) +
              word(of, 2);
  else if (text_is(parts, "ISUB"))
    *result = word(of, 0) - word(of, 1);
  else
    return false;
  return true;
}

static bool find_bits(const struct evaluation *of, uint32_t *result)
{
  const struct instruction_text *parts = of->parts;
  if (text_starts(parts, "SH"))
    return shift(of, result);
  if (text_starts(parts, "LOP"))
    *result = logic(of);
  else if (text_starts(parts, "BFE"))
    *result = field(of);
  else if (text_starts(parts, "BFI"))
    *result = inserted(of);
  else if (text_starts(parts, "PRMT"))
    *result = permuted(of);
  else if (text_starts(parts, "FLO"))
    *result = leading(of);
  else if (text_starts(parts, "POPC"))
    *result = ones(word(of, 0));
  else
    return false;
  return true;
}

static bool find_choice(const struct evaluation *of, uint32_t *result)
{
  const struct instruction_text *parts = of->parts;
  if (text_starts(parts, "SEL")) {
    *result = predicate(of, 2) ? word(of, 0) : word(of, 1);
  } else if (text_starts(parts, "IMNMX")) {
    const bool first = compared(of, "LT", 0) == predicate(of, 2);
    *result = first ? word(of, 0) : word(of, 1);
  } else if (text_starts(parts, "ICMP.")) {
    const uint32_t c = word(of, 2);
    const bool less = !text_has(parts, ".U32") && c >> 31 != 0;
    *result = related(parts->opcode + strlen("ICMP."), less, c == 0) ? word(of, 0) : word(of, 1);
  } else if (text_starts(parts, "ISET.")) {
    const char *relation = parts->opcode + strlen(text_has(parts, ".BF") ? "ISET.BF." : "ISET.");
    *result = mask_of(of, joined(last_word(of), compared(of, relation, 0), predicate(of, 2)));
  } else if (text_starts(parts, "PSET.")) {
    const char *how = parts->opcode + strlen(text_has(parts, ".BF") ? "PSET.BF." : "PSET.");
    const bool inner = joined(how, predicate(of, 0), predicate(of, 1));
    *result = mask_of(of, joined(last_word(of), inner, predicate(of, 2)));
  } else {
    return false;
  }
  return true;
}

static bool find_word(const struct evaluation *of, uint32_t *result)
{
  const struct instruction_text *parts = of->parts;
  if (text_is(parts, "MOV") || text_is(parts, "MOV32I") || text_is(parts, "S2R") ||
      text_is(parts, "SHFL.IDX"))
    *result = word(of, 0);
  else if (text_starts(parts, "I2I."))
    *result = converted(of);
  else if (text_starts(parts, "P2R"))
    *result = from_predicates(of);
  else
    return find_sum(of, result) || find_bits(of, result) || find_choice(of, result) ||
           video(of, result);
  return true;
}

static void set_predicate(struct maxwell_lane *lane, const char *text, bool is_true)
{
  if (text[1] != 'T')
    lane->predicates[text[1] - '0'] = is_true;
}

/* Writes the result, and the predicate before it: of logic with Z or NZ. */
static bool set_result(const struct evaluation *of, uint32_t result)
{
  const struct instruction_text *parts = of->parts;
  const char *target = parts->text[parts->outputs - 1];
  if (parts->outputs > 1 && text_starts(parts, "LOP"))
    set_predicate(of->lane, parts->text[0], (result != 0) == text_has(parts, ".NZ"));
  else if (parts->outputs > 1 && parts->text[0][1] != 'T')
    return false;
  of->lane->registers[register_number(target)] = result;
  of->lane->registers[255] = 0;
  return true;
}

static bool execute(const struct evaluation *of)
{
  const struct instruction_text *parts = of->parts;
  const bool carry = of->lane->carry;
  const bool zero = of->lane->zero;
  uint32_t words[4];
  size_t count;
  bool results[2];
  if (text_starts(parts, "R2P")) {
    const uint32_t mask =
        of->parts->count > 2 ? (uint32_t)strtoul(of->parts->text[2], NULL, 0) : 0x7f;
    const uint32_t bits = (uint32_t)part(of, 0, "U8");
    for (unsigned p = 0; p < 7; p++)
      if ((mask >> p & 1) != 0)
        of->lane->predicates[p] = (bits >> p & 1) != 0;
    return true;
  }
  if (text_is_predicate(parts->text[0]) && text_is_predicate(parts->text[1])) {
    if (!execute_predicates(of, results))
      return false;
    set_predicate(of->lane, parts->text[1], results[1]);
    set_predicate(of->lane, parts->text[0], results[0]);
    return true;
  }
  if (text_starts(parts, "LDC")) {
    if (!load(of, words, &count))
      return false;
    for (size_t w = 0; w < count; w++)
      of->lane->registers[register_number(parts->text[0]) + (unsigned)w] = words[w];
    of->lane->registers[255] = 0;
    return true;
  }
  if (!find_word(of, &words[0]) || !set_result(of, words[0]))
    return false;
  if (strstr(parts->text[parts->outputs - 1], ".CC") == NULL) {
    of->lane->carry = carry;
    of->lane->zero = zero;
    of->lane->carry_known = false;
  }
  return true;
}

bool maxwell_lane_execute(struct maxwell_lane *lane, const struct volta_memory *memory,
                          const char *opcode, const char *operands)
{
  struct maxwell_lane after = *lane;
  struct instruction_text parts;
  const struct evaluation of = {&after, memory, &parts};
  text_split(opcode, operands, &parts);
  parts.outputs = text_is_predicate(parts.text[0]) ? 2 : 1;
  after.carry_known = false;
  if (!execute(&of))
    return false;
  *lane = after;
  return true;
}
