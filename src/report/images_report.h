/* Writers of the GPU code of a file: its images and their functions. */
#ifndef WB_REPORT_IMAGES_REPORT_H
#define WB_REPORT_IMAGES_REPORT_H

#include "base/text.h"
#include "warpbound.h"

#include <stdbool.h>

/* Each image in a few words, and below it a table of its functions. architecture: of the images
 * that are wanted, as of warpbound_images_find; NULL for all. */
void wb_images_text(const warpbound_images *images, const char *architecture, bool colour,
                    struct wb_text *text);

/* The mangled name of each kernel, a line each; each once. */
void wb_images_names(const warpbound_images *images, const char *architecture,
                     struct wb_text *text);

/* {"images": [...]}. */
void wb_images_json(const warpbound_images *images, const char *architecture, struct wb_text *text);

#endif
