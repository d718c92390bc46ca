/* How often instructions read the banks of the register file, on all fixtures of machine code:
 * against a plain count from the text of the listing that knows the commonest opcodes by a table of
 * its own. */
#include "base/file.h"
#include "frontend/sass/sass_front_end.h"
#include "launch/timing/register_reads.h"
#include "unit.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#define PATH_SIZE 1024
#define REGISTERS 255

/* What the plain count knows of an opcode. */
struct plain_rule {
  const char *opcode; /* its first word */
  bool writes;        /* its first general register is its result */
  unsigned width;     /* registers of each operand; 0: as the width among the modifiers says */
};

static const struct plain_rule rules[] = {
    {"FADD", true, 1},   {"FADD32I", true, 1}, {"FMUL", true, 1},  {"FMUL32I", true, 1},
    {"FFMA", true, 1},   {"FFMA32I", true, 1}, {"FMNMX", true, 1}, {"FSEL", true, 1},
    {"FSETP", false, 1}, {"FCHK", false, 1},   {"IADD", true, 1},  {"IADD32I", true, 1},
    {"IADD3", true, 1},  {"ISETP", false, 1},  {"IMNMX", true, 1}, {"ISCADD", true, 1},
    {"LOP", true, 1},    {"LOP32I", true, 1},  {"LOP3", true, 1},  {"SHL", true, 1},
    {"SHR", true, 1},    {"LEA", true, 1},     {"SEL", true, 1},   {"PRMT", true, 1},
    {"MOV", true, 1},    {"POPC", true, 1},    {"FLO", true, 1},   {"BFE", true, 1},
    {"SHFL", true, 1},   {"DADD", true, 2},    {"DMUL", true, 2},  {"DFMA", true, 2},
    {"DSETP", false, 2}, {"STG", false, 0},    {"STS", false, 0},  {"STL", false, 0},
    {"LDG", true, 0},    {"LDS", true, 0},     {"LDL", true, 0},   {"IMAD", true, 1},
    {"XMAD", true, 1},   {"NOP", false, 1},    {"EXIT", false, 1}, {"S2R", true, 1},
    {"MUFU", true, 1},
};

static const struct plain_rule *rule_of(const char *opcode)
{
  const size_t length = strcspn(opcode, ".");
  for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
    if (strlen(rules[r].opcode) == length && strncmp(rules[r].opcode, opcode, length) == 0)
      return &rules[r];
  }
  return NULL;
}

/* The general register at a text, or -1; how many there are by its own suffix, 0: it does not say.
 */
static int register_at(const char *text, unsigned *width)
{
  char *end;
  if (text[0] != 'R' || !isdigit((unsigned char)text[1]))
    return -1;
  const long number = strtol(text + 1, &end, 10);
  *width = strncmp(end, ".64", 3) == 0 ? 2 : strncmp(end, ".U32", 4) == 0 ? 1 : 0;
  return (int)number;
}

struct plain_reads {
  bool read[REGISTERS + 1];
};

static void mark(struct plain_reads *reads, int number, unsigned width)
{
  for (unsigned w = 0; w < width; w++)
    reads->read[number + (int)w] = true;
}

/* Reads the operands of an instruction; false where the table does not know how. */
static bool count_plainly(const struct wb_instruction *at, struct plain_reads *reads)
{
  const struct plain_rule *rule = rule_of(at->opcode);
  const bool wide = strstr(at->opcode, ".WIDE") != NULL;
  unsigned operand = 0; /* number of registers found outside of brackets */
  int depth = 0;
  if (rule == NULL || at->never || strstr(at->opcode, ".HI") != NULL ||
      (wide && strncmp(at->opcode, "IMAD", 4) != 0) ||
      (rule->width == 1 && strstr(at->opcode, "64") != NULL))
    return false;
  const unsigned data = strstr(at->opcode, ".128") != NULL  ? 4
                        : strstr(at->opcode, ".64") != NULL ? 2
                                                            : 1;
  const unsigned address = strstr(at->opcode, ".E") != NULL ? 2 : 1;
  for (const char *c = at->operands; *c != '\0'; c++) {
    unsigned own;
    depth += *c == '[';
    depth -= *c == ']';
    /* A word begins here, which is no part of UR4. */
    if (c > at->operands && (isalnum((unsigned char)c[-1]) || c[-1] == '_' || c[-1] == '.'))
      continue;
    const bool constant_or_zero = strncmp(c, "RZ", 2) == 0;
    const int number = register_at(c, &own);
    if (number < 0 && !constant_or_zero)
      continue;
    if (depth > 0) {
      if (number >= 0)
        mark(reads, number, own > 0 ? own : address);
      continue;
    }
    operand++;
    if ((rule->writes && operand == 1) || number < 0)
      continue;
    mark(reads, number, rule->width == 0 ? data : wide && operand == 4 ? 2 : rule->width);
  }
  /* Where an immediate or a constant takes a place among the sources of a wide product the sum is
   * not the fourth register. */
  return !wide || operand == 4;
}

struct tally {
  size_t instructions, compared, above_one;
};

static unsigned most_of_bank(const struct plain_reads *reads, unsigned banks)
{
  unsigned most = 0;
  for (unsigned b = 0; b < banks; b++) {
    unsigned count = 0;
    for (unsigned r = b; r < REGISTERS; r += banks)
      count += reads->read[r];
    most = count > most ? count : most;
  }
  return most;
}

static void compare(const struct wb_code *code, const struct wb_function *function,
                    struct tally *tally)
{
  static const unsigned banks[] = {1, 2, 4};
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    const struct wb_instruction *at = &function->instructions[i];
    struct plain_reads reads = {{false}};
    tally->instructions++;
    if (!count_plainly(at, &reads))
      continue;
    tally->compared++;
    tally->above_one += most_of_bank(&reads, 2) > 1;
    for (size_t b = 0; b < sizeof banks / sizeof *banks; b++) {
      const unsigned plain = most_of_bank(&reads, banks[b]);
      const unsigned said = wb_register_bank_reads(function, i, banks[b]);
      if (plain != said)
        fail_msg("%s:%u: %s %s: %u reads of one of %u banks != %u", code->name, (unsigned)at->line,
                 at->opcode, at->operands, said, banks[b], plain);
    }
  }
}

TEST(reads_are_those_of_the_text)
{
  struct tally tally = {0};
  glob_t found = {0};
  char pattern[PATH_SIZE];
  snprintf(pattern, sizeof pattern, "%s/sass/sm_*/*/*/*.sass", getenv("WARPBOUND_FIXTURES"));
  assert_int_equal(glob(pattern, 0, NULL, &found), 0);
  for (size_t p = 0; p < found.gl_pathc; p++) {
    struct wb_input source;
    struct wb_code code;
    warpbound_error error = {0};
    if (wb_input_read(found.gl_pathv[p], &source, &error) != WARPBOUND_OK)
      fail_msg("%s", error.message);
    if (wb_sass_parse(found.gl_pathv[p], source.bytes, source.length, NULL, &code, &error) ==
        WARPBOUND_OK) {
      for (size_t f = 0; f < code.function_count; f++)
        compare(&code, &code.functions[f], &tally);
      wb_code_free(&code);
    }
    wb_input_free(&source);
  }
  print_message("# %zu listings, %zu instructions, %zu compared, %zu of them with several reads of "
                "one of two banks\n",
                found.gl_pathc, tally.instructions, tally.compared, tally.above_one);
  assert_true(tally.compared * 2 > tally.instructions);
  assert_true(tally.above_one > 1000);
  globfree(&found);
}
