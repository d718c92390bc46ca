/* The parameters of the kernels of a file, by the names of their sources, and the loops that need
 * them: for reports of the file's images. */
#ifndef WB_CLI_INPUT_KERNEL_NEEDS_H
#define WB_CLI_INPUT_KERNEL_NEEDS_H

#include "base/arena.h"
#include "base/file.h"
#include "cli/options/options.h"
#include "report/images_report.h"
#include "warpbound.h"

struct shown_kernel;

/* Owns what the rows borrow. Zero-initialise; kernel_needs_free, also after an error. */
struct kernel_needs {
  struct wb_arena arena;
  struct wb_kernel_needs *rows;
  struct shown_kernel *kernels; /* by row */
  size_t count;
};

/* Looks at the kernels that --kernel means, or without it at all, of the images with machine code,
 * with the sources of --sources; the wish then has them. A kernel that cannot be analysed has its
 * message. Errors: WARPBOUND_USAGE where no kernel is meant, or the folder has no source;
 * WARPBOUND_INTERNAL. */
warpbound_status kernel_needs_read(const struct arguments *arguments, const struct wb_input *source,
                                   struct wb_images_wish *wish, struct kernel_needs *list,
                                   warpbound_error *error);
void kernel_needs_free(struct kernel_needs *list);

#endif
