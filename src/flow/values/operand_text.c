#include "flow/values/operand_text.h"

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

/* A number of at most 32 bits, decimal or hexadecimal. */
static bool take_number(struct rest *rest, uint32_t *number)
{
  const int base = take(rest, "0x") ? 16 : 10;
  const char *first = rest->at;
  uint64_t value = 0;
  while (rest->at < rest->end && digit_of(*rest->at) < base && value <= UINT32_MAX)
    value = value * (unsigned)base + (unsigned)digit_of(*rest->at++);
  *number = (uint32_t)value;
  return rest->at > first && value <= UINT32_MAX;
}

/* R4, RZ, P0, PT: the letter's registers begin at `first`, `count` of them. */
static bool take_register(struct rest *rest, char letter, const char *none, uint32_t first,
                          uint32_t count, struct wb_operand *operand)
{
  const char start[2] = {letter, '\0'};
  operand->number = WB_NO_REGISTER;
  if (take(rest, none))
    return true;
  if (!take(rest, start) || !take_number(rest, &operand->number) || operand->number >= count)
    return false;
  operand->number += first;
  return true;
}

static bool take_general(struct rest *rest, struct wb_operand *operand)
{
  return take_register(rest, 'R', "RZ", WB_REGISTER_GENERAL,
                       WB_REGISTER_PREDICATE - WB_REGISTER_GENERAL, operand);
}

/* c[0x0][0x140], c[0x0][R2+0x140], c[0x2][R0]. */
static bool take_constant(struct rest *rest, struct wb_operand *operand)
{
  struct wb_operand index;
  if (!take(rest, "c[") || !take_number(rest, &operand->bank) || !take(rest, "]"))
    return false;
  skip_blanks(rest);
  if (!take(rest, "["))
    return false;
  operand->number = 0;
  if (rest->at < rest->end && *rest->at == 'R') {
    if (!take_general(rest, &index))
      return false;
    operand->index = (uint16_t)index.number;
    if (take(rest, "]"))
      return true;
    if (!take(rest, "+"))
      return false;
  }
  return take_number(rest, &operand->number) && take(rest, "]");
}

static enum wb_operand_kind take_kind(struct rest *rest, struct wb_operand *operand)
{
  const struct rest start = *rest;
  if (take_general(rest, operand))
    return WB_OPERAND_REGISTER;
  *rest = start;
  if (take_register(rest, 'P', "PT", WB_REGISTER_PREDICATE,
                    WB_REGISTER_CONDITION_CODE - WB_REGISTER_PREDICATE, operand))
    return WB_OPERAND_PREDICATE;
  *rest = start;
  if (take_constant(rest, operand))
    return WB_OPERAND_CONSTANT;
  *rest = start;
  if (take_number(rest, &operand->number))
    return WB_OPERAND_NUMBER;
  *rest = start;
  if (!take(rest, "SR_"))
    return WB_OPERAND_OTHER;
  rest->at = rest->end;
  return WB_OPERAND_WORD;
}

/* .reuse is a hint for the register file. */
static void take_suffixes(struct rest *rest, struct wb_operand *operand)
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

static void read_one(const char *text, size_t length, struct wb_operand *operand)
{
  struct rest rest = {text, text + length};
  *operand = (struct wb_operand){.text = text, .length = length, .index = WB_NO_REGISTER};
  if (take(&rest, "-") || take(&rest, "!"))
    operand->negated = true;
  else
    operand->complemented = take(&rest, "~");
  const enum wb_operand_kind kind = take_kind(&rest, operand);
  take_suffixes(&rest, operand);
  operand->kind = rest.at == rest.end ? kind : WB_OPERAND_OTHER;
  if (operand->kind == WB_OPERAND_NUMBER && operand->negated) {
    operand->number = -operand->number;
    operand->negated = false;
  }
}

size_t wb_operands_read(const char *text, struct wb_operand operands[WB_OPERAND_LIMIT])
{
  size_t count = 0;
  struct rest rest = {text, text + strlen(text)};
  for (skip_blanks(&rest); rest.at < rest.end; skip_blanks(&rest)) {
    const char *comma = memchr(rest.at, ',', (size_t)(rest.end - rest.at));
    const char *end = comma != NULL ? comma : rest.end;
    const char *last = end;
    while (last > rest.at && (last[-1] == ' ' || last[-1] == '\t'))
      last--;
    if (count == WB_OPERAND_LIMIT)
      return WB_OPERAND_LIMIT + 1;
    read_one(rest.at, (size_t)(last - rest.at), &operands[count++]);
    rest.at = comma != NULL ? end + 1 : end;
  }
  return count;
}
