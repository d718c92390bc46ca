/* The reader of phases files. */
#include "formats/phases/phases_file.h"

#include "formats/machine/problem_members.h"
#include "model/sm_configuration.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const formats[] = {WB_PHASES_FORMAT, NULL};
static const char *const file_keys[] = {"format", "string", "units",  "issue_slots",
                                        "warps",  "cycles", "proofs", NULL};

static warpbound_status read_proofs(const char *name, const json_t *object,
                                    struct wb_phases_file *file, warpbound_error *error)
{
  json_t *list = json_object_get(object, "proofs");
  char place[40];
  if (!json_is_array(list))
    return wb_json_wrong(name, "proofs", "a list of certificates", list, error);
  const size_t count = json_array_size(list);
  if (count == 0 || count > WB_PHASES_PROOF_LIMIT)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "proofs: expected 1 to %zu certificates, found %zu", WB_PHASES_PROOF_LIMIT,
                      count);
  for (size_t p = 0; p < count; p++) {
    snprintf(place, sizeof place, "proofs, entry %zu", p + 1);
    if (!json_is_object(json_array_get(list, p)))
      return wb_json_wrong(name, place, "a certificate", json_array_get(list, p), error);
  }
  file->proofs = json_incref(list);
  return WARPBOUND_OK;
}

static warpbound_status read_file(const char *name, const json_t *object,
                                  struct wb_phases_file *file, warpbound_error *error)
{
  warpbound_status status = wb_json_format(name, object, formats, error);
  if (status == WARPBOUND_OK)
    status = wb_json_check_keys(name, object, file_keys, error);
  if (status == WARPBOUND_OK)
    status = wb_problem_members_read(name, object, WB_WARP_LIMIT, &file->letters,
                                     &file->claim.problem, &file->claim.warps, error);
  if (status == WARPBOUND_OK)
    status = wb_json_number(name, "cycles", json_object_get(object, "cycles"), 0, INT64_MAX,
                            &file->claim.cycles, error);
  return status == WARPBOUND_OK ? read_proofs(name, object, file, error) : status;
}

warpbound_status wb_phases_file_read(const char *name, const json_t *object,
                                     struct wb_phases_file *file, warpbound_error *error)
{
  *file = (struct wb_phases_file){0};
  warpbound_status status = read_file(name, object, file, error);
  if (status != WARPBOUND_OK)
    wb_phases_file_free(file);
  return status;
}

void wb_phases_file_free(struct wb_phases_file *file)
{
  free(file->letters);
  json_decref(file->proofs);
  *file = (struct wb_phases_file){0};
}
