/* The cubins of a file that are analysed together: opened, and each function once. */
#ifndef WB_FRONTEND_BINARY_CUBIN_SET_H
#define WB_FRONTEND_BINARY_CUBIN_SET_H

#include "base/hash_table.h"
#include "base/status.h"
#include "binary/container/image.h"
#include "binary/cubin/cubin.h"

#include <stdbool.h>
#include <stddef.h>

/* A cubin, its bytes, and which of its functions an earlier one holds already. */
struct wb_open_cubin {
  const struct wb_image *image;
  struct wb_image_bytes bytes;
  struct wb_cubin cubin;
  bool *repeated; /* by index of cubin.functions */
};

/* A function with a section of its own, in the order in which they were met. */
struct wb_open_function {
  size_t cubin;     /* index of cubins */
  size_t function;  /* index of its functions */
  size_t constants; /* the section of its jump tables and literals, or WB_CUBIN_NONE */
};

/* Zero it; free with wb_cubin_set_free. */
struct wb_cubin_set {
  struct wb_open_cubin *cubins;
  size_t count;
  size_t capacity;
  struct wb_open_function *functions; /* no two of one name */
  size_t function_count;
  size_t function_capacity;
  struct wb_hash_table by_name; /* of functions */
};

/* Opens the cubin of an image and adds it; the image and what it stores must outlive the set. name:
 * the file's, for messages. Errors: those of wb_image_unpack and wb_cubin_read. */
warpbound_status wb_cubin_set_open(struct wb_cubin_set *set, const char *name,
                                   const struct wb_image *image, warpbound_error *error);

/* Once all are open: lists their functions, and marks those that stand more than once. Of a linked
 * cubin and a relocatable one that it may have been linked from, the linked one counts. Errors:
 * WARPBOUND_INVALID_INPUT for a function that two linked ones, or two relocatable ones, have with
 * different code. */
warpbound_status wb_cubin_set_list(struct wb_cubin_set *set, const char *name,
                                   warpbound_error *error);
void wb_cubin_set_free(struct wb_cubin_set *set);

#endif
