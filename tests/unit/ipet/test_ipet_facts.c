/* Flow facts on small programs: which blocks and loops their places name, in all contexts, and
 * what numbers of threads become for the warp. Every instruction costs one cycle, so that the WCETs
 * are counted by hand. */
#include "analysis/wcet/wcet.h"
#include "base/text.h"
#include "base/work_control.h"
#include "formats/flow_facts/flow_facts_file.h"
#include "groups/simt_text.h"
#include "model/code.h"
#include "unit.h"

#include <inttypes.h>

/* Instruction i stands at address 8 i and comes from line lines[i] of folder/kernel.cu. */
struct program {
  const char *const *text;
  const uint32_t *lines;
};

/* A loop at 0x08, then two instructions, the left side (0x28) of two or the right one (0x38) of
 * three, and the end. */
static const char *const sides_text[] = {
    "CTA R0",  "loop: SETP P0 R0", "@P0 BRA loop", "SETP P1 R0", "@P1 BRA right", "left: MOV R1 R0",
    "BRA end", "right: MOV R2 R0", "MOV R2 R0",    "MOV R2 R0",  "end: EXIT",     NULL,
};
static const uint32_t sides_lines[] = {1, 4, 4, 5, 5, 7, 7, 8, 8, 8, 9};
static const struct program sides = {sides_text, sides_lines};

/* Three instructions that may be left out, then two. */
static const char *const steps_text[] = {
    "CTA R0",    "SETP P0 R0", "@P0 BRA second",     "first: MOV R1 R0",
    "MOV R1 R0", "MOV R1 R0",  "second: SETP P1 R0", "@P1 BRA end",
    "MOV R2 R0", "MOV R2 R0",  "end: EXIT",          NULL,
};
static const uint32_t steps_lines[] = {1, 2, 2, 3, 3, 3, 4, 4, 3, 3, 5};
static const struct program steps = {steps_text, steps_lines};

/* A subroutine with a loop, called once, and then from a loop. */
static const char *const calls_text[] = {
    "CTA R0", "CAL sub",         "outer: CAL sub", "SETP P0 R0", "@P0 BRA outer",
    "EXIT",   "sub: SETP P1 R0", "@P1 BRA sub",    "RET",        NULL,
};
static const uint32_t calls_lines[] = {1, 2, 3, 4, 4, 5, 8, 8, 9};
static const struct program calls = {calls_text, calls_lines};

/* Lanes that pass the first branch by wait inside of the loop. */
static const char *const apart_text[] = {
    "TID R0",           "loop: SETP P0 R0", "@P0 BRA skip", "MOV R1 R0",
    "skip: SETP P1 R0", "@P1 BRA loop",     "EXIT",         NULL,
};
static const uint32_t apart_lines[] = {1, 2, 2, 3, 4, 4, 5};
static const struct program apart = {apart_text, apart_lines};

/* With labels and lines. */
static void make(const struct program *program, struct wb_code *code)
{
  simt_text_make(program->text, code);
  struct wb_function *function = &code->functions[0];
  code->files = calloc(1, sizeof *code->files);
  function->labels = calloc(function->instruction_count, sizeof *function->labels);
  assert_true(code->files != NULL && function->labels != NULL);
  code->files[0] = "folder/kernel.cu";
  code->file_count = 1;
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    function->instructions[i].source_file = 1;
    function->instructions[i].source_line = program->lines[i];
    const size_t length = strcspn(program->text[i], ":");
    if (program->text[i][length] != ':')
      continue;
    const char *name = wb_name_pool_copy(&code->names, program->text[i], length);
    assert_non_null(name);
    function->labels[function->label_count++] = (struct wb_label){.index = i, .name = name};
  }
}

/* The WCET under facts for the checksum of the code xor `stale`; -1 where they are refused, which
 * leaves the message. */
static int64_t solve(const struct program *program, const char *lines, uint64_t stale,
                     warpbound_error *error)
{
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(wb_flow_facts_free) struct wb_flow_facts facts;
  struct wb_wcet wcet;
  struct wb_control control = wb_control_start(NULL);
  FREED_BY(wb_text_free) struct wb_text text = {0};
  int64_t bound = -1;
  make(program, &code);
  wb_text_format(&text, "kernel %s\nchecksum 0x%016" PRIx64 "\n%s", code.functions[0].name,
                 wb_function_checksum(&code.functions[0]) ^ stale, lines);
  assert_false(text.failed);
  assert_ok(wb_flow_facts_parse("facts", text.data, text.length, &facts, error));
  const struct wb_wcet_options options = {.facts = &facts, .default_bound = UINT64_MAX};
  const warpbound_status status =
      wb_wcet_analyse(&code, &code.functions[0], &options, &control, &wcet, error);
  if (status == WARPBOUND_OK) {
    bound = wcet.ipet.proof.bound;
    assert_true(wcet.ipet.doubted == (wcet.ipet.taken == NULL));
    if (wcet.ipet.taken != NULL)
      assert_int_equal(wcet.ipet.cycles, bound);
    else
      assert_non_null(strstr(wcet.assumptions.items[wcet.assumptions.count - 1],
                             "CBC finds no path that satisfies all facts"));
  }
  if (status == WARPBOUND_OK || status == WARPBOUND_FACTS_MISSING)
    wb_wcet_free(&wcet);
  return bound;
}

static void assert_wcet(const struct program *program, const char *lines, int64_t cycles)
{
  warpbound_error error = {.message = ""};
  const int64_t bound = solve(program, lines, 0, &error);
  if (bound != cycles)
    fail_msg("%sexpected %" PRId64 ", found %" PRId64 " %s", lines, cycles, bound, error.message);
}

/* line: of the whole file, of which two lines come first; 0: not of one line. */
static void assert_refused(const struct program *program, const char *lines, size_t line,
                           const char *says)
{
  warpbound_error error = {.message = ""};
  const int64_t bound = solve(program, lines, 0, &error);
  if (bound != -1 || strstr(error.message, says) == NULL || error.line != line)
    fail_msg("%sexpected line %zu: %s, found %" PRId64 ", line %zu: %s", lines, line, says, bound,
             error.line, error.message);
}

#define LOOP "loop 0x08 bound 3\n"

TEST(places)
{
  assert_wcet(&sides, LOOP, 15);
  assert_wcet(&sides, "loop loop bound 3\n", 15);
  assert_wcet(&sides, "loop kernel.cu:4 bound 3\n", 15);
  assert_wcet(&sides, "loop folder/kernel.cu:4 bound 3\n", 15);
  assert_wcet(&sides, "loop 0x08@kernel.cu:4 bound 3\n", 15);
  assert_wcet(&sides, LOOP "run 0x38 never\n", 14);
  assert_wcet(&sides, LOOP "run 0x40 never\n", 14); /* within the block */
  assert_wcet(&sides, LOOP "run right never\n", 14);
  assert_wcet(&sides, LOOP "run kernel.cu:8 never\n", 14);
  assert_wcet(&sides, LOOP "run left never\n", 15);
}

TEST(places_that_are_not_there)
{
  assert_refused(&sides, "loop 0x28 bound 3\n", 3, "no loop of");
  assert_refused(&sides, "loop 0x58 bound 3\n", 3, "no instruction at 0x0058");
  assert_refused(&sides, "loop lop bound 3\n", 3, "no label 'lop'");
  assert_refused(&sides, "loop kernel.cu:5 bound 3\n", 3, "the line of no loop");
  assert_refused(&sides, LOOP "run kernel.cu:3 never\n", 4, "the line of no instruction");
  assert_refused(&sides, LOOP "run ernel.cu:8 never\n", 4, "the line of no instruction");
  assert_refused(&sides, LOOP "run 0x28 at most 1 per entry of 0x08\n", 4, "not inside the loop");
  assert_refused(&steps, "run kernel.cu:3 never\n", 3,
                 "the line of several blocks (0x0018, 0x0040)");
}

TEST(runs)
{
  assert_wcet(&sides, LOOP "run 0x08 at most 2 per warp\n", 11);
  assert_wcet(&sides, LOOP "run 0x08 at most 2 per thread\n", 15);
  assert_wcet(&sides, "loop 0x08 bound 100\nrun 0x08 at most 2\n", 7 + 2 * 64);
  assert_wcet(&sides, LOOP "run 0x08 at most 1 per entry of 0x08 per warp\n", 9);
  assert_wcet(&sides, "loop 0x08 bound 100\nrun 0x08 at most 1 per entry of loop\n", 7 + 2 * 32);
}

/* One loop named in two ways, or one block. The number of the second one is refused. */
TEST(facts_that_differ)
{
  assert_wcet(&sides, LOOP "loop kernel.cu:4 bound 3 per thread\n", 15);
  assert_refused(&sides, "loop 0x08 bound 5\n" LOOP, 4,
                 "a bound of 3 per thread for the loop at 0x0008 of kernel: line 3 says 5");
  assert_refused(&sides, LOOP "loop kernel.cu:4 bound 4\n", 4, "line 3 says 3 of the same");
  assert_refused(&sides,
                 LOOP "run left at most 2\nrun left at most 2 per warp\nrun left at most 1\n", 6,
                 "at most 1 per thread for the block at 0x0028 of kernel: line 4 says 2");
  assert_refused(
      &sides, LOOP "run 0x10 at most 2 per entry of loop\nrun 0x08 at most 1 per entry of 0x08\n",
      5, "line 4 says 2 of the same");
}

TEST(the_least_bound_counts)
{
  assert_wcet(&sides, LOOP "loop 0x08 bound 5 per warp\n", 15);
  assert_wcet(&apart, "loop 0x08 bound 1 per thread\nloop 0x08 bound 40 per warp\n",
              solve(&apart, "loop 0x08 bound 32 per warp\n", 0, NULL));
}

TEST(lanes_apart)
{
  const int64_t by_warp = solve(&apart, "loop 0x08 bound 2 per warp\n", 0, NULL);
  const int64_t by_threads = solve(&apart, "loop 0x08 bound 2 per thread\n", 0, NULL);
  assert_true(by_warp > 0 && by_warp < by_threads);
  assert_int_equal(by_threads, solve(&apart, "loop 0x08 bound 64 per warp\n", 0, NULL));
}

#define BOUNDS "loop outer bound 2\nloop sub bound 3\n"

/* First call: CTA, CAL and 4 times 2 and RET; then 3 times CAL, the same, SETP and BRA; EXIT. */
TEST(contexts)
{
  assert_wcet(&calls, BOUNDS, 11 + 3 * 12 + 1);
  assert_wcet(&calls, BOUNDS "run sub at most 5 per warp\n", 11 + 3 * 12 + 1 - 11 * 2);
  assert_wcet(&calls, BOUNDS "run 0x40 at most 2 per warp\n", 11 + 12 + 1);
  assert_refused(&calls, BOUNDS "run sub at most 2 per entry of outer\n", 5, "not inside the loop");
  assert_refused(&calls, BOUNDS "loop sub bound 6 per entry of outer\n", 5,
                 "not inside the second one");
}

TEST(equal)
{
  assert_wcet(&sides, LOOP "equal 0x18 end per warp\n", 15);
  assert_wcet(&sides, LOOP "equal loop end per warp\n", 9);
  assert_wcet(&sides, "loop 0x08 bound 100\nequal loop end\n", 7 + 2 * 32);
  /* Against it are whole numbers alone: no proof, but a bound. */
  assert_wcet(&sides, LOOP "equal left right\n", 14);
  assert_refused(&sides, LOOP "run loop at most 9\nequal left end\nrun left never\n", 0,
                 "line 5, 6 together");
}

/* The WCET is that of the worst case of the places one by one. */
TEST(exclusive)
{
  assert_wcet(&steps, "", 11);
  assert_wcet(&steps, "exclusive 0x18 0x40 per warp\n", 9);
  assert_wcet(&steps, "exclusive first 0x40 per warp\nrun first never\n", 8);
  assert_wcet(&steps, "exclusive first 0x40 per warp\nrun 0x40 never\n", 9);
  assert_wcet(&sides, LOOP "exclusive left right per warp\n", 15);
  assert_refused(&sides, LOOP "exclusive 0x18 end per warp\n", 0, "no path satisfies");
}

TEST(stale_facts)
{
  warpbound_error error = {.message = ""};
  assert_int_equal(solve(&sides, LOOP, 1, &error), -1);
  assert_non_null(strstr(error.message, "were written for other code"));
  assert_int_equal(solve(&sides, "loop kernel.cu:4 bound 3\n", 1, &error), 15);
}
