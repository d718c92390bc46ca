#include "flow/transfer/operand_text.h"

#include "model/code.h"

#include <string.h>

/* The rest of an operand that is not read yet. */
struct rest {
  const char *at;
  const char *end;
};

static bool take(struct rest *rest, const char *text)
{
  const size_t length = strlen(text);
  if ((size_t)(rest->end - rest->at) < length || memcmp(rest->at, text, length) != 0)
    return false;
  rest->at += length;
  return true;
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
static bool take_number(struct rest *rest, uint32_t *number)
{
  uint64_t value;
  const bool ok = take_wide_number(rest, &value) && value <= UINT32_MAX;
  *number = ok ? (uint32_t)value : 0;
  return ok;
}

/* A kind of registers, by the names of its members. */
struct bank {
  const char *letters; /* before the number */
  const char *none;    /* the one that holds a constant */
  uint32_t first;      /* number of the first one in model/code.h */
  uint32_t count;
};

static const struct bank general = {"R", "RZ", WB_REGISTER_GENERAL,
                                    WB_REGISTER_PREDICATE - WB_REGISTER_GENERAL};
static const struct bank uniform = {"UR", "URZ", WB_REGISTER_UNIFORM,
                                    WB_REGISTER_UNIFORM_PREDICATE - WB_REGISTER_UNIFORM};
static const struct bank predicates = {"P", "PT", WB_REGISTER_PREDICATE,
                                       WB_REGISTER_CONDITION_CODE - WB_REGISTER_PREDICATE};
static const struct bank uniform_predicates = {"UP", "UPT", WB_REGISTER_UNIFORM_PREDICATE,
                                               WB_REGISTER_BARRIER - WB_REGISTER_UNIFORM_PREDICATE};

/* R4, RZ, UP0, PT. */
static bool take_register(struct rest *rest, const struct bank *bank, uint32_t *number)
{
  *number = WB_NO_REGISTER;
  if (take(rest, bank->none))
    return true;
  if (!take(rest, bank->letters) || !take_number(rest, number) || *number >= bank->count)
    return false;
  *number += bank->first;
  return true;
}

/* One of two kinds; nothing is taken where it is neither. */
static bool take_either(struct rest *rest, const struct bank *first, const struct bank *second,
                        uint32_t *number)
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

/* c[0x0][0x140], c[0x0][R2+0x140], c[0x2][UR4]. */
static bool take_constant(struct rest *rest, struct wb_text_operand *operand)
{
  uint32_t index;
  if (!take(rest, "c[") || !take_number(rest, &operand->bank) || !take(rest, "]"))
    return false;
  skip_blanks(rest);
  if (!take(rest, "["))
    return false;
  operand->number = 0;
  if (take_either(rest, &general, &uniform, &index)) {
    operand->index = (uint16_t)index;
    if (take(rest, "]"))
      return true;
    if (!take(rest, "+"))
      return false;
  }
  return take_number(rest, &operand->number) && take(rest, "]");
}

static enum wb_text_operand_kind take_kind(struct rest *rest, struct wb_text_operand *operand)
{
  const struct rest start = *rest;
  if (take_either(rest, &general, &uniform, &operand->number))
    return WB_TEXT_REGISTER;
  if (take_either(rest, &predicates, &uniform_predicates, &operand->number))
    return WB_TEXT_PREDICATE;
  if (take_constant(rest, operand))
    return WB_TEXT_CONSTANT;
  *rest = start;
  if (take_wide_number(rest, &operand->wide)) {
    operand->number = (uint32_t)operand->wide;
    return operand->wide <= UINT32_MAX ? WB_TEXT_NUMBER : WB_TEXT_WIDE_NUMBER;
  }
  *rest = start;
  operand->number = WB_NO_REGISTER;
  if (take(rest, "SRZ")) /* a special register that is 0 */
    return WB_TEXT_REGISTER;
  if (!take(rest, "SR_"))
    return WB_TEXT_OTHER;
  rest->at = rest->end;
  return WB_TEXT_WORD;
}

/* .reuse is a hint for the register file. */
static void take_suffixes(struct rest *rest, struct wb_text_operand *operand)
{
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

static void read_one(const char *text, size_t length, struct wb_text_operand *operand)
{
  struct rest rest = {text, text + length};
  *operand = (struct wb_text_operand){.text = text, .length = length, .index = WB_NO_REGISTER};
  if (take(&rest, "-") || take(&rest, "!"))
    operand->negated = true;
  else
    operand->complemented = take(&rest, "~");
  const enum wb_text_operand_kind kind = take_kind(&rest, operand);
  take_suffixes(&rest, operand);
  operand->kind = rest.at == rest.end ? kind : WB_TEXT_OTHER;
  const bool number = operand->kind == WB_TEXT_NUMBER || operand->kind == WB_TEXT_WIDE_NUMBER;
  if (number && operand->negated) {
    operand->number = -operand->number;
    operand->wide = 0 - operand->wide;
    operand->negated = false;
  }
}

size_t wb_operands_read(const char *text, struct wb_text_operand operands[WB_TEXT_LIMIT])
{
  size_t count = 0;
  struct rest rest = {text, text + strlen(text)};
  for (skip_blanks(&rest); rest.at < rest.end; skip_blanks(&rest)) {
    const char *comma = memchr(rest.at, ',', (size_t)(rest.end - rest.at));
    const char *end = comma != NULL ? comma : rest.end;
    const char *last = end;
    while (last > rest.at && (last[-1] == ' ' || last[-1] == '\t'))
      last--;
    if (count == WB_TEXT_LIMIT)
      return WB_TEXT_LIMIT + 1;
    read_one(rest.at, (size_t)(last - rest.at), &operands[count++]);
    rest.at = comma != NULL ? end + 1 : end;
  }
  return count;
}
