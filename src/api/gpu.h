/* The handle of the public header for devices of launches. */
#ifndef WB_API_GPU_H
#define WB_API_GPU_H

#include "base/status.h"
#include "model/devices/device_timing.h"

/* Owns the device. */
struct warpbound_gpu {
  struct wb_device_timing device;
};

#endif
