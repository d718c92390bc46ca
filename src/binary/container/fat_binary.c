/* Fat binaries: a head of 16 bytes, then entries, each a head and an image. */
#include "binary/container/container_walk.h"

#include "base/little_endian.h"

#include <stdio.h>
#include <string.h>

#define MAGIC 0xba55ed50u
#define VERSION 1

/* The head: magic, u16 version, u16 its own size, u64 bytes of the entries. */
#define HEAD_SIZE 16

/* The head of an entry: places of its members. The parts behind the first 64 bytes, the name and
 * the options, have their places from the head's beginning. */
enum {
  ENTRY_KIND = 0,          /* u16 */
  ENTRY_HEAD_SIZE = 4,     /* u32 */
  ENTRY_STORED = 8,        /* u64, with padding to 8 bytes */
  ENTRY_COMPRESSED = 16,   /* u32, without that; 0 where not compressed */
  ENTRY_OPTIONS = 20,      /* u32, of two more: the place and the size of the text */
  ENTRY_ARCHITECTURE = 28, /* u32 */
  ENTRY_IDENTIFIER = 32,   /* u32 place, u32 size */
  ENTRY_FLAGS = 40,        /* u64 */
  ENTRY_UNCOMPRESSED = 56, /* u64; 0 where not compressed */
  ENTRY_HEAD_LEAST = 64    /* bytes of all these */
};

enum { KIND_PTX = 1, KIND_ELF = 2 };

#define FLAG_DEBUG 0x2u
#define FLAG_LZ4 0x2000u
#define FLAG_ZSTANDARD 0x8000u
#define FLAG_ARCHITECTURE_ONLY 0x100000u /* suffix a */
#define FLAG_FAMILY 0x200000u            /* suffix f */

/* An LZ4 block grows to at most so many times its size. */
#define LZ4_GROWTH 255

/* One entry: its head and image within the file. */
struct entry {
  const unsigned char *head;
  size_t at; /* of the head in the file */
  size_t head_size;
  size_t stored;     /* bytes of the image, with padding */
  const char *place; /* in words */
};

/* A text in an entry's head, "" for none or one that is not within it. */
static const char *text_of(struct wb_container_walk *walk, const struct entry *entry, size_t begin,
                           size_t size)
{
  if (begin < ENTRY_HEAD_LEAST || begin > entry->head_size || size > entry->head_size - begin)
    return "";
  const char *text = (const char *)entry->head + begin;
  const char *end = memchr(text, '\0', size);
  return wb_container_keep(walk, text, end != NULL ? (size_t)(end - text) : size);
}

/* The options of a PTX entry: at a place of the head u32 place, u32 size. */
static const char *options_of(struct wb_container_walk *walk, const struct entry *entry)
{
  const size_t at = wb_u32(entry->head + ENTRY_OPTIONS);
  if (wb_u16(entry->head + ENTRY_KIND) != KIND_PTX || at < ENTRY_HEAD_LEAST ||
      at > entry->head_size || entry->head_size - at < 8)
    return "";
  return text_of(walk, entry, wb_u32(entry->head + at), wb_u32(entry->head + at + 4));
}

static void name_architecture(struct wb_image *image, uint64_t flags)
{
  if ((flags & FLAG_ARCHITECTURE_ONLY) != 0)
    image->suffix = 'a';
  else if ((flags & FLAG_FAMILY) != 0)
    image->suffix = 'f';
  snprintf(image->architecture_name, sizeof image->architecture_name, "sm_%u%c",
           (unsigned)image->architecture, image->suffix);
}

static enum wb_image_kind kind_of(const struct entry *entry)
{
  switch (wb_u16(entry->head + ENTRY_KIND)) {
  case KIND_PTX:
    return WB_IMAGE_PTX;
  case KIND_ELF:
    return WB_IMAGE_CUBIN;
  default:
    return WB_IMAGE_OTHER;
  }
}

/* Sizes and compression. false: they cannot be right; *why says so. */
static bool read_sizes(const struct entry *entry, struct wb_image *image, const char **why)
{
  const uint64_t flags = wb_u64(entry->head + ENTRY_FLAGS);
  const uint64_t uncompressed = wb_u64(entry->head + ENTRY_UNCOMPRESSED);
  const uint32_t compressed = wb_u32(entry->head + ENTRY_COMPRESSED);
  image->stored_length = image->length = entry->stored;
  if (image->kind == WB_IMAGE_OTHER)
    return true;
  if ((flags & (FLAG_LZ4 | FLAG_ZSTANDARD)) != 0) {
    image->compression = (flags & FLAG_LZ4) != 0 ? WB_IMAGE_LZ4 : WB_IMAGE_ZSTANDARD;
    *why = "a compressed size within the entry";
    if (compressed > entry->stored)
      return false;
    image->stored_length = compressed;
    *why = "at most 268435456 bytes after decompression";
    if (uncompressed > WB_IMAGE_LIMIT)
      return false;
    image->length = (size_t)uncompressed;
    *why = "at most 255 times the bytes of an LZ4 block";
    if (image->compression == WB_IMAGE_LZ4 && uncompressed > (uint64_t)LZ4_GROWTH * compressed)
      return false;
  }
  *why = "at most 268435456 bytes";
  return image->stored_length <= WB_IMAGE_LIMIT;
}

static bool add_entry(struct wb_container_walk *walk, const struct entry *entry)
{
  struct wb_image image = {
      .kind = kind_of(entry),
      .architecture = wb_u32(entry->head + ENTRY_ARCHITECTURE),
      .place = entry->place,
      .offset = entry->at + entry->head_size,
      .debug = (wb_u64(entry->head + ENTRY_FLAGS) & FLAG_DEBUG) != 0,
      .stored = entry->head + entry->head_size,
  };
  const char *why = "";
  name_architecture(&image, wb_u64(entry->head + ENTRY_FLAGS));
  image.identifier = text_of(walk, entry, wb_u32(entry->head + ENTRY_IDENTIFIER),
                             wb_u32(entry->head + ENTRY_IDENTIFIER + 4));
  image.options = options_of(walk, entry);
  if (image.identifier == NULL || image.options == NULL)
    return false;
  if (!read_sizes(entry, &image, &why))
    return wb_container_add_damaged(walk, entry->place, entry->at, "expected %s", why);
  return wb_container_add(walk, &image);
}

/* The entries from `at` to `end`; *number counts those of the part. Where one is damaged the rest
 * cannot be found. */
static bool walk_entries(struct wb_container_walk *walk, const struct wb_container_part *part,
                         size_t at, size_t end, size_t *number)
{
  while (at < end) {
    struct entry entry = {.head = walk->bytes + at, .at = at};
    entry.place = wb_container_place(walk, part->place, "entry %zu", ++*number);
    if (entry.place == NULL)
      return false;
    if (end - at < ENTRY_HEAD_LEAST)
      return wb_container_add_damaged(walk, entry.place, at,
                                      "expected an entry of at least %d bytes", ENTRY_HEAD_LEAST);
    entry.head_size = wb_u32(entry.head + ENTRY_HEAD_SIZE);
    const uint64_t stored = wb_u64(entry.head + ENTRY_STORED);
    if (entry.head_size < ENTRY_HEAD_LEAST || entry.head_size > end - at ||
        stored > end - at - entry.head_size)
      return wb_container_add_damaged(
          walk, entry.place, at,
          "expected an entry within the fat binary, found 0x%zx and 0x%llx bytes of 0x%zx",
          entry.head_size, (unsigned long long)stored, end - at);
    entry.stored = (size_t)stored;
    if (!add_entry(walk, &entry))
      return false;
    at += entry.head_size + entry.stored;
  }
  return true;
}

static bool begins_fat_binary(const unsigned char *bytes)
{
  return wb_u32(bytes) == MAGIC && wb_u16(bytes + 4) == VERSION && wb_u16(bytes + 6) >= HEAD_SIZE;
}

/* Where the next fat binary begins in a part from `from` on, or part->end. */
static size_t find_fat_binary(const struct wb_container_walk *walk,
                              const struct wb_container_part *part, size_t from)
{
  /* They begin at multiples of 8 from the part's beginning, which is such a multiple in memory. */
  size_t at = part->begin + (from - part->begin + 7) / 8 * 8;
  for (; at < part->end && part->end - at >= HEAD_SIZE; at += 8) {
    if (begins_fat_binary(walk->bytes + at))
      return at;
  }
  return part->end;
}

/* The one at *at, and *at behind it. */
static bool walk_fat_binary(struct wb_container_walk *walk, const struct wb_container_part *part,
                            size_t *at, size_t *number)
{
  const unsigned char *head = walk->bytes + *at;
  const size_t left = part->end - *at;
  const size_t head_size = wb_u16(head + 6);
  const uint64_t size = wb_u64(head + 8);
  if (head_size > left || size > left - head_size) {
    const size_t place = *at;
    *at = find_fat_binary(walk, part, place + 8);
    return wb_container_add_damaged(walk, part->place, place,
                                    "expected a fat binary of 0x%llx bytes, found 0x%zx",
                                    (unsigned long long)size, left);
  }
  const size_t begin = *at + head_size;
  *at = begin + (size_t)size;
  return walk_entries(walk, part, begin, *at, number);
}

static bool is_zero(const unsigned char *bytes, size_t length)
{
  for (size_t i = 0; i < length; i++) {
    if (bytes[i] != 0)
      return false;
  }
  return true;
}

bool wb_container_walk_fat_binaries(struct wb_container_walk *walk,
                                    const struct wb_container_part *part, bool others)
{
  size_t number = 0;
  size_t at = part->begin;
  while (at < part->end) {
    const size_t next = find_fat_binary(walk, part, at);
    if (!others && !is_zero(walk->bytes + at, next - at) &&
        !wb_container_add_damaged(walk, part->place, at,
                                  "expected a fat binary (magic 0x%08x, version %d)", MAGIC,
                                  VERSION))
      return false;
    at = next;
    if (at < part->end && !walk_fat_binary(walk, part, &at, &number))
      return false;
  }
  return true;
}
