#include "binary/container/container.h"

#include "base/little_endian.h"
#include "base/memory.h"
#include "binary/cubin/cubin.h"

#include <gelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the walks share ---- */

/* Deepest nesting: a library in a library, an object in it. */
#define DEPTH_LIMIT 4

/* A walk under way. Its functions return false with *error where it is to end. */
struct walk {
  const char *name; /* of the file, for messages */
  const unsigned char *bytes;
  size_t length;
  struct wb_images *images;
  uint64_t looked_at; /* bytes of sections so far, which may overlap */
  warpbound_error *error;
};

/* A stretch of the file, and where it lies: "b.o, .nv_fatbin", "" for the whole file. */
struct part {
  const char *place;
  size_t begin;
  size_t end;
};

/* Sections of one file together are looked at as many times its bytes at most. */
#define SHARED_BYTES 4

/* Longest place in words; a longer one is cut off. */
#define PLACE_SIZE 256

/* Ends the walk: the file is not valid. */
static bool fail_walk(const struct walk *walk, const char *format, ...) WB_PRINTF(2, 3);

static bool fail_walk(const struct walk *walk, const char *format, ...)
{
  char message[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  wb_fail_at(walk->error, WARPBOUND_INVALID_INPUT, walk->name, 0, 0, "%s", message);
  return false;
}

static bool out_of_memory(const struct walk *walk)
{
  wb_out_of_memory(walk->error);
  return false;
}

/* A copy of a text that lives as long as the list; NULL with *error where memory is out. */
static const char *keep_text(struct walk *walk, const char *text, size_t length)
{
  const char *kept = wb_name_pool_copy(&walk->images->names, text, length);
  if (kept == NULL)
    wb_out_of_memory(walk->error);
  return kept;
}

/* Adds an image; its texts must be the list's. */
static bool add_image(struct walk *walk, const struct wb_image *image)
{
  struct wb_images *images = walk->images;
  if (images->count >= WB_CONTAINER_IMAGE_LIMIT)
    return fail_walk(walk, "offset 0x%llx: expected at most %zu images",
                     (unsigned long long)image->offset, WB_CONTAINER_IMAGE_LIMIT);
  const uint64_t of_file = WB_CONTAINER_EXPANSION * (uint64_t)walk->length;
  const uint64_t most = of_file > WB_CONTAINER_BYTES_LIMIT ? of_file : WB_CONTAINER_BYTES_LIMIT;
  if (image->length > most - images->bytes)
    return fail_walk(walk, "offset 0x%llx: expected images of at most %llu bytes together",
                     (unsigned long long)image->offset, (unsigned long long)most);
  if (!wb_grow(images->items, &images->capacity, images->count + 1))
    return out_of_memory(walk);
  images->items[images->count++] = *image;
  images->bytes += image->length;
  return true;
}

/* The place of a part of a part, "PLACE, WORDS"; NULL with *error where memory is out. */
static const char *place_of(struct walk *walk, const char *place, const char *format, ...)
    WB_PRINTF(3, 4);

static const char *place_of(struct walk *walk, const char *place, const char *format, ...)
{
  char words[PLACE_SIZE];
  char last[PLACE_SIZE / 2];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(last, sizeof last, format, arguments);
  va_end(arguments);
  snprintf(words, sizeof words, "%.*s%s%s", PLACE_SIZE / 2 - 4, place, place[0] != '\0' ? ", " : "",
           last);
  return keep_text(walk, words, strlen(words));
}

/* Adds what is damaged: the message says what was expected at the offset. */
static bool add_damaged(struct walk *walk, const char *place, uint64_t offset, const char *format,
                        ...) WB_PRINTF(4, 5);

static bool add_damaged(struct walk *walk, const char *place, uint64_t offset, const char *format,
                        ...)
{
  char message[300];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  const char *damage = keep_text(walk, message, strlen(message));
  const struct wb_image image = {.kind = WB_IMAGE_NONE,
                                 .place = place,
                                 .offset = offset,
                                 .identifier = "",
                                 .options = "",
                                 .damage = damage};
  return damage != NULL && add_image(walk, &image);
}

/* ---- fat binaries ---- */

/* A fat binary is a head of 16 bytes, then entries, each a head and an image. */

#define FAT_MAGIC 0xba55ed50u
#define FAT_VERSION 1

/* The head: magic, u16 version, u16 its own size, u64 bytes of the entries. */
#define FAT_HEAD_SIZE 16

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
static const char *text_of(struct walk *walk, const struct entry *entry, size_t begin, size_t size)
{
  if (begin < ENTRY_HEAD_LEAST || begin > entry->head_size || size > entry->head_size - begin)
    return "";
  const char *text = (const char *)entry->head + begin;
  const char *end = memchr(text, '\0', size);
  return keep_text(walk, text, end != NULL ? (size_t)(end - text) : size);
}

/* The options of a PTX entry: at a place of the head u32 place, u32 size. */
static const char *options_of(struct walk *walk, const struct entry *entry)
{
  const size_t at = wb_u32(entry->head + ENTRY_OPTIONS);
  if (wb_u16(entry->head + ENTRY_KIND) != KIND_PTX || at < ENTRY_HEAD_LEAST ||
      at > entry->head_size || entry->head_size - at < 8)
    return "";
  return text_of(walk, entry, wb_u32(entry->head + at), wb_u32(entry->head + at + 4));
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

static bool add_entry(struct walk *walk, const struct entry *entry)
{
  const unsigned char *head = entry->head;
  const unsigned kind = wb_u16(head + ENTRY_KIND);
  const uint64_t flags = wb_u64(head + ENTRY_FLAGS);
  struct wb_image image = {
      .kind = WB_IMAGE_OTHER,
      .architecture = wb_u32(head + ENTRY_ARCHITECTURE),
      .place = entry->place,
      .offset = entry->at + entry->head_size,
      .debug = (flags & FLAG_DEBUG) != 0,
      .stored = head + entry->head_size,
  };
  const char *why = "";
  if (kind == KIND_PTX)
    image.kind = WB_IMAGE_PTX;
  else if (kind == KIND_ELF)
    image.kind = WB_IMAGE_CUBIN;
  if ((flags & FLAG_ARCHITECTURE_ONLY) != 0)
    image.suffix = 'a';
  else if ((flags & FLAG_FAMILY) != 0)
    image.suffix = 'f';
  snprintf(image.architecture_name, sizeof image.architecture_name, "sm_%u%c",
           (unsigned)image.architecture, image.suffix);
  image.identifier =
      text_of(walk, entry, wb_u32(head + ENTRY_IDENTIFIER), wb_u32(head + ENTRY_IDENTIFIER + 4));
  image.options = options_of(walk, entry);
  if (image.identifier == NULL || image.options == NULL)
    return false;
  if (!read_sizes(entry, &image, &why))
    return add_damaged(walk, entry->place, entry->at, "expected %s", why);
  return add_image(walk, &image);
}

/* The entries from `at` to `end`; *number counts those of the part. Where one is damaged the rest
 * cannot be found. */
static bool walk_entries(struct walk *walk, const struct part *part, size_t at, size_t end,
                         size_t *number)
{
  while (at < end) {
    struct entry entry = {.head = walk->bytes + at, .at = at};
    entry.place = place_of(walk, part->place, "entry %zu", ++*number);
    if (entry.place == NULL)
      return false;
    if (end - at < ENTRY_HEAD_LEAST)
      return add_damaged(walk, entry.place, at, "expected an entry of at least %d bytes",
                         ENTRY_HEAD_LEAST);
    entry.head_size = wb_u32(entry.head + ENTRY_HEAD_SIZE);
    const uint64_t stored = wb_u64(entry.head + ENTRY_STORED);
    if (entry.head_size < ENTRY_HEAD_LEAST || entry.head_size > end - at ||
        stored > end - at - entry.head_size)
      return add_damaged(
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

/* Where the next fat binary begins in a part from `from` on, or part->end. *gap: something but
 * zeros lies before it. */
static size_t find_fat_binary(const struct walk *walk, const struct part *part, size_t from,
                              bool *gap)
{
  /* They begin at multiples of 8 from the part's beginning, which is such a multiple in memory. */
  size_t at = part->begin + (from - part->begin + 7) / 8 * 8;
  size_t found = part->end;
  for (; found == part->end && at < part->end && part->end - at >= FAT_HEAD_SIZE; at += 8) {
    const unsigned char *bytes = walk->bytes + at;
    if (wb_u32(bytes) == FAT_MAGIC && wb_u16(bytes + 4) == FAT_VERSION &&
        wb_u16(bytes + 6) >= FAT_HEAD_SIZE)
      found = at;
  }
  *gap = false;
  for (size_t i = from; i < found && !*gap; i++)
    *gap = walk->bytes[i] != 0;
  return found;
}

/* The one at *at, and *at behind it. */
static bool walk_fat_binary(struct walk *walk, const struct part *part, size_t *at, size_t *number)
{
  const unsigned char *head = walk->bytes + *at;
  const size_t left = part->end - *at;
  const size_t head_size = wb_u16(head + 6);
  const uint64_t size = wb_u64(head + 8);
  if (head_size > left || size > left - head_size) {
    const size_t place = *at;
    bool gap;
    *at = find_fat_binary(walk, part, place + 8, &gap);
    return add_damaged(walk, part->place, place,
                       "expected a fat binary of 0x%llx bytes, found 0x%zx",
                       (unsigned long long)size, left);
  }
  const size_t begin = *at + head_size;
  *at = begin + (size_t)size;
  return walk_entries(walk, part, begin, *at, number);
}

/* All fat binaries of a part. Between them are zeros, or with `others` anything. */
static bool walk_fat_binaries(struct walk *walk, const struct part *part, bool others)
{
  size_t number = 0;
  size_t at = part->begin;
  while (at < part->end) {
    bool gap;
    const size_t next = find_fat_binary(walk, part, at, &gap);
    if (!others && gap &&
        !add_damaged(walk, part->place, at, "expected a fat binary (magic 0x%08x, version %d)",
                     FAT_MAGIC, FAT_VERSION))
      return false;
    at = next;
    if (at < part->end && !walk_fat_binary(walk, part, &at, &number))
      return false;
  }
  return true;
}

/* ---- programs ---- */

/* ELF files for a processor: the sections in which compilers of CUDA put fat binaries. */

/* Counts what is looked at: sections of a hostile file may all be of the same bytes. */
static bool look_at(struct walk *walk, const struct part *part)
{
  const uint64_t most = (uint64_t)SHARED_BYTES * walk->length;
  if (part->end - part->begin > most - walk->looked_at)
    return fail_walk(walk, "%s: expected sections of at most %d times the file's bytes",
                     part->place, SHARED_BYTES);
  walk->looked_at += part->end - part->begin;
  return true;
}

static bool walk_section(struct walk *walk, const struct part *program, const GElf_Shdr *head,
                         const char *name)
{
  struct part part = {.place = place_of(walk, program->place, "%s", name)};
  const size_t length = program->end - program->begin;
  if (part.place == NULL)
    return false;
  if (head->sh_type == SHT_NOBITS || head->sh_offset > length ||
      head->sh_size > length - head->sh_offset)
    return add_damaged(walk, part.place, program->begin + head->sh_offset,
                       "expected a section of 0x%llx bytes, the file has 0x%zx",
                       (unsigned long long)head->sh_size, length);
  part.begin = program->begin + (size_t)head->sh_offset;
  part.end = part.begin + (size_t)head->sh_size;
  return look_at(walk, &part) && walk_fat_binaries(walk, &part, false);
}

bool wb_container_section_counts(const char *name)
{
  return strcmp(name, ".nv_fatbin") == 0 || strcmp(name, "__nv_relfatbin") == 0;
}

static bool walk_sections(struct walk *walk, const struct part *program, Elf *elf, bool *found)
{
  size_t names;
  if (elf_getshdrstrndx(elf, &names) != 0)
    return true;
  for (Elf_Scn *section = elf_nextscn(elf, NULL); section != NULL;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr head;
    const char *name =
        gelf_getshdr(section, &head) != NULL ? elf_strptr(elf, names, head.sh_name) : NULL;
    if (name == NULL || !wb_container_section_counts(name))
      continue;
    *found = true;
    if (!walk_section(walk, program, &head, name))
      return false;
  }
  return true;
}

/* The sections of an ELF file that hold fat binaries; where none does, fat binaries anywhere in
 * it. */
static bool walk_program(struct walk *walk, const struct part *part)
{
  bool found = false;
  if (elf_version(EV_CURRENT) != EV_NONE) {
    /* libelf takes bytes that may be written; opened to read, it does not. */
    Elf *elf = elf_memory((char *)walk->bytes + part->begin, part->end - part->begin);
    const bool walked = elf == NULL || walk_sections(walk, part, elf, &found);
    elf_end(elf);
    if (!walked)
      return false;
  }
  return found || (look_at(walk, part) && walk_fat_binaries(walk, part, true));
}

/* ---- static libraries ---- */

/* Static libraries: "!<arch>\n", then members, each a head of 60 letters and its bytes. libelf
 * reads them from files alone, not from memory. */

#define MAGIC_SIZE 8

/* The head of a member: places of its fields, blanks behind each. */
enum { NAME_SIZE = 16, SIZE_AT = 48, SIZE_SIZE = 10, END_AT = 58, HEAD_SIZE = 60 };

/* A member, and the table of long names, which comes before those that need it. */
struct member {
  const char *head;
  size_t begin; /* of its bytes in the file */
  size_t size;
  const char *name;
  size_t name_length;
};

struct long_names {
  const char *text;
  size_t length;
};

/* A decimal number with blanks behind it, below 10^10. */
static bool read_number(const char *text, size_t length, size_t *number)
{
  size_t digits = 0;
  for (*number = 0; digits < length && text[digits] >= '0' && text[digits] <= '9'; digits++)
    *number = *number * 10 + (size_t)(text[digits] - '0');
  return digits > 0 && (digits == length || text[digits] == ' ');
}

/* The member's name: in its head and ended by a slash or blanks; "/N", at N of the table of long
 * names; or, as in BSD, "#1/N", its first N bytes. */
static void read_name(struct member *member, const char *bytes, const struct long_names *names)
{
  size_t number;
  member->name = member->head;
  member->name_length = 0;
  while (member->name_length < NAME_SIZE && member->head[member->name_length] != '/' &&
         member->head[member->name_length] != ' ')
    member->name_length++;
  if (member->head[0] == '/' && read_number(member->head + 1, NAME_SIZE - 1, &number) &&
      number < names->length) {
    const char *end = memchr(names->text + number, '/', names->length - number);
    member->name = names->text + number;
    member->name_length = end != NULL ? (size_t)(end - member->name) : names->length - number;
  } else if (memcmp(member->head, "#1/", 3) == 0 &&
             read_number(member->head + 3, NAME_SIZE - 3, &number) && number <= member->size) {
    member->name = bytes;
    member->name_length = number;
    while (member->name_length > 0 && bytes[member->name_length - 1] == '\0')
      member->name_length--;
    member->begin += number;
    member->size -= number;
  }
}

static bool walk_part(struct walk *walk, const struct part *part, unsigned depth);

/* Walks a member; the table of long names is noted, and that of symbols passed over. */
static bool walk_member(struct walk *walk, const struct part *library, struct member *member,
                        struct long_names *names, unsigned depth)
{
  const char *bytes = (const char *)walk->bytes + member->begin;
  if (memcmp(member->head, "// ", 3) == 0) {
    *names = (struct long_names){bytes, member->size};
    return true;
  }
  if (memcmp(member->head, "/ ", 2) == 0 || memcmp(member->head, "/SYM64/", 7) == 0 ||
      memcmp(member->head, "__.SYMDEF", 9) == 0)
    return true;
  read_name(member, bytes, names);
  /* Of those that are passed over no name is kept: a library may have millions. */
  if (wb_container_kind(walk->bytes + member->begin, member->size) == WB_CONTAINER_NONE)
    return true;
  const int length = member->name_length < 100 ? (int)member->name_length : 100;
  const struct part part = {place_of(walk, library->place, "%.*s", length, member->name),
                            member->begin, member->begin + member->size};
  return part.place != NULL && walk_part(walk, &part, depth);
}

static bool walk_library(struct walk *walk, const struct part *part, unsigned depth)
{
  struct long_names names = {"", 0};
  size_t at = part->begin + MAGIC_SIZE;
  while (at < part->end) {
    struct member member = {.head = (const char *)walk->bytes + at, .begin = at + HEAD_SIZE};
    if (part->end - at < HEAD_SIZE || memcmp(member.head + END_AT, "`\n", 2) != 0 ||
        !read_number(member.head + SIZE_AT, SIZE_SIZE, &member.size) ||
        member.size > part->end - member.begin)
      return add_damaged(walk, part->place, at, "expected the head of a library's member");
    const size_t end = member.begin + member.size;
    if (!walk_member(walk, part, &member, &names, depth))
      return false;
    at = end + (end - part->begin) % 2;
  }
  return true;
}

/* ---- a file ---- */

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
static bool add_cubin(struct walk *walk, const struct part *part)
{
  struct wb_cubin cubin;
  warpbound_error error;
  const unsigned char *bytes = walk->bytes + part->begin;
  const size_t length = part->end - part->begin;
  const warpbound_status status = wb_cubin_read(walk->name, bytes, length, &cubin, &error);
  if (status == WARPBOUND_INTERNAL)
    return out_of_memory(walk);
  if (status != WARPBOUND_OK)
    return add_damaged(walk, part->place, part->begin, "%s", error.message);
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
  return add_image(walk, &image);
}

/* A member of a library that holds no code is passed over. */
static bool walk_part(struct walk *walk, const struct part *part, unsigned depth)
{
  if (depth >= DEPTH_LIMIT)
    return add_damaged(walk, part->place, part->begin,
                       "expected files within files at most %d deep", DEPTH_LIMIT);
  switch (wb_container_kind(walk->bytes + part->begin, part->end - part->begin)) {
  case WB_CONTAINER_CUBIN:
    return add_cubin(walk, part);
  case WB_CONTAINER_FAT_BINARY:
    return walk_fat_binaries(walk, part, false);
  case WB_CONTAINER_PROGRAM:
    return walk_program(walk, part);
  case WB_CONTAINER_LIBRARY:
    return walk_library(walk, part, depth + 1);
  default:
    return true;
  }
}

warpbound_status wb_container_read(const char *name, const unsigned char *bytes, size_t length,
                                   struct wb_images *images, warpbound_error *error)
{
  warpbound_error record = {.status = WARPBOUND_OK};
  struct walk walk = {
      .name = name, .bytes = bytes, .length = length, .images = images, .error = &record};
  const struct part whole = {"", 0, length};
  *images = (struct wb_images){0};
  if (wb_container_kind(bytes, length) == WB_CONTAINER_NONE)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "expected a cubin, a fat binary, an ELF file or a static library");
  if (walk_part(&walk, &whole, 0) && images->count == 0)
    fail_walk(&walk, "expected GPU code (a cubin, a fat binary, or sections .nv_fatbin or "
                     "__nv_relfatbin), found none");
  if (record.status == WARPBOUND_OK)
    return WARPBOUND_OK;
  wb_images_free(images);
  return wb_fail_with(error, &record);
}
