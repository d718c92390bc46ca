/* Options of the SASS front end. */
#ifndef WB_FRONTEND_SASS_SASS_OPTIONS_H
#define WB_FRONTEND_SASS_SASS_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

/* The targets of an indexed branch, as the user gives them where the listing has none:
 * `--targets ADDRESS=A,B,C`, of the kernel where one is named. */
struct wb_sass_targets {
  const char *kernel; /* NULL: the only one with a BRX at that address */
  uint64_t address;
  const uint64_t *targets;
  size_t target_count;
};

struct wb_sass_options {
  const struct wb_sass_targets *targets;
  size_t target_count;
};

#endif
