/* Devices for launches, of the public header. */
#include "api/gpu.h"
#include "api/arguments.h"
#include "base/memory.h"
#include "formats/device/device_file.h"
#include "formats/json/json_output.h"
#include "model/devices/device_table.h"
#include "model/sm_configuration.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Hands the device out, or frees it after an error. */
static warpbound_status finish(warpbound_status status, warpbound_gpu *made, warpbound_gpu **gpu)
{
  if (status == WARPBOUND_OK)
    *gpu = made;
  else
    free(made);
  return status;
}

static warpbound_status start(warpbound_gpu **gpu, warpbound_gpu **made, warpbound_error *error)
{
  warpbound_status status = wb_require(gpu, "gpu", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  *gpu = NULL;
  *made = wb_allocate(1, sizeof **made);
  return *made != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

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
  warpbound_gpu *made = NULL;
  warpbound_status status = start(gpu, &made, error);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_require(name, "name", "a device's name", error);
  if (status == WARPBOUND_OK)
    status = wb_device_timing_bundled(name, &made->device, error);
  return finish(status, made, gpu);
}

warpbound_status warpbound_gpu_from_json(const char *name, const char *json, size_t length,
                                         warpbound_gpu **gpu, warpbound_error *error)
{
  warpbound_gpu *made = NULL;
  warpbound_status status = start(gpu, &made, error);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_require(json, "json", "a device file", error);
  if (status == WARPBOUND_OK)
    status = wb_device_timing_read(name != NULL ? name : "", json, length, &made->device, error);
  return finish(status, made, gpu);
}

warpbound_status warpbound_gpu_set(warpbound_gpu *gpu, const char *text, warpbound_error *error)
{
  warpbound_status status = wb_require(gpu, "gpu", "a device", error);
  if (status == WARPBOUND_OK)
    status = wb_require(text, "text", "NAME=VALUE", error);
  return status == WARPBOUND_OK ? wb_device_timing_set(&gpu->device, text, error) : status;
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

static warpbound_status configure(const struct wb_device_timing *device,
                                  struct wb_sm_configuration *sm, warpbound_error *error)
{
  const uint64_t partitions = wb_device_number(device, device->partitions);
  const uint64_t warps = wb_device_number(device, device->residency.max_warps);
  const struct wb_device *row = NULL;
  char name[sizeof sm->name];
  /* The row of the device table that has the units of a device's architecture. */
  char architecture[32];
  snprintf(architecture, sizeof architecture, "sm_%" PRIu32, device->architecture);
  row = wb_device_find(architecture);
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
  wb_device_configuration(row, sm);
  snprintf(name, sizeof name, "%.40s (units of %s)", device->name, row->name);
  memcpy(sm->name, name, sizeof name);
  sm->partitions = (uint32_t)partitions;
  sm->max_warps = (uint32_t)warps;
  return WARPBOUND_OK;
}

warpbound_status warpbound_sm_for_gpu(const warpbound_gpu *gpu, warpbound_sm **sm,
                                      warpbound_error *error)
{
  warpbound_status status = wb_require(sm, "sm", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  *sm = NULL;
  status = wb_require(gpu, "gpu", "a device", error);
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_sm *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  status = configure(&gpu->device, &made->configuration, error);
  if (status == WARPBOUND_OK)
    *sm = made;
  else
    free(made);
  return status;
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
