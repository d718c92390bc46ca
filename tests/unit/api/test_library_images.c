/* GPU code in files through the public header alone; used well and misused. */
#include "failing_heap.h"
#include "handles.h"

/* A file of the source tree, and its images, which need its bytes. */
struct file {
  char *bytes;
  size_t length;
  warpbound_images *images;
};

static struct file file_of(const char *name)
{
  struct file file;
  file.bytes = source_file(name, &file.length);
  assert_made(file.images,
              warpbound_images_read(name, file.bytes, file.length, &file.images, NULL));
  return file;
}

/* The index of an image's function; the test fails where there is none. */
static size_t function_named(const warpbound_images *images, size_t index, const char *demangled)
{
  const size_t count = warpbound_images_function_count(images, index);
  for (size_t f = 0; f < count; f++) {
    if (strcmp(warpbound_images_function(images, index, f).demangled, demangled) == 0)
      return f;
  }
  fail_msg("no function %s", demangled);
  return count;
}

TEST(test_program)
{
  struct file file = file_of("tests/fixtures/binary/vectors/program");
  const warpbound_images *images = file.images;
  assert_int_equal(warpbound_images_count(images), 11);
  const size_t index = warpbound_images_find(images, "sm_87", 2);
  const warpbound_image image = warpbound_images_image(images, index);
  assert_int_equal(image.kind, WARPBOUND_IMAGE_CUBIN);
  assert_string_equal(image.architecture, "sm_87");
  assert_int_equal(image.sm, 87);
  assert_string_equal(image.toolkit, "13.0");
  assert_string_equal(image.place, ".nv_fatbin, entry 5");
  assert_string_equal(image.compression, "none");
  assert_string_equal(image.damage, "");
  assert_int_equal(warpbound_images_find(images, "sm_52", 0), 11);
  assert_int_equal(warpbound_images_find(images, NULL, 10), 10);
  assert_int_equal(warpbound_images_find(images, "sm_90", 4), 5); /* sm_90a */
  assert_int_equal(warpbound_images_find_module(images, NULL, "5", 0), 4);
  assert_int_equal(warpbound_images_find_module(images, NULL, "5", 5), 11);
  assert_int_equal(warpbound_images_find_module(images, "sm_87", ".nv_fatbin", 2), index);
  assert_int_equal(warpbound_images_find_module(images, "sm_87", image.place, 0), index);
  assert_int_equal(warpbound_images_find_module(images, NULL, ".nv_fat", 0), 11);
  assert_int_equal(warpbound_images_find_module(images, NULL, "", 0), 11);
  assert_int_equal(warpbound_images_find_module(NULL, NULL, "1", 0), 0);
}

TEST(test_function)
{
  struct file file = file_of("tests/fixtures/binary/vectors/zstd.fatbin");
  const size_t index = warpbound_images_find(file.images, "sm_87", 0);
  const size_t f = function_named(file.images, index, "void add<int>(int*, int const*, Pair)");
  const warpbound_image_function add = warpbound_images_function(file.images, index, f);
  assert_string_equal(add.name, "_Z3addIiEvPT_PKS0_4Pair");
  assert_true(add.kernel);
  assert_true(add.registers > 0 && add.registers != WARPBOUND_UNKNOWN);
  assert_int_equal(add.shared_bytes, 128);
  assert_int_equal(add.barriers, 1);
  assert_int_equal(add.parameter_base, 0x160);
  assert_int_equal(add.parameter_bytes, 40);
  assert_int_equal(add.parameter_count, 3);
  assert_int_equal(add.max_threads[0], 0);
  assert_int_equal(warpbound_images_parameter(file.images, index, f, 2).offset, 16);
  assert_int_equal(warpbound_images_parameter(file.images, index, f, 2).size, 24);
  const size_t scale = function_named(file.images, index, "scale");
  assert_int_equal(warpbound_images_function(file.images, index, scale).max_threads[0], 128);
}

TEST(test_ptx)
{
  struct file file = file_of("tests/fixtures/binary/vectors/lz4.fatbin");
  char *text;
  const warpbound_image image = warpbound_images_image(file.images, 3);
  assert_int_equal(image.kind, WARPBOUND_IMAGE_PTX);
  assert_string_equal(image.architecture, "compute_90a");
  assert_string_equal(image.ptx_version, "9.0");
  assert_string_equal(image.compression, "lz4");
  const size_t add = function_named(file.images, 3, "void add<float>(float*, float const*, Pair)");
  const warpbound_image_function function = warpbound_images_function(file.images, 3, add);
  assert_int_equal(function.registers, WARPBOUND_UNKNOWN);
  assert_int_equal(function.parameter_bytes, 40);
  const warpbound_image_parameter pair = warpbound_images_parameter(file.images, 3, add, 2);
  assert_int_equal(pair.offset, 16);
  assert_int_equal(pair.size, 24);
  assert_string_equal(pair.name, "_Z3addIfEvPT_PKS0_4Pair_param_2");
  assert_made(text, warpbound_images_text(file.images, 3, &text, NULL));
  expect_part(text, ".visible .entry permute(");
}

TEST(test_texts)
{
  struct file ptx = file_of("examples/voronoi.ptx");
  struct file listing = file_of("examples/matrix_multiply.sass");
  assert_int_equal(warpbound_images_count(ptx.images), 1);
  assert_int_equal(warpbound_images_image(ptx.images, 0).kind, WARPBOUND_IMAGE_PTX);
  assert_string_equal(warpbound_images_function(ptx.images, 0, 0).name, "voronoi");
  assert_int_equal(warpbound_images_image(listing.images, 0).kind, WARPBOUND_IMAGE_LISTING);
  assert_string_equal(warpbound_images_image(listing.images, 0).architecture, "sm_61");
  assert_int_equal(warpbound_images_function_count(listing.images, 0), 2);
}

TEST(test_disassembly)
{
  struct file file = file_of("tests/fixtures/binary/vectors/zstd.fatbin");
  const warpbound_disassembly_options all = {.architecture = "sm_87"};
  const warpbound_disassembly_options add = {
      .architecture = "sm_87", .kernel = "add<int>", .code_only = true};
  char *text;
  assert_made(text, warpbound_disassemble("f", file.bytes, file.length, &all, &text, NULL));
  expect_part(text, "\t.section\t.text.scale,");
  assert_made(text, warpbound_disassemble(NULL, file.bytes, file.length, &add, &text, NULL));
  assert_null(strstr(text, ".text.scale"));
  expect_part(text, ".text._Z3addIiEvPT_PKS0_4Pair");
}

TEST(test_nothing)
{
  warpbound_images *images = (warpbound_images *)1;
  warpbound_error error;
  assert_misuse(warpbound_images_read("x", NULL, 0, &images, &error));
  assert_null(images);
  assert_string_equal(error.message, "bytes: expected a file's bytes, found NULL");
  assert_misuse(warpbound_images_read("x", "", 0, NULL, NULL));
  assert_int_equal(warpbound_images_count(NULL), 0);
  assert_int_equal(warpbound_images_find_function(NULL, 0, "k", 3), 0);
  assert_int_equal(warpbound_images_find(NULL, "sm_52", 3), 0);
  assert_int_equal(warpbound_images_function_count(NULL, 0), 0);
  assert_string_equal(warpbound_images_image(NULL, 0).place, "");
  assert_string_equal(warpbound_images_function(NULL, 0, 0).name, "");
  assert_string_equal(warpbound_images_parameter(NULL, 0, 0, 0).name, "");
  warpbound_images_free(NULL);
}

TEST(test_other_files)
{
  warpbound_images *images;
  warpbound_error error;
  assert_invalid(warpbound_images_read("x", "nothing", 7, &images, &error));
  assert_null(images);
  assert_string_equal(error.message,
                      "expected PTX, a SASS listing, or a file with GPU code: a cubin, a fat "
                      "binary, an ELF program, library or object");
  assert_invalid(warpbound_images_read(NULL, "!<arch>\n", 8, &images, NULL));
}

TEST(test_beyond)
{
  struct file file = file_of("tests/fixtures/binary/vectors/zstd.fatbin");
  warpbound_error error;
  char *text = (char *)1;
  assert_misuse(warpbound_images_text(file.images, 0, &text, &error));
  assert_null(text);
  assert_string_equal(error.message, "index: expected an image of PTX or a listing");
  assert_misuse(warpbound_images_text(file.images, 99, &text, NULL));
  assert_int_equal(warpbound_images_parameter(file.images, 0, 0, 99).size, 0);
  assert_string_equal(warpbound_images_function(file.images, 0, 99).demangled, "");
}

static void expect_usage(const struct file *file, const warpbound_disassembly_options *options,
                         const char *message)
{
  warpbound_error error;
  char *text = (char *)1;
  assert_misuse(warpbound_disassemble("f", file->bytes, file->length, options, &text, &error));
  assert_string_equal(error.message, message);
  assert_null(text);
}

TEST(test_disassembly_misused)
{
  struct file file = file_of("tests/fixtures/binary/vectors/zstd.fatbin");
  warpbound_error error;
  char *text = (char *)1;
  expect_usage(&file, &(warpbound_disassembly_options){.architecture = "sm_75", .kernel = "add"},
               "--kernel: expected the name of one function, 'add' may be "
               "_Z3addIfEvPT_PKS0_4Pair or _Z3addIiEvPT_PKS0_4Pair");
  expect_usage(&file, &(warpbound_disassembly_options){.architecture = "sm_75", .kernel = "none"},
               "--kernel: expected a function of the file ('warpbound kernels' lists them), found "
               "'none'");
  expect_usage(&file, &(warpbound_disassembly_options){.architecture = "sm_52"},
               "--arch: expected one of sm_75, sm_87, sm_90a, found 'sm_52'");
  assert_invalid(warpbound_disassemble("f", "text", 4, NULL, &text, &error));
  assert_null(text);
  assert_string_equal(error.message, "expected a file with machine code: a cubin, a fat binary, an "
                                     "ELF program, library or object");
  assert_misuse(warpbound_disassemble("f", NULL, 4, NULL, &text, NULL));
  assert_misuse(warpbound_disassemble("f", "text", 4, NULL, NULL, NULL));
}

/* One entry is damaged: the others are read. */
TEST(test_damage)
{
  struct file file = file_of("tests/fixtures/binary/vectors/zstd.fatbin");
  warpbound_images *images;
  char *text;
  const warpbound_image second = warpbound_images_image(file.images, 1);
  memset(file.bytes + second.offset, 0, 16);
  assert_made(images, warpbound_images_read("f", file.bytes, file.length, &images, NULL));
  assert_int_equal(warpbound_images_count(images), 4);
  assert_string_equal(warpbound_images_image(images, 0).damage, "");
  assert_non_null(strstr(warpbound_images_image(images, 1).damage, "entry 2, offset 0x"));
  assert_int_equal(warpbound_images_function_count(images, 1), 0);
  assert_invalid(warpbound_disassemble("f", file.bytes, file.length,
                                       &(warpbound_disassembly_options){.architecture = "sm_87"},
                                       &text, NULL));
  assert_int_equal(warpbound_images_function_count(images, 2), 4);
}

/* ---- when memory runs out ----
 *
 * Every allocation is made to fail in turn. Not those of libelf and Zstandard. */

static warpbound_status list_images(const void *context, warpbound_error *error)
{
  const struct file *file = context;
  warpbound_images *images;
  warpbound_status status =
      warpbound_images_read("file", file->bytes, file->length, &images, error);
  warpbound_images_free(images);
  return status;
}

static warpbound_status take_text(const void *context, warpbound_error *error)
{
  const struct file *file = context;
  warpbound_images *images;
  char *text = NULL;
  warpbound_status status =
      warpbound_images_read("file", file->bytes, file->length, &images, error);
  if (status == WARPBOUND_OK)
    status = warpbound_images_text(images, warpbound_images_count(images) - 1, &text, error);
  warpbound_text_free(text);
  warpbound_images_free(images);
  return status;
}

/* A name that cannot be demangled for want of memory stays mangled. */
TEST(failing_allocations_are_reported)
{
  static const struct {
    const char *file;
    memory_work *work;
  } rows[] = {
      {"fuzz/seeds/binary/cubin-old", list_images}, {"fuzz/seeds/binary/fat-lz4", list_images},
      {"fuzz/seeds/binary/library", list_images},   {"examples/voronoi.ptx", take_text},
      {"examples/divergence.sass", take_text},
  };
  for (size_t r = 0; r < COUNT_OF(rows); r++) {
    print_message("# %s\n", rows[r].file);
    const struct file file = file_of(rows[r].file);
    assert_true(try_each(rows[r].work, &file, WARPBOUND_OK).total > 0);
  }
}
