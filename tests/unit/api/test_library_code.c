/* Code through the public header alone: modules, kernels, annotations, paths, control flow, WCET;
 * used well and misused. */
#include "handles.h"

#include <math.h>

static const char ptx[] = ".version 6.0\n.target sm_50\n"
                          ".func helper() {\nret;\n}\n"
                          ".entry _Z1kPf(.param .u64 p) {\n"
                          ".reg .b64 %d; .reg .f32 %f; .reg .pred %p;\nld.param.u64 %d, [p];\n"
                          "loop:\nld.global.f32 %f, [%d];\nsin.approx.f32 %f, %f;\n"
                          "setp.gt.f32 %p, %f, 0f00000000;\n@%p bra loop;\nret;\n}\n";

/* A warp that never ends, and one that ends at once. */
static const char spinning[] = "\tcode for sm_52\n\t\tFunction : spin\n"
                               "\t.headerflags\t@\"EF_CUDA_SM52 EF_CUDA_PTX_SM(EF_CUDA_SM52)\"\n"
                               "        /*0008*/                    BRA 0x8 ;\n"
                               "\t\tFunction : stop\n"
                               "\t.headerflags\t@\"EF_CUDA_SM52 EF_CUDA_PTX_SM(EF_CUDA_SM52)\"\n"
                               "        /*0008*/                    EXIT ;\n";

/* An architecture that is not analysed. */
static const char kepler[] = "\tcode for sm_35\n\t\tFunction : old\n"
                             "\t.headerflags\t@\"EF_CUDA_SM35 EF_CUDA_PTX_SM(EF_CUDA_SM35)\"\n"
                             "        /*0008*/                    EXIT ;\n";

/* ---- modules ---- */

TEST(the_content_says_the_form)
{
  static const struct {
    const char *text;
    warpbound_input_form form;
  } inputs[] = {{"5L9C2L9C", WARPBOUND_INPUT_STRING},
                {"\xef\xbb\xbf 3L\n2C \n", WARPBOUND_INPUT_STRING},
                {ptx, WARPBOUND_INPUT_PTX},
                {spinning, WARPBOUND_INPUT_SASS}};
  for (size_t i = 0; i < COUNT_OF(inputs); i++) {
    warpbound_module *module = module_of(inputs[i].text);
    assert_int_equal(warpbound_module_form(module), inputs[i].form);
  }
}

/* NVRTC counts the zero at the end of PTX. */
TEST(ptx_may_count_its_zero)
{
  warpbound_module *module;
  assert_ok(warpbound_module_parse(NULL, ptx, sizeof ptx, NULL, &module, NULL));
  warpbound_module_free(module);
}

TEST(wrong_inputs_are_named)
{
  static const struct {
    const char *text;
    size_t length;
    bool machine_code_only;
    const char *part;
  } inputs[] = {
      {"\x7f"
       "ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\276\0",
       20, false, "a cubin"},
      {"__global__ void k() {}\n", 23, false, "CUDA C++"},
      {ptx, sizeof ptx - 1, true, "found PTX"},
      {"LXC", 3, false, "character 2"},
      {"", 0, false, "expected"},
      {"\tcode for sm_52\n\t\tFunction : f\n /*0008*/ BRA 0x10 ;\n", 53, false, "expected"}};
  for (size_t i = 0; i < COUNT_OF(inputs); i++) {
    const warpbound_module_options options = {.machine_code_only = inputs[i].machine_code_only};
    warpbound_error error = {0};
    warpbound_module *module = (warpbound_module *)&error;
    assert_invalid(
        warpbound_module_parse("in", inputs[i].text, inputs[i].length, &options, &module, &error));
    assert_null(module);
    assert_string_equal(error.file, "in");
    expect_part(error.message, inputs[i].part);
    assert_invalid(
        warpbound_module_parse("in", inputs[i].text, inputs[i].length, &options, &module, NULL));
  }
}

TEST(module_arguments_are_checked)
{
  warpbound_module *module;
  const warpbound_unit_assumption unit = {"frobnicate", 'X'};
  const warpbound_targets targets = {.address = 8};
  const warpbound_module_options wrong[] = {{.units = &unit, .unit_count = 1},
                                            {.unit_count = 1},
                                            {.target_count = 1},
                                            {.targets = &targets, .target_count = 1}};
  for (size_t o = 0; o < COUNT_OF(wrong); o++) {
    warpbound_error error = {0};
    assert_misuse(warpbound_module_parse("", ptx, sizeof ptx - 1, &wrong[o], &module, &error));
    assert_null(module);
    assert_true(error.message[0] != '\0');
  }
  assert_misuse(warpbound_module_parse("", NULL, 3, NULL, &module, NULL));
  assert_misuse(warpbound_module_parse("", "L", 1, NULL, NULL, NULL));
  assert_misuse(warpbound_module_of_string(NULL, NULL, &module, NULL));
  assert_misuse(warpbound_module_of_string(NULL, "L", NULL, NULL));
  assert_invalid(warpbound_module_of_string(NULL, "", &module, NULL));
  warpbound_module_free(NULL);
}

TEST(functions_of_a_listing)
{
  warpbound_module *module = module_of_file("examples/matrix_multiply.sass");
  assert_int_equal(warpbound_module_function_count(module), 2);
  assert_string_equal(warpbound_module_function_name(module, 0), "matrix_tiled_edges");
  assert_string_equal(warpbound_module_function_demangled(module, 1), "matrix_tiled");
  assert_true(warpbound_module_function_is_kernel(module, 1));
  assert_int_equal(warpbound_module_function_sm(module, 1), 61);
  assert_true(warpbound_module_function_instruction_count(module, 1) > 50);
  assert_int_equal(warpbound_module_source_count(module), 1);
  assert_string_equal(warpbound_module_source(module, 0), "matrix_multiply.cu");
  assert_string_equal(warpbound_module_function_name(module, 2), "");
  assert_string_equal(warpbound_module_function_demangled(module, SIZE_MAX), "");
  assert_false(warpbound_module_function_is_kernel(module, 2));
  assert_int_equal(warpbound_module_function_sm(module, 2), 0);
  assert_int_equal(warpbound_module_function_instruction_count(module, 2), 0);
  assert_string_equal(warpbound_module_source(module, 1), "");
  assert_int_equal(warpbound_module_function_count(NULL), 0);
  assert_int_equal(warpbound_module_source_count(NULL), 0);
  assert_string_equal(warpbound_module_function_name(NULL, 0), "");
}

TEST(functions_of_ptx_and_of_a_string)
{
  warpbound_module *module = module_of(ptx);
  assert_int_equal(warpbound_module_function_count(module), 2);
  assert_false(warpbound_module_function_is_kernel(module, 0));
  assert_string_equal(warpbound_module_function_name(module, 1), "_Z1kPf");
  assert_string_equal(warpbound_module_function_demangled(module, 1), "k(float*)");
  assert_int_equal(warpbound_module_function_sm(module, 1), 50);
  assert_ok(warpbound_module_of_string(NULL, "5L9C", &module, NULL));
  assert_int_equal(warpbound_module_function_count(module), 1);
  assert_string_equal(warpbound_module_function_name(module, 0), "");
  assert_true(warpbound_module_function_is_kernel(module, 0));
  assert_int_equal(warpbound_module_function_instruction_count(module, 0), 14);
  warpbound_module_free(module);
}

/* ---- kernels ---- */

TEST(kernels_have_several_names)
{
  warpbound_module *module = module_of(ptx);
  static const char *const names[] = {NULL, "_Z1kPf", "k(float*)", "k(float *)", "k"};
  for (size_t n = 0; n < COUNT_OF(names); n++) {
    warpbound_kernel *kernel = kernel_of(module, names[n]);
    assert_int_equal(warpbound_kernel_index(kernel), 1);
  }
  module = module_of_file("examples/matrix_multiply.sass");
  warpbound_kernel *kernel = kernel_of(module, "matrix_tiled@sm_61");
  assert_int_equal(warpbound_kernel_index(kernel), 1);
  assert_int_equal(warpbound_module_find(module, NULL, 1), 1);
  assert_int_equal(warpbound_module_find(module, "matrix_tiled", 0), 1);
  assert_int_equal(warpbound_module_find(module, "matrix_tiled", 2), 2);
  assert_int_equal(warpbound_module_find(module, "other", 0), 2);
  assert_ok(warpbound_module_check_name(module, NULL, NULL));
}

TEST(kernels_that_are_none)
{
  warpbound_module *modules[] = {module_of(ptx), module_of_file("examples/matrix_multiply.sass"),
                                 module_of("LC")};
  for (size_t m = 0; m < 3; m++) {
    warpbound_error error = {0};
    warpbound_kernel *kernel = (warpbound_kernel *)&error;
    assert_misuse(warpbound_kernel_choose(modules[m], "matrix_tile", &kernel, &error));
    assert_null(kernel);
    expect_part(error.message, "'matrix_tile'");
    assert_misuse(warpbound_module_check_name(modules[m], "matrix_tile", NULL));
    assert_misuse(warpbound_kernel_choose(modules[m], "matrix_tile", &kernel, NULL));
    assert_misuse(warpbound_kernel_at(modules[m], warpbound_module_function_count(modules[m]),
                                      &kernel, &error));
    assert_misuse(warpbound_kernel_at(modules[m], 0, NULL, NULL));
  }
  warpbound_error error;
  warpbound_kernel *kernel;
  assert_misuse(warpbound_kernel_choose(modules[1], NULL, &kernel, &error));
  expect_part(error.message, "matrix_tiled_edges@sm_61, matrix_tiled@sm_61");
  assert_misuse(warpbound_kernel_choose(NULL, NULL, &kernel, NULL));
  assert_misuse(warpbound_kernel_at(NULL, 0, &kernel, NULL));
  assert_misuse(warpbound_module_check_name(NULL, NULL, NULL));
  assert_int_equal(warpbound_kernel_index(NULL), 0);
  warpbound_kernel_free(NULL);
}

/* ---- paths ---- */

TEST(the_path_of_a_string)
{
  warpbound_paths *paths;
  char *json = NULL;
  warpbound_kernel *kernel = kernel_of(module_of("LLCC 2L"), NULL);
  assert_made(paths, warpbound_paths_find(kernel, NULL, NULL, &paths, NULL));
  assert_string_equal(warpbound_paths_string(paths), "2L2C2L");
  assert_int_equal(warpbound_paths_length(paths), 6);
  assert_false(warpbound_paths_is_estimate(paths));
  assert_true(warpbound_paths_are_one(paths));
  assert_int_equal(warpbound_paths_assumption_count(paths), 0);
  assert_string_equal(warpbound_paths_assumption(paths, 0), "");
  expect_text(warpbound_paths_json(paths, &json, NULL), &json, "\"string\": \"2L2C2L\"");
}

TEST(a_path_of_ptx)
{
  const warpbound_loop_iterations loop = {"loop", 2};
  const char *const take = "loop";
  const struct {
    warpbound_paths_options options;
    const char *string; /* NULL: four instructions more than the first */
  } rows[] = {
      {{.iterations = 1}, "2LS3C"},
      {{.loops = &loop, .loop_count = 1}, NULL},
      {{.iterations = 1, .through = "loop"}, "L"},
      {{.iterations = 2, .takes = &take, .take_count = 1}, NULL},
  };
  warpbound_paths *paths;
  warpbound_error error = {0};
  size_t first = 0;
  warpbound_kernel *kernel = kernel_of(module_of(ptx), NULL);
  assert_int_equal(warpbound_paths_find(kernel, NULL, NULL, &paths, &error),
                   WARPBOUND_FACTS_MISSING);
  assert_null(paths);
  assert_true(error.line > 0);
  for (size_t r = 0; r < COUNT_OF(rows); r++) {
    print_message("# row %zu\n", r);
    assert_ok(warpbound_paths_find(kernel, &rows[r].options, NULL, &paths, NULL));
    own(paths);
    if (r == 0)
      first = warpbound_paths_length(paths);
    if (rows[r].string != NULL)
      assert_string_equal(warpbound_paths_string(paths), rows[r].string);
    else
      assert_int_equal(warpbound_paths_length(paths), first + 4);
    assert_true(warpbound_paths_is_estimate(paths));
    assert_true(warpbound_paths_assumption_count(paths) > 0);
    assert_string_not_equal(warpbound_paths_assumption(paths, 0), "");
  }
}

TEST(path_options_are_checked)
{
  const warpbound_loop_iterations nowhere = {NULL, 2};
  const warpbound_loop_iterations never = {"loop", 0};
  const warpbound_call_assumption call = {"f", "5Q"};
  const warpbound_call_assumption nothing = {"f", NULL};
  const char *const no_place = NULL;
  const warpbound_paths_options wrong[] = {
      {.order = (warpbound_path_order)42},
      {.iterations = 1000001},
      {.loop_count = 1},
      {.take_count = 1},
      {.call_count = 1},
      {.loops = &nowhere, .loop_count = 1},
      {.loops = &never, .loop_count = 1},
      {.calls = &call, .call_count = 1, .iterations = 1},
      {.calls = &nothing, .call_count = 1},
      {.takes = &no_place, .take_count = 1},
      {.iterations = 1, .through = "nowhere"},
  };
  warpbound_paths *paths;
  warpbound_kernel *kernel = kernel_of(module_of(ptx), NULL);
  for (size_t o = 0; o < COUNT_OF(wrong); o++) {
    warpbound_error error = {0};
    assert_misuse(warpbound_paths_find(kernel, &wrong[o], NULL, &paths, &error));
    assert_null(paths);
    assert_true(error.message[0] != '\0');
    assert_misuse(warpbound_paths_find(kernel, &wrong[o], NULL, &paths, NULL));
  }
  assert_misuse(warpbound_paths_find(NULL, NULL, NULL, &paths, NULL));
  assert_misuse(warpbound_paths_find(kernel, NULL, NULL, NULL, NULL));
  assert_string_equal(warpbound_paths_string(NULL), "");
  assert_int_equal(warpbound_paths_length(NULL), 0);
  assert_false(warpbound_paths_is_estimate(NULL));
  assert_false(warpbound_paths_are_one(NULL));
  char *json;
  assert_misuse(warpbound_paths_json(NULL, &json, NULL));
  warpbound_paths_free(NULL);
}

TEST(all_paths_of_machine_code)
{
  warpbound_paths *paths;
  warpbound_error error = {0};
  char *json = NULL;
  warpbound_kernel *kernel =
      kernel_of(module_of_file("examples/matrix_multiply.sass"), "matrix_tiled");
  assert_int_equal(warpbound_paths_find(kernel, NULL, NULL, &paths, &error),
                   WARPBOUND_FACTS_MISSING);
  assert_null(paths);
  warpbound_paths_options options = {
      .wcet = {.has_default_loop_bound = true, .default_loop_bound = 2}, .device = "sm_52"};
  assert_misuse(warpbound_paths_find(kernel, &options, NULL, &paths, &error));
  expect_part(error.message, "sm_61 does not run on sm_52");
  options.device = "no such device";
  assert_misuse(warpbound_paths_find(kernel, &options, NULL, &paths, NULL));
  options.device = "sm_52";
  options.allow_other_device = true;
  assert_made(paths, warpbound_paths_find(kernel, &options, NULL, &paths, NULL));
  assert_true(warpbound_paths_is_estimate(paths));
  expect_part(warpbound_paths_assumption(paths, 0), "stands for what sm_52");
  expect_text(warpbound_paths_json(paths, &json, NULL), &json, "\"kernel\": \"matrix_tiled\"");
}

/* ---- annotations ---- */

TEST(annotation_options_are_checked)
{
  const warpbound_parameter odd = {.offset = 3};
  const warpbound_parameter large = {.offset = 0, .value = UINT64_C(1) << 32};
  const warpbound_parameter unknown = {.name = "param_99"};
  const warpbound_constant bank = {.bank = 18};
  const warpbound_constant far = {.offset = 65536};
  const warpbound_input inputs[2] = {{NULL, "", 0}, {NULL, "", 0}};
  const warpbound_annotation_options wrong[] = {
      {.cost = (warpbound_cost_model)42},
      {.cost = WARPBOUND_COST_TABLE},
      {.parameter_count = 1},
      {.constant_count = 1},
      {.load_count = 1},
      {.value_count = 1},
      {.call_count = 1},
      {.source_count = 1},
      {.sources = inputs, .source_count = 2},
      {.parameters = &odd, .parameter_count = 1},
      {.parameters = &large, .parameter_count = 1},
      {.parameters = &unknown, .parameter_count = 1},
      {.constants = &bank, .constant_count = 1},
      {.constants = &far, .constant_count = 1},
      {.block = {UINT32_C(1) << 31, 1, 1}},
  };
  warpbound_annotations *annotations;
  warpbound_module *module = module_of_file("examples/matrix_multiply.sass");
  for (size_t o = 0; o < COUNT_OF(wrong); o++) {
    warpbound_error error = {0};
    assert_misuse(warpbound_annotations_create(module, &wrong[o], &annotations, &error));
    assert_null(annotations);
    assert_true(error.message[0] != '\0');
    assert_misuse(warpbound_annotations_create(module, &wrong[o], &annotations, NULL));
  }
  warpbound_module *string = module_of("LC");
  assert_misuse(warpbound_annotations_create(string, NULL, &annotations, NULL));
  assert_misuse(warpbound_annotations_create(NULL, NULL, &annotations, NULL));
  assert_misuse(warpbound_annotations_create(module, NULL, NULL, NULL));
  assert_made(annotations, warpbound_annotations_create(module, NULL, &annotations, NULL));
  warpbound_annotations_free(NULL);
}

TEST(annotation_texts_say_where_they_are_wrong)
{
  static const char cubin[] = "\x7f"
                              "ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\276\0";
  static const char other[] = "kernel other\nrun 0x8 never\n";
  const warpbound_input bounds = {"a.cu", "x;\n#pragma loopbound min 0\n", 26};
  const warpbound_annotation_options wrong[] = {
      {.flow_facts = {"facts", "loop\n", 5}},
      {.flow_facts = {"facts", other, sizeof other - 1}},
      {.flow_facts = {"facts", cubin, sizeof cubin - 1}},
      {.cost = WARPBOUND_COST_TABLE, .costs = {"costs", "IADD x\n", 7}},
      {.sources = &bounds, .source_count = 1},
  };
  static const char *const files[] = {"facts", "facts", "facts", "costs", "a.cu"};
  warpbound_annotations *annotations;
  warpbound_module *module = module_of_file("examples/matrix_multiply.sass");
  for (size_t o = 0; o < COUNT_OF(wrong); o++) {
    warpbound_error error = {0};
    assert_invalid(warpbound_annotations_create(module, &wrong[o], &annotations, &error));
    assert_null(annotations);
    assert_string_equal(error.file, files[o]);
  }
}

/* ---- control flow ---- */

TEST(the_graph_of_a_kernel)
{
  warpbound_control_flow *flow;
  char *text = NULL;
  warpbound_module *module = module_of_file("examples/divergence.sass");
  warpbound_kernel *kernel;
  assert_ok(warpbound_kernel_choose(module, NULL, &kernel, NULL));
  assert_ok(warpbound_control_flow_analyse(kernel, NULL, NULL, &flow, NULL));
  own(flow);
  warpbound_kernel_free(kernel);
  const warpbound_control_flow_size size = warpbound_control_flow_size_of(flow);
  assert_int_equal(size.contexts, 2);
  assert_true(size.blocks > 8 && size.edges >= size.blocks);
  assert_true(size.reactivations > 0);
  assert_int_equal(size.scopes, 0);
  assert_int_equal(size.loops, 1);
  assert_true(size.divergence_points > 2);
  assert_true(warpbound_control_flow_assumption_count(flow) > 0);
  assert_string_not_equal(warpbound_control_flow_assumption(flow, 0), "");
  assert_string_equal(warpbound_control_flow_assumption(flow, 1000), "");
  expect_text(warpbound_control_flow_json(flow, &text, NULL), &text, "\"divergence\"");
  expect_text(warpbound_control_flow_text(flow, &text, NULL), &text, "divergence points");
  expect_text(warpbound_control_flow_dot(flow, &text, NULL), &text, "digraph");
  assert_misuse(warpbound_control_flow_json(flow, NULL, NULL));
}

/* The handle of a function that is refused is for the writers. */
TEST(a_refused_function_is_reported)
{
  warpbound_control_flow *flow;
  warpbound_error error = {0};
  char *text = NULL;
  warpbound_module *module = module_of(kepler);
  warpbound_kernel *kernel;
  assert_ok(warpbound_kernel_at(module, 0, &kernel, NULL));
  assert_invalid(warpbound_control_flow_analyse(kernel, NULL, NULL, &flow, &error));
  assert_non_null(flow);
  expect_part(error.message, "sm_35");
  assert_int_equal(warpbound_control_flow_size_of(flow).blocks, 0);
  assert_int_equal(warpbound_control_flow_assumption_count(flow), 0);
  expect_text(warpbound_control_flow_json(flow, &text, NULL), &text, "not_analysed");
  warpbound_control_flow_free(flow);
  warpbound_wcet *wcet;
  warpbound_trace *trace;
  assert_invalid(warpbound_wcet_analyse(kernel, NULL, NULL, &wcet, NULL));
  assert_null(wcet);
  assert_invalid(warpbound_trace_run(kernel, NULL, NULL, &trace, NULL));
  assert_null(trace);
  warpbound_kernel_free(kernel);
}

TEST(control_flow_arguments_are_checked)
{
  const warpbound_simt_options simt = {.agreement = (warpbound_agreement)3};
  const warpbound_simt_options waiting = {.reconvergence = (warpbound_reconvergence)3};
  warpbound_error error = {0};
  warpbound_control_flow *flow;
  char *text;
  warpbound_module *module = module_of(ptx);
  warpbound_kernel *kernel = kernel_of(module, NULL);
  assert_misuse(warpbound_control_flow_analyse(kernel, NULL, NULL, &flow, NULL));
  assert_null(flow);
  module = module_of(spinning);
  kernel = kernel_of(module, "stop");
  assert_misuse(warpbound_control_flow_analyse(kernel, &simt, NULL, &flow, NULL));
  assert_misuse(warpbound_control_flow_analyse(kernel, &waiting, NULL, &flow, &error));
  assert_string_equal(error.message, "reconvergence: expected one of 0 to 2, found 3");
  assert_misuse(warpbound_control_flow_analyse(NULL, NULL, NULL, &flow, NULL));
  assert_misuse(warpbound_control_flow_analyse(kernel, NULL, NULL, NULL, NULL));
  assert_misuse(warpbound_control_flow_dot(NULL, &text, NULL));
  assert_int_equal(warpbound_control_flow_size_of(NULL).edges, 0);
  assert_string_equal(warpbound_control_flow_assumption(NULL, 0), "");
  warpbound_control_flow_free(NULL);
}

/* ---- WCET ---- */

/* The WCET of matrix_tiled with what is known of it, and whether its outer loop's bound was found
 * as expected. */
static uint64_t wcet_of(const warpbound_module *module, const warpbound_annotation_options *known,
                        const char *source)
{
  warpbound_annotations *annotations;
  warpbound_wcet *wcet;
  bool met = false;
  warpbound_kernel *kernel = kernel_of(module, "matrix_tiled");
  assert_made(annotations, warpbound_annotations_create(module, known, &annotations, NULL));
  const warpbound_wcet_options options = {.annotations = annotations};
  assert_made(wcet, warpbound_wcet_analyse(kernel, &options, NULL, &wcet, NULL));
  const warpbound_bound bound = warpbound_wcet_bound(wcet);
  assert_int_equal(bound.kind, WARPBOUND_UPPER);
  assert_int_equal(warpbound_wcet_path_cycles(wcet), bound.cycles);
  for (size_t l = 0; l < warpbound_wcet_loop_count(wcet); l++) {
    const warpbound_loop loop = warpbound_wcet_loop(wcet, l);
    assert_true(loop.bounded);
    if (loop.address == 0xe8) {
      assert_int_equal(loop.bound, 15);
      assert_string_equal(loop.source, source);
      assert_string_equal(loop.file, "matrix_multiply.cu");
      assert_int_equal(loop.line, 14);
      met = true;
    }
  }
  assert_true(met);
  assert_int_equal(warpbound_wcet_runs(wcet, 0), 1);
  assert_int_equal(warpbound_wcet_runs(wcet, SIZE_MAX), 0);
  return bound.cycles;
}

/* A parameter of the launch, a flow fact and a comment of the source say the same. */
TEST(loops_are_bounded_in_three_ways)
{
  static const char fact[] = "kernel matrix_tiled\nloop matrix_multiply.cu:14 bound 15\n";
  static const char source[] = "\n\n\n\n\n\n\n\n\n\n\n\n\nfor (;;) // loopbound 15\n";
  const warpbound_parameter parameter = {.offset = 24, .value = 16};
  const warpbound_input file = {"matrix_multiply.cu", source, sizeof source - 1};
  const warpbound_annotation_options by_parameter = {.parameters = &parameter,
                                                     .parameter_count = 1};
  const warpbound_annotation_options by_fact = {.flow_facts = {"facts", fact, sizeof fact - 1}};
  const warpbound_annotation_options by_comment = {.sources = &file, .source_count = 1};
  warpbound_module *module = module_of_file("examples/matrix_multiply.sass");
  assert_int_equal(wcet_of(module, &by_parameter, "found"), 1501);
  assert_int_equal(wcet_of(module, &by_fact, "fact"), 1501);
  assert_int_equal(wcet_of(module, &by_comment, "comment"), 1501);
  const warpbound_annotation_options by_stalls = {.parameters = &parameter,
                                                  .parameter_count = 1,
                                                  .cost = WARPBOUND_COST_TABLE,
                                                  .costs = {"costs", "default 2\n", 10}};
  assert_int_equal(wcet_of(module, &by_stalls, "found"), 3002);
}

/* What is missing is named; its template is a fact file once its ? is a number. */
TEST(missing_facts_have_a_template)
{
  warpbound_wcet *wcet;
  warpbound_error error = {0};
  char *text;
  size_t unbounded = 0;
  warpbound_module *module = module_of_file("examples/matrix_multiply.sass");
  warpbound_kernel *kernel = kernel_of(module, "matrix_tiled");
  assert_int_equal(warpbound_wcet_analyse(kernel, NULL, NULL, &wcet, &error),
                   WARPBOUND_FACTS_MISSING);
  assert_non_null(wcet);
  own(wcet);
  assert_true(error.line > 0);
  assert_int_equal(warpbound_wcet_bound(wcet).kind, WARPBOUND_ESTIMATE);
  assert_true(warpbound_wcet_bound(wcet).cycles == UINT64_MAX);
  assert_int_equal(warpbound_wcet_path_cycles(wcet), 0);
  assert_int_equal(warpbound_wcet_runs(wcet, 0), 0);
  for (size_t l = 0; l < warpbound_wcet_loop_count(wcet); l++)
    unbounded += !warpbound_wcet_loop(wcet, l).bounded;
  assert_int_equal(unbounded, 1);
  assert_null(warpbound_wcet_loop(wcet, 1000).source);
  assert_int_equal(warpbound_wcet_json(wcet, &text, NULL), WARPBOUND_FACTS_MISSING);
  assert_null(text);
  assert_int_equal(warpbound_wcet_text(wcet, &text, NULL), WARPBOUND_FACTS_MISSING);
  assert_made(text, warpbound_wcet_template(wcet, &text, NULL));
  char *open = strstr(text, "bound ?");
  assert_non_null(open);
  memcpy(open, "bound 9", 7);
  const warpbound_annotation_options known = {.flow_facts = {"facts", text, strlen(text)}};
  warpbound_annotations *annotations = annotations_of(module, &known);
  const warpbound_wcet_options options = {.annotations = annotations};
  assert_made(wcet, warpbound_wcet_analyse(kernel, &options, NULL, &wcet, NULL));
  expect_text(warpbound_wcet_template(wcet, &text, NULL), &text, "bound 9");
  expect_text(warpbound_wcet_json(wcet, &text, NULL), &text, "\"kind\": \"upper\"");
  expect_text(warpbound_wcet_text(wcet, &text, NULL), &text, "cycles, upper");
  assert_true(warpbound_wcet_assumption_count(wcet) > 0);
  assert_string_not_equal(warpbound_wcet_assumption(wcet, 0), "");
  assert_string_equal(warpbound_wcet_assumption(wcet, 1000), "");
}

TEST(a_default_loop_bound_makes_an_estimate)
{
  warpbound_wcet *wcet;
  const warpbound_wcet_options options = {.has_default_loop_bound = true, .default_loop_bound = 10};
  warpbound_kernel *kernel =
      kernel_of(module_of_file("examples/matrix_multiply.sass"), "matrix_tiled");
  assert_made(wcet, warpbound_wcet_analyse(kernel, &options, NULL, &wcet, NULL));
  assert_int_equal(warpbound_wcet_bound(wcet).kind, WARPBOUND_ESTIMATE);
  assert_int_equal(warpbound_wcet_bound(wcet).cycles, 1041);
}

TEST(wcet_arguments_are_checked)
{
  warpbound_wcet *wcet;
  char *text;
  warpbound_annotations *foreign;
  warpbound_module *module = module_of(spinning);
  warpbound_module *other = module_of(spinning);
  warpbound_kernel *kernel = kernel_of(module, "stop");
  assert_made(foreign, warpbound_annotations_create(other, NULL, &foreign, NULL));
  const warpbound_wcet_options wrong[] = {
      {.has_default_loop_bound = true, .default_loop_bound = UINT64_MAX},
      {.simt = {.agreement = (warpbound_agreement)-1}},
      {.simt = {.reconvergence = (warpbound_reconvergence)-1}},
      {.annotations = foreign},
      {.program_file = "program.txt"},
      {.solver_command = "solver"},
  };
  for (size_t o = 0; o < COUNT_OF(wrong); o++) {
    const warpbound_paths_options paths_options = {.wcet = wrong[o]};
    warpbound_paths *paths;
    assert_misuse(warpbound_wcet_analyse(kernel, &wrong[o], NULL, &wcet, NULL));
    assert_null(wcet);
    assert_misuse(warpbound_paths_find(kernel, &paths_options, NULL, &paths, NULL));
    assert_null(paths);
  }
  assert_misuse(warpbound_wcet_analyse(NULL, NULL, NULL, &wcet, NULL));
  assert_misuse(warpbound_wcet_analyse(kernel, NULL, NULL, NULL, NULL));
  assert_misuse(warpbound_wcet_json(NULL, &text, NULL));
  assert_misuse(warpbound_wcet_template(NULL, NULL, NULL));
  assert_null(warpbound_wcet_bound(NULL).name);
  assert_int_equal(warpbound_wcet_loop_count(NULL), 0);
  assert_int_equal(warpbound_wcet_runs(NULL, 0), 0);
  assert_string_equal(warpbound_wcet_assumption(NULL, 0), "");
  warpbound_wcet_free(NULL);
}

/* ---- limits ---- */

static bool stop_at_once(void *context)
{
  ++*(int *)context;
  return true;
}

/* Every analysis refuses limits that are none. */
TEST(wrong_limits_are_refused)
{
  const warpbound_options wrong[] = {{.time_limit = -1}, {.time_limit = NAN}, {.threads = 1000}};
  warpbound_kernel *kernel = kernel_of(module_of(spinning), "stop");
  warpbound_control_flow *flow;
  warpbound_wcet *wcet;
  warpbound_paths *paths;
  warpbound_trace *trace;
  for (size_t l = 0; l < COUNT_OF(wrong); l++) {
    assert_misuse(warpbound_control_flow_analyse(kernel, NULL, &wrong[l], &flow, NULL));
    assert_misuse(warpbound_wcet_analyse(kernel, NULL, &wrong[l], &wcet, NULL));
    assert_misuse(warpbound_paths_find(kernel, NULL, &wrong[l], &paths, NULL));
    assert_misuse(warpbound_trace_run(kernel, NULL, &wrong[l], &trace, NULL));
  }
}

/* Limits and interruptions end analyses of machine code. */
TEST(limits_end_analyses)
{
  int polls = 0;
  const warpbound_options limits[] = {{.memory_limit = 1000},
                                      {.interrupted = stop_at_once, .context = &polls}};
  const warpbound_paths_options options = {
      .wcet = {.has_default_loop_bound = true, .default_loop_bound = 2}};
  warpbound_kernel *kernel =
      kernel_of(module_of_file("examples/matrix_multiply.sass"), "matrix_tiled");
  for (size_t l = 0; l < 2; l++) {
    warpbound_control_flow *flow;
    warpbound_wcet *wcet;
    warpbound_paths *paths;
    assert_limit(warpbound_control_flow_analyse(kernel, NULL, &limits[l], &flow, NULL));
    assert_non_null(flow);
    warpbound_control_flow_free(flow);
    assert_limit(warpbound_wcet_analyse(kernel, &options.wcet, &limits[l], &wcet, NULL));
    assert_null(wcet);
    assert_limit(warpbound_paths_find(kernel, &options, &limits[l], &paths, NULL));
    assert_null(paths);
  }
  assert_true(polls > 0);
}

/* Of several paths a bound over all of them is found in any case: prices that are raised from
 * nothing prove one where no time is left. */
TEST(an_early_end_leaves_a_valid_bracket)
{
  int polls = 0;
  const warpbound_options limits = {.interrupted = stop_at_once, .context = &polls};
  warpbound_paths *paths;
  warpbound_sm *sm;
  warpbound_instance *instance;
  warpbound_result *result;
  warpbound_result *whole;
  warpbound_series *series;
  warpbound_kernel *kernel = kernel_of(module_of_file("examples/divergence.sass"), NULL);
  assert_made(paths, warpbound_paths_find(kernel, NULL, NULL, &paths, NULL));
  assert_false(warpbound_paths_are_one(paths));
  assert_made(sm, warpbound_sm_create("L=1,C=4,S=1", 0, 1, &sm, NULL));
  assert_made(instance, warpbound_instance_of_paths(paths, sm, 4, 1, &instance, NULL));
  assert_limit(warpbound_makespan(instance, &limits, &result, NULL));
  assert_non_null(result);
  assert_made(whole, warpbound_makespan(instance, NULL, &whole, NULL));
  assert_true(warpbound_result_lower(result).cycles <= warpbound_result_upper(whole).cycles);
  assert_true(warpbound_result_upper(result).cycles >= warpbound_result_upper(whole).cycles);
  assert_true(warpbound_result_upper(result).cycles < UINT64_MAX);
  assert_limit(warpbound_makespan_series(instance, 2, 3, &limits, NULL, NULL, &series, NULL));
  warpbound_series_free(series);
  warpbound_result_free(result);
}
