/* Which of the images of a file are meant: those of one architecture. */
#ifndef WB_FRONTEND_BINARY_IMAGE_CHOICE_H
#define WB_FRONTEND_BINARY_IMAGE_CHOICE_H

#include "base/status.h"
#include "binary/container/image.h"

#include <stdbool.h>
#include <stdint.h>

/* What the user says of it. */
struct wb_image_wish {
  const char *architecture; /* "sm_90a", or "sm_90" where that is not there; "compute_90" for PTX;
                             * NULL: the only one, or the one for the device */
  uint32_t device;          /* 87: what sm_87 would run, where no architecture is named; 0: none */
  bool machine_code_only;   /* PTX is not wanted */
};

/* Sets chosen[i], one a image, for all images of the architecture that is meant: cubins, or PTX
 * where that alone fits. Without an architecture or a device there must be cubins of one
 * architecture, or none and PTX of one. What a device runs is its own architecture, or the largest
 * below it of the same generation. name: the file's. Errors: WARPBOUND_USAGE where that names no
 * image, or none alone; the message lists those that are there. */
warpbound_status wb_images_choose(const char *name, const struct wb_images *images,
                                  const struct wb_image_wish *wish, bool *chosen,
                                  warpbound_error *error);

#endif
