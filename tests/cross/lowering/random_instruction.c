#include "random_instruction.h"

#include "rows.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Lists of random_instruction.txt, which says what their rows mean. */
static const char source[] = "cross/lowering/random_instruction.txt";
static struct row_list maxwell, volta, both;

/* ---- drawing ---- */

struct maker {
  struct wb_random *random;
  bool uniform; /* its registers and predicates */
  char *to;
  char *end;
};

static unsigned below(struct maker *maker, unsigned bound)
{
  return (unsigned)wb_random_below(maker->random, bound);
}

uint32_t random_instruction_number(struct wb_random *random)
{
  static const uint32_t ends[] = {0, 1, UINT32_MAX, INT32_MAX, UINT32_C(0x80000000), 0xffff};
  const uint64_t kind = wb_random_below(random, 4);
  if (kind == 0)
    return ends[wb_random_below(random, sizeof ends / sizeof *ends)];
  if (kind == 1)
    return (uint32_t)wb_random_next(random);
  return (uint32_t)wb_random_below(random, 72) - (kind == 2 ? 10 : 0);
}

static void put(struct maker *maker, const char *format, unsigned number)
{
  const int length = snprintf(maker->to, (size_t)(maker->end - maker->to), format, number);
  assert(length >= 0 && length < maker->end - maker->to);
  maker->to += length;
}

static void put_register(struct maker *maker, bool uniform, bool pair, bool read)
{
  if (read && below(maker, 12) == 0)
    put(maker, uniform ? "URZ" : "RZ", 0);
  else
    put(maker, uniform ? "UR%u" : "R%u", below(maker, 8) & (pair ? ~1U : ~0U));
}

static void put_number(struct maker *maker)
{
  const uint32_t number = random_instruction_number(maker->random);
  if (number > INT32_MAX && number != UINT32_C(0x80000000))
    put(maker, "-0x%x", 0 - number);
  else
    put(maker, "0x%x", number);
}

static void put_constant(struct maker *maker)
{
  if (below(maker, 4) == 0)
    put(maker, "c[0x3][R%u+0x8]", below(maker, 8));
  else
    put(maker, "c[0x0][0x%x]", 4 * below(maker, 100));
}

static void put_any(struct maker *maker)
{
  switch (below(maker, 4)) {
  case 0:
    put_number(maker);
    break;
  case 1:
    put_constant(maker);
    break;
  default:
    put_register(maker, maker->uniform, false, true);
  }
}

/* A predicate that is written: one of 0 to 2, or of `first` on. */
static void put_output(struct maker *maker, unsigned first)
{
  if (below(maker, 8) == 0)
    put(maker, maker->uniform ? "UPT" : "PT", 0);
  else
    put(maker, maker->uniform ? "UP%u" : "P%u", first + below(maker, 3));
}

static void put_predicate(struct maker *maker)
{
  if (below(maker, 4) == 0)
    put(maker, "!", 0);
  if (below(maker, 8) == 0)
    put(maker, maker->uniform ? "UPT" : "PT", 0);
  else
    put(maker, maker->uniform ? "UP%u" : "P%u", below(maker, 7));
}

/* A register or constant with a sign, or a number. */
static void put_signed(struct maker *maker, const char *sign, bool any)
{
  const bool number = any && below(maker, 4) == 0;
  if (number) {
    put_number(maker);
    return;
  }
  if (below(maker, 3) == 0)
    put(maker, sign, 0);
  if (any && below(maker, 4) == 0)
    put_constant(maker);
  else
    put_register(maker, maker->uniform, false, true);
}

/* Numbers of some use; false for a letter that is none of them. */
static bool put_immediate(struct maker *maker, char kind)
{
  static const unsigned masks[] = {0x7f, 0x1, 0x3, 0x12, 0x40, 0x55};
  static const unsigned fields[] = {0x800,  0x808,  0x1f01, 0x2000, 0x101, 0x0,
                                    0x1010, 0x2010, 0x51f,  0x320,  0x817};
  static const unsigned digits[] = {0x3210, 0x7610, 0x7710, 0x7770, 0x9910, 0x8880, 0xbb32};
  static const struct {
    char kind;
    unsigned count;          /* of the numbers, or 0 to count - 1 */
    const unsigned *numbers; /* NULL: all of them */
  } rows[] = {{'i', 32, NULL},
              {'k', 64, NULL},
              {'q', 0x10000, NULL},
              {'t', 256, NULL},
              {'f', sizeof fields / sizeof *fields, fields},
              {'m', sizeof masks / sizeof *masks, masks},
              {'e', sizeof digits / sizeof *digits, digits}};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    if (rows[r].kind != kind)
      continue;
    const unsigned drawn = below(maker, rows[r].count);
    put(maker, "0x%x", rows[r].numbers != NULL ? rows[r].numbers[drawn] : drawn);
    return true;
  }
  return false;
}

static void put_operand(struct maker *maker, char kind)
{
  if (put_immediate(maker, kind))
    return;
  switch (kind) {
  case 'd':
    put_register(maker, maker->uniform, false, below(maker, 4) == 0);
    break;
  case 'D':
    put_register(maker, maker->uniform, true, false);
    break;
  case 'r':
    put_register(maker, maker->uniform, false, true);
    break;
  case 'u':
    put(maker, "UR%u", 4 * below(maker, 2));
    break;
  case 's':
  case 'a':
    put_signed(maker, "-", kind == 'a');
    break;
  case 'x':
    put_signed(maker, "~", !maker->uniform);
    break;
  case 'p':
    put_register(maker, maker->uniform, true, true);
    break;
  case 'b':
    put_any(maker);
    break;
  case 'w':
    if (below(maker, 2) == 0)
      put_number(maker);
    else
      put_register(maker, maker->uniform, true, true);
    break;
  case 'c':
    put_constant(maker);
    break;
  case 'n':
    put_number(maker);
    break;
  case 'P':
    put_predicate(maker);
    break;
  default:
    put_output(maker, kind == 'E' ? 3 : 0);
  }
}

/* The end of a choice in braces: its | or }, of this level. */
static const char *end_of_choice(const char *at)
{
  for (int depth = 0; depth > 0 || (*at != '|' && *at != '}'); at++)
    depth += (*at == '{') - (*at == '}');
  return at;
}

static const char *put_choice(struct maker *maker, const char *at);

/* What stands before `end`, which may be the text's. */
static void put_text(struct maker *maker, const char *at, const char *end)
{
  while (at < end) {
    if (*at == '{') {
      at = put_choice(maker, at + 1);
    } else if (*at == '%') {
      put_operand(maker, at[1]);
      at += 2;
    } else {
      put(maker, "%c", (unsigned char)*at++);
    }
  }
}

/* One of the alternatives; returns the place after the closing brace. */
static const char *put_choice(struct maker *maker, const char *at)
{
  const char *chosen = at;
  unsigned count = 1;
  for (const char *end = end_of_choice(at); *end == '|'; end = end_of_choice(end + 1))
    if (below(maker, ++count) == 0)
      chosen = end + 1;
  const char *end = end_of_choice(chosen);
  put_text(maker, chosen, end);
  while (*end == '|')
    end = end_of_choice(end + 1);
  return end + 1;
}

struct random_instruction random_instruction_make(struct wb_random *random, bool of_volta)
{
  struct random_instruction made = {"", ""};
  char text[224];
  struct row_list *own = of_volta ? &volta : &maxwell;
  struct maker maker = {random, false, text, text + sizeof text};
  row_list_read(source, of_volta ? "volta" : "maxwell", own);
  row_list_read(source, "both", &both);
  const size_t drawn = wb_random_below(random, own->count + both.count);
  const char *template = drawn < own->count ? own->rows[drawn] : both.rows[drawn - own->count];
  if (template[0] == '{' && template[2] == 'U') { /* {|U} */
    maker.uniform = wb_random_below(random, 2) == 0;
    template += strlen("{|U}");
    if (maker.uniform)
      put(&maker, "U", 0);
  } else {
    maker.uniform = template[0] == 'U' || strncmp(template, "CS2UR", 5) == 0;
  }
  put_text(&maker, template, template + strlen(template));
  const size_t opcode = strcspn(text, " ");
  memcpy(made.opcode, text, opcode);
  made.opcode[opcode] = '\0';
  memcpy(made.operands, text + opcode + 1, strlen(text + opcode + 1) + 1);
  return made;
}
