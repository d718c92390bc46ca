#include "isa/sass_operand.h"

#include "base/text/ascii.h"
#include "isa/opcode.h"
#include "model/code.h"

#include <string.h>

/* ---- what an operand is ---- */

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

/* Kinds of registers, by the names of their members. */
static const struct bank {
  const char *letters; /* before the number */
  const char *none;    /* the one that holds a constant; NULL: there is none */
  uint16_t first;      /* number of the first one in model/code.h */
  uint16_t count;
  uint16_t none_number; /* the number of `none`, where it is written with one */
  const char *range;
} banks[] = {
    {"R", "RZ", WB_REGISTER_GENERAL, 255, 255, "a register R0 to R254 or RZ"},
    {"P", "PT", WB_REGISTER_PREDICATE, 7, 7, "a predicate P0 to P6 or PT"},
    {"UR", "URZ", WB_REGISTER_UNIFORM, WB_UNIFORM_COUNT, 255, "a register UR0 to UR79 or URZ"},
    {"UP", "UPT", WB_REGISTER_UNIFORM_PREDICATE, 7, 7, "a predicate UP0 to UP6 or UPT"},
    {"B", NULL, WB_REGISTER_BARRIER, 16, 0, "a barrier B0 to B15"},
};

enum { GENERAL, PREDICATES, UNIFORM, UNIFORM_PREDICATES, BARRIERS };

/* R4, RZ, UP0, PT. */
static bool take_register(struct rest *rest, size_t b, uint16_t *number)
{
  const struct bank *bank = &banks[b];
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
static bool take_either(struct rest *rest, size_t first, size_t second, uint16_t *number)
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
  if (take_either(rest, GENERAL, UNIFORM, &operand->index)) {
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
    if (take_either(rest, GENERAL, UNIFORM, &number)) {
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
  const char first = rest->at < rest->end ? *rest->at : '\0';
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
  if ((first == 'R' || first == 'U') && take_either(rest, GENERAL, UNIFORM, &operand->number))
    return WB_OPERAND_REGISTER;
  if ((first == 'P' || first == 'U') &&
      take_either(rest, PREDICATES, UNIFORM_PREDICATES, &operand->number))
    return WB_OPERAND_PREDICATE;
  if (first == 'B' && take_register(rest, BARRIERS, &operand->number))
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

/* A decimal number: 1.5, -5.9604644775390625e-08. Rounding differs from that of strtod, far less
 * than two numbers of half precision differ. */
static bool take_float(struct rest *rest, uint64_t *bits)
{
  const bool negative = !take(rest, "+") && take(rest, "-");
  if (take(rest, "INF") || take(rest, "QNAN") || take(rest, "SNAN")) {
    *bits = (negative ? UINT64_C(0xfff) : UINT64_C(0x7ff)) << 52 | (rest->at[-1] == 'N');
    return rest->at == rest->end;
  }
  double number = 0;
  double exponent = 0;
  const int whole = take_digits(rest, &number);
  int places = take(rest, ".") ? take_digits(rest, &number) : 0;
  if (whole + places == 0 || whole + places > MOST_DIGITS)
    return false;
  if (take(rest, "e")) { /* -999 to 999 follows */
    const bool below = take(rest, "-");
    if (!below)
      take(rest, "+");
    const int count = take_digits(rest, &exponent);
    if (count == 0 || count > 3)
      return false;
    places += below ? (int)exponent : -(int)exponent;
  }
  for (int i = places; i < 0; i++)
    number *= 10;
  for (int i = places; i > 0; i--)
    number /= 10;
  number = negative ? -number : number;
  memcpy(bits, &number, sizeof number);
  return rest->at == rest->end;
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

/* ---- its registers ---- */

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

static bool equal(const char *text, size_t length, const char *other)
{
  return length == strlen(other) && memcmp(text, other, length) == 0;
}

bool wb_sass_register_number(const char *text, size_t length, uint16_t *number, const char **fault)
{
  *fault = NULL;
  *number = WB_NO_REGISTER;
  for (size_t b = 0; b < sizeof banks / sizeof *banks; b++) {
    const struct bank *bank = &banks[b];
    if (bank->none != NULL && equal(text, length, bank->none))
      return true;
    const size_t prefix = strlen(bank->letters);
    if (length <= prefix || memcmp(text, bank->letters, prefix) != 0)
      continue;
    unsigned value = 0;
    size_t i = prefix;
    for (; i < length && wb_is_digit(text[i]); i++)
      value = value > 1000 ? value : value * 10 + (unsigned)(text[i] - '0');
    if (i < length)
      continue;
    if (value < bank->count)
      *number = (uint16_t)(bank->first + value);
    else if (bank->none == NULL || value != bank->none_number)
      *fault = bank->range; /* "7" of "P7" is PT to the machine, and some tools write it so */
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

/* The registers of an address, descriptors and bank indices included. How many hold a part of it
 * says the name before its brackets (gdesc stands for the descriptors of one matrix or, before
 * Blackwell, of two), else the part's suffix, or its bank. */
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
      const char *suffix = after;
      while (after < end && (*after == '.' || is_letter(*after) || wb_is_digit(*after)))
        after++;
      unsigned width = after > suffix ? 1 : 0; /* .U32, .X4, ... */
      if (descriptor > 0 || equal(suffix, (size_t)(after - suffix), ".64"))
        width = descriptor > 0 ? descriptor : 2;
      add_register(operand, number, width);
      if (fault != NULL)
        operand->fault = fault;
    }
    named = 0;
    if (equal(p, length, "gdesc"))
      named = 4;
    else if (equal(p, length, "desc") || equal(p, length, "cx") || equal(p, length, "idesc"))
      named = 2;
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
    for (; end - after >= 3; after++)
      operand->condition_code |=
          memcmp(after, ".CC", 3) == 0 && (end - after == 3 || !is_letter(after[3]));
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

bool wb_sass_last_symbol(const char *operands, const char *before, const char **name,
                         size_t *length)
{
  const char *cursor = operands;
  const size_t front = strlen(before);
  struct wb_sass_operand operand = {0};
  while (wb_sass_next_operand(&cursor, operands + strlen(operands), &operand))
    ;
  if (operand.length <= front + 1 || memcmp(operand.text, before, front) != 0)
    return false;
  *name = operand.text + front;
  *length = operand.length - front - 1;
  for (size_t i = 0; i < *length; i++)
    if (strchr("()+ ", (*name)[i]) != NULL)
      return false;
  return (*name)[*length] == ')';
}
