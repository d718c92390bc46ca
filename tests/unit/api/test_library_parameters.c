/* Parameters of kernels, and the loops that need them, through the public header alone. */
#include "failing_heap.h"
#include "handles.h"

/* A kernel of the tutorial, whose source names its parameters where it is given. */
struct code {
  warpbound_module *module;
  warpbound_kernel *kernel;
  warpbound_annotations *annotations;
};

static struct code code_of(const char *kernel, bool with_source)
{
  const warpbound_module_options options = {.machine_code_only = true};
  struct code code;
  size_t length, source_length;
  const char *bytes = source_file("examples/tutorial/kernels.fatbin", &length);
  const char *text = source_file("examples/tutorial/kernels.cu", &source_length);
  const warpbound_input source = {"kernels.cu", text, source_length};
  assert_made(code.module,
              warpbound_module_parse("code", bytes, length, &options, &code.module, NULL));
  const warpbound_annotation_options known = {.sources = with_source ? &source : NULL,
                                              .source_count = with_source ? 1 : 0};
  code.kernel = kernel_of(code.module, kernel);
  code.annotations = annotations_of(code.module, &known);
  return code;
}

static warpbound_parameters *parameters_of(const struct code *code)
{
  const warpbound_wcet_options options = {.annotations = code->annotations};
  warpbound_parameters *parameters;
  assert_made(parameters,
              warpbound_parameters_find(code->kernel, &options, NULL, &parameters, NULL));
  return parameters;
}

TEST(loops_name_the_parameters_that_they_need)
{
  const struct code code = code_of("stereo", true);
  warpbound_parameters *parameters = parameters_of(&code);
  assert_int_equal(warpbound_parameters_count(parameters), 7);
  const warpbound_parameter_facts shifts = warpbound_parameters_parameter(parameters, 5);
  assert_int_equal(shifts.ordinal, 5);
  assert_int_equal(shifts.offset, 32);
  assert_int_equal(shifts.size, 4);
  assert_string_equal(shifts.name, "shifts");
  assert_string_equal(shifts.file, "kernels.cu");
  /* The loop within is found only once the one around it has its number, or beside it. */
  assert_int_equal(warpbound_parameters_need_count(parameters), 5);
  const warpbound_parameter_need first = warpbound_parameters_need(parameters, 0);
  assert_int_equal(first.parameter, 5);
  assert_int_equal(first.offset, 32);
  assert_string_equal(first.option, "--param shifts=N");
  assert_int_equal(first.line, 34);
  const warpbound_parameter_need last = warpbound_parameters_need(parameters, 4);
  assert_int_equal(last.parameter, 6);
  assert_string_equal(last.option, "--param radius=N");
  assert_int_equal(last.line, 37);
}

/* All that the list names bounds all loops. */
TEST(what_is_named_is_enough)
{
  const struct code code = code_of("stereo", false);
  warpbound_parameters *parameters = parameters_of(&code);
  warpbound_parameter values[8];
  size_t count = 0;
  for (size_t n = 0; n < warpbound_parameters_need_count(parameters); n++) {
    const warpbound_parameter_need need = warpbound_parameters_need(parameters, n);
    if (n == 0 || need.offset != warpbound_parameters_need(parameters, n - 1).offset)
      values[count++] = (warpbound_parameter){.offset = need.offset, .value = 3};
  }
  assert_int_equal(count, 2);
  assert_null(warpbound_parameters_parameter(parameters, 5).name);
  const warpbound_annotation_options known = {.parameters = values, .parameter_count = count};
  const warpbound_wcet_options options = {.annotations = annotations_of(code.module, &known)};
  warpbound_wcet *wcet;
  assert_made(wcet, warpbound_wcet_analyse(code.kernel, &options, NULL, &wcet, NULL));
}

TEST(misuse_is_refused)
{
  const struct code code = code_of("gemm", false);
  warpbound_parameters *parameters = (warpbound_parameters *)&code;
  assert_misuse(warpbound_parameters_find(NULL, NULL, NULL, &parameters, NULL));
  assert_null(parameters);
  assert_misuse(warpbound_parameters_find(code.kernel, NULL, NULL, NULL, NULL));
  assert_int_equal(warpbound_parameters_count(NULL), 0);
  assert_int_equal(warpbound_parameters_need_count(NULL), 0);
  parameters = parameters_of(&code);
  assert_int_equal(warpbound_parameters_parameter(parameters, 4).size, 0);
  assert_string_equal(warpbound_parameters_need(parameters, 9).option, "");
  warpbound_parameters_free(NULL);
}

static warpbound_status find(const void *context, warpbound_error *error)
{
  const struct code *code = context;
  const warpbound_wcet_options options = {.annotations = code->annotations};
  warpbound_parameters *parameters = NULL;
  const warpbound_status status =
      warpbound_parameters_find(code->kernel, &options, NULL, &parameters, error);
  warpbound_parameters_free(parameters);
  return status;
}

TEST(failing_allocations_are_reported)
{
  const struct code code = code_of("histogram", true);
  assert_true(try_each(find, &code, WARPBOUND_OK).total > 0);
}
