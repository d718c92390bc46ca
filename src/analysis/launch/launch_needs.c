/* What a block needs and how blocks start: what the question and the code say of it. */
#include "analysis/launch/launch_steps.h"

#include "base/checked.h"
#include "isa/opcode.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

static warpbound_status refuse(const char *option, uint32_t of_file, uint32_t given,
                               const struct wb_function *function, warpbound_error *error)
{
  return wb_fail(error, WARPBOUND_USAGE,
                 "--%s: expected %" PRIu32 ", which the file says of %.100s, found %" PRIu32,
                 option, of_file, function->name, given);
}

/* Static shared memory as the code says, without what the system reserves, which code of sm_90 on
 * counts too. */
static uint32_t static_of_code(const struct wb_device_timing *device,
                               const struct wb_function *function)
{
  const uint64_t reserved = wb_device_number(device, device->residency.shared_reserved);
  const uint32_t said = function->static_shared;
  return function->sm >= 90 && said != UINT32_MAX && said >= reserved ? said - (uint32_t)reserved
                                                                      : said;
}

warpbound_status wb_stated_needs_check(const struct wb_launch_job *job)
{
  const struct wb_launch_question *question = job->question;
  const struct wb_function *function = job->analysis->function;
  warpbound_error *error = job->error;
  if (question->registers > 0 && function->registers > 0 &&
      question->registers != function->registers && !question->as_if_compiled)
    return refuse("registers", function->registers, question->registers, function, error);
  /* The file's number may be given with what the system reserves, or without. */
  const uint32_t said = question->static_shared;
  if (said != UINT32_MAX && function->static_shared != UINT32_MAX &&
      said != function->static_shared && said != static_of_code(question->device, function))
    return refuse("static-shared", function->static_shared, question->static_shared, function,
                  error);
  if (question->barriers != UINT32_MAX && function->named_barriers != UINT32_MAX &&
      question->barriers != function->named_barriers)
    return refuse("barriers", function->named_barriers, question->barriers, function, error);
  return WARPBOUND_OK;
}

/* A number of the user's in place of the code's, which wb_stated_needs_check lets differ where
 * other code is asked about; `unknown`: the code says none. */
static void state_need(struct wb_launch_analysis *analysis, const char *what, const char *option,
                       uint32_t said, uint32_t of_code, uint32_t unknown)
{
  if (of_code == unknown)
    wb_list_add(&analysis->assumptions, "%s: %" PRIu32 ", as declared (%s): the code does not say",
                what, said, option);
  else if (said != of_code)
    wb_list_add(&analysis->assumptions,
                "%s: %" PRIu32 ", as declared (%s), in place of %" PRIu32 ", as the code says",
                what, said, option, of_code);
}

void wb_stated_needs_assume(const struct wb_launch_job *job)
{
  const struct wb_launch_question *question = job->question;
  struct wb_launch_analysis *analysis = job->analysis;
  const struct wb_function *function = analysis->function;
  if (question->registers > 0)
    state_need(analysis, "registers of a thread", "--registers", question->registers,
               function->registers, 0);
  if (question->static_shared != UINT32_MAX)
    state_need(analysis, "bytes of static shared memory of a block", "--static-shared",
               question->static_shared, static_of_code(analysis->device, function), UINT32_MAX);
  if (question->barriers != UINT32_MAX)
    state_need(analysis, "named barriers of a block", "--barriers", question->barriers,
               function->named_barriers, UINT32_MAX);
}

/* ---- clusters ---- */

/* The first architecture with clusters. */
#define FIRST_ARCHITECTURE 90
#define SIZE_TEXT 48

static bool is_given(const uint32_t size[3])
{
  return size[0] > 0 && size[1] > 0 && size[2] > 0;
}

static const char *write_size(const uint32_t size[3], char text[SIZE_TEXT])
{
  snprintf(text, SIZE_TEXT, "%" PRIu32 " x %" PRIu32 " x %" PRIu32, size[0], size[1], size[2]);
  return text;
}

/* Where the size of the clusters is said. */
static const char *origin_of(const struct wb_function *function)
{
  return is_given(function->cluster) ? "as its code says" : "--cluster";
}

warpbound_status wb_launch_clusters_check(struct wb_launch_job *job)
{
  const struct wb_launch_analysis *analysis = job->analysis;
  const struct wb_function *function = analysis->function;
  const uint32_t *asked = job->question->cluster;
  warpbound_error *error = job->error;
  const bool in_code = is_given(function->cluster);
  const uint32_t *cluster = in_code ? function->cluster : asked;
  char first[SIZE_TEXT], second[SIZE_TEXT];
  if (in_code && is_given(asked) &&
      (function->cluster[0] != asked[0] || function->cluster[1] != asked[1] ||
       function->cluster[2] != asked[2]))
    return wb_fail(error, WARPBOUND_USAGE,
                   "--cluster: expected %s blocks, which '%.100s' has in its code, found %s",
                   write_size(function->cluster, first), function->name, write_size(asked, second));
  if (!is_given(cluster))
    return WARPBOUND_OK;
  for (int axis = 0; axis < 3; axis++) {
    if (analysis->grid[axis] % cluster[axis] != 0)
      return wb_fail(error, WARPBOUND_USAGE,
                     "grid: expected a multiple of the clusters of '%.100s' in each dimension, "
                     "%s blocks (%s), found %s",
                     function->name, write_size(cluster, first), origin_of(function),
                     write_size(analysis->grid, second));
  }
  if (cluster[0] == 1 && cluster[1] == 1 && cluster[2] == 1)
    return WARPBOUND_OK;
  return wb_fail(
      error, WARPBOUND_INVALID_INPUT,
      "%.100s: expected blocks that start one by one, found clusters of %s blocks (%s): "
      "they start together, so an SM may wait for a whole cluster though it has room, and "
      "no bound is known; expected a launch without clusters%s",
      function->name, write_size(cluster, first), origin_of(function),
      in_code ? ": without __cluster_dims__" : "");
}

warpbound_status wb_launch_clusters_settle(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  const struct wb_function *function = analysis->function;
  const uint32_t *asked = job->question->cluster;
  const uint32_t architecture = (uint32_t)wb_maximum(analysis->device->architecture, function->sm);
  if (is_given(function->cluster))
    return WARPBOUND_OK;
  if (function->clustered && !is_given(asked))
    return wb_fail(job->error, WARPBOUND_FACTS_MISSING,
                   "%.100s: its blocks start in clusters of a size that only the launch has: give "
                   "it with --cluster X,Y,Z (1: one by one)",
                   function->name);
  if (is_given(asked))
    wb_list_add(&analysis->assumptions, "blocks start one by one (--cluster 1)");
  else if (architecture >= FIRST_ARCHITECTURE)
    wb_list_add(&analysis->assumptions,
                "blocks start one by one: neither the code nor the launch "
                "(cudaLaunchAttributeClusterDimension) makes clusters of them");
  return WARPBOUND_OK;
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
    return kind->space == WB_SPACE_TEXTURE ? SHARED_NOT : SHARED_PERHAPS;
  if (kind->space == WB_SPACE_SHARED)
    return SHARED_SURELY;
  return kind->space == WB_SPACE_GENERIC ? SHARED_PERHAPS : SHARED_NOT;
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
          function->name, at->opcode, at->address,
          job->question->has_dynamic_shared ? " above 0" : "",
          function->static_shared == UINT32_MAX
              ? ", or what the code has with --static-shared BYTES"
              : "");
    }
    perhaps = perhaps || beyond || use == SHARED_PERHAPS;
  }
  if (perhaps && !job->question->has_dynamic_shared)
    wb_list_add(&analysis->assumptions,
                "no dynamic shared memory: --dynamic-shared was not given, and accesses to shared "
                "memory are not all shown to lie in the static one");
  return WARPBOUND_OK;
}
