#include "analysis/verify/phases_proofs.h"

#include "base/memory.h"
#include "certificate/potential/potential_check.h"
#include "certificate/runs/run_check.h"
#include "formats/phases/phases_file.h"
#include "formats/potential/potential_file.h"
#include "formats/runs/run_file.h"

#include <stdlib.h>
#include <string.h>

static const char *const proof_formats[] = {WB_POTENTIAL_FORMAT, WB_RUN_FORMAT, NULL};

/* Gives the bound the problem of a checked certificate, with letters of its own. */
static warpbound_status keep_problem(const struct wb_check_problem *problem,
                                     struct wb_check_phases_bound *bound, warpbound_error *error)
{
  char *copy = wb_allocate(problem->length, 1);
  if (copy == NULL)
    return wb_out_of_memory(error);
  memcpy(copy, problem->letters, problem->length);
  bound->problem = *problem;
  bound->problem.letters = copy;
  return WARPBOUND_OK;
}

static warpbound_status check_potential(const char *name, const json_t *object,
                                        const struct wb_control *control,
                                        struct wb_check_phases_bound *bound, warpbound_error *error)
{
  struct wb_potential_file file;
  struct wb_check_potential_verdict proof = {0};
  warpbound_status status = wb_potential_file_read(name, object, &file, error);
  if (status != WARPBOUND_OK)
    return status;
  const struct wb_check_potential_claim *claim = &file.claim;
  status = wb_check_potential_under(claim, WB_CHECK_POTENTIAL_WORK_LIMIT, control, &proof, error);
  bound->warps = claim->warps;
  bound->cycles = proof.cycles;
  if (status == WARPBOUND_OK)
    status = keep_problem(&claim->problem, bound, error);
  wb_arena_free(&file.arena);
  return status;
}

static warpbound_status check_runs(const char *name, const json_t *object,
                                   const struct wb_control *control,
                                   struct wb_check_phases_bound *bound, warpbound_error *error)
{
  struct wb_run_file file;
  struct wb_check_run_verdict proof = {0};
  warpbound_status status = wb_run_file_read(name, object, &file, error);
  if (status != WARPBOUND_OK)
    return status;
  const struct wb_check_run_claim *claim = &file.claim;
  status = wb_check_run(claim, control, &proof, error);
  bound->warps = claim->warps;
  bound->cycles = proof.cycles;
  if (status == WARPBOUND_OK)
    status = keep_problem(&claim->problem, bound, error);
  wb_arena_free(&file.arena);
  return status;
}

static warpbound_status check_proof(const char *name, const json_t *object,
                                    const struct wb_control *control,
                                    struct wb_check_phases_bound *bound, warpbound_error *error)
{
  warpbound_status status = wb_json_format(name, object, proof_formats, error);
  if (status != WARPBOUND_OK)
    return status;
  const char *format = json_string_value(json_object_get(object, "format"));
  return strcmp(format, WB_POTENTIAL_FORMAT) == 0
             ? check_potential(name, object, control, bound, error)
             : check_runs(name, object, control, bound, error);
}

static warpbound_status check_all(const char *name, const struct wb_phases_file *file,
                                  const struct wb_control *control,
                                  struct wb_check_phases_bound *bounds, uint64_t *cycles,
                                  warpbound_error *error)
{
  const size_t count = json_array_size(file->proofs);
  for (size_t p = 0; p < count; p++) {
    warpbound_error reason = {0};
    warpbound_status status =
        check_proof(name, json_array_get(file->proofs, p), control, &bounds[p], &reason);
    if (status != WARPBOUND_OK)
      return wb_fail_at(error, status, reason.file, reason.line, reason.column,
                        "proofs, entry %zu: %.400s", p + 1, reason.message);
  }
  return wb_check_phases(&file->claim, bounds, count, cycles, error);
}

warpbound_status wb_verify_phases_proofs(const char *name, const json_t *object,
                                         const struct wb_control *control, uint64_t *warps,
                                         uint64_t *claimed, uint64_t *cycles,
                                         warpbound_error *error)
{
  struct wb_phases_file file;
  *warps = *claimed = *cycles = 0;
  warpbound_status status = wb_phases_file_read(name, object, &file, error);
  if (status != WARPBOUND_OK)
    return status;
  const size_t count = json_array_size(file.proofs);
  struct wb_check_phases_bound *bounds = wb_allocate(count, sizeof *bounds);
  status = bounds != NULL ? check_all(name, &file, control, bounds, cycles, error)
                          : wb_out_of_memory(error);
  *warps = file.claim.warps;
  *claimed = file.claim.cycles;
  for (size_t p = 0; bounds != NULL && p < count; p++)
    free((char *)bounds[p].problem.letters);
  free(bounds);
  wb_arena_free(&file.arena);
  return status;
}
