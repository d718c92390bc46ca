/* Instrumented PTX: what the text keeps of the listing, for every PTX fixture and for odd ways of
 * writing; what is refused. That ptxas accepts it is tests/instrument/run's. */
#include "base/file.h"
#include "frontend/ptx/ptx_front_end.h"
#include "instrument/check_instrumented.h"
#include "unit.h"

#include <dirent.h>

#define HEAD ".version 8.5\n.target sm_80\n.address_size 64\n"
#define BODY(statements) HEAD ".visible .entry k()\n{\n" statements "\n}\n"

static const enum wb_point_places places[] = {WB_POINTS_NONE, WB_POINTS_BLOCKS, WB_POINTS_LOOPS,
                                              WB_POINTS_LINES};

/* Instruments a text of the exact size, for sanitizers. */
static warpbound_status make(const char *text, const char *kernel,
                             const struct wb_point_options *options,
                             struct wb_instrumentation *made, warpbound_error *error)
{
  const size_t length = strlen(text);
  char *copy = malloc(length);
  assert_non_null(copy);
  for (size_t i = 0; i < length; i++)
    copy[i] = text[i];
  const warpbound_status status =
      wb_instrument("test.ptx", copy, length, kernel, options, made, error);
  if (status == WARPBOUND_OK) {
    const char *wrong = check_instrumented(copy, length, made);
    if (wrong != NULL)
      fail_msg("%s:\n%s", wrong, made->text.data);
  }
  free(copy);
  return status;
}

static struct wb_instrumentation make_blocks(const char *text)
{
  const struct wb_point_options options = {.places = WB_POINTS_BLOCKS};
  struct wb_instrumentation made;
  warpbound_error error = {0};
  if (make(text, NULL, &options, &made, &error) != WARPBOUND_OK)
    fail_msg("%zu:%zu: %s", error.line, error.column, error.message);
  return made;
}

static size_t occurrences(const char *text, const char *word)
{
  size_t count = 0;
  for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
    count++;
  return count;
}

struct totals {
  size_t files, kernels, transitions;
};

static void check_kernel(const struct wb_input *source, const char *kernel, struct totals *totals)
{
  for (size_t p = 0; p < COUNT_OF(places); p++) {
    const struct wb_point_options options = {.places = places[p]};
    FREED_BY(wb_instrumentation_free) struct wb_instrumentation made;
    warpbound_error error = {0};
    const warpbound_status status =
        wb_instrument(source->name, source->bytes, source->length, kernel, &options, &made, &error);
    if (status == WARPBOUND_INVALID_INPUT && places[p] == WB_POINTS_LINES) {
      assert_non_null(strstr(error.message, "expected .loc"));
      continue;
    }
    if (status != WARPBOUND_OK)
      fail_msg("%s, %s: %s", source->name, kernel, error.message);
    const char *wrong = check_instrumented(source->bytes, source->length, &made);
    if (wrong != NULL)
      fail_msg("%s, %s, places %d: %s", source->name, kernel, (int)places[p], wrong);
    totals->transitions += made.graph.transition_count;
  }
  totals->kernels++;
}

static void check_file(const char *path, struct totals *totals)
{
  FREED_BY(wb_input_free) struct wb_input source;
  FREED_BY(wb_code_free) struct wb_code code;
  assert_ok(wb_input_read(path, &source, NULL));
  assert_ok(wb_ptx_parse(path, source.bytes, source.length, NULL, &code, NULL));
  for (size_t f = 0; f < code.function_count; f++)
    if (code.functions[f].kernel && code.functions[f].defined)
      check_kernel(&source, code.functions[f].name, totals);
  totals->files++;
}

/* All PTX files of a folder and of those in it. */
static void check_folder(const char *folder, struct totals *totals)
{
  DIR *open = opendir(folder);
  assert_non_null(open);
  if (open == NULL)
    return; /* for analysers, which do not know that the assertion ends the test */
  for (const struct dirent *entry = readdir(open); entry != NULL; entry = readdir(open)) {
    char path[4096];
    const size_t length = strlen(entry->d_name);
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (length > 4 && strcmp(entry->d_name + length - 4, ".ptx") == 0)
      check_file(path, totals);
    else if (strchr(entry->d_name, '.') == NULL || strncmp(entry->d_name, "nv", 2) == 0)
      check_folder(path, totals);
  }
  closedir(open);
}

TEST(test_fixtures)
{
  char path[4096];
  struct totals totals = {0};
  snprintf(path, sizeof path, "%s/ptx", getenv("WARPBOUND_FIXTURES"));
  check_folder(path, &totals);
  print_message("# %zu files, %zu kernels, %zu transitions\n", totals.files, totals.kernels,
                totals.transitions);
  assert_true(totals.files >= 200 && totals.kernels >= 400 && totals.transitions >= 5000);
}

/* Guards, labels on the line of an instruction, comments, blocks in blocks, one line for all. */
TEST(test_ways_of_writing)
{
  static const char *const texts[] = {
      BODY(".reg .pred %p; A: B: @%p bra A; @!%p ret; { C: @ ! %p bra C; } ret;"),
      BODY("/* x */ .reg .pred p; L: /* y */ @p /* z */ bra L; // w\n ret; // v"),
      ".version 8.5 .target sm_80 .address_size 64 .visible .entry k() { .reg .pred %p; @%p exit; "
      "L: bra L; }",
      BODY(".reg .pred %p;\n@%p\nbra\nL;\nL:\nret;"),
      BODY(".reg .pred %p; @%p bra END; trap; END:"),
      BODY(".reg .pred %p; { { @%p bra END; ret; } END: }"),
      BODY(""),
      BODY(".reg .pred %p; .reg .b32 %r; @%p odd.loc.file.global %r, 0; L: bra L;"),
      BODY(".reg .b32 %r; ts: .branchtargets A, B; brx.idx %r, ts; A: ret; B: bra A;"),
      BODY("@@DWARF .section .debug_info, \"\", @progbits\n.reg .pred %p; @%p ret; exit;"),
      ".version 8.5\r\n.target sm_80\r\n.address_size 64\r\n.entry k()\r\n{\r\nL: bra L;\r\n}\r\n",
      ".version 8.5\n.target sm_80\n.address_size 64\n.entry k() .pragma \"x;{\";\n{ ret; }\n",
      ".version 8.5\n.target sm_80\n.address_size 64\n.entry k();\n.func k2() { ret; }\n"
      ".entry k(.param .u32 k) .maxntid 32 { ret; }\n",
      "\xef\xbb\xbf.version 8.5\n.target sm_80\n.entry k() { ret; }",
  };
  for (size_t t = 0; t < COUNT_OF(texts); t++) {
    for (size_t p = 0; p < COUNT_OF(places) - 1; p++) {
      const struct wb_point_options options = {.places = places[p]};
      FREED_BY(wb_instrumentation_free) struct wb_instrumentation made;
      warpbound_error error = {0};
      if (make(texts[t], "k", &options, &made, &error) != WARPBOUND_OK)
        fail_msg("%s: %s", texts[t], error.message);
    }
  }
}

/* Names that are there already are not taken. */
TEST(test_prefix)
{
  struct wb_instrumentation made =
      make_blocks(BODY(".reg .b32 %warpbound_row, %warpbound7_x; mov.b32 %warpbound7_x, 0; ret;"));
  assert_non_null(strstr(made.text.data, ".u64 warpbound8_buffer;"));
  assert_non_null(strstr(made.text.data, "// warpbound-instrument 1 warpbound8 "));
  wb_instrumentation_free(&made);
  made = make_blocks(BODY("ret;"));
  assert_non_null(strstr(made.text.data, ".u64 warpbound_buffer;"));
  wb_instrumentation_free(&made);
}

/* The .loc before a probe holds again after it; files get the next number. */
TEST(test_locations)
{
  struct wb_instrumentation made = make_blocks(
      HEAD ".file 1 \"a.cu\"\n.file 7 \"b.cu\"\n.visible .entry k()\n{\n.reg .pred %p;\n"
           ".loc 7 12 3, function_name $L_x+4, inlined_at 1 2 3\nL: @%p bra L;\nret;\n}\n");
  const char *const location = ".loc 7 12 3, function_name $L_x+4, inlined_at 1 2 3\n";
  assert_non_null(strstr(made.text.data, ".file 8 \"warpbound-points\"\n"));
  assert_non_null(strstr(made.text.data, ".file 10 \"test.ptx\"\n"));
  assert_int_equal(occurrences(made.text.data, location),
                   4); /* its own; start, L, the block after */
  assert_int_equal(occurrences(made.text.data, ".loc 8 1000003 1\n"), 1);
  assert_int_equal(occurrences(made.text.data, ".loc 8 1000002 1\n"), 1);
  wb_instrumentation_free(&made);
  made = make_blocks(BODY("L: bra L;"));
  assert_non_null(strstr(made.text.data, ".loc 3 6 1\n")); /* the listing's own line */
  wb_instrumentation_free(&made);
}

/* Threads that stay at a guarded exit keep nothing of it. */
TEST(test_guarded_exit)
{
  struct wb_instrumentation made = make_blocks(BODY(".reg .pred %p, q; @%p exit; @!q ret; exit;"));
  assert_int_equal(
      occurrences(made.text.data, "selp.b32 %warpbound_word, %warpbound_word, 0, %p;\n"), 2);
  assert_int_equal(
      occurrences(made.text.data, "selp.b32 %warpbound_word, 0, %warpbound_word, q;\n"), 2);
  assert_int_equal(occurrences(made.text.data, "selp.b32 %warpbound_size, 1, 0, %p;\n"), 1);
  assert_int_equal(occurrences(made.text.data, "selp.b32 %warpbound_size, 0, 1, q;\n"), 1);
  assert_int_equal(occurrences(made.text.data, ".loc 1 1000002 1\n"), 3);
  wb_instrumentation_free(&made);
}

/* What a module's version, target and addresses decide. */
TEST(test_dialects)
{
  struct wb_instrumentation made =
      make_blocks(".version 1.4\n.target sm_13\n.entry k() { .reg .u32 %r; exit; }");
  assert_null(strstr(made.text.data, "%clock64"));
  assert_non_null(strstr(made.text.data, "cvt.u32.u16 %warpbound_size, %ntid.x;"));
  assert_non_null(strstr(made.text.data, ".reg .b32 %warpbound_row"));
  assert_non_null(strstr(made.text.data, "red.global"));
  wb_instrumentation_free(&made);
  made = make_blocks(".version 1.4\n.target sm_10\n.entry k() { .reg .u64 %r; exit; }");
  assert_null(strstr(made.text.data, "red.global"));
  assert_non_null(strstr(made.text.data, ".reg .b64 %warpbound_row"));
  wb_instrumentation_free(&made);
  made = make_blocks(".version 7.0\n.target sm_80, debug\n.address_size 32\n.entry k() { exit; }");
  assert_non_null(strstr(made.text.data, "%clock64"));
  assert_non_null(strstr(made.text.data, ".reg .b32 %warpbound_row"));
  wb_instrumentation_free(&made);
}

static void expect(const char *text, const char *kernel, const struct wb_point_options *options,
                   warpbound_status status, const char *words)
{
  struct wb_instrumentation made;
  warpbound_error error = {0};
  assert_int_equal(make(text, kernel, options, &made, &error), status);
  if (strstr(error.message, words) == NULL)
    fail_msg("expected '%s', found '%s'", words, error.message);
}

TEST(test_refusals)
{
  static const char *const nowhere[] = {"nowhere"};
  static const char *const bad_line[] = {"a.cu:0"};
  const struct wb_point_options blocks = {.places = WB_POINTS_BLOCKS};
  const struct wb_point_options lines = {.places = WB_POINTS_LINES};
  const struct wb_point_options named = {.named = nowhere, .named_count = 1};
  const struct wb_point_options line = {.named = bad_line, .named_count = 1};
  const char *const text = BODY("ret;");
  expect("x", NULL, &blocks, WARPBOUND_INVALID_INPUT, "expected .version");
  expect(text, "j", &blocks, WARPBOUND_USAGE, "k");
  expect(text, NULL, &lines, WARPBOUND_INVALID_INPUT, "expected .loc in kernel k");
  expect(text, NULL, &named, WARPBOUND_USAGE, "--point: expected a label");
  expect(text, NULL, &line, WARPBOUND_USAGE, "found 'a.cu:0'");
  expect(BODY(".reg .b32 %r; bra %r;"), NULL, &blocks, WARPBOUND_INVALID_INPUT,
         "expected a branch that names its targets");
  FREED_BY(wb_instrumentation_free) struct wb_instrumentation made = make_blocks(text);
  expect(made.text.data, NULL, &blocks, WARPBOUND_INVALID_INPUT, "instrumented before");
}
