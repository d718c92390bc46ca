#include "frontend/sass/text/sass_source.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/text/source_path.h"
#include "frontend/sass/text/sass_scanner.h"

#include <string.h>

static bool same_file(const void *files, uint32_t file, const void *name)
{
  return wb_sass_equal(*(const struct wb_sass_piece *)name, ((const char *const *)files)[file]);
}

static uint64_t hash_of_file(const void *files, uint32_t file)
{
  const char *name = ((const char *const *)files)[file];
  return wb_hash_finish(wb_hash_bytes(WB_HASH_START, name, strlen(name)));
}

bool wb_sass_file_index(struct wb_sass_parser *parser, struct wb_sass_piece name, uint32_t *index)
{
  struct wb_code *code = parser->code;
  if (!wb_hash_table_grow(&parser->file_table, code->file_count, hash_of_file, code->files))
    return wb_sass_out_of_memory(parser);
  const uint64_t hash = wb_hash_finish(wb_hash_bytes(WB_HASH_START, name.text, name.length));
  uint32_t *slot = wb_hash_table_slot(&parser->file_table, hash, same_file, code->files, &name);
  if (*slot == 0) {
    const char *copy = wb_sass_keep(parser, name);
    const bool grown =
        copy != NULL && wb_grow(code->files, &parser->file_capacity, code->file_count + 1);
    if (!grown)
      return wb_sass_out_of_memory(parser);
    code->files[code->file_count++] = copy;
    *slot = (uint32_t)code->file_count;
  }
  *index = *slot;
  return true;
}

/* The part of a piece after the first `mark`; empty where there is none. */
static struct wb_sass_piece after(struct wb_sass_piece piece, const char *mark)
{
  const size_t length = strlen(mark);
  for (size_t i = 0; i + length <= piece.length; i++)
    if (memcmp(piece.text + i, mark, length) == 0)
      return (struct wb_sass_piece){piece.text + i + length, piece.length - i - length};
  return (struct wb_sass_piece){piece.text + piece.length, 0};
}

bool wb_sass_has_controls(struct wb_sass_piece name)
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
  const struct wb_sass_piece from_name = after(line, "\"");
  const struct wb_sass_piece from_line = after(from_name, "\", line ");
  const bool continued = parser->chain;
  uint32_t number = 0;
  size_t digits = 0;
  for (;
       digits < from_line.length && wb_is_digit(from_line.text[digits]) && number < UINT32_MAX / 10;
       digits++)
    number = number * 10 + (uint32_t)(from_line.text[digits] - '0');
  const size_t mark = strlen("\", line ");
  const size_t length = digits > 0 ? from_name.length - from_line.length - mark : 0;
  const size_t start = wb_source_path_start(from_name.text, length);
  const struct wb_sass_piece name = {from_name.text + start, length - start};
  if (digits == 0 || wb_sass_has_controls(name))
    return wb_sass_expected(parser, parser->line, parser->line_start, line,
                            "line information such as //## File \"a.cu\", line 3");
  parser->chain = after(from_line, "inlined at").length > 0;
  if (continued)
    return true;
  parser->source_line = number;
  return wb_sass_file_index(parser, name, &parser->source_file);
}
