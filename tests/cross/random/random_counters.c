#include "random_counters.h"

#include "counter_maker.h"

#include <stdio.h>

#define MOST_DEPTH 3

/* To any label there is, into loops too. */
static void jump(struct counter_maker *maker)
{
  if (maker->program->labels > 0)
    counter_line(maker, "@P2 BRA L%zu", (size_t)counter_below(maker, maker->program->labels));
}

static void condition(struct counter_maker *maker)
{
  const size_t label = maker->program->labels++;
  char left[24];
  char right[24];
  snprintf(left, sizeof left, "R%u", counter_any_register(maker));
  counter_operand(maker, right);
  counter_compare(maker, 1, left, counter_any_relation(maker), right);
  counter_line(maker, "@%sP1 BRA L%zu", counter_one_in(maker, 2) ? "!" : "", label);
  counter_statements(maker, 2);
  counter_line(maker, "L%zu:", label);
}

/* The step of a counter, at once or in two parts. */
static void step(struct counter_maker *maker, unsigned counter, uint32_t by)
{
  if (maker->stack && counter_one_in(maker, 3)) { /* spilled */
    counter_line(maker, "STL [R10+0x%x], R%u", 4 * counter, counter);
    counter_line(maker, "MOV R%u, R%u", counter, counter_any_register(maker));
    if (counter_one_in(maker, 3))
      counter_stack_access(maker);
    counter_line(maker, "LDL R%u, [R10+0x%x]", counter, 4 * counter);
  }
  const char *if_true = counter_one_in(maker, maker->tame ? 20 : 8) ? "@P1 " : "";
  switch (counter_below(maker, 8)) {
  case 0:
    counter_line(maker, "%sSHR%s R%u, R%u, 0x1", if_true, counter_one_in(maker, 2) ? ".U32" : "",
                 counter, counter);
    break;
  case 1:
    counter_line(maker, "%sIADD R%u, R%u, R%u", if_true, counter, counter, counter);
    break;
  case 2:
    if (counter_one_in(maker, 2))
      counter_division(maker);
    counter_line(maker, "%sIADD R%u, R%u, R%u", if_true, counter, counter,
                 counter_any_register(maker));
    break;
  case 3:
    counter_line(maker, "MOV R6, R%u", counter);
    counter_line(maker, "%sIADD32I R%u, R6, 0x%x", if_true, counter, by);
    break;
  case 4:
    counter_line(maker, "IADD32I R%u, R%u, 0x%x", counter, counter, by);
    counter_line(maker, "%sIADD32I R%u, R%u, 0x1", if_true, counter, counter);
    break;
  default:
    counter_line(maker, "%sIADD32I R%u, R%u, 0x%x", if_true, counter, counter, by);
    break;
  }
}

/* A relation that a counter with such a step leaves sooner or later, or any. */
const char *counter_some_relation(struct counter_maker *maker, uint32_t by)
{
  static const char *const up[] = {"LT", "LE", "NE"};
  static const char *const down[] = {"GT", "GE", "NE"};
  if (!maker->tame || by == 0 || counter_one_in(maker, 5))
    return counter_any_relation(maker);
  return by <= INT32_MAX ? up[counter_below(maker, 3)] : down[counter_below(maker, 3)];
}

void counter_start(struct counter_maker *maker, unsigned counter)
{
  if (counter_one_in(maker, 4))
    counter_line(maker, "S2R R%u, SR_TID.X", counter);
  else if (counter_one_in(maker, 5))
    counter_line(maker, "MOV R%u, c[0x0][0x%x]", counter,
                 0x140 + 4 * (unsigned)counter_below(maker, 8));
  else
    counter_line(maker, "MOV32I R%u, 0x%x", counter, counter_any_number(maker));
}

static void loop(struct counter_maker *maker)
{
  const size_t label = maker->program->labels++;
  const unsigned counter = counter_any_target(maker);
  const unsigned around = maker->busy;
  const uint32_t by = counter_one_in(maker, 2) ? 1 : (uint32_t)counter_below(maker, 9) - 4;
  const char *relation = counter_some_relation(maker, by);
  const bool early = counter_one_in(maker, 3); /* the test is above the step */
  char left[24];
  char right[24];
  snprintf(left, sizeof left, "R%u", counter);
  counter_operand(maker, right);
  maker->depth++;
  maker->busy |= 1U << counter;
  counter_start(maker, counter);
  counter_line(maker, "L%zu:", label);
  if (counter_one_in(maker, 2))
    counter_statements(maker, 2);
  if (early)
    counter_compare(maker, 0, left, relation, right);
  step(maker, counter, by);
  if (!early)
    counter_compare(maker, 0, left, relation, right);
  if (counter_one_in(maker, 4))
    counter_statements(maker, 1);
  if (counter_one_in(maker, 10))
    counter_line(maker, "@P1 BRA L%zu", label);
  counter_line(maker, "@%sP0 BRA L%zu", counter_one_in(maker, maker->tame ? 16 : 4) ? "!" : "",
               label);
  maker->depth--;
  maker->busy = around;
}

/* The operands of a comparison of 64 bits with the pair (high, low): by = -limit for the lower
 * words, and the upper word of the limit. */
static void wide_compare(struct counter_maker *maker, unsigned low, unsigned high,
                         const char *relation)
{
  const char *type = counter_one_in(maker, 2) ? ".U32" : "";
  const char *last = maker->tame || counter_one_in(maker, 2) ? "PT" : "P1";
  char upper[24] = "RZ";
  if (counter_one_in(maker, 5))
    snprintf(upper, sizeof upper, "%s", counter_one_in(maker, 2) ? "-0x1" : "c[0x0][0x15c]");
  switch (counter_below(maker, 4)) {
  case 0:
    counter_line(maker, "IADD32I RZ.CC, R%u, -0x%x", low, (unsigned)counter_below(maker, 60));
    break;
  case 1:
    counter_line(maker, "IADD RZ.CC, R%u, -R%u", low, counter_any_register(maker));
    break;
  case 2:
    counter_line(maker, "IADD RZ.CC, -R%u, c[0x0][0x%x]", low,
                 0x140 + 4 * (unsigned)counter_below(maker, 8));
    counter_line(maker, "ISETP.%s%s.X.AND P0, PT, R%u, R%u, %s", relation, type,
                 counter_any_register(maker), high, last);
    return;
  default:
    counter_line(maker, "IADD RZ.CC, R%u, -c[0x0][0x%x]", low,
                 0x140 + 4 * (unsigned)counter_below(maker, 8));
    break;
  }
  if (counter_one_in(maker, 12))
    counter_line(maker, "IADD32I R%u.CC, R%u, 0x1", counter_any_target(maker),
                 counter_any_register(maker));
  counter_line(maker, "ISETP.%s%s.X.AND P0, PT, R%u, %s, %s", relation, type, high, upper, last);
}

/* A step of 64 bits, or what looks like one. */
static void wide_step(struct counter_maker *maker, unsigned low, unsigned high, uint32_t by)
{
  const char *if_true = counter_one_in(maker, 16) ? "@P1 " : "";
  if (counter_one_in(maker, 8)) {
    counter_line(maker, "IADD R%u.CC, R%u, R%u", low, counter_any_register(maker), low);
    counter_line(maker, "%sIADD.X R%u, RZ, R%u", if_true, high, high);
    return;
  }
  counter_line(maker, "%sIADD32I R%u.CC, R%u, 0x%x", if_true, low, low, by);
  if (counter_one_in(maker, 12))
    counter_arithmetic(maker);
  if (by > INT32_MAX && !counter_one_in(maker, 6))
    counter_line(maker, "%sIADD32I.X R%u, R%u, -0x1", if_true, high, high);
  else
    counter_line(maker, "%sIADD.X R%u, RZ, R%u", if_true, high, high);
}

static void wide_loop(struct counter_maker *maker)
{
  const size_t label = maker->program->labels++;
  const unsigned around = maker->busy;
  const unsigned low = counter_any_target(maker);
  maker->busy |= 1U << low;
  const unsigned high = counter_any_target(maker);
  const uint32_t by = counter_one_in(maker, 2) ? 1 : (uint32_t)counter_below(maker, 9) - 4;
  const char *relation = counter_some_relation(maker, by);
  const bool early = counter_one_in(maker, 3);
  maker->depth++;
  maker->busy |= 1U << high;
  counter_start(maker, low);
  if (counter_one_in(maker, 3))
    counter_line(maker, "SHR R%u, R%u, 0x1f", high, low);
  else
    counter_line(maker, "MOV R%u, %s", high, counter_one_in(maker, 8) ? "0xffffffff" : "RZ");
  counter_line(maker, "L%zu:", label);
  if (counter_one_in(maker, 2))
    counter_statements(maker, 2);
  if (early)
    wide_compare(maker, low, high, relation);
  wide_step(maker, low, high, by);
  if (!early)
    wide_compare(maker, low, high, relation);
  counter_line(maker, "@%sP0 BRA L%zu", counter_one_in(maker, maker->tame ? 16 : 4) ? "!" : "",
               label);
  maker->depth--;
  maker->busy = around;
}

/* What is left of a number by a mask or a shift, counted down to 0, entered where it is not: the
 * loops that compilers put behind those that they unroll, with their predicates. */
static void remainder_loop(struct counter_maker *maker)
{
  const size_t label = maker->program->labels;
  const unsigned around = maker->busy;
  const unsigned counter = counter_any_target(maker);
  const unsigned power = (unsigned)counter_below(maker, 4);
  const bool flagged = counter_one_in(maker, 2);
  maker->program->labels += 2;
  maker->depth++;
  counter_start(maker, counter);
  maker->busy |= 1U << counter;
  counter_line(maker, "LOP32I.AND R%u, R%u, 0x%x", counter, counter,
               counter_one_in(maker, 2) ? (unsigned)counter_below(maker, 64) : 0x3fU << power);
  if (flagged)
    counter_line(maker, "PSETP.AND.AND P1, PT, %sPT, PT, PT", counter_one_in(maker, 2) ? "!" : "");
  counter_line(maker, "ISETP.%s%s P0, PT, R%u, %s, %s", counter_any_relation(maker),
               flagged ? ".OR" : ".AND", counter, counter_one_in(maker, 2) ? "RZ" : "0x4",
               flagged ? "P1" : "PT");
  counter_line(maker, "@!P0 BRA L%zu", label + 1);
  if (counter_one_in(maker, 3))
    counter_statements(maker, 1);
  counter_line(maker, "L%zu:", label);
  if (counter_one_in(maker, 2))
    counter_statements(maker, 1);
  counter_line(maker, "IADD32I R%u, R%u, -0x%x", counter, counter,
               1U << counter_below(maker, power + 1));
  counter_line(maker, "ISETP.%s.AND P0, PT, R%u, %s, PT", counter_one_in(maker, 3) ? "GT" : "NE",
               counter, counter_one_in(maker, 3) ? "0x4" : "RZ");
  counter_line(maker, "@P0 BRA L%zu", label);
  counter_line(maker, "L%zu:", label + 1);
  maker->depth--;
  maker->busy = around;
}

/* P0 is whether some bits of the number are not 0, or not another number that it is then less by.
 */
static void test_bits(struct counter_maker *maker, unsigned number, unsigned bits)
{
  if (counter_one_in(maker, 2)) {
    counter_line(maker, "LOP.AND.NZ P0, %s, R%u, 0x%x", counter_one_in(maker, 2) ? "RZ" : "R7",
                 number, bits);
    return;
  }
  counter_line(maker, "LOP32I.AND R7, R%u, 0x%x", number, bits);
  counter_line(maker, "ISETP.%s.AND P0, PT, R7, 0x%x, PT",
               counter_one_in(maker, 8) ? counter_any_relation(maker) : "NE",
               (unsigned)counter_below(maker, (uint64_t)(bits & 7) + 1));
  if (counter_one_in(maker, 3))
    counter_line(maker, "MOV R7, R%u", counter_any_register(maker));
}

/* A number counted down to 0 by some of its bits, behind a test of these bits, and then by a power
 * of two where it was made a multiple: the two loops of an unrolled one. */
static void unrolled_loops(struct counter_maker *maker)
{
  const size_t label = maker->program->labels;
  const unsigned around = maker->busy;
  const unsigned number = counter_any_target(maker);
  const unsigned power = 1 + (unsigned)counter_below(maker, 3);
  const unsigned bits = counter_one_in(maker, 8) ? counter_any_number(maker) : (1U << power) - 1;
  maker->busy |= 1U << number;
  const unsigned rest = counter_any_target(maker);
  const char *by = counter_one_in(maker, 4) ? "" : "-";
  maker->busy |= 1U << rest;
  maker->program->labels += 4;
  maker->depth++;
  counter_start(maker, number);
  test_bits(maker, number, bits);
  if (counter_one_in(maker, 3)) { /* the branch is in another block */
    counter_line(maker, "@P2 BRA L%zu", label + 3);
    counter_arithmetic(maker);
  }
  counter_line(maker, "L%zu:", label + 3);
  counter_line(maker, "@%sP0 BRA L%zu", counter_one_in(maker, 6) ? "" : "!", label + 1);
  if (counter_one_in(maker, 3))
    counter_line(maker, "IADD32I R%u, R%u, 0x%x", number, number, counter_any_number(maker) & 0xf);
  if (counter_one_in(maker, 3))
    counter_statements(maker, 1);
  counter_line(maker, "LOP.AND R%u, %sR%u, 0x%x", rest, counter_one_in(maker, 4) ? "~" : "", number,
               counter_one_in(maker, 8) ? counter_any_number(maker) & 0xff : bits & 0xff);
  if (*by == '\0')
    counter_line(maker, "IADD R%u, -R%u, RZ", rest, rest);
  counter_line(maker, "L%zu:", label);
  if (counter_one_in(maker, 3))
    counter_statements(maker, 1);
  counter_line(maker, "IADD32I R%u, R%u, %s0x1", rest, rest, by);
  counter_line(maker, "ISETP.NE.AND P0, PT, R%u, RZ, PT", rest);
  counter_line(maker, "@P0 BRA L%zu", label);
  counter_line(maker, "L%zu:", label + 1);
  counter_line(maker, "LOP32I.AND R%u, R%u, 0x%x", rest, number, bits);
  if (counter_one_in(maker, 3))
    counter_statements(maker, 1);
  counter_line(maker, "IADD R%u, R%u, -R%u", number, number, rest);
  counter_line(maker, "L%zu:", label + 2);
  counter_line(maker, "IADD32I R%u, R%u, -0x%x", number, number,
               1U << counter_below(maker, power + 1));
  counter_line(maker, "ISETP.%s.AND P0, PT, R%u, RZ, PT", counter_one_in(maker, 2) ? "GT" : "NE",
               number);
  counter_line(maker, "@P0 BRA L%zu", label + 2);
  maker->depth--;
  maker->busy = around;
}

/* R7 is between two counters, or somewhere else. */
void counter_middle(struct counter_maker *maker, unsigned low, unsigned high)
{
  const bool sum = counter_one_in(maker, 2);
  counter_line(maker, "IADD R7, %sR%u, R%u", sum ? "" : "-", low, high);
  if (counter_one_in(maker, 3))
    counter_line(maker, "LEA.HI R7, R7, R7, RZ, 0x1");
  counter_line(maker, "SHR%s R7, R7, 0x%x", counter_one_in(maker, 2) ? ".U32" : "",
               counter_one_in(maker, 8) ? 2 : 1);
  if (!sum)
    counter_line(maker, "IADD R7, R7, R%u", low);
}

/* What moves one of two counters to the other, on each outcome of a predicate another one. */
static void move(struct counter_maker *maker, unsigned low, unsigned high, unsigned kind)
{
  const uint32_t far = counter_one_in(maker, 4) ? (uint32_t)counter_below(maker, 4) : 1;
  counter_line(maker, "FSETP.GT.AND P2, PT, R8, R9, PT");
  switch (kind) {
  case 0: /* from both ends */
    counter_line(maker, "@P2 IADD32I R%u, R%u, 0x%x", low, low, far);
    counter_line(maker, "@!P2 IADD32I R%u, R%u, -0x%x", high, high,
                 counter_one_in(maker, 4) ? 2 : 1);
    break;
  case 1: /* halves */
    counter_middle(maker, low, high);
    counter_line(maker, "@P2 IADD32I R%u, R7, 0x%x", low, far);
    if (counter_one_in(maker, 2))
      counter_line(maker, "@!P2 MOV R%u, R7", high);
    else
      counter_line(maker, "@!P2 IADD32I R%u, R7, -0x1", high);
    break;
  case 2: /* one after the other */
    counter_line(maker, "@P2 IADD32I R%u, R%u, 0x%x", low, low, far);
    counter_line(maker, "@!P2 IADD32I R%u, R%u, 0x%x", high, high,
                 counter_one_in(maker, 4) ? 2 : 1);
    break;
  default: /* the half of one */
    counter_line(maker, "SHR%s R7, R%u, 0x1", counter_one_in(maker, 2) ? ".U32" : "", low);
    counter_line(maker, "@P2 IADD R%u, R%u, -R7", low, low);
    counter_line(maker, "@P2 IADD32I R%u, R%u, -0x%x", low, low, far);
    counter_line(maker, "@!P2 MOV R%u, R7", low);
    break;
  }
}

/* A loop that two counters end, one of which each iteration moves. */
static void two_counters(struct counter_maker *maker)
{
  const size_t label = maker->program->labels;
  const unsigned around = maker->busy;
  const unsigned low = counter_any_target(maker);
  maker->busy |= 1U << low;
  const unsigned high = counter_any_target(maker);
  const unsigned kind = (unsigned)counter_below(maker, 4);
  const char *const relation = counter_one_in(maker, 8)   ? counter_any_relation(maker)
                               : counter_one_in(maker, 3) ? "LE"
                               : counter_one_in(maker, 4) ? "NE"
                                                          : "LT";
  const bool early = counter_one_in(maker, 3);
  char left[24];
  char right[24];
  char end[24];
  maker->busy |= 1U << high;
  maker->program->labels += 2;
  maker->depth++;
  counter_start(maker, low);
  counter_start(maker, high);
  counter_operand(maker, end);
  snprintf(left, sizeof left, "R%u", low);
  snprintf(right, sizeof right, "R%u", high);
  counter_line(maker, "L%zu:", label);
  if (counter_one_in(maker, 4))
    counter_statements(maker, 1);
  if (!early)
    move(maker, low, high, kind);
  if (kind < 2)
    counter_compare(maker, 0, left, relation, right);
  else
    counter_compare(maker, 0, left, kind == 3 ? "GT" : relation, kind == 3 ? "RZ" : end);
  counter_line(maker, "@!P0 BRA L%zu", label + 1);
  if (kind == 2) {
    counter_operand(maker, end);
    counter_compare(maker, 0, right, relation, end);
    counter_line(maker, "@!P0 BRA L%zu", label + 1);
  }
  if (early)
    move(maker, low, high, kind);
  if (counter_one_in(maker, 6))
    counter_statements(maker, 1);
  counter_line(maker, "BRA L%zu", label);
  counter_line(maker, "L%zu:", label + 1);
  maker->depth--;
  maker->busy = around;
}

/* A loop to the equality of two registers, behind a test of their order that one of them may still
 * change in; or one that counts their difference. */
static void related_loop(struct counter_maker *maker)
{
  const size_t label = maker->program->labels++;
  const unsigned around = maker->busy;
  const unsigned low = counter_any_target(maker);
  maker->busy |= 1U << low;
  const unsigned high = counter_any_target(maker);
  const bool counts = counter_one_in(maker, 2);
  const unsigned changed = counter_one_in(maker, 2) ? low : high;
  char names[2][24];
  counter_start(maker, low);
  counter_start(maker, high);
  snprintf(names[0], sizeof names[0], "R%u", low);
  snprintf(names[1], sizeof names[1], "R%u", high);
  counter_compare(maker, 0, names[0], counter_one_in(maker, 6) ? counter_any_relation(maker) : "LT",
                  names[1]);
  counter_line(maker, "@!P0 BRA L%zu", label);
  if (counter_one_in(maker, 2))
    counter_line(maker, "IMNMX%s R%u, R%u, R%u, %sPT", counter_one_in(maker, 2) ? "" : ".U32",
                 changed, changed, counter_any_register(maker),
                 counter_one_in(maker, 2) ? "!" : "");
  if (counts)
    counter_line(maker, "IADD R%u, R%u, -R%u", high, high, low);
  counter_line(maker, "L%zu:", ++maker->program->labels - 1);
  counter_line(maker, "IADD32I R%u, R%u, 0x%x", counts ? high : low, counts ? high : low,
               counts ? UINT32_MAX : 1);
  counter_compare(maker, 0, names[counts], "NE", counts ? "RZ" : names[1]);
  counter_line(maker, "@P0 BRA L%zu", maker->program->labels - 1);
  counter_line(maker, "L%zu:", label);
  maker->busy = around;
}

/* A loop whose counter is a word of the stack, or one of two words. */
static void stack_loop(struct counter_maker *maker)
{
  const size_t label = maker->program->labels++;
  const unsigned place = 8 * (unsigned)counter_below(maker, 3);
  const uint32_t by = counter_one_in(maker, 2) ? 1 : (uint32_t)counter_below(maker, 9) - 4;
  const bool wide = counter_one_in(maker, 3);
  const char *relation = counter_some_relation(maker, by);
  char right[24];
  maker->depth++;
  counter_start(maker, 4);
  if (wide)
    counter_line(maker, "MOV R5, RZ");
  counter_line(maker, "STL%s [R10+0x%x], R4", wide ? ".64" : "", place);
  counter_line(maker, "L%zu:", label);
  if (counter_one_in(maker, 2))
    counter_statements(maker, 2);
  counter_line(maker, "LDL%s R4, [R10+0x%x]", wide ? ".64" : "", place);
  if (wide) {
    wide_step(maker, 4, 5, by);
    wide_compare(maker, 4, 5, relation);
  } else {
    counter_line(maker, "IADD32I R4, R4, 0x%x", by);
    counter_operand(maker, right);
    counter_compare(maker, 0, "R4", relation, right);
  }
  counter_line(maker, "%sSTL%s [R10+0x%x], R4", counter_one_in(maker, 12) ? "@P1 " : "",
               wide ? ".64" : "", place);
  if (counter_one_in(maker, 6))
    counter_statements(maker, 1);
  counter_line(maker, "@%sP0 BRA L%zu", counter_one_in(maker, maker->tame ? 16 : 4) ? "!" : "",
               label);
  maker->depth--;
}

/* A loop over the set bits of a word, in one of the ways to clear one, or nearly so. */
static void set_bits(struct counter_maker *maker)
{
  const size_t label = maker->program->labels;
  const unsigned around = maker->busy;
  const unsigned word = counter_any_target(maker);
  const bool early = counter_one_in(maker, 3); /* the test is above */
  const unsigned kind = (unsigned)counter_below(maker, 5);
  /* The test is that the word is not a bit of it alone, which 0 may pass for ever. */
  const bool alone = !early && kind > 0 && counter_one_in(maker, 3);
  maker->busy |= 1U << word;
  maker->program->labels += 2;
  maker->depth++;
  counter_start(maker, word);
  if (counter_one_in(maker, 3))
    counter_line(maker, "LOP32I.AND R%u, R%u, 0x%x", word, word, counter_any_number(maker));
  if (!counter_one_in(maker, 3)) {
    counter_line(maker, "ISETP.NE.AND P0, PT, R%u, RZ, PT", word);
    counter_line(maker, "@!P0 BRA L%zu", label + 1);
  }
  counter_line(maker, "L%zu:", label);
  if (early) {
    counter_line(maker, "ISETP.NE.AND P0, PT, R%u, RZ, PT", word);
    counter_line(maker, "@!P0 BRA L%zu", label + 1);
  }
  if (counter_one_in(maker, 4))
    counter_statements(maker, 1);
  switch (kind) {
  case 0:
    counter_line(maker, "IADD32I R7, R%u, 0x%x", word, counter_one_in(maker, 8) ? 1 : UINT32_MAX);
    counter_line(maker, "LOP.AND R%u, R7, R%u", word, word);
    break;
  case 1: /* the lowest one */
    counter_line(maker, "IADD R7, -R%u, RZ", word);
    counter_line(maker, "LOP.AND R7, R%u, R7", word);
    if (alone)
      counter_line(maker, "ISETP.NE.AND P0, PT, R%u, R7, PT", word);
    counter_line(maker, "LOP.%s R%u, R%u, R7", counter_one_in(maker, 8) ? "OR" : "XOR", word, word);
    break;
  default: /* the highest one, or the lowest one by its place */
    if (kind == 2)
      counter_line(maker, "BREV R6, R%u", word);
    counter_line(maker, "FLO.U32%s R6, R%u", kind == 2 ? ".SH" : "", kind == 2 ? 6 : word);
    if (alone && counter_one_in(maker, 2))
      counter_line(maker, "LOP32I.AND R6, R6, 0x1f");
    counter_line(maker, "MOV32I R7, 0x%x", counter_one_in(maker, 8) ? 2 : 1);
    counter_line(maker, "SHL R7, R7, R6");
    if (alone)
      counter_line(maker, "ISETP.NE.AND P0, PT, R%u, R7, PT", word);
    if (counter_one_in(maker, 2))
      counter_line(maker, "LOP.AND R%u, R%u, %sR7", word, word,
                   counter_one_in(maker, 8) ? "" : "~");
    else if (counter_one_in(maker, 2))
      counter_line(maker, "IADD R%u, R%u, -R7", word, word);
    else
      counter_line(maker, "LOP.XOR R%u, R%u, R7", word, word);
    break;
  }
  if (!alone && counter_one_in(maker, 6))
    counter_statements(maker, 1);
  if (!early && !alone)
    counter_line(maker, "ISETP.NE.AND P0, PT, R%u, RZ, PT", word);
  counter_line(maker, "%sBRA L%zu", early ? "" : "@P0 ", label);
  counter_line(maker, "L%zu:", label + 1);
  maker->depth--;
  maker->busy = around;
}

static void set_flag(struct counter_maker *maker, unsigned predicate, bool value)
{
  if (!counter_one_in(maker, 8))
    counter_line(maker, "PSETP.AND.AND P%u, PT, %sPT, PT, PT", predicate, value ? "" : "!");
}

/* A number near another one, mostly that. */
static unsigned nearly(struct counter_maker *maker, unsigned number)
{
  return counter_one_in(maker, 12) ? (unsigned)counter_below(maker, 2UL * number + 2) : number;
}

/* What compilers make of a loop: a body of 16 iterations, one of 8, then one of 4, the last of
 * which a predicate leads to that says whether there were others before. */
static void cascade(struct counter_maker *maker)
{
  const size_t label = maker->program->labels;
  const unsigned around = maker->busy;
  const unsigned counter = counter_any_target(maker);
  maker->busy |= 1U << counter;
  maker->program->labels += 5;
  maker->depth++;
  counter_start(maker, counter);
  if (!counter_one_in(maker, 6))
    counter_line(maker, "LOP32I.AND R%u, R%u, 0x%x", counter, counter, nearly(maker, 0x7c));
  counter_line(maker, "ISETP.%s.AND P0, PT, R%u, RZ, PT", counter_one_in(maker, 3) ? "GE" : "GT",
               counter);
  counter_line(maker, "@!P0 BRA L%zu", label + 4);
  counter_line(maker, "ISETP.GT.AND P1, PT, R%u, 0x%x, PT", counter, nearly(maker, 12));
  set_flag(maker, 0, true);
  counter_line(maker, "@!P1 BRA L%zu", label + 1);
  set_flag(maker, 0, false);
  counter_line(maker, "L%zu:", label);
  if (counter_one_in(maker, 4))
    counter_statements(maker, 1);
  counter_line(maker, "IADD32I R%u, R%u, -0x%x", counter, counter, nearly(maker, 16));
  counter_line(maker, "ISETP.GT.AND P1, PT, R%u, 0x%x, PT", counter, nearly(maker, 12));
  counter_line(maker, "@P1 BRA L%zu", label);
  counter_line(maker, "L%zu:", label + 1);
  if (!counter_one_in(maker, 3)) {
    counter_line(maker, "ISETP.GT.AND P1, PT, R%u, 0x%x, PT", counter, nearly(maker, 4));
    counter_line(maker, "@!P1 BRA L%zu", label + 2);
    set_flag(maker, 0, false);
    counter_line(maker, "IADD32I R%u, R%u, -0x%x", counter, counter, nearly(maker, 8));
  }
  counter_line(maker, "L%zu:", label + 2);
  counter_line(maker, "ISETP.%s.%s P0, PT, R%u, RZ, %sP0",
               counter_one_in(maker, 8) ? counter_any_relation(maker) : "NE",
               counter_one_in(maker, 6) ? "AND" : "OR", counter,
               counter_one_in(maker, 8) ? "!" : "");
  counter_line(maker, "@!P0 BRA L%zu", label + 4);
  counter_line(maker, "L%zu:", label + 3);
  counter_line(maker, "IADD32I R%u, R%u, -0x%x", counter, counter, nearly(maker, 4));
  counter_line(maker, "ISETP.NE.AND P0, PT, R%u, RZ, PT", counter);
  counter_line(maker, "@P0 BRA L%zu", label + 3);
  counter_line(maker, "L%zu:", label + 4);
  maker->depth--;
  maker->busy = around;
}

/* A loop whose start or limit is the counter of the loop around it, or made of that. */
static void triangle(struct counter_maker *maker)
{
  const size_t label = maker->program->labels;
  const unsigned around = maker->busy;
  const unsigned outer = counter_any_target(maker);
  maker->busy |= 1U << outer;
  const unsigned inner = counter_any_target(maker);
  const bool down = counter_one_in(maker, 3);
  const uint32_t by = counter_one_in(maker, 2) ? 1 : 1 + (uint32_t)counter_below(maker, 4);
  const char *limit = counter_one_in(maker, 6) ? "R6" : counter_one_in(maker, 2) ? "R7" : "RZ";
  char names[2][24];
  snprintf(names[0], sizeof names[0], "R%u", outer);
  snprintf(names[1], sizeof names[1], "R%u", inner);
  maker->busy |= 1U << inner;
  maker->program->labels += 3;
  maker->depth += 2;
  counter_line(maker, "MOV32I R%u, 0x%x", outer, down ? (unsigned)counter_below(maker, 24) : 0);
  counter_line(maker, "L%zu:", label);
  if (counter_one_in(maker, 6))
    counter_statements(maker, 1);
  /* R7 is a number that depends on the outer counter. */
  if (counter_one_in(maker, 3))
    counter_line(maker, "IMNMX R7, R%u, 0x%x, %sPT", outer, (unsigned)counter_below(maker, 12),
                 counter_one_in(maker, 2) ? "!" : "");
  else if (counter_one_in(maker, 3))
    counter_line(maker, "SHR.U32 R7, R%u, 0x1", outer);
  else
    counter_line(maker, "IADD32I R7, R%u, 0x%x", outer, (unsigned)counter_below(maker, 5) - 2);
  if (*limit == '7' || counter_one_in(maker, 2))
    counter_line(maker, "MOV R%u, %s", inner, counter_one_in(maker, 3) ? "0x1" : "RZ");
  else
    counter_line(maker, "MOV R%u, R7", inner);
  if (counter_one_in(maker, 2)) {
    counter_compare(maker, 0, names[1], counter_one_in(maker, 2) ? "GE" : "GT", "R7");
    counter_line(maker, "@P0 BRA L%zu", label + 2);
  }
  counter_line(maker, "L%zu:", label + 1);
  if (counter_one_in(maker, 6))
    counter_statements(maker, 1);
  if (counter_one_in(maker, 2)) {
    counter_line(maker, "IADD32I R%u, R%u, 0x%x", inner, inner, by);
    counter_compare(maker, 0, names[1], counter_one_in(maker, 2) ? "LT" : "LE",
                    counter_one_in(maker, 4) ? names[0] : "R7");
  } else {
    counter_line(maker, "IADD32I R%u, R%u, -0x%x", inner, inner, by);
    counter_compare(maker, 0, names[1], counter_one_in(maker, 2) ? "GT" : "GE", limit);
  }
  counter_line(maker, "@P0 BRA L%zu", label + 1);
  counter_line(maker, "L%zu:", label + 2);
  counter_line(maker, "IADD32I R%u, R%u, %s0x%x", outer, outer, down ? "-" : "",
               counter_one_in(maker, 3) ? 2 : 1);
  if (down)
    counter_compare(maker, 0, names[0], counter_one_in(maker, 2) ? "GT" : "GE", "RZ");
  else
    counter_line(maker, "ISETP.LT.AND P0, PT, R%u, 0x%x, PT", outer,
                 (unsigned)counter_below(maker, 24));
  counter_line(maker, "@P0 BRA L%zu", label);
  maker->depth -= 2;
  maker->busy = around;
}

static void any_loop(struct counter_maker *maker)
{
  if (maker->depth == 0 && counter_one_in(maker, 6))
    triangle(maker);
  else if (counter_one_in(maker, 8))
    cascade(maker);
  else if (counter_one_in(maker, 10))
    set_bits(maker);
  else if (counter_one_in(maker, 4))
    counter_shape(maker);
  else if (maker->stack && counter_one_in(maker, 3))
    stack_loop(maker);
  else if (counter_one_in(maker, 4))
    two_counters(maker);
  else if (counter_one_in(maker, 5))
    related_loop(maker);
  else if (counter_one_in(maker, 3))
    wide_loop(maker);
  else if (counter_one_in(maker, 6))
    unrolled_loops(maker);
  else if (counter_one_in(maker, 3))
    remainder_loop(maker);
  else
    loop(maker);
}

void counter_statements(struct counter_maker *maker, unsigned most)
{
  for (uint64_t left = counter_below(maker, most + 1); left > 0; left--) {
    if (maker->program->count > COUNTERS_LINES - 50)
      return;
    if (maker->depth < MOST_DEPTH && counter_one_in(maker, 4))
      any_loop(maker);
    else if (counter_one_in(maker, 5))
      condition(maker);
    else if (counter_one_in(maker, 20))
      jump(maker);
    else if (maker->stack && counter_one_in(maker, 5))
      counter_stack_access(maker);
    else if (counter_one_in(maker, 12))
      counter_division(maker);
    else if (counter_one_in(maker, 16))
      counter_float_to(maker, counter_any_target(maker));
    else
      counter_arithmetic(maker);
  }
}

void counters_random(struct wb_random *random, struct counters_program *program)
{
  struct counter_maker maker = {
      .random = random, .program = program, .tame = wb_random_below(random, 2) == 0};
  *program = (struct counters_program){.count = 0};
  maker.stack = counter_one_in(&maker, 3);
  if (maker.stack) {
    counter_line(&maker, "MOV R10, c[0x0][0x20]");
    counter_line(&maker, "IADD32I R10, R10, -0x40");
  }
  counter_statements(&maker, 3);
  any_loop(&maker);
  counter_statements(&maker, 2);
  counter_line(&maker, "EXIT");
  program->lines[program->count] = NULL;
}
