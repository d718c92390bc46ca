/* What a frame rests on. */
#include "analysis/together/frame_steps.h"

#include "analysis/launch/value_assumptions.h"
#include "base/checked.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

/* What an analysis of one launch assumes of the rest of the GPU; a frame says it anew. */
static bool is_of_one_launch(const char *assumption)
{
  static const char *const begins[] = {
      "one context:", "idle memory:", "kept code:", "a block goes to an SM with the fewest"};
  for (size_t b = 0; b < sizeof begins / sizeof *begins; b++) {
    if (strncmp(assumption, begins[b], strlen(begins[b])) == 0)
      return true;
  }
  return false;
}

/* The lists of the device's values among the assumptions of a launch. */
static const char *const value_lists[] = {WB_VALUES_MEASURED, WB_VALUES_ASSUMED, WB_VALUES_DECLARED,
                                          WB_VALUES_LEFT_OUT};
enum { VALUE_LISTS = sizeof value_lists / sizeof *value_lists };

/* The rest of an assumption that begins so; NULL: it does not. */
static const char *rest_after(const char *assumption, const char *words)
{
  const size_t length = strlen(words);
  return strncmp(assumption, words, length) == 0 ? assumption + length : NULL;
}

static bool is_of_values(const char *assumption)
{
  bool found = false;
  for (size_t v = 0; v < VALUE_LISTS; v++)
    found |= rest_after(assumption, value_lists[v]) != NULL;
  return found;
}

/* Adds one list of values for all launches: each value once. */
static void unite_values(const struct wb_frame *frame, const char *words, struct wb_list *list)
{
  struct wb_list values = {0};
  struct wb_text text = {0};
  for (size_t l = 0; l < frame->launch_count; l++) {
    const struct wb_list *of = &frame->launches[l].analysis->assumptions;
    for (size_t a = 0; a < of->count; a++) {
      const char *at = rest_after(of->items[a], words);
      while (at != NULL && *at != '\0') {
        const char *comma = strstr(at, ", ");
        const size_t length = comma != NULL ? (size_t)(comma - at) : strlen(at);
        wb_list_add(&values, "%.*s", (int)length, at);
        at = comma != NULL ? comma + 2 : at + length;
      }
    }
  }
  for (size_t v = 0; v < values.count; v++)
    wb_text_format(&text, "%s%s", v > 0 ? ", " : "", values.items[v]);
  if (values.count > 0 && !text.failed)
    wb_list_add(list, "%s%s", words, text.data);
  list->failed |= values.failed || text.failed;
  wb_text_free(&text);
  wb_list_free(&values);
}

static bool has(const struct wb_list *list, const char *text)
{
  for (size_t i = 0; i < list->count; i++) {
    if (strcmp(list->items[i], text) == 0)
      return true;
  }
  return false;
}

/* Fails where caches keep what one launch fetches, but not what all do: those of an SM, where
 * launches share SMs, and that of translations, which the whole GPU shares. */
static warpbound_status check_caches(struct wb_frame_job *job)
{
  const struct wb_frame *frame = job->frame;
  const struct wb_device_timing *device = frame->launches[0].analysis->device;
  struct wb_cold_start sum = {0};
  bool cold = false;
  for (size_t l = 0; l < frame->launch_count; l++) {
    const struct wb_launch_analysis *analysis = frame->launches[l].analysis;
    const struct wb_cold_start *one = &analysis->cold_start;
    if (!analysis->cold)
      continue;
    cold = true;
    sum.code_bytes += one->code_bytes;
    sum.constant_bytes += one->constant_bytes;
    sum.pages += one->pages;
    sum.kept |= one->kept;
    sum.near_code |= one->near_code;
    sum.near_constants |= one->near_constants;
    sum.pages_kept |= one->pages_kept;
  }
  if (!cold)
    return WARPBOUND_OK;
  const struct wb_device_caches *caches = &device->caches;
  const char *what = NULL;
  uint32_t limit = caches->kept;
  const bool sms = !frame->own_sms;
  if (sms && sum.kept &&
      sum.code_bytes + sum.constant_bytes > wb_device_number(device, caches->kept))
    what = "code and constants, in the caches of an SM";
  else if (sms && sum.near_code && sum.code_bytes > wb_device_number(device, caches->near))
    what = "code, in the caches of a partition", limit = caches->near;
  else if (sms && sum.near_constants &&
           sum.constant_bytes > wb_device_number(device, caches->constant_near))
    what = "constants, in the caches of a partition", limit = caches->constant_near;
  else if (sum.pages_kept && sum.pages > wb_device_number(device, caches->reach) /
                                             wb_device_number(device, caches->page))
    what = "translations", limit = caches->reach;
  const char *value = device->values[limit].name;
  return what == NULL
             ? WARPBOUND_OK
             : wb_fail(
                   job->error, WARPBOUND_INVALID_INPUT,
                   "the launches together have more %s, than are kept there, and drive each "
                   "other's out; expected --set %s=0, with which none is kept, or --start warm, "
                   "an assumption",
                   what, value);
}

static void assume_company(const struct wb_frame *frame, struct wb_list *list)
{
  bool copies = false;
  bool host = false;
  bool cold = false;
  bool repeated = frame->period > 0;
  for (size_t s = 0; s < frame->row_count; s++) {
    const struct wb_frame_row *row = &frame->rows[s];
    copies |= row->kind != WARPBOUND_STEP_LAUNCH && row->kind != WARPBOUND_STEP_HOST;
    host |= row->kind == WARPBOUND_STEP_HOST;
    repeated |= row->period > 0;
  }
  for (size_t l = 0; l < frame->launch_count; l++)
    cold |= frame->launches[l].analysis->cold;
  wb_list_add(list, "company: no other kernel, stream or process is on the GPU than those that are "
                    "given, and nothing interrupts them: no preemption, time slices, debugger or "
                    "profiler");
  if (frame->own_sms)
    wb_list_add(list,
                "own SMs: blocks of a launch start on its own SMs alone, and nothing that one "
                "SM or partition has is shared between launches");
  else
    wb_list_add(list,
                "room (D): no block of a released launch waits while some SM has room for it: "
                "as many blocks, warps, registers, bytes of shared memory and barriers left as "
                "it takes, in whatever pieces");
  if (frame->has_graph)
    wb_list_add(list, "gaps: a step is released as soon as all that it comes after has ended, but "
                      "for its gap");
  if (copies)
    wb_list_add(list,
                "copies: each takes at most its time while launches and other copies run, has "
                "an engine of its kind for itself, which never rests while a copy waits, and "
                "holds the memory for at most its share of that time");
  if (host)
    wb_list_add(list, "host: functions of the host run one at a time, each in its time at most");
  if (repeated)
    wb_list_add(list,
                "periods: what repeats is released at least its period after the time before");
  bool several = false;
  for (size_t l = 0; l < frame->launch_count && !frame->own_sms; l++)
    several |= frame->launches[l].analysis->residencies.count > 1;
  if (several)
    wb_list_add(list, "shared memory: while launches may be under way beside each other it has one "
                      "size on all SMs; of one launch after the other each has a size of its own");
  if (cold)
    wb_list_add(list, "kept code of all: what an SM has fetched of the code and constants of the "
                      "launches that run stays in its caches until they end");
  const struct wb_launch_shape *shape = frame->kernels[0].shape;
  if (shape->foreign_share > 0 || shape->foreign_burst > 0)
    wb_list_add(list, "foreign traffic is about the time from the begin of the frame, and from the "
                      "release of each launch beside it");
  else if (copies)
    wb_list_add(list, "idle memory but for copies: nothing else uses the L2 cache and the memory");
  else
    wb_list_add(list, "idle memory: nothing else uses the L2 cache and the memory: no copies, no "
                      "other device, no display");
}

warpbound_status wb_frame_assume(struct wb_frame_job *job)
{
  struct wb_frame *frame = job->frame;
  struct wb_list *list = &frame->assumptions;
  const warpbound_status status = check_caches(job);
  if (status != WARPBOUND_OK)
    return status;
  assume_company(frame, list);
  for (size_t v = 0; v < VALUE_LISTS; v++)
    unite_values(frame, value_lists[v], list);
  for (size_t l = 0; l < frame->launch_count; l++) {
    const struct wb_launch_analysis *analysis = frame->launches[l].analysis;
    wb_estimate_add_all(&frame->estimate, &analysis->upper_estimate, frame->launches[l].name);
    wb_estimate_add_all(&frame->lower_estimate, &analysis->lower_estimate, frame->launches[l].name);
    for (size_t a = 0; a < analysis->assumptions.count; a++) {
      const char *text = analysis->assumptions.items[a];
      if (!is_of_one_launch(text) && !is_of_values(text) && !has(list, text))
        wb_list_add(list, "%s", text);
    }
  }
  if (list->failed || frame->estimate.failed || frame->lower_estimate.failed)
    return wb_out_of_memory(job->error);
  frame->upper_kind = wb_is_estimate(&frame->estimate) ? WARPBOUND_ESTIMATE : WARPBOUND_UPPER;
  frame->lower_kind = wb_is_estimate(&frame->lower_estimate) ? WARPBOUND_ESTIMATE : WARPBOUND_LOWER;
  return WARPBOUND_OK;
}
