/* Files of flow facts, cost tables and bounds in sources: what is read. */
#include "flow/costs.h"
#include "formats/flow_facts/flow_facts_file.h"

#include "unit.h"

static warpbound_error failure;

static warpbound_status parse(const char *text, struct wb_flow_facts *facts)
{
  return wb_flow_facts_parse("facts", text, strlen(text), facts, &failure);
}

TEST(every_kind_of_fact)
{
  FREED_BY(wb_flow_facts_free) struct wb_flow_facts facts;
  assert_ok(parse("# a comment\n"
                  "kernel k # behind it\n"
                  "checksum 0x00ff\n"
                  "loop 0x0148 bound 15\n"
                  "loop .L_x_3 bound 0x10 per warp\n"
                  "loop a/b.cu:12 bound 7 per entry of \"c d.cu:3\" per thread\n"
                  "run 0x20@k.cu:5 at most 3\n"
                  "run k.cu:6 never\n"
                  "equal k.cu:1 k.cu:2 k.cu:3\n"
                  "exclusive 0x8 0x10 per warp\r\n"
                  "kernel \"name with blanks\"\n",
                  &facts));
  assert_int_equal(facts.kernel_count, 2);
  assert_string_equal(facts.kernels[1].kernel, "name with blanks");
  const struct wb_kernel_facts *kernel = wb_flow_facts_find(&facts, "k");
  assert_non_null(kernel);
  assert_null(wb_flow_facts_find(&facts, "l"));
  assert_true(kernel->has_checksum);
  assert_int_equal(kernel->checksum, 0xff);
  assert_int_equal(kernel->fact_count, 7);
  assert_int_equal(kernel->place_count, 11);

  const struct wb_flow_fact *fact = kernel->facts;
  assert_int_equal(fact[0].kind, WB_FACT_LOOP);
  assert_int_equal(fact[0].number, 15);
  assert_false(fact[0].per_warp);
  assert_int_equal(fact[0].line, 4);
  assert_true(kernel->places[0].has_address);
  assert_int_equal(kernel->places[0].address, 0x148);
  assert_string_equal(kernel->places[1].label, ".L_x_3");
  assert_int_equal(fact[1].number, 16);
  assert_true(fact[1].per_warp);
  assert_string_equal(kernel->places[2].file, "a/b.cu");
  assert_int_equal(kernel->places[2].source_line, 12);
  assert_int_equal(fact[2].place_count, 2);
  assert_string_equal(kernel->places[3].file, "c d.cu");
  assert_int_equal(fact[3].kind, WB_FACT_RUNS);
  assert_true(kernel->places[4].has_address);
  assert_string_equal(kernel->places[4].file, "k.cu");
  assert_true(wb_place_is_fragile(&kernel->places[4]));
  assert_false(wb_place_is_fragile(&kernel->places[2]));
  assert_int_equal(fact[4].number, 0);
  assert_true(fact[4].per_warp);
  assert_int_equal(fact[5].kind, WB_FACT_EQUAL);
  assert_int_equal(fact[5].place_count, 3);
  assert_int_equal(fact[6].kind, WB_FACT_EXCLUSIVE);
  assert_true(fact[6].per_warp);
}

static const struct wb_instruction *instructions(const char *const *opcodes, size_t count,
                                                 struct wb_instruction *room)
{
  for (size_t i = 0; i < count; i++)
    room[i] = (struct wb_instruction){.opcode = opcodes[i], .line = (uint32_t)i + 1};
  return room;
}

TEST(costs_by_the_longest_row)
{
  static const char table[] = "# latencies\nLDG 400\nLDG.E.64 420\n  IADD 6 # quick\ndefault 9\n";
  static const char *const opcodes[] = {"LDG.E",     "LDG.E.64", "LDG.E.64.CI", "LDG",
                                        "LDGDEPBAR", "IADD",     "IADD3"};
  static const int64_t expected[] = {400, 420, 420, 400, 9, 6, 9};
  struct wb_instruction room[7];
  struct wb_function function = {.name = "k", .instruction_count = 7, .instructions = room};
  struct wb_costs costs;
  FREED_BY(wb_list_free) struct wb_list assumptions = {0};
  int64_t cycles[7];
  (void)instructions(opcodes, 7, room);
  assert_ok(wb_costs_parse("table", table, strlen(table), &costs, &failure));
  assert_ok(wb_costs_apply(&costs, &function, cycles, &assumptions, &failure));
  for (size_t i = 0; i < 7; i++)
    assert_int_equal(cycles[i], expected[i]);
  wb_costs_free(&costs);
  assert_ok(wb_costs_parse("table", "LDG 400", 7, &costs, &failure));
  assert_int_equal(wb_costs_apply(&costs, &function, cycles, &assumptions, &failure),
                   WARPBOUND_FACTS_MISSING);
  assert_string_equal(failure.message, "there is no row for LDGDEPBAR, IADD, IADD3: add one each, "
                                       "or a row 'default CYCLES'");
  wb_costs_free(&costs);
  costs.kind = WB_COST_STALLS;
  assert_invalid(wb_costs_apply(&costs, &function, cycles, &assumptions, &failure));
  struct wb_encoding encodings[7] = {{.control.stall = 13}};
  function.encodings = encodings;
  room[1].dual_issue = true;
  for (size_t i = 0; i < 7; i++)
    encodings[i].has_control = true;
  assert_ok(wb_costs_apply(&costs, &function, cycles, &assumptions, &failure));
  assert_int_equal(cycles[0], 13);
  assert_int_equal(cycles[1], 0);
  assert_int_equal(cycles[2], 1);
}

TEST(bounds_of_sources)
{
  static const char text[] = "for (;;) // loopbound 8\n"
                             "while (x) /* loopbound 3, says he */ f(); // loopbound 5\n"
                             "int loopbound = 7;\n"
                             "// loopbound unknown\n"
                             "// loopbound = n\n"
                             "#pragma loopbound min 0 max 12\n"
                             "\n"
                             "for (;;)\n"
                             "  _Pragma(\"loopbound min 1 max 4\")\n"
                             "  do ; while (y); // loopbound 2x\n";
  static const struct {
    uint32_t line;
    uint64_t bound;
  } expected[] = {{1, 8}, {2, 5}, {8, 12}, {10, 4}};
  struct wb_source_bounds bounds;
  assert_ok(wb_source_bounds_parse("k.cu", text, strlen(text), &bounds, &failure));
  assert_int_equal(bounds.count, 4);
  assert_int_equal(bounds.remark_count, 3); /* lines 4, 5 and 10 */
  for (size_t i = 0; i < 4; i++) {
    const struct wb_source_bound *found = wb_source_bounds_find(&bounds, expected[i].line);
    assert_non_null(found);
    assert_int_equal(found->bound, expected[i].bound);
  }
  assert_null(wb_source_bounds_find(&bounds, 3));
  assert_null(wb_source_bounds_find(&bounds, 11));
  wb_source_bounds_free(&bounds);
  static const char wrong[] = "\n#pragma loopbound max 3\n";
  assert_invalid(wb_source_bounds_parse("k.cu", wrong, strlen(wrong), &bounds, &failure));
  assert_string_equal(failure.message, "expected 'min A max B' after the pragma loopbound");
  assert_int_equal(failure.line, 2);
  assert_int_equal(failure.column, 18);
}

/* Comments beside other pragmas, in the loop's line and above it; where the words stand. */
TEST(bounds_beside_pragmas)
{
  static const char text[] = "_Pragma(\"unroll 1\") for (;;) // loopbound 8\n"
                             "_Pragma(\"unroll 1\") // loopbound 9\n"
                             "for (;;)\n"
                             "# pragma unroll 1 /* loopbound 10 */\n"
                             "\n"
                             "#pragma nounroll\n"
                             "for (;;)\n"
                             "#pragma loopbound min 0 max 11\n"
                             "_Pragma ( \"unroll 2\" ) _Pragma(\"nounroll\")\n"
                             "for (;;)\n";
  static const struct wb_source_bound expected[] = {
      {.line = 1, .bound = 8, .at_line = 1, .at_column = 33},
      {.line = 3, .bound = 9, .at_line = 2, .at_column = 24},
      {.line = 7, .bound = 10, .at_line = 4, .at_column = 22},
      {.line = 10, .bound = 11, .at_line = 8, .at_column = 9}};
  FREED_BY(wb_source_bounds_free) struct wb_source_bounds bounds;
  assert_ok(wb_source_bounds_parse("k.cu", text, strlen(text), &bounds, &failure));
  assert_int_equal(bounds.count, COUNT_OF(expected));
  for (size_t i = 0; i < bounds.count; i++) {
    assert_int_equal(bounds.items[i].line, expected[i].line);
    assert_int_equal(bounds.items[i].bound, expected[i].bound);
    assert_int_equal(bounds.items[i].at_line, expected[i].at_line);
    assert_int_equal(bounds.items[i].at_column, expected[i].at_column);
  }
}

/* The forms of comments and the macro; a line without code speaks of the next one that has. */
TEST(forms_of_source_bounds)
{
  static const char text[] = "// loop bound: 8\n"
                             "\n"
                             "for (;;)\n"
                             "f(); // loopbound: 9, or loop bound = 10\n"
                             "/* loop bound 11\n"
                             " * loopbound 12 */ /* and more */\n"
                             "for (;;)\n"
                             "  // warpbound: loop <= (n + 1) / 2\n"
                             "  for (;;) {\n"
                             "WARPBOUND_LOOP(4 * (2 + 1)); // of the next line\n"
                             "for (;;) f(\"// loopbound 99 WARPBOUND_LOOP(98)\", '\\'');\n"
                             "#define WARPBOUND_LOOP(n)\n"
                             "for (;;) /* warpbound: loop <= m */ WARPBOUND_LOOPS(3);\n"
                             "// the loop bound is small, says warpbound\n"
                             "for (;;)\n";
  static const struct wb_source_bound expected[] = {
      {.line = 3, .bound = 8, .at_line = 1, .at_column = 4},
      {.line = 4, .bound = 10, .at_line = 4, .at_column = 26},
      {.line = 7, .bound = 12, .at_line = 6, .at_column = 4},
      {.line = 9, .expression = "(n + 1) / 2", .at_line = 8, .at_column = 6},
      {.line = 11, .bound = 12, .at_line = 10, .at_column = 1},
      {.line = 13, .expression = "m", .at_line = 13, .at_column = 13}};
  FREED_BY(wb_source_bounds_free) struct wb_source_bounds bounds;
  assert_ok(wb_source_bounds_parse("k.cu", text, strlen(text), &bounds, &failure));
  assert_int_equal(bounds.count, COUNT_OF(expected));
  assert_int_equal(bounds.remark_count, 0);
  for (size_t i = 0; i < bounds.count; i++) {
    assert_int_equal(bounds.items[i].line, expected[i].line);
    assert_int_equal(bounds.items[i].bound, expected[i].bound);
    assert_int_equal(bounds.items[i].at_line, expected[i].at_line);
    assert_int_equal(bounds.items[i].at_column, expected[i].at_column);
    if (expected[i].expression == NULL)
      assert_null(bounds.items[i].expression);
    else
      assert_string_equal(bounds.items[i].expression, expected[i].expression);
  }
}

/* A bound at one line of a loop's head is of the loop, whose back edges may have another one. */
TEST(bounds_of_heads_of_several_lines)
{
  static const char text[] = "for (int i = 0; // loopbound 5\n"
                             "     i < n;\n"
                             "     i++) {\n"
                             "// loopbound 7\n"
                             "do {\n"
                             "  while (a)\n"
                             "  { /* loopbound 9 */\n"
                             "    f(\")\");\n"
                             "  }\n"
                             "} while (b &&\n"
                             "         c);\n"
                             "for (;;) do { // loopbound 3\n" /* of which of the two? */
                             "} while (d);\n"
                             "do f(); // loopbound 4\n" /* no body in braces: not followed */
                             "while (e);\n"
                             "{ f(); }\n"
                             "while (g);\n"
                             "do { // loopbound 6\n" /* nor where braces may be hidden */
                             "#if X\n"
                             "  if (y) {\n"
                             "#else\n"
                             "  if (z) {\n"
                             "#endif\n"
                             "  }\n"
                             "} while (h); }\n"
                             "while (k) // loopbound 2\n"
                             "{ f(); // loopbound 8\n" /* beside code of its own */
                             "}\n"
                             "#define EACH(i) do { /* loopbound 90 */ \\\n"
                             "  for (;;)\n"
                             "}\n"
                             "while (l);\n";
  static const struct {
    uint32_t line;
    uint64_t bound;
    uint32_t at_line;
  } expected[] = {{1, 5, 1},   {2, 5, 1},   {3, 5, 1},   {5, 7, 4},   {6, 9, 7},
                  {7, 9, 7},   {10, 7, 4},  {11, 7, 4},  {12, 3, 12}, {14, 4, 14},
                  {18, 6, 18}, {26, 2, 26}, {27, 8, 27}, {29, 90, 29}};
  FREED_BY(wb_source_bounds_free) struct wb_source_bounds bounds;
  assert_ok(wb_source_bounds_parse("k.cu", text, strlen(text), &bounds, &failure));
  for (size_t i = 0; i < bounds.count && i < COUNT_OF(expected); i++) {
    assert_int_equal(bounds.items[i].line, expected[i].line);
    assert_int_equal(bounds.items[i].bound, expected[i].bound);
    assert_int_equal(bounds.items[i].at_line, expected[i].at_line);
  }
  assert_int_equal(bounds.count, COUNT_OF(expected));
}

/* Of bounds at several lines of one head the largest counts; what is left over is named once. */
TEST(several_bounds_of_one_head)
{
  static const char text[] = "for (; // loopbound = n\n"
                             "     ; // loopbound 4\n"
                             "     ) // loopbound 6\n";
  FREED_BY(wb_source_bounds_free) struct wb_source_bounds bounds;
  assert_ok(wb_source_bounds_parse("k.cu", text, strlen(text), &bounds, &failure));
  assert_int_equal(bounds.count, 3);
  for (size_t i = 0; i < bounds.count; i++) {
    assert_int_equal(bounds.items[i].line, i + 1);
    assert_int_equal(bounds.items[i].bound, 6);
  }
  assert_int_equal(bounds.remark_count, 1);
  assert_int_equal(bounds.remarks[0].line, 1);
}

/* What looks like a bound and is none is named; what is meant for the tool alone is refused. */
TEST(source_bounds_that_are_none)
{
  static const char text[] = "for (;;) // loopbound many\n"
                             "for (;;) // loop bound: 3 n\n"
                             "for (;;) // loop bound: n.x\n"
                             "for (;;) // loopbound = (n + 7) / 8\n"
                             "// warpbound: loop <= n\n"
                             "for (;;) // loopbound 3\n";
  FREED_BY(wb_source_bounds_free) struct wb_source_bounds bounds;
  assert_ok(wb_source_bounds_parse("k.cu", text, strlen(text), &bounds, &failure));
  assert_int_equal(bounds.count, 3);
  assert_int_equal(bounds.items[0].bound, 3);
  assert_string_equal(bounds.items[1].expression, "(n + 7) / 8");
  assert_int_equal(bounds.items[2].bound, 3);
  static const struct wb_source_remark remarks[] = {
      {1, 13, "a number, or '=' and an expression of parameters"},
      {3, 13, "a number, or '=' and an expression of parameters"},
      {5, 4, "one bound for a loop"}};
  assert_int_equal(bounds.remark_count, COUNT_OF(remarks));
  for (size_t r = 0; r < COUNT_OF(remarks); r++) {
    assert_int_equal(bounds.remarks[r].line, remarks[r].line);
    assert_int_equal(bounds.remarks[r].column, remarks[r].column);
    assert_string_equal(bounds.remarks[r].expected, remarks[r].expected);
  }
  static const struct {
    const char *text, *message;
    size_t line, column;
  } rows[] = {
      {"// warpbound: loops <= n\n", "expected 'warpbound: loop <= BOUND'", 1, 4},
      {"\n// warpbound: loop <= n %\n", "expected an operator or the end of the bound", 2, 25},
      {"WARPBOUND_LOOP(n\n)\n", "expected 'WARPBOUND_LOOP(BOUND)' in one line", 1, 1},
      {"WARPBOUND_LOOP()\n", "expected a number, a name or '('", 1, 16},
      {"/* warpbound: loop <= 0 - 3 */\n", "expected a bound that is not negative", 1, 23},
      {"WARPBOUND_LOOP(1 / 0)\n", "expected a divisor that is not 0", 1, 18}};
  for (size_t r = 0; r < COUNT_OF(rows); r++) {
    struct wb_source_bounds none;
    assert_invalid(
        wb_source_bounds_parse("k.cu", rows[r].text, strlen(rows[r].text), &none, &failure));
    assert_string_equal(failure.message, rows[r].message);
    assert_int_equal(failure.line, rows[r].line);
    assert_int_equal(failure.column, rows[r].column);
  }
}
