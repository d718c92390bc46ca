#include "isa/parse/operand_parser.h"

#include "isa/names/special_register.h"
#include "model/code.h"

#include <string.h>

/* The rest of an operand that is not read yet. */
struct rest {
  const char *at;
  const char *end;
};

static bool take(struct rest *rest, const char *text)
{
  const char *at = rest->at;
  for (; *text != '\0'; text++, at++)
    if (at == rest->end || *at != *text)
      return false;
  rest->at = at;
  return true;
}

static char next(const struct rest *rest)
{
  return rest->at < rest->end ? *rest->at : '\0';
}

static void skip_blanks(struct rest *rest)
{
  while (rest->at < rest->end && (*rest->at == ' ' || *rest->at == '\t'))
    rest->at++;
}

static int digit_of(char c)
{
  if (c >= '0' && c <= '9')
    return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* A number of at most 64 bits, decimal or hexadecimal. */
static bool take_wide_number(struct rest *rest, uint64_t *number)
{
  const unsigned base = take(rest, "0x") ? 16 : 10;
  const char *first = rest->at;
  *number = 0;
  while (rest->at < rest->end && (unsigned)digit_of(*rest->at) < base) {
    const unsigned digit = (unsigned)digit_of(*rest->at++);
    if (*number > (UINT64_MAX - digit) / base)
      return false;
    *number = *number * base + digit;
  }
  return rest->at > first;
}

/* The same of at most 32 bits. */
static bool take_number(struct rest *rest, uint64_t *number)
{
  return take_wide_number(rest, number) && *number <= UINT32_MAX;
}

/* A kind of registers, by the names of its members. */
struct bank {
  const char *letters; /* before the number */
  const char *none;    /* the one that holds a constant; NULL: there is none */
  uint32_t first;      /* number of the first one in model/code.h */
  uint32_t count;
};

static const struct bank general = {"R", "RZ", WB_REGISTER_GENERAL,
                                    WB_REGISTER_PREDICATE - WB_REGISTER_GENERAL};
static const struct bank uniform = {"UR", "URZ", WB_REGISTER_UNIFORM,
                                    WB_REGISTER_UNIFORM_PREDICATE - WB_REGISTER_UNIFORM};
static const struct bank predicates = {"P", "PT", WB_REGISTER_PREDICATE,
                                       WB_REGISTER_CONDITION_CODE - WB_REGISTER_PREDICATE};
static const struct bank barriers = {"B", NULL, WB_REGISTER_BARRIER,
                                     WB_REGISTER_COUNT - WB_REGISTER_BARRIER};
static const struct bank uniform_predicates = {"UP", "UPT", WB_REGISTER_UNIFORM_PREDICATE,
                                               WB_REGISTER_BARRIER - WB_REGISTER_UNIFORM_PREDICATE};

/* R4, RZ, UP0, PT. */
static bool take_register(struct rest *rest, const struct bank *bank, uint16_t *number)
{
  uint64_t value;
  *number = WB_NO_REGISTER;
  if (bank->none != NULL && take(rest, bank->none))
    return true;
  if (!take(rest, bank->letters) || !take_number(rest, &value) || value >= bank->count)
    return false;
  *number = (uint16_t)(bank->first + value);
  return true;
}

/* One of two kinds; nothing is taken where it is neither. */
static bool take_either(struct rest *rest, const struct bank *first, const struct bank *second,
                        uint16_t *number)
{
  const struct rest start = *rest;
  if (take_register(rest, first, number))
    return true;
  *rest = start;
  if (take_register(rest, second, number))
    return true;
  *rest = start;
  return false;
}

/* An offset, in two's complement: 0x10, -0x10. */
static bool take_offset(struct rest *rest, uint64_t *offset)
{
  const bool negative = take(rest, "-");
  uint64_t number;
  if (!take_number(rest, &number))
    return false;
  *offset += negative ? 0 - number : (uint64_t)(int64_t)(int32_t)number;
  return true;
}

/* c[0x0][0x140], c[0x0][R2+0x140], c[0x2][UR4]. */
static bool take_constant(struct rest *rest, struct wb_operand *operand)
{
  uint64_t bank;
  if (!take(rest, "c[") || !take_number(rest, &bank) || bank > UINT8_MAX || !take(rest, "]"))
    return false;
  skip_blanks(rest);
  if (!take(rest, "["))
    return false;
  operand->bank = (uint8_t)bank;
  if (take_either(rest, &general, &uniform, &operand->index)) {
    if (take(rest, "]"))
      return true;
    if (!take(rest, "+"))
      return false;
  }
  operand->value = 0;
  if (!take_offset(rest, &operand->value) || !take(rest, "]"))
    return false;
  operand->value = (uint32_t)operand->value;
  return true;
}

/* The words after a register of an address: R2.64, R2.U32, R2.X4. */
static void take_address_suffixes(struct rest *rest, struct wb_operand *operand)
{
  static const struct {
    const char *text;
    uint8_t places;
  } scales[] = {{".X16", 4}, {".X4", 2}, {".X8", 3}};
  size_t before;
  do {
    before = (size_t)(rest->end - rest->at);
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++)
      if (take(rest, scales[s].text))
        operand->scale = scales[s].places;
    operand->wide |= take(rest, ".64");
    operand->narrow |= take(rest, ".U32");
    take(rest, ".reuse");
  } while ((size_t)(rest->end - rest->at) < before);
}

/* [R2], [R2.64+UR4+0x10], [UR4], [R2.X4+-0x10], desc[UR4][R2.64]: what stands in the last brackets.
 */
static bool take_address(struct rest *rest, struct wb_operand *operand)
{
  for (const char *c = rest->at; c < rest->end; c++)
    if (*c == '[')
      rest->at = c + 1;
  uint16_t number;
  operand->value = 0;
  do {
    skip_blanks(rest);
    if (take_either(rest, &general, &uniform, &number)) {
      const bool first_general =
          number < WB_REGISTER_PREDICATE && operand->number == WB_NO_REGISTER;
      if (!first_general && number != WB_NO_REGISTER) {
        if (operand->index != WB_NO_REGISTER)
          return false;
        operand->index = number;
      } else if (first_general) {
        operand->number = number;
      }
      take_address_suffixes(rest, operand);
    } else if (!take_offset(rest, &operand->value)) {
      return false;
    }
    skip_blanks(rest);
  } while (take(rest, "+"));
  return take(rest, "]");
}

/* {5,3}: what DEPBAR waits for. */
static bool take_scoreboards(struct rest *rest, uint64_t *mask)
{
  uint64_t number;
  *mask = 0;
  if (!take(rest, "{"))
    return false;
  do {
    if (!take_number(rest, &number) || number > 31)
      return false;
    *mask |= UINT64_C(1) << number;
  } while (take(rest, ","));
  return take(rest, "}");
}

/* Words that are no registers. */
static enum wb_operand_kind take_word(struct rest *rest, struct wb_operand *operand)
{
  const struct rest start = *rest;
  if (take(rest, "gsb") && take_number(rest, &operand->value))
    return WB_OPERAND_PRODUCTS;
  *rest = start;
  if (take(rest, "SB") && take_number(rest, &operand->value))
    return WB_OPERAND_SCOREBOARD;
  *rest = start;
  operand->value = 0;
  if (take(rest, "CC")) {
    operand->value = rest->at == rest->end ? WB_CONDITION_CC : WB_CONDITION_OTHER;
    rest->at = rest->end;
    return WB_OPERAND_CONDITION;
  }
  if (!take(rest, "SR"))
    return WB_OPERAND_OTHER;
  operand->value = wb_special_register_named(start.at, (size_t)(start.end - start.at));
  rest->at = rest->end;
  return operand->value == WB_SPECIAL_ZERO ? WB_OPERAND_REGISTER : WB_OPERAND_SPECIAL;
}

static enum wb_operand_kind take_kind(struct rest *rest, struct wb_operand *operand)
{
  const struct rest start = *rest;
  const char first = next(rest);
  if (first >= '0' && first <= '9') {
    const bool hexadecimal = rest->end - rest->at > 2 && rest->at[1] == 'x';
    /* Numbers without 0x can be floating-point ones, but for -1. */
    if (take_wide_number(rest, &operand->value) &&
        (hexadecimal || (operand->negated && operand->value == 1)))
      return operand->value <= UINT32_MAX ? WB_OPERAND_NUMBER : WB_OPERAND_WIDE_NUMBER;
    return WB_OPERAND_OTHER;
  }
  if (first == '{')
    return take_scoreboards(rest, &operand->value) ? WB_OPERAND_SCOREBOARDS : WB_OPERAND_OTHER;
  if ((first == 'R' || first == 'U') && take_either(rest, &general, &uniform, &operand->number))
    return WB_OPERAND_REGISTER;
  if ((first == 'P' || first == 'U') &&
      take_either(rest, &predicates, &uniform_predicates, &operand->number))
    return WB_OPERAND_PREDICATE;
  if (first == 'B' && take_register(rest, &barriers, &operand->number))
    return WB_OPERAND_REGISTER;
  *rest = start;
  operand->number = WB_NO_REGISTER;
  if (first == 'c' && take_constant(rest, operand))
    return WB_OPERAND_CONSTANT;
  *rest = start;
  if (memchr(rest->at, '[', (size_t)(rest->end - rest->at)) != NULL)
    return take_address(rest, operand) ? WB_OPERAND_ADDRESS : WB_OPERAND_OTHER;
  return take_word(rest, operand);
}

/* .reuse is a hint for the register file. */
static void take_suffixes(struct rest *rest, struct wb_operand *operand)
{
  static const char *const bytes[] = {".B0", ".B1", ".B2", ".B3"};
  for (size_t b = 0; b < sizeof bytes / sizeof *bytes; b++)
    if (take(rest, bytes[b]))
      operand->part = (uint8_t)b;
  for (;;) {
    const bool lower = take(rest, ".H0");
    const bool upper = !lower && take(rest, ".H1");
    operand->half |= lower || upper;
    operand->upper |= upper;
    const bool carry = take(rest, ".CC");
    operand->carry |= carry;
    if (!lower && !upper && !carry && !take(rest, ".reuse"))
      return;
  }
}

/* More digits than exact texts of floating-point immediates have. */
#define MOST_DIGITS 60

/* Digits, continuing *number; their count. */
static int take_digits(struct rest *rest, double *number)
{
  int count = 0;
  for (; rest->at < rest->end && *rest->at >= '0' && *rest->at <= '9'; rest->at++) {
    *number = *number * 10 + (*rest->at - '0');
    count++;
  }
  return count;
}

/* The number after an e, -99 to 99. */
static bool take_exponent(struct rest *rest, int *exponent)
{
  const bool negative = take(rest, "-");
  double number = 0;
  if (!negative)
    take(rest, "+");
  const int count = take_digits(rest, &number);
  if (count == 0 || count > 2)
    return false;
  *exponent = negative ? -(int)number : (int)number;
  return true;
}

/* A decimal number without its sign. */
static bool take_decimal(struct rest *rest, double *number)
{
  int exponent = 0;
  *number = 0;
  const int whole = take_digits(rest, number);
  const int places = take(rest, ".") ? take_digits(rest, number) : 0;
  if (whole + places == 0 || whole + places > MOST_DIGITS)
    return false;
  if (take(rest, "e") && !take_exponent(rest, &exponent))
    return false;
  for (int i = places - exponent; i < 0; i++)
    *number *= 10;
  for (int i = places - exponent; i > 0; i--)
    *number /= 10;
  return rest->at == rest->end;
}

/* A decimal number: 1.5, -5.9604644775390625e-08. Rounding differs from that of strtod, far less
 * than two numbers of half precision differ. */
static bool take_float(struct rest *rest, uint64_t *bits)
{
  const bool negative = take(rest, "-");
  double number;
  if (!take_decimal(rest, &number))
    return false;
  number = negative ? -number : number;
  memcpy(bits, &number, sizeof number);
  return true;
}

/* Whether a text names constant memory: "c[" or "cx[" at the begin of a word, not "desc[". */
static bool names_constant(const char *text, size_t length)
{
  for (size_t i = 0; i + 1 < length; i++) {
    const bool word = i == 0 || !((text[i - 1] | 0x20) >= 'a' && (text[i - 1] | 0x20) <= 'z');
    const size_t name = text[i] != 'c' ? 0 : text[i + 1] == '[' ? 2 : text[i + 1] == 'x' ? 3 : 0;
    if (word && name > 0 && i + name <= length && text[i + name - 1] == '[')
      return true;
  }
  return false;
}

struct wb_operand wb_operand_parse(const char *text, size_t length)
{
  struct rest rest = {text, text + length};
  struct wb_operand operand = {.number = WB_NO_REGISTER, .index = WB_NO_REGISTER};
  if (take(&rest, "-") || take(&rest, "!"))
    operand.negated = true;
  else
    operand.complemented = take(&rest, "~");
  operand.absolute = take(&rest, "|");
  const enum wb_operand_kind kind = take_kind(&rest, &operand);
  operand.absolute = operand.absolute && take(&rest, "|");
  if (kind == WB_OPERAND_REGISTER || kind == WB_OPERAND_CONSTANT)
    take_suffixes(&rest, &operand);
  else
    take(&rest, ".reuse");
  operand.kind = (uint8_t)(rest.at == rest.end ? kind : WB_OPERAND_OTHER);
  if (operand.kind != WB_OPERAND_CONSTANT && names_constant(text, length))
    operand.kind = WB_OPERAND_CONSTANT_PART;
  const bool number = operand.kind == WB_OPERAND_NUMBER || operand.kind == WB_OPERAND_WIDE_NUMBER;
  const bool minus_zero = number && operand.negated && operand.value == 0;
  if (number && operand.negated) {
    operand.value = 0 - operand.value;
    operand.negated = false;
  }
  if (operand.kind != WB_OPERAND_OTHER && !minus_zero)
    return operand;
  rest.at = text;
  operand = (struct wb_operand){.number = WB_NO_REGISTER, .index = WB_NO_REGISTER};
  if (take_float(&rest, &operand.value))
    operand.kind = WB_OPERAND_FLOAT;
  return operand;
}
