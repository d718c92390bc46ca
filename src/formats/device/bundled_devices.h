/* The table of bundled device files, which scripts/embed-devices makes of data/devices. */
#ifndef WB_FORMATS_DEVICE_BUNDLED_DEVICES_H
#define WB_FORMATS_DEVICE_BUNDLED_DEVICES_H

#include <stddef.h>

/* A file. */
struct wb_bundled_device {
  const char *name;      /* "orin-agx" */
  const char *product;   /* as the file says */
  unsigned architecture; /* as the file says */
  const char *text;      /* JSON */
  size_t length;
};

extern const struct wb_bundled_device wb_bundled_devices[];
extern const size_t wb_bundled_device_count;

#endif
