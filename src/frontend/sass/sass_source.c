/* Line information: `//## File "a.cu", line 3 inlined at "b.cu", line 5`. */
#include "frontend/sass/sass_parser.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a. */
static uint64_t hash(struct wb_sass_piece name)
{
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < name.length; i++)
    h = (h ^ (unsigned char)name.text[i]) * UINT64_C(0x100000001b3);
  return h ^ (h >> 32);
}

/* Where a file is in the slots, or the free slot where it would be. */
static size_t probe(const struct wb_sass_parser *parser, struct wb_sass_piece name)
{
  size_t at = (size_t)hash(name) & (parser->file_slot_count - 1);
  while (parser->file_slots[at] != 0 &&
         !wb_sass_equal(name, parser->code->files[parser->file_slots[at] - 1]))
    at = (at + 1) & (parser->file_slot_count - 1);
  return at;
}

/* Makes the slots twice as many as the files that there will be, at least. */
static bool grow_slots(struct wb_sass_parser *parser)
{
  const size_t count = parser->code->file_count;
  if (2 * (count + 1) <= parser->file_slot_count)
    return true;
  uint32_t *old = parser->file_slots;
  const size_t old_count = parser->file_slot_count;
  const size_t wanted = old_count == 0 ? 16 : 2 * old_count;
  uint32_t *slots = wb_allocate(wanted, sizeof *slots);
  if (slots == NULL)
    return wb_sass_out_of_memory(parser);
  parser->file_slots = slots;
  parser->file_slot_count = wanted;
  for (size_t f = 0; f < count; f++) {
    const char *name = parser->code->files[f];
    slots[probe(parser, (struct wb_sass_piece){name, strlen(name)})] = (uint32_t)f + 1;
  }
  free(old);
  return true;
}

/* The index of a file + 1. */
static bool file_index(struct wb_sass_parser *parser, struct wb_sass_piece name, uint32_t *index)
{
  struct wb_code *code = parser->code;
  if (!grow_slots(parser))
    return false;
  const size_t slot = probe(parser, name);
  if (parser->file_slots[slot] == 0) {
    void *files = code->files;
    const char *copy = wb_sass_pool_copy(parser, name);
    const bool grown = copy != NULL && wb_grow(&files, &parser->file_capacity, code->file_count + 1,
                                               sizeof *code->files);
    code->files = files;
    if (!grown)
      return wb_sass_out_of_memory(parser);
    code->files[code->file_count++] = copy;
    parser->file_slots[slot] = (uint32_t)code->file_count;
  }
  *index = parser->file_slots[slot];
  return true;
}

/* What is behind the first `mark` in a piece; empty where there is none. */
static struct wb_sass_piece behind(struct wb_sass_piece piece, const char *mark)
{
  const size_t length = strlen(mark);
  for (size_t i = 0; i + length <= piece.length; i++)
    if (memcmp(piece.text + i, mark, length) == 0)
      return (struct wb_sass_piece){piece.text + i + length, piece.length - i - length};
  return (struct wb_sass_piece){piece.text + piece.length, 0};
}

/* A file's name may be in any encoding, but has no control characters. */
static bool has_controls(struct wb_sass_piece name)
{
  for (size_t i = 0; i < name.length; i++)
    if ((unsigned char)name.text[i] < 0x20 || name.text[i] == 0x7f)
      return true;
  return false;
}

/* Of a chain of inlined places the first is where the instruction comes from, and each line
 * but the last says `inlined at`. */
bool wb_sass_source_line(struct wb_sass_parser *parser, struct wb_sass_piece line)
{
  const struct wb_sass_piece from_name = behind(line, "\"");
  const struct wb_sass_piece from_line = behind(from_name, "\", line ");
  const bool continued = parser->chain;
  uint32_t number = 0;
  size_t digits = 0;
  for (; digits < from_line.length && from_line.text[digits] >= '0' &&
         from_line.text[digits] <= '9' && number < UINT32_MAX / 10;
       digits++)
    number = number * 10 + (uint32_t)(from_line.text[digits] - '0');
  const size_t mark = strlen("\", line ");
  const struct wb_sass_piece name = {from_name.text,
                                     digits > 0 ? from_name.length - from_line.length - mark : 0};
  if (digits == 0 || has_controls(name))
    return wb_sass_expected(parser, parser->line, parser->line_start, line,
                            "line information such as //## File \"a.cu\", line 3");
  parser->chain = behind(from_line, "inlined at").length > 0;
  if (continued)
    return true;
  parser->source_line = number;
  return file_index(parser, name, &parser->source_file);
}
