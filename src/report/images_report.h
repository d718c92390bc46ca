/* Writers of the GPU code of a file: its images and their functions. */
#ifndef WB_REPORT_IMAGES_REPORT_H
#define WB_REPORT_IMAGES_REPORT_H

#include "base/text.h"
#include "warpbound.h"

#include <stdbool.h>

/* The parameters of one kernel, which are shown below its image. Borrows. */
struct wb_kernel_needs {
  size_t image, function;
  const warpbound_parameters *parameters; /* NULL: it could not be analysed */
  const char *why;                        /* then: the message */
};

/* The images of a file that are wanted: of an architecture and a module, as of
 * warpbound_images_find_module. */
struct wb_images_wish {
  const warpbound_images *images;
  const char *architecture;            /* NULL: all */
  const char *module;                  /* NULL: all */
  const struct wb_kernel_needs *needs; /* by image, then function */
  size_t need_count;
};

/* The next one from `first` on; the number of images where there is none. */
size_t wb_images_next(const struct wb_images_wish *wish, size_t first);

/* Each image in a few words, and below it a table of its functions. */
void wb_images_text(const struct wb_images_wish *wish, bool colour, struct wb_text *text);

/* The mangled name of each kernel, a line each; each once. */
void wb_images_names(const struct wb_images_wish *wish, struct wb_text *text);

/* {"images": [...]}. */
void wb_images_json(const struct wb_images_wish *wish, struct wb_text *text);

#endif
