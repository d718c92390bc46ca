/* What readers of files refuse, and where, by the rows of refused_texts.txt. */
#include "base/text.h"
#include "fixtures.h"
#include "flow/costs.h"
#include "formats/device/device_file.h"
#include "formats/flow_facts/flow_facts_file.h"
#include "formats/makespan/makespan_files.h"
#include "formats/sm/sm_file.h"
#include "formats/times/times_file.h"
#include "frontend/ptx/ptx_front_end.h"
#include "rows.h"
#include "unit.h"

/* ---- readers: what they refuse they make nothing of ---- */

typedef warpbound_status reader(const char *text, size_t length, warpbound_error *error);

static warpbound_status read_ptx(const char *text, size_t length, warpbound_error *error)
{
  FREED_BY(wb_code_free) struct wb_code code;
  const warpbound_status status = wb_ptx_parse("test", text, length, NULL, &code, error);
  assert_true(status == WARPBOUND_OK || code.functions == NULL);
  return status;
}

static warpbound_status read_sass(const char *text, size_t length, warpbound_error *error)
{
  FREED_BY(wb_code_free) struct wb_code code;
  const warpbound_status status = listing_parse(text, length, NULL, &code, error);
  assert_true(status == WARPBOUND_OK || (code.functions == NULL && code.names.blocks == NULL));
  return status;
}

static warpbound_status read_facts(const char *text, size_t length, warpbound_error *error)
{
  struct wb_flow_facts facts;
  return wb_flow_facts_parse("test", text, length, &facts, error);
}

static warpbound_status read_costs(const char *text, size_t length, warpbound_error *error)
{
  struct wb_costs costs;
  return wb_costs_parse("test", text, length, &costs, error);
}

static warpbound_status read_times(const char *text, size_t length, warpbound_error *error)
{
  struct wb_times times;
  const warpbound_status status = wb_times_parse("test", text, length, &times, error);
  assert_null(times.rows);
  return status;
}

static warpbound_status read_sm(const char *text, size_t length, warpbound_error *error)
{
  struct wb_sm_configuration sm;
  return wb_sm_file_parse("test", text, length, &sm, error);
}

static warpbound_status read_schedule(const char *text, size_t length, warpbound_error *error)
{
  struct wb_schedule_file file = {0};
  return wb_json_parse_as("test", text, length, wb_schedule_file_read, &file, error);
}

static warpbound_status read_potential(const char *text, size_t length, warpbound_error *error)
{
  struct wb_potential_file file = {0};
  return wb_json_parse_as("test", text, length, wb_potential_file_read, &file, error);
}

static warpbound_status read_runs(const char *text, size_t length, warpbound_error *error)
{
  struct wb_run_file file = {0};
  const warpbound_status status =
      wb_json_parse_as("test", text, length, wb_run_file_read, &file, error);
  assert_null(file.arena.latest);
  return status;
}

static warpbound_status read_device(const char *text, size_t length, warpbound_error *error)
{
  struct wb_device_timing device;
  const warpbound_status status = wb_device_timing_read("test", text, length, &device, error);
  assert_null(device.values);
  return status;
}

/* exact: a row has the whole message. */
static const struct {
  const char *name;
  reader *read;
  bool exact;
} readers[] = {
    {"ptx", read_ptx, false},           {"sass", read_sass, false},
    {"facts", read_facts, true},        {"costs", read_costs, true},
    {"times", read_times, true},        {"sm", read_sm, false},
    {"schedule", read_schedule, false}, {"potential", read_potential, false},
    {"runs", read_runs, false},         {"device", read_device, false},
};

/* ---- rows ---- */

static struct {
  char *name;
  char *text;
} defined[40];
static size_t defined_count;

static void define(const char *name, const char *text)
{
  assert_true(defined_count < COUNT_OF(defined));
  defined[defined_count].name = strdup(name);
  defined[defined_count++].text = strdup(text);
}

/* The text with what the names in it stand for, in a block of its exact size, for sanitizers. */
static char *with_names_replaced(const char *text, size_t *length)
{
  FREED_BY(wb_text_free) struct wb_text whole = {0};
  for (const char *name; (name = strstr(text, "$(")) != NULL;) {
    const size_t size = strcspn(name + 2, ")");
    size_t d = 0;
    while (d < defined_count &&
           (strlen(defined[d].name) != size || strncmp(defined[d].name, name + 2, size) != 0))
      d++;
    assert_true(d < defined_count);
    wb_text_format(&whole, "%.*s%s", (int)(name - text), text, defined[d].text);
    text = name + size + 3;
  }
  wb_text_string(&whole, text);
  assert_false(whole.failed);
  *length = whole.length;
  char *copy = malloc(whole.length > 0 ? whole.length : 1);
  assert_non_null(copy);
  memcpy(copy, whole.length > 0 ? whole.data : "", whole.length);
  return copy;
}

static bool is_refused(char *const *words, size_t count, const char *text, size_t length,
                       const char *message)
{
  warpbound_error error = {0};
  size_t r = 0;
  while (r < COUNT_OF(readers) && strcmp(readers[r].name, words[0]) != 0)
    r++;
  if (r == COUNT_OF(readers) || message[0] == '\0')
    return false;
  const bool refused = readers[r].read(text, length, &error) == WARPBOUND_INVALID_INPUT &&
                       error.status == WARPBOUND_INVALID_INPUT;
  const bool says = readers[r].exact ? strcmp(error.message, message) == 0
                                     : strstr(error.message, message) != NULL;
  const bool there = count == 1 || (count == 3 && error.line == strtoull(words[1], NULL, 10) &&
                                    error.column == strtoull(words[2], NULL, 10));
  if (!refused || !says || !there)
    print_message("# %zu:%zu: %s\n", error.line, error.column, error.message);
  return refused && says && there && strcmp(error.file, "test") == 0;
}

/* A row of refused_texts.txt, which says what its words mean. */
static bool row_holds(char *const *words, size_t count, char *text)
{
  warpbound_error error = {0};
  size_t length;
  char *message = row_field(text);
  row_field(message);
  if (count == 2 && strcmp(words[0], "define") == 0) {
    define(words[1], text);
    return true;
  }
  char *whole = with_names_replaced(text, &length);
  const bool holds = strcmp(words[0], "reads") == 0
                         ? count == 1 && read_ptx(whole, length, &error) == WARPBOUND_OK
                         : is_refused(words, count, whole, length, message);
  free(whole);
  return holds;
}

TEST(rows)
{
  rows_check("unit/formats/refused_texts.txt", 341, row_holds);
  while (defined_count > 0) {
    free(defined[--defined_count].name);
    free(defined[defined_count].text);
  }
}
