/* Loops of the shapes that compilers make of narrow and sign-extended counters, of halving, of
 * numbers below zero, and of limits that are quotients or counts of bits: or nearly so. */
#include "counter_maker.h"

#include <stdio.h>

static void begin(struct counter_maker *maker, unsigned counter)
{
  maker->busy |= 1U << counter;
  maker->depth++;
}

static void end(struct counter_maker *maker, unsigned around)
{
  maker->busy = around;
  maker->depth--;
}

static uint32_t any_step(struct counter_maker *maker)
{
  return counter_one_in(maker, 2) ? 1 : (uint32_t)counter_below(maker, 80) - 40;
}

static void back(struct counter_maker *maker, size_t label)
{
  counter_line(maker, "@%sP0 BRA L%zu", counter_one_in(maker, maker->tame ? 16 : 4) ? "!" : "",
               label);
}

/* The upper word of a number that `low` is continued to: by its sign, by zeros, or not at all. */
static void continue_word(struct counter_maker *maker, unsigned high, unsigned low)
{
  if (counter_one_in(maker, 4))
    counter_line(maker, "MOV R%u, RZ", high);
  else
    counter_line(maker, "SHR%s R%u, R%u, 0x%x", counter_one_in(maker, 12) ? ".U32" : "", high, low,
                 counter_one_in(maker, 12) ? 30U : 31U);
}

/* P0 is how (high, low) and a limit of 64 bits are related; the upper word of the counter is made
 * between the two halves, or before them. */
static void compare_continued(struct counter_maker *maker, unsigned low, unsigned high,
                              const char *relation)
{
  const char *type = counter_one_in(maker, 2) ? ".U32" : "";
  const unsigned limit = 0x140 + 8 * (unsigned)counter_below(maker, 4);
  const bool small = counter_one_in(maker, 2);
  const bool between = counter_one_in(maker, 2);
  if (!between)
    continue_word(maker, high, low);
  if (small)
    counter_line(maker, "IADD32I RZ.CC, R%u, -0x%x", low, 1 + (unsigned)counter_below(maker, 400));
  else
    counter_line(maker, "IADD RZ.CC, R%u, -c[0x0][0x%x]", low, limit);
  if (between)
    continue_word(maker, high, low);
  if (counter_one_in(maker, 16))
    counter_arithmetic(maker);
  if (small || counter_one_in(maker, 3))
    counter_line(maker, "ISETP.%s%s.X.AND P0, PT, R%u, RZ, PT", relation, type, high);
  else
    counter_line(maker, "ISETP.%s%s.X.AND P0, PT, R%u, c[0x0][0x%x], PT", relation, type, high,
                 limit + 4);
}

/* A counter of one word, continued to two and compared with a limit of two. */
static void continued_loop(struct counter_maker *maker)
{
  const size_t label = maker->program->labels++;
  const unsigned around = maker->busy;
  const unsigned counter = counter_any_target(maker);
  const uint32_t by = any_step(maker);
  begin(maker, counter);
  const unsigned high = counter_any_target(maker);
  maker->busy |= 1U << high;
  counter_start(maker, counter);
  counter_line(maker, "L%zu:", label);
  if (counter_one_in(maker, 4))
    counter_statements(maker, 1);
  if (counter_one_in(maker, 4))
    counter_line(maker, "IADD R%u, R%u, c[0x0][0x8]", counter, counter);
  else
    counter_line(maker, "IADD32I R%u, R%u, 0x%x", counter, counter, by);
  compare_continued(maker, counter, high, counter_some_relation(maker, by));
  back(maker, label);
  end(maker, around);
}

/* R[to] is a part of R[from], with its sign or without. */
static void narrow(struct counter_maker *maker, unsigned to, unsigned from)
{
  static const unsigned selectors[] = {0x9910, 0x8880, 0x7710, 0x7770, 0x9910, 0xbb32, 0x9991};
  switch (counter_below(maker, 4)) {
  case 0:
    counter_line(maker, "LOP32I.AND R%u, R%u, 0x%x", to, from,
                 counter_one_in(maker, 2) ? 0xffffU : 0xffU);
    break;
  case 1:
    counter_line(maker, "BFE R%u, R%u, 0x%x", to, from,
                 counter_one_in(maker, 2) ? 0x1000U : 0x800U);
    break;
  default:
    counter_line(maker, "PRMT R%u, R%u, 0x%x, RZ", to, from,
                 selectors[counter_below(maker, sizeof selectors / sizeof *selectors)]);
    break;
  }
}

/* A counter of 8 or 16 bits: the register holds its number, or a copy does that is compared. */
static void narrow_loop(struct counter_maker *maker)
{
  const size_t label = maker->program->labels++;
  const unsigned around = maker->busy;
  const unsigned counter = counter_any_target(maker);
  const uint32_t by = any_step(maker);
  const bool copied = counter_one_in(maker, 3);
  const char *relation = counter_some_relation(maker, by);
  begin(maker, counter);
  counter_start(maker, counter);
  if (counter_one_in(maker, 3))
    narrow(maker, counter, counter);
  counter_line(maker, "L%zu:", label);
  if (counter_one_in(maker, 4))
    counter_statements(maker, 1);
  counter_line(maker, "IADD32I R%u, R%u, 0x%x", counter, counter, by);
  narrow(maker, copied ? 7 : counter, counter);
  if (counter_one_in(maker, 3))
    counter_line(maker, "ISETP.%s%s.AND P0, PT, R%u, c[0x0][0x%x], PT", relation,
                 counter_one_in(maker, 2) ? ".U32" : "", copied ? 7 : counter,
                 0x140 + 4 * (unsigned)counter_below(maker, 8));
  else
    counter_line(maker, "ISETP.%s.AND P0, PT, R%u, %s0x%x, PT", relation, copied ? 7 : counter,
                 counter_one_in(maker, 4) ? "-" : "", (unsigned)counter_below(maker, 300));
  back(maker, label);
  end(maker, around);
}

/* R[number] is divided by 2, towards 0, downwards or upwards, or by 3. */
static void divide(struct counter_maker *maker, unsigned number, unsigned kind)
{
  switch (kind) {
  case 0:
  case 1: /* signed, of the number or of one more */
    if (kind == 1)
      counter_line(maker, "IADD32I R7, R%u, 0x1", number);
    counter_line(maker, "LEA.HI R7, R%u, R%u, RZ, 0x1", kind == 1 ? 7 : number,
                 kind == 1 ? 7 : number);
    counter_line(maker, "SHR R%u, R7, 0x%x", number, counter_one_in(maker, 12) ? 2U : 1U);
    break;
  case 2:
    counter_line(maker, "IMUL.U32.U32.HI R%u, R%u, 0xaaaaaaab", number, number);
    counter_line(maker, "SHR.U32 R%u, R%u, 0x1", number, number);
    break;
  default:
    counter_line(maker, "SHR%s R%u, R%u, 0x%x", counter_one_in(maker, 2) ? ".U32" : "", number,
                 number, 1 + (unsigned)counter_below(maker, 3));
    break;
  }
}

/* A number that is divided until it is small. */
static void halving_loop(struct counter_maker *maker)
{
  const size_t label = maker->program->labels++;
  const unsigned around = maker->busy;
  const unsigned number = counter_any_target(maker);
  const unsigned kind = (unsigned)counter_below(maker, 4);
  const bool early = counter_one_in(maker, 2); /* the test is of the number before */
  char test[64];
  begin(maker, number);
  counter_start(maker, number);
  if (counter_one_in(maker, 3))
    counter_line(maker, "MOV R%u, R8", number); /* anything */
  if (counter_one_in(maker, 3))
    snprintf(test, sizeof test, "ISETP.NE.AND P0, PT, R%u, RZ, PT", number);
  else
    snprintf(test, sizeof test, "ISETP.%s%s.AND P0, PT, R%u, 0x%x, PT",
             counter_one_in(maker, 8) ? counter_any_relation(maker) : "GT",
             counter_one_in(maker, 2) ? ".U32" : "", number, (unsigned)counter_below(maker, 6));
  counter_line(maker, "L%zu:", label);
  if (counter_one_in(maker, 4))
    counter_statements(maker, 1);
  if (early)
    counter_line(maker, "%s", test);
  divide(maker, number, kind);
  if (!early)
    counter_line(maker, "%s", test);
  back(maker, label);
  end(maker, around);
}

/* A number of 64 bits from below zero up to it: from -(n & 3), as remainders of unrolled loops. */
static void loop_below_zero(struct counter_maker *maker)
{
  const size_t label = maker->program->labels;
  const unsigned around = maker->busy;
  const unsigned low = counter_any_target(maker);
  begin(maker, low);
  const unsigned high = counter_any_target(maker);
  maker->busy |= 1U << high;
  maker->program->labels += 2;
  counter_start(maker, low);
  if (!counter_one_in(maker, 6))
    counter_line(maker, "LOP32I.AND R%u, R%u, 0x%x", low, low,
                 (1U << (1 + (unsigned)counter_below(maker, 5))) - 1);
  if (!counter_one_in(maker, 4)) {
    counter_line(maker, "ISETP.NE.AND P0, PT, R%u, RZ, PT", low);
    counter_line(maker, "@!P0 BRA L%zu", label + 1);
  }
  counter_line(maker, "IADD R%u.CC, -R%u, RZ", low, low);
  counter_line(maker, "IADD.X R%u, RZ, %sRZ", high, counter_one_in(maker, 8) ? "" : "-");
  counter_line(maker, "L%zu:", label);
  if (counter_one_in(maker, 4))
    counter_statements(maker, 1);
  counter_line(maker, "IADD32I R%u.CC, R%u, 0x%x", low, low, counter_one_in(maker, 8) ? 2U : 1U);
  counter_line(maker, "IADD.X R%u, RZ, R%u", high, high);
  counter_line(maker, "IADD RZ.CC, R%u, -RZ", low);
  counter_line(maker, "ISETP.%s.X.AND P0, PT, R%u, RZ, PT", counter_one_in(maker, 4) ? "LT" : "NE",
               high);
  back(maker, label);
  counter_line(maker, "L%zu:", label + 1);
  end(maker, around);
}

/* A count up or down to a quotient, a remainder, a number of bits, the place of one, or what floats
 * give. */
static void computed_limit_loop(struct counter_maker *maker)
{
  const size_t label = maker->program->labels;
  const unsigned around = maker->busy;
  const bool down = counter_one_in(maker, 2);
  const unsigned limit = counter_any_target(maker);
  begin(maker, limit);
  const unsigned counter = counter_any_target(maker);
  maker->program->labels += 2;
  switch (counter_below(maker, 6)) {
  case 4:
  case 5:
    counter_start(maker, counter_any_register(maker));
    counter_float_to(maker, limit);
    break;
  case 0:
    counter_line(maker, "POPC R%u, R%u", limit, counter_any_register(maker));
    break;
  case 1:
    counter_line(maker, "FLO.U32 R%u, R%u", limit, counter_any_register(maker));
    if (counter_one_in(maker, 2))
      counter_line(maker, "IADD32I R%u, R%u, 0x1", limit, limit);
    break;
  default:
    counter_start(maker, counter_any_register(maker));
    counter_division_to(maker, limit);
    break;
  }
  maker->busy |= 1U << counter;
  if (!down)
    counter_line(maker, "MOV R%u, RZ", counter);
  if (!counter_one_in(maker, 3)) {
    counter_line(maker, "ISETP.%s.AND P0, PT, R%u, RZ, PT", counter_one_in(maker, 2) ? "NE" : "GT",
                 limit);
    counter_line(maker, "@!P0 BRA L%zu", label + 1);
  }
  counter_line(maker, "L%zu:", label);
  if (counter_one_in(maker, 4))
    counter_statements(maker, 1);
  if (down) {
    counter_line(maker, "IADD32I R%u, R%u, -0x1", limit, limit);
    counter_line(maker, "ISETP.%s.AND P0, PT, R%u, RZ, PT", counter_one_in(maker, 2) ? "NE" : "GT",
                 limit);
  } else {
    counter_line(maker, "IADD32I R%u, R%u, 0x1", counter, counter);
    counter_line(maker, "ISETP.%s%s.AND P0, PT, R%u, R%u, PT",
                 counter_one_in(maker, 4) ? "LE" : "LT", counter_one_in(maker, 2) ? ".U32" : "",
                 counter, limit);
  }
  back(maker, label);
  counter_line(maker, "L%zu:", label + 1);
  end(maker, around);
}

/* Two numbers that come to each other and pass, one of them by each turn, with a test at the end.
 */
static void search_loop(struct counter_maker *maker)
{
  const size_t label = maker->program->labels;
  const unsigned around = maker->busy;
  const unsigned low = counter_any_target(maker);
  begin(maker, low);
  const unsigned high = counter_any_target(maker);
  const char *type = counter_one_in(maker, 4) ? ".U32" : "";
  const bool strict = counter_one_in(maker, 6);
  maker->busy |= 1U << high;
  maker->program->labels += 2;
  if (counter_one_in(maker, 2))
    counter_line(maker, "MOV R%u, RZ", low);
  else
    counter_start(maker, low);
  counter_start(maker, high);
  if (counter_one_in(maker, 3))
    counter_line(maker, "IADD32I R%u, R%u, -0x1", high, high);
  if (!counter_one_in(maker, 6)) {
    counter_line(maker, "ISETP.%s%s.AND P0, PT, R%u, R%u, PT", strict ? "GT" : "GE", type, high,
                 low);
    counter_line(maker, "@!P0 BRA L%zu", label + 1);
  }
  counter_line(maker, "L%zu:", label);
  if (counter_one_in(maker, 6))
    counter_statements(maker, 1);
  counter_middle(maker, low, high);
  counter_line(maker, "FSETP.GT.AND P2, PT, R8, R9, PT");
  counter_line(maker, "@P2 IADD32I R%u, R7, 0x%x", low,
               counter_one_in(maker, 4) ? (unsigned)counter_below(maker, 4) : 1U);
  if (counter_one_in(maker, 6))
    counter_line(maker, "@!P2 MOV R%u, R7", high);
  else
    counter_line(maker, "@!P2 IADD32I R%u, R7, -0x%x", high, counter_one_in(maker, 6) ? 2U : 1U);
  counter_line(maker, "ISETP.%s%s.AND P0, PT, R%u, R%u, PT", strict ? "GT" : "GE",
               counter_one_in(maker, 12) ? ".U32" : type, high, low);
  back(maker, label);
  counter_line(maker, "L%zu:", label + 1);
  end(maker, around);
}

/* A count in steps of 2, 4 or 8 for as long as a whole one is left below min(x, k), which stands in
 * a register before the loop, and which is found once more as a complement: R11 is -min(x, k) and
 * what is left, so that the sum of both is 0 at the end. */
static void rounded_loop(struct counter_maker *maker)
{
  const size_t label = maker->program->labels;
  const unsigned around = maker->busy;
  const unsigned counter = counter_any_target(maker);
  begin(maker, counter);
  const unsigned limit = counter_any_target(maker);
  const unsigned from = counter_any_register(maker);
  const unsigned step = 2U << counter_below(maker, 3);
  const unsigned most = 1 + (unsigned)counter_below(maker, 80);
  const char *type = counter_one_in(maker, 3) ? "" : ".U32";
  const char *order = counter_one_in(maker, 2) ? "" : ".U32";
  maker->program->labels += 2;
  counter_line(maker, "IADD R11, -R%u, RZ", from);
  counter_line(maker, "IADD32I R11, R11, -0x1");
  counter_line(maker, "IMNMX%s R%u, R%u, 0x%x, %sPT", type, limit, from, most,
               counter_one_in(maker, 12) ? "!" : "");
  if (counter_one_in(maker, 2))
    counter_line(maker, "MOV R%u, RZ", counter);
  else
    counter_start(maker, counter);
  if (!counter_one_in(maker, 8)) {
    counter_line(maker, "ISETP.GE%s.AND P0, PT, R%u, R%u, PT", order, counter, limit);
    counter_line(maker, "@P0 BRA L%zu", label + 1);
  }
  counter_line(maker, "IMNMX%s R11, R11, -0x%x, !PT", counter_one_in(maker, 12) ? "" : type,
               counter_one_in(maker, 12) ? most : most + 1);
  counter_line(maker, "IADD R12, -R11, -R%u", counter);
  if (counter_one_in(maker, 12))
    counter_statements(maker, 1);
  counter_line(maker, "IADD32I R12, R12, -0x2");
  if (!counter_one_in(maker, 8)) {
    counter_line(maker, "ISETP.GE.U32.AND P0, PT, R12, 0x%x, PT",
                 counter_one_in(maker, 12) ? step - 2 : step - 1);
    counter_line(maker, "@!P0 BRA L%zu", label + 1);
  }
  counter_line(maker, "IADD32I R13, R12, 0x1");
  counter_line(maker, "LOP32I.AND R13, R13, 0x%x", step - 1);
  counter_line(maker, "IADD R11, R11, R13");
  counter_line(maker, "IADD32I R11, R11, 0x%x", counter_one_in(maker, 12) ? 2U : 1U);
  counter_line(maker, "L%zu:", label);
  if (counter_one_in(maker, 4))
    counter_statements(maker, 1);
  counter_line(maker, "IADD32I R%u, R%u, 0x%x", counter, counter,
               counter_one_in(maker, 12) ? 1 : step);
  counter_line(maker, "IADD R12, R11, R%u", counter);
  counter_line(maker, "ISETP.NE.AND P0, PT, R12, RZ, PT");
  back(maker, label);
  counter_line(maker, "L%zu:", label + 1);
  end(maker, around);
}

/* A counter of one word, continued by zeros, and a limit of 64 bits in R13:R12, which is some
 * number less a byte. */
static void limit_in_registers_loop(struct counter_maker *maker)
{
  const size_t label = maker->program->labels++;
  const unsigned around = maker->busy;
  const unsigned counter = counter_any_target(maker);
  begin(maker, counter);
  const unsigned high = counter_any_target(maker);
  maker->busy |= 1U << high;
  counter_line(maker, "LOP32I.AND R12, R%u, 0xff", counter_any_register(maker));
  counter_line(maker, "IADD R12.CC, -R12, RZ");
  counter_line(maker, "IADD.X R13, RZ, -RZ");
  counter_line(maker, "IADD32I R12.CC, R12, 0x%x", 1 + (unsigned)counter_below(maker, 200));
  counter_line(maker, "IADD.X R13, RZ, R13");
  counter_line(maker, "MOV R%u, RZ", counter);
  counter_line(maker, "MOV R%u, RZ", high);
  counter_line(maker, "L%zu:", label);
  if (counter_one_in(maker, 4))
    counter_statements(maker, 1);
  counter_line(maker, "IADD32I R%u, R%u, 0x%x", counter, counter,
               1 + (unsigned)counter_below(maker, 3));
  counter_line(maker, "IADD RZ.CC, R%u, -R12", counter);
  counter_line(maker, "ISETP.LT%s.X.AND P0, PT, R%u, R13, PT",
               counter_one_in(maker, 8) ? ".U32" : "", high);
  if (counter_one_in(maker, 8))
    counter_line(maker, "IADD32I R12, R12, 0x%x", (unsigned)counter_below(maker, 4));
  back(maker, label);
  end(maker, around);
}

/* A loop that starts at the thread's index, in one that reads this index again on one way, or
 * something else. */
static void read_again_loop(struct counter_maker *maker)
{
  const size_t label = maker->program->labels;
  const unsigned around = maker->busy;
  const unsigned index = counter_any_target(maker);
  begin(maker, index);
  const unsigned counter = counter_any_target(maker);
  maker->busy |= 1U << counter;
  maker->program->labels += 3;
  counter_line(maker, "S2R R%u, SR_TID.X", index);
  counter_line(maker, "L%zu:", label);
  counter_line(maker, "FSETP.GT.AND P2, PT, R8, R9, PT");
  counter_line(maker, "@P2 BRA L%zu", label + 1);
  counter_line(maker, "S2R R%u, SR_TID.X", index);
  if (counter_one_in(maker, 4))
    counter_line(maker, "IADD32I R%u, R%u, -0x%x", index, index, (unsigned)counter_below(maker, 3));
  counter_line(maker, "L%zu:", label + 1);
  counter_line(maker, "MOV R%u, R%u", counter, index);
  counter_line(maker, "L%zu:", label + 2);
  counter_line(maker, "IADD32I R%u, R%u, 0x%x", counter, counter,
               1 + (unsigned)counter_below(maker, 20));
  if (counter_one_in(maker, 4))
    counter_statements(maker, 1);
  counter_line(maker, "ISETP.LT.AND P0, PT, R%u, 0x%x, PT", counter,
               (unsigned)counter_below(maker, 300));
  back(maker, label + 2);
  counter_line(maker, "FSETP.GT.AND P2, PT, R8, R9, PT");
  counter_line(maker, "@P2 BRA L%zu", label);
  end(maker, around);
}

/* R7 is a number less the counter, or another sum of it. */
static void sum_with_counter(struct counter_maker *maker, unsigned counter, unsigned other)
{
  switch (counter_below(maker, 5)) {
  case 0:
  case 1:
    counter_line(maker, "IADD R7, -R%u, c[0x0][0x%x]", counter,
                 0x140 + 4 * (unsigned)counter_below(maker, 8));
    break;
  case 2:
    counter_line(maker, "IADD R7, R%u, -R%u", other, counter);
    break;
  case 3:
    counter_line(maker, "IADD R7, R%u, R%u", counter, other);
    break;
  default:
    counter_line(maker, "IADD R7, -R%u, RZ", counter);
    break;
  }
  if (counter_one_in(maker, 3))
    counter_line(maker, "IADD32I R7, R7, 0x%x", counter_any_number(maker));
}

/* A loop that goes on while a sum of counters is on one side of a limit: the rest of a share of a
 * grid is a step at least. Where the steps are long the sum may go round all numbers. */
static void rest_loop(struct counter_maker *maker)
{
  const size_t label = maker->program->labels++;
  const unsigned around = maker->busy;
  const unsigned counter = counter_any_target(maker);
  begin(maker, counter);
  const unsigned other = counter_any_target(maker);
  const uint32_t by = counter_one_in(maker, 3)
                          ? UINT32_C(0x1000000) * (1 + (uint32_t)counter_below(maker, 60)) -
                                counter_one_in(maker, 2)
                          : any_step(maker);
  const bool early = counter_one_in(maker, 2);
  char limit[24];
  maker->busy |= 1U << other;
  counter_start(maker, counter);
  counter_start(maker, other);
  if (counter_one_in(maker, 3))
    counter_operand(maker, limit);
  else
    snprintf(limit, sizeof limit, "0x%x", by + (uint32_t)counter_below(maker, 3) - 1);
  counter_line(maker, "L%zu:", label);
  if (!early)
    counter_line(maker, "IADD32I R%u, R%u, 0x%x", counter, counter, by);
  sum_with_counter(maker, counter, other);
  if (counter_one_in(maker, 4))
    counter_statements(maker, 1);
  counter_compare(maker, 0, "R7", counter_one_in(maker, 4) ? counter_any_relation(maker) : "GE",
                  limit);
  if (early)
    counter_line(maker, "IADD32I R%u, R%u, 0x%x", counter, counter, by);
  if (counter_one_in(maker, 4))
    counter_line(maker, "IADD32I R%u, R%u, 0x%x", other, other, any_step(maker));
  back(maker, label);
  end(maker, around);
}

/* A register that is the counter and a number, set anew in each iteration, and often something else
 * meanwhile: `j = i + 3; do { ...; i += 8; j = i + 3; } while (n - j >= 8);`, or nearly so. */
static void follower_loop(struct counter_maker *maker)
{
  const size_t label = maker->program->labels++;
  const unsigned around = maker->busy;
  const unsigned counter = counter_any_target(maker);
  const uint32_t by = any_step(maker);
  const uint32_t distance = counter_any_number(maker);
  const bool before = counter_one_in(maker, 3); /* it is set in front of the step */
  const bool less = counter_one_in(maker, 2);   /* what a limit is more than it is compared */
  uint32_t again = distance + (before ? by : 0);
  char left[24];
  char right[24];
  begin(maker, counter);
  const unsigned follower = counter_any_target(maker);
  if (!counter_one_in(maker, 4))
    maker->busy |= 1U << follower;
  counter_start(maker, counter);
  counter_line(maker, "IADD32I R%u, R%u, 0x%x", follower, counter,
               counter_one_in(maker, 8) ? distance + by : distance);
  if (counter_one_in(maker, 8))
    counter_statements(maker, 1);
  if (counter_one_in(maker, 8))
    again += (uint32_t)counter_below(maker, 3) - 1;
  counter_line(maker, "L%zu:", label);
  if (counter_one_in(maker, 3))
    counter_statements(maker, 1);
  if (less && counter_one_in(maker, 2))
    counter_line(maker, "IADD R%u, -R%u, c[0x0][0x%x]", follower, follower,
                 0x140 + 4 * (unsigned)counter_below(maker, 8));
  else if (less)
    counter_line(maker, "IADD32I R%u, -R%u, 0x%x", follower, follower,
                 (unsigned)counter_below(maker, 400));
  snprintf(left, sizeof left, "R%u", follower);
  if (less)
    snprintf(right, sizeof right, "0x%x", by < 0x1000 ? by : 0 - by);
  else
    counter_operand(maker, right);
  counter_compare(maker, 0, left, less ? "GE" : counter_some_relation(maker, by), right);
  if (!before)
    counter_line(maker, "IADD32I R%u, R%u, 0x%x", counter, counter, by);
  counter_line(maker, "%sIADD32I R%u, R%u, 0x%x", counter_one_in(maker, 16) ? "@P1 " : "", follower,
               counter, again);
  if (before)
    counter_line(maker, "IADD32I R%u, R%u, 0x%x", counter, counter, by);
  back(maker, label);
  end(maker, around);
}

void counter_shape(struct counter_maker *maker)
{
  static void (*const shapes[])(struct counter_maker * maker) = {
      continued_loop,      narrow_loop, halving_loop, loop_below_zero,
      computed_limit_loop, search_loop, rounded_loop, limit_in_registers_loop,
      read_again_loop,     rest_loop,   rest_loop,    follower_loop};
  shapes[counter_below(maker, sizeof shapes / sizeof *shapes)](maker);
}
