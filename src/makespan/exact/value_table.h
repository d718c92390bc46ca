/* A long table of makespans in cells as narrow as their largest value allows. */
#ifndef WB_MAKESPAN_EXACT_VALUE_TABLE_H
#define WB_MAKESPAN_EXACT_VALUE_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Cells of one width. Owns cells. */
struct wb_value_table {
  void *cells;
  unsigned width; /* bytes of a cell: 1, 2 or 4 */
};

/* The width for values up to `largest`; 0 where even 4 bytes are too few. */
static inline unsigned wb_value_width(uint64_t largest)
{
  if (largest <= UINT8_MAX)
    return 1;
  if (largest <= UINT16_MAX)
    return 2;
  return largest <= UINT32_MAX ? 4 : 0;
}

/* Zeroed cells; false where memory is out. Pages cost memory once touched. */
static inline bool wb_value_table_start(struct wb_value_table *table, uint64_t cells,
                                        unsigned width)
{
  table->width = width;
  bool valid = width > 0 && cells > 0 && cells <= SIZE_MAX / width;
  table->cells = valid ? calloc((size_t)cells, width) : NULL;
  return table->cells != NULL;
}

static inline uint32_t wb_value_get(const struct wb_value_table *table, uint64_t index)
{
  switch (table->width) {
  case 1:
    return ((const uint8_t *)table->cells)[index];
  case 2:
    return ((const uint16_t *)table->cells)[index];
  default:
    return ((const uint32_t *)table->cells)[index];
  }
}

static inline void wb_value_set(struct wb_value_table *table, uint64_t index, uint32_t value)
{
  switch (table->width) {
  case 1:
    ((uint8_t *)table->cells)[index] = (uint8_t)value;
    break;
  case 2:
    ((uint16_t *)table->cells)[index] = (uint16_t)value;
    break;
  default:
    ((uint32_t *)table->cells)[index] = value;
  }
}

static inline void wb_value_table_free(struct wb_value_table *table)
{
  free(table->cells);
  table->cells = NULL;
}

#endif
