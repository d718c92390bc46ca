/* Files that hold GPU code: what those of the fixtures hold, and what is said of damaged ones. */
#include "binary/container/container.h"
#include "binary/cubin/cubin.h"
#include "fixtures.h"
#include "unit.h"

#include <zstd.h>

/* ---- helpers ---- */

static warpbound_status list_images(const struct wb_input *source, struct wb_images *images,
                                    warpbound_error *error)
{
  return wb_container_read("file", (const unsigned char *)source->bytes, source->length, images,
                           error);
}

static void read_images(const char *name, struct wb_input *source, struct wb_images *images)
{
  warpbound_error error;
  fixture_read(source, "binary/vectors/%s", name);
  if (list_images(source, images, &error) != WARPBOUND_OK)
    fail_msg("%s: %s", name, error.message);
}

/* One row: "PLACE|ARCHITECTURE|KIND|COMPRESSION". */
static void expect_images(const char *name, const char *const *rows, size_t count)
{
  static const char *const kinds[] = {"ptx", "cubin", "other", "none"};
  static const char *const compressions[] = {"plain", "lz4", "zstd"};
  FREED_BY(wb_input_free) struct wb_input source;
  FREED_BY(wb_images_free) struct wb_images images;
  read_images(name, &source, &images);
  for (size_t i = 0; i < images.count && i < count; i++) {
    char row[200];
    snprintf(row, sizeof row, "%s|%s|%s|%s", images.items[i].place,
             images.items[i].architecture_name, kinds[images.items[i].kind],
             compressions[images.items[i].compression]);
    assert_string_equal(row, rows[i]);
  }
  assert_int_equal(images.count, count);
}

#define EXPECT_IMAGES(name, rows) expect_images(name, rows, sizeof(rows) / sizeof *(rows))

static void put(unsigned char *bytes, uint64_t value, size_t size)
{
  for (size_t b = 0; b < size; b++)
    bytes[b] = (unsigned char)(value >> 8 * b);
}

/* A fat binary of one entry, whose image is `stored` of `size` bytes. */
static size_t make_fat(unsigned char *file, unsigned kind, uint64_t flags, const void *stored,
                       size_t size, uint64_t uncompressed)
{
  const size_t padded = (size + 7) / 8 * 8;
  memset(file, 0, 16 + 64 + padded);
  put(file, 0xba55ed50, 4);
  put(file + 4, 1, 2);
  put(file + 6, 16, 2);
  put(file + 8, 64 + padded, 8);
  unsigned char *entry = file + 16;
  put(entry, kind, 2);
  put(entry + 4, 64, 4);
  put(entry + 8, padded, 8);
  put(entry + 16, flags != 0 ? size : 0, 4);
  put(entry + 28, 75, 4);
  put(entry + 40, flags, 8);
  put(entry + 56, uncompressed, 8);
  memcpy(entry + 64, stored, size);
  return 16 + 64 + padded;
}

static void expect_damage(const unsigned char *file, size_t length, size_t index,
                          const char *damage)
{
  FREED_BY(wb_images_free) struct wb_images images;
  struct wb_image_bytes unpacked;
  warpbound_error error;
  assert_ok(wb_container_read("file", file, length, &images, &error));
  assert_true(index < images.count);
  assert_invalid(wb_image_unpack("file", &images.items[index], &unpacked, &error));
  assert_string_equal(error.message, damage);
  assert_string_equal(error.file, "file");
  assert_null(unpacked.owned);
}

static void expect_refusal(const unsigned char *file, size_t length, const char *message)
{
  struct wb_images images;
  warpbound_error error;
  assert_invalid(wb_container_read("file", file, length, &images, &error));
  assert_string_equal(error.message, message);
  assert_null(images.items);
}

/* ---- what is there ---- */

TEST(test_fat_binaries)
{
  static const char *const plain[] = {"entry 1|sm_75|cubin|plain", "entry 2|sm_87|cubin|plain",
                                      "entry 3|sm_90a|cubin|plain", "entry 4|sm_90a|ptx|plain"};
  static const char *const lz4[] = {"entry 1|sm_75|cubin|lz4", "entry 2|sm_87|cubin|lz4",
                                    "entry 3|sm_90a|cubin|lz4", "entry 4|sm_90a|ptx|lz4"};
  static const char *const zstd[] = {"entry 1|sm_75|cubin|zstd", "entry 2|sm_87|cubin|zstd",
                                     "entry 3|sm_90a|cubin|zstd", "entry 4|sm_90a|ptx|zstd"};
  static const char *const old[] = {"entry 1|sm_52|cubin|lz4", "entry 2|sm_61|cubin|lz4",
                                    "entry 3|sm_75|cubin|lz4"};
  static const char *const lto[] = {"entry 1|sm_90|other|plain"};
  static const char *const family[] = {"entry 1|sm_100f|cubin|zstd"};
  EXPECT_IMAGES("plain.fatbin", plain);
  EXPECT_IMAGES("lz4.fatbin", lz4);
  EXPECT_IMAGES("zstd.fatbin", zstd);
  EXPECT_IMAGES("old.fatbin", old);
  EXPECT_IMAGES("lto.fatbin", lto);
  EXPECT_IMAGES("family.fatbin", family);
}

TEST(test_programs)
{
  static const char *const library[] = {
      ".nv_fatbin, entry 1|sm_75|cubin|plain",  ".nv_fatbin, entry 2|sm_87|cubin|plain",
      ".nv_fatbin, entry 3|sm_90a|cubin|plain", ".nv_fatbin, entry 4|sm_75|cubin|plain",
      ".nv_fatbin, entry 5|sm_87|cubin|plain",  ".nv_fatbin, entry 6|sm_90a|cubin|plain",
      ".nv_fatbin, entry 7|sm_90a|ptx|zstd"};
  static const char *const relocatable[] = {
      "__nv_relfatbin, entry 1|sm_75|cubin|zstd", "__nv_relfatbin, entry 2|sm_87|cubin|zstd",
      "__nv_relfatbin, entry 3|sm_90a|cubin|zstd", "__nv_relfatbin, entry 4|sm_90a|ptx|zstd"};
  static const char *const archive[] = {
      "vectors.o, .nv_fatbin, entry 1|sm_75|cubin|plain",
      "vectors.o, .nv_fatbin, entry 2|sm_87|cubin|plain",
      "vectors.o, .nv_fatbin, entry 3|sm_90a|cubin|plain",
      "vectors.o, .nv_fatbin, entry 4|sm_90a|ptx|zstd",
      "a_program_with_a_long_name.o, .nv_fatbin, entry 1|sm_75|cubin|plain",
      "a_program_with_a_long_name.o, .nv_fatbin, entry 2|sm_87|cubin|plain",
      "a_program_with_a_long_name.o, .nv_fatbin, entry 3|sm_90a|cubin|plain",
      "a_program_with_a_long_name.o, .nv_fatbin, entry 4|sm_90a|ptx|zstd"};
  static const char *const cubin[] = {"|sm_120a|cubin|plain"};
  EXPECT_IMAGES("libvectors.so", library);
  EXPECT_IMAGES("relocatable.object", relocatable);
  EXPECT_IMAGES("libvectors.a", archive);
  EXPECT_IMAGES("new_120a.cubin", cubin);
}

/* A program whose table of sections is gone is searched for fat binaries. */
TEST(test_stripped_sections)
{
  FREED_BY(wb_input_free) struct wb_input source;
  FREED_BY(wb_images_free) struct wb_images images;
  fixture_read(&source, "binary/vectors/program");
  memset(source.bytes + 40, 0, 8); /* e_shoff */
  memset(source.bytes + 58, 0, 6); /* e_shentsize, e_shnum, e_shstrndx */
  assert_ok(list_images(&source, &images, NULL));
  assert_int_equal(images.count, 11); /* three link stubs, two modules of four */
  assert_string_equal(images.items[3].place, "entry 4");
}

/* The same kernels come out, however the entries are compressed. */
TEST(test_unpacking)
{
  static const char *const names[] = {"plain.fatbin", "lz4.fatbin", "zstd.fatbin"};
  for (size_t n = 0; n < 3; n++) {
    FREED_BY(wb_input_free) struct wb_input source;
    FREED_BY(wb_images_free) struct wb_images images;
    struct wb_image_bytes unpacked;
    struct wb_cubin cubin;
    read_images(names[n], &source, &images);
    assert_ok(wb_image_unpack("file", &images.items[2], &unpacked, NULL));
    assert_ok(wb_cubin_read("cubin", unpacked.bytes, unpacked.length, &cubin, NULL));
    assert_string_equal(cubin.architecture_name, "sm_90a");
    assert_true(wb_cubin_function_named(&cubin, "permute") < cubin.function_count);
    wb_cubin_free(&cubin);
    wb_image_bytes_free(&unpacked);
    assert_ok(wb_image_unpack("file", &images.items[3], &unpacked, NULL));
    assert_int_not_equal(unpacked.bytes[unpacked.length - 1], '\0');
    wb_image_bytes_free(&unpacked);
  }
}

TEST(test_details)
{
  struct wb_input source;
  struct wb_images images;
  read_images("old.fatbin", &source, &images);
  assert_string_equal(images.items[0].identifier, "vectors.cu");
  assert_false(images.items[0].debug);
  wb_images_free(&images);
  wb_input_free(&source);
  read_images("relocatable.object", &source, &images);
  assert_string_equal(images.items[3].options, "--compile-only  ");
  wb_images_free(&images);
  wb_input_free(&source);
}

TEST(test_architectures)
{
  assert_true(wb_architecture_is("sm_90a", "sm_90a"));
  assert_true(wb_architecture_is("sm_90a", "sm_90"));
  assert_true(wb_architecture_is("sm_90", "sm_90"));
  assert_false(wb_architecture_is("sm_90", "sm_90a"));
  assert_false(wb_architecture_is("sm_100", "sm_10"));
  assert_false(wb_architecture_is("sm_90a", "sm_9"));
  assert_false(wb_architecture_is("sm_90a", ""));
  assert_false(wb_architecture_is("", "sm_90"));
}

/* ---- what is damaged ---- */

TEST(test_other_files)
{
  static const unsigned char text[] = ".version 8.0";
  assert_int_equal(wb_container_kind(text, sizeof text), WB_CONTAINER_NONE);
  assert_int_equal(wb_container_kind(text, 0), WB_CONTAINER_NONE);
  expect_refusal(text, sizeof text,
                 "expected a cubin, a fat binary, an ELF file or a static library");
  expect_refusal((const unsigned char *)"!<arch>\n", 8,
                 "expected GPU code (a cubin, a fat binary, or sections .nv_fatbin or "
                 "__nv_relfatbin), found none");
  expect_damage((const unsigned char *)"!<arch>\nmember", 14, 0,
                "offset 0x8: expected the head of a library's member");
}

TEST(test_damaged_fat_binaries)
{
  unsigned char file[400];
  size_t length = make_fat(file, 1, 0, ".version 8.0", 12, 0);
  put(file + 8, 4000, 8);
  expect_damage(file, length, 0, "offset 0x0: expected a fat binary of 0xfa0 bytes, found 0x60");
  make_fat(file, 1, 0, ".version 8.0", 12, 0);
  put(file + 16 + 4, 63, 4);
  expect_damage(file, length, 0,
                "entry 1, offset 0x10: expected an entry within the fat binary, found 0x3f and "
                "0x10 bytes of 0x50");
  make_fat(file, 1, 0, ".version 8.0", 12, 0);
  put(file + 16 + 8, UINT64_MAX, 8);
  expect_damage(file, length, 0,
                "entry 1, offset 0x10: expected an entry within the fat binary, found 0x40 and "
                "0xffffffffffffffff bytes of 0x50");
  make_fat(file, 1, 0, ".version 8.0", 12, 0);
  memset(file + length, 'x', 24);
  expect_damage(file, length + 24, 1,
                "offset 0x60: expected a fat binary (magic 0xba55ed50, version 1)");
  make_fat(file, 1, 0, ".version 8.0", 12, 0);
  put(file + 8, 64 + 16 + 32, 8);
  memset(file + length, 0, 32);
  expect_damage(file, length + 32, 1,
                "entry 2, offset 0x60: expected an entry of at least 64 bytes");
}

/* An entry that claims to be large is refused before memory is taken. */
TEST(test_bombs)
{
  unsigned char file[400];
  static const char zeros[64] = {0};
  size_t length = make_fat(file, 1, 0x2000, zeros, 64, 1 << 20);
  expect_damage(file, length, 0,
                "entry 1, offset 0x10: expected at most 255 times the bytes of an LZ4 block");
  length = make_fat(file, 1, 0x8000, zeros, 64, (uint64_t)1 << 40);
  expect_damage(file, length, 0,
                "entry 1, offset 0x10: expected at most 268435456 bytes after decompression");
  length = make_fat(file, 1, 0x2000, zeros, 64, 128);
  put(file + 16 + 16, 1000, 4);
  expect_damage(file, length, 0,
                "entry 1, offset 0x10: expected a compressed size within the entry");
}

TEST(test_damaged_compression)
{
  unsigned char file[400];
  static const char text[200] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
  char packed[200];
  size_t length = make_fat(file, 1, 0x2000, "\xff\xff\xff\xff\xff\xff\xff\xff", 8, 64);
  expect_damage(file, length, 0,
                "entry 1, offset 0x50: expected an LZ4 block of 64 bytes after decompression, "
                "found a damaged one");
  const size_t size = ZSTD_compress(packed, sizeof packed, text, sizeof text, 1);
  assert_false(ZSTD_isError(size));
  length = make_fat(file, 1, 0x8000, packed, size, 300);
  expect_damage(file, length, 0,
                "entry 1, offset 0x50: expected a Zstandard frame of 300 bytes after "
                "decompression, found less");
  length = make_fat(file, 1, 0x8000, packed, size, 100);
  expect_damage(file, length, 0,
                "entry 1, offset 0x50: expected a Zstandard frame of 100 bytes after "
                "decompression, found Destination buffer is too small");
  length = make_fat(file, 1, 0x8000, "no frame", 8, 100);
  expect_damage(file, length, 0,
                "entry 1, offset 0x50: expected a Zstandard frame of 100 bytes after "
                "decompression, found Src size is incorrect");
}

/* So many entries, or so many bytes after decompression, that nobody meant. */
TEST(test_limits)
{
  const size_t entry = 64, count = WB_CONTAINER_IMAGE_LIMIT + 1;
  unsigned char *file = calloc(16 + entry * count, 1);
  assert_non_null(file);
  make_fat(file, 1, 0, "", 0, 0);
  put(file + 8, entry * count, 8);
  for (size_t i = 0; i < count; i++)
    put(file + 16 + i * entry + 4, 64, 4);
  expect_refusal(file, 16 + entry * count, "offset 0x400050: expected at most 65536 images");
  for (size_t i = 0; i < count; i++) {
    put(file + 16 + i * entry, 1, 2);
    put(file + 16 + i * entry + 40, 0x8000, 8);
    put(file + 16 + i * entry + 56, WB_IMAGE_LIMIT, 8);
  }
  expect_refusal(file, 16 + entry * count,
                 "offset 0x150: expected images of at most 1073741824 bytes together");
  free(file);
}

/* An ELF file whose sections are all of the same bytes would be read again and again. */
TEST(test_overlapping_sections)
{
  enum { COUNT = 8, NAMES = 64, HEADS = 128 };
  static const char names[] = "\0.nv_fatbin";
  unsigned char file[HEADS + COUNT * 64] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
  put(file + 16, 3, 2);     /* e_type: a shared library */
  put(file + 18, 62, 2);    /* e_machine: x86-64 */
  put(file + 20, 1, 4);     /* e_version */
  put(file + 40, HEADS, 8); /* e_shoff */
  put(file + 52, 64, 2);    /* e_ehsize */
  put(file + 58, 64, 2);    /* e_shentsize */
  put(file + 60, COUNT, 2); /* e_shnum */
  put(file + 62, 1, 2);     /* e_shstrndx */
  memcpy(file + NAMES, names, sizeof names);
  for (size_t s = 1; s < COUNT; s++) {
    unsigned char *head = file + HEADS + s * 64;
    put(head, 1, 4);                                        /* sh_name */
    put(head + 4, s == 1 ? 3 : 1, 4);                       /* sh_type: names, or bytes */
    put(head + 24, s == 1 ? NAMES : 0, 8);                  /* sh_offset */
    put(head + 32, s == 1 ? sizeof names : sizeof file, 8); /* sh_size */
  }
  expect_refusal(file, sizeof file,
                 ".nv_fatbin: expected sections of at most 4 times the file's bytes");
}

/* A library that holds a library that holds ... */
TEST(test_nesting)
{
  unsigned char file[8 + 5 * 68 + 8] = "!<arch>\n";
  char head[61];
  size_t length = 8;
  for (size_t depth = 5; depth > 0; depth--) {
    snprintf(head, sizeof head, "%-48s%-10zu`\n", "inner/", (depth - 1) * 68 + 8);
    memcpy(file + length, head, 60);
    memcpy(file + length + 60, "!<arch>\n", 8);
    length += 68;
  }
  expect_damage(file, length, 0,
                "inner, inner, inner, inner, offset 0x110: expected files within files at most 4 "
                "deep");
}
