/* Signatures of kernels in CUDA sources: the names that they give their parameters.
 *
 * This is no parser of C++: it looks for the word __global__ outside of comments, texts and
 * directives of the preprocessor, and takes the next name before a parenthesis for the kernel's. A
 * macro may hide a kernel or change its parameters. So a signature is what a source seems to say:
 * who uses one says so. */
#ifndef WB_FORMATS_SOURCES_SIGNATURES_H
#define WB_FORMATS_SOURCES_SIGNATURES_H

#include "base/name_pool.h"
#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* A signature with more parameters is left out. */
#define WB_SIGNATURE_PARAMETER_LIMIT 4096

/* One kernel; its parameters' names are names[first .. first + count - 1] of the signatures. */
struct wb_signature {
  const char *kernel; /* without namespaces and template arguments */
  const char *file;   /* borrowed, as it was given */
  uint32_t line;      /* of the kernel's name */
  size_t first, count;
};

/* Zero-initialise; free with wb_signatures_free. */
struct wb_signatures {
  struct wb_signature *items; /* in the order of the sources */
  size_t count, capacity;
  const char **names; /* NULL: the parameter has no name, or not one that is understood */
  size_t name_count, name_capacity;
  struct wb_name_pool texts;
};

/* Adds the signatures of a source; `file` must live as long as they. What is not understood has no
 * signature. Linear in the text. Errors: WARPBOUND_INTERNAL where memory is out. */
warpbound_status wb_signatures_read(const char *file, const char *text, size_t length,
                                    struct wb_signatures *signatures, warpbound_error *error);

void wb_signatures_free(struct wb_signatures *signatures);

#endif
