/* The writer of files of measured times. */
#include "formats/times/times_columns.h"
#include "formats/times/times_file.h"

#include <inttypes.h>
#include <string.h>

void wb_times_write_point(const struct wb_times_point *point, struct wb_text *text)
{
  const struct wb_place *place = &point->place;
  if (point->end == WB_TIMES_START || point->end == WB_TIMES_STOP)
    wb_text_string(text, point->end == WB_TIMES_START ? "start" : "end");
  if (point->end != WB_TIMES_PLACE)
    return;
  if (place->has_address)
    wb_text_format(text, "0x%04" PRIx32 "%s", place->address, place->file != NULL ? "@" : "");
  if (place->file != NULL)
    wb_text_format(text, "%s:%" PRIu32, place->file, place->source_line);
  if (place->label != NULL)
    wb_text_string(text, place->label);
}

/* In quotes where the cell would end early, or would be a comment, otherwise. */
static void write_cell(const char *cell, struct wb_text *text)
{
  const bool quoted = strpbrk(cell, ", \t#") != NULL;
  wb_text_format(text, quoted ? "\"%s\"" : "%s", cell);
}

static void write_point(const struct wb_times_point *point, struct wb_text *text)
{
  struct wb_text cell = {0};
  wb_text_string(&cell, "");
  wb_times_write_point(point, &cell);
  if (cell.failed)
    text->failed = true;
  else
    write_cell(cell.data, text);
  wb_text_free(&cell);
}

/* Which columns some row needs. */
static void find_columns(const struct wb_times *times, bool *used)
{
  used[TIMES_FROM] = used[TIMES_CYCLES] = true;
  for (size_t r = 0; r < times->row_count; r++) {
    const struct wb_times_row *row = &times->rows[r];
    used[TIMES_KERNEL] |= row->kernel != NULL;
    used[TIMES_RUN] |= row->run != NULL;
    used[TIMES_WARP] |= row->warp != NULL;
    used[TIMES_TO] |= row->to.end != WB_TIMES_BLOCK;
    used[TIMES_COUNT] |= row->count >= 0;
  }
}

static void write_row_cell(const struct wb_times_row *row, enum times_column column,
                           struct wb_text *text)
{
  const char *const names[] = {row->kernel, row->run, row->warp};
  if (column <= TIMES_WARP)
    write_cell(names[column] != NULL ? names[column] : "", text);
  else if (column == TIMES_FROM || column == TIMES_TO)
    write_point(column == TIMES_FROM ? &row->from : &row->to, text);
  else if (column == TIMES_CYCLES || row->count >= 0)
    wb_text_format(text, "%" PRId64, column == TIMES_CYCLES ? row->cycles : row->count);
}

/* A line of the used columns: the header where row is NULL. */
static void write_line(const struct wb_times_row *row, const bool *used, struct wb_text *text)
{
  bool first = true;
  for (int column = 0; column < TIMES_COLUMNS; column++) {
    if (!used[column])
      continue;
    if (!first)
      wb_text_string(text, ",");
    first = false;
    if (row != NULL)
      write_row_cell(row, (enum times_column)column, text);
    else
      wb_text_string(text, times_column_names[column]);
  }
  wb_text_string(text, "\n");
}

void wb_times_write(const struct wb_times *times, struct wb_text *text)
{
  bool used[TIMES_COLUMNS] = {false};
  find_columns(times, used);
  for (size_t c = 0; c < times->checksum_count; c++) {
    wb_text_format(text, "# checksum 0x%016" PRIx64, times->checksums[c].checksum);
    if (times->checksums[c].kernel != NULL)
      wb_text_format(text, " %s", times->checksums[c].kernel);
    wb_text_string(text, "\n");
  }
  write_line(NULL, used, text);
  for (size_t r = 0; r < times->row_count; r++)
    write_line(&times->rows[r], used, text);
}
