#include "binary/container/container.h"

#include "base/little_endian.h"
#include "binary/container/container_walk.h"
#include "binary/cubin/cubin.h"

#include <string.h>

static const unsigned char elf_magic[] = {0x7f, 'E', 'L', 'F'};
static const unsigned char fat_magic[] = {0x50, 0xed, 0x55, 0xba};
static const unsigned char library_magic[] = {'!', '<', 'a', 'r', 'c', 'h', '>', '\n'};

/* Bytes of the head of an ELF file of the smaller class. */
#define ELF_HEAD 52

static bool begins(const unsigned char *bytes, size_t length, const unsigned char *magic,
                   size_t size)
{
  return length >= size && memcmp(bytes, magic, size) == 0;
}

enum wb_container_kind wb_container_kind(const unsigned char *bytes, size_t length)
{
  if (begins(bytes, length, fat_magic, sizeof fat_magic))
    return WB_CONTAINER_FAT_BINARY;
  if (begins(bytes, length, library_magic, sizeof library_magic))
    return WB_CONTAINER_LIBRARY;
  if (!begins(bytes, length, elf_magic, sizeof elf_magic) || length < ELF_HEAD)
    return WB_CONTAINER_NONE;
  return wb_cubin_detect(bytes, length) ? WB_CONTAINER_CUBIN : WB_CONTAINER_PROGRAM;
}

/* A cubin by itself: it says what it is for. */
static bool add_cubin(struct wb_container_walk *walk, const struct wb_container_part *part)
{
  struct wb_cubin cubin;
  warpbound_error error;
  const unsigned char *bytes = walk->bytes + part->begin;
  const size_t length = part->end - part->begin;
  const warpbound_status status = wb_cubin_read(walk->name, bytes, length, &cubin, &error);
  if (status == WARPBOUND_INTERNAL)
    return wb_container_out_of_memory(walk);
  if (status != WARPBOUND_OK)
    return wb_container_add_damaged(walk, part->place, part->begin, "%s", error.message);
  struct wb_image image = {
      .kind = WB_IMAGE_CUBIN,
      .architecture = cubin.architecture,
      .suffix = cubin.suffix,
      .place = part->place,
      .offset = part->begin,
      .identifier = "",
      .options = "",
      .stored = bytes,
      .stored_length = length,
      .length = length,
  };
  memcpy(image.architecture_name, cubin.architecture_name, sizeof image.architecture_name);
  wb_cubin_free(&cubin);
  return wb_container_add(walk, &image);
}

/* A member of a library that holds no code is passed over. */
static bool walk_part(struct wb_container_walk *walk, const struct wb_container_part *part,
                      unsigned depth)
{
  if (depth >= WB_CONTAINER_DEPTH_LIMIT)
    return wb_container_add_damaged(walk, part->place, part->begin,
                                    "expected files within files at most %d deep",
                                    WB_CONTAINER_DEPTH_LIMIT);
  switch (wb_container_kind(walk->bytes + part->begin, part->end - part->begin)) {
  case WB_CONTAINER_CUBIN:
    return add_cubin(walk, part);
  case WB_CONTAINER_FAT_BINARY:
    return wb_container_walk_fat_binaries(walk, part, false);
  case WB_CONTAINER_PROGRAM:
    return wb_container_walk_program(walk, part);
  case WB_CONTAINER_LIBRARY:
    return wb_container_walk_library(walk, part, depth + 1, walk_part);
  default:
    return true;
  }
}

warpbound_status wb_container_read(const char *name, const unsigned char *bytes, size_t length,
                                   struct wb_images *images, warpbound_error *error)
{
  warpbound_error record = {.status = WARPBOUND_OK};
  struct wb_container_walk walk = {
      .name = name, .bytes = bytes, .length = length, .images = images, .error = &record};
  const struct wb_container_part whole = {"", 0, length};
  *images = (struct wb_images){0};
  if (wb_container_kind(bytes, length) == WB_CONTAINER_NONE)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "expected a cubin, a fat binary, an ELF file or a static library");
  if (walk_part(&walk, &whole, 0) && images->count == 0)
    wb_container_fail(&walk, "expected GPU code (a cubin, a fat binary, or sections .nv_fatbin or "
                             "__nv_relfatbin), found none");
  if (record.status == WARPBOUND_OK)
    return WARPBOUND_OK;
  wb_images_free(images);
  return wb_fail_with(error, &record);
}
