/* Names of source files as compilers write them. */
#ifndef WB_BASE_TEXT_SOURCE_PATH_H
#define WB_BASE_TEXT_SOURCE_PATH_H

#include <stddef.h>
#include <string.h>

/* Bytes at the beginning of a path that only say "in the working directory": builds that write no
 * path of their machine name a file /proc/self/cwd/a.cu, which is a.cu. */
static inline size_t wb_source_path_start(const char *path, size_t length)
{
  static const char working[] = "/proc/self/cwd/";
  size_t start = sizeof working - 1;
  if (length <= start || memcmp(path, working, start) != 0)
    return 0;
  while (length - start > 2 && path[start] == '.' && path[start + 1] == '/')
    start += 2;
  return start;
}

#endif
