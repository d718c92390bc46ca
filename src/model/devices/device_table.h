/* Devices by name: the streaming multiprocessors of NVIDIA's architectures, each
 * row with its source. */
#ifndef WB_MODEL_DEVICES_DEVICE_TABLE_H
#define WB_MODEL_DEVICES_DEVICE_TABLE_H

#include "base/status.h"
#include "base/text/nearest.h"
#include "model/sm_configuration.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lanes of one unit type in a partition, or in the whole SM where shared. 0: it has no such units.
 * Tensor cores have no lanes: 32 over the cycles that an instruction of one warp keeps those of its
 * partition busy. */
struct wb_device_units {
  uint16_t lanes;
  bool shared;
};

/* One architecture. All counts are of one SM but issue_slots (warp instructions
 * that a partition issues in a cycle) and units. */
struct wb_device {
  const char *name;         /* "sm_52" */
  const char *architecture; /* "Maxwell" */
  const char *example;      /* a product */
  uint8_t major, minor;     /* compute capability */
  uint8_t partitions;
  uint8_t issue_slots;
  struct wb_device_units units[WB_REAL_UNIT_COUNT];
  uint8_t tensor_cores; /* 0: none, and no lanes of T */
  uint16_t max_warps;
  uint16_t max_threads;
  uint16_t max_blocks;
  uint16_t shared_memory; /* KiB */
  const char *source;     /* document, section */
  const char *note;       /* what the row simplifies, or NULL */
};

#define WB_WARP_SIZE 32

const struct wb_device *wb_device_rows(size_t *count);

/* By "sm_52", "5.2", an architecture's name in any case ("maxwell": its first row) or
 * a word of an example ("orin"); NULL where there is none. */
const struct wb_device *wb_device_find(const char *name);

/* The device that a name without a row was likely meant for, as wb_nearest_hint says it. */
const char *wb_device_hint(const char *name, char buffer[WB_HINT_SIZE]);

/* Whether code of sm_NN (52 for sm_52) runs on the device. CUDA C++ Programming Guide, "Binary
 * Compatibility": code for compute capability X.y runs on X.z with z >= y only, and not between the
 * desktop and Tegra. */
bool wb_device_runs(const struct wb_device *device, uint32_t sm);
/* The same of a device of sm_NN. */
bool wb_architecture_runs(uint32_t architecture, uint32_t sm);

/* The configuration of a row: sigma = lanes / 32. */
void wb_device_configuration(const struct wb_device *device, struct wb_sm_configuration *sm);

#endif
