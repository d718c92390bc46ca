#include "binary/lines/line_table.h"

#include "base/binary_search.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static int compare_rows(const void *one, const void *other)
{
  const struct wb_line_row *a = one, *b = other;
  if (a->section != b->section)
    return a->section < b->section ? -1 : 1;
  return (a->address > b->address) - (a->address < b->address);
}

/* Merges sorted halves, so that rows of one address stay in order. */
static void sort_rows(struct wb_line_row *rows, struct wb_line_row *room, size_t count)
{
  size_t half = count / 2, left = 0, right = half, next = 0;
  if (count < 2)
    return;
  sort_rows(rows, room, half);
  sort_rows(rows + half, room, count - half);
  while (left < half && right < count)
    room[next++] = compare_rows(&rows[right], &rows[left]) < 0 ? rows[right++] : rows[left++];
  while (left < half)
    room[next++] = rows[left++];
  memcpy(rows, room, next * sizeof *rows);
}

warpbound_status wb_line_table_sort(struct wb_line_table *table, warpbound_error *error)
{
  struct wb_line_row *room = wb_allocate(table->row_count, sizeof *room);
  if (room == NULL)
    return wb_out_of_memory(error);
  sort_rows(table->rows, room, table->row_count);
  free(room);
  return WARPBOUND_OK;
}

void wb_line_table_free(struct wb_line_table *table)
{
  free(table->files);
  free(table->rows);
  *table = (struct wb_line_table){0};
}

static bool row_is_before(const void *rows, size_t index, const void *wanted)
{
  return compare_rows(&((const struct wb_line_row *)rows)[index], wanted) < 0;
}

size_t wb_line_table_find(const struct wb_line_table *table, size_t section, uint64_t address)
{
  struct wb_line_row wanted = {.section = section, .address = address};
  return wb_lower_bound(table->rows, table->row_count, row_is_before, &wanted);
}
