/* The member "frame" of a file of launches. */
#include "cli/input/frames.h"

#include "base/file.h"
#include "cli/input/device_input.h"
#include "cli/options/options.h"
#include "formats/json/json_input.h"

#include <math.h>
#include <string.h>

#define STEP_LIMIT 512

static const struct unit_scale times[] = {
    {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {NULL, 0}};
static const struct unit_scale rates[] = {
    {"GB/s", 1e9}, {"MB/s", 1e6}, {"kB/s", 1e3}, {"B/s", 1}, {NULL, 0}};
static const struct unit_scale sizes[] = {
    {"K", 1024}, {"M", 1024.0 * 1024}, {"G", 1024.0 * 1024 * 1024}, {"B", 1}, {NULL, 0}};
static const struct unit_scale shares[] = {{"%", 1e4}, {NULL, 0}};

/* A member as "8ms", or of bytes a whole number; 0 where it is left out. up: rounded up, else
 * down. */
static uint64_t read_quantity(struct wb_json_reader *reader, const json_t *object, const char *key,
                              const struct unit_scale *units, bool up, const char *expected)
{
  const json_t *member = json_object_get(object, key);
  double value = 0;
  if (member == NULL || !wb_json_good(reader))
    return 0;
  if (units == sizes && json_is_integer(member))
    return wb_json_member(reader, object, key, 0, INT64_MAX);
  if (!json_is_string(member) || !measured_number(json_string_value(member), units, &value) ||
      value >= 9e18) {
    wb_json_fail(reader, "%s: %s: expected %s", reader->place, key, expected);
    return 0;
  }
  const double nearest = round(value);
  if (fabs(value - nearest) <= 1e-9 * nearest) /* "0.1us" is 100 ns */
    return (uint64_t)nearest;
  return (uint64_t)(up ? ceil(value) : floor(value));
}

static uint64_t read_time(struct wb_json_reader *reader, const json_t *object, const char *key,
                          bool up)
{
  return read_quantity(reader, object, key, times, up, "a time above 0 as 5us, 2ms or 0.1s");
}

static const char *read_text(struct wb_json_reader *reader, const json_t *object, const char *key)
{
  const json_t *member = json_object_get(object, key);
  if (member == NULL || !wb_json_good(reader))
    return NULL;
  if (!json_is_string(member)) {
    wb_json_fail(reader, "%s: %s: expected a text", reader->place, key);
    return NULL;
  }
  return wb_arena_text(reader->arena, json_string_value(member), json_string_length(member));
}

/* The number of a launch by its name. */
static size_t find_launch(struct wb_json_reader *reader, const struct launch_list *list,
                          const char *name)
{
  for (size_t l = 0; l < list->count && name != NULL; l++) {
    if (strcmp(list->rows[l].name, name) == 0)
      return l;
  }
  if (name != NULL)
    wb_json_fail(reader, "%s: launch: expected the name of one of the launches, found '%.60s'",
                 reader->place, name);
  return 0;
}

/* What it does: one of its members says so. */
static void read_kind(struct wb_json_reader *reader, const json_t *object,
                      const struct launch_list *list, warpbound_step *step)
{
  static const char *const kinds[] = {"to-device", "to-host", "on-device"};
  const char *launch = read_text(reader, object, "launch");
  const char *copy = read_text(reader, object, "copy");
  const json_t *fill = json_object_get(object, "fill");
  const json_t *host = json_object_get(object, "host");
  if (wb_json_good(reader) &&
      (launch != NULL) + (copy != NULL) + (fill != NULL) + (host != NULL) != 1)
    wb_json_fail(reader, "%s: expected one of launch, copy, fill and host", reader->place);
  if (launch != NULL) {
    step->kind = WARPBOUND_STEP_LAUNCH;
    step->launch = find_launch(reader, list, launch);
  } else if (copy != NULL) {
    step->kind = WARPBOUND_STEP_COPY_TO_DEVICE;
    for (unsigned k = 1; k < 3; k++)
      step->kind = strcmp(copy, kinds[k]) == 0 ? (warpbound_step_kind)(step->kind + k) : step->kind;
    if (step->kind == WARPBOUND_STEP_COPY_TO_DEVICE && strcmp(copy, kinds[0]) != 0)
      wb_json_fail(reader, "%s: copy: expected to-device, to-host or on-device, found '%.60s'",
                   reader->place, copy);
    step->bytes =
        read_quantity(reader, object, "bytes", sizes, true, "bytes as 1048576, 64K, 8M or 1G");
  } else if (fill != NULL) {
    step->kind = WARPBOUND_STEP_FILL;
    step->bytes =
        read_quantity(reader, object, "fill", sizes, true, "bytes as 1048576, 64K, 8M or 1G");
  } else {
    step->kind = WARPBOUND_STEP_HOST;
    step->time_ns = read_time(reader, object, "host", true);
  }
  const bool copies = copy != NULL || fill != NULL;
  static const char *const only[] = {"bytes", "rate", "overhead", "memory_share"};
  for (size_t k = copy != NULL ? 1 : 0; k < 4 && !(copies && k > 0); k++) {
    if (json_object_get(object, only[k]) != NULL)
      wb_json_fail(reader, "%s: %s: expected with a copy%s alone", reader->place, only[k],
                   k > 0 ? " or fill" : "");
  }
  if (!copies)
    return;
  step->rate =
      read_quantity(reader, object, "rate", rates, false, "bytes a second as 12GB/s or 800MB/s");
  step->time_ns = read_time(reader, object, "overhead", true);
  step->memory_share = (uint32_t)read_quantity(reader, object, "memory_share", shares, true,
                                               "a share of the memory's time as 25%");
  if (step->memory_share > 1000000)
    wb_json_fail(reader, "%s: memory_share: expected at most 100%%", reader->place);
}

/* Refuses a name that no step before it has, and lists those there are. */
static void refuse_name(struct wb_json_reader *reader, const struct frame_input *frame,
                        const char *name)
{
  struct wb_text names = {0};
  for (size_t s = 0; s < frame->count && names.length < 200; s++) {
    if (!frame->steps[s].beside)
      wb_text_format(&names, "%s'%.60s'", names.length > 0 ? ", " : "", frame->steps[s].name);
  }
  wb_json_fail(reader, "%s: after: expected names of steps before this one (%s), found '%.60s'",
               reader->place, names.length > 0 && !names.failed ? names.data : "there are none",
               name);
  wb_text_free(&names);
}

/* The names of steps before it. */
static void read_order(struct wb_json_reader *reader, const json_t *object,
                       const struct frame_input *frame, warpbound_step *step)
{
  const json_t *after = json_object_get(object, "after");
  const size_t count = json_is_array(after) ? json_array_size(after) : after != NULL ? 1 : 0;
  size_t *numbers = wb_json_allocate(reader, count, sizeof *numbers);
  for (size_t a = 0; a < count && wb_json_good(reader); a++) {
    const json_t *item = json_is_array(after) ? json_array_get(after, a) : after;
    const char *name = json_is_string(item) ? json_string_value(item) : "";
    size_t found = frame->count;
    for (size_t s = 0; s < frame->count; s++)
      found = !frame->steps[s].beside && strcmp(frame->steps[s].name, name) == 0 ? s : found;
    if (found == frame->count)
      refuse_name(reader, frame, name);
    else
      numbers[a] = found;
  }
  step->after = numbers;
  step->after_count = count;
}

static void read_step(struct wb_json_reader *reader, const json_t *object,
                      const struct launch_list *list, bool beside, struct frame_input *frame)
{
  warpbound_step step = {.beside = beside};
  wb_json_object(reader, object,
                 beside ? "name launch period"
                        : "name launch copy fill host bytes rate overhead memory_share stream "
                          "after gap");
  const char *name = read_text(reader, object, "name");
  read_kind(reader, object, list, &step);
  if (!wb_json_good(reader))
    return;
  static const char *const kinds[] = {"",     "copy to device", "copy to host", "copy on device",
                                      "fill", "host function"};
  step.name = name != NULL                         ? name
              : step.kind == WARPBOUND_STEP_LAUNCH ? list->rows[step.launch].name
                                                   : kinds[step.kind];
  step.period_ns = read_time(reader, object, "period", false);
  step.stream = read_text(reader, object, "stream");
  step.gap_ns = read_time(reader, object, "gap", true);
  read_order(reader, object, frame, &step);
  for (size_t s = 0; s < frame->count && wb_json_good(reader); s++) {
    if (strcmp(frame->steps[s].name, step.name) == 0)
      wb_json_fail(reader, "%s: expected a name of its own, '%.60s' is that of a step before",
                   reader->place, step.name);
  }
  if (wb_json_good(reader))
    frame->steps[frame->count++] = step;
}

static void read_list(struct wb_json_reader *reader, const json_t *object, const char *key,
                      const struct launch_list *list, struct frame_input *frame)
{
  const json_t *steps = json_object_get(object, key);
  const size_t count = json_array_size(steps);
  const bool beside = strcmp(key, "beside") == 0;
  wb_json_at(reader, "frame");
  if (beside && steps == NULL)
    return;
  if (!json_is_array(steps) || (count == 0 && !beside) || frame->count + count > STEP_LIMIT) {
    wb_json_fail(reader, "%s: %s: expected a list of 1 to %d steps", reader->place, key,
                 STEP_LIMIT);
    return;
  }
  for (size_t s = 0; s < count && wb_json_good(reader); s++) {
    wb_json_at(reader, "frame, %s, %zu", key, s + 1);
    read_step(reader, json_array_get(steps, s), list, beside, frame);
  }
}

static void read_frame(struct wb_json_reader *reader, const json_t *file,
                       const struct launch_list *list, struct frame_input *frame)
{
  const json_t *object = json_object_get(file, "frame");
  wb_json_at(reader, "frame");
  if (object == NULL) {
    wb_json_fail(reader, "%s: expected the graph of --graph, found none", reader->place);
    return;
  }
  wb_json_object(reader, object, "period deadline in_flight steps beside");
  frame->options.period_ns = read_time(reader, object, "period", false);
  frame->options.deadline_ns = read_time(reader, object, "deadline", false);
  frame->options.in_flight = (uint32_t)wb_json_optional(reader, object, "in_flight", 1, 64, 1);
  frame->steps = wb_json_allocate(reader, STEP_LIMIT, sizeof *frame->steps);
  read_list(reader, object, "steps", list, frame);
  read_list(reader, object, "beside", list, frame);
}

warpbound_status frame_input_read(const char *name, const struct launch_list *list,
                                  struct frame_input *frame, warpbound_error *error)
{
  struct wb_input source;
  json_t *object = NULL;
  *frame = (struct frame_input){0};
  warpbound_status status = wb_input_read(name, &source, error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_json_reader reader = {.name = source.name, .error = error, .arena = &frame->arena};
  status = wb_json_parse(source.name, source.bytes, source.length, &object, error);
  if (status == WARPBOUND_OK) {
    read_frame(&reader, object, list, frame);
    status = reader.status;
  }
  if (status == WARPBOUND_OK && frame->arena.failed)
    status = wb_out_of_memory(error);
  json_decref(object);
  wb_input_free(&source);
  if (status != WARPBOUND_OK)
    frame_input_free(frame);
  return status;
}

warpbound_status frame_input_beside(const struct launch_list *list, bool own_sms,
                                    struct frame_input *frame, warpbound_error *error)
{
  *frame = (struct frame_input){.options.own_sms = own_sms};
  frame->steps = wb_arena_array(&frame->arena, warpbound_step, list->count);
  if (frame->steps == NULL)
    return wb_out_of_memory(error);
  for (size_t l = 0; l < list->count; l++)
    frame->steps[frame->count++] = (warpbound_step){.name = list->rows[l].name,
                                                    .launch = l,
                                                    .beside = true,
                                                    .period_ns = list->rows[l].period_ns};
  return WARPBOUND_OK;
}

void frame_input_free(struct frame_input *frame)
{
  wb_arena_free(&frame->arena);
  *frame = (struct frame_input){0};
}
