/* Machines of the public header: SM configurations, the device table, and devices for launches. */
#include "api/arguments.h"

#include "base/memory.h"
#include "formats/device/device_file.h"
#include "formats/json/json_output.h"
#include "formats/sm/sm_file.h"
#include "frontend/file_kind.h"
#include "model/devices/device_table.h"
#include "model/sm_configuration.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static warpbound_status allocate(warpbound_sm **sm, warpbound_error *error)
{
  warpbound_status status = wb_require(sm, "sm", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  *sm = wb_allocate(1, sizeof **sm);
  return *sm != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

/* Hands the configuration out, or frees it after an error. */
static warpbound_status finish(warpbound_status status, warpbound_sm **sm)
{
  if (status != WARPBOUND_OK) {
    free(*sm);
    *sm = NULL;
  }
  return status;
}

static warpbound_status check_issue_slots(uint32_t issue_slots, warpbound_error *error)
{
  return issue_slots <= WB_CAPACITY_LIMIT
             ? WARPBOUND_OK
             : wb_fail(error, WARPBOUND_USAGE, "issue slots: expected 0 to %u, found %u",
                       WB_CAPACITY_LIMIT, issue_slots);
}

static warpbound_status check_partitions(uint32_t partitions, warpbound_error *error)
{
  return partitions >= 1 && partitions <= WB_PARTITION_LIMIT
             ? WARPBOUND_OK
             : wb_fail(error, WARPBOUND_USAGE, "partitions: expected 1 to %u, found %u",
                       WB_PARTITION_LIMIT, partitions);
}

warpbound_status warpbound_sm_create(const char *units, uint32_t issue_slots, uint32_t partitions,
                                     warpbound_sm **sm, warpbound_error *error)
{
  warpbound_status status = allocate(sm, error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_sm_configuration *configuration = &(*sm)->configuration;
  wb_sm_configuration_start(configuration, "the units given");
  configuration->issue_slots = issue_slots;
  configuration->partitions = partitions;
  status = wb_require(units, "units", "a text as \"L=1,C=4\"", error);
  if (status == WARPBOUND_OK)
    status = check_issue_slots(issue_slots, error);
  if (status == WARPBOUND_OK)
    status = check_partitions(partitions, error);
  if (status == WARPBOUND_OK)
    status = wb_sm_configuration_parse_units(configuration, units, error);
  return finish(status, sm);
}

warpbound_status warpbound_sm_for_device(const char *device, warpbound_sm **sm,
                                         warpbound_error *error)
{
  size_t index = 0;
  warpbound_status status = allocate(sm, error);
  if (status != WARPBOUND_OK)
    return status;
  status = warpbound_device_find(device, &index, error);
  if (status == WARPBOUND_OK) {
    size_t count;
    wb_device_configuration(&wb_device_rows(&count)[index], &(*sm)->configuration);
  }
  return finish(status, sm);
}

warpbound_status warpbound_sm_from_json(const char *name, const char *json, size_t length,
                                        warpbound_sm **sm, warpbound_error *error)
{
  warpbound_status status = allocate(sm, error);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_require(name, "name", "the name of a file", error);
  if (status == WARPBOUND_OK)
    status = wb_require(json, "json", "the text of an SM file", error);
  if (status == WARPBOUND_OK)
    status = wb_sm_file_parse(name, json, length, &(*sm)->configuration, error);
  if (status == WARPBOUND_INVALID_INPUT)
    wb_file_kind_explain(name, json, length, WB_FILE_JSON, error);
  return finish(status, sm);
}

warpbound_status warpbound_sm_set_issue_slots(warpbound_sm *sm, uint32_t issue_slots,
                                              warpbound_error *error)
{
  warpbound_status status = wb_require(sm, "sm", "a configuration", error);
  if (status == WARPBOUND_OK)
    status = check_issue_slots(issue_slots, error);
  if (status == WARPBOUND_OK) {
    sm->configuration.changed |= sm->configuration.issue_slots != issue_slots;
    sm->configuration.issue_slots = issue_slots;
  }
  return status;
}

warpbound_status warpbound_sm_set_partitions(warpbound_sm *sm, uint32_t partitions,
                                             warpbound_error *error)
{
  warpbound_status status = wb_require(sm, "sm", "a configuration", error);
  if (status == WARPBOUND_OK)
    status = check_partitions(partitions, error);
  if (status == WARPBOUND_OK) {
    sm->configuration.changed |= sm->configuration.partitions != partitions;
    sm->configuration.partitions = partitions;
  }
  return status;
}

warpbound_status warpbound_sm_set_origin(warpbound_sm *sm, const char *origin,
                                         warpbound_error *error)
{
  warpbound_status status = wb_require(sm, "sm", "a configuration", error);
  if (status == WARPBOUND_OK)
    status = wb_require(origin, "origin", "a text", error);
  if (status == WARPBOUND_OK)
    snprintf(sm->configuration.origin, sizeof sm->configuration.origin, "%s", origin);
  return status;
}

void warpbound_sm_free(warpbound_sm *sm)
{
  free(sm);
}

const char *warpbound_sm_name(const warpbound_sm *sm)
{
  return sm != NULL ? sm->configuration.name : "";
}

uint32_t warpbound_sm_issue_slots(const warpbound_sm *sm)
{
  return sm != NULL ? sm->configuration.issue_slots : 0;
}

uint32_t warpbound_sm_partitions(const warpbound_sm *sm)
{
  return sm != NULL ? sm->configuration.partitions : 0;
}

uint32_t warpbound_sm_max_warps(const warpbound_sm *sm)
{
  return sm != NULL ? sm->configuration.max_warps : 0;
}

_Static_assert(WARPBOUND_UNIT_COUNT == WB_REAL_UNIT_COUNT &&
                   WARPBOUND_UNIT_LOAD_STORE == (int)WB_UNIT_LOAD_STORE &&
                   WARPBOUND_UNIT_TENSOR == (int)WB_UNIT_TENSOR,
               "the public types of units are the model's");

warpbound_capacity warpbound_sm_units(const warpbound_sm *sm, warpbound_unit unit)
{
  if (sm == NULL || (unsigned)unit >= WARPBOUND_UNIT_COUNT)
    return (warpbound_capacity){0};
  const struct wb_unit_capacity *capacity = &sm->configuration.unit[unit];
  return (warpbound_capacity){.numerator = capacity->numerator,
                              .denominator = capacity->denominator,
                              .hold = capacity->hold,
                              .shared = capacity->shared};
}

/* ---- the device table ---- */

size_t warpbound_device_count(void)
{
  size_t count;
  wb_device_rows(&count);
  return count;
}

warpbound_device warpbound_device_row(size_t index)
{
  size_t count;
  const struct wb_device *rows = wb_device_rows(&count);
  if (index >= count)
    return (warpbound_device){0};
  const struct wb_device *row = &rows[index];
  warpbound_device device = {.name = row->name,
                             .architecture = row->architecture,
                             .example = row->example,
                             .major = row->major,
                             .minor = row->minor,
                             .partitions = row->partitions,
                             .issue_slots = row->issue_slots,
                             .max_warps = row->max_warps,
                             .max_threads = row->max_threads,
                             .max_blocks = row->max_blocks,
                             .shared_memory = row->shared_memory,
                             .tensor_cores = row->tensor_cores,
                             .source = row->source,
                             .note = row->note};
  for (unsigned u = 0; u < WARPBOUND_UNIT_COUNT; u++) {
    device.lanes[u] = row->units[u].lanes;
    device.shared[u] = row->units[u].shared;
  }
  return device;
}

warpbound_status warpbound_device_find(const char *name, size_t *index, warpbound_error *error)
{
  char hint[WB_HINT_SIZE];
  size_t count;
  warpbound_status status = wb_require(name, "name", "a device as \"sm_52\"", error);
  if (status == WARPBOUND_OK)
    status = wb_require(index, "index", "the address of a number", error);
  if (status != WARPBOUND_OK)
    return status;
  const struct wb_device *row = wb_device_find(name);
  if (row == NULL)
    return wb_fail(error, WARPBOUND_USAGE, "there is no device '%.60s' in the table%s", name,
                   wb_device_hint(name, hint));
  *index = (size_t)(row - wb_device_rows(&count));
  return WARPBOUND_OK;
}

/* ---- devices for launches ---- */

size_t warpbound_gpu_count(void)
{
  return wb_bundled_device_count;
}

const char *warpbound_gpu_bundled_name(size_t index)
{
  return index < wb_bundled_device_count ? wb_bundled_devices[index].name : "";
}

warpbound_status warpbound_gpu_bundled(const char *name, warpbound_gpu **gpu,
                                       warpbound_error *error)
{
  warpbound_status status = wb_require_place(gpu, "gpu", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = wb_require(name, "name", "a device's name", error);
  if (status != WARPBOUND_OK)
    return status;
  warpbound_gpu *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  status = wb_device_timing_bundled(name, &made->device, error);
  if (status == WARPBOUND_OK)
    *gpu = made;
  else
    free(made);
  return status;
}

warpbound_status warpbound_gpu_from_json(const char *name, const char *json, size_t length,
                                         warpbound_gpu **gpu, warpbound_error *error)
{
  warpbound_status status = wb_require_place(gpu, "gpu", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = wb_require(json, "json", "a device file", error);
  if (status != WARPBOUND_OK)
    return status;
  warpbound_gpu *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  status = wb_device_timing_read(name != NULL ? name : "", json, length, &made->device, error);
  if (status == WARPBOUND_OK)
    *gpu = made;
  else
    free(made);
  return status;
}

warpbound_status warpbound_gpu_set(warpbound_gpu *gpu, const char *text, warpbound_error *error)
{
  warpbound_status status = wb_require(gpu, "gpu", "a device", error);
  if (status == WARPBOUND_OK)
    status = wb_require(text, "text", "NAME=VALUE", error);
  return status == WARPBOUND_OK ? wb_device_timing_set(&gpu->device, text, error) : status;
}

warpbound_status warpbound_gpu_set_mode(warpbound_gpu *gpu, const char *name,
                                        warpbound_error *error)
{
  warpbound_status status = wb_require(gpu, "gpu", "a device", error);
  if (status == WARPBOUND_OK)
    status = wb_require(name, "name", "the name of a mode", error);
  return status == WARPBOUND_OK ? wb_device_timing_mode(&gpu->device, name, error) : status;
}

warpbound_status warpbound_gpu_slow_memory(warpbound_gpu *gpu, uint32_t thousandths,
                                           warpbound_error *error)
{
  warpbound_status status = wb_require(gpu, "gpu", "a device", error);
  if (status == WARPBOUND_OK && (thousandths < 1000 || thousandths > 1000000))
    status = wb_fail(error, WARPBOUND_USAGE,
                     "thousandths: expected 1000 to 1000000, found %" PRIu32, thousandths);
  return status == WARPBOUND_OK ? wb_device_timing_slow_memory(&gpu->device, thousandths, error)
                                : status;
}

const char *warpbound_gpu_name(const warpbound_gpu *gpu)
{
  return gpu != NULL ? gpu->device.name : "";
}

uint32_t warpbound_gpu_architecture(const warpbound_gpu *gpu)
{
  return gpu != NULL ? gpu->device.architecture : 0;
}

uint32_t warpbound_gpu_sms(const warpbound_gpu *gpu)
{
  return gpu != NULL ? (uint32_t)wb_device_number(&gpu->device, gpu->device.sms) : 0;
}

uint64_t warpbound_gpu_clock(const warpbound_gpu *gpu)
{
  return gpu != NULL ? wb_device_number(&gpu->device, gpu->device.clock) : 0;
}

/* The units are those of the row of the device table for the device's architecture. */
warpbound_status warpbound_sm_for_gpu(const warpbound_gpu *gpu, warpbound_sm **sm,
                                      warpbound_error *error)
{
  char architecture[32];
  warpbound_status status = wb_require_place(sm, "sm", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = wb_require(gpu, "gpu", "a device", error);
  if (status != WARPBOUND_OK)
    return status;
  const struct wb_device_timing *device = &gpu->device;
  const uint64_t partitions = wb_device_number(device, device->partitions);
  const uint64_t warps = wb_device_number(device, device->residency.max_warps);
  snprintf(architecture, sizeof architecture, "sm_%" PRIu32, device->architecture);
  const struct wb_device *row = wb_device_find(architecture);
  if (row == NULL)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, device->file, 0, 0,
                      "architecture: expected one whose units are in the table of devices, "
                      "found %s",
                      architecture);
  if (partitions > WB_PARTITION_LIMIT || warps > WB_WARP_LIMIT)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, device->file, 0, 0,
                      "expected at most %" PRIu32 " partitions and %" PRIu32
                      " warps of an SM, found %" PRIu64 " and %" PRIu64,
                      WB_PARTITION_LIMIT, WB_WARP_LIMIT, partitions, warps);
  struct warpbound_sm *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  struct wb_sm_configuration *configuration = &made->configuration;
  wb_device_configuration(row, configuration);
  snprintf(configuration->name, sizeof configuration->name, "%.40s (units of %s)", device->name,
           row->name);
  configuration->partitions = (uint32_t)partitions;
  configuration->max_warps = (uint32_t)warps;
  *sm = made;
  return WARPBOUND_OK;
}

warpbound_status warpbound_gpu_json(const warpbound_gpu *gpu, char **text, warpbound_error *error)
{
  warpbound_status status = wb_require_text_of(gpu, "gpu", "a device", text, error);
  if (status != WARPBOUND_OK)
    return status;
  *text = wb_json_text(wb_device_timing_json(&gpu->device));
  return *text != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

void warpbound_gpu_free(warpbound_gpu *gpu)
{
  if (gpu != NULL)
    wb_device_timing_free(&gpu->device);
  free(gpu);
}
