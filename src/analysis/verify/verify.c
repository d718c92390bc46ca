#include "analysis/verify/verify.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/work_control.h"
#include "certificate/flow/paths_check.h"
#include "certificate/frame/frame_claim.h"
#include "certificate/launch/launch_claim.h"
#include "certificate/launch_run/launch_run_check.h"
#include "certificate/potential/potential_claim.h"
#include "certificate/runs/run_check.h"
#include "certificate/schedule/schedule_claim.h"
#include "formats/frame/frame_file.h"
#include "formats/json/json_input.h"
#include "formats/launch/launch_file.h"
#include "formats/launch_run/launch_run_file.h"
#include "formats/makespan/makespan_files.h"
#include "formats/paths/paths_file.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- bounds of phases ---- */

static const char *const proof_formats[] = {WB_POTENTIAL_FORMAT, WB_RUN_FORMAT, NULL};

/* Checks the proof of a phase's bound, and keeps its problem with letters of its own. */
static warpbound_status check_proof(const char *name, const json_t *object,
                                    const struct wb_control *control,
                                    struct wb_check_phases_bound *bound, warpbound_error *error)
{
  struct wb_potential_file potential;
  struct wb_run_file runs;
  struct wb_arena *arena;
  warpbound_status status = wb_json_format(name, object, proof_formats, error);
  if (status != WARPBOUND_OK)
    return status;
  const char *format = json_string_value(json_object_get(object, "format"));
  if (strcmp(format, WB_POTENTIAL_FORMAT) == 0) {
    struct wb_check_potential_verdict proof = {0};
    status = wb_potential_file_read(name, object, &potential, error);
    if (status != WARPBOUND_OK)
      return status;
    status = wb_check_potential_under(&potential.claim, WB_CHECK_POTENTIAL_WORK_LIMIT, control,
                                      &proof, error);
    bound->problem = potential.claim.problem;
    bound->warps = potential.claim.warps;
    bound->cycles = proof.cycles;
    arena = &potential.arena;
  } else {
    struct wb_check_run_verdict proof = {0};
    status = wb_run_file_read(name, object, &runs, error);
    if (status != WARPBOUND_OK)
      return status;
    status = wb_check_run(&runs.claim, control, &proof, error);
    bound->problem = runs.claim.problem;
    bound->warps = runs.claim.warps;
    bound->cycles = proof.cycles;
    arena = &runs.arena;
  }
  const char *letters = bound->problem.letters;
  char *copy = status == WARPBOUND_OK ? wb_allocate(bound->problem.length, 1) : NULL;
  if (copy != NULL)
    memcpy(copy, letters, bound->problem.length);
  else if (status == WARPBOUND_OK)
    status = wb_out_of_memory(error);
  bound->problem.letters = copy;
  wb_arena_free(arena);
  return status;
}

/* A check under way. */
struct check {
  const char *name;     /* of the file */
  const json_t *object; /* its content */
  const struct wb_control *control;
  struct warpbound_verdict *verdict;
  warpbound_error *error;
};

/* Reads a file of one kind and has it checked; an error of a checker goes to *reason, one of the
 * file to check->error, with *read false. */
typedef warpbound_status check_file(const struct check *check, bool *read, warpbound_error *reason);

static warpbound_status check_schedule(const struct check *check, bool *read,
                                       warpbound_error *reason)
{
  struct warpbound_verdict *verdict = check->verdict;
  struct wb_schedule_file file;
  warpbound_status status = wb_schedule_file_read(check->name, check->object, &file, check->error);
  *read = status == WARPBOUND_OK;
  if (!*read)
    return status;
  verdict->warps = file.claim.warps;
  verdict->blocks = file.claim.blocks;
  verdict->partitions = file.claim.partitions;
  verdict->strings = file.claim.string_count;
  status = wb_check_schedule(&file.claim, &verdict->cycles, reason);
  wb_arena_free(&file.arena);
  return status;
}

static warpbound_status check_potential(const struct check *check, bool *read,
                                        warpbound_error *reason)
{
  struct warpbound_verdict *verdict = check->verdict;
  struct wb_potential_file file;
  struct wb_check_potential_verdict proof = {0};
  warpbound_status status = wb_potential_file_read(check->name, check->object, &file, check->error);
  *read = status == WARPBOUND_OK;
  if (!*read)
    return status;
  verdict->warps = file.claim.warps;
  verdict->claimed = file.claim.cycles;
  verdict->trailing = file.claim.trailing;
  status = wb_check_potential_under(&file.claim, WB_CHECK_POTENTIAL_WORK_LIMIT, check->control,
                                    &proof, reason);
  verdict->cycles = proof.cycles;
  if (status == WARPBOUND_OK && file.claim.from_warps > 0)
    verdict->line = (warpbound_line){.slope = proof.slope,
                                     .offset = proof.offset,
                                     .divisor = file.claim.gain,
                                     .from_warps = file.claim.from_warps,
                                     .to_warps = UINT64_MAX};
  wb_arena_free(&file.arena);
  return status;
}

static warpbound_status check_runs(const struct check *check, bool *read, warpbound_error *reason)
{
  struct warpbound_verdict *verdict = check->verdict;
  struct wb_run_file file;
  struct wb_check_run_verdict proof = {0};
  warpbound_status status = wb_run_file_read(check->name, check->object, &file, check->error);
  *read = status == WARPBOUND_OK;
  if (!*read)
    return status;
  verdict->warps = file.claim.warps;
  verdict->claimed = file.claim.cycles;
  status = wb_check_run(&file.claim, check->control, &proof, reason);
  verdict->cycles = proof.cycles;
  wb_arena_free(&file.arena);
  return status;
}

/* Checks a phases file with the proofs of its phases. An error in one of these is told as one of
 * the check, by the number of the phase. */
static warpbound_status check_phases(const struct check *check, bool *read, warpbound_error *reason)
{
  struct warpbound_verdict *verdict = check->verdict;
  struct wb_phases_file file;
  *read = true;
  warpbound_status status = wb_phases_file_read(check->name, check->object, &file, reason);
  if (status != WARPBOUND_OK)
    return status;
  const size_t count = json_array_size(file.proofs);
  struct wb_check_phases_bound *bounds = wb_allocate(count, sizeof *bounds);
  if (bounds == NULL)
    status = wb_out_of_memory(reason);
  for (size_t p = 0; p < count && status == WARPBOUND_OK; p++) {
    warpbound_error cause = {0};
    status = check_proof(check->name, json_array_get(file.proofs, p), check->control, &bounds[p],
                         &cause);
    if (status != WARPBOUND_OK)
      wb_fail_at(reason, status, cause.file, cause.line, cause.column, "proofs, entry %zu: %.400s",
                 p + 1, cause.message);
  }
  if (status == WARPBOUND_OK)
    status = wb_check_phases(&file.claim, bounds, count, &verdict->cycles, reason);
  verdict->warps = file.claim.warps;
  verdict->claimed = file.claim.cycles;
  for (size_t p = 0; bounds != NULL && p < count; p++)
    free((char *)bounds[p].problem.letters);
  free(bounds);
  wb_arena_free(&file.arena);
  return status;
}

static warpbound_status check_paths(const struct check *check, bool *read, warpbound_error *reason)
{
  struct warpbound_verdict *verdict = check->verdict;
  struct wb_paths_file file;
  struct wb_check_paths_verdict proof = {0};
  warpbound_status status = wb_paths_file_read(check->name, check->object, &file, check->error);
  *read = status == WARPBOUND_OK;
  if (!*read)
    return status;
  verdict->warps = (uint64_t)file.claim.machine.blocks * file.claim.machine.block_warps;
  verdict->claimed = file.claim.cycles;
  status = wb_check_paths(&file.claim, &proof, reason);
  verdict->cycles = proof.cycles;
  verdict->same_barriers = proof.same_barriers;
  verdict->early_ends = file.claim.early_ends;
  wb_paths_file_free(&file);
  return status;
}

static int descending(const void *left, const void *right)
{
  const uint32_t a = *(const uint32_t *)left;
  const uint32_t b = *(const uint32_t *)right;
  return (a < b) - (a > b);
}

static warpbound_status check_launch(const struct check *check, bool *read, warpbound_error *reason)
{
  struct warpbound_verdict *verdict = check->verdict;
  struct wb_launch_file file;
  struct wb_check_launch_verdict proof = {0};
  warpbound_status status = wb_launch_file_read(check->name, check->object, &file, check->error);
  *read = status == WARPBOUND_OK;
  if (!*read)
    return status;
  const struct wb_launch_shape *shape = &file.claim.shape;
  if (!wb_multiply(shape->blocks, shape->block_warps, &verdict->warps))
    verdict->warps = UINT64_MAX;
  verdict->blocks = shape->blocks;
  verdict->sms = shape->sms;
  verdict->claimed = file.claim.cycles;
  /* Each number of resident blocks of the claim once. */
  const size_t count = file.claim.other_resident_count + 1;
  uint32_t *residents = wb_allocate(count, sizeof *residents);
  *read = residents != NULL;
  if (residents != NULL) {
    residents[0] = shape->resident_blocks;
    for (size_t r = 1; r < count; r++)
      residents[r] = file.claim.other_residents[r - 1];
    qsort(residents, count, sizeof *residents, descending);
    for (size_t r = 0; r < count; r++) {
      if (r == 0 || residents[r] != residents[r - 1])
        residents[verdict->resident_count++] = residents[r];
    }
    verdict->residents = residents;
    status = wb_check_launch(&file.claim, &proof, reason);
  } else {
    status = wb_out_of_memory(check->error);
  }
  verdict->cycles = proof.cycles;
  verdict->same_barriers = proof.same_barriers;
  verdict->early_ends = file.claim.early_ends;
  verdict->grounds = file.grounds;
  file.grounds = (struct wb_launch_grounds){0};
  wb_launch_file_free(&file);
  return status;
}

static warpbound_status check_frame(const struct check *check, bool *read, warpbound_error *reason)
{
  struct warpbound_verdict *verdict = check->verdict;
  struct wb_frame_file file;
  struct wb_check_frame_verdict proof = {0};
  warpbound_status status = wb_frame_file_read(check->name, check->object, &file, check->error);
  *read = status == WARPBOUND_OK;
  if (!*read)
    return status;
  verdict->claimed = file.claim.cycles;
  for (size_t s = 0; s < file.claim.step_count; s++)
    verdict->beside += file.claim.steps[s].beside;
  verdict->steps = file.claim.step_count - verdict->beside;
  verdict->in_flight = file.claim.in_flight;
  status = wb_check_frame(&file.claim, &proof, reason);
  verdict->cycles = proof.cycles;
  verdict->same_barriers = proof.same_barriers;
  verdict->grounds = file.grounds;
  file.grounds = (struct wb_launch_grounds){0};
  wb_frame_file_free(&file);
  return status;
}

static warpbound_status check_launch_run(const struct check *check, bool *read,
                                         warpbound_error *reason)
{
  struct warpbound_verdict *verdict = check->verdict;
  struct wb_launch_run_file file;
  warpbound_status status =
      wb_launch_run_file_read(check->name, check->object, &file, check->error);
  *read = status == WARPBOUND_OK;
  if (!*read)
    return status;
  verdict->claimed = file.run.cycles;
  verdict->blocks = file.run.shape.blocks;
  verdict->sms = file.run.shape.sms;
  for (size_t w = 0; w < file.run.shape.blocks * file.run.shape.block_warps; w++)
    verdict->warps += file.run.path[w] != NULL;
  for (size_t s = 0; s < file.graph.step_count; s++)
    verdict->beside += file.graph.steps[s].beside;
  verdict->steps = file.graph.step_count - verdict->beside;
  status = wb_check_launch_run(&file.run, reason);
  verdict->cycles = file.run.cycles;
  wb_launch_run_file_free(&file);
  return status;
}

/* One row a kind of file. */
static const struct {
  const char *format;
  warpbound_claim claim;
  check_file *check;
} kinds[] = {
    {WB_SCHEDULE_FORMAT, WARPBOUND_CLAIM_SCHEDULE, check_schedule},
    {WB_POTENTIAL_FORMAT, WARPBOUND_CLAIM_POTENTIAL, check_potential},
    {WB_RUN_FORMAT, WARPBOUND_CLAIM_RUNS, check_runs},
    {WB_PHASES_FORMAT, WARPBOUND_CLAIM_PHASES, check_phases},
    {WB_PATHS_FORMAT, WARPBOUND_CLAIM_PATHS, check_paths},
    {WB_LAUNCH_FORMAT, WARPBOUND_CLAIM_LAUNCH, check_launch},
    {WB_FRAME_FORMAT, WARPBOUND_CLAIM_FRAME, check_frame},
    {WB_LAUNCH_RUN_FORMAT, WARPBOUND_CLAIM_LAUNCH_RUN, check_launch_run},
};

#define KIND_COUNT (sizeof kinds / sizeof *kinds)

warpbound_status wb_verify(const char *name, const char *text, size_t length,
                           const struct wb_control *control, struct warpbound_verdict *verdict,
                           warpbound_error *error)
{
  json_t *object;
  *verdict = (struct warpbound_verdict){0};
  warpbound_status status = wb_json_parse(name, text, length, &object, error);
  if (status != WARPBOUND_OK)
    return status;
  const struct check check = {name, object, control, verdict, error};
  const char *formats[KIND_COUNT + 1] = {NULL};
  for (size_t k = 0; k < KIND_COUNT; k++)
    formats[k] = kinds[k].format;
  status = wb_json_format(name, object, formats, error);
  const enum wb_stop stop = wb_control_stopped(control);
  if (status == WARPBOUND_OK && stop != WB_STOP_NONE)
    status = wb_fail_at(error, WARPBOUND_LIMIT, name, 0, 0, "not checked: %s",
                        stop == WB_STOP_TIME ? "the time limit was reached" : "interrupted");
  if (status == WARPBOUND_OK) {
    const char *format = json_string_value(json_object_get(object, "format"));
    size_t kind = 0;
    bool read = false;
    warpbound_error reason = {0};
    while (strcmp(kinds[kind].format, format) != 0)
      kind++;
    verdict->claim = kinds[kind].claim;
    status = kinds[kind].check(&check, &read, &reason);
    verdict->valid = status == WARPBOUND_OK;
    if (!verdict->valid && read) {
      verdict->cycles = 0;
      snprintf(verdict->violation, sizeof verdict->violation, "%s", reason.message);
      status = wb_fail_at(error, status, name, 0, 0, "%s", reason.message);
    }
  }
  json_decref(object);
  if (status != WARPBOUND_OK && status != WARPBOUND_CHECK_FAILED)
    wb_verdict_free(verdict);
  return status;
}

void wb_verdict_free(struct warpbound_verdict *verdict)
{
  free(verdict->residents);
  verdict->residents = NULL;
  verdict->resident_count = 0;
  wb_launch_grounds_free(&verdict->grounds);
}
