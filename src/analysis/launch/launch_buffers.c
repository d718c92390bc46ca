/* The buffers that pointers of the launch's parameters point to, as the user says, and which of
 * them each access is based on (doc/launches/caches.md). */
#include "analysis/launch/launch_steps.h"

#include "base/checked.h"
#include "base/text.h"
#include "base/text/ascii.h"
#include "flow/accesses/access_offsets.h"
#include "flow/accesses/block_lines.h"
#include "flow/definitions/address_base.h"
#include "formats/flow_facts/flow_facts_file.h"
#include "isa/opcode.h"
#include "values/interval/launch_values.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Most buffers, and most bytes of one. */
#define MOST_BUFFERS 255
#define MOST_BYTES (UINT64_C(1) << 48)

/* ---- what the user says ---- */

static warpbound_status refuse(const struct wb_launch_job *job, const char *text, const char *why)
{
  return wb_fail(job->error, WARPBOUND_USAGE, "--buffer %.100s: %s", text, why);
}

/* The rest of a text after a number of bytes as 4096, 48K, 3M or 1G; NULL where it is none. */
static const char *read_bytes(const char *text, uint64_t *bytes)
{
  static const char units[] = "KMG";
  const char *at = text + wb_number_word(text, strspn(text, "0123456789"), MOST_BYTES, bytes);
  const char *unit = *at != '\0' ? strchr(units, toupper((unsigned char)*at)) : NULL;
  if (at == text)
    return NULL;
  for (const char *u = units; unit != NULL && u <= unit; u++)
    *bytes = wb_minimum(*bytes, MOST_BYTES) * 1024;
  return unit != NULL ? at + 1 : at;
}

/* Finds the offset of the parameter that a text names: param_2, KERNEL_param_2, the name that a
 * source gives it, or an offset. */
static warpbound_status find_parameter(const struct wb_launch_job *job, const char *text,
                                       size_t length, uint32_t *offset)
{
  const struct wb_function *function = job->analysis->function;
  const struct wb_parameter_name *source;
  const struct wb_parameter *named =
      wb_launch_named_parameter(&job->analysis->launch, function, text, length, &source);
  uint64_t number = 0;
  if (named != NULL) {
    *offset = named->offset;
    if (source != NULL)
      wb_parameter_name_assume(source, &job->analysis->assumptions);
    return WARPBOUND_OK;
  }
  if (wb_number_word(text, length, UINT16_MAX, &number) == length && length > 0) {
    *offset = (uint32_t)number;
    return WARPBOUND_OK;
  }
  return wb_fail(
      job->error, WARPBOUND_USAGE,
      "--buffer %.100s: expected PARAM=BYTES[,read-only][,aligned][,block-lines=N] with "
      "PARAM the offset of a pointer among the %zu parameters of %.100s, or param_N, or its name "
      "in a source of --sources, and BYTES as 4096, 48K or 3M",
      text, function->parameter_count, function->name);
}

/* Reads what may stand behind the bytes of a buffer, each word once at most; false where it is
 * something else. */
static bool read_attributes(const char *text, struct wb_declared_buffer *buffer)
{
  static const char *const words[] = {",read-only", ",aligned"};
  static const char lines[] = ",block-lines=";
  bool *const marks[] = {&buffer->read_only, &buffer->aligned};
  buffer->read_only = buffer->aligned = false;
  buffer->block_lines = 0;
  while (*text != '\0') {
    size_t w = 0;
    while (w < 2 && (*marks[w] || strncmp(text, words[w], strlen(words[w])) != 0))
      w++;
    const bool of_block =
        w == 2 && buffer->block_lines == 0 && strncmp(text, lines, sizeof lines - 1) == 0;
    text += of_block ? sizeof lines - 1 : 0;
    const size_t digits = of_block ? strspn(text, "0123456789") : 0;
    if (of_block && (wb_number_word(text, digits, MOST_BYTES, &buffer->block_lines) != digits ||
                     buffer->block_lines == 0))
      return false;
    if (w == 2 && !of_block)
      return false;
    if (w < 2)
      *marks[w] = true;
    text += w < 2 ? strlen(words[w]) : digits;
  }
  return true;
}

/* Whether the launch gives the pointer a number that is not aligned. */
static bool is_known_unaligned(const struct wb_launch_job *job,
                               const struct wb_declared_buffer *buffer)
{
  const struct wb_launch *launch = &job->analysis->launch;
  const char *kernel = job->analysis->function->name;
  const uint32_t rest = (UINT32_C(1) << WB_ALIGNED_BITS) - 1;
  for (size_t p = 0; p < launch->parameter_count; p++) {
    const struct wb_parameter_value *it = &launch->parameters[p];
    if (buffer->aligned && it->offset == buffer->parameter && (it->value & rest) != 0 &&
        (it->kernel == NULL || strcmp(it->kernel, kernel) == 0))
      return true;
  }
  return false;
}

static warpbound_status read_buffer(const struct wb_launch_job *job, const char *text,
                                    struct wb_declared_buffer *buffer)
{
  const struct wb_function *function = job->analysis->function;
  const size_t length = strcspn(text, "=");
  warpbound_status status = find_parameter(job, text, length, &buffer->parameter);
  if (status != WARPBOUND_OK)
    return status;
  const char *rest = text[length] == '=' ? read_bytes(text + length + 1, &buffer->bytes) : NULL;
  if (rest == NULL || !read_attributes(rest, buffer) || buffer->bytes == 0 ||
      buffer->bytes > MOST_BYTES)
    return refuse(job, text,
                  "expected bytes above 0 as 4096, 48K or 3M, then nothing, or some of ,read-only "
                  ",aligned and ,block-lines=N with N above 0");
  if (is_known_unaligned(job, buffer))
    return refuse(job, text, "expected a pointer that --param does not give, or a multiple of 256");
  bool pointer = function->parameter_count == 0;
  for (size_t p = 0; p < function->parameter_count; p++) {
    const struct wb_parameter *parameter = &function->parameters[p];
    pointer |= buffer->parameter >= parameter->offset &&
               buffer->parameter + 8 <= (uint32_t)parameter->offset + parameter->size;
  }
  return pointer && buffer->parameter % 8 == 0
             ? WARPBOUND_OK
             : refuse(job, text,
                      "expected a pointer: eight bytes of one parameter at a multiple of 8");
}

warpbound_status wb_launch_buffers_read(struct wb_launch_job *job)
{
  const warpbound_launch_options *options = job->question->options;
  struct wb_launch_analysis *analysis = job->analysis;
  analysis->launch = *job->question->wcet.launch;
  if (options->buffer_count > MOST_BUFFERS)
    return wb_fail(job->error, WARPBOUND_USAGE, "--buffer: expected at most %d, found %zu",
                   MOST_BUFFERS, options->buffer_count);
  struct wb_declared_buffer *buffers =
      wb_arena_array(&analysis->arena, struct wb_declared_buffer, options->buffer_count);
  analysis->launch.buffers = buffers;
  if (buffers == NULL)
    return wb_out_of_memory(job->error);
  for (size_t b = 0; b < options->buffer_count; b++) {
    const warpbound_status status = read_buffer(job, options->buffers[b], &buffers[b]);
    if (status != WARPBOUND_OK)
      return status;
    for (size_t other = 0; other < b; other++) {
      if (buffers[other].parameter == buffers[b].parameter)
        return refuse(job, options->buffers[b], "expected one buffer of a pointer, found two");
    }
    analysis->launch.buffer_count = b + 1;
  }
  return WARPBOUND_OK;
}

/* ---- what accesses are based on ---- */

/* Whether an access can reach what L2 and memory hold, at a place that a pointer says. */
static bool passes_l2(const struct wb_access *access)
{
  return access->space != WB_SPACE_SHARED && access->space != WB_SPACE_CONSTANT;
}

/* Why no buffer is known for an access, or an instruction that makes requests without one. */
static const char *why_unknown(const struct wb_access *access)
{
  if (access == NULL)
    return "what it accesses is not known";
  if (access->unbounded)
    return "it may move more than its lanes' own bytes";
  if (access->space == WB_SPACE_LOCAL)
    return "local memory is in no buffer";
  if (access->space == WB_SPACE_TEXTURE)
    return "a texture or surface is in no buffer";
  return "no declared pointer is known that its address is based on";
}

/* The number of the buffer that an access in one context is based on, from 1; 0: none is known. */
static uint8_t buffer_of(const struct wb_launch *launch, struct wb_definitions *definitions,
                         uint32_t block, const struct wb_access *access)
{
  if (access->unbounded || (access->space != WB_SPACE_GLOBAL && access->space != WB_SPACE_GENERIC))
    return 0;
  const uint32_t base = wb_address_base(definitions, launch, block, access->instruction);
  for (size_t b = 0; b < launch->buffer_count; b++) {
    if (launch->buffers[b].parameter == base)
      return (uint8_t)(b + 1);
  }
  return 0;
}

/* Whether an instruction without an access can make requests to what the whole GPU shares. */
static bool makes_requests(const struct wb_launch_analysis *analysis, uint32_t number)
{
  const struct wb_instruction *at = &analysis->function->instructions[number];
  const struct wb_timing_class *class =
      wb_device_class(analysis->device, at->opcode, (enum wb_unit)at->unit);
  if (at->never || !analysis->accesses.reached[number])
    return false;
  if (at->transfer == WB_TRANSFER_CALL_OUTSIDE || at->outside || class == NULL)
    return true;
  for (size_t s = 0; s < class->stage_count; s++) {
    if (analysis->device->resources[class->stages[s].resource].level == WB_LEVEL_GPU)
      return true;
  }
  return false;
}

static warpbound_status check_store(const struct wb_launch_job *job, const struct wb_access *access)
{
  const struct wb_launch_analysis *analysis = job->analysis;
  const struct wb_instruction *at = &analysis->function->instructions[access->instruction];
  /* A copy stores into shared memory. */
  const bool copies = wb_access_kind_of((enum wb_opcode)at->number)->action == WB_ACTION_COPY;
  if (access->buffer == 0 || !access->store || copies ||
      !analysis->launch.buffers[access->buffer - 1].read_only)
    return WARPBOUND_OK;
  char *place = wb_code_place(analysis->code, at->opcode, at->address, at);
  if (place == NULL)
    return wb_out_of_memory(job->error);
  const warpbound_status status =
      wb_fail(job->error, WARPBOUND_USAGE, "--buffer %.80s: %.300s stores into it",
              job->question->options->buffers[access->buffer - 1], place);
  free(place);
  return status;
}

/* Notes the first place of the code that need not be in a declared buffer. */
static void note_outside(struct wb_launch_buffers *buffers, uint32_t number, const char *why)
{
  if (buffers->why_outside == NULL || number < buffers->outside) {
    buffers->outside = number;
    buffers->why_outside = why;
  }
}

static warpbound_status find_bases(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  const struct wb_warp_graph *graph = analysis->paths.wcet.graph;
  struct wb_launch_buffers *buffers = &analysis->buffers;
  struct wb_definitions definitions;
  bool *seen = wb_arena_array(&analysis->arena, bool, analysis->function->instruction_count);
  if (seen == NULL || !wb_definitions_make(graph, &definitions)) {
    if (seen != NULL)
      wb_definitions_free(&definitions);
    return wb_out_of_memory(job->error);
  }
  for (uint32_t b = 0; b < graph->block_count; b++) {
    for (uint32_t i = graph->blocks[b].first; i <= graph->blocks[b].last; i++) {
      struct wb_access *access =
          (struct wb_access *)wb_accesses_at(&analysis->accesses, i); /* of the analysis */
      const bool known = access != NULL && !(seen[i] && access->buffer == 0);
      if (access != NULL && passes_l2(access) && known) {
        const uint8_t buffer = buffer_of(&analysis->launch, &definitions, b, access);
        access->buffer = seen[i] && access->buffer != buffer ? 0 : buffer;
        seen[i] = true;
      }
      if (access == NULL && makes_requests(analysis, i))
        note_outside(buffers, i, why_unknown(NULL));
    }
  }
  warpbound_status status = definitions.failed ? wb_out_of_memory(job->error) : WARPBOUND_OK;
  wb_definitions_free(&definitions);
  for (size_t a = 0; a < analysis->accesses.count && status == WARPBOUND_OK; a++) {
    const struct wb_access *access = &analysis->accesses.items[a];
    if (passes_l2(access) && access->buffer == 0)
      note_outside(buffers, access->instruction, why_unknown(access));
    status = check_store(job, access);
  }
  return status;
}

/* ---- where they lie ---- */

/* Takes what is shown of an access: it lies in its buffer, or not, an error. */
static warpbound_status take_offset(const struct wb_launch_job *job, struct wb_access *access,
                                    const struct wb_access_offset *offset)
{
  const struct wb_launch_analysis *analysis = job->analysis;
  const struct wb_instruction *at = &analysis->function->instructions[access->instruction];
  if (!offset->reached || !offset->known || access->buffer != offset->buffer + 1)
    return WARPBOUND_OK;
  const struct wb_declared_buffer *buffer = &analysis->launch.buffers[offset->buffer];
  const int64_t end = (int64_t)buffer->bytes - access->bytes; /* of first bytes */
  access->within = offset->least >= 0 && offset->most <= end;
  if (offset->least <= end && offset->most >= 0)
    return WARPBOUND_OK;
  char *place = wb_code_place(analysis->code, at->opcode, at->address, at);
  if (place == NULL)
    return wb_out_of_memory(job->error);
  const warpbound_status status =
      wb_fail(job->error, WARPBOUND_USAGE,
              "--buffer %.80s: %.250s accesses %u byte%s from %" PRId64 " to %" PRId64
              " behind the pointer, never in the buffer",
              job->question->options->buffers[offset->buffer], place, access->bytes,
              access->bytes == 1 ? "" : "s", offset->least, offset->most);
  free(place);
  return status;
}

static warpbound_status find_offsets(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  struct wb_accesses *accesses = &analysis->accesses;
  struct wb_access_offset *offsets =
      wb_arena_array(&analysis->arena, struct wb_access_offset, accesses->count);
  if (offsets == NULL)
    return wb_out_of_memory(job->error);
  analysis->buffers.offsets = offsets;
  warpbound_status status =
      wb_access_offsets_find(analysis->paths.wcet.graph, &analysis->paths.wcet.forest,
                             &analysis->launch, accesses, offsets, job->error);
  for (size_t a = 0; a < accesses->count && status == WARPBOUND_OK; a++)
    status = take_offset(job, &accesses->items[a], &offsets[a]);
  return status;
}

/* ---- the step ---- */

/* States which pointers are taken to be aligned. */
static void state_aligned(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  struct wb_text text = {0};
  for (size_t b = 0; b < analysis->launch.buffer_count; b++) {
    if (analysis->launch.buffers[b].aligned)
      wb_text_format(&text, "%s%" PRIu32, text.length > 0 ? ", " : "",
                     analysis->launch.buffers[b].parameter);
  }
  if (text.length > 0)
    wb_list_add(&analysis->assumptions,
                "aligned (--buffer): the pointers at these offsets of the parameters are multiples "
                "of %d bytes, as what cudaMalloc gives is: %s",
                1 << WB_ALIGNED_BITS, text.data);
  analysis->assumptions.failed |= text.failed;
  wb_text_free(&text);
}

warpbound_status wb_launch_buffers_find(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  if (job->question->options->buffer_count == 0)
    return WARPBOUND_OK;
  warpbound_status status = find_bases(job);
  if (status == WARPBOUND_OK)
    status = find_offsets(job);
  if (status == WARPBOUND_OK)
    state_aligned(job);
  if (status == WARPBOUND_OK)
    wb_list_add(
        &analysis->assumptions, "buffers (--buffer): %s",
        strcmp(wb_launch_buffers_verdict(analysis), "shown") == 0
            ? "pointers point to as many bytes as declared, in which all accesses are shown "
              "to lie"
            : "an access whose address is based on a declared pointer lies in its buffer; "
              "one elsewhere is undefined behaviour");
  return status;
}

struct wb_buffer_use wb_launch_buffer_use(const struct wb_launch_analysis *analysis, size_t buffer)
{
  struct wb_buffer_use use = {0};
  for (size_t a = 0; a < analysis->accesses.count; a++) {
    const struct wb_access *access = &analysis->accesses.items[a];
    use.accesses += access->buffer == buffer + 1;
    use.within += access->buffer == buffer + 1 && access->within;
  }
  return use;
}

const char *wb_launch_buffers_verdict(const struct wb_launch_analysis *analysis)
{
  bool within = true;
  for (size_t a = 0; a < analysis->accesses.count; a++)
    within &= !passes_l2(&analysis->accesses.items[a]) || analysis->accesses.items[a].within;
  return analysis->buffers.why_outside != NULL ? "unknown" : within ? "shown" : "assumed";
}

bool wb_launch_buffers_granules(const struct wb_launch_analysis *analysis, uint64_t bytes,
                                uint64_t *count)
{
  const struct wb_launch *launch = &analysis->launch;
  *count = 0;
  for (size_t b = 0; b < launch->buffer_count; b++)
    *count += wb_divide_up(launch->buffers[b].bytes - 1, bytes) + 1;
  return launch->buffer_count > 0 && analysis->buffers.why_outside == NULL;
}

warpbound_status wb_launch_lines_find(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  const struct wb_launch *launch = &analysis->launch;
  struct wb_launch_buffers *buffers = &analysis->buffers;
  if (buffers->block_lines != NULL)
    return WARPBOUND_OK;
  uint64_t *lines = wb_arena_array(&analysis->arena, uint64_t, launch->buffer_count);
  uint64_t *of_launch = wb_arena_array(&analysis->arena, uint64_t, launch->buffer_count);
  if (lines == NULL || of_launch == NULL)
    return wb_out_of_memory(job->error);
  buffers->block_lines = lines;
  buffers->launch_lines = of_launch;
  return wb_block_lines_find(analysis->paths.wcet.graph, &analysis->paths.wcet.forest, launch,
                             &analysis->accesses, lines, of_launch, job->error);
}

uint64_t wb_launch_lines_used(const struct wb_launch_analysis *analysis, size_t buffer)
{
  const uint64_t lines = wb_lines_of(analysis->launch.buffers[buffer].bytes);
  return analysis->buffers.launch_lines == NULL
             ? lines
             : wb_minimum(lines, wb_maximum(analysis->buffers.launch_lines[buffer], 1));
}

/* By what is no user's word. */
static uint64_t block_lines_shown(const struct wb_launch_analysis *analysis, size_t buffer)
{
  const uint64_t lines = wb_lines_of(analysis->launch.buffers[buffer].bytes);
  return analysis->buffers.block_lines == NULL
             ? lines
             : wb_minimum(lines, wb_maximum(analysis->buffers.block_lines[buffer], 1));
}

bool wb_block_lines_are_said(const struct wb_launch_analysis *analysis, size_t buffer)
{
  const uint64_t said = analysis->launch.buffers[buffer].block_lines;
  return said > 0 && said < block_lines_shown(analysis, buffer);
}

uint64_t wb_block_lines_used(const struct wb_launch_analysis *analysis, size_t buffer)
{
  return wb_block_lines_are_said(analysis, buffer) ? analysis->launch.buffers[buffer].block_lines
                                                   : block_lines_shown(analysis, buffer);
}
