#include "isa/opcode_search.h"

#include "base/binary_search.h"

#include <string.h>

int wb_opcode_compare(const char *text, size_t length, const char *opcode)
{
  const size_t other = strlen(opcode);
  const int order = length > 0 ? memcmp(text, opcode, length < other ? length : other) : 0;
  return order != 0 ? order : (length > other) - (length < other);
}

struct key {
  wb_opcode_of_row *opcode_of;
  const char *text;
  size_t length;
};

static bool is_before(const void *items, size_t row, const void *key)
{
  const struct key *sought = key;
  (void)items; /* the rows are known to opcode_of alone */
  return wb_opcode_compare(sought->text, sought->length, sought->opcode_of(row)) > 0;
}

size_t wb_opcode_lower_bound(wb_opcode_of_row *opcode_of, size_t count, const char *text,
                             size_t length)
{
  const struct key key = {opcode_of, text, length};
  return wb_lower_bound(NULL, count, is_before, &key);
}
