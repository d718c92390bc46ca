/* From code to the string of one of its paths: the longest, the fall-through path, and those
 * that options ask for. */
#include "flow/paths/kernel_path.h"
#include "frontend/ptx/ptx_front_end.h"
#include "unit.h"

#define HEAD ".version 6.0\n.target sm_50\n.address_size 64\n"
#define DECLARATIONS ".reg .pred %p; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %d<9>;\n"

/* Walks the kernel k of a text; *string is the path's string, to be freed. */
static warpbound_status walk(const char *text, const struct wb_path_options *options, char **string,
                             warpbound_error *error)
{
  FREED_BY(wb_code_free) struct wb_code code;
  warpbound_status status = wb_ptx_parse("test", text, strlen(text), NULL, &code, error);
  if (status != WARPBOUND_OK)
    fail_msg("line %zu: %s", error->line, error->message);
  size_t kernel = wb_code_find_kernel(&code, "k", error);
  struct wb_kernel_path path;
  status = wb_kernel_path_walk(&code, &code.functions[kernel], options, &path, error);
  if (status == WARPBOUND_OK) {
    struct wb_text letters = {0};
    wb_kernel_string_write(&path.string, &letters);
    *string = wb_text_take(&letters);
    assert_int_equal(path.assumptions.count >= 2, 1);
    wb_kernel_path_free(&path);
  }
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

static void expect_with(const char *text, struct wb_path_options options, const char *string)
{
  warpbound_error error = {0};
  char *found;
  if (walk(text, &options, &found, &error) != WARPBOUND_OK)
    fail_msg("line %zu: %s", error.line, error.message);
  assert_string_equal(found, string);
  free(found);
}

static void refuse_with(const char *text, struct wb_path_options options, warpbound_status status,
                        const char *part)
{
  warpbound_error error = {0};
  char *found = NULL;
  assert_int_equal(walk(text, &options, &found, &error), status);
  if (strstr(error.message, part) == NULL)
    fail_msg("expected '%s' in '%s'", part, error.message);
}

/* Letters as instructions: L, S, D, and C as `mov`. */
#define DO_L "ld.global.f32 %f1, [%d1];\n"
#define DO_S "ex2.approx.ftz.f32 %f1, %f1;\n"
#define DO_D "add.f64 %d1, %d1, %d2;\n"
#define DO_C "mov.b32 %r1, 0;\n"
#define KERNEL(body) HEAD ".entry k() {" DECLARATIONS body "}"

TEST(forward_branches)
{
  const char *text = KERNEL(DO_L "@%p bra over;\n" DO_S "over: bra end;\n" DO_D "end: ret;\n");
  expect(text, 0, NULL, "LCS2C");
  const char *longer = KERNEL("@%p bra other;\n" DO_S "ret;\nother:\n" DO_D DO_D "ret;\n");
  expect(longer, 0, NULL, "C2DC");
  expect_with(longer, (struct wb_path_options){.order = WB_PATH_FALL_THROUGH}, "CSC");
}

TEST(a_switch_goes_to_its_longest_case)
{
  const char *text =
      KERNEL("t: .branchtargets one, two, one, three;\nbrx.idx %r1, t;\n"
             "one:\n" DO_S "ret;\ntwo:\n" DO_D DO_D DO_D "ret;\nthree:\n" DO_L "ret;\n");
  expect(text, 0, NULL, "C3DC");
  const char *const takes[] = {"three"};
  expect_with(text, (struct wb_path_options){.takes = takes, .take_count = 1}, "CLC");
}

#define BOTTOM_TEST                                                                                \
  HEAD ".entry k() {" DECLARATIONS "mov.b32 %r1, 0;\n"                                             \
       "loop:\nld.global.f32 %f1, [%d1];\nadd.s32 %r1, %r1, 1;\n"                                  \
       "latch: @%p bra loop;\nst.global.f32 [%d1], %f1;\nret;\n}"

TEST(a_loop_is_repeated)
{
  expect(BOTTOM_TEST, 1, NULL, "CL2CLC");
  expect(BOTTOM_TEST, 3, NULL, "CL2CL2CL2CLC");
  expect(BOTTOM_TEST, 3, "latch", "CLC");
  expect(BOTTOM_TEST, 0, "8", "CLC");
  expect(BOTTOM_TEST, 0, "9", "CL2C");
  expect_error(BOTTOM_TEST, 0, NULL, WARPBOUND_FACTS_MISSING, 9, "--loop-iterations");
  expect_error(BOTTOM_TEST, 1, "nowhere", WARPBOUND_USAGE, 0, "nowhere");
  expect_error(BOTTOM_TEST, 1, "99", WARPBOUND_USAGE, 0, "no path of 'k' comes to '99'");
}

/* The test stands at the head: after the last iteration the head is done once more
 * and its conditional branch leaves. */
TEST(a_top_tested_loop_is_left_by_its_head)
{
  const char *text = HEAD ".entry k() {" DECLARATIONS "head: setp.lt.s32 %p, %r1, %r2;\n"
                          "@%p bra out;\nld.global.f32 %f1, [%d1];\nbra head;\n"
                          "out: ex2.approx.f32 %f1, %f1;\nret;\n}";
  expect(text, 1, NULL, "2CL3CSC");
  expect(text, 2, NULL, "2CL3CL3CSC");
}

TEST(inner_loops_start_anew)
{
  const char *text =
      HEAD ".entry k() {" DECLARATIONS "outer: ld.global.f32 %f1, [%d1];\n"
           "inner: ex2.approx.f32 %f1, %f1;\n@%p bra inner;\n@%p bra outer;\nret;\n}";
  expect(text, 2, NULL, "LSCS2CLSCS3C");
}

TEST(an_endless_loop_is_an_error)
{
  expect_error(HEAD ".entry k() {\nself: bra self;\n}", 3, NULL, WARPBOUND_FACTS_MISSING, 5,
               "no branch that leaves this loop");
}

#define CALLS                                                                                      \
  HEAD ".extern .func outside;\n"                                                                  \
       ".func inside() {" DECLARATIONS "ex2.approx.f32 %f1, %f1;\nret;\n}\n"                       \
       ".func round() {\ncall round;\nret;\n}\n"                                                   \
       ".entry k() {" DECLARATIONS "ld.global.f32 %f1, [%d1];\n"

TEST(calls_are_followed)
{
  expect(CALLS "call inside;\nst.global.f32 [%d1], %f1;\nret;\n}", 0, NULL, "LCSCLC");
  expect_error(CALLS "call round;\nret;\n}", 0, NULL, WARPBOUND_INVALID_INPUT, 10, "recursive");
  expect_error(CALLS "call outside;\nret;\n}", 0, NULL, WARPBOUND_FACTS_MISSING, 15,
               "--assume-call");
}

TEST(a_call_may_be_assumed)
{
  struct wb_call_assumption assumption = {.name = "outside"};
  assert_ok(wb_kernel_string_parse("3D", NULL, &assumption.string, NULL));
  struct wb_path_options options = {.calls = &assumption, .call_count = 1};
  char *string;
  assert_ok(walk(CALLS "call outside;\nret;\n}", &options, &string, NULL));
  assert_string_equal(string, "LC3DC");
  free(string);
  wb_kernel_string_free(&assumption.string);
}

TEST(guarded_returns_are_passed_by)
{
  expect(HEAD ".entry k() {" DECLARATIONS "@%p ret;\n@!%p exit;\nld.global.f32 %f1, [%d1];\n}", 0,
         NULL, "2CL");
}

TEST(a_string_beyond_the_limit_is_an_error)
{
  const char *text = HEAD ".entry k() {" DECLARATIONS "a: mov.b32 %r1, 0;\nb: mov.b32 %r1, 0;\n"
                          "@%p bra b;\n@%p bra a;\nret;\n}";
  expect_error(text, 100000, NULL, WARPBOUND_INVALID_INPUT, 7, "longer than 1000000");
}

/* The test stands before a block that only jumps back, as newer compilers lay loops out: the same
 * string as with one conditional branch. */
TEST(a_loop_may_jump_back_from_elsewhere)
{
  const char *text =
      KERNEL("head:\n" DO_L DO_S "@%p bra out;\nbra.uni head;\nout:\n" DO_D "ret;\n");
  expect(text, 1, NULL, "LSCDC");
  expect(text, 2, NULL, "LS2CLSCDC");
  const char *apart =
      KERNEL("bra head;\nbody:\n" DO_S "bra head;\nhead:\n" DO_L "@%p bra body;\nret;\n");
  expect(apart, 1, NULL, "CLCSCL2C");
  expect(apart, 2, NULL, "CLCSCLCSCL2C");
  const char *outside =
      KERNEL("bra head;\nout:\n" DO_D "ret;\nhead:\n" DO_L "@%p bra out;\n" DO_S "bra head;\n");
  expect(outside, 2, NULL, "CLCSCLCSCLCDC");
}

TEST(a_loop_is_left_by_its_longest_exit)
{
  const char *text = KERNEL("head:\n" DO_L "@%p bra far;\n" DO_S "@%p bra head;\n" DO_D
                            "ret;\nfar:\n" DO_L DO_L DO_L "ret;\n");
  expect(text, 1, NULL, "LCSCLC3LC");
  const char *middle =
      KERNEL("head:\n" DO_C DO_L "@%p bra then;\n" DO_S "then:\n" DO_S "@%p bra far;\n" DO_S
             "@%p bra head;\nret;\nfar:\n" DO_D DO_D DO_D "ret;\n");
  expect(middle, 1, NULL, "CLC2SC3DC");
  expect(middle, 2, NULL, "CLC2SCS2CLC2SC3DC");
  expect_with(middle, (struct wb_path_options){.order = WB_PATH_FALL_THROUGH, .iterations = 1},
              "CLC2SCS2C");
}

#define NEST                                                                                       \
  KERNEL("outer:\n" DO_L "inner:\n" DO_S "@%p bra inner;\n" DO_D "@%p bra outer;\nret;\n")

TEST(loops_have_numbers_of_their_own)
{
  const struct wb_loop_iterations inner[] = {{"inner", 3}};
  const struct wb_loop_iterations both[] = {{"inner", 3}, {"outer", 2}};
  const struct wb_loop_iterations line[] = {{"8", 1}, {"8", 2}};
  const struct wb_loop_iterations none[] = {{"ret", 2}};
  const struct wb_loop_iterations behind[] = {{"12", 2}};
  expect_with(NEST, (struct wb_path_options){.iterations = 1, .loops = inner, .loop_count = 1},
              "LSCSCSCD2C");
  expect_with(NEST, (struct wb_path_options){.loops = both, .loop_count = 2},
              "LSCSCSCDCLSCSCSCD2C");
  expect_with(NEST, (struct wb_path_options){.iterations = 1, .loops = line, .loop_count = 2},
              "LSCSCD2C");
  refuse_with(NEST, (struct wb_path_options){.iterations = 1, .loops = none, .loop_count = 1},
              WARPBOUND_USAGE, "a loop that holds 'ret'");
  refuse_with(NEST, (struct wb_path_options){.iterations = 1, .loops = behind, .loop_count = 1},
              WARPBOUND_USAGE, "a loop that holds '12'");
  refuse_with(NEST, (struct wb_path_options){.loops = inner, .loop_count = 1},
              WARPBOUND_FACTS_MISSING, "outer (line 6)");
  refuse_with(NEST, (struct wb_path_options){0}, WARPBOUND_FACTS_MISSING,
              "outer (line 6), inner (line 8)");
}

TEST(branches_are_taken_as_asked)
{
  const char *text = KERNEL("@%p bra left;\n" DO_S DO_S "bra join;\nleft:\n" DO_L
                            "join: @%p ret;\n" DO_D "ret;\n");
  const char *const left[] = {"left"};
  const char *const line[] = {"5"};
  const char *const both[] = {"left", "11"};
  const char *const not_there[] = {"nowhere"};
  const char *const no_branch[] = {"6"};
  expect(text, 0, NULL, "C2S2CDC");
  expect_with(text, (struct wb_path_options){.takes = left, .take_count = 1}, "CLCDC");
  expect_with(text, (struct wb_path_options){.takes = line, .take_count = 1}, "CLCDC");
  expect_with(text, (struct wb_path_options){.takes = both, .take_count = 2}, "CLC");
  refuse_with(text, (struct wb_path_options){.takes = not_there, .take_count = 1}, WARPBOUND_USAGE,
              "does not come to 'nowhere'");
  refuse_with(text, (struct wb_path_options){.takes = no_branch, .take_count = 1}, WARPBOUND_USAGE,
              "expected the line of a conditional branch");
}

/* Every pass goes through the label, but for the test that leaves the loop. */
TEST(labels_are_gone_through_in_every_pass)
{
  const char *text = KERNEL("head: @%p bra out;\n@%p bra then;\n" DO_S DO_S
                            "bra join;\nthen:\n" DO_L "join: bra head;\nout: ret;\n");
  const char *const then[] = {"then"};
  expect(text, 1, NULL, "2C2S4C");
  expect_with(text, (struct wb_path_options){.iterations = 2, .takes = then, .take_count = 1},
              "2CL3CL3C");
  const char *early = KERNEL("head:\n" DO_C "@%p bra on;\n" DO_S "on: @%p bra out;\nthen:\n" DO_L
                             "@%p bra head;\nout: ret;\n");
  expect_with(early, (struct wb_path_options){.iterations = 1, .takes = then, .take_count = 1},
              "2CSCL2C");
}

TEST(irreducible_loops_are_refused)
{
  const char *text = KERNEL("@%p bra b;\na:\n" DO_L "b:\n" DO_S "@%p bra a;\nret;\n");
  expect_error(text, 2, NULL, WARPBOUND_FACTS_MISSING, 7, "entered at several places");
  const char *const takes[] = {"5"};
  expect_with(text, (struct wb_path_options){.iterations = 2, .takes = takes, .take_count = 1},
              "CSCLSCLS2C");
}

/* No path ends in an endless loop; where there is another way it is left out. */
TEST(endless_arms_are_left_out)
{
  expect(KERNEL("@%p bra spin;\n" DO_L "ret;\nspin:\n" DO_S DO_S "bra spin;\n"), 0, NULL, "CLC");
}

TEST(calls_of_the_runtime_are_outside)
{
  const char *text =
      HEAD ".extern .func __assertfail;\n.extern .func vprintf;\n.entry k() {" DECLARATIONS
           "@%p bra good;\n" DO_S DO_S DO_S "call __assertfail;\ngood:\n" DO_L
           "call vprintf;\n" DO_L DO_L DO_L DO_L "ret;\n}";
  expect(text, 0, NULL, "CLC4LC");
  const char *defined = HEAD ".func abort() {" DECLARATIONS DO_D
                             "ret;\n}\n.entry k() {" DECLARATIONS "call abort;\n" DO_L "ret;\n}";
  expect(defined, 0, NULL, "CDCLC");
  const char *declared = HEAD ".extern .func stop .noreturn;\n.entry k() {" DECLARATIONS
                              "@%p call stop;\n" DO_L "ret;\n}";
  expect(declared, 0, NULL, "CLC");
}

/* The kernel is stopped where an assertion fails: the path is one on which none does, where there
 * is one and nothing is said of the call. */
TEST(no_assertion_fails)
{
  const char *text =
      HEAD ".extern .func __assertfail;\n.entry k() {" DECLARATIONS
           "@%p bra good;\n" DO_S DO_S DO_S DO_S "call __assertfail;\ngood:\n" DO_L "ret;\n}";
  expect(text, 0, NULL, "CLC");
  struct wb_run doubles = {.unit = WB_UNIT_DOUBLE, .length = 2};
  const struct wb_call_assumption given = {
      .name = "__assertfail", .string = {.runs = &doubles, .run_count = 1, .length = 2}};
  expect_with(text, (struct wb_path_options){.calls = &given, .call_count = 1}, "C4SC2D");
  const char *guarded = HEAD ".extern .func __assertfail;\n.entry k() {" DECLARATIONS
                             "@%p call __assertfail;\n" DO_L "ret;\n}";
  expect(guarded, 0, NULL, "CLC");
  const char *each =
      HEAD ".extern .func __assertfail;\n.entry k() {" DECLARATIONS "@%p bra more;\n" DO_S
           "more:\n" DO_S "call __assertfail;\n" DO_L "ret;\n}";
  expect(each, 0, NULL, "C2SC");
  const char *const takes[] = {"7"};
  const char *far = HEAD ".extern .func __assertfail;\n.entry k() {" DECLARATIONS
                         "\n@%p bra bad;\n" DO_L "ret;\nbad:\n" DO_S "call __assertfail;\n}";
  expect_with(far, (struct wb_path_options){.takes = takes, .take_count = 1}, "CSC");
  const char *inside = HEAD ".extern .func __assertfail;\n.func f() {" DECLARATIONS
                            "@%p bra good;\n" DO_D DO_D "call __assertfail;\ngood:\nret;\n}\n"
                            ".entry k() {" DECLARATIONS "call f;\n" DO_L "ret;\n}";
  expect(inside, 0, NULL, "3CLC");
}

TEST(a_thread_may_end_in_a_callee)
{
  const char *text = HEAD ".func f() {" DECLARATIONS "@%p bra more;\nret;\nmore:\n" DO_D DO_D DO_D
                          "exit;\n}\n.entry k() {" DECLARATIONS "call f;\n" DO_L "ret;\n}";
  expect(text, 0, NULL, "2C3DC");
  expect_with(text, (struct wb_path_options){.order = WB_PATH_FALL_THROUGH}, "3CLC");
  expect(text, 0, "10", "2C3D");
}

TEST(barriers_have_a_letter)
{
  expect(KERNEL("bar.sync 0;\nbarrier.sync 1;\nbar.warp.sync 0xffffffff;\nbar.sync 0, 64;\n"
                "bar.red.popc.u32 %r1, 0, %p;\nbar.red.popc.u32 %r1, 0, 64, %p;\nret;\n"),
         0, NULL, "2B2NBNC");
  expect(HEAD ".entry k() .reqntid 8, 8, 1 {" DECLARATIONS "bar.sync 0, 64;\nbar.sync 0, 32;\n"
              "bar.sync 0, %r1;\nret;\n}",
         0, NULL, "B2NC");
}
