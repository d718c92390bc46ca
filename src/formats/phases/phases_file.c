#include "formats/phases/phases_file.h"

#include "formats/machine/problem_members.h"
#include "model/sm_configuration.h"

#include <inttypes.h>

warpbound_status wb_phases_file_read(const char *name, const json_t *object,
                                     struct wb_phases_file *file, warpbound_error *error)
{
  struct wb_json_reader reader = {.name = name, .error = error, .arena = &file->arena};
  *file = (struct wb_phases_file){.proofs = json_object_get(object, "proofs")};
  wb_json_file(&reader, object, WB_PHASES_FORMAT,
               "format string units issue_slots warps cycles proofs");
  wb_problem_members_read(&reader, object, WB_WARP_LIMIT, &file->claim.problem, &file->claim.warps);
  file->claim.cycles = wb_json_member(&reader, object, "cycles", 0, INT64_MAX);
  const json_t *list = wb_json_array_member(&reader, object, "proofs", "a list of certificates");
  const size_t count = json_array_size(list);
  if (count == 0 || count > WB_PHASES_PROOF_LIMIT)
    wb_json_fail(&reader, "proofs: expected 1 to %zu certificates, found %zu",
                 WB_PHASES_PROOF_LIMIT, count);
  for (size_t p = 0; p < count; p++) {
    wb_json_at(&reader, "proofs, entry %zu", p + 1);
    if (!json_is_object(json_array_get(list, p)))
      wb_json_expected(&reader, "a certificate", json_array_get(list, p));
  }
  if (!wb_json_good(&reader))
    wb_arena_free(&file->arena);
  return reader.status;
}

void wb_phases_file_begin(const struct wb_problem *problem, uint64_t cycles, struct wb_text *text)
{
  wb_problem_members_write(WB_PHASES_FORMAT, problem, text);
  wb_text_format(text, " \"cycles\": %" PRIu64 ",\n \"proofs\": [\n", cycles);
}

void wb_phases_file_separate(size_t index, struct wb_text *text)
{
  wb_text_string(text, index > 0 ? "," : "");
}

void wb_phases_file_end(struct wb_text *text)
{
  wb_text_string(text, "]}\n");
}
