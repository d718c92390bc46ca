/* Files with a claim about launches together. */
#include "formats/frame/frame_file.h"

#include "formats/json/json_output.h"

#include <inttypes.h>

/* ---- reading ---- */

/* A list of numbers by launch. */
static uint64_t *read_numbers(struct wb_json_reader *reader, const json_t *list, size_t count,
                              const char *expected)
{
  uint64_t *numbers = wb_json_allocate(reader, count, sizeof *numbers);
  if (!wb_json_row(reader, list, count, expected))
    return numbers;
  for (size_t n = 0; n < count && wb_json_good(reader); n++)
    numbers[n] = wb_json_number(reader, json_array_get(list, n), 0, UINT32_MAX);
  return numbers;
}

static void read_mix(struct wb_json_reader *reader, const json_t *object, size_t number,
                     struct wb_frame_file *file)
{
  struct wb_check_frame_mix *mix = &file->mixes[number];
  wb_json_at(reader, "mixes, entry %zu", number + 1);
  wb_json_object(reader, object, "most rooms");
  mix->most = read_numbers(reader, json_object_get(object, "most"), file->launch_count,
                           "most: a number for each launch");
  const json_t *rooms = json_object_get(object, "rooms");
  if (wb_json_good(reader) && (!json_is_array(rooms) || json_array_size(rooms) < 1 ||
                               json_array_size(rooms) > WB_CHECK_FRAME_ROOMS))
    wb_json_expected(reader, "a list of 1 to 8 rooms", rooms);
  for (size_t r = 0; wb_json_good(reader) && r < json_array_size(rooms); r++) {
    const json_t *room = json_array_get(rooms, r);
    struct wb_check_frame_room *to = &mix->rooms[mix->room_count++];
    wb_json_at(reader, "mixes, entry %zu, rooms, entry %zu", number + 1, r + 1);
    wb_json_object(reader, room, "capacity sizes of_partition");
    to->capacity = wb_json_member(reader, room, "capacity", 0, UINT32_MAX);
    to->of_partition = wb_json_mark(reader, room, "of_partition", "true or false for of_partition");
    to->size = read_numbers(reader, json_object_get(room, "sizes"), file->launch_count,
                            "sizes: a number for each launch");
  }
}

static void read_step(struct wb_json_reader *reader, const json_t *object, size_t number,
                      struct wb_frame_file *file)
{
  struct wb_check_frame_step *step = &file->steps[number];
  wb_json_at(reader, "steps, entry %zu", number + 1);
  wb_json_object(reader, object,
                 "launch copy cycles memory gap after stream beside period response");
  if (!wb_json_good(reader))
    return;
  step->copy = json_object_get(object, "copy") != NULL;
  if (step->copy == (json_object_get(object, "launch") != NULL))
    wb_json_fail(reader, "steps, entry %zu: expected one of launch and copy", number + 1);
  step->launch =
      (uint32_t)wb_json_optional(reader, object, "launch", 0, WB_CHECK_FRAME_LAUNCHES - 1, 0);
  step->engine = (uint32_t)wb_json_optional(reader, object, "copy", 0, 15, 0);
  step->cycles = wb_json_optional(reader, object, "cycles", 0, INT64_MAX, 0);
  step->memory = wb_json_optional(reader, object, "memory", 0, INT64_MAX, 0);
  step->gap = wb_json_optional(reader, object, "gap", 0, INT64_MAX, 0);
  step->stream = (uint32_t)wb_json_optional(reader, object, "stream", 1, UINT32_MAX, 0);
  step->period = wb_json_optional(reader, object, "period", 1, INT64_MAX, 0);
  step->response = wb_json_optional(reader, object, "response", 0, INT64_MAX, 0);
  step->beside = wb_json_mark(reader, object, "beside", "true or false for beside");
  const json_t *after = json_object_get(object, "after");
  const size_t count = json_array_size(after);
  uint32_t *numbers = wb_json_allocate(reader, count, sizeof *numbers);
  if (after != NULL && !json_is_array(after))
    wb_json_expected(reader, "a list of steps for after", after);
  for (size_t a = 0; a < count && wb_json_good(reader); a++)
    numbers[a] =
        (uint32_t)wb_json_number(reader, json_array_get(after, a), 0, WB_CHECK_FRAME_STEPS - 1);
  step->after = numbers;
  step->after_count = count;
}

static void read_launch(struct wb_json_reader *reader, const json_t *object, size_t number,
                        struct wb_frame_file *file)
{
  warpbound_error cause = {0};
  if (!wb_json_good(reader))
    return;
  const warpbound_status status =
      json_is_object(object)
          ? wb_launch_file_read(reader->name, object, &file->launches[number], &cause)
          : wb_fail(&cause, WARPBOUND_INVALID_INPUT, "expected the object of a launch file");
  if (status != WARPBOUND_OK) {
    reader->status = wb_fail_at(reader->error, status, reader->name, 0, 0,
                                "launches, entry %zu: %.400s", number + 1, cause.message);
    return;
  }
  file->claims[number] = file->launches[number].claim;
  file->launch_count++;
}

/* A list of at most so many; its size, 0 after a failure. */
static const json_t *find_list(struct wb_json_reader *reader, const json_t *object, const char *key,
                               size_t most, size_t *count)
{
  const json_t *list = wb_json_array_member(reader, object, key, "a list");
  *count = wb_json_good(reader) ? json_array_size(list) : 0;
  if (*count > most) {
    wb_json_fail(reader, "%s: expected at most %zu entries, found %zu", key, most, *count);
    *count = 0;
  }
  return list;
}

static void read_lists(struct wb_json_reader *reader, const json_t *object,
                       struct wb_frame_file *file)
{
  size_t launches;
  size_t mixes;
  size_t steps;
  const json_t *list = find_list(reader, object, "launches", WB_CHECK_FRAME_LAUNCHES, &launches);
  file->launches = wb_json_allocate(reader, launches, sizeof *file->launches);
  file->claims = wb_json_allocate(reader, launches, sizeof *file->claims);
  if (wb_json_good(reader) && launches == 0)
    wb_json_fail(reader, "launches: expected at least one");
  for (size_t l = 0; l < launches; l++)
    read_launch(reader, json_array_get(list, l), l, file);
  list = find_list(reader, object, "mixes", WB_CHECK_FRAME_SIZES, &mixes);
  file->mixes = wb_json_allocate(reader, mixes, sizeof *file->mixes);
  for (size_t m = 0; m < mixes && wb_json_good(reader); m++)
    read_mix(reader, json_array_get(list, m), m, file);
  wb_json_at_file(reader);
  list = find_list(reader, object, "steps", WB_CHECK_FRAME_STEPS, &steps);
  file->steps = wb_json_allocate(reader, steps, sizeof *file->steps);
  for (size_t s = 0; s < steps && wb_json_good(reader); s++)
    read_step(reader, json_array_get(list, s), s, file);
  wb_json_at_file(reader);
  file->claim.launches = file->claims;
  file->claim.launch_count = file->launch_count;
  file->claim.mixes = file->mixes;
  file->claim.mix_count = mixes;
  file->claim.steps = file->steps;
  file->claim.step_count = steps;
}

warpbound_status wb_frame_file_read(const char *name, const json_t *object, void *into,
                                    warpbound_error *error)
{
  struct wb_frame_file *file = into;
  struct wb_json_reader reader = {.name = name, .error = error, .arena = &file->arena};
  *file = (struct wb_frame_file){0};
  wb_json_file(&reader, object, WB_FRAME_FORMAT,
               "format cycles own_sms period in_flight device assumptions mixes steps launches");
  file->claim.cycles = wb_json_member(&reader, object, "cycles", 0, INT64_MAX);
  file->claim.own_sms = wb_json_mark(&reader, object, "own_sms", "true or false for own_sms");
  file->claim.period = wb_json_optional(&reader, object, "period", 1, INT64_MAX, 0);
  file->claim.in_flight =
      (uint32_t)wb_json_optional(&reader, object, "in_flight", 1, WB_CHECK_FRAME_FLIGHTS, 1);
  read_lists(&reader, object, file);
  wb_launch_grounds_read(&reader, object, &file->grounds);
  if (!wb_json_good(&reader))
    wb_frame_file_free(file);
  return reader.status;
}

void wb_frame_file_free(struct wb_frame_file *file)
{
  for (size_t l = 0; l < file->launch_count; l++)
    wb_launch_file_free(&file->launches[l]);
  wb_launch_grounds_free(&file->grounds);
  wb_arena_free(&file->arena);
  *file = (struct wb_frame_file){0};
}

/* ---- writing ---- */

static void write_numbers(const char *key, const uint64_t *numbers, size_t count,
                          struct wb_text *text)
{
  wb_text_format(text, "\"%s\": [", key);
  for (size_t n = 0; n < count; n++)
    wb_text_format(text, "%s%" PRIu64, wb_json_comma(n), numbers[n]);
  wb_text_string(text, "]");
}

static void write_mixes(const struct wb_check_frame_claim *claim, struct wb_text *text)
{
  wb_text_string(text, " \"mixes\": [");
  for (size_t m = 0; m < claim->mix_count; m++) {
    const struct wb_check_frame_mix *mix = &claim->mixes[m];
    wb_text_string(text, m > 0 ? ",\n  {" : "\n  {");
    write_numbers("most", mix->most, claim->launch_count, text);
    wb_text_string(text, ", \"rooms\": [");
    for (size_t r = 0; r < mix->room_count; r++) {
      wb_text_format(text, "%s\n    {\"capacity\": %" PRIu64 ", ", r > 0 ? "," : "",
                     mix->rooms[r].capacity);
      write_numbers("sizes", mix->rooms[r].size, claim->launch_count, text);
      wb_text_string(text, mix->rooms[r].of_partition ? ", \"of_partition\": true}" : "}");
    }
    wb_text_string(text, "]}");
  }
  wb_text_string(text, "],\n");
}

static void write_number(const char *key, uint64_t number, struct wb_text *text)
{
  if (number > 0)
    wb_text_format(text, ", \"%s\": %" PRIu64, key, number);
}

static void write_steps(const struct wb_check_frame_claim *claim, struct wb_text *text)
{
  wb_text_string(text, " \"steps\": [");
  for (size_t s = 0; s < claim->step_count; s++) {
    const struct wb_check_frame_step *step = &claim->steps[s];
    wb_text_format(text, "%s\n  {\"%s\": %" PRIu32, s > 0 ? "," : "",
                   step->copy ? "copy" : "launch", step->copy ? step->engine : step->launch);
    write_number("cycles", step->cycles, text);
    write_number("memory", step->memory, text);
    write_number("gap", step->gap, text);
    write_number("stream", step->stream, text);
    write_number("period", step->period, text);
    write_number("response", step->response, text);
    for (size_t a = 0; a < step->after_count; a++)
      wb_text_format(text, "%s%" PRIu32, a == 0 ? ", \"after\": [" : ", ", step->after[a]);
    wb_text_string(text, step->after_count > 0 ? "]" : "");
    wb_text_string(text, step->beside ? ", \"beside\": true}" : "}");
  }
  wb_text_string(text, "],\n");
}

void wb_frame_file_write(const struct wb_check_frame_claim *claim, const char *device,
                         const struct wb_list *assumptions, struct wb_text *text)
{
  json_t *name = wb_json_clean(device);
  json_t *list = wb_json_clean_list(assumptions);
  wb_text_format(text, "{\"format\": \"" WB_FRAME_FORMAT "\",\n \"cycles\": %" PRIu64 ",\n",
                 claim->cycles);
  wb_text_string(text, claim->own_sms ? " \"own_sms\": true,\n" : "");
  if (claim->period > 0)
    wb_text_format(text, " \"period\": %" PRIu64 ",\n \"in_flight\": %" PRIu32 ",\n", claim->period,
                   claim->in_flight);
  wb_text_string(text, " \"device\": ");
  wb_json_write(name, JSON_ENCODE_ANY, text);
  wb_text_string(text, ",\n \"assumptions\": ");
  wb_json_write(list, JSON_ENCODE_ANY, text);
  wb_text_string(text, ",\n");
  json_decref(name);
  json_decref(list);
  write_mixes(claim, text);
  write_steps(claim, text);
  wb_text_string(text, " \"launches\": [");
  for (size_t l = 0; l < claim->launch_count; l++) {
    wb_text_string(text, l > 0 ? ",\n" : "\n");
    wb_launch_file_write(&claim->launches[l], NULL, text);
  }
  wb_text_string(text, "]}\n");
}
