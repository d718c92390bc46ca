/* From a program to the string of its fall-through path. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flow/kernel_path.h"
#include "frontend/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD ".version 6.0\n.target sm_50\n.address_size 64\n"
#define DECLARATIONS ".reg .pred %p; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %d<9>;\n"

/* Walks the kernel k of a text; *string is the path's string, to be freed. */
static warpbound_status walk(const char *text, const struct wb_path_options *options, char **string,
                             warpbound_error *error)
{
  struct wb_program program;
  warpbound_status status = wb_ptx_parse("test", text, strlen(text), NULL, &program, error);
  if (status != WARPBOUND_OK)
    fail_msg("line %zu: %s", error->line, error->message);
  size_t kernel = wb_program_find_kernel(&program, "k", error);
  struct wb_kernel_path path;
  status = wb_kernel_path_walk(&program, &program.functions[kernel], options, &path, error);
  if (status == WARPBOUND_OK) {
    struct wb_text letters = {0};
    wb_kernel_string_write(&path.string, &letters);
    *string = wb_text_take(&letters);
    assert_int_equal(path.assumptions.count >= 2, 1);
    wb_kernel_path_free(&path);
  }
  wb_program_free(&program);
  return status;
}

static void expect(const char *text, uint32_t iterations, const char *through, const char *string)
{
  warpbound_error error = {0};
  struct wb_path_options options = {.iterations = iterations, .through = through};
  char *found;
  if (walk(text, &options, &found, &error) != WARPBOUND_OK)
    fail_msg("line %zu: %s", error.line, error.message);
  assert_string_equal(found, string);
  free(found);
}

static void expect_error(const char *text, uint32_t iterations, const char *through,
                         warpbound_status status, size_t line, const char *part)
{
  warpbound_error error = {0};
  struct wb_path_options options = {.iterations = iterations, .through = through};
  char *found = NULL;
  assert_int_equal(walk(text, &options, &found, &error), status);
  assert_int_equal(error.line, line);
  if (strstr(error.message, part) == NULL)
    fail_msg("expected '%s' in '%s'", part, error.message);
}

static void forward_branches(void **state)
{
  (void)state;
  expect(HEAD ".entry k() {" DECLARATIONS "ld.global.f32 %f1, [%d1];\n"
              "@%p bra over;\nex2.approx.f32 %f1, %f1;\nover: bra end;\n"
              "add.f64 %d1, %d1, %d2;\nend: ret;\n}",
         0, NULL, "LCS2C");
}

#define BOTTOM_TEST                                                                                \
  HEAD ".entry k() {" DECLARATIONS "mov.b32 %r1, 0;\n"                                             \
       "loop:\nld.global.f32 %f1, [%d1];\nadd.s32 %r1, %r1, 1;\n"                                  \
       "latch: @%p bra loop;\nst.global.f32 [%d1], %f1;\nret;\n}"

static void a_loop_is_repeated(void **state)
{
  (void)state;
  expect(BOTTOM_TEST, 1, NULL, "CL2CLC");
  expect(BOTTOM_TEST, 3, NULL, "CL2CL2CL2CLC");
  expect(BOTTOM_TEST, 3, "latch", "CLC");
  expect(BOTTOM_TEST, 0, "8", "CLC");
  expect(BOTTOM_TEST, 0, "9", "CL2C");
  expect_error(BOTTOM_TEST, 0, NULL, WARPBOUND_FACTS_MISSING, 9, "--loop-iterations");
  expect_error(BOTTOM_TEST, 1, "nowhere", WARPBOUND_USAGE, 0, "nowhere");
  expect_error(BOTTOM_TEST, 1, "99", WARPBOUND_USAGE, 0, "does not come to '99'");
}

/* The test stands at the head: after the last iteration the head is done once more
 * and its conditional branch leaves. */
static void a_top_tested_loop_is_left_by_its_head(void **state)
{
  (void)state;
  const char *text = HEAD ".entry k() {" DECLARATIONS "head: setp.lt.s32 %p, %r1, %r2;\n"
                          "@%p bra out;\nld.global.f32 %f1, [%d1];\nbra head;\n"
                          "out: ex2.approx.f32 %f1, %f1;\nret;\n}";
  expect(text, 1, NULL, "2CL3CSC");
  expect(text, 2, NULL, "2CL3CL3CSC");
}

static void inner_loops_start_anew(void **state)
{
  (void)state;
  const char *text =
      HEAD ".entry k() {" DECLARATIONS "outer: ld.global.f32 %f1, [%d1];\n"
           "inner: ex2.approx.f32 %f1, %f1;\n@%p bra inner;\n@%p bra outer;\nret;\n}";
  expect(text, 2, NULL, "LSCS2CLSCS3C");
}

static void an_endless_loop_is_an_error(void **state)
{
  (void)state;
  expect_error(HEAD ".entry k() {\nself: bra self;\n}", 3, NULL, WARPBOUND_FACTS_MISSING, 5,
               "no branch that leaves this loop");
}

#define CALLS                                                                                      \
  HEAD ".extern .func outside;\n"                                                                  \
       ".func inside() {" DECLARATIONS "ex2.approx.f32 %f1, %f1;\nret;\n}\n"                       \
       ".func round() {\ncall round;\nret;\n}\n"                                                   \
       ".entry k() {" DECLARATIONS "ld.global.f32 %f1, [%d1];\n"

static void calls_are_followed(void **state)
{
  (void)state;
  expect(CALLS "call inside;\nst.global.f32 [%d1], %f1;\nret;\n}", 0, NULL, "LCSCLC");
  expect_error(CALLS "call round;\nret;\n}", 0, NULL, WARPBOUND_INVALID_INPUT, 10, "recursive");
  expect_error(CALLS "call outside;\nret;\n}", 0, NULL, WARPBOUND_FACTS_MISSING, 15,
               "--assume-call");
}

static void a_call_may_be_assumed(void **state)
{
  (void)state;
  struct wb_call_assumption assumption = {.name = "outside"};
  assert_int_equal(wb_kernel_string_parse("3D", NULL, &assumption.string, NULL), WARPBOUND_OK);
  struct wb_path_options options = {.calls = &assumption, .call_count = 1};
  char *string;
  warpbound_error error;
  assert_int_equal(walk(CALLS "call outside;\nret;\n}", &options, &string, &error), WARPBOUND_OK);
  assert_string_equal(string, "LC3DC");
  free(string);
  wb_kernel_string_free(&assumption.string);
}

static void guarded_returns_are_passed_by(void **state)
{
  (void)state;
  expect(HEAD ".entry k() {" DECLARATIONS "@%p ret;\n@!%p exit;\nld.global.f32 %f1, [%d1];\n}", 0,
         NULL, "2CL");
}

static void a_string_beyond_the_limit_is_an_error(void **state)
{
  (void)state;
  const char *text = HEAD ".entry k() {" DECLARATIONS "a: mov.b32 %r1, 0;\nb: mov.b32 %r1, 0;\n"
                          "@%p bra b;\n@%p bra a;\nret;\n}";
  expect_error(text, 100000, NULL, WARPBOUND_INVALID_INPUT, 7, "longer than 1000000");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forward_branches),
      cmocka_unit_test(a_loop_is_repeated),
      cmocka_unit_test(a_top_tested_loop_is_left_by_its_head),
      cmocka_unit_test(inner_loops_start_anew),
      cmocka_unit_test(an_endless_loop_is_an_error),
      cmocka_unit_test(calls_are_followed),
      cmocka_unit_test(a_call_may_be_assumed),
      cmocka_unit_test(guarded_returns_are_passed_by),
      cmocka_unit_test(a_string_beyond_the_limit_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
