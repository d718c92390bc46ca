/* The members of a device file that are numbers of the whole device, for reader and writer. */
#ifndef WB_FORMATS_DEVICE_DEVICE_MEMBERS_H
#define WB_FORMATS_DEVICE_DEVICE_MEMBERS_H

#include "model/devices/device_timing.h"

/* A member: its key, where its value's number is in struct wb_device_timing, and whether a file may
 * leave it out. */
struct wb_device_member {
  const char *key;
  size_t offset;
  bool optional;
};

/* Of the file itself, and of its member `residency`; each list ends with a key of NULL. */
extern const struct wb_device_member wb_device_members[];
extern const struct wb_device_member wb_residency_members[];

/* The number of a member's value in a device. */
static inline uint32_t *wb_device_member_of(struct wb_device_timing *device,
                                            const struct wb_device_member *member)
{
  return (uint32_t *)(void *)((char *)device + member->offset);
}

static inline uint32_t wb_device_member_value(const struct wb_device_timing *device,
                                              const struct wb_device_member *member)
{
  return *(const uint32_t *)(const void *)((const char *)device + member->offset);
}

#endif
