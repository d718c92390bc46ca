#include "formats/runs/run_file.h"

#include "formats/machine/problem_members.h"
#include "model/sm_configuration.h"

#include <inttypes.h>

warpbound_status wb_run_file_read(const char *name, const json_t *object, void *into,
                                  warpbound_error *error)
{
  struct wb_run_file *file = into;
  struct wb_json_reader reader = {.name = name, .error = error, .arena = &file->arena};
  uint64_t warps;
  *file = (struct wb_run_file){0};
  wb_json_file(&reader, object, WB_RUN_FORMAT, "format string units issue_slots warps cycles runs");
  wb_problem_members_read(&reader, object, WB_WARP_LIMIT, &file->claim.problem, &warps);
  file->claim.warps = (uint32_t)warps;
  file->claim.cycles = wb_json_member(&reader, object, "cycles", 0, INT64_MAX);
  const json_t *list =
      wb_json_array_member(&reader, object, "runs", "a list of lengths as [5, 9, 2, 9]");
  const size_t most = file->claim.problem.length;
  const size_t count = json_array_size(list);
  if (count == 0 || count > most)
    wb_json_fail(&reader,
                 "runs: expected 1 to %zu lengths, which together are the string, found %zu", most,
                 count);
  uint32_t *lengths = wb_json_allocate(&reader, count, sizeof *lengths);
  for (size_t r = 0; r < count && wb_json_good(&reader); r++) {
    wb_json_at(&reader, "runs, entry %zu", r + 1);
    lengths[r] = (uint32_t)wb_json_number(&reader, json_array_get(list, r), 1, most);
  }
  file->claim.lengths = lengths;
  file->claim.count = count;
  if (!wb_json_good(&reader))
    wb_arena_free(&file->arena);
  return reader.status;
}

void wb_run_file_write(const struct wb_problem *problem, const uint32_t *lengths, size_t count,
                       uint64_t cycles, struct wb_text *text)
{
  wb_problem_members_write(WB_RUN_FORMAT, problem, text);
  wb_text_format(text, " \"cycles\": %" PRIu64 ",\n \"runs\": [", cycles);
  for (size_t r = 0; r < count; r++)
    wb_text_format(text, "%s%" PRIu32, r > 0 ? ", " : "", lengths[r]);
  wb_text_string(text, "]}\n");
}
