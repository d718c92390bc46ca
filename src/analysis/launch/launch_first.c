/* The upper end that follows where the first caches of the SMs keep the data of the launch
 * (doc/launches/first-cache.md). */
#include "analysis/launch/launch_steps.h"

#include "base/checked.h"
#include "base/text.h"
#include "isa/opcode.h"
#include "launch/timing/first_data.h"
#include "launch/timing/timing_code.h"

#include <inttypes.h>
#include <string.h>

/* So many of the smallest buffers may be paid for by sector. */
#define MOST_BY_SECTOR 8

/* ---- which loads end at the first cache ---- */

/* What may stand behind LDG where a line that comes stays in the first cache: no other order of
 * eviction, no access that must go on to L2. Before Volta only CI reads by way of that cache. */
static bool modifiers_keep(const char *opcode, bool since_volta)
{
  static const char *const harmless[] = {"E",   "U",      "U8",      "S8",     "U16",
                                         "S16", "64",     "128",     "SYS",    "CONSTANT",
                                         "CI",  "LTC64B", "LTC128B", "LTC256B"};
  bool constant = false;
  for (const char *dot = strchr(opcode, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
    const size_t length = strcspn(dot + 1, ".");
    bool known = false;
    for (size_t h = 0; h < sizeof harmless / sizeof *harmless; h++)
      known |= strlen(harmless[h]) == length && strncmp(dot + 1, harmless[h], length) == 0;
    if (!known)
      return false;
    constant |= length == 2 && strncmp(dot + 1, "CI", 2) == 0;
  }
  return since_volta || constant;
}

/* The buffer whose data the instruction finds in the first cache once they have come; 0: none. */
static uint8_t found_buffer(const struct wb_launch_analysis *analysis, uint32_t instruction)
{
  const struct wb_instruction *at = &analysis->function->instructions[instruction];
  const struct wb_access *access = wb_accesses_at(&analysis->accesses, instruction);
  const bool loads = access != NULL && access->buffer > 0 && !access->unbounded &&
                     at->number == WB_OPCODE_LDG && !at->never &&
                     modifiers_keep(at->opcode, analysis->function->wide) &&
                     analysis->launch.buffers[access->buffer - 1].read_only;
  return loads ? access->buffer : 0;
}

/* Whether some instruction may drop what is in first caches, or wait for what others have stored.
 */
static bool drops(const struct wb_function *function)
{
  for (size_t i = 0; i < function->instruction_count; i++) {
    const struct wb_instruction *at = &function->instructions[i];
    if (!at->never && (at->number == WB_OPCODE_CCTL || at->number == WB_OPCODE_CCTLL ||
                       at->number == WB_OPCODE_CCTLT || wb_instruction_is(at, WB_TRAIT_FENCE)))
      return true;
  }
  return false;
}

/* ---- the data ---- */

/* A way to pay that is tried, and what comes of it. */
struct tried {
  struct wb_timed_code code;
  struct wb_warp_times times;
  struct wb_launch_maxima maxima;
  struct wb_launch_upper uppers;
};

struct trial {
  struct wb_launch_job *job;
  struct wb_first_data data;
  uint8_t *buffer; /* by instruction */
  size_t order[MOST_BY_SECTOR];
  size_t count; /* of buffers that are loaded from, the smallest ones, smallest first */
  bool loaded[256];
  uint64_t lines, block_lines; /* of all buffers, of the launch and of a block */
  uint64_t recent;             /* bytes of the lines used last that are kept */
  struct tried best;
  const char *why_not;
  warpbound_status status;
};

static void free_tried(struct tried *tried)
{
  wb_launch_maxima_free(&tried->maxima);
  wb_warp_times_free(&tried->times);
  wb_timed_code_free(&tried->code);
}

/* What lies behind the first cache: what the whole GPU shares, and the way there of what an SM
 * fetches. */
static void find_beyond(const struct wb_device_timing *device, bool beyond[WB_RESOURCE_LIMIT])
{
  for (size_t r = 0; r < WB_RESOURCE_LIMIT; r++)
    beyond[r] = r < device->resource_count && device->resources[r].level == WB_LEVEL_GPU;
  for (size_t s = 0; device->has_caches && s < device->caches.fetch.stage_count; s++)
    beyond[device->caches.fetch.stages[s].resource] = true;
}

/* A number of the device: one that is 0 is not read, for nothing rests on it. */
static uint64_t number_of(const struct wb_launch_analysis *analysis, uint32_t value)
{
  const uint64_t number = analysis->device->values[value].value;
  return number == 0 ? 0 : wb_device_number(analysis->device, value);
}

/* Fills the buffers, and by instruction what it finds. False where memory is out. */
static bool collect(struct trial *trial)
{
  struct wb_launch_analysis *analysis = trial->job->analysis;
  const struct wb_launch *launch = &analysis->launch;
  const size_t count = analysis->function->instruction_count;
  trial->buffer = wb_arena_array(&analysis->arena, uint8_t, count);
  trial->data.buffers =
      wb_arena_array(&analysis->arena, struct wb_first_buffer, launch->buffer_count);
  trial->data.count = launch->buffer_count;
  trial->data.retained = number_of(analysis, analysis->device->l1_retained);
  trial->recent = number_of(analysis, analysis->device->l1_recent);
  if (analysis->arena.failed)
    return false;
  for (size_t b = 0; b < launch->buffer_count; b++) {
    struct wb_first_buffer *one = &trial->data.buffers[b];
    const uint64_t lines = wb_lines_of(launch->buffers[b].bytes);
    one->bytes = launch->buffers[b].bytes;
    one->block_lines = wb_block_lines_used(analysis, b);
    trial->lines = wb_plus(trial->lines, lines);
    trial->block_lines = wb_plus(trial->block_lines, one->block_lines);
  }
  for (size_t a = 0; a < analysis->accesses.count; a++) {
    const uint32_t i = analysis->accesses.items[a].instruction;
    trial->buffer[i] = found_buffer(analysis, i);
    trial->loaded[trial->buffer[i]] = true;
  }
  trial->loaded[0] = false;
  for (size_t turn = 0; turn < MOST_BY_SECTOR; turn++) {
    size_t least = SIZE_MAX;
    for (size_t b = 0; b < launch->buffer_count; b++) {
      bool taken = !trial->loaded[b + 1];
      for (size_t t = 0; t < trial->count; t++)
        taken |= trial->order[t] == b;
      if (!taken && (least == SIZE_MAX || launch->buffers[b].bytes < launch->buffers[least].bytes))
        least = b;
    }
    if (least != SIZE_MAX)
      trial->order[trial->count++] = least;
  }
  analysis->buffers.first_needed = wb_times(trial->lines, WB_LINE_BYTES);
  return true;
}

/* The most blocks that may reside on an SM. */
static uint64_t most_residents(const struct wb_launch_analysis *analysis)
{
  uint64_t most = 1;
  for (size_t r = 0; r < analysis->residencies.count; r++)
    most = wb_maximum(most, analysis->residencies.items[r].occupancy.resident_blocks);
  return wb_minimum(most, analysis->shape.blocks);
}

/* Whether the lines used last are those of all blocks of an SM, and of one more: then nothing is
 * fetched again for a block before two others have begun. */
static bool recent_fits(const struct trial *trial, uint64_t *needed)
{
  const uint64_t blocks = most_residents(trial->job->analysis) + 1;
  *needed = wb_times(wb_times(blocks, trial->block_lines), WB_LINE_BYTES);
  return *needed <= trial->recent;
}

/* Whether what one block finds in first caches stays until it leaves: its own lines fit where no
 * other block is beside it, else those of all blocks. *needed: their bytes. */
static bool blocks_fit(const struct trial *trial, uint64_t *needed)
{
  const struct wb_launch_analysis *analysis = trial->job->analysis;
  uint64_t blocks = 1;
  for (size_t r = 0; r < analysis->residencies.count; r++) {
    if (analysis->residencies.items[r].occupancy.resident_blocks > 1)
      blocks = analysis->shape.blocks;
  }
  *needed = wb_times(wb_times(blocks, trial->block_lines), WB_LINE_BYTES);
  return *needed <= trial->data.retained;
}

static const char *why_not(struct trial *trial)
{
  struct wb_launch_analysis *analysis = trial->job->analysis;
  if (trial->job->question->options->in_company)
    return "other launches may run meanwhile, and drive them out";
  if (trial->job->question->options->unlimited_queues)
    return "stages in series are counted instead (--queues unlimited)";
  if (analysis->buffers.why_outside != NULL)
    return "not all accesses are in declared buffers";
  if (!analysis->maxima.terms.barriers_known)
    return "phases between barriers are not told apart";
  if (drops(analysis->function))
    return "a fence, or control of caches, may drop them";
  trial->status = wb_launch_lines_find(trial->job);
  if (trial->status != WARPBOUND_OK || !collect(trial))
    return "memory is out";
  uint64_t needed = 0;
  if (trial->data.retained < analysis->buffers.first_needed && !blocks_fit(trial, &needed) &&
      !recent_fits(trial, &needed)) {
    if (trial->recent == 0)
      return "they do not fit into what a first cache is said to keep (l1.retained)";
    analysis->buffers.first_needed = wb_minimum(analysis->buffers.first_needed, needed);
    return "they do not fit into what a first cache is said to keep (l1.retained, l1.recent)";
  }
  return trial->count > 0 ? NULL : "no load is of a declared buffer that is read-only";
}

/* ---- the upper ends ---- */

/* Exchanges code, times and maxima of the analysis for those that are tried. */
static void exchange(struct wb_launch_analysis *analysis, struct tried *tried)
{
  const struct tried old = {
      .code = analysis->timed, .times = analysis->times, .maxima = analysis->maxima};
  analysis->timed = tried->code;
  analysis->times = tried->times;
  analysis->maxima = tried->maxima;
  analysis->maxima.times = &analysis->times;
  tried->code = old.code;
  tried->times = old.times;
  tried->maxima = old.maxima;
}

/* With the first `by_sector` of the smallest buffers paid by sector, the others by `rest`. *less:
 * it is the best so far. */
static warpbound_status try_one(struct trial *trial, size_t by_sector, enum wb_first_paid rest,
                                bool *less)
{
  struct wb_launch_job *job = trial->job;
  struct wb_launch_analysis *analysis = job->analysis;
  struct tried tried = {.uppers.bound.cycles = UINT64_MAX};
  bool beyond[WB_RESOURCE_LIMIT];
  *less = false;
  for (size_t b = 0; b < trial->data.count; b++)
    trial->data.buffers[b].paid = trial->loaded[b + 1] ? rest : WB_FIRST_AS_BEFORE;
  for (size_t t = 0; t < by_sector; t++)
    trial->data.buffers[trial->order[t]].paid = WB_FIRST_BY_SECTOR;
  find_beyond(analysis->device, beyond);
  const enum wb_first_outcome outcome =
      wb_first_data_keep(&analysis->timed, &trial->data, trial->buffer, beyond, &tried.code);
  if (outcome == WB_FIRST_NO_MEMORY)
    return wb_out_of_memory(job->error);
  if (outcome == WB_FIRST_UNLIKE || wb_timed_code_check(&tried.code) != NULL) {
    if (outcome == WB_FIRST_DONE)
      wb_timed_code_free(&tried.code);
    trial->why_not = "loads of them go different ways to the memory, or are too many";
    return WARPBOUND_OK;
  }
  exchange(analysis, &tried);
  warpbound_status status = wb_launch_maxima_make(job);
  exchange(analysis, &tried);
  if (status == WARPBOUND_OK && tried.maxima.terms.barriers_known)
    status = wb_launch_upper_find(&tried.maxima.terms, &analysis->shape, &analysis->residencies,
                                  analysis->balanced, &tried.uppers, job->error);
  if (status == WARPBOUND_OK && tried.uppers.bound.cycles < trial->best.uppers.bound.cycles) {
    const struct tried worse = trial->best;
    trial->best = tried;
    tried = worse;
    *less = true;
  }
  free_tried(&tried);
  return status;
}

/* All by access, then more and more of the smallest ones by sector; then those alone. Each goes on
 * as long as it gives less. */
static warpbound_status try_ways(struct trial *trial)
{
  warpbound_status status = WARPBOUND_OK;
  bool less = true;
  for (size_t n = 0; n <= trial->count && less && status == WARPBOUND_OK; n++)
    status = try_one(trial, n, WB_FIRST_BY_ACCESS, &less);
  less = true;
  for (size_t n = 1; n <= trial->count && less && status == WARPBOUND_OK; n++)
    status = try_one(trial, n, WB_FIRST_AS_BEFORE, &less);
  return status;
}

/* For the launch, for each block, and for blocks that others come beside. */
static warpbound_status try_all(struct trial *trial)
{
  struct wb_launch_buffers *buffers = &trial->job->analysis->buffers;
  warpbound_status status = WARPBOUND_OK;
  uint64_t needed = 0, of_recent = 0;
  if (buffers->first_needed <= trial->data.retained)
    status = try_ways(trial);
  trial->data.of_block = true;
  if (status == WARPBOUND_OK && trial->block_lines < trial->lines && blocks_fit(trial, &needed))
    status = try_ways(trial);
  trial->data.recent = true;
  trial->data.retained = trial->recent;
  if (status == WARPBOUND_OK && recent_fits(trial, &of_recent))
    status = try_ways(trial);
  if (status == WARPBOUND_OK && trial->best.code.first.of_block)
    buffers->first_needed = trial->best.code.first.recent ? of_recent : needed;
  return status;
}

/* States which numbers of lines rest on what somebody says, and where addresses show more. */
static void state_block_lines(struct wb_launch_analysis *analysis)
{
  struct wb_text text = {0};
  bool declared = false;
  for (size_t b = 0; b < analysis->launch.buffer_count; b++) {
    const struct wb_declared_buffer *buffer = &analysis->launch.buffers[b];
    const uint64_t shown = analysis->buffers.block_lines[b];
    if (!wb_block_lines_are_said(analysis, b))
      continue;
    declared = true;
    if (shown != UINT64_MAX)
      wb_text_format(
          &text, "%s%" PRIu64 " of the buffer at %" PRIu32 " (addresses show %" PRIu64 " at most)",
          text.length > 0 ? ", " : ": ", buffer->block_lines, buffer->parameter, shown);
  }
  if (declared)
    wb_list_add(&analysis->assumptions,
                "lines of a block (--buffer ...,block-lines=N): all accesses of a block lie in so "
                "many lines of 128 bytes of a buffer as declared%s",
                text.length > 0 ? text.data : "");
  analysis->assumptions.failed |= text.failed;
  wb_text_free(&text);
}

static void state_recent(struct trial *trial)
{
  wb_list_add(&trial->job->analysis->assumptions,
              "kept in first caches (K1''): the first cache of each SM keeps the lines of declared "
              "buffers that were used last, %" PRIu64
              " of them: one that a load has found there, or that has come for it, stays until "
              "accesses of the SM have used as many others since, with every size of shared memory "
              "that it may be set to (l1.recent); instructions and constants lie elsewhere. Lines "
              "of the blocks that reside on an SM, and of one more, are %" PRIu64 " bytes at most",
              trial->best.code.first.retained / WB_LINE_BYTES,
              trial->job->analysis->buffers.first_needed);
}

static void state_first(struct trial *trial)
{
  struct wb_list *list = &trial->job->analysis->assumptions;
  const bool of_block = trial->best.code.first.of_block;
  if (trial->best.code.first.recent)
    state_recent(trial);
  else
    wb_list_add(list,
                "kept in first caches (K1): of the data of the launch, %" PRIu64
                " bytes at most%s, a line that a load has %s the first cache of an SM stays "
                "there until %s, whatever is stored: with every size of shared "
                "memory that the SM may be set to that cache keeps %" PRIu64
                " bytes (l1.retained) for loads, and instructions and constants lie elsewhere",
                trial->job->analysis->buffers.first_needed,
                of_block ? " of a block, or of all where several reside on an SM" : "",
                of_block ? "found in, or fetched into," : "fetched into",
                of_block ? "its block leaves" : "the end of the launch",
                trial->best.code.first.retained);
  if (of_block)
    state_block_lines(trial->job->analysis);
  wb_list_add(list,
              "waiting for a first cache (H1): a load of data that are under way to its SM waits "
              "for them, does not fetch them again, and holds no place that others need; a first "
              "cache has room for all fetches under way, and fetches %s",
              of_block ? "sectors that are accessed, and no others"
                       : "sectors of the lines that are accessed, and no others: of buffers that "
                         "are paid for as if it kept nothing only those that are accessed");
}

static warpbound_status take(struct trial *trial)
{
  struct wb_launch_job *job = trial->job;
  struct wb_launch_analysis *analysis = job->analysis;
  state_first(trial);
  exchange(analysis, &trial->best);
  analysis->timed.estimate = trial->best.code.estimate;
  trial->best.code.estimate = (struct wb_estimate){0};
  analysis->buffers.first_kept = true;
  return wb_launch_upper_take(job, &trial->best.uppers);
}

warpbound_status wb_launch_keep_first(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  struct trial trial = {.job = job, .best = {.uppers.bound.cycles = UINT64_MAX}};
  if (analysis->launch.buffer_count == 0 ||
      (analysis->device->values[analysis->device->l1_retained].value == 0 &&
       analysis->device->values[analysis->device->l1_recent].value == 0))
    return WARPBOUND_OK;
  trial.why_not = why_not(&trial);
  if (analysis->arena.failed)
    return wb_out_of_memory(job->error);
  if (trial.status != WARPBOUND_OK)
    return trial.status;
  warpbound_status status = trial.why_not == NULL ? try_all(&trial) : WARPBOUND_OK;
  if (status == WARPBOUND_OK && trial.best.uppers.bound.cycles < analysis->upper.cycles)
    status = take(&trial);
  else if (trial.why_not == NULL)
    trial.why_not = "the upper end would not be less";
  analysis->buffers.why_not_first = analysis->buffers.first_kept ? NULL : trial.why_not;
  free_tried(&trial.best);
  return status;
}

bool wb_launch_first_add(const struct wb_launch_analysis *analysis,
                         const struct wb_device_timing *device, struct wb_timed_code *code)
{
  const struct wb_first_data *data = &analysis->timed.first;
  const size_t count = analysis->function->instruction_count;
  struct wb_timed_code kept;
  struct wb_arena arena = {0};
  bool beyond[WB_RESOURCE_LIMIT];
  if (data->count == 0)
    return true;
  uint8_t *buffer = wb_arena_array(&arena, uint8_t, count);
  for (uint32_t i = 0; buffer != NULL && i < count; i++)
    buffer[i] = found_buffer(analysis, i);
  find_beyond(device, beyond);
  const bool done =
      buffer != NULL && wb_first_data_keep(code, data, buffer, beyond, &kept) == WB_FIRST_DONE;
  wb_arena_free(&arena);
  if (!done)
    return false;
  wb_timed_code_free(code);
  *code = kept;
  return true;
}
