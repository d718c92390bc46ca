/* What to do about the upper end of a launch, in words: accesses that may take more transactions
 * than the same bytes side by side, bounds that somebody declared, what begins cold. For people:
 * nothing rests on it. */
#include "analysis/launch/launch_steps.h"
#include "base/memory.h"
#include "base/text.h"
#include "values/interval/launch_values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What makes a smaller share of the upper end is not worth a word. */
#define LEAST_SHARE 0.02
/* Parameters that are tried at most, and the number that each is given: rows so far apart begin at
 * lines of memory. */
#define MOST_TRIED 16
#define EXAMPLE 4096
/* Larger functions are not looked at again for each parameter. */
#define MOST_INSTRUCTIONS 20000

/* The wasteful accesses of one source line to one space, or of one instruction without a line. */
struct group {
  uint32_t first; /* instruction */
  enum wb_memory_space space;
  size_t count;
  uint32_t transactions, ideal; /* of the worst of them */
  int64_t stride;               /* of that; 0: not known */
  bool side_by_side;            /* of that: the lanes' words are, at an address that may be odd */
  bool unknown;                 /* of some the addresses are not known by lane */
  double cycles;                /* of the upper end */
  struct wb_text parameters;    /* "--param pitch=N", those that would tell */
};

struct adviser {
  struct wb_launch_job *job;
  struct group *groups;
  size_t count, capacity;
};

static uint32_t transactions_of(const struct wb_access *access)
{
  return access->space == WB_SPACE_SHARED ? access->wavefronts : access->sectors;
}

/* ---- accesses ---- */

/* The group of an access; NULL: it is the first of one. */
static struct group *group_of(const struct adviser *adviser, const struct wb_access *access)
{
  const struct wb_function *function = adviser->job->analysis->function;
  const struct wb_instruction *at = &function->instructions[access->instruction];
  for (size_t g = 0; g < adviser->count; g++) {
    struct group *group = &adviser->groups[g];
    const struct wb_instruction *first = &function->instructions[group->first];
    const bool line = at->source_line > 0 && at->source_line == first->source_line &&
                      at->source_file == first->source_file;
    if (group->space == access->space && (line || group->first == access->instruction))
      return group;
  }
  return NULL;
}

static bool add_access(struct adviser *adviser, const struct wb_access *access)
{
  const double *cycles = adviser->job->analysis->instruction_cycles;
  const uint32_t transactions = transactions_of(access);
  struct group *group = group_of(adviser, access);
  if (group == NULL) {
    if (!wb_grow(adviser->groups, &adviser->capacity, adviser->count + 1))
      return false;
    group = &adviser->groups[adviser->count++];
    *group = (struct group){.first = access->instruction, .space = access->space};
  }
  if (group->count++ == 0 || transactions > group->transactions) {
    group->transactions = transactions;
    group->ideal = access->ideal;
    group->stride = access->pattern == WB_ACCESS_STRIDED ? access->stride : 0;
    group->side_by_side = access->pattern == WB_ACCESS_STRIDED && access->stride == access->bytes;
  }
  group->unknown |= access->pattern == WB_ACCESS_UNKNOWN && !access->known;
  group->cycles += cycles != NULL ? cycles[access->instruction] : 0;
  return true;
}

/* The transactions of a group's accesses. */
static uint64_t sum_of(const struct adviser *adviser, const struct group *group,
                       const struct wb_accesses *accesses)
{
  uint64_t sum = 0;
  for (size_t a = 0; a < accesses->count; a++) {
    if (group_of(adviser, &accesses->items[a]) == group)
      sum += transactions_of(&accesses->items[a]);
  }
  return sum;
}

/* Gives one parameter a number, and notes it with the groups that take fewer transactions then. */
static warpbound_status try_parameter(struct adviser *adviser, const struct wb_parameter *parameter)
{
  const struct wb_launch_analysis *analysis = adviser->job->analysis;
  const struct wb_launch *given = adviser->job->question->wcet.launch;
  struct wb_launch launch = *given;
  struct wb_accesses accesses = {0};
  struct wb_parameter_value *values = wb_allocate(given->parameter_count + 1, sizeof *values);
  if (values == NULL)
    return wb_out_of_memory(adviser->job->error);
  if (given->parameter_count > 0)
    memcpy(values, given->parameters, given->parameter_count * sizeof *values);
  values[launch.parameter_count++] =
      (struct wb_parameter_value){.offset = parameter->offset, .value = EXAMPLE};
  launch.parameters = values;
  const warpbound_status status =
      wb_accesses_find(analysis->paths.wcet.graph, &launch, &accesses, adviser->job->error);
  const struct wb_parameter_name *name =
      wb_launch_parameter_name(given, analysis->function, parameter->ordinal);
  for (size_t g = 0; g < adviser->count && status == WARPBOUND_OK; g++) {
    struct group *group = &adviser->groups[g];
    if (sum_of(adviser, group, &accesses) >= sum_of(adviser, group, &analysis->accesses))
      continue;
    wb_text_string(&group->parameters, group->parameters.length > 0 ? ", " : "");
    if (name != NULL)
      wb_text_format(&group->parameters, "--param %.60s=N", name->name);
    else
      wb_text_format(&group->parameters, "--param param_%u=N", parameter->ordinal);
  }
  wb_accesses_free(&accesses);
  free(values);
  return status;
}

/* Tries the parameters of four bytes that are not given. */
static warpbound_status try_parameters(struct adviser *adviser)
{
  const struct wb_launch_analysis *analysis = adviser->job->analysis;
  const struct wb_launch *launch = adviser->job->question->wcet.launch;
  bool some = false;
  size_t tried = 0;
  warpbound_status status = WARPBOUND_OK;
  for (size_t g = 0; g < adviser->count; g++)
    some |= adviser->groups[g].cycles >= LEAST_SHARE * (double)analysis->upper.cycles;
  if (!some || launch == NULL || analysis->function->instruction_count > MOST_INSTRUCTIONS)
    return WARPBOUND_OK;
  for (size_t p = 0;
       p < analysis->function->parameter_count && tried < MOST_TRIED && status == WARPBOUND_OK;
       p++) {
    const struct wb_parameter *parameter = &analysis->function->parameters[p];
    int64_t number;
    if (parameter->size != 4 ||
        wb_launch_parameter_number(launch, analysis->function, parameter, &number))
      continue;
    tried++;
    status = try_parameter(adviser, parameter);
  }
  return status;
}

/* "the 32 sectors of 12 global accesses, where 4 would do: ...". */
static void write_group(const struct group *group, struct wb_text *text)
{
  const bool shared = group->space == WB_SPACE_SHARED;
  const char *what = shared                           ? "wavefronts of shared memory"
                     : group->space == WB_SPACE_LOCAL ? "sectors of local memory"
                                                      : "sectors";
  wb_text_format(text, "%s%" PRIu32 " %s of ", group->unknown ? "up to " : "", group->transactions,
                 what);
  wb_text_format(text, "%zu access%s, where %" PRIu32 " would do: ", group->count,
                 group->count == 1 ? "" : "es", group->ideal);
  if (shared)
    wb_text_string(text, "let the lanes go to different banks, as a word of padding in each row "
                         "makes them");
  else if (group->space == WB_SPACE_LOCAL)
    wb_text_string(text, "give the array constant indices, so that it stays in registers");
  else if (group->side_by_side)
    wb_text_string(text,
                   "align: the lanes' words are side by side; begin each row at a multiple of "
                   "128 bytes");
  else if (group->stride != 0)
    wb_text_format(text,
                   "coalesce: let neighbouring lanes access neighbouring words, now %" PRId64
                   " bytes apart",
                   group->stride);
  else
    wb_text_string(text, "coalesce: let neighbouring lanes access neighbouring words");
  if (group->parameters.length > 0)
    wb_text_format(text, "; or give %s, which may show that they do", group->parameters.data);
  else if (group->unknown)
    wb_text_string(text, ", by an index that is a sum with threadIdx.x, not one that is loaded");
}

/* ---- the list ---- */

/* Adds an advice with its words, which are freed; instruction: UINT32_MAX for the whole launch. */
static warpbound_status add(struct wb_launch_job *job, uint32_t instruction, double cycles,
                            struct wb_text *words)
{
  struct wb_launch_analysis *analysis = job->analysis;
  const char *kept =
      words->failed ? NULL : wb_arena_text(&analysis->arena, words->data, words->length);
  wb_text_free(words);
  if (kept == NULL)
    return wb_out_of_memory(job->error);
  analysis->advice[analysis->advice_count++] =
      (struct wb_launch_advice){.instruction = instruction, .cycles = cycles, .words = kept};
  return WARPBOUND_OK;
}

static warpbound_status advise_accesses(struct adviser *adviser)
{
  const double least = LEAST_SHARE * (double)adviser->job->analysis->upper.cycles;
  warpbound_status status = WARPBOUND_OK;
  for (size_t g = 0; g < adviser->count && status == WARPBOUND_OK; g++) {
    const struct group *group = &adviser->groups[g];
    struct wb_text words = {0};
    if (group->cycles < least)
      continue;
    write_group(group, &words);
    words.failed |= group->parameters.failed;
    status = add(adviser->job, group->first, group->cycles, &words);
  }
  return status;
}

/* Bounds that somebody declared: the true ones are perhaps smaller. */
static warpbound_status advise_loops(struct wb_launch_job *job)
{
  const struct wb_launch_analysis *analysis = job->analysis;
  const struct wb_wcet *wcet = &analysis->paths.wcet;
  warpbound_status status = WARPBOUND_OK;
  for (size_t s = 0; s < analysis->sensitivity_count && status == WARPBOUND_OK; s++) {
    const struct wb_launch_sensitivity *row = &analysis->sensitivity[s];
    if (row->kind != WB_SENSITIVE_LOOP ||
        10 * row->tenth < LEAST_SHARE * (double)analysis->upper.cycles ||
        wcet->loops[row->index].source == WB_BOUND_FOUND)
      continue;
    struct wb_text words = {0};
    wb_text_format(&words,
                   "the bound %" PRIu64 " of the loop is declared: each turn less is worth %.0f "
                   "cycles: give the least that is true",
                   wcet->loops[row->index].bound, row->per_unit);
    status = add(job, wcet->graph->blocks[wcet->forest.loops[row->index].header].first,
                 10 * row->tenth, &words);
  }
  return status;
}

/* Parts of the upper end for which there is an option. */
static warpbound_status advise_parts(struct wb_launch_job *job)
{
  const struct wb_launch_analysis *analysis = job->analysis;
  const double scale = (double)analysis->maxima.terms.denominator;
  const double cold = (double)analysis->upper.part[WB_PART_COLD] / scale;
  const double gpu = (double)analysis->upper.part[WB_PART_GPU] / scale;
  const double most = (double)analysis->upper.cycles;
  warpbound_status status = WARPBOUND_OK;
  if (cold >= 0.1 * most) {
    struct wb_text words = {0};
    wb_text_string(&words, "the cold start: --start warm, where a launch of this kernel ran just "
                           "before");
    status = add(job, UINT32_MAX, cold, &words);
  }
  if (status == WARPBOUND_OK && gpu >= 0.2 * most && analysis->launch.buffer_count == 0) {
    struct wb_text words = {0};
    wb_text_string(&words, "waiting for L2 and memory: --buffer PARAM=BYTES for each pointer; data "
                           "that L2 keeps come from memory once");
    status = add(job, UINT32_MAX, gpu, &words);
  }
  return status;
}

static int compare_advice(const void *left, const void *right)
{
  const struct wb_launch_advice *one = left;
  const struct wb_launch_advice *other = right;
  if (one->cycles < other->cycles || one->cycles > other->cycles)
    return one->cycles < other->cycles ? 1 : -1;
  return (one->instruction > other->instruction) - (one->instruction < other->instruction);
}

warpbound_status wb_launch_advice_find(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  struct adviser adviser = {.job = job};
  warpbound_status status = WARPBOUND_OK;
  if (!job->question->options->sensitivity)
    return WARPBOUND_OK;
  for (size_t a = 0; a < analysis->accesses.count && status == WARPBOUND_OK; a++) {
    const struct wb_access *access = &analysis->accesses.items[a];
    if (transactions_of(access) > access->ideal && !add_access(&adviser, access))
      status = wb_out_of_memory(job->error);
  }
  /* At most one for each group, loop and part. */
  analysis->advice = wb_arena_array(&analysis->arena, struct wb_launch_advice,
                                    adviser.count + analysis->sensitivity_count + 2);
  if (status == WARPBOUND_OK && analysis->advice == NULL)
    status = wb_out_of_memory(job->error);
  if (status == WARPBOUND_OK)
    status = try_parameters(&adviser);
  if (status == WARPBOUND_OK)
    status = advise_accesses(&adviser);
  if (status == WARPBOUND_OK)
    status = advise_loops(job);
  if (status == WARPBOUND_OK)
    status = advise_parts(job);
  for (size_t g = 0; g < adviser.count; g++)
    wb_text_free(&adviser.groups[g].parameters);
  free(adviser.groups);
  if (status == WARPBOUND_OK && analysis->advice_count > 0)
    qsort(analysis->advice, analysis->advice_count, sizeof *analysis->advice, compare_advice);
  return status;
}
