#include "makespan/runs/run_level_plane.h"

#include "base/memory.h"

#include <string.h>

/* Cells of a vector of 16 bytes. Loops over so many become single instructions. */
#define BYTES 16
#define WORDS 8

bool wb_run_level_plane_begin(struct wb_run_level_plane *plane, uint64_t rows, uint64_t count)
{
  plane->rows = rows;
  plane->count = count;
  plane->pitch = (count + BYTES - 1) / BYTES * BYTES;
  size_t bytes = (size_t)(rows * plane->pitch) * (plane->wide ? 2 : 1);
  plane->cells = wb_grown(plane->cells, &plane->capacity, bytes, 1);
  bool made = bytes <= plane->capacity;
  if (made)
    memset(plane->cells, 0, bytes);
  return made;
}

/* From 16 - d on the first d cells of a vector are masked out, from 16 + d on the last. */
static const uint8_t byte_edges[3 * BYTES] = {[BYTES] = 255, 255, 255, 255, 255, 255, 255, 255,
                                              255,           255, 255, 255, 255, 255, 255, 255};
static const uint16_t word_edges[3 * WORDS] = {[WORDS] = 65535, 65535, 65535, 65535,
                                               65535,           65535, 65535, 65535};

/* Where the mask begins for the cells from `column` on of which those from `first` to
 * `last` count; size: of the vector. */
static inline size_t edge_before(uint64_t column, uint64_t first, size_t size)
{
  return first > column ? size - (size_t)(first - column) : size;
}

static inline size_t edge_behind(uint64_t column, uint64_t last, size_t size)
{
  return column + size > last + 1 ? size + (size_t)(column + size - last - 1) : size;
}

/* One column of vectors at a time, its cells outside the source masked out: so a row's
 * cells are always read as they were written, which processors want. */
static void raise_bytes(const struct wb_run_level_plane *plane,
                        const struct wb_run_level_source *source)
{
  for (uint64_t column = source->first / BYTES * BYTES; column <= source->last; column += BYTES) {
    uint8_t mask[BYTES], behind[BYTES];
    memcpy(mask, byte_edges + edge_before(column, source->first, BYTES), sizeof mask);
    memcpy(behind, byte_edges + edge_behind(column, source->last, BYTES), sizeof behind);
    for (unsigned i = 0; i < BYTES; i++)
      mask[i] &= behind[i];
    const uint8_t *from = (const uint8_t *)source->from + (int64_t)(column - source->first);
    uint8_t *to = (uint8_t *)plane->cells + source->low * plane->pitch + column;
    for (uint64_t row = source->low; row <= source->high; row++) {
      uint8_t a[BYTES], b[BYTES];
      memcpy(a, to, sizeof a);
      memcpy(b, from, sizeof b);
      for (unsigned i = 0; i < BYTES; i++)
        b[i] &= mask[i];
      for (unsigned i = 0; i < BYTES; i++)
        a[i] = a[i] < b[i] ? b[i] : a[i];
      memcpy(to, a, sizeof a);
      to += plane->pitch;
      from += source->row_stride;
    }
  }
}

static void raise_words(const struct wb_run_level_plane *plane,
                        const struct wb_run_level_source *source)
{
  for (uint64_t column = source->first / WORDS * WORDS; column <= source->last; column += WORDS) {
    uint16_t mask[WORDS], behind[WORDS];
    memcpy(mask, word_edges + edge_before(column, source->first, WORDS), sizeof mask);
    memcpy(behind, word_edges + edge_behind(column, source->last, WORDS), sizeof behind);
    for (unsigned i = 0; i < WORDS; i++)
      mask[i] &= behind[i];
    const uint16_t *from = (const uint16_t *)source->from + (int64_t)(column - source->first);
    uint16_t *to = (uint16_t *)plane->cells + source->low * plane->pitch + column;
    for (uint64_t row = source->low; row <= source->high; row++) {
      uint16_t a[WORDS], b[WORDS];
      memcpy(a, to, sizeof a);
      memcpy(b, from, sizeof b);
      for (unsigned i = 0; i < WORDS; i++)
        b[i] &= mask[i];
      for (unsigned i = 0; i < WORDS; i++)
        a[i] = a[i] < b[i] ? b[i] : a[i];
      memcpy(to, a, sizeof a);
      to += plane->pitch;
      from += source->row_stride;
    }
  }
}

/* Successors that stand apart within a row. */
static void raise_apart(const struct wb_run_level_plane *plane,
                        const struct wb_run_level_source *source)
{
  for (uint64_t row = source->low; row <= source->high; row++) {
    uint64_t at = (row - source->low) * source->row_stride;
    for (uint64_t i = source->first; i <= source->last; i++, at += source->stride) {
      if (plane->wide) {
        uint16_t *to = (uint16_t *)plane->cells + row * plane->pitch + i;
        uint16_t value = ((const uint16_t *)source->from)[at];
        *to = *to < value ? value : *to;
      } else {
        uint8_t *to = (uint8_t *)plane->cells + row * plane->pitch + i;
        uint8_t value = ((const uint8_t *)source->from)[at];
        *to = *to < value ? value : *to;
      }
    }
  }
}

void wb_run_level_plane_raise(struct wb_run_level_plane *plane,
                              const struct wb_run_level_source *source)
{
  if (source->stride != 1)
    raise_apart(plane, source);
  else if (plane->wide)
    raise_words(plane, source);
  else
    raise_bytes(plane, source);
}
