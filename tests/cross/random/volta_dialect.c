#include "volta_dialect.h"
#include "unit.h"

#define OPERANDS 6
#define TEXT 32

/* A line taken apart, and what the lines before it left. */
struct writer {
  struct counters_program *to;
  struct wb_random *random;
  char guard[8]; /* "@P1 " */
  char opcode[TEXT];
  char operands[OPERANDS][TEXT];
  size_t count;
  char lower[2][TEXT]; /* the lower words that a sum for its carry alone compares */
  char early[3];       /* the relation that they are compared by at once, if any */
};

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
put(struct writer *writer, const char *format, ...)
{
  char text[2 * COUNTERS_WIDTH];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  char *line = writer->to->text[writer->to->count];
  const int length = snprintf(line, COUNTERS_WIDTH, "%s%s", writer->guard, text);
  assert_true(length < COUNTERS_WIDTH && writer->to->count < COUNTERS_MOST);
  writer->to->lines[writer->to->count++] = line;
}

/* Constants stand elsewhere. */
static void translate_operand(const char *text, size_t length, char to[TEXT])
{
  unsigned offset;
  char copy[TEXT];
  assert_true(length < TEXT);
  memcpy(copy, text, length);
  copy[length] = '\0';
  const char *constant = strstr(copy, "c[0x0]");
  if (constant == NULL || sscanf(constant, "c[0x0][0x%x]", &offset) != 1) {
    strcpy(to, copy);
    return;
  }
  offset = offset >= 0x140 ? offset + 0x20 : offset == 0x20 ? 0x28 : offset - 8;
  snprintf(to, TEXT, "%sc[0x0][0x%x]", copy[0] == '-' ? "-" : "", offset);
}

static void take_apart(struct writer *writer, const char *line)
{
  writer->guard[0] = '\0';
  writer->count = 0;
  if (*line == '@') {
    const size_t length = strcspn(line, " ") + 1;
    memcpy(writer->guard, line, length);
    writer->guard[length] = '\0';
    line += length;
  }
  const size_t length = strcspn(line, " ");
  memcpy(writer->opcode, line, length);
  writer->opcode[length] = '\0';
  line += length;
  while (*line != '\0') {
    line += strspn(line, ", ");
    const size_t next = strcspn(line, ",");
    assert_true(writer->count < OPERANDS);
    translate_operand(line, next, writer->operands[writer->count++]);
    line += next;
  }
}

static bool is(const struct writer *writer, const char *opcode)
{
  return strcmp(writer->opcode, opcode) == 0;
}

static bool starts(const struct writer *writer, const char *opcode)
{
  return strncmp(writer->opcode, opcode, strlen(opcode)) == 0;
}

/* An upper sum complements what it subtracts; numbers keep their sign. */
static const char *upper_term(const char *text, char to[TEXT])
{
  snprintf(to, TEXT, "%s", text);
  if (text[0] == '-' && text[1] != '0')
    to[0] = '~';
  return to;
}

static void put_lower_comparison(struct writer *writer, const char *relation)
{
  put(writer, "ISETP.%s.U32.AND P4, PT, %s, %s, PT", relation, writer->lower[0], writer->lower[1]);
}

static void put_sum(struct writer *writer)
{
  char terms[2][TEXT];
  char *to = writer->operands[0];
  const char *a = writer->operands[1];
  const char *b = writer->operands[2];
  char *carry = strstr(to, ".CC");
  if (carry != NULL)
    *carry = '\0';
  if (strstr(writer->opcode, ".X") != NULL) {
    put(writer, "IADD3.X %s, %s, %s, RZ, P5, !PT", to, upper_term(a, terms[0]),
        upper_term(b, terms[1]));
    return;
  }
  if (carry == NULL) {
    put(writer, "IADD3 %s, %s, %s, RZ", to, a, b);
    return;
  }
  put(writer, "IADD3 %s, P5, %s, %s, RZ", to, a, b);
  /* -a + b compares b with a. */
  const bool mirrored = a[0] == '-';
  const char *right = mirrored ? a : b;
  snprintf(writer->lower[0], TEXT, "%s", mirrored ? b : a);
  snprintf(writer->lower[1], TEXT, "%s", right + (right[0] == '-'));
  if (writer->early[0] != '\0')
    put_lower_comparison(writer, writer->early);
}

/* ISETP.LT.U32.X.AND P0, PT, a, b, P1. */
static void put_comparison(struct writer *writer)
{
  const char relation[3] = {writer->opcode[6], writer->opcode[7], '\0'};
  const char *how = strrchr(writer->opcode, '.') + 1;
  const bool is_unsigned = strstr(writer->opcode, ".U32") != NULL;
  if (strstr(writer->opcode, ".X.") == NULL) {
    put(writer, "%s %s, %s, %s, %s, %s", writer->opcode, writer->operands[0], writer->operands[1],
        writer->operands[2], writer->operands[3], writer->operands[4]);
    return;
  }
  if (writer->early[0] == '\0')
    put_lower_comparison(writer, relation);
  writer->early[0] = '\0';
  put(writer, "ISETP.%s%s.%s.EX %s, PT, %s, %s, %s, P4", relation, is_unsigned ? ".U32" : "", how,
      writer->operands[0], writer->operands[2], writer->operands[3], writer->operands[4]);
}

static void put_branch(struct writer *writer)
{
  char predicate[8];
  if (writer->guard[0] != '\0' && wb_random_below(writer->random, 8) == 0) {
    put(writer, "BRA %sP1, %s", wb_random_below(writer->random, 2) == 0 ? "!" : "",
        writer->operands[0]);
    return;
  }
  if (writer->guard[0] == '\0' || wb_random_below(writer->random, 4) != 0) {
    put(writer, "BRA %s", writer->operands[0]);
    return;
  }
  const size_t length = strlen(writer->guard) - 2; /* without @ and the blank */
  memcpy(predicate, writer->guard + 1, length);
  predicate[length] = '\0';
  writer->guard[0] = '\0';
  put(writer, "BRA %s, %s", predicate, writer->operands[0]);
}

static bool put_shift(struct writer *writer)
{
  const char *to = writer->operands[0];
  const char *a = writer->operands[1];
  const char *b = writer->operands[2];
  if (is(writer, "SHL"))
    put(writer, "SHF.L.U32 %s, %s, %s, RZ", to, a, b);
  else if (is(writer, "SHR"))
    put(writer, "SHF.R.S32.HI %s, RZ, %s, %s", to, b, a);
  else if (is(writer, "SHR.U32"))
    put(writer, "SHF.R.U32.HI %s, RZ, %s, %s", to, b, a);
  else if (starts(writer, "SHF."))
    put(writer, "SHF.%s %s, %s, %s, %s",
        is(writer, "SHF.L.U64")   ? "L.U64.HI"
        : is(writer, "SHF.R.U64") ? "R.U64"
                                  : "L.W.U32.HI",
        to, a, b, writer->operands[3]);
  else
    return false;
  return true;
}

static bool put_arithmetic(struct writer *writer)
{
  const char *to = writer->operands[0];
  const char *a = writer->operands[1];
  const char *b = writer->operands[2];
  const char *c = writer->operands[3];
  if (is(writer, "IADD3") || is(writer, "IADD3.RS"))
    put(writer, "IADD3 %s, %s, %s, %s", to, a, b, c);
  else if (starts(writer, "IADD"))
    put_sum(writer);
  else if (is(writer, "LOP.AND.NZ"))
    put(writer, "LOP3.LUT %s, %s, %s, %s, RZ, 0xc0, !PT", to, a, b, c);
  else if (is(writer, "LOP.AND"))
    put(writer, "LOP3.LUT %s, %s, %s, RZ, %s, !PT", to, a + (a[0] == '~'), b,
        a[0] == '~' ? "0xc" : "0xc0");
  else if (starts(writer, "LOP32I."))
    put(writer, "LOP3.LUT %s, %s, %s, RZ, %s, !PT", to, a, b,
        strstr(writer->opcode, "XOR") != NULL ? "0x3c" : "0xc0");
  else if (starts(writer, "XMAD"))
    put(writer, "IMAD%s %s, %s, %s, %s", is(writer, "XMAD") ? "" : ".HI.U32", to, a, b,
        is(writer, "XMAD") ? c : "RZ");
  else if (is(writer, "ISCADD"))
    put(writer, "LEA %s, %s, %s, %s", to, a, b, c);
  else if (is(writer, "BFE"))
    put(writer, "SGXT %s, %s, 0x%lx", to, a, strtoul(b, NULL, 16) >> 8);
  else if (is(writer, "BFE.U32"))
    put(writer, "SGXT.U32 %s, %s, 0x%lx", to, a, 1 + (strtoul(b, NULL, 16) >> 8));
  else if (is(writer, "IMUL.U32.U32"))
    put(writer, "IMAD %s, %s, %s, RZ", to, a, b);
  else if (is(writer, "IMUL.U32.U32.HI"))
    put(writer, "IMAD.HI.U32 %s, %s, %s, RZ", to, a, b);
  else if (starts(writer, "LDG.E"))
    put(writer, "%s %s, [R8.64]", writer->opcode, to);
  else
    return false;
  return true;
}

/* The same opcode with its operands. */
static void put_same(struct writer *writer)
{
  char text[COUNTERS_WIDTH] = "";
  for (size_t i = 0; i < writer->count; i++) {
    strcat(text, i == 0 ? " " : ", ");
    strcat(text, writer->operands[i]);
  }
  put(writer, "%s%s", writer->opcode, text);
}

static void translate(struct writer *writer, const char *line)
{
  if (line[strlen(line) - 1] == ':') {
    writer->guard[0] = '\0';
    put(writer, "%s", line);
    return;
  }
  take_apart(writer, line);
  if (is(writer, "BRA"))
    put_branch(writer);
  else if (is(writer, "MOV32I"))
    put(writer, "MOV %s, %s", writer->operands[0], writer->operands[1]);
  else if (starts(writer, "ISETP."))
    put_comparison(writer);
  else if (is(writer, "PSETP.AND.AND"))
    put(writer, "PLOP3.LUT %s, PT, %s, %s, %s, 0x80, 0x0", writer->operands[0], writer->operands[2],
        writer->operands[3], writer->operands[4]);
  else if (!put_shift(writer) && !put_arithmetic(writer))
    put_same(writer);
}

/* At a sum for its carry alone: whether the upper words are compared by one of the next lines, by
 * what relation; compilers mostly compare the lower words first. */
static void look_ahead(struct writer *writer, const struct counters_program *from, size_t line)
{
  if (strstr(from->text[line], " RZ.CC,") == NULL)
    return;
  writer->early[0] = '\0';
  if (wb_random_below(writer->random, 2) == 0)
    return;
  for (size_t i = line + 1; i < from->count && i < line + 4; i++) {
    const char *text = from->text[i];
    if (strncmp(text, "ISETP.", 6) != 0 || strstr(text, ".X.") == NULL)
      continue;
    memcpy(writer->early, text + 6, 2);
    return;
  }
}

void counters_to_volta(const struct counters_program *from, struct wb_random *random,
                       struct counters_program *to)
{
  struct writer writer = {.to = to, .random = random, .lower = {"RZ", "RZ"}};
  *to = (struct counters_program){.labels = from->labels};
  for (size_t i = 0; i < from->count; i++) {
    look_ahead(&writer, from, i);
    translate(&writer, from->lines[i]);
  }
  to->lines[to->count] = NULL;
}
