/* The outline of a PTX module: its kernels with their parameters and launch bounds. Instructions
 * are passed over, so that opcodes of any version will do. */
#ifndef WB_FRONTEND_PTX_PTX_OUTLINE_H
#define WB_FRONTEND_PTX_PTX_OUTLINE_H

#include "base/name_pool.h"
#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Most kernels of a module, and most parameters of all of them. */
#define WB_PTX_OUTLINE_KERNELS ((size_t)1 << 18)
#define WB_PTX_OUTLINE_PARAMETERS ((size_t)1 << 20)

struct wb_ptx_outline_parameter {
  const char *name;
  uint32_t offset; /* from the first one, in bytes */
  uint32_t size;   /* in bytes */
};

struct wb_ptx_outline_kernel {
  const char *name;
  uint32_t max_threads[3];      /* .maxntid; 0: not given */
  uint32_t required_threads[3]; /* .reqntid; 0: not given */
  uint32_t cluster[3];          /* .reqnctapercluster; 0: not given */
  uint32_t most_cluster[3];     /* .maxclusterrank, in x; 0: not given */
  bool clustered;               /* .explicitcluster */
  size_t first_parameter;
  size_t parameter_count;
};

/* What was found of a module; owned, but for the target and version of fixed size. Zero it; free
 * with wb_ptx_outline_free. */
struct wb_ptx_outline {
  char version[16]; /* "8.5", "" where the text has none: it is not PTX */
  char target[32];  /* "sm_90a" */
  struct wb_ptx_outline_kernel *kernels;
  size_t kernel_count;
  size_t kernel_capacity;
  struct wb_ptx_outline_parameter *parameters;
  size_t parameter_count;
  size_t parameter_capacity;
  struct wb_name_pool names;
};

/* Reads the outline of any text; it ends early where the text is no PTX. Linear. Errors:
 * WARPBOUND_INVALID_INPUT over a limit, WARPBOUND_INTERNAL, with nothing to free. */
warpbound_status wb_ptx_outline_read(const char *text, size_t length,
                                     struct wb_ptx_outline *outline, warpbound_error *error);
void wb_ptx_outline_free(struct wb_ptx_outline *outline);

#endif
