/* Bounds that small programs show, and those that they do not: loop_bounds.txt, which says how a
 * row is read; and what is said of them. */
#include "base/file.h"
#include "bounded_listing.h"
#include "isa/lower/lower.h"
#include "unit.h"
#include "values/domain.h"

#define UNKNOWN UINT64_MAX
#define MOST_BOUNDS 4

/* Parameters by their offset, of a block and a grid of one dimension. */
static const struct wb_parameter_value parameters[] = {{NULL, 0, 100}, {NULL, 4, 7}, {NULL, 8, 0}};
static const struct wb_launch launch = {{256, 1, 1}, {12, 1, 1}, parameters, 3, NULL, 0};
static const struct wb_parameter_value below[] = {{NULL, 0, (uint32_t)-100}};
static const struct wb_launch negative = {{256, 1, 1}, {12, 1, 1}, below, 1, NULL, 0};

struct row {
  unsigned sm;
  const struct wb_launch *launch; /* NULL: not known */
  const char *rest;               /* on the width of a register alone: "width"; on more: "value" */
  uint64_t bounds[MOST_BOUNDS];   /* of the loops, outer ones first */
  size_t count;
  const char *lines;
};

/* Takes a line apart; the test fails where it is no row. */
static struct row row_of(char *line, size_t number)
{
  struct row row = {.rest = ""};
  char *colon = strstr(line, ": ");
  if (colon == NULL || sscanf(line, "sm_%u", &row.sm) != 1)
    fail_msg("loop_bounds.txt:%zu: expected a row", number);
  *colon = '\0';
  row.lines = colon + 2;
  strtok(line, " ");
  for (const char *word; (word = strtok(NULL, " ")) != NULL;) {
    if (strcmp(word, "launch") == 0)
      row.launch = &launch;
    else if (strcmp(word, "negative") == 0)
      row.launch = &negative;
    else if (strcmp(word, "width") == 0 || strcmp(word, "value") == 0)
      row.rest = word;
    else if (row.count < MOST_BOUNDS)
      row.bounds[row.count++] = strcmp(word, "?") == 0 ? UNKNOWN : strtoull(word, NULL, 10);
  }
  return row;
}

/* How many of the row's loops have another bound. */
static size_t wrong_of(const struct row *row, size_t number)
{
  size_t wrong = 0;
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(bounded_free) struct bounded_function bounded;
  listing_of(row->sm, row->lines, &code);
  assert_true(bounded_make(&code, &code.functions[0], row->launch, &bounded));
  assert_int_equal(bounded.forest.loop_count, row->count);
  for (size_t l = 0; l < row->count; l++) {
    const struct wb_found_bound *found = &bounded.found[l];
    const uint64_t bound = found->found ? found->bound : UNKNOWN;
    assert_true(found->found == (found->reason != NULL));
    const bool rests = *row->rest == '\0' || found->by_width == (strcmp(row->rest, "width") == 0);
    if (bound != row->bounds[l] || !rests)
      print_message("# loop_bounds.txt:%zu: loop %zu has %llu%s\n", number, l,
                    (unsigned long long)bound, rests ? "" : ", which rests on something else");
    wrong += bound != row->bounds[l] || !rests;
  }
  return wrong;
}

TEST(rows)
{
  const char *root = getenv("WARPBOUND_SOURCE");
  char path[1024];
  struct wb_input source;
  size_t number = 0, rows = 0, wrong = 0;
  snprintf(path, sizeof path, "%s/tests/unit/flow/loop_bounds.txt", root != NULL ? root : ".");
  assert_ok(wb_input_read(path, &source, NULL));
  for (const char *line = source.bytes, *end = line + source.length; line < end;) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    char text[1000];
    assert_non_null(newline);
    snprintf(text, sizeof text, "%.*s", (int)(newline - line), line);
    line = newline + 1;
    number++;
    if (text[0] == '#' || text[0] == '=' || text[0] == '\0')
      continue;
    const struct row row = row_of(text, number);
    wrong += wrong_of(&row, number);
    rows++;
  }
  wb_input_free(&source);
  assert_true(rows > 200);
  assert_int_equal(wrong, 0);
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
                      "R0's limit comes from what LDG.E at 0x0010 writes (comparison at 0x0028): a "
                      "flow fact has to bound it");
  bounded_free(&bounded);
  wb_code_free(&code);
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
  static const char *const shifts[] = {"SHR.U32 R1, R1, 0x15", "SHR.U32 R1, R1, 0x16"};
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
    assert_int_equal(bounded.found[0].bound, i == 0 ? 2046 : 1022);
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
