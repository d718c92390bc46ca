/* The reader of run files. */
#include "formats/runs/run_file.h"

#include "base/memory.h"
#include "formats/machine/problem_members.h"
#include "model/sm_configuration.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const formats[] = {WB_RUN_FORMAT, NULL};
static const char *const file_keys[] = {"format", "string", "units", "issue_slots",
                                        "warps",  "cycles", "runs",  NULL};

static warpbound_status read_length(const char *name, const json_t *value, size_t index,
                                    size_t most, uint32_t *length, warpbound_error *error)
{
  char place[40];
  uint64_t found = 0;
  snprintf(place, sizeof place, "runs, entry %zu", index + 1);
  warpbound_status status = wb_json_number(name, place, value, 1, most, &found, error);
  *length = (uint32_t)found;
  return status;
}

static warpbound_status read_lengths(const char *name, const json_t *object,
                                     struct wb_run_file *file, warpbound_error *error)
{
  const json_t *list = json_object_get(object, "runs");
  size_t most = file->claim.problem.length;
  if (!json_is_array(list))
    return wb_json_wrong(name, "runs", "a list of lengths as [5, 9, 2, 9]", list, error);
  size_t count = json_array_size(list);
  if (count == 0 || count > most)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "runs: expected 1 to %zu lengths, which together are the string, found %zu",
                      most, count);
  file->lengths = wb_allocate(count, sizeof *file->lengths);
  if (file->lengths == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = WARPBOUND_OK;
  for (size_t r = 0; status == WARPBOUND_OK && r < count; r++)
    status = read_length(name, json_array_get(list, r), r, most, &file->lengths[r], error);
  file->claim.lengths = file->lengths;
  file->claim.count = count;
  return status;
}

static warpbound_status read_file(const char *name, const json_t *object, struct wb_run_file *file,
                                  warpbound_error *error)
{
  uint64_t warps = 0;
  warpbound_status status = wb_json_format(name, object, formats, error);
  if (status == WARPBOUND_OK)
    status = wb_json_check_keys(name, object, file_keys, error);
  if (status == WARPBOUND_OK)
    status = wb_problem_members_read(name, object, WB_WARP_LIMIT, &file->letters,
                                     &file->claim.problem, &warps, error);
  file->claim.warps = (uint32_t)warps;
  if (status == WARPBOUND_OK)
    status = wb_json_number(name, "cycles", json_object_get(object, "cycles"), 0, INT64_MAX,
                            &file->claim.cycles, error);
  return status == WARPBOUND_OK ? read_lengths(name, object, file, error) : status;
}

static warpbound_status read_object(const char *name, const json_t *object, void *into,
                                    warpbound_error *error)
{
  struct wb_run_file *file = into;
  *file = (struct wb_run_file){0};
  warpbound_status status = read_file(name, object, file, error);
  if (status != WARPBOUND_OK)
    wb_run_file_free(file);
  return status;
}

warpbound_status wb_run_file_read(const char *name, const json_t *object, struct wb_run_file *file,
                                  warpbound_error *error)
{
  return read_object(name, object, file, error);
}

warpbound_status wb_run_file_parse(const char *name, const char *text, size_t length,
                                   struct wb_run_file *file, warpbound_error *error)
{
  *file = (struct wb_run_file){0};
  return wb_json_parse_as(name, text, length, read_object, file, error);
}

void wb_run_file_free(struct wb_run_file *file)
{
  free(file->letters);
  free(file->lengths);
  *file = (struct wb_run_file){0};
}
