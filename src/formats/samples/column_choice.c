#include "formats/samples/column_choice.h"

#include "base/text.h"
#include "base/text/ascii.h"
#include "base/text/nearest.h"
#include "formats/samples/time_units.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Columns that a message lists. */
#define MOST_LISTED 20

bool wb_column_is_numbered(const char *choice)
{
  const size_t length = strlen(choice);
  return length > 0 && length < 7 && strspn(choice, "0123456789") == length;
}

/* ---- messages ---- */

static void list_columns(const struct wb_table_column *columns, size_t count, struct wb_text *text)
{
  for (size_t c = 0; c < count && c < MOST_LISTED; c++) {
    wb_text_string(text, c > 0 ? ", " : "");
    if (columns[c].name != NULL)
      wb_text_format(text, "'%.40s'", columns[c].name);
    else
      wb_text_format(text, "%zu", c + 1);
  }
  if (count > MOST_LISTED)
    wb_text_format(text, " and %zu more", count - MOST_LISTED);
}

/* "PREFIX; the columns are 'a', 'b'". */
static warpbound_status refuse(const struct wb_table_column *columns, size_t count,
                               const char *prefix, warpbound_error *error)
{
  struct wb_text list = {0};
  list_columns(columns, count, &list);
  const warpbound_status status =
      list.failed ? wb_out_of_memory(error)
                  : wb_fail(error, WARPBOUND_USAGE, "%.180s; the columns are %.300s", prefix,
                            list.data != NULL ? list.data : "none");
  wb_text_free(&list);
  return status;
}

static warpbound_status refuse_choice(const struct wb_table_column *columns, size_t count,
                                      const char *option, const char *choice, size_t found,
                                      warpbound_error *error)
{
  char hint[WB_HINT_SIZE];
  struct wb_text prefix = {0};
  struct wb_nearest nearest = wb_nearest_start(choice);
  for (size_t c = 0; c < count && columns[c].name != NULL; c++)
    wb_nearest_offer(&nearest, columns[c].name);
  if (found > 0)
    wb_text_format(&prefix, "--%s: expected the name of one column, found '%.60s' of %zu", option,
                   choice, found);
  else
    wb_text_format(&prefix, "--%s: there is no column '%.60s'%s", option, choice,
                   wb_nearest_hint(&nearest, "", hint));
  const warpbound_status status =
      prefix.failed ? wb_out_of_memory(error) : refuse(columns, count, prefix.data, error);
  wb_text_free(&prefix);
  return status;
}

/* ---- by name or number ---- */

/* Whether the choice is the column's name, with its unit in brackets or without. */
static bool is_named(const struct wb_table_column *column, const char *choice)
{
  if (column->name == NULL)
    return false;
  const size_t bare = wb_time_name_length(column->name);
  return strcmp(column->name, choice) == 0 ||
         (strlen(choice) == bare && bare > 0 && strncmp(column->name, choice, bare) == 0);
}

static warpbound_status find_column(const struct wb_table_column *columns, size_t count,
                                    const char *option, const char *choice, size_t *place,
                                    warpbound_error *error)
{
  size_t found = 0;
  for (size_t c = 0; c < count; c++) {
    if (is_named(&columns[c], choice)) {
      *place = c;
      found++;
    }
  }
  if (found == 0 && wb_column_is_numbered(choice)) {
    const unsigned long number = strtoul(choice, NULL, 10);
    *place = number - 1;
    found = number >= 1 && number <= count;
  }
  return found == 1 ? WARPBOUND_OK : refuse_choice(columns, count, option, choice, found, error);
}

/* ---- by what columns look like ---- */

static bool is_letter(char c)
{
  return wb_is_letter(c);
}

/* Whether a name has one of the words for times, in any case. */
static bool has_time_word(const char *name)
{
  static const char words[] = " time times duration durations elapsed latency latencies runtime "
                              "cycles clocks sample samples measurement measurements value values ";
  while (*name != '\0') {
    char word[20] = " ";
    size_t length = 0;
    while (*name != '\0' && !is_letter(*name))
      name++;
    for (; is_letter(name[length]); length++) {
      if (length < sizeof word - 3)
        word[length + 1] = wb_small_letter(name[length]);
    }
    if (length > 0 && length < sizeof word - 3) {
      word[length + 1] = ' ';
      word[length + 2] = '\0';
      if (strstr(words, word) != NULL)
        return true;
    }
    name += length;
  }
  return false;
}

static bool any(const struct wb_table_column *column)
{
  (void)column;
  return true;
}

static bool named_as_time(const struct wb_table_column *column)
{
  return column->name != NULL && has_time_word(column->name);
}

static bool has_unit(const struct wb_table_column *column)
{
  return column->unit != NULL || (column->name != NULL && wb_time_unit_of_name(column->name));
}

static bool named_with_unit(const struct wb_table_column *column)
{
  return named_as_time(column) && has_unit(column);
}

static warpbound_status guess_column(const struct wb_table_column *columns, size_t count,
                                     struct wb_columns *chosen, warpbound_error *error)
{
  /* Each rule is for where none before it found any, or found several. */
  static const struct {
    bool (*fits)(const struct wb_table_column *column);
    bool narrows;
  } rules[] = {{any, true}, {named_as_time, true}, {named_with_unit, true}, {has_unit, false}};
  bool several = false;
  for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
    size_t found = 0;
    if (r > 1 && several != rules[r].narrows)
      continue;
    for (size_t c = 0; c < count; c++) {
      if (columns[c].is_number && c != chosen->group && rules[r].fits(&columns[c])) {
        chosen->value = c;
        found++;
      }
    }
    if (found == 1)
      return WARPBOUND_OK;
    if (r == 0 && found == 0)
      return refuse(columns, count, "there is no column of numbers", error);
    several = r > 0 && found > 1;
  }
  return refuse(columns, count, "several columns hold numbers: --column says which the times are",
                error);
}

/* ---- units ---- */

static bool is_unit_name(const char *name)
{
  static const char *const names[] = {"unit", "units", "metric unit"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    size_t i = 0;
    while (name[i] != '\0' && wb_small_letter(name[i]) == names[n][i])
      i++;
    if (name[i] == '\0' && names[n][i] == '\0')
      return true;
  }
  return false;
}

/* The column whose name says that it holds units; without names, the one behind the values that
 * holds one. */
static size_t unit_column(const struct wb_table_column *columns, size_t count, size_t value)
{
  for (size_t c = 0; c < count && columns[c].name != NULL; c++) {
    if (is_unit_name(columns[c].name) && c != value)
      return c;
  }
  const size_t behind = value + 1;
  return behind < count && columns[behind].name == NULL && columns[behind].is_unit ? behind
                                                                                   : WB_NO_COLUMN;
}

warpbound_status wb_columns_choose(const struct wb_table_column *columns, size_t count,
                                   const struct wb_samples_choice *choice,
                                   struct wb_columns *chosen, warpbound_error *error)
{
  *chosen = (struct wb_columns){WB_NO_COLUMN, WB_NO_COLUMN, WB_NO_COLUMN};
  warpbound_status status = WARPBOUND_OK;
  if (choice->group != NULL)
    status = find_column(columns, count, "group", choice->group, &chosen->group, error);
  if (status == WARPBOUND_OK)
    status = choice->column != NULL
                 ? find_column(columns, count, "column", choice->column, &chosen->value, error)
                 : guess_column(columns, count, chosen, error);
  if (status == WARPBOUND_OK && chosen->value == chosen->group)
    status =
        wb_fail(error, WARPBOUND_USAGE, "--group: expected another column than that of the times");
  if (status == WARPBOUND_OK)
    chosen->unit = unit_column(columns, count, chosen->value);
  return status;
}
