/* Flow facts on small programs: which blocks and loops their places name, in all contexts, and
 * what numbers of threads become for the warp. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/wcet.h"
#include "base/control.h"
#include "base/text.h"
#include "frontend/flow_facts_file.h"
#include "model/code_checksum.h"
#include "simt_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A program with source lines: instruction i is line lines_of[i] of folder/kernel.cu, 0 for none;
 * NULL: no line information. */
struct program {
  const char *const *text;
  const uint32_t *lines_of;
};

/* A loop from address 8 to 0x10 whose lanes go on together, then a branch to one of two sides. */
static const char *const sides[] = {
    "TID R0",         "loop: SETP P0 R0", "@P0 BRA loop",    "SETP P1 R0", "@P1 BRA right",
    "left: MOV R1 R0", "BRA end",          "right: MOV R2 R0", "MOV R2 R0",  "MOV R2 R0",
    "end: EXIT",      NULL,
};
static const uint32_t sides_lines[] = {1, 4, 4, 5, 5, 7, 7, 8, 8, 8, 9};

/* A subroutine with a loop, called twice, the second time from a loop. */
static const char *const calls[] = {
    "TID R0",           "CAL sub",     "outer: CAL sub", "SETP P0 R0", "@P0 BRA outer", "EXIT",
    "sub: SETP P1 R0", "@P1 BRA sub", "RET",            NULL,
};

static struct wb_control control;

static void make(const struct program *program, struct wb_machine_code *code)
{
  simt_text_make(program->text, code);
  struct wb_machine_function *function = &code->functions[0];
  if (program->lines_of == NULL)
    return;
  code->files = calloc(1, sizeof *code->files);
  assert_non_null(code->files);
  code->files[0] = "folder/kernel.cu";
  code->file_count = 1;
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    function->instructions[i].source_file = program->lines_of[i] > 0;
    function->instructions[i].source_line = program->lines_of[i];
  }
}

/* The WCET under facts, after a head with the checksum; -1 where they are refused, which leaves
 * the message. */
static int64_t wcet_under(const struct program *program, const char *facts_text,
                          warpbound_error *error)
{
  struct wb_machine_code code;
  struct wb_flow_facts facts;
  struct wb_wcet wcet;
  struct wb_text text = {0};
  int64_t bound = -1;
  make(program, &code);
  wb_text_format(&text, "kernel %s\nchecksum 0x%016" PRIx64 "\n%s", code.functions[0].name,
                 wb_machine_function_checksum(&code.functions[0]), facts_text);
  assert_false(text.failed);
  assert_int_equal(wb_flow_facts_parse("facts", text.data, text.length, &facts, error),
                   WARPBOUND_OK);
  const struct wb_wcet_options options = {.facts = &facts, .default_bound = UINT64_MAX};
  const warpbound_status status =
      wb_wcet_analyse(&code, &code.functions[0], &options, &control, &wcet, error);
  if (status == WARPBOUND_OK) {
    bound = wcet.ipet.proof.bound;
    assert_non_null(wcet.ipet.taken);
    assert_int_equal(wcet.ipet.cycles, bound);
  }
  if (status == WARPBOUND_OK || status == WARPBOUND_FACTS_MISSING)
    wb_wcet_free(&wcet);
  wb_flow_facts_free(&facts);
  wb_text_free(&text);
  wb_machine_code_free(&code);
  return bound;
}

static const struct program sides_program = {sides, sides_lines};
static const struct program calls_program = {calls, NULL};

static int64_t of_sides(const char *facts)
{
  warpbound_error error = {.message = ""};
  const int64_t bound = wcet_under(&sides_program, facts, &error);
  if (bound < 0)
    print_message("# %s\n", error.message);
  return bound;
}

static int64_t of_calls(const char *facts)
{
  warpbound_error error = {.message = ""};
  const int64_t bound = wcet_under(&calls_program, facts, &error);
  if (bound < 0)
    print_message("# %s\n", error.message);
  return bound;
}

static void refused(const struct program *program, const char *facts, uint32_t line,
                    const char *says)
{
  warpbound_error error = {.message = ""};
  assert_int_equal(wcet_under(program, facts, &error), -1);
  if (strstr(error.message, says) == NULL || error.line != line)
    fail_msg("line %zu: %s", error.line, error.message);
}

static void places(void **state)
{
  (void)state;
  const int64_t bound = of_sides("loop loop bound 3 per warp\n");
  print_message("# %lld\n", (long long)bound);
  assert_true(bound > 0);
}

int main(void)
{
  control = wb_control_start(NULL);
  const struct CMUnitTest tests[] = {cmocka_unit_test(places)};
  (void)of_calls;
  (void)refused;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
