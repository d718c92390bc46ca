/* Files above the limit of those that are read whole: sparse ones of 5 GiB, with the sections of a
 * program at their far end. */
#include "binary/container/large_file.h"

#include "binary/container/container.h"
#include "failing_heap.h"
#include "fixtures.h"
#include "unit.h"

#include <elf.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where the section of the fat binaries is moved to. */
#define FAR ((uint64_t)5 << 30)

/* A file that is removed at the end. */
struct temporary {
  char path[64];
  int descriptor;
};

static struct temporary make_temporary(void)
{
  struct temporary made = {.path = "/tmp/warpbound-large.XXXXXX"};
  mallopt(M_PERTURB, 0); /* else all of 5 GiB is filled, of which little is ever touched */
  made.descriptor = mkstemp(made.path);
  assert_true(made.descriptor >= 0);
  return made;
}

static void remove_temporary(struct temporary *file)
{
  close(file->descriptor);
  unlink(file->path);
}

static void put(const struct temporary *file, uint64_t at, const void *bytes, size_t length)
{
  assert_int_equal(pwrite(file->descriptor, bytes, length, (off_t)at), length);
}

/* Writes the program from `base` on with its fat binaries FAR behind that; returns its end. */
static uint64_t put_program(const struct temporary *file, struct wb_input *program, uint64_t base)
{
  const Elf64_Ehdr *head = (const void *)program->bytes;
  Elf64_Shdr *sections = (void *)(program->bytes + head->e_shoff);
  const char *names = program->bytes + sections[head->e_shstrndx].sh_offset;
  uint64_t end = 0;
  for (unsigned s = 0; s < head->e_shnum; s++) {
    if (strcmp(names + sections[s].sh_name, ".nv_fatbin") != 0)
      continue;
    char *bytes = program->bytes + sections[s].sh_offset;
    put(file, base + FAR, bytes, sections[s].sh_size);
    memset(bytes, 0, sections[s].sh_size);
    sections[s].sh_offset = FAR;
    end = base + FAR + sections[s].sh_size;
  }
  assert_true(end > 0);
  put(file, base, program->bytes, program->length);
  return end;
}

/* Both files have the same images, in the same order. */
static void same_images(const char *path, const struct wb_input *small)
{
  FREED_BY(wb_input_free) struct wb_input source;
  FREED_BY(wb_images_free) struct wb_images one, other;
  warpbound_error error;
  bool large;
  assert_ok(wb_large_file_read(path, WB_INPUT_LIMIT, &source, &large, &error));
  assert_true(large);
  assert_ok(
      wb_container_read("large", (const unsigned char *)source.bytes, source.length, &one, &error));
  assert_ok(wb_container_read("small", (const unsigned char *)small->bytes, small->length, &other,
                              &error));
  assert_int_equal(one.count, other.count);
  for (size_t i = 0; i < one.count; i++) {
    struct wb_image_bytes a, b;
    assert_string_equal(one.items[i].architecture_name, other.items[i].architecture_name);
    assert_ok(wb_image_unpack("large", &one.items[i], &a, &error));
    assert_ok(wb_image_unpack("small", &other.items[i], &b, &error));
    assert_int_equal(a.length, b.length);
    assert_memory_equal(a.bytes, b.bytes, a.length);
    wb_image_bytes_free(&a);
    wb_image_bytes_free(&b);
  }
}

TEST(test_program)
{
  FREED_BY(wb_input_free) struct wb_input small, program;
  FREED_BY(remove_temporary) struct temporary file = make_temporary();
  fixture_read(&small, "binary/vectors/program");
  fixture_read(&program, "binary/vectors/program");
  const uint64_t end = put_program(&file, &program, 0);
  same_images(file.path, &small);

  /* Cut off within the section: an image with its damage. */
  FREED_BY(wb_input_free) struct wb_input source;
  FREED_BY(wb_images_free) struct wb_images images;
  warpbound_error error;
  bool large;
  assert_int_equal(ftruncate(file.descriptor, (off_t)end - 100), 0);
  assert_ok(wb_large_file_read(file.path, WB_INPUT_LIMIT, &source, &large, &error));
  assert_ok(
      wb_container_read("x", (const unsigned char *)source.bytes, source.length, &images, &error));
  assert_int_equal(images.count, 1);
  assert_string_equal(images.items[0].place, ".nv_fatbin");
  assert_non_null(strstr(images.items[0].damage, "expected a section of"));
}

TEST(test_library)
{
  FREED_BY(wb_input_free) struct wb_input small, program;
  FREED_BY(remove_temporary) struct temporary file = make_temporary();
  char head[61];
  fixture_read(&small, "binary/vectors/program");
  fixture_read(&program, "binary/vectors/program");
  put(&file, 0, "!<arch>\n", 8);
  const uint64_t end = put_program(&file, &program, 68);
  snprintf(head, sizeof head, "%-16s%-12s%-6s%-6s%-8s%-10llu`\n", "large.o/", "0", "0", "0", "644",
           (unsigned long long)(end - 68));
  put(&file, 8, head, 60);
  same_images(file.path, &small);
}

TEST(test_refused)
{
  FREED_BY(remove_temporary) struct temporary file = make_temporary();
  FREED_BY(wb_input_free) struct wb_input program;
  struct wb_input source;
  warpbound_error error;
  bool large = true;
  assert_ok(wb_large_file_read("/nowhere", WB_INPUT_LIMIT, &source, &large, &error));
  assert_false(large);
  assert_int_equal(ftruncate(file.descriptor, (off_t)FAR), 0);
  assert_ok(wb_large_file_read(file.path, WB_INPUT_LIMIT, &source, &large, &error));
  assert_false(large); /* zeros are no file with GPU code */
  assert_ok(wb_large_file_read(file.path, (size_t)FAR, &source, &large, &error));
  assert_false(large);
  /* No head of sections, and sections of other names. */
  fixture_read(&program, "binary/vectors/program");
  put(&file, 0, program.bytes, sizeof(Elf64_Ehdr));
  assert_invalid(wb_large_file_read(file.path, WB_INPUT_LIMIT, &source, &large, &error));
  assert_true(large);
  assert_string_equal(
      error.message,
      "expected GPU code in sections .nv_fatbin or __nv_relfatbin (of a file of this "
      "size only these are read), found none");
  put_program(&file, &program, 0);
  const Elf64_Ehdr *head = (const void *)program.bytes;
  const Elf64_Shdr *sections = (const void *)(program.bytes + head->e_shoff);
  static const char none[64] = {0};
  for (uint64_t at = 0; at < sections[head->e_shstrndx].sh_size; at += sizeof none) {
    const uint64_t left = sections[head->e_shstrndx].sh_size - at;
    put(&file, sections[head->e_shstrndx].sh_offset + at, none,
        left < sizeof none ? left : sizeof none);
  }
  assert_invalid(wb_large_file_read(file.path, WB_INPUT_LIMIT, &source, &large, &error));
  /* A file that ends before what was there. */
  assert_ok(wb_input_reserve(file.path, 2 * (size_t)FAR, &source, &error));
  assert_invalid(wb_input_read_part(&source, file.descriptor, 2 * (size_t)FAR - 8, 8, &error));
  assert_string_equal(error.message,
                      "expected 0x8 bytes at offset 0x27ffffff8, found the end of the "
                      "file after 0x0 of them");
  wb_input_free(&source);
}

static warpbound_status read_large(const void *context, warpbound_error *error)
{
  struct wb_input source = {0};
  bool large;
  const warpbound_status status =
      wb_large_file_read(context, WB_INPUT_LIMIT, &source, &large, error);
  if (status == WARPBOUND_OK && large)
    wb_input_free(&source);
  return status;
}

TEST(test_failing_allocations)
{
  FREED_BY(wb_input_free) struct wb_input program;
  FREED_BY(remove_temporary) struct temporary file = make_temporary();
  fixture_read(&program, "binary/vectors/program");
  put_program(&file, &program, 0);
  assert_true(fail_each(read_large, file.path, WARPBOUND_OK) > 0);
}
