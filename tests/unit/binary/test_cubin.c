/* Reading cubins: what those of the fixtures say, and what is said of damaged ones. */
#include "binary/cubin/cubin.h"
#include "fixtures.h"
#include "unit.h"

#include <elf.h>

static warpbound_status read_source(const struct wb_input *source, struct wb_cubin *cubin,
                                    warpbound_error *error)
{
  return wb_cubin_read("cubin", (const unsigned char *)source->bytes, source->length, cubin, error);
}

static void read_cubin(const char *name, struct wb_input *source, struct wb_cubin *cubin)
{
  warpbound_error error;
  fixture_read(source, "binary/vectors/%s", name);
  if (read_source(source, cubin, &error) != WARPBOUND_OK)
    fail_msg("%s: %s", name, error.message);
}

static const struct wb_cubin_function *function_of(const struct wb_cubin *cubin, const char *name)
{
  const size_t index = wb_cubin_function_named(cubin, name);
  assert_true(index < cubin->function_count);
  return &cubin->functions[index];
}

TEST(test_head)
{
  static const struct {
    const char *file;
    enum wb_cubin_layout layout;
    const char *architecture;
    uint32_t toolkit;
    bool relocatable;
  } expected[] = {
      {"old_52.cubin", WB_CUBIN_OLD, "sm_52", 129, false},
      {"old_61.cubin", WB_CUBIN_OLD, "sm_61", 129, false},
      {"old_90a.cubin", WB_CUBIN_OLD, "sm_90a", 129, false},
      {"new_75.cubin", WB_CUBIN_NEW, "sm_75", 130, false},
      {"new_120a.cubin", WB_CUBIN_NEW, "sm_120a", 130, false},
      {"relocatable_87.cubin", WB_CUBIN_NEW, "sm_87", 130, true},
  };
  for (size_t i = 0; i < COUNT_OF(expected); i++) {
    FREED_BY(wb_input_free) struct wb_input source;
    FREED_BY(wb_cubin_free) struct wb_cubin cubin;
    read_cubin(expected[i].file, &source, &cubin);
    assert_int_equal(cubin.layout, expected[i].layout);
    assert_string_equal(cubin.architecture_name, expected[i].architecture);
    assert_int_equal(cubin.toolkit, expected[i].toolkit);
    assert_int_equal(cubin.relocatable, expected[i].relocatable);
  }
}

/* The same kernel in both layouts: cuobjdump 13.5 --dump-resource-usage and --dump-elf of the
 * fixtures say these numbers. */
TEST(test_facts)
{
  static const struct {
    const char *file;
    uint32_t registers, shared, constants, base;
    bool device_function;
  } expected[] = {
      {"old_52.cubin", 26, 128, 360, 0x140, false},
      {"new_75.cubin", 26, 128, 392, 0x160, false},
      {"old_90a.cubin", 26, 1152, 568, 0x210, false},
  };
  for (size_t i = 0; i < COUNT_OF(expected); i++) {
    FREED_BY(wb_input_free) struct wb_input source;
    FREED_BY(wb_cubin_free) struct wb_cubin cubin;
    read_cubin(expected[i].file, &source, &cubin);
    const struct wb_cubin_function *add = function_of(&cubin, "_Z3addIiEvPT_PKS0_4Pair");
    assert_true(add->kernel);
    assert_false(add->inner);
    assert_int_equal(add->facts.registers, expected[i].registers);
    assert_int_equal(add->facts.shared, expected[i].shared);
    assert_int_equal(add->facts.constants, expected[i].constants);
    assert_int_equal(add->facts.parameter_base, expected[i].base);
    assert_int_equal(add->facts.parameter_bank, 0);
    assert_int_equal(add->facts.parameter_size, 40);
    assert_int_equal(add->facts.barriers, 1);
    assert_int_equal(add->facts.max_threads[0], WB_CUBIN_ABSENT);
  }
}

TEST(test_parameters)
{
  static const struct wb_cubin_parameter expected[] = {{0, 0, 8}, {1, 8, 8}, {2, 16, 24}};
  FREED_BY(wb_input_free) struct wb_input source;
  FREED_BY(wb_cubin_free) struct wb_cubin cubin;
  read_cubin("old_61.cubin", &source, &cubin);
  const struct wb_cubin_function *add = function_of(&cubin, "_Z3addIfEvPT_PKS0_4Pair");
  assert_int_equal(add->facts.parameters.count, 3);
  for (size_t p = 0; p < 3; p++) {
    const struct wb_cubin_parameter *given = &cubin.parameters[add->facts.parameters.first + p];
    assert_int_equal(given->ordinal, expected[p].ordinal);
    assert_int_equal(given->offset, expected[p].offset);
    assert_int_equal(given->size, expected[p].size);
  }
}

TEST(test_bounds_and_stack)
{
  FREED_BY(wb_input_free) struct wb_input source;
  FREED_BY(wb_cubin_free) struct wb_cubin cubin;
  read_cubin("new_120a.cubin", &source, &cubin);
  const struct wb_cubin_function *scale = function_of(&cubin, "scale");
  const struct wb_cubin_function *permute = function_of(&cubin, "permute");
  assert_int_equal(scale->facts.max_threads[0], 128);
  assert_int_equal(scale->facts.max_threads[2], 1);
  assert_int_equal(scale->facts.exits.count, 2);
  assert_int_equal(scale->facts.barriers, 0);
  assert_int_equal(permute->facts.frame, 64);
  assert_int_equal(permute->facts.min_stack, 64);
  assert_int_equal(permute->facts.api_version, 130);
}

/* A subroutine is inside its kernel's section in linked code, and has one of its own before. */
TEST(test_device_functions)
{
  struct wb_input source;
  struct wb_cubin cubin;
  read_cubin("new_75.cubin", &source, &cubin);
  const struct wb_cubin_function *inner =
      function_of(&cubin, "$_Z3addIiEvPT_PKS0_4Pair$_Z6squarei");
  assert_true(inner->inner);
  assert_false(inner->kernel);
  assert_int_equal(inner->facts.registers, WB_CUBIN_ABSENT);
  const size_t main = cubin.sections[inner->section].function;
  assert_string_equal(cubin.functions[main].name, "_Z3addIiEvPT_PKS0_4Pair");
  wb_cubin_free(&cubin);
  wb_input_free(&source);

  read_cubin("relocatable_87.cubin", &source, &cubin);
  const struct wb_cubin_function *square = function_of(&cubin, "_Z6squarei");
  assert_false(square->inner);
  assert_false(square->kernel);
  assert_int_equal(square->facts.registers, 24);
  assert_int_equal(square->facts.shared, WB_CUBIN_ABSENT); /* laid out by the linker */
  wb_cubin_free(&cubin);
  wb_input_free(&source);
}

TEST(test_sections)
{
  FREED_BY(wb_input_free) struct wb_input source;
  FREED_BY(wb_cubin_free) struct wb_cubin cubin;
  read_cubin("relocatable_87.cubin", &source, &cubin);
  const struct wb_cubin_function *add = function_of(&cubin, "_Z3addIiEvPT_PKS0_4Pair");
  const size_t constants = wb_cubin_section_of(&cubin, add->section, ".nv.constant0");
  assert_true(constants < cubin.section_count);
  assert_string_equal(cubin.sections[constants].name, ".nv.constant0._Z3addIiEvPT_PKS0_4Pair");
  assert_int_equal(wb_cubin_section_of(&cubin, add->section, ".nv.constant7"), WB_CUBIN_NONE);
  assert_int_equal(wb_cubin_section_named(&cubin, ".text._Z3addIiEvPT_PKS0_4Pair"), add->section);
  assert_int_equal(wb_cubin_section_named(&cubin, ".text.nobody"), WB_CUBIN_NONE);
  assert_int_equal(wb_cubin_function_named(&cubin, "nobody"), WB_CUBIN_NONE);
  const struct wb_cubin_slice *relocations = &cubin.sections[add->section].relocations;
  assert_true(relocations->count > 0); /* the call of square, addresses of shared memory */
  for (size_t r = 1; r < relocations->count; r++)
    assert_true(cubin.relocations[relocations->first + r - 1].offset <=
                cubin.relocations[relocations->first + r].offset);
}

/* The head of the first section of a name, in the file's bytes. */
static Elf64_Shdr *section_head(const struct wb_input *source, const char *name)
{
  struct wb_cubin cubin;
  assert_ok(read_source(source, &cubin, NULL));
  const size_t number = wb_cubin_section_named(&cubin, name);
  assert_true(number < cubin.section_count);
  wb_cubin_free(&cubin);
  Elf64_Ehdr head;
  memcpy(&head, source->bytes, sizeof head);
  return (Elf64_Shdr *)(void *)(source->bytes + head.e_shoff + number * sizeof(Elf64_Shdr));
}

static void expect_refusal(const struct wb_input *source, const char *message)
{
  struct wb_cubin cubin;
  warpbound_error error = {0};
  assert_invalid(read_source(source, &cubin, &error));
  assert_string_equal(error.message, message);
  assert_string_equal(error.file, "cubin");
  assert_null(cubin.sections);
}

TEST(test_other_files)
{
  struct wb_input source = {.bytes = (char *)"text", .length = 4};
  expect_refusal(&source, "expected a cubin, an ELF file for CUDA (e_machine 190)");
  fixture_read(&source, "binary/vectors/program");
  expect_refusal(&source, "expected a cubin, an ELF file for CUDA (e_machine 190)");
  wb_input_free(&source);
  fixture_read(&source, "binary/vectors/old_52.cubin");
  source.bytes[EI_CLASS] = ELFCLASS32;
  expect_refusal(&source, "expected a cubin of 64-bit ELF, found class 1 in 12352 bytes");
  wb_input_free(&source);
}

TEST(test_damaged_sections)
{
  FREED_BY(wb_input_free) struct wb_input source;
  fixture_read(&source, "binary/vectors/old_52.cubin");
  Elf64_Shdr *head = section_head(&source, ".nv.info.scale");
  const Elf64_Shdr whole = *head;
  head->sh_size = 0x100000;
  expect_refusal(&source,
                 "section 8: expected 0x100000 bytes at offset 0xa1c, the file has 0x3040");
  *head = whole;
  head->sh_name = 0x100000;
  expect_refusal(&source, "expected a name in section 1 of 711 bytes, found offset 0x100000");
  *head = whole;
  head->sh_type = SHT_PROGBITS;
  expect_refusal(&source, "section 8 (.nv.info.scale): expected a section of attributes (type "
                          "0x70000000), found type 0x1");
  *head = whole;
  head = section_head(&source, ".symtab");
  head->sh_entsize = 7;
  expect_refusal(&source, "section 3 (.symtab): expected entries of 24 bytes, found 0x1f8 bytes");
}

/* Shared memory is never filled by a file. */
TEST(test_shared_memory_with_bytes)
{
  FREED_BY(wb_input_free) struct wb_input source;
  FREED_BY(wb_cubin_free) struct wb_cubin cubin;
  fixture_read(&source, "binary/vectors/old_52.cubin");
  Elf64_Shdr *head = section_head(&source, ".nv.shared._Z3addIiEvPT_PKS0_4Pair");
  head->sh_type = SHT_PROGBITS;
  warpbound_error error;
  assert_ok(read_source(&source, &cubin, &error));
  const struct wb_cubin_section *shared =
      &cubin.sections[wb_cubin_section_named(&cubin, ".nv.shared._Z3addIiEvPT_PKS0_4Pair")];
  assert_true(shared->bytes == NULL && shared->size > 0);
}

/* A name with a line break would add lines to a listing. */
TEST(test_damaged_names)
{
  struct wb_input source;
  fixture_read(&source, "binary/vectors/old_52.cubin");
  const Elf64_Shdr *head = section_head(&source, ".strtab");
  source.bytes[head->sh_offset + head->sh_size - 2] = '\n';
  expect_refusal(&source,
                 "symbol 20: expected a name without blanks and commas, and no slash before it");
  wb_input_free(&source);
  fixture_read(&source, "binary/vectors/old_52.cubin");
  source.bytes[section_head(&source, ".shstrtab")->sh_offset + 1] = '/';
  expect_refusal(&source,
                 "section 1: expected a name without blanks and commas, and no slash before it");
  wb_input_free(&source);
}

/* Sections that share their bytes would make much of little. */
TEST(test_overlapping_sections)
{
  FREED_BY(wb_input_free) struct wb_input source;
  Elf64_Ehdr head;
  fixture_read(&source, "binary/vectors/old_52.cubin");
  memcpy(&head, source.bytes, sizeof head);
  Elf64_Shdr *heads = (Elf64_Shdr *)(void *)(source.bytes + head.e_shoff);
  for (size_t s = 4; s < 9; s++) {
    heads[s].sh_offset = 0;
    heads[s].sh_size = source.length;
  }
  expect_refusal(
      &source,
      "section 7 (.nv.info._Z3addIiEvPT_PKS0_4Pair): expected sections of at most 4 times the "
      "file's bytes, found more");
}

TEST(test_damaged_attributes)
{
  FREED_BY(wb_input_free) struct wb_input source;
  fixture_read(&source, "binary/vectors/old_52.cubin");
  Elf64_Shdr *head = section_head(&source, ".nv.info.scale");
  unsigned char *bytes = (unsigned char *)source.bytes + head->sh_offset;
  const unsigned char format = bytes[0];
  bytes[0] = 9;
  expect_refusal(&source, "section 8 (.nv.info.scale), attribute 0x37 at offset 0xa1c: expected "
                          "format 1, 2, 3 or 4");
  bytes[0] = format;
  bytes[2] = bytes[3] = 0xff;
  expect_refusal(&source, "section 8 (.nv.info.scale), attribute 0x37 at offset 0xa1c: expected a "
                          "value within its section");
}

/* Every prefix of a cubin is refused in words, or read. */
TEST(test_prefixes)
{
  FREED_BY(wb_input_free) struct wb_input source;
  fixture_read(&source, "binary/vectors/new_75.cubin");
  for (size_t length = 0; length < source.length; length += 37) {
    struct wb_cubin cubin;
    warpbound_error error = {0};
    unsigned char *prefix = malloc(length + 1);
    assert_non_null(prefix);
    memcpy(prefix, source.bytes, length);
    if (wb_cubin_read("cubin", prefix, length, &cubin, &error) == WARPBOUND_OK)
      wb_cubin_free(&cubin);
    else
      assert_string_not_equal(error.message, "");
    free(prefix);
  }
}
