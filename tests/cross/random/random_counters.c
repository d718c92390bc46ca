#include "random_counters.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define MOST_DEPTH 3
#define REGISTERS 6 /* few, so that loops spoil each other's counters now and then */

struct maker {
  struct wb_random *random;
  struct counters_program *program;
  unsigned depth;
  bool tame;     /* counters are changed by their steps alone, mostly */
  unsigned busy; /* bit r: Rr counts a loop around */
  bool stack;    /* R10 points to the stack */
};

static uint64_t below(struct maker *maker, uint64_t bound)
{
  return wb_random_below(maker->random, bound);
}

static bool one_in(struct maker *maker, uint64_t n)
{
  return below(maker, n) == 0;
}

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
line(struct maker *maker, const char *format, ...)
{
  struct counters_program *program = maker->program;
  va_list arguments;
  if (program->count == COUNTERS_LINES)
    return;
  va_start(arguments, format);
  vsnprintf(program->text[program->count], COUNTERS_WIDTH, format, arguments);
  va_end(arguments);
  program->lines[program->count] = program->text[program->count];
  program->count++;
}

static unsigned any_register(struct maker *maker)
{
  return (unsigned)below(maker, REGISTERS);
}

/* A register to write. */
static unsigned any_target(struct maker *maker)
{
  const unsigned first = any_register(maker);
  for (unsigned i = 0; maker->tame && i < REGISTERS; i++) {
    const unsigned target = (first + i) % REGISTERS;
    if ((maker->busy >> target & 1U) == 0)
      return target;
  }
  return first;
}

/* Small, or near the ends of signed and unsigned numbers. */
static uint32_t any_number(struct maker *maker)
{
  static const uint32_t near[] = {0, 0, 0, 0, UINT32_C(0x80000000)};
  const uint32_t middle = near[below(maker, sizeof near / sizeof *near)];
  return middle + (uint32_t)below(maker, 50) - 15;
}

/* An operand: a register, a number, a parameter, the block's size. */
static void operand(struct maker *maker, char text[24])
{
  switch (below(maker, 6)) {
  case 0:
  case 1:
    snprintf(text, 24, "R%u", any_register(maker));
    break;
  case 2:
    snprintf(text, 24, "c[0x0][0x%x]", 0x140 + 4 * (unsigned)below(maker, 8));
    break;
  case 3:
    snprintf(text, 24, "c[0x0][0x%x]", one_in(maker, 2) ? 0x8U : 0x14U);
    break;
  default:
    snprintf(text, 24, "0x%x", any_number(maker));
    break;
  }
}

static const char *guard(struct maker *maker)
{
  static const char *const guards[] = {"@P1 ", "@!P1 ", "@P0 "};
  return one_in(maker, 5) ? guards[below(maker, 3)] : "";
}

static const char *any_relation(struct maker *maker)
{
  static const char *const relations[] = {"LT", "EQ", "LE", "GT", "NE", "GE"};
  return relations[below(maker, 6)];
}

static void compare(struct maker *maker, unsigned predicate, const char *left, const char *relation,
                    const char *right)
{
  static const char *const last[] = {"PT", "PT", "PT", "P1", "!P1"};
  line(maker, "%sISETP.%s%s.%s P%u, PT, %s, %s, %s", one_in(maker, 16) ? "@P2 " : "", relation,
       one_in(maker, 2) ? ".U32" : "", one_in(maker, 4) ? "OR" : "AND", predicate, left, right,
       last[maker->tame && predicate == 0 ? 0 : below(maker, 5)]);
}

/* A sum of 64 bits, or what looks like one. */
static void wide_sum(struct maker *maker, unsigned low, unsigned high, const char *if_true)
{
  const bool subtracts = one_in(maker, 3);
  const unsigned a = one_in(maker, 3) ? any_register(maker) : low;
  const unsigned b = one_in(maker, 3) ? any_register(maker) : high;
  char by[24];
  operand(maker, by);
  if (by[0] == '0') {
    line(maker, "%sIADD32I R%u.CC, R%u, %s", if_true, low, a, by);
    line(maker, "%sIADD%s R%u, %s, R%u", if_true, one_in(maker, 8) ? "" : ".X", high,
         one_in(maker, 2) ? "RZ" : "-0x1", b);
    return;
  }
  line(maker, "%sIADD R%u.CC, R%u, %s%s", if_true, low, a, subtracts ? "-" : "", by);
  if (one_in(maker, 10))
    line(maker, "MOV R%u, R%u", any_target(maker), any_register(maker));
  line(maker, "%sIADD.X R%u, R%u, %s", if_true, high, b,
       subtracts          ? "-RZ"
       : one_in(maker, 8) ? "R3"
                          : "RZ");
}

static void partial_product(struct maker *maker, const char *if_true, unsigned to, unsigned a,
                            const char *b)
{
  line(maker, "%sXMAD%s R%u, R%u, %s, R%u", if_true,
       one_in(maker, 2)   ? ""
       : one_in(maker, 2) ? ".PSL"
                          : ".CHI",
       to, a, b, any_register(maker));
}

static void product(struct maker *maker, const char *if_true, unsigned to, unsigned a,
                    const char *b)
{
  if (one_in(maker, 2))
    line(maker, "%sIMAD R%u, R%u, %s, R%u", if_true, to, a, b, any_register(maker));
  else
    line(maker, "%sIMUL.U32.U32%s R%u, R%u, %s", if_true, one_in(maker, 2) ? "" : ".HI", to, a, b);
}

static void funnel_shift(struct maker *maker, const char *if_true, unsigned to, unsigned a)
{
  line(maker, "%sSHF.%s R%u, R%u, 0x%x, R%u", if_true,
       one_in(maker, 2)   ? "L.U64"
       : one_in(maker, 2) ? "R.U64"
                          : "L.W",
       to, a, (unsigned)below(maker, 32), any_register(maker));
}

static void arithmetic(struct maker *maker)
{
  char b[24];
  const unsigned to = any_target(maker);
  const unsigned a = any_register(maker);
  const char *if_true = guard(maker);
  bool upper;
  operand(maker, b);
  switch (below(maker, 21)) {
  case 0:
  case 1:
    line(maker, "%sMOV R%u, %s", if_true, to, b);
    break;
  case 2:
  case 3:
    line(maker, "%sIADD R%u, %sR%u, %s", if_true, to, one_in(maker, 4) ? "-" : "", a, b);
    break;
  case 4:
    line(maker, "%sSHL R%u, R%u, 0x%x", if_true, to, a, (unsigned)below(maker, 5));
    break;
  case 5:
    line(maker, "%sSHR%s R%u, R%u, 0x%x", if_true, one_in(maker, 2) ? ".U32" : "", to, a,
         (unsigned)below(maker, 5));
    break;
  case 6:
    line(maker, "%sLOP32I.%s R%u, R%u, 0x%x", if_true, one_in(maker, 3) ? "XOR" : "AND", to, a,
         any_number(maker));
    break;
  case 7:
    line(maker, "%sIMNMX%s R%u, R%u, %s, %s", if_true, one_in(maker, 2) ? ".U32" : "", to, a, b,
         one_in(maker, 2)   ? "PT"
         : one_in(maker, 2) ? "!PT"
                            : "P1");
    break;
  case 8:
    line(maker, "%sSEL R%u, R%u, %s, P1", if_true, to, a, b);
    break;
  case 9:
    partial_product(maker, if_true, to, a, b);
    break;
  case 10:
    line(maker, "%sISCADD R%u, R%u, %s, 0x%x", if_true, to, a, b, (unsigned)below(maker, 4));
    break;
  case 11:
    line(maker, "%sS2R R%u, %s", if_true, to, one_in(maker, 2) ? "SR_TID.X" : "SR_CTAID.X");
    break;
  case 12:
    line(maker, "%sBFE.U32 R%u, R%u, 0x%x", if_true, to, a,
         (unsigned)(below(maker, 20) + 0x100 * below(maker, 16)));
    break;
  case 13:
    upper = one_in(maker, 2);
    line(maker, "%sLEA%s R%u, R%u, %s, %s0x%x", if_true, upper ? ".HI" : "", to, a, b,
         upper ? "RZ, " : "", (unsigned)below(maker, 32));
    break;
  case 14:
    funnel_shift(maker, if_true, to, a);
    break;
  case 15:
    line(maker, "%sIADD3%s R%u, R%u, %s, R%u", if_true, one_in(maker, 2) ? "" : ".RS", to, a, b,
         any_register(maker));
    break;
  case 16:
    line(maker, "%sLOP32I.AND R%u, R%u, 0x%x", if_true, to, a,
         UINT32_MAX << (unsigned)below(maker, 6));
    break;
  case 17:
    wide_sum(maker, to, any_target(maker), one_in(maker, 8) ? if_true : "");
    break;
  case 18:
    product(maker, if_true, to, a, b);
    break;
  case 19:
    line(maker, "FSETP.GT.AND P2, PT, R8, R9, PT");
    break;
  default:
    line(maker, "%sLDG.E%s R%u, [R8]", if_true, one_in(maker, 4) ? ".64" : "",
         one_in(maker, 4) ? to & ~1U : to);
    break;
  }
}

/* A quotient and a remainder as compilers compute them, or what looks like it. */
static void division(struct maker *maker)
{
  const unsigned a = any_register(maker);
  const unsigned d = any_register(maker);
  const bool selects = one_in(maker, 3);
  if (one_in(maker, 3))
    line(maker, "MOV32I R%u, 0x%x", d, 1 + (unsigned)below(maker, 12));
  line(maker, "I2F.U32.RP R12, R%u", one_in(maker, 20) ? a : d);
  line(maker, "MUFU.RCP R12, R12");
  line(maker, "IADD32I R12, R12, 0x%x", one_in(maker, 20) ? 0xfffffffU : 0xffffffeU);
  line(maker, "F2I.FTZ.U32.TRUNC R12, R12");
  if (one_in(maker, 20))
    arithmetic(maker);
  line(maker, "IMUL.U32.U32 R13, R12, R%u", d);
  line(maker, "IADD R13, %sR13, RZ", one_in(maker, 20) ? "" : "-");
  line(maker, "IMUL.U32.U32.HI R13, R12, R13");
  line(maker, "IADD R12, R12, R13");
  line(maker, "IMUL.U32.U32.HI R12, R12, R%u", a);
  line(maker, "IMUL.U32.U32 R13, R12, R%u", d);
  line(maker, "IADD R13, R%u, -R13", one_in(maker, 20) ? any_register(maker) : a);
  for (unsigned corrections = one_in(maker, 10) ? 1 : 2; corrections > 0; corrections--) {
    const bool less = one_in(maker, 3);
    const char *often = less ? "!" : "";
    line(maker, "ISETP.%s%s.AND P3, PT, R13, R%u, PT",
         one_in(maker, 20) ? any_relation(maker)
         : less            ? "LT"
                           : "GE",
         one_in(maker, 20) ? "" : ".U32", d);
    if (selects) {
      line(maker, "IADD R14, R13, -R%u", d);
      line(maker, "SEL R13, R14, R13, %sP3", often);
      line(maker, "IADD32I R14, R12, 0x1");
      line(maker, "SEL R12, R14, R12, %sP3", often);
    } else {
      line(maker, "@%sP3 IADD R13, R13, -R%u", often, d);
      line(maker, "@%sP3 IADD32I R12, R12, 0x1", one_in(maker, 20) ? "" : often);
    }
  }
  line(maker, "MOV R%u, R%u", any_target(maker), 12 + (unsigned)below(maker, 2));
}

/* A load or store of the stack: of words at constant places, of others, of parts, of an array,
 * anywhere. */
static void stack_access(struct maker *maker)
{
  static const char *const bytes[] = {".U8", ".U16", ".64", ".64", ".64", ".LU"};
  const unsigned place = 4 * (unsigned)below(maker, 6);
  const unsigned a = any_register(maker);
  const char *if_true = guard(maker);
  switch (below(maker, 10)) {
  case 0:
  case 1:
    line(maker, "%sSTL [R10+0x%x], R%u", if_true, place, a);
    break;
  case 2:
  case 3:
    line(maker, "%sLDL R%u, [R10+0x%x]", if_true, any_target(maker), place);
    break;
  case 4:
    line(maker, "%sSTL%s [R10+0x%x], R%u", if_true, bytes[below(maker, 6)], place & ~7U, a & ~1U);
    break;
  case 5:
    line(maker, "%sLDL%s R%u, [R10+0x%x]", if_true, bytes[below(maker, 5)], any_target(maker) & ~1U,
         place & ~7U);
    break;
  case 6:
    line(maker, "LOP32I.AND R11, R%u, 0x%x", a, one_in(maker, 4) ? 0x1c : 0xc);
    line(maker, "IADD R11, R11, R10");
    line(maker, "%sSTL [R11%s], R%u", if_true, one_in(maker, 3) ? "+0x8" : "", any_register(maker));
    break;
  case 7:
    line(maker, "%sIADD32I R10, R10, %s0x%x", one_in(maker, 4) ? if_true : "",
         one_in(maker, 2) ? "-" : "", one_in(maker, 6) ? 2 : 8);
    break;
  case 8:
    line(maker, "%sST.E [R8], R%u", one_in(maker, 2) ? if_true : "", a);
    break;
  default:
    line(maker, "%sSTL [R%u], R%u", if_true, one_in(maker, 4) ? 11 : 10, a);
    break;
  }
}

/* To any label there is, into loops too. */
static void jump(struct maker *maker)
{
  if (maker->program->labels > 0)
    line(maker, "@P2 BRA L%zu", (size_t)below(maker, maker->program->labels));
}

static void statements(struct maker *maker, unsigned most);

static void condition(struct maker *maker)
{
  const size_t label = maker->program->labels++;
  char left[24];
  char right[24];
  snprintf(left, sizeof left, "R%u", any_register(maker));
  operand(maker, right);
  compare(maker, 1, left, any_relation(maker), right);
  line(maker, "@%sP1 BRA L%zu", one_in(maker, 2) ? "!" : "", label);
  statements(maker, 2);
  line(maker, "L%zu:", label);
}

/* The step of a counter, at once or in two parts. */
static void step(struct maker *maker, unsigned counter, uint32_t by)
{
  if (maker->stack && one_in(maker, 3)) { /* spilled */
    line(maker, "STL [R10+0x%x], R%u", 4 * counter, counter);
    line(maker, "MOV R%u, R%u", counter, any_register(maker));
    if (one_in(maker, 3))
      stack_access(maker);
    line(maker, "LDL R%u, [R10+0x%x]", counter, 4 * counter);
  }
  const char *if_true = one_in(maker, maker->tame ? 20 : 8) ? "@P1 " : "";
  switch (below(maker, 8)) {
  case 0:
    line(maker, "%sSHR%s R%u, R%u, 0x1", if_true, one_in(maker, 2) ? ".U32" : "", counter, counter);
    break;
  case 1:
    line(maker, "%sIADD R%u, R%u, R%u", if_true, counter, counter, counter);
    break;
  case 2:
    if (one_in(maker, 2))
      division(maker);
    line(maker, "%sIADD R%u, R%u, R%u", if_true, counter, counter, any_register(maker));
    break;
  case 3:
    line(maker, "MOV R6, R%u", counter);
    line(maker, "%sIADD32I R%u, R6, 0x%x", if_true, counter, by);
    break;
  case 4:
    line(maker, "IADD32I R%u, R%u, 0x%x", counter, counter, by);
    line(maker, "%sIADD32I R%u, R%u, 0x1", if_true, counter, counter);
    break;
  default:
    line(maker, "%sIADD32I R%u, R%u, 0x%x", if_true, counter, counter, by);
    break;
  }
}

/* A relation that a counter with such a step leaves sooner or later, or any. */
static const char *some_relation(struct maker *maker, uint32_t by)
{
  static const char *const up[] = {"LT", "LE", "NE"};
  static const char *const down[] = {"GT", "GE", "NE"};
  if (!maker->tame || by == 0 || one_in(maker, 5))
    return any_relation(maker);
  return by <= INT32_MAX ? up[below(maker, 3)] : down[below(maker, 3)];
}

static void start(struct maker *maker, unsigned counter)
{
  if (one_in(maker, 4))
    line(maker, "S2R R%u, SR_TID.X", counter);
  else if (one_in(maker, 5))
    line(maker, "MOV R%u, c[0x0][0x%x]", counter, 0x140 + 4 * (unsigned)below(maker, 8));
  else
    line(maker, "MOV32I R%u, 0x%x", counter, any_number(maker));
}

static void loop(struct maker *maker)
{
  const size_t label = maker->program->labels++;
  const unsigned counter = any_target(maker);
  const unsigned around = maker->busy;
  const uint32_t by = one_in(maker, 2) ? 1 : (uint32_t)below(maker, 9) - 4;
  const char *relation = some_relation(maker, by);
  const bool early = one_in(maker, 3); /* the test is above the step */
  char left[24];
  char right[24];
  snprintf(left, sizeof left, "R%u", counter);
  operand(maker, right);
  maker->depth++;
  maker->busy |= 1U << counter;
  start(maker, counter);
  line(maker, "L%zu:", label);
  if (one_in(maker, 2))
    statements(maker, 2);
  if (early)
    compare(maker, 0, left, relation, right);
  step(maker, counter, by);
  if (!early)
    compare(maker, 0, left, relation, right);
  if (one_in(maker, 4))
    statements(maker, 1);
  if (one_in(maker, 10))
    line(maker, "@P1 BRA L%zu", label);
  line(maker, "@%sP0 BRA L%zu", one_in(maker, maker->tame ? 16 : 4) ? "!" : "", label);
  maker->depth--;
  maker->busy = around;
}

/* The operands of a comparison of 64 bits with the pair (high, low): by = -limit for the lower
 * words, and the upper word of the limit. */
static void wide_compare(struct maker *maker, unsigned low, unsigned high, const char *relation)
{
  const char *type = one_in(maker, 2) ? ".U32" : "";
  const char *last = maker->tame || one_in(maker, 2) ? "PT" : "P1";
  char upper[24] = "RZ";
  if (one_in(maker, 5))
    snprintf(upper, sizeof upper, "%s", one_in(maker, 2) ? "-0x1" : "c[0x0][0x15c]");
  switch (below(maker, 4)) {
  case 0:
    line(maker, "IADD32I RZ.CC, R%u, -0x%x", low, (unsigned)below(maker, 60));
    break;
  case 1:
    line(maker, "IADD RZ.CC, R%u, -R%u", low, any_register(maker));
    break;
  case 2:
    line(maker, "IADD RZ.CC, -R%u, c[0x0][0x%x]", low, 0x140 + 4 * (unsigned)below(maker, 8));
    line(maker, "ISETP.%s%s.X.AND P0, PT, R%u, R%u, %s", relation, type, any_register(maker), high,
         last);
    return;
  default:
    line(maker, "IADD RZ.CC, R%u, -c[0x0][0x%x]", low, 0x140 + 4 * (unsigned)below(maker, 8));
    break;
  }
  if (one_in(maker, 12))
    line(maker, "IADD32I R%u.CC, R%u, 0x1", any_target(maker), any_register(maker));
  line(maker, "ISETP.%s%s.X.AND P0, PT, R%u, %s, %s", relation, type, high, upper, last);
}

/* A step of 64 bits, or what looks like one. */
static void wide_step(struct maker *maker, unsigned low, unsigned high, uint32_t by)
{
  const char *if_true = one_in(maker, 16) ? "@P1 " : "";
  if (one_in(maker, 8)) {
    line(maker, "IADD R%u.CC, R%u, R%u", low, any_register(maker), low);
    line(maker, "%sIADD.X R%u, RZ, R%u", if_true, high, high);
    return;
  }
  line(maker, "%sIADD32I R%u.CC, R%u, 0x%x", if_true, low, low, by);
  if (one_in(maker, 12))
    arithmetic(maker);
  if (by > INT32_MAX && !one_in(maker, 6))
    line(maker, "%sIADD32I.X R%u, R%u, -0x1", if_true, high, high);
  else
    line(maker, "%sIADD.X R%u, RZ, R%u", if_true, high, high);
}

static void wide_loop(struct maker *maker)
{
  const size_t label = maker->program->labels++;
  const unsigned around = maker->busy;
  const unsigned low = any_target(maker);
  maker->busy |= 1U << low;
  const unsigned high = any_target(maker);
  const uint32_t by = one_in(maker, 2) ? 1 : (uint32_t)below(maker, 9) - 4;
  const char *relation = some_relation(maker, by);
  const bool early = one_in(maker, 3);
  maker->depth++;
  maker->busy |= 1U << high;
  start(maker, low);
  if (one_in(maker, 3))
    line(maker, "SHR R%u, R%u, 0x1f", high, low);
  else
    line(maker, "MOV R%u, %s", high, one_in(maker, 8) ? "0xffffffff" : "RZ");
  line(maker, "L%zu:", label);
  if (one_in(maker, 2))
    statements(maker, 2);
  if (early)
    wide_compare(maker, low, high, relation);
  wide_step(maker, low, high, by);
  if (!early)
    wide_compare(maker, low, high, relation);
  line(maker, "@%sP0 BRA L%zu", one_in(maker, maker->tame ? 16 : 4) ? "!" : "", label);
  maker->depth--;
  maker->busy = around;
}

/* What is left of a number by a mask or a shift, counted down to 0, entered where it is not: the
 * loops that compilers put behind those that they unroll, with their predicates. */
static void remainder_loop(struct maker *maker)
{
  const size_t label = maker->program->labels;
  const unsigned around = maker->busy;
  const unsigned counter = any_target(maker);
  const unsigned power = (unsigned)below(maker, 4);
  const bool flagged = one_in(maker, 2);
  maker->program->labels += 2;
  maker->depth++;
  start(maker, counter);
  maker->busy |= 1U << counter;
  line(maker, "LOP32I.AND R%u, R%u, 0x%x", counter, counter,
       one_in(maker, 2) ? (unsigned)below(maker, 64) : 0x3fU << power);
  if (flagged)
    line(maker, "PSETP.AND.AND P1, PT, %sPT, PT, PT", one_in(maker, 2) ? "!" : "");
  line(maker, "ISETP.%s%s P0, PT, R%u, %s, %s", any_relation(maker), flagged ? ".OR" : ".AND",
       counter, one_in(maker, 2) ? "RZ" : "0x4", flagged ? "P1" : "PT");
  line(maker, "@!P0 BRA L%zu", label + 1);
  if (one_in(maker, 3))
    statements(maker, 1);
  line(maker, "L%zu:", label);
  if (one_in(maker, 2))
    statements(maker, 1);
  line(maker, "IADD32I R%u, R%u, -0x%x", counter, counter, 1U << below(maker, power + 1));
  line(maker, "ISETP.%s.AND P0, PT, R%u, %s, PT", one_in(maker, 3) ? "GT" : "NE", counter,
       one_in(maker, 3) ? "0x4" : "RZ");
  line(maker, "@P0 BRA L%zu", label);
  line(maker, "L%zu:", label + 1);
  maker->depth--;
  maker->busy = around;
}

/* P0 is whether some bits of the number are not 0, or not another number that it is then less by.
 */
static void test_bits(struct maker *maker, unsigned number, unsigned bits)
{
  if (one_in(maker, 2)) {
    line(maker, "LOP.AND.NZ P0, %s, R%u, 0x%x", one_in(maker, 2) ? "RZ" : "R7", number, bits);
    return;
  }
  line(maker, "LOP32I.AND R7, R%u, 0x%x", number, bits);
  line(maker, "ISETP.%s.AND P0, PT, R7, 0x%x, PT", one_in(maker, 8) ? any_relation(maker) : "NE",
       (unsigned)below(maker, (uint64_t)(bits & 7) + 1));
  if (one_in(maker, 3))
    line(maker, "MOV R7, R%u", any_register(maker));
}

/* A number counted down to 0 by some of its bits, behind a test of these bits, and then by a power
 * of two where it was made a multiple: the two loops of an unrolled one. */
static void unrolled_loops(struct maker *maker)
{
  const size_t label = maker->program->labels;
  const unsigned around = maker->busy;
  const unsigned number = any_target(maker);
  const unsigned power = 1 + (unsigned)below(maker, 3);
  const unsigned bits = one_in(maker, 8) ? any_number(maker) : (1U << power) - 1;
  maker->busy |= 1U << number;
  const unsigned rest = any_target(maker);
  const char *by = one_in(maker, 4) ? "" : "-";
  maker->busy |= 1U << rest;
  maker->program->labels += 4;
  maker->depth++;
  start(maker, number);
  test_bits(maker, number, bits);
  if (one_in(maker, 3)) { /* the branch is in another block */
    line(maker, "@P2 BRA L%zu", label + 3);
    arithmetic(maker);
  }
  line(maker, "L%zu:", label + 3);
  line(maker, "@%sP0 BRA L%zu", one_in(maker, 6) ? "" : "!", label + 1);
  if (one_in(maker, 3))
    line(maker, "IADD32I R%u, R%u, 0x%x", number, number, any_number(maker) & 0xf);
  if (one_in(maker, 3))
    statements(maker, 1);
  line(maker, "LOP.AND R%u, %sR%u, 0x%x", rest, one_in(maker, 4) ? "~" : "", number,
       one_in(maker, 8) ? any_number(maker) & 0xff : bits & 0xff);
  if (*by == '\0')
    line(maker, "IADD R%u, -R%u, RZ", rest, rest);
  line(maker, "L%zu:", label);
  if (one_in(maker, 3))
    statements(maker, 1);
  line(maker, "IADD32I R%u, R%u, %s0x1", rest, rest, by);
  line(maker, "ISETP.NE.AND P0, PT, R%u, RZ, PT", rest);
  line(maker, "@P0 BRA L%zu", label);
  line(maker, "L%zu:", label + 1);
  line(maker, "LOP32I.AND R%u, R%u, 0x%x", rest, number, bits);
  if (one_in(maker, 3))
    statements(maker, 1);
  line(maker, "IADD R%u, R%u, -R%u", number, number, rest);
  line(maker, "L%zu:", label + 2);
  line(maker, "IADD32I R%u, R%u, -0x%x", number, number, 1U << below(maker, power + 1));
  line(maker, "ISETP.%s.AND P0, PT, R%u, RZ, PT", one_in(maker, 2) ? "GT" : "NE", number);
  line(maker, "@P0 BRA L%zu", label + 2);
  maker->depth--;
  maker->busy = around;
}

/* R7 is between two counters, or somewhere else. */
static void middle(struct maker *maker, unsigned low, unsigned high)
{
  const bool sum = one_in(maker, 2);
  line(maker, "IADD R7, %sR%u, R%u", sum ? "" : "-", low, high);
  if (one_in(maker, 3))
    line(maker, "LEA.HI R7, R7, R7, RZ, 0x1");
  line(maker, "SHR%s R7, R7, 0x%x", one_in(maker, 2) ? ".U32" : "", one_in(maker, 8) ? 2 : 1);
  if (!sum)
    line(maker, "IADD R7, R7, R%u", low);
}

/* What moves one of two counters to the other, on each outcome of a predicate another one. */
static void move(struct maker *maker, unsigned low, unsigned high, unsigned kind)
{
  const uint32_t far = one_in(maker, 4) ? (uint32_t)below(maker, 4) : 1;
  line(maker, "FSETP.GT.AND P2, PT, R8, R9, PT");
  switch (kind) {
  case 0: /* from both ends */
    line(maker, "@P2 IADD32I R%u, R%u, 0x%x", low, low, far);
    line(maker, "@!P2 IADD32I R%u, R%u, -0x%x", high, high, one_in(maker, 4) ? 2 : 1);
    break;
  case 1: /* halves */
    middle(maker, low, high);
    line(maker, "@P2 IADD32I R%u, R7, 0x%x", low, far);
    if (one_in(maker, 2))
      line(maker, "@!P2 MOV R%u, R7", high);
    else
      line(maker, "@!P2 IADD32I R%u, R7, -0x1", high);
    break;
  case 2: /* one after the other */
    line(maker, "@P2 IADD32I R%u, R%u, 0x%x", low, low, far);
    line(maker, "@!P2 IADD32I R%u, R%u, 0x%x", high, high, one_in(maker, 4) ? 2 : 1);
    break;
  default: /* the half of one */
    line(maker, "SHR%s R7, R%u, 0x1", one_in(maker, 2) ? ".U32" : "", low);
    line(maker, "@P2 IADD R%u, R%u, -R7", low, low);
    line(maker, "@P2 IADD32I R%u, R%u, -0x%x", low, low, far);
    line(maker, "@!P2 MOV R%u, R7", low);
    break;
  }
}

/* A loop that two counters end, one of which each iteration moves. */
static void two_counters(struct maker *maker)
{
  const size_t label = maker->program->labels;
  const unsigned around = maker->busy;
  const unsigned low = any_target(maker);
  maker->busy |= 1U << low;
  const unsigned high = any_target(maker);
  const unsigned kind = (unsigned)below(maker, 4);
  const char *const relation = one_in(maker, 8)   ? any_relation(maker)
                               : one_in(maker, 3) ? "LE"
                               : one_in(maker, 4) ? "NE"
                                                  : "LT";
  const bool early = one_in(maker, 3);
  char left[24];
  char right[24];
  char end[24];
  maker->busy |= 1U << high;
  maker->program->labels += 2;
  maker->depth++;
  start(maker, low);
  start(maker, high);
  operand(maker, end);
  snprintf(left, sizeof left, "R%u", low);
  snprintf(right, sizeof right, "R%u", high);
  line(maker, "L%zu:", label);
  if (one_in(maker, 4))
    statements(maker, 1);
  if (!early)
    move(maker, low, high, kind);
  if (kind < 2)
    compare(maker, 0, left, relation, right);
  else
    compare(maker, 0, left, kind == 3 ? "GT" : relation, kind == 3 ? "RZ" : end);
  line(maker, "@!P0 BRA L%zu", label + 1);
  if (kind == 2) {
    operand(maker, end);
    compare(maker, 0, right, relation, end);
    line(maker, "@!P0 BRA L%zu", label + 1);
  }
  if (early)
    move(maker, low, high, kind);
  if (one_in(maker, 6))
    statements(maker, 1);
  line(maker, "BRA L%zu", label);
  line(maker, "L%zu:", label + 1);
  maker->depth--;
  maker->busy = around;
}

/* A loop to the equality of two registers, behind a test of their order that one of them may still
 * change in; or one that counts their difference. */
static void related_loop(struct maker *maker)
{
  const size_t label = maker->program->labels++;
  const unsigned around = maker->busy;
  const unsigned low = any_target(maker);
  maker->busy |= 1U << low;
  const unsigned high = any_target(maker);
  const bool counts = one_in(maker, 2);
  const unsigned changed = one_in(maker, 2) ? low : high;
  char names[2][24];
  start(maker, low);
  start(maker, high);
  snprintf(names[0], sizeof names[0], "R%u", low);
  snprintf(names[1], sizeof names[1], "R%u", high);
  compare(maker, 0, names[0], one_in(maker, 6) ? any_relation(maker) : "LT", names[1]);
  line(maker, "@!P0 BRA L%zu", label);
  if (one_in(maker, 2))
    line(maker, "IMNMX%s R%u, R%u, R%u, %sPT", one_in(maker, 2) ? "" : ".U32", changed, changed,
         any_register(maker), one_in(maker, 2) ? "!" : "");
  if (counts)
    line(maker, "IADD R%u, R%u, -R%u", high, high, low);
  line(maker, "L%zu:", ++maker->program->labels - 1);
  line(maker, "IADD32I R%u, R%u, 0x%x", counts ? high : low, counts ? high : low,
       counts ? UINT32_MAX : 1);
  compare(maker, 0, names[counts], "NE", counts ? "RZ" : names[1]);
  line(maker, "@P0 BRA L%zu", maker->program->labels - 1);
  line(maker, "L%zu:", label);
  maker->busy = around;
}

/* A loop whose counter is a word of the stack, or one of two words. */
static void stack_loop(struct maker *maker)
{
  const size_t label = maker->program->labels++;
  const unsigned place = 8 * (unsigned)below(maker, 3);
  const uint32_t by = one_in(maker, 2) ? 1 : (uint32_t)below(maker, 9) - 4;
  const bool wide = one_in(maker, 3);
  const char *relation = some_relation(maker, by);
  char right[24];
  maker->depth++;
  start(maker, 4);
  if (wide)
    line(maker, "MOV R5, RZ");
  line(maker, "STL%s [R10+0x%x], R4", wide ? ".64" : "", place);
  line(maker, "L%zu:", label);
  if (one_in(maker, 2))
    statements(maker, 2);
  line(maker, "LDL%s R4, [R10+0x%x]", wide ? ".64" : "", place);
  if (wide) {
    wide_step(maker, 4, 5, by);
    wide_compare(maker, 4, 5, relation);
  } else {
    line(maker, "IADD32I R4, R4, 0x%x", by);
    operand(maker, right);
    compare(maker, 0, "R4", relation, right);
  }
  line(maker, "%sSTL%s [R10+0x%x], R4", one_in(maker, 12) ? "@P1 " : "", wide ? ".64" : "", place);
  if (one_in(maker, 6))
    statements(maker, 1);
  line(maker, "@%sP0 BRA L%zu", one_in(maker, maker->tame ? 16 : 4) ? "!" : "", label);
  maker->depth--;
}

static void any_loop(struct maker *maker)
{
  if (maker->stack && one_in(maker, 3))
    stack_loop(maker);
  else if (one_in(maker, 4))
    two_counters(maker);
  else if (one_in(maker, 5))
    related_loop(maker);
  else if (one_in(maker, 3))
    wide_loop(maker);
  else if (one_in(maker, 6))
    unrolled_loops(maker);
  else if (one_in(maker, 3))
    remainder_loop(maker);
  else
    loop(maker);
}

static void statements(struct maker *maker, unsigned most)
{
  for (uint64_t left = below(maker, most + 1); left > 0; left--) {
    if (maker->program->count > COUNTERS_LINES - 50)
      return;
    if (maker->depth < MOST_DEPTH && one_in(maker, 4))
      any_loop(maker);
    else if (one_in(maker, 5))
      condition(maker);
    else if (one_in(maker, 20))
      jump(maker);
    else if (maker->stack && one_in(maker, 5))
      stack_access(maker);
    else if (one_in(maker, 12))
      division(maker);
    else
      arithmetic(maker);
  }
}

void counters_random(struct wb_random *random, struct counters_program *program)
{
  struct maker maker = {
      .random = random, .program = program, .tame = wb_random_below(random, 2) == 0};
  *program = (struct counters_program){.count = 0};
  maker.stack = one_in(&maker, 3);
  if (maker.stack) {
    line(&maker, "MOV R10, c[0x0][0x20]");
    line(&maker, "IADD32I R10, R10, -0x40");
  }
  statements(&maker, 3);
  any_loop(&maker);
  statements(&maker, 2);
  line(&maker, "EXIT");
  program->lines[program->count] = NULL;
}
