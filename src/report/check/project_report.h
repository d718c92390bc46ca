/* The project file that `warpbound init` writes: what a binary says of its kernels, and what it
 * does not, as lines to be filled in. */
#ifndef WB_REPORT_CHECK_PROJECT_REPORT_H
#define WB_REPORT_CHECK_PROJECT_REPORT_H

#include "base/text.h"
#include "report/images_report.h"

#include <stddef.h>

/* What is written. Borrows. */
struct wb_project_start {
  struct wb_images_wish wish; /* images of one architecture, with the needs that are known */
  const char *binary;         /* as the project names it */
  const char *sources;        /* the same of the folder of sources; NULL: not given */
  const char *device;         /* NULL: not chosen */
  const char *devices;        /* words for those that the code may be for: "orin-agx, orin-nx" */
};

/* Kernels of machine code of the wish. */
size_t wb_project_kernels(const struct wb_images_wish *wish);

/* A project file that reads as it stands, with a launch for each kernel. */
void wb_project_write(const struct wb_project_start *start, struct wb_text *text);

#endif
