/* Bounds of searches by halves in 64 bits, by two ends or by what is left, and in 32 bits, with
 * many ways through an iteration, of loops over set bits of 64 bits, and of loops up to the least
 * of two numbers of 64 bits, in the form of sm_87, of searches and shifts of 64 bits in the form of
 * sm_52, too, as compilers write them and with some lines changed, are never exceeded by a thread
 * with the real meaning of the instructions.
 * WARPBOUND_CROSS_RUNS programs (3000 without it), WARPBOUND_SEED */
#include "base/text.h"
#include "bound_watch.h"
#include "unit.h"

#define DEFAULT_RUNS 3000
#define THREADS 8
#define MOST_EDGES 300
#define LINES 72
#define WIDTH 80

struct maker {
  struct wb_random *random;
  char text[LINES][WIDTH];
  const char *lines[LINES + 2];
  size_t count;
  unsigned architecture;
};

static bool one_in(struct maker *maker, uint64_t n)
{
  return wb_random_below(maker->random, n) == 0;
}

__attribute__((format(printf, 2, 3))) static void line(struct maker *maker, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(maker->text[maker->count++], WIDTH, format, arguments);
  va_end(arguments);
}

/* A number in two registers: small, a parameter, negative, or any. */
static void start(struct maker *maker, unsigned low)
{
  const uint64_t kind = wb_random_below(maker->random, 8);
  const unsigned small = (unsigned)wb_random_below(maker->random, 60);
  if (kind < 3)
    line(maker, "MOV R%u, 0x%x", low, small);
  else if (kind < 5)
    line(maker, "MOV R%u, c[0x0][0x160]", low);
  else
    line(maker, "LDG.E%s R%u, [R8]", kind == 5 ? ".U8" : kind == 6 ? ".U16" : "", low);
  if (kind == 4)
    line(maker, "SHF.R.S32.HI R%u, RZ, 0x1f, R%u", low + 1, low);
  else if (one_in(maker, 12))
    line(maker, "MOV R%u, -0x1", low + 1);
  else if (one_in(maker, 12))
    line(maker, "MOV R%u, 0x%x", low + 1, small & 3);
  else
    line(maker, "MOV R%u, RZ", low + 1);
}

/* R6 and R7 are the number in R4 and R5, less that in R2 and R3 where `ends`. */
static void distance(struct maker *maker, bool ends)
{
  if (!ends) {
    line(maker, "MOV R6, R4");
    line(maker, "MOV R7, R5");
    return;
  }
  line(maker, "IADD3 R6, P1, R4, -R2, RZ");
  line(maker, "IADD3.X R7, R5, ~R3, RZ, P1, !PT");
}

/* R6 and R7 by half. */
static void halve(struct maker *maker)
{
  const bool as_signed = one_in(maker, 3);
  const unsigned places = one_in(maker, 8) ? 2 : 1;
  if (as_signed && one_in(maker, 2)) { /* towards 0 */
    line(maker, "LEA.HI R6, P1, R7, R6, RZ, 0x1");
    line(maker, "IMAD.X R7, RZ, RZ, R7, P1");
  }
  line(maker, "SHF.R.%s R6, R6, 0x%x, R7", as_signed ? "S64" : "U64", places);
  line(maker, "SHF.R.%s32.HI R7, RZ, 0x%x, R7", as_signed ? "S" : "U", places);
}

static void test(struct maker *maker, const char *relation, unsigned low, const char *right,
                 const char *right_high)
{
  line(maker, "ISETP.%s.U32.AND P0, PT, R%u, %s, PT", relation, low, right);
  line(maker, "ISETP.%s%s.AND.EX P0, PT, R%u, %s, PT, P0", relation, one_in(maker, 2) ? ".U32" : "",
       low + 1, right_high);
}

/* while (lo < hi) { mid = lo + (hi - lo) / 2; if (...) hi = mid; else lo = mid + 1; } */
static void by_ends(struct maker *maker)
{
  start(maker, 2);
  start(maker, 4);
  line(maker, "L0:");
  test(maker, one_in(maker, 6) ? "GT" : one_in(maker, 6) ? "EQ" : "GE", 2, "R4", "R5");
  line(maker, "@P0 BRA L2");
  distance(maker, true);
  halve(maker);
  line(maker, "IADD3 R6, P1, R6, R2, RZ");
  line(maker, "IMAD.X R7, R7, 0x1, R3, P1");
  line(maker, "FSETP.GT.AND P3, PT, R8, R9, PT");
  line(maker, "@P3 BRA L1");
  if (one_in(maker, 3)) {
    line(maker, "IADD3 R4, P2, R6, -0x1, RZ");
    line(maker, "IADD3.X R5, R7, -0x1, RZ, P2, !PT");
  } else {
    line(maker, "MOV R4, R6");
    line(maker, "MOV R5, R7");
  }
  line(maker, "BRA L0");
  line(maker, "L1:");
  line(maker, "IADD3 R2, P1, R6, 0x1, RZ");
  line(maker, "IMAD.X R3, RZ, RZ, R7, P1");
  line(maker, "BRA L0");
  line(maker, "L2:");
}

/* while (n > 0) { half = n / 2; n = ... ? half : n - half - 1; } */
static void by_count(struct maker *maker)
{
  start(maker, 4);
  line(maker, "L0:");
  distance(maker, false);
  halve(maker);
  line(maker, "FSETP.GT.AND P3, PT, R8, R9, PT");
  line(maker, "@P3 BRA L1");
  if (one_in(maker, 2)) {
    line(maker, "LOP3.LUT R6, RZ, R6, RZ, 0x33, !PT");
    line(maker, "LOP3.LUT R7, RZ, R7, RZ, 0x33, !PT");
    line(maker, "IADD3 R6, P1, R4, R6, RZ");
    line(maker, "IMAD.X R7, R5, 0x1, R7, P1");
  } else {
    line(maker, "IADD3 R6, P1, P2, R4, -0x1, -R6");
    line(maker, "IADD3.X R7, R5, -0x1, ~R7, P1, P2");
  }
  line(maker, "L1:");
  test(maker, one_in(maker, 4) ? "NE" : one_in(maker, 6) ? "GE" : "GT", 6, "RZ", "RZ");
  line(maker, "MOV R4, R6");
  line(maker, "MOV R5, R7");
  line(maker, "@P0 BRA L0");
}

/* A word: small, any, a parameter, of a byte. */
static void start_word(struct maker *maker, unsigned number)
{
  const uint64_t kind = wb_random_below(maker->random, 4);
  if (kind == 0)
    line(maker, "MOV R%u, 0x%x", number, (unsigned)wb_random_below(maker->random, 60));
  else if (kind == 1)
    line(maker, "MOV R%u, c[0x0][0x160]", number);
  else
    line(maker, "LDG.E%s R%u, [R8]", kind == 2 ? ".U8" : "", number);
}

/* 2^6 or 2^7 ways through an iteration, which do not touch the ends, or on one of which one moves.
 */
static void many_ways(struct maker *maker)
{
  static const char *const moves[] = {"MOV R4, R6", "MOV R2, R6", "IADD3 R4, R4, -0x1, RZ",
                                      "IADD3 R2, R2, -0x1, RZ", "LDG.E.U8 R4, [R8]"};
  const unsigned count = one_in(maker, 2) ? 6 : 7;
  const uint64_t moved = wb_random_below(maker->random, 2UL * count);
  for (unsigned i = 0; i < count; i++) {
    line(maker, "FSETP.GT.AND P3, PT, R8, R9, PT");
    line(maker, "@P3 BRA L%u", 10 + i);
    line(maker, "%s",
         i == moved ? moves[wb_random_below(maker->random, sizeof moves / sizeof *moves)]
                    : "LDG.E R10, [R8]");
    line(maker, "L%u:", 10 + i);
  }
}

/* if (lo < hi) do { mid = lo + (hi - lo) / 2; if (...) hi = mid; else lo = mid + 1; } while (lo <
 * hi); */
static void by_words(struct maker *maker)
{
  const bool as_signed = !one_in(maker, 4);
  start_word(maker, 2);
  start_word(maker, 4);
  if (!one_in(maker, 4))
    line(maker, "IMNMX%s R2, RZ, R2, !PT", one_in(maker, 6) ? ".U32" : "");
  if (!one_in(maker, 5)) {
    line(maker, "ISETP.%s%s.AND P0, PT, R4, R2, PT", one_in(maker, 4) ? "GE" : "GT",
         as_signed ? "" : ".U32");
    line(maker, "@!P0 BRA L2");
  }
  line(maker, "L0:");
  line(maker, "IADD3 R6, R4, -R2, RZ");
  if (as_signed)
    line(maker, "LEA.HI R6, R6, R6, RZ, 0x1");
  line(maker, "SHF.R.%s32.HI R6, RZ, 0x1, R6", as_signed ? "S" : "U");
  line(maker, "IADD3 R6, R6, R2, RZ");
  if (one_in(maker, 10))
    many_ways(maker);
  line(maker, "FSETP.GT.AND P3, PT, R8, R9, PT");
  line(maker, "SEL R4, R6, R4, !P3");
  line(maker, "@P3 IADD3 R2, R6, 0x1, RZ");
  line(maker, "ISETP.GT%s.AND P0, PT, R4, R2, PT", as_signed ? "" : ".U32");
  line(maker, "@P0 BRA L0");
  line(maker, "L2:");
}

/* R10 is the place of the lowest or highest bit of R3:R2 that is set. */
static void find_bit(struct maker *maker, bool lowest)
{
  if (lowest) {
    line(maker, "IADD3 R6, P1, RZ, -R2, RZ");
    line(maker, "IMAD.X R7, RZ, RZ, ~R3, P1");
    line(maker, "LOP3.LUT R7, R3, R7, RZ, 0xc0, !PT");
    line(maker, "ISETP.NE.U32.AND P2, PT, R7, RZ, PT");
    line(maker, "@!P2 LOP3.LUT R7, R2, R6, RZ, 0xc0, !PT");
  } else {
    line(maker, "ISETP.NE.U32.AND P2, PT, R3, RZ, PT");
    line(maker, "SEL R7, R2, R3, !P2");
  }
  line(maker, "FLO.U32 R6, R7");
  line(maker, "IADD3 R10, -R6, 0x3f, RZ");
  line(maker, "@P2 IADD3 R10, -R6, 0x1f, RZ");
  line(maker, "IADD3 R10, -R10, 0x3f, RZ");
}

/* while (m != 0) { ...; m &= m - 1; }, or with a bit of m that is cleared by its place. */
static void by_bits(struct maker *maker)
{
  const uint64_t kind = wb_random_below(maker->random, 3);
  const bool early = one_in(maker, 3);
  const char *table = one_in(maker, 2) ? "0x3c" : "0x30";
  start(maker, 2);
  if (one_in(maker, 2))
    line(maker, "LDG.E%s R3, [R8]", one_in(maker, 2) ? ".U8" : "");
  if (!one_in(maker, 4)) {
    test(maker, "NE", 2, "RZ", "RZ");
    line(maker, "@!P0 BRA L2");
  }
  line(maker, "L0:");
  if (early) {
    test(maker, one_in(maker, 8) ? "GE" : "EQ", 2, "RZ", "RZ");
    line(maker, "@P0 BRA L2");
  }
  if (kind == 0) {
    line(maker, "IADD3 R6, P1, R2, -0x1, RZ");
    line(maker, "IADD3.X R7, R3, -0x1, RZ, P1, !PT");
    line(maker, "LOP3.LUT R2, R6, R2, RZ, 0xc0, !PT");
    line(maker, "LOP3.LUT R3, R7, R3, RZ, 0xc0, !PT");
  } else {
    find_bit(maker, kind == 1);
    line(maker, "MOV R6, 0x1");
    line(maker, "SHF.L.U64.HI R7, R6, R10, RZ");
    line(maker, "SHF.L.U32 R6, R6, R10, RZ");
    line(maker, "LOP3.LUT R2, R2, R6, RZ, %s, !PT", table);
    line(maker, "LOP3.LUT R3, R3, R7, RZ, %s, !PT", table);
  }
  if (!early)
    test(maker, one_in(maker, 8) ? "GT" : "NE", 2, "RZ", "RZ");
  line(maker, "%sBRA L0", early ? "" : "@P0 ");
  line(maker, "L2:");
}

/* limit = min(a, b), or max, of pairs or of a pair and a number; for (i = start; i < limit; i +=
 * step)
 * ...; the pair may be tested before, and words be written between. */
static void by_least(struct maker *maker)
{
  static const char *const relations[] = {"LT", "LE", "GT", "GE"};
  const char *type = one_in(maker, 2) ? ".U32" : "";
  const bool number = one_in(maker, 2);
  const char *sides[2] = {number ? "0x28" : "R4", number ? "RZ" : "R5"};
  const unsigned to = one_in(maker, 2) ? 2 : 10,
                 first = (unsigned)wb_random_below(maker->random, 2);
  start(maker, 2);
  start(maker, 4);
  if (one_in(maker, 2))
    line(maker, "LDG.E R3, [R8]");
  if (one_in(maker, 3)) {
    test(maker, relations[wb_random_below(maker->random, 4)], 2, one_in(maker, 2) ? "0x28" : "R4",
         "RZ");
    line(maker, "@P0 BRA L2");
  }
  const char *relation = relations[wb_random_below(maker->random, one_in(maker, 4) ? 4 : 2)];
  line(maker, "ISETP.%s.U32.AND P2, PT, R2, %s, PT", relation, sides[0]);
  line(maker, "ISETP.%s%s.AND.EX P2, PT, R3, %s, PT, P2", relation, type, sides[1]);
  for (unsigned w = 0; w < 2; w++) {
    const unsigned word = w ^ first;
    line(maker, "SEL R%u, R%u, %s, P2", to + word, 2 + word, sides[word]);
    if (one_in(maker, 12))
      line(maker, "LDG.E.U8 R%u, [R8]", 2 + (unsigned)wb_random_below(maker->random, 4));
  }
  line(maker, "MOV R6, 0x%x", (unsigned)wb_random_below(maker->random, 8));
  line(maker, "MOV R7, RZ");
  line(maker, "L0:");
  line(maker, "IADD3 R6, P1, R6, 0x%x, RZ", one_in(maker, 2) ? 1 : 3);
  line(maker, "IADD3.X R7, RZ, R7, RZ, P1, !PT");
  line(maker, "ISETP.LT.U32.AND P0, PT, R6, R%u, PT", to);
  line(maker, "ISETP.LT%s.AND.EX P0, PT, R7, R%u, PT, P0", type, to + 1);
  line(maker, "@P0 BRA L0");
  line(maker, "L2:");
}

/* Any number is added to R5:R4 and taken away, so that no iteration can be followed. */
static void add_and_take(struct maker *maker)
{
  if (one_in(maker, 2))
    return;
  for (unsigned w = 0; w < 2; w++) {
    const char *sign = w == 0 ? "" : maker->architecture == 52 ? "-" : "~";
    if (maker->architecture == 52) {
      line(maker, "IADD R4.CC, R4, %sR9", w == 0 ? "" : "-");
      line(maker, "IADD.X R5, R5, %sR10", sign);
    } else {
      line(maker, "IADD3 R4, P1, R4, %sR9, RZ", w == 0 ? "" : "-");
      line(maker, "IADD3.X R5, R5, %sR10, RZ, P1, !PT", sign);
    }
  }
}

/* while (n != 0) { ...; n >>= places; } */
static void by_shift(struct maker *maker)
{
  const unsigned places = one_in(maker, 3) ? 1 + (unsigned)wb_random_below(maker->random, 9) : 1;
  const bool ways = one_in(maker, 3);
  const char *relation = one_in(maker, 4) ? "GT" : one_in(maker, 6) ? "GE" : "NE";
  start(maker, 4);
  if (one_in(maker, 2))
    line(maker, "LDG.E R5, [R8]");
  line(maker, "L0:");
  if (one_in(maker, 3)) {
    test(maker, one_in(maker, 6) ? "NE" : "EQ", 4, "RZ", "RZ");
    line(maker, "@P0 BRA L2");
  }
  if (ways) {
    line(maker, "FSETP.GT.AND P3, PT, R8, R9, PT");
    line(maker, "@P3 BRA L1");
  }
  line(maker, "SHF.R.U64 R4, R4, 0x%x, R5", places);
  line(maker, "SHF.R.U32.HI R5, RZ, 0x%x, R5", places);
  line(maker, "BRA L3");
  line(maker, "L1:");
  if (ways) {
    line(maker, "SHF.R.U64 R4, R4, 0x%x, R5", places + 1);
    line(maker, "SHF.R.%s32.HI R5, RZ, 0x%x, R5", one_in(maker, 4) ? "S" : "U", places + 1);
  }
  line(maker, "L3:");
  add_and_take(maker);
  test(maker, relation, 4, one_in(maker, 8) ? "0x1" : "RZ", "RZ");
  line(maker, "@P0 BRA L0");
  line(maker, "L2:");
}

/* The same lines in the form of sm_52. */
static void test_by_carry(struct maker *maker, const char *relation, unsigned low, unsigned right)
{
  if (right > 0)
    line(maker, "IADD RZ.CC, R%u, -R%u", low, right);
  else if (one_in(maker, 2))
    line(maker, "IADD RZ.CC, -RZ, R%u", low);
  else if (one_in(maker, 6))
    line(maker, "IADD RZ.CC, R%u, RZ", low); /* says nothing */
  else
    line(maker, "IADD32I RZ.CC, R%u, -0x1", low);
  const char *type = one_in(maker, 2) ? ".U32" : "";
  if (right > 0)
    line(maker, "ISETP.%s%s.X.AND P0, PT, R%u, R%u, PT", relation, type, low + 1, right + 1);
  else
    line(maker, "ISETP.%s%s.X.AND P0, PT, R%u, RZ, PT", relation, type, low + 1);
}

static void start_52(struct maker *maker, unsigned low)
{
  const uint64_t kind = wb_random_below(maker->random, 6);
  if (kind < 3)
    line(maker, "MOV32I R%u, 0x%x", low, (unsigned)wb_random_below(maker->random, 60));
  else if (kind == 3)
    line(maker, "MOV R%u, c[0x0][0x140]", low);
  else
    line(maker, "LDG.E%s R%u, [R8]", kind == 5 ? ".U8" : "", low);
  if (one_in(maker, 4))
    line(maker, "SHR R%u, R%u, 0x1f", low + 1, low);
  else
    line(maker, "MOV R%u, %s", low + 1, one_in(maker, 12) ? "0x1" : "RZ");
}

static void halve_52(struct maker *maker, unsigned low, unsigned places)
{
  const bool as_signed = one_in(maker, 2);
  if (as_signed && one_in(maker, 2)) { /* towards 0 */
    line(maker, "SHR%s R10, R%u, 0x%x", one_in(maker, 12) ? "" : ".U32", low + 1,
         one_in(maker, 12) ? 30U : 31U);
    line(maker, "IADD R%u.CC, R10, R%u", low, low);
    line(maker, "IADD.X R%u, RZ, R%u", low + 1, low + 1);
  }
  line(maker, "SHF.R.%s R%u, R%u, 0x%x, R%u", as_signed ? "S64" : "U64", low, low, places, low + 1);
  line(maker, "SHR%s R%u, R%u, 0x%x", as_signed ? "" : ".U32", low + 1, low + 1, places);
}

/* Tested in front of each iteration; or `rotated`, once in front of the loop and at its end. */
static void by_ends_52(struct maker *maker)
{
  const bool rotated = one_in(maker, 2);
  maker->architecture = 52;
  start_52(maker, 2);
  start_52(maker, 4);
  if (!rotated)
    line(maker, "L0:");
  test_by_carry(maker, one_in(maker, 6) ? "GT" : one_in(maker, 6) ? "EQ" : "GE", 2, 4);
  line(maker, "@P0 BRA L2");
  if (rotated && one_in(maker, 8))
    line(maker, "IADD32I R2, R2, 0x%x", (unsigned)wb_random_below(maker->random, 20));
  if (rotated)
    line(maker, "L0:");
  line(maker, "IADD R6.CC, R4, -R2");
  line(maker, "IADD.X R7, R5, -R3");
  halve_52(maker, 6, one_in(maker, 8) ? 2 : 1);
  line(maker, "IADD R6.CC, R6, R2");
  line(maker, "IADD.X R7, R7, R3");
  line(maker, "FSETP.GT.AND P3, PT, R8, R9, PT");
  line(maker, "@P3 BRA L1");
  line(maker, "IADD32I R4.CC, R6, %s", one_in(maker, 3) ? "-0x1" : "0x0");
  line(maker, "IADD32I.X R5, R7, %s", one_in(maker, 3) ? "-0x1" : "0x0");
  line(maker, "BRA %s", rotated ? "L3" : "L0");
  line(maker, "L1:");
  line(maker, "IADD32I R2.CC, R6, 0x1");
  line(maker, "IADD.X R3, RZ, R7");
  if (rotated) {
    line(maker, "L3:");
    test_by_carry(maker, one_in(maker, 6) ? "LE" : one_in(maker, 6) ? "NE" : "LT", 2, 4);
  }
  line(maker, "%sBRA L0", rotated ? "@P0 " : "");
  line(maker, "L2:");
}

static void by_shift_52(struct maker *maker)
{
  const bool early = one_in(maker, 3);
  maker->architecture = 52;
  start_52(maker, 4);
  if (one_in(maker, 2))
    line(maker, "LDG.E R5, [R8]");
  line(maker, "L0:");
  if (early) {
    test_by_carry(maker, one_in(maker, 6) ? "NE" : "EQ", 4, 0);
    line(maker, "@P0 BRA L2");
  }
  halve_52(maker, 4, one_in(maker, 3) ? 1 + (unsigned)wb_random_below(maker->random, 9) : 1);
  add_and_take(maker);
  if (!early)
    test_by_carry(maker, one_in(maker, 4) ? "GT" : one_in(maker, 6) ? "GE" : "NE", 4, 0);
  line(maker, "%sBRA L0", early ? "" : "@P0 ");
  line(maker, "L2:");
}

/* Another order of two lines, another carry, number or register, or a line twice. */
static void change(struct maker *maker)
{
  static const char *const changes[][2] = {
      {"P1", "P2"},    {"0x1", "0x2"},    {"0x1", "RZ"},    {"R6", "R2"}, {"R7", "R5"},
      {"R2", "RZ"},    {"-R2", "-R4"},    {"~R", "R"},      {"R3", "R9"}, {".U32", ""},
      {"-0x1", "0x1"}, {"0xc0", "0x3c"},  {"0x30", "0xfc"}, {"P2", "P0"}, {"0x3f", "0x1f"},
      {"!P", "P"},     {", P2", ", !P2"}, {"LT", "GT"},     {".CC", ""},  {".X", ""},
      {"R4", "R5"},    {"NE", "GE"},      {"-RZ", "RZ"}};
  const size_t at = wb_random_below(maker->random, maker->count - 1);
  char *text = maker->text[at];
  char saved[WIDTH];
  if (one_in(maker, 3)) {
    char *other = maker->text[at + 1];
    if (strchr(text, ':') != NULL || strchr(other, ':') != NULL || strstr(text, "BRA") != NULL ||
        strstr(other, "BRA") != NULL)
      return;
    memcpy(saved, text, WIDTH);
    memcpy(text, other, WIDTH);
    memcpy(other, saved, WIDTH);
    return;
  }
  const char *const *pair =
      changes[wb_random_below(maker->random, sizeof changes / sizeof *changes)];
  char *found = strstr(text, pair[0]);
  if (found == NULL || strchr(text, ':') != NULL)
    return;
  snprintf(saved, WIDTH, "%.*s%s%s", (int)(found - text), text, pair[1], found + strlen(pair[0]));
  memcpy(text, saved, WIDTH);
}

struct totals {
  size_t loops, bounded, reached;
  size_t bits, bits_reached;   /* over set bits */
  size_t least;                /* up to the least of two numbers */
  size_t carry, carry_reached; /* in the form of sm_52 */
  size_t shift, shift_reached; /* by shifts of any number */
};

static void try_program(uint64_t seed, struct totals *totals)
{
  struct wb_random random = {seed};
  struct maker maker = {.random = &random, .architecture = 87};
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(bounded_free) struct bounded_function bounded;
  struct wb_parameter_value words[THREAD_PARAMETERS];
  FREED_BY(bound_watch_free) struct bound_watch watch;
  FREED_BY(wb_text_free) struct wb_text text = {0};
  static void (*const shapes[])(struct maker *) = {by_ends,  by_count, by_words,   by_bits,
                                                   by_least, by_shift, by_ends_52, by_shift_52};
  void (*const shape)(struct maker *) = shapes[wb_random_below(&random, COUNT_OF(shapes))];
  shape(&maker);
  for (uint64_t left = wb_random_below(&random, 2) * wb_random_below(&random, 4); left > 0; left--)
    change(&maker);
  line(&maker, "EXIT");
  for (size_t i = 0; i < maker.count; i++)
    maker.lines[i] = maker.text[i];
  wb_text_format(&text, "WARPBOUND_SEED=%llu WARPBOUND_CROSS_RUNS=1\n", (unsigned long long)seed);
  for (size_t i = 0; i < maker.count; i++)
    wb_text_format(&text, "%s\n", maker.lines[i]);
  assert_false(text.failed);
  listing_make_for(maker.architecture, maker.lines, &code);
  struct thread_launch launch = random_launch(&random);
  struct wb_launch known = known_launch(&random, &launch, words);
  assert_true(bounded_make(&code, &code.functions[0], &known, &bounded));
  bound_watch_start(&watch, &bounded);
  for (int t = 0; t < THREADS; t++) {
    random_thread(&random, &launch);
    bound_watch_run(&watch, &launch, wb_random_next(&random), MOST_EDGES, text.data);
  }
  totals->loops += bounded.forest.loop_count;
  for (size_t l = 0; l < bounded.forest.loop_count; l++) {
    const bool found = bounded.found[l].found && bounded.found[l].bound > 0;
    totals->bounded += found;
    const bool reached = found && bounded.found[l].bound == watch.greatest[l];
    const bool bits = found && strstr(bounded.found[l].reason, "clears a bit") != NULL;
    totals->reached += reached;
    totals->bits += bits;
    totals->bits_reached += bits && reached;
    totals->least += found && shape == by_least;
    totals->carry += found && maker.architecture == 52;
    totals->carry_reached += reached && maker.architecture == 52;
    const bool shift = found && strstr(bounded.found[l].reason, "any number at first") != NULL;
    totals->shift += shift;
    totals->shift_reached += shift && reached;
  }
}

TEST(no_thread_exceeds)
{
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  struct totals totals = {0};
  for (uint64_t n = 0; n < runs; n++)
    try_program(seed + n, &totals);
  printf(
      "# seeds %llu to %llu: %zu loops, %zu bounded, %zu of them reached by a thread; %zu over set "
      "bits, %zu of them reached; %zu up to the least of two numbers; %zu of sm_52, %zu of them "
      "reached; %zu by shifts of any number, %zu of them reached\n",
      (unsigned long long)seed, (unsigned long long)(seed + runs - 1), totals.loops, totals.bounded,
      totals.reached, totals.bits, totals.bits_reached, totals.least, totals.carry,
      totals.carry_reached, totals.shift, totals.shift_reached);
  if (runs >= DEFAULT_RUNS) {
    assert_true(totals.bounded * 8 > totals.loops);
    assert_true(totals.reached * 4 > totals.bounded);
    assert_true(totals.least * 30 > totals.loops);
    assert_true(totals.carry * 20 > totals.loops && totals.carry_reached * 4 > totals.carry);
    assert_true(totals.shift * 50 > totals.loops && totals.shift_reached * 4 > totals.shift);
  }
}
