/* Instrumentation of the public header: PTX with probes, and times of what these kept. */
#include "instrument/instrumentation.h"

#include "analysis/instrument/raw_times.h"
#include "api/arguments.h"
#include "base/status.h"
#include "formats/raw/raw_file.h"

static warpbound_status check_options(const warpbound_instrument_options *options,
                                      warpbound_error *error)
{
  if (options->at < WARPBOUND_AT_BLOCKS || options->at > WARPBOUND_AT_GIVEN)
    return wb_fail(error, WARPBOUND_USAGE, "at: expected a value of warpbound_instrument_at");
  if (options->point_count > 0 && options->points == NULL)
    return wb_fail(error, WARPBOUND_USAGE, "points: expected %zu places, found NULL",
                   options->point_count);
  for (size_t p = 0; p < options->point_count; p++)
    if (options->points[p] == NULL)
      return wb_fail(error, WARPBOUND_USAGE, "points: expected a place, found NULL");
  return WARPBOUND_OK;
}

static warpbound_status instrument(const char *name, const char *text, size_t length,
                                   const warpbound_instrument_options *options,
                                   struct wb_instrumentation *made, warpbound_error *error)
{
  static const warpbound_instrument_options defaults = {0};
  static const enum wb_point_places places[] = {
      [WARPBOUND_AT_BLOCKS] = WB_POINTS_BLOCKS,
      [WARPBOUND_AT_LOOPS] = WB_POINTS_LOOPS,
      [WARPBOUND_AT_LINES] = WB_POINTS_LINES,
      [WARPBOUND_AT_GIVEN] = WB_POINTS_NONE,
  };
  if (options == NULL)
    options = &defaults;
  warpbound_status status = wb_require(text, "text", "PTX", error);
  if (status == WARPBOUND_OK)
    status = check_options(options, error);
  if (status != WARPBOUND_OK)
    return status;
  const struct wb_point_options points = {
      .places = places[options->at],
      .named = options->points,
      .named_count = options->point_count,
  };
  return wb_instrument(name != NULL ? name : "", text, length, options->kernel, &points, made,
                       error);
}

warpbound_status warpbound_instrument(const char *name, const char *text, size_t length,
                                      const warpbound_instrument_options *options,
                                      char **instrumented, warpbound_error *error)
{
  struct wb_instrumentation made = {0};
  warpbound_status status =
      wb_require(instrumented, "instrumented", "the address of a text", error);
  if (status != WARPBOUND_OK)
    return status;
  *instrumented = NULL;
  status = instrument(name, text, length, options, &made, error);
  if (status == WARPBOUND_OK)
    status = wb_hand_out(&made.text, instrumented, error);
  wb_instrumentation_free(&made);
  return status;
}

warpbound_status warpbound_instrument_times(const char *name, const char *text, size_t length,
                                            const warpbound_instrument_options *options,
                                            const char *raw_name, const void *raw,
                                            size_t raw_length, char **times, warpbound_error *error)
{
  const char *shown_name = raw_name != NULL ? raw_name : "";
  struct wb_instrumentation made = {0};
  struct wb_raw parsed;
  struct wb_text written = {0};
  warpbound_status status = wb_require(times, "times", "the address of a text", error);
  if (status != WARPBOUND_OK)
    return status;
  *times = NULL;
  status = wb_require(raw, "raw", "raw output", error);
  if (status == WARPBOUND_OK)
    status = instrument(name, text, length, options, &made, error);
  if (status == WARPBOUND_OK)
    status = wb_raw_parse(shown_name, raw, raw_length, &parsed, error);
  if (status == WARPBOUND_OK)
    status = wb_raw_times(shown_name, &parsed, &made, &written, error);
  if (status == WARPBOUND_OK)
    status = wb_hand_out(&written, times, error);
  wb_text_free(&written);
  wb_instrumentation_free(&made);
  return status;
}
