/* `warpbound verify`. */
#include "cli/commands/commands.h"

#include "base/checked.h"
#include "base/control.h"
#include "base/file.h"
#include "certificate/flow/paths_check.h"
#include "certificate/potential/potential_check.h"
#include "certificate/runs/run_check.h"
#include "certificate/schedule/schedule_check.h"
#include "cli/commands/verify_phases.h"
#include "cli/input/file_kind.h"
#include "cli/options/limits.h"
#include "cli/terminal.h"
#include "formats/json/json_input.h"
#include "formats/json/json_output.h"
#include "formats/paths/paths_file.h"
#include "formats/phases/phases_file.h"
#include "formats/potential/potential_file.h"
#include "formats/runs/run_file.h"
#include "formats/schedule/schedule_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const formats[] = {WB_SCHEDULE_FORMAT, WB_POTENTIAL_FORMAT, WB_RUN_FORMAT,
                                      WB_PHASES_FORMAT,   WB_PATHS_FORMAT,     NULL};

/* Prints what was found, as JSON (taken over) or as text, whichever is wanted. */
static warpbound_status print_result(const struct arguments *arguments, json_t *json,
                                     struct wb_text *text, warpbound_error *error)
{
  if (arguments->value[OPTION_JSON] == NULL) {
    json_decref(json);
    return terminal_print(text, error);
  }
  wb_text_free(text);
  struct wb_text output = {0};
  char *written = wb_json_text(json);
  if (written == NULL)
    return wb_out_of_memory(error);
  wb_text_string(&output, written);
  free(written);
  return terminal_print(&output, error);
}

static warpbound_status print_violation(const struct arguments *arguments,
                                        const warpbound_error *reason, warpbound_error *error)
{
  struct wb_text text = {0};
  wb_text_format(&text, "not valid: %s\n", reason->message);
  return print_result(arguments, json_pack("{s:b, s:s}", "valid", 0, "violation", reason->message),
                      &text, error);
}

/* A verdict of a checker other than OK: a violation is printed, all else is an error
 * in the file or beyond it. */
static warpbound_status pass_on(const struct arguments *arguments, const char *name,
                                warpbound_status verdict, const warpbound_error *reason,
                                warpbound_error *error)
{
  if (verdict != WARPBOUND_CHECK_FAILED)
    return wb_fail_at(error, verdict, name, 0, 0, "%s", reason->message);
  warpbound_status status = print_violation(arguments, reason, error);
  return status == WARPBOUND_OK ? verdict : status;
}

/* "valid: makespan 9 (6 warps in 2 blocks on 2 partitions, 3 strings)"; what there is one of is not
 * said. */
static void describe_schedule(const struct wb_check_schedule_claim *claim, uint64_t makespan,
                              struct wb_text *text)
{
  wb_text_format(text, "valid: makespan %" PRIu64, makespan);
  if (claim->blocks > 1 || claim->partitions > 1 || claim->string_count > 1) {
    wb_text_format(text, " (%zu warp%s", claim->warps, claim->warps > 1 ? "s" : "");
    if (claim->blocks > 1)
      wb_text_format(text, " in %zu blocks", claim->blocks);
    if (claim->partitions > 1)
      wb_text_format(text, " on %zu partitions", claim->partitions);
    if (claim->string_count > 1)
      wb_text_format(text, ", %zu strings", claim->string_count);
    wb_text_string(text, ")");
  }
  wb_text_string(text, "\n");
}

static json_t *schedule_json(const struct wb_check_schedule_claim *claim, uint64_t makespan)
{
  return json_pack("{s:b, s:I, s:I, s:I, s:I, s:I}", "valid", 1, "makespan", (json_int_t)makespan,
                   "warps", (json_int_t)claim->warps, "blocks", (json_int_t)claim->blocks,
                   "partitions", (json_int_t)claim->partitions, "strings",
                   (json_int_t)claim->string_count);
}

static warpbound_status verify_schedule(const struct arguments *arguments, const char *name,
                                        const json_t *object, warpbound_error *error)
{
  struct wb_schedule_file file;
  warpbound_status status = wb_schedule_file_read(name, object, &file, error);
  if (status != WARPBOUND_OK)
    return status;
  uint64_t makespan = 0;
  warpbound_error reason = {0};
  status = wb_check_schedule(&file.claim, &makespan, &reason);
  if (status == WARPBOUND_OK) {
    struct wb_text text = {0};
    describe_schedule(&file.claim, makespan, &text);
    status = print_result(arguments, schedule_json(&file.claim, makespan), &text, error);
  } else {
    status = pass_on(arguments, name, status, &reason, error);
  }
  wb_schedule_file_free(&file);
  return status;
}

/* "floor((4 W - 3) / 2)"; "4 W - 3" where nothing is divided. */
static void describe_line(const struct wb_check_potential_claim *claim,
                          const struct wb_check_potential_verdict *proof, struct wb_text *text)
{
  bool divided = claim->gain > 1;
  wb_text_format(text, "for every W >= %" PRIu64 ": T(W) <= %s%" PRId64 " W", claim->from_warps,
                 divided ? "floor((" : "", proof->slope);
  if (proof->offset != 0)
    wb_text_format(text, " %s %" PRIu64, proof->offset < 0 ? "-" : "+",
                   wb_magnitude(proof->offset));
  if (divided)
    wb_text_format(text, ") / %" PRId64 ")", claim->gain);
  wb_text_string(text, "\n");
}

/* What any proof of an upper end gives. */
static json_t *upper_json(uint64_t warps, uint64_t cycles, const char *method)
{
  return json_pack("{s:b, s:I, s:{s:I, s:s, s:s}}", "valid", 1, "warps", (json_int_t)warps, "upper",
                   "cycles", (json_int_t)cycles, "kind", "upper", "method", method);
}

static json_t *proof_json(const struct wb_check_potential_claim *claim,
                          const struct wb_check_potential_verdict *proof)
{
  json_t *object = upper_json(claim->warps, proof->cycles, "potential");
  if (object != NULL && claim->from_warps > 0)
    json_object_set_new(object, "line",
                        json_pack("{s:I, s:I, s:I, s:I}", "from_warps",
                                  (json_int_t)claim->from_warps, "slope", (json_int_t)proof->slope,
                                  "offset", (json_int_t)proof->offset, "divisor",
                                  (json_int_t)claim->gain));
  return object;
}

static warpbound_status verify_potential(const struct arguments *arguments, const char *name,
                                         const json_t *object, warpbound_error *error)
{
  struct wb_potential_file file;
  warpbound_status status = wb_potential_file_read(name, object, &file, error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_check_potential_verdict proof = {0};
  warpbound_error reason = {0};
  status = wb_check_potential(&file.claim, WB_CHECK_POTENTIAL_WORK_LIMIT, &proof, &reason);
  if (status == WARPBOUND_OK) {
    struct wb_text text = {0};
    wb_text_format(&text, "valid: T(%" PRIu64 ") <= %" PRIu64 " cycles", file.claim.warps,
                   proof.cycles);
    if (file.claim.trailing > 0)
      wb_text_format(&text, ", with its %" PRIu64 " rear warp%s followed", file.claim.trailing,
                     file.claim.trailing > 1 ? "s" : "");
    wb_text_string(&text, "\n");
    if (file.claim.from_warps > 0)
      describe_line(&file.claim, &proof, &text);
    status = print_result(arguments, proof_json(&file.claim, &proof), &text, error);
  } else {
    status = pass_on(arguments, name, status, &reason, error);
  }
  wb_potential_file_free(&file);
  return status;
}

/* This check can take long: it can be stopped, and says how far it is. */
static warpbound_status verify_runs(const struct arguments *arguments, const char *name,
                                    const json_t *object, const warpbound_options *limits,
                                    warpbound_error *error)
{
  struct wb_run_file file;
  warpbound_status status = wb_run_file_read(name, object, &file, error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_check_run_verdict proof = {0};
  warpbound_error reason = {0};
  struct wb_control control = wb_control_start(limits);
  terminal_catch_interrupts();
  status = wb_check_run(&file.claim, &control, &proof, &reason);
  terminal_progress_end(limits->context);
  if (status == WARPBOUND_OK) {
    struct wb_text text = {0};
    wb_text_format(&text, "valid: T(%" PRIu32 ") <= %" PRIu64 " cycles\n", file.claim.warps,
                   proof.cycles);
    status = print_result(arguments, upper_json(file.claim.warps, proof.cycles, "run-abstraction"),
                          &text, error);
  } else {
    status = pass_on(arguments, name, status, &reason, error);
  }
  wb_run_file_free(&file);
  return status;
}

/* The phases' own certificates and their sum. */
static warpbound_status verify_sum(const struct arguments *arguments, const char *name,
                                   const json_t *object, const warpbound_options *limits,
                                   warpbound_error *error)
{
  const struct wb_control control = wb_control_start(limits);
  warpbound_error reason = {0};
  uint64_t warps = 0;
  uint64_t cycles = 0;
  terminal_catch_interrupts();
  warpbound_status status = verify_phases(name, object, &control, &warps, &cycles, &reason);
  terminal_progress_end(limits->context);
  if (status != WARPBOUND_OK)
    return pass_on(arguments, name, status, &reason, error);
  struct wb_text text = {0};
  wb_text_format(&text,
                 "valid: T(%" PRIu64 ") <= %" PRIu64 " cycles, the sum over the phases between the "
                 "barriers of one block\n",
                 warps, cycles);
  return print_result(arguments, upper_json(warps, cycles, "phases"), &text, error);
}

static warpbound_status verify_paths(const struct arguments *arguments, const char *name,
                                     const json_t *object, warpbound_error *error)
{
  struct wb_paths_file file;
  warpbound_status status = wb_paths_file_read(name, object, &file, error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_check_paths_verdict proof = {0};
  warpbound_error reason = {0};
  status = wb_check_paths(&file.claim, &proof, &reason);
  if (status == WARPBOUND_OK) {
    const struct wb_check_path_machine *machine = &file.claim.machine;
    const uint64_t warps = (uint64_t)machine->blocks * machine->block_warps;
    struct wb_text text = {0};
    wb_text_format(&text,
                   "valid: T(%" PRIu64 ") <= %" PRIu64
                   " cycles for warps on any paths of this system%s\n",
                   warps, proof.cycles,
                   proof.same_barriers ? ",\nwhere all warps of a block pass the same barriers in "
                                         "the same order"
                                       : "");
    json_t *json = upper_json(warps, proof.cycles, "paths");
    if (json != NULL)
      json_object_set_new(json, "assumes_same_barriers", json_boolean(proof.same_barriers));
    status = print_result(arguments, json, &text, error);
  } else {
    status = pass_on(arguments, name, status, &reason, error);
  }
  wb_paths_file_free(&file);
  return status;
}

static warpbound_status verify_object(const struct arguments *arguments, const char *name,
                                      const json_t *object, const warpbound_options *limits,
                                      warpbound_error *error)
{
  warpbound_status status = wb_json_format(name, object, formats, error);
  if (status != WARPBOUND_OK)
    return status;
  const char *format = json_string_value(json_object_get(object, "format"));
  if (strcmp(format, WB_POTENTIAL_FORMAT) == 0)
    return verify_potential(arguments, name, object, error);
  if (strcmp(format, WB_PHASES_FORMAT) == 0)
    return verify_sum(arguments, name, object, limits, error);
  if (strcmp(format, WB_RUN_FORMAT) == 0)
    return verify_runs(arguments, name, object, limits, error);
  if (strcmp(format, WB_PATHS_FORMAT) == 0)
    return verify_paths(arguments, name, object, error);
  return verify_schedule(arguments, name, object, error);
}

warpbound_status command_verify(struct arguments *arguments, warpbound_error *error)
{
  if (arguments->input == NULL)
    return wb_fail(error, WARPBOUND_USAGE,
                   "expected a schedule file or a certificate, or - for standard input");
  struct progress progress = {0};
  warpbound_options limits = {0};
  warpbound_status status = limits_read(arguments, &progress, &limits, error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_source source;
  status = wb_source_read(arguments->input, &source, error);
  if (status != WARPBOUND_OK)
    return status;
  json_t *object;
  status = wb_json_parse(source.name, source.bytes, source.length, &object, error);
  if (status == WARPBOUND_OK) {
    status = verify_object(arguments, source.name, object, &limits, error);
    json_decref(object);
  }
  if (status == WARPBOUND_INVALID_INPUT)
    file_kind_explain(&source, FILE_JSON, error);
  wb_source_free(&source);
  return status;
}
