/* The cubins of a file that are read together, as the parts of one program, with each function
 * once. */
#ifndef WB_FRONTEND_BINARY_CUBIN_SET_H
#define WB_FRONTEND_BINARY_CUBIN_SET_H

#include "base/hash_table.h"
#include "base/name_pool.h"
#include "base/status.h"
#include "binary/container/container.h"
#include "binary/cubin/cubin.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A cubin, its bytes, and which of its functions another one holds for it. */
struct wb_open_cubin {
  size_t module; /* its number in the file */
  struct wb_image_bytes bytes;
  struct wb_cubin cubin;
  bool *repeated;             /* by index of cubin.functions: left out */
  struct wb_open_part *parts; /* by index of cubin.functions */
};

/* What stands for a function of a cubin. */
struct wb_open_part {
  uint32_t name;   /* index of names */
  uint32_t listed; /* index of functions */
};

/* A function with a section of its own, in the order in which they were met. */
struct wb_open_function {
  size_t cubin;     /* index of cubins */
  size_t function;  /* index of its functions */
  size_t constants; /* the section of its jump tables and literals, or WB_CUBIN_NONE */
  uint32_t next;    /* the next one of its name, of another module, + 1; 0: none */
};

/* Zero it; free with wb_cubin_set_free. */
struct wb_cubin_set {
  struct wb_open_cubin *cubins;
  size_t count;
  size_t capacity;
  struct wb_open_function *functions; /* of one name those with different code */
  size_t function_count;
  size_t function_capacity;
  uint32_t *names; /* of each name the first function */
  size_t name_count;
  size_t name_capacity;
  struct wb_hash_table by_name; /* of names */
  struct wb_name_pool made;     /* names that tell modules apart */
};

/* Opens the cubins of the chosen images, lists their functions, and marks those that stand more
 * than once. Functions of one name with different code, or whose calls by one name lead to
 * different code, get names with the numbers of their modules. name: the file's. Errors: those of
 * wb_image_unpack and wb_cubin_read; WARPBOUND_INVALID_INPUT where there is no function. The set is
 * to be freed then too. */
warpbound_status wb_cubin_set_open(const char *name, const struct wb_images *images,
                                   const bool *chosen, struct wb_cubin_set *set,
                                   warpbound_error *error);
void wb_cubin_set_free(struct wb_cubin_set *set);

/* The cubin, an index of cubins, that is enough for who means this function (wb_demangled_matches):
 * it has all functions that can be meant and all that it refers to. SIZE_MAX: there is none, or no
 * such function. */
size_t wb_cubin_set_alone(const struct wb_cubin_set *set, const char *function);

/* A function of the set. */
const struct wb_cubin_function *wb_cubin_set_function(const struct wb_cubin_set *set,
                                                      uint32_t item);

#endif
