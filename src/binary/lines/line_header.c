#include "binary/lines/line_header.h"

#include "base/memory.h"

#include <stdlib.h>

/* Forms of version 5 that names of files have, and others that stand beside them. */
enum {
  FORM_BLOCK = 0x09,
  FORM_DATA1 = 0x0b,
  FORM_DATA2 = 0x05,
  FORM_DATA4 = 0x06,
  FORM_DATA8 = 0x07,
  FORM_DATA16 = 0x1e,
  FORM_STRING = 0x08,
  FORM_STRP = 0x0e,
  FORM_LINE_STRP = 0x1f,
  FORM_UDATA = 0x0f,
  CONTENT_PATH = 1,
  CONTENT_DIRECTORY = 2
};

/* Names of folders, while a head is read. */
struct folders {
  const char **names;
  size_t count, capacity;
};

static bool add_folder(struct folders *folders, const char *name)
{
  if (!wb_grow(folders->names, &folders->capacity, folders->count + 1))
    return false;
  folders->names[folders->count++] = name;
  return true;
}

/* Adds a file with its folder, unless its name begins at the root. */
static enum wb_line_reading add_file(struct wb_line_table *table, const struct folders *folders,
                                     uint64_t folder, const char *name)
{
  const char *before = name[0] != '/' && folder < folders->count ? folders->names[folder] : "";
  if (!wb_grow(table->files, &table->file_capacity, table->file_count + 1))
    return WB_LINES_NO_MEMORY;
  table->files[table->file_count++] = (struct wb_line_file){before, name};
  return WB_LINES_READ;
}

/* Versions 2 to 4: strings, each list ended by an empty one. */
static enum wb_line_reading read_old_files(struct wb_byte_cursor *cursor, struct folders *folders,
                                           struct wb_line_table *table)
{
  const char *name;
  if (!add_folder(folders, "")) /* number 0: where the compiler ran */
    return WB_LINES_NO_MEMORY;
  while ((name = wb_cursor_string(cursor)) != NULL && *name != '\0') {
    if (!add_folder(folders, name))
      return WB_LINES_NO_MEMORY;
  }
  while ((name = wb_cursor_string(cursor)) != NULL && *name != '\0') {
    uint64_t folder = wb_cursor_uleb(cursor);
    wb_cursor_uleb(cursor); /* when it was changed */
    wb_cursor_uleb(cursor); /* its length */
    enum wb_line_reading reading =
        cursor->failed ? WB_LINES_DAMAGED : add_file(table, folders, folder, name);
    if (reading != WB_LINES_READ)
      return reading;
  }
  return cursor->failed ? WB_LINES_DAMAGED : WB_LINES_READ;
}

/* The longest name: without a limit a damaged file could have one long one read again and again. */
enum { NAME_LONGEST = 4096 };

/* A string of another section, NULL: which there is not. */
static const char *string_at(const struct wb_cubin_section *strings, uint64_t offset)
{
  if (strings == NULL || strings->bytes == NULL || offset >= strings->size)
    return NULL;
  uint64_t left = strings->size - offset;
  const unsigned char *first = strings->bytes + offset;
  struct wb_byte_cursor cursor = {first, first + (left < NAME_LONGEST ? left : NAME_LONGEST),
                                  false};
  return wb_cursor_string(&cursor);
}

/* A value of version 5: a string, or a number; others are passed over. */
static void read_form(const struct wb_line_header *header, struct wb_byte_cursor *cursor,
                      uint64_t form, const char **string, uint64_t *number)
{
  switch (form) {
  case FORM_STRING:
    *string = wb_cursor_string(cursor);
    break;
  case FORM_STRP:
    *string = string_at(header->strings, wb_cursor_number(cursor, header->offset_size));
    break;
  case FORM_LINE_STRP:
    *string = string_at(header->line_strings, wb_cursor_number(cursor, header->offset_size));
    break;
  case FORM_UDATA:
    *number = wb_cursor_uleb(cursor);
    break;
  case FORM_DATA1:
    *number = wb_cursor_number(cursor, 1);
    break;
  case FORM_DATA2:
    *number = wb_cursor_number(cursor, 2);
    break;
  case FORM_DATA4:
    *number = wb_cursor_number(cursor, 4);
    break;
  case FORM_DATA8:
    *number = wb_cursor_number(cursor, 8);
    break;
  case FORM_DATA16:
    wb_cursor_bytes(cursor, 16);
    break;
  case FORM_BLOCK:
    wb_cursor_bytes(cursor, wb_cursor_uleb(cursor));
    break;
  default:
    cursor->failed = true;
  }
}

/* The pairs of content and form that say how entries are written. */
struct entry_format {
  uint64_t contents[16];
  uint64_t forms[16];
  unsigned count;
};

static void read_entry_format(struct wb_byte_cursor *cursor, struct entry_format *format)
{
  format->count = (unsigned)wb_cursor_number(cursor, 1);
  if (format->count > 16)
    cursor->failed = true;
  for (unsigned i = 0; i < format->count && !cursor->failed; i++) {
    format->contents[i] = wb_cursor_uleb(cursor);
    format->forms[i] = wb_cursor_uleb(cursor);
  }
}

/* Version 5: folders or files. */
static enum wb_line_reading read_new_entries(const struct wb_line_header *header,
                                             struct wb_byte_cursor *cursor, struct folders *folders,
                                             struct wb_line_table *table)
{
  struct entry_format format = {0};
  read_entry_format(cursor, &format);
  uint64_t count = wb_cursor_uleb(cursor);
  for (uint64_t i = 0; i < count && !cursor->failed; i++) {
    const char *name = NULL;
    uint64_t folder = 0;
    const unsigned char *first = cursor->at;
    for (unsigned f = 0; f < format.count; f++) {
      const char *string = NULL;
      uint64_t number = 0;
      read_form(header, cursor, format.forms[f], &string, &number);
      name = format.contents[f] == CONTENT_PATH ? string : name;
      folder = format.contents[f] == CONTENT_DIRECTORY ? number : folder;
    }
    if (cursor->failed || cursor->at == first || name == NULL)
      return WB_LINES_DAMAGED;
    enum wb_line_reading reading = WB_LINES_READ;
    if (table != NULL)
      reading = add_file(table, folders, folder, name);
    else if (!add_folder(folders, name))
      reading = WB_LINES_NO_MEMORY;
    if (reading != WB_LINES_READ)
      return reading;
  }
  return cursor->failed ? WB_LINES_DAMAGED : WB_LINES_READ;
}

static enum wb_line_reading read_files(const struct wb_line_header *header,
                                       struct wb_byte_cursor *cursor, struct wb_line_table *table)
{
  struct folders folders = {0};
  enum wb_line_reading reading;
  if (header->version < 5) {
    reading = read_old_files(cursor, &folders, table);
  } else {
    reading = read_new_entries(header, cursor, &folders, NULL);
    if (reading == WB_LINES_READ)
      reading = read_new_entries(header, cursor, &folders, table);
  }
  free(folders.names);
  return reading;
}

enum wb_line_reading wb_line_header_read(struct wb_byte_cursor *cursor, struct wb_line_table *table,
                                         struct wb_line_header *header)
{
  header->version = (unsigned)wb_cursor_number(cursor, 2);
  if (header->version < 2 || header->version > 5)
    return WB_LINES_DAMAGED;
  if (header->version == 5) {
    wb_cursor_number(cursor, 1); /* bytes of an address; each instruction says it, too */
    wb_cursor_number(cursor, 1); /* of a segment's number */
  }
  uint64_t length = wb_cursor_number(cursor, header->offset_size);
  const unsigned char *first = cursor->at;
  if (cursor->failed || length > (size_t)(cursor->end - first))
    return WB_LINES_DAMAGED;
  header->minimum_length = (unsigned)wb_cursor_number(cursor, 1);
  if (header->version >= 4)
    wb_cursor_number(cursor, 1); /* operations of a long instruction word: 1 */
  wb_cursor_number(cursor, 1);   /* whether lines are statements at first */
  header->line_base = (int)(int8_t)wb_cursor_number(cursor, 1);
  header->line_range = (unsigned)wb_cursor_number(cursor, 1);
  header->opcode_base = (unsigned)wb_cursor_number(cursor, 1);
  if (cursor->failed || header->opcode_base == 0 || header->line_range == 0)
    return WB_LINES_DAMAGED;
  header->operand_counts = wb_cursor_bytes(cursor, header->opcode_base - 1);
  header->first_file = table->file_count;
  header->file_base = header->version < 5;
  enum wb_line_reading reading =
      cursor->failed ? WB_LINES_DAMAGED : read_files(header, cursor, table);
  header->file_count = table->file_count - header->first_file;
  cursor->at = first + length;
  return reading;
}
