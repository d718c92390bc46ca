/* Bounds of the small programs of loop_bounds.txt, mostly those about what is kept of two registers
 * or of bits, with lines left out, done twice, moved, guarded, skipped, repeated in a loop, and
 * with other registers, predicates, relations and numbers: no thread exceeds what is said of them,
 * leaves a loop too early, or comes to what none is said to. WARPBOUND_CROSS_RUNS programs (3000
 * without it), WARPBOUND_SEED */
#include "base/text.h"
#include "bound_watch.h"
#include "flow/paths/dead_instructions.h"
#include "rows.h"
#include "unit.h"

#define DEFAULT_RUNS 1000
#define THREADS 10
#define MOST_EDGES 300
#define LINES 160
#define WIDTH 96
#define MOST_ROWS 2000

struct program {
  struct wb_random *random;
  char text[LINES][WIDTH];
  size_t count;
  unsigned sm;
  unsigned labels; /* that changes have made */
};

static uint64_t below(struct program *program, uint64_t bound)
{
  return wb_random_below(program->random, bound);
}

static bool one_in(struct program *program, uint64_t n)
{
  return below(program, n) == 0;
}

/* ---- rows ---- */

/* What a thread alone does not tell: other lanes' numbers, calls, barriers; and approximations. */
static bool is_of_others(const char *row)
{
  static const char *const words[] = {
      "VOTE",  "ELECT", "R2UR",      "MATCH",    "SHFL", "REDUX", "CALL", "RET",  "JCAL", "BRX",
      "YIELD", "PRET",  "NANOSLEEP", "WARPSYNC", "BAR",  "SSY",   "SYNC", "PBK",  "BRK",  "PCNT",
      "CONT",  "BSSY",  "BSYNC",     "BREAK",    "LDL",  "STL",   "CAL",  "MUFU", "F64",  "FSEL"};
  for (size_t w = 0; w < COUNT_OF(words); w++) {
    if (strstr(row, words[w]) != NULL)
      return true;
  }
  return false;
}

/* A row of a section that the test is made for, or of any. */
static const char *choose_row(struct wb_random *random)
{
  static const char *const sections[] = {
      "registers that a predicate orders",
      "predicates in bits of a register",
      "differences of registers that a test orders",
      "registers that differ by a known number from one that is compared",
      "differences of a choice and its sources",
      "floats that are known",
      "integers as floats",
      "sums of terms",
      "differences of pairs",
      "shifts by which all numbers of a stride become one",
      "searches whose ends are compared first, halved towards 0"};
  static const char *rows[2][MOST_ROWS];
  static size_t counts[2];
  if (counts[1] == 0) {
    bool wanted = false;
    char *rest = NULL;
    for (char *line = strtok_r(unit_text("unit/flow/loop_bounds.txt"), "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
      if (strncmp(line, "== ", 3) == 0) {
        wanted = false;
        for (size_t s = 0; s < COUNT_OF(sections); s++)
          wanted |= strcmp(line + 3, sections[s]) == 0;
      }
      if (strncmp(line, "sm_", 3) != 0 || is_of_others(line) || counts[0] == MOST_ROWS)
        continue;
      if (wanted || strstr(line, "IADD.64") != NULL)
        rows[1][counts[1]++] = line;
      rows[0][counts[0]++] = line;
    }
    assert_true(counts[1] > 60 && counts[0] > 300);
  }
  const size_t list = wb_random_below(random, 4) > 0;
  return rows[list][wb_random_below(random, counts[list])];
}

/* The lines of the row; counts of thousands are made small. */
static void take_row(const char *row, struct program *program)
{
  const char *text = strstr(row, ": ") + 2;
  program->sm = (unsigned)strtoul(row + 3, NULL, 10);
  while (*text != '\0' && program->count < LINES / 2) {
    const char *end = strstr(text, "; ");
    const size_t length = end != NULL ? (size_t)(end - text) : strlen(text);
    char *line = program->text[program->count++];
    snprintf(line, WIDTH, "%.*s", (int)length, text);
    char *large = strstr(line, ", 0x1000,");
    if (large != NULL)
      memmove(large + strlen(", 0x10"), large + strlen(", 0x1000"), strlen(large) - 7);
    text += length + (end != NULL ? 2 : 0);
  }
}

/* ---- changes ---- */

static bool is_plain(const char *line)
{
  return strchr(line, ':') == NULL && strstr(line, "BRA") == NULL && strstr(line, "EXIT") == NULL;
}

static char *insert(struct program *program, size_t at)
{
  if (program->count == LINES)
    return NULL;
  memmove(program->text[at + 1], program->text[at], (program->count - at) * WIDTH);
  program->count++;
  return program->text[at];
}

static void leave_out(struct program *program, size_t at)
{
  program->count--;
  memmove(program->text[at], program->text[at + 1], (program->count - at) * WIDTH);
}

/* A line in place of the `length` characters at `place` of it. */
static void replace(char *line, const char *place, size_t length, const char *by)
{
  char saved[2 * WIDTH];
  snprintf(saved, sizeof saved, "%.*s%s%s", (int)(place - line), line, by, place + length);
  if (strlen(saved) < WIDTH)
    memcpy(line, saved, strlen(saved) + 1);
}

/* The nth token of a line that begins with that letter and a digit. */
static char *token(char *line, char letter, size_t nth)
{
  for (char *at = line; *at != '\0'; at++) {
    const bool begins = at == line || strchr(" -~!|@[", at[-1]) != NULL;
    if (begins && *at == letter && at[1] >= '0' && at[1] <= '9' && nth-- == 0)
      return at;
  }
  return NULL;
}

static size_t token_length(const char *at)
{
  return 1 + strspn(at + 1, "0123456789");
}

/* Another register of the program, of a pair where the line has pairs. */
static void change_register(struct program *program, char *line)
{
  const char *other = program->text[below(program, program->count)];
  char *from = token((char *)other, 'R', below(program, 4));
  char *to = token(line, 'R', below(program, 4));
  char by[8];
  if (from == NULL || to == NULL || strstr(line, "BRA") != NULL)
    return;
  snprintf(by, sizeof by, "%.*s", (int)token_length(from), from);
  const bool odd = ((by[strlen(by) - 1] ^ to[token_length(to) - 1]) & 1) != 0;
  if (odd && (strstr(line, "64") != NULL || strstr(line, "WIDE") != NULL))
    return;
  replace(line, to, token_length(to),
          one_in(program, 20) && strstr(line, "64") == NULL ? "RZ" : by);
}

/* The last source that is a predicate, behind all registers, with its sign; NULL: none. */
static char *last_predicate(char *line)
{
  char *last = NULL;
  for (char *at = strstr(line, ", "); at != NULL; at = strstr(at + 1, ", ")) {
    const char *name = at + 2 + (at[2] == '!');
    if (name[0] == 'P' && (name[1] == 'T' || (name[1] >= '0' && name[1] <= '9')))
      last = at + 2;
    else
      last = NULL;
  }
  return last;
}

/* Another predicate, or the other outcome of one that is read. */
static void change_predicate(struct program *program, char *line)
{
  char *to = token(line, 'P', below(program, 3));
  char *last = last_predicate(line);
  char by[8];
  if (last != NULL && one_in(program, 3)) {
    replace(line, last, last[0] == '!', last[0] == '!' ? "" : "!");
    return;
  }
  if (to == NULL)
    return;
  snprintf(by, sizeof by, "P%u", (unsigned)below(program, 4));
  replace(line, to, token_length(to), by);
}

static void change_number(struct program *program, char *line)
{
  static const uint32_t ends[] = {0, 1,          2,          3,          4,         5,
                                  8, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffc};
  char *at = strstr(line, ", 0x");
  char *next = at != NULL ? strstr(at + 1, ", 0x") : NULL;
  char by[16];
  if (next != NULL && one_in(program, 2))
    at = next;
  if (at == NULL)
    return;
  at += 2;
  const uint32_t number = (uint32_t)strtoul(at, NULL, 16);
  const uint32_t numbers[] = {
      number + 1, number - 1, number ^ 1, 2 * number,
      number / 2, 0 - number, ~number,    ends[below(program, COUNT_OF(ends))]};
  snprintf(by, sizeof by, "0x%x", (unsigned)numbers[below(program, COUNT_OF(numbers))]);
  if (strstr(line, "LOP3.LUT") != NULL && strstr(at, ", ") != NULL && strchr(at + 2, '0') == NULL)
    return;
  replace(line, at, 2 + strspn(at + 2, "0123456789abcdef"), by);
}

/* Another float that is printed, the last one of a line. */
static void change_float(struct program *program, char *line)
{
  static const char *const numbers[] = {"0",
                                        "-0",
                                        "1",
                                        "-1",
                                        "0.5",
                                        "-2.5",
                                        "0.10000000149011611938",
                                        "100",
                                        "255",
                                        "-100",
                                        "8",
                                        "1.1754943508222875e-38"};
  char *at = strrchr(line, ',');
  while (at != NULL && at > line && strchr("-.0123456789", at[2]) == NULL) {
    char *before = at - 1;
    while (before > line && *before != ',')
      before--;
    at = before > line ? before : NULL;
  }
  if (at != NULL && strncmp(at, ", 0x", 4) != 0)
    replace(line, at + 2, strcspn(at + 2, ", "), numbers[below(program, COUNT_OF(numbers))]);
}

/* Another relation, type or order. */
static void change_word(struct program *program, char *line)
{
  static const char *const relations[] = {"LT", "LE", "GT", "GE", "EQ", "NE"};
  static const char *const words[][2] = {{".U32", ""},
                                         {".AND P", ".U32.AND P"},
                                         {".AND ", ".OR "},
                                         {", -R", ", R"},
                                         {", R", ", -R"},
                                         {"0xc0", "0xfc"},
                                         {"0xfc", "0xc0"},
                                         {"0xc0", "0xc"},
                                         {"0xc", "0xc0"},
                                         {"@P", "@!P"},
                                         {"@!P", "@P"},
                                         {"IMNMX ", "IMNMX.U32 "},
                                         {"0xc0", "0x3c"},
                                         {".X", ""},
                                         {".CC", ""},
                                         {", ~R", ", R"},
                                         {"FADD ", "FADD.FTZ "},
                                         {"FMUL ", "FADD "},
                                         {"FADD ", "FMUL "},
                                         {"FADD.FTZ ", "FMUL.FTZ "},
                                         {", !PT", ", PT"},
                                         {", PT", ", !PT"},
                                         {".TRUNC", ".FLOOR"},
                                         {".TRUNC", ".CEIL"},
                                         {"F2I.", "F2I.U32."},
                                         {"I2F ", "I2F.U32 "}};
  static const char *const of_floats[] = {"FADD",  "FMUL", "FFMA", "FMNMX",
                                          "FSETP", "DADD", "DSETP"};
  char *place = strstr(line, "SETP.");
  if (place != NULL && one_in(program, 2)) {
    replace(line, place + 5, 2, relations[below(program, COUNT_OF(relations))]);
    return;
  }
  for (size_t w = 0; w < COUNT_OF(of_floats); w++) {
    if (strstr(line, of_floats[w]) != NULL && one_in(program, 2))
      change_float(program, line);
  }
  const char *const *pair = words[below(program, COUNT_OF(words))];
  place = strstr(line, pair[0]);
  if (place != NULL)
    replace(line, place, strlen(pair[0]), pair[1]);
}

static void change_guard(struct program *program, char *line)
{
  char by[16] = "";
  if (!is_plain(line))
    return;
  if (line[0] == '@') {
    replace(line, line, strcspn(line, " ") + 1, by);
    return;
  }
  snprintf(by, sizeof by, "@%sP%u ", one_in(program, 2) ? "!" : "", (unsigned)below(program, 6));
  replace(line, line, 0, by);
}

/* A line that writes a register of the program, or a pair, or predicates. */
static void write_something(struct program *program, size_t at)
{
  char *from = token(program->text[below(program, program->count)], 'R', below(program, 4));
  char *other = token(program->text[below(program, program->count)], 'R', below(program, 4));
  const unsigned to = from != NULL ? (unsigned)strtoul(from + 1, NULL, 10) : 2;
  const unsigned source = other != NULL ? (unsigned)strtoul(other + 1, NULL, 10) : 2;
  const bool volta = program->sm >= 70;
  const char *address = volta ? "[R8.64]" : "[R8]";
  const unsigned kind = (unsigned)below(program, 10);
  char *line = insert(program, at);
  if (line == NULL)
    return;
  switch (kind) {
  case 0:
    snprintf(line, WIDTH, "LDG.E R%u, %s", to, address);
    break;
  case 1:
    snprintf(line, WIDTH, "LDG.E.64 R%u, %s", to & ~1U, address);
    break;
  case 2:
    snprintf(line, WIDTH, "MOV R%u, R%u", to, source);
    break;
  case 3:
    snprintf(line, WIDTH, "IMNMX%s R%u, R%u, R%u, %sPT", one_in(program, 3) ? ".U32" : "", to, to,
             source, one_in(program, 2) ? "!" : "");
    break;
  case 4:
    snprintf(line, WIDTH, volta ? "IADD3 R%u, R%u, 0x%x, RZ" : "IADD32I R%u, R%u, 0x%x", to, to,
             (unsigned)below(program, 3));
    break;
  case 5:
    snprintf(line, WIDTH, volta ? "R2P PR, R%u, 0x%x" : "R2P PR, R%u, 0x%x", to,
             1 + (unsigned)below(program, 0x7f));
    break;
  case 6:
    snprintf(line, WIDTH, volta ? "P2R R%u, PR, RZ, 0x%x" : "P2R R%u, PR, RZ, 0x%x", to,
             1 + (unsigned)below(program, 0x7f));
    break;
  case 7:
    snprintf(line, WIDTH, "SEL R%u, R%u, R%u, %sP%u", to, to, source, one_in(program, 2) ? "!" : "",
             (unsigned)below(program, 4));
    break;
  case 8:
    snprintf(line, WIDTH, "ISETP.%s%s.AND P%u, PT, R%u, R%u, PT",
             one_in(program, 2)   ? "LT"
             : one_in(program, 2) ? "GE"
                                  : "EQ",
             one_in(program, 3) ? ".U32" : "", (unsigned)below(program, 4), to, source);
    break;
  default:
    snprintf(line, WIDTH, "LDG.E.U8 R%u, %s", to, address);
  }
}

/* Some lines are skipped by some threads, or done several times. */
static void wrap(struct program *program)
{
  const unsigned label = program->labels++;
  const size_t first = below(program, program->count);
  const size_t last =
      first + below(program, program->count - first < 6 ? program->count - first : 6);
  const bool skip = one_in(program, 2);
  if (program->count + 4 > LINES)
    return;
  char *line = insert(program, last + 1);
  if (skip) {
    snprintf(line, WIDTH, "changed%u:", label);
    snprintf(insert(program, first), WIDTH, "@%sP%u BRA changed%u", one_in(program, 2) ? "!" : "",
             (unsigned)below(program, 6), label);
    return;
  }
  snprintf(line, WIDTH, "@%sP%u BRA changed%u", one_in(program, 2) ? "!" : "",
           (unsigned)below(program, 6), label);
  if (one_in(program, 2)) {
    const bool volta = program->sm >= 70;
    snprintf(line, WIDTH, "@P6 BRA changed%u", label);
    snprintf(insert(program, last + 1), WIDTH, "ISETP.LT.AND P6, PT, R30, 0x%x, PT",
             1 + (unsigned)below(program, 4));
    snprintf(insert(program, last + 1), WIDTH,
             volta ? "IADD3 R30, R30, 0x1, RZ" : "IADD32I R30, R30, 0x1");
    snprintf(insert(program, first), WIDTH, "changed%u:", label);
    snprintf(insert(program, first), WIDTH, "MOV R30, RZ");
    return;
  }
  snprintf(insert(program, first), WIDTH, "changed%u:", label);
}

static void change(struct program *program)
{
  char saved[WIDTH];
  const size_t at = below(program, program->count);
  char *line = program->text[at];
  const bool label = strchr(line, ':') != NULL;
  const uint64_t kind = below(program, 16);
  if (kind == 0 && !label && program->count > 3)
    leave_out(program, at);
  else if (kind == 1 && is_plain(line)) { /* once more, there or elsewhere */
    memcpy(saved, line, WIDTH);
    line = insert(program, one_in(program, 2) ? at : below(program, program->count));
    if (line != NULL)
      memcpy(line, saved, WIDTH);
  } else if (kind == 2 && is_plain(line)) { /* elsewhere */
    memcpy(saved, line, WIDTH);
    leave_out(program, at);
    memcpy(insert(program, below(program, program->count)), saved, WIDTH);
  } else if (kind < 6 && !label)
    change_register(program, line);
  else if (kind < 8 && !label)
    change_predicate(program, line);
  else if (kind == 8 && !label)
    change_number(program, line);
  else if (kind < 11 && !label)
    change_word(program, line);
  else if (kind == 11)
    change_guard(program, line);
  else if (kind < 14)
    write_something(program, at);
  else
    wrap(program);
}

/* ---- programs of choices ---- */

static char *add(struct program *program)
{
  return program->text[program->count++];
}

/* A register from R2 to R7, or a small number. */
static const char *some_side(struct program *program, char side[8])
{
  if (one_in(program, 3))
    snprintf(side, 8, "%s0x%x", one_in(program, 4) ? "-" : "", (unsigned)below(program, 24));
  else
    snprintf(side, 8, "R%u", 2 + (unsigned)below(program, 6));
  return side;
}

static const char *some_relation(struct program *program)
{
  static const char *const relations[] = {"LT",     "LE",     "GT",     "GE",     "EQ", "NE",
                                          "LT.U32", "LE.U32", "GT.U32", "GE.U32", "LT", "GE"};
  return relations[below(program, COUNT_OF(relations))];
}

static void add_test(struct program *program, unsigned predicate, unsigned left)
{
  char side[8];
  snprintf(add(program), WIDTH, "ISETP.%s.AND P%u, PT, R%u, %s, PT", some_relation(program),
           predicate, left, some_side(program, side));
}

/* R[to] gets a sum of another register, a shifted one, or a choice. */
static void add_value(struct program *program, unsigned to)
{
  char side[8];
  const unsigned from = 2 + (unsigned)below(program, 6);
  const char *sign = one_in(program, 2) ? "" : "-";
  switch (below(program, 8)) {
  case 0:
    snprintf(add(program), WIDTH, "SHF.R.U32.HI R%u, RZ, 0x%x, R%u", to,
             1 + (unsigned)below(program, 6), from);
    break;
  case 1:
  case 2:
    if (one_in(program, 2))
      add_test(program, 0, 2 + (unsigned)below(program, 6));
    snprintf(add(program), WIDTH, "SEL R%u, R%u, %s, %sP0", to, from, some_side(program, side),
             one_in(program, 2) ? "!" : "");
    break;
  case 3:
    snprintf(add(program), WIDTH, "IMNMX%s R%u, R%u, %s, %sPT", one_in(program, 3) ? ".U32" : "",
             to, from, some_side(program, side), one_in(program, 2) ? "!" : "");
    break;
  case 4:
    snprintf(add(program), WIDTH, "IADD3 R%u, %sR%u, %s, RZ", to, sign, from,
             some_side(program, side));
    break;
  default:
    snprintf(add(program), WIDTH, "IADD3 R%u, %sR%u, 0x%x, RZ", to, sign, from,
             (unsigned)below(program, 24));
  }
}

/* A loop up or down from a sum to a choice of such sums, of one loaded word. */
static void make_choices(struct program *program)
{
  static const char *const loads[] = {"LDG.E R2, [R8.64]", "LDG.E.U8 R2, [R8.64]",
                                      "LDG.E.S8 R2, [R8.64]", "S2R R2, SR_TID.X"};
  const char *step = one_in(program, 3) ? "-0x" : "0x";
  const bool outer = one_in(program, 4);
  program->sm = 87;
  snprintf(add(program), WIDTH, "MOV R20, RZ");
  snprintf(add(program), WIDTH, "MOV R7, RZ");
  if (outer)
    snprintf(add(program), WIDTH, "outer:");
  snprintf(add(program), WIDTH, "%s", loads[below(program, COUNT_OF(loads))]);
  if (one_in(program, 3))
    snprintf(add(program), WIDTH, "LOP3.LUT R2, R2, 0x7f, RZ, 0xc0, !PT");
  for (unsigned r = 3; r < 7; r++)
    snprintf(add(program), WIDTH, "IADD3 R%u, %sR2, 0x%x, RZ", r, one_in(program, 2) ? "-" : "",
             (unsigned)below(program, 24));
  add_test(program, 0, 2 + (unsigned)below(program, 5));
  for (uint64_t left = 1 + below(program, 4); left > 0; left--)
    add_value(program, 3 + (unsigned)below(program, 4));
  if (one_in(program, 2)) {
    add_test(program, 1, 2 + (unsigned)below(program, 5));
    snprintf(add(program), WIDTH, "@P1 BRA end");
  }
  snprintf(add(program), WIDTH, "IADD3 R7, %sR%u, 0x%x, RZ", one_in(program, 4) ? "-" : "",
           2 + (unsigned)below(program, 5), (unsigned)below(program, 4));
  snprintf(add(program), WIDTH, "loop:");
  if (one_in(program, 6))
    add_value(program, 3 + (unsigned)below(program, 4));
  snprintf(add(program), WIDTH, "IADD3 R7, R7, %s%x, RZ", step, 1 + (unsigned)below(program, 3));
  snprintf(add(program), WIDTH, "ISETP.%s.AND P2, PT, R7, R%u, PT", some_relation(program),
           2 + (unsigned)below(program, 5));
  snprintf(add(program), WIDTH, "@%sP2 BRA loop", one_in(program, 2) ? "!" : "");
  snprintf(add(program), WIDTH, "end:");
  if (outer) {
    snprintf(add(program), WIDTH, "IADD3 R20, R20, 0x1, RZ");
    snprintf(add(program), WIDTH, "ISETP.LT.AND P3, PT, R20, 0x3, PT");
    snprintf(add(program), WIDTH, "@P3 BRA outer");
  }
}

/* ---- runs ---- */

struct totals {
  size_t programs;
  size_t loops, bounded, reached;
  size_t least, lowest;
  size_t dead, idle;
};

static void count(const struct bounded_function *bounded, const struct bound_watch *watch,
                  struct totals *totals)
{
  for (size_t l = 0; l < bounded->forest.loop_count; l++) {
    const struct wb_found_bound *found = &bounded->found[l];
    const bool counts = found->found && found->bound > 0;
    totals->loops++;
    totals->bounded += counts;
    totals->reached += counts && found->bound == watch->greatest[l];
    totals->least += found->least > 0;
    totals->lowest += found->least > 0 && found->least == watch->fewest[l];
  }
}

static void try_program(uint64_t seed, struct totals *totals)
{
  static struct program program; /* large */
  struct wb_random random = {seed};
  const char *lines[LINES + 2];
  FREED_BY(wb_text_free) struct wb_text text = {0};
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(bounded_free) struct bounded_function bounded;
  FREED_BY(bound_watch_free) struct bound_watch watch = {0};
  struct wb_parameter_value words[THREAD_PARAMETERS];
  bool dead[LINES + 1] = {false};
  bool idle[LINES + 1] = {false};
  warpbound_error error;
  program = (struct program){.random = &random};
  if (one_in(&program, 3))
    make_choices(&program);
  else
    take_row(choose_row(&random), &program);
  for (uint64_t left = below(&program, 5); left > 0; left--)
    change(&program);
  wb_text_format(&text, "WARPBOUND_SEED=%llu WARPBOUND_CROSS_RUNS=1 sm_%u\n",
                 (unsigned long long)seed, program.sm);
  for (size_t i = 0; i < program.count; i++) {
    lines[i] = program.text[i];
    wb_text_format(&text, "%s\n", lines[i]);
  }
  lines[program.count] = "EXIT";
  lines[program.count + 1] = NULL;
  assert_false(text.failed);
  listing_make_for(program.sm, lines, &code);
  struct thread_launch launch = random_launch(&random);
  struct wb_launch known = known_launch(&random, &launch, words);
  if (!bounded_make(&code, &code.functions[0], &known, &bounded))
    return;
  assert_ok(wb_dead_instructions_find(bounded.graph, &bounded.forest, &known, dead, idle, &error));
  launch.dead = dead;
  launch.idle = idle;
  for (size_t i = 0; i < code.functions[0].instruction_count; i++) {
    totals->dead += dead[i];
    totals->idle += idle[i] && !dead[i];
  }
  totals->programs++;
  bound_watch_start(&watch, &bounded);
  for (int t = 0; t < THREADS; t++) {
    random_thread(&random, &launch);
    bound_watch_run(&watch, &launch, wb_random_next(&random), MOST_EDGES, text.data);
  }
  count(&bounded, &watch, totals);
}

TEST(no_thread_exceeds)
{
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  struct totals totals = {0};
  for (uint64_t n = 0; n < runs; n++)
    try_program(seed + n, &totals);
  printf("# seeds %llu to %llu: %zu programs, %zu loops, %zu bounded, %zu of them reached by a "
         "thread; %zu with a least number, %zu of them left after just so many; %zu instructions "
         "that no thread comes to, %zu others that none does\n",
         (unsigned long long)seed, (unsigned long long)(seed + runs - 1), totals.programs,
         totals.loops, totals.bounded, totals.reached, totals.least, totals.lowest, totals.dead,
         totals.idle);
  if (runs >= DEFAULT_RUNS) {
    assert_true(totals.programs * 10 > runs * 9);
    assert_true(totals.bounded * 5 > totals.loops);
    assert_true(totals.reached * 4 > totals.bounded);
    assert_true(totals.lowest * 4 > totals.least && totals.least > 0);
    assert_true(totals.dead > 0 && totals.idle > 0);
  }
}
