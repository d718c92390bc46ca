#include "formats/launch_run/launch_run_file.h"

#include "base/checked.h"
#include "base/memory.h"
#include "formats/launch/launch_file.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TIME (UINT64_C(1) << 62)
#define MOST_BLOCKS (UINT64_C(1) << 22)
#define MOST_WARPS ((size_t)1 << 24)
#define MOST_STEPS 512
#define MOST_KERNELS 64
#define MOST_ROOMS 8

/* A list that may be left out, of at most so many; its size, 0 after a failure. */
static const json_t *find_list(struct wb_json_reader *reader, const json_t *object, const char *key,
                               size_t most, size_t *count)
{
  const json_t *list = json_object_get(object, key);
  wb_json_at(reader, "%s", key);
  if (list != NULL && (!json_is_array(list) || json_array_size(list) > most))
    wb_json_expected(reader, "a list, not too long", list);
  *count = wb_json_good(reader) ? json_array_size(list) : 0;
  return list;
}

/* A row of at least `least` numbers at the place; how many. */
static size_t row_length(struct wb_json_reader *reader, const json_t *row, size_t least)
{
  if (wb_json_good(reader) && (!json_is_array(row) || json_array_size(row) < least))
    wb_json_expected(reader, "a list of numbers, long enough", row);
  return wb_json_good(reader) ? json_array_size(row) : 0;
}

static uint64_t element(struct wb_json_reader *reader, const json_t *row, size_t index,
                        uint64_t most)
{
  return wb_json_number(reader, json_array_get(row, index), 0, most);
}

/* The numbers of a row from one on. */
static uint64_t *read_times(struct wb_json_reader *reader, const json_t *row, size_t from)
{
  const size_t count = json_array_size(row) - from;
  uint64_t *times = wb_json_allocate(reader, count, sizeof *times);
  for (size_t n = 0; n < count && wb_json_good(reader); n++)
    times[n] = element(reader, row, from + n, MOST_TIME);
  return times;
}

/* ---- the machine and its code ---- */

static void read_machine(struct wb_json_reader *reader, const json_t *object,
                         struct wb_launch_run_file *file)
{
  const json_t *machine = json_object_get(object, "machine");
  struct wb_launch_shape *shape = &file->run.shape;
  wb_json_at(reader, "machine");
  wb_json_object(reader, machine,
                 "sms partitions resident_blocks overhead block_start early_starts dispatch begin "
                 "memory of");
  shape->sms = (uint32_t)wb_json_member(reader, machine, "sms", 1, UINT16_MAX);
  shape->partitions = (uint32_t)wb_json_member(reader, machine, "partitions", 1, 64);
  shape->resident_blocks =
      (uint32_t)wb_json_optional(reader, machine, "resident_blocks", 1, UINT16_MAX, 0);
  shape->overhead = wb_json_optional(reader, machine, "overhead", 0, MOST_TIME, 0);
  shape->block_start =
      (uint32_t)wb_json_optional(reader, machine, "block_start", 0, WB_TIME_LIMIT, 0);
  file->run.early_starts =
      wb_json_mark(reader, machine, "early_starts", "true or false for early_starts");
  shape->dispatch = (uint32_t)wb_json_optional(reader, machine, "dispatch", 0, WB_TIME_LIMIT, 0);
  file->graph.begin = wb_json_optional(reader, machine, "begin", 0, MOST_TIME, 0);
  file->graph.memory = (uint8_t)wb_json_optional(reader, machine, "memory", 0,
                                                 WB_RESOURCE_LIMIT - 1, WB_RESOURCE_LIMIT);
  file->graph.of =
      (uint32_t)wb_json_optional(reader, machine, "of", 0, MOST_STEPS - 1, WB_CHECK_RUN_NO_STEP);
  wb_json_at_file(reader);
}

/* Lines, and what instructions need of them. */
static void read_lines(struct wb_json_reader *reader, const json_t *object,
                       struct wb_launch_run_file *file)
{
  struct wb_cold_lines *lines = &file->code.cold_lines;
  size_t count, rows;
  size_t needs = 0;
  const json_t *list = find_list(reader, object, "lines", UINT32_MAX - 1, &count);
  const json_t *needed = find_list(reader, object, "needs", UINT32_MAX - 1, &rows);
  if (list == NULL || !wb_json_good(reader))
    return;
  file->run.cold = true;
  if (rows != file->code.instruction_count || (file->code.cold_count == 0 && count > 0)) {
    wb_json_fail(reader, "needs: expected an entry for each instruction, and fetches");
    return;
  }
  for (size_t i = 0; i < rows; i++)
    needs += json_array_size(json_array_get(needed, i));
  lines->lines = wb_allocate(count, sizeof *lines->lines);
  lines->first = wb_allocate(rows + 1, sizeof *lines->first);
  lines->needs = wb_allocate(needs, sizeof *lines->needs);
  if (lines->lines == NULL || lines->first == NULL || lines->needs == NULL) {
    reader->status = wb_out_of_memory(reader->error);
    return;
  }
  lines->count = count;
  lines->first[0] = 0;
  for (size_t l = 0; l < count && wb_json_good(reader); l++) {
    const json_t *row = json_array_get(list, l);
    wb_json_at(reader, "lines, entry %zu", l + 1);
    wb_json_row(reader, row, 2, "a kind of fetch, and one more than the line behind it");
    lines->lines[l].fetch = (uint8_t)element(reader, row, 0, file->code.cold_count - 1);
    lines->lines[l].behind = (uint32_t)element(reader, row, 1, l);
  }
  for (size_t i = 0; i < rows && wb_json_good(reader); i++) {
    const json_t *row = json_array_get(needed, i);
    wb_json_at(reader, "needs, entry %zu", i + 1);
    const size_t length = row_length(reader, row, 0);
    lines->first[i + 1] = lines->first[i] + length;
    if (count == 0 && length > 0)
      wb_json_expected(reader, "lines", row);
    for (size_t n = 0; n < length && wb_json_good(reader); n++)
      lines->needs[lines->first[i] + n] = (uint32_t)element(reader, row, n, count - 1);
  }
}

/* ---- launches ---- */

static struct wb_check_run_kernel *read_kernels(struct wb_json_reader *reader, const json_t *object,
                                                size_t *count)
{
  const json_t *list = find_list(reader, object, "kernels", MOST_KERNELS, count);
  struct wb_check_run_kernel *kernels = wb_json_allocate(reader, *count, sizeof *kernels);
  if (wb_json_good(reader) && *count == 0)
    wb_json_expected(reader, "a list of 1 to 64 kernels", list);
  for (size_t k = 0; k < *count && wb_json_good(reader); k++) {
    const json_t *entry = json_array_get(list, k);
    wb_json_at(reader, "kernels, entry %zu", k + 1);
    wb_json_object(reader, entry, "blocks block_warps most first_sm sms");
    kernels[k].blocks = wb_json_member(reader, entry, "blocks", 1, MOST_BLOCKS);
    kernels[k].block_warps = (uint32_t)wb_json_member(reader, entry, "block_warps", 1, UINT16_MAX);
    kernels[k].most = (uint32_t)wb_json_optional(reader, entry, "most", 0, UINT16_MAX, 0);
    kernels[k].first_sm = (uint32_t)wb_json_optional(reader, entry, "first_sm", 0, UINT16_MAX, 0);
    kernels[k].sms = (uint32_t)wb_json_optional(reader, entry, "sms", 0, UINT16_MAX, 0);
  }
  return kernels;
}

static void read_rooms(struct wb_json_reader *reader, const json_t *object,
                       struct wb_launch_run_file *file)
{
  size_t count;
  const json_t *list = find_list(reader, object, "rooms", MOST_ROOMS, &count);
  struct wb_check_run_room *rooms = wb_json_allocate(reader, count, sizeof *rooms);
  for (size_t r = 0; r < count && wb_json_good(reader); r++) {
    const json_t *entry = json_array_get(list, r);
    wb_json_at(reader, "rooms, entry %zu", r + 1);
    wb_json_object(reader, entry, "capacity sizes");
    rooms[r].capacity = wb_json_member(reader, entry, "capacity", 0, MOST_TIME);
    const json_t *sizes = json_object_get(entry, "sizes");
    if (wb_json_row(reader, sizes, file->graph.kernel_count, "sizes: one for each kernel"))
      rooms[r].size = read_times(reader, sizes, 0);
  }
  file->graph.rooms = rooms;
  file->graph.room_count = count;
}

static void read_step(struct wb_json_reader *reader, const json_t *entry, size_t number,
                      struct wb_check_run_step *step)
{
  wb_json_at(reader, "steps, entry %zu", number + 1);
  wb_json_object(reader, entry,
                 "launch copy wait cycles memory gap after beside row period asked begin end");
  if (!wb_json_good(reader))
    return;
  if (json_object_get(entry, "launch") != NULL)
    step->kind = WB_CHECK_RUN_LAUNCH;
  else
    step->kind = json_object_get(entry, "copy") != NULL ? WB_CHECK_RUN_COPY : WB_CHECK_RUN_WAIT;
  step->kernel = (uint32_t)wb_json_optional(reader, entry, "launch", 0, MOST_KERNELS - 1, 0);
  step->engine = (uint32_t)wb_json_optional(reader, entry, "copy", 0, UINT8_MAX, 0);
  step->cycles = wb_json_optional(reader, entry, "cycles", 0, MOST_TIME, 0);
  if (step->kind == WB_CHECK_RUN_WAIT)
    step->cycles = wb_json_member(reader, entry, "wait", 0, MOST_TIME);
  step->memory = wb_json_optional(reader, entry, "memory", 0, MOST_TIME, 0);
  step->gap = wb_json_optional(reader, entry, "gap", 0, MOST_TIME, 0);
  step->row = (uint32_t)wb_json_optional(reader, entry, "row", 0, UINT32_MAX, number);
  step->period = wb_json_optional(reader, entry, "period", 1, MOST_TIME, 0);
  step->beside = wb_json_mark(reader, entry, "beside", "true or false for beside");
  step->asked = wb_json_member(reader, entry, "asked", 0, MOST_TIME);
  step->begin = wb_json_member(reader, entry, "begin", 0, MOST_TIME);
  step->end = wb_json_member(reader, entry, "end", 0, MOST_TIME);
  const json_t *after = json_object_get(entry, "after");
  if (after == NULL)
    return;
  step->after_count = row_length(reader, after, 0);
  uint32_t *steps = wb_json_allocate(reader, step->after_count, sizeof *steps);
  for (size_t a = 0; a < step->after_count && wb_json_good(reader); a++)
    steps[a] = (uint32_t)element(reader, after, a, MOST_STEPS - 1);
  step->after = steps;
}

static void read_graph(struct wb_json_reader *reader, const json_t *object,
                       struct wb_launch_run_file *file)
{
  size_t count;
  const struct wb_check_run_kernel *kernels =
      read_kernels(reader, object, &file->graph.kernel_count);
  const json_t *list = find_list(reader, object, "steps", MOST_STEPS, &count);
  file->graph.kernels = kernels;
  for (size_t k = 0; k < file->graph.kernel_count && wb_json_good(reader); k++)
    file->run.shape.block_warps =
        (uint32_t)wb_maximum(file->run.shape.block_warps, kernels[k].block_warps);
  if (list == NULL) {
    wb_json_at_file(reader);
    return;
  }
  read_rooms(reader, object, file);
  struct wb_check_run_step *steps = wb_json_allocate(reader, count, sizeof *steps);
  for (size_t s = 0; s < count && wb_json_good(reader); s++)
    read_step(reader, json_array_get(list, s), s, &steps[s]);
  file->graph.steps = steps;
  file->graph.step_count = count;
  file->run.graph = &file->graph;
}

/* ---- what happened ---- */

/* Blocks and warps being read. */
struct reading {
  struct wb_json_reader *reader;
  struct wb_launch_run_file *file;
  const json_t *paths, *warps, *requests;
  uint32_t **path; /* by path */
  size_t *length;
  size_t path_count;
  const uint32_t **path_of; /* by block and warp */
  size_t *length_of;
  struct wb_check_launch_event *events;
  size_t event_capacity;
  size_t warp; /* the next one */
};

static void read_paths(struct reading *reading, const json_t *object)
{
  struct wb_json_reader *reader = reading->reader;
  const json_t *list = find_list(reader, object, "paths", UINT32_MAX, &reading->path_count);
  reading->path = wb_json_allocate(reader, reading->path_count, sizeof *reading->path);
  reading->length = wb_json_allocate(reader, reading->path_count, sizeof *reading->length);
  for (size_t p = 0; p < reading->path_count && wb_json_good(reader); p++) {
    const json_t *row = json_array_get(list, p);
    wb_json_at(reader, "paths, entry %zu", p + 1);
    reading->length[p] = row_length(reader, row, 1);
    reading->path[p] = wb_json_allocate(reader, reading->length[p], sizeof **reading->path);
    for (size_t i = 0; i < reading->length[p] && wb_json_good(reader); i++)
      reading->path[p][i] =
          (uint32_t)element(reader, row, i, reading->file->code.instruction_count - 1);
  }
}

static void add_event(struct reading *reading, struct wb_check_launch_event event)
{
  struct wb_check_launch_run *run = &reading->file->run;
  if (!wb_grow(reading->events, &reading->event_capacity, run->event_count + 1)) {
    reading->reader->status = wb_out_of_memory(reading->reader->error);
    return;
  }
  reading->events[run->event_count++] = event;
}

/* The events of a warp; its rows are the next ones. */
static void read_warp(struct reading *reading, uint64_t block, uint32_t number, uint32_t sm)
{
  struct wb_json_reader *reader = reading->reader;
  const struct wb_timed_code *code = &reading->file->code;
  const json_t *row = json_array_get(reading->warps, reading->warp);
  const json_t *requests = json_array_get(reading->requests, reading->warp);
  wb_json_at(reader, "warps, entry %zu", reading->warp + 1);
  const size_t length = row_length(reader, row, 3);
  const uint64_t path = element(reader, row, 0, reading->path_count - 1);
  struct wb_check_launch_event event = {.block = block,
                                        .warp = number,
                                        .sm = sm,
                                        .partition = (uint32_t)element(reader, row, 1, UINT16_MAX)};
  if (wb_json_good(reader) && length != reading->length[path] + 2)
    wb_json_expected(reader, "a path, a partition and a time for each step of the path", row);
  size_t next = 0;
  const size_t stride = reading->file->run.shape.block_warps;
  for (size_t i = 0; i + 2 < length && wb_json_good(reader); i++) {
    const struct wb_timed_instruction *instruction = &code->instructions[reading->path[path][i]];
    event.step = (uint32_t)i;
    event.request = false;
    event.stage = event.number = 0;
    event.time = element(reader, row, i + 2, MOST_TIME);
    event.until = event.time;
    add_event(reading, event);
    for (uint32_t s = 0; s < instruction->stage_count; s++) {
      const struct wb_request_stage *stage = &code->stages[instruction->first_stage + s];
      for (uint32_t n = 0; n < stage->requests && wb_json_good(reader); n++) {
        event.request = true;
        event.stage = s;
        event.number = n;
        event.time = element(reader, requests, next++, MOST_TIME);
        event.until = event.time + stage->service;
        add_event(reading, event);
      }
    }
  }
  wb_json_at(reader, "requests, entry %zu", reading->warp + 1);
  if (wb_json_good(reader) && next != row_length(reader, requests, 0))
    wb_json_expected(reader, "a time for each request of the warp", requests);
  if (!wb_json_good(reader))
    return;
  reading->path_of[block * stride + number] = reading->path[path];
  reading->length_of[block * stride + number] = reading->length[path];
  reading->warp++;
}

static uint32_t warps_of(const struct wb_launch_run_file *file, uint64_t step)
{
  if (file->run.graph == NULL)
    return file->run.shape.block_warps;
  const uint32_t kernel = file->graph.steps[step].kernel;
  return kernel < file->graph.kernel_count ? file->graph.kernels[kernel].block_warps : 0;
}

static void read_blocks(struct wb_json_reader *reader, const json_t *object,
                        struct wb_launch_run_file *file)
{
  struct wb_check_launch_run *run = &file->run;
  size_t count, warps, requests;
  struct reading reading = {.reader = reader, .file = file};
  read_paths(&reading, object);
  const json_t *blocks = find_list(reader, object, "blocks", MOST_BLOCKS, &count);
  reading.warps = find_list(reader, object, "warps", UINT32_MAX, &warps);
  reading.requests = find_list(reader, object, "requests", UINT32_MAX, &requests);
  /* A graph of copies and waits alone has no warps. */
  const bool none = run->graph != NULL && count == 0 && warps == 0;
  if (wb_json_good(reader) && ((reading.path_count == 0 && !none) || requests != warps ||
                               count > warps || file->code.instruction_count == 0))
    wb_json_fail(reader, "warps: expected a path, a warp of each block, and requests of each warp");
  const size_t stride = run->shape.block_warps;
  if (wb_json_good(reader) && count > MOST_WARPS / wb_maximum(stride, 1))
    wb_json_fail(reader, "blocks: expected at most %zu warps of all", MOST_WARPS);
  count = wb_json_good(reader) ? count : 0;
  uint64_t *placed = wb_json_allocate(reader, count, sizeof *placed);
  uint64_t *ready = wb_json_allocate(reader, count, sizeof *ready);
  uint32_t *steps = wb_json_allocate(reader, count, sizeof *steps);
  reading.path_of = wb_json_allocate(reader, count * stride, sizeof *reading.path_of);
  reading.length_of = wb_json_allocate(reader, count * stride, sizeof *reading.length_of);
  for (size_t b = 0; b < count && wb_json_good(reader); b++) {
    const json_t *row = json_array_get(blocks, b);
    wb_json_at(reader, "blocks, entry %zu", b + 1);
    wb_json_row(reader, row, 4, "a step, an SM, and when it was placed and ready");
    const size_t most = run->graph != NULL ? file->graph.step_count : 1;
    steps[b] = (uint32_t)element(reader, row, 0, most > 0 ? most - 1 : 0);
    placed[b] = element(reader, row, 2, MOST_TIME);
    ready[b] = element(reader, row, 3, MOST_TIME);
    const uint32_t sm = (uint32_t)element(reader, row, 1, UINT16_MAX);
    const uint32_t own = wb_json_good(reader) && most > 0 ? warps_of(file, steps[b]) : 0;
    for (uint32_t w = 0; w < own && wb_json_good(reader); w++)
      read_warp(&reading, b, w, sm);
  }
  if (wb_json_good(reader) && reading.warp != warps)
    wb_json_fail(reader, "warps: expected those of all blocks, found %zu, not %zu", warps,
                 reading.warp);
  run->shape.blocks = count;
  run->placed = placed;
  run->ready = ready;
  run->path = reading.path_of;
  run->length = reading.length_of;
  run->events = reading.events;
  file->graph.block_step = steps;
}

/* How many requests the fetch of a line makes. */
static size_t fetch_length(const struct wb_launch_run_file *file, uint64_t line)
{
  const struct wb_cold_fetch *kind = &file->code.cold[file->code.cold_lines.lines[line].fetch];
  size_t length = 0;
  for (size_t s = 0; s < kind->stage_count; s++)
    length += kind->stages[s].requests;
  return length;
}

static void read_others(struct wb_json_reader *reader, const json_t *object,
                        struct wb_launch_run_file *file)
{
  struct wb_check_launch_run *run = &file->run;
  const size_t lines = file->code.cold_lines.count;
  size_t count;
  const json_t *list = find_list(reader, object, "fetched", lines > 0 ? UINT32_MAX : 0, &count);
  struct wb_check_run_fetch *fetches = wb_json_allocate(reader, count, sizeof *fetches);
  for (size_t f = 0; f < count && wb_json_good(reader); f++) {
    const json_t *row = json_array_get(list, f);
    wb_json_at(reader, "fetched, entry %zu", f + 1);
    const size_t length = row_length(reader, row, 4);
    fetches[f].line = (uint32_t)element(reader, row, 0, lines - 1);
    fetches[f].sm = (uint32_t)element(reader, row, 1, UINT16_MAX);
    fetches[f].partition = (uint32_t)element(reader, row, 2, UINT16_MAX);
    if (wb_json_good(reader) && length != fetch_length(file, fetches[f].line) + 3)
      wb_json_expected(reader, "a line, an SM, a partition, and a time for each request", row);
    if (wb_json_good(reader))
      fetches[f].times = read_times(reader, row, 3);
  }
  run->fetches = fetches;
  run->fetch_count = count;
  const bool memory = run->graph != NULL && file->graph.memory < file->code.resource_count;
  list = find_list(reader, object, "copied", memory ? MOST_STEPS : 0, &count);
  struct wb_check_run_copy *copies = wb_json_allocate(reader, count, sizeof *copies);
  for (size_t c = 0; c < count && wb_json_good(reader); c++) {
    const json_t *row = json_array_get(list, c);
    wb_json_at(reader, "copied, entry %zu", c + 1);
    const size_t length = row_length(reader, row, 1);
    copies[c].step = (uint32_t)element(reader, row, 0, MOST_STEPS - 1);
    if (wb_json_good(reader) &&
        length != file->code.resources[file->graph.memory].servers + (size_t)1)
      wb_json_expected(reader, "a step, and a time for each server of the memory", row);
    if (wb_json_good(reader))
      copies[c].times = read_times(reader, row, 1);
  }
  run->copies = copies;
  run->copy_count = count;
  wb_json_at_file(reader);
}

warpbound_status wb_launch_run_file_read(const char *name, const json_t *object, void *into,
                                         warpbound_error *error)
{
  struct wb_launch_run_file *file = into;
  *file = (struct wb_launch_run_file){0};
  struct wb_json_reader reader = {.name = name, .error = error, .arena = &file->arena};
  wb_json_file(&reader, object, WB_LAUNCH_RUN_FORMAT,
               "format cycles device machine fetches resources instructions lines needs paths "
               "kernels rooms steps blocks warps requests fetched copied");
  file->run.cycles = wb_json_member(&reader, object, "cycles", 0, MOST_TIME);
  const json_t *device = json_object_get(object, "device");
  if (json_is_string(device) && wb_json_good(&reader)) {
    const size_t length = json_string_length(device);
    file->device = wb_json_allocate(&reader, length + 1, 1);
    if (file->device != NULL)
      memcpy(file->device, json_string_value(device), length);
  }
  read_machine(&reader, object, file);
  wb_launch_code_read(&reader, object, &file->code);
  read_lines(&reader, object, file);
  read_graph(&reader, object, file);
  read_blocks(&reader, object, file);
  read_others(&reader, object, file);
  file->run.code = &file->code;
  if (file->run.graph != NULL)
    file->run.graph = &file->graph;
  if (reader.status != WARPBOUND_OK)
    wb_launch_run_file_free(file);
  return reader.status;
}

void wb_launch_run_file_free(struct wb_launch_run_file *file)
{
  free((void *)file->run.events);
  wb_timed_code_free(&file->code);
  wb_arena_free(&file->arena);
  *file = (struct wb_launch_run_file){0};
}
