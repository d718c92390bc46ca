#include "analysis/verify/verify.h"

#include "analysis/verify/phases_proofs.h"
#include "base/checked.h"
#include "base/memory.h"
#include "certificate/flow/paths_check.h"
#include "certificate/launch/launch_check.h"
#include "certificate/potential/potential_check.h"
#include "certificate/runs/run_check.h"
#include "certificate/schedule/schedule_check.h"
#include "formats/json/json_input.h"
#include "formats/launch/launch_file.h"
#include "formats/paths/paths_file.h"
#include "formats/phases/phases_file.h"
#include "formats/potential/potential_file.h"
#include "formats/runs/run_file.h"
#include "formats/schedule/schedule_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* An error in the file of a phase is told as one of the check, by the number of the phase. */
static warpbound_status check_phases(const struct check *check, bool *read, warpbound_error *reason)
{
  struct warpbound_verdict *verdict = check->verdict;
  *read = true;
  return wb_verify_phases_proofs(check->name, check->object, check->control, &verdict->warps,
                                 &verdict->claimed, &verdict->cycles, reason);
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
  wb_paths_file_free(&file);
  return status;
}

static int descending(const void *left, const void *right)
{
  const uint32_t a = *(const uint32_t *)left;
  const uint32_t b = *(const uint32_t *)right;
  return (a < b) - (a > b);
}

/* Each number of resident blocks of the claim once. */
static warpbound_status keep_residents(const struct check *check,
                                       const struct wb_check_launch_claim *claim)
{
  struct warpbound_verdict *verdict = check->verdict;
  const size_t count = claim->other_resident_count + 1;
  uint32_t *residents = wb_allocate(count, sizeof *residents);
  if (residents == NULL)
    return wb_out_of_memory(check->error);
  residents[0] = claim->shape.resident_blocks;
  for (size_t r = 1; r < count; r++)
    residents[r] = claim->other_residents[r - 1];
  qsort(residents, count, sizeof *residents, descending);
  verdict->residents = residents;
  for (size_t r = 0; r < count; r++) {
    if (r == 0 || residents[r] != residents[r - 1])
      residents[verdict->resident_count++] = residents[r];
  }
  return WARPBOUND_OK;
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
  status = keep_residents(check, &file.claim);
  *read = status == WARPBOUND_OK;
  if (*read)
    status = wb_check_launch(&file.claim, &proof, reason);
  verdict->cycles = proof.cycles;
  verdict->same_barriers = proof.same_barriers;
  verdict->grounds = file.grounds;
  file.grounds = (struct wb_launch_grounds){0};
  wb_launch_file_free(&file);
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
};

#define KIND_COUNT (sizeof kinds / sizeof *kinds)

/* The row of the file's format. */
static warpbound_status find_kind(const struct check *check, size_t *kind)
{
  const char *formats[KIND_COUNT + 1] = {NULL};
  for (size_t k = 0; k < KIND_COUNT; k++)
    formats[k] = kinds[k].format;
  warpbound_status status = wb_json_format(check->name, check->object, formats, check->error);
  if (status != WARPBOUND_OK)
    return status;
  const char *format = json_string_value(json_object_get(check->object, "format"));
  *kind = 0;
  while (strcmp(kinds[*kind].format, format) != 0)
    ++*kind;
  return WARPBOUND_OK;
}

/* A control that stops before a check begins. */
static warpbound_status may_begin(const struct check *check)
{
  const enum wb_stop stop = wb_control_stopped(check->control);
  if (stop == WB_STOP_NONE)
    return WARPBOUND_OK;
  return wb_fail_at(check->error, WARPBOUND_LIMIT, check->name, 0, 0, "not checked: %s",
                    stop == WB_STOP_TIME ? "the time limit was reached" : "interrupted");
}

static warpbound_status check_object(const struct check *check)
{
  size_t kind = 0;
  bool read = false;
  warpbound_error reason = {0};
  struct warpbound_verdict *verdict = check->verdict;
  warpbound_status status = find_kind(check, &kind);
  if (status == WARPBOUND_OK)
    status = may_begin(check);
  if (status != WARPBOUND_OK)
    return status;
  verdict->claim = kinds[kind].claim;
  status = kinds[kind].check(check, &read, &reason);
  verdict->valid = status == WARPBOUND_OK;
  if (verdict->valid || !read)
    return status;
  verdict->cycles = 0;
  snprintf(verdict->violation, sizeof verdict->violation, "%s", reason.message);
  return wb_fail_at(check->error, status, check->name, 0, 0, "%s", reason.message);
}

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
  status = check_object(&check);
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
