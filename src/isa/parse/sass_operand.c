#include "isa/parse/sass_operand.h"

#include "base/text/ascii.h"
#include "isa/parse/operand_parser.h"
#include "model/code.h"

#include <string.h>

static bool is_letter(char c)
{
  return wb_is_letter(c) || c == '_';
}

bool wb_sass_integer(const char *text, size_t length, int64_t *value)
{
  size_t i = length > 0 && (text[0] == '-' || text[0] == '+');
  const bool negative = length > 0 && text[0] == '-';
  const bool hexadecimal = length > i + 2 && text[i] == '0' && text[i + 1] == 'x';
  const int base = hexadecimal ? 16 : 10;
  if (hexadecimal)
    i += 2;
  if (i == length)
    return false;
  int64_t magnitude = 0;
  for (; i < length; i++) {
    const int digit = (int)wb_digit_value(text[i]);
    if (digit >= base || magnitude > (INT64_MAX - digit) / base)
      return false;
    magnitude = magnitude * base + digit;
  }
  *value = negative ? -magnitude : magnitude;
  return true;
}

/* The kinds of registers; `constant` names the one that holds a constant. */
static const struct {
  const char *prefix;
  const char *constant;
  uint16_t first;
  uint16_t count;
  const char *range;
} kinds[] = {
    {"R", "RZ", WB_REGISTER_GENERAL, 255, "a register R0 to R254 or RZ"},
    {"P", "PT", WB_REGISTER_PREDICATE, 7, "a predicate P0 to P6 or PT"},
    {"UR", "URZ", WB_REGISTER_UNIFORM, 255, "a register UR0 to UR254 or URZ"},
    {"UP", "UPT", WB_REGISTER_UNIFORM_PREDICATE, 7, "a predicate UP0 to UP6 or UPT"},
    {"B", NULL, WB_REGISTER_BARRIER, 16, "a barrier B0 to B15"},
};

static bool equal(const char *text, size_t length, const char *other)
{
  return length == strlen(other) && memcmp(text, other, length) == 0;
}

/* "7" of "P7" is PT to the machine, and some tools write it so. */
static uint16_t numbered(size_t kind, unsigned number, const char **fault)
{
  if (number < kinds[kind].count)
    return (uint16_t)(kinds[kind].first + number);
  if (kinds[kind].constant == NULL || number != kinds[kind].count)
    *fault = kinds[kind].range;
  return WB_NO_REGISTER;
}

bool wb_sass_register_number(const char *text, size_t length, uint16_t *number, const char **fault)
{
  *fault = NULL;
  *number = WB_NO_REGISTER;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    if (kinds[k].constant != NULL && equal(text, length, kinds[k].constant))
      return true;
    const size_t prefix = strlen(kinds[k].prefix);
    if (length <= prefix || memcmp(text, kinds[k].prefix, prefix) != 0)
      continue;
    unsigned value = 0;
    size_t i = prefix;
    for (; i < length && wb_is_digit(text[i]); i++)
      value = value > 1000 ? value : value * 10 + (unsigned)(text[i] - '0');
    if (i < length)
      continue;
    *number = numbered(k, value, fault);
    return true;
  }
  return false;
}

/* Where the identifier that begins at text ends. */
static const char *identifier_end(const char *text, const char *end)
{
  while (text < end && (is_letter(*text) || wb_is_digit(*text)))
    text++;
  return text;
}

static void add_register(struct wb_sass_operand *operand, uint16_t number, unsigned width)
{
  if (operand->register_count == WB_SASS_OPERAND_REGISTERS) {
    operand->fault = "an operand of at most four registers";
    return;
  }
  operand->registers[operand->register_count++] = (struct wb_sass_register){number, (uint8_t)width};
}

/* Where the words after a register's dots end. */
static const char *suffix_end(const char *text, const char *end)
{
  while (text < end && (*text == '.' || is_letter(*text) || wb_is_digit(*text)))
    text++;
  return text;
}

/* How many registers the brackets after a name have; 0 for a name without a say. gdesc stands for
 * the descriptors of one matrix or, before Blackwell, of two. */
static unsigned descriptor_width(const char *name, size_t length)
{
  if (equal(name, length, "gdesc"))
    return 4;
  return equal(name, length, "desc") || equal(name, length, "cx") || equal(name, length, "idesc")
             ? 2
             : 0;
}

/* How many registers hold a part of an address: `descriptor` where it is one, else what its suffix
 * says, or its bank. */
static unsigned part_width(const char *suffix, size_t length, unsigned descriptor)
{
  if (descriptor > 0)
    return descriptor;
  if (equal(suffix, length, ".64"))
    return 2;
  return length > 0 ? 1 : 0; /* .U32, .X4, ... */
}

/* The registers of an address, descriptors and bank indices included. */
static void read_memory(struct wb_sass_operand *operand)
{
  const char *end = operand->text + operand->length;
  unsigned descriptor = 0; /* registers in the brackets of desc, cx or the like */
  unsigned named = 0;      /* the same, where the last identifier was such a name */
  operand->kind = WB_SASS_MEMORY;
  for (const char *p = operand->text; p < end;) {
    if (!is_letter(*p)) {
      if (*p == '[')
        descriptor = named;
      named = wb_is_blank(*p) ? named : 0;
      p = wb_is_digit(*p) ? identifier_end(p, end) : p + 1;
      continue;
    }
    const char *after = identifier_end(p, end);
    const size_t length = (size_t)(after - p);
    uint16_t number;
    const char *fault;
    if (wb_sass_register_number(p, length, &number, &fault)) {
      const char *suffix = suffix_end(after, end);
      add_register(operand, number, part_width(after, (size_t)(suffix - after), descriptor));
      if (fault != NULL)
        operand->fault = fault;
      after = suffix;
    }
    named = descriptor_width(p, length);
    p = after;
  }
}

/* `(name), 32@lo(name), fun@fdesc(name): what stands in the innermost parentheses. */
static bool read_symbol(struct wb_sass_operand *operand)
{
  const char *end = operand->text + operand->length;
  const char *open = NULL;
  for (const char *p = operand->text; p < end && *p != ')'; p++)
    if (*p == '(' && (open == NULL || p == open + 1))
      open = p;
  if (open == NULL)
    return false;
  const char *close = end;
  while (close > open + 1 && close[-1] == ')')
    close--;
  operand->kind = WB_SASS_SYMBOL;
  operand->symbol = open + 1;
  operand->symbol_length = (size_t)(close - operand->symbol);
  return true;
}

/* Whether ".CC" is among the words of a register's suffix. */
static bool writes_condition_code(const char *suffix, const char *end)
{
  for (const char *p = suffix; end - p >= 3; p++)
    if (memcmp(p, ".CC", 3) == 0 && (end - p == 3 || !is_letter(p[3])))
      return true;
  return false;
}

/* An identifier: a register, a set of them, or a word. */
static void read_identifier(struct wb_sass_operand *operand, const char *text)
{
  const char *end = operand->text + operand->length;
  const char *after = identifier_end(text, end);
  const size_t length = (size_t)(after - text);
  uint16_t number;
  operand->kind = WB_SASS_WORD;
  if (after < end && *after != '.' && *after != '|')
    return;
  if (equal(text, length, "CC")) {
    operand->kind = WB_SASS_CONDITION;
  } else if (equal(text, length, "PR") || equal(text, length, "UPR")) {
    operand->kind = WB_SASS_PREDICATES;
    add_register(operand, text[0] == 'U' ? WB_REGISTER_UNIFORM_PREDICATE : WB_REGISTER_PREDICATE,
                 0);
  } else if (wb_sass_register_number(text, length, &number, &operand->fault)) {
    operand->kind = text[0] == 'P' || text[1] == 'P' ? WB_SASS_PREDICATE : WB_SASS_REGISTER;
    operand->condition_code = writes_condition_code(after, end);
    add_register(operand, number, 0);
  }
}

/* What is told by the operand's meaning alone: most operands are. */
static bool take_meaning(struct wb_sass_operand *operand)
{
  const struct wb_operand *meaning = &operand->meaning;
  switch (meaning->kind) {
  case WB_OPERAND_REGISTER:
    if (operand->text[0] == 'S') /* SRZ */
      return false;
    operand->kind = WB_SASS_REGISTER;
    operand->condition_code = meaning->carry;
    add_register(operand, meaning->number, 0);
    return true;
  case WB_OPERAND_PREDICATE:
    operand->kind = WB_SASS_PREDICATE;
    add_register(operand, meaning->number, 0);
    return true;
  case WB_OPERAND_NUMBER:
    operand->kind = WB_SASS_NUMBER;
    operand->integer = true;
    operand->value = (int64_t)meaning->value;
    return true;
  case WB_OPERAND_CONSTANT:
    operand->kind = WB_SASS_MEMORY;
    return meaning->index == WB_NO_REGISTER;
  default:
    return false;
  }
}

static void read_operand(struct wb_sass_operand *operand)
{
  const char *p = operand->text;
  const char *end = p + operand->length;
  while (p < end && (*p == '-' || *p == '~' || *p == '!' || *p == '|' || *p == '+')) {
    operand->negated |= *p == '!';
    p++;
  }
  if (take_meaning(operand))
    return;
  operand->kind = WB_SASS_WORD;
  if (memchr(operand->text, '(', operand->length) != NULL && read_symbol(operand))
    return;
  if (memchr(operand->text, '[', operand->length) != NULL) {
    read_memory(operand);
  } else if (p < end && wb_is_digit(*p)) {
    operand->integer = wb_sass_integer(operand->text, operand->length, &operand->value);
    const bool hexadecimal = end - p > 2 && p[0] == '0' && p[1] == 'x';
    operand->kind = hexadecimal || !is_letter(end[-1]) ? WB_SASS_NUMBER : WB_SASS_WORD;
  } else if (p < end && is_letter(*p)) {
    read_identifier(operand, p);
  }
}

/* Whether the blank at p ends an operand: nothing of it follows. */
static bool ends_operand(const char *p, const char *end)
{
  while (p < end && wb_is_blank(*p))
    p++;
  return p < end && *p != '[' && *p != ',';
}

bool wb_sass_next_operand(const char **cursor, const char *end, struct wb_sass_operand *operand)
{
  const char *p = *cursor;
  while (p < end && wb_is_blank(*p))
    p++;
  if (p == end)
    return false;
  const char *start = p;
  unsigned depth = 0;
  bool in_blanks = false;
  while (p < end &&
         (depth > 0 || (*p != ',' && !(wb_is_blank(*p) && !in_blanks && ends_operand(p, end))))) {
    if (*p == '[' || *p == '(' || *p == '{')
      depth++;
    else if ((*p == ']' || *p == ')' || *p == '}') && depth > 0)
      depth--;
    in_blanks = wb_is_blank(*p);
    p++;
  }
  const char *after = p;
  while (p > start && wb_is_blank(p[-1]))
    p--;
  *operand = (struct wb_sass_operand){.text = start, .length = (size_t)(p - start)};
  *cursor = after < end && *after == ',' ? after + 1 : after;
  operand->meaning = wb_operand_parse(start, operand->length);
  read_operand(operand);
  return true;
}
