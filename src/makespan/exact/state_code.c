#include "makespan/exact/state_code.h"

#include "base/checked.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

/* Positions of a segment at most: the terms take a few MiB and not more. */
#define MOST_POSITIONS ((size_t)4096)

/* Bytes of the ranks of a segment of so many positions. */
static size_t bytes_of_segment(const struct wb_state_code *code, size_t positions)
{
  uint64_t largest = 0;
  for (size_t k = 0; k < positions; k++)
    largest += code->terms[k * ((size_t)code->warps + 1) + code->warps];
  size_t bytes = 1;
  while (largest >>= 8)
    bytes++;
  return bytes;
}

bool wb_state_code_start(struct wb_state_code *code, size_t length, uint32_t warps)
{
  assert(length > 0 && warps <= UINT8_MAX);
  *code = (struct wb_state_code){.length = length, .warps = warps};
  size_t most = (size_t)wb_minimum(length, MOST_POSITIONS);
  size_t capacity = 0;
  uint64_t largest = 0;
  const size_t columns = (size_t)warps + 1;
  bool longer = true; /* the largest number with the next position has 64 bits */
  while (longer && code->segment < most) {
    if (!wb_grow(code->terms, &capacity, (code->segment + 1) * columns))
      return false;
    uint64_t *row = code->terms + code->segment * columns;
    row[0] = 0;
    for (size_t d = 1; d < columns && longer; d++) {
      /* C(d + k, k + 1) = C(d - 1 + k, k + 1) + C(d + k - 1, k) */
      uint64_t before = code->segment > 0 ? row[d - columns] : 1;
      longer = wb_add(row[d - 1], before, &row[d]);
    }
    longer = longer && wb_add(largest, row[warps], &largest);
    code->segment += longer;
  }
  assert(code->segment > 0); /* the first position has terms up to 255 */
  code->segment_count = (length + code->segment - 1) / code->segment;
  code->segment_bytes = bytes_of_segment(code, code->segment);
  size_t whole = code->segment_count - 1;
  code->bytes =
      whole * code->segment_bytes + bytes_of_segment(code, length - whole * code->segment);
  assert(wb_state_code_is_valid(code));
  return true;
}

bool wb_state_code_is_valid(const struct wb_state_code *code)
{
  const size_t columns = (size_t)code->warps + 1;
  size_t positions = 0, bytes = 0;
  for (size_t k = 0; k < code->segment; k++) {
    const uint64_t *row = code->terms + k * columns;
    if (row[0] != 0)
      return false;
    for (size_t d = 1; d < columns; d++)
      if (row[d] != row[d - 1] + (k > 0 ? row[d - columns] : 1))
        return false;
  }
  for (size_t i = 0; i < code->segment_count; i++) {
    size_t most = (size_t)wb_minimum(code->segment, code->length - positions);
    size_t held = wb_state_code_segment_bytes(code, i);
    if (held != bytes_of_segment(code, most))
      return false;
    positions += most;
    bytes += held;
  }
  return positions == code->length && bytes == code->bytes;
}

void wb_state_code_free(struct wb_state_code *code)
{
  free(code->terms);
}

void wb_state_code_pack(const struct wb_state_code *code, const uint8_t *warps, uint8_t *bytes)
{
  uint32_t standing = 0;
  size_t position = 0;
  for (size_t segment = 0; segment < code->segment_count; segment++) {
    uint64_t number = 0;
    for (size_t k = 0; k < code->segment && position < code->length; k++) {
      standing += warps[position++];
      number += code->terms[k * ((size_t)code->warps + 1) + standing];
    }
    wb_state_code_store(code, bytes, segment, number);
  }
}

void wb_state_code_unpack(const struct wb_state_code *code, const uint8_t *bytes, uint8_t *warps,
                          const uint64_t **terms)
{
  uint32_t standing = code->warps;
  size_t position = code->length;
  for (size_t segment = code->segment_count; segment-- > 0;) {
    uint64_t number = wb_state_code_load(code, bytes, segment);
    for (size_t k = position - segment * code->segment; k-- > 0;) {
      const uint64_t *row = code->terms + k * ((size_t)code->warps + 1);
      uint32_t behind = standing;
      while (row[standing] > number)
        standing--;
      number -= row[standing];
      if (position < code->length)
        warps[position] = (uint8_t)(behind - standing);
      position--;
      if (terms != NULL)
        terms[position] = row + standing;
    }
  }
  warps[0] = (uint8_t)standing;
}
