#include "isa/sass_facts.h"

#include "base/text/ascii.h"
#include "isa/sass_opcodes.h"

#include <string.h>

/* Most uniform registers of which an instruction is named only the first. */
#define DESCRIPTION 16

/* A letter of a row's operands, with its width. */
struct letter {
  char role;
  char width; /* '\0' for none, a digit, or a letter */
  unsigned bits;
  bool star;
};

/* Laying a row over operands: operands[next] is the first that no letter has taken. */
struct fitting {
  struct wb_sass_facts *facts;
  const struct wb_sass_opcode *row;
  enum wb_sass_family family;
  const char *opcode;
  size_t opcode_length;
  const struct wb_sass_operand *operands;
  size_t count;
  size_t next;
};

/* P0 to P6, or UP0 to UP6: what PR stands for. */
#define PREDICATES 7

/* Registers of each kind, so that no pair runs over the end of its kind. */
static const struct wb_register_span kinds[] = {
    {WB_REGISTER_GENERAL, WB_REGISTER_PREDICATE - WB_REGISTER_GENERAL},
    {WB_REGISTER_PREDICATE, WB_REGISTER_CONDITION_CODE - WB_REGISTER_PREDICATE},
    {WB_REGISTER_CONDITION_CODE, 1},
    {WB_REGISTER_UNIFORM, WB_REGISTER_UNIFORM_PREDICATE - WB_REGISTER_UNIFORM},
    {WB_REGISTER_UNIFORM_PREDICATE, WB_REGISTER_BARRIER - WB_REGISTER_UNIFORM_PREDICATE},
    {WB_REGISTER_BARRIER, WB_REGISTER_COUNT - WB_REGISTER_BARRIER},
};
#define KIND_COUNT (sizeof kinds / sizeof *kinds)

static struct wb_register_span span_of(unsigned number, unsigned count)
{
  size_t k = 0;
  while (number >= (unsigned)kinds[k].first + kinds[k].count)
    k++;
  const unsigned left = (unsigned)kinds[k].first + kinds[k].count - number;
  return (struct wb_register_span){(uint16_t)number, (uint16_t)(count < left ? count : left)};
}

static bool is_scalar(unsigned number)
{
  return number >= WB_REGISTER_PREDICATE &&
         (number < WB_REGISTER_UNIFORM || number >= WB_REGISTER_UNIFORM_PREDICATE);
}

void wb_sass_facts_read(struct wb_sass_facts *facts, unsigned number, unsigned count)
{
  if (number != WB_NO_REGISTER && count > 0 && facts->read_count < WB_SASS_MOST_SPANS)
    facts->reads[facts->read_count++] = span_of(number, count);
}

void wb_sass_facts_write(struct wb_sass_facts *facts, unsigned number, unsigned count)
{
  if (number != WB_NO_REGISTER && count > 0 && facts->write_count < WB_SASS_MOST_SPANS)
    facts->writes[facts->write_count++] = span_of(number, count);
}

/* No facts: the lists of spans are filled as far as they are counted. */
static void forget(struct wb_sass_facts *facts, enum wb_agreement_rule agreement)
{
  facts->read_count = 0;
  facts->write_count = 0;
  facts->destination = NULL;
  facts->agreement = agreement;
  facts->conditional_code = false;
  facts->second_predicate = false;
  facts->uniform = false;
  facts->never = false;
}

void wb_sass_facts_everything(struct wb_sass_facts *facts)
{
  forget(facts, WB_AGREES_NEVER);
  for (size_t k = 0; k < KIND_COUNT; k++) {
    facts->reads[facts->read_count++] = kinds[k];
    facts->writes[facts->write_count++] = kinds[k];
  }
}

/* Of eight registers from R32 on a function keeps the last four, up to R252: nothing is known of
 * those after it. */
#define CALL_PERIOD 8
#define CALL_WRITES 4
#define LAST_KEPT 252

void wb_sass_facts_call(struct wb_sass_facts *facts, enum wb_sass_family family)
{
  static const struct wb_register_span written[] = {
      {WB_REGISTER_GENERAL, 1},
      {WB_REGISTER_GENERAL + 3, 13},
      {WB_REGISTER_PREDICATE, WB_REGISTER_CONDITION_CODE - WB_REGISTER_PREDICATE},
      {WB_REGISTER_CONDITION_CODE, 1},
      {WB_REGISTER_UNIFORM, WB_REGISTER_UNIFORM_PREDICATE - WB_REGISTER_UNIFORM},
      {WB_REGISTER_UNIFORM_PREDICATE, WB_REGISTER_BARRIER - WB_REGISTER_UNIFORM_PREDICATE},
  };
  wb_sass_facts_everything(facts);
  if (family == WB_SASS_64)
    return;
  facts->write_count = sizeof written / sizeof *written;
  memcpy(facts->writes, written, sizeof written);
  for (unsigned r = WB_REGISTER_GENERAL + 32; r < WB_REGISTER_PREDICATE; r += CALL_PERIOD)
    wb_sass_facts_write(facts, r, CALL_WRITES);
  wb_sass_facts_write(facts, WB_REGISTER_GENERAL + LAST_KEPT + 1, WB_REGISTER_PREDICATE);
}

/* The next letter of a row's operands; false at their end. */
static bool next_letter(const char **shape, struct letter *letter)
{
  const char *p = *shape;
  while (*p == ' ')
    p++;
  if (*p == '\0')
    return false;
  *letter = (struct letter){.role = *p++};
  if (*p != ' ' && *p != '\0' && *p != '*')
    letter->width = *p++;
  for (; wb_is_capital(letter->width) && wb_is_digit(*p); p++)
    letter->bits = letter->bits * 10 + (unsigned)(*p - '0');
  letter->star = *p == '*';
  *shape = letter->star ? p + 1 : p;
  return true;
}

/* How many components a texture instruction returns: the mask is its last operand, 0xf or
 * RGBA, which later disassemblers leave out where it is all four; 0 where it is not understood. */
static unsigned components(const struct fitting *fitting)
{
  const struct wb_sass_operand *last = &fitting->operands[fitting->count - 1];
  unsigned count = 0;
  if (last->kind == WB_SASS_NUMBER && last->integer) {
    for (unsigned bit = 0; bit < 4; bit++)
      count += ((unsigned)last->value >> bit) & 1U;
    return count;
  }
  if (fitting->family == WB_SASS_128 && last->kind == WB_SASS_WORD &&
      wb_sass_coordinates(last->text, last->length) > 0)
    return 4;
  for (size_t i = 0; i < last->length; i++)
    if (last->text[i] != 'R' && last->text[i] != 'G' && last->text[i] != 'B' &&
        last->text[i] != 'A')
      return 0;
  return last->length <= 4 ? (unsigned)last->length : 0;
}

/* A letter's width in registers; *known is false where the opcode does not say it. */
static unsigned width_of(const struct fitting *fitting, const struct letter *letter, bool *known)
{
  const char *opcode = fitting->opcode;
  const size_t length = fitting->opcode_length;
  unsigned count = 1;
  switch (letter->width) {
  case '\0':
    return 1;
  case 'm':
    return wb_sass_memory_width(opcode, length);
  case 'n':
    return wb_sass_matrix_count(opcode, length);
  case 'v':
    count = wb_sass_coordinates(opcode, length);
    for (size_t i = fitting->next; i < fitting->count && count == 0; i++)
      count = wb_sass_coordinates(fitting->operands[i].text, fitting->operands[i].length);
    return count > 0 ? count : 4;
  case 't':
  case 'x':
  case 'y':
    count = components(fitting);
    *known = *known && count > 0;
    if (letter->width == 'x')
      return count > 2 ? count - 2 : 0;
    return letter->width == 'y' && count > 2 ? 2 : count;
  case 'z':
    count = wb_sass_tensor_memory_width(opcode, length);
    *known = *known && count > 0;
    return count;
  case 'A':
  case 'B':
  case 'D':
    count = wb_sass_fragment(opcode, length, letter->width, letter->bits);
    *known = *known && count > 0;
    return count;
  default:
    return (unsigned)(letter->width - '0');
  }
}

/* Reads what is in an operand: `width` registers of a register or an address of which the
 * text does not say it. */
static void read_operand(struct wb_sass_facts *facts, const struct wb_sass_operand *operand,
                         unsigned width)
{
  if (operand->kind == WB_SASS_CONDITION)
    wb_sass_facts_read(facts, WB_REGISTER_CONDITION_CODE, 1);
  if (operand->kind == WB_SASS_PREDICATES)
    width = 7;
  for (size_t r = 0; r < operand->register_count; r++) {
    const struct wb_sass_register *part = &operand->registers[r];
    const unsigned count = part->width > 0 ? part->width : width;
    const bool one = is_scalar(part->number) && operand->kind != WB_SASS_PREDICATES;
    wb_sass_facts_read(facts, part->number, one ? 1 : count);
  }
}

static void write_register(struct wb_sass_facts *facts, const struct wb_sass_operand *operand,
                           unsigned width)
{
  const uint16_t number = operand->registers[0].number;
  wb_sass_facts_write(facts, number, is_scalar(number) ? 1 : width);
  if (operand->condition_code)
    wb_sass_facts_write(facts, WB_REGISTER_CONDITION_CODE, 1);
}

/* Whether a mask, the last operand, selects predicate p of PR; where it is no number, all. */
static bool selects(const struct fitting *fitting, unsigned p)
{
  const struct wb_sass_operand *last = &fitting->operands[fitting->count - 1];
  const bool masked = last->kind == WB_SASS_NUMBER && last->integer;
  return !masked || ((uint64_t)last->value >> p & 1U) != 0;
}

/* PR that is read: all predicates, or those of a mask of no more bits. */
static void read_selected(const struct fitting *fitting, unsigned first)
{
  const struct wb_sass_operand *last = &fitting->operands[fitting->count - 1];
  const bool within = last->kind == WB_SASS_NUMBER && (uint64_t)last->value >> PREDICATES == 0;
  for (unsigned p = 0; p < PREDICATES; p++)
    if (!within || selects(fitting, p))
      wb_sass_facts_read(fitting->facts, first + p, 1);
}

/* PR with a mask: the last operand, where it is a number; else all of them may be written,
 * and are then read too. CC is one register here: a mask may write a part of it. */
static bool write_predicates(struct fitting *fitting, const struct wb_sass_operand *operand)
{
  const struct wb_sass_operand *last = &fitting->operands[fitting->count - 1];
  if (operand->kind == WB_SASS_CONDITION) {
    wb_sass_facts_write(fitting->facts, WB_REGISTER_CONDITION_CODE, 1);
    wb_sass_facts_read(fitting->facts, WB_REGISTER_CONDITION_CODE, 1);
    return true;
  }
  if (operand->kind != WB_SASS_PREDICATES)
    return false;
  const bool masked = last->kind == WB_SASS_NUMBER && last->integer;
  for (unsigned p = 0; p < PREDICATES; p++) {
    if (!selects(fitting, p))
      continue;
    wb_sass_facts_write(fitting->facts, operand->registers[0].number + p, 1);
    if (!masked)
      wb_sass_facts_read(fitting->facts, operand->registers[0].number + p, 1);
  }
  return true;
}

/* A predicate or condition that a transfer tests besides its guard. False where what it tests is in
 * no register. */
static bool read_condition(struct wb_sass_facts *facts, const struct wb_sass_operand *operand)
{
  const bool constant =
      operand->kind == WB_SASS_PREDICATE && operand->registers[0].number == WB_NO_REGISTER;
  if (operand->kind == WB_SASS_CONDITION) {
    const bool always = operand->length == 4 && memcmp(operand->text, "CC.T", 4) == 0;
    facts->never |= operand->length == 4 && memcmp(operand->text, "CC.F", 4) == 0;
    facts->conditional_code = !always && !facts->never;
    if (facts->conditional_code)
      wb_sass_facts_read(facts, WB_REGISTER_CONDITION_CODE, 1);
    return !wb_sass_tests_shader_state(operand->text, operand->length);
  }
  facts->never |= constant && operand->negated;
  facts->second_predicate |= !constant;
  read_operand(facts, operand, 1);
  return true;
}

/* Where an instruction goes: a register holds an address, of 64 bits from Volta on. */
static bool read_destination(struct fitting *fitting, const struct wb_sass_operand *operand)
{
  if (operand->kind == WB_SASS_REGISTER || operand->kind == WB_SASS_MEMORY)
    read_operand(fitting->facts, operand, fitting->family == WB_SASS_128 ? 2 : 1);
  else
    fitting->facts->destination = operand;
  return operand->kind != WB_SASS_PREDICATE && operand->kind != WB_SASS_CONDITION;
}

static bool can_be_missing(const struct fitting *fitting, const struct letter *letter,
                           const struct wb_sass_operand *operand)
{
  switch (letter->role) {
  case 'M':
    return fitting->next + 1 == fitting->count;
  case 'P':
  case 'V':
    return operand == NULL || operand->kind != WB_SASS_PREDICATE || operand->negated;
  case 'O':
    return operand == NULL || operand->kind != WB_SASS_REGISTER;
  case 'q':
    return operand == NULL ||
           (operand->kind != WB_SASS_PREDICATE && operand->kind != WB_SASS_CONDITION);
  default:
    return false;
  }
}

/* Lays one letter over one operand. */
static bool take(struct fitting *fitting, const struct letter *letter,
                 const struct wb_sass_operand *operand)
{
  static const char active_mask[] = "MACTIVE"; /* of the lanes that run */
  bool known = true;
  struct wb_sass_facts *facts = fitting->facts;
  unsigned width = width_of(fitting, letter, &known);
  if (!known)
    return false;
  switch (letter->role) {
  case 'U':
    read_operand(facts, operand, width);
    write_register(facts, operand, width);
    return operand->kind == WB_SASS_REGISTER;
  case 'R':
  case 'O':
    write_register(facts, operand, width);
    return operand->kind == WB_SASS_REGISTER;
  case 'V':
    facts->agreement = WB_AGREES_NEVER;
    write_register(facts, operand, 1);
    return true;
  case 'P':
    write_register(facts, operand, 1);
    return true;
  case 'a':
    width = wb_sass_has_words(fitting->opcode, fitting->opcode_length, "E") ? 2 : 1;
    break;
  case 'b':
    width = DESCRIPTION;
    break;
  case 'j':
    return read_destination(fitting, operand);
  case 'q':
    return read_condition(facts, operand);
  case 's':
    if (facts->agreement == WB_AGREES_NEVER)
      facts->agreement = wb_sass_special_register(operand->text, operand->length);
    return operand->kind == WB_SASS_WORD;
  case 'K':
    return write_predicates(fitting, operand);
  case 'w': /* the lanes that run are one number for all of these, and another for other groups */
    if (operand->kind == WB_SASS_WORD)
      facts->agreement = operand->length == strlen(active_mask) &&
                                 memcmp(operand->text, active_mask, strlen(active_mask)) == 0
                             ? WB_AGREES_ALWAYS
                             : WB_AGREES_NEVER;
    break;
  case 'k':
    if (operand->kind == WB_SASS_PREDICATES)
      read_selected(fitting, operand->registers[0].number);
    else
      read_operand(facts, operand, 1);
    return operand->kind == WB_SASS_PREDICATES || operand->kind == WB_SASS_CONDITION;
  default:
    /* The width of a letter is that of a register; of a memory operand only coordinates have one.
     */
    width = operand->kind == WB_SASS_MEMORY && letter->width != 'v' ? 1 : width;
  }
  read_operand(facts, operand, width);
  return true;
}

static bool is_number(const struct wb_sass_operand *operand, int64_t least, int64_t most)
{
  return operand->kind == WB_SASS_NUMBER && operand->integer && operand->value >= least &&
         operand->value <= most;
}

/* Whether a shuffle gives each lane that does it the register of one lane, a number, of all 32:
 * SHFL.IDX PT, R0, R1, RZ, 0x1f. The last operand is the greatest lane that is read; above it
 * stands the size of the parts of the warp that have a lane each, 0 for the warp. */
static bool reads_one_lane(const struct fitting *fitting)
{
  const struct wb_sass_operand *lane = fitting->operands + 3, *clamp = fitting->operands + 4;
  if (strcmp(fitting->row->opcode, "SHFL") != 0 || fitting->count != 5 ||
      !wb_sass_has_words(fitting->opcode, fitting->opcode_length, "IDX"))
    return false;
  const bool zero = lane->kind == WB_SASS_REGISTER && lane->register_count == 1 &&
                    lane->registers[0].number == WB_NO_REGISTER;
  return (zero || is_number(lane, 0, 31)) && is_number(clamp, zero ? 0 : lane->value, 31);
}

bool wb_sass_facts_make(struct wb_sass_facts *facts, const struct wb_sass_opcode *row,
                        enum wb_sass_family family, const char *opcode, size_t opcode_length,
                        const struct wb_sass_operand *operands, size_t operand_count)
{
  struct fitting fitting = {
      facts, row, family, opcode, opcode_length, operands, operand_count, 0,
  };
  const char *shape = row->operands;
  struct letter letter;
  forget(facts, (enum wb_agreement_rule)row->agreement);
  /* What an opcode's modifiers read beside its operands. From Volta on, which has no condition
   * code, a carry stands among the operands. */
  if (family == WB_SASS_64 && wb_sass_reads_condition_code(opcode, opcode_length))
    wb_sass_facts_read(facts, WB_REGISTER_CONDITION_CODE, 1);
  if (wb_sass_tests_shader_state(opcode, opcode_length))
    facts->agreement = WB_AGREES_NEVER;
  while (next_letter(&shape, &letter)) {
    if (letter.role == 'u') { /* a letter of no operand */
      facts->uniform = true;
      continue;
    }
    do {
      const bool more = fitting.next < operand_count;
      const struct wb_sass_operand *operand = more ? &operands[fitting.next] : NULL;
      if (can_be_missing(&fitting, &letter, operand) || (letter.star && !more))
        break;
      if (!more || !take(&fitting, &letter, operand))
        return false;
      fitting.next++;
    } while (letter.star);
  }
  if (reads_one_lane(&fitting))
    facts->agreement = WB_AGREES_BY_LANE;
  return fitting.next == operand_count;
}
