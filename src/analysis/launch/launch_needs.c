/* What a block needs and how blocks start: what the question and the code say of it. */
#include "analysis/launch/launch_steps.h"

#include "base/checked.h"
#include "isa/opcode.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

/* A number of the user's for what a block needs. */
struct stated_need {
  const char *what, *option;
  bool given;
  uint32_t said;
  uint32_t of_file; /* as the code's file says */
  uint32_t of_code; /* the same without what the system reserves, which static shared memory has in
                       files of sm_90 on */
  uint32_t unknown; /* of_file where the file does not say it */
};

enum { NEEDS = 3 };

static void list_needs(const struct wb_launch_job *job, const struct wb_device_timing *device,
                       struct stated_need needs[NEEDS])
{
  const warpbound_launch_options *options = job->question->options;
  const struct wb_function *function = job->analysis->function;
  const uint32_t of_file = function->static_shared;
  uint32_t of_code = of_file;
  if (options->has_static_shared) {
    const uint64_t reserved = wb_device_number(device, device->residency.shared_reserved);
    if (function->sm >= 90 && of_file != UINT32_MAX && of_file >= reserved)
      of_code = of_file - (uint32_t)reserved;
  }
  needs[0] = (struct stated_need){.what = "registers of a thread",
                                  .option = "--registers",
                                  .given = options->registers > 0,
                                  .said = options->registers,
                                  .of_file = function->registers,
                                  .of_code = function->registers,
                                  .unknown = 0};
  needs[1] = (struct stated_need){.what = "bytes of static shared memory of a block",
                                  .option = "--static-shared",
                                  .given = options->has_static_shared,
                                  .said = options->static_shared,
                                  .of_file = of_file,
                                  .of_code = of_code,
                                  .unknown = UINT32_MAX};
  needs[2] = (struct stated_need){.what = "named barriers of a block",
                                  .option = "--barriers",
                                  .given = options->has_barriers,
                                  .said = options->barriers,
                                  .of_file = function->named_barriers,
                                  .of_code = function->named_barriers,
                                  .unknown = UINT32_MAX};
}

warpbound_status wb_stated_needs_check(const struct wb_launch_job *job)
{
  struct stated_need needs[NEEDS];
  list_needs(job, job->question->device, needs);
  for (size_t n = 0; n < NEEDS; n++) {
    const struct stated_need *need = &needs[n];
    /* Shared memory may be given with what the system reserves, or without. */
    const bool agrees = need->said == need->of_file || need->said == need->of_code;
    const bool asked = n == 0 && job->question->options->as_if_compiled; /* about other code */
    if (need->given && need->of_file != need->unknown && !agrees && !asked)
      return wb_fail(job->error, WARPBOUND_USAGE,
                     "%s: expected %" PRIu32 ", which the file says of %.100s, found %" PRIu32,
                     need->option, need->of_file, job->analysis->function->name, need->said);
  }
  return WARPBOUND_OK;
}

void wb_stated_needs_assume(const struct wb_launch_job *job)
{
  struct stated_need needs[NEEDS];
  list_needs(job, job->analysis->device, needs);
  for (size_t n = 0; n < NEEDS; n++) {
    const struct stated_need *need = &needs[n];
    if (need->given && need->of_code == need->unknown)
      wb_list_add(&job->analysis->assumptions,
                  "%s: %" PRIu32 ", as declared (%s): the code does not say", need->what,
                  need->said, need->option);
    else if (need->given && need->said != need->of_code)
      wb_list_add(&job->analysis->assumptions,
                  "%s: %" PRIu32 ", as declared (%s), in place of %" PRIu32 ", as the code says",
                  need->what, need->said, need->option, need->of_code);
  }
}

/* ---- clusters ---- */

/* The first architecture with clusters. */
#define FIRST_ARCHITECTURE 90
#define SIZE_TEXT 48

static const char *write_size(const uint32_t size[3], char text[SIZE_TEXT])
{
  snprintf(text, SIZE_TEXT, "%" PRIu32 " x %" PRIu32 " x %" PRIu32, size[0], size[1], size[2]);
  return text;
}

warpbound_status wb_launch_clusters_check(struct wb_launch_job *job)
{
  const struct wb_launch_analysis *analysis = job->analysis;
  const struct wb_function *function = analysis->function;
  const uint32_t *asked = job->question->options->cluster;
  warpbound_error *error = job->error;
  const bool in_code = wb_launch_size_is_given(function->cluster);
  const uint32_t *cluster = in_code ? function->cluster : asked;
  const char *origin = in_code ? "as its code says" : "--cluster";
  char first[SIZE_TEXT], second[SIZE_TEXT];
  if (in_code && wb_launch_size_is_given(asked) &&
      (function->cluster[0] != asked[0] || function->cluster[1] != asked[1] ||
       function->cluster[2] != asked[2]))
    return wb_fail(error, WARPBOUND_USAGE,
                   "--cluster: expected %s blocks, which '%.100s' has in its code, found %s",
                   write_size(function->cluster, first), function->name, write_size(asked, second));
  if (!wb_launch_size_is_given(cluster))
    return WARPBOUND_OK;
  for (int axis = 0; axis < 3; axis++) {
    if (analysis->grid[axis] % cluster[axis] != 0)
      return wb_fail(error, WARPBOUND_USAGE,
                     "grid: expected a multiple of the clusters of '%.100s' in each dimension, "
                     "%s blocks (%s), found %s",
                     function->name, write_size(cluster, first), origin,
                     write_size(analysis->grid, second));
  }
  if (cluster[0] == 1 && cluster[1] == 1 && cluster[2] == 1)
    return WARPBOUND_OK;
  return wb_fail(
      error, WARPBOUND_INVALID_INPUT,
      "%.100s: expected blocks that start one by one, found clusters of %s blocks (%s): "
      "they start together, so an SM may wait for a whole cluster though it has room, and "
      "no bound is known; expected a launch without clusters%s",
      function->name, write_size(cluster, first), origin,
      in_code ? ": without __cluster_dims__" : "");
}

warpbound_status wb_launch_clusters_settle(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  const struct wb_function *function = analysis->function;
  const uint32_t *asked = job->question->options->cluster;
  const uint32_t architecture = (uint32_t)wb_maximum(analysis->device->architecture, function->sm);
  if (wb_launch_size_is_given(function->cluster))
    return WARPBOUND_OK;
  if (function->clustered && !wb_launch_size_is_given(asked))
    return wb_fail(job->error, WARPBOUND_FACTS_MISSING,
                   "%.100s: its blocks start in clusters of a size that only the launch has: give "
                   "it with --cluster X,Y,Z (1: one by one)",
                   function->name);
  if (wb_launch_size_is_given(asked))
    wb_list_add(&analysis->assumptions, "blocks start one by one (--cluster 1)");
  else if (architecture >= FIRST_ARCHITECTURE)
    wb_list_add(&analysis->assumptions,
                "blocks start one by one: neither the code nor the launch "
                "(cudaLaunchAttributeClusterDimension) makes clusters of them");
  return WARPBOUND_OK;
}

/* ---- named barriers ---- */

const struct wb_instruction *wb_named_barriers_count(const struct wb_function *function,
                                                     uint32_t *count)
{
  *count = 0;
  for (size_t i = 0; i < function->instruction_count; i++) {
    const struct wb_instruction *at = &function->instructions[i];
    if (!wb_instruction_is(at, WB_TRAIT_BLOCK_BARRIER))
      continue;
    const struct wb_operand *number = at->operand_count > 0 ? wb_operand_of(function, at, 0) : NULL;
    if (number == NULL || number->kind != WB_OPERAND_NUMBER || number->value > 15)
      return at;
    *count = (uint32_t)wb_maximum(*count, number->value + 1);
  }
  return NULL;
}

/* ---- shared memory ---- */

/* How an access stands to shared memory. */
enum shared_use {
  SHARED_NOT,
  SHARED_PERHAPS, /* through a generic address, or by a copy of blocks */
  SHARED_SURELY
};

static enum shared_use use_of(const struct wb_function *function, const struct wb_access *access)
{
  const struct wb_access_kind *kind =
      wb_access_kind_of((enum wb_opcode)function->instructions[access->instruction].number);
  if (kind->action == WB_ACTION_UNLISTED)
    return SHARED_PERHAPS;
  if (kind->action == WB_ACTION_COPY)
    return SHARED_SURELY;
  if (kind->action == WB_ACTION_BULK)
    return SHARED_PERHAPS;
  if (kind->space == WB_SPACE_SHARED)
    return SHARED_SURELY;
  return kind->space == WB_SPACE_GENERIC ? SHARED_PERHAPS : SHARED_NOT;
}

const struct wb_instruction *wb_lacking_shared(const struct wb_launch_job *job)
{
  const struct wb_function *function = job->analysis->function;
  const warpbound_launch_options *options = job->question->options;
  const struct wb_device_timing *device = job->analysis->device;
  const uint64_t said =
      options->has_static_shared ? options->static_shared : function->static_shared;
  const uint64_t reserved = !options->has_static_shared && function->sm >= 90
                                ? wb_device_number(device, device->residency.shared_reserved)
                                : 0;
  for (size_t i = 0;
       said <= reserved && options->dynamic_shared == 0 && i < function->instruction_count; i++) {
    const struct wb_access access = {.instruction = (uint32_t)i};
    if (use_of(function, &access) == SHARED_SURELY)
      return &function->instructions[i];
  }
  return NULL;
}

warpbound_status wb_shared_needs_check(const struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  const struct wb_function *function = analysis->function;
  const struct wb_block_needs *needs = &analysis->needs;
  /* Static shared memory of a block: its bytes, and the address after its last one. From sm_90 on
   * what the system reserves comes first. */
  const uint64_t said = needs->static_shared;
  const uint64_t reserved =
      wb_device_number(analysis->device, analysis->device->residency.shared_reserved);
  const bool included = needs->shared_includes_reserve;
  const uint64_t end = included || function->sm < 90 ? said : said + reserved;
  const uint64_t own = included ? said - wb_minimum(said, reserved) : said;
  const warpbound_launch_options *options = job->question->options;
  const bool declared = options->has_dynamic_shared || options->dynamic_shared > 0;
  bool perhaps = false;
  for (size_t i = 0; i < function->instruction_count; i++)
    perhaps |= function->instructions[i].transfer == WB_TRANSFER_CALL_OUTSIDE;
  for (size_t a = 0; a < analysis->accesses.count; a++) {
    const struct wb_access *access = &analysis->accesses.items[a];
    const enum shared_use use = use_of(function, access);
    const bool beyond = use == SHARED_SURELY && access->shared_end > end;
    if (beyond && own + needs->dynamic_shared == 0) {
      const struct wb_instruction *at = &function->instructions[access->instruction];
      return wb_fail_at(
          job->error, WARPBOUND_FACTS_MISSING, analysis->code->name, at->line, at->column,
          "%.100s: %.40s at 0x%04" PRIx32 " accesses shared memory, of which a block has "
          "0 bytes: give what the launch asks for with --dynamic-shared BYTES%s%s",
          function->name, at->opcode, at->address, declared ? " above 0" : "",
          function->static_shared == UINT32_MAX
              ? ", or what the code has with --static-shared BYTES"
              : "");
    }
    perhaps = perhaps || beyond || use == SHARED_PERHAPS;
  }
  if (perhaps && !declared)
    wb_list_add(&analysis->assumptions,
                "no dynamic shared memory: --dynamic-shared was not given, and accesses to shared "
                "memory are not all shown to lie in the static one");
  return WARPBOUND_OK;
}
