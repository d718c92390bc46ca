#include "formats/results/launch_results.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A launch being read. */
struct reading {
  struct wb_json_reader *reader;
  char of[40]; /* before the places of its members: "launches, entry 2, ", or "" */
  struct wb_launch_result *result;
  size_t capacity; /* of its numbers */
};

static const char *copy_text(struct wb_json_reader *reader, const char *text)
{
  const char *copy = wb_json_good(reader) ? wb_arena_text(reader->arena, text, strlen(text)) : NULL;
  if (copy == NULL && wb_json_good(reader))
    reader->status = wb_out_of_memory(reader->error);
  return copy != NULL ? copy : "";
}

/* A member that has to be a text. */
static const char *read_text(struct wb_json_reader *reader, const json_t *object, const char *key)
{
  const json_t *value = json_object_get(object, key);
  if (wb_json_good(reader) && !json_is_string(value)) {
    const char *place = reader->place;
    wb_json_fail(reader, "%s%s%s: expected a text", place, place[0] != '\0' ? ", " : "", key);
  }
  return wb_json_good(reader) ? copy_text(reader, json_string_value(value)) : "";
}

static double read_real(struct wb_json_reader *reader, const json_t *object, const char *key)
{
  const json_t *value = json_object_get(object, key);
  if (wb_json_good(reader) && !json_is_number(value)) {
    const char *place = reader->place;
    wb_json_fail(reader, "%s%s%s: expected a number", place, place[0] != '\0' ? ", " : "", key);
  }
  return wb_json_good(reader) ? json_number_value(value) : 0;
}

/* Adds a number; takes the key, whose failure is the reader's. */
static void add(struct reading *reading, enum wb_result_group group, struct wb_text *key,
                double number)
{
  struct wb_launch_result *result = reading->result;
  if (key->failed)
    reading->reader->status = wb_out_of_memory(reading->reader->error);
  if (wb_json_good(reading->reader) && result->number_count < reading->capacity)
    result->numbers[result->number_count++] = (struct wb_result_number){
        group, copy_text(reading->reader, key->data != NULL ? key->data : ""), number};
  wb_text_free(key);
}

/* "kernel.cu:14" of an object with a source line, else its address "0x0280", else "no line". */
static void write_line(const json_t *object, struct wb_text *key)
{
  const json_t *file = json_object_get(object, "file");
  const json_t *line = json_object_get(object, "line");
  const json_t *address = json_object_get(object, "address");
  if (json_is_integer(line))
    wb_text_format(key, "%s:%" JSON_INTEGER_FORMAT,
                   json_is_string(file) ? json_string_value(file) : "line",
                   json_integer_value(line));
  else if (json_is_integer(address))
    wb_text_format(key, "0x%04" PRIx64, (uint64_t)json_integer_value(address));
  else
    wb_text_string(key, "no line");
}

static void read_needs(struct reading *reading, const json_t *launch)
{
  static const struct {
    const char *member, *key;
  } rows[] = {{"resident_blocks", "blocks of an SM"},
              {"waves", "waves of blocks"},
              {"block_warps", "warps of a block"},
              {"registers", "registers of a thread"},
              {"static_shared", "static shared memory of a block"},
              {"dynamic_shared", "dynamic shared memory of a block"},
              {"barriers", "barriers of a block"}};
  const json_t *occupancy = json_object_get(launch, "occupancy");
  const json_t *shape = json_object_get(launch, "launch");
  struct wb_text key = {0};
  wb_json_at(reading->reader, "%soccupancy", reading->of);
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    wb_text_string(&key, rows[r].key);
    add(reading, WB_RESULT_NEEDS, &key, read_real(reading->reader, occupancy, rows[r].member));
    key = (struct wb_text){0};
  }
  wb_json_at(reading->reader, "%slaunch", reading->of);
  wb_text_string(&key, "blocks of the launch");
  add(reading, WB_RESULT_NEEDS, &key, read_real(reading->reader, shape, "blocks"));
}

/* Numbers that have a name: {"name": ..., MEMBER: ...}. */
static void read_named(struct reading *reading, const json_t *launch, const char *list,
                       const char *member, enum wb_result_group group)
{
  const json_t *rows = json_object_get(launch, list);
  for (size_t r = 0; r < json_array_size(rows); r++) {
    const json_t *row = json_array_get(rows, r);
    struct wb_text key = {0};
    wb_json_at(reading->reader, "%s%s, entry %zu", reading->of, list, r + 1);
    wb_text_string(&key, read_text(reading->reader, row, "name"));
    add(reading, group, &key, read_real(reading->reader, row, member));
  }
}

static void read_lines(struct reading *reading, const json_t *launch)
{
  const json_t *rows = json_object_get(launch, "lines");
  for (size_t r = 0; r < json_array_size(rows); r++) {
    struct wb_text key = {0};
    wb_json_at(reading->reader, "%slines, entry %zu", reading->of, r + 1);
    write_line(json_array_get(rows, r), &key);
    add(reading, WB_RESULT_LINES, &key,
        read_real(reading->reader, json_array_get(rows, r), "cycles"));
  }
}

static void read_loops(struct reading *reading, const json_t *launch)
{
  const json_t *rows = json_object_get(launch, "loops");
  for (size_t r = 0; r < json_array_size(rows); r++) {
    const json_t *row = json_array_get(rows, r);
    struct wb_text key = {0};
    wb_json_at(reading->reader, "%sloops, entry %zu", reading->of, r + 1);
    if (json_is_null(json_object_get(row, "warp_bound")))
      continue;
    write_line(row, &key);
    add(reading, WB_RESULT_LOOPS, &key, read_real(reading->reader, row, "warp_bound"));
  }
}

static void read_accesses(struct reading *reading, const json_t *launch)
{
  const json_t *rows = json_object_get(launch, "accesses");
  for (size_t r = 0; r < json_array_size(rows); r++) {
    const json_t *row = json_array_get(rows, r);
    struct wb_text key = {0};
    wb_json_at(reading->reader, "%saccesses, entry %zu", reading->of, r + 1);
    const char *space = read_text(reading->reader, row, "space");
    const bool shared = strcmp(space, "shared") == 0;
    wb_text_format(&key, "%s %s, ", space,
                   json_is_true(json_object_get(row, "atomic"))  ? "atomic"
                   : json_is_true(json_object_get(row, "store")) ? "store"
                                                                 : "load");
    write_line(row, &key);
    add(reading, WB_RESULT_ACCESSES, &key,
        read_real(reading->reader, row, shared ? "wavefronts" : "sectors") *
            read_real(reading->reader, row, "runs"));
  }
}

static int compare(const void *left, const void *right)
{
  const struct wb_result_number *a = left;
  const struct wb_result_number *b = right;
  return a->group != b->group ? (int)a->group - (int)b->group : strcmp(a->key, b->key);
}

/* Sorts the numbers; those of one key, as loops or accesses of one line, are added. */
static void unite_numbers(struct wb_launch_result *result)
{
  size_t kept = 0;
  if (result->number_count > 0)
    qsort(result->numbers, result->number_count, sizeof *result->numbers, compare);
  for (size_t n = 0; n < result->number_count; n++) {
    if (kept > 0 && compare(&result->numbers[kept - 1], &result->numbers[n]) == 0)
      result->numbers[kept - 1].number += result->numbers[n].number;
    else
      result->numbers[kept++] = result->numbers[n];
  }
  result->number_count = kept;
}

static void read_end(const struct reading *reading, const json_t *launch, const char *name,
                     struct wb_result_end *end)
{
  struct wb_json_reader *reader = reading->reader;
  const json_t *object = json_object_get(launch, name);
  wb_json_at(reader, "%s%s", reading->of, name);
  if (!json_is_object(object))
    wb_json_expected(reader, "an object, as in the output of analyze --json", object);
  end->cycles = wb_json_member(reader, object, "cycles", 0, INT64_MAX);
  const char *kind = read_text(reader, object, "kind");
  for (int k = WARPBOUND_EXACT; k <= WARPBOUND_PUBLISHED; k++) {
    end->kind = (warpbound_kind)k;
    if (strcmp(kind, warpbound_kind_name(end->kind)) == 0)
      return;
  }
  wb_json_fail(reader,
               "%s, kind: expected exact, upper, lower, estimate or published, found '%.20s'",
               reader->place, kind);
}

static void read_assumptions(const struct reading *reading, const json_t *launch)
{
  struct wb_json_reader *reader = reading->reader;
  struct wb_launch_result *result = reading->result;
  const json_t *list = json_object_get(launch, "assumptions");
  const size_t count = json_array_size(list);
  result->assumptions = wb_json_allocate(reader, count, sizeof *result->assumptions);
  for (size_t a = 0; a < count && wb_json_good(reader); a++) {
    const json_t *text = json_array_get(list, a);
    wb_json_at(reader, "%sassumptions, entry %zu", reading->of, a + 1);
    if (json_is_string(text))
      result->assumptions[result->assumption_count++] = copy_text(reader, json_string_value(text));
    else
      wb_json_expected(reader, "a text", text);
  }
}

/* The clock of the device, or that of the device's values, which a baseline has. */
static uint64_t read_clock(struct reading *reading, const json_t *launch)
{
  const struct wb_launch_result *result = reading->result;
  const json_t *device = json_object_get(launch, "device");
  const json_t *clock = json_object_get(device, "clock");
  uint64_t hertz = 0;
  wb_json_at(reading->reader, "%sdevice, clock", reading->of);
  if (clock != NULL && !json_is_null(clock))
    return wb_json_member(reading->reader, device, "clock", 1, INT64_MAX);
  for (size_t n = 0; n < result->number_count; n++) {
    const struct wb_result_number *it = &result->numbers[n];
    if (it->group == WB_RESULT_VALUES && strcmp(it->key, "clock") == 0 && it->number >= 1 &&
        it->number < 1e18)
      hertz = (uint64_t)it->number;
  }
  return hertz;
}

/* entry: of the launch in a list, from 1; 0: there is no list. */
static void read_launch(struct wb_json_reader *reader, const json_t *launch, size_t entry,
                        struct wb_launch_result *result)
{
  static const char *const lists[] = {"breakdown", "lines", "loops", "accesses", "values"};
  struct reading reading = {.reader = reader, .result = result, .capacity = 16};
  wb_json_at_file(reader);
  if (entry > 0) {
    snprintf(reading.of, sizeof reading.of, "launches, entry %zu, ", entry);
    wb_json_at(reader, "launches, entry %zu", entry);
  }
  if (!json_is_object(launch)) {
    wb_json_expected(reader, "an object", launch);
    return;
  }
  for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
    reading.capacity += json_array_size(json_object_get(launch, lists[l]));
  result->numbers = wb_json_allocate(reader, reading.capacity, sizeof *result->numbers);
  result->name =
      read_text(reader, launch, json_object_get(launch, "name") != NULL ? "name" : "kernel");
  read_end(&reading, launch, "lower", &result->lower);
  read_end(&reading, launch, "upper", &result->upper);
  wb_json_at(reader, "%sdevice", reading.of);
  result->device = read_text(reader, json_object_get(launch, "device"), "name");
  read_needs(&reading, launch);
  read_named(&reading, launch, "breakdown", "cycles", WB_RESULT_PARTS);
  read_lines(&reading, launch);
  read_loops(&reading, launch);
  read_accesses(&reading, launch);
  read_named(&reading, launch, "values", "value", WB_RESULT_VALUES);
  result->clock = read_clock(&reading, launch);
  read_assumptions(&reading, launch);
  if (wb_json_good(reader))
    unite_numbers(result);
}

warpbound_status wb_launch_results_read(const char *name, const json_t *object, void *into,
                                        warpbound_error *error)
{
  struct wb_launch_results *results = into;
  *results = (struct wb_launch_results){0};
  struct wb_json_reader reader = {.name = name, .error = error, .arena = &results->arena};
  const json_t *list = json_object_get(object, "launches");
  if (list != NULL && !json_is_array(list)) {
    wb_json_at(&reader, "launches");
    wb_json_expected(&reader, "a list", list);
  }
  const size_t count = list != NULL ? json_array_size(list) : 1;
  results->listed = list != NULL;
  results->launches = wb_json_allocate(&reader, count, sizeof *results->launches);
  for (size_t l = 0; l < count && wb_json_good(&reader); l++) {
    if (list != NULL)
      read_launch(&reader, json_array_get(list, l), l + 1, &results->launches[l]);
    else
      read_launch(&reader, object, 0, &results->launches[l]);
    results->count++;
  }
  if (reader.status != WARPBOUND_OK)
    wb_launch_results_free(results);
  return reader.status;
}

void wb_launch_results_free(struct wb_launch_results *results)
{
  wb_arena_free(&results->arena);
  *results = (struct wb_launch_results){0};
}
