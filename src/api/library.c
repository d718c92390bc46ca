/* The functions of the public header, each a few lines over the floors below. */
#include "warpbound.h"

#include "analysis/makespan/makespan_analysis.h"
#include "base/memory.h"
#include "certificate/schedule/schedule_check.h"
#include "flow/paths/kernel_path.h"
#include "formats/json/json_output.h"
#include "formats/schedule/schedule_file.h"
#include "frontend/ptx/ptx_front_end.h"
#include "model/device_table.h"
#include "model/instance.h"
#include "report/makespan/makespan_report.h"

#include <stdlib.h>

const char *warpbound_version(void)
{
  return WARPBOUND_VERSION;
}

static warpbound_status make_instance(const char *string, const struct wb_sm_configuration *sm,
                                      uint32_t warps, warpbound_instance **instance,
                                      warpbound_error *error)
{
  *instance = NULL;
  struct wb_kernel_string kernel;
  warpbound_status status = wb_kernel_string_parse(string, NULL, &kernel, error);
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_instance *made = wb_allocate(1, sizeof *made);
  status = made != NULL ? wb_instance_make(&kernel, sm, warps, 1, NULL, made, error)
                        : wb_out_of_memory(error);
  wb_kernel_string_free(&kernel);
  if (status == WARPBOUND_OK)
    *instance = made;
  else
    free(made);
  return status;
}

warpbound_status warpbound_instance_create(const char *string, const char *units,
                                           uint32_t issue_slots, uint32_t partitions,
                                           uint32_t warps, warpbound_instance **instance,
                                           warpbound_error *error)
{
  *instance = NULL;
  struct wb_sm_configuration sm;
  wb_sm_configuration_start(&sm, "the units given");
  sm.issue_slots = issue_slots;
  sm.partitions = partitions;
  warpbound_status status = wb_sm_configuration_parse_units(&sm, units, error);
  return status == WARPBOUND_OK ? make_instance(string, &sm, warps, instance, error) : status;
}

warpbound_status warpbound_instance_for_device(const char *string, const char *device,
                                               uint32_t warps, warpbound_instance **instance,
                                               warpbound_error *error)
{
  *instance = NULL;
  const struct wb_device *row = wb_device_find(device);
  if (row == NULL)
    return wb_fail(error, WARPBOUND_USAGE, "there is no device '%.80s' in the table", device);
  struct wb_sm_configuration sm;
  wb_device_configuration(row, &sm);
  return make_instance(string, &sm, warps, instance, error);
}

warpbound_status warpbound_instance_make_fair(warpbound_instance *instance, size_t first,
                                              size_t length, size_t count, warpbound_error *error)
{
  const struct wb_fair_blocks blocks = {first, length, count};
  return wb_instance_make_fair(instance, &blocks, error);
}

void warpbound_instance_mark_estimate(warpbound_instance *instance)
{
  instance->estimate = true;
}

warpbound_status warpbound_instance_divide(warpbound_instance *instance, uint32_t blocks,
                                           warpbound_error *error)
{
  struct warpbound_instance divided;
  if (instance->fair.count > 0)
    return wb_fail(error, WARPBOUND_USAGE, "blocks: expected before fairness is asked for");
  warpbound_status status = wb_instance_make(&instance->kernel, &instance->sm, instance->warps,
                                             blocks, NULL, &divided, error);
  if (status != WARPBOUND_OK)
    return status;
  divided.estimate = instance->estimate;
  wb_instance_clear(instance);
  *instance = divided;
  return WARPBOUND_OK;
}

void warpbound_instance_free(warpbound_instance *instance)
{
  if (instance != NULL)
    wb_instance_clear(instance);
  free(instance);
}

warpbound_status warpbound_makespan(const warpbound_instance *instance,
                                    const warpbound_options *options, warpbound_result **result,
                                    warpbound_error *error)
{
  *result = NULL;
  struct wb_analysis_options analysis = {0};
  if (options != NULL) {
    const warpbound_annealing *annealing = &options->annealing;
    if (!(annealing->temperature >= 0) || annealing->runs > WB_ANNEALING_RUN_LIMIT)
      return wb_fail(error, WARPBOUND_USAGE,
                     "annealing: expected a temperature of 0 or more and at most %u runs",
                     WB_ANNEALING_RUN_LIMIT);
    analysis.limits = *options;
    analysis.integer.solve = true;
    analysis.annealing = (struct wb_annealing_options){
        .variant = annealing->published ? WB_ANNEALING_PUBLISHED : WB_ANNEALING_WINDOWED,
        .initial = WB_ANNEALING_ALL,
        .iterations = annealing->iterations,
        .runs = annealing->runs,
        .temperature = annealing->temperature,
        .seed = annealing->seed};
  }
  struct warpbound_result *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = wb_analyse_makespan(instance, &analysis, made, error);
  if (status == WARPBOUND_OK || status == WARPBOUND_LIMIT)
    *result = made;
  else
    free(made);
  return status;
}

void warpbound_result_free(warpbound_result *result)
{
  if (result != NULL)
    wb_result_clear(result);
  free(result);
}

warpbound_bound warpbound_result_lower(const warpbound_result *result)
{
  return result->lower;
}

warpbound_bound warpbound_result_upper(const warpbound_result *result)
{
  return result->upper;
}

size_t warpbound_result_bound_count(const warpbound_result *result)
{
  return result->bounds.count + result->published.count;
}

warpbound_bound warpbound_result_bound(const warpbound_result *result, size_t index)
{
  if (index < result->bounds.count)
    return result->bounds.items[index].bound;
  return result->published.items[index - result->bounds.count].bound;
}

warpbound_status warpbound_result_json(const warpbound_result *result, char **json,
                                       warpbound_error *error)
{
  *json = wb_json_text(wb_makespan_json(result));
  return *json != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

warpbound_status warpbound_result_schedule(const warpbound_result *result, char **json,
                                           warpbound_error *error)
{
  *json = NULL;
  if (wb_result_witness(result) == 0)
    return wb_fail(error, WARPBOUND_LIMIT, "the result has no schedule");
  struct wb_text text = {0};
  if (result->whole_witness.issue_cycle != NULL)
    wb_sm_schedule_file_write(&result->instance->whole, &result->whole_witness, &text);
  else
    wb_schedule_file_write(&result->instance->problem, &result->witness, &text);
  *json = wb_text_take(&text);
  return *json != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

warpbound_status warpbound_verify_schedule(const char *json, size_t length, uint64_t *makespan,
                                           warpbound_error *error)
{
  struct wb_schedule_file file;
  warpbound_status status = wb_schedule_file_parse("schedule", json, length, &file, error);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_check_schedule(&file.claim, makespan, error);
  wb_schedule_file_free(&file);
  return status;
}

static warpbound_status string_of_program(const struct wb_code *program, const char *kernel,
                                          uint32_t iterations, char **string,
                                          warpbound_error *error)
{
  size_t index = wb_code_find_kernel(program, kernel, error);
  if (index == SIZE_MAX)
    return error != NULL ? error->status : WARPBOUND_USAGE;
  struct wb_path_options options = {.iterations = iterations};
  struct wb_kernel_path path;
  warpbound_status status =
      wb_kernel_path_walk(program, &program->functions[index], &options, &path, error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_text text = {0};
  wb_kernel_string_write(&path.string, &text);
  *string = wb_text_take(&text);
  wb_kernel_path_free(&path);
  return *string != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

warpbound_status warpbound_kernel_string(const char *ptx, size_t length, const char *kernel,
                                         uint32_t iterations, char **string, warpbound_error *error)
{
  *string = NULL;
  struct wb_code program;
  warpbound_status status = wb_ptx_parse("PTX", ptx, length, NULL, &program, error);
  if (status != WARPBOUND_OK)
    return status;
  status = string_of_program(&program, kernel, iterations, string, error);
  wb_code_free(&program);
  return status;
}

void warpbound_text_free(char *text)
{
  free(text);
}
