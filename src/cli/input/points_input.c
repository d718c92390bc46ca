#include "cli/input/points_input.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "cli/input/device_input.h"
#include "cli/input/launches.h"
#include "cli/input/module_input.h"
#include "formats/csv/csv_rows.h"
#include "warpbound.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

enum column {
  COLUMN_POINT,
  COLUMN_FILE,
  COLUMN_KERNEL,
  COLUMN_GRID,
  COLUMN_BLOCK,
  COLUMN_MEASURED,
  COLUMN_UNIT,
  COLUMN_DEVICE,
  COLUMN_ARCHITECTURE,
  COLUMN_CLOCK,
  COLUMN_MODE,
  COLUMN_SHARED,
  COLUMN_CARVEOUT,
  COLUMN_VALUES,
  COLUMN_PARAMETERS,
  COLUMN_BUFFERS,
  COLUMN_FACTS,
  COLUMN_COUNT
};

/* The columns by name, and the options of analyze that their cells are for; of a repeatable one
 * the words of the cell are. */
static const struct {
  const char *name;
  bool required;
  enum option option; /* OPTION_COUNT: of none */
  bool repeated;
} columns[COLUMN_COUNT] = {
    [COLUMN_POINT] = {"point", true, OPTION_COUNT, false},
    [COLUMN_FILE] = {"file", true, OPTION_COUNT, false},
    [COLUMN_KERNEL] = {"kernel", true, OPTION_KERNEL, false},
    [COLUMN_GRID] = {"grid", true, OPTION_GRID, false},
    [COLUMN_BLOCK] = {"block", true, OPTION_BLOCK, false},
    [COLUMN_MEASURED] = {"measured", true, OPTION_COUNT, false},
    [COLUMN_UNIT] = {"unit", true, OPTION_COUNT, false},
    [COLUMN_DEVICE] = {"device", false, OPTION_COUNT, false},
    [COLUMN_ARCHITECTURE] = {"architecture", false, OPTION_ARCH, false},
    [COLUMN_CLOCK] = {"clock", false, OPTION_CLOCK, false},
    [COLUMN_MODE] = {"mode", false, OPTION_MODE, false},
    [COLUMN_SHARED] = {"shared", false, OPTION_DYNAMIC_SHARED, false},
    [COLUMN_CARVEOUT] = {"carveout", false, OPTION_CARVEOUT, false},
    [COLUMN_VALUES] = {"values", false, OPTION_SET, true},
    [COLUMN_PARAMETERS] = {"parameters", false, OPTION_PARAM, true},
    [COLUMN_BUFFERS] = {"buffers", false, OPTION_BUFFER, true},
    [COLUMN_FACTS] = {"facts", false, OPTION_FLOW_FACTS, false},
};

/* A file under way. */
struct check {
  const struct arguments *arguments;
  const char *own; /* the name of the device that is given; NULL: each row has its own */
  struct wb_csv csv;
  size_t place[COLUMN_COUNT]; /* of the columns in the file; SIZE_MAX: it has none */
  struct measured_points *points;
  warpbound_error *error;
};

/* The row of names. */
static warpbound_status read_header(struct check *check)
{
  warpbound_status status = wb_csv_next(&check->csv, check->error);
  for (int c = 0; status == WARPBOUND_OK && c < COLUMN_COUNT; c++) {
    check->place[c] = SIZE_MAX;
    for (size_t i = 0; i < check->csv.count; i++) {
      const struct wb_csv_cell *cell = &check->csv.cells[i];
      if (cell->length == strlen(columns[c].name) &&
          memcmp(cell->text, columns[c].name, cell->length) == 0)
        check->place[c] = i;
    }
    if (check->place[c] == SIZE_MAX && columns[c].required)
      status = wb_fail_at(check->error, WARPBOUND_INVALID_INPUT, check->csv.name, 1, 1,
                          "expected a column '%s' (doc/devices.md, \"Points\")", columns[c].name);
  }
  return status;
}

/* The cell of a column in the row at hand, kept with the arguments of its launch; "" where it has
 * none, NULL where memory is out. */
static const char *cell_of(const struct check *check, struct arguments *row, enum column column)
{
  if (check->place[column] >= check->csv.count)
    return "";
  char *copy = wb_csv_copy(&check->csv.cells[check->place[column]]);
  const char *kept = copy != NULL ? arguments_keep(row, copy) : NULL;
  free(copy);
  return kept;
}

/* The words of a cell as values of a repeatable option. */
static bool add_words(struct arguments *row, enum option option, const char *words)
{
  while (*words != '\0') {
    const size_t length = strcspn(words, " ");
    if (length > 0)
      wb_list_add(&row->repeated[option], "%.*s", (int)length, words);
    words += length + (words[length] == ' ');
  }
  return !row->repeated[option].failed;
}

/* What a row says of its launch, as a command line of analyze would. */
static warpbound_status read_launch(struct check *check, struct arguments *row)
{
  const char *device = cell_of(check, row, COLUMN_DEVICE);
  const char *file = cell_of(check, row, COLUMN_FILE);
  bool kept = device != NULL && file != NULL;
  for (int c = 0; kept && c < COLUMN_COUNT; c++) {
    const char *text = columns[c].option != OPTION_COUNT ? cell_of(check, row, (enum column)c) : "";
    kept = text != NULL;
    if (!kept || text[0] == '\0')
      continue;
    if (columns[c].repeated)
      kept = add_words(row, columns[c].option, text);
    else if (c == COLUMN_FACTS)
      kept =
          (row->value[OPTION_FLOW_FACTS] = arguments_keep_path(row, check->csv.name, text)) != NULL;
    else
      row->value[columns[c].option] = text;
  }
  row->value[OPTION_SIMULATE] = "0";
  row->value[OPTION_SM] = check->own != NULL ? check->arguments->input : device;
  if (kept && row->value[OPTION_SM][0] == '\0')
    return wb_fail(check->error, WARPBOUND_INVALID_INPUT,
                   "expected a device: the row has none, and the command names none");
  row->input = kept ? arguments_keep_path(row, check->csv.name, file) : NULL;
  if (row->input == NULL)
    return wb_out_of_memory(check->error);
  return WARPBOUND_OK;
}

/* The measured time of a row in cycles of a clock. */
static warpbound_status read_time(struct check *check, struct arguments *row, uint64_t clock,
                                  double *cycles)
{
  const struct unit_scale units[] = {{"cycles", 1},
                                     {"s", (double)clock},
                                     {"ms", (double)clock * 1e-3},
                                     {"us", (double)clock * 1e-6},
                                     {"ns", (double)clock * 1e-9},
                                     {NULL, 0}};
  const char *measured = cell_of(check, row, COLUMN_MEASURED);
  const char *unit = cell_of(check, row, COLUMN_UNIT);
  char text[80];
  if (measured == NULL || unit == NULL)
    return wb_out_of_memory(check->error);
  snprintf(text, sizeof text, "%.40s%.20s", measured, unit);
  if (measured_number(text, units, cycles))
    return WARPBOUND_OK;
  return wb_fail(check->error, WARPBOUND_INVALID_INPUT,
                 "expected a time above 0 in cycles, s, ms, us or ns, found '%.40s' in '%.20s'",
                 measured, unit);
}

/* ---- launches ---- */

/* Analyses the launch of a row on a device. */
static warpbound_status analyse(struct check *check, struct arguments *row, warpbound_gpu *gpu,
                                struct wb_measured_point *point)
{
  struct analyze_options options = {0};
  warpbound_module *module = NULL;
  warpbound_kernel *kernel = NULL;
  warpbound_launch *launch = NULL;
  struct arguments code = *row;
  char architecture[32];
  snprintf(architecture, sizeof architecture, "sm_%u", (unsigned)warpbound_gpu_architecture(gpu));
  code.value[OPTION_SM] = architecture;
  warpbound_status status = module_input_read(&code, &module, check->error);
  if (status == WARPBOUND_OK)
    status = analyze_options_read(row, &options, check->error);
  if (status == WARPBOUND_OK)
    status = analyze_options_complete(row, module, &options, check->error);
  if (status == WARPBOUND_OK)
    status = warpbound_kernel_choose(module, row->value[OPTION_KERNEL], &kernel, check->error);
  if (status == WARPBOUND_OK)
    status = warpbound_launch_analyse(kernel, gpu, &options.launch, NULL, &launch, check->error);
  if (status == WARPBOUND_OK) {
    const warpbound_bound upper = warpbound_launch_upper(launch);
    point->lower = warpbound_launch_lower(launch).cycles;
    point->upper = upper.cycles;
    point->kind = warpbound_kind_name(upper.kind);
  }
  warpbound_launch_free(launch);
  warpbound_kernel_free(kernel);
  warpbound_module_free(module);
  wcet_options_free(&options.wcet);
  return status;
}

/* The point of a row; of another device it is left out. */
static warpbound_status check_row(struct check *check, struct arguments *row)
{
  warpbound_gpu *gpu = NULL;
  warpbound_status status = read_launch(check, row);
  const char *device = cell_of(check, row, COLUMN_DEVICE);
  const char *name = cell_of(check, row, COLUMN_POINT);
  if (status == WARPBOUND_OK && (device == NULL || name == NULL))
    status = wb_out_of_memory(check->error);
  if (status == WARPBOUND_OK && check->own != NULL && device[0] != '\0' &&
      strcmp(device, check->own) != 0) {
    check->points->left_out++;
    return WARPBOUND_OK;
  }
  struct wb_measured_point point = {0};
  if (status == WARPBOUND_OK)
    status = gpu_input_read(row, &gpu, check->error);
  if (status == WARPBOUND_OK)
    status = read_time(check, row, warpbound_gpu_clock(gpu), &point.measured);
  if (status == WARPBOUND_OK)
    status = analyse(check, row, gpu, &point);
  if (status == WARPBOUND_OK) {
    const char *called = warpbound_gpu_name(gpu);
    point.name = wb_arena_text(&check->points->arena, name, strlen(name));
    point.device = wb_arena_text(&check->points->arena, called, strlen(called));
    if (point.name == NULL || point.device == NULL ||
        !wb_grow(check->points->items, &check->points->capacity, check->points->count + 1))
      status = wb_out_of_memory(check->error);
    else
      check->points->items[check->points->count++] = point;
  }
  warpbound_gpu_free(gpu);
  return status;
}

/* All rows; a message on a launch names its line. */
static warpbound_status check_rows(struct check *check)
{
  warpbound_status status = read_header(check);
  while (status == WARPBOUND_OK) {
    status = wb_csv_next(&check->csv, check->error);
    if (status != WARPBOUND_OK || check->csv.count == 0)
      break;
    const size_t line = check->csv.cells[0].line;
    struct arguments row = {0};
    status = check_row(check, &row);
    if (status != WARPBOUND_OK && status != WARPBOUND_INTERNAL) {
      const warpbound_error cause = *check->error;
      status = wb_fail_at(check->error, WARPBOUND_INVALID_INPUT, check->csv.name, line, 1,
                          "%.160s%s%.300s", cause.file, cause.file[0] != '\0' ? ": " : "",
                          cause.message);
    }
    arguments_free(&row);
  }
  return status;
}

warpbound_status measured_points_read(const struct arguments *arguments,
                                      struct measured_points *points, warpbound_error *error)
{
  struct check check = {.arguments = arguments, .points = points, .error = error};
  struct wb_input source;
  warpbound_gpu *gpu = NULL;
  warpbound_status status = wb_input_read(arguments->value[OPTION_CHECK], &source, error);
  if (status != WARPBOUND_OK)
    return status;
  if (arguments->input != NULL) {
    struct arguments named = {0};
    named.value[OPTION_SM] = arguments->input;
    status = gpu_input_read(&named, &gpu, error);
    check.own = warpbound_gpu_name(gpu);
  }
  check.csv = (struct wb_csv){.name = source.name,
                              .at = source.bytes,
                              .end = source.bytes + source.length,
                              .line_start = source.bytes,
                              .line = 1};
  check.csv.separator = wb_csv_separator(check.csv);
  if (status == WARPBOUND_OK)
    status = check_rows(&check);
  /* Nothing was compared: that is no check that is passed. */
  if (status == WARPBOUND_OK && points->count == 0 && check.own == NULL)
    status = wb_fail_at(error, WARPBOUND_INVALID_INPUT, source.name, 0, 0,
                        "expected points, found none");
  else if (status == WARPBOUND_OK && points->count == 0)
    status = wb_fail_at(error, WARPBOUND_INVALID_INPUT, source.name, 0, 0,
                        "expected points of '%.100s', found none, and %zu of other devices",
                        check.own, points->left_out);
  free(check.csv.cells);
  warpbound_gpu_free(gpu);
  wb_input_free(&source);
  return status;
}

void measured_points_free(struct measured_points *points)
{
  free(points->items);
  wb_arena_free(&points->arena);
  *points = (struct measured_points){0};
}
