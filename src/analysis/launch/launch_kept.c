/* The upper end that follows where L2 keeps the data of the launch (doc/launches/caches.md). */
#include "analysis/launch/launch_steps.h"

#include "base/checked.h"
#include "isa/opcode.h"
#include "launch/timing/timed_hits.h"

#include <inttypes.h>

/* Bytes of a bank of constant memory at most, and its banks. */
#define BANK_BYTES 65536
#define BANKS 18
/* The longest instruction. */
#define INSTRUCTION_BYTES 16

/* ---- the data ---- */

/* Bytes of the banks of constant memory that loads read. */
static uint64_t constant_bytes(const struct wb_launch_analysis *analysis)
{
  const struct wb_function *function = analysis->function;
  bool banks[BANKS] = {false};
  uint64_t count = 0;
  for (size_t a = 0; a < analysis->accesses.count; a++) {
    const struct wb_access *access = &analysis->accesses.items[a];
    const struct wb_instruction *at = &function->instructions[access->instruction];
    bool found = access->space != WB_SPACE_CONSTANT;
    for (uint32_t o = 0; o < at->operand_count && !found; o++) {
      const struct wb_operand *operand = wb_operand_of(function, at, o);
      found = operand->kind == WB_OPERAND_CONSTANT && operand->bank < BANKS;
      if (found)
        banks[operand->bank] = true;
    }
    if (!found)
      return BANKS * BANK_BYTES;
  }
  for (size_t b = 0; b < BANKS; b++)
    count += banks[b];
  return count * BANK_BYTES;
}

/* The declared buffers, and what else the launch brings into L2: its instructions and constants. */
static bool collect_data(struct wb_launch_job *job, struct wb_kept_data *kept)
{
  struct wb_launch_analysis *analysis = job->analysis;
  const struct wb_launch *launch = &analysis->launch;
  const struct wb_device_timing *device = analysis->device;
  const uint64_t constants = constant_bytes(analysis);
  uint64_t lines = 0;
  *kept = (struct wb_kept_data){
      .buffers = wb_arena_array(&analysis->arena, struct wb_kept_buffer, launch->buffer_count + 2),
      .retained = wb_device_number(device, device->l2_retained),
      .copies = (uint32_t)wb_device_number(device, device->l2_copies),
      .warm = job->question->options->warm_l2,
  };
  if (kept->buffers == NULL)
    return false;
  for (size_t b = 0; b < launch->buffer_count; b++)
    kept->buffers[kept->count++].bytes = launch->buffers[b].bytes;
  kept->buffers[kept->count++].bytes =
      (uint64_t)INSTRUCTION_BYTES * wb_maximum(analysis->function->instruction_count, 1);
  if (constants > 0)
    kept->buffers[kept->count++].bytes = constants;
  for (size_t b = 0; b < kept->count; b++) {
    kept->buffers[b].lines = wb_lines_of(kept->buffers[b].bytes);
    if (b < launch->buffer_count)
      kept->buffers[b].lines = wb_launch_lines_used(analysis, b);
    lines += kept->buffers[b].lines;
  }
  analysis->buffers.needed = lines * WB_LINE_BYTES * kept->copies;
  return true;
}

/* Marks the loads whose data are kept: stores and atomics go on to memory as before. */
static bool mark_loads(struct wb_launch_analysis *analysis)
{
  bool any = false;
  for (size_t a = 0; a < analysis->accesses.count; a++) {
    struct wb_access *access = &analysis->accesses.items[a];
    const struct wb_instruction *at = &analysis->function->instructions[access->instruction];
    const enum wb_access_action action =
        (enum wb_access_action)wb_access_kind_of((enum wb_opcode)at->number)->action;
    access->kept = access->buffer > 0 && (action == WB_ACTION_LOAD || action == WB_ACTION_COPY);
    any |= access->kept;
  }
  return any;
}

/* Why nothing is kept, before anything is solved; NULL: it may be. */
static const char *why_not(struct wb_launch_job *job, struct wb_kept_data *kept)
{
  struct wb_launch_analysis *analysis = job->analysis;
  if (analysis->buffers.why_outside != NULL)
    return "not all accesses are in declared buffers";
  if (!analysis->device->has_memory)
    return "the device file does not say which resource the memory behind L2 is (l2)";
  if (!collect_data(job, kept))
    return "memory is out";
  if (kept->retained < analysis->buffers.needed)
    return "they do not fit into what L2 is said to keep (l2.retained)";
  if (!analysis->maxima.terms.barriers_known)
    return "phases between barriers are not told apart";
  return mark_loads(analysis) ? NULL : "no load is of a declared buffer";
}

/* ---- the upper ends ---- */

/* What is solved and may be taken. */
struct solved {
  struct wb_warp_times times;
  struct wb_launch_maxima maxima;
  struct wb_launch_upper uppers;
  uint64_t by_sector; /* bit b: buffer b is */
};

static void free_solved(struct solved *solved)
{
  wb_launch_maxima_free(&solved->maxima);
  wb_warp_times_free(&solved->times);
}

/* Exchanges the times and maxima of the analysis for the solved ones. */
static void exchange(struct wb_launch_analysis *analysis, struct solved *solved)
{
  const struct solved old = {.times = analysis->times, .maxima = analysis->maxima};
  analysis->times = solved->times;
  analysis->maxima = solved->maxima;
  analysis->maxima.times = &analysis->times;
  solved->times = old.times;
  solved->maxima = old.maxima;
}

/* Solves with these buffers paid by sector; the analysis's own maxima stay as they are. */
static warpbound_status solve(struct wb_launch_job *job, struct wb_kept_data *kept,
                              uint64_t by_sector, struct solved *solved)
{
  struct wb_launch_analysis *analysis = job->analysis;
  *solved = (struct solved){.by_sector = by_sector};
  for (size_t b = 0; b < kept->count; b++)
    kept->buffers[b].by_sector = (by_sector >> wb_minimum(b, 63) & 1) != 0;
  if (!wb_timed_code_keep(analysis->device, &analysis->accesses, kept, &analysis->timed))
    return wb_out_of_memory(job->error);
  exchange(analysis, solved);
  warpbound_status status = wb_launch_maxima_make(job);
  exchange(analysis, solved);
  if (status == WARPBOUND_OK && solved->maxima.terms.barriers_known)
    status = wb_launch_upper_find(&solved->maxima.terms, &analysis->shape, &analysis->residencies,
                                  analysis->balanced, &solved->uppers, job->error);
  else if (status == WARPBOUND_OK)
    solved->uppers.bound.cycles = UINT64_MAX;
  return status;
}

/* The buffers of which all fetches together cost chains less than the accesses to them: those that
 * are small. Their bits, for so many sectors at most. */
static uint64_t small_buffers(const struct wb_kept_data *kept, uint64_t sectors)
{
  uint64_t bits = 0;
  for (size_t b = 0; b < kept->count && b < 63; b++) {
    if (4 * kept->copies * kept->buffers[b].lines <= sectors)
      bits |= UINT64_C(1) << b;
  }
  return bits;
}

/* Solves for all buffers by access, the smaller ones by sector, up to all of them. *best: the
 * least.
 */
static warpbound_status solve_all(struct wb_launch_job *job, struct wb_kept_data *kept,
                                  struct solved *best)
{
  uint64_t bits = kept->warm ? UINT64_MAX : 0;
  warpbound_status status = solve(job, kept, bits, best);
  for (size_t turn = 0; turn < kept->count && status == WARPBOUND_OK && bits != UINT64_MAX;
       turn++) {
    /* The next smallest buffer, with all of its size. */
    struct solved next;
    uint64_t least = UINT64_MAX;
    for (size_t b = 0; b < kept->count && b < 63; b++) {
      if ((bits >> b & 1) == 0)
        least = wb_minimum(least, 4 * kept->copies * kept->buffers[b].lines);
    }
    if (least == UINT64_MAX)
      break;
    bits = small_buffers(kept, least);
    status = solve(job, kept, bits, &next);
    const bool less =
        status == WARPBOUND_OK && next.uppers.bound.cycles < best->uppers.bound.cycles;
    if (less) {
      const struct solved other = *best;
      *best = next;
      next = other;
    }
    free_solved(&next);
    if (!less) /* larger ones cost more still */
      break;
  }
  return status;
}

static void state_kept(struct wb_launch_job *job, const struct wb_kept_data *kept)
{
  struct wb_launch_analysis *analysis = job->analysis;
  struct wb_list *list = &analysis->assumptions;
  wb_list_add(list,
              "kept in L2 (K): of the data of the launch, at most %" PRIu64
              " bytes%s, what was fetched into L2 or stored stays there until the end of the "
              "launch: L2 keeps %" PRIu64 " bytes (l2.retained) for it; they are in the memory of "
              "the device, and nothing discards them",
              analysis->buffers.needed,
              kept->copies > 1 ? " with those of all parts of L2 (l2.copies)" : "", kept->retained);
  wb_list_add(list,
              "waiting for a fetch (H): a request for data under way from memory waits for "
              "them, does not fetch them again, and holds no place in L2 that others need; L2 "
              "has room for all fetches under way");
  wb_list_add(list,
              "fetches: L2 fetches sectors of the lines of 128 bytes that are accessed, and no "
              "others");
  if (kept->warm)
    wb_list_add(list, "warm L2 (--warm-l2): all data of the launch are in L2 when it begins");
}

warpbound_status wb_launch_keep(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  struct wb_launch_buffers *buffers = &analysis->buffers;
  struct wb_kept_data kept;
  struct solved best;
  if (analysis->launch.buffer_count == 0)
    return WARPBOUND_OK;
  if (job->question->options->in_company) {
    buffers->why_not_kept = "other launches may run meanwhile, and drive them out";
    return WARPBOUND_OK;
  }
  /* Where L2 keeps nothing it does not matter which lines are accessed. */
  warpbound_status status = WARPBOUND_OK;
  if (buffers->why_outside == NULL && analysis->device->has_memory &&
      analysis->device->values[analysis->device->l2_retained].value > 0)
    status = wb_launch_lines_find(job);
  if (status != WARPBOUND_OK)
    return status;
  buffers->why_not_kept = why_not(job, &kept);
  if (analysis->arena.failed)
    return wb_out_of_memory(job->error);
  if (buffers->why_not_kept != NULL)
    return WARPBOUND_OK;
  if (!wb_timed_code_keep(analysis->device, &analysis->accesses, &kept, &analysis->timed))
    return wb_out_of_memory(job->error);
  buffers->why_not_kept = wb_timed_code_check(&analysis->timed);
  wb_timed_code_keep_none(&analysis->timed);
  if (buffers->why_not_kept != NULL)
    return WARPBOUND_OK;
  status = solve_all(job, &kept, &best);
  const bool less = status == WARPBOUND_OK && best.uppers.bound.cycles < analysis->upper.cycles;
  if (less) {
    for (size_t b = 0; b < kept.count; b++)
      kept.buffers[b].by_sector = (best.by_sector >> wb_minimum(b, 63) & 1) != 0;
    if (!wb_timed_code_keep(analysis->device, &analysis->accesses, &kept, &analysis->timed))
      status = wb_out_of_memory(job->error);
    exchange(analysis, &best);
    if (status == WARPBOUND_OK)
      status = wb_launch_upper_take(job, &best.uppers);
    buffers->kept = true;
    state_kept(job, &kept);
  } else {
    wb_timed_code_keep_none(&analysis->timed);
    buffers->why_not_kept = "the upper end would not be less";
  }
  free_solved(&best);
  return status;
}
