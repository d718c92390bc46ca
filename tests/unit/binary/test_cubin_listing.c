/* Listings of cubins: equal to NVIDIA's disassembler's, its options, and cubins that are damaged.
 */
#include "binary/listing/cubin_listing.h"
#include "failing_heap.h"
#include "fixtures.h"
#include "unit.h"

#include <elf.h>

/* The listing of a fixture; the caller frees it. */
static char *list(const char *name, const struct wb_listing_options *options)
{
  FREED_BY(wb_input_free) struct wb_input source;
  FREED_BY(wb_cubin_free) struct wb_cubin cubin;
  struct wb_text text = {0};
  warpbound_error error;
  fixture_read(&source, "binary/%s", name);
  if (wb_cubin_read(name, (const unsigned char *)source.bytes, source.length, &cubin, &error) !=
          WARPBOUND_OK ||
      wb_cubin_listing(&cubin, options, &text, &error) != WARPBOUND_OK)
    fail_msg("%s: %s", name, error.message);
  return wb_text_take(&text);
}

/* ---- the disassembler's text ---- */

static void expect_same(const char *cubin, const char *listing)
{
  const struct wb_listing_options options = {.code_only = true};
  FREED_BY(wb_input_free) struct wb_input expected;
  char *text = list(cubin, &options);
  fixture_read(&expected, "binary/%s", listing);
  const char *ours = text, *theirs = expected.bytes;
  for (size_t line = 1; *ours != '\0' || theirs < expected.bytes + expected.length; line++) {
    size_t our_length = strcspn(ours, "\n"), length = strcspn(theirs, "\n");
    if (our_length != length || memcmp(ours, theirs, length) != 0)
      fail_msg("%s:%zu: expected '%.*s', found '%.*s'", listing, line, (int)length, theirs,
               (int)our_length, ours);
    ours += our_length + (ours[our_length] == '\n');
    theirs += length + 1;
  }
  free(text);
}

TEST(test_words_of_64_bits)
{
  expect_same("vectors/old_61.cubin", "listings/old_61.sass");
}

TEST(test_words_of_128_bits)
{
  expect_same("vectors/old_90a.cubin", "listings/old_90a.sass");
}

TEST(test_lines)
{
  expect_same("listings/lines_61.cubin", "listings/lines_61.sass");
}

TEST(test_branches)
{
  expect_same("listings/branches_75.cubin", "listings/branches_75.sass");
}

TEST(test_no_word_is_unknown)
{
  static const char *const files[] = {"vectors/old_52.cubin", "vectors/new_75.cubin",
                                      "vectors/new_120a.cubin", "vectors/relocatable_87.cubin"};
  for (size_t f = 0; f < COUNT_OF(files); f++) {
    char *text = list(files[f], &(struct wb_listing_options){0});
    const char *unknown = strstr(text, "UNKNOWN 0x");
    if (unknown != NULL)
      fail_msg("%s: %.60s", files[f], unknown);
    free(text);
  }
}

/* Operands that a linker fills in name what it puts there: the word holds something else. */
TEST(test_filled_operands)
{
  static const struct {
    const char *file, *text;
  } expected[] = {
      {"vectors/relocations_52.cubin", " STS [R3+`(shared)], R0 "},
      {"vectors/relocations_52.cubin", " LDS.U.32 R4, [R4+`(shared)] "},
      {"vectors/relocations_52.cubin",
       " LDC R0, c[R0+`((relocations.const_opt.12.24 + -0x8000))] "},
      {"vectors/relocations_52.cubin", " DFMA R8, R6, c[`(relocations.const_opt.24.32)], R10 "},
      {"vectors/relocations_52.cubin", " MOV32I R4, 32@lo(_Z6triplei) "},
      {"vectors/relocations_75.cubin", " STS [R5+`(shared)], R2 "},
      {"vectors/relocations_75.cubin", " LDS.U R4, [R4+`(shared)] "},
      {"vectors/relocations_75.cubin",
       " LDC R2, c[R5+`((relocations.const_opt.12.24 + -0x8000))] "},
      {"vectors/relocations_75.cubin", " ULDC.64 UR4, c[`(relocations.const_opt.24.32)] "},
      {"vectors/relocations_75.cubin", " UMOV UR6, 32@hi(_Z6triplei) "},
      {"vectors/relocations_120.cubin", " UMOV UR4, `(shared) "},
      {"vectors/relocations_120.cubin", " CALL.ABS.NOINC R2 `(__UFT_OFFSET) "},
      {"vectors/relocations_120.cubin", " UMOV UR5, 32@hi(fun@unified(_Z6triplei)) "},
  };
  for (size_t e = 0; e < COUNT_OF(expected); e++) {
    char *text = list(expected[e].file, &(struct wb_listing_options){0});
    if (strstr(text, expected[e].text) == NULL)
      fail_msg("%s: expected '%s'", expected[e].file, expected[e].text);
    free(text);
  }
}

/* Where it is not known what a relocation fills, nothing of the operands is. */
TEST(test_unknown_relocation)
{
  struct wb_input source;
  struct wb_cubin cubin;
  struct wb_text text = {0};
  fixture_read(&source, "binary/vectors/relocations_75.cubin");
  assert_ok(
      wb_cubin_read("cubin", (const unsigned char *)source.bytes, source.length, &cubin, NULL));
  for (size_t r = 0; r < cubin.relocation_count; r++)
    if (cubin.relocations[r].type == 0x42)
      cubin.relocations[r].type = 0xffff;
  assert_ok(wb_cubin_listing(&cubin, &(struct wb_listing_options){0}, &text, NULL));
  wb_cubin_free(&cubin);
  wb_input_free(&source);
  char *listing = wb_text_take(&text);
  assert_non_null(strstr(listing, " UNKNOWN.LDC R2, c["));
  assert_non_null(strstr(listing, " UNKNOWN.ULDC.64 UR4, c["));
  assert_null(strstr(listing, " LDC R2, c[0x0]["));
  free(listing);
}

/* ---- options ---- */

TEST(test_one_kernel)
{
  char *all = list("vectors/old_61.cubin", &(struct wb_listing_options){0});
  char *one = list("vectors/old_61.cubin", &(struct wb_listing_options){.kernel = "permute"});
  assert_true(count_of(all, ".section\t.text.") > 1);
  assert_int_equal(count_of(one, ".section\t.text."), 1);
  assert_int_equal(count_of(one, ".section\t.text.permute,"), 1);
  assert_int_equal(count_of(one, ".section\t.nv.info.permute,"), 1);
  assert_int_equal(count_of(one, ".section\t.nv.info."), 1);
  assert_int_equal(count_of(one, ".headerflags"), 1);
  free(all);
  free(one);
}

TEST(test_omitted)
{
  bool omitted[64] = {false};
  FREED_BY(wb_input_free) struct wb_input source;
  FREED_BY(wb_cubin_free) struct wb_cubin cubin;
  fixture_read(&source, "binary/vectors/old_61.cubin");
  assert_ok(
      wb_cubin_read("cubin", (const unsigned char *)source.bytes, source.length, &cubin, NULL));
  assert_true(cubin.function_count <= 64);
  size_t permute = wb_cubin_function_named(&cubin, "permute");
  omitted[permute] = true;
  FREED_BY(wb_text_free) struct wb_text text = {0};
  struct wb_listing_options options = {.omitted = omitted};
  assert_ok(wb_cubin_listing(&cubin, &options, &text, NULL));
  assert_int_equal(count_of(text.data, ".text.permute"), 0);
  assert_int_equal(count_of(text.data, ".nv.info.permute"), 0);
  assert_true(count_of(text.data, ".section\t.text.") > 0);
}

TEST(test_less)
{
  char *all = list("listings/lines_61.cubin", &(struct wb_listing_options){0});
  assert_true(count_of(all, "\t//## File") > 0);
  assert_true(count_of(all, "/* 0x") > 0);
  assert_true(count_of(all, "//----- nvinfo : EIATTR_EXIT_INSTR_OFFSETS") > 0);
  free(all);
  struct wb_listing_options options = {
      .code_only = true, .without_lines = true, .without_encodings = true};
  char *less = list("listings/lines_61.cubin", &options);
  assert_int_equal(count_of(less, "\t//## File"), 0);
  assert_int_equal(count_of(less, "/* 0x"), 0);
  assert_int_equal(count_of(less, ".nv.info"), 0);
  assert_true(count_of(less, " EXIT ;\n") > 0);
  free(less);
}

TEST(test_unknown_kernel)
{
  FREED_BY(wb_input_free) struct wb_input source;
  FREED_BY(wb_cubin_free) struct wb_cubin cubin;
  warpbound_error error;
  FREED_BY(wb_text_free) struct wb_text text = {0};
  fixture_read(&source, "binary/vectors/old_61.cubin");
  assert_ok(
      wb_cubin_read("cubin", (const unsigned char *)source.bytes, source.length, &cubin, &error));
  struct wb_listing_options options = {.kernel = "absent"};
  assert_misuse(wb_cubin_listing(&cubin, &options, &text, &error));
  assert_string_equal(error.message, "no function is named 'absent'");
  for (size_t s = 0; s < cubin.section_count; s++)
    cubin.sections[s].size -= strncmp(cubin.sections[s].name, ".text.permute", 13) == 0 ? 8 : 0;
  options.kernel = NULL;
  assert_invalid(wb_cubin_listing(&cubin, &options, &text, &error));
  assert_non_null(strstr(error.message, "section .text.permute: expected whole instructions"));
  cubin.architecture = 35;
  assert_invalid(wb_cubin_listing(&cubin, &options, &text, &error));
}

/* ---- relocations ---- */

TEST(test_relocations)
{
  FREED_BY(wb_input_free) struct wb_input source;
  FREED_BY(wb_cubin_free) struct wb_cubin cubin;
  FREED_BY(wb_text_free) struct wb_text text = {0};
  const struct wb_listing_options options = {.code_only = true,
                                             .kernel = "_Z3addIfEvPT_PKS0_4Pair"};
  fixture_read(&source, "binary/vectors/relocatable_87.cubin");
  assert_ok(
      wb_cubin_read("cubin", (const unsigned char *)source.bytes, source.length, &cubin, NULL));
  assert_ok(wb_cubin_listing(&cubin, &options, &text, NULL));
  /* An offset of 0, which is not printed, and an immediate. */
  assert_int_equal(count_of(text.data, "STS [R2.X4+`(_ZZ3addIfEvPT_PKS0_4PairE6shared)], R5 ;"), 1);
  assert_int_equal(count_of(text.data, "MOV R20, 32@lo((_Z3addIfEvPT_PKS0_4Pair + .L_x_"), 1);
  assert_int_equal(count_of(text.data, "UNKNOWN"), 0);
}

/* A cubin of one section of code, number 1, and one of constants, number 2. */
struct made {
  unsigned char code[64], constants[12];
  struct wb_cubin_section sections[3];
  struct wb_cubin cubin;
};

static void make_cubin(struct made *made, struct wb_cubin_symbol *symbols, size_t count)
{
  *made = (struct made){
      .sections =
          {
              {.name = "", .function = WB_CUBIN_NONE},
              {.name = ".text.f",
               .type = SHT_PROGBITS,
               .flags = SHF_EXECINSTR,
               .bytes = made->code,
               .size = sizeof made->code,
               .function = WB_CUBIN_NONE},
              {.name = ".nv.constant2.f",
               .type = SHT_PROGBITS,
               .bytes = made->constants,
               .size = sizeof made->constants,
               .info = 1,
               .function = WB_CUBIN_NONE},
          },
      .cubin = {.architecture = 75,
                .architecture_name = "sm_75",
                .section_count = 3,
                .symbols = symbols,
                .symbol_count = count},
  };
  made->cubin.sections = made->sections;
}

/* No bytes that the loader changes are printed as numbers. */
TEST(test_relocated_constants)
{
  static const struct {
    uint64_t offset;
    uint32_t type;
    const char *name;
    const char *line;
  } rows[] = {
      {0, 2, "f", "/*0000*/ \t.dword\tf\n"},  {8, 2, "f", "/*0008*/ \t.word\tf\n"}, /* cut off */
      {11, 1, "f", "/*000b*/ \t.byte\tf\n"},  {0, 1, "f", "/*0000*/ \t.word\tf\n"},
      {0, 2, "", "/*0000*/ \t.dword\t`()\n"}, {0, 2, "12", "/*0000*/ \t.dword\t`(12)\n"},
  };
  for (size_t r = 0; r < COUNT_OF(rows); r++) {
    struct wb_cubin_symbol symbol = {.name = rows[r].name};
    struct wb_cubin_relocation relocation = {.offset = rows[r].offset, .type = rows[r].type};
    struct made made;
    FREED_BY(wb_text_free) struct wb_text text = {0};
    make_cubin(&made, &symbol, 1);
    made.sections[2].relocations = (struct wb_cubin_slice){0, 1};
    made.cubin.relocations = &relocation;
    made.cubin.relocation_count = 1;
    assert_ok(wb_cubin_listing(&made.cubin, &(struct wb_listing_options){0}, &text, NULL));
    if (count_of(text.data, rows[r].line) != 1)
      fail_msg("expected '%s' in %s", rows[r].line, text.data);
  }
}

/* ---- hostile names ---- */

/* Functions that end where one with a long name begins: each would print it. */
TEST(test_long_name)
{
  enum { COUNT = 4000, LENGTH = 1 << 20 };
  struct wb_cubin_symbol *symbols = calloc(COUNT, sizeof *symbols);
  char *name = malloc(LENGTH + 1);
  struct made made;
  FREED_BY(wb_text_free) struct wb_text text = {0};
  warpbound_error error;
  memset(name, 'a', LENGTH);
  name[LENGTH] = '\0';
  for (size_t s = 0; s < COUNT; s++)
    symbols[s] = (struct wb_cubin_symbol){
        .name = "g", .section = 1, .defined = true, .size = 16, .type = STT_FUNC};
  symbols[0].name = name;
  symbols[0].value = 16;
  make_cubin(&made, symbols, COUNT);
  assert_invalid(wb_cubin_listing(&made.cubin, &(struct wb_listing_options){0}, &text, &error));
  assert_non_null(strstr(error.message, "its names are too long"));
  assert_true(text.length < (size_t)1 << 27);
  free(name);
  free(symbols);
}

/* Many symbols at one address, which many branches name: not looked through each time. */
TEST(test_many_symbols)
{
  enum { COUNT = 200000 };
  struct wb_cubin_symbol *symbols = calloc(COUNT, sizeof *symbols);
  uint64_t *targets = calloc(COUNT, sizeof *targets);
  struct wb_cubin_branch branch = {.at = 0, .targets = {0, COUNT}};
  struct wb_cubin_function function = {
      .name = "f", .section = 1, .facts = {.branches = {.first = 0, .count = 1}}};
  struct made made;
  FREED_BY(wb_text_free) struct wb_text text = {0};
  for (size_t s = 0; s < COUNT; s++)
    symbols[s] = (struct wb_cubin_symbol){.name = "g", .section = 1, .defined = true};
  make_cubin(&made, symbols, COUNT);
  made.cubin.functions = &function;
  made.cubin.function_count = 1;
  made.cubin.branches = &branch;
  made.cubin.branch_count = 1;
  made.cubin.offsets = targets;
  made.cubin.offset_count = COUNT;
  assert_ok(wb_cubin_listing(&made.cubin, &(struct wb_listing_options){0}, &text, NULL));
  assert_int_equal(count_of(text.data, "BRANCH_TARGETS .L_x_0,.L_x_0"), 1);
  free(targets);
  free(symbols);
}

/* ---- damage ---- */

static uint64_t next_random(uint64_t *state)
{
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return *state >> 33;
}

/* A cubin with bytes changed is listed, or refused with a message; never more than that. */
static void damage(const char *name, unsigned rounds)
{
  FREED_BY(wb_input_free) struct wb_input source;
  uint64_t random = 12345;
  fixture_read(&source, "binary/%s", name);
  unsigned char *bytes = malloc(source.length);
  for (unsigned round = 0; round < rounds; round++) {
    memcpy(bytes, source.bytes, source.length);
    for (unsigned change = 0; change <= round % 8; change++)
      bytes[next_random(&random) % source.length] = (unsigned char)next_random(&random);
    FREED_BY(wb_cubin_free) struct wb_cubin cubin;
    FREED_BY(wb_text_free) struct wb_text text = {0};
    warpbound_error error = {0};
    if (wb_cubin_read("cubin", bytes, source.length, &cubin, &error) != WARPBOUND_OK)
      continue;
    warpbound_status status =
        wb_cubin_listing(&cubin, &(struct wb_listing_options){0}, &text, &error);
    assert_true(status == WARPBOUND_OK || error.message[0] != '\0');
  }
  free(bytes);
}

TEST(test_damage)
{
  damage("vectors/old_61.cubin", 300);
  damage("vectors/old_90a.cubin", 300);
  damage("vectors/relocatable_87.cubin", 300);
}

/* ---- when memory runs out: every allocation is made to fail in turn ---- */

static warpbound_status list_cubin(const void *context, warpbound_error *error)
{
  FREED_BY(wb_text_free) struct wb_text text = {0};
  const warpbound_status status =
      wb_cubin_listing(context, &(struct wb_listing_options){0}, &text, error);
  return status;
}

TEST(test_memory)
{
  static const char *const names[] = {"old_61.cubin", "relocatable_87.cubin"};
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    FREED_BY(wb_input_free) struct wb_input source;
    FREED_BY(wb_cubin_free) struct wb_cubin cubin;
    print_message("# %s\n", names[i]);
    fixture_read(&source, "binary/vectors/%s", names[i]);
    assert_ok(
        wb_cubin_read(names[i], (const unsigned char *)source.bytes, source.length, &cubin, NULL));
    assert_true(fail_each(list_cubin, &cubin, WARPBOUND_OK) > 0);
  }
}
