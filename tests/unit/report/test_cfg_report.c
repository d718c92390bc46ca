/* Reports on control flow: what they say of a small graph, and that they are whole (JSON that
 * reads back, DOT with its quotes and braces closed) whatever a listing holds. */
#include "make_graph.h"
#include "report/cfg/cfg_report.h"
#include "unit.h"

#include <jansson.h>

/* A loop round blocks 1 and 2, a divergent branch at 1, a uniform one at 2, and a reactivation
 * from the end to 2. */
static void make_sample(struct made_graph *made, struct wb_control_flow *flow)
{
  static uint32_t split[] = {2};
  static uint32_t uniform[] = {3};
  made_start(made, "kernel", 6);
  made->instructions[2].opcode = "BRA";
  made->instructions[2].operands = "0x28";
  made->instructions[2].guard = WB_REGISTER_PREDICATE;
  made->instructions[2].guard_negated = true;
  made->instructions[1].source_file = 2;
  made->instructions[1].source_line = 3;
  made->instructions[4].opcode = "EXIT";
  made->ends[3] = true;
  made_blocks(made, "0 1-2 3 4");
  made_edges(made, "0f1 1f2 1b3 2b1 2f3 3w2");
  made->graph.divergence_points = split;
  made->graph.divergence_point_count = 1;
  made->graph.uniform_branches = uniform;
  made->graph.uniform_branch_count = 1;
  made_finish(made);
  *flow = (struct wb_control_flow){.code = &made->code,
                                   .function = &made->function,
                                   .graph = &made->graph,
                                   .united = made->united};
  assert_ok(wb_control_flow_complete(flow, NULL));
}

static void drop_sample(struct wb_control_flow *flow)
{
  wb_united_loops_free(&flow->loops);
  wb_dominators_free(&flow->dominators);
}

typedef void writer(const struct wb_cfg_report *report, struct wb_text *text);

static void write_plain_text(const struct wb_cfg_report *report, struct wb_text *text)
{
  wb_cfg_text(report, false, text);
}

static void cfg_dot(const struct wb_cfg_report *report, struct wb_text *text)
{
  wb_cfg_dot(report, true, text);
}

/* What a writer makes of flows; the caller frees it. */
static char *written(writer *write, const struct wb_control_flow *flows, size_t count)
{
  struct wb_simt_options options = {0};
  struct wb_cfg_report report = {flows[0].code, &options, flows, count, true};
  struct wb_text text = {0};
  write(&report, &text);
  char *bytes = wb_text_take(&text);
  assert_non_null(bytes);
  return bytes;
}

static json_t *json_of(const struct wb_control_flow *flows, size_t count)
{
  char *bytes = written(wb_cfg_json, flows, count);
  json_error_t where;
  json_t *object = json_loads(bytes, JSON_REJECT_DUPLICATES, &where);
  if (object == NULL)
    fail_msg("line %d: %s", where.line, where.text);
  free(bytes);
  return object;
}

static void assert_json(json_t *value, const char *expected)
{
  char *dump = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS);
  assert_string_equal(dump, expected);
  free(dump);
}

TEST(json_keeps_to_the_contract)
{
  struct made_graph made;
  FREED_BY(drop_sample) struct wb_control_flow flow;
  make_sample(&made, &flow);
  json_t *object = json_of(&flow, 1);
  json_t *kernel = json_array_get(json_object_get(object, "kernels"), 0);
  assert_json(json_object_get(kernel, "name"), "\"kernel\"");
  assert_json(json_object_get(kernel, "isa"), "\"sm_52\"");
  assert_json(json_object_get(kernel, "instructions"), "5");
  assert_json(json_object_get(kernel, "listed"), "6");
  assert_json(json_object_get(kernel, "conditional_branches"), "2");
  assert_json(json_object_get(kernel, "divergence_points"), "[24]");
  assert_json(json_object_get(kernel, "uniform_branches"), "[32]");
  assert_json(json_array_get(json_object_get(kernel, "conditionals"), 0),
              "{\"address\":24,\"block\":1,\"file\":\"/home/user/kernel.cu\","
              "\"instruction\":\"@!P0 BRA 0x28\",\"line\":12,\"uniform\":false,"
              "\"vouched\":false}");
  assert_json(json_array_get(json_object_get(kernel, "blocks"), 1),
              "{\"contexts\":[0],\"dominator\":0,\"ends\":false,\"first\":16,\"id\":1,"
              "\"instructions\":2,\"last\":24,\"loop\":0,"
              "\"source\":[{\"file\":\"/home/user/kernel.cu\",\"lines\":[12]},"
              "{\"file\":\"include/helper.h\",\"lines\":[3]}]}");
  assert_json(json_array_get(json_object_get(kernel, "edges"), 5),
              "{\"from\":3,\"kind\":\"reactivation\",\"to\":2}");
  assert_json(json_object_get(kernel, "loops"),
              "[{\"back_edges\":[2],\"depth\":1,\"entries\":[1],\"header\":1,"
              "\"irreducible\":false,\"parent\":null}]");
  assert_true(json_is_real(json_object_get(kernel, "seconds")));
  assert_json(json_object_get(object, "options"),
              "{\"agreement\":\"all\",\"groups\":true,\"stack\":\"graph\"}");
  json_decref(object);
}

TEST(device_functions_are_no_kernels)
{
  struct made_graph made;
  FREED_BY(drop_sample) struct wb_control_flow flow;
  make_sample(&made, &flow);
  made.function.kernel = false;
  json_t *object = json_of(&flow, 1);
  assert_int_equal(json_array_size(json_object_get(object, "kernels")), 0);
  assert_int_equal(json_array_size(json_object_get(object, "functions")), 1);
  json_decref(object);
}

TEST(refusals_have_a_place_of_their_own)
{
  struct made_graph made;
  struct wb_control_flow flow;
  made_start(&made, "later", 3);
  made.function.sm = 75;
  flow = (struct wb_control_flow){.code = &made.code, .function = &made.function};
  strcpy(flow.refusal.message, "not analysed yet");
  flow.refusal.line = 7;
  json_t *object = json_of(&flow, 1);
  assert_json(json_object_get(object, "not_analysed"),
              "[{\"isa\":\"sm_75\",\"kernel\":true,\"line\":7,\"listed\":3,\"name\":\"later\","
              "\"reason\":\"not analysed yet\"}]");
  json_decref(object);
  char *text = written(write_plain_text, &flow, 1);
  assert_string_equal(text, "later: not analysed\n\nlater (sm_75)\n  instructions  3 listed\n"
                            "  not analysed: not analysed yet\n");
  free(text);
  free(written(cfg_dot, &flow, 1));
}

TEST(text_names_what_matters)
{
  struct made_graph made;
  FREED_BY(drop_sample) struct wb_control_flow flow;
  make_sample(&made, &flow);
  char *text = written(write_plain_text, &flow, 1);
  static const char *const expected[] = {
      "kernel (sm_52)\n",
      "5 (of 6 listed; nothing reaches the others)\n",
      "6: 3 fallthrough, 2 branch, 1 reactivation\n",
      "2: 1 divergence point, 1 proven uniform\n",
      "kernel.cu:12 helper.h:3",
      "@!P0 BRA 0x28                    split    2; branch 3\n",
      "reactivates 2; end\n",
      "    header 1 (0x0010, helper.h:3), depth 1, back edge from 2\n",
      "  divergence points\n    0x0018   kernel.cu:12              @!P0 BRA 0x28\n",
  };
  for (size_t i = 0; i < COUNT_OF(expected); i++) {
    if (strstr(text, expected[i]) == NULL)
      fail_msg("expected '%s' in\n%s", expected[i], text);
  }
  free(text);
}

/* A label, and the address of the control words before the target, become the target's own. */
TEST(targets_are_addresses_of_instructions)
{
  static const char *const operands[] = {"`(.L_x_1)",         "0x20",     "CC.NEU, 0x20",
                                         "CC.NEU, `(.L_x_1)", "`(.L_x_1", "R8 -0x20"};
  static const char *const expected[] = {"@!P0 BRA 0x28",         "@!P0 BRA 0x28",
                                         "@!P0 BRA CC.NEU, 0x28", "@!P0 BRA CC.NEU, 0x28",
                                         "@!P0 BRA `(.L_x_1",     "@!P0 BRA R8 -0x20"};
  for (size_t i = 0; i < COUNT_OF(operands); i++) {
    struct made_graph made;
    FREED_BY(drop_sample) struct wb_control_flow flow;
    uint32_t target = 4;
    make_sample(&made, &flow);
    made.function.targets = &target;
    made.function.target_count = 1;
    made.instructions[2].target_count = 1;
    made.instructions[2].operands = operands[i];
    made.instructions[2].transfer =
        operands[i][0] == 'R' ? WB_TRANSFER_INDEXED_BRANCH : WB_TRANSFER_BRANCH;
    FREED_BY(wb_text_free) struct wb_text text = {0};
    wb_cfg_write_instruction(&made.function, &made.instructions[2], &text);
    assert_string_equal(text.data, expected[i]);
  }
}

TEST(pictures_make_things_stand_out)
{
  struct made_graph made;
  FREED_BY(drop_sample) struct wb_control_flow flow;
  make_sample(&made, &flow);
  char *dot = written(cfg_dot, &flow, 1);
  assert_int_equal(count_of(dot, " -> f0b"), 7);
  assert_non_null(strstr(dot, "f0b3 -> f0b2 [color=\"#dc2626\" style=dashed"));
  assert_non_null(strstr(dot, "f0b2 -> f0b1 [color=\"#1d4ed8\" penwidth=2.6"));
  assert_non_null(strstr(dot, "label=\"loop 1, depth 1\""));
  assert_non_null(strstr(dot, "f0b1 [label=\"1:  0010-0018  (2)\\lkernel.cu:12 helper.h:3\\l"
                              "@!P0 BRA 0x28\\l\" fillcolor=\"#ffd8a8\""));
  assert_non_null(strstr(dot, "peripheries=2"));
  free(dot);
}

/* Outside of quotes and of the legend's table, braces are balanced, and the last quote is
 * closed. */
static void assert_dot_whole(const char *dot)
{
  long open = 0;
  bool quoted = false;
  for (const char *at = dot; *at != '\0'; at++) {
    if (quoted && *at == '\\')
      at++;
    else if (*at == '"')
      quoted = !quoted;
    else if (!quoted)
      open += (*at == '{') - (*at == '}');
    assert_true(open >= 0 && *at != '\0');
  }
  assert_false(quoted);
  assert_int_equal(open, 0);
}

TEST(any_bytes_of_a_listing_are_borne)
{
  static const char *const names[] = {
      "", "a\"b\\", "\x1b[31m", "\xff\xc3\x28", "}{<&>\n\t", "\xe2\x82\xac \xf0\x9f\x98\x80"};
  for (size_t n = 0; n < COUNT_OF(names); n++) {
    struct made_graph made;
    FREED_BY(drop_sample) struct wb_control_flow flow;
    make_sample(&made, &flow);
    struct wb_label symbol = {names[n], 1};
    made.function.name = names[n];
    made.function.symbols = &symbol;
    made.function.symbol_count = 1;
    made.files[0] = names[n];
    made.code.name = (char *)names[n];
    made.instructions[2].opcode = names[n];
    made.instructions[2].operands = names[n];
    json_decref(json_of(&flow, 1));
    char *dot = written(cfg_dot, &flow, 1);
    assert_dot_whole(dot);
    free(dot);
    char *text = written(write_plain_text, &flow, 1);
    assert_null(strchr(text, '\x1b'));
    assert_null(strchr(text, '\t'));
    free(text);
  }
}

/* The path and its counts stand out where there is heat, and the legend says so. */
TEST(heat_shows_the_worst_path)
{
  struct made_graph made;
  FREED_BY(drop_sample) struct wb_control_flow flow;
  make_sample(&made, &flow);
  int64_t runs[8] = {1, 7, 0, 7, 1};
  int64_t cycles[8] = {10, 70, 0, 20, 0};
  int64_t taken[16] = {7};
  struct wb_cfg_heat heat = {runs, cycles, taken, 100, 123, "upper"};
  struct wb_simt_options options = {0};
  struct wb_cfg_report report = {
      .code = flow.code, .options = &options, .flows = &flow, .count = 1, .heat = &heat};
  struct wb_text text = {0};
  wb_cfg_dot(&report, true, &text);
  assert_false(text.failed);
  assert_dot_whole(text.data);
  assert_non_null(strstr(text.data, "WCET 123 cycles, upper"));
  assert_non_null(strstr(text.data, "label=\" 7\""));
  assert_non_null(strstr(text.data, "share of the WCET's cycles"));
  size_t counts = 0; /* one edge of all is taken */
  for (const char *at = text.data; (at = strstr(at, "label=\" ")) != NULL; at++)
    counts++;
  assert_int_equal(counts, 1);
  wb_text_free(&text);
  wb_cfg_dot(&report, false, &text);
  assert_null(strstr(text.data, "legend"));
  wb_text_free(&text);
}

TEST(several_functions_have_a_table)
{
  struct made_graph made[2];
  struct wb_control_flow flows[2];
  make_sample(&made[0], &flows[0]);
  make_sample(&made[1], &flows[1]);
  made[1].function.name = "other";
  char *text = written(write_plain_text, flows, 2);
  assert_non_null(strstr(text,
                         "  sm_52          5      4      6      1      1      1      1  kernel\n"
                         "  sm_52          5      4      6      1      1      1      1  other\n"));
  free(text);
  char *dot = written(cfg_dot, flows, 2);
  assert_dot_whole(dot);
  assert_non_null(strstr(dot, "f1b3 -> f1b2 ["));
  free(dot);
  drop_sample(&flows[0]);
  drop_sample(&flows[1]);
}
