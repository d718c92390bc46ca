/* Bounds that small programs show, and those that they do not: loop_bounds.txt, which says how a
 * row is read; and what is said of them. */
#include "base/random.h"
#include "bounded_listing.h"
#include "isa/integer_results.h"
#include "isa/lower/lower.h"
#include "rows.h"
#include "unit.h"
#include "values/domain.h"

#define UNKNOWN UINT64_MAX

/* Parameters by their offset, of a block and a grid of one dimension. */
static const struct wb_parameter_value parameters[] = {{NULL, 0, 100}, {NULL, 4, 7}, {NULL, 8, 0}};
static const struct wb_launch launch = {{256, 1, 1}, {12, 1, 1}, parameters, 3, NULL, 0};
static const struct wb_parameter_value below[] = {{NULL, 0, (uint32_t)-100}};
static const struct wb_launch negative = {{256, 1, 1}, {12, 1, 1}, below, 1, NULL, 0};

/* A row of loop_bounds.txt, which says what its words mean. */
static bool has_bounds(char *const *words, size_t count, char *lines)
{
  const struct wb_launch *known = NULL;
  uint64_t least = UNKNOWN;
  size_t loop = 0;
  int width = -1; /* not said */
  bool holds = count > 1;
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(bounded_free) struct bounded_function bounded;
  size_t w = 1;
  for (; w < count && words[w][0] >= 'a'; w++) {
    if (strcmp(words[w], "launch") == 0)
      known = &launch;
    else if (strcmp(words[w], "negative") == 0)
      known = &negative;
    else if (strcmp(words[w], "least") == 0 && w + 1 < count)
      least = strtoull(words[++w], NULL, 10);
    else
      width = strcmp(words[w], "width") == 0;
  }
  listing_of((unsigned)strtoul(words[0] + strlen("sm_"), NULL, 10), lines, &code);
  assert_true(bounded_make(&code, &code.functions[0], known, &bounded));
  for (; w < count && loop < bounded.forest.loop_count; w++, loop++) {
    const struct wb_found_bound *found = &bounded.found[loop];
    char *rest = words[w];
    const uint64_t bound = strcmp(words[w], "?") == 0 ? UNKNOWN : strtoull(words[w], &rest, 10);
    const uint64_t sum = *rest == '/' ? strtoull(rest + 1, NULL, 10) : UNKNOWN;
    holds = holds && (found->found ? found->bound : UNKNOWN) == bound &&
            found->found == (found->reason != NULL) &&
            (found->summed ? found->sum : UNKNOWN) == sum &&
            (least == UNKNOWN || found->least == least) &&
            (width < 0 || found->by_width == (width > 0));
  }
  return holds && w == count && loop == bounded.forest.loop_count;
}

TEST(rows)
{
  rows_check("unit/flow/loop_bounds.txt", 230, has_bounds);
}

TEST(hints)
{
  struct wb_code code;
  struct bounded_function bounded;
  listing_of(52,
             "S2R R0, SR_CTAID.X; loop:; IADD R0, R0, c[0x0][0x8]; ISETP.LT.AND P0, PT, R0, "
             "c[0x0][0x148], PT; @P0 BRA loop",
             &code);
  assert_true(bounded_make(&code, &code.functions[0], NULL, &bounded));
  assert_false(bounded.found[0].found);
  assert_string_equal(bounded.found[0].hint,
                      "R0's limit comes from c[0x0][0x148], its start from the grid's size and its "
                      "step from the block's size (comparison at 0x0018): --param 0x8=N, --grid "
                      "X,Y,Z and --block X,Y,Z may bound it");
  bounded_free(&bounded);
  wb_code_free(&code);
  listing_of(52,
             "MOV R0, RZ; loop:; LDG.E R4, [R2]; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, R4, "
             "PT; @P0 BRA loop",
             &code);
  assert_true(bounded_make(&code, &code.functions[0], NULL, &bounded));
  assert_string_equal(bounded.found[0].hint,
                      "R0's limit comes from what LDG.E at 0x0010 writes (comparison at 0x0028): "
                      "--assume-load 0x0010=0..N may bound it");
  bounded_free(&bounded);
  wb_code_free(&code);
  listing_of(75,
             "MOV R0, RZ; F2I.TRUNC R4, R2; loop:; IADD3 R0, R0, 0x1, RZ; ISETP.LT.AND P0, PT, R0, "
             "R4, PT; @P0 BRA loop",
             &code);
  assert_true(bounded_make(&code, &code.functions[0], NULL, &bounded));
  assert_string_equal(bounded.found[0].hint,
                      "R0's limit comes from what F2I.TRUNC at 0x0010 writes (comparison at "
                      "0x0030): --assume-value 0x0010=0..N may bound it");
  bounded_free(&bounded);
  wb_code_free(&code);
  /* A range of a float says nothing. */
  listing_of(75,
             "MOV R0, RZ; FMUL R4, R2, R3; loop:; IADD3 R0, R0, 0x1, RZ; ISETP.LT.AND P0, PT, R0, "
             "R4, PT; @P0 BRA loop",
             &code);
  assert_true(bounded_make(&code, &code.functions[0], NULL, &bounded));
  assert_string_equal(bounded.found[0].hint, "R0's limit comes from what FMUL at 0x0010 writes "
                                             "(comparison at 0x0030): a flow fact has to bound it");
  bounded_free(&bounded);
  wb_code_free(&code);
}

#define LIMIT(opcode)                                                                              \
  "MOV R0, RZ; MOV R4, 0x64; MOV R5, RZ; " opcode                                                  \
  "; loop:; IADD3 R0, R0, 0x1, RZ; ISETP.LT.AND P0, PT, R0, R4, PT; @P0 BRA loop"
#define WIDE_LIMIT(opcode)                                                                         \
  "MOV R0, RZ; MOV R4, 0x64; MOV R5, RZ; " opcode                                                  \
  "; MOV R1, RZ; loop:; IADD3 R0, P1, R0, 0x1, RZ; IADD3.X R1, RZ, R1, RZ, P1, !PT; "              \
  "ISETP.GE.U32.AND P0, PT, R0, R4, PT; ISETP.GE.AND.EX P0, PT, R1, R5, PT, P0; @!P0 BRA loop"

/* Ranges of what the fourth instruction writes: where a guard may skip it the old number stays, in
 * general and in uniform registers, in one or two of them. */
TEST(written_values)
{
  static const struct {
    const char *text;
    int64_t least, most;
    uint64_t bound;
  } rows[] = {
      {LIMIT("F2I.TRUNC R4, R2"), 0, 64, 63},
      {LIMIT("F2I.TRUNC R4, R2"), -5, 1, 0},
      {LIMIT("@P2 F2I.TRUNC R4, R2"), 0, 64, 99},
      {LIMIT("@P2 F2I.TRUNC R4, R2"), 0, 640, 639},
      {LIMIT("SHFL.BFLY PT, R4, R2, 0x1, 0x1f"), 0, 64, 63},
      {LIMIT("ATOMG.E.ADD PT, R4, [R6], R2"), 7, 9, 8},
      {LIMIT("S2UR UR4, SR_CLOCKLO; MOV R4, UR4"), 0, 64, 63},
      {LIMIT("@P2 S2UR UR4, SR_CLOCKLO; MOV R4, UR4"), 0, 64, UNKNOWN},
      {WIDE_LIMIT("F2I.S64.F64.FLOOR R4, R2"), 0, 64, 63},
      {WIDE_LIMIT("@P2 F2I.S64.F64.FLOOR R4, R2"), 0, 64, 99},
      {WIDE_LIMIT("F2I.S64.F64.FLOOR R4, R2"), -5, 64, 63},
      {WIDE_LIMIT("@P2 F2I.S64.F64.FLOOR R4, R2"), -5, 64, UNKNOWN},
      {LIMIT("F2I.S64.F64.FLOOR R4, R2; MOV R4, R5"), 7, INT64_C(0x500000000), 4},
  };
  for (size_t r = 0; r < COUNT_OF(rows); r++) {
    FREED_BY(wb_code_free) struct wb_code code;
    FREED_BY(bounded_free) struct bounded_function bounded;
    struct wb_integer_result result;
    listing_of(75, rows[r].text, &code);
    assert_true(wb_instruction_gives_integer(&code.functions[0], &code.functions[0].instructions[3],
                                             &result));
    const struct wb_load_range range = {3, result.number, result.bytes, rows[r].least,
                                        rows[r].most};
    const struct wb_launch assumed = {.loads = &range, .load_count = 1};
    assert_true(bounded_make(&code, &code.functions[0], &assumed, &bounded));
    const uint64_t bound =
        bounded.found[0].found && !bounded.found[0].by_width ? bounded.found[0].bound : UNKNOWN;
    if (bound != rows[r].bound)
      print_message("# %s\n", rows[r].text);
    assert_int_equal(bound, rows[r].bound);
  }
}

TEST(says_why)
{
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(bounded_free) struct bounded_function bounded;
  listing_of(52,
             "MOV R0, RZ; loop:; IADD R0, R0, 0x3; ISETP.LT.AND P0, PT, R0, 0x10, PT; @P0 BRA loop",
             &code);
  assert_true(bounded_make(&code, &code.functions[0], NULL, &bounded));
  assert_string_equal(bounded.found[0].reason,
                      "R0 starts at 0, grows by 3 and the loop ends at R0 + 3 >= 16 (compared at "
                      "0x0018, left at 0x0028): at most 5 back edges");
}

/* A bound that rests on the width of a register alone is of use where it is small. */
TEST(small_widths)
{
  static const char *const shifts[] = {"SHR.U32 R1, R1, 0x13", "SHR.U32 R1, R1, 0x14"};
  for (size_t i = 0; i < 2; i++) {
    FREED_BY(wb_code_free) struct wb_code code;
    FREED_BY(bounded_free) struct bounded_function bounded;
    char lines[200];
    snprintf(
        lines, sizeof lines,
        "LDG.E R1, [R2]; %s; MOV R0, RZ; loop:; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, R1, "
        "PT; @P0 BRA loop",
        shifts[i]);
    listing_of(52, lines, &code);
    assert_true(bounded_make(&code, &code.functions[0], NULL, &bounded));
    assert_int_equal(bounded.found[0].bound, i == 0 ? 8190 : 4094);
    assert_int_equal(bounded.found[0].by_width, i == 0);
  }
}

/* ---- operations ---- */

TEST(tables)
{
  uint8_t rest;
  for (unsigned table = 0; table < 256; table++) {
    for (unsigned v = 0; v < 3; v++) {
      const uint8_t own = wb_lookup_variable(v);
      uint8_t whole = 0;
      switch (wb_lookup_split((uint8_t)table, v, &rest)) {
      case WB_SPLIT_AND:
        whole = own & rest;
        break;
      case WB_SPLIT_AND_NOT:
        whole = (uint8_t)~own & rest;
        break;
      case WB_SPLIT_OR:
        whole = own | rest;
        break;
      case WB_SPLIT_OR_NOT:
        whole = (uint8_t)~own | rest;
        break;
      case WB_SPLIT_XOR:
        whole = own ^ rest;
        break;
      default:
        continue;
      }
      assert_int_equal(whole, table);
      assert_false(wb_lookup_depends(rest, v));
    }
  }
}

/* The number that HFMA2 loads with that upper half and 1 as the lower one. */
static bool find_half(const char *text, uint32_t *number)
{
  char line[80];
  const char *const lines[] = {line, NULL};
  struct wb_micro_code micro;
  FREED_BY(wb_code_free) struct wb_code code;
  snprintf(line, sizeof line, "HFMA2.MMA R0, -RZ, RZ, %s, 1", text);
  listing_make_for(87, lines, &code);
  const bool known = wb_lower(&code.functions[0], 0, &micro) && !wb_is_function(&micro, 0);
  if (known) {
    assert_int_equal(micro.operations[micro.writes[0].result].sources[0].kind, WB_SOURCE_NUMBER);
    *number = (uint32_t)micro.operations[micro.writes[0].result].sources[0].value;
  }
  return known;
}

TEST(half_numbers)
{
  static const struct {
    const char *text;
    uint32_t bits;
  } rows[] = {{"0", 0},
              {"-0", 0x8000},
              {"5.9604644775390625e-08", 1},
              {"2.384185791015625e-07", 4},
              {"1.5199184417724609375e-05", 0xff},
              {"6.097555160522461e-05", 0x3ff},
              {"6.103515625e-05", 0x400},
              {"1", 0x3c00},
              {"-1.875", 0xbf80},
              {"33.21875", 0x5027},
              {"65504", 0x7bff}};
  static const char *const wrong[] = {"65536", "1.0001", "0x1", "+INF", "1e400", "+QNAN"};
  uint32_t bits;
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    assert_true(find_half(rows[i].text, &bits));
    assert_int_equal(bits, rows[i].bits << 16 | 0x3c00);
  }
  for (size_t i = 0; i < COUNT_OF(wrong); i++)
    assert_false(find_half(wrong[i], &bits));
}

/* A double whose lower word is 0, as disassemblers print it, is the immediate of an instruction: it
 * is equal to what its upper word says. */
TEST(printed_doubles)
{
  struct wb_random random = {1};
  for (int i = 0; i < 2000; i++) {
    FREED_BY(wb_code_free) struct wb_code code;
    FREED_BY(bounded_free) struct bounded_function bounded;
    const uint32_t exponent = 1023 - 40 + (uint32_t)wb_random_below(&random, 60);
    const uint32_t upper = exponent << 20 | (uint32_t)(wb_random_next(&random) & 0xfffff) |
                           (uint32_t)wb_random_below(&random, 2) << 31;
    const uint64_t bits = (uint64_t)upper << 32;
    double number;
    char text[256];
    memcpy(&number, &bits, sizeof number);
    snprintf(text, sizeof text,
             "MOV R2, RZ; MOV R3, 0x%x; loop:; DADD R4, R4, R6; DSETP.NEU.AND P0, PT, R2, %.20g, "
             "PT; @P0 BRA loop",
             (unsigned)upper, number);
    listing_of(87, text, &code);
    assert_true(bounded_make(&code, &code.functions[0], NULL, &bounded));
    if (!bounded.found[0].found || bounded.found[0].bound != 0)
      fail_msg("%s: a double differs from itself", text);
  }
}
