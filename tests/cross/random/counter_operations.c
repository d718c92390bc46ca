/* What random programs of counting loops do besides counting. */
#include "counter_maker.h"

#include <stdarg.h>
#include <stdio.h>

uint64_t counter_below(struct counter_maker *maker, uint64_t bound)
{
  return wb_random_below(maker->random, bound);
}

bool counter_one_in(struct counter_maker *maker, uint64_t n)
{
  return counter_below(maker, n) == 0;
}

void counter_line(struct counter_maker *maker, const char *format, ...)
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

unsigned counter_any_register(struct counter_maker *maker)
{
  return (unsigned)counter_below(maker, COUNTER_REGISTERS);
}

/* A register to write. */
unsigned counter_any_target(struct counter_maker *maker)
{
  const unsigned first = counter_any_register(maker);
  for (unsigned i = 0; maker->tame && i < COUNTER_REGISTERS; i++) {
    const unsigned target = (first + i) % COUNTER_REGISTERS;
    if ((maker->busy >> target & 1U) == 0)
      return target;
  }
  return first;
}

/* Small, or near the ends of signed and unsigned numbers. */
uint32_t counter_any_number(struct counter_maker *maker)
{
  static const uint32_t near[] = {0, 0, 0, 0, UINT32_C(0x80000000)};
  const uint32_t middle = near[counter_below(maker, sizeof near / sizeof *near)];
  return middle + (uint32_t)counter_below(maker, 50) - 15;
}

/* An operand: a register, a number, a parameter, the block's size. */
void counter_operand(struct counter_maker *maker, char text[24])
{
  switch (counter_below(maker, 6)) {
  case 0:
  case 1:
    snprintf(text, 24, "R%u", counter_any_register(maker));
    break;
  case 2:
    snprintf(text, 24, "c[0x0][0x%x]", 0x140 + 4 * (unsigned)counter_below(maker, 8));
    break;
  case 3:
    snprintf(text, 24, "c[0x0][0x%x]", counter_one_in(maker, 2) ? 0x8U : 0x14U);
    break;
  default:
    snprintf(text, 24, "0x%x", counter_any_number(maker));
    break;
  }
}

static const char *guard(struct counter_maker *maker)
{
  static const char *const guards[] = {"@P1 ", "@!P1 ", "@P0 "};
  return counter_one_in(maker, 5) ? guards[counter_below(maker, 3)] : "";
}

const char *counter_any_relation(struct counter_maker *maker)
{
  static const char *const relations[] = {"LT", "EQ", "LE", "GT", "NE", "GE"};
  return relations[counter_below(maker, 6)];
}

void counter_compare(struct counter_maker *maker, unsigned predicate, const char *left,
                     const char *relation, const char *right)
{
  static const char *const last[] = {"PT", "PT", "PT", "P1", "!P1"};
  counter_line(
      maker, "%sISETP.%s%s.%s P%u, PT, %s, %s, %s", counter_one_in(maker, 16) ? "@P2 " : "",
      relation, counter_one_in(maker, 2) ? ".U32" : "", counter_one_in(maker, 4) ? "OR" : "AND",
      predicate, left, right, last[maker->tame && predicate == 0 ? 0 : counter_below(maker, 5)]);
}

/* A sum of 64 bits, or what looks like one. */
static void wide_sum(struct counter_maker *maker, unsigned low, unsigned high, const char *if_true)
{
  const bool subtracts = counter_one_in(maker, 3);
  const unsigned a = counter_one_in(maker, 3) ? counter_any_register(maker) : low;
  const unsigned b = counter_one_in(maker, 3) ? counter_any_register(maker) : high;
  char by[24];
  counter_operand(maker, by);
  if (by[0] == '0') {
    counter_line(maker, "%sIADD32I R%u.CC, R%u, %s", if_true, low, a, by);
    counter_line(maker, "%sIADD%s R%u, %s, R%u", if_true, counter_one_in(maker, 8) ? "" : ".X",
                 high, counter_one_in(maker, 2) ? "RZ" : "-0x1", b);
    return;
  }
  counter_line(maker, "%sIADD R%u.CC, R%u, %s%s", if_true, low, a, subtracts ? "-" : "", by);
  if (counter_one_in(maker, 10))
    counter_line(maker, "MOV R%u, R%u", counter_any_target(maker), counter_any_register(maker));
  counter_line(maker, "%sIADD.X R%u, R%u, %s", if_true, high, b,
               subtracts                  ? "-RZ"
               : counter_one_in(maker, 8) ? "R3"
                                          : "RZ");
}

static void partial_product(struct counter_maker *maker, const char *if_true, unsigned to,
                            unsigned a, const char *b)
{
  counter_line(maker, "%sXMAD%s R%u, R%u, %s, R%u", if_true,
               counter_one_in(maker, 2)   ? ""
               : counter_one_in(maker, 2) ? ".PSL"
                                          : ".CHI",
               to, a, b, counter_any_register(maker));
}

static void product(struct counter_maker *maker, const char *if_true, unsigned to, unsigned a,
                    const char *b)
{
  if (counter_one_in(maker, 2))
    counter_line(maker, "%sIMAD R%u, R%u, %s, R%u", if_true, to, a, b, counter_any_register(maker));
  else
    counter_line(maker, "%sIMUL.U32.U32%s R%u, R%u, %s", if_true,
                 counter_one_in(maker, 2) ? "" : ".HI", to, a, b);
}

static void funnel_shift(struct counter_maker *maker, const char *if_true, unsigned to, unsigned a)
{
  counter_line(maker, "%sSHF.%s R%u, R%u, 0x%x, R%u", if_true,
               counter_one_in(maker, 2)   ? "L.U64"
               : counter_one_in(maker, 2) ? "R.U64"
                                          : "L.W",
               to, a, (unsigned)counter_below(maker, 32), counter_any_register(maker));
}

void counter_arithmetic(struct counter_maker *maker)
{
  char b[24];
  const unsigned to = counter_any_target(maker);
  const unsigned a = counter_any_register(maker);
  const char *if_true = guard(maker);
  bool upper;
  counter_operand(maker, b);
  switch (counter_below(maker, 21)) {
  case 0:
  case 1:
    counter_line(maker, "%sMOV R%u, %s", if_true, to, b);
    break;
  case 2:
  case 3:
    counter_line(maker, "%sIADD R%u, %sR%u, %s", if_true, to, counter_one_in(maker, 4) ? "-" : "",
                 a, b);
    break;
  case 4:
    counter_line(maker, "%sSHL R%u, R%u, 0x%x", if_true, to, a, (unsigned)counter_below(maker, 5));
    break;
  case 5:
    counter_line(maker, "%sSHR%s R%u, R%u, 0x%x", if_true, counter_one_in(maker, 2) ? ".U32" : "",
                 to, a, (unsigned)counter_below(maker, 5));
    break;
  case 6:
    counter_line(maker, "%sLOP32I.%s R%u, R%u, 0x%x", if_true,
                 counter_one_in(maker, 3) ? "XOR" : "AND", to, a, counter_any_number(maker));
    break;
  case 7:
    counter_line(maker, "%sIMNMX%s R%u, R%u, %s, %s", if_true,
                 counter_one_in(maker, 2) ? ".U32" : "", to, a, b,
                 counter_one_in(maker, 2)   ? "PT"
                 : counter_one_in(maker, 2) ? "!PT"
                                            : "P1");
    break;
  case 8:
    counter_line(maker, "%sSEL R%u, R%u, %s, P1", if_true, to, a, b);
    break;
  case 9:
    partial_product(maker, if_true, to, a, b);
    break;
  case 10:
    counter_line(maker, "%sISCADD R%u, R%u, %s, 0x%x", if_true, to, a, b,
                 (unsigned)counter_below(maker, 4));
    break;
  case 11:
    counter_line(maker, "%sS2R R%u, %s", if_true, to,
                 counter_one_in(maker, 2) ? "SR_TID.X" : "SR_CTAID.X");
    break;
  case 12:
    counter_line(maker, "%sBFE.U32 R%u, R%u, 0x%x", if_true, to, a,
                 (unsigned)(counter_below(maker, 20) + 0x100 * counter_below(maker, 16)));
    break;
  case 13:
    upper = counter_one_in(maker, 2);
    counter_line(maker, "%sLEA%s R%u, R%u, %s, %s0x%x", if_true, upper ? ".HI" : "", to, a, b,
                 upper ? "RZ, " : "", (unsigned)counter_below(maker, 32));
    break;
  case 14:
    funnel_shift(maker, if_true, to, a);
    break;
  case 15:
    counter_line(maker, "%sIADD3%s R%u, R%u, %s, R%u", if_true,
                 counter_one_in(maker, 2) ? "" : ".RS", to, a, b, counter_any_register(maker));
    break;
  case 16:
    counter_line(maker, "%sLOP32I.AND R%u, R%u, 0x%x", if_true, to, a,
                 UINT32_MAX << (unsigned)counter_below(maker, 6));
    break;
  case 17:
    wide_sum(maker, to, counter_any_target(maker), counter_one_in(maker, 8) ? if_true : "");
    break;
  case 18:
    product(maker, if_true, to, a, b);
    break;
  case 19:
    counter_line(maker, "FSETP.GT.AND P2, PT, R8, R9, PT");
    break;
  default: {
    static const char *const types[] = {"", "", ".64", ".U8", ".S8", ".U16", ".S16"};
    const char *type = types[wb_random_below(maker->random, sizeof types / sizeof *types)];
    counter_line(maker, "%sLDG.E%s R%u, [R8]", if_true, type,
                 counter_one_in(maker, 4) ? to & ~1U : to);
    break;
  }
  }
}

void counter_division(struct counter_maker *maker)
{
  counter_division_to(maker, counter_any_target(maker));
}

/* A quotient and a remainder as compilers compute them, or what looks like it: R[to] is one of the
 * two. */
void counter_division_to(struct counter_maker *maker, unsigned to)
{
  const unsigned a = counter_any_register(maker);
  const unsigned d = counter_any_register(maker);
  const bool selects = counter_one_in(maker, 3);
  if (counter_one_in(maker, 3))
    counter_line(maker, "MOV32I R%u, 0x%x", d, 1 + (unsigned)counter_below(maker, 12));
  counter_line(maker, "I2F.U32.RP R12, R%u", counter_one_in(maker, 20) ? a : d);
  counter_line(maker, "MUFU.RCP R12, R12");
  counter_line(maker, "IADD32I R12, R12, 0x%x",
               counter_one_in(maker, 20) ? 0xfffffffU : 0xffffffeU);
  counter_line(maker, "F2I.FTZ.U32.TRUNC R12, R12");
  if (counter_one_in(maker, 20))
    counter_arithmetic(maker);
  counter_line(maker, "IMUL.U32.U32 R13, R12, R%u", d);
  counter_line(maker, "IADD R13, %sR13, RZ", counter_one_in(maker, 20) ? "" : "-");
  counter_line(maker, "IMUL.U32.U32.HI R13, R12, R13");
  counter_line(maker, "IADD R12, R12, R13");
  counter_line(maker, "IMUL.U32.U32.HI R12, R12, R%u", a);
  counter_line(maker, "IMUL.U32.U32 R13, R12, R%u", d);
  counter_line(maker, "IADD R13, R%u, -R13",
               counter_one_in(maker, 20) ? counter_any_register(maker) : a);
  for (unsigned corrections = counter_one_in(maker, 10) ? 1 : 2; corrections > 0; corrections--) {
    const bool less = counter_one_in(maker, 3);
    const char *often = less ? "!" : "";
    counter_line(maker, "ISETP.%s%s.AND P3, PT, R13, R%u, PT",
                 counter_one_in(maker, 20) ? counter_any_relation(maker)
                 : less                    ? "LT"
                                           : "GE",
                 counter_one_in(maker, 20) ? "" : ".U32", d);
    if (selects) {
      counter_line(maker, "IADD R14, R13, -R%u", d);
      counter_line(maker, "SEL R13, R14, R13, %sP3", often);
      counter_line(maker, "IADD32I R14, R12, 0x1");
      counter_line(maker, "SEL R12, R14, R12, %sP3", often);
    } else {
      counter_line(maker, "@%sP3 IADD R13, R13, -R%u", often, d);
      counter_line(maker, "@%sP3 IADD32I R12, R12, 0x1", counter_one_in(maker, 20) ? "" : often);
    }
  }
  counter_line(maker, "MOV R%u, R%u", to, 12 + (unsigned)counter_below(maker, 2));
}

/* An integer that goes through floats: R[to] is what a few sums, products, minima and maxima make
 * of a register, rounded in some way. */
void counter_float_to(struct counter_maker *maker, unsigned to)
{
  static const char *const numbers[] = {"0.5",  "1.5",  "2.5",    "-1.5",          "-0.25",
                                        "100",  "0.1",  "3",      "1e-30",         "-3",
                                        "+INF", "1e30", "0.3333", "1.1754944e-38", "12.75"};
  static const char *const rounds[] = {"TRUNC", "FLOOR", "CEIL", "TRUNC"};
  const char *kind = counter_one_in(maker, 3) ? "U32" : "S32";
  counter_line(maker, "I2F.F32.%s R12, R%u", kind, counter_any_register(maker));
  for (uint64_t steps = 1 + counter_below(maker, 3); steps > 0; steps--) {
    const char *a = numbers[counter_below(maker, sizeof numbers / sizeof *numbers)];
    const char *b = numbers[counter_below(maker, sizeof numbers / sizeof *numbers)];
    const char *flush = counter_one_in(maker, 4) ? ".FTZ" : "";
    switch (counter_below(maker, 6)) {
    case 0:
      counter_line(maker, "FADD%s R12, R12, %s", flush, a);
      break;
    case 1:
    case 2:
      counter_line(maker, "FMUL%s R12, R12, %s", flush, a);
      break;
    case 3:
      counter_line(maker, "MOV32I R13, 0x%x",
                   counter_one_in(maker, 2) ? 0x3f000000U : (unsigned)counter_below(maker, 3000));
      counter_line(maker, "FFMA%s R12, R12, %s, R13", flush, a);
      break;
    case 4:
      counter_line(maker, "FMNMX R12, R12, %s, %sPT", a, counter_one_in(maker, 2) ? "!" : "");
      break;
    default:
      counter_line(maker, "FMNMX%s R12, R12, %s, !PT", flush, a);
      counter_line(maker, "FMNMX%s R12, R12, %s, PT", flush, b);
    }
  }
  counter_line(maker, "F2I.%s.F32.%s R%u, R12", counter_one_in(maker, 6) ? "U32" : kind,
               rounds[counter_below(maker, sizeof rounds / sizeof *rounds)], to);
}

/* A load or store of the stack: of words at constant places, of others, of parts, of an array,
 * anywhere. */
void counter_stack_access(struct counter_maker *maker)
{
  static const char *const bytes[] = {".U8", ".U16", ".64", ".64", ".64", ".LU"};
  const unsigned place = 4 * (unsigned)counter_below(maker, 6);
  const unsigned a = counter_any_register(maker);
  const char *if_true = guard(maker);
  switch (counter_below(maker, 10)) {
  case 0:
  case 1:
    counter_line(maker, "%sSTL [R10+0x%x], R%u", if_true, place, a);
    break;
  case 2:
  case 3:
    counter_line(maker, "%sLDL R%u, [R10+0x%x]", if_true, counter_any_target(maker), place);
    break;
  case 4:
    counter_line(maker, "%sSTL%s [R10+0x%x], R%u", if_true, bytes[counter_below(maker, 6)],
                 place & ~7U, a & ~1U);
    break;
  case 5:
    counter_line(maker, "%sLDL%s R%u, [R10+0x%x]", if_true, bytes[counter_below(maker, 5)],
                 counter_any_target(maker) & ~1U, place & ~7U);
    break;
  case 6:
    counter_line(maker, "LOP32I.AND R11, R%u, 0x%x", a, counter_one_in(maker, 4) ? 0x1c : 0xc);
    counter_line(maker, "IADD R11, R11, R10");
    counter_line(maker, "%sSTL [R11%s], R%u", if_true, counter_one_in(maker, 3) ? "+0x8" : "",
                 counter_any_register(maker));
    break;
  case 7:
    counter_line(maker, "%sIADD32I R10, R10, %s0x%x", counter_one_in(maker, 4) ? if_true : "",
                 counter_one_in(maker, 2) ? "-" : "", counter_one_in(maker, 6) ? 2 : 8);
    break;
  case 8:
    counter_line(maker, "%sST.E [R8], R%u", counter_one_in(maker, 2) ? if_true : "", a);
    break;
  default:
    counter_line(maker, "%sSTL [R%u], R%u", if_true, counter_one_in(maker, 4) ? 11 : 10, a);
    break;
  }
}
